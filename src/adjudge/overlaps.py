"""Overlaps: which intervals of one list meet which of another, without a loop.

Both lists are ascending and without overlap among themselves, as events and runs are, so there
are never more pairs than intervals in both lists together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from adjudge._typing import Positions


class Overlaps(NamedTuple):
    """Pairs of overlapping intervals, in the order of time."""

    one: Positions
    """Number of the interval of the first list."""
    other: Positions
    """Number of the interval of the second list."""
    length: Positions
    """How many points they share."""


def met(
    starts: Positions, stops: Positions, other_starts: Positions, other_stops: Positions
) -> tuple[Positions, Positions]:
    """Give the first of the other intervals that each interval meets, and how many it meets.

    >>> met(np.array([0, 6]), np.array([5, 8]), np.array([1, 4, 9]), np.array([2, 7, 10]))
    (array([0, 1]), array([2, 1]))
    """
    first = np.searchsorted(other_stops, starts, side="right")
    return first, np.searchsorted(other_starts, stops, side="left") - first


def overlaps(
    starts: Positions, stops: Positions, other_starts: Positions, other_stops: Positions
) -> Overlaps:
    """Give all pairs that share a point.

    >>> overlaps(np.array([0, 6]), np.array([5, 8]), np.array([1, 4, 9]), np.array([2, 7, 10]))
    Overlaps(one=array([0, 0, 1]), other=array([0, 1, 1]), length=array([1, 1, 1]))
    """
    first, count = met(starts, stops, other_starts, other_stops)
    one = np.repeat(np.arange(len(starts)), count)
    other = stretches(first, count)
    begin = np.maximum(starts[one], other_starts[other])
    return Overlaps(one, other, np.minimum(stops[one], other_stops[other]) - begin)


def stretches(first: Positions, count: Positions) -> Positions:
    """Count up from each first number, as far as asked, one stretch after the other.

    >>> stretches(np.array([5, 0, 7]), np.array([2, 0, 3]))
    array([5, 6, 7, 8, 9])
    """
    ends = np.cumsum(count)
    total = int(ends[-1]) if ends.size else 0
    return np.arange(total) + np.repeat(first - ends + count, count)
