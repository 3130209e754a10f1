"""Session: run the axioms on a metric."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from adjudge.auditing.axiom import NOT_APPLICABLE, UNDECIDED, Axiom, Verdict
from adjudge.auditing.axioms import AXIOMS
from adjudge.auditing.drawn_cases import SHORT, small
from adjudge.auditing.questions import EFFORTS, Fault, Hearing, Pair, TimeUp
from adjudge.auditing.result import Audit
from adjudge.auditing.subject import name_of, witness_of
from adjudge.checks import whole, word
from adjudge.errors import UnknownName

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


def audit(
    metric: Any,
    axioms: str | Axiom | Iterable[str | Axiom] | None = None,
    *,
    seed: int = 0,
    effort: str = "normal",
    kind: str | None = None,
    bounds: tuple[float, float] | None = None,
    better: Literal["higher", "lower"] | None = None,
    progress: Callable[[str, int, int], object] | None = None,
) -> Audit:
    """Hold a metric against the axioms.

    Parameters
    ----------
    metric : str, Metric or callable
        A spec, a metric of the catalogue, or any function ``(labels, flags) -> float``. A function
        whose second parameter is called ``scores`` gets scores, any other 0/1 flags. A function
        is called in a forked process, so it may be a lambda or live in a notebook, and whatever
        it does (hang, print, raise, change its input, end the process) becomes a finding. Where
        there is no fork (Windows) it is called in this process, and must at least return.
    axioms : str or iterable of str, optional
        Names of axioms. Default: all.
    seed : int
        The same seed gives the same verdicts, unless the time runs out, which leaves some
        undecided.
    effort : "quick", "normal" or "thorough"
        How many trials, and how long each axiom may take.
    kind : "flags" or "scores", optional
        What a function takes, if its parameters do not say.
    bounds : pair of float, optional
        The range of a function's values, by default (0, 1); infinite ends leave out what needs a
        scale.
    better : "higher" or "lower", optional
        Which of a function's values are better, by default the higher ones. Sentences quote
        values turned so that higher is better, and say so; counterexamples show them as they are.
    progress : callable, optional
        Called as ``progress(axiom, done, total)`` before each axiom.

    Examples
    --------
    >>> found = audit("f1_pa", ["C-3", "L6"])
    >>> found.verdicts
    {'C-3': 'fail', 'L6': 'fail'}
    >>> found["L6"].sentence
    'ten false points in one run score 0.000 more than ten scattered ones; 0.05 more is asked'
    >>> print(found["L6"].counterexample)
    truth       ....##........##........##....
    in one run  ||..||........||........||....  0.8571
    scattered   ....||....|...||....|...||....  0.8571
    """
    chosen = _axioms(axioms)
    spending = EFFORTS[word(effort, "effort", tuple(EFFORTS))]
    witness = witness_of(metric, kind, spending, bounds, better)
    hearing = Hearing(witness, spending, whole(seed, "seed", 0))
    heard: dict[str, Verdict] = {}
    try:
        _probe(hearing)
        for done, axiom in enumerate(sorted(chosen, key=lambda axiom: axiom.drawn)):
            if progress is not None:
                progress(axiom.name, done, len(chosen))
            heard[axiom.name] = _heard(axiom, hearing)
    finally:
        witness.close()
    rows = [heard[axiom.name] for axiom in chosen]
    faults = {name: fault.sentence for name, fault in witness.faults.items()}
    return Audit(name_of(metric), witness.kind, hearing.seed, effort, tuple(rows), faults)


def _axioms(names: str | Axiom | Iterable[str | Axiom] | None) -> list[Axiom]:
    if names is None:
        return list(AXIOMS.values())
    return [_axiom(name) for name in ([names] if isinstance(names, (str, Axiom)) else names)]


def _axiom(name: str | Axiom) -> Axiom:
    if isinstance(name, Axiom):
        return name
    if name not in AXIOMS:
        raise UnknownName("axiom", name, AXIOMS, f"there are {', '.join(AXIOMS)}")
    return AXIOMS[name]


def _heard(axiom: Axiom, hearing: Hearing) -> Verdict:
    """Run one experiment within its time."""
    hearing.open()
    begun = hearing.witness.clock()
    excuse = axiom.excused(hearing)
    if excuse:
        return Verdict(axiom.name, NOT_APPLICABLE, excuse)
    try:
        found = axiom.run(hearing)
    except TimeUp:
        spent = hearing.deadline - begun
        said = f"its {spent:.1f} s were not enough, after {hearing.asked} values"
        found = Verdict(axiom.name, UNDECIDED, said)
    if axiom.quotes and not math.isnan(found.statistic):
        found = replace(found, sentence=found.sentence + hearing.remark)
    return replace(found, seconds=hearing.witness.clock() - begun)


def _probe(hearing: Hearing) -> None:
    """Ask the same thing twice, before anything is concluded from answers."""
    hearing.open()
    rng = hearing.rng("probe")
    pairs = [Pair(*small(rng)) for _ in range(8)]
    for rate in (0.02, 0.3):
        labels = SHORT.labels(rng)
        pairs.append(Pair(labels, rng.random(labels.size) < rate))
    try:
        first, second = hearing.raw(pairs), hearing.raw(pairs)
    except TimeUp:
        return
    for pair, one, other in zip(pairs, first, second, strict=True):
        if not np.array_equal(one, other, equal_nan=True):
            said = f"it returned {one:g} and then {other:g} for the same input"
            hearing.witness.faults.setdefault("not deterministic", Fault(said, pair))
