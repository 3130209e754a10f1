"""Read CSV text: one header, one record per row, numbers exact.

Cells may be quoted and a quoted cell may hold line breaks. Blank lines may only stand at the end.
Column names lose the blanks around them; cells of columns that nobody asked for are never looked
at.

Memory follows the numbers kept and not the text: records are read one at a time, and text is
turned into numbers after every megabyte of it.
"""

from __future__ import annotations

import csv
import reprlib
from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from adjudge.errors import FileError
from adjudge.io.column_choice import Cells, Format, first_problem, values
from adjudge.io.text_files import UNCLOSED, Lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from adjudge.io.column_choice import Choose, ReadValues

MAX_COLUMNS = 10_000
CHUNK = 2**20  # bytes of records between two conversions


def read_csv(
    stream: BinaryIO, file: str, choose: Choose, style: Cells, delimiter: str = ","
) -> ReadValues:
    """Read the chosen columns of a CSV text: float64, or objects of type ``str`` (ids and times).

    The delimiter is what stands between two cells, if the style does not say.
    """
    delimiter = style.sep or delimiter
    if delimiter == style.decimal:
        raise FileError(
            f"{file}: {delimiter!r} cannot both part the cells and be the decimal mark; say what "
            "parts the cells, as in --sep ';'"
        )
    lines = Lines(stream, file)
    records = _records(lines, delimiter)
    header = _header(records, file, delimiter)
    columns = choose(header)
    parts: dict[str, list[NDArray[Any]]] = {name: [] for name in columns.seen}
    places = [header.index(name) for name in columns.seen]
    for numbers, cells in _chunks(records, lines, places, len(header)):
        for name, column in zip(columns.seen, cells, strict=True):
            gaps = columns.may_lack(name, gaps=style.gaps)
            found = values(column, columns.kind(name), style, gaps=gaps)
            if found is None:
                raise FileError(f"{file}: {first_problem(name, column, numbers, columns, style)}")
            parts[name].append(found)
    return columns, {name: np.concatenate(part or [np.empty(0)]) for name, part in parts.items()}


def _records(lines: Lines, delimiter: str) -> Iterator[list[str]]:
    """One record after another, as cells."""
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    try:
        for row in reader:
            yield row
            lines.ended()
    except csv.Error as error:
        raise FileError(_csv_problem(lines, str(error))) from error


def _csv_problem(lines: Lines, reason: str) -> str:
    """Word what the csv module refuses; a cell that outgrows its line is a quote that runs on."""
    problem = f"not valid CSV: {reason}"
    if reason.startswith("new-line"):
        problem = "a carriage return inside the line; lines must end in \\n or \\r\\n"
    elif reason == "unexpected end of data":
        problem = UNCLOSED
    elif reason.startswith("field larger"):
        problem = UNCLOSED if lines.number > lines.first else f"a cell is too long: {reason}"
    return f"{lines.file}: line {lines.first}: {problem}"


def _header(records: Iterator[list[str]], file: str, delimiter: str) -> list[str]:
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
    other = next((mark for mark in ";\t|," if mark in names[0]), None)
    if len(names) == 1 and other is not None:
        raise FileError(
            f"{file}: line 1: the separator {delimiter!r} must stand between columns, got one "
            f"{reprlib.repr(names[0])}; if it is {other!r}, say --sep {_spelt(other)}"
        )
    return names


def _spelt(mark: str) -> str:
    """Write a separator as a shell takes it."""
    return {"\t": "'\\t'"}.get(mark, f"'{mark}'")


def _chunks(
    records: Iterator[list[str]], lines: Lines, places: Sequence[int], width: int
) -> Iterator[tuple[list[int], list[tuple[str, ...]]]]:
    """The needed cells in pieces: the line numbers of the rows, and a tuple per column."""
    pick = itemgetter(*places) if len(places) > 1 else lambda row: (row[places[0]],)
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


def _gap(row: list[str], gap: int, width: int, lines: Lines) -> int:
    """The line of the first blank line, or refuse a row after it or of another width."""
    if len(row) < 2 and not "".join(row).strip():
        return gap or lines.first
    if gap:
        raise FileError(f"{lines.file}: line {gap}: a blank line, with rows after it")
    raise FileError(
        f"{lines.file}: line {lines.first}: a row must have {width:,} cells like the header, "
        f"got {len(row):,}"
    )


_CSV = Format(read_csv, text=True, delimited=True)
FORMATS = {
    ".csv": _CSV,
    ".tsv": _CSV._replace(read=partial(read_csv, delimiter="\t")),
    ".txt": _CSV,
}
