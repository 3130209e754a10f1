"""Shifted flags: the masses of one threshold at many shifts, at the cost of the events alone.

How many flags a stretch holds is a difference of two running counts, and the flags that it
holds are a stretch of the list of flags. So neither the points nor the alarms are gone through
again: a shift costs a few looks for each event and each normal stretch. Equal to counting the
shifted flags anew, one shift at a time (`adjudge.noise.shifting.shifted_case.shifted`).

Laid flags: the flags of all circles twice in a row, ready to be counted under any shift.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.adjust.balanced import island_width
from adjudge.count.points import Points
from adjudge.count.runs import Coverage, Runs
from adjudge.count.segments import Composite, FalsePoints, Segments
from adjudge.count.tally import Tally
from adjudge.count.weighted_events import EventWeighted
from adjudge.noise.shifting.rotation import Rotation, Stretches, in_blocks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from adjudge._typing import Array, Flags, Floats, Positions
    from adjudge.adjust.adjustments import Marking
    from adjudge.data.events import Events
    from adjudge.metrics.metric import Metric
    from adjudge.noise.shifting.rotation import Ring

    _Way = Callable[["RotatedFlags", "_Islands", Any], Tally]
    _Fits = Callable[[Marking, Events], bool]


class UnrolledFlags:
    """The flags of all circles, laid out twice: running counts, and where each flag stands."""

    def __init__(self, flags: Flags, circles: Rotation) -> None:
        self.laid = circles.twice(flags)
        self.sums = running(self.laid)
        self.places = np.flatnonzero(self.laid)
        self.total = self.places.size // 2

    @cached_property
    def rises(self) -> Positions:
        """How many runs begin before each place."""
        rises = self.laid.copy()
        rises[1:] &= ~self.laid[:-1]
        return running(rises)

    def marked_between(self, reach: int) -> Positions:
        """Count the points up to each flag that flags mark, which together reach so far.

        One more stands at the end, for stretches without flags.
        """
        steps = np.minimum(np.diff(self.places), reach + 1)
        marked = np.zeros(self.places.size + 1, np.int64)
        np.cumsum(steps, out=marked[1 : 1 + steps.size])
        return marked


class RotatedFlags:
    """The flags of all circles under some shifts: what several metrics count is counted once."""

    def __init__(self, flags: UnrolledFlags, circles: Rotation, by: Positions) -> None:
        self.flags, self.circles, self.by = flags, circles, by
        self._on_lines: dict[int, tuple[Positions, _FalseFlags]] = {}

    @property
    def events(self) -> Events:
        """The truth."""
        return self.circles.events

    def sums(self, of: Stretches) -> tuple[Positions, Positions, Positions]:
        """Say where each stretch begins, and how many flags lie before it and before its end.

        Here and below there is a row per stretch, and a column per shift.
        """
        begin = self.circles.begins(of.starts, self.by)
        sums = self.flags.sums
        return begin, sums.take(begin), sums.take(begin + _column(of.lengths))

    def hits(self, of: Stretches) -> Positions:
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
        return np.asarray(np.count_nonzero(self.in_events, axis=0))

    @cached_property
    def true(self) -> Positions:
        """How many flags lie in events."""
        true: Positions = self.in_events.sum(axis=0)
        return true

    @cached_property
    def false_runs(self) -> Positions:
        """How many runs of flags touch no event: those of normal stretches, less what hangs on."""
        events, parts = self.events, self.circles.of_normal
        starts, stops = whole = self.circles.of_whole_normal
        after = np.isin(starts, events.stops) & ~np.isin(starts, events.series_bounds)
        before = np.isin(stops, events.starts) & ~np.isin(stops, events.series_bounds)
        joined = np.zeros((2, starts.size, len(self.by)), bool)
        joined[0, after] = self.going_on(starts[after])
        joined[1, before] = self.going_on(stops[before])
        begin, low, high = self.in_normal
        flags = _added_up(high - low, np.searchsorted(parts.starts, starts))
        bridge = joined.all(axis=0) & (flags == _column(whole.lengths))
        false: Positions = self.runs(parts, begin).sum(axis=0)
        false += bridge.sum(axis=0) - joined.sum(axis=(0, 1))
        seams = self.circles.seams
        inside = events.normal[seams - 1] & events.normal[seams]
        false -= np.count_nonzero(self.going_on(seams[inside]), axis=0)
        return false

    def marked(self, width: int, *, closed: bool) -> Positions:
        """How many normal points islands of some width mark, on lines or on closed circles."""
        if closed and not self.circles.is_one_series:
            return _closed_islands(self, width)
        if width not in self._on_lines:
            self._on_lines[width] = _islands(self, width)
        marked, ends = self._on_lines[width]
        return marked + _over_the_seam(self.circles, ends, width) if closed else marked

    def going_on(self, points: Positions) -> Flags:
        """Tell whether a run goes on from the point before to each point."""
        at, before = (self.circles.begins(side, self.by) for side in (points, points - 1))
        return np.asarray(self.flags.laid.take(at) & self.flags.laid.take(before))

    def runs(self, of: Stretches, begin: Positions | None = None) -> Positions:
        """Count the runs of flags inside each stretch, cut off at its ends."""
        begin = self.circles.begins(of.starts, self.by) if begin is None else begin
        rises = self.flags.rises
        begun = rises.take(begin + _column(of.lengths)) - rises.take(begin + 1)
        return np.asarray(self.flags.laid.take(begin) + begun)


def _column(values: Array) -> Array:
    """One value per stretch, for all shifts."""
    return values[:, np.newaxis]


def _added_up(counts: Positions, firsts: Positions) -> Positions:
    """Add the counts of the parts of each stretch, whose first parts are given."""
    return np.add.reduceat(counts, firsts, axis=0) if firsts.size else counts


def running(values: Array) -> Array:
    """Count, for each place, what lies before it."""
    sums = np.zeros(values.size + 1, np.int32)
    np.cumsum(values, out=sums[1:])
    return sums


class FlaggedCase:
    """The flags of one threshold under shifts: what several metrics share is made once."""

    def __init__(self, flags: Flags, circles: Rotation) -> None:
        self.circles, self.flags = circles, UnrolledFlags(flags, circles)
        self._kept: tuple[Positions, list[RotatedFlags]] | None = None  # of the last shifts
        self._true: tuple[Positions, Positions] | None = None

    @property
    def work(self) -> int:
        """About how many numbers one shift looks at."""
        return 2 * len(self.circles.events) + self.circles.lengths.size + 1

    def turned(self, by: Positions) -> list[RotatedFlags]:
        """The flags under these shifts, some shifts at a time."""
        if self._kept is None or self._kept[0] is not by:
            parts = in_blocks(by, self.work)
            self._kept = by, [RotatedFlags(self.flags, self.circles, part) for part in parts]
        return self._kept[1]

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
        marking = adjust.marking(flagged.circles.events)
        assert marking is not None  # noqa: S101 - whoever asks has asked `can_be_counted`
        self._marking = marking
        self._as_they_are = type(self._count) is Points and _is_plain(
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
        for turned in self.flagged.turned(by):
            yield count(turned, _Islands(self._marking, self._closed), self._count)


def can_be_counted(metric: Metric, events: Events) -> bool:
    """Say whether the masses of a shift can be counted from flags before and after each event."""
    _, adjust, count = metric.parts
    marking = adjust.marking(events)
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

    def marked(self, turned: RotatedFlags) -> Positions:
        return turned.marked(self.marking.island, closed=self.closed)


def _points(turned: RotatedFlags, islands: _Islands, _: Any) -> Tally:
    """Count points: events earn what the adjustment gives them, false flags cost themselves."""
    marking = islands.marking
    widths, hits = turned.events.widths, turned.in_events
    if np.any(marking.first < widths):
        starts = turned.events.starts
        hits = turned.hits(Stretches(starts, starts + marking.first))
    widths, needed = widths[:, np.newaxis], np.broadcast_to(marking.needed, widths.shape)
    earned = np.where(hits >= needed[:, np.newaxis], widths, hits if marking.keeps else 0)
    false = turned.flags.total - turned.true
    if marking.island > 1:
        false = islands.marked(turned)
    return _of_points(earned.sum(axis=0), false, turned.events)


def _of_points(found: Positions, false: Positions, events: Events) -> Tally:
    truth = int(events.widths.sum())
    judged = events.n if events.judged is None else int(np.count_nonzero(events.judged))
    return Tally(found, truth, found, found + false, judged - truth)


class _FalseFlags(NamedTuple):
    """Where the false flags of each shift begin and end; the first behind the last: none."""

    first: Positions
    last: Positions


def _over_the_seam(circles: Rotation, ends: _FalseFlags, width: int) -> Positions:
    """Count what islands mark besides where a series runs on from its last point to its first.

    Only points before all other islands and behind them are still free there.
    """
    n, before, after = circles.events.n, (width - 1) // 2, width // 2
    normal = np.append(0, np.cumsum(circles.events.normal))
    free = np.clip(ends.first - before, 0, n), np.clip(ends.last + after + 1, 0, n)
    at_start = np.clip(ends.last + after + 1 - n, 0, free[0])
    at_end = np.clip(n + ends.first - before, free[1], n)
    more = normal[at_start] + normal[n] - normal[at_end]
    return np.asarray(np.where(ends.first <= ends.last, more, 0))


def _islands(turned: RotatedFlags, width: int) -> tuple[Positions, _FalseFlags]:
    """Count the normal points that the islands of false flags mark.

    A stretch is marked from its first flag to its last but for gaps that no two islands close; at
    its ends by these two, or by islands that reach in from the stretches before and after.
    """
    width = min(width, 2 * turned.events.n)
    before, after = (width - 1) // 2, width // 2
    normal = turned.circles.of_normal
    if not normal.starts.size:
        none = np.zeros(len(turned.by), np.int64)
        return none, _FalseFlags(none, none - 1)
    flagged = _Flagged.of(turned, turned.in_normal, normal.lengths)
    quiet = flagged.left - before, flagged.right - after
    into = _reaching_in(turned, quiet, flagged.own)
    first = np.where(flagged.own, _column(normal.starts) + flagged.left, turned.events.n)
    last = np.where(flagged.own, _column(normal.stops) - 1 - flagged.right, -1)
    ends = _FalseFlags(first.min(axis=0), last.max(axis=0))
    return _marked(turned, flagged, normal.lengths, (before, after), into), ends


class _Flagged(NamedTuple):
    """The flags of normal stretches: a row per stretch, a column per shift."""

    own: Flags
    """Whether there are any."""
    low: Positions
    """The number of the first one, among all."""
    high: Positions
    """That of the last one."""
    left: Positions
    """Quiet points before the first one."""
    right: Positions
    """Quiet points after the last one."""

    @classmethod
    def of(
        cls,
        turned: RotatedFlags,
        sums: tuple[Positions, Positions, Positions],
        lengths: Positions,
    ) -> _Flagged:
        begin, low, high = sums
        own, high = high > low, high - 1
        places = np.append(turned.flags.places, 0)  # a stretch without flags looks anywhere
        left = places.take(low) - begin
        right = begin - places.take(high) + _column(lengths) - 1
        return cls(own, low, high, left, right)


def _marked(
    turned: RotatedFlags,
    flagged: _Flagged,
    lengths: Positions,
    reach: tuple[int, int],
    into: tuple[Positions, Positions],
) -> Positions:
    """Count what is marked inside each stretch and at its ends, and what reaches in."""
    (before, after), (into_left, into_right) = reach, into
    own, low, high, left, right = flagged
    marks = turned.flags.marked_between(before + after)
    inside = marks.take(high) - marks.take(low) + 1
    ends = np.minimum(left, into_left + np.minimum(left, before))
    ends += np.minimum(right, into_right + np.minimum(right, after))
    alone = np.minimum(_column(lengths), into_left + into_right)
    counts: Positions = np.where(own, inside + ends, alone).sum(axis=0)
    return counts


def _closed_islands(turned: RotatedFlags, width: int) -> Positions:
    """Count the same on closed circles: islands run on from the last point to the first.

    Every place of a circle is then as good as any other, its own among them.
    """
    width, circles = min(width, 2 * turned.events.n), turned.circles
    ring, reach = circles.ring, ((width - 1) // 2, width // 2)
    constant = _without_events(turned, width)
    if not ring.lengths.size:
        return np.full(len(turned.by), constant)
    begin = circles.turned(ring.places, turned.by)
    sums = turned.flags.sums
    counted = begin, sums.take(begin), sums.take(begin + _column(ring.lengths))
    flagged = _Flagged.of(turned, counted, ring.lengths)
    into = _reaching_round(ring, flagged, reach)
    return constant + _marked(turned, flagged, ring.lengths, reach, into)


def _without_events(turned: RotatedFlags, width: int) -> int:
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
    ring: Ring, flagged: _Flagged, reach: tuple[int, int]
) -> tuple[Positions, Positions]:
    """Count the points of each stretch that islands of other stretches, or its own, reach into."""
    (before, after), walk = reach, ring.walk(max(reach))
    which, starts = walk.stretch, _column(walk.starts)
    stops = starts + _column(ring.lengths[which])
    own, left, right = flagged.own[which], flagged.left[which], flagged.right[which]
    beyond = stops.max() + 1  # what no island reaches
    stop, first = np.zeros((2, walk.own.size + 1, own.shape[1]), np.int64)
    stop[1:] = np.where(own, stops - right + after, 0)
    first[:-1], first[-1] = np.where(own, starts + left - before, beyond), beyond
    np.maximum.accumulate(stop, axis=0, out=stop)
    np.minimum.accumulate(first[::-1], axis=0, out=first[::-1])
    at = np.flatnonzero(walk.own)
    starts, stops = starts[at], stops[at]
    into_left, into_right = np.zeros((2, *flagged.own.shape), np.int64)
    into_left[which[at]] = np.clip(stop[at], starts, stops) - starts
    into_right[which[at]] = stops - np.clip(first[at + 1], starts, stops)
    return into_left, into_right


def _reaching_in(
    turned: RotatedFlags, quiet: tuple[Positions, Positions], own: Flags
) -> tuple[Positions, Positions]:
    """Count the points of each stretch that islands of earlier and of later stretches mark.

    ``quiet``: how many points the islands of a stretch leave at its ends; negative, where they
    reach beyond it.
    """
    bounds = turned.events.series_bounds
    starts, stops = (side[:, np.newaxis] for side in turned.circles.of_normal)
    home = np.searchsorted(bounds, starts, side="right") - 1
    stop = np.where(own, np.minimum(stops - quiet[1], bounds[home + 1]), 0)
    first = np.where(own, np.maximum(starts + quiet[0], bounds[home]), turned.events.n)
    stop = np.maximum.accumulate(stop, axis=0)
    first = np.minimum.accumulate(first[::-1], axis=0)[::-1]
    into_left, into_right = np.zeros((2, *own.shape), np.int64)
    np.clip(stop[:-1], starts[1:], stops[1:], out=into_left[1:])
    into_left[1:] -= starts[1:]
    np.clip(first[1:], starts[:-1], stops[:-1], out=into_right[:-1])
    np.subtract(stops[:-1], into_right[:-1], out=into_right[:-1])
    return into_left, into_right


def _runs(turned: RotatedFlags, _: _Islands, __: Any) -> Tally:
    """Count events and runs; a run of a normal stretch is false unless it hangs on an event."""
    runs = turned.runs(turned.circles.of_judged).sum(axis=0)
    runs -= np.count_nonzero(turned.going_on(turned.circles.seams), axis=0)
    return Tally(turned.found, len(turned.events), runs - turned.false_runs, runs)


def _coverage(turned: RotatedFlags, _: _Islands, __: Any) -> Tally:
    none = np.zeros(len(turned.by))
    shares = (turned.in_events / turned.events.widths[:, np.newaxis]).sum(axis=0)
    return Tally(shares, turned.found, none, none)


def _composite(turned: RotatedFlags, _: _Islands, __: Any) -> Tally:
    return Tally(turned.found, len(turned.events), turned.true, turned.flags.total)


def _segments(turned: RotatedFlags, _: _Islands, __: Any) -> Tally:
    flagged = turned.found + turned.false_runs
    return Tally(turned.found, len(turned.events), turned.found, flagged)


def _false_points(turned: RotatedFlags, _: _Islands, __: Any) -> Tally:
    found, false = turned.found, turned.flags.total - turned.true
    normal = _of_points(found, false, turned.events).normal
    return Tally(found, len(turned.events), found, found + false, normal)


def _weighted(turned: RotatedFlags, islands: _Islands, count: Any) -> Tally:
    found, per = turned.found, float(island_width(count.width, turned.events))
    normal = _of_points(found, found, turned.events).normal / per
    flagged = found + islands.marked(turned) / per
    return Tally(found, len(turned.events), found, flagged, normal)


def _is_plain(marking: Marking, events: Events) -> bool:
    """Whether every flag counts as itself."""
    return marking.keeps and bool(np.all(marking.needed > events.widths))


_WAYS: dict[type, tuple[_Way, _Fits]] = {
    Points: (_points, lambda *_: True),
    Runs: (_runs, _is_plain),
    Coverage: (_coverage, _is_plain),
    Composite: (_composite, _is_plain),
    Segments: (_segments, _is_plain),
    FalsePoints: (_false_points, _is_plain),
    EventWeighted: (_weighted, lambda marking, events: marking.is_by_one_hit(events)),
}
"""What can be counted quickly: how, and under which markings."""
