"""One long table: a row per series, detector and point, with its label and score.

The columns are called ``series``, ``detector``, ``label`` and ``score``, and ``time`` (or
``timestamp``, ``date``) where there is one. The rows of a detector may stand anywhere: with a time
they are put in its order, without one they keep their own. A detector may lack rows: with a time
these points have no score of it, which is for the judging to refuse or skip; without one nobody
knows which they are, so its scores are broken. Labels must be the same for every detector.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.errors import FileError, UnknownName
from adjudge.io.column_choice import COLUMNS, Cells, RequestedColumns
from adjudge.io.formats import SUFFIXES, ReadColumns, read_part
from adjudge.io.labels_and_scores import LabelledScores, recorded
from adjudge.io.layouts.contract import BenchmarkLayout, StoredSeries, layout, table
from adjudge.io.text_files import without_packing

if TYPE_CHECKING:
    from numpy.typing import NDArray


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
        rows = read_part(str(path), requested, Cells(gaps=True))  # for the judging to refuse
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
    names = np.array([str(value) for value in taken.arrays["detector"].tolist()])
    own = {
        detector: _points(taken.taken(np.flatnonzero(names == detector)))
        for detector in dict.fromkeys(names.tolist())
    }
    longest = max(own, key=lambda detector: len(own[detector].labels))
    what, most = f"{rows.file}: series {name!r}", len(own[longest].labels)
    broken = {
        detector: f"{what}: {detector} must have a score for each of the {most:,} points of "
        f"{longest}, got {len(found.labels):,}; a column of times says which are missing"
        for detector, found in own.items()
        if not found.placed and len(found.labels) != most
    }
    own = {detector: found for detector, found in own.items() if detector not in broken}
    spots = _places([found.times for found in own.values()])
    size, columns = 1 + max(int(at.max()) for at in spots), {}
    labels, known = np.zeros(size, own[longest].labels.dtype), np.zeros(size, bool)
    for at, (detector, found) in zip(spots, own.items(), strict=True):
        again = known[at]
        if not np.array_equal(labels[at][again], found.labels[again]):
            raise FileError(f"{what}: {detector} must have the same labels as the others")
        labels[at], known[at] = found.labels, True
        columns[detector] = np.full(len(labels), np.nan)
        columns[detector][at] = found.scores
    return table(name, labels, columns, broken=broken)


class _Points(NamedTuple):
    """The rows of one detector in the order of time."""

    times: NDArray[Any]
    """What tells its points apart: times, or their numbers."""
    labels: NDArray[Any]
    scores: NDArray[Any]
    placed: bool
    """Whether there are times."""


def _points(own: ReadColumns) -> _Points:
    label, score = str(own.columns.label), own.columns.scores[0]
    known = recorded(own)
    if known:
        own = own.taken(known[0].order())
    times = recorded(own)[0].comparable()[0] if known else np.arange(own.rows)
    return _Points(times, own.arrays[label], own.arrays[score], bool(known))


def _places(times: list[NDArray[Any]]) -> list[NDArray[Any]]:
    """The place of each detector's points among all; of a time that repeats, one place each time.

    >>> [found.tolist() for found in _places([np.array([1, 2, 2, 5]), np.array([2, 2, 3])])]
    [[0, 1, 2, 4], [1, 2, 3]]
    """
    _, codes = np.unique(np.concatenate(times), return_inverse=True)
    own = np.split(codes, np.cumsum([len(one) for one in times])[:-1])
    again = np.concatenate([np.arange(len(one)) - np.searchsorted(one, one) for one in own])
    _, places = np.unique(codes * (again.max() + 1) + again, return_inverse=True)
    return np.split(places, np.cumsum([len(one) for one in times])[:-1])
