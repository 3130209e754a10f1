"""Fields of results: what a column says of itself, how results are compared and become JSON.

Two results are equal when all their fields are, undefined ones included.

Before Python 3.13 dataclasses compared their fields as one tuple, in which a NaN equals itself;
since then a result with an undefined field equals not even a copy of itself.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from _typeshed import DataclassInstance

T = TypeVar("T")
Average = Literal["mean", "unknown", "first"]
"""What stands in a row that is the mean of several: their mean, nothing, or what the first has."""


class Shown(NamedTuple):
    """How a column is shown in tables for people."""

    title: str
    place: int
    """From left to right."""
    rank: int
    """Where there is no room, the columns of the highest rank are left out first; 0 never is."""
    verbose: bool = False
    """Whether it is shown on request only."""


@dataclass(frozen=True)
class ResultColumn:
    """What a column of results says of itself: all lists of columns are made of these."""

    words: str
    csv: int = 0
    """Its place in the CSV of the command line; 0: it is not there."""
    ranking: int = 0
    """Its place in the results of a ranking; 0: it is not there."""
    runs: Average = "first"
    """What the mean over the runs of a detector has."""
    files: Average = "first"
    """What the mean over files has."""
    shown: Shown | None = None
    of: Callable[..., Any] | None = None
    """What fills it, where its maker has no reason to know it."""
    kind: str = ""
    """Its type, as the field is annotated."""


def about(words: str, **places: Any) -> dict[str, ResultColumn]:
    """What makes a field of a dataclass a column: its ``metadata``."""
    return {"column": ResultColumn(words, **places)}


def column(default: T, words: str, **places: Any) -> T:
    """A field with a default that is a column; see `ResultColumn` for its places.

    >>> @dataclass
    ... class Line:
    ...     low: float = column(0.5, "95 % interval, low end", csv=11)
    >>> Line(), columns_of(Line)["low"].words
    (Line(low=0.5), '95 % interval, low end')
    """
    return field(default=default, metadata=about(words, **places))


def columns_of(rows: type[DataclassInstance]) -> dict[str, ResultColumn]:
    """The columns of a class of rows by name; a field that declares none is no column."""
    return {
        item.name: replace(item.metadata["column"], kind=str(item.type))
        for item in fields(rows)
        if "column" in item.metadata
    }


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
