"""Count the quality of detection around each event: hit, near, or far.

Time is divided among the events. Beside each lie a near zone before and one after it, of ``near``
points, and beyond them a far zone on either side, up to the middle between two near zones. Alarms
are cut at these lines; what lies in an event's zones is judged with the event, and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

import numpy as np

from adjudge.checks import word
from adjudge.count.contract import Counting
from adjudge.count.ledger import Entries, flagged_runs, truth_rows
from adjudge.count.range_credit import nested_runs
from adjudge.data.intervals import bincount, overlaps, repeat, stretches
from adjudge.data.time_settings import time_length
from adjudge.settings import setting

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags, Floats, Positions
    from adjudge.data.events import Events

_CELLS = 1 << 19  # levels times events that are looked at together: 45 MB
Version = Literal["2026-05", "2026-03"]


@dataclass(frozen=True)
class Quality(Counting):
    r"""Weigh every event 1, and credit it with the quality of the alarms in its zones.

    .. math:: \sqrt{\frac{\text{hit} + \text{near}}{2} \cdot \text{quiet}}

    - hit: 1 if the event is touched, else 0.
    - near: :math:`(1 - d/W)(1 - T/2W)` for near alarms of T points together, the nearest of them d
      points off. Without any it is 0; but 1 if the event is hit and no far alarm is there either.
    - quiet: :math:`\max(0, 1 - 2 T_f / Z) \cdot (1 - \log k / \log \lceil Z \rceil)` for far alarms
      of :math:`T_f` points in far zones of Z points together, cut into :math:`\lceil Z \rceil`
      parts of which k hold the middle of an alarm.

    1: every event is touched, and nothing else is flagged. 0: no event has an alarm in it or near
    it, or the rest is full of alarms.

    Parameters
    ----------
    near : int or duration
        How many points, or how much time, beside an event are near: W.
    version : "2026-05" or "2026-03"
        The authors' code of May 2026, or that of March (probably the paper's): there near alarms
        are also credited by the mean distance of their middles from the event, an alarm in the near
        zones of two events counts for both, and a far alarm over the middle between two events
        belongs wholly to the one on whose side more of it lies.

    References
    ----------
    .. [1] Y. Li et al. (2026). DQE. arXiv:2603.06131.

    Examples
    --------
    >>> from adjudge.adjust.adjustments import raw
    >>> from adjudge.data.events import Events
    >>> events, flags = Events.from_labels([0, 0, 1, 1, 0, 0]), np.array([0, 0, 0, 1, 1, 0]) > 0
    >>> Quality(near=2).entries(flags, events, raw).tally.found ** 2  # (1 + 3/4) / 2
    0.875
    """

    near: int = time_length(125, 1, "exact")
    version: Version = setting("2026-05", word, get_args(Version))

    def flag_rows(self, flags: Flags, events: Events) -> Entries:
        """Rows for every event."""
        credit = self.of_events(flags, events, zones(events, self.near))
        weight = np.ones(len(events), np.int64)
        return Entries(truth_rows(flags, events, weight, credit))

    def of_events(self, flags: Flags, events: Events, around: EventLines) -> Floats:
        """The quality of each event, in zones that were laid out before."""
        starts, stops = (2 * edge for edge in flagged_runs(flags, events))
        old = self.version == "2026-03"
        far = _far_pieces(starts, stops, around, whole=old)
        near = self._near(_near_pieces(starts, stops, around, both=old), around)
        hit = events.max(flags)
        silent = bincount(far.event, minlength=len(events)) == 0
        near = np.where(np.isnan(near), hit & silent, near)
        return np.sqrt((hit + near) / 2 * _quiet(far, around))

    def sums_of_levels(
        self, scores: Floats, events: Events, around: EventLines, levels: Floats
    ) -> Floats:
        """The qualities of all events together where a score of each level or more is flagged.

        Some events at a time, whose zones are looked at once: the tables never grow large.

        Of runs, all that counts is at which levels each is there, and in which part of a far zone
        its middle lies: so each run is looked at once, and not at every level.
        """
        if self.version == "2026-03":
            each = [self.of_events(scores >= level, events, around).sum() for level in levels]
            return np.array(each, np.float64)
        steps = np.searchsorted(levels, scores, side="right")  # how many levels flag each point
        highest, at_once = events.max(steps), max(_CELLS // max(levels.size, 1), 1)
        sums = np.zeros(levels.size)
        for first in range(0, len(events), at_once):
            some = slice(first, first + at_once)
            lines = around.some(some)
            sums += self._of_some(steps, highest[some], lines, levels.size).sum(axis=1)
        return sums

    def _of_some(
        self, steps: Positions, highest: Positions, around: EventLines, levels: int
    ) -> Floats:
        """The same of some events, by how many levels flag each point."""
        far = _beside((around.left, around.early), (around.late, around.right))
        near = _beside((around.own, around.start), (around.stop, around.late))  # of two the earlier
        flagged, close = (zone.sums(steps, levels, highest.size) for zone in (far, near))
        nearest = near.nearest(steps, levels, around) / self.near
        credit = (1 - nearest) * (1 - close / 2 / (2 * self.near))
        hit = highest > np.arange(levels)[:, np.newaxis]
        credit = np.where(np.isnan(credit), hit & (flagged == 0), credit)
        used = far.used(steps, levels, around)
        return np.sqrt((hit + credit) / 2 * _quietness(flagged, used, around))

    def _near(self, pieces: _InZones, around: EventLines) -> Floats:
        """Credit near alarms, by how near and how long they are; NaN where there are none."""
        count, (event, low, high) = len(around.start), pieces
        gap = np.maximum(around.start[event] - high, low - around.stop[event]) / 2
        length = (high - low) / 2
        nearest = np.full(count, np.nan)
        np.fmin.at(nearest, event, gap)
        credit = (1 - nearest / self.near) * (1 - bincount(event, length, count) / (2 * self.near))
        if self.version == "2026-05":
            return credit
        pieces_of = np.maximum(bincount(event, minlength=count), 1)
        return credit * (1 - bincount(event, gap + length / 2, count) / pieces_of / self.near)


class EventLines(NamedTuple):
    """The lines around the events, all in half points, so that the middles are whole numbers."""

    start: Positions
    stop: Positions
    early: Positions
    """Where the near zone before each event begins."""
    own: Positions
    """Where it begins if what is near two events is the earlier one's."""
    late: Positions
    """Where the near zone after each event ends."""
    left: Positions
    """Where the far zone before each event begins."""
    right: Positions
    """Where the far zone after each event ends."""
    first: Flags
    """Which events are the first of their series."""
    last: Flags

    def some(self, events: slice) -> EventLines:
        """The lines of some of the events."""
        return EventLines._make(line[events] for line in self)


