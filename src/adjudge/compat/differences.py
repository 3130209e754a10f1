"""Differences: by which conventions one gets the number that somebody else printed.

The same scores give many numbers that are called F1. Here the conventions of the field are tried
one by one, from the plain to the odd: which points were judged, which way round the scores are,
how the threshold was chosen, which metric was taken, how several series were put together.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from adjudge._text import shown
from adjudge.checks import function
from adjudge.compat.conventions import conventions
from adjudge.data.case import Case
from adjudge.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge._typing import Column


@dataclass(frozen=True)
class Convention:
    """One way to come to a number."""

    words: str
    value: float


@dataclass(frozen=True)
class Differences:
    """What was tried, and what gives the number that was asked about."""

    theirs: str
    tried: int
    matches: tuple[Convention, ...]
    nearest: Convention | None
    """The convention that comes nearest, where none matches."""

    @property
    def by_accident(self) -> float:
        """How many of so many tried would match if their values lay anywhere between 0 and 1."""
        return self.tried * _step(self.theirs)

    def __str__(self) -> str:
        """Say it in lines."""
        lines = [f"{_shown(match.value, self.theirs)}  {match.words}" for match in self.matches]
        if not lines and self.nearest is not None:
            lines = [f"nearest: {self.nearest.value:.6g}  {self.nearest.words}"]
        end = f"{self.tried} conventions tried, {len(self.matches)} give {self.theirs}"
        lines.append(f"{end}; by accident about {self.by_accident:.2g} would")
        if self.matches and len(self.matches) <= 2 * self.by_accident:
            lines.append("so few digits tell nothing: give more of them, if they were printed")
        return "\n".join(lines)

    __repr__ = __str__


def explain_difference(
    labels: Column,
    scores: Column,
    theirs: str,
    *,
    at: float | None = None,
    series: Column = None,
    where: Column = None,
    progress: Callable[[int, int, str], None] | None = None,
) -> Differences:
    """Name the conventions by which these labels and scores give a number that was printed.

    Parameters
    ----------
    labels, scores, series, where : column
        See `adjudge.Case`.
    theirs : str
        The number as it was printed, such as "0.83" or "83.2": its digits are what must agree. A
        number above 1 is taken for per cent.
    at : float, optional
        The threshold that was used, if it is known.
    progress : callable, optional
        Called with (done, total, what comes next) as one metric after the other is tried.

    Returns
    -------
    Differences
        The conventions that match, the plainest first.

    Examples
    --------
    >>> print(explain_difference([0, 0, 1, 1, 1, 0], [0, 1, 0, 1, 0, 0], "0.857"))
    ... # doctest: +ELLIPSIS
    0.857  f1_pa of the flags...
    """
    _step(theirs)  # which refuses what is no number
    case = Case(labels, scores, series=series, where=where)
    found: list[Convention] = []
    nearest, tried = None, 0
    tell = function(progress, "progress") or _untold
    for words, value in conventions(case, at, tell):
        if math.isnan(value):
            continue
        tried += 1
        here = Convention(words, value)
        if _shown(value, theirs) == theirs:
            found.append(here)
        if nearest is None or _off(here, theirs) < _off(nearest, theirs):
            nearest = here
    return Differences(theirs, tried, tuple(found), None if found else nearest)


def _untold(done: int, total: int, what: str) -> None:
    """Nobody looks on."""


def _step(theirs: str) -> float:
    """The last printed digit's worth, as a share."""
    if not isinstance(theirs, str) or not re.fullmatch(r"-?\d*\.?\d+", theirs):
        raise InputError(
            f"theirs must be a number as it was printed, such as 0.83, got {shown(theirs)}"
        )
    return 10.0 ** -len(theirs.partition(".")[2]) / _scale(theirs)


def _scale(theirs: str) -> int:
    return 100 if abs(float(theirs)) > 1 else 1


def _shown(value: float, theirs: str) -> str:
    text = f"{value * _scale(theirs):.{len(theirs.partition('.')[2])}f}"
    return text.removeprefix("0") if theirs.startswith(".") else text


def _off(found: Convention, theirs: str) -> float:
    return abs(found.value * _scale(theirs) - float(theirs))
