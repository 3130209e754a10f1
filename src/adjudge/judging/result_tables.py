"""Layout: how results are laid out as tables and notes, whatever they are drawn as.

The cells are made here, once; text, Markdown, LaTeX and HTML only draw them (`adjudge.tables`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from adjudge.checks import DIGITS, whole
from adjudge.judging.judge.verdict import is_smallest, main_row
from adjudge.judging.result_columns import COLUMNS, at_text, beside_text, value_text
from adjudge.judging.words.short_names import LOWER, is_lower, settings_notes, short_names
from adjudge.judging.words.thresholds import (
    budget_notes,
    common_threshold,
    extreme_notes,
    threshold_notes,
    worth_note,
)
from adjudge.settings import Settings, setting
from adjudge.tables.table import Layout, Table, TableColumn

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from adjudge.judging.result_columns import Finding

_SHOWN = sorted(
    ((one.shown, name) for name, one in COLUMNS.items() if one.shown),
    key=lambda item: item[0].place,
)


@dataclass(frozen=True)
class Style(Settings):
    """How results are to be laid out."""

    digits: int = setting(4, whole, 0, DIGITS)
    verbose: bool = False
    """Whether to show also what only few need, as `chance_table` and the words below it do."""
    transposed: bool = False
    """Whether each detector is a row, and each metric a column."""
    ranks: bool = False
    """Whether each value is followed by its rank among the detectors."""


PLAIN = Style()


def result_layout(rows: Sequence[Finding], style: Style = PLAIN, title: str = "") -> Layout:
    """Lay out the rows of one or several detectors on the same labels."""
    names = short_names(rows)
    detectors = list(dict.fromkeys(row.detector for row in rows))
    if len(detectors) == 1 and not style.transposed:
        tables = [detector_table(rows, names, style, title)]
    else:
        tables = _of_several(rows, names, style, title)
    notes = (*metric_notes(rows, names), *threshold_notes(rows), *extreme_notes(rows))
    return Layout(tuple(tables), notes)


def _of_several(
    rows: Sequence[Finding], names: dict[str, str], style: Style, title: str
) -> list[Table]:
    """Values of all metrics, if there are several, and one metric against chance."""
    detectors = list(dict.fromkeys(row.detector for row in rows))
    main = [row for d in detectors if (row := main_row([r for r in rows if r.detector == d]))]
    values = [value_table(rows, names, style, title)] if len(names) > 1 or not main else []
    if not main:
        return values
    first = [TableColumn("detector", tuple(row.detector for row in main), is_text=True)]
    against = f"{names[main[0].requested]} against chance"
    if len({row.requested for row in main}) > 1:  # flags beside scores, which an oracle parts
        first.append(
            TableColumn("metric", tuple(names[row.requested] for row in main), is_text=True)
        )
        against = "against chance"
    above = against if values or not title else f"{title}: {against}"
    return [*values, chance_table(first, main, style, above)]


def detector_table(
    rows: Sequence[Finding], names: dict[str, str], style: Style = PLAIN, title: str = ""
) -> Table:
    """Lay the metrics of one detector out one below the other, by these names."""
    first = TableColumn("metric", tuple(names[row.requested] for row in rows), is_text=True)
    return chance_table([first], rows, style, title)


def metric_notes(rows: Sequence[Finding], names: dict[str, str]) -> list[str]:
    """Explain the names of the table: settings, and what the arrow means."""
    arrow = [f"{LOWER} lower is better"] if any(map(is_lower, rows)) else []
    counted = dict.fromkeys(
        names[r.requested]
        for r in rows
        if r.unit and math.isnan(r.seconds) and not math.isnan(r.value)
    )
    points = [f"{', '.join(counted)}: in points"] if counted else []
    worth = [worth_note(row, names[row.requested]) for row in rows if row.without_data]
    return [*settings_notes(rows, names), *points, *arrow, *worth, *budget_notes(rows, names)]


def chance_table(
    first: Sequence[TableColumn], rows: Sequence[Finding], style: Style = PLAIN, title: str = ""
) -> Table:
    """Lay values out one below the other, each beside what chance makes of it.

    Columns in which nothing stands are left out. Always there, if there is room: value, by chance,
    interval, p. On request: what an always-on alarm scores, the share of the way from chance to
    perfect, and by how much a best threshold makes values too high.
    """
    apart = len({row.detector for row in rows}) < len(rows)  # other files are no rivals
    values = ValueCells(rows, lambda row: id(row) if apart else row.requested, style)
    value, *_ = values.columns("value", rows)
    common = common_threshold(rows)
    columns = [
        TableColumn(one.title, tuple(_cell(name, row, style.digits) for row in rows), rank=one.rank)
        for one, name in _SHOWN
        if (style.verbose or not one.verbose) and not (common and name == "at")
    ]
    return Table((*first, value, *(column for column in columns if any(column.cells))), title)


def value_table(
    rows: Sequence[Finding], names: dict[str, str], style: Style = PLAIN, title: str = ""
) -> Table:
    """Lay values out as metrics by detectors; transposed, as detectors by metrics."""
    detectors = {name: name for name in dict.fromkeys(row.detector for row in rows)}
    cells = ValueCells(rows, lambda row: row.requested, style)
    by_metric = {(row.requested, row.detector): row for row in rows}
    by_detector = {(row.detector, row.requested): row for row in rows}
    down = _crossed("metric", names, detectors, by_metric, cells)
    across = _crossed("detector", detectors, names, by_detector, cells)
    if style.transposed:
        return Table(across, title)
    return Table(down, title, turned=Table(across))


def _crossed(
    first: str,
    rows: dict[str, str],
    columns: dict[str, str],
    found: dict[tuple[str, str], Finding],
    cells: ValueCells,
) -> tuple[TableColumn, ...]:
    """Cross names of rows with names of columns: the values, each beside chance."""
    named = TableColumn(first, tuple(rows.values()), is_text=True)
    values = [
        column
        for key, name in columns.items()
        for column in cells.columns(name, [found.get((row, key)) for row in rows])
    ]
    return (named, *values)


class ValueCells:
    """Values as cells, the best of each group of comparable ones in bold."""

    def __init__(
        self,
        rows: Sequence[Finding],
        group: Callable[[Finding], Hashable],
        style: Style,
    ) -> None:
        self._style = style
        values: dict[Hashable, list[Finding]] = {}
        for row in rows:
            values.setdefault(group(row), []).append(row)
        self._rank = {
            id(row): place
            for same in values.values()
            if len({row.value for row in same}) > 1
            for row, place in zip(same, _ranks(same), strict=True)
        }

    def columns(self, title: str, rows: Sequence[Finding | None]) -> list[TableColumn]:
        """A column of values, and one of what they are by chance, where that is known."""
        values = tuple("" if row is None else self._value(row) for row in rows)
        best = frozenset(i for i, row in enumerate(rows) if row and self._rank.get(id(row)) == 1)
        digits = self._style.digits
        chance = tuple("" if r is None else beside_text(r, r.chance, digits) for r in rows)
        beside = [TableColumn("by chance", chance, rank=1)] if any(chance) else []
        return [TableColumn(title, values, bold=best), *beside]

    def _value(self, row: Finding) -> str:
        text, rank = value_text(row, self._style.digits), self._rank.get(id(row))
        return f"{text} ({rank})" if self._style.ranks and rank else text


def _ranks(rows: Sequence[Finding]) -> list[int | None]:
    """Rank comparable values, the best first; equal ones share the better rank."""
    sign = -1 if is_lower(rows[0]) else 1
    values = [sign * row.value for row in rows]
    return [None if math.isnan(own) else 1 + sum(other > own for other in values) for own in values]


def cell(value: float, digits: int = 4) -> str:
    """Print a number that may not be there."""
    return "" if math.isnan(value) else f"{value:.{digits}f}"


def interval(row: Finding, low: float, high: float, digits: int = 3) -> str:
    """Print an interval that may not be there."""
    ends = (beside_text(row, end, digits) for end in (low, high))
    return "" if math.isnan(low) else " to ".join(ends)


def p_cell(row: Finding) -> str:
    """Print a p-value that may not be there; one that could not be smaller says so."""
    if math.isnan(row.p_value):
        return ""
    return f"{'<= ' if is_smallest(row) else ''}{row.p_value:.3g}"


def _p_adjusted(row: Finding) -> str:
    same = math.isnan(row.p_adjusted) or row.p_adjusted in {row.p_value, row.p_joint}
    return "" if same else f"{row.p_adjusted:.3g}"


def _cell(name: str, row: Finding, digits: int) -> str:
    """Print what stands in a column: as it wants it, or as the value is printed."""
    write = _WRITTEN.get(name)
    return beside_text(row, vars(row)[name], digits) if write is None else write(row, digits)


_WRITTEN: dict[str, Callable[[Finding, int], str]] = {
    "low": lambda row, digits: interval(row, row.low, row.high, max(digits - 1, 2)),
    "label_shift_low": lambda row, digits: interval(
        row, row.label_shift_low, row.label_shift_high, max(digits - 1, 2)
    ),
    "corrected": lambda row, digits: cell(row.corrected, digits),
    "p_value": lambda row, _: p_cell(row),
    "p_adjusted": lambda row, _: _p_adjusted(row),
    "at": lambda row, _: at_text(row),
    "chosen_by": lambda row, _: row.rule or row.chosen_by,
}
