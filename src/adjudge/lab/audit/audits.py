"""Audits: run the axioms on one metric, or on several side by side."""

from __future__ import annotations

import math
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from adjudge.checks import SEEDS, items, suggest_keywords, whole, word
from adjudge.errors import InputError, UnknownName
from adjudge.lab.audit.axiom import Axiom
from adjudge.lab.audit.axiom_list import AXIOMS
from adjudge.lab.audit.confidence import EFFORTS, Confidence, Effort, OutOfTime
from adjudge.lab.audit.drawn_cases import SHORT, small_case
from adjudge.lab.audit.result import NOT_APPLICABLE, UNDECIDED, Audit, Result
from adjudge.lab.audit.run import Run
from adjudge.lab.audit.subject_calls import Pair, Problem, make_subject, name_of
from adjudge.metrics.metric import Metric
from adjudge.metrics.reader import metric as read_metric
from adjudge.stores.engines import Lost, local
from adjudge.tables.progress import reporter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence


@suggest_keywords("audit")
def audit(
    metric: Any,
    axioms: str | Axiom | Iterable[str | Axiom] | None = None,
    *,
    seed: int = 0,
    effort: str | Effort = "normal",
    kind: str | None = None,
    bounds: tuple[float, float] | None = None,
    better: Literal["higher", "lower"] | None = None,
    progress: Callable[[int, int, str], object] | bool | None = None,
) -> Audit:
    """Outcome of every axiom for a metric: pass, fail, undecided or not applicable.

    Parameters
    ----------
    metric : str, Metric or callable
        A spec, a metric of the catalogue, or any function ``(labels, flags) -> float``. One
        whose second parameter has ``score`` in its name gets scores, any other 0/1 flags. It
        runs in a forked process, so it may be a lambda or live in a notebook. If it hangs,
        prints, raises, changes its input or ends the process, the audit reports that; it does not
        notice files written or processes started. Without fork (Windows) it runs in this process,
        and must at least return.
    axioms : str or iterable of str, optional
        Names of axioms. Default: all.
    seed : int
        The same seed gives the same outcomes, unless time runs out and leaves some undecided.
    effort : "quick", "normal", "thorough" or Effort
        How many trials, and how long each axiom may take.
    kind : "flags" or "scores", optional
        What a function takes, if its parameter names do not show it.
    bounds : pair of float, optional
        The range of a function's values, by default (0, 1); infinite bounds skip axioms that need a
        scale.
    better : "higher" or "lower", optional
        The better direction, by default higher. Sentences quote values turned so that higher is
        better, and say so; counterexamples show the original values.
    progress : callable or True, optional
        True: a bar, on a terminal or in a notebook. A function is called with
        (done, total, the next axiom) before each axiom, and at the end.

    Returns
    -------
    Audit
        One outcome per axiom, with a sentence and, where there is one, a counterexample.

    Raises
    ------
    InputError
        If the metric is not valid, or an axiom or a setting is not known.

    Examples
    --------
    >>> found = audit("f1_pa", ["C-3", "L6"])
    >>> found.verdicts
    {'C-3': 'fail', 'L6': 'fail'}
    >>> found["L6"].sentence
    'ten false points in one run score 0.000 more than ten scattered ones; 0.05 more is required'
    >>> print(found["L6"].counterexample)
    truth       ....##........##........##....
    in one run  ||..||........||........||....  0.8571
    scattered   ....||....|...||....|...||....  0.8571
    """
    chosen = _axioms(axioms)
    if not isinstance(effort, Effort):
        effort = EFFORTS[word(effort, "effort", tuple(EFFORTS))]
    subject = make_subject(metric, kind, effort, bounds, better)
    confidence = Confidence(_statistical_axioms(chosen))
    run = Run(subject, effort, whole(seed, "seed", 0, SEEDS), confidence)
    results: dict[str, Result] = {}
    tell = reporter(progress, "axioms")
    try:
        _check_repeatable(run)
        for done, axiom in enumerate(sorted(chosen, key=lambda axiom: axiom.drawn)):
            tell(done, len(chosen), axiom.name)
            results[axiom.name] = _run_axiom(axiom, run)
        tell(len(chosen), len(chosen), "axioms")
    finally:
        subject.close()
    rows = [results[axiom.name] for axiom in chosen]
    problems = {name: problem.sentence for name, problem in subject.problems.items()}
    return Audit(name_of(metric), subject.kind, run.seed, effort.name, tuple(rows), problems)


