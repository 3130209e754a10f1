"""Read JSON Lines: one object per line, its keys the columns.

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
from adjudge.io.text_files import Lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from adjudge.io.column_choice import Cells, Choose, Columns, Kind

CHUNK = 10_000  # objects between two conversions


def read_json_lines(
    stream: BinaryIO, file: str, choose: Choose, style: Cells
) -> tuple[Columns, dict[str, NDArray[Any]]]:
    """Read the chosen columns of a text of JSON objects.

    Parameters
    ----------
    stream
        The bytes of the text.
    file
        What messages call the text.
    choose
        Picks the columns from the keys of the first object.
    style
        Whether a score may be missing.

    Returns
    -------
    tuple
        The columns chosen, and their values by name.

    Raises
    ------
    FileError
        If a line is no such object, naming the line.
    """
    lines = Lines(stream, file)
    records = _records(lines)
    first = next(records, None)
    if first is None:
        raise FileError(f"{file}: the file is empty")
    columns = choose(list(first))
    parts: dict[str, list[NDArray[Any]]] = {name: [] for name in columns.seen}
    rows, numbers = [first], [1]
    for record in records:
        rows.append(record)
        numbers.append(lines.number)
        if len(rows) == CHUNK:
            _convert(rows, numbers, columns, parts, style, file)
            rows, numbers = [], []
    if rows:
        _convert(rows, numbers, columns, parts, style, file)
    return columns, {name: np.concatenate(part) for name, part in parts.items()}


def _records(lines: Lines) -> Iterator[dict[str, Any]]:
    """One object after another; blank lines are passed over."""
    for line in lines:
        if line.strip():
            try:
                record = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise FileError(f"{lines.file}: line {lines.number}: not JSON: {error}") from error
            if not isinstance(record, dict):
                got = reprlib.repr(record)
                raise FileError(f"{lines.file}: line {lines.number}: must be an object, got {got}")
            yield record
        lines.ended()


def _convert(
    rows: Sequence[dict[str, Any]],
    numbers: Sequence[int],
    columns: Columns,
    parts: dict[str, list[NDArray[Any]]],
    style: Cells,
    file: str,
) -> None:
    """Turn the needed values of some objects into arrays."""
    for name, part in parts.items():
        kind = columns.kind(name)
        column = []
        for record, number in zip(rows, numbers, strict=True):
            value = record.get(name)
            if kind == "number" and style.gaps and value is None:
                value = np.nan
            if kind != "seen" and (fault := _fault(record, name, value, kind)):
                raise FileError(f"{file}: line {number}, key {name!r}: {fault}")
            column.append(value)
        part.append(_array(column, kind))


def _fault(record: dict[str, Any], name: str, value: object, kind: Kind) -> str:
    if name not in record:
        return "must be in every object"
    if value is None:
        return "null" + "; --missing skip leaves such rows out" * (kind == "number")
    if kind in {"id", "time"}:
        scalar = isinstance(value, (str, int, float))
        return "" if scalar and value != "" else f"must be text or a number, got {_shown(value)}"
    if not isinstance(value, (int, float)):
        hint = "; --positive says which label is an anomaly" * (kind == "truth")
        return f"not a number: {_shown(value)}{hint}"
    if isinstance(value, int) and abs(value) > 2**1023:
        return f"too large for a 64-bit float: {_shown(value)}"
    return ""


def _array(column: list[Any], kind: Kind) -> NDArray[Any]:
    if kind in {"number", "truth"}:
        return np.fromiter(map(float, column), np.float64, len(column))
    array = np.empty(len(column), object)
    array[:] = column
    return array


def _shown(value: object) -> str:
    return reprlib.repr(value)
