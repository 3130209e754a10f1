"""Runner: the experiments of a study, in chunks, by one process or several, until all are there.

A row depends on the seed and on its own number, so it does not matter which process makes it, when,
or how often the run was stopped before: the table is the same to the last byte. The rows of the
released design depend on those before them: each of their chunks is made from a checkpoint.

On disk a study is a folder as every other (`adjudge.stores.folder`)::

    DIR/study.json            what is studied and with which versions; the table's rows and the
                              checksum of each file, once it stands
    DIR/parts/000001.jsonl    finished chunks, and checkpoints where the next draws begin
    DIR/experiments.csv       the table, when all rows are there
    DIR/experiments.parquet   the same, where pyarrow is installed

A chunk is kept under a key that says what is studied, so one of another study is never taken for
it. Parts go only when the table stands and ``study.json`` says so.
"""

from __future__ import annotations

from contextlib import closing
from hashlib import sha256
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from adjudge.checks import SEEDS, suggest_keywords, whole, word
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
from adjudge.stores.engines import Lost, local
from adjudge.stores.files import writing
from adjudge.stores.folder import STUDY, FolderStore, Memory, Store, versions
from adjudge.tables.progress import reporter

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from adjudge.metrics.metric import Metric

CHUNK = 100
"""Rows that are made and kept together."""
RELEASED = "released"
"""The design whose rows depend on each other."""


class Chunk(NamedTuple):
    """Experiments whose rows are kept together."""

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


class Chunks(NamedTuple):
    """The chunks of a study in a store: their rows, and where their draws begin."""

    store: Store
    question: Question

    def rows(self, chunk: Chunk) -> str | None:
        """The rows of a chunk, if they are there."""
        lines = (self._find("rows", chunk) or "").splitlines(keepends=True)
        return "".join(lines[: chunk.size]) if len(lines) >= chunk.size else None

    def keep(self, chunk: Chunk, rows: str) -> None:
        """Keep the rows of a chunk."""
        self.store.keep(self._key("rows", chunk), [{"text": rows}])

    def checkpoint(self, chunk: Chunk) -> str | None:
        """Where the draws of a chunk begin, if it was kept."""
        return self._find("checkpoint", chunk)

    def keep_checkpoint(self, chunk: Chunk, text: str) -> None:
        """Keep where the draws of a chunk begin."""
        self.store.keep(self._key("checkpoint", chunk), [{"text": text}])

    def all_rows(self, experiments: int) -> Iterator[str]:
        """The rows of all chunks, one after the other."""
        for chunk in chunks(experiments):
            rows = self.rows(chunk)
            if rows is None:
                raise InputError(
                    f"out must be left alone while a study runs, got rows that have changed, from "
                    f"experiment {chunk.first} on; run it again"
                )
            yield rows

    def _find(self, what: str, chunk: Chunk) -> str | None:
        kept = self.store.rows(self._key(what, chunk))
        return kept[-1]["text"] if kept else None

    def _key(self, what: str, chunk: Chunk) -> str:
        studied = f"{what} {self.question.plain} {versions()} {chunk.first}"
        return sha256(studied.encode()).hexdigest()[:32]


def chunks(experiments: int) -> Iterator[Chunk]:
    """Part experiments into chunks.

    >>> [chunk.size for chunk in chunks(250)]
    [100, 100, 50]
    """
    for first in range(0, experiments, CHUNK):
        yield Chunk(first, min(CHUNK, experiments - first))


class ChunkToMake(NamedTuple):
    """A chunk to make."""

    question: Question
    chunk: Chunk
    before: Checkpoint | None = None
    """Where its draws begin, if they depend on those of the chunks before it."""


def rows_of(piece: ChunkToMake) -> str:
    """Make the rows of a chunk."""
    return "".join(
        written(measure(index, experiment, piece.question.metrics)) + "\n"
        for index, experiment in enumerate(_experiments(piece), piece.chunk.first)
    )


def _experiments(piece: ChunkToMake) -> Iterator[Experiment]:
    """Experiments of a chunk."""
    question, chunk, checkpoint = piece
    for index in range(chunk.first, chunk.first + chunk.size):
        if checkpoint is None:
            yield simulate_experiment(question.design, question.seed, index, question.guard)
        else:
            experiment, checkpoint = replay(checkpoint, question.guard)
            yield experiment


