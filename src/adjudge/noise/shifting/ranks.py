"""The scores of all circles as ranks, and what the events see of them at a shift.

All that counts of a score is its rank, and how many points reach a rank is known once for all: a
shift does not change it. So a shift costs a sort of the ranks that the events see. Where one hit
marks an event whole, only the highest rank that each event sees counts.
"""

# Idea: of a score only its rank counts, and how many points reach a rank no shift changes. So
# what is flagged is known once for all, and a shift sorts no more than what the events see.
# Invariant: every value is that of `Case.turned` by the same offsets, unless circles are
# closed.
# Trap: equal scores are one threshold. Ranks count equal scores alike, and what is found at a
# rank is read behind the last of them; islands near events, gaps and ends are not those of the
# plain circle.

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.data.intervals import bincount, reduceat
from adjudge.noise.shifting.rotation import LONGEST, Rotation, SeenPoints, running

if TYPE_CHECKING:
    from adjudge._typing import Array, Positions
    from adjudge.data.case import Case

AT_A_TIME = 1 << 17  # ranks that are gone through at a time: half a megabyte
_SHORT = 512  # values per row, from which on rows are searched one by one


class RankTable:
    """Scores as ranks from 0 up, equal scores alike, and how many points reach each rank.

    Parameters
    ----------
    case : Case
        Labels and scores.
    circles : Rotation
        The circles on which the ranks are laid out.
    known : UnrolledRanks, optional
        The ranks on other circles: no need to sort again.
    """

    def __init__(self, case: Case, circles: Rotation, known: RankTable | None = None) -> None:
        self._circles = circles
        self._windows: dict[int, WindowRanks] = {}
        self._runs: dict[int, EqualRuns] = {}
        judged = case.events.judged
        if known is None:
            scores = case.scores if judged is None else case.scores[judged]
            self.judged, self.distinct = ranked(scores)
            self.reaching = count_reaching(self.judged, self.distinct)
        else:
            self.judged, self.distinct, self.reaching = known.judged, known.distinct, known.reaching
        self._known = known
        self.tied = self.distinct < self.judged.size
        self.laid = circles.laid(self.judged)

    def count_at_or_above(self, ranks: Array) -> Array:
        """How many points reach each of some ranks, the one above the last among them."""
        return self.reaching.take(ranks) if self.tied else self.judged.size - ranks

    def windows(self, width: int) -> WindowRanks:
        """The highest rank in the window of each point, as if there were no events and no ends."""
        if width not in self._windows:
            highest = self._circles.highest_around(self.judged, width)
            reaching = count_reaching(highest, self.distinct)
            self._windows[width] = WindowRanks(highest, self._circles.laid(highest), reaching)
        return self._windows[width]

    def runs(self, width: int) -> EqualRuns:
        """The same as runs of equal ones, where circles are laid out twice."""
        if width not in self._runs:
            self._runs[width] = EqualRuns.of(self.windows(width).laid)
        return self._runs[width]

    def drop(self) -> None:
        """Let go of what one metric needed."""
        self._windows.clear()
        self._runs.clear()
        vars(self).pop("middle_sums", None)

    @cached_property
    def middle_sums(self) -> Positions:
        """Running sums of twice the rank of each point from 1 up, halfway among equals."""
        if self._known is not None:
            return self._known.middle_sums
        sums = np.full(self.judged.size + 1, 2 * self.judged.size + 1)
        sums[0] = 0
        for start in range(0, self.judged.size, AT_A_TIME):
            ranks = self.judged[start : start + AT_A_TIME]
            part = sums[1 + start : 1 + start + ranks.size]
            part -= self.count_at_or_above(ranks)
            part -= self.count_at_or_above(ranks + 1)
        np.cumsum(sums, out=sums)
        return sums


class WindowRanks(NamedTuple):
    """The highest rank in the window of each point, as if there were no events and no ends."""

    judged: Array
    laid: Array
    """The same as stretches look at it."""
    reaching: Array
    """How many windows reach each rank, and none above the last."""


