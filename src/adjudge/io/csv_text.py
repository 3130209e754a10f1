r"""Read CSV text: one header, one record per row, numbers exact.

The text is UTF-8 with or without a byte-order mark, lines end in ``\n`` or ``\r\n``, cells may
be quoted and a quoted cell may hold line breaks. Blank lines may only stand at the end. Column
names lose the blanks around them; cells of columns that nobody asked for are never looked at.

Numbers are what Python's ``float`` reads, ``nan`` and ``inf`` included, with two exceptions that
would hide a mistake: ``1_000`` is no number here, and a number too large for a float (``1e999``)
is an error and not infinity. Label and mask columns may also say ``True``, ``False``, ``true`` or
``false``, read as 1 and 0. Series ids stay text.

Memory follows the numbers kept and not the text: records are read one at a time, none may be
longer than 1 MiB, and text is turned into numbers after every megabyte of it.
"""

from __future__ import annotations

import csv
import math
import reprlib
import sys
from operator import itemgetter
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from adjudge.errors import FileError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from adjudge.io.column_choice import Choose, Columns

MAX_RECORD = 2**20
MAX_COLUMNS = 10_000
CHUNK = 2**20  # bytes of records between two conversions

_TRUTH = {"True": "1", "true": "1", "False": "0", "false": "0"}
_UNCLOSED = "a quote opened here is never closed"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def read_csv(
    stream: BinaryIO, file: str, choose: Choose, delimiter: str = ","
) -> tuple[Columns, dict[str, NDArray[Any]]]:
    """Read the chosen columns of a CSV text.

    Parameters
    ----------
    stream
        The bytes of the text.
    file
        What messages call the text.
    choose
        Picks the columns from the names in the header.
    delimiter
        What stands between two cells.

    Returns
    -------
    tuple
        The columns chosen, and their values by name: float64, or objects of type ``str`` for the
        series ids.

    Raises
    ------
    FileError
        If the text is not such a CSV, naming the line.
    """
    lines = _Lines(stream, file)
    records = _records(lines, delimiter)
    header = _header(records, file)
    columns = choose(header)
    parts: dict[str, list[NDArray[Any]]] = {name: [] for name in columns.needed}
    places = [header.index(name) for name in columns.needed]
    for numbers, cells in _chunks(records, lines, places, len(header)):
        for name, column in zip(columns.needed, cells, strict=True):
            values = _values(column, _kind(name, columns))
            if values is None:
                raise FileError(f"{file}: {_first_fault(name, column, numbers, columns)}")
            parts[name].append(values)
    return columns, {name: np.concatenate(part or [np.empty(0)]) for name, part in parts.items()}


def _kind(name: str, columns: Columns) -> str:
    """Say how the cells of a column are to be read."""
    if name == columns.series:
        return "text"
    return "truth" if name in {columns.label, columns.where} else "number"


