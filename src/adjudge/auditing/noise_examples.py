"""Short series on which a detector that does not see the labels scores too much."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np

from adjudge.auditing.confidence import column_means
from adjudge.auditing.counterexample import Counterexample
from adjudge.auditing.drawn_cases import even_labels
from adjudge.auditing.effort import OutOfTime
from adjudge.auditing.subject import Pair

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge._typing import Array, Flags
    from adjudge.auditing.run import Run


def _shift_mean(run: Run, labels: Flags, flags: Array, *, own: bool = False) -> float:
    """Mean of the values, perhaps the metric's own, with the same alarms at every place in time."""
    pairs = [Pair(labels, np.roll(flags, by)) for by in range(labels.size)]
    found = np.array(run.own_values(pairs)) if own else run.values(pairs)
    return float(column_means(found[:, np.newaxis])[0])


def _pattern_example(run: Run, labels: Flags, flags: Array, single: bool) -> Counterexample:
    rows = {"flags" if run.kind == "flags" else "scores": flags}
    note = "a pattern that does not see the labels"
    if not single:
        mean = _shift_mean(run, labels, flags, own=True)
        note = f"put at every place in time it scores {mean:.4f} on average"
    return Counterexample(labels, rows, run.own_values_by_name(labels, rows), note)


def noise_example(
    run: Run, most: Callable[[float], float], *, single: bool = False
) -> Counterexample | None:
    """Short series on which one pattern of alarms, wherever it stands, scores too much.

    The pattern is shifted through every place in time, so its mean is exact, and it knows nothing.
    With ``single`` one lucky place suffices. ``most`` is the bound, given what an alarm everywhere
    scores.
    """
    rng = run.rng("small noise")
    with suppress(OutOfTime):
        for width in (3, 4, 6, 10, 20):
            labels = even_labels(1, width, 3 * width)
            one = run.value(labels, np.ones(labels.size, bool))
            bound = most(0.0 if np.isnan(one) else one)
            for flags in _patterns(labels.size, width, rng, run.kind == "scores"):
                found = run.value(labels, flags) if single else _shift_mean(run, labels, flags)
                if found > bound:
                    return _pattern_example(run, labels, flags, single)
    return None


def _patterns(n: int, width: int, rng: np.random.Generator, scores: bool) -> list[Array]:
    if scores:
        return [np.arange(n) % width + 0.0, *(rng.random(n).round(2) for _ in range(4))]
    combs = [np.arange(n) % step == 0 for step in (width, max(width // 2, 2), n)]
    return [*combs, *(rng.random(n) < rate for rate in (0.9, 0.5, 0.2))]


def range_example(run: Run, most: float, least: float) -> Counterexample | None:
    """Short series on which few alarms and many, wherever they stand, score differently."""
    with suppress(OutOfTime):
        for widths, apart in (((4,), 5), ((10,), 10), ((20,), 20), ((2, 2, 2, 12), 72)):
            labels = np.concatenate([even_labels(1, width, 4 * width) for width in widths])
            many = np.ones(labels.size, bool)
            few = np.arange(labels.size) % apart == 0
            means = [_shift_mean(run, labels, flags, own=True) for flags in (few, many)]
            turned = run.rescale(np.array(means)).tolist()
            if max(turned) - min(turned) > max(most * max(turned), least):
                rows = {"few": few, "many": many}
                note = "values: means over every place in time"
                return Counterexample(labels, rows, dict(zip(rows, means, strict=True)), note)
    return None
