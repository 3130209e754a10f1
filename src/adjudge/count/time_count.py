"""What became of incidents and alerts on lines of watched time: at home, or on many turns at once.

At home incidents and alerts are counted as given (`adjudge.count.on_call`). Turned, they are
counted on the lines, of which there are as many copies as there are turns. A counting says what
each incident and each alert weighs and earns (`TimeEntries`); their sums, and the rows of a ledger,
follow from that.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.count.ledger import FALSE, NORMAL, QUIET, Ledger, summed_rows
from adjudge.count.on_call import Found, overlapping_pairs
from adjudge.data.interval_reading import merged
from adjudge.data.intervals import bincount, first_and_count, repeat
from adjudge.data.watched import Stretches

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from adjudge._typing import Array, Flags, Floats, Positions
    from adjudge.count.alerts_on_lines import AlertsOnLines
    from adjudge.count.lengths import AlertPieces, WatchedLine

    Rows = tuple[int | Positions, Positions, Positions, Positions | int, Floats]

_NEVER = 2**62


class TimeEntries(NamedTuple):
    """What incidents earn and weigh, and what of each alert is right and how much it weighs.

    A line per turn, or one for all; a column per incident, or per alert.
    """

    credit: Array
    weight: Array
    right: Array
    flagged: Array
    normal: float = math.nan
    everywhere: bool = False
    """Whether normal time is all in which somebody watched, incidents too."""


@dataclass(frozen=True, eq=False)
class TimeCount:
    """What became of the judged incidents and of the alerts that count.

    Arrays have a line per turn, and a column per incident or per alert.

    Attributes
    ----------
    found : Flags
        Whether an alert found each incident.
    late : Floats
        How late the first alert of each incident came; NaN where that cannot be said.
    reset : Floats
        By how much the last alert outlasts each incident; NaN where that cannot be said.
    many : Positions
        How many alerts found each incident.
    surest : Floats
        The highest score of these; -inf where there is none.
    right : Flags
        Whether each alert is right.
    event : Positions
        The incident that each alert is right of, of those that are judged; `FALSE`: of
        none.
    alert_line : Positions
        The line of each alert.
    alert_start : Positions
        Where each alert begins on its line.
    alert_stop : Positions
        Where it ends there.
    instants : Positions
        When each alert begins.
    table_row : Positions
        The row of each alert in the table of alerts.
    lines : Sequence[tuple[WatchedLine, Placed]]
        Each line, and the alerts on it, in as many copies as there are turns.
    """

    case: AlertsOnLines
    found: Flags
    late: Floats
    reset: Floats
    many: Positions
    highest_score: Floats
    right: Flags
    event: Positions
    alert_line: Positions
    alert_start: Positions
    alert_stop: Positions
    instants: Positions
    table_row: Positions
    lines: Sequence[tuple[WatchedLine, AlertPieces]]

    @property
    def score(self) -> Floats:
        """The score of each alert."""
        return np.asarray(self.case.alerts.score[self.table_row], np.float64)

    @property
    def silence(self) -> Floats:
        """What alerts weigh where they play no part."""
        return np.zeros((1, len(self.table_row)))

    def sums(self, entries: TimeEntries) -> Floats:
        """The masses of each turn."""
        columns = [np.asarray(one, np.float64).sum(axis=-1) for one in entries[:4]]
        return np.stack(np.broadcast_arrays(*columns, entries.normal), axis=-1)

    def shares(self, entries: TimeEntries) -> tuple[Array, Array]:
        """A row per incident, and one per alert, as in their tables; of what does not count 0."""
        case = self.case
        incidents = np.zeros((len(case.count.incidents.start), 2))
        alerts = np.zeros((len(case.alerts), 2))
        incidents[case.places.row] = np.stack(
            [np.broadcast_to(one, self.found.shape)[0] for one in entries[:2]], axis=1
        )
        alerts[self.table_row] = np.stack(
            [np.broadcast_to(one, self.right.shape)[0] for one in entries[2:4]], axis=1
        )
        return incidents, alerts

    def ledger(self, entries: TimeEntries) -> Ledger:
        """The rows of the only turn: a row per incident, and one per alert that stands alone."""
        places = self.case.places
        credit, weight = (np.broadcast_to(one, self.found.shape)[0] for one in entries[:2])
        right, flagged = (np.broadcast_to(one, self.right.shape)[0] for one in entries[2:4])
        alerts = np.stack([0 * right, 0 * right, right, flagged, 0 * right], axis=1, dtype=float)
        owner, source = self._owners()
        many = bincount(source, minlength=len(alerts))
        part = alerts[source] / many[source, np.newaxis]
        table = summed_rows(owner, part, len(credit))
        table[:, 0], table[:, 1] = credit, weight
        alone = np.flatnonzero((many == 0) & alerts.any(axis=1))
        start, false = self.alert_start[0][alone], alerts[alone]
        return Ledger.of(
            (places.line, places.start, places.stop, np.arange(len(table)), table),
            (self.alert_line[alone], start, start, FALSE, false),
            *self.quiet(entries.normal, everywhere=entries.everywhere),
        )

    def _owners(self) -> Found:
        """Pairs of an incident and an alert that was on its account.

        An alert that overlaps several is split among them; one that overlaps none may be early.
        """
        places, event = self.case.places, self.event[0]
        found = [np.zeros((2, 0), np.int64)]
        for number in range(len(self.case.lines)):
            incident = np.flatnonzero(places.line == number)
            alert = np.flatnonzero((self.alert_line == number) & (event >= 0))
            alert = alert[np.argsort(self.alert_start[0][alert], kind="stable")]
            start = self.alert_start[0][alert]
            stop = np.maximum(self.alert_stop[0][alert], start + 1)
            begin, end = places.start[incident], places.stop[incident]
            pairs = overlapping_pairs(incident, begin, end, start, stop)
            found.append(np.stack([pairs.incident, alert[pairs.alert]]))
        incident, alert = np.concatenate(found, axis=1)
        early = np.setdiff1d(np.flatnonzero(event >= 0), alert)
        return Found(np.append(incident, event[early]), np.append(alert, early))

    def quiet(self, normal: float, *, everywhere: bool = False) -> Iterator[Rows]:
        """So much normal time, over the watched time without incidents, or over all of it.

        Where several services are watched at once, each has its share.
        """
        lines = self.case.lines
        some = any(line.quiet.length for line in lines)
        pieces = [line.quiet if some else line.truth for line in lines]
        weights = [ends - starts for starts, ends in pieces]
        if everywhere:
            pieces, weights = self._shared
        total = sum(float(one.sum()) for one in weights)
        for number, ((starts, ends), weight) in enumerate(zip(pieces, weights, strict=True)):
            own = np.zeros((len(starts), 5))
            own[:, NORMAL] = normal * (weight / total)  # first, or nanoseconds overflow
            yield number, starts, ends, QUIET, own

    @property
    def _shared(self) -> tuple[list[Stretches], list[Array]]:
        """The time of each line, cut by incidents and other lines, and its share of each piece."""
        parts = [part for _, part in self.case.parts]
        moments = np.unique(np.concatenate([np.zeros(0, np.int64), *(m for p in parts for m in p)]))
        many = np.sum([part.holds(moments) for part in parts], axis=0)
        pieces, shares = [], []
        for part, line in zip(parts, self.case.lines, strict=True):
            edges = np.unique(np.concatenate([part.before(moments), *line.truth]))
            starts, ends = edges[:-1], edges[1:]
            known = np.searchsorted(moments, part.instants(starts), side="right") - 1
            pieces.append(Stretches(starts, ends))
            shares.append((ends - starts) / many[known])
        return pieces, shares


def counted_at_home(case: AlertsOnLines) -> TimeCount:
    """Incidents and alerts as given, also those that began when nobody watched."""
    rows, alerts, row = case.count.incidents, case.count.alerts, case.places.row
    own, found = np.flatnonzero(alerts.counted), rows.found[np.newaxis, row]
    number = np.full(len(rows.start) + 1, FALSE)
    number[row] = np.arange(len(row))
    names = {name: number for number, (name, _) in enumerate(case.parts)}
    line = np.array([names[name] for name in case.alerts.place[own].tolist()], np.int64)
    ends = case.alerts.until(case.watched.span[1])
    begin, end = case.alerts.start[np.newaxis, own], ends[np.newaxis, own]
    start, stop = begin.copy(), end.copy()
    for k, (_, part) in enumerate(case.parts):
        mine = line == k
        start[:, mine], stop[:, mine] = part.before(begin[:, mine]), part.before(end[:, mine])
    return TimeCount(
        case, found, rows.delay[np.newaxis, row], rows.reset[np.newaxis, row],
        rows.alerts[np.newaxis, row], np.where(found, rows.highest_score[np.newaxis, row], -np.inf),
        alerts.right[np.newaxis, own], number[alerts.incident[np.newaxis, own]], line, start, stop,
        begin, own, [(one, one.alerts) for one in case.lines],
    )  # fmt: skip


class TurnedCount(TimeCount):
    """Alerts that were turned along the lines; those that count alone."""

    placed: Sequence[AlertPieces]
    copies: int

    def __init__(self, case: AlertsOnLines, placed: Sequence[AlertPieces], copies: int) -> None:
        vars(self).update(case=case, placed=placed, copies=copies)  # all else when it is asked for

    @cached_property
    def lines(self) -> Sequence[tuple[WatchedLine, AlertPieces]]:
        """The lines in so many copies."""
        pairs = zip(self.case.lines, self.placed, strict=True)
        return [(line.repeated(self.copies), placed) for line, placed in pairs]

    @property
    def _reaching(self) -> list[tuple[WatchedLine, AlertPieces]]:
        """The same; an alert that may come early finds what begins so long after its start."""
        reach, found = self.case.early + 1, []
        for (line, placed), own in zip(self.lines, self.case.turning, strict=True):
            longer = placed.reaching(reach, self.copies * len(own.row), line.length)
            found.append((line, longer))
        return found

    def _of_incidents(self, parts: list[Array]) -> Array:
        """Values of the incidents of each line, by number, in the order of places."""
        values = np.concatenate([part.reshape(self.copies, -1) for part in parts], axis=1)
        return np.asarray(values[:, self._order])

    @cached_property
    def _order(self) -> Positions:
        row, line = self.case.places[:2]
        by_number = np.lexsort((row, line))
        found = np.empty(len(row), np.int64)
        found[by_number] = np.arange(len(row))
        return found

    @cached_property
    def found(self) -> Flags:
        """Whether an alert meets a watched part of it."""
        parts = []
        for line, placed in self._reaching:
            begin, end = merged(placed.starts, placed.stops)
            met = first_and_count(line.starts, line.ends, begin, np.maximum(end, begin + 1))[1] > 0
            found = np.zeros(line.incidents * self.copies, bool)
            found[line.owner[met]] = True
            parts.append(found)
        return self._of_incidents(parts)

    @cached_property
    def right(self) -> Flags:
        """Whether it meets an incident."""
        parts = []
        for line, placed in self._reaching:
            stops = placed.starts + np.maximum(placed.lengths, 1)
            _, many = first_and_count(placed.starts, stops, *line.truth)
            right = np.zeros(placed.total, bool)
            right[placed.alert[many > 0]] = True
            parts.append(right.reshape(self.copies, -1))
        return np.concatenate(parts, axis=1)

    @cached_property
    def _pairs(self) -> list[Found]:
        """All pairs of an incident and a piece of an alert that meets it, line by line."""
        found = []
        for line, placed in self._reaching:
            order = np.argsort(placed.starts, kind="stable")
            starts = placed.starts[order]
            stops = starts + np.maximum(placed.lengths[order], 1)
            pairs = overlapping_pairs(line.owner, line.starts, line.ends, starts, stops)
            found.append(Found(pairs.incident, order[pairs.alert]))
        return found

    def _least(self, values: Sequence[Array], none: float) -> Array:
        """The least value of the pieces of alerts that met each incident."""
        parts = []
        for (line, _), pairs, own in zip(self.lines, self._pairs, values, strict=True):
            least = np.full(line.incidents * self.copies, none)
            np.minimum.at(least, pairs.incident, own[pairs.alert])
            parts.append(least)
        return self._of_incidents(parts)

    def _behind(self, line: Positions) -> Positions:
        """Where the line of each column begins in each copy."""
        length = np.array([one.length for one in self.case.lines], np.int64)
        return np.arange(self.copies, dtype=np.int64)[:, np.newaxis] * length[line]

    @cached_property
    def late(self) -> Floats:
        """In watched time."""
        places, early = self.case.places, self.case.early
        first = self._least([placed.starts for _, placed in self.lines], _NEVER)
        late = first - self._behind(places.line) - places.start
        late = np.where(late < -early, 0, late)
        return np.where(self.found & places.known, late, np.nan)

    @cached_property
    def reset(self) -> Floats:
        """In watched time."""
        places, rows = self.case.places, self.case.count.incidents
        ends = []
        for number, (_, placed) in enumerate(self.lines):
            still = self.case.alerts.open[self.case.turning[number].row]
            ends.append(np.where(np.tile(still, self.copies)[placed.alert], -_NEVER, -placed.stops))
        last = -self._least(ends, _NEVER)
        known = self.found & (last < _NEVER) & ~rows.open[places.row]
        return np.where(known, last - self._behind(places.line) - places.stop, np.nan)

    @cached_property
    def many(self) -> Positions:
        """Each alert once."""
        parts = []
        for (line, placed), pairs in zip(self.lines, self._pairs, strict=True):
            both = np.stack([pairs.incident, placed.alert[pairs.alert]])
            each = np.unique(both, axis=1)[0] if both.size else both[0]
            parts.append(bincount(each, minlength=line.incidents * self.copies))
        return self._of_incidents(parts)

    @cached_property
    def highest_score(self) -> Floats:
        """By the scores of the table."""
        score = self.case.alerts.score
        own = [
            -np.tile(score[self.case.turning[number].row], self.copies)[placed.alert]
            for number, (_, placed) in enumerate(self.lines)
        ]
        return -self._least(own, np.inf)

    @cached_property
    def event(self) -> Positions:
        """The first incident that it meets."""
        rank, first, parts = np.argsort(self._order), 0, []
        for (line, placed), pairs in zip(self.lines, self._pairs, strict=True):
            event = np.full(placed.total, _NEVER)
            own = rank[first + pairs.incident % max(line.incidents, 1)]
            np.minimum.at(event, placed.alert[pairs.alert], own)
            parts.append(np.where(event < _NEVER, event, FALSE).reshape(self.copies, -1))
            first += line.incidents
        return np.concatenate(parts, axis=1)

    @cached_property
    def alert_line(self) -> Positions:
        """The line on which it turns."""
        many = [len(one.row) for one in self.case.turning]
        return repeat(np.arange(len(many)), many)

    def _first_pieces(self, values: list[Positions]) -> Positions:
        """Of each alert the piece it begins with, in its own copy."""
        parts = [
            own[: self.copies * len(home.row)].reshape(self.copies, -1)
            for own, home in zip(values, self.case.turning, strict=True)
        ]
        return np.concatenate(parts, axis=1) - self._behind(self.alert_line)

    @cached_property
    def alert_start(self) -> Positions:
        """Where it was turned to."""
        return self._first_pieces([one.starts for one in self.placed])

    @cached_property
    def alert_stop(self) -> Positions:
        """Where it ends, or the line."""
        return self._first_pieces([one.stops for one in self.placed])

    @cached_property
    def table_row(self) -> Positions:
        """The alerts that turn."""
        return np.concatenate([one.row for one in self.case.turning])

    @cached_property
    def instants(self) -> Positions:
        """When it would have begun."""
        found = self.alert_start.copy()
        for number, (_, part) in enumerate(self.case.parts):
            mine = self.alert_line == number
            found[:, mine] = part.instants(found[:, mine])
        return found
