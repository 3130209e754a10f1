"""Entries: the two sides of a score, row by row.

Truth rows are events, alarm rows are what was flagged; each has a weight and a credit. The sums of
the four columns are the masses of the tally, so recall is the weighted mean of credit on the
truth side, and precision the same on the alarm side. A ledger is the receipt of a score.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.count.tally import Tally
from adjudge.data.events import Events
from adjudge.data.intervals import (
    bincount,
    covered,
    first_and_count,
    overlaps,
    reduce_over,
    repeat,
    runs,
    stretches,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge._typing import Array, Flags, Floats, Positions

FOUND, TRUTH, RIGHT, FLAGGED, NORMAL = range(5)
"""The columns of masses."""
FALSE, QUIET = -1, -2
"""What the event of a false alarm, and of a stretch of normal time, is."""


@dataclass(frozen=True, eq=False)
class TruthRows:
    """One row per event: what it was worth and what it earned."""

    start: Positions
    stop: Positions
    found: Flags
    """Whether the metric counts the event as found: also by an alarm beside it, or not by a late
    one, if that is its rule."""
    covered: Array
    """Share of the event's points that were flagged, before any adjustment."""
    delay: Array
    """Points from the event's start to its first flag; NaN when none of its points is flagged."""
    weight: Array
    credit: Array


@dataclass(frozen=True, eq=False)
class AlarmRows:
    """The alarm side, row by row: what was flagged and how much of that was right.

    A row is an alarm (a flagged run), or a part of alarms where the metric counts parts: all that
    was flagged on account of one event (``event`` is then its number), and each stretch outside
    the events (-1).
    """

    start: Positions
    stop: Positions
    event: Positions
    island_start: Positions
    """Where the stretch that it is charged with begins."""
    island_stop: Positions
    weight: Array
    credit: Array

    @property
    def cost(self) -> Array:
        """What was flagged wrongly."""
        return self.weight - self.credit

    @property
    def with_cost(self) -> list[dict[str, Any]]:
        """The rows as plain dictionaries, each with its cost."""
        rows = zip(as_dicts(self), self.cost.tolist(), strict=True)
        return [row | {"cost": cost} for row, cost in rows]

    @classmethod
    def of_runs(
        cls, starts: Positions, stops: Positions, event: Positions, weight: Array, credit: Array
    ) -> AlarmRows:
        """One row per flagged run, charged with just that run."""
        return cls(starts, stops, event, starts, stops, weight, credit)

    def chosen(self, which: Positions) -> AlarmRows:
        """The rows of these numbers, in this order."""
        return AlarmRows(**{name: column[which] for name, column in vars(self).items()})


@dataclass(frozen=True, eq=False)
class Alarms:
    """The alarms themselves, by one definition for every metric: maximal runs of flagged points."""

    start: Positions
    stop: Positions
    event: Positions
    """The first event that the alarm touches; -1 where it touches none."""
    false: Flags
    """Whether nothing of the alarm is right."""


def no_alarms() -> AlarmRows:
    """An alarm side without rows, for scores that only ask about the truth."""
    none = np.zeros(0, np.int64)
    return AlarmRows(*(none,) * 5, weight=none, credit=none)


@dataclass(frozen=True, eq=False)
class Entries:
    """Truth rows and alarm rows of one threshold, which sum to the masses of a score."""

    truth: TruthRows
    alarms: AlarmRows = field(default_factory=no_alarms)
    normal: float = np.nan
    everywhere: bool = False
    """Whether normal time is all that was judged, events too."""

    @property
    def tally(self) -> Tally:
        """The masses, as the sums of the columns."""
        truth, alarms = self.truth, self.alarms
        columns = truth.credit, truth.weight, alarms.credit, alarms.weight
        found, all_truth, right, flagged = (column.sum().item() for column in columns)
        return Tally(found, all_truth, right, flagged, self.normal)


