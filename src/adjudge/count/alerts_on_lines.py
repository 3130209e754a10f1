"""One detector's alerts beside the incidents, on lines of watched time, and where they turn to.

The watched time of each service is joined to a line, round which its alerts turn. An alert keeps
its length and runs on round the line. Where watched time cut it at home islands end, and so they do
wherever it turns: else its own place would cost the least. Only alerts that began in watched time
turn.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.count.lengths import Placed, WatchedLine, watched_lines
from adjudge.count.on_call import OnCallCount, count_on_call
from adjudge.data.clock import NANOSECONDS
from adjudge.data.incidents import Alerts, Incidents
from adjudge.data.watched import Stretches, WatchedTime

if TYPE_CHECKING:
    from typing import Self

    from adjudge._typing import Flags, Positions


class Places(NamedTuple):
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


class Turning(NamedTuple):
    """The alerts of a line that turn, in the order of their starts."""

    row: Positions
    """The row of each in the table of alerts."""
    placed: Placed


@dataclass(frozen=True, eq=False)
class AlertsOnLines:
    """One detector's alerts beside the incidents, in watched time.

    Attributes
    ----------
    at : float | None
        The score that alerts must be above to be raised; None: all are.
    rule : str
        The rule that chose this score, if one did.
    given : Alerts | None
        All alerts, where only some are raised.
    """

    name: str
    incidents: Incidents
    alerts: Alerts
    watched: WatchedTime
    early: int = 0
    at: float | None = None
    rule: str = ""
    given: Alerts | None = None

    def raised(self, level: float, rule: str = "") -> Self:
        """The case in which only alerts above a score are raised."""
        assert self.alerts.score is not None  # noqa: S101 - its caller has looked
        kept = self.alerts.chosen(self.alerts.score > level)
        return replace(self, alerts=kept, at=level, rule=rule, given=self.alerts)

    @property
    def whole(self) -> Self:
        """The case in which all alerts are raised."""
        if self.given is None:
            return self
        return replace(self, alerts=self.given, given=None, at=None, rule="")

    @property
    def always(self) -> Self | None:
        """One alert for each service that lasts as long as anybody watched; None: nobody did."""
        if not self.parts:
            return None
        alerts = Alerts(
            [int(part.starts[0]) for _, part in self.parts],
            [int(part.ends[-1]) for _, part in self.parts],
            unit=None if self.incidents.in_points else "ns",
            service=None if self.incidents.service is None else [name for name, _ in self.parts],
            score=None if self.alerts.score is None else [1.0] * len(self.parts),
        )
        return replace(self, alerts=alerts, at=None, given=None)

    def alone(self, number: int) -> Self:
        """The case of one of its lines."""
        (service, part), alerts = self.parts[number], self.alerts
        return replace(
            self,
            incidents=self.incidents.chosen(self.incidents.place == service),
            alerts=alerts.chosen(alerts.place == service),
            watched=WatchedTime(self.watched.span, {service: part}),
        )

    @cached_property
    def count(self) -> OnCallCount:
        """How each incident was found, and whether each alert was right."""
        return count_on_call(self.incidents, self.alerts, self.watched, self.early)

    @cached_property
    def parts(self) -> list[tuple[str, Stretches]]:
        """The services of which anything was watched, and when."""
        return [(name, part) for name, part in self.watched.parts.items() if part.length]

    @cached_property
    def lines(self) -> list[WatchedLine]:
        """The watched time of each service, joined."""
        return watched_lines(self.incidents, self.alerts, self.watched)

    @property
    def second(self) -> int:
        """How many units a second has; of points, one is one."""
        return 1 if self.incidents.in_points else NANOSECONDS["s"]

    @cached_property
    def places(self) -> Places:
        """Where the judged incidents are, by line and start."""
        rows, found = self.count.incidents, [np.zeros((5, 0), np.int64)]
        for number, (service, part) in enumerate(self.parts):
            row = np.flatnonzero(rows.judged & (rows.service == service))
            row = row[np.argsort(rows.start[row], kind="stable")]
            start, stop = part.before(rows.start[row]), part.before(rows.end[row])
            known = part.holds(rows.start[row])
            found.append(np.stack([row, np.full(len(row), number), start, stop, known]))
        row, line, start, stop, known = np.concatenate(found, axis=1)
        return Places(row, line, start, stop, known > 0)

    @cached_property
    def turning(self) -> list[Turning]:
        """The alerts of each line that turn."""
        found = []
        for (service, part), line in zip(self.parts, self.lines, strict=True):
            own = np.flatnonzero((self.alerts.place == service) & part.holds(self.alerts.start))
            start = part.before(self.alerts.start[own])
            order = np.argsort(start, kind="stable")  # so that turned ones are soon sorted again
            row, start = own[order], start[order]
            until = part.before(self.alerts.until(self.watched.span[1])[row])
            cut = ((until > start) & np.isin(edge, line.joints) for edge in (start, until))
            found.append(Turning(row, Placed(start, until - start, np.arange(len(row)), *cut)))
        return found

    @property
    def lengths(self) -> Positions:
        """How long each line is."""
        return np.array([line.length for line in self.lines], np.int64)

    @property
    def places_apart(self) -> float:
        """How many places on the only line can be told apart: those of what divides all times."""
        (line,) = self.lines
        times = [line.starts, line.ends, line.joints, line.alerts.starts, line.alerts.stops]
        return float(line.length // max(1, int(np.gcd.reduce(np.concatenate(times)))))


def turned(one: Turning, line: WatchedLine, edges: Positions, offsets: Positions) -> Placed:
    """Turn the alerts of a line; each row of offsets is a turn of its own, on a copy of the line.

    What runs over the end of the line goes on at its beginning.
    """
    alerts, count = one.placed, len(one.row)
    block = np.searchsorted(edges[1:-1], alerts.starts, side="right")
    begin, size = edges[block], np.diff(edges)[block]
    starts = begin + (alerts.starts - begin + offsets[:, block]) % size
    over = np.maximum(starts + alerts.lengths - line.length, 0)
    copy, beyond = np.nonzero(over)
    behind = line.length * np.arange(len(offsets), dtype=np.int64)[:, np.newaxis]
    number = alerts.alert + count * np.arange(len(offsets), dtype=np.int64)[:, np.newaxis]
    return Placed(
        np.append(starts + behind, behind[copy, 0]),
        np.append(alerts.lengths - over, over[copy, beyond]),
        np.append(number, number[copy, beyond]),
        *(np.append(np.tile(cut, len(offsets)), cut[beyond]) for cut in alerts[3:]),
    )
