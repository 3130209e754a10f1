"""Spans: which points lie in an interval of time, or of whatever the points are ordered by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from adjudge.checks import word
from adjudge.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge._typing import Positions

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
