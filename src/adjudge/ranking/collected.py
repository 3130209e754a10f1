"""Collected: the rows of all series as columns of numbers, one per detector and metric.

This is what the statistics work on. It holds a few numbers per row, however much the rows say.

A cell of the table may be empty for three reasons, which are told apart. *Missing*: nobody gave
scores. *Failed*: there were scores, and they could not be judged. *Undefined*: they were judged,
and the metric has no value, as a delay has none where nothing was found.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from hashlib import sha256
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.data.intervals import bincount
from adjudge.judging.result_columns import RANKED
from adjudge.ranking.clocks import Lived, clocks_of
from adjudge.ranking.panels import MOVES, clock_numbers, panel_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from adjudge._typing import Array, Floats, Positions
    from adjudge.metrics.metric import Metric
    from adjudge.noise.intervals.means import Panel

SEED = re.compile(r"(.+)#\d+")
MISSING, DEFINED, UNDEFINED, FAILED = range(4)
BASELINE = "baseline: "
"""How the name of a row of reference begins: it is compared with, and has no rank."""
PREFIX = "score_"
"""Of columns in files, which only says that they hold scores."""
RESOURCES = ("runtime", "memory")
"""Columns that are carried along: means over series of what somebody measured."""


@dataclass(frozen=True, eq=False)
class SeriesValues:
    """One detector under one metric: a number per series."""

    values: Floats
    p_adjusted: Floats
    """Of the detector on each series by itself, adjusted for their number; NaN if not known."""
    chance: Floats
    """What the null model scores there."""
    states: np.ndarray[Any, np.dtype[np.int8]]
    """Whether each value is missing, defined, undefined or failed."""
    moves: Array
    """How each value moves with the events of its series, as text; "" where it is not known."""

    @classmethod
    def empty(cls, series: int) -> SeriesValues:
        """Begin with nothing known."""
        values, p_adjusted, chance = np.full((3, series), np.nan)
        moves = np.full(series, "", object)
        return cls(values, p_adjusted, chance, np.zeros(series, np.int8), moves)

    def part(self, chosen: np.ndarray[Any, Any]) -> SeriesValues:
        """Keep some of the series."""
        values, p_adjusted, chance = self.values, self.p_adjusted, self.chance
        states, moves = self.states[chosen], self.moves[chosen]
        return SeriesValues(values[chosen], p_adjusted[chosen], chance[chosen], states, moves)


class ValueTable(NamedTuple):
    """The detectors under one metric: a row per series, a column per detector."""

    names: list[str]
    values: Floats
    """The mean over the seeds that have a value; NaN where none has."""
    states: Array
    """What became of each cell: of several seeds, the best of them."""


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
    groups : list of str
        The data set of each series: what stands before the last ``/`` of its name, unless somebody
        says otherwise. One without a name is none.
    spans : dict
        Metric -> the lowest and the highest value that there can be, where they are known.
    lived : dict
        The place of a series -> when it was and what happened then, as far as that is known.
    on_clocks : dict
        Series -> the number of its clock, where any share one.
    """

    series: list[str]
    better: Mapping[str, str]
    cells: dict[tuple[str, str], SeriesValues] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    prints: dict[str, np.ndarray[Any, np.dtype[np.uint64]]] = field(default_factory=dict)
    groups: list[str] = field(default_factory=list)
    spans: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    lived: dict[int, Lived] = field(default_factory=dict)
    on_clocks: dict[str, int] = field(default_factory=dict)
    _keys: dict[int, bytes] = field(default_factory=dict)

    @classmethod
    def of(cls, series: list[str], metrics: Iterable[Metric]) -> Collected:
        """Begin with nothing known of some series by some metrics."""
        asked = list(metrics)
        spans = {str(one): one.row.range for one in asked}
        return cls(series, {str(one): one.row.better for one in asked}, spans=spans)

    def __post_init__(self) -> None:
        """Take the groups from the names of the series."""
        if not self.groups:
            self.groups.extend(name.rpartition("/")[0] for name in self.series)

    def add(self, place: int, rows: Iterable[dict[str, Any]]) -> None:
        """Take the rows of the series at a place; the series may come in any order."""
        digest = sha256()
        for row in rows:
            digest.update(row.get("key", "").encode())  # tables have none
            if not row["requested"]:
                self.failed[self.series[place]] = row["error"]
                continue
            names = row["detector"], row["requested"]
            if names not in self.cells:
                self.cells[names] = SeriesValues.empty(len(self.series))
            cell = self.cells[names]
            cell.values[place] = number(row.get("value"))
            cell.moves[place] = row.get(MOVES, "")
            if "chance" in row:  # else there is nothing but NaN
                cell.p_adjusted[place] = number(row.get("p_adjusted"))
                cell.chance[place] = number(row["chance"])
            cell.states[place] = _state(row)
        self._keys[place] = digest.digest()

    def note(self, place: int, prints: Iterable[tuple[str, int]]) -> None:
        """Note what the detectors of the series at a place were judged on."""
        for detector, found in prints:
            if detector not in self.prints:
                self.prints[detector] = np.zeros(len(self.series), np.uint64)
            self.prints[detector][place] = found

    def take_clocks(self, rule: str) -> dict[str, str]:
        """Note the clock of each series, by a rule of `adjudge.data.shared_clock`.

        Parameters
        ----------
        rule : {"auto", "shared", "own"}
            Who shares a clock.

        Returns
        -------
        dict
            Series -> the first that is on the same clock, of those that share one.
        """
        lived = [self.lived.get(place) for place in range(len(self.series))]
        found = clocks_of(lived, self.groups, rule)
        if len(np.unique(found)) < len(found):
            self.on_clocks.update(zip(self.series, found.tolist(), strict=True))
        shared = np.flatnonzero(bincount(found)[found] > 1).tolist()
        return {self.series[place]: self.series[found[place]] for place in shared}

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
        """Names, sorted; also of those that nobody gave a score of."""
        return sorted({detector for detector, _ in self.cells} | set(self.prints))

    def of_groups(self) -> dict[str, Collected]:
        """Split the series by group; one group is none."""
        groups = np.array(self.groups, object)
        names = sorted(set(self.groups))
        if len(names) < 2:
            return {}
        return {name: self.part(groups == name) for name in names}

    def part(self, chosen: np.ndarray[Any, Any]) -> Collected:
        """Keep some of the series."""
        series = [name for name, kept in zip(self.series, chosen, strict=True) if kept]
        groups = [name for name, kept in zip(self.groups, chosen, strict=True) if kept]
        cells = {names: cell.part(chosen) for names, cell in self.cells.items()}
        failed = {name: why for name, why in self.failed.items() if name in set(series)}
        prints = {name: own[chosen] for name, own in self.prints.items()}  # also of the silent
        return Collected(
            series, self.better, cells, failed, prints, groups, self.spans,
            on_clocks=self.on_clocks,
        )  # fmt: skip

    def runs(self) -> dict[str, list[str]]:
        """The runs of each detector: ``lof#1`` and ``lof#2`` are two seeds of ``lof``."""
        found: dict[str, list[str]] = {}
        for name in self.detectors:
            match = SEED.fullmatch(name)
            found.setdefault(match[1] if match else name, []).append(name)
        return found

    def series_of(self, detector: str) -> list[int]:
        """The places of the series that have scores of a detector."""
        return np.flatnonzero(self.prints.get(detector, ())).tolist()

    def panel(self, metric: str, rows: Positions) -> Panel | None:
        """What some series add to the episodes of the clocks that they share; None: they do not."""
        clocks = clock_numbers([self.series[row] for row in rows.tolist()], self.on_clocks)
        if len(np.unique(clocks)) == len(clocks):
            return None
        detectors = self.runs()
        texts = np.full((len(rows), len(detectors)), None)
        for place, runs in enumerate(detectors.values()):
            cells = [self.cells[run, metric] for run in runs if (run, metric) in self.cells]
            for row, series in enumerate(rows.tolist()):
                own = [cell.moves[series] for cell in cells if cell.states[series] == DEFINED]
                texts[row, place] = own or None
        return panel_of(texts, clocks)

    def columns(self, metric: str) -> ValueTable:
        """The detectors under one metric; several seeds of a detector are one."""
        runs = self.runs()
        empty = SeriesValues.empty(len(self.series))
        shape = len(self.series), len(runs)
        found = ValueTable(list(runs), np.full(shape, np.nan), np.zeros(shape, np.int8))
        for place, names in enumerate(runs.values()):
            cells = [self.cells.get((run, metric), empty) for run in names]
            found.values[:, place] = _mean_of_seeds(np.array([cell.values for cell in cells]))
            states = np.array([cell.states for cell in cells])
            for state in (MISSING, FAILED, UNDEFINED, DEFINED):  # the last that is there stays
                found.states[(states == state).any(axis=0), place] = state
        return found


