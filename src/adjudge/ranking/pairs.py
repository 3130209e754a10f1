"""Pairs: each two detectors on the series that both have.

The difference of two means is tested over units of evidence: series of one data set are alike, and
count as one. Wilcoxon's test stands beside it. It is a test of ranks: it may well call two
detectors different that have the same mean, and it takes every series for a unit.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.noise.intervals.of_means import mean_difference
from adjudge.noise.p_values import holm
from adjudge.ranking.statistics import wilcoxon

if TYPE_CHECKING:
    from adjudge.ranking.comparable import Comparable


def compare_pairs(field: Comparable) -> list[dict[str, Any]]:
    """Compare each two detectors, and adjust the p-values after Holm.

    The pairs of ranked detectors are one family of tests. Those with one that is not ranked are
    another: however many such detectors there are, they change nothing about the others.
    """
    pairs = list(combinations(range(len(field.names)), 2))
    found = [_pair(field, one, other) for one, other in pairs]
    for is_ranked in (True, False):
        adjust([row for row in found if row["ranked"] is is_ranked])
    return found


def compare_with_rest(field: Comparable, detector: str) -> list[dict[str, Any]]:
    """Compare one detector with each other one: a family of tests of its own.

    Who submits a detector asks only about it, so only its own comparisons count.
    """
    one = field.names.index(detector)
    others = [place for place in range(len(field.names)) if place != one]
    found = [_pair(field, one, other) for other in others]
    adjust(found)
    return found


def _pair(field: Comparable, one: int, other: int) -> dict[str, Any]:
    """Two detectors on the series that both have.

    Their means are compared over units of evidence, by Student's t and by flips of sign; their
    ranks by Wilcoxon's test over series, for which all series count by themselves.
    """
    values, groups = field.pair(one, other)
    defined = np.isfinite(values).all(axis=1)
    own = None if groups is None else groups[defined]
    found = mean_difference(field.sign * np.subtract(*values[defined].T), own)
    return {
        "one": field.names[one], "other": field.names[other], "difference": found.mean,
        "low": found.low, "high": found.high, "p_value": found.p_value, "p_flips": found.p_flips,
        "p_wilcoxon": wilcoxon(values), "unit": found.unit, "units": found.units,
        "ahead": int(np.sum(values[:, 0] > values[:, 1])),
        "behind": int(np.sum(values[:, 0] < values[:, 1])),
        "series": len(values), "of": len(field.series),
        "ranked": bool(field.is_ranked[[one, other]].all()),
    }  # fmt: skip


def adjust(family: list[dict[str, Any]]) -> None:
    """Adjust the p-values of a family of tests, after Holm."""
    for name, after in (("p_value", "p_adjusted"), ("p_wilcoxon", "p_wilcoxon_adjusted")):
        p_values = np.array([row[name] for row in family])
        for row, p in zip(family, holm(p_values).tolist(), strict=True):
            row[after] = p


def wins(field: Comparable) -> list[list[int]]:
    """Count on how many series each detector (row) is ahead of each other (column).

    A series that one of them lacks counts for neither.
    """
    ahead = field.values[:, :, None] > field.values[:, None, :]  # nothing is above NaN
    counts: list[list[int]] = ahead.sum(axis=0).tolist()
    return counts
