"""Sources: where the series of a benchmark are, as units of work that any process can read.

A unit is one series with all its detectors, so that labels are read once. What is on disk travels
as a path; only what the caller holds in memory travels itself.

Conventions
-----------
- A series is called by its path below the folder that was given, without the suffix.
- Its group (data set, domain) is all before the last ``/`` of that name.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache, partial
from glob import glob, has_magic
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict, Unpack

import numpy as np

from adjudge.checks import file_path, items, share, suggest_keywords, word
from adjudge.data.columns import check_indexes, coded, column, frame_columns, ids
from adjudge.data.events import PositionList
from adjudge.errors import FileError, InputError, first_few, shown, visible
from adjudge.io.column_choice import COLUMNS, ROLES, RequestedColumns
from adjudge.io.detector_folders import (
    LABELS,
    beside_labels,
    each_labelled,
    is_below,
    name_below,
    read_series,
    suffix_of,
)
from adjudge.io.file_names import NamePattern, looks_like, matched
from adjudge.io.formats import IN_FOLDERS, is_delimited
from adjudge.io.labels_and_scores import LabelledScores, Recorded, read
from adjudge.io.layouts import find_layout
from adjudge.io.layouts.contract import SCORE_SUFFIXES, BenchmarkLayout
from adjudge.io.parquet_sets import (
    MEMORY,
    ParquetChunk,
    files_at,
    hive_columns,
    is_address,
    parquet_set,
)
from adjudge.io.text_files import without_packing
from adjudge.ranking.baselines import noise, one_liners, periodic_alarms
from adjudge.ranking.collected import BASELINE
from adjudge.ranking.comparable import MIN_COVERAGE
from adjudge.stores.folder import files_below, written_by

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from adjudge._typing import Column

_INPUTS = frozenset({*IN_FOLDERS, *SCORE_SUFFIXES, ".json"})
"""Suffixes of what a benchmark's folder holds."""
_NAMED = 3
"""Files that are named of those left out for one reason."""


@dataclass(frozen=True)
class ReadOptions:
    """How files are read (`adjudge.io.labels_and_scores.read`); None leaves it to the names."""

    label: str | None = None
    scores: tuple[str, ...] = ()
    series: str | None = None
    where: str | None = None
    positive: object = None
    also: tuple[str, ...] = ()
    on: tuple[str, ...] = ()
    inner: bool = False
    sep: str | None = None
    decimal: str = "."
    judged: str | None = None
    sort: bool = False
    group: str | None = None
    train: str | None = None
    tune_on: str | None = None
    window: str | None = None
    signal: str | None = None
    layout: str | None = None
    labels: str = "agree"
    memory: int = MEMORY

    def refuse_unused(self, kind: str) -> None:
        """Refuse what was said and has no effect on a kind of data."""
        for item in fields(self):
            if vars(self)[item.name] != item.default and item.name not in _USED[kind]:
                name = "score_folder" if item.name == "also" else item.name
                raise InputError(f"{name} has no effect on {kind}; leave it out")
        if self.inner and not self.also:
            raise InputError("inner must come with score_folder=, whose files are joined")

    @property
    def said(self) -> dict[str, Any]:
        """What was said of columns and cells, for a manifest; paths are for the next caller."""
        return {
            item.name: vars(self)[item.name]
            for item in fields(self)
            if item.name != "also" and vars(self)[item.name] != item.default
        }

    @property
    def of_folders(self) -> dict[str, Any]:
        """What a folder per detector is read by."""
        used = _USED["a folder per detector"] - {"also", "layout", "labels"}
        majority = {"majority": self.labels == "majority"}
        return {name: vars(self)[name] for name in used} | majority

    @property
    def told_by(self) -> dict[str, Any]:
        """What detectors are told from data sets by: a role that no file has tells nothing."""
        names = ("label", "scores", "positive", "sep", "decimal", "sort")
        return {name: vars(self)[name] for name in names}

    def read(self, path: str | ParquetChunk, *, series: str | None = None) -> LabelledScores:
        """Read one file, with those that are joined to it, or some series of a Parquet set."""
        of_folders = {"judged", "layout", "labels", "memory"}
        options = {name: value for name, value in vars(self).items() if name not in of_folders}
        return read(path, **{**options, "series": series, "missing": "skip"})

    @property
    def requested(self) -> RequestedColumns:
        """The columns of a Parquet set."""
        roles = {name: vars(self)[name] for name in ROLES if name in vars(self)}
        return RequestedColumns(
            "", COLUMNS, self.label, self.scores, coded=self.positive is not None,
            signal=self.signal, **roles,
        )  # fmt: skip


