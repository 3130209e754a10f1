"""Sweeping: adjust and count, at one threshold or at many.

Most countings are step functions of the threshold (`adjudge.count.tally.Masses`): exact at all of
them from one sort. Of the others a ledger is made at each threshold of a grid: every distinct score
when there are few, else as many as asked for, evenly spaced by rank, so that an increasing
map of the scores changes nothing. The grid stands in the spec: ``best(etapr_f1, thresholds=250)``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeGuard, cast

import numpy as np

from adjudge.adjust import layered
from adjudge.count.tally import Tally, mixed
from adjudge.data.columns import locked

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge._typing import Array, Flags, Floats
    from adjudge.adjust import Adjustment
    from adjudge.count.ledger import Counting, SweptCounting
    from adjudge.count.tally import Counts, Masses
    from adjudge.data.case import Case
    from adjudge.data.events import Events

GRID = 250


def sweeps(count: Counting | None) -> TypeGuard[SweptCounting]:
    """Say whether a counting is known at every threshold from one sort."""
    return hasattr(count, "masses")


def grid(scores: Array, count: int | None) -> Floats:
    """Choose thresholds: distinct scores by rank, from the highest down, and ``-inf``.

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


def counted(
    scores: Array,
    events: Events,
    adjust: Adjustment,
    count: Counting,
    thresholds: int | None = None,
) -> Counts:
    """Adjust scores and count; an adjustment of several layers is counted in each."""
    if sweeps(count):
        layers = layered(adjust, events)
        parts = [(share, count.masses(one(scores, events), events)) for share, one in layers]
        return parts[0][1] if len(parts) == 1 else mixed(cast("list[tuple[float, Masses]]", parts))
    levels = grid(adjust(scores, events), thresholds)
    return Sampled(levels, lambda level: tallied(scores > level, events, adjust, count))


class LastCount:
    """The last count of a case, which metrics that are asked one after another may share.

    It belongs to one call, never to two threads: whatever is shared more widely does not change.
    """

    def __init__(self) -> None:
        """Begin with nothing counted."""
        self._asked: tuple[Any, ...] = ()
        self._case: Case | None = None
        self._counts: Counts | None = None

    def of(self, case: Case, adjust: Adjustment, count: Counting, thresholds: int | None) -> Counts:
        """Count a case, or give the last count if it is the same."""
        asked = adjust, count, None if sweeps(count) else thresholds
        if self._counts is None or self._case is not case or self._asked != asked:
            self._counts = None  # let go of the old one first
            self._counts = counted(case.scores, case.events, *asked)
            self._case, self._asked = case, asked
        return self._counts


def tallied(flags: Flags, events: Events, adjust: Adjustment, count: Counting) -> Tally:
    """Adjust the flags of one threshold, and count."""
    if sweeps(count):
        return counted(flags, events, adjust, count).at(False)
    return count.ledger(flags, events, adjust).tally
