"""Runner: the experiments of a study, in chunks, by one process or several, until all are there.

A row depends on the seed and on its own number, so it does not matter which process makes it, when,
or how often the run was stopped before: the table is the same to the last byte. The rows of the
released design depend on those before them: each of their chunks is made from a checkpoint.
"""

from __future__ import annotations

import os
import signal
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager
from itertools import islice
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from adjudge.checks import whole, word
from adjudge.errors import InputError
from adjudge.experiments.designs import DESIGNS
from adjudge.experiments.folder import Chunk, Folder, Question, chunks
from adjudge.experiments.measurements import (
    Experiment,
    asked_metrics,
    measure,
    simulate_experiment,
    written,
)
from adjudge.experiments.released import GUARD, SEED, Checkpoint, replay, skip

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator

    from adjudge.experiments.table import Study
    from adjudge.metrics.metric import Metric

_AHEAD = 2
"""Chunks handed out per process, so that none waits for the next."""

RELEASED = "released"
"""The design whose rows depend on each other."""

_stop: Any = None
"""In a worker: set when the study is given up."""


def study(
    experiments: int = 15000,
    *,
    seed: int | None = None,
    design: str = "authors",
    guard: int | None = None,
    metrics: str | Metric | Iterable[str | Metric] = (),
    jobs: int = 1,
    out: str | os.PathLike[str] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Study:
    """Simulate many detectors, judge each by the F1 scores, and describe it: the paper's study.

    Parameters
    ----------
    experiments : int
        How many.
    seed : int, optional
        What they are drawn from: 0 by default, and 121, the authors' own, for "released".
    design : {"authors", "grid", "released"}
        "authors" draws them as the paper's authors did, but independently of each other: a row
        depends on the seed and its own number alone. "grid" spreads coverage (0.2 to 0.9) and
        separation (0.1 to 0.4) evenly over a grid, ten cells by ten, each filled once by every
        hundred experiments. "released" replays the draws behind the table that the authors
        published, in which every row depends on those before it: the same numbers, row by row.
    guard : int, optional
        How many points of a detection must lie inside its event or gap for it to count: 1 (the
        authors' published program, the default for "authors") or 2 (the table that they
        published, the default for "released").
    metrics : specs, optional
        Further metrics, each a column. Those that need a threshold are read at the marking, those
        that judge every threshold on the scores.
    jobs : int
        Processes. More than one needs the usual ``if __name__ == "__main__":`` around the script.
    out : path, optional
        A folder for the table (``experiments.csv``, and ``experiments.parquet`` where pyarrow is
        installed). A study that was stopped, however rudely, goes on from there when it is
        called again, and one that is finished is only read. Asking for more experiments adds rows.
    progress : callable, optional
        Called with the number of experiments that are done, and of all.

    Returns
    -------
    Study
        One row per experiment: what was drawn (points, events, hits, false alarms, overlap), what
        came out (separation, hellinger, event precision, recall and coverage, counts of runs), and
        the scores: ``f1``, ``f1_pa``, ``f1_kpa`` (k = 0.2), ``f1_ba`` (the default width and
        reading) and ``f1_ba_authors`` (width 25 and true flags raising islands too, as the
        paper's experiments had it).

    References
    ----------
    .. [1] D. Bhattacharya et al. (2024). Towards Unbiased Evaluation of Time-series Anomaly
       Detector. arXiv:2409.13053, experiments.

    Examples
    --------
    >>> table = study(5, seed=7)
    >>> bool((table.column("f1_pa") >= table.column("f1")).all())
    True
    """
    experiments, jobs = whole(experiments, "experiments", 1), whole(jobs, "jobs", 1)
    question = _question(design, seed, guard, metrics)
    store: _Store = _Memory(question) if out is None else Folder(out, question)
    told = progress or _untold
    with closing(store):
        found = store.finished(experiments)
        if found is not None:
            told(experiments, experiments)
            return found
        _fill(store, question, experiments, jobs, told)
        return store.assemble(experiments)


def _question(
    design: str,
    seed: int | None,
    guard: int | None,
    metrics: str | Metric | Iterable[str | Metric],
) -> Question:
    """What is studied, with the defaults of the design."""
    design = word(design, "design", (*DESIGNS, RELEASED))
    if design == "grid" and guard is not None:
        raise InputError(
            f"guard must be None for the design 'grid', whose detections all lie inside, got "
            f"{guard!r}; leave it out"
        )
    usual_seed, usual_guard = (SEED, GUARD) if design == RELEASED else (0, 1)
    seed = usual_seed if seed is None else whole(seed, "seed", 0)
    guard = usual_guard if guard is None else whole(guard, "guard", 1)
    return Question(seed, design, asked_metrics(metrics), guard)


class _Store(Protocol):
    """Where finished chunks are kept."""

    def finished(self, experiments: int) -> Study | None: ...
    def rows(self, chunk: Chunk) -> str | None: ...
    def keep(self, chunk: Chunk, rows: str) -> None: ...
    def checkpoint(self, chunk: Chunk) -> str | None: ...
    def keep_checkpoint(self, chunk: Chunk, text: str) -> None: ...
    def assemble(self, experiments: int) -> Study: ...
    def close(self) -> None: ...


class _Memory:
    """Keep the chunks of a study that is not written anywhere."""

    def __init__(self, question: Question) -> None:
        self._question = question
        self._rows: dict[Chunk, str] = {}

    def finished(self, experiments: int) -> None:
        """Nothing is, at first."""

    def rows(self, chunk: Chunk) -> None:
        """Nothing is there yet."""

    def keep(self, chunk: Chunk, rows: str) -> None:
        self._rows[chunk] = rows

    def checkpoint(self, chunk: Chunk) -> None:
        """Nothing is there yet."""

    def keep_checkpoint(self, chunk: Chunk, text: str) -> None:
        """Nobody comes back for it."""

    def assemble(self, experiments: int) -> Study:
        return self._question.table(experiments, [self._rows[key] for key in sorted(self._rows)])

    def close(self) -> None:
        """Nobody else can write here."""


class Task(NamedTuple):
    """A chunk to make."""

    question: Question
    chunk: Chunk
    before: Checkpoint | None = None
    """Where its draws begin, if they depend on those of the chunks before it."""


def _fill(
    store: _Store,
    question: Question,
    experiments: int,
    jobs: int,
    told: Callable[[int, int], None],
) -> None:
    """Make the chunks that are not there yet."""
    missing = [chunk for chunk in chunks(experiments) if store.rows(chunk) is None]
    done = experiments - sum(chunk.size for chunk in missing)
    told(done, experiments)
    workers = min(jobs, len(missing))
    tasks = _tasks(store, question, missing)
    made = _made_by_workers(tasks, workers) if workers > 1 else _made(tasks)
    with closing(made):  # so that workers end at once, whatever happens here
        for chunk, rows in made:
            store.keep(chunk, rows)
            done += chunk.size
            told(done, experiments)


def _tasks(store: _Store, question: Question, missing: list[Chunk]) -> Iterator[Task]:
    """Chunks to make, in order; those of the released design with the checkpoint before them."""
    before = Checkpoint.first(question.seed)
    for chunk in missing:
        if question.design != RELEASED:
            yield Task(question, chunk)
            continue
        text = store.checkpoint(chunk)
        if text is None:
            text = skip(before, chunk.first - before.number, question.guard).to_json()
            store.keep_checkpoint(chunk, text)
        before = Checkpoint.from_json(text)
        yield Task(question, chunk, before)


def _made(tasks: Iterator[Task]) -> Generator[tuple[Chunk, str]]:
    for task in tasks:
        yield task.chunk, rows_of(task)


def _made_by_workers(waiting: Iterator[Task], workers: int) -> Generator[tuple[Chunk, str]]:
    """Hand out chunks, a few at a time, and give them back as they are done."""
    context = get_context("spawn")  # safe beside threads, and the same everywhere
    stop = context.Event()
    running: dict[Future[str], Chunk] = {}
    pool = ProcessPoolExecutor(workers, context, _begin, (stop,))
    try:
        while True:
            for task in islice(waiting, _AHEAD * workers - len(running)):
                with _interrupts_held():
                    running[pool.submit(rows_of, task)] = task.chunk
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(future), future.result()
    except BrokenProcessPool:
        raise InputError(
            "jobs must be 1, or the script guarded by `if __name__ == '__main__':`, got a worker "
            "that ended by itself; it may also have been killed for lack of memory"
        ) from None
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)


