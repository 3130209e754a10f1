r"""Formulas of the order of the scores, and of how far apart they lie."""

import itertools
from fractions import Fraction
from math import erf, exp, inf, nan, sqrt

from .counts import confusion, harmonic, levels, mean, ratio, runs
from .events import F


def _top(labels, scores):
    lowest = sorted(scores, reverse=True)[sum(labels) - 1]
    tp, fp, fn, _ = confusion(labels, [s >= lowest for s in scores])
    return ratio(tp, tp + fp), ratio(tp, tp + fn)


def _event_rates(labels, flags):
    hit = [any(flags[a:b]) for a, b in runs(labels)]
    right = [any(labels[a:b]) for a, b in runs(flags)]
    return mean(right), mean(hit)


def _top_runs(labels, scores):
    for level in sorted(set(scores), reverse=True):
        flags = [s >= level for s in scores]
        if len(runs(flags)) >= len(runs(labels)):
            return _event_rates(labels, flags)
    return nan, nan


def _recall_at(labels, scores, rate=1, per=1000):
    """Short of the threshold that flags everything."""
    found = [0.0]
    for level in levels(scores)[:-1]:
        flags = [s > level for s in scores]
        false = sum(not any(labels[a:b]) for a, b in runs(flags))
        if per * false / (len(labels) - sum(labels)) > rate:
            break
        found.append(_event_rates(labels, flags)[1])
    return max(found)


def _froc(labels, scores, rates=(0.125, 0.25, 0.5, 1, 2, 4, 8), per=1000):
    return mean(_recall_at(labels, scores, rate, per) for rate in rates)


def _ucr(labels, scores, tolerance=0):
    ((a, b),) = runs(labels)
    reach = max(b - a, tolerance)
    highest = [t for t, s in enumerate(scores) if s == max(scores)]
    return mean(a - reach <= t < b + reach for t in highest)


def _masses(values, edges):
    """Of a Gaussian kernel density estimate, between neighbouring edges."""
    n, m = len(values), mean(values)
    h = sqrt(sum((v - m) ** 2 for v in values) / (n - 1)) * n**-0.2

    def below(edge):
        return mean((1 + erf((edge - v) / h / sqrt(2))) / 2 for v in values)

    return [below(y) - below(x) for x, y in itertools.pairwise(edges)]


def _distance(normal, anomalous, edges):
    pairs = zip(_masses(normal, edges), _masses(anomalous, edges), strict=True)
    return sqrt(sum((sqrt(max(p, 0)) - sqrt(max(q, 0))) ** 2 for p, q in pairs) / 2)


def _kinds(labels, scores):
    pairs = list(zip(labels, scores, strict=True))
    return [s for y, s in pairs if not y], [s for y, s in pairs if y]


def _bins(low, high):
    return [low + (high - low) * b / 100 for b in range(101)]


def _separation(labels, scores):
    normal, anomalous = _kinds(labels, scores)
    low, high = min(anomalous), max(normal)
    return _distance([s for s in normal if low < s < high], anomalous, _bins(low, high))


def _hellinger(labels, scores):
    normal, anomalous = _kinds(labels, scores)
    return _distance(normal, anomalous, [-inf, *_bins(min(scores), max(scores)), inf])


def _worth(values):
    m = mean(values)
    return (m - 0.5) * exp(-mean((v - m) ** 2 for v in values))


def _cce(labels, scores):
    low, high = min(scores), max(scores)
    scaled = [(s - low) / (high - low) for s in scores]
    sides = []
    for marks in (labels, [not y for y in labels]):
        segments = [scaled[a:b] for a, b in runs(marks)]
        sides.append(mean(map(_worth, segments)) + _worth([s for part in segments for s in part]))
    return (sides[0] - sides[1]) / 2


def _alerts(scores):
    """Stretches of one score above the lowest, the surest first: (score, start, end)."""
    found = [
        (-s, a, b) for s in set(scores) - {min(scores)} for a, b in runs([x == s for x in scores])
    ]
    return sorted(found)


