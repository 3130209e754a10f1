"""Axiom: a sentence about metrics, and the experiment that decides it for one metric."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge.auditing.result import Result
    from adjudge.auditing.run import Run

NOISE = "does noise win?"
ORDER = "does better score better?"
REWARD = "what does it reward?"
QUESTIONS = (NOISE, ORDER, REWARD)
"""What a reader asks of a metric; every axiom answers one of these."""


@dataclass(frozen=True)
class Axiom:
    """What a metric owes, and how that is found out.

    Attributes
    ----------
    name, title, sentence : str
        What it is called, and what it says.
    source : str
        Who asks for it.
    experiment, rule : str
        What is done, and what decides, in words.
    broken : str
        What a counterexample looks like.
    decide : callable
        The experiment: takes a `Run`, gives a `Result`.
    question : str
        Which of the `QUESTIONS` it helps to answer.
    threshold : bool
        Whether it is about thresholds, so that it says nothing of a metric that needs scores.
    scale : bool
        Whether it compares values with numbers, so that it says nothing of an unbounded metric.
    drawn : bool
        Whether its experiment is drawn, trial by trial; such are run after the others, so that
        no slow one takes the time of one that is decided at once.
    statistical : bool
        Whether it is decided by intervals, so that it shares in the chance of error of an audit.
    quotes : bool
        Whether its sentence quotes values as the `Run` turns them, so that this must be said.
    """

    name: str
    title: str
    sentence: str
    source: str
    experiment: str
    rule: str
    broken: str
    decide: Callable[[Run], Result] = field(repr=False)
    question: str = ORDER
    threshold: bool = False
    scale: bool = True
    drawn: bool = False
    statistical: bool = False
    quotes: bool = True

    def why_not_applicable(self, run: Run) -> str:
        """Reason why the axiom says nothing of a metric; empty if it does."""
        if self.threshold and run.kind == "scores":
            return "it is about thresholds, and this metric judges scores without one"
        if self.scale and not run.bounded:
            return "it compares values with fixed numbers, and this metric has no bounded range"
        return ""
