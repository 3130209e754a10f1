"""Incidents and alerts: tables of things that began at some instant and ended later, or not yet.

Nothing is merged: two alerts that overlap, touch or are equal stay two. A thing lasts from its
start up to, but not including, its end; an alert without a length is a moment. A thing whose end is
not there is open: it lasts until the end of the time that is judged.
"""

from __future__ import annotations

from copy import copy
from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from adjudge.checks import suggest_keywords, word
from adjudge.data.clock import Clock
from adjudge.data.columns import column, floats, frame_columns, refuse_nan, restore
from adjudge.data.written_times import Ambiguous, are_numbers, is_open, read_times
from adjudge.errors import InputError, as_text, shown

if TYPE_CHECKING:
    from typing import Self

    from adjudge._typing import Array, Column, Flags, Floats, Positions

OPEN = 2**62
"""The end of a thing that has none: later than every instant."""
NAMES = {
    "start": ("start", "timestamp", "time", "date"),
    "end": ("end", "stop"),
    "id": ("id", "ID", "event"),
    "service": ("service",),
    "channel": ("channel", "Channel"),
    "kind": ("kind", "Category", "type", "rule"),
    "severity": ("severity",),
    "annotator": ("annotator",),
    "score": ("score", "confidence"),
}
"""What a column is called in tables that people have, by its role."""
_TEXTS = ("id", "service", "channel", "kind", "severity", "annotator")


