"""Shift alerts along watched time: what chance would score, without a grid.

The watched time of a service is joined to a circle, along which its alerts turn together. Between
two shifts at which the end of an alert meets that of an incident nothing is found or lost, and
lengths change at an even rate. So the mean over all shifts, and the share of shifts that do as
well, are known exactly from two shifts in each such part. Services turn apart: their mean sums add,
and the share is of drawn shifts. Only alerts that count turn, at home as elsewhere.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.count.lengths import Placed, WatchedLine, summed
from adjudge.count.tally import Tally
from adjudge.data.intervals import repeat, stretches
from adjudge.noise.p_values import TIE
from adjudge.noise.shifting.offsets import generator

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from adjudge._typing import Floats, Positions

PARTS = 60_000
"""Up to so many parts between the ends of arcs are looked at one by one; else shifts are drawn."""
TENTHS = 10
MANY = 1000
"""From so many incidents and alerts on fewer shifts are drawn."""
AT_ONCE = 2_000_000
"""So many alerts and incidents are shifted at once."""


class Turns(NamedTuple):
    """What chance scores."""

    expected: Tally
    """The mean sums over shifts."""
    p_value: float
    """The share of shifts that do as well, the alerts' own place among them."""
    p_below: float
    """The share of shifts that do no better."""
    shifts: int
    exact: bool


@dataclass(frozen=True, eq=False)
class TimeShifts(ABC):
    """Alerts of several services, to be shifted along their watched time.

    Parameters
    ----------
    lines : sequence of WatchedLine
        The services.
    """

    lines: Sequence[WatchedLine]

    @property
    @abstractmethod
    def home(self) -> Tally:
        """The sums where the alerts are."""

    @abstractmethod
    def _drawn(self, shifts: int, seed: int, tenths: int) -> list[Tally]:
        """The sums on drawn shifts."""

    @property
    def _sweeps(self) -> list[Sweep | None]:
        """All shifts of each line at once; None: only some can be looked at."""
        return [None]

    def turns(
        self,
        measure: Callable[[Tally], Any],
        *,
        lower: bool,
        shifts: int | None,
        seed: int,
        blocks: int = 1,
    ) -> Turns:
        """Hold a value against shifts: all of them where one service turns, else drawn ones.

        With several blocks each part of a line turns by itself.
        """
        every = shifts is None and blocks == 1
        value = float(measure(self.home)[0])
        if every and len(self._sweeps) == 1 and self._sweeps[0] is not None:
            only = self._sweeps[0]
            better, worse = (only.share(measure, value, sign) for sign in _signs(lower))
            return Turns(only.mean, better, worse, len(only.lengths), exact=True)
        drawn = self.drawn(shifts or self.usual, seed, blocks)
        sweeps = self._sweeps if every else [None] * len(drawn)
        values = np.asarray(measure(summed(drawn)), np.float64)
        means = [
            Tally(*(float(np.mean(mass)) for mass in tally)) if sweep is None else sweep.mean
            for sweep, tally in zip(sweeps, drawn, strict=True)
        ]
        better, worse = (drawn_share(values, value, sign) for sign in _signs(lower))
        return Turns(summed(means), better, worse, values.size, exact=False)

    def values(self, measure: Callable[[Tally], Any], shifts: int | None, seed: int) -> Floats:
        """What drawn shifts score."""
        return np.asarray(measure(summed(self.drawn(shifts or self.usual, seed))), np.float64)

    @property
    def usual(self) -> int:
        """How many shifts are drawn where nobody says it."""
        things = sum(len(line.alerts.starts) + line.incidents for line in self.lines)
        return 999 if things <= MANY else 199

    def drawn(self, shifts: int, seed: int, tenths: int = 1) -> list[Tally]:
        """The sums on drawn shifts, which measures share."""
        key = shifts, seed, tenths
        if key not in self._known:
            self._known[key] = self._drawn(*key)
        return self._known[key]

    @cached_property
    def _known(self) -> dict[tuple[int, int, int], list[Tally]]:
        """What was drawn for other measures."""
        return {}


