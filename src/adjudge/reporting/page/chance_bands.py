"""Chance bands: what the four F1 scores give the same scores at other places in time.

At each of some thresholds the mean and the 5 % and 95 % quantiles over circular shifts: the page
shades them behind the curves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.count import Points
from adjudge.count.tally import Tally
from adjudge.measure.rates import FBeta
from adjudge.noise.offsets import generator
from adjudge.noise.shifts import shifted
from adjudge.reporting.page.threshold_grid import threshold_grid

if TYPE_CHECKING:
    from collections.abc import Mapping

    from adjudge._typing import Array, Floats
    from adjudge.data.case import Case
    from adjudge.metrics.metric import Metric

_POINTS_TIMES_SHIFTS = 4_000_000
_SHIFTS = (19, 99)
_LEVELS = 64
_DIGITS = 5


def shifts_for(points: int) -> int:
    """Choose how many shifts to make: 99, and fewer where each one takes long.

    >>> shifts_for(10_000), shifts_for(1_000_000)
    (99, 19)
    """
    least, most = _SHIFTS
    return max(least, min(most, _POINTS_TIMES_SHIFTS // points))


def chance_bands(
    case: Case, metrics: Mapping[str, Metric], seed: int = 0
) -> dict[str, dict[str, Any]]:
    """Give thresholds, mean, low and high of each metric on shifts of the case."""
    if not len(case.events):
        return {}
    levels = threshold_grid(case, _LEVELS)
    rng = generator(seed)
    values: dict[str, list[Floats]] = {name: [] for name in metrics}
    for _ in range(shifts_for(case.events.n)):
        turned = shifted(case, rng.integers(_lengths(case)))
        for name, metric in metrics.items():
            values[name].append(_f_at(metric, turned, levels))
    return {name: _band(levels, np.array(rows)) for name, rows in values.items()}


def _f_at(metric: Metric, case: Case, levels: Floats) -> Floats:
    measure, adjust, _ = metric.parts
    ((_, one),) = adjust.layers(case.events)  # a page shows single widths only
    masses = Points().masses(one(case.scores, case.events), case.events)
    found = masses.found.sweep(levels)
    tally = Tally(found, masses.truth, found, masses.false.sweep(levels) + found, masses.normal)
    assert isinstance(measure, FBeta)  # noqa: S101 - the four F1 scores and no others
    return np.asarray(measure(tally), np.float64)


def _band(levels: Floats, values: Array) -> dict[str, Any]:
    low, high = np.quantile(values, [0.05, 0.95], axis=0)
    columns = {"mean": values.mean(axis=0), "low": low, "high": high}
    rounded = {name: np.round(column, _DIGITS).tolist() for name, column in columns.items()}
    return {"thresholds": levels.tolist(), **rounded}


def _lengths(case: Case) -> Array:
    """Count the judged points of each series: how far its scores can be turned."""
    bounds = case.events.series_bounds
    if case.events.judged is None:
        return np.diff(bounds)
    return np.maximum(np.add.reduceat(case.events.judged, bounds[:-1], dtype=np.int64), 1)
