"""Intervals: runs of flags, and which intervals of one list meet which of another, without a loop.

Both lists are ascending and without overlap among themselves, as events and runs are, so there
are never more pairs than intervals in both lists together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from adjudge._typing import Array, Flags, Positions


def runs(mask: Flags, firsts: Positions) -> tuple[Positions, Positions]:
    """Find the maximal runs of True that do not continue across any of the positions ``firsts``.

    >>> runs(np.array([True, True, False, True]), np.array([0]))
    (array([0, 3]), array([2, 4]))
    """
    if len(firsts) == 1:
        edges = (mask[1:] != mask[:-1]).nonzero()[0]
        edges += 1
        begins, ends = int(mask[0]), int(mask[-1])
        if begins or ends:
            inner, edges = edges, np.empty(begins + edges.size + ends, np.int64)
            edges[begins : begins + inner.size] = inner
            edges[:begins], edges[edges.size - ends :] = 0, mask.size
        return edges[::2].copy(), edges[1::2].copy()
    before = np.empty_like(mask)
    before[:1] = False
    before[1:] = mask[:-1]
    before[firsts] = False
    starts = np.flatnonzero(mask > before)
    after = before  # the same memory serves once more
    after[:-1] = mask[1:]
    after[-1] = False
    after[firsts - 1] = False
    return starts, np.flatnonzero(mask > after) + 1


def index_sized(numbers: Any) -> NDArray[np.intp]:
    """Places and counts as NumPy takes them: an index has 32 bits in a browser, our places 64.

    >>> index_sized([1, 2]).dtype == np.intp
    True
    """
    found = np.asarray(numbers)  # an empty list is one of floats
    return found.astype(np.intp, casting="same_kind" if found.size else "unsafe", copy=False)


def repeat(values: Any, times: Any, axis: int | None = None) -> Array:
    """`np.repeat`, whatever the width of the whole numbers that say how often.

    >>> repeat(np.array([5, 7]), np.array([2, 1], np.int64))
    array([5, 5, 7])
    """
    return np.repeat(values, index_sized(times), axis)


def bincount(places: Any, weights: Any = None, minlength: int = 0) -> Array:
    """`np.bincount`, whatever the width of the whole numbers that say where; counts have 64 bits.

    >>> bincount(np.array([2, 0, 2], np.int64))
    array([1, 0, 2])
    """
    sums = np.bincount(index_sized(places), weights, minlength)
    return sums if weights is not None else sums.astype(np.int64, copy=False)


def reduceat(
    ufunc: np.ufunc, values: Array, firsts: Any, axis: int = 0, dtype: Any = None
) -> Array:
    """``ufunc.reduceat``, whatever the width of the whole numbers that say where parts begin.

    >>> reduceat(np.add, np.array([1, 2, 3]), np.array([0, 2], np.int64))
    array([3, 3])
    """
    return np.asarray(ufunc.reduceat(values, index_sized(firsts), axis, dtype))


def judged_pieces(
    starts: Positions, stops: Positions, judged: Flags
) -> tuple[Positions, Positions, Positions]:
    """Cut intervals, which may overlap, into what is judged of them: starts, stops, whose each is.

    >>> judged_pieces(np.array([0, 1]), np.array([3, 2]), np.array([True, False, True]))
    (array([0, 2]), array([1, 3]), array([0, 0]))
    """
    parts = [runs(judged[a:b], np.array([0])) for a, b in zip(starts, stops, strict=True)]
    which = repeat(np.arange(starts.size), [len(begin) for begin, _ in parts])
    begin, end = (
        np.concatenate([np.zeros(0, np.int64), *(part[side] for part in parts)]) for side in (0, 1)
    )
    return begin + starts[which], end + starts[which], which


def distinct(values: Array) -> Array:
    """The distinct values, ascending: `np.unique` without its import of masked arrays.

    >>> distinct(np.array([3, 1, 3]))
    array([1, 3])
    """
    values = np.sort(values)
    kept = np.ones(values.size, bool)
    np.not_equal(values[1:], values[:-1], out=kept[1:])
    return values[kept]


def reduce_over(
    ufunc: np.ufunc, values: Array, starts: Positions, stops: Positions, dtype: Any = None
) -> Array:
    """Reduce the values of each interval to one, without a loop.

    >>> reduce_over(np.minimum, np.array([5, 2, 3, 1]), np.array([0, 2]), np.array([2, 4]))
    array([2, 1])
    """
    if not starts.size:
        return np.zeros(0, dtype or values.dtype)
    edges = np.empty(2 * starts.size, np.int64)
    edges[::2], edges[1::2] = starts, stops
    edges = edges[:-1] if edges.item(-1) == values.size else edges  # reduceat runs on to the end
    return reduceat(ufunc, values, edges, dtype=dtype)[::2].copy()  # what lies between is let go


def covered(starts: Positions, stops: Positions, n: int) -> Flags:
    """Which of so many points lie in an interval; intervals may overlap, and may be empty.

    >>> covered(np.array([0, 1, 4]), np.array([2, 3, 4]), 5)
    array([ True,  True,  True, False, False])
    """
    steps = np.zeros(n + 1, np.int32)
    np.add.at(steps, starts, 1)
    np.add.at(steps, stops, -1)
    return np.asarray(np.cumsum(steps[:-1], out=steps[:-1]) > 0)


class Overlaps(NamedTuple):
    """Pairs of overlapping intervals, in the order of time."""

    one: Positions
    """Number of the interval of the first list."""
    other: Positions
    """Number of the interval of the second list."""
    length: Positions
    """How many points they share."""


def first_and_count(
    starts: Positions, stops: Positions, other_starts: Positions, other_stops: Positions
) -> tuple[Positions, Positions]:
    """The first of the other intervals that each interval meets, and how many it meets.

    >>> others = np.array([1, 4, 9]), np.array([2, 7, 10])
    >>> first_and_count(np.array([0, 6]), np.array([5, 8]), *others)
    (array([0, 1]), array([2, 1]))
    """
    first = np.searchsorted(other_stops, starts, side="right")
    return first, np.searchsorted(other_starts, stops, side="left") - first


def overlaps(
    starts: Positions, stops: Positions, other_starts: Positions, other_stops: Positions
) -> Overlaps:
    """All pairs that share a point.

    >>> overlaps(np.array([0, 6]), np.array([5, 8]), np.array([1, 4, 9]), np.array([2, 7, 10]))
    Overlaps(one=array([0, 0, 1]), other=array([0, 1, 1]), length=array([1, 1, 1]))
    """
    first, count = first_and_count(starts, stops, other_starts, other_stops)
    one = repeat(np.arange(len(starts)), count)
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
    return np.arange(total) + repeat(first - ends + count, count)


def stretch_widths(starts: Positions, stops: Positions, n: int) -> Positions:
    """Widths of all there is: gap, event, gap, event ... gap.

    >>> stretch_widths(np.array([1, 5]), np.array([3, 6]), 9)
    array([1, 2, 2, 1, 3])
    """
    widths = np.empty(2 * len(starts) + 1, np.int64)
    widths[1::2] = stops - starts
    widths[0], widths[2::2] = 0, -stops
    widths[:-1:2] += starts
    widths[-1] += n
    return widths


def fill(values: Array, scores: Array, starts: Positions, stops: Positions, inside: Flags) -> Array:
    """Scores with one value per interval in the place of those of its points.

    >>> labels = np.array([False, True, True, False])
    >>> fill(np.array([9]), np.array([1, 2, 3, 4]), np.array([1]), np.array([3]), labels)
    array([1, 9, 9, 4])
    """
    if scores.size < 8 * starts.size:  # widths of all stretches would weigh as much as the scores
        filled = scores.copy()
        filled[inside] = repeat(values, stops - starts)
        return filled
    stretches = stretch_widths(starts, stops, scores.size)
    each = np.zeros(stretches.size, scores.dtype)
    each[1::2] = values
    filled = repeat(each, stretches)
    if scores.dtype == bool:
        filled |= scores > inside
    else:
        np.copyto(filled, scores, where=~inside)
    return filled
