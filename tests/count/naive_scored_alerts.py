"""Average precision of scored alerts, one alert at a time, from the words of the definitions."""

from fractions import Fraction
from functools import partial
from math import nan

from hypothesis import strategies as st

import naive

KAGGLE = (12, 36, 60, 90, 120, 150, 180, 240, 300, 360)
IOUS = tuple(Fraction(k, 20) for k in range(10, 20))


def alerts_of_points(scores, series=None, where=None):
    """Stretches of one score above the lowest, as (start, end, series, score)."""
    judged = [t for t in range(len(scores)) if naive.judged(where, t)]
    lowest = min(scores[t] for t in judged)
    found = []
    for level in sorted({scores[t] for t in judged} - {lowest}):
        flags = [s == level and naive.judged(where, t) for t, s in enumerate(scores)]
        for a, b in naive.events(flags, series):
            found.append((a, b, None if series is None else series[a], level))
    return found


def closeness(event, alert):
    """Minus the distance of the starts: what is nearer is more."""
    return -abs(event[0] - alert[0])


def likeness(event, alert):
    """Intersection over union, in whole instants."""
    one, other = set(range(*event[:2])), set(range(*alert[:2]))
    return Fraction(len(one & other), len(one | other))


def ranked_hits(events, alerts, how_good, enough):
    """Whether each alert, the surest first, takes an event; as (score, hit)."""
    free, hits = sorted(events, key=lambda e: e[:2]), []
    for alert in sorted(alerts, key=lambda a: (-a[3], a[0], a[1])):
        fit = [e for e in free if e[2] == alert[2] and enough(how_good(e, alert))]
        if fit:
            free.remove(max(fit, key=lambda e: how_good(e, alert)))  # the first of equals
        hits.append((alert[3], bool(fit)))
    return hits


def average_precision(hits, truth, *, highest=False):
    """The precision at each score at which events are taken, per event."""
    levels = sorted({score for score, _ in hits}, reverse=True)
    precision, gained = [], []
    for level in levels:
        upto = [hit for score, hit in hits if score >= level]
        precision.append(Fraction(sum(upto), len(upto)))
        gained.append(sum(hit for score, hit in hits if score == level))
    if highest:
        precision = [max(precision[k:]) for k in range(len(precision))]
    return sum(p * g for p, g in zip(precision, gained, strict=True)) / Fraction(truth)


def of_alerts(events, alerts, tolerances):
    """`alert_ap` of things: events (start, end, place), alerts (start, end, place, score)."""
    values = []
    for tolerance in tolerances:
        hits = ranked_hits(events, alerts, closeness, lambda near: near > -tolerance)  # noqa: B023
        values.append(average_precision(hits, len(events)))
    return float(sum(values) / len(values))


def of_intervals(events, alerts, ious):
    """`interval_ap` of things."""
    values = []
    for iou in ious:
        hits = ranked_hits(events, alerts, likeness, lambda alike: alike >= iou)  # noqa: B023
        values.append(average_precision(hits, len(events), highest=True))
    return float(sum(values) / len(values))


def on_points(labels, scores, series=None, where=None, *, measure, levels):
    """The same of points."""
    found = [(a, b, None if series is None else series[a])
             for a, b in naive.events(labels, series, where)]  # fmt: skip
    return measure(found, alerts_of_points(scores, series, where), levels) if found else nan


by_start = partial(on_points, measure=of_alerts)
by_cover = partial(on_points, measure=of_intervals)
WHOLES = {
    "alert_ap": partial(by_start, levels=KAGGLE),
    "alert_ap(tolerance=3)": partial(by_start, levels=[Fraction(k, 120) for k in KAGGLE]),
    "alert_ap(tolerance=4, parts=(1, 2, 4))": partial(by_start, levels=(1, 2, 4)),
    "interval_ap": partial(by_cover, levels=IOUS),
    "interval_ap(iou=(0.25, 1))": partial(by_cover, levels=(Fraction(1, 4), 1)),
}
SETTINGS = {
    "parts": st.lists(st.integers(1, 9), min_size=1, max_size=3).map(tuple),
    "iou": st.lists(st.sampled_from([0.25, 0.5, 1]), min_size=1, max_size=3).map(tuple),
}