_COLUMNS = frozenset({
    "label", "scores", "series", "where", "positive", "group", "train", "tune_on", "window",
    "signal",
})  # fmt: skip
_USED: Mapping[str, frozenset[str]] = {
    "series in memory": frozenset({"positive", "sort", "signal"}),
    "a data frame": _COLUMNS | {"sort"},
    "a benchmark": frozenset({"also", "judged", "sort", "train", "signal"}),
    "a folder per detector": (_COLUMNS - {"series"})
    | {
        "also",
        "sort",
        "sep",
        "decimal",
        "layout",
        "labels",
    },
    "files of points": _COLUMNS | {"also", "on", "inner", "sort", "sep", "decimal"},
    "files without text": _COLUMNS | {"also", "on", "inner", "sort", "memory"},
}
"""What each kind of data is read by; anything else would be ignored."""


class FolderColumns(TypedDict, total=False):
    """How the series of a ranking are read."""

    label: str | None
    scores: str | Iterable[str]
    series: str | None
    where: str | None
    score_folder: str | os.PathLike[str] | None
    judged: str | None
    positive: object
    sep: str | None
    decimal: str
    on: str | Iterable[str]
    inner: bool
    sort: bool
    missing: str
    min_coverage: float
    group: str | None
    train: str | int | Mapping[str, int] | None
    tune_on: str | None
    window: str | Callable[[Any], int] | Mapping[str, int] | None
    signal: str | None
    layout: str | None
    labels: str


@suggest_keywords("Folder", passes_on=FolderColumns)
class Folder:
    """Many series with their detectors, and how to read them.

    Parameters
    ----------
    data : benchmark, folder, files, patterns, frame or mapping
        As `adjudge.rank` takes it.
    label, scores, series, where : str, optional
        The columns of files and tables, if they have not the usual names.
    score_folder : path, optional
        Where the scores of a benchmark lie, if not in its own folder.
    judged : {"all", "test"}, optional
        Which rows of a benchmark are judged. Default: as it does itself.
    positive, sep, decimal, on, inner, sort
        How data is read; see `adjudge.io.labels_and_scores.read`.
    missing : {"refuse", "skip"}
        What to do about points without a score (NaN, an empty cell): "refuse" fails the detector on
        that series, and no other; "skip" leaves these points out.
    min_coverage : float
        The share of the series that a detector needs to be ranked. One that has fewer stands below
        the others, with its mean and without a rank.
    group : str, optional
        The column of files and tables that names the data set of a series. Default: all before the
        last ``/`` of its name.
    train : str, int or mapping, optional
        Where rules of a threshold learn: the column that marks the training part of each series
        (0/1; of a benchmark that knows it, any word), its length, or its length by series.
    tune_on : str, optional
        The column (0/1) of the points on which to find the threshold that is best by a metric; the
        others are judged.
    window : str, callable or mapping, optional
        The window of each series, for metrics that have one (``vus_pr``) and do not say it: a
        column, what a function makes of the labels, or a number by series.
    signal : str, optional
        The column of what a sensor measured, beside the labels, for rows of reference. It is no
        detector.
    layout : str, optional
        What the names of files in a folder say, as in ``"{series} - {detector}.csv"`` or
        ``"{dataset}/{detector}/{series}.parquet"``; see `adjudge.io.file_names`. Every file has
        labels and one score column; with `score_folder` the pattern is that of the files there, and
        the labels of a series lie in the folder as ``<series>.csv``.
    labels : {"agree", "majority"}
        What to do where every detector has a file with labels of its own, and those of a series
        differ: refuse the series, or take the labels of most and fail the detectors with others. A
        tie is refused in any case, and so are other lengths.

    Examples
    --------
    >>> import adjudge as aj
    >>> labels, flags = [0, 0, 1, 1, 0, 0], [0, 1, 1, 0, 0, 0]
    >>> data = {name: (labels, {"one": flags, "other": labels}) for name in ("a", "b")}
    >>> aj.rank(aj.Folder(data, min_coverage=1), "f1", chance=False)
    Ranking(2 detectors on 2 series by 1 metrics; first by f1: other)
    """

    def __init__(self, data: Any, **columns: Unpack[FolderColumns]) -> None:
        """Check the columns; the series are read where they are judged."""
        self.data, self.columns = data, columns
        self.missing = word(columns.get("missing", "refuse"), "missing", ("refuse", "skip"))
        word(columns.get("labels", "agree"), "labels", ("agree", "majority"))
        given = columns.get("min_coverage", MIN_COVERAGE)
        self.min_coverage = share(given, "min_coverage", zero=True)
        self.train, self.tune_on = columns.get("train"), columns.get("tune_on")
        self.window, self.signal = columns.get("window"), columns.get("signal")
        self.sort = columns.get("sort", False)
        self.reading(remote=False)

    @classmethod
    def of(cls, data: Any, columns: FolderColumns) -> Folder:
        """The folder as it is, or the short form of one.

        Parameters
        ----------
        data : Folder, or what it is made of
            What `adjudge.rank` was given.
        columns : dict
            How it is read, by name.
        """
        if not isinstance(data, cls):
            return cls(data, **columns)
        for name, value in columns.items():
            raise InputError(f"{name} must be given in aj.Folder(data, ...), got {shown(value)}")
        return data

    def reading(self, *, remote: bool, memory: int | None = None) -> ReadOptions:
        """How files are read.

        Parameters
        ----------
        remote : bool
            Whether other machines read them: paths are then from the root.
        memory : int, optional
            Bytes that the columns of some series of a Parquet set may take.
        """
        given: dict[str, Any] = {
            name: value for name, value in self.columns.items() if name not in _NOT_OF_FILES
        }
        place = self.columns.get("score_folder")
        if place is not None:
            given["also"] = (str(Path(place).absolute()) if remote else os.fspath(place),)
        for name in ("scores", "on"):
            one = given.get(name, ())
            given[name] = (one,) if isinstance(one, str) else tuple(items(one, name, "columns"))
        for name in ("train", "window"):  # which may be lengths, too
            given[name] = given[name] if isinstance(given.get(name), str) else None
        return ReadOptions(**given, memory=memory or MEMORY)


