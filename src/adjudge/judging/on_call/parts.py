"""What incidents and alerts come to by service, severity, kind or length; and events of points."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import comb
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.data.durations import NANOSECONDS, duration, in_words
from adjudge.data.time_settings import point_seconds
from adjudge.errors import InputError, UnknownName
from adjudge.judging.on_call.case import Answers, OnCallCase, delays_of, numbers_of
from adjudge.noise.assumptions import clause, with_clause
from adjudge.noise.intervals.means import mean_of
from adjudge.noise.p_values import CLEAR, holm, surely_between
from adjudge.tables.result import TabledResult
from adjudge.tables.table import Layout, Table, TableColumn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge._typing import Array, Flags
    from adjudge.data.case import Case

LENGTHS, LENGTHS_IN_POINTS = ("10min", "1h", "6h"), (10, 100, 1000)
"""Where lengths are cut, unless others are asked for."""
_COLUMNS = ("channel", "kind", "severity", "annotator")
_TAIL = 0.025
"""What a 95 % interval leaves out at either end."""


class PartValues(NamedTuple):
    """What was measured of the found events of a part, one by one."""

    coverage: Sequence[float] = ()
    """The share of the points of each that is flagged; empty where there are no points."""
    delays: Sequence[float] = ()
    """How late each was found, in seconds or points."""


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
    coverage: float = math.nan
    """The mean over found events of the share of their points that is flagged."""
    coverage_low: float = math.nan
    """95 % interval of this mean; NaN of too few events."""
    coverage_high: float = math.nan
    delay: float = math.nan
    """The median over found events of how late they were found, in seconds or points."""
    delay_low: float = math.nan
    """95 % interval of this median, by the order of the delays; NaN of fewer than six events."""
    delay_high: float = math.nan


def _part_test(row: dict[str, Any], of: PartValues, p: float, adjusted: float) -> PartTest:
    judged, found = row["judged"], row["found"]
    low, high = surely_between(found, judged, 0.05)
    covered = mean_of(np.array(of.coverage, np.float64))
    return PartTest(
        row["detector"], row["part"], judged, found, found / judged, low, high, p, adjusted,
        covered.mean, covered.low, covered.high, *_median(of.delays),
    )  # fmt: skip


def _median(values: Sequence[float]) -> tuple[float, float, float]:
    """The median, and two of the values that are surely around that of all such values.

    As many values lie below the first, and above the second, as is rarely so of a fair coin.

    >>> _median([4, 1, 9, 3, 7, 5])
    (4.5, 1.0, 9.0)
    """
    if not len(values):
        return math.nan, math.nan, math.nan
    ordered, outside, rare = sorted(map(float, values)), 0, 0.0
    count = len(ordered)
    while True:
        rare += comb(count, outside) / 2**count
        if rare > _TAIL:
            break
        outside += 1
    middle = float(np.median(ordered))
    if not outside:
        return middle, math.nan, math.nan
    return middle, ordered[outside - 1], ordered[count - outside]


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


@dataclass(frozen=True, eq=False, repr=False)
class Breakdown(TabledResult):
    """The numbers of `Answers` for each part of the incidents, and over all.

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
    severity  judged  found  missed  alerts right       share found     delay  p
    ----------------------------------------------------------------------------
    high           1      1       0             1  1.00 (0.03-1.00)  4 points  1
    low            2      1       1             1  0.50 (0.01-0.99)  5 points  1
    ----------------------------------------------------------------------------
    in brackets: 95 % intervals; p: probability of as many misses in a part if all
    events were equally likely to be missed (exact test, Holm)
    """

    column: str
    rows: tuple[dict[str, Any], ...]
    is_in_points: bool = False
    values: tuple[PartValues, ...] = ()
    """Of each row, what was measured of its events."""

    @cached_property
    def tested(self) -> tuple[PartTest, ...]:
        """Each part with the interval of its share found, and whether it is missed more often.

        The p-value is exact: how often as many events of the part would be missed if the missed
        ones were drawn from all events alike. It is adjusted over the parts of a detector (Holm).
        """
        found: list[PartTest] = []
        for detector in dict.fromkeys(row["detector"] for row in self.rows):
            own = [
                (row, of)
                for row, of in zip(self.rows, self.values, strict=True)
                if row["detector"] == detector and row["part"] != OVER_ALL and row["judged"]
            ]
            judged, missed = (sum(row[name] for row, _ in own) for name in ("judged", "missed"))
            p_values = [_missed_more(r["missed"], r["judged"], missed, judged) for r, _ in own]
            adjusted = holm(np.array(p_values)).tolist()
            found += [
                _part_test(*part, p, both)
                for part, p, both in zip(own, p_values, adjusted, strict=True)
            ]
        return tuple(found)

    def to_dicts(self) -> list[dict[str, Any]]:
        """The rows, each with the intervals and the test of its part."""
        tested = {(one.detector, one.part): one for one in self.tested}
        found = []
        for row in self.rows:
            one = tested.get((row["detector"], row["part"]))
            known = dict.fromkeys(_TESTED, math.nan) if one is None else one._asdict()
            found.append(row | {name: known[name] for name in _TESTED})
        return found

    @property
    def notes(self) -> tuple[str, ...]:
        """Which parts are missed more often than chance explains, and what the columns are."""
        several = len({row["detector"] for row in self.rows}) > 1
        said = [_BRACKETS, *[_WHAT_P_IS] * any(map(self._can_differ, self.tested))]
        what = ("; ".join(said),) * (self.column != "service" and bool(self.tested))
        return what + tuple(
            f"{one.detector}: "
            * several
            + f"{one.part or '-'} is missed more often than the others: found {one.found} of "
            f"{one.judged} (95 % interval {one.low:.2f} to {one.high:.2f}; "
            f"{with_clause(f'p = {one.p_adjusted:.3g}', clause('parts'))})"
            for one in self.tested
            if one.p_adjusted <= CLEAR
        )

    def columns(self) -> dict[str, list[Any]]:
        """The rows as columns by name."""
        rows = self.to_dicts()
        names = dict.fromkeys(name for row in rows for name in row)
        return {name: [row[name] for row in rows] for name in names}

    def layout(self) -> Layout:
        """Lay the parts out as a table for each detector."""
        return Layout(tuple(self.tables), self.notes)

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
        told = _SHOWN if self.column == "service" else _WITH_INTERVALS
        for name, (title, rank) in told.items():
            cells = tuple(self._cell(name, row) for row in rows)
            if any(cell not in {"", "0"} for cell in cells) or name in _ALWAYS:
                columns.append(TableColumn(title, cells, rank=rank))
        title = f"{detector} by {self.column}" if named else ""
        return Table(tuple(columns), title, summary_rows=int(rows[-1]["part"] == OVER_ALL))

    def _cell(self, name: str, row: dict[str, Any]) -> str:
        if name in _TESTED:
            return self._measured(name, row)
        value = row[name]
        if value is None or math.isnan(value):
            return ""
        if name == "delay_median_seconds":
            low, high = self._ends("delay", row)
            ends = "" if math.isnan(low) else f" ({self._late(low)} to {self._late(high)})"
            return f"{self._late(value)}{ends}"
        return f"{value:.2f}" if name == "false_per_week" else f"{value}"

    def _measured(self, name: str, row: dict[str, Any]) -> str:
        """A share with its interval, or a p-value that says something."""
        one = self._by_part.get((row["detector"], row["part"]))
        if one is None:
            return ""
        value = getattr(one, name)
        if name == "p_adjusted":
            return f"{value:.3g}" if self._can_differ(one) else ""
        if math.isnan(value):
            return ""
        low, high = self._ends(name, row)
        ends = "" if math.isnan(low) else f" ({low:.2f}-{high:.2f})"
        return f"{value:.2f}{ends}"

    def _can_differ(self, part: PartTest) -> bool:
        """Whether a detector finds some events of several parts and misses others."""
        own = [one for one in self.tested if one.detector == part.detector]
        judged, found = sum(one.judged for one in own), sum(one.found for one in own)
        return len(own) > 1 and 0 < found < judged

    def _ends(self, name: str, row: dict[str, Any]) -> tuple[float, float]:
        one = self._by_part.get((row["detector"], row["part"]))
        if one is None or self.column == "service":
            return math.nan, math.nan
        before = "" if name == "recall" else f"{name}_"
        return getattr(one, f"{before}low"), getattr(one, f"{before}high")

    @cached_property
    def _by_part(self) -> dict[tuple[str, str], PartTest]:
        return {(one.detector, one.part): one for one in self.tested}

    def _late(self, value: float) -> str:
        if self.is_in_points:
            return f"{value:g} point{'s' * (value != 1)}"
        return in_words(value * NANOSECONDS["s"])


OVER_ALL = "over all"
_SHOWN = {
    "judged": ("judged", 0), "found": ("found", 0), "missed": ("missed", 1),
    "unwatched": ("unwatched", 4), "alerts": ("alerts", 3), "alerts_right": ("alerts right", 5),
    "alerts_false": ("false", 0), "alerts_unwatched": ("not counted", 6),
    "false_per_week": ("false a week", 1), "delay_median_seconds": ("delay", 2),
}  # fmt: skip
"""The title of each number, and which are left out first where there is no room."""
_ALWAYS = {"judged", "found", "missed"}
_WITH_INTERVALS = {
    **{name: told for name, told in _SHOWN.items() if name != "delay_median_seconds"},
    "recall": ("share found", 0), "coverage": ("covered", 4),
    "delay_median_seconds": ("delay", 2), "p_adjusted": ("p", 0),
}  # fmt: skip
"""The same of parts that are compared with each other, with intervals and a test."""
_TESTED = PartTest._fields[4:]
_BRACKETS = "in brackets: 95 % intervals"
_WHAT_P_IS = (
    "p: probability of as many misses in a part if all events were equally likely to be "
    "missed (exact test, Holm)"
)


def breakdown(cases: Sequence[OnCallCase], column: str, bins: Sequence[Any] | None) -> Breakdown:
    """Part the incidents of each detector by a column, or by length."""
    _check_bins(column, bins)
    pairs = [pair for case in cases for pair in _rows(case, column, bins)]
    rows, values = zip(*pairs, strict=True)
    return Breakdown(column, rows, cases[0].incidents.is_in_points, values)


def breakdown_of_ids(
    cases: Sequence[Case],
    rows: Sequence[dict[str, Any]],
    column: str,
    bins: Sequence[Any] | None,
) -> Breakdown:
    """Part events that say of themselves what they are: detector, found, and the column.

    Parameters
    ----------
    cases : sequence of Case
        All channels of each detector as one.
    rows, column : sequence of dict, str
        One per detector and event; what they are parted by.
    bins : sequence, optional
        Where lengths are cut.
    """
    _check_bins(column, bins)
    if not rows:
        raise InputError(
            "by needs events and alarms, got no event, or scores without a threshold: say at= "
            "(--at X)"
        )
    known = {*rows[0], "length"}
    if column not in known:
        there = [name for name in ("channel", "kind", "severity", "length") if name in known]
        told = (
            f"these have {', '.join(there)}"
            if {"kind", "severity"} & known
            else "got labels; give the truth as aj.Incidents(start, end, id=..., channel=..., "
            "kind=...) (--truth FILE)"
        )
        raise InputError(f"by={column!r} needs events that have one; {told}")
    return _of_each(cases, rows, column, bins)


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
    if column == "kind" and not all("kind" in event for event in events):
        raise InputError("by='kind' needs kind=, one for each point (--by COL)")
    if column not in {"kind", "series", "length"}:
        raise UnknownName("column", column, ["kind", "series", "length"])
    return _of_each(cases, events, column, bins)


def _of_each(
    cases: Sequence[Case],
    events: Sequence[dict[str, Any]],
    column: str,
    bins: Sequence[Any] | None,
) -> Breakdown:
    """Part the events of each detector."""
    pairs = []
    for case in cases:
        own = [event for event in events if event["detector"] == case.name]
        pairs += _rows_of_events(case, own, *_parts_of_points(case, own, column, bins))
    rows, values = zip(*pairs, strict=True) if pairs else ((), ())
    return Breakdown(column, rows, cases[0].events.clock is None, values)


def _rows_of_events(
    case: Case, events: list[dict[str, Any]], parts: Array, order: Sequence[str]
) -> list[tuple[dict[str, Any], PartValues]]:
    """A row for each part of the events, with what was measured of those that were found."""
    timed, pairs = "delay" if case.events.clock is None else "delay_seconds", []
    for name in order:
        own = [events[k] for k in np.flatnonzero(parts == name).tolist()]
        found = [event for event in own if event["found"]]
        delays = [event[timed] for event in found if event[timed] is not None]
        row = {
            "detector": case.name, "part": name, **dict.fromkeys(_SHOWN), "judged": len(own),
            "found": len(found), "missed": len(own) - len(found),
            "delay_median_seconds": float(np.median(delays)) if delays else math.nan,
        }  # fmt: skip
        pairs.append((row, PartValues([event["coverage"] for event in found], delays)))
    return pairs


def _parts_of_points(
    case: Case, events: list[dict[str, Any]], column: str, bins: Sequence[Any] | None
) -> tuple[Array, list[str]]:
    """The part of each event, and the parts in their order."""
    if column == "length":
        ends = np.array([(event["start"], event["stop"]) for event in events], np.int64).reshape(
            -1, 2
        )
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
    own = np.array([event[column] for event in events], object)
    return own, sorted(set(own.tolist()))


def _check_bins(column: str, bins: Sequence[Any] | None) -> None:
    if bins is not None and column != "length":
        raise InputError(f"bins must be left out but for 'length', got them with {column!r}")


def _rows(
    case: OnCallCase, column: str, bins: Sequence[Any] | None
) -> list[tuple[dict[str, Any], PartValues]]:
    if column == "service":
        if case.incidents.service is None:
            raise _without(column)
        return [*_by_service(case), (_row(case, OVER_ALL, case.answer), PartValues())]
    parts, order = _parts(case, column, bins)
    return [
        (_row(case, name, _of_incidents(case, parts == name), alerts=False),
         PartValues(delays=delays_of(case, parts == name).tolist()))
        for name in order
    ]  # fmt: skip


def _row(case: OnCallCase, part: str, found: Answers, *, alerts: bool = True) -> dict[str, Any]:
    known = dict(found)
    if not alerts:
        lost = ("alerts", "alerts_false", "alerts_unwatched", "false_per_week")
        known |= dict.fromkeys(lost)
    return {"detector": case.name, "part": part, **known}


def _by_service(case: OnCallCase) -> list[tuple[dict[str, Any], PartValues]]:
    """A row per service, those without incidents or alerts among them."""
    services = case.count.incidents.service
    found = []
    for service, part in case.watched.parts.items():
        mine, own = services == service, case.alerts.place == service
        row = _row(case, service, numbers_of(case, mine, own, part.length))
        found.append((row, PartValues(delays=delays_of(case, mine).tolist())))
    return found


def _of_incidents(case: OnCallCase, mine: Flags) -> Answers:
    """The numbers of some incidents, and of the alerts that are right of them."""
    own = np.append(mine, False)[case.count.alerts.incident]
    return numbers_of(case, mine, own, case.watched.team.length)


def _without(column: str) -> InputError:
    return InputError(
        f"the incidents have no column {column!r} to group by; name it, as in --truth-columns "
        f"{column}=COL ({column}= of aj.Incidents)"
    )


def _parts(case: OnCallCase, column: str, bins: Sequence[Any] | None) -> tuple[Array, list[str]]:
    """The part of each incident, and the parts in their order."""
    rows, table = case.count.incidents, case.incidents
    if column == "length":
        return _lengths(case, bins)
    if column not in _COLUMNS:
        raise UnknownName("column", column, ["service", "length", *_COLUMNS])
    values = getattr(table, column)
    if values is None:
        raise _without(column)
    own = values[rows.row]
    return own, sorted(set(own.tolist()))


def _lengths(case: OnCallCase, bins: Sequence[Any] | None) -> tuple[Array, list[str]]:
    rows = case.count.incidents
    return _by_length(rows.end - rows.start, bins, points=case.incidents.is_in_points)


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
    names = [f"below {said[0]}", *between, f"{said[-1]} and longer"]
    place = np.searchsorted(edges, lengths, side="right")
    return np.array(names, object)[place], names
