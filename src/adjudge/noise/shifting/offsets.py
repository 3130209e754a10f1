"""Offsets: which shifts are made, and whether they are all there are.

Each circle turns by an offset of its own. Where few enough combinations exist they are all made,
each once: what follows is then exact and needs no seed. Else they are drawn, each as likely as
any other.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.checks import SEEDS, whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge._typing import Positions

_VERY_MANY = 62  # bits
_BITS = 1 << 32  # so many numbers 32 random bits make
_AT_A_TIME = 1 << 14  # pairs of numbers that are drawn at a time


class Offsets(NamedTuple):
    """How far each circle turns in each shift; no shift at all is left out."""

    by: Positions
    """One row per shift, one column per circle."""
    exact: bool
    """Whether these are all the shifts that there are."""


def every_offset(lengths: Positions) -> int:
    """Count all combinations of offsets; more than anyone can make count as very many.

    >>> every_offset(np.array([10, 1, 3]))
    30
    """
    if np.log2(np.maximum(lengths, 1)).sum() > _VERY_MANY:
        return 1 << _VERY_MANY
    return math.prod(np.maximum(lengths, 1).tolist())


def choose_offsets(lengths: Positions, most: int, drawn: int, rng: np.random.Generator) -> Offsets:
    """Make all shifts if that are at most ``most``, else draw some.

    Parameters
    ----------
    lengths : array of int
        The points of each circle.
    most : int
        So many shifts at most are made, the unshifted one counted, when all are made.
    drawn : int
        How many are drawn if not.
    rng : Generator
        Draws them.

    Examples
    --------
    >>> choose_offsets(np.array([4]), 10, 3, np.random.default_rng(0)).by.ravel()
    array([1, 2, 3])
    """
    choices, total = np.maximum(lengths, 1), every_offset(lengths)
    if total <= most:
        steps = np.append(1, np.cumprod(choices))[:-1]
        return Offsets(np.arange(1, total)[:, np.newaxis] // steps % choices, exact=True)
    return Offsets(rng.integers(choices, size=(drawn, choices.size)), exact=False)


def stream_of_offsets(lengths: Positions, drawn: int, key: Sequence[int]) -> Positions:
    """Draw shifts that depend on a key alone: what ``default_rng(key).integers`` draws, sooner.

    By Lemire's method [1]_: of 32 random bits times the number of choices the upper half is kept.
    Now and then bits must be thrown away, once in many million numbers; NumPy draws then.

    Parameters
    ----------
    lengths : array of int
        The points of each circle.
    drawn : int
        How many shifts are drawn.
    key : sequence of int
        The seed.

    References
    ----------
    .. [1] D. Lemire (2019). Fast Random Integer Generation in an Interval. ACM Transactions on
       Modeling and Computer Simulation 29(1).

    Examples
    --------
    >>> lengths, key = np.array([100, 90]), [1, 2]
    >>> drawn = np.random.default_rng(key).integers(lengths, size=(999, 2))
    >>> bool((stream_of_offsets(lengths, 999, key) == drawn).all())
    True
    """
    choices = np.maximum(lengths, 1)
    by = np.empty((drawn, choices.size), np.int64)
    if choices.min() > 1 and choices.max() < _BITS:
        bits, size = np.random.PCG64(key), 2 * max(1, _AT_A_TIME // choices.size)
        times, least = (side.astype("<u4") for side in (choices, _BITS % choices))
        for start in range(0, drawn, size):
            part = by[start : start + size]
            raw = bits.random_raw((part.size + 1) // 2).astype("<u8", copy=False).view("<u4")
            raw = raw[: part.size].reshape(part.shape)
            if (raw * times < least).any():  # the lower half of the product
                break
            product = part.view(np.uint64)
            np.multiply(raw, times, out=product, dtype=np.uint64)
            np.right_shift(product, np.uint64(32), out=product)
        else:
            return by
    return np.random.default_rng(key).integers(choices, size=by.shape)


def generator(seed: Any) -> np.random.Generator:
    """Read a seed, or take a generator as it is; NumPy's global state plays no part.

    >>> generator(7).integers(10, size=3)
    array([9, 6, 6])
    """
    if isinstance(seed, np.random.Generator):
        return seed
    return np.random.default_rng(whole(seed, "seed", 0, SEEDS))
