"""Runner: the experiments of a study, in chunks, by one process or several, until all are there.

A row depends on the seed and on its own number, so it does not matter which process makes it, when,
or how often the run was stopped before: the table is the same to the last byte.
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
from typing import TYPE_CHECKING, Any, Protocol

from adjudge.checks import whole, word
from adjudge.errors import InputError
from adjudge.experiments.designs import DESIGNS
from adjudge.experiments.folder import Chunk, Folder, Question, chunks
from adjudge.experiments.measurements import asked_metrics, measured, written

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

    from adjudge.experiments.table import Study
    from adjudge.metrics.metric import Metric

_AHEAD = 2
"""Chunks handed out per process, so that none waits for the next."""

_stop: Any = None
"""In a worker: set when the study is given up."""


def study(
    experiments: int = 15000,
    *,
    seed: int = 0,
    design: str = "authors",
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
    seed : int
        What they are drawn from. A row depends on the seed and its own number alone.
    design : {"authors", "grid"}
        "authors" draws them as the paper's authors did; "grid" spreads coverage (0.2 to 0.9) and
        separation (0.1 to 0.4) evenly over a grid, ten cells by ten, each filled once by every
        hundred experiments.
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
    experiments, seed = whole(experiments, "experiments", 1), whole(seed, "seed", 0)
    jobs, design = whole(jobs, "jobs", 1), word(design, "design", tuple(DESIGNS))
    question = Question(seed, design, asked_metrics(metrics))
    store: _Store = _Memory(question) if out is None else Folder(out, question)
    told = progress or _untold
    with closing(store):
        found = store.finished(experiments)
        if found is not None:
            told(experiments, experiments)
            return found
        _fill(store, question, experiments, jobs, told)
        return store.assemble(experiments)


class _Store(Protocol):
    """Where finished chunks are kept."""

    def finished(self, experiments: int) -> Study | None: ...
    def rows(self, chunk: Chunk) -> str | None: ...
    def keep(self, chunk: Chunk, rows: str) -> None: ...
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

    def assemble(self, experiments: int) -> Study:
        return self._question.table(experiments, [self._rows[key] for key in sorted(self._rows)])

    def close(self) -> None:
        """Nobody else can write here."""


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
    made = _made_by_workers(question, missing, workers) if workers > 1 else _made(question, missing)
    with closing(made):  # so that workers end at once, whatever happens here
        for chunk, rows in made:
            store.keep(chunk, rows)
            done += chunk.size
            told(done, experiments)


def _made(question: Question, missing: list[Chunk]) -> Generator[tuple[Chunk, str]]:
    for chunk in missing:
        yield chunk, rows_of(question, chunk)


def _made_by_workers(
    question: Question, missing: list[Chunk], workers: int
) -> Generator[tuple[Chunk, str]]:
    """Hand out chunks, a few at a time, and give them back as they are done."""
    context = get_context("spawn")  # safe beside threads, and the same everywhere
    stop, waiting = context.Event(), iter(missing)
    running: dict[Future[str], Chunk] = {}
    pool = ProcessPoolExecutor(workers, context, _begin, (stop,))
    try:
        while True:
            for chunk in islice(waiting, _AHEAD * workers - len(running)):
                with _interrupts_held():
                    running[pool.submit(rows_of, question, chunk)] = chunk
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


def rows_of(question: Question, chunk: Chunk) -> str:
    """Make the rows of a chunk; no more of them once the study is given up."""
    lines = []
    for index in range(chunk.first, chunk.first + chunk.size):
        if _stop is not None and _stop.is_set():
            break
        row = measured(question.design, question.seed, index, question.metrics)
        lines.append(written(row) + "\n")
    return "".join(lines)


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
