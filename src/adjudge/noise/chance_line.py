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
from adjudge.noise.chance_level import SHIFTS, chance_of_shifts
from adjudge.noise.intervals import interval
from adjudge.noise.shifts import p_value, shift_values

if TYPE_CHECKING:
    from adjudge.metrics.metric import Metric

_POINTS_TIMES_SHIFTS = 20_000_000  # beyond this fewer shifts are made, unless asked for
_FEWEST = 19


@dataclass(frozen=True)
class ChanceLine:
    """What luck makes of a value."""

    chance: float
    """What the same alarms score at other places, on average."""
    null: str
    """The null model, by name."""
    all_alarms: float
    """What alarming always scores (for areas: a constant score)."""
    corrected: float
    """The share of the way from chance to perfect: 0 is chance, 1 is perfect."""
    low: float
    high: float
    """Bootstrap interval over events and false runs, 95 %; NaN for areas."""
    p_value: float
    """How often the same alarms do as well at other places."""
    shifts: int
    """How many other places were tried."""


def chance_line(
    metric: Metric, case: Case, value: float, shifts: int | None = None, seed: int = 0
) -> ChanceLine:
    """Hold a value against chance.

    >>> from adjudge.metrics.reader import metric
    >>> case = Case([0] * 50 + [1] * 10 + [0] * 40, [0] * 52 + [1] * 4 + [0] * 44)
    >>> line = chance_line(metric("f1_ba"), case, 1.0, shifts=99)
    >>> print(f"{line.chance:.3f} {line.all_alarms:.3f} {line.p_value:.2f}")
    0.112 0.182 0.12
    """
    if shifts is None:
        tried = 1 if metric.sweeps or not metric.oracle else metric.thresholds or case.events.n
        shifts = default_shifts(case.events.n * min(tried, case.events.n))
    null = shift_values(metric, case, shifts, seed)
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
        p_value=p_value(value, null, metric.row.better),
        shifts=shifts,
    )


def default_shifts(points: int) -> int:
    """Choose how many shifts to make: 199, and fewer where each one takes long.

    >>> default_shifts(10_000), default_shifts(1_000_000)
    (199, 20)
    """
    return max(_FEWEST, min(SHIFTS, _POINTS_TIMES_SHIFTS // points))


def _corrected(value: float, chance: float, top: float) -> float:
    return (value - chance) / (top - chance) if chance != top else math.nan
