"""Every shift judged by itself: the slow, obvious twin of the quick ways."""

import itertools

import numpy as np

import adjudge as aj
from adjudge.noise.shifting.rotation import circle_lengths
from adjudge.noise.shifting.shifted_case import shifted


def values(metric, case, offsets, bounds=None):
    """Judge each shift anew."""
    return np.array([metric.reading(shifted(case, by, bounds)).value for by in offsets])


def every_offset(case):
    """List all combinations of offsets, no shift at all first."""
    lengths = np.maximum(circle_lengths(case.events), 1)
    return np.array(list(itertools.product(*(range(length) for length in lengths))))


def p_value(metric, case):
    """Count the shifts, the unshifted one among them, that do as well where there is a value."""
    sign = -1 if metric.row.better == "lower" else 1
    reached = sign * values(metric, case, every_offset(case))
    own = sign * metric.reading(case).value
    defined = reached[~np.isnan(reached)]
    return float(np.mean(defined >= own - 1e-12)) if not np.isnan(own) else np.nan


def random_case(rng, *, flags, points=40, series=3):
    """Draw labels and scores in runs, several series, and points that are not judged."""
    n = int(rng.integers(1, points))
    labels, flagged = np.zeros((2, n), int)
    for column in (labels, flagged):
        for _ in range(rng.integers(0, 5)):
            start = rng.integers(n)
            column[start : start + rng.integers(1, 7)] = 1
    scores = flagged if flags else rng.integers(0, rng.choice([2, 4, 30]) + 1, n) + 0.5
    where = rng.random(n) < rng.choice([0.5, 0.8, 1, 1])
    where[rng.integers(n)] = True
    ids = np.sort(rng.integers(0, rng.integers(1, series + 1), n))
    return aj.Case(labels, scores, series=ids, where=where)
