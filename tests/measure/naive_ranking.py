"""Slow twins of what looks at the top of the scores, and of the metrics that few use."""

from fractions import Fraction
from functools import partial
from itertools import combinations
from math import exp, inf, nan

from hypothesis import strategies as st

import naive
from measure import naive_separation


def kept(scores, where):
    return [t for t in range(len(scores)) if naive.judged(where, t)]


def at_k(labels, scores, series, where, *, rate):
    anomalous = sum(naive.truth(labels, where))
    if not anomalous:
        return nan
    falling = sorted((scores[t] for t in kept(scores, where)), reverse=True)
    flags = naive.raw(labels, [s >= falling[anomalous - 1] for s in scores], series, where)
    return rate(naive.points(labels, flags, series, where))


def at_k_runs(labels, scores, series, where, *, rate):
    wanted = len(naive.events(labels, series, where))
    if not wanted:
        return nan
    for level in sorted({scores[t] for t in kept(scores, where)}, reverse=True):
        flags = naive.raw(labels, [s >= level for s in scores], series, where)
        tally = naive.runs(labels, flags, series, where)
        if tally[3] >= wanted:
            return rate(tally)
    return nan


def ucr(labels, scores, series, where, *, tolerance=0):
    ids = [0] * len(labels) if series is None else series
    hits = []
    for one in dict.fromkeys(ids):
        here = [t for t in kept(scores, where) if ids[t] == one]
        if not here:
            continue
        inside = [event for event in naive.events(labels, series, where) if ids[event[0]] == one]
        if len(inside) != 1:
            return nan
        start, stop = inside[0]
        reach = max(stop - start, tolerance)
        top = [t for t in here if scores[t] == max(scores[u] for u in here)]
        near = [t for t in top if start - reach <= t < stop + reach]
        hits.append(Fraction(len(near), len(top)))
    return sum(hits) / len(hits)


def of_values(labels, scores, _series, where, *, distance):
    return distance(labels, scores, where)


def worth(values):
    mean = sum(values) / len(values)
    spread = sum((value - mean) ** 2 for value in values) / len(values)
    return float(mean - Fraction(1, 2)) * exp(-spread)


def cce(labels, scores, series, where):
    places = kept(scores, where)
    low, high = min(scores[t] for t in places), max(scores[t] for t in places)
    anomalous = naive.truth(labels, where)
    quiet = [naive.judged(where, t) and not anomalous[t] for t in range(len(labels))]
    if low == high or not any(anomalous) or not any(quiet):
        return nan
    scaled = [Fraction(score - low, high - low) for score in scores]
    value = 0
    for mask, sign in ((anomalous, 1), (quiet, -1)):
        segments = [scaled[a:b] for a, b in naive.events(mask, series)]
        mean = sum(map(worth, segments)) / len(segments)
        value += sign * (mean + worth([s for s, here in zip(scaled, mask, strict=True) if here]))
    return value / 2


# --- metrics that few use ------------------------------------------------------------------------


def accuracy(tally):
    hits, anomalous, _, flagged, normal = tally
    return Fraction(hits + normal - (flagged - hits), anomalous + normal)


def rand_index(tally):
    """Go through all pairs of the four kinds of points."""
    hits, anomalous, _, flagged, normal = tally
    false = flagged - hits
    kinds = [(1, 1)] * hits + [(1, 0)] * (anomalous - hits) + [(0, 1)] * false
    kinds += [(0, 0)] * (normal - false)
    pairs = list(combinations(kinds, 2))
    agree = sum((a[0] == b[0]) == (a[1] == b[1]) for a, b in pairs)
    return Fraction(agree, len(pairs)) if pairs else nan


def shares(labels, flags, series=None, where=None):
    all_events = naive.events(labels, series, where)
    covered = [Fraction(sum(flags[a:b]), b - a) for a, b in all_events]
    return sum(covered, Fraction(0)), len(all_events), 0, 0, nan


