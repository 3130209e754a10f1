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
from adjudge.io.records import read_records

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from adjudge.io.records import Records

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
    table = _with_points(read_records(path, how.sep), how)
    if not table.columns:
        raise FileError(f"{table.file}: several channels need a table with columns")
    if how.annotators is not None:
        found = _annotators(table, how)
    else:
        found = _long(table, how, how.channel) if how.channel is not None else _wide(table, how)
    if how.truth is None:
        return found
    words = TimeWords(*how.times)
    truth, said = read_truth(
        how.truth, how.truth_columns, words, how.sep, in_points=how.time is None
    )
    return replace(found, labels=truth, summary=f"{found.summary}; {said}")  # type: ignore[arg-type]


def _with_points(table: Records, how: ChannelColumns) -> Records:
    """The same table with decimal points, where its numbers have another mark."""
    if how.decimal == ".":
        return table
    kept = {how.channel, how.time, how.series}
    columns = {
        name: cells
        if name in kept
        else [one.replace(how.decimal, ".") if isinstance(one, str) else one for one in cells]
        for name, cells in table.columns.items()
    }
    return table._replace(columns=columns)


def _annotators(table: Records, how: ChannelColumns) -> LabelledScores:
    asked = str(how.annotators).split(",")
    if how.truth is not None:
        return _named_only(table, how, [name.strip() for name in asked])
    if how.label is not None and how.annotators in VOTES:  # the columns are told by --label
        asked = ["*"] if "{}" in how.label else how.label.split(",")
        how = replace(how, votes=how.votes or how.annotators)
    pattern = how.label if how.label is not None and "{}" in how.label else "{}"
    found: dict[str, str] = {}
    for name in asked:
        wanted = pattern.replace("{}", name.strip())
        own = [one for one in table.columns if fnmatchcase(one, wanted)]
        if not own:
            raise _unknown(table, wanted, "; --annotators names them")
        for column in own:
            found[_inside(pattern, column) if "{}" in pattern else column] = column
    scores = _score_columns(table, how, _ONE_SCORE)
    labels = {name: _numbers(table, column, gaps=True) for name, column in found.items()}
    beside: dict[str, Any] = {"annotators": list(labels), "votes": how.votes or "each"}
    many = "annotators" if len(labels) > 1 else "annotator"
    said = f"{len(labels)} {many}: {', '.join(labels)}; scores {', '.join(scores)}"
    return _made(
        table, how, labels, {n: _numbers(table, c) for n, c in scores.items()}, beside, said
    )


def _named_only(table: Records, how: ChannelColumns, names: list[str]) -> LabelledScores:
    """Scores beside annotators whose labels stand in a table of events."""
    scores = _score_columns(table, how, _ONE_SCORE)
    beside: dict[str, Any] = {"annotators": names, "votes": how.votes or "each"}
    said = f"{len(names)} annotators: {', '.join(names)}; scores {', '.join(scores)}"
    return _made(table, how, {}, {n: _numbers(table, c) for n, c in scores.items()}, beside, said)


def _wide(table: Records, how: ChannelColumns) -> LabelledScores:
    patterns = [one for one in how.scores if "{}" in one] or [SCORE]
    names = _wide_names(table, how, patterns[0])
    labels = {} if how.truth is not None else _wide_labels(table, how, names)
    scores = {
        (pattern.replace("{}", "").strip("_.-: ") or "detector"): {
            name: _numbers(table, pattern.replace("{}", name), gaps=True) for name in names
        }
        for pattern in patterns
    }
    return _of_channels(table, how, names, labels, scores)


def _wide_names(table: Records, how: ChannelColumns, pattern: str) -> list[str]:
    """The channels that were named; those that fit, of a name with *, or of none."""
    there = [name for name in (_inside(pattern, one) for one in table.columns) if name]
    asked = [one.strip() for one in str(how.channels).split(",") if one.strip()] or ["*"]
    names: list[str] = []
    for one in asked:
        if not set(one) & set("*?"):
            names.append(one)
            continue
        fits = [name for name in there if fnmatchcase(name, one)]
        if not fits:
            raise FileError(f"{table.file}: {_no_channel(pattern, one, there)}")
        names += [name for name in fits if name not in names]
    return names


