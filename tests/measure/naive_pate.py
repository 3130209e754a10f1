"""Slow twins of PATE: every weight from its sum of distances, one point and threshold at a time."""

from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import floor, nan

from hypothesis import strategies as st

import naive


def zones(labels, series, where, early, delay):
    """Each event with the points of its buffer before and behind."""
    n, found = len(labels), []
    all_events = naive.events(labels, series, where)
    starts = {start for start, _ in all_events}
    taken = set()
    for start, stop in all_events:
        behind = []
        for x in range(stop, min(stop + delay, n)):
            if x in starts or not naive.same(series, start, x):
                break
            behind.append(x)
        before = []
        for x in range(start - 1, max(start - early, 0) - 1, -1):
            if x in taken or not naive.same(series, start, x):
                break
            before.append(x)
        taken |= {*range(start, stop), *behind}
        found.append((range(start, stop), before, behind))
    return found


def far(x, points):
    return sum(abs(x - z) for z in points)


def credit(event, before, behind, flagged):
    """What the flagged points of an event and of its buffers are worth."""
    total = Fraction(sum(flagged[x] for x in event))
    for buffer in (behind, before if total else []):
        for x in buffer:
            if flagged[x]:
                total += 1 - Fraction(far(x, event), far(buffer[-1], event))
    return total


def lost(event, flagged):
    """What the missed points of an event weigh."""
    hits = [x for x in event if flagged[x]]
    if not hits:
        return Fraction(len(event))
    length = 0
    while hits[0] + length in event and flagged[hits[0] + length]:
        length += 1
    total = Fraction(0)
    for x in event:
        if not flagged[x]:
            total += 1
            if x > event[0] + length:
                alerted = range(event[0], event[0] + length + 1)
                total -= Fraction(far(x, alerted), far(event[-1], event))
    return total


def tally(labels, flags, series, where, early, delay):
    flagged = naive.raw(labels, flags, series, where)
    found, missing = Fraction(0), Fraction(0)
    for event, before, behind in zones(labels, series, where, early, delay):
        found += credit(event, before, behind, flagged)
        missing += lost(event, flagged)
    return found, found + missing, found, sum(flagged), nan


def sizes(early, delay, splits):
    steps = range(splits + 1)
    return [(a * early // splits, b * delay // splits) for a in steps for b in steps]


def mean(values):
    return nan if any(v != v for v in values) else sum(values) / len(values)  # noqa: PLR0124


def of_flags(labels, flags, series, where, *, rate, early=100, delay=100, splits=1):
    return mean(
        [rate(tally(labels, flags, series, where, *pair)) for pair in sizes(early, delay, splits)]
    )


def percentile(values, share):
    """Between the two nearest of some ascending values, in proportion."""
    place = (len(values) - 1) * share
    low = floor(place)
    high = min(low + 1, len(values) - 1)
    part, gap = place - low, values[high] - values[low]
    return values[high] - gap * (1 - part) if part >= 0.5 else values[low] + gap * part


def thresholds(labels, scores, where, count):
    judged = [t for t in range(len(labels)) if naive.judged(where, t)]
    values = sorted({scores[t] for t in judged})
    if count is None:
        return values[::-1]
    anomalous = {scores[t] for t in judged if labels[t]}
    ends = {values[0], values[-1]}
    kept = [
        value
        for value, lower in zip(values, [None, *values[:-1]], strict=True)
        if value in ends or value in anomalous or lower in anomalous
    ]
    shares = [100 + i * (-100 / (count - 1)) for i in range(count - 1)] + [0]
    return [percentile(kept, q / 100) for q in shares]


def area(tallies):
    curve = [(Fraction(0), Fraction(1))]
    for each in tallies:
        if naive.recall(each) >= curve[-1][0]:
            curve.append((naive.recall(each), naive.precision(each)))
    return sum((r - before) * (p + q) / 2 for (before, q), (r, p) in pairwise(curve))


def pate(labels, scores, series, where, *, early=100, delay=100, splits=1, count=250):
    if not naive.events(labels, series, where):
        return nan
    levels = thresholds(labels, scores, where, count)
    flags = {tuple(s >= level for s in scores): None for level in levels}
    return mean(
        [
            area([tally(labels, flagged, series, where, *pair) for flagged in flags])
            for pair in sizes(early, delay, splits)
        ]
    )


WHOLES = {
    "pate": pate,
    "pate(early=3, delay=2)": partial(pate, early=3, delay=2),
    "pate(early=2, delay=5, splits=2, thresholds=None)": partial(
        pate, early=2, delay=5, splits=2, count=None
    ),
    "pate(early=0, delay=4, thresholds=3)": partial(pate, early=0, delay=4, count=3),
    "pate_f1": partial(of_flags, rate=naive.fbeta),
    "pate_f1(early=3, delay=5, splits=2)": partial(
        of_flags, rate=naive.fbeta, early=3, delay=5, splits=2
    ),
    "pate_f1(early=4, delay=0, beta=2)": partial(
        of_flags, rate=partial(naive.fbeta, beta=2), early=4, delay=0
    ),
    "pate_precision": partial(of_flags, rate=naive.precision),
    "pate_precision(early=2, delay=3)": partial(of_flags, rate=naive.precision, early=2, delay=3),
    "pate_recall": partial(of_flags, rate=naive.recall),
    "pate_recall(early=2, delay=3)": partial(of_flags, rate=naive.recall, early=2, delay=3),
}
SETTINGS = {
    "early": st.integers(0, 999),
    "delay": st.integers(0, 999),
    "splits": st.integers(1, 9),
    "thresholds": st.integers(2, 999) | st.none(),
}
