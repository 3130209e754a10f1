"""Values over time: each window of time judged by itself, beside its own chance.

A detector that was good last year may not be so today. Windows follow the calendar, or slide, or
grow from the start; no border lies inside an event, so that none is counted twice.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.checks import boolean, front_door, is_whole, whole
from adjudge.count.tally import Tally
from adjudge.data.case import Case
from adjudge.data.clock import NANOSECONDS, Clock, duration
from adjudge.data.events import Events, PositionList
from adjudge.data.incidents import Incidents
from adjudge.errors import InputError, shown, visible
from adjudge.judging.evaluation import evaluate
from adjudge.judging.preparation import read_metrics, runs_of
from adjudge.measure.rates import FalseAlarms
from adjudge.measure.thresholds import Policy, Rule
from adjudge.metrics.spec import threshold
from adjudge.noise.intervals.of_rates import event_rows
from adjudge.noise.p_values import holm
from adjudge.tables.formats import frame_of, html_of
from adjudge.tables.result_fields import json_ready
from adjudge.tables.table import Layout, Table
from adjudge.tables.text import text_of

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from adjudge._typing import Column, Floats, Positions
    from adjudge.judging.judgement import Judgement
    from adjudge.judging.result_columns import Finding
    from adjudge.metrics.metric import Metric

DAY = NANOSECONDS["d"]
_DRAWS = 4999  # ways in which blocks of time are dealt out anew
_BLOCKS = 7  # of a window: a week has days
_CLEAR = 0.05


class Window(NamedTuple):
    """A stretch of time that is judged by itself: instants, or points where there is no time."""

    start: int
    end: int
    complete: bool
    """Whether the data reach from its start to its end."""


@dataclass(frozen=True)
class WindowRow:
    """A metric of one detector in one window."""

    detector: str
    metric: str
    """As it was asked for."""
    start: str
    end: str
    """When the window begins and ends, moved to the end of an event that would be cut."""
    complete: bool
    events: int
    points: int | None
    """Judged points; None of incidents and alerts."""
    value: float
    chance: float
    low: float
    high: float
    p_value: float
    at: float | None
    resolved: str
    """The metric with every setting as it was used."""


class Change(NamedTuple):
    """How a metric in the newest window compares with the time before it."""

    detector: str
    metric: str
    now: float
    before: float
    p_value: float
    """How often the same blocks of time, dealt out anew, are as much worse, adjusted for the number
    of detectors and metrics; NaN: that cannot be said."""
    is_lower: bool
    """Whether it is the worse value of the two."""
    why: str = ""
    """Why it cannot be said."""

    @property
    def worse(self) -> bool:
        """Whether it is worse, and chance hardly explains it."""
        return self.is_lower and self.p_value <= _CLEAR

    @property
    def said(self) -> str:
        """The same in a sentence."""
        name = f"{visible(self.detector)}: {self.metric}"
        if self.why:
            return f"{name} cannot be compared with the time before: {self.why}"
        way = "worse" if self.is_lower else "not worse"
        luck = "hardly explains" if self.p_value <= _CLEAR else "may explain"
        chance = f"; chance {luck} that (p = {self.p_value:.2g})" if self.is_lower else ""
        return (
            f"{name} is {self.now:.4f} in the newest complete window and {self.before:.4f} in the "
            f"time before: {way}{chance}"
        )


@dataclass(frozen=True, eq=False)
class OverTime:
    """What `over_time` found: a row per detector, metric and window.

    Attributes
    ----------
    rows : tuple of WindowRow
        Value, chance, interval and p-value of each window.
    judgements : tuple of Judgement
        All that was found in each window, detector by detector.
    whole : Judgement
        The same metrics over all time.

    Examples
    --------
    >>> found = over_time([0, 1, 0, 0, 1, 0], [0, 1, 0, 1, 0, 0], "f1", window=3, chance=False)
    >>> [row.value for row in found.rows]
    [1.0, 0.0]
    """

    rows: tuple[WindowRow, ...]
    judgements: tuple[Judgement, ...]
    whole: Judgement
    compare: Callable[[str, str, Any], Change]
    """Compares the newest window of a detector and metric with so much time before it."""

    def changes(self, than: Any) -> tuple[Change, ...]:
        """Compare the newest window with the time before it.

        Parameters
        ----------
        than : duration, or number of points
            How much time before the newest window is compared with it: "4w".

        Returns
        -------
        tuple of Change
            One for each detector and metric: both values, and how often the same blocks of time
            (a seventh of a window each: the days of a week), dealt out anew, are as much worse.
        """
        pairs = dict.fromkeys((row.detector, row.metric) for row in self.rows)
        found = [self.compare(detector, metric, than) for detector, metric in pairs]
        adjusted = holm(np.array([one.p_value for one in found])).tolist()
        return tuple(one._replace(p_value=p) for one, p in zip(found, adjusted, strict=True))

    def failures(self, worse_than: Any) -> list[str]:
        """What is worse than in the time before by more than chance, in a sentence each.

        Parameters
        ----------
        worse_than : duration, or number of points
            How much time before the newest window is compared with it.
        """
        return [one.said for one in self.changes(worse_than) if one.worse]

    def to_dict(self) -> dict[str, Any]:
        """The rows as plain dictionaries."""
        return {"rows": [dict(vars(row)) for row in self.rows]}

    def to_json(self, **options: Any) -> str:
        """JSON: undefined is null."""
        return json.dumps(json_ready(self.to_dict()), allow_nan=False, **options)

    def to_frame(self, backend: str = "pandas") -> Any:
        """The rows as a data frame of pandas, polars or pyarrow."""
        names = list(WindowRow.__dataclass_fields__)
        columns = {name: [getattr(row, name) for row in self.rows] for name in names}
        for name in ("points", "at"):
            columns[name] = [math.nan if x is None else x for x in columns[name]]
        return frame_of(columns, backend)

    def plot(self, metric: str | None = None, *, ax: Any = None) -> Any:
        """Draw a metric over time, with its intervals and what chance would score.

        Parameters
        ----------
        metric : str, optional
            Which one. Default: the first.
        ax : matplotlib Axes, optional
            Where to draw. Default: a new figure.

        Returns
        -------
        matplotlib Axes
        """
        from adjudge.reporting.figures.judgement_plot import (  # noqa: PLC0415 - draws
            plot_over_time,
        )

        return plot_over_time(self, metric, ax=ax)

    def to_html(self, path: str | os.PathLike[str] = "report.html", **options: Any) -> Path:
        """Write the page of all time, as `adjudge.report` does, with a plot of the windows.

        Parameters
        ----------
        path : path
            Where to write.
        **options
            Title and signal, as of `adjudge.report`.
        """
        return self.whole.to_html(path, windows=self, **options)

    @property
    def grows(self) -> bool:
        """Whether windows grow from the start: several of a metric begin at the same place."""
        starts = {(row.detector, row.metric, row.start) for row in self.rows}
        return len(starts) < len(self.rows)

    def layout(self) -> Layout:
        """Lay the windows out as a table for each detector and metric."""
        pairs = dict.fromkeys((row.detector, row.metric) for row in self.rows)
        tables = tuple(self._table(*pair) for pair in pairs)
        partly = any(not row.complete for row in self.rows)
        notes = ("* the data do not reach over the whole window",) if partly else ()
        return Layout(tables, notes)

    def _table(self, detector: str, metric: str) -> Table:
        mine = [row for row in self.rows if (row.detector, row.metric) == (detector, metric)]
        every = next(row for row in self.whole.of(detector) if row.asked == metric)
        tested = not all(math.isnan(row.chance) for row in mine)
        rows = [
            [(row.end if self.grows else row.start) + "*" * (not row.complete), row.events]
            + [_cell(row.value)]
            + ([_cell(row.chance), _ends(row), _p(row.p_value)] if tested else [])
            for row in mine
        ]
        head = ["until" if self.grows else "from", "events", "value"]
        head += ["chance", "95 % interval", "p"] if tested else []
        title = f"{visible(detector)}: {metric}, {_cell(every.value)} over all time"
        return Table.of(head, rows, title, {"95 % interval": 1, "events": 2})

    def __str__(self) -> str:
        """Print the tables."""
        return text_of(self.layout())

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """Show the same in a notebook."""
        return html_of(self.layout())


def _cell(value: float) -> str:
    return "undefined" if math.isnan(value) else f"{value:.4f}"


def _ends(row: WindowRow) -> str:
    return "" if math.isnan(row.low) else f"{row.low:.2f} to {row.high:.2f}"


def _p(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.2g}"


@front_door("over_time", passes_on=evaluate)
def over_time(
    labels: Column,
    scores: Column,
    metrics: str | Metric | Iterable[str | Metric] | None = None,
    at: Any = None,
    *,
    window: Any,
    step: Any = None,
    growing: bool = False,
    chance: bool = True,
    time: Column = None,
    series: Column = None,
    where: Column = None,
    span: Any = None,
    seed: int = 0,
    **options: Any,
) -> OverTime:
    """Judge detectors window by window, each value beside what chance would have scored there.

    Parameters
    ----------
    labels, scores : as of `adjudge.evaluate`
        The truth and one or several detectors: points, or `adjudge.Incidents` and
        `adjudge.Alerts`.
    metrics : spec, Metric, or several of them
        Default: ``f1_ba`` where there is a threshold, else ``ap``; of incidents and alerts event
        recall and precision, and false alarms a week.
    at : number or rule
        The threshold. A rule is learnt on all points, so that every window has the same.
    window : duration, or number of points
        How long a window is: "1w" is a week from Monday, "1d" a day from midnight, both in the zone
        of the times, "1mo" a month; "6h" a quarter of a day. Without time: a number of points.
    step : duration, or number of points, optional
        How far a sliding window moves on; the window must be a whole number of steps. Default: one
        window begins where the last one ends.
    growing : bool
        Whether every window begins at the start: what would have been said so far (prequential).
        Each value is then that of judging this prefix alone.
    chance : bool
        Whether to give what the same alarms would have scored at other places of the window.
    time, series, where, span, seed
        As of `adjudge.evaluate`.
    **options
        More of what `adjudge.evaluate` takes: ``watched``, ``outages``, ``early``, ``every``,
        ``shifts``, ``unit`` ...

    Returns
    -------
    OverTime
        A row per detector, metric and window; ``.failures("4w")`` is the gate *worse than in the
        four weeks before, by more than chance*.

    Raises
    ------
    InputError
        If a window cannot be made, or what was given does not fit together.

    Notes
    -----
    A border inside an event is moved to the end of the event, but for growing windows, which end
    where they end. What the labels decide, such as the width of islands, is decided on all of them,
    and of growing windows on what was there so far.

    Examples
    --------
    >>> days = [f"2026-01-{day:02d}" for day in range(5, 19)]
    >>> labels = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0]
    >>> flags = [0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0]
    >>> over_time(labels, flags, "event_f1", window="1w", time=days, chance=False)
    detector: event_f1, 0.6667 over all time
    from        events   value
    --------------------------
    2026-01-05       1  1.0000
    2026-01-12       2  0.5000
    --------------------------
    """
    boolean(growing, "growing")
    things = isinstance(labels, Incidents)
    if isinstance(labels, (PositionList, Mapping)):
        raise InputError(
            "labels must be points or incidents over time, got changes; judge them with "
            "adjudge.evaluate"
        )
    if not things and runs_of(scores):
        raise InputError(
            "scores must be one column per detector over time, got several runs of one"
        )
    requested, every = read_metrics(metrics)
    if every:
        raise InputError("metrics must be named one by one over time, got 'all'")
    if growing and step is not None:
        raise InputError(f"step must be left out for growing windows, got {shown(step)}")
    beside = {"seed": seed, **options}
    given = {"time": time, "series": series, "where": where, **beside}
    if things:
        given |= {"span": span}
    quick = {name: value for name, value in given.items() if name not in _OF_CHANCE}
    asked: Any = requested or _default(evaluate(labels, scores, None, at, chance=False, **quick))
    whole = evaluate(labels, scores, asked, at, chance=False, **quick)
    how = _How(window, step, growing, chance, at, {n: v for n, v in beside.items() if n != "sort"})
    kind: _OfPoints | _OfThings = (
        _OfThings(whole, asked, how, (labels, scores), series)
        if things
        else _OfPoints(whole, asked, how)
    )
    judged = [one for window in kind.windows for one in kind.judged(window)]
    rows = [row for one, window in judged for row in kind.rows(one, window)]
    return OverTime(tuple(rows), tuple(one for one, _ in judged), whole, kind.change)


_OF_CHANCE = ("seed", "shifts", "null", "period", "unit", "group", "white_noise", "label_slack")
"""What the value over all time does not need."""


def _default(judged: Judgement) -> list[str]:
    """Metrics for who asks for none: those that most will look at."""
    names = [{row.asked: 0 for row in judged.of(one)} for one in judged.detectors]
    if judged.things:
        return [name for name in names[0] if name.startswith(("event_r", "event_p", "false"))]
    return ["f1_ba" if all("f1_ba" in asked for asked in names) else "ap"]


class _How(NamedTuple):
    """How windows are made and judged."""

    window: Any
    step: Any
    growing: bool
    chance: bool
    at: Any
    options: dict[str, Any]

    def windows(self, first: int, last: int, zone: tzinfo | None) -> list[Window]:
        """The windows over a span; without a zone they are points."""
        timed = zone is not None
        long = _length(self.window, "window", timed=timed)
        small = long if self.step is None else _length(self.step, "step", timed=timed)
        if long % small or abs(long) < abs(small) or (long < 0) != (small < 0):
            raise InputError(
                f"window must be a whole number of steps, got {shown(self.window)} in steps of "
                f"{shown(self.step)}"
            )
        edges = _edges(first, last, small, zone)
        many = long // small
        if self.growing:
            pairs = [(first, edge) for edge in edges[1:]]
        else:
            pairs = list(zip(edges, edges[many:], strict=False))
        if not pairs:
            raise InputError(f"window must fit into the time, got {shown(self.window)}")
        return [Window(a, b, first <= a and b <= last) for a, b in pairs]


def _length(length: Any, name: str, *, timed: bool) -> int:
    """A length in nanoseconds, in months (negative), or in points."""
    if not timed:
        if not is_whole(length):
            raise InputError(
                f"{name} must be a number of points where there is no time, got {shown(length)}; "
                "say time= (on the command line --time COL)"
            )
        return whole(length, name, 1)
    if isinstance(length, str) and length.endswith("mo") and length[:-2].isdigit():
        return -whole(int(length[:-2]), name, 1)
    found = duration(length, name, ("1mo",))
    if not found:
        raise InputError(f"{name} must be longer than nothing, got {shown(length)}")
    return found


def _edges(first: int, last: int, small: int, zone: tzinfo | None) -> list[int]:
    """Where windows begin, from at most the first instant on, up to at least the last.

    Whole days begin at midnight, whole weeks on Monday, months on their first day.
    """
    if zone is None:
        return list(range(first, last + small, small))
    day = datetime.fromtimestamp(first // NANOSECONDS["s"], zone).date()
    if small > 0 and small % DAY:
        begin = _midnight(day, zone)
        begin += (first - begin) // small * small
        return list(range(begin, last + small, small))
    if small < 0:
        day = day.replace(day=1)
    elif small % (7 * DAY) == 0:
        day -= timedelta(days=day.weekday())
    edges = [_midnight(day, zone)]
    while edges[-1] < last:
        day = _months_later(day, -small) if small < 0 else day + timedelta(days=small // DAY)
        edges.append(_midnight(day, zone))
    return edges


def _midnight(day: date, zone: tzinfo) -> int:
    start = datetime(day.year, day.month, day.day, tzinfo=zone)
    return int(start.astimezone(UTC).timestamp()) * NANOSECONDS["s"]


def _months_later(day: date, months: int) -> date:
    count = day.year * 12 + day.month - 1 + months
    return date(count // 12, count % 12 + 1, 1)


class _OfPoints:
    """Windows of points."""

    def __init__(self, whole: Judgement, asked: Sequence[Any], how: _How) -> None:
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
            judgement = evaluate(part.events, {case.name: part.unmasked}, asked, at,
                                 chance=self._how.chance, **self._how.options)  # fmt: skip
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
            else (_moment(window.start, clock), _moment(window.end, clock))
        )
        asked = [row.asked for row in self._whole.of(judged.rows[0].detector)]
        return [
            _row(row, name, ends, window, len(events), many)
            for row, name in zip(judged.rows, asked, strict=True)
        ]

    def change(self, detector: str, asked: str, than: Any) -> Change:
        """Compare the newest window with the time before it."""
        _refuse_growing(self._how)
        case = next(case for case in self._whole.cases if case.name == detector)
        row = next(row for row in self._whole.of(detector) if row.asked == asked)
        metric = _settled(row)
        blocks = _Blocks.over(self.windows, than, self._begin, timed=self._clock is not None)
        if not metric.resamples:
            return _cannot(detector, asked, "it has no receipt, so blocks of time do not add up")
        sums = np.zeros((blocks.count, 5))
        border = blocks.edges[-1 - blocks.new]
        for ends in ((blocks.edges[0], border), (border, blocks.edges[-1])):
            ranges = self._range(case, *ends)
            part = _part(case, ranges)
            if part is not None:
                sums += _block_sums(metric, part, _places(case.events, ranges), blocks)
        return blocks.change(detector, asked, metric, sums, metric.parts.measure)


def _block_sums(metric: Metric, part: Case, places: Positions, blocks: _Blocks) -> Floats:
    """What each block of time adds to the sums: found, truth, right, flagged and normal."""
    events = part.events
    rows = event_rows(metric.ledger(part)[0], events)
    sums = blocks.sums(places[events.starts], rows.events)
    sums += blocks.sums(places[rows.false_starts], rows.false)
    normal = blocks.sums(places[events.normal], np.ones((int(events.normal.sum()), 1)))
    share = rows.normal * normal / max(float(normal.sum()), 1.0)
    return np.hstack([sums, share])


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


def _moment(instant: int, clock: Clock) -> str:
    """Say when a window begins: the day alone, where that is midnight."""
    moment = datetime.fromtimestamp(instant // NANOSECONDS["s"], clock.tzinfo)
    midnight = (moment.hour, moment.minute, moment.second) == (0, 0, 0)
    return f"{moment:%Y-%m-%d}" if midnight else f"{moment:%Y-%m-%d %H:%M}"


def _row(
    row: Finding, asked: str, ends: tuple[str, str], window: Window, events: int, points: int | None
) -> WindowRow:
    return WindowRow(
        row.detector, asked, *ends, window.complete, events, points, row.value, row.chance,
        row.low, row.high, row.p_value, row.at, row.metric,
    )  # fmt: skip


class _OfThings:
    """Windows of incidents and alerts."""

    def __init__(
        self, whole: Judgement, asked: Sequence[Any], how: _How, given: Any, series: Any
    ) -> None:
        self._whole, self._asked, self._how = whole, asked, how
        self._given, self._series = given, series
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
        labels, scores = self._given
        options = {**self._how.options, "span": span, "series": self._series}
        judged = evaluate(labels, scores, asked, self._how.at, chance=self._how.chance, **options)
        return [(judged, window)]

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
            else (_moment(window.start, self._clock), _moment(window.end, self._clock))
        )
        events = {case.name: case.answer.judged for case in judged.things}
        names = [row.asked for row in self._whole.rows]
        return [
            _row(row, name, ends, window, events[row.detector], None)
            for row, name in zip(judged.rows, names, strict=True)
        ]

    def change(self, detector: str, asked: str, than: Any) -> Change:
        """Compare the newest window with the time before it."""
        from adjudge.judging.on_call.values import on_instants  # noqa: PLC0415 - for incidents alone

        _refuse_growing(self._how)
        case = next(case for case in self._whole.things if case.name == detector)
        row = next(row for row in self._whole.of(detector) if row.asked == asked)
        assert row.judged_by is not None  # noqa: S101 - whatever was just judged has it
        timed = not case.incidents.in_points
        blocks = _Blocks.over(self.windows, than, self._span[0], timed=timed)
        form = on_instants(row.judged_by, case)
        when = None if form is None else form.pieces.when
        if form is None or when is None or not row.judged_by.resamples:
            return _cannot(detector, asked, "it is no sum over incidents and alerts")
        sums = blocks.sums(when[0], form.pieces.incidents)
        sums += blocks.sums(when[1], form.pieces.false)
        length = np.diff(case.watched.team.before(np.array(blocks.edges)))
        return blocks.change(detector, asked, row.judged_by, np.column_stack([sums, length]),
                             _per_length(row.judged_by))  # fmt: skip


def _per_length(metric: Metric) -> Callable[[Tally], Any]:
    measure = metric.parts.measure
    if isinstance(measure, FalseAlarms) and isinstance(measure.per, str):
        measure = replace(measure, per=float(duration(measure.per, "per")))
    found: Callable[[Tally], Any] = measure
    return found


def _zone(clock: Clock | None) -> tzinfo:
    return UTC if clock is None else clock.tzinfo


def _outside(edge: int, starts: Positions, ends: Positions) -> int:
    """The edge, or the end of the incidents that it would cut."""
    while np.any(cut := (starts < edge) & (edge < ends)):
        edge = int(ends[cut].max())
    return edge


def _refuse_growing(how: _How) -> None:
    if how.growing or how.step is not None:
        raise InputError("worse_than must come with windows apart: without growing=True and step=")


def _cannot(detector: str, metric: str, why: str) -> Change:
    return Change(detector, metric, math.nan, math.nan, math.nan, is_lower=False, why=why)


@dataclass(frozen=True)
class _Blocks:
    """Equal blocks of time; those from some place on are the newest window."""

    edges: tuple[int, ...]
    new: int
    """How many blocks the newest window has."""

    @classmethod
    def over(cls, windows: Sequence[Window], than: Any, first: int, *, timed: bool) -> _Blocks:
        """Blocks of a seventh of the newest complete window each, and of the time before it."""
        newest = next((one for one in reversed(windows) if one.complete), windows[-1])
        back = _length(than, "worse_than", timed=timed)
        begin = max(first, newest.start - (back if back > 0 else -back * 30 * DAY))
        size = max(1, (newest.end - newest.start) // _BLOCKS)
        old = list(range(newest.start, begin - 1, -size))[::-1]
        new = list(range(newest.start, newest.end, size))[:_BLOCKS]
        if len(old) <= _BLOCKS:
            raise InputError(
                f"worse_than must be at least one window of data before the newest complete one, "
                f"got {shown(than)}"
            )
        return cls((*old, *new[1:], newest.end), len(new))

    @property
    def count(self) -> int:
        """How many blocks there are."""
        return len(self.edges) - 1

    def sums(self, when: Positions, rows: Floats) -> Floats:
        """The sums of the rows that begin in each block."""
        found = np.zeros((self.count, rows.shape[1]))
        block = np.searchsorted(self.edges, when, side="right") - 1
        inside = (block >= 0) & (block < self.count)
        np.add.at(found, block[inside], rows[inside])
        return found

    def change(
        self, detector: str, asked: str, metric: Metric, sums: Floats, measure: Callable[..., Any]
    ) -> Change:
        """Deal the blocks out anew, and see how often the newest window is as much worse."""
        sign = 1 if metric.row.better == "higher" else -1
        total, new = sums.sum(axis=0), sums[-self.new :].sum(axis=0)
        now, before = (float(_of(measure, rows)) for rows in (new, total - new))
        if math.isnan(now - before):
            which = "now" if math.isnan(now) else "before"
            return _cannot(detector, asked, f"it is undefined {which}")
        rng = np.random.default_rng(0)
        order = rng.permuted(np.tile(np.arange(self.count), (_DRAWS, 1)), axis=1)[:, : self.new]
        drawn = sums[order].sum(axis=1)
        apart = sign * (_of(measure, drawn.T) - _of(measure, (total - drawn).T))
        as_bad = np.isnan(apart) | (apart <= sign * (now - before) + 1e-12)
        p = (1 + int(np.count_nonzero(as_bad))) / (1 + _DRAWS)
        lower = sign * (now - before) < 0
        return Change(detector, asked, now, before, p, is_lower=lower)


def _of(measure: Callable[..., Any], sums: Floats) -> Any:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(measure(Tally(*sums)), np.float64)