def offsets(labels, flags, series=None, where=None):
    far = [
        Fraction(abs(x - (a + b - 1) // 2), b - a)
        for a, b in naive.events(labels, series, where)
        for x in range(a, b)
        if flags[x]
    ]
    return sum(far, Fraction(0)), len(far), 0, 0, nan


def distance(x, others, series):
    return min((abs(x - t) for t in others if naive.same(series, x, t)), default=inf)


def near_points(labels, flags, series=None, where=None, *, tolerance=5):
    """Anomalous points near a flag; flagged points near an anomalous one."""
    anomalous = [t for t, label in enumerate(naive.truth(labels, where)) if label]
    flagged = [t for t, flag in enumerate(flags) if flag]
    found = sum(distance(t, flagged, series) <= tolerance for t in anomalous)
    right = sum(distance(t, anomalous, series) <= tolerance for t in flagged)
    normal = sum(naive.judged(where, t) for t in range(len(labels))) - len(anomalous)
    return found, len(anomalous), right, len(flagged), normal


def near_or_false(labels, flags, series=None, where=None, *, tolerance=5):
    found, anomalous, _, flagged, normal = near_points(
        labels, flags, series, where, tolerance=tolerance
    )
    inside = sum(f and y for f, y in zip(flags, naive.truth(labels, where), strict=True))
    return found, anomalous, found, found + flagged - inside, normal


def weighted_difference(labels, flags, series, where, *, tolerance=5):
    flags = naive.raw(labels, flags, series, where)
    anomalous = [t for t, label in enumerate(naive.truth(labels, where)) if label]
    total = 0.0
    for a, b in naive.events(labels, series, where):
        spread = (b - a) / 2
        total += sum(exp(-(((x - (a + b - 1) / 2) / spread) ** 2) / 2)
                     for x in range(a, b) if flags[x])  # fmt: skip
    for x, flag in enumerate(flags):
        if flag and x not in anomalous:
            far = distance(x, anomalous, series)
            total -= far / tolerance if far < tolerance else 1
    return total


TWINS = {
    "accuracy": (naive.raw, naive.points, accuracy),
    "rand_index": (naive.raw, naive.points, rand_index),
    "dice": (naive.raw, naive.points, naive.fbeta),
    "adc": (naive.raw, shares, naive.recall),
    "add": (naive.raw, offsets, naive.recall),
    "tdir": (naive.raw, near_points, naive.recall),
    "tdir(tolerance=2)": (naive.raw, partial(near_points, tolerance=2), naive.recall),
    "dair": (naive.raw, near_or_false, naive.precision),
    "dair(tolerance=0)": (naive.raw, partial(near_or_false, tolerance=0), naive.precision),
    "dair(tolerance=2)": (naive.raw, partial(near_or_false, tolerance=2), naive.precision),
}
TIES_BY_ROUNDING = {"accuracy", "adc", "add", "rand_index"}
WHOLES = {
    "precision_at_k": partial(at_k, rate=naive.precision),
    "f1_at_k": partial(at_k, rate=naive.fbeta),
    "f1_at_k(beta=2)": partial(at_k, rate=partial(naive.fbeta, beta=2)),
    "event_precision_at_k": partial(at_k_runs, rate=naive.precision),
    "event_f1_at_k": partial(at_k_runs, rate=naive.fbeta),
    "event_f1_at_k(beta=0.5)": partial(at_k_runs, rate=partial(naive.fbeta, beta=0.5)),
    "ucr": ucr,
    "ucr(tolerance=2)": partial(ucr, tolerance=2),
    "separation": partial(of_values, distance=naive_separation.separation),
    "hellinger": partial(of_values, distance=naive_separation.hellinger),
    "cce": cce,
    "wdd": weighted_difference,
    "wdd(tolerance=0)": partial(weighted_difference, tolerance=0),
    "wdd(tolerance=2)": partial(weighted_difference, tolerance=2),
}
TOLERANCES = {"separation": 1e-9, "hellinger": 1e-9}  # the densities are expanded to 1e-10
SETTINGS = {"tolerance": st.integers(0, 99)}
