"""Read the needed columns of one file, in the format that its suffix names."""

from __future__ import annotations

import stat
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from adjudge.errors import FileError, visible
from adjudge.io.column_choice import ARRAYS, COLUMNS, Asked, Cells, Choose, Columns, Rule, choose
from adjudge.io.formats.arrow_files import read_feather, read_parquet
from adjudge.io.formats.csv_text import read_csv
from adjudge.io.formats.json_lines import read_json_lines, read_json_records
from adjudge.io.formats.numpy_files import read_npy, read_npz
from adjudge.io.text_files import PACKINGS, unpacked, without_packing

if TYPE_CHECKING:
    from numpy.typing import NDArray

Reader = Callable[[BinaryIO, str, Choose, Cells], tuple[Columns, dict[str, Any]]]

_READERS: dict[str, tuple[Reader, Rule]] = {
    ".csv": (read_csv, COLUMNS),
    ".tsv": (partial(read_csv, delimiter="\t"), COLUMNS),
    ".txt": (read_csv, COLUMNS),
    ".jsonl": (read_json_lines, COLUMNS),
    ".ndjson": (read_json_lines, COLUMNS),
    ".json": (read_json_records, COLUMNS),
    ".parquet": (read_parquet, COLUMNS),
    ".feather": (read_feather, COLUMNS),
    ".arrow": (read_feather, COLUMNS),
    ".npy": (read_npy, COLUMNS),
    ".npz": (read_npz, ARRAYS),
}
_DELIMITED = (".csv", ".tsv", ".txt")
_TEXTS = (*_DELIMITED, ".json", ".jsonl", ".ndjson")
_SHEET = "a spreadsheet is not read; save the sheet as CSV, or in Python pandas.read_excel(...)"
_PICKLE = "a pickle can run code, so it is never read; save the arrays with np.savez or as Parquet"
_OTHERS = dict.fromkeys((".xlsx", ".xls", ".ods"), _SHEET)
_OTHERS |= dict.fromkeys((".pkl", ".pickle", ".joblib", ".pt"), _PICKLE)
SUFFIXES = tuple(_READERS)
IN_FOLDERS = tuple(suffix for suffix in SUFFIXES if suffix != ".json")
"""What is a series among the files of a folder; other things than records are kept as .json."""


@dataclass(frozen=True, eq=False)
class Part:
    """What was read of one file."""

    file: str
    name: str
    columns: Columns
    arrays: dict[str, Any]
    rows: int

    def taken(self, rows: NDArray[np.int64]) -> Part:
        """Some of the rows, in this order."""
        arrays = {name: taken(values, rows) for name, values in self.arrays.items()}
        return Part(self.file, self.name, self.columns, arrays, len(rows))


def taken(values: Any, rows: NDArray[np.int64]) -> Any:
    """Some rows of a column, in this order; times with a zone are Arrow's."""
    return values[rows] if isinstance(values, np.ndarray) else values.take(rows)


def is_delimited(path: str) -> bool:
    """Tell a text of cells with something between them; JSON and binary files have nothing there.

    >>> is_delimited("a.csv.gz"), is_delimited("-"), is_delimited("a.jsonl"), is_delimited("a.npz")
    (True, True, False, False)
    """
    return path == "-" or Path(without_packing(path)).suffix.lower() in _DELIMITED


def read_part(path: str, asked: Asked, style: Cells) -> Part:
    """Read the needed columns of one file."""
    if path == "-":
        if sys.stdin is None:
            raise FileError("standard input is closed; name a file, or write | before adjudge")
        return _read_part(read_csv, sys.stdin.buffer, replace(asked, file="standard input"), style)
    file = visible(path) or "''"
    try:
        _check_file(path, file)
        reader, rule = _reader(path, file)
        asked = replace(asked, file=file, rule=rule)
        with Path(path).open("rb") as stream:
            found = _read_part(reader, unpacked(stream, path, file), asked, style)
            return replace(found, name=Path(path).name)
    except OSError as error:
        reason = shorten(error.strerror or str(error), 160)
        raise FileError(f"{file}: cannot be read: {reason[:1].lower()}{reason[1:]}") from error


def _check_file(path: str, file: str) -> None:
    """Refuse what is not a file with something in it."""
    try:
        status = Path(path).stat()
    except ValueError as error:
        raise FileError(f"{file}: not a path: {error}") from error
    if stat.S_ISDIR(status.st_mode):
        raise FileError(f"{file}: must be a file, got a directory")
    if not stat.S_ISREG(status.st_mode):
        raise FileError(f"{file}: must be a regular file; CSV can be piped to '-'")
    if status.st_size == 0:
        raise FileError(f"{file}: the file is empty")


def _reader(path: str, file: str) -> tuple[Reader, Rule]:
    """Choose the format by the suffix."""
    plain = without_packing(path)
    suffix = Path(plain).suffix.lower()
    if suffix in _OTHERS:
        raise FileError(f"{file}: {_OTHERS[suffix]}")
    known = _READERS if plain == path else _TEXTS
    if suffix not in known:
        packed = "" if plain == path else f" before {Path(path).suffix}"
        raise FileError(
            f"{file}: the suffix{packed} must be one of {', '.join(known)}"
            f"{'' if packed else ' (text also packed: ' + ', '.join(PACKINGS) + ')'}, "
            f"got {suffix!r}"
        )
    return _READERS[suffix]


def _read_part(reader: Reader, stream: BinaryIO, asked: Asked, style: Cells) -> Part:
    """Read one stream and check that its columns are equally long."""
    columns, arrays = reader(stream, asked.file, partial(choose, asked), style)
    rows = len(arrays[columns.needed[0]])
    if rows == 0:
        raise FileError(f"{asked.file}: there must be at least one row, got none")
    first = columns.needed[0]
    known = arrays.get(columns.known_time or "")
    if known is None or len(known) != rows:  # which nobody asked for
        arrays.pop(columns.known_time or "", None)
        columns = replace(columns, known_time=None)
    for column, values in arrays.items():
        if len(values) != rows:
            what = "the labels" if first == columns.label else repr(first)
            raise FileError(
                f"{asked.file}: {asked.rule.word} {column!r} must be as long as {what} "
                f"({rows:,}), got {len(values):,}"
            )
    return Part(asked.file, Path(asked.file).name, columns, arrays, rows)
