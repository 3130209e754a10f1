r"""Evidence: the units that there are, the influence of each, and the interval that they carry.

The unit of evidence is the coarsest independent thing there is: a data set, else a series, else an
event with the normal time before it (the last one of a series has the time after it too). Points
play no part, since those of one event are not independent; nor do the events of one series count
one by one where there are several series, since a detector that suits a series suits all of it.
Services are no sample of others: the question is about these, and the unit is the event. On a clock
that several of them share it is the episode; series on one clock count both ways, by series and by
episodes (`adjudge.noise.intervals.episodes`).

What a unit adds to the sums that a metric measures is its row. With :math:`S` the sum of all rows,

.. math:: I_u = \frac{f(S + \epsilon x_u) - f(S - \epsilon x_u)}{2 \epsilon}

is the influence of a unit, and with its share :math:`h_u` of what is at stake

.. math:: V = c \sum_u \frac{I_u^2}{1 - h_u}, \qquad df = \frac{1 / \sum_u h_u^2 - 1}{c}

are variance [1]_ and degrees of freedom: Kish's number of equal units [2]_, one of them imagined.
Nothing is drawn, so no seed plays a part, and an interval of a difference leaves 0 out exactly when
its p-value is small. Neighbours that fare alike swell the variance by :math:`c`.

References
----------
.. [1] J. G. MacKinnon and H. White (1985). Some heteroskedasticity-consistent covariance matrix
   estimators with improved finite sample properties. Journal of Econometrics 29(3).
.. [2] L. Kish (1965). Survey Sampling. Wiley.
.. [3] W. K. Newey and K. D. West (1987). A simple, positive semi-definite, heteroskedasticity and
   autocorrelation consistent covariance matrix. Econometrica 55(3).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

import numpy as np

from adjudge.checks import word
from adjudge.count.ledger import NORMAL, QUIET, block_of, summed_rows
from adjudge.data.columns import ids
from adjudge.data.events import Events  # noqa: TC001 - for the examples
from adjudge.data.intervals import bincount, distinct, overlaps, reduceat, repeat
from adjudge.data.point_time import PointTime
from adjudge.errors import InputError
from adjudge.noise.intervals.episodes import Clocked, Episodes
from adjudge.noise.p_values import rough_normal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from adjudge._typing import Column, Floats, Positions
    from adjudge.count.ledger import Ledger

Kind = Literal["dataset", "series", "event", "episode", "cell"]
UNITS = ("auto", "dataset", "series", "event")
"""What may be asked for: what there is of these, from the coarsest on, or one of them."""
FEWEST = 3
"""Units below which there is no interval."""
FEWEST_FLIPPED = 8
"""Units from which on flips of signs tell enough."""
MOST_OF_ALL = 0.6  # a unit with more of what is at stake leaves nothing to hold it against
_STEP = 0.01
_AT_A_TIME = 1 << 16  # numbers: half a megabyte
_IN_TIME, _MANY = 10, 20  # units from which on neighbours can be seen to fare alike, and further
_REACH, _FAR = 3, 6  # how many neighbours: weighed less and less, or while they are seen to matter
_SAME = 1e-12  # of their squares: all units fare exactly alike, as when everything is found
_PER_STEP = 8  # units that it takes to look one step further
_NOTED, _GOES_ON = 1.3, 0.5  # standard errors of a correlation: at first, and further on
_SAID = 1.645  # the same, from which on it is said in words: luck does that in one case of twenty
_SMALL_STEP, _NOTHING = 1e-7, 1e-17  # of Newton's method (its square is left); of a sum
_MANY_DF = 200  # degrees of freedom from which on a few terms of a series say it better
_UNEVEN, _ALIKE = 0.6, 1.5  # worth a word: units that count like so few, variance swollen so much


class Interval(NamedTuple):
    """The ends of an interval."""

    low: float
    high: float


UNDEFINED = Interval(math.nan, math.nan)


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

    def homes(self, most: int | None = None) -> Positions | None:
        """The series of each unit, where these stand in the order of time; None: they do not.

        Of at most so many: units beyond are taken together.
        """
        if self._homes is None or most is None or self.count <= most:
            return self._homes
        return self._homes[np.unique(self._few(most), return_index=True)[1]]

    @cached_property
    def _homes(self) -> Positions | None:
        if self.blocks is not None:
            return self.blocks.homes
        if self.kind != "event":
            return None
        homes, there = np.zeros(self.count, np.int64), self.of_piece >= 0
        home = np.searchsorted(self.events.whole_series, self.edges, side="right")
        homes[self.of_piece[there]] = home[there]
        return homes

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
    def finer(self) -> Units | None:
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
            return f"{in_words(self.count, self.kind)} on {self.clocks}"
        kind = "group" if self.are_parts else self.kind
        return in_words(self.count if count is None else count, kind)

    @property
    def clocks(self) -> str:
        """How many clocks units stand on, where these stand in the order of time."""
        count = 1 if self._homes is None else len(np.unique(self._homes))
        return "one clock" if count == 1 else f"{count:,} clocks"

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
    homes: Positions | None
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


FOUND_TOGETHER = "found or missed together"
"""What neighbouring events are, where they fare alike."""
QUIET_ALIKE = "similar in their normal time"
"""What they are where false alarms, or scores, of neighbouring stretches are alike."""


class Moves(NamedTuple):
    """What units add to the difference of two values."""

    own: Floats = np.zeros(0)
    """By how much each unit moves it."""
    shares: Floats = np.zeros(0)
    """The share of each of what is at stake."""
    imagined: Floats = np.zeros(0)
    """By how much what is imagined beside them would move it."""
    p_exchange: float = math.nan
    """How often both differ as much when they are exchanged in some of the units."""

    @property
    def are_few(self) -> bool:
        """Whether so few of them count that flips of signs tell next to nothing."""
        return int(np.count_nonzero(self.shares)) < FEWEST_FLIPPED


class Spread(NamedTuple):
    """What the units say of a value."""

    value: float
    """With what is imagined beside them."""
    se: float
    df: float
    largest: float
    """The largest share that a unit has of what is at stake."""
    equal: float
    """How many equal units that do not fare alike they count like."""
    alike: float
    """By how much neighbours that fare alike swell the variance."""
    together: str = FOUND_TOGETHER
    """What neighbours are seen to have in common beside what all units have; "": nothing."""
    skewness: float = 0.0
    """Of the value: the sum of the cubes of what units move it by, in standard errors."""
    valued: int | None = None
    """How many units have a value, where some may have none: an event that is missed has no delay.
    None: all have one."""
    moves: Moves = Moves()
    """Of a difference: what each unit adds to it."""
    imagined: float = 0.0
    """How much of the variance is of what is imagined."""
    by_episodes: Spread | None = None
    """Of units that share a clock: the same by its episodes alone."""
    rests_on_episodes: bool = False
    """Whether these leave more open than units."""

    def across(self, episodes: Spread, cells: Spread) -> Spread:
        """The spread both ways, by units and by the episodes of the clock that they share.

        Where a unit or an episode has all that differs, it is the larger of the two.
        """
        units, other, both = (one.se**2 - one.imagined for one in (self, episodes, cells))
        variance = max(units, other, units + other - both)
        variance += max(self.imagined, episodes.imagined)
        more = other > units
        return self._replace(
            se=math.sqrt(variance), df=min(self.df, episodes.df),
            skewness=episodes.skewness if more else self.skewness,
            by_episodes=episodes, rests_on_episodes=more,
        )  # fmt: skip

    def ways(self, units: Units) -> list[tuple[Spread, Units]]:
        """What is known by units, and by the episodes of the clock that they share, if they do."""
        if self.by_episodes is None or units.both_ways is None:
            return [(self, units)]
        return [(self, units), (self.by_episodes, units.both_ways[0])]


class Quiet(NamedTuple):
    """What the normal time of each unit alone adds to the sums, and how long it is."""

    rows: Floats
    time: Floats

    def is_alike(self, homes: Positions) -> bool:
        """Whether false alarms, or scores, of neighbours are seen to be alike; at little cost."""
        count, total = len(self.rows), float(self.time.sum())
        if count < _IN_TIME or not total > 0:
            return False
        false = _apart(self.rows.reshape(count, -1).sum(axis=1), self.time / total)
        if not float((false**2).sum()) > _SAME * total**2:
            return False
        return _kinship(false, homes, 1) + 1 / count >= _NOTED / math.sqrt(count)

    def widened(self, found: Spread, influences: Floats, homes: Positions) -> Spread:
        """Widen a spread by what neighbours' normal time has in common.

        Whether events are found differs more than how normal time fares, so that the influence of
        whole units hardly shows a storm of false alarms, or scores that wander, over several.
        """
        shares = self.time / self.time.sum()
        apart = _apart(influences, shares)
        more = (swollen(apart, shares, homes) - 1) * float((apart**2).sum())
        by = 1 + more / found.se**2
        return found._replace(
            se=found.se * math.sqrt(by), df=max(found.df / by, 1.0), equal=found.equal / by,
            alike=found.alike * by,
            together=QUIET_ALIKE if found.together or by > _ALIKE else "",
        )  # fmt: skip


def spread(
    measure: Callable[[Floats], Floats],
    rows: Floats,
    imagined: Sequence[tuple[float, Floats]],
    stakes: Floats,
    homes: Positions | None = None,
    quiet: Quiet | None = None,
    *,
    paired: bool = False,
) -> Spread:
    """Spread of a measure of sums over units.

    Parameters
    ----------
    measure : callable
        Sums to values, over any leading axes.
    rows : array
        What each unit adds to the sums, along the first axis.
    imagined : pairs of amount and row
        What is imagined beside them.
    stakes : array
        What each unit had at stake, and last the one unit that is imagined; of a mean over lines
        a column for each, since a line of few units moves the value more by each of them.
    homes : array of int, optional
        The series of each unit, where units stand in the order of time.
    quiet : Quiet, optional
        The normal time of each unit, which may be alike for neighbours where events are not.
    paired : bool
        Whether the measure is a difference, of which is also asked what each unit adds to it.

    Examples
    --------
    The mean of 1, 2, 3 and 6: with nothing imagined the usual standard error.

    >>> rows = np.stack([[1.0, 2.0, 3.0, 6.0], np.ones(4)], axis=1)
    >>> stakes = np.array([1, 1, 1, 1, 0])
    >>> found = spread(lambda sums: sums[..., 0] / sums[..., 1], rows, [], stakes)
    >>> print(f"{found.value} {found.se:.4f} {found.df:.0f}")
    3.0 1.0801 3
    """
    shares, pulls = _shares_and_pulls(stakes)
    all_rows = np.empty((len(rows) + len(imagined), *rows.shape[1:]))
    all_rows[: len(rows)] = rows
    for place, (amount, row) in enumerate(imagined, len(rows)):
        np.multiply(amount, row, out=all_rows[place])
    real = rows.sum(axis=0)
    whole = real + all_rows[len(rows) :].sum(axis=0)
    moved = influence(measure, whole, all_rows)
    own, beside = moved[: len(rows)], moved[len(rows) :].tolist()
    alike = 1.0 if homes is None else swollen(own, shares[:-1], homes)
    squares = own**2
    variance = alike * float((squares / (1 - np.minimum(pulls, 0.99))).sum())
    of_imagined = sum(by**2 / amount for (amount, _), by in zip(imagined, beside, strict=True))
    se = math.sqrt(variance + of_imagined)
    found = of_shares(float(measure(whole)), se, shares, alike)._replace(imagined=of_imagined)
    size = float(squares.sum()) ** 1.5
    skewness = float((own**3).sum()) / size if size > 0 else 0.0
    together = "" if homes is None else seen_together(own, shares[:-1], homes)
    found = found._replace(together=together, skewness=skewness)
    if paired:
        adds = influence(measure, real, all_rows)
        found = found._replace(
            moves=Moves(adds[: len(rows)], _shares(shares[:-1]), adds[len(rows) :])
        )
    if homes is None or quiet is None or not quiet.is_alike(homes):
        return found
    in_quiet = influence(measure, whole, quiet.rows)
    of_events = seen_together(own - in_quiet, shares[:-1], homes)
    wider = quiet.widened(found, in_quiet, homes)
    return wider._replace(together=of_events or wider.together)


def of_shares(value: float, se: float, shares: Floats, alike: float = 1.0) -> Spread:
    """A spread whose degrees of freedom follow from the shares of what is at stake."""
    df = (1 / float((shares**2).sum()) - 1) / alike
    real = _shares(shares[:-1])
    equal = 1 / float((real**2).sum()) / alike
    return Spread(value, se, max(df, 1.0), float(real.max()), equal, alike)


def _shares_and_pulls(stakes: Floats) -> tuple[Floats, Floats]:
    """Shares of what is at stake, and by how much each unit pulls the value towards itself.

    That is its share; of a mean over lines its share of each line, by what it has at stake there.

    >>> shares, pulls = _shares_and_pulls(np.array([[4.0, 0.0], [0.0, 2.0], [0.0, 2.0]]))
    >>> shares, pulls
    (array([0.5 , 0.25, 0.25]), array([1. , 0.5]))
    """
    if stakes.ndim == 1:
        shares = _shares(stakes)
        return shares, shares[:-1]
    own = stakes.sum(axis=1)
    of_line = stakes / np.maximum(stakes.sum(axis=0), _NOTHING)
    pulls = (stakes * of_line).sum(axis=1) / np.maximum(own, _NOTHING)
    return _shares(own), pulls[:-1]


def _shares(stakes: Floats) -> Floats:
    """Shares of what is at stake; where nothing is, all units count alike."""
    total = float(stakes.sum())
    return stakes / total if total > 0 else np.full(len(stakes), 1 / len(stakes))


def influence(measure: Callable[[Floats], Floats], whole: Floats, rows: Floats) -> Floats:
    """How a measure of sums moves with the weight of each row; some rows at a time."""
    moved, size = np.empty(len(rows)), max(1, _AT_A_TIME // max(whole.size, 1))
    for start in range(0, len(rows), size):
        more, less = measure(more_and_less(whole, _STEP * rows[start : start + size]))
        moved[start : start + size] = finite(np.asarray(more - less) / (2 * _STEP))
    return moved


def more_and_less(whole: Floats, by: Floats) -> Floats:
    """Sums with something more, and with as much less."""
    both = np.empty((2, *by.shape))
    np.add(whole, by, out=both[0])
    np.subtract(whole, by, out=both[1])
    return both


def finite(values: Floats) -> Floats:
    """Zeros where there is no value, and the largest numbers where there is no end."""
    return values if np.isfinite(values).all() else np.nan_to_num(values)


def swollen(influences: Floats, shares: Floats, homes: Positions) -> float:
    """By how much neighbours that fare alike swell the variance: at least 1.

    Two estimates, of which the larger one is believed. The first weighs the correlations of
    neighbours less and less, up to three apart [3]_: it is too small where more of them fare alike.
    The second, of 20 units or more, adds up the correlations, one step further at a time, while
    they stand out of what the number of units lets luck show.

    Parameters
    ----------
    influences, shares, homes : array
        Of each unit, in the order of time: its influence, its share of what is at stake, and its
        series.

    Examples
    --------
    >>> alone = np.tile([1.0, -1.0], 10)
    >>> in_fives = np.repeat([1.0, -1.0, 1.0, -1.0], 5)
    >>> even, one = np.full(20, 0.05), np.zeros(20, int)
    >>> swollen(alone, even, one)
    1.0
    >>> print(f"{swollen(in_fives, even, one):.2f}")
    3.10
    """
    count, size = len(influences), float((influences**2).sum())
    if count < _IN_TIME or size == 0:
        return 1.0
    plain = [_kinship(influences, homes, step) for step in range(1, _REACH + 1)]
    weighed = 1 + 2 * sum((1 - k / (_REACH + 1)) * r for k, r in enumerate(plain, 1))
    steps = min(_FAR, count // _PER_STEP) if count >= _MANY else 0
    steps, apart, summed = steps * _differ(influences, shares), _apart(influences, shares), 1.0
    for step in range(1, steps + 1):
        r = _kinship(apart, homes, step) + 1 / count  # around their own mean they look less alike
        if r < (_NOTED if step == 1 else _GOES_ON) / math.sqrt(count):
            break
        summed += 2 * r
    return max(1.0, weighed, summed)


def seen_together(influences: Floats, shares: Floats, homes: Positions) -> str:
    """Say that neighbours are found or missed together, where that is seen and no matter of luck.

    Where nearly all events are found, all of them move the value alike: the variance is swollen to
    be safe, but of *neighbours* that says nothing. So it is asked of how units fare beside what all
    of them have in common.

    >>> one, even = np.zeros(20, int), np.full(20, 0.05)
    >>> seen_together(np.repeat([1.0, -1.0, 1.0, -1.0], 5), even, one)
    'found or missed together'
    >>> seen_together(1 + 0.01 * np.tile([1.0, -1.0], 10), even, one)
    ''
    """
    count = len(influences)
    if count < _IN_TIME or not _differ(influences, shares):
        return ""
    r = _kinship(_apart(influences, shares), homes, 1) + 1 / count
    return FOUND_TOGETHER if r >= _SAID / math.sqrt(count) else ""


def _apart(influences: Floats, shares: Floats) -> Floats:
    """How far each unit fares otherwise than all together."""
    return np.asarray(influences - shares * (influences.sum() / shares.sum()))


def _differ(influences: Floats, shares: Floats) -> bool:
    apart = _apart(influences, shares)
    return float((apart**2).sum()) > _SAME * float((influences**2).sum())


def _kinship(influences: Floats, homes: Positions, step: int) -> float:
    """The correlation of units so many steps apart in the same series."""
    same = homes[step:] == homes[:-step]
    return float((influences[step:] * influences[:-step] * same).sum() / (influences**2).sum())


class Counted(Protocol):
    """Units that can be counted and named."""

    @property
    def count(self) -> int:
        """How many there are."""
        ...

    def named(self, count: int | None = None) -> str:
        """So many of them in words."""
        ...


def refusal(found: Spread, units: Counted) -> str:
    """Why there is no interval; "" where there is one."""
    if units.count < FEWEST:
        return f"too few to say: {units.named()}"
    if found.valued is not None and found.valued < FEWEST:
        return f"too few to say: {found.valued} of {units.named()} with a value"
    if found.largest > MOST_OF_ALL:
        one = units.named(1).removeprefix("1 ")
        return f"one {one} carries {100 * found.largest:.0f} % of the weight: no interval"
    return ""


def ends(found: Spread, own: float, span: tuple[float, float], level: float) -> Interval:
    """The ends of an interval: a value between two bounds on the arcsine scale, any other plainly.

    There the spread of a share does not depend on the share. The interval holds the value.
    """
    times, (least, most) = quantile(found.df, level), span
    if math.isfinite(most - least):
        x = min(max((found.value - least) / (most - least), 1e-9), 1 - 1e-9)
        at, by = math.asin(math.sqrt(x)), times * found.se / (most - least)
        by /= 2 * math.sqrt(x * (1 - x))
        angles = max(at - by, 0.0), min(at + by, math.pi / 2)
        low, high = (least + (most - least) * math.sin(angle) ** 2 for angle in angles)
    else:
        low, high = found.value - times * found.se, found.value + times * found.se
        low, high = max(low, least), min(high, most)
    return Interval(min(low, own), max(high, own))


@lru_cache(maxsize=1024)  # the pairs of a leaderboard ask for few of them
def quantile(df: float, level: float) -> float:
    """How many standard errors so few degrees of freedom leave open on either side.

    >>> print(f"{quantile(5, 0.95):.3f} {quantile(1e9, 0.95):.3f}")
    2.571 1.960
    """
    tail = 1 - min(level, 1 - 1e-9)
    z = rough_normal(tail / 2)
    far, step = z + (z**3 + z) / (4 * df) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * df**2), math.inf
    while abs(step) > _SMALL_STEP:
        beyond, density = _beyond(far, df)
        step = beyond * math.log(beyond / tail) / (2 * far * density)
        far *= math.exp(step)
    return far


def _beyond(far: float, df: float) -> tuple[float, float]:
    """How often Student's t lies further from 0 than this, and its density here.

    By that of two power series of the incomplete beta function which converges faster. SciPy has it
    too, but takes longer to import than a small file takes to be judged.
    """
    ratio = math.lgamma((df + 1) / 2) - math.lgamma(df / 2)
    if df > _MANY_DF:  # where the difference of two large numbers says little
        rest = -1 / 4 + (1 / 32 + (5 / 128 - 21 / 2048 / df) / df) / df
        ratio = math.log(df / 2) / 2 + math.log1p(rest / df)
    density = math.exp(ratio - (df + 1) / 2 * math.log1p(far**2 / df)) / math.sqrt(math.pi * df)
    inside, whole, term, count = far**2 / (df + far**2), 1.0, 1.0, 0
    if inside < 0.5:
        while term > _NOTHING * whole:
            term *= inside * (df + 1 + 2 * count) / (3 + 2 * count)
            whole, count = whole + term, count + 1
        return 1 - 2 * far * density * whole, density
    while term > _NOTHING * whole:
        count += 1
        term *= (1 - inside) * (1 - 0.5 / count)
        whole += term / (1 + 2 * count / df)
    return 2 / df * math.sqrt(df + far**2) * density * whole, density


class Evidence(NamedTuple):
    """An interval, and what it rests on."""

    low: float = math.nan
    high: float = math.nan
    conditional_low: float = math.nan
    """For the units that there are, by what they are made of, where they carry no interval."""
    conditional_high: float = math.nan
    se: float = math.nan
    df: float = math.nan
    unit: str = ""
    units: int = 0
    equal: float = math.nan
    alike: float = math.nan
    words: str = ""

    def lowered(self, by: float, least: float) -> Evidence:
        """The low ends lower by so much, if that is known."""
        if math.isnan(by):
            return self
        low, here = (max(end - by, least) for end in (self.low, self.conditional_low))
        return self._replace(low=low, conditional_low=here)


NONE = Evidence()


def evidence(
    units: Units,
    spread_of: Callable[[Units], Spread],
    ends_of: Callable[[Spread], Interval],
    unknown: Callable[[Spread, Units], str] = lambda _found, _units: "",
) -> Evidence:
    """The interval that the units carry, or why they carry none and what those inside them say.

    Parameters
    ----------
    units : Units
        The units.
    spread_of, ends_of : callable
        The spread by units, and the ends of an interval by a spread.
    unknown : callable, optional
        Why a spread is not known, though there are units enough; "" where it is.
    """
    found = spread_both_ways(units, spread_of)

    def why_not(found: Spread, units: Units) -> str:
        whys = (refusal(*way) or unknown(*way) for way in found.ways(units))
        return next(filter(None, whys), "")

    why = why_not(found, units)
    low, high = UNDEFINED if why else ends_of(found)
    here, inner = UNDEFINED, units.finer
    if units.count < FEWEST and inner is not None:
        inside = spread_both_ways(inner, spread_of)
        here = UNDEFINED if why_not(inside, inner) else ends_of(inside)
    words = why or _words(units, found)
    _, rests = found.ways(units)[found.rests_on_episodes and not why]
    return Evidence(
        low, high, *here, found.se, found.df, rests.kind, rests.count, found.equal, found.alike,
        words,
    )  # fmt: skip


def spread_both_ways(units: Units, spread_of: Callable[[Units], Spread]) -> Spread:
    """The spread by units, and by the episodes of the clocks that they share, if they do."""
    found = spread_of(units)
    if units.both_ways is None:
        return found
    return found.across(*map(spread_of, units.both_ways))


def for_these(count: int) -> str:
    """Name the interval of what is inside so few units.

    >>> for_these(1), for_these(2)
    ('for this one', 'for these two')
    """
    return "for this one" if count == 1 else "for these two"


def _words(units: Units, found: Spread) -> str:
    """What an interval rests on; of events in several series, that it is about these series."""
    series = units.events.series_count
    is_fixed = units.kind in {"event", "episode"} and series > 1
    return _weight(units, found) + f", for these {series:,} series" * is_fixed


def _weight(units: Units, found: Spread) -> str:
    """How many units there are, and how many equal ones they count like."""
    text, few, count = units.named(), max(round(found.equal), 1), units.count
    events = len(units.events)
    if found.valued is not None and found.valued < count:
        text, count = f"{found.valued} of {text} with a value", found.valued
    uneven = found.equal * found.alike < _UNEVEN * count
    alike = found.together if found.alike > _ALIKE else ""
    for by_episodes, episodes in found.ways(units)[1:]:
        few = min(few, max(round(by_episodes.equal), 1))
        text = f"{text} on {episodes.clocks} saw {in_words(episodes.count, 'episode')}"
        uneven = few < _UNEVEN * min(count, episodes.count)
        return f"{text}, and both count" + f", effectively {few}: a few dominate" * uneven
    if units.kind not in {"event", "episode"}:
        text = f"the evidence is {text}, not {events:,} event{'s' * (events != 1)}"
        return f"{text}, effectively {few}: a few dominate" if uneven else text
    if not uneven and alike:
        return f"{text}, effectively {few}: neighbours are {alike}"
    if not uneven:
        return text
    widths = units.events.widths.astype(np.float64)
    even = widths.sum() ** 2 > _UNEVEN * events * (widths**2).sum()
    most = "a few dominate" if even else "long ones dominate"
    also = f", and neighbours are {alike}" if alike else ""
    return f"{text}, effectively {few}: {most}{also}"
