"""What every layout gives: its series, each with a way to read it, and the files of scores.

A layout is declared by `layout`; others may add theirs.

Scores lie in ``<scores>/<detector>/<series>.npy`` (or .csv, .txt, .ts), with or without folders in
between. A file of scores is one column of numbers; a CSV may have a header and further columns.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import numpy as np

from adjudge.errors import AdjudgeError, FileError, InputError, shown
from adjudge.io.column_choice import COLUMNS, RANKS, Cells, RequestedColumns, is_rounded
from adjudge.io.formats import ReadColumns, read_part
from adjudge.io.formats.numpy_files import read_vector
from adjudge.io.labels_and_scores import LabelledScores, recorded
from adjudge.io.text_files import Lines, opened
from adjudge.registry import Registry

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Mapping

    from numpy.typing import NDArray

    Find = Callable[[Path, Path | None, str | None], "BenchmarkLayout | None"]

FIX = "name their folder"
SCORE_SUFFIXES = (".npy", ".csv", ".txt", ".ts")


@dataclass(frozen=True)
class StoredSeries:
    """One series of a benchmark: what it is called, and how to read its labels and scores.

    Attributes
    ----------
    name
        The name of the series, unique in its group.
    group
        The data set or domain that it belongs to; "" where there is none.
    unchecked
        Reads the series, whose rows may still be in any order, and which may have no scores.
    signals
        Reads what its sensors measured, by name; nothing where the layout does not hold it.
    """

    name: str
    group: str
    unchecked: Callable[[], LabelledScores]
    signals: Callable[[], Mapping[str, NDArray[Any]]] = dict

    def load(self, *, sort: bool = False, partly: bool = False) -> LabelledScores:
        """Read the series: a `LabelledScores`, whose ``scores`` have one array per detector.

        Rows that go back in time are refused, or sorted on request. So are scores of a detector
        that cannot be read or do not fit; on request only that detector is left out (`broken`).
        """
        found = self.unchecked()
        if not found.scores and not found.broken:
            raise FileError(f"{found.name}: no detector has scores for this series; {FIX}")
        if found.broken and not partly:
            raise FileError(next(iter(found.broken.values())))
        # A benchmark means its first rows, whichever they are once they are sorted.
        return replace(found.in_order(sort=sort), where=found.where, train=found.train)


@dataclass(frozen=True)
class BenchmarkLayout:
    """A folder or file that was recognised: by what, and its series."""

    summary: str
    series: tuple[StoredSeries, ...]
    files: tuple[Path, ...] = ()
    """Where a series is a file that its name makes one: those files."""
    name: str = ""
    """As what: the name of the layout, which `adjudge.io.layouts.find_layout` gives it."""


class KnownLayout(NamedTuple):
    """A form in which benchmarks are stored: how it is told, and how it is found."""

    find: Find
    looks: str
    """What it is recognised by, in Markdown."""
    scores: str
    """Where its scores lie."""
    last: bool
    """Asked after the others: one that reads any table to see what it is."""


def _check_layout(name: str, known: object) -> None:
    if not isinstance(known, KnownLayout):
        raise InputError(f"layout {name} must be declared by @layout, got {shown(known)}")


LAYOUTS: Registry[KnownLayout] = Registry("layout", "adjudge.layouts", check=_check_layout)


def layout(
    name: str, looks: str, scores: str, *, last: bool = False
) -> Callable[[Find], KnownLayout]:
    """Declare a layout: `find_layout`, its messages and the documentation know it from now on.

    A package that wants its layouts to be there whenever it is installed names them as entry points
    of the group ``adjudge.layouts``.

    Parameters
    ----------
    name : str
        What it is called.
    looks, scores : str
        What it is recognised by, and where its scores lie, in a few words of Markdown.
    last : bool
        Whether it is asked after those that names and folders are enough for.

    Returns
    -------
    callable
        To decorate a function ``(path, scores, judged) -> Layout or None`` with.
    """
    return lambda find: LAYOUTS.add(name, KnownLayout(find, looks, scores, last))


def part(
    path: Path,
    *,
    label: str | None,
    scores: tuple[str, ...] = (),
    rows: int | None = None,
    **roles: Any,
) -> ReadColumns:
    """Read some columns of a table; without a label it has none."""
    requested = RequestedColumns("", COLUMNS, label, scores, labelled=False, scored=False, **roles)
    return read_part(str(path), requested, Cells(gaps=True, rows=rows))  # for the judging to refuse


def score_files(scores: str | Path | None) -> dict[str, dict[str, Path]]:
    """Find the files of scores: by series, then by detector."""
    found: dict[str, dict[str, Path]] = {}
    if scores is None:
        return found
    root = Path(scores)
    if not root.is_dir():
        raise FileError(f"{root}: the scores must be a folder, <detector>/<series>.npy")
    for path in sorted(root.glob("*/**/*")):
        if path.suffix.lower() in SCORE_SUFFIXES and path.is_file():
            detector = path.relative_to(root).parts[0]
            files = found.setdefault(path.stem, {})
            if detector in files:
                raise FileError(f"{path}: {files[detector]} has scores of that series already")
            files[detector] = path
    return found


def named_files(
    path: Path, ending: str, pattern: re.Pattern[str], scores: Path | None
) -> list[tuple[Path, re.Match[str], dict[str, Path]]]:
    """Files whose names say what they are, in a folder or alone: each with the scores for it.

    None are found where no name fits, or a file alone has no scores.
    """
    files = sorted(path.glob(f"*{ending}")) if path.is_dir() else [path]
    named = [(file, match) for file in files if (match := pattern.match(file.stem))]
    if not named or (scores is None and path.is_file()):
        return []
    stored = score_files(scores)
    return [(file, match, stored.get(file.stem, {})) for file, match in named]


def each_named(
    named: list[tuple[Path, re.Match[str], dict[str, Path]]],
    load: Callable[..., LabelledScores],
    signals: Callable[[Path], dict[str, NDArray[Any]]],
    told: str,
) -> BenchmarkLayout | None:
    """A series for each file that `named_files` has found; None: there is none.

    Parameters
    ----------
    named : list
        As `named_files` gives it; a group of the pattern that is called so is that of the series.
    load, signals : callable
        What reads labels and scores by file, match and detectors, and what reads the signals.
    told : str
        Where labels come from, in words.
    """
    series = tuple(
        StoredSeries(
            file.stem,
            match.groupdict().get("group", ""),
            partial(load, file, match, detectors),
            partial(signals, file),
        )
        for file, match, detectors in named
    )
    return BenchmarkLayout(told, series, tuple(file for file, *_ in named)) if named else None


def score_columns(
    detectors: Mapping[str, Path],
) -> tuple[dict[str, NDArray[Any]], dict[str, str]]:
    """Read the file of scores of each detector, and say whose cannot be read."""
    return each_column({name: partial(score_column, path) for name, path in detectors.items()})


def score_column(path: Path, rows: int | None = None) -> NDArray[Any]:
    """Read a file of scores: one column of numbers, of which no more rows than these are of use."""
    with opened(path) as stream:
        if path.suffix.lower() == ".npy":
            return read_vector(stream, str(path))
        first = next(iter(Lines(stream, str(path))), "")
        if _is_number(first):
            stream.seek(0)
            return _plain_numbers(stream, path, rows)
    read = part(path, label=None, rows=rows)
    for times in recorded(read):
        times.check(fix="sort its rows: they are matched to labels by position")
    if len(read.columns.scores) != 1:
        got = ", ".join(read.columns.scores) or "none"
        raise FileError(f"{path}: there must be one score column, got {got}")
    return np.asarray(read.arrays[read.columns.scores[0]])


def each_column(
    readers: Mapping[str, Callable[[], NDArray[Any]]],
) -> tuple[dict[str, NDArray[Any]], dict[str, str]]:
    """Read the scores of each detector, and say whose cannot be read."""
    columns, broken = {}, {}
    for detector, read in readers.items():
        try:
            columns[detector] = read()
        except AdjudgeError as error:
            broken[detector] = str(error)
    return columns, broken


def plain_numbers(path: Path) -> NDArray[np.float64]:
    """Read a text of numbers without a header: one per line, or all on one line."""
    with opened(path) as stream:
        return _plain_numbers(stream, path)


def _plain_numbers(stream: BinaryIO, path: Path, rows: int | None = None) -> NDArray[np.float64]:
    numbers: list[float] = []
    lines, style = Lines(stream, str(path)), Cells(rows=rows)
    for line in lines:
        style.refuse_more(len(numbers), str(path), known=False)
        for cell in line.replace(",", " ").split():
            if not _is_number(cell):
                raise FileError(f"{path}: line {lines.number}: not a number: {cell[:40]!r}")
            if is_rounded(cell):
                raise FileError(
                    f"{path}: line {lines.number}: no float64 is exactly {cell[:40]}; {RANKS}"
                )
            numbers.append(float(cell))
        lines.ended()
    return np.array(numbers)


def table(
    name: str,
    labels: NDArray[Any],
    columns: Mapping[str, NDArray[Any]],
    *,
    train: int = 0,
    judged: str = "all",
    also: Iterable[str] = (),
    broken: Mapping[str, str] | None = None,
    **more: Any,
) -> LabelledScores:
    """Put labels and scores together; scores that are not as long as the labels are broken.

    ``judged`` says whether the first ``train`` rows are judged: "all" or "test".
    """
    n = len(labels)
    unfit = {
        detector: f"{name}: scores of {detector} must be as long as the labels ({n:,}), got "
        f"{len(column):,}"
        for detector, column in columns.items()
        if len(column) != n
    }
    columns = {detector: column for detector, column in columns.items() if detector not in unfit}
    learnt = np.arange(n) < train
    parts = [f"{len(columns)} detector{'s' * (len(columns) != 1)}", *also]
    if train:
        parts.append(f"first {train:,} rows {'judged too' if judged == 'all' else 'not judged'}")
    return LabelledScores(
        labels=labels,
        scores=dict(columns),
        series=None,
        where=~learnt if train and judged == "test" else None,
        name=name,
        train=learnt if train else None,
        summary=", ".join([*parts, f"{n:,} row{'s' * (n != 1)}"]),
        broken={**(broken or {}), **unfit},
        **more,
    )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return "_" not in text
