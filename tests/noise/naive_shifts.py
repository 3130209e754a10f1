"""Every shift judged by itself: the slow, obvious twin of the quick ways."""

import itertools

import numpy as np

import adjudge as aj
from adjudge.noise.shifting.shifted_case import CaseShifts


def null_values(metric, case, shifts=None, seed=0):
    """What chance makes of a case, by the quickest way."""
    return CaseShifts(case).values(metric, shifts, seed)


def values(metric, case, offsets, bounds=None):
    """Judge each shift anew."""
    return np.array([metric.reading(case.turned(by, bounds)).value for by in offsets])


def every_offset(case):
    """List all combinations of offsets, no shift at all first."""
    lengths = np.maximum(case.events.judged_between(), 1)
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


def closed_value(metric, case, offsets, bounds=None):
    """The value on one shift with islands that run round the circle, point by point."""
    events, scores = case.events, case.turned(offsets, bounds).scores
    judged = np.ones(events.n, bool) if events.judged is None else events.judged
    circles = itertools.pairwise(events.series_bounds if bounds is None else bounds)
    parts = [[point for point in range(*ends) if judged[point]] for ends in circles]
    truth, width = events.widths.sum(), metric.parts.adjust.marking(events).island
    if metric.row.needs == "scores":
        levels = np.unique(scores[judged])[::-1]
        tallies = [_closed_tally(events, scores >= level, parts, width) for level in levels]
        steps = zip([(0, 0), *tallies], tallies, strict=False)
        return sum((a - before) * a / max(a + b, 1) for (before, _), (a, b) in steps) / truth
    levels = [0.5] if metric.at_one_threshold else [*scores[judged], -np.inf]
    tallies = [_closed_tally(events, scores > level, parts, width) for level in levels]
    beta = metric.parts.measure.beta**2
    with np.errstate(invalid="ignore"):
        return max((1 + beta) * a / np.float64(a + b + beta * truth) for a, b in tallies)


def _closed_tally(events, flags, parts, width):
    before, after = (width - 1) // 2, width // 2
    runs = zip(events.starts, events.stops, strict=True)
    found = sum(flags[start:stop].any() * (stop - start) for start, stop in runs)
    marked = set()
    for points in parts:
        for place, point in enumerate(points):
            if flags[point] and not events.labels[point]:
                near = range(place - before, place + after + 1)
                marked |= {points[other % len(points)] for other in near}
    return found, sum(not events.labels[point] for point in marked)
