"""Work: one series with all its detectors in, one row per detector and metric out.

A row is keyed by a hash of all that its value depends on: labels, scores, the metric with every
setting resolved, the options, the revisions of metric and chance line, and the code of a metric
that is not ours. So a row that is there already is not made again, and one whose data or definition
has changed is.

Pooled: all series of a detector as one, and a threshold that it brings from elsewhere.

The pooled value is that of one call with ``series=``: masses are summed over the series before a
ratio is taken, so long series and those with many events weigh more. It needs all scores of a
detector at once.

An oracle's threshold, ``best(...)``, is chosen on the very labels that judge it. What a threshold
is worth that was found elsewhere is measured in two halves: the best threshold of every other
series, taken together, judges the rest, and the other way round. The gap between the two is
what the oracle gave away. Both are means over the same series: those on which the oracle has a
value, so most metrics leave series without events out. Scores may have other units on each series,
where no threshold can be brought along; so the gap is taken at the share of the points that is
flagged, which has no unit (``transferred_share``), and ``transferred`` stands beside it.
"""

from __future__ import annotations

import json
import math
import warnings
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from hashlib import sha256
from secrets import token_hex
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.checks import whole
from adjudge.count.cache import LastCount
from adjudge.data.case import Case
from adjudge.data.events import Events
from adjudge.data.intervals import repeat
from adjudge.errors import AdjudgeError, InputError, shown, visible
from adjudge.io.text_files import hashing
from adjudge.judging.judge.judge import findings_of_one
from adjudge.judging.judge.prepared import Prepared, prepared_one
from adjudge.judging.judge.tuning import Tuned, tuned
from adjudge.judging.result_columns import RANKED, Finding
from adjudge.measure.thresholds.contract import Rule
from adjudge.measure.thresholds.policy import foreign_code
from adjudge.metrics.code_digest import NoDigest, code_digest, digest_of
from adjudge.metrics.reader import is_own
from adjudge.noise.ask import Ask
from adjudge.noise.chance_line import CHANCE_REVISION
from adjudge.noise.intervals.event_moves import event_moves
from adjudge.noise.null_models import Null, NullModel, ShiftedNull
from adjudge.noise.pooled_p import PLACES as MOST_PLACES
from adjudge.ranking.chance_verdicts import PLACES, packed
from adjudge.ranking.clocks import Lived
from adjudge.ranking.collected import PREFIX, SEED
from adjudge.ranking.panels import MOVES, SeriesEvents
from adjudge.ranking.sources import NotSeen, Unit
from adjudge.stores.folder import versions
from adjudge.tables.result_fields import json_ready

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from adjudge.io.labels_and_scores import LabelledScores
    from adjudge.metrics.metric import Metric

    Windows = Callable[[Any], int] | Mapping[str, int] | None


@dataclass(frozen=True)
class Thresholds:
    """Thresholds that are not the same for all: by detector, or learnt on a part of each series."""

    named: Mapping[str | None, float | Rule | Tuned | None]
    """By detector; that of None is for all others."""
    train: bool | int | Mapping[str, int] = False
    """Whether rules learn on the training part of a series; its length, of all or by series."""
    tune_by: str = ""
    """The metric that thresholds are the best by, on the rows that a column names."""

    def of(self, detector: str, table: LabelledScores, series: str) -> Any:
        """What chooses the threshold of a detector on a series."""
        if self.tune_by:
            return tuned(self.tune_by, on=table.tune_on)
        chosen = self._of_detector(detector)
        if self.train is False:
            return chosen
        return replace(chosen, on=self._part(table, series)) if isinstance(chosen, Rule) else chosen

    def _of_detector(self, detector: str) -> Any:
        run = SEED.fullmatch(detector)
        names = (detector, *((run[1],) if run else ()))
        for name in (*names, *(one.removeprefix(PREFIX) for one in names), None):
            if name in self.named:
                return self.named[name]
        raise InputError(f"at must name every detector, got none for {shown(detector)}")

    def _part(self, table: LabelledScores, series: str) -> Any:
        if isinstance(self.train, bool):
            if table.train is None:
                raise InputError("train must be known of every series, got none for this one")
            return table.train
        if isinstance(self.train, int):
            return f"0:{self.train}"
        if series not in self.train:
            raise InputError(f"train must name every series, got none for {shown(series)}")
        return f"0:{self.train[series]}"

    def __str__(self) -> str:
        """Say how thresholds are chosen, in a few words."""
        if self.tune_by:
            return f"best by {self.tune_by} on the points to tune on, which are not judged"
        parts = [f"{visible(name)} {value}" for name, value in self.named.items() if name]
        rest = [str(self.named[None])] if None in self.named else []
        parts += [f"others {one}" if parts else one for one in rest]
        return ", ".join(parts) + ("" if self.train is False else "; learnt on the training part")


