r"""Separation: how far apart the scores of normal and of anomalous points lie.

Both numbers compare two Gaussian kernel density estimates, one of the normal and one of the
anomalous scores, by the Hellinger distance of their masses p and q in 100 equal bins:

.. math:: H = \sqrt{\tfrac12 \sum_b (\sqrt{p_b} - \sqrt{q_b})^2}

`separation` is the index of the balanced adjustment paper, which looks at the overlap of the two
alone; `hellinger` is the true distance, over everything. Neither asks where in time a score
stands, so several series are pooled, and points that are not judged play no part.

The direct sum over points and bins takes 100 n evaluations of the Gaussian. Here the points
are gathered into cells of half a bandwidth, each with its first moments, and the Gaussian is
expanded around the centre of the cell (a fast Gauss transform): n steps for each moment, and some
thousand evaluations altogether. Both numbers stay within 1e-10 of the direct sum.
"""

from __future__ import annotations

from math import factorial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.data.intervals import bincount

if TYPE_CHECKING:
    from adjudge._typing import Array, Floats, Positions
    from adjudge.data.events import Events

BINS = 100

_CELLS = 2.0
"""Cells per bandwidth."""
_MOMENTS = 10
"""With points at most a quarter of a bandwidth from the centre, what is left out is below 1e-10."""
_FAR = 40.0
"""Bandwidths beyond which the Gaussian is zero in floating point."""
_MODEST = 1e-100, 1e100
"""Magnitudes whose squares are ordinary numbers."""


def separation(scores: Array, events: Events) -> float:
    """The separation index of the balanced adjustment paper.

    The overlap runs from the lowest anomalous to the highest normal score. The density of the
    normal scores is estimated from those strictly inside it, that of the anomalous scores from all
    of them, and the masses in the bins of the overlap are compared as they are, without being
    made to sum to one. So this is no distance: it grows from 0 (alike) to about 0.63 as the overlap
    shrinks to a sliver, and is 1 where there is none. Use `hellinger` for a true one; this one is
    here because the paper's figures are drawn over it.

    Parameters
    ----------
    scores : array of float
        One score per point.
    events : Events
        The truth.

    Returns
    -------
    float
        The index. 1 where no normal score lies inside the overlap. Undefined (NaN) without events,
        without normal points, for scores that are all the same, for infinite ones, and where either
        density has no bandwidth: it takes two different scores of each kind.

    References
    ----------
    .. [1] D. Bhattacharya et al. (2024). Towards Unbiased Evaluation of Time-series Anomaly
       Detector. arXiv:2409.13053, experiments.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 0, 0, 1, 1, 1, 1])
    >>> separation(np.array([0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9]), events)
    1.0
    >>> round(separation(np.array([0.1, 0.3, 0.5, 0.7, 0.2, 0.6, 0.8, 0.9]), events), 3)
    0.251
    """
    normal, anomalous, low, high = _kinds(scores, events)
    if not low < high:
        return np.nan
    low, high = float(anomalous.min()), float(normal.max())
    inside = normal[(normal > low) & (normal < high)]
    if not inside.size:
        return 1.0
    return _distance(_Density(inside), _Density(anomalous), np.linspace(low, high, BINS + 1))


def hellinger(scores: Array, events: Events) -> float:
    """The Hellinger distance between the normal and the anomalous scores.

    The bins run over all scores, with one more on either side for the tails of the densities, so
    that the masses of each kind sum to one: 0 means that the two kinds are scored alike, 1 that
    they lie so far apart that not even the tails of their densities meet.

    Parameters
    ----------
    scores : array of float
        One score per point.
    events : Events
        The truth.

    Returns
    -------
    float
        The distance, from 0 to 1. Undefined (NaN) without events, without normal points, for
        infinite scores, and where either kind has no two different scores.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 0, 0, 1, 1, 1, 1])
    >>> hellinger(np.array([0.1, 0.2, 0.3, 0.4, 0.1, 0.2, 0.3, 0.4]), events)
    0.0
    >>> round(hellinger(np.array([0.1, 0.2, 0.3, 0.4, 9.6, 9.7, 9.8, 9.9]), events), 6)
    1.0
    """
    values, others, low, high = _kinds(scores, events)
    if not low < high:
        return np.nan
    normal, anomalous = _Density(values), _Density(others)
    reach = 12 * max(normal.bandwidth, anomalous.bandwidth)
    edges = np.linspace(low, high, BINS + 1)
    return _distance(normal, anomalous, np.concatenate([[low - reach], edges, [high + reach]]))


