"""Count distances: how far each anomalous point lies from an alarm, and each alarm from an event.

The cost of a point is its distance to the nearest point of the other side, in points of time: 0
where a flag meets an event, and the length of the series where the other side has nothing there.
Distances never run from one series into another.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from adjudge.count.contract import Counting
from adjudge.count.ledger import AlarmRows, Entries, first_touched, flagged_runs, truth_rows
from adjudge.data.durations import NANOSECONDS
from adjudge.data.intervals import reduceat, repeat
from adjudge.data.time_settings import mean_step
from adjudge.data.windows import seconds

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags, Positions
    from adjudge.data.events import Events


@dataclass(frozen=True)
class Distances(Counting):
    """Weigh every point 1, and charge it with its distance to the other side.

    So a row's cost (weight less credit) is the sum of the distances of its points: on the truth
    side of the points of an event, on the alarm side of those of a flagged run. A credit is
    negative where the points lie more than one point off on average.

    >>> from adjudge.adjust.adjustments import raw
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 0, 1, 1, 0])
    >>> Distances().entries(np.array([1, 0, 0, 1, 0, 0]) > 0, events, raw).tally
    Tally(found=1, truth=2, right=-1, flagged=2, normal=nan)
    """

    charges: ClassVar[bool] = True
    tells_false: ClassVar[bool] = False

    def flag_rows(self, flags: Flags, events: Events) -> Entries:
        """Rows for every event and every flagged run."""
        sides = _sides(flags, events, self._axis(events))
        return _ledger(sides, *map(self._charged, sides[:2]))

    def in_seconds(self) -> Counting:
        """The same, of the time between points."""
        return _DistancesInSeconds()

    def _axis(self, events: Events) -> _Axis:
        return _Axis(np.arange(events.n, dtype=np.int64), np.diff(events.whole_series))

    def _charged(self, side: _FarSide) -> tuple[Positions, Array]:
        """The weights and the costs of a side."""
        return side.widths, side.total


@dataclass(frozen=True)
class Farthest(Distances):
    """Weigh 1 the event and the run with the farthest point, and charge them with its distance.

    The earliest of them, among equals. All others weigh nothing.

    >>> from adjudge.adjust.adjustments import raw
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 0, 1, 1, 0])
    >>> Farthest().entries(np.array([1, 0, 0, 1, 0, 0]) > 0, events, raw).tally
    Tally(found=0, truth=1, right=-2, flagged=1, normal=nan)
    """

    @property
    def resamples(self) -> bool:
        """Rows drawn again need not hold their own farthest point: their sums mean nothing."""
        return False

    def _charged(self, side: _FarSide) -> tuple[Positions, Array]:
        farthest = np.arange(side.top.size) == _place_of_largest(side.top)
        return farthest.astype(np.int64), side.top * farthest

    def in_seconds(self) -> Counting:
        """The same, of the time between points."""
        return _FarthestInSeconds()


class _Axis(NamedTuple):
    """What distances are measured in."""

    places: Array
    """Where each point lies in its series."""
    lengths: Array
    """How long each series is."""


class _DistancesInSeconds(Distances):
    """Distances in seconds."""

    def _axis(self, events: Events) -> _Axis:
        """The last point of a series lasts as long as the one before it; one alone, as the mean."""
        places, bounds = seconds(events), events.whole_series
        first, last = bounds[:-1], bounds[1:] - 1
        lasts = np.where(
            last > first, places[last] - places[last - 1], mean_step(events) / NANOSECONDS["s"]
        )
        return _Axis(places, places[last] + lasts)


class _FarthestInSeconds(_DistancesInSeconds, Farthest):
    """Farthest distances in seconds."""


class _FarSide(NamedTuple):
    """Events, or flagged runs: where they lie and how far from the other side."""

    starts: Positions
    stops: Positions
    total: Array
    """Sum of the distances of its points."""
    top: Array
    """Distance of its farthest point."""

    @property
    def widths(self) -> Positions:
        return self.stops - self.starts


def _sides(flags: Flags, events: Events, axis: _Axis) -> tuple[_FarSide, _FarSide, Flags, Events]:
    truth, alarms = (events.starts, events.stops), flagged_runs(flags, events)
    bounds = events.whole_series
    return _side(truth, alarms, bounds, axis), _side(alarms, truth, bounds, axis), flags, events


def _side(
    mine: tuple[Positions, Positions],
    other: tuple[Positions, Positions],
    bounds: Positions,
    axis: _Axis,
) -> _FarSide:
    starts, stops = mine
    widths = stops - starts
    offset = np.cumsum(widths) - widths
    points = np.arange(widths.sum()) + repeat(starts - offset, widths)
    far = _nearest(points, *other, bounds, axis)
    total, top = (reduceat(ufunc, far, offset) for ufunc in (np.add, np.maximum))
    return _FarSide(starts, stops, total, top)


def _nearest(
    points: Positions, starts: Positions, stops: Positions, bounds: Positions, axis: _Axis
) -> Array:
    """Each point's distance to the nearest interval of its series, or the series' length."""
    home = np.searchsorted(bounds, points, side="right") - 1
    first, end = bounds[home], bounds[home + 1]
    place = np.searchsorted(starts, points, side="right")
    length, at = axis.lengths[home], axis.places
    ends, begins = np.append(-1, stops - 1)[place], np.append(starts, bounds[-1] - 1)[place]
    left = np.where(ends >= first, np.maximum(at[points] - at[ends], 0), length)
    is_there = (place < starts.size) & (begins < end)
    right = np.where(is_there, at[begins] - at[points], length)
    return np.minimum(left, right)


def _ledger(
    sides: tuple[_FarSide, _FarSide, Flags, Events],
    truth: tuple[Positions, Array],
    alarms: tuple[Positions, Array],
) -> Entries:
    """Make rows of weights and costs."""
    _, runs, flags, events = sides
    weight, cost = truth
    rows = truth_rows(flags, events, weight, weight - cost)
    weight, cost = alarms
    event = first_touched(runs.starts, runs.stops, events)
    return Entries(rows, AlarmRows.of_runs(runs.starts, runs.stops, event, weight, weight - cost))


def _place_of_largest(values: Array) -> int:
    return int(np.argmax(values)) if values.size else -1
