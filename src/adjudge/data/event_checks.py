"""Checks of events: positions, intervals, bounds and ids, each refused with its place."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.checks import is_whole, whole, word
from adjudge.data.columns import binary, column, ids
from adjudge.data.interval_reading import check_increasing, merged, pairs_of
from adjudge.errors import InputError, shown

if TYPE_CHECKING:
    from collections.abc import Iterable

    from adjudge._typing import Array, Column, Flags, Positions
    from adjudge.data.clock import Clock
    from adjudge.data.interval_reading import Closed

_FAR = 2**62
_EVEN = 0.75  # the share of steps about as long as the median from which on a series has a step


def positions(values: Array, name: str) -> Positions:
    """Whole numbers as positions; refused where they are none."""
    try:
        array = np.asarray(values)
    except Exception:  # noqa: BLE001 - whatever somebody's object does
        array = np.zeros(())
    if array.ndim != 1:
        raise InputError(f"{name} must be a column of whole numbers, got {shown(values)}")
    if array.dtype.kind not in "iu":
        array = np.array([_position(v, name, i) for i, v in enumerate(array.tolist())], np.int64)
    return array.astype(np.int64)


def _position(value: object, name: str, index: int) -> int:
    if is_whole(value):
        return max(-_FAR, min(int(value), _FAR))  # what lies beyond is outside any series
    raise InputError(f"{name} must be whole numbers, got {shown(value)} at index {index}")


def check_clock(clock: Clock, n: int, bounds: Positions) -> None:
    """Refuse a clock of another length, or one that does not increase."""
    if clock.instants.size != n:
        raise InputError(f"time must be one time per point, got {clock.instants.size} for {n}")
    check_increasing(clock, bounds, "time")


def among_points(
    intervals: Iterable[tuple[int, int]], n: int, closed: Closed | None, *, merge: bool
) -> tuple[Positions, Positions]:
    """Read intervals of positions, half-open unless it is said that they are closed."""
    begin, end = (_objects(side) for side in pairs_of(intervals))
    starts, stops = positions(begin, "starts"), positions(end, "stops")
    if closed is not None:
        stops = stops + (word(closed, "closed", ("both", "left")) == "both")
    if merge:
        check_intervals(starts, stops, n, apart=False)
        starts, stops = merged(starts, stops)
    return starts, stops


def _objects(values: list[Any]) -> Array:
    """Keep the values as they are: whole numbers of any size, and whatever else came."""
    array = np.empty(len(values), object)
    for place, value in enumerate(values):
        array[place] = value
    return array


def gaps_in(instants: Positions, bounds: Positions) -> Positions:
    """The points behind a gap: those that come more than two steps after the one before.

    The step of a series is the median of its steps. Where fewer than three quarters of them are
    within a half and one and a half of it, the series has no step, and no pause is a gap.

    >>> gaps_in(np.array([0, 1, 2, 3, 9, 10]), np.array([0, 6]))
    array([4])
    >>> gaps_in(np.array([0, 1, 5, 6, 30, 70]), np.array([0, 6]))
    array([], dtype=int64)
    """
    found = [np.zeros(0, np.int64)]
    for first, stop in pairwise(bounds.tolist()):
        steps = np.diff(instants[first:stop])
        usual = np.median(steps) if steps.size else 0.0
        late = np.flatnonzero(steps > 2 * usual)
        even = np.count_nonzero(np.abs(steps - usual) <= usual / 2) >= _EVEN * steps.size
        if late.size and even:
            found.append(first + late + 1)
    return np.concatenate(found)


def check_judged(labels: Flags, judged: Flags) -> None:
    """Refuse events on points that are not judged."""
    if not judged[labels].all():
        first = int(np.argmax(labels & ~judged))
        raise InputError(
            f"events must be on judged points, got one at index {first}; within(where=...) "
            "drops such points"
        )


def check_intervals(starts: Positions, stops: Positions, n: int, *, apart: bool = True) -> None:
    """Refuse events that leave the series, are empty, or overlap."""
    if not is_whole(n) or n < 1:
        hint = "; give the number of points, as n=1000" if n is None else ""
        raise InputError(f"n must be a whole number of points, at least 1, got {shown(n)}{hint}")
    whole(n, "n", 1, _FAR)
    if starts.shape != stops.shape or starts.ndim != 1:
        raise InputError(
            f"starts and stops must be equally long, got shapes {starts.shape} and {stops.shape}"
        )
    previous = np.concatenate([[0], stops[:-1]])
    joined = "; from_intervals(..., merge=True) sorts and joins them"
    for wrong, rule, hint in (
        ((starts < 0) | (stops > n), f"inside [0, {n})", ""),
        (stops <= starts, "half-open with start < stop", ""),
        (apart & (starts < previous), "ascending and without overlap", joined),
    ):
        if wrong.any():
            i = int(np.argmax(wrong))
            got = f"[{starts[i]}, {stops[i]}) at index {i}"
            raise InputError(f"events must be {rule}, got {got}{hint}")


def check_crossings(starts: Positions, stops: Positions, bounds: Positions) -> None:
    """Refuse events that lie in two series."""
    home = np.searchsorted(bounds, starts, side="right")
    crossing = bounds[home] < stops
    if crossing.any():
        i = int(np.argmax(crossing))
        raise InputError(
            f"events must lie within one series, got [{starts[i]}, {stops[i]}) "
            f"across the boundary at {bounds[home[i]]}"
        )


def series_bounds(series: Column, n: int) -> tuple[Positions, Array | None]:
    """Where each series begins, closed by ``n``, and the ids."""
    if series is None:
        return np.array([0, n]), None
    given = _ids(series, n)
    firsts = np.concatenate([[0], np.flatnonzero(given[1:] != given[:-1]) + 1])
    names = given[firsts]
    seen: dict[object, int] = {}
    for first, name in zip(firsts.tolist(), names.tolist(), strict=True):
        if name in seen:
            raise InputError(
                f"series must have equal ids in adjacent rows, got {shown(name)} again at "
                f"index {first} after index {seen[name]}; sort the points by series first"
            )
        seen[name] = first
    return np.append(firsts, n), names


def by_series(series: Column, n: int) -> tuple[Positions, Positions]:
    """The points series by series, each in its own order, and where each series then begins.

    Equal ids need not be adjacent.

    >>> by_series(["b", "a", "b"], 3)
    (array([0, 2, 1]), array([0, 2, 3]))
    """
    if series is None:
        return np.arange(n), np.array([0, n])
    seen: dict[object, int] = {}
    groups = np.array([seen.setdefault(name, len(seen)) for name in _ids(series, n).tolist()])
    order = np.argsort(groups, kind="stable")
    return order, np.searchsorted(groups[order], np.arange(len(seen) + 1))


def _ids(series: Column, n: int) -> Array:
    given = ids(series, "series")
    if given.shape != (n,):
        raise InputError(f"series must be one id per point, got shape {given.shape} for {n} points")
    return given


def judged_points(where: Column, n: int, name: str) -> Flags:
    """Which points are judged, one bool per point."""
    judged = binary(where, name)
    if len(judged) != n:
        raise InputError(f"{name} must be one bool per point, got {len(judged)} for {n} points")
    if not judged.any():
        raise InputError(f"{name} must judge at least one point, got none of {n}")
    return judged


def checked_bounds(bounds: Column, n: int) -> Positions:
    """Bounds of series that begin at 0, ascend and end at ``n``."""
    if bounds is None:
        return np.array([0, n])
    array = positions(bounds, "bounds")
    if array.ndim != 1 or array.size < 2 or array[0] != 0 or array[-1] != n:
        raise InputError(
            f"bounds must be the start of each series, from 0, then n = {n}, got "
            f"{np.array2string(array, threshold=6, separator=', ')}"
        )
    if np.any(array[1:] <= array[:-1]):
        first = int(np.argmax(array[1:] <= array[:-1])) + 1
        raise InputError(f"bounds must be ascending, got {array[first]} at index {first}")
    return array


def checked_severity(severity: Column, count: int) -> Array | None:
    """One number per event, if any."""
    if severity is None:
        return None
    array = column(severity, "severity").copy() if len(severity) else np.zeros(0)
    if len(array) != count:
        raise InputError(
            f"severity must be one number per event, got {len(array)} for {count} events"
        )
    return array


def checked_clocks(clocks: Any, count: int) -> Positions:
    """One number per series, counted from 0."""
    array = positions(clocks, "clocks")
    if array.size != count:
        raise InputError(f"clocks must be one number per series, got {array.size} for {count}")
    return np.unique(array, return_inverse=True)[1].astype(np.int64)


def checked_names(names: Column, count: int) -> Array | None:
    """One id per series, if any."""
    if names is None:
        return None
    array = ids(names, "names").copy()
    if array.shape != (count,):
        raise InputError(f"names must be one id per series, got {array.size} for {count} series")
    return array
