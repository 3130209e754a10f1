"""The chance line: what stands beside every value that a detector scores.

Value, what the same alarms would have scored elsewhere in time, what an always-on alarm would have
scored, the share of the way from chance to perfect, intervals, and p-values.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from adjudge.data.case import Case  # noqa: TC001 - for the examples
from adjudge.noise.chance_columns import ChanceLine
from adjudge.noise.intervals.of_areas import area_interval, optimism
from adjudge.noise.intervals.over_events import Interval, interval
from adjudge.noise.null_models import NULLS, NearbyNull, ShiftedNull
from adjudge.noise.p_values import holm, p_value
from adjudge.noise.shifting.shifted_case import CaseShifts  # noqa: TC001 - for the examples

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge.metrics.metric import Metric
    from adjudge.noise.null_models import Null
    from adjudge.noise.p_values import NullValues

CHANCE_REVISION = 2
"""Raised whenever the chance line of the same alarms changes: stored results are then made again.
`tests/golden/chance_lines.json` holds what it stands for."""
_ONE_SIDED, _POWER = 1.645, 0.842  # standard errors for 5 % and for 80 %
_ENDS = 3.92  # standard errors between the ends of a 95 % interval


class LineOptions(NamedTuple):
    """How a value is held against chance."""

    null: Null = ShiftedNull()
    shifts: int | None = None
    seed: int = 0


_DEFAULT = LineOptions()


def chance_line(
    metric: Metric,
    shifting: CaseShifts,
    value: float,
    options: LineOptions = _DEFAULT,
    at: float | None = None,
    all_alarms: float | None = None,
) -> ChanceLine:
    """Hold a value against chance; an oracle's threshold and the score of all alarms, if known.

    >>> from adjudge.metrics.reader import metric
    >>> case = Case([0] * 50 + [1] * 10 + [0] * 40, [0] * 52 + [1] * 4 + [0] * 44)
    >>> line = chance_line(metric("f1_ba(width=11)"), CaseShifts(case), 1.0)
    >>> print(f"{line.chance:.3f} {line.all_alarms:.3f} {line.p_value:.2f} {line.exact}")
    0.112 0.182 0.07 True
    """
    case, better = shifting.case, metric.row.better
    null = options.null.values(metric, shifting, options.shifts, options.seed)
    chance = options.null.level(metric, shifting, null)
    p = p_value(value, null.values, better)
    nearby, joint = _other_places(metric, shifting, value, p, options)
    flattery = optimism(metric, case, options.seed, shifting.pieces)
    low, high = ends = _interval(metric, shifting, value, options.seed, at, flattery)
    top = metric.row.range[1 if better == "higher" else 0]
    corrected = sorted(_corrected(end, chance, top) for end in ends)
    return ChanceLine(
        chance=chance,
        null=options.null.name,
        all_alarms=always(metric, shifting) if all_alarms is None else all_alarms,
        corrected=_corrected(value, chance, top),
        corrected_low=corrected[0],
        corrected_high=corrected[1],
        low=low,
        high=high,
        optimism=flattery,
        p_value=p,
        p_adjusted=p,
        p_nearby=nearby,
        p_joint=joint,
        p_below=p_value(value, null.values, "lower" if better == "higher" else "higher"),
        room_nearby=shifting.has_room_nearby,
        shifts=null.size,
        exact=null.exact,
        event_count=len(case.events),
        events_needed=_needed(metric, shifting.case, value - chance, null, ends),
    )


def _other_places(
    metric: Metric, shifting: CaseShifts, value: float, p: float, options: LineOptions
) -> tuple[float, float]:
    """The p-value among nearby places, and the largest one of all null models."""
    found: dict[type, float] = {type(options.null): p}
    for other in NULLS.values():
        if other.joint and other not in found:
            null = other().values(metric, shifting, options.shifts, options.seed)
            found[other] = p_value(value, null.values, metric.row.better)
    return found[NearbyNull], max(found.values(), key=lambda p: (math.isnan(p), p))


def always(metric: Metric, shifting: CaseShifts) -> float:
    """Give what an always-on alarm scores: a number of the labels alone."""
    on_flags = metric.with_settings(at=None) if metric.at is not None else metric
    return on_flags.reading(shifting.always).value


def _interval(
    metric: Metric,
    shifting: CaseShifts,
    value: float,
    seed: int,
    at: float | None,
    flattery: float,
) -> Interval:
    if metric.row.needs == "scores":
        return area_interval(metric, shifting.case, value, seed=seed, pieces=shifting.pieces)
    if metric.oracle and at is not None:  # no need to look for it again
        metric = replace(metric, oracle=False, at=at)
    low, high = interval(metric, shifting.case, seed=seed)
    return Interval(low if math.isnan(flattery) else max(low - flattery, 0.0), high)


def _corrected(value: float, chance: float, top: float) -> float:
    return (value - chance) / (top - chance) if chance != top else math.nan


def _needed(
    metric: Metric, case: Case, ahead: float, null: NullValues, ends: Interval
) -> int | None:
    """Say how many events it would take: both spreads fall with the root of their number."""
    ahead = ahead if metric.row.better == "higher" else -ahead
    defined = null.values[~np.isnan(null.values)]
    if not len(case.events) or not defined.size or not ahead > 0 or math.isnan(ends.low):
        return None
    spread = _ONE_SIDED * float(defined.std()) + _POWER * (ends.high - ends.low) / _ENDS
    return max(1, math.ceil(len(case.events) * (spread / ahead) ** 2))


Line = TypeVar("Line", bound=ChanceLine)


def adjusted(lines: Sequence[Line]) -> list[Line]:
    """Adjust the p-values of several detectors for their number, by Holm's method.

    >>> [line.p_adjusted for line in adjusted([ChanceLine(p_value=p) for p in (0.01, 0.04, 0.03)])]
    [0.03, 0.06, 0.06]
    """
    p_values = holm(np.array([line.p_value for line in lines])).tolist()
    return [replace(line, p_adjusted=p) for line, p in zip(lines, p_values, strict=True)]
