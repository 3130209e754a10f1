r"""Flips: how often a difference is as large when units change sides, and what it may truly be.

If two detectors are equally good, what a unit adds to their difference d might as well have the
other sign. With :math:`z_u` what each unit adds, :math:`h_u` its share of what is at stake
(:math:`\sum z_u = d`, :math:`\sum h_u = 1`) and words w of signs,

.. math:: p = \frac{1}{W} \, \# \{w: |\textstyle\sum w_u z_u| \ge |d|\},
   \qquad |d - x| \le |\textstyle\sum w_u z_u - x \sum w_u h_u|

and the interval holds every difference x that 5 % of the words keep [1]_: it leaves 0 out exactly
when p is at most .05. Up to 12 units all words are made. Of more units the words are a subgroup of
4,096 (a linear code [2]_), with which p is as exact: no seed plays a part. Two words of it differ
in no place alike, so that no two of 4,095 units always flip together.

References
----------
.. [1] J. A. Hartigan (1969). Using subsample values as typical values. Journal of the American
   Statistical Association 64(328).
.. [2] J. Hemerik and J. Goeman (2018). Exact testing with random permutations. TEST 27(4).
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.data.intervals import reduceat
from adjudge.noise.intervals.student import UNDEFINED, Interval

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from adjudge._typing import Floats, Positions
    from adjudge.noise.intervals.spread import Moves

_LEVEL = 0.95
PRIMITIVE = {10: 0b100_0000_1001, 12: 0b1_0000_0101_0011}  # polynomials over two elements
BITS, FEW_BITS = 12, 10
_SAME = 1e-9  # of all that units add: no less is a difference
_BLOCKS, _MEMORY = 6, 1.5  # blocks at least; a variance swollen so much asks for them


class Tested(NamedTuple):
    """How often equally good detectors differ as much, and what the difference may truly be."""

    p_value: float
    interval: Interval
    p_exchange: float = math.nan
    """How often detectors that are the same in all differ as much."""


UNTESTED = Tested(math.nan, UNDEFINED)


def signed_sums(values: Floats, bits: int = BITS) -> Floats:
    """Sum values under each word of signs, the first of which leaves them as they are.

    The values are binned by the column of the code that each unit has; a Walsh-Hadamard transform
    of the bins makes all sums at once.

    Parameters
    ----------
    values : array
        Of each unit, along the first axis.
    bits : {10, 12}
        There are at most 2^bits words.

    Examples
    --------
    >>> signed_sums(np.array([1.0, 5.0]))
    array([ 6.,  4., -4., -6.])
    """
    bits, columns = min(bits, len(values)), code_columns(bits)
    sums = np.zeros((1 << bits, *values.shape[1:]))
    np.add.at(sums, columns[np.arange(len(values), dtype=np.int64) % len(columns)], values)
    for bit in range(bits):
        pairs = sums.reshape(-1, 2, 1 << bit, *values.shape[1:])
        less = pairs[:, 0] - pairs[:, 1]
        pairs[:, 0] += pairs[:, 1]
        pairs[:, 1] = less
    return sums


@lru_cache
def code_columns(bits: int) -> Positions:
    """The powers of a primitive element: all numbers below 2^bits but 0, each once.

    The first ones are single bits, so that few units have all words there are.
    """
    powers = [1]
    while len(powers) < (1 << bits) - 1:
        double = powers[-1] << 1
        powers.append(double ^ PRIMITIVE[bits] if double >> bits else double)
    return np.array(powers, np.int64)


def flipped(added: Floats, shares: Floats, beside: float = 0.0) -> Tested:
    """Test a difference by flips of what units add to it.

    Parameters
    ----------
    added, shares : array
        What each unit adds to the difference, and its share of what is at stake.
    beside : float
        What either of two imagined units adds, for or against.

    Examples
    --------
    Eight units, of which each but one speaks for the first detector:

    >>> found = flipped(np.array([3.0, 5, 4, 6, 2, 7, -1, 4]) / 8, np.full(8, 1 / 8))
    >>> print(f"{found.p_value:.4f} {found.interval.low:.2f} {found.interval.high:.2f}")
    0.0156 1.50 5.67
    """
    return _tested(signed_sums(np.stack([added, shares], axis=1)), added, beside)


def _tested(signed: Floats, added: Floats, beside: float = 0.0) -> Tested:
    """The same of the sums that all flips make."""
    sums, kept = signed.T
    if beside:
        sums = (sums + beside * np.array([[2], [0], [0], [-2]])).ravel()
        kept = np.tile(kept, 4)
    seen, same = float(added.sum()), _SAME * float(np.abs(added).sum())
    p = float(np.mean(np.abs(sums) >= abs(seen) - same))
    roots = np.stack([_root(seen - sums, 1 - kept, same), _root(seen + sums, 1 + kept, same)])
    each = np.isnan(roots).any(axis=0)
    low = np.where(each, -np.inf, np.fmin(*roots))
    high = np.where(each, np.inf, np.fmax(*roots))
    enough = math.floor((1 - _LEVEL) * len(sums))
    lowest = np.partition(low, enough)[enough]
    highest = -np.partition(-high, enough)[enough]
    return Tested(p, Interval(float(lowest), float(highest)))


def _root(top: Floats, under: Floats, same: float) -> Floats:
    """A difference at which a flip changes nothing; NaN: at every one."""
    top, under = np.where(np.abs(top) <= same, 0, top), np.where(under <= _SAME, 0, under)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(top / under)


def by_flips(moves: Moves, seen: float, alike: float) -> Tested:
    """Test a difference by what units add to it, neighbours that fare alike together.

    Where few units differ, flips alone know too little: two detectors that find all of eight events
    would be equal for sure. So the ends are those with what is imagined beside the units, which may
    go either way, as far as these say the same about 0. And flips believe that a unit says much if
    all units say a little: a single storm of false alarms lowers what all other units add. An
    exchange knows better, so the larger p-value counts, and the interval reaches 0 with it.

    Parameters
    ----------
    moves : Moves
        Of the units.
    seen : float
        The difference.
    alike : float
        By how much neighbours that fare alike swell the variance.
    """
    own, shares = summed_blocks(np.stack([moves.own, moves.shares], axis=1), alike).T
    added = own + shares * (seen - own.sum())
    signed = signed_sums(np.stack([added, shares], axis=1))
    plain = _tested(signed, added)
    either = math.sqrt(float((moves.pseudo_rows**2).sum()) / 2)
    wider = _tested(signed, added, either).interval
    low, high = plain.interval
    low = low if low > 0 >= wider.low else min(low, wider.low)
    high = high if high < 0 <= wider.high else max(high, wider.high)
    if moves.p_exchange > 1 - _LEVEL:
        low, high = min(low, 0.0), max(high, 0.0)
    p = max(plain.p_value, moves.p_exchange)
    return Tested(p, Interval(low, high), moves.p_exchange)


def widest(tests: Iterable[Tested]) -> Tested:
    """Several tests of one difference: the largest p-value, and all that any interval holds.

    Each interval leaves 0 out, on the side of the difference, exactly when its p-value is small: so
    do all together.

    >>> found = widest([Tested(0.02, Interval(0.1, 0.5), 0.01), Tested(0.04, Interval(0.0, 0.4))])
    >>> found.p_value, found.interval
    (0.04, Interval(low=0.0, high=0.5))
    """
    p_values, intervals, exchanges = zip(*tests, strict=True)
    lows, highs = zip(*intervals, strict=True)
    return Tested(max(p_values), Interval(min(lows), max(highs)), max(exchanges))


def summed_blocks(rows: Floats, alike: float) -> Floats:
    """The sums of rows over blocks of neighbours, by how much these swell the variance.

    Blocks of b show a correlation of neighbours k apart by a share of 1 - k/b: about half of it.
    So they are twice as long as what they are to show.

    >>> summed_blocks(np.ones(13), 1.4).size, summed_blocks(np.ones(13), 1.5)
    (13, array([2., 2., 2., 2., 2., 3.]))
    """
    count = len(rows)
    size = 1 if alike < _MEMORY else min(math.ceil(2 * alike - 1), count // _BLOCKS)
    return reduceat(np.add, rows, np.arange(count // size, dtype=np.int64) * size)


def p_of_exchange(
    value: Callable[[Floats], Floats], rows: Floats, alike: float, optimism: float, bits: int
) -> float:
    """How often two detectors differ as much when they are exchanged in some of the units.

    Parameters
    ----------
    value : callable
        Sums of both detectors to their difference.
    rows : array
        What each unit adds to the sums of each detector.
    alike : float
        By how much neighbours that fare alike swell the variance: these change together.
    optimism : float
        How much of the difference is due to the choice of thresholds.
    bits : int
        There are at most 2^bits exchanges.
    """
    both = rows.sum(axis=(0, 1))
    apart = signed_sums(summed_blocks(rows[:, 0] - rows[:, 1], alike), bits)
    found = value(np.stack([both + apart, both - apart], axis=1) / 2)
    return float(np.mean(~(np.abs(found) < abs(found[0] - optimism) - _SAME)))  # NaN may be as much
