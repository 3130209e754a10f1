"""A table of intervals beside timed scores.

The table has the columns ``series``, ``start`` and ``end``, one row per anomaly, both ends included
(a column ``stop`` instead of ``end`` is the first moment after it). Scores lie in
``<scores>/<detector>/<series>.csv`` with the columns ``timestamp`` (or ``time``, ``date``) and
``score``; a series without a row has no anomaly.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.data.clock import Clock, same_zone
from adjudge.data.interval_reading import Closed, positions
from adjudge.errors import FileError, InputError, UnknownName
from adjudge.io.column_choice import COLUMNS
from adjudge.io.formats import SUFFIXES
from adjudge.io.labels_and_scores import LabelledScores, Recorded, recorded
from adjudge.io.layouts.contract import (
    BenchmarkLayout,
    StoredSeries,
    each_column,
    layout,
    part,
    score_files,
    table,
)
from adjudge.io.text_files import without_packing

if TYPE_CHECKING:
    from numpy.typing import NDArray


_ENDS: dict[str, Closed] = {"end": "both", "stop": "left"}


@layout(
    "table of intervals",
    "columns `series`, `start`, `end` (included) or `stop` (not)",
    "`<scores>/<detector>/<series>.csv` with a time",
    last=True,
)
def find(path: Path, scores: Path | None, _judged: str | None) -> BenchmarkLayout | None:
    """Recognise a file that has the columns ``series``, ``start`` and ``end`` or ``stop``."""
    if not path.is_file() or Path(without_packing(path.name)).suffix not in SUFFIXES:
        return None
    try:
        rows = part(path, label=None, keys=("series", "start"), optional=tuple(_ENDS)).arrays
    except UnknownName:
        return None
    end = next((name for name in _ENDS if name in rows), None)
    if end is None:
        return None
    closed = _ENDS[end]
    if scores is None:
        raise FileError(f"{path}: a table of intervals needs scores: name their folder")
    names = np.array([str(name) for name in rows["series"].tolist()])
    series = []
    for name, detectors in score_files(scores).items():
        own = names == name
        ends = rows["start"][own], rows[end][own]
        series.append(StoredSeries(name, "", partial(_load, name, ends, closed, detectors)))
    if lost := sorted(set(names.tolist()) - {one.name for one in series}):
        raise FileError(f"{path}: series {lost[0]!r} has intervals but no scores")
    summary = (
        f"columns series, start, {end} ({'both ends' if closed == 'both' else 'start'} included)"
    )
    return BenchmarkLayout(summary, tuple(series))


def _load(
    name: str, ends: tuple[NDArray[Any], ...], closed: Closed, detectors: dict[str, Path]
) -> LabelledScores:
    times: list[tuple[Recorded, Clock]] = []
    columns, broken = each_column(
        {detector: partial(_timed, file, times) for detector, file in detectors.items()}
    )
    if not columns:
        raise FileError(next(iter(broken.values())))
    first, clock = times[0]
    return table(
        name, _labels(name, clock, ends, closed), columns, broken=broken, recorded=(first,)
    )


def _labels(
    name: str, clock: Clock, ends: tuple[NDArray[Any], ...], closed: Closed
) -> NDArray[np.int8]:
    """Mark the points of each interval, in whatever order the points are."""
    labels = np.zeros(clock.instants.size, np.int8)
    if not len(ends[0]):
        return labels
    sides = [Clock.read(side, word) for side, word in zip(ends, ("start", "end"), strict=True)]
    same_zone([(name, clock), *(("intervals", side) for side in sides)])
    order = np.argsort(clock.instants, kind="stable")
    starts, stops = (side.instants for side in sides)
    places = positions(clock.instants[order], starts, stops, closed)
    for i, (start, stop) in enumerate(zip(*places, strict=True)):
        if start >= stop:
            interval = f"{sides[0].text(i)} to {sides[1].text(i)}"
            raise FileError(f"{name}: an interval must cover a point of the scores, got {interval}")
        labels[order[start:stop]] = 1
    return labels


def _timed(file: Path, known: list[tuple[Recorded, Clock]]) -> NDArray[Any]:
    """Read the scores of one file, whose times are those of the first one."""
    found = part(file, label=None)
    if found.columns.known_time is None or len(found.columns.scores) != 1:
        usual = ", ".join(COLUMNS.times)
        raise FileError(f"{file}: there must be one score column and a time column ({usual})")
    (times,) = recorded(found)
    try:
        clock = Clock.read(times.values, times.name)
    except InputError as error:
        raise FileError(f"{file}: {error}") from error
    known.append((times, clock))
    if not np.array_equal(known[0][1].instants, clock.instants):
        raise FileError(f"{file}: the times must be those of the other detectors")
    return np.asarray(found.arrays[found.columns.scores[0]])
