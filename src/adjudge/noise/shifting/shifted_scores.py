"""Shifted scores: best F-scores and areas at many shifts, at the cost of the anomalous points.

Score levels: the ranks at which a shift finds more, and what is found and flagged there.

All that counts of a score is its rank, and how many points reach a rank is known once for all:
a shift does not change it. So a shift costs a sort of the ranks that the events see. Where one hit
marks an event whole, only the highest rank that each event sees counts.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from adjudge.count.points import Points
from adjudge.count.tally import Tally
from adjudge.measure.curves import ap, auc_pr, auc_roc
from adjudge.measure.rates import FBeta
from adjudge.noise.shifting.ranked_scores import (
    RotatedRanks,
    UnrolledIslands,
    UnrolledRanks,
    count_at_or_above,
)
from adjudge.noise.shifting.rotation import Rotation, SeenPoints, in_blocks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from adjudge._typing import Array, Floats, Positions
    from adjudge.adjust.adjustments import Marking
    from adjudge.data.case import Case
    from adjudge.metrics.metric import Metric

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

    def steps(self, turned: RotatedRanks) -> Steps:
        """What is found and flagged at each rank at which more is found."""
        ...

    def false_above(self, turned: RotatedRanks, steps: Steps) -> Array:
        """Count the normal points that are flagged above each rank, not at it."""
        ...


class FewLevels:
    """Every rank there is, where there are few: points that count as themselves."""

    at_once = True

    def __init__(self, ranks: UnrolledRanks, circles: Rotation) -> None:
        one = 1 if circles.can_correlate else 2 * len(circles.events)
        self.work = ranks.distinct * one

    def steps(self, turned: RotatedRanks) -> Steps:
        """Count the points of each rank."""
        found = turned.at_each_rank
        weight = -np.diff(found, axis=1, append=0)
        ranks = np.broadcast_to(np.arange(turned.ranks.distinct), found.shape)
        return Steps(ranks, weight, found, turned.ranks.reaching[ranks])

    def false_above(self, turned: RotatedRanks, steps: Steps) -> Array:
        """Count what reaches the next rank, less what is anomalous of it."""
        return np.asarray(turned.ranks.reaching[steps.ranks + 1] - steps.found + steps.weight)


class PointLevels:
    """The ranks of all anomalous points, which count as themselves."""

    at_once = False

    def __init__(self, sight: SeenPoints) -> None:
        self.work = int(sight.stretches.lengths.sum())

    def steps(self, turned: RotatedRanks) -> Steps:
        """Sort the ranks that the anomalous points see."""
        ranks = turned.ordered
        found = np.arange(ranks.shape[1], 0, -1)
        found = filled(ranks, found) if turned.ranks.tied else found
        return Steps(ranks, 1, found, turned.ranks.reaching[ranks])

    def false_above(self, turned: RotatedRanks, steps: Steps) -> Array:
        """Count what lies above, less what is anomalous of it."""
        above = found_above(turned, steps)
        return np.asarray(turned.ranks.reaching[steps.ranks + 1] - above)


class PartLevels:
    """The ranks of all anomalous points, of which enough mark their event whole."""

    at_once = False

    def __init__(self, sight: SeenPoints, marking: Marking) -> None:
        self._needed = marking.needed[sight.order]
        self._bits = int(sight.stretches.lengths.max(initial=1)).bit_length()
        self.work = 3 * int(sight.stretches.lengths.sum())

    def steps(self, turned: RotatedRanks) -> Steps:
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

    def false_above(self, turned: RotatedRanks, steps: Steps) -> Array:
        """Count what lies above, less what is anomalous of it."""
        own = count_at_or_above(turned.ordered, steps.ranks + 1)
        return np.asarray(turned.ranks.reaching[steps.ranks + 1] - own)

    def _packed(self, turned: RotatedRanks) -> list[Array]:
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

    def __init__(
        self, sight: SeenPoints, marking: Marking, islands: UnrolledIslands | None
    ) -> None:
        self._islands, self._widths = islands, sight.stretches.lengths
        self._first = marking.first[sight.order]
        self._anywhere = bool(np.all(self._first == self._widths))
        self.work = int(self._widths.sum()) + (0 if islands is None else 3 * islands.work)

    def steps(self, turned: RotatedRanks) -> Steps:
        """Sort the events by what they see."""
        highest = turned.highest if self._anywhere else self._highest(turned)
        order = np.argsort(highest, axis=1)
        ranks, weight = np.take_along_axis(highest, order, axis=1), self._widths[order]
        found = int(self._widths.sum()) + weight - np.cumsum(weight, axis=1)
        found = filled(ranks, found) if turned.ranks.tied else found
        return Steps(ranks, weight, found, found + self._false(turned, ranks))

    def false_above(self, turned: RotatedRanks, steps: Steps) -> Array:
        """Count the normal points that reach the next rank, or whose island does."""
        top = turned.ranks.distinct - 1
        false = self._false(turned, np.minimum(steps.ranks + 1, top))
        return np.where(steps.ranks < top, false, 0)

    def _false(self, turned: RotatedRanks, ranks: Array) -> Array:
        if self._islands is not None:
            return self._islands.at(turned.by).marked(ranks)
        return np.asarray(turned.ranks.reaching[ranks] - count_at_or_above(turned.ordered, ranks))

    def _highest(self, turned: RotatedRanks) -> Array:
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


def found_above(turned: RotatedRanks, steps: Steps) -> Array:
    """Count the anomalous points that are found above each rank, not at it."""
    found = np.broadcast_to(steps.found, steps.ranks.shape)
    above = np.zeros_like(found)
    above[:, :-1] = found[:, 1:]
    if turned.ranks.tied:
        last = np.ones(above.shape, bool)
        last[:, :-1] = steps.ranks[:, 1:] != steps.ranks[:, :-1]
        above = np.maximum.accumulate(np.where(last, above, -1)[:, ::-1], axis=1)[:, ::-1]
    return above


_KEPT = 1 << 24  # ranks of all shifts that are kept for the next metric: 64 MB


class ScoredCase:
    """The scores of a case under shifts: what several metrics share is made once.

    Parameters
    ----------
    case : Case
        Labels and scores that `can_be_ranked`.
    circles : Rotation
        The truth.
    """

    def __init__(self, case: Case, circles: Rotation) -> None:
        self.circles = circles
        self.ranks = UnrolledRanks(case, circles)
        self.sight = SeenPoints(circles, circles.of_events)
        self._kept: list[tuple[Positions, bool, list[RotatedRanks]]] = []
        self.counted: dict[tuple[int, str], Array] = {}
        """What was counted at some ranks for all shifts: metrics share it."""

    def levels(self, marking: Marking, *, closed: bool = False) -> Levels:
        """Choose the ranks at which more is found; islands on lines, or on closed circles."""
        widths = self.circles.events.widths
        if not marking.keeps:
            islands = None
            if marking.island > 1:
                islands = UnrolledIslands(self.ranks, self.circles, marking.island, closed=closed)
            return EventLevels(self.sight, marking, islands)
        if np.any(marking.needed <= widths):
            return PartLevels(self.sight, marking)
        few = self.ranks.distinct <= FEW
        return FewLevels(self.ranks, self.circles) if few else PointLevels(self.sight)

    def turned(self, by: Positions, *, at_once: bool = False) -> Iterable[RotatedRanks]:
        """The events under these shifts, some shifts at a time."""
        for known, whole, blocks in self._kept:
            if known is by and whole == at_once:
                return blocks
        size = 1 if at_once else int(self.sight.stretches.lengths.sum())
        parts = [by] if at_once else in_blocks(by, size)
        made = (RotatedRanks(self.ranks, self.sight, part) for part in parts)
        if size * len(by) > _KEPT:
            return made
        blocks = list(made)
        self._kept.append((by, at_once, blocks))
        return blocks

    @cached_property
    def middle_ranks(self) -> Positions:
        """Twice the rank of each point from 1 up, halfway among equals, laid out twice."""
        reaching = self.ranks.reaching.astype(np.int64)
        doubled = 2 * self.ranks.judged.size - reaching[:-1] - reaching[1:] + 1
        laid: Positions = doubled[self.ranks.laid]
        return laid


class RankSums:
    """The ROC area of points, from the sum of the ranks that the events see."""

    def __init__(self, scored: ScoredCase) -> None:
        self._scored, events = scored, scored.circles.events
        self.work = 1 if scored.circles.can_correlate else 2 * len(events)

    def values(self, by: Positions) -> Floats:
        """The area at each shift."""
        circles, judged = self._scored.circles, self._scored.ranks.judged.size
        truth = int(circles.events.widths.sum())
        above = circles.sums_in_events(self._scored.middle_ranks, by) - truth * (truth + 1)
        return np.asarray(above / (2 * truth * (judged - truth)))


class ScoreShifts:
    """A best F-score or an area at any shift.

    Parameters
    ----------
    metric : Metric
        What `can_be_swept`.
    scored : ScoredCase
        The scores and the truth.
    closed : bool
        Whether islands run round the circle on which the scores turn.
    """

    def __init__(self, metric: Metric, scored: ScoredCase, *, closed: bool = False) -> None:
        events = scored.circles.events
        marking = metric.parts.adjust.marking(events)
        assert marking is not None  # noqa: S101 - whoever asks has asked `can_be_swept`
        self.scored, self.levels = scored, scored.levels(marking, closed=closed)
        self.measure: Any = metric.parts.measure
        self.truth = int(events.widths.sum())
        self.normal = scored.ranks.judged.size - self.truth

    @property
    def work(self) -> int:
        """About how many numbers one shift looks at."""
        return self.levels.work

    def values(self, by: Positions) -> Floats:
        """The metric's value at each shift: one row of offsets, one value."""
        measured = _AREAS.get(self.measure, _best)
        blocks = self.scored.turned(by, at_once=self.levels.at_once)
        return np.concatenate([measured(self, block, self.levels.steps(block)) for block in blocks])

    def mean(self, steps: Steps, heights: Array) -> Floats:
        """The mean of some heights over the anomalous points."""
        return np.asarray((steps.weight * heights).sum(axis=1) / self.truth)


