"""Workers: the rows of chunks of experiments, made here or by other processes.

Workers leave Ctrl-C to the main process, end with it, and stop soon when the study is given up.
"""

from __future__ import annotations

import os
import signal
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import TYPE_CHECKING, Any, NamedTuple

from adjudge.errors import InputError
from adjudge.experiments.measurements import Experiment, measure, simulate_experiment, written
from adjudge.experiments.released import Checkpoint, replay

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from adjudge.experiments.folder import Chunk, Question

_AHEAD = 2
"""Chunks handed out per process, so that none waits for the next."""

_stop: Any = None
"""In a worker: 1 when the study is given up."""


class Task(NamedTuple):
    """A chunk to make."""

    question: Question
    chunk: Chunk
    before: Checkpoint | None = None
    """Where its draws begin, if they depend on those of the chunks before it."""


def make_here(tasks: Iterator[Task]) -> Generator[tuple[Chunk, str]]:
    """Rows of each chunk, made in this process."""
    for task in tasks:
        yield task.chunk, rows_of(task)


def make_by_workers(tasks: Iterator[Task], workers: int) -> Generator[tuple[Chunk, str]]:
    """Rows of each chunk as they are done, by other processes, to which a few are handed out."""
    context = get_context("spawn")  # safe beside threads, and the same everywhere
    stop = context.RawValue("b", 0)  # without a lock, which a worker that is killed would keep
    running: dict[Future[str], Chunk] = {}
    pool = ProcessPoolExecutor(workers, context, _begin, (stop,))
    try:
        while True:
            for task in islice(tasks, _AHEAD * workers - len(running)):
                with _interrupts_held():
                    running[pool.submit(rows_of, task)] = task.chunk
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(future), future.result()
    except BrokenProcessPool:
        raise InputError(
            "workers must live until the work is done, got one that ended by itself; it may have "
            "been killed, or need more memory: run it again, what is in out is kept; and a script "
            "must call this below `if __name__ == '__main__':`"
        ) from None
    finally:
        stop.value = 1
        pool.shutdown(cancel_futures=True)


def rows_of(task: Task) -> str:
    """Make the rows of a chunk; no more of them once the study is given up."""
    lines = []
    for index, experiment in enumerate(_experiments(task), task.chunk.first):
        lines.append(written(measure(index, experiment, task.question.metrics)) + "\n")
        if _stop is not None and _stop.value:
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
