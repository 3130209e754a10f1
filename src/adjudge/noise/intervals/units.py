"""Units of evidence: the coarsest independent things that there are.

A unit is a data set, else a series, else an event with the normal time before it (the last one of a
series has the time after it too). Points play no part, since those of one event are not
independent; nor do the events of one series count one by one where there are several series, since
a detector that suits a series suits all of it. Services are no sample of others: the question is
about these, and the unit is the event. On a clock that several of them share it is the episode;
series on one clock count both ways, by series and by episodes (`adjudge.noise.intervals.episodes`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from adjudge.checks import word
from adjudge.count.ledger import NORMAL, QUIET, block_of, summed_rows
from adjudge.data.columns import ids
from adjudge.data.events import Events  # noqa: TC001 - for the examples
from adjudge.data.intervals import bincount, distinct, overlaps, reduceat, repeat
from adjudge.data.point_time import PointTime
from adjudge.errors import InputError
from adjudge.noise.intervals.episodes import Clocked, Episodes

if TYPE_CHECKING:
    from adjudge._typing import Column, Floats, Positions
    from adjudge.count.ledger import Ledger

Kind = Literal["dataset", "series", "event", "episode", "cell"]
UNITS = ("auto", "dataset", "series", "event")
"""What may be asked for: what there is of these, from the coarsest on, or one of them."""
FEWEST = 3
"""Units below which there is no interval."""


@dataclass(frozen=True, eq=False)
class Units:
    """Which unit each event and each piece of time between two edges belongs to."""

    kind: Kind
    events: Events
    edges: Positions
    """Where a piece of time begins: a series, an event, what follows it, or another group."""
    of_piece: Positions
    """The unit of each piece; -1 where nothing is judged."""
    count: int
    groups: Positions | None
    """The number of the data set of each point, if they are known."""
    blocks: LineBlocks | None = None
    """Of episodes, and of what lines add to them: from where to where they are on each line."""
    both_ways: tuple[Units, Units] | None = None
    """Where units share a clock: its episodes, which count too, and what each adds to each."""

    @cached_property
    def of_event(self) -> Positions:
        """The unit of each event: that of the place where it starts."""
        return np.asarray(self.of_piece[np.searchsorted(self.edges, self.events.starts)])

    def series_of_unit(self, most: int | None = None) -> Positions | None:
        """The series of each unit, where these stand in the order of time; None: they do not.

        Of at most so many: units beyond are taken together.
        """
        if self._homes is None or most is None or self.count <= most:
            return self._homes
        return self._homes[np.unique(self._few(most), return_index=True)[1]]

    @cached_property
    def _homes(self) -> Positions | None:
        if self.blocks is not None:
            return self.blocks.series_of_unit
        if self.kind != "event":
            return None
        series_of_unit, there = np.zeros(self.count, np.int64), self.of_piece >= 0
        home = np.searchsorted(self.events.whole_series, self.edges, side="right")
        series_of_unit[self.of_piece[there]] = home[there]
        return series_of_unit

    def of_groups(self, ledger: Ledger) -> Floats:
        """Sum the rows of a ledger by groups of points, which may cut a stretch of normal time.

        Lines that share their time have the same groups.
        """
        if self.blocks is not None:
            return self.blocks.sums(ledger, self.count)
        first = self.events.whole_series[ledger.line % self.events.series_count]
        start, stop, quiet = first + ledger.start, first + ledger.stop, ledger.event == QUIET
        unit = self.of_piece[np.searchsorted(self.edges, start, side="right") - 1]
        sums = summed_rows(unit[~quiet], ledger.masses[~quiet], self.count)
        ends = np.append(self.edges[1:], self.events.n)
        row, piece, size = overlaps(start[quiet], stop[quiet], self.edges, ends)
        normal = ledger.masses[quiet, NORMAL] / (stop - start)[quiet]
        parts = np.zeros((len(row), 5))
        parts[:, NORMAL] = normal[row] * size
        sums += summed_rows(self.of_piece[piece], parts, self.count)
        sums[:, NORMAL] += 0 * ledger.sum()[NORMAL]  # what is not known is so of every unit
        return sums

    def points(self, most: int) -> tuple[Positions, Positions]:
        """The units of anomalous and of normal points, taken together where there are too many."""
        few = self._few(most).astype(np.min_scalar_type(most))
        lengths = np.diff(np.append(self.edges, self.events.n))
        every = repeat(few[self.of_piece], lengths)
        return repeat(few[self.of_event], self.events.widths), every[self.events.normal]

    def _few(self, most: int) -> Positions:
        """Number the units anew, neighbours together where there are too many."""
        return np.arange(self.count, dtype=np.int64) * min(self.count, most) // self.count

    @cached_property
    def nested_units(self) -> Units | None:
        """What these units are made of, if they are not events already."""
        if self.both_ways is not None and self.kind == "series":
            return self.both_ways[0]
        if self.kind in {"event", "episode"}:
            return None
        several = self.kind == "dataset" and self.events.series_count >= FEWEST
        return units_of(self.events, "series" if several else "event", self.groups)

    def named(self, count: int | None = None) -> str:
        """So many units in words; by default all of them."""
        if count is None and self.without_events:
            events = in_words(self.count - self.without_events, self.kind)
            return f"{events} and {in_words(self.without_events, 'series')} without any"
        if count is None and self.kind == "episode":
            return f"{in_words(self.count, self.kind)} {self.on_clocks}"
        kind = "group" if self.are_parts else self.kind
        return in_words(self.count if count is None else count, kind)

    @property
    def on_clocks(self) -> str:
        """On how many clocks units are, where these stand in the order of time."""
        return on_clocks(1 if self._homes is None else len(np.unique(self._homes)))

    def of_rows(self, ledger: Ledger) -> tuple[Positions, int]:
        """The unit of each event and of each false alarm of a ledger, and how many there are."""
        if self.blocks is None:
            return ledger.units(self.kind)
        return self.blocks.units(ledger.line, ledger.start), self.count

    @property
    def without_events(self) -> int:
        """How many series are a unit of their own, since they have no event."""
        return max(self.count - len(self.events), 0) if self.kind == "event" else 0

    @property
    def are_parts(self) -> bool:
        """Whether the groups part a series, as days do: then they are no data sets."""
        if self.kind != "dataset" or self.groups is None:
            return False
        inner = np.flatnonzero(np.diff(self.groups)) + 1
        return not np.isin(inner, self.events.whole_series).all()


class LineBlocks(NamedTuple):
    """Episodes, or what lines add to them, as blocks of lines."""

    cuts: Positions
    """Where the blocks of each line end but for the last one."""
    of_block: Positions
    """The unit of each block of each line."""
    series_of_unit: Positions | None
    """The clock of each unit, where these stand in the order of time."""

    def units(self, line: Positions, place: Positions) -> Positions:
        """The unit at places of lines, some of which may be one line again."""
        own = line % len(self.cuts)
        return np.asarray(self.of_block[own, block_of(own, place, self.cuts)])

    def sums(self, ledger: Ledger, count: int) -> Floats:
        """Sum the rows of a ledger by unit."""
        rows, block = ledger.divided(self.cuts)
        return rows.sum(self.of_block[rows.line % len(self.cuts), block], count)


_WORDS = {
    "dataset": ("data set", "data sets"),
    "group": ("group", "groups"),
    "series": ("series", "series"),
    "event": ("event", "events"),
    "episode": ("episode", "episodes"),
    "clock": ("clock", "clocks"),
}


def in_words(count: int, kind: str) -> str:
    """Say how many units of a kind there are.

    >>> in_words(1, "dataset"), in_words(1200, "event")
    ('1 data set', '1,200 events')
    """
    one, many = _WORDS[kind]
    return f"{count:,} {one if count == 1 else many}"


def on_clocks(count: int) -> str:
    """Say on how many clocks something is.

    >>> on_clocks(1), on_clocks(3)
    ('on one clock', 'on 3 clocks')
    """
    return "on one clock" if count == 1 else f"on {count:,} clocks"


def units_of(
    events: Events,
    unit: str = "auto",
    groups: Positions | None = None,
    clocked: Clocked | None = None,
) -> Units:
    """Find the units of evidence.

    Parameters
    ----------
    events : Events
        The truth.
    unit : {"auto", "dataset", "series", "event"}
        The unit; "auto": data sets if they are known, else series if there are several and others
        could stand in their place, else events with their normal time.
    groups : array of int, optional
        The number of the data set of each point, see `group_numbers`.
    clocked : Clocked, optional
        The events on their lines, where these have no points.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 1, 0, 1, 0, 0, 1, 0], series=list("aaaaabbb"))
    >>> units_of(events).named(), units_of(events, "event").named()
    ('2 series', '3 events')
    >>> units_of(Events.from_labels([0, 1, 0, 1, 0, 0], series=list("aaaaab")), "event").named()
    '2 events and 1 series without any'
    >>> units = units_of(events, "event")  # the last event of a series also has what follows it
    >>> units.edges.tolist(), units.of_piece.tolist()
    ([0, 1, 2, 3, 4, 5, 6, 7], [0, 0, 1, 1, 1, 2, 2, 2])
    """
    kind = _kind(events, word(unit, "unit", UNITS), groups)
    bounds, starts = events.whole_series, events.starts
    borders = [bounds, starts, events.stops]
    if kind == "dataset" and groups is not None:
        borders.append(np.flatnonzero(np.diff(groups)) + 1)
    edges = distinct(np.concatenate(borders))[:-1]
    home = np.searchsorted(bounds, edges, side="right") - 1
    if kind == "dataset" and groups is not None:
        key = groups[edges]
    elif kind == "series":
        key = home
    else:
        first, last = (np.searchsorted(starts, side, side="left") for side in (bounds, bounds[1:]))
        key = np.minimum(np.searchsorted(starts, edges, side="left"), last[home] - 1)
        empty = first[home] == last[home]  # a series without events is a unit of its own
        key[empty] = len(starts) + home[empty]
    of_piece, count = _numbered(key, events, edges)
    units = Units(kind, events, edges, of_piece, count, groups)
    if clocked is not None:
        return _on_clocks(units, clocked, np.zeros(0, np.int64))
    if events.clocks is None:
        return units
    line = np.searchsorted(bounds, starts, side="right") - 1
    first, time = bounds[line], PointTime(events)
    points = Clocked(line, starts - first, events.stops - first, time, events.clocks)
    return _on_clocks(units, points, bounds)


def _on_clocks(units: Units, clocked: Clocked, bounds: Positions) -> Units:
    """Units beside the clocks that they share: these have episodes.

    On one clock with others they count both ways; events of one episode are one unit.
    """
    clocks, of_line = clocked.clocks, np.arange(len(clocked.clocks))
    if units.kind == "dataset" and units.groups is not None:
        of_line = units.groups[bounds[:-1]]
    pairs = np.unique(np.stack([clocks, of_line]), axis=1)
    if units.are_parts or pairs.shape[1] == len(np.unique(clocks)):
        return units
    found = Episodes.of(clocked)
    count = len(found.clock)
    of_episodes = LineBlocks(found.cuts, found.of_block, found.clock)
    episodes = _of_blocks(units, "episode", of_episodes, count, bounds)
    if units.kind == "event":
        return episodes
    key = of_line[:, np.newaxis] * count + found.of_block
    cell, number = np.unique(key, return_inverse=True)
    of_cells = LineBlocks(found.cuts, number.reshape(key.shape), None)
    cells = _of_blocks(units, "cell", of_cells, len(cell), bounds)
    return replace(units, both_ways=(episodes, cells))


def _of_blocks(
    units: Units, kind: Kind, blocks: LineBlocks, count: int, bounds: Positions
) -> Units:
    """Units that are blocks of lines; pieces of points are known where lines have points."""
    edges, events = np.zeros(0, np.int64), units.events
    of_piece = edges
    if bounds.size:
        cuts = bounds[:-1, np.newaxis] + blocks.cuts
        edges = distinct(np.concatenate([bounds, events.starts, events.stops, cuts.ravel()]))[:-1]
        home = np.searchsorted(bounds, edges, side="right") - 1
        of_piece = blocks.units(home, edges - bounds[home])
    return Units(kind, events, edges, of_piece, count, units.groups, blocks)


def _kind(events: Events, unit: str, groups: Positions | None) -> Kind:
    if unit == "dataset" and groups is None:
        raise InputError(
            'unit="dataset" needs group= (--group COL), the data set of each point or series'
        )
    if unit == "dataset" or (unit == "auto" and groups is not None):
        return "dataset"
    are_a_sample = events.series_count > 1 and not events.fixed_series
    if unit == "series" or (unit == "auto" and are_a_sample):
        return "series"
    return "event"


def _numbered(key: Positions, events: Events, edges: Positions) -> tuple[Positions, int]:
    """Number the units of which anything is judged."""
    there = np.ones(len(key), bool)
    if events.judged is not None:
        size = bincount(key, reduceat(np.add, events.judged, edges, dtype=np.float64))
        there = size[key] > 0
    found, number = np.unique(key[there], return_inverse=True)
    of_piece = np.full(len(key), -1)
    of_piece[there] = number
    return of_piece, len(found)


def group_numbers(group: Column, events: Events, order: Positions | None = None) -> Positions:
    """Number the data sets (or days, or other groups) that a caller names, point by point.

    Parameters
    ----------
    group : column
        One id per point, or one per series.
    events : Events
        The truth.
    order : array of int, optional
        Where each point stood before all were sorted.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 1, 0, 1, 0], series=list("aabbc"))
    >>> group_numbers(["x", "y", "x"], events)
    array([0, 0, 1, 1, 0])
    """
    given, count = ids(group, "group"), events.series_count
    if given.shape == (events.n,):
        named = given if order is None else given[order]
    elif given.shape == (count,):
        named = repeat(given, np.diff(events.whole_series))
    else:
        raise InputError(
            f"group must be one id per point ({events.n}) or per series ({count}), got {given.size}"
        )
    return np.unique(named, return_inverse=True)[1]