@dataclass(frozen=True, eq=False)
class CountedShifts(TimeShifts):
    """The same of values that are measures of sums over the services.

    Parameters
    ----------
    lines : sequence of WatchedLine
        The services.
    count : callable
        What is counted of a line and the alerts on it.
    widths : sequence of int
        Distances at which the ends of alerts and of incidents change what is counted.
    """

    count: Callable[[WatchedLine, Placed], Tally]
    widths: Sequence[int] = (0,)

    @cached_property
    def home(self) -> Tally:
        """The sums where the alerts are."""
        return summed([self.at(line, np.zeros((1, 1), np.int64)) for line in self.lines])

    def _drawn(self, shifts: int, seed: int, tenths: int) -> list[Tally]:
        rng = generator(seed)
        return [
            self.at(line, rng.integers(0, line.length, (shifts, tenths))) for line in self.lines
        ]

    @cached_property
    def _sweeps(self) -> list[Sweep | None]:
        return [self._sweep(line) for line in self.lines]

    def _sweep(self, line: WatchedLine) -> Sweep | None:
        """Look at two shifts in each part between the ends of arcs; None: there are too many."""
        alerts = line.shiftable
        ends = np.concatenate([alerts.starts, alerts.stops])
        fixed = np.concatenate([line.starts, line.ends, line.joints])
        apart = np.unique([[-width, width] for width in self.widths])
        if ends.size * fixed.size * apart.size > PARTS:
            return None
        arcs = (fixed[:, None, None] - ends[:, None] + apart) % line.length
        cuts = np.unique(np.append(arcs.ravel(), [0, line.length]))
        begin, size = cuts[:-1], np.diff(cuts)
        places = np.stack([begin + size // 4, begin + size - size // 4], axis=1)
        sums = np.array(self.at(line, places.reshape(-1, 1)), np.float64)
        return Sweep(size / line.length, sums.T.reshape(-1, 2, len(Tally._fields)))

    def at(self, line: WatchedLine, offsets: Positions) -> Tally:
        """The sums on given shifts, many at once; each shift has an offset for each block."""
        each = max(1, min(AT_ONCE // (len(line.alerts.starts) + line.incidents + 1),
                          2**61 // line.length))  # fmt: skip
        parts = [
            self._together(line, offsets[first : first + each])
            for first in range(0, len(offsets), each)
        ]
        masses: list[Any] = [np.concatenate(mass) for mass in zip(*parts, strict=True)]
        return Tally(*masses)

    def _together(self, line: WatchedLine, offsets: Positions) -> Tally:
        copies, blocks = offsets.shape
        edges = np.linspace(0, line.length, blocks + 1).astype(np.int64)
        alerts = turned(line.shiftable, edges, offsets)
        return self.count(line.repeated(copies), alerts)


@dataclass(frozen=True, eq=False)
class ScoredShifts(TimeShifts):
    """The same of a value of all services together that is no measure of sums, read anew each time.

    Its sums have the value as what was found.

    Parameters
    ----------
    lines : sequence of WatchedLine
        The services.
    read : callable
        The alerts of each line, moved, to the value.
    """

    read: Callable[[Sequence[Placed]], float]

    @cached_property
    def home(self) -> Tally:
        """The value where the alerts are."""
        return _as_found(np.array([self.read([line.shiftable for line in self.lines])]))

    @property
    def usual(self) -> int:
        """How many shifts are drawn: each is a reading."""
        return 199 if super().usual > 199 else 99

    def _drawn(self, shifts: int, seed: int, tenths: int) -> list[Tally]:
        rng = generator(seed)
        edges = [np.linspace(0, line.length, tenths + 1).astype(np.int64) for line in self.lines]
        values = [
            self.read([
                turned(line.shiftable, cuts, rng.integers(0, line.length, (1, tenths)))
                for line, cuts in zip(self.lines, edges, strict=True)
            ])
            for _ in range(shifts)
        ]  # fmt: skip
        return [_as_found(np.array(values))]


def _as_found(values: Floats) -> Tally:
    none = np.zeros(len(values))
    return Tally(values, none + 1, none, none)


class Sweep(NamedTuple):
    """All shifts of one line, in parts within which sums change at an even rate."""

    lengths: Floats
    """The share of all shifts that each part has."""
    sums: Floats
    """The sums at a quarter and at three quarters of each part."""

    @property
    def mean(self) -> Tally:
        """The mean sums over all shifts."""
        return Tally(*(self.lengths @ self.sums.mean(axis=1)).tolist())

    def share(self, measure: Callable[[Tally], Any], value: float, sign: int) -> float:
        """The share of shifts whose value is as good; that of a part by where it crosses the value.

        Within a part what is found does not change, so the inverse of a rate changes evenly.
        """
        if np.isnan(value):
            return np.nan
        slope = (self.sums[:, 1] - self.sums[:, 0]) / 2  # from a quarter to half of the way
        ends = (self.sums[:, 0] - slope, self.sums[:, 1] + slope)
        first, last = (np.asarray(measure(Tally(*end.T)), np.float64) for end in ends)
        defined = ~np.isnan(first)
        share = _crossing(first[defined], last[defined], value, sign)
        total = float(self.lengths[defined].sum())
        return float(self.lengths[defined] @ share / total)


def _crossing(first: Floats, last: Floats, value: float, sign: int) -> Floats:
    """Which share of each part has values as good, where the inverse of the value is even."""
    good = [sign * (end - value) >= -TIE for end in (first, last)]
    share = (good[0].astype(float) + good[1]) / 2
    cross = np.flatnonzero(good[0] != good[1])
    with np.errstate(divide="ignore", invalid="ignore"):
        one, two, level = 1 / first[cross], 1 / last[cross], 1 / np.float64(value)
        at = (level - one) / (two - one)
    at = np.where(np.isfinite(at), np.clip(at, 0, 1), 0.5)
    share[cross] = np.where(good[0][cross], at, 1 - at)
    return share


def drawn_share(values: Floats, value: float, sign: int) -> float:
    """The share of drawn values, and the value itself, that are as good as the value."""
    if np.isnan(value):
        return np.nan
    defined = values[~np.isnan(values)]
    return float((1 + np.count_nonzero(sign * (defined - value) >= -TIE)) / (1 + defined.size))


def turned(alerts: Placed, edges: Positions, offsets: Positions) -> Placed:
    """Turn alerts within blocks of a line; what crosses the end of a block begins it again.

    Each row of the offsets is a shift of its own, on a copy of the line behind the one before.

    >>> alerts = Placed.whole(np.array([2, 7]), np.array([2, 2]))
    >>> turned(alerts, np.array([0, 10]), np.array([[2]]))
    Placed(starts=array([4, 9, 0]), lengths=array([2, 1, 1]), alert=array([0, 1, 1]))
    """
    alerts, count = _cut(alerts, edges), alerts.total
    block = np.searchsorted(edges[1:-1], alerts.starts, side="right")
    begin, size = edges[block], np.diff(edges)[block]
    starts = begin + (alerts.starts - begin + offsets[:, block]) % size
    over = np.maximum(starts + alerts.lengths - begin - size, 0)
    copy, beyond = np.nonzero(over)
    behind = edges[-1] * np.arange(len(offsets), dtype=np.int64)
    number = count * np.arange(len(offsets), dtype=np.int64)
    return Placed(
        np.append(starts + behind[:, np.newaxis], begin[beyond] + behind[copy]),
        np.append(alerts.lengths - over, over[copy, beyond]),
        np.append(alerts.alert + number[:, np.newaxis], alerts.alert[beyond] + number[copy]),
    )


def _cut(alerts: Placed, edges: Positions) -> Placed:
    """Cut alerts where blocks end.

    >>> _cut(Placed.whole(np.array([3, 8]), np.array([4, 0])), np.array([0, 5, 10]))
    Placed(starts=array([3, 5, 8]), lengths=array([2, 2, 0]), alert=array([0, 0, 1]))
    """
    inner = edges[1:-1]
    first = np.searchsorted(inner, alerts.starts, side="right")
    last = np.maximum(np.searchsorted(inner, alerts.stops, side="left"), first)
    rows, block = (
        repeat(np.arange(len(first)), last - first + 1),
        stretches(first, last - first + 1),
    )
    starts = np.maximum(alerts.starts[rows], edges[block])
    stops = np.minimum(alerts.stops[rows], edges[block + 1])
    return Placed(starts, stops - starts, alerts.alert[rows])


def _signs(lower: bool) -> tuple[int, int]:
    """Which side is as good, and which no better."""
    return (-1, 1) if lower else (1, -1)
