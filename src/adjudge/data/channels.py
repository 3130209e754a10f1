"""Channels: several columns that share their time, judged together.

A `ChannelCase` is a `Case` whose series are the channels, one after the other, so that sums over
points, events and runs are sums over channels. It also knows the channels one by one (``parts``),
all of them as one (``joined``: anomalous where any is, as high as the highest), and which channels
each event is on (``channels.truth``).

Annotators are channels too: each has labels of their own, beside the same scores.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from adjudge.checks import items
from adjudge.data.case import Case, time_of
from adjudge.data.clock import Clock
from adjudge.data.columns import check_indexes, frame_columns
from adjudge.data.events import Events
from adjudge.data.incidents import Incidents
from adjudge.data.intervals import covered, judged_pieces, repeat, runs
from adjudge.data.shared_clock import clocked
from adjudge.errors import InputError, UnknownName, shown

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

    from adjudge._typing import Array, Column, Flags, Positions

VOTES = ("each", "pooled", "majority", "any", "all")
"""How the labels of annotators are put together."""


@dataclass(frozen=True, eq=False)
class ChannelTruth:
    """Which event is on which channel, and when: a row per piece.

    Events with ids may overlap, and each may have several pieces on a channel.
    """

    event: Positions
    """The number of the event that each piece is of."""
    channel: Positions
    start: Positions
    stop: Positions
    ids: tuple[str, ...]
    """One per event."""
    kinds: tuple[str, ...] | None = None
    """The kind of each event, where it is known."""
    every_kind: tuple[str, ...] = ()
    """The kinds that there are, those of events that were left out among them."""
    severity: tuple[str, ...] | None = None
    """How bad each event is, where it is known."""
    by_id: bool = False
    """Whether incidents say what is one event; else it is a stretch without a gap."""

    def __len__(self) -> int:
        """Count the events."""
        return len(self.ids)

    def chosen(self, events: Flags) -> ChannelTruth:
        """Some of the events, numbered anew."""
        kept = events[self.event]
        number = np.cumsum(events) - 1
        kinds, severity = (
            None if told is None else tuple(np.array(told, object)[events])
            for told in (self.kinds, self.severity)
        )
        return ChannelTruth(
            number[self.event[kept]], self.channel[kept], self.start[kept], self.stop[kept],
            tuple(np.array(self.ids, object)[events]), kinds, self.every_kind, severity, self.by_id,
        )  # fmt: skip

    def on_every_channel(self, count: int) -> ChannelTruth:
        """Put pieces that name no channel on each of them, where others name theirs."""
        if not self.names_channels or (self.channel >= 0).all():
            return self
        often = np.where(self.channel < 0, count, 1)
        piece = repeat(np.arange(often.size), often)
        place = np.arange(piece.size) - repeat(np.cumsum(often) - often, often)
        channel = np.where(self.channel[piece] < 0, place, self.channel[piece])
        return replace(
            self, event=self.event[piece], channel=channel, start=self.start[piece],
            stop=self.stop[piece],
        )  # fmt: skip

    def judged_at(self, judged: Flags | None) -> ChannelTruth:
        """What is judged of the events; those of which nothing is are left out."""
        if judged is None:
            return self
        start, stop, piece = judged_pieces(self.start, self.stop, judged)
        event, channel = self.event[piece], self.channel[piece]
        seen = np.zeros(len(self), bool)
        seen[event] = True
        return replace(self, event=event, channel=channel, start=start, stop=stop).chosen(seen)

    @property
    def names_channels(self) -> bool:
        """Whether anybody said on which channel an event is; one that names none is on all."""
        return not self.channel.size or bool((self.channel >= 0).any())


class Subsystem(NamedTuple):
    """A group of channels."""

    name: str
    members: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class KnownChannels:
    """What is known of the channels before any score: names, truth of each, groups."""

    names: tuple[str, ...]
    events: tuple[Events, ...]
    """The truth of each channel; the same for all where nobody said which channel."""
    truth: ChannelTruth | None
    """Which event is on which channel; None where labels are one column for all."""
    subsystems: tuple[Subsystem, ...] = ()
    labelled: tuple[Events, ...] | None = None
    """The truth of each channel before points without a score were left out; None: the same. All
    channels as one are anomalous there too, as long as another channel has a score."""

    @property
    def named(self) -> bool:
        """Whether it is known on which channel each event is."""
        truth = self.truth
        return truth is not None and (truth.names_channels or len(self.names) == 1)

    @cached_property
    def joined(self) -> Events:
        """The truth of all channels as one: anomalous where any channel is."""
        first = self.events[0]
        if all(events is first for events in self.events):
            return first
        labels = np.any([events.labels for events in self.labelled or self.events], axis=0)
        judged = None
        if any(events.judged is not None for events in self.events):
            judged = np.any([events.judged_flags for events in self.events], axis=0)
            labels &= judged
        starts, stops = runs(labels, first.series_bounds[:-1])
        return replace(first, starts=starts, stops=stops, judged=judged, severity=None)

    @cached_property
    def pooled(self) -> Events:
        """The channels one after the other, each a series (or as many as there are)."""
        first, count = self.events[0], len(self.events)
        n, bounds = first.n, first.series_bounds
        judged = None
        if any(events.judged is not None for events in self.events):
            judged = np.concatenate([events.judged_flags for events in self.events])
        moved = [bounds[:-1] + n * place for place in range(count)]
        clock = first.clock
        if clock is not None:
            clock = Clock(np.tile(clock.instants, count), clock.zone)
        return Events(
            np.concatenate([e.starts + n * place for place, e in enumerate(self.events)]),
            np.concatenate([e.stops + n * place for place, e in enumerate(self.events)]),
            n * count,
            bounds=np.append(np.concatenate(moved), n * count),
            judged=judged,
            names=np.array([f"{name}{own}" for name in self.names for own in _series(first)]),
            clock=clock,
            clocks=np.tile(first.series_clocks, count),
            gaps=None
            if first.gaps is None
            else np.concatenate([first.gaps + n * place for place in range(count)]),
        )

    def scored(self, events: tuple[Events, ...]) -> KnownChannels:
        """The same without the points that have no score, each channel by itself.

        All channels as one are judged where any has a score: so are events.
        """
        if all(own is before for own, before in zip(events, self.events, strict=True)):
            return self
        found = replace(self, events=events, labelled=self.events)
        judged = found.joined.judged
        if self.truth is None or judged is None or judged.all():
            return found
        if self.truth.by_id:
            return replace(found, truth=self.truth.judged_at(judged))
        return replace(found, truth=truth_of([e.within(where=judged) for e in self.events]))

    @property
    def skipped(self) -> tuple[int, int]:
        """How many points have no score: on no channel, and on each channel, added up."""
        if self.labelled is None:
            return 0, 0
        before, now = (
            np.array([e.judged_flags for e in own]) for own in (self.labelled, self.events)
        )
        as_one = int(before.any(axis=0).sum()) - int(now.any(axis=0).sum())
        return as_one, int(before.sum()) - int(now.sum())

    def within(self, where: Flags) -> KnownChannels:
        """The same with fewer points judged, at the same times on all channels."""
        events = tuple(e.within(where=where) for e in self.events)
        labelled = self.labelled and tuple(e.within(where=where) for e in self.labelled)
        truth = self.truth
        if truth is not None:
            before = np.append(0, np.cumsum(where))
            seen = np.zeros(len(truth), bool)
            np.logical_or.at(seen, truth.event, before[truth.stop] > before[truth.start])
            truth = truth.chosen(seen)
        return replace(self, events=events, truth=truth, labelled=labelled)


def _series(events: Events) -> list[str]:
    if events.series_count == 1:
        return [""]
    names = range(events.series_count) if events.names is None else events.names.tolist()
    return [f", {name}" for name in names]


class ChannelCase(Case):
    """Several channels of labels and scores that share their time.

    >>> labels, scores = np.array([[0, 0], [1, 0], [0, 1]]), np.array([[1, 5], [7, 2], [3, 9]])
    >>> (case,) = channel_cases(labels, scores, ["temp", "flow"])
    >>> case.joined.scores, case.parts[1].scores
    (array([5., 7., 9.]), array([5., 2., 9.]))
    """

    channels: KnownChannels  # type: ignore[misc]  # of a case of points it is None

    @classmethod
    def of(cls, channels: KnownChannels, parts: Sequence[Case], name: str) -> ChannelCase:
        """Put the cases of single channels together."""
        given = np.concatenate([part.given for part in parts])
        raw = None
        if channels.pooled.judged is not None:
            raw = np.concatenate([part.unmasked for part in parts])
        is_flags = all(part.is_flags for part in parts)
        return cls.held(channels.pooled, given, name, raw, is_flags=is_flags).known_as(channels)

    def known_as(self, channels: KnownChannels) -> Self:
        """The same case, with what is known of its channels."""
        self.__dict__["channels"] = channels
        return self

    def reordered(self, given: Array) -> ChannelCase:
        """The same channels with their scores in another order."""
        own = self.held(self.events, given, self.name, is_flags=self.is_flags)
        return own.known_as(self.channels)

    @property
    def truth(self) -> Events:
        """The events of all channels as one: what is on several channels is one event."""
        return self.channels.joined

    def edges(self, cuts: Positions) -> Positions:
        """The same cuts on every channel."""
        count, n = len(self.channels.names), self.truth.n
        firsts = np.add.outer(np.arange(count, dtype=np.int64) * n, cuts[:-1])
        return np.append(firsts.ravel(), count * n)

    def common(self, other: ChannelCase) -> tuple[ChannelCase, ChannelCase]:  # type: ignore[override]
        """Both on the points at which any channel of each is judged."""
        judged = [one for case in (self, other) if (one := case.truth.judged) is not None]
        if not judged:
            return self, other
        both = judged[0] & judged[-1]
        return self.within(both), other.within(both)

    def within(self, where: Flags) -> ChannelCase:
        """The same with fewer points judged, at the same times on all channels."""
        channels = self.channels.within(where)
        parts = [
            Case(events, part.unmasked, name=self.name)
            for events, part in zip(channels.events, self.parts, strict=True)
        ]
        return ChannelCase.of(channels, parts, self.name)

    def with_scores(self, given: Array) -> ChannelCase:
        """The same channels with other scores, in a new array that they take over."""
        is_flags = given.dtype.kind == "b"
        own = self.held(self.events, given.view(), self.name, is_flags=is_flags)
        return own.known_as(self.channels)

    @cached_property
    def parts(self) -> tuple[Case, ...]:
        """The channels one by one."""
        n, found = self.channels.events[0].n, []
        for place, events in enumerate(self.channels.events):
            own = slice(place * n, (place + 1) * n)
            raw, given = None if self.events.judged is None else self.unmasked[own], self.given[own]
            found.append(Case.held(events, given.view(), self.name, raw, is_flags=self.is_flags))
        return tuple(found)

    @cached_property
    def joined(self) -> Case:
        """All channels as one: anomalous where any is, with the highest score."""
        table = self._table(self.given)
        highest: Array = np.asarray(table.any(axis=0) if table.dtype == bool else table.max(axis=0))
        return Case.held(self.channels.joined, highest, self.name, is_flags=self.is_flags)

    def _table(self, pooled: Array) -> Array:
        """A row per channel; what is not judged is lower than all else."""
        judged = self.events.judged
        if judged is not None and pooled.dtype.kind != "f":
            pooled = pooled & judged if pooled.dtype == bool else np.where(judged, pooled, -np.inf)
        return pooled.reshape(len(self.channels.names), -1)

    @property
    def loudest(self) -> tuple[str, float]:
        """The channel that most often has the highest score of all, alone, and how often."""
        table = self._table(self.scores)
        high = table == table.max(axis=0)
        alone = high[:, np.count_nonzero(high, axis=0) == 1]
        shares = alone.mean(axis=1) if alone.size else np.zeros(len(table))
        place = int(np.argmax(shares))
        return self.channels.names[place], float(shares[place])


class ChannelReading(NamedTuple):
    """How labels and scores of channels are to be read; see `adjudge.Case`."""

    series: Column = None
    where: Column = None
    time: Column = None
    positive: object = None
    missing: str = "refuse"
    clock: str = "auto"


_PLAIN = ChannelReading()
_BLOCK = 4096
"""Points of a table that are turned at a time."""


def channel_cases(
    labels: Column,
    scores: Column,
    channels: Any,
    subsystem: Any = None,
    how: ChannelReading = _PLAIN,
) -> list[ChannelCase]:
    """Read the channels of each detector.

    Parameters
    ----------
    labels : table, column, Events or Incidents
        A column per channel (by place in an array, by name in a mapping or a data frame); one
        column for all: nobody said which channel; or incidents that name their channel.
    scores : table, or a dict of tables
        A column per channel, of one detector or of several by name.
    channels : sequence of str, or True
        The names; True: those of the columns.
    subsystem : mapping, optional
        Names of groups to their channels, or of channels to their group.
    how : ChannelReading
        Series, judged points, time, coding, and what to do with missing scores.
    """
    names = channel_names(channels, scores)
    tables = detector_tables(scores, names)
    first = next(iter(tables.values()))
    how = how._replace(time=time_of(how.time, first[0], any_column(labels), how.series))
    check_indexes(labels=any_column(labels), **_first_columns(tables))
    known = truth_table(labels, names, len(first[0]), how)
    groups = subsystems(subsystem, names)
    found = []
    for name, table in tables.items():
        for place, one in enumerate(table):
            _refuse_silent(one, names[place])
        parts = [
            _named(names[place], Case, truth, one, missing=how.missing, name=name)
            for place, (truth, one) in enumerate(zip(known.events, table, strict=True))
        ]
        own = tuple(part.events for part in parts)
        channels_of = replace(known.scored(own), subsystems=groups)
        found.append(ChannelCase.of(channels_of, parts, name))
    return found


def _first_columns(tables: Mapping[str, list[Column]]) -> dict[str, Column]:
    """A column of each detector, by what an error calls it; columns of one have one index."""
    if len(tables) == 1:
        return {"scores": next(iter(tables.values()))[0]}
    return {f"scores[{name!r}]": column for name, (column, *_) in tables.items()}


Word = Literal["channel", "annotator"]


def channel_names(channels: Any, columns_of: Column, word: Word = "channel") -> tuple[str, ...]:
    """The names of the channels (or annotators), each once."""
    several = f"{word}s"
    if channels is True:
        columns = frame_columns(columns_of)
        if columns is not None and columns and all(_is_table(one) for one in columns.values()):
            columns = frame_columns(next(iter(columns.values())))
        if not columns:
            what = "scores" if word == "channel" else "labels"
            raise InputError(
                f"{several}=True uses the column names of {what}, got {what} without names; "
                f"write {several}=[...]"
            )
        return tuple(columns)
    if isinstance(channels, str):
        raise InputError(f"{several} must be a list of names, got {shown(channels)}")
    names = tuple(str(name) for name in items(channels, several, "names"))
    if not names:
        raise InputError(f"{several} must name at least one {word}, got none")
    for place, name in enumerate(names):
        if name in names[:place]:
            raise InputError(f"{several} must have different names, got {name!r} twice")
    return names


def detector_tables(scores: Column, names: tuple[str, ...]) -> dict[str, list[Column]]:
    """The columns of each detector, in the order of the channels."""
    columns = frame_columns(scores)
    if columns is not None:
        tables = {name: one for name, one in columns.items() if _is_table(one)}
        if tables and len(tables) == len(columns):
            return {name: _columns(one, names, f"scores[{name!r}]") for name, one in tables.items()}
    return {"detector": _columns(scores, names, "scores")}


def _is_table(values: Any) -> bool:
    if frame_columns(values) is not None:
        return True
    return getattr(values, "ndim", 1) == 2 or (
        isinstance(values, (list, tuple))
        and len(values) > 0
        and isinstance(values[0], (list, tuple))
    )


def _columns(
    values: Any, names: tuple[str, ...], what: str, word: Word = "channel"
) -> list[Column]:
    """One column per channel: by name where there are names, else by place."""
    columns = frame_columns(values)
    if columns is not None:
        for name in columns:
            if name not in names:
                raise UnknownName(word, name, names, f"{what} has it, {word}s= does not")
        for name in names:
            if name not in columns:
                raise InputError(
                    f"{what} must have a column for each {word}, got none for {name!r}; add it, or "
                    f"leave {name!r} out of {word}s="
                )
        check_indexes(**{f"{what}[{name!r}]": columns[name] for name in names})
        return [columns[name] for name in names]
    array = np.asarray(values)
    if array.ndim == 1 and len(names) == 1:
        array = array[:, np.newaxis]
    if array.ndim != 2 or array.shape[1] != len(names):
        raise InputError(
            f"{what} must have a column for each of the {len(names)} {word}s, got shape "
            f"{array.shape}; points are rows, {word}s are columns"
        )
    return list(_turned(array))


def _turned(table: Array) -> Array:
    """The columns of a table as rows, block by block: a column by itself is read across memory."""
    found = np.empty(table.shape[::-1], table.dtype)
    for start in range(0, len(table), _BLOCK):
        found[:, start : start + _BLOCK] = table[start : start + _BLOCK].T
    return found


def any_column(labels: Column) -> Column:
    """The labels, or a column of theirs: what carries their index."""
    columns = frame_columns(labels)
    return next(iter(columns.values()), None) if columns else labels


def _named(channel: str, make: Any, *args: Any, **options: Any) -> Any:
    """Call something about one channel; what it refuses is refused with the channel's name."""
    try:
        return make(*args, **options)
    except InputError as error:
        raise InputError(f"channel {channel!r}: {error}") from None


