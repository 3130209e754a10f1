"""Result of one axiom, and Audit: the results of all of them."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from adjudge.errors import UnknownName
from adjudge.lab.audit.confidence import ALPHA
from adjudge.metrics.audit_results import TITLES
from adjudge.tables.result import TabledResult
from adjudge.tables.table import Layout, Table, TableColumn

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from adjudge.lab.audit.counterexample import Counterexample

Outcome = Literal["pass", "fail", "undecided", "not applicable"]
PASS: Outcome = "pass"  # noqa: S105 - no password
FAIL: Outcome = "fail"
UNDECIDED: Outcome = "undecided"
NOT_APPLICABLE: Outcome = "not applicable"
LETTERS: Mapping[Outcome, str] = {PASS: "+", FAIL: "x", UNDECIDED: "?", NOT_APPLICABLE: "-"}
"""One sign per outcome, for tables."""

_ROUNDING = 1e-9  # a difference that is none


@dataclass(frozen=True)
class Result:
    """What the audit found about one axiom."""

    axiom: str
    outcome: Outcome
    sentence: str
    statistic: float = math.nan
    bound: float = math.nan
    trials: int = 0
    extras: Mapping[str, float] = field(default_factory=dict)
    """Numbers that are reported beside the statistic and do not change the outcome."""
    counterexample: Counterexample | None = field(default=None, compare=False)
    seconds: float = field(default=0.0, compare=False)
    sentence_has_extras: bool = field(default=False, compare=False)
    """Whether the sentence says the extras too."""

    @property
    def extras_in_words(self) -> str:
        """The extras that the sentence leaves out, in a line.

        >>> found = Result("C-1", PASS, "it is low", extras={"1 event": 0.25, "40 events": 0.5})
        >>> found.extras_in_words
        '1 event: 0.2500, 40 events: 0.5000'
        """
        texts = (f"{name}: {value:.4f}" for name, value in self.extras.items())
        return "" if self.sentence_has_extras else ", ".join(texts)

    @property
    def headline(self) -> str:
        """The axiom by code and name, the outcome, and the sentence."""
        title = f" ({TITLES[self.axiom]})" if self.axiom in TITLES else ""
        return f"{self.axiom}{title} {self.outcome}: {self.sentence}"

    def __str__(self) -> str:
        """Outcome and sentence in a line, then the counterexample.

        >>> print(Result("C-1", PASS, "it is low"))
        C-1 (robust) pass: it is low
        """
        lines = [self.headline]
        if self.counterexample is not None:
            lines += [f"    {line}" for line in str(self.counterexample).splitlines()]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, which JSON can hold."""
        shown = None if self.counterexample is None else self.counterexample.to_dict()
        return {
            "axiom": self.axiom, "outcome": self.outcome, "statistic": self.statistic,
            "bound": self.bound, "trials": self.trials, "seconds": self.seconds,
            "sentence": self.sentence, "extras": dict(self.extras), "counterexample": shown,
        }  # fmt: skip


@dataclass(frozen=True, repr=False)
class Audit(TabledResult):
    """Results of all axioms for one metric.

    ``audit["C-1"]`` is the whole result of an axiom: outcome, statistic, bound, trials, seconds, a
    sentence, extras and a counterexample.

    Attributes
    ----------
    metric : str
        The metric's spec, or its function's name.
    kind : "flags" or "scores"
        What it was given.
    rows : tuple of Result
        One per axiom.
    problems : dict
        Bugs of the metric itself, by name: a sentence.

    Examples
    --------
    >>> import adjudge as aj
    >>> found = aj.audit("f1_pa", ["C-2", "C-3"], effort="quick")
    >>> found
    Audit of f1_pa (quick, seed 0): 1 pass, 1 fail
      C-2  pass            no worse detector scored more, in 600 pairs that differ in one point
      C-3  fail            perfect flags score 1; one false alarm costs 0.0005, one missed event \
0.0256 (0.01 each is required; the paper's epsilon > 0 is kept); one missed point 0.0000; exchange \
rate 0.0195 missed events per false alarm
    >>> found["C-3"].extras["one missed point"]
    0.0
    """

    metric: str
    kind: str
    seed: int
    effort: str
    rows: tuple[Result, ...]
    problems: Mapping[str, str] = field(default_factory=dict)

    @property
    def verdicts(self) -> dict[str, Outcome]:
        """Outcome by axiom: pass, fail, undecided or not applicable."""
        return {row.axiom: row.outcome for row in self.rows}

    @property
    def seconds(self) -> float:
        """Time that all axioms took."""
        return sum(row.seconds for row in self.rows)

    def __getitem__(self, axiom: str) -> Result:
        """Whole result of an axiom."""
        for row in self.rows:
            if row.axiom == axiom:
                return row
        raise UnknownName("axiom", axiom, [row.axiom for row in self.rows])

    def __iter__(self) -> Iterator[Result]:
        """Results in order."""
        return iter(self.rows)

    def __len__(self) -> int:
        """How many axioms there are."""
        return len(self.rows)

    def __repr__(self) -> str:
        """Line per axiom, after the headline."""
        room = max((len(row.axiom) for row in self.rows), default=0)
        lines = [f"  {row.axiom:<{room}}  {row.outcome:<14}  {row.sentence}" for row in self.rows]
        noted = [f"  problem: {name}: {sentence}" for name, sentence in self.problems.items()]
        return "\n".join([self.headline, *lines, *noted])

    __str__ = __repr__

    @property
    def headline(self) -> str:
        """Metric and the number of each outcome, in a line."""
        counts = Counter(self.verdicts.values())
        counted = ", ".join(f"{count} {outcome}" for outcome, count in counts.items())
        return f"Audit of {self.metric} ({self.effort}, seed {self.seed}): {counted}"

    def columns(self) -> dict[str, list[Any]]:
        """A row per axiom as columns by name, without counterexamples."""
        names = ("axiom", "outcome", "sentence", "statistic", "bound", "trials", "seconds")
        columns = {name: [vars(row)[name] for row in self.rows] for name in names}
        return {"metric": [self.metric] * len(self), **columns}

    def layout(self) -> Layout:
        """Lay the outcomes out, a row per axiom, with the problems below."""
        columns = (
            TableColumn(name, tuple(str(vars(row)[name]) for row in self.rows), is_text=True)
            for name in ("axiom", "outcome", "sentence")
        )
        problems = (f"problem: {name}: {sentence}" for name, sentence in self.problems.items())
        return Layout((Table(tuple(columns), self.headline),), tuple(problems))

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values; alpha is the chance of any wrong statistical outcome."""
        return {
            "metric": self.metric, "kind": self.kind, "seed": self.seed, "effort": self.effort,
            "alpha": ALPHA, "seconds": self.seconds, "verdicts": dict(self.verdicts),
            "problems": dict(self.problems), "axioms": [row.to_dict() for row in self.rows],
        }  # fmt: skip


def difference_in_words(difference: float, digits: int = 3) -> str:
    """How far one value lies from another, in words.

    >>> difference_in_words(0.0), difference_in_words(-0.1349)
    ('0.000 more than', '0.135 less than')
    """
    less = difference < -_ROUNDING
    return f"{abs(difference):.{digits}f} {'less' if less else 'more'} than"
