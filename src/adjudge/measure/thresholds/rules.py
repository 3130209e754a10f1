"""Threshold rules: how a threshold is chosen when no number is given.

A rule looks at the scores and never at the labels. It learns on the judged points, or on a part of
all points that ``on`` names: a mask, a slice, or text such as ``"0:1000"``.

`Quantile` and `Top` give one of the scores (or ``-inf``), so a strictly increasing map of the
scores changes nothing; the other rules depend on the scale of the scores.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from adjudge.checks import positive, share, whole, word
from adjudge.errors import InputError
from adjudge.measure.thresholds.contract import Rule, rule
from adjudge.settings import checked_by, setting

if TYPE_CHECKING:
    from adjudge._typing import Floats


Fit = Literal["likelihood", "grimshaw"]

_FEWEST_PEAKS = 10
_LARGEST = 1e150  # sums of squares of scores are numbers too
_NORMAL = 1.4826  # what the MAD of normal scores is multiplied by to give their standard deviation


@rule("quantile", example="quantile(0.99)")
@dataclass(frozen=True, repr=False)
class Quantile(Rule):
    """The smallest score that at least a share ``q`` of the points do not exceed.

    So at most a share ``1 - q`` is flagged: ``quantile(0.99)`` flags the highest one per cent.

    Parameters
    ----------
    q : float
        The share, in [0, 1].
    on : mask, slice or text, optional
        The part that it is learnt on, such as ``"0:500"``. Default: all judged points.

    Examples
    --------
    >>> from adjudge.data.case import Case
    >>> Quantile(0.75)(Case([0, 0, 1, 1], [0.4, 0.1, 0.3, 0.9]))
    0.4
    >>> Quantile(0.75, on="0:2")(Case([0, 0, 1, 1], [0.4, 0.1, 0.3, 0.9]))
    0.4
    """

    q: float = field(metadata=checked_by(share, zero=True))

    def threshold(self, scores: Floats) -> float:
        """The threshold."""
        rank = math.ceil(self.q * scores.size)  # which may have rounded either way
        rank += (rank / scores.size < self.q) - ((rank - 1) / scores.size >= self.q)
        place = max(rank, 1) - 1
        return float(np.partition(scores, place)[place])


@rule("top", example="top(100)")
@dataclass(frozen=True, repr=False)
class Top(Rule):
    """The threshold that flags the ``k`` highest points, ties included.

    Parameters
    ----------
    k : int
        How many points, at least 1.
    on : mask, slice or text, optional
        The part that it is learnt on, such as ``"0:500"``. Default: all judged points.

    Examples
    --------
    >>> from adjudge.data.case import Case
    >>> Top(2)(Case([0, 0, 1, 1], [0.4, 0.1, 0.3, 0.9]))
    0.3
    """

    k: int = field(metadata=checked_by(whole, 1))

    def threshold(self, scores: Floats) -> float:
        """The threshold."""
        if self.k > scores.size:
            raise InputError(f"k must be at most the {scores.size} judged points, got {self.k}")
        place = scores.size - self.k
        last = np.partition(scores, place)[place]
        return float(np.max(scores, where=scores < last, initial=-np.inf))


@rule("sigma", example="sigma(3)")
@dataclass(frozen=True, repr=False)
class Sigma(Rule):
    """The mean of the scores plus ``k`` standard deviations (dividing by n).

    Parameters
    ----------
    k : float
        How many standard deviations.
    on : mask, slice or text, optional
        The part that it is learnt on, such as ``"0:500"``. Default: all judged points.

    Examples
    --------
    >>> from adjudge.data.case import Case
    >>> Sigma(3)(Case([0, 0, 1, 1], [1, 3, 1, 3]))
    5.0
    """

    k: float = setting(3, positive)

    def threshold(self, scores: Floats) -> float:
        """The threshold."""
        scores = _finite(scores, self)
        return float(scores.mean() + self.k * scores.std())


@rule("mad", example="mad(3)")
@dataclass(frozen=True, repr=False)
class Mad(Rule):
    """The median of the scores plus ``k`` times 1.4826 times their median absolute deviation.

    Of normal scores 1.4826 MAD is one standard deviation; unlike `Sigma`, a few extreme scores move
    it little.

    Parameters
    ----------
    k : float
        How many standard deviations, as the median absolute deviation estimates them.
    on : mask, slice or text, optional
        The part that it is learnt on, such as ``"0:500"``. Default: all judged points.

    Examples
    --------
    >>> from adjudge.data.case import Case
    >>> round(Mad(2)(Case([0, 0, 0, 1, 1], [1, 2, 3, 4, 500])), 4)
    5.9652
    """

    k: float = setting(3, positive)

    def threshold(self, scores: Floats) -> float:
        """The threshold."""
        scores = _finite(scores, self)
        middle = np.median(scores)
        return float(middle + self.k * _NORMAL * np.median(np.abs(scores - middle)))


@rule("pot", example="pot(risk=1e-4)")
@dataclass(frozen=True, repr=False)
class Pot(Rule):
    """Peaks over threshold: the score that a share ``risk`` of points like these would exceed.

    The scores above their ``level`` quantile *t* exceed it by amounts that follow, in the limit, a
    generalised Pareto distribution with shape g and scale s; fitted to the m excesses among n
    scores, the threshold is ``t + s/g ((risk n/m)^-g - 1)``. It may lie beyond every score seen.

    The fit is by maximum likelihood, over shape and scale at once. Siffer et al. look for the roots
    of Grimshaw's equation instead, and above 0 only from 2 (mean - min) / (mean min) of the
    excesses on, where the roots of most heavy tails do not lie. Heavy tails are then fitted as
    exponential ones, and the threshold is lower. ``fit="grimshaw"`` does that. Beside the published
    program, on 24 samples of six distributions, the thresholds are .89 to 2.05 times as high by
    maximum likelihood and .92 to 1.02 times by "grimshaw"; what is left comes from the sign of the
    likelihood of the exponential, which is wrong there.

    Parameters
    ----------
    risk : float
        The share of points that may exceed the threshold.
    level : float
        The quantile above which scores are peaks.
    fit : "likelihood" or "grimshaw"
        How shape and scale are found. "grimshaw": the likeliest of the roots of Grimshaw's equation
        between the bounds of Siffer et al., and of the exponential distribution.
    on : mask, slice or text, optional
        The part that it is learnt on, such as ``"0:500"``. Default: all judged points.

    Examples
    --------
    >>> from adjudge.data.case import Case
    >>> scores = np.random.default_rng(0).exponential(size=9999)
    >>> at = Pot(risk=1e-4, level=0.9)(Case(scores > 5, scores))
    >>> print(f"{at:.0f} where -log(risk) is {-np.log(1e-4):.0f}")
    9 where -log(risk) is 9
    >>> heavy = Case(scores > 5, np.exp(scores))  # a share x^-1 of points exceeds x
    >>> [f"{Pot(1e-3, 0.9, fit=fit)(heavy):.0f}" for fit in ("likelihood", "grimshaw")]
    ['955', '298']

    References
    ----------
    Siffer, Fouque, Termier, Largouet: Anomaly Detection in Streams with Extreme Value Theory, KDD
    2017. Grimshaw: Computing Maximum Likelihood Estimates for the Generalized Pareto Distribution,
    Technometrics 35(2), 1993.
    """

    risk: float = setting(1e-4, share)
    level: float = setting(0.98, share, zero=True)
    fit: Fit = field(default="likelihood", kw_only=True, metadata=checked_by(word, get_args(Fit)))

    def __post_init__(self) -> None:
        """Check the settings, and both shares together."""
        super().__post_init__()
        if not self.risk < 1 - self.level:
            raise InputError(
                f"risk must be below 1 - level, the share of peaks, got risk={self.risk} and "
                f"level={self.level}"
            )

    def threshold(self, scores: Floats) -> float:
        """The threshold."""
        scores = _finite(scores, self)
        start = Quantile(self.level).threshold(scores)
        excess = scores[scores > start] - start
        if excess.size < _FEWEST_PEAKS:
            raise InputError(
                f"{self} must see at least {_FEWEST_PEAKS} scores above their {self.level} "
                f"quantile, got {excess.size} of {scores.size}; use more points or lower the "
                "level"
            )
        scale = float(excess.mean())  # the fit depends on its start; in this unit it does not
        shape, spread = _FITS[self.fit](excess / scale)
        beyond = math.log(self.risk * scores.size / excess.size)
        with np.errstate(over="ignore"):  # beyond all numbers: nothing is flagged
            steps = -beyond if abs(shape) < 1e-9 else np.expm1(-shape * beyond) / shape
            return float(start + np.float64(scale) * spread * steps)


def _likeliest(excess: Floats) -> tuple[float, float]:
    """Shape and scale of the generalised Pareto distribution, by maximum likelihood."""
    from scipy.stats import genpareto  # noqa: PLC0415 - slow to import, rarely needed

    shape, _, scale = genpareto.fit(excess, floc=0)
    return float(shape), float(scale)


def grimshaw(excess: Floats) -> tuple[float, float]:
    """Shape and scale by Grimshaw's equation: of excesses whose mean is 1.

    Where the likelihood is stationary, x = shape / scale solves (1 + mean log(1 + x y)) mean 1 /
    (1 + x y) = 1, and the shape is that mean logarithm. 0 solves it always: the exponential.
    """
    from scipy.optimize import brentq  # noqa: PLC0415 - slow to import, rarely needed

    def balance(x: float) -> float:
        grown = 1 + x * excess
        return float((1 + np.log(grown).mean()) * (1 / grown).mean() - 1)

    fits = [(0.0, 1.0)]
    for tried in _sides(float(excess.min()), float(excess.max())):
        signs = np.sign([balance(x) for x in tried])
        for place in np.flatnonzero(signs[1:] != signs[:-1]).tolist():
            root = brentq(balance, tried[place], tried[place + 1], xtol=1e-300)
            shape = float(np.log1p(root * excess).mean())
            fits.append((shape, shape / root))
    return max(fits, key=lambda fit: -math.log(fit[1]) - fit[0])  # the logarithm of the likelihood


def _sides(low: float, high: float) -> tuple[Floats, Floats]:
    """Where roots are looked for, below and above 0, between the bounds of Siffer et al."""
    near, far = np.geomspace(1e-6, 0.5, 100), np.geomspace(0.5, 1e-8, 60)
    below = -np.concatenate([near, 1 - far[1:]]) / high
    low = max(low, 1e-100)  # whose square is a number
    start, end = 2 * (1 - low) / low, 2 * (1 - low) / low**2
    return below[::-1], np.geomspace(start, end, 100) if start > 0 else np.zeros(0)


_FITS = {"likelihood": _likeliest, "grimshaw": grimshaw}


def _finite(scores: Floats, rule: Rule) -> Floats:
    wrong = scores[~(np.abs(scores) <= _LARGEST)]
    if wrong.size:
        limit = f"at most {_LARGEST:g}" if np.isfinite(wrong[0]) else "finite"
        raise InputError(f"scores must be {limit} for {rule}, got {wrong[0]}")
    return scores