@dataclass(frozen=True, eq=False)
class Ledger:
    """One row per event, per false alarm, and per stretch of normal time.

    An event, with all that was flagged on its account, lies where it starts, a false alarm where it
    starts; only normal time is divided, by its length, or all time where a counting takes all as
    normal. So the parts of a ledger, be it by line, by unit of evidence or by block of time, add up
    to the whole.

    Attributes
    ----------
    line : Positions
        The number of the series, service or channel.
    start : Positions
        Where the row begins on that line: a point, or a nanosecond of watched time.
    event : Positions
        The number of its event, in the order of lines and starts; `FALSE` or `QUIET`.
    masses : Floats
        A line per row: found, truth, right, flagged and normal; a mass that is not known is
        NaN.
    points : Events or None
        The events on points that these are rows of; None: lines have no points.

    Examples
    --------
    >>> events = Events.from_labels([0, 0, 1, 1, 0, 0])
    >>> rows = AlarmRows.of_runs(*np.array([[0, 3], [1, 4], [-1, 0], [1, 1], [0, 1]]))
    >>> found = truth_rows(np.array([1, 0, 0, 1, 0, 0]) > 0, events, np.ones(1), np.ones(1))
    >>> ledger = Ledger.of_points(Entries(found, rows, 4), events)
    >>> ledger.sum().tolist(), ledger.blocks([0, 3, 6]).tolist()
    ([1.0, 1.0, 1.0, 2.0, 4.0], [[1.0, 1.0, 1.0, 2.0, 2.0], [0.0, 0.0, 0.0, 0.0, 2.0]])
    """

    line: Positions
    start: Positions
    stop: Positions
    event: Positions
    masses: Floats
    points: Events | None = None

    @classmethod
    def of(
        cls,
        *parts: tuple[Any, Positions, Positions, Any, Floats],
        points: Events | None = None,
    ) -> Ledger:
        """Put rows of several kinds together; a line or an event may be one for all rows."""
        none = np.zeros(0, np.int64)
        parts = ((none, none, none, none, np.zeros((0, 5))), *parts)
        line, event = (
            np.concatenate([np.broadcast_to(part[k], len(part[1])) for part in parts])
            for k in (0, 3)
        )
        start, stop, masses = (np.concatenate([part[k] for part in parts]) for k in (1, 2, 4))
        return cls(line, start, stop, event, masses, points)

    @classmethod
    def of_points(cls, entries: Entries, events: Events) -> Ledger:
        """Sum the entries of points by event.

        An alarm that touches several events is split among them in equal parts; one that touches
        none is that of the event that the entries name.
        """
        truth, alarms = entries.truth, entries.alarms
        mass = np.zeros((len(alarms.start), 5))
        mass[:, RIGHT], mass[:, FLAGGED] = alarms.credit, alarms.weight
        run, event, _ = overlaps(alarms.start, alarms.stop, events.starts, events.stops)
        touched = bincount(run, minlength=len(mass))
        free = touched == 0
        named = (free & (alarms.event >= 0)).nonzero()[0]
        owner, source = np.concatenate([event, alarms.event[named]]), np.concatenate([run, named])
        part = mass[source] / np.maximum(touched[source], 1)[:, np.newaxis]
        table = summed_rows(owner, part, len(truth.start))
        table[:, FOUND], table[:, TRUTH] = truth.credit, truth.weight
        alone = (free & (alarms.event < 0)).nonzero()[0]
        quiet, ends = events.pieces if entries.everywhere else events.quiet
        own = np.zeros((len(quiet), 5))
        own[:, NORMAL] = entries.normal * (ends - quiet) / max(int((ends - quiet).sum()), 1)
        start = np.concatenate([truth.start, alarms.start[alone], quiet])
        stop = np.concatenate([truth.stop, alarms.stop[alone], ends])
        line = np.searchsorted(events.whole_series, start, side="right") - 1
        first = events.whole_series[line]
        kinds = [len(table), len(alone), len(quiet)]
        event = repeat(np.array([0, FALSE, QUIET]), kinds)
        event[: len(table)] = np.arange(len(table))
        masses = np.concatenate([table, mass[alone], own])
        return cls(line, start - first, stop - first, event, masses, events)

    @classmethod
    def of_lines(cls, each: Sequence[Ledger], truth: Events) -> Ledger:
        """Put lines that share their time together: one after the other, as many times its series.

        Parameters
        ----------
        each, truth : sequence of Ledger, Events
            The rows of each line by itself, and the truth, whose series each of them has.
        """
        first, parts = 0, []
        for number, own in enumerate(each):
            event = np.where(own.event >= 0, own.event + first, own.event)
            line = own.line + number * truth.series_count
            parts.append((line, own.start, own.stop, event, own.masses))
            first += int((own.event >= 0).sum())
        return cls.of(*parts)

    @property
    def truth(self) -> Events:
        """Its events; where lines have no points, one for each event, and for what is around."""
        if self.points is not None:
            return self.points
        own = np.zeros(1, np.int64)
        if len(self.line):
            own = bincount(self.line, self.event >= 0)[np.unique(self.line)].astype(np.int64)
        bounds = np.append(0, np.cumsum(2 * own + 1))
        starts = 2 * np.arange(own.sum(), dtype=np.int64) + repeat(np.arange(len(own)), own) + 1
        return Events(starts, starts + 1, int(bounds[-1]), bounds=bounds, fixed_series=True)

    def chosen(self, which: Flags) -> Ledger:
        """Some of the rows, as those of lines without points."""
        start, stop = self.start[which], self.stop[which]
        return Ledger(self.line[which], start, stop, self.event[which], self.masses[which])

    def rows(self, event: int | None = None) -> Floats:
        """The masses of all events, or of all rows of another kind."""
        return self.masses[self.event >= 0 if event is None else self.event == event]

    def sum(self, by: Positions | None = None, count: int = 1) -> Floats:
        """The masses of all rows, (5,); or those of each key, (count, 5)."""
        if by is None:
            return np.asarray(self.masses.sum(axis=0))
        sums = summed_rows(by, self.masses, count)
        sums[:, NORMAL] += 0 * self.masses[:, NORMAL].sum()  # what is not known is so of every key
        return sums

    def blocks(self, edges: Any, copies: int = 1) -> Floats:
        """The masses between edges, (blocks, 5); the first and the last block are open outwards.

        Parameters
        ----------
        edges : array of int
            Ascending places, the same on every line; or a row of as many for each line.
        copies : int
            So many copies of all lines stand one behind the other, edges are those of the lines of
            one copy; then (copies, blocks, 5).
        """
        cuts = np.atleast_2d(edges)[:, 1:-1]
        rows, block = self.divided(cuts)
        count = cuts.shape[1] + 1
        if copies == 1:
            return rows.sum(block, count)
        copy = rows.line // len(cuts)
        return rows.sum(copy * count + block, copies * count).reshape(copies, count, 5)

    def divided(self, cuts: Positions) -> tuple[Ledger, Positions]:
        """The rows, normal time divided at cuts, and the number of the block of each.

        Parameters
        ----------
        cuts : array of int
            Ascending places of each line; fewer rows than there are lines begin again.
        """
        home = self.line % len(cuts)
        first = block_of(home, self.start, cuts)
        last = np.where(self.event == QUIET, block_of(home, self.stop - 1, cuts), first)
        if not np.any(last > first):
            return self, first
        row = repeat(np.arange(len(first)), last - first + 1)
        block = stretches(first, last - first + 1)
        low, high = (cuts[home[row], np.clip(block - k, 0, cuts.shape[1] - 1)] for k in (1, 0))
        start = np.where(block > first[row], low, self.start[row])
        stop = np.where(block < last[row], high, self.stop[row])
        masses = self.masses[row]
        whole = np.maximum(self.stop - self.start, 1)[row]
        masses[:, NORMAL] *= np.where((last > first)[row], (stop - start) / whole, 1.0)
        return Ledger(self.line[row], start, stop, self.event[row], masses), block

    def units(self, kind: str = "event") -> tuple[Positions, int]:
        """The unit of evidence of each row, and how many there are.

        That is its event, or the next one on its line, after the last one the last; a line without
        events is a unit of its own. Of any other kind the line is the unit.
        """
        key = self.line
        if kind == "event":
            _, rank = np.unique(self.start, return_inverse=True)
            size, own = rank.size + 1, np.flatnonzero(self.event >= 0)
            place = self.line * size + rank
            own = own[np.argsort(place[own], kind="stable")]
            first, last = (np.searchsorted(place[own], side * size) for side in (key, key + 1))
            before = place - (self.event == QUIET)  # time that begins with an event is of this one
            after = np.searchsorted(place[own], before, side="right")
            near = np.append(self.event[own], -1)[
                np.clip(after, first, np.maximum(last - 1, first))
            ]
            beyond = (
                self.event.max(initial=-1) + 1
            )  # in a part events keep the numbers of the whole
            key = np.where(first == last, beyond + self.line, near)
            key[own] = self.event[own]
        found, unit = np.unique(key, return_inverse=True)
        return unit, len(found)


