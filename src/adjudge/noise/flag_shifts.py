"""Shifted flags: the masses of one threshold at many shifts, at the cost of the events alone.

How many flags a stretch holds is a difference of two running counts, and the flags that it
holds are a stretch of the list of flags. So neither the points nor the alarms are gone through
again: a shift costs a few looks for each event and each normal stretch. Equal to counting the
shifted flags anew, one shift at a time (`adjudge.noise.shifts.shifted`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from adjudge.adjust import Balanced, Delayed, point_adjusted, raw
from adjudge.adjust.island_widths import island_width
from adjudge.count import Coverage, EventWeighted, Points, Runs
from adjudge.count.segments import Composite, FalsePoints, Segments
from adjudge.count.tally import Tally
from adjudge.noise.circles import Circles, Stretches, in_blocks
from adjudge.noise.laid_flags import LaidFlags, TurnedFlags

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge._typing import Array, Flags, Floats, Positions
    from adjudge.adjust import Adjustment
    from adjudge.data.events import Events
    from adjudge.metrics.metric import Metric


_NO_WIDTHS = np.zeros(0, np.int64)


class FlagShifts:
    """The flags of one threshold, ready to be counted at any shift.

    Parameters
    ----------
    metric : Metric
        A metric at a threshold that `way_of` knows.
    flags : LaidFlags
        What lies above the threshold.
    circles : Circles
        The truth.
    """

    def __init__(self, metric: Metric, flags: LaidFlags, circles: Circles) -> None:
        self.circles, self.flags = circles, flags
        self._measure, self._adjust, self._count = metric.parts
        self._way = way_of(metric)

    @property
    def work(self) -> int:
        """About how many numbers one shift looks at."""
        if self._way is _raw_points and self.circles.can_correlate:
            return 1
        return 2 * len(self.circles.events) + self.circles.events.series_count + 1

    def values(self, by: Positions) -> Floats:
        """Give the metric's value at each shift: one row of offsets, one value."""
        assert self._way is not None  # noqa: S101 - whoever asks has asked `way_of`
        blocks = [by] if self._way is _raw_points else in_blocks(by, self.work)
        tallies = [
            self._way(TurnedFlags(self.flags, self.circles, block), self._adjust, self._count)
            for block in blocks
        ]
        return np.concatenate([_measured(self._measure, tally) for tally in tallies])


def way_of(metric: Metric) -> Callable[..., Tally] | None:
    """Find the quick way to count a metric's masses at a shift; None where there is none."""
    _, adjust, count = metric.parts
    if metric.row.needs == "scores" or metric.oracle:
        return None
    for way, counts, fits in _WAYS:
        if isinstance(count, counts) and fits(adjust):
            return way
    return None


def _measured(measure: Callable[[Tally], Array], tally: Tally) -> Floats:
    shape = np.shape(tally.found)
    return np.array(np.broadcast_to(np.asarray(measure(tally), np.float64), shape))


def _raw_points(turned: TurnedFlags, _: Adjustment, __: Points) -> Tally:
    """Count points as they are: at all shifts at once, if that is quicker."""
    found = turned.circles.sums_in_events(turned.flags.laid, turned.by)
    return _of_points(found, turned.flags.total - found, turned.events)


def _points(turned: TurnedFlags, adjust: Adjustment, _: Points) -> Tally:
    """Count points: events earn what the adjustment gives them, false flags cost themselves."""
    events = turned.events
    hits = turned.hits(turned.circles.of_events)
    false = turned.flags.total - hits.sum(axis=1)
    if isinstance(adjust, Balanced):
        false = _islands(turned, adjust)
    return _of_points(_earned(turned, adjust, hits).sum(axis=1), false, events)


def _earned(turned: TurnedFlags, adjust: Adjustment, hits: Positions) -> Positions:
    """Say how many of each event's points count as found."""
    widths = turned.events.widths
    needed = adjust.hits_needed(widths)
    if needed is not None:
        return np.where(hits >= needed, widths, hits)
    if isinstance(adjust, Delayed) and adjust.k is not None:
        starts = turned.circles.of_events.starts
        hits = turned.hits(Stretches(starts, adjust.in_time(turned.events)))
    return np.where(hits > 0, widths, 0)


def _of_points(found: Positions, false: Positions, events: Events) -> Tally:
    truth = int(events.widths.sum())
    judged = events.n if events.judged is None else int(np.count_nonzero(events.judged))
    return Tally(found, truth, found, found + false, judged - truth)


def _islands(turned: TurnedFlags, adjust: Balanced) -> Positions:
    """Count the normal points that the islands of false flags mark.

    A stretch is marked from its first flag to its last but for gaps that no two islands close; at
    its ends by these two, or by islands that reach in from the stretches before and after.
    """
    width = adjust.resolved(turned.events).width
    assert isinstance(width, int)  # noqa: S101 - `way_of` has seen to it
    width = min(width, 2 * turned.events.n)
    before, after = (width - 1) // 2, width // 2
    starts, stops = normal = turned.circles.of_normal
    if not starts.size:
        return np.zeros(len(turned.by), np.int64)
    begin = turned.circles.begins(starts, turned.by)
    low, high = turned.flags.sums[begin], turned.flags.sums[begin + normal.lengths]
    own = high > low
    places = np.append(turned.flags.places, 0)
    first, last = (starts + places[which] - begin for which in (low, high - 1))
    reach = first - before, last + after + 1
    into_left, into_right = _reaching_in(turned.events, normal, reach, own)
    marks = turned.flags.marked_between(before + after)
    inside = marks[np.where(own, high - 1, 0)] - marks[np.where(own, low, 0)] + 1
    left, right = first - starts, stops - 1 - last
    ends = np.minimum(left, into_left + np.minimum(left, before))
    ends += np.minimum(right, into_right + np.minimum(right, after))
    alone = np.minimum(normal.lengths, into_left + into_right)
    counts: Positions = np.where(own, inside + ends, alone).sum(axis=1)
    return counts


