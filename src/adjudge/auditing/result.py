"""Audit: what became of every axiom."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adjudge.auditing.confidence import ALPHA
from adjudge.errors import UnknownName
from adjudge.judging.result_row import json_ready

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from adjudge.auditing.axiom import Outcome, Verdict


@dataclass(frozen=True, repr=False)
class Audit:
    """The verdicts on one metric.

    ``audit["C-1"]`` is the whole verdict on an axiom: statistic, bound, trials, seconds, a
    sentence, extras and a counterexample.

    Attributes
    ----------
    metric : str
        The metric's spec, or its function's name.
    kind : "flags" or "scores"
        What it was given.
    rows : tuple of Verdict
        One per axiom.
    faults : dict
        Bugs of the metric itself, by name: a sentence.

    Examples
    --------
    >>> import adjudge as aj
    >>> found = aj.audit("f1_pa", ["C-2", "C-3"], effort="quick")
    >>> found
    Audit of f1_pa (quick, seed 0): 1 pass, 1 fail
      C-2  pass            no worse detector scored more, in 600 pairs that differ in one point
      C-3  fail            perfect flags score 1; one false alarm costs 0.0005, one missed event \
0.0256 (0.01 each is asked); one missed point 0.0000; exchange rate 0.0195 missed events per false \
alarm
    >>> found["C-3"].extras["one missed point"]
    0.0
    """

    metric: str
    kind: str
    seed: int
    effort: str
    rows: tuple[Verdict, ...]
    faults: Mapping[str, str] = field(default_factory=dict)

    @property
    def verdicts(self) -> dict[str, Outcome]:
        """The verdict by axiom: pass, fail, undecided or not applicable."""
        return {row.axiom: row.verdict for row in self.rows}

    @property
    def seconds(self) -> float:
        """How long it took."""
        return sum(row.seconds for row in self.rows)

    def __getitem__(self, axiom: str) -> Verdict:
        """Give the whole verdict on an axiom."""
        for row in self.rows:
            if row.axiom == axiom:
                return row
        raise UnknownName("axiom", axiom, [row.axiom for row in self.rows])

    def __iter__(self) -> Iterator[Verdict]:
        """Give the verdicts in order."""
        return iter(self.rows)

    def __len__(self) -> int:
        """Count the axioms."""
        return len(self.rows)

    def __repr__(self) -> str:
        """Say every verdict in a line."""
        room = max((len(row.axiom) for row in self.rows), default=0)
        lines = [f"  {row.axiom:<{room}}  {row.verdict:<14}  {row.sentence}" for row in self.rows]
        noted = [f"  fault: {name}: {sentence}" for name, sentence in self.faults.items()]
        return "\n".join([self.headline, *lines, *noted])

    @property
    def headline(self) -> str:
        """Count the verdicts in a line."""
        counts = Counter(self.verdicts.values())
        said = ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
        return f"Audit of {self.metric} ({self.effort}, seed {self.seed}): {said}"

    def to_dict(self) -> dict[str, Any]:
        """Give everything as plain values; alpha is the chance of any wrong drawn verdict."""
        return {
            "metric": self.metric, "kind": self.kind, "seed": self.seed, "effort": self.effort,
            "alpha": ALPHA, "seconds": self.seconds, "verdicts": dict(self.verdicts),
            "faults": dict(self.faults), "axioms": [row.to_dict() for row in self.rows],
        }  # fmt: skip

    def to_json(self) -> str:
        """Give everything as JSON; undefined is null."""
        return json.dumps(json_ready(self.to_dict()), allow_nan=False)
