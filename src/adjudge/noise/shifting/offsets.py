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
from adjudge.data.intervals import bincount

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
    places: Positions
    """The same with one column per offset, where several circles turn by one."""


class CommonOffsets:
    """Which circles turn by one offset, by how many there are, and how far each circle goes then.

    They turn by all offsets of the longest; one with fewer points in the same time turns by as many
    fewer.

    Parameters
    ----------
    number : array of int
        The number of the offset by which each circle turns.
    sizes : array of int
        The points of each circle.
    spans : pair of array of int, optional
        From when to when each circle is. None: each turns by just the offset.

    Examples
    --------
    >>> two = CommonOffsets(np.array([0, 0]), np.array([8, 4]), (np.zeros(2), np.array([8, 8])))
    >>> two.places, two.each(np.array([[3], [6]]))
    (array([8]), array([[3, 2],
           [6, 3]]))
    """

    def __init__(
        self,
        number: Positions,
        sizes: Positions,
        spans: tuple[Positions, Positions] | None = None,
    ) -> None:
        self.number, self._sizes = number, sizes
        count = int(number.max()) + 1
        self.places = np.zeros(count, np.int64)
        """How many places there are by each offset, the alarms' own among them."""
        np.maximum.at(self.places, number, sizes)
        self._pace = np.ones(number.size)
        if spans is None or count == number.size:
            return
        begin, end = spans
        paces = (end - begin) / np.maximum(sizes, 1)
        for group in np.flatnonzero(bincount(number) > 1).tolist():
            own = np.flatnonzero(number == group)
            pace = paces[own[np.argmax(sizes[own])]]
            self._pace[own] = pace / paces[own]

    @property
    def key(self) -> tuple[bytes, ...]:
        """What tells it from others of the same sizes."""
        return self.number.tobytes(), self.places.tobytes(), self._pace.tobytes()

    @property
    def is_apart(self) -> bool:
        """Whether each circle has an offset of its own."""
        return self.number.size == self.places.size

    def each(self, by: Positions) -> Positions:
        """How far each circle turns: a row per shift, of places by each offset."""
        if self.is_apart:
            return by
        offsets = by[:, self.number]
        moved = offsets if (self._pace == 1).all() else np.rint(offsets * self._pace)
        return np.asarray(moved % np.maximum(self._sizes, 1), np.int64)


def every_offset(lengths: Positions) -> int:
    """Count all combinations of offsets; more than anyone can make count as very many.

    >>> every_offset(np.array([10, 1, 3]))
    30
    """
    if np.log2(np.maximum(lengths, 1)).sum() > _VERY_MANY:
        return 1 << _VERY_MANY
    return math.prod(np.maximum(lengths, 1).tolist())


def choose_offsets(
    lengths: Positions, most: int, drawn: int, rng: np.random.Generator
) -> tuple[Positions, bool]:
    """Make all shifts if that are at most ``most``, else draw some; and say whether these are all.

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
    >>> choose_offsets(np.array([4]), 10, 3, np.random.default_rng(0))[0].ravel()
    array([1, 2, 3])
    """
    choices, total = np.maximum(lengths, 1), every_offset(lengths)
    if total <= most:
        steps = np.append(1, np.cumprod(choices))[:-1]
        return np.arange(1, total)[:, np.newaxis] // steps % choices, True
    return rng.integers(choices, size=(drawn, choices.size)), False


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
