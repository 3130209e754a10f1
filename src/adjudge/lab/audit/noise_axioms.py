"""C-1 and its kin, and L1: what a detector that does not see the labels may score.

Short series on which a detector that does not see the labels scores too much.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.lab.audit.axiom import SLACK, BoundTest, largest, run_until_decided
from adjudge.lab.audit.confidence import JointBounds, OutOfTime, column_means
from adjudge.lab.audit.counterexample import Counterexample, smallest_size
from adjudge.lab.audit.drawn_cases import (
    ALONE,
    DETECTORS,
    EQUAL,
    FLAT,
    LEVELS,
    MIXED,
    SHARES,
    SKEWED,
    even_labels,
)
from adjudge.lab.audit.result import FAIL, UNDECIDED, Result, difference_in_words
from adjudge.lab.audit.subject_calls import Pair
from adjudge.tables.look import percent

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge._typing import Array, Flags, Floats
    from adjudge.lab.audit.drawn_cases import Setting
    from adjudge.lab.audit.run import Run


def _shift_mean(run: Run, labels: Flags, flags: Array, *, own: bool = False) -> float:
    """Mean of the values, perhaps the metric's own, with the same alarms at every place in time."""
    pairs = [Pair(labels, np.roll(flags, by)) for by in range(labels.size)]
    found = np.array(run.own_values(pairs)) if own else run.values(pairs)
    return float(column_means(found[:, np.newaxis])[0])


def _pattern_example(run: Run, labels: Flags, flags: Array, single: bool) -> Counterexample:
    note = "a pattern that does not see the labels"
    if not single:
        mean = _shift_mean(run, labels, flags, own=True)
        note = f"put at every place in time it scores {mean:.4f} on average"
    return run.example(labels, {run.kind: flags}, note)


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


HALF = 0.5
_OFTEN = 0.05
_RANGE = 0.10
_NOTHING = 0.01  # a range that is flat, whatever the mean


def c1(run: Run) -> Result:
    """Largest mean of uniform noise over thresholds and shares of anomalous points."""
    bound = HALF + SLACK
    columns = _columns(run)
    comparisons = [BoundTest(share, (column,)) for share in SHARES for column in columns]
    decision = run_until_decided(run, comparisons, lambda noise: noise, bound)
    if not decision.trials:
        return _no_value("C-1")
    by_share = decision.means.reshape(len(SHARES), -1)
    extras = {s.name: largest(row) for s, row in zip(SHARES, by_share, strict=True)}
    extras[ALONE.name] = _mean_alone(run, columns)
    extras = {name: value for name, value in extras.items() if not np.isnan(value)}
    most = largest(decision.means)
    worst = comparisons[int(np.nanargmax(decision.means))]
    where = f"{_threshold_in_words(run, worst.columns[0])}{worst.setting.name}"
    sentence = f"noise scores up to {most:.2f} on average ({where}); {bound:g} is allowed"
    shown = noise_example(run, lambda _: bound) if decision.outcome == FAIL else None
    return Result("C-1", decision.outcome, sentence, most, bound, decision.trials, extras, shown)


def c1q(run: Run) -> Result:
    """Share of runs of noise that come half way from the metric's chance level to the best."""

    def shares(table: Floats, comparisons: int) -> JointBounds:
        chance = column_means(table)
        lucky = table > _lucky_from(chance) + 1e-9
        return run.confidence.share_interval(lucky.sum(axis=0), len(table), comparisons)

    comparisons = [BoundTest(MIXED, (column,)) for column in _columns(run)]
    decision = run_until_decided(run, comparisons, lambda noise: noise, _OFTEN, shares)
    if not decision.trials:
        return _no_value("C-1q")
    most = largest(decision.means)
    worst = comparisons[int(np.nanargmax(decision.means))].columns[0]
    values = run.noise(MIXED, run.effort.trials, [worst])[:, worst]
    chance = column_means(values[:, np.newaxis])[0]
    sentence = _lucky_in_words(run, most, worst, chance, decision.trials)
    failed = decision.outcome == FAIL
    shown = noise_example(run, lambda _: _lucky_from(chance), single=True) if failed else None
    return Result("C-1q", decision.outcome, sentence, most, _OFTEN, decision.trials, {}, shown)


def _lucky_from(chance: Any) -> Any:
    """What noise must exceed to be lucky; where chance is next to the best, nothing is luck."""
    return chance + np.maximum((1 - chance) / 2, SLACK)


def _lucky_in_words(run: Run, share: float, column: int, chance: float, trials: int) -> str:
    where = _threshold_in_words(run, column)
    sentence = f"{percent(share, 1)} of noise runs ({where}chance level {chance:.2f}) exceed "
    sentence += f"{_lucky_from(chance):.2f}, half way to the best"
    if not share:
        anywhere = ", at any threshold" if run.kind == "flags" else ""
        sentence = f"none of {trials} noise runs comes half way from its chance level to the best"
        sentence += anywhere
    return f"{sentence}; {percent(_OFTEN)} is allowed"


def c1r(run: Run) -> Result:
    """Gain of detectors that are stationary but not white over an alarm everywhere."""
    first = 1 + len(run.levels)
    comparisons = [BoundTest(MIXED, (first + place, 0)) for place in range(len(DETECTORS))]
    decision = run_until_decided(run, comparisons, _gain_over_always, SLACK)
    if not decision.trials:
        return _no_value("C-1r")
    extras = dict(zip(DETECTORS, decision.means.tolist(), strict=True))
    most = largest(decision.means)
    worst = DETECTORS[int(np.nanargmax(decision.means))]
    sentence = f"detectors that do not see the labels ({worst}) score "
    sentence += f"{difference_in_words(most)} an alarm everywhere; {SLACK:g} more is allowed"
    shown = noise_example(run, lambda one: one + SLACK) if decision.outcome == FAIL else None
    return Result("C-1r", decision.outcome, sentence, most, SLACK, decision.trials, extras, shown)