@dataclass(frozen=True)
class Task:
    """What is asked of every detector."""

    metrics: tuple[Metric, ...]
    """With their thresholds."""
    chance: bool
    shifts: int | None
    seed: int
    codes: Mapping[str, str] = field(default_factory=dict)
    """The digests of what is not ours, by the specs of metrics: see `codes_of`."""
    null: Null = field(default_factory=ShiftedNull)
    missing: str = "refuse"
    """What to do about points without a score: "refuse" the detector there, or "skip" them."""
    thresholds: Thresholds | None = None
    """Where the metrics have not one threshold, or rule, for all."""
    window: Windows = None
    """What gives the window of each series, unless a column does."""
    clock: str = "auto"
    """Which series of a data set live through the same time."""

    @property
    def asks_for_clocks(self) -> bool:
        """Whether series may share a clock: if nobody says so, that is looked at beside chance."""
        return self.clock == "shared" or (self.clock == "auto" and self.chance)

    @property
    def beside(self) -> Ask | None:
        """What stands beside each value of one series; None: nothing."""
        if not self.chance:
            return None
        places = self.shifts or MOST_PLACES
        return Ask(self.null, self.shifts, self.seed, places=places)

    @property
    def settings(self) -> dict[str, Any]:
        """What a manifest says of it."""
        found = {
            "chance": self.chance, "chance_revision": CHANCE_REVISION, "null": self.null.name,
            "shifts": self.shifts, "seed": self.seed, "missing": self.missing, "clock": self.clock,
        }  # fmt: skip
        return found | ({} if self.thresholds is None else {"thresholds": str(self.thresholds)})

    def said_of(self, spec: str, resolved: str, revision: int) -> str:
        """What a row of a metric depends on beside the data."""
        chance = [self.shifts, self.seed, CHANCE_REVISION, PLACES, *self._of_null]
        chance = chance if self.chance else []
        code = [self.codes[spec]] if spec in self.codes else []
        skip = [self.missing] * (self.missing != "refuse")  # of the default nothing: old folders
        moves = [MOVES] * self.asks_for_clocks
        return json.dumps([spec, resolved, revision, *chance, *code, *skip, *moves])

    @property
    def _of_null(self) -> list[str | None]:
        """What a row says of the null model; of the default nothing, as in old folders."""
        if isinstance(self.null, ShiftedNull):
            return []
        return [self.null.name, self.codes.get(_null_key(self.null))]


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
    lived: Lived | None = None
    """When the series was and what happened then, where that says who shares a clock."""


class AskedMetric(NamedTuple):
    """A metric, and what is the same for all detectors of a series."""

    metric: Metric
    spec: str
    resolved: str
    width: int | None
    requested: Any
    """A hash that has begun by all that a row depends on beside the data."""

    def key(self, data: bytes) -> str:
        """The key of a row, by what it is judged on."""
        whole = self.requested.copy()
        whole.update(data)
        return str(whole.hexdigest()[:32])

    @classmethod
    def of(
        cls, metric: Metric, events: Events, task: Task, window: int | None = None
    ) -> AskedMetric:
        """Resolve a metric once per series, with the window of that series if it takes one."""
        own = metric
        if window is not None and takes_window(metric):
            own = metric.with_settings(window=window)
        settled, spec = own.resolved(events), str(metric)
        resolved, width = settled.spec(own.row.always_shown), settled.parts.adjust.island_width
        said = sha256(task.said_of(spec, resolved, own.revision).encode())
        return cls(own, spec, resolved, width, said)


def takes_window(metric: Metric) -> bool:
    """Tell whether a metric has a window, and does not say which."""
    return "window" in metric.row.lengths and "window" not in dict(metric.settings)


