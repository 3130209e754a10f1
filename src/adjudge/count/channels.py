"""Count channels: on which channels of an event the detector alarmed, and on which it was silent.

A channel is affected by an event where the event has points on it; it alarms during the event where
any of its points is flagged within the event, be they its own or those of another channel. One that
is judged at no point of the event is left out of it. An alarm
on a channel that the event does not affect is excused where another event affects that channel at
the time.

Count events by their ids, with all channels as one: they may overlap, have several pieces, and be
of a kind that is not asked for. An alarm in such an event is neither right nor false.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.adjust.adjustments import raw
from adjudge.count.affiliation import Zones
from adjudge.count.ledger import flagged_runs
from adjudge.count.tally import Tally
from adjudge.data.intervals import bincount, judged_pieces, reduce_over
from adjudge.errors import InputError, UnknownName

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge._typing import Array, Flags, Floats, Positions
    from adjudge.data.channels import ChannelTruth, KnownChannels, Subsystem
    from adjudge.data.events import Events


class ChannelLooks(NamedTuple):
    """Stretches in which somebody looks for flags, each on one channel, for a cell of a table."""

    starts: Positions
    """In the channels one after the other."""
    stops: Positions
    cell: Positions
    """Which cell each one is for."""

    def any_in(self, pooled: Flags, cells: int) -> Flags:
        """Whether any point of each cell is flagged."""
        padded = np.append(pooled, False)  # a stretch may end where all ends
        hit = reduce_over(np.logical_or, padded, self.starts, self.stops)
        found = np.zeros(cells, bool)
        found[self.cell[hit]] = True
        return found


class Alarming(NamedTuple):
    """Which channels alarm during which event, and where that is excused.

    A row per event, a column per channel; there may be further axes, such as shifts.
    """

    affected: Flags
    alarming: Flags
    excused: Flags

    @property
    def false(self) -> Flags:
        """Alarms on channels that the event does not affect, and that nothing excuses."""
        return self.alarming & ~self.affected & ~self.excused

    @property
    def on_a_channel(self) -> Alarming:
        """The events that are on a channel which is judged during them."""
        own = self.affected.reshape(*self.affected.shape[:2]).any(axis=1)
        return self if own.all() else Alarming(*(cells[own] for cells in self))

    def grouped(self, groups: Sequence[Subsystem]) -> Alarming:
        """The same of groups of channels: any member speaks for all, each is excused by itself."""
        members = [list(group.members) for group in groups]
        affected, alarming, unexcused = (
            np.stack([cells[:, own].any(axis=1) for own in members], axis=1)
            for cells in (self.affected, self.alarming, self.alarming & ~self.excused)
        )
        return Alarming(affected, alarming, ~unexcused)


@dataclass(frozen=True, eq=False)
class EventChannels:
    """Where to look for alarms during each event, on each channel.

    >>> from adjudge.data.channels import channel_cases
    >>> labels = np.array([[0, 0], [1, 0], [1, 1], [0, 0]])
    >>> (case,) = channel_cases(labels, labels[:, ::-1], ["temp", "flow"])
    >>> found = EventChannels(case.channels).alarming(case.flags)
    >>> found.affected, found.alarming
    (array([[ True,  True]]), array([[ True,  True]]))
    """

    channels: KnownChannels

    @property
    def truth(self) -> ChannelTruth:
        """Which event is on which channel."""
        assert self.channels.truth is not None  # noqa: S101 - whoever asks has looked
        return self.channels.truth

    @property
    def shape(self) -> tuple[int, int]:
        """How many events and channels there are."""
        return len(self.truth), len(self.channels.names)

    @cached_property
    def affected(self) -> Flags:
        """Which channels each event is on; one that names none is on all of them.

        A channel that is judged nowhere in the event could not alarm: nothing is asked of it.
        """
        table = np.zeros(self.shape, bool)
        named = self.truth.channel >= 0
        table[self.truth.event[named], self.truth.channel[named]] = True
        table[self.truth.event[~named]] = True
        watched = np.zeros(table.size, bool)
        watched[self.looks.cell] = True
        return table & watched.reshape(self.shape)

    @cached_property
    def spans(self) -> tuple[Positions, Positions, Positions]:
        """The points of each event, on whatever channel: event, start and stop of each stretch."""
        truth = self.truth
        order = np.lexsort((truth.start, truth.event))
        event, start, stop = truth.event[order], truth.start[order], truth.stop[order]
        reach = event * (self._n + 1) + stop  # later events lie behind all of this one
        covered = np.maximum.accumulate(reach)
        new = np.append(True, event[1:] * (self._n + 1) + start[1:] > covered[:-1])[: event.size]
        firsts = np.flatnonzero(new)
        lasts = np.append(firsts[1:], event.size)[: firsts.size] - 1
        return event[firsts], start[firsts], covered[lasts] - event[firsts] * (self._n + 1)

    @property
    def _n(self) -> int:
        return self.channels.events[0].n

    @cached_property
    def looks(self) -> ChannelLooks:
        """The points of each event on each channel; cells are events times channels."""
        return self._on_all(*(self.spans for _ in self.channels.names))

    def _on_all(self, *spans: tuple[Positions, Positions, Positions]) -> ChannelLooks:
        """Look at stretches of events on each channel, as far as they are judged there."""
        parts = []
        for channel, (event, start, stop) in enumerate(spans):
            begin, end, which = self._judged(channel, start, stop)
            cell = event[which] * self.shape[1] + channel
            parts.append((begin + channel * self._n, end + channel * self._n, cell))
        return ChannelLooks(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    def _judged(
        self, channel: int, start: Positions, stop: Positions
    ) -> tuple[Positions, Positions, Positions]:
        """Cut stretches into those that are judged on a channel."""
        judged = self.channels.events[channel].judged
        if judged is None:
            return start, stop, np.arange(start.size)
        return judged_pieces(start, stop, judged)

    @cached_property
    def excuses(self) -> ChannelLooks:
        """The points of each event at which another one is on the channel."""
        event, start, stop = self.spans
        parts: list[tuple[int, int, int, int]] = []
        truth = self.truth
        for own, a, b in zip(event.tolist(), start.tolist(), stop.tolist(), strict=True):
            near = (truth.event != own) & (truth.start < b) & (truth.stop > a)
            for piece in np.flatnonzero(near).tolist():
                named = int(truth.channel[piece])
                for channel in range(self.shape[1]) if named < 0 else (named,):
                    begin, end = max(a, int(truth.start[piece])), min(b, int(truth.stop[piece]))
                    parts.append((own, channel, begin, end))
        table = np.array(parts, np.int64).reshape(-1, 4)
        return self._on_all(*(self._of_channel(table, c) for c in range(self.shape[1])))

    @staticmethod
    def _of_channel(table: Positions, channel: int) -> tuple[Positions, Positions, Positions]:
        event, start, stop = table[table[:, 1] == channel][:, [0, 2, 3]].T
        return event, start, stop

    def alarming(self, pooled: Flags) -> Alarming:
        """Which channels alarm during each event."""
        cells = self.shape[0] * self.shape[1]
        alarming = self.looks.any_in(pooled, cells).reshape(self.shape)
        return Alarming(self.affected, alarming, self._excused(pooled))

    def _excused(self, pooled: Flags) -> Flags:
        return self.excuses.any_in(pooled, self.shape[0] * self.shape[1]).reshape(self.shape)

    def renamed(self, pooled: Flags, orders: Positions) -> Alarming:
        """The same with the channels of the alarms renamed: an order of all channels for each."""
        found = self.alarming(pooled)
        turned = found.alarming[:, orders.T]
        excused = np.zeros(turned.shape, bool)
        if self.excuses.cell.size:
            table = pooled.reshape(self.shape[1], -1)
            for place, order in enumerate(orders):
                excused[:, :, place] = self._excused(table[order].reshape(-1))
        return Alarming(found.affected[:, :, np.newaxis], turned, excused)


class ChannelCounts(NamedTuple):
    """Channels of each event: right, false, silent."""

    right: Array
    false: Array
    silent: Array


def counts(found: Alarming) -> ChannelCounts:
    """Count the channels of each event.

    >>> affected, alarming = np.array([[True, True, False]]), np.array([[True, False, True]])
    >>> counts(Alarming(affected, alarming, np.zeros((1, 3), bool)))
    ChannelCounts(right=array([1]), false=array([1]), silent=array([1]))
    """
    right = (found.affected & found.alarming).sum(axis=1)
    silent = (found.affected & ~found.alarming).sum(axis=1)
    return ChannelCounts(right, found.false.sum(axis=1), silent)


@dataclass(frozen=True, eq=False)
class EventIds:
    """Events by their ids, of which some are asked for, beside the alarms of all channels as one.

    >>> from adjudge.data.events import Events
    >>> events = EventIds.per_channel(Events.from_labels([0, 1, 1, 0, 0, 1, 0, 0]), None)
    >>> events.tally(np.array([0, 1, 0, 1, 0, 0, 1, 0]) > 0)  # two false alarms, 2 of 5 points
    Tally(found=1, truth=2, right=0.6, flagged=3, normal=nan)
    """

    labels: Events
    """All events as one column: no alarm that touches them is false."""
    event: Positions
    """The number of the event that each stretch is of."""
    start: Positions
    stop: Positions
    asked: Flags
    """Which events are asked for."""
    truth: ChannelTruth | None = None
    """Which event is on which channel, if anybody said so."""

    @classmethod
    def per_channel(cls, events: Events, kind: str | None) -> EventIds:
        """The events of labels without ids."""
        if kind is not None:
            raise InputError(
                f"kind must be left out when events have none, got {kind!r}; give the truth as "
                "incidents with kinds, and channels=: aj.Incidents(start, end, id=..., "
                "kind=...)"
            )
        number, asked = np.arange(len(events)), np.ones(len(events), bool)
        return cls(events, number, events.starts, events.stops, asked)

    @classmethod
    def of(cls, channels: KnownChannels, kind: str | None) -> EventIds:
        """The events of several channels, or those of one kind."""
        truth = channels.truth
        if truth is None or (truth.kinds is None and kind is not None):
            return cls.per_channel(channels.joined, kind)
        asked = np.ones(len(truth), bool)
        if kind is not None:
            if kind not in truth.every_kind:
                hint = f"the events are of {', '.join(truth.every_kind)}"
                raise UnknownName("kind", kind, truth.every_kind, hint)
            asked = np.array([one == kind for one in truth.kinds or ()], bool)
        return cls(channels.joined, *EventChannels(channels).spans, asked, truth)

    def _hits(self, starts: Positions, stops: Positions) -> tuple[Flags, Positions]:
        """Which events are touched by runs, and how many runs touch each stretch."""
        first = np.searchsorted(stops, self.start, side="right")
        count = np.maximum(np.searchsorted(starts, self.stop) - first, 0)
        hit = np.zeros(len(self.asked), bool)
        hit[self.event[count > 0]] = True
        return hit & self.asked, count

    def tally(self, flags: Flags) -> Tally:
        """Events found, and runs that touch no event of any kind; less by the false time."""
        starts, stops = flagged_runs(flags, self.labels)
        found = int(np.count_nonzero(self._hits(starts, stops)[0]))
        touching = np.append(0, np.cumsum(self.labels.labels))
        false = int(np.count_nonzero(touching[stops] == touching[starts]))
        normal, wrong = (
            int(np.count_nonzero(one)) for one in (self.labels.normal, flags & self.labels.normal)
        )
        quiet = 1 - wrong / normal if normal else 1.0
        return Tally(found, int(np.count_nonzero(self.asked)), found * quiet, found + false)

    def repeats(self, flags: Flags) -> Tally:
        """Events found, and runs in a stretch of theirs after the first one."""
        starts, stops = flagged_runs(flags, self.labels)
        hit, count = self._hits(starts, stops)
        found = int(np.count_nonzero(hit))
        more = int(np.maximum(count - 1, 0)[self.asked[self.event]].sum())
        return Tally(found, int(np.count_nonzero(self.asked)), found, found + more)

    def zones(self, flags: Flags) -> Tally:
        """Affiliation recall and precision: means over events of those of their zones.

        Parameters
        ----------
        flags : array
            Of all channels as one. Stretches of an event count on each of its channels; those of
            which no point is judged are left out.
        """
        own = self.event, self.start, self.stop
        event, start, stop = own if self.truth is None else stretches(self.truth)
        entries = Zones().entries(flags, self.labels, raw)
        values = np.stack([np.full(len(self.labels), 0.5), entries.truth.credit])
        there = entries.alarms.event >= 0
        values[0, entries.alarms.event[there]] = entries.alarms.credit[there]
        zone = np.searchsorted(self.labels.stops, start, side="right")
        seen = zone < np.searchsorted(self.labels.starts, stop, side="left")
        event, zone = event[seen], zone[seen]
        mixed = np.zeros(len(self.labels), bool)
        mixed[zone[~self.asked[event]]] = True
        event, zone = event[~mixed[zone]], zone[~mixed[zone]]
        size = bincount(event, minlength=len(self.asked))
        if not event.size:
            return Tally(math.nan, 1, math.nan, 1)
        sums = (bincount(event, own[zone], len(size))[size > 0] for own in values)
        right, found = (float(np.mean(own / size[size > 0])) for own in sums)
        return Tally(found, 1, right, 1)


def stretches(truth: ChannelTruth) -> tuple[Positions, Positions, Positions]:
    """The event of each stretch on a channel, its start and its stop.

    Rows that overlap or touch are one.
    """
    group = truth.event * (int(truth.channel.max(initial=0)) + 2) + truth.channel + 1
    order = np.lexsort((truth.start, group))
    apart = group[order] * (int(truth.stop.max(initial=0)) + 2)
    reach = np.maximum.accumulate(truth.stop[order] + apart)
    begins = np.append(True, truth.start[order][1:] + apart[1:] > reach[:-1])[: len(order)]
    lasts = np.append(np.flatnonzero(begins)[1:], len(order))[: int(begins.sum())] - 1
    return truth.event[order][begins], truth.start[order][begins], reach[lasts] - apart[lasts]


def first_alarms(pooled: Flags, channels: KnownChannels) -> Floats:
    """Where the first alarm begins that overlaps an event on a channel of its own; NaN: none.

    Parameters
    ----------
    pooled, channels : array, Channels
        The flags of the channels one after the other, and their truth.
    """
    return np.asarray(np.fmin.reduce(first_alarms_by_channel(pooled, channels), axis=1))


def first_alarms_by_channel(pooled: Flags, channels: KnownChannels) -> Floats:
    """The same on each channel: a row per event, NaN on channels that it is not on.

    Parameters
    ----------
    pooled, channels : array, Channels
        The flags of the channels one after the other, and their truth.
    """
    truth, n = EventChannels(channels).truth, channels.events[0].n
    first = np.full((len(truth), len(channels.names)), np.inf)
    starts, stops = flagged_runs(pooled, channels.pooled)
    for channel in range(len(channels.names)):
        own = (truth.channel == channel) | (truth.channel < 0)
        begin, end = truth.start[own] + channel * n, truth.stop[own] + channel * n
        run = np.searchsorted(stops, begin, side="right")
        there = np.append(starts, np.iinfo(np.int64).max)[run]
        late = np.where(there < end, there - channel * n, np.inf)
        np.minimum.at(first, (truth.event[own], channel), late)
    return np.where(np.isinf(first), np.nan, first)


def covered(pooled: Flags, channels: KnownChannels) -> tuple[Floats, Floats]:
    """The share of an event's judged points that is flagged: on any channel, on each of its own.

    Parameters
    ----------
    pooled, channels : array, Channels
        The flags of the channels one after the other, and their truth.
    """
    truth, n = EventChannels(channels).truth, channels.events[0].n
    count = len(channels.names)
    any_one = np.any(pooled.reshape(count, n), axis=0)
    own: dict[tuple[int, int], list[tuple[int, int]]] = {}
    every: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for event, channel, *piece in zip(
        truth.event.tolist(), truth.channel.tolist(), truth.start.tolist(), truth.stop.tolist(),
        strict=True,
    ):  # fmt: skip
        every.setdefault((event, 0), []).append((piece[0], piece[1]))
        for one in range(count) if channel < 0 else [channel]:
            own.setdefault((event, one), []).append((piece[0], piece[1]))
    whole, by_channel = np.full(len(truth), np.nan), np.full((len(truth), count), np.nan)
    for (event, _), pieces in every.items():
        whole[event] = _share(any_one, pieces, channels.joined.judged)
    for (event, channel), pieces in own.items():
        flags, judged = pooled[channel * n : (channel + 1) * n], channels.events[channel].judged
        by_channel[event, channel] = _share(flags, pieces, judged)
    return whole, by_channel


def _share(flags: Flags, pieces: Sequence[tuple[int, int]], judged: Flags | None) -> float:
    """The share of the judged points of some pieces that is flagged; none is counted twice."""
    reached = flagged = points = 0
    for start, stop in sorted(pieces):
        begin = max(start, reached)
        if begin < stop:
            flagged += int(np.count_nonzero(flags[begin:stop]))
            points += stop - begin if judged is None else int(judged[begin:stop].sum())
            reached = stop
    return flagged / points if points else math.nan
