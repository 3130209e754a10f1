"""Windows: the highest value around each point, over stretches that nothing reaches across.

Windows of time: what lies within so many points, or so much time, of a point of its series.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from adjudge.data.durations import NANOSECONDS, duration, signed_duration
from adjudge.data.intervals import repeat

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags, Floats, Positions
    from adjudge.data.events import Events


_FEW = 1 << 17  # values: a megabyte at most


def moving_max(
    values: Array, before: int, after: int, bounds: Positions, among: Flags | None = None
) -> Array:
    """For each point the maximum over ``before`` points to its left and ``after`` to its right.

    Windows are clipped to the series. The cost does not depend on the width but for its logarithm.

    Parameters
    ----------
    values, bounds : array
        A value per point, and where each series begins, closed by the number of points.
    before, after : int
        How far a window reaches.
    among : array of bool, optional
        The points whose values count; a window without any has the lowest value there is.

    Examples
    --------
    >>> moving_max(np.array([3, 1, 2, 9]), 1, 1, np.array([0, 3, 4]))
    array([3, 3, 2, 9])
    """
    if len(bounds) == 2:
        return _moving_max_of_one(values, before, after, among)
    lengths = np.diff(bounds)
    values = values if among is None else only_where(among, values)
    magnitude = np.frexp(lengths)[1]  # series of like length share a layout: little is wasted
    sizes = np.unique(magnitude)
    if len(sizes) == 1:
        return _moving_max(values, before, after, lengths)
    result = np.empty_like(values)
    for alike in (magnitude == size for size in sizes):
        points = np.flatnonzero(repeat(alike, lengths))
        result[points] = _moving_max(values[points], before, after, lengths[alike])
    return result


def sliding_max(values: Array, width: int, bounds: Positions) -> Array:
    """For each point the maximum over ``width`` points around it, slid to stay in its stretch.

    No window is clipped: each holds ``width`` points, or its whole stretch where that is shorter.

    >>> sliding_max(np.array([3, 1, 2, 0, 9]), 3, np.array([0, 4, 5]))
    array([3, 3, 2, 2, 9])
    """
    width = min(width, values.size)
    begin, end = sliding_windows(width, bounds)
    if values.dtype == bool:  # of flags, whether there is any
        sums = np.zeros(values.size + 1, np.int64)
        np.cumsum(values, out=sums[1:])
        return np.asarray(sums.take(end) > sums.take(begin))
    return moving_max(values, 0, width - 1, bounds)[begin]


def sliding_windows(width: int, bounds: Positions) -> tuple[Positions, Positions]:
    """Say where the window of each point begins and where it ends.

    >>> sliding_windows(3, np.array([0, 4, 5]))
    (array([0, 0, 1, 1, 4]), array([3, 3, 4, 4, 5]))
    """
    lengths, points = np.diff(bounds), np.arange(bounds[-1])
    width = min(width, points.size)
    first, stop = repeat(bounds[:-1], lengths), repeat(bounds[1:], lengths)
    begin = np.clip(points - width // 2, first, np.maximum(first, stop - width))
    return begin, np.minimum(begin + width, stop)


def only_where(mask: Flags, scores: Array) -> Array:
    """The scores where the mask holds, and the lowest value elsewhere: never flagged.

    >>> only_where(np.array([True, False]), np.array([2.0, 3.0]))
    array([  2., -inf])
    """
    return scores & mask if scores.dtype == bool else np.where(mask, scores, lowest(scores))


def lowest(scores: Array) -> Array:
    """The value that no maximum keeps: never flagged."""
    least = {"b": False, "f": -np.inf}.get(scores.dtype.kind)
    return np.array(np.iinfo(scores.dtype).min if least is None else least, scores.dtype)


def _moving_max_of_one(values: Array, before: int, after: int, among: Flags | None) -> Array:
    """The same of one series, with no more memory than its result takes."""
    size = values.size
    before, after = min(before, size - 1), min(after, size - 1)
    if values.dtype == bool:
        padded = np.zeros(before + size, bool)
    else:
        padded = np.full(before + size, lowest(values))
    if among is None:
        padded[before:] = values
    else:
        np.copyto(padded[before:], values, where=among)
    return max_ahead(padded, before + after)[:size]


def _moving_max(values: Array, before: int, after: int, lengths: Positions) -> Array:
    """Lay the series out with quiet stretches between them, so that no window meets two."""
    before, after = (min(reach, int(lengths.max()) - 1) for reach in (before, after))
    quiet = max(before, after)
    padded = np.full(before + values.size + quiet * (len(lengths) - 1), lowest(values))
    place = np.arange(values.size) + repeat(
        np.arange(len(lengths), dtype=np.int64) * quiet, lengths
    )
    padded[place + before] = values
    return max_ahead(padded, before + after)[place]


def max_ahead(values: Array, reach: int) -> Array:
    """Turn each value into the maximum of itself and ``reach`` values after it.

    Two overlapping windows make a longer one, so each pass can double the length. The values are
    written over: many in place; few from one array into another and back, which is quicker.
    """
    covered, largest = 1, np.logical_or if values.dtype == bool else np.maximum
    other = np.empty_like(values) if values.size <= _FEW else values
    while covered <= reach:
        left = reach + 1 - covered
        step = min(left, covered)  # quicker than min() in small calls
        largest(values[:-step], values[step:], out=other[:-step])
        if other is not values:
            other[-step:] = values[-step:]
            values, other = other, values
        covered += step
    return values


def earliest(places: Positions, before: int | str, events: Events) -> Positions:
    """The first point of the series that lies at most ``before`` ahead of each place.

    A negative ``before`` asks for the first point that lies so far behind it, or farther.

    >>> from adjudge.data.case import Case
    >>> times = ["2026-01-01 00:00", "2026-01-01 00:10", "2026-01-01 00:11", "2026-01-01 00:12"]
    >>> events = Case([0, 0, 0, 1], [0, 0, 0, 1], time=times).events
    >>> earliest(events.starts, 2, events), earliest(events.starts, "1min", events)
    (array([1]), array([2]))
    """
    if isinstance(before, str):
        return _looked_up(places, -signed_duration(before, "before"), events, "left")
    bounds = events.series_bounds
    home = _home(places, bounds)
    return np.clip(places - before, bounds[home], bounds[home + 1])


def past_latest(places: Positions, after: int | str, events: Events) -> Positions:
    """The point behind the last one of the series that lies at most ``after`` behind each place."""
    if isinstance(after, str):
        return _looked_up(places, signed_duration(after, "after"), events, "right")
    bounds = events.series_bounds
    home = _home(places, bounds)
    return np.clip(places + 1 + after, bounds[home], bounds[home + 1])


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
    return max_over(values, begin, end)


def seconds(events: Events) -> Floats:
    """When each point was, in seconds since the first point of its series."""
    assert events.clock is not None  # noqa: S101 - whoever asks has looked
    instants, bounds = events.clock.instants, events.whole_series
    return (instants - repeat(instants[bounds[:-1]], np.diff(bounds))) / NANOSECONDS["s"]


def late_seconds(late: Floats, events: Events) -> Floats:
    """Delays in points as seconds of the clock; NaN stays so."""
    when = seconds(events)
    place = events.starts + np.nan_to_num(late).astype(np.int64)
    return np.where(np.isnan(late), np.nan, when[place] - when[events.starts])


def max_over(values: Array, begin: Positions, end: Positions) -> Array:
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
        later = _later(instants[places[chosen]], by)
        found[chosen] = first + np.searchsorted(instants[first:stop], later, side=side)
    return found


def _later(instants: Positions, by: int) -> Positions:
    """The instants so much later, as far as time is counted."""
    ends = np.iinfo(np.int64)
    kept = np.minimum(instants, ends.max - by) if by > 0 else np.maximum(instants, ends.min - by)
    return np.asarray(kept + by)


def _home(places: Positions, bounds: Positions) -> Positions:
    return np.searchsorted(bounds, places, side="right") - 1
