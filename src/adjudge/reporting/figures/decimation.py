"""Decimation: what to draw of a million points, so that no alarm, event or extreme disappears.

The time axis is cut into columns, about one per dot of a screen. Of each column are kept the lowest
and the highest score, the highest flag, and the dearest and the longest interval that starts there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from adjudge._typing import Array, Floats, Positions

COLUMNS = 2000
_LARGEST = 1e300  # what lies beyond stands for an infinite score


def drawable(scores: Floats) -> Floats:
    """The scores with infinities at the height of the lowest and highest finite ones.

    A score that is missing is drawn at the bottom: it is of a point that is not judged.

    >>> drawable(np.array([0.5, np.inf, -np.inf, 2.0]))
    array([0.5, 2. , 0.5, 2. ])
    """
    finite = scores[np.abs(scores) < _LARGEST]
    if not finite.size:
        return np.sign(np.nan_to_num(scores))
    return np.clip(np.nan_to_num(scores, nan=-np.inf), finite.min(), finite.max())


def extremes(values: Floats, columns: int = COLUMNS) -> Positions:
    """Places of the lowest and highest value of each column, in the order of time.

    >>> extremes(np.array([0.0, 5.0, 1.0, 2.0, -3.0, 2.0]), columns=2)
    array([0, 1, 4, 5])
    """
    if values.size <= 2 * columns:
        return np.arange(values.size)
    starts = np.linspace(0, values.size, columns, endpoint=False).astype(np.int64)
    column = np.repeat(np.arange(columns), np.diff(starts, append=values.size))
    order = np.lexsort((values, column))
    ends = np.append(starts[1:], values.size) - 1
    return np.unique(np.concatenate([order[starts], order[ends], [0, values.size - 1]]))


def highest(places: Positions, heights: Floats, n: int, columns: int = COLUMNS) -> Positions:
    """Those of some places that are the highest of their column.

    >>> highest(np.array([0, 1, 9]), np.array([3.0, 4.0, 1.0]), 10, columns=2)
    array([1, 9])
    """
    if places.size <= columns:
        return places
    column = places * columns // n
    order = np.lexsort((heights, column))
    last = np.append(np.diff(column[order]) != 0, True)
    kept: Positions = places[order[last]]
    return kept


def shown_intervals(
    starts: Positions, stops: Positions, weights: Array, n: int, columns: int = COLUMNS
) -> Positions:
    """Numbers of the intervals to draw, the lightest first, so that the dearest lies on top.

    Of those that start in one column the heaviest and the longest are enough: the others would be
    hidden behind them, for each is drawn at least one column wide.

    >>> starts, stops = np.array([0, 1, 2, 8]), np.array([1, 6, 3, 9])
    >>> shown_intervals(starts, stops, np.array([1, 5, 9, 2]), 10, columns=2)
    array([3, 1, 2])
    """
    chosen = np.arange(starts.size)
    if starts.size > columns:
        column = starts * columns // n
        kept = [np.lexsort((by, column)) for by in (weights, stops)]
        chosen = np.unique([k[np.append(np.diff(column[k]) != 0, True)] for k in kept])
    return chosen[np.argsort(weights[chosen], kind="stable")]
