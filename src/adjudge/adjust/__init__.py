"""Adjustments: from scores to scores, by what a hit or a false alarm is taken to mean."""
