r"""The masses of PATE at every threshold of a sweep, near-linear in the number of points.

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

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adjudge._typing import Array, Floats, Positions
    from adjudge.data.events import Events

_BLOCK = 1 << 17
"""Points of events and buffers that are worked on at a time: they stay in the cache."""


class Entries(NamedTuple):
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


def hit_entries(entries: Entries, events: Events) -> Array:
    """Give, per event, the first threshold that flags one of its points."""
    inside = entries.when[events.labels]
    if not inside.size:
        return inside
    return np.minimum.reduceat(inside, np.cumsum(events.widths) - events.widths)


def credit_behind(entries: Entries, events: Events, zones: Buffers) -> Floats:
    """Sum the credit of the flagged points behind the events, as each threshold adds to it."""
    last = zones.stop - 1
    reach = last - (events.starts + events.stops - 1) / 2
    total = np.zeros(entries.thresholds + 1)
    for block in _blocks(zones.stop - events.stops, entries.thresholds):
        points, owner = _points(events.stops[block], zones.stop[block])
        weight = (last[block][owner] - points) / reach[block][owner]
        total += np.bincount(entries.when[points], weight, entries.thresholds + 1)
    return total[: entries.thresholds]


def credit_before(entries: Entries, events: Events, zones: Buffers, hit: Array) -> Floats:
    """Sum the credit of the flagged points before the events, once those are hit."""
    reach = (events.starts + events.stops - 1) / 2 - zones.start
    total = np.zeros(entries.thresholds + 1)
    for block in _blocks(events.starts - zones.start, entries.thresholds):
        points, owner = _points(zones.start[block], events.starts[block])
        weight = (points - zones.start[block][owner]) / reach[block][owner]
        when = np.maximum(entries.when[points], hit[block][owner])
        total += np.bincount(when, weight, entries.thresholds + 1)
    return total[: entries.thresholds]


def credit_inside(entries: Entries, events: Events) -> Floats:
    """Count the flagged points of the events, as each threshold adds to them."""
    counts = np.bincount(entries.when[events.labels], minlength=entries.thresholds + 1)
    return counts[: entries.thresholds].astype(np.float64)


def missed(entries: Entries, events: Events) -> Floats:
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


def _missed_changes(entries: Entries, starts: Positions, stops: Positions) -> Floats:
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
    changes = np.bincount(states.level, weight - before, entries.thresholds + 1)
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
    weight: Floats = lacking - distance / np.maximum(width * (width - 1) / 2, 1)
    return weight


def _first_above(when: Array, widths: Positions, states: _States) -> Positions:
    """Find where the first run of each state ends: the next place that enters at a later threshold.

    A tree of maxima is climbed until a block holds such a place, and then descended. Behind
    each event stands a place that never enters, so no search leaves its event.
    """
    number = np.arange(len(widths))
    tree = [np.full(when.size + number.size, np.iinfo(when.dtype).max, when.dtype)]
    tree[0][np.arange(when.size) + np.repeat(number, widths)] = when
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
    owner = np.repeat(np.arange(len(widths)), widths)
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
