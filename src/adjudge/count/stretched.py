"""Count events with tolerance: alarms around an event find it, and close alarms are one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from adjudge.checks import setting, share, whole
from adjudge.count.contract import Counting
from adjudge.count.ledger import Ledger, flagged_runs, hits_and_false_alarms, truth_rows
from adjudge.data.events import Events
from adjudge.data.intervals import stretches

if TYPE_CHECKING:
    from adjudge._typing import Flags, Positions
    from adjudge.adjust import Adjustment


@dataclass(frozen=True)
class StretchedEvents(Counting):
    """Weigh every event 1, found or not, and every run 1 that comes near no event that is found.

    Events and runs are prepared alike: those less than ``merge`` points apart are joined, then
    what is longer than ``split`` is cut into pieces of that length. An event is found when more
    than the share ``overlap`` of its stretch ``[start - before, stop + after)`` is flagged. A run
    with no point in the stretch of a found event is a false alarm. Several runs on one event cost
    nothing. With the default settings it is `Segments`.

    Parameters
    ----------
    before, after : int
        How many points early, or late, an alarm may come.
    overlap : float
        What share of the stretch must be exceeded.
    merge : int
        Closer than this, two events (or runs) are one.
    split : int or None
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

    before: int = setting(0, whole, 0)
    after: int = setting(0, whole, 0)
    overlap: float = setting(0, share, zero=True)
    merge: int = setting(0, whole, 0)
    split: int | None = setting(None, whole, 1)

    def ledger(self, flags: Flags, events: Events, adjust: Adjustment) -> Ledger:
        """Account for the events, and for the runs near none of them."""
        flags = adjust(flags, events)
        bounds = events.series_bounds
        truth = self._prepared(events.starts, events.stops, events)
        alarms = self._prepared(*flagged_runs(flags, events), events)
        home = np.searchsorted(bounds, truth.starts, side="right") - 1
        begin = np.maximum(truth.starts - self.before, bounds[home])
        end = np.minimum(truth.stops + self.after, bounds[home + 1])
        flagged = np.append(0, np.cumsum(alarms.labels))
        found = (flagged[end] - flagged[begin]) / (end - begin) > self.overlap
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
        apart = np.append(True, (starts[1:] - stops[:-1] >= self.merge) | (home[1:] > home[:-1]))
        apart = apart[: starts.size]
        last = np.append(apart[1:], True)[: starts.size]
        starts, stops = starts[apart], stops[last]
        if self.split is not None:
            count = -(-(stops - starts) // self.split)
            piece = stretches(np.zeros_like(count), count)
            starts = np.repeat(starts, count) + piece * self.split
            stops = np.minimum(starts + self.split, np.repeat(stops, count))
        return Events(starts, stops, events.n, bounds=bounds)


def _near(runs: Events, begin: Positions, end: Positions) -> Flags:
    """Say which runs have a point in one of the stretches, which may overlap."""
    steps = np.zeros(runs.n + 1, np.int64)
    np.add.at(steps, begin, 1)
    np.add.at(steps, end, -1)
    inside = np.cumsum(steps[:-1]) > 0
    return runs.max(inside)
