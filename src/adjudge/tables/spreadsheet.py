"""Tables as comma-separated values, for programs.

Names of detectors and files come from outside; control characters in them stay as they are, since
a program reads them, but what a spreadsheet would run as a formula gets a quote in front.
"""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

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
