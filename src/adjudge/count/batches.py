"""Count batches: time is judged in steps, and an event is credited from its first alarm on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.count.contract import SweptCounting
from adjudge.count.ledger import Entries, hits_and_false_alarms, truth_rows
from adjudge.count.tally import Mass, Masses, every_score
from adjudge.data.intervals import bincount, reduce_over
from adjudge.data.time_settings import time_length

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags, Positions
    from adjudge.data.events import Events

_CUT = 2  # a batch in which an event ends and another begins is cut to so many points


@dataclass(frozen=True)
class Batches(SweptCounting):
    """Weigh every batch of ``window`` points 1; late detection loses the batches before it.

    A batch is anomalous if one of its points is, and flagged if one of its points is. From the
    first flagged batch of an event on, all later batches of that event count as flagged too.
    With ``window=1`` these are points: recall is the share of anomalous points after the first hit.

    Parameters
    ----------
    window : int or duration
        Points of a batch, or its time. False alarms within one batch cost once.

    Notes
    -----
    Batches follow one another from the start of each series. Where an event ends and another one
    begins within a batch it is cut to 2 points, and so is the next; the walk then goes on a whole
    window further, so that up to ``window - 2`` points there are in no batch. This is how the
    authors' code walks, and it is kept so that values agree; windows of 1 and 2 are not affected.
    A batch that begins within an event goes on with it, even if another event came between.

    References
    ----------
    .. [1] A. Abdulaal, Z. Liu, T. Lancewicki (2021). Practical Approach to Asynchronous
       Multivariate Time Series Anomaly Detection and Localization. KDD. 10.1145/3447548.3467174.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 1, 1, 1, 1])
    >>> Batches().masses(np.array([1, 0, 0, 1, 0, 0]) > 0, events).at(False)
    Tally(found=3, truth=4, right=3, flagged=4, normal=2)
    """

    window: int = time_length(1, 1, "exact")

    def masses(self, adjusted: Array, events: Events) -> Masses:
        """Count batches above any threshold."""
        walk = _walk(events, self.window)
        highest = reduce_over(np.maximum, adjusted, walk.starts, walk.stops)
        found = Mass(_running_max(highest[walk.anomalous], walk.chain))
        false = Mass(highest[~walk.anomalous])
        truth, normal = found.values.size, false.values.size
        return Masses(found, truth, None, false, (every_score(adjusted, events),), normal)

    def flag_rows(self, flags: Flags, events: Events) -> Entries:
        """Rows for the batches of every event, and for the false ones."""
        walk = _walk(events, self.window)
        flagged = reduce_over(np.maximum, flags, walk.starts, walk.stops)
        credited = _running_max(flagged[walk.anomalous], walk.chain)
        size = len(events)
        weight = bincount(walk.event, minlength=size)
        credit = bincount(walk.event, credited, minlength=size).astype(np.int64)
        false = flagged & ~walk.anomalous
        hit = np.flatnonzero(credit)
        cost = np.ones(np.count_nonzero(false), np.int64)
        alarms = hits_and_false_alarms(
            events, (hit, credit[hit], credit[hit]), (walk.starts[false], walk.stops[false], cost)
        )
        normal = int(np.count_nonzero(~walk.anomalous))
        return Entries(truth_rows(flags, events, weight, credit, credit > 0), alarms, normal)


class _BatchWalk(NamedTuple):
    starts: Positions
    stops: Positions
    anomalous: Flags
    """Whether a batch holds a point of an event."""
    event: Positions
    """Of each anomalous batch, the event of its first anomalous point."""
    chain: Positions
    """Of each anomalous batch, the chain of batches over which an alarm carries."""


def _walk(events: Events, window: int) -> _BatchWalk:
    """Cut every series into batches, and say to which event and chain each belongs."""
    starts, stops = _batches(events, window)
    some = reduce_over(np.logical_or, events.judged_flags, starts, stops)
    starts, stops = starts[some], stops[some]
    event = np.searchsorted(events.stops, starts, side="right")
    first = np.append(events.starts, events.n)[event]
    anomalous = first < stops
    goes_on = (first <= starts) & np.append(False, anomalous[:-1])
    goes_on &= ~np.isin(starts, events.series_bounds)
    goes_on &= ~np.isin(starts, np.intersect1d(events.starts, events.stops))  # the next event
    goes_on[1:] &= starts[1:] - starts[:-1] <= window  # not beyond batches that are not judged
    chain = np.cumsum(~goes_on, dtype=np.int64)
    return _BatchWalk(starts, stops, anomalous, event[anomalous], chain[anomalous])


def _batches(events: Events, window: int) -> tuple[Positions, Positions]:
    """Walk through each series in steps of the window, cutting where two events share a batch."""
    bounds = events.series_bounds
    starts, cuts = [], []
    between = events.starts[1:] - events.stops[:-1]
    short = np.flatnonzero((between > 0) & (between <= window - _CUT))
    home = np.searchsorted(bounds, events.starts[short], side="right") - 1
    at = 0
    for series in range(len(bounds) - 1):
        place, end = int(bounds[series]), int(bounds[series + 1])
        while at < len(short) and home[at] == series:
            last, following = int(events.stops[short[at]]) - 1, int(events.starts[short[at] + 1])
            batch = place + max(last - place, 0) // window * window
            if place <= last and following < min(batch + window, end) and window > _CUT:
                starts.append(np.arange(place, batch, window))
                cut = min((min(batch + window, end) - batch) // 2, _CUT)
                cuts.append(np.array([batch, batch + cut, min(batch + 2 * cut, end)]))
                starts.append(cuts[-1][:2])
                place = batch + cut + window
            at += 1
        starts.append(np.arange(place, end, window))
    begin = np.concatenate(starts)
    stops = np.minimum(begin + window, bounds[np.searchsorted(bounds, begin, side="right")])
    for first, second, stop in cuts:
        place = int(np.searchsorted(begin, first))
        stops[place : place + 2] = second, stop
    return begin, stops


def _running_max(values: Array, chain: Positions) -> Array:
    """For each value the highest of its chain so far."""
    levels, rank = np.unique(values, return_inverse=True)
    lifted = np.maximum.accumulate(rank + chain * len(levels)) if len(values) else rank
    return np.asarray(levels[lifted - chain * len(levels)] if len(values) else values)
