"""A claim of the paper, the numbers that bear on it, and the verdict that follows from them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol

from adjudge.lab.study.measurements import SCORES
from adjudge.metrics.reader import metric

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from adjudge._typing import Array
    from adjudge.metrics.metric import Metric

HOLDS: Final = "holds"
FAILS: Final = "does not hold"
CORRECTED: Final = "holds when corrected"
PARTLY: Final = "holds in part"
HERE: Final = "holds in these experiments, not in general"
DEFINITION: Final = "a definition"
OPEN: Final = "needs more experiments"
UNDECIDED: Final = "undecided"

Verdict = Literal[
    "holds",
    "does not hold",
    "holds when corrected",
    "holds in part",
    "holds in these experiments, not in general",
    "a definition",
    "needs more experiments",
    "undecided",
]
Numbers = dict[str, float]


COLUMNS = {"corrected": "f1_ba", "printed": "f1_ba_printed", "authors": "f1_ba_authors"}
"""The readings of balanced adjustment that claims are judged by: their columns in a table. That of
the authors is as the paper ran it, with width 25."""
AGREEMENT = 0.95
"""The share of resampled tables that must come to the same verdict."""
RESAMPLED = 100


class ExperimentColumns(Protocol):
    """A table of experiments: a study, a data frame, or a mapping of arrays."""

    def __getitem__(self, name: str, /) -> Array:
        """A column."""
        ...


class AsRead:
    """A table of experiments in which balanced adjustment is that of one reading."""

    def __init__(self, table: ExperimentColumns, reading: str) -> None:
        self._table, self.reading = table, reading

    def __getitem__(self, name: str, /) -> Array:
        """A column."""
        return self._table[COLUMNS[self.reading] if name == "f1_ba" else name]

    def metric(self, width: int) -> Metric:
        """F1 after balanced adjustment in this reading."""
        return metric("f1_ba").with_settings(width=width, reading=self.reading)

    @property
    def as_run(self) -> str:
        """The metric of this reading in the experiments."""
        return SCORES[COLUMNS[self.reading]]


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
        From a table of experiments, as a reading sees it, to the numbers that bear on it.
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
    numbers: Callable[[AsRead], Numbers]
    verdict: Callable[[Numbers], Verdict]
    rule: str
    comment: str
    source: str = "adjudge study --claims"
    needs_table: bool = False

    def judged(self, table: ExperimentColumns, reading: str = "corrected") -> JudgedClaim:
        """Look at a table of experiments in one reading, and decide."""
        numbers = {k: float(value) for k, value in self.numbers(AsRead(table, reading)).items()}
        undecided = any(math.isnan(value) for value in numbers.values())
        return JudgedClaim(self, numbers, OPEN if undecided else self.verdict(numbers))

    def stable(
        self, table: ExperimentColumns, others: Sequence[ExperimentColumns], reading: str
    ) -> JudgedClaim:
        """The same, undecided where too many of other tables come to another verdict."""
        found = self.judged(table, reading)
        if not self.needs_table or found.verdict == OPEN:
            return found
        same = [self.judged(other, reading).verdict == found.verdict for other in others]
        agreement = sum(same) / len(same)
        verdict = found.verdict if agreement >= AGREEMENT else UNDECIDED
        return replace(found, verdict=verdict, agreement=agreement)


@dataclass(frozen=True)
class JudgedClaim:
    """A claim with its numbers and its verdict."""

    claim: Claim
    numbers: Numbers
    verdict: Verdict
    agreement: float = math.nan
    """The share of resampled tables that come to the verdict of the table itself."""

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
            "agreement": self.agreement,
            "rule": self.claim.rule,
            "sentence": self.sentence,
        }


class _Shown(dict[str, Any]):
    """Numbers as they are printed: counts whole, ratios to one decimal, all else to three."""

    def __getitem__(self, key: str) -> str:
        value = super().__getitem__(key)
        return f"{value:,.0f}" if key[:2] == "n_" else f"{value:.{1 if key[:2] == 'x_' else 3}f}"
