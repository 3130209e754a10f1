"""Windows of time: what lies within so many points, or so much time, of a point of its series."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from adjudge.data.durations import NANOSECONDS, duration
from adjudge.data.windows import moving_max

if TYPE_CHECKING:
    from adjudge._typing import Array, Floats, Positions
    from adjudge.data.events import Events


def earliest(places: Positions, before: int | str, events: Events) -> Positions:
    """The first point of the series that lies at most ``before`` ahead of each place.

    >>> from adjudge.data.case import Case
    >>> times = ["2026-01-01 00:00", "2026-01-01 00:10", "2026-01-01 00:11", "2026-01-01 00:12"]
    >>> events = Case([0, 0, 0, 1], [0, 0, 0, 1], time=times).events
    >>> earliest(events.starts, 2, events), earliest(events.starts, "1min", events)
    (array([1]), array([2]))
    """
    if isinstance(before, str):
        return _looked_up(places, -duration(before, "before"), events, "left")
    bounds = events.series_bounds
    return np.maximum(places - before, bounds[_home(places, bounds)])


def past_latest(places: Positions, after: int | str, events: Events) -> Positions:
    """The point behind the last one of the series that lies at most ``after`` behind each place."""
    if isinstance(after, str):
        return _looked_up(places, duration(after, "after"), events, "right")
    bounds = events.series_bounds
    return np.minimum(places + 1 + after, bounds[_home(places, bounds) + 1])


def past_first(places: Positions, span: int | str, events: Events) -> Positions:
    """The point behind the first ``span`` points from each place on, or behind so much time."""
    if isinstance(span, str):
        return _looked_up(places, duration(span, "span"), events, "left")
    bounds = events.series_bounds
    return np.minimum(places + min(span, events.n), bounds[_home(places, bounds) + 1])


def at_least_apart(stops: Positions, starts: Positions, gap: int | str, events: Events) -> Array:
    """Say which of the stretches between stops and starts are as long as a gap."""
    if isinstance(gap, str):
        assert events.clock is not None  # noqa: S101 - a duration has met its clock before
        instants = events.clock.instants
        return np.asarray(instants[starts] - instants[stops] >= duration(gap, "gap"))
    return starts - stops >= gap


def max_within(values: Array, reach: int | str, events: Events) -> Array:
    """For each point the highest value of its series within so many points, or so much time.

    >>> from adjudge.data.case import Case
    >>> times = ["2026-01-01 00:00", "2026-01-01 00:10", "2026-01-01 00:11", "2026-01-01 00:12"]
    >>> events = Case([0, 0, 0, 1], [0, 0, 0, 1], time=times).events
    >>> max_within(np.array([9, 1, 2, 3]), "1min", events)
    array([9, 2, 3, 3])
    """
    if not isinstance(reach, str):
        return moving_max(values, reach, reach, events.series_bounds)
    points = np.arange(events.n)
    begin, end = earliest(points, reach, events), past_latest(points, reach, events)
    return _max_over(values, begin, end)


def seconds(events: Events) -> Floats:
    """When each point was, in seconds since the first point of its series."""
    assert events.clock is not None  # noqa: S101 - whoever asks has looked
    instants, bounds = events.clock.instants, events.series_bounds
    return (instants - np.repeat(instants[bounds[:-1]], np.diff(bounds))) / NANOSECONDS["s"]


def _max_over(values: Array, begin: Positions, end: Positions) -> Array:
    """The highest value of each window: two blocks of a power of two cover it."""
    size = np.frexp(end - begin)[1] - 1  # the largest block that fits, as an exponent
    result, blocks = np.empty_like(values), values.copy()
    for exponent in range(int(size.max()) + 1):
        width = 1 << exponent
        chosen = np.flatnonzero(size == exponent)
        result[chosen] = np.maximum(blocks[begin[chosen]], blocks[end[chosen] - width])
        np.maximum(blocks[:-width], blocks[width:], out=blocks[:-width])
    return result


def _looked_up(
    places: Positions, by: int, events: Events, side: Literal["left", "right"]
) -> Positions:
    """Where the instant so long after each place would stand among those of its series."""
    assert events.clock is not None  # noqa: S101 - a duration has met its clock before
    instants, bounds = events.clock.instants, events.series_bounds
    home, found = _home(places, bounds), np.empty_like(places)
    for series in np.unique(home).tolist():
        first, stop = bounds[series], bounds[series + 1]
        chosen = home == series
        asked = _later(instants[places[chosen]], by)
        found[chosen] = first + np.searchsorted(instants[first:stop], asked, side=side)
    return found


def _later(instants: Positions, by: int) -> Positions:
    """The instants so much later, as far as time is counted."""
    ends = np.iinfo(np.int64)
    kept = np.minimum(instants, ends.max - by) if by > 0 else np.maximum(instants, ends.min - by)
    return np.asarray(kept + by)


def _home(places: Positions, bounds: Positions) -> Positions:
    return np.searchsorted(bounds, places, side="right") - 1
