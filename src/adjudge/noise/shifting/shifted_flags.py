"""Shifted flags: the masses of one threshold at many shifts, at the cost of the events alone.

How many flags a stretch holds is a difference of two running counts, and the flags that it
holds are a stretch of the list of flags. So neither the points nor the alarms are gone through
again: a shift costs a few looks for each event and each normal stretch. Equal to counting the
shifted flags anew, one shift at a time (`adjudge.noise.shifting.one_by_one.OneByOne`).

Laid flags: the flags of all circles twice in a row, ready to be counted under any shift.
"""

# Idea: flags stand still and the events turn the other way. What a stretch holds is a
# difference of two running counts over flags that are laid out twice, so that no stretch runs
# past an end.
# Invariant: every value is that of `Case.turned` by the same offsets, unless circles are
# closed; then it depends on offsets alone, not on where a circle is cut open.
# Trap: a run that goes on over the seam of two circles, or hangs on an event, is cut where
# stretches are: its parts must be joined again at every shift (`joins`, `_bridges`), islands at
# each end too.

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.adjust.balanced import island_width
from adjudge.count.points import PointCount
from adjudge.count.runs import Coverage, Runs
from adjudge.count.segments import Composite, FalsePoints, Segments
from adjudge.count.tally import Tally
from adjudge.count.weighted_events import EventWeighted
from adjudge.data.intervals import reduceat
from adjudge.measure.rates import recall
from adjudge.noise.shifting.rotation import (
    CirclePlaces,
    JudgedStretches,
    Rotation,
    in_blocks,
    running,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from adjudge._typing import Array, Flags, Floats, Positions
    from adjudge.adjust.contract import Marking
    from adjudge.data.events import Events
    from adjudge.metrics.metric import Metric
    from adjudge.noise.shifting.rotation import Ring

    _Way = Callable[["ShiftedFlags", "_Islands", Any], Tally]
    _Fits = Callable[[Marking, Events], bool]


_TABLE = 1 << 17  # numbers of a table with all offsets: a megabyte
_NEAR = 4  # times smaller blocks of what is looked up: they stay in the processor's own memory
_LOOKS = 3  # so many lots of shifts are kept for the next metric, if they are small


class FlagTable:
    """The flags of all circles, laid out twice: running counts, and where each flag stands."""

    def __init__(self, flags: Flags, circles: Rotation) -> None:
        self.laid, self._lengths = circles.twice(flags), circles.lengths
        self.sums = running(self.laid)
        self.places = np.flatnonzero(self.laid)
        self.total = self.places.size // 2
        self._islands: dict[tuple[int, int], tuple[Array, Array]] = {}

    @cached_property
    def rises(self) -> Positions:
        """How many runs begin before each place."""
        rises = self.laid.copy()
        rises[1:] &= ~self.laid[:-1]
        return running(rises)

    @cached_property
    def joined(self) -> Flags:
        """Whether each place and the one before it on its circle are both flagged."""
        joined = self.laid.copy()
        joined[1:] &= self.laid[:-1]
        ends = 2 * np.cumsum(self._lengths)
        firsts = (ends - 2 * self._lengths)[self._lengths > 0]
        joined[firsts] = self.laid[firsts] & self.laid[ends[self._lengths > 0] - 1]
        return joined

    @cached_property
    def ahead(self) -> Array:
        """How many quiet points lie between each place and the next flag."""
        after = np.append(self.places, 2 * self.laid.size).take(self.sums)
        return np.asarray(after - np.arange(self.sums.size), np.int32)

    @cached_property
    def behind(self) -> Array:
        """How many quiet points lie between the last flag before each place and it."""
        before = np.append(-1 - self.laid.size, self.places).take(self.sums)
        return np.asarray(np.arange(self.sums.size) - before - 1, np.int32)

    def islands(self, reach: tuple[int, int]) -> tuple[Array, Array]:
        """What islands mark, counted up to where a stretch begins, and to where one ends.

        The difference of the two is what the flags of a stretch mark in it, if it has any. An
        island reaches so many points before its flag and after it.
        """
        if reach not in self._islands:
            before, after = reach
            steps = np.minimum(np.diff(self.places), before + after + 1)
            marked = np.zeros(self.places.size + 2, np.int32)  # up to each flag; ends have none
            np.cumsum(steps, out=marked[2 : 2 + steps.size])
            begin = marked[1:].take(self.sums)
            begin -= np.minimum(self.ahead, before)
            end = marked.take(self.sums)
            end += np.minimum(self.behind, after) + 1
            self._islands[reach] = begin, end
        return self._islands[reach]


class ShiftedFlags:
    """The flags of all circles under some shifts: what several metrics count is counted once.

    What stretches hold is counted in tables with a row per stretch and a column per shift.
    """

    def __init__(self, flags: FlagTable, circles: Rotation, by: Positions) -> None:
        self.flags, self.circles, self.by = flags, circles, by
        self._on_lines: dict[int, Positions] = {}

    @property
    def events(self) -> Events:
        """The truth."""
        return self.circles.events

    @property
    def on_lines(self) -> ShiftedFlags:
        """The same, with a column for each shift for sure: what several circles hold together."""
        return self

    def total(self, _: Positions, table: Array) -> Positions:
        """Add the rows of a table up, shift by shift; the circle of each row is given."""
        total: Positions = table.sum(axis=0)
        return total

    def each(self, _: Positions, table: Array) -> Array:
        """The rows of a table, with a column per shift."""
        return table

    def sums(self, of: JudgedStretches) -> tuple[Positions, Positions, Positions]:
        """Say where each stretch begins, and how many flags lie before it and before its end."""
        begin, sums = self.begins(of), self.flags.sums
        return begin, sums.take(begin), sums.take(begin + _column(of.lengths))

    def begins(self, of: JudgedStretches) -> Positions:
        """Say where each stretch begins."""
        return self.circles.begins(of.starts, self.by)

    def hits(self, of: JudgedStretches) -> Positions:
        """Count the flags of each stretch, shift by shift."""
        _, before, after = self.sums(of)
        return np.asarray(after - before)

    @cached_property
    def in_events(self) -> Positions:
        """How many flags each event has."""
        return self.hits(self.circles.of_events)

    @cached_property
    def in_normal(self) -> tuple[Positions, Positions, Positions]:
        """Where each normal stretch begins, and the flags before it and before its end."""
        return self.sums(self.circles.of_normal)

    @cached_property
    def found(self) -> Positions:
        """How many events have a flag."""
        return self.total(self.circles.of_event, self.in_events > 0)

    @cached_property
    def true(self) -> Positions:
        """How many flags lie in events."""
        return self.total(self.circles.of_event, self.in_events)

    @cached_property
    def all_runs(self) -> Positions:
        """How many runs of flags there are."""
        of = self.circles.of_judged
        runs = self.total(self.circles.located(of.starts).circle, self.runs(of))
        return runs - self.joins(self.circles.seams)

    @cached_property
    def false_runs(self) -> Positions:
        """How many runs of flags touch no event: those of normal stretches, less what hangs on."""
        parts, borders = self.circles.of_normal, self.circles.once("borders", self._borders)
        circle = self.circles.located(parts.starts).circle
        begin, low, high = self.in_normal
        false = self.total(circle, self.runs(parts, begin)) - self.joins(borders.joins)
        if not borders.first.size:
            return false
        hits = (high - low)[borders.parts]
        full = hits.max(axis=1, initial=0) == parts.lengths[borders.parts]
        bridged = reduceat(np.logical_and, full, borders.first)  # at one shift or another
        return false + self._bridges(borders, hits, bridged) if bridged.any() else false

    def _borders(self) -> _Borders:
        events, seams = self.events, self.circles.seams
        starts, stops = whole = self.circles.of_whole_normal
        after = np.isin(starts, events.stops) & ~np.isin(starts, events.series_bounds)
        before = np.isin(stops, events.starts) & ~np.isin(stops, events.series_bounds)
        inside = events.normal[seams - 1] & events.normal[seams]
        joins = np.concatenate([starts[after], stops[before], seams[inside]])
        between, begins = whole.only(after & before), self.circles.of_normal.starts
        home = np.searchsorted(starts, begins, side="right") - 1
        parts = np.flatnonzero((after & before)[home])
        first = np.searchsorted(begins[parts], between.starts)
        return _Borders(np.sort(joins), between, parts, first)

    def _bridges(self, borders: _Borders, hits: Positions, some: Flags) -> Positions:
        """How many of some normal stretches between two events are one run that hangs on both."""
        circle = self.circles.located(self.circles.of_normal.starts[borders.parts]).circle
        flags = reduceat(np.add, self.each(circle, hits), borders.first, axis=0)[some]
        between = borders.between.only(some)
        bridge = flags == _column(between.lengths)
        bridge &= self.going_on(between.starts)
        bridge &= self.going_on(between.stops)
        return np.asarray(np.count_nonzero(bridge, axis=0))

    def marked(self, width: int, *, closed: bool) -> Positions:
        """How many normal points islands of some width mark, on lines or on closed circles."""
        if closed and not self.circles.is_one_series:
            return _closed_islands(self, width)
        if width not in self._on_lines:
            self._on_lines[width] = _islands(self.on_lines, width)
        marked = self._on_lines[width]
        return marked + _over_the_seam(self, width) if closed else marked

    def joins(self, points: Positions) -> Positions:
        """Count the points at which a run goes on from the point before."""
        at, before = self.circles.located(points), self.circles.located(points - 1)
        same = at.circle == before.circle
        if same.all():
            return self._inside(at)
        inside = self._inside(CirclePlaces(at.circle[same], at.place[same]))
        return np.asarray(inside + np.count_nonzero(self.going_on(points[~same]), axis=0))

    def _inside(self, at: CirclePlaces) -> Positions:
        """The same for points that do not begin a circle."""
        return self.total(at.circle, self.flags.joined.take(self.circles.turned(at, self.by)))

    def going_on(self, points: Positions) -> Flags:
        """Tell whether a run goes on from the point before to each point."""
        sides = self.circles.located(points), self.circles.located(points - 1)
        here, before = (
            self.each(at.circle, self.flags.laid.take(self.circles.turned(at, self.by)))
            for at in sides
        )
        return np.asarray(here & before)

    def runs(self, of: JudgedStretches, begin: Positions | None = None) -> Positions:
        """Count the runs of flags inside each stretch, cut off at its ends."""
        begin = self.begins(of) if begin is None else begin
        rises = self.flags.rises
        begun = rises.take(begin + _column(of.lengths)) - rises.take(begin + 1)
        return np.asarray(self.flags.laid.take(begin) + begun)


class LookedUpFlags(ShiftedFlags):
    """The same under many shifts of short circles, which turn one by one.

    What a circle holds depends on its own offset alone. So tables have a column for each offset,
    whatever the shifts are, and a sum over circles is looked up in them.

    Parameters
    ----------
    every : RotatedFlags
        The flags at every offset (`every_offset_of`).
    by : array of int
        The shifts.
    """

    def __init__(self, every: ShiftedFlags, by: Positions) -> None:
        super().__init__(every.flags, every.circles, every.by)
        self._every, self._shifts = every, by
        self._offsets = np.ascontiguousarray(by.T)

    @cached_property
    def on_lines(self) -> ShiftedFlags:
        """The same with a column for each shift."""
        return ShiftedFlags(self.flags, self.circles, self._shifts)

    @property
    def in_events(self) -> Positions:
        """How many flags each event has, at every offset."""
        return self._every.in_events

    @property
    def in_normal(self) -> tuple[Positions, Positions, Positions]:
        """Where each normal stretch begins, and the flags around it, at every offset."""
        return self._every.in_normal

    def total(self, circle: Positions, table: Array) -> Positions:
        """Add the rows of each circle up, and the circles at each shift."""
        if not circle.size:
            return np.zeros(len(self._shifts), np.int64)
        firsts = np.flatnonzero(np.append(True, circle[1:] != circle[:-1]))
        sums = reduceat(np.add, table, firsts, axis=0, dtype=np.int64)
        return super().total(circle, self.each(circle[firsts], sums))

    def each(self, circle: Positions, table: Array) -> Array:
        """The rows of a table at each shift."""
        rows, offsets = table.shape
        places = self._offsets[circle] + offsets * np.arange(rows, dtype=np.int64)[:, np.newaxis]
        return np.asarray(table.take(places))


class _Borders(NamedTuple):
    """Where runs of normal stretches may hang on others."""

    joins: Positions
    """Their first points behind events or cuts, and the first points of events behind them."""
    between: JudgedStretches
    """The stretches between two events, with no regard to cuts."""
    parts: Positions
    """The normal stretches that these are cut into."""
    first: Positions
    """Which of the parts is the first one of each."""


def every_offset_of(circles: Rotation) -> Positions:
    """All offsets of circles, one row for each of the longest one's.

    >>> from adjudge.data.events import Events
    >>> every_offset_of(Rotation(Events.from_labels([0, 1, 0, 1, 0]), np.array([0, 2, 5])))
    array([[0, 0],
           [1, 1],
           [0, 2]])
    """
    every = np.arange(circles.lengths.max(initial=0))
    return every[:, np.newaxis] % np.maximum(circles.lengths, 1)


def _column(values: Array) -> Array:
    """One value per stretch, for all shifts."""
    return values[:, np.newaxis]


class FlaggedCase:
    """The flags of one threshold under shifts: what several metrics share is made once."""

    def __init__(self, flags: Flags, circles: Rotation) -> None:
        self.circles, self.flags = circles, FlagTable(flags, circles)
        self._kept: list[tuple[Positions, list[ShiftedFlags]]] = []  # of the last shifts
        self._true: tuple[Positions, Positions] | None = None

    @property
    def work(self) -> int:
        """About how many numbers one shift looks at."""
        return 2 * len(self.circles.events) + self.circles.lengths.size + 1

    def turned(self, by: Positions) -> list[ShiftedFlags]:
        """The flags under these shifts, some shifts at a time; kept for the next metric."""
        for known, turned in self._kept:
            if known is by:
                return turned
        turned = self._looked_up(by) if self._can_be_looked_up(by) else self._counted(by)
        if len(by) > 1:  # a look at home does not push them out
            kept = _LOOKS if len(turned) == 1 else 1
            self._kept = [(by, turned), *self._kept][:kept]
        return turned

    def _counted(self, by: Positions) -> list[ShiftedFlags]:
        blocks = in_blocks(by, self.work)
        return [ShiftedFlags(self.flags, self.circles, block) for block in blocks]

    def _can_be_looked_up(self, by: Positions) -> bool:
        """Whether all offsets of the circles are less work than these shifts."""
        lengths = self.circles.lengths
        longest = int(lengths.max(initial=0))
        return lengths.size > 1 and longest < len(by) and longest * self.work <= _TABLE

    def _looked_up(self, by: Positions) -> list[ShiftedFlags]:
        blocks = in_blocks(by, _NEAR * self.circles.lengths.size)
        return [LookedUpFlags(self._every, block) for block in blocks]

    @cached_property
    def _every(self) -> ShiftedFlags:
        return ShiftedFlags(self.flags, self.circles, every_offset_of(self.circles))

    def true(self, by: Positions) -> Positions:
        """Count the flags that lie in events: at all shifts at once, if that is quicker."""
        if self._true is None or self._true[0] is not by:
            self._true = by, self.circles.sums_in_events(self.flags.laid, by)
        return self._true[1]


class FlagShifts:
    """The masses of one threshold, at any shift.

    Parameters
    ----------
    metric : Metric
        What `can_be_counted`.
    flagged : FlaggedCase
        What lies above the threshold, and the truth.
    closed : bool
        Whether islands run round the circle on which the alarms turn; else they end with their
        series.
    """

    def __init__(self, metric: Metric, flagged: FlaggedCase, *, closed: bool = False) -> None:
        self.flagged, self._closed = flagged, closed
        self._measure, adjust, self._count = metric.parts
        marking = adjust.marking_on(flagged.circles.events)
        assert marking is not None  # noqa: S101 - whoever asks has asked `can_be_counted`
        self._marking = marking
        self._as_they_are = type(self._count) is PointCount and _is_plain(
            marking, flagged.circles.events
        )

    @property
    def work(self) -> int:
        """About how many numbers one shift looks at."""
        if self._as_they_are and self.flagged.circles.can_correlate:
            return 1
        return self.flagged.work

    def values(self, by: Positions) -> Floats:
        """The metric's value at each shift: one row of offsets, one value."""
        return np.concatenate([_measured(self._measure, tally) for tally in self._tallies(by)])

    def _tallies(self, by: Positions) -> Iterator[Tally]:
        if self._as_they_are:
            found = self.flagged.true(by)
            false = self.flagged.flags.total - found
            yield _of_points(found, false, self.flagged.circles.events)
            return
        count, _ = _WAYS[type(self._count)]
        count = _events if count is _runs and self._measure is recall else count
        for turned in self.flagged.turned(by):
            yield count(turned, _Islands(self._marking, self._closed), self._count)


def can_be_counted(metric: Metric, events: Events) -> bool:
    """Say whether the masses of a shift can be counted from flags before and after each event."""
    _, adjust, count = metric.parts
    marking = adjust.marking_on(events)
    if marking is None or not metric.at_one_threshold or type(count) not in _WAYS:
        return False
    _, fits = _WAYS[type(count)]
    return fits(marking, events)


def _measured(measure: Callable[[Tally], Array], tally: Tally) -> Floats:
    shape = np.shape(tally.found)
    return np.array(np.broadcast_to(np.asarray(measure(tally), np.float64), shape))


class _Islands(NamedTuple):
    """What marks events and normal points, and whether circles are closed."""

    marking: Marking
    closed: bool

    def marked(self, turned: ShiftedFlags) -> Positions:
        return turned.marked(self.marking.island, closed=self.closed)


def _points(turned: ShiftedFlags, islands: _Islands, _: Any) -> Tally:
    """Count points: events earn what the adjustment gives them, false flags cost themselves."""
    marking = islands.marking
    widths, hits = turned.events.widths, turned.in_events
    if np.any(marking.first < widths):
        starts = turned.events.starts
        hits = turned.hits(JudgedStretches(starts, starts + marking.first))
    widths, needed = widths[:, np.newaxis], np.broadcast_to(marking.needed, widths.shape)
    earned = np.where(hits >= needed[:, np.newaxis], widths, hits if marking.keeps else 0)
    false = turned.flags.total - turned.true
    if marking.island > 1:
        false = islands.marked(turned)
    return _of_points(turned.total(turned.circles.of_event, earned), false, turned.events)


def _of_points(found: Positions, false: Positions, events: Events) -> Tally:
    truth = int(events.widths.sum())
    judged = events.n if events.judged is None else int(np.count_nonzero(events.judged))
    return Tally(found, truth, found, found + false, judged - truth)


def _over_the_seam(turned: ShiftedFlags, width: int) -> Positions:
    """Count what islands mark besides where a series runs on from its last point to its first.

    Only points before all other islands and behind them are still free there.
    """
    n, (before, after) = turned.events.n, _reach(turned, width)
    first, last = _false_ends(turned, before + after)
    normal = turned.circles.once("normal", lambda: np.append(0, np.cumsum(turned.events.normal)))
    free = np.clip(first - before, 0, n), np.clip(last + after + 1, 0, n)
    at_start = np.clip(last + after + 1 - n, 0, free[0])
    at_end = np.clip(n + first - before, free[1], n)
    more = normal.take(at_start) + normal[n] - normal.take(at_end)
    return np.where((first < n) | (last >= 0), more, 0)


def _false_ends(turned: ShiftedFlags, within: int) -> tuple[Positions, Positions]:
    """Where the false flags of each shift begin and end, if that is so near the ends."""
    n, normal = turned.events.n, turned.circles.of_normal
    early, late = normal.only(normal.starts < within), normal.only(normal.stops > n - within)
    own, left, _ = _Quiet.of(turned.flags, turned.begins(early), early.lengths)
    first = np.where(own, _column(early.starts) + left, n).min(axis=0, initial=n)
    own, _, right = _Quiet.of(turned.flags, turned.begins(late), late.lengths)
    last = np.where(own, _column(late.stops) - 1 - right, -1).max(axis=0, initial=-1)
    return first, last


def _reach(turned: ShiftedFlags, width: int) -> tuple[int, int]:
    """How many points before and after its flag an island marks."""
    width = min(width, 2 * turned.events.n)
    return (width - 1) // 2, width // 2


def _islands(turned: ShiftedFlags, width: int) -> Positions:
    """Count the normal points that the islands of false flags mark.

    A stretch is marked from its first flag to its last but for gaps that no two islands close; at
    its ends by these two, or by islands that reach in from the stretches before and after.
    """
    normal, reach = turned.circles.of_normal, _reach(turned, width)
    begin = turned.in_normal[0]
    marked = _marked(turned.flags, begin, normal.lengths, reach)
    rows = turned.circles.once(("in reach", reach), lambda: _in_reach(turned.circles, max(reach)))
    if rows.size:
        some = normal.only(rows)
        quiet = _Quiet.of(turned.flags, begin[rows], some.lengths)
        into = _reaching_in(turned.events, some, quiet, reach)
        marked[rows] += _marked_besides(quiet, some.lengths, reach, into)
    counts: Positions = marked.sum(axis=0)
    return counts


def _in_reach(circles: Rotation, reach: int) -> Positions:
    """The normal stretches so close to another that islands of the one may reach the other."""
    starts, stops = circles.of_normal
    near = np.zeros(starts.size + 1, bool)
    near[1:-1] = starts[1:] - stops[:-1] < reach
    return np.flatnonzero(near[1:] | near[:-1])


class _Quiet(NamedTuple):
    """The quiet ends of stretches: a row per stretch, a column per shift."""

    own: Flags
    """Whether there is a flag at all."""
    left: Positions
    """Points before the first one."""
    right: Positions
    """Points after the last one."""

    @classmethod
    def of(cls, flags: FlagTable, begin: Positions, lengths: Positions) -> _Quiet:
        left, right = flags.ahead.take(begin), flags.behind.take(begin + _column(lengths))
        return cls(left < _column(lengths), left, right)


def _marked(
    flags: FlagTable, begin: Positions, lengths: Positions, reach: tuple[int, int]
) -> Positions:
    """Count what the islands of each stretch mark inside it."""
    lengths = _column(lengths)
    up_to_begin, up_to_end = flags.islands(reach)
    own = flags.ahead.take(begin) < lengths
    marked = up_to_end.take(begin + lengths)
    marked -= up_to_begin.take(begin)
    marked *= own
    return marked


def _marked_besides(
    quiet: _Quiet,
    lengths: Positions,
    reach: tuple[int, int],
    into: tuple[Positions, Positions],
) -> Positions:
    """Count what islands of other stretches mark besides."""
    left, right = (
        np.minimum(np.maximum(side - own, 0), other)
        for side, own, other in zip(quiet[1:], reach, into, strict=True)
    )
    alone = np.minimum(_column(lengths), into[0] + into[1])
    return np.where(quiet.own, left + right, alone)


def _closed_islands(turned: ShiftedFlags, width: int) -> Positions:
    """Count the same on closed circles: islands run on from the last point to the first.

    Every place of a circle is then as good as any other, its own among them.
    """
    reach, circles = _reach(turned, width), turned.circles
    ring, constant = circles.ring, _without_events(turned, width)
    begin = circles.turned(ring.places, turned.by)
    marked = _marked(turned.flags, begin, ring.lengths, reach)
    rows = circles.once(("in reach round", reach), lambda: ring.in_reach(max(reach)))
    if rows.size:
        some = ring.only(rows)
        quiet = _Quiet.of(turned.flags, begin[rows], some.lengths)
        into = _reaching_round(some, quiet, reach)
        marked[rows] += _marked_besides(quiet, some.lengths, reach, into)
    return constant + turned.total(ring.places.circle, marked)


def _without_events(turned: ShiftedFlags, width: int) -> int:
    """Count what islands mark on the circles without events: no shift changes it."""
    circles, count = turned.circles, 0
    quiet = np.ones(circles.lengths.size, bool)
    quiet[circles.located(turned.events.starts).circle] = False
    firsts = 2 * (np.cumsum(circles.lengths) - circles.lengths)
    for first, length in zip(firsts[quiet], circles.lengths[quiet], strict=True):
        places = np.flatnonzero(turned.flags.laid[first : first + length])
        if places.size:
            gaps = np.diff(places, append=places[0] + length)
            count += int(np.minimum(gaps, width).sum())
    return count


def _reaching_round(
    ring: Ring, quiet: _Quiet, reach: tuple[int, int]
) -> tuple[Positions, Positions]:
    """Count the points of each stretch that islands of other stretches, or its own, reach into."""
    (before, after), walk = reach, ring.walk(max(reach))
    which, starts = walk.stretch, _column(walk.starts)
    stops = starts + _column(ring.lengths[which])
    own, left, right = (side[which] for side in quiet)
    beyond = stops.max() + 1  # what no island reaches
    stop, first = np.zeros((2, walk.own.size + 1, own.shape[1]), np.int64)
    stop[1:] = np.where(own, stops - right + after, 0)
    first[:-1], first[-1] = np.where(own, starts + left - before, beyond), beyond
    np.maximum.accumulate(stop, axis=0, out=stop)
    np.minimum.accumulate(first[::-1], axis=0, out=first[::-1])
    at = np.flatnonzero(walk.own)
    starts, stops = starts[at], stops[at]
    into_left, into_right = np.zeros((2, *quiet.own.shape), np.int64)
    into_left[which[at]] = np.clip(stop[at], starts, stops) - starts
    into_right[which[at]] = stops - np.clip(first[at + 1], starts, stops)
    return into_left, into_right


def _reaching_in(
    events: Events, normal: JudgedStretches, quiet: _Quiet, reach: tuple[int, int]
) -> tuple[Positions, Positions]:
    """Count the points of each stretch that islands of earlier and of later stretches mark."""
    (before, after), bounds = reach, events.series_bounds
    home = np.searchsorted(bounds, normal.starts, side="right") - 1
    begins, ends = _column(bounds[home]), _column(bounds[home + 1])
    starts, stops = (_column(side) for side in normal)
    stop = np.where(quiet.own, np.minimum(stops - quiet.right + after, ends), 0)
    first = np.where(quiet.own, np.maximum(starts + quiet.left - before, begins), events.n)
    stop = np.maximum.accumulate(stop, axis=0)
    first = np.minimum.accumulate(first[::-1], axis=0)[::-1]
    into_left, into_right = np.zeros((2, *quiet.own.shape), np.int64)
    np.clip(stop[:-1], starts[1:], stops[1:], out=into_left[1:])
    into_left[1:] -= starts[1:]
    np.clip(first[1:], starts[:-1], stops[:-1], out=into_right[:-1])
    np.subtract(stops[:-1], into_right[:-1], out=into_right[:-1])
    return into_left, into_right


def _runs(turned: ShiftedFlags, _: _Islands, __: Any) -> Tally:
    """Count events and runs; a run of a normal stretch is false unless it hangs on an event."""
    runs = turned.all_runs
    return Tally(turned.found, len(turned.events), runs - turned.false_runs, runs)


def _events(turned: ShiftedFlags, _: _Islands, __: Any) -> Tally:
    """Count events, and no runs: recall does not ask for these."""
    return Tally(turned.found, len(turned.events), 0, 0)


def _coverage(turned: ShiftedFlags, _: _Islands, __: Any) -> Tally:
    found, widths = turned.found, turned.events.widths[:, np.newaxis]
    shares = turned.each(turned.circles.of_event, turned.in_events / widths).sum(axis=0)
    none = np.zeros(len(found))
    return Tally(shares, found, none, none)


def _composite(turned: ShiftedFlags, _: _Islands, __: Any) -> Tally:
    return Tally(turned.found, len(turned.events), turned.true, turned.flags.total)


def _segments(turned: ShiftedFlags, _: _Islands, __: Any) -> Tally:
    flagged = turned.found + turned.false_runs
    return Tally(turned.found, len(turned.events), turned.found, flagged)


def _false_points(turned: ShiftedFlags, _: _Islands, __: Any) -> Tally:
    found, false = turned.found, turned.flags.total - turned.true
    normal = _of_points(found, false, turned.events).normal
    return Tally(found, len(turned.events), found, found + false, normal)


def _weighted(turned: ShiftedFlags, islands: _Islands, count: Any) -> Tally:
    found, per = turned.found, float(island_width(count.width, turned.events))
    normal = _of_points(found, found, turned.events).normal / per
    flagged = found + islands.marked(turned) / per
    return Tally(found, len(turned.events), found, flagged, normal)


def _is_plain(marking: Marking, events: Events) -> bool:
    """Whether every flag counts as itself."""
    return marking.keeps and bool(np.all(marking.needed > events.widths))


_WAYS: dict[type, tuple[_Way, _Fits]] = {
    PointCount: (_points, lambda *_: True),
    Runs: (_runs, _is_plain),
    Coverage: (_coverage, _is_plain),
    Composite: (_composite, _is_plain),
    Segments: (_segments, _is_plain),
    FalsePoints: (_false_points, _is_plain),
    EventWeighted: (_weighted, lambda marking, events: marking.is_by_one_hit(events)),
}
"""What can be counted quickly: how, and under which markings."""
