"""p-values: how often luck does as well."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

import numpy as np

from adjudge.checks import word

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from adjudge._typing import Array, Flags, Floats

TIE = 1e-12
"""Values that lie no further apart are equal: rounding must not decide a test."""
CLEAR = 0.05
"""p-values up to here tell a detector from chance."""
RISK = 0.001
"""How often what shifts are said to decide may be wrong."""
_SMALL_STEP = 1e-7  # of Newton's method: what is left is about its square
Better = Literal["higher", "lower"]


class NullValues(NamedTuple):
    """What luck scores."""

    values: Floats
    """The metric's values on the shifts that were made, without that on no shift at all."""
    exact: bool
    """Whether all shifts were made; else they were drawn."""
    level: float = math.nan
    """The chance level, where it is known better than by the mean of the values."""

    @property
    def size(self) -> int:
        """How many shifts were made; when they are all, the unshifted one is among them."""
        return self.values.size + self.exact


class PlacesOfSeries(NamedTuple):
    """What a detector scores on one series at home and at other places, by each null model.

    Home and elsewhere are judged alike: islands run round the circles on which the alarms turn.
    """

    home: Floats
    """The value at home, one for each null model that a verdict needs."""
    elsewhere: Sequence[Floats]
    """The values at other places, for each of them."""


class Places(Protocol):
    """What a detector scores at places that others are shifted to as well.

    Scores are scaled: their distance from the mean, in standard deviations; high is good.
    """

    @property
    def size(self) -> int:
        """How many places there are, the own one among them, which is the first."""
        ...

    @property
    def own(self) -> float:
        """The scaled value at the own place."""
        ...

    def reaching(self, levels: Sequence[float], /) -> Iterator[Flags]:
        """Say for each level which places reach it."""
        ...


class KnownPlaces:
    """Places at which every value is known: the own one first; undefined values reach nothing.

    >>> places = KnownPlaces(np.array([3.0, 1.0, np.nan, 2.0]))
    >>> print(f"{places.own:.3f}", [reach.tolist() for reach in places.reaching([0.0])])
    1.225 [[True, False, False, True]]
    """

    def __init__(self, values: Floats) -> None:
        defined = values[~np.isnan(values)]
        self._scaled = (values - defined.mean()) / (defined.std() or 1.0)
        self.size = values.size
        self.own = float(self._scaled[0])

    def reaching(self, levels: Sequence[float]) -> Iterator[Flags]:
        """Say for each level which places reach it."""
        for level in levels:
            yield self._scaled >= level - TIE


class NullTest(NamedTuple):
    """A value compared with a null model."""

    p: float
    """How often the null model does as well."""
    below: float = math.nan
    """How often it does no better."""
    size: int = 0
    """How many places were tried; when these are all, the own one is among them."""
    exact: bool = False
    """Whether these are all."""
    low: float = math.nan
    """The least that the p-value over all places may be."""
    high: float = math.nan
    """The p-value that decides about the detector: the p-value itself, if as many places were
    tried as had been planned; the most that it may be, if trying stopped when it was decided."""
    places: Places | None = None
    """The places, where the detectors of a call can be tested together."""
    made: bool = True
    """Whether the test was made; else the detector has failed another one, and its places alone
    count, for the others."""

    @classmethod
    def of(cls, value: float, null: NullValues, better: Better) -> NullTest:
        """Hold a value against the values at some places, or at all of them.

        >>> test = NullTest.of(0.9, NullValues(np.linspace(0, 1, 40), exact=False), "higher")
        >>> print(f"{test.p:.3f}, at least {test.low:.3f}")
        0.122, at least 0.009
        """
        p = p_value(value, null.values, better)
        other = p_value(value, null.values, "lower" if better == "higher" else "higher")
        defined = int(np.count_nonzero(~np.isnan(null.values)))
        low = p
        if not null.exact and not math.isnan(p):
            low, _ = surely_between(round(p * (1 + defined)) - 1, defined)
        return cls(p, other, null.size, null.exact, low, p)


