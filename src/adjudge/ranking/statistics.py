"""Statistics of many detectors on many series.

Values come as an array with a row per series and a column per detector, higher being better. Minus
infinity is worse than everything: a detector that was judged and has no value where others have
one.

Pairs: each two detectors on the series that both have. The difference of two means is tested over
units of evidence: series of one data set are alike, and count as one. Wilcoxon's test stands beside
it. It is a test of ranks: it may well call two detectors different that have the same mean, and it
takes every series for a unit.

Stability: whether the same detector would come first on other data sets. The units (data sets if
they are known, else series) are drawn again, with replacement, and the detectors ordered each time:
by their mean ranks (`places`), or by what is asked for, such as means, on the series that all
ranked detectors have.

References
----------
.. [1] J. Demsar (2006). Statistical comparisons of classifiers over multiple data sets. JMLR 7.
.. [2] S. Holm (1979). A simple sequentially rejective multiple test procedure.
"""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.noise.intervals.of_means import mean_difference
from adjudge.noise.p_values import holm

if TYPE_CHECKING:
    from adjudge._typing import Array, Floats
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


def compare_pairs(field: Comparable) -> list[dict[str, Any]]:
    """Compare each two detectors, and adjust the p-values after Holm.

    The pairs of ranked detectors are one family of tests. Those with one that is not ranked are
    another, and those with a row of reference a third: however many such detectors there are, they
    change nothing about the others.
    """
    pairs = list(combinations(range(len(field.names)), 2))
    found = [_pair(field, one, other) for one, other in pairs]
    families: dict[tuple[bool, bool], list[dict[str, Any]]] = {}
    for (one, other), row in zip(pairs, found, strict=True):
        beside = bool(field.are_baselines[[one, other]].any())
        families.setdefault((row["ranked"], beside), []).append(row)
    for family in families.values():
        adjust(family)
    return found


def p_beyond_baselines(field: Comparable) -> dict[str, float]:
    """The p-value that a detector is better than every row of reference, adjusted after Holm.

    It is the largest of those against each: who is better than the best of them is better than
    all. So choosing the best row of reference costs nothing. Those that lack too many series do not
    count. Detectors that are ranked are one family of tests, the others another.
    """
    enough = field.are_baselines & (field.coverage >= field.min_coverage)
    references = np.flatnonzero(enough).tolist()
    found: dict[str, float] = {}
    for ranked in (True, False):
        own = np.flatnonzero((field.is_ranked == ranked) & ~field.are_baselines).tolist()
        against = [[_p_ahead(field, one, other) for other in references] for one in own]
        p_values = np.array([np.max(row, initial=-1.0) for row in against])
        adjusted = holm(np.where(p_values < 0, np.nan, p_values)).tolist()
        found |= {field.names[place]: p for place, p in zip(own, adjusted, strict=True)}
    return found


def _p_ahead(field: Comparable, one: int, other: int) -> float:
    """The p-value of the difference of two means; 1 where the first is not ahead."""
    row = _pair(field, one, other)
    return float(row["p_value"]) if field.sign * row["difference"] > 0 else 1.0


def compare_with_rest(field: Comparable, detector: str) -> list[dict[str, Any]]:
    """Compare one detector with each other one: a family of tests of its own.

    Who submits a detector asks only about it, so only its own comparisons count.
    """
    one = field.names.index(detector)
    others = [place for place in range(len(field.names)) if place != one]
    found = [_pair(field, one, other) for other in others]
    adjust(found)
    return found


def _pair(field: Comparable, one: int, other: int) -> dict[str, Any]:
    """Two detectors on the series that both have.

    Their means are compared over units of evidence, by Student's t and by flips of sign; their
    ranks by Wilcoxon's test over series, for which all series count by themselves.
    """
    values, groups = field.pair(one, other)
    defined = np.isfinite(values).all(axis=1)
    own = None if groups is None else groups[defined]
    found = mean_difference(field.sign * np.subtract(*values[defined].T), own)
    return {
        "one": field.names[one], "other": field.names[other], "difference": found.mean,
        "low": found.low, "high": found.high, "p_value": found.p_value, "p_flips": found.p_flips,
        "p_wilcoxon": wilcoxon(values), "unit": found.unit, "units": found.units,
        "ahead": int(np.sum(values[:, 0] > values[:, 1])),
        "behind": int(np.sum(values[:, 0] < values[:, 1])),
        "series": len(values), "of": len(field.series),
        "ranked": bool(field.is_ranked[[one, other]].all()),
    }  # fmt: skip


