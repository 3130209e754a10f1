"""Read whole tables of text: every column, every cell as it stands, empty ones too.

CSV (also ``;`` and tabs, found by the header), JSON lists of objects and JSON Lines, Parquet and
Arrow. For small tables such as incidents and alerts; columns of numbers are read by
`adjudge.io.formats`.
"""

from __future__ import annotations

import csv
import json
from functools import reduce
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from adjudge.errors import FileError, MissingExtra, visible
from adjudge.io.text_files import Lines, broken, unpacked, without_packing

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_MARKS = (",", ";", "\t", "|")
MAX_BYTES = 2**28
"""A JSON text is read at once, and may be so long."""


class Records(NamedTuple):
    """A table, or a JSON value that may be one."""

    file: str
    name: str
    columns: dict[str, list[Any]]
    content: Any = None
    """The JSON value; None for a table of cells."""
    path: str = ""
    chosen: Mapping[str, str] = MappingProxyType({})
    """What was said of an export that leaves a choice: the role, and what to take for it."""


def read_records(path: str, sep: str | None = None) -> Records:
    """Read a table of text; a pattern such as ``part*.json`` is all files that it fits, joined."""
    if any(sign in path for sign in "*?[") and not Path(path).exists():
        found = sorted(map(str, Path(path).parent.glob(Path(path).name)))
        if not found:
            raise FileError(f"{visible(path)}: no file fits this pattern")
        return _joined([_read_one(one, sep) for one in found], path)
    return _read_one(path, sep)


def _joined(parts: list[Records], pattern: str) -> Records:
    names = dict.fromkeys(name for part in parts for name in part.columns)
    columns: dict[str, list[Any]] = {
        name: [value for part in parts for value in part.columns.get(name, [None] * _rows(part))]
        for name in names
    }
    content = reduce(_together, (part.content for part in parts))
    return Records(visible(pattern), f"{len(parts)} files {Path(pattern).name}", columns, content,
                   parts[0].path)  # fmt: skip


def _rows(part: Records) -> int:
    return max((len(values) for values in part.columns.values()), default=0)


def _together(one: Any, other: Any) -> Any:
    """Join JSON values: lists one after the other, objects key by key; of others the first holds.

    >>> _together({"a": [1], "b": {"c": [2]}, "d": 3}, {"a": [4], "b": {"c": [5]}, "d": 6})
    {'a': [1, 4], 'b': {'c': [2, 5]}, 'd': 3}
    """
    if isinstance(one, list) and isinstance(other, list):
        return [*one, *other]
    if isinstance(one, dict) and isinstance(other, dict):
        both = {name: _together(one[name], other[name]) for name in one if name in other}
        return {**other, **one, **both}
    return one


def _read_one(path: str, sep: str | None) -> Records:
    file = visible(path) or "''"
    plain = without_packing(path)
    suffix = Path(plain).suffix.lower()
    if suffix not in _READERS:
        known = ", ".join(_READERS)
        raise FileError(f"{file}: the suffix must be one of {known}, got {suffix!r}")
    try:
        with Path(path).open("rb") as stream:
            read = _READERS[suffix](unpacked(stream, path, file), file, Path(path).name, sep)
            return read._replace(path=path)
    except OSError as error:
        reason = error.strerror or str(error)
        raise FileError(f"{file}: cannot be read: {reason[:1].lower()}{reason[1:]}") from error


def _read_cells(stream: BinaryIO, file: str, name: str, sep: str | None) -> Records:
    lines = Lines(stream, file)
    texts = iter(lines)
    first = next(texts, None)
    if first is None:
        return Records(file, name, {}, [])
    mark = sep or _mark(first)
    rows: list[list[str]] = []
    reader = csv.reader(chain([first], texts), delimiter=mark, strict=True)
    try:
        for row in reader:
            rows.append(row)
            lines.ended()
    except csv.Error as error:
        raise FileError(f"{file}: line {lines.first}: not valid CSV: {error}") from error
    head = [cell.strip() for cell in rows[0]]
    body = [row for row in rows[1:] if any(cell.strip() for cell in row)]
    for number, row in enumerate(body, 1):
        if len(row) != len(head):
            raise FileError(
                f"{file}: row {number} must have {len(head)} cells like the header, got {len(row)}"
            )
    return Records(file, name, _columns(head, body, file))


def _mark(header: str) -> str:
    """What separates the cells: the mark that the header has most of."""
    return max(_MARKS, key=header.count)


def _columns(head: list[str], body: list[list[Any]], file: str) -> dict[str, list[Any]]:
    twice = next((name for name in head if head.count(name) > 1), None)
    if twice is not None:
        raise FileError(f"{file}: column {twice!r} must be unique, got {head.count(twice)}")
    return {name: [row[place] for row in body] for place, name in enumerate(head)}


def _read_json(stream: BinaryIO, file: str, name: str, sep: str | None) -> Records:
    del sep
    raw = stream.read(MAX_BYTES + 1)
    if len(raw) > MAX_BYTES:
        raise FileError(f"{file}: a JSON text must be at most {MAX_BYTES:,} bytes")
    with broken(f"{file}: not JSON"):
        content = json.loads(raw.decode("utf-8-sig").strip() or "[]")
    return Records(file, name, of_objects(content), content)


def _read_json_lines(stream: BinaryIO, file: str, name: str, sep: str | None) -> Records:
    del sep
    lines, content = Lines(stream, file), []
    for line in lines:
        lines.ended()
        if line.strip():
            with broken(f"{file}: line {lines.number}: not JSON"):
                content.append(json.loads(line))
    return Records(file, name, of_objects(content), content)


def of_objects(content: Any) -> dict[str, list[Any]]:
    """The columns of a list of objects; none of anything else. A key that is not there is None."""
    if not isinstance(content, list) or not all(isinstance(one, dict) for one in content):
        return {}
    names = dict.fromkeys(name for one in content for name in one)
    return {name: [one.get(name) for one in content] for name in names}


def _read_arrow(stream: BinaryIO, file: str, name: str, sep: str | None) -> Records:
    del sep
    try:
        from pyarrow import feather, parquet  # noqa: PLC0415 - an optional package
    except ImportError as error:
        raise MissingExtra("reading Parquet and Arrow", "pyarrow") from error
    is_parquet = Path(name).suffix.lower() == ".parquet"
    with broken(f"{file}: broken file"):
        table = parquet.read_table(stream) if is_parquet else feather.read_table(stream)
    return Records(file, name, {key: table[key].to_pylist() for key in table.column_names})


_READERS: dict[str, Callable[[BinaryIO, str, str, str | None], Records]] = {
    ".csv": _read_cells,
    ".tsv": _read_cells,
    ".txt": _read_cells,
    ".json": _read_json,
    ".jsonl": _read_json_lines,
    ".ndjson": _read_json_lines,
    ".parquet": _read_arrow,
    ".feather": _read_arrow,
    ".arrow": _read_arrow,
}
