"""Windows: the highest value around each point, over stretches that nothing reaches across."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags, Positions


def moving_max(values: Array, before: int, after: int, bounds: Positions) -> Array:
    """For each point the maximum over ``before`` points to its left and ``after`` to its right.

    Windows are clipped to the series. The cost does not depend on the width but for its logarithm.

    >>> moving_max(np.array([3, 1, 2, 9]), 1, 1, np.array([0, 3, 4]))
    array([3, 3, 2, 9])
    """
    lengths = np.diff(bounds)
    if len(lengths) == 1:
        return _moving_max(values, before, after, lengths)
    magnitude = np.frexp(lengths)[1]  # series of like length share a layout: little is wasted
    sizes = np.unique(magnitude)
    if len(sizes) == 1:
        return _moving_max(values, before, after, lengths)
    result = np.empty_like(values)
    for alike in (magnitude == size for size in sizes):
        points = np.flatnonzero(np.repeat(alike, lengths))
        result[points] = _moving_max(values[points], before, after, lengths[alike])
    return result


def sliding_max(values: Array, width: int, bounds: Positions) -> Array:
    """For each point the maximum over ``width`` points around it, slid to stay in its stretch.

    No window is clipped: each holds ``width`` points, or its whole stretch where that is shorter.

    >>> sliding_max(np.array([3, 1, 2, 0, 9]), 3, np.array([0, 4, 5]))
    array([3, 3, 2, 2, 9])
    """
    width = min(width, values.size)
    begin, _ = sliding_windows(width, bounds)
    return moving_max(values, 0, width - 1, bounds)[begin]


def sliding_windows(width: int, bounds: Positions) -> tuple[Positions, Positions]:
    """Say where the window of each point begins and where it ends.

    >>> sliding_windows(3, np.array([0, 4, 5]))
    (array([0, 0, 1, 1, 4]), array([3, 3, 4, 4, 5]))
    """
    lengths, points = np.diff(bounds), np.arange(bounds[-1])
    width = min(width, points.size)
    first, stop = np.repeat(bounds[:-1], lengths), np.repeat(bounds[1:], lengths)
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


def _moving_max(values: Array, before: int, after: int, lengths: Positions) -> Array:
    """Lay the series out with quiet stretches between them, so that no window meets two."""
    before, after = (min(reach, int(lengths.max()) - 1) for reach in (before, after))
    quiet = max(before, after)
    padded = np.full(before + values.size + quiet * (len(lengths) - 1), lowest(values))
    if len(lengths) == 1:
        padded[before:] = values
        return _max_ahead(padded, before + after)[: values.size]
    place = np.arange(values.size) + np.repeat(np.arange(len(lengths)) * quiet, lengths)
    padded[place + before] = values
    return _max_ahead(padded, before + after)[place]


def _max_ahead(values: Array, reach: int) -> Array:
    """Turn each value into the maximum of itself and ``reach`` values after it, in place.

    Two overlapping windows make a longer one, so each pass can double the length.
    """
    covered = 1
    while covered <= reach:
        step = min(covered, reach + 1 - covered)
        np.maximum(values[:-step], values[step:], out=values[:-step])
        covered += step
    return values
