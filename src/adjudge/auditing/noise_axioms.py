"""C-1 and its kin: what a detector that knows nothing of the labels may score."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from adjudge.auditing.confidence import column_means
from adjudge.auditing.decision import largest, run_until_decided
from adjudge.auditing.drawn_cases import (
    DETECTORS,
    EQUAL,
    FLAT,
    LEVELS,
    MIXED,
    REPEATS,
    SKEWED,
)
from adjudge.auditing.noise_examples import noise_example, range_example
from adjudge.auditing.result import FAIL, PASS, UNDECIDED, Result, difference_in_words

if TYPE_CHECKING:
    from adjudge._typing import Floats
    from adjudge.auditing.confidence import Interval
    from adjudge.auditing.drawn_cases import Setting
    from adjudge.auditing.run import Run

CHANCE = 0.5
SLACK = 0.02
"""What a mean may lie above its bound: else a chance level of exactly one half is never decided."""
_OFTEN = 0.05
_RANGE = 0.10
_NOTHING = 0.01  # a range that is flat, whatever the mean


def c1(run: Run) -> Result:
    """Judge uniform noise at twelve thresholds, and below all scores: the largest mean."""
    bound = CHANCE + SLACK
    decision = run_until_decided(run, MIXED, _columns(run), lambda noise: noise, bound)
    if not decision.trials:
        return _no_value("C-1")
    extras = _repeats(run)
    most = largest(decision.means)
    sentence = f"noise scores up to {most:.2f} on average{_threshold_in_words(run, decision.means)}"
    sentence += f"; {bound:g} is allowed"
    elsewhere = [f"{name} ({value:.2f})" for name, value in extras.items() if value > bound]
    if elsewhere and decision.outcome == PASS:
        sentence += f"; it would fail with {' and with '.join(elsewhere)}"
    shown = noise_example(run, lambda _: bound) if decision.outcome == FAIL else None
    return Result("C-1", decision.outcome, sentence, most, bound, decision.trials, extras, shown)


def c1s(run: Run) -> Result:
    """Hold uniform noise against an alarm everywhere."""
    pairs = [(column, 0) for (column,) in _columns(run) if column]
    decision = run_until_decided(run, MIXED, pairs, _gain_over_always, SLACK)
    if not decision.trials:
        return _no_value("C-1s")
    ones = run.noise(MIXED, run.effort.trials, [0])[:, 0]
    always = 0.0 if np.isnan(ones).all() else float(np.nanmean(ones))
    most = largest(decision.means)
    where = _threshold_in_words(run, np.append(np.nan, decision.means))
    sentence = f"noise{where} scores {difference_in_words(most)} an alarm everywhere, "
    sentence += f"which scores {always:.2f}; {SLACK:g} more is allowed"
    if always > CHANCE and decision.outcome == PASS:
        sentence += " (which says little here: alarming always already scores that much)"
    shown = noise_example(run, lambda one: one + SLACK) if decision.outcome == FAIL else None
    extras = {"an alarm everywhere": always}
    return Result(
        "C-1s",
        decision.outcome,
        sentence,
        most,
        SLACK,
        decision.trials,
        extras,
        shown,
        sentence_has_extras=True,
    )


def c1q(run: Run) -> Result:
    """Count the runs of noise that exceed one half."""

    def shares(table: Floats, comparisons: int) -> Interval:
        return run.confidence.share_interval(
            (table > CHANCE + 1e-9).sum(axis=0), len(table), comparisons
        )

    decision = run_until_decided(run, MIXED, _columns(run), lambda noise: noise, _OFTEN, shares)
    if not decision.trials:
        return _no_value("C-1q")
    most = largest(decision.means)
    sentence = (
        f"{most:.1%} of noise runs exceed {CHANCE:g}{_threshold_in_words(run, decision.means)}"
    )
    sentence += f"; {_OFTEN:.0%} is allowed"
    shown = noise_example(run, lambda _: CHANCE) if decision.outcome == FAIL else None
    return Result("C-1q", decision.outcome, sentence, most, _OFTEN, decision.trials, {}, shown)


def c1r(run: Run) -> Result:
    """Hold detectors that are stationary but not white against an alarm everywhere."""
    first = 1 + len(run.levels)
    pairs = [(first + place, 0) for place in range(len(DETECTORS))]
    decision = run_until_decided(run, MIXED, pairs, _gain_over_always, SLACK)
    if not decision.trials:
        return _no_value("C-1r")
    extras = dict(zip(DETECTORS, decision.means.tolist(), strict=True))
    most = largest(decision.means)
    worst = DETECTORS[int(np.nanargmax(decision.means))]
    sentence = f"detectors that do not see the labels ({worst}) score "
    sentence += f"{difference_in_words(most)} an alarm everywhere; {SLACK:g} more is allowed"
    shown = noise_example(run, lambda one: one + SLACK) if decision.outcome == FAIL else None
    return Result("C-1r", decision.outcome, sentence, most, SLACK, decision.trials, extras, shown)


def c1a(run: Run) -> Result:
    """Ask for a flat mean over thresholds, with events of one width."""
    return _flat(run, "C-1a", EQUAL)


def c1a_mixed(run: Run) -> Result:
    """Ask for a flat mean over thresholds, with events of many widths."""
    return _flat(run, "C-1a-mixed", SKEWED)


def _flat(run: Run, name: str, setting: Setting) -> Result:
    levels = range(1, FLAT + 1)
    pairs = [(one, other) for one in levels for other in levels if one != other]
    decision = run_until_decided(run, setting, pairs, _excess_range, 0.0)
    if not decision.trials:
        return _no_value(name)
    found = column_means(run.noise(setting, run.effort.trials, levels)[:, levels])
    most, least = largest(found), -largest(-found)
    relative = (most - least) / most if most > _NOTHING else 0.0
    sentence = f"between thresholds {LEVELS[0]:g} and {LEVELS[FLAT - 1]:g} noise scores from "
    sentence += f"{least:.3f} to {most:.3f}, a range of {relative:.0%}; {_RANGE:.0%} is allowed"
    shown = range_example(run, _RANGE, _NOTHING) if decision.outcome == FAIL else None
    extras = {f"{level:g}": float(x) for level, x in zip(LEVELS, found, strict=False)}
    return Result(
        name, decision.outcome, sentence, relative, _RANGE, decision.trials, extras, shown
    )


def _excess_range(high: Floats, low: Floats) -> Floats:
    """How much more one level scores than another, beyond what is allowed.

    The two share their labels and their noise, so their difference varies little.
    """
    return high - low - np.maximum(_RANGE * high, _NOTHING)


def _columns(run: Run) -> list[tuple[int, ...]]:
    """Columns of noise: an alarm everywhere and every level; of scores, noise alone."""
    return [(column,) for column in range(run.kind == "scores", 1 + len(run.levels))]


def _repeats(run: Run) -> dict[str, float]:
    """Largest mean on other labels, from fewer trials."""
    found = {}
    columns = [column for (column,) in _columns(run)]
    for setting in REPEATS:
        noise = run.noise(setting, run.effort.trials // 4, columns)[:, columns]
        if len(noise) and not np.isnan(noise).all():
            found[setting.name] = largest(column_means(noise))
    return found


def _gain_over_always(noise: Floats, ones: Floats) -> Floats:
    """How much noise gains beside an alarm everywhere; an undefined one is nothing gained."""
    return noise - np.nan_to_num(ones)


def _threshold_in_words(run: Run, means: Floats) -> str:
    """Threshold of the largest mean."""
    if run.kind == "scores" or not largest(means) > 0:
        return ""
    place = int(np.nanargmax(means))
    return f" (threshold {LEVELS[place - 1]:g})" if place else " (an alarm everywhere)"


def _no_value(name: str) -> Result:
    return Result(name, UNDECIDED, "it gave no value to decide by")