def block_of(line: Positions, start: Positions, cuts: Positions) -> Positions:
    """The number of the block in which each place of a line lies; ascending cuts part each line.

    >>> block_of(np.array([0, 0, 1]), np.array([2, 3, 3]), np.array([[3, 5], [1, 2]]))
    array([0, 1, 2])
    """
    if len(cuts) == 1:
        return np.asarray(np.searchsorted(cuts[0], start, side="right"))
    many = len(start)
    values, rank = np.unique(np.append(start, cuts), return_inverse=True)
    lines, each = cuts.shape
    size = len(values) + 1  # ranks, as instants of many lines would be too large
    ends = (np.arange(lines, dtype=np.int64)[:, np.newaxis] * size).ravel()
    key = repeat(ends, np.full(lines, each)) + rank[many:]
    place = np.searchsorted(key, line * size + rank[:many], side="right")
    return np.asarray(place - line * each)


def summed_rows(key: Positions, rows: Floats, count: int) -> Floats:
    """Sum the rows of each key, all columns in one go.

    >>> summed_rows(np.array([1, 0, 1]), np.array([[1.0, 2.0], [5.0, 0.0], [3.0, 1.0]]), 2)
    array([[5., 0.],
           [4., 3.]])
    """
    columns = rows.shape[1]
    cell = key[:, np.newaxis] * columns + np.arange(columns)
    sums = bincount(cell.ravel(), rows.ravel(), count * columns)
    return sums.astype(np.float64, copy=False).reshape(count, columns)


