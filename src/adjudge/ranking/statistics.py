"""Statistics of many detectors on many series.

Values come as an array with a row per series and a column per detector, higher being better. Minus
infinity is worse than everything: a detector that was judged and has no value where others have
one.

Pairs: each two detectors on the series that both have. The difference of two means is tested over
units of evidence: series of one data set are alike, and count as one. Wilcoxon's test stands beside
it. It is a test of ranks: it may well call two detectors different that have the same mean, and it
takes every series for a unit.

Standings: who would be first on other data sets, or on other series where these are not known, and
which places each detector may have: by mean ranks, or by means, on the series that all ranked
detectors have. Who is first without each data set is there too.

References
----------
.. [1] J. Demsar (2006). Statistical comparisons of classifiers over multiple data sets. JMLR 7.
.. [2] S. Holm (1979). A simple sequentially rejective multiple test procedure.
"""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.noise.intervals.means import mean_differences
from adjudge.noise.intervals.units import FEWEST
from adjudge.noise.p_values import holm
from adjudge.ranking.standings.first_place import elsewhere
from adjudge.ranking.standings.rank_sets import rank_sets
from adjudge.ranking.standings.unit_sums import UnitSums

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags, Floats
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
    if detectors < 2 or series < 1:
        return math.nan
    return _range_quantile(detectors, alpha) * math.sqrt(detectors * (detectors + 1) / (6 * series))


@lru_cache(maxsize=64)  # each metric of a leaderboard asks for the same
def _range_quantile(detectors: int, alpha: float) -> float:
    """The quantile of the studentised range of so many, over the square root of 2."""
    from scipy.stats import studentized_range  # noqa: PLC0415 - slow to import

    return float(studentized_range.ppf(1 - alpha, detectors, np.inf)) / math.sqrt(2)


def wilcoxon(values: Floats) -> float:
    """Compare two columns by the signs and ranks of their differences; NaN without a series.

    This is a test of ranks: it asks whether one detector is ahead more often and by more, and may
    well call two detectors different that have the same mean.

    >>> wilcoxon(np.array([[0.9, 0.8], [0.7, 0.5], [0.6, 0.3], [0.5, -np.inf], [0.9, 0.4]]))
    0.0625
    """
    if not len(values):
        return math.nan
    apart = _steps(values)
    found = float(wilcoxon_of_each(apart[:, np.newaxis])[0])
    return _by_flips(apart) if math.isnan(found) else found


_EXACT, _EXACT_TIES = 50, 13
"""Series up to which scipy counts every order of signs; beyond, it takes the normal law. The second
where some of the differences are equal, or zero."""


def wilcoxon_of_each(apart: Floats) -> Floats:
    """The same of many columns of differences, all of them finite, at once: NaN where it is not.

    >>> wilcoxon_of_each(np.array([[0.1, 0.5], [0.2, -0.5], [0.3, -0.25], [-0.4, -0.1]]))
    array([0.875,   nan])
    """
    series = len(apart)
    order = np.argsort(np.abs(apart), axis=0)
    steps = np.take_along_axis(apart, order, axis=0)
    sizes = np.abs(steps)
    zeros = np.count_nonzero(sizes == 0, axis=0)
    first, last = _equal_ones(sizes)
    above = np.where(steps > 0, (first + last) / 2 + 1 - zeros, 0.0).sum(axis=0)
    ties = np.where(sizes > 0, (last - first + 1.0) ** 2 - 1, 0.0).sum(axis=0)
    plain = (ties == 0) & (zeros == 0)
    found = np.full(apart.shape[1], np.nan)
    if series > _EXACT_TIES:
        found = _at_normal(above, series - zeros, ties)
    if series <= _EXACT:
        sums = np.cumsum(_rank_sums_of(series))  # of whole numbers over a power of 2: exact
        least = np.minimum(above, series * (series + 1) / 2 - above)[plain].astype(np.int64)
        found[plain] = np.minimum(1.0, 2 * sums[least])
    found[zeros == series] = 1.0
    return found


