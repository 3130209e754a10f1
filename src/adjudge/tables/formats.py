"""Tables as comma-separated values, for programs.

Names of detectors and files come from outside; control characters in them stay as they are, since
a program reads them, but what a spreadsheet would run as a formula gets a quote in front.

Columns as a data frame of whichever library is there.

Tables as LaTeX with booktabs rules; whatever stands in the cells is text and no command.

Tables as Markdown; whatever stands in the cells is text and no markup.

Tables as a piece of HTML, for notebooks; whatever stands in the cells is text.
"""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from adjudge.errors import InputError, MissingExtra, shown, visible
from adjudge.tables.table import Layout, Table
from adjudge.tables.text import text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from adjudge.tables.table import TableColumn


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


_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "%": r"\%",
    "#": r"\#", "_": r"\_", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "↓": r"$\downarrow$",
}  # fmt: skip


def as_latex(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    r"""Write a LaTeX table with booktabs rules.

    >>> print(as_latex(["metric", "a_1"], [["f1", 0.5]]), end="")
    \begin{tabular}{lr}
    \toprule
    metric & a\_1 \\
    \midrule
    f1 & 0.5 \\
    \bottomrule
    \end{tabular}
    """
    return latex_of(Layout((Table.of(head, rows),)))


def latex_of(layout: Layout) -> str:
    """Write every table, and the sentences below in small print."""
    above = "".join(f"{_latex_text(sentence)}\\par\n" for sentence in layout.answers)
    parts = [*filter(None, [above]), *(_latex_table(table) for table in layout.tables)]
    below = (*layout.notes, *layout.verdicts)
    if below:
        notes = "".join(f"{_latex_text(sentence)}\\par\n" for sentence in below)
        parts.append(f"\\smallskip\n{{\\footnotesize\\raggedright\\noindent\n{notes}}}\n")
    return "\n".join(parts)


def _latex_table(table: Table) -> str:
    title = (
        [rf"\medskip\noindent {_latex_text(table.title)}\par\smallskip\noindent"]
        if table.title
        else []
    )
    rows = [_latex_row(row) for row in zip(*map(_latex_cells, table.columns), strict=True)]
    above = len(rows) - table.summary_rows
    summary = [r"\midrule", *rows[above:]] if table.summary_rows else []
    sides = "".join("l" if column.is_text else "r" for column in table.columns)
    lines = [
        *title,
        rf"\begin{{tabular}}{{{sides}}}",
        r"\toprule",
        _latex_row(map(_latex_text, table.head)),
        r"\midrule",
        *rows[:above],
        *summary,
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def _latex_cells(column: TableColumn) -> list[str]:
    cells = [_latex_text(cell) for cell in column.cells]
    return [rf"\textbf{{{cell}}}" if row in column.bold else cell for row, cell in enumerate(cells)]


def _latex_row(cells: Iterable[str]) -> str:
    row = " & ".join(cells) + r" \\"
    # What ends the row before would take a bracket, or a star, for its own argument.
    return "{}" * row.startswith(("[", "*")) + row


def _latex_text(text: str) -> str:
    return "".join(_SPECIAL.get(c, c) for c in visible(text))


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
    parts = [f"{_markdown_text(sentence)}\n" for sentence in layout.answers]
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
    return [f"**{cell}**" if row in column.bold else cell for row, cell in enumerate(cells)]


def _markdown_row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _markdown_text(text: str) -> str:
    return re.sub(r"([\\`*\[\]<>|!#_~])", r"\\\1", visible(text)).replace("&", "&amp;")


def html_of(layout: Layout) -> str:
    """Write every table, the notes below in small print, and a paragraph for each verdict."""
    tables = "".join(map(_html_table, layout.tables))
    notes = "<br>".join(map(_html_text, layout.notes))
    notes = f"<p><small>{notes}</small></p>" if notes else ""
    answers, verdicts = (
        "".join(f"<p>{_html_text(sentence)}</p>" for sentence in sentences)
        for sentences in (layout.answers, layout.verdicts)
    )
    return f"<div>{answers}{tables}{notes}{verdicts}</div>"


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
    cells = []
    for row, cell in enumerate(map(_html_text, column.cells)):
        text = f"<b>{cell}</b>" if row in column.bold else cell
        cells.append(f"<td{_html_side(column)}>{text}</td>")
    return cells


def _html_side(column: TableColumn) -> str:
    return f' style="text-align:{"left" if column.is_text else "right"}"'


def _html_text(text: str) -> str:
    from html import escape  # noqa: PLC0415 - only a notebook needs it

    return escape(visible(text))


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
