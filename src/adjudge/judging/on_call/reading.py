"""Arguments read: incidents and alerts in watched time, and the same on a grid of points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.checks import is_whole
from adjudge.data.clock import Clock, duration
from adjudge.data.events import Events
from adjudge.data.incidents import Alerts, services_of
from adjudge.data.interval_reading import MAX_STEPS
from adjudge.data.intervals import repeat
from adjudge.data.watched import WatchedTime, check_alike, read_span, read_stretches
from adjudge.errors import InputError, shown
from adjudge.judging.on_call.case import OnCallCase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge._typing import Column, Flags, Positions
    from adjudge.data.incidents import Incidents, TimedRows


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
    series = repeat(np.array(services, object), count)
    truth = Events.from_labels(labels, series=series, where=watched)
    if first.incidents.clock is not None:
        clock = Clock(np.tile(begin + step * np.arange(count, dtype=np.int64), len(services)),
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
