"""Means over series, and mean differences of two detectors: with data sets as units, if known.

Series of one data set are alike: a detector that suits one of them suits the others. So a data set
is one unit, with the sum of its values and their number as its row; without data sets each series
is one. A little of a unit is imagined at either end of the range, so that values that agree, or a
few that are skewed, leave something open. Of differences nothing is imagined. Values without an
upper bound, such as delays, are skewed to that side: there the high end is that of the logarithm,
or that by their own skewness if it is higher.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.data.columns import column, ids
from adjudge.errors import InputError
from adjudge.noise.intervals.evidence import (
    FEWEST,
    UNDEFINED,
    ends,
    for_these,
    in_words,
    quantile,
    refusal,
    spread,
)

if TYPE_CHECKING:
    from adjudge._typing import Column, Floats, Positions
    from adjudge.noise.intervals.evidence import Interval, Spread

FEWEST_FLIPS, MOST_FLIPS = 6, 16
"""Units between which every way to flip their signs is tried."""
_UNBOUNDED = (-math.inf, math.inf)
_FAR = 500.0
"""Of which there still is an exponential."""
_STRAIGHT = 1e-9
"""Skewness below which there is none."""
_IMAGINED = 1 / 25
"""The part of a unit that is imagined at either end of the range."""


class Mean(NamedTuple):
    """A mean, and what is known of it."""

    mean: float
    low: float
    high: float
    df: float
    unit: str
    """What the interval rests on: "dataset" or "series"."""
    units: int
    words: str
    """What the interval rests on, or why there is none."""
    low_here: float = math.nan
    """For these data sets alone, by their series, where they are too few."""
    high_here: float = math.nan
    p_value: float = math.nan
    """Of a mean difference: how often equally good detectors differ as much."""
    p_flips: float = math.nan
    """The same by flips of sign, unit by unit, which asks for no t: of 6 to 16 units."""

    def __str__(self) -> str:
        """Print the mean with its interval.

        >>> print(mean_of([0.5, 0.75, 0.25, 0.5]))
        0.5000 (0.1959 to 0.8041; 4 series)
        >>> print(mean_of([0.5, 0.75]))
        0.6250 (too few to say: 2 series)
        """
        parts = [f"{self.low:.4f} to {self.high:.4f}"] if not math.isnan(self.low) else []
        parts += [self.words] if self.words else []
        if not math.isnan(self.low_here):
            parts.append(f"{for_these(self.units)} {self.low_here:.4f} to {self.high_here:.4f}")
        return f"{self.mean:.4f}" + (f" ({'; '.join(parts)})" if parts else "")


class _Units(NamedTuple):
    kind: str
    number: Positions
    """The unit of each value."""
    size: int

    @property
    def count(self) -> int:  # type: ignore[override]
        """How many there are."""
        return self.size

    def named(self, count: int | None = None) -> str:
        """So many of them in words."""
        return in_words(self.size if count is None else count, self.kind)


def mean_of(
    values: Column,
    groups: Column = None,
    span: tuple[float, float] = (0.0, 1.0),
    level: float = 0.95,
) -> Mean:
    """The mean over series with its interval.

    Parameters
    ----------
    values : column
        The value of each series; undefined ones are left out.
    groups : column, optional
        The data set of each series.
    span : pair of float
        The lowest and the highest value that there can be.
    level : float
        How often the interval is to hold the mean over very many such series.

    Returns
    -------
    Mean
        Without an interval below three units, and where one has more than 60 % of the series. Of
        one or two data sets the interval over their series stands apart.

    Raises
    ------
    InputError
        If there is not one data set per value.

    Examples
    --------
    >>> print(mean_of([0.2, 0.3, 0.8, 0.9, 0.5, 0.6, 0.1], ["a", "a", "b", "b", "c", "c", "c"]))
    0.4857 (0.0116 to 0.9817; the evidence is 3 data sets, not 7 series)
    """
    return _result(values, groups, span, level, imagined=True)


def mean_difference(differences: Column, groups: Column = None, level: float = 0.95) -> Mean:
    """The mean difference of two detectors on the same series, with interval and p-value.

    Both say the same about 0: there is no difference within the interval that p would exclude.

    Parameters
    ----------
    differences : column
        The first value less the second, of each series; undefined ones are left out.
    groups : column, optional
        The data set of each series.
    level : float
        How often the interval is to hold the mean difference over very many such series.

    Returns
    -------
    Mean
        Without interval and p-value below three units, and where one has more than 60 % of the
        series.

    Raises
    ------
    InputError
        If there is not one data set per difference.

    Examples
    --------
    >>> found = mean_difference([0.1, 0.2, 0.15, 0.3, 0.05, 0.12, 0.22])
    >>> print(f"{found} p = {found.p_value:.4f}, by flips {found.p_flips:.4f}")
    0.1629 (0.0853 to 0.2404; 7 series) p = 0.0021, by flips 0.0156
    """
    return _result(differences, groups, _UNBOUNDED, level, imagined=False)


def _result(
    values: Column, groups: Column, span: tuple[float, float], level: float, *, imagined: bool
) -> Mean:
    given = column(values, "values") if len(values) else np.zeros(0)
    known = ~np.isnan(given.astype(np.float64))
    own, units = given[known].astype(np.float64), _units(groups, known)
    if not own.size:
        return Mean(math.nan, *UNDEFINED, math.nan, units.kind, 0, "")
    mean, found = float(own.mean()), _spread(own, units, span, imagined=imagined)
    why = refusal(found, units)
    low, high = UNDEFINED if why else _ends(found, mean, span, level)
    here = _here(own, units, span, level, imagined=imagined)
    result = Mean(mean, low, high, found.df, units.kind, units.count, why or _words(units), *here)
    if imagined or why:
        return result
    return result._replace(p_value=_p_value(found), p_flips=_by_flips(_sums(own, units)))


def _units(groups: Column, known: Positions) -> _Units:
    if groups is None:
        return _Units("series", np.arange(int(known.sum())), int(known.sum()))
    given = ids(groups, "groups")
    if given.shape != known.shape:
        raise InputError(
            f"groups must be one data set per value, got {given.size} for {known.size} values"
        )
    names, number = np.unique(given[known], return_inverse=True)
    return _Units("dataset", number, len(names))


def _here(
    own: Floats, units: _Units, span: tuple[float, float], level: float, *, imagined: bool
) -> Interval:
    """The interval over the series of one or two data sets."""
    inner = _Units("series", np.arange(own.size), own.size)
    if units.kind == "series" or units.count >= FEWEST or inner.count < FEWEST:
        return UNDEFINED
    return _ends(_spread(own, inner, span, imagined=imagined), float(own.mean()), span, level)


def _ends(found: Spread, mean: float, span: tuple[float, float], level: float) -> Interval:
    """The ends of the interval; above a lower bound alone the high one is that of the logarithm."""
    plain, (least, most) = ends(found, mean, span, level), span
    if not (math.isfinite(least) and math.isinf(most) and mean > least):
        return plain
    above, times = mean - least, quantile(found.df, level)
    far = above * math.exp(min(times * found.se / above, _FAR))
    return plain._replace(
        high=max(plain.high, least + far, mean + found.se * _skewed(found, times))
    )


def _skewed(found: Spread, times: float) -> float:
    """How many standard errors the mean of skewed values may lie above what was found.

    With a the skewness of the mean, t + a t^2 / 3 + a^2 t^3 / 27 + a / 6 is nearly symmetric where
    t is not [1]_. Its inverse is taken at the low quantile.

    References
    ----------
    .. [1] P. Hall (1992). On the removal of skewness by transformation. JRSS B 54(1).
    """
    a = found.skewness
    if abs(a) < _STRAIGHT:
        return times
    return float(3 / a * (1 - np.cbrt(1 - a * (times + a / 6))))


def _sums(own: Floats, units: _Units) -> Floats:
    return np.bincount(units.number, own, minlength=units.count).astype(np.float64)


def _spread(own: Floats, units: _Units, span: tuple[float, float], *, imagined: bool) -> Spread:
    sizes = np.bincount(units.number, minlength=units.count).astype(np.float64)
    rows = np.stack([_sums(own, units), sizes], axis=1)
    typical = float((sizes**2).sum() / sizes.sum())
    bounded = imagined and math.isfinite(span[1] - span[0])
    beside = [(_IMAGINED, typical * np.array([end, 1.0])) for end in span] if bounded else []
    stakes = np.append(sizes, 2 * _IMAGINED * typical if bounded else 0.0)
    return spread(lambda sums: np.asarray(sums[..., 0] / sums[..., 1]), rows, beside, stakes)


def _words(units: _Units) -> str:
    if units.kind == "series":
        return units.named()
    return f"the evidence is {units.named()}, not {in_words(len(units.number), 'series')}"


def _p_value(found: Spread) -> float:
    from scipy.special import stdtr  # noqa: PLC0415 - only who needs it pays for it

    if found.se == 0:
        return 1.0 if found.value == 0 else 0.0
    return float(2 * stdtr(found.df, -abs(found.value) / found.se))


@lru_cache(maxsize=2)  # each pair of a leaderboard asks for the same
def _signs(count: int) -> Floats:
    """Every way to flip the signs of so many units, a row each."""
    signs = 1 - 2 * (np.arange(1 << count)[:, np.newaxis] >> np.arange(count) & 1)
    return signs.astype(np.float64)


def _by_flips(sums: Floats) -> float:
    """How often the sum is as far from 0 when each unit's sign is flipped or not, in every way."""
    count = len(sums)
    if not FEWEST_FLIPS <= count <= MOST_FLIPS:
        return math.nan
    reached = np.abs(_signs(count) @ sums) >= abs(float(sums.sum())) - 1e-12
    return float(reached.mean())
