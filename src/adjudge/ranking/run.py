"""Run: from a folder of scores to a leaderboard.

Whatever is done is kept at once, so a run may be stopped at any moment and goes on when it is
called again: it does only what is missing. The tables do not depend on who did the work, in which
order, or how often it was stopped.

Read a finished ranking back from its folder, without the data it was made from.
"""

from __future__ import annotations

import os
import warnings
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from adjudge.checks import SEEDS, boolean, function, suggest_keywords, whole, word
from adjudge.data.shared_clock import RULES
from adjudge.errors import InputError
from adjudge.io.text_files import hashing
from adjudge.noise.null_models import Null, read_null
from adjudge.ranking.asking import (
    asked_metrics,
    check_baselines,
    check_chance,
    check_units_of_scores,
    poolable,
    thresholds_of,
)
from adjudge.ranking.cells import Done, Job, check_worker, judge, judge_all
from adjudge.ranking.chance_verdicts import Verdicts
from adjudge.ranking.collected import Collected
from adjudge.ranking.comparable import UNITS
from adjudge.ranking.finished import finish, open_folder, ranking_of
from adjudge.ranking.folder import AskedRows
from adjudge.ranking.keys import failed_row
from adjudge.ranking.leaderboard import Computed
from adjudge.ranking.sources import Folder as Source
from adjudge.ranking.sources import (
    FolderColumns,
    Unit,
    input_files,
    units_of,
    with_baselines,
)
from adjudge.ranking.task import Task, codes_of
from adjudge.ranking.together import Held, Pool, pool
from adjudge.ranking.values import read_resources
from adjudge.stores.cluster import dask
from adjudge.stores.engines import Engine, Lost, local
from adjudge.stores.files import checksum
from adjudge.stores.folder import FolderStore, Memory, changed_versions, versions
from adjudge.tables.progress import reporter

_CHECKED = ("numpy", "scipy")
"""The library itself is not among them: a metric that changed has another revision."""
_SAMPLE = 3
"""Series whose rows are made once more with other versions of these."""

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
    from pathlib import Path

    from adjudge.metrics.metric import Metric
    from adjudge.noise.pooled_p import Pooled
    from adjudge.ranking.comparable import Unit as Evidence
    from adjudge.ranking.result import Ranking

    Progress = Callable[[int, int, int, int, float], None]
    Listing = Callable[[str], None]


