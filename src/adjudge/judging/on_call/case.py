"""One detector's alerts beside the incidents, and what an engineer asks first.

How many incidents were found, how many alerts were false and how many that is a week, and how late
the first alert came.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.count.alert_case import AlertCase
from adjudge.count.time_count import TurnedCount
from adjudge.data.durations import NANOSECONDS, in_words
from adjudge.errors import UnknownName
from adjudge.noise.shifting.circle_pieces import AlertTurns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adjudge._typing import Flags, Floats
    from adjudge.data.incidents import TimedRows

_WEEK = 7 * NANOSECONDS["d"]
_NAMED = 5  # missed incidents that the answer names
_HOURS = [k for k in range(-14, 15) if k]  # by which zones may differ


@dataclass(frozen=True)
class Answers(Mapping[str, Any]):
    """What an on-call team asks of its alerts; also a mapping by these names.

    Attributes
    ----------
    judged, found, missed, unwatched : int
        Incidents of which a part was watched; those that an alert found, and that none did; and
        those that nobody could have found.
    alerts, alerts_right, alerts_false, alerts_unwatched : int
        All alerts; those that started in watched time and overlap an incident, or do not; and those
        that started when nothing was watched.
    false_per_week : float
        False alerts in a week of watched time, of all services together: what one person on call
        gets. NaN where there is no time.
    delay_median_seconds : float
        The median over found incidents of the time from the start to the first alert. NaN: none.
    """

    judged: int
    found: int
    missed: int
    unwatched: int
    alerts: int
    alerts_right: int
    alerts_false: int
    alerts_unwatched: int
    false_per_week: float
    delay_median_seconds: float

    def __getitem__(self, name: str) -> Any:
        """One of the numbers."""
        if name not in self:
            raise UnknownName("number", name, list(self))
        return getattr(self, name)

    def __contains__(self, name: object) -> bool:
        """Whether there is such a number."""
        return name in {item.name for item in fields(self)}

    def __iter__(self) -> Iterator[str]:
        """The names."""
        return (item.name for item in fields(self))

    def __len__(self) -> int:
        """How many numbers there are."""
        return len(fields(self))


@dataclass(frozen=True, eq=False)
class OnCallCase(AlertCase):
    """One detector's alerts beside the incidents, in watched time, and what an engineer asks."""

    @cached_property
    def turns(self) -> AlertTurns:
        """Its alerts at other times, which metrics share."""
        return AlertTurns(self)

    @property
    def answer(self) -> Answers:
        """The numbers that an on-call team asks for."""
        every = np.ones(len(self.count.incidents.start), bool), np.ones(len(self.alerts), bool)
        return numbers_of(self, *every, self.watched.team.length)

    def between(self, start: int, end: int) -> Answers:
        """The same of what begins from one moment to another.

        An alert that is right is of its incident; what began before all watched time, of its
        beginning.
        """
        rows, alerts = self.count.incidents, self.count.alerts
        first, last = self.watched.span
        begun = np.clip(rows.start, first, last - 1)
        begun[self.places.row] = self.watched.moments(*self.begun)
        own = (start <= begun) & (begun < end)
        told = np.clip(self.alerts.start, first, last - 1)
        is_right, inside = alerts.right, (start <= told) & (told < end)
        inside[is_right] = own[alerts.incident[is_right]]
        team = self.watched.team
        return numbers_of(self, own, inside, int(np.diff(team.before(np.array([start, end])))[0]))

    @property
    def delays(self) -> Floats:
        """The delays that are known, in seconds (or points)."""
        late = self.count.incidents.delay
        return late[~np.isnan(late)] / self.second

    @property
    def sentence(self) -> str:
        """The answer in words."""
        found = self.answer
        parts = [f"{found.found} of {found.judged} incidents found", self._false(found)]
        if self.delays.size:
            middle, worst = (
                self._length(float(late)) for late in (np.median(self.delays), self.delays.max())
            )
            parts.append(f"found after {middle} (median), {worst} at worst")
        if found.missed:
            parts.append(f"missed: {self._missed()}")
        if found.unwatched:
            parts.append(f"{found.unwatched} unwatched")
        if found.alerts_unwatched:
            noun = "alert" if found.alerts_unwatched == 1 else "alerts"
            parts.append(f"{found.alerts_unwatched} {noun} outside watched time not counted")
        for noun, still in (
            ("incidents", self.count.incidents.open),
            ("alerts", self.alerts.open),
        ):
            if still.any():
                parts.append(f"{np.count_nonzero(still)} of {len(still)} {noun} still open")
        return "; ".join(parts)

    def _false(self, found: Answers) -> str:
        alarms = f"{found.alerts_false} false alarm{'s' * (found.alerts_false != 1)}"
        length = self.watched.team.length
        if self.incidents.is_in_points:
            return f"{alarms} in {length:,} watched points"
        days = length / NANOSECONDS["d"]
        return f"{alarms} in {days:.1f} watched days ({found.false_per_week:.1f} a week)"

    def _length(self, value: float) -> str:
        if self.incidents.is_in_points:
            return f"{value:g} point{'s' * (value != 1)}"
        return in_words(value * NANOSECONDS["s"])

    def _missed(self) -> str:
        rows = self.count.incidents
        missed = np.flatnonzero(rows.judged & ~rows.found)
        named = [self._named(int(number)) for number in missed[:_NAMED]]
        more = [f"{len(missed) - _NAMED} more"] if len(missed) > _NAMED else []
        return ", ".join([*named, *more])

    def _named(self, number: int) -> str:
        rows = self.count.incidents
        when = self.incidents.instant_text(int(rows.start[number]))
        if not self.incidents.has_ids:
            return f"{rows.service[number]} {when}".strip()
        return f"{rows.id[number]} ({', '.join(filter(None, [rows.service[number], when]))})"

    @property
    def silent(self) -> str:
        """Says that services with incidents have no alert at all, though others do; "" if not."""
        rows, heard = self.count.incidents, set(self.whole.alerts.place.tolist())
        judged = rows.service[rows.judged].tolist()
        silent = [name for name in dict.fromkeys(judged) if name not in heard]
        if not heard or not silent:
            return ""
        lost = sum(name in silent for name in judged)
        many = f"{lost} incident{'s' * (lost != 1)}"
        named = ", ".join(silent[:_NAMED]) + ", ..." * (len(silent) > _NAMED)
        return (
            f"no alert names {named}, so {many} there {'is' if lost == 1 else 'are'} missed; "
            "if the detector does not watch it, drop these incidents or say what it watches "
            "(--watched)"
        )

    @property
    def offset(self) -> str:
        """Says that the alerts of this detector seem to be off by a constant time; "" if not.

        Clocks that differ by whole hours come from a zone that was taken for another.
        It is told where that would find more than twice as many incidents, and at least three.
        """
        if self.incidents.is_in_points or not len(self.alerts):
            return ""
        here = self._found_at(0)
        tried = ((self._found_at(k * NANOSECONDS["h"]), -abs(k), k) for k in _HOURS)
        best, _, by = max(tried)  # of equals the shortest
        judged = int(np.count_nonzero(self.count.incidents.judged))
        if best <= max(2 * here, 2):
            return ""
        way = "later" if by > 0 else "earlier"
        return (
            f"with all alerts {abs(by)} h {way}, {best} of {judged} incidents would be found: "
            "do both tables use the same time zone?"
        )

    def _found_at(self, shift: int) -> int:
        """How many incidents alerts would find that were so much later."""
        moved = [line.alerts._replace(starts=line.alerts.starts + shift) for line in self.lines]
        return int(TurnedCount(self, moved, 1).found.sum()) if moved else 0

    @property
    def events(self) -> list[dict[str, Any]]:
        """A row per incident: when it was, and how it was found."""
        rows = self.count.incidents
        return [self._event(number) for number in range(len(rows.start))]

    def _event(self, number: int) -> dict[str, Any]:
        rows, table = self.count.incidents, self.incidents
        judged, found = bool(rows.judged[number]), bool(rows.found[number])
        first, late = int(rows.first_alert[number]), float(rows.delay[number]) / self.second
        known = None if math.isnan(late) else late
        row = int(rows.row[number])
        event = {
            "detector": self.name,
            "start": int(rows.start[number]),
            "stop": int(rows.end[number]),
            "found": found if judged else None,
            "coverage": None,
            "delay": known,
            "id": str(rows.id[number]),
            "outcome": "found" if found else "missed" if judged else "unwatched",
            "first_alert": None if first < 0 else str(self.alerts.id[first]),
            "already_open": known == 0 and bool(self.alerts.start[first] < rows.start[number]),
            "alerts": int(rows.alerts[number]),
        }
        event |= described(
            table, row, (int(rows.start[number]), int(rows.end[number])), still=rows.open[number]
        )
        if table.is_in_points:
            return event
        timed = None if known is None else self._length(known)
        return event | {"delay_time": timed, "delay_seconds": known}


