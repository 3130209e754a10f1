"""Means over series, and mean differences of two detectors: with data sets as units, if known.

Series of one data set are alike: a detector that suits one of them suits the others. So a data set
is one unit, with the sum of its values and their number as its row; without data sets each series
is one. The interval of a difference is Student's. That of a mean between two bounds is Student's on
the scale of the logit, and that of a mean above one bound has the high end of the logarithm: values
near a bound are skewed away from it, in proportion to their distance. The mean of a few of them may
lie closer to the bound than it should: with v = (se / distance)^2, its relative variance, the step
away from the bound is taken 1 + v times. Where there is no other bound the high end is at least
that by the skewness of the values; where there is none at all, so are both ends. All this was
chosen on some families of values, and tried on others (`docs/ranking_checked.md`).

Series that share a clock count both ways, by series and by the episodes of that clock
(`adjudge.noise.intervals.episodes`). What a series adds to an episode is its value times the share
of its events that are there, and by how much the value moves with their weight: these add up to the
value of the series.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.data.columns import column, ids
from adjudge.errors import InputError
from adjudge.noise.intervals.evidence import for_these, refusal
from adjudge.noise.intervals.spread import Spread
from adjudge.noise.intervals.student import UNDEFINED, Interval, ends, quantile
from adjudge.noise.intervals.units import FEWEST, in_words, on_clocks

if TYPE_CHECKING:
    from adjudge._typing import Column, Flags, Floats, Positions

FEWEST_FLIPS, MOST_FLIPS = 6, 16
"""Units between which every way to flip their signs is tried."""
_UNBOUNDED = (-math.inf, math.inf)
_FAR = 500.0
"""Of which there still is an exponential."""
_STRAIGHT = 1e-9
"""Skewness below which there is none."""
_SKEWED, _MOST_SKEWED = 1.3, 1.5
"""The skewness of values is taken for more than it looks, of few for more, at most so much more."""
_MANY = 20
"""Equal units from which on there is an interval of values that do not tell how far they spread."""
_SAME = 1e-12


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
    conditional_low: float = math.nan
    """For these data sets alone, by their series, where they are too few."""
    conditional_high: float = math.nan
    p_value: float = math.nan
    """Of a mean difference: how often equally good detectors differ as much."""
    p_flips: float = math.nan
    """The same by flips of sign, unit by unit, which asks for no t: of 6 to 16 units."""

    def __str__(self) -> str:
        """Print the mean with its interval.

        >>> print(mean_of([0.5, 0.75, 0.25, 0.5]))
        0.5000 (0.2053 to 0.7947; 4 series)
        >>> print(mean_of([0.5, 0.75]))
        0.6250 (too few to say: 2 series)
        """
        parts = [f"{self.low:.4f} to {self.high:.4f}"] if not math.isnan(self.low) else []
        parts += [self.words] if self.words else []
        if not math.isnan(self.conditional_low):
            parts.append(
                f"{for_these(self.units)} {self.conditional_low:.4f} to {self.conditional_high:.4f}"
            )
        return f"{self.mean:.4f}" + (f" ({'; '.join(parts)})" if parts else "")


class Panel(NamedTuple):
    """What series that share clocks add to the episodes there: a row per series and episode."""

    series: Positions
    """The number of the series."""
    episode: Positions
    share: Floats
    """The share of the events of this series; of one without events all of it."""
    moved: Floats
    """By how much its value moves with the weight of these events: a column per detector."""
    clock: Positions
    """The number of the clock of each series."""
    known: bool = True
    """Whether it is known what moves values; else a clock is one unit."""

    def of_pairs(self, one: Positions, other: Positions, sign: int) -> Panel:
        """The same of the differences of detectors."""
        return self._replace(moved=sign * (self.moved[:, one] - self.moved[:, other]))

    def of(self, place: int) -> Panel:
        """The same of one detector."""
        return self._replace(moved=self.moved[:, [place]])

    def is_shared(self, owner: Positions) -> bool:
        """Whether units share a clock, given the unit of each series."""
        pairs = np.unique(np.stack([self.clock, owner]), axis=1)
        return bool(pairs.shape[1] > len(np.unique(self.clock)))


@dataclass(frozen=True)
class _Units:
    kind: str
    count: int
    series: int
    seen: str = ""
    """Of those that share clocks: what they saw there."""

    def named(self, count: int | None = None) -> str:
        """So many of them in words."""
        return in_words(self.count if count is None else count, self.kind)

    @property
    def words(self) -> str:
        """What an interval rests on."""
        if self.seen:
            return f"{self.named()} {self.seen}, and both count"
        if self.kind in {"series", "episode"}:
            return self.named()
        return f"the evidence is {self.named()}, not {in_words(self.series, 'series')}"


def mean_of(
    values: Column,
    groups: Column = None,
    span: tuple[float, float] = (0.0, 1.0),
    level: float = 0.95,
    panel: Panel | None = None,
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
    panel : Panel, optional
        What series that share a clock add to its episodes.

    Returns
    -------
    Mean
        Without an interval below three units, where one has more than 60 % of the series, and where
        fewer than 20 have one and the same value, or no other than the lowest and the highest. Of
        one or two data sets the interval over their series stands apart.

    Raises
    ------
    InputError
        If there is not one data set per value.

    Examples
    --------
    >>> print(mean_of([0.2, 0.3, 0.8, 0.9, 0.5, 0.6, 0.1], ["a", "a", "b", "b", "c", "c", "c"]))
    0.4857 (0.0529 to 0.9551; the evidence is 3 data sets, not 7 series)
    """
    given = _floats(values, "values")
    spreads = _Spreads.of(given[:, np.newaxis], groups, panel)
    own, units, found = given[~np.isnan(given)], spreads.units(0), spreads.spread(0)
    if not own.size:
        return _nothing(units)
    why = spreads.refusal(0) or unknown_spread(own, units.named(), found, span)
    low, high = UNDEFINED if why else mean_ends(found, own, units.count, span, level)
    result = Mean(found.value, low, high, found.df, units.kind, units.count, why or units.words)
    inner = None if groups is None else mean_of(given, None, span, level, panel)
    return _with_here(result, own, inner)


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
    return mean_differences(_floats(differences, "differences")[:, np.newaxis], groups, level)[0]


