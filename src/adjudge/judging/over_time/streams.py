"""Streams: values of points, or of incidents and alerts, that are judged as they come.

Nothing that is over is kept, so memory does not grow with time; and however the points come, one by
one or in chunks of any size, the values are those of all of them at once, to the last bit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.adjust.adjustments import raw
from adjudge.adjust.policies import FiringStream
from adjudge.checks import front_door, whole
from adjudge.count.delays import Delays, FalseRuns, Resets, WatchedRuns
from adjudge.count.on_call import count_on_call
from adjudge.count.runs import Runs, RunsPerEvent
from adjudge.count.streams import Passing, Piece
from adjudge.count.tally import Passed, Tally
from adjudge.data.case import Case
from adjudge.data.clock import NANOSECONDS, Clock, duration, in_words
from adjudge.data.columns import binary, column
from adjudge.data.events import Events
from adjudge.data.incidents import OPEN, Alerts, Incidents, TimedRows
from adjudge.data.time_settings import in_points
from adjudge.data.watched import WatchedTime, check_alike, read_stretches
from adjudge.errors import InputError, UnknownName, shown
from adjudge.judging.preparation import read_metrics
from adjudge.measure.rates import FalseAlarmRate, FalseAlarms
from adjudge.measure.thresholds import Policy, Rule
from adjudge.metrics.metric import Metric  # noqa: TC001 - for the fields of what is planned
from adjudge.metrics.reader import catalogue
from adjudge.metrics.reader import metric as read_metric
from adjudge.tables.formats import html_of
from adjudge.tables.table import Layout, Table
from adjudge.tables.text import text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from adjudge._typing import Array, Column, Flags, Floats, Positions

_AT_ONCE = 4096  # points that are counted together: one by one each would cost as much as these
_OF_POINTS = ("f1", "f1_pa", "f1_kpa", "event_precision", "event_recall")
_OF_THINGS = ("event_recall", "event_precision", "detection_delay", "false_alarms")
_INSTEAD = "judge it afterwards with adjudge.evaluate, or in windows with adjudge.over_time"


class Plan(NamedTuple):
    """A metric, and the threshold or policy by which a stream flags; None: scores are flags."""

    metric: Metric
    at: float | Policy | None

    @property
    def key(self) -> tuple[Any, ...]:
        """What metrics have in common that are made of the same sums."""
        return self.at, self.metric.parts.adjust, self.metric.parts.counting


def planned(metric: Metric, at: Any, step: int | None) -> Plan:
    """Settle how a stream judges a metric, or refuse it and say why."""
    timed = in_points(dict(metric.settings), metric.row.lengths, _two_points(1))
    if timed and step is None:
        raise InputError(
            f"every must be given for {metric}, which has a duration: the step of the clock, as in "
            "every='1min'"
        )
    there = metric.on(_two_points(step))
    refuse = _refusal(there)
    if refuse:
        raise InputError(f"{metric} cannot be judged as points come: {refuse}")
    here = there if metric.at is not None or at is None else there.with_settings(at=at)
    if isinstance(here.at, Policy):
        return Plan(here, _policy(here.at, step))
    if here.at is not None and not isinstance(here.at, float):
        raise InputError(
            f"at must be a number or a policy of one in a stream, got {here.at}, which looks at "
            "all scores; learn the number on the past and give it"
        )
    return Plan(here, here.at)


def _policy(policy: Policy, step: int | None) -> Policy:
    """A policy with its lengths in points, where a stream can follow it."""
    if isinstance(policy.at, Rule) or policy.missing == "hold" or policy.pages_otherwise:
        raise InputError(
            "at must be a policy with a number, and of after, keep, k, of, clear and drop, in a "
            f"stream, got {policy}; cooldowns, groups and rules look farther"
        )
    lengths: dict[str, Any] = {}
    for name in ("after", "keep"):
        value = getattr(policy, name)
        if isinstance(value, str):
            if step is None:
                raise InputError(
                    f"every must be given for {policy}, which has a duration: the step of the "
                    "clock, as in every='1min'"
                )
            lengths[name] = -(-duration(value, name) // step)
    return replace(policy, **lengths)


def _refusal(metric: Metric) -> str:
    """Why a metric needs all points at once; "" where it does not."""
    counting, adjust, some = metric.parts.counting, metric.parts.adjust, _two_points(None)
    if metric.row.needs == "scores":
        return f"it judges all thresholds, so it needs all scores; {_INSTEAD}"
    if metric.oracle:
        return f"the best threshold is known at the end alone; give at=, or {_INSTEAD}"
    if metric.row.positions:
        return f"it judges positions, which may be matched long after they came; {_INSTEAD}"
    if adjust.resolved(some) is not adjust or _by_labels(metric):
        return (
            "its islands are as wide as all events make them; give the width, as in "
            f"{metric.name}(width=11)"
        )
    if counting is not None and counting.of_stream(Passed(), adjust) is None:
        counting = None
    if counting is None or adjust.marking(some) is None:
        return f"what an alarm earns may depend on points that are far from it; {_INSTEAD}"
    return ""


def _by_labels(metric: Metric) -> bool:
    """Whether its settings name a width that the labels decide."""
    width = dict(metric.parts.settings).get("width", 1)
    return width is None or width in {"iid", "median", "matched"}


def _two_points(step: int | None) -> Events:
    """Events of none on two points, with a clock that ticks so: what durations are read by."""
    none = np.zeros(0, np.int64)
    clock = None if step is None else Clock(np.array([0, step]))
    return Events(none, none, 2, clock=clock)


@dataclass
class _Chunk:
    """Points that wait to be counted."""

    place: Positions
    """When each was, or which point of its series."""
    labels: Flags
    judged: Flags
    border: Flags
    """Whether something ends before the point: nothing reaches across."""
    flags: Array
    """A line per threshold."""

    def __getitem__(self, part: slice) -> _Chunk:
        return _Chunk(*(getattr(self, f.name)[..., part] for f in fields(self)))

    def __len__(self) -> int:
        return len(self.place)


def _together(chunks: Sequence[_Chunk]) -> _Chunk:
    if len(chunks) == 1:
        return chunks[0]
    columns = ([getattr(one, f.name) for one in chunks] for f in fields(_Chunk))
    return _Chunk(*(np.concatenate(parts, axis=-1) for parts in columns))


class _Series:
    """The points of one series: those that wait, and the sums of those that are counted."""

    def __init__(self, plans: Sequence[Plan], levels: Sequence[float | Policy | None]) -> None:
        self.policies = {
            at: FiringStream(at, 0.0 if at.at is None else float(at.at))
            for at in levels
            if isinstance(at, Policy)
        }
        self._counted = {
            plan.key: (levels.index(plan.at), Passing(plan.metric.parts.adjust, counting))
            for plan in plans
            if (counting := plan.metric.parts.counting) is not None
        }
        self._waiting: list[_Chunk] = []
        self._marks: list[tuple[int, int, bool]] = []
        self._open: set[int] = set()
        self.last: int | None = None
        self.size = self.settled = self._fresh = 0
        self.until: int | None = None
        """Up to which place points are counted, the last one included."""

    @property
    def waiting(self) -> int:
        """How many points are not counted yet."""
        return self.size - self.settled

    def take(self, chunk: _Chunk) -> None:
        """Let points wait; what is known of their time beforehand is marked on them."""
        for start, end, label in self._marks:
            chunk.labels[(chunk.place >= start) & (chunk.place < end)] = label
        self.last = int(chunk.place[-1])
        self._marks = [mark for mark in self._marks if mark[1] > self.last]
        self.size += len(chunk)
        self._fresh += len(chunk)
        self._waiting.append(chunk)

    def mark(self, start: int, end: int, *, label: bool) -> bool:
        """Label a stretch of time afterwards; whether a part of it was counted already."""
        whole = _together(self._waiting) if self._waiting else None
        if whole is not None:
            self._waiting = [whole]
            if start in self._open:  # it was open until now
                whole.labels[whole.place >= end] = False
            whole.labels[(whole.place >= start) & (whole.place < end)] = label
        self._marks = [mark for mark in self._marks if mark[0] != start]
        self._open -= {start}
        if self.last is None or end > self.last:
            self._marks.append((start, end, label))
        self._open |= {start} if end == OPEN else set()
        return self.until is not None and start <= self.until

    def settle(self, until: int | None, *, now: bool = True) -> None:
        """Count the points up to a place (None: all), now or once enough have come."""
        if not self._waiting or (not now and self._fresh < _AT_ONCE):
            return
        whole, self._fresh = _together(self._waiting), 0
        stop = len(whole) if until is None else int(np.searchsorted(whole.place, until, "right"))
        rest = whole[stop:]
        self._waiting = [rest] if len(rest) else []
        if stop:
            self._count(whole[:stop])

    def _count(self, ready: _Chunk) -> None:
        self.until, self.settled = int(ready.place[-1]), self.settled + len(ready)
        starts = sorted({0, *np.flatnonzero(ready.border).tolist()})
        for first, stop in zip(starts, [*starts[1:], len(ready)], strict=True):
            part = ready[first:stop]
            for line, passing in self._counted.values():
                if part.border[0]:
                    passing.end()
                passing.take(Piece(part.labels, part.flags[line], part.judged))

    def passed(self, key: tuple[Any, ...]) -> Passed:
        """The sums so far of one way of counting."""
        return self._counted[key][1].so_far()


class _Points:
    """A stream of points."""

    noun = "points"

    def __init__(self, given: _Given) -> None:
        specs = given.metrics or [catalogue[name].metric for name in _OF_POINTS]
        step = None if given.every is None else duration(given.every, "every")
        self.plans = {str(metric): planned(metric, given.at, step) for metric in specs}
        self._levels = list(dict.fromkeys(plan.at for plan in self.plans.values()))
        self._given, self._step = given, step
        self._gap = None if given.gap is None else duration(given.gap, "gap")
        self._series: dict[Any, _Series] = {}
        self._timed: bool | None = None
        self._clock = Clock(np.zeros(0, np.int64))
        self.too_late = 0
        given.refuse(("since", "services", "watched", "early"), "points")

    def update(
        self, labels: Any, scores: Any, time: Any, series: Any, where: Any, outages: Any
    ) -> None:
        """Take points, one or several."""
        if outages is not None:
            raise InputError("outages must be left out with points; where=False says the same")
        one = np.ndim(scores) == 0 and not hasattr(scores, "__len__")
        if one:
            labels, scores, time, where = (
                None if x is None else [x] for x in (labels, scores, time, where)
            )
        if not one and not len(scores):
            return
        own = self._series.get(series) or _Series(list(self.plans.values()), self._levels)
        place = self._places(own, len(scores), time)
        border = self._borders(own, place)
        truth, flags, judged = self._read(own, labels, scores, where, border)
        self._series[series] = own
        own.take(_Chunk(place, truth, judged, border, flags))
        own.settle(self._until(own), now=False)

    def _read(
        self, own: _Series, labels: Any, scores: Any, where: Any, border: Flags
    ) -> tuple[Flags, Array, Flags]:
        count = len(border)
        if labels is None:
            if self._given.lateness is None:
                raise InputError(
                    "label must be 0 or 1, got None; where labels come later, say how much later "
                    "in lateness=, and mark them"
                )
            labels = np.zeros(count, bool)
        judged = np.ones(count, bool) if where is None else binary(where, "where")
        if len(judged) != count:
            raise InputError(f"where must be one bool per point, got {len(judged)} for {count}")
        if not judged.any():
            lines = np.zeros((len(self._levels), count), bool)
            given = np.asarray(column(scores, "scores"), np.float64) if own.policies else lines
            for at, stream in own.policies.items():  # which sees what nobody judges
                _fired(stream, at, given, border)
            return judged, lines, judged
        case = Case(labels, scores, where=None if judged.all() else judged)
        flags = [self._flagged(case, at, own, border) & judged for at in self._levels]
        return np.array(case.events.labels), np.stack(flags), judged

    def _flagged(self, case: Case, at: float | Policy | None, own: _Series, border: Flags) -> Flags:
        if isinstance(at, Policy):
            return _fired(own.policies[at], at, np.asarray(case.unmasked, np.float64), border)
        if at is not None:
            return case.flagged(at)
        if not case.is_flags:
            raise InputError(
                f"scores must be 0/1 flags where no threshold is given, got "
                f"{shown(case.score_range[1])}; say at=<threshold>"
            )
        return case.flags

    def _places(self, own: _Series, count: int, time: Any) -> Positions:
        timed = time is not None
        if self._timed is None:
            self._timed = timed
            self._check_units()
        if timed != self._timed:
            raise InputError(f"time must be given {'always' if self._timed else 'never'}")
        if not timed:
            return np.arange(own.size, own.size + count)
        clock = Clock.read(time, unit=self._given.unit)
        self._clock, place = Clock(clock.instants[-1:], clock.zone), clock.instants
        if len(place) != count:
            raise InputError(f"time must be one per point, got {len(place)} for {count} points")
        before = place[:-1] if own.last is None else np.append(own.last, place[:-1])
        wrong = np.flatnonzero(place[len(place) - len(before) :] <= before)
        if wrong.size:
            now, then = (clock.instant_text(int(p[wrong[0]])) for p in
                         (place[len(place) - len(before) :], before))  # fmt: skip
            raise InputError(f"time must increase in a series, got {now} after {then}")
        return place

    def _check_units(self) -> None:
        """Refuse lengths of time where points have none, and the other way round."""
        late = self._given.lateness
        if self._timed and late is not None:
            duration(late, "lateness")
        elif late is not None:
            whole(late, "lateness", 0)
        for name in ("every", "gap"):
            if getattr(self._given, name) is not None and not self._timed:
                raise InputError(f"{name} must be left out where points have no time")

    def _borders(self, own: _Series, place: Positions) -> Flags:
        """Where a gap lies before a point; steps that are neither a step nor a gap are refused."""
        before = np.append(place[0] if own.last is None else own.last, place[:-1])
        steps = place - before
        far = np.zeros(len(place), bool) if self._gap is None else steps > self._gap
        if self._step is not None:
            odd = (steps != self._step) & ~far
            odd[0] &= own.last is not None
            if odd.any():
                got = in_words(int(steps[odd][0]))
                raise InputError(
                    f"time must come in steps of {in_words(self._step)}, as every= says, got a "
                    f"step of {got} before {self._clock.instant_text(int(place[odd][0]))}; say "
                    "gap= for time without data"
                )
        return far

    def _until(self, own: _Series) -> int | None:
        """Up to which place points are old enough to be counted; None: all are."""
        if self._given.lateness is None or own.last is None:
            return None
        late = self._given.lateness
        return own.last - (duration(late, "lateness") if self._timed else int(late))

    def mark(self, start: Any, end: Any, label: Any, series: Any) -> None:
        """Label a stretch of time afterwards."""
        if self._given.lateness is None:
            raise InputError(
                "lateness must be given for labels that come later: how long points wait for them"
            )
        own = self._series.setdefault(series, _Series(list(self.plans.values()), self._levels))
        ends = [self._place(one, name) for one, name in ((start, "start"), (end, "end"))]
        if not ends[0] < ends[1]:
            raise InputError(f"end must be after start, got {shown(start)} to {shown(end)}")
        own.settle(self._until(own))  # what is old enough is counted as it stands
        self.too_late += own.mark(ends[0], ends[1], label=bool(binary([label], "label")[0]))

    def _place(self, moment: Any, name: str) -> int:
        if moment is None and name == "end":
            return OPEN
        if self._timed is None:
            self._timed = not isinstance(moment, (int, np.integer)) or self._given.unit is not None
        if not self._timed:
            return whole(moment, name, 0)
        return int(Clock.read([moment], name, self._given.unit).instants[0])

    def settle(self) -> None:
        """Count all that waits."""
        for own in self._series.values():
            own.settle(None)

    def values(self) -> dict[str, float]:
        """The value of each metric."""
        for own in self._series.values():
            own.settle(self._until(own))
        sums: dict[Any, Passed] = {}
        for plan in self.plans.values():
            if plan.key not in sums:
                parts = (own.passed(plan.key) for own in self._series.values())
                sums[plan.key] = sum(parts, start=Passed())
        return {name: _value(plan, sums[plan.key]) for name, plan in self.plans.items()}

    def counts(self) -> dict[str, Any]:
        """How many points were counted, and how many wait."""
        self.values()
        every = self._series.values()
        return {
            "points": sum(own.settled for own in every),
            "waiting": sum(own.waiting for own in every),
            "too_late": self.too_late,
        }


def _fired(stream: FiringStream, policy: Policy, scores: Floats, border: Flags) -> Flags:
    """Where a policy fires; it begins anew behind a border."""
    scores = np.where(np.isnan(scores), -np.inf if policy.missing == "off" else np.inf, scores)
    starts = sorted({0, *np.flatnonzero(border).tolist()})
    parts = []
    for first, stop in zip(starts, [*starts[1:], len(scores)], strict=True):
        if border[first]:
            stream.begin()
        parts.append(stream.take(scores[first:stop]))
    return np.concatenate(parts)


def _value(plan: Plan, passed: Passed) -> float:
    measure, adjust, counting = plan.metric.parts
    assert counting is not None  # noqa: S101 - what has none is refused
    return float(measure(counting.of_stream(passed, adjust)))


@dataclass
class _Totals:
    """Sums over incidents and alerts that are over."""

    found: int = 0
    judged: int = 0
    unwatched: int = 0
    right: int = 0
    counted: int = 0
    not_counted: int = 0
    team: int = 0
    quiet: int = 0
    late: int = 0
    delays: int = 0
    outlasted: int = 0
    resets: int = 0
    repeats: int = 0

    def __add__(self, other: _Totals) -> _Totals:
        return _Totals(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))


@dataclass(frozen=True)
class _Thing:
    """An incident or an alert as it was told."""

    start: int
    end: int
    service: str
    id: str | None


class _Things:
    """A stream of incidents and alerts."""

    noun = "incidents and alerts"

    def __init__(self, given: _Given) -> None:
        specs = given.metrics or [_thing_metric(name) for name in _OF_THINGS]
        self.plans = {str(metric): _planned_thing(metric) for metric in specs}
        given.refuse(("every", "gap"), "incidents and alerts")
        self._given = given
        self._like: TimedRows | None = None
        self._cut = self._now = self._told = 0
        self._held: dict[str, list[_Thing]] = {"incidents": [], "alerts": []}
        self._outages: list[TimedRows] = []
        self._totals, self.too_late = _Totals(), 0

    def _begin(self, like: TimedRows) -> None:
        """Read what was given when the stream was made, as the first tables are."""
        self._like, given = like, self._given
        self._points = like.in_points
        self._cut = self._now = self._told = self._instant(given.since, "since")
        self._lateness = self._length(given.lateness, "lateness")
        self._early = self._length(given.early, "early")
        self._watched = read_stretches(given.watched, like, "watched", **self._zone)

    @property
    def _zone(self) -> dict[str, Any]:
        zone = None if self._like is None or self._like.clock is None else self._like.clock.zone
        return {"tz": zone} if zone is not None and zone[0] not in "+-" else {}

    def _instant(self, moment: Any, name: str) -> int:
        rows = TimedRows([moment], unit=self._given.unit, **self._zone)
        assert self._like is not None  # noqa: S101 - it is set before anything is read
        check_alike(name, rows, self._like)
        return int(rows.start[0])

    def _length(self, length: Any, name: str) -> int:
        if length is None:
            return 0
        return whole(length, name, 0) if self._points else duration(length, name)

    def update(
        self, incidents: Any, alerts: Any, time: Any, series: Any, where: Any, outages: Any
    ) -> None:
        """Take incidents and alerts that were told up to a time."""
        tables = self._tables(incidents, alerts)
        if series is not None or where is not None:
            raise InputError("series and where must be left out with incidents and alerts")
        if time is None:
            raise InputError("time must be given with incidents and alerts: what time it is now")
        if self._like is None:
            self._begin(next((t for t in tables.values() if len(t)), TimedRows([time])))
        now = self._instant(time, "time")
        if now < self._now:
            raise InputError(f"time must not go back, got {shown(time)}")
        assert self._like is not None  # noqa: S101 - set above
        if outages is not None:
            rows = read_stretches(outages, self._like, "outages", **self._zone)
            self._outages += [] if rows is None else [rows]
        for name, table in tables.items():
            check_alike(name, table, self._like)
            self._take(name, table)
        self._now = now
        self._settle()

    def _tables(self, incidents: Any, alerts: Any) -> dict[str, TimedRows]:
        given = {"incidents": (incidents, Incidents), "alerts": (alerts, Alerts)}
        for name, (table, kind) in given.items():
            if table is not None and not isinstance(table, kind):
                raise InputError(f"{name} must be {kind.__name__} or None, got {shown(table)}")
        return {name: table for name, (table, _) in given.items() if table is not None}

    def _take(self, name: str, table: TimedRows) -> None:
        if name == "alerts" and self._given.at is not None:
            table = _above(table, self._given.at)
        services = self._services(table)
        ids = table.id if table.has_ids else [None] * len(table)
        rows = zip(table.start.tolist(), table.end.tolist(), services, ids, strict=True)
        for thing in (_Thing(*row) for row in rows):
            known = self._held[name]
            same = [t for t in known if thing.id is not None and _is_same(t, thing)]
            if not same and thing.start < self._cut:
                self.too_late += 1
                continue
            self._held[name] = [t for t in known if t not in same] + [thing]

    def _services(self, table: TimedRows) -> list[str]:
        named = self._given.services
        if named is None:
            if table.service is not None:
                raise InputError(
                    "services must be given where incidents and alerts have one: all of them, as "
                    "in services=['api', 'shop']; quiet time is counted for each from the start"
                )
            return [""] * len(table)
        unknown = [one for one in table.place if one not in named]
        if unknown:
            raise InputError(f"services must name all there are, got {unknown[0]!r} besides")
        return list(table.place)

    def _settle(self) -> None:
        """Count what lies before a moment that nothing held crosses, and let it go."""
        cut = self._safe_cut(self._until)
        if cut <= self._cut:
            return
        self._totals += self._counted(self._cut, cut)
        self._cut = cut
        self._held = {
            name: [t for t in things if t.start >= cut] for name, things in self._held.items()
        }
        self._outages = [o for o in self._outages if (o.until(OPEN) > cut).any()]

    def _safe_cut(self, until: int) -> int:
        """The last moment up to a time that lies in no incident, alert, or wait for one."""
        blocks = [(t.start, max(t.end, t.start + self._early + 1)) for t in self._held["alerts"]]
        pieces: dict[Any, tuple[int, int]] = {}
        for number, one in enumerate(self._held["incidents"]):
            key = number if one.id is None else (one.service, one.id)
            start, end = pieces.get(key, (one.start, one.end))
            pieces[key] = min(start, one.start), max(end, one.end)
        for start, end in sorted([*blocks, *pieces.values()], key=lambda b: b[1], reverse=True):
            until = start if start < until < end else until  # what ends earlier may still hold it
        return until

    def _counted(self, first: int, last: int) -> _Totals:
        """The sums of a stretch of time, with the things that are held."""
        if last <= first:
            return _Totals()
        services = self._given.services or [""]
        watched = WatchedTime.over((first, last), services, self._watched, self._outage_rows())
        found = count_on_call(
            Incidents(**_columns(self._held["incidents"])),
            Alerts(**_columns(self._held["alerts"])), watched, self._early,
        )  # fmt: skip
        rows, alerts = found.incidents, found.alerts
        mine = rows.start < last
        own = np.array([t.start < last for t in self._held["alerts"]], bool)
        late, after = rows.delay[~np.isnan(rows.delay)], rows.reset[~np.isnan(rows.reset)]
        masks = {
            "found": rows.found, "judged": rows.judged, "unwatched": ~rows.judged & mine,
            "right": alerts.right, "counted": alerts.counted, "not_counted": ~alerts.counted & own,
        }  # fmt: skip
        sums = {name: int(np.count_nonzero(mask)) for name, mask in masks.items()}
        times = {"late": int(late.sum()), "outlasted": int(after.sum())}
        many = {"delays": late.size, "resets": after.size, "team": watched.team.length}
        repeats = int(rows.alerts[rows.found].sum())
        return _Totals(**sums, **times, **many, quiet=found.quiet, repeats=repeats)

    def _outage_rows(self) -> TimedRows | None:
        if not self._outages:
            return None
        start = np.concatenate([rows.start for rows in self._outages])
        end = np.concatenate([rows.until(OPEN - 1) for rows in self._outages])
        place = np.concatenate(
            [rows.place if rows.service is not None else np.full(len(rows), "*", object)
             for rows in self._outages]
        )  # fmt: skip
        return TimedRows(start.tolist(), end.tolist(), service=place)

    def mark(self, start: Any, end: Any, label: Any, series: Any) -> None:
        """Refuse: incidents are told in update."""
        del start, end, label, series
        raise InputError("mark is for points; tell incidents in update(aj.Incidents(...), ...)")

    def settle(self) -> None:
        """Take that nothing more is told of the time up to now."""
        self._told = self._now
        self._settle()

    @property
    def _until(self) -> int:
        """Up to when everything was told."""
        return max(self._cut, self._told, self._now - self._lateness)

    def _sums(self) -> _Totals:
        if self._like is None:
            return _Totals()
        return self._totals + self._counted(self._cut, self._until)

    def values(self) -> dict[str, float]:
        """The value of each metric."""
        sums = self._sums()
        second = 1 if self._like is None or self._points else NANOSECONDS["s"]
        return {name: _of_totals(plan.metric, sums, second) for name, plan in self.plans.items()}

    def counts(self) -> dict[str, Any]:
        """What was found, missed and false."""
        sums = self._sums()
        waiting = sum(len(things) for things in self._held.values())
        return {
            "judged": sums.judged, "found": sums.found, "missed": sums.judged - sums.found,
            "unwatched": sums.unwatched, "alerts_right": sums.right,
            "alerts_false": sums.counted - sums.right, "alerts_not_counted": sums.not_counted,
            "waiting": waiting, "too_late": self.too_late,
        }  # fmt: skip


def _is_same(held: _Thing, told: _Thing) -> bool:
    """Whether a thing is told again, now that more is known of it."""
    return (held.id, held.service, held.start) == (told.id, told.service, told.start)


def _above(table: TimedRows, at: Any) -> TimedRows:
    if table.score is None:
        raise InputError("at must be left out where alerts have no score")
    return table.chosen(table.score > float(at))


def _columns(things: Sequence[_Thing]) -> dict[str, Any]:
    """The columns of a table of these things, on whole numbers."""
    ids = [f"told {number}" if t.id is None else f"id {t.id}" for number, t in enumerate(things)]
    return {
        "start": [t.start for t in things],
        "end": [None if t.end == OPEN else t.end for t in things],
        "service": [t.service for t in things],
        "id": ids,
    }


def _thing_metric(name: str) -> Metric:
    metric = catalogue[name].metric
    return metric.with_settings(per="1w") if name == "false_alarms" else metric


def _planned_thing(metric: Metric) -> Plan:
    """Refuse what cannot be told from sums over incidents and alerts."""
    _, adjust, counting = metric.parts
    kinds = (Runs, FalseRuns, WatchedRuns, Delays, Resets, RunsPerEvent)
    whole_list = getattr(counting, "average", "mean") == "median"
    if not metric.at_one_threshold or adjust is not raw or type(counting) not in kinds:
        raise InputError(
            f"{metric} cannot be judged as incidents and alerts come: it is no sum over them; "
            "event_f1, event_precision, event_recall, false_alarms, false_alarm_rate, "
            "alarms_per_event, detection_delay and reset_time are"
        )
    if whole_list:
        raise InputError(
            f"{metric} cannot be judged as incidents and alerts come: a median needs all of them; "
            f"{metric.name} has the mean, or {_INSTEAD}"
        )
    return Plan(metric, None)


def _of_totals(metric: Metric, sums: _Totals, second: int) -> float:
    """The value of a metric, of the sums over incidents and alerts."""
    measure, _, counting = metric.parts
    if isinstance(counting, (Runs, FalseRuns, WatchedRuns)):
        tally = Tally(sums.found, sums.judged, sums.right, sums.counted)
        if isinstance(measure, (FalseAlarms, FalseAlarmRate)):
            length = sums.team if isinstance(measure, FalseAlarms) else sums.quiet
            timed = isinstance(measure.per, str)
            per = duration(measure.per, "per") if timed else measure.per
            tally = tally._replace(normal=length)
            measure = replace(measure, per=float(per))
        return float(measure(tally))
    if isinstance(counting, RunsPerEvent):
        return float(measure(Tally(sums.repeats, sums.found, 0, 0)))
    total, many = (
        (sums.outlasted, sums.resets) if isinstance(counting, Resets) else (sums.late, sums.delays)
    )
    return float(measure(Tally(total / second, many, 0, 0)))


@dataclass(frozen=True)
class _Given:
    """What a stream was made with."""

    metrics: list[Metric]
    at: Any
    lateness: Any
    every: Any
    gap: Any
    since: Any
    services: Sequence[str] | None
    watched: Any
    early: Any
    unit: str | None

    def refuse(self, names: Iterable[str], noun: str) -> None:
        """Refuse what has no meaning for what came."""
        for name in names:
            value = getattr(self, name)
            if value is not None:
                raise InputError(f"{name} must be left out with {noun}, got {shown(value)}")


@front_door("Stream")
@dataclass(eq=False, repr=False)
class Stream:
    """Judge points, or incidents and alerts, as they come, in memory that does not grow.

    At any time the values are those of `adjudge.evaluate` on all that has come, to the last bit,
    in whatever chunks it came.

    Parameters
    ----------
    metrics : spec, Metric, or several of them
        Metrics at a threshold that can be counted as points come; the others are refused, with the
        reason. An island's width must be given: ``f1_ba(width=11)``. Default: F1, point-adjusted
        F1 and K%-adjusted F1, event precision and recall; of incidents and alerts event recall and
        precision, the mean delay, and false alarms a week.
    at : number or policy, optional
        The threshold; none where scores are 0/1 flags. A policy has a number inside, and of its
        settings those that look back so far and no farther: ``policy(0.8, after=5, keep=10)``.
    lateness : int or duration, optional
        How long labels may come after their points (`mark`): points wait so long before they are
        counted, and memory grows with it. Of incidents and alerts: how long after its start a
        thing may be told. Default: nothing comes late.
    every, gap : duration, optional
        The step of the clock, which settings that are durations need; and from which step on there
        is a gap in the data: nothing reaches across it, as between two series.
    since : time, optional
        With incidents and alerts: when watching began.
    services : sequence of str, optional
        With incidents and alerts that have a service: all services there are.
    watched : table or pairs of times, optional
        With incidents and alerts: the time in which somebody watches. Outages are told in `update`.
    early : duration, optional
        With incidents and alerts: how long before an incident an alert may start and still find it.
    unit : str, optional
        The unit of times that are numbers since 1970: "s", "ms" ...

    Raises
    ------
    InputError
        If a metric cannot be judged so, or what comes does not fit together.

    Examples
    --------
    >>> stream = Stream(["f1", "f1_ba(width=3)"], at=0.5)
    >>> for label, score in [(0, 0.1), (1, 0.2), (1, 0.9), (0, 0.8), (0, 0.3)]:
    ...     stream.update(label, score)
    >>> stream["f1"]
    0.5
    >>> stream.update([0, 1], [0.1, 0.7])
    >>> stream.values
    {'f1': 0.6666666666666666, 'f1_ba(width=3)': 0.75}
    """

    metrics: Any = None
    at: Any = None
    lateness: Any = field(default=None, kw_only=True)
    every: Any = field(default=None, kw_only=True)
    gap: Any = field(default=None, kw_only=True)
    since: Any = field(default=None, kw_only=True)
    services: Any = field(default=None, kw_only=True)
    watched: Any = field(default=None, kw_only=True)
    early: Any = field(default=None, kw_only=True)
    unit: str | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        """Read the metrics; whether points or things come, the first of them says."""
        requested, every = read_metrics(self.metrics)
        if every:
            raise InputError("metrics must be named one by one in a stream, got 'all'")
        given = _Given(
            requested, self.at, self.lateness, self.every, self.gap, self.since, self.services,
            self.watched, self.early, self.unit,
        )  # fmt: skip
        self._of = _Points(given) if self.since is None else _Things(given)

    def update(
        self,
        label: Column,
        score: Column,
        time: Any = None,
        *,
        series: Any = None,
        where: Any = None,
        outages: Any = None,
    ) -> None:
        """Take what comes next.

        Parameters
        ----------
        label : 0, 1, None, a column of them, or Incidents
            The truth of the point, or of several; None: it is not known yet, and normal unless it
            is marked in time.
        score : number, column, or Alerts
            What the detector says.
        time : time, or column of times, optional
            When each point was. With incidents and alerts: what time it is now.
        series : optional
            The series that the points belong to. Series may come in any order.
        where : bool or column of bool, optional
            Which points are judged.
        outages : table or pairs of times, optional
            With incidents and alerts: when nobody watched.
        """
        if isinstance(self._of, _Points) and isinstance(score, Alerts | Incidents):
            raise InputError("since must be given with incidents and alerts: when watching began")
        self._of.update(label, score, time, series, where, outages)

    def mark(self, start: Any, end: Any = None, label: Any = 1, *, series: Any = None) -> None:
        """Label the points of a stretch of time afterwards, or beforehand.

        Parameters
        ----------
        start, end : time, or number of a point
            From when up to when, the end left out; None: it is still going on, and marking it again
            with its end closes it.
        label : 0 or 1
            What its points are.
        series : optional
            The series.
        """
        self._of.mark(start, end, label, series)

    def settle(self) -> None:
        """Count all that waits for labels: none will come any more."""
        self._of.settle()

    @property
    def values(self) -> dict[str, float]:
        """The value of each metric, by its spec; of all that is old enough to be counted."""
        return self._of.values()

    @property
    def counts(self) -> dict[str, Any]:
        """How much was counted, how much waits for labels, and how often a label was too late."""
        return self._of.counts()

    def __getitem__(self, spec: str | Metric) -> float:
        """The value of one metric."""
        values = self.values
        name = str(read_metric(spec))
        if name not in values:
            raise UnknownName("metric", name, list(values))
        return values[name]

    def to_dict(self) -> dict[str, Any]:
        """Values and counts as plain values; undefined is NaN."""
        return {"values": self.values, "counts": self.counts}

    def _layout(self) -> Layout:
        rows = [
            [name, "undefined" if math.isnan(value) else f"{value:.4f}"]
            for name, value in self.values.items()
        ]
        counts = (f"{number:,} {name.replace('_', ' ')}" for name, number in self.counts.items())
        return Layout((Table.of(["metric", "value"], rows),), (", ".join(counts),))

    def __str__(self) -> str:
        """Print the values, and what they rest on."""
        return text_of(self._layout())

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """Show the same in a notebook."""
        return html_of(self._layout())
