"""Shifted scores: best F-scores and areas at many shifts, at the cost of the anomalous points."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.count import Points
from adjudge.count.tally import Tally
from adjudge.measure.curves import ap, auc_pr, auc_roc
from adjudge.measure.rates import FBeta
from adjudge.noise.circles import Circles, Sight, in_blocks
from adjudge.noise.laid_islands import LaidIslands
from adjudge.noise.laid_ranks import LaidRanks, TurnedRanks
from adjudge.noise.score_levels import (
    FEW,
    EventLevels,
    FewLevels,
    Levels,
    PartLevels,
    PointLevels,
    Steps,
    found_above,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from adjudge._typing import Array, Floats, Positions
    from adjudge.adjust.contract import Marking
    from adjudge.data.case import Case
    from adjudge.metrics.metric import Metric

_KEPT = 1 << 24  # ranks of all shifts that are kept for the next metric: 64 MB


class ScoredCase:
    """The scores of a case under shifts: what several metrics share is made once.

    Parameters
    ----------
    case : Case
        Labels and scores that `can_be_ranked`.
    circles : Circles
        The truth.
    """

    def __init__(self, case: Case, circles: Circles) -> None:
        self.circles = circles
        self.ranks = LaidRanks(case, circles)
        self.sight = Sight(circles, circles.of_events)
        self._kept: list[tuple[Positions, bool, list[TurnedRanks]]] = []

    def levels(self, marking: Marking) -> Levels:
        """Choose the ranks at which more is found."""
        widths = self.circles.events.widths
        if not marking.keeps:
            wide = marking.island > 1
            islands = LaidIslands(self.ranks, self.circles, marking.island) if wide else None
            return EventLevels(self.sight, marking, islands)
        if np.any(marking.needed <= widths):
            return PartLevels(self.sight, marking)
        few = self.ranks.distinct <= FEW
        return FewLevels(self.ranks, self.circles) if few else PointLevels(self.sight)

    def turned(self, by: Positions, *, at_once: bool = False) -> Iterable[TurnedRanks]:
        """The events under these shifts, some shifts at a time."""
        for known, whole, blocks in self._kept:
            if known is by and whole == at_once:
                return blocks
        size = 1 if at_once else int(self.sight.stretches.lengths.sum())
        parts = [by] if at_once else in_blocks(by, size)
        made = (TurnedRanks(self.ranks, self.sight, part) for part in parts)
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
    """

    def __init__(self, metric: Metric, scored: ScoredCase) -> None:
        events = scored.circles.events
        marking = metric.parts.adjust.marking(events)
        assert marking is not None  # noqa: S101 - whoever asks has asked `can_be_swept`
        self.scored, self.levels = scored, scored.levels(marking)
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


def _best(shifts: ScoreShifts, _: TurnedRanks, steps: Steps) -> Floats:
    """The highest F of each row."""
    measure, truth, shape = shifts.measure, shifts.truth, steps.ranks.shape
    place = np.argmax(steps.found / (steps.flagged + measure.beta**2 * truth), axis=1)
    found, flagged = (
        np.take_along_axis(np.broadcast_to(side, shape), place[:, np.newaxis], axis=1)[:, 0]
        for side in (steps.found, steps.flagged)
    )
    return np.asarray(measure(Tally(found, truth, found, flagged)))


def _roc(shifts: ScoreShifts, turned: TurnedRanks, steps: Steps) -> Floats:
    """The share of normal points below an anomalous one, ties halfway."""
    false = steps.flagged - steps.found + shifts.levels.false_above(turned, steps)
    return shifts.mean(steps, 1 - false / (2 * shifts.normal))


def _average_precision(shifts: ScoreShifts, _: TurnedRanks, steps: Steps) -> Floats:
    """The mean over anomalous points of the precision at their rank."""
    return shifts.mean(steps, steps.found / steps.flagged)


def _trapezoids(shifts: ScoreShifts, turned: TurnedRanks, steps: Steps) -> Floats:
    """The PR area: a step of recall leans on the precision just before it."""
    before = found_above(turned, steps)
    above = before + shifts.levels.false_above(turned, steps)
    leaning = np.where(above > 0, before / np.maximum(above, 1), 1.0)
    return shifts.mean(steps, (steps.found / steps.flagged + leaning) / 2)


_AREAS: dict[object, Callable[[ScoreShifts, TurnedRanks, Steps], Floats]] = {
    auc_roc: _roc,
    ap: _average_precision,
    auc_pr: _trapezoids,
}


def shifting_of(metric: Metric, scored: ScoredCase) -> RankSums | ScoreShifts:
    """Choose the quickest way."""
    way = ScoreShifts(metric, scored)
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