def is_baseline(name: str) -> bool:
    """Tell whether a detector is a row of reference, by its name.

    >>> is_baseline("baseline: noise"), is_baseline("noise")
    (True, False)
    """
    return name.startswith(BASELINE)


def printed(names: list[str]) -> dict[str, str]:
    """Detectors as they are printed: without the prefix that only says that a column is a score.

    >>> printed(["score_a", "b"]), printed(["score_a", "a"])
    ({'score_a': 'a', 'b': 'b'}, {'score_a': 'score_a', 'a': 'a'})
    """
    short = {name: name.removeprefix(PREFIX) or name for name in names}
    return short if len(set(short.values())) == len(names) else {name: name for name in names}


def _mean_of_seeds(values: Floats) -> Floats:
    """The mean over the first axis of what is there."""
    there = ~np.isnan(values)
    count = there.sum(axis=0)
    mean: Floats = np.where(there, values, 0).sum(axis=0) / np.where(count, count, np.nan)
    return mean


def collect(
    series: list[str],
    better: Mapping[str, str],
    spans: Mapping[str, tuple[float, float]],
    rows_of: Callable[[str], Iterable[dict[str, Any]]],
    on_clocks: Mapping[str, int],
) -> Collected:
    """Read every row of a finished table once."""
    found = Collected(series, better, spans=spans, on_clocks=dict(on_clocks))
    for place, name in enumerate(series):
        rows = list(rows_of(name))
        found.add(place, rows)
        found.groups[place] = next(iter(rows))["group"]
    return found


