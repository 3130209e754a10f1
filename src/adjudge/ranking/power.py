r"""Power: how much a benchmark can tell, from one value per series and detector.

A leaderboard orders detectors by means over series. How far must two means lie apart so that
another benchmark of this kind would tell them apart? With :math:`s` the standard error of the mean
difference over :math:`K` units,

.. math:: (t_{.975} + t_{.8})_{K - 1} \; s, \qquad K \Big(\frac{(1.96 + .84) \, s}{d}\Big)^2

are the smallest difference that is told apart four times in five, and the units that it takes to
tell a difference :math:`d`. Units are series, or data sets: series of one data set are alike, so
the difference of their sums is one piece of evidence.

The first formula takes the standard error for known and units for equal. It is kept as
``smallest_plain``. ``smallest`` has the standard error of the leaderboard's own test, in which data
sets with many series weigh more, and a factor (`_times`) that knows that this error is estimated
twice: here, and in the benchmark that is to tell. How well it is estimated follows from the sizes
of the units and from the tails of the differences. Of many units of equal size both are the same.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from adjudge.checks import positive
from adjudge.errors import visible
from adjudge.noise.intervals.evidence import MOST_OF_ALL
from adjudge.noise.intervals.means import FEWEST_FLIPS as FEWEST_TOLD
from adjudge.noise.intervals.units import FEWEST, in_words
from adjudge.ranking.collected import printed
from adjudge.ranking.standings.first_place import first_words
from adjudge.ranking.standings.unit_sums import UnitSums
from adjudge.ranking.statistics import Standings, first_without, ranks, standings
from adjudge.tables.look import percent
from adjudge.tables.table import Layout, Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from adjudge._typing import Array, Floats
    from adjudge.ranking.comparable import Comparable

    By = Literal["series", "group", "clock"]
    Rows = list[dict[str, Any]]

BY = ("series", "group")
SHARE, CLEAR = 0.8, 0.05
"""How often a difference is to be told apart, and the p-value that tells."""
_NODES = 64
"""Places at which the distribution of a standard error is looked at."""
_TAILS = (-1.0, 12.0)
"""Between which the excess kurtosis of differences is believed."""
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
    by : {"series", "group", "clock"}
        What it is about: other series of these data sets, other data sets, or, where these share
        clocks, other clocks.
    units, series : int
        How many of these there are, and of how many series.
    detectors : list of str
        The best mean first.
    smallest : float
        The difference of two means that the leaderboard's test tells apart four times in five, of a
        typical pair of detectors. NaN: there are fewer than 6 units, or one data set has most of
        the series.
    smallest_plain : float
        The textbook's number, with a standard error that is taken for known and units that are
        taken for equal; of the pairs, the median. It promises too much of few or uneven units.
    difference, needed : float, int or None
        How far the first two are apart, and how many units it takes to tell that.
    told : float
        The share of the pairs that are at least so far apart as would be told.
    first_place : float
        How likely the detector with the best mean has it on another benchmark with as many units.
    may_be_best : int or None
        How many detectors may be the best: those whose places begin at 1.
    tau : float
        Kendall's tau between the order here and on such a benchmark, as is to be expected.
    places : list of dict
        Of each detector: its ``mean``, how likely it is ``first`` there, and between which places
        (``low``, ``high``) it truly is, of all detectors at once with 95 % confidence.
    pairs : list of dict
        Of each two: ``difference``, its standard error ``se``, ``smallest``, ``smallest_plain``
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
    smallest: float
    pairs: Rows
    information: Rows
    without: dict[str, list[str]]
    flat_below: float

    @cached_property
    def smallest_plain(self) -> float:
        """The median over pairs of the textbook's number."""
        return self._median("smallest_plain")

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
        """How likely the detector with the best mean has it on another benchmark too."""
        return float(self.places[0]["first"]) if self.places else math.nan

    @property
    def may_be_best(self) -> int | None:
        """How many detectors may be the best; None: that is not known."""
        return sum(row["low"] == 1 for row in self.places) or None

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
            "metric", "by", "units", "series", "detectors", "smallest", "smallest_plain",
            "difference", "needed", "told", "first_place", "may_be_best", "tau", "flat",
            "disagreeing", "places", "pairs", "information", "without",
        )  # fmt: skip
        return {name: getattr(self, name) for name in names} | {"says": self.says}

    @property
    def kind(self) -> str:
        """What the units are."""
        return {"group": "data sets", "clock": "clocks"}.get(self.by, "series")

    @property
    def unit_words(self) -> str:
        """The units in words."""
        return in_words(self.units, "dataset" if self.by == "group" else self.by)

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
    field: Comparable, metric: str, series: Sequence[str], span: tuple[float, float]
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
    """
    rows = field.common.copy()
    rows[rows] = np.isfinite(field.complete).all(axis=1)
    values, groups = field.values[rows][:, field.is_ranked], field.groups_of(rows)
    means = values.mean(axis=0) if len(values) else np.zeros(values.shape[1])
    order = np.argsort(-means, kind="stable") if len(values) else np.zeros(0, np.int64)
    values, means = values[:, order], means[order]
    names = [field.ranked[place] for place in order]
    by: By = "series" if groups is None else "clock" if field.share_clocks else "group"
    units = UnitSums.of(values, groups)
    enough = len(units.names) >= FEWEST
    found = standings(units)
    wide = span[1] - span[0]
    told = told_pairs(names, values, groups, field.sign) if enough else Separated(math.nan, [])
    return Power(
        metric, by, len(units.names), len(values), names,
        _places(names, field.sign * means, found), found.tau,
        *told,
        _information(values, [series[place] for place in field.series[rows]]),
        first_without(units, names) if groups is not None and enough and names else {},
        _FLAT * wide if math.isfinite(wide) else 0.0,
    )  # fmt: skip


def _places(names: list[str], means: Floats, found: Standings) -> Rows:
    keys = ("detector", "mean", "first", "low", "high")
    rows = zip(names, means.tolist(), found.first, found.low, found.high, strict=True)
    return [dict(zip(keys, row, strict=True)) for row in rows]


class Separated(NamedTuple):
    """What is told apart: of a typical pair of detectors, and of each."""

    smallest: float
    pairs: Rows


def told_pairs(names: list[str], values: Floats, groups: Array | None, sign: int) -> Separated:
    """Each two detectors: their difference, and the smallest one that would be told."""
    means, count = values.mean(axis=0), len(values)
    units = UnitSums.of(values - means, groups)
    number, shares = len(units.names), units.sizes / count
    plain = _errors(units.sums, np.full(number, number / (number - 1))) / count
    tested = _errors(units.sums, 1 / np.maximum(1 - shares, 0.01)) / count
    one_pair, all_pairs = _factors(units.sums, shares)
    found = []
    for one, other in combinations(range(len(names)), 2):
        se, apart = float(plain[one, other]), float(means[one] - means[other])
        found.append({
            "one": names[one], "other": names[other], "difference": sign * apart, "se": se,
            "smallest": one_pair * float(tested[one, other]),
            "smallest_plain": _quantiles(number - 1) * se,
            "needed": _needed(number, se, abs(apart)),
        })  # fmt: skip
    typical = math.sqrt(float((tested**2).sum()) / (2 * len(found))) if found else math.nan
    return Separated(all_pairs * typical, found)


def _factors(sums: Floats, shares: Floats) -> tuple[float, float]:
    """How many standard errors are told: by the error of one pair, and by that of all of them.

    In a field of D detectors that are alike, the mean square over all pairs has D - 1 times the
    degrees of freedom that the square of one pair has.
    """
    detectors = sums.shape[1]
    if len(shares) < FEWEST_TOLD or detectors < 2 or shares.max() > MOST_OF_ALL:
        return math.nan, math.nan
    own, test = _known_by(sums, shares), 1 / float((shares**2).sum()) - 1
    return _times(own, own, test), _times((detectors - 1) * own, own, test)


def _known_by(sums: Floats, shares: Floats) -> float:
    """The degrees of freedom of a squared standard error, by sizes of units and by tails.

    A sum of squares with shares p of its mean varies by sum p^2 (k + 2), where k is the excess
    kurtosis of what is squared; equal units of a normal law give their number less one. That
    kurtosis is one for all pairs: the mean fourth power over the mean of the squared sums.

    >>> even = np.full(10, 0.1)
    >>> flat, long = (np.array([one, -one]).T for one in (np.tile([1, -1], 5), np.eye(10)[0] - 0.1))
    >>> [round(_known_by(sums, even), 1) for sums in (flat.astype(float), long)]
    [18.0, 2.1]
    """
    weights = 1 / np.maximum(1 - shares, 0.01)
    size = float((weights**2 * shares**4).sum() / (weights * shares**2).sum() ** 2)
    squares = _errors(sums, weights) ** 2
    all_squares = float((squares**2).sum())
    fourth = float(_fourth_powers(sums, weights**2).sum())
    tails = fourth / all_squares / size * (1 + 2 * size) - 3 if all_squares else 0.0
    return max(1 / size - 1, 1.0) * 2 / (2 + float(np.clip(tails, *_TAILS)))


def _fourth_powers(sums: Floats, weights: Floats) -> Floats:
    """The weighted fourth powers of the difference of each two columns."""
    squares = sums**2
    weighed = weights[:, np.newaxis] * squares
    own, odd, even = (weighed * squares).sum(axis=0), (weighed * sums).T @ sums, weighed.T @ squares
    return np.asarray(own[:, np.newaxis] + own - 4 * (odd + odd.T) + 6 * even)


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
def _times(here: float, there: float, test: float) -> float:
    """How many estimated standard errors are told apart four times in five by another estimate.

    The difference is that many times the standard error of one benchmark, and is tested with that
    of another. With both errors fixed it is a normal probability; of each the distribution is a chi
    with its own degrees of freedom. The test takes Student's t with what it believes.

    >>> [round(_times(df, df, df), 2) for df in (4.0, 1e4)], round(_times(20.0, 4.0, 4.0), 2)
    ([4.67, 2.8], 3.92)
    """
    from scipy.optimize import brentq  # noqa: PLC0415 - only who needs it pays for it
    from scipy.special import chdtri, ndtr, stdtrit  # noqa: PLC0415 - the same

    nodes = (np.arange(_NODES) + 0.5) / _NODES
    errors, others = (np.sqrt(chdtri(df, nodes) / df) for df in (here, there))
    needed = stdtrit(max(test, 1.0), 1 - CLEAR / 2) * others[:, np.newaxis]
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
    spread = (values - values[:, :1]).std(axis=1)  # 0 where all are equal, without any rounding
    columns = spread.tolist(), agrees.tolist(), lead.tolist(), influence.tolist()
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
        "others of these", "units", "smallest difference", "pairs separated",
        "first two differ by", "units needed", "first again", "may be the best",
    ]  # fmt: skip
    rows = [
        [
            one.kind, f"{one.units:,}",
            _number(one.smallest), _share(one.told), _number(one.difference),
            "" if one.needed is None else f"{one.needed:,}",
            _share(one.first_place), _best(one),
        ]
        for one in found
    ]  # fmt: skip
    title = f"what {found[0].series:,} series can resolve by {visible(found[0].metric)}"
    said = dict.fromkeys(sentence for one in found for sentence in one.says)
    return Layout((Table.of(head, rows, title),), verdicts=tuple(said))


def _sentences(found: Power) -> Iterator[str]:
    """What the numbers amount to."""
    if not found.pairs:
        ranked = f"{len(found.detectors)} ranked detector{'s' * (len(found.detectors) != 1)}"
        yield (
            f"the resolution of this benchmark is unknown: it has {found.unit_words} and "
            f"{ranked}; {FEWEST} {found.kind} and two detectors are needed"
        )
        return
    yield _told_words(found)
    names = printed(found.detectors)
    one, other = (visible(names[name]) for name in found.detectors[:2])
    needed = (
        "" if found.needed is None else (f"; {found.needed:,} {found.kind} needed to detect that")
    )
    yield f"the means of the first two, {one} and {other}, differ by {found.difference:.3f}{needed}"
    yield _first_words(found, one)
    yield from _others_first(found)
    yield (
        f"on {found.flat:,} of {found.series:,} series detectors hardly differ; on "
        f"{found.disagreeing:,} their order is nearly reversed"
    )


def _told_words(found: Power) -> str:
    if not math.isnan(found.smallest):
        return (
            f"{found.unit_words} like these separate two typical detectors with power 0.8 if "
            f"their means differ by {found.smallest:.3f}"
        )
    why = f"at least {FEWEST_TOLD} {found.kind} are needed"
    if found.units >= FEWEST_TOLD:
        why = f"one data set has more than {percent(MOST_OF_ALL)} of the series"
    return f"the smallest difference that {found.unit_words} can detect is unknown: {why}"


def _first_words(found: Power, first: str) -> str:
    if math.isnan(found.first_place):
        why = f"one data set has more than {percent(MOST_OF_ALL)} of the series"
        return f"who would be first on other data sets is unknown: {why}"
    again = first_words(found.first_place, found.may_be_best, len(found.detectors))
    few = f". Which detectors may be the best needs {FEWEST_TOLD} {found.kind}"
    return (
        f"{first} has the best mean; on {found.units:,} new {found.kind} like these it would "
        f"be first in {again}{few if found.may_be_best is None else ''}"
    )


def _others_first(found: Power) -> Iterator[str]:
    """Data sets without which another detector is first."""
    others = [name for name, first in found.without.items() if found.detectors[0] not in first]
    if others:
        more = f" and {len(others) - _NAMED} more" if len(others) > _NAMED else ""
        named = ", ".join(map(visible, others[:_NAMED]))
        yield f"dropping one of these data sets changes the winner: {named}{more}"


def _best(found: Power) -> str:
    count = found.may_be_best
    return "" if count is None else f"{count} of {len(found.detectors)}"


def _number(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.3f}"


def _share(value: float) -> str:
    return "" if math.isnan(value) else percent(value)
