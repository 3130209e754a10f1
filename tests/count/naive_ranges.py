"""Slow twins of the range metrics: one interval and one point at a time, with fractions."""

from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import exp, inf, nan, sqrt

from hypothesis import strategies as st

import naive

# --- ranges ------------------------------------------------------------------------------------


def delta(bias, i, length):
    """The weight of position i = 1 ... length."""
    if bias == "flat":
        return 1
    if bias == "front":
        return length - i + 1
    if bias == "back":
        return i
    return i if i <= Fraction(length, 2) else length - i + 1


def gamma(cardinality, count, length):
    if count <= 1 or cardinality == "one":
        return 1
    if cardinality == "reciprocal":
        return Fraction(1, count)
    return Fraction(length - 1, length) ** (count - 1)


def share(interval, others, alpha, cardinality, bias):
    """What one interval earns from the intervals of the other side."""
    start, stop = interval
    length = stop - start
    touching = [(a, b) for a, b in others if a < stop and start < b]
    if not touching:
        return Fraction(0)
    covered = 0
    for t in range(start, stop):
        if any(a <= t < b for a, b in touching):
            covered += delta(bias, t - start + 1, length)
    everything = sum(delta(bias, i, length) for i in range(1, length + 1))
    overlap = gamma(cardinality, len(touching), length) * Fraction(covered, everything)
    return Fraction(alpha) + (1 - Fraction(alpha)) * overlap


def ranges(labels, adjusted, series=None, where=None, *, of_events=(), of_runs=(), by_length=False):
    """Alpha, cardinality and bias of each side, where not 0, "one" and "flat"."""
    plain = (0, "one", "flat")
    truth, alarms = naive.events(labels, series, where), naive.events(adjusted, series)
    for_events, for_runs = (given + plain[len(given) :] for given in (of_events, of_runs))
    found = sum((share(g, alarms, *for_events) for g in truth), Fraction(0))
    weights = [stop - start if by_length else 1 for start, stop in alarms]
    right = sum(
        (w * share(h, truth, *for_runs) for w, h in zip(weights, alarms, strict=True)), Fraction(0)
    )
    return found, len(truth), right, sum(weights), nan


def alike(*settings):
    return partial(ranges, of_events=settings, of_runs=settings)


corrected = partial(ranges, of_events=(0, "corrected"), of_runs=(0, "corrected"), by_length=True)


