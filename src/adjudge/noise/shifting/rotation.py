"""Rotation: the scores of a series turned in a circle, for many shifts at once.

Nearby shifts turn each tenth of a series by itself. Alarms that are turned within a tenth of their
series stay in their part of it, and lose their tie to the single events all the same. So whatever
changes slowly, the rate of alarms and that of events alike, stays as it is.

A shift turns the scores of a series in a circle; seen from the scores, the labels turn the other
way. So the scores can stay where they are: an event that begins at place ``a`` of its circle looks,
when the scores are shifted by ``k``, at what stands at ``a - k``. A stretch that runs past the last
point of its circle goes on at the first. Short circles, and flags, are laid out twice in a row
instead, so that none does: that is quicker, but takes twice the memory.
"""

# Idea: a shift of the scores by k is a look of each event at k places before its own. So scores
# lie still, once or twice in a row, and shifts are columns of places to look at.
# Invariant: place j of a circle of m judged points sees what `Case.turned` puts there, (j - k)
# mod m.
# Trap: offsets count judged points and positions count all. Go through `located` and `turned`,
# which subtract the points that are not judged; a circle may have none at all.

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from adjudge.data.events import Events  # noqa: TC001 - for the examples
from adjudge.data.intervals import bincount, distinct, repeat, runs
from adjudge.data.shared_clock import cut_in_step
from adjudge.data.windows import moving_max

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

    from adjudge._typing import Array, Flags, Positions

_Made = TypeVar("_Made")

LONGEST = 100_000
"""Points up to which all shifts are bounded, and what metrics could share is kept."""
_CORRELATE = 2  # looks per point, from which on a Fourier transform is quicker
_EXACT = 500_000  # points up to which that costs little, and rounds to the right whole number
_SCATTERED = 6_000  # points per length and block, up to which each is looked up by itself
_BLOCK = 1 << 17  # numbers at a time: a few arrays of a megabyte or less


class JudgedStretches(NamedTuple):
    """Intervals of judged points, each within one series and without a gap."""

    starts: Positions
    stops: Positions

    @property
    def lengths(self) -> Positions:
        """Number of points of each stretch."""
        return self.stops - self.starts

    def only(self, kept: Array) -> JudgedStretches:
        """Some of them."""
        return JudgedStretches(self.starts[kept], self.stops[kept])


class CirclePlaces(NamedTuple):
    """Where some stretches begin: on which circle, and how far from its first point."""

    circle: Positions
    place: Positions


