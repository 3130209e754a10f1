"""Read a file of labels and scores: CSV, JSON, Parquet, Feather, NumPy.

A table has one row per point in time: a label column, one score column per detector, and
optionally columns of series ids, of time, and masks of rows. Which column is which follows one
rule, and nothing else is guessed:

- the label is the column called ``label``, ``Label``, ``labels`` or ``is_anomaly``;
- the scores are ``score``, ``Score``, ``scores``, ``anomaly_score`` and every column whose name
  starts with ``score_``;
- the arrays of an ``.npz`` archive have the same names;
- any of them can be named instead, and series ids, time and masks always are;
- a column called ``timestamp``, ``time`` or ``date`` shows whether the rows are in order.

Labels and scores may lie in several files, which are then joined. A detector is called what its
column is called; of a joined file whose one score column has a usual name, what the file is called.
Values are given as they stand: whether labels are 0 or 1 and scores are finite is for the judging
to say. Every table says in one line how it was read, and every refusal is one line that begins
with the file.

Join files of scores to a file of labels: row by row, or by key columns such as the time.

Keys are compared as numbers where both files have numbers, as instants where both have times, and
as text otherwise. A key must be there once in each file. Rows without a partner are refused, with
their number, unless only the common rows are wanted.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.data.clock import Clock, same_zone
from adjudge.data.columns import coded
from adjudge.data.event_checks import by_series
from adjudge.data.interval_reading import HOUR_TWICE, shows_an_hour_twice, steps_within
from adjudge.data.intervals import repeat
from adjudge.data.written_forms import EvenTexts
from adjudge.errors import FileError, InputError, UnknownName
from adjudge.io.column_choice import COLUMNS, ROLES, Cells, RequestedColumns, option_of
from adjudge.io.formats import ReadColumns, read_part, taken
from adjudge.io.parquet_sets import ParquetChunk, read_chunk
from adjudge.io.text_files import without_packing

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray


_WHOLE = re.compile(r"\s*[+-]?\d{1,30}\s*")


def matched(
    first: ReadColumns, others: Sequence[ReadColumns], *, inner: bool
) -> tuple[list[ReadColumns], str]:
    """The parts with their rows matched, and how that was done."""
    if not first.columns.keys:
        for other in others:
            if other.rows != first.rows:
                raise FileError(
                    f"{other.file}: files joined row by row must be equally long, got "
                    f"{other.rows:,} rows for {first.rows:,} of {first.file}; --on names the "
                    "column to join by"
                )
        return [first, *others], "joined row by row"
    places = [_places(first, other, inner=inner) for other in others]
    keep = np.flatnonzero(np.all([place >= 0 for place in places], axis=0))
    if not keep.size:
        raise FileError(f"{others[0].file}: no row has a partner in {first.file}")
    parts = [first.taken(keep)]
    parts += [other.taken(place[keep]) for other, place in zip(others, places, strict=True)]
    dropped = first.rows - len(keep)
    without = f", {dropped:,} rows without a partner left out" if dropped else ""
    return parts, f"joined on {' and '.join(first.columns.keys)}{without}"


def _places(first: ReadColumns, other: ReadColumns, *, inner: bool) -> NDArray[np.int64]:
    """Give, for each row of the first part, the row of the other with the same key; -1: none."""
    codes = np.zeros(first.rows + other.rows, np.int64)
    for key in first.columns.keys:
        both = np.concatenate(_comparable(first, other, key))
        _, place = np.unique(both, return_inverse=True)
        codes = np.unique(codes * (len(both) + 1) + place, return_inverse=True)[1]
    ours, theirs = codes[: first.rows], codes[first.rows :]
    for part, keys in ((first, ours), (other, theirs)):
        _refuse_repeats(part, keys)
    rows = np.full(int(codes.max()) + 1, -1)
    rows[theirs] = np.arange(other.rows)
    found = rows[ours]
    lonely = int(np.count_nonzero(found < 0)), other.rows - int(np.count_nonzero(found >= 0))
    if any(lonely) and not inner:
        raise FileError(
            f"{other.file}: every row must have a partner on {' and '.join(first.columns.keys)}, "
            f"got {lonely[0]:,} of {first.rows:,} rows of {first.file} and {lonely[1]:,} of "
            f"{other.rows:,} rows of {other.file} without one; --inner leaves them out"
        )
    return found


def _refuse_repeats(part: ReadColumns, keys: NDArray[np.int64]) -> None:
    order = np.argsort(keys, kind="stable")
    again = np.flatnonzero(keys[order][1:] == keys[order][:-1])
    if again.size:
        one, other = sorted(order[again[0] : again[0] + 2].tolist())
        shown = ", ".join(str(part.arrays[key][other]) for key in part.columns.keys)
        raise FileError(
            f"{part.file}: keys must be unique, got {shown!r} in rows {one} and {other} "
            f"(counted from 0, {again.size:,} repeats in all); add a column with --on, or join "
            "row by row without --on"
        )


def _comparable(first: ReadColumns, other: ReadColumns, key: str) -> tuple[Any, Any]:
    """A key of both parts as numbers, as instants or as text."""
    ours, theirs = first.arrays[key], other.arrays[key]
    with suppress(ValueError, TypeError):
        return numbers(ours), numbers(theirs)
    clocks = []
    with suppress(InputError):
        clocks = [(part.file, Clock.read(part.arrays[key], key)) for part in (first, other)]
    if clocks:
        same_zone(clocks)
        return clocks[0][1].instants, clocks[1][1].instants
    return _texts(ours), _texts(theirs)


def numbers(values: Any) -> NDArray[Any]:
    """Numbers, or text that is numbers, as they are: whole ones of any length lose no digit.

    >>> numbers(np.array(["1700000000123456789", "12"], object))
    array([1700000000123456789,                  12])
    >>> numbers(np.array(["0.5", "12"], object))
    array([ 0.5, 12. ])
    """
    array = np.asarray(values)
    if array.dtype.kind == "M":
        raise TypeError("times are no numbers")
    if array.dtype.kind in "iu":
        return array.astype(object if array.dtype == np.uint64 else np.int64)
    listed = array.tolist()
    if all(isinstance(v, int) or (isinstance(v, str) and _WHOLE.fullmatch(v)) for v in listed):
        whole = np.array([int(v) for v in listed])
        return whole if whole.dtype == np.int64 else whole.astype(object)
    return np.asarray(array, np.float64)


def _texts(values: Any) -> NDArray[Any]:
    return np.array([str(value).strip() for value in np.asarray(values).tolist()])


@dataclass(frozen=True, eq=False)
class LabelledScores:
    """What a file holds, by role.

    Attributes
    ----------
    labels
        One label per row.
    scores
        One array per detector, in the order of the columns.
    series
        The id of each row's series: whole numbers, or objects of type ``str``; None if not asked.
    where
        True for each row to judge; None if not asked.
    name
        The file's own name, without its folder.
    time
        When each row was, as `adjudge.data.clock.Clock` reads it; None if not asked.
    train, tune_on
        True for each row that a threshold is learnt or tuned on; None if not asked.
    group
        The id of each row's data set, or of what else is the unit of evidence; None if not asked.
    window
        The window of each row's series, for metrics that have one; None if not asked.
    about
        What each row says of its event, such as its kind; None if not asked.
    summary
        How the file was read, in one line.
    recorded
        Columns known as time that were not asked for, until `in_order` has looked at them.
    watching
        Of incidents and alerts: what says which time was watched, as `adjudge.evaluate` takes it.
    broken
        Detectors whose scores cannot be read or do not fit, each with the reason.
    beside
        Of several channels or annotators: their names, and what else `adjudge.evaluate` takes.
    from_prometheus
        Whether it is an answer of Prometheus, whose times are instants.
    """

    labels: NDArray[Any]
    scores: dict[str, NDArray[Any]]
    series: NDArray[Any] | None
    where: NDArray[Any] | None
    name: str
    time: Any = None
    train: NDArray[Any] | None = None
    tune_on: NDArray[Any] | None = None
    group: NDArray[Any] | None = None
    window: NDArray[Any] | None = None
    about: NDArray[Any] | None = None
    summary: str = ""
    recorded: tuple[Recorded, ...] = ()
    watching: Mapping[str, Any] = field(default_factory=dict)
    broken: Mapping[str, str] = field(default_factory=dict)
    beside: Mapping[str, Any] = field(default_factory=dict)
    from_prometheus: bool = False

    def in_order(self, *, sort: bool) -> LabelledScores:
        """The table, once its rows are known to be in order; on request they are sorted first."""
        if sort and self.recorded:
            return self._sorted()
        if sort and self.time is None:
            raise InputError(
                f"{self.name}: --sort needs a time; name its column with --time (known by name: "
                f"{', '.join(COLUMNS.times)})"
            )
        again = [one.check(self.series) for one in self.recorded]
        note = f", {max(again):,} rows repeat the time before them" if any(again) else ""
        return replace(self, summary=self.summary + note, recorded=())

    def _sorted(self) -> LabelledScores:
        """Put all rows in the order of the first column that is known as time."""
        first, *others = self.recorded
        rows = first.order(self.series)
        moved: dict[str, Any] = {
            role: None if values is None else taken(values, rows)
            for role, values in vars(self).items()
            if role in {"labels", *ROLES}
        }
        moved["scores"] = {name: taken(values, rows) for name, values in self.scores.items()}
        moved["recorded"] = tuple(one._replace(values=taken(one.values, rows)) for one in others)
        summary = f"{self.summary}, sorted by {first.name}"
        return replace(self, summary=summary, **moved).in_order(sort=False)


class Recorded(NamedTuple):
    """A column that is known as time and was not asked for: it shows whether rows are in order."""

    file: str
    name: str
    values: Any

    def check(
        self, series: Any = None, fix: str = "--sort (sort=True) sorts the rows by it"
    ) -> int:
        """Refuse rows that go back within their series; count those that repeat the time before.

        What is neither numbers nor times says nothing about the order.
        """
        if series is None and self._increases_as_text():
            return 0
        try:
            found = self._found(series)
        except FileError:
            return 0
        if found.hour_twice or np.any(found.steps < 0):
            hint = "" if series is not None else "; --series names the column of several series"
            raise self._refusal(found, HOUR_TWICE if found.hour_twice else fix + hint)
        return int(np.count_nonzero(found.steps == 0))

    def order(self, series: Any = None) -> NDArray[np.int64]:
        """The rows in the order of time, series by series; those that are in order stay there."""
        found = self._found(series)
        if found.hour_twice:
            raise self._refusal(found, HOUR_TWICE)
        if not np.any(found.steps < 0):
            return found.rows
        _, ranks = np.unique(found.values, return_inverse=True)
        group = repeat(np.arange(len(found.bounds) - 1), np.diff(found.bounds))
        order = np.lexsort((ranks, group))
        twice = steps_within(ranks[order], found.bounds) == 0
        if np.any(twice):
            text = self._text(int(found.rows[order[int(np.argmax(twice))]]))
            raise FileError(
                f"{self.file}: column {self.name!r} must have unique times to sort by, got "
                f"{text} again ({np.count_nonzero(twice):,} such rows); --series names the "
                "column of several series"
            )
        rows: NDArray[np.int64] = found.rows[order]
        return rows

    def shows_an_hour_twice(self) -> bool:
        """Whether the rows are in order, but the clock was put back by an hour among them."""
        return self._found(None).hour_twice

    def _increases_as_text(self) -> bool:
        """Whether these are dates in ISO form, as long as each other, whose text increases.

        Then so do the times, which need not be read: that takes longer than all the rest.
        """
        if isinstance(self.values, EvenTexts):
            return self.values[0][4:5] == "-" and self.values.increases
        texts = self.values.tolist() if isinstance(self.values, np.ndarray) else []
        if not all(isinstance(text, str) for text in texts) or len(set(map(len, texts))) != 1:
            return False
        return texts[0][4:5] == "-" and all(one < other for one, other in pairwise(texts))

    def _found(self, series: Any) -> _InSeries:
        """What the column says, series by series: numbers, or times."""
        values, clock = self.comparable()
        rows, bounds = by_series(series, len(values))
        values = values[rows]
        steps = steps_within(values, bounds)
        twice = clock is not None and shows_an_hour_twice(Clock(values, clock.zone), steps)
        return _InSeries(rows, bounds, values, steps, twice)

    def comparable(self) -> tuple[NDArray[Any], Clock | None]:
        """What is compared: numbers, or the instants of a clock."""
        with suppress(ValueError, TypeError):
            found = numbers(self.values)
            if not np.any(found != found):  # noqa: PLR0124 - only NaN is not itself
                return found, None
        try:
            clock = Clock.read(self.values, self.name)
        except InputError as error:
            raise FileError(f"{self.file}: {error}") from error
        return clock.instants, clock

    def _refusal(self, found: _InSeries, fix: str) -> FileError:
        back = found.steps <= 0 if found.hour_twice else found.steps < 0
        place, often = int(np.argmax(back)), np.count_nonzero(back)
        before, row = found.rows[place : place + 2].tolist()
        return FileError(
            f"{self.file}: column {self.name!r} must increase from row to row, got "
            f"{self._text(row)} after {self._text(before)} at row {row} ({often:,} such steps, "
            f"rows counted from 0); {fix}"
        )

    def _text(self, row: int) -> str:
        return str(taken(self.values, np.array([row]))[0])


class _InSeries(NamedTuple):
    """A column of times, series by series."""

    rows: NDArray[np.int64]
    bounds: NDArray[np.int64]
    values: NDArray[Any]
    steps: NDArray[Any]
    hour_twice: bool


def recorded(part: ReadColumns) -> tuple[Recorded, ...]:
    """The column of a file that is known as time, if there is one."""
    name = part.columns.known_time
    return () if name is None else (Recorded(part.file, name, part.arrays[name]),)


def read(
    source: str | os.PathLike[str] | ParquetChunk,
    *,
    label: str | None = None,
    scores: str | Iterable[str] = (),
    series: str | None = None,
    where: str | None = None,
    time: str | None = None,
    train: str | None = None,
    tune_on: str | None = None,
    group: str | None = None,
    window: str | None = None,
    about: str | None = None,
    positive: str | float | None = None,
    missing: str = "refuse",
    sep: str | None = None,
    decimal: str = ".",
    also: Iterable[str | os.PathLike[str]] = (),
    on: str | Iterable[str] = (),
    inner: bool = False,
    sort: bool = False,
    signal: str | None = None,
    labelled: bool = True,
) -> LabelledScores:
    """Read the labels and scores of a file, or of several that belong together.

    Parameters
    ----------
    source
        A path ending in .csv, .tsv, .txt, .jsonl, .json (these also packed: .gz, .bz2, .xz, .zst),
        .parquet, .feather, .arrow, .npy or .npz, or ``"-"`` for CSV text on standard input; or
        some series of Parquet files.
    label
        The label column, if not one of the usual names.
    scores
        The score columns, if not the usual names; each may be a pattern such as ``det_*``.
    series, where, time, train, tune_on, group, window, about
        The columns of series ids, of the mask of rows to judge, of the time, of the masks of rows
        that thresholds are learnt or tuned on, of the ids of data sets, of the window of each
        series, and of what is said of events, if any.
    positive
        The label that means an anomaly, where labels are not 0 and 1.
    missing
        "refuse" or "skip": whether scores may be missing, to be left out by the judging.
    sep, decimal
        How the cells of a text are parted, and its decimal mark.
    also
        Further files, with scores, to join to the first.
    on
        The columns to join by, in every file. Default: row by row.
    inner
        Leave out rows without a partner.
    sort
        Sort the rows by a column known as time (``timestamp``, ``time`` or ``date``). Without it
        rows that go back in such a column are refused. Where ``time`` names a column the judging
        sorts.
    signal
        The column of the first file that a sensor measured: read as one more score.
    labelled
        Whether a column has the labels; without one they are all 0, until incidents say more.

    Returns
    -------
    Table
        Columns of one length, at least one row.

    Raises
    ------
    FileError
        If the file cannot be read as it is.
    UnknownName
        If a column asked for is not there.
    MissingExtra
        If the file is Parquet, Feather, Arrow or .zst and pyarrow is not installed.
    """
    if missing not in {"refuse", "skip"}:
        raise InputError(f"missing must be 'refuse' or 'skip', got {missing!r}")
    style = Cells(sep, decimal, gaps=missing == "skip")
    names = (scores,) if isinstance(scores, str) else tuple(scores)
    keys, others = (on,) if isinstance(on, str) else tuple(on), [os.fspath(path) for path in also]
    requested = RequestedColumns(
        "", COLUMNS, label, names, keys, labelled=labelled, scored=not others,
        coded=positive is not None,
        signal=signal, series=series, where=where, time=time, train=train, tune_on=tune_on,
        group=group, window=window, about=about,
    )  # fmt: skip
    if isinstance(source, ParquetChunk):
        first, sort = read_chunk(source, requested, style), sort or source.scattered
    else:
        first = read_part(os.fspath(source), requested, style)
    if not others:
        return in_roles([first], positive).in_order(sort=sort)
    requested = RequestedColumns("", COLUMNS, None, names, keys=keys, labelled=False)
    parts, how = matched(first, [read_part(path, requested, style) for path in others], inner=inner)
    found = [name for part in parts for name in part.columns.scores]
    for name in names:
        if not any(name == one or fnmatchcase(one, name) for one in found):
            raise UnknownName("score column", name, found, f"no file has it; found {found}")
    return in_roles([parts[0], *map(_named, parts[1:])], positive, how).in_order(sort=sort)


def _named(part: ReadColumns) -> ReadColumns:
    """Name the detector of a joined file by the file, where its column only says "score"."""
    scores = part.columns.scores
    if len(scores) != 1 or scores[0] not in COLUMNS.scores:
        return part
    stem = Path(without_packing(part.name)).stem
    arrays = {**part.arrays, stem: part.arrays[scores[0]]}
    return replace(part, columns=replace(part.columns, scores=(stem,)), arrays=arrays)


def in_roles(parts: list[ReadColumns], positive: object = None, how: str = "") -> LabelledScores:
    """Put the columns of one file, or of several matched ones, in their roles."""
    first = parts[0]
    columns, arrays = first.columns, first.arrays
    labels = np.zeros(first.rows) if columns.label is None else arrays[columns.label]
    scores: dict[str, NDArray[Any]] = {}
    for part in parts:
        for score in part.columns.scores:
            if score in scores:
                raise FileError(f"{part.file}: detector {score!r} exists already; rename one")
            scores[score] = part.arrays[score]
    roles: dict[str, Any] = dict.fromkeys(ROLES)
    for role, name in columns.by_role.items():
        roles[role] = _mask(first, name) if ROLES[role] == "truth" else arrays[name]
    return LabelledScores(
        labels=labels if positive is None else coded(labels, positive),
        scores=scores,
        name=first.name,
        **roles,
        summary=_summary(first, list(scores), how),
        recorded=tuple(one for part in parts for one in recorded(part)),
    )


def _summary(part: ReadColumns, detectors: list[str], how: str) -> str:
    """Say in one line how a table was read."""
    columns = part.columns
    listed = f" ({', '.join(detectors)})" if len(detectors) <= 4 else ""
    parts = [] if columns.label is None else [f"label column {columns.label}"]
    parts.append(f"{len(detectors)} detector{'s' * (len(detectors) != 1)}{listed}")
    parts += [f"{option_of(role)} column {name}" for role, name in columns.by_role.items()]
    if columns.known_time is not None and columns.known_time not in columns.keys:
        parts.append(f"time column {columns.known_time} unused")
    return ", ".join(
        [*parts, *([how] if how else []), f"{part.rows:,} row{'s' * (part.rows != 1)}"]
    )


def _mask(part: ReadColumns, name: str) -> NDArray[np.bool_]:
    """Turn a mask column into booleans."""
    values = part.arrays[name]
    wrong = np.flatnonzero((values != 0) & (values != 1))
    if wrong.size:
        raise FileError(
            f"{part.file}: column {name!r} must be 0 or 1, got "
            f"{values[wrong[0]]} at row {wrong[0]} ({wrong.size:,} in all, rows counted from 0)"
        )
    mask: NDArray[np.bool_] = values == 1
    return mask
