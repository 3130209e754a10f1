"""Windows of points: no border lies inside an event, so that none is counted twice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.data.case import Case
from adjudge.data.clock import Clock
from adjudge.data.events import Events
from adjudge.errors import InputError
from adjudge.judging.doors.evaluate import evaluate
from adjudge.judging.inputs.points import Points
from adjudge.judging.over_time.newest_window import Blocks, Change, cannot_say, refuse_growing
from adjudge.judging.over_time.window import (
    Window,
    WindowRow,
    WindowSettings,
    moment_text,
    window_row,
)
from adjudge.measure.thresholds import Policy, Rule
from adjudge.metrics.spec import threshold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge._typing import Floats, Positions
    from adjudge.judging.judgement import Judgement
    from adjudge.judging.result_columns import Finding
    from adjudge.metrics.metric import Metric


class WindowsOfPoints:
    """Windows of points."""

    def __init__(
        self, data: Points, whole: Judgement, asked: Sequence[Any], how: WindowSettings
    ) -> None:
        if data.cases[0].events.changes is not None:
            raise InputError(
                "labels must be points or incidents over time, got changes; judge them with "
                "adjudge.evaluate"
            )
        if data.runs:
            raise InputError(
                "scores must be one column per detector over time, got several runs of one"
            )
        self._whole, self._asked, self._how = whole, asked, how
        clocks = {id(case.events.clock): case.events.clock for case in whole.cases}
        self._clock = next(iter(clocks.values()))
        first = whole.cases[0].events
        if self._clock is None:
            begin, last = 0, int(np.diff(first.series_bounds).max())
        else:
            instants = self._clock.instants
            begin, last = int(instants.min()), int(instants.max()) + _tick(first)
        self._begin = begin
        zone = None if self._clock is None else self._clock.tzinfo
        self.windows = how.windows(begin, last, zone)

    def _range(self, case: Case, start: int, end: int, *, whole: bool = True) -> list[Any]:
        """The points of each series in a window, with its borders moved out of events."""
        events, found = case.events, []
        for first, stop in zip(events.series_bounds, events.series_bounds[1:], strict=False):
            places = (
                np.arange(stop - first)
                if events.clock is None
                else events.clock.instants[first:stop]
            )
            edges = np.searchsorted(places, [start, end]) + first
            if whole:
                number = np.searchsorted(events.stops, edges, side="right")
                inside = np.append(events.starts, events.n + 1)[number] < edges
                edges = np.where(inside, np.append(events.stops, 0)[number], edges)
            found.append((int(edges[0]), int(max(edges))))
        return found

    def judged(self, window: Window) -> list[tuple[Judgement, Window]]:
        """Judge each detector in a window."""
        found = []
        for case in self._whole.cases:
            how = not self._how.growing
            part = _part(case, self._range(case, window.start, window.end, whole=how))
            if part is None:
                continue
            asked = self._settled(case.name) if how else self._asked
            at = None if how else self._so_far(case.name)
            data = Points(part.events, {case.name: part.unmasked})
            judgement = evaluate(data, asked, at, **self._how.options)
            found.append((judgement, window))
        return found

    def _so_far(self, detector: str) -> Any:
        """The threshold of a growing window; a policy has made its alerts of the scores already."""
        at = self._how.at
        at = at[detector] if isinstance(at, Mapping) else at
        at = None if at is None else threshold(at)
        if not isinstance(at, Policy):
            return at
        if isinstance(at.at, Rule) or at.in_hindsight:
            raise InputError(
                f"at must not look ahead in growing windows, got {at}; give its threshold as a "
                "number, without merge and shortest"
            )
        return next(row.at for row in self._whole.of(detector))

    def _settled(self, detector: str) -> list[Metric]:
        """The metrics of a detector as all labels and scores settle them."""
        return [_settled(row) for row in self._whole.of(detector)]

    def rows(self, judged: Judgement, window: Window) -> list[WindowRow]:
        """The rows of one detector in one window."""
        events, clock = judged.cases[0].events, judged.cases[0].events.clock
        many = events.n if events.judged is None else int(np.count_nonzero(events.judged))
        ends = (
            (str(window.start), str(window.end))
            if clock is None
            else (moment_text(window.start, clock), moment_text(window.end, clock))
        )
        asked = [row.asked for row in self._whole.of(judged.rows[0].detector)]
        return [
            window_row(row, name, ends, window, len(events), many)
            for row, name in zip(judged.rows, asked, strict=True)
        ]

    def change(self, detector: str, asked: str, than: Any) -> Change:
        """Compare the newest window with the time before it."""
        refuse_growing(self._how)
        case = next(case for case in self._whole.cases if case.name == detector)
        row = next(row for row in self._whole.of(detector) if row.asked == asked)
        metric = _settled(row)
        blocks = Blocks.over(self.windows, than, self._begin, timed=self._clock is not None)
        if not metric.resamples:
            return cannot_say(detector, asked, "it has no receipt, so blocks of time do not add up")
        sums = np.zeros((blocks.count, 5))
        border = blocks.edges[-1 - blocks.new]
        for ends in ((blocks.edges[0], border), (border, blocks.edges[-1])):
            ranges = self._range(case, *ends)
            part = _part(case, ranges)
            if part is not None:
                sums += _block_sums(metric, part, _places(case.events, ranges), blocks)
        return blocks.change(detector, asked, metric, sums, metric.parts.measure)


def _block_sums(metric: Metric, part: Case, places: Positions, blocks: Blocks) -> Floats:
    """What each block of time adds to the sums: found, truth, right, flagged and normal."""
    own = np.split(places, part.events.whole_series[1:-1])
    cuts = [np.pad(np.searchsorted(when, blocks.edges), 1) for when in own]
    return metric.ledger(part).blocks(cuts)[1:-1]


def _settled(row: Finding) -> Metric:
    """A metric with what all labels decided, and the threshold that all scores decided."""
    assert row.judged_by is not None  # noqa: S101 - whatever was just judged has it
    fixed = row.at is not None and row.judged_by.at_one_threshold
    return row.judged_by.with_settings(at=row.at) if fixed else row.judged_by


def _tick(events: Events) -> int:
    """How long the last point lasts: as long as most."""
    assert events.clock is not None  # noqa: S101 - its caller has looked
    steps = np.diff(events.clock.instants)
    return int(np.median(steps[steps > 0])) if np.any(steps > 0) else 1


def _places(events: Events, ranges: Sequence[tuple[int, int]]) -> Positions:
    """When the points of some ranges were; without time, their numbers in their own series."""
    clock, firsts = events.clock, events.series_bounds
    return np.concatenate(
        [
            np.arange(a, b) - firsts[number] if clock is None else clock.instants[a:b]
            for number, (a, b) in enumerate(ranges)
        ]
    )


def _part(case: Case, ranges: Sequence[tuple[int, int]]) -> Case | None:
    """The case of some points of each series; None where none of them is judged."""
    events = case.events
    some = [(a, b, number) for number, (a, b) in enumerate(ranges) if b > a]
    chosen = np.concatenate([np.arange(a, b) for a, b, _ in some] or [np.zeros(0, np.int64)])
    judged = None if events.judged is None else events.judged[chosen]
    if not chosen.size or (judged is not None and not judged.any()):
        return None
    bounds = np.append(0, np.cumsum([b - a for a, b, _ in some]))
    starts, stops, severity = [], [], []
    for (a, b, _), offset in zip(some, bounds, strict=False):
        mine = (events.stops > a) & (events.starts < b)
        starts.append(np.maximum(events.starts[mine], a) - a + offset)
        stops.append(np.minimum(events.stops[mine], b) - a + offset)
        severity.append(mine)
    clock = events.clock
    part = Events(
        np.concatenate(starts), np.concatenate(stops), len(chosen), bounds=bounds, judged=judged,
        severity=None if events.severity is None
        else np.concatenate([events.severity[mine] for mine in severity]),
        names=None if events.names is None else events.names[[number for *_, number in some]],
        clock=None if clock is None else Clock(clock.instants[chosen], clock.zone),
    )  # fmt: skip
    return Case(part, case.unmasked[chosen], name=case.name)
