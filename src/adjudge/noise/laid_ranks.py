"""Laid ranks: the scores of all circles as ranks, and what the events see of them at a shift."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from adjudge._typing import Array, Positions
    from adjudge.data.case import Case
    from adjudge.noise.circles import Circles, Sight

_SHORT = 512  # values per row, from which on rows are searched one by one


class LaidRanks:
    """Scores as ranks from 0 up, equal scores alike, and how many points reach each rank."""

    def __init__(self, case: Case, circles: Circles) -> None:
        judged = case.events.judged
        scores = case.scores if judged is None else case.scores[judged]
        self.judged, self.distinct = ranked(scores)
        self.tied = self.distinct < scores.size
        everywhere = np.zeros(case.events.n, np.int32)
        everywhere[slice(None) if judged is None else judged] = self.judged
        self.laid = circles.twice(everywhere)
        self.reaching = count_reaching(self.judged, self.distinct)


def ranked(scores: Array) -> tuple[Array, int]:
    """Number the distinct scores from the lowest up."""
    lowest, highest = scores.min(), scores.max()
    above = scores > lowest
    if np.array_equal(above, scores == highest):  # two values, or one
        return above.astype(np.int32), 1 + bool(highest > lowest)
    order = np.argsort(scores)
    rises = np.append(False, np.diff(scores[order]) > 0)
    ranks = np.empty(scores.size, np.int32)
    ranks[order] = np.cumsum(rises)
    return ranks, int(np.count_nonzero(rises)) + 1


class TurnedRanks:
    """What the events see of the ranks under some shifts: the metrics of a call share it.

    Parameters
    ----------
    ranks : LaidRanks
        The scores.
    sight : Sight
        The events, in order of their widths.
    by : array of int
        One row per shift.
    """

    def __init__(self, ranks: LaidRanks, sight: Sight, by: Positions) -> None:
        self.ranks, self.sight, self.by = ranks, sight, by

    @cached_property
    def ordered(self) -> Array:
        """The ranks that the anomalous points see, ascending."""
        own = self.sight.seen(self.ranks.laid, self.by)
        own.sort(axis=1)
        return own

    @cached_property
    def highest(self) -> Array:
        """The highest rank that each event sees."""
        return np.concatenate([own.max(axis=2) for own in self.seen()], axis=1)

    def seen(self) -> list[Array]:
        """The ranks that each event sees, events of one width at a time."""
        return self.sight.by_length(self.ranks.laid, self.by)

    @cached_property
    def at_each_rank(self) -> Positions:
        """How many anomalous points see each rank or more; only asked for if ranks are few."""
        circles, laid = self.sight.circles, self.ranks.laid
        counts = [circles.sums_in_events(laid >= r, self.by) for r in range(1, self.ranks.distinct)]
        every = np.full(len(self.by), self.sight.stretches.lengths.sum())
        return np.stack([every, *counts], axis=1)


def count_reaching(ranks: Array, distinct: int) -> Array:
    """Count the points at or above each rank, and none above the last."""
    counts = np.bincount(ranks, minlength=distinct)
    return np.append(np.cumsum(counts[::-1])[::-1], 0).astype(np.int32)


def count_at_or_above(ordered: Array, levels: Array) -> Array:
    """Count, row by row, the values at or above each level; the values of a row ascend.

    >>> count_at_or_above(np.array([[1, 3, 3, 7]]), np.array([[0, 3, 8]]))
    array([[4, 3, 0]])
    """
    rows, size = ordered.shape
    if size >= _SHORT:
        pairs = zip(ordered, levels, strict=True)
        return np.stack([size - np.searchsorted(row, wanted) for row, wanted in pairs])
    top = np.int64(max(ordered.max(initial=0), levels.max(initial=0)) + 1)
    row = np.arange(rows)[:, np.newaxis] * top
    place = np.searchsorted((ordered + row).ravel(), levels + row)
    return np.asarray((np.arange(rows)[:, np.newaxis] + 1) * size - place)
