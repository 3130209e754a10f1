"""Read the needed columns of one file, in the format that its suffix names."""

from __future__ import annotations

import stat
import sys
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from adjudge.errors import FileError, visible
from adjudge.io.column_choice import Cells, ChosenColumns, FileFormat, RequestedColumns, choose
from adjudge.io.formats import arrow_files, csv_text, json_lines, numpy_files
from adjudge.io.text_files import PACKINGS, opened, unpacked, without_packing

if TYPE_CHECKING:
    from numpy.typing import NDArray

FORMATS = csv_text.FORMATS | json_lines.FORMATS | arrow_files.FORMATS | numpy_files.FORMATS
_SHEET = "a spreadsheet is not read; save the sheet as CSV, or in Python pandas.read_excel(...)"
_PICKLE = "a pickle can run code, so it is never read; save the arrays with np.savez or as Parquet"
_OTHERS = dict.fromkeys((".xlsx", ".xls", ".ods"), _SHEET)
_OTHERS |= dict.fromkeys((".pkl", ".pickle", ".joblib", ".pt"), _PICKLE)
SUFFIXES = tuple(FORMATS)
IN_FOLDERS = tuple(suffix for suffix, form in FORMATS.items() if form.in_folders)
"""What is a series among the files of a folder."""


@dataclass(frozen=True, eq=False)
class ReadColumns:
    """What was read of one file."""

    file: str
    name: str
    columns: ChosenColumns
    arrays: dict[str, Any]
    rows: int

    def taken(self, rows: NDArray[np.int64]) -> ReadColumns:
        """Some of the rows, in this order."""
        arrays = {name: taken(values, rows) for name, values in self.arrays.items()}
        return ReadColumns(self.file, self.name, self.columns, arrays, len(rows))


def taken(values: Any, rows: NDArray[np.int64]) -> Any:
    """Some rows of a column, in this order; times with a zone are Arrow's."""
    return values[rows] if isinstance(values, np.ndarray) else values.take(rows)


def is_delimited(path: str) -> bool:
    """Tell a text of cells with something between them; JSON and binary files have nothing there.

    >>> is_delimited("a.csv.gz"), is_delimited("-"), is_delimited("a.jsonl"), is_delimited("a.npz")
    (True, True, False, False)
    """
    form = FORMATS.get(Path(without_packing(path)).suffix.lower())
    return path == "-" or (form is not None and form.delimited)


def read_part(path: str, requested: RequestedColumns, style: Cells) -> ReadColumns:
    """Read the needed columns of one file."""
    if path == "-":
        if sys.stdin is None:
            raise FileError("standard input is closed; name a file, or pipe into adjudge")
        return _read_part(
            FORMATS[".csv"], sys.stdin.buffer, replace(requested, file="standard input"), style
        )
    file = visible(path) or "''"
    try:
        _check_file(path, file)
        form = _format(path, file)
        requested = replace(requested, file=file, rule=form.rule)
        with opened(path) as stream:
            found = _read_part(form, unpacked(stream, path, file), requested, style)
            return replace(found, name=Path(path).name)
    except OSError as error:
        reason = shorten(error.strerror or str(error), 160)
        raise FileError(
            f"{file}: cannot be read: {reason[:1].lower()}{reason[1:]}{_name_hint(path)}"
        ) from error


def _name_hint(path: str) -> str:
    """What to do with a name that is no file: an address, or a pattern that no shell expanded."""
    if "://" in path:
        return "; download it first, or pipe it: curl -s URL | adjudge evaluate -"
    return "; the shell expands patterns: remove the quotes" if "*" in path else ""


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


def _format(path: str, file: str) -> FileFormat:
    """Choose the format by the suffix."""
    plain = without_packing(path)
    suffix = Path(plain).suffix.lower()
    if suffix in _OTHERS:
        raise FileError(f"{file}: {_OTHERS[suffix]}")
    known = [one for one, form in FORMATS.items() if form.text or plain == path]
    if suffix not in known:
        packed = "" if plain == path else f" before {Path(path).suffix}"
        raise FileError(
            f"{file}: the suffix{packed} must be one of {', '.join(known)}"
            f"{'' if packed else ' (text also packed: ' + ', '.join(PACKINGS) + ')'}, "
            f"got {suffix!r}"
        )
    return FORMATS[suffix]


def _read_part(
    form: FileFormat, stream: BinaryIO, requested: RequestedColumns, style: Cells
) -> ReadColumns:
    """Read one stream and check that its columns are equally long."""
    columns, arrays = form.read(stream, requested.file, partial(choose, requested), style)
    rows = len(arrays[columns.needed[0]])
    style.refuse_more(rows, requested.file)
    if rows == 0:
        raise FileError(f"{requested.file}: there must be at least one row, got none")
    first = columns.needed[0]
    known = arrays.get(columns.known_time or "")
    if known is None or len(known) != rows:  # which nobody asked for
        arrays.pop(columns.known_time or "", None)
        columns = replace(columns, known_time=None)
    for column, values in arrays.items():
        if len(values) != rows:
            what = "the labels" if first == columns.label else repr(first)
            raise FileError(
                f"{requested.file}: {requested.rule.word} {column!r} must be as long as {what} "
                f"({rows:,}), got {len(values):,}"
            )
    return ReadColumns(requested.file, Path(requested.file).name, columns, arrays, rows)
