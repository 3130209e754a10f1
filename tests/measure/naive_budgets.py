"""Slow twins of recall within a budget of false alarms, and of the ROC area at low rates."""

from functools import partial
from itertools import pairwise
from math import nan

from hypothesis import strategies as st

import naive
from count import naive_timing

LUNA = (1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8)


def recall_at(levels, tallies, *, rate=1, per=1000):
    """Walk down, but not to where everything is flagged."""
    highest = 0.0
    for found, truth, right, flagged, normal in tallies[:-1]:
        if not truth or not normal:
            return nan
        if per * (flagged - right) / normal > rate:
            break
        highest = max(highest, found / truth)
    return highest


def froc(levels, tallies, *, rates=LUNA, per=1000):
    values = [recall_at(levels, tallies, rate=rate, per=per) for rate in rates]
    return sum(values) / len(values)


def partial_roc(levels, tallies, *, most=0.1):
    _, truth, _, _, normal = tallies[0]
    if not truth or not normal:
        return nan
    curve = [(0.0, 0.0), *(((f - r) / normal, r / truth) for _, _, r, f, _ in tallies), (1.0, 1.0)]
    area = 0.0
    for (x, y), (more, height) in pairwise(curve):
        if x >= most or x == more:
            continue
        stop = min(more, most)
        there = y + (height - y) * (stop - x) / (more - x)
        area += (stop - x) * (y + there) / 2
    return (1 + (area - most**2 / 2) / (most - most**2 / 2)) / 2


TWINS = {
    "recall_at": (naive.raw, naive_timing.false_runs, recall_at),
    "recall_at(rate=0)": (naive.raw, naive_timing.false_runs, partial(recall_at, rate=0)),
    "recall_at(rate=2, per=10)": (
        naive.raw, naive_timing.false_runs, partial(recall_at, rate=2, per=10),
    ),
    "froc": (naive.raw, naive_timing.false_runs, froc),
    "froc(rates=(0, 1, 3), per=8)": (
        naive.raw, naive_timing.false_runs, partial(froc, rates=(0, 1, 3), per=8),
    ),
    "partial_auc_roc": (naive.raw, naive.points, partial_roc),
    "partial_auc_roc(max_fpr=0.5)": (naive.raw, naive.points, partial(partial_roc, most=0.5)),
    "partial_auc_roc(max_fpr=1)": (naive.raw, naive.points, naive.auc_roc),
}  # fmt: skip
SETTINGS = {
    "rate": st.floats(0, 1e6),
    "rates": st.lists(st.floats(0, 1e6), min_size=1, max_size=9).map(tuple),
    "max_fpr": st.floats(0, 1, exclude_min=True),
}
