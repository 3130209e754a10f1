"""Windows of incidents and alerts: borders are moved to the ends of incidents they would cut."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.count.ledger import NORMAL
from adjudge.data.clock import NANOSECONDS, Clock
from adjudge.judging.doors.evaluate import evaluate
from adjudge.judging.over_time.newest_window import Blocks, Change, cannot_say, refuse_growing
from adjudge.judging.over_time.window import (
    Window,
    WindowRow,
    WindowSettings,
    moment_text,
    window_row,
)
from adjudge.metrics.on_alerts import resolved

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge._typing import Positions
    from adjudge.judging.inputs.on_call import OnCall
    from adjudge.judging.judgement import Judgement


class WindowsOfAlerts:
    """Windows of incidents and alerts."""

    def __init__(
        self, data: OnCall, whole: Judgement, asked: Sequence[Any], how: WindowSettings
    ) -> None:
        self._whole, self._asked, self._how, self._data = whole, asked, how, data
        first = whole.things[0]
        self._clock = first.incidents.clock or first.alerts.clock
        self._span = first.watched.span
        zone = None if first.incidents.in_points else _zone(self._clock)
        self.windows = self._moved(how.windows(*self._span, zone))

    def _moved(self, windows: list[Window]) -> list[Window]:
        """The windows within the span, with borders moved to the ends of incidents they cut."""
        first, last = self._span
        rows = self._whole.things[0].count.incidents
        found = []
        for window in windows:
            start, end = (max(first, min(last, edge)) for edge in window[:2])
            if not self._how.growing:
                start, end = (_outside(edge, rows.start, rows.end) for edge in (start, end))
            if min(end, last) > start:
                found.append(Window(start, min(end, last), window.complete))
        return list(dict.fromkeys(found))

    def judged(self, window: Window) -> list[tuple[Judgement, Window]]:
        """Judge all detectors in a window."""
        settled = {row.asked: row.judged_by or row.asked for row in self._whole.rows}
        asked = self._asked if self._how.growing else list(settled.values())
        span = tuple(self._said(edge) for edge in window[:2])
        data = replace(self._data, span=span)
        return [(evaluate(data, asked, self._how.at, **self._how.options), window)]

    def _said(self, instant: int) -> Any:
        """An instant as a span takes it."""
        if self._whole.things[0].incidents.in_points:
            return instant
        assert self._clock is not None  # noqa: S101 - what is not in points has one
        moment = np.datetime64(instant, "ns")
        if self._clock.zone is None:
            return moment
        micro = -(-instant // NANOSECONDS["us"])  # not before the end of an incident
        return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=micro)

    def rows(self, judged: Judgement, window: Window) -> list[WindowRow]:
        """The rows of all detectors in one window."""
        ends = (
            (str(window.start), str(window.end))
            if self._clock is None
            else (moment_text(window.start, self._clock), moment_text(window.end, self._clock))
        )
        events = {case.name: case.answer.judged for case in judged.things}
        names = [row.asked for row in self._whole.rows]
        return [
            window_row(row, name, ends, window, events[row.detector], None)
            for row, name in zip(judged.rows, names, strict=True)
        ]

    def change(self, detector: str, asked: str, than: Any) -> Change:
        """Compare the newest window with the time before it."""
        refuse_growing(self._how)
        case = next(case for case in self._whole.things if case.name == detector)
        row = next(row for row in self._whole.of(detector) if row.asked == asked)
        assert row.judged_by is not None  # noqa: S101 - whatever was just judged has it
        timed = not case.incidents.in_points
        blocks = Blocks.over(self.windows, than, self._span[0], timed=timed)
        metric = row.judged_by
        if resolved(metric, case) is None or not metric.resamples:
            return cannot_say(detector, asked, "it is no sum over incidents and alerts")
        edges, watched = np.array(blocks.edges), case.watched
        parts = [part for part in watched.parts.values() if part.length]
        own = [np.pad(part.before(edges), 1) for part in parts]
        sums = metric.ledger(case).blocks(own)[1:-1]
        sums[:, NORMAL] = np.diff(watched.team.before(edges))
        return blocks.change(detector, asked, metric, sums, metric.parts.measure)


def _zone(clock: Clock | None) -> tzinfo:
    return UTC if clock is None else clock.tzinfo


def _outside(edge: int, starts: Positions, ends: Positions) -> int:
    """The edge, or the end of the incidents that it would cut."""
    while np.any(cut := (starts < edge) & (edge < ends)):
        edge = int(ends[cut].max())
    return edge