def rough_normal(tail: float) -> float:
    """The point beyond which a normal distribution has a small tail, to two digits [1]_.

    >>> print(f"{rough_normal(0.025):.2f}")
    1.96

    References
    ----------
    .. [1] M. Abramowitz and I. A. Stegun (1964). Handbook of Mathematical Functions, 26.2.22.
    """
    s = math.sqrt(-2 * math.log(tail))
    return s - (2.30753 + 0.27061 * s) / (1 + s * (0.99229 + 0.04481 * s))


@lru_cache(4096)  # the same few counts come again and again
def surely_between(reached: int, draws: int, risk: float = RISK) -> tuple[float, float]:
    """Say between which shares all places lie, of which some were drawn (Clopper-Pearson).

    >>> print(*(f"{end:.4f}" for end in surely_between(0, 199)))
    0.0000 0.0375
    >>> print(*(f"{end:.4f}" for end in surely_between(25, 199)))
    0.0609 0.2195
    """
    low = 1 / (1 + _most_odds(draws - reached, draws, risk / 2)) if reached else 0.0
    odds = _most_odds(reached, draws, risk / 2) if reached < draws else math.inf
    return low, 1 / (1 + 1 / odds)


def _most_odds(reached: int, draws: int, tail: float) -> float:
    """The odds at which so few of some draws, or fewer, are as rare as a tail.

    By Newton's method on logarithms, from Wilson's interval. SciPy has it too, but takes longer to
    import than a small file takes to be judged.
    """
    share, square = (reached + 0.5) / (draws + 1), rough_normal(tail) ** 2 / draws
    most = share + square / 2 + math.sqrt(square * (share * (1 - share) + square / 4))
    odds, step = most / (1 + square - most), math.inf
    ways = math.lgamma(draws + 1) - math.lgamma(reached + 1) - math.lgamma(draws - reached + 1)
    while abs(step) > _SMALL_STEP:
        whole = last = 1.0  # in units of the chance of just so many
        for count in range(reached, 0, -1):
            last *= count / ((draws - count + 1) * odds)
            whole += last
            if last < _SMALL_STEP**2 * whole:
                break
        log = ways + reached * math.log(odds) - draws * math.log1p(odds) + math.log(whole / tail)
        step = log * whole * (1 + odds) / ((draws - reached) * odds)
        odds *= math.exp(step)
    return odds


def is_decided(low: float, high: float, detectors: int = 1) -> bool:
    """Say whether it matters where between two ends the p-value of one of several detectors lies.

    Holm's method holds it against 0.05 divided by 1, 2, ... up to the number of detectors.

    >>> is_decided(0.03, 0.04), is_decided(0.04, 0.06), is_decided(0.02, 0.03, detectors=2)
    (True, False, False)
    """
    least, most = (min(CLEAR / max(end, TIE), detectors) for end in (low, high))
    return math.floor(least) == math.floor(most)


def p_value(value: float, null: Array, better: Better = "higher") -> float:
    r"""Say how often luck does as well: small means that luck hardly ever does.

    .. math:: p = \frac{1 + \#\{k : v_k \ge v\}}{1 + K}

    The value counts as one of its own null, so ``p`` is never 0 and at most a share ``p`` of
    label-blind detectors gets one this small. With the values on all other shifts it is exactly
    the share of shifts that do as well. Shifts on which the metric is undefined are left out.

    Parameters
    ----------
    value : float
        What the detector scores. NaN gives NaN.
    null : array
        What it scores on ``K`` other shifts.
    better : "higher" or "lower"
        Which side of the null is the good one.

    Returns
    -------
    float
        A share in (0, 1], or NaN.

    Examples
    --------
    >>> p_value(0.9, [0.1, 0.5, 0.9, 0.2])
    0.4
    >>> p_value(0.9, [0.1, 0.5, 0.9, 0.2], better="lower")
    1.0
    """
    sign = -1 if word(better, "better", ("higher", "lower")) == "lower" else 1
    if math.isnan(value):
        return math.nan
    defined = np.asarray(null, np.float64)
    defined = defined[~np.isnan(defined)]
    reached = int(np.count_nonzero(defined * sign >= value * sign - TIE))
    return (1 + reached) / (1 + defined.size)


