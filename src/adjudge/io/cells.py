"""Turn the cells of a text into values, many at a time, and say which cell is at fault.

Numbers are what Python's ``float`` reads, ``nan`` and ``inf`` included, with two exceptions that
would hide a mistake: ``1_000`` is no number here, and a number too large for a float (``1e999``)
is an error and not infinity. Label and mask columns may also say ``True``, ``False``, the same in
small letters or in capitals, read as 1 and 0. Series ids and times stay text.
"""

from __future__ import annotations

import math
import reprlib
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from adjudge.io.column_choice import Columns, Kind

_TRUTH = {"True": "1", "true": "1", "TRUE": "1", "False": "0", "false": "0", "FALSE": "0"}


@dataclass(frozen=True)
class Cells:
    """How the cells of a text are written.

    Attributes
    ----------
    sep
        What stands between two cells; None: what the suffix of the file says.
    decimal
        The decimal mark of numbers: a point or a comma.
    gaps
        Whether a score may be missing; an empty cell is then NaN.
    """

    sep: str | None = None
    decimal: str = "."
    gaps: bool = False

    def __post_init__(self) -> None:
        """Check the marks; a shell gives a tab as two characters."""
        if self.sep == "\\t":
            object.__setattr__(self, "sep", "\t")
        if self.sep is not None and (len(self.sep) != 1 or self.sep in '"\r\n'):
            raise InputError(f"sep must be one character, such as ';', got {self.sep!r}")
        if self.decimal not in {".", ","}:
            raise InputError(f"decimal must be '.' or ',', got {self.decimal!r}")


def values(cells: Sequence[str], kind: Kind, style: Cells) -> NDArray[Any] | None:
    """Turn the cells of one column into values, or give None if some cell is at fault."""
    if kind in {"id", "time"}:
        return _texts(cells, often=kind == "id")
    if kind == "truth":
        cells = [_TRUTH.get(cell.strip(), cell) for cell in cells]
    elif style.gaps:
        cells = [cell if cell.strip() else "nan" for cell in cells]
    if style.decimal == ",":
        cells = [cell.replace(",", ".") if "." not in cell else "" for cell in cells]
    return _floats(cells)


def _texts(cells: Sequence[str], *, often: bool) -> NDArray[Any] | None:
    """Keep text as objects, since one long id must not widen every row; ids are kept once each."""
    if not all(map(str.strip, cells)):
        return None
    return np.array([sys.intern(cell) for cell in cells] if often else list(cells), dtype=object)


def _floats(cells: Sequence[str]) -> NDArray[np.float64] | None:
    """Convert numbers all at once: fast, at the price of not knowing which cell is at fault."""
    try:
        numbers = np.fromiter(map(float, cells), np.float64, len(cells))
    except ValueError:
        return None
    infinite = (cells[i].lower() for i in np.flatnonzero(np.isinf(numbers)).tolist())
    if "_" in "".join(cells) or any("inf" not in cell for cell in infinite):
        return None
    return numbers


def first_fault(
    name: str, cells: Sequence[str], numbers: Sequence[int], columns: Columns, style: Cells
) -> str:
    """Name the first cell that is no value."""
    kind = columns.kind(name)
    i = next(i for i, cell in enumerate(cells) if values((cell,), kind, style) is None)
    return f"line {numbers[i]}, column {name!r}: {_fault(cells[i], kind)}"


def _fault(cell: str, kind: Kind) -> str:
    shown = reprlib.repr(cell)
    if not cell.strip():
        gap = "; --missing skip leaves such rows out" if kind == "number" else ""
        return f"empty cell: {shown}{gap}"
    if _is_overflow(cell):
        return f"too large for a 64-bit float: {shown}"
    if "," in cell and _floats((cell.replace(",", "."),)) is not None:
        return f"not a number: {shown}; if the comma is its decimal mark, say --decimal ,"
    word = kind == "truth" and any(map(str.isalpha, cell))
    return f"not a number: {shown}" + ("; --positive says which label is an anomaly" * word)


def _is_overflow(cell: str) -> bool:
    """Tell a number without underscores that is only too large from what is no number at all."""
    try:
        return "_" not in cell and math.isinf(float(cell))
    except ValueError:
        return False
