"""Shrinking: the smallest labels and flags that still break an axiom.

A counterexample is a column per point: its label, and what one or two detectors say of it. Columns
are left out in ever smaller chunks, then flags and labels are cleared one by one, as long as the
case still shows what it showed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from adjudge.auditing.effort import OutOfTime

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from adjudge._typing import Array

_TRIES = 400


def shrink(columns: Array, shows: Callable[[Array], bool], tries: int = _TRIES) -> Array:
    """Smaller table of rows by points that still shows the same.

    Parameters
    ----------
    columns : array
        The labels in the first row, then flags (or scores).
    shows : callable
        Whether a smaller table still breaks the axiom.
    tries : int
        How often it may be called; what is left need not be the very smallest.

    Examples
    --------
    >>> shrink(np.array([[0, 1, 1, 0, 0], [0, 0, 1, 1, 0]]), lambda t: bool((t[0] < t[1]).any()))
    array([[0],
           [1]])
    """
    left = tries
    try:
        while True:
            for smaller in _smaller(columns):
                if left == 0:
                    return columns
                left -= 1
                if shows(smaller):
                    columns = smaller
                    break
            else:
                return columns
    except OutOfTime:
        return columns


def _smaller(columns: Array) -> Iterator[Array]:
    """Simpler tables, the much simpler ones first."""
    n = columns.shape[1]
    size = n // 2
    while size:
        for start in range(0, n, size):
            yield columns[:, np.r_[0:start, min(start + size, n) : n]]
        size //= 2
    low = columns.min()
    for row, point in np.argwhere(columns > low):
        cleared = columns.copy()
        cleared[row:, point] = low  # a label goes with its flags
        yield cleared


def smallest_size(sizes: Iterable[int], shows: Callable[[int], bool], otherwise: int) -> int:
    """First size at which an experiment still shows what it showed in full.

    >>> smallest_size((1, 2, 4, 8), lambda size: size > 3, otherwise=100)
    4
    """
    try:
        return next((size for size in sizes if shows(size)), otherwise)
    except OutOfTime:
        return otherwise