def _no_channel(pattern: str, asked: str, there: Sequence[str]) -> str:
    if there:
        return f"no column fits {pattern.replace('{}', asked)!r}; there are {', '.join(there)}"
    return (
        f"no column fits {pattern!r}; name the channels (--channels temp,flow) and say "
        "--score 'PATTERN_{}'"
    )


def _wide_labels(table: Records, how: ChannelColumns, names: list[str]) -> Any:
    """A column of labels for each channel, or one for all."""
    label = how.label if how.label is not None else LABEL
    if how.label is None and LABEL.replace("{}", names[0]) not in table.columns:
        label = next((one for one in _ONE_LABEL if one in table.columns), LABEL)
    if "{}" not in label:
        return _numbers(table, label)
    return {name: _numbers(table, label.replace("{}", name)) for name in names}


def _long(table: Records, how: ChannelColumns, by: str) -> LabelledScores:
    """A row per time and channel: every channel must have the same times, in the same order."""
    own = np.array([str(one) for one in _column(table, by)], object)
    names = list(dict.fromkeys(own.tolist()))
    rows = {name: np.flatnonzero(own == name) for name in names}
    times = _moments(table, how)
    first = rows[names[0]]
    for name in names[1:]:
        _same_times(table, times, (names[0], first), (name, rows[name]))
    label = how.label or next((c for c in _ONE_LABEL if c in table.columns), "label")
    columns = _score_columns(table, how, _ONE_SCORE)
    labels = {}
    if how.truth is None:
        every = _numbers(table, label)
        labels = {name: every[at] for name, at in rows.items()}
    scores = {}
    for detector, column in columns.items():
        values = _numbers(table, column, gaps=True)
        scores[detector] = {name: values[at] for name, at in rows.items()}
    return _of_channels(table, how, names, labels, scores, first)


def _moments(table: Records, how: ChannelColumns) -> Any:
    """When each row is, in which series; None where nobody said."""
    if how.time is None:
        return None
    times = _column(table, how.time)
    if how.series is not None:
        pairs = zip(_column(table, how.series), times, strict=True)
        times = [f"{series}, {time}" for series, time in pairs]
    return np.array(times, object)


def _same_times(table: Records, times: Any, one: tuple[str, Any], other: tuple[str, Any]) -> None:
    (first, at), (name, own) = one, other
    must = f"{table.file}: every channel must have the same times, got"
    if times is not None and not np.array_equal(times[at], times[own]):
        raise FileError(f"{must} {_difference((first, times[at]), (name, times[own]))}")
    if len(at) != len(own):
        raise FileError(
            f"{must} {len(own):,} rows of {name!r} for {len(at):,} of {first!r}; --time COL tells "
            "which"
        )


def _difference(one: tuple[str, Any], other: tuple[str, Any]) -> str:
    """Say where the times of two channels differ first, and what to do."""
    for name, times in (one, other):
        seen: set[Any] = set()
        for time in times.tolist():
            if time in seen:
                return f"{name!r} twice at {time}; leave one row out"
            seen.add(time)
    for (name, times), (lacking, others) in ((one, other), (other, one)):
        known = set(others.tolist())
        alone = next((time for time in times.tolist() if time not in known), None)
        if alone is not None:
            return (
                f"none of {lacking!r} at {alone}, where {name!r} has one; add the row, with an "
                "empty score and --missing skip if there is none"
            )
    (first, times), (name, others) = one, other
    row = int(np.flatnonzero(times != others)[0])
    return (
        f"{others[row]} of {name!r} where {first!r} has {times[row]} (its row {row + 1}); sort the "
        "rows by time"
    )


def _of_channels(
    table: Records,
    how: ChannelColumns,
    names: Sequence[str],
    labels: Any,
    scores: dict[str, Any],
    rows: Any = None,
) -> LabelledScores:
    groups = None if how.subsystem is None else _subsystems(how.subsystem, how.sep)
    beside = {"channels": list(names), "subsystem": groups}
    said = f"{len(names)} channels: {', '.join(names)}"
    if groups is not None:
        said += f"; {len(set(groups.values()))} subsystems"
    return _made(table, how, labels, scores, beside, said, rows)


