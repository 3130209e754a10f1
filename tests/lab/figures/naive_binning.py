"""Slow twin of the binning behind the figures of experiments: one row at a time, no arrays."""

from math import isnan, nan, sqrt


def binned(x, y, bins_per_unit):
    """Means by bin, ascending: (middle, size, mean, standard error)."""
    members = {}
    for place, value in zip(x, y, strict=True):
        if not isnan(place) and not isnan(value):
            members.setdefault(round(place * bins_per_unit), []).append(value)
    return [
        (number / bins_per_unit, len(values), mean(values), standard_error(values))
        for number, values in sorted(members.items())
    ]


def mean(values):
    return sum(values) / len(values)


def standard_error(values):
    if len(values) == 1:
        return nan
    middle = mean(values)
    variance = sum((value - middle) ** 2 for value in values) / (len(values) - 1)
    return sqrt(variance / len(values))


def inside(value, low, high, ends):
    """Whether a value lies between two ends; brackets say which of them counts."""
    if isnan(value) or value < low or value > high:
        return False
    if value == low and ends[0] == "(":
        return False
    return not (value == high and ends[1] == ")")
