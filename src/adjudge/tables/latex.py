"""Tables as LaTeX with booktabs rules; whatever stands in the cells is text and no command.

A layout with a caption is a float for a paper: as wide as a column where it fits there, else as
wide as the page, and in parts below each other where that is too narrow too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudge.errors import visible
from adjudge.tables.table import Layout, Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from adjudge.tables.table import TableColumn

_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "%": r"\%",
    "#": r"\#", "_": r"\_", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "↓": r"$\downarrow$",
    "†": r"$^\dagger$", "°": r"$^\circ$",
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
    """Write every table, and the sentences below in small print; with a caption, a float."""
    if layout.caption:
        return _float(layout)
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
    return "\n".join([*title, *_tabular(table.columns, table.summary_rows)]) + "\n"


def _tabular(columns: Sequence[TableColumn], summary_rows: int) -> list[str]:
    rows = [_latex_row(row) for row in zip(*map(_latex_cells, columns), strict=True)]
    if any(column.small for column in columns):
        small = zip(*map(_small_cells, columns), strict=True)
        both = zip(rows, small, strict=True)
        rows = [f"{row}\n{_latex_row(below)}" if any(below) else row for row, below in both]
    above = len(rows) - summary_rows
    summary = [r"\midrule", *rows[above:]] if summary_rows else []
    sides = "".join("l" if column.is_text else "r" for column in columns)
    return [
        rf"\begin{{tabular}}{{{sides}}}",
        r"\toprule",
        _latex_row(_latex_text(column.title) for column in columns),
        r"\midrule",
        *rows[:above],
        *summary,
        r"\bottomrule",
        r"\end{tabular}",
    ]


def _small_cells(column: TableColumn) -> list[str]:
    small = column.small or ("",) * len(column.cells)
    return [rf"{{\scriptsize {_latex_text(text)}}}" if text else "" for text in small]


def _latex_cells(column: TableColumn) -> list[str]:
    cells = [_latex_text(cell) for cell in column.cells]
    return [rf"\textbf{{{cell}}}" if row in column.bold else cell for row, cell in enumerate(cells)]


def _latex_row(cells: Iterable[str]) -> str:
    row = " & ".join(cells) + r" \\"
    # What ends the row before would take a bracket, or a star, for its own argument.
    return "{}" * row.startswith(("[", "*")) + row


def _latex_text(text: str) -> str:
    return "".join(_SPECIAL.get(c, c) for c in visible(text))


_COLUMN, _PAGE = 240.0, 490.0
"""How wide a column and a page of two columns are at least, in points (IEEE 252, ACM 241; 506)."""
_BETWEEN = 6.0
"""Points between two columns of a table."""
_SMALL, _SCRIPT = 9.2, 8.0
"""An em of the cells and of the small print, in points."""
_NARROW, _WIDE = frozenset("ijlft.,:;|[]()' "), frozenset("mwMW%")


def _float(layout: Layout) -> str:
    """A table with its caption, in parts below each other where it is wider than a page."""
    (table,) = layout.tables
    first, *others = table.columns
    wide = sum(map(_points, table.columns)) > _COLUMN
    parts: list[list[TableColumn]] = [[first]]
    for column in others:
        if len(parts[-1]) > 1 and sum(map(_points, [*parts[-1], column])) > _PAGE:
            parts.append([first])
        parts[-1].append(column)
    name = "table*" if wide else "table"
    tabulars = ("\n".join(_tabular(part, table.summary_rows)) for part in parts)
    lines = [
        rf"\begin{{{name}}}[t]",
        r"\centering\small",
        rf"\setlength{{\tabcolsep}}{{{_BETWEEN / 2:g}pt}}",
        rf"\caption{{{_latex_text(layout.caption)}}}",
        r"\label{tab:detectors}",
        r"\par\smallskip",
        "\n\\par\\medskip\n".join(tabulars),
        rf"\end{{{name}}}",
    ]
    return "\n".join(lines) + "\n"


def _points(column: TableColumn) -> float:
    """About how wide a column is, with the space beside it."""
    widest = max(_ems(text) for text in (column.title, *column.cells))
    small = max(map(_ems, column.small), default=0.0)
    return max(_SMALL * widest, _SCRIPT * small) + _BETWEEN


def _ems(text: str) -> float:
    """How wide a text is in the fonts of LaTeX, a little too wide rather than too narrow."""
    return sum(0.32 if c in _NARROW else 0.9 if c in _WIDE else 0.75 if c.isupper() else 0.53
               for c in text)  # fmt: skip
