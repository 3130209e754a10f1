"""Read a file of labels and scores: CSV, TSV, Parquet, NumPy.

A table has one row per point in time: a label column, one score column per detector, and
optionally a column of series ids and a mask of the rows to judge. Which column is which follows
one rule, and nothing else is guessed:

- the label is the column called ``label``, ``Label``, ``labels`` or ``is_anomaly``;
- the scores are ``score`` and every column whose name starts with ``score_``;
- in an ``.npz`` archive the arrays are called ``labels`` and ``scores``;
- any of them can be named instead, and series ids and mask always are.

A detector is called what its column is called. Values are given as they stand: whether labels are
0 or 1 and scores are finite is for the judging to say. Only the mask is turned into booleans here.
Every refusal is one line that begins with the file.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from textwrap import shorten
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from adjudge._text import visible
from adjudge.errors import FileError
from adjudge.io.column_choice import ARRAYS, COLUMNS, Asked, Choose, Columns, Rule, choose
from adjudge.io.csv_text import read_csv
from adjudge.io.numpy_files import read_npy, read_npz
from adjudge.io.parquet_files import read_parquet


@dataclass(frozen=True, eq=False)
class Table:
    """What a file holds, by role.

    Attributes
    ----------
    labels
        One label per row.
    scores
        One array per detector, in the order of the columns.
    series
        The id of each row's series: whole numbers, or objects of type ``str``; None if not asked.
    where
        True for each row to judge; None if not asked.
    name
        The file's own name, without its folder.
    """

    labels: NDArray[Any]
    scores: dict[str, NDArray[Any]]
    series: NDArray[Any] | None
    where: NDArray[Any] | None
    name: str


Reader = Callable[[BinaryIO, str, Choose], tuple[Columns, dict[str, NDArray[Any]]]]

_READERS: dict[str, tuple[Reader, Rule]] = {
    ".csv": (read_csv, COLUMNS),
    ".tsv": (partial(read_csv, delimiter="\t"), COLUMNS),
    ".txt": (read_csv, COLUMNS),
    ".parquet": (read_parquet, COLUMNS),
    ".npy": (read_npy, COLUMNS),
    ".npz": (read_npz, ARRAYS),
}


def read(
    source: str | os.PathLike[str],
    *,
    label: str | None = None,
    scores: str | Iterable[str] = (),
    series: str | None = None,
    where: str | None = None,
) -> Table:
    """Read the labels and scores of a file.

    Parameters
    ----------
    source
        A path ending in .csv, .tsv, .txt, .parquet, .npy or .npz, or ``"-"`` for CSV text on
        standard input.
    label
        The label column, if not one of the usual names.
    scores
        The score columns, if not the usual names.
    series, where
        The columns of series ids and of the mask of rows to judge, if any.

    Returns
    -------
    Table
        Columns of one length, at least one row.

    Raises
    ------
    FileError
        If the file cannot be read as it is.
    UnknownName
        If a column asked for is not there.
    MissingExtra
        If the file is Parquet and pyarrow is not installed.
    """
    path = os.fspath(source)
    names = (scores,) if isinstance(scores, str) else tuple(scores)
    if path == "-":
        asked = Asked("standard input", COLUMNS, label, names, series, where)
        return _table(read_csv, sys.stdin.buffer, asked, asked.file)
    file = visible(path) or "''"
    try:
        _check_file(path, file)
        reader, rule = _reader(path, file)
        asked = Asked(file, rule, label, names, series, where)
        with Path(path).open("rb") as stream:
            return _table(reader, stream, asked, Path(path).name)
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
    suffix = Path(path).suffix.lower()
    if suffix not in _READERS:
        raise FileError(f"{file}: the suffix must be one of {', '.join(_READERS)}, got {suffix!r}")
    return _READERS[suffix]


def _table(reader: Reader, stream: BinaryIO, asked: Asked, name: str) -> Table:
    """Read one stream and put its columns in their roles."""
    columns, arrays = reader(stream, asked.file, partial(choose, asked))
    rows = len(arrays[columns.label])
    if rows == 0:
        raise FileError(f"{asked.file}: there must be at least one row, got none")
    for column, values in arrays.items():
        if len(values) != rows:
            raise FileError(
                f"{asked.file}: {asked.rule.word} {column!r} must be as long as the labels "
                f"({rows:,}), got {len(values):,}"
            )
    return Table(
        labels=arrays[columns.label],
        scores={score: arrays[score] for score in columns.scores},
        series=None if columns.series is None else arrays[columns.series],
        where=None if columns.where is None else _mask(arrays[columns.where], asked),
        name=name,
    )


def _mask(values: NDArray[Any], asked: Asked) -> NDArray[np.bool_]:
    """Turn a mask column into booleans."""
    wrong = np.flatnonzero((values != 0) & (values != 1))
    if wrong.size:
        raise FileError(
            f"{asked.file}: {asked.rule.word} {asked.where!r} must be 0 or 1, got "
            f"{values[wrong[0]]} at row {wrong[0]} ({wrong.size:,} in all, rows counted from 0)"
        )
    mask: NDArray[np.bool_] = values == 1
    return mask
