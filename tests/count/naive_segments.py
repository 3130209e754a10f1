"""Slow twins of the rows that ask whether an event was hit."""

from fractions import Fraction
from functools import partial
from math import isqrt, nan

from hypothesis import strategies as st

import naive


def hits(labels, adjusted, series, where):
    return [any(adjusted[a:b]) for a, b in naive.events(labels, series, where)]


def false_runs(labels, adjusted, series, where):
    anomalous = naive.truth(labels, where)
    return sum(not any(anomalous[a:b]) for a, b in naive.events(adjusted, series))


def false_points(labels, adjusted, series, where):
    tally = naive.points(labels, adjusted, series, where)
    return tally[3] - tally[2], tally[4]


def segments(labels, adjusted, series=None, where=None):
    hit = hits(labels, adjusted, series, where)
    false = false_runs(labels, adjusted, series, where)
    return sum(hit), len(hit), sum(hit), sum(hit) + false, nan


def composite(labels, adjusted, series=None, where=None):
    hit = hits(labels, adjusted, series, where)
    _, _, right, flagged, normal = naive.points(labels, adjusted, series, where)
    return sum(hit), len(hit), right, flagged, normal


def revised(labels, adjusted, series=None, where=None):
    hit = hits(labels, adjusted, series, where)
    false, normal = false_points(labels, adjusted, series, where)
    return sum(hit), len(hit), sum(hit), sum(hit) + false, normal


def eventwise(labels, adjusted, series=None, where=None):
    found, truth, _, flagged, _ = segments(labels, adjusted, series, where)
    false, normal = false_points(labels, adjusted, series, where)
    worth = 1 - Fraction(false, normal) if normal else 1
    return found, truth, found * worth, flagged, nan


def whole_log(value, base=3):
    power = 0
    while base ** (power + 1) <= value:
        power += 1
    return power


WEIGHTS = {
    "one": lambda _: 1,
    "log": lambda length: whole_log(length + 3),
    "sqrt": isqrt,
    "length": lambda length: length,
}


def items(labels, adjusted, series=None, where=None, *, weight="one"):
    """An event is one item: flagged as a whole, or not at all."""
    every = naive.events(labels, series, where)
    weights = [WEIGHTS[weight](b - a) for a, b in every]
    hit = [any(adjusted[a:b]) for a, b in every]
    found = sum(w for w, h in zip(weights, hit, strict=True) if h)
    false, normal = false_points(labels, adjusted, series, where)
    return found, sum(weights), found, found + false, normal


def delayed(labels, flags, series=None, where=None, *, k=7):
    adjusted = naive.raw(labels, flags, series, where)
    for start, stop in naive.events(labels, series, where):
        in_time = any(adjusted[start : min(start + (k or stop), stop)])
        adjusted[start:stop] = [in_time] * (stop - start)
    return adjusted


RATES = {"f1": naive.fbeta, "precision": naive.precision, "recall": naive.recall}
COUNTS = {"segment": segments, "composite": composite, "revised": revised, "eventwise": eventwise}
AREAS = {"auc_roc": naive.auc_roc, "auc_pr": naive.auc_pr, "ap": naive.ap}

TWINS = {
    **{
        f"{stem}_{name}": (naive.raw, count, rate)
        for stem, count in COUNTS.items()
        for name, rate in RATES.items()
    },
    **{
        f"event_weighted_{name}": (partial(delayed, k=None), items, measure)
        for name, measure in (RATES | AREAS).items()
    },
    **{
        f'event_weighted_f1(weight="{weight}")': (
            partial(delayed, k=None), partial(items, weight=weight), naive.fbeta,
        )
        for weight in ("log", "sqrt", "length")
    },
    'event_weighted_ap(k=2, weight="sqrt")': (
        partial(delayed, k=2), partial(items, weight="sqrt"), naive.ap,
    ),
    'event_weighted_auc_roc(k=1, weight="log")': (
        partial(delayed, k=1), partial(items, weight="log"), naive.auc_roc,
    ),
    "segment_f1(beta=2)": (naive.raw, segments, partial(naive.fbeta, beta=2)),
}  # fmt: skip
SETTINGS = {"weight": st.sampled_from(sorted(WEIGHTS))}
TIES_BY_ROUNDING = [spec for spec in TWINS if spec.startswith(("eventwise", "segment_f1", "comp"))]
