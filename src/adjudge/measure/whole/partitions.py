r"""Partitions: how alike two ways are to part time into regimes.

With the lengths r of the true regimes, s of the reported ones and m of their overlaps:

- Rand: the share of the pairs of points that both ways join or both part.
- Adjusted Rand: the same, set to 0 where *points* are shuffled and to 1 where both ways agree.
- Normalised mutual information of the regime numbers of a point: over the arithmetic mean of both
  entropies.

Regimes are contiguous, and shuffled points are not: two lists of changes that have nothing to do
with each other agree far better than shuffled points would, so the adjusted Rand index of chance is
not 0 here. The chance line says how much it is.

Over several series pairs are of points of one series, and information is what is left to know
once the series is known. Of several annotators it is the mean.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.count.changes import lists_of
from adjudge.count.ledger import alarm_positions
from adjudge.count.regimes import Regimes, regimes
from adjudge.data.intervals import bincount, overlaps

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge._typing import Array, Floats, Positions
    from adjudge.data.events import Events


class Parted(NamedTuple):
    """Both ways to part the time, one number per series of what each sums to."""

    points: Positions
    """How many judged points a series has."""
    truth: Regimes
    reported: Regimes
    series: Positions
    """Where each series begins, in judged points, closed by their number."""

    def summed(self, lengths: Array, starts: Positions) -> Floats:
        """Sum what belongs to stretches by series."""
        home = np.searchsorted(self.series, starts, side="right") - 1
        return np.asarray(bincount(home, lengths, self.points.size), np.float64)

    def sums(self, of: Callable[[Array], Array]) -> tuple[Floats, Floats, Floats]:
        """Sum a function of the lengths: of true and reported regimes, and of their overlaps."""
        truth, reported = self.truth, self.reported
        one, other, length = overlaps(*truth, *reported)
        begin = np.maximum(truth.starts[one], reported.starts[other])
        return (
            self.summed(of(truth.lengths), truth.starts),
            self.summed(of(reported.lengths), reported.starts),
            self.summed(of(length), begin),
        )


class RegimeIndex:
    """An index of how alike two ways are to part time, as a mean over annotators."""

    def __init__(self, index: Callable[[Parted], float]) -> None:
        self._index, self.__doc__ = index, index.__doc__

    def __call__(self, flags: Array, events: Events) -> float:
        """Compare the truth with the alarms that flags are."""
        return self.of_alarms(alarm_positions(flags, events), events)

    def of_alarms(self, alarms: Positions, events: Events) -> float:
        """Compare the truth with alarms at these positions."""
        reported = regimes(alarms, events)
        series = events.series_bounds
        if events.judged is not None:
            series = np.append(0, np.cumsum(events.judged))[series]
        parts = (regimes(one, events) for one in lists_of(events))
        values = [self._index(Parted(np.diff(series), own, reported, series)) for own in parts]
        return float(np.mean(values))


def _pairs(lengths: Array) -> Array:
    return np.asarray(lengths * (lengths - 1.0) / 2)


def _rand(parted: Parted) -> float:
    """The share of the pairs of points that both ways join or both part; NaN without a pair.

    >>> from adjudge.data.changes import Changes
    >>> regime_rand(Changes([6], 10).counts, Changes([5], 10).events)
    0.8
    """
    every = float(_pairs(parted.points).sum())
    truth, reported, both = (float(side.sum()) for side in parted.sums(_pairs))
    return 1 - (truth + reported - 2 * both) / every if every else np.nan


def _ari(parted: Parted) -> float:
    """The Rand index, set to 0 for shuffled points and to 1 for the same regimes.

    >>> from adjudge.data.changes import Changes
    >>> print(f"{regime_ari(Changes([6], 10).counts, Changes([5], 10).events):.3f}")
    0.597
    """
    every = _pairs(parted.points)
    truth, reported, both = parted.sums(_pairs)
    if not every.any():
        return np.nan
    by_chance = float((truth * reported / np.maximum(every, 1)).sum())
    most = float((truth + reported).sum() / 2)
    return 1.0 if most == by_chance else (float(both.sum()) - by_chance) / (most - by_chance)


def _nmi(parted: Parted) -> float:
    """Mutual information over the mean of both entropies; 1 where neither way parts anything.

    >>> from adjudge.data.changes import Changes
    >>> print(f"{regime_nmi(Changes([6], 10).counts, Changes([5], 10).events):.3f}")
    0.619
    """
    points = parted.points
    whole = float(_by_log(points).sum())
    truth, reported, both = (whole - float(side.sum()) for side in parted.sums(_by_log))
    if truth + reported <= 0:
        return 1.0
    return max(0.0, truth + reported - both) / ((truth + reported) / 2)


def _by_log(lengths: Array) -> Array:
    """Lengths times their logarithms, of which entropies are made."""
    return lengths * np.log(np.maximum(lengths, 1))


regime_rand, regime_ari, regime_nmi = map(RegimeIndex, (_rand, _ari, _nmi))
