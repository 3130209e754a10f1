"""Adjustments: score transforms that commute with thresholding.

An adjustment turns ``(scores, events)`` into scores such that flagging the adjusted scores above a
threshold gives the same points as adjusting the flags at that threshold. Read *or* as
maximum and every protocol of the field becomes one. So one sweep over the adjusted scores is
exact at every threshold, and one threshold is the same code on bools:

>>> events = Events.from_labels([0, 0, 0, 1, 1, 0])
>>> scores = np.array([0.1, 0.9, 0.2, 0.3, 0.8, 0.4])
>>> point_adjusted(scores, events)
array([0.1, 0.9, 0.2, 0.8, 0.8, 0.4])
>>> point_adjusted(scores > 0.5, events)
array([False,  True, False,  True,  True, False])

Conventions
-----------
- Scores are floats, or bools for flags; a point that is not judged holds the lowest value
  (``-inf``, False) before and after.
- Nothing reaches across the border between two series.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from adjudge.adjust.contract import Adjustment, Islands, Marking
from adjudge.checks import boolean, share, whole
from adjudge.data.events import Events  # noqa: TC001 - for the examples
from adjudge.data.intervals import reduce_over, reduceat
from adjudge.data.time_settings import time_length
from adjudge.data.windows import lowest, moving_max, only_where, past_first
from adjudge.settings import setting

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags, Positions


@dataclass(frozen=True)
class Raw(Adjustment):
    """The scores as they are: every point speaks for itself."""

    def __call__(self, scores: Array, events: Events) -> Array:  # noqa: ARG002 - the contract
        """The same array."""
        return scores

    def of_events(self, scores: Array, events: Events) -> Array:
        """Their own."""
        return scores[events.labels]

    def reach(self, events: Events) -> Positions:
        """Each point alone."""
        return np.ones(events.n, np.int64)

    def marking(self, events: Events) -> Marking:
        """No event is marked whole by less than itself."""
        return Marking(events.widths + 1, events.widths, keeps=True)


@dataclass(frozen=True)
class PointAdjusted(Adjustment):
    """Every point of an event gets the event's highest score: one hit earns it all.

    References
    ----------
    .. [1] H. Xu et al. (2018). Unsupervised Anomaly Detection via Variational Auto-Encoder for
       Seasonal KPIs in Web Applications. WWW. arXiv:1802.03903.
    """

    def __call__(self, scores: Array, events: Events) -> Array:
        """The scores with every event raised to its highest one."""
        return events.filled(events.max(scores), scores)

    def of_events(self, scores: Array, events: Events) -> Array:
        """The highest score of the event of each."""
        return events.spread(events.max(scores))

    def marked(self, flags: Flags, events: Events) -> tuple[int, int]:
        """The widths of the events that are hit, and the flags outside all events."""
        return hit_points(flags, events), int(np.count_nonzero(flags > events.labels))

    def reach(self, events: Events) -> Positions:
        """All of the event; a normal point alone."""
        reach = np.ones(events.n, np.int64)
        reach[events.labels] = events.spread(events.widths)
        return reach

    def marking(self, events: Events) -> Marking:
        """One hit anywhere."""
        return Marking(np.ones_like(events.widths), events.widths, keeps=False)


def hit_points(flags: Flags, events: Events) -> int:
    """How many points the events have in which any point is flagged."""
    starts = events.starts
    hit = reduceat(np.logical_or, flags & events.labels, starts)  # up to the next event
    return int(np.dot(hit, events.stops - starts))


raw, point_adjusted = Raw(), PointAdjusted()


@dataclass(frozen=True)
class Covered(Adjustment):
    r"""Adjust an event only when a share ``k`` of it was hit (K%-PA).

    .. math:: s'_t = \max(s_t,\ m\text{-th largest score of } t\text{'s event}),
        \qquad m = \min\{j : j / |e| \ge k\}

    Parameters
    ----------
    k : float
        Share of the event that must be hit, in (0, 1]. Close to 0 is point adjustment; 1 asks for
        the whole event and so adjusts nothing.
    strict : bool
        Ask for more than ``k`` instead of at least ``k``.
    tolerance : int or duration, optional
        Mark only the event's points within so many points, or so much time, of a hit, instead of
        all of them.

    Notes
    -----
    With a tolerance the second score is the lesser of the m-th largest and of the highest within
    reach. The share is compared as a ratio: 3 hits of 30 are 0.1, while the product 0.1 * 30 is a
    little more than 3.

    References
    ----------
    .. [1] S. Kim et al. (2022). Towards a Rigorous Evaluation of Time-Series Anomaly Detection.
       AAAI. arXiv:2109.05257.

    Examples
    --------
    >>> events = Events.from_labels([1, 1, 1, 1, 0])
    >>> Covered(k=0.5)(np.array([0.1, 0.7, 0.2, 0.9, 0.3]), events)
    array([0.7, 0.7, 0.7, 0.9, 0.3])
    """

    k: float = setting(0.2, share)
    strict: bool = setting(False, boolean)
    tolerance: int | None = time_length(None, 0, "down")

    def __call__(self, scores: Array, events: Events) -> Array:
        """The scores with every event raised to what enough of its points reach."""
        reached = self._reached(scores, events)
        if self.tolerance is None or not len(events):
            filled = events.filled(reached, scores)
            return np.maximum(scores, filled, out=filled)
        adjusted, own = scores.copy(), scores[events.labels]
        edges = np.append(0, np.cumsum(events.widths))
        near = moving_max(own, self.tolerance, self.tolerance, edges)
        adjusted[events.labels] = np.maximum(own, np.minimum(events.spread(reached), near))
        return adjusted

    def of_events(self, scores: Array, events: Events) -> Array | None:
        """What enough points of the event reach, or the own score if it is higher."""
        if self.tolerance is not None:
            return None
        raised = events.spread(self._reached(scores, events))
        return np.maximum(scores[events.labels], raised, out=raised)

    def _reached(self, scores: Array, events: Events) -> Array:
        """What enough points of each event reach."""
        if scores.dtype == bool:
            return self._is_enough(events.sum(scores), events.widths)
        return _mth_largest(scores, events, self._needed(events.widths))

    def marking(self, events: Events) -> Marking | None:
        """The least hits that reach the share; with a tolerance they mark less than the event."""
        if self.tolerance is not None:
            return None
        return Marking(self._needed(events.widths), events.widths, keeps=True)

    def _needed(self, widths: Positions) -> Positions:
        """Count the hits that an event of each width needs (``width + 1``: out of reach)."""
        hits = np.floor(self.k * widths).astype(np.int64) - 1  # at most two below the answer
        for _ in range(3):
            hits += ~self._is_enough(hits, widths)
        return np.asarray(np.maximum(hits, 1))

    def _is_enough(self, hits: Positions, widths: Positions) -> Flags:
        """Whether so many hits reach the share: compared as a ratio, so never a rounded product."""
        return np.asarray((np.greater if self.strict else np.greater_equal)(hits / widths, self.k))


@dataclass(frozen=True)
class Delayed(Adjustment):
    """Adjust an event that was hit within its first ``k`` points, and erase the hits of the others.

    Every point of an event gets the highest score of the event's first ``k`` points.

    Parameters
    ----------
    k : int, duration or None
        How many points, or how much time, there is to raise the alarm in. None: all, which is
        point adjustment.

    References
    ----------
    .. [1] H. Ren et al. (2019). Time-Series Anomaly Detection Service at Microsoft. KDD.
       arXiv:1906.03821.

    Examples
    --------
    >>> events = Events.from_labels([1, 1, 1, 0, 1, 1])
    >>> Delayed(k=2)(np.array([0.1, 0.7, 0.9, 0.3, 0.4, 0.2]), events)
    array([0.7, 0.7, 0.7, 0.3, 0.4, 0.4])
    """

    k: int | str | None = time_length(7, 1, "up", uneven=True, none=True)

    def __call__(self, scores: Array, events: Events) -> Array:
        """The scores with every event at the highest of its first points."""
        return events.filled(self._early(scores, events), scores)

    def of_events(self, scores: Array, events: Events) -> Array:
        """The highest of the first points of the event of each."""
        return events.spread(self._early(scores, events))

    def _early(self, scores: Array, events: Events) -> Array:
        return reduce_over(np.maximum, scores, events.starts, self.in_time(events))

    def in_time(self, events: Events) -> Positions:
        """Where the part of each event ends in which an alarm comes in time."""
        if self.k is None:
            return events.stops
        return np.minimum(events.stops, past_first(events.starts, self.k, events))

    def marking(self, events: Events) -> Marking:
        """One hit in time."""
        first = self.in_time(events) - events.starts
        return Marking(np.ones_like(events.widths), first, keeps=False)


@dataclass(frozen=True)
class Dilated(Adjustment):
    """Widen every flag to ``width`` points, true or false, and adjust nothing else.

    The symmetric score of the balanced adjustment's authors.

    Parameters
    ----------
    width : int
        Points of a widened flag. 1 is the pointwise score.

    Examples
    --------
    >>> Dilated(width=3)(np.array([0.1, 0.9, 0.2, 0.3]), Events.from_labels([0, 0, 1, 1]))
    array([0.9, 0.9, 0.9, 0.3])
    """

    width: int = setting(5, whole, 1)

    def __call__(self, scores: Array, events: Events) -> Array:
        """The highest score of each point's window."""
        dilated = moving_max(scores, self.width // 2, (self.width - 1) // 2, events.series_bounds)
        if events.judged is not None:
            dilated = only_where(events.judged, dilated)
        return dilated

    def explain_islands(self, flags: Flags, events: Events) -> Islands:  # noqa: ARG002
        """Every flag raises one."""
        return Islands(flags, (self.width - 1) // 2, self.width // 2)

    def reach(self, events: Events) -> Positions:
        """The points of the window that are judged."""
        return self.explain_islands(np.ones(events.n, bool), events).sources(events)

    @property
    def island_width(self) -> int:
        """The width of the window."""
        return self.width


def _mth_largest(scores: Array, events: Events, m: Positions) -> Array:
    """The m-th largest score of each event, or the lowest value where m is out of reach.

    Events of one width ask for one and the same m, so each width is one matrix.
    """
    reached = np.where(m <= events.widths, events.max(scores), lowest(scores))
    order = np.argsort(events.widths, kind="stable")
    cuts = np.flatnonzero(np.diff(events.widths[order])) + 1
    for group in np.split(order, cuts) if len(events) else []:
        width, needed = int(events.widths[group[0]]), int(m[group[0]])
        if 1 < needed <= width:
            points = events.starts[group, np.newaxis] + np.arange(width)
            place = width - needed
            reached[group] = np.partition(scores[points], place, axis=1)[:, place]
    return reached