def l1(run: Run) -> Result:
    """Compare an alarm everywhere with one half, and noise with an alarm everywhere."""
    gains = [BoundTest(MIXED, (column, 0)) for column in _columns(run) if column]
    comparisons = [BoundTest(MIXED, (0,)), *gains]
    decision = run_until_decided(run, comparisons, _excess_without_knowledge, 0.0)
    if not decision.trials:
        return _no_value("L1")
    always, gain = decision.means[0] + HALF + SLACK, largest(decision.means[1:]) + SLACK
    too_high = bool(always > HALF + SLACK)
    best = gains[int(np.nanargmax(decision.means[1:]))].columns[0]
    where = _threshold_in_words(run, best).removesuffix(", ")
    sentence = (
        "an alarm everywhere is undefined, so it gains nothing"
        if np.isnan(always)
        else (f"an alarm everywhere scores {always:.2f} ({HALF + SLACK:g} is allowed)")
    )
    sentence += f"; noise{f' ({where})' if where else ''} scores {difference_in_words(gain)} "
    sentence += f"{'nothing' if np.isnan(always) else 'it'} ({SLACK:g} more is allowed)"
    statistic, bound = (always, HALF + SLACK) if too_high else (gain, SLACK)
    shown = None
    if decision.outcome == FAIL:
        shown = _always(run) if too_high else noise_example(run, lambda one: one + SLACK)
    extras = {"an alarm everywhere": float(always), "noise beyond it": float(gain)}
    return Result(
        "L1", decision.outcome, sentence, float(statistic), bound, decision.trials, extras, shown,
        sentence_has_extras=True,
    )  # fmt: skip


def _excess_without_knowledge(noise: Floats, ones: Floats | None = None) -> Floats:
    """How far an alarm everywhere lies above one half, or noise above an alarm everywhere."""
    return noise - HALF - SLACK if ones is None else _gain_over_always(noise, ones) - SLACK


def _always(run: Run) -> Counterexample:
    """Short series on which an alarm everywhere scores more than one half, if there is one."""

    def shows(width: int) -> bool:
        labels = even_labels(1, width, 9 * width)
        return run.value(labels, np.ones(labels.size, bool)) > HALF + SLACK

    labels = even_labels(1, size := smallest_size((1, 2, 4, 10), shows, 45), 9 * size)
    return run.example(labels, {run.kind: np.ones(labels.size, bool)})


def c1a(run: Run) -> Result:
    """Range of the means of noise over thresholds, with events of one width."""
    return _flat(run, "C-1a", EQUAL)


def c1a_mixed(run: Run) -> Result:
    """Range of the means of noise over thresholds, with events of many widths."""
    return _flat(run, "C-1a-mixed", SKEWED)


def _flat(run: Run, name: str, setting: Setting) -> Result:
    levels = range(1, FLAT + 1)
    pairs = [BoundTest(setting, (a, b)) for a in levels for b in levels if a != b]
    decision = run_until_decided(run, pairs, _excess_range, 0.0)
    if not decision.trials:
        return _no_value(name)
    found = column_means(run.noise(setting, run.effort.trials, levels)[:, levels])
    most, least = largest(found), -largest(-found)
    span, bound = most - least, _NOTHING  # as a number where a tenth is less than that
    said = f"{span:.3f}; {bound:g}"
    if _RANGE * most > _NOTHING:
        span, bound = span / most, _RANGE
        said = f"{percent(span)}; {percent(bound)}"
    sentence = f"between thresholds {LEVELS[0]:g} and {LEVELS[FLAT - 1]:g} noise scores from "
    sentence += f"{least:.3f} to {most:.3f}, a range of {said} is allowed"
    shown = range_example(run, _RANGE, _NOTHING) if decision.outcome == FAIL else None
    extras = {f"{level:g}": float(x) for level, x in zip(LEVELS, found, strict=False)}
    return Result(name, decision.outcome, sentence, span, bound, decision.trials, extras, shown)


def _excess_range(high: Floats, low: Floats) -> Floats:
    """How much more one level scores than another, beyond what is allowed.

    The two share their labels and their noise, so their difference varies little.
    """
    return high - low - np.maximum(_RANGE * high, _NOTHING)


def _columns(run: Run) -> list[int]:
    """Columns of noise: an alarm everywhere and every level; of scores, noise alone."""
    return list(range(run.kind == "scores", 1 + len(run.levels)))


def _mean_alone(run: Run, columns: list[int]) -> float:
    """Largest mean on labels with a single event, from fewer trials."""
    return largest(column_means(run.noise(ALONE, run.effort.trials // 4, columns)[:, columns]))


def _gain_over_always(noise: Floats, ones: Floats) -> Floats:
    """How much noise gains beside an alarm everywhere; an undefined one is nothing gained."""
    return noise - np.nan_to_num(ones)


def _threshold_in_words(run: Run, column: int) -> str:
    """Threshold of a column of noise, and a comma; nothing for a metric of scores."""
    if run.kind == "scores":
        return ""
    return f"threshold {LEVELS[column - 1]:g}, " if column else "an alarm everywhere, "


def _no_value(name: str) -> Result:
    return Result(name, UNDECIDED, "it gave no value to decide by")
