"""Score levels: the ranks at which a shift finds more, and what is found and flagged there.

All that counts of a score is its rank, and how many points reach a rank is known once for all:
a shift does not change it. So a shift costs a sort of the ranks that the events see. Where one hit
marks an event whole, only the highest rank that each event sees counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from adjudge.noise.laid_ranks import count_at_or_above

if TYPE_CHECKING:
    from adjudge._typing import Array
    from adjudge.adjust.contract import Marking
    from adjudge.noise.circles import Circles, Sight
    from adjudge.noise.laid_islands import LaidIslands
    from adjudge.noise.laid_ranks import LaidRanks, TurnedRanks

FEW = 8
"""Distinct scores up to which they are counted one by one, and no rank is sorted."""


class Steps(NamedTuple):
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

    def steps(self, turned: TurnedRanks) -> Steps:
        """What is found and flagged at each rank at which more is found."""
        ...

    def false_above(self, turned: TurnedRanks, steps: Steps) -> Array:
        """Count the normal points that are flagged above each rank, not at it."""
        ...


class FewLevels:
    """Every rank there is, where there are few: points that count as themselves."""

    at_once = True

    def __init__(self, ranks: LaidRanks, circles: Circles) -> None:
        one = 1 if circles.can_correlate else 2 * len(circles.events)
        self.work = ranks.distinct * one

    def steps(self, turned: TurnedRanks) -> Steps:
        """Count the points of each rank."""
        found = turned.at_each_rank
        weight = -np.diff(found, axis=1, append=0)
        ranks = np.broadcast_to(np.arange(turned.ranks.distinct), found.shape)
        return Steps(ranks, weight, found, turned.ranks.reaching[ranks])

    def false_above(self, turned: TurnedRanks, steps: Steps) -> Array:
        """Count what reaches the next rank, less what is anomalous of it."""
        return np.asarray(turned.ranks.reaching[steps.ranks + 1] - steps.found + steps.weight)


class PointLevels:
    """The ranks of all anomalous points, which count as themselves."""

    at_once = False

    def __init__(self, sight: Sight) -> None:
        self.work = int(sight.stretches.lengths.sum())

    def steps(self, turned: TurnedRanks) -> Steps:
        """Sort the ranks that the anomalous points see."""
        ranks = turned.ordered
        found = np.arange(ranks.shape[1], 0, -1)
        found = filled(ranks, found) if turned.ranks.tied else found
        return Steps(ranks, 1, found, turned.ranks.reaching[ranks])

    def false_above(self, turned: TurnedRanks, steps: Steps) -> Array:
        """Count what lies above, less what is anomalous of it."""
        above = found_above(turned, steps)
        return np.asarray(turned.ranks.reaching[steps.ranks + 1] - above)


class PartLevels:
    """The ranks of all anomalous points, of which enough mark their event whole."""

    at_once = False

    def __init__(self, sight: Sight, marking: Marking) -> None:
        self._needed = marking.needed[sight.order]
        self._bits = int(sight.stretches.lengths.max(initial=1)).bit_length()
        self.work = 3 * int(sight.stretches.lengths.sum())

    def steps(self, turned: TurnedRanks) -> Steps:
        """Sort the ranks, each with the points that it marks packed into the number."""
        keys = np.concatenate(self._packed(turned), axis=1)
        keys.sort(axis=1)
        ranks, weight = keys >> self._bits, keys & ((1 << self._bits) - 1)
        size = ranks.shape[1]
        found = size + weight - np.cumsum(weight, axis=1, dtype=np.int32)
        own = np.arange(size, 0, -1)
        if turned.ranks.tied:
            found, own = filled(ranks, found), filled(ranks, own)
        return Steps(ranks, weight, found, found + turned.ranks.reaching[ranks] - own)

    def false_above(self, turned: TurnedRanks, steps: Steps) -> Array:
        """Count what lies above, less what is anomalous of it."""
        own = count_at_or_above(turned.ordered, steps.ranks + 1)
        return np.asarray(turned.ranks.reaching[steps.ranks + 1] - own)

    def _packed(self, turned: TurnedRanks) -> list[Array]:
        """Let the point at which an event is marked whole stand for all below it."""
        fits = turned.ranks.distinct << self._bits < np.iinfo(np.int32).max
        parts = []
        for group, own in zip(turned.sight.groups, turned.seen(), strict=True):
            width, needed = own.shape[2], int(self._needed[group.start])
            packed = (own if fits else own.astype(np.int64)) << self._bits
            place = max(width - needed, 0)  # all of its points mark what they mark themselves
            reached = np.partition(own, place, axis=2)[:, :, place, np.newaxis]
            above = own >= reached
            packed |= above
            first = np.argmax(own == reached, axis=2)[:, :, np.newaxis]
            below = width - np.count_nonzero(above, axis=2)[:, :, np.newaxis]
            stands_for = np.take_along_axis(packed, first, axis=2) + below.astype(packed.dtype)
            np.put_along_axis(packed, first, stands_for, axis=2)
            parts.append(packed.reshape(len(own), -1))
        return parts


class EventLevels:
    """The highest rank that each event sees among its first points: it marks the event whole."""

    at_once = False

    def __init__(self, sight: Sight, marking: Marking, islands: LaidIslands | None) -> None:
        self._islands, self._widths = islands, sight.stretches.lengths
        self._first = marking.first[sight.order]
        self._anywhere = bool(np.all(self._first == self._widths))
        self.work = int(self._widths.sum()) + (0 if islands is None else 3 * islands.work)

    def steps(self, turned: TurnedRanks) -> Steps:
        """Sort the events by what they see."""
        highest = turned.highest if self._anywhere else self._highest(turned)
        order = np.argsort(highest, axis=1)
        ranks, weight = np.take_along_axis(highest, order, axis=1), self._widths[order]
        found = int(self._widths.sum()) + weight - np.cumsum(weight, axis=1)
        found = filled(ranks, found) if turned.ranks.tied else found
        return Steps(ranks, weight, found, found + self._false(turned, ranks))

    def false_above(self, turned: TurnedRanks, steps: Steps) -> Array:
        """Count the normal points that reach the next rank, or whose island does."""
        top = turned.ranks.distinct - 1
        false = self._false(turned, np.minimum(steps.ranks + 1, top))
        return np.where(steps.ranks < top, false, 0)

    def _false(self, turned: TurnedRanks, ranks: Array) -> Array:
        if self._islands is not None:
            return self._islands.at(turned.by).marked(ranks)
        return np.asarray(turned.ranks.reaching[ranks] - count_at_or_above(turned.ordered, ranks))

    def _highest(self, turned: TurnedRanks) -> Array:
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


def found_above(turned: TurnedRanks, steps: Steps) -> Array:
    """Count the anomalous points that are found above each rank, not at it."""
    found = np.broadcast_to(steps.found, steps.ranks.shape)
    above = np.zeros_like(found)
    above[:, :-1] = found[:, 1:]
    if turned.ranks.tied:
        last = np.ones(above.shape, bool)
        last[:, :-1] = steps.ranks[:, 1:] != steps.ranks[:, :-1]
        above = np.maximum.accumulate(np.where(last, above, -1)[:, ::-1], axis=1)[:, ::-1]
    return above
