"""Stability: whether the same detector would come first on other data sets.

The units (data sets if they are known, else series) are drawn again, with replacement, and the
detectors ranked each time. What is drawn are ranks on the series that all ranked detectors have.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.ranking.statistics import ranks

if TYPE_CHECKING:
    from adjudge._typing import Floats
    from adjudge.ranking.comparable import Comparable

DRAWS = 2000
FEWEST = 3
"""Units below which nothing is drawn."""
_ENDS = (0.025, 0.975)


class Places(NamedTuple):
    """The places of a detector over the draws."""

    first: float = math.nan
    """The share of the draws in which it comes first."""
    low: float = math.nan
    """The best of the places that it has in 95 % of the draws."""
    high: float = math.nan


UNKNOWN = Places()


def places(field: Comparable, seed: int) -> dict[str, Places]:
    """Draw the units again: how often each ranked detector comes first, and which places it has.

    Detectors that share the first place share the draw. Without three units nothing is known.
    """
    sums, sizes, names = _by_unit(field)
    if len(names) < FEWEST or not field.ranked:
        return dict.fromkeys(field.ranked, UNKNOWN)
    rng = np.random.default_rng([seed, len(names)])
    drawn = rng.multinomial(len(names), np.full(len(names), 1 / len(names)), size=DRAWS)
    means = (drawn @ sums) / (drawn @ sizes)[:, np.newaxis]
    order = ranks(-means)
    winners = means <= means.min(axis=1, keepdims=True) + 1e-12
    first = (winners / winners.sum(axis=1, keepdims=True)).mean(axis=0)
    low, high = np.quantile(order, _ENDS, axis=0, method="inverted_cdf")
    found = zip(first.tolist(), low.tolist(), high.tolist(), strict=True)
    return {name: Places(*row) for name, row in zip(field.ranked, found, strict=True)}


def winners_without(field: Comparable) -> dict[str, list[str]]:
    """Who comes first without each data set: its name -> detectors, several if they share it."""
    sums, sizes, names = _by_unit(field)
    if field.groups is None or len(names) < FEWEST or not field.ranked:
        return {}
    means = (sums.sum(axis=0) - sums) / (sizes.sum() - sizes)[:, np.newaxis]
    best = means <= means.min(axis=1, keepdims=True) + 1e-12
    return {
        name: [one for one, yes in zip(field.ranked, row, strict=True) if yes]
        for name, row in zip(names, best, strict=True)
    }


def _by_unit(field: Comparable) -> tuple[Floats, Floats, list[str]]:
    """The sums of the ranks by unit, the number of series, and the names."""
    own, groups = ranks(field.complete), field.groups_of(field.common)
    labels = np.arange(len(own)).astype(str) if groups is None else groups
    names, number = np.unique(labels.astype(str), return_inverse=True)
    sums = np.zeros((len(names), own.shape[1]))
    np.add.at(sums, number, own)
    return sums, np.bincount(number, minlength=len(names)).astype(np.float64), names.tolist()
