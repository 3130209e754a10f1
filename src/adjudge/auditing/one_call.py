"""Answering: one call of a user's metric, and everything that can be wrong with it."""

from __future__ import annotations

import math
from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge._typing import Array

_LONGEST = 200  # characters of an error message that are kept


class Answer(NamedTuple):
    """A value, NaN if there is none, and the faults that were met: name and sentence."""

    value: float
    faults: list[tuple[str, str]]


def asked(
    metric: Callable[..., Any],
    labels: Array,
    given: Array,
    printed: Callable[[], bool],
    caught: type[BaseException] = Exception,
) -> Answer:
    """Call a metric with arrays of its own, and see what it does.

    Parameters
    ----------
    metric : callable
        ``(labels, flags or scores) -> float``.
    labels, given : array
        What it gets: copies of these.
    printed : callable
        Whether anything was printed since it was last asked.
    caught : type
        The errors that count as the metric's.

    Examples
    --------
    >>> ones = np.ones(3, int)
    >>> asked(lambda labels, flags: 0.5, ones, ones, lambda: False)
    Answer(value=0.5, faults=[])
    >>> asked(lambda labels, flags: labels.sort() or "a", ones[::-1] * [3, 2, 1], ones, bool).faults
    [('changes its input', 'it changed the labels that it was given'),
     ('returns no number', "it returned a str, 'a'")]
    """
    mine = labels.copy(), given.copy()
    faults: list[tuple[str, str]] = []
    value = math.nan
    try:
        result = metric(*mine)
    except caught as error:
        message = " ".join(str(error).split())[:_LONGEST]
        faults.append(("raises", f"it raised {type(error).__name__}: {message}".rstrip(": ")))
    else:
        value, wrong = number(result)
        faults += [("returns no number", wrong)] if wrong else []
    for name, was, now in zip(("labels", "detection"), (labels, given), mine, strict=True):
        if not np.array_equal(was, now):
            fault = ("changes its input", f"it changed the {name} that it was given")
            faults.insert(0, fault)
    if printed():
        faults.append(("prints", "it wrote to standard output or error"))
    return Answer(value, faults)


def number(result: Any) -> tuple[float, str]:
    """Read what a metric returned: a float, or the reason why it is none.

    >>> number(np.float32(0.5)), number(None)
    ((0.5, ''), (nan, 'it returned a NoneType, None'))
    """
    plain = isinstance(result, (Real, np.integer, np.floating, np.bool_))
    alone = getattr(result, "shape", None) == () and not np.iscomplexobj(result)
    if plain or alone:
        try:
            return float(result), ""
        except (TypeError, ValueError, OverflowError):
            pass
    return math.nan, f"it returned a {type(result).__name__}, {result!r}"[:_LONGEST]
