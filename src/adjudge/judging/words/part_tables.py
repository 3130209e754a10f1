"""Tables of single series and of single runs, laid out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudge.judging.judge.parts import MEAN, PartRow
from adjudge.judging.result_columns import number
from adjudge.tables.table import Table, TableColumn

if TYPE_CHECKING:
    from collections.abc import Sequence


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
