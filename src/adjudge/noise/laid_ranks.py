"""Laid ranks: the scores of all circles as ranks, and the points that an event's island changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from adjudge.noise.circles import Circles, Stretches

if TYPE_CHECKING:
    from adjudge._typing import Array, Positions
    from adjudge.data.case import Case


class LaidRanks:
    """Scores as ranks from 0 up, equal scores alike, and how many points reach each rank."""

    def __init__(self, case: Case, circles: Circles) -> None:
        judged = case.events.judged
        scores = case.scores if judged is None else case.scores[judged]
        order = np.argsort(scores)
        rises = np.append(False, np.diff(scores[order]) > 0)
        self.judged = np.empty(scores.size, np.int32)
        self.judged[order] = np.cumsum(rises)
        self.distinct = int(np.count_nonzero(rises)) + 1
        everywhere = np.zeros(case.events.n, np.int32)
        everywhere[slice(None) if judged is None else judged] = self.judged
        self.laid = circles.twice(everywhere)
        self.reaching = count_reaching(self.judged, self.distinct)


class Border:
    """The normal points whose window meets an event, a gap or an end, and all that they see.

    What they see is laid out with its true distances, long stretches between them left out.
    """

    def __init__(self, circles: Circles, width: int) -> None:
        self.before, self.after = width // 2, (width - 1) // 2
        starts, stops = circles.of_normal
        self.stretches = _ends(starts, stops, self.before, self.after)
        self.seen = _ends(starts, stops, width - 1, width - 1)
        points = _points(self.seen)
        steps = np.minimum(np.diff(points), width)
        home = np.searchsorted(circles.events.series_bounds, points, side="right")
        steps[np.diff(home) > 0] = width
        self.places = width + np.append(0, np.cumsum(steps))[: points.size]
        self.size = int(self.places.max(initial=0)) + 1 + width
        self.own_places = self.places[np.searchsorted(points, _points(self.stretches))]


def _ends(starts: Positions, stops: Positions, left: int, right: int) -> Stretches:
    """Cut the first and the last points off each stretch; a short one stays in one part."""
    short = stops - starts <= left + right
    begin = np.concatenate([starts, np.where(short, stops, stops - right)])
    end = np.concatenate([np.where(short, stops, starts + left), stops])
    kept = np.flatnonzero(end > begin)
    order = kept[np.argsort(begin[kept], kind="stable")]
    return Stretches(begin[order], end[order])


def _points(stretches: Stretches) -> Positions:
    lengths = stretches.lengths
    first = np.repeat(stretches.starts - np.cumsum(lengths) + lengths, lengths)
    points: Positions = first + np.arange(lengths.sum())
    return points


def count_reaching(ranks: Array, distinct: int) -> Positions:
    """Count the points at or above each rank, and none above the last."""
    counts = np.bincount(ranks, minlength=distinct)
    return np.append(np.cumsum(counts[::-1])[::-1], 0)