def mean_differences(
    differences: Floats, groups: Column = None, level: float = 0.95, panel: Panel | None = None
) -> list[Mean]:
    """The mean differences of many pairs of detectors, a column each: see `mean_difference`.

    >>> one, other = mean_differences(np.array([[0.1, 0.2], [0.3, np.nan], [0.2, 0.1], [0.4, 0.3]]))
    >>> print(f"{one}; {other}")
    0.2500 (0.0446 to 0.4554; 4 series); 0.2000 (-0.0484 to 0.4484; 3 series)
    """
    spreads = _Spreads.of(differences, groups, panel)
    return [
        _difference(spreads, place, one, level, None if panel is None else panel.of(place))
        for place, one in enumerate(differences.T)
    ]


def _difference(
    spreads: _Spreads, place: int, values: Floats, level: float, panel: Panel | None
) -> Mean:
    """A mean difference, by what its units say of it."""
    units, found, own = spreads.units(place), spreads.spread(place), values[~np.isnan(values)]
    if not own.size:
        return _nothing(units)
    why, alike = spreads.refusal(place), "differ by the same" if found.value else "do not differ"
    one = f"{units.named()} that {alike}: no interval"
    words = why or (one if _are_alike(found) else units.words)
    low, high = ends(found, found.value, _UNBOUNDED, level) if words == units.words else UNDEFINED
    result = Mean(found.value, low, high, found.df, units.kind, units.count, words)
    if why:
        few = units.kind == "dataset" and units.count < FEWEST
        inner = mean_differences(values[:, np.newaxis], None, level, panel)[0] if few else None
        return _with_here(result, own, inner)
    p_value = _p_value(found, units.count)
    return result._replace(p_value=p_value, p_flips=spreads.by_flips(place))


def _floats(values: Column, name: str) -> Floats:
    given = column(values, name) if len(values) else np.zeros(0)
    return given.astype(np.float64)


def _nothing(units: _Units) -> Mean:
    return Mean(math.nan, *UNDEFINED, math.nan, units.kind, 0, "")


def _with_here(result: Mean, own: Floats, inner: Mean | None) -> Mean:
    """The mean of one or two data sets has the interval over their series beside it."""
    if inner is None or result.units >= FEWEST or own.size < FEWEST:
        return result
    return result._replace(conditional_low=inner.low, conditional_high=inner.high)


