"""Closed forms of the paper: what noise, a detector and a false alarm score after adjustment.

The letters are the paper's: ``N`` is the noise cdf at the threshold (the chance that a point stays
quiet), ``q`` the share of anomalous points, ``s`` the points of an event, ``w`` those of an island.
``N`` may be a number or one number per threshold; the value is a float or an array of them.

Every score is a ratio of expected masses, the limit of *many* events, not the mean score of one
(erratum E9). Points are independent in time, whatever their distribution (E10); false positives may
lie as close as they like (E11); islands mark normal points only (E12); the borders of events and
series, where an island finds fewer normal points, are left out (E13). A bound holds for that ratio,
not almost surely (E15). Errata are numbered as in docs/definitions.md.

References
----------
.. [1] D. Bhattacharya et al. (2024). Towards Unbiased Evaluation of Time-series Anomaly
   Detector. arXiv:2409.13053. Theorems 1 and 2, lemmas C-1, C-1a, C-2, C-3.

Probabilities as the closed forms take and give them: checked, and exact where almost 1.
"""

# ruff: noqa: N803 - the paper's letters
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

FAR = 10**300
"""A whole number that a float can still hold."""


def alarm_in(points: int, quiet: Any) -> Any:
    """1 - quiet^points without loss of digits where quiet is almost 1."""
    with np.errstate(divide="ignore"):
        return 0.0 - np.expm1(float(min(points, FAR)) * np.log(quiet))


def shares_of_widths(widths: Iterable[int]) -> list[tuple[int, float]]:
    """Each event width, and the share of the anomalous points in events that wide."""
    if not hasattr(widths, "__iter__") or isinstance(widths, str):
        raise InputError(f"widths must be one whole number per event, got {shown(widths)}")
    counts = Counter(whole(width, f"widths[{i}]", 1) for i, width in enumerate(widths))
    if not counts:
        raise InputError("widths must be one whole number per event, got none")
    points = sum(width * count for width, count in counts.items())
    return [(width, width * count / points) for width, count in sorted(counts.items())]


def shares(values: Column, name: str) -> Any:
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


def plain(values: Any) -> Any:
    """A float for a single value, an array as it is."""
    return values if np.ndim(values) else float(values)


def recall_pa(N: Any, *, s: int) -> Any:
    """The recall of noise after point adjustment: 1 - N^s (theorem 1).

    1: every event holds an alarm (N = 0). 0: no point is flagged (N = 1). With one event recall is
    0 or 1, and this is its mean (E9).

    >>> recall_pa(0.5, s=2)
    0.75
    """
    return plain(alarm_in(whole(s, "s", 1), shares(N, "N")))


def recall_ba(N: Any, *, s: int) -> Any:
    """The recall of noise after balanced adjustment: 1 - N^s, as after PA (theorem 2).

    1: N = 0. 0: N = 1. Equal to `recall_pa` as long as islands stay on normal points; islands that
    spill into events, as the paper prints them, raise it (E12).

    >>> recall_ba([0.0, 0.5, 1.0], s=2)
    array([1.  , 0.75, 0.  ])
    """
    return recall_pa(N, s=s)


def precision_pa(N: Any, *, q: float, s: int) -> Any:
    """The precision of noise after point adjustment (theorem 1).

    q (1 - N^s) / ((1 - N) + q (N - N^s)). It is q at N = 0, where all is flagged, and rises towards
    qs / (qs + 1 - q), its limit as N -> 1. NaN: N = 1, where nothing is flagged.

    >>> precision_pa(0.5, q=0.5, s=2)  # 0.375 / (0.5 + 0.125)
    0.6
    """
    return precision_ba(N, q=q, s=s, w=1)


def precision_ba(N: Any, *, q: float, s: int, w: int) -> Any:
    """The precision of noise after balanced adjustment (theorem 2).

    q (1 - N^s) / ((1 - N^w) + q (N^w - N^s)). With w = s it is q at every threshold: the alarms
    know nothing. NaN: N = 1, where nothing is flagged; the limit there is qs / (qs + (1 - q) w).
    1 - N^w is the exact chance of a marked point, and needs no distance between alarms (E11).

    >>> precision_ba([0.5, 0.9, 1.0], q=0.25, s=8, w=8)
    array([0.25, 0.25,  nan])
    """
    q, quiet = share(q, "q"), shares(N, "N")
    right = q * alarm_in(whole(s, "s", 1), quiet)
    wrong = (1 - q) * alarm_in(whole(w, "w", 1), quiet)
    with np.errstate(divide="ignore", invalid="ignore"):
        return plain(np.divide(right, right + wrong))


