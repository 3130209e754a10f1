"""Intervals: where a value might have been with other events of the same kind."""
