r"""How far annotators agree over points, beyond what their rates alone would give.

.. math:: \kappa = \frac{p_o - p_e}{1 - p_e}, \qquad \alpha = 1 - \frac{D_o}{D_e}

for two annotators (Cohen), and for any number of them with gaps (Krippendorff, nominal).
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.data.intervals import bincount
from adjudge.noise.intervals.evidence import evidence
from adjudge.noise.intervals.jackknife import READINGS, left_out, owners, stakes_of
from adjudge.noise.intervals.student import ends
from adjudge.noise.intervals.units import units_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge._typing import Floats
    from adjudge.data.channels import KnownChannels
    from adjudge.noise.intervals.spread import Spread
    from adjudge.noise.intervals.units import Units


class Agreement(NamedTuple):
    """How far annotators agree, over points."""

    measure: str
    """"kappa" of two annotators, or "alpha" of all."""
    between: tuple[str, ...]
    value: float
    low: float
    high: float


def agreement(voters: KnownChannels) -> tuple[Agreement, ...]:
    """Cohen's kappa of each pair, and Krippendorff's alpha of all, with intervals by events.

    Each event with its normal time is left out in turn, on all annotators at once.

    Parameters
    ----------
    voters : Channels
        The labels of each annotator.
    """
    found = [
        _agreed("kappa", (voters.names[a], voters.names[b]), _chosen(voters, (a, b)))
        for a, b in combinations(range(len(voters.names)), 2)
    ]
    return (*found, _agreed("alpha", voters.names, voters))


def _chosen(voters: KnownChannels, which: tuple[int, ...]) -> KnownChannels:
    names = tuple(voters.names[i] for i in which)
    return replace(voters, names=names, events=tuple(voters.events[i] for i in which), truth=None)


def _agreed(measure: str, between: tuple[str, ...], voters: KnownChannels) -> Agreement:
    of, sums_of = _MEASURES[measure]
    sums = sums_of(voters)
    value = float(of(sums.sum(axis=1)))
    if math.isnan(value) or not len(voters.joined):
        return Agreement(measure, between, value, math.nan, math.nan)
    span = (-1.0, 1.0)

    def spread_of(units: Units) -> Spread:
        count = min(units.count, READINGS)
        owner = owners(units, count)
        judged = owner >= 0
        each = [bincount(owner[judged], one[judged], minlength=count) for one in sums]
        left = of(np.sum(each, axis=1)[:, np.newaxis] - each)
        return left_out(
            value, left, stakes_of(owner, units, count), span, units.series_of_unit(count)
        )

    units = units_of(voters.joined, "auto")
    found = evidence(units, spread_of, lambda spread: ends(spread, value, span, 0.95))
    return Agreement(measure, between, value, found.low, found.high)


def cohen_kappa(voters: KnownChannels) -> float:
    """Agreement of two annotators beyond what their rates give, over points that both judged.

    NaN: both gave one and the same label to every point.
    """
    return float(_kappa(_kappa_sums(voters).sum(axis=1)))


def _kappa_sums(voters: KnownChannels) -> Floats:
    """For each point: judged by both, the same label by both, marked by the one, by the other."""
    first, second = voters.events
    both = first.judged_flags & second.judged_flags
    a, b = first.labels & both, second.labels & both
    return np.array([both, both & (a == b), a, b], np.float64)


def _kappa(sums: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        agreed, p, q = np.asarray(sums[1:] / sums[0])
        by_rates = p * q + (1 - p) * (1 - q)
        return np.where(by_rates < 1, (agreed - by_rates) / (1 - by_rates), np.nan)


def krippendorff_alpha(voters: KnownChannels) -> float:
    """Agreement of any number of annotators beyond chance; points that one judged do not count.

    NaN: there is only one label among all points that two or more judged.

    References
    ----------
    .. [1] K. Krippendorff (2011). Computing Krippendorff's Alpha-Reliability. University of
       Pennsylvania.
    """
    return float(_alpha(_alpha_sums(voters).sum(axis=1)))


def _alpha_sums(voters: KnownChannels) -> Floats:
    """For each point that two or more judged: how many did, who marked it, how far they differ."""
    asked: Floats = np.sum([e.judged_flags for e in voters.events], axis=0, dtype=np.float64)
    marked: Floats = np.sum([e.labels for e in voters.events], axis=0, dtype=np.float64)
    kept = asked >= 2
    asked, marked = np.where(kept, asked, 0), np.where(kept, marked, 0)
    return np.array([asked, marked, 2 * marked * (asked - marked) / np.maximum(asked - 1, 1)])


def _alpha(sums: Floats) -> Floats:
    total, ones, disagreed = sums
    zeros = total - ones
    with np.errstate(invalid="ignore", divide="ignore"):
        expected = 2 * ones * zeros / (total * (total - 1))
        return np.where(ones * zeros > 0, 1 - disagreed / total / expected, np.nan)


_MEASURES: dict[str, tuple[Callable[[Floats], Floats], Callable[[KnownChannels], Floats]]] = {
    "kappa": (_kappa, _kappa_sums),
    "alpha": (_alpha, _alpha_sums),
}
"""The value of sums over points, and what is summed: a row per sum, a column per point."""