def ranked(scores: Array) -> tuple[Array, int]:
    """Number the distinct scores from the lowest up."""
    lowest, highest = scores.min(), scores.max()
    above = scores > lowest
    if np.array_equal(above, scores == highest):  # two values, or one
        return above.astype(np.int32), 1 + bool(highest > lowest)
    order, ranks = np.argsort(scores), np.empty(scores.size, np.int32)
    rank, last = -1, None
    for start in range(0, order.size, AT_A_TIME):  # little memory beside the order
        part = order[start : start + AT_A_TIME]
        ordered = scores[part]
        rises = np.append(last is None or ordered[0] > last, ordered[1:] > ordered[:-1])
        ranks[part] = rank + np.cumsum(rises, dtype=np.int32)
        rank, last = int(ranks[part[-1]]), ordered[-1]
    return ranks, rank + 1


class ShiftedRanks:
    """What the events see of the ranks under some shifts: the metrics of a call share it.

    Parameters
    ----------
    ranks : UnrolledRanks
        The scores.
    sight : SeenPoints
        The events, in order of their widths.
    by : array of int
        One row per shift.
    """

    def __init__(self, ranks: RankTable, sight: SeenPoints, by: Positions) -> None:
        self.ranks, self.sight, self.by = ranks, sight, by
        self.marked: dict[int, Array] = {}
        """Normal points that islands of some width mark, on lines, where each event is found."""

    @property
    def ordered(self) -> Array:
        """The ranks that the anomalous points see, ascending."""
        return self._own[0]

    @property
    def highest(self) -> Array:
        """The highest rank that each event sees."""
        return self._own[1]

    @cached_property
    def _own(self) -> tuple[Array, Array]:
        """Both: most metrics ask for the one or the other, and looking costs more than either."""
        own = self.sight.seen(self.ranks.laid, self.by)
        highest = reduceat(np.maximum, own, self.sight.firsts, axis=1)
        own.sort(axis=1)
        return own, highest

    def seen(self) -> list[Array]:
        """The ranks that each event sees, events of one width at a time."""
        return self.sight.by_length(self.ranks.laid, self.by)

    @cached_property
    def at_each_rank(self) -> Positions:
        """How many anomalous points see each rank or more; only asked for if ranks are few."""
        circles, ranks = self.sight.circles, self.ranks.judged
        counts = [
            circles.sums_over(running(ranks >= r), self.by) for r in range(1, self.ranks.distinct)
        ]
        every = np.full(len(self.by), self.sight.stretches.lengths.sum())
        return np.stack([every, *counts], axis=1)


def count_reaching(ranks: Array, distinct: int) -> Array:
    """Count the points at or above each rank, and none above the last.

    >>> count_reaching(np.array([0, 2, 2]), 3)
    array([3, 2, 2, 0], dtype=int32)
    """
    reaching = np.zeros(distinct + 1, np.int32)
    parts = 1 if ranks.size <= LONGEST else 4  # NumPy makes two large numbers of each point
    for part in np.array_split(ranks, parts):
        reaching[:-1] += bincount(part, minlength=distinct)
    np.cumsum(reaching[::-1], out=reaching[::-1])
    return reaching


def count_at_or_above(ordered: Array, levels: Array) -> Array:
    """Count, row by row, the values at or above each level; the values of a row ascend.

    >>> count_at_or_above(np.array([[1, 3, 3, 7]]), np.array([[0, 3, 8]]))
    array([[4, 3, 0]])
    """
    rows, size = ordered.shape
    if size >= _SHORT:
        pairs = zip(ordered, levels, strict=True)
        return np.stack([size - np.searchsorted(row, wanted) for row, wanted in pairs])
    top = np.int64(max(ordered.max(initial=0), levels.max(initial=0)) + 1)
    row = np.arange(rows, dtype=np.int64)[:, np.newaxis] * top
    place = np.searchsorted((ordered + row).ravel(), levels + row)
    return np.asarray((np.arange(rows, dtype=np.int64)[:, np.newaxis] + 1) * size - place)


class EqualRuns(NamedTuple):
    """Values that change seldom: where each run of equal ones begins and ends, and its value."""

    starts: Positions
    stops: Positions
    values: Array
    number: Positions
    """The number of the run of each point."""

    @classmethod
    def of(cls, values: Array) -> EqualRuns:
        """Find the runs.

        >>> EqualRuns.of(np.array([5, 5, 2, 7])).number
        array([0, 0, 1, 2])
        """
        changes = np.append(True, values[1:] != values[:-1])
        starts = np.flatnonzero(changes)
        stops = np.append(starts[1:], values.size)
        return cls(starts, stops, values.take(starts), np.cumsum(changes) - 1)
