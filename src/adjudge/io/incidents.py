"""Read incidents and alerts: tables of intervals or of single moments, on one grid of time.

A table has the columns ``start`` and ``end`` (or ``stop``), or one column of moments called
``timestamp``, ``time`` or ``date``. An interval marks every step that it touches; intervals that
then overlap or touch are one, and how many were joined is said. Without a step of its own the grid
is as coarse as the times allow: the longest step on whose ticks they all lie.
"""

from __future__ import annotations

import math
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from adjudge.data.clock import Clock, is_counted, spelt, times_of_form
from adjudge.data.events import Events
from adjudge.data.interval_reading import MAX_STEPS
from adjudge.errors import FileError, InputError, UnknownName
from adjudge.io.column_choice import COLUMNS, Cells, RequestedColumns
from adjudge.io.formats import read_part
from adjudge.io.labels_and_scores import LabelledScores
from adjudge.io.text_files import without_packing

if TYPE_CHECKING:
    from collections.abc import Sequence

_PAIRS = (("start", "end"), ("start", "stop"))


class ReadIntervals(NamedTuple):
    """The intervals of one file, and how they were read."""

    file: str
    begin: Any
    end: Any
    summary: str


def read_incidents(
    truth: str,
    alerts: Sequence[str],
    span: tuple[str, str],
    *,
    every: str | None = None,
    unit: str | None = None,
    sep: str | None = None,
    form: str | None = None,
) -> LabelledScores:
    """Read what happened and what was alarmed, as labels and detectors on one grid.

    Parameters
    ----------
    truth
        The file of incidents.
    alerts
        The files of alerts: one detector each, called as its file.
    span
        The time that was watched, half-open.
    every
        The length of a step; None: as long as the times allow.
    unit
        The unit of times that are numbers since 1970.
    sep
        What parts the cells of a text.
    form
        How times are written that are not ISO, in the codes of ``strptime``; those of the span
        may be ISO too.

    Returns
    -------
    Table
        ``labels`` are `Events`, and so are the ``scores`` of each detector.
    """
    files = [_moments(path, sep, form) for path in (truth, *alerts)]
    ends = _read_ends(span, form)
    if unit is not None and not any(map(is_counted, (ends, *(file.begin for file in files)))):
        raise InputError(f"unit must be left out, since no time is a number, got {unit!r}")
    step = every or _common_step(files, ends, unit)
    placed = [_placed(file, ends, step, unit) for file in files]
    names = [Path(without_packing(Path(path).name)).stem for path in alerts]
    if len(set(names)) < len(names):
        raise FileError(f"{alerts[-1]}: two files of alerts have one name; rename one")
    labels, *found = (events for events, _ in placed)
    joined = sum(joined for _, joined in placed)
    parts = [file.summary for file in files]
    parts.append(f"{labels.n:,} steps of {step}")
    if joined:
        parts.append(f"{joined:,} intervals joined that share a step or touch")
    name = Path(truth).name
    scores: dict[str, Any] = dict(zip(names, found, strict=True))
    return LabelledScores(labels, scores, None, None, name, summary=", ".join(parts))  # type: ignore[arg-type]


def _read_ends(span: tuple[str, str], form: str | None) -> tuple[Any, Any]:
    """The ends of the span, in the form of the files' times or as ISO."""
    if form is not None:
        with suppress(InputError):
            first, last = times_of_form(span, form, "span")
            return first, last
    return span


def _moments(path: str, sep: str | None, form: str | None) -> ReadIntervals:
    """Read the intervals of a file."""
    for keys in (*_PAIRS, *((name,) for name in COLUMNS.times)):
        requested = RequestedColumns(
            "", COLUMNS, scores=("",), keys=keys, labelled=False, scored=False
        )
        try:
            part = read_part(path, requested, Cells(sep))
        except UnknownName:
            continue
        begin, end = part.arrays[keys[0]], part.arrays[keys[-1]]
        if form is not None:
            begin, end = (
                times_of_form(side, form, f"{part.file}: {key}")
                for side, key in ((begin, keys[0]), (end, keys[-1]))
            )
        kind = "intervals" if len(keys) == 2 else "moments"
        summary = f"{part.rows:,} {kind} in {part.name} ({', '.join(keys)})"
        return ReadIntervals(part.file, begin, end, summary)
    raise FileError(
        f"{path}: must have the columns start and end (or stop), or one of "
        f"{', '.join(COLUMNS.times)}"
    )


def _placed(
    file: ReadIntervals, span: tuple[Any, Any], step: str, unit: str | None
) -> tuple[Events, int]:
    pairs = list(zip(file.begin, file.end, strict=True))
    try:
        events = Events.from_times(pairs, span=span, every=step, unit=unit, merge=True)
    except InputError as error:
        raise FileError(f"{file.file}: {error}") from error
    return events, len(pairs) - len(events)


def _common_step(files: Sequence[ReadIntervals], span: tuple[Any, Any], unit: str | None) -> str:
    """The longest step such that all times lie on its ticks."""
    first, last = Clock.read(list(span), "span", unit).instants.tolist()
    times = [last]
    for file in files:
        for side in (file.begin, file.end):
            times += Clock.read(side, "time", unit).instants.tolist() if len(side) else []
    step = math.gcd(*(time - first for time in times))
    if step == 0 or (last - first) // step > MAX_STEPS:
        raise InputError("the times need too fine a grid; say its step with --every, as in 1min")
    return spelt(step)