_NOT_OF_FILES = {"score_folder", "missing", "min_coverage"}


@dataclass(frozen=True)
class Unit:
    """One series with all its detectors, which any process can read."""

    series: str
    read: Callable[[], LabelledScores]
    """Gives labels and scores."""
    path: str = ""
    """Where it lies on this machine; empty if nowhere."""
    held: bool = False
    """Whether it is in memory, and there is nothing to read."""
    files: tuple[str, ...] = ()
    """All its files, where it has several."""
    signals: Callable[[], Mapping[str, NDArray[Any]]] = dict
    """Reads what its sensors measured, by name, where a benchmark holds it."""
    roots: tuple[str, ...] = ()
    """The files and folders that the caller gave, as far as it is among them."""
    chunk: ParquetChunk | None = None
    """The series of a Parquet set that are read at once with it."""
    reading: ReadOptions | None = None
    """And how."""

    @property
    def weight(self) -> float:
        """About how much work it is: points times detectors in memory, else bytes of its files."""
        if self.held:
            table = self.read()
            return float(len(table.labels) * max(1, len(table.scores)))
        if self.chunk is not None or not self.path or is_address(self.path):
            return 1.0
        try:
            return float(sum(Path(one).stat().st_size for one in set(self.files or (self.path,))))
        except OSError:  # which its row will say
            return 1.0

    def holding(self, table: LabelledScores) -> Unit:
        """The same unit with what was read of it."""
        return replace(self, read=partial(_itself, table), held=True)

    def without_roots(self, text: str) -> str:
        """A message without where the data lie: the same whoever reads them, from wherever.

        >>> one = Unit("x/a", dict, "/data/x/a.csv", roots=("/data", "../lof", "."))
        >>> one.without_roots("/data/x/a.csv: empty; ../lof/x/a.npy: too short")
        'x/a: empty; x/a.npy: too short'
        """
        names: dict[str, str] = {}
        for root in map(Path, self.roots):
            if root.name:  # nothing is written with "." or "/" before it
                names |= {visible(root): visible(root.name), f"{visible(root)}{os.sep}": ""}
        if self.path:
            names[visible(self.path)] = self.series
        if not names:
            return text
        longest = sorted(names, key=len, reverse=True)
        ends = ("" if name.endswith(os.sep) else r"(?![\w-])" for name in longest)
        words = "|".join(re.escape(name) + end for name, end in zip(longest, ends, strict=True))
        return re.sub(rf"(?<![\w./\\-])(?:{words})", lambda found: names[found[0]], text)


class Listed(NamedTuple):
    """The series that were found, and the files beside them that are none."""

    units: list[Unit]
    left_out: dict[str, str]
    """Path -> why."""
    notes: list[str]
    """How file names were read, or could be."""

    @property
    def summary(self) -> str:
        """What was found, how names were read, and what was left out."""
        left_out = [f"left out: {in_words(self.left_out)}"] if self.left_out else []
        return "; ".join([f"{len(self.units):,} series found", *self.notes, *left_out])