@suggest_keywords("study")
def study(
    experiments: int = 15000,
    *,
    seed: int | None = None,
    design: str = "authors",
    guard: int | None = None,
    metrics: str | Metric | Iterable[str | Metric] = (),
    jobs: int = 1,
    out: str | os.PathLike[str] | None = None,
    progress: Callable[[int, int], None] | bool | None = None,
) -> Study:
    """Simulate many detectors and judge each by the F1 scores: the paper's study.

    Parameters
    ----------
    experiments : int
        How many.
    seed : int, optional
        What they are drawn from: 0 by default, and 121, the authors' own, for "released".
    design : {"authors", "controlled", "released"}
        "authors" draws them as the paper's authors did, but independently of each other: a row
        depends on the seed and its own number alone. "controlled" draws precision, recall,
        coverage and separation uniformly, and as many false runs come out as were asked for.
        "released" replays the draws behind the table that the authors
        published, in which every row depends on those before it: the same numbers, row by row.
    guard : int, optional
        How many points of a detection must lie inside its event or gap for it to count: 1 (the
        authors' published program, the default for "authors") or 2 (the table that they
        published, the default for "released").
    metrics : specs, optional
        Further metrics, each a column. Those that need a threshold are read at the marking, those
        that judge every threshold on the scores.
    jobs : int
        Processes. More than one needs the usual ``if __name__ == "__main__":`` around a script.
    out : path, optional
        A folder for the table (``experiments.csv``, and ``experiments.parquet`` where pyarrow is
        installed). A study that was stopped, or killed, continues from there when it is
        called again, and one that is finished is only read. Asking for more experiments adds rows.
    progress : callable or True, optional
        True: a bar, on a terminal or in a notebook. A function is
        called with the number of experiments that are done, and of all.

    Returns
    -------
    Study
        One row per experiment: what was drawn (points, events, hits, false alarms, overlap), what
        came out (separation, hellinger, event precision, recall and coverage, counts of runs), and
        the scores: ``f1``, ``f1_pa``, ``f1_kpa`` (k = 0.2), ``f1_ba`` (the default width and
        reading), ``f1_ba_printed`` (as the paper prints it) and ``f1_ba_authors`` (the authors'
        reading with width 25, as in the paper's experiments).

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
    told = reporter(progress, "experiments")
    if out is None:
        kept = Chunks(Memory(), question)
        _fill(kept, experiments, jobs, told)
        return question.table(experiments, list(kept.all_rows(experiments)))
    strict = tuple(versions())
    with closing(FolderStore(out, kind=STUDY, settings=question.plain, strict=strict)) as folder:
        kept = Chunks(folder, question)
        tables = {}
        if _stands(folder, kept, experiments):
            told(experiments, experiments)
        else:
            _fill(kept, experiments, jobs, told)
            tables = {folder.tables[0].name: _lines(kept, experiments)}
        return _finish(folder, question, experiments, tables)


def _question(
    design: str,
    seed: int | None,
    guard: int | None,
    metrics: str | Metric | Iterable[str | Metric],
) -> Question:
    """What is studied, with the defaults of the design."""
    design = word(design, "design", (*DESIGNS, RELEASED))
    if design == "controlled" and guard is not None:
        raise InputError(
            f"guard must be None for the design 'controlled', whose detections all lie inside, got "
            f"{guard!r}; leave it out"
        )
    usual_seed, usual_guard = (SEED, GUARD) if design == RELEASED else (0, 1)
    seed = usual_seed if seed is None else whole(seed, "seed", 0, SEEDS)
    guard = usual_guard if guard is None else whole(guard, "guard", 1)
    return Question(seed, design, asked_metrics(metrics), guard)


def _stands(folder: FolderStore, kept: Chunks, experiments: int) -> bool:
    """Tell whether the table is there with so many rows.

    Of a table with fewer or more rows, those that are still of use become chunks again.
    """
    rows = folder.said.get("experiments")
    if rows is None or not folder.is_intact(folder.tables[0]):
        return False
    if rows == experiments:
        return True
    with writing(folder.path), folder.tables[0].open(encoding="utf-8", newline="") as stream:
        next(stream)
        for chunk in chunks(rows):
            kept.keep(chunk, "".join(islice(stream, chunk.size)))
    return False


def _lines(kept: Chunks, experiments: int) -> Iterator[str]:
    """The table as text."""
    yield header(columns_of(kept.question.metrics))
    yield from kept.all_rows(experiments)


def _finish(
    folder: FolderStore, question: Question, experiments: int, tables: dict[str, Iterator[str]]
) -> Study:
    """Write what is still missing of the tables, then let the parts go."""
    settings = {**question.plain, "chunk": CHUNK, "experiments": experiments}
    folder.finish(
        tables,
        lambda text, target: write_parquet(question.table(experiments, text), target),
        settings,
    )
    folder.forget_rows()
    return question.table(experiments, folder.tables[0])


def _fill(kept: Chunks, experiments: int, jobs: int, told: Callable[[int, int], None]) -> None:
    """Make the chunks that are not there yet."""
    missing = [chunk for chunk in chunks(experiments) if kept.rows(chunk) is None]
    done = experiments - sum(chunk.size for chunk in missing)
    told(done, experiments)
    workers = max(1, min(jobs, len(missing)))
    with local(workers) as engine, closing(engine.do(rows_of, _pieces(kept, missing))) as made:
        for piece, rows in made:
            if isinstance(rows, Lost):
                raise InputError(
                    f"workers must live until the work is done, got chunks at which {rows}; run it "
                    "again, what is in out is kept; and a script must call this below "
                    "`if __name__ == '__main__':`"
                )
            kept.keep(piece.chunk, rows)
            done += piece.chunk.size
            told(done, experiments)


def _pieces(kept: Chunks, missing: list[Chunk]) -> Iterator[ChunkToMake]:
    """Chunks to make, in order; those of the released design with the checkpoint before them."""
    question = kept.question
    before = Checkpoint.first(question.seed)
    for chunk in missing:
        if question.design != RELEASED:
            yield ChunkToMake(question, chunk)
            continue
        text = kept.checkpoint(chunk)
        if text is None:
            text = skip(before, chunk.first - before.number, question.guard).to_json()
            kept.keep_checkpoint(chunk, text)
        before = Checkpoint.from_json(text)
        yield ChunkToMake(question, chunk, before)
