r"""First place: who would be first on another benchmark with as many units.

The best of many means is partly luck, and drawing the same units again repeats that luck: of 40
equal detectors the winner would win a third of the draws. Here the means :math:`x_d` are shrunk
towards their median [1]_:

.. math:: x_d \sim t_\nu(\theta_d, s), \qquad \theta_d \sim t_2(\mathrm{median}, \tau)

with :math:`s` the standard error of a mean beside what all detectors have in common on a unit,
:math:`\nu` its degrees of freedom, and every :math:`\tau` from 0 to three standard deviations of
the means equally likely beforehand. Student's prior lets one detector stand out. :math:`s` also has
what one more unit would add on which the first two are equal: three series on which one is ahead by
the same prove little. On a grid the posterior of each :math:`\theta_d`, spread by the error of the
other benchmark, is the density :math:`f_d` of the mean there, with distribution function
:math:`F_d`, and

.. math:: P(d \text{ is first}) = \int f_d(y) \prod_{j \ne d} F_j(y) \, dy

is averaged over :math:`\tau` by its posterior. Nothing is drawn.

References
----------
.. [1] B. Efron and C. Morris (1975). Data analysis using Stein's estimator and its generalizations.
   Journal of the American Statistical Association 70(350).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from adjudge._typing import Floats
    from adjudge.ranking.standings.unit_sums import UnitSums

_SCALES, _WIDEST = 31, 3.0
"""How many scales of the true means are tried, and the largest in standard deviations of means."""
_STEP, _MOST = 0.25, 240
"""The step of the grid in standard errors, and how many steps the means may be apart at most."""
_FAR = 10.0
"""Standard errors beyond the outermost means at which the grid ends."""
_APART = 2 * _FAR
"""Standard errors from which on it does not matter how much further two means are apart."""
_UNLIKELY = 1e-6
"""The weight of a scale that may be left out."""
_TINY = 1e-300


class Elsewhere(NamedTuple):
    """What to expect of the same detectors on another benchmark."""

    first: Floats
    """How likely each detector has the best mean there."""
    tau: float
    """Kendall's tau between the order here and there."""


def elsewhere(units: UnitSums) -> Elsewhere:
    """Say who would have the highest mean on as many other units; of two detectors or more."""
    own = units._replace(sums=units.sums - units.sums.mean(axis=1, keepdims=True))
    means, free = own.means, len(own.means) - 1
    lead = float(np.diff(np.sort(means)[-2:])[0]) / (own.df + 1)  # the imagined unit
    se = float(np.sqrt((own.errors**2).sum() / free + lead**2 / 2))
    weights, there = _means_there(means, se, free * own.df)
    below = there.cumsum(axis=2) - there / 2
    one, other = np.triu_indices(len(means), 1)
    above = np.tensordot(weights, there @ below.transpose(0, 2, 1), 1)[one, other]
    agree = np.sign(means[one] - means[other]) * (2 * above - 1)
    return Elsewhere(weights @ _highest(there, below), float(agree.mean()))


def _highest(there: Floats, below: Floats) -> Floats:
    """How likely each mean is the highest one, a row per scale."""
    logs = np.log(np.maximum(below, _TINY))
    found = (there * np.exp(logs.sum(axis=1, keepdims=True) - logs)).sum(axis=2)
    return np.asarray(found / found.sum(axis=1, keepdims=True))


def _means_there(means: Floats, se: float, df: float) -> tuple[Floats, Floats]:
    """The weight of each scale, and by scale and detector the law of the mean elsewhere."""
    se = max(se, _TINY, 1e-12 * float(np.ptp(means)))
    means = _nearer(means, _APART * se)
    step = max(_STEP * se, float(np.ptp(means)) / _MOST)
    se = max(se, step)
    low, high = (round(end / step) for end in (means.min() - _FAR * se, means.max() + _FAR * se))
    places = np.arange(low, high + 1)
    here = _student((means[:, np.newaxis] / step - places) * step / se, df)
    scales = np.linspace(0, _WIDEST, _SCALES) * float(means.std(ddof=1))
    true = (
        _prior(step * (places[0] - 0.5 + np.arange(len(places) + 1)), scales)[:, np.newaxis] * here
    )
    fits = true.sum(axis=2)
    logs = np.log(np.maximum(fits, _TINY)).sum(axis=1)
    weights = np.exp(logs - logs.max())
    kept = weights > _UNLIKELY * weights.sum()
    spread = _student((places[:, np.newaxis] - places) * step / se, df)
    spread /= spread.sum(axis=1, keepdims=True)
    there = true[kept] / fits[kept][..., np.newaxis] @ spread
    return weights[kept] / weights[kept].sum(), there


def _nearer(means: Floats, most: float) -> Floats:
    """Means around their median, neighbours no further apart than so much.

    >>> _nearer(np.array([5.0, 1.0, 100.0]), 10.0)
    array([ 0., -4., 10.])
    """
    order = np.argsort(means)
    found = np.empty(len(means))
    found[order] = np.append(0.0, np.minimum(np.diff(means[order]), most).cumsum())
    return np.asarray(found - np.median(found))


def _prior(edges: Floats, scales: Floats) -> Floats:
    """How much of Student's law with two degrees lies between two edges each, a row per scale."""
    with np.errstate(divide="ignore"):
        t = edges / scales[:, np.newaxis]
    with np.errstate(invalid="ignore"):
        share = np.where(np.isinf(t), np.sign(t), t / np.sqrt(2 + t**2)) / 2
    return np.diff(share, axis=1)


def _student(t: Floats, df: float) -> Floats:
    """Student's density, but for a factor."""
    return np.asarray((1 + t**2 / df) ** (-(df + 1) / 2))


def first_words(share: float, may_be_best: int | None, detectors: int) -> str:
    """Say in how many cases a detector is first elsewhere, and how many may be the best.

    >>> print(first_words(0.083, 40, 40))
    about 8 of 100 cases (equal chances: 2.5). 40 of 40 detectors may be the best (95 %)
    >>> print(first_words(0.97, 1, 3))
    about 97 of 100 cases (equal chances: 33); no other detector may be the best (95 %)
    """
    about = "under 1" if share < 0.01 else "over 99" if share > 0.99 else f"about {100 * share:.0f}"
    again = f"{about} of 100 cases (equal chances: {100 / detectors:.2g})"
    if may_be_best is None:
        return again
    if may_be_best == 1:
        return f"{again}; no other detector may be the best (95 %)"
    return f"{again}. {may_be_best} of {detectors} detectors may be the best (95 %)"
