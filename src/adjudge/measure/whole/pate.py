r"""PATE: proximity-aware evaluation, as an area over thresholds or at one of them.

Alarms near an event earn part of the credit, the less the farther from it; how near is near is
averaged over: the buffers before and behind the events take all sizes of a grid from 0 to
`early` and `delay`. For each pair of sizes (`adjudge.measure.whole.pate_masses` has the weights)

.. math:: P = \frac{TP}{\text{flagged points}}, \qquad R = \frac{TP}{TP + FN}

and the value is the mean over the pairs: of the area under P against R (`Pate`), or of F, P, R at
one threshold.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.checks import Settings, positive, setting, whole
from adjudge.count.tally import Tally
from adjudge.data.time_settings import time_length
from adjudge.measure.curves import trapezoid
from adjudge.measure.rates import FBeta, at_most_one, precision, recall
from adjudge.measure.whole.pate_masses import (
    Entries,
    buffers,
    credit_before,
    credit_behind,
    credit_inside,
    hit_entries,
    missed,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from adjudge._typing import Array, Flags, Floats
    from adjudge.data.events import Events

_SAME = 1e-12
"""Recalls that differ by less are equal but for rounding."""
_CHUNK = 1 << 16


@dataclass(frozen=True)
class _Grid(Settings):
    """Sizes of the buffers: every pair of ``splits + 1`` even steps up to the largest.

    Parameters
    ----------
    early, delay : int or duration
        Largest size of the buffer before and behind an event, in points or in time.
    splits : int
        Steps from 0 to the largest size.
    """

    early: int = time_length(100, 0, "exact")
    delay: int = time_length(100, 0, "exact")
    splits: int = setting(1, whole, 1, 100, "each pair of sizes is counted")

    def mean(self, rate: Callable[[Tally], Any], entries: Entries, events: Events) -> float:
        """The mean of a rate of the masses, over the pairs of sizes."""
        pairs = (self.splits + 1) ** 2
        rates = (weight * rate(tally) for weight, tally in self._tallies(entries, events))
        return float(at_most_one(sum(rates) / pairs))

    def _tallies(self, entries: Entries, events: Events) -> Iterator[tuple[int, Tally]]:
        """Count for each different pair of sizes, beside how often the pair comes up."""
        hit, lost = hit_entries(entries, events), missed(entries, events)
        inside = credit_inside(entries, events)
        for delay, often in _steps(self.delay, self.splits, events.n):
            behind = inside + credit_behind(entries, events, buffers(events, 0, delay))
            for early, times in _steps(self.early, self.splits, events.n):
                zones = buffers(events, early, delay)
                found = np.cumsum(behind + credit_before(entries, events, zones, hit))
                yield often * times, Tally(found, found + lost, found, entries.flagged)


@dataclass(frozen=True)
class Pate(_Grid):
    """Area under the proximity-aware PR curve, meaned over sizes of the buffers.

    The curve starts at recall 0, precision 1; points at which recall falls below an earlier one
    are left out, and the area is summed by trapezoids.

    1: every event point outranks every other. An alarm everywhere has the precision of the
    credited share. NaN: no events.

    Parameters
    ----------
    early, delay, splits
        See `_Grid`.
    thresholds : int or None
        How many thresholds to take, as percentiles of the scores at which an event point is, or is
        just about to be, flagged; a point is flagged at or above the threshold. None: every
        distinct score. Percentiles lie between scores, so with a number here the value is not
        wholly free of the scale of the scores; None is.

    References
    ----------
    .. [1] R. Ghorbani, M. J. T. Reinders, D. M. J. Tax (2024). PATE: Proximity-Aware Time series
       anomaly Evaluation. KDD. arXiv:2405.12096.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 1, 1, 0, 0])
    >>> Pate(early=2, delay=2)(np.array([0, 0, 1, 1, 0, 0]), events)
    1.0
    >>> scores = np.array([0, 0.5, 0, 1, 0, 0])
    >>> round(Pate(early=0, delay=0)(scores, events), 6)  # 1/2 + (1/2 + 1/3) / 4
    0.708333
    """

    thresholds: int | None = setting(250, whole, 2, 10_000, "None takes every score", none=True)

    def __call__(self, scores: Array, events: Events) -> float:
        """Judge scores."""
        if not len(events):
            return math.nan
        normal, anomalous = np.sort(scores[events.normal]), np.sort(scores[events.labels])
        levels = _levels(normal, anomalous, self.thresholds)
        below = np.searchsorted(normal, levels) + np.searchsorted(anomalous, levels)
        flagged = (normal.size + anomalous.size - below)[::-1]
        del normal, anomalous
        when = _numbers(scores, levels)
        if events.judged is not None:
            when[~events.judged] = levels.size
        return self.mean(_area, Entries(when, levels.size, flagged), events)


@dataclass(frozen=True)
class PateF(_Grid):
    """F-score of proximity-aware precision and recall, meaned over sizes of the buffers.

    1: the flags are the labels. 0: no event point and none near one is flagged. NaN: no event and
    no alarm.

    Parameters
    ----------
    early, delay, splits
        See `_Grid`.
    beta : float
        How much more recall weighs than precision.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 1, 1, 0, 0])
    >>> PateF(early=2, delay=2)(np.array([0, 0, 1, 1, 0, 0]) > 0, events)
    1.0
    """

    beta: float = setting(1, positive)

    def __call__(self, flags: Flags, events: Events) -> float:
        """Judge flags."""
        return self.mean(_single(FBeta(self.beta)), _decided(flags), events)


@dataclass(frozen=True)
class PatePrecision(_Grid):
    """Share of the flagging that was right, proximity-aware, meaned over sizes of the buffers.

    1: every alarm was in an event. NaN: no alarm. Parameters: see `_Grid`.

    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 1, 1, 0, 0, 0])
    >>> PatePrecision(early=0, delay=3)(np.array([0, 0, 0, 0, 1, 0, 0]) > 0, events)  # 0 or 4/7
    0.2857142857142857
    """

    def __call__(self, flags: Flags, events: Events) -> float:
        """Judge flags."""
        return self.mean(_single(precision), _decided(flags), events)


@dataclass(frozen=True)
class PateRecall(_Grid):
    """Share of the truth that was found, proximity-aware, meaned over sizes of the buffers.

    1: all event points were flagged. 0: none, and none near. NaN: no event. For the parameters
    see `_Grid`.

    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 1, 1, 0, 0, 0])
    >>> PateRecall(early=2, delay=2)(np.array([0, 0, 1, 1, 0, 0, 0]) > 0, events)
    1.0
    """

    def __call__(self, flags: Flags, events: Events) -> float:
        """Judge flags."""
        return self.mean(_single(recall), _decided(flags), events)


def _steps(most: int, splits: int, points: int) -> list[tuple[int, int]]:
    """The different sizes up to the largest, and how often each comes up.

    Beyond all points a larger size changes nothing.
    """
    sizes = np.minimum(np.arange(splits + 1) * most // splits, points)
    different, times = np.unique(sizes, return_counts=True)
    return list(zip(different.tolist(), times.tolist(), strict=True))


def _levels(normal: Floats, anomalous: Floats, thresholds: int | None) -> Floats:
    """Choose thresholds, ascending, from the sorted scores of normal and of anomalous points."""
    if thresholds is None:
        return np.unique(np.concatenate([normal, anomalous]))
    values = _turning(normal, anomalous)
    between = math.isfinite(float(values[-1]) - float(values[0]))  # infinite ones have no middle
    shares = np.linspace(100, 0, thresholds)
    return np.unique(np.percentile(values, shares, method="linear" if between else "higher"))


def _turning(normal: Floats, anomalous: Floats) -> Floats:
    """The scores of anomalous points, the next ones above them, the lowest and the highest."""
    anomalous = np.unique(anomalous)
    above = np.searchsorted(normal, anomalous, side="right")
    beside = normal[above[above < normal.size]]
    lowest = normal[:1][normal[:1] < anomalous[0]]
    highest = normal[-1:][normal[-1:] > anomalous[-1]]
    return np.unique(np.concatenate([lowest, anomalous, beside, highest]))


def _numbers(scores: Array, levels: Floats) -> Array:
    """Say at which threshold, counted from the highest down, each score is first reached."""
    kind = np.int16 if levels.size < np.iinfo(np.int16).max else np.int64
    when = np.empty(scores.size, kind)
    for start in range(0, scores.size, _CHUNK):
        chunk = slice(start, start + _CHUNK)
        when[chunk] = levels.size - np.searchsorted(levels, scores[chunk], side="right")
    return when


def _decided(flags: Flags) -> Entries:
    """Take flags as scores with one threshold."""
    when = np.logical_not(flags).view(np.int8)
    return Entries(when, 1, np.array([np.count_nonzero(flags)]))


def _single(rate: Callable[[Tally], Any]) -> Callable[[Tally], Any]:
    """Take a rate of the only threshold."""
    return lambda tally: rate(tally)[0]


def _area(tally: Tally) -> float:
    """Sum the area under precision against recall, without the points where recall falls."""
    height, along = (np.append(1.0, precision(tally)), np.append(0.0, recall(tally)))
    kept = along >= np.maximum.accumulate(along) - _SAME
    height, along = height[kept], along[kept]
    return trapezoid(height, along)
