"""Fields of results: how results are compared, and how their values become JSON.

Two results are equal when all their fields are, undefined ones included.

Before Python 3.13 dataclasses compared their fields as one tuple, in which a NaN equals itself;
since then a result with an undefined field equals not even a copy of itself.
"""

from __future__ import annotations

import math
from dataclasses import fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


class EqualFields:
    """A base of dataclasses with ``eq=False``: equal where every compared field is."""

    def __eq__(self: DataclassInstance, other: object) -> bool:
        """Whether both are of one class and agree in every field; NaN agrees with NaN."""
        if type(other) is not type(self):
            return NotImplemented
        return all(_same(a, b) for a, b in zip(_values(self), _values(other), strict=True))

    def __hash__(self: DataclassInstance) -> int:
        """A number that is the same for equal results; NaN has none of its own."""
        return hash((type(self), *(one for one in _values(self) if isinstance(one, (str, int)))))


def _values(result: Any) -> list[Any]:
    return [vars(result)[item.name] for item in fields(result) if item.compare]


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(_same, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_same(value, b[key]) for key, value in a.items())
    return bool(a == b) or (isinstance(a, float) and isinstance(b, float) and a != a and b != b)  # noqa: PLR0124 - NaN


def json_ready(value: Any) -> Any:
    """Turn NaN into None and infinities into text, which JSON can hold."""
    if isinstance(value, dict):
        return {key: json_ready(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [json_ready(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    return value
