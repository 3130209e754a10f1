"""Pairs: each two detectors on the series that both have."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.noise.p_values import holm
from adjudge.ranking.statistics import wilcoxon

if TYPE_CHECKING:
    from adjudge.ranking.comparable import Comparable


def compare_pairs(field: Comparable) -> list[dict[str, Any]]:
    """Compare each two detectors, and adjust the p-values after Holm.

    The pairs of ranked detectors are one family of tests. Those with one that is not ranked are
    another: however many such detectors there are, they change nothing about the others.
    """
    found = []
    for one, other in combinations(range(len(field.names)), 2):
        values, series = field.pair(one, other)
        found.append({
            "one": field.names[one], "other": field.names[other],
            "series": len(series), "of": len(field.series),
            "ranked": bool(field.is_ranked[[one, other]].all()), "p_wilcoxon": wilcoxon(values),
        })  # fmt: skip
    ranked = np.array([row["ranked"] for row in found], bool)
    for family in (ranked, ~ranked):
        _adjust([row for row, own in zip(found, family, strict=True) if own])
    return found


def _adjust(family: list[dict[str, Any]]) -> None:
    adjusted = holm(np.array([row["p_wilcoxon"] for row in family]))
    for row, p in zip(family, adjusted.tolist(), strict=True):
        row["p_wilcoxon_adjusted"] = p


def wins(field: Comparable) -> list[list[int]]:
    """Count on how many series each detector (row) is ahead of each other (column).

    A series that one of them lacks counts for neither.
    """
    ahead = field.values[:, :, None] > field.values[:, None, :]  # nothing is above NaN
    counts: list[list[int]] = ahead.sum(axis=0).tolist()
    return counts
