"""One detector's alerts beside the incidents, on lines of watched time, and where they turn to.

The watched time of each service is joined to a line, round which its alerts turn. An alert keeps
its length and runs on round the line. Where watched time cut it at home islands end, and so they do
wherever it turns: else its own place would cost the least. Only alerts that began in watched time
turn.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from adjudge.count.lengths import AlertPieces, WatchedLine, watched_lines
from adjudge.count.on_call import OnCallCount, count_on_call
from adjudge.data.durations import NANOSECONDS
from adjudge.data.incidents import Alerts, Incidents
from adjudge.data.interval_reading import merged
from adjudge.data.intervals import overlaps
from adjudge.data.watched import Stretches, WatchedTime

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

    from adjudge._typing import Flags, Positions
    from adjudge.data.clock import Clock


class IncidentPlaces(NamedTuple):
    """Where the judged incidents are, by line and start.

    Attributes
    ----------
    row : Positions
        The number of the incident among all.
    known : Flags
        Whether its first instant was watched.
    """

    row: Positions
    line: Positions
    start: Positions
    stop: Positions
    known: Flags


class Starts(NamedTuple):
    """The alerts of a line that turn, in the order of their starts."""

    row: Positions
    """The row of each in the table of alerts."""
    placed: AlertPieces


class Move(NamedTuple):
    """How far starts turn: for each line, the edges of its blocks and an offset for each block."""

    edges: Sequence[Positions]
    offsets: Sequence[Positions]

    def of(self, line: int, starts: Positions) -> Positions:
        """Starts on a line after the move, each within its block; a row for each row of offsets."""
        edges = self.edges[line]
        block = np.searchsorted(edges[1:-1], starts, side="right")
        begin, size = edges[block], np.diff(edges)[block]
        return np.asarray(begin + (starts - begin + self.offsets[line][..., block]) % size)


@dataclass(frozen=True, eq=False)
class AlertsOnLines:
    """One detector's alerts beside the incidents, in watched time.

    Attributes
    ----------
    at : float | None
        The score that alerts must be above to be raised; None: all are.
    rule : str
        The rule that chose this score, if one did.
    policy : str
        The policy that made these alerts of those above the score; "": they are as given.
    given : Alerts | None
        All alerts, where only some are raised, or at other times.
    moves : tuple of Move
        How the alerts were turned, one after the other; none: they are at home.
    shared : bool
        Whether all services live through the same time, as those of one span do.
    """

    name: str
    incidents: Incidents
    alerts: Alerts
    watched: WatchedTime
    early: int = 0
    at: float | None = None
    rule: str = ""
    policy: str = ""
    given: Alerts | None = None
    moves: tuple[Move, ...] = ()
    shared: bool = False

    def raised(self, level: float, rule: str = "") -> Self:
        """The case in which only alerts above a score are raised."""
        assert self.alerts.score is not None  # noqa: S101 - its caller has looked
        kept = self.alerts.chosen(self.alerts.score > level)
        return replace(self, alerts=kept, at=level, rule=rule, given=self.alerts)

    def paged(self, alerts: Alerts, policy: str) -> Self:
        """The case of the alerts that a policy made of these."""
        return replace(self, alerts=alerts, policy=policy, given=self.whole.alerts)

    @property
    def as_given(self) -> Self:
        """The case in which the alerts that a policy has made are all that there are."""
        return replace(self, given=None, at=None, rule="", policy="") if self.policy else self

    @property
    def whole(self) -> Self:
        """The case in which all alerts are raised."""
        if self.given is None:
            return self
        return replace(self, alerts=self.given, given=None, at=None, rule="", policy="")

    @property
    def always(self) -> Self | None:
        """One alert for each service that lasts as long as anybody watched; None: nobody did."""
        if not self.parts:
            return None
        return self._alerted([(k, 0, line.length) for k, line in enumerate(self.lines)])

    def supposed(self, kind: str) -> Self:
        """The case of other alerts: one for each incident, none, or one that is false.

        Parameters
        ----------
        kind : {"found", "missed", "false"}
            What there is of events alone; a false alert is as long as alerts are in common, amid
            the longest time without incidents.
        """
        if kind == "missed":
            return self._alerted([])
        pairs = [(k, line.truth if kind == "found" else line.quiet)
                 for k, line in enumerate(self.lines)]  # fmt: skip
        every = [(k, *one) for k, time in pairs for one in zip(*time, strict=True)]
        if kind == "found" or not every:
            return self._alerted(every)
        line, start, stop = max(every, key=lambda one: one[2] - one[1])
        lengths = np.concatenate([one.alerts.lengths for one in self.lines])
        usual = max(1, round(float(lengths.mean()))) if lengths.size else 1
        length = min(int(stop - start), usual)
        begin = start + (stop - start - length) // 2
        return self._alerted([(line, begin, begin + length)])

    def _alerted(self, places: list[tuple[int, int, int]]) -> Self:
        """The case of other alerts: from where to where on which line."""
        parts = [self.parts[line] for line, _, _ in places]
        found = [
            part.instants(np.array([start, stop - 1], np.int64)).tolist()
            for (_, part), (_, start, stop) in zip(parts, places, strict=True)
        ]
        alerts = Alerts(
            [start for start, _ in found],
            [last + 1 for _, last in found],
            unit=None if self.incidents.is_in_points else "ns",
            service=None if self.incidents.service is None else [name for name, _ in parts],
            score=None if self.alerts.score is None else [1.0] * len(parts),
        )
        return replace(self, alerts=alerts, at=None, given=None, moves=())

    around: ClassVar[None] = None
    """Services have clocks of their own: they are no one circle."""

    @property
    def truth_share(self) -> float:
        """The share of the watched time in which there is an incident."""
        return float(sum(line.truth.length for line in self.lines) / self.lengths.sum())

    @property
    def truth_covered(self) -> float:
        """The share of the time of incidents in which there is an alert."""
        found = 0
        for line in self.lines:
            alerts = merged(line.alerts.starts, line.alerts.stops)
            found += int(overlaps(*line.truth, *alerts)[2].sum())
        return found / sum(line.truth.length for line in self.lines)

    @property
    def longest_alarm(self) -> int:
        """How long the longest alert is that turns."""
        return max(int(one.placed.lengths.max(initial=0)) for one in self.turning)

    def alone(self, number: int) -> Self:
        """The case of one of its lines."""
        (service, part), alerts = self.parts[number], self.alerts
        return replace(
            self,
            incidents=self.incidents.chosen(self.incidents.place == service),
            alerts=alerts.chosen(alerts.place == service),
            watched=WatchedTime(self.watched.span, {service: part}),
            moves=tuple(Move(*([side[number]] for side in move)) for move in self.moves),
        )

    def blocks(self, cuts: Sequence[Positions] | None = None) -> Sequence[Positions]:
        """The edges of blocks of each line, from cuts within it; the whole lines without cuts."""
        cuts = [np.zeros(0, np.int64)] * len(self.parts) if cuts is None else cuts
        lengths = self.lengths.tolist()
        return [np.concatenate([[0], one, [n]]) for one, n in zip(cuts, lengths, strict=True)]

    def together(self, edges: Sequence[Positions] | None = None) -> Positions:
        """The number of the offset by which each block turns: by one the k-th of all lines."""
        edges = self.blocks() if edges is None else edges
        counts = [np.arange(len(one) - 1) for one in edges]
        own = np.concatenate([np.zeros(0, np.int64), *counts])
        return own if self.shared else np.arange(own.size)

    def turned(self, offsets: int | Positions, edges: Sequence[Positions] | None = None) -> Self:
        """The same alerts elsewhere: their starts turn, each within its block of the line.

        Parameters
        ----------
        offsets : int or array of int
            How far: one number for all lines, or one for each; with edges, for each block.
        edges : sequence of array of int, optional
            Where the blocks of each line begin, closed by its length; see `blocks`.
        """
        each = np.broadcast_to(offsets, self.together(edges).shape)
        return replace(self, moves=(*self.moves, self.move(each, edges)))

    def move(self, offsets: Positions, edges: Sequence[Positions] | None = None) -> Move:
        """How far starts turn, line by line; offsets may have a row for each of many turns."""
        edges = self.blocks() if edges is None else edges
        ends = np.cumsum([len(one) - 1 for one in edges])
        return Move(edges, np.split(offsets, ends[:-1], axis=-1))

    @cached_property
    def count(self) -> OnCallCount:
        """How each incident was found, and whether each alert was right."""
        return count_on_call(self.incidents, self.alerts, self.watched, self.early)

    @cached_property
    def parts(self) -> list[tuple[str, Stretches]]:
        """The services of which anything was watched, and when."""
        return [(name, part) for name, part in self.watched.parts.items() if part.length]

    @cached_property
    def _home(self) -> list[WatchedLine]:
        return watched_lines(self.incidents, self.alerts, self.watched)

    @cached_property
    def lines(self) -> list[WatchedLine]:
        """The watched time of each service, joined, with the alerts where they are."""
        if not self.moves:
            return self._home
        pairs = zip(self._home, self.placed(), strict=True)
        return [replace(line, alerts=placed) for line, placed in pairs]

    def placed(self, move: Move | None = None) -> list[AlertPieces]:
        """The alerts that turn, by line, after one more move: many where it has many rows.

        Each turn has a copy of the line of its own. What runs over the end of the line goes on at
        its beginning.
        """
        move = self.move(np.zeros((1, len(self._home)), np.int64)) if move is None else move
        return [
            _placed(one, line, move.of(number, one.placed.starts))
            for number, (one, line) in enumerate(zip(self.turning, self._home, strict=True))
        ]

    @property
    def clocks(self) -> Positions:
        """The number of the clock of each line: those with one number live through the same time.

        ``time.moments(line, place)`` says when the places of a line are.
        """
        lines = np.arange(len(self.parts))
        return 0 * lines if self.shared else lines

    @property
    def clock(self) -> Clock | None:
        """How times are read; None: incidents and alerts are in points, or there are none."""
        return self.incidents.clock or self.alerts.clock

    @property
    def time(self) -> WatchedTime:
        """The time in which somebody watched."""
        return self.watched

    @property
    def begun(self) -> tuple[Positions, Positions]:
        """The line of each judged incident, and where on it the incident begins."""
        return self.places.line, self.places.start

    def above(self, level: float | None) -> Self:
        """The alerts above a threshold; itself where they are raised already."""
        return self if level in {None, self.at} else self.whole.raised(level)

    def cut(self, start: int, end: int, *, whole: bool) -> Self:
        """The same from one moment to another.

        Parameters
        ----------
        start, end : int
            Moments.
        whole : bool
            Whether incidents that begin in between are kept up to their end, and the others left
            out; else nothing is known of what comes later.
        """
        if not whole:
            return replace(self, watched=self.watched.between(start, end))
        rows, parts = self.count.incidents, {}
        for service, part in self.watched.parts.items():
            mine = np.flatnonzero(rows.service == service)
            begun = (
                part.instants(part.before(rows.start[mine])) if part.length else rows.start[mine]
            )
            inside = (start <= begun) & (begun < end)
            own, others = (
                Stretches.of(rows.start[mine[which]], rows.end[mine[which]])
                for which in (inside, ~inside)
            )
            kept = Stretches.of(np.append(own.starts, start), np.append(own.ends, end))
            parts[service] = part.within(kept.without(others.without(own)))
        return replace(self, watched=replace(self.watched, parts=parts))

    @property
    def second(self) -> int:
        """How many units a second has; of points, one is one."""
        return 1 if self.incidents.is_in_points else NANOSECONDS["s"]

    @cached_property
    def places(self) -> IncidentPlaces:
        """Where the judged incidents are, by line and start."""
        rows, found = self.count.incidents, [np.zeros((5, 0), np.int64)]
        for number, (service, part) in enumerate(self.parts):
            row = np.flatnonzero(rows.judged & (rows.service == service))
            row = row[np.argsort(rows.start[row], kind="stable")]
            start, stop = part.before(rows.start[row]), part.before(rows.end[row])
            known = part.holds(rows.start[row])
            found.append(np.stack([row, np.full(len(row), number), start, stop, known]))
        row, line, start, stop, known = np.concatenate(found, axis=1)
        return IncidentPlaces(row, line, start, stop, known > 0)

    @property
    def is_constant(self) -> bool:
        """Whether no alert has a score that could differ."""
        return not len(self.alerts)

    @property
    def event_count(self) -> int:
        """How many incidents are judged."""
        return len(self.places.row)

    @cached_property
    def turning(self) -> list[Starts]:
        """The alerts of each line that turn."""
        found = []
        for number, (service, part) in enumerate(self.parts):
            line = self._home[number]
            own = np.flatnonzero((self.alerts.place == service) & part.holds(self.alerts.start))
            start = part.before(self.alerts.start[own])
            order = np.argsort(start, kind="stable")  # so that turned ones are soon sorted again
            row, start = own[order], start[order]
            until = part.before(self.alerts.until(self.watched.span[1])[row])
            cut = ((until > start) & np.isin(edge, line.joints) for edge in (start, until))
            moved = start
            for move in self.moves:
                moved = move.of(number, moved)
            found.append(Starts(row, AlertPieces(moved, until - start, np.arange(len(row)), *cut)))
        return found

    @property
    def lengths(self) -> Positions:
        """How long each line is."""
        return np.array([line.length for line in self._home], np.int64)

    @property
    def places_apart(self) -> float:
        """How many places by one offset can be told apart: those of what divides all times."""
        times = [
            time
            for line in self.lines
            for time in (line.starts, line.ends, line.joints, line.alerts.starts, line.alerts.stops)
        ]
        step = max(1, int(np.gcd.reduce(np.concatenate(times))))
        return float(int(self.lengths.max()) // step)


def _placed(one: Starts, line: WatchedLine, starts: Positions) -> AlertPieces:
    """The alerts of a line at other starts, each row on a copy of its own."""
    alerts, count, turns = one.placed, len(one.row), len(starts)
    over = np.maximum(starts + alerts.lengths - line.length, 0)
    copy, beyond = np.nonzero(over)
    behind = line.length * np.arange(turns, dtype=np.int64)[:, np.newaxis]
    number = alerts.alert + count * np.arange(turns, dtype=np.int64)[:, np.newaxis]
    return AlertPieces(
        np.append(starts + behind, behind[copy, 0]),
        np.append(alerts.lengths - over, over[copy, beyond]),
        np.append(number, number[copy, beyond]),
        *(np.append(np.tile(cut, turns), cut[beyond]) for cut in alerts[3:]),
    )
