"""What each incident, each false alarm and each quiet stretch adds to a value: rows of a ledger."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from adjudge.count.ledger import FALSE, NORMAL, QUIET, Ledger

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adjudge._typing import Array, Floats, Positions
    from adjudge.count.costs import MoneyRows
    from adjudge.judging.on_call.case import OnCallCase

    Rows = tuple[int, Positions, Positions, Positions | int, Floats]


def thing_rows(case: OnCallCase, normal: float = math.nan) -> Ledger:
    """A row per incident that is judged: found, and the alerts that are right on its account."""
    rows, alerts = case.count.incidents, case.count.alerts
    right = np.bincount(alerts.incident[alerts.right], minlength=len(rows.start))
    beside = alerts.right & ~np.append(rows.judged, False)[alerts.incident]
    alone = np.flatnonzero(alerts.false | beside)
    false = _table(0 * alone, 0 * alone, beside[alone], 1 + 0 * alone)
    return _rows(case, _table(rows.found, rows.judged, right, right), normal, alone, false)


def money_rows(case: OnCallCase, paid: MoneyRows) -> Ledger:
    """A row per incident that is judged: what was saved of what it is worth."""
    none = np.zeros(len(paid.worth))
    alone = np.flatnonzero(case.count.alerts.false)
    false = _table(0 * alone, 0 * alone, 0 * alone, paid.pages[alone])
    return _rows(case, _table(paid.saved, paid.worth, none, none), paid.watched, alone, false)


def mean_rows(case: OnCallCase, values: Floats) -> Ledger:
    """A row per incident that is judged: its value, and whether that is known."""
    known = ~np.isnan(values)
    own = np.where(known, values, 0)
    none = np.zeros(0, np.int64)
    table = _table(own, known, 0 * own, 0 * own)
    return _rows(case, table, math.nan, none, np.zeros((0, 5)))


def length_rows(case: OnCallCase, width: int) -> Ledger:
    """A row per stretch of incidents, and one per stretch of false time."""
    found: list[Rows] = []
    first = 0
    for number, line in enumerate(case.lines):
        size = (line.truth.ends - line.truth.starts).astype(np.float64)
        got = size * line.hit(line.alerts)
        own = np.arange(first, first + len(size))
        found.append((number, *line.truth, own, _table(got, size, got, got)))
        first += len(size)
        at, cost = line.false_stretches(line.alerts, width)
        false = _table(0 * cost, 0 * cost, 0 * cost, cost)
        found.append((number, at, at + cost, FALSE, false))
    quiet = float(sum(line.quiet.length for line in case.lines))
    return Ledger.of(*found, *_quiet(case, quiet))


def _table(*columns: Array) -> Floats:
    return np.stack([*columns, np.zeros(len(columns[0]))], axis=1).astype(np.float64)


def _rows(
    case: OnCallCase, table: Floats, normal: float, alone: Positions, false: Floats
) -> Ledger:
    """The rows of incidents, by service and start, and of alerts that stand alone."""
    rows, first = case.count.incidents, 0
    found: list[Rows] = []
    parts = ((name, part) for name, part in case.watched.parts.items() if part.length)
    for number, (service, part) in enumerate(parts):
        mine = np.flatnonzero(rows.judged & (rows.service == service))
        mine = mine[np.argsort(rows.start[mine], kind="stable")]
        ends = part.before(rows.start[mine]), part.before(rows.end[mine])
        found.append((number, *ends, first + np.arange(len(mine)), table[mine]))
        first += len(mine)
        here = case.alerts.place[alone] == service
        start = part.before(case.alerts.start[alone][here])
        found.append((number, start, start, FALSE, false[here]))
    return Ledger.of(*found, *_quiet(case, normal))


def _quiet(case: OnCallCase, normal: float) -> Iterator[Rows]:
    """So much normal time, over the watched time without incidents."""
    total = sum(line.quiet.length for line in case.lines)
    for number, line in enumerate(case.lines):
        starts, ends = line.quiet if total else line.truth
        own = np.zeros((len(starts), 5))
        length = total or sum(one.truth.length for one in case.lines)
        own[:, NORMAL] = normal * (ends - starts) / length
        yield number, starts, ends, QUIET, own