@dataclass(frozen=True, eq=False, repr=False)
class TimedRows:
    """Rows that have a start and an end: what incidents, alerts and outages have in common."""

    start: Any
    end: Any = None
    _: KW_ONLY
    id: Any = None
    service: Any = None
    channel: Any = None
    kind: Any = None
    severity: Any = None
    annotator: Any = None
    score: Any = None
    unit: str | None = None
    time_format: str | None = None
    tz: str | None = None
    ambiguous: Literal["first", "second", "widest"] | None = None
    clock: Clock | None = field(init=False, default=None)
    """How instants are said; None where starts and ends are points."""
    has_ids: bool = field(init=False, default=False)
    counted: bool = field(init=False, default=False)
    """Whether times are numbers since 1970: instants, whatever the zone of others is."""

    _word: ClassVar[str] = "rows"

    @classmethod
    def check(cls, given: Any, name: str, why: str = "") -> None:
        """Refuse an argument that is no such table.

        Parameters
        ----------
        given, name, why : object, str, str
            What was given, for which argument, and when that must be such a table.
        """
        if not isinstance(given, cls):
            raise InputError(f"{name} must be {cls.__name__}{why}, got {shown(given)}")

    def __post_init__(self) -> None:
        """Read every column once, so that nobody has to do it again."""
        columns = frame_columns(self.start)
        if columns is not None:
            self._take(columns)
        counted = self.unit is not None and are_numbers(_listed(self.start, "start"))
        start, end, clock = self._times()
        held = {name: texts(getattr(self, name), name, start.size) for name in _TEXTS}
        held |= {"start": start, "end": end}
        if self.score is not None:
            held["score"] = _scores(self.score, start.size)
        has_ids = held["id"] is not None
        if not has_ids:
            held["id"] = np.array([str(row) for row in range(1, start.size + 1)], object)
        restore(self, held | {"has_ids": has_ids, "clock": clock, "counted": counted})
        self._check()

    def _take(self, columns: dict[str, Column]) -> None:
        """Take the columns of a table by the names that they usually have."""
        if self.end is not None:
            raise InputError("end must be left out when start is a whole table, got both")
        for role, names in NAMES.items():
            found = next((name for name in names if name in columns), None)
            if found is not None and (role == "start" or getattr(self, role) is None):
                restore(self, {role: columns[found]})
            elif role == "start":
                known = ", ".join(map(repr, columns))
                raise InputError(
                    f"a table of {self._word} must have a column {' or '.join(names)}, got {known}"
                )

    def _times(self) -> tuple[Positions, Positions, Clock | None]:
        if self.ambiguous is not None:
            word(self.ambiguous, "ambiguous", ("first", "second", "widest"))
        starts = _listed(self.start, "start")
        if starts and isinstance(starts[0], (tuple, list)):
            raise InputError(
                f"start must be a time each, got {shown(starts[0])} at index 0; write "
                f"aj.{type(self).__name__}(starts, ends), or give a table"
            )
        ends = starts if self.end is None else _listed(self.end, "end")
        if len(ends) != len(starts):
            raise InputError(
                f"end must be one per start, got {len(ends)} for {len(starts)} {self._word}"
            )
        here = [not gone for gone in is_open(ends)]
        given = [end for end, there in zip(ends, here, strict=True) if there]
        end = np.full(len(starts), OPEN, np.int64)
        if self.unit is None and _are_points(starts):
            begins = _points(starts, "start")
            end[here] = _points(given, "end")
            return begins, end, None
        begin, until = self._read(starts, "start"), self._read(given, "end")
        if starts and given and (begin.zone is None) != (until.zone is None):
            aware, plain = ("start", "end") if until.zone is None else ("end", "start")
            raise InputError(
                f"start and end must both have an offset from UTC, or neither, got {aware} "
                f"with one and {plain} without, in row {here.index(True) + 1}; write it in "
                "both, or in neither and give tz= (--tz Europe/Berlin)"
            )
        end[here] = until.instants
        return begin.instants, end, Clock(np.append(begin.instants, until.instants), begin.zone)

    def _read(self, values: list[Any], name: str) -> Clock:
        if not values:
            return Clock(np.empty(0, np.int64), self.tz)
        which: Ambiguous | None = None
        if self.ambiguous is not None:
            widest: Ambiguous = "first" if name == "start" else "second"
            which = widest if self.ambiguous == "widest" else self.ambiguous
        how = {"unit": self.unit, "form": self.time_format, "tz": self.tz}
        return read_times(values, name, **how, ambiguous=which)

    def _check(self) -> None:
        backwards = np.flatnonzero(self.end < self.start)
        if backwards.size:
            row = int(backwards[0])
            start, end = (self.instant_text(side[row]) for side in (self.start, self.end))
            raise InputError(
                f"{self._word} must end after they start, got {start} to {end} in row {row + 1}"
            )
        if self.has_ids:
            self._refuse_twice()

    def _refuse_twice(self) -> None:
        seen: dict[tuple[Any, ...], int] = {}
        beside = [one.tolist() for one in (self.channel, self.annotator) if one is not None]
        times = self.start.tolist(), self.end.tolist()
        keys = zip(self.id, self.place, *times, *beside, strict=True)
        for row, key in enumerate(keys, 1):
            if key in seen:
                raise InputError(
                    f"{self._word} must be unique, got id {shown(key[0])} with the same times "
                    f"in rows {seen[key]} and {row}; drop one"
                )
            seen[key] = row

    @property
    def place(self) -> Array:
        """The service of each row; "" where there are none."""
        return np.full(len(self), "", object) if self.service is None else self.service

    @property
    def open(self) -> Flags:
        """Which rows have no end."""
        return np.asarray(self.end == OPEN)

    @property
    def is_in_points(self) -> bool:
        """Whether starts and ends are positions among points, and no instants."""
        return self.clock is None

    @property
    def equal_rows(self) -> int:
        """How many rows have the service and the times of one before them."""
        keys = zip(self.place, self.start.tolist(), self.end.tolist(), strict=True)
        return len(self) - len(set(keys))

    def instant_text(self, instant: int) -> str:
        """Say when an instant was, or which point it is."""
        return f"point {instant}" if self.clock is None else self.clock.instant_text(int(instant))

    def until(self, last: int) -> Positions:
        """The ends, with those of open things at the last instant, or at their start if later."""
        return np.asarray(np.where(self.open, np.maximum(self.start, last), self.end))

    def chosen(self, which: Any) -> Self:
        """Some of the rows."""
        columns = {name: held for name, held in vars(self).items() if isinstance(held, np.ndarray)}
        return self.with_columns(**{name: values[which] for name, values in columns.items()})

    def with_columns(self, **held: Any) -> Self:
        """The same with other columns, which were checked before."""
        found = copy(self)
        restore(found, held)
        return found

    def without_services(self) -> Self:
        """The same rows as those of one service."""
        return self.with_columns(service=None)

    def timed_as(self, like: TimedRows) -> Self:
        """The same rows; without any, those of a table in which instants are said as in another."""
        return self if len(self) else self.with_columns(clock=like.clock)

    def __len__(self) -> int:
        """Count the rows."""
        return len(self.start)

    def __repr__(self) -> str:
        """Say how many there are, and from when to when."""
        name = type(self).__name__
        if not len(self):
            return f"{name}(none)"
        ends = self.end[~self.open]
        last = max(int(self.start.max()), int(ends.max(initial=0)))
        still = f", {np.count_nonzero(self.open)} open" if self.open.any() else ""
        begin, until = self.instant_text(self.start.min()), self.instant_text(last)
        return f"{name}({len(self)} from {begin} to {until}{still})"