@suggest_keywords("rank", passes_on=FolderColumns)
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
    clock: str = "auto",
    tune_by: str | Metric | None = None,
    resources: Any = None,
    baselines: bool = False,
    progress: Progress | bool | None = None,
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
        A folder for the results. An interrupted run resumes from there, a finished one is only
        read, a new metric is computed on its own, and changed files are detected.
    jobs : int
        Processes on this machine. More than one needs the usual ``if __name__ == "__main__":``
        around a script.
    scheduler : str, optional
        The address of a Dask scheduler, or ``"local:2"`` to start one with two processes here.
        Workers read the files themselves, so they must see them under the same absolute paths.
    chance : bool
        Compare every value with chance. False is faster.
    null : name or null model
        How chance is simulated; see `evaluate`.
    period : int or duration, optional
        The period of ``null="seasonal"``; see `evaluate`.
    shifts : int, optional
        How many shifts; see `evaluate`.
    seed : int
        For shifts, and for the noise among rows of reference.
    retry : bool
        Retry what failed.
    pooled : bool, optional
        Also judge each detector on all its series at once, and thresholds on series they were not
        chosen on. Default: up to ten million scores in all; beyond, files are read again for it.
    unit : {"auto", "dataset", "series"}
        What intervals and tests of means rest on. Default: data sets if their names are known, else
        series: those of one data set are alike, and many of them are one piece of evidence.
    clock : {"auto", "shared", "own"}
        Which series of a data set share a clock: all, none, or those detected to (see
        `adjudge.Points`; without chance there is no detection). A p-value over all series shifts
        their alarms together; means and their differences are clustered both ways, by series and
        by episodes of that clock.
    tune_by : spec or Metric
        With ``tune_on=``: the metric that the threshold maximises on those points. Default:
        ``f1_ba``.
    resources : path, frame or mapping of columns, optional
        What detectors took: ``detector``, ``runtime`` and ``memory`` (or one of them), and
        ``series`` where they differ. The leaderboard shows their means.
    baselines : bool
        Also judge rows of reference: noise, periodic alarms and, where `signal` or the benchmark
        says what was measured, detectors of one line (`adjudge.ranking.baselines`). They have no
        rank and enter no test of the others; the leaderboard says who beats all of them.
    progress : callable or True, optional
        True: a bar, on a terminal or in a notebook. A function is
        called with the number of series that are done, of all, of cells (a detector on a series by
        a metric) that this run judged, of rows that failed, and with the share of the work that is
        done: long series weigh more.
    listed : callable, optional
        Called once before the work with a sentence: how many series were found, how file names were
        read, and which files were left out, with the reason; `Ranking.left_out` has all of these.
    **columns
        How data are read: the arguments of `adjudge.Folder`, which may replace data.

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
    progress, listed = _told(progress), function(listed, "listed")
    jobs, seed = whole(jobs, "jobs", 1), whole(seed, "seed", 0, SEEDS)
    model = read_null(null, period)
    check_chance(chance, null, shifts)
    check_baselines(baselines, source.signal, sort=source.sort)
    if scheduler is not None and jobs > 1:
        raise InputError(f"jobs must be 1 with scheduler=, whose workers do the work, got {jobs}")
    carried = {} if resources is None else read_resources(resources)
    _refuse_same(data, out)
    thresholds = thresholds_of(at, source.train, source.tune_on, tune_by)
    with hashing() as hashes:
        series = units_of(data, reading, remote=scheduler is not None)
        units, left_out = series.units, series.left_out
        units = with_baselines(units, source.signal, seed) if baselines else units
        asked = asked_metrics(metrics, at, thresholds, units)
    check_units_of_scores(asked, thresholds, baselines=baselines)
    word(unit, "unit", UNITS)
    codes = {} if out is None else codes_of(asked, model)
    task = Task(
        asked, boolean(chance, "chance"), shifts, seed, codes, model, source.missing,
        thresholds, None if isinstance(source.window, str) else source.window,
        word(clock, "clock", RULES),
    )  # fmt: skip
    folder = None if out is None else open_folder(out)
    with (
        closing(folder or Memory()) as store,
        local(jobs) if scheduler is None else dask(scheduler) as engine,
    ):
        held = Held(wanted=pooled is not False)
        run = _Run(engine, AskedRows(store), units, task, progress, held, hashes)
        if folder is not None:
            run.check_sample(folder)
        listed(series.summary)
        run.judge_all(retry=retry)
        together = held.wanted if pooled is None else pooled
        of_all = run.pooled(poolable(task, source.window) if together else ())
        clocks = run.found.take_clocks(clock)
        tested = run.verdicts(clocks) if task.chance else {}
        ranking = ranking_of(
            run.found, run.rows.of, Computed(of_all, tested, carried),
            task.settings | {"data": run.found.data}, min_coverage=source.min_coverage, unit=unit,
            path=out, left_out=left_out,
        )  # fmt: skip
        if folder is not None:
            more = {
                "rows": run.found.keys, "data": run.found.data,
                "inputs": _checksums(input_files(units, reading), hashes), "reading": reading.said,
            }  # fmt: skip
            finish(folder, ranking, task.settings | more)
    return ranking


def _refuse_same(data: Any, out: Any) -> None:
    """Refuse to write among the series: the tables would be series the next time."""
    given = [data] if isinstance(data, (str, os.PathLike)) else data
    if not isinstance(given, (list, tuple)) or not isinstance(out, (str, os.PathLike)):
        return
    for path in given:
        if isinstance(path, (str, os.PathLike)) and os.path.realpath(path) == os.path.realpath(out):
            raise InputError(f"out must be another folder than data, got {os.fspath(out)!r}")


def _told(progress: Progress | bool | None) -> Progress:
    """What is told how many series are done; of a bar the cells are the rate."""
    told = reporter(progress, "series")
    if progress is True:
        return lambda done, total, cells, _, share: told(done, total, None, cells, share)
    shown: Progress = told
    return shown


