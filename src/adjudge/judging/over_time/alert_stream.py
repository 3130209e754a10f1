"""Streams of incidents and alerts: they are counted once nothing more can be told of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.adjust.adjustments import raw
from adjudge.checks import items, whole
from adjudge.data.durations import duration
from adjudge.data.incidents import OPEN, Alerts, Incidents, TimedRows
from adjudge.data.watched import EVERY, WatchedTime, check_alike, read_stretches
from adjudge.errors import InputError, shown
from adjudge.judging.on_call.case import OnCallCase, numbers_of
from adjudge.judging.over_time.told import ToldStretches
from adjudge.measure.thresholds.contract import Rule
from adjudge.metrics.reader import catalogue
from adjudge.metrics.spec import threshold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge._typing import Floats, Positions
    from adjudge.metrics.metric import Metric

_AT_ONCE = 64  # rows and updates that are counted together, at least
_DEFAULT = ("event_recall", "event_precision", "detection_delay", "false_alarms")
_TOLD = (
    "judged", "found", "missed", "unwatched", "alerts_right", "alerts_false", "alerts_unwatched"
)  # fmt: skip


class _ToldRow(NamedTuple):
    """An incident or an alert as it was told."""

    start: int
    end: int
    service: str
    id: str | None


_Held = dict[tuple[str, str | int], dict[int, int]]
"""Start and end of what was told, by service and id; what has no id, or is over, has a number."""


class AlertSettings(NamedTuple):
    """What a stream of incidents and alerts is told beforehand; see `adjudge.Stream`."""

    at: Any
    lateness: Any
    since: Any
    services: str | Sequence[str] | None
    watched: Any
    early: Any
    unit: str | None


class _Times:
    """How times are read, as those of the first tables; and those that were told beforehand."""

    def __init__(self, given: AlertSettings, like: TimedRows) -> None:
        self._like, self._unit = like.chosen(slice(0, 1)), given.unit
        zone = None if like.clock is None else like.clock.zone
        named = zone is not None and zone[0] not in "+-"
        self._zone: dict[str, Any] = {"tz": zone} if named else {}
        self.is_in_points = like.is_in_points
        self.since = self.instant(given.since, "since")
        self.lateness = self._length(given.lateness, "lateness")
        self.early = self._length(given.early, "early")
        self.watched = self.stretches(given.watched, "watched")

    def check(self, name: str, table: TimedRows) -> None:
        """Refuse a table whose times are of another kind."""
        check_alike(name, table, self._like)

    def instant(self, moment: Any, name: str) -> int:
        """A moment as an instant, or as the number of a point."""
        rows = TimedRows([moment], unit=self._unit, **self._zone)
        self.check(name, rows)
        return int(rows.start[0])

    def stretches(self, values: Any, name: str) -> TimedRows | None:
        """A table of stretches of time."""
        return read_stretches(values, self._like, name, **self._zone)

    def text(self, instant: int) -> str:
        """Say when an instant is."""
        return self._like.instant_text(instant)

    def _length(self, length: Any, name: str) -> int:
        if length is None:
            return 0
        return whole(length, name, 0) if self.is_in_points else duration(length, name)


class StreamOfAlerts:
    """Incidents and alerts that are counted once they are over."""

    def __init__(self, metrics: list[Metric], given: AlertSettings) -> None:
        specs = metrics or [_default_metric(name) for name in _DEFAULT]
        self._metrics = {str(metric): metric for metric in specs}
        for metric in specs:
            _refuse(metric)
        level = None if given.at is None else threshold(given.at)
        if isinstance(level, Rule):
            raise InputError(f"at must be a number with incidents and alerts, got {level}")
        self._given, self._level = given, level
        named = "" if given.services is None else given.services
        named = [named] if isinstance(named, str) else items(named, "services", "names")
        self._services = list(map(str, named))
        self._times: _Times | None = None
        self._cut = self._now = self._told = self._due = self._number = 0
        self._held: dict[str, _Held] = {"incidents": {}, "alerts": {}}
        self._outages = ToldStretches()
        self._sums, self._counts = self._counted(0, 0)
        self.too_late = 0

    def update(
        self, incidents: Any, alerts: Any, time: Any, series: Any, where: Any, outages: Any
    ) -> None:
        """Take incidents and alerts that were told up to a time, or refuse and change nothing."""
        tables = _tables(incidents, alerts)
        if series is not None or where is not None:
            raise InputError("series and where must be left out with incidents and alerts")
        if time is None:
            raise InputError("time must be given with incidents and alerts: the current time")
        times = self._times or self._read_first(tables, time)
        now, last = times.instant(time, "time"), times.since if self._times is None else self._now
        if now < last:
            raise InputError(f"time must not go back, got {shown(time)} after {times.text(last)}")
        told = {name: self._rows(times, name, table) for name, table in tables.items()}
        gone = self._rows(times, "outages", times.stretches(outages, "outages"))
        if self._times is None:  # from here on nothing is refused
            self._times, self._cut, self._now, self._told = times, last, last, last
        begin = self._until if self._until > times.since else -OPEN
        for name, rows in told.items():
            self._take(self._held[name], rows, begin)
        for row in gone:
            self.too_late += self._outages.tell(row.start, row.end, row.service, begin)
        self._now = now
        self._due -= 1 + sum(map(len, told.values()))
        if self._due < 0:
            self._settle()

    def _read_first(self, tables: dict[str, TimedRows], time: Any) -> _Times:
        """Read what was given beforehand as the first tables are."""
        like = next((table for table in tables.values() if len(table)), None)
        times = _Times(self._given, like or TimedRows([time], unit=self._given.unit))
        self._rows(times, "watched", times.watched)
        for metric in self._metrics.values():
            if not times.is_in_points and not isinstance(
                getattr(metric.parts.measure, "per", ""), str
            ):
                raise InputError(
                    f"per must be a duration when times are known, got {metric}; write "
                    f"{metric.name}(per='1w')"
                )
        return times

    def _rows(self, times: _Times, name: str, table: TimedRows | None) -> list[_ToldRow]:
        """The rows of a table, each with a service that is known."""
        if table is None:
            return []
        times.check(name, table)
        if name == "alerts" and self._level is not None:
            table = _above(table, self._level)
        every = [] if name in self._held else [EVERY]  # what has no service is of all of them
        if table.service is not None and self._given.services is None:
            raise InputError(
                f"services must be given if {name} have them: all, as in services=['api', "
                "'shop'], since quiet time counts for each from the start"
            )
        places = (every or [""]) * len(table) if table.service is None else list(table.service)
        named = {*self._services, *every}
        unknown = [one for one in places if one not in named]
        if unknown:
            raise InputError(f"services must list all services, got {unknown[0]!r} too")
        starts, ids = table.start.tolist(), table.id if table.has_ids else [None] * len(table)
        if name == "alerts" and table.has_ids:  # each start is one of its own, and no piece
            ids = [f"{one} {start}" for one, start in zip(ids, starts, strict=True)]
        return list(map(_ToldRow, starts, table.end.tolist(), places, ids))

    def _take(self, held: _Held, rows: Sequence[_ToldRow], until: int) -> None:
        """Hold rows; of those that are over nothing can be told any more."""
        for start, end, service, name in rows:
            key: tuple[str, str | int] = (service, self._new() if name is None else name)
            known = held.get(key, {})
            if start < until and known.get(start, until) <= until:
                self.too_late += 1
                continue
            if known and all(s < until and e <= until for s, e in reversed(known.items())):
                held[service, self._new()] = held.pop(key)  # the same id again is another one
            held.setdefault(key, {})[start] = end

    def _new(self) -> int:
        self._number += 1
        return self._number

    def _settle(self) -> None:
        """Count what lies before a moment that nothing held crosses, and let it go."""
        cut = self._safe_cut(self._until)
        if cut > self._cut:
            sums, counts = self._counted(self._cut, cut)
            self._sums, self._counts = self._sums + sums, self._counts + counts
            self._cut = cut
            self._held = {name: _since(cut, held) for name, held in self._held.items()}
            self._outages.forget(cut)
        self._due = max(_AT_ONCE, self._waiting)

    @property
    def _waiting(self) -> int:
        return sum(len(rows) for held in self._held.values() for rows in held.values())

    def _safe_cut(self, until: int) -> int:
        """The last moment up to a time that lies in no incident, alert, or wait for one."""
        assert self._times is not None  # noqa: S101 - its callers have looked
        wait = self._times.early + 1
        blocks = [(min(rows), max(rows.values())) for rows in self._held["incidents"].values()]
        alerts = (row for rows in self._held["alerts"].values() for row in rows.items())
        blocks += [(start, max(end, start + wait)) for start, end in alerts]
        for start, end in sorted(blocks, key=lambda block: block[1], reverse=True):
            until = start if start < until < end else until  # what ends earlier may still hold it
        return until

    def _counted(self, first: int, last: int) -> tuple[Floats, Positions]:
        """What a stretch of time adds to the sums of each metric, and to the counts."""
        none = np.zeros((len(self._metrics), 5)), np.zeros(len(_TOLD), np.int64)
        if last <= first:
            return none
        assert self._times is not None  # noqa: S101 - time has gone by
        unit = None if self._times.is_in_points else "ns"
        incidents = Incidents(**_columns(self._held["incidents"]), unit=unit)
        alerts = Alerts(**_columns(self._held["alerts"]), unit=unit)
        outages = self._outages.all
        gone = TimedRows(
            [one.start for one in outages], [min(one.end, OPEN - 1) for one in outages],
            service=[one.what for one in outages],
        )  # fmt: skip
        watched = WatchedTime.over((first, last), self._services, self._times.watched, gone)
        case = OnCallCase("stream", incidents, alerts, watched, self._times.early)
        sums = [metric.sums(case.outcome)[0] for metric in self._metrics.values()]
        begun = case.count.incidents.start < last, alerts.start < last
        answer = numbers_of(case, *begun, 0)
        return np.array(sums), np.array([answer[name] for name in _TOLD])

    def mark(self, start: Any, end: Any, label: Any, series: Any) -> None:
        """Refuse: incidents are told in update."""
        del start, end, label, series
        raise InputError("mark is for points; tell incidents in update(aj.Incidents(...), ...)")

    def settle(self) -> None:
        """Take that nothing more is told of the time up to now."""
        self._told = self._now

    @property
    def _until(self) -> int:
        """Up to when everything was told."""
        assert self._times is not None  # noqa: S101 - its callers have looked
        return max(self._told, self._now - self._times.lateness)

    def _so_far(self) -> tuple[Floats, Positions]:
        """The sums of each metric, and the counts, of all that is old enough."""
        if self._times is None:
            return self._sums, self._counts
        self._settle()
        sums, counts = self._counted(self._cut, self._until)
        return self._sums + sums, self._counts + counts

    def values(self) -> dict[str, float]:
        """The value of each metric."""
        sums, _ = self._so_far()
        pairs = zip(self._metrics.items(), sums, strict=True)
        return {name: float(metric.value(own)) for (name, metric), own in pairs}

    def counts(self) -> dict[str, Any]:
        """What was found, missed and false."""
        counts = dict(zip(_TOLD, self._so_far()[1].tolist(), strict=True))
        return counts | {"waiting": self._waiting, "too_late": self.too_late}


def _tables(incidents: Any, alerts: Any) -> dict[str, TimedRows]:
    given = {"incidents": (incidents, Incidents), "alerts": (alerts, Alerts)}
    for name, (table, kind) in given.items():
        if table is not None:
            kind.check(table, name, " or None")
    return {name: table for name, (table, _) in given.items() if table is not None}


def _since(cut: int, held: _Held) -> _Held:
    """What begins at a moment or later; nothing that began before crosses it."""
    kept = {key: {s: e for s, e in rows.items() if s >= cut} for key, rows in held.items()}
    return {key: rows for key, rows in kept.items() if rows}


def _above(table: TimedRows, level: float) -> TimedRows:
    if table.score is None:
        raise InputError("at must be left out for alerts without scores")
    return table.chosen(table.score > level)


def _columns(held: _Held) -> dict[str, Any]:
    """The columns of a table of what is held, on whole numbers."""
    rows = [(*row, *key) for key, rows in held.items() for row in rows.items()]
    return {
        "start": [start for start, *_ in rows],
        "end": [None if end == OPEN else end for _, end, *_ in rows],
        "service": [service for *_, service, _ in rows],
        "id": [f"id {name}" if isinstance(name, str) else f"told {name}" for *_, name in rows],
    }


def _default_metric(name: str) -> Metric:
    metric = catalogue[name].metric
    return metric.with_settings(per="1w") if name == "false_alarms" else metric


def _refuse(metric: Metric) -> None:
    """Refuse what is no sum over incidents and alerts that can be told from times alone."""
    _, adjust, counting = metric.parts
    if metric.at is not None:
        raise InputError(f"{metric} must be given without a threshold; use at= for all alerts")
    adds_up = counting is not None and counting.knows_time(adjust) and not counting.charges
    if not metric.at_one_threshold or adjust != raw or not adds_up:
        raise InputError(
            f"{metric} cannot be judged in a stream: it is not a sum over incidents and "
            "alerts; event_f1, event_precision, event_recall, false_alarms, false_alarm_rate, "
            "alarms_per_event, detection_delay and reset_time are"
        )
    if not metric.resamples:
        raise InputError(
            f"{metric} cannot be judged in a stream: a median needs all of them; {metric.name} "
            "has the mean, or use adjudge.evaluate afterwards"
        )