def _itself(table: LabelledScores) -> LabelledScores:
    return table


def _in_detector_files(
    series: str, labels: Path | None, detectors: Mapping[str, Path], reading: ReadOptions
) -> Unit:
    """A series of which every detector has a file of its own, and perhaps the labels."""
    files = tuple(str(file) for _, file in sorted(detectors.items()))
    path = str(labels or files[0])
    read = partial(read_series, labels, dict(sorted(detectors.items())), **reading.of_folders)
    return Unit(series, read, path, files=(path, *files))


class NotSeen(FileError):  # noqa: N818 - reads as what it is
    """A file that is there for who asked for it, and not for the worker that is to read it."""


def _read_there(path: str, read: Callable[[], LabelledScores]) -> LabelledScores:
    """Read a series on another machine, by the path that it has on this one."""
    if not Path(path).exists():
        raise NotSeen(f"the worker does not see {visible(path)}")
    return read()


def _read_beside_baselines(unit: Unit, signal: str | None, seed: int) -> LabelledScores:
    """Read a series, and score it by every baseline that can be had."""
    table = unit.read()
    own = {name: column for name, column in table.scores.items() if name != signal}
    n, values = len(table.labels), _measured(unit, table, signal)
    drawn = int(sha256(f"{seed} {unit.series}".encode()).hexdigest()[:16], 16)  # of each series
    found = {"noise": noise(n, drawn), "periodic alarms": periodic_alarms(n)}
    if values is not None:
        found |= {name: one.scores for name, one in one_liners(values).items()}
    return replace(table, scores=own | {f"{BASELINE}{name}": found[name] for name in found})


def _measured(unit: Unit, table: LabelledScores, signal: str | None) -> NDArray[Any] | None:
    """What a sensor measured: a column of the table, or what the benchmark holds."""
    if signal is not None and signal in table.scores:
        return table.scores[signal]
    held = unit.signals()
    if signal is not None and signal not in held:
        got = ", ".join(visible(name) for name in (*held, *table.scores)) or "no column"
        text = f"signal must be a column of the data, got {shown(signal)}; there is {got}"
        raise InputError(text[:300])
    values = next(iter(held.values()), None) if signal is None else held[signal]
    if values is not None and len(values) != len(table.labels):
        raise InputError(
            f"signal must be as long as the labels ({len(table.labels):,}), got {len(values):,}"
        )
    return values


def with_baselines(units: Iterable[Unit], signal: str | None, seed: int) -> list[Unit]:
    """Put rows of reference beside the detectors of every series."""
    return [
        replace(unit, read=partial(_read_beside_baselines, unit, signal, seed), held=False)
        for unit in units
    ]


Data = Any
"""A folder, files or patterns, a data frame, or series -> (labels, {detector: scores}[, where])."""


def units_of(data: Data, reading: ReadOptions, *, remote: bool = False) -> Listed:
    """List the series of a benchmark, by name, and what was left out.

    Those that other machines will read have their paths from the root.

    Raises
    ------
    InputError
        If there are none, or two of one name.
    """
    listed = Listed([], {}, [])
    is_path = isinstance(data, (str, os.PathLike))
    if isinstance(data, Mapping):
        found = _in_memory(data.items(), reading)
    elif not is_path and frame_columns(data) is not None:
        reading.refuse_unused("a data frame")
        found = _in_frame(data, reading)
    elif given := _pairs(data := data if is_path else _listed(data)):
        found = _in_memory(given, reading)
    else:
        paths = [os.fspath(data)] if is_path else _paths(data)
        paths = list(map(_from_root, paths)) if remote else paths
        found = [unit for path in paths for unit in _at(path, reading, listed)]
        roots = (*paths, *reading.also)
        found = [replace(unit, roots=roots) for unit in found]
        found = list(map(_on_worker, found)) if remote else found
    units = sorted(found, key=lambda unit: unit.series)
    for one, other in pairwise(units):
        if one.series == other.series:
            places = list(dict.fromkeys((one.path, other.path)))
            where = f": {' and '.join(places)}; move one away" if all(places) and places[1:] else ""
            raise InputError(
                f"data must have a distinct name per series, got {shown(one.series)} twice{where}"
            )
    if not units:
        without = f"; left out: {in_words(listed.left_out)}" if listed.left_out else ""
        raise InputError(f"data must hold at least one series, got none in {data!r:.80}{without}")
    return listed._replace(units=units)


