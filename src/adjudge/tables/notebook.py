"""Tables as a piece of HTML, for notebooks; whatever stands in the cells is text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudge._text import visible

if TYPE_CHECKING:
    from adjudge.tables.table import Column, Layout, Table


def html_of(layout: Layout) -> str:
    """Write every table, the notes below in small print, and a paragraph for each verdict."""
    tables = "".join(map(_table, layout.tables))
    notes = "<br>".join(map(_escaped, layout.notes))
    notes = f"<p><small>{notes}</small></p>" if notes else ""
    verdicts = "".join(f"<p>{_escaped(sentence)}</p>" for sentence in layout.verdicts)
    return f"<div>{tables}{notes}{verdicts}</div>"


def _table(table: Table) -> str:
    title = (
        f'<caption style="text-align:left">{_escaped(table.title)}</caption>' if table.title else ""
    )
    head = "".join(f"<th{_side(c)}>{_escaped(c.title)}</th>" for c in table.columns)
    rows = ["".join(row) for row in zip(*map(_cells, table.columns), strict=True)]
    above = len(rows) - table.summary_rows
    body = "".join(f"<tr>{row}</tr>" for row in rows[:above])
    foot = "".join(f"<tr>{row}</tr>" for row in rows[above:])
    foot = f"<tfoot>{foot}</tfoot>" if foot else ""
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody>{foot}</table>"


def _cells(column: Column) -> list[str]:
    cells = []
    for row, cell in enumerate(map(_escaped, column.cells)):
        said = f"<b>{cell}</b>" if row in column.bold else cell
        cells.append(f"<td{_side(column)}>{said}</td>")
    return cells


def _side(column: Column) -> str:
    return f' style="text-align:{"left" if column.is_text else "right"}"'


def _escaped(text: str) -> str:
    from html import escape  # noqa: PLC0415 - only a notebook needs it

    return escape(visible(text))
