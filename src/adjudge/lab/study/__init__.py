"""The paper's study: thousands of simulated detectors, each judged and described, as a table."""
