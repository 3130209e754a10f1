"""Peaks: the scores that may become alarms at positions, each at some distance from the next.

Taken from the highest score down, a score is kept where no kept one lies nearer than the distance;
of equal ones the earliest comes first. A score is weighed against higher ones alone, so what is
kept above a threshold does not depend on what lies below it: the peaks above a threshold are the
peaks of the scores above it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from adjudge.adjust.contract import Adjustment
from adjudge.checks import suggest_keywords, whole
from adjudge.data.columns import column, floats
from adjudge.data.event_checks import series_bounds
from adjudge.data.time_settings import time_length

if TYPE_CHECKING:
    from adjudge._typing import Array, Column, Floats, Positions
    from adjudge.data.case import Case
    from adjudge.data.events import Events


@dataclass(frozen=True)
class Peaks(Adjustment):
    """Keep the peaks of scores; flags and positions are alarms already and stay as they are.

    Parameters
    ----------
    distance : int or duration, optional
        The least distance between two alarms. None: every run of flagged points is one alarm.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> Peaks(3)(np.array([1.0, 5.0, 4.0, 3.0, 2.0]), Events.from_labels([0] * 5))
    array([-inf,   5., -inf, -inf,   2.])
    """

    distance: int | None = time_length(None, 1, "up")

    def __call__(self, scores: Array, events: Events) -> Array:
        """The peaks of scores; flags as they are."""
        if self.distance is None or scores.dtype.kind != "f":
            return scores
        return _peaks(scores, self.distance, events.series_bounds)

    def picked(self, case: Case) -> Case:
        """The case with nothing but its peaks."""
        if self.distance is None or case.is_flags:
            return case
        return case.reordered(self(case.scores, case.events))


@suggest_keywords("peaks")
def peaks(scores: Column, *, distance: int, series: Column = None) -> Floats:
    """Keep the peaks of scores; all other points become -inf.

    From the highest score down, a score is kept where no kept one lies less than ``distance``
    points away; of equal scores the earliest is taken first. So peaks above any threshold are the
    peaks of the scores above it, and ``change_f1(distance=d)`` finds its alarms in this way.

    Parameters
    ----------
    scores : column
        One number per point.
    distance : int
        The least distance between two peaks, in points.
    series : column, optional
        One id per point, equal ids adjacent: peaks of one series do not hide those of another.

    Returns
    -------
    array
        The scores of the peaks, and -inf elsewhere.

    Raises
    ------
    InputError
        If scores are no numbers, or the distance is below 1.

    Examples
    --------
    >>> peaks([1, 5, 4, 3, 2], distance=3)
    array([-inf,   5., -inf, -inf,   2.])
    """
    given = floats(column(scores, "scores"), "scores")
    bounds, _ = series_bounds(series, given.size)
    return _peaks(given, whole(distance, "distance", 1), bounds)


def _peaks(scores: Floats, distance: int, bounds: Positions) -> Floats:
    """Walk down from the highest score; a kept one rules its neighbours out."""
    kept = np.full(scores.size, -np.inf)
    for first, stop in pairwise(bounds.tolist()):
        own = scores[first:stop]
        ruled_out = bytearray(own == -np.inf)
        found = []
        for place in np.argsort(-own, kind="stable").tolist():
            if not ruled_out[place]:
                found.append(place)
                low, high = max(place - distance + 1, 0), min(place + distance, own.size)
                ruled_out[low:high] = b"\x01" * (high - low)
        kept[first:stop][found] = own[found]
    return kept
