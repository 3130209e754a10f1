"""Runner: the experiments of a study, in chunks, by one process or several, until all are there.

A row depends on the seed and on its own number, so it does not matter which process makes it, when,
or how often the run was stopped before: the table is the same to the last byte. The rows of the
released design depend on those before them: each of their chunks is made from a checkpoint.

Folder: a study on disk, which may be killed at any moment and goes on where it was.

::

    DIR/study.json            what is studied and with which versions; the table's rows and the
                              checksum of each file, once it stands
    DIR/parts/000012.part     the rows of one finished chunk
    DIR/parts/000012.state    where its draws begin, if they depend on those before
    DIR/experiments.csv       the table, when all rows are there
    DIR/experiments.parquet   the same, where pyarrow is installed
    DIR/.adjudge.lock         held while a study runs here

A folder is ours when it has our ``study.json``; without it, anything that bears one of these names
is somebody else's, and the folder is refused. In a folder of ours these names are ours too: a
file that is not as we wrote it is made again. Nothing else in the folder is touched.

A part begins with a checksum over its rows and over what is studied: one that is torn, or comes
from another study, is noticed and made again. Parts go only when the table stands and
``study.json`` says so.

Store: where the finished chunks of a study are kept, a folder or the memory.

Workers: the rows of chunks of experiments, made here or by other processes.

Workers leave Ctrl-C to the main process, end with it, and stop soon when the study is given up.
"""

from __future__ import annotations

import os
import re
import signal
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, suppress
from hashlib import sha256
from importlib.util import find_spec
from itertools import chain, islice
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from adjudge._interrupts import Interrupts
from adjudge.checks import SEEDS, front_door, function, whole, word
from adjudge.errors import InputError
from adjudge.lab.study.designs import DESIGNS
from adjudge.lab.study.measurements import (
    Experiment,
    asked_metrics,
    columns_of,
    measure,
    simulate_experiment,
    written,
)
from adjudge.lab.study.released import GUARD, SEED, Checkpoint, replay, skip
from adjudge.lab.study.table import Study, header, write_parquet
from adjudge.stores.files import is_there, whole_file, write_texts, writing
from adjudge.stores.folder import STUDY, OwnFolder, versions

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator
    from pathlib import Path

    from adjudge.metrics.metric import Metric

CHUNK = 100
"""Rows in a part."""

_PART = re.compile(r"\d{6,}\.(part|state)")


class Chunk(NamedTuple):
    """Experiments whose rows are kept together."""

    number: int
    first: int
    size: int


class Question(NamedTuple):
    """What is studied: all that a row depends on, but its number and the versions."""

    seed: int
    design: str
    metrics: tuple[str, ...]
    guard: int = 1

    def table(self, experiments: int, source: Path | list[str]) -> Study:
        """Rows as a table."""
        return Study(self.design, self.seed, columns_of(self.metrics), experiments, source)

    @property
    def plain(self) -> dict[str, Any]:
        """The question as JSON would give it back."""
        return {**self._asdict(), "metrics": list(self.metrics)}


class Folder:
    """Where a study is kept; until it is closed, no other run may write there.

    Raises
    ------
    InputError
        If the folder cannot be written, is in use, or holds another study or other versions' rows.
    """

    def __init__(self, path: str | os.PathLike[str], question: Question) -> None:
        self.question = question
        self._own = OwnFolder(path, kind=STUDY, settings=self._settings(), strict=tuple(versions()))
        self.path, self._parts = self._own.path, self._own.parts
        self._csv, self._parquet = self._own.tables
        said, asked = self._own.said, question.plain
        other = next((name for name in asked if said.get(name) != asked[name]), None)
        if other:
            self.close()
            self._own.refuse(f"one with {other} {said.get(other)!r} instead of {asked[other]!r}")

    def close(self) -> None:
        """Let others write into the folder."""
        self._own.close()

    def finished(self, experiments: int) -> Study | None:
        """The table, if it stands with so many rows.

        Of a table with fewer or more rows, those that are still of use become parts again.
        """
        with writing(self.path):
            rows = self._own.said.get("experiments")
            if rows is None or not self._own.is_intact(self._csv):
                return None
            if rows != experiments:
                self._lay_out(rows)
                return None
            return self._finish(experiments)

    def rows(self, chunk: Chunk) -> str | None:
        """The rows of a chunk, if they are there, whole and of this study."""
        lines = (self._read(chunk, self._part(chunk)) or "").splitlines(keepends=True)
        return "".join(lines[: chunk.size]) if len(lines) >= chunk.size else None

    def keep(self, chunk: Chunk, rows: str) -> None:
        """Keep the rows of a chunk."""
        self._write(chunk, self._part(chunk), rows)

    def checkpoint(self, chunk: Chunk) -> str | None:
        """Where the draws of a chunk begin, if it was kept."""
        return self._read(chunk, self._part(chunk).with_suffix(".state"))

    def keep_checkpoint(self, chunk: Chunk, text: str) -> None:
        """Keep where the draws of a chunk begin."""
        self._write(chunk, self._part(chunk).with_suffix(".state"), text)

    def _read(self, chunk: Chunk, part: Path) -> str | None:
        """The text of a part, if it is there, whole and of this study."""
        try:
            if not is_there(part):
                return None
            head, _, text = part.read_bytes().decode().partition("\n")
        except (OSError, UnicodeDecodeError):  # it cannot be read, or is not even text
            return None
        return text if head == self._signature(chunk, text) else None

    def _write(self, chunk: Chunk, part: Path, text: str) -> None:
        with writing(self.path):
            self._parts.mkdir(exist_ok=True)
            write_texts(part, [self._signature(chunk, text), "\n", text])

    def assemble(self, experiments: int) -> Study:
        """Put the parts together, one after the other, to the table."""
        with writing(self.path):
            self._parquet.unlink(missing_ok=True)
            bodies = map(self._sure, chunks(experiments))
            write_texts(self._csv, chain([header(columns_of(self.question.metrics))], bodies))
            return self._finish(experiments)

    def _settings(self) -> dict[str, Any]:
        return {**self.question.plain, "chunk": CHUNK}

    def _finish(self, experiments: int) -> Study:
        """Write what is still missing beside the table, then let the parts go."""
        table = self.question.table(experiments, self._csv)
        if not self._own.is_intact(self._parquet):
            self._parquet.unlink(missing_ok=True)
            if find_spec("pyarrow"):
                with whole_file(self._parquet) as stream:
                    write_parquet(table, stream)
        self._own.finish({**self._settings(), "experiments": experiments})
        self._remove_parts()
        return table

    def _remove_parts(self) -> None:
        if not self._parts.exists():
            return
        for path in self._parts.iterdir():
            if _PART.fullmatch(path.name):
                path.unlink()
        with suppress(OSError):  # somebody keeps something there
            self._parts.rmdir()

    def _lay_out(self, experiments: int) -> None:
        with self._csv.open(encoding="utf-8", newline="") as stream:
            next(stream)
            for chunk in chunks(experiments):
                self.keep(chunk, "".join(islice(stream, chunk.size)))

    def _part(self, chunk: Chunk) -> Path:
        return self._parts / f"{chunk.number:06}.part"

    def _signature(self, chunk: Chunk, rows: str) -> str:
        studied = f"{self.question.plain} {self._own.said['versions']} {chunk.first}"
        return sha256(f"{studied}\n{rows}".encode()).hexdigest()

    def _sure(self, chunk: Chunk) -> str:
        rows = self.rows(chunk)
        if rows is None:
            raise InputError(
                f"out must be left alone while a study runs, got a part that has changed at "
                f"{str(self._part(chunk))!r}; run it again"
            )
        return rows


