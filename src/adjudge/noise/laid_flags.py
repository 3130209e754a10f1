"""Laid flags: the flags of all circles twice in a row, ready to be counted under any shift."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from adjudge._typing import Flags, Positions
    from adjudge.data.events import Events
    from adjudge.noise.circles import Circles, Stretches


class LaidFlags:
    """The flags of all circles, laid out twice: running counts, and where each flag stands."""

    def __init__(self, flags: Flags, circles: Circles) -> None:
        self.laid = circles.twice(flags)
        self.sums = np.append(0, np.cumsum(self.laid))
        self.places = np.flatnonzero(self.laid)
        self.total = self.places.size // 2

    @cached_property
    def rises(self) -> Positions:
        """How many runs begin before each place."""
        rises = self.laid.copy()
        rises[1:] &= ~self.laid[:-1]
        return np.append(0, np.cumsum(rises))

    def marked_between(self, reach: int) -> Positions:
        """Count the points up to each flag that flags mark, which together reach so far."""
        gaps = np.diff(self.places) - 1
        return np.append(0, np.cumsum(1 + np.minimum(gaps, reach)))


class TurnedFlags(NamedTuple):
    """The flags of all circles under some shifts."""

    flags: LaidFlags
    circles: Circles
    by: Positions

    @property
    def events(self) -> Events:
        """The truth."""
        return self.circles.events

    def hits(self, of: Stretches) -> Positions:
        """Count the flags of each stretch, shift by shift."""
        begin = self.circles.begins(of.starts, self.by)
        counts: Positions = self.flags.sums[begin + of.lengths] - self.flags.sums[begin]
        return counts

    def is_flagged(self, points: Positions) -> Flags:
        """Tell whether each point is flagged, shift by shift."""
        flagged: Flags = self.flags.laid[self.circles.begins(points, self.by)]
        return flagged

    def runs(self, of: Stretches) -> Positions:
        """Count the runs of flags inside each stretch, cut off at its ends."""
        begin = self.circles.begins(of.starts, self.by)
        begun = self.flags.rises[begin + of.lengths] - self.flags.rises[begin + 1]
        return np.asarray(self.flags.laid[begin] + begun)
