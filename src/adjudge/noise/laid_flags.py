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
        """Count the points up to each flag that flags mark, which together reach so far."""
        gaps = np.diff(self.places) - 1
        return np.append(0, np.cumsum(1 + np.minimum(gaps, reach)))


class TurnedFlags:
    """The flags of all circles under some shifts: what several metrics count is counted once."""

    def __init__(self, flags: LaidFlags, circles: Circles, by: Positions) -> None:
        self.flags, self.circles, self.by = flags, circles, by

    @property
    def events(self) -> Events:
        """The truth."""
        return self.circles.events

    def sums(self, of: Stretches) -> tuple[Positions, Positions, Positions]:
        """Say where each stretch begins, and how many flags lie before it and before its end."""
        begin = self.circles.begins(of.starts, self.by)
        return begin, self.flags.sums[begin], self.flags.sums[begin + of.lengths]

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
        return np.asarray(np.count_nonzero(self.in_events, axis=1))

    @cached_property
    def true(self) -> Positions:
        """How many flags lie in events."""
        true: Positions = self.in_events.sum(axis=1)
        return true

    @cached_property
    def false_runs(self) -> Positions:
        """How many runs of flags touch no event: those of normal stretches, less what hangs on."""
        events, normal = self.events, self.circles.of_normal
        starts, stops = normal
        after = np.isin(starts, events.stops) & ~np.isin(starts, events.series_bounds)
        before = np.isin(stops, events.starts) & ~np.isin(stops, events.series_bounds)
        joined = np.zeros((2, len(self.by), starts.size), bool)
        for side, at, edge, beyond in (
            (joined[0], after, starts[after], starts[after] - 1),
            (joined[1], before, stops[before] - 1, stops[before]),
        ):
            side[:, at] = self.is_flagged(edge) & self.is_flagged(beyond)
        begin, low, high = self.in_normal
        bridge = joined.all(axis=0) & (high - low == normal.lengths)
        false: Positions = self.runs(normal, begin).sum(axis=1)
        false += bridge.sum(axis=1) - joined.sum(axis=(0, 2))
        return false

    def is_flagged(self, points: Positions) -> Flags:
        """Tell whether each point is flagged, shift by shift."""
        flagged: Flags = self.flags.laid[self.circles.begins(points, self.by)]
        return flagged

    def runs(self, of: Stretches, begin: Positions | None = None) -> Positions:
        """Count the runs of flags inside each stretch, cut off at its ends."""
        begin = self.circles.begins(of.starts, self.by) if begin is None else begin
        begun = self.flags.rises[begin + of.lengths] - self.flags.rises[begin + 1]
        return np.asarray(self.flags.laid[begin] + begun)


def running(values: Array) -> Array:
    """Count, for each place, what lies before it."""
    sums = np.zeros(values.size + 1, np.int32)
    np.cumsum(values, out=sums[1:])
    return sums
