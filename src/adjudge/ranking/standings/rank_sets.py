r"""Rank sets: between which places each detector lies, all of them at once [1]_.

Every two means differ by so many standard errors t. How large the largest |t| of all pairs would be
if all detectors were equal is seen by flipping the signs of the errors of the units, in every way
or, of many units, in ways that are always the same. A detector is clearly better than another one
where t exceeds 95 % of these. With k clearly better than it and m clearly worse, its place is one
of k + 1 to D - m, and all these sets hold the true places at once in 95 % of benchmarks. Whose set
begins at 1 may be the best.

With few units some pair always has a standard error that is small by luck. So each variance is
mixed with the median one, which counts like five units.

References
----------
.. [1] M. Mogstad, J. P. Romano, A. M. Shaikh and D. Wilhelm (2024). Inference for ranks with
   applications to mobility across neighbourhoods and academic achievement across countries. The
   Review of Economic Studies 91(1).
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.noise.intervals.means import FEWEST_FLIPS

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags, Floats, Positions
    from adjudge.ranking.standings.unit_sums import UnitSums

LEVEL = 0.95
_FLIPS = 512
"""Ways to flip signs: all of up to ten units, since opposite ways are the same."""
_OF_MEDIAN = 5
"""Like how many units the median variance counts."""
_SAME = 1e-12
"""Of the values: what is rounding."""
_AT_ONCE = 1 << 18
"""Signs, or values of t, that are held at once."""


class RankSets(NamedTuple):
    """The best and the worst place that each detector may have."""

    low: Array
    high: Array


def rank_sets(units: UnitSums) -> RankSets | None:
    """Say between which places each detector lies; the highest mean is the best.

    None below six units, of which all ways to flip signs are too few for 95 %.
    """
    if len(units.names) < FEWEST_FLIPS:
        return None
    better = _clearly_better(units)
    return RankSets(1 + better.sum(axis=0), len(better) - better.sum(axis=1))


def _clearly_better(units: UnitSums) -> Flags:
    """Which detector (row) is clearly better than which other one (column)."""
    means, errors, (one, other) = units.means, units.errors, np.triu_indices(len(units.means), 1)
    apart, variances = means[one] - means[other], _squares(errors, one, other)
    squares = (units.sums**2).sum(axis=0) / units.sizes.sum() ** 2
    rounding = _SAME * np.sqrt(squares[one] + squares[other])
    apart[np.abs(apart) <= rounding] = 0
    variances[variances <= rounding**2] = 0
    found = np.zeros((len(means), len(means)), bool)
    largest = _largest(
        errors, units.shares[:, np.newaxis], *np.array([one, other])[:, variances > 0]
    )
    clear = np.abs(_t(apart, variances, len(errors))) > largest
    found[one, other], found[other, one] = clear & (apart > 0), clear & (apart < 0)
    return found


def _largest(errors: Floats, shares: Floats, one: Positions, other: Positions) -> float:
    """What the largest |t| of some pairs is at most, in 95 % of the ways to flip signs.

    The flipped errors z of a pair sum up to s. Each leaves (z - p s) / root(1 - p) of that, with p
    the share of the unit, whose squares are the variance.
    """
    if not len(one):
        return 0.0
    units, packed = len(errors), _signs(len(errors))
    squares = _squares(errors / np.sqrt(1 - shares), one, other)
    rest, mixture = float((shares**2 / (1 - shares)).sum()), errors * shares / (1 - shares)
    found = []
    for bits in np.array_split(packed, math.ceil(len(packed) * max(units, len(one)) / _AT_ONCE)):
        flips = 1.0 - 2.0 * np.unpackbits(bits, axis=1, count=units)
        sums, weighed = flips @ errors, flips @ mixture
        apart, mixed = sums[:, one] - sums[:, other], weighed[:, one] - weighed[:, other]
        variances = np.maximum(squares - 2 * apart * mixed + rest * apart**2, 0)
        found.append(np.abs(_t(apart, variances, units)).max(axis=1))
    return float(np.quantile(np.concatenate(found), LEVEL, method="inverted_cdf"))


def _squares(errors: Floats, one: Positions, other: Positions) -> Floats:
    """The sum of the squared differences of some pairs of columns."""
    inner = errors.T @ errors
    own = np.diag(inner)
    return np.asarray(np.maximum(own[one] + own[other] - 2 * inner[one, other], 0))


def _t(apart: Floats, variances: Floats, units: int) -> Floats:
    """Differences in standard errors, each variance mixed with the median one."""
    median = np.median(variances, axis=-1, keepdims=True)
    se = np.sqrt((units * variances + _OF_MEDIAN * median) / (units + _OF_MEDIAN))
    return np.asarray(np.divide(apart, se, out=np.where(apart, np.inf, 0.0), where=se > 0))


@lru_cache(maxsize=8)  # each metric of a leaderboard asks for the same
def _signs(units: int) -> Array:
    """Ways to flip the signs of so many units, a row of bits each: every way, or some of them.

    >>> np.unpackbits(_signs(2), axis=1, count=2).tolist()
    [[0, 0], [1, 0]]
    """
    if 1 << units - 1 <= _FLIPS:
        flips = np.arange(1 << units - 1)[:, np.newaxis] >> np.arange(units) & 1
        return np.packbits(flips, axis=1)
    rng = np.random.default_rng(units)  # row by row: the same numbers as at once
    return np.stack([np.packbits(rng.integers(2, size=units)) for _ in range(_FLIPS)])