def number(value: Any) -> float:
    """Read a number as rows hold it: None is undefined, infinities are text."""
    return math.nan if value is None else float(value)


def _state(row: dict[str, Any]) -> int:
    if row.get("error"):
        return FAILED
    return UNDEFINED if row["value"] is None else DEFINED


COLUMNS = ("group", "series", *RANKED, "error")
"""Of results.csv. p_adjusted is that of a detector (all its seeds) on this series, by the same
places as its verdict over all series and by the stricter null model, adjusted for the series after
Benjamini and Hochberg: ``better_on`` of the leaderboard counts those up to .05."""


def result_rows(
    found: Collected, rows_of: Callable[[str], Iterable[dict[str, Any]]]
) -> Iterator[dict[str, Any]]:
    """Every row, sorted by series, detector and metric."""
    return (dict(zip(COLUMNS, cells, strict=True)) for cells in result_cells(found, rows_of))


_AT, _P_ADJUSTED = COLUMNS.index("at"), COLUMNS.index("p_adjusted")


def result_cells(
    found: Collected, rows_of: Callable[[str], Iterable[dict[str, Any]]]
) -> Iterator[list[Any]]:
    """The same as lists, a cell for each of `COLUMNS`."""
    tested = {
        names: cell.p_adjusted
        for names, cell in found.cells.items()
        if not np.isnan(cell.p_adjusted).all()
    }
    for place, name in enumerate(found.series):
        group = found.groups[place]
        for row in sorted(rows_of(name), key=itemgetter("detector", "requested")):
            cells: list[Any] = [*map(row.get, COLUMNS)]
            cells[0], cells[1], cells[_P_ADJUSTED] = group, name, None
            if tested:
                p = tested.get((row["detector"], row["requested"]))
                cells[_P_ADJUSTED] = None if p is None or math.isnan(p[place]) else float(p[place])
            cells[_AT] = None if cells[_AT] is None else float(cells[_AT])
            yield cells
