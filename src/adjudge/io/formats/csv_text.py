"""Read CSV text: one header, one record per row, numbers exact.

Cells may be quoted and a quoted cell may hold line breaks. Blank lines may only stand at the end.
Column names lose the blanks around them; cells of columns that nobody asked for are never looked
at.

Memory follows the numbers kept and not the text: records are read one at a time, and text is
turned into numbers after every megabyte of it.

A long text is read by pyarrow where that is installed, as far as there is no doubt about it: no
quote below the header, no NUL, ASCII only, every CR before an LF, no long line, and numbers that
are finite and that a float holds exactly. At the first doubt or error it is read again from
its beginning by the careful reader, which alone writes messages: so these are always the same.
"""

from __future__ import annotations

import csv
import io
import math
import reprlib
from contextlib import suppress
from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from adjudge.data.columns import EXACT
from adjudge.data.written_forms import EvenTexts
from adjudge.errors import FileError
from adjudge.io.column_choice import Cells, FileFormat, first_problem, values
from adjudge.io.text_files import UNCLOSED, Lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from adjudge.io.column_choice import Choose, ChosenColumns, ReadValues

MAX_COLUMNS = 10_000
CHUNK = 2**20  # bytes of records between two conversions
LONG = 2**20  # bytes from which on a text is worth the import of pyarrow
_BLOCK = 2**18
_LONGEST_LINE = 2**17  # where the csv module refuses a cell
_BLANK = 1000  # lines at the end


def read_csv(
    stream: BinaryIO, file: str, choose: Choose, style: Cells, delimiter: str = ","
) -> ReadValues:
    """Read the chosen columns of a CSV text: float64, or objects of type ``str`` (ids and times).

    The delimiter is what stands between two cells, if the style does not say.
    """
    delimiter = style.sep or delimiter
    quick = _read_by_arrow(stream, file, choose, style, delimiter)
    return quick or _read_carefully(stream, file, choose, style, delimiter)


def _read_carefully(
    stream: BinaryIO, file: str, choose: Choose, style: Cells, delimiter: str
) -> ReadValues:
    """Read record by record, and say what is wrong with which."""
    if delimiter == style.decimal:
        raise FileError(
            f"{file}: {delimiter!r} cannot be both separator and decimal mark; name the "
            "separator, as in --sep ';'"
        )
    lines = Lines(stream, file)
    records = _records(lines, delimiter)
    header = _header(records, file, delimiter)
    columns = choose(header)
    parts: dict[str, list[NDArray[Any]]] = {name: [] for name in columns.seen}
    places = [header.index(name) for name in columns.seen]
    limited = _limited(records, style, file)
    for numbers, cells in _chunks(limited, lines, places, len(header)):
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
            f"{file}: line 1: the separator {delimiter!r} must occur, got one column "
            f"{reprlib.repr(names[0])}; if it is {other!r}, say --sep {_spelt(other)}"
        )
    return names


def _spelt(mark: str) -> str:
    """Write a separator as a shell takes it."""
    return {"\t": "'\\t'"}.get(mark, f"'{mark}'")


def _limited(records: Iterator[list[str]], style: Cells, file: str) -> Iterator[list[str]]:
    """Read no more records than there may be rows, and a few blank lines after them."""
    for count, row in enumerate(records, 1):
        style.refuse_more(count if any(row) else count - _BLANK, file, known=False)
        yield row


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
        raise FileError(f"{lines.file}: line {gap}: a blank line, with rows after it; delete it")
    hint = "; quote cells that contain the separator" if len(row) > width else ""
    raise FileError(
        f"{lines.file}: line {lines.first}: a row must have {width:,} cells like the header, "
        f"got {len(row):,}{hint}"
    )


class _DoubtError(Exception):
    """The careful reader must look at this text."""


def _read_by_arrow(
    stream: BinaryIO, file: str, choose: Choose, style: Cells, delimiter: str
) -> ReadValues | None:
    """Read a long text about which there is no doubt; None: the careful reader must read it."""
    if not stream.seekable() or delimiter == style.decimal:
        return None
    begin = stream.tell()
    found = None
    with suppress(Exception):  # a doubt, or whatever pyarrow says: the careful reader tells
        stream.seek(begin + LONG)
        if stream.read(1):
            stream.seek(begin)
            found = _by_arrow(stream, file, choose, style, delimiter)
    if found is None:
        stream.seek(begin)
    return found


