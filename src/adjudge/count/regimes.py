"""Count regimes: the stretches between changes, and how well each is covered by one of the others.

The points of a series are parted by its changes; a change at the first point parts nothing. Points
that are not judged are left out, so a regime is as long as it has judged points.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from adjudge.count.changes import PositionCounting, lists_of
from adjudge.count.ledger import AlarmRows, Ledger, TruthRows
from adjudge.data.intervals import overlaps, reduceat

if TYPE_CHECKING:
    from adjudge._typing import Floats, Positions
    from adjudge.data.events import Events


class Regimes(NamedTuple):
    """The stretches between changes, in judged points counted through all series."""

    starts: Positions
    stops: Positions

    @property
    def lengths(self) -> Positions:
        """How many judged points each has."""
        return self.stops - self.starts


def regimes(changes: Positions, events: Events) -> Regimes:
    """Part the judged points of each series by the changes.

    >>> from adjudge.data.events import Events
    >>> regimes(np.array([3, 3, 7]), Events.from_labels([0] * 10))
    Regimes(starts=array([0, 3, 7]), stops=array([ 3,  7, 10]))
    """
    edges = np.concatenate([changes, events.series_bounds])
    edges.sort(kind="stable")  # two ascending parts, merged in one pass
    if events.judged is not None:
        edges = np.append(0, np.cumsum(events.judged))[edges]
    edges = edges[np.append(True, edges[1:] > edges[:-1])]
    return Regimes(edges[:-1], edges[1:])


def best_overlap(mine: Regimes, others: Regimes) -> tuple[Floats, Positions]:
    """The largest share of their points in common that each regime has with another, and which."""
    one, other, length = overlaps(*mine, *others)
    share = length / (mine.lengths[one] + others.lengths[other] - length)
    best = reduceat(np.maximum, share, np.searchsorted(one, np.arange(len(mine.starts))))
    reached = np.flatnonzero(share == best[one])
    first = reached[np.append(True, one[reached][1:] > one[reached][:-1])]  # of equals
    return best, other[first]


@dataclass(frozen=True)
class CoveredRegimes(PositionCounting):
    r"""Weigh every regime by its length, and credit it with the best overlap with another one.

    .. math:: \frac{1}{n} \sum_R |R| \max_S \frac{|R \cap S|}{|R \cup S|}

    over the regimes R of one side and S of the other. Of several annotators it is the mean.

    References
    ----------
    .. [1] P. Arbelaez et al. (2011). Contour Detection and Hierarchical Image Segmentation. IEEE
       TPAMI 33(5).
    .. [2] G. J. J. van den Burg and C. K. I. Williams (2020). An Evaluation of Change Point
       Detection Algorithms. arXiv:2003.06222.

    Examples
    --------
    >>> from adjudge.adjust.adjustments import raw
    >>> from adjudge.data.changes import Changes
    >>> alarms = Changes([6], 10).counts
    >>> CoveredRegimes().ledger(alarms, Changes([5], 10).events, raw).tally.found  # 5*5/6 + 5*4/5
    8.166666666666668
    """

    tells_false: ClassVar[bool] = False

    @property
    def resamples(self) -> bool:
        """Whether rows may be drawn again: not where together they are all the time there is."""
        return False

    def rows(self, alarms: Positions, events: Events) -> Ledger:
        """Give a row for every regime of both sides."""
        reported = regimes(alarms, events)
        named = [regimes(one, events) for one in lists_of(events)]
        truth = [(own, *best_overlap(own, reported)) for own in named]
        back = [best_overlap(reported, own) for own in named]
        share = 1 / len(named)
        credit = np.mean([covered for covered, _ in back], axis=0)
        parts = AlarmRows.of_runs(
            *_places(reported, events), back[0][1], reported.lengths, reported.lengths * credit
        )
        rows = [
            (*_places(own, events), covered > 0.5, covered, own.lengths * share)
            for own, covered, _ in truth
        ]
        start, stop, found, covered, weight = (
            np.concatenate(side) for side in zip(*rows, strict=True)
        )
        late = np.full(start.size, np.nan)
        return Ledger(TruthRows(start, stop, found, covered, late, weight, weight * covered), parts)


def _places(parts: Regimes, events: Events) -> tuple[Positions, Positions]:
    """The points at which the regimes begin and end."""
    if events.judged is None:
        return parts
    points = np.flatnonzero(events.judged)
    return points[parts.starts], points[parts.stops - 1] + 1