def input_files(units: Iterable[Unit], reading: ReadOptions) -> list[Path]:
    """The files that series are read from; of a benchmark, all tables of its folders."""
    places = {path for unit in units for path in unit.files or (unit.path,)} | set(reading.also)
    found: set[Path] = set()
    for place in (Path(one) for one in places if one and not is_address(one)):
        if place.is_dir():
            found |= {file for file, why in files_below(place) if not why and _is_input(file)}
        else:
            found.add(place)
    return sorted(found)


def _is_input(file: Path) -> bool:
    return suffix_of(file) in _INPUTS


def _from_root(path: str) -> str:
    return path if is_address(path) else str(Path(path).absolute())


def _on_worker(unit: Unit) -> Unit:
    return (
        unit
        if unit.held or is_address(unit.path)
        else replace(unit, read=partial(_read_there, unit.path, unit.read))
    )


def in_words(left_out: Mapping[str, str]) -> str:
    """Name the files that were left out, the first few of each reason, and count the others.

    >>> in_words({"a.md": "not read", "b.md": "not read", "c": "not read", "d": "not read"})
    'a.md, b.md, c and 1 more (not read)'
    """
    reasons: dict[str, list[str]] = {}
    for path, why in left_out.items():
        reasons.setdefault(why, []).append(visible(path))
    return "; ".join(f"{first_few(paths, _NAMED)} ({why})" for why, paths in reasons.items())


def _in_memory(named: Iterable[tuple[Any, Any]], reading: ReadOptions) -> list[Unit]:
    reading.refuse_unused("series in memory")
    tables = ((str(name), _held(name, value, reading)) for name, value in named)
    return [Unit(name, partial(_itself, table), held=True) for name, table in tables]


def _listed(data: Any) -> list[Any]:
    """Go through what a caller gives once: it may be a generator."""
    if not isinstance(data, Iterable):
        raise InputError(f"data must be paths, a table or a mapping of series, got {data!r:.80}")
    return list(data)


def _pairs(data: Any) -> list[tuple[Any, Any]]:
    """Pairs of a name and a series in memory, if that is what is listed; else nothing."""
    if not isinstance(data, list) or not all(map(_is_pair, data)):
        return []
    return data


def _is_pair(one: Any) -> bool:
    match one:
        case (str(), tuple() | list()):
            return True
        case _:
            return False


def _paths(data: list[Any]) -> list[str]:
    return [_path(path, index) for index, path in enumerate(data)]


def _path(value: Any, index: int) -> str:
    path = os.fspath(value) if isinstance(value, (str, os.PathLike)) else None
    if isinstance(path, str):
        return path
    hint = "series in memory are a mapping, {name: (labels, {detector: scores})}, or its items"
    raise InputError(f"data must be paths, got {shown(value)} at index {index}; {hint}")


def _at(given: str, reading: ReadOptions, listed: Listed) -> list[Unit]:
    """Take what is at an address, or on this machine."""
    if is_address(given):
        return _in_parquet(files_at(given), reading, listed)
    return _on_disk(given, reading, listed)


def _on_disk(given: str, reading: ReadOptions, listed: Listed) -> list[Unit]:
    """Take a benchmark, a folder, a pattern or a file."""
    path, left_out = file_path(given, "data"), listed.left_out
    if has_magic(given) and not path.exists():
        files = sorted(found for found in glob(given, recursive=True) if Path(found).is_file())  # noqa: PTH207 - may be absolute
        if not files:
            raise FileError(f"{given}: must match at least one file, got none")
        kept = _kept(((file, written_by(file)) for file in map(Path, files)), left_out)
        return _in_files({str(file): file.name for file in kept}, reading, listed)
    if not path.exists():
        raise FileError(f"{visible(given)}: must be a file or a folder, got nothing of that name")
    if reading.layout is not None and path.is_dir():
        return _by_names(path, NamePattern(reading.layout), reading, listed)
    if reading.series is None:
        benchmark = _in_benchmark(path, reading, left_out)
        if benchmark:
            return benchmark
    if not path.is_dir():
        return _in_files({given: path.name}, reading, listed)
    in_folders = _in_folders(path, reading, left_out)
    if in_folders:
        return in_folders
    kept = _kept(map(_readable, files_below(path)), left_out)
    named = {str(file): file.relative_to(path).as_posix() for file in kept}
    if reading.series is None and not reading.also:
        hint = looks_like(kept, path, **reading.told_by)
        listed.notes.extend([hint] * bool(hint))
    return _in_files(named, reading, listed)


