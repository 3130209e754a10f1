"""Label doubt: how far a value moves when the borders of the events are not quite right."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.checks import whole
from adjudge.data.case import Case
from adjudge.data.events import Events

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adjudge.metrics.metric import Metric


class Spread(NamedTuple):
    """The lowest and the highest value under doubtful borders."""

    low: float
    high: float


def label_spread(metric: Metric, case: Case, slack: int) -> Spread:
    """Judge again with every event shifted, grown and shrunk by up to ``slack`` points.

    All events move together: shifted by d, grown by d at both ends, or shrunk by d (to one point at
    the least), for every d up to the slack. Events that grow into each other become one.

    >>> from adjudge.metrics.reader import metric
    >>> label_spread(metric("f1"), Case([0, 0, 1, 1, 0, 0], [0, 0, 1, 1, 0, 0]), 1)
    Spread(low=0.5, high=1.0)
    """
    slack = whole(slack, "slack", 0)
    values = [metric.reading(_judged_again(case, events)).value for events in _moved(case, slack)]
    defined = [value for value in values if not np.isnan(value)]
    return Spread(min(defined), max(defined)) if defined else Spread(np.nan, np.nan)


def _judged_again(case: Case, events: Events) -> Case:
    return Case(events, case.given, name=case.name)


def _moved(case: Case, slack: int) -> Iterator[Events]:
    """Give the events with their borders moved, the original among them."""
    yield _with_borders(case.events, 0, 0)
    for d in range(1, slack + 1):
        for left, right in ((-d, -d), (d, d), (-d, d), (d, -d)):
            yield _with_borders(case.events, left, right)


def _with_borders(events: Events, left: int, right: int) -> Events:
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
    series = np.repeat(np.arange(events.series_count), np.diff(events.series_bounds))
    return Events.from_labels(labels, series=series, where=events.judged)
