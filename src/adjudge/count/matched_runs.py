"""Count matched runs: a run is right when it fits one event well enough, and each event once.

It fits by overlap (the share of the points of both that they have in common), or by its ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from adjudge.checks import boolean, share
from adjudge.count.contract import Counting
from adjudge.count.ledger import AlarmRows, Entries, flagged_runs, truth_rows
from adjudge.data.intervals import overlaps, repeat, stretches
from adjudge.data.time_settings import time_length
from adjudge.errors import InputError
from adjudge.settings import setting

if TYPE_CHECKING:
    from adjudge._typing import Flags, Positions
    from adjudge.data.events import Events

_MOST_PAIRS = 10_000_000
"""Of events and runs that may be matched: beyond it, matching takes minutes."""


@dataclass(frozen=True)
class MatchedRuns(Counting):
    r"""Weigh every event and every run 1; a run is right if it is the first to match its event.

    .. math:: \mathrm{IoU}(h, g) = \frac{|h \cap g|}{|h \cup g|} \ge \tau

    Runs are taken in the order of time. Each looks at the event with which it has the largest
    overlap alone, the first among equals, and matches it if the overlap is at least tau and no run
    before has matched it.

    Parameters
    ----------
    tau : float
        The share of the points of run and event together that both must have in common.

    References
    ----------
    .. [1] C. Lea et al. (2017). Temporal Convolutional Networks for Action Segmentation and
       Detection. CVPR. arXiv:1611.05267.

    Examples
    --------
    >>> from adjudge.adjust.adjustments import raw
    >>> from adjudge.data.events import Events
    >>> events, flags = Events.from_labels([0, 1, 1, 1, 0, 0]), np.array([0, 0, 1, 1, 1, 0]) > 0
    >>> MatchedRuns(tau=0.5).entries(flags, events, raw).tally  # 2 points of 4
    Tally(found=1, truth=1, right=1, flagged=1, normal=nan)
    """

    tau: float = setting(0.5, share)

    def flag_rows(self, flags: Flags, events: Events) -> Entries:
        """Rows for every event and every run."""
        starts, stops = flagged_runs(flags, events)
        right, event = self._matches(starts, stops, events)
        found = np.zeros(len(events), np.int64)
        found[event[right]] = 1
        weight = np.ones(len(starts), np.int64)
        alarms = AlarmRows(starts, stops, event, starts, stops, weight, right.astype(np.int64))
        return Entries(truth_rows(flags, events, np.ones_like(found), found, found > 0), alarms)

    def _matches(
        self, starts: Positions, stops: Positions, events: Events
    ) -> tuple[Flags, Positions]:
        """Say which runs match an event, and which event each overlaps most (-1: none)."""
        run, other, length = overlaps(starts, stops, events.starts, events.stops)
        both = (stops - starts)[run] + events.widths[other] - length
        order = np.lexsort((other, -length / both, run))  # the largest first, then the earliest
        best = order[np.append(True, run[order][1:] != run[order][:-1])[: order.size]]
        event = np.full(len(starts), -1)
        event[run[best]] = other[best]
        enough = best[length[best] / both[best] >= self.tau]
        right = np.zeros(len(starts), bool)
        _, first = np.unique(other[enough], return_index=True)  # in the order of time
        right[run[enough[first]]] = True
        return right, event


@dataclass(frozen=True)
class NearRuns(Counting):
    r"""Weigh every event and every run 1; a run is right if its ends are near those of its event.

    A run may match an event when their starts are at most ``collar`` points apart, and, if ``ends``
    count, their ends at most that or the share ``slack`` of the event's length, whichever is
    more. Runs and events are matched one to one, as many as possible.

    Parameters
    ----------
    collar : int or duration
        How far apart starts (and ends) may be, in points or in time.
    ends : bool
        Whether ends count too.
    slack : float
        How far apart ends may be, as a share of the event's length.

    References
    ----------
    .. [1] A. Mesaros, T. Heittola, T. Virtanen (2016). Metrics for Polyphonic Sound Event
       Detection. Applied Sciences 6(6).

    Examples
    --------
    >>> from adjudge.adjust.adjustments import raw
    >>> from adjudge.data.events import Events
    >>> events, flags = Events.from_labels([0, 1, 1, 1, 0, 0]), np.array([0, 0, 1, 1, 1, 0]) > 0
    >>> NearRuns(collar=1).entries(flags, events, raw).tally
    Tally(found=1, truth=1, right=1, flagged=1, normal=nan)
    """

    collar: int = time_length(5, 0, "down")
    ends: bool = setting(True, boolean)
    slack: float = setting(0.5, share, zero=True)

    def flag_rows(self, flags: Flags, events: Events) -> Entries:
        """Rows for every event and every run."""
        starts, stops = flagged_runs(flags, events)
        event = self._matches(starts, stops, events)
        found = np.zeros(len(events), np.int64)
        found[event[event >= 0]] = 1
        right = (event >= 0).astype(np.int64)
        alarms = AlarmRows.of_runs(starts, stops, event, np.ones_like(right), right)
        return Entries(truth_rows(flags, events, np.ones_like(found), found, found > 0), alarms)

    def _matches(self, starts: Positions, stops: Positions, events: Events) -> Positions:
        """The event that each run is matched with, or -1."""
        from scipy.sparse import coo_array  # noqa: PLC0415 - who does not match pays nothing
        from scipy.sparse.csgraph import maximum_bipartite_matching  # noqa: PLC0415

        if not len(starts) or not len(events):
            return np.full(len(starts), -1)
        low = np.searchsorted(events.starts, starts - self.collar, side="left")
        count = np.searchsorted(events.starts, starts + self.collar, side="right") - low
        if (pairs_near := int(count.sum())) > _MOST_PAIRS:
            raise InputError(
                f"collar must leave at most {_MOST_PAIRS:,} pairs of an event and a flagged run "
                f"near it, got {self.collar} with {pairs_near:,}; lower it"
            )
        run, event = repeat(np.arange(len(starts)), count), stretches(low, count)
        bounds = events.series_bounds
        home, other = (np.searchsorted(bounds, side, "right") for side in (starts, events.starts))
        may = home[run] == other[event]
        if self.ends:
            apart = np.abs(stops[run] - events.stops[event])
            may &= (apart <= self.collar) | (apart / events.widths[event] <= self.slack)
        places = run[may].astype(np.int32), event[may].astype(np.int32)  # SciPy 1.11 takes no other
        pairs = coo_array(
            (np.ones(places[0].size, np.int8), places),
            shape=(len(starts), len(events)),
        )
        matched: Positions = maximum_bipartite_matching(pairs.tocsr(), perm_type="column")
        return matched.astype(np.int64)
