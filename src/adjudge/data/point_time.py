"""The time of points: where moments lie on the line of each series.

Moments are instants where points have times, else places that all series have in common.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from adjudge.data.durations import NANOSECONDS
from adjudge.data.events import Events  # noqa: TC001 - for the examples
from adjudge.data.intervals import distinct, repeat
from adjudge.data.time_settings import point_seconds
from adjudge.data.watched import Stretches

if TYPE_CHECKING:
    from adjudge._typing import Positions


class PointTime:
    """The lines of some points, as `adjudge.data.watched.WatchedTime` has those of services.

    >>> time = PointTime(Events.from_labels([0, 1, 1, 0, 0], series=list("aaabb")))
    >>> time.span, time.cuts(np.array([1, 9])).tolist()
    ((0, 3), [[0, 1, 3, 3], [0, 1, 2, 2]])
    """

    def __init__(self, events: Events) -> None:
        self._events, bounds = events, events.whole_series
        self._first, self._lengths = bounds[:-1], np.diff(bounds)

    @cached_property
    def _begin(self) -> Positions:
        """When each point begins; made when it is asked for, since it takes 8 bytes a point."""
        if self._events.clock is not None:
            return self._events.clock.instants
        return np.arange(self._events.n) - repeat(self._first, self._lengths)

    @cached_property
    def _end(self) -> Positions:
        if self._events.clock is None:
            return self._begin + 1
        lasts = np.rint(np.nan_to_num(point_seconds(self._events)) * NANOSECONDS["s"])
        return self._begin + np.maximum(lasts, 1).astype(np.int64)

    @cached_property
    def span(self) -> tuple[int, int]:
        """From when to when there are points."""
        return int(self._begin.min()), int(self._end.max())

    @cached_property
    def team(self) -> Stretches:
        """The time in which a point of any series is judged."""
        judged = slice(None) if self._events.judged is None else self._events.judged
        return Stretches.of(self._begin[judged], self._end[judged])

    def cuts(self, moments: Positions) -> Positions:
        """Where moments part each line, between its beginning and its end: a row per line."""
        inner = [
            np.searchsorted(self._begin[first : first + length], moments)
            for first, length in zip(self._first.tolist(), self._lengths.tolist(), strict=True)
        ]
        return np.column_stack([0 * self._lengths, np.array(inner), self._lengths])

    def places(self, first: int, end: int, moments: Positions) -> Positions:
        """Where moments part the points from one to another, as places among all points."""
        return np.asarray(first + np.searchsorted(self._begin[first:end], moments))

    def moments(self, line: Positions, place: Positions) -> Positions:
        """When places of lines are."""
        return np.asarray(self._begin[self._first[line] + place])

    def spans(self, edges: Positions) -> tuple[Positions, Positions]:
        """From when to when there are points between each edge and the next.

        >>> PointTime(Events([], [], 5, bounds=[0, 3, 5])).spans(np.array([0, 2, 3, 5]))
        (array([0, 2, 0]), array([2, 3, 2]))
        """
        return self._begin[edges[:-1]], self._end[edges[1:] - 1]

    def points(self, starts: Positions, ends: Positions) -> list[int]:
        """How many judged points begin from each start to each end."""
        judged = slice(None) if self._events.judged is None else self._events.judged
        begin = np.sort(self._begin[judged])
        found: list[int] = (np.searchsorted(begin, ends) - np.searchsorted(begin, starts)).tolist()
        return found

    def placed(self, points: Positions) -> tuple[Positions, Positions]:
        """The line of each point, and its place there."""
        line = np.searchsorted(self._first, points, side="right") - 1
        return line, points - self._first[line]

    def parted(self, cuts: Positions) -> Positions:
        """Blocks of lines as those that turn: the first point of each among all, and the end."""
        return distinct(np.append(self.among_all(cuts), self._events.series_bounds))

    def among_all(self, cuts: Positions) -> Positions:
        """Places of each line as places among all points."""
        return cuts + self._first[:, np.newaxis]
