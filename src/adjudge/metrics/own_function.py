"""A user's function of labels and flags, or of labels and scores, as a measure."""

from __future__ import annotations

import math
from contextlib import suppress
from functools import cache
from inspect import signature
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from adjudge.errors import InputError, as_text, shown
from adjudge.metrics.metric import Row

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge._typing import Array
    from adjudge.data.events import Events


class OwnFunction(NamedTuple):
    """A user's function of labels and flags (or scores), as the measure of a row."""

    function: Callable[..., Any]
    name: str
    range: tuple[float, float]

    def __call__(self, given: Array, events: Events) -> float:
        """Its value on the judged points: a number in its range, or NaN."""
        judged = slice(None) if events.judged is None else events.judged
        labels, own = events.labels[judged].astype(np.int64), given[judged].copy()  # its to change
        where = f"on {own.size} points with {len(events)} events"
        try:
            result = self.function(labels, own.astype(np.int64) if own.dtype == bool else own)
        except Exception as error:
            raised = f"it raised {type(error).__name__}: {as_text(error)}"
            raise InputError(
                f"{self.name} must return a number or NaN; {where} {raised}"
            ) from error
        value, wrong = returned_number(result)
        if wrong:
            raise InputError(f"{self.name} must return a number or NaN; {where} {wrong}")
        low, high = self.range
        if value < low - 1e-9 or value > high + 1e-9:
            raise InputError(
                f"{self.name} must return a number from {low:g} to {high:g} or NaN, got "
                f"{value:g}; give its range, aj.metric({self.name}, bounds=(low, high))"
            )
        return value


@cache
def function_row(own: OwnFunction, definition: str, kind: Any, side: Any) -> Row:
    """One row for one function, so that two of one name are told from one that is given twice."""
    return Row(
        own.name, own.name, definition, own, count=None, needs=kind, better=side, range=own.range,
        group="registered", undefined="where the function returns it",
        forgives="what `aj.audit` finds",
    )  # fmt: skip


def kind_of(function: Callable[..., Any]) -> Literal["flags", "scores"]:
    """What a function takes: scores, if its second parameter has that in its name, else flags.

    >>> kind_of(lambda labels, y_score: 0.5), kind_of(lambda truth, prediction: 0.5)
    ('scores', 'flags')
    """
    try:
        parameters = list(signature(function).parameters.values())
    except (TypeError, ValueError):  # compiled functions need not say
        return "flags"
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return "flags"
    taken = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    required = [p for p in taken if p.default is p.empty]
    if len(taken) < 2 or len(required) > 2:
        raise InputError(
            f"metric must be a function of (labels, flags) or (labels, scores), got one of "
            f"({', '.join(p.name for p in parameters)})"
        )
    return "scores" if "score" in taken[1].name else "flags"


def returned_number(result: Any) -> tuple[float, str]:
    """Float that a function returned, or NaN and the reason why it is none.

    >>> returned_number(np.float32(0.5)), returned_number(None)
    ((0.5, ''), (nan, 'it returned a NoneType, None'))
    """
    with suppress(Exception):  # whatever the object that was returned does
        if isinstance(result, (Real, np.integer, np.floating, np.bool_)) or (
            getattr(result, "shape", None) == () and not np.iscomplexobj(result)
        ):
            return float(result), ""
    return math.nan, f"it returned a {type(result).__name__}, {shown(result)}"


def value_range(bounds: object) -> tuple[float, float]:
    """Both ends of a range, which may be infinite.

    >>> value_range((0, np.inf))
    (0.0, inf)
    """
    with suppress(TypeError, ValueError):  # no pair, or not of numbers
        low, high = map(float, bounds)  # type: ignore[call-overload]
        if low < high:
            return low, high
    raise InputError(f"bounds must be (low, high) with low < high, got {shown(bounds)}")
