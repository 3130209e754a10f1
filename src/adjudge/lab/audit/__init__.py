"""The audit of metrics: run the axioms on any metric, whatever it does."""
