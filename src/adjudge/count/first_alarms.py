"""Count first alarms: what a stretch of time earns by its earliest flag, at every threshold.

As the threshold falls, the first flag of a stretch moves forward, and only to points that outscore
all before them in the stretch. So what is earned is again a weighted count of values above the
threshold: each such point adds what it earns beyond the next one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from adjudge.count.tally import Mass

if TYPE_CHECKING:
    from adjudge._typing import Array, Floats, Positions


def first_alarms(scores: Array, stretch: Positions, earns: Floats) -> Mass:
    """Credit each stretch with what its earliest point above the threshold earns.

    Parameters
    ----------
    scores : array
        Scores (or flags) of the points of all stretches, one stretch after the other.
    stretch : array of int
        Which stretch a point belongs to; ascending.
    earns : array of float
        What each point earns if it is the first.

    Examples
    --------
    >>> scores, earns = np.array([2.0, 1.0, 3.0]), np.array([1.0, 0.9, 0.4])
    >>> mass = first_alarms(scores, np.array([0, 0, 0]), earns)
    >>> [mass.above(threshold) for threshold in (3.0, 2.0, 1.0)]
    [0.0, 0.4, 1.0]
    """
    levels, rank = np.unique(scores, return_inverse=True)
    height = rank.reshape(-1) + stretch.astype(np.int64) * levels.size  # a later one outranks all
    highest = np.maximum.accumulate(height)
    record = np.append(True, highest[1:] > highest[:-1])[: scores.size]
    stretch, earns = stretch[record], earns[record]
    weights = earns.astype(np.float64)
    weights[:-1] -= np.where(stretch[1:] == stretch[:-1], earns[1:], 0)
    return Mass(scores[record], weights=weights)