def adjust(family: list[dict[str, Any]]) -> None:
    """Adjust the p-values of a family of tests, after Holm."""
    for name, after in (("p_value", "p_adjusted"), ("p_wilcoxon", "p_wilcoxon_adjusted")):
        p_values = np.array([row[name] for row in family])
        for row, p in zip(family, holm(p_values).tolist(), strict=True):
            row[after] = p


def wins(field: Comparable) -> list[list[int]]:
    """Count on how many series each detector (row) is ahead of each other (column).

    A series that one of them lacks counts for neither.
    """
    ahead = field.values[:, :, None] > field.values[:, None, :]  # nothing is above NaN
    counts: list[list[int]] = ahead.sum(axis=0).tolist()
    return counts


DRAWS = 2000
FEWEST = 3
"""Units below which nothing is drawn."""
_AT_ONCE = 5000
"""Draws that are held at once."""
_ENDS = (0.025, 0.975)


class Places(NamedTuple):
    """The places of a detector over the draws."""

    first: float = math.nan
    """The share of the draws in which it comes first."""
    low: float = math.nan
    """The best of the places that it has in 95 % of the draws."""
    high: float = math.nan


UNKNOWN = Places()


class UnitSums(NamedTuple):
    """What the units of evidence add to the means of the detectors."""

    sums: Floats
    """A row per unit, a column per detector."""
    sizes: Floats
    """How many series each unit has."""
    names: list[str]

    @classmethod
    def of(cls, values: Floats, groups: Array | None) -> UnitSums:
        """Sum rows by their data set; without data sets each row is a unit."""
        labels = np.arange(len(values)).astype(str) if groups is None else groups
        names, number = np.unique(labels.astype(str), return_inverse=True)
        sums = np.zeros((len(names), values.shape[1]))
        np.add.at(sums, number, values)
        sizes = np.bincount(number, minlength=len(names)).astype(np.float64)
        return cls(sums, sizes, names.tolist())

    def drawn_means(self, seed: int, draws: int = DRAWS) -> Floats:
        """The means of the detectors, a row per draw of as many units, with replacement."""
        count = len(self.names)
        rng, found = np.random.default_rng([seed, count]), []
        for start in range(0, draws, _AT_ONCE):
            size = min(_AT_ONCE, draws - start)
            drawn = rng.multinomial(count, np.full(count, 1 / count), size=size)
            found.append((drawn @ self.sums) / (drawn @ self.sizes)[:, np.newaxis])
        return np.concatenate(found)

    def means_without(self) -> Floats:
        """The means of the detectors without each unit, a row per unit."""
        rest = (self.sizes.sum() - self.sizes)[:, np.newaxis]
        return np.asarray((self.sums.sum(axis=0) - self.sums) / rest)


def places(field: Comparable, seed: int) -> dict[str, Places]:
    """Draw the units again: how often each ranked detector comes first, and which places it has.

    Without three units nothing is known.
    """
    units = _rank_sums(field)
    if len(units.names) < FEWEST or not field.ranked:
        return dict.fromkeys(field.ranked, UNKNOWN)
    found = places_over(-units.drawn_means(seed))
    return dict(zip(field.ranked, found, strict=True))


def places_over(means: Floats) -> list[Places]:
    """The places of each detector over draws, a row each, of which the highest value is first.

    Detectors that share the first place share the draw.

    >>> places_over(np.array([[0.9, 0.5], [0.4, 0.6], [0.7, 0.7], [0.8, 0.1]]))[0].first
    0.625
    """
    first = _are_first(means)
    shares = (first / first.sum(axis=1, keepdims=True)).mean(axis=0)
    low, high = np.quantile(ranks(means), _ENDS, axis=0, method="inverted_cdf")
    return [Places(*row) for row in zip(shares.tolist(), low.tolist(), high.tolist(), strict=True)]


def winners_without(field: Comparable) -> dict[str, list[str]]:
    """Who comes first without each data set: its name -> detectors, several if they share it."""
    units = _rank_sums(field)
    if field.groups is None or len(units.names) < FEWEST or not field.ranked:
        return {}
    return first_without(units._replace(sums=-units.sums), field.ranked)


def first_without(units: UnitSums, detectors: list[str]) -> dict[str, list[str]]:
    """Who has the highest mean without each unit."""
    return {
        name: [one for one, yes in zip(detectors, row, strict=True) if yes]
        for name, row in zip(units.names, _are_first(units.means_without()), strict=True)
    }


def _are_first(means: Floats) -> Array:
    return np.asarray(means >= means.max(axis=1, keepdims=True) - 1e-12)


def _rank_sums(field: Comparable) -> UnitSums:
    return UnitSums.of(ranks(field.complete), field.groups_of(field.common))
