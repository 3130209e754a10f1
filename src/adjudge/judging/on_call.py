"""Judge alerts against incidents, as on-call teams have them: things on instants, without a grid.

What an engineer asks comes first: how many incidents were found, how many alerts were false and how
many that is a week, how late the first alert came. Then values of metrics, each beside what the
same alerts would have scored at other times. Only metrics of points need a grid.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.adjust.adjustments import raw
from adjudge.adjust.balanced import Balanced, is_length
from adjudge.checks import is_whole
from adjudge.count.delays import Delays, FalseRuns, Resets, WatchedRuns
from adjudge.count.lengths import (
    WatchedLine,
    default_width_in_time,
    middle_width_in_time,
    summed,
    watched_lines,
)
from adjudge.count.on_call import OnCallCount, count_on_call
from adjudge.count.points import Points
from adjudge.count.runs import Runs, RunsPerEvent
from adjudge.count.scored_alerts import ScoredAlerts, Spans
from adjudge.count.tally import Tally
from adjudge.data.clock import NANOSECONDS, Clock, duration, in_words, spelt
from adjudge.data.events import Events
from adjudge.data.incidents import Alerts, Incidents, TimedRows, services_of
from adjudge.data.interval_reading import MAX_STEPS
from adjudge.data.watched import WatchedTime, check_alike, read_span, read_stretches
from adjudge.errors import InputError, UnknownName, shown
from adjudge.judging.result_columns import Finding
from adjudge.measure.rates import FalseAlarmRate, FalseAlarms
from adjudge.measure.whole.event_ap import AlertAp, IntervalAp
from adjudge.metrics.reader import catalogue
from adjudge.metrics.spec import threshold
from adjudge.noise.chance_columns import ChanceLine
from adjudge.noise.intervals.evidence import NONE, Evidence, ends, evidence, units_of
from adjudge.noise.intervals.of_rates import EventRows, Imagined, Side, rate_spread
from adjudge.noise.null_models import NearbyNull, ShiftedNull
from adjudge.noise.p_values import HeldAgainst
from adjudge.noise.shifting.in_time import TimeShifts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from adjudge._typing import Column, Flags, Floats, Positions
    from adjudge.metrics.metric import Metric
    from adjudge.noise.chance_line import LineOptions
    from adjudge.noise.intervals.evidence import Spread, Units

WEEK = 7 * NANOSECONDS["d"]
_MILLI = NANOSECONDS["ms"]
_NEAR = "30min"  # the largest tolerance for starts, unless another is given
_NAMED = 5  # missed incidents that the answer names
_HOURS = [k for k in range(-14, 15) if k]  # by which zones may differ


@dataclass(frozen=True)
class OnCall(Mapping[str, Any]):
    """What an on-call team asks of its alerts; also a mapping by these names.

    Attributes
    ----------
    judged, found, missed, unwatched : int
        Incidents of which a part was watched; those that an alert found, and that none did; and
        those that nobody could have found.
    alerts, alerts_right, alerts_false, alerts_not_counted : int
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
    alerts_not_counted: int
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
class OnCallCase:
    """One detector's alerts beside the incidents, in watched time."""

    name: str
    incidents: Incidents
    alerts: Alerts
    watched: WatchedTime
    early: int = 0
    at: float | None = None
    """The score that alerts must be above to be raised; None: all are."""
    given: Alerts | None = None
    """All alerts, where only some are raised."""

    def above(self, at: Any) -> OnCallCase:
        """The case in which only those alerts are raised whose score is above a threshold."""
        if self.alerts.score is None:
            raise InputError(
                f"at must be left out where alerts have no score, got {shown(at)}; give them one: "
                "aj.Alerts(start, end, score=...), or a column score in the file"
            )
        level = threshold(at)
        if not isinstance(level, float):
            raise InputError(f"at must be a number with incidents and alerts, got {shown(at)}")
        kept = self.alerts.chosen(self.alerts.score > level)
        return replace(self, alerts=kept, at=level, given=self.alerts)

    @property
    def scored(self) -> ScoredAlerts:
        """Incidents that are judged beside all alerts that start in watched time, and scores."""
        rows, alerts = self.count.incidents, self.given or self.alerts
        services = list(self.watched.parts)
        home = np.array([services.index(one) for one in alerts.place], np.int64)
        judged = np.flatnonzero(rows.judged)
        place = np.array([services.index(one) for one in rows.service[judged]], np.int64)
        counted = np.zeros(len(alerts), bool)
        for number, part in enumerate(self.watched.parts.values()):
            mine = home == number
            counted[mine] = part.holds(alerts.start[mine])
        ends = alerts.until(self.watched.span[1])
        return ScoredAlerts.of(
            Spans(rows.start[judged], rows.end[judged], place),
            Spans(alerts.start[counted], ends[counted], home[counted]),
            np.asarray(alerts.score[counted], np.float64),
        )

    def in_watched_time(self, things: Spans) -> Spans:
        """The same things, with starts and ends as the time that was watched before them."""
        found = Spans(things.start.copy(), things.end.copy(), things.place)
        for number, part in enumerate(self.watched.parts.values()):
            mine = things.place == number
            found.start[mine] = part.before(things.start[mine])
            found.end[mine] = part.before(things.end[mine])
        return found

    @cached_property
    def count(self) -> OnCallCount:
        """How each incident was found, and whether each alert was right."""
        return count_on_call(self.incidents, self.alerts, self.watched, self.early)

    @cached_property
    def lines(self) -> list[WatchedLine]:
        """The watched time of each service, joined."""
        return watched_lines(self.incidents, self.alerts, self.watched)

    @cached_property
    def shifts(self) -> dict[int | None, TimeShifts]:
        """What was shifted already: things (None), or lengths by the width of the island."""
        return {}

    @property
    def second(self) -> int:
        """How many units a second has; of points, one is one."""
        return 1 if self.incidents.in_points else NANOSECONDS["s"]

    @property
    def answer(self) -> OnCall:
        """The numbers that an on-call team asks for."""
        every = np.ones(len(self.count.incidents.start), bool), np.ones(len(self.alerts), bool)
        return numbers_of(self, *every, self.watched.team.length)

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
        if found.alerts_not_counted:
            noun = "alert" if found.alerts_not_counted == 1 else "alerts"
            parts.append(f"{found.alerts_not_counted} {noun} outside watched time not counted")
        return "; ".join(parts)

    def _false(self, found: OnCall) -> str:
        alarms = f"{found.alerts_false} false alarm{'s' * (found.alerts_false != 1)}"
        length = self.watched.team.length
        if self.incidents.in_points:
            return f"{alarms} in {length:,} watched points"
        days = length / NANOSECONDS["d"]
        return f"{alarms} in {days:.1f} watched days ({found.false_per_week:.1f} a week)"

    def _length(self, value: float) -> str:
        if self.incidents.in_points:
            return f"{value:g} points"
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
    def offset(self) -> str:
        """Says that the alerts of this detector seem to be off by a constant time; "" if not.

        Clocks that differ by whole hours come from a zone that was taken for another.
        It is told where that would find more than twice as many incidents, and at least three.
        """
        if self.incidents.in_points or not len(self.alerts):
            return ""
        here = sum(int(line.things(line.alerts).found[0]) for line in self.lines)
        tried = ((self._found_at(k * NANOSECONDS["h"]), -abs(k), k) for k in _HOURS)
        best, _, by = max(tried)  # of equals the shortest
        judged = int(np.count_nonzero(self.count.incidents.judged))
        if best <= max(2 * here, 2):
            return ""
        way = "later" if by > 0 else "earlier"
        return (
            f"if all alerts were {abs(by)} h {way}, {best} of {judged} incidents "
            "would be found: are the times of both tables in the same zone?"
        )

    def _found_at(self, shift: int) -> int:
        """How many incidents alerts would find that were so much later."""
        moved = (line.alerts._replace(starts=line.alerts.starts + shift) for line in self.lines)
        return sum(
            int(line.things(alerts).found[0])
            for line, alerts in zip(self.lines, moved, strict=True)
        )

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
            "alerts": int(rows.alerts[number]),
        }
        for name in ("service", "kind", "severity"):
            column = getattr(table, name)
            event |= {} if column is None else {name: str(column[row])}
        if table.in_points:
            return event
        ends = table.instant_text(int(rows.end[number]))
        return event | {
            "from": table.instant_text(int(rows.start[number])),
            "to": f"{ends}, still open" if rows.open[number] else ends,
            "delay_time": None if known is None else self._length(known),
            "delay_seconds": known,
        }


