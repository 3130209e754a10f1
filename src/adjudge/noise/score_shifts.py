"""Shifted scores: best F-scores and areas at many shifts, at the cost of the anomalous points.

All that counts of a score is its rank, and how many points reach a rank is known once for all:
a shift does not change it. So a shift costs a sort of the ranks that the events see. Of balanced
adjustment only the points within an island's reach of an event, a gap or an end differ from the
plain moving maximum of the circle: they are taken out of the count, and put in as they are.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from adjudge.adjust import Balanced, point_adjusted, raw
from adjudge.count import Points
from adjudge.count.tally import Tally
from adjudge.data.windows import moving_max
from adjudge.measure.curves import ap, auc_pr, auc_roc
from adjudge.measure.rates import FBeta
from adjudge.noise.circles import Circles, Stretches, in_blocks
from adjudge.noise.flag_shifts import one_island
from adjudge.noise.laid_ranks import Border, LaidRanks, count_reaching

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge._typing import Array, Floats, Positions
    from adjudge.adjust import Adjustment
    from adjudge.data.case import Case
    from adjudge.metrics.metric import Metric

    _Way = Callable[["ScoreShifts", Positions], Floats]


_NO_WIDTHS = np.zeros(0, np.int64)
_DENSE = 8  # ranks per value up to which counting beats sorting


class ScoreShifts:
    """The scores of a case, ready to be judged at any shift.

    Parameters
    ----------
    metric : Metric
        An area or ``best(...)`` that `swept_way_of` knows.
    ranks : LaidRanks
        The scores, none of them ``-inf``.
    circles : Circles
        The truth: at least one event and one normal point.
    """

    def __init__(self, metric: Metric, ranks: LaidRanks, circles: Circles) -> None:
        self.circles, self.ranks = circles, ranks
        self._way = swept_way_of(metric)
        self.measure, self.adjust, _ = metric.parts

    @property
    def work(self) -> int:
        """About how many numbers one shift looks at."""
        events = self.circles.events
        if self._way is _rank_areas:
            return 1 if self.circles.can_correlate else 2 * len(events)
        points = int(events.widths.sum())
        if isinstance(self.adjust, Balanced):
            return points + 3 * self._border.places.size
        return points * (3 if self._way is _best_covered else 1)

    def values(self, by: Positions) -> Floats:
        """Give the metric's value at each shift: one row of offsets, one value."""
        assert self._way is not None  # noqa: S101 - whoever asks has asked `swept_way_of`
        blocks = [by] if self._way is _rank_areas else in_blocks(by, self.work)
        return np.concatenate([self._way(self, block) for block in blocks])

    def own(self, by: Positions) -> Positions:
        """Give the ranks that each anomalous point sees: a row per shift."""
        return self._seen(self.circles.of_events, self.ranks.laid, by)

    def _seen(self, stretches: Stretches, laid: Array, by: Positions) -> Array:
        lengths = stretches.lengths
        within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        begin = self.circles.begins(stretches.starts, by)
        seen: Array = laid[np.repeat(begin, lengths, axis=1) + within]
        return seen

    @cached_property
    def first(self) -> Positions:
        """Where each event begins among the anomalous points."""
        widths = self.circles.events.widths
        return np.cumsum(widths) - widths

    @cached_property
    def _border(self) -> Border:
        assert isinstance(self.adjust, Balanced)  # noqa: S101 - only asked for with islands
        width = self.adjust.resolved(self.circles.events).width
        assert isinstance(width, int)  # noqa: S101 - `swept_way_of` has seen to it
        return Border(self.circles, min(width, 2 * self.circles.events.n))

    @cached_property
    def _plain_islands(self) -> tuple[Array, Positions]:
        """The moving maximum of each circle as if it had no events and no ends, and its counts."""
        border, circles = self._border, self.circles
        parts, place = [], 0
        for length in circles.lengths[circles.lengths > 0].tolist():
            wrapped = np.arange(-border.before, length + border.after) % length
            ranks = self.ranks.judged[place + wrapped]
            moved = moving_max(ranks, 0, border.before + border.after, np.array([0, ranks.size]))
            parts.append(moved[:length])
            place += length
        free = np.concatenate(parts)
        everywhere = np.zeros(circles.events.n, free.dtype)
        everywhere[slice(None) if circles.events.judged is None else circles.events.judged] = free
        return circles.twice(everywhere), count_reaching(free, self.ranks.distinct)

    def island_counts(self, levels: Positions, by: Positions) -> Positions:
        """Count the normal points whose island reaches each level; the levels of a row ascend."""
        border = self._border
        laid, reaching = self._plain_islands
        seen = self._seen(border.seen, self.ranks.laid, by)
        wide = np.full((len(by), border.size), -1, seen.dtype)
        wide[:, border.places] = seen
        wide = moving_max(wide.ravel(), border.before, border.after, np.array([0, wide.size]))
        exact = wide.reshape(len(by), -1)[:, border.own_places]
        out = [self._seen(part, laid, by) for part in (self.circles.of_events, border.stretches)]
        put_in = _at_or_above(exact, levels, self.ranks.distinct)
        return reaching[levels] + put_in - _at_or_above(np.hstack(out), levels, self.ranks.distinct)


