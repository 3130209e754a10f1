"""Collected: the rows of all series as columns of numbers, one per detector and metric.

This is what the statistics work on. It holds a few numbers per row, however much the rows say.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.ranking.statistics import holm

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from adjudge._typing import Floats

_SEED = re.compile(r"(.+)#\d+")
MISSING, DEFINED, UNDEFINED, FAILED = range(4)


@dataclass(frozen=True, eq=False)
class Cell:
    """One detector under one metric: a number per series."""

    values: Floats
    p_values: Floats
    states: np.ndarray[Any, np.dtype[np.int8]]
    """Whether each value is missing, defined, undefined or failed."""

    @classmethod
    def empty(cls, series: int) -> Cell:
        """Begin with nothing known."""
        return cls(np.full(series, np.nan), np.full(series, np.nan), np.zeros(series, np.int8))

    def count(self, state: int) -> int:
        """Count the series in a state."""
        return int(np.count_nonzero(self.states == state))

    def part(self, chosen: np.ndarray[Any, Any]) -> Cell:
        """Keep some of the series."""
        return Cell(self.values[chosen], self.p_values[chosen], self.states[chosen])


@dataclass(frozen=True, eq=False)
class Collected:
    """All cells of a ranking.

    Attributes
    ----------
    series : list of str
        Names, sorted.
    metrics : list of str
        Specs, as they were asked for.
    cells : dict
        (detector, metric) -> Cell.
    failed : dict
        Series that failed as a whole -> why.
    """

    series: list[str]
    metrics: list[str]
    cells: dict[tuple[str, str], Cell] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    _keys: dict[int, bytes] = field(default_factory=dict)

    def add(self, place: int, rows: Iterable[dict[str, Any]]) -> None:
        """Take the rows of the series at a place; the series may come in any order."""
        digest = sha256()
        for row in rows:
            digest.update(row.get("key", "").encode())  # tables have none
            if not row["asked"]:
                self.failed[self.series[place]] = row["error"]
                continue
            names = row["detector"], row["asked"]
            if names not in self.cells:
                self.cells[names] = Cell.empty(len(self.series))
            cell = self.cells[names]
            cell.values[place] = number(row.get("value"))
            cell.p_values[place] = number(row.get("p_value"))
            cell.states[place] = _state(row)
        self._keys[place] = digest.digest()

    @property
    def keys(self) -> str:
        """A hash of the keys of all rows: equal for equal work."""
        return sha256(b"".join(self._keys[place] for place in sorted(self._keys))).hexdigest()

    @property
    def detectors(self) -> list[str]:
        """Names, sorted."""
        return sorted({detector for detector, _ in self.cells})

    def of_groups(self) -> dict[str, Collected]:
        """Part the series by group; one group is none."""
        groups = np.array([name.rpartition("/")[0] for name in self.series], object)
        names = sorted(set(groups.tolist()))
        if len(names) < 2:
            return {}
        return {name: self.part(groups == name) for name in names}

    def part(self, chosen: np.ndarray[Any, Any]) -> Collected:
        """Keep some of the series."""
        series = [name for name, kept in zip(self.series, chosen, strict=True) if kept]
        cells = {names: cell.part(chosen) for names, cell in self.cells.items()}
        failed = {name: why for name, why in self.failed.items() if name in set(series)}
        return Collected(series, self.metrics, cells, failed)

    def runs(self) -> dict[str, list[str]]:
        """The runs of each detector: ``lof#1`` and ``lof#2`` are two seeds of ``lof``."""
        found: dict[str, list[str]] = {}
        for name in self.detectors:
            match = _SEED.fullmatch(name)
            found.setdefault(match[1] if match else name, []).append(name)
        return found

    def series_of(self, detector: str) -> list[int]:
        """The places of the series that have a detector."""
        cells = [
            self.cells[detector, spec] for spec in self.metrics if (detector, spec) in self.cells
        ]
        there = np.any([cell.states != MISSING for cell in cells], axis=0)
        return np.flatnonzero(there).tolist()

    def matrix(self, metric: str) -> tuple[list[str], Floats]:
        """The detectors and their values, a row per series.

        The value of a detector with several seeds is their mean.
        """
        runs = self.runs()
        empty = Cell.empty(len(self.series))
        columns = [np.empty((len(self.series), 0))] + [
            np.mean([self.cells.get((run, metric), empty).values for run in names], axis=0)
            for names in runs.values()
        ]
        return list(runs), np.column_stack(columns)

    def p_adjusted(self) -> dict[tuple[str, str], Floats]:
        """Adjust the p-values of each detector and metric for the number of series."""
        return {names: holm(cell.p_values) for names, cell in self.cells.items()}


def collect(
    series: list[str], metrics: Iterable[str], rows_of: Callable[[str], Iterable[dict[str, Any]]]
) -> Collected:
    """Read every row once."""
    found = Collected(series, list(metrics))
    for place, name in enumerate(series):
        found.add(place, rows_of(name))
    return found


def number(value: Any) -> float:
    """Read a number as rows hold it: None is undefined, infinities are text."""
    return math.nan if value is None else float(value)


def _state(row: dict[str, Any]) -> int:
    if row.get("error"):
        return FAILED
    return UNDEFINED if row["value"] is None else DEFINED


COLUMNS = (
    "group", "series", "detector", "asked", "metric", "value", "at", "chosen_by", "width", "chance",
    "all_alarms", "corrected", "low", "high", "p_value", "p_adjusted", "shifts", "exact", "error",
)  # fmt: skip
"""Of results.csv. p_adjusted is Holm's, over the series of one detector and metric."""


def result_rows(
    found: Collected, rows_of: Callable[[str], Iterable[dict[str, Any]]]
) -> Iterator[dict[str, Any]]:
    """Every row, sorted by series, detector and metric."""
    adjusted = {names: p.tolist() for names, p in found.p_adjusted().items()}
    nothing = dict.fromkeys(COLUMNS)
    for place, name in enumerate(found.series):
        names = {"group": name.rpartition("/")[0], "series": name}
        for row in sorted(rows_of(name), key=lambda row: (row["detector"], row["asked"])):
            said = {**nothing, **row, **names}
            p = adjusted[row["detector"], row["asked"]][place] if row["asked"] else math.nan
            said["p_adjusted"] = None if math.isnan(p) else p
            said["at"] = None if said["at"] is None else number(said["at"])
            yield {column: said[column] for column in COLUMNS}
