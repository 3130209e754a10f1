"""How many normal points the islands of false alarms mark, at any rank and shift.

Only the points within an island's reach of an event, a gap or an end differ from the plain moving
maximum of the circle. So that is counted once; of each shift the points that differ are taken out
of the count, and put in as they are.
"""

# Idea: of a score only its rank counts, and how many points reach a rank no shift changes. So
# what is flagged is known once for all, and a shift sorts no more than what the events see.
# Invariant: every value is that of `Case.turned` by the same offsets, unless circles are
# closed.
# Trap: equal scores are one threshold. Ranks count equal scores alike, and what is found at a
# rank is read behind the last of them; islands near events, gaps and ends are not those of the
# plain circle.

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.data.intervals import repeat
from adjudge.data.windows import max_ahead
from adjudge.noise.shifting.ranks import AT_A_TIME, EqualRuns, RankTable, ShiftedRanks
from adjudge.noise.shifting.rotation import (
    CirclePlaces,
    JudgedStretches,
    Rotation,
    SeenPoints,
    stretches_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge._typing import Array, Flags, Positions
    from adjudge.noise.shifting.rotation import Ring


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
        self, ranks: RankTable, circles: Rotation, width: int, *, closed: bool = False
    ) -> None:
        self._ranks, self._circles, self._width = ranks, circles, width
        self._closed = closed
        _, self._free, self._reaching = ranks.windows(width)

    @property
    def work(self) -> int:
        """About how many numbers one shift looks at."""
        return self._border.size

    def found(self, turned: ShiftedRanks, levels: Array) -> Array:
        """Count the marked normal points where each event is found.

        On lines they are kept: closed circles differ in the few points around the seam.
        """
        known = turned.marked.get(self._width)
        if known is not None and (not self._closed or self._seam is not None):
            return known if self._seam is None else known + self._over_the_seam(turned.by, levels)
        found = self.marked(turned, levels)
        if not self._closed:
            turned.marked[self._width] = found.astype(np.int32)
        return found

    def marked(self, turned: ShiftedRanks, levels: Array) -> Array:
        """Count the normal points whose island reaches each level."""
        by, distinct, border = turned.by, self._ranks.distinct, self._border
        put_in = RunCounts.of_rows(border.highest(self._ranks.laid, by), distinct)
        more = put_in.at_or_above(levels)
        more -= self._out(by).at_or_above(levels)
        more += self._reaching.take(levels)
        return more

    def _out(self, by: Positions) -> RunCounts:
        """The windows of the points in events and at borders."""
        sights, distinct = (self._circles.sight, self._border.own), self._ranks.distinct
        if self._free.size == self._circles.size:
            seen = np.concatenate([sight.seen(self._free, by) for sight in sights], axis=1)
            return RunCounts.of_rows(seen, distinct)
        begin = np.concatenate([sight.begins(by) for sight in sights])
        lengths = np.concatenate([sight.stretches.lengths for sight in sights])
        return RunCounts.of_stretches(self._ranks.runs(self._width), begin, lengths, distinct)

    def _over_the_seam(self, by: Positions, levels: Array) -> Array:
        assert self._seam is not None  # noqa: S101 - who asks has looked
        cut, whole = (
            RunCounts.of_rows(part, self._ranks.distinct)
            for part in self._seam.highest(self._ranks.laid, by)
        )
        return whole.at_or_above(levels) - cut.at_or_above(levels)

    @cached_property
    def _border(self) -> Border:
        circles, closed = self._circles, self._closed
        width = min(self._width, 2 * circles.events.n)
        border = partial(Border, circles, width, _closed if closed else _ended)
        return circles.once(("border", width, closed), border)

    @cached_property
    def _seam(self) -> Seam | None:
        """What differs on a closed circle, where it is one series and not too short."""
        circles, width = self._circles, self._width
        if not self._closed or not circles.is_one_series or 2 * width > circles.events.n:
            return None
        return circles.once(("seam", width), lambda: Seam(circles, width))


