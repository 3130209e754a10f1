"""One long table: a row per series, detector and point, with its label and score.

The columns are called ``series``, ``detector``, ``label`` and ``score``, and ``time`` (or
``timestamp``, ``date``) where there is one. The rows of a detector may stand anywhere: with a time
they are put in its order, without one they keep their own. Every detector must have the same points
and the same labels.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.errors import FileError, UnknownName
from adjudge.io.column_choice import COLUMNS, Cells, RequestedColumns
from adjudge.io.formats import SUFFIXES, ReadColumns, read_part
from adjudge.io.labels_and_scores import recorded
from adjudge.io.layouts.contract import BenchmarkLayout, StoredSeries, layout, table
from adjudge.io.text_files import without_packing

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from adjudge.io.labels_and_scores import LabelledScores


@layout(
    "long table",
    "columns `series`, `detector`, `label`, `score`, and a time if there is one",
    "in the table",
    last=True,
)
def find(path: Path, _scores: Path | None, _judged: str | None) -> BenchmarkLayout | None:
    """Recognise a file that has the columns ``series`` and ``detector``."""
    if not path.is_file() or Path(without_packing(path.name)).suffix not in SUFFIXES:
        return None
    requested = RequestedColumns("", COLUMNS, keys=("series", "detector"))
    try:
        rows = read_part(str(path), requested, Cells())
    except UnknownName:
        return None
    names = np.array([str(name) for name in rows.arrays["series"].tolist()])
    series = tuple(
        StoredSeries(name, "", partial(_load, rows, name, np.flatnonzero(names == name)))
        for name in dict.fromkeys(names.tolist())
    )
    return BenchmarkLayout(f"columns {', '.join(rows.columns.seen)}", series)


def _load(rows: ReadColumns, name: str, places: NDArray[np.int64]) -> LabelledScores:
    taken = rows.taken(places)
    if len(taken.columns.scores) != 1:
        raise FileError(f"{rows.file}: there must be one score column")
    label, score = str(taken.columns.label), taken.columns.scores[0]
    detectors = np.array([str(value) for value in taken.arrays["detector"].tolist()])
    columns: dict[str, NDArray[Any]] = {}
    first: tuple[str, NDArray[Any], NDArray[Any]] | None = None
    for detector in dict.fromkeys(detectors.tolist()):
        own, points = _ordered(taken.taken(np.flatnonzero(detectors == detector)))
        labels = own.arrays[label]
        if first is None:
            first = detector, points, labels
        elif not np.array_equal(first[1], points):
            raise FileError(_differ(rows, name, detector, first[0], "points"))
        elif not np.array_equal(first[2], labels):
            raise FileError(_differ(rows, name, detector, first[0], "labels"))
        columns[detector] = own.arrays[score]
    assert first is not None  # noqa: S101 - a series has rows
    return table(name, first[2], columns)


def _ordered(own: ReadColumns) -> tuple[ReadColumns, NDArray[Any]]:
    """The rows of one detector in the order of time, and what tells its points apart."""
    known = recorded(own)
    if not known:
        return own, np.arange(own.rows)
    own = own.taken(known[0].order())
    return own, recorded(own)[0].comparable()[0]


def _differ(rows: ReadColumns, name: str, one: str, other: str, what: str) -> str:
    return f"{rows.file}: series {name!r}: {one} and {other} must have the same {what}"
