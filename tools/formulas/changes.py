r"""Formulas of positions: the starts of events and of flagged runs."""

import itertools
from math import comb, inf, log, nan

from .counts import levels, mean, ratio, runs
from .events import family


def _positions(labels, flags):
    return [a for a, _ in runs(labels)], [a for a, _ in runs(flags)]


def _pairs(changes, alarms, margin):
    """Leave out a change, or pair it with any alarm within reach: the most pairs."""
    if not changes:
        return 0
    first, *others = changes
    tried = [a for a in alarms if abs(a - first) <= margin]
    paired = [1 + _pairs(others, [b for b in alarms if b != a], margin) for a in tried]
    return max([_pairs(others, alarms, margin), *paired])


def _change(labels, flags, margin=5):
    changes, alarms = _positions(labels, flags)
    pairs = _pairs(changes, alarms, margin)
    return ratio(pairs, len(alarms)), ratio(pairs, len(changes))


def _regimes(positions, n):
    edges = sorted({0, *positions, n})
    return [{*range(a, b)} for a, b in itertools.pairwise(edges)]


def _both(labels, flags):
    changes, alarms = _positions(labels, flags)
    return _regimes(changes, len(labels)), _regimes(alarms, len(labels))


def _covered(mine, others):
    best = (len(one) * max(len(one & o) / len(one | o) for o in others) for one in mine)
    return ratio(sum(best), sum(map(len, mine)))


def _regime(labels, flags):
    truth, reported = _both(labels, flags)
    return _covered(reported, truth), _covered(truth, reported)


def _joined(labels, flags):
    """Pairs of points that truth joins, that the report joins, that both join; all pairs."""
    truth, reported = _both(labels, flags)
    one, other = (sum(comb(len(r), 2) for r in side) for side in (truth, reported))
    return (
        one,
        other,
        sum(comb(len(r & s), 2) for r in truth for s in reported),
        comb(len(labels), 2),
    )


def _rand(labels, flags):
    one, other, both, every = _joined(labels, flags)
    return (every - one - other + 2 * both) / every


def _ari(labels, flags):
    one, other, both, every = _joined(labels, flags)
    chance, most = one * other / every, (one + other) / 2
    return 1.0 if most == chance else (both - chance) / (most - chance)


def _nmi(labels, flags):
    truth, reported = _both(labels, flags)
    n = len(labels)

    def entropy(parts):
        return -sum(len(p) / n * log(len(p) / n) for p in parts if p)

    own = entropy(truth) + entropy(reported)
    common = entropy([r & s for r in truth for s in reported])
    return 1.0 if own == 0 else 2 * (own - common) / own


def _in_time(labels, flags, most, least):
    """Each event's alarms from `most` to `least` points before it."""
    changes, alarms = _positions(labels, flags)
    return [(t, [a for a in alarms if least <= t - a <= most]) for t in changes]


def _warning(labels, flags, max_lead=10):
    seen, alarms = _in_time(labels, flags, max_lead, 0), _positions(labels, flags)[1]
    right = {a for _, own in seen for a in own}
    return ratio(len(right), len(alarms)), mean(bool(own) for _, own in seen)


def _false_rate(labels, flags, most=10, least=0):
    seen, alarms = _in_time(labels, flags, most, least), _positions(labels, flags)[1]
    false = len({*alarms} - {a for _, own in seen for a in own})
    free = sum(not any(least <= t - i <= most for t, _ in seen) for i in range(len(labels)))
    return ratio(false, free) if free else inf if false else nan


def _between(labels, flags, after=50):
    rate = _false_rate(labels, flags, 0, -after)
    return inf if rate == 0 else 1 / rate


def _in_warning(labels, flags, max_lead=10):
    alarms = _positions(labels, flags)[1]
    return ratio(
        len({i for a in alarms for i in range(a, a + max_lead + 1) if i < len(labels)}), len(labels)
    )


def _over_time(labels, scores, max_lead=10):
    points = [(0, 0), (1, 1)]
    for level in levels(scores):
        flags = [s > level for s in scores]
        points.append((_in_warning(labels, flags, max_lead), _warning(labels, flags, max_lead)[1]))
    times = sorted({x for x, _ in points})
    best = [max(r for x, r in points if x <= time) for time in times]
    return sum(
        (u - t) * (a + b) / 2
        for (t, u), (a, b) in zip(itertools.pairwise(times), itertools.pairwise(best), strict=True)
    )


_LARGEST = (
    "p is the largest number of pairs, one to one, of a change and an alarm at most `margin` apart"
)
_PARTS = "R are the true regimes, S the reported ones, of n points"
_PAIRS = (
    "a pairs of points are joined by truth, b by the report, c by both, of all p = n (n - 1) / 2"
)
FORMULAS = {
    **family(
        "change", _change,
        (r"\frac{p}{M}", f"{_LARGEST}; M are the alarms"), (r"\frac{p}{N}", "p are the pairs, N the changes"),
    ),
    **family(
        "regime", _regime,
        (r"\frac1n \sum_S |S| \max_R \frac{|R \cap S|}{|R \cup S|}", _PARTS),
        (r"\frac1n \sum_R |R| \max_S \frac{|R \cap S|}{|R \cup S|}", _PARTS),
    ),
    "regime_rand": (r"\frac{p - a - b + 2 c}{p}", _PAIRS, _rand),
    "regime_ari": (r"\frac{c - ab/p}{(a + b)/2 - ab/p}", _PAIRS, _ari),
    "regime_nmi": (
        r"\frac{2 (H(R) + H(S) - H(R, S))}{H(R) + H(S)}, H = -\sum \frac{|\cdot|}{n} \ln \frac{|\cdot|}{n}",
        f"{_PARTS}; (R, S) are their intersections", _nmi,
    ),
    "change_delay": (
        r"\frac1m \sum (i - t)", "i is the first alarm from t - before to t + after, for the m changes t that have one",
        lambda *c, after=50: mean(own[0] - t for t, own in _in_time(*c, 0, -after) if own),
    ),
    "time_between_false_alarms": (
        r"\frac{n'}{F}", "n' points and F alarms lie outside all windows from t - before to t + after around changes t", _between,
    ),
    **family(
        "warning", _warning,
        (r"\frac{r}{M}", "r of M alarms lie at least `min_lead` and at most `max_lead` before an event"),
        (r"\frac{m}{N}", "m of N events have such an alarm"),
    ),
    "lead_time": (
        r"\frac1m \sum (t - i)", "i is the earliest alarm from t - max_lead to t - min_lead, for the m events t that have one",
        lambda *c: mean(t - own[0] for t, own in _in_time(*c, 10, 0) if own),
    ),
    "time_in_warning": (
        r"\frac{|\bigcup_a [a + \text{min\_lead}, a + \text{max\_lead}]|}{n}", "the union over all alarms a holds so many of n points", _in_warning,
    ),
    "warning_auc": (
        r"\sum_i (X_i - X_{i-1}) \frac{R_i + R_{i-1}}{2}",
        "X are the values of `time_in_warning` over all thresholds, ascending from 0 to 1, and R the largest `warning_recall` with no more of it, from (0, 0) to (1, 1)", _over_time,
    ),
    "false_warning_rate": (
        r"\text{per} \cdot \frac{F}{n'}", "F alarms and n' points lie outside all windows from t - max_lead to t - min_lead before events t", _false_rate,
    ),
}  # fmt: skip