def truth_rows(
    flags: Flags, events: Events, weight: Array, credit: Array, found: Flags | None = None
) -> TruthRows:
    """Rows that say of each event how it was found, beside what it earned.

    An event is found when a point of it is flagged, unless the counting has a rule of its own.
    """
    hits = events.sum(flags)
    first = np.full(len(events), np.nan)
    where_hit = np.flatnonzero(flags & events.labels)
    owner = np.searchsorted(events.starts, where_hit, side="right") - 1
    first[owner[::-1]] = where_hit[::-1]  # the earliest is written last
    return TruthRows(
        events.starts, events.stops, hits > 0 if found is None else found, hits / events.widths,
        first - events.starts, weight, credit,
    )  # fmt: skip


def flagged_runs(flags: Flags, events: Events) -> tuple[Positions, Positions]:
    """Starts and stops of the runs of flags, each within one series."""
    flags = flags if flags.dtype == bool else flags > 0
    return runs(flags, events.series_bounds[:-1])


def alarm_positions(flags: Array, events: Events) -> Positions:
    """Where the alarms begin: each run of flags is one; counts say how many stand at a point.

    >>> events = Events.from_labels([0, 0, 0, 0])
    >>> alarm_positions(np.array([True, True, False, True]), events)
    array([0, 3])
    >>> alarm_positions(np.array([1, 2, 0, 1]), events)
    array([0, 1, 1, 3])
    """
    if flags.dtype == bool:
        return flagged_runs(flags, events)[0]
    places = np.flatnonzero(flags)
    return repeat(places, flags[places])