class _Spreads(NamedTuple):
    """What the units say of means, a column each.

    Of plain means the formulas of `adjudge.noise.intervals.spread` are short: with n_u values in
    unit u, n in all, their mean x_u and that of all x, its influence is n_u (x_u - x) / n.
    """

    kind: str
    sums: Floats
    sizes: Floats
    means: Floats
    se: Floats
    df: Floats
    largest: Floats
    skewness: Floats
    clocks: int = 0
    """How many clocks units share; 0: each has its own."""
    both_ways: tuple[_Spreads, ...] = ()
    """Where units share clocks: the same by the episodes there, and by what each adds to each."""

    @classmethod
    def of(cls, values: Floats, groups: Column, panel: Panel | None = None) -> _Spreads:
        """What units say, and the episodes of the clocks that they share."""
        known = ~np.isnan(values)
        whole = np.where(known, values, 0.0)
        kind, sums, sizes = _by_unit(whole, known, groups)
        found = cls._made(kind, sums, sizes)
        owner = np.arange(len(values))
        if groups is not None:
            owner = np.unique(groups, return_inverse=True)[1]
        if panel is None or not panel.is_shared(owner):
            return found
        if not panel.known:
            _, *by_clock = _by_unit(whole, known, panel.clock)
            return cls._made("clock", *by_clock)
        there = known[panel.series]
        sizes = panel.share[:, np.newaxis] * there
        sums = whole[panel.series] * sizes + np.where(there, panel.moved, 0.0)
        pairs = np.stack([owner[panel.series], panel.episode])
        cell = np.unique(pairs, axis=1, return_inverse=True)[1].ravel()
        both = (
            cls._made(kind, *_summed(number, sums, sizes))
            for kind, number in (("episode", panel.episode), ("cell", cell))
        )
        return found._replace(both_ways=tuple(both), clocks=len(np.unique(panel.clock)))

    @classmethod
    def _made(cls, kind: str, sums: Floats, sizes: Floats) -> _Spreads:
        with np.errstate(invalid="ignore", divide="ignore"):  # columns of nothing
            n = sizes.sum(axis=0)
            means, shares = sums.sum(axis=0) / n, sizes / n
            moved = sums / n - shares * means
            variance = (moved**2 / (1 - np.minimum(shares, 0.99))).sum(axis=0)
            df = np.maximum(1 / (shares**2).sum(axis=0) - 1, 1.0)
            skewness = np.nan_to_num((moved**3).sum(axis=0) / (moved**2).sum(axis=0) ** 1.5)
        largest = shares.max(axis=0, initial=0.0)
        return cls(kind, sums, sizes, means, np.sqrt(variance), df, largest, skewness)

    def units(self, place: int) -> _Units:
        """The units of a column."""
        sizes, seen = self.sizes[:, place], ""
        for episodes in self.both_ways[:1]:
            seen = f"{on_clocks(self.clocks)} saw {episodes.units(place).named()}"
        return _Units(self.kind, int(np.count_nonzero(sizes)), round(sizes.sum()), seen)

    def refusal(self, place: int) -> str:
        """Why the units of a column carry no interval; "" where they do."""
        found = refusal(self.spread(place), self.units(place))
        return found or next((one.refusal(place) for one in self.both_ways[:1]), "")

    def by_flips(self, place: int) -> float:
        """How often the sums of units are as large when they change sign: both ways the larger."""
        found = [_by_flips(way.sums_of(place)) for way in (self, *self.both_ways[:1])]
        return next(filter(math.isnan, found), max(found))

    def sums_of(self, place: int) -> Floats:
        """The sums of its units."""
        return np.asarray(self.sums[self.sizes[:, place] > 0, place])

    def spread(self, place: int) -> Spread:
        """What they say of its mean."""
        names = ("means", "se", "df", "largest")
        value, se, df, largest = (float(getattr(self, name)[place]) for name in names)
        skewness = float(self.skewness[place])
        found = Spread(value, se, df, largest, df + 1, 1.0, skewness=skewness)
        both = [one.spread(place) for one in self.both_ways]
        return found.across(*both) if both else found


def _by_unit(values: Floats, known: Flags, groups: Column) -> tuple[str, Floats, Floats]:
    """The kind of the units, and the sum and the number of the values of each, in every column."""
    counts = known.astype(np.float64)
    if groups is None:
        return "series", values, counts
    given = ids(groups, "groups")
    if given.shape != (len(known),):
        raise InputError(
            f"groups must be one data set per value, got {given.size} for {len(known)} values"
        )
    _, number = np.unique(given, return_inverse=True)
    return "dataset", *_summed(number, values, counts)


