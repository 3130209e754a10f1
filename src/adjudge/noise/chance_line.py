"""The chance line: what stands beside every value that a detector scores.

Value, what the same alarms would have scored elsewhere in time, what alarming always would have
scored, the share of the way from chance to perfect, an interval, and a p-value.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from adjudge.data.case import Case
from adjudge.noise.chance_level import chance_of_shifts
from adjudge.noise.intervals import interval
from adjudge.noise.shifts import CaseShifts, p_value

if TYPE_CHECKING:
    from adjudge.metrics.metric import Metric


@dataclass(frozen=True, kw_only=True)
class ChanceLine:
    """What luck makes of a value."""

    chance: float = math.nan
    """What the null model scores; for an oracle, with the threshold chosen anew each time."""
    null: str = ""
    """The null model, by name."""
    all_alarms: float = math.nan
    """What alarming always scores (for areas: a constant score)."""
    corrected: float = math.nan
    """The share of the way from chance to perfect: 0 is chance, 1 is perfect."""
    low: float = math.nan
    high: float = math.nan
    """95 % interval of the value, had other events occurred."""
    p_value: float = math.nan
    """How often the same alarms do as well at other places in time."""
    shifts: int = 0
    """How many places were tried; when these are all, the alarms' own place is among them."""
    exact: bool = False
    """Whether all places were tried, so that chance plays no part in the p-value."""


def chance_line(
    metric: Metric, shifting: CaseShifts, value: float, shifts: int | None = None, seed: int = 0
) -> ChanceLine:
    """Hold a value against chance.

    >>> from adjudge.metrics.reader import metric
    >>> case = Case([0] * 50 + [1] * 10 + [0] * 40, [0] * 52 + [1] * 4 + [0] * 44)
    >>> line = chance_line(metric("f1_ba(width=10)"), CaseShifts(case), 1.0)
    >>> print(f"{line.chance:.3f} {line.all_alarms:.3f} {line.p_value:.2f} {line.exact}")
    0.116 0.182 0.07 True
    """
    case = shifting.case
    null = shifting.values(metric, shifts, seed)
    level = chance_of_shifts(metric, case, null)
    always = Case(case.events, np.ones(case.events.n))
    on_flags = metric.with_settings(at=None) if metric.at is not None else metric
    top = metric.row.range[1 if metric.row.better == "higher" else 0]
    low, high = interval(metric, case, seed=seed)
    return ChanceLine(
        chance=level.level,
        null=level.null,
        all_alarms=on_flags.reading(always).value,
        corrected=_corrected(value, level.level, top),
        low=low,
        high=high,
        p_value=p_value(value, null.values, metric.row.better),
        shifts=null.size,
        exact=null.exact,
    )


def _corrected(value: float, chance: float, top: float) -> float:
    return (value - chance) / (top - chance) if chance != top else math.nan