def numbers_of(case: OnCallCase, incidents: Flags, alerts: Flags, watched: int) -> OnCall:
    """The numbers of some incidents and some alerts, in so much watched time."""
    rows, found = case.count.incidents, case.count.alerts

    def many(mask: Flags, of: Flags) -> int:
        return int(np.count_nonzero(mask & of))

    false = many(found.false, alerts)
    weeks = math.nan if case.incidents.in_points else watched / WEEK
    delays = rows.delay[incidents & ~np.isnan(rows.delay)] / case.second
    return OnCall(
        judged=many(rows.judged, incidents),
        found=many(rows.found, incidents),
        missed=many(rows.judged & ~rows.found, incidents),
        unwatched=many(~rows.judged, incidents),
        alerts=int(np.count_nonzero(alerts)),
        alerts_right=many(found.right, alerts),
        alerts_false=false,
        alerts_not_counted=many(~found.counted, alerts),
        false_per_week=false / weeks if weeks else math.nan,
        delay_median_seconds=float(np.median(delays)) if delays.size else math.nan,
    )


class ThingsForm(NamedTuple):
    """A metric on instants: what it counts, and the measure of that."""

    tally: Tally
    measure: Callable[[Tally], Any]
    metric: Metric
    """With every setting resolved."""
    pieces: PieceRows
    shifts: TimeShifts | None = None
    """How chance moves what it counts; None where it does not."""
    unit: str = ""
    cost: float = 1.0
    """What a false alarm is imagined to cost where there was none."""

    @property
    def side(self) -> ThingSide:
        """What the alerts earned and paid."""
        return ThingSide(self)

    @property
    def value(self) -> float:
        """The value."""
        return float(np.ravel(np.asarray(self.measure(self.tally), np.float64))[0])


