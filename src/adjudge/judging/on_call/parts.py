"""What incidents and alerts come to by service, severity, kind or length; and events of points."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from math import comb
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.data.clock import NANOSECONDS, duration, in_words
from adjudge.data.time_settings import point_seconds
from adjudge.errors import InputError, UnknownName
from adjudge.judging.on_call.case import OnCall, OnCallCase, numbers_of
from adjudge.noise.p_values import CLEAR, holm, surely_between
from adjudge.tables.formats import frame_of, html_of
from adjudge.tables.table import Layout, Table, TableColumn
from adjudge.tables.text import text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge._typing import Array, Flags
    from adjudge.data.case import Case

LENGTHS, LENGTHS_IN_POINTS = ("10min", "1h", "6h"), (10, 100, 1000)
"""Where lengths are cut, unless others are asked for."""
_COLUMNS = ("channel", "kind", "severity", "annotator")


class PartTest(NamedTuple):
    """One part of the events: the share that is found, and whether that is less than elsewhere."""

    detector: str
    part: str
    judged: int
    found: int
    recall: float
    low: float
    """95 % interval of the share found (Clopper and Pearson), low end."""
    high: float
    p_missed: float
    """How often as many of the part would be missed if misses fell on all events alike."""
    p_adjusted: float
    """The same, adjusted for the number of parts."""


def _part_test(detector: str, row: dict[str, Any], p: float, adjusted: float) -> PartTest:
    judged, found = row["judged"], row["found"]
    low, high = surely_between(found, judged, 0.05)
    return PartTest(detector, row["part"], judged, found, found / judged, low, high, p, adjusted)


def _missed_more(missed: int, judged: int, all_missed: int, every: int) -> float:
    """How likely so many of a part are missed, or more, by the hypergeometric distribution.

    >>> _missed_more(3, 3, 3, 6)
    0.05
    """
    ways = sum(
        comb(all_missed, k) * comb(every - all_missed, judged - k)
        for k in range(missed, min(judged, all_missed) + 1)
    )
    return ways / comb(every, judged)


@dataclass(frozen=True, eq=False)
class Breakdown:
    """The numbers of `OnCall` for each part of the incidents, and over all.

    Attributes
    ----------
    column : str
        What the incidents are parted by.
    rows : tuple of dict
        One per detector and part: detector, part, and the numbers. False alarms are known by
        service alone; elsewhere an alert counts for the incident that it is right of.

    Examples
    --------
    >>> import adjudge as aj
    >>> incidents = aj.Incidents([10, 50, 80], [20, 60, 90], severity=["high", "low", "low"])
    >>> judged = aj.evaluate(incidents, aj.Alerts([14, 55]), span=(0, 100), chance=False)
    >>> judged.by("severity")
    severity  judged  found  missed  alerts right     delay
    -------------------------------------------------------
    high           1      1       0             1  4 points
    low            2      1       1             1  5 points
    -------------------------------------------------------
    """

    column: str
    rows: tuple[dict[str, Any], ...]
    in_points: bool = False

    @property
    def tested(self) -> tuple[PartTest, ...]:
        """Each part with the interval of its share found, and whether it is missed more often.

        The p-value is exact: how often as many events of the part would be missed if the missed
        ones were drawn from all events alike. It is adjusted over the parts of a detector (Holm).
        """
        found: list[PartTest] = []
        for detector in dict.fromkeys(row["detector"] for row in self.rows):
            own = [r for r in self.rows if r["detector"] == detector and r["part"] != OVER_ALL]
            own = [row for row in own if row["judged"]]
            judged, missed = (sum(row[name] for row in own) for name in ("judged", "missed"))
            p_values = [_missed_more(r["missed"], r["judged"], missed, judged) for r in own]
            both = zip(own, p_values, holm(np.array(p_values)).tolist(), strict=True)
            found += [_part_test(detector, *one) for one in both]
        return tuple(found)

    @property
    def notes(self) -> tuple[str, ...]:
        """Which parts are missed more often than chance explains."""
        several = len({row["detector"] for row in self.rows}) > 1
        return tuple(
            f"{one.detector}: "
            * several
            + f"{one.part or '-'} is missed more often than the others: found {one.found} of "
            f"{one.judged} (95 % interval {one.low:.2f} to {one.high:.2f}; p = "
            f"{one.p_adjusted:.3g})"
            for one in self.tested
            if one.p_adjusted <= CLEAR
        )

    def to_frame(self, backend: str = "pandas") -> Any:
        """The rows as a data frame of pandas, polars or pyarrow."""
        names = dict.fromkeys(name for row in self.rows for name in row)
        return frame_of({name: [row[name] for row in self.rows] for name in names}, backend)

    @property
    def tables(self) -> list[Table]:
        """A table for each detector."""
        detectors = list(dict.fromkeys(row["detector"] for row in self.rows))
        return [self._table(detector, len(detectors) > 1) for detector in detectors]

    def _table(self, detector: str, named: bool) -> Table:
        rows = [row for row in self.rows if row["detector"] == detector]
        columns = [
            TableColumn(self.column, tuple(row["part"] or "-" for row in rows), is_text=True)
        ]
        for name, (title, rank) in _SHOWN.items():
            cells = tuple(self._cell(name, row[name]) for row in rows)
            if any(cell not in {"", "0"} for cell in cells) or name in _ALWAYS:
                columns.append(TableColumn(title, cells, rank=rank))
        title = f"{detector} by {self.column}" if named else ""
        return Table(tuple(columns), title, summary_rows=int(rows[-1]["part"] == OVER_ALL))

    def _cell(self, name: str, value: float | None) -> str:
        if value is None or math.isnan(value):
            return ""
        if name == "delay_median_seconds":
            return f"{value:g} points" if self.in_points else in_words(value * NANOSECONDS["s"])
        return f"{value:.2f}" if name == "false_per_week" else f"{value}"

    def __str__(self) -> str:
        """Print the tables."""
        return text_of(Layout(tuple(self.tables), self.notes), 80)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """Show the same in a notebook."""
        return html_of(Layout(tuple(self.tables), self.notes))


OVER_ALL = "over all"
_SHOWN = {
    "judged": ("judged", 0), "found": ("found", 0), "missed": ("missed", 1),
    "unwatched": ("unwatched", 4), "alerts": ("alerts", 3), "alerts_right": ("alerts right", 5),
    "alerts_false": ("false", 0), "alerts_not_counted": ("not counted", 6),
    "false_per_week": ("false a week", 1), "delay_median_seconds": ("delay", 2),
}  # fmt: skip
"""The title of each number, and which are left out first where there is no room."""
_ALWAYS = {"judged", "found", "missed"}


def breakdown(cases: Sequence[OnCallCase], column: str, bins: Sequence[Any] | None) -> Breakdown:
    """Part the incidents of each detector by a column, or by length."""
    _check_bins(column, bins)
    rows = [row for case in cases for row in _rows(case, column, bins)]
    return Breakdown(column, tuple(rows), cases[0].incidents.in_points)


def breakdown_of_rows(rows: Sequence[dict[str, Any]], column: str) -> Breakdown:
    """Part events that say of themselves what they are: detector, found, and the column.

    Parameters
    ----------
    rows, column : sequence of dict, str
        One per detector and event; what they are parted by.
    """
    if not rows:
        raise InputError(
            "by needs events and alarms, got no event, or scores without a threshold: say at= "
            "(--at X)"
        )
    if column not in rows[0]:
        raise InputError(
            f"by={column!r} needs events that have one, got labels; give the truth as "
            "aj.Incidents(start, end, id=..., channel=..., kind=...) (--truth FILE)"
        )
    parts: dict[tuple[str, str], list[bool]] = {}
    for row in rows:
        for part in [row[column]] if isinstance(row[column], str) else row[column]:
            parts.setdefault((row["detector"], part), []).append(bool(row["found"]))
    counted = [
        {
            "detector": detector, "part": part, **dict.fromkeys(_SHOWN), "judged": len(found),
            "found": sum(found), "missed": len(found) - sum(found),
        }
        for (detector, part), found in sorted(parts.items())
    ]  # fmt: skip
    return Breakdown(column, tuple(counted), in_points=True)


def breakdown_of_points(
    cases: Sequence[Case],
    events: Sequence[dict[str, Any]],
    column: str,
    bins: Sequence[Any] | None,
) -> Breakdown:
    """Part the events of each detector by their kind, series or length."""
    _check_bins(column, bins)
    if any(event["found"] is None for event in events):
        raise InputError("by needs alarms, got scores without a threshold; say at= (--at X)")
    rows = []
    for case in cases:
        own = [event for event in events if event["detector"] == case.name]
        parts, order = _parts_of_points(case, own, column, bins)
        rows += [
            _events_row(case, name, [own[k] for k in np.flatnonzero(parts == name).tolist()])
            for name in order
        ]
    return Breakdown(column, tuple(rows), cases[0].events.clock is None)


def _events_row(case: Case, part: str, events: list[dict[str, Any]]) -> dict[str, Any]:
    found = [event for event in events if event["found"]]
    timed = "delay" if case.events.clock is None else "delay_seconds"
    delays = [event[timed] for event in found if event[timed] is not None]
    return {
        "detector": case.name, "part": part, **dict.fromkeys(_SHOWN), "judged": len(events),
        "found": len(found), "missed": len(events) - len(found),
        "delay_median_seconds": float(np.median(delays)) if delays else math.nan,
    }  # fmt: skip


def _parts_of_points(
    case: Case, events: list[dict[str, Any]], column: str, bins: Sequence[Any] | None
) -> tuple[Array, list[str]]:
    """The part of each event, and the parts in their order."""
    if column == "length":
        ends = np.array([(event["start"], event["stop"]) for event in events], int).reshape(-1, 2)
        if case.events.clock is None:
            return _by_length(ends[:, 1] - ends[:, 0], bins, points=True)
        before = np.append(0, np.cumsum(point_seconds(case.events)))
        lasts = (before[ends[:, 1]] - before[ends[:, 0]]) * NANOSECONDS["s"]
        return _by_length(np.rint(lasts).astype(np.int64), bins, points=False)
    if column == "series":
        names = case.events.names
        if names is None:
            raise InputError("by='series' needs series=, one id for each point (--series COL)")
        home = np.searchsorted(case.events.whole_series, [e["start"] for e in events], "right") - 1
        return names.astype(str).astype(object)[home], list(map(str, names.tolist()))
    if column != "kind":
        raise UnknownName("column", column, ["kind", "series", "length"])
    if not events or "kind" not in events[0]:
        raise InputError("by='kind' needs kind=, one for each point (--by COL)")
    kinds = np.array([event["kind"] for event in events], object)
    return kinds, sorted(set(kinds.tolist()))


def _check_bins(column: str, bins: Sequence[Any] | None) -> None:
    if bins is not None and column != "length":
        raise InputError(f"bins must be left out but for 'length', got them with {column!r}")


def _rows(case: OnCallCase, column: str, bins: Sequence[Any] | None) -> list[dict[str, Any]]:
    if column == "service":
        return [*_by_service(case), _row(case, OVER_ALL, case.answer)]
    parts, order = _parts(case, column, bins)
    return [_row(case, name, _of_incidents(case, parts == name), alerts=False) for name in order]


def _row(case: OnCallCase, part: str, found: OnCall, *, alerts: bool = True) -> dict[str, Any]:
    known = dict(found)
    if not alerts:
        lost = ("alerts", "alerts_false", "alerts_not_counted", "false_per_week")
        known |= dict.fromkeys(lost)
    return {"detector": case.name, "part": part, **known}


def _by_service(case: OnCallCase) -> list[dict[str, Any]]:
    """A row per service, those without incidents or alerts among them."""
    services = case.count.incidents.service
    found = []
    for service, part in case.watched.parts.items():
        mine, own = services == service, case.alerts.place == service
        found.append(_row(case, service, numbers_of(case, mine, own, part.length)))
    return found


def _of_incidents(case: OnCallCase, mine: Flags) -> OnCall:
    """The numbers of some incidents, and of the alerts that are right of them."""
    own = np.append(mine, False)[case.count.alerts.incident]
    return numbers_of(case, mine, own, case.watched.team.length)


def _parts(case: OnCallCase, column: str, bins: Sequence[Any] | None) -> tuple[Array, list[str]]:
    """The part of each incident, and the parts in their order."""
    rows, table = case.count.incidents, case.incidents
    if column == "length":
        return _lengths(case, bins)
    if column not in _COLUMNS:
        raise UnknownName("column", column, ["service", "length", *_COLUMNS])
    values = getattr(table, column)
    if values is None:
        raise InputError(f"the incidents have no column {column!r} to part them by")
    own = values[rows.row]
    return own, sorted(set(own.tolist()))


def _lengths(case: OnCallCase, bins: Sequence[Any] | None) -> tuple[Array, list[str]]:
    rows = case.count.incidents
    return _by_length(rows.end - rows.start, bins, points=case.incidents.in_points)


def _by_length(
    lengths: Array, bins: Sequence[Any] | None, *, points: bool
) -> tuple[Array, list[str]]:
    """The class of each length, and the classes in their order."""
    given = (LENGTHS_IN_POINTS if points else LENGTHS) if bins is None else bins
    edges: list[Any] = [one if points else duration(one, "bins") for one in given]
    if edges != sorted(set(edges)) or not edges:
        raise InputError(f"bins must be ascending lengths, got {list(given)}")
    said = [f"{one} points" if points else in_words(one) for one in edges]
    between = [f"{low} to {high}" for low, high in pairwise(said)]
    names = [f"below {said[0]}", *between, f"from {said[-1]} on"]
    place = np.searchsorted(edges, lengths, side="right")
    return np.array(names, object)[place], names
