"""Remarks below a table of results: what only some need to know, or what changes the picture."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from adjudge.judging.short_names import is_lower, told_apart
from adjudge.judging.wording import main_row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge.judging.result_row import Finding

_READINGS = {
    "normal": "with islands on normal points alone",
    "spill": "with islands that spill into missed events, as the paper prints it",
    "all": "with islands around every flag, true ones too, as in the authors' code",
}
_HARDLY, _MUCH = 5e-4, 0.05


def remarks(rows: Sequence[Finding], *, verbose: bool = False) -> list[str]:
    """Say what else there is to know of balanced adjustment.

    Other readings of it, and how much the island width lets random alarms score, are told where
    they change the picture: another reading is down at chance, or random alarms may score over
    5 % more than alarming always. All of them are told on request.
    """
    return [*_reading_remarks(rows, verbose), *_width_remarks(rows, verbose)]


def skipped_notes(rows: Sequence[Finding]) -> list[str]:
    """Say how many points were left out for want of a score."""
    skipped = {row.detector: row.skipped for row in rows if row.skipped}
    return [f"{name}: {count:,} points without a score left out" for name, count in skipped.items()]


def _reading_remarks(rows: Sequence[Finding], verbose: bool) -> list[str]:
    said = []
    for row in rows:
        short = told_apart([row.asked or row.metric]).popitem()[1]
        for name, value in row.readings.items():
            sunk = not is_lower(row) and value <= row.chance < row.value
            if verbose or sunk:
                down = f", no more than by chance ({row.chance:.4f})" if sunk else ""
                said.append(
                    f"{row.detector}: {short} is {row.value:.4f}; {_READINGS[name]} "
                    f"({name!r}) it would be {value:.4f}{down}"
                )
    return said


def _width_remarks(rows: Sequence[Finding], verbose: bool) -> list[str]:
    """Say what the island width lets random alarms score, at whatever threshold."""
    detectors = dict.fromkeys(row.detector for row in rows)
    main = (main_row([row for row in rows if row.detector == name]) for name in detectors)
    said: dict[str, None] = {}
    for row in main:
        if row is None or math.isnan(row.overshoot):
            continue
        more = row.overshoot - 1
        if verbose or more > _MUCH:
            most = "no more than" if more < _HARDLY else f"up to {100 * more:.1f} % more than"
            said[
                f"islands of {row.width} points: random alarms score, on average, {most} "
                "alarming always"
            ] = None
    return list(said)
