"""What the paper says of its experiments, each claim with the rule that decides it."""
