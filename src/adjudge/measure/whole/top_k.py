"""Ranking: what stands at the top of the scores, without any threshold to be chosen.

The labels say how many points (or runs) to look at: as many as are anomalous. Then precision and
F-score are those of the threshold that flags so many: `Top`, the rule ``top(k)``, for points, with
all that tie with the last of them. Several series share one threshold, and are counted together.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.adjust.adjustments import raw
from adjudge.checks import positive
from adjudge.count.points import PointCount
from adjudge.count.runs import Runs
from adjudge.count.tally import Tally
from adjudge.data.case import Case
from adjudge.data.intervals import reduceat, repeat
from adjudge.data.time_settings import time_length
from adjudge.measure.rates import FBeta, precision
from adjudge.measure.thresholds.rules import Top
from adjudge.settings import Settings, setting

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge._typing import Array
    from adjudge.data.events import Events


def precision_at_k(scores: Array, events: Events) -> float:
    """Share of the k highest points that are anomalous, where k points are.

    1: every anomalous point outranks every normal one. 0: none is among the k highest. Chance
    level: the share of anomalous points. All that tie with the k-th are looked at, so a constant
    score has its chance level. NaN: no events.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 1, 1, 0])
    >>> precision_at_k(np.array([0.1, 0.9, 0.3, 0.7]), events)
    0.5
    """
    return _at_k(precision, scores, events)


@dataclass(frozen=True)
class FAtK(Settings):
    """F-score of the k highest points, where k points are anomalous.

    Without ties it is `precision_at_k`, because as many points are flagged as are anomalous; with
    ties more are flagged, and recall may be higher than precision. NaN: no events.

    Parameters
    ----------
    beta : float
        How much more recall weighs than precision.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 1, 1, 0])
    >>> FAtK()(np.array([0.1, 0.9, 0.3, 0.3]), events)  # three are flagged
    0.8
    """

    beta: float = setting(1, positive)

    def __call__(self, scores: Array, events: Events) -> float:
        """Judge scores."""
        return _at_k(FBeta(self.beta), scores, events)


def event_precision_at_k(scores: Array, events: Events) -> float:
    """Share of the flagged runs that touch an event, as soon as there are k runs for k events.

    The threshold is the highest at which at least as many runs are flagged as there are events.
    1: all of those runs touch an event (but they may all touch the same one). NaN: no events,
    or no threshold flags so many runs.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 1, 1, 0, 0, 1])
    >>> event_precision_at_k(np.array([0, 9, 5, 0, 7, 0]), events)
    0.5
    """
    return _at_k_runs(precision, scores, events)


@dataclass(frozen=True)
class EventFAtK(Settings):
    """F-score of events and runs, as soon as there are k runs for k events.

    The threshold is that of `event_precision_at_k`. NaN: no events, or no threshold flags so many
    runs.

    Parameters
    ----------
    beta : float
        How much more recall weighs than precision.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 1, 1, 0, 0, 1])
    >>> EventFAtK()(np.array([0, 9, 5, 0, 7, 0]), events)
    0.5
    """

    beta: float = setting(1, positive)

    def __call__(self, scores: Array, events: Events) -> float:
        """Judge scores."""
        return _at_k_runs(FBeta(self.beta), scores, events)


@dataclass(frozen=True)
class Ucr(Settings):
    """Whether the highest score lies at the event, of series that hold exactly one event each.

    The event is widened on both sides by its own length, or by `tolerance` where that is more.
    Of several series it is the share that are hit. Where several points share the highest score it
    is the share of those that lie at the event: what guessing among them would give on average.
    NaN: a series with no event, or with more than one; series of which no point is judged are left
    out.

    Parameters
    ----------
    tolerance : int or duration
        How far from the event still counts, in points or in time, even if the event is
        shorter. The UCR archive is scored with 100.

    References
    ----------
    .. [1] R. Wu and E. J. Keogh (2021). Current Time Series Anomaly Detection Benchmarks are Flawed
       and are Creating the Illusion of Progress. IEEE TKDE. arXiv:2009.13807.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 0, 0, 1, 1, 0])
    >>> Ucr()(np.array([0, 0, 9, 1, 2, 1, 0]), events)  # two points early
    1.0
    >>> Ucr()(np.array([0, 9, 1, 1, 2, 1, 0]), events)
    0.0
    """

    tolerance: int = time_length(0, 0, "down")

    def __call__(self, scores: Array, events: Events) -> float:
        """Judge scores."""
        bounds = events.whole_series
        judged = events.judged_flags
        takes_part = reduceat(np.logical_or, judged, bounds[:-1])
        home = np.searchsorted(bounds, events.starts, side="right") - 1
        if not np.array_equal(home, np.flatnonzero(takes_part)):
            return math.nan
        highest = reduceat(np.maximum, scores, bounds[:-1])
        ties = (scores == repeat(highest, np.diff(bounds))) & judged
        before = np.append(0, np.cumsum(ties))
        reach = np.maximum(events.widths, self.tolerance)
        first, end = bounds[home], bounds[home + 1]
        start, stop = (
            np.maximum(events.starts - reach, first),
            np.minimum(events.stops + reach, end),
        )
        near, every = before[stop] - before[start], before[end] - before[first]
        return float(np.mean(near / every))


def _at_k(rate: Callable[[Tally], Any], scores: Array, events: Events) -> float:
    """Take a rate of points at the threshold ``top(k)``."""
    if not len(events):
        return math.nan
    threshold = Top(int(events.widths.sum()))(Case(events, scores))
    return float(rate(PointCount().tally(scores > threshold, events, raw)))


def _at_k_runs(rate: Callable[[Tally], Any], scores: Array, events: Events) -> float:
    """Take a rate of events and runs at the highest threshold that flags enough runs."""
    if not len(events):
        return math.nan
    _, tally = Runs().masses(scores, events).sweep
    enough = np.flatnonzero(tally.flagged >= len(events))
    if not enough.size:
        return math.nan
    first = enough[0]
    found, right, flagged = (mass[first] for mass in (tally.found, tally.right, tally.flagged))
    return float(rate(Tally(found, tally.truth, right, flagged)))
