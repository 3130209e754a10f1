"""Tables as Markdown; whatever stands in the cells is text and no markup."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from adjudge._text import visible
from adjudge.tables.table import Layout, Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from adjudge.tables.table import Column


def as_markdown(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    r"""Write a Markdown table; the first column is text, the others are numbers.

    >>> print(as_markdown(["metric", "a|b"], [["f1", 0.5]]), end="")
    | metric | a\|b |
    |:---|---:|
    | f1 | 0.5 |
    """
    return markdown_of(Layout((Table.of(head, rows),)))


def markdown_of(layout: Layout) -> str:
    """Write every table, the notes below as a list, and what it amounts to as paragraphs."""
    parts = [_table(table) for table in layout.tables]
    if layout.notes:
        parts.append("".join(f"- {_escaped(note)}\n" for note in layout.notes))
    parts += [f"{_escaped(sentence)}\n" for sentence in layout.verdicts]
    return "\n".join(parts)


def _table(table: Table) -> str:
    title = [f"**{_escaped(table.title)}**", ""] if table.title else []
    sides = "|".join(":---" if column.is_text else "---:" for column in table.columns)
    rows = zip(*map(_cells, table.columns), strict=True)
    lines = [*title, _row(map(_escaped, table.head)), f"|{sides}|", *map(_row, rows)]
    return "\n".join(lines) + "\n"


def _cells(column: Column) -> list[str]:
    said = [_escaped(cell) for cell in column.cells]
    return [f"**{cell}**" if row in column.bold else cell for row, cell in enumerate(said)]


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _escaped(text: str) -> str:
    return re.sub(r"([\\`*\[\]<>|!#_~])", r"\\\1", visible(text)).replace("&", "&amp;")