def _at_or_above(values: Positions, levels: Positions, distinct: int) -> Positions:
    """Count, row by row, the values at or above each level.

    Many values are counted rank by rank; few are sorted, and the levels looked up among them.
    """
    rows, size = values.shape
    row = np.arange(rows)[:, np.newaxis] * np.int64(distinct)
    if rows * distinct <= _DENSE * values.size:
        counts = np.bincount((values + row).ravel(), minlength=rows * distinct)
        above = np.cumsum(counts.reshape(rows, distinct)[:, ::-1], axis=1)
        return np.take_along_axis(above, distinct - 1 - levels, axis=1)
    keys = (np.sort(values, axis=1) + row).ravel()
    place = np.searchsorted(keys, levels + row, side="left")
    return np.asarray((np.arange(rows)[:, np.newaxis] + 1) * size - place)


def _highest(shifts: ScoreShifts, found: Array, flagged: Array) -> Floats:
    """Give the best F of each row; within ties the last one has found most and is the highest."""
    truth = int(shifts.circles.events.widths.sum())
    values: Floats = shifts.measure(Tally(found, truth, found, flagged)).max(axis=1)
    return values


def _best_raw(shifts: ScoreShifts, by: Positions) -> Floats:
    falling = np.sort(shifts.own(by), axis=1)[:, ::-1]
    found = np.arange(1, falling.shape[1] + 1)
    return _highest(shifts, found, shifts.ranks.reaching[falling])


def _best_point_adjusted(shifts: ScoreShifts, by: Positions) -> Floats:
    own = shifts.own(by)
    levels, found = _event_levels(shifts, own)
    false = shifts.ranks.reaching[levels] - _at_or_above(own, levels, shifts.ranks.distinct)
    return _highest(shifts, found, found + false)


def _best_balanced(shifts: ScoreShifts, by: Positions) -> Floats:
    levels, found = _event_levels(shifts, shifts.own(by))
    return _highest(shifts, found, found + shifts.island_counts(levels, by))


def _best_covered(shifts: ScoreShifts, by: Positions) -> Floats:
    own, events = shifts.own(by), shifts.circles.events
    base = np.repeat(np.arange(len(events)), events.widths) * np.int64(shifts.ranks.distinct)
    within = np.sort(own + base, axis=1) - base
    needed = shifts.adjust.hits_needed(events.widths)
    assert needed is not None  # noqa: S101 - `_BEST` has seen to it
    place = shifts.first + np.maximum(events.widths - needed, 0)
    reached = np.where(needed <= events.widths, within[:, place], 0)
    found = np.sort(np.maximum(within, np.repeat(reached, events.widths, axis=1)), axis=1)
    false = shifts.ranks.reaching[found] - _at_or_above(own, found, shifts.ranks.distinct)
    count = np.arange(found.shape[1], 0, -1)
    return _highest(shifts, count, count + false)