def _in_files(named: Mapping[str, str], reading: ReadOptions, listed: Listed) -> list[Unit]:
    """Take files, each by what its series is called after."""
    files = list(map(Path, named))
    _refuse_unused(files, reading)
    if _are_parquet(files, reading):
        return _in_parquet(list(named), reading, listed)
    return [unit for file, name in named.items() for unit in _in_file(file, name, reading)]


def _kept(files: Iterable[tuple[Path, str]], left_out: dict[str, str]) -> list[Path]:
    """Keep the files that there is no reason to leave out, and note the others."""
    found = list(files)
    left_out |= {str(file): why for file, why in found if why}
    return [file for file, why in found if not why]


def _readable(found: tuple[Path, str]) -> tuple[Path, str]:
    file, why = found
    known = suffix_of(file) in IN_FOLDERS
    return file, why or ("" if known else "no suffix of a table")


def _refuse_unused(files: list[Path], reading: ReadOptions) -> None:
    """Refuse what no file of these is read by; marks of text are those of any that is text."""
    text = any(is_delimited(str(file)) for file in (*files, *reading.also))
    reading.refuse_unused("files of points" if text or not files else "files without text")


def _in_benchmark(path: Path, reading: ReadOptions, left_out: dict[str, str]) -> list[Unit]:
    """Take a layout that is known; tables that were read to recognise them are kept."""
    folder = next((name for name in reading.also if Path(name).is_dir()), None)
    layout = find_layout(path, folder, judged=reading.judged)
    if layout is None:
        return []
    _kept(_beside(path, layout, folder), left_out)
    reading.refuse_unused("a benchmark")
    units = []
    for series in layout.series:
        name = f"{series.group}/{series.name}" if series.group else series.name
        load = partial(series.load, sort=reading.sort, partly=True)
        unit = Unit(name, load, str(path), signals=series.signals)
        held = path.is_file() and layout.name != "NAB"
        units.append(unit.holding(load()) if held else unit)
    return units


def _in_folders(path: Path, reading: ReadOptions, left_out: dict[str, str]) -> list[Unit]:
    """Take a folder per detector with a file per series, if that is what it is."""
    given = next((Path(name) for name in reading.also if Path(name).is_dir()), None)
    apart, scores = path, given
    if given is None and (path / LABELS).is_dir():
        apart, scores = path / LABELS, path
    if reading.series is not None:
        return []
    others: dict[str, str] = {}
    if scores is None:
        kept = _kept(map(_readable, files_below(path)), others)
        found = each_labelled(path, kept, **reading.told_by)
    else:
        own = (
            one for one in map(_readable, files_below(apart))
            if not is_below(scores, apart) or not is_below(one[0], scores)
        )  # fmt: skip
        labels = {name_below(file, apart): file for file in _kept(own, others)}
        files = [file for file, why in files_below(scores) if not why]
        found = beside_labels(labels, scores, files, apart) if labels else None
    if found is None:
        return []
    if scores is None and reading.signal is not None:
        raise InputError(
            "signal must be in the files with the labels, got labels in the score files; put "
            f"measurements and labels into {LABELS}/"
        )
    reading.refuse_unused("a folder per detector")
    left_out |= others | found.left_out
    return [
        _in_detector_files(name, file, detectors, reading)
        for name, (file, detectors) in found.series.items()
    ]


def _by_names(path: Path, pattern: NamePattern, reading: ReadOptions, listed: Listed) -> list[Unit]:
    """Take the files of a folder by what their names say; labels may lie apart from the scores."""
    reading.refuse_unused("a folder per detector")
    if reading.also and not pattern.has_detectors:
        raise InputError(f"layout must name {{detector}} with score_folder=, got {pattern.text!r}")
    scores = Path(reading.also[0]) if reading.also else path
    found = matched(pattern, _kept(files_below(scores), listed.left_out), scores)
    listed.left_out.update(found.left_out)
    listed.notes.append(found.summary)
    if not pattern.has_detectors:
        return [_of_file(name, str(own[""]), reading) for name, own in found.series.items()]
    apart = (
        one for one in map(_readable, files_below(path)) if not is_below(one[0], scores)
    ) if reading.also else ()  # fmt: skip
    labels = {name_below(file, path): file for file in _kept(apart, listed.left_out)}
    unknown = [name for name in found.series if reading.also and name not in labels]
    if unknown:
        raise FileError(
            f"{visible(path)}: must hold the labels of every series, got none for "
            f"{', '.join(map(visible, unknown[:3]))}"
        )
    return [
        _in_detector_files(name, labels.get(name), own, reading)
        for name, own in found.series.items()
    ]


