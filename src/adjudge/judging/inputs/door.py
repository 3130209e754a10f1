"""The door: an input as it is, or labels, scores and columns, of which it decides what is meant.

This is the one place where the kind of data is asked for.
"""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

from adjudge.data.incidents import Alerts, Incidents
from adjudge.errors import InputError, shown
from adjudge.judging.inputs.annotated import Annotated
from adjudge.judging.inputs.channels import Channels
from adjudge.judging.inputs.contract import Input
from adjudge.judging.inputs.on_call import OnCall
from adjudge.judging.inputs.points import Points

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

T = TypeVar("T")
_USUAL = {"missing": "refuse", "sort": False, "votes": "each", "clock": "auto"}
"""What columns are unless they are given; all others are None."""
_OWNERS = (Points, OnCall, Channels, Annotated)


def read(labels: Any, scores: Any, columns: Mapping[str, Any]) -> Input:
    """Read what a verb was given.

    >>> read([0, 1], [0.1, 0.7], {"where": [True, True]}).detectors
    ['detector']
    >>> read([0, 1], [0.1, 0.7], {"span": (0, 9)})
    Traceback (most recent call last):
    adjudge.errors.InputError: span must be left out with points, got (0, 9); it goes with aj.OnCall
    """
    given = {name: value for name, value in columns.items() if not _is_usual(name, value)}
    if isinstance(labels, Input):
        if scores is not None:
            given["scores"] = scores
        for name, value in given.items():
            raise InputError(
                f"{name} must be given in {labels.made}, not as an argument of its own, "
                f"got {shown(value)}"
            )
        return labels
    if scores is None:
        raise InputError("scores must be given: one per label")
    kind = _kind_of(labels, scores, given)
    for name, value in given.items():
        if name not in kind.own():
            owners = [f"aj.{one.__name__}" for one in _OWNERS if name in one.own()]
            way = kind.instead.get(name)
            hint = f"; it goes with {' and '.join(owners)}" + (f", here {way}" if way else "")
            kind.refuse(name, value, hint)
    return kind.of(labels, scores, given)


def _is_usual(name: str, value: Any) -> bool:
    usual = _USUAL.get(name)
    return value is usual or (isinstance(usual, str) and isinstance(value, str) and value == usual)


def _kind_of(labels: Any, scores: Any, given: Mapping[str, Any]) -> type[Input]:
    several = given.keys() & {"channels", "annotators"}
    if isinstance(labels, Incidents) and (not several or isinstance(scores, Alerts)):
        return OnCall
    if len(several) > 1:
        raise InputError("give channels or annotators, not both: judge one channel per call")
    if "channels" in given:
        return Channels
    return Annotated if several else Points


def takes_input(scores: int = 1) -> Callable[[T], T]:
    """Let a verb take an input in the place of labels and scores: what follows moves up.

    Parameters
    ----------
    scores : int
        How many arguments say what detectors say.
    """

    def checked(verb: Any) -> Any:
        @wraps(verb)
        def moving(*values: Any, **given: Any) -> Any:
            if values and isinstance(values[0], Input):
                values = (values[0], *[None] * scores, *values[1:])
            return verb(*values, **given)

        return moving

    return checked


def chosen(by_kind: Mapping[type[Input], T], data: Input, verb: str) -> T:
    """What a verb has for a kind of data, or for one that it is made from; others are refused.

    Parameters
    ----------
    by_kind, data : dict, Input
        What there is for each kind, and what was given.
    verb : str
        What it is called.
    """
    for kind in type(data).__mro__:
        if kind in by_kind:
            return by_kind[kind]
    takes = " or ".join(f"aj.{one.__name__}" for one in by_kind)
    raise InputError(f"{verb} takes {takes}, got {data.noun}; judge them with adjudge.evaluate")