class _InZones(NamedTuple):
    """Pieces of alarms, each with the event in whose zone it lies."""

    event: Positions
    low: Positions
    high: Positions

    def beside(self, other: _InZones) -> _InZones:
        return _InZones(*(np.concatenate(pair) for pair in zip(self, other, strict=True)))


def zones(events: Events, near: int) -> EventLines:
    """Divide the time among the events.

    >>> from adjudge.data.events import Events
    >>> found = zones(Events.from_intervals([(10, 16), (25, 28)], n=40), 4)
    >>> [edge.tolist() for edge in (found.early, found.late, found.left, found.right)]
    [[12, 42], [40, 64], [0, 41], [41, 80]]
    """
    bounds, near = 2 * events.series_bounds, 2 * near
    start, stop = 2 * events.starts, 2 * events.stops
    home = np.searchsorted(bounds, start, side="right") - 1
    new = home[1:] != home[:-1]
    first, last = (np.insert(new, place, True)[: start.size] for place in (0, new.size))
    early = np.maximum(start - near, np.where(first, bounds[home], _before(stop)))
    late = np.minimum(stop + near, np.where(last, bounds[home + 1], _after(start)))
    left = np.where(first, bounds[home], (_before(late) + early) // 2)  # both are even
    right = np.where(last, bounds[home + 1], (late + _after(early)) // 2)
    own = np.where(first, early, np.maximum(early, _before(late)))
    return EventLines(start, stop, early, own, late, np.minimum(left, early),
                      np.maximum(right, late), first, last)  # fmt: skip


def _near_pieces(
    starts: Positions, stops: Positions, around: EventLines, *, both: bool
) -> _InZones:
    """Cut out what lies near the events; the earlier event keeps it, unless both may."""
    before = _pieces(starts, stops, around.early if both else around.own, around.start)
    return before.beside(_pieces(starts, stops, around.stop, around.late))


def _far_pieces(
    starts: Positions, stops: Positions, around: EventLines, *, whole: bool
) -> _InZones:
    """Cut out what lies far from the events, at the middle between them too unless kept whole."""
    begin, end = around.left, around.right
    if whole:
        begin = np.where(around.first, begin, np.minimum(_before(around.late), around.early))
        end = np.where(around.last, end, around.late)
    before = _pieces(starts, stops, begin, around.early)
    if whole:  # to the side of the longer part, the earlier one among equals
        event, low, high = before
        cut = around.left[event]
        other = np.minimum(high, cut) - low >= high - np.maximum(low, cut)
        before = before._replace(event=event - (other & ~around.first[event]))
    return before.beside(_pieces(starts, stops, around.late, end))


def _pieces(starts: Positions, stops: Positions, begin: Positions, end: Positions) -> _InZones:
    run, event, length = overlaps(starts, stops, begin, end)
    run, event = run[length > 0], event[length > 0]
    return _InZones(
        event, np.maximum(starts[run], begin[event]), np.minimum(stops[run], end[event])
    )


def _quiet(far: _InZones, around: EventLines) -> Floats:
    """Say how quiet the far zones are: how little is flagged, and how little scattered."""
    event, low, high = far
    firsts, parts = _parts(around)
    in_use = np.zeros(int(parts.sum()), bool)
    in_use[firsts[event] + _part(far, around, parts)] = True
    used = bincount(repeat(np.arange(parts.size), parts), in_use, minlength=parts.size)
    return _quietness(bincount(event, high - low, parts.size), used, around)


def _parts(around: EventLines) -> tuple[Positions, Positions]:
    """The first part of the far zones of each event among all, and how many it has; at least one.

    A part is one point, or a little less.
    """
    parts = np.maximum(-(-_far_length(around) // 2), 1)
    return np.cumsum(parts) - parts, parts


def _far_length(around: EventLines) -> Positions:
    """How long the far zones of each event are together, in half points."""
    return around.early - around.left + around.right - around.late


def _part(far: _InZones, around: EventLines, parts: Positions) -> Positions:
    """In which part of the far zones of its event the middle of each piece lies."""
    event, low, high = far
    before, length = (around.early - around.left)[event], _far_length(around)[event]
    zero = np.where(low < around.start[event], around.early[event], around.late[event])
    place = low + high - 2 * (zero - before)  # the middle, in quarters of a point
    part: Positions = place * parts[event] // np.maximum(2 * length, 1)
    return np.clip(part, 0, parts[event] - 1)


def _quietness(flagged: Floats, used: Array, around: EventLines) -> Floats:
    """The same, given how many half points are flagged, and how many parts are in use."""
    length, parts = _far_length(around), _parts(around)[1]
    share = 1 - np.minimum(2 * flagged / np.maximum(length, 1), 1)
    scattered = np.log(np.maximum(used, 1)) / np.log(np.maximum(parts, 2))
    return np.asarray(share * (1 - np.where(length > 2, scattered, 0.0)))


class _EventZones(NamedTuple):
    """Stretches of time beside events, one after the other; a line may part a point in two."""

    event: Positions
    low: Positions
    high: Positions

    @property
    def points(self) -> tuple[Positions, Positions, Positions]:
        """Every point of every zone, the number of its zone, and how many there are in each."""
        first = self.low // 2
        count = np.maximum(-(-self.high // 2) - first, 0)
        return stretches(first, count), repeat(np.arange(first.size), count), count

    def sums(self, steps: Positions, levels: int, events: int) -> Floats:
        """How many half points are flagged at each level, a column an event."""
        point, zone, _ = self.points
        inside = np.minimum(2 * point + 2, self.high[zone]) - np.maximum(2 * point, self.low[zone])
        key = steps[point] * events + self.event[zone]
        sums = bincount(key, inside, minlength=(levels + 1) * events)
        return _from_the_top(np.add, sums.reshape(levels + 1, events))

    def nearest(self, steps: Positions, levels: int, around: EventLines) -> Floats:
        """How far the nearest flagged point is from its event at each level; NaN: none is."""
        point, zone, _ = self.points
        event = self.event[zone]
        far = np.maximum(around.start[event] // 2 - 1 - point, point - around.stop[event] // 2)
        least = np.full((levels + 1, around.start.size), np.nan)
        np.fmin.at(least, (steps[point], event), far)
        return _from_the_top(np.fmin, least)

    def used(self, steps: Positions, levels: int, around: EventLines) -> Positions:
        """How many parts hold the middle of an alarm at each level, a column an event.

        A run is there at the levels from ``until`` up to ``above``; of runs with their middle in
        one part each adds the levels that those before it have not.
        """
        point, _, count = self.points
        bounds, first = np.append(0, np.cumsum(count)), self.low // 2
        known = np.where(steps > 0, steps, -np.inf)[point]
        start, stop, above, until = nested_runs(known, bounds)
        zone = np.searchsorted(bounds, start, side="right") - 1
        moved = first[zone] - bounds[zone]
        low = np.maximum(2 * (start + moved), self.low[zone])
        high = np.minimum(2 * (stop + moved), self.high[zone])
        firsts, parts = _parts(around)
        event = self.event[zone]
        part = firsts[event] + _part(_InZones(event, low, high), around, parts)
        begin, end = (
            part * (levels + 1) + np.maximum(side, 0).astype(np.int64) for side in (until, above)
        )
        order = np.argsort(begin)
        begin, end, event = begin[order], end[order], event[order]
        seen = np.maximum.accumulate(end)
        begin[1:] = np.maximum(begin[1:], seen[:-1])
        new = begin < end
        size, shape = (levels + 1) * parts.size, (levels + 1, parts.size)
        came, went = (
            bincount(side[new] % (levels + 1) * parts.size + event[new], minlength=size)
            for side in (begin, end)
        )
        return np.cumsum((came - went).reshape(shape), axis=0)[:-1]


def _from_the_top(ufunc: np.ufunc, values: Array) -> Floats:
    """What is flagged at each level: all above it; the first row is flagged at none."""
    return np.asarray(ufunc.accumulate(values[:0:-1], axis=0)[::-1])


def _beside(*sides: tuple[Positions, Positions]) -> _EventZones:
    """Zones from a line to another, one before and one behind each event."""
    lows, highs = zip(*sides, strict=True)
    number = np.arange(lows[0].size)
    return _EventZones(np.tile(number, len(sides)), np.concatenate(lows), np.concatenate(highs))


def _before(values: Positions) -> Positions:
    """For each event the value of the one before it."""
    return np.roll(values, 1)


def _after(values: Positions) -> Positions:
    return np.roll(values, -1)
