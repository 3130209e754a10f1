r"""Shifts of alarms that are positions: what they score at every place, without trying each.

Turn all alarms of a circle of m points by s: :math:`a \to (a + s) \bmod m`. Seen from the alarms, a
window that begins at b then begins at b - s. With the circle laid out twice and the number c(x) of
alarms before each place x of it, so many alarms lie before b:

.. math:: c(m - s + b) - c(m - s)

So the first alarm of every window, and the first one behind it, are two looks into a table, for
many shifts at once. All counts of windows and of pairs follow from these numbers. As s grows they
change only where an alarm enters or leaves a window, or passes the seam: between such places, the
ends of *arcs*, every count is constant. K windows and L alarms have (2K + 1) L of them, whatever m
is, and all m shifts cost no more than these.

Alarms that a cooldown silences are no alarms: they are dropped first, then the others turn.
"""

# Idea: seen from the alarms, windows turn; the first alarm of each and the first behind it are
# two looks into one table, and between the ends of arcs nothing changes.
# Invariant: without a cooldown every value is that of `Case.turned` by the same offsets.
# Trap: a cooldown looks at neighbours, which turning changes at the seam. Alarms that it
# silences are dropped before they turn, so that their number stays the same at every shift.

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from adjudge.count.changes import MatchedChanges, PositionCounting
from adjudge.count.early_warnings import (
    EarlyWarnings,
    FalseReports,
    OutsideWarnings,
    outside_of,
)
from adjudge.count.ledger import alarm_positions
from adjudge.count.tally import Tally
from adjudge.data.intervals import bincount, repeat
from adjudge.noise.shifting.rotation import Rotation

if TYPE_CHECKING:
    from adjudge._typing import Array, Floats, Positions
    from adjudge.count.changes import ChangeWindows
    from adjudge.data.events import Events
    from adjudge.metrics.metric import Metric

_ONE_READING = 1000  # numbers that one reading of its own is worth
_BLOCK = 1 << 21  # numbers of alarms at a time


class AlarmTable(NamedTuple):
    """The judged points of all circles in a row, each circle laid out twice."""

    firsts: Positions
    """Where each circle begins."""
    lengths: Positions
    before: Array
    """How many alarms lie before each place."""
    earlier: Positions
    """How many alarms the circles before each one have."""

    def counted(self, places: Positions, circle: Positions, by: Positions) -> Positions:
        """How many alarms lie before each place: a row per place, a column per shift.

        Parameters
        ----------
        places, circle : array of int
            Where they are in their circle, from 0 to its length, and which circle that is.
        by : array of int
            How far each circle turns: a row per shift.
        """
        seam = (self.firsts + self.lengths)[:, np.newaxis] - by.T
        turned = seam[circle]
        own = self.before[turned + places[:, np.newaxis]] - self.before[turned]
        return np.asarray(own + self.earlier[circle][:, np.newaxis])


class AlarmRings:
    """Alarms at positions, on circles that turn.

    Parameters
    ----------
    alarms : array of int
        Positions, ascending, on judged points.
    circles : Rotation
        The judged points of each series, or of each part of one.
    """

    def __init__(self, alarms: Positions, circles: Rotation) -> None:
        self.events, self.lengths = circles.events, circles.lengths
        self._bounds, self.alarms = circles.bounds, alarms
        judged = self.events.judged
        self._ranks = None if judged is None else np.append(0, np.cumsum(judged))
        self._ends = np.append(0, np.cumsum(self.lengths))
        self.circle, self.place = self._located(alarms)

    def _located(self, positions: Positions) -> tuple[Positions, Positions]:
        """The circle of each position, and how many judged points of it come before."""
        circle = np.searchsorted(self._bounds, positions, side="right") - 1
        ranks = positions if self._ranks is None else self._ranks[positions]
        return circle, ranks - self._ends[circle]

    def placed(self, edges: Positions) -> tuple[Positions, Positions]:
        """The same of edges, which may be the end of the last circle."""
        circle, place = self._located(np.minimum(edges, self._bounds[-1] - 1))
        last = edges >= self._bounds[-1]
        return circle, np.where(last, self.lengths[-1], place)

    @cached_property
    def laid(self) -> AlarmTable:
        """The circles laid out twice, with the number of alarms before each place."""
        firsts = 2 * self._ends[:-1]
        there = np.zeros(2 * int(self._ends[-1]) + 1, np.int64)
        for turn in (0, 1):
            there += bincount(
                firsts[self.circle] + turn * self.lengths[self.circle] + self.place,
                minlength=there.size,
            )
        before = np.append(0, np.cumsum(there[:-1])).astype(np.int32)
        counts = bincount(self.circle, minlength=self.lengths.size)
        return AlarmTable(firsts, self.lengths, before, np.append(0, np.cumsum(counts))[:-1])

    def shifted(self, by: Positions) -> Positions:
        """The positions after one shift, ascending."""
        place = (self.place + by[self.circle]) % self.lengths[self.circle]
        ranks = np.sort(self._ends[self.circle] + place)
        judged = self.events.judged
        return ranks if judged is None else np.flatnonzero(judged)[ranks]

    def arcs(self, edges: Positions) -> Positions:
        """The shifts of one circle at which an alarm passes an edge or the seam, and 0."""
        _, places = self.placed(edges)
        seen = np.unique(np.append(places, 0))
        turns = (seen[:, np.newaxis] - self.place) % self.lengths[0]
        return np.unique(np.append(turns.ravel(), 0))


