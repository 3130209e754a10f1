"""The ranks at which a shift finds more, and what is found and flagged there."""

# Idea: of a score only its rank counts, and how many points reach a rank no shift changes. So
# what is flagged is known once for all, and a shift sorts no more than what the events see.
# Invariant: every value is that of `Case.turned` by the same offsets, unless circles are
# closed.
# Trap: equal scores are one threshold. Ranks count equal scores alike, and what is found at a
# rank is read behind the last of them; islands near events, gaps and ends are not those of the
# plain circle.

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from adjudge.data.intervals import repeat
from adjudge.noise.shifting.ranks import RankTable, ShiftedRanks, count_at_or_above

if TYPE_CHECKING:
    from adjudge._typing import Array
    from adjudge.adjust.contract import Marking
    from adjudge.noise.shifting.islands import UnrolledIslands
    from adjudge.noise.shifting.rotation import Rotation, SeenPoints


FEW = 8
"""Distinct scores up to which they are counted one by one, and no rank is sorted."""


ITSELF = 1  # the weight of each of many points


class RankSteps(NamedTuple):
    """What is found and flagged at some ranks, from the lowest up: a row per shift."""

    ranks: Array
    weight: Any
    """Anomalous points that are found just there."""
    found: Array
    """Anomalous points found there or above."""
    flagged: Array
    """Points flagged there or above."""


class Levels(Protocol):
    """The ranks of one kind of marking."""

    @property
    def at_once(self) -> bool:
        """Whether all shifts are counted at once; else some at a time."""
        ...

    @property
    def work(self) -> int:
        """About how many numbers one shift looks at."""
        ...

    def steps(self, turned: ShiftedRanks) -> RankSteps:
        """What is found and flagged at each rank at which more is found."""
        ...

    def false_above(self, turned: ShiftedRanks, steps: RankSteps) -> Array:
        """Count the normal points that are flagged above each rank, not at it."""
        ...


class FewLevels:
    """Every rank there is, where there are few: points that count as themselves."""

    at_once = True

    def __init__(self, ranks: RankTable, circles: Rotation) -> None:
        one = 1 if circles.can_correlate else 2 * len(circles.events)
        self.work = ranks.distinct * one

    def steps(self, turned: ShiftedRanks) -> RankSteps:
        """Count the points of each rank."""
        found = turned.at_each_rank
        weight = -np.diff(found, axis=1, append=0)
        ranks = np.broadcast_to(np.arange(turned.ranks.distinct), found.shape)
        return RankSteps(ranks, weight, found, turned.ranks.reaching[ranks])

    def false_above(self, turned: ShiftedRanks, steps: RankSteps) -> Array:
        """Count what reaches the next rank, less what is anomalous of it."""
        return np.asarray(turned.ranks.reaching[steps.ranks + 1] - steps.found + steps.weight)


class PointLevels:
    """The ranks of all anomalous points, which count as themselves."""

    at_once = False

    def __init__(self, sight: SeenPoints) -> None:
        self.work = int(sight.stretches.lengths.sum())

    def steps(self, turned: ShiftedRanks) -> RankSteps:
        """Sort the ranks that the anomalous points see."""
        ranks = turned.ordered
        found = np.arange(ranks.shape[1], 0, -1)
        found = filled(ranks, found) if turned.ranks.tied else found
        return RankSteps(ranks, ITSELF, found, turned.ranks.count_at_or_above(ranks))

    def false_above(self, turned: ShiftedRanks, steps: RankSteps) -> Array:
        """Count what lies above, less what is anomalous of it."""
        above = found_above(turned, steps)
        return np.asarray(turned.ranks.count_at_or_above(steps.ranks + 1) - above)


