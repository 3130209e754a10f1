"""Drawn events: other events like those that are there, each with its normal time and its scores.

What is drawn again, with replacement, is what the interval rests on: whole data sets where they are
known, else whole series where there are several, else events, each with half of the normal time on
either side; always with what every detector says there. The value on the data themselves is then
what very many such draws would show, and an interval made from one draw should hold it. What is
drawn is independent: whether neighbouring units fare alike, and events of a kind that was
never seen, no draw can tell.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.data.events import Events
from adjudge.data.intervals import repeat
from adjudge.noise.intervals.units import Kind, units_of

if TYPE_CHECKING:
    from adjudge._typing import Array, Positions


class Drawn(NamedTuple):
    """Labels of a draw, the point that each of its points was, and the unit that it is in."""

    events: Events
    points: Positions
    unit: Positions


@dataclass(frozen=True)
class UnitPieces:
    """The pieces of time that units are made of: from where to where each goes, and its unit."""

    starts: Positions
    stops: Positions
    unit: Positions
    events: Events
    """Of judged points alone."""
    kind: Kind
    """What a unit is."""

    def draw(self, rng: np.random.Generator) -> Drawn:
        """Draw as many units as there are; pieces of several series are series of their own."""
        count = int(self.unit.max()) + 1
        own = [np.flatnonzero(self.unit == unit) for unit in rng.integers(count, size=count)]
        chosen = np.concatenate(own)
        sizes = (self.stops - self.starts)[chosen]
        ends = np.cumsum(sizes)
        begin = ends - sizes
        points = np.arange(ends[-1]) + repeat(self.starts[chosen] - begin, sizes)
        first = np.searchsorted(self.events.starts, self.starts[chosen])
        last = np.searchsorted(self.events.starts, self.stops[chosen])
        which = np.concatenate([np.arange(a, b) for a, b in zip(first, last, strict=True)])
        moved = repeat(begin - self.starts[chosen], last - first)
        starts, stops = (side[which] + moved for side in (self.events.starts, self.events.stops))
        bounds = np.append(begin, ends[-1]) if self.events.series_count > 1 else None
        events = Events(starts, stops, int(ends[-1]), bounds=bounds)
        unit = repeat(np.arange(count), [part.size for part in own])
        return Drawn(events, points, repeat(unit, sizes))


def pieces_of(events: Events, unit: str = "auto", groups: Positions | None = None) -> UnitPieces:
    """Cut the points into the pieces of the units that intervals rest on; no event is cut.

    >>> from adjudge.data.events import Events
    >>> found = pieces_of(Events([2, 8], [4, 9], 12))
    >>> found.starts, found.stops
    (array([0, 6]), array([ 6, 12]))
    """
    if groups is not None:  # an event that goes on into the next day belongs to that of its start
        groups = groups.copy()
        groups[events.labels] = repeat(groups[events.starts], events.widths)
    units = units_of(events, unit, groups)
    bounds = events.whole_series
    if units.kind == "event":
        home = np.searchsorted(bounds, events.starts, side="right")
        middles = (events.stops[:-1] + events.starts[1:]) // 2
        cuts = np.unique(np.concatenate([bounds, middles[home[:-1] == home[1:]]]))
        return UnitPieces(cuts[:-1], cuts[1:], np.arange(cuts.size - 1), events, units.kind)
    begins = np.isin(units.edges, bounds) | (np.diff(units.of_piece, prepend=-1) != 0)
    starts = units.edges[begins]
    stops = np.append(starts[1:], events.n)
    return UnitPieces(starts, stops, units.of_piece[begins], events, units.kind)


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
    bounds = before[events.whole_series]
    kept = bounds[np.concatenate([[True], np.diff(bounds) > 0])]  # a series may be all unjudged
    found = Events(before[events.starts], before[events.stops], int(before[-1]), bounds=kept)
    return found, np.flatnonzero(events.judged)
