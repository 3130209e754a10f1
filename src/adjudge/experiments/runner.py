"""Runner: the experiments of a study, in chunks, by one process or several, until all are there.

A row depends on the seed and on its own number, so it does not matter which process makes it, when,
or how often the run was stopped before: the table is the same to the last byte. The rows of the
released design depend on those before them: each of their chunks is made from a checkpoint.
"""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from adjudge.checks import SEEDS, function, whole, word
from adjudge.errors import InputError
from adjudge.experiments.designs import DESIGNS
from adjudge.experiments.folder import Folder, Question, chunks
from adjudge.experiments.measurements import asked_metrics
from adjudge.experiments.released import GUARD, SEED, Checkpoint, skip
from adjudge.experiments.store import Memory
from adjudge.experiments.workers import Task, make_by_workers, make_here

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Iterator

    from adjudge.experiments.folder import Chunk
    from adjudge.experiments.store import Store
    from adjudge.experiments.table import Study
    from adjudge.metrics.metric import Metric

RELEASED = "released"
"""The design whose rows depend on each other."""


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