def _equal_ones(ordered: Array) -> tuple[Array, Array]:
    """The first and the last place of the values that equal each, in ordered columns."""
    count = len(ordered)
    places = np.arange(count)[:, np.newaxis]
    step = ordered[1:] != ordered[:-1]
    begins, ends = np.ones((2, *ordered.shape), bool)
    begins[1:], ends[:-1] = step, step
    first = np.maximum.accumulate(np.where(begins, places, 0), axis=0)
    last = np.minimum.accumulate(np.where(ends, places, count)[::-1], axis=0)[::-1]
    return first, last


def _steps(values: Floats) -> Floats:
    """The differences of two columns; what is infinite lies further off than any step of others."""
    if not np.isfinite(values).all():
        far = 1 + 2 * np.abs(np.append(values[np.isfinite(values)], 0.0)).max()
        values = np.nan_to_num(values, neginf=-far, posinf=far)
    return np.asarray(values[:, 0] - values[:, 1])


def _by_flips(apart: Floats) -> float:
    """The same of few series with equal differences: scipy goes through all orders of signs.

    Here they are counted by the sum of the ranks, twice of which is a whole number.

    >>> _by_flips(np.array([3.0, 1.0, 1.0, 0.0]))
    0.25
    """
    apart = apart[apart != 0]
    _, place, often = np.unique(np.abs(apart), return_inverse=True, return_counts=True)
    twice = (2 * np.cumsum(often) - often + 1)[place]  # ranks that equal ones share
    ways = np.ones(1)
    for rank in twice.tolist():
        ways = np.append(ways, np.zeros(rank)) + np.append(np.zeros(rank), ways)
    above = int(twice[apart > 0].sum())
    least = min(ways[: above + 1].sum(), ways[above:].sum())
    return min(1.0, 2 * float(least) / 2.0**twice.size)


def _at_normal(above: Any, many: Any, ties: Any = 0.0) -> Any:
    """How often the normal law has ranks that sum up to so much, of which ties take variance."""
    from scipy.special import ndtr  # noqa: PLC0415 - slow to import

    se = np.sqrt((many * (many + 1.0) * (2 * many + 1.0) - ties / 2) / 24)
    with np.errstate(invalid="ignore"):  # nothing but zeros
        z = (above - many * (many + 1) * 0.25) / se
    return np.minimum(1.0, 2 * ndtr(-np.abs(z)))


@lru_cache(maxsize=_EXACT)
def _rank_sums_of(count: int) -> Floats:
    """How often ranks from 1 to so many that have a sign by chance sum up to 0, 1, 2, ..."""
    ways = np.ones(1)
    for rank in range(1, count + 1):
        ways = np.append(ways, np.zeros(rank)) + np.append(np.zeros(rank), ways)
    return ways / 2.0**count


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
    found = _compared(field, pairs)
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
        rows = _compared(field, [(one, other) for one in own for other in references])
        ahead = [row["p_value"] if field.sign * row["difference"] > 0 else 1.0 for row in rows]
        against = np.array(ahead).reshape(len(own), len(references))
        p_values = against.max(axis=1, initial=-1.0)
        adjusted = holm(np.where(p_values < 0, np.nan, p_values)).tolist()
        found |= {field.names[place]: p for place, p in zip(own, adjusted, strict=True)}
    return found


def compare_with_rest(field: Comparable, detector: str) -> list[dict[str, Any]]:
    """Compare one detector with each other one: a family of tests of its own.

    Who submits a detector asks only about it, so only its own comparisons count.
    """
    one = field.names.index(detector)
    found = _compared(field, [(one, k) for k in range(len(field.names)) if k != one])
    adjust(found)
    return found


