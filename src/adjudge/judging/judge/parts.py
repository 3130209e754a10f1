"""Rows of single series and of single runs, and what they come to: means and spreads."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from adjudge.judging.result_columns import averaged

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from adjudge.data.case import Case
    from adjudge.judging.result_columns import Finding
    from adjudge.metrics.metric import Metric


MEAN = "mean over series"


@dataclass(frozen=True)
class PartRow:
    """One metric of one detector on one series, of one of its runs, or the mean over series."""

    detector: str
    metric: str
    """The metric, with every setting resolved on that series."""
    requested: str
    """The metric as it was asked for."""
    value: float
    at: float | None
    series: str = ""
    """The series; "mean over series" for the mean of those where the value is defined."""
    run: int = 0
    """The number of the run, from 1; 0 where there are no runs."""
    averaged: int = 0
    """How many series the mean is of."""


def series_rows(
    case: Case, metrics: Iterable[Metric], at: float | None, zero_division: float = math.nan
) -> list[PartRow]:
    """Judge each series by itself, at the same threshold, and add the mean over series."""
    parts = list(case.by_series())
    rows = []
    for metric in metrics:
        own = [_row(name, part, metric, at, zero_division) for name, part in parts]
        known = [row.value for row in own if not math.isnan(row.value)]
        mean = float(np.mean(known)) if known else math.nan
        rows += own
        rows.append(
            PartRow(case.name, str(metric), str(metric), mean, None, MEAN, averaged=len(known))
        )
    return rows


def _row(name: str, case: Case, metric: Metric, at: float | None, zero_division: float) -> PartRow:
    value, level, _ = metric.placed(at).reading(case)
    value = zero_division if math.isnan(value) else value
    spec = metric.resolved_spec(case.events)
    return PartRow(case.name, spec, str(metric), value, level, name)


def over_runs(
    rows: Iterable[Finding], runs: Mapping[str, tuple[str, int]]
) -> tuple[list[Finding], list[PartRow]]:
    """Put the rows of several runs of a detector together: their mean, and their spread."""
    kept: dict[tuple[str, str], list[Finding]] = {}
    details = []
    for row in rows:
        base, number = runs.get(row.detector, (row.detector, 0))
        kept.setdefault((base, row.requested), []).append(row)
        if number:
            spec = row.metric, row.requested, row.value, row.at
            details.append(PartRow(base, *spec, run=number))
    return [_mean(base, found) for (base, _), found in kept.items()], details


def _mean(base: str, rows: list[Finding]) -> Finding:
    """The mean of the runs; what only holds for one of them is left out."""
    if len(rows) == 1 and rows[0].detector == base:
        return rows[0]
    values = np.array([row.value for row in rows])
    spread = float(values.std(ddof=1)) if len(values) > 1 else math.nan
    means = averaged(rows, "runs")
    return replace(rows[0], detector=base, spread=spread, runs=len(rows), tests={}, **means)