def _summed(number: Positions, values: Floats, sizes: Floats) -> tuple[Floats, Floats]:
    """Sum values and sizes by their number, in every column."""
    found = np.zeros((2, int(number.max(initial=-1)) + 1, values.shape[1]))
    np.add.at(found[0], number, values)
    np.add.at(found[1], number, sizes)
    return found[0], found[1]


def unknown_spread(own: Floats, named: str, found: Spread, span: tuple[float, float]) -> str:
    """Why values do not tell how far they spread; "" where they do, or are many."""
    bounded, few = math.isfinite(span[1] - span[0]), found.df + 1 < _MANY * (1 - _SAME)
    if _are_alike(found) and (few or not bounded):
        return f"too few to say: {named} with one value"
    if np.isin(own, span).all() and few:
        return f"too few to say: {named} with no value but {span[0]:g} and {span[1]:g}"
    return ""


def _are_alike(found: Spread) -> bool:
    return found.se <= _SAME * abs(found.value)


def mean_ends(
    found: Spread, own: Floats, count: int, span: tuple[float, float], level: float
) -> Interval:
    """The ends of the interval of a mean of so many values, whose spread is known."""
    (least, most), times = span, quantile(found.df, level)
    if math.isinf(least) and math.isfinite(most):  # the same the other way round
        turned = found._replace(value=-found.value, skewness=-found.skewness)
        high, low = mean_ends(turned, -own, count, (-most, -least), level)
        return Interval(-low, -high)
    if math.isinf(most):
        few = _SKEWED * min(_MOST_SKEWED, math.sqrt(count * (count - 1)) / (count - 2))
        return _without_bounds(found, found.skewness * few, times, least)
    wide = most - least
    x, se = (found.value - least) / wide, found.se / wide
    if _are_alike(found):
        rest = 1 - ((1 - level) / 2) ** (1 / count)  # what may be elsewhere and was not met
        low, high = x - rest * x, x + rest * (1 - x)
    else:
        only_ends = bool(np.isin(own, span).all())  # how far they spread follows from their mean
        low = 1 - _high(1 - x, se, times, only_ends=only_ends)
        high = _high(x, se, times, only_ends=only_ends)
    return Interval(least + wide * low, least + wide * high)


def _without_bounds(found: Spread, skewness: float, times: float, least: float) -> Interval:
    """The ends of a mean that has no upper bound, and perhaps no lower one."""
    low, high = (found.se * _skewed(sign * skewness, times) for sign in (-1, 1))
    if math.isinf(least):
        return Interval(found.value - low, found.value + high)
    above = _above(found.value - least, found.se, times)
    return Interval(
        max(found.value - times * found.se, least), max(least + above, found.value + high)
    )


def _high(x: float, se: float, times: float, *, only_ends: bool) -> float:
    """The high end of a mean between 0 and 1."""
    step = times * se / (x * (1 - x))
    step *= 1.0 if only_ends or x > 1 / 2 else 1 + (se / x) ** 2
    return 1 / (1 + (1 - x) / x * math.exp(-step))


def _above(mean: float, se: float, times: float) -> float:
    """The high end of a mean above 0 on the scale of the logarithm."""
    step = times * se / mean * (1 + (se / mean) ** 2)
    return mean * math.exp(min(step, _FAR))


def _skewed(a: float, times: float) -> float:
    """How many standard errors the mean of skewed values may lie above what was found.

    With a the skewness of the mean, t + a t^2 / 3 + a^2 t^3 / 27 + a / 6 is nearly symmetric where
    t is not [1]_. Its inverse is taken at the low quantile.

    References
    ----------
    .. [1] P. Hall (1992). On the removal of skewness by transformation. JRSS B 54(1).
    """
    if a < _STRAIGHT:
        return times
    return float(3 / a * (1 - np.cbrt(1 - a * (times + a / 6))))


def _p_value(found: Spread, count: int) -> float:
    """How often equally good detectors differ as much.

    By Student's t; where units all differ by the same, how often they would all have one sign.
    """
    from scipy.special import stdtr  # noqa: PLC0415 - only who needs it pays for it

    if _are_alike(found):
        return 2.0 ** (1 - count) if found.value else 1.0
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
