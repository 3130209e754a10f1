"""The gate *worse than before*: the newest window beside the time before it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.data.durations import in_words
from adjudge.errors import InputError, shown, visible
from adjudge.judging.over_time.calendar import DAY, Blocks, Window, WindowSettings, length_of
from adjudge.judging.over_time.two_rates import WEEK, TwoRates
from adjudge.noise.assumptions import clause, with_clause

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge._typing import Floats
    from adjudge.metrics.metric import Metric

_CLEAR = 0.05
_WORTH_A_WORD = 0.005  # values at one rate of events are shown where they differ by more


class Change(NamedTuple):
    """How a metric in the newest window compares with the time before it."""

    detector: str
    metric: str
    now: float
    before: float
    p_value: float
    """How likely the newest window is as much worse by chance, adjusted for the number of detectors
    and metrics; NaN: that cannot be said."""
    is_lower: bool
    """Whether the newest is the worse value, at one rate of events."""
    at_one_rate: tuple[float, float] = (math.nan, math.nan)
    """Both values, now and before, if there were as many events on both sides."""
    why: str = ""
    """Why it cannot be said."""

    @property
    def worse(self) -> bool:
        """Whether it is worse, and chance hardly explains it."""
        return self.is_lower and self.p_value <= _CLEAR

    @property
    def sentence(self) -> str:
        """The same in a sentence."""
        name = f"{visible(self.detector)}: {self.metric}"
        if self.why:
            return f"{name} cannot be compared with the time before: {self.why}"
        now, before = self.at_one_rate
        rarer = ""
        if max(abs(now - self.now), abs(before - self.before)) > _WORTH_A_WORD:
            rarer = f"; at equal event rates {now:.4f} and {before:.4f}"
        way = "not worse"
        if self.is_lower:
            p = f"({with_clause(f'p = {self.p_value:.2g}', clause('gate'))})"
            way = f"worse {p}" if self.worse else f"worse, but not significantly {p}"
        return (
            f"{name} is {self.now:.4f} in the newest complete window, {self.before:.4f} "
            f"before{rarer}: {way}"
        )


class Newest(NamedTuple):
    """Equal blocks of time; the last ones are the newest window."""

    blocks: Blocks
    new: int
    """How many blocks the newest window has."""

    def change(
        self, detector: str, asked: str, metric: Metric, sums: Floats, watched: Floats
    ) -> Change:
        """Compare what lies in the last blocks with what lies in those before.

        Parameters
        ----------
        detector, asked, metric : str, str, Metric
            What is compared.
        sums, watched : array
            What lies in each block, and how much time was watched.
        """
        lower = metric.row.better == "lower"
        total, new = sums.sum(axis=0), sums[-self.new :].sum(axis=0)
        now, before = (float(metric.value(rows)) for rows in (new, total - new))
        if math.isnan(now - before):
            which = "now" if math.isnan(now) else "before"
            return cannot_say(detector, asked, f"it is undefined {which}")
        found = TwoRates.of(metric.value, sums, watched, self.new).compared(lower=lower)
        if math.isnan(found.p_value):
            return cannot_say(detector, asked, "one side has no event")
        is_lower = found.now > found.before if lower else found.now < found.before
        return Change(detector, asked, now, before, found.p_value, is_lower, found[:2])


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
    size = max(1, (last.end - last.start) // WEEK)
    old = list(range(last.start, begin - 1, -size))[::-1]
    new = list(range(last.start, last.end, size))[:WEEK]
    if len(old) <= WEEK:
        lasts, there = (
            in_words(length) if timed else f"{length:,} points"
            for length in (last.end - last.start, last.start - begin)
        )
        raise InputError(
            f"worse_than must cover at least one window ({lasts}) before the newest complete "
            f"one, got {shown(than)}, of which {there} have data; use a longer time or shorter "
            "windows"
        )
    return Newest(Blocks(np.array([*old, *new[1:], last.end])), len(new))


def cannot_say(detector: str, metric: str, why: str) -> Change:
    """Give no answer, and the reason."""
    return Change(detector, metric, math.nan, math.nan, math.nan, is_lower=False, why=why)


def refuse_growing(how: WindowSettings) -> None:
    """Refuse windows that overlap: the newest one would be a part of the time before it."""
    if how.growing or how.step is not None:
        raise InputError("worse_than needs disjoint windows: leave out growing=True and step=")
