"""Pooled: all series of a detector as one, and a threshold that it brings from elsewhere.

The pooled value is that of one call with ``series=``: masses are summed over the series before a
ratio is taken, so long series and those with many events weigh more. It needs all scores of a
detector at once.

An oracle's threshold, ``best(...)``, is chosen on the very labels that judge it. What a threshold
is worth that was found elsewhere is measured in two halves: the best threshold of every other
series, taken together, judges the rest, and the other way round. The gap between the two is
what the oracle gave away.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.data.case import Case
from adjudge.errors import AdjudgeError
from adjudge.metrics.reader import metric as read_metric

if TYPE_CHECKING:
    from adjudge.io.tables import Table
    from adjudge.metrics.metric import Metric
    from adjudge.ranking.sources import Unit

MOST_SCORES = 10_000_000
"""Scores of all detectors together, up to which pooled values are computed without being asked."""


@dataclass(frozen=True)
class Pool:
    """One detector, on the series that have it, and the metrics asked for."""

    detector: str
    units: tuple[Unit, ...]
    metrics: tuple[str, ...]


def pool(job: Pool) -> list[dict[str, Any]]:
    """Judge a detector on all its series at once, by each metric."""
    tables = [unit.source.read() for unit in job.units]
    return [
        {
            "detector": job.detector,
            "asked": spec,
            **_judged(read_metric(spec), tables, job.detector),
        }
        for spec in job.metrics
    ]


def _judged(metric: Metric, tables: list[Table], detector: str) -> dict[str, float | None]:
    found = {"pooled": _value(metric, _together(tables, detector))}
    if metric.oracle and len(tables) > 1:
        found["transferred"] = _transferred(replace(metric, oracle=False), tables, detector)
    return {name: None if math.isnan(value) else value for name, value in found.items()}


def _value(metric: Metric, case: Case | None) -> float:
    try:
        return math.nan if case is None else metric.reading(case).value
    except AdjudgeError:  # such as one value per threshold, and no threshold
        return math.nan


def _together(tables: list[Table], detector: str) -> Case | None:
    """Put series one after the other, as one call with ``series=`` has them."""
    sizes = [len(table.labels) for table in tables]
    masked = any(table.where is not None for table in tables)
    where = [np.ones(len(t.labels), bool) if t.where is None else t.where for t in tables]
    try:
        return Case(
            np.concatenate([table.labels for table in tables]),
            np.concatenate([table.scores[detector] for table in tables]),
            series=np.repeat(np.arange(len(tables)), sizes),
            where=np.concatenate(where) if masked else None,
        )
    except AdjudgeError:  # a series that failed by itself fails here too
        return None


def _transferred(metric: Metric, tables: list[Table], detector: str) -> float:
    """The mean over series at the threshold of the other half."""
    values = []
    for half in (0, 1):
        learned = _together(tables[half::2], detector)
        if learned is None:
            return math.nan
        at = replace(metric, oracle=True).reading(learned).at
        cases = (_together([table], detector) for table in tables[1 - half :: 2])
        values += [_value(metric.with_settings(at=at), case) for case in cases]
    defined = [value for value in values if not math.isnan(value)]
    return float(np.mean(defined)) if defined else math.nan
