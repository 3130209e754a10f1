"""Remarks below a table of results: what only some need to know, or what changes the picture."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from adjudge.adjust.balanced import READINGS
from adjudge.judging.judge.verdict import main_row
from adjudge.judging.words.short_names import is_lower, short_names, unique_names
from adjudge.judging.words.verdict import FEW
from adjudge.noise.intervals.neighbours import FOUND_TOGETHER, QUIET_ALIKE
from adjudge.noise.intervals.units import in_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge.judging.result_columns import Finding


_HARDLY, _MUCH = 5e-4, 0.05
_COARSE = 0.01  # a grid of thresholds that moves a value by more is named


def remarks(rows: Sequence[Finding], *, verbose: bool = False) -> list[str]:
    """Say what else there is to know, of clocks, evidence, grids of thresholds, and islands.

    Intervals that rest on something else than as many events are told, and where they are known to
    hold the truth less often than they say. A grid of thresholds is told where it moves the value
    by more than 1 %. Other readings of balanced adjustment, and how much the island width lets
    random alarms score, are told where they change the picture: another reading is down at chance,
    or random alarms may score over 5 % more than an always-on alarm. On request all of these are
    told.
    """
    return [
        *_evidence_remarks(rows, verbose),
        *dict.fromkeys(row.clock_note for row in rows if row.clock_note),
        *_grid_remarks(rows),
        *_reading_remarks(rows, verbose),
        *_width_remarks(rows, verbose),
        *_position_remarks(rows),
    ]


def _position_remarks(rows: Sequence[Finding]) -> list[str]:
    """Say what one alarm per window would score, and where a test of changes is weak."""
    names = short_names(rows)
    blind = [f"{names[row.requested]}: one alarm per window would score {row.blind_level:.4g}"
             for row in rows if not math.isnan(row.blind_level)]  # fmt: skip
    even = any(row.alarms_evenly_spaced for row in rows)
    return [
        *blind[:1],
        *[
            "changes are almost evenly spaced: alarms shifted by one spacing hit them again, "
            "so the test against chance is weak here"
        ]
        * even,
    ]


def skipped_notes(rows: Sequence[Finding]) -> list[str]:
    """Say how many points have no score, and how much time has no points."""
    skipped: dict[str, int] = {}
    for row in rows:  # of channels, rows of all as one leave fewer out
        skipped[row.detector] = max(row.skipped, skipped.get(row.detector, 0))
    left = [
        f"{name}: {count:,} points without a score left out"
        for name, count in skipped.items()
        if count
    ]
    return [*left, *dict.fromkeys(row.gaps for row in rows if row.gaps)]


_HELD = {FOUND_TOGETHER: "85 to 91 %", QUIET_ALIKE: "83 to 88 %"}
"""How often intervals held the truth: events in groups of 1 to 5; storms, and scores that wander"""
_UNSEEN = 0.9  # the share of units of the common kind
_RARELY, _OFTEN = 0.05, 1 / 3  # less need not be told of events, and of series


def _evidence_remarks(rows: Sequence[Finding], verbose: bool) -> list[str]:
    """Say what all intervals rest on, if that is not the events, and where they are weak."""
    detectors = dict.fromkeys(row.detector for row in rows)
    main = (main_row([row for row in rows if row.detector == name]) for name in detectors)
    known = [row for row in main if row is not None and row.evidence]
    of_events = [row for row in known if row.evidence_unit == "event"]
    notes = [f"95 % intervals: {row.evidence}" for row in known if row.evidence_unit != "event"]
    notes += [
        f"where neighbouring events are {alike}, 95 % intervals covered the true value in "
        f"{held} of simulations: name dependent events by group= (--group COL)"
        for alike, held in _HELD.items()
        if any(alike in row.evidence for row in of_events)
    ]
    notes += [_unseen(row) for row in known if verbose or _has_rare_kinds(row)]
    return [note for note in dict.fromkeys(notes) if note]


def _has_rare_kinds(row: Finding) -> bool:
    """Whether a kind that was not seen would matter: long events, bad stretches, other series."""
    if row.evidence_unit != "event":
        return _UNSEEN**row.evidence_units > _OFTEN
    return "long ones" in row.evidence or row.chosen_by == "none"


def _unseen(row: Finding) -> str:
    """Say how often a kind that is one in ten is missing from so few units."""
    missed = _UNSEEN**row.evidence_units
    if missed < _RARELY or math.isnan(row.low):
        return ""
    units = in_words(row.evidence_units, row.evidence_unit)
    of_events = row.evidence_unit == "event"
    kinds = "events and normal time" if of_events else units.split(" ", 1)[1]
    return (
        f"intervals assume {kinds} like these: {100 * missed:.0f} % of samples of {units} "
        "lack a kind that is a tenth of all"
    )


def _grid_remarks(rows: Sequence[Finding]) -> list[str]:
    """Give the value over every threshold where a grid of thresholds moves it by over 1 %."""
    said = []
    names = unique_names(dict.fromkeys(row.requested or row.metric for row in rows))
    for asked, name in names.items():
        own = [row for row in rows if (row.requested or row.metric) == asked]
        moved = [row for row in own if _shift(row) > _COARSE * abs(row.every_threshold)]
        if len(moved) > FEW:
            most = max(moved, key=_shift)
            said.append(
                f"{name}: the grid of thresholds changes {len(moved)} of {len(own)} values by "
                f"more than {100 * _COARSE:.0f} %, most of all {most.value:.4f} "
                f"({most.detector}): {most.every_threshold:.4f} over all thresholds "
                "(thresholds=None)"
            )
        else:
            said += [
                f"{row.detector}: {name} is {row.value:.4f} over a grid of thresholds, "
                f"{row.every_threshold:.4f} over all (thresholds=None)"
                for row in moved
            ]
    return said


def _shift(row: Finding) -> float:
    return abs(row.value - row.every_threshold)


def _reading_remarks(rows: Sequence[Finding], verbose: bool) -> list[str]:
    said = []
    for row in rows:
        short = unique_names([row.requested or row.metric]).popitem()[1]
        for name, value in row.other_readings.items():
            sunk = not is_lower(row) and value <= row.chance < row.value
            if verbose or sunk:
                down = f", no better than chance ({row.chance:.4f})" if sunk else ""
                said.append(
                    f"{row.detector}: {short} is {row.value:.4f}, or {value:.4f} "
                    f"{READINGS[name][1]} ({name!r}){down}"
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
                f"islands of {row.width} points: random alarms average {most} an always-on alarm"
            ] = None
    return list(said)
