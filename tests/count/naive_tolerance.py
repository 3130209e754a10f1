"""Slow twins of the rows that ask when an event was hit, or how near."""

from functools import partial
from itertools import pairwise
from math import nan

import numpy as np
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

import naive
from count.naive_segments import delayed


def covered_near(labels, flags, series=None, where=None, *, k, tolerance):
    """An event covered enough is marked within the tolerance of its hits."""
    flagged = naive.raw(labels, flags, series, where)
    adjusted = list(flagged)
    for start, stop in naive.events(labels, series, where):
        if sum(flagged[start:stop]) / (stop - start) < k:
            continue
        for t in range(start, stop):
            reach = range(max(t - tolerance, start), min(t + tolerance + 1, stop))
            adjusted[t] = any(flagged[u] for u in reach)
    return adjusted


def near(marks, t, tolerance, series):
    reach = range(max(t - tolerance, 0), min(t + tolerance + 1, len(marks)))
    return any(marks[u] and naive.same(series, t, u) for u in reach)


def tolerant(labels, adjusted, series=None, where=None, *, tolerance=5):
    anomalous = naive.truth(labels, where)
    n = range(len(labels))
    found = sum(anomalous[t] and near(adjusted, t, tolerance, series) for t in n)
    right = sum(adjusted[t] and near(anomalous, t, tolerance, series) for t in n)
    normal = sum(naive.judged(where, t) and not anomalous[t] for t in n)
    return found, sum(anomalous), right, sum(adjusted), normal


def walked(labels, series, where, window):
    """The batches of each series, as the authors' code walks."""
    anomalous = naive.truth(labels, where)
    batches, n = [], len(labels)
    edges = [t for t in range(n) if t == 0 or not naive.same(series, t - 1, t)] + [n]
    for first, end in pairwise(edges):
        start, step = first, window
        while start < end:
            stop = min(start + step, end)
            places = [t for t in range(start, stop) if anomalous[t]]
            broken = places and places[-1] - places[0] >= len(places)
            if step > 2 and broken:
                step = min((stop - start) // 2, 2)
                stop = start + step
            else:
                step = window
            batches.append((first, start, stop))
            start += step
    return batches


def batched(labels, adjusted, series=None, where=None, *, window=1):
    anomalous = naive.truth(labels, where)
    found = truth = false = normal = 0
    carried, previous = False, None
    for first, start, stop in walked(labels, series, where, window):
        if first != previous:
            carried, previous = False, first
        flagged = any(adjusted[start:stop])
        if any(anomalous[start:stop]):
            carried = (carried and anomalous[start]) or flagged
            found, truth = found + carried, truth + 1
        else:
            carried = False
            counts = any(naive.judged(where, t) for t in range(start, stop))
            false, normal = false + flagged, normal + counts
    return found, truth, found, found + false, normal


def softened(alarms, truth, series, reach):
    """Worth of each pair; points of two series are worth nothing to each other."""
    return [
        [max(0, 1 - abs(d - e) / reach) * naive.same(series, d, e) for e in truth] for d in alarms
    ]


def kept_by_the_nearest(worth):
    """Let each flagged point look at its best, and each anomalous point keep its best."""
    kept = set()
    for e in range(len(worth[0])):
        looking = [d for d, row in enumerate(worth) if row[e] == max(row) > 0]
        if looking:
            kept.add(max(looking, key=lambda d: worth[d][e]))  # the first among equals
    return sum(max(worth[d]) for d in kept)


def matched_in_pairs(worth):
    worth = np.array(worth)
    return worth[linear_sum_assignment(worth, maximize=True)].sum()


def soft(labels, flagged, series=None, where=None, *, reach=15, match="nearest", starts=False):
    truth = [t for t, one in enumerate(naive.truth(labels, where)) if one]
    alarms = [t for t, one in enumerate(flagged) if one]
    if starts:
        truth = [start for start, _ in naive.events(labels, series, where)]
        alarms = [start for start, _ in naive.events(flagged, series)]
    total = 0
    if truth and alarms:
        rule = kept_by_the_nearest if match == "nearest" else matched_in_pairs
        total = rule(softened(alarms, truth, series, reach))
    return total, len(truth), total, len(alarms), nan


def coverage_area(labels, flags, series=None, where=None, *, beta=1):
    """The mean over K, from one covered share to the next."""
    flagged = naive.raw(labels, flags, series, where)
    every = naive.events(labels, series, where)
    shares = sorted({0, 1, *(sum(flagged[a:b]) / (b - a) for a, b in every)})
    area = 0
    for low, high in pairwise(shares):
        adjusted = naive.covered(labels, flags, series, where, k=high)
        value = naive.fbeta(naive.points(labels, adjusted, series, where), beta)
        if value != value:  # noqa: PLR0124
            return nan
        area += (high - low) * float(value)
    return area


RATES = {"f1": naive.fbeta, "precision": naive.precision, "recall": naive.recall}
TWINS = {
    **{f"delay_{name}": (delayed, naive.points, rate) for name, rate in RATES.items()},
    **{f"latency_{name}": (naive.raw, batched, rate) for name, rate in RATES.items()},
    **{f"tolerant_{name}": (naive.raw, tolerant, rate) for name, rate in RATES.items()},
    "delay_f1(k=1)": (partial(delayed, k=1), naive.points, naive.fbeta),
    "delay_f1(k=3)": (partial(delayed, k=3), naive.points, naive.fbeta),
    "delay_f1(k=None)": (naive.point_adjusted, naive.points, naive.fbeta),
    **{
        f"latency_f1(window={window})": (
            naive.raw, partial(batched, window=window), naive.fbeta,
        )
        for window in (2, 3, 4, 5, 7)
    },
    **{
        f"tolerant_f1(tolerance={tolerance})": (
            naive.raw, partial(tolerant, tolerance=tolerance), naive.fbeta,
        )
        for tolerance in (0, 1, 2)
    },
    **{f"softed_{name}": (naive.raw, soft, rate) for name, rate in RATES.items()},
    "softed_f1(reach=3)": (naive.raw, partial(soft, reach=3), naive.fbeta),
    'softed_f1(reach=4, match="one_to_one")': (
        naive.raw, partial(soft, reach=4, match="one_to_one"), naive.fbeta,
    ),
    'softed_recall(reach=9, match="one_to_one")': (
        naive.raw, partial(soft, reach=9, match="one_to_one"), naive.recall,
    ),
    "softed_f1(reach=6, starts=True)": (
        naive.raw, partial(soft, reach=6, starts=True), naive.fbeta,
    ),
    "f1_kpa(k=0.4, tolerance=1)": (
        partial(covered_near, k=0.4, tolerance=1), naive.points, naive.fbeta,
    ),
    "ap_kpa(k=0.2, tolerance=0)": (
        partial(covered_near, k=0.2, tolerance=0), naive.points, naive.ap,
    ),
}  # fmt: skip
WHOLES = {"f1_kpa_area": coverage_area, "f1_kpa_area(beta=2)": partial(coverage_area, beta=2)}
SETTINGS = {
    "tolerance": st.integers(0, 99),
    "window": st.integers(1, 99),
    "reach": st.integers(1, 99),
    "match": st.sampled_from(["nearest", "one_to_one"]),
    "starts": st.booleans(),
}
TIES_BY_ROUNDING = [spec for spec in TWINS if spec.startswith(("tolerant", "softed"))]
