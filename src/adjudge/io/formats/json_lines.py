"""Read JSON Lines, one object per line, or a JSON list of objects; their keys are the columns.

The keys of the first object are the columns; every object must have those that are needed. Numbers
and booleans are values, ``null`` is a missing one, and text is for series ids and times. ``NaN``
and ``Infinity`` are read as Python writes them.
"""

from __future__ import annotations

import json
import reprlib
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from adjudge.errors import FileError
from adjudge.io.column_choice import RANKS, WORD_HINT, FileFormat, gap_hint, is_rounded
from adjudge.io.text_files import Lines, broken

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from adjudge.io.column_choice import Cells, Choose, ChosenColumns, Kind, ReadValues

CHUNK = 10_000  # objects between two conversions


def read_json_lines(stream: BinaryIO, file: str, choose: Choose, style: Cells) -> ReadValues:
    """Read the chosen columns of a text of JSON objects."""
    return _columns(_records(Lines(stream, file)), file, choose, style)


def read_json_records(stream: BinaryIO, file: str, choose: Choose, style: Cells) -> ReadValues:
    """Read the chosen columns of a JSON list of objects, as `read_json_lines` does."""
    with broken(f"{file}: not JSON"):
        records = json.loads(stream.read().decode("utf-8-sig"))
    if not isinstance(records, list):
        raise FileError(f"{file}: must be a list of objects, got {_shown(records)}")
    return _columns(_listed(records, file), file, choose, style)


def _listed(records: list[Any], file: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for number, record in enumerate(records):
        if not isinstance(record, dict):
            raise FileError(f"{file}: record {number}: must be an object, got {_shown(record)}")
        yield f"record {number}", record


def _columns(
    records: Iterator[tuple[str, dict[str, Any]]], file: str, choose: Choose, style: Cells
) -> ReadValues:
    """Read the chosen columns of objects, each with its place in the file."""
    first = next(records, None)
    if first is None:
        raise FileError(f"{file}: the file is empty")
    columns = choose(list(first[1]))
    parts: dict[str, list[NDArray[Any]]] = {name: [] for name in columns.seen}
    rows = [first]
    for count, record in enumerate(records, 2):
        style.refuse_more(count, file, known=False)
        rows.append(record)
        if len(rows) == CHUNK:
            _convert(rows, columns, parts, style, file)
            rows = []
    if rows:
        _convert(rows, columns, parts, style, file)
    return columns, {name: np.concatenate(part) for name, part in parts.items()}


def _records(lines: Lines) -> Iterator[tuple[str, dict[str, Any]]]:
    """One object after another, with its line; blank lines are passed over."""
    for line in lines:
        if line.strip():
            try:
                record = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise FileError(f"{lines.file}: line {lines.number}: not JSON: {error}") from error
            if not isinstance(record, dict):
                got = reprlib.repr(record)
                raise FileError(f"{lines.file}: line {lines.number}: must be an object, got {got}")
            yield f"line {lines.number}", record
        lines.ended()


def _convert(
    rows: Sequence[tuple[str, dict[str, Any]]],
    columns: ChosenColumns,
    parts: dict[str, list[NDArray[Any]]],
    style: Cells,
    file: str,
) -> None:
    """Turn the needed values of some objects into arrays."""
    for name, part in parts.items():
        kind = columns.kind(name)
        column = []
        for place, record in rows:
            value = record.get(name)
            if value is None and columns.may_lack(name, gaps=style.gaps):
                value = "" if kind == "id" else np.nan
            if value == "" and kind == "id" and columns.may_lack(name, gaps=style.gaps):
                column.append(value)
                continue
            if kind != "seen" and (problem := _problem(record, name, value, kind)):
                raise FileError(f"{file}: {place}, key {name!r}: {problem}")
            column.append(value)
        part.append(_array(column, kind))


def _problem(record: dict[str, Any], name: str, value: object, kind: Kind) -> str:
    if name not in record:
        return "must be in every object"
    if value is None:
        return "null" + gap_hint(kind)
    if kind in {"id", "time"}:
        scalar = isinstance(value, (str, int, float))
        return "" if scalar and value != "" else f"must be text or a number, got {_shown(value)}"
    if not isinstance(value, (int, float)):
        hint = WORD_HINT * (kind == "truth")
        return f"not a number: {_shown(value)}{hint}"
    return "" if isinstance(value, float) else _whole_problem(value)


def _whole_problem(value: int) -> str:
    if abs(value) > 2**1023:
        return f"too large for a 64-bit float: {_shown(value)}"
    return f"no float64 is exactly {_shown(value)}; {RANKS}" if is_rounded(value) else ""


def _array(column: list[Any], kind: Kind) -> NDArray[Any]:
    if kind in {"number", "truth"}:
        return np.fromiter(map(float, column), np.float64, len(column))
    array = np.empty(len(column), object)
    array[:] = column
    return array


def _shown(value: object) -> str:
    return reprlib.repr(value)


_LINES = FileFormat(read_json_lines, text=True)
FORMATS = {
    ".jsonl": _LINES,
    ".ndjson": _LINES,
    # other things than records are kept as .json too
    ".json": FileFormat(read_json_records, text=True, in_folders=False),
}