class Edges(NamedTuple):
    """Numbers of alarms: the first of each window and the first behind it; shifts are columns."""

    first: Positions
    stop: Positions


class WindowTally(Protocol):
    """Counts alarms in windows, for many shifts at once."""

    def __call__(self, edges: Edges, late: Positions | None, alarms: int, /) -> Tally:
        """The masses of each shift."""
        ...


def pairs(edges: Edges, late: Positions | None, alarms: int) -> Tally:  # noqa: ARG001 - the contract
    """As many pairs of a window and an alarm in it as there can be."""
    taken = np.zeros(edges.first.shape[1], np.int64)
    found = np.zeros_like(taken)
    for first, stop in zip(edges.first, edges.stop, strict=True):
        np.maximum(taken, first, out=taken)
        hit = taken < stop
        taken += hit
        found += hit
    return Tally(found, len(edges.first), found, alarms)


def covered(first: Positions, stop: Positions) -> Positions:
    """How many alarms lie in any of the windows, whose first alarms ascend."""
    reached = np.zeros(first.shape[1], np.int64)
    inside = np.zeros_like(reached)
    for begin, end in zip(first, stop, strict=True):
        inside += np.maximum(end - np.maximum(begin, reached), 0)
        np.maximum(reached, end, out=reached)
    return inside


def in_time(edges: Edges, late: Positions | None, alarms: int) -> Tally:
    """Windows with an alarm, and alarms in a window; those that are late only are left out."""
    found = np.asarray((edges.stop > edges.first).sum(axis=0))
    right = covered(edges.first, edges.stop)
    ignored = 0 if late is None else covered(edges.first, np.maximum(late, edges.stop)) - right
    return Tally(found, len(edges.first), right, alarms - ignored)


def first_in_time(edges: Edges, late: Positions | None, alarms: int) -> Tally:
    """The same, where only the first alarm of a window is right."""
    tally = in_time(edges, late, alarms)
    last = np.full(edges.first.shape[1], -1)
    right = np.zeros_like(last)
    for first, stop in zip(edges.first, edges.stop, strict=True):
        new = (stop > first) & (first != last)
        right += new
        last = np.where(new, first, last)
    return tally._replace(right=right)


def way_of(counting: PositionCounting) -> WindowTally | None:
    """How a counting is made from the numbers of alarms; None: each shift is read by itself."""
    match counting:
        case MatchedChanges(trivial=False):
            return pairs
        case EarlyWarnings(extra="false"):
            return first_in_time
        case OutsideWarnings() | FalseReports():
            return in_time
    return None


