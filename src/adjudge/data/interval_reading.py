"""Read intervals: positions, or times against an index of times or a grid of equal steps.

Spans: which points lie in an interval of time, or of whatever the points are ordered by.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from adjudge.checks import items, word
from adjudge.data.clock import Clock, same_zone
from adjudge.data.durations import NANOSECONDS, duration, in_words
from adjudge.errors import InputError, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from adjudge._typing import Array, Column, Positions

Closed = Literal["both", "left"]


def positions(
    index: Positions,
    starts: Positions,
    stops: Positions,
    closed: Closed,
    shown: Callable[[int], Any] = int,
) -> tuple[Positions, Positions]:
    """The first point of each interval and the first one after it.

    With ``closed="both"`` a point at the end belongs to the interval, with "left" it does not. An
    interval in which no point lies gives an empty pair.

    >>> index = np.array([0, 10, 20, 30])
    >>> positions(index, np.array([10]), np.array([20]), "both")
    (array([1]), array([3]))
    >>> positions(index, np.array([10]), np.array([20]), "left")
    (array([1]), array([2]))
    """
    word(closed, "closed", ("both", "left"))
    wrong = starts > stops if closed == "both" else starts >= stops
    if wrong.any():
        i = int(np.argmax(wrong))
        rule = "start <= end" if closed == "both" else "start < end"
        got = f"{shown(starts[i])} to {shown(stops[i])}"
        raise InputError(f"intervals must have {rule}, got {got} at index {i}")
    first = np.searchsorted(index, starts, side="left")
    return first, np.searchsorted(index, stops, side="right" if closed == "both" else "left")


def merged(starts: Positions, stops: Positions) -> tuple[Positions, Positions]:
    """Sort half-open intervals and join those that overlap or touch.

    >>> merged(np.array([5, 0, 2]), np.array([9, 3, 4]))
    (array([0, 5]), array([4, 9]))
    """
    order = np.argsort(starts, kind="stable")
    starts, reach = starts[order], np.maximum.accumulate(stops[order])
    new = np.concatenate([[True], starts[1:] > reach[:-1]])[: starts.size]
    last = np.append(np.flatnonzero(new)[1:] - 1, starts.size - 1)[: np.count_nonzero(new)]
    return starts[new], reach[last]


MAX_STEPS = 20_000_000
HOUR_TWICE = (
    "without an offset from UTC this hour occurs twice at the end of summer time; write "
    "offsets, as in 02:00:00+01:00, or use UTC (sorting would mix the two hours)"
)
_NIGHT = (23, 0, 1, 2, 3)  # when clocks are put back


def pairs_of(intervals: Iterable[Any]) -> tuple[list[Any], list[Any]]:
    """The starts and the ends of pairs; what is not two is refused."""
    pairs = items(intervals, "intervals", "pairs (start, stop)")
    for index, pair in enumerate(pairs):
        if not hasattr(pair, "__len__") or isinstance(pair, str) or len(pair) != 2:
            raise InputError(
                f"intervals must be pairs (start, stop), got {shown(pair)} at index {index}"
            )
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def on_index(
    intervals: Iterable[Any], index: Column, closed: Closed | None, unit: str | None, *, merge: bool
) -> tuple[Positions, Positions, Clock]:
    """Place intervals of time on an index: the points of each, and the clock of the index."""
    if closed is None:
        raise InputError(
            "closed must be given: 'both' if intervals include their end, 'left' if not"
        )
    clock = Clock.read(index, "index", unit)
    check_increasing(clock, np.array([0, clock.instants.size]), "index")
    begin, end = (_read(side, "intervals", unit) for side in pairs_of(intervals))
    same_zone([("index", clock), *(("intervals", c) for c in (begin, end) if c.instants.size)])
    starts, stops = positions(
        clock.instants, begin.instants, end.instants, closed, clock.instant_text
    )
    empty = starts >= stops
    if empty.any():
        i = int(np.argmax(empty))
        interval = f"{begin.text(i)} to {end.text(i)}"
        raise InputError(f"intervals must cover a point of the index, got {interval} at index {i}")
    if merge:
        starts, stops = merged(starts, stops)
    _check_apart(starts, stops, begin, end)
    return starts, stops, clock


def on_grid(
    moments: Iterable[Any],
    span: tuple[Any, Any],
    every: object,
    unit: str | None,
    *,
    merge: bool,
) -> tuple[Positions, Positions, Clock]:
    """Place intervals or single moments on a grid: each marks every step that it touches."""
    step = duration(every, "every")
    edges = _read(list(span), "span", unit)
    first, last = edges.instants.tolist()
    if not (step and first < last):
        raise InputError(
            f"span must be (start, end) with start < end, got {shown(span)} by {every!r}"
        )
    count = -(-(last - first) // step)
    if count > MAX_STEPS:
        raise InputError(
            f"every must give at most {MAX_STEPS:,} steps, got {count:,} of {in_words(step)}"
        )
    clock = Clock(first + step * np.arange(count, dtype=np.int64), edges.zone)
    both = [moment if _is_pair(moment) else (moment, moment) for moment in moments]
    begin, end = (_read(side, "intervals", unit) for side in pairs_of(both))
    same_zone([("span", edges), *(("intervals", c) for c in (begin, end) if c.instants.size)])
    _check_inside(begin, end, edges)
    starts = (begin.instants - first) // step
    stops = np.maximum(-((first - end.instants) // step), starts + 1)
    if merge:
        starts, stops = merged(starts, stops)
    _check_apart(starts, stops, begin, end)
    return starts, stops, clock


def check_increasing(
    clock: Clock, bounds: Positions, name: str, fix: str = "sort=True (--sort) sorts the points"
) -> None:
    """Refuse times that do not increase within each series, with the first place and the fix."""
    steps = steps_within(clock.instants, bounds)
    if not np.any(steps <= 0):
        return
    place = int(np.argmax(steps <= 0)) + 1
    what = "again" if steps[place - 1] == 0 else f"after {clock.text(place - 1)}"
    fix += "; keep only one point of equal times" * bool(np.any(steps == 0))
    raise InputError(
        f"{name} must be strictly increasing, got {clock.text(place)} {what} at index {place} "
        f"({np.count_nonzero(steps <= 0)} such steps); "
        f"{HOUR_TWICE if shows_an_hour_twice(clock, steps) else fix}"
    )


def steps_within(values: Array, bounds: Positions) -> Array:
    """The step to each point but the first; from one series to the next it is 1."""
    steps = np.diff(values)
    steps[bounds[1:-1] - 1] = 1  # from one series to the next anything may happen
    return steps


def shows_an_hour_twice(clock: Clock, steps: Array) -> bool:
    """Whether all steps back are of a clock without a zone that was put back by an hour.

    Such a clock goes back at night, once in months, by an hour less one step of the sampling, and
    then runs through the same time once more; a row that came late is passed at once instead.
    Sampled by the hour it says one time twice.
    """
    back = np.flatnonzero(steps <= 0)
    if clock.zone is not None or not back.size or not np.any(steps > 0):
        return False
    hour, usual = NANOSECONDS["h"], np.median(steps[steps > 0])
    by, then, there = -steps[back], np.append(steps, 0)[back + 1], clock.instants[back + 1]
    fits = (by < hour) & (hour - by <= 5 * usual) & np.isin(there // hour % 24, _NIGHT)
    again = ((then > 0) & (then <= by)) | ((by == 0) & (usual == hour))
    seldom = np.all(np.diff(back) * usual > NANOSECONDS["d"])
    return bool(seldom and np.all(fits & again))


def _read(values: list[Any], name: str, unit: str | None) -> Clock:
    return Clock.read(values, name, unit) if values else Clock(np.empty(0, np.int64))


def _is_pair(moment: Any) -> bool:
    return hasattr(moment, "__len__") and not isinstance(moment, str)


def _check_inside(begin: Clock, end: Clock, edges: Clock) -> None:
    first, last = edges.instants.tolist()
    wrong = (begin.instants < first) | (end.instants > last) | (begin.instants > end.instants)
    wrong |= begin.instants >= last
    if wrong.any():
        i = int(np.argmax(wrong))
        raise InputError(
            f"intervals must lie in the span from {edges.text(0)} to {edges.text(1)} with start <= "
            f"end, got {begin.text(i)} to {end.text(i)} at index {i}"
        )


def _check_apart(starts: Array, stops: Array, begin: Clock, end: Clock) -> None:
    late = np.flatnonzero(starts[1:] < stops[:-1])
    if late.size:
        i = int(late[0]) + 1
        raise InputError(
            "intervals must be ascending and without overlap, got "
            f"{begin.text(i)} to {end.text(i)} at index {i}; merge=True sorts and joins them"
        )
