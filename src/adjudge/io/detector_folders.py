"""A folder per detector with a file per series, where no published layout says how to read it.

Two forms. The files of labels lie by themselves, and the scores in ``<scores>/<detector>/<series>``
(in one folder: ``labels/`` beside the detectors). Or every ``<detector>/<series>`` has labels of
its own beside one score column. Then the labels of all detectors must be the same: no file decides
for the others, so a series with two versions of the truth fails as a whole.

Scores stand beside the labels row by row. What cannot be read, or is not as long as the labels,
fails that detector on that series and no other.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.errors import AdjudgeError, FileError, first_few, shown, visible
from adjudge.io.column_choice import COLUMNS, Cells, RequestedColumns
from adjudge.io.formats import IN_FOLDERS, read_part
from adjudge.io.labels_and_scores import LabelledScores, in_roles
from adjudge.io.layouts.contract import SCORE_SUFFIXES, score_column
from adjudge.io.text_files import without_packing

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

LABELS = "labels"
"""The folder of the labels, where it stands beside those of the detectors."""
SUFFIXES = frozenset({*IN_FOLDERS, *SCORE_SUFFIXES})


class ByFolder(NamedTuple):
    """The series of a folder per detector."""

    series: dict[str, tuple[Path | None, dict[str, Path]]]
    """By name: the file of its labels (None: each detector's has them), and one per detector."""
    left_out: dict[str, str]
    """Path -> why."""


def name_below(file: Path, folder: Path) -> str:
    """What a series is called: its path below a folder, without the suffix.

    >>> name_below(Path("data/nab/art.csv.gz"), Path("data"))
    'nab/art'
    """
    return Path(without_packing(file.relative_to(folder).as_posix())).with_suffix("").as_posix()


def is_below(file: Path, folder: Path) -> bool:
    """Tell whether a file lies somewhere in a folder, and is not that folder."""
    return folder.resolve() in file.resolve().parents


def beside_labels(
    labels: Mapping[str, Path], folder: Path, files: Iterable[Path], apart: Path
) -> ByFolder:
    """Find the scores of series whose labels lie by themselves.

    Parameters
    ----------
    labels : mapping
        Series -> the file of its labels.
    folder : path
        Holds a folder per detector.
    files : iterable of path
        All files below it.
    apart : path
        The folder of the labels, which is no detector.

    Raises
    ------
    FileError
        If there is no file of scores at all.
    """
    found: dict[str, tuple[Path | None, dict[str, Path]]] = {
        name: (file, {}) for name, file in labels.items()
    }
    last = _by_last_name(labels)
    left_out: dict[str, str] = {}
    for file in files:
        parts = file.relative_to(folder).parts
        if is_below(apart, folder) and is_below(file, apart):
            continue
        if len(parts) < 2 or suffix_of(file) not in SUFFIXES:
            left_out[str(file)] = "no <detector>/<series> of scores"
            continue
        inner = name_below(file, folder / parts[0])
        series = inner if inner in labels else last.get(inner.rpartition("/")[2])
        if series is None:
            left_out[str(file)] = "no series of that name"
            continue
        own = found[series][1]
        if parts[0] in own:
            raise FileError(
                f"{visible(file)}: {visible(own[parts[0]])} has scores of that series already"
            )
        own[parts[0]] = file
    if not any(detectors for _, detectors in found.values()):
        example = next(iter(labels))
        raise FileError(
            f"{visible(folder)}: must hold a folder per detector with a file per series, such as "
            f"lof/{visible(example)}.npy, got none"
        )
    return ByFolder(found, left_out)


def _by_last_name(labels: Mapping[str, Path]) -> dict[str, str]:
    """The series by the last part of their names, where it is that of one alone."""
    found: dict[str, list[str]] = {}
    for name in labels:
        found.setdefault(name.rpartition("/")[2], []).append(name)
    return {last: names[0] for last, names in found.items() if len(names) == 1}


_SERIES_TRIED, _FILES_TRIED = 20, 10
"""How many series tell detectors from data sets at most, and how many files of each."""


def each_labelled(root: Path, files: list[Path], **columns: Any) -> ByFolder | None:
    """Tell whether folders are detectors: files of one name with one score each, labelled alike.

    Folders of other data have unrelated labels in all files of one name: then they are data sets,
    and this gives None. A wrong file does not make data sets of detectors: where it is, the others
    agree, and most of its own labels are usually right.

    Parameters
    ----------
    root : path
        Holds the folders.
    files : list of path
        The tables below it.
    **columns
        How they are read, see `read_series`.
    """
    found: dict[str, tuple[Path | None, dict[str, Path]]] = {}
    for file in files:
        parts = file.relative_to(root).parts
        if len(parts) < 2:
            return None
        found.setdefault(name_below(file, root / parts[0]), (None, {}))[1][parts[0]] = file
    shared = (own for _, own in found.values() if len(own) > 1)
    return ByFolder(found, {}) if agree_on_labels(islice(shared, _SERIES_TRIED), columns) else None


def agree_on_labels(shared: Iterable[Mapping[str, Path]], columns: Mapping[str, Any]) -> bool:
    """Tell whether files are of detectors, not of data sets: those of one series have its labels.

    Parameters
    ----------
    shared : iterable of mapping
        Series that several may have: detector -> file.
    columns : mapping
        How they are read, see `read_series`.
    """
    compared = unrelated = False
    for own in shared:
        some = dict(islice(own.items(), _FILES_TRIED))
        for one, other in combinations(_read_each(some, **columns)[0].values(), 2):
            events = [np.asarray(table.labels) != 0 for table in (one, other)]
            shorter = min(map(len, events))
            both = np.count_nonzero(events[0][:shorter] & events[1][:shorter])
            apart = np.count_nonzero(events[0]) + np.count_nonzero(events[1]) - 2 * both
            if both > apart:
                return True
            compared = True
            unrelated |= bool(apart) or len(events[0]) != len(events[1])
    return compared and not unrelated


def suffix_of(file: str | Path) -> str:
    """The suffix of a file, without that of a packing.

    >>> suffix_of("a.csv.gz")
    '.csv'
    """
    return Path(without_packing(str(file))).suffix.lower()


def read_series(
    labels: Path | None,
    detectors: Mapping[str, Path],
    *,
    positive: Any = None,
    sep: str | None = None,
    decimal: str = ".",
    sort: bool = False,
    majority: bool = False,
    **columns: Any,
) -> LabelledScores:
    """Read the labels of a series once, and the scores of each detector.

    Parameters
    ----------
    labels : path or None
        The file of the labels; None: the files of the detectors have them, all the same ones.
    detectors : mapping
        Detector -> its file.
    positive, sep, decimal, sort, **columns
        See `adjudge.io.labels_and_scores.read`.
    majority : bool
        Whether labels are those of most files, and detectors with others fail on this series; else
        files that differ are refused, as are a tie and other lengths in any case.
    """
    if labels is None:
        columns |= {"positive": positive, "sep": sep, "decimal": decimal, "sort": sort}
        tables, broken = _read_each(detectors, **columns)
        if majority:
            tables, broken = _majority(tables, broken)
        return _one_truth(detectors, tables, broken)
    style, scores = Cells(sep, decimal, gaps=True), tuple(columns.pop("scores", ()))
    coded = positive is not None
    requested = RequestedColumns("", COLUMNS, **columns, coded=coded, scored=False)
    truth = in_roles([read_part(str(labels), requested, style)], positive)
    style = replace(style, rows=len(truth.labels))
    readers = {name: (file, scores, style) for name, file in detectors.items()}
    found, broken = dict(truth.scores), {}
    for name, how in readers.items():
        try:
            found[name] = _as_long(read_scores(*how), truth.labels, how[0])
        except AdjudgeError as error:
            broken[name] = str(error)
    if not found and not broken:
        raise FileError(f"{truth.name}: no detector has scores for this series")
    return replace(truth, scores=found, broken=broken).in_order(sort=sort)


def read_scores(file: Path, scores: tuple[str, ...], style: Cells) -> NDArray[Any]:
    """One column of scores: a file of numbers, or that of a table.

    Parameters
    ----------
    file, scores, style : Path, tuple of str, Cells
        The file, the name of the column if it has no usual one, and how cells are written.
    """
    if not scores and suffix_of(file) in SCORE_SUFFIXES and file.suffix.lower() in SCORE_SUFFIXES:
        return score_column(file, style.rows)
    requested = RequestedColumns("", COLUMNS, None, scores, labelled=False)
    part = read_part(str(file), requested, style)
    if len(part.columns.scores) != 1:
        got = ", ".join(part.columns.scores)
        raise FileError(f"{visible(file)}: there must be one score column, got {got}")
    return np.asarray(part.arrays[part.columns.scores[0]])


def _as_long(column: NDArray[Any], labels: NDArray[Any], file: Path) -> NDArray[Any]:
    if len(column) != len(labels):
        raise FileError(
            f"{visible(file)}: scores must be as long as the labels ({len(labels):,}), got "
            f"{len(column):,}"
        )
    return column


def _read_each(
    detectors: Mapping[str, Path],
    *,
    positive: Any = None,
    sep: str | None = None,
    decimal: str = ".",
    sort: bool = False,
    **columns: Any,
) -> tuple[dict[str, LabelledScores], dict[str, str]]:
    """Read files that each have labels and one score: by detector, and why one cannot be read."""
    requested = RequestedColumns("", COLUMNS, **columns, coded=positive is not None)
    found: dict[str, LabelledScores] = {}
    broken: dict[str, str] = {}
    for name, file in detectors.items():
        try:
            part = read_part(str(file), requested, Cells(sep, decimal, gaps=True))
            table = in_roles([part], positive).in_order(sort=sort)
            if len(table.scores) != 1:
                got = ", ".join(table.scores)
                raise FileError(f"{visible(file)}: there must be one score column, got {got}")
        except AdjudgeError as error:
            broken[name] = str(error)
        else:
            found[name] = table
    return found, broken


_OF_THE_SERIES = ("labels", "where", "train", "tune_on", "group", "window")
"""What files of several detectors say of one series, which must be the same in all."""


def _one_truth(
    files: Mapping[str, Path], tables: Mapping[str, LabelledScores], broken: Mapping[str, str]
) -> LabelledScores:
    """Put the scores of detectors beside the labels on which all their files agree."""
    if not tables:
        raise FileError(next(iter(broken.values())))
    for role in _OF_THE_SERIES:
        columns = {name: vars(table)[role] for name, table in tables.items()}
        if columns[next(iter(tables))] is not None:  # asked for, of all files
            _refuse_others(role, files, columns)
    scores = {name: column for name, table in tables.items() for column in table.scores.values()}
    return replace(next(iter(tables.values())), scores=scores, broken=dict(broken))


def _majority(
    tables: Mapping[str, LabelledScores], broken: Mapping[str, str]
) -> tuple[dict[str, LabelledScores], dict[str, str]]:
    """Keep the files with the labels of most; of a tie, and of other lengths, all."""
    most, *others = _alike({name: table.labels for name, table in tables.items()}) or [[]]
    lengths = {len(table.labels) for table in tables.values()}
    if not others or len(lengths) > 1 or len(others[0]) == len(most):
        return dict(tables), dict(broken)  # what is wrong is refused with all others
    why = f"labels differ from those of {len(most)} of {len(tables)} files"
    odd = {name: why for own in others for name in own}
    return {name: tables[name] for name in tables if name not in odd}, {**broken, **odd}


def _alike(columns: Mapping[str, Any]) -> list[list[str]]:
    """Who has the same column, most of them first."""
    alike: list[list[str]] = []
    for name, column in columns.items():
        for own in alike:
            if _first_other(columns[own[0]], column) < 0:
                own.append(name)
                break
        else:
            alike.append([name])
    return sorted(alike, key=len, reverse=True)


def _refuse_others(role: str, files: Mapping[str, Path], columns: Mapping[str, Any]) -> None:
    """Refuse files that differ in a role, and name those that do from most; of a tie, two."""
    most, *others = _alike(columns)
    if not others:
        return
    is_tie = len(most) == len(others[0])
    odd = others[0][:1] if is_tie else [name for one in others for name in one]
    mine, theirs = columns[odd[0]], columns[most[0]]
    place = _first_other(mine, theirs)
    got, known, at = shown(mine[place]), shown(theirs[place]), f" at row {place}"
    if len(mine) != len(theirs):
        got, known, at = f"{len(mine):,} rows", f"{len(theirs):,}", ""
    wrong = first_few([visible(name) for name in odd], 3)
    right = visible(most[0]) if is_tie else f"{len(most)} others"
    fix = "one of them" if is_tie else wrong
    raise FileError(
        f"{visible(files[odd[0]].name)}: {role} must be the same for all detectors, got {got} of "
        f"{wrong} for {known} of {right}{at}; correct the file of {fix}"
    )


def _first_other(one: NDArray[Any], other: NDArray[Any]) -> int:
    """The first row in which two columns differ; of other lengths, the first of all; -1: none."""
    if len(one) != len(other):
        return 0
    known = (one == one) | (other == other)  # noqa: PLR0124 - NaN in both is no difference
    differ = np.flatnonzero((one != other) & known)
    return int(differ[0]) if differ.size else -1
