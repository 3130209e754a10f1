r"""Formulas of soft labels: credit that falls beside an event."""

from itertools import pairwise
from math import sqrt

from .counts import harmonic, levels, mean, pr_area, ratio, runs, trapezoids
from .elsewhere import credited, sdqe


def _soft(labels, window):
    """1 in events; beside them the slopes, added up, to at most 1."""
    soft = [float(y) for y in labels]
    for a, b in runs(labels):
        for t, label in enumerate(labels):
            d = max(a - t, t - b + 1)
            if not label and 0 < d <= window // 2:
                soft[t] += sqrt(1 - d / window)
    return [min(one, 1) for one in soft]


def _zones(labels, window, *, touching=False):
    """Events with their buffers; those that overlap (or touch) are one."""
    half, found = window // 2, []
    for a, b in runs(labels):
        a, b = max(a - half, 0), min(b + half, len(labels))  # noqa: PLW2901
        if found and a < found[-1][1] + touching:
            a = found.pop()[0]  # noqa: PLW2901
        found.append((a, b))
    return found


def _rates(labels, flags, window, *, counted=None, touching=False):
    """Precision, recall (without and with the share of zones touched), false positive rate."""
    soft = _soft(labels, window)
    right = sum(s for s, f in zip(soft, flags, strict=True) if f)
    beside = sum(s for s, c, y in zip(soft, counted or flags, labels, strict=True) if c and not y)
    mass = sum(labels) + beside / 2
    recall = min(right / mass, 1)
    touched = mean(any(flags[a:b]) for a, b in _zones(labels, window, touching=touching))
    false = (sum(flags) - right) / (len(labels) - mass)
    return ratio(right, sum(flags)), recall, recall * touched, false


def _curve(labels, scores, window, *, whole):
    every = [True] * len(labels) if whole else None
    flags = [[s > level for s in scores] for level in levels(scores)[1:]]
    rows = [_rates(labels, f, window, counted=every, touching=whole) for f in flags]
    return [(0.0, 0.0, 1.0), *((x, r, p) for p, _, r, x in rows)]


def _roc(labels, scores, window, *, whole=False):
    return trapezoids(
        [*((x, r) for x, r, _ in _curve(labels, scores, window, whole=whole)), (1, 1)]
    )


def _pr(labels, scores, window, *, whole=False):
    curve = [(r, p) for _, r, p in _curve(labels, scores, window, whole=whole)]
    return trapezoids(curve) if whole else sum((b[0] - a[0]) * b[1] for a, b in pairwise(curve))


def _volume(area):
    return lambda labels, given, window=100: mean(area(labels, given, w) for w in range(window + 1))


def _f(labels, flags, window):
    return harmonic(*_rates(labels, flags, window)[:2])


def _pate(labels, scores, early=100, delay=100):
    areas = []
    for x in (0, early):
        for y in (0, delay):
            curve = []
            for level in levels(scores)[1:]:
                c, m, flagged = credited(labels, [s > level for s in scores], x, y)
                if ratio(c, c + m) >= max((r for r, _ in curve), default=0):
                    curve.append((ratio(c, c + m), ratio(c, flagged)))
            areas.append(pr_area(curve))
    return mean(areas)


def _dqe(labels, scores, near=125, thresholds=100):
    low, high = min(scores), max(scores)
    at = [low + (high - low) * k / thresholds for k in range(1, thresholds + 1)]
    return mean(sdqe(labels, [s >= level - 1e-12 for s in scores], near) for level in at)


_SOFT = "Y is 1 in events and the sum of sqrt(1 - d / l) at distances d of up to l/2 from events beside them, at most 1; L = `window`"
_MEAN = r"\frac{1}{L + 1} \sum_{l=0}^{L}"
_MASS = r"\frac{\sum_{\text{flags}} Y}{A + \frac12 \sum_{\text{flags beside}} Y}"
_RATES = (
    f"{_SOFT}; A of n points are anomalous, z of Z events with their buffers are touched; at each threshold R = min(1, Σ Y / (A + S/2)) z/Z, P = Σ Y / F and X = (F - Σ Y) / (n - A - S/2), "
    "summed over the F flags, S of it beside events"
)
_AT = _RATES.replace("; L = `window`", ", l = `window`").replace(
    "S of it beside events", "and S is the sum of Y beside events, over all points"
)
_ROC, _PR = (
    r"\sum_i (X_i - X_{i-1}) \frac{R_i + R_{i-1}}{2}",
    r"\sum_i (R_i - R_{i-1}) P_i",
)
FORMULAS = {
    "vus_precision": (r"\frac1F \sum_{\text{flags}} \frac{1}{L + 1} \sum_{l=0}^{L} Y", f"{_SOFT}; F points are flagged", _volume(lambda *c: _rates(*c)[0])),
    "vus_recall": (rf"{_MEAN} \min \left( 1, {_MASS} \right)", f"{_SOFT}; A points are anomalous", _volume(lambda *c: _rates(*c)[1])),
    "vus_f1": (
        rf"{_MEAN} \frac{{(1 + \beta^2) P R}}{{\beta^2 P + R}}", "P and R are `vus_precision` and `vus_recall` at the window l alone, and L = `window`", _volume(_f),
    ),
    "vus_roc": (rf"{_MEAN} {_ROC}", _RATES, _volume(_roc)),
    "vus_pr": (rf"{_MEAN} {_PR}", _RATES, _volume(_pr)),
    "range_auc_roc": (_ROC, _AT, lambda labels, scores, window=100: _roc(labels, scores, window, whole=True)),
    "range_auc_pr": (
        r"\sum_i (R_i - R_{i-1}) \frac{P_i + P_{i-1}}{2}", _AT, lambda labels, scores, window=100: _pr(labels, scores, window, whole=True),
    ),
    "pate": (
        r"\frac14 \sum_{\text{buffers}} \sum_i (R_i - R_{i-1}) \frac{P_i + P_{i-1}}{2}",
        "P and R are `pate_precision` and `pate_recall` for one pair of buffers at the i-th threshold from the highest down, from R = 0 and P = 1; there are four pairs",
        _pate,
    ),
    "dqe": (r"\frac{1}{k} \sum_{i=1}^{k} S\left( \min + (\max - \min) \frac{i}{k} \right)", "S is `sdqe` of the points that score at least so much, k = `thresholds`", _dqe),
}  # fmt: skip
