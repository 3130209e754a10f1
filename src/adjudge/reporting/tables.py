"""Tables of text cells, as CSV, Markdown or LaTeX.

Names of detectors and files come from outside, so every format escapes what it would otherwise
obey: formulas in CSV, markup in Markdown, commands in LaTeX. Control characters are written out in
Markdown and LaTeX, which people read; in CSV, which programs read, they stay as they are.
"""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING

from adjudge._text import visible

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
    return "".join(map(_csv_line, (head, *rows)))


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


def _csv_line(cells: Sequence[object]) -> str:
    line = io.StringIO()
    csv.writer(line).writerow([_harmless(cell) for cell in cells])
    # Written with the usual "\r\n", so that every Python quotes a name with a lone "\r" in it.
    return line.getvalue().removesuffix("\r\n") + "\n"


def _harmless(cell: object) -> object:
    if not isinstance(cell, str):
        return cell
    return "'" * cell.startswith(_FORMULA) + cell


def _markdown_row(cells: Sequence[object]) -> str:
    return "| " + " | ".join(_markdown_cell(str(cell)) for cell in cells) + " |"


def _markdown_cell(text: str) -> str:
    return re.sub(r"([\\`*\[\]<>|!#_~])", r"\\\1", visible(text)).replace("&", "&amp;")


def _latex_row(cells: Sequence[object]) -> str:
    return " & ".join("".join(_LATEX.get(c, c) for c in visible(cell)) for cell in cells) + r" \\"
