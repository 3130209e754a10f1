r"""PATE: proximity-aware evaluation, as an area over thresholds or at one of them.

Alarms near an event earn part of the credit, the less the farther from it; how near is near is
averaged over: the buffers before and behind the events take all sizes of a grid from 0 to
`early` and `delay`. For each pair of sizes (`adjudge.measure.whole.pate` has the weights)

.. math:: P = \frac{TP}{\text{flagged points}}, \qquad R = \frac{TP}{TP + FN}

and the value is the mean over the pairs: of the area under P against R (`Pate`), or of F, P, R at
one threshold.

The masses of PATE at every threshold of a sweep, near-linear in the number of points.

PATE gives soft credit around each event ``[start, stop)``: a buffer before it, of at most `early`
points, and one after it, of at most `delay`; buffers end where a neighbour's begin, and at the ends
of the series. With z running over the points of the event:

- A flagged point of the event counts 1.
- A flagged point x of the buffer behind counts
  :math:`w = 1 - \sum_z |x - z| / \sum_z |\text{last} - z|`, which falls evenly from the
  event's middle to 0 at the last point of the buffer. The rest, 1 - w, is false.
- A flagged point of the buffer before counts likewise, but only once the event itself is hit.
- A missed point of an event that is hit weighs 1 up to the place d, where d is the length
  of the first flagged run inside the event; at a place x > d it weighs only
  :math:`1 - \sum_{z=0}^{d} (x - z) / \sum_{z} (\text{end} - z)`: whoever was alerted for long
  is forgiven for falling silent. A missed point of an event that is not hit weighs 1.

Nothing is done per threshold. Every point has the number of the threshold at which it is first
flagged, and all masses are cumulated sums over those numbers. Only the missed weight needs a
thought: the state of an event (how many of its points are missing, where its first run begins
and ends) changes at most once per point of the event, and in each state the weight has a closed
form, because every flagged point at a place up to d belongs to the first run.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.checks import positive, whole
from adjudge.count.tally import Tally
from adjudge.data.intervals import bincount, reduceat, repeat, stretches
from adjudge.data.time_settings import time_length
from adjudge.measure.curves import trapezoid
from adjudge.measure.rates import FBeta, at_most_one, precision, recall
from adjudge.settings import Settings, setting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from adjudge._typing import Array, Flags, Floats, Positions
    from adjudge.data.events import Events

_BLOCK = 1 << 17
"""Points of events and buffers that are worked on at a time: they stay in the cache."""


class FlagOrder(NamedTuple):
    """When each point is flagged, as the threshold falls."""

    when: Array
    """Per point, the number of the first threshold that flags it; `thresholds`: none does."""
    thresholds: int
    """Number of thresholds."""
    flagged: Positions
    """Per threshold, how many points it flags."""


class Buffers(NamedTuple):
    """Per event, where the buffer before it starts, and where the one behind it stops."""

    start: Positions
    stop: Positions


def buffers(events: Events, early: int, delay: int) -> Buffers:
    """Lay a buffer before and behind each event, within its series and clear of its neighbours.

    >>> from adjudge.data.events import Events
    >>> buffers(Events.from_labels([0, 0, 0, 1, 0, 0, 0, 1, 0]), early=2, delay=2)
    Buffers(start=array([1, 6]), stop=array([6, 9]))
    """
    bounds = events.series_bounds
    home = np.searchsorted(bounds, events.starts, side="right") - 1
    following = np.append(events.starts[1:], events.n)
    stop = np.minimum(np.minimum(events.stops + delay, following), bounds[home + 1])
    preceding = np.append(0, stop[:-1])[: len(events)]
    start = np.maximum(np.maximum(events.starts - early, preceding), bounds[home])
    return Buffers(start, stop)


def hit_entries(entries: FlagOrder, events: Events) -> Array:
    """Give, per event, the first threshold that flags one of its points."""
    inside = entries.when[events.labels]
    if not inside.size:
        return inside
    return reduceat(np.minimum, inside, np.cumsum(events.widths) - events.widths)


def credit_behind(entries: FlagOrder, events: Events, zones: Buffers) -> Floats:
    """Sum the credit of the flagged points behind the events, as each threshold adds to it."""
    last = zones.stop - 1
    reach = last - (events.starts + events.stops - 1) / 2
    total = np.zeros(entries.thresholds + 1)
    for block in _blocks(zones.stop - events.stops, entries.thresholds):
        points, owner = _points(events.stops[block], zones.stop[block])
        weight = (last[block][owner] - points) / reach[block][owner]
        total += bincount(entries.when[points], weight, entries.thresholds + 1)
    return total[: entries.thresholds]


def credit_before(entries: FlagOrder, events: Events, zones: Buffers, hit: Array) -> Floats:
    """Sum the credit of the flagged points before the events, once those are hit."""
    reach = (events.starts + events.stops - 1) / 2 - zones.start
    total = np.zeros(entries.thresholds + 1)
    for block in _blocks(events.starts - zones.start, entries.thresholds):
        points, owner = _points(zones.start[block], events.starts[block])
        weight = (points - zones.start[block][owner]) / reach[block][owner]
        when = np.maximum(entries.when[points], hit[block][owner])
        total += bincount(when, weight, entries.thresholds + 1)
    return total[: entries.thresholds]


def credit_inside(entries: FlagOrder, events: Events) -> Floats:
    """Count the flagged points of the events, as each threshold adds to them."""
    counts = bincount(entries.when[events.labels], minlength=entries.thresholds + 1)
    return counts[: entries.thresholds].astype(np.float64)


def missed(entries: FlagOrder, events: Events) -> Floats:
    """Sum the weight of the missed points of events at each threshold."""
    change = np.zeros(entries.thresholds + 1)
    for block in _blocks(events.widths, entries.thresholds):
        starts, stops = events.starts[block], events.stops[block]
        change += _missed_changes(entries, starts, stops)
    change[0] += events.widths.sum()
    return np.cumsum(change)[: entries.thresholds]


class _States(NamedTuple):
    """States of events: after each threshold that flags a point of one, until the next that does.

    In the order of the events, and within an event from the highest threshold down.
    """

    owner: Positions
    """Number of the event."""
    level: Array
    """Number of the threshold."""
    entered: Positions
    """How many points of the event are flagged."""
    summed: Positions
    """The sum of their places."""
    first: Positions
    """The lowest of their places: where the first run begins."""


def _missed_changes(entries: FlagOrder, starts: Positions, stops: Positions) -> Floats:
    """What each threshold adds to the missed weight of some events, and takes from it."""
    widths = stops - starts
    points, owner = _points(starts, stops)
    when = entries.when[points]
    states = _states(when, owner, widths, entries.thresholds)
    stop = _first_above(when, widths, states)
    width = widths[states.owner]
    weight = _weight(width, states.entered, states.summed, states.first, stop)
    before = np.append(0, weight)[:-1]
    fresh = states.owner != np.append(-1, states.owner)[:-1]
    before[fresh] = width[fresh]  # an event that is not hit
    changes = bincount(states.level, weight - before, entries.thresholds + 1)
    return np.asarray(changes, np.float64)


def _states(when: Array, owner: Positions, widths: Positions, count: int) -> _States:
    """Follow the points of events as they enter."""
    order = np.argsort(owner * (count + 1) + when)  # event by event: owner[order] is owner
    base = np.cumsum(widths) - widths
    level, place = when[order], order - base[owner]
    last = np.ones(level.size, bool)
    last[:-1] = (level[1:] != level[:-1]) | (owner[1:] != owner[:-1])
    last &= level < count
    known = np.flatnonzero(last)
    apart = owner * widths.max()  # so that a running minimum starts anew with each event
    first = np.minimum.accumulate(place - apart) + apart
    sums = np.append(0, np.cumsum(place))
    begin = base[owner[known]]
    return _States(
        owner[known], level[known], known + 1 - begin, sums[known + 1] - sums[begin], first[known]
    )


def _weight(width: Array, entered: Array, summed: Array, first: Array, stop: Array) -> Floats:
    """The missed weight of an event of which `entered` points are flagged.

    The places of those sum to `summed`; the first run of them is ``[first, stop)``.
    """
    length = stop - first
    lacking = width - entered
    # Up to the place `length`, only the first run is flagged: what is missed there weighs 1.
    near = np.where(first > length, length + 1, first)
    near_sum = near * (near - 1) // 2
    at_start = first == 0
    near[at_start] = (length < width)[at_start]
    near_sum[at_start] = (length * near)[at_start]
    far = lacking - near
    far_sum = width * (width - 1) // 2 - summed - near_sum
    distance = (length + 1) * (far_sum - far * (length / 2))
    return np.asarray(lacking - distance / np.maximum(width * (width - 1) / 2, 1))


def _first_above(when: Array, widths: Positions, states: _States) -> Positions:
    """Find where the first run of each state ends: the next place that enters at a later threshold.

    A tree of maxima is climbed until a block holds such a place, and then descended. Behind
    each event stands a place that never enters, so no search leaves its event.
    """
    number = np.arange(len(widths))
    tree = [np.full(when.size + number.size, np.iinfo(when.dtype).max, when.dtype)]
    tree[0][np.arange(when.size) + repeat(number, widths)] = when
    while tree[-1].size > 1:
        row = np.append(tree[-1], tree[-1][-1])  # an odd one out is its own neighbour
        tree.append(np.maximum(row[0:-1:2], row[1::2]))
    begin = (np.cumsum(widths) - widths + number)[states.owner]
    here, height = begin + states.first, np.zeros(begin.size, np.int8)
    climbing = np.arange(here.size)
    for row in tree:
        climbing = climbing[row[here[climbing]] <= states.level[climbing]]
        here[climbing] = (here[climbing] + 1) >> 1
        height[climbing] += 1
    for above in range(len(tree) - 1, 0, -1):
        descending = np.flatnonzero(height >= above)
        left = here[descending] << 1
        here[descending] = left + (tree[above - 1][left] <= states.level[descending])
    return here - begin


def _points(starts: Positions, stops: Positions) -> tuple[Positions, Positions]:
    """List the points of some intervals, and the number of the interval that each belongs to."""
    widths = stops - starts
    owner = repeat(np.arange(len(widths)), widths)
    shift = starts - (np.cumsum(widths) - widths)
    return np.arange(owner.size) + shift[owner], owner


def _blocks(sizes: Positions, count: int) -> Iterator[Any]:
    """Part the events so that each block has few points, but more than there are thresholds."""
    ends = np.cumsum(sizes)
    if not ends.size or not ends[-1]:
        return
    most = max(_BLOCK, count)
    edges = np.searchsorted(ends, np.arange(most, ends[-1] + most, most), side="left") + 1
    edges = np.unique(np.minimum(np.append(0, edges), ends.size))
    for start, stop in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        yield slice(start, stop)


_SAME = 1e-12
"""Recalls that differ by less are equal but for rounding."""
_CHUNK = 1 << 16


@dataclass(frozen=True)
class _Grid(Settings):
    """Sizes of the buffers: every pair of ``splits + 1`` even steps up to the largest.

    Parameters
    ----------
    early, delay : int or duration
        Largest size of the buffer before and behind an event, in points or in time.
    splits : int
        Steps from 0 to the largest size.
    """

    early: int = time_length(100, 0, "exact")
    delay: int = time_length(100, 0, "exact")
    splits: int = setting(1, whole, 1, 100, "each pair of sizes is counted")

    def mean(self, rate: Callable[[Tally], Any], entries: FlagOrder, events: Events) -> float:
        """The mean of a rate of the masses, over the pairs of sizes."""
        pairs = (self.splits + 1) ** 2
        rates = (weight * rate(tally) for weight, tally in self._tallies(entries, events))
        return float(at_most_one(sum(rates) / pairs))

    def _tallies(self, entries: FlagOrder, events: Events) -> Iterator[tuple[int, Tally]]:
        """Count for each different pair of sizes, beside how often the pair comes up."""
        hit, lost = hit_entries(entries, events), missed(entries, events)
        inside = credit_inside(entries, events)
        for delay, often in _steps(self.delay, self.splits, events.n):
            behind = inside + credit_behind(entries, events, buffers(events, 0, delay))
            for early, times in _steps(self.early, self.splits, events.n):
                zones = buffers(events, early, delay)
                found = np.cumsum(behind + credit_before(entries, events, zones, hit))
                yield often * times, Tally(found, found + lost, found, entries.flagged)


@dataclass(frozen=True)
class Pate(_Grid):
    """Area under the proximity-aware PR curve, meaned over sizes of the buffers.

    The curve starts at recall 0, precision 1; points at which recall falls below an earlier one
    are left out, and the area is summed by trapezoids.

    1: every event point outranks every other. An alarm everywhere has the precision of the
    credited share. NaN: no events.

    Parameters
    ----------
    early, delay, splits
        See `_Grid`.
    thresholds : int or None
        How many thresholds to take, as percentiles of the scores at which an event point is, or is
        just about to be, flagged; a point is flagged at or above the threshold. None: every
        distinct score. Percentiles lie between scores, so with a number here the value is not
        wholly free of the scale of the scores; None is.

    References
    ----------
    .. [1] R. Ghorbani, M. J. T. Reinders, D. M. J. Tax (2024). PATE: Proximity-Aware Time series
       anomaly Evaluation. KDD. arXiv:2405.12096.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 1, 1, 0, 0])
    >>> Pate(early=2, delay=2)(np.array([0, 0, 1, 1, 0, 0]), events)
    1.0
    >>> scores = np.array([0, 0.5, 0, 1, 0, 0])
    >>> round(Pate(early=0, delay=0)(scores, events), 6)  # 1/2 + (1/2 + 1/3) / 4
    0.708333
    """

    thresholds: int | None = setting(250, whole, 2, 10_000, "None takes every score", none=True)

    def __call__(self, scores: Array, events: Events) -> float:
        """Judge scores."""
        if not len(events):
            return math.nan
        normal, anomalous = np.sort(scores[events.normal]), np.sort(scores[events.labels])
        if self.thresholds is None:
            levels = _turning(normal, self._near_events(scores, events))
        else:
            levels = _percentiles(_turning(normal, anomalous), self.thresholds)
        below = np.searchsorted(normal, levels) + np.searchsorted(anomalous, levels)
        flagged = (normal.size + anomalous.size - below)[::-1]
        del normal, anomalous
        when = _numbers(scores, levels)
        if events.judged is not None:
            when[~events.judged] = levels.size
        return self.mean(_area, FlagOrder(when, levels.size, flagged), events)

    def _near_events(self, scores: Array, events: Events) -> Array:
        """The scores of the judged points in events and their widest buffers, which set recall.

        >>> from adjudge.data.events import Events
        >>> events = Events.from_intervals([(50, 52)], 100)
        >>> Pate(early=2, delay=3)._near_events(np.arange(100), events)
        array([48, 49, 50, 51, 52, 53, 54])
        """
        zones = buffers(events, min(self.early, events.n), min(self.delay, events.n))
        points = stretches(zones.start, zones.stop - zones.start)
        return scores[points if events.judged is None else points[events.judged[points]]]


@dataclass(frozen=True)
class PateF(_Grid):
    """F-score of proximity-aware precision and recall, meaned over sizes of the buffers.

    1: the flags are the labels. 0: no event point and none near one is flagged. NaN: no event and
    no alarm.

    Parameters
    ----------
    early, delay, splits
        See `_Grid`.
    beta : float
        How much more recall weighs than precision.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 1, 1, 0, 0])
    >>> PateF(early=2, delay=2)(np.array([0, 0, 1, 1, 0, 0]) > 0, events)
    1.0
    """

    beta: float = setting(1, positive)

    def __call__(self, flags: Flags, events: Events) -> float:
        """Judge flags."""
        return self.mean(_single(FBeta(self.beta)), _decided(flags), events)


@dataclass(frozen=True)
class PatePrecision(_Grid):
    """Share of the flagging that was right, proximity-aware, meaned over sizes of the buffers.

    1: every alarm was in an event. NaN: no alarm. Parameters: see `_Grid`.

    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 1, 1, 0, 0, 0])
    >>> PatePrecision(early=0, delay=3)(np.array([0, 0, 0, 0, 1, 0, 0]) > 0, events)  # 0 or 4/7
    0.2857142857142857
    """

    def __call__(self, flags: Flags, events: Events) -> float:
        """Judge flags."""
        return self.mean(_single(precision), _decided(flags), events)


@dataclass(frozen=True)
class PateRecall(_Grid):
    """Share of the truth that was found, proximity-aware, meaned over sizes of the buffers.

    1: all event points were flagged. 0: none, and none near. NaN: no event. For the parameters
    see `_Grid`.

    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 1, 1, 0, 0, 0])
    >>> PateRecall(early=2, delay=2)(np.array([0, 0, 1, 1, 0, 0, 0]) > 0, events)
    1.0
    """

    def __call__(self, flags: Flags, events: Events) -> float:
        """Judge flags."""
        return self.mean(_single(recall), _decided(flags), events)


def _steps(most: int, splits: int, points: int) -> list[tuple[int, int]]:
    """The different sizes up to the largest, and how often each comes up.

    Beyond all points a larger size changes nothing.
    """
    sizes = np.minimum(np.arange(splits + 1, dtype=np.int64) * most // splits, points)
    different, times = np.unique(sizes, return_counts=True)
    return list(zip(different.tolist(), times.tolist(), strict=True))


def _percentiles(values: Floats, count: int) -> Floats:
    """So many percentiles of some ascending scores, evenly spaced."""
    between = math.isfinite(float(values[-1]) - float(values[0]))  # infinite ones have no middle
    shares = np.linspace(100, 0, count)
    return np.unique(np.percentile(values, shares, method="linear" if between else "higher"))


def _turning(normal: Floats, own: Floats) -> Floats:
    """Some scores, the next ones above them, the lowest and the highest.

    Where these are the scores of all points that set recall, the area over them is that over all
    scores: between two of them recall stays, and the trapezoids have no width.
    """
    own = np.unique(own)
    above = np.searchsorted(normal, own, side="right")
    beside = normal[above[above < normal.size]]
    lowest = normal[:1][normal[:1] < own[0]]
    highest = normal[-1:][normal[-1:] > own[-1]]
    return np.unique(np.concatenate([lowest, own, beside, highest]))


def _numbers(scores: Array, levels: Floats) -> Array:
    """Say at which threshold, counted from the highest down, each score is first reached."""
    kind = np.int16 if levels.size < np.iinfo(np.int16).max else np.int64
    when = np.empty(scores.size, kind)
    for start in range(0, scores.size, _CHUNK):
        chunk = slice(start, start + _CHUNK)
        when[chunk] = levels.size - np.searchsorted(levels, scores[chunk], side="right")
    return when


def _decided(flags: Flags) -> FlagOrder:
    """Take flags as scores with one threshold."""
    when = np.logical_not(flags).view(np.int8)
    return FlagOrder(when, 1, np.array([np.count_nonzero(flags)]))


def _single(rate: Callable[[Tally], Any]) -> Callable[[Tally], Any]:
    """Take a rate of the only threshold."""
    return lambda tally: rate(tally)[0]


def _area(tally: Tally) -> float:
    """Sum the area under precision against recall, without the points where recall falls."""
    height, along = (np.append(1.0, precision(tally)), np.append(0.0, recall(tally)))
    kept = along >= np.maximum.accumulate(along) - _SAME
    height, along = height[kept], along[kept]
    return trapezoid(height, along)