def _beside(path: Path, layout: BenchmarkLayout, scores: str | None) -> Iterator[tuple[Path, str]]:
    """The tables in a folder of files that are series by their names, which have other names."""
    if not layout.files or not path.is_dir():
        return
    series, apart = set(layout.files), None if scores is None else Path(scores).resolve()
    for file, why in map(_readable, files_below(path)):
        is_score = apart is not None and file.resolve().is_relative_to(apart)
        if file not in series and not is_score:
            yield file, why or f"no name of a {layout.name} series"


def _in_file(path: str, name: str, reading: ReadOptions) -> list[Unit]:
    """Take a file: one series, or a long table of several."""
    if reading.series is None:
        series = Path(without_packing(name)).with_suffix("").as_posix()
        return [_of_file(series, path, reading)]
    _, places = _long_table(path, reading, _stamps(path, reading))
    return [Unit(one, partial(_read_of_long_table, path, reading, one), path) for one in places]


def _are_parquet(files: list[Path], reading: ReadOptions) -> bool:
    """Tell whether files are one long table that can be read by row group."""
    alike = all(suffix_of(file) == ".parquet" for file in files)
    return bool(files) and alike and reading.series is not None and not reading.also


def _in_parquet(files: list[str], reading: ReadOptions, listed: Listed) -> list[Unit]:
    """Take a Parquet set: its series, each with those that are read at once with it."""
    reading.refuse_unused("files without text")
    if reading.series is None:
        raise InputError(f"series must name the column of ids in {visible(files[0])}, got none")
    reading = with_hive_groups(files, reading)
    found = parquet_set(files, reading.series or "", reading.requested, reading.memory)
    said = found.said(reading.series or "")
    listed.notes.extend([said] * bool(said))
    return [unit for chunk in found.chunks for unit in units_in(chunk, reading)]


def with_hive_groups(files: list[str], reading: ReadOptions) -> ReadOptions:
    """Data sets are what folders are called after, as in ``dataset=NAB``, unless a column is."""
    hive = [name for name in hive_columns(files[0]) if name != reading.series]
    return replace(reading, group=hive[0]) if hive and reading.group is None else reading


def units_in(chunk: ParquetChunk, reading: ReadOptions) -> list[Unit]:
    """The series of a chunk."""
    return [
        Unit(name, partial(_read_of_chunk, chunk, reading, name), chunk.files[0],
             files=chunk.files, chunk=chunk, reading=reading)
        for name in chunk.names
    ]  # fmt: skip


def _read_of_chunk(chunk: ParquetChunk, reading: ReadOptions, series: str) -> LabelledScores:
    """Read all series of a chunk, unless they were read last, and give the rows of one."""
    table, places = _chunk_table(chunk, reading)
    return _rows(table, places[series], series)


_LAST: dict[Any, tuple[LabelledScores, dict[str, NDArray[np.intp]]]] = {}
"""The chunk that was read last; it is forgotten before another is read."""


def _chunk_table(
    chunk: ParquetChunk, reading: ReadOptions
) -> tuple[LabelledScores, dict[str, NDArray[np.intp]]]:
    if (chunk, reading) not in _LAST:
        _LAST.clear()
        table = reading.read(chunk, series=reading.series)
        _LAST[chunk, reading] = table, _places(table.series)
    return _LAST[chunk, reading]


def _of_file(series: str, path: str, reading: ReadOptions) -> Unit:
    return Unit(series, partial(reading.read, path), path)


def _read_of_long_table(path: str, reading: ReadOptions, series: str) -> LabelledScores:
    """Read the file, unless it is the last that was read, and give the rows of a series."""
    table, places = _long_table(path, reading, _stamps(path, reading))
    return _rows(table, places[series], series)


def _stamps(path: str, reading: ReadOptions) -> tuple[int, ...]:
    """What changes with a file, or with one that is joined to it."""
    found = [Path(name).stat() for name in (path, *reading.also)]
    return tuple(n for one in found for n in (one.st_mtime_ns, one.st_size, one.st_ino))


@lru_cache(maxsize=1)
def _long_table(
    path: str, reading: ReadOptions, stamps: tuple[int, ...]
) -> tuple[LabelledScores, dict[str, NDArray[np.intp]]]:
    """Read a long table once per process, as long as no file of it changes."""
    del stamps  # a part of the key
    table = reading.read(path, series=reading.series)
    return table, _places(table.series)


