"""The list of events: which were found, how much of each, how late, and when; and raw counts."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.adjust.adjustments import raw
from adjudge.count.ledger import as_dicts, truth_rows
from adjudge.count.points import PointCount
from adjudge.count.runs import Runs
from adjudge.data.durations import NANOSECONDS, in_words
from adjudge.errors import InputError
from adjudge.metrics.reader import catalogue

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge._typing import Array
    from adjudge.count.ledger import TruthRows
    from adjudge.data.case import Case
    from adjudge.data.clock import Clock
    from adjudge.data.events import Events
    from adjudge.judging.result_columns import Finding
    from adjudge.metrics.metric import Metric


BESIDE = "found by an alarm nearby"
"""Of an event without a flagged point that its metric counts as found."""


def event_list(
    case: Case, at: float | None, metrics: Sequence[Metric], kinds: Array | None = None
) -> list[dict[str, Any]]:
    """A row per event: start, stop, found, coverage, delay; with a clock also in time.

    With a kind for each point also the kind.

    An event is found as the first of the metrics counts it that judges flags event by event; if
    there is none, when a point of it is flagged.
    """
    known, clock = at is not None or case.is_flags, case.events.clock
    return [
        {
            "detector": case.name,
            "start": row["start"],
            "stop": row["stop"],
            "found": row["found"] if known else None,
            "coverage": row["covered"] if known else None,
            "delay": _delay(row),
        }
        | ({} if clock is None else _times(row, clock))
        | ({} if kinds is None else {"kind": _kind(kinds[row["start"] : row["stop"]], row)})
        for row in as_dicts(_rows(case, at, metrics) if known else _silence(case.events))
    ]


def _kind(kinds: Array, row: dict[str, Any]) -> str:
    """The one kind that the points of an event have; "" where they have none."""
    known = sorted(set(kinds.tolist()) - {""})
    if len(known) > 1:
        raise InputError(
            f"kind must be one for each event, got {known[0]!r} and {known[1]!r} in the event "
            f"[{row['start']}, {row['stop']}); give all points of an event one kind"
        )
    return known[0] if known else ""


def _rows(case: Case, at: float | None, metrics: Sequence[Metric]) -> TruthRows:
    """The events as the first metric that can has them."""
    as_one = (m for m in metrics if m.across in {"", "any_channel"})
    able = (m for m in as_one if m.has_receipt and m.at_one_threshold and m.at is None)
    otherwise = catalogue[f"{case.events.noun}_recall"].metric
    entries, *_ = next(able, otherwise).with_default_threshold(at).entries(case)
    return entries.truth


def _silence(events: Events) -> TruthRows:
    none = np.zeros(len(events), np.int64)
    return truth_rows(np.zeros(events.n, bool), events, none, none)


def _delay(row: dict[str, Any]) -> float | None:
    """The delay of an event that is found by a flag of its own."""
    return row["delay"] if row["found"] and not math.isnan(row["delay"]) else None


def _times(row: dict[str, Any], clock: Clock) -> dict[str, Any]:
    delay = _delay(row)
    late = None if delay is None else time_after(clock, row["start"], delay)
    return {
        "from": clock.text(row["start"]),
        "to": clock.text(row["stop"] - 1),
        "delay_time": None if late is None else in_words(late),
        "delay_seconds": None if late is None else late / NANOSECONDS["s"],
    }


def time_after(clock: Clock, start: int, points: float) -> int:
    """The nanoseconds from a point to the one so many points later."""
    return int(clock.instants[start + int(points)] - clock.instants[start])


def has_counts(row: Finding) -> bool:
    """Whether a row is about flags at one threshold of a case."""
    metric = row.resolved_metric
    if metric is None or metric.row.needs == "scores":
        return False
    return metric.across in {"", "any_channel"}


def raw_counts(case: Case, at: float | None) -> dict[str, int] | None:
    """Points and events that were found or missed, and alarms that were right or false.

    None where nobody chose a threshold, and of positions, which have no length.

    >>> from adjudge.data.case import Case
    >>> raw_counts(Case([0, 1, 1, 0, 0], [0, 1, 0, 0, 1]), None)
    {'tp': 1, 'fp': 1, 'fn': 1, 'tn': 2, 'events_found': 1, 'events_missed': 0, 'alarms_right': 1, \
'alarms_false': 1}
    """
    flags = case.flags_at(at)
    if flags is None:
        return None
    points, runs = (one.tally(flags, case.events, raw) for one in (PointCount(), Runs()))
    false = points.flagged - points.right
    counts = {
        "tp": points.found, "fp": false, "fn": points.truth - points.found,
        "tn": points.normal - false, "events_found": runs.found,
        "events_missed": runs.truth - runs.found, "alarms_right": runs.right,
        "alarms_false": runs.flagged - runs.right,
    }  # fmt: skip
    return {name: int(count) for name, count in counts.items()}
