"""Tables as comma-separated values, for programs.

Names of detectors and files come from outside; control characters in them stay as they are, since
a program reads them, but what a spreadsheet would run as a formula gets a quote in front.

Columns as a data frame of whichever library is there.

Tables as Markdown; whatever stands in the cells is text and no markup.

Tables as a piece of HTML, for notebooks; whatever stands in the cells is text.
"""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from adjudge.errors import InputError, MissingExtra, shown, visible
from adjudge.tables.latex import latex_of
from adjudge.tables.table import Layout, Table, TableColumn
from adjudge.tables.text import text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from adjudge.tables.glance import Glance


def frame_of(columns: Mapping[str, Any], backend: str = "pandas") -> Any:
    """Make a data frame of pandas, polars or pyarrow.

    >>> frame_of({"metric": ["f1"], "value": [0.5]}, "polars").shape
    (1, 2)
    """
    import narwhals.stable.v2 as nw  # noqa: PLC0415 - only who wants a frame pays for it

    try:
        return nw.from_dict(dict(columns), backend=cast("Any", backend)).to_native()
    except ImportError:
        raise MissingExtra("a data frame", backend) from None
    except (ValueError, TypeError, AssertionError):  # the last of narwhals 2.0
        rule = "'pandas', 'polars' or 'pyarrow'"
        raise InputError(f"backend must be {rule}, got {shown(backend)}") from None


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
    above = (*layout.answers, *filter(None, [layout.caption]))
    parts = [f"{_markdown_text(sentence)}\n" for sentence in above]
    parts += [_markdown_table(table) for table in layout.tables]
    if layout.notes:
        parts.append("".join(f"- {_markdown_text(note)}\n" for note in layout.notes))
    parts += [f"{_markdown_text(sentence)}\n" for sentence in layout.verdicts]
    return "\n".join(parts)


def _markdown_table(table: Table) -> str:
    title = [f"**{_markdown_text(table.title)}**", ""] if table.title else []
    sides = "|".join(":---" if column.is_text else "---:" for column in table.columns)
    rows = zip(*map(_markdown_cells, table.columns), strict=True)
    lines = [
        *title,
        _markdown_row(map(_markdown_text, table.head)),
        f"|{sides}|",
        *map(_markdown_row, rows),
    ]
    return "\n".join(lines) + "\n"


def _markdown_cells(column: TableColumn) -> list[str]:
    cells = [_markdown_text(cell) for cell in column.cells]
    shown = [f"**{cell}**" if row in column.bold else cell for row, cell in enumerate(cells)]
    return list(replace(column, cells=tuple(shown), small=_small(column, _markdown_text)).whole)


def _small(column: TableColumn, text: Callable[[str], str]) -> tuple[str, ...]:
    return tuple(map(text, column.small))


def _markdown_row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _markdown_text(text: str) -> str:
    return re.sub(r"([\\`*\[\]<>|!#_~])", r"\\\1", visible(text)).replace("&", "&amp;")


def html_of(layout: Layout, glance: Glance | None = None) -> str:
    """Write answers and verdicts, what is seen first, every table, and notes in small print."""
    tables = "".join(map(_html_table, layout.tables))
    notes = "<br>".join(map(_html_text, layout.notes))
    notes = f"<p><small>{notes}</small></p>" if notes else ""
    above = (*layout.answers, *filter(None, [layout.caption]), *layout.verdicts)
    sentences = "".join(f"<p>{_html_text(sentence)}</p>" for sentence in above)
    first = "" if glance is None else glance.html()
    return f"<div>{sentences}{first}{tables}{notes}</div>"


def _html_table(table: Table) -> str:
    title = (
        f'<caption style="text-align:left">{_html_text(table.title)}</caption>'
        if table.title
        else ""
    )
    head = "".join(f"<th{_html_side(c)}>{_html_text(c.title)}</th>" for c in table.columns)
    rows = ["".join(row) for row in zip(*map(_html_cells, table.columns), strict=True)]
    above = len(rows) - table.summary_rows
    body = "".join(f"<tr>{row}</tr>" for row in rows[:above])
    foot = "".join(f"<tr>{row}</tr>" for row in rows[above:])
    foot = f"<tfoot>{foot}</tfoot>" if foot else ""
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody>{foot}</table>"


def _html_cells(column: TableColumn) -> list[str]:
    cells = [_html_text(cell) for cell in column.cells]
    shown = tuple(
        f"<b>{cell}</b>" if row in column.bold else cell for row, cell in enumerate(cells)
    )
    whole = replace(column, cells=shown, small=_small(column, _html_text)).whole
    return [f"<td{_html_side(column)}>{text}</td>" for text in whole]


def _html_side(column: TableColumn) -> str:
    return f' style="text-align:{"left" if column.is_text else "right"}"'


def _html_text(text: str) -> str:
    from adjudge.tables.glance import html_text  # noqa: PLC0415 - only a notebook needs it

    return html_text(text)


_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def as_csv(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Write comma-separated values; text that a spreadsheet would run gets a quote in front.

    >>> print(as_csv(["name", "value"], [["=1+1", -0.5]]), end="")
    name,value
    '=1+1,-0.5
    """
    return "".join(map(_line, (head, *rows)))


def _line(cells: Sequence[object]) -> str:
    line = io.StringIO()
    csv.writer(line).writerow([_harmless(cell) for cell in cells])
    # Written with the usual "\r\n", so that every Python quotes a name with a lone "\r" in it.
    return line.getvalue().removesuffix("\r\n") + "\n"


def _harmless(cell: object) -> object:
    if not isinstance(cell, str):
        return cell
    return "'" * cell.startswith(_FORMULA) + cell


class Format(NamedTuple):
    """A form in which the command line prints results."""

    words: str
    """What is printed, for the help."""
    draw: Callable[[Layout], str] | None = None
    """Draws any table; None: every result has its own."""


FORMATS: Mapping[str, Format] = {
    "table": Format("text tables", text_of),
    "json": Format("JSON with everything; undefined is null"),
    "flat-json": Format("{detector: {metric: value}} in names that DVC and MLflow accept"),
    "csv": Format("CSV, a row per line of the result"),
    "md": Format("Markdown tables", markdown_of),
    "latex": Format("LaTeX tables (booktabs)", latex_of),
}
"""By the name of the option, which is also what ``--format`` takes."""
