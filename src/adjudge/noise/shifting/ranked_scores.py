"""Laid islands: how many normal points the islands of false alarms mark, at any rank and shift.

Only the points within an island's reach of an event, a gap or an end differ from the plain moving
maximum of the circle. So that is counted once; of each shift the points that differ are
taken out of the count, and put in as they are.

Laid ranks: the scores of all circles as ranks, and what the events see of them at a shift.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from adjudge.data.windows import moving_max
from adjudge.noise.shifting.rotation import Places, Rotation, SeenPoints, Stretches

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge._typing import Array, Flags, Positions
    from adjudge.data.case import Case

_SHORT = 512  # values per row, from which on rows are searched one by one


class UnrolledRanks:
    """Scores as ranks from 0 up, equal scores alike, and how many points reach each rank."""

    def __init__(self, case: Case, circles: Rotation) -> None:
        judged = case.events.judged
        scores = case.scores if judged is None else case.scores[judged]
        self.judged, self.distinct = ranked(scores)
        self.tied = self.distinct < scores.size
        everywhere = np.zeros(case.events.n, np.int32)
        everywhere[slice(None) if judged is None else judged] = self.judged
        self.laid = circles.twice(everywhere)
        self.reaching = count_reaching(self.judged, self.distinct)


def ranked(scores: Array) -> tuple[Array, int]:
    """Number the distinct scores from the lowest up."""
    lowest, highest = scores.min(), scores.max()
    above = scores > lowest
    if np.array_equal(above, scores == highest):  # two values, or one
        return above.astype(np.int32), 1 + bool(highest > lowest)
    order = np.argsort(scores)
    rises = np.append(False, np.diff(scores[order]) > 0)
    ranks = np.empty(scores.size, np.int32)
    ranks[order] = np.cumsum(rises)
    return ranks, int(np.count_nonzero(rises)) + 1


class RotatedRanks:
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

    def __init__(self, ranks: UnrolledRanks, sight: SeenPoints, by: Positions) -> None:
        self.ranks, self.sight, self.by = ranks, sight, by

    @cached_property
    def ordered(self) -> Array:
        """The ranks that the anomalous points see, ascending."""
        own = self.sight.seen(self.ranks.laid, self.by)
        own.sort(axis=1)
        return own

    @cached_property
    def highest(self) -> Array:
        """The highest rank that each event sees."""
        return np.concatenate([own.max(axis=2) for own in self.seen()], axis=1)

    def seen(self) -> list[Array]:
        """The ranks that each event sees, events of one width at a time."""
        return self.sight.by_length(self.ranks.laid, self.by)

    @cached_property
    def at_each_rank(self) -> Positions:
        """How many anomalous points see each rank or more; only asked for if ranks are few."""
        circles, laid = self.sight.circles, self.ranks.laid
        counts = [circles.sums_in_events(laid >= r, self.by) for r in range(1, self.ranks.distinct)]
        every = np.full(len(self.by), self.sight.stretches.lengths.sum())
        return np.stack([every, *counts], axis=1)


def count_reaching(ranks: Array, distinct: int) -> Array:
    """Count the points at or above each rank, and none above the last."""
    counts = np.bincount(ranks, minlength=distinct)
    return np.append(np.cumsum(counts[::-1])[::-1], 0).astype(np.int32)


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
    row = np.arange(rows)[:, np.newaxis] * top
    place = np.searchsorted((ordered + row).ravel(), levels + row)
    return np.asarray((np.arange(rows)[:, np.newaxis] + 1) * size - place)


_AT_A_TIME = 1 << 17  # ranks that a moving maximum goes through at a time: half a megabyte


class UnrolledIslands:
    """The islands of all ranks, ready to be counted at any shift.

    Parameters
    ----------
    ranks : UnrolledRanks
        The scores.
    circles : Rotation
        The truth.
    width : int
        Points of an island.
    closed : bool
        Whether islands run round the circle on which the scores turn; else they end with their
        series.
    """

    def __init__(
        self, ranks: UnrolledRanks, circles: Rotation, width: int, *, closed: bool = False
    ) -> None:
        width = min(width, 2 * circles.events.n)
        self._ranks, self._circles = ranks, circles
        self._border = Border(circles, width, _closed if closed else _ended)
        self._free, self._reaching = self._without_events()
        self._out = [SeenPoints(circles, circles.of_events), self._border.own]

    @property
    def work(self) -> int:
        """About how many numbers one shift looks at."""
        return self._border.size

    def at(self, by: Positions) -> RotatedIslands:
        """Turn the labels."""
        out = np.concatenate([sight.seen(self._free, by) for sight in self._out], axis=1)
        put_in = self._border.highest(self._ranks.laid, by)
        runs = (RunCounts(part, self._ranks.distinct) for part in (out, put_in))
        return RotatedIslands(self._reaching, *runs)

    def _without_events(self) -> tuple[Array, Array]:
        """The moving maximum of each circle as if it had no events and no ends."""
        border, circles = self._border, self._circles
        parts, place = [], 0
        for length in circles.lengths[circles.lengths > 0].tolist():
            wrapped = np.arange(-border.before, length + border.after) % length
            ranks = self._ranks.judged[place + wrapped]
            moved = moving_max(ranks, 0, border.before + border.after, np.array([0, ranks.size]))
            parts.append(moved[:length])
            place += length
        free = np.concatenate(parts)
        everywhere = np.zeros(circles.events.n, free.dtype)
        everywhere[slice(None) if circles.events.judged is None else circles.events.judged] = free
        return circles.twice(everywhere), count_reaching(free, self._ranks.distinct)


class RotatedIslands(NamedTuple):
    """The islands at some shifts: the plain count, what is taken out of it, what is put in."""

    plain: Array
    out: RunCounts
    put_in: RunCounts

    def marked(self, levels: Array) -> Array:
        """Count the normal points whose island reaches each level."""
        put_in, out = (part.at_or_above(levels) for part in (self.put_in, self.out))
        return np.asarray(self.plain[levels] + put_in - out)


class RunCounts:
    """Rows of ranks that change seldom, as those of islands do, counted run by run.

    >>> RunCounts(np.array([[5, 5, 2, 2, 2, 7]]), 8).at_or_above(np.array([[2, 3, 6]]))
    array([[6, 3, 1]])
    """

    def __init__(self, ranks: Array, distinct: int) -> None:
        self._distinct, self._points = distinct, ranks.shape[1]
        changes = np.ones(ranks.shape, bool)
        np.not_equal(ranks[:, 1:], ranks[:, :-1], out=changes[:, 1:])
        at = np.flatnonzero(changes)
        bits = int(self._points).bit_length()
        row = at // max(self._points, 1)
        keys = row * distinct + ranks.ravel()[at] << bits
        keys |= np.diff(at, append=ranks.size)  # each with its length, so that one sort does it
        keys.sort()
        self._keys = keys >> bits
        self._before = np.append(0, np.cumsum(keys & ((1 << bits) - 1)))

    def at_or_above(self, levels: Array) -> Array:
        """Count, row by row, the points at or above each level."""
        row = np.arange(len(levels))[:, np.newaxis]
        place = np.searchsorted(self._keys, levels + row * self._distinct)
        return np.asarray((row + 1) * self._points - self._before[place])


class Line(NamedTuple):
    """Normal stretches in a line, far enough apart where nothing reaches from one to the next."""

    starts: Positions
    stops: Positions
    places: Places
    """Where each one begins on its circle."""
    own: Flags
    """Whether it stands at its own place; else it is only looked at."""

    def ends(self, left: int, right: int) -> Line:
        """Cut the first and the last points off each stretch; a short one stays in one part."""
        starts, stops = self.starts, self.stops
        short = stops - starts <= left + right
        begin = np.concatenate([starts, np.where(short, stops, stops - right)])
        end = np.concatenate([np.where(short, stops, starts + left), stops])
        kept = np.flatnonzero(end > begin)
        kept = kept[np.argsort(begin[kept], kind="stable")]
        begin, stretch = begin[kept], kept % max(starts.size, 1)
        places = self.places.place[stretch] + begin - starts[stretch]
        own = self.own[stretch]
        return Line(begin, end[kept], Places(self.places.circle[stretch], places), own)

    def only(self, kept: Flags) -> Line:
        """Some of the stretches."""
        places = Places(*(side[kept] for side in self.places))
        return Line(self.starts[kept], self.stops[kept], places, self.own[kept])


def _ended(circles: Rotation, width: int) -> Line:
    """The normal stretches as they stand; nothing reaches from series to series."""
    starts, stops = circles.of_normal
    home = np.searchsorted(circles.events.series_bounds, starts, side="right") * width
    own = np.ones(starts.size, bool)
    return Line(starts + home, stops + home, circles.located(starts), own)


def _closed(circles: Rotation, width: int) -> Line:
    """Those of closed circles, each with what lies within reach around it."""
    ring = circles.ring
    which, starts, own = ring.walk(width)
    places = Places(*(side[which] for side in ring.places))
    return Line(starts, starts + ring.lengths[which], places, own)


class Border:
    """The normal points whose window meets an event, a gap or an end, and all that they see.

    What they see is laid out with its true distances, long stretches between them left out.
    """

    def __init__(
        self, circles: Rotation, width: int, laid_out: Callable[[Rotation, int], Line]
    ) -> None:
        self.before, self.after = width // 2, (width - 1) // 2
        line = laid_out(circles, width)
        own, seen = line.ends(self.before, self.after), line.ends(width - 1, width - 1)
        own = own.only(own.own)
        steps = np.minimum(seen.starts[1:] - seen.stops[:-1] + 1, width)
        lengths = seen.stops - seen.starts
        places = width + np.append(0, np.cumsum(lengths[:-1] - 1 + steps))[: lengths.size]
        self.size = int((places + lengths).max(initial=0)) + width
        self._sight = _sight(circles, seen)
        self._places = places[self._sight.order]
        holder = np.searchsorted(seen.starts, own.starts, side="right") - 1
        self.own = _sight(circles, own)
        """The points themselves."""
        self._own_places = (places[holder] + own.starts - seen.starts[holder])[self.own.order]

    def highest(self, laid: Array, by: Positions) -> Array:
        """The highest rank that each of these points sees: a row per shift."""
        size = max(1, _AT_A_TIME // self.size)
        parts = [by[start : start + size] for start in range(0, len(by), size)]
        return np.concatenate([self._highest(laid, part) for part in parts])

    def _highest(self, laid: Array, by: Positions) -> Array:
        wide = np.full((len(by), self.size), -1, laid.dtype)
        sight, own = self._sight, self.own
        for group, seen in zip(sight.groups, sight.by_length(laid, by), strict=True):
            view = sliding_window_view(wide, seen.shape[2], axis=1, writeable=True)
            view[:, self._places[group]] = seen
        moved = moving_max(wide.ravel(), self.before, self.after, np.array([0, wide.size]))
        moved = moved.reshape(wide.shape)
        parts = [np.zeros((len(by), 0), laid.dtype)]
        for group in own.groups:
            view = sliding_window_view(moved, own.length(group), axis=1)
            parts.append(view[:, self._own_places[group]].reshape(len(by), -1))
        return np.concatenate(parts, axis=1)


def _sight(circles: Rotation, line: Line) -> SeenPoints:
    around = np.maximum(circles.lengths[line.places.circle], 1)
    places = Places(line.places.circle, line.places.place % around)
    return SeenPoints(circles, Stretches(line.starts, line.stops), places)
