"""Comparable: which detectors are ranked by a metric, and on which series.

Real benchmarks have holes. What is done about them:

- The series of a metric are those on which any detector has a value.
- A detector is **ranked** if it has at least a share ``min_coverage`` of them. Others stand below
  the line: with their mean, marked, and without a rank. So one partial submission changes nobody
  else's rank.
- Ranks, Friedman's test and the critical difference rest on the series that all ranked detectors
  have.
- Rows of reference (`adjudge.ranking.baselines`) are not ranked, whatever they have.
- Two detectors are compared on the series that both have.
- Where a detector was judged and has no value while others have one, it comes last on that series:
  it found nothing, so it has no delay; it flagged nothing, so it has no precision. Were such series
  left out, one that finds little would be judged by the little that it found.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np

from adjudge.errors import InputError
from adjudge.ranking.collected import DEFINED, UNDEFINED, Collected, is_baseline

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags, Floats, Positions
    from adjudge.noise.intervals.means import Panel

Unit = Literal["auto", "dataset", "series"]
UNITS = ("auto", "dataset", "series")

MIN_COVERAGE = 0.9
"""The share of the series that a detector needs to be ranked."""


@dataclass(frozen=True, eq=False)
class Comparable:
    """The detectors by one metric, higher being better.

    Attributes
    ----------
    names : list of str
        Detectors, a column each.
    values : array
        A row per series on which anyone has a value; ``-inf`` where a detector was judged and has
        none, NaN where it was not judged.
    series : array of int
        The place of each row among all series.
    min_coverage : float
        The share of the rows that a detector needs to be ranked.
    groups : array, optional
        The data set of each row, where data sets are what evidence rests on.
    sign : int
        -1 where the values were turned round, since lower ones are better.
    panel : Panel, optional
        What series add to the episodes of the clocks that they share.
    """

    names: list[str]
    values: Floats
    series: Positions
    min_coverage: float
    groups: Array | None = None
    sign: int = 1
    panel: Panel | None = None

    @classmethod
    def of(
        cls,
        found: Collected,
        metric: str,
        min_coverage: float = MIN_COVERAGE,
        unit: Unit = "auto",
    ) -> Comparable:
        """Take what was collected by a metric."""
        columns, sign = found.columns(metric), 1 if found.better[metric] == "higher" else -1
        defined = columns.states == DEFINED
        others = [not is_baseline(name) for name in columns.names]
        rows = np.flatnonzero(defined[:, others].any(axis=1))
        values = sign * columns.values[rows]
        values[columns.states[rows] == UNDEFINED] = -np.inf
        groups = units(found.groups, unit)
        own = None if groups is None else groups[rows]
        panel = found.panel(metric, rows)
        return cls(columns.names, values, rows, min_coverage, own, sign, panel)

    @cached_property
    def coverage(self) -> Floats:
        """The share of the rows that each detector has; NaN where there are none."""
        there = (~np.isnan(self.values)).sum(axis=0)
        return there / len(self.values) if len(self.values) else np.full(len(self.names), np.nan)

    @cached_property
    def is_ranked(self) -> Flags:
        """Which detectors have enough of them."""
        return np.asarray((self.coverage >= self.min_coverage) & ~self.are_baselines)

    @cached_property
    def are_baselines(self) -> Flags:
        """Which of them are rows of reference, which have no rank."""
        return np.array([is_baseline(name) for name in self.names], bool)

    @cached_property
    def ranked(self) -> list[str]:
        """The names of these."""
        return [name for name, yes in zip(self.names, self.is_ranked, strict=True) if yes]

    @cached_property
    def common(self) -> Flags:
        """The rows that all ranked detectors have."""
        return np.asarray(~np.isnan(self.values[:, self.is_ranked]).any(axis=1))

    @cached_property
    def complete(self) -> Floats:
        """The values of the ranked detectors on the series that all of them have."""
        return self.values[self.common][:, self.is_ranked]

    @property
    def share_clocks(self) -> bool:
        """Whether units share clocks: then these are what places rest on."""
        owner = np.arange(len(self.values))
        if self.groups is not None:
            owner = np.unique(self.groups, return_inverse=True)[1]
        return self.panel is not None and self.panel.is_shared(owner)

    def groups_of(self, rows: Flags) -> Array | None:
        """What is one unit of some rows, where these are not: a clock, or a data set."""
        if self.panel is not None and self.share_clocks:
            return self.panel.clock[rows]
        return None if self.groups is None else self.groups[rows]


def units(groups: list[str], unit: Unit) -> Array | None:
    """The data set of each series, where data sets are the units of evidence; else None.

    Series of one data set are alike, so it is one unit. A series without a data set is one itself.

    >>> units(["x", "x", "y"], "auto")
    array(['x', 'x', 'y'], dtype=object)
    >>> units(["", ""], "auto"), units(["x", "y"], "series")
    (None, None)
    """
    if unit == "series" or not any(groups):
        if unit == "dataset":
            raise InputError(
                "unit='dataset' needs the data set of each series: give group=, or name "
                "series DATASET/SERIES"
            )
        return None
    named = [name or f"series {place}" for place, name in enumerate(groups)]
    return np.array(named, object)