def holm(p_values: Floats) -> Floats:
    """Adjust p-values for their number, so that none is called small by mere repetition.

    Undefined ones stay so and do not count.

    References
    ----------
    .. [1] S. Holm (1979). A Simple Sequentially Rejective Multiple Test Procedure. Scandinavian
       Journal of Statistics 6(2).

    Examples
    --------
    >>> holm(np.array([0.01, 0.04, np.nan, 0.03]))
    array([0.03, 0.06,  nan, 0.06])
    """
    adjusted = np.full(p_values.shape, np.nan)
    order = np.argsort(p_values, kind="stable")[: np.count_nonzero(~np.isnan(p_values))]
    steps = p_values[order] * np.arange(order.size, 0, -1, dtype=np.int64)
    adjusted[order] = np.minimum(1, np.maximum.accumulate(steps))
    return adjusted


def max_t(tests: Sequence[NullTest]) -> Floats:
    """Adjust for the number of detectors that were shifted together, by the highest of all.

    The p-value of a detector is the share of places at which any detector that is left reaches its
    scaled value; detectors leave in the order of these. However many detectors there are, the
    smallest p-value is that of one. Who does not pass is adjusted by Holm's method, above 0.05.

    Parameters
    ----------
    tests : sequence of HeldAgainst
        One per detector, with places: the same for all.

    References
    ----------
    .. [1] P. H. Westfall and S. S. Young (1993). Resampling-Based Multiple Testing. Wiley.

    Examples
    --------
    >>> places = np.arange(100.0)
    >>> own = [np.roll(places, 1), np.roll(places, 3), np.roll(places[::-1], -50)]
    >>> tests = [NullTest(p_value(v[0], v[1:]), places=KnownPlaces(v)) for v in own]
    >>> max_t(tests)
    array([0.03, 0.06, 0.51])
    """
    found = [test.places for test in tests if test.places is not None]
    p_values = np.array([test.p for test in tests])
    if not (p_values <= CLEAR).any():  # then nobody asks what any of them scores there
        return np.maximum(holm(p_values), CLEAR + TIE)
    own = np.array([places.own for places in found])
    order = [place for place in np.argsort(-own, kind="stable") if p_values[place] <= CLEAR]
    reached = np.zeros((len(order), found[0].size), bool)
    left = len(order)
    for detector, places in enumerate(found):
        stays = p_values[detector] > CLEAR  # who fails by itself is left to the end
        rows = [row for row in range(left) if stays or own[detector] <= own[order[row]]]
        if not rows:
            continue
        levels = [float(own[order[row]]) for row in rows]
        for row, reach in zip(rows, places.reaching(levels), strict=True):
            reached[row] |= reach
        too_often = np.flatnonzero(reached[:left].mean(axis=1) > CLEAR)
        left = int(too_often[0]) if too_often.size else left  # who comes after does not pass either
    adjusted = np.maximum(holm(p_values), CLEAR + TIE)
    adjusted[order[:left]] = np.maximum.accumulate(reached[:left].mean(axis=1))
    return adjusted


def benjamini_hochberg(p_values: Floats) -> Floats:
    """Adjust p-values so that of those that stay small few are so by mere repetition.

    Undefined ones stay so and do not count.

    References
    ----------
    .. [1] Y. Benjamini and Y. Hochberg (1995). Controlling the False Discovery Rate. Journal of the
       Royal Statistical Society B 57(1).

    Examples
    --------
    >>> benjamini_hochberg(np.array([0.01, 0.04, np.nan, 0.03]))
    array([0.03, 0.04,  nan, 0.04])
    """
    adjusted = np.full(p_values.shape, np.nan)
    order = np.argsort(p_values, kind="stable")[: np.count_nonzero(~np.isnan(p_values))]
    steps = p_values[order] * order.size / np.arange(1, order.size + 1)
    adjusted[order] = np.minimum(1, np.minimum.accumulate(steps[::-1])[::-1])
    return adjusted
