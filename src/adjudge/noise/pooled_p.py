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
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from adjudge.checks import whole, word
from adjudge.errors import InputError
from adjudge.noise.keyed_sums import COMBINATIONS, KeyedSums, digits_of, whole_steps
from adjudge.noise.p_values import CLEAR, TIE, PlacesOfSeries, benjamini_hochberg
from adjudge.noise.shifting.shifted_case import CaseShifts  # noqa: TC001 - for the examples

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from adjudge._typing import Floats, Positions
    from adjudge.metrics.metric import Metric
    from adjudge.noise.p_values import NullValues

PLACES = 199
"""So many places of each series are judged beside home."""
_UNBOUNDED = (-math.inf, math.inf)


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


class OneSeries(NamedTuple):
    """What one series says against chance."""

    p: float
    """How often a place does as well as home, by the null model that says less."""
    evidence: float
    """The logarithm of the e-value of home, which is 1 on average, by that model."""
    steps: tuple[Positions, ...]
    """By how much each place is better than home, by each null model: see `whole_steps`."""

    @classmethod
    def of(cls, places: PlacesOfSeries, better: str, span: tuple[float, float]) -> OneSeries | None:
        """Test a series; None: it has no value at home.

        Parameters
        ----------
        places : PlacesOfSeries
            What a detector scores there.
        better : "higher" or "lower"
            Which values are good.
        span : pair of float
            The lowest and the highest value that there can be.
        """
        if np.isnan(places.home).any():
            return None
        sign, digits = -1 if better == "lower" else 1, digits_of(span)
        each = [
            (sign * float(home), sign * elsewhere)
            for home, elsewhere in zip(places.home, places.elsewhere, strict=True)
        ]
        models = [_Series.of(*one) for one in each]
        return cls(
            max(one.p for one in models),
            min(one.evidence for one in models),
            tuple(whole_steps(*one, digits) for one in each),
        )


def pooled_p(
    places: Sequence[PlacesOfSeries],
    better: Literal["higher", "lower"] = "higher",
    combinations: int = COMBINATIONS,
    clocks: Iterable[Any] | None = None,
    span: tuple[float, float] = _UNBOUNDED,
) -> Pooled:
    r"""Hold the mean of a metric over series against the mean at places drawn for each series.

    .. math:: p = \frac{1 + \#\{b : \bar v_b \ge \bar v\}}{1 + B}

    A combination takes one of the places of each series, home among them. Home everywhere is one of
    all combinations and as likely as any other, so that the p-value is valid with any number
    of them. The combinations are always the same ones: what is drawn on a clock follows from its
    name (`adjudge.noise.keyed_sums`), and no seed plays a part. Of one or two series all of them
    are counted, up to 65,536, and p is the share of those that do as well.

    Parameters
    ----------
    places : sequence of PlacesOfSeries
        The values of one detector. Series without a value at home do not count, nor do places
        without one.
    better : "higher" or "lower"
        Which values are good.
    combinations : int
        How many are drawn, where there are too many to count.
    clocks : names, optional
        The clock of each series: those of one are moved together. Default: each has its own.
    span : pair of float
        The lowest and the highest value that there can be: between -1 and 1 values are told apart
        to 12 digits, else to 6 after the point.

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
    0.205 0.0014
    """
    word(better, "better", ("higher", "lower"))
    combinations = whole(combinations, "combinations", 1)
    names = [str(one) for one in (range(len(places)) if clocks is None else clocks)]
    tested = [
        (name, one)
        for name, own in zip(names, places, strict=True)
        if (one := OneSeries.of(own, better, span)) is not None
    ]
    models = {len(one.steps) for _, one in tested}
    if len(models) > 1:
        raise InputError(
            f"every series must have the same null models, got {sorted(models)} of them"
        )
    sums = [KeyedSums(combinations) for _ in range(max(models, default=0))]
    for name, one in tested:
        for model, steps in zip(sums, one.steps, strict=True):
            model.add(name, steps, shared=names.count(name) > 1)
    said = np.array([[one.p, one.evidence] for _, one in tested]).reshape(-1, 2)
    return pooled_of(sums, said[:, 0], said[:, 1], [name for name, _ in tested])


def pooled_of(
    sums: Sequence[KeyedSums], alone: Floats, evidence: Floats, clocks: Sequence[str]
) -> Pooled:
    """Put together what was added up over series, and what each says by itself.

    Parameters
    ----------
    sums : sequence of KeyedSums
        Of each null model.
    alone, evidence : array of float
        Of each series, as `OneSeries` has them.
    clocks : sequence of str
        The name of the clock of each.
    """
    series, on = len(clocks), len(set(clocks))
    if not series:
        return Pooled(better_on=0, better_on_low=0)
    adjusted = benjamini_hochberg(alone)
    return Pooled(
        p_value=max(model.p(series) for model in sums),
        least=max(model.least for model in sums),
        better_on=int(np.count_nonzero(adjusted <= CLEAR)),
        better_on_low=_sure_of(evidence, together=on < series),
        series=series,
        alone=tuple(adjusted.tolist()),
        clocks=on,
    )


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
