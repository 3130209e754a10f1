"""Windows and blocks of time: where they begin and end, and the row of a metric in one.

Windows follow the calendar, or slide, or grow from the start.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import TYPE_CHECKING, Any, NamedTuple

from adjudge.checks import is_whole, whole
from adjudge.data.durations import NANOSECONDS, duration
from adjudge.errors import InputError, shown

if TYPE_CHECKING:
    from adjudge._typing import Floats, Positions
    from adjudge.count.ledger import Ledger
    from adjudge.data.clock import Clock


DAY = NANOSECONDS["d"]


class Window(NamedTuple):
    """A stretch of time that is judged by itself: instants, or points where there is no time."""

    start: int
    end: int
    complete: bool
    """Whether the data reach from its start to its end."""


@dataclass(frozen=True)
class WindowRow:
    """A metric of one detector in one window."""

    detector: str
    metric: str
    """As it was asked for."""
    start: str
    end: str
    """When the window begins and ends."""
    complete: bool
    events: int
    """Those that begin in it."""
    points: int | None
    """Judged points; None of incidents and alerts."""
    value: float
    chance: float
    low: float
    high: float
    p_value: float
    at: float | None
    resolved: str
    """The metric with every setting as it was used."""


class WindowSettings(NamedTuple):
    """How windows are made and judged."""

    window: Any
    step: Any
    growing: bool
    at: Any

    def windows(self, first: int, last: int, zone: tzinfo | None) -> list[Window]:
        """The windows over a span; without a zone they are points."""
        timed = zone is not None
        long = length_of(self.window, "window", timed=timed)
        small = long if self.step is None else length_of(self.step, "step", timed=timed)
        if long % small or abs(long) < abs(small) or (long < 0) != (small < 0):
            raise InputError(
                f"window must be a whole number of steps, got {shown(self.window)} in steps of "
                f"{shown(self.step)}"
            )
        edges = _edges(first, last, small, zone)
        many = long // small
        if self.growing:
            pairs = [(first, edge) for edge in edges[1:]]
        else:
            pairs = list(zip(edges, edges[many:], strict=False))
        if not pairs:
            raise InputError(f"window must fit into the data's time, got {shown(self.window)}")
        return [Window(a, b, first <= a and b <= last) for a, b in pairs]


def length_of(length: Any, name: str, *, timed: bool) -> int:
    """A length in nanoseconds, in months (negative), or in points."""
    if not timed:
        if not is_whole(length):
            raise InputError(
                f"{name} must be a number of points without times, got {shown(length)}; give "
                "time= (--time COL)"
            )
        return whole(length, name, 1)
    if isinstance(length, str) and length.endswith("mo") and length[:-2].isdigit():
        return -whole(int(length[:-2]), name, 1)
    found = duration(length, name, ("1mo",))
    if not found:
        raise InputError(f"{name} must be longer than 0, got {shown(length)}")
    return found


def _edges(first: int, last: int, small: int, zone: tzinfo | None) -> list[int]:
    """Where windows begin, from at most the first instant on, up to at least the last.

    Whole days begin at midnight, whole weeks on Monday, months on their first day.
    """
    if zone is None:
        return list(range(first, last + small, small))
    day = datetime.fromtimestamp(first // NANOSECONDS["s"], zone).date()
    if small > 0 and small % DAY:
        begin = _midnight(day, zone)
        begin += (first - begin) // small * small
        return list(range(begin, last + small, small))
    if small < 0:
        day = day.replace(day=1)
    elif small % (7 * DAY) == 0:
        day -= timedelta(days=day.weekday())
    edges = [_midnight(day, zone)]
    while edges[-1] < last:
        day = _months_later(day, -small) if small < 0 else day + timedelta(days=small // DAY)
        edges.append(_midnight(day, zone))
    return edges


def _midnight(day: date, zone: tzinfo) -> int:
    start = datetime(day.year, day.month, day.day, tzinfo=zone)
    return int(start.astimezone(UTC).timestamp()) * NANOSECONDS["s"]


def _months_later(day: date, months: int) -> date:
    count = day.year * 12 + day.month - 1 + months
    return date(count // 12, count % 12 + 1, 1)


def moment_text(instant: int, clock: Clock) -> str:
    """Say when a window begins: the day alone, where that is midnight."""
    moment = datetime.fromtimestamp(instant // NANOSECONDS["s"], clock.tzinfo)
    midnight = (moment.hour, moment.minute, moment.second) == (0, 0, 0)
    return f"{moment:%Y-%m-%d}" if midnight else f"{moment:%Y-%m-%d %H:%M}"


@dataclass(frozen=True, eq=False)
class Blocks:
    """Stretches of time, one after the other."""

    edges: Positions
    """When each begins, and when the last one ends."""

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.edges) - 1

    def sums(self, ledger: Ledger, time: Any) -> Floats:
        """What rows on lines of time lie in each: found, truth, right, flagged and normal.

        Parameters
        ----------
        ledger, time : Ledger, PointTime or WatchedTime
            The rows, and the lines that they are on.
        """
        return ledger.blocks(time.cuts(self.edges))[1:-1]
