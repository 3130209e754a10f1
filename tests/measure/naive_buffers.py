"""Slow twins of the metrics with buffers: one window, one threshold and one point at a time."""

from functools import partial
from itertools import pairwise
from math import nan, sqrt

from hypothesis import strategies as st

import naive


def soft_labels(labels, window, series, where, *, late=False):
    """Each point's label: 1 inside an event, the sum of the slopes outside, to at most 1."""
    half = window // 2
    soft = [1.0 if inside else 0.0 for inside in naive.truth(labels, where)]
    for start, stop in naive.events(labels, series, where):
        for t in range(len(labels)):
            if not (naive.judged(where, t) and naive.same(series, t, start)):
                continue
            if t < start and start - t <= half:
                soft[t] += sqrt(1 - (start - t) / window)
            if t >= stop and t - stop + 1 <= half - late:
                soft[t] += sqrt(1 - (t - stop + 1) / window)
    return [min(label, 1.0) for label in soft]


def zones(labels, window, series, where, *, late=False, touching=False):
    """Events with their buffers, as sets of points; those that overlap, or touch, are one."""
    half, merged = window // 2, []
    for start, stop in naive.events(labels, series, where):
        reach = range(start - half, stop + max(half - late, 0))
        zone = {t for t in reach if 0 <= t < len(labels) and naive.same(series, t, start)}
        beside = {t + 1 for t in merged[-1]} if merged and touching else set()
        near = bool(merged) and naive.same(series, min(merged[-1]), start)
        if near and (zone & merged[-1] or zone & beside):
            merged[-1] |= zone
        else:
            merged.append(zone)
    return merged


def levels(scores, where, thresholds):
    """Scores at evenly spaced ranks from the highest down; one that comes again adds nothing."""
    judged = sorted((s for t, s in enumerate(scores) if naive.judged(where, t)), reverse=True)
    if thresholds is None:
        return list(dict.fromkeys(judged))
    last = len(judged) - 1
    ranks = [int(i * (last / (thresholds - 1))) for i in range(thresholds - 1)]
    return list(dict.fromkeys([judged[rank] for rank in [*ranks, last]]))


def curve(labels, scores, series, where, window, thresholds, *, whole, late):
    """(false positive rate, recall, precision) from the highest threshold down."""
    soft = soft_labels(labels, window, series, where, late=late)
    parts = zones(labels, window, series, where, late=late, touching=whole)
    truth = naive.truth(labels, where)
    judged = [t for t in range(len(labels)) if naive.judged(where, t)]
    rows = [(0.0, 0.0, 1.0)]
    for level in levels(scores, where, thresholds):
        flagged = [t for t in judged if scores[t] >= level]
        right = sum(soft[t] for t in flagged)
        counted = judged if whole else flagged
        mass = sum(truth) + sum(soft[t] for t in counted if not truth[t]) / 2
        touched = sum(any(t in zone for t in flagged) for zone in parts) / len(parts)
        normal = len(judged) - mass
        false = (len(flagged) - right) / normal if normal else nan
        rows.append((false, min(right / mass, 1.0) * touched, right / len(flagged)))
    return rows