def rows_of(task: Task) -> str:
    """Make the rows of a chunk; no more of them once the study is given up."""
    lines = []
    for index, experiment in enumerate(_experiments(task), task.chunk.first):
        lines.append(written(measure(index, experiment, task.question.metrics)) + "\n")
        if _stop is not None and _stop.is_set():
            break
    return "".join(lines)


def _experiments(task: Task) -> Iterator[Experiment]:
    """Experiments of a chunk."""
    question, chunk, checkpoint = task
    for index in range(chunk.first, chunk.first + chunk.size):
        if checkpoint is None:
            yield simulate_experiment(question.design, question.seed, index, question.guard)
        else:
            experiment, checkpoint = replay(checkpoint, question.guard)
            yield experiment


@contextmanager
def _interrupts_held() -> Generator[None]:
    """Let Ctrl-C wait for a moment; a worker that is started meanwhile never sees any."""
    hold = getattr(signal, "pthread_sigmask", None)
    if hold is None:  # as on Windows
        yield
        return
    before = hold(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        hold(signal.SIG_SETMASK, before)


def _begin(stop: Any) -> None:
    """Prepare a worker: it leaves Ctrl-C to the main process, and never outlives it."""
    global _stop  # noqa: PLW0603 - a worker has no other place to be told
    _stop = stop
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None  # noqa: S101 - this is a worker
    parent.join()
    os._exit(1)


def _untold(done: int, experiments: int) -> None:
    """Tell nobody."""
