"""Rivals: two detectors on what is judged of both, and what their difference rests on.

By the rows of two ledgers, unit by unit; as areas of sums on a common scale; else by what becomes
of the difference without each unit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from adjudge.noise.comparing.paired_units import (
    Own,
    area_difference,
    difference_without,
    rate_difference,
)
from adjudge.noise.intervals.areas import is_sum, optimism
from adjudge.noise.intervals.interval import units_in
from adjudge.noise.intervals.jackknife import affordable, optimism_over_lines
from adjudge.noise.intervals.rates import Side
from adjudge.noise.shifting.offsets import generator

if TYPE_CHECKING:
    from adjudge._typing import Positions
    from adjudge.metrics.metric import Metric
    from adjudge.noise.ask import Ask
    from adjudge.noise.comparing.paired_units import Difference
    from adjudge.noise.intervals.units import Units
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
    own = Own(a.value - b.value, high - low)
    known = a.side or metric.row.needs == "scores" or metric.row.channels
    if not known or not case.event_count:
        return Compared()
    units_by = partial(units_in, case) if a.side is None else a.side.units
    units = units_by(ask.unit, groups)
    if metric.oracle and _is_over_lines(metric) and not affordable(units):
        return Compared(why=_LONG)  # nobody knows by how much the best threshold flatters
    flattered = _optimism(a, b, ask, units)
    own = own.less(flattered)
    if math.isnan(own.seen):
        return Compared(None, flattered)
    if a.side is not None and b.side is not None:
        some = a.side.some or b.side.some
        found = rate_difference((a.side, b.side), units, own) if some else None
        return Compared(found, flattered)
    if is_sum(metric):  # without normal points no false alarm could be raised
        cases = case, b.turning.case
        some = case.events.normal.any()
        return Compared(area_difference(metric, cases, units, own) if some else None)
    without = difference_without([(a.metric, case), (b.metric, b.turning.case)], units, own)
    return Compared(without, flattered, "" if without else _LONG)


def _is_over_lines(metric: Metric) -> bool:
    return bool(metric.across) or metric.row.channels


_LONG = "the series is too long to leave out each event"


def _optimism(a: Rival, b: Rival, ask: Ask, units: Units) -> tuple[float, float]:
    """By how much the choice of its threshold flatters each; NaN where there was none."""
    if not a.metric.oracle:
        return math.nan, math.nan
    seed = int(generator(ask.seed).integers(2**32))  # the same events for both

    def of(rival: Rival) -> float:
        metric, case = rival.metric, rival.turning.case
        if case.is_flags:
            return math.nan
        if _is_over_lines(metric):
            return optimism_over_lines(metric, case, units)
        return optimism(metric, case, seed, draws=ask.draws or DRAWN)

    return of(a), of(b)
