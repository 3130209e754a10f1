r"""Formulas of single points: rates at a threshold, after an adjustment, and over all thresholds."""

from itertools import pairwise
from math import sqrt

from .counts import (
    balanced,
    confusion,
    dilated,
    first_adjusted,
    harmonic,
    k_adjusted,
    point_adjusted,
    pr_area,
    pr_steps,
    ratio,
    runs,
    same,
    swept,
    trapezoids,
)

COUNTED = "TP, FP, FN and TN count the points that are anomalous and flagged, normal and flagged, anomalous and not, and neither"
_F = r"\frac{(1 + \beta^2)\, TP}{(1 + \beta^2)\, TP + \beta^2 FN + FP}"
_P, _R = r"\frac{TP}{TP + FP}", r"\frac{TP}{TP + FN}"


def _f(tp, fp, fn, _):
    return ratio(2 * tp, 2 * tp + fn + fp)


def _precision(tp, fp, *_):
    return ratio(tp, tp + fp)


def _recall(tp, _, fn, __):
    return ratio(tp, tp + fn)


def _kappa(tp, fp, fn, tn):
    n = tp + fp + fn + tn
    agree, chance = (tp + tn) / n, ((tp + fp) * (tp + fn) + (fn + tn) * (fp + tn)) / n**2
    return ratio(agree - chance, 1 - chance)


def _mcc(tp, fp, fn, tn):
    return ratio(tp * tn - fp * fn, sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)))


def _rand(tp, fp, fn, tn):
    kinds = [(1, 1)] * tp + [(0, 1)] * fp + [(1, 0)] * fn + [(0, 0)] * tn
    pairs = [(a, b) for i, a in enumerate(kinds) for b in kinds[:i]]
    return ratio(sum((a[0] == b[0]) == (a[1] == b[1]) for a, b in pairs), len(pairs))


_RATES = {
    "f1": (_F, _f),
    "precision": (_P, _precision),
    "recall": (_R, _recall),
    "dice": (r"\frac{2\, TP}{2\, TP + FN + FP}", _f),
    "mcc": (r"\frac{TP \cdot TN - FP \cdot FN}{\sqrt{(TP + FP)(TP + FN)(TN + FP)(TN + FN)}}", _mcc),
    "balanced_accuracy": (
        r"\frac12 \left( \frac{TP}{TP + FN} + \frac{TN}{TN + FP} \right)",
        lambda tp, fp, fn, tn: (ratio(tp, tp + fn) + ratio(tn, tn + fp)) / 2,
    ),
    "specificity": (r"\frac{TN}{TN + FP}", lambda _, fp, __, tn: ratio(tn, tn + fp)),
    "false_positive_rate": (r"\frac{FP}{TN + FP}", lambda _, fp, __, tn: ratio(fp, tn + fp)),
    "negative_predictive_value": (r"\frac{TN}{TN + FN}", lambda *c: ratio(c[3], c[3] + c[2])),
    "informedness": (
        r"\frac{TP}{TP + FN} - \frac{FP}{TN + FP}",
        lambda tp, fp, fn, tn: ratio(tp, tp + fn) - ratio(fp, tn + fp),
    ),
    "markedness": (
        r"\frac{TP}{TP + FP} + \frac{TN}{TN + FN} - 1",
        lambda tp, fp, fn, tn: ratio(tp, tp + fp) + ratio(tn, tn + fn) - 1,
    ),
    "kappa": (
        r"\frac{p - e}{1 - e}, p = \frac{TP + TN}{n}, e = \frac{(TP + FP)(TP + FN) + (FN + TN)(FP + TN)}{n^2}",
        _kappa,
    ),
    "jaccard": (r"\frac{TP}{TP + FP + FN}", lambda tp, fp, fn, _: ratio(tp, tp + fp + fn)),
    "time_in_alarm": (r"\frac{TP + FP}{n}", lambda *c: (c[0] + c[1]) / sum(c)),
    "false_time": ("FP", lambda *c: c[1]),
    "accuracy": (r"\frac{TP + TN}{n}", lambda *c: (c[0] + c[3]) / sum(c)),
    "rand_index": (
        r"\frac{\binom{TP}{2} + \binom{FP}{2} + \binom{FN}{2} + \binom{TN}{2} + TP \cdot TN + FP \cdot FN}{\binom{n}{2}}",
        _rand,
    ),
}


def _of_counts(rate, adjust=same):
    return lambda labels, flags: rate(*confusion(labels, adjust(labels, flags)))


ADJUSTED = {
    "_pa": (point_adjusted, "of flags f' that are 1 throughout an event with a flag, else f"),
    "_kpa": (
        k_adjusted,
        "of flags f' that are 1 throughout an event of which a share k or more is flagged, else f",
    ),
    "_ba": (
        balanced,
        "of flags f' that are 1 throughout an event with a flag, and at a normal point t where one of the normal points "
        "from t - ⌊w/2⌋ to t + ⌊(w-1)/2⌋ is flagged; w is the width, by default the smallest odd number of at least Σs² / Σs "
        "over the events' points s",
    ),
}
_SLOWLY = {
    "auc_roc": lambda curve: trapezoids([(0, 0), *((x, r) for _, r, x in curve)]),
    "auc_pr": lambda curve: pr_area([(r, p) for p, r, _ in curve]),
    "ap": lambda curve: pr_steps([(r, p) for p, r, _ in curve]),
}
AREAS = {
    "auc_roc": (
        r"\sum_i (X_i - X_{i-1}) \frac{R_i + R_{i-1}}{2}",
        "X and R are false positive rate and recall at the i-th threshold from the highest down",
    ),
    "auc_pr": (
        r"\sum_i (R_i - R_{i-1}) \frac{P_i + P_{i-1}}{2}",
        "P and R are precision and recall at the i-th threshold from the highest down, from R = 0 and P = 1",
    ),
    "ap": (
        r"\sum_i (R_i - R_{i-1}) P_i",
        "P and R are precision and recall at the i-th threshold from the highest down, from R = 0",
    ),
}


