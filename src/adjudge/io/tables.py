"""Read a file of labels and scores: CSV, JSON Lines, Parquet, Feather, NumPy.

A table has one row per point in time: a label column, one score column per detector, and
optionally columns of series ids, of time, and masks of rows. Which column is which follows one
rule, and nothing else is guessed:

- the label is the column called ``label``, ``Label``, ``labels`` or ``is_anomaly``;
- the scores are ``score``, ``Score``, ``scores``, ``anomaly_score`` and every column whose name
  starts with ``score_``;
- in an ``.npz`` archive the arrays are called ``labels`` and ``scores``;
- any of them can be named instead, and series ids, time and masks always are.

Labels and scores may lie in several files, which are then joined. A detector is called what its
column is called; of a joined file whose one score column has a usual name, what the file is called.
Values are given as they stand: whether labels are 0 or 1 and scores are finite is for the judging
to say. Every table says in one line how it was read, and every refusal is one line that begins
with the file.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.data.codings import coded
from adjudge.errors import FileError, InputError, UnknownName
from adjudge.io.cells import Cells
from adjudge.io.column_choice import COLUMNS, Asked
from adjudge.io.compressed import without_packing
from adjudge.io.join import matched
from adjudge.io.one_file import Part, read_part

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray


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
    time
        When each row was, as `adjudge.data.clock.Clock` reads it; None if not asked.
    train, tune_on
        True for each row that a threshold is learnt or tuned on; None if not asked.
    said
        How the file was read, in one line.
    """

    labels: NDArray[Any]
    scores: dict[str, NDArray[Any]]
    series: NDArray[Any] | None
    where: NDArray[Any] | None
    name: str
    time: Any = None
    train: NDArray[Any] | None = None
    tune_on: NDArray[Any] | None = None
    said: str = ""


def read(
    source: str | os.PathLike[str],
    *,
    label: str | None = None,
    scores: str | Iterable[str] = (),
    series: str | None = None,
    where: str | None = None,
    time: str | None = None,
    train: str | None = None,
    tune_on: str | None = None,
    positive: str | float | None = None,
    missing: str = "refuse",
    sep: str | None = None,
    decimal: str = ".",
    also: Iterable[str | os.PathLike[str]] = (),
    on: str | Iterable[str] = (),
    inner: bool = False,
) -> Table:
    """Read the labels and scores of a file, or of several that belong together.

    Parameters
    ----------
    source
        A path ending in .csv, .tsv, .txt, .jsonl (these also packed: .gz, .bz2, .xz, .zst),
        .parquet, .feather, .arrow, .npy or .npz, or ``"-"`` for CSV text on standard input.
    label
        The label column, if not one of the usual names.
    scores
        The score columns, if not the usual names; each may be a pattern such as ``det_*``.
    series, where, time, train, tune_on
        The columns of series ids, of the mask of rows to judge, of the time, and of the masks of
        rows that thresholds are learnt or tuned on, if any.
    positive
        The label that means an anomaly, where labels are not 0 and 1.
    missing
        "refuse" or "skip": whether scores may be missing, to be left out by the judging.
    sep, decimal
        How the cells of a text are parted, and its decimal mark.
    also
        Further files, with scores, to join to the first.
    on
        The columns to join by, in every file. Default: row by row.
    inner
        Leave out rows without a partner.

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
        If the file is Parquet, Feather, Arrow or .zst and pyarrow is not installed.
    """
    if missing not in {"refuse", "skip"}:
        raise InputError(f"missing must be 'refuse' or 'skip', got {missing!r}")
    style = Cells(sep, decimal, gaps=missing == "skip")
    names = (scores,) if isinstance(scores, str) else tuple(scores)
    keys, others = (on,) if isinstance(on, str) else tuple(on), [os.fspath(path) for path in also]
    asked = Asked("", COLUMNS, label, names, series, where, time, train, tune_on, keys)
    asked = replace(asked, coded=positive is not None, scored=not others)
    first = read_part(os.fspath(source), asked, style)
    if not others:
        return _table([first], positive)
    asked = Asked("", COLUMNS, None, names, keys=keys, labelled=False)
    parts, how = matched(first, [read_part(path, asked, style) for path in others], inner=inner)
    found = [name for part in parts for name in part.columns.scores]
    for name in names:
        if not any(name == one or fnmatchcase(one, name) for one in found):
            raise UnknownName("score column", name, found, f"no file has it; found {found}")
    return _table([parts[0], *map(_named, parts[1:])], positive, how)


def _named(part: Part) -> Part:
    """Name the detector of a joined file by the file, where its column only says "score"."""
    scores = part.columns.scores
    if len(scores) != 1 or scores[0] not in COLUMNS.scores:
        return part
    stem = Path(without_packing(part.name)).stem
    arrays = {stem: part.arrays[scores[0]]}
    return replace(part, columns=replace(part.columns, scores=(stem,)), arrays=arrays)


def _table(parts: list[Part], positive: object = None, how: str = "") -> Table:
    """Put the columns of one file, or of several matched ones, in their roles."""
    first = parts[0]
    columns, arrays = first.columns, first.arrays
    assert columns.label is not None  # noqa: S101 - the first file has the labels
    labels = arrays[columns.label]
    scores: dict[str, NDArray[Any]] = {}
    for part in parts:
        for score in part.columns.scores:
            if score in scores:
                raise FileError(f"{part.file}: detector {score!r} is there already; rename one")
            scores[score] = part.arrays[score]
    return Table(
        labels=labels if positive is None else coded(labels, positive),
        scores=scores,
        series=_role(first, columns.series),
        where=_mask(first, columns.where),
        name=first.name,
        time=_role(first, columns.time),
        train=_mask(first, columns.train),
        tune_on=_mask(first, columns.tune_on),
        said=_said(first, list(scores), how),
    )


def _role(part: Part, name: str | None) -> Any:
    return None if name is None else part.arrays[name]


def _said(part: Part, detectors: list[str], how: str) -> str:
    """Say in one line how a table was read."""
    columns = part.columns
    listed = f" ({', '.join(detectors)})" if len(detectors) <= 4 else ""
    said = [
        f"label column {columns.label}",
        f"{len(detectors)} detector{'s' * (len(detectors) != 1)}{listed}",
    ]
    for role in ("series", "where", "time", "train", "tune_on"):
        name = {**vars(columns)}[role]
        said += [f"{role.replace('_', '-')} column {name}"] if name is not None else []
    if columns.unused_time is not None:
        said.append(f"time column {columns.unused_time} unused")
    return ", ".join([*said, *([how] if how else []), f"{part.rows:,} rows"])


def _mask(part: Part, name: str | None) -> NDArray[np.bool_] | None:
    """Turn a mask column into booleans."""
    if name is None:
        return None
    values = part.arrays[name]
    wrong = np.flatnonzero((values != 0) & (values != 1))
    if wrong.size:
        raise FileError(
            f"{part.file}: column {name!r} must be 0 or 1, got "
            f"{values[wrong[0]]} at row {wrong[0]} ({wrong.size:,} in all, rows counted from 0)"
        )
    mask: NDArray[np.bool_] = values == 1
    return mask
