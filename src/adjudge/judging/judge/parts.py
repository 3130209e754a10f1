"""Rows of single series and of single runs, what they come to, and their tables."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from adjudge.judging.result_columns import averaged, number
from adjudge.tables.table import Table, TableColumn

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

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
    value, level, _ = metric.with_default_threshold(at).reading(case)
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


def part_tables(details: Sequence[PartRow], names: dict[str, str], digits: int = 4) -> list[Table]:
    """Lay the parts of each detector out: a row per series or run, a column per metric."""
    tables = []
    for detector in dict.fromkeys(row.detector for row in details):
        own = [row for row in details if row.detector == detector]
        series, runs = [row for row in own if not row.run], [row for row in own if row.run]
        if series:
            named = {id(row): row.series for row in series}
            tables.append(_table(series, named, names, f"{detector} by series", digits))
        if runs:
            numbered = {id(row): f"run {row.run}" for row in runs}
            tables.append(_table(runs, numbered, names, f"{detector} by run", digits))
    return tables


def _table(
    rows: Sequence[PartRow], part: dict[int, str], names: dict[str, str], title: str, digits: int
) -> Table:
    parts = list(dict.fromkeys(part.values()))
    asked = list(dict.fromkeys(row.requested for row in rows))
    cells = {(part[id(row)], row.requested): number(row.value, digits) for row in rows}
    columns = [
        TableColumn(names.get(spec, spec), tuple(cells.get((name, spec), "") for name in parts))
        for spec in asked
    ]
    first = TableColumn(title.rpartition(" ")[2], tuple(parts), is_text=True)
    return Table((first, *columns), title, summary_rows=int(MEAN in parts))