def on_instants(metric: Metric, case: OnCallCase) -> ThingsForm | None:
    """The metric on instants; None where it needs points."""
    measure, adjust, counting = metric.parts
    if isinstance(measure, (AlertAp, IntervalAp)):
        return None if case.alerts.score is None else _scored(metric, measure, case)
    if not metric.at_one_threshold or metric.at is not None:
        return None
    if isinstance(adjust, Balanced):
        return _lengths(metric, case) if type(counting) is Points else None
    form = _FORMS.get(type(counting)) if adjust is raw else None
    return None if form is None else form(metric, case)


def _scored(metric: Metric, measure: AlertAp | IntervalAp, case: OnCallCase) -> ThingsForm:
    """Average precision of alerts, which is no sum over incidents and alerts."""
    found = case.scored
    if isinstance(measure, AlertAp):
        timed = not case.incidents.in_points
        if timed and "tolerance" not in dict(metric.settings):
            metric = metric.with_settings(tolerance=_NEAR)
        tolerance = _in_units(dict(metric.parts.settings)["tolerance"], "tolerance", case)
        value = measure.of(found, tolerance)
    else:
        events, alerts = case.in_watched_time(found.events), case.in_watched_time(found.alerts)
        value = measure.of(ScoredAlerts.of(events, alerts, found.score))
    return ThingsForm(case.count.tally, lambda _: value, metric, _thing_rows(case))


def _rates(metric: Metric, case: OnCallCase) -> ThingsForm:
    """Shares of incidents found and of alerts right."""
    measure = metric.parts.measure
    return ThingsForm(case.count.tally, measure, metric, _thing_rows(case), _things(case))


def _things(case: OnCallCase) -> TimeShifts:
    if None not in case.shifts:
        early = case.early
        count: Callable[..., Tally] = lambda line, alerts: line.things(alerts, early)  # noqa: E731
        case.shifts[None] = TimeShifts(case.lines, count, (0, early))
    return case.shifts[None]


def _false_alarms(metric: Metric, case: OnCallCase) -> ThingsForm | None:
    """False alerts per so much watched time of the team, or time without incidents of services."""
    measure, timed = metric.parts.measure, not case.incidents.in_points
    assert isinstance(measure, (FalseAlarms, FalseAlarmRate))  # noqa: S101 - of these countings
    if timed and not isinstance(measure.per, str):
        return None
    per = duration(measure.per, "per") if isinstance(measure.per, str) else measure.per
    in_units = replace(measure, per=float(per))
    team = isinstance(measure, FalseAlarms)
    length = case.watched.team.length if team else case.count.quiet

    def of(tally: Tally) -> Any:
        return in_units(tally._replace(normal=length))

    return ThingsForm(case.count.tally, of, metric, _thing_rows(case), _things(case))


