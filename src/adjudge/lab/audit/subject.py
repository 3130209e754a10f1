"""Subject: a metric under audit, the inputs it is given, and the problems it is found to have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge._typing import Array

Kind = Literal["flags", "scores"]

WITHOUT_VALUE = {"raises", "hangs", "ends the process", "returns no number"}
"""Problems that leave no value, so that NaN stands in its place."""


class Pair(NamedTuple):
    """One input of a metric: labels, and a detection of them."""

    labels: Array
    given: Array
    """Flags as bools, or scores."""


class Problem(NamedTuple):
    """A bug of the metric itself, and the first input that showed it."""

    sentence: str
    pair: Pair


class Subject(Protocol):
    """A metric under audit."""

    kind: Kind
    range: tuple[float, float]
    better: Literal["higher", "lower"]
    documented: bool
    """Whether it is written down where the metric is undefined, so that NaN is no problem."""
    problems: dict[str, Problem]
    """Bugs that were found, by name."""

    def call(self, pairs: Sequence[Pair]) -> list[float]:
        """Value of each pair; NaN where there is none."""

    def clock(self) -> float:
        """Seconds that count against the time of an audit."""

    def close(self) -> None:
        """Let go of what it holds."""
