"""Laid flags: the flags of all circles twice in a row, ready to be counted under any shift."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags, Positions
    from adjudge.data.events import Events
    from adjudge.noise.circles import Circles, Stretches


class LaidFlags:
    """The flags of all circles, laid out twice: running counts, and where each flag stands."""

    def __init__(self, flags: Flags, circles: Circles) -> None:
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


class TurnedFlags:
    """The flags of all circles under some shifts: what several metrics count is counted once."""

    def __init__(self, flags: LaidFlags, circles: Circles, by: Positions) -> None:
        self.flags, self.circles, self.by = flags, circles, by

    @property
    def events(self) -> Events:
        """The truth."""
        return self.circles.events

    def sums(self, of: Stretches) -> tuple[Positions, Positions, Positions]:
        """Say where each stretch begins, and how many flags lie before it and before its end.

        Here and below there is a row per stretch, and a column per shift.
        """
        begin = self.circles.begins(of.starts, self.by)
        return begin, self.flags.sums[begin], self.flags.sums[begin + _column(of.lengths)]

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

    def going_on(self, points: Positions) -> Flags:
        """Tell whether a run goes on from the point before to each point."""
        at, before = (self.circles.begins(side, self.by) for side in (points, points - 1))
        return np.asarray(self.flags.laid[at] & self.flags.laid[before])

    def runs(self, of: Stretches, begin: Positions | None = None) -> Positions:
        """Count the runs of flags inside each stretch, cut off at its ends."""
        begin = self.circles.begins(of.starts, self.by) if begin is None else begin
        begun = self.flags.rises[begin + _column(of.lengths)] - self.flags.rises[begin + 1]
        return np.asarray(self.flags.laid[begin] + begun)


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