@suggest_keywords("Incidents")
@dataclass(frozen=True, eq=False, repr=False)
class Incidents(TimedRows):
    """Incidents: a start and an end each.

    Parameters
    ----------
    start : column of times, or a table
        When each began: times of any library, text, numbers since 1970 with a unit, or whole
        numbers without one, which are points. A data frame or a dict is a table: its columns are
        taken by their usual names (start, end, id, service, kind, severity ...).
    end : column of times
        When each was over; the end itself does not belong to it. Where nothing stands it is open.
    id, service, channel, kind, severity, annotator : column, optional
        What each is called and belongs to. A repeated id of one service is one incident in
        pieces.
    score : column, optional
        A number for each.
    unit, time_format : str, optional
        The unit of times that are numbers since 1970 ("s", "ms" ...); how text is written that is
        not ISO.
    tz, ambiguous : str, optional
        The zone of times that have no offset, such as "Europe/Berlin"; and of an hour that the
        clock shows twice the "first", the "second", or the "widest" (starts first, ends second).

    Raises
    ------
    InputError
        If a time cannot be read, or an incident has no length; the message names the row.

    Examples
    --------
    >>> Incidents(["2026-03-14 02:10", "2026-03-20 08:00"], ["2026-03-14 03:00", None])
    Incidents(2 from 2026-03-14 02:10 to 2026-03-20 08:00, 1 open)
    """

    _word: ClassVar[str] = "incidents"

    def _check(self) -> None:
        super()._check()
        empty = np.flatnonzero(self.end == self.start)
        if empty.size:
            row = int(empty[0])
            raise InputError(
                f"incidents must have a length, got {self.instant_text(self.start[row])} alone "
                f"in row {row + 1}: no alert can overlap it; give its end, or leave the end "
                "empty if it is ongoing"
            )

    @property
    def numbers(self) -> Positions:
        """The number of the incident that each row is a piece of, in the order of the rows."""
        if not self.has_ids:
            return np.arange(len(self))
        seen: dict[tuple[str, str], int] = {}
        return np.array(
            [seen.setdefault(key, len(seen)) for key in zip(self.place, self.id, strict=True)],
            np.int64,
        )


