"""Thresholds to look at: evenly in the score, and evenly in the logarithm of the alarms."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from adjudge._typing import Floats
    from adjudge.data.case import Case


def threshold_grid(case: Case, most: int, extra: tuple[float, ...] = ()) -> Floats:
    """At most so many thresholds, falling, with ``-inf`` and the extra ones among them.

    Each is rounded as the scores are, so that comparing with it needs no further rounding.

    >>> from adjudge.data.case import Case
    >>> threshold_grid(Case([0, 0, 1], [1.0, 2.0, 4.0]), 8)
    array([ 4. ,  2.5,  1. , -inf])
    """
    judged = case.events.judged
    scores = np.sort(case.scores if judged is None else case.scores[judged])
    finite = scores[np.isfinite(scores) & (scores > np.finfo(np.float64).min)]  # -inf is read so
    fixed = np.array([-np.inf, *extra])
    if not finite.size:
        return np.unique(fixed)[::-1]
    half = (most - fixed.size) // 2
    flagged = np.unique(np.geomspace(1, scores.size, half).astype(int))
    by_alarms = scores[scores.size - flagged]
    by_score = np.linspace(finite[0], finite[-1], half)
    if case.given.dtype.kind == "f":
        by_score = by_score.astype(case.given.dtype).astype(np.float64)
    levels: Floats = np.unique(np.concatenate([by_alarms, by_score, fixed]))[::-1]
    return levels
