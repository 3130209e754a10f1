"""Count onsets: what an alarm is worth by how long after the start of an event it comes."""

from __future__ import annotations

from dataclasses import dataclass
from math import erfc, sqrt
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from adjudge.checks import word
from adjudge.count.contract import Counting
from adjudge.count.ledger import AlarmRows, Entries, first_touched, flagged_runs, truth_rows
from adjudge.data.time_settings import time_length
from adjudge.settings import setting

if TYPE_CHECKING:
    from adjudge._typing import Flags, Floats, Positions
    from adjudge.data.events import Events

Variant = Literal["all", "datadog"]


@dataclass(frozen=True)
class GaussianOnsets(Counting):
    r"""Credit the start of each event with how soon an alarm follows, by two half Gaussians.

    The events are taken in the order of time. Each takes the earliest alarm that begins at its
    start or later, in its series, and that no event has taken. For an alarm d points late it
    earns the area that two half Gaussians share which begin at the two starts,

    .. math:: w = \operatorname{erfc}\Big(\frac{d}{\sigma \sqrt 2}\Big)

    1: at once. .32: one sigma late; .003: three. An alarm that no event has taken costs 1 if it
    touches no event; inside of one it is neither right nor wrong.

    Parameters
    ----------
    sigma : float or duration
        How late an alarm may be: one sigma late earns .32.
    variant : "all" or "datadog"
        Which alarms that no event has taken are false: all that touch no event, or only those
        before the first event of the series.

    Examples
    --------
    >>> from adjudge.adjust.adjustments import raw
    >>> from adjudge.data.events import Events
    >>> events, flags = Events.from_labels([0, 1, 1, 0, 0, 0]), np.array([0, 1, 0, 0, 0, 1]) > 0
    >>> GaussianOnsets(sigma=2).entries(flags, events, raw).tally
    Tally(found=1.0, truth=1.0, right=1.0, flagged=2.0, normal=nan)
    """

    sigma: float = time_length(30, 1, "rate")
    variant: Variant = setting("all", word, get_args(Variant))

    def flag_rows(self, flags: Flags, events: Events) -> Entries:
        """Rows for every event and every alarm."""
        starts, stops = flagged_runs(flags, events)
        taken = _takers(starts, events)
        mine = taken >= 0
        late = starts[mine] - events.starts[taken[mine]]
        worth, earned = np.zeros(len(starts)), np.zeros(len(events))
        worth[mine] = earned[taken[mine]] = self._worth(late)
        false = ~mine & self._may_be_false(starts, stops, events)
        event = np.where(mine, taken, first_touched(starts, stops, events))
        alarms = AlarmRows.of_runs(starts, stops, event, worth + false, worth)
        found = np.isin(np.arange(len(events)), taken[mine])
        return Entries(truth_rows(flags, events, np.ones(len(events)), earned, found), alarms)

    def _worth(self, late: Positions) -> Floats:
        return np.array([erfc(d / (self.sigma * sqrt(2))) for d in late.tolist()])

    def _may_be_false(self, starts: Positions, stops: Positions, events: Events) -> Flags:
        if self.variant == "all":
            return np.asarray(first_touched(starts, stops, events) < 0)
        bounds = events.series_bounds
        home = np.searchsorted(bounds, starts, side="right") - 1
        first = np.append(events.starts, events.n)[np.searchsorted(events.starts, bounds[home])]
        return np.asarray(starts < np.minimum(first, bounds[home + 1]))


def _takers(starts: Positions, events: Events) -> Positions:
    """The number of the event that takes each alarm; -1 for none."""
    taken = np.full(len(starts), -1)
    bounds = events.series_bounds
    home = np.searchsorted(bounds, events.starts, side="right") - 1
    first = np.searchsorted(starts, events.starts)
    last = np.searchsorted(starts, bounds[home + 1])
    free = 0
    for event, (own, end) in enumerate(zip(first.tolist(), last.tolist(), strict=True)):
        alarm = max(own, free)
        if alarm < end:
            taken[alarm], free = event, alarm + 1
    return taken
