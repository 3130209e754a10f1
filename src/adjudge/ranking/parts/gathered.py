"""Gathered: the rows of parts as arrays, a batch of columns at a time, and what must agree.

Rows may come in any order and more than once. What a row says is written to the place of its
series and cell, without a dictionary per row; a hash of what it depends on stays there, by which
the same row is known again and another one is refused.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.errors import InputError, shown
from adjudge.noise.keyed_sums import KeyedSums
from adjudge.noise.p_values import PlacesOfSeries
from adjudge.ranking.chance_verdicts import Verdicts
from adjudge.ranking.collected import DEFINED, FAILED, UNDEFINED, Collected, SeriesValues
from adjudge.ranking.panels import MOVES
from adjudge.ranking.parts.part import detector_of
from adjudge.ranking.parts.schema import PartRows, arrow, unpacked

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from adjudge._typing import Array, Positions
    from adjudge.ranking.task import Task

    Cell = tuple[str, str]

_TEXTS = ("task", "part", "series", "group", "detector", "requested")
_READ = (*_TEXTS, "truth", "print", "key", "error", "value")
_OF_CHANCE = (
    "chance",
    "alone",
    "evidence",
    "places",
    "model",
    "clock",
    "shared",
    "cells",
    "rows",
    "sums",
)


class CellNames(NamedTuple):
    """Which series and cells there are, before anything is read of them."""

    series: Any
    """Names, sorted, as an array of Arrow."""
    runs: list[str]
    cells: list[Cell]

    @classmethod
    def of(cls, source: PartRows) -> CellNames:
        """Go through the names alone."""
        pa = arrow()
        series: set[str] = set()
        cells: set[Cell] = set()
        for batch in source.batches(("series", "detector", "requested", "model")):
            own = batch.filter(pa.compute.is_null(batch["model"]))
            series.update(own["series"].unique().to_pylist())
            pairs = own.group_by(["detector", "requested"]).aggregate([])
            cells.update(
                zip(*(pairs[n].to_pylist() for n in ("detector", "requested")), strict=True)
            )
        runs = sorted({run for run, _ in cells if run})
        return cls(pa.array(sorted(series), "string"), runs, sorted(c for c in cells if c[1]))


class Gathered:
    """All rows of some parts.

    Parameters
    ----------
    source : PartRows
        The parts.
    task : Task
        What was asked of them; of another one they are refused.
    """

    def __init__(self, source: PartRows, task: Task) -> None:
        self._task, self._name = task, task.name
        self._names = CellNames.of(source)
        names, cells = self._names.series.to_pylist(), len(self._names.cells)
        self.found = Collected.of(names, task.metrics)
        self._numbers = {cell: number for number, cell in enumerate(self._names.cells)}
        self._values = np.full((cells, len(names)), np.nan)
        self._chance = self._values.copy() if task.chance else _nothing(np.nan, cells, len(names))
        self._states = np.zeros((cells, len(names)), np.int8)
        self._keys = np.zeros((cells, len(names)), np.int64)
        self._prints = np.zeros((len(self._names.runs), len(names)), np.int64)
        self._truths, self._groups = np.zeros((2, len(names)), np.int64)
        self._group_names: list[str] = []
        self._part_names = [""]
        chance = (cells, len(names)) if task.chance else (0, 0)
        self._parts = np.zeros(chance, np.int32)
        self._moves = np.full((cells, len(names)) if task.clocks else (0, 0), "", object)
        named = [(detector_of(run), asked) for run, asked in self._names.cells]
        self._tested = sorted(set(named))
        self._tests = np.array([self._tested.index(cell) for cell in named], np.int64)
        tests = (2, len(self._tested), len(names)) if task.chance else (2, 0, 0)
        self._said = np.full(tests, np.nan)
        self._verdicts = Verdicts(self.found, task.clocks)
        self._sums: dict[tuple[Any, ...], tuple[int, int, bytes]] = {}
        self._places: dict[int, dict[Cell, bytes]] = {}
        more = _OF_CHANCE if task.chance else ("model",)
        moves = (MOVES,) if task.clocks else ()
        for batch in source.batches((*_READ, *more, *moves)):
            self._take(batch)
        self._fill()

    def verdicts(self) -> Verdicts:
        """What was added up over all series."""
        self._check_parts()
        for number, cell in enumerate(self._tested):
            if not np.isnan(self._said[0, number]).all():
                self._verdicts.said[cell] = self._said[:, number]
        for (_, detector, asked, model, clock, shared), (_, _, data) in self._sums.items():
            models = self._models(detector, asked)
            own = self._verdicts.of((detector, asked), models)[model]
            own.merge(_sums_of(np.frombuffer(data, "<i8"), clock, shared=shared))
        for place, own_places in sorted(self._places.items()):
            for cell, seeds in self._of_places(place, own_places).items():
                self._verdicts.test(place, cell, seeds)
        return self._verdicts

    def _check_parts(self) -> None:
        """Refuse a part with sums of which a row is missing."""
        asked = {part: (cells, rows) for (part, *_), (cells, rows, _) in self._sums.items()}
        rows = Counter(part for part, *_ in self._sums)
        for number, name in enumerate(self._part_names[1:], 1):
            cells = int(np.count_nonzero(self._parts == number))
            if (cells, rows[name]) != asked.get(name):
                wanted = asked.get(name, (0, 0))
                raise InputError(
                    f"parts must be whole, got {cells:,} of {wanted[0]:,} cells and "
                    f"{rows[name]:,} of {wanted[1]:,} sums of part {name}: rows are lost, or a "
                    "cell is in the sums of two parts"
                )

    def _models(self, detector: str, asked: str) -> int:
        own: list[int] = [one[3] for one in self._sums if one[1:3] == (detector, asked)]
        return 1 + max(own)

    def _of_places(self, place: int, rows: Mapping[Cell, bytes]) -> dict[Cell, list[Any]]:
        """The seeds of each detector on a series, unless a part with sums has them."""
        found: dict[Cell, list[Any]] = {}
        for (run, asked), data in sorted(rows.items()):
            if self._parts[self._numbers[run, asked], place] == 0:
                own = PlacesOfSeries(*unpacked(data))
                found.setdefault((detector_of(run), asked), []).append(own)
        return found

    def _take(self, batch: Any) -> None:
        """Take some rows."""
        pa = arrow()
        tasks = batch["task"].unique().to_pylist()
        if tasks != [self._name]:
            other = next(one for one in tasks if one != self._name)
            raise InputError(
                f"parts must be of this task, {self._name}, got one of {shown(other)}: other "
                "metrics, settings, clocks or versions"
            )
        is_sum = pa.compute.is_valid(batch["model"])
        if self._task.chance and pa.compute.any(is_sum).as_py():
            self._take_sums(batch.filter(is_sum))
        own = batch.filter(pa.compute.invert(is_sum))
        if not len(own):
            return
        places = pa.compute.index_in(own["series"], self._names.series).to_numpy()
        self._check_series(own, places)
        self._take_prints(own, places)
        numbers = self._cells_of(own)
        rows = np.flatnonzero(numbers >= 0)
        self._take_cells(own.take(pa.array(rows)), numbers[rows], places[rows])
        self._take_failed(own, places)

    def _check_series(self, own: Any, places: Positions) -> None:
        """Refuse other labels, another length, another mask and another data set of a series."""
        truths, known = own["truth"].to_numpy(), self._truths
        self._same(known, places, truths, "labels, mask and length")
        codes, names = _codes(own["group"])
        numbers = np.array([1 + _numbered(self._group_names, name) for name in names])[codes]
        self._same(self._groups, places, np.where(truths, numbers, 0), "data set")

    def _same(self, known: Positions, places: Positions, said: Positions, what: str) -> None:
        before = known[places]
        says = said != 0  # a series that could not be read says nothing
        known[places[says]] = said[says]
        wrong = says & (((before != 0) & (before != said)) | (known[places] != said))
        if wrong.any():
            name = self.found.series[int(places[np.argmax(wrong)])]
            raise InputError(f"parts must agree on the {what} of a series, got two for {name!r}")

    def _take_prints(self, own: Any, places: Positions) -> None:
        """Note what detectors were judged on, also of those without a score."""
        pa = arrow()
        runs = pa.compute.index_in(own["detector"], pa.array(self._names.runs, "string"))
        there = np.flatnonzero(runs.is_valid().to_numpy())
        run = runs.fill_null(0).to_numpy()[there]
        self._prints[run, places[there]] = own["print"].fill_null(0).to_numpy()[there]

    def _cells_of(self, own: Any) -> Positions:
        """The number of the cell of each row; -1: it is none."""
        runs, run_names = _codes(own["detector"])
        asked, asked_names = _codes(own["requested"])
        table = np.array(
            [[self._numbers.get((r, a), -1) for a in asked_names] for r in run_names], np.int64
        )
        return np.asarray(table[runs, asked])

    def _take_cells(self, own: Any, cells: Positions, places: Positions) -> None:
        keys, known = own["key"].to_numpy(), self._keys[cells, places]
        self._keys[cells, places] = keys
        wrong = ((known != 0) & (known != keys)) | (self._keys[cells, places] != keys)
        if wrong.any():
            row = int(np.argmax(wrong))
            run, asked = self._names.cells[int(cells[row])]
            raise InputError(
                f"parts must agree on what they judged, got two rows for {run!r} by {asked} on "
                f"{self.found.series[int(places[row])]!r}: other scores, labels or options"
            )
        values = own["value"].to_numpy()
        failed = own["error"].is_valid().to_numpy()
        self._values[cells, places] = values
        states = np.where(np.isnan(values), UNDEFINED, DEFINED)
        self._states[cells, places] = np.where(failed, FAILED, states)
        if self._task.chance:
            self._take_chance(own, cells, places)
        if self._task.clocks:
            self._moves[cells, places] = own[MOVES].fill_null("").to_numpy()

    def _take_chance(self, own: Any, cells: Positions, places: Positions) -> None:
        self._chance[cells, places] = own["chance"].to_numpy()
        codes, names = _codes(own["part"])
        parts = np.array([_numbered(self._part_names, name) for name in names])[codes]
        there = parts > 0
        self._parts[cells[there], places[there]] = parts[there]
        alone = np.stack([own[name].to_numpy() for name in ("alone", "evidence")])
        tested = np.flatnonzero(~np.isnan(alone[0]))
        self._said[:, self._tests[cells[tested]], places[tested]] = alone[:, tested]
        for row in np.flatnonzero(own["places"].is_valid().to_numpy()).tolist():
            on = self._places.setdefault(int(places[row]), {})
            on[self._names.cells[int(cells[row])]] = own["places"][row].as_py()

    def _take_failed(self, own: Any, places: Positions) -> None:
        """Take series that failed as a whole."""
        none = np.flatnonzero(np.asarray(own["detector"].to_numpy() == ""))
        for row in none.tolist():
            self.found.failed[self.found.series[int(places[row])]] = own["error"][row].as_py()

    def _take_sums(self, own: Any) -> None:
        """Take sums; the same ones may come again."""
        names = ("part", "detector", "requested", "model", "clock", "shared")
        for row in own.select([*names, "cells", "rows", "sums"]).to_pylist():
            key = tuple(row[name] for name in names)
            self._sums[key] = row["cells"], row["rows"], row["sums"]

    def _fill(self) -> None:
        """Put the arrays where the statistics look for them."""
        found = self.found
        empty = _nothing("", len(found.series))
        unknown = np.full(len(found.series), np.nan) if not self._task.chance else None
        for number, cell in enumerate(self._names.cells):
            p = np.full(len(found.series), np.nan) if unknown is None else unknown
            moves = self._moves[number] if self._task.clocks else empty
            states, chance = self._states[number], self._chance[number]
            found.cells[cell] = SeriesValues(self._values[number], p, chance, states, moves)
        for run, prints in zip(self._names.runs, self._prints, strict=True):
            found.prints[run] = prints.view(np.uint64)
        for place, number in enumerate(self._groups.tolist()):
            if number:  # a series that could not be read has the group of its name
                found.groups[place] = self._group_names[number - 1]
        if self._task.clocks:
            self._note_clocks()

    def _note_clocks(self) -> None:
        """Number the clock of each series by the first that is on it."""
        places = {name: place for place, name in enumerate(self.found.series)}
        firsts: dict[str, int] = {}
        for name, place in places.items():
            firsts.setdefault(self._task.clocks.get(name, name), place)
        on = {name: firsts[self._task.clocks.get(name, name)] for name in places}
        if len(set(on.values())) < len(on):
            self.found.on_clocks.update(on)


def _sums_of(numbers: Positions, clock: str | None, *, shared: bool | None) -> KeyedSums:
    """Sums, as a row has them."""
    found = KeyedSums()
    if clock is None:
        found.drawn, found.log_least = numbers[:-1].copy(), int(numbers[-1])
    else:
        found.add(clock, numbers.copy(), shared=bool(shared))
    return found


def _codes(column: Any) -> tuple[Positions, list[str]]:
    """A column of text as numbers of a few names."""
    coded = column.combine_chunks().fill_null("").dictionary_encode()
    return coded.indices.to_numpy().astype(np.int64), coded.dictionary.to_pylist()


def _numbered(names: list[str], name: str) -> int:
    """The number of a name among some, which it joins."""
    if name not in names:
        names.append(name)
    return names.index(name)


def _nothing(value: object, *shape: int) -> Array:
    """An array that says the same everywhere, and takes no memory."""
    return np.broadcast_to(np.array(value, object if value == "" else None), shape)


def missing(found: Collected, series: Iterable[str]) -> list[str]:
    """Which series were expected, and are not there."""
    there = set(found.series)
    return [name for name in map(str, series) if name not in there]
