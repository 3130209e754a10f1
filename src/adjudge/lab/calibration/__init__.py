"""Calibration: how often verdicts and intervals are right on data like the caller's own."""
