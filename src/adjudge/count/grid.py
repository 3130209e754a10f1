"""Sweeping over a grid of thresholds, for countings that must be made anew at each.

The grid holds every distinct score when there are few, else as many as asked for, evenly spaced by
rank, so that an increasing map of the scores changes nothing. It stands in the spec:
``best(etapr_f1, thresholds=250)``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from adjudge.count.tally import Tally
from adjudge.data.columns import locked

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge._typing import Array, Floats

GRID = 250


def grid(scores: Array, count: int | None) -> Floats:
    """Thresholds to try: distinct scores by rank, from the highest down, and ``-inf``.

    >>> grid(np.array([1.0, 3.0, 2.0, 2.0]), None)
    array([  3.,   2.,   1., -inf])
    >>> grid(np.arange(100.0), 3)
    array([ 99.,  50.,   0., -inf])
    """
    distinct = np.unique(scores)
    distinct = distinct[distinct > -np.inf] + 0.0  # -0.0 is 0.0
    if count is not None and count < distinct.size:
        distinct = distinct[np.round(np.linspace(0, distinct.size - 1, count)).astype(np.intp)]
    return locked(np.append(distinct[::-1], -np.inf))


@dataclass(frozen=True, eq=False)
class Sampled:
    """Counts at the thresholds of a grid, made one by one when they are asked for."""

    thresholds: Floats
    count: Callable[[float], Tally]

    def at(self, threshold: float) -> Tally:
        """Count at one threshold, of the grid or not."""
        return self.count(threshold)

    @cached_property
    def sweep(self) -> tuple[Floats, Tally]:
        """Count at every threshold of the grid."""
        tallies = [self.count(threshold) for threshold in self.thresholds.tolist()]
        found, truth, right, flagged, normal = zip(*tallies, strict=True)
        found, truth, right, flagged = locked(np.array([found, truth, right, flagged], np.float64))
        return self.thresholds, Tally(found, truth, right, flagged, normal[0])