class RunCounts:
    """Rows of ranks that change seldom, as those of islands do, counted run by run.

    Parameters
    ----------
    row, ranks, lengths : array of int
        Of each run its row, the rank of its points and how many it has.
    points, distinct : int
        The points of each row, and how many ranks there are.

    Examples
    --------
    >>> counts = RunCounts.of_rows(np.array([[5, 5, 2, 2, 2, 7]]), 8)
    >>> counts.at_or_above(np.array([[2, 3, 6]]))
    array([[6, 3, 1]])
    """

    def __init__(
        self, row: Positions, ranks: Array, lengths: Positions, points: int, distinct: int
    ) -> None:
        self._distinct, self._points = distinct, points
        bits = int(points).bit_length()
        keys = row * distinct + ranks << bits
        keys |= lengths  # each with its length, so that one sort does it
        keys.sort()
        self._keys = keys >> bits
        self._before = np.append(0, np.cumsum(keys & ((1 << bits) - 1)))

    @classmethod
    def of_rows(cls, ranks: Array, distinct: int) -> RunCounts:
        """Those of a table of ranks, in which runs are looked for."""
        points = ranks.shape[1]
        changes = np.ones(ranks.shape, bool)
        np.not_equal(ranks[:, 1:], ranks[:, :-1], out=changes[:, 1:])
        at = np.flatnonzero(changes)
        lengths = np.diff(at, append=ranks.size)
        return cls(at // max(points, 1), ranks.take(at), lengths, points, distinct)

    @classmethod
    def of_stretches(
        cls, runs: EqualRuns, begin: Positions, lengths: Positions, distinct: int
    ) -> RunCounts:
        """Those of some stretches of ranks whose runs are known.

        Where a stretch begins stands in a row of its own, with a column per row of ranks.

        >>> runs = EqualRuns.of(np.array([5, 5, 2, 2, 2, 7]))
        >>> counts = RunCounts.of_stretches(runs, np.array([[1, 3]]), np.array([3]), 8)
        >>> counts.at_or_above(np.array([[2, 3, 6], [2, 3, 6]]))
        array([[3, 1, 0],
               [3, 1, 1]])
        """
        rows, points = begin.shape[1], int(lengths.sum())
        begin, end = begin.ravel(), (begin + lengths[:, np.newaxis]).ravel()
        first, last = runs.number.take(begin), runs.number.take(end - 1)
        count = last - first + 1
        after = np.cumsum(count)
        before = after - count
        which = repeat(first - before, count)
        which += np.arange(which.size)
        own = (runs.stops - runs.starts).take(which)
        own[before] -= begin - runs.starts.take(first)
        own[after - 1] -= runs.stops.take(last) - end
        row = repeat(np.arange(begin.size) % rows, count)
        return cls(row, runs.values.take(which), own, points, distinct)

    def at_or_above(self, levels: Array) -> Array:
        """Count, row by row, the points at or above each level."""
        row = np.arange(len(levels), dtype=np.int64)[:, np.newaxis]
        place = np.searchsorted(self._keys, levels + row * self._distinct)
        return np.asarray((row + 1) * self._points - self._before.take(place))


class Line(NamedTuple):
    """Normal stretches in a line, far enough apart where nothing reaches from one to the next."""

    starts: Positions
    stops: Positions
    places: CirclePlaces
    """Where each one begins on its circle."""
    own: Flags
    """Whether it stands at its own place; else it is only looked at."""
    borders: tuple[Flags, Flags]
    """Whether it ends on the left and on the right; else it goes on, where nobody need look."""

    def ends(self, left: int, right: int) -> Line:
        """Cut the first and the last points off each stretch; a short one stays in one part."""
        starts, stops, (first, last) = self.starts, self.stops, self.borders
        short = first & last & (stops - starts <= left + right)
        begin = np.concatenate([starts, np.where(short | ~last, stops, stops - right)])
        end = np.concatenate(
            [np.where(short, stops, np.where(first, starts + left, starts)), stops]
        )
        kept = np.flatnonzero(end > begin)
        kept = kept[np.argsort(begin[kept], kind="stable")]
        begin, stretch = begin[kept], kept % max(starts.size, 1)
        places = self.places.place[stretch] + begin - starts[stretch]
        own, both = self.own[stretch], np.ones((2, kept.size), bool)
        places_of = CirclePlaces(self.places.circle[stretch], places)
        return Line(begin, end[kept], places_of, own, (both[0], both[1]))

    def only(self, kept: Array) -> Line:
        """Some of the stretches, or all in another order."""
        places = CirclePlaces(*(side[kept] for side in self.places))
        first, last = (side[kept] for side in self.borders)
        return Line(self.starts[kept], self.stops[kept], places, self.own[kept], (first, last))


def _ended(circles: Rotation, width: int) -> Line:
    """The normal stretches as they stand; nothing reaches from series to series."""
    starts, stops = circles.of_normal
    home = np.searchsorted(circles.events.series_bounds, starts, side="right") * width
    all_of_them = np.ones(starts.size, bool)
    both = all_of_them, all_of_them
    return Line(starts + home, stops + home, circles.located(starts), all_of_them, both)


def _closed(circles: Rotation, width: int) -> Line:
    """Those of closed circles: cut open amid a long one, or with what lies within reach around."""
    ring = circles.ring
    longest = _longest_of_each_circle(ring)
    if np.all(ring.lengths[longest] >= 2 * width):
        return _cut_open(ring, longest, width)
    which, starts, own = ring.walk(width)
    places = CirclePlaces(*(side[which] for side in ring.places))
    both = np.ones((2, own.size), bool)
    return Line(starts, starts + ring.lengths[which], places, own, (both[0], both[1]))


def _longest_of_each_circle(ring: Ring) -> Positions:
    """The longest stretch of each circle that has any."""
    order = np.lexsort((ring.lengths, ring.places.circle))
    circle = ring.places.circle[order]
    return order[np.flatnonzero(np.append(circle[1:] != circle[:-1], True)[: circle.size])]


def _cut_open(ring: Ring, cut: Positions, width: int) -> Line:
    """Lay each circle out from the middle of one of its stretches on, whose halves stand apart."""
    half = ring.lengths[cut] // 2
    (circle, place), own = ring.places, np.ones(ring.lengths.size + cut.size, bool)
    lengths = np.append(ring.lengths, half)
    lengths[cut] -= half
    circle, place = np.append(circle, circle[cut]), np.append(place, place[cut])
    place[cut] += half  # the second half comes first, and the first one last
    home, origin = np.zeros((2, ring.circles.size), np.int64)
    home[circle[cut]], origin[circle[cut]] = np.cumsum(ring.around[cut] + width), place[cut]
    starts = home[circle] + (place - origin[circle]) % ring.circles[circle]
    first, last = own.copy(), own.copy()
    first[cut] = last[ring.lengths.size :] = False
    line = Line(starts, starts + lengths, CirclePlaces(circle, place), own, (first, last))
    return line.only(np.argsort(starts, kind="stable"))


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
        size = max(1, AT_A_TIME // self.size)
        parts = [by[start : start + size] for start in range(0, len(by), size)]
        return np.concatenate([self._highest(laid, part) for part in parts])

    def _highest(self, laid: Array, by: Positions) -> Array:
        wide = np.full((len(by), self.size), -1, laid.dtype)
        sight, own = self._sight, self.own
        for group, seen in zip(sight.groups, sight.by_length(laid, by), strict=True):
            view = stretches_of(wide, seen.shape[2])
            view[:, self._places[group]] = seen
        moved = max_ahead(wide.reshape(-1), self.before + self.after).reshape(wide.shape)
        parts = [np.zeros((len(by), 0), laid.dtype)]
        for group in own.groups:
            view = stretches_of(moved, own.length(group))
            parts.append(view[:, self._own_places[group] - self.before].reshape(len(by), -1))
        return np.concatenate(parts, axis=1)


class Seam:
    """The normal points of a series whose window runs on from its last point to its first."""

    def __init__(self, circles: Rotation, width: int) -> None:
        self._reach, n = width - 1, circles.events.n
        self.before, self.after = width // 2, (width - 1) // 2
        points = np.arange(-self._reach, self._reach)  # from the first point of the series on
        self._normal = circles.events.normal[points]
        crosses = (points < self.before) & (points >= -self.after)
        own = np.flatnonzero(crosses & self._normal)
        self._own = own - self.before, own - self.before + self._reach * (own >= self._reach)
        """Where the window of each of them begins: on the circle, and with the series cut."""
        start, home = np.array([n - self._reach]), np.zeros(1, np.int64)
        around = JudgedStretches(start, start + 2 * self._reach)
        self._sight = SeenPoints(circles, around, CirclePlaces(home, start))

    def highest(self, laid: Array, by: Positions) -> tuple[Array, Array]:
        """The highest rank that each of them sees: if the window ends with the series, or not."""
        reach, whole = self._reach, np.where(self._normal, self._sight.seen(laid, by), -1)
        cut = np.full((len(by), 3 * reach), -1, laid.dtype)
        cut[:, :reach], cut[:, 2 * reach :] = whole[:, :reach], whole[:, reach:]
        ended, going_on = (
            max_ahead(rows.reshape(-1), reach).reshape(rows.shape)[:, own]
            for rows, own in zip((cut, whole), self._own[::-1], strict=True)
        )
        return ended, going_on


def _sight(circles: Rotation, line: Line) -> SeenPoints:
    around = np.maximum(circles.lengths[line.places.circle], 1)
    places = CirclePlaces(line.places.circle, line.places.place % around)
    return SeenPoints(circles, JudgedStretches(line.starts, line.stops), places)
