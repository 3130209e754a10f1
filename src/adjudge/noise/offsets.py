"""Offsets: which shifts are made, and whether they are all there are.

Each series turns by an offset of its own. Where few enough combinations exist they are all made,
each once: what follows is then exact and needs no seed. Else they are drawn, each as likely as
any other.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.checks import SEEDS, whole

if TYPE_CHECKING:
    from adjudge._typing import Positions

NEARBY = 0.1
"""The share of a series that a nearby shift moves it by at most, either way."""


class Offsets(NamedTuple):
    """How far each series turns in each shift; no shift at all is left out."""

    by: Positions
    """One row per shift, one column per series."""
    exact: bool
    """Whether these are all the shifts that there are."""


def every_offset(lengths: Positions, near: float = 1.0) -> tuple[Positions, int]:
    """Count the offsets that each series may turn by, and all their combinations.

    >>> every_offset(np.array([10, 1]), near=0.2)  # by -2 ... 2; a single point cannot turn
    (array([5, 1]), 5)
    """
    most = np.floor(near * lengths).astype(np.int64)
    choices = np.clip(2 * most + 1, 1, np.maximum(lengths, 1))
    return choices, math.prod(choices.tolist())


def choose_offsets(
    lengths: Positions, most: int, drawn: int, rng: np.random.Generator, near: float = 1.0
) -> Offsets:
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
    near : float
        The share of its series that a shift moves by at most, either way.

    Examples
    --------
    >>> choose_offsets(np.array([4]), 10, 3, np.random.default_rng(0)).by.ravel()
    array([1, 2, 3])
    """
    choices, total = every_offset(lengths, near)
    if total <= most:
        steps = np.append(1, np.cumprod(choices))[:-1]
        places = np.arange(1, total)[:, np.newaxis] // steps % choices
        return Offsets(_turns(places, choices, lengths), exact=True)
    places = rng.integers(choices, size=(drawn, choices.size))
    return Offsets(_turns(places, choices, lengths), exact=False)


def generator(seed: Any) -> np.random.Generator:
    """Read a seed, or take a generator as it is; NumPy's global state plays no part.

    >>> generator(7).integers(10, size=3)
    array([9, 6, 6])
    """
    if isinstance(seed, np.random.Generator):
        return seed
    return np.random.default_rng(whole(seed, "seed", 0, SEEDS))


def _turns(places: Positions, choices: Positions, lengths: Positions) -> Positions:
    """Turn the number of a choice into an offset: 0, 1, 2 ... forwards, then backwards."""
    back = places > (choices - 1) // 2
    return np.where(back, places - choices, places) % np.maximum(lengths, 1)
