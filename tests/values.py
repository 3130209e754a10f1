"""Labels written as intervals, and values that may be undefined."""

import math

import numpy as np


def filled(n, *intervals):
    """1 inside the half-open intervals and 0 outside."""
    inside = np.zeros(n, int)
    for start, stop in intervals:
        inside[start:stop] = 1
    return inside


def close(expected, actual, tolerance=1e-12):
    """Equal but for rounding, or both undefined."""
    if math.isnan(expected) or math.isnan(actual):
        return math.isnan(expected) and math.isnan(actual)
    return math.isclose(expected, actual, rel_tol=tolerance, abs_tol=tolerance)