_JUDGED = {"0": False, "1": True, "0.0": False, "1.0": True, "false": False, "true": True}


def _judged(cells: Any, table: Any, name: str) -> Any:
    """Which points are judged: 0 or 1, or the words that data frames write for them."""
    texts = [str(cell).strip().lower() for cell in cells]
    other = next((text for text in texts if text not in _JUDGED), None)
    if other is not None:
        raise FileError(f"{table.file}: column {name!r} must hold 0 or 1, got {visible(other)!r}")
    return np.array([_JUDGED[text] for text in texts])


def _made(
    table: Records,
    how: ChannelColumns,
    labels: Any,
    scores: Any,
    beside: dict[str, Any],
    said: str,
    rows: Any = None,
) -> LabelledScores:
    kept = slice(None) if rows is None else rows
    time, series, where = (
        None if name is None else np.array(_column(table, name), object)[kept]
        for name in (how.time, how.series, how.where)
    )
    if where is not None:
        where = _judged(where, table, str(how.where))
    points = len(next(iter(table.columns.values()))) if rows is None else len(rows)
    summary = f"{points:,} points, {said}"
    return LabelledScores(
        labels, scores, series, where, table.name, time=None if time is None else time.tolist(),
        summary=summary, beside=beside,
    )  # fmt: skip


def _subsystems(path: str, sep: str | None) -> dict[str, str]:
    """The group of each channel, from a table with the columns channel and subsystem."""
    table = read_records(path, sep)
    columns = []
    for role in ("channel", "subsystem"):
        name = next((one for one in (role, role.capitalize()) if one in table.columns), None)
        if name is None:
            raise _unknown(table, role)
        columns.append([str(one) for one in table.columns[name]])
    found: dict[str, str] = {}
    for channel, group in zip(*columns, strict=True):
        if found.setdefault(channel, group) != group:
            raise FileError(
                f"{table.file}: every channel must be in one subsystem, got {channel!r} in "
                f"{found[channel]!r} and {group!r}"
            )
    return found


def _score_columns(table: Records, how: ChannelColumns, usual: Iterable[str]) -> dict[str, str]:
    """The columns of scores by detector: those that were named, or the usual ones."""
    if how.scores:
        for name in how.scores:
            if name not in table.columns:
                raise _unknown(table, name, "; --score names them")
        return {name: name for name in how.scores}
    found = [one for one in table.columns if one in usual or one.startswith("score_")]
    if not found:
        raise FileError(f"{table.file}: no column of scores; name it with --score")
    return {name: name for name in found}


def _inside(pattern: str, column: str) -> str:
    """What stands in the place of {} in a column's name; "" where it does not fit."""
    before, _, after = pattern.partition("{}")
    fits = re.fullmatch(f"{re.escape(before)}(.+){re.escape(after)}", column)
    return fits[1] if fits else ""


def _column(table: Records, name: str) -> list[Any]:
    if name not in table.columns:
        raise _unknown(table, name)
    return table.columns[name]


def _unknown(table: Records, name: str, option: str = "") -> UnknownName:
    known = ", ".join(map(repr, table.columns))
    return UnknownName(
        "column", name, table.columns, f"{table.file} has the columns {known}{option}"
    )


def _numbers(table: Records, name: str, *, gaps: bool = False) -> Any:
    """A column of numbers; empty cells are gaps where these are allowed."""
    found = np.empty(len(_column(table, name)))
    for row, cell in enumerate(_column(table, name)):
        empty = cell is None or (isinstance(cell, str) and cell.strip() in _GAPS)
        try:
            found[row] = np.nan if empty and gaps else float(cell)
        except (TypeError, ValueError):
            what = "an empty cell" if empty else visible(repr(cell))
            raise FileError(
                f"{table.file}: column {name} must hold numbers, got {what} in row {row + 1}"
            ) from None
    return found
