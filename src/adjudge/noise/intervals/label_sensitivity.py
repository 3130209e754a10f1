"""Labels in doubt: how far a value moves when borders are not quite right, or one event is not."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.checks import whole
from adjudge.data.case import Case  # noqa: TC001 - for the examples
from adjudge.data.events import Events
from adjudge.data.intervals import repeat
from adjudge.noise.shifting.offsets import generator

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adjudge._typing import Positions
    from adjudge.metrics.metric import Metric

_TRIES = 20
_MOST_LEFT_OUT = 100
_MOST_MOVES = 100


class BorderSpread(NamedTuple):
    """The lowest and the highest value under doubtful borders."""

    low: float
    high: float


class WithoutOneEvent(NamedTuple):
    """The lowest and the highest value when any one event is left out."""

    low: float
    high: float
    most_influential_event: int | None
    """Where the event starts without which the value is worst."""


def label_sensitivity(metric: Metric, case: Case, slack: int, seed: int = 0) -> BorderSpread:
    """Judge again with the borders of the events moved by up to ``slack`` points.

    First all events move together: shifted by d, grown by d at both ends, or shrunk by d (to one
    point at the least), for every d up to the slack (a hundred of them, evenly spread, if there are
    more). Then, 20 times, each border moves on its own, by as much as the seed draws. Events that
    grow into each other become one.

    >>> from adjudge.metrics.reader import metric
    >>> label_sensitivity(metric("f1"), Case([0, 0, 1, 1, 0, 0], [0, 0, 1, 1, 0, 0]), 1)
    BorderSpread(low=0.5, high=1.0)
    """
    slack = whole(slack, "slack", 0, max(case.events.n, 1000), "or the number of points")
    moved = [*_moved(case, slack), *_moved_alone(case, slack, generator(seed))]
    values = [metric.reading(_judged_again(case, events)).value for events in moved]
    defined = [value for value in values if not np.isnan(value)]
    return BorderSpread(min(defined), max(defined)) if defined else BorderSpread(np.nan, np.nan)


def leave_one_out(metric: Metric, case: Case) -> WithoutOneEvent:
    """Judge again with each event left out in turn: its points are not judged.

    Of more than a hundred events a hundred are left out, evenly spread over time.

    >>> from adjudge.metrics.reader import metric
    >>> case = Case([1, 1, 0, 0, 1, 0], [1, 1, 0, 0, 0, 0])
    >>> leave_one_out(metric("event_recall"), case)  # of one found and one missed
    WithoutOneEvent(low=0.0, high=1.0, most_influential_event=0)
    """
    events = case.events
    if len(events) < 2:
        return WithoutOneEvent(np.nan, np.nan, None)
    tried = np.unique(np.linspace(0, len(events) - 1, _MOST_LEFT_OUT).astype(np.int64))
    values = []
    for number in tried.tolist():
        judged = np.ones(events.n, bool) if events.judged is None else events.judged.copy()
        judged[events.starts[number] : events.stops[number]] = False
        rest = case.with_truth(events.within(where=judged))
        values.append(metric.reading(rest).value)
    if np.isnan(values).all():
        return WithoutOneEvent(np.nan, np.nan, None)
    worst = np.nanargmin(values) if metric.row.better == "higher" else np.nanargmax(values)
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    return WithoutOneEvent(low, high, int(events.starts[tried[worst]]))


def _judged_again(case: Case, events: Events) -> Case:
    return case.with_truth(events)


def _moved(case: Case, slack: int) -> Iterator[Events]:
    """The events with their borders moved, the original among them."""
    yield _with_borders(case.events, 0, 0)
    moves = np.linspace(0, slack, min(slack, _MOST_MOVES) + 1).astype(np.int64)
    for d in moves[1:].tolist():
        for left, right in ((-d, -d), (d, d), (-d, d), (d, -d)):
            yield _with_borders(case.events, left, right)


def _moved_alone(case: Case, slack: int, rng: np.random.Generator) -> Iterator[Events]:
    """The events with each border moved on its own."""
    for _ in range(_TRIES if slack else 0):
        left, right = rng.integers(-slack, slack + 1, size=(2, len(case.events)))
        yield _with_borders(case.events, left, right)


def _with_borders(events: Events, left: int | Positions, right: int | Positions) -> Events:
    """Move all starts and stops, within their series."""
    home = np.searchsorted(events.series_bounds, events.starts, side="right") - 1
    first, last = events.series_bounds[home], events.series_bounds[home + 1]
    starts, stops = events.starts + left, events.stops + right
    gone = stops <= starts  # shrunk away: keep the middle
    middle = (events.starts + events.stops - 1) // 2
    starts, stops = np.where(gone, middle, starts), np.where(gone, middle + 1, stops)
    starts, stops = np.clip(starts, first, last - 1), np.clip(stops, first + 1, last)
    steps = np.zeros(events.n + 1, np.int64)
    np.add.at(steps, starts, 1)
    np.add.at(steps, stops, -1)
    labels = np.cumsum(steps[:-1]) > 0
    series = repeat(np.arange(events.series_count), np.diff(events.whole_series))
    moved = Events.from_labels(labels, series=series, where=events.judged)
    return moved.timed(events.clock)