class _Lines:
    """The physical lines of a stream, decoded, and where the record under way stands.

    ``first`` is the line on which that record began and ``taken`` its bytes so far; who reads the
    records says when one has ended.
    """

    def __init__(self, stream: BinaryIO, file: str) -> None:
        self.stream = stream
        self.file = file
        self.number = 0
        self.first = 1
        self.taken = 0

    def __iter__(self) -> Iterator[str]:
        """Give one line after another, never reading past the cap."""
        while raw := self.stream.readline(MAX_RECORD + 1 - self.taken):
            self.number += 1
            self.taken += len(raw)
            if self.taken > MAX_RECORD:
                raise FileError(self.too_long())
            if b"\0" in raw:
                raise FileError(self.not_text(raw, "a NUL byte"))
            try:
                yield raw.decode("utf-8-sig" if self.number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                fault = f"byte {error.start + 1} of the line is not UTF-8"
                raise FileError(self.not_text(raw, fault)) from error

    def ended(self) -> None:
        """Note that the record under way is complete."""
        self.first, self.taken = self.number + 1, 0

    def too_long(self) -> str:
        """Say that the record under way passes the cap, and why that may be."""
        if self.number > self.first:
            return f"{self.file}: line {self.first}: {_UNCLOSED}"
        return f"{self.file}: line {self.first}: a line must be at most {MAX_RECORD:,} bytes"

    def not_text(self, raw: bytes, fault: str) -> str:
        """Say why a line is no text; UTF-16 shows as its mark or as every other byte NUL."""
        alternating = b"\0" in raw and not (any(raw[::2]) and any(raw[1::2]))
        if self.number == 1 and (alternating or raw.startswith(_UTF16_MARKS)):
            return f"{self.file}: looks like UTF-16; save it as UTF-8"
        return f"{self.file}: line {self.number}: {fault}; is this a UTF-8 text?"


def _records(lines: _Lines, delimiter: str) -> Iterator[list[str]]:
    """Give one record after another, as cells."""
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    try:
        for row in reader:
            yield row
            lines.ended()
    except csv.Error as error:
        raise FileError(_csv_fault(lines, str(error))) from error


def _csv_fault(lines: _Lines, reason: str) -> str:
    """Word what the csv module refuses; a cell that outgrows its line is a quote that runs on."""
    fault = f"not valid CSV: {reason}"
    if reason.startswith("new-line"):
        fault = "a carriage return inside the line; lines must end in \\n or \\r\\n"
    elif reason == "unexpected end of data":
        fault = _UNCLOSED
    elif reason.startswith("field larger"):
        fault = _UNCLOSED if lines.number > lines.first else f"a cell is too long: {reason}"
    return f"{lines.file}: line {lines.first}: {fault}"


def _header(records: Iterator[list[str]], file: str) -> list[str]:
    """Read the column names."""
    cells = next(records, None)
    if cells is None:
        raise FileError(f"{file}: the file is empty")
    names = [cell.strip() for cell in cells]
    if not any(names):
        raise FileError(f"{file}: line 1: the header is empty; it must name the columns")
    if len(names) > MAX_COLUMNS:
        raise FileError(
            f"{file}: line 1: there must be at most {MAX_COLUMNS:,} columns, got {len(names):,}"
        )
    return names


def _chunks(
    records: Iterator[list[str]], lines: _Lines, places: Sequence[int], width: int
) -> Iterator[tuple[list[int], list[tuple[str, ...]]]]:
    """Give the needed cells in pieces: the line numbers of the rows, and a tuple per column."""
    pick = itemgetter(*places)
    rows: list[tuple[str, ...]] = []
    numbers: list[int] = []
    size = gap = 0
    for row in records:
        if gap or len(row) != width:
            gap = _gap(row, gap, width, lines)
            continue
        rows.append(pick(row))
        numbers.append(lines.first)
        size += lines.taken
        if size >= CHUNK:
            yield numbers, list(zip(*rows, strict=True))
            rows, numbers, size = [], [], 0
    if rows:
        yield numbers, list(zip(*rows, strict=True))


def _gap(row: list[str], gap: int, width: int, lines: _Lines) -> int:
    """Give the line of the first blank line, or refuse a row after it or of another width."""
    if len(row) < 2 and not "".join(row).strip():
        return gap or lines.first
    if gap:
        raise FileError(f"{lines.file}: line {gap}: a blank line, with rows after it")
    raise FileError(
        f"{lines.file}: line {lines.first}: a row must have {width:,} cells like the header, "
        f"got {len(row):,}"
    )


def _values(cells: Sequence[str], kind: str) -> NDArray[Any] | None:
    """Turn the cells of one column into values, or give None if some cell is at fault."""
    return _texts(cells) if kind == "text" else _floats(cells, truth=kind == "truth")


def _texts(cells: Sequence[str]) -> NDArray[Any] | None:
    """Keep ids as text: as objects, since one long id must not widen every row."""
    if not all(map(str.strip, cells)):
        return None
    return np.array([sys.intern(cell) for cell in cells], dtype=object)


def _floats(cells: Sequence[str], *, truth: bool) -> NDArray[np.float64] | None:
    """Convert numbers all at once: fast, at the price of not knowing which cell is at fault."""
    texts = [_TRUTH.get(cell.strip(), cell) for cell in cells] if truth else cells
    try:
        values = np.fromiter(map(float, texts), np.float64, len(texts))
    except ValueError:
        return None
    infinite = (cells[i].lower() for i in np.flatnonzero(np.isinf(values)).tolist())
    if "_" in "".join(cells) or any("inf" not in cell for cell in infinite):
        return None
    return values


def _first_fault(name: str, cells: Sequence[str], numbers: Sequence[int], columns: Columns) -> str:
    """Name the first cell that is no value."""
    kind = _kind(name, columns)
    i = next(i for i, cell in enumerate(cells) if _values((cell,), kind) is None)
    fault = "not a number"
    if not cells[i].strip():
        fault = "empty cell"
    elif _is_overflow(cells[i]):
        fault = "too large for a 64-bit float"
    return f"line {numbers[i]}, column {name!r}: {fault}: {reprlib.repr(cells[i])}"


def _is_overflow(cell: str) -> bool:
    """Tell a number without underscores that is only too large from what is no number at all."""
    try:
        return "_" not in cell and math.isinf(float(cell))
    except ValueError:
        return False