def f1_pa(N: Any, *, q: float, s: int) -> Any:
    """F1 of noise after point adjustment (theorem 1).

    2q (1 - N^s) / ((1 - N) + q (1 + N - N^s)). It is 2q / (1 + q) at N = 0 (alarm everywhere), and
    0 at N = 1 (no alarm, all events missed), which is also its limit. Between them, if
    s > 1 and q < 1, it has a peak above both: it does not keep rising with the threshold (E9, E21).

    >>> f1_pa([0.0, 0.9665, 1.0], q=0.2, s=100).round(4)
    array([0.3333, 0.9204, 0.    ])
    """
    return f1_ba(N, q=q, s=s, w=1)


def f1_ba(N: Any, *, q: float, s: int, w: int) -> Any:
    """F1 of noise after balanced adjustment (theorem 2).

    2q (1 - N^s) / ((1 - N^w) + q (1 + N^w - N^s)). It is 2q / (1 + q) at N = 0 (alarm everywhere)
    and 0 at N = 1 (no alarm), which is also its limit. With w >= s it never exceeds 2q / (1 + q);
    with w < s it does wherever 0 < N^(s - w) < 1 - q (E17). No limit is taken, and alarms need not
    lie apart (E9, E11, E16).

    >>> f1_ba([0.0, 0.99, 1.0], q=0.2, s=100, w=100).round(4)
    array([0.3333, 0.3041, 0.    ])
    """
    quiet, q = shares(N, "N"), share(q, "q")
    found = alarm_in(whole(s, "s", 1), quiet)
    return plain(_f1(found, alarm_in(whole(w, "w", 1), quiet), q))


def f1_mixed(N: Any, *, widths: Iterable[int], q: float, w: int) -> Any:
    """F1 of noise for any mix of event widths: theorems 1 and 2 without "a single event".

    2qR / (q + qR + (1 - q)(1 - N^w)) with R = sum of x_e (1 - N^(s_e)), where x_e is the share of
    the anomalous points that lie in event e. w = 1 is PA; equal widths give the theorems (E9). It
    is 2q / (1 + q) at N = 0 and 0 at N = 1.

    >>> f1_mixed(0.5, widths=[1, 3], q=0.5, w=1)  # R = 1/4 * 1/2 + 3/4 * 7/8
    0.684931506849315
    """
    quiet, q, w = shares(N, "N"), share(q, "q"), whole(w, "w", 1)
    found = sum(x * alarm_in(s, quiet) for s, x in shares_of_widths(widths))
    return plain(_f1(found, alarm_in(w, quiet), q))


def chance_bound(q: float) -> float:
    """The most that noise scores after balanced adjustment with w >= s (lemma C-1).

    2q / (1 + q), the F1 of "alarm everywhere". It bounds the ratio of expected masses at *every*
    threshold, and not only where N^s -> 0 (E16); single draws may exceed it (E15). F1 has no
    chance level of its own: 1/2 is only the paper's choice (E14).

    >>> chance_bound(0.25)
    0.4
    """
    q = share(q, "q")
    return 2 * q / (1 + q)


def bound_is_below_half(q: float) -> bool:
    """Tell whether noise stays at or below 1/2, the paper's chance level: q <= 1/3 (lemma C-1).

    False means that "alarm everywhere" already scores above 1/2, by the labels alone (E14).

    >>> bound_is_below_half(0.3), bound_is_below_half(1 / 3), bound_is_below_half(0.4)
    (True, True, False)
    """
    return bool(share(q, "q") <= 1 / 3)


def f1_ba_slope(gamma: Any, *, q: float, s: int) -> Any:
    """The derivative of F1_BA by the threshold, for U[0, 1] noise and w = s (lemma C-1a).

    -2 q^2 s gamma^(s-1) / (1 - gamma^s + q)^2. Never positive; 0 at gamma = 0 (if s > 1), -2s at
    gamma = 1. It vanishes with growing s at a fixed gamma < 1, not at all of them at once (E18).

    >>> f1_ba_slope([0.0, 0.9, 0.99, 1.0], q=0.25, s=100).round(3)
    array([   0.   ,   -0.   ,   -5.915, -200.   ])
    """
    gamma, q, s = shares(gamma, "gamma"), share(q, "q"), whole(s, "s", 1)
    steepness = float(min(s, FAR)) * np.power(gamma, float(min(s - 1, FAR)))
    return plain(0.0 - 2 * steepness * (q / (alarm_in(s, gamma) + q)) ** 2)


def plateau(q: float) -> float:
    """The constant M_u that F1_BA of noise keeps to, for w = s (lemma C-1a): 2q / (1 + q).

    It equals `chance_bound`: the plateau is a saturated one, where every point is marked (E19).

    >>> plateau(1.0)
    1.0
    """
    return chance_bound(q)


