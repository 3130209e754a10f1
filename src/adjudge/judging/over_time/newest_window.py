"""The gate *worse than before*: the newest window beside the time before it.

Blocks of time are dealt out anew, many times: how often is the newest window as much worse then?
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.data.clock import in_words
from adjudge.errors import InputError, shown, visible
from adjudge.judging.over_time.blocks import Blocks
from adjudge.judging.over_time.window import DAY, Window, WindowSettings, length_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge._typing import Floats
    from adjudge.metrics.metric import Metric

_DRAWS = 4999  # ways in which blocks of time are dealt out anew
_BLOCKS = 7  # of a window: a week has days
_CLEAR = 0.05


class Change(NamedTuple):
    """How a metric in the newest window compares with the time before it."""

    detector: str
    metric: str
    now: float
    before: float
    p_value: float
    """How often the same blocks of time, dealt out anew, are as much worse, adjusted for the number
    of detectors and metrics; NaN: that cannot be said."""
    is_lower: bool
    """Whether it is the worse value of the two."""
    why: str = ""
    """Why it cannot be said."""

    @property
    def worse(self) -> bool:
        """Whether it is worse, and chance hardly explains it."""
        return self.is_lower and self.p_value <= _CLEAR

    @property
    def said(self) -> str:
        """The same in a sentence."""
        name = f"{visible(self.detector)}: {self.metric}"
        if self.why:
            return f"{name} cannot be compared with the time before: {self.why}"
        way = "worse" if self.is_lower else "not worse"
        luck = "hardly explains" if self.p_value <= _CLEAR else "may explain"
        chance = f"; chance {luck} that (p = {self.p_value:.2g})" if self.is_lower else ""
        return (
            f"{name} is {self.now:.4f} in the newest complete window and {self.before:.4f} in the "
            f"time before: {way}{chance}"
        )


class Newest(NamedTuple):
    """Equal blocks of time; the last ones are the newest window."""

    blocks: Blocks
    new: int
    """How many blocks the newest window has."""

    def change(self, detector: str, asked: str, metric: Metric, sums: Floats) -> Change:
        """Deal the blocks out anew, and see how often the newest window is as much worse.

        Parameters
        ----------
        detector, asked, metric : str, str, Metric
            What is compared.
        sums : array
            What lies in each block.
        """
        sign = 1 if metric.row.better == "higher" else -1
        total, new = sums.sum(axis=0), sums[-self.new :].sum(axis=0)
        now, before = (float(metric.value(rows)) for rows in (new, total - new))
        if math.isnan(now - before):
            which = "now" if math.isnan(now) else "before"
            return cannot_say(detector, asked, f"it is undefined {which}")
        every = np.tile(np.arange(len(sums)), (_DRAWS, 1))
        order = np.random.default_rng(0).permuted(every, axis=1)[:, : self.new]
        drawn = sums[order].sum(axis=1)
        apart = sign * (metric.value(drawn) - metric.value(total - drawn))
        as_bad = np.isnan(apart) | (apart <= sign * (now - before) + 1e-12)
        p = (1 + int(np.count_nonzero(as_bad))) / (1 + _DRAWS)
        lower = sign * (now - before) < 0
        return Change(detector, asked, now, before, p, is_lower=lower)


def newest(windows: Sequence[Window], than: Any, first: int, *, timed: bool) -> Newest:
    """Blocks of a seventh of the newest complete window each, and of the time before it.

    Parameters
    ----------
    windows, than, first : list of Window, duration, int
        All windows, how much time before the newest one is compared, and when time begins.
    timed : bool
        Whether windows are of time, not of points.
    """
    last = next((one for one in reversed(windows) if one.complete), windows[-1])
    back = length_of(than, "worse_than", timed=timed)
    begin = max(first, last.start - (back if back > 0 else -back * 30 * DAY))
    size = max(1, (last.end - last.start) // _BLOCKS)
    old = list(range(last.start, begin - 1, -size))[::-1]
    new = list(range(last.start, last.end, size))[:_BLOCKS]
    if len(old) <= _BLOCKS:
        lasts, there = (
            in_words(length) if timed else f"{length:,} points"
            for length in (last.end - last.start, last.start - begin)
        )
        raise InputError(
            f"worse_than must be at least one window of data before the newest complete one, "
            f"which lasts {lasts}, got {shown(than)}, of which there are {there}; take a "
            "longer time, or shorter windows"
        )
    return Newest(Blocks(np.array([*old, *new[1:], last.end])), len(new))


def cannot_say(detector: str, metric: str, why: str) -> Change:
    """Give no answer, and the reason."""
    return Change(detector, metric, math.nan, math.nan, math.nan, is_lower=False, why=why)


def refuse_growing(how: WindowSettings) -> None:
    """Refuse windows that overlap: the newest one would be a part of the time before it."""
    if how.growing or how.step is not None:
        raise InputError("worse_than must come with windows apart: without growing=True and step=")
