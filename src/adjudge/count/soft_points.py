r"""Count points with soft labels: an alarm beside an event is right in part.

Buffers: soft labels on both sides of the events, for every width at once.

A buffer of window l gives a normal point at distance d from an event, d = 1 ... l // 2, the soft
label of a slope that falls away from the event; where slopes meet they add up, to at most 1:

.. math:: y_l(t) = \min\Big(1, \sum_{e:\, d_e(t) \le \lfloor l/2 \rfloor} \sqrt{1 - d_e(t)/l}\Big)

A slope never falls below :math:`\sqrt{1/2}`, so two of them always make a full label. All there is
to know of a point is therefore where its first slope comes from and at which half-window
``l // 2`` the second one arrives: two small numbers, whatever the number of windows and events.

Conventions
-----------
- Buffers, and the zones that they make of the events, are clipped at the ends of a series.
- A point that is not judged has no soft label, but distances are counted across it.
- Windows 0 and 1 have no buffer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.count.contract import SweptCounting
from adjudge.count.ledger import AlarmRows, Entries, first_touched, flagged_runs, truth_rows
from adjudge.count.tally import Mass, Masses
from adjudge.data.intervals import bincount, covered, reduce_over, reduceat, repeat
from adjudge.data.time_settings import time_length

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from adjudge._typing import Array, Flags, Floats, Positions
    from adjudge.data.events import Events

WIDEST = 4096, "its cost grows with its square; published windows are below 1,000"
"""The widest window of a mean over all windows up to it, and why there is one."""
_BLOCK = 1 << 16
_FAR = 2**62


class Near(NamedTuple):
    """The judged normal points that a buffer can reach, and how."""

    points: Positions
    place: Array
    """Half-window at which the first slope arrives; ``farthest`` more if that one is late."""
    meets: Array
    """Half-window at which a second slope arrives, or one that is never reached."""
    farthest: int
    """The widest half-window, or the number of points if that is less."""
    late: bool


class Slopes(NamedTuple):
    """The soft labels of the windows of one half-window, by place."""

    windows: list[int]
    met: Positions
    """Which of the near points a second slope has reached since the last step: now at place 0."""
    table: Floats
    """One row per place, one column per window: 1 at place 0, 0 where no slope has arrived yet."""


def near(events: Events, reach: int, *, late: bool = False) -> Near:
    """Find the normal points within reach of an event.

    Parameters
    ----------
    events : Events
        The truth.
    reach : int
        The widest half-window.
    late : bool
        Let the slope after an event begin on the event's last point, not beside it, so that it is
        one point shorter than the slope before.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> found = near(Events.from_labels([0, 0, 1, 0, 0, 0, 1, 0]), reach=2)
    >>> [numbers.tolist() for numbers in found[:3]]
    [[0, 1, 3, 4, 5, 7], [2, 1, 1, 2, 1, 1], [3, 3, 3, 2, 3, 3]]
    """
    points = np.flatnonzero(_within(events, reach) & events.normal)
    kind = np.int16 if 2 * reach < np.iinfo(np.int16).max else np.int64
    place, meets = np.empty((2, points.size), kind)
    for start in range(0, points.size, _BLOCK):  # blocks keep the working memory small
        block = slice(start, start + _BLOCK)
        place[block], meets[block] = _arrivals(points[block], events, reach, late=late)
    if late:
        kept = place > 0
        points, place, meets = points[kept], place[kept], meets[kept]
    return Near(points, place, meets, min(reach, events.n), late)


def slopes(found: Near, windows: range) -> Iterator[Slopes]:
    """The soft labels of all windows, from the narrowest up, one half-window at a time.

    >>> from adjudge.data.events import Events
    >>> found = near(Events.from_labels([0, 0, 1, 0]), reach=2)
    >>> [step.table[found.place].round(3).tolist() for step in slopes(found, range(3, 5))]
    [[[0.0], [0.816], [0.816]], [[0.707], [0.866], [0.866]]]
    """
    halves = np.arange(windows[0] // 2, windows[-1] // 2 + 1)
    order = np.argsort(found.meets, kind="stable")
    cuts = np.searchsorted(found.meets[order], halves, side="right").tolist()
    for half, start, stop in zip(halves.tolist(), [0, *cuts], cuts, strict=False):
        now = [window for window in (2 * half, 2 * half + 1) if window in windows]
        yield Slopes(now, order[start:stop], _table(half, np.array(now), found))


def soften(place: Array, steps: Iterable[Slopes]) -> Iterator[list[Floats]]:
    """Each point's soft label, for the windows of each half-window.

    >>> from adjudge.data.events import Events
    >>> found = near(Events.from_labels([0, 1, 0, 0, 1]), reach=2)
    >>> steps = soften(found.place, slopes(found, range(3, 5)))
    >>> [labels[0].round(3).tolist() for labels in steps]
    [[0.816, 0.816, 0.816], [0.866, 1.0, 1.0]]
    """
    place = place.astype(np.intp)
    for step in steps:
        place[step.met] = 0
        yield [column[place] for column in step.table.T.copy()]


def sums_by_group(
    place: Array, group: Positions, groups: int, steps: Iterable[Slopes]
) -> Iterator[Floats]:
    """The sum of the soft labels in each group, one row per window of each half-window.

    Only how many points of a group are at each place matters, so after one count of the points a
    step costs as much as there are groups and places, and each point moves once.

    >>> from adjudge.data.events import Events
    >>> found = near(Events.from_labels([0, 1, 0, 0, 1]), reach=2)
    >>> steps = slopes(found, range(3, 5))
    >>> sums = sums_by_group(found.place, np.array([0, 1, 1]), 2, steps)
    >>> [rows.round(3).tolist() for rows in sums]
    [[[0.816, 1.633]], [[0.866, 2.0]]]
    """
    counts: Floats | None = None
    for step in steps:
        shape = groups, len(step.table)
        if counts is None:
            counts = _counted(place, group, shape)
        if step.met.size:
            moved = _counted(place[step.met], group[step.met], shape)
            counts -= moved
            counts[:, 0] += moved.sum(axis=1)
        yield (counts @ step.table).T


def zone_tops(
    scores: Array, events: Events, windows: range, *, late: bool = False, touching: bool = False
) -> Iterator[Array]:
    """The highest score of each zone, an event with its buffer, for each half-window.

    Zones that share a point are one (``touching``: also those that lie side by side), so there are
    never more than the series has room for, and each step costs less than the one before.

    >>> from adjudge.data.events import Events
    >>> events, scores = Events.from_labels([0, 1, 0, 0, 0, 1]), np.array([5, 1, 2, 3, 7, 4])
    >>> [tops.tolist() for tops in zone_tops(scores, events, range(5))]
    [[1, 4], [5, 7], [7]]
    """
    first, last = events.starts, events.stops - 1
    begin, end = _series_of(events.starts, events)
    tops = np.zeros(0)
    for half in range(windows[0] // 2, windows[-1] // 2 + 1):
        before, after = half, max(half - late, 0)
        apart = first[1:] - last[:-1] > before + after + touching
        apart |= begin[1:] != begin[:-1]
        opens, closes = np.flatnonzero(np.append(True, apart)), np.append(apart, True)
        left, right = np.maximum(first - before, begin), np.minimum(last + after, end - 1)
        if not tops.size:  # the first half-window: look at all points of a zone
            tops = reduce_over(np.maximum, scores, left[opens], right[closes] + 1)
        else:  # a wider one: only its two new ends
            tops = np.maximum(tops, np.maximum(scores[left], scores[right]))
            tops = tops if apart.all() else reduceat(np.maximum, tops, opens)
        if not apart.all():
            first, begin, end, last = first[opens], begin[opens], end[opens], last[closes]
        yield tops


def _within(events: Events, reach: int) -> Flags:
    """Mark the points at most ``reach`` from an event of their series."""
    begin, end = _series_of(events.starts, events)
    begin, end = np.maximum(events.starts - reach, begin), np.minimum(events.stops + reach, end)
    return covered(begin, end, events.n)


def _arrivals(
    points: Positions, events: Events, reach: int, *, late: bool
) -> tuple[Positions, Positions]:
    """Say at which half-window the first and the second slope arrive at some normal points.

    Only the two events before and the two after can be the nearest two.
    """
    begin, end = _series_of(points, events)
    following = _following(points, events.starts)
    stops = np.concatenate([[-_FAR, -_FAR], events.stops])
    starts = np.concatenate([events.starts, [_FAR, _FAR]])
    after = [
        _steps(points - stops[following + i] + 1, stops[following + i] > begin) for i in (1, 0)
    ]
    before = [_steps(starts[following + i] - points, starts[following + i] < end) for i in (0, 1)]
    after = [steps + late for steps in after]
    first = np.minimum(after[0], before[0])
    second = np.maximum(after[0], before[0])
    second = np.minimum(second, np.minimum(after[1], before[1]))
    farthest = min(reach, events.n)
    place = np.where(late & (after[0] < before[0]), first + farthest, first)
    place[first > reach] = 0
    return place, np.minimum(second, reach + 1)


def _steps(distance: Positions, valid: Flags) -> Positions:
    return np.where(valid, distance, _FAR)


def _following(points: Positions, starts: Positions) -> Positions:
    """Count, for each of some ascending points, the events that start before it."""
    low, high = np.searchsorted(starts, points[[0, -1]])
    cuts = np.searchsorted(points, starts[low:high])
    counts = np.diff(np.concatenate([[0], cuts, [points.size]]))
    return np.asarray(low + repeat(np.arange(counts.size), counts))


def _series_of(points: Positions, events: Events) -> tuple[Positions, Positions]:
    """Say where the series of each point begins and ends."""
    home = np.searchsorted(events.series_bounds, points, side="right")
    return events.series_bounds[home - 1], events.series_bounds[home]


def _counted(place: Array, group: Positions, shape: tuple[int, int]) -> Floats:
    codes = group * np.int64(shape[1])
    codes += place
    return bincount(codes, minlength=shape[0] * shape[1]).reshape(shape).astype(np.float64)


def _table(half: int, windows: Positions, found: Near) -> Floats:
    """Tabulate the slopes of some windows by place."""
    table = np.zeros((1 + found.farthest * (1 + found.late), windows.size))
    table[0] = 1
    here = min(half, found.farthest)
    distance = np.arange(1, here + 1)[:, np.newaxis]
    table[1 : here + 1] = np.sqrt(1 - distance / windows)
    if found.late:
        later = table[found.farthest + 1 :]
        later[:here] = np.sqrt(1 - (distance - 1) / windows)
    return table


@dataclass(frozen=True)
class SoftPoints(SweptCounting):
    """Weigh every flagged point 1, and credit it with the mean soft label of the windows 0 ... L.

    The truth side counts anomalous points, as pointwise scores do.

    Parameters
    ----------
    window : int or duration
        The widest buffer L, in points or in time, half of it on either side of an event.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 1, 1, 0])
    >>> tally = SoftPoints(2).masses(np.array([0, 1, 1, 0, 0]) > 0, events).at(False)
    >>> round(tally.right, 4), tally.flagged  # 1, and sqrt(1/2) in one window of three
    (1.2357, 2.0)
    """

    window: int = time_length(100, 0, "exact", *WIDEST)

    def masses(self, adjusted: Array, events: Events) -> Masses:
        """Count points above any threshold."""
        soft, normal = self._labels(events), events.normal
        found = Mass(adjusted[events.labels])
        right = Mass(adjusted[soft > 0], weights=soft[soft > 0])
        false = Mass(adjusted[normal], weights=1 - soft[normal])
        return Masses(found, found.values.size, right, false, (found, false), false.values.size)

    def flag_rows(self, flags: Flags, events: Events) -> Entries:
        """Rows for every event and every run."""
        starts, stops = flagged_runs(flags, events)
        credit = reduce_over(np.add, self._labels(events), starts, stops)
        event = first_touched(starts, stops, events)
        alarms = AlarmRows.of_runs(starts, stops, event, stops - starts, credit)
        truth = truth_rows(flags, events, events.widths, events.sum(flags))
        return Entries(truth, alarms, int(np.count_nonzero(events.normal)))

    def _labels(self, events: Events) -> Floats:
        """Each point's mean soft label: of one slope, then of full ones."""
        found, windows = near(events, self.window // 2), range(self.window + 1)
        total, so_far = np.zeros(found.points.size), np.zeros(found.farthest + 1)
        alone = np.ones(found.points.size, bool)
        for step in slopes(found, windows):
            total[step.met] = so_far[found.place[step.met]] + len(windows[step.windows[0] :])
            alone[step.met] = False
            so_far += step.table.sum(axis=1)
        total[alone] = so_far[found.place[alone]]
        labels = events.labels.astype(np.float64)
        labels[found.points] = total / len(windows)
        return labels
