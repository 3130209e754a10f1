"""Rivals: two detectors on what is judged of both, and what their difference rests on.

By the rows of two ledgers, unit by unit; as areas of sums on a common scale; else by what becomes
of the difference without each unit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from adjudge.noise.comparing.paired_units import (
    Own,
    area_difference,
    difference_without,
    rate_difference,
)
from adjudge.noise.intervals.evidence import units_of
from adjudge.noise.intervals.of_areas import is_sum, optimism
from adjudge.noise.intervals.of_rates import Side
from adjudge.noise.intervals.read_anew import affordable, flattery
from adjudge.noise.shifting.offsets import generator

if TYPE_CHECKING:
    from adjudge._typing import Positions
    from adjudge.metrics.metric import Metric
    from adjudge.noise.ask import Ask
    from adjudge.noise.comparing.paired_units import Difference
    from adjudge.noise.shifting.turning import Turning

DRAWN = 1000
"""How often best thresholds are chosen anew, unless it is said."""


@dataclass(frozen=True, eq=False)
class Rival:
    """One of two detectors, at its threshold."""

    metric: Metric
    turning: Turning
    """Its alarms, beside what is judged of both."""
    value: float
    at: float | None = None
    side: Side | None = None
    """Its rows, if they carry evidence."""

    @classmethod
    def of(cls, metric: Metric, turning: Turning, value: float | None = None) -> Rival:
        """Judge what turns, unless its value is known."""
        if metric.has_rows(turning.case):
            side = Side.of(metric, turning.case)
            return cls(metric, turning, side.value, side.at, side)
        if value is not None:
            return cls(metric, turning, value)
        value, at, _ = metric.reading(turning.case)
        return cls(metric, turning, value, at)

    def chance(self, ask: Ask) -> float:
        """What a null model scores in its place."""
        null = ask.null.values(self.metric, self.turning, ask.shifts, ask.seed)
        return float(ask.null.level(self.metric, self.turning, null))


class Compared(NamedTuple):
    """What a difference rests on."""

    difference: Difference | None = None
    optimism: tuple[float, float] = (math.nan, math.nan)
    """By how much ``best(...)`` flatters each."""
    why: str = ""
    """Why nothing is known."""


def compared(a: Rival, b: Rival, ask: Ask, groups: Positions | None = None) -> Compared:
    """Say what the units of evidence say of a difference.

    Parameters
    ----------
    a, b : Rival
        The detectors.
    ask : Ask
        The unit of evidence, the seed, and how often best thresholds are chosen anew.
    groups : array of int, optional
        The number of the data set of each point.
    """
    metric, case = a.metric, a.turning.case
    low, high = metric.row.range
    own, flattered = Own(a.value - b.value, high - low), _optimism(a, b, ask)
    of_lines = bool(metric.across or metric.row.channels)
    sides = None if a.side is None or b.side is None else (a.side, b.side)
    silent = sides is not None and not any(side.some for side in sides)
    unknown = sides is None and metric.row.needs != "scores" and not of_lines
    if math.isnan(own.seen) or not case.event_count or silent or unknown:
        return Compared(None, flattered)
    units = units_of(case.truth if sides is None else sides[0].truth, ask.unit, groups)
    both = (metric, case), (b.metric, b.turning.case)
    if metric.oracle and of_lines:
        if not affordable(units):
            return Compared(why=_LONG)
        one, other = (math.nan if c.is_flags else flattery(m, c, units) for m, c in both)
        flattered = one, other
    own = own.less(flattered)
    if sides is not None:
        return Compared(rate_difference(sides, units, own), flattered)
    if is_sum(metric):
        if not case.events.normal.any():  # no false alarm could be raised
            return Compared()
        return Compared(area_difference(metric, (case, b.turning.case), units, own))
    found = difference_without(both, units, own)
    return Compared(found, flattered, "" if found else _LONG)


_LONG = "so long a series is not read anew without each event"


def _optimism(a: Rival, b: Rival, ask: Ask) -> tuple[float, float]:
    """By how much the choice of one threshold flatters each; NaN where there was none."""
    if not a.metric.oracle or a.side is None or a.metric.across:
        return math.nan, math.nan
    seed = int(generator(ask.seed).integers(2**32))  # the same events for both
    one, other = (
        math.nan
        if rival.turning.case.is_flags
        else optimism(rival.metric, rival.turning.case, seed, draws=ask.draws or DRAWN)
        for rival in (a, b)
    )
    return one, other
