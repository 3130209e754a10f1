"""Tally: four masses, at one threshold, at those of a grid, or at every one of them.

Recall is ``found / truth``, precision is ``right / flagged``. Each mass is a step function of the
threshold: a weighted count of values that lie above it. Sorting the values once gives the mass
at every distinct score, exactly: that is the whole machinery behind curves, areas and best
thresholds.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

import numpy as np

from adjudge.data.columns import locked
from adjudge.data.intervals import bincount, repeat

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge._typing import Array, Floats
    from adjudge.data.events import Events


class Tally(NamedTuple):
    """Four masses, each a number or one number per threshold."""

    found: Any
    """Truth that was found."""
    truth: Any
    """All the truth there was."""
    right: Any
    """Flagging that was right."""
    flagged: Any
    """All the flagging there was."""
    normal: float = np.nan
    """How much a detector could have flagged wrongly, where that can be said."""


@dataclass(frozen=True)
class StreamSums:
    """Sums over events, flagged runs and points that are over; they add up over pieces of time."""

    truth: int = 0
    """The weight of all events; 1 each, unless the counting weighs them by length."""
    found: int = 0
    """The weight of the events that count as found after the adjustment."""
    points: int = 0
    """Anomalous points."""
    credited: int = 0
    """Anomalous points that are flagged after the adjustment."""
    late: int = 0
    """Points from the start of each event that was hit to its first flag."""
    hit: int = 0
    """Events of which a point is flagged, before any adjustment."""
    inside: int = 0
    """Flagged runs inside events."""
    right: int = 0
    """Flagged runs that touch an event."""
    wrong: int = 0
    """Flagged runs that touch none."""
    false: int = 0
    """Normal points that are flagged after the adjustment."""
    normal: int = 0
    """Normal points."""

    def __add__(self, other: StreamSums) -> StreamSums:
        """The sums of both."""
        return StreamSums(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))


@dataclass(frozen=True, eq=False)
class Mass:
    """A count of values above a threshold, as a function of the threshold.

    Parameters
    ----------
    values : array
        Scores, or bools. The mass takes the array over and makes it read-only; scores are sorted
        in place when their order is first asked for, so a mass belongs to one call, never to two
        threads.
    minus : array, optional
        Values that are counted off: a unit that exists between two scores is the
        higher one in ``values`` and the lower one here.
    weights : array, optional
        One weight per value instead of 1.
    per : float
        What the count is divided by, once: whole weights so stay exact.

    Examples
    --------
    >>> mass = Mass(np.array([3.0, 1.0, 2.0]))
    >>> mass.above(1.0)
    2
    >>> mass.sweep(np.array([3.0, 2.0, -np.inf]))
    array([0, 1, 3])
    >>> Mass(np.array([3.0]), minus=np.array([1.0])).sweep(np.array([3.0, 2.0, 0.0]))
    array([0, 1, 0])
    """

    values: Array
    minus: Array | None = None
    weights: Array | None = None
    per: float = 1
    _owned: bool = field(init=False, repr=False)
    """Whether nobody else holds the values, so that they may be sorted where they are."""

    def __post_init__(self) -> None:
        """Take the arrays over."""
        object.__setattr__(self, "_owned", self.values.flags.writeable)
        for array in (self.values, self.minus, self.weights):
            if array is not None:
                locked(array)

    def above(self, threshold: float) -> float:
        """The mass at one threshold."""
        chosen = self.values > threshold
        if self.weights is not None:
            return float(self.weights[chosen].sum() / self.per)
        off = 0 if self.minus is None else np.count_nonzero(self.minus > threshold)
        count = int(np.count_nonzero(chosen) - off)
        return count if self.per == 1 else count / self.per

    def sweep(self, thresholds: Floats) -> Array:
        """The mass of the values above each threshold."""
        return self._share(self._tail(thresholds, "right"))

    def reaching(self, values: Floats) -> Array:
        """The mass of the values at or above each given value."""
        return self._share(self._tail(values, "left"))

    @property
    def is_sorted(self) -> bool:
        """Whether the values are in order already."""
        return "ascending" in vars(self)

    @property
    def is_plain(self) -> bool:
        """Whether each value counts for one, and none is counted off."""
        return self.weights is None and self.minus is None and self.per == 1

    def highest_below(self, value: float) -> float:
        """The highest value below another one; -inf: there is none."""
        if not self.is_sorted:
            return float(np.max(self.values, where=self.values < value, initial=-np.inf))
        place = int(np.searchsorted(self.ascending, value, side="left"))
        return self.ascending[place - 1].item() if place else -np.inf

    @cached_property
    def ascending(self) -> Array:
        """The values in order."""
        if self.weights is not None:
            return locked(self.values[self._order])
        if not self._owned or self.values.dtype == bool:
            return locked(np.sort(self.values))
        self.values.setflags(write=True)
        self.values.sort()
        return locked(self.values)

    @cached_property
    def _off(self) -> Array:
        """What is counted off, in order."""
        assert self.minus is not None  # noqa: S101 - only asked for where there is such
        return locked(np.sort(self.minus))

    @cached_property
    def _order(self) -> Array:
        return locked(np.argsort(self.values))

    @cached_property
    def _sums(self) -> Array:
        """The weight from each place in order to the end, and none beyond it."""
        assert self.weights is not None  # noqa: S101 - only asked for with weights
        return locked(np.append(np.cumsum(self.weights[self._order][::-1])[::-1], 0))

    def _share(self, tail: Array) -> Array:
        return tail if self.per == 1 else tail / self.per

    def _tail(self, values: Floats, side: Literal["left", "right"]) -> Array:
        place = np.searchsorted(self.ascending, values, side=side)
        if self.weights is not None:
            return self._sums[place]
        place = place.astype(np.int64, copy=False)  # counts are multiplied: 32 bits overflow
        tail = np.subtract(self.values.size, place, out=place)
        if self.minus is not None:
            tail -= self.minus.size - np.searchsorted(self._off, values, side=side)
        return tail


class Counts(Protocol):
    """Tallies at any threshold, and at all that matter."""

    def at(self, threshold: float, /) -> Tally:
        """Count at one threshold."""
        ...

    @property
    def thresholds(self) -> Floats:
        """The thresholds that matter, from the highest down."""
        ...

    @property
    def sweep(self) -> tuple[Floats, Tally]:
        """Count at each of these thresholds."""
        ...


@dataclass(frozen=True, eq=False)
class Masses:
    """What a counting found in the scores, before any threshold is chosen.

    Parameters
    ----------
    found : Mass
        Truth that was found.
    truth : Mass or float
        All the truth there was.
    right : Mass or None
        Flagging that was right; None: the same mass as what was found, as it is of points.
    false : Mass
        Flagging that was not right.
    levels : tuple of Mass
        Together they hold every adjusted score of a judged point: the thresholds of the curve.
    normal : float
        How much could have been flagged wrongly.
    """

    found: Mass
    truth: Mass | float
    right: Mass | None
    false: Mass
    levels: tuple[Mass, ...]
    normal: float = np.nan

    def at(self, threshold: float) -> Tally:
        """Count at one threshold."""
        found = self.found.above(threshold)
        truth = self.truth.above(threshold) if isinstance(self.truth, Mass) else self.truth
        right = found if self.right is None else self.right.above(threshold)
        return Tally(found, truth, right, right + self.false.above(threshold), self.normal)

    @cached_property
    def sweep(self) -> tuple[Floats, Tally]:
        """Count at every distinct score and at ``-inf``, from the highest threshold down."""
        if self._is_parted:
            return self._sweep_parted()
        thresholds = self.thresholds
        found = self.found.sweep(thresholds)
        truth = self.truth.sweep(thresholds) if isinstance(self.truth, Mass) else self.truth
        right = found if self.right is None else self.right.sweep(thresholds)
        flagged = self.false.sweep(thresholds)
        flagged = np.add(flagged, right, out=flagged if flagged.dtype == right.dtype else None)
        for array in (thresholds, found, truth, right, flagged):
            locked(np.asarray(array))
        return thresholds, Tally(found, truth, right, flagged, self.normal)

    @property
    def _is_parted(self) -> bool:
        """Whether every score counts for one, either as found or as false."""
        plain = self.right is None and self.found.is_plain and self.false.is_plain
        return plain and [id(level) for level in self.levels] == [id(self.found), id(self.false)]

    def _sweep_parted(self) -> tuple[Floats, Tally]:
        """The same where the place of a score among all of them says how many lie above it."""
        ordered = self._ordered()
        rises = ordered[1:] != ordered[:-1]
        if rises.all():
            rising, last = ordered, np.arange(ordered.size, dtype=np.int64)
        else:
            last = np.append(np.flatnonzero(rises), np.int64(rises.size))
            rising = ordered[last]
        rising += 0.0  # -0.0 is 0.0
        first = np.searchsorted(rising, self.found.ascending)  # the lowest that does not find it
        found = bincount(first, minlength=rising.size)
        np.cumsum(found, out=found)
        for below, total in ((found, self.found.values.size), (last, ordered.size - 1)):
            np.subtract(total, below, out=below)
        thresholds, found, flagged = (locked(side)[::-1] for side in (rising, found, last))
        return thresholds, Tally(found, self.truth, found, flagged, self.normal)

    @property
    def counts_points(self) -> bool:
        """Whether every unit is found, or flagged wrongly, by one score, and there is no other."""
        all_there = self.found.values.size == self.truth and self.false.values.size == self.normal
        return all_there and self.right is None and self.found.is_plain and self.false.is_plain

    def next_below(self, value: float) -> float:
        """The highest score below a value: the threshold that just reaches it."""
        return max((level.highest_below(value) for level in self.levels), default=-np.inf)

    @cached_property
    def thresholds(self) -> Floats:
        """Every distinct score and ``-inf``, from the highest down."""
        if self._is_parted:
            return self.sweep[0]
        values = self._ordered()
        distinct = np.empty(values.size, bool)
        distinct[:1] = True
        np.not_equal(values[1:], values[:-1], out=distinct[1:])
        rising = values if distinct.all() else values[distinct]
        rising += 0.0  # -0.0 is 0.0
        return locked(rising)[::-1]

    def _ordered(self) -> Floats:
        """``-inf`` and every score, ascending."""
        size = sum(level.values.size for level in self.levels)
        values = np.full(size + 1, -np.inf)
        in_order = all(level.is_sorted for level in self.levels)
        parts = [level.ascending if in_order else level.values for level in self.levels]
        np.concatenate(parts, out=values[1:])
        values.sort(kind="stable" if in_order else None)  # which merges sorted parts in one pass
        return values


def every_score(adjusted: Array, events: Events) -> Mass:
    """The adjusted scores of all judged points: the thresholds of a curve that has no others."""
    return Mass((adjusted if events.judged is None else adjusted[events.judged]).copy())


def of_truth(found: Mass, truth: Mass | float, adjusted: Array, events: Events) -> Masses:
    """The masses of a counting that asks about the truth alone: the alarm side is empty."""
    none = Mass(np.zeros(0))
    return Masses(found, truth, none, none, (every_score(adjusted, events),))


def mix(parts: list[tuple[float, Masses]]) -> Masses:
    """Mix counts that differ in their false alarms only: each weighs its share of the weights.

    A part must count its false alarms one by one, without weights. What was found is the same in
    all parts, and taken from the first.

    >>> found, values = Mass(np.array([2.0])), np.array([1.0, 3.0])
    >>> wide, narrow = (Masses(found, 1, None, Mass(v), ()) for v in (values, values[:1].copy()))
    >>> mix([(3, wide), (1, narrow)]).at(0.0)
    Tally(found=1, truth=1, right=1, flagged=2.75, normal=nan)
    """
    (_, first), *others = parts
    if not others:
        return first
    values = [part.false.values for _, part in parts]
    weights = repeat(
        np.array([weight for weight, _ in parts], np.int64), [part.size for part in values]
    )
    false = Mass(np.concatenate(values), weights=weights, per=sum(weight for weight, _ in parts))
    beside = (m for _, part in parts for m in part.levels if m not in (part.found, part.false))
    return replace(first, false=false, levels=(first.found, false, *beside))


GRID = 250


def grid(scores: Array, count: int | None) -> Floats:
    """Thresholds to try: distinct scores by rank, from the highest down, and ``-inf``.

    >>> grid(np.array([1.0, 3.0, 2.0, 2.0]), None)
    array([  3.,   2.,   1., -inf])
    >>> grid(np.arange(100.0), 3)
    array([ 99.,  50.,   0., -inf])
    """
    distinct = np.unique(scores)
    distinct = distinct[distinct > -np.inf] + 0.0  # -0.0 is 0.0
    if count is not None and count < distinct.size:
        distinct = distinct[np.round(np.linspace(0, distinct.size - 1, count)).astype(np.intp)]
    return locked(np.append(distinct[::-1], -np.inf))


@dataclass(frozen=True, eq=False)
class Sampled:
    """Counts at the thresholds of a grid, made one by one when they are asked for."""

    thresholds: Floats
    count: Callable[[float], Tally]

    def at(self, threshold: float) -> Tally:
        """Count at one threshold, of the grid or not."""
        return self.count(threshold)

    @cached_property
    def sweep(self) -> tuple[Floats, Tally]:
        """Count at every threshold of the grid."""
        tallies = [self.count(threshold) for threshold in self.thresholds.tolist()]
        found, truth, right, flagged, normal = zip(*tallies, strict=True)
        found, truth, right, flagged = locked(np.array([found, truth, right, flagged], np.float64))
        return self.thresholds, Tally(found, truth, right, flagged, normal[0])
