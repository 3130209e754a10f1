"""Pooled p-values: whether a detector is better than chance over many series at once.

One event in a series is found again at many places, so that the p-value of each series by itself
can hardly be small. Over series the evidence adds up. The statistic is the mean over series of
what the metric scores; under the null model each series is shifted by itself, so that its own place
is one of its places, each as likely as any other, and the mean at home is one of all combinations.

A p-value over all series does not say on how many the detector is better. `better_on_low` is a
lower 95 % confidence bound of that number, by closed testing of e-values [1]_, [2]_, [3]_. The
e-value of a place is one over the square root of its p-value, divided by the mean over all places
of its series. If home is as likely as any other place, its e-value is 1 on average. So is the
product over any series in which the detector is blind; by Markov's inequality it is 20 or more in
at most 5 % of cases. A number of blind series is ruled out when even those with the least evidence
have such a product. For that series must be independent: where a blind detector hits in one must
say nothing of another. Series that share a clock are not. The p-value moves them together: their
values at the same place are added up first, and a combination takes a place of each clock. Of
their e-values the mean takes the place of the product: it is 1 on average however they hang
together [1]_.

References
----------
.. [1] V. Vovk and R. Wang (2021). E-values: Calibration, Combination and Applications. Annals of
   Statistics 49(3).
.. [2] V. Vovk and R. Wang (2023). Confidence and Discoveries with E-values. Statistical Science
   38(2).
.. [3] J. J. Goeman and A. Solari (2011). Multiple Testing for Exploratory Research. Statistical
   Science 26(4).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from adjudge.checks import whole, word
from adjudge.errors import InputError
from adjudge.noise.p_values import CLEAR, TIE, PlacesOfSeries, benjamini_hochberg
from adjudge.noise.shifting.shifted_case import CaseShifts  # noqa: TC001 - for the examples

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge._typing import Floats, Positions
    from adjudge.metrics.metric import Metric
    from adjudge.noise.p_values import NullValues

COMBINATIONS, PLACES = 9_999, 199
"""So many combinations are drawn, of so many places of each series."""
_STREAM = 20_240_914
_COUNTED = 1 << 16
"""Combinations up to which each of them is counted, and none is drawn."""


def places_of_series(
    metric: Metric,
    shifting: CaseShifts,
    value: float,
    shifts: int = PLACES,
    known: NullValues | None = None,
) -> PlacesOfSeries:
    """Judge a series at home and at other places, everywhere and nearby.

    Its value is known, and so may be those on the shifts of seed 0.

    >>> import adjudge as aj
    >>> case = aj.Case([0] * 40 + [1] * 10, [0] * 42 + [1] * 8)
    >>> places = places_of_series(aj.f1_ba, CaseShifts(case), 1.0)
    >>> places.home, [values.size for values in places.elsewhere]
    (array([1., 1.]), [49, 199])
    """
    home, elsewhere = shifting.places(metric, value, shifts, known)
    home_nearby, nearby = shifting.nearby.places(metric, value, shifts)
    return PlacesOfSeries(np.array([home, home_nearby]), [elsewhere, nearby])


class Pooled(NamedTuple):
    """A detector over several series."""

    p_value: float = math.nan
    """How often places of all series, drawn for each, do as well on average as those at home: the
    largest of all null models. NaN where no series can be tested."""
    least: float = math.nan
    """The smallest p-value that it could have had."""
    better_on: int | None = None
    """On how many series it is better than chance by itself, of which about one in twenty is so by
    luck (Benjamini and Hochberg)."""
    better_on_low: int | None = None
    """On how many series it is better than chance at least: the end of a 95 % interval."""
    series: int = 0
    """How many series have a value."""
    alone: tuple[float, ...] = ()
    """The p-value of each of these by itself, adjusted for their number (Benjamini-Hochberg)."""
    clocks: int = 0
    """On how many clocks they are."""


def pooled_p(
    places: Sequence[PlacesOfSeries],
    better: Literal["higher", "lower"] = "higher",
    combinations: int = COMBINATIONS,
    clocks: Positions | None = None,
) -> Pooled:
    r"""Hold the mean of a metric over series against the mean at places drawn for each series.

    .. math:: p = \frac{1 + \#\{b : \bar v_b \ge \bar v\}}{1 + B}

    A combination takes one of the places of each series, home among them. Home everywhere is one of
    all combinations and as likely as any other, so that the p-value is valid with any number
    of them. The combinations are always the same ones: no seed plays a part. Of one or two series
    all of them are counted, up to 65,536, and p is the share of those that do as well.

    Parameters
    ----------
    places : sequence of PlacesOfSeries
        The values of one detector. Series without a value at home do not count, nor do places
        without one.
    better : "higher" or "lower"
        Which values are good.
    combinations : int
        How many are drawn, where there are too many to count.
    clocks : array of int, optional
        The number of the clock of each series: those of one are moved together. Default: each has
        its own.

    Returns
    -------
    Pooled

    Raises
    ------
    InputError
        If the series have not the same null models.

    Examples
    --------
    >>> elsewhere = np.linspace(0, 1, 199)
    >>> one = PlacesOfSeries(np.array([0.8]), [elsewhere])
    >>> print(f"{pooled_p([one]).p_value:.3f} {pooled_p([one] * 8).p_value:.4f}")
    0.205 0.0013
    """
    sign = -1 if word(better, "better", ("higher", "lower")) == "lower" else 1
    combinations = whole(combinations, "combinations", 1)
    there = [k for k, one in enumerate(places) if not np.isnan(one.home).any()]
    kept = [places[k] for k in there]
    models = {len(one.elsewhere) for one in kept}
    if len(models) > 1:
        raise InputError(
            f"every series must have the same null models, got {sorted(models)} of them"
        )
    if not kept:
        return Pooled(better_on=0, better_on_low=0)
    values = [
        [(sign * float(one.home[model]), sign * one.elsewhere[model]) for one in kept]
        for model in range(models.pop())
    ]
    by_model = [[_Series.of(*one) for one in own] for own in values]
    every = np.max([[one.p for one in series] for series in by_model], axis=0)
    alone = benjamini_hochberg(every)
    numbers = np.arange(len(kept)) if clocks is None else np.asarray(clocks)[there]
    moved = [_on_clocks(own, numbers) for own in values]
    evidence = np.min([[o.evidence for o in own] for own in by_model], axis=0)
    is_shared = np.unique(numbers).size < len(kept)
    return Pooled(
        p_value=max(_pooled(series, combinations) for series in moved),
        least=max(_least(series, combinations) for series in moved),
        better_on=int(np.count_nonzero(alone <= CLEAR)),
        better_on_low=_sure_of(evidence, together=is_shared),
        series=len(kept),
        alone=tuple(alone.tolist()),
        clocks=np.unique(numbers).size,
    )


def _on_clocks(values: Sequence[tuple[float, Floats]], clocks: Positions) -> list[_Series]:
    """The sums over series of one clock, place by place; of as many places, as others do not fit.

    >>> one, other = (1.0, np.array([0.5, 0.0])), (2.0, np.array([0.5, 3.0]))
    >>> [series.every.tolist() for series in _on_clocks([one, other], np.array([4, 4]))]
    [[1.0, 3.0, 3.0]]
    """
    together: dict[tuple[int, int], list[tuple[float, Floats]]] = {}
    for one, clock in zip(values, clocks.tolist(), strict=True):
        together.setdefault((clock, one[1].size), []).append(one)
    return [
        _Series.of(sum(home for home, _ in own), np.sum([every for _, every in own], axis=0))
        for own in together.values()
    ]


class _Series(NamedTuple):
    """One series under one null model; high is good."""

    home: float
    every: Floats
    """The values at all places, home last."""

    @classmethod
    def of(cls, home: float, elsewhere: Floats) -> _Series:
        return cls(home, np.append(elsewhere[~np.isnan(elsewhere)], home))

    @property
    def p(self) -> float:
        """How often a place does as well."""
        return float(np.mean(self.every >= self.home - TIE))

    @property
    def evidence(self) -> float:
        """The logarithm of the e-value of home, which is 1 on average over all places."""
        ordered = np.sort(self.every)
        reached = ordered.size - np.searchsorted(ordered, self.every - TIE)
        values = (reached / ordered.size) ** -0.5
        return float(np.log(values[-1] / values.mean()))

    @property
    def least(self) -> float:
        """How often a place does as well as the best."""
        return float(np.mean(self.every >= self.every.max() - TIE))


def _sure_of(evidence: Floats, *, together: bool = False) -> int:
    """On how many series at least, by the logarithms of their e-values, all is not luck.

    >>> _sure_of(np.log([4.0, 4.0, 4.0, 4.0, 0.5]))
    2
    >>> _sure_of(np.log([90.0, 90.0, 4.0, 4.0, 0.5]), together=True)
    2
    """
    ordered = np.sort(evidence)
    least = np.cumsum(ordered)  # of so many series, those that say the least
    if together:
        least = np.log(np.cumsum(np.exp(ordered)) / np.arange(1, ordered.size + 1))
    blind = np.flatnonzero(least < -math.log(CLEAR))
    return evidence.size - (int(blind[-1]) + 1 if blind.size else 0)


def _pooled(series: Sequence[_Series], combinations: int) -> float:
    if _is_counted(series):
        sums = np.zeros(1)
        for one in series:
            sums = np.add.outer(sums, one.every - one.home).ravel()
        return float(np.mean(sums >= -TIE * len(series)))
    rng, total = np.random.default_rng(_STREAM), np.zeros(combinations)
    for one in series:
        total += one.every[rng.integers(one.every.size, size=combinations)] - one.home
    return float((1 + np.count_nonzero(total >= -TIE * len(series))) / (1 + combinations))


def _least(series: Sequence[_Series], combinations: int) -> float:
    """The p-value of who scores at home what is the best at any place, in every series."""
    least = math.prod(one.least for one in series)
    return least if _is_counted(series) else max(1 / (1 + combinations), least)


def _is_counted(series: Sequence[_Series]) -> bool:
    return math.prod(one.every.size for one in series) <= _COUNTED
