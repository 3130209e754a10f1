"""Leaderboard: one line per metric and detector, and what it is made of.

Collected: the rows of all series as columns of numbers, one per detector and metric.

This is what the statistics work on. It holds a few numbers per row, however much the rows say.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.judging.result_columns import RANKED
from adjudge.noise.p_values import holm
from adjudge.ranking.statistics import bootstrap_means, complete, mean_ranks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

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
    better : dict
        The spec of each metric, as it was asked for -> which values are better, "higher" or
        "lower".
    cells : dict
        (detector, metric) -> Cell.
    failed : dict
        Series that failed as a whole -> why.
    prints : dict
        Detector -> the fingerprint of what it was judged on, per series; 0 where it was not.
    """

    series: list[str]
    better: Mapping[str, str]
    cells: dict[tuple[str, str], Cell] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    prints: dict[str, np.ndarray[Any, np.dtype[np.uint64]]] = field(default_factory=dict)
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

    def note(self, place: int, prints: Iterable[tuple[str, int]]) -> None:
        """Note what the detectors of the series at a place were judged on."""
        for detector, found in prints:
            if detector not in self.prints:
                self.prints[detector] = np.zeros(len(self.series), np.uint64)
            self.prints[detector][place] = found

    @property
    def keys(self) -> str:
        """A hash of the keys of all rows: equal for equal work."""
        return sha256(b"".join(self._keys[place] for place in sorted(self._keys))).hexdigest()

    @property
    def data(self) -> str:
        """A hash of all labels and scores that were judged: equal for equal data."""
        digest = sha256("\0".join(self.series).encode("utf-8", "backslashreplace"))
        for detector in sorted(self.prints):
            digest.update(f"\0{detector}\0".encode("utf-8", "backslashreplace"))
            digest.update(self.prints[detector].astype("<u8").tobytes())
        return digest.hexdigest()

    @property
    def metrics(self) -> list[str]:
        """Specs, as they were asked for."""
        return list(self.better)

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
        return Collected(series, self.better, cells, failed)

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
    series: list[str], better: Mapping[str, str], rows_of: Callable[[str], Iterable[dict[str, Any]]]
) -> Collected:
    """Read every row once."""
    found = Collected(series, better)
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


COLUMNS = ("group", "series", *RANKED, "error")
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


_CLEAR = 0.05
_STATES = {"series": DEFINED, "undefined": UNDEFINED, "failed": FAILED, "missing": MISSING}


def leaderboard(
    found: Collected,
    metrics: Iterable[str],
    pooled: Mapping[tuple[str, str], Mapping[str, float | None]],
    seed: int,
) -> list[dict[str, Any]]:
    """The lines of each metric, the best mean rank first."""
    lines: list[dict[str, Any]] = []
    adjusted = found.p_adjusted()
    for metric in metrics:
        _, values = found.matrix(metric)
        names, compared = comparable(found, metric)
        ranks = dict(zip(names, mean_ranks(compared).tolist(), strict=True))
        intervals = bootstrap_means(values, seed)
        part = []
        for place, (name, runs) in enumerate(found.runs().items()):
            means = _means(found, values[:, place], intervals[place])
            line = {"metric": metric, "detector": name, **means}
            line |= _together(pooled, metric, runs, means["mean"])
            line |= {"mean_rank": ranks.get(name, math.nan)}
            part.append(line | _counts(found, metric, runs, adjusted))
        lines += sorted(part, key=partial(_place, _sign(found, metric)))
    return lines


def comparable(found: Collected, metric: str) -> tuple[list[str], Floats]:
    """The detectors that have values, on the series that all of these have; higher is better."""
    names, values = found.matrix(metric)
    kept = np.flatnonzero((~np.isnan(values)).any(axis=0))
    return [names[place] for place in kept], _sign(found, metric) * complete(values[:, kept])


def _sign(found: Collected, metric: str) -> int:
    return 1 if found.better[metric] == "higher" else -1


def last(value: float) -> float:
    """Sort what is undefined behind everything else."""
    return math.inf if math.isnan(value) else value


def _place(sign: int, line: dict[str, Any]) -> tuple[float, float, str]:
    return last(line["mean_rank"]), last(-sign * line["mean"]), line["detector"]


def _means(found: Collected, values: Floats, interval: tuple[float, float]) -> dict[str, float]:
    """The means of a detector by a metric."""
    low, high = interval
    means = {"mean": _mean(values), "low": low, "high": high, "median": _median(values)}
    return {**means, "macro": _macro(found.series, values)}


def _together(
    pooled: Mapping[tuple[str, str], Mapping[str, float | None]],
    metric: str,
    runs: list[str],
    mean: float,
) -> dict[str, float | None]:
    """What needs all series at once, averaged over the seeds; None where it was not computed."""
    found = [pooled.get((run, metric), {}) for run in runs]
    whole, moved = (_mean_of([one.get(key) for one in found]) for key in ("pooled", "transferred"))
    return {"pooled": whole, "transferred": moved, "gap": None if moved is None else mean - moved}


def _counts(
    found: Collected, metric: str, runs: list[str], adjusted: Mapping[tuple[str, str], Floats]
) -> dict[str, Any]:
    """Count series by what became of them."""
    have = [run for run in runs if (run, metric) in found.cells]
    cells = [found.cells[run, metric] for run in have]
    after = [adjusted[run, metric] for run in have]
    states = {word: sum(cell.count(state) for cell in cells) for word, state in _STATES.items()}
    states["missing"] += len(found.series) * (len(runs) - len(have))
    return {
        "beats_chance": sum(int(np.sum(p <= _CLEAR)) for p in after),
        "beats_chance_alone": sum(int(np.sum(cell.p_values <= _CLEAR)) for cell in cells),
        "tested": sum(int(np.sum(~np.isnan(p))) for p in after),
        **states,
        "seeds": len(runs),
        "seed_sd": _spread([_mean(cell.values) for cell in cells]),
    }


def _mean(values: Floats) -> float:
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if defined.size else math.nan


def _mean_of(values: list[float | None]) -> float | None:
    """The mean of what was computed, if anything was."""
    computed = [value for value in values if value is not None]
    return _mean(np.array(computed)) if computed else None


def _median(values: Floats) -> float:
    defined = values[~np.isnan(values)]
    return float(np.median(defined)) if defined.size else math.nan


def _macro(series: list[str], values: Floats) -> float:
    """The mean of the groups' means."""
    groups = np.array([name.rpartition("/")[0] for name in series], object)
    means = [_mean(values[groups == group]) for group in sorted(set(groups.tolist()))]
    return _mean(np.array(means))


def _spread(means: list[float]) -> float:
    return float(np.std(means, ddof=1)) if len(means) > 1 else math.nan
