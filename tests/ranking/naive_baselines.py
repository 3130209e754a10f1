"""The one-line detectors again, a point at a time."""

import statistics
from itertools import pairwise

import numpy as np


def window(values, place, width):
    """The values around a point; beyond an end its value goes on."""
    half, last = width // 2, len(values) - 1
    return [values[min(max(k, 0), last)] for k in range(place - half, place + half + 1)]


def moving(values, width, of):
    return [of(window(values, place, width)) for place in range(len(values))]


def jumps(values):
    return [abs(values[k] - values[max(k - 1, 0)]) for k in range(len(values))]


def against_neighbours(values, width):
    own = jumps(values)
    means, spreads = moving(own, width, statistics.fmean), moving(own, width, statistics.pstdev)
    tiny = 1e-9 * (1 + max(own))
    return [(j - m) / (s + tiny) for j, m, s in zip(own, means, spreads, strict=True)]


def constant_run(values):
    found = [0]
    for before, value in pairwise(values):
        found.append(found[-1] + 1 if value == before else 0)
    return found


def one_liners(values, period):
    values, n = list(map(float, values)), len(values)
    narrow, wide = min(21, max(3, n // 10) | 1), min(101, max(5, n // 5) | 1)
    middle = statistics.median(values)
    spread = moving(values, narrow, statistics.pstdev)
    medians = moving(values, narrow, statistics.median)
    found = {
        "high value": values,
        "low value": [-v for v in values],
        "far from the median": [abs(v - middle) for v in values],
        "jump": jumps(values),
        "jump against its neighbours": against_neighbours(values, narrow),
        "spread": spread,
        "calm": [-s for s in spread],
        "constant run": constant_run(values),
        "far from the moving median": [abs(v - m) for v, m in zip(values, medians, strict=True)],
        "level": [abs(m - middle) for m in moving(values, wide, statistics.fmean)],
        "spread, wide": moving(values, wide, statistics.pstdev),
    }
    if period:
        found["unlike one period ago"] = [
            abs(values[k] - values[k - period]) if k >= period else 0 for k in range(n)
        ]
    return found


def period_of(values):
    """By the sums of the definition."""
    values = np.asarray(values, float) - np.mean(values)
    n = len(values)
    whole = float(values @ values)
    if n < 16 or whole <= 0:
        return 0
    r = [float(values[: n - k] @ values[k:]) / whole for k in range(n // 2)]
    below = next((k for k, c in enumerate(r) if c < 0), None)
    if below is None:
        return 0
    inner = range(max(8, below), len(r) - 1)
    peaks = [k for k in inner if r[k] >= r[k - 1] and r[k] > r[k + 1]]
    top = max((r[k] for k in peaks), default=0)
    return next(k for k in peaks if r[k] >= 0.8 * top) if top > 0.3 else 0