class Rotation:
    """The judged points of each series, or of each part of one, as a circle that turns.

    Parameters
    ----------
    events : Events
        The truth.
    bounds : array of int, optional
        Where the circles begin, and where the last one ends: every border between series, and any
        cuts outside events. Default: one circle per series.

    Examples
    --------
    >>> circles = Rotation(Events.from_labels([0, 0, 1, 0]))
    >>> circles.twice(np.array([5, 6, 7, 8]))
    array([5, 6, 7, 8, 5, 6, 7, 8])
    >>> circles.begins(np.array([2]), np.array([[0], [1], [3]]))  # where the event looks
    array([[2, 1, 3]])
    """

    def __init__(self, events: Events, bounds: Positions | None = None) -> None:
        self.events = events
        self.bounds = events.series_bounds if bounds is None else bounds
        self.lengths = events.judged_between(self.bounds)
        self.size = int(self.lengths.sum())
        """The points of all circles."""
        self._firsts = 2 * np.append(0, np.cumsum(self.lengths))[:-1]
        self._made: dict[Hashable, Any] = {}

    def once(self, key: Hashable, make: Callable[[], _Made]) -> _Made:
        """Make what the labels alone decide once for all detectors."""
        if key not in self._made:
            self._made[key] = make()
        made: _Made = self._made[key]
        return made

    @cached_property
    def sight(self) -> SeenPoints:
        """What the events see."""
        return SeenPoints(self, self.of_events)

    def twice(self, values: Array) -> Array:
        """Lay the judged values of each series out twice."""
        judged = self.events.judged
        return self._twice(values if judged is None else values[judged])

    def laid(self, values: Array) -> Array:
        """Lay judged values out as `SeenPoints` looks at them: once, where they are many."""
        return values if values.size > LONGEST else self._twice(values)

    def _twice(self, values: Array) -> Array:
        if len(self.lengths) == 1:
            return np.concatenate([values, values])
        laid = np.empty(2 * values.size, values.dtype)
        ends = np.cumsum(self.lengths)
        for first, length, end in zip(self._firsts, self.lengths, ends, strict=True):
            part = values[end - length : end]
            laid[first : first + length] = laid[first + length : first + 2 * length] = part
        return laid

    def begins(self, starts: Positions, by: Positions) -> Positions:
        """Say where each start lies in the double layout: a row per start, a column per shift.

        There are more shifts than starts, as a rule, and NumPy is quick along long rows.
        """
        return self.turned(self.located(starts), by)

    def located(self, starts: Positions) -> CirclePlaces:
        """Find the circle and the place on it of each start."""
        home = np.searchsorted(self.bounds, starts, side="right") - 1
        return CirclePlaces(home, self._places(starts) - self._places(self.bounds[home]))

    def turned(self, places: CirclePlaces, by: Positions, laid: int = 2) -> Positions:
        """Say where what begins at these places looks, in circles that are laid out so often.

        It is always in the first of two layouts.
        """
        home, own = places
        turned = own[:, np.newaxis] - (by.T if len(self.lengths) == 1 else by.T[home])
        turned += np.where(turned < 0, self.lengths[home, np.newaxis], 0)
        turned += (self._firsts if laid == 2 else self._firsts // 2)[home, np.newaxis]
        return np.asarray(turned)

    def _places(self, points: Positions) -> Positions:
        """Count the judged points before each point."""
        return points if self._judged_before is None else self._judged_before[points]

    @cached_property
    def _judged_before(self) -> Positions | None:
        judged = self.events.judged
        return None if judged is None else np.append(0, np.cumsum(judged))

    def highest_around(self, values: Array, width: int) -> Array:
        """The highest of the judged values in the window of each point, on closed circles.

        >>> circles = Rotation(Events.from_labels([0, 0, 1, 0, 0]))
        >>> circles.highest_around(np.array([5, 1, 2, 1, 7]), 3)
        array([7, 5, 2, 7, 7])
        """
        width = min(width, 2 * self.events.n)
        before, after = width // 2, (width - 1) // 2
        parts, place = [], 0
        for length in self.lengths[self.lengths > 0].tolist():
            part = values[place : place + length]
            if max(before, after) <= length:  # without a number for each point
                wrapped = np.concatenate([part[length - before :], part, part[:after]])
            else:
                wrapped = part[np.arange(-before, length + after) % length]
            bounds = np.array([0, wrapped.size])
            parts.append(moving_max(wrapped, 0, before + after, bounds)[:length])
            place += length
        return np.concatenate(parts)

    def sums_in_events(self, laid: Array, by: Positions) -> Positions:
        """Sum whole numbers, laid out twice, over all events: one sum per shift.

        Many shifts of one series are one correlation of the numbers with the labels.
        """
        if len(self.lengths) == 1 and len(by) * len(self.events) > _CORRELATE * laid.size:
            everywhere = self._correlated(laid[: laid.size // 2])
            chosen: Positions = everywhere[by[:, 0]]
            return chosen
        sums = np.append(0, np.cumsum(laid, dtype=np.int64))
        parts = []
        for block in in_blocks(by, len(self.events)):
            begin = self.begins(self.events.starts, block)
            end = begin + self.events.widths[:, np.newaxis]
            parts.append((sums.take(end) - sums.take(begin)).sum(axis=0))
        return np.concatenate([np.zeros(0, np.int64), *parts])

    def sums_over(self, sums: Positions, by: Positions) -> Positions:
        """The same from running sums of the values of all circles, each laid out once."""
        if len(self.lengths) == 1 and len(by) * len(self.events) > 2 * _CORRELATE * sums.size:
            chosen: Positions = self._correlated(np.diff(sums))[by[:, 0]]
            return chosen
        home, own = self.located(self.events.starts)
        first = (np.cumsum(self.lengths) - self.lengths)[home, np.newaxis]
        around, widths = self.lengths[home, np.newaxis], self.events.widths[:, np.newaxis]
        parts = []
        for block in in_blocks(by, len(self.events)):
            begin = self.turned(CirclePlaces(home, own), block, laid=1)
            beyond = begin + widths - first - around
            seen = sums.take(np.minimum(begin + widths, first + around)) - sums.take(begin)
            seen += sums.take(first + np.maximum(beyond, 0)) - sums.take(first)
            parts.append(seen.sum(axis=0))
        return np.concatenate([np.zeros(0, np.int64), *parts])

    def _correlated(self, values: Array) -> Positions:
        """The sum over all events at every shift; whole numbers come out exact."""
        turned = np.conj(np.fft.rfft(values.astype(np.float64)))
        turned *= self._waves
        return np.asarray(np.rint(np.fft.irfft(turned, values.size)), np.int64)

    @cached_property
    def _waves(self) -> Array:
        """The Fourier transform of the labels."""
        labels = self.events.labels
        labels = labels if self.events.judged is None else labels[self.events.judged]
        waves: Array = np.fft.rfft(labels.astype(np.float64))
        return waves

    @property
    def can_correlate(self) -> bool:
        """Whether all shifts cost no more than a few sorts, and round to the right whole number."""
        return len(self.lengths) == 1 and self.events.n <= _EXACT

    @property
    def is_one_series(self) -> bool:
        """Whether the only circle is a series of which every point is judged."""
        one = len(self.lengths) == 1 and self.events.series_count == 1
        return one and self.events.judged is None

    @cached_property
    def of_events(self) -> JudgedStretches:
        """The events."""
        return JudgedStretches(self.events.starts, self.events.stops)

    @cached_property
    def of_event(self) -> Positions:
        """The circle of each event."""
        return self.located(self.events.starts).circle

    @cached_property
    def of_normal(self) -> JudgedStretches:
        """The stretches of normal points between events, gaps, cuts and ends."""
        return JudgedStretches(*runs(self.events.normal, self.bounds[:-1]))

    @cached_property
    def ring(self) -> Ring:
        """The stretches of normal points on closed circles."""
        return Ring.of(self.events, self.lengths)

    @cached_property
    def of_whole_normal(self) -> JudgedStretches:
        """The same with no regard to cuts."""
        return JudgedStretches(*runs(self.events.normal, self.events.series_bounds[:-1]))

    @cached_property
    def of_judged(self) -> JudgedStretches:
        """The stretches of judged points, events and normal points alike."""
        return JudgedStretches(*runs(self._judged, self.bounds[:-1]))

    @cached_property
    def seams(self) -> Positions:
        """The cuts amid a series, with judged points on both sides."""
        cuts = np.setdiff1d(self.bounds, self.events.series_bounds, assume_unique=True)
        return cuts[self._judged[cuts - 1] & self._judged[cuts]]

    @cached_property
    def _judged(self) -> Flags:
        judged = self.events.judged
        return np.ones(self.events.n, bool) if judged is None else judged


class Ring(NamedTuple):
    """The normal stretches of circles that are closed: the last point stands beside the first.

    Points that are not judged are left out, and take up no room. A stretch may begin before the
    last point of its circle and end after the first. Of a circle without events there is none.
    """

    places: CirclePlaces
    lengths: Positions
    around: Positions
    """The points of the circle of each stretch."""
    circles: Positions
    """The points of each circle."""

    @classmethod
    def of(cls, events: Events, circles: Positions) -> Ring:
        """Find the stretches.

        >>> Ring.of(Events.from_labels([0, 0, 1, 0, 0, 1, 0]), np.array([7])).lengths
        array([2, 3])
        """
        normal = events.normal if events.judged is None else events.normal[events.judged]
        ends = np.cumsum(circles)
        firsts = ends - circles
        starts, stops = runs(normal, firsts[circles > 0])
        home = np.searchsorted(ends, starts, side="right")
        at_first, at_last = starts == firsts[home], stops == ends[home]
        kept = ~(at_first & at_last)
        joined = np.zeros(circles.size, np.int64)
        joined[home[at_first]] = (stops - starts)[at_first]
        goes_round = bincount(home[at_last & kept], minlength=circles.size) > 0
        kept &= ~(at_first & goes_round[home])
        lengths = (stops - starts + np.where(at_last, joined[home], 0))[kept]
        home = home[kept]
        return cls(CirclePlaces(home, starts[kept] - firsts[home]), lengths, circles[home], circles)

    def in_reach(self, reach: int) -> Positions:
        """The stretches so close to the next one of their circle, or the one before.

        >>> ring = Ring.of(Events.from_labels([0, 1, 0, 0, 1, 1, 1, 0, 1, 1, 1]), np.array([11]))
        >>> ring.in_reach(3)
        array([0, 1])
        """
        circle, place = self.places
        last = np.append(circle[1:] != circle[:-1], True)[: circle.size]
        first = np.flatnonzero(np.append(True, last[:-1]))
        following = np.arange(1, circle.size + 1)
        following[last] = first
        near = (place[following] - place - self.lengths) % self.around < reach
        near[following[near]] = True
        return np.flatnonzero(near)

    def only(self, rows: Positions) -> Ring:
        """Some of the stretches."""
        places = CirclePlaces(*(side[rows] for side in self.places))
        return Ring(places, self.lengths[rows], self.around[rows], self.circles)

    def walk(self, reach: int) -> Walk:
        """Lay each circle out in a line, with what lies within reach of it once more on both sides.

        >>> ring = Ring.of(Events.from_labels([0, 0, 1, 0, 0, 1, 0]), np.array([7]))
        >>> walk = ring.walk(2)
        >>> walk.stretch, walk.starts - walk.starts[walk.own][0]
        (array([1, 0, 1, 0]), array([-4,  0,  3,  7]))
        """
        room = 6 * self.circles + 2 * reach  # so that nothing reaches from circle to circle
        firsts = (np.cumsum(room) - 4 * self.circles - reach)[self.places.circle]
        firsts += self.places.place
        order = np.argsort(firsts, kind="stable")  # a stretch that goes round comes last
        laps = np.array([-1, 0, 1])[:, np.newaxis] * self.around[order]
        starts = firsts[order] + laps
        stops = starts + self.lengths[order]
        first, last = np.zeros((2, self.circles.size), np.int64)
        home = self.places.circle[order]
        last[home] = stops[1]
        first[home[::-1]] = starts[1][::-1]
        near = (stops > first[home] - reach) & (starts < last[home] + reach)
        near[1] = True
        own = np.zeros(near.shape, bool)
        own[1] = True
        line = np.argsort(starts[near], kind="stable")
        which = np.broadcast_to(order, near.shape)[near][line]
        return Walk(which, starts[near][line], own[near][line])


class Walk(NamedTuple):
    """Stretches of closed circles in a line, circle after circle."""

    stretch: Positions
    """Which one."""
    starts: Positions
    """Where it begins in the line."""
    own: Flags
    """Whether it stands at its own place; else it is the same stretch a lap earlier or later."""


class SeenPoints:
    """All that some stretches see of the circles: those of equal length are copied in one go.

    Parameters
    ----------
    circles : Rotation
        Where they lie.
    stretches : Stretches
        Who looks. They are put in order of their lengths.
    places : Places, optional
        Where they begin, if the stretches do not say so themselves.

    Examples
    --------
    >>> circles = Rotation(Events.from_labels([0, 0, 1, 1]))
    >>> sight = SeenPoints(circles, circles.of_events)
    >>> sight.seen(circles.laid(np.array([5, 6, 7, 8])), np.array([[0], [1], [3]]))
    array([[7, 8],
           [6, 7],
           [8, 5]])
    """

    def __init__(
        self, circles: Rotation, stretches: JudgedStretches, places: CirclePlaces | None = None
    ) -> None:
        self.circles = circles
        self.order = np.argsort(stretches.lengths, kind="stable")
        self.stretches = JudgedStretches(*(side[self.order] for side in stretches))
        places = circles.located(stretches.starts) if places is None else places
        self._begin = CirclePlaces(*(side[self.order] for side in places))
        self._around = circles.lengths[self._begin.circle]
        self._ends = np.cumsum(circles.lengths)[self._begin.circle]
        lengths = self.stretches.lengths
        self.firsts = np.cumsum(lengths) - lengths
        """Where each stretch begins among the points."""
        self._size = int(lengths.sum())
        cuts = [0, *(np.flatnonzero(np.diff(lengths)) + 1).tolist(), lengths.size]
        self.groups = [slice(*pair) for pair in pairwise(cuts) if pair[0] < pair[1]]
        """The stretches of each length."""

    def begins(self, by: Positions) -> Positions:
        """Where the stretches look in circles that are laid out twice: a row each."""
        return self.circles.turned(self._begin, by)

    def seen(self, laid: Array, by: Positions) -> Array:
        """What every point of the stretches sees of values (`Rotation.laid`): a row per shift."""
        if self.circles.lengths.size == 1 and laid.size > self.circles.size:
            return np.asarray(laid.take(self._places - by))  # before 0 stands the end of the circle
        if self._are_scattered(by):
            return self._taken(laid, by)
        none = np.zeros((len(by), 0), laid.dtype)
        parts = (part.reshape(len(by), -1) for part in self.by_length(laid, by))
        return np.concatenate([none, *parts], axis=1)

    @cached_property
    def _places(self) -> Positions:
        """Where each point of the stretches stands on its circle."""
        lengths = self.stretches.lengths
        first = repeat(self._begin.place - self.firsts, lengths)
        return np.asarray(first + np.arange(first.size))

    def by_length(self, laid: Array, by: Positions) -> list[Array]:
        """The same for each group: shift, stretch, point."""
        if self._are_scattered(by):
            seen, ends = self._taken(laid, by), [*self.firsts.tolist(), self._size]
            return [
                seen[:, ends[group.start] : ends[group.stop]].reshape(
                    len(by), -1, self.length(group)
                )
                for group in self.groups
            ]
        times = 1 if laid.size == self.circles.size else 2
        begin = np.ascontiguousarray(self.circles.turned(self._begin, by, times).T)
        if times == 1:
            return [self._round(laid, begin[:, group], group) for group in self.groups]
        windows = (stretches_of(laid, self.length(group)) for group in self.groups)
        return [look[begin[:, group]] for look, group in zip(windows, self.groups, strict=True)]

    def _are_scattered(self, by: Positions) -> bool:
        """Whether there are so few points of each length that each point is looked up by itself."""
        return len(by) * self._size < _SCATTERED * len(self.groups)

    def _taken(self, laid: Array, by: Positions) -> Array:
        """What every point sees, each looked up by itself."""
        circle, place, around, first = self._points
        seen = place - by.astype(np.int32).take(circle, axis=1)
        seen += (seen >> 31) & around  # before the first place stands the last one
        seen -= around
        seen += (seen >> 31) & around  # and behind it the first
        seen += first if laid.size == self.circles.size else 2 * first
        return np.asarray(laid.take(seen))

    @cached_property
    def _points(self) -> tuple[Positions, Array, Array, Array]:
        """Of each point its circle, its place on it, how long that is, and where it begins."""
        circle = repeat(self._begin.circle, self.stretches.lengths)
        ends, lengths = np.cumsum(self.circles.lengths), self.circles.lengths
        place, around, first = (
            side.astype(np.int32)
            for side in (self._places, lengths[circle], (ends - lengths)[circle])
        )
        return circle, place, around, first

    def _round(self, values: Array, begin: Positions, group: slice) -> Array:
        """Copy stretches of one length; the few that run past their circle go on at its start."""
        length, ends = self.length(group), self._ends[group]
        look = stretches_of(values, length)
        seen = look[np.minimum(begin, len(look) - 1)]
        shift, stretch = np.nonzero(begin > ends - length)
        places = begin[shift, stretch, np.newaxis] + np.arange(length)
        ends, around = ends[stretch, np.newaxis], self._around[group][stretch, np.newaxis]
        places -= np.where(places >= ends, around, 0)
        seen[shift, stretch] = values[places]
        return np.asarray(seen)

    def length(self, group: slice) -> int:
        """The length of the stretches of a group."""
        return int(self.stretches.lengths[group.start])


def stretches_of(values: Array, length: int) -> Array:
    """All stretches of so many neighbours along the last axis: a view, made without NumPy's checks.

    >>> stretches_of(np.arange(4), 3)
    array([[0, 1, 2],
           [1, 2, 3]])
    """
    *rows, size = values.shape
    shape, step = (*rows, size - length + 1, length), values.strides[-1]
    return np.ndarray(shape, values.dtype, values, 0, (*values.strides, step))


def running(values: Array) -> Array:
    """Count, for each place, what lies before it."""
    sums = np.zeros(values.size + 1, np.int32)
    np.cumsum(values, out=sums[1:])
    return sums


def in_blocks(by: Positions, work: int, points: int = 0) -> Iterator[Positions]:
    """Part many shifts so that a block of them, ``work`` numbers each, takes little memory.

    Where all points are gone through for each block, it takes little beside these.

    >>> [len(block) for block in in_blocks(np.zeros((5, 1), int), 1 << 16)]
    [2, 2, 1]
    """
    size = max(1, max(_BLOCK, points // 8) // max(work, 1))
    return (by[start : start + size] for start in range(0, len(by), size))


PARTS = 10
"""So many parts a series is cut into."""


def tenths(events: Events) -> Positions:
    """Cut each series into ten parts with equally many judged points, but never inside an event.

    Gaps in time cut it too. Series of one clock that begin or end at different times are cut at the
    same moments, each tenth of their clock.

    >>> tenths(Events.from_intervals([(12, 17)], n=30))
    array([ 0,  3,  6,  9, 12, 17, 18, 21, 24, 27, 30])
    """
    lengths = events.judged_between(events.whole_series)
    begins = np.cumsum(lengths) - lengths
    cuts = (
        begins[:, np.newaxis]
        + lengths[:, np.newaxis] * np.arange(1, PARTS, dtype=np.int64) // PARTS
    ).ravel()
    if events.judged is not None:
        judged = np.flatnonzero(events.judged)
        cuts = judged[np.minimum(cuts, judged.size - 1)]
    if events.clocks is not None:
        cuts = cut_in_step(events, cuts)
    if len(events):
        event = np.maximum(np.searchsorted(events.starts, cuts, side="right") - 1, 0)
        starts, stops = events.starts[event], events.stops[event]
        inside = (starts < cuts) & (cuts < stops)
        nearer = np.where(cuts - starts < stops - cuts, starts, stops)
        cuts = np.where(inside, nearer, cuts)
    return distinct(np.append(events.series_bounds, cuts))


def room(events: Events, bounds: Positions, number: Positions | None = None) -> float:
    """The smallest p-value that a detector can get which finds every event, moved nearby.

    An alarm as wide as its event finds it again at twice as many places, less one, as the event has
    points; at every offset that moves an event it must do so at once.

    Parameters
    ----------
    events, bounds : Events, array of int
        The events, and where the parts begin that turn.
    number : array of int, optional
        The number of the offset by which each part turns. Default: each by its own.

    Examples
    --------
    >>> one = Events.from_intervals([(100, 104)], n=1000)
    >>> room(one, tenths(one))  # found again at 7 of 100 places
    0.07
    """
    lengths = events.judged_between(bounds)
    number = np.arange(lengths.size) if number is None else number
    places = np.ones(int(number.max()) + 1)
    np.maximum.at(places, number, lengths)
    by = number[np.searchsorted(bounds, events.starts, side="right") - 1]
    again = np.ones(places.size)
    np.minimum.at(again, by, (2 * events.widths - 1) / places[by])
    return float(np.prod(again))


def whole_periods(events: Events, period: int) -> tuple[Positions, Positions]:
    """Cut whole periods out of each series: the bounds of all parts, and how far each turns.

    As many as there are, from the first place on at which neither end cuts an event. What is left
    before and after them stays where it is, and so does a series of less than two periods.

    >>> whole_periods(Events.from_intervals([(0, 2), (8, 10)], n=11), 3)
    (array([ 0,  2, 11]), array([0, 3]))
    """
    bounds, turning = [events.series_bounds], []
    inside = events.labels & np.append(False, events.labels[:-1])
    inside[events.starts] = False  # two events that touch may be parted
    inside = np.append(inside, False)
    for first, end in pairwise(events.series_bounds.tolist()):
        for count in range((end - first) // period, 1, -1):
            last = end - count * period
            free = ~inside[first : last + 1] & ~inside[first + count * period : end + 1]
            if free.any():
                start = first + int(np.argmax(free))
                turning.append(start)
                bounds.append(np.array([start, start + count * period]))
                break
    every = np.unique(np.concatenate(bounds))
    return every, np.where(np.isin(every[:-1], turning), period, 0)
