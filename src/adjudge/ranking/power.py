r"""Power: how much a benchmark can tell, from one value per series and detector.

A leaderboard orders detectors by means over series. How far must two means lie apart so that
another benchmark of this kind would tell them apart? With :math:`s` the standard error of the mean
difference over :math:`K` units,

.. math:: (t_{.975} + t_{.8})_{K - 1} \; s, \qquad K \Big(\frac{(1.96 + .84) \, s}{d}\Big)^2

are the smallest difference that is told apart four times in five, and the units that it takes to
tell a difference :math:`d`. Units are series, or data sets: series of one data set are alike, so
the difference of their sums is one piece of evidence.

Two things are left out there: that data sets with many series weigh more than others, and that the
standard error is itself estimated. The test of the leaderboard knows of the first, and
`_times` of the second: what it takes then is the difference for the leaderboard's own test. Of
many units of equal size both are the same.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from adjudge.checks import positive
from adjudge.errors import visible
from adjudge.noise.intervals.evidence import FEWEST, MOST_OF_ALL, in_words
from adjudge.ranking.statistics import UnitSums, first_without, places_over, ranks
from adjudge.tables.table import Layout, Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from adjudge._typing import Array, Floats
    from adjudge.ranking.comparable import Comparable

    By = Literal["series", "group"]
    Rows = list[dict[str, Any]]

BY = ("series", "group")
SHARE, CLEAR = 0.8, 0.05
"""How often a difference is to be told apart, and the p-value that tells."""
_DRAWS, _OF_TAU = 50_000, 2000
_NODES = 64
"""Places at which the distribution of a standard error is looked at."""
_FLAT = 0.02
"""Of the metric's range: a series on which detectors spread less says next to nothing."""
_NAMED = 8


