"""Read-only arrays: what a case and its events hold, nobody changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from adjudge._typing import Array


def locked(array: Array) -> Array:
    """Make an array read-only, where nobody else can write to it: not a caller's own array.

    >>> locked(np.zeros(2)).flags.writeable
    False
    """
    array.setflags(write=False)
    return array


def restore(held: object, state: dict[str, Any]) -> None:
    """Hold values that were pickled, or just made: their arrays are read-only from now on."""
    for value in state.values():
        if isinstance(value, np.ndarray):
            locked(value)
    held.__dict__.update(state)
