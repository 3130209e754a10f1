"""Quick ways over several lines that turn together: the mean of all, and channels of events."""

# Idea: a mean is that of its lines, and each line has a quick way of its own; on which channels
# an event is found takes a look at the flags of each channel within it.
# Invariant: every value is that of `Case.turned` by the same offsets, a row of which has one for
# each line (and block): the same one on all lines, or events on several would come apart.
# Trap: one threshold that is best for all lines is not that of any of them.

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from adjudge.count.channels import Alarming
from adjudge.measure.lines import mean_of_lines
from adjudge.noise.shifting.rotation import JudgedStretches, Rotation, in_blocks
from adjudge.noise.shifting.shifted_flags import FlagTable, ShiftedFlags

if TYPE_CHECKING:
    from adjudge._typing import Flags, Floats, Positions
    from adjudge.count.channels import ChannelLooks, EventChannels
    from adjudge.data.case import Case
    from adjudge.metrics.metric import Metric
    from adjudge.noise.shifting.one_by_one import Shifting


class MeanTurns:
    """The mean of a metric over lines, each by the way that is quickest for it."""

    def __init__(self, ways: list[Shifting]) -> None:
        self._ways = ways

    @property
    def work(self) -> int:
        """About how many numbers one shift looks at."""
        return sum(way.work for way in self._ways)

    def values(self, by: Positions) -> Floats:
        """The mean over the lines on which there is a value."""
        parts = np.split(by, len(self._ways), axis=1)
        each = [way.values(one) for way, one in zip(self._ways, parts, strict=True)]
        return mean_of_lines(np.stack(each, axis=1))


class EventTurns:
    """Which channels alarm during events, at any shift: a few looks for each event and channel."""

    def __init__(self, metric: Metric, case: Case, circles: Rotation) -> None:
        self._measure = cast("Any", metric.parts.measure)
        self._channels, self._circles = case.channels, circles
        self._seen: EventChannels = self._measure.seen(case.channels)
        self._flags = FlagTable(metric.flags(case)[0], circles)

    @property
    def work(self) -> int:
        """About how many numbers one shift looks at."""
        return 2 * len(self._seen.looks.cell) + len(self._seen.excuses.cell) + 1

    def values(self, by: Positions) -> Floats:
        """The value at each shift."""
        return np.concatenate([self._values(block) for block in in_blocks(by, self.work)])

    def _values(self, by: Positions) -> Floats:
        turned = ShiftedFlags(self._flags, self._circles, by)
        alarming, excused = (self._any(turned, at) for at in (self._seen.looks, self._seen.excuses))
        found = Alarming(self._seen.affected[:, :, np.newaxis], alarming, excused)
        return np.asarray(self._measure.value(found, self._channels), np.float64)

    def _any(self, turned: ShiftedFlags, at: ChannelLooks) -> Flags:
        hit = turned.hits(JudgedStretches(at.starts, at.stops)) > 0
        found = np.zeros((self._seen.shape[0] * self._seen.shape[1], hit.shape[1]), bool)
        np.logical_or.at(found, at.cell, hit)
        return found.reshape(*self._seen.shape, hit.shape[1])