def chunks(experiments: int) -> Iterator[Chunk]:
    """Part experiments into chunks.

    >>> [chunk.size for chunk in chunks(250)]
    [100, 100, 50]
    """
    for number, first in enumerate(range(0, experiments, CHUNK)):
        yield Chunk(number, first, min(CHUNK, experiments - first))


class Store(Protocol):
    """What a study asks of the place where its finished chunks are kept."""

    def finished(self, experiments: int) -> Study | None:
        """The whole table, if it stands already."""

    def rows(self, chunk: Chunk) -> str | None:
        """The rows of a chunk, if they are there."""

    def keep(self, chunk: Chunk, rows: str) -> None:
        """Keep the rows of a chunk."""

    def checkpoint(self, chunk: Chunk) -> str | None:
        """Where the draws of a chunk begin, if that is known."""

    def keep_checkpoint(self, chunk: Chunk, text: str) -> None:
        """Keep where the draws of a chunk begin."""

    def assemble(self, experiments: int) -> Study:
        """The table of all rows."""

    def close(self) -> None:
        """Let others write here again."""


class Memory(Store):
    """The chunks of a study that is not written anywhere."""

    def __init__(self, question: Question) -> None:
        self._question = question
        self._rows: dict[Chunk, str] = {}

    def finished(self, experiments: int) -> None:
        """Nothing is, at first."""

    def rows(self, chunk: Chunk) -> None:
        """Nothing is there yet."""

    def keep(self, chunk: Chunk, rows: str) -> None:
        """Keep the rows of a chunk."""
        self._rows[chunk] = rows

    def checkpoint(self, chunk: Chunk) -> None:
        """Nothing is there yet."""

    def keep_checkpoint(self, chunk: Chunk, text: str) -> None:
        """Nobody comes back for it."""

    def assemble(self, experiments: int) -> Study:
        """The table of all rows."""
        return self._question.table(experiments, [self._rows[key] for key in sorted(self._rows)])

    def close(self) -> None:
        """Nobody else can write here."""


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
                with Interrupts(wait=True):
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


RELEASED = "released"
"""The design whose rows depend on each other."""


@front_door("study")
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
        installed). A study that was stopped, or killed, continues from there when it is
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

    Raises
    ------
    InputError
        If a setting is not one of those above, or the folder holds another study.

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
    store: Store = Memory(question) if out is None else Folder(out, question)
    told = function(progress, "progress") or _untold
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
    seed = usual_seed if seed is None else whole(seed, "seed", 0, SEEDS)
    guard = usual_guard if guard is None else whole(guard, "guard", 1)
    return Question(seed, design, asked_metrics(metrics), guard)


def _fill(
    store: Store,
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
    made = make_by_workers(tasks, workers) if workers > 1 else make_here(tasks)
    with closing(made):  # so that workers end at once, whatever happens here
        for chunk, rows in made:
            store.keep(chunk, rows)
            done += chunk.size
            told(done, experiments)


def _tasks(store: Store, question: Question, missing: list[Chunk]) -> Iterator[Task]:
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


def _untold(done: int, experiments: int) -> None:
    """Tell nobody."""
