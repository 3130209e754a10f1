"""Times that are numbers: so many seconds, or another unit, since 1970."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from adjudge.data.durations import FARTHEST, NANOSECONDS
from adjudge.errors import InputError, shown

if TYPE_CHECKING:
    from adjudge._typing import Array, Positions


UNITS: Final = ("s", "ms", "us", "ns", "min", "h", "d")


def needs_unit(name: str, got: object) -> str:
    """What to say where numbers come without a unit."""
    hint = "give unit='s' (or 'ms', 'us', ...; --time-unit s) for numbers since 1970"
    return f"{name} must be timestamps, got the number {got}; {hint}"


def instants_of(array: Array, name: str, unit: str | None) -> Positions:
    """Turn numbers since 1970 into nanoseconds, exactly where they are whole."""
    if unit is None:
        raise InputError(needs_unit(name, array[0] if array.size else 0))
    if unit not in UNITS:
        raise InputError(f"unit must be one of {', '.join(UNITS)}, got {shown(unit)}")
    scale = NANOSECONDS[unit]
    huge = array.dtype.kind == "O"  # Python's own numbers, one of them beyond 64 bits
    wrong = np.abs(array) >= FARTHEST if huge else ~(np.abs(array.astype(float)) < 2**62 / scale)
    if wrong.any():
        place = int(wrong.argmax())
        got = shown(array[place])
        raise InputError(f"{name} must be from 1824 to 2116, got {got} at index {place}")
    if array.dtype.kind == "f":
        whole = np.floor(array)  # the fraction apart, so that large numbers lose nothing to it
        fraction = np.rint((array - whole) * scale).astype(np.int64)
        return _as_written(whole.astype(np.int64) * scale + fraction, array, scale)
    return array.astype(np.int64) * scale


def _as_written(instants: Positions, array: Array, scale: int) -> Positions:
    """Round to the digits that floats so large can hold: 1700000000.1 s is no 143 ns later."""
    apart = float(np.spacing(np.abs(array).max(initial=0.0))) * scale
    digits = 10 ** math.ceil(math.log10(apart)) if apart > 1 else 1
    return np.asarray((instants + digits // 2) // digits * digits)