def _event_levels(shifts: ScoreShifts, own: Positions) -> tuple[Positions, Positions]:
    """Give the highest rank that each event sees, ascending, and the points found from there up."""
    highest = np.maximum.reduceat(own, shifts.first, axis=1)
    order = np.argsort(highest, axis=1)
    widths = shifts.circles.events.widths[order]
    found = np.cumsum(widths[:, ::-1], axis=1)[:, ::-1]
    return np.take_along_axis(highest, order, axis=1), found


def _rank_areas(shifts: ScoreShifts, by: Positions) -> Floats:
    """Give the ROC area from the sum of the ranks that the events see, ties halfway."""
    ranks, events = shifts.ranks, shifts.circles.events
    judged, truth = ranks.judged.size, int(events.widths.sum())
    doubled = 2 * judged - ranks.reaching[:-1] - ranks.reaching[1:] + 1  # twice the mid-rank
    above = shifts.circles.sums_in_events(doubled[ranks.laid], by) - truth * (truth + 1)
    return np.asarray(above / (2 * truth * (judged - truth)))


def _steps_area(shifts: ScoreShifts, by: Positions) -> Floats:
    """Give the average precision: the mean over anomalous points of the precision at their rank."""
    found, flagged, _ = _ranked(shifts, by)
    return np.asarray((found / flagged).mean(axis=1))


def _trapezoid_area(shifts: ScoreShifts, by: Positions) -> Floats:
    """Give the PR area by trapezoids: a step of recall leans on the precision just before it."""
    found, flagged, falling = _ranked(shifts, by)
    above = shifts.ranks.reaching[falling + 1]
    first = np.ones(falling.shape, bool)
    first[:, 1:] = falling[:, 1:] != falling[:, :-1]
    before = np.maximum.accumulate(np.where(first, np.arange(falling.shape[1]), 0), axis=1)
    leaning = np.where(above > 0, before / np.maximum(above, 1), 1.0)
    return np.asarray((found / flagged + leaning).mean(axis=1) / 2)


def _ranked(shifts: ScoreShifts, by: Positions) -> tuple[Positions, Positions, Positions]:
    """Give what is found and flagged at the rank of each anomalous point, from the highest down."""
    falling = np.sort(shifts.own(by), axis=1)[:, ::-1]
    size = falling.shape[1]
    last = np.ones(falling.shape, bool)
    last[:, :-1] = falling[:, 1:] != falling[:, :-1]
    found = np.where(last, np.arange(1, size + 1), size)
    found = np.minimum.accumulate(found[:, ::-1], axis=1)[:, ::-1]
    return found, shifts.ranks.reaching[falling], falling


_AREAS = {auc_roc: _rank_areas, ap: _steps_area, auc_pr: _trapezoid_area}
_BEST: tuple[tuple[Callable[[Adjustment], bool], _Way], ...] = (
    (lambda adjust: adjust == raw, _best_raw),
    (lambda adjust: adjust == point_adjusted, _best_point_adjusted),
    (lambda adjust: adjust.hits_needed(_NO_WIDTHS) is not None, _best_covered),
    (one_island, _best_balanced),
)


def swept_way_of(metric: Metric) -> _Way | None:
    """Find the quick way to judge all thresholds at a shift; None where there is none."""
    measure, adjust, count = metric.parts
    if not isinstance(count, Points):
        return None
    if metric.row.needs == "scores":
        return _AREAS.get(measure) if adjust == raw else None
    if not metric.oracle or not isinstance(measure, FBeta):
        return None
    return next((way for fits, way in _BEST if fits(adjust)), None)


def can_be_ranked(case: Case) -> bool:
    """Say whether there are events and normal points, and every judged point can be flagged.

    A score of ``-inf`` lies above no threshold.
    """
    events = case.events
    judged = case.scores if events.judged is None else case.scores[events.judged]
    return len(events) > 0 and bool(events.normal.any()) and bool(judged.min() > -np.inf)