@dataclass(frozen=True, eq=False)
class Power:
    """What a benchmark can tell by a metric.

    Attributes
    ----------
    metric : str
        By which detectors are compared.
    by : {"series", "group"}
        What is drawn anew: other series of these data sets, or other data sets.
    units, series : int
        How many of these there are, and of how many series.
    detectors : list of str
        The best mean first.
    smallest : float
        The difference of two means that is told apart four times in five; of the pairs of
        detectors, the median.
    smallest_tested : float
        The same for the leaderboard's own test, which takes uneven data sets as what they are, and
        with a standard error that is only estimated.
    difference, needed : float, int or None
        How far the first two are apart, and how many units it takes to tell that.
    told : float
        The share of the pairs that are at least so far apart as would be told.
    first_place : float
        The share of the draws in which the same detector comes first.
    tau : float
        Kendall's tau between the order of all units and that of a draw, on average.
    places : list of dict
        Of each detector: its ``mean``, in which share of the draws it is ``first``, and between
        which places (``low``, ``high``) it is in 95 % of them.
    pairs : list of dict
        Of each two: ``difference``, its standard error ``se``, ``smallest``, ``smallest_tested``
        and ``needed``.
    information : list of dict
        Of each series: the ``spread`` of the detectors, the rank correlation with the mean of all
        other series, ``agrees``, the lead of the first without it, ``lead_without``, and the
        ``influence``, what it adds to that lead.
    without : dict
        Data set -> who has the best mean without it.
    """

    metric: str
    by: By
    units: int
    series: int
    detectors: list[str]
    places: Rows
    tau: float
    pairs: Rows
    information: Rows
    without: dict[str, list[str]]
    flat_below: float

    @cached_property
    def smallest(self) -> float:
        """The median over pairs."""
        return self._median("smallest")

    @cached_property
    def smallest_tested(self) -> float:
        """The median over pairs, for the leaderboard's own test."""
        return self._median("smallest_tested")

    @property
    def difference(self) -> float:
        """How far the means of the first two are apart."""
        return abs(float(self._first_two["difference"]))

    @property
    def needed(self) -> int | None:
        """How many units tell the first two apart; None: they do not differ."""
        found: int | None = self._first_two["needed"]
        return found

    @property
    def told(self) -> float:
        """The share of the pairs that are at least as far apart as would be told."""
        apart = [abs(row["difference"]) >= row["smallest"] for row in self.pairs]
        return float(np.mean(apart)) if apart and not math.isnan(self.smallest) else math.nan

    @property
    def first_place(self) -> float:
        """The share of the draws in which the same detector comes first."""
        return float(self.places[0]["first"]) if self.places else math.nan

    def needed_for(self, difference: float) -> int | None:
        """How many units tell a difference four times in five, of the median pair.

        Parameters
        ----------
        difference : float
            Of two means.
        """
        return _needed(self.units, self._median("se"), positive(difference, "difference"))

    @property
    def flat(self) -> int:
        """On how many series detectors hardly differ."""
        return sum(row["spread"] <= self.flat_below for row in self.information)

    @property
    def disagreeing(self) -> int:
        """On how many series the order goes against that of all others."""
        return sum(row["agrees"] < 0 for row in self.information)

    @cached_property
    def _first_two(self) -> dict[str, Any]:
        return self.pairs[0] if self.pairs else {"difference": math.nan, "needed": None}

    def _median(self, name: str) -> float:
        return float(np.median([row[name] for row in self.pairs])) if self.pairs else math.nan

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values, with the sentences."""
        names = (
            "metric", "by", "units", "series", "detectors", "smallest", "smallest_tested",
            "difference", "needed", "told", "first_place", "tau", "flat", "disagreeing", "places",
            "pairs", "information", "without",
        )  # fmt: skip
        return {name: getattr(self, name) for name in names} | {"says": self.says}

    @property
    def unit_words(self) -> str:
        """The units in words."""
        return in_words(self.units, "dataset" if self.by == "group" else "series")

    @property
    def says(self) -> list[str]:
        """What it amounts to, in sentences."""
        return list(_sentences(self))

    def layout(self) -> Layout:
        """The numbers as a table, and the sentences."""
        return power_layout([self])

    def __str__(self) -> str:
        """Say it in sentences."""
        return "\n".join(self.says)


def power_of(
    field: Comparable, metric: str, series: Sequence[str], span: tuple[float, float], seed: int
) -> Power:
    """What the ranked detectors say on the series that all of them have a value on.

    Parameters
    ----------
    field : Comparable
        The detectors by a metric; its data sets are the units, if it has any.
    metric : str
        The metric.
    series : list of str
        The names of all series.
    span : pair of float
        The lowest and the highest value that there can be.
    seed : int
        For what is drawn.
    """
    rows = field.common.copy()
    rows[rows] = np.isfinite(field.complete).all(axis=1)
    values, groups = field.values[rows][:, field.is_ranked], field.groups_of(rows)
    means = values.mean(axis=0) if len(values) else np.zeros(values.shape[1])
    order = np.argsort(-means, kind="stable") if len(values) else np.zeros(0, np.int64)
    values, means = values[:, order], means[order]
    names = [field.ranked[place] for place in order]
    units = UnitSums.of(values, groups)
    enough = len(units.names) >= FEWEST
    drawn = units.drawn_means(seed, _DRAWS) if enough and names else None
    wide = span[1] - span[0]
    return Power(
        metric, "series" if groups is None else "group", len(units.names), len(values), names,
        _places(names, field.sign * means, drawn),
        math.nan if drawn is None else _tau(means, drawn[:_OF_TAU]),
        told_pairs(names, values, groups, field.sign) if enough else [],
        _information(values, [series[place] for place in field.series[rows]]),
        first_without(units, names) if groups is not None and drawn is not None else {},
        _FLAT * wide if math.isfinite(wide) else 0.0,
    )  # fmt: skip


def _places(names: list[str], means: Floats, drawn: Floats | None) -> Rows:
    if drawn is None:
        return []
    return [
        {"detector": name, "mean": mean, **place._asdict()}
        for name, mean, place in zip(names, means.tolist(), places_over(drawn), strict=True)
    ]


def _tau(means: Floats, drawn: Floats) -> float:
    """Kendall's tau between an order and those of draws, on average; a shared place counts 0."""
    one, other = np.triu_indices(len(means), 1)
    if not one.size:
        return math.nan
    agree = np.sign(drawn[:, one] - drawn[:, other]) * np.sign(means[one] - means[other])
    return float(agree.mean())