def _refuse_silent(given: Column, name: str) -> None:
    """A channel of gaps alone would be judged as one that never alarms."""
    scores = np.asarray(given)
    if scores.dtype.kind == "f" and scores.size and not (scores > -np.inf).any():
        raise InputError(
            f"channel {name!r} must have scores, got none in {len(scores):,} points; leave it out "
            "of channels"
        )


def truth_table(
    labels: Column,
    names: tuple[str, ...],
    n: int,
    how: ChannelReading,
    by: Word = "channel",
) -> KnownChannels:
    """Read the truth of all channels (or annotators): a table, one column for all, or incidents."""
    if isinstance(labels, Incidents):
        return _of_incidents(labels, names, n, how, by)
    if isinstance(labels, Events) or not _is_table(labels):
        if by == "annotator":
            raise InputError(
                f"labels must have a column for each of the {len(names)} annotators, got one for "
                "all"
            )
        same = _events(labels, how)
        truth = truth_of((same,)) if len(names) == 1 else None
        return KnownChannels(names, (same,) * len(names), truth)
    columns = _columns(labels, names, "labels", by)
    for name, one in zip(names, columns, strict=True):
        if len(one) != n:
            raise InputError(
                f"{by} {name!r}: labels and scores must be equally long, got {len(one)} and {n} "
                "points"
            )
    events = tuple(
        _named(name, _events, one, how) for name, one in zip(names, columns, strict=True)
    )
    return KnownChannels(names, events, truth_of(events))