class PartLevels:
    """The ranks of all anomalous points, of which enough mark their event whole."""

    at_once = False

    def __init__(self, sight: SeenPoints, marking: Marking) -> None:
        widths = sight.stretches.lengths
        self._bits = int(widths.max(initial=1)).bit_length()
        self.work = 3 * int(widths.sum())
        self._event = repeat(np.arange(widths.size, dtype=np.int32), widths)
        below = np.maximum(widths - marking.needed[sight.order], 0)
        place = np.arange(self._event.size) - sight.firsts[self._event]
        below = below[self._event]
        self._weight = np.where(place == below, below + 1, place > below).astype(np.int32)
        """What each point marks, those of an event from the lowest up: the one at which the event
        is marked whole stands for all below it."""

    def steps(self, turned: ShiftedRanks) -> RankSteps:
        """Sort the ranks, each with the points that it marks packed into the number."""
        keys = self._packed(turned)
        keys.sort(axis=1)
        ranks, weight = keys >> self._bits, keys & ((1 << self._bits) - 1)
        size = ranks.shape[1]
        found = size + weight - np.cumsum(weight, axis=1, dtype=np.int32)
        own = np.arange(size, 0, -1)
        if turned.ranks.tied:
            found, own = filled(ranks, found), filled(ranks, own)
        return RankSteps(ranks, weight, found, found + turned.ranks.count_at_or_above(ranks) - own)

    def false_above(self, turned: ShiftedRanks, steps: RankSteps) -> Array:
        """Count what lies above, less what is anomalous of it."""
        own = count_at_or_above(turned.ordered, steps.ranks + 1)
        return np.asarray(turned.ranks.count_at_or_above(steps.ranks + 1) - own)

    def _packed(self, turned: ShiftedRanks) -> Array:
        """Put the ranks of each event in order, and what each point marks beside its rank."""
        distinct, most = turned.ranks.distinct, np.iinfo(np.int32).max
        fits = distinct << self._bits < most and distinct * (int(self._event[-1]) + 1) < most
        keys = turned.sight.seen(turned.ranks.laid, turned.by)
        keys = keys if fits else keys.astype(np.int64)
        event = self._event.astype(keys.dtype) * keys.dtype.type(distinct)
        keys += event
        keys.sort(axis=1)
        keys -= event
        keys <<= self._bits
        keys |= self._weight.astype(keys.dtype)
        return keys


class EventLevels:
    """The highest rank that each event sees among its first points: it marks the event whole."""

    at_once = False

    def __init__(
        self, sight: SeenPoints, marking: Marking, islands: UnrolledIslands | None
    ) -> None:
        self._islands, self._widths = islands, sight.stretches.lengths
        self._first = marking.first[sight.order]
        self._anywhere = bool(np.all(self._first == self._widths))
        self.work = int(self._widths.sum()) + (0 if islands is None else 3 * islands.work)

    def steps(self, turned: ShiftedRanks) -> RankSteps:
        """Sort the events by what they see."""
        highest = turned.highest if self._anywhere else self._highest(turned)
        ranks, weight = np.sort(highest, axis=1), self._widths[highest.argsort(axis=1)]
        found = int(self._widths.sum()) + weight - np.cumsum(weight, axis=1)
        found = filled(ranks, found) if turned.ranks.tied else found
        if self._islands is None:
            return RankSteps(ranks, weight, found, found + self._false(turned, ranks))
        return RankSteps(ranks, weight, found, found + self._islands.found(turned, ranks))

    def false_above(self, turned: ShiftedRanks, steps: RankSteps) -> Array:
        """Count the normal points that reach the next rank, or whose island does."""
        top = turned.ranks.distinct - 1
        false = self._false(turned, np.minimum(steps.ranks + 1, top))
        return np.where(steps.ranks < top, false, 0)

    def _false(self, turned: ShiftedRanks, ranks: Array) -> Array:
        if self._islands is not None:
            return self._islands.marked(turned, ranks)
        return np.asarray(
            turned.ranks.count_at_or_above(ranks) - count_at_or_above(turned.ordered, ranks)
        )

    def _highest(self, turned: ShiftedRanks) -> Array:
        parts = []
        for group, own in zip(turned.sight.groups, turned.seen(), strict=True):
            early = np.arange(own.shape[2]) < self._first[group, np.newaxis]
            parts.append(np.where(early, own, 0).max(axis=2))
        return np.concatenate(parts, axis=1)


def filled(ranks: Array, counts: Array) -> Array:
    """Counts at or above each rank, the same for equal ranks.

    >>> filled(np.array([[1, 2, 2, 5]]), np.array([4, 3, 2, 1]))
    array([[4, 3, 3, 1]])
    """
    first = np.ones(ranks.shape, bool)
    first[:, 1:] = ranks[:, 1:] != ranks[:, :-1]
    place = np.maximum.accumulate(np.where(first, np.arange(ranks.shape[1]), 0), axis=1)
    return np.take_along_axis(np.broadcast_to(counts, ranks.shape), place, axis=1)


def found_above(turned: ShiftedRanks, steps: RankSteps) -> Array:
    """Count the anomalous points that are found above each rank, not at it."""
    found = np.broadcast_to(steps.found, steps.ranks.shape)
    above = np.zeros_like(found)
    above[:, :-1] = found[:, 1:]
    if turned.ranks.tied:
        last = np.ones(above.shape, bool)
        last[:, :-1] = steps.ranks[:, 1:] != steps.ranks[:, :-1]
        above = np.maximum.accumulate(np.where(last, above, -1)[:, ::-1], axis=1)[:, ::-1]
    return above
