"""Statistics of many detectors on many series.

Values come as an array with a row per series and a column per detector, higher being better. Minus
infinity is worse than everything: a detector that was judged and has no value where others have
one.

Stability: whether the same detector would come first on other data sets. The units (data sets if
they are known, else series) are drawn again, with replacement, and the detectors ranked each time.
What is drawn are ranks on the series that all ranked detectors have.

References
----------
.. [1] J. Demsar (2006). Statistical comparisons of classifiers over multiple data sets. JMLR 7.
.. [2] S. Holm (1979). A simple sequentially rejective multiple test procedure.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from adjudge._typing import Floats
    from adjudge.ranking.comparable import Comparable


class Friedman(NamedTuple):
    """Whether the detectors differ at all."""

    statistic: float
    p_value: float


def ranks(values: Floats) -> Floats:
    """Rank the detectors on each series, 1 for the best, ties shared.

    >>> ranks(np.array([[0.9, 0.5, 0.5], [0.8, -np.inf, 0.1]]))
    array([[1. , 2.5, 2.5],
           [1. , 3. , 2. ]])
    """
    from scipy.stats import rankdata  # noqa: PLC0415 - slow to import

    found: Floats = rankdata(-values, axis=1)
    return found


def mean_ranks(values: Floats) -> Floats:
    """Rank the detectors on each series, and average.

    >>> mean_ranks(np.array([[0.9, 0.5, 0.5], [0.8, 0.9, 0.1]]))
    array([1.5 , 1.75, 2.75])
    """
    return ranks(values).mean(axis=0) if len(values) else np.full(values.shape[1], np.nan)


def friedman(values: Floats) -> Friedman:
    """Test whether all detectors are the same; undefined below three detectors or two series."""
    from scipy.stats import friedmanchisquare  # noqa: PLC0415 - slow to import

    if values.shape[1] < 3 or len(values) < 2 or (values == values[:, :1]).all():
        return Friedman(math.nan, math.nan)
    found = friedmanchisquare(*ranks(values).T)
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


def wilcoxon(values: Floats) -> float:
    """Compare two columns by the signs and ranks of their differences; NaN without a series.

    This is a test of ranks: it asks whether one detector is ahead more often and by more, and may
    well call two detectors different that have the same mean.

    >>> wilcoxon(np.array([[0.9, 0.8], [0.7, 0.5], [0.6, 0.3], [0.5, -np.inf], [0.9, 0.4]]))
    0.0625
    """
    from scipy.stats import wilcoxon as test  # noqa: PLC0415 - slow to import

    if not len(values):
        return math.nan
    finite = np.append(values[np.isfinite(values)], 0.0)
    far = 1 + 2 * np.abs(finite).max()  # further off than any step between two values
    apart = np.subtract(*np.nan_to_num(values, neginf=-far, posinf=far).T)
    if not np.any(apart):
        return 1.0
    return float(test(apart).pvalue) if len(apart) <= _EXACT else _by_normal(apart)


_EXACT = 50
"""Series up to which scipy counts every order of signs; beyond, it takes the normal law."""


def _by_normal(apart: Floats) -> float:
    """What scipy's test says of many series, without its checks, which take longer than the test.

    Equal differences share their ranks, which takes from the variance; those of zero are left out.
    """
    from scipy.special import ndtr  # noqa: PLC0415 - slow to import

    apart = apart[apart != 0]
    _, place, often = np.unique(np.abs(apart), return_inverse=True, return_counts=True)
    shared = np.cumsum(often) - (often - 1) / 2
    many = float(len(apart))
    ties = float(np.sum(often.astype(np.float64) ** 3 - often))
    se = math.sqrt((many * (many + 1) * (2 * many + 1) - ties / 2) / 24)
    z = (float(shared[place][apart > 0].sum()) - many * (many + 1) * 0.25) / se
    return min(1.0, 2 * float(ndtr(-abs(z))))


def kendall(one: Floats, other: Floats) -> float:
    """Kendall's tau-b between two orders of the same detectors."""
    from scipy.stats import kendalltau  # noqa: PLC0415 - slow to import

    defined = ~(np.isnan(one) | np.isnan(other))
    if defined.sum() < 2:
        return math.nan
    return float(kendalltau(one[defined], other[defined]).statistic)


DRAWS = 2000
FEWEST = 3
"""Units below which nothing is drawn."""
_ENDS = (0.025, 0.975)


class Places(NamedTuple):
    """The places of a detector over the draws."""

    first: float = math.nan
    """The share of the draws in which it comes first."""
    low: float = math.nan
    """The best of the places that it has in 95 % of the draws."""
    high: float = math.nan


UNKNOWN = Places()


def places(field: Comparable, seed: int) -> dict[str, Places]:
    """Draw the units again: how often each ranked detector comes first, and which places it has.

    Detectors that share the first place share the draw. Without three units nothing is known.
    """
    sums, sizes, names = _by_unit(field)
    if len(names) < FEWEST or not field.ranked:
        return dict.fromkeys(field.ranked, UNKNOWN)
    rng = np.random.default_rng([seed, len(names)])
    drawn = rng.multinomial(len(names), np.full(len(names), 1 / len(names)), size=DRAWS)
    means = (drawn @ sums) / (drawn @ sizes)[:, np.newaxis]
    order = ranks(-means)
    winners = means <= means.min(axis=1, keepdims=True) + 1e-12
    first = (winners / winners.sum(axis=1, keepdims=True)).mean(axis=0)
    low, high = np.quantile(order, _ENDS, axis=0, method="inverted_cdf")
    found = zip(first.tolist(), low.tolist(), high.tolist(), strict=True)
    return {name: Places(*row) for name, row in zip(field.ranked, found, strict=True)}


def winners_without(field: Comparable) -> dict[str, list[str]]:
    """Who comes first without each data set: its name -> detectors, several if they share it."""
    sums, sizes, names = _by_unit(field)
    if field.groups is None or len(names) < FEWEST or not field.ranked:
        return {}
    means = (sums.sum(axis=0) - sums) / (sizes.sum() - sizes)[:, np.newaxis]
    best = means <= means.min(axis=1, keepdims=True) + 1e-12
    return {
        name: [one for one, yes in zip(field.ranked, row, strict=True) if yes]
        for name, row in zip(names, best, strict=True)
    }


def _by_unit(field: Comparable) -> tuple[Floats, Floats, list[str]]:
    """The sums of the ranks by unit, the number of series, and the names."""
    own, groups = ranks(field.complete), field.groups_of(field.common)
    labels = np.arange(len(own)).astype(str) if groups is None else groups
    names, number = np.unique(labels.astype(str), return_inverse=True)
    sums = np.zeros((len(names), own.shape[1]))
    np.add.at(sums, number, own)
    return sums, np.bincount(number, minlength=len(names)).astype(np.float64), names.tolist()
