"""Slow twins of the affiliation family: zones walked in eighths of a point, with whole numbers.

All kinks of the integrands lie on quarters of a point, so the value in the middle of a quarter
times its length is the integral over it, exactly.
"""

from fractions import Fraction
from functools import partial
from math import nan

from hypothesis import strategies as st

import naive

UNIT = 8  # parts of a point
CELL = 2  # a quarter of a point


def extent(series, t, n):
    """First point of the series of t, and the first after it."""
    first, stop = t, t + 1
    while first > 0 and naive.same(series, first - 1, t):
        first -= 1
    while stop < n and naive.same(series, stop, t):
        stop += 1
    return first, stop


def zones(labels, series, where):
    """Zone and event, in eighths of a point."""
    n, found = len(labels), []
    everything = naive.events(labels, series, where)
    for k, (a, b) in enumerate(everything):
        first, stop = (UNIT * edge for edge in extent(series, a, n))
        if k > 0 and naive.same(series, everything[k - 1][0], a):
            first = UNIT * (everything[k - 1][1] + a) // 2
        if k + 1 < len(everything) and naive.same(series, everything[k + 1][0], a):
            stop = UNIT * (b + everything[k + 1][0]) // 2
        found.append((first, stop, UNIT * a, UNIT * b))
    return found


def within(flags, first, stop):
    """The flagged quarters of a zone, by their middles."""
    middles = range(first + CELL // 2, stop, CELL)
    return [x for x in middles if flags[x // UNIT]]


def stands_out(x, zone):
    """The chance that a place in the zone lies further from the event, as a numerator over |E|."""
    first, stop, a, b = zone
    if a <= x < b:
        return stop - first
    d = a - x if x < a else x - b
    return max(a - first - d, 0) + max(stop - b - d, 0)


def mean_over(places, zone):
    return Fraction(sum(stands_out(x, zone) for x in places), len(places) * (zone[1] - zone[0]))


def recall_of(places, zone):
    first, stop, a, b = zone
    intervals = [(x - CELL // 2, x + CELL // 2) for x in places]
    middles = range(a + CELL // 2, b, CELL)
    total = 0
    for z in middles:
        d = min(max(x0 - z, z - x1, 0) for x0, x1 in intervals)
        total += stop - first - min(d, z - first) - min(d, stop - z)
    return Fraction(total, len(middles) * (stop - first))


def affiliation(labels, adjusted, series=None, where=None, *, chance=None):
    n = len(labels)
    found, right, flagged = Fraction(0), Fraction(0), Fraction(0)
    judged = [naive.judged(where, t) for t in range(n)]
    all_zones = zones(labels, series, where)
    for zone in all_zones:
        places = within(adjusted, zone[0], zone[1])
        if not places:
            continue
        found += recall_of(places, zone)
        level = {None: 0, "half": Fraction(1, 2)}.get(chance)
        if level is None:
            level = mean_over(within(judged, zone[0], zone[1]), zone)
        right += mean_over(places, zone) - level
        flagged += 1 - level
    with_events = {extent(series, a, n) for a, _ in naive.events(labels, series, where)}
    lost = {extent(series, t, n) for t in range(n) if adjusted[t]} - with_events
    level = Fraction(1, 2) if chance == "half" else 0
    right, flagged = right - level * len(lost), flagged + (1 - level) * len(lost)
    return found, len(all_zones), right, flagged, nan


def signed(tally, beta=1):
    found, everything, right, flagged, normal = tally
    if right >= 0 or not found:
        return nan if found and not flagged else naive.fbeta(tally, beta)
    return -naive.fbeta((found, everything, -right, flagged, normal), beta)


zoned = partial(affiliation, chance="zones")
halved = partial(affiliation, chance="half")

TWINS = {
    "affiliation_f1": (naive.raw, affiliation, naive.fbeta),
    "affiliation_precision": (naive.raw, affiliation, naive.precision),
    "affiliation_recall": (naive.raw, affiliation, naive.recall),
    "affiliation_f1_corrected": (naive.raw, zoned, signed),
    "affiliation_precision_corrected": (naive.raw, zoned, naive.precision),
    "affiliation_f1(beta=2)": (naive.raw, affiliation, partial(naive.fbeta, beta=2)),
    'affiliation_f1_corrected(chance="half", beta=0.5)': (
        naive.raw, halved, partial(signed, beta=0.5),
    ),
    'affiliation_precision_corrected(chance="half")': (naive.raw, halved, naive.precision),
}  # fmt: skip
SETTINGS = {"chance": st.sampled_from(["zones", "half"])}
TIES_BY_ROUNDING = set(TWINS)
