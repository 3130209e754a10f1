"""Counterexample: labels and detections that break an axiom, drawn as lines of characters.

Shrinking: the smallest labels and flags that still break an axiom.

A counterexample is a column per point: its label, and what one or two detectors say of it. Columns
are left out in ever smaller chunks, then flags and labels are cleared one by one, as long as the
case still shows what it showed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.data.intervals import reduceat
from adjudge.lab.audit.confidence import OutOfTime

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from adjudge._typing import Array, Flags

_COLUMNS = 96  # of a strip: what a terminal shows in one line
_SHADES = "0123456789"


@dataclass(frozen=True, eq=False)
class Counterexample:
    """Labels, one or two detections of them, and the values that break an axiom.

    >>> labels = np.array([0, 0, 1, 1, 0], bool)
    >>> print(Counterexample(labels, {"flags": labels, "then": ~labels}, {"flags": 1.0}))
    truth  ..##.
    flags  ..||.  1.0000
    then   ||..|
    """

    labels: Flags
    rows: Mapping[str, Array]
    """Flags (or scores) by the word that stands before them."""
    values: Mapping[str, float] = field(default_factory=dict)
    """The metric's value of each row."""
    note: str = ""

    def __str__(self) -> str:
        """Points as characters, one line per row."""
        return "\n".join(self.lines())

    def lines(self, columns: int = _COLUMNS) -> list[str]:
        """Draw it with at most so many characters per strip, each for several points if need be."""
        names = ["truth", *self.rows]
        room = max(map(len, names)) + 2
        lines = ["truth".ljust(room) + _line(self.labels, "#", columns)]
        for name, row in self.rows.items():
            value = f"  {self.values[name]:.4f}" if name in self.values else ""
            drawn = _line(_shades(row, self.rows), "|", columns)
            lines.append(name.ljust(room) + drawn + value)
        per = math.ceil(self.labels.size / columns)
        scale = [] if per == 1 else [f"({per} points per character)"]
        return [*lines, *scale, *([self.note] if self.note else [])]

    def to_dict(self) -> dict[str, Any]:
        """Plain lists, which JSON can hold."""
        rows = {name: _plain(row) for name, row in self.rows.items()}
        values = dict(self.values)
        return {
            "labels": _plain(self.labels), "rows": rows, "values": values, "note": self.note,
            "strip": str(self),
        }  # fmt: skip


def _shades(row: Array, rows: Mapping[str, Array]) -> Array:
    """Bring scores to a scale from 0 to 9 that all rows share; flags stay flags."""
    if row.dtype == bool:
        return row
    low = min(float(other.min()) for other in rows.values())
    high = max(float(other.max()) for other in rows.values())
    return np.zeros(row.size) if high == low else (row - low) / (high - low) * 9


def _line(row: Array, mark: str, columns: int) -> str:
    """Draw a row; one too long for a line is drawn in columns of several points."""
    drawn = _columns(row, columns)
    if row.dtype == bool:
        return "".join(mark if point else "." for point in drawn)
    return "".join(_SHADES[round(shade)] for shade in drawn.tolist())


def _columns(row: Array, columns: int) -> Array:
    per = math.ceil(row.size / columns)
    return reduceat(np.maximum, row, np.arange(0, row.size, per))


def _plain(row: Array) -> list[Any]:
    return [int(x) if row.dtype == bool else float(x) for x in row]


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
