"""Read what lies among N points: changes and alarms, which are positions, or intervals.

A table has a column ``position``, ``index``, ``iloc`` or ``changepoint``, or the columns ``start``
and ``end`` (or ``stop``). JSON may be a list of numbers, of pairs, or of objects with these keys.
Alarms may stand twice at one position and are then two; a change of the truth stands once.
Intervals that overlap are one. The end of an interval is the first point after it, unless
``closed`` is "both".

Positions may be times too: changes and warnings on a grid of time, between the ends of a span.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.checks import is_whole
from adjudge.data.changes import Changes
from adjudge.data.clock import Clock
from adjudge.data.durations import duration, in_words
from adjudge.data.event_checks import among_points, check_intervals
from adjudge.data.events import Events
from adjudge.data.incidents import NAMES as ROLES
from adjudge.data.interval_reading import MAX_STEPS
from adjudge.errors import FileError, InputError
from adjudge.io.column_choice import COLUMNS, Cells, RequestedColumns
from adjudge.io.formats import read_part
from adjudge.io.labels_and_scores import LabelledScores
from adjudge.io.records import read_records
from adjudge.io.text_files import without_packing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adjudge.data.incidents import TimedRows
    from adjudge.data.interval_reading import Closed
    from adjudge.io.records import Records

NAMES = ("position", "index", "iloc", "changepoint")
EVERY = "1min"
"""The step of a grid of time, unless another one is given: that of `adjudge.Changes.from_times`."""


class Marks(NamedTuple):
    """What a file says of places among points."""

    file: str
    name: str
    starts: list[Any]
    ends: list[Any] | None
    """Where intervals end; None: they are positions."""

    @property
    def is_known(self) -> bool:
        """Whether it says what they are: an empty list does not."""
        return bool(self.starts) or self.ends is not None


def read_positions(
    truth: str,
    alerts: Sequence[str],
    length: int,
    *,
    sep: str | None = None,
    closed: Closed | None = None,
) -> LabelledScores:
    """Read where changes and alarms, or true and reported intervals, lie among so many points.

    Parameters
    ----------
    truth
        The file of changes, or of intervals.
    alerts
        The files of alarms: one detector each, see `alert_files`.
    length
        Number of points.
    sep
        What parts the cells of a text.
    closed
        Whether the end of an interval belongs to it ("both") or not ("left", the default).

    Returns
    -------
    LabelledScores
        ``labels`` are `Changes`, and so are the ``scores`` of each detector; or `Events`, and
        flags.
    """
    files = alert_files(alerts)
    given, *others = (_marks(path, sep) for path in (truth, *files.values()))
    alarms = dict(zip(files, others, strict=True))
    first = next((one for one in (given, *others) if one.is_known), given)
    if first.ends is not None:
        return _intervals(given, alarms, length, closed)
    wrong = next((one for one in others if one.ends), None)
    if wrong is not None:
        raise FileError(
            f"{wrong.file}: alarms must be positions when the truth is changes, got intervals; "
            f"give {given.name} a column end too, or the alarms one column position"
        )
    if closed is not None:
        raise InputError(f"closed must be left out with positions, which have no end, got {closed}")
    found = {name: _changes(one, length) for name, one in alarms.items()}
    return _of_changes(given.name, _changes(given, length), found)


def alert_files(given: Sequence[str]) -> dict[str, str]:
    """The file of each detector: FILE, which it is called as, or NAME=FILE.

    >>> alert_files(["old/pager.csv.gz", "part*.json", "later=old/pager.csv.gz"])
    {'pager': 'old/pager.csv.gz', 'part': 'part*.json', 'later': 'old/pager.csv.gz'}
    """
    found: dict[str, str] = {}
    for text in given:
        name, equals, path = text.partition("=")
        if not equals or not name or Path(text).exists():
            name, path = Path(without_packing(Path(text).name)).stem.strip("*?[]-_ "), text
        if name in found:
            raise FileError(f"{path}: two files of alerts have the same name; use NAME={path}")
        found[name] = path
    return found


def _of_changes(name: str, changes: Changes, alarms: Mapping[str, Changes]) -> LabelledScores:
    """Changes and the alarms of each detector, announced."""
    many = sum(map(len, alarms.values()))
    parts = [f"{len(changes):,} changes and {many:,} alarms on {changes.n:,} points"]
    twice = sum(len(one) - np.unique(one.positions).size for one in alarms.values())
    if twice:
        parts.append(f"{twice:,} of them at the position of another")
    scores: dict[str, Any] = dict(alarms)
    labels: Any = changes
    return LabelledScores(labels, scores, None, None, name, summary=", ".join(parts))


def _intervals(
    truth: Marks, alarms: Mapping[str, Marks], length: int, closed: Closed | None
) -> LabelledScores:
    """True intervals as events, and those of each detector as flags."""
    events, said = _events(truth, length, closed)
    found = {name: _events(one, length, closed) for name, one in alarms.items()}
    scores: dict[str, Any] = {name: one.labels for name, (one, _) in found.items()}
    end = "are points of them" if closed == "both" else "are the first points after them"
    ends = f"ends {end}" + "; --closed both includes them" * (closed is None)
    parts = [f"{said} of {length:,} points", *(words for _, words in found.values()), ends]
    labels: Any = events
    return LabelledScores(labels, scores, None, None, truth.name, summary=", ".join(parts))


def _events(marks: Marks, n: int, closed: Closed | None) -> tuple[Events, str]:
    """What a file marks, in the order of points, and how many there are."""
    starts = list(map(_whole, marks.starts))
    single = marks.ends is None  # a position is one point
    ends = starts if single else list(map(_whole, marks.ends or []))
    try:
        begin, stop = among_points(
            zip(starts, ends, strict=True), n, "both" if single else closed, merge=False
        )
        check_intervals(begin, stop, n, apart=False)
    except InputError as error:
        raise FileError(f"{marks.file}: {error}{_hint(starts)}") from error
    order = np.argsort(begin, kind="stable")
    begin, reach = begin[order], np.maximum.accumulate(stop[order])
    apart = begin[1:] >= reach[:-1]
    joined = int(np.count_nonzero(~apart))
    if begin.size:
        begin, reach = begin[np.append(True, apart)], reach[np.append(apart, True)]
    noun = "position" if single else "interval"
    said = f"{len(starts):,} {noun}{'s' * (len(starts) != 1)} in {marks.name}"
    if joined:
        said += f" (of which {joined:,} overlap{'s' * (joined == 1)} another: joined)"
    return Events(begin, reach, n), said


def _marks(path: str, sep: str | None) -> Marks:
    """Read a file of positions, or of intervals."""
    records = read_records(path, sep)
    columns = records.columns or _listed(records)
    start = next((name for name in ROLES["start"][:1] if name in columns), None)
    end = next((name for name in ROLES["end"] if name in columns), None)
    if start is not None and end is not None:
        return Marks(records.file, records.name, columns[start], columns[end])
    found = next((name for name in NAMES if name in columns), None)
    if found is None and records.content != []:
        listed = ", ".join(columns) or "none"
        raise FileError(
            f"{records.file}: must have a column {', '.join(NAMES[:-1])} or {NAMES[-1]}, or the "
            f"columns start and end, got {listed}"
        )
    return Marks(records.file, records.name, [] if found is None else columns[found], None)


def _listed(records: Records) -> dict[str, list[Any]]:
    """A JSON list of numbers, or of pairs, as columns; nothing else is one."""
    content = records.content
    if not isinstance(content, list) or not content:
        return {}
    if all(isinstance(one, list) and len(one) == len(("start", "end")) for one in content):
        starts, ends = (list(side) for side in zip(*content, strict=True))
        return {"start": starts, "end": ends}
    return {NAMES[0]: content} if all(map(is_whole, content)) else {}


def _changes(marks: Marks, n: int) -> Changes:
    """The positions of a file."""
    found = list(map(_whole, marks.starts))
    try:
        return Changes(found, n)
    except InputError as error:
        raise FileError(f"{marks.file}: {error}{_hint(found)}") from error


def _hint(cells: list[Any]) -> str:
    """What to say where positions are text, as times are."""
    text = any(isinstance(cell, str) for cell in cells)
    return "; times take --span FROM TO in the place of --length" * text


def on_grid(
    name: str, truth: TimedRows, alerts: Mapping[str, TimedRows], span: TimedRows, every: Any
) -> LabelledScores:
    """Changes and alarms that are moments, each at the step of a grid of time that holds it.

    Parameters
    ----------
    name : str
        The file of the changes.
    truth, alerts : TimedRows
        The changes, and the alarms of each detector: what has an end too counts where it starts.
    span : TimedRows
        The two ends of the grid.
    every : duration, optional
        Its step.
    """
    first, last = span.start.tolist()
    step = duration(EVERY if every is None else every, "every")
    count = -(-(last - first) // step) if step else 0
    if not 0 < count <= MAX_STEPS:
        raise InputError(f"every must give 1 to {MAX_STEPS:,} steps in the span, got {count:,}")
    zone = None if truth.clock is None else truth.clock.zone
    clock = Clock(first + step * np.arange(count, dtype=np.int64), zone)
    left = 0

    def placed(rows: TimedRows) -> Changes:
        nonlocal left
        _refuse_services(rows)
        at = (np.sort(rows.start) - first) // step
        inside = (at >= 0) & (at < count)
        left += int(np.count_nonzero(~inside))
        return Changes(at[inside], count, clock=clock)

    changes, alarms = placed(truth), {key: placed(rows) for key, rows in alerts.items()}
    if np.any(np.diff(changes.positions) == 0):
        raise FileError(
            f"{name}: changes must be in different steps, got two in one of {in_words(step)}; "
            "use a shorter one: --every 1s"
        )
    found = _of_changes(name, changes, alarms)
    said = f"{found.summary} of {in_words(step)}"
    if left:
        said += f", {left:,} outside the span left out"
    return replace(found, summary=said)


def _refuse_services(rows: TimedRows) -> None:
    """Refuse changes of several services: they would be taken as those of one."""
    names = dict.fromkeys(rows.place.tolist())
    if len(names) > 1:
        raise InputError(
            f"changes and alarms must be of one service, got {', '.join(names)}; judge each "
            "separately, or drop the column"
        )


def _whole(cell: Any) -> Any:
    """A whole number that a file wrote as text or as a decimal; all else as it is."""
    try:
        value = float(cell)
    except (TypeError, ValueError):
        return cell
    return int(value) if value.is_integer() else value


def read_states(path: str, column: str, sep: str | None = None) -> Any:
    """Read a column of names or numbers, one per point, as they are written."""
    requested = RequestedColumns(
        "", COLUMNS, scores=("",), keys=(column,), labelled=False, scored=False
    )
    return read_part(path, requested, Cells(sep)).arrays[column]