def described(table: TimedRows, row: int, times: tuple[int, int], *, still: bool) -> dict[str, Any]:
    """What the columns of a row say, and when it was, by the clock if there is one."""
    columns = {name: getattr(table, name) for name in ("service", "kind", "severity")}
    found = {name: str(own[row]) for name, own in columns.items() if own is not None}
    if table.is_in_points:
        return found
    start, stop = map(table.instant_text, times)
    return found | {"from": start, "to": f"{stop}, still open" if still else stop}


def first_alert(event: Mapping[str, Any]) -> str:
    """The first alert of an incident that was found, which may have been open before it began.

    >>> first_alert({"first_alert": "P1", "already_open": True})
    'P1, already open'
    """
    return f"{event['first_alert']}{', already open' if event['already_open'] else ''}"


def delays_of(case: OnCallCase, incidents: Flags) -> Floats:
    """How late those of some incidents were found that were, in seconds or points."""
    delay = case.count.incidents.delay
    return np.asarray(delay[incidents & ~np.isnan(delay)] / case.second)


def numbers_of(case: OnCallCase, incidents: Flags, alerts: Flags, watched: int) -> Answers:
    """The numbers of some incidents and some alerts, in so much watched time."""
    rows, found = case.count.incidents, case.count.alerts

    def many(mask: Flags, of: Flags) -> int:
        return int(np.count_nonzero(mask & of))

    false = many(found.false, alerts)
    weeks = math.nan if case.incidents.is_in_points else watched / _WEEK
    delays = delays_of(case, incidents)
    return Answers(
        judged=many(rows.judged, incidents),
        found=many(rows.found, incidents),
        missed=many(rows.judged & ~rows.found, incidents),
        unwatched=many(~rows.judged, incidents),
        alerts=int(np.count_nonzero(alerts)),
        alerts_right=many(found.right, alerts),
        alerts_false=false,
        alerts_unwatched=many(~found.counted, alerts),
        false_per_week=false / weeks if weeks else math.nan,
        delay_median_seconds=float(np.median(delays)) if delays.size else math.nan,
    )