def _ap(labels, scores, likeness, least, *, interpolated=False):
    """Each alert takes the free event most like it, if it is like enough."""
    free, hits, events = runs(labels), [], runs(labels)
    for level, *alert in _alerts(scores):
        best = max(free, key=lambda e: likeness(e, alert), default=None)
        hit = best is not None and least(likeness(best, alert))
        if hit:
            free.remove(best)
        hits.append((level, hit))
    at = sorted({level for level, _ in hits})
    precision = [mean(hit for other, hit in hits if other <= level) for level in at]
    if interpolated:
        precision = [max(precision[i:]) for i in range(len(at))]
    taken = [sum(hit for other, hit in hits if other == level) for level in at]
    return sum(p * k for p, k in zip(precision, taken, strict=True)) / len(events)


def _nearness(event, alert):
    return -abs(event[0] - alert[0])


def _iou(event, alert):
    one, other = {*range(*event)}, {*range(*alert)}
    return Fraction(len(one & other), len(one | other))


def _alert_ap(labels, scores, tolerance=360, parts=(12, 36, 60, 90, 120, 150, 180, 240, 300, 360)):
    reach = [tolerance * Fraction(part, max(parts)) for part in parts]
    return mean(_ap(labels, scores, _nearness, lambda x: x > -r) for r in reach)  # noqa: B023


def _interval_ap(labels, scores):
    shares = [Fraction(k, 20) for k in range(10, 20)]
    return mean(_ap(labels, scores, _iou, lambda x: x >= s, interpolated=True) for s in shares)  # noqa: B023


_MASSES = r"\sqrt{\tfrac12 \sum_b (\sqrt{p_b} - \sqrt{q_b})^2}"
_KERNEL = "p and q are the masses in 100 equal bins of Gaussian kernel density estimates (bandwidth sd · n^(-1/5)) of the"
FORMULAS = {
    "precision_at_k": (r"\frac{TP}{F}", "TP of the F points that score at least the k-th highest score are anomalous; k points are", lambda *c: _top(*c)[0]),
    "f1_at_k": (F, "P is `precision_at_k`, R the share of the anomalous points among these", lambda *c: harmonic(*_top(*c))),
    "event_precision_at_k": (
        r"\frac{n}{M}", "n of M runs touch an event, at the highest threshold with at least as many runs as events", lambda *c: _top_runs(*c)[0],
    ),
    "event_f1_at_k": (F, "P is `event_precision_at_k`, R the share of the events touched there", lambda *c: harmonic(*_top_runs(*c))),
    "recall_at": (
        r"\max_{\gamma} \frac{m(\gamma)}{N}", "m(γ) of N events are found at the threshold γ, from the highest down to the first with more than `rate` false runs per `per` normal points", _recall_at,
    ),
    "froc": (r"\frac{1}{k} \sum_{x} r(x)", "r(x) is `recall_at` of `rate` = x, for the k budgets `rates`", _froc),
    "ucr": (
        r"\frac{1}{S} \sum_{\text{series}} [a - w \le i < b + w], w = \max(b - a, \text{tolerance})",
        "i is the place of the highest score of one of S series (the mean over equal ones), and [a, b) its one event", _ucr,
    ),
    "separation": (_MASSES, f"{_KERNEL} normal and the anomalous scores, between the lowest anomalous and the highest normal score; p is made of the normal scores between these", _separation),
    "hellinger": (_MASSES, f"{_KERNEL} normal and the anomalous scores, over all scores, and in the two tails", _hellinger),
    "cce": (
        r"\frac12 \left( \frac{1}{N} \sum_A c(A) + c(\cup A) - \frac{1}{M} \sum_B c(B) - c(\cup B) \right), c(x) = (\bar x - \tfrac12) e^{-\mathrm{var}(x)}",
        "A are the scores of one of N events, B of one of M stretches of normal points, all brought to [0, 1]", _cce,
    ),
    "alert_ap": (
        r"\frac{1}{k} \sum_{\text{tolerances}} \frac1N \sum_x h_x \frac{H_x}{M_x}",
        "h alerts of the score x take an event, and H of M alerts of at least that score; each of them, the surest first, takes the free one of N events that starts nearest, if it is less than the tolerance away; k tolerances are `tolerance` times a part over the largest of `parts`",
        _alert_ap,
    ),
    "interval_ap": (
        r"\frac{1}{k} \sum_{\text{degrees}} \frac1N \sum_x h_x \max_{y \le x} \frac{H_y}{M_y}",
        "h, H and M as for `alert_ap`, but each alert takes the free event with the largest intersection over union, if it is at least the degree; k degrees are `iou`",
        _interval_ap,
    ),
}  # fmt: skip
