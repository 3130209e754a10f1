"""The list of events: which were found, how much of each, how late, and when."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.count.ledger import as_dicts, truth_rows
from adjudge.data.durations import NANOSECONDS, in_words
from adjudge.metrics.reader import catalogue

if TYPE_CHECKING:
    from adjudge._typing import Flags
    from adjudge.data.case import Case
    from adjudge.data.clock import Clock


def event_list(case: Case, at: float | None) -> list[dict[str, Any]]:
    """A row per event: start, stop, found, coverage, delay; with a clock also in time."""
    flags: Flags | None = None
    if at is not None or case.is_flags:
        flags, *_ = catalogue["f1"].metric.placed(at).flags(case)
    events = case.events
    none = np.zeros(len(events), np.int64)
    rows = truth_rows(np.zeros(events.n, bool) if flags is None else flags, events, none, none)
    return [
        {
            "detector": case.name,
            "start": row["start"],
            "stop": row["stop"],
            "found": None if flags is None else row["found"],
            "coverage": None if flags is None else row["covered"],
            "delay": None if flags is None or not row["found"] else row["delay"],
        }
        | ({} if events.clock is None else _times(row, events.clock, known=flags is not None))
        for row in as_dicts(rows)
    ]


def _times(row: dict[str, Any], clock: Clock, *, known: bool) -> dict[str, Any]:
    found = known and row["found"]
    late = time_after(clock, row["start"], row["delay"]) if found else None
    return {
        "from": clock.text(row["start"]),
        "to": clock.text(row["stop"] - 1),
        "delay_time": None if late is None else in_words(late),
        "delay_seconds": None if late is None else late / NANOSECONDS["s"],
    }


def time_after(clock: Clock, start: int, points: float) -> int:
    """The nanoseconds from a point to the one so many points later."""
    return int(clock.instants[start + int(points)] - clock.instants[start])


def span(first: str, last: str) -> str:
    """From when to when, the day said once.

    >>> span("2026-03-01 10:00", "2026-03-01 11:30")
    '2026-03-01 10:00 to 11:30'
    """
    if first == last:
        return first
    day = first.partition(" ")[0]
    return f"{first} to {last.removeprefix(f'{day} ')}"
