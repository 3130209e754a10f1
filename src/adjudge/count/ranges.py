r"""Count ranges: every event and every flagged run is a range, and earns a share of 1.

A range of L points that c ranges of the other side touch, and of which they cover the positions C,
earns

.. math:: \alpha\,[c > 0] + (1 - \alpha)\,\gamma(c, L)\,
    \frac{\sum_{i \in C} \delta(i, L)}{\sum_{i = 1}^{L} \delta(i, L)}

Recall is the mean over the events, precision the mean over the flagged runs. All sums of
positions are differences of two running sums, so nothing is counted point by point; and since
a run is a run over a stretch of thresholds (`adjudge.count.range_credit`), and an event's credit
changes only with its own scores, all thresholds are exact from a few sorts.

Several series are pooled: the means run over the ranges of all of them, and none crosses a border.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

import numpy as np

from adjudge.checks import share, word
from adjudge.count.contract import SweptCounting
from adjudge.count.ledger import AlarmRows, Entries, first_touched, flagged_runs, truth_rows
from adjudge.count.range_credit import (
    Bias,
    CoveredShare,
    credit_steps,
    falling,
    nested_runs,
    of_flags,
    weight_at,
    whole_weight,
)
from adjudge.count.tally import Mass, Masses, every_score
from adjudge.data.intervals import first_and_count
from adjudge.settings import setting

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags, Floats, Positions
    from adjudge.data.events import Events

Cardinality = Literal["one", "reciprocal", "corrected"]


class _OfRanges(SweptCounting, ABC):
    """Ranges that earn by one rule, and flagged runs by the same or another."""

    @property
    @abstractmethod
    def sides(self) -> _Sides:
        """Both rules."""

    def masses(self, adjusted: Array, events: Events) -> Masses:
        """Count ranges above any threshold."""
        return self.sides.masses(adjusted, events)

    def flag_rows(self, flags: Flags, events: Events) -> Entries:
        """Rows for every event and every flagged run."""
        return self.sides.entries(flags, events)


@dataclass(frozen=True)
class Ranges(_OfRanges):
    r"""Credit events and flagged runs alike, each weighing 1.

    Parameters
    ----------
    alpha : float
        What being touched at all earns, from 0 (nothing: only overlap counts) to 1 (everything:
        recall is then the share of events touched).
    cardinality : "one", "reciprocal" or "corrected"
        What is left when c ranges share the work in one of L points: :math:`\gamma` is 1, 1 / c,
        or ((L - 1) / L)^(c - 1), with which one more flagged point never lowers recall.
    bias : "flat", "front", "middle" or "back"
        Which positions of a range weigh more: :math:`\delta(i, L)` for i = 1 ... L is 1 (flat),
        L - i + 1 (front), i (back), or the smaller of these two (middle).

    References
    ----------
    .. [1] N. Tatbul et al. (2018). Precision and Recall for Time Series. NeurIPS. arXiv:1803.03639.

    Examples
    --------
    >>> from adjudge.adjust.adjustments import raw
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 1, 1, 1, 1, 0])
    >>> flags = np.array([1, 1, 0, 1, 0, 0]) > 0
    >>> Ranges().entries(flags, events, raw).tally  # half the event; half a run, all of another
    Tally(found=0.5, truth=1, right=1.5, flagged=2, normal=nan)
    >>> Ranges(cardinality="reciprocal").entries(flags, events, raw).tally.found
    0.25
    """

    alpha: float = setting(0, share, zero=True)
    cardinality: Cardinality = setting("one", word, get_args(Cardinality))
    bias: Bias = setting("flat", word, get_args(Bias))

    @property
    def sides(self) -> _Sides:
        """The same rule for events and for runs."""
        return _Sides(self, self)

    def earned(self, lengths: Positions, touching: Positions, covered: Floats) -> Floats:
        """The credit of ranges: so long, touched by so many, covered to such a share."""
        left = (1 - self.alpha) * covered
        more = np.maximum(touching, 1)
        if self.cardinality == "reciprocal":
            left /= more
        elif self.cardinality == "corrected":
            left *= ((lengths - 1) / lengths) ** (more - 1)
        return np.asarray(self.alpha * (touching > 0) + left)


@dataclass(frozen=True)
class RangePair(_OfRanges):
    """Credit events by one rule and flagged runs by another, each weighing 1.

    Parameters
    ----------
    p_alpha, r_alpha : float
        What being touched at all earns a flagged run, and an event.
    cardinality : "one", "reciprocal" or "corrected"
        What is left when several ranges share the work.
    p_bias, r_bias : "flat", "front", "middle" or "back"
        Which positions of a flagged run, and of an event, weigh more.

    See Also
    --------
    Ranges : the formula.

    Examples
    --------
    >>> from adjudge.adjust.adjustments import raw
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 1, 1, 1, 1, 0])
    >>> flags = np.array([1, 1, 0, 0, 0, 0]) > 0
    >>> RangePair(r_bias="front").entries(flags, events, raw).tally
    Tally(found=0.4, truth=1, right=0.5, flagged=1, normal=nan)
    """

    p_alpha: float = setting(0, share, zero=True)
    r_alpha: float = setting(0, share, zero=True)
    cardinality: Cardinality = setting("one", word, get_args(Cardinality))
    p_bias: Bias = setting("flat", word, get_args(Bias))
    r_bias: Bias = setting("flat", word, get_args(Bias))

    @property
    def sides(self) -> _Sides:
        """A rule for events, and one for runs."""
        return _Sides(
            Ranges(self.r_alpha, self.cardinality, self.r_bias),
            Ranges(self.p_alpha, self.cardinality, self.p_bias),
        )


@dataclass(frozen=True)
class CorrectedRanges(_OfRanges):
    r"""Credit overlap with the corrected cardinality, and weigh flagged runs by their length.

    An event weighs 1, a flagged run its number of points. With
    :math:`\gamma = ((L-1)/L)^{c-1}` recall never falls as the threshold does, so its curve against
    precision has an area; and short false runs no longer weigh as much as long ones.

    References
    ----------
    .. [1] D. Wagner et al. (2023). TimeSeAD: Benchmarking Deep Multivariate Time-Series Anomaly
       Detection. TMLR.

    Examples
    --------
    >>> from adjudge.adjust.adjustments import raw
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 1, 1, 1, 1, 0])
    >>> CorrectedRanges().entries(np.array([1, 1, 0, 1, 0, 0]) > 0, events, raw).tally
    Tally(found=0.375, truth=1, right=2.0, flagged=3, normal=nan)
    """

    @property
    def sides(self) -> _Sides:
        """The corrected rule for both, runs by their length."""
        return _CORRECTED


class _Sides(NamedTuple):
    """What events earn, what flagged runs earn, and whether a run weighs its length or 1."""

    events: Ranges
    runs: Ranges
    by_length: bool = False

    def entries(self, flags: Flags, events: Events) -> Entries:
        starts, stops = flagged_runs(flags, events)
        _, touching = first_and_count(events.starts, events.stops, starts, stops)
        covered = CoveredShare(flags, self.events.bias).share(events.starts, events.stops)
        earned = self.events.earned(events.widths, touching, covered)
        weight, credit = self._of_runs(starts, stops, events)
        event = first_touched(starts, stops, events)
        return Entries(
            truth_rows(flags, events, np.ones(len(events), np.int64), earned),
            AlarmRows.of_runs(starts, stops, event, weight, credit),
        )

    def masses(self, scores: Array, events: Events) -> Masses:
        if scores.dtype == bool:
            return of_flags(self.entries(scores, events).tally)
        nested = nested_runs(scores, events.series_bounds)
        weight, credit = self._of_runs(nested.starts, nested.stops, events)
        return Masses(
            self._found(scores, events),
            len(events),
            nested.mass(credit),
            nested.mass(weight - credit),
            (every_score(scores, events),),
        )

    def _of_runs(
        self, starts: Positions, stops: Positions, events: Events
    ) -> tuple[Positions, Floats]:
        """The weight and the credit of runs, flagged at one threshold or at some."""
        lengths = stops - starts
        _, touching = first_and_count(starts, stops, events.starts, events.stops)
        covered = CoveredShare(events.labels, self.runs.bias).share(starts, stops)
        weight = lengths if self.by_length else np.ones_like(lengths)
        return weight, weight * self.runs.earned(lengths, touching, covered)

    def _found(self, scores: Floats, events: Events) -> Mass:
        """Follow the credit of each event as its points come in, the highest score first."""
        owner, values = events.spread(np.arange(len(events))), scores[events.labels]
        order, widths = falling(values, owner), events.widths[owner]
        place = np.flatnonzero(events.labels) - events.starts[owner] + 1
        worth = weight_at(self.events.bias, place, widths)[order]
        whole = whole_weight(self.events.bias, events.widths)
        covered = np.cumsum(worth) - (np.cumsum(whole) - whole)[owner]
        touching = np.cumsum(_new_runs(order, owner)) - owner  # all of an event is one run
        credit = self.events.earned(widths, touching, covered / whole[owner])
        return credit_steps(values[order], owner, credit)


_CORRECTED = _Sides(
    Ranges(cardinality="corrected"), Ranges(cardinality="corrected"), by_length=True
)


def _new_runs(order: Positions, owner: Positions) -> Positions:
    """Say by how much each point, as it comes in, changes the number of runs in its event.

    One more, but for each neighbour that is in already.
    """
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    change = np.ones_like(order)
    beside = owner[1:] == owner[:-1]
    change[1:] -= beside & (rank[:-1] < rank[1:])
    change[:-1] -= beside & (rank[:-1] > rank[1:])
    return change[order]