class _SeriesWork(NamedTuple):
    """The labels, and what stands beside values: the detectors of a series share what they can."""

    events: Events
    beside: Ask | None


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
    truth, series = _truth(table), _SeriesWork(events, job.task.beside)
    keys: list[str] = []
    rows: list[dict[str, Any]] = []
    prints: list[tuple[str, int]] = []
    for detector in sorted(table.scores):
        column = table.scores[detector]
        if _is_empty(column):  # a table of all series has a column of everybody on each
            prints.append((detector, 0))
            continue
        scores = _digest(column)
        prints.append((detector, _print(truth, scores)))
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
    return Done(unit.series, tuple(keys), tuple(rows), events.n, *known, lived=lived)


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
    part = [_digest(at.on.mask(events.n))] if isinstance(at, Tuned) else []
    return [repr(ready.at), *part]


def _failed_cells(
    job: Job, detector: str, asked: list[AskedMetric], why: str
) -> tuple[list[str], list[dict[str, Any]]]:
    failed = [_failed_cell(job.unit, detector, one.spec, why) for one in asked]
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


def _truth(table: LabelledScores) -> str:
    return _digest(table.labels, table.where, table.series)


def _print(truth: str, scores: str) -> int:
    return int(sha256(f"{truth} {scores}".encode()).hexdigest()[:16], 16)


def codes_of(metrics: Iterable[Metric], null: Null) -> dict[str, str]:
    """The digest of the code of each metric that is not ours, or whose threshold rule is not.

    And that of the null model, if it is not ours.

    Where there is none, chance takes its place: what is stored is then never taken for the value
    of this code, and the caller is told.
    """
    digests = {
        str(one): partial(code_digest, one.row, foreign_code(one.at))
        for one in metrics
        if foreign_code(one.at) is not None or not is_own(one.row)
    }
    if type(null).__module__ != NullModel.__module__:
        digests[_null_key(null)] = partial(digest_of, null)
    found = {}
    for name, digest in digests.items():
        try:
            found[name] = digest()
        except NoDigest as error:
            found[name] = token_hex(16)
            warnings.warn(
                f"{name} is judged anew in every run, since nobody can tell whether its code has "
                f"changed: {error}",
                stacklevel=3,
            )
    return found


def _null_key(null: Null) -> str:
    return f"null model {null.name!r}"


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
            f"workers must have the versions of this process, {mine}, got {theirs}; install these"
        )


def failed_row(unit: Unit, error: object) -> dict[str, Any]:
    """Write down that a whole unit failed."""
    said = _said(unit, error)
    key = sha256(json.dumps([unit.series, said]).encode()).hexdigest()[:32]
    return {"key": key, "detector": "", "requested": "", "metric": "", "error": said}


def _failed_cell(unit: Unit, detector: str, spec: str, why: str) -> dict[str, Any]:
    """Write down that the scores of one detector cannot be read."""
    error = _said(unit, why)
    key = sha256(json.dumps([unit.series, detector, spec, error]).encode()).hexdigest()[:32]
    return {"key": key, "detector": detector, "requested": spec, "metric": spec, "error": error}


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
            return [{"key": key, **names, "error": _said(job.unit, error)}]
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
            json_ready({name: vars(row)[name] for name in kept}) | {PLACES: _packed(row)}
            for row in found
        ]
    else:
        counts = LastCount()
        rows = [_plain_row(one, ready, counts) for one in asked]
    if not task.asks_for_clocks:
        return rows
    return [row | _moves(one, ready, row) for one, row in zip(asked, rows, strict=True)]


def _moves(one: AskedMetric, ready: Prepared, row: Mapping[str, Any]) -> dict[str, str]:
    """How a value moves with each event; nothing where that is not known."""
    metric, case = one.metric.placed(ready.at).settled(ready.case)
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


def _packed(row: Finding) -> list[str]:
    assert row.places is not None  # noqa: S101 - they were asked for
    return packed(row.places)


def _plain_row(one: AskedMetric, ready: Prepared, counts: LastCount) -> dict[str, Any]:
    metric = one.metric.placed(ready.at)
    value, at, chosen_by = metric.reading(ready.case, counts)
    chosen_by = "rule" if ready.rule and metric is not one.metric else chosen_by
    return {
        "metric": one.resolved,
        "value": json_ready(value),
        "at": json_ready(at),
        "chosen_by": chosen_by,
        "width": one.width,
    }


