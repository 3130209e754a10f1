"""Chance bands: what a metric gives the same scores at other places in time, at every threshold.

At each of some thresholds the mean and the 5 % and 95 % quantiles over circular shifts: figures and
pages shade them behind the curves.

Thresholds to look at: evenly in the score, and evenly in the logarithm of the alarms.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.count.points import PointCount
from adjudge.count.tally import Tally
from adjudge.noise.shifting.offsets import generator

if TYPE_CHECKING:
    from collections.abc import Mapping

    from adjudge._typing import Array, Floats
    from adjudge.data.case import Case
    from adjudge.metrics.metric import Metric


def threshold_grid(case: Case, most: int, extra: tuple[float, ...] = ()) -> Floats:
    """At most so many thresholds, falling, with ``-inf`` and the extra ones among them.

    Each is rounded as the scores are, so that comparing with it needs no further rounding.

    >>> from adjudge.data.case import Case
    >>> threshold_grid(Case([0, 0, 1], [1.0, 2.0, 4.0]), 8)
    array([ 4. ,  2.5,  1. , -inf])
    """
    judged = case.events.judged
    scores = np.sort(case.scores if judged is None else case.scores[judged])
    finite = scores[np.isfinite(scores) & (scores > np.finfo(np.float64).min)]  # -inf is read so
    fixed = np.array([-np.inf, *extra])
    if not finite.size:
        return np.unique(fixed)[::-1]
    half = (most - fixed.size) // 2
    flagged = np.unique(np.geomspace(1, scores.size, half).astype(np.int64))
    by_alarms = scores[scores.size - flagged]
    by_score = np.linspace(finite[0], finite[-1], half)
    if case.given.dtype.kind == "f":
        by_score = by_score.astype(case.given.dtype).astype(np.float64)
    levels: Floats = np.unique(np.concatenate([by_alarms, by_score, fixed]))[::-1]
    return levels


_POINTS_TIMES_SHIFTS = 4_000_000
_SHIFTS = (19, 99)
_LEVELS = 64


class Band(NamedTuple):
    """What shifted scores get, at each of some falling thresholds; NaN where it is undefined."""

    thresholds: Floats
    mean: Floats
    low: Floats
    high: Floats


def shifts_for(points: int) -> int:
    """Choose how many shifts to make: 99, and fewer where each one takes long.

    >>> shifts_for(10_000), shifts_for(1_000_000)
    (99, 19)
    """
    least, most = _SHIFTS
    return max(least, min(most, _POINTS_TIMES_SHIFTS // points))


def chance_bands(case: Case, metrics: Mapping[str, Metric], seed: int = 0) -> dict[str, Band]:
    """The band of each metric on shifts of the case; none without events."""
    if not len(case.events):
        return {}
    levels = threshold_grid(case, _LEVELS)
    rng = generator(seed)
    values: dict[str, list[Floats]] = {name: [] for name in metrics}
    for _ in range(shifts_for(case.events.n)):
        turned = case.turned(rng.integers(np.maximum(case.events.judged_between(), 1)))
        for name, metric in metrics.items():
            values[name].append(_values_at(metric, turned, levels))
    return {name: _band(levels, np.array(rows)) for name, rows in values.items()}


def _values_at(metric: Metric, case: Case, levels: Floats) -> Floats:
    measure, adjust, counting = metric.parts
    layers = adjust.layers(case.events)
    if type(counting) is not PointCount or len(layers) > 1 or metric.row.needs == "scores":
        curve = metric.curve(case)
        place = np.searchsorted(-curve.thresholds, -levels)  # the highest that is not above it
        return np.asarray(curve.values[place], np.float64)
    ((_, one),) = layers
    masses = counting.masses(one(case.scores, case.events), case.events)
    found = masses.found.sweep(levels)
    tally = Tally(found, masses.truth, found, masses.false.sweep(levels) + found, masses.normal)
    return np.asarray(measure(tally), np.float64)


def _band(levels: Floats, values: Array) -> Band:
    defined = ~np.isnan(values).any(axis=0)
    columns = np.full((3, levels.size), np.nan)
    columns[0, defined] = values[:, defined].mean(axis=0)
    columns[1:, defined] = np.quantile(values[:, defined], [0.05, 0.95], axis=0)
    return Band(levels, *columns)
