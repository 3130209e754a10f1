"""Tables as LaTeX with booktabs rules; whatever stands in the cells is text and no command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudge._text import visible
from adjudge.tables.table import Layout, Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from adjudge.tables.table import Column

_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "%": r"\%",
    "#": r"\#", "_": r"\_", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "↓": r"$\downarrow$",
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
    parts = [_table(table) for table in layout.tables]
    below = (*layout.notes, *layout.verdicts)
    if below:
        notes = "".join(f"{_escaped(sentence)}\\par\n" for sentence in below)
        parts.append(f"\\smallskip\n{{\\footnotesize\\raggedright\\noindent\n{notes}}}\n")
    return "\n".join(parts)


def _table(table: Table) -> str:
    title = (
        [rf"\medskip\noindent {_escaped(table.title)}\par\smallskip\noindent"]
        if table.title
        else []
    )
    rows = [_row(row) for row in zip(*map(_cells, table.columns), strict=True)]
    above = len(rows) - table.summary_rows
    summary = [r"\midrule", *rows[above:]] if table.summary_rows else []
    sides = "".join("l" if column.is_text else "r" for column in table.columns)
    lines = [
        *title,
        rf"\begin{{tabular}}{{{sides}}}",
        r"\toprule",
        _row(map(_escaped, table.head)),
        r"\midrule",
        *rows[:above],
        *summary,
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def _cells(column: Column) -> list[str]:
    said = [_escaped(cell) for cell in column.cells]
    return [rf"\textbf{{{cell}}}" if row in column.bold else cell for row, cell in enumerate(said)]


def _row(cells: Iterable[str]) -> str:
    return " & ".join(cells) + r" \\"


def _escaped(text: str) -> str:
    return "".join(_SPECIAL.get(c, c) for c in visible(text))