def _events(labels: Column, how: ChannelReading) -> Events:
    """The truth of one channel; a point without a label is not judged on it."""
    column = np.asarray(labels) if not isinstance(labels, Events) else labels
    where = how.where
    if not isinstance(column, Events) and column.dtype.kind == "f" and np.isnan(column).any():
        known = ~np.isnan(column)
        where = known if where is None else known & np.asarray(where, bool)
    size = column.n if isinstance(column, Events) else len(column)
    reading = {"series": how.series, "where": where, "time": how.time}
    events = Case(labels, np.zeros(size), positive=how.positive, **reading).events
    return clocked(events, how.clock)


def truth_of(events: Sequence[Events]) -> ChannelTruth:
    """Events without ids: stretches in which any channel is anomalous."""
    joined = KnownChannels(tuple(map(str, range(len(events)))), tuple(events), None).joined
    event = [np.searchsorted(joined.starts, e.starts, side="right") - 1 for e in events]
    channel = repeat(np.arange(len(events)), [len(e) for e in events])
    return ChannelTruth(
        np.concatenate(event), channel, np.concatenate([e.starts for e in events]),
        np.concatenate([e.stops for e in events]), tuple(str(i + 1) for i in range(len(joined))),
    )  # fmt: skip


def _of_incidents(
    rows: Incidents, names: tuple[str, ...], n: int, how: ChannelReading, by: str
) -> KnownChannels:
    """The truth of incidents that name their channel; one without a channel is on all."""
    if how.series is not None:
        raise InputError("series must be left out when labels are incidents on channels")
    whole = Case(np.zeros(n), np.zeros(n), where=how.where, time=how.time).events
    start, stop = _as_points(rows, whole)
    channel = np.full(len(rows), -1)
    named = getattr(rows, by)
    if named is not None:
        for place, name in enumerate(named.tolist()):
            if not name and by == "channel":
                continue
            if name not in names:
                raise UnknownName(by, name, names, f"row {place + 1} of the incidents")
            channel[place] = names.index(name)
    events = tuple(
        whole if not own.any() else _from_pieces(start[own], stop[own], whole)
        for own in ((channel == place) | (channel < 0) for place in range(len(names)))
    )
    number = rows.numbers
    first = np.unique(number, return_index=True)[1]
    kinds, severity = (_one_each(rows, about, first, number) for about in ("kind", "severity"))
    ids = tuple(str(one) for one in rows.id[first])
    every = tuple(dict.fromkeys(kinds or ()))
    truth = ChannelTruth(number, channel, start, stop, ids, kinds, every, severity, by_id=True)
    return KnownChannels(names, events, truth.on_every_channel(len(names)).judged_at(whole.judged))


