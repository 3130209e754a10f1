"""Slow twins of the quality of detection around events (DQE): whole zones, cut with fractions."""

from fractions import Fraction
from functools import partial
from math import ceil, isfinite, log, nan, sqrt

from hypothesis import strategies as st

import naive


def cut(runs, low, high):
    """The parts of the runs between two lines."""
    parts = [(max(a, low), min(b, high)) for a, b in runs]
    return [(a, b) for a, b in parts if a < b]


def near_credit(near, gap, pieces, *, old, event):
    total = sum(b - a for a, b in pieces)
    credit = (1 - gap / near) * (1 - total / (2 * near))
    if old:
        middles = [abs_gap((a + b) / Fraction(2), event) for a, b in pieces]
        credit *= 1 - sum(middles) / len(middles) / near
    return credit


def abs_gap(t, event):
    return max(event[0] - t, t - event[1])


def quiet_credit(before, after, pieces, event_lines):
    """`pieces` hold their side; the zones run from -before to after."""
    early, late = event_lines
    length = before + after
    total = sum(b - a for a, b, _ in pieces)
    share = max(0, 1 - total / (length / 2)) if length else 1
    if not pieces or length <= 1:
        return share
    parts = ceil(length)
    used = set()
    for a, b, side in pieces:
        place = (a + b) / Fraction(2) - (early if side == "left" else late)
        used.add(min(max(int((place + before) * parts // length), 0), parts - 1))
    return share * (1 - log(len(used)) / log(parts))


def one_series(events, runs, begin, end, near, *, old):
    """The quality of each event of one series, which runs from begin to end."""
    count, values = len(events), []
    early = [max(a - near, events[i - 1][1] if i else begin) for i, (a, _) in enumerate(events)]
    late = [
        min(b + near, events[i + 1][0] if i + 1 < count else end) for i, (_, b) in enumerate(events)
    ]
    middle = [begin, *(Fraction(late[i] + early[i + 1], 2) for i in range(count - 1)), end]
    far = [[] for _ in events]
    for i in range(count):
        left = begin if i == 0 else middle[i]
        right = end if i == count - 1 else middle[i + 1]
        if not old:
            far[i] += [(a, b, "left") for a, b in cut(runs, left, early[i])]
            far[i] += [(a, b, "right") for a, b in cut(runs, late[i], right)]
    if old:
        far[0] += [(a, b, "left") for a, b in cut(runs, begin, early[0])]
        far[-1] += [(a, b, "right") for a, b in cut(runs, late[-1], end)]
        for i in range(count - 1):
            for a, b in cut(runs, late[i], early[i + 1]):
                ours = max(0, min(b, middle[i + 1]) - a)
                theirs = max(0, b - max(a, middle[i + 1]))
                mine = ours >= theirs
                far[i if mine else i + 1].append((a, b, "right" if mine else "left"))
    for i, (a, b) in enumerate(events):
        begins = early[i] if old or i == 0 else max(early[i], late[i - 1])
        pieces = cut(runs, begins, a) + cut(runs, b, late[i])
        hit = bool(cut(runs, a, b))
        if pieces:
            gap = min(a - q if q <= a else p - b for p, q in pieces)
            near_part = near_credit(near, gap, pieces, old=old, event=(a, b))
        else:
            near_part = int(hit and not far[i])
        before = max(0, early[i] - middle[i])
        after = max(0, middle[i + 1] - late[i])
        quiet = quiet_credit(before, after, far[i], (early[i], late[i]))
        values.append(sqrt((hit + near_part) / 2 * quiet))
    return values


def qualities(labels, flags, series=None, where=None, *, near=125, old=False):
    values, t = [], 0
    near = Fraction(near)
    while t < len(labels):
        stop = t
        while stop < len(labels) and naive.same(series, t, stop):
            stop += 1
        events = [e for e in naive.events(labels, series, where) if t <= e[0] < stop]
        runs = [r for r in naive.events(flags, series) if t <= r[0] < stop]
        if events:
            values += one_series(events, runs, t, stop, near, old=old)
        t = stop
    return values


def sdqe(labels, flags, series=None, where=None, **settings):
    values = qualities(labels, flags, series, where, **settings)
    return sum(values), len(values), 0, 0, nan


def dqe(labels, scores, series=None, where=None, *, count=100, **settings):
    judged = [s for t, s in enumerate(scores) if naive.judged(where, t)]
    if not naive.events(labels, series, where) or not all(map(isfinite, judged)):
        return nan
    low, high = min(judged), max(judged)
    scaled = [Fraction(s - low, (high - low) or 1) for s in scores]
    levels = [Fraction(k, count or 1) for k in range(1, (count or 1) + 1)]
    if count is None:
        levels = sorted({s for t, s in enumerate(scaled) if naive.judged(where, t)} | {0})[1:]
    total, before = 0.0, 0
    for level in levels:
        flags = [s >= level and naive.judged(where, t) for t, s in enumerate(scaled)]
        values = qualities(labels, flags, series, where, **settings)
        total += float(level - before) * sum(values) / len(values)
        before = level
    return total


OLD = 'version="2026-03"'
TWINS = {
    "sdqe": (naive.raw, sdqe, naive.recall),
    "sdqe(near=1)": (naive.raw, partial(sdqe, near=1), naive.recall),
    "sdqe(near=2)": (naive.raw, partial(sdqe, near=2), naive.recall),
    f"sdqe(near=1, {OLD})": (naive.raw, partial(sdqe, near=1, old=True), naive.recall),
    f"sdqe(near=3, {OLD})": (naive.raw, partial(sdqe, near=3, old=True), naive.recall),
}
WHOLES = {
    "dqe": dqe,
    "dqe(near=2, thresholds=None)": partial(dqe, near=2, count=None),
    f"dqe(near=1, {OLD}, thresholds=8)": partial(dqe, near=1, old=True, count=8),
}
SETTINGS = {
    "near": st.integers(1, 99),
    "version": st.sampled_from(["2026-05", "2026-03"]),
    "thresholds": st.none() | st.integers(1, 999),
}
TIES_BY_ROUNDING = set(TWINS)