def _places(series: NDArray[Any] | None) -> dict[str, NDArray[np.intp]]:
    """The rows of each id, in their order."""
    names, inverse = np.unique(np.asarray(series).astype(str), return_inverse=True)
    order = np.argsort(inverse, kind="stable")
    parts = np.split(order, np.flatnonzero(np.diff(inverse[order])) + 1)
    return dict(zip(names.tolist(), parts, strict=True))


def _rows(table: LabelledScores, rows: NDArray[np.intp], name: str) -> LabelledScores:
    scores = {detector: column[rows] for detector, column in table.scores.items()}
    roles = {role: vars(table)[role] for role in ("where", "group", "train", "tune_on", "window")}
    own: dict[str, Any] = {
        role: None if column is None else column[rows] for role, column in roles.items()
    }
    return LabelledScores(table.labels[rows], scores, None, name=name, **own)


def _in_frame(data: Any, columns: ReadOptions) -> list[Unit]:
    """Take a data frame as a long table."""
    found = frame_columns(data) or {}
    label, series = columns.label or "label", columns.series or "series"
    roles = {role: vars(columns)[role] for role in ("where", "group", "train", "tune_on", "window")}
    named_too = [name for name in roles.values() if name is not None]
    measured = () if columns.signal is None else (columns.signal,)
    for name in (label, series, *columns.scores, *measured, *named_too):
        if name not in found:
            raise InputError(f"data must have a column {name!r}, got {', '.join(found)}"[:300])
    named = {label, series, *named_too, *columns.scores}
    known = next((name for name in COLUMNS.times if name in found and name not in named), None)
    times = _index("data", found[label])
    if known is not None:
        times = (Recorded("data", known, np.asarray(found[known])),)
    named.add(known)
    scores = columns.scores or tuple(name for name in found if name not in named)
    scores = tuple(dict.fromkeys((*scores, *measured)))
    masks: dict[str, Any] = {
        role: None if roles[role] is None else np.asarray(found[roles[role]])
        for role in ("where", "train", "tune_on", "window")
    }
    arrays = {name: np.asarray(found[name]) for name in scores}
    truth = np.asarray(found[label])
    truth = truth if columns.positive is None else coded(truth, columns.positive)
    group = None if columns.group is None else ids(found[columns.group], columns.group)
    table = LabelledScores(
        truth, arrays, ids(found[series], series), name="data", group=group, recorded=times,
        **masks,
    )  # fmt: skip
    table = table.in_order(sort=columns.sort)
    places = _places(table.series)
    parts = ((name, _rows(table, rows, name)) for name, rows in places.items())
    return [Unit(name, partial(_itself, part), held=True) for name, part in parts]


def _held(name: object, value: Any, reading: ReadOptions) -> LabelledScores:
    """Take a series from memory: (labels, scores) or (labels, scores, where)."""
    match value:
        case (labels, scores) | (labels, scores, _):
            where = value[2] if len(value) == 3 else None
        case _:
            raise InputError(
                f"data[{name!r}] must be (labels, {{detector: scores}}) or "
                f"(labels, {{detector: scores}}, where), got {type(value).__name__}"
            )
    detectors = frame_columns(scores)
    if not detectors:
        raise InputError(f"data[{name!r}] must name its detectors, as in {{'mine': scores}}")
    if any(isinstance(one, PositionList) for one in (labels, *detectors.values())):
        raise InputError(
            f"data[{name!r}] must be columns of points, got changes, which rankings do not "
            "store; judge each series by adjudge.evaluate, and rank the values by "
            "adjudge.rank_values"
        )
    places = {detector: f"data[{name!r}][1][{detector!r}]" for detector in detectors}
    named = {places[detector]: one for detector, one in detectors.items()}
    truth, judged = f"data[{name!r}][0]", f"data[{name!r}][2]"
    check_indexes(**{truth: labels}, **named, where=where)
    table = LabelledScores(  # of arrays, which travel between processes
        column(labels, truth) if reading.positive is None else coded(labels, reading.positive),
        {detector: column(one, places[detector]) for detector, one in detectors.items()},
        None,
        None if where is None else column(where, judged),
        str(name),
        recorded=_index(f"data[{name!r}]", labels, *detectors.values()),
    )
    return table.in_order(sort=reading.sort)


def _index(what: str, *columns: Column) -> tuple[Recorded, ...]:
    """The DatetimeIndex of a column, which is known as its time."""
    held = (getattr(column, "index", None) for column in columns)
    found = next((one for one in held if type(one).__name__ == "DatetimeIndex"), None)
    return () if found is None else (Recorded(what, "index", np.asarray(found)),)
