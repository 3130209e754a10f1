"""Shifted scores: best F-scores and areas at many shifts, at the cost of the anomalous points."""

# Idea: of a score only its rank counts, and how many points reach a rank no shift changes. So
# what is flagged is known once for all, and a shift sorts no more than what the events see.
# Invariant: every value is that of `Case.turned` by the same offsets, unless circles are
# closed.
# Trap: equal scores are one threshold. Ranks count equal scores alike, and what is found at a
# rank is read behind the last of them; islands near events, gaps and ends are not those of the
# plain circle.

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.count.points import PointCount
from adjudge.count.tally import Tally
from adjudge.measure.curves import ap, auc_pr, auc_roc
from adjudge.measure.rates import FBeta
from adjudge.noise.shifting.islands import UnrolledIslands
from adjudge.noise.shifting.ranks import RankTable, ShiftedRanks
from adjudge.noise.shifting.rotation import Rotation, in_blocks
from adjudge.noise.shifting.score_levels import (
    FEW,
    ITSELF,
    EventLevels,
    FewLevels,
    Levels,
    PartLevels,
    PointLevels,
    RankSteps,
    found_above,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from adjudge._typing import Array, Floats, Positions
    from adjudge.adjust.contract import Marking
    from adjudge.data.case import Case
    from adjudge.metrics.metric import Metric


_NEAR = 4  # times smaller blocks: the system takes back what is much larger, and clears it anew
_KEPT = 1 << 21  # ranks of all shifts that are kept for the next metric: 8 MB


class ScoredCase:
    """The scores of a case under shifts: what several metrics share is made once.

    Parameters
    ----------
    case : Case
        Labels and scores that `can_be_ranked`.
    circles : Rotation
        The truth.
    known : UnrolledRanks, optional
        The ranks of the scores on other circles.
    """

    def __init__(self, case: Case, circles: Rotation, known: RankTable | None = None) -> None:
        self.circles = circles
        self.ranks = RankTable(case, circles, known)
        self.sight = circles.sight
        self._kept: list[tuple[Positions, bool, list[ShiftedRanks]]] = []
        self._levels: dict[tuple[int, bool], tuple[Marking, Levels]] = {}
        self.counted: dict[tuple[int, str], Array] = {}
        """What was counted at some ranks for all shifts: metrics share it."""

    def levels(self, marking: Marking, *, closed: bool = False) -> Levels:
        """The ranks at which more is found; islands on lines, or on closed circles."""
        key = id(marking), closed and marking.island > 1
        if key not in self._levels:
            self._levels[key] = marking, self._chosen(marking, closed=closed)
        return self._levels[key][1]

    def _chosen(self, marking: Marking, *, closed: bool) -> Levels:
        widths = self.circles.events.widths
        if not marking.keeps:
            islands = None
            if marking.island > 1:
                islands = UnrolledIslands(self.ranks, self.circles, marking.island, closed=closed)
            return EventLevels(self.sight, marking, islands)
        if np.any(marking.needed <= widths):
            key = "parts", marking.needed.tobytes()
            return self.circles.once(key, lambda: PartLevels(self.sight, marking))
        few = self.ranks.distinct <= FEW
        return FewLevels(self.ranks, self.circles) if few else PointLevels(self.sight)

    def drop(self) -> None:
        """Let go of what one metric needed."""
        self._levels.clear()
        self.ranks.drop()

    def turned(
        self, by: Positions, *, at_once: bool = False, keep: bool = True
    ) -> Iterable[ShiftedRanks]:
        """The events under these shifts, some shifts at a time; kept, where metrics share them."""
        for known, whole, blocks in self._kept:
            if known is by and whole == at_once:
                return blocks
        size = 1 if at_once else int(self.sight.stretches.lengths.sum())
        parts = [by] if at_once else in_blocks(by, _NEAR * size)
        made = (ShiftedRanks(self.ranks, self.sight, part) for part in parts)
        if not keep or size * len(by) > _KEPT:
            return made
        blocks = list(made)
        self._kept.append((by, at_once, blocks))
        return blocks


class RankSums:
    """The ROC area of points, from the sum of the ranks that the events see."""

    def __init__(self, scored: ScoredCase) -> None:
        self._scored, events = scored, scored.circles.events
        self.work = 1 if scored.circles.can_correlate else 2 * len(events)

    def values(self, by: Positions) -> Floats:
        """The area at each shift."""
        circles, judged = self._scored.circles, self._scored.ranks.judged.size
        truth = int(circles.events.widths.sum())
        above = circles.sums_over(self._scored.ranks.middle_sums, by) - truth * (truth + 1)
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
        marking = metric.parts.adjust.marking_on(events)
        assert marking is not None  # noqa: S101 - whoever asks has asked `can_be_swept`
        self.scored, self.levels = scored, scored.levels(marking, closed=closed)
        self.measure: Any = metric.parts.measure
        self.truth = int(events.widths.sum())
        self.normal = scored.ranks.judged.size - self.truth

    @property
    def work(self) -> int:
        """About how many numbers one shift looks at."""
        return self.levels.work

    def values(self, by: Positions, *, keep: bool = True) -> Floats:
        """The metric's value at each shift: one row of offsets, one value."""
        (found,) = values_of([self], by, keep=keep)
        return found

    def part(self, block: ShiftedRanks) -> tuple[Array, ...]:
        """What the value at each shift of a block is made of."""
        area, steps = _AREAS.get(self.measure), self.levels.steps(block)
        return self._best(steps) if area is None else (area(self, block, steps),)

    def joined(self, parts: list[tuple[Array, ...]]) -> Floats:
        """The values at the shifts of all blocks."""
        first, *flagged = (np.concatenate(side) for side in zip(*parts, strict=True))
        if not flagged:
            return first
        tally = Tally(first, self.truth, first, flagged[0])
        return np.asarray(self.measure(tally), np.float64)

    def _best(self, steps: RankSteps) -> tuple[Array, Array]:
        """What is found and flagged where F is highest, row by row."""
        row, more = np.arange(len(steps.ranks)), float(self.measure.beta**2 * self.truth)
        odds = steps.flagged + more
        place = np.divide(steps.found, odds, out=odds).argmax(axis=1)
        found = steps.found[place] if steps.found.ndim == 1 else steps.found[row, place]
        return found, steps.flagged[row, place]

    def once(self, by: Positions) -> Floats:
        """The same at shifts that no other metric asks for."""
        return self.values(by, keep=False)

    def mean(self, steps: RankSteps, heights: Array) -> Floats:
        """The mean of some heights over the anomalous points."""
        weighed = heights if steps.weight is ITSELF else steps.weight * heights
        return np.asarray(weighed.sum(axis=1) / self.truth)


def values_of(ways: Sequence[ScoreShifts], by: Positions, *, keep: bool = True) -> list[Floats]:
    """The values of several metrics on the same scores: what they see of a block is made once.

    Blocks outside and metrics inside, so that nothing but a block need be kept.
    """
    scored, levels = ways[0].scored, ways[0].levels
    parts: list[list[tuple[Array, ...]]] = [[] for _ in ways]
    for block in scored.turned(by, at_once=levels.at_once, keep=keep):
        for way, own in zip(ways, parts, strict=True):
            own.append(way.part(block))
    return [way.joined(own) for way, own in zip(ways, parts, strict=True)]


def _roc(shifts: ScoreShifts, turned: ShiftedRanks, steps: RankSteps) -> Floats:
    """The share of normal points below an anomalous one, ties halfway."""
    false = steps.flagged - steps.found + shifts.levels.false_above(turned, steps)
    return shifts.mean(steps, 1 - false / (2 * shifts.normal))


def _average_precision(shifts: ScoreShifts, _: ShiftedRanks, steps: RankSteps) -> Floats:
    """The mean over anomalous points of the precision at their rank."""
    return shifts.mean(steps, steps.found / steps.flagged)


def _trapezoids(shifts: ScoreShifts, turned: ShiftedRanks, steps: RankSteps) -> Floats:
    """The PR area: a step of recall leans on the precision just before it."""
    before = found_above(turned, steps)
    above = before + shifts.levels.false_above(turned, steps)
    leaning = np.where(above > 0, before / np.maximum(above, 1), 1.0)
    return shifts.mean(steps, (steps.found / steps.flagged + leaning) / 2)


_AREAS: dict[object, Callable[[ScoreShifts, ShiftedRanks, RankSteps], Floats]] = {
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
    if not known or type(count) is not PointCount or adjust.marking_on(events) is None:
        return False
    if metric.oracle and not isinstance(measure, FBeta):
        return False
    judged = case.scores if events.judged is None else case.scores[events.judged]
    return len(events) > 0 and bool(events.normal.any()) and bool(judged.min() > -np.inf)
