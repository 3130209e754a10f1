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

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from adjudge.count.points import Points
from adjudge.count.tally import Tally
from adjudge.data.windows import moving_max
from adjudge.measure.curves import ap, auc_pr, auc_roc
from adjudge.measure.rates import FBeta
from adjudge.noise.shifting.rotation import (
    Places,
    Rotation,
    SeenPoints,
    Stretches,
    in_blocks,
    stretches_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from adjudge._typing import Array, Flags, Floats, Positions
    from adjudge.adjust.adjustments import Marking
    from adjudge.data.case import Case
    from adjudge.metrics.metric import Metric

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
        judged = case.events.judged
        if known is None:
            scores = case.scores if judged is None else case.scores[judged]
            self.judged, self.distinct = ranked(scores)
            self.reaching = count_reaching(self.judged, self.distinct)
        else:
            self.judged, self.distinct, self.reaching = known.judged, known.distinct, known.reaching
        self._known = known
        self.tied = self.distinct < self.judged.size
        self.judged, self.laid = circles.both(self.judged)

    def windows(self, width: int) -> Windows:
        """The highest rank in the window of each point, as if there were no events and no ends."""
        if width not in self._windows:
            highest = self._circles.highest_around(self.judged, width)
            reaching = count_reaching(highest, self.distinct)
            self._windows[width] = Windows(*self._circles.both(highest), reaching)
        return self._windows[width]

    def drop(self) -> None:
        """Let go of what one metric needed."""
        self._windows.clear()
        vars(self).pop("middle_sums", None)

    @cached_property
    def middle_sums(self) -> Positions:
        """Running sums of twice the rank of each point from 1 up, halfway among equals."""
        if self._known is not None:
            return self._known.middle_sums
        doubled = 2 * self.judged.size + 1 - self.reaching[:-1].astype(np.int64)
        doubled -= self.reaching[1:]
        sums = np.zeros(self.judged.size + 1, np.int64)
        np.take(doubled, self.judged, out=sums[1:], mode="clip")  # which needs no copy
        np.cumsum(sums, out=sums)
        return sums


class Windows(NamedTuple):
    """The highest rank in the window of each point, as if there were no events and no ends."""

    judged: Array
    laid: Array
    """Each circle twice."""
    reaching: Array
    """How many windows reach each rank, and none above the last."""


def ranked(scores: Array) -> tuple[Array, int]:
    """Number the distinct scores from the lowest up."""
    lowest, highest = scores.min(), scores.max()
    above = scores > lowest
    if np.array_equal(above, scores == highest):  # two values, or one
        return above.astype(np.int32), 1 + bool(highest > lowest)
    order = np.argsort(scores)
    rises, ordered = np.zeros(scores.size, bool), scores[order]
    np.greater(ordered[1:], ordered[:-1], out=rises[1:])
    del ordered
    ranks = np.empty(scores.size, np.int32)
    ranks[order] = np.cumsum(rises, dtype=np.int32)
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
        self._ranks, self._circles, self._width = ranks, circles, width
        width = min(width, 2 * circles.events.n)
        border = partial(Border, circles, width, _closed if closed else _ended)
        self._border = circles.once(("border", width, closed), border)
        _, self._free, self._reaching = ranks.windows(self._width)
        self._out = [circles.sight, self._border.own]

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


class RotatedIslands(NamedTuple):
    """The islands at some shifts: the plain count, what is taken out of it, what is put in."""

    plain: Array
    out: RunCounts
    put_in: RunCounts

    def marked(self, levels: Array) -> Array:
        """Count the normal points whose island reaches each level."""
        put_in, out = (part.at_or_above(levels) for part in (self.put_in, self.out))
        return np.asarray(self.plain.take(levels) + put_in - out)


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
        keys = row * distinct + ranks.take(at) << bits
        keys |= np.diff(at, append=ranks.size)  # each with its length, so that one sort does it
        keys.sort()
        self._keys = keys >> bits
        self._before = np.append(0, np.cumsum(keys & ((1 << bits) - 1)))

    def at_or_above(self, levels: Array) -> Array:
        """Count, row by row, the points at or above each level."""
        row = np.arange(len(levels))[:, np.newaxis]
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
            view = stretches_of(wide, seen.shape[2])
            view[:, self._places[group]] = seen
        moved = moving_max(wide.ravel(), self.before, self.after, np.array([0, wide.size]))
        moved = moved.reshape(wide.shape)
        parts = [np.zeros((len(by), 0), laid.dtype)]
        for group in own.groups:
            view = stretches_of(moved, own.length(group))
            parts.append(view[:, self._own_places[group]].reshape(len(by), -1))
        return np.concatenate(parts, axis=1)


def _sight(circles: Rotation, line: Line) -> SeenPoints:
    around = np.maximum(circles.lengths[line.places.circle], 1)
    places = Places(line.places.circle, line.places.place % around)
    return SeenPoints(circles, Stretches(line.starts, line.stops), places)


FEW = 8
"""Distinct scores up to which they are counted one by one, and no rank is sorted."""


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
        return Steps(ranks, 1, found, turned.ranks.reaching.take(ranks))

    def false_above(self, turned: RotatedRanks, steps: Steps) -> Array:
        """Count what lies above, less what is anomalous of it."""
        above = found_above(turned, steps)
        return np.asarray(turned.ranks.reaching[steps.ranks + 1] - above)


class PartLevels:
    """The ranks of all anomalous points, of which enough mark their event whole."""

    at_once = False

    def __init__(self, sight: SeenPoints, marking: Marking) -> None:
        self._needed = marking.needed[sight.order]
        self._bits = int(sight.stretches.lengths.max(initial=1)).bit_length()
        self.work = 3 * int(sight.stretches.lengths.sum())

    def steps(self, turned: RotatedRanks) -> Steps:
        """Sort the ranks, each with the points that it marks packed into the number."""
        keys = np.concatenate(self._packed(turned), axis=1)
        keys.sort(axis=1)
        ranks, weight = keys >> self._bits, keys & ((1 << self._bits) - 1)
        size = ranks.shape[1]
        found = size + weight - np.cumsum(weight, axis=1, dtype=np.int32)
        own = np.arange(size, 0, -1)
        if turned.ranks.tied:
            found, own = filled(ranks, found), filled(ranks, own)
        return Steps(ranks, weight, found, found + turned.ranks.reaching.take(ranks) - own)

    def false_above(self, turned: RotatedRanks, steps: Steps) -> Array:
        """Count what lies above, less what is anomalous of it."""
        own = count_at_or_above(turned.ordered, steps.ranks + 1)
        return np.asarray(turned.ranks.reaching[steps.ranks + 1] - own)

    def _packed(self, turned: RotatedRanks) -> list[Array]:
        """Let the point at which an event is marked whole stand for all below it."""
        fits = turned.ranks.distinct << self._bits < np.iinfo(np.int32).max
        parts = []
        for group, own in zip(turned.sight.groups, turned.seen(), strict=True):
            width, needed = own.shape[2], int(self._needed[group.start])
            packed = (own if fits else own.astype(np.int64)) << self._bits
            place = max(width - needed, 0)  # all of its points mark what they mark themselves
            reached = np.partition(own, place, axis=2)[:, :, place, np.newaxis]
            above = own >= reached
            packed |= above
            first = np.argmax(own == reached, axis=2)[:, :, np.newaxis]
            below = width - np.count_nonzero(above, axis=2)[:, :, np.newaxis]
            stands_for = np.take_along_axis(packed, first, axis=2) + below.astype(packed.dtype)
            np.put_along_axis(packed, first, stands_for, axis=2)
            parts.append(packed.reshape(len(own), -1))
        return parts


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
        order = np.argsort(highest, axis=1)
        ranks, weight = np.take_along_axis(highest, order, axis=1), self._widths[order]
        found = int(self._widths.sum()) + weight - np.cumsum(weight, axis=1)
        found = filled(ranks, found) if turned.ranks.tied else found
        return Steps(ranks, weight, found, found + self._false(turned, ranks))

    def false_above(self, turned: RotatedRanks, steps: Steps) -> Array:
        """Count the normal points that reach the next rank, or whose island does."""
        top = turned.ranks.distinct - 1
        false = self._false(turned, np.minimum(steps.ranks + 1, top))
        return np.where(steps.ranks < top, false, 0)

    def _false(self, turned: RotatedRanks, ranks: Array) -> Array:
        if self._islands is not None:
            return self._islands.at(turned.by).marked(ranks)
        return np.asarray(
            turned.ranks.reaching.take(ranks) - count_at_or_above(turned.ordered, ranks)
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
        parts = [by] if at_once else in_blocks(by, size)
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
        measured = _AREAS.get(self.measure, _best)
        blocks = self.scored.turned(by, at_once=self.levels.at_once, keep=keep)
        return np.concatenate([measured(self, block, self.levels.steps(block)) for block in blocks])

    def once(self, by: Positions) -> Floats:
        """The same at shifts that no other metric asks for."""
        return self.values(by, keep=False)

    def mean(self, steps: Steps, heights: Array) -> Floats:
        """The mean of some heights over the anomalous points."""
        return np.asarray((steps.weight * heights).sum(axis=1) / self.truth)


def _best(shifts: ScoreShifts, _: RotatedRanks, steps: Steps) -> Floats:
    """The highest F of each row."""
    measure, truth, shape = shifts.measure, shifts.truth, steps.ranks.shape
    place = np.argmax(steps.found / (steps.flagged + measure.beta**2 * truth), axis=1)
    found, flagged = (
        np.take_along_axis(np.broadcast_to(side, shape), place[:, np.newaxis], axis=1)[:, 0]
        for side in (steps.found, steps.flagged)
    )
    return np.asarray(measure(Tally(found, truth, found, flagged)))


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
