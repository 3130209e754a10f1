"""Closed forms of the paper: what noise, a detector and a false alarm score after adjustment.

``q`` is the share of anomalous points, ``width`` the points of an event, ``island`` those of an
island (by default as many, as in the lemmas), and ``nu`` the paper's N: the noise cdf at the
threshold, that is the chance that a point stays quiet. ``nu`` may be a number or one number per
threshold; the value is a float or an array of them.

Every score is a ratio of expected masses, the limit of *many* events, not the mean score of one
(erratum E9). Points are independent in time, whatever their distribution (E10); false positives may
lie as close as they like (E11); islands mark normal points only (E12); the borders of events and
series, where an island finds fewer normal points, are left out (E13). A bound holds for that ratio,
not almost surely (E15). Errata are numbered as in docs/errata.md.

>>> import adjudge as aj
>>> [round(score(0.2, 100, 0.9665), 4) for score in (aj.theory.f1_pa, aj.theory.f1_ba)]  # of noise
[0.9204, 0.3314]

References
----------
.. [1] D. Bhattacharya et al. (2024). Towards Unbiased Evaluation of Time-series Anomaly
   Detector. arXiv:2409.13053. Theorems 1 and 2, lemmas C-1, C-1a, C-2, C-3.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.checks import share, whole
from adjudge.data.columns import column
from adjudge.errors import InputError, shown

if TYPE_CHECKING:
    from collections.abc import Iterable

    from adjudge._typing import Column

_FAR = 10**300  # a whole number that a float can still hold


def recall_pa(width: int, nu: Any) -> Any:
    """The recall of noise after point adjustment: 1 - nu^width (theorem 1).

    1: every event holds an alarm (nu = 0). 0: no point is flagged (nu = 1). With one event recall
    is 0 or 1, and this is its mean (E9). After balanced adjustment it is the same, as long as
    islands stay on normal points; islands that spill into events raise it (E12).

    >>> recall_pa(2, [0.0, 0.5, 1.0])
    array([1.  , 0.75, 0.  ])
    """
    return _plain(_alarm_in(width, "width", _shares(nu, "nu")))


def precision_pa(q: float, width: int, nu: Any) -> Any:
    """The precision of noise after point adjustment (theorem 1).

    q (1 - nu^s) / ((1 - nu) + q (nu - nu^s)), s being the width. It is q at nu = 0, where all is
    flagged, and rises towards qs / (qs + 1 - q), its limit as nu -> 1. NaN: nu = 1, where nothing
    is flagged.

    >>> precision_pa(0.5, 2, 0.5)  # 0.375 / (0.5 + 0.125)
    0.6
    """
    return precision_ba(q, width, nu, island=1)


def precision_ba(q: float, width: int, nu: Any, island: int | None = None) -> Any:
    """The precision of noise after balanced adjustment (theorem 2).

    q (1 - nu^s) / ((1 - nu^w) + q (nu^w - nu^s)). With w = s it is q at every threshold: the alarms
    know nothing. NaN: nu = 1, where nothing is flagged; the limit there is qs / (qs + (1 - q) w).
    1 - nu^w is the exact chance of a marked point, and needs no distance between alarms (E11).

    >>> precision_ba(0.25, 8, [0.5, 0.9, 1.0])
    array([0.25, 0.25,  nan])
    """
    q, quiet = share(q, "q"), _shares(nu, "nu")
    found, false = _rates(width, island, quiet, quiet)
    with np.errstate(divide="ignore", invalid="ignore"):
        return _plain(np.divide(q * found, q * found + (1 - q) * false))


def f1_pa(q: float, width: int, nu: Any) -> Any:
    """F1 of noise after point adjustment (theorem 1).

    2q (1 - nu^s) / ((1 - nu) + q (1 + nu - nu^s)). It is 2q / (1 + q) at nu = 0 (alarm everywhere),
    and 0 at nu = 1 (no alarm, all events missed), which is also its limit. Between them, if
    s > 1 and q < 1, it has a peak above both: it does not keep rising with the threshold (E9, E21).

    >>> f1_pa(0.2, 100, [0.0, 0.9665, 1.0]).round(4)
    array([0.3333, 0.9204, 0.    ])
    """
    return f1_ba(q, width, nu, island=1)


def f1_ba(q: float, width: int, nu: Any, island: int | None = None) -> Any:
    """F1 of noise after balanced adjustment (theorem 2).

    2q (1 - nu^s) / ((1 - nu^w) + q (1 + nu^w - nu^s)). It is 2q / (1 + q) at nu = 0 (alarm
    everywhere) and 0 at nu = 1 (no alarm), which is also its limit. With w >= s it never exceeds
    2q / (1 + q); with w < s it does wherever 0 < nu^(s - w) < 1 - q (E17). No limit is taken, and
    alarms need not lie apart (E9, E11, E16).

    >>> f1_ba(0.2, 100, [0.0, 0.99, 1.0]).round(4)
    array([0.3333, 0.3041, 0.    ])
    """
    quiet = _shares(nu, "nu")
    return _plain(_f1(*_rates(width, island, quiet, quiet), share(q, "q")))


def f1_mixed(q: float, widths: Iterable[int], nu: Any, island: int) -> Any:
    """F1 of noise for any mix of event widths: theorems 1 and 2 without "a single event".

    2qR / (q + qR + (1 - q)(1 - nu^w)) with R = sum of x_e (1 - nu^(s_e)), where x_e is the share of
    the anomalous points that lie in event e. An island of 1 is PA; equal widths give the theorems
    (E9). It is 2q / (1 + q) at nu = 0 and 0 at nu = 1.

    >>> f1_mixed(0.5, [1, 3], 0.5, island=1)  # R = 1/4 * 1/2 + 3/4 * 7/8
    0.684931506849315
    """
    quiet, q = _shares(nu, "nu"), share(q, "q")
    found = sum(x * _alarm_in(s, "widths", quiet) for s, x in _shares_of_widths(widths))
    return _plain(_f1(found, _alarm_in(island, "island", quiet), q))


def chance_limit(q: float) -> float:
    """The most that noise scores after balanced adjustment with islands as wide as events.

    2q / (1 + q), the F1 of "alarm everywhere" (lemma C-1). It bounds the ratio of expected masses
    at *every* threshold, and not only where nu^s -> 0 (E16); single draws may exceed it (E15). F1
    has no chance level of its own: 1/2 is only the paper's choice, and the limit is at most 1/2 as
    long as q <= 1/3 (E14). It is also the constant M_u that lemma C-1a speaks of: a plateau where
    every point is marked (E19).

    >>> chance_limit(0.25), chance_limit(1 / 3)
    (0.4, 0.5)
    """
    q = share(q, "q")
    return 2 * q / (1 + q)


def f1_ba_slope(q: float, width: int, gamma: Any) -> Any:
    """The derivative of F1_BA by the threshold, for U[0, 1] noise and w = s (lemma C-1a).

    -2 q^2 s gamma^(s-1) / (1 - gamma^s + q)^2. Never positive; 0 at gamma = 0 (if s > 1), -2s at
    gamma = 1. It vanishes with growing s at a fixed gamma < 1, not at all of them at once (E18).

    >>> f1_ba_slope(0.25, 100, [0.0, 0.9, 0.99, 1.0]).round(3)
    array([   0.   ,   -0.   ,   -5.915, -200.   ])
    """
    gamma, q, s = _shares(gamma, "gamma"), share(q, "q"), whole(width, "width", 1)
    steepness = float(min(s, _FAR)) * np.power(gamma, float(min(s - 1, _FAR)))
    return _plain(0.0 - 2 * steepness * (q / (_alarm_in(s, "width", gamma) + q)) ** 2)


def flat_range(q: float, width: int, epsilon: float) -> tuple[float, float]:
    """The thresholds between which F1_BA of U[0, 1] noise lies on its plateau (lemma C-1a).

    From 0 to [epsilon (1 + q) / (q + epsilon)]^(1/s), for w = s: there F1_BA is at least
    (1 - epsilon) of 2q / (1 + q). It is the plateau itself at 0 and falls from there on, so the low
    end is always 0; the paper has a range without ends, or all thresholds (E18).
    epsilon = 0 gives (0, 0), epsilon = 1 gives (0, 1).

    >>> low, high = flat_range(0.2, 100, 0.05)
    >>> low, round(high, 5)
    (0.0, 0.98583)
    """
    epsilon, q = share(epsilon, "epsilon", zero=True), share(q, "q")
    highest = epsilon * (1 + q) / (q + epsilon)
    return 0.0, float(highest ** (1 / whole(width, "width", 1)))


def f1_ba_of_detector(
    q: float, width: int, alpha: Any, beta: Any, island: int | None = None
) -> Any:
    """F1_BA of a detector that flags every point on its own (lemma C-2).

    2q (1 - A) / (1 - B + q (1 + B - A)) with A = alpha^s, B = beta^w: alpha is the chance that an
    anomalous point is missed, beta the chance that a normal one is left alone. The better detector
    has the *smaller* alpha and the *larger* beta, and scores higher; the paper prints the order of
    beta, and the conclusion, the wrong way round (E22, E23). The lemma has w = s (E24). 1: no
    miss and no false alarm. 0: alpha = 1, nothing is ever found. alpha = beta = nu is noise.

    >>> f1_ba_of_detector(0.1, 100, 0.9, [0.9, 0.999]).round(3)
    array([0.182, 0.7  ])
    """
    missed, quiet = _shares(alpha, "alpha"), _shares(beta, "beta")
    if np.ndim(missed) and np.ndim(quiet) and missed.size != quiet.size:
        sizes = f"{missed.size} and {quiet.size} points"
        raise InputError(f"alpha and beta must be equally long, got {sizes}")
    return _plain(_f1(*_rates(width, island, missed, quiet), share(q, "q")))


def false_alarm_cost(
    k: int, width: int, island: int | None = None, run: int = 1, events: int = 1
) -> float:
    """What ``k`` false runs take from a perfect F1_BA: the epsilon of lemma C-3.

    k (run + w - 1) / (2 events s + k (run + w - 1)): a false run of ``run`` points marks
    run + w - 1, not run + w (E25). It is meant of runs whose islands overlap neither each other nor
    an event, nor the end of the series. 0: no false alarm. 1/3: one false point, one event, w = s.
    An island of 1 is PA, whose epsilon is above 0 too: C-3 does not tell the two apart, the size
    does (E26). That a miss costs too holds of events: one point in each scores 1 (E27).

    >>> false_alarm_cost(1, 100), round(false_alarm_cost(1, 100, island=1), 4)
    (0.3333333333333333, 0.005)
    """
    s = whole(width, "width", 1)
    marked = whole(run, "run", 1) + whole(s if island is None else island, "island", 1) - 1
    false = whole(k, "k", 0) * marked
    return false / (2 * whole(events, "events", 1) * s + false)


def auc_roc_ba(widths: Iterable[int], island: int) -> float:
    """The area under the ROC curve of continuous noise after balanced adjustment.

    Sum of x_e s_e / (s_e + w), with x_e the share of the anomalous points that lie in event e: the
    chance that the largest of s_e scores exceeds that of w others. 1/2: equal widths s = w. An
    island of 1 is PA, s / (s + 1): towards 1 with wide events, though the scores know nothing. It
    falls towards 0 as islands outgrow the events.

    >>> auc_roc_ba([10, 10], 10), auc_roc_ba([10, 30], 30)  # 1/4 * 10/40 + 3/4 * 30/60
    (0.5, 0.4375)
    >>> auc_roc_ba([9], 1)
    0.9
    """
    w = whole(island, "island", 1)
    return float(sum(x * (s / (s + w)) for s, x in _shares_of_widths(widths)))


def _f1(found: Any, false: Any, q: float) -> Any:
    """F1 of a recall and a false positive rate; q > 0, so it is always defined."""
    return 2 * q * found / (q + q * found + (1 - q) * false)


def _rates(width: int, island: int | None, missed: Any, quiet: Any) -> tuple[Any, Any]:
    """The recall and the false positive rate; islands are as wide as events unless said."""
    found = _alarm_in(width, "width", missed)
    return found, _alarm_in(width if island is None else island, "island", quiet)


def _alarm_in(points: int, name: str, quiet: Any) -> Any:
    """1 - quiet^points without loss of digits where quiet is almost 1."""
    with np.errstate(divide="ignore"):
        return 0.0 - np.expm1(float(min(whole(points, name, 1), _FAR)) * np.log(quiet))


def _shares_of_widths(widths: Iterable[int]) -> list[tuple[int, float]]:
    """Each event width, and the share of the anomalous points in events that wide."""
    if not hasattr(widths, "__iter__") or isinstance(widths, str):
        raise InputError(f"widths must be one whole number per event, got {shown(widths)}")
    counts = Counter(whole(width, f"widths[{i}]", 1) for i, width in enumerate(widths))
    if not counts:
        raise InputError("widths must be one whole number per event, got none")
    points = sum(width * count for width, count in counts.items())
    return [(width, width * count / points) for width, count in sorted(counts.items())]


def _shares(values: Column, name: str) -> Any:
    """Check probabilities: a number, or a column of them."""
    if not hasattr(values, "__len__"):
        return np.float64(share(values, name, zero=True))
    array = column(values, name)
    wrong = ~((array >= 0) & (array <= 1))
    if wrong.any():
        first = int(np.argmax(wrong))
        raise InputError(
            f"{name} must be shares in [0, 1], got {shown(array[first].item())} at index {first} "
            f"({np.count_nonzero(wrong)} of {array.size} points)"
        )
    return array.astype(np.float64)


def _plain(values: Any) -> Any:
    """A float for a single value, an array as it is."""
    return values if np.ndim(values) else float(values)
