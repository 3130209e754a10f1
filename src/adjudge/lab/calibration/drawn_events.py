"""Drawn events: other events like those that are there, each with its normal time and its scores.

The events of one series are drawn again, with replacement, each with half of the normal time on
either side and with what every detector says there. Of several series whole series are drawn, since
the events of one series have more in common than those of several. The value on the data
themselves is then what very many such draws would show, and an interval made from one draw should
hold it. What is drawn is independent: whether neighbouring events fare alike, and events of a kind
that was never seen, no draw can tell.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.data.events import Events

if TYPE_CHECKING:
    from adjudge._typing import Array, Positions


class Drawn(NamedTuple):
    """Labels of a draw, and the point that each of its points was."""

    events: Events
    points: Positions


@dataclass(frozen=True)
class Pieces:
    """The pieces that are drawn: from where to where each goes, and the events in it."""

    starts: Positions
    stops: Positions
    events: Events
    """Of judged points alone."""
    are_series: bool

    def draw(self, rng: np.random.Generator) -> Drawn:
        """Draw as many pieces as there are."""
        chosen = rng.integers(self.starts.size, size=self.starts.size)
        sizes = (self.stops - self.starts)[chosen]
        ends = np.cumsum(sizes)
        begin = ends - sizes
        points = np.arange(ends[-1]) + np.repeat(self.starts[chosen] - begin, sizes)
        first = np.searchsorted(self.events.starts, self.starts[chosen])
        last = np.searchsorted(self.events.starts, self.stops[chosen])
        which = np.concatenate([np.arange(a, b) for a, b in zip(first, last, strict=True)])
        moved = np.repeat(begin - self.starts[chosen], last - first)
        bounds = np.append(begin, ends[-1]) if self.are_series else None
        starts, stops = (side[which] + moved for side in (self.events.starts, self.events.stops))
        return Drawn(Events(starts, stops, int(ends[-1]), bounds=bounds), points)


def pieces_of(events: Events) -> Pieces:
    """Cut the judged points into series, or into events with half of the normal time around them.

    >>> from adjudge.data.events import Events
    >>> found = pieces_of(Events([2, 8], [4, 9], 12))
    >>> found.starts, found.stops
    (array([0, 6]), array([ 6, 12]))
    """
    bounds = events.series_bounds
    if len(bounds) > 2:
        return Pieces(bounds[:-1], bounds[1:], events, are_series=True)
    middles = (events.stops[:-1] + events.starts[1:]) // 2
    cuts = np.concatenate([[0], middles, [events.n]])
    return Pieces(cuts[:-1], cuts[1:], events, are_series=False)


def judged_alone(events: Events) -> tuple[Events, Array]:
    """The events on judged points alone, and which points these are.

    >>> from adjudge.data.events import Events
    >>> kept, points = judged_alone(Events([1, 4], [2, 5], 6, judged=[1, 1, 0, 0, 1, 1]))
    >>> kept, points
    (Events([1, 2) [2, 3) of 4 points), array([0, 1, 4, 5]))
    """
    if events.judged is None:
        return events, np.arange(events.n)
    before = np.concatenate([[0], np.cumsum(events.judged)])
    bounds = before[events.series_bounds]
    kept = bounds[np.concatenate([[True], np.diff(bounds) > 0])]  # a series may be all unjudged
    found = Events(before[events.starts], before[events.stops], int(before[-1]), bounds=kept)
    return found, np.flatnonzero(events.judged)