class PositionShifts:
    """Shifts of alarms that are positions.

    Parameters
    ----------
    metric : Metric
        A metric of positions, at one threshold.
    flags : array
        Flags, or how many alarms stand at each point.
    circles : Rotation
        What turns.
    """

    def __init__(self, metric: Metric, flags: Array, circles: Rotation) -> None:
        parts = metric.on(circles.events).parts
        self._measure: Any = parts.measure
        self._count, adjust = parts.counting, parts.adjust
        self._events = circles.events
        if isinstance(self._count, PositionCounting):
            alarms = self._count.alarms(flags, self._events, adjust)
        else:
            alarms = alarm_positions(flags, self._events)
        self._turning = AlarmRings(alarms, circles)
        self._way = self._found_way()

    def _found_way(self) -> WindowTally | None:
        known = self._events.changes
        if known is not None and known.annotators is not None:
            return None
        return way_of(self._count) if isinstance(self._count, PositionCounting) else None

    @property
    def work(self) -> int:
        """About how many numbers one shift looks at."""
        changes, alarms = len(self._events), self._turning.alarms.size
        if self._way is None:
            return _ONE_READING + 10 * (changes + alarms)
        points = int(self._turning.lengths.sum())
        share = min(1.0, (2 * changes + 1) * alarms / points) if self._one_circle else 1.0
        return int(share * (changes + 1)) + 1

    @property
    def _one_circle(self) -> bool:
        return self._turning.lengths.size == 1

    def values(self, by: Positions) -> Floats:
        """The metric's value at each shift."""
        if self._way is None:
            return np.array([self._reading(row) for row in by], np.float64)
        edges = np.concatenate(self._edges)
        if not self._one_circle or (edges.size + 1) * self._turning.alarms.size >= len(by):
            return self._measured(by)
        cuts = self._turning.arcs(edges)
        lasts = np.append(cuts[1:], self._turning.lengths[0]) - cuts
        return repeat(self._measured(cuts[:, np.newaxis]), lasts)[by[:, 0]]

    def _reading(self, by: Positions) -> float:
        alarms = self._turning.shifted(by)
        if isinstance(self._count, PositionCounting):
            return float(self._measure(self._count.rows(alarms, self._events).tally))
        value: float = self._measure.of_alarms(alarms, self._events)
        return value

    @cached_property
    def _windows(self) -> ChangeWindows:
        assert isinstance(self._count, PositionCounting)  # noqa: S101 - it has a way
        windows = self._count.windows(self._events.starts, self._events)
        assert windows is not None  # noqa: S101 - the same
        return windows

    @cached_property
    def _edges(self) -> list[Positions]:
        """Where windows begin and end, and where what comes too late for them ends."""
        begin, end = self._windows
        if isinstance(self._count, OutsideWarnings) and self._count.late == "ignored":
            return [begin, end, self._count.late_zone(self._windows, self._events).end]
        return [begin, end]

    @cached_property
    def _outside(self) -> float:
        if not isinstance(self._count, (OutsideWarnings, FalseReports)):
            return np.nan
        windows = self._windows._replace(end=self._edges[-1])
        return int(np.count_nonzero(outside_of(windows, self._events)))

    def _measured(self, by: Positions) -> Floats:
        size = max(1, _BLOCK // (len(self._events) + 1))
        return np.concatenate([self._block(by[k : k + size]) for k in range(0, len(by), size)])

    def _block(self, by: Positions) -> Floats:
        assert self._way is not None  # noqa: S101 - whoever asks has looked
        laid = self._turning.laid
        first, stop, *late = (
            laid.counted(place, circle, by)
            for circle, place in map(self._turning.placed, self._edges)
        )
        edges = Edges(first, np.maximum(first, stop))
        tally = self._way(edges, late[0] if late else None, self._turning.alarms.size)
        found, truth, right, flagged = (np.broadcast_to(mass, len(by)) for mass in tally[:4])
        every = Tally(found, truth, right, flagged, self._outside)
        values = self._measure(every)
        return np.asarray(values, np.float64)


_PHASES = 50
_FEW, _ALIKE = 4, 0.1


def is_evenly_spaced(events: Events) -> bool:
    """Whether the gaps from change to change are nearly equal: a tenth of their mean, or less.

    >>> from adjudge.data.changes import Changes
    >>> is_evenly_spaced(Changes([100, 200, 301, 400], 500).events)
    True
    """
    gaps = np.diff(events.starts)
    return len(events) >= _FEW and bool(gaps.std() <= _ALIKE * gaps.mean())


def phases(length: int) -> Positions:
    """Places at which alarms at equal distances may begin: all, or as many evenly spread.

    >>> phases(3).tolist(), phases(1000)[:3].tolist()
    ([0, 1, 2], [0, 20, 40])
    """
    return np.unique(np.linspace(0, length, min(length, _PHASES), endpoint=False).astype(np.int64))


def blind(metric: Metric, events: Events) -> float:
    """What one alarm per window scores, whatever the data are; NaN where there are no windows.

    It is the rival that knows nothing: an alarm at every point is none, since of many alarms one at
    most is right. The value is the mean over the places at which the first alarm may be.
    """
    circles = Rotation(events)
    counting = metric.on(events).parts.counting
    windows = None
    if isinstance(counting, PositionCounting) and len(events):
        windows = counting.windows(events.starts, events)
    if windows is None:
        return np.nan
    length = max(1, round(float(np.median(windows.end - windows.begin))))
    every = alarms_evenly_spaced(circles, -(-circles.lengths // length))
    begins = phases(min(length, int(circles.lengths.max())))
    turns = repeat(begins[:, np.newaxis], circles.lengths.size, axis=1)
    turns %= np.maximum(circles.lengths, 1)
    values = PositionShifts(metric, every, circles).values(turns)
    return metric.row.mean(values)


def alarms_evenly_spaced(circles: Rotation, counts: Positions) -> Positions:
    """So many alarms on each circle at equal distances: how many stand at each point."""
    ends = np.append(0, np.cumsum(circles.lengths))
    ranks = np.concatenate([
        first + np.arange(count, dtype=np.int64) * length // max(count, 1)
        for first, length, count in zip(
            ends[:-1].tolist(), circles.lengths.tolist(), counts.tolist(), strict=True
        )
    ])  # fmt: skip
    judged = circles.events.judged
    places = ranks if judged is None else np.flatnonzero(judged)[ranks]
    return bincount(places, minlength=circles.events.n)