def _compared(field: Comparable, pairs: list[tuple[int, int]]) -> list[dict[str, Any]]:
    """Pairs of detectors, each on the series that both have.

    Their means are compared over units of evidence, by Student's t and by flips of sign; their
    ranks by Wilcoxon's test over series, for which all series count by themselves.
    """
    at_once = max(1, _CELLS // max(1, len(field.values)))
    blocks = (pairs[start : start + at_once] for start in range(0, len(pairs), at_once))
    return [row for block in blocks for row in _block(field, np.array(block).T)]


def _block(field: Comparable, pairs: Array) -> list[dict[str, Any]]:
    """Some of them, as columns of one array."""
    first, second = field.values[:, pairs[0]], field.values[:, pairs[1]]
    defined = np.isfinite(first) & np.isfinite(second)
    apart = np.full(first.shape, np.nan)
    np.subtract(first, second, out=apart, where=defined)
    both = ~(np.isnan(first) | np.isnan(second))
    columns = {
        "p_wilcoxon": _wilcoxons(first, second, apart, both),
        "ahead": (first > second).sum(axis=0).tolist(),  # nothing is above NaN, nor below it
        "behind": (first < second).sum(axis=0).tolist(),
        "series": both.sum(axis=0).tolist(),
    }
    panel = None if field.panel is None else field.panel.of_pairs(pairs[0], pairs[1], field.sign)
    means = mean_differences(field.sign * apart, field.groups, panel=panel)
    return [
        {
            "one": field.names[one], "other": field.names[other], "difference": found.mean,
            "low": found.low, "high": found.high, "p_value": found.p_value,
            "p_flips": found.p_flips, "p_wilcoxon": columns["p_wilcoxon"][place],
            "unit": found.unit, "units": found.units,
            **{name: columns[name][place] for name in ("ahead", "behind", "series")},
            "of": len(field.series), "ranked": bool(field.is_ranked[[one, other]].all()),
        }
        for place, (one, other, found) in enumerate(zip(*pairs.tolist(), means, strict=True))
    ]  # fmt: skip


def _wilcoxons(first: Floats, second: Floats, apart: Floats, both: Flags) -> list[float]:
    """Wilcoxon's test of pairs of columns: all at once that have no hole, the others one by one."""
    found = np.full(apart.shape[1], np.nan)
    whole = np.isfinite(apart).all(axis=0)
    if len(apart) and whole.any():
        found[whole] = wilcoxon_of_each(apart[:, whole])
    for place in np.flatnonzero(np.isnan(found)).tolist():
        there = both[:, place]
        found[place] = wilcoxon(np.stack([first[there, place], second[there, place]], axis=1))
    return found.tolist()


_CELLS = 1 << 20
"""Differences that are held at once."""


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


STANDING = ("first_share", "place_low", "place_high")
"""The columns of a leaderboard that say where a detector stands."""


class Standings(NamedTuple):
    """What is known of the places of detectors on other benchmarks; NaN where nothing is."""

    first: list[float]
    """How likely each is first."""
    low: list[float]
    """The best place that each may have, with all of them at once in 95 % of benchmarks."""
    high: list[float]
    tau: float
    """Kendall's tau between the order here and there."""


def standings(units: UnitSums) -> Standings:
    """Say who is first by the means of units, the highest being the best.

    One detector alone has no place; nor is anything known from units that are not enough.
    """
    unknown = [math.nan] * units.sums.shape[1]
    if not units.are_enough or len(unknown) < 2:
        return Standings(unknown, unknown, unknown, math.nan)
    there, sets = elsewhere(units), rank_sets(units)
    low, high = (unknown, unknown) if sets is None else (one.astype(float).tolist() for one in sets)
    return Standings(there.first.tolist(), low, high, there.tau)


def standings_by_rank(field: Comparable) -> dict[str, dict[str, float]]:
    """The same of each ranked detector by its mean rank, as columns of its line."""
    found = standings(_rank_sums(field))
    columns = zip(found.first, found.low, found.high, strict=True)
    return {
        detector: dict(zip(STANDING, own, strict=True))
        for detector, own in zip(field.ranked, columns, strict=True)
    }


def winners_without(field: Comparable) -> dict[str, list[str]]:
    """Who comes first without each data set: its name -> detectors, several if they share it."""
    units = _rank_sums(field)
    if field.groups is None or len(units.names) < FEWEST or not field.ranked:
        return {}
    return first_without(units, field.ranked)


def first_without(units: UnitSums, detectors: list[str]) -> dict[str, list[str]]:
    """Who has the highest mean without each unit."""
    return {
        name: [one for one, yes in zip(detectors, row, strict=True) if yes]
        for name, row in zip(units.names, _are_first(units.means_without()), strict=True)
    }


def _are_first(means: Floats) -> Array:
    return np.asarray(means >= means.max(axis=1, keepdims=True) - 1e-12)


def _rank_sums(field: Comparable) -> UnitSums:
    """What units add to the mean ranks, below zero, so that the highest is the best."""
    return UnitSums.of(-ranks(field.complete), field.groups_of(field.common))
