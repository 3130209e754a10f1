"""Axiom: a sentence about metrics, and the experiment that decides it for one metric.

Decision: draw noise until it is clear whether any of several means exceeds a bound.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.lab.audit.result import FAIL, PASS, UNDECIDED, Outcome, Result

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from adjudge._typing import Array, Floats
    from adjudge.lab.audit.confidence import JointBounds
    from adjudge.lab.audit.drawn_cases import Setting
    from adjudge.lab.audit.run import Run

NOISE = "does noise win?"
ORDER = "does better score better?"
REWARD = "what does it reward?"
SLACK = 0.02
"""What a mean may lie above its bound: else a chance level of exactly one half is never decided."""
EXACT = 1e-9
"""What rounding may add to a value that follows from a formula."""
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


def outcome_of(low: float, high: float, bound: float) -> Outcome:
    """Outcome of an interval beside the largest value allowed.

    >>> outcome_of(0.1, 0.2, 0.5), outcome_of(0.4, 0.6, 0.5), outcome_of(0.6, 0.7, 0.5)
    ('pass', 'undecided', 'fail')
    """
    return PASS if high <= bound else FAIL if low > bound else UNDECIDED


class AxiomDecision(NamedTuple):
    """Outcome of several comparisons, and the mean of each when it was last looked at."""

    outcome: Outcome
    means: Floats
    trials: int


class BoundTest(NamedTuple):
    """Columns of the noise of one setting, from which one number per trial is made."""

    setting: Setting
    columns: tuple[int, ...]


def run_until_decided(
    run: Run,
    comparisons: Sequence[BoundTest],
    excess: Callable[..., Floats],
    bound: float,
    interval: Callable[[Floats, int], JointBounds] | None = None,
) -> AxiomDecision:
    """Decision whether any comparison exceeds a bound, on noise that is drawn until this is clear.

    One that is surely below its bound is dropped, and its columns are drawn no further.
    """
    interval = interval or run.confidence.mean_interval
    means = np.full(len(comparisons), np.nan)
    left = list(range(len(comparisons)))
    there = 0
    for trials in run.effort.looks():
        undecided: list[int] = []
        late = False
        for setting in dict.fromkeys(comparisons[place].setting for place in left):
            places = [place for place in left if comparisons[place].setting == setting]
            table = _trial_table(run, trials, [comparisons[place] for place in places], excess)
            if np.isnan(table).all():  # no time, or nothing is defined
                undecided += places
                late = True
                continue
            found = interval(table, len(comparisons))
            means[places] = found.mean
            there = len(table)
            late = late or there < trials
            if (found.low > bound).any():
                return AxiomDecision(FAIL, means, there)
            undecided += [p for p, high in zip(places, found.high, strict=True) if high > bound]
        left = undecided
        if not left:
            return AxiomDecision(PASS, means, there)
        if late:
            break
    return AxiomDecision(UNDECIDED, means, there)


def _trial_table(
    run: Run, trials: int, comparisons: Sequence[BoundTest], excess: Callable[..., Floats]
) -> Floats:
    """One row per trial, one column per comparison; all of one setting."""
    columns = sorted({column for one in comparisons for column in one.columns})
    noise = run.noise(comparisons[0].setting, trials, columns)
    parts = [excess(*(noise[:, column] for column in one.columns)) for one in comparisons]
    return np.stack(parts, axis=1)


def largest(values: Array) -> float:
    """Largest value that is defined; NaN if none is."""
    there = values[~np.isnan(values)]
    return float(there.max()) if there.size else float("nan")
