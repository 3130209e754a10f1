"""Part: some series with all their detectors in, rows of a flat table out, on any machine."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from adjudge.checks import SEEDS, boolean, suggest_keywords, whole, word
from adjudge.errors import InputError, shown
from adjudge.noise.null_models import Null, read_null
from adjudge.ranking.asking import asked_metrics, check_chance, thresholds_of
from adjudge.ranking.cells import Done, Job, judge
from adjudge.ranking.chance_verdicts import PLACES, Verdicts, unpacked
from adjudge.ranking.collected import SEED, Collected
from adjudge.ranking.panels import MOVES
from adjudge.ranking.parts.chunks import SeriesChunk
from adjudge.ranking.parts.schema import CELL, arrow, packed, table_of
from adjudge.ranking.sources import Folder, FolderColumns, Unit, units_of
from adjudge.ranking.task import Task, codes_of
from adjudge.stores.files import whole_file

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator

    from adjudge._typing import Positions
    from adjudge.metrics.metric import Metric
    from adjudge.noise.keyed_sums import KeyedSums

    Row = dict[str, Any]

_FEW = 100
"""Series of a part up to which their places take less than the sums."""


@suggest_keywords("rank_task")
def rank_task(
    metrics: str | Metric | Iterable[str | Metric] | None = None,
    *,
    at: Any = None,
    chance: bool = True,
    null: str | Null = "shifted",
    period: Any = None,
    shifts: int | None = None,
    seed: int = 0,
    missing: str = "refuse",
    clocks: Mapping[str, Any] | None = None,
) -> Task:
    """Say what every part of a ranking is asked.

    Made anew in each worker, or pickled and sent there, it is the same.

    Parameters
    ----------
    metrics, at, chance, null, period, shifts, seed, missing
        As in `rank`; no part sees all data, so that the default of metrics asks for the threshold
        of an oracle unless `at` is given.
    clocks : mapping, optional
        Series -> the clock that it shares with others, by any name. A part cannot see who shares
        one. Default: each series has its own.

    Returns
    -------
    Task

    Raises
    ------
    InputError
        If an argument is not what it must be.

    Examples
    --------
    >>> import adjudge as aj
    >>> labels = [0, 0, 1, 1, 0, 0, 0, 0]
    >>> good, blind = [0, 0, 1, 1, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 1]
    >>> task = aj.rank_task("f1_ba", chance=False)
    >>> parts = [aj.rank_part({name: (labels, {"good": good, "blind": blind})}, task)
    ...          for name in ("c", "a", "b")]
    >>> aj.rank_finish(parts, task)
    Ranking(2 detectors on 3 series by 1 metrics; first by f1_ba: good)
    """
    check_chance(chance, null, shifts)
    thresholds = thresholds_of(at, None, None, None)
    asked = asked_metrics(metrics, at, thresholds, [])
    model = read_null(null, period)
    return Task(
        asked, boolean(chance, "chance"), shifts, whole(seed, "seed", 0, SEEDS),
        codes_of(asked, model), model, word(missing, "missing", ("refuse", "skip")), thresholds,
        clock="own" if clocks is None else "shared", clocks=_by_first(clocks),
    )  # fmt: skip


def _by_first(clocks: Mapping[str, Any] | None) -> dict[str, str]:
    """Each clock by the first of its series, as `rank` calls it; who is alone shares none."""
    if clocks is None:
        return {}
    if not isinstance(clocks, Mapping):
        raise InputError(f"clocks must be a mapping of series to clocks, got {shown(clocks)}")
    on: dict[Any, list[str]] = {}
    for series in sorted(clocks, key=str):
        on.setdefault(clocks[series], []).append(str(series))
    return {name: own[0] for own in on.values() if len(own) > 1 for name in own}


@suggest_keywords("rank_part", passes_on=FolderColumns)
def rank_part(
    data: Any,
    task: Task,
    *,
    out: str | os.PathLike[str] | None = None,
    **columns: Unpack[FolderColumns],
) -> Any:
    """Judge some of the series of a ranking.

    A series must come as a whole, and seeds of one detector (``lof#1``, ``lof#2``) together;
    other detectors of a series may come in other parts. A series that cannot be judged becomes a
    row that says so.

    Parameters
    ----------
    data : series in memory, data frame, files, or a chunk of `rank_chunks`
        What `rank` takes.
    task : Task
        What `rank_task` gives.
    out : path, optional
        A folder into which the part is written as Parquet. The file is called after what it holds,
        so that a part that is judged once more takes its own place.
    **columns
        How data are read: what `adjudge.Folder` takes.

    Returns
    -------
    pyarrow.Table or path
        A row per series, detector and metric, and the sums of a large part; or where it was
        written. `rank_finish` takes either.

    Raises
    ------
    InputError
        If there is no series.
    MissingExtra
        If pyarrow is not installed.

    Examples
    --------
    >>> import adjudge as aj
    >>> data = {"a": ([0, 0, 1, 1, 0, 0], {"lof": [0, 1, 1, 0, 0, 0]})}
    >>> part = aj.rank_part(data, aj.rank_task("f1", chance=False))
    >>> part.select(["series", "detector", "requested", "value"]).to_pylist()
    [{'series': 'a', 'detector': 'lof', 'requested': 'f1', 'value': 0.5}]
    """
    arrow()
    if not isinstance(task, Task):
        raise InputError(f"task must be what aj.rank_task gives, got {shown(task)}")
    table = table_of(_rows(_units(data, columns), task))
    return table if out is None else _written(table, Path(out))


def _units(data: Any, columns: FolderColumns) -> list[Unit]:
    for name in ("missing", "train", "tune_on", "window", "min_coverage"):
        if name in columns:
            raise InputError(f"{name} is no setting of a part, got {shown(columns[name])}")
    if isinstance(data, SeriesChunk):
        return data.units()
    source = Folder.of(data, columns)
    return units_of(source.data, source.reading(remote=False)).units


def _rows(units: list[Unit], task: Task) -> Iterator[Row]:
    """Every row of a part: its cells, and what they add up to if they are many."""
    name = task.name
    found = Collected.of([unit.series for unit in units], task.metrics)
    verdicts, rows = Verdicts(found, task.clocks), []
    for place, unit in enumerate(units):
        done = judge(Job(unit, task, frozenset()))
        own = list(_cells(done, task))
        if task.chance:
            verdicts.add(place, done.rows)
            _note_alone(own, verdicts, place)
        rows += own
    if task.chance and len(units) > _FEW:
        rows += _summed(rows, verdicts)
    return ({"task": name, "part": "", **row} for row in rows)


def _cells(done: Done, task: Task) -> Iterator[Row]:
    """The rows of one series, as a part has them."""
    prints, judged = dict(done.prints), {row["detector"] for row in done.rows}
    group = done.series.rpartition("/")[0] if done.group is None else done.group
    head = {"series": done.series, "group": group, "truth": _signed(done.truth)}
    for row in done.rows:
        own: Row = {name: _of_kind(row.get(name), kind) for name, kind in CELL.items()}
        own |= {name: row.get(name) for name in ("detector", "requested", "error")}
        if row.get(PLACES):
            own["places"] = packed(unpacked(row[PLACES]))
        own[MOVES] = row.get(MOVES) if task.clocks else None
        print_ = prints.get(row["detector"], 0)
        yield {**head, **own, "key": _signed(row["key"]), "print": _signed(f"{print_:016x}")}
    for detector in prints.keys() - judged:
        yield {**head, "detector": detector, "requested": "", "key": 0, "print": 0}


def _of_kind(value: Any, kind: str) -> Any:
    """A cell of a row: infinities are text there, and whole numbers may stand for floats."""
    return float(value) if kind == "float64" and value is not None else value


def _signed(text: str) -> int:
    """The first 64 bits of a hash, as a signed number."""
    return int.from_bytes(bytes.fromhex(text[:16]), "big", signed=True) if text else 0


def _note_alone(rows: list[Row], verdicts: Verdicts, place: int) -> None:
    """Write down what each cell says by itself; it is that of all seeds of a detector."""
    for row in rows:
        said = verdicts.said.get((detector_of(row["detector"]), row["requested"]))
        if said is not None and not np.isnan(said[0, place]):
            row["alone"], row["evidence"] = said[:, place].tolist()


def detector_of(run: str) -> str:
    """The detector of which a run is a seed.

    >>> detector_of("lof#2"), detector_of("lof")
    ('lof', 'lof')
    """
    found = SEED.fullmatch(run)
    return found[1] if found else run


def _summed(rows: list[Row], verdicts: Verdicts) -> list[Row]:
    """The rows of sums, which take the place of the places of cells."""
    tested = [row for row in rows if "alone" in row]
    keys = sorted(f"{row['series']}\0{row['detector']}\0{row['key']}" for row in tested)
    part = sha256("\n".join(keys).encode("utf-8", "backslashreplace")).hexdigest()[:16]
    for row in rows:
        row["places"] = None
    for row in tested:
        row["part"] = part
    found = [
        {
            "part": part,
            "series": "",
            "detector": detector,
            "requested": asked,
            "model": model,
            **one,
        }
        for (detector, asked), models in sorted(verdicts.sums.items())
        for model, sums in enumerate(models)
        for one in _sums(sums)
    ]
    return [{**row, "cells": len(tested), "rows": len(found)} for row in found]


def _sums(sums: KeyedSums) -> Iterator[Row]:
    """What one detector adds up to by one metric and null model."""
    if sums.drawn is not None:
        yield {"sums": _bytes(np.append(sums.drawn, sums.log_least))}
    for clock, steps in sorted(sums.alone.items()):
        yield {"clock": clock, "shared": False, "sums": _bytes(steps)}
    for (clock, _), steps in sorted(sums.shared.items()):
        yield {"clock": clock, "shared": True, "sums": _bytes(steps)}


def _bytes(numbers: Positions) -> bytes:
    return numbers.astype("<i8").tobytes()


def _written(table: Any, folder: Path) -> Path:
    """Write a part under the hash of what it holds."""
    pa = arrow()
    said = sorted(map(repr, zip(*(table[n].to_pylist() for n in ("series", "detector", "key")),
                                strict=True)))  # fmt: skip
    name = sha256("\n".join([table["task"][0].as_py(), *said]).encode()).hexdigest()[:24]
    folder.mkdir(parents=True, exist_ok=True)
    with whole_file(folder / f"{name}.parquet") as stream:
        pa.parquet.write_table(table, stream, compression="zstd")
    return folder / f"{name}.parquet"