def _best(shifts: ScoreShifts, _: RotatedRanks, steps: Steps) -> Floats:
    """The highest F of each row."""
    measure, truth, shape = shifts.measure, shifts.truth, steps.ranks.shape
    place = np.argmax(steps.found / (steps.flagged + measure.beta**2 * truth), axis=1)
    found, flagged = (
        np.take_along_axis(np.broadcast_to(side, shape), place[:, np.newaxis], axis=1)[:, 0]
        for side in (steps.found, steps.flagged)
    )
    return np.asarray(measure(Tally(found, truth, found, flagged)))


def _roc(shifts: ScoreShifts, turned: RotatedRanks, steps: Steps) -> Floats:
    """The share of normal points below an anomalous one, ties halfway."""
    false = steps.flagged - steps.found + shifts.levels.false_above(turned, steps)
    return shifts.mean(steps, 1 - false / (2 * shifts.normal))


def _average_precision(shifts: ScoreShifts, _: RotatedRanks, steps: Steps) -> Floats:
    """The mean over anomalous points of the precision at their rank."""
    return shifts.mean(steps, steps.found / steps.flagged)


def _trapezoids(shifts: ScoreShifts, turned: RotatedRanks, steps: Steps) -> Floats:
    """The PR area: a step of recall leans on the precision just before it."""
    before = found_above(turned, steps)
    above = before + shifts.levels.false_above(turned, steps)
    leaning = np.where(above > 0, before / np.maximum(above, 1), 1.0)
    return shifts.mean(steps, (steps.found / steps.flagged + leaning) / 2)


_AREAS: dict[object, Callable[[ScoreShifts, RotatedRanks, Steps], Floats]] = {
    auc_roc: _roc,
    ap: _average_precision,
    auc_pr: _trapezoids,
}


def shifting_of(
    metric: Metric, scored: ScoredCase, *, closed: bool = False
) -> RankSums | ScoreShifts:
    """Choose the quickest way; islands end with their series, or run round closed circles."""
    way = ScoreShifts(metric, scored, closed=closed)
    all_ranks = metric.parts.measure is auc_roc and type(way.levels) is PointLevels
    return RankSums(scored) if all_ranks else way


def can_be_swept(metric: Metric, case: Case) -> bool:
    """Say whether all thresholds of a shift can be judged by ranks.

    There must be events and normal points. A score of ``-inf`` lies above no threshold.
    """
    measure, adjust, count = metric.parts
    events = case.events
    known = measure in _AREAS if metric.row.needs == "scores" else metric.oracle
    if not known or type(count) is not Points or adjust.marking(events) is None:
        return False
    if metric.oracle and not isinstance(measure, FBeta):
        return False
    judged = case.scores if events.judged is None else case.scores[events.judged]
    return len(events) > 0 and bool(events.normal.any()) and bool(judged.min() > -np.inf)
