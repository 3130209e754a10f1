"""Confidence: what a number of trials says about a mean or a share, at one level for a whole audit.

An audit asks several statistical questions, and looks at the trials of each at most ``len(LOOKS)``
times. Bonferroni's split of `ALPHA` over all of these holds whatever the order of the looks. Every
question is whether the largest of several means lies above a bound: a wrong *fail* needs any one of
them to mislead, so the lower bounds are split further; a wrong *pass* needs one and the same mean
to mislead, so the upper bounds are not. So the chance of even one wrong pass or fail in an audit is
at most `ALPHA` (as far as means of some dozens of trials are normal).

Effort: how many trials an audit draws, and how long it may take.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from adjudge._typing import Array, Floats

ALPHA = 0.01
LOOKS = (1, 2, 4, 8, 32)
"""How many times the first number of trials there are at each look."""
_FEWEST = 20  # trials below which a mean is not called normal


class JointBounds(NamedTuple):
    """Means, one per column; lower bounds that hold together, upper ones that hold each."""

    mean: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True)
class Confidence:
    """Intervals of an audit that asks so many statistical questions.

    >>> mean, low, high = Confidence(7).mean_interval(np.tile([[0.4], [0.6]], (100, 1)))
    >>> f"{mean[0]:.2f} {low[0]:.3f} {high[0]:.3f}"
    '0.50 0.474 0.526'
    """

    questions: int

    def level(self, comparisons: int = 1) -> float:
        """Chance of error of one bound among so many, on one side, at one look.

        >>> round(Confidence(7).level(12), 7)
        1.19e-05
        """
        return ALPHA / (self.questions * len(LOOKS) * 2 * comparisons)

    def mean_interval(self, trials: Array, comparisons: int | None = None) -> JointBounds:
        """Mean of each column with bounds by Student's distribution; NaN says nothing.

        A column without any value has none itself; one with fewer than twenty is unbounded. There
        may be more comparisons than the columns that are left of them.
        """
        from scipy.stats import t  # noqa: PLC0415 - slow to import

        count = (~np.isnan(trials)).sum(axis=0)
        mean = column_means(trials)
        freedom = np.maximum(count - 1, 1)
        square = np.nansum((trials - mean) ** 2, axis=0)
        error = np.sqrt(square / freedom / np.maximum(count, 1))
        error = np.where(count >= _FEWEST, error, np.inf)
        low = mean - t.isf(self.level(comparisons or trials.shape[1]), freedom) * error
        high = mean + t.isf(self.level(), freedom) * error
        return JointBounds(mean, low, high)

    def share_interval(
        self, successes: Array, trials: int, comparisons: int | None = None
    ) -> JointBounds:
        """Shares with the exact bounds of Clopper and Pearson.

        >>> mean, low, high = Confidence(7).share_interval(np.array([0, 20]), 200)
        >>> [f"{a:.3f} {b:.3f}" for a, b in zip(low, high)]
        ['0.000 0.043', '0.037 0.198']
        """
        from scipy.stats import beta  # noqa: PLC0415 - slow to import

        some, rest = np.asarray(successes), trials - np.asarray(successes)
        level = self.level(comparisons or some.size)
        low = np.where(some > 0, beta.ppf(level, np.maximum(some, 1), rest + 1), 0.0)
        high = np.where(rest > 0, beta.isf(self.level(), some + 1, np.maximum(rest, 1)), 1.0)
        return JointBounds(some / trials, low, high)


def column_means(trials: Array) -> Floats:
    """Mean of each column over the trials that have a value; NaN where none has.

    >>> column_means(np.array([[1.0, np.nan], [2.0, np.nan]]))
    array([1.5, nan])
    """
    there = ~np.isnan(trials)
    count = there.sum(axis=0)
    total = np.where(there, trials, 0.0).sum(axis=0)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


class OutOfTime(Exception):  # noqa: N818 - reads as what it is
    """The experiment has spent its time."""


@dataclass(frozen=True)
class Effort:
    """How much an audit spends.

    Attributes
    ----------
    trials : int
        Trials at the first look of a statistical axiom; `LOOKS` says how they grow.
    pairs, fuzz : int
        Pairs of detectors of C-2, and inputs of L9.
    cap, total : float
        Seconds that one axiom may take, and all of them together; when these are spent each of
        those that are left still has a moment.
    call : float
        Seconds that one call of a user's metric may take before it counts as hanging.
    """

    name: str
    trials: int
    pairs: int
    fuzz: int
    cap: float
    total: float
    call: float

    def looks(self) -> tuple[int, ...]:
        """Numbers of trials at which a statistical axiom may be decided."""
        return tuple(self.trials * times for times in LOOKS)


EFFORTS = {
    "quick": Effort("quick", 40, 600, 400, 1.0, 4.0, 1.0),
    "normal": Effort("normal", 200, 3000, 3000, 3.0, 9.0, 2.0),
    "thorough": Effort("thorough", 400, 20_000, 40_000, 60.0, 600.0, 10.0),
}