@dataclass
class _Run:
    """A ranking under way."""

    engine: Engine
    rows: AskedRows
    units: list[Unit]
    task: Task
    progress: Progress
    held: Held
    hashes: dict[str, str]
    """The SHA-256 of the files that were read, by their paths."""

    @cached_property
    def found(self) -> Collected:
        """What was judged so far."""
        return Collected.of([unit.series for unit in self.units], self.task.metrics)

    def judge_all(self, *, retry: bool) -> None:
        """Judge every unit as far as it is not known, those of one file one after the other."""
        places = {unit.series: place for place, unit in enumerate(self.units)}
        weights = [unit.weight for unit in self.units]
        whole, weighed, done, cells, failures = sum(weights) or 1.0, 0.0, 0, 0, 0
        self.progress(0, len(self.units), 0, 0, 0.0)
        with closing(self._judged_pieces(retry=retry)) as results:
            for finished in results:
                check_worker(finished)
                self._take(finished, places[finished.series])
                done += 1
                failures += sum(1 for row in finished.rows if row.get("error"))
                cells += len(finished.rows)
                weighed += weights[places[finished.series]]
                self.progress(done, len(self.units), cells, failures, weighed / whole)

    def _judged_pieces(self, *, retry: bool) -> Generator[Done]:
        """What becomes of each unit: those that are read at once are judged by one worker.

        Where it does not survive they are judged one by one.
        """
        together: dict[Any, list[Unit]] = {}
        for unit in sorted(self.units, key=lambda unit: unit.path):
            together.setdefault(unit.chunk or unit.series, []).append(unit)
        pieces = (
            tuple(
                Job(unit, self.task, self.rows.known(unit.series, retry=retry), self.held.wanted)
                for unit in units
            )
            for units in together.values()
        )
        lost: list[Job] = []
        with closing(self.engine.do(judge_all, pieces)) as results:
            for piece, result in results:
                if not isinstance(result, Lost):
                    yield from result
                elif len(piece) == 1:
                    yield _lost(piece[0], result)
                else:
                    lost += piece
        with closing(self.engine.do(judge, lost)) as results:
            for job, one in results:
                yield _lost(job, one) if isinstance(one, Lost) else one

    def _take(self, done: Done, place: int) -> None:
        """Keep what became of a unit."""
        self.found.add(place, self.rows.add(done.series, done.keys, done.rows))
        self.found.note(place, done.prints)
        if done.lived is not None:
            self.found.lived[place] = done.lived
        self.hashes.update(done.files)
        if done.group is not None:
            self.found.groups[place] = done.group
        self.held.add(done, done.points * len(done.keys) // len(self.task.metrics))

    def pooled(self, metrics: tuple[Metric, ...]) -> dict[tuple[str, str], dict[str, float | None]]:
        """Judge each detector on all its series at once, by each metric."""
        batches = self.held.batches(self.found.detectors) if metrics else ()
        jobs = (
            Pool(tuple(batch), tuple(self._judged(batch)), metrics, self.task.missing)
            for batch in batches
        )
        with closing(self.engine.do(pool, jobs)) as results:
            rows = [row for _, some in results if not isinstance(some, Lost) for row in some]
        return {(row["detector"], row["requested"]): row for row in rows}

    def verdicts(self, clocks: Mapping[str, str]) -> dict[tuple[str, str], Pooled]:
        """Hold every detector against chance: each row is read once."""
        found = Verdicts(self.found, clocks)
        for place, series in enumerate(self.found.series):
            found.add(place, self.rows.of(series))
        return found.judged()

    def _judged(self, detectors: list[str]) -> Iterator[tuple[Unit, dict[str, int]]]:
        """The series that some detectors were judged on, each with the fingerprints."""
        seen: dict[int, dict[str, int]] = {}
        for detector in detectors:
            for place in self.found.series_of(detector):
                seen.setdefault(place, {})[detector] = int(self.found.prints[detector][place])
        for place in sorted(seen):
            yield self.held.unit(self.units[place], seen[place]), seen[place]

    def check_sample(self, folder: FolderStore) -> None:
        """See whether other versions of NumPy or SciPy make the same rows; forget all if not."""
        changed, rows = changed_versions(folder.said["versions"], _CHECKED), self.rows
        known = [one for one in self.units if changed and rows.known(one.series, retry=True)]
        compared: list[list[bool]] = []
        jobs = (Job(unit, self.task, frozenset()) for unit in known)
        with closing(self.engine.do(judge, jobs)) as results:
            for job, done in results:
                found = [] if isinstance(done, Lost) else rows.differing(job.unit.series, done.rows)
                compared += [found] * bool(found)
                if len(compared) == _SAMPLE:
                    break
        if not compared:
            return
        made = f"{sum(map(len, compared))} rows recomputed"
        if any(map(any, compared)):
            folder.forget_rows()
            then = f"some of {made} differ, so all are recomputed"
        else:
            then = f"{made} are the same, so the others are kept"
        warnings.warn(f"out was begun with other versions, got {changed}; {then}", stacklevel=3)


def _lost(job: Job, why: Lost) -> Done:
    row = failed_row(job.unit, str(why))
    return Done(job.unit.series, (row["key"],), (row,), 0, tuple(versions().items()))


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