def _means(metric: Metric, case: OnCallCase) -> ThingsForm:
    """The mean of a number of each incident that has it: a delay, a reset time, its alerts."""
    counting, rows = metric.parts.counting, case.count.incidents
    if isinstance(counting, RunsPerEvent):
        values, unit = np.where(rows.found, rows.alerts, np.nan), ""
    else:
        times = rows.reset if isinstance(counting, Resets) else rows.delay
        values, unit = times / case.second, "points" if case.incidents.in_points else "seconds"
    known = values[~np.isnan(values)]
    if known.size and getattr(counting, "average", "mean") == "median":
        known = np.array([np.median(known)])
    tally = Tally(float(known.sum()), known.size, 0, 0, math.nan)
    return ThingsForm(tally, metric.parts.measure, metric, _mean_rows(case, values), unit=unit)


_FORMS: dict[type, Callable[[Metric, OnCallCase], ThingsForm | None]] = {
    Runs: _rates,
    FalseRuns: _false_alarms,
    WatchedRuns: _false_alarms,
    Delays: _means,
    Resets: _means,
    RunsPerEvent: _means,
}
"""How the countings of events are made on instants."""


def _lengths(metric: Metric, case: OnCallCase) -> ThingsForm | None:
    """Balanced adjustment in lengths of time."""
    adjust = metric.parts.adjust
    if not isinstance(adjust, Balanced) or adjust != Balanced(adjust.width):
        return None
    if adjust.width in {"iid", "matched"}:
        return None
    width = _width(adjust.width, case)
    resolved = metric.with_settings(width=width if case.incidents.in_points else spelt(width))
    tally = summed([line.lengths(line.alerts, width) for line in case.lines])
    if width not in case.shifts:
        count: Callable[..., Tally] = lambda line, alerts: line.lengths(alerts, width)  # noqa: E731
        case.shifts[width] = TimeShifts(case.lines, count, (0, width // 2, width))
    one = Tally(*(mass[0] if len(np.ravel(mass)) else 0 for mass in map(np.atleast_1d, tally)))
    pieces, shifts = _length_rows(case, width), case.shifts[width]
    return ThingsForm(one, metric.parts.measure, resolved, pieces, shifts, cost=float(width))


def _width(width: Any, case: OnCallCase) -> int:
    """How long an island is, in nanoseconds or points."""
    points = case.incidents.in_points
    if width is None or width == "median":
        choose = default_width_in_time if width is None else middle_width_in_time
        found = choose(case.lines)
        return max(1, found) if points else max(1, round(found / _MILLI)) * _MILLI
    return _in_units(width, "width", case)


def _in_units(length: Any, name: str, case: OnCallCase) -> int:
    """A length in nanoseconds, or in points where incidents are."""
    points = case.incidents.in_points
    if is_length(length) == points:
        kinds = ("a duration such as '30min'", "a number of points")
        raise InputError(
            f"{name} must be {kinds[points]}, as the incidents are in "
            f"{'points' if points else 'time'}, got {shown(length)}"
        )
    return duration(length, name) if is_length(length) else int(length)


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
    when: tuple[Positions, Positions] | None = None
    """When each incident, and each of the false alarms, began; None where rows are no things."""

    @property
    def rows(self) -> EventRows:
        """The same for intervals."""
        return EventRows(self.incidents, self.false, self.place, self.normal)

    def units(self, unit: str) -> Units:
        """The units of evidence: incidents, each with the quiet time before it, or services."""
        bounds = np.append(0, np.cumsum(2 * self.counts + 1))
        before = np.repeat(np.arange(len(self.counts)), self.counts)
        starts = 2 * np.arange(len(before)) + before + 1
        events = Events(starts, starts + 1, int(bounds[-1]), bounds=bounds)
        return units_of(events, "event" if unit == "auto" else unit)


class ThingSide(Side):
    """What the alerts of one detector earned and paid."""

    def __init__(self, form: ThingsForm) -> None:
        self.measure, self.rows = form.measure, form.pieces.rows
        self._value, self._cost = form.value, form.cost
        self.flags = np.array([bool(form.tally.flagged or form.tally.found)])

    @property
    def value(self) -> float:
        """The value of the metric."""
        return self._value

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


def _thing_rows(case: OnCallCase) -> PieceRows:
    """A line per incident that is judged: found, and the alerts that are right on its account."""
    rows, alerts = case.count.incidents, case.count.alerts
    right = np.bincount(alerts.incident[alerts.right], minlength=len(rows.start))
    table = np.stack([rows.found, rows.judged, right, right], axis=1).astype(np.float64)
    beside = alerts.right & ~np.append(rows.judged, False)[alerts.incident]
    alone = np.flatnonzero(alerts.false | beside)
    false = np.zeros((len(alone), 4))
    false[:, 2], false[:, 3] = beside[alone], 1
    return _in_order(case, table, false, alone)


def _mean_rows(case: OnCallCase, values: Floats) -> PieceRows:
    """A line per incident that is judged: its value, and whether that is known."""
    known = ~np.isnan(values)
    own = np.where(known, values, 0)
    table = np.stack([own, known, 0 * own, 0 * own], axis=1)
    return _in_order(case, table, np.zeros((0, 4)), np.zeros(0, np.int64))


def _in_order(case: OnCallCase, table: Floats, false: Floats, alone: Positions) -> PieceRows:
    """The lines of the incidents, and the alerts that stand alone, in the order of services."""
    rows, order, counts = case.count.incidents, [], []
    place, first = np.zeros(len(alone), np.int64), 0
    for service in case.watched.parts:
        mine = np.flatnonzero(rows.judged & (rows.service == service))
        mine = mine[np.argsort(rows.start[mine], kind="stable")]
        here = case.alerts.place[alone] == service
        began = np.searchsorted(rows.start[mine], case.alerts.start[alone][here], side="right")
        place[here] = first + 2 * began
        first += 2 * len(mine) + 1
        order.append(mine)
        counts.append(len(mine))
    own = np.concatenate(order)
    when = rows.start[own], case.alerts.start[alone]
    return PieceRows(table[own], np.array(counts), false, place, when=when)


def _length_rows(case: OnCallCase, width: int) -> PieceRows:
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


def evidence_of(form: ThingsForm, unit: str) -> Evidence:
    """The 95 % interval of a value, had other incidents occurred, and what it rests on."""
    side, value = form.side, form.value
    some = len(form.pieces.incidents) and side.flags.any()
    if not form.metric.resamples or math.isnan(value) or not some:
        return NONE
    imagined = side.imagined()

    def spread_of(units: Units) -> Spread:
        return rate_spread(side.measure, side.by(units), imagined, units)

    span = form.metric.row.range
    return evidence(form.pieces.units(unit), spread_of, lambda s: ends(s, value, span, 0.95))


def needs_points(metric: Metric, cases: Sequence[OnCallCase]) -> bool:
    """Whether a metric cannot be told from things, and needs a grid of points."""
    return any(on_instants(metric, case) is None for case in cases)


def refuse_without_scores(metrics: Sequence[Metric], cases: Sequence[OnCallCase]) -> None:
    """Refuse a metric of scored alerts where alerts have no score."""
    bare = [case.name for case in cases if case.alerts.score is None]
    scored = [m for m in metrics if isinstance(m.parts.measure, (AlertAp, IntervalAp))]
    if bare and scored:
        raise InputError(
            f"alerts must have a score each for {scored[0].name}, got none of {bare[0]!r}; give "
            "them one: aj.Alerts(start, end, score=...), or a column score in the file"
        )


def finding(
    metric: Metric, case: OnCallCase, zero_division: float, line: LineOptions | None
) -> Finding:
    """A row for one metric of one detector, which needs no points."""
    form = on_instants(metric, case)
    assert form is not None  # noqa: S101 - its caller has looked
    value = form.value
    timed = form.unit == "seconds"
    row = Finding(
        detector=case.name,
        metric=form.metric.spec(metric.row.always_shown),
        judged_by=form.metric,
        value=zero_division if math.isnan(value) else value,
        at=case.at if metric.at_one_threshold else None,
        chosen_by="given" if metric.at_one_threshold else "none",
        asked=str(metric),
        flagged=case.count.tally.flagged,
        unit=form.unit,
        seconds=value if timed else math.nan,
        seconds_per_point=1.0 if timed else math.nan,
    )
    return row if line is None else replace(row, **vars(beside_things(form, case, line)))


def beside_things(form: ThingsForm, case: OnCallCase, options: LineOptions) -> ChanceLine:
    """What chance makes of a value."""
    if not isinstance(options.null, ShiftedNull):
        raise InputError(
            "null must be 'shifted' for incidents and alerts, got "
            f"{getattr(options.null, 'name', options.null)!r}; every= lays them on a grid"
        )
    found = evidence_of(form, options.unit)
    line = ChanceLine(
        low=found.low, high=found.high, low_here=found.low_here, high_here=found.high_here,
        evidence=found.words, evidence_unit=found.unit, evidence_units=found.units,
        evidence_equal=found.equal, event_count=int(case.count.tally.truth),
    )  # fmt: skip
    if form.shifts is None or not case.lines or not case.count.tally.flagged:
        return line
    lower = form.metric.row.better == "lower"
    how: dict[str, Any] = {"shifts": options.shifts, "seed": options.seed}
    turns = form.shifts.turns(form.measure, lower=lower, **how)
    nearby = form.shifts.nearby(form.measure, lower=lower, **how)
    chance = float(np.ravel(form.measure(turns.expected))[0])
    top = form.metric.row.range[0 if lower else 1]
    corrected = sorted(_corrected(end, chance, top) for end in (found.low, found.high))
    p = turns.p_value
    held = HeldAgainst(p, turns.p_below, turns.shifts, turns.exact, p, p)
    tests = {ShiftedNull.name: held, NearbyNull.name: HeldAgainst(nearby, low=nearby, high=nearby)}
    return replace(
        line, chance=chance, null=ShiftedNull.name, corrected_low=corrected[0],
        corrected=_corrected(form.value, chance, top), corrected_high=corrected[1], p_value=p,
        p_adjusted=max(p, nearby), p_nearby=nearby, p_joint=max(p, nearby), tests=tests,
        p_below=turns.p_below, shifts=turns.shifts, exact=turns.exact,
    )  # fmt: skip


def _corrected(value: float, chance: float, top: float) -> float:
    return (value - chance) / (top - chance) if chance != top else math.nan


def default_things_metrics(case: OnCallCase) -> list[Metric]:
    """Metrics for who asks for none: of events, balanced, delays and false alarms."""
    names = ("event_recall", "event_precision", "event_f1", "f1_ba")
    delay = catalogue["detection_delay"].metric.with_settings(average="median")
    per = 1 if case.incidents.in_points else "1w"
    false = catalogue["false_alarms"].metric.with_settings(per=per)
    return [*(catalogue[name].metric for name in names), delay, false]


def on_grid(cases: Sequence[OnCallCase], every: Any) -> tuple[Events, dict[str, Flags]]:
    """The incidents and the alerts of each detector on a grid, the services one after another.

    A thing marks every step that it touches. Steps of which nothing is watched are not judged.
    """
    first = cases[0]
    begin, end = first.watched.span
    step = every if first.incidents.in_points and is_whole(every) else duration(every, "every")
    count = -(-(end - begin) // step) if step else 0
    services = list(first.watched.parts)
    if not 0 < count * len(services) <= MAX_STEPS:
        raise InputError(
            f"every must give 1 to {MAX_STEPS:,} steps in all services, got {shown(every)}"
        )
    ticks = _Ticks(begin, step, count, services)
    watched = np.concatenate([ticks.marked(*part) for part in first.watched.parts.values()])
    labels = ticks.of(first.incidents, first.watched.span) & watched
    series = np.repeat(np.array(services, object), count)
    truth = Events.from_labels(labels, series=series, where=watched)
    if first.incidents.clock is not None:
        clock = Clock(np.tile(begin + step * np.arange(count), len(services)),
                      first.incidents.clock.zone)  # fmt: skip
        truth = replace(truth, clock=clock)
    return truth, {case.name: ticks.of(case.alerts, case.watched.span) for case in cases}


class _Ticks(NamedTuple):
    """A grid of equal steps, once for each service."""

    begin: int
    step: int
    steps: int
    services: list[str]

    def marked(self, starts: Positions, ends: Positions) -> Flags:
        """Which steps of one service intervals touch; a moment touches one."""
        low = np.clip((starts - self.begin) // self.step, 0, self.steps)
        high = np.clip(-((self.begin - ends) // self.step), low, self.steps)
        high = np.minimum(np.maximum(high, low + 1), self.steps)
        change = np.zeros(self.steps + 1, np.int64)
        np.add.at(change, low, 1)
        np.add.at(change, high, -1)
        return np.cumsum(change[:-1]) > 0

    def of(self, rows: TimedRows, span: tuple[int, int]) -> Flags:
        """Which steps the rows touch, service after service."""
        first, last = span
        ends = np.minimum(rows.until(last), last)
        inside = (rows.start < last) & (np.maximum(rows.until(last), rows.start + 1) > first)
        parts = []
        for service in self.services:
            mine = inside & (rows.place == service)
            parts.append(self.marked(np.maximum(rows.start[mine], first), ends[mine]))
        return np.concatenate(parts)


class Watching(NamedTuple):
    """What says which time was watched, as it was given."""

    span: Any
    watched: Any = None
    outages: Any = None
    early: Any = None
    series: Any = None
    at: Any = None
    """The score above which alerts are raised."""


def cases_of(
    incidents: Incidents, detectors: Sequence[tuple[str, Column]], given: Watching
) -> list[OnCallCase]:
    """Put the incidents beside the alerts of each detector, in watched time."""
    for name, alerts in detectors:
        if not isinstance(alerts, Alerts):
            raise InputError(
                f"scores must be Alerts where labels are Incidents, got {shown(alerts)}"
                + (f" for {name!r}" if len(detectors) > 1 else "")
            )
        check_alike("alerts" if len(detectors) == 1 else f"alerts of {name!r}", alerts, incidents)
    tables = [alerts for _, alerts in detectors]
    like = next((table for table in (incidents, *tables) if len(table)), incidents)
    zone = None if like.clock is None else like.clock.zone
    span = _span(given.span, like, zone)
    stretches = [
        read_stretches(values, like, name, **_zoned(zone))
        for name, values in (("watched", given.watched), ("outages", given.outages))
    ]
    early = 0 if given.early is None else _early(given.early, points=like.in_points)
    if not _by_service(given.series, incidents, tables):
        incidents, tables = incidents.without_services(), [t.without_services() for t in tables]
        services = [""]
    else:
        services = services_of(incidents, *tables, *stretches) or [""]
    watched = WatchedTime.over(span, services, *stretches)
    names = [name for name, _ in detectors]
    cases = [
        OnCallCase(name, incidents, alerts, watched, early)
        for name, alerts in zip(names, tables, strict=True)
    ]
    levels = given.at if isinstance(given.at, Mapping) else dict.fromkeys(names, given.at)
    if levels.keys() != set(names):
        raise InputError(f"at must have one for each of {', '.join(names)}, got {shown(given.at)}")
    return [case if levels[case.name] is None else case.above(levels[case.name]) for case in cases]


def _zoned(zone: str | None) -> dict[str, Any]:
    """How naive times beside times of a named zone are read."""
    return {"tz": zone} if zone is not None and zone[0] not in "+-" else {}


def _span(span: Any, like: Incidents | Alerts, zone: str | None) -> tuple[int, int]:
    if span is None:
        raise InputError(
            "span must be given with incidents: the pair (start, end) of the time that was "
            "watched; without it nobody can tell how much quiet time there was"
        )
    return read_span(span, like, **_zoned(zone))


def _early(early: Any, *, points: bool) -> int:
    if points and isinstance(early, int) and not isinstance(early, bool) and early >= 0:
        return early
    return duration(early, "early")


def _by_service(series: Any, incidents: Incidents, tables: Sequence[Alerts]) -> bool:
    """Whether alerts belong to incidents of their own service: by default where all have one."""
    every = all(t.service is not None or not len(t) for t in (incidents, *tables))
    if series is None:
        return every
    if series is False:
        return False
    if series is not True and series != "service":
        raise InputError(
            "series must be True (by service, the default where all tables have services) or False "
            f"(all as one) for incidents, got {shown(series)}"
        )
    if not every:
        raise InputError("series must be False where a table has no column service, got True")
    return True
