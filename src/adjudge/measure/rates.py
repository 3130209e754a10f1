"""Rates: formulas over the four masses, one value per threshold.

Undefined (0/0) is NaN, and only undefined is: with events but no alarms precision is NaN and F
is 0; with alarms but no events recall is NaN and F is 0; with neither all are NaN.

A share of a whole is never more than 1. Masses with weights are sums of rounded numbers, taken in
different orders, so a part may come out larger than its whole by the last digit: a rate that ends
there is 1, and two thresholds at which all is right are equally good.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.checks import positive
from adjudge.data.durations import duration
from adjudge.data.time_settings import time_length
from adjudge.settings import Settings, setting

if TYPE_CHECKING:
    from adjudge.count.tally import Tally


def precision(tally: Tally) -> Any:
    """Share of the flagging that was right.

    1: every alarm was right. 0: none was. NaN: there was no alarm.

    >>> from adjudge.count.tally import Tally
    >>> precision(Tally(found=1, truth=2, right=1, flagged=4)).item()
    0.25
    """
    return _share(tally.right, tally.flagged)


def recall(tally: Tally) -> Any:
    """Share of the truth that was found.

    1: all of it. 0: none. NaN: there was nothing to find.

    >>> from adjudge.count.tally import Tally
    >>> recall(Tally(found=1, truth=2, right=1, flagged=4)).item()
    0.5
    """
    return _share(tally.found, tally.truth)


def mean_found(tally: Tally) -> Any:
    """Mean of what was found, such as a delay, over the truth; it has no upper end.

    NaN: there was nothing to find.

    >>> from adjudge.count.tally import Tally
    >>> mean_found(Tally(found=7, truth=2, right=0, flagged=0)).item()
    3.5
    """
    return _ratio(tally.found, tally.truth)


@dataclass(frozen=True)
class FBeta(Settings):
    r"""Weighted harmonic mean of precision and recall.

    .. math:: F_\beta = \frac{(1 + \beta^2) P R}{\beta^2 P + R}
        \qquad\text{over points: } \frac{(1 + \beta^2) TP}{(1 + \beta^2) TP + \beta^2 FN + FP}

    Parameters
    ----------
    beta : float
        How much more recall weighs than precision. 1 is F1.

    Examples
    --------
    >>> from adjudge.count.tally import Tally
    >>> FBeta()(Tally(found=1, truth=2, right=1, flagged=4)).item()  # 2 / (2 + 4)
    0.3333333333333333
    """

    beta: float = setting(1, positive)

    def __call__(self, tally: Tally) -> Any:
        """Weigh precision against recall."""
        squared = self.beta**2
        found, truth, right, flagged, _ = tally
        if type(found) is int and found is right and (squared * truth + flagged):
            return np.float64(min(1.0, (1 + squared) * found / (squared * truth + flagged)))
        same = found == right
        if same is True or np.all(same):  # TP cancels: one division, exact for whole masses
            return at_most_one(_ratio((1 + squared) * found, squared * truth + flagged))
        value = _ratio((1 + squared) * found * right, squared * right * truth + found * flagged)
        nothing_in_common = (found == 0) & ((truth > 0) | (flagged > 0))
        return np.where(nothing_in_common, 0.0, at_most_one(value))


@dataclass(frozen=True)
class SignedFBeta(Settings):
    r"""Weighted harmonic mean of recall and the size of precision, with precision's sign.

    .. math:: F = \operatorname{sgn}(P)\,\frac{(1 + \beta^2) |P| R}{\beta^2 |P| + R}

    So a precision below chance lowers the score instead of making the denominator vanish.

    Parameters
    ----------
    beta : float
        How much more recall weighs than precision.

    Examples
    --------
    >>> from adjudge.count.tally import Tally
    >>> SignedFBeta()(Tally(found=1, truth=2, right=-1, flagged=2)).item()
    -0.5
    """

    beta: float = setting(1, positive)

    def __call__(self, tally: Tally) -> Any:
        """Weigh precision against recall."""
        squared = self.beta**2
        found, truth, right, flagged = (np.asarray(mass, np.float64) for mass in tally[:4])
        size = np.abs(right)
        with np.errstate(divide="ignore", invalid="ignore"):
            value = (1 + squared) * found * right / (squared * size * truth + found * flagged)
        return np.where((found == 0) & ((truth > 0) | (flagged > 0)), 0.0, value)


def mcc(tally: Tally) -> Any:
    r"""Matthews' correlation of labels and flags, over points.

    .. math:: \frac{TP \cdot TN - FP \cdot FN}
        {\sqrt{(TP + FP)(TP + FN)(TN + FP)(TN + FN)}}

    1: flags are labels. 0: no relation. -1: the opposite. NaN: no event, no normal point, no
    alarm, or nothing but alarms.

    >>> from adjudge.count.tally import Tally
    >>> mcc(Tally(found=2, truth=2, right=2, flagged=2, normal=5)).item()
    1.0
    """
    found, truth, _, flagged, normal = (np.asarray(mass, np.float64) for mass in tally)
    quiet = truth + normal - flagged
    agreement = found * (normal - (flagged - found)) - (flagged - found) * (truth - found)
    correlation = _ratio(agreement, np.sqrt((truth * normal) * (flagged * quiet)))
    return np.maximum(at_most_one(correlation), -1)


def balanced_accuracy(tally: Tally) -> Any:
    """Mean of recall and of the share of normal points left alone.

    1: flags are labels. 0.5: flags know nothing of them. NaN: one of the two classes is missing.

    >>> from adjudge.count.tally import Tally
    >>> balanced_accuracy(Tally(found=1, truth=2, right=1, flagged=2, normal=4)).item()
    0.625
    """
    false = np.asarray(tally.flagged) - tally.right
    return (recall(tally) + 1 - _ratio(false, tally.normal)) / 2


def informedness(tally: Tally) -> Any:
    r"""Recall less the false-positive rate: how much better than a guess the flags are informed.

    .. math:: J = \frac{\text{found}}{\text{truth}} - \frac{\text{false}}{\text{normal}}

    1: flags are labels. 0: flags know nothing of them, however many there are. -1: the opposite.
    NaN: one of the two classes is missing.

    References
    ----------
    .. [1] W. J. Youden (1950). Index for rating diagnostic tests. Cancer 3(1).

    Examples
    --------
    >>> from adjudge.count.tally import Tally
    >>> informedness(Tally(found=1, truth=2, right=1, flagged=2, normal=4)).item()
    0.25
    """
    false = np.asarray(tally.flagged) - tally.right
    return recall(tally) - _ratio(false, tally.normal)


def specificity(tally: Tally) -> Any:
    """Share of the normal points that were left alone.

    1: no false alarm. 0: every normal point is flagged. NaN: there is no normal point.

    >>> from adjudge.count.tally import Tally
    >>> specificity(Tally(found=1, truth=2, right=1, flagged=2, normal=4)).item()
    0.75
    """
    return 1 - false_positive_rate(tally)


def false_positive_rate(tally: Tally) -> Any:
    """Share of the normal points that were flagged.

    0: no false alarm. 1: every normal point is flagged. NaN: there is no normal point.

    >>> from adjudge.count.tally import Tally
    >>> false_positive_rate(Tally(found=1, truth=2, right=1, flagged=2, normal=4)).item()
    0.25
    """
    return _ratio(np.asarray(tally.flagged) - tally.right, tally.normal)


def negative_predictive_value(tally: Tally) -> Any:
    """Share of the points left alone that are normal.

    1: no anomalous point is left alone. 0: nothing else is. NaN: every point is flagged.

    >>> from adjudge.count.tally import Tally
    >>> negative_predictive_value(Tally(found=1, truth=2, right=1, flagged=2, normal=4)).item()
    0.75
    """
    quiet = tally.normal - (np.asarray(tally.flagged) - tally.right)
    return _ratio(quiet, quiet + tally.truth - tally.found)


def markedness(tally: Tally) -> Any:
    """Precision plus the share of the points left alone that are normal, less 1.

    1: flags are labels. 0: flags know nothing of them. -1: the opposite. NaN: nothing is flagged,
    or everything.

    >>> from adjudge.count.tally import Tally
    >>> markedness(Tally(found=1, truth=2, right=1, flagged=2, normal=4)).item()
    0.25
    """
    return precision(tally) + negative_predictive_value(tally) - 1


def kappa(tally: Tally) -> Any:
    r"""Cohen's kappa: agreement of labels and flags beyond what their rates alone would give.

    .. math:: \frac{2 (TP \cdot TN - FP \cdot FN)}{(TP + FP)(FP + TN) + (TP + FN)(FN + TN)}

    1: flags are labels. 0: they agree as often as if they knew nothing of each other. Below 0: less
    often. NaN: labels and flags are one and the same value everywhere.

    References
    ----------
    .. [1] J. Cohen (1960). A Coefficient of Agreement for Nominal Scales. Educational and
       Psychological Measurement 20(1).

    Examples
    --------
    >>> from adjudge.count.tally import Tally
    >>> kappa(Tally(found=1, truth=2, right=1, flagged=2, normal=4)).item()  # 2 (3 - 1) / 16
    0.25
    """
    found, truth, _, flagged, normal = (np.asarray(mass, np.float64) for mass in tally)
    false, missed = flagged - found, truth - found
    quiet = normal - false
    agreement = found * quiet - false * missed
    return at_most_one(_ratio(2 * agreement, flagged * normal + truth * (missed + quiet)))


def jaccard(tally: Tally) -> Any:
    r"""Points both anomalous and flagged, over points that are either.

    .. math:: \frac{TP}{TP + FP + FN} = \frac{F_1}{2 - F_1}

    1: flags are labels. 0: they share no point. NaN: there are neither. It orders detectors as F1.

    >>> from adjudge.count.tally import Tally
    >>> jaccard(Tally(found=1, truth=2, right=1, flagged=2)).item()
    0.3333333333333333
    """
    return _ratio(tally.found, np.asarray(tally.truth) + tally.flagged - tally.found)


def time_in_alarm(tally: Tally) -> Any:
    """Share of all points that are flagged, right or wrong.

    0: silence. 1: an alarm over everything.

    >>> from adjudge.count.tally import Tally
    >>> time_in_alarm(Tally(found=1, truth=2, right=1, flagged=3, normal=4)).item()
    0.5
    """
    return _ratio(np.asarray(tally.flagged), tally.truth + tally.normal)


def cost(tally: Tally) -> Any:
    """What was flagged wrongly, as a number.

    0: nothing was. There is no upper end.

    >>> from adjudge.count.tally import Tally
    >>> cost(Tally(found=1, truth=2, right=1, flagged=3)).item()
    2
    """
    return np.asarray(tally.flagged) - tally.right


def cost_share(tally: Tally) -> Any:
    """Share of the flagging that was not right.

    0: all of it was. 1: none was. NaN: there was no alarm.

    >>> from adjudge.count.tally import Tally
    >>> cost_share(Tally(found=1, truth=2, right=1, flagged=4)).item()
    0.75
    """
    return _ratio(np.asarray(tally.flagged) - tally.right, tally.flagged)


@dataclass(frozen=True)
class FalseAlarmRate(Settings):
    r"""Flagged runs that touch no event, per so many normal points.

    .. math:: \text{per} \cdot \frac{\text{false runs}}{\text{normal points}}

    0: no false alarm. NaN: there is no normal point.

    Parameters
    ----------
    per : float or duration
        How many points the rate is for, or how much time: "1h", "1d".

    Examples
    --------
    >>> from adjudge.count.tally import Tally
    >>> FalseAlarmRate(per=60)(Tally(found=1, truth=1, right=1, flagged=4, normal=720)).item()
    0.25
    """

    per: float = time_length(1, 0, "rate", uneven=True)

    def __call__(self, tally: Tally) -> Any:
        """Divide the false runs by the normal points."""
        return _false_per(tally, self.per)


@dataclass(frozen=True)
class FalseAlarms(Settings):
    r"""Flagged runs that touch no event, per so many points that were watched.

    .. math:: \text{per} \cdot \frac{\text{false runs}}{\text{judged points}}

    0: no false alarm.

    Parameters
    ----------
    per : float or duration
        How many points the rate is for, or how much time: "1w", "1d".

    Examples
    --------
    >>> from adjudge.count.tally import Tally
    >>> FalseAlarms(per=60)(Tally(found=1, truth=1, right=1, flagged=4, normal=720)).item()
    0.25
    """

    per: float = time_length(1, 0, "rate")

    def __call__(self, tally: Tally) -> Any:
        """Divide the false runs by the judged points."""
        return _false_per(tally, self.per)


def _false_per(tally: Tally, per: float | str) -> Any:
    """False runs in so much normal time: points, or nanoseconds where it is said as a duration."""
    length = float(duration(per, "per")) if isinstance(per, str) else per
    false = np.asarray(tally.flagged, np.float64) - tally.right
    with np.errstate(divide="ignore", invalid="ignore"):
        return length * np.divide(false, tally.normal)


def cost_per_time(tally: Tally) -> Any:
    """What was not saved of the truth, and what was flagged wrongly, per watched time.

    0: all was saved, at no cost. NaN: nothing was watched.

    >>> from adjudge.count.tally import Tally
    >>> cost_per_time(Tally(found=498, truth=1000, right=0, flagged=20, normal=4)).item()
    130.5
    """
    paid = np.asarray(tally.truth, np.float64) - tally.found + tally.flagged - tally.right
    watched = np.asarray(tally.normal, np.float64)
    return paid / np.where(watched > 0, watched, np.nan)


def time_share(tally: Tally) -> Any:
    """Share of the watched time that is flagged, or in warning.

    1: all of it. 0: none. NaN: nothing was watched.

    >>> from adjudge.count.tally import Tally
    >>> time_share(Tally(found=1, truth=1, right=14, flagged=25, normal=100)).item()
    0.25
    """
    return _share(tally.flagged, tally.normal)


def net_gain(tally: Tally) -> Any:
    """What was gained, less what it cost, as a share of all there was to gain.

    1: all of it, at no cost. 0: silence. Below 0: worse than silence. NaN: nothing to gain.

    >>> from adjudge.count.tally import Tally
    >>> net_gain(Tally(found=3, truth=4, right=0, flagged=1)).item()
    0.5
    """
    found = np.minimum(tally.found, tally.truth)  # gains are added up in the order of the scores
    net = np.asarray(found, np.float64) - tally.flagged + tally.right
    return np.divide(net, tally.truth, out=np.full(net.shape, np.nan), where=tally.truth > 0)


def time_between(tally: Tally) -> Any:
    """Mean time from one false alarm to the next: time outside all windows over false alarms.

    Infinite: there is no false alarm. NaN: there is neither such time nor such an alarm.

    >>> from adjudge.count.tally import Tally
    >>> time_between(Tally(found=1, truth=1, right=1, flagged=4, normal=720)).item()
    240.0
    """
    false = np.asarray(tally.flagged, np.float64) - tally.right
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.divide(tally.normal, false)


def accuracy(tally: Tally) -> Any:
    """Share of the points that are called right.

    1: flags are labels. 0: the opposite. Silence scores the share of normal points.

    >>> from adjudge.count.tally import Tally
    >>> accuracy(Tally(found=1, truth=2, right=1, flagged=2, normal=4)).item()
    0.6666666666666666
    """
    quiet = tally.normal - (np.asarray(tally.flagged) - tally.right)
    return _ratio(tally.found + quiet, tally.truth + tally.normal)


def rand_index(tally: Tally) -> Any:
    """Share of the pairs of points that labels and flags either both join or both part.

    1: flags are labels, or their opposite. NaN: fewer than two points.

    References
    ----------
    .. [1] W. M. Rand (1971). Objective Criteria for the Evaluation of Clustering Methods. JASA
       66(336).

    Examples
    --------
    >>> from adjudge.count.tally import Tally
    >>> rand_index(Tally(found=1, truth=1, right=1, flagged=2, normal=2)).item()  # 1 pair of 3
    0.3333333333333333
    """
    found, truth, _, flagged, normal = (np.asarray(mass, np.float64) for mass in tally)
    false, missed = flagged - found, truth - found
    agree, points = found + normal - false, truth + normal
    pairs = (agree**2 + (false + missed) ** 2 - points) / 2
    return at_most_one(_ratio(pairs, points * (points - 1) / 2))


def at_most_one(value: Any) -> Any:
    """Take off what rounding added to a share; NaN stays.

    >>> at_most_one(1.0000000000000002).item()
    1.0
    """
    return np.minimum(value, 1)


def _share(part: Any, whole: Any) -> Any:
    ratio = _ratio(part, whole)
    return np.minimum(ratio, 1, out=ratio if isinstance(ratio, np.ndarray) else None)


def _ratio(part: Any, whole: Any) -> Any:
    if type(whole) in (int, float) and whole > 0:  # of one threshold: no warning to be silenced
        return np.float64(part) / whole
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.divide(part, whole)
