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
    own = Own(a.value - b.value, high - low)
    if a.side is not None and b.side is not None:
        flattered = _optimism(a, b, ask)
        if math.isnan(own.seen) or not case.event_count or not (a.side.some or b.side.some):
            return Compared(None, flattered)
        units = units_of(a.side.ledger.truth, ask.unit, groups)
        own = own.less(flattered)
        return Compared(rate_difference((a.side, b.side), units, own), flattered)
    whole = metric.row.needs == "scores" or metric.row.channels or metric.across
    if math.isnan(own.seen) or not case.event_count or not whole:
        return Compared()
    units = units_of(case.truth, ask.unit, groups)
    sides = (a.metric, case), (b.metric, b.turning.case)
    if is_sum(metric):
        if not case.events.normal.any():  # no false alarm could be raised
            return Compared()
        return Compared(area_difference(metric, (case, b.turning.case), units, own))
    flattered = math.nan, math.nan
    if metric.oracle and affordable(units):
        one, other = (math.nan if c.is_flags else flattery(m, c, units) for m, c in sides)
        flattered = one, other
    unknown = metric.oracle and not affordable(units)  # by how much the best threshold flatters
    found = None if unknown else difference_without(sides, units, own.less(flattered))
    why = "" if found else "so long a series is not read anew without each event"
    return Compared(found, flattered, why)


def _optimism(a: Rival, b: Rival, ask: Ask) -> tuple[float, float]:
    """By how much the choice of its threshold flatters each; NaN where there was none."""
    if not a.metric.oracle:
        return math.nan, math.nan
    seed = int(generator(ask.seed).integers(2**32))  # the same events for both
    one, other = (
        math.nan
        if rival.turning.case.is_flags
        else optimism(rival.metric, rival.turning.case, seed, draws=ask.draws or DRAWN)
        for rival in (a, b)
    )
    return one, other
