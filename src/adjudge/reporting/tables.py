"""Tables of text cells, as CSV, Markdown or LaTeX.

Names of detectors and files come from outside, so every format escapes what it would otherwise
obey: formulas in CSV, markup in Markdown, commands in LaTeX.
"""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_LATEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "%": r"\%",
    "#": r"\#", "_": r"\_", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}",
}  # fmt: skip
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def as_csv(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Write comma-separated values; text that a spreadsheet would run gets a quote in front.

    >>> print(as_csv(["name", "value"], [["=1+1", -0.5]]), end="")
    name,value
    '=1+1,-0.5
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([_disarmed(cell) for cell in head])
    writer.writerows([_disarmed(cell) for cell in row] for row in rows)
    return text.getvalue()


def as_markdown(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    r"""Write a Markdown table; the first column is text, the others are numbers.

    >>> print(as_markdown(["metric", "a|b"], [["f1", 0.5]]), end="")
    | metric | a\|b |
    |:---|---:|
    | f1 | 0.5 |
    """
    lines = [
        _markdown_row(head),
        "|" + "|".join([":---", *["---:"] * (len(head) - 1)]) + "|",
        *map(_markdown_row, rows),
    ]
    return "\n".join(lines) + "\n"


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
    lines = [
        rf"\begin{{tabular}}{{l{'r' * (len(head) - 1)}}}",
        r"\toprule",
        _latex_row(head),
        r"\midrule",
        *map(_latex_row, rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def _disarmed(cell: object) -> object:
    if not isinstance(cell, str):
        return cell
    armed = cell.startswith(_FORMULA)
    return "'" * armed + cell.replace("\r", " ")


def _markdown_row(cells: Sequence[object]) -> str:
    return "| " + " | ".join(_markdown_cell(str(cell)) for cell in cells) + " |"


def _markdown_cell(text: str) -> str:
    text = re.sub(r"([\\`*\[\]<>|!#])", r"\\\1", text)
    return " ".join(text.replace("&", "&amp;").split())


def _latex_row(cells: Sequence[object]) -> str:
    escaped = ("".join(_LATEX.get(char, char) for char in str(cell)) for cell in cells)
    return " & ".join(" ".join(cell.split()) for cell in escaped) + r" \\"
