"""Tenths: the parts of a series that nearby shifts turn by themselves.

Alarms that are turned within a tenth of their series stay in their part of it, and lose their tie
to the single events all the same. So whatever changes slowly, the rate of alarms and that of
events alike, stays as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from adjudge.data.events import Events  # noqa: TC001 - for the examples
from adjudge.noise.circles import circle_lengths

if TYPE_CHECKING:
    from adjudge._typing import Positions

PARTS = 10
"""So many parts a series is cut into."""
_ENOUGH = 0.05  # the p-value that a perfect detector must be able to get


def tenths(events: Events) -> Positions:
    """Cut each series into ten parts with equally many judged points, but never inside an event.

    >>> tenths(Events.from_intervals([(12, 17)], n=30))
    array([ 0,  3,  6,  9, 12, 17, 18, 21, 24, 27, 30])
    """
    lengths = circle_lengths(events)
    begins = np.cumsum(lengths) - lengths
    cuts = (begins[:, np.newaxis] + lengths[:, np.newaxis] * np.arange(1, PARTS) // PARTS).ravel()
    if events.judged is not None:
        judged = np.flatnonzero(events.judged)
        cuts = judged[np.minimum(cuts, judged.size - 1)]
    if len(events):
        event = np.maximum(np.searchsorted(events.starts, cuts, side="right") - 1, 0)
        starts, stops = events.starts[event], events.stops[event]
        inside = (starts < cuts) & (cuts < stops)
        nearer = np.where(cuts - starts < stops - cuts, starts, stops)
        cuts = np.where(inside, nearer, cuts)
    return np.unique(np.append(events.series_bounds, cuts))


def has_room(events: Events, bounds: Positions) -> bool:
    """Say whether a detector that finds every event can be told from its alarms nearby.

    An alarm as wide as its event finds it again at twice as many places, less one, as the event has
    points; in every tenth that holds an event it must do so at once.

    >>> one = Events.from_intervals([(100, 104)], n=1000)
    >>> has_room(one, tenths(one))  # found again at 7 of 100 places
    False
    >>> two = Events.from_intervals([(100, 104), (500, 504)], n=1000)
    >>> has_room(two, tenths(two))
    True
    """
    lengths = circle_lengths(events, bounds)
    home = np.searchsorted(bounds, events.starts, side="right") - 1
    again = np.ones(lengths.size)
    np.minimum.at(again, home, (2 * events.widths - 1) / np.maximum(lengths[home], 1))
    return not len(events) or bool(np.prod(again) <= _ENOUGH)
