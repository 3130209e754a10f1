"""Count overlaps by their time: time-aligned event scoring (TAES) of EEG.

An event earns the share of it that an alarm covers, and an alarm costs what it covers outside the
event, in lengths of the event and never more than one. An alarm is for one event: what else lies
under it is missed, however well it is covered.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from adjudge.count.contract import Counting
from adjudge.count.ledger import AlarmRows, Entries, first_touched, flagged_runs, truth_rows
from adjudge.data.intervals import first_and_count

if TYPE_CHECKING:
    from adjudge._typing import Flags, Floats, Positions
    from adjudge.data.events import Events


@dataclass(frozen=True)
class TimeAligned(Counting):
    r"""Credit each event with the share that its alarms cover; charge alarms with what sticks out.

    For an event r and an alarm h on it:

    .. math:: \text{hit} = \frac{|r \cap h|}{|r|}, \qquad \text{false} =
        \min\Big(1, \frac{|h \setminus r|}{|r|}\Big)

    Events are taken in the order of time, each with the first alarm on it that no event has taken.
    If that alarm ends before the event does, all further alarms on the event add to both.
    If it ends with the event or later, all further events under it are missed, whatever else covers
    them. An alarm that no event has taken costs 1.

    References
    ----------
    .. [1] V. Shah et al. (2021). Objective Evaluation Metrics for Automatic Classification of EEG
       Events. arXiv:1712.10107.

    Examples
    --------
    >>> from adjudge.adjust.adjustments import raw
    >>> from adjudge.data.events import Events
    >>> events, flags = Events.from_labels([0, 1, 1, 1, 1, 0]), np.array([0, 0, 0, 0, 1, 1]) > 0
    >>> TimeAligned().entries(flags, events, raw).tally  # a quarter is covered, another sticks out
    Tally(found=0.25, truth=1.0, right=0.25, flagged=0.5, normal=nan)
    """

    def flag_rows(self, flags: Flags, events: Events) -> Entries:
        """Rows for every event and every alarm."""
        starts, stops = flagged_runs(flags, events)
        event, hit, false = _taken(starts, stops, events)
        touched = first_touched(starts, stops, events)
        alarms = AlarmRows.of_runs(
            starts, stops, np.where(event >= 0, event, touched), hit + false, hit
        )
        earned = np.zeros(len(events))
        np.add.at(earned, event[event >= 0], hit[event >= 0])
        rows = truth_rows(flags, events, np.ones(len(events)), earned, earned > 0)
        return Entries(rows, alarms)


def _taken(starts: Positions, stops: Positions, events: Events) -> tuple[Positions, Floats, Floats]:
    """The event that takes each alarm (-1: none), what the alarm earns, and what it costs."""
    event = np.full(len(starts), -1)
    hit, false = np.zeros(len(starts)), np.ones(len(starts))
    first, count = first_and_count(events.starts, events.stops, starts, stops)
    missed_until = 0  # events that begin before here lie under an alarm of another event
    rows = zip(*(a.tolist() for a in (events.starts, events.stops, first, count)), strict=True)
    for number, (start, stop, alarm, alarms) in enumerate(rows):
        own = [j for j in range(alarm, alarm + alarms) if event[j] < 0]
        if start < missed_until or not own:
            continue
        if stops[own[0]] >= stop:
            missed_until = stops[own[0]]
            own = own[:1]
        inside = np.minimum(stops[own], stop) - np.maximum(starts[own], start)
        event[own] = number
        hit[own] = inside / (stop - start)
        false[own] = np.minimum((stops[own] - starts[own] - inside) / (stop - start), 1)
    return event, hit, false
