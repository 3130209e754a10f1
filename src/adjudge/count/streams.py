"""Count points as they come: sums of what has passed, in memory that does not grow.

Of an event that is over it matters how long it was, how often and how late it was hit; of a flagged
run, whether it touched an event. So nothing is kept of a series but one event and one run that are
still going on, and the last points that an island of a coming false alarm may still mark.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.count.tally import StreamSums
from adjudge.data.events import Events
from adjudge.data.intervals import bincount, reduce_over, runs
from adjudge.data.windows import moving_max

if TYPE_CHECKING:
    from adjudge._typing import Flags, Positions
    from adjudge.adjust.contract import Adjustment
    from adjudge.count.contract import Counting

_FIRST = np.zeros(1, np.int64)


class Piece(NamedTuple):
    """Points side by side: which are anomalous, flagged, and judged at all."""

    labels: Flags
    flags: Flags
    judged: Flags


class StreamCounter:
    """One series as it passes, for one way of counting.

    Parameters
    ----------
    adjust, counting : Adjustment, Counting
        What is counted; the adjustment must have a rule by which events are marked one by one.

    Examples
    --------
    >>> from adjudge.adjust.adjustments import raw
    >>> from adjudge.count.points import PointCount
    >>> passing, every = StreamCounter(raw, PointCount()), np.ones(2, bool)
    >>> passing.take(Piece(np.array([False, True]), np.array([True, True]), every))
    >>> passing.take(Piece(np.array([True, False]), np.array([False, False]), every))
    >>> PointCount().of_stream(passing.so_far(), raw)
    Tally(found=1, truth=2, right=1, flagged=2, normal=2)
    """

    def __init__(self, adjust: Adjustment, counting: Counting) -> None:
        self._adjust, self._counting = adjust, counting
        self._sums = StreamSums()
        self._begin()

    def _begin(self) -> None:
        marking = self._adjust.marking(_apart(np.ones(1, np.int64)))
        assert marking is not None  # noqa: S101 - who streams has looked
        self._islands = _StreamIslands(marking.island)
        self._event: Positions | None = None
        self._run: bool | None = None
        self._flagged = False

    def take(self, piece: Piece) -> None:
        """Count the points that come next, at least one."""
        labels, flags = piece.labels & piece.judged, piece.flags & piece.judged
        normal = piece.judged & ~labels
        false = self._islands.take(flags & normal, normal)
        passed = self._events(labels, flags) + self._runs(labels, flags)
        self._sums += passed + StreamSums(false=false, normal=int(np.count_nonzero(normal)))

    def end(self) -> None:
        """Let the series end here: whatever comes next belongs to another one."""
        self._sums = self.so_far()
        self._begin()

    def so_far(self) -> StreamSums:
        """The sums as if the series ended here."""
        open_event = np.zeros((0, 4), np.int64) if self._event is None else self._event[np.newaxis]
        right = int(bool(self._run))
        wrong = int(self._run is not None) - right
        rest = StreamSums(right=right, wrong=wrong, false=self._islands.rest)
        return self._sums + self._of_events(open_event) + rest

    def _events(self, labels: Flags, flags: Flags) -> StreamSums:
        """Count the events that are over; one that is still going on is kept."""
        table = _event_table(labels, flags)
        if self._event is not None:
            if labels[0]:
                table[0] = _joined(self._event, table[0], goes_on=self._flagged and bool(flags[0]))
            else:
                table = np.vstack([self._event, table])
        self._event, self._flagged = None, bool(flags[-1])
        if labels[-1]:
            self._event, table = table[-1], table[:-1]
        return self._of_events(table)

    def _of_events(self, table: Positions) -> StreamSums:
        if not len(table):
            return StreamSums()
        widths, hits, first, inside = table.T
        marking = self._adjust.marking(_apart(widths))
        assert marking is not None  # noqa: S101 - who streams has looked
        at_once = (first >= 0) & (first < marking.first)  # of rules that look at the first points
        enough = np.where(marking.first == widths, hits >= marking.needed, at_once)
        credited = np.where(enough, widths, hits * marking.keeps)
        weights, hit = self._counting.weights(widths), hits > 0
        return StreamSums(
            truth=int(weights.sum()),
            found=int(weights[credited > 0].sum()),
            points=int(widths.sum()),
            credited=int(credited.sum()),
            late=int(first[hit].sum()),
            hit=int(np.count_nonzero(hit)),
            inside=int(inside.sum()),
        )

    def _runs(self, labels: Flags, flags: Flags) -> StreamSums:
        """Count the flagged runs that are over; one that is still going on is kept."""
        starts, stops = runs(flags, _FIRST)
        touched = reduce_over(np.logical_or, labels, starts, stops)
        if self._run is not None:
            if flags[0]:
                touched[0] |= self._run
            else:
                touched = np.append(self._run, touched)
        self._run = None
        if flags[-1]:
            self._run, touched = bool(touched[-1]), touched[:-1]
        right = int(np.count_nonzero(touched))
        return StreamSums(right=right, wrong=len(touched) - right)


class _StreamIslands:
    """Counts the normal points that false flags mark; waits where a coming flag may reach."""

    def __init__(self, width: int) -> None:
        self._back, self._ahead = width // 2, (width - 1) // 2
        self._sources = self._normal = np.zeros(0, bool)
        self._done = 0

    def take(self, sources: Flags, normal: Flags) -> int:
        """Take more points; how many normal ones are now known to be marked."""
        self._sources = np.append(self._sources, sources)
        self._normal = np.append(self._normal, normal)
        until = max(self._done, len(self._sources) - self._ahead)
        found = int(np.count_nonzero(self._marked[self._done : until]))
        kept = max(0, until - self._back)
        self._sources, self._normal = self._sources[kept:], self._normal[kept:]
        self._done = until - kept
        return found

    @property
    def rest(self) -> int:
        """How many more are marked if nothing comes any more."""
        return int(np.count_nonzero(self._marked[self._done :])) if len(self._sources) else 0

    @property
    def _marked(self) -> Flags:
        whole = np.array([0, len(self._sources)])
        return moving_max(self._sources, self._back, self._ahead, whole) & self._normal


def _event_table(labels: Flags, flags: Flags) -> Positions:
    """A line per event: its width, its hits, its first hit (-1: none), and the runs inside it."""
    starts, stops = runs(labels, _FIRST)
    inside = flags & labels
    hits = reduce_over(np.add, inside.view(np.int8), starts, stops, dtype=np.int64)
    places = np.flatnonzero(inside)
    owner = np.searchsorted(starts, places, side="right") - 1
    first = np.full(len(starts), -1)
    first[owner[::-1]] = places[::-1] - starts[owner[::-1]]  # the earliest is written last
    begun, _ = runs(inside, _FIRST)
    begins = bincount(np.searchsorted(starts, begun, side="right") - 1, minlength=len(starts))
    return np.stack([stops - starts, hits, first, begins], axis=1)


def _joined(one: Positions, other: Positions, *, goes_on: bool) -> Positions:
    """The line of an event that came in two parts; a run may go on from the one to the other."""
    first = one[2] if one[2] >= 0 else one[0] + other[2] if other[2] >= 0 else -1
    return np.array([one[0] + other[0], one[1] + other[1], first, one[3] + other[3] - goes_on])


def _apart(widths: Positions) -> Events:
    """Events of these widths, one after another, with a normal point behind each."""
    stops = np.cumsum(widths + 1) - 1
    return Events(stops - widths, stops, int(stops[-1]) + 1)
