"""Count incidents and alerts as things on instants: no grid, nothing merged.

1. An alert belongs to incidents of its own service.
2. An alert is counted where it starts: in watched time, else not at all (it may still find an
   incident). It is right if it overlaps an incident, or starts at most ``early`` before one; else
   it is false.
3. An incident is judged if a part of it is watched, else it is unwatched. It is found if an alert
   overlaps its watched part, or starts at most ``early`` before it.
4. The delay is the start of the first such alert less the start of the incident, and not negative
   unless the alert was early; only where the first instant of the incident is watched.
5. The reset time is the end of the last such alert less the end of the incident; not where one of
   the two is open.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.count.tally import Tally
from adjudge.data.incidents import OPEN, Alerts, Incidents
from adjudge.data.intervals import overlaps, reduceat, repeat, stretches
from adjudge.data.watched import Stretches, WatchedTime

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags, Floats, Positions


@dataclass(frozen=True, eq=False)
class IncidentRows:
    """One row per incident: when it was, and how it was found."""

    row: Positions
    """The first row of the table that it stands in."""
    id: Array
    service: Array
    start: Positions
    end: Positions
    """The end; that of the span where the incident is open."""
    open: Flags
    judged: Flags
    """Whether a part of it was watched."""
    found: Flags
    first_alert: Positions
    """The row of the first alert that found it; -1 where none did."""
    delay: Floats
    """From its start to the start of the first alert; NaN where that cannot be said."""
    reset: Floats
    """From its end to the end of the last alert; NaN where that cannot be said."""
    alerts: Positions
    """How many alerts found it."""
    highest_score: Floats
    """The highest score of these; NaN where alerts have none."""


@dataclass(frozen=True, eq=False)
class AlertRows:
    """One row per alert, in the order of the table: whether it was right."""

    counted: Flags
    """Whether it started in watched time."""
    right: Flags
    """Whether it is counted and right."""
    incident: Positions
    """The number of the first incident that it belongs to; -1 where there is none."""

    @property
    def false(self) -> Flags:
        """Whether it is counted and right of nothing."""
        return np.asarray(self.counted & ~self.right)


@dataclass(frozen=True, eq=False)
class OnCallCount:
    """What incidents and alerts come to."""

    incidents: IncidentRows
    alerts: AlertRows
    watched: WatchedTime
    quiet: int
    """The watched time without an incident, of all services together."""

    @property
    def tally(self) -> Tally:
        """Incidents found, incidents judged, alerts right, alerts counted."""
        found, judged = self.incidents.found, self.incidents.judged
        sums = (found, judged, self.alerts.right, self.alerts.counted)
        counts = [int(np.count_nonzero(mask)) for mask in sums]
        return Tally(counts[0], counts[1], counts[2], counts[3])


class Found(NamedTuple):
    """Pairs of an incident and an alert that found it, the alerts in the order of their starts."""

    incident: Positions
    alert: Positions


def count_on_call(
    incidents: Incidents, alerts: Alerts, watched: WatchedTime, early: int = 0
) -> OnCallCount:
    """Count incidents and alerts, service by service.

    >>> incidents = Incidents([10, 50, 80], [20, 60, 90])
    >>> watched = WatchedTime.over((0, 100), [""])
    >>> count_on_call(incidents, Alerts([14, 60, 70], [16, 61, 71]), watched).tally
    Tally(found=1, truth=3, right=1, flagged=3, normal=nan)
    >>> count_on_call(incidents, Alerts([14, 60, 70]), watched, early=10).tally
    Tally(found=2, truth=3, right=2, flagged=3, normal=nan)
    """
    rows, quiet = _incident_rows(incidents, watched), 0
    found = AlertRows(
        np.zeros(len(alerts), bool), np.zeros(len(alerts), bool), np.full(len(alerts), -1)
    )
    for service, part in watched.parts.items():
        mine = np.flatnonzero(alerts.place == service)
        mine = mine[np.lexsort((alerts.id[mine].astype(str), alerts.start[mine]))]
        pieces = _pieces(incidents, service, watched.span[1])
        _count_service(pieces, mine, _Tables(alerts, rows, found, part, early, watched.span[1]))
        quiet += part.without(Stretches.of(pieces.start, pieces.end)).length
    return OnCallCount(rows, found, watched, quiet)


class Pieces(NamedTuple):
    """The pieces of the incidents of one service, open ones up to the end of the span."""

    start: Positions
    end: Positions
    owner: Positions
    """The number of the incident."""


def _pieces(incidents: Incidents, service: str, last: int) -> Pieces:
    mine = np.flatnonzero(incidents.place == service)
    return Pieces(incidents.start[mine], incidents.until(last)[mine], incidents.numbers[mine])


def _incident_rows(incidents: Incidents, watched: WatchedTime) -> IncidentRows:
    numbers = incidents.numbers
    _, first = np.unique(numbers, return_index=True)
    count, ends = len(first), incidents.until(watched.span[1])
    start, end, still = np.full(count, OPEN), np.full(count, -OPEN), np.zeros(count, bool)
    np.minimum.at(start, numbers, incidents.start)
    np.maximum.at(end, numbers, ends)
    still[numbers[incidents.open]] = True
    return IncidentRows(
        first, incidents.id[first], incidents.place[first], start, end, still,
        np.zeros(count, bool), np.zeros(count, bool), np.full(count, -1),
        np.full(count, np.nan), np.full(count, np.nan), np.zeros(count, np.int64),
        np.full(count, np.nan),
    )  # fmt: skip


class _Tables(NamedTuple):
    """The alerts, and the rows that the count is written into."""

    alerts: Alerts
    rows: IncidentRows
    found: AlertRows
    part: Stretches
    early: int
    last: int


def _count_service(pieces: Pieces, mine: Positions, of: _Tables) -> None:
    """Write the rows of one service; its alerts come in the order of their starts."""
    start, end, owner = pieces
    starts, stops = of.alerts.start[mine], of.alerts.stops(of.last)[mine]
    piece, stretch, _ = overlaps(start, end, of.part.starts, of.part.ends)
    begin = np.maximum(start[piece], of.part.starts[stretch])
    until = np.minimum(end[piece], of.part.ends[stretch])
    judged = np.unique(owner[piece])
    of.rows.judged[judged] = True
    pairs = overlapping_pairs(owner[piece], begin, until, starts, stops)
    ahead = _ahead(judged, of.rows.start[judged], starts, of.early)
    _write_found(_together(pairs, ahead), mine, of)
    match = _matches(start, end, owner, starts, stops)
    soon = _soon(np.unique(owner), of.rows.start, starts, of.early)
    of.found.counted[mine] = of.part.holds(starts)
    of.found.incident[mine] = np.where(match >= 0, match, soon)
    of.found.right[mine] = of.found.counted[mine] & (of.found.incident[mine] >= 0)


def overlapping_pairs(
    owner: Positions, begin: Positions, end: Positions, starts: Positions, stops: Positions
) -> Found:
    """All pairs of a part of an incident and an alert that overlaps it; alerts may overlap too."""
    reach = np.maximum.accumulate(stops) if len(stops) else stops
    first = np.searchsorted(reach, begin, side="right")
    last = np.searchsorted(starts, end, side="left")
    many = np.maximum(last - first, 0)
    part, alert = repeat(np.arange(len(begin)), many), stretches(first, many)
    meets = stops[alert] > begin[part]
    return Found(owner[part[meets]], alert[meets])


def _ahead(owner: Positions, begin: Positions, starts: Positions, early: int) -> Found:
    """All pairs of an incident and an alert that starts at most so early before it."""
    first = np.searchsorted(starts, begin - early, side="left")
    many = np.searchsorted(starts, begin, side="left") - first
    return Found(repeat(owner, many), stretches(first, many))


def _together(one: Found, other: Found) -> Found:
    """The pairs of both, each once, in the order of incidents and then of alerts."""
    incident = np.append(one.incident, other.incident)
    alert = np.append(one.alert, other.alert)
    pairs = np.unique(np.stack([incident, alert]), axis=1) if len(incident) else [incident, alert]
    return Found(pairs[0], pairs[1])


def _write_found(pairs: Found, mine: Positions, of: _Tables) -> None:
    """Say of each incident how it was found."""
    which, first, many = np.unique(pairs.incident, return_index=True, return_counts=True)
    if not len(which):
        return
    rows, alert = of.rows, mine[pairs.alert]
    rows.found[which] = True
    rows.alerts[which] = many
    rows.first_alert[which] = alert[first]
    late = of.alerts.start[alert[first]] - rows.start[which]
    late = np.where(late < -of.early, 0, late)
    known = of.part.holds(rows.start[which])
    rows.delay[which] = np.where(known, late, np.nan)
    last = reduceat(np.maximum, of.alerts.end[alert], first)
    if of.alerts.score is not None:
        rows.highest_score[which] = reduceat(np.maximum, of.alerts.score[alert], first)
    closed = (last < OPEN) & ~rows.open[which]
    rows.reset[which] = np.where(closed, last - rows.end[which], np.nan)


def _matches(
    start: Positions, end: Positions, owner: Positions, starts: Positions, stops: Positions
) -> Positions:
    """The first incident that each alert overlaps, watched or not; -1 where it overlaps none."""
    if not len(start):
        return np.full(len(starts), -1)
    order = np.argsort(start, kind="stable")
    reach = np.maximum.accumulate(end[order])
    first = np.searchsorted(reach, starts, side="right")
    meets = first < np.searchsorted(start[order], stops, side="left")
    return np.where(meets, owner[order][np.minimum(first, len(order) - 1)], -1)


def _soon(which: Positions, begin: Positions, starts: Positions, early: int) -> Positions:
    """The incident that begins at most so long after each alert; -1 where none does."""
    if not len(which):
        return np.full(len(starts), -1)
    order = which[np.argsort(begin[which], kind="stable")]
    place = np.searchsorted(begin[order], starts, side="right")
    near = np.append(begin[order], OPEN)[place] - starts <= early
    return np.where(near, order[np.minimum(place, len(order) - 1)], -1)