def alarms_of(flags: Flags, events: Events, rows: AlarmRows, *, tells_false: bool) -> Alarms:
    """Find the alarms, and which are false: those of which no part touches an event.

    A metric that judges alarms in its own way, as with tolerance, has the last word: there an alarm
    is false when all of it stands in rows without an event and without credit.
    """
    starts, stops = flagged_runs(flags, events)
    event = first_touched(starts, stops, events)
    false = event < 0
    if tells_false and rows.start.size:
        for_nothing = (rows.event < 0) & (rows.credit <= 0)
        charged = covered(rows.start[for_nothing], rows.stop[for_nothing], events.n)
        false = reduce_over(np.logical_and, charged, starts, stops)
    return Alarms(starts, stops, event, false)


def marks_of(flags: Array, events: Events, rows: AlarmRows, *, tells_false: bool) -> Alarms:
    """The alarms of a metric of positions: its own rows; false are those that earn nothing.

    Where it has no such rows, an alarm is false that touches no event.
    """
    if tells_false and rows.start.size:
        false = (rows.credit <= 0) & (rows.weight > 0)
        return Alarms(rows.start, rows.stop, rows.event, false)
    starts = alarm_positions(flags, events)
    stops = flagged_runs(flags, events)[1] if flags.dtype == bool else starts + 1
    event = first_touched(starts, stops, events)
    return Alarms(starts, stops, event, event < 0)


def first_touched(
    starts: Positions, stops: Positions, events: Events, until: Positions | None = None
) -> Positions:
    """The number of the first event that each run touches; -1 where it touches none.

    Where events have tails that count as touched too, ``until`` says where these end.

    >>> events = Events.from_labels([0, 1, 0, 0, 1])
    >>> first_touched(np.array([0, 2, 3]), np.array([2, 3, 5]), events)
    array([ 0, -1,  1])
    """
    ends = events.stops if until is None else until
    first, count = first_and_count(starts, stops, events.starts, ends)
    return np.where(count > 0, first, -1)


def hits_and_false_alarms(
    events: Events,
    hits: tuple[Positions, Array, Array],
    false: tuple[Positions, Positions, Array],
) -> AlarmRows:
    """Alarm rows in the order of time: one per event that was hit, one per false alarm.

    Parameters
    ----------
    events : Events
        The truth.
    hits : tuple of arrays
        Numbers of the events that were hit, what each weighs, and what of that is right.
    false : tuple of arrays
        Starts, stops and costs of the false alarms.

    Examples
    --------
    >>> events = Events.from_labels([0, 0, 1, 1, 0])
    >>> hits = np.array([0]), np.array([2]), np.array([2])
    >>> rows = hits_and_false_alarms(events, hits, (np.array([0]), np.array([1]), np.array([1])))
    >>> rows.event, rows.cost
    (array([-1,  0]), array([1, 0]))
    """
    which, weight, credit = hits
    starts, stops, cost = false
    rows = AlarmRows.of_runs(
        np.append(events.starts[which], starts),
        np.append(events.stops[which], stops),
        np.append(which, np.full(len(starts), -1)),
        np.append(weight, cost),
        np.append(credit, np.zeros_like(cost)),
    )
    return rows.chosen(np.argsort(rows.start, kind="stable"))


def as_dicts(rows: Any) -> list[dict[str, Any]]:
    """The rows as plain dictionaries."""
    columns = [column.tolist() for column in vars(rows).values()]
    return [dict(zip(vars(rows), row, strict=True)) for row in zip(*columns, strict=True)]
