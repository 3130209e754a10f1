"""Count events: each weighs 1 however long it is, and so does an island's worth of false time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from adjudge.adjust.island_widths import island_width
from adjudge.checks import setting, whole_or_word
from adjudge.count.contract import SweptCounting
from adjudge.count.ledger import Ledger
from adjudge.count.points import Points
from adjudge.count.tally import Mass, Masses

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags
    from adjudge.adjust import Adjustment
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

    width: int | Literal["iid"] | None = setting(None, whole_or_word, 1, ("iid",), most=None)

    def masses(self, adjusted: Array, events: Events) -> Masses:
        """Count events and islands' worth of false time above any threshold."""
        per = self._per(events)
        hit, false = Mass(events.max(adjusted)), Mass(adjusted[events.normal], per=per)
        levels = false, Mass(adjusted[events.labels])
        return Masses(hit, len(events), None, false, levels, false.values.size / per)

    def ledger(self, flags: Flags, events: Events, adjust: Adjustment) -> Ledger:
        """Account for every event, and for the islands that false runs pay for."""
        points = Points().ledger(flags, events, adjust)
        hit, right = ((rows.credit > 0).astype(int) for rows in (points.truth, points.alarms))
        per = self._per(events)
        alarms = replace(points.alarms, weight=right + points.alarms.cost / per, credit=right)
        truth = replace(points.truth, weight=np.ones_like(hit), credit=hit)
        return Ledger(truth, alarms, points.normal / per)

    def _per(self, events: Events) -> float:
        return float(min(island_width(self.width, events), _WIDEST))