def _reaching_in(
    events: Events, normal: Stretches, reach: tuple[Positions, Positions], own: Flags
) -> tuple[Positions, Positions]:
    """Count the points of each stretch that islands of earlier and of later stretches mark."""
    starts, stops = normal
    home = np.searchsorted(events.series_bounds, starts, side="right") - 1
    begins, ends = events.series_bounds[home], events.series_bounds[home + 1]
    first, stop = reach
    stop = np.maximum.accumulate(np.where(own, np.minimum(stop, ends), 0), axis=1)
    first = np.where(own, np.maximum(first, begins), events.n)
    first = np.minimum.accumulate(first[:, ::-1], axis=1)[:, ::-1]
    into_left, into_right = np.zeros((2, *own.shape), np.int64)
    into_left[:, 1:] = np.clip(stop[:, :-1], starts[1:], stops[1:]) - starts[1:]
    into_right[:, :-1] = stops[:-1] - np.clip(first[:, 1:], starts[:-1], stops[:-1])
    return into_left, into_right


def _runs(turned: TurnedFlags, _: Adjustment, __: Runs) -> Tally:
    """Count events and runs; a run of a normal stretch is false unless it hangs on an event."""
    circles, events = turned.circles, turned.events
    found = np.count_nonzero(turned.hits(circles.of_events), axis=1)
    runs = turned.runs(circles.of_judged).sum(axis=1)
    false = _false_runs(turned)
    return Tally(found, len(events), runs - false, runs)


def _false_runs(turned: TurnedFlags) -> Positions:
    events, normal = turned.events, turned.circles.of_normal
    starts, stops = normal
    after = np.isin(starts, events.stops) & ~np.isin(starts, events.series_bounds)
    before = np.isin(stops, events.starts) & ~np.isin(stops, events.series_bounds)
    joined = np.zeros((2, len(turned.by), starts.size), bool)
    for side, at, edge, beyond in (
        (joined[0], after, starts[after], starts[after] - 1),
        (joined[1], before, stops[before] - 1, stops[before]),
    ):
        side[:, at] = turned.is_flagged(edge) & turned.is_flagged(beyond)
    bridge = joined.all(axis=0) & (turned.hits(normal) == normal.lengths)
    false: Positions = turned.runs(normal).sum(axis=1)
    false += bridge.sum(axis=1) - joined.sum(axis=(0, 2))
    return false


def _coverage(turned: TurnedFlags, _: Adjustment, __: Coverage) -> Tally:
    hits = turned.hits(turned.circles.of_events)
    none = np.zeros(len(hits))
    shares = (hits / turned.events.widths).sum(axis=1)
    return Tally(shares, np.count_nonzero(hits, axis=1), none, none)


def _composite(turned: TurnedFlags, _: Adjustment, __: Composite) -> Tally:
    hits = turned.hits(turned.circles.of_events)
    found = np.count_nonzero(hits, axis=1)
    return Tally(found, len(turned.events), hits.sum(axis=1), turned.flags.total)


def _segments(turned: TurnedFlags, _: Adjustment, __: Segments) -> Tally:
    found = np.count_nonzero(turned.hits(turned.circles.of_events), axis=1)
    return Tally(found, len(turned.events), found, found + _false_runs(turned))


def _false_points(turned: TurnedFlags, _: Adjustment, __: FalsePoints) -> Tally:
    hits = turned.hits(turned.circles.of_events)
    found = np.count_nonzero(hits, axis=1)
    false = turned.flags.total - hits.sum(axis=1)
    normal = _of_points(found, false, turned.events).normal
    return Tally(found, len(turned.events), found, found + false, normal)


def _weighted(turned: TurnedFlags, adjust: Balanced, count: EventWeighted) -> Tally:
    found = np.count_nonzero(turned.hits(turned.circles.of_events), axis=1)
    per = float(island_width(count.width, turned.events))
    normal = _of_points(found, found, turned.events).normal / per
    flagged = found + _islands(turned, adjust) / per
    return Tally(found, len(turned.events), found, flagged, normal)


def _plain(adjust: Adjustment) -> bool:
    return adjust == raw


def _simple(adjust: Adjustment) -> bool:
    if adjust.hits_needed(_NO_WIDTHS) is not None:
        return True
    return adjust == point_adjusted or isinstance(adjust, Delayed) or one_island(adjust)


def one_island(adjust: Adjustment) -> bool:
    """Say whether islands mark normal points only, are of one width and clipped at the ends."""
    return (
        isinstance(adjust, Balanced)
        and adjust == Balanced(adjust.width)
        and adjust.width != "matched"
    )


_WAYS = (
    (_raw_points, Points, _plain),
    (_points, Points, _simple),
    (_runs, Runs, _plain),
    (_coverage, Coverage, _plain),
    (_composite, Composite, _plain),
    (_segments, Segments, _plain),
    (_false_points, FalsePoints, _plain),
    (_weighted, EventWeighted, one_island),
)
"""What can be counted quickly: how, which counting, and of which adjustments."""