def told_pairs(names: list[str], values: Floats, groups: Array | None, sign: int) -> Rows:
    """Each two detectors: their difference, and the smallest one that would be told."""
    means, count = values.mean(axis=0), len(values)
    units = UnitSums.of(values - means, groups)
    number, shares = len(units.names), units.sizes / count
    plain = _errors(units.sums, np.full(number, number / (number - 1))) / count
    tested = _errors(units.sums, 1 / np.maximum(1 - shares, 0.01)) / count
    df = max(1 / float((shares**2).sum()) - 1, 1.0)
    times = _times(df) if shares.max() <= MOST_OF_ALL else math.nan
    found = []
    for one, other in combinations(range(len(names)), 2):
        se, apart = float(plain[one, other]), float(means[one] - means[other])
        found.append({
            "one": names[one], "other": names[other], "difference": sign * apart, "se": se,
            "smallest": _quantiles(number - 1) * se,
            "smallest_tested": times * float(tested[one, other]),
            "needed": _needed(number, se, abs(apart)),
        })  # fmt: skip
    return found


def _errors(sums: Floats, weights: Floats) -> Floats:
    """The root of the weighted squares of the difference of each two columns."""
    inner = (sums * weights[:, np.newaxis]).T @ sums
    own = np.diag(inner)
    return np.asarray(np.sqrt(np.maximum(own[:, np.newaxis] + own - 2 * inner, 0.0)))


def _quantiles(df: float) -> float:
    """How many standard errors are told apart, as if these were known."""
    from scipy.special import stdtrit  # noqa: PLC0415 - only who needs it pays for it

    return float(stdtrit(df, 1 - CLEAR / 2) + stdtrit(df, SHARE))


def _needed(units: int, se: float, difference: float) -> int | None:
    from scipy.special import ndtri  # noqa: PLC0415 - only who needs it pays for it

    if not difference > 0 or math.isnan(se):
        return None
    times = float(ndtri(1 - CLEAR / 2) + ndtri(SHARE))
    return math.ceil(units * (times * se / difference) ** 2)


@lru_cache(maxsize=64)
def _times(df: float) -> float:
    """How many estimated standard errors are told apart four times in five by another estimate.

    The difference is that many times the standard error of one benchmark, and is tested with that
    of another. With both errors fixed it is a normal probability; of each the distribution is a chi
    with `df` degrees of freedom.

    >>> print(f"{_times(4.0):.2f} {_quantiles(4.0):.2f}; {_times(1e4):.2f} {_quantiles(1e4):.2f}")
    4.67 3.72; 2.80 2.80
    """
    from scipy.optimize import brentq  # noqa: PLC0415 - only who needs it pays for it
    from scipy.special import chdtri, ndtr, stdtrit  # noqa: PLC0415 - the same

    errors = np.sqrt(chdtri(df, (np.arange(_NODES) + 0.5) / _NODES) / df)
    needed = stdtrit(df, 1 - CLEAR / 2) * errors[:, np.newaxis]
    return float(brentq(lambda times: ndtr(times * errors - needed).mean() - SHARE, 0.1, 1e4))


