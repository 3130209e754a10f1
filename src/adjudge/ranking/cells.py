"""Cells: one series with all its detectors in, one row per detector and metric out."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.checks import whole
from adjudge.count.cache import CountCache
from adjudge.data.events import Events
from adjudge.errors import AdjudgeError, InputError, shown
from adjudge.io.text_files import hashing
from adjudge.judging.judge.judge import findings_of_one
from adjudge.judging.judge.prepared import Prepared, prepared_one
from adjudge.judging.judge.tuning import Tuned
from adjudge.judging.result_columns import RANKED, Finding
from adjudge.noise.intervals.event_moves import event_moves
from adjudge.ranking.chance_verdicts import PLACES, packed
from adjudge.ranking.clocks import Lived
from adjudge.ranking.keys import (
    AskedMetric,
    array_digest,
    failed_cell,
    failed_row,
    in_one_line,
    print_of,
    truth_of,
)
from adjudge.ranking.panels import MOVES, SeriesEvents
from adjudge.stores.folder import versions
from adjudge.tables.result_fields import json_ready

if TYPE_CHECKING:
    from collections.abc import Mapping

    from adjudge.io.labels_and_scores import LabelledScores
    from adjudge.noise.ask import Ask
    from adjudge.ranking.sources import Unit
    from adjudge.ranking.task import Task, Windows


@dataclass(frozen=True)
class Job:
    """A unit, and what is known of it already."""

    unit: Unit
    task: Task
    known: frozenset[str]
    wanted: bool = False
    """Whether what is read from files is to come back, for the pooled values."""


@dataclass(frozen=True)
class Done:
    """What became of a job."""

    series: str
    keys: tuple[str, ...]
    """Of every row that the series has, also of those that were known."""
    rows: tuple[dict[str, Any], ...]
    """The rows that were not known."""
    points: int
    versions: tuple[tuple[str, str], ...]
    prints: tuple[tuple[str, int], ...] = ()
    """Of each detector: 64 bits by which to know its labels and scores when they are read again."""
    table: LabelledScores | None = None
    """What was read, if it was wanted and is not held already."""
    group: str | None = None
    """The data set, where a column names it."""
    files: tuple[tuple[str, str], ...] = ()
    """The SHA-256 of each file that was read, by its path."""
    truth: str = ""
    """A hash of labels, mask and length; "" where nothing could be read."""
    lived: Lived | None = None
    """When the series was and what happened then, where that says who shares a clock."""


class _SeriesWork(NamedTuple):
    """The labels, and what stands beside values: the detectors of a series share what they can."""

    events: Events
    beside: Ask | None


def judge_all(jobs: tuple[Job, ...]) -> list[Done]:
    """Do jobs that are read at once."""
    return [judge(job) for job in jobs]


def judge(job: Job) -> Done:
    """Do a job, and note what the files hold that it reads."""
    with hashing() as found:
        done = _judge(job)
    return replace(done, files=tuple(found.items()))


def _judge(job: Job) -> Done:
    """Do a job; whatever goes wrong with it becomes rows that say so."""
    unit, found = job.unit, tuple(versions().items())
    try:
        table = unit.read()
        events = Events.from_labels(table.labels, series=table.series, where=table.where)
        window = _window(table, unit.series, job.task.window)
        metrics = [AskedMetric.of(one, events, job.task, window) for one in job.task.metrics]
        asked = _alike_together(metrics)
        group = _group(table)
        lived = Lived.of(events, table) if job.task.asks_for_clocks else None
    except Exception as error:  # noqa: BLE001 - of any kind: the others must go on
        row = failed_row(unit, error)
        return Done(unit.series, (row["key"],), (row,), 0, found)
    truth, series = truth_of(table), _SeriesWork(events, job.task.beside)
    keys: list[str] = []
    rows: list[dict[str, Any]] = []
    prints: list[tuple[str, int]] = []
    for detector in sorted(table.scores):
        column = table.scores[detector]
        if _is_empty(column):  # a table of all series has a column of everybody on each
            prints.append((detector, 0))
            continue
        scores = array_digest(column)
        prints.append((detector, print_of(truth, scores)))
        data = [unit.series, detector, truth, scores]
        own, made = _cells(job, table, series, asked, data)
        keys += own
        rows += made
    for detector, why in table.broken.items():
        own, made = _failed_cells(job, detector, asked, why)
        keys += own
        rows += made
    back = table if job.wanted and not unit.held else None
    known = found, tuple(prints), back, group
    return Done(unit.series, tuple(keys), tuple(rows), events.n, *known, truth=truth, lived=lived)


def _cells(
    job: Job, table: LabelledScores, labels: _SeriesWork, asked: list[AskedMetric], data: list[str]
) -> tuple[list[str], list[dict[str, Any]]]:
    """The keys of all rows of a detector, and those rows that are not known."""
    series, detector, *_ = data
    column, at, said = table.scores[detector], None, []
    if job.task.thresholds is not None:
        try:
            at = job.task.thresholds.of(detector, table, series)
            said = _said_threshold(labels.events, column, at, job.task.missing)
        except AdjudgeError as error:
            return _failed_cells(job, detector, asked, str(error))
    judged_on = f" {json.dumps([*data, *said])}".encode()
    own = {one.key(judged_on): one for one in asked}
    missing = {key: one for key, one in own.items() if key not in job.known}
    if not missing:
        return list(own), []
    return list(own), _rows(missing, Contender(labels, column, detector, at), job)


def _said_threshold(events: Events, column: Any, at: Any, missing: str) -> list[str]:
    """What a row depends on: the threshold, and which points are judged if some are tuned on."""
    ready = prepared_one(events, column, "", at, missing)
    part = [array_digest(at.on.mask(events.n))] if isinstance(at, Tuned) else []
    return [repr(ready.at), *part]


def _failed_cells(
    job: Job, detector: str, asked: list[AskedMetric], why: str
) -> tuple[list[str], list[dict[str, Any]]]:
    failed = [failed_cell(job.unit, detector, one.spec, why) for one in asked]
    return [row["key"] for row in failed], [row for row in failed if row["key"] not in job.known]


def _window(table: LabelledScores, series: str, given: Windows) -> int | None:
    """The window of a series: of its column, by its name, or what a function makes of the labels.

    Raises
    ------
    InputError
        If there is none, or several.
    """
    if table.window is not None:
        named = sorted({str(one) for one in np.asarray(table.window).tolist()})
        if len(named) > 1:
            raise InputError(f"window must be one per series, got {', '.join(named[:3])}")
        return whole(_as_number(named[0]), "window", 1)
    if given is None:
        return None
    if callable(given):
        return whole(given(table.labels), "window", 1)
    if series not in given:
        raise InputError(f"window must name every series, got none for {shown(series)}")
    return whole(given[series], "window", 1)


def _as_number(text: str) -> Any:
    """A whole number of a cell, which may be written 12.0; anything else as it is."""
    try:
        found = float(text)
    except ValueError:
        return text
    return int(found) if found.is_integer() else found


def _group(table: LabelledScores) -> str | None:
    """The data set of a series, if a column names it."""
    if table.group is None:
        return None
    names = sorted({str(name) for name in np.asarray(table.group).tolist()})
    if len(names) > 1:
        raise InputError(f"group must be one data set per series, got {', '.join(names[:3])}")
    return names[0]


def _is_empty(column: Any) -> bool:
    """Tell whether nobody gave a score."""
    scores = np.asarray(column)
    if scores.dtype.kind != "f" or (scores.size and not np.isnan(scores.flat[0])):
        return False
    return bool(np.isnan(scores).all())


def check_worker(done: Done) -> None:
    """Refuse the work of a process with other versions: it would compute something else.

    Raises
    ------
    InputError
        With both.
    """
    mine, theirs = versions(), dict(done.versions)
    if mine != theirs:
        raise InputError(
            f"workers must run the versions of this process, {mine}, got {theirs}; install these"
        )


class Contender(NamedTuple):
    """A detector on a series, and what chooses its threshold where the metrics do not."""

    series: _SeriesWork
    scores: Any
    detector: str
    at: Any


def _rows(missing: dict[str, AskedMetric], judged: Contender, job: Job) -> list[dict[str, Any]]:
    """Judge a detector by all metrics at once; if that fails, by each alone, to see which."""
    try:
        found = _judged(list(missing.values()), judged, job.task)
    except Exception as error:  # noqa: BLE001 - a metric of somebody else may raise anything
        if len(missing) == 1:
            ((key, one),) = missing.items()
            names = {"detector": judged.detector, "requested": one.spec, "metric": one.spec}
            return [{"key": key, **names, "error": in_one_line(job.unit, error)}]
        alone = ({key: one} for key, one in missing.items())
        return [row for one in alone for row in _rows(one, judged, job)]
    for (key, one), row in zip(missing.items(), found, strict=True):
        row |= {"key": key, "detector": judged.detector, "requested": one.spec}
    return found


def _judged(asked: list[AskedMetric], judged: Contender, task: Task) -> list[dict[str, Any]]:
    """Judge a detector: with the chance line, or as quickly as its values can be had."""
    events, beside = judged.series
    ready = prepared_one(events, judged.scores, judged.detector, judged.at, task.missing)
    if beside is not None:
        found = findings_of_one([one.metric for one in asked], ready, beside)
        kept = [name for name in RANKED if name != "p_adjusted"]  # which takes all series
        rows = [
            json_ready({name: _plain(name, vars(row)[name]) for name in kept})
            | {PLACES: _packed(row)}
            for row in found
        ]
    else:
        counts = CountCache()
        rows = [_plain_row(one, ready, counts) for one in asked]
    if not task.asks_for_clocks:
        return rows
    return [row | _moves(one, ready, row) for one, row in zip(asked, rows, strict=True)]


def _moves(one: AskedMetric, ready: Prepared, row: Mapping[str, Any]) -> dict[str, str]:
    """How a value moves with each event; nothing where that is not known."""
    metric, case = one.metric.with_default_threshold(ready.at).apply_policy(ready.case)
    events = case.truth
    if row["value"] is None or events.series_count > 1:
        return {}
    at = None if row["at"] is None else float(row["at"])  # infinities are text
    moved = event_moves(metric, case, at) if len(events) else np.zeros(0)
    if moved is None:
        return {}
    return {MOVES: SeriesEvents(events.starts, events.stops - 1, moved).packed()}


def _alike_together(asked: list[AskedMetric]) -> list[AskedMetric]:
    """The metrics, those that count alike one after the other: then they count once."""
    parts = [one.metric.parts[1:] for one in asked]
    return sorted(asked, key=lambda one: parts.index(one.metric.parts[1:]))


_FLOATS = {name for name, one in RANKED.items() if one.kind.startswith("float")}


def _plain(name: str, value: Any) -> Any:
    """A whole number as the float that its column holds, so that files have the same digits."""
    return float(value) if name in _FLOATS and type(value) is int else value


def _packed(row: Finding) -> list[str]:
    assert row.places is not None  # noqa: S101 - they were asked for
    return packed(row.places)


def _plain_row(one: AskedMetric, ready: Prepared, counts: CountCache) -> dict[str, Any]:
    metric = one.metric.with_default_threshold(ready.at)
    value, at, chosen_by = metric.reading(ready.case, counts)
    chosen_by = "rule" if ready.rule and metric is not one.metric else chosen_by
    return {
        "metric": one.resolved,
        "value": json_ready(value),
        "at": json_ready(at),
        "chosen_by": chosen_by,
        "width": one.width,
    }
