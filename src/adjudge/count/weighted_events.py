"""Count items: an event is one item that weighs by its length, a normal point weighs 1.

Count events: each weighs 1 however long it is, and so does an island's worth of false time.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from adjudge.adjust.balanced import island_width
from adjudge.checks import word
from adjudge.count.contract import SweptCounting
from adjudge.count.ledger import Entries
from adjudge.count.points import PointCount
from adjudge.count.tally import Mass, Masses, Tally
from adjudge.data.time_settings import time_length
from adjudge.settings import setting

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags, Positions
    from adjudge.adjust.contract import Adjustment
    from adjudge.count.tally import StreamSums
    from adjudge.data.events import Events

_WIDEST = 10**300  # beyond which an island's worth of any normal time is nothing


@dataclass(frozen=True)
class EventWeighted(SweptCounting):
    r"""Weigh every event 1, and every ``width`` marked normal points 1.

    .. math:: F_1 = \frac{2d}{N + d + C/w}

    for d hit events of N, and C marked normal points. An isolated false alarm marks w points and so
    costs as much as a missed event, whatever the lengths: nine short events found weigh more than
    one long one. With every event hit and no false alarm it is 1.

    Parameters
    ----------
    width : int or "iid", optional
        Points of an island: the same as that of the adjustment, and the same default.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 0, 0, 1, 1, 1, 0, 1])
    >>> EventWeighted(width=2).masses(np.array([1, 1, 1, 0, 1, 1, 1, 0, 0]) > 0, events).at(False)
    Tally(found=1, truth=2, right=1, flagged=2.5, normal=2.5)
    """

    width: int | str | None = time_length(None, 1, "up", words=("iid",))

    def masses(self, adjusted: Array, events: Events) -> Masses:
        """Count events and islands' worth of false time above any threshold."""
        per = self._per(events)
        hit, false = Mass(events.max(adjusted)), Mass(adjusted[events.normal], per=per)
        levels = false, Mass(adjusted[events.labels])
        return Masses(hit, len(events), None, false, levels, false.values.size / per)

    def of_stream(self, passed: StreamSums, adjust: Adjustment) -> Tally | None:  # noqa: ARG002
        """Count the events and islands' worth of false time that have passed."""
        if not isinstance(self.width, int):  # the events decide it
            return None
        hit, per = passed.found, float(min(self.width, _WIDEST))
        return Tally(hit, passed.truth, hit, hit + passed.false / per, passed.normal / per)

    def entries(self, flags: Flags, events: Events, adjust: Adjustment) -> Entries:
        """Rows for every event, and for the islands that false runs pay for."""
        points = PointCount().entries(flags, events, adjust)
        hit, right = ((rows.credit > 0).astype(np.int64) for rows in (points.truth, points.alarms))
        per = self._per(events)
        alarms = replace(points.alarms, weight=right + points.alarms.cost / per, credit=right)
        truth = replace(points.truth, weight=np.ones_like(hit), credit=hit)
        return Entries(truth, alarms, points.normal / per)

    def _per(self, events: Events) -> float:
        return float(min(island_width(self.width, events), _WIDEST))


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

    def of_stream(self, passed: StreamSums, adjust: Adjustment) -> Tally:  # noqa: ARG002
        """Count the items that have passed."""
        found = passed.found
        return Tally(found, passed.truth, found, found + passed.false, passed.normal)

    def entries(self, flags: Flags, events: Events, adjust: Adjustment) -> Entries:
        """Rows for every event by its weight, and for false points."""
        points = PointCount().entries(flags, events, adjust)
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
