"""Read files of several channels or annotators: a column for each, or a row for each.

Wide: a column of scores per channel, ``score_{}`` with the channel's name in the place of ``{}``,
and of labels, ``label_{}``, or one column of labels for all. Long: a row per time and channel;
every channel must have the same times.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.data.channels import VOTES
from adjudge.errors import FileError, UnknownName, visible
from adjudge.io.incidents import TimeWords, read_truth
from adjudge.io.labels_and_scores import LabelledScores
from adjudge.io.records import Records, read_records

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


LABEL, SCORE = "label_{}", "score_{}"
_ONE_LABEL = ("label", "Label", "labels", "is_anomaly")
_ONE_SCORE = ("score", "Score", "scores", "anomaly_score")
_GAPS = {"", "nan", "NaN", "null", "None", "NA"}


@dataclass(frozen=True)
class ChannelColumns:
    """What was said of the columns; see ``adjudge evaluate --help``."""

    label: str | None = None
    scores: tuple[str, ...] = ()
    channel: str | None = None
    """The column of channels, of a long table."""
    channels: str | None = None
    """The channels of a wide one: names with commas between; "" takes what the pattern fits, and so
    do names with *."""
    subsystem: str | None = None
    """A file with the columns channel and subsystem."""
    annotators: str | None = None
    """Columns of labels, one for each annotator: names with commas between, or a pattern.

    A word of ``votes``, such as "each", takes the columns that ``label`` names.
    """
    votes: str | None = None
    time: str | None = None
    series: str | None = None
    where: str | None = None
    sep: str | None = None
    decimal: str = "."
    truth: str | None = None
    """A table of events: start, end, and if there id, channel, annotator, kind."""
    truth_columns: Mapping[str, str] | None = None
    times: tuple[Any, ...] = (None, None, None, None)
    """How times are written: unit, form, zone, and what of those that come twice."""


def read_channels(path: str, how: ChannelColumns) -> LabelledScores:
    """Read a file of several channels, or of several annotators.

    Parameters
    ----------
    path : str
        A table: CSV, JSON, Parquet and the like.
    how : ChannelColumns
        Which columns are which.

    Returns
    -------
    LabelledScores
        Labels by channel (or annotator), scores by detector and channel; ``beside`` has the names.
    """
    table = _Table(read_records(path, how.sep), how)
    if not table.columns:
        raise FileError(f"{table.file}: several channels need a table with columns")
    if how.annotators is not None:
        found = table.annotators(how.annotators)
    else:
        found = table.wide() if how.channel is None else table.long(how.channel)
    if how.truth is None:
        return found
    words = TimeWords(*how.times)
    truth, said = read_truth(
        how.truth, how.truth_columns, words, how.sep, is_in_points=how.time is None
    )
    return replace(found, labels=truth, summary=f"{found.summary}; {said}")  # type: ignore[arg-type]


_JUDGED = {"0": False, "1": True, "0.0": False, "1.0": True, "false": False, "true": True}


class _Table:
    """A table, and what was said of its columns."""

    def __init__(self, records: Records, how: ChannelColumns) -> None:
        self.columns, self.file, self.name, self.how = (
            records.columns,
            records.file,
            records.name,
            how,
        )

    def annotators(self, asked: str) -> LabelledScores:
        """One row per point, and a column of labels for each annotator; or scores alone."""
        label, votes = self.how.label, self.how.votes
        names = asked.split(",")
        if label is not None and asked in VOTES and self.how.truth is None:  # --label names them
            names, votes = ["*"] if "{}" in label else label.split(","), votes or asked
        pattern = label if label is not None and "{}" in label else "{}"
        found: dict[str, str] = {}
        for name in map(str.strip, names):
            if self.how.truth is not None:  # in which their labels are
                found[name] = ""
                continue
            wanted = pattern.replace("{}", name)
            own = [one for one in self.columns if fnmatchcase(one, wanted)]
            if not own:
                raise self.unknown(wanted, "; --annotators names them")
            for column in own:
                found[_inside(pattern, column) if "{}" in pattern else column] = column
        scores = {name: self.numbers(name) for name in self.score_columns()}
        labels = {name: self.numbers(column, gaps=True) for name, column in found.items() if column}
        beside: dict[str, Any] = {"annotators": list(found), "votes": votes or "each"}
        many = "annotators" if len(found) > 1 or self.how.truth is not None else "annotator"
        said = f"{len(found)} {many}: {', '.join(found)}; scores {', '.join(scores)}"
        return self.made(labels, scores, beside, said)

    def wide(self) -> LabelledScores:
        """A row per point, and a column for each channel."""
        patterns = [one for one in self.how.scores if "{}" in one] or [SCORE]
        names = self._wide_names(patterns[0])
        labels = {} if self.how.truth is not None else self._wide_labels(names)
        scores = {
            (pattern.replace("{}", "").strip("_.-: ") or "detector"): {
                name: self.numbers(pattern.replace("{}", name), gaps=True) for name in names
            }
            for pattern in patterns
        }
        return self._of_channels(names, labels, scores)

    def _wide_names(self, pattern: str) -> list[str]:
        """The channels that were named; those that fit, of a name with *, or of none."""
        there = [name for name in (_inside(pattern, one) for one in self.columns) if name]
        asked = [one.strip() for one in str(self.how.channels).split(",") if one.strip()] or ["*"]
        names: list[str] = []
        for one in asked:
            if not set(one) & set("*?"):
                names.append(one)
                continue
            fits = [name for name in there if fnmatchcase(name, one)]
            if not fits:
                raise FileError(f"{self.file}: {_no_channel(pattern, one, there)}")
            names += [name for name in fits if name not in names]
        return names

    def _wide_labels(self, names: list[str]) -> Any:
        """A column of labels for each channel, or one for all."""
        label = self.how.label if self.how.label is not None else LABEL
        if self.how.label is None and LABEL.replace("{}", names[0]) not in self.columns:
            label = next((one for one in _ONE_LABEL if one in self.columns), LABEL)
        if "{}" not in label:
            return self.numbers(label)
        return {name: self.numbers(label.replace("{}", name)) for name in names}

    def long(self, by: str) -> LabelledScores:
        """A row per time and channel: every channel must have the same times, in one order."""
        own = np.array([str(one) for one in self.column(by)], object)
        names = list(dict.fromkeys(own.tolist()))
        rows = {name: np.flatnonzero(own == name) for name in names}
        times, first = self._moments(), rows[names[0]]
        for name in names[1:]:
            self._check_times(times, (names[0], first), (name, rows[name]))
        label = self.how.label or next((c for c in _ONE_LABEL if c in self.columns), "label")
        detectors = self.score_columns()
        labels = {}
        if self.how.truth is None:
            every = self.numbers(label)
            labels = {name: every[at] for name, at in rows.items()}
        scores = {}
        for detector in detectors:
            values = self.numbers(detector, gaps=True)
            scores[detector] = {name: values[at] for name, at in rows.items()}
        return self._of_channels(names, labels, scores, first)

    def _moments(self) -> Any:
        """When each row is, in which series; None where nobody said."""
        if self.how.time is None:
            return None
        times = self.column(self.how.time)
        if self.how.series is not None:
            pairs = zip(self.column(self.how.series), times, strict=True)
            times = [f"{series}, {time}" for series, time in pairs]
        return np.array(times, object)

    def _check_times(self, times: Any, one: tuple[str, Any], other: tuple[str, Any]) -> None:
        (first, at), (name, own) = one, other
        must = f"{self.file}: every channel must have the same times, got"
        if times is not None and not np.array_equal(times[at], times[own]):
            raise FileError(f"{must} {_difference((first, times[at]), (name, times[own]))}")
        if len(at) != len(own):
            raise FileError(
                f"{must} {len(own):,} rows of {name!r} for {len(at):,} of {first!r}; --time COL "
                "tells which"
            )

    def _of_channels(
        self, names: list[str], labels: Any, scores: Any, rows: Any = slice(None)
    ) -> LabelledScores:
        how = self.how
        groups = None if how.subsystem is None else _subsystems(how.subsystem, how.sep)
        said = f"{len(names)} channels: {', '.join(names)}"
        if groups is not None:
            said += f"; {len(set(groups.values()))} subsystems"
        return self.made(labels, scores, {"channels": names, "subsystem": groups}, said, rows)

    def made(
        self, labels: Any, scores: Any, beside: dict[str, Any], said: str, rows: Any = slice(None)
    ) -> LabelledScores:
        """The table in its roles; of a long one, the rows of one channel have the times."""
        named = (self.how.time, self.how.series, self.how.where)
        time, series, where = (
            None if name is None else np.array(self.column(name), object)[rows] for name in named
        )
        if where is not None:
            where = self._judged(where)
        points = len(np.arange(len(next(iter(self.columns.values()))))[rows])
        return LabelledScores(
            labels, scores, series, where, self.name, time=None if time is None else time.tolist(),
            summary=f"{points:,} points, {said}", beside=beside,
        )  # fmt: skip

    def _judged(self, cells: Any) -> Any:
        """Which points are judged: 0 or 1, or the words that data frames write for them."""
        texts = [str(cell).strip().lower().replace(self.how.decimal, ".") for cell in cells]
        other = next((text for text in texts if text not in _JUDGED), None)
        if other is not None:
            raise FileError(
                f"{self.file}: column {self.how.where!r} must hold 0 or 1, got {visible(other)!r}"
            )
        return np.array([_JUDGED[text] for text in texts])

    def score_columns(self) -> list[str]:
        """The columns of scores, called as the detectors: those that were named, or usual ones."""
        for name in self.how.scores:
            if name not in self.columns:
                raise self.unknown(name, "; --score names them")
        usual = [one for one in self.columns if one in _ONE_SCORE or one.startswith("score_")]
        found = list(dict.fromkeys(self.how.scores)) or usual
        if not found:
            raise FileError(f"{self.file}: no column of scores; name it with --score")
        return found

    def column(self, name: str) -> list[Any]:
        """A column as it is written."""
        if name not in self.columns:
            raise self.unknown(name)
        return self.columns[name]

    def unknown(self, name: str, option: str = "") -> UnknownName:
        """The refusal of a column that is not there."""
        known = ", ".join(map(repr, self.columns))
        return UnknownName(
            "column", name, self.columns, f"{self.file} has the columns {known}{option}"
        )

    def numbers(self, name: str, *, gaps: bool = False) -> Any:
        """A column of numbers; empty cells are gaps where these are allowed."""
        found = np.empty(len(self.column(name)))
        for row, cell in enumerate(self.column(name)):
            text = cell.replace(self.how.decimal, ".") if isinstance(cell, str) else cell
            empty = cell is None or (isinstance(cell, str) and cell.strip() in _GAPS)
            try:
                found[row] = np.nan if empty and gaps else float(text)
            except (TypeError, ValueError):
                what = "an empty cell" if empty else visible(repr(cell))
                raise FileError(
                    f"{self.file}: column {name} must hold numbers, got {what} in row {row + 1}"
                ) from None
        return found


def _no_channel(pattern: str, asked: str, there: Sequence[str]) -> str:
    if there:
        return f"no column fits {pattern.replace('{}', asked)!r}; there are {', '.join(there)}"
    return (
        f"no column fits {pattern!r}; name the channels (--channels temp,flow) and use "
        "--score 'PATTERN_{}'"
    )


def _difference(one: tuple[str, Any], other: tuple[str, Any]) -> str:
    """Say where the times of two channels differ first, and what to do."""
    for name, times in (one, other):
        seen: set[Any] = set()
        for time in times.tolist():
            if time in seen:
                return f"{name!r} twice at {time}; drop one row"
            seen.add(time)
    for (name, times), (lacking, others) in ((one, other), (other, one)):
        known = set(others.tolist())
        alone = next((time for time in times.tolist() if time not in known), None)
        if alone is not None:
            return (
                f"none of {lacking!r} at {alone}, where {name!r} has one; add the row (with an "
                "empty score and --missing skip if unknown)"
            )
    (first, times), (name, others) = one, other
    row = int(np.flatnonzero(times != others)[0])
    return (
        f"{others[row]} of {name!r} where {first!r} has {times[row]} (its row {row + 1}); sort the "
        "rows by time"
    )


def _subsystems(path: str, sep: str | None) -> dict[str, str]:
    """The group of each channel, from a table with the columns channel and subsystem."""
    table = _Table(read_records(path, sep), ChannelColumns())
    columns = []
    for role in ("channel", "subsystem"):
        name = next((one for one in (role, role.capitalize()) if one in table.columns), None)
        if name is None:
            raise table.unknown(role)
        columns.append([str(one) for one in table.columns[name]])
    found: dict[str, str] = {}
    for channel, group in zip(*columns, strict=True):
        if found.setdefault(channel, group) != group:
            raise FileError(
                f"{table.file}: every channel must be in one subsystem, got {channel!r} in "
                f"{found[channel]!r} and {group!r}"
            )
    return found


def _inside(pattern: str, column: str) -> str:
    """What stands in the place of {} in a column's name; "" where it does not fit."""
    before, _, after = pattern.partition("{}")
    fits = re.fullmatch(f"{re.escape(before)}(.+){re.escape(after)}", column)
    return fits[1] if fits else ""
