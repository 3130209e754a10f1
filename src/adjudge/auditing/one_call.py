"""One call of a user's metric, and everything that can be wrong with it."""

from __future__ import annotations

import math
from contextlib import suppress
from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge._text import said, shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge._typing import Array

Named = tuple[str, str]
"""A problem: its name, and a sentence."""

_LONGEST = 200  # characters of an error message that are kept


class CallResult(NamedTuple):
    """A value, NaN if there is none, and its problems: name and sentence."""

    value: float
    problems: list[Named]


def call_once(
    metric: Callable[..., Any],
    labels: Array,
    given: Array,
    noticed: Callable[[], list[Named]],
    caught: type[BaseException] = Exception,
) -> CallResult:
    """Value of one call, with arrays of its own, and what the metric did wrong.

    Parameters
    ----------
    metric : callable
        ``(labels, flags or scores) -> float``.
    labels, given : array
        What it gets: copies of these.
    noticed : callable
        What else the metric did since this was last called, such as printing.
    caught : type
        The errors that count as the metric's.

    Examples
    --------
    >>> ones = np.ones(3, int)
    >>> call_once(lambda labels, flags: 0.5, ones, ones, list)
    CallResult(value=0.5, problems=[])
    >>> sorts = lambda labels, flags: labels.sort() or "a"
    >>> call_once(sorts, np.array([3, 2, 1]), ones, list).problems
    [('changes its input', 'it changed the labels that it was given'),
     ('returns no number', "it returned a str, 'a'")]
    """
    mine = labels.copy(), given.copy()
    before = [_held(array) for array in mine]
    problems: list[Named] = []
    value = math.nan
    try:
        result = metric(*mine)
    except caught as error:
        message = " ".join(said(error).split())[:_LONGEST]
        problems.append(("raises", f"it raised {type(error).__name__}: {message}".rstrip(": ")))
    else:
        value, wrong = number(result)
        problems += [("returns no number", wrong)] if wrong else []
    for name, was, now in zip(("labels", "detection"), before, mine, strict=True):
        if was != _held(now):
            problem = ("changes its input", f"it changed the {name} that it was given")
            problems.insert(0, problem)
    return CallResult(value, problems + noticed())


def _held(array: Array) -> tuple[str, tuple[int, ...], bytes]:
    """What an array holds, out of the metric's reach: no function of NumPy compares it later."""
    return array.dtype.str, array.shape, array.tobytes()


def number(result: Any) -> tuple[float, str]:
    """Float that a metric returned, or NaN and the reason why it is none.

    >>> number(np.float32(0.5)), number(None)
    ((0.5, ''), (nan, 'it returned a NoneType, None'))
    """
    with suppress(Exception):  # whatever the object that was returned does
        plain = isinstance(result, (Real, np.integer, np.floating, np.bool_))
        alone = getattr(result, "shape", None) == () and not np.iscomplexobj(result)
        if plain or alone:
            return float(result), ""
    return math.nan, f"it returned a {type(result).__name__}, {shown(result)}"[:_LONGEST]