def _digest(*arrays: Any) -> str:
    """Hash arrays with their types; text by its letters."""
    digest = sha256()
    for given in arrays:
        array = np.asarray(given)
        plain = array if array.dtype.kind != "O" else array.astype(str)
        digest.update(f"{plain.dtype.str} {plain.shape} ".encode())
        digest.update(np.ascontiguousarray(plain).view(np.uint8).data if plain.ndim else b"")
    return digest.hexdigest()


def _said(unit: Unit, error: object) -> str:
    """Put an error in one line, without where the file lies, unless that is what is wrong."""
    text = (
        str(error) if isinstance(error, (AdjudgeError, str)) else f"{type(error).__name__}: {error}"
    )
    return visible(text if isinstance(error, NotSeen) else unit.without_roots(text))


MOST_SCORES = 10_000_000
"""Scores of all detectors together, up to which pooled values are computed without being asked."""
_LITTLE = 1_000_000  # points of all series of a detector, up to which they are held in every form


class Held:
    """What was read, as long as it is little, so that the pooled values need not read it again."""

    def __init__(self, *, wanted: bool) -> None:
        self.wanted, self.scores = wanted, 0
        self._tables: dict[str, LabelledScores] = {}

    def add(self, done: Done, scores: int) -> None:
        """Hold what was read for a job, unless all of it together is too much."""
        self.scores += scores
        if self.scores > MOST_SCORES:
            self.wanted = False
            self._tables.clear()
        elif done.table is not None:
            self._tables[done.series] = done.table

    def unit(self, unit: Unit, detectors: Iterable[str]) -> Unit:
        """The unit, with just the scores of some detectors if it is held."""
        table = unit.read() if unit.held else self._tables.get(unit.series)
        return unit if table is None else unit.holding(_only(table, detectors))

    def batches(self, detectors: list[str]) -> Iterator[list[str]]:
        """Detectors to pool at once: one by one if all is held, else as many as are little."""
        size = 1 if self.wanted else max(1, len(detectors) * MOST_SCORES // max(1, self.scores))
        for start in range(0, len(detectors), size):
            yield detectors[start : start + size]


def _only(table: LabelledScores, detectors: Iterable[str]) -> LabelledScores:
    scores = {name: table.scores[name] for name in detectors if name in table.scores}
    return replace(table, scores=scores)


@dataclass(frozen=True)
class Pool:
    """Some detectors, the series that have them, and the metrics asked for."""

    detectors: tuple[str, ...]
    judged: tuple[tuple[Unit, dict[str, int]], ...]
    """Each series, and the fingerprints of what was judged there, by detector."""
    metrics: tuple[Metric, ...]
    missing: str = "refuse"


def pool(job: Pool) -> list[dict[str, Any]]:
    """Judge each detector on all its series at once, by each metric."""
    tables = [_unchanged(unit, seen) for unit, seen in job.judged]
    rows = []
    for detector in job.detectors:
        own = _OnSeries([t for t in tables if detector in t.scores], detector, job.missing)
        own.keep_what_can_be_judged()
        for metric in job.metrics:
            names = {"detector": detector, "requested": str(metric)}
            rows.append({**names, **_judged_series(metric, own)})
    return rows


def _unchanged(unit: Unit, seen: dict[str, int]) -> LabelledScores:
    """Read some detectors' scores again, as they were when they were judged.

    Raises
    ------
    InputError
        If they have changed: one line would hold means of the old and a pooled value of the new.
    """
    table = _only(unit.read(), seen)
    truth = _truth(table)
    for detector, known in seen.items():
        if detector not in table.scores or _print(truth, _digest(table.scores[detector])) != known:
            raise InputError(
                f"data must stay as it is while a ranking runs, got another {shown(unit.series)} "
                f"for the pooled value of {shown(detector)} than was judged before; run it again"
            )
    return table


class _OnSeries:
    """A detector on its series: what it is judged on is put together once for all metrics.

    Parameters
    ----------
    tables : list of LabelledScores
        Its series.
    detector, missing : str
        Its name, and what is done where scores are missing.
    """

    def __init__(self, tables: list[LabelledScores], detector: str, missing: str) -> None:
        self.tables, self._detector, self._missing = tables, detector, missing
        self._made: dict[tuple[int, int], Case | None] = {}

    def keep_what_can_be_judged(self) -> None:
        """Leave the other series out."""
        kept = [self.alone(place) is not None for place in range(len(self.tables))]
        if not all(kept):
            self.tables = [one for one, keep in zip(self.tables, kept, strict=True) if keep]
            self._made.clear()

    @property
    def together(self) -> Case | None:
        """All series as one case; None where that fails, here and below."""
        return self._case(0, 1)

    def half(self, which: int) -> Case | None:
        """Every second series."""
        return self._case(which, 2)

    def alone(self, place: int) -> Case | None:
        """One series."""
        return self._case(place, max(2, len(self.tables)))

    @cached_property
    def as_shares(self) -> _OnSeries:
        """The same with the share of points that score no more in the place of each score.

        On that scale a threshold says how many points to flag, whatever units the scores have.
        """
        tables = [_as_shares(table, self._detector) for table in self.tables]
        return _OnSeries(tables, self._detector, self._missing)

    def _case(self, first: int, step: int) -> Case | None:
        if (first, step) in self._made:
            return self._made[first, step]
        case = _case(self.tables[first::step], self._detector, self._missing)
        if sum(len(table.labels) for table in self.tables) <= _LITTLE:
            self._made[first, step] = case
        return case


def _judged_series(metric: Metric, own: _OnSeries) -> dict[str, float | None]:
    """The values; NaN is undefined, and None could not be computed."""
    found = {"pooled": _value(metric, own.together)}
    if metric.oracle and len(own.tables) > 1:
        bare = replace(metric, oracle=False)
        found["transferred"] = _transferred(bare, own)
        found["transferred_share"] = _transferred(bare, own.as_shares)
    return found


def _as_shares(table: LabelledScores, detector: str) -> LabelledScores:
    scores = np.asarray(table.scores[detector], np.float64)
    there = ~np.isnan(scores)
    known = np.sort(scores[there])
    shares = np.full(len(scores), np.nan)
    shares[there] = np.searchsorted(known, scores[there], side="right") / len(known)
    return replace(table, scores={detector: shares})


def _value(metric: Metric, case: Case | None) -> float | None:
    try:
        return None if case is None else metric.reading(case).value
    except AdjudgeError:  # such as one value per threshold, and no threshold
        return None


def _case(tables: list[LabelledScores], detector: str, missing: str) -> Case | None:
    """Put series one after the other, as one call with ``series=`` has them; None: it fails."""
    if not tables:
        return None
    sizes = [len(table.labels) for table in tables]
    masked = any(table.where is not None for table in tables)
    where = [np.ones(len(t.labels), bool) if t.where is None else t.where for t in tables]
    try:
        return Case(
            np.concatenate([table.labels for table in tables]),
            np.concatenate([table.scores[detector] for table in tables]),
            series=repeat(np.arange(len(tables)), sizes),
            where=np.concatenate(where) if masked else None,
            missing=missing,
        )
    except AdjudgeError:  # so it did by itself
        return None


def _transferred(metric: Metric, own: _OnSeries) -> float | None:
    """The mean over series at the threshold of the other half."""
    oracle, values = replace(metric, oracle=True), []
    for half in (0, 1):
        at = _best_threshold(oracle, own.half(half))
        if at is None:
            return None
        cases = (own.alone(place) for place in range(1 - half, len(own.tables), 2))
        judged = [case for case in cases if case is not None and _has_best(oracle, case)]
        values += [_value(metric.with_settings(at=at), case) for case in judged]
    defined = [value for value in values if value is not None and not math.isnan(value)]
    return float(np.mean(defined)) if defined else math.nan


def _best_threshold(oracle: Metric, case: Case | None) -> float | None:
    try:
        return None if case is None else oracle.reading(case).at
    except AdjudgeError:  # series that only fail together
        return None


def _has_best(oracle: Metric, case: Case) -> bool:
    """Say whether the oracle has a value; with events it has one."""
    value = None if len(case.events) else _value(oracle, case)
    return value is None or not math.isnan(value)
