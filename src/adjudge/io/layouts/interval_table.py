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
from adjudge.io.layouts.contract import Layout, StoredSeries, part, score_files, table
from adjudge.io.text_files import without_packing

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from adjudge.io.labels_and_scores import Table

_ENDS: dict[str, Closed] = {"end": "both", "stop": "left"}


def find(path: Path, scores: Path | None, _judged: str | None) -> Layout | None:
    """Recognise a file that has the columns ``series``, ``start`` and ``end`` or ``stop``."""
    if not path.is_file() or Path(without_packing(path.name)).suffix not in SUFFIXES:
        return None
    rows = _rows(path, "end") or _rows(path, "stop")
    if rows is None:
        return None
    end, closed = next((name, rule) for name, rule in _ENDS.items() if name in rows)
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
    said = f"columns series, start, {end} ({'both ends' if closed == 'both' else 'start'} included)"
    return Layout("table of intervals", said, tuple(series))


def _rows(path: Path, end: str) -> dict[str, Any] | None:
    try:
        return part(path, label=None, keys=("series", "start", end)).arrays
    except UnknownName:
        return None


def _load(
    name: str, ends: tuple[NDArray[Any], ...], closed: Closed, detectors: dict[str, Path]
) -> Table:
    columns, first = {}, None
    for detector, file in detectors.items():
        clock, columns[detector] = _timed(file)
        if first is None:
            first = clock
        elif not np.array_equal(first.instants, clock.instants):
            raise FileError(f"{file}: the times must be those of the other detectors")
    assert first is not None  # noqa: S101 - a series has a detector
    labels = np.zeros(len(first.instants), np.int8)
    if len(ends[0]):
        clocks = [Clock.read(side, word) for side, word in zip(ends, ("start", "end"), strict=True)]
        same_zone([(name, first), *(("intervals", clock) for clock in clocks)])
        starts, stops = (clock.instants for clock in clocks)
        places = positions(first.instants, starts, stops, closed)
        for i, (start, stop) in enumerate(zip(*places, strict=True)):
            if start >= stop:
                told = f"{clocks[0].text(i)} to {clocks[1].text(i)}"
                raise FileError(f"{name}: an interval must hold a point of the scores, got {told}")
            labels[start:stop] = 1
    return table(name, labels, columns)


def _timed(file: Path) -> tuple[Clock, NDArray[Any]]:
    """Read the times and scores of one file."""
    known = part(file, label=None).columns
    if known.unused_time is None or len(known.scores) != 1:
        times = ", ".join(COLUMNS.times)
        raise FileError(f"{file}: there must be one score column and a time column ({times})")
    found = part(file, label=None, time=known.unused_time).arrays
    try:
        clock = Clock.read(found[known.unused_time], known.unused_time)
    except InputError as error:
        raise FileError(f"{file}: {error}") from error
    if np.any(np.diff(clock.instants) <= 0):
        row = int(np.argmax(np.diff(clock.instants) <= 0)) + 1
        raise FileError(f"{file}: times must increase, got {clock.text(row)} at row {row}")
    return clock, found[known.scores[0]]
