"""Run: from a folder of scores to a leaderboard.

Whatever is done is kept at once, so a run may be stopped at any moment and goes on when it is
called again: it does only what is missing. The tables do not depend on who did the work, in which
order, or how often it was stopped.

Read a finished ranking back from its folder, without the data it was made from.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

from adjudge.checks import DRAWS, SEEDS, boolean, front_door, function, whole, word
from adjudge.data.case import Case
from adjudge.data.time_settings import is_duration
from adjudge.errors import AdjudgeError, InputError, shown
from adjudge.io.text_files import hashing
from adjudge.judging.preparation import Tuned, default_metrics, read_metrics, read_threshold, tuned
from adjudge.measure.thresholds import Rule
from adjudge.noise.null_models import read_null
from adjudge.ranking.chance_verdicts import verdicts
from adjudge.ranking.collected import Collected
from adjudge.ranking.comparable import UNITS
from adjudge.ranking.finished import about, finish, open_folder
from adjudge.ranking.folder import AskedRows
from adjudge.ranking.leaderboard import Computed
from adjudge.ranking.result import Ranking
from adjudge.ranking.sources import Folder as Source
from adjudge.ranking.sources import (
    FolderColumns,
    InMemory,
    Unit,
    input_files,
    units_of,
    with_baselines,
)
from adjudge.ranking.values import read_resources
from adjudge.ranking.work import (
    Done,
    Held,
    Job,
    Pool,
    Task,
    Thresholds,
    check_worker,
    codes_of,
    failed_row,
    judge,
    pool,
    takes_window,
)
from adjudge.stores.cluster import dask
from adjudge.stores.engines import Engine, Lost, local
from adjudge.stores.files import checksum
from adjudge.stores.folder import Folder, Memory, changed_versions, versions, written_versions

_CHECKED = ("numpy", "scipy")
"""The library itself is not among them: a metric that changed has another revision."""
_SAMPLE = 3
"""Series whose rows are made once more with other versions of these."""

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from adjudge.metrics.metric import Metric
    from adjudge.noise.null_models import Null
    from adjudge.ranking.comparable import Unit as Evidence

    Progress = Callable[[int, int, int], None]
    Listing = Callable[[int, dict[str, str]], None]


@front_door("rank", passes_on=FolderColumns)
def rank(
    data: Any,
    metrics: str | Metric | Iterable[str | Metric] | None = None,
    *,
    at: Any = None,
    out: str | os.PathLike[str] | None = None,
    jobs: int = 1,
    scheduler: str | None = None,
    chance: bool = True,
    null: str | Null = "shifted",
    period: Any = None,
    shifts: int | None = None,
    seed: int = 0,
    retry: bool = False,
    pooled: bool | None = None,
    unit: Evidence = "auto",
    tune_by: str | Metric | None = None,
    resources: Any = None,
    baselines: bool = False,
    progress: Progress | None = None,
    listed: Listing | None = None,
    **columns: Unpack[FolderColumns],
) -> Ranking:
    """Judge many detectors on many series, and rank them.

    Parameters
    ----------
    data : benchmark, folder, files, patterns, frame or mapping, or Folder
        A benchmark in the form in which it is published (NAB, UCR and others), with the
        folder of its scores, ``<detector>/<series>.npy``. Or a folder of CSV, Parquet, npy or npz
        files, each a series with a label column and a score column per detector; files or glob
        patterns; a long table (file or data frame) with a column of series ids (``series=``); or
        series -> (labels, {detector: scores}), perhaps with a mask of the points to judge as a
        third, in a mapping or as pairs (a list, or a generator). All before the last ``/`` of a
        series' name is its group.
        Detectors called ``lof#1``, ``lof#2`` are seeds of one, ``lof``.
    metrics : spec, Metric, or several of them
        Default: those of `evaluate`, with an oracle's threshold unless `at` is given or the first
        series holds nothing but 0/1 flags.
    at : number, rule, tuned(...), or one for each detector
        The threshold for every metric that needs one and has none of its own: a number, a rule, or
        ``tuned(metric, on="0:1000")``, which is the best on these points of each series and judges
        the others. A mapping has one by detector; that of None is for all others.
    out : path, optional
        A folder for the results. A run that was stopped goes on from there, one that is finished is
        only read, another metric is computed alone, and a changed file is noticed.
    jobs : int
        Processes on this machine. More than one needs the usual ``if __name__ == "__main__":``
        around a script.
    scheduler : str, optional
        The address of a Dask scheduler, or ``"local:2"`` to start one with two processes here.
        Workers read the files themselves, so they must see them under the same absolute paths.
    chance : bool
        Hold every value against chance. False is quicker.
    null : name or null model
        What chance is; see `evaluate`.
    period : int or duration, optional
        The period of ``null="seasonal"``; see `evaluate`.
    shifts : int, optional
        How many shifts; see `evaluate`.
    seed : int
        For shifts, and for the noise among rows of reference.
    retry : bool
        Try what failed once more.
    pooled : bool, optional
        Also judge each detector on all its series at once, and thresholds on series they were not
        chosen on. Default: up to ten million scores in all; beyond, files are read again for it.
    unit : {"auto", "dataset", "series"}
        What intervals and tests of means rest on. Default: data sets if their names are known, else
        series: those of one data set are alike, and many of them are one piece of evidence.
    tune_by : spec or Metric
        With ``tune_on=``: by which metric the threshold is best on those points. Default:
        ``f1_ba``.
    resources : path, frame or mapping of columns, optional
        What detectors took: ``detector``, ``runtime`` and ``memory`` (or one of them), and
        ``series`` where they differ. Their means stand in the leaderboard.
    baselines : bool
        Also judge rows of reference: noise, periodic alarms and, where `signal` or the benchmark
        says what was measured, detectors of one line (`adjudge.ranking.baselines`). They have no
        rank and are in no test of the others; the leaderboard says who beats all of them.
    progress : callable, optional
        Called with the number of series that are done, of all, and of rows that failed.
    listed : callable, optional
        Called once before the work with the number of series that were found, and the files that
        were left out, each with the reason; `Ranking.left_out` has them too.
    **columns
        How data are read: what `adjudge.Folder` takes, which may stand in the place of data.

    Returns
    -------
    Ranking
        Leaderboard, ranks, tests, wins, agreement of the metrics.

    Raises
    ------
    InputError
        If there is no series, or the folder is in use, damaged, or somebody else's.

    Examples
    --------
    >>> labels = [0, 0, 1, 1, 0, 0, 0, 0]
    >>> good, blind = [0, 0, 1, 1, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 1]
    >>> data = {name: (labels, {"good": good, "blind": blind}) for name in ("a", "b", "c")}
    >>> rank(data, "f1_ba", chance=False)
    Ranking(2 detectors on 3 series by 1 metrics; first by f1_ba: good)
    """
    source = Source.of(data, columns)
    data, reading = source.data, source.reading(remote=scheduler is not None)
    function(progress, "progress")
    function(listed, "listed")
    jobs, seed = whole(jobs, "jobs", 1), whole(seed, "seed", 0, SEEDS)
    model = read_null(null, period)
    _check_chance(chance, null, shifts)
    _check_baselines(baselines, source.signal, sort=source.sort)
    if scheduler is not None and jobs > 1:
        raise InputError(f"jobs must be 1 with scheduler=, whose workers do it, got {jobs}")
    carried = {} if resources is None else read_resources(resources)
    _refuse_same(data, out)
    thresholds = _thresholds(at, source.train, source.tune_on, tune_by)
    with hashing() as hashes:
        units, left_out = units_of(data, reading, remote=scheduler is not None)
        units = with_baselines(units, source.signal, seed) if baselines else units
        asked = _asked(metrics, at, thresholds, units)
    _check_units_of_scores(asked, thresholds, baselines=baselines)
    word(unit, "unit", UNITS)
    codes = {} if out is None else codes_of(asked, model)
    task = Task(
        asked, boolean(chance, "chance"), shifts, seed, codes, model, source.missing,
        thresholds, None if isinstance(source.window, str) else source.window,
    )  # fmt: skip
    options = _Options(
        Collected(
            [unit.series for unit in units],
            {str(one): one.row.better for one in asked},
            spans={str(one): one.row.range for one in asked},
        ),
        retry, progress or _untold, Held(wanted=pooled is not False),
        pooled, _poolable(task, source.window), hashes,
    )  # fmt: skip
    shown = _Shown(source.min_coverage, unit, out, left_out, carried)
    folder = None if out is None else open_folder(out)
    with (
        closing(folder or Memory()) as store,
        local(jobs) if scheduler is None else dask(scheduler) as engine,
    ):
        rows = AskedRows(store)
        if folder is not None:
            _check_sample(folder, engine, rows, units, task)
        if listed is not None:
            listed(len(units), left_out)
        ranking = _ranked(engine, rows, units, task, options, shown)
        if folder is not None:
            more = {
                "rows": options.found.keys, "data": options.found.data,
                "inputs": _checksums(input_files(units, reading), hashes), "reading": reading.said,
            }  # fmt: skip
            finish(folder, ranking, task.settings | more)
    return ranking


class _Shown(NamedTuple):
    """What a ranking is told beside what was collected."""

    min_coverage: float
    unit: Evidence
    path: Any
    left_out: dict[str, str]
    carried: Mapping[str, Mapping[str, float]]


def _ranked(
    engine: Engine, rows: AskedRows, units: list[Unit], task: Task, options: _Options, shown: _Shown
) -> Ranking:
    """Do what is missing, and put everything together."""
    found, held = options.found, options.held
    _work(engine, rows, units, task, options)
    wanted = held.wanted if options.pooled is None else options.pooled
    together = _pool(engine, units, task, options) if wanted and options.poolable else {}
    tested = verdicts(found, rows.of) if task.chance else {}
    said = {"min_coverage": shown.min_coverage, "unit": shown.unit, "data": found.data}
    return Ranking(
        found, rows.of, Computed(together, tested, shown.carried),
        min_coverage=shown.min_coverage, unit=shown.unit, path=shown.path, left_out=shown.left_out,
        about=about({"versions": written_versions(), **task.settings, **said}),
    )  # fmt: skip


def _check_chance(chance: object, null: object, shifts: object) -> None:
    """Refuse what has no effect without the chance line."""
    if shifts is not None:
        whole(shifts, "shifts", 1, DRAWS)
        if chance is False:
            raise InputError(f"shifts must be None with chance=False, got {shifts!r}")
    if null != "shifted" and chance is False:
        raise InputError(f"null must be 'shifted' with chance=False, got {shown(null)}")


def _check_baselines(baselines: object, signal: object, *, sort: bool) -> None:
    """Refuse what has no effect without rows of reference, or would be out of step with them."""
    boolean(baselines, "baselines")
    if signal is not None and not isinstance(signal, str):
        raise InputError(f"signal must be the name of a column, got {shown(signal)}")
    if signal is not None and not baselines:
        raise InputError(f"signal has no effect without baselines=True, got {shown(signal)}")
    if baselines and sort:
        raise InputError("sort has no effect on baselines, which need rows in the order of time")


def _check_units_of_scores(
    asked: tuple[Metric, ...], thresholds: Thresholds | None, *, baselines: bool
) -> None:
    """Refuse one number as the threshold of scores that have units of their own."""
    named = {} if thresholds is None else thresholds.named
    numbers = [one.at for one in asked if isinstance(one.at, float | int)]
    numbers += [one for one in [named.get(None)] if isinstance(one, float | int)]
    if baselines and numbers:
        raise InputError(
            f"at must be a rule with baselines, whose scores have units of their own, got "
            f"{numbers[0]}; say at='quantile(0.99)', or a metric inside best(...)"
        )


def _thresholds(at: Any, train: Any, tune_on: str | None, tune_by: Any) -> Thresholds | None:
    """Read thresholds that differ by detector or series; None: one rule, or number, for all."""
    if tune_on is not None:
        if at is not None or train is not None:
            raise InputError("tune_on chooses the threshold: leave out at and train")
        return Thresholds({}, tune_by=str(tuned(tune_by or "f1_ba", on="0:1").metric))
    if tune_by is not None:
        raise InputError(f"tune_by must come with tune_on=, got {shown(tune_by)} alone")
    if isinstance(at, Mapping):
        named = {name if name is None else str(name): read_threshold(at[name]) for name in at}
    else:
        named = {None: read_threshold(at)}
    if train is not None and not any(isinstance(one, Rule) for one in named.values()):
        got = ", ".join(map(str, named.values())) if at is not None else "none"
        raise InputError(f"train needs a rule to learn, such as at='quantile(0.99)', got {got}")
    if train is None:
        special = isinstance(at, Mapping) or isinstance(named[None], Tuned)
        return Thresholds(named) if special else None
    if isinstance(train, Mapping):
        lengths = {str(name): whole(train[name], "train", 1) for name in train}
        return Thresholds(named, lengths)
    return Thresholds(named, train=True if isinstance(train, str) else whole(train, "train", 1))


def _poolable(task: Task, window: object) -> tuple[Metric, ...]:
    """The metrics that mean the same on all series at once: with one threshold and one window."""
    chosen = task.thresholds
    if chosen is not None and (
        chosen.tune_by or any(isinstance(one, Tuned) for one in chosen.named.values())
    ):
        return ()
    return tuple(
        metric
        for metric in task.metrics
        if not (chosen is not None and metric.needs_threshold)
        and not (window is not None and takes_window(metric))
    )


def _refuse_same(data: Any, out: Any) -> None:
    """Refuse to write among the series: the tables would be series the next time."""
    given = [data] if isinstance(data, (str, os.PathLike)) else data
    if not isinstance(given, (list, tuple)) or not isinstance(out, (str, os.PathLike)):
        return
    for path in given:
        if isinstance(path, (str, os.PathLike)) and os.path.realpath(path) == os.path.realpath(out):
            raise InputError(f"out must be another folder than data, got {os.fspath(out)!r}")


class _Options(NamedTuple):
    found: Collected
    retry: bool
    progress: Progress
    held: Held
    pooled: bool | None
    poolable: tuple[Metric, ...]
    hashes: dict[str, str]
    """The SHA-256 of the files that were read, by their paths."""


def _in_points(metric: Metric) -> Metric:
    """Refuse durations: what is ranked is points, for the series of a benchmark have no clock."""
    for name, kind in metric.row.lengths.items():
        value = dict(metric.settings).get(name)
        if is_duration(value) and value not in kind.words:
            raise InputError(f"{name} must be a number of points in a ranking, got {value!r}")
    return metric


def _asked(
    metrics: Any, at: Any, thresholds: Thresholds | None, units: list[Unit]
) -> tuple[Metric, ...]:
    """Read the metrics, each with its threshold; one and the same set for every detector."""
    at = at if thresholds is None else None  # else each detector has its own
    if metrics is None:
        known = at is not None or thresholds is not None or _are_flags(units)
        chosen = default_metrics("known" if known else "oracle")
    else:
        given, every = read_metrics(metrics)
        if every:
            raise InputError("metrics must be named one by one in a ranking, got 'all'")
        chosen = [_in_points(one) for one in given]
    return tuple({str(one): one for one in (metric.placed(at) for metric in chosen)}.values())


def _are_flags(units: list[Unit]) -> bool:
    """Tell whether the first series holds nothing but 0/1 flags; what was read of it is kept."""
    first = units[0]
    try:
        table = first.source.read()
        units[0] = replace(first, source=InMemory(table, first.source.path))
        cases = [Case(table.labels, column, where=table.where) for column in table.scores.values()]
    except AdjudgeError:  # it will be told when its turn comes
        return False
    return all(case.is_flags for case in cases)


def _work(
    engine: Engine, rows: AskedRows, units: list[Unit], task: Task, options: _Options
) -> None:
    """Judge every unit as far as it is not known, those of one file one after the other."""
    done = failures = 0
    places = {unit.series: place for place, unit in enumerate(units)}
    options.progress(0, len(units), 0)
    jobs = (
        Job(unit, task, rows.known(unit.series, retry=options.retry), options.held.wanted)
        for unit in sorted(units, key=lambda unit: unit.source.path)
    )
    with closing(engine.do(judge, jobs)) as results:
        for job, result in results:
            finished = _lost(job, result) if isinstance(result, Lost) else result
            check_worker(finished)
            place = places[finished.series]
            options.found.add(place, rows.add(finished.series, finished.keys, finished.rows))
            options.found.note(place, finished.prints)
            options.hashes.update(finished.files)
            if finished.group is not None:
                options.found.groups[place] = finished.group
            done += 1
            failures += sum(1 for row in finished.rows if row.get("error"))
            scores = finished.points * len(finished.keys) // len(task.metrics)
            options.held.add(finished, scores)
            options.progress(done, len(units), failures)


def _lost(job: Job, why: Lost) -> Done:
    row = failed_row(job.unit, str(why))
    return Done(job.unit.series, (row["key"],), (row,), 0, tuple(versions().items()))


def _pool(
    engine: Engine, units: list[Unit], task: Task, options: _Options
) -> dict[tuple[str, str], dict[str, float | None]]:
    """Judge each detector on all its series at once."""
    found, held = options.found, options.held
    jobs = (
        Pool(
            tuple(batch), tuple(_judged(found, units, batch, held)), options.poolable, task.missing
        )
        for batch in held.batches(found.detectors)
    )
    with closing(engine.do(pool, jobs)) as results:
        rows = [row for _, some in results if not isinstance(some, Lost) for row in some]
    return {(row["detector"], row["asked"]): row for row in rows}


def _judged(
    found: Collected, units: list[Unit], detectors: list[str], held: Held
) -> Iterator[tuple[Unit, dict[str, int]]]:
    """The series that some detectors were judged on, each with the fingerprints."""
    seen: dict[int, dict[str, int]] = {}
    for detector in detectors:
        for place in found.series_of(detector):
            seen.setdefault(place, {})[detector] = int(found.prints[detector][place])
    for place in sorted(seen):
        yield held.unit(units[place], seen[place]), seen[place]


def _check_sample(
    folder: Folder, engine: Engine, rows: AskedRows, units: list[Unit], task: Task
) -> None:
    """See whether other versions of NumPy or SciPy make the same rows, and forget all if not."""
    changed = changed_versions(folder.said["versions"], _CHECKED)
    known = [unit for unit in units if rows.known(unit.series, retry=True)] if changed else []
    compared: list[list[bool]] = []
    jobs = (Job(unit, task, frozenset()) for unit in known)
    with closing(engine.do(judge, jobs)) as results:
        for job, done in results:
            found = [] if isinstance(done, Lost) else rows.differing(job.unit.series, done.rows)
            compared += [found] * bool(found)
            if len(compared) == _SAMPLE:
                break
    if not compared:
        return
    made = f"{sum(map(len, compared))} rows made once more"
    if any(map(any, compared)):
        folder.forget_rows()
        then = f"some of {made} differ, so all are made anew"
    else:
        then = f"{made} are the same, so the others are kept"
    warnings.warn(f"out was begun with other versions, got {changed}; {then}", stacklevel=3)


def _checksums(files: list[Path], known: Mapping[str, str]) -> dict[str, str]:
    """The SHA-256 of files, by their names from the folder on that all lie in.

    Of most it is known since they were judged; of a benchmark there may be others beside them.
    """
    folders = [file.absolute().parent.parts for file in files]
    above = len(os.path.commonprefix(folders))  # noqa: RUF071 - of their names, not of letters
    found = {}
    for file in files:
        with suppress(OSError):  # a series that could not be read has failed already
            own = known.get(str(file.absolute())) or checksum(file)
            found["/".join(file.absolute().parts[above:])] = own
    return found


def _untold(done: int, total: int, failures: int) -> None:
    """Tell nobody."""
