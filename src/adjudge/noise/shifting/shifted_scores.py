"""Shifted scores: best F-scores and areas at many shifts, at the cost of the anomalous points.

Laid ranks: the scores of all circles as ranks, and what the events see of them at a shift. All that
counts of a score is its rank, and how many points reach a rank is known once for all: a shift does
not change it. So a shift costs a sort of the ranks that the events see. Where one hit marks an
event whole, only the highest rank that each event sees counts.

Laid islands: how many normal points the islands of false alarms mark, at any rank and shift. Only
the points within an island's reach of an event, a gap or an end differ from the plain moving
maximum of the circle. So that is counted once; of each shift the points that differ are taken out
of the count, and put in as they are.

Score levels: the ranks at which a shift finds more, and what is found and flagged there.
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
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from adjudge.count.points import Points
from adjudge.count.tally import Tally
from adjudge.data.intervals import bincount, reduceat, repeat
from adjudge.data.windows import max_ahead
from adjudge.measure.curves import ap, auc_pr, auc_roc
from adjudge.measure.rates import FBeta
from adjudge.noise.shifting.rotation import (
    LONGEST,
    Places,
    Rotation,
    SeenPoints,
    Stretches,
    in_blocks,
    running,
    stretches_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from adjudge._typing import Array, Flags, Floats, Positions
    from adjudge.adjust.adjustments import Marking
    from adjudge.data.case import Case
    from adjudge.metrics.metric import Metric
    from adjudge.noise.shifting.rotation import Ring

_AT_A_TIME = 1 << 17  # ranks that are gone through at a time: half a megabyte
_SHORT = 512  # values per row, from which on rows are searched one by one


class UnrolledRanks:
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

    def __init__(self, case: Case, circles: Rotation, known: UnrolledRanks | None = None) -> None:
        self._circles = circles
        self._windows: dict[int, Windows] = {}
        self._runs: dict[int, Runs] = {}
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

    def windows(self, width: int) -> Windows:
        """The highest rank in the window of each point, as if there were no events and no ends."""
        if width not in self._windows:
            highest = self._circles.highest_around(self.judged, width)
            reaching = count_reaching(highest, self.distinct)
            self._windows[width] = Windows(highest, self._circles.laid(highest), reaching)
        return self._windows[width]

    def runs(self, width: int) -> Runs:
        """The same as runs of equal ones, where circles are laid out twice."""
        if width not in self._runs:
            self._runs[width] = Runs.of(self.windows(width).laid)
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
        for start in range(0, self.judged.size, _AT_A_TIME):
            ranks = self.judged[start : start + _AT_A_TIME]
            part = sums[1 + start : 1 + start + ranks.size]
            part -= self.count_at_or_above(ranks)
            part -= self.count_at_or_above(ranks + 1)
        np.cumsum(sums, out=sums)
        return sums


class Windows(NamedTuple):
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
    for start in range(0, order.size, _AT_A_TIME):  # little memory beside the order
        part = order[start : start + _AT_A_TIME]
        ordered = scores[part]
        rises = np.append(last is None or ordered[0] > last, ordered[1:] > ordered[:-1])
        ranks[part] = rank + np.cumsum(rises, dtype=np.int32)
        rank, last = int(ranks[part[-1]]), ordered[-1]
    return ranks, rank + 1


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
        self._ranks, self._circles, self._width = ranks, circles, width
        self._closed = closed
        _, self._free, self._reaching = ranks.windows(width)

    @property
    def work(self) -> int:
        """About how many numbers one shift looks at."""
        return self._border.size

    def found(self, turned: RotatedRanks, levels: Array) -> Array:
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

    def marked(self, turned: RotatedRanks, levels: Array) -> Array:
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


class Runs(NamedTuple):
    """Values that change seldom: where each run of equal ones begins and ends, and its value."""

    starts: Positions
    stops: Positions
    values: Array
    number: Positions
    """The number of the run of each point."""

    @classmethod
    def of(cls, values: Array) -> Runs:
        """Find the runs.

        >>> Runs.of(np.array([5, 5, 2, 7])).number
        array([0, 0, 1, 2])
        """
        changes = np.append(True, values[1:] != values[:-1])
        starts = np.flatnonzero(changes)
        stops = np.append(starts[1:], values.size)
        return cls(starts, stops, values.take(starts), np.cumsum(changes) - 1)


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
        cls, runs: Runs, begin: Positions, lengths: Positions, distinct: int
    ) -> RunCounts:
        """Those of some stretches of ranks whose runs are known.

        Where a stretch begins stands in a row of its own, with a column per row of ranks.

        >>> runs = Runs.of(np.array([5, 5, 2, 2, 2, 7]))
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
    places: Places
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
        places_of = Places(self.places.circle[stretch], places)
        return Line(begin, end[kept], places_of, own, (both[0], both[1]))

    def only(self, kept: Array) -> Line:
        """Some of the stretches, or all in another order."""
        places = Places(*(side[kept] for side in self.places))
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
    places = Places(*(side[which] for side in ring.places))
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
    line = Line(starts, starts + lengths, Places(circle, place), own, (first, last))
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
        size = max(1, _AT_A_TIME // self.size)
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
        around = Stretches(start, start + 2 * self._reach)
        self._sight = SeenPoints(circles, around, Places(home, start))

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
    places = Places(line.places.circle, line.places.place % around)
    return SeenPoints(circles, Stretches(line.starts, line.stops), places)


FEW = 8
"""Distinct scores up to which they are counted one by one, and no rank is sorted."""


_ITSELF = 1  # the weight of each of many points


class Steps(NamedTuple):
    """What is found and flagged at some ranks, from the lowest up: a row per shift."""

    ranks: Array
    weight: Any
    """Anomalous points that are found just there."""
    found: Array
    """Anomalous points found there or above."""
    flagged: Array
    """Points flagged there or above."""


class Levels(Protocol):
    """The ranks of one kind of marking."""

    @property
    def at_once(self) -> bool:
        """Whether all shifts are counted at once; else some at a time."""
        ...

    @property
    def work(self) -> int:
        """About how many numbers one shift looks at."""
        ...

    def steps(self, turned: RotatedRanks) -> Steps:
        """What is found and flagged at each rank at which more is found."""
        ...

    def false_above(self, turned: RotatedRanks, steps: Steps) -> Array:
        """Count the normal points that are flagged above each rank, not at it."""
        ...


class FewLevels:
    """Every rank there is, where there are few: points that count as themselves."""

    at_once = True

    def __init__(self, ranks: UnrolledRanks, circles: Rotation) -> None:
        one = 1 if circles.can_correlate else 2 * len(circles.events)
        self.work = ranks.distinct * one

    def steps(self, turned: RotatedRanks) -> Steps:
        """Count the points of each rank."""
        found = turned.at_each_rank
        weight = -np.diff(found, axis=1, append=0)
        ranks = np.broadcast_to(np.arange(turned.ranks.distinct), found.shape)
        return Steps(ranks, weight, found, turned.ranks.reaching[ranks])

    def false_above(self, turned: RotatedRanks, steps: Steps) -> Array:
        """Count what reaches the next rank, less what is anomalous of it."""
        return np.asarray(turned.ranks.reaching[steps.ranks + 1] - steps.found + steps.weight)


class PointLevels:
    """The ranks of all anomalous points, which count as themselves."""

    at_once = False

    def __init__(self, sight: SeenPoints) -> None:
        self.work = int(sight.stretches.lengths.sum())

    def steps(self, turned: RotatedRanks) -> Steps:
        """Sort the ranks that the anomalous points see."""
        ranks = turned.ordered
        found = np.arange(ranks.shape[1], 0, -1)
        found = filled(ranks, found) if turned.ranks.tied else found
        return Steps(ranks, _ITSELF, found, turned.ranks.count_at_or_above(ranks))

    def false_above(self, turned: RotatedRanks, steps: Steps) -> Array:
        """Count what lies above, less what is anomalous of it."""
        above = found_above(turned, steps)
        return np.asarray(turned.ranks.count_at_or_above(steps.ranks + 1) - above)


class PartLevels:
    """The ranks of all anomalous points, of which enough mark their event whole."""

    at_once = False

    def __init__(self, sight: SeenPoints, marking: Marking) -> None:
        widths = sight.stretches.lengths
        self._bits = int(widths.max(initial=1)).bit_length()
        self.work = 3 * int(widths.sum())
        self._event = repeat(np.arange(widths.size), widths)
        below = np.maximum(widths - marking.needed[sight.order], 0)
        place = np.arange(self._event.size) - sight.firsts[self._event]
        below = below[self._event]
        self._weight = np.where(place == below, below + 1, place > below)
        """What each point marks, those of an event from the lowest up: the one at which the event
        is marked whole stands for all below it."""

    def steps(self, turned: RotatedRanks) -> Steps:
        """Sort the ranks, each with the points that it marks packed into the number."""
        keys = self._packed(turned)
        keys.sort(axis=1)
        ranks, weight = keys >> self._bits, keys & ((1 << self._bits) - 1)
        size = ranks.shape[1]
        found = size + weight - np.cumsum(weight, axis=1, dtype=np.int32)
        own = np.arange(size, 0, -1)
        if turned.ranks.tied:
            found, own = filled(ranks, found), filled(ranks, own)
        return Steps(ranks, weight, found, found + turned.ranks.count_at_or_above(ranks) - own)

    def false_above(self, turned: RotatedRanks, steps: Steps) -> Array:
        """Count what lies above, less what is anomalous of it."""
        own = count_at_or_above(turned.ordered, steps.ranks + 1)
        return np.asarray(turned.ranks.count_at_or_above(steps.ranks + 1) - own)

    def _packed(self, turned: RotatedRanks) -> Array:
        """Put the ranks of each event in order, and what each point marks beside its rank."""
        distinct, most = turned.ranks.distinct, np.iinfo(np.int32).max
        fits = distinct << self._bits < most and distinct * (self._event[-1] + 1) < most
        keys = turned.sight.seen(turned.ranks.laid, turned.by)
        keys = keys if fits else keys.astype(np.int64)
        event = (self._event * distinct).astype(keys.dtype)
        keys += event
        keys.sort(axis=1)
        keys -= event
        keys <<= self._bits
        keys |= self._weight.astype(keys.dtype)
        return keys


class EventLevels:
    """The highest rank that each event sees among its first points: it marks the event whole."""

    at_once = False

    def __init__(
        self, sight: SeenPoints, marking: Marking, islands: UnrolledIslands | None
    ) -> None:
        self._islands, self._widths = islands, sight.stretches.lengths
        self._first = marking.first[sight.order]
        self._anywhere = bool(np.all(self._first == self._widths))
        self.work = int(self._widths.sum()) + (0 if islands is None else 3 * islands.work)

    def steps(self, turned: RotatedRanks) -> Steps:
        """Sort the events by what they see."""
        highest = turned.highest if self._anywhere else self._highest(turned)
        ranks, weight = np.sort(highest, axis=1), self._widths[highest.argsort(axis=1)]
        found = int(self._widths.sum()) + weight - np.cumsum(weight, axis=1)
        found = filled(ranks, found) if turned.ranks.tied else found
        if self._islands is None:
            return Steps(ranks, weight, found, found + self._false(turned, ranks))
        return Steps(ranks, weight, found, found + self._islands.found(turned, ranks))

    def false_above(self, turned: RotatedRanks, steps: Steps) -> Array:
        """Count the normal points that reach the next rank, or whose island does."""
        top = turned.ranks.distinct - 1
        false = self._false(turned, np.minimum(steps.ranks + 1, top))
        return np.where(steps.ranks < top, false, 0)

    def _false(self, turned: RotatedRanks, ranks: Array) -> Array:
        if self._islands is not None:
            return self._islands.marked(turned, ranks)
        return np.asarray(
            turned.ranks.count_at_or_above(ranks) - count_at_or_above(turned.ordered, ranks)
        )

    def _highest(self, turned: RotatedRanks) -> Array:
        parts = []
        for group, own in zip(turned.sight.groups, turned.seen(), strict=True):
            early = np.arange(own.shape[2]) < self._first[group, np.newaxis]
            parts.append(np.where(early, own, 0).max(axis=2))
        return np.concatenate(parts, axis=1)


def filled(ranks: Array, counts: Array) -> Array:
    """Counts at or above each rank, the same for equal ranks.

    >>> filled(np.array([[1, 2, 2, 5]]), np.array([4, 3, 2, 1]))
    array([[4, 3, 3, 1]])
    """
    first = np.ones(ranks.shape, bool)
    first[:, 1:] = ranks[:, 1:] != ranks[:, :-1]
    place = np.maximum.accumulate(np.where(first, np.arange(ranks.shape[1]), 0), axis=1)
    return np.take_along_axis(np.broadcast_to(counts, ranks.shape), place, axis=1)


def found_above(turned: RotatedRanks, steps: Steps) -> Array:
    """Count the anomalous points that are found above each rank, not at it."""
    found = np.broadcast_to(steps.found, steps.ranks.shape)
    above = np.zeros_like(found)
    above[:, :-1] = found[:, 1:]
    if turned.ranks.tied:
        last = np.ones(above.shape, bool)
        last[:, :-1] = steps.ranks[:, 1:] != steps.ranks[:, :-1]
        above = np.maximum.accumulate(np.where(last, above, -1)[:, ::-1], axis=1)[:, ::-1]
    return above


_NEAR = 4  # times smaller blocks: the system takes back what is much larger, and clears it anew
_KEPT = 1 << 21  # ranks of all shifts that are kept for the next metric: 8 MB


class ScoredCase:
    """The scores of a case under shifts: what several metrics share is made once.

    Parameters
    ----------
    case : Case
        Labels and scores that `can_be_ranked`.
    circles : Rotation
        The truth.
    known : UnrolledRanks, optional
        The ranks of the scores on other circles.
    """

    def __init__(self, case: Case, circles: Rotation, known: UnrolledRanks | None = None) -> None:
        self.circles = circles
        self.ranks = UnrolledRanks(case, circles, known)
        self.sight = circles.sight
        self._kept: list[tuple[Positions, bool, list[RotatedRanks]]] = []
        self.counted: dict[tuple[int, str], Array] = {}
        """What was counted at some ranks for all shifts: metrics share it."""

    def levels(self, marking: Marking, *, closed: bool = False) -> Levels:
        """Choose the ranks at which more is found; islands on lines, or on closed circles."""
        widths = self.circles.events.widths
        if not marking.keeps:
            islands = None
            if marking.island > 1:
                islands = UnrolledIslands(self.ranks, self.circles, marking.island, closed=closed)
            return EventLevels(self.sight, marking, islands)
        if np.any(marking.needed <= widths):
            return PartLevels(self.sight, marking)
        few = self.ranks.distinct <= FEW
        return FewLevels(self.ranks, self.circles) if few else PointLevels(self.sight)

    def turned(
        self, by: Positions, *, at_once: bool = False, keep: bool = True
    ) -> Iterable[RotatedRanks]:
        """The events under these shifts, some shifts at a time; kept, where metrics share them."""
        for known, whole, blocks in self._kept:
            if known is by and whole == at_once:
                return blocks
        size = 1 if at_once else int(self.sight.stretches.lengths.sum())
        parts = [by] if at_once else in_blocks(by, _NEAR * size)
        made = (RotatedRanks(self.ranks, self.sight, part) for part in parts)
        if not keep or size * len(by) > _KEPT:
            return made
        blocks = list(made)
        self._kept.append((by, at_once, blocks))
        return blocks


class RankSums:
    """The ROC area of points, from the sum of the ranks that the events see."""

    def __init__(self, scored: ScoredCase) -> None:
        self._scored, events = scored, scored.circles.events
        self.work = 1 if scored.circles.can_correlate else 2 * len(events)

    def values(self, by: Positions) -> Floats:
        """The area at each shift."""
        circles, judged = self._scored.circles, self._scored.ranks.judged.size
        truth = int(circles.events.widths.sum())
        above = circles.sums_over(self._scored.ranks.middle_sums, by) - truth * (truth + 1)
        return np.asarray(above / (2 * truth * (judged - truth)))


class ScoreShifts:
    """A best F-score or an area at any shift.

    Parameters
    ----------
    metric : Metric
        What `can_be_swept`.
    scored : ScoredCase
        The scores and the truth.
    closed : bool
        Whether islands run round the circle on which the scores turn.
    """

    def __init__(self, metric: Metric, scored: ScoredCase, *, closed: bool = False) -> None:
        events = scored.circles.events
        marking = metric.parts.adjust.marking(events)
        assert marking is not None  # noqa: S101 - whoever asks has asked `can_be_swept`
        self.scored, self.levels = scored, scored.levels(marking, closed=closed)
        self.measure: Any = metric.parts.measure
        self.truth = int(events.widths.sum())
        self.normal = scored.ranks.judged.size - self.truth

    @property
    def work(self) -> int:
        """About how many numbers one shift looks at."""
        return self.levels.work

    def values(self, by: Positions, *, keep: bool = True) -> Floats:
        """The metric's value at each shift: one row of offsets, one value."""
        area, steps = _AREAS.get(self.measure), self.levels.steps
        blocks = self.scored.turned(by, at_once=self.levels.at_once, keep=keep)
        if area is not None:
            return np.concatenate([area(self, block, steps(block)) for block in blocks])
        best = [self._best(steps(block)) for block in blocks]
        found, flagged = (np.concatenate(side) for side in zip(*best, strict=True))
        return np.asarray(self.measure(Tally(found, self.truth, found, flagged)), np.float64)

    def _best(self, steps: Steps) -> tuple[Array, Array]:
        """What is found and flagged where F is highest, row by row."""
        row, more = np.arange(len(steps.ranks)), float(self.measure.beta**2 * self.truth)
        odds = steps.flagged + more
        place = np.divide(steps.found, odds, out=odds).argmax(axis=1)
        found = steps.found[place] if steps.found.ndim == 1 else steps.found[row, place]
        return found, steps.flagged[row, place]

    def once(self, by: Positions) -> Floats:
        """The same at shifts that no other metric asks for."""
        return self.values(by, keep=False)

    def mean(self, steps: Steps, heights: Array) -> Floats:
        """The mean of some heights over the anomalous points."""
        weighed = heights if steps.weight is _ITSELF else steps.weight * heights
        return np.asarray(weighed.sum(axis=1) / self.truth)


def _roc(shifts: ScoreShifts, turned: RotatedRanks, steps: Steps) -> Floats:
    """The share of normal points below an anomalous one, ties halfway."""
    false = steps.flagged - steps.found + shifts.levels.false_above(turned, steps)
    return shifts.mean(steps, 1 - false / (2 * shifts.normal))


def _average_precision(shifts: ScoreShifts, _: RotatedRanks, steps: Steps) -> Floats:
    """The mean over anomalous points of the precision at their rank."""
    return shifts.mean(steps, steps.found / steps.flagged)


def _trapezoids(shifts: ScoreShifts, turned: RotatedRanks, steps: Steps) -> Floats:
    """The PR area: a step of recall leans on the precision just before it."""
    before = found_above(turned, steps)
    above = before + shifts.levels.false_above(turned, steps)
    leaning = np.where(above > 0, before / np.maximum(above, 1), 1.0)
    return shifts.mean(steps, (steps.found / steps.flagged + leaning) / 2)


_AREAS: dict[object, Callable[[ScoreShifts, RotatedRanks, Steps], Floats]] = {
    auc_roc: _roc,
    ap: _average_precision,
    auc_pr: _trapezoids,
}


def shifting_of(
    metric: Metric, scored: ScoredCase, *, closed: bool = False
) -> RankSums | ScoreShifts:
    """Choose the quickest way; islands end with their series, or run round closed circles."""
    way = ScoreShifts(metric, scored, closed=closed)
    all_ranks = metric.parts.measure is auc_roc and type(way.levels) is PointLevels
    return RankSums(scored) if all_ranks else way


def can_be_swept(metric: Metric, case: Case) -> bool:
    """Say whether all thresholds of a shift can be judged by ranks.

    There must be events and normal points. A score of ``-inf`` lies above no threshold.
    """
    measure, adjust, count = metric.parts
    events = case.events
    known = measure in _AREAS if metric.row.needs == "scores" else metric.oracle
    if not known or type(count) is not Points or adjust.marking(events) is None:
        return False
    if metric.oracle and not isinstance(measure, FBeta):
        return False
    judged = case.scores if events.judged is None else case.scores[events.judged]
    return len(events) > 0 and bool(events.normal.any()) and bool(judged.min() > -np.inf)