def _one_each(
    rows: Incidents, about: Literal["kind", "severity"], first: Positions, number: Positions
) -> tuple[str, ...] | None:
    """What the pieces of each event say alike; None where they say nothing."""
    said = getattr(rows, about)
    if said is None:
        return None
    other = np.flatnonzero(said != said[first][number])
    if other.size:
        row = int(other[0])
        one = int(first[number[row]])
        raise InputError(
            f"incidents must have one {about} for each id, got {said[one]!r} and {said[row]!r} of "
            f"id {rows.id[row]!r} in rows {one + 1} and {row + 1}"
        )
    return tuple(said[first].tolist())


def _from_pieces(start: Positions, stop: Positions, whole: Events) -> Events:
    inside = covered(start, stop, whole.n)
    if whole.judged is not None:
        inside &= whole.judged
    starts, stops = runs(inside, whole.series_bounds[:-1])
    return replace(whole, starts=starts, stops=stops)


def _as_points(rows: Incidents, whole: Events) -> tuple[Positions, Positions]:
    """From which point to which each piece lasts."""
    if rows.is_in_points or not len(rows):
        start, stop = rows.start, rows.until(whole.n)
        outside = np.flatnonzero((start < 0) | (stop > whole.n))
        if outside.size:
            row = int(outside[0])
            raise InputError(
                f"incidents must lie within the {whole.n} points, got {start[row]} to {stop[row]} "
                f"in row {row + 1}"
            )
        return start, stop
    if whole.clock is None:
        raise InputError("time must be given when incidents have times: one per point")
    instants = whole.clock.instants
    start = np.searchsorted(instants, rows.start)
    stop = np.searchsorted(instants, rows.until(int(instants[-1]) + 1))
    empty = np.flatnonzero(stop <= start)
    if empty.size:
        row = int(empty[0])
        raise InputError(
            f"incidents must cover at least one point, got none in row {row + 1}, from "
            f"{rows.instant_text(rows.start[row])} to {rows.instant_text(rows.end[row])}"
        )
    return start, stop


