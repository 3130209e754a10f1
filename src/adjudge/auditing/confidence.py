"""Bounds: what a number of trials says about a mean or a share, at one level for a whole audit.

The audit asks `ROWS` statistical questions, and looks at the trials of each at most `LOOKS` times.
Bonferroni's split of `ALPHA` over all of these holds whatever the order of the looks. Every
question is whether the largest of several means lies above a bound: a wrong *fail* needs any one of
them to mislead, so the lower bounds are split further; a wrong *pass* needs one and the same mean
to mislead, so the upper bounds are not. So the chance of even one wrong pass or fail in an audit is
at most `ALPHA` (as far as means of some dozens of trials are normal).
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from adjudge._typing import Array, Floats

ALPHA = 0.01
ROWS = 7
LOOKS = 5
_FEWEST = 20  # trials below which a mean is not called normal


class Interval(NamedTuple):
    """Means, one per column; lower bounds that hold together, upper ones that hold each."""

    mean: Floats
    low: Floats
    high: Floats


def split(comparisons: int = 1) -> float:
    """Give the level of one bound among so many, on one side, at one look of one row.

    >>> round(split(12), 7)
    1.19e-05
    """
    return ALPHA / (ROWS * LOOKS * 2 * comparisons)


def student(level: float, freedom: Array) -> Floats:
    """Give the upper quantile of Student's distribution, by Fisher's expansion.

    >>> student(0.025, np.array([199])).round(3)
    array([1.972])
    """
    z = NormalDist().inv_cdf(1 - level)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    return z + first / freedom + second / freedom**2


def mean_interval(trials: Array, comparisons: int | None = None) -> Interval:
    """Bound the mean of each column; undefined trials (NaN) say nothing.

    A column without any value has none itself; one with fewer than twenty is unbounded. There
    may be more comparisons than the columns that are left of them.

    >>> mean, low, high = mean_interval(np.tile([[0.4], [0.6]], (100, 1)))
    >>> f"{mean[0]:.2f} {low[0]:.3f} {high[0]:.3f}"
    '0.50 0.474 0.526'
    """
    there = ~np.isnan(trials)
    count = there.sum(axis=0)
    known = np.where(there, trials, 0.0)
    mean = known.sum(axis=0) / np.maximum(count, 1)
    square = np.where(there, (trials - mean) ** 2, 0.0).sum(axis=0)
    known_well = count >= _FEWEST
    freedom = np.maximum(count - 1, 1)
    error = np.where(known_well, np.sqrt(square / freedom / np.maximum(count, 1)), np.inf)
    low = mean - student(split(comparisons or trials.shape[1]), freedom) * error
    high = mean + student(split(), freedom) * error
    return Interval(*(np.where(count > 0, part, np.nan) for part in (mean, low, high)))


def share_interval(successes: Array, trials: int, comparisons: int | None = None) -> Interval:
    """Bound shares by Chernoff's inequality with relative entropy, which no sample size spoils.

    >>> mean, low, high = share_interval(np.array([0, 20]), 200)
    >>> [f"{a:.3f} {b:.3f}" for a, b in zip(low, high)]
    ['0.000 0.043', '0.032 0.212']
    """
    shares = np.asarray(successes, np.float64) / trials
    below, above = (-math.log(split(count)) / trials for count in (comparisons or len(shares), 1))
    low = np.array([_reach(share, 0.0, below) for share in shares])
    high = np.array([_reach(share, 1.0, above) for share in shares])
    return Interval(shares, low, high)


def _reach(share: float, far: float, allowed: float) -> float:
    """Go from a share towards an end, as far as the relative entropy allows."""
    near = share
    for _ in range(60):
        middle = (near + far) / 2
        if _entropy(share, middle) <= allowed:
            near = middle
        else:
            far = middle
    return near


def _entropy(p: float, q: float) -> float:
    parts = ((p, q), (1 - p, 1 - q))
    return sum(a * math.log(a / b) if b > 0 else math.inf for a, b in parts if a > 0)
