"""Count points with a tolerance: near is right, and near is found.

Count events with tolerance: alarms around an event find it, and close alarms are one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from adjudge.checks import share
from adjudge.count.contract import Counting, SweptCounting
from adjudge.count.ledger import (
    AlarmRows,
    Entries,
    first_touched,
    flagged_runs,
    hits_and_false_alarms,
    truth_rows,
)
from adjudge.count.tally import Mass, Masses
from adjudge.data.events import Events
from adjudge.data.intervals import covered, reduce_over, repeat, stretches
from adjudge.data.time_settings import time_length
from adjudge.data.windows import at_least_apart, earliest, max_within, past_latest
from adjudge.settings import setting

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags, Positions


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
    >>> from adjudge.adjust.adjustments import raw
    >>> events, flags = Events.from_labels([0, 0, 0, 1, 1, 0, 0]), np.array([1, 0, 1, 0, 0, 0, 0])
    >>> StretchedEvents(before=1).entries(flags > 0, events, raw).tally
    Tally(found=1, truth=1, right=1, flagged=2, normal=nan)
    """

    before: int | str = time_length(0, 0, "down", uneven=True)
    after: int | str = time_length(0, 0, "down", uneven=True)
    overlap: float = setting(0, share, zero=True)
    merge: int | str = time_length(0, 0, "up", uneven=True)
    split: int | None = time_length(None, 1, "exact")

    def flag_rows(self, flags: Flags, events: Events) -> Entries:
        """Rows for the events, and for the runs near none of them."""
        truth = self._prepared(events.starts, events.stops, events)
        alarms = self._prepared(*flagged_runs(flags, events), events)
        begin = earliest(truth.starts, self.before, events)
        end = past_latest(truth.stops - 1, self.after, events)
        judged = events.judged_flags
        flagged, every = (
            np.append(0, np.cumsum(points)) for points in (alarms.labels & judged, judged)
        )
        found = (flagged[end] - flagged[begin]) / (every[end] - every[begin]) > self.overlap
        false = ~alarms.max(covered(begin[found], end[found], events.n))
        starts, stops = alarms.starts[false], alarms.stops[false]
        hit, one = found.astype(np.int64), np.ones(np.count_nonzero(found), np.int64)
        right = hits_and_false_alarms(
            truth, (np.flatnonzero(found), one, one), (starts, stops, np.ones_like(starts))
        )
        return Entries(truth_rows(alarms.labels, truth, np.ones_like(hit), hit, found), right)

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
            starts = repeat(starts, count) + piece * self.split
            stops = np.minimum(starts + self.split, repeat(stops, count))
            judged = reduce_over(np.logical_or, events.judged_flags, starts, stops)
            starts, stops = starts[judged], stops[judged]
        return Events(starts, stops, events.n, bounds=bounds)


@dataclass(frozen=True)
class Tolerant(SweptCounting):
    r"""Weigh every point 1; it is right, or found, when the other side is within ``tolerance``.

    .. math:: P = \frac{|\{p : \exists y, |p - y| \le \tau\}|}{|\{p\}|}, \qquad
        R = \frac{|\{y : \exists p, |p - y| \le \tau\}|}{|\{y\}|}

    over flagged points p and anomalous points y. With tolerance 0 it is pointwise.

    Parameters
    ----------
    tolerance : int or duration
        How many points, or how much time, apart still counts.

    References
    ----------
    .. [1] E. Scharwächter and E. Müller (2020). Statistical Evaluation of Anomaly Detectors for
       Sequences. arXiv:2008.05788.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 1, 1, 1, 0])
    >>> Tolerant(1).masses(np.array([1, 1, 0, 0, 0, 0]) > 0, events).at(False)
    Tally(found=1, truth=3, right=1, flagged=2, normal=3)
    """

    tolerance: int | str = time_length(5, 0, "down", uneven=True)

    def masses(self, adjusted: Array, events: Events) -> Masses:
        """Count points above any threshold."""
        near = self._near(events.labels, events)
        judged = events.judged_flags
        found = Mass(self._near(adjusted, events)[events.labels])
        right, false = Mass(adjusted[judged & near]), Mass(adjusted[judged & ~near])
        truth, normal = found.values.size, int(np.count_nonzero(events.normal))
        return Masses(found, truth, right, false, (right, false), normal)

    def flag_rows(self, flags: Flags, events: Events) -> Entries:
        """Rows for every event and every run."""
        credit = events.sum(self._near(flags, events))
        starts, stops = flagged_runs(flags, events)
        near = self._near(events.labels, events).view(np.int8)
        right = reduce_over(np.add, near, starts, stops, dtype=np.int64)
        event = self._event_of(starts, stops, events)
        alarms = AlarmRows.of_runs(starts, stops, event, stops - starts, right)
        normal = int(np.count_nonzero(events.normal))
        return Entries(truth_rows(flags, events, events.widths, credit, credit > 0), alarms, normal)

    def _event_of(self, starts: Positions, stops: Positions, events: Events) -> Positions:
        """The first event that a run touches, else the first within reach, else -1."""
        numbers = np.zeros(events.n, np.int64)
        numbers[events.labels] = events.spread(np.arange(len(events), 0, -1))  # the first is most
        reached = len(events) - reduce_over(np.maximum, self._near(numbers, events), starts, stops)
        touched = first_touched(starts, stops, events)
        return np.where(touched >= 0, touched, np.where(reached < len(events), reached, -1))

    def _near(self, values: Array, events: Events) -> Array:
        return max_within(values, self.tolerance, events)