def _information(values: Floats, series: list[str]) -> Rows:
    """What each series says: how detectors spread there, and whether in the order of the others."""
    count = len(values)
    if count < 2 or values.shape[1] < 2:
        return []
    others = (values.sum(axis=0) - values) / (count - 1)
    lead = others[:, 0] - others[:, 1]
    influence = values[:, :2].mean(axis=0) @ np.array([1.0, -1.0]) - lead
    agrees = _correlations(ranks(values), ranks(others))
    columns = values.std(axis=1).tolist(), agrees.tolist(), lead.tolist(), influence.tolist()
    return [
        {"series": name, "spread": s, "agrees": a, "lead_without": w, "influence": i}
        for name, s, a, w, i in zip(series, *columns, strict=True)
    ]


def _correlations(one: Floats, other: Floats) -> Floats:
    """The correlation of each row with that of the other table; NaN of a flat one."""
    one, other = (x - x.mean(axis=1, keepdims=True) for x in (one, other))
    size = np.sqrt((one**2).sum(axis=1) * (other**2).sum(axis=1))
    return np.asarray((one * other).sum(axis=1) / np.where(size > 0, size, np.nan))


def power_layout(found: Sequence[Power]) -> Layout:
    """Lay out one reading or both: a line each, and the sentences."""
    head = [
        "drawn anew", "units", "smallest difference", "own test", "pairs told", "first two apart",
        "units needed", "first place stays", "places of the first",
    ]  # fmt: skip
    rows = [
        [
            "data sets" if one.by == "group" else "series", f"{one.units:,}",
            _number(one.smallest), _number(one.smallest_tested), _share(one.told),
            _number(one.difference), "" if one.needed is None else f"{one.needed:,}",
            _share(one.first_place), _between(one),
        ]
        for one in found
    ]  # fmt: skip
    title = f"what {found[0].series:,} series can tell by {visible(found[0].metric)}"
    said = dict.fromkeys(sentence for one in found for sentence in one.says)
    return Layout((Table.of(head, rows, title),), verdicts=tuple(said))


def _sentences(found: Power) -> Iterator[str]:
    """What the numbers amount to."""
    if not found.pairs:
        ranked = f"{len(found.detectors)} ranked detector{'s' * (len(found.detectors) != 1)}"
        yield (
            f"what this benchmark can tell is not known: {found.unit_words} and {ranked}; it takes "
            f"{FEWEST} units and two detectors"
        )
        return
    pairs = f"{len(found.pairs):,} pair{'s' * (len(found.pairs) != 1)}"
    own = ""
    if f"{found.smallest_tested:.3f}" != f"{found.smallest:.3f}":
        own = (
            f"; for the leaderboard's own test it is {_number(found.smallest_tested) or 'unknown'}"
        )
    yield (
        f"another {found.unit_words} would tell a difference of {found.smallest:.3f} four times in "
        f"five (median over {pairs}){own}"
    )
    one, other = map(visible, found.detectors[:2])
    kind = "data sets" if found.by == "group" else "series"
    takes = "" if found.needed is None else f", for which it takes {found.needed:,} {kind}"
    yield f"{one} and {other}, the first two by the mean, are {found.difference:.3f} apart{takes}"
    yield (
        f"when {kind} are drawn anew, {one} stays first in {found.first_place:.0%}; its place is "
        f"{_between(found)} in 95 %"
    )
    yield from _others_first(found)
    yield (
        f"of {found.series:,} series {found.flat:,} are flat (detectors hardly differ), and on "
        f"{found.disagreeing:,} the order goes against that of all others"
    )


def _others_first(found: Power) -> Iterator[str]:
    """Data sets without which another detector is first."""
    others = [name for name, first in found.without.items() if first != found.detectors[:1]]
    if others:
        more = f" and {len(others) - _NAMED} more" if len(others) > _NAMED else ""
        yield f"another is first without one of {', '.join(map(visible, others[:_NAMED]))}{more}"


def _between(found: Power) -> str:
    if not found.places:
        return ""
    first = found.places[0]
    return f"{first['low']:.0f} to {first['high']:.0f}"


def _number(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.3f}"


def _share(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.0%}"
