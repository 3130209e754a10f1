"""Events needed: how many events it takes to see such a difference four times out of five.

The observed events are taken as the population. With the spread ``s0`` of the swapped differences
and the spread ``s1`` of the drawn ones, both falling with the root of the number of events, a test
at 5 % sees a difference ``d`` with a power of 80 % from

    events * ((1.96 s0 + 0.84 s1) / d)^2

events on. Few events are counted out instead: so many are drawn again and again, and swapped. Fewer
units that differ than six can never do: two of 2^5 swaps are more than 5 %.

Paired rows: what two detectors earned and paid in the same pieces of time.

A piece is an event, or a normal stretch between events. Luck may swap what the two detectors
made of a piece; other events would have been other pieces.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.noise.intervals.over_events import (
    FALSE_RUN,
    EventRows,
    Imagined,
    event_rows,
    filled_up,
    imagine,
    measured,
)
from adjudge.noise.p_values import TIE

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge._typing import Floats, Positions
    from adjudge.data.case import Case
    from adjudge.metrics.metric import Metric

_ALL_SWAPS = 12  # units that differ, up to which every swap is made
_BLOCK = 1 << 20


class Side(NamedTuple):
    """The rows of one detector: a line per event, and a line per normal stretch."""

    rows: EventRows
    stretches: Floats
    imagined: Imagined
    at: float | None


class Swaps(NamedTuple):
    """Differences that luck makes."""

    values: Floats
    exact: bool
    """Whether all swaps were made, the pair as it is among them."""


def detector_side(metric: Metric, case: Case) -> Side:
    """Sum what one detector earned and paid in each piece of time."""
    ledger, flags, at = metric.ledger(case)
    events = case.events
    rows = event_rows(ledger, events)
    edges = np.unique(np.concatenate([events.series_bounds, events.starts, events.stops]))[:-1]
    place = np.searchsorted(edges, rows.false_starts, side="right") - 1
    stretches = np.zeros((len(edges), 4))
    np.add.at(stretches, place, rows.false)
    return Side(rows, stretches, imagine(metric, rows, flags, events), at)


class Paired(ABC):
    """Two detectors on the same pieces of time: what luck may swap, and what is drawn again."""

    events: Floats
    """What each event adds to the sums of a and of b."""
    units: Floats
    """The same for all pieces, events first."""

    @abstractmethod
    def differences(self, sums: Floats) -> Floats:
        """The first value less the second, of sums for both detectors along the last axes."""

    @abstractmethod
    def drawn(self, draws: int, rng: np.random.Generator) -> Floats:
        """Draw the difference again, had other events and other normal time occurred."""

    def swapped(self, draws: int, rng: np.random.Generator) -> Swaps:
        """Swap what a and b made of the units: every way there is, or so many ways at random."""
        gain = self.units[:, 1] - self.units[:, 0]  # what b has more than a
        gain = gain[np.any(gain != 0, axis=1)]
        exact = len(gain) <= _ALL_SWAPS
        if exact:
            moved = every_choice(len(gain)) @ gain
        else:
            size = max(1, _BLOCK // len(gain))
            sizes = (min(size, draws - start) for start in range(0, draws, size))
            moved = np.concatenate([rng.integers(2, size=(k, len(gain))) @ gain for k in sizes])
        a, b = self.units.sum(axis=0)
        return Swaps(self.differences(np.stack([a + moved, b - moved], axis=1)), exact)


class PairedSums(Paired):
    """Two detectors at a threshold each.

    Parameters
    ----------
    measure : callable
        What is measured of a tally.
    sides : pair of Side
        Their rows.
    """

    def __init__(self, measure: Callable[[Any], Any], sides: tuple[Side, Side]) -> None:
        self.sides, self._measure = sides, measure
        self.normal = np.array([side.rows.normal for side in sides])
        self.events = np.stack([side.rows.events for side in sides], axis=1)
        self.units = np.concatenate(
            [self.events, np.stack([side.stretches for side in sides], axis=1)]
        )

    @property
    def values(self) -> Floats:
        """The values of both."""
        return self.measured(self.units.sum(axis=0))

    def measured(self, sums: Floats) -> Floats:
        """Measure sums of shape (..., 2, 4): one value for each detector."""
        normal = np.broadcast_to(self.normal[:, np.newaxis], (*sums.shape[:-1], 1))
        whole = np.concatenate([sums, normal], axis=-1)
        whole[..., 3] = np.fmin(whole[..., 3], whole[..., 2] + whole[..., 4])
        return measured(self._measure, whole)

    def differences(self, sums: Floats) -> Floats:
        """The first value less the second."""
        values = self.measured(sums)
        return np.asarray(values[..., 0] - values[..., 1])

    def drawn(self, draws: int, rng: np.random.Generator) -> Floats:
        """Draw the difference again, with the weights of `adjudge.noise.intervals.over_events`.

        The imagined event is split over found by both, by either, and by none.
        """
        one, two = (side.imagined for side in self.sides)
        found, missed = (one.found, two.found), (one.missed, two.missed)
        quarters = [np.stack([x[0], y[1]]) for x in (found, missed) for y in (found, missed)]
        rows = np.concatenate([self.events, quarters]).reshape(-1, 8)
        count = len(self.events)
        shapes = np.append(np.ones(count), np.full(4, 0.25))
        weights = rng.standard_gamma(shapes, (draws, count + 4))
        sums = (weights @ rows) * (count / weights.sum(axis=1, keepdims=True))
        sums = sums.reshape(draws, 2, 4)
        return self.differences(sums + self._false(draws, rng))

    def _false(self, draws: int, rng: np.random.Generator) -> Floats:
        """Draw the false alarms again: by stretch, and an imagined run for each detector."""
        stretches = np.stack([side.stretches for side in self.sides], axis=1)
        stretches = stretches[np.any(stretches != 0, axis=(1, 2))].reshape(-1, 8)
        drawn = rng.standard_gamma(1.0, (draws, len(stretches))) @ stretches
        false = drawn.reshape(draws, 2, 4)
        for number, side in enumerate(self.sides):
            extra = rng.standard_gamma(FALSE_RUN, draws)[:, np.newaxis] * side.imagined.false
            false[:, number] = filled_up(false[:, number] + extra, side.rows)
        return false


def every_choice(count: int) -> Positions:
    """List every way to swap some of so many units.

    >>> every_choice(2)
    array([[0, 0],
           [1, 0],
           [0, 1],
           [1, 1]])
    """
    return np.arange(1 << count)[:, np.newaxis] >> np.arange(count) & 1


def resampled(pair: Paired, events: int, draws: int, rng: np.random.Generator) -> Positions:
    """Draw so many events, and normal stretches in proportion, with replacement: unit numbers."""
    count, units = len(pair.events), len(pair.units)
    own = rng.integers(count, size=(draws, events))
    stretches = max(1, round(events * (units - count) / count))
    return np.hstack([own, rng.integers(count, units, size=(draws, stretches))])


_TWO_SIDED, _POWER = 1.96, 0.8416
_LEVEL = 0.05
_DOZEN = 12
_FEWEST = 6  # the smallest k with 2 / 2^k <= 5 %
_COUNTED = 60  # events up to which the power is counted out
_TRIES = 200
_SWAPS, _FEW_SWAPS = 499, 99  # of a dozen events, and of more
_ENDS = (0.1, 0.9)  # of the difference, for the range


class Needed(NamedTuple):
    """How many events it takes, and from how few to how many it may."""

    events: int | None
    span: tuple[int, int | None] | None = None

    def __str__(self) -> str:
        """Say it in words.

        >>> print(Needed(40, (15, None)))
        40 events (15 or more; the true difference may be nothing)
        """
        if self.span is None:
            return f"{self.events} events"
        low, high = self.span
        rest = "or more; the true difference may be nothing" if high is None else f"to {high}"
        return f"{self.events} events ({low} {rest})"


def events_needed(
    difference: float,
    luck: Floats,
    drawn: Floats,
    count: int,
    rng: np.random.Generator,
    pair: Paired | None = None,
) -> Needed:
    """Say how many events it takes to see the difference with a power of 80 % at 5 %.

    Parameters
    ----------
    difference : float
        What was seen.
    luck, drawn : array
        Differences that swaps make, and that other events would have made.
    count : int
        How many events there are.
    rng : Generator
        Draws the pieces.
    pair : Paired, optional
        The pieces, so that few events can be counted out. Without it the number is an estimate.
    """
    luck, drawn = luck[~np.isnan(luck)], drawn[~np.isnan(drawn)]
    if not luck.size or not drawn.size or math.isnan(difference) or abs(difference) <= TIE:
        return Needed(None)
    swaps = math.sqrt(np.mean(luck**2))
    other = float(drawn.std()) if pair is None else _spread(pair, rng)
    ratio = (_TWO_SIDED * swaps + _POWER * other) / abs(difference)
    events = max(_FEWEST, math.ceil(count * ratio**2))
    if pair is not None and events <= _COUNTED:
        events = _counted_out(pair, rng)
    ends = np.quantile(drawn, _ENDS) * np.sign(difference)
    return Needed(events, _span(events, abs(difference), float(ends.min()), float(ends.max())))


def power(pair: Paired, events: int, rng: np.random.Generator, tries: int = _TRIES) -> float:
    """Count how often so many events, drawn from those there are, show a difference at 5 %."""
    units = pair.units[resampled(pair, events, tries, rng)]  # try, unit, detector, mass
    gain = units[:, :, 1] - units[:, :, 0]
    able = np.count_nonzero(np.any(gain != 0, axis=2), axis=1) >= _FEWEST
    a, b = (units[:, :, side].sum(axis=1)[:, np.newaxis] for side in (0, 1))
    swaps = _SWAPS if events <= _DOZEN else _FEW_SWAPS
    sides = rng.integers(2, size=(tries, swaps, units.shape[1]), dtype=np.uint8)
    moved = sides.astype(np.float64) @ gain
    luck = np.abs(pair.differences(np.stack([a + moved, b - moved], axis=2)))
    own = np.abs(pair.differences(np.stack([a, b], axis=2)))
    reached = np.count_nonzero(luck >= own - TIE, axis=1)
    defined = np.maximum(np.count_nonzero(~np.isnan(luck), axis=1), 1)
    return float(np.mean(able & (reached / defined <= _LEVEL)))


def _spread(pair: Paired, rng: np.random.Generator) -> float:
    """The spread of the difference when the pieces are drawn with replacement."""
    chosen = resampled(pair, len(pair.events), _TRIES, rng)
    return float(np.nanstd(pair.differences(pair.units[chosen].sum(axis=1))))


def _counted_out(pair: Paired, rng: np.random.Generator) -> int:
    """Halve the stretch of numbers until the power passes 80 %."""
    low, high = _FEWEST - 1, 2 * _COUNTED
    while high - low > 1:
        middle = (low + high) // 2
        enough = power(pair, middle, rng) >= 0.8
        low, high = (low, middle) if enough else (middle, high)
    return high


def _span(events: int, difference: float, low: float, high: float) -> tuple[int, int | None]:
    fewest = max(_FEWEST, math.ceil(events * (difference / max(high, difference)) ** 2))
    if low <= TIE:
        return fewest, None
    return fewest, math.ceil(events * (difference / min(low, difference)) ** 2)
