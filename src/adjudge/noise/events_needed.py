"""Events needed: how many events it takes to see such a difference four times out of five.

The observed events are taken as the population. With the spread ``s0`` of the swapped differences
and the spread ``s1`` of the drawn ones, both falling with the root of the number of events, a test
at 5 % sees a difference ``d`` with a power of 80 % from

    events * ((1.96 s0 + 0.84 s1) / d)^2

events on. Few events are counted out instead: so many are drawn again and again, and swapped. Fewer
units that differ than six can never do: two of 2^5 swaps are more than 5 %.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.noise.p_values import TIE
from adjudge.noise.paired import resampled

if TYPE_CHECKING:
    from adjudge._typing import Floats
    from adjudge.noise.paired import Paired

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
