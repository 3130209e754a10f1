"""A folder per detector with a file per series, where no published layout says how to read it.

Two forms. The files of labels lie by themselves, and the scores in ``<scores>/<detector>/<series>``
(in one folder: ``labels/`` beside the detectors). Or every ``<detector>/<series>`` has labels of
its own beside one score column; then the labels of all detectors must be the same.

Scores stand beside the labels row by row. What cannot be read, or is not as long as the labels,
fails that detector on that series and no other.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.errors import AdjudgeError, FileError, visible
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
_SUFFIXES = frozenset({*IN_FOLDERS, *SCORE_SUFFIXES})


class Found(NamedTuple):
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
) -> Found:
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
        if len(parts) < 2 or _suffix(file) not in _SUFFIXES:
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
    return Found(found, left_out)


def _by_last_name(labels: Mapping[str, Path]) -> dict[str, str]:
    """The series by the last part of their names, where it is that of one alone."""
    found: dict[str, list[str]] = {}
    for name in labels:
        found.setdefault(name.rpartition("/")[2], []).append(name)
    return {last: names[0] for last, names in found.items() if len(names) == 1}


def each_labelled(root: Path, files: list[Path]) -> Found | None:
    """Tell whether folders are detectors: files of one name with the same labels, one score each.

    Folders of other data have other labels: then they are data sets, and this gives None.
    """
    found: dict[str, tuple[Path | None, dict[str, Path]]] = {}
    for file in files:
        parts = file.relative_to(root).parts
        if len(parts) < 2:
            return None
        found.setdefault(name_below(file, root / parts[0]), (None, {}))[1][parts[0]] = file
    shared = next((own for _, own in found.values() if len(own) > 1), None)
    if shared is None:
        return None
    try:
        one, other = (_plain(file) for file in list(shared.values())[:2])
    except AdjudgeError:
        return None
    single = len(one.scores) == len(other.scores) == 1
    return Found(found, {}) if single and _first_other(one.labels, other.labels) is None else None


def _plain(file: Path) -> LabelledScores:
    requested = RequestedColumns("", COLUMNS)
    return in_roles([read_part(str(file), requested, Cells(gaps=True))])


def _suffix(file: Path) -> str:
    return Path(without_packing(str(file))).suffix.lower()


def read_series(
    labels: Path | None,
    detectors: Mapping[str, Path],
    *,
    positive: Any = None,
    sep: str | None = None,
    decimal: str = ".",
    sort: bool = False,
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
    """
    style, scores = Cells(sep, decimal, gaps=True), tuple(columns.pop("scores", ()))
    coded = positive is not None
    requested = RequestedColumns("", COLUMNS, **columns, coded=coded, scored=False)
    if labels is None:
        requested = replace(requested, scores=scores, scored=True)
        return _from_each(detectors, requested, style, positive).in_order(sort=sort)
    truth = in_roles([read_part(str(labels), requested, style)], positive)
    style = replace(style, rows=len(truth.labels))
    readers = {name: (file, scores, style) for name, file in detectors.items()}
    found, broken = dict(truth.scores), {}
    for name, how in readers.items():
        try:
            found[name] = _as_long(_scores(*how), truth.labels, how[0])
        except AdjudgeError as error:
            broken[name] = str(error)
    if not found and not broken:
        raise FileError(f"{truth.name}: no detector has scores for this series")
    return replace(truth, scores=found, broken=broken).in_order(sort=sort)


def _scores(file: Path, scores: tuple[str, ...], style: Cells) -> NDArray[Any]:
    """One column of scores: a file of numbers, or that of a table."""
    if not scores and _suffix(file) in SCORE_SUFFIXES and file.suffix.lower() in SCORE_SUFFIXES:
        return score_column(file, style.rows)
    requested = RequestedColumns("", COLUMNS, None, scores, labelled=False)
    part = read_part(str(file), requested, style)
    if len(part.columns.scores) != 1:
        got = ", ".join(part.columns.scores)
        raise FileError(f"{visible(file)}: there must be one score column, got {got}")
    column: NDArray[Any] = part.arrays[part.columns.scores[0]]
    return column


def _as_long(column: NDArray[Any], labels: NDArray[Any], file: Path) -> NDArray[Any]:
    if len(column) != len(labels):
        raise FileError(
            f"{visible(file)}: scores must be as long as the labels ({len(labels):,}), got "
            f"{len(column):,}"
        )
    return column


def _from_each(
    detectors: Mapping[str, Path], requested: RequestedColumns, style: Cells, positive: Any
) -> LabelledScores:
    """Read files that each have labels and one score; the labels are those of the first."""
    first: LabelledScores | None = None
    found: dict[str, NDArray[Any]] = {}
    broken: dict[str, str] = {}
    for name, file in detectors.items():
        try:
            table = in_roles([read_part(str(file), requested, style)], positive)
            if len(table.scores) != 1:
                got = ", ".join(table.scores)
                raise FileError(f"{visible(file)}: there must be one score column, got {got}")
            first = first or table
            _refuse_other_labels(table, first, file)
        except AdjudgeError as error:
            broken[name] = str(error)
        else:
            (found[name],) = table.scores.values()
    if first is None:
        raise FileError(next(iter(broken.values())))
    return replace(first, scores=found, broken=broken)


def _refuse_other_labels(table: LabelledScores, first: LabelledScores, file: Path) -> None:
    _as_long(table.labels, first.labels, file)
    place = _first_other(table.labels, first.labels)
    if place is not None:
        raise FileError(
            f"{visible(file)}: labels must be those of the other detectors, got "
            f"{table.labels[place]} for {first.labels[place]} at row {place}"
        )


def _first_other(one: NDArray[Any], other: NDArray[Any]) -> int | None:
    """The first place at which two columns of labels differ; of other lengths, the first of all."""
    if len(one) != len(other):
        return 0
    differ = np.flatnonzero(np.asarray(one) != np.asarray(other))
    return int(differ[0]) if differ.size else None
