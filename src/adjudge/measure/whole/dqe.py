"""DQE: the quality of detection around the events, over all thresholds of scaled scores."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

import numpy as np

from adjudge.checks import whole, word
from adjudge.count.detection_quality import Quality, Version, zones
from adjudge.data.intervals import bincount
from adjudge.data.time_settings import time_length
from adjudge.settings import Settings, setting

if TYPE_CHECKING:
    from adjudge._typing import Array, Floats
    from adjudge.data.events import Events


@dataclass(frozen=True)
class Dqe(Settings):
    r"""Mean of `sdqe` over thresholds that are evenly spaced between the lowest and highest score.

    Scores are scaled to 0 ... 1; at the threshold t the points with a score of t or more are
    flagged, for t = 1, 1 - 1/n, ..., 1/n with n = ``thresholds``. The spacing of the scores
    matters, not their order alone. A constant score flags nothing: 0. NaN: no event, or scores that
    are not all finite.

    Parameters
    ----------
    near : int
        How many points beside an event are near.
    version : "2026-05" or "2026-03"
        The authors' code of May 2026, or that of March (probably the paper's).
    thresholds : int or None
        How many thresholds. None: the exact integral over t from 0 to 1, for which every distinct
        score is one.

    References
    ----------
    .. [1] Y. Li et al. (2026). DQE. arXiv:2603.06131.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 1, 1, 0, 0])
    >>> Dqe(near=2, thresholds=None)(np.array([0.0, 0.0, 0.0, 1.0, 1.0, 0.0]), events) ** 2
    0.875
    """

    near: int = time_length(125, 1, "exact")
    version: Version = setting("2026-05", word, get_args(Version))
    thresholds: int | None = setting(100, whole, 1, 10**6, "None is the exact integral", none=True)

    def __call__(self, scores: Array, events: Events) -> float:
        """Judge scores."""
        judged = scores if events.judged is None else scores[events.judged]
        if not len(events) or not np.isfinite(judged).all():
            return math.nan
        scaled = _scaled(scores, judged.min().item(), judged.max().item())
        counting, around = Quality(self.near, self.version), zones(events, self.near)
        levels, weights = self._levels(scaled[scaled > 0])
        sums = counting.sums_of_levels(scaled, events, around, levels)
        return math.fsum(weights * sums / len(events))

    def _levels(self, scaled: Floats) -> tuple[Floats, Floats]:
        """The scores that are thresholds, and how much of the time each is the lowest one."""
        distinct = np.unique(scaled)
        if self.thresholds is None:
            return distinct, np.diff(distinct, prepend=0.0)
        levels = np.arange(1, self.thresholds + 1) / self.thresholds
        levels *= 1 - 1e-12  # rounding must not decide where a score is a threshold
        times = bincount(np.searchsorted(distinct, levels), minlength=distinct.size)
        reached = np.flatnonzero(times[: distinct.size])
        return distinct[reached], times[reached] / self.thresholds


def _scaled(scores: Array, low: float, high: float) -> Floats:
    """Bring scores to 0 ... 1; where they lie too far apart for a number, half of each does."""
    part = 1.0 if math.isfinite(high - low) else 0.5
    span = (high * part - low * part) or 1.0  # a constant score is 0 everywhere
    return np.asarray((scores * part - low * part) / span)
