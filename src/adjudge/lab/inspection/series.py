"""The series of a benchmark as an inspection sees them: labels, readings, scores, time.

Files, folders, layouts and frames are read by the same readers as for a ranking. Other than there,
nobody has to give scores, and times that go back are no reason to refuse a file: they are reported.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.checks import file_path, is_whole
from adjudge.data.clock import Clock
from adjudge.data.columns import column, frame_columns, ids
from adjudge.data.intervals import runs
from adjudge.errors import FileError, InputError, UnknownName, shown, visible
from adjudge.io.column_choice import COLUMNS, Cells, RequestedColumns
from adjudge.io.formats import IN_FOLDERS, read_part
from adjudge.io.layouts import StoredSeries, find_layout
from adjudge.io.text_files import without_packing
from adjudge.ranking.baselines import finite
from adjudge.stores.folder import files_below

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from adjudge._typing import Array, Column, Flags, Floats, Positions

SIGNALS = ("value", "Value", "values", "value_*")
"""How a column of readings is called, where nobody says so."""
_TIME = "timestamp"
SCORES = (*COLUMNS.scores, *(f"{prefix}*" for prefix in COLUMNS.prefixes))


@dataclass(frozen=True, eq=False)
class InspectedSeries:
    """One series.

    Attributes
    ----------
    name
        What it is called.
    labels
        True at each point of an event.
    values
        The readings of each sensor, by name; what is missing is NaN. Empty where none are known.
    scores
        The scores of each detector, by name. Empty where none are known.
    clock
        When each point was; None where that is not known.
    first
        The first point that is judged: what comes before is for training.
    """

    name: str
    labels: Flags
    values: Mapping[str, Floats]
    scores: Mapping[str, Floats]
    clock: Clock | None = None
    first: int = 0

    @property
    def n(self) -> int:
        """How many points it has."""
        return len(self.labels)

    @property
    def judged(self) -> int:
        """How many of them are judged."""
        return self.n - self.first

    @cached_property
    def intervals(self) -> tuple[Positions, Positions]:
        """Starts and stops of all events, in training too."""
        return runs(self.labels, np.zeros(1, np.int64))

    @cached_property
    def events(self) -> tuple[Positions, Positions]:
        """Starts and stops of the events, as far as they are judged."""
        starts, stops = self.intervals
        kept = stops > self.first
        return np.maximum(starts[kept], self.first), stops[kept]

    @cached_property
    def lengths(self) -> Positions:
        """How many points each of these events has."""
        starts, stops = self.events
        return stops - starts

    @cached_property
    def has_readings(self) -> bool:
        """Whether any sensor has a reading at all."""
        return any(bool(np.isfinite(one).any()) for one in self.values.values())

    @cached_property
    def _sensor(self) -> Floats | None:
        """The readings of the first sensor that moves at all."""
        known = list(self.values.values())
        moving = (one for one in known if np.ptp(finite(one)) > 0)
        return next(moving, known[0] if known else None)

    @cached_property
    def signal(self) -> Floats | None:
        """One line to draw and to look for patterns in: the first sensor that moves at all."""
        return None if self._sensor is None else finite(self._sensor)

    @property
    def missing(self) -> Flags:
        """Where that line has no reading of its own."""
        own = self._sensor
        return np.zeros(self.n, bool) if own is None else ~np.isfinite(own)

    def time(self, place: int) -> str | None:
        """When a point was, in words."""
        return None if self.clock is None else self.clock.text(min(place, self.n - 1))


@dataclass(frozen=True)
class SeriesColumns:
    """Which columns are what; None and empty leave it to the usual names."""

    signal: tuple[str, ...] = ()
    scores: tuple[str, ...] = ()
    label: str | None = None
    series: str | None = None
    time: str | None = None
    train_length: float | None = None
    score_folder: str | None = None
    sep: str | None = None
    where: str | None = None

    def first(self, n: int, known: int = 0) -> int:
        """The first judged point of a series of n, whose layout may know its training part."""
        length = self.train_length
        if length is None:
            return min(known, n)
        return min(n, int(length) if is_whole(length) else math.floor(length * n))


def read_series(data: Any, reading: SeriesColumns) -> list[InspectedSeries]:
    """Read the series of a benchmark: a path or several, a data frame, or series in memory.

    Raises
    ------
    InputError
        If there are none, or something of them cannot be used.
    """
    files = {"score_folder": reading.score_folder, "sep": reading.sep}
    if isinstance(data, Mapping) and not _is_one_frame(data):
        columns = {"label": reading.label, "series": reading.series}
        _refuse("series in memory, {name: (labels, {column: values})}", files | columns)
        found = [_held(str(name), value, reading) for name, value in data.items()]
    elif not isinstance(data, (str, os.PathLike)) and frame_columns(data) is not None:
        _refuse("a table in memory", files)
        found = _in_columns("data", frame_columns(data) or {}, reading)
    else:
        paths = [data] if isinstance(data, (str, os.PathLike)) else _listed(data)
        found = [one for path in paths for one in _on_disk(file_path(path, "data"), reading)]
    if not found:
        raise InputError(f"data must hold at least one series, got none in {data!r:.80}")
    names = [one.name for one in found]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"data must have a distinct name per series, got {shown(name)} twice")
    return found


def _refuse(what: str, given: Mapping[str, str | None]) -> None:
    """Refuse what says how other data are read."""
    for name, value in given.items():
        if value is not None:
            raise InputError(f"{name} must be left out with {what}, got {shown(value)}")


def _is_one_frame(data: Mapping[Any, Any]) -> bool:
    """Tell columns by name from series by name: a table has a column of labels."""
    return any(name in data for name in COLUMNS.labels)


def _listed(data: Any) -> list[str]:
    try:
        return [os.fspath(one) for one in data]
    except TypeError:
        raise InputError(
            "data must be a path, a data frame, or {name: (labels, {column: values})}, got "
            f"{shown(data)}"
        ) from None


def _held(name: str, value: Any, reading: SeriesColumns) -> InspectedSeries:
    """Take a series from memory: labels, (labels, values) or (labels, {column: values})."""
    labels, rest = value if isinstance(value, tuple) and len(value) == 2 else (value, {})
    columns = rest if isinstance(rest, Mapping) else frame_columns(rest)
    columns = {"value": rest} if columns is None else dict(columns)
    signals = _matching(reading.signal or SIGNALS, columns, asked=bool(reading.signal))
    named = reading.time or next((one for one in COLUMNS.times if one in columns), None)
    for asked in (reading.time, reading.where):
        if asked is not None and asked not in columns:
            raise _no_column(asked, columns)
    others = [one for one in columns if one not in {*signals, named, reading.where}]
    chosen = _matching(reading.scores, columns, asked=True) if reading.scores else others
    unjudged = _unjudged(columns, None, reading.where, name)
    return _series(name, labels, columns, signals, chosen, named, reading, unjudged)


def _in_columns(
    name: str, columns: Mapping[str, Any], reading: SeriesColumns
) -> list[InspectedSeries]:
    """Take a table of columns, of one series or of several by their ids."""
    label = reading.label or next((one for one in COLUMNS.labels if one in columns), "label")
    series = reading.series or ("series" if "series" in columns else None)
    named = (series, reading.time, reading.where)
    asked = (label, *(one for one in named if one is not None))
    for one in asked:
        if one not in columns:
            raise _no_column(one, columns)
    time = reading.time or next((one for one in COLUMNS.times if one in columns), None)
    free = [one for one in columns if one not in {label, series, time, reading.where}]
    signals = _matching(reading.signal or SIGNALS, free, asked=bool(reading.signal))
    scores = _matching(reading.scores or SCORES, free, asked=bool(reading.scores))
    parts = _parts(name, None if series is None else columns[series])
    return [
        _series(
            part, _taken(columns[label], rows),
            {one: _taken(columns[one], rows) for one in columns if one not in {label, series}},
            signals, [one for one in scores if one not in signals], time, reading,
            _unjudged(columns, rows, reading.where, part),
        )
        for part, rows in parts
    ]  # fmt: skip


def _unjudged(columns: Mapping[str, Any], rows: Array | None, where: str | None, name: str) -> int:
    """How many points at the beginning of a series a column says not to judge."""
    if where is None:
        return 0
    judged = np.asarray(_taken(columns[where], rows)).astype(bool)
    first = int(judged.argmax()) if judged.any() else len(judged)
    later = np.flatnonzero(~judged[first:])
    if later.size:
        raise InputError(
            f"{where} of {name} must be 0 at the beginning of a series alone, got 0 at point "
            f"{first + later[0]:,}; inspect judges a series from a point on: leave others out of "
            "the file"
        )
    return first


def _parts(name: str, series: Column) -> list[tuple[str, Array | None]]:
    """The rows of each series, in the order of first appearance."""
    if series is None:
        return [(name, None)]
    own = np.array([str(one) for one in ids(series, "series").tolist()], dtype=object)
    return [(one, np.flatnonzero(own == one)) for one in dict.fromkeys(own.tolist())]


def _taken(values: Any, rows: Array | None) -> Any:
    return values if rows is None else np.asarray(values)[rows]


def _matching(names: Iterable[str], there: Iterable[str], *, asked: bool = False) -> list[str]:
    """The columns that have one of the names, or fit a pattern; those asked for must be there."""
    known = list(there)
    found: list[str] = []
    for name in names:
        own = [one for one in known if one == name or fnmatchcase(one, name)]
        if asked and not own:
            raise _no_column(name, known)
        found += [one for one in own if one not in found]
    return found


def _on_disk(path: Path, reading: SeriesColumns) -> Iterator[InspectedSeries]:
    """Take a benchmark, a folder of files or a file."""
    if not path.exists():
        raise FileError(f"{visible(path)}: must be a file or a folder, got nothing of that name")
    is_layout = path.is_dir() or path.suffix == ".json"
    folder = reading.score_folder
    layout = find_layout(path, folder) if is_layout and reading.series is None else None
    if layout is not None:
        if reading.where is not None:
            raise InputError(
                f"where must be left out of {visible(path)}, a benchmark that knows what is judged,"
                f" got {reading.where!r}; give train_length= for another training part"
            )
        yield from (_of_layout(one, reading) for one in layout.series)
        return
    if folder is not None:
        raise InputError(f"score_folder has no effect on {visible(path)}, which is no benchmark")
    files = [path] if path.is_file() else [file for file, why in files_below(path) if not why]
    for file in files:
        if path.is_file() or Path(without_packing(str(file))).suffix.lower() in IN_FOLDERS:
            yield from _in_file(file, path, reading)


def _in_file(file: Path, above: Path, reading: SeriesColumns) -> list[InspectedSeries]:
    """Read a file of points: the columns that have a role, and no other."""
    scores = (*(reading.signal or SIGNALS), *(reading.scores or SCORES))
    requested = RequestedColumns(
        "", COLUMNS, reading.label, scores, series=reading.series, where=reading.where,
        time=reading.time, scored=False,
    )  # fmt: skip
    read = read_part(str(file), requested, Cells(reading.sep, gaps=True))
    columns = {name: _plain(values) for name, values in read.arrays.items()}
    for asked in (*reading.signal, *reading.scores):
        if not _matching([asked], columns):  # whoever reads all columns can name them
            among_all = RequestedColumns("", COLUMNS, keys=(asked,), labelled=False, scored=False)
            read_part(str(file), among_all, Cells(reading.sep, gaps=True))
    own = file.name if file == above else file.relative_to(above).as_posix()
    name = Path(without_packing(own)).with_suffix("").as_posix()
    return _in_columns(name, columns, _of_file(reading, read.columns.label))


def _of_file(reading: SeriesColumns, label: str | None) -> SeriesColumns:
    return SeriesColumns(**{**vars(reading), "label": label})


def _plain(values: Any) -> Any:
    """A column as an array; times that Arrow holds stay as they are."""
    return values if isinstance(values, np.ndarray) else np.asarray(values)


def _of_layout(stored: StoredSeries, reading: SeriesColumns) -> InspectedSeries:
    """Read a series of a published benchmark, which knows its own training part."""
    found, measured = stored.unchecked(), dict(stored.signals())
    known = 0 if found.train is None else int(np.count_nonzero(found.train))
    if any(len(one) != len(found.labels) for one in measured.values()):
        whole = ~np.any([np.isnan(one) for one in measured.values()], axis=0)
        measured = {name: one[whole] for name, one in measured.items()}  # as the labels were read
    signals = _matching(reading.signal or ["*"], measured, asked=bool(reading.signal))
    scores = _matching(reading.scores or ["*"], found.scores, asked=bool(reading.scores))
    columns = {**measured, **found.scores}
    time = None
    if found.time is not None:
        time, columns[_TIME] = _TIME, found.time
    name = f"{stored.group}/{stored.name}" if stored.group else stored.name
    return _series(name, found.labels, columns, signals, scores, time, reading, known)


def _series(
    name: str,
    labels: Column,
    columns: Mapping[str, Any],
    signals: Sequence[str],
    scores: Sequence[str],
    time: str | None,
    reading: SeriesColumns,
    known: int = 0,
) -> InspectedSeries:
    """Check the columns of a series and put them in their roles."""
    truth = column(labels, f"labels of {name}")
    wrong = np.flatnonzero((truth != 0) & (truth != 1))
    if wrong.size:
        raise InputError(
            f"labels of {name} must be 0 or 1, got {truth[wrong[0]]} at point {wrong[0]:,} "
            f"({wrong.size:,} in all)"
        )
    numbers = {one: _numbers(columns[one], f"{one} of {name}", len(truth))
               for one in (*signals, *scores)}  # fmt: skip
    clock = None
    if time is not None and time in columns:
        with suppress(InputError):  # a counter, or text that is no time: then no clock is known
            clock = Clock.read(columns[time], time)
        if clock is not None and len(clock.instants) != len(truth):
            raise InputError(
                f"{time} of {name} must be as long as the labels ({len(truth):,}), got "
                f"{len(clock.instants):,}"
            )
    return InspectedSeries(
        name,
        truth == 1,
        {one: numbers[one] for one in signals},
        {one: numbers[one] for one in scores},
        clock,
        reading.first(len(truth), known),
    )


def _numbers(values: Column, name: str, n: int) -> Floats:
    found = np.asarray(column(values, name), np.float64)
    if len(found) != n:
        raise InputError(f"{name} must be as long as the labels ({n:,}), got {len(found):,}")
    return found


def _no_column(name: str, there: Iterable[str]) -> UnknownName:
    """Make the refusal of a column that is not there, with those that are."""
    return UnknownName("column", name, there, f"there are {', '.join(map(str, there))}")
