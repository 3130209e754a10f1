"""Probabilities as the closed forms take and give them: checked, and exact where almost 1."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge._text import shown
from adjudge.checks import share, whole
from adjudge.data.columns import column
from adjudge.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from adjudge._typing import Column

FAR = 10**300
"""A whole number that a float can still hold."""


def alarm_in(points: int, quiet: Any) -> Any:
    """1 - quiet^points without loss of digits where quiet is almost 1."""
    with np.errstate(divide="ignore"):
        return 0.0 - np.expm1(float(min(points, FAR)) * np.log(quiet))


def shares_of_widths(widths: Iterable[int]) -> list[tuple[int, float]]:
    """Each event width, and the share of the anomalous points in events that wide."""
    if not hasattr(widths, "__iter__") or isinstance(widths, str):
        raise InputError(f"widths must be one whole number per event, got {shown(widths)}")
    counts = Counter(whole(width, f"widths[{i}]", 1) for i, width in enumerate(widths))
    if not counts:
        raise InputError("widths must be one whole number per event, got none")
    points = sum(width * count for width, count in counts.items())
    return [(width, width * count / points) for width, count in sorted(counts.items())]


def shares(values: Column, name: str) -> Any:
    """Check probabilities: a number, or a column of them."""
    if not hasattr(values, "__len__"):
        return np.float64(share(values, name, zero=True))
    array = column(values, name)
    wrong = ~((array >= 0) & (array <= 1))
    if wrong.any():
        first = int(np.argmax(wrong))
        raise InputError(
            f"{name} must be shares in [0, 1], got {shown(array[first].item())} at index {first} "
            f"({np.count_nonzero(wrong)} of {array.size} points)"
        )
    return array.astype(np.float64)


def plain(values: Any) -> Any:
    """A float for a single value, an array as it is."""
    return values if np.ndim(values) else float(values)
