"""What each incident and each quiet stretch adds to a value: the rows that intervals stand on."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.data.events import Events
from adjudge.data.intervals import bincount, repeat
from adjudge.data.watched import Stretches
from adjudge.noise.intervals.evidence import units_of
from adjudge.noise.intervals.of_rates import EventRows, Imagined, Side

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge._typing import Floats, Positions
    from adjudge.count.costs import MoneyRows
    from adjudge.count.tally import Tally
    from adjudge.judging.on_call.case import OnCallCase
    from adjudge.noise.intervals.evidence import Units


class PieceRows(NamedTuple):
    """What each incident and each quiet stretch adds to the sums; all detectors have the same.

    Lines are found, truth, right and flagged. Incidents stand in the order of services and starts,
    on a line of points that has one for each incident and one for each quiet stretch around them.
    """

    incidents: Floats
    counts: Positions
    """How many incidents each service has."""
    false: Floats
    """A line per false alarm, and per alert that is right of an incident that nobody watched."""
    place: Positions
    """The point of the quiet stretch in which each of these begins."""
    normal: float = math.nan
    quiet: Floats | None = None
    """How long each of the stretches of the line is, 0 for incidents; None: nobody asks."""
    when: tuple[Positions, Positions] | None = None
    """When each incident, and each of the false alarms, began; None where rows are no things."""

    @property
    def rows(self) -> EventRows:
        """The same for intervals."""
        return EventRows(self.incidents, self.false, self.place, self.normal)

    def units(self, unit: str) -> Units:
        """The units of evidence: incidents, each with the quiet time before it, or services."""
        bounds = np.append(0, np.cumsum(2 * self.counts + 1))
        before = repeat(np.arange(len(self.counts)), self.counts)
        starts = 2 * np.arange(len(before), dtype=np.int64) + before + 1
        events = Events(starts, starts + 1, int(bounds[-1]), bounds=bounds)
        return units_of(events, "event" if unit == "auto" else unit)


class ThingSide(Side):
    """What the alerts of one detector earned and paid."""

    def __init__(
        self,
        measure: Callable[[Tally], Any],
        pieces: PieceRows,
        value: float,
        cost: float,
        *,
        some: bool,
    ) -> None:
        self.measure, self.rows = measure, pieces.rows
        self._value, self._cost, self._quiet = value, cost, pieces.quiet
        self.flags = np.array([some])

    @property
    def value(self) -> float:
        """The value of the metric."""
        return self._value

    def by(self, units: Units) -> Floats:
        """The rows of the units, each with its own share of the quiet time."""
        rows = super().by(units)
        if self._quiet is not None and self._quiet.any():
            place = units.edges.searchsorted(np.arange(len(self._quiet)), side="right") - 1
            time = units.summed(units.of_piece[place], self._quiet[:, np.newaxis])[:, 0]
            rows[:, 4] = self.rows.normal * time / self._quiet.sum()
        return rows

    def imagined(self) -> Imagined:
        """Imagine an incident that is found, one that is missed, and a false alarm."""
        rows, false = self.rows.events, self.rows.false
        hit, truth = rows[:, 0] > 0, rows[:, 1]
        size = float((truth**2).sum() / truth.sum()) if truth.any() else 0.0
        found = rows[hit].mean(axis=0) if hit.any() else np.full(4, size)
        missed = rows[~hit].mean(axis=0) if not hit.all() else np.array([0, size, 0, 0])
        wrong = false.mean(axis=0) if len(false) else np.array([0, 0, 0, self._cost])
        quiet = self.rows.normal / max(len(rows), 1)
        return Imagined(*(np.append(row, q) for row, q in
                          ((found, quiet), (missed, quiet), (wrong, 0 * quiet))))  # fmt: skip


def thing_rows(case: OnCallCase) -> PieceRows:
    """A line per incident that is judged: found, and the alerts that are right on its account."""
    rows, alerts = case.count.incidents, case.count.alerts
    right = bincount(alerts.incident[alerts.right], minlength=len(rows.start))
    table = np.stack([rows.found, rows.judged, right, right], axis=1).astype(np.float64)
    beside = alerts.right & ~np.append(rows.judged, False)[alerts.incident]
    alone = np.flatnonzero(alerts.false | beside)
    false = np.zeros((len(alone), 4))
    false[:, 2], false[:, 3] = beside[alone], 1
    return _in_order(case, table, false, alone)


def money_rows(case: OnCallCase, paid: MoneyRows) -> PieceRows:
    """A line per incident that is judged: what was saved of what it is worth."""
    none = np.zeros(len(paid.worth))
    alone = np.flatnonzero(case.count.alerts.false)
    false = np.zeros((len(alone), 4))
    false[:, 3] = paid.pages[alone]
    table = np.stack([paid.saved, paid.worth, none, none], axis=1)
    return _in_order(case, table, false, alone)._replace(normal=paid.watched)


def mean_rows(case: OnCallCase, values: Floats) -> PieceRows:
    """A line per incident that is judged: its value, and whether that is known."""
    known = ~np.isnan(values)
    own = np.where(known, values, 0)
    table = np.stack([own, known, 0 * own, 0 * own], axis=1)
    return _in_order(case, table, np.zeros((0, 4)), np.zeros(0, np.int64))


def _in_order(case: OnCallCase, table: Floats, false: Floats, alone: Positions) -> PieceRows:
    """The lines of the incidents, and the alerts that stand alone, in the order of services."""
    rows, order, counts = case.count.incidents, [], []
    place, first, quiet = np.zeros(len(alone), np.int64), 0, []
    for service in case.watched.parts:
        mine = np.flatnonzero(rows.judged & (rows.service == service))
        mine = mine[np.argsort(rows.start[mine], kind="stable")]
        here = case.alerts.place[alone] == service
        began = np.searchsorted(rows.start[mine], case.alerts.start[alone][here], side="right")
        place[here] = first + 2 * began
        first += 2 * len(mine) + 1
        quiet.append(_quiet_lengths(case, service, rows.start[mine]))
        order.append(mine)
        counts.append(len(mine))
    own = np.concatenate(order)
    when = rows.start[own], case.alerts.start[alone]
    time = np.concatenate(quiet)
    return PieceRows(table[own], np.array(counts), false, place, quiet=time, when=when)


def _quiet_lengths(case: OnCallCase, service: str, starts: Positions) -> Floats:
    """The watched time without incidents before, between and after those that begin so."""
    mine = case.incidents.chosen(case.incidents.place == service)
    truth = Stretches.of(mine.start, mine.until(case.watched.span[1]))
    left = case.watched.parts[service].without(truth)
    after = np.searchsorted(starts, left.starts, side="right")
    found = np.zeros(2 * len(starts) + 1)
    np.add.at(found, 2 * after, left.ends - left.starts)
    return found


def length_rows(case: OnCallCase, width: int) -> PieceRows:
    """A line per stretch of incidents, and one per stretch of false time."""
    events, false = [np.zeros((0, 4))], [np.zeros((0, 4))]
    places, counts, first = [np.zeros(0, np.int64)], [], 0
    for line in case.lines:
        size = (line.truth.ends - line.truth.starts).astype(np.float64)
        got = size * line.hit(line.alerts)
        events.append(np.stack([got, size, got, got], axis=1))
        _, part, cost = line.false_stretches(line.alerts, width)
        none = np.zeros(len(cost))
        false.append(np.stack([none, none, none, cost.astype(np.float64)], axis=1))
        began = np.searchsorted(line.truth.starts, line.quiet.starts[part], side="right")
        places.append(first + 2 * began)
        first += 2 * len(size) + 1
        counts.append(len(size))
    quiet = float(sum(line.quiet.length for line in case.lines))
    return PieceRows(
        np.concatenate(events), np.array(counts, np.int64), np.concatenate(false),
        np.concatenate(places), quiet,
    )  # fmt: skip