def range_area(labels, scores, series=None, where=None, *, of_events=(), of_runs=(), most=None):
    """The curve of TimeEval: recall 1 at the prevalence, sorted by recall, down to 0 and 1."""
    truth = naive.truth(labels, where)
    judged = [t for t in range(len(labels)) if naive.judged(where, t)]
    if not any(truth):
        return nan
    levels = sorted({scores[t] for t in judged} - {-inf})[1:]  # the lowest flags everything
    if most is not None and len(levels) > most:
        sampled = levels[:: len(levels) // max(most - 1, 1)]
        levels = sampled if sampled[-1] == levels[-1] else [*sampled, levels[-1]]
    points = []
    for level in levels:
        flags = [score >= level for score in scores]
        adjusted = naive.raw(labels, flags, series, where)
        tally = ranges(labels, adjusted, series, where, of_events=of_events, of_runs=of_runs)
        points.append((-naive.recall(tally), naive.precision(tally)))
    curve = [(-1, Fraction(sum(truth), len(judged))), *sorted(points), (0, Fraction(1))]
    return sum((more - less) * (p + q) / 2 for (less, p), (more, q) in pairwise(curve))


# --- TaPR --------------------------------------------------------------------------------------


def tail(index, truth, series, length, reach):
    """The points after an event and their worth: mirrored, so that all of them are worth half."""
    stop = truth[index][1]
    later = [start for start, _ in truth[index + 1 :] if naive.same(series, start, stop - 1)]
    count = min([reach + 1, *(start - stop for start in later)])
    worth = {}
    for k in range(count if count > 1 else 0):
        z = 6 * Fraction(abs(count - 1 - 2 * k), count - 1)
        small = Fraction(1 / (1 + exp(z)))
        if stop + k < length and naive.same(series, stop - 1, stop + k):
            worth[stop + k] = small if 2 * k > count - 1 else 1 - small
    return worth


def portions(labels, adjusted, series=None, where=None, *, alpha=0.5, theta=0.5, reach=0):
    truth, alarms = naive.events(labels, series, where), naive.events(adjusted, series)
    worths = []
    for index, (start, stop) in enumerate(truth):
        inside = dict.fromkeys(range(start, stop), Fraction(1))
        worths.append(inside | tail(index, truth, series, len(labels), reach))

    def earned(portion):
        portion = min(portion, Fraction(1))
        return Fraction(alpha) * (float(portion) >= theta) + (1 - Fraction(alpha)) * portion

    found = Fraction(0)
    for (start, stop), worth in zip(truth, worths, strict=True):
        flagged = sum((w for t, w in worth.items() if adjusted[t]), Fraction(0))
        found += earned(flagged / (stop - start))
    right = Fraction(0)
    for start, stop in alarms:
        inside = (worth.get(t, 0) for worth in worths for t in range(start, stop))
        right += earned(sum(inside, Fraction(0)) / (stop - start))
    return found, len(truth), right, len(alarms), nan


# --- eTaPR -------------------------------------------------------------------------------------


def pruned(labels, adjusted, series=None, where=None, *, theta_p=0.5, theta_r=0.1):
    """The matrix of overlaps, with rows and columns that are too small set to zero."""
    truth, alarms = naive.events(labels, series, where), naive.events(adjusted, series)
    matrix = [[max(0, min(b, d) - max(a, c)) for c, d in alarms] for a, b in truth]
    changed = True
    while changed:
        changed = False
        for i, (a, b) in enumerate(truth):
            if 0 < sum(matrix[i]) / (b - a) < theta_r:
                matrix[i], changed = [0] * len(alarms), True
        for j, (c, d) in enumerate(alarms):
            if 0 < sum(row[j] for row in matrix) / (d - c) < theta_p:
                for row in matrix:
                    row[j] = 0
                changed = True

    def earned(overlap, length, theta):
        return (1 + Fraction(overlap, length)) / 2 if overlap / length >= theta else Fraction(0)

    found = sum(
        (earned(sum(row), b - a, theta_r) for row, (a, b) in zip(matrix, truth, strict=True)),
        Fraction(0),
    )
    weights = [Fraction(sqrt(d - c)) for c, d in alarms]
    right = sum(
        (
            weight * earned(sum(row[j] for row in matrix), d - c, theta_p)
            for j, (weight, (c, d)) in enumerate(zip(weights, alarms, strict=True))
        ),
        Fraction(0),
    )
    return found, len(truth), right, sum(weights), nan


# --- which twin belongs to which spec ------------------------------------------------------------


RATES = {"f1": naive.fbeta, "precision": naive.precision, "recall": naive.recall}
COUNTS = {"range": ranges, "ts": corrected, "tapr": portions, "etapr": pruned}

TWINS = {
    **{
        f"{family}_{name}": (naive.raw, count, rate)
        for family, count in COUNTS.items()
        for name, rate in RATES.items()
    },
    "ts_auc_pr": (naive.raw, corrected, naive.auc_pr),
    'range_f1(p_alpha=0.5, r_alpha=0.25, cardinality="reciprocal", p_bias="back", beta=2)': (
        naive.raw,
        partial(
            ranges, of_events=(0.25, "reciprocal", "flat"), of_runs=(0.5, "reciprocal", "back")
        ),
        partial(naive.fbeta, beta=2),
    ),
    'range_f1(r_alpha=0.5, cardinality="corrected", r_bias="middle")': (
        naive.raw,
        partial(ranges, of_events=(0.5, "corrected", "middle"), of_runs=(0, "corrected", "flat")),
        naive.fbeta,
    ),
    'range_precision(alpha=0.2, cardinality="reciprocal", bias="front")': (
        naive.raw, alike(0.2, "reciprocal", "front"), naive.precision,
    ),
    'range_precision(cardinality="corrected", bias="middle")': (
        naive.raw, alike(0, "corrected", "middle"), naive.precision,
    ),
    'range_recall(cardinality="reciprocal", bias="middle")': (
        naive.raw, alike(0, "reciprocal", "middle"), naive.recall,
    ),
    'range_recall(alpha=0.5, bias="front")': (
        naive.raw, alike(0.5, "one", "front"), naive.recall,
    ),
    'range_recall(cardinality="corrected", bias="back")': (
        naive.raw, alike(0, "corrected", "back"), naive.recall,
    ),
    "range_recall(alpha=1)": (naive.raw, alike(1), naive.recall),
    "tapr_f1(alpha=0.8, theta=0.3, delta=3)": (
        naive.raw, partial(portions, alpha=0.8, theta=0.3, reach=3), naive.fbeta,
    ),
    "tapr_precision(delta=5)": (naive.raw, partial(portions, reach=5), naive.precision),
    "tapr_recall(alpha=0, delta=1)": (
        naive.raw, partial(portions, alpha=0, reach=1), naive.recall,
    ),
    "etapr_f1(theta_p=0.3, theta_r=0.5)": (
        naive.raw, partial(pruned, theta_p=0.3, theta_r=0.5), naive.fbeta,
    ),
    "etapr_precision(theta_p=1, theta_r=1)": (
        naive.raw, partial(pruned, theta_p=1, theta_r=1), naive.precision,
    ),
}  # fmt: skip

WHOLES = {
    "auc_pr_range": range_area,
    'auc_pr_range(r_alpha=0.5, cardinality="reciprocal", p_bias="front", thresholds=3)': partial(
        range_area,
        of_events=(0.5, "reciprocal", "flat"),
        of_runs=(0, "reciprocal", "front"),
        most=3,
    ),
}

SETTINGS = {
    **dict.fromkeys(
        ("alpha", "p_alpha", "r_alpha", "theta", "theta_p", "theta_r"),
        st.floats(0, 1, exclude_min=True),
    ),
    **dict.fromkeys(
        ("bias", "p_bias", "r_bias"), st.sampled_from(["flat", "front", "middle", "back"])
    ),
    "cardinality": st.sampled_from(["one", "reciprocal", "corrected"]),
    "delta": st.integers(1, 99),
    "thresholds": st.integers(2, 999) | st.none(),
}

TIES_BY_ROUNDING = set(TWINS)