def subsystems(given: Any, names: tuple[str, ...]) -> tuple[Subsystem, ...]:
    """Read groups of channels: names of groups to channels, or of channels to their group.

    >>> subsystems({"thermal": ["temp", "flow"], "power": ["amps"]}, ("temp", "flow", "amps"))
    (Subsystem(name='thermal', members=(0, 1)), Subsystem(name='power', members=(2,)))
    """
    if given is None:
        return ()
    if not isinstance(given, Mapping):
        raise InputError(
            "subsystem must be a dict of groups to their channels, or of channels to their group, "
            f"got {shown(given)}"
        )
    groups: dict[str, list[str]] = {}
    for key, value in given.items():
        if isinstance(value, str):
            groups.setdefault(value, []).append(str(key))
        else:
            groups.setdefault(str(key), []).extend(str(one) for one in value)
    seen: dict[str, str] = {}
    for group, members in groups.items():
        for member in members:
            if member not in names:
                raise UnknownName("channel", member, names, f"subsystem {group!r} names it")
            if member in seen:
                both = f"{seen[member]!r} and {group!r}"
                raise InputError(f"subsystem must have each channel once, got {member!r} in {both}")
            seen[member] = group
    missing = [name for name in names if name not in seen]
    if missing:
        raise InputError(f"subsystem must have every channel, got none for {missing[0]!r}")
    return tuple(Subsystem(g, tuple(names.index(m) for m in ms)) for g, ms in groups.items())
