"""A claim of the paper, the numbers that bear on it, and the verdict that follows from them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge._typing import Array

HOLDS: Final = "holds"
FAILS: Final = "does not hold"
CORRECTED: Final = "holds when corrected"
PARTLY: Final = "holds in part"
HERE: Final = "holds in these experiments, not in general"
DEFINITION: Final = "a definition"
OPEN: Final = "needs more experiments"

Verdict = Literal[
    "holds",
    "does not hold",
    "holds when corrected",
    "holds in part",
    "holds in these experiments, not in general",
    "a definition",
    "needs more experiments",
]
Numbers = dict[str, float]


class ExperimentColumns(Protocol):
    """A table of experiments: a study, a data frame, or a mapping of arrays."""

    def __getitem__(self, name: str, /) -> Array:
        """A column."""
        ...


@dataclass(frozen=True)
class Claim:
    """What the paper says, where, and how to find out.

    Attributes
    ----------
    name : str
        A short handle.
    where : str
        The place in the paper.
    says : str
        The claim, in our words.
    numbers : callable
        From a table of experiments (column name to array) to the numbers that bear on it.
    verdict : callable
        From these numbers to a verdict. Where a number is not defined, as in a panel without
        experiments, it takes more of them.
    rule : str
        What the numbers would have to be for the claim to hold, in words.
    comment : str
        The numbers in a sentence; ``{name}`` stands for one of them.
    source : str
        The command that produces the numbers.
    needs_table : bool
        Whether the numbers are those of a table of experiments; else they are theory's.
    """

    name: str
    where: str
    says: str
    numbers: Callable[[ExperimentColumns], Numbers]
    verdict: Callable[[Numbers], Verdict]
    rule: str
    comment: str
    source: str = "adjudge study --claims"
    needs_table: bool = False

    def judged(self, table: ExperimentColumns) -> Judged:
        """Look at a table of experiments, and decide."""
        numbers = {key: float(value) for key, value in self.numbers(table).items()}
        undecided = any(math.isnan(value) for value in numbers.values())
        return Judged(self, numbers, OPEN if undecided else self.verdict(numbers))


@dataclass(frozen=True)
class Judged:
    """A claim with its numbers and its verdict."""

    claim: Claim
    numbers: Numbers
    verdict: Verdict

    @property
    def sentence(self) -> str:
        """The numbers, in a sentence."""
        if self.verdict == OPEN:
            return "One of the panels holds too few experiments."
        return self.claim.comment.format_map(_Shown(self.numbers))

    def to_dict(self) -> dict[str, Any]:
        """The claim as plain values."""
        return {
            "name": self.claim.name,
            "where": self.claim.where,
            "says": self.claim.says,
            "verdict": self.verdict,
            "numbers": dict(self.numbers),
            "rule": self.claim.rule,
            "sentence": self.sentence,
        }


class _Shown(dict[str, Any]):
    """Numbers as they are printed: counts whole, ratios to one decimal, all else to three."""

    def __getitem__(self, key: str) -> str:
        value = super().__getitem__(key)
        return f"{value:,.0f}" if key[:2] == "n_" else f"{value:.{1 if key[:2] == 'x_' else 3}f}"
