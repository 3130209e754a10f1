"""Streams of incidents and alerts: they are counted once nothing more can be told of them."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.adjust.adjustments import raw
from adjudge.checks import whole
from adjudge.count.delays import Delays, FalseRuns, Resets, WatchedRuns
from adjudge.count.on_call import count_on_call
from adjudge.count.runs import Runs, RunsPerEvent
from adjudge.count.tally import Tally
from adjudge.data.clock import NANOSECONDS, duration
from adjudge.data.incidents import OPEN, Alerts, Incidents, TimedRows
from adjudge.data.watched import WatchedTime, check_alike, read_stretches
from adjudge.errors import InputError, shown
from adjudge.measure.rates import FalseAlarmRate, FalseAlarms
from adjudge.metrics.reader import catalogue

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge.metrics.metric import Metric

_DEFAULT = ("event_recall", "event_precision", "detection_delay", "false_alarms")


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
class _Row:
    """An incident or an alert as it was told."""

    start: int
    end: int
    service: str
    id: str | None


class AlertSettings(NamedTuple):
    """What a stream of incidents and alerts is told beforehand; see `adjudge.Stream`."""

    at: Any
    lateness: Any
    since: Any
    services: Sequence[str] | None
    watched: Any
    early: Any
    unit: str | None


class StreamOfAlerts:
    """Incidents and alerts that are counted once they are over."""

    def __init__(self, metrics: list[Metric], given: AlertSettings) -> None:
        specs = metrics or [_default_metric(name) for name in _DEFAULT]
        self._metrics = {str(metric): metric for metric in specs}
        for metric in specs:
            _refuse(metric)
        self._given = given
        self._like: TimedRows | None = None
        self._cut = self._now = self._told = 0
        self._held: dict[str, list[_Row]] = {"incidents": [], "alerts": []}
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
        for one in (_Row(*row) for row in rows):
            known = self._held[name]
            same = [row for row in known if one.id is not None and _is_same(row, one)]
            if not same and one.start < self._cut:
                self.too_late += 1
                continue
            self._held[name] = [row for row in known if row not in same] + [one]

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
        """The sums of a stretch of time, with the rows that are held."""
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
        return {name: _of_totals(metric, sums, second) for name, metric in self._metrics.items()}

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


def _is_same(held: _Row, told: _Row) -> bool:
    """Whether a row is told again, now that more is known of it."""
    return (held.id, held.service, held.start) == (told.id, told.service, told.start)


def _above(table: TimedRows, at: Any) -> TimedRows:
    if table.score is None:
        raise InputError("at must be left out where alerts have no score")
    return table.chosen(table.score > float(at))


def _columns(rows: Sequence[_Row]) -> dict[str, Any]:
    """The columns of a table of these rows, on whole numbers."""
    ids = [f"told {number}" if t.id is None else f"id {t.id}" for number, t in enumerate(rows)]
    return {
        "start": [t.start for t in rows],
        "end": [None if t.end == OPEN else t.end for t in rows],
        "service": [t.service for t in rows],
        "id": ids,
    }


def _default_metric(name: str) -> Metric:
    metric = catalogue[name].metric
    return metric.with_settings(per="1w") if name == "false_alarms" else metric


def _refuse(metric: Metric) -> None:
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
            f"{metric.name} has the mean, or judge it afterwards with adjudge.evaluate"
        )


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
