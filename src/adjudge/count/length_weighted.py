"""Count items: an event is one item that weighs by its length, a normal point weighs 1."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from adjudge.checks import setting, word
from adjudge.count.contract import SweptCounting
from adjudge.count.points import Points
from adjudge.count.tally import Mass, Masses

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags, Positions
    from adjudge.adjust import Adjustment
    from adjudge.count.ledger import Ledger
    from adjudge.data.events import Events

Weight = Literal["one", "log", "sqrt", "length"]
_LOG_BASE = 3


@dataclass(frozen=True)
class LengthWeighted(SweptCounting):
    r"""Weigh every event f(length), found or missed as a whole, and every normal point 1.

    .. math:: F_1 = \frac{2 \sum_{hit} f(|e|)}{\sum_e f(|e|) + \sum_{hit} f(|e|) + FP}

    with f = 1 ("one"), :math:`\lfloor \log_3(|e| + 3) \rfloor` ("log"),
    :math:`\lfloor \sqrt{|e|} \rfloor` ("sqrt") or :math:`|e|` ("length": point adjustment).

    Parameters
    ----------
    weight : "one", "log", "sqrt" or "length"
        How much an event weighs: the less its length matters, the more a short event does.

    References
    ----------
    .. [1] H. Si et al. (2024). TimeSeriesBench: An Industrial-Grade Benchmark for Time Series
       Anomaly Detection Models. ISSRE. arXiv:2402.10802.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([1, 1, 1, 1, 0, 1])
    >>> LengthWeighted("sqrt").masses(np.array([1, 1, 1, 1, 1, 0]) > 0, events).at(False)
    Tally(found=2.0, truth=3, right=2.0, flagged=3.0, normal=1)
    """

    weight: Weight = setting("one", word, get_args(Weight))

    def masses(self, adjusted: Array, events: Events) -> Masses:
        """Count items above any threshold."""
        weights = self.weights(events.widths)
        found = Mass(events.max(adjusted), weights=weights)
        false = Mass(adjusted[events.normal])
        levels = false, Mass(adjusted[events.labels])
        return Masses(found, int(weights.sum()), None, false, levels, false.values.size)

    def ledger(self, flags: Flags, events: Events, adjust: Adjustment) -> Ledger:
        """Account for every event by its weight, and for false points."""
        points = Points().ledger(flags, events, adjust)
        weight = self.weights(events.widths)
        hit = points.truth.credit > 0
        truth = replace(points.truth, weight=weight, credit=weight * hit)
        own = points.alarms.event
        right = np.where(own >= 0, np.append(weight, 0)[own], 0)
        alarms = replace(points.alarms, weight=right + points.alarms.cost, credit=right)
        return replace(points, truth=truth, alarms=alarms)

    def weights(self, widths: Positions) -> Positions:
        """The weight of an event of each width."""
        match self.weight:
            case "one":
                return np.ones_like(widths)
            case "log":
                return _whole_log(widths + _LOG_BASE)
            case "sqrt":
                return np.sqrt(widths).astype(np.int64)  # exact: IEEE roots are
        return widths


def _whole_log(values: Positions) -> Positions:
    """The largest power of the base that each value reaches, without rounding."""
    powers = _LOG_BASE ** np.arange(39)
    return np.searchsorted(powers, values, side="right") - 1