class _Kinds(NamedTuple):
    normal: Floats
    anomalous: Floats
    low: float
    high: float


def _kinds(scores: Array, events: Events) -> _Kinds:
    """Part the judged scores; their range is NaN where there is nothing to compare."""
    normal, anomalous = (
        np.asarray(scores[which], np.float64) for which in (events.normal, events.labels)
    )
    nothing = _Kinds(normal, anomalous, np.nan, np.nan)
    if not (normal.size and anomalous.size):
        return nothing
    low = float(min(normal.min(), anomalous.min()))
    high = float(max(normal.max(), anomalous.max()))
    largest = max(-low, high)
    if largest == np.inf or low == np.finfo(np.float64).min:  # as which -inf is read
        return nothing
    if _MODEST[0] < largest < _MODEST[1]:
        return _Kinds(normal, anomalous, low, high)
    shift = -int(np.frexp(largest)[1])  # a power of two leaves every digit as it is
    normal, anomalous = np.ldexp(normal, shift), np.ldexp(anomalous, shift)
    return _Kinds(normal, anomalous, float(np.ldexp(low, shift)), float(np.ldexp(high, shift)))


class _Density:
    """A Gaussian kernel density estimate, with the bandwidth of Scott's rule.

    The bandwidth is zero where there is nothing to estimate a spread from.
    """

    def __init__(self, values: Floats) -> None:
        self.values = values
        spread = float(values.std(ddof=1)) if values.size > 1 else 0.0
        self.bandwidth = spread * values.size**-0.2

    def masses(self, edges: Floats) -> Floats:
        r"""The mass between neighbouring edges.

        In units of the bandwidth, a point at distance u from the centre c of its cell puts

        .. math:: \Phi(e - c - u) = \Phi(e - c)
            - \sum_{k \ge 1} \frac{u^k}{k!} \mathrm{He}_{k-1}(e - c)\, \varphi(e - c)

        below the edge e, so all there is to know of a cell is its sums of powers of u. Once the
        edge has passed the centre, what is missing to one is summed instead, lest small masses
        be lost between large ones.
        """
        from scipy.special import ndtr  # noqa: PLC0415 - only who asks for it pays for it

        low = self.values.min()
        centres, moments = _cells((self.values - low) / self.bandwidth)
        z = ((edges - low) / self.bandwidth)[:, np.newaxis] - centres
        np.clip(z, -_FAR, _FAR, out=z)
        passed = _summed(z > 0, moments[0])
        below = _summed(np.copysign(ndtr(-np.abs(z)), -z), moments[0])
        term, before = np.exp(-0.5 * z * z) / np.sqrt(2 * np.pi), np.zeros_like(z)
        for k in range(1, _MOMENTS + 1):
            below -= _summed(term, moments[k])
            before *= 1 - k
            before += z * term
            before, term = term, before
        return np.asarray((np.diff(passed) + np.diff(below)) / self.values.size)


def _cells(places: Floats) -> tuple[Floats, Floats]:
    """Gather places into cells: the centres of those that hold any, and their sums of u^k / k!."""
    scaled = places * _CELLS
    cell: Positions = scaled.astype(np.int64)
    offset = (scaled - cell - 0.5) / _CELLS
    counts = bincount(cell)
    full = np.flatnonzero(counts)
    moments = np.empty((_MOMENTS + 1, full.size))
    moments[0] = counts[full]
    power = offset.copy()
    for k in range(1, _MOMENTS + 1):
        moments[k] = bincount(cell, power)[full] / factorial(k)
        power *= offset
    return np.asarray((full + 0.5) / _CELLS, np.float64), moments


def _summed(terms: Array, weights: Floats) -> Floats:
    """Sum over the cells; not by BLAS, whose digits depend on how many threads it takes."""
    return np.asarray(np.einsum("ec,c->e", terms, weights))


def _distance(normal: _Density, anomalous: _Density, edges: Floats) -> float:
    if not (normal.bandwidth > 0 and anomalous.bandwidth > 0):
        return np.nan
    p, q = (np.maximum(density.masses(edges), 0) for density in (normal, anomalous))
    return min(1.0, float(np.sqrt(0.5 * np.sum((np.sqrt(p) - np.sqrt(q)) ** 2))))
