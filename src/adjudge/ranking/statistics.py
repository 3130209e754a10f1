"""Statistics of many detectors on many series.

Values come as an array with a row per series and a column per detector, higher being better.
Detectors are compared on the series where all of them have a value: nothing undefined is turned
into a number.

References
----------
.. [1] J. Demsar (2006). Statistical comparisons of classifiers over multiple data sets. JMLR 7.
.. [2] S. Holm (1979). A simple sequentially rejective multiple test procedure.
"""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.noise.p_values import holm

if TYPE_CHECKING:
    from adjudge._typing import Floats

RESAMPLES = 1000
_CELLS = 500_000
"""Numbers that a bootstrap holds at a time."""


class Friedman(NamedTuple):
    """Whether the detectors differ at all."""

    statistic: float
    p_value: float


class PairTest(NamedTuple):
    """Two detectors, by their places, and how surely they differ."""

    one: int
    other: int
    p_value: float
    p_adjusted: float


def complete(values: Floats) -> Floats:
    """Keep the series on which every detector has a value."""
    return values[~np.isnan(values).any(axis=1)]


def mean_ranks(values: Floats) -> Floats:
    """Rank the detectors on each series, 1 for the best, ties shared, and average.

    >>> mean_ranks(np.array([[0.9, 0.5, 0.5], [0.8, 0.9, 0.1]]))
    array([1.5 , 1.75, 2.75])
    """
    from scipy.stats import rankdata  # noqa: PLC0415 - slow to import

    ranks: Floats = rankdata(-values, axis=1)
    return ranks.mean(axis=0) if len(values) else np.full(values.shape[1], np.nan)


def friedman(values: Floats) -> Friedman:
    """Test whether all detectors are the same; undefined below three detectors or two series."""
    from scipy.stats import friedmanchisquare  # noqa: PLC0415 - slow to import

    if values.shape[1] < 3 or len(values) < 2 or (values == values[:, :1]).all():
        return Friedman(math.nan, math.nan)
    found = friedmanchisquare(*values.T)
    return Friedman(float(found.statistic), float(found.pvalue))


def critical_difference(detectors: int, series: int, alpha: float = 0.05) -> float:
    """The difference of mean ranks from which two detectors differ, after Nemenyi.

    ``q sqrt(k (k + 1) / (6 N))`` for k detectors on N series, q being the studentised range of k
    over the square root of 2.

    >>> round(critical_difference(4, 14), 2)  # the example of Demsar has 2.569 for four: 1.25
    1.25
    """
    from scipy.stats import studentized_range  # noqa: PLC0415 - slow to import

    if detectors < 2 or series < 1:
        return math.nan
    quantile = float(studentized_range.ppf(1 - alpha, detectors, np.inf)) / math.sqrt(2)
    return quantile * math.sqrt(detectors * (detectors + 1) / (6 * series))


def wilcoxon_pairs(values: Floats) -> list[PairTest]:
    """Compare each two detectors by the signs and ranks of their differences, after Holm."""
    from scipy.stats import wilcoxon  # noqa: PLC0415 - slow to import

    pairs = list(combinations(range(values.shape[1]), 2))
    found = []
    for one, other in pairs:
        apart = values[:, one] - values[:, other]
        found.append(float(wilcoxon(apart).pvalue) if np.any(apart) else 1.0)
    adjusted = holm(np.array(found))
    return [PairTest(*pair, p, float(q)) for pair, p, q in zip(pairs, found, adjusted, strict=True)]


def wins(values: Floats) -> list[list[int]]:
    """Count on how many series each detector (row) is ahead of each other (column)."""
    ahead = values[:, :, None] > values[:, None, :]
    counts: list[list[int]] = ahead.sum(axis=0).tolist()
    return counts


def kendall(one: Floats, other: Floats) -> float:
    """Kendall's tau-b between two orders of the same detectors."""
    from scipy.stats import kendalltau  # noqa: PLC0415 - slow to import

    defined = ~(np.isnan(one) | np.isnan(other))
    if defined.sum() < 2:
        return math.nan
    return float(kendalltau(one[defined], other[defined]).statistic)


def bootstrap_means(values: Floats, seed: int = 0) -> list[tuple[float, float]]:
    """The 95 % interval of each column's mean over series, by drawing series again.

    Only the series where a column has a value are drawn; columns that have theirs on the same
    series share the draws. A mean of fewer than two values, or an infinite one, has no interval.

    >>> ((low, high),) = bootstrap_means(np.array([[0.2], [0.4], [0.6], [0.8]]))
    >>> 0.2 < low < 0.5 < high < 0.8
    True
    """
    found = [(math.nan, math.nan)] * values.shape[1]
    defined = ~np.isnan(values) & ~np.isinf(values).any(axis=0)
    for pattern in np.unique(defined, axis=1).T:
        if pattern.sum() < 2:
            continue
        alike = np.flatnonzero((defined == pattern[:, None]).all(axis=0))
        means = _drawn_means(values[np.ix_(pattern, alike)], seed)
        ends = np.quantile(means, [0.025, 0.975], axis=0)
        for place, low, high in zip(alike, *ends.tolist(), strict=True):
            found[place] = low, high
    return found


def _drawn_means(values: Floats, seed: int) -> Floats:
    """Means of drawn rows: how often each row is drawn, times the rows."""
    size = len(values)
    rng = np.random.default_rng([seed, size])
    at_once = max(1, _CELLS // size)
    means = []
    for first in range(0, RESAMPLES, at_once):
        draws = min(at_once, RESAMPLES - first)
        drawn = rng.integers(size, size=(draws, size)) + size * np.arange(draws)[:, None]
        often = np.bincount(drawn.ravel(), minlength=draws * size).reshape(draws, size)
        means.append(often @ values / size)
    return np.concatenate(means)