def flat_range(epsilon: float, *, q: float, s: int) -> tuple[float, float]:
    """The thresholds between which F1_BA of U[0, 1] noise lies on its plateau (lemma C-1a).

    From 0 to [epsilon (1 + q) / (q + epsilon)]^(1/s), for w = s: there F1_BA is at least
    (1 - epsilon) of 2q / (1 + q). It is the plateau itself at 0 and falls from there on, so the low
    end is always 0; the paper has a range without ends, or all thresholds (E18).
    epsilon = 0 gives (0, 0), epsilon = 1 gives (0, 1).

    >>> low, high = flat_range(0.05, q=0.2, s=100)
    >>> low, round(high, 5)
    (0.0, 0.98583)
    """
    epsilon, q = share(epsilon, "epsilon", zero=True), share(q, "q")
    highest = epsilon * (1 + q) / (q + epsilon)
    return 0.0, float(highest ** (1 / whole(s, "s", 1)))


def f1_ba_of_detector(alpha: Any, beta: Any, *, q: float, s: int, w: int) -> Any:
    """F1_BA of a detector that flags every point on its own (lemma C-2).

    2q (1 - A) / (1 - B + q (1 + B - A)) with A = alpha^s, B = beta^w: alpha is the chance that an
    anomalous point is missed, beta the chance that a normal one is left alone. The better detector
    has the *smaller* alpha and the *larger* beta, and scores higher; the paper prints the order of
    beta, and the conclusion, the wrong way round (E22, E23). The lemma has w = s (E24). 1: no
    miss and no false alarm. 0: alpha = 1, nothing is ever found. alpha = beta = N is noise.

    >>> f1_ba_of_detector(0.9, [0.9, 0.999], q=0.1, s=100, w=100).round(3)
    array([0.182, 0.7  ])
    """
    missed, quiet, q = shares(alpha, "alpha"), shares(beta, "beta"), share(q, "q")
    if np.ndim(missed) and np.ndim(quiet) and missed.size != quiet.size:
        sizes = f"{missed.size} and {quiet.size} points"
        raise InputError(f"alpha and beta must be equally long, got {sizes}")
    found = alarm_in(whole(s, "s", 1), missed)
    return plain(_f1(found, alarm_in(whole(w, "w", 1), quiet), q))


def false_alarm_cost(k: int, *, s: int, w: int, run: int = 1, events: int = 1) -> float:
    """What ``k`` false runs take from a perfect F1_BA (lemma C-3).

    k (run + w - 1) / (2 events s + k (run + w - 1)): a false run of ``run`` points marks
    run + w - 1, not run + w (E25). It is meant of runs whose islands overlap neither each other nor
    an event, nor the end of the series. 0: no false alarm. 1/3: one false point, one event, w = s
    (E26). That a miss costs too holds of events: one point in each scores 1 (E27).

    >>> false_alarm_cost(1, s=100, w=100)
    0.3333333333333333
    """
    marked = whole(run, "run", 1) + whole(w, "w", 1) - 1
    false = whole(k, "k", 0) * marked
    return false / (2 * whole(events, "events", 1) * whole(s, "s", 1) + false)


def false_alarm_cost_pa(k: int, *, s: int, run: int = 1, events: int = 1) -> float:
    """What ``k`` false runs take from a perfect F1_PA: `false_alarm_cost` with w = 1.

    k run / (2 events s + k run). It is above 0 too, so the paper's C-3 does not tell BA from PA:
    the size does (E26).

    >>> round(false_alarm_cost_pa(1, s=100), 4)
    0.005
    """
    return false_alarm_cost(k, s=s, w=1, run=run, events=events)


def auc_roc_pa(s: int) -> float:
    """The area under the ROC curve of continuous noise after point adjustment: s / (s + 1).

    The chance that the largest of s scores exceeds another one. 1/2: s = 1, nothing is adjusted.
    Towards 1 with wide events, though the scores know nothing.

    >>> auc_roc_pa(9)
    0.9
    """
    return auc_roc_ba([whole(s, "s", 1)], 1)


def auc_roc_ba(widths: Iterable[int], w: int) -> float:
    """The area under the ROC curve of continuous noise after balanced adjustment.

    Sum of x_e s_e / (s_e + w), with x_e the share of the anomalous points that lie in event e: the
    chance that the largest of s_e scores exceeds that of w others. 1/2: equal widths s = w. w = 1
    is PA. It falls towards 0 as islands outgrow the events.

    >>> auc_roc_ba([10, 10], 10), auc_roc_ba([10, 30], 30)  # 1/4 * 10/40 + 3/4 * 30/60
    (0.5, 0.4375)
    """
    w = whole(w, "w", 1)
    return float(sum(x * (s / (s + w)) for s, x in shares_of_widths(widths)))


def _f1(found: Any, false: Any, q: float) -> Any:
    """F1 of a recall and a false positive rate; q > 0, so it is always defined."""
    return 2 * q * found / (q + q * found + (1 - q) * false)