def _rates_after(adjust):
    def rates(labels, flags):
        tp, fp, fn, tn = confusion(labels, adjust(labels, flags))
        return ratio(tp, tp + fp), ratio(tp, tp + fn), ratio(fp, fp + tn)

    return rates


def _area(name, adjust=same):
    return lambda labels, scores: _SLOWLY[name](swept(labels, scores, _rates_after(adjust)))


def _partial(labels, scores, max_fpr=0.1):
    area, (before, below) = 0, (0, 0)
    for _, recall, x in swept(labels, scores, _rates_after(same)):
        end = min(x, max_fpr)
        if end > before:
            height = below + (recall - below) * (end - before) / (x - before)
            area += (end - before) * (below + height) / 2
        before, below = x, recall
    half = max_fpr**2 / 2
    return (1 + (area - half) / (max_fpr - half)) / 2


def _coverage_area(labels, flags):
    """The mean over all shares k: F changes only at the share of an event that is flagged."""
    shares = sorted({0, 1, *(sum(flags[a:b]) / (b - a) for a, b in runs(labels))})
    return sum(
        (high - low) * _of_counts(_f, lambda *c: k_adjusted(*c, k=high))(labels, flags)  # noqa: B023
        for low, high in pairwise(shares)
    )


def _weighted(labels, flags):
    """The hit events, each one item, and false points: precision, recall, false positive rate."""
    hit = [any(flags[a:b]) for a, b in runs(labels)]
    _, fp, _, tn = confusion(labels, flags)
    return ratio(sum(hit), sum(hit) + fp), ratio(sum(hit), len(hit)), ratio(fp, fp + tn)


def _weighted_area(name):
    return lambda labels, scores: _SLOWLY[name](swept(labels, scores, _weighted))


def _informed(labels, flags):
    """Each anomalous point sees islands as wide as its event, slid within the normal run."""
    widths = [b - a for a, b in runs(labels)]
    found = sum(b - a for a, b in runs(labels) if any(flags[a:b])) / sum(widths)
    normal = [not label for label in labels]
    false = 0
    for w in widths:
        for a, b in runs(normal):
            for t in range(a, b):
                begin = max(a, min(t - w // 2, b - w))
                false += w * any(flags[begin : min(begin + w, b)])
    return found - false / (sum(widths) * sum(normal))


FORMULAS = {
    **{name: (tex, COUNTED, _of_counts(rate)) for name, (tex, rate) in _RATES.items()},
    **{
        name + suffix: (_RATES[name][0], f"{COUNTED}, {words}", _of_counts(_RATES[name][1], adjust))
        for suffix, (adjust, words) in ADJUSTED.items()
        for name in ("f1", "precision", "recall")
    },
    "f1_dilated": (
        _F,
        f"{COUNTED}, of flags widened to `width` points each",
        _of_counts(_f, dilated),
    ),
    **{
        f"delay_{name}": (
            _RATES[name][0],
            f"{COUNTED}, of flags f' that are 1 throughout an event with a flag among its first k points, 0 throughout other "
            "events, else f",
            _of_counts(_RATES[name][1], first_adjusted),
        )
        for name in ("f1", "precision", "recall")
    },
    "f1_kpa_area": (
        r"\int_0^1 F(k)\, dk",
        "F(k) is `f1_kpa` with that k",
        _coverage_area,
    ),
    "informedness_ba": (
        r"\frac{\sum_{\text{hit}} s}{\sum s} - \frac{1}{|N| \sum s} \sum_{\text{events}} s \sum_{t \in N} [\text{a flag in } W_s(t)]",
        "s are the points of an event and N the normal points; the window has s points around t, and slides to stay within t's "
        "run of normal points",
        _informed,
    ),
    **{name: (tex, words, _area(name)) for name, (tex, words) in AREAS.items()},
    **{
        name + suffix: (tex, f"{words}, {how}", _area(name, adjust))
        for suffix, (adjust, how) in ADJUSTED.items()
        for name, (tex, words) in AREAS.items()
    },
    "partial_auc_roc": (
        r"\frac12 \left( 1 + \frac{A - m^2/2}{m - m^2/2} \right)",
        "A is the area under recall against the false positive rate, by trapezoids, up to the rate m = `max_fpr`",
        _partial,
    ),
    "event_weighted_precision": (
        r"\frac{\sum_{\text{hit}} g}{\sum_{\text{hit}} g + FP}",
        "g is the weight of an event (1, or by its points) and FP the falsely flagged points",
        lambda *c: _weighted(*c)[0],
    ),
    "event_weighted_recall": (
        r"\frac{\sum_{\text{hit}} g}{\sum g}",
        "g is the weight of an event (1, or by its points)",
        lambda *c: _weighted(*c)[1],
    ),
    "event_weighted_f1": (
        r"\frac{(1 + \beta^2) P R}{\beta^2 P + R}",
        "P is `event_weighted_precision`, R `event_weighted_recall`",
        lambda *c: harmonic(*_weighted(*c)[:2]),
    ),
    **{
        f"event_weighted_{name}": (
            tex,
            f"{words}, of events as single items, with P = `event_weighted_precision` and R = `event_weighted_recall`",
            _weighted_area(name),
        )
        for name, (tex, words) in AREAS.items()
    },
}