def audit_many(metrics: Sequence[Any], *, jobs: int = 1, **options: Any) -> Iterator[Audit]:
    """Audits of several metrics, in their order; those of the catalogue are made side by side.

    Parameters
    ----------
    metrics : sequence of str, Metric or callable
        See `adjudge.audit`.
    jobs : int
        Processes. Functions of the user are audited in this one.
    **options
        See `adjudge.audit`.

    Examples
    --------
    >>> [found.verdicts["L6"] for found in audit_many(["f1", "f1_ba"], axioms=["L6"])]
    ['fail', 'pass']
    """
    asked = [read_metric(m) if isinstance(m, (str, Metric)) else m for m in metrics]
    pieces = [_MetricToAudit(i, m, options) for i, m in enumerate(asked) if isinstance(m, Metric)]
    done: dict[int, Audit] = {}
    with (
        local(max(1, min(jobs, len(pieces)))) as engine,
        closing(engine.do(_audit_piece, pieces)) as made,
    ):
        for place, metric in enumerate(asked):
            if not isinstance(metric, Metric):
                yield audit(metric, **options)
                continue
            while place not in done:
                piece, found = next(made)
                if isinstance(found, Lost):
                    raise InputError(
                        f"metrics must be such that they can be audited, got {piece.metric}, at "
                        f"which {found}"
                    )
                done[piece.place] = found
            yield done.pop(place)


class _MetricToAudit(NamedTuple):
    """One of several metrics to audit."""

    place: int
    metric: Metric
    options: dict[str, Any]


def _audit_piece(piece: _MetricToAudit) -> Audit:
    return audit(piece.metric, **piece.options)


def _statistical_axioms(chosen: Iterable[Axiom]) -> int:
    """Count of axioms that share in the chance of error: all there are, chosen or not.

    So a result does not depend on which other axioms are run.
    """
    known = {axiom.name: axiom for axiom in (*AXIOMS.values(), *chosen)}
    return sum(axiom.statistical for axiom in known.values())


def _axioms(names: str | Axiom | Iterable[str | Axiom] | None) -> list[Axiom]:
    if names is None:
        return list(AXIOMS.values())
    given = [names] if isinstance(names, (str, Axiom)) else items(names, "axioms", "names")
    return [_axiom(name) for name in given]


def _axiom(name: str | Axiom) -> Axiom:
    if isinstance(name, Axiom):
        return name
    if not isinstance(name, str) or name not in AXIOMS:
        raise UnknownName("axiom", name, AXIOMS, f"there are {', '.join(AXIOMS)}")
    return AXIOMS[name]


def _run_axiom(axiom: Axiom, run: Run) -> Result:
    """Outcome of one experiment, within its time."""
    run.start_axiom()
    begun = run.subject.clock()
    reason = axiom.why_not_applicable(run)
    if reason:
        return Result(axiom.name, NOT_APPLICABLE, reason)
    try:
        found = axiom.decide(run)
    except OutOfTime:
        spent = run.deadline - begun
        said = f"its {spent:.1f} s were not enough, after {run.calls} values"
        found = Result(axiom.name, UNDECIDED, said)
    if axiom.quotes and not math.isnan(found.statistic):
        found = replace(found, sentence=found.sentence + run.rescale_note)
    return replace(found, seconds=run.subject.clock() - begun)


def _check_repeatable(run: Run) -> None:
    """Take some values twice, before anything is concluded from them."""
    run.start_axiom()
    rng = run.rng("probe")
    pairs = [Pair(*small_case(rng)) for _ in range(8)]
    for rate in (0.02, 0.3):
        labels = SHORT.labels(rng)
        pairs.append(Pair(labels, rng.random(labels.size) < rate))
    try:
        first, second = run.own_values(pairs), run.own_values(pairs)
    except OutOfTime:
        return
    for pair, one, other in zip(pairs, first, second, strict=True):
        if not np.array_equal(one, other, equal_nan=True):
            said = f"it returned {one:g} and then {other:g} for the same input"
            run.subject.problems.setdefault("not deterministic", Problem(said, pair))
