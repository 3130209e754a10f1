"""Count events with tolerance: alarms around an event find it, and close alarms are one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from adjudge.checks import setting, share
from adjudge.count.contract import Counting
from adjudge.count.ledger import Ledger, flagged_runs, hits_and_false_alarms, truth_rows
from adjudge.data.events import Events
from adjudge.data.intervals import reduce_over, stretches
from adjudge.data.time_settings import time_length
from adjudge.data.time_windows import at_least_apart, earliest, past_latest

if TYPE_CHECKING:
    from adjudge._typing import Flags, Positions
    from adjudge.adjust import Adjustment


@dataclass(frozen=True)
class StretchedEvents(Counting):
    """Weigh every event 1, found or not, and every run 1 that comes near no event that is found.

    Events and runs are prepared alike: those less than ``merge`` points apart are joined, then
    what is longer than ``split`` is cut into pieces of that length. An event is found when more
    than the share ``overlap`` of its stretch ``[start - before, stop + after)``, as far as that is
    judged, is flagged. A run with no point in the stretch of a found event is a false alarm.
    Several runs on one event cost nothing. A piece of which no point is judged is neither event nor
    run. With the default settings it is `Segments`.

    Parameters
    ----------
    before, after : int or duration
        How many points, or how much time, early or late an alarm may come.
    overlap : float
        What share of the stretch must be exceeded.
    merge : int or duration
        Closer than this, two events (or runs) are one.
    split : int, duration or None
        Longer than this, an event (or run) is several. None: never.

    References
    ----------
    .. [1] J. Dan et al. (2024). SzCORE: Seizure Community Open-Source Research Evaluation framework
       for the validation of electroencephalography-based automated seizure detection algorithms.
       Epilepsia. arXiv:2402.13005.

    Examples
    --------
    >>> from adjudge.adjust import raw
    >>> events, flags = Events.from_labels([0, 0, 0, 1, 1, 0, 0]), np.array([1, 0, 1, 0, 0, 0, 0])
    >>> StretchedEvents(before=1).ledger(flags > 0, events, raw).tally
    Tally(found=1, truth=1, right=1, flagged=2, normal=nan)
    """

    before: int | str = time_length(0, 0, "down", uneven=True)
    after: int | str = time_length(0, 0, "down", uneven=True)
    overlap: float = setting(0, share, zero=True)
    merge: int | str = time_length(0, 0, "up", uneven=True)
    split: int | None = time_length(None, 1, "exact")

    def ledger(self, flags: Flags, events: Events, adjust: Adjustment) -> Ledger:
        """Account for the events, and for the runs near none of them."""
        flags = adjust(flags, events)
        truth = self._prepared(events.starts, events.stops, events)
        alarms = self._prepared(*flagged_runs(flags, events), events)
        begin = earliest(truth.starts, self.before, events)
        end = past_latest(truth.stops - 1, self.after, events)
        judged = _judged(events)
        flagged, every = (
            np.append(0, np.cumsum(points)) for points in (alarms.labels & judged, judged)
        )
        found = (flagged[end] - flagged[begin]) / (every[end] - every[begin]) > self.overlap
        false = ~_near(alarms, begin[found], end[found])
        starts, stops = alarms.starts[false], alarms.stops[false]
        hit, one = found.astype(np.int64), np.ones(np.count_nonzero(found), np.int64)
        right = hits_and_false_alarms(
            truth, (np.flatnonzero(found), one, one), (starts, stops, np.ones_like(starts))
        )
        return Ledger(truth_rows(alarms.labels, truth, np.ones_like(hit), hit), right)

    def _prepared(self, starts: Positions, stops: Positions, events: Events) -> Events:
        """Join what is close, and cut what is long."""
        bounds = events.series_bounds
        home = np.searchsorted(bounds, starts, side="right")
        far = at_least_apart(stops[:-1], starts[1:], self.merge, events)
        apart = np.append(True, far | (home[1:] > home[:-1]))
        apart = apart[: starts.size]
        last = np.append(apart[1:], True)[: starts.size]
        starts, stops = starts[apart], stops[last]
        if self.split is not None:
            count = -(-(stops - starts) // self.split)
            piece = stretches(np.zeros_like(count), count)
            starts = np.repeat(starts, count) + piece * self.split
            stops = np.minimum(starts + self.split, np.repeat(stops, count))
            judged = reduce_over(np.logical_or, _judged(events), starts, stops)
            starts, stops = starts[judged], stops[judged]
        return Events(starts, stops, events.n, bounds=bounds)


def _judged(events: Events) -> Flags:
    return np.ones(events.n, bool) if events.judged is None else events.judged


def _near(runs: Events, begin: Positions, end: Positions) -> Flags:
    """Say which runs have a point in one of the stretches, which may overlap."""
    steps = np.zeros(runs.n + 1, np.int64)
    np.add.at(steps, begin, 1)
    np.add.at(steps, end, -1)
    inside = np.cumsum(steps[:-1]) > 0
    return runs.max(inside)
