"""Read changes and alarms that are positions: tables with one column of whole numbers.

The column is called ``position``, ``index``, ``iloc`` or ``changepoint``. Alarms may stand twice at
one position and are then two; a change of the truth stands once.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.data.changes import Changes
from adjudge.errors import FileError, InputError, UnknownName
from adjudge.io.column_choice import COLUMNS, Cells, RequestedColumns
from adjudge.io.formats import read_part
from adjudge.io.labels_and_scores import LabelledScores
from adjudge.io.text_files import without_packing

if TYPE_CHECKING:
    from collections.abc import Sequence

NAMES = ("position", "index", "iloc", "changepoint")


def read_positions(
    truth: str, alerts: Sequence[str], length: int, *, sep: str | None = None
) -> LabelledScores:
    """Read where changes and alarms were, among so many points.

    Parameters
    ----------
    truth
        The file of changes.
    alerts
        The files of alarms: one detector each, called as its file.
    length
        Number of points.
    sep
        What parts the cells of a text.

    Returns
    -------
    LabelledScores
        ``labels`` are `Changes`, and so are the ``scores`` of each detector.
    """
    names = [Path(without_packing(Path(path).name)).stem for path in alerts]
    if len(set(names)) < len(names):
        raise FileError(f"{alerts[-1]}: two files of alerts have one name; rename one")
    changes, *found = (_changes(path, length, sep) for path in (truth, *alerts))
    parts = [f"{len(changes):,} changes and {sum(map(len, found)):,} alarms on {length:,} points"]
    twice = sum(len(one) - np.unique(one.positions).size for one in found)
    if twice:
        parts.append(f"{twice:,} of them where another stands")
    scores: dict[str, Any] = dict(zip(names, found, strict=True))
    labels: Any = changes
    name = Path(truth).name
    return LabelledScores(labels, scores, None, None, name, summary=", ".join(parts))


def _changes(path: str, length: int, sep: str | None) -> Changes:
    """Read the positions of a file."""
    for name in NAMES:
        requested = RequestedColumns(
            "", COLUMNS, scores=("",), keys=(name,), labelled=False, scored=False
        )
        try:
            part = read_part(path, requested, Cells(sep))
        except UnknownName:
            continue
        try:
            return Changes([_whole(cell) for cell in part.arrays[name].tolist()], length)
        except InputError as error:
            raise FileError(f"{part.file}: {error}") from error
    raise FileError(f"{path}: must have a column {', '.join(NAMES[:-1])} or {NAMES[-1]}")


def _whole(cell: Any) -> Any:
    """A whole number that a file wrote as text or as a decimal; all else as it is."""
    try:
        value = float(cell)
    except ValueError:
        return cell
    return int(value) if value.is_integer() else value


def read_states(path: str, column: str, sep: str | None = None) -> Any:
    """Read a column of names or numbers, one per point, as they are written."""
    requested = RequestedColumns(
        "", COLUMNS, scores=("",), keys=(column,), labelled=False, scored=False
    )
    return read_part(path, requested, Cells(sep)).arrays[column]