@suggest_keywords("Alerts")
@dataclass(frozen=True, eq=False, repr=False)
class Alerts(TimedRows):
    """Alerts: a start each, and an end unless they are moments.

    Parameters
    ----------
    start, end : column of times
        As of `Incidents`; without any ends the alerts are moments.
    id, service, channel, kind, severity, annotator, score : column, optional
        What each is called and belongs to, and how sure the detector was.
    unit, time_format, tz, ambiguous : str, optional
        As of `Incidents`.

    Raises
    ------
    InputError
        If a time cannot be read, or an end lies before its start; the message names the row.

    Examples
    --------
    >>> Alerts(["2026-03-14 02:14", "2026-03-14 02:14"], service=["api", "shop"])
    Alerts(2 from 2026-03-14 02:14 to 2026-03-14 02:14)
    """

    _word: ClassVar[str] = "alerts"

    def moved(self, rows: Any, start: Positions, end: Positions, score: Floats) -> Alerts:
        """Some of the alerts at other times; their scores where they have any.

        Parameters
        ----------
        rows : array of int
            Which alerts.
        start, end, score : array
            When each begins and ends, and how sure the detector was.
        """
        scores = {} if self.score is None else {"score": score}
        return self.chosen(rows).with_columns(start=start, end=end, **scores)

    @property
    def have_lengths(self) -> bool:
        """Whether any lasts longer than a moment; of none nobody knows."""
        return not len(self) or bool(np.any(self.end > self.start))

    def stops(self, last: int) -> Positions:
        """The ends by which overlaps are told: a moment reaches one nanosecond, or point, far."""
        return np.asarray(np.maximum(self.until(last), self.start + 1))


def _listed(values: Column, name: str) -> list[Any]:
    """The values of a column, whatever its library."""
    if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__"):
        raise InputError(f"{name} must be a column of times, got {shown(values)}")
    if hasattr(values, "to_pylist"):
        return list(values.to_pylist())
    if isinstance(values, np.ndarray) and values.dtype.kind == "M":
        return list(values)  # nanoseconds would become numbers
    return values.tolist() if isinstance(values, np.ndarray) else list(values)


def _are_points(values: list[Any]) -> bool:
    whole = (int, np.integer)
    return bool(values) and all(isinstance(v, whole) and not isinstance(v, bool) for v in values)


def _points(values: list[Any], name: str) -> Positions:
    if values and not _are_points(values):
        raise InputError(f"{name} must be whole numbers as start is, got {shown(values[0])}")
    far = next((value for value in values if not -OPEN < value < OPEN), None)
    if far is not None:
        raise InputError(f"{name} must be positions among points, got {shown(far)}")
    return np.array(values, np.int64)


def texts(values: Column, name: str, count: int) -> Array | None:
    """A column of text, one for each row, "" where there is none; None where there is no column.

    >>> texts(["spike", None, 3], "kind", 3)
    array(['spike', '', '3'], dtype=object)
    """
    if values is None:
        return None
    found = ["" if gone else as_text(v) for v, gone in _with_gaps(_listed(values, name))]
    if len(found) != count:
        raise InputError(f"{name} must be one per row, got {len(found)} for {count} rows")
    array = np.empty(count, object)
    array[:] = found
    return array


def _with_gaps(values: list[Any]) -> list[tuple[Any, bool]]:
    return [(value, value is None or bool(value != value)) for value in values]  # noqa: PLR0124


def _scores(values: Column, count: int) -> Floats:
    if not count and not len(values):
        return np.zeros(0)
    found = floats(column(values, "score"), "score")
    if len(found) != count:
        raise InputError(f"score must be one number per row, got {len(found)} for {count} rows")
    refuse_nan(found, "score", "a number")
    return found


def services_of(*tables: TimedRows | None) -> list[str]:
    """The services of some tables, in the order in which they come; "*" is every service, and none.

    A table without a column of services, as of outages that are everywhere, names none.

    >>> services_of(Alerts([1, 2], service=["shop", "api"]), Alerts([3], service=["api"]))
    ['shop', 'api']
    """
    told = [table.service for table in tables if table is not None and table.service is not None]
    named = dict.fromkeys(name for names in told for name in names.tolist())
    return [name for name in named if name != "*"]