def roc_area(rows, whole):
    closed = [*rows, (1.0, 1.0, 0.0)]
    return sum((b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in pairwise(closed))


def pr_area(rows, whole):
    heights = [(a[2] + b[2]) / 2 if whole else b[2] for a, b in pairwise(rows)]
    rises = [b[1] - a[1] for a, b in pairwise(rows)]
    return sum(rise * height for rise, height in zip(rises, heights, strict=True))


def mean_area(
    labels, scores, series, where, *, area, windows, thresholds=250, whole=False, late=False
):
    if not naive.events(labels, series, where):
        return nan
    values = [
        area(
            curve(labels, scores, series, where, window, thresholds, whole=whole, late=late), whole
        )
        for window in windows
    ]
    return sum(values) / len(values)


def rates(labels, flags, series, where, window, *, given=None):
    """(precision, recall) at one window; ``given`` soft labels replace the right ones."""
    soft = soft_labels(labels, window, series, where) if given is None else given
    truth = naive.truth(labels, where)
    flagged = [t for t in range(len(labels)) if flags[t] and naive.judged(where, t)]
    right = sum(soft[t] for t in flagged)
    mass = sum(truth) + sum(soft[t] for t in flagged if not truth[t]) / 2
    return (
        right / len(flagged) if flagged else nan,
        min(right / mass, 1.0) if any(truth) else nan,
    )


def mean_recall(labels, flags, series, where, *, window):
    values = [rates(labels, flags, series, where, w)[1] for w in range(window + 1)]
    return sum(values) / len(values)


def mean_f(labels, flags, series, where, *, window, beta=1):
    truth = any(naive.truth(labels, where))
    alarms = any(flags[t] and naive.judged(where, t) for t in range(len(labels)))
    if not truth or not alarms:
        return 0.0 if truth or alarms else nan
    values = [f_score(*rates(labels, flags, series, where, w), beta) for w in range(window + 1)]
    return sum(values) / len(values)


def f_score(p, r, beta):
    below = beta**2 * p + r
    return (1 + beta**2) * p * r / below if below else 0.0


def soft_points(labels, flags, series, where, *, window):
    """Masses of the mean soft label on the alarm side, and of points on the other."""
    soft = [soft_labels(labels, w, series, where) for w in range(window + 1)]
    truth = naive.truth(labels, where)
    judged = [t for t in range(len(labels)) if naive.judged(where, t)]
    flagged = [t for t in judged if flags[t]]
    right = sum(sum(label[t] for label in soft) / len(soft) for t in flagged)
    hits = sum(truth[t] for t in flagged)
    return hits, sum(truth), right, len(flagged), len(judged) - sum(truth)


def piled_up(labels, flags, window):
    """(precision, recall, F) of a program whose windows each start from the last one's labels.

    Soft labels of flagged points stay, and the slopes of the next window are added to them.
    """
    soft, sums = [float(label) for label in labels], [0.0, 0.0, 0.0]
    for w in range(window + 1):
        for t, slope in enumerate(slopes(labels, w)):
            soft[t] = 1.0 if labels[t] else min(1.0, soft[t] + slope) * bool(flags[t])
        p, r = rates(labels, flags, None, None, w, given=soft)
        for i, value in enumerate((p, r, f_score(p, r, 1))):
            sums[i] += value / (window + 1)
    return sums


def slopes(labels, window):
    """The slopes alone, added up."""
    soft = [0.0] * len(labels)
    for start, stop in naive.events(labels):
        for t in range(len(labels)):
            d = max(start - t, t - stop + 1)
            if 0 < d <= window // 2:
                soft[t] += sqrt(1 - d / window)
    return soft


def volume(area, window, thresholds=250, **generation):
    return partial(
        mean_area, area=area, windows=range(window + 1), thresholds=thresholds, **generation
    )


def at_window(area, window, thresholds=250, **generation):
    return partial(
        mean_area, area=area, windows=[window], thresholds=thresholds, whole=True, **generation
    )


OLDER = {"whole": True, "late": True}

WHOLES = {
    # few thresholds and a narrow window make the table of counts worth its while
    'vus_pr(window=7, thresholds=3, variant="aeon")': volume(pr_area, 7, 3, **OLDER),
    "vus_roc(window=3, thresholds=2)": volume(roc_area, 3, 2),
    "vus_pr(window=2, thresholds=3)": volume(pr_area, 2, 3),
    "vus_roc(window=0)": volume(roc_area, 0),
    "vus_roc(window=6)": volume(roc_area, 6),
    "vus_pr(window=1)": volume(pr_area, 1),
    "vus_pr(window=9, thresholds=None)": volume(pr_area, 9, None),
    "vus_roc(window=60)": volume(roc_area, 60),
    'vus_roc(window=8, variant="aeon")': volume(roc_area, 8, **OLDER),
    'vus_pr(window=5, thresholds=None, variant="aeon")': volume(pr_area, 5, None, **OLDER),
    "range_auc_roc(window=5)": at_window(roc_area, 5),
    "range_auc_pr(window=8, thresholds=4)": at_window(pr_area, 8, 4),
    'range_auc_roc(window=6, variant="aeon")': at_window(roc_area, 6, late=True),
    'range_auc_pr(window=3, variant="aeon")': at_window(pr_area, 3, late=True),
    "vus_recall(window=4)": partial(mean_recall, window=4),
    "vus_f1(window=7)": partial(mean_f, window=7),
    "vus_f1(window=3, beta=2)": partial(mean_f, window=3, beta=2),
    # the defaults
    "vus_roc": volume(roc_area, 100),
    "vus_pr": volume(pr_area, 100),
    "range_auc_roc": at_window(roc_area, 100),
    "range_auc_pr": at_window(pr_area, 100),
    "vus_recall": partial(mean_recall, window=100),
    "vus_f1": partial(mean_f, window=100),
}
TWINS = {
    "vus_precision": (naive.raw, partial(soft_points, window=100), naive.precision),
    "vus_precision(window=5)": (naive.raw, partial(soft_points, window=5), naive.precision),
}
TIES_BY_ROUNDING = {*TWINS}
SETTINGS = {
    "window": st.integers(1, 999),
    "thresholds": st.integers(2, 999) | st.none(),
    "variant": st.sampled_from(["original", "aeon"]),
}