def _by_arrow(
    stream: BinaryIO, file: str, choose: Choose, style: Cells, delimiter: str
) -> ReadValues:
    import pyarrow as pa  # noqa: PLC0415 - only who has a long text pays for it
    from pyarrow import csv as arrow  # noqa: PLC0415

    lines = Lines(io.BytesIO(stream.readline(_LONGEST_LINE)), file)
    header = _header(_records(lines, delimiter), file, delimiter)
    columns = choose(header)
    if len(header) == 1 or columns.keys:
        raise _DoubtError
    places = {name: str(header.index(name)) for name in columns.seen}
    texts = {"id", "time", "seen"}
    kinds = {
        place: pa.string() if columns.kind(name) in texts else pa.float64()
        for name, place in places.items()
    }
    names = [str(place) for place in range(len(header))]
    table = arrow.read_csv(
        _Watched(stream, style.rows),
        arrow.ReadOptions(use_threads=False, block_size=_BLOCK, column_names=names),
        arrow.ParseOptions(delimiter=delimiter, quote_char=False, ignore_empty_lines=False),
        arrow.ConvertOptions(
            check_utf8=False, column_types=kinds, null_values=[""], strings_can_be_null=False,
            decimal_point=style.decimal, include_columns=list(kinds),
        ),
    )  # fmt: skip
    found = {}
    for name, place in places.items():
        found[name] = _column(table.column(place).combine_chunks(), name, columns, style)
        table = table.drop_columns([place])  # let go of it
    return columns, found


class _Watched(io.RawIOBase):
    """Passes bytes on as long as there is no doubt about them."""

    def __init__(self, stream: BinaryIO, rows: int | None = None) -> None:
        self.stream, self.last, self.line = stream, b"", 0
        self.left = math.inf if rows is None else rows + 1  # the last line may end, or not

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self.stream.read(len(buffer))
        if b'"' in data or b"\0" in data or not data.isascii():
            raise _DoubtError
        returns = self.last + data  # of carriage: each before the end of a line
        if b"\r" in returns:
            alone = returns.count(b"\r") - returns.count(b"\r\n")
            if alone > (bool(data) and returns.endswith(b"\r")):
                raise _DoubtError
        self._measure(data)
        self.left -= data.count(b"\n")
        if self.left < 0:
            raise _DoubtError
        self.last = data[-1:] if data.endswith(b"\r") else b""
        buffer[: len(data)] = data
        return len(data)

    def _measure(self, data: bytes) -> None:
        """Doubt a line that is too long to be one; blocks are no longer than such a line."""
        for begin in range(0, len(data), _LONGEST_LINE):
            piece = data[begin : begin + _LONGEST_LINE]
            first = piece.find(b"\n")
            self.line += len(piece) if first < 0 else first
            if self.line >= _LONGEST_LINE:
                raise _DoubtError
            self.line = self.line if first < 0 else len(piece) - 1 - piece.rfind(b"\n")


def _column(column: Any, name: str, columns: ChosenColumns, style: Cells) -> Any:
    """The values of a column that pyarrow has read, as the careful reader gives them."""
    kind = columns.kind(name)
    if kind == "id":
        coded = column.dictionary_encode()
        names = np.array(coded.dictionary.to_pylist(), object)
        if not columns.may_lack(name, gaps=style.gaps) and not all(map(str.strip, names)):
            raise _DoubtError
        return names[_in_memory(coded.indices, np.int32)]
    if kind in {"time", "seen"}:
        return _texts(column, blank=kind == "seen")
    found = _in_memory(column, np.float64)
    if column.null_count:
        if not columns.may_lack(name, gaps=style.gaps):
            raise _DoubtError
        there = np.unpackbits(np.frombuffer(column.buffers()[0], np.uint8), bitorder="little")
        found = np.where(there[column.offset :][: len(column)], found, np.nan)
    if np.count_nonzero(np.abs(found) < EXACT) + column.null_count != found.size:
        raise _DoubtError  # nan, infinity, or too large to be sure of
    return found


def _texts(column: Any, *, blank: bool) -> Any:
    """Text as bytes where it is of one length, as whole numbers where it is such, else as text."""
    import pyarrow as pa  # noqa: PLC0415

    ends = np.frombuffer(column.buffers()[1], np.int32)[column.offset :][: len(column) + 1]
    width = int(ends[1] - ends[0])
    if width and np.all(np.diff(ends) == width):
        texts = EvenTexts(np.frombuffer(column.buffers()[2], f"S{width}", len(column), ends[0]))
        if not blank and np.any(texts.letters.max(axis=1) <= ord(" ")):
            raise _DoubtError
        return texts
    with suppress(pa.ArrowInvalid):
        whole = column.cast(pa.int64())
        if whole.cast(pa.string()).equals(column):
            return _in_memory(whole, np.int64)
    listed = column.to_pylist()
    if not blank and not all(map(str.strip, listed)):
        raise _DoubtError
    return np.array(listed, object)


def _in_memory(column: Any, kind: type) -> NDArray[Any]:
    """The numbers where they lie; pyarrow's own way there would import pandas."""
    return np.frombuffer(column.buffers()[1], kind)[column.offset :][: len(column)]


_CSV = FileFormat(read_csv, text=True, delimited=True)
FORMATS = {
    ".csv": _CSV,
    ".tsv": _CSV._replace(read=partial(read_csv, delimiter="\t")),
    ".txt": _CSV,
}
