"""Budgets: how many events are found before the false alarms are more than one can bear.

The threshold is walked down from the top, and the walk ends before the first threshold at which the
budget is exceeded. The obvious other rule, the best recall at *any* threshold within the budget,
is won by flagging everything: false runs grow together as the threshold falls, and at the end one
run over all time touches every event and is no false alarm at all. For the same reason the lowest
threshold, above which everything lies, is left out: a constant score would reach it in one step.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.checks import Settings, not_negative, numbers, setting
from adjudge.data.time_settings import time_length

if TYPE_CHECKING:
    from adjudge.measure.curves import Curve

LUNA = (0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0)


@dataclass(frozen=True)
class RecallAt(Settings):
    r"""Share of the events found with at most ``rate`` false alarms per ``per`` normal points.

    .. math:: \max_{t > t^*} \frac{\text{found}(t)}{N}, \qquad
        t^* = \max\Big\{t : \text{per} \cdot \frac{\text{false runs}(t)}{\text{normal points}}
        > \text{rate}\Big\}

    1: every event is found before the budget is spent. 0: too many false alarms outrank all events.
    NaN: no event, or no normal point.

    Parameters
    ----------
    rate : float
        How many false alarms one can bear.
    per : float or duration
        In how many normal points, or in how much normal time.

    References
    ----------
    .. [1] A. I. Bandos et al. (2009). Area under the Free-Response ROC Curve (FROC) and a Related
       Summary Index. Biometrics 65(1).

    Examples
    --------
    >>> import adjudge as aj
    >>> labels, scores = [0, 1, 0, 0, 0, 1, 0], [0, 9, 0, 7, 0, 5, 0]
    >>> aj.recall_at(labels, scores, rate=0), aj.recall_at(labels, scores, rate=1, per=5)
    (0.5, 1.0)
    """

    rate: float = setting(1, not_negative)
    per: float = time_length(1000, 0, "rate", uneven=True)

    def __call__(self, curve: Curve) -> float:
        """Walk down the curve."""
        return float(_recalls(curve, np.array([self.rate]), self.per)[0])


@dataclass(frozen=True)
class Froc(Settings):
    """Mean of `RecallAt` over several budgets: one number for the free-response ROC curve.

    1: every event outranks every false alarm. 0: nothing is found within the largest budget. NaN:
    no event, or no normal point.

    Parameters
    ----------
    rates : tuple of float
        The budgets. Default: those of LUNA16, from an eighth to eight.
    per : float or duration
        In how many normal points, or in how much normal time.

    References
    ----------
    .. [1] A. I. Bandos et al. (2009). Biometrics 65(1).
    .. [2] A. A. A. Setio et al. (2017). LUNA16. arXiv:1612.08012 (the seven rates).

    Examples
    --------
    >>> import adjudge as aj
    >>> labels, scores = [0, 1, 0, 0, 0, 1, 0], [0, 9, 0, 7, 0, 5, 0]
    >>> aj.froc(labels, scores, rates=(0, 1), per=5)
    0.75
    """

    rates: tuple[float, ...] = setting(LUNA, numbers)
    per: float = time_length(1000, 0, "rate", uneven=True)

    def __call__(self, curve: Curve) -> float:
        """Walk down the curve once for all budgets."""
        return float(np.mean(_recalls(curve, np.array(self.rates), self.per)))


def _recalls(curve: Curve, rates: Any, per: float) -> Any:
    """The recall of events just before each budget is exceeded, from the top down."""
    found, truth, right, flagged, normal = curve.tally
    if not truth or not normal:
        return np.full(len(rates), np.nan)
    most = np.maximum.accumulate(per * (flagged - right)[:-1] / normal)
    walked = np.searchsorted(
        most, rates, side="right"
    )  # at least the top, where nothing is flagged
    return found[walked - 1] / truth
