"""Count detection and portion: time-series aware precision and recall, TaPR and eTaPR.

Both ask of every event and every flagged run which portion of it lies in the other side, and
whether that is enough (a share theta) for it to count as detected, or as right.

TaPR forgives an alarm that hangs over: points behind an event are worth less and less. eTaPR
forgives nothing there, but first takes out overlaps that do not count: those of an event of which
too little was found, and those of a run of which too little is right, until all that is left is
enough on both sides.

Several series are pooled: the means run over the events and runs of all of them, and no tail
reaches across a border.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.checks import share
from adjudge.count.contract import Counting, SweptCounting
from adjudge.count.ledger import AlarmRows, Entries, first_touched, flagged_runs, truth_rows
from adjudge.count.range_credit import credit_steps, falling, nested_runs, of_flags, running
from adjudge.count.tally import Mass, Masses, every_score
from adjudge.data.intervals import bincount, overlaps, repeat, stretches
from adjudge.data.time_settings import time_length
from adjudge.settings import setting

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags, Floats, Positions
    from adjudge.data.events import Events

_STEEP = 6.0  # the tail runs over the logistic curve from -6 to 6


@dataclass(frozen=True)
class Portions(SweptCounting):
    r"""Credit events and flagged runs with their portion, and with being detected; each weighs 1.

    .. math:: \alpha\,[r \ge \theta] + (1 - \alpha)\,r

    where r is the portion: of a run, the worth of its points over their number; of an event, the
    worth of the flagged points in it and in its tail over its number of points, at most 1. A point
    of an event is worth 1. The tail is the ``delta + 1`` points after the event, or as many as
    there are before the next one; from the first to the last their worth falls as
    :math:`1 / (1 + e^z)` with z from -6 to 6. A tail of a single point is none.

    Parameters
    ----------
    alpha : float
        How much detection weighs against the portion, from 0 (portion only) to 1.
    theta : float
        Portion from which an event is detected and a run is right, in (0, 1].
    delta : int or duration
        Points, or time, by which an alarm may hang over. 0: no tail.

    Notes
    -----
    Worth is kept in whole units, so that no order of summation decides whether a portion
    reaches theta: a tail that is wholly flagged is worth exactly half its points.

    References
    ----------
    .. [1] W.-S. Hwang et al. (2019). Time-Series Aware Precision and Recall for Anomaly Detection:
       Considering Variety of Detection Result and Addressing Ambiguous Labeling. CIKM.
       doi:10.1145/3357384.3358118.

    Examples
    --------
    >>> from adjudge.adjust.adjustments import raw
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 1, 1, 1, 1, 0, 0, 0])
    >>> flags = np.array([0, 0, 0, 0, 1, 1, 1, 0]) > 0
    >>> Portions().entries(flags, events, raw).tally  # a quarter of the event, a third of the run
    Tally(found=0.125, truth=1, right=0.16666666666666666, flagged=1, normal=nan)
    >>> round(Portions(delta=2).entries(flags, events, raw).tally.right, 6)  # 2.4975 of 3
    0.916255
    """

    alpha: float = setting(0.5, share, zero=True)
    theta: float = setting(0.5, share)
    delta: int = time_length(0, 0, "exact")

    def masses(self, adjusted: Array, events: Events) -> Masses:
        """Count portions above any threshold."""
        if adjusted.dtype == bool:
            return of_flags(self.flag_rows(adjusted, events).tally)
        worth = _worth(events, self.delta)
        nested = nested_runs(adjusted, events.series_bounds)
        credit = self._of_runs(nested.starts, nested.stops, worth)
        return Masses(
            self._found(adjusted, events, worth),
            len(events),
            nested.mass(credit),
            nested.mass(1 - credit),
            (every_score(adjusted, events),),
        )

    def flag_rows(self, flags: Flags, events: Events) -> Entries:
        """Rows for every event and every flagged run."""
        worth = _worth(events, self.delta)
        found = running(np.where(flags, worth.points, 0))
        portion = (found[worth.stops] - found[events.starts]) / (events.widths * worth.unit)
        starts, stops = flagged_runs(flags, events)
        credit = self._of_runs(starts, stops, worth)
        event = first_touched(starts, stops, events, until=worth.stops)
        earned = self._earned(portion)
        return Entries(
            truth_rows(flags, events, np.ones_like(events.starts), earned, earned > 0),
            AlarmRows.of_runs(starts, stops, event, np.ones_like(starts), credit),
        )

    def _found(self, scores: Floats, events: Events, worth: _Worth) -> Mass:
        """Follow the credit of each event as its points come in, the highest score first."""
        lengths = worth.stops - events.starts
        points = stretches(events.starts, lengths)
        owner = repeat(np.arange(len(events)), lengths)
        points = points[falling(scores[points], owner)]
        sums, first = running(worth.points[points]), np.cumsum(lengths) - lengths
        portion = (sums[1:] - sums[first][owner]) / (events.widths * worth.unit)[owner]
        return credit_steps(scores[points], owner, self._earned(portion))

    def _of_runs(self, starts: Positions, stops: Positions, worth: _Worth) -> Floats:
        sums = running(worth.points)
        return self._earned((sums[stops] - sums[starts]) / ((stops - starts) * worth.unit))

    def _earned(self, portion: Floats) -> Floats:
        portion = np.minimum(portion, 1)
        return np.asarray(self.alpha * (portion >= self.theta) + (1 - self.alpha) * portion)


class _Worth(NamedTuple):
    """What each point is worth to its event, and where the tails end."""

    points: Positions
    stops: Positions
    unit: int
    """The worth of a point of an event."""


def _worth(events: Events, delta: int) -> _Worth:
    """Spread the worth over events and tails, in whole units whose sums stay exact."""
    if not delta:
        return _Worth(events.labels.astype(np.int64), events.stops, 1)
    unit = 1 << min(52, 62 - events.n.bit_length())
    bounds = events.series_bounds
    home = np.searchsorted(bounds, events.starts, side="right")
    following = np.append(events.starts[1:], events.n)
    alone = following >= bounds[home]  # the last event of its series
    room = np.where(alone, delta + 1, np.minimum(following - events.stops, delta + 1))
    room[room < 2] = 0
    stops = np.minimum(events.stops + room, bounds[home])
    lengths = stops - events.stops
    place, last = stretches(np.zeros_like(lengths), lengths), repeat(room - 1, lengths)
    points: Positions = events.labels * np.int64(unit)
    points[stretches(events.stops, lengths)] = _logistic(place, last, unit)
    return _Worth(points, stops, unit)


def _logistic(place: Positions, last: Positions, unit: int) -> Positions:
    """Fall from almost a unit at place 0 to almost none at the last one, evenly around a half."""
    steep = _STEEP * np.abs(last - 2 * place) / last
    small = np.rint(unit / (1 + np.exp(steep))).astype(np.int64)
    return np.asarray(np.where(2 * place > last, small, unit - small))


@dataclass(frozen=True)
class PrunedPortions(Counting):
    r"""Credit what is detected, and its portion, after weak overlaps are taken out.

    .. math:: \tfrac12\,[d] + \tfrac12\,[d]\,r

    where r is the portion left and d says whether it reaches theta. An event weighs 1, a flagged
    run the square root of its length. What is taken out: all overlaps of an event of which less
    than ``theta_r`` is found, and all of a run of which less than ``theta_p`` is right, again and
    again until no more fall below. In which order does not matter.

    Parameters
    ----------
    theta_p : float
        Share of a run that must be right, in (0, 1].
    theta_r : float
        Share of an event that must be found, in (0, 1].

    References
    ----------
    .. [1] W.-S. Hwang et al. (2022). "Do You Know Existing Accuracy Metrics Overrate Time-Series
       Anomaly Detections?". SAC. doi:10.1145/3477314.3507024.

    Examples
    --------
    >>> from adjudge.adjust.adjustments import raw
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 1, 1, 1, 1, 0, 0, 0])
    >>> PrunedPortions().entries(np.array([0, 0, 0, 1, 1, 1, 0, 0]) > 0, events, raw).tally.found
    0.75
    >>> PrunedPortions().entries(np.array([0, 0, 0, 0, 1, 1, 1, 0]) > 0, events, raw).tally.found
    0.0
    """

    theta_p: float = setting(0.5, share)
    theta_r: float = setting(0.1, share)

    def flag_rows(self, flags: Flags, events: Events) -> Entries:
        """Rows for every event and every flagged run."""
        starts, stops = flagged_runs(flags, events)
        pairs = overlaps(events.starts, events.stops, starts, stops)
        found = _OverlapSide(pairs.one, events.widths, self.theta_r)
        right = _OverlapSide(pairs.other, stops - starts, self.theta_p)
        length = _pruned(pairs.length, found, right)
        weight = np.sqrt(stops - starts)
        event = first_touched(starts, stops, events)
        earned = found.earned(length)
        return Entries(
            truth_rows(flags, events, np.ones_like(events.starts), earned, earned > 0),
            AlarmRows.of_runs(starts, stops, event, weight, weight * right.earned(length)),
        )


class _OverlapSide(NamedTuple):
    """One side of the overlaps: whose each pair is, how long intervals are, what is enough."""

    owner: Positions
    lengths: Positions
    theta: float

    def sums(self, length: Positions) -> Positions:
        """Add up the overlaps of each interval."""
        return bincount(self.owner, length, len(self.lengths)).astype(np.int64)

    def weak(self, sums: Positions, which: Positions) -> Positions:
        """Pick the intervals of which something overlaps, but too little."""
        portion = sums[which] / self.lengths[which]
        return which[(portion > 0) & (portion < self.theta)]

    def pairs(self, which: Positions) -> Positions:
        """Find the pairs of some intervals; those of one interval are neighbours."""
        first = np.searchsorted(self.owner, which, side="left")
        return stretches(first, np.searchsorted(self.owner, which, side="right") - first)

    def earned(self, length: Positions) -> Floats:
        """Half a point for reaching theta, and the other half by portion."""
        portion = self.sums(length) / self.lengths
        return np.where(portion >= self.theta, (1 + portion) / 2, 0.0)


def _pruned(length: Positions, one: _OverlapSide, other: _OverlapSide) -> Positions:
    """Take out weak overlaps until none is left; each step looks at what the last one touched."""
    length = length.copy()
    near, far = (one, one.sums(length)), (other, other.sums(length))
    suspects, following = np.arange(len(one.lengths)), np.arange(len(other.lengths))
    while suspects.size:
        (side, sums), (across, sums_across) = near, far
        weak = side.weak(sums, suspects)
        pairs = side.pairs(weak)
        touched = across.owner[pairs]
        np.subtract.at(sums_across, touched, length[pairs])
        sums[weak], length[pairs] = 0, 0
        suspects, following = np.union1d(following, touched), following[:0]
        near, far = far, near
    return length
