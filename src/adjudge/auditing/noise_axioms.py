"""C-1 and its kin: what a detector that knows nothing of the labels may score."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.auditing.axiom import FAIL, PASS, UNDECIDED, Counterexample, Verdict, compared
from adjudge.auditing.confidence import Interval, mean_interval, share_interval
from adjudge.auditing.drawn_cases import (
    DETECTORS,
    EQUAL,
    FLAT,
    LEVELS,
    MIXED,
    REPEATS,
    SKEWED,
    evenly,
)
from adjudge.auditing.questions import Pair, TimeUp

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from adjudge._typing import Array, Flags, Floats
    from adjudge.auditing.axiom import Outcome
    from adjudge.auditing.drawn_cases import Setting
    from adjudge.auditing.questions import Hearing

CHANCE = 0.5
SLACK = 0.02
"""What a mean may lie above its bound: else a chance level of exactly one half is never decided."""
_OFTEN = 0.05
_RANGE = 0.10
_NOTHING = 0.01  # a range that is flat, whatever the mean


def decided(low: float, high: float, bound: float) -> Outcome:
    """Hold an interval against the largest value allowed.

    >>> decided(0.1, 0.2, 0.5), decided(0.4, 0.6, 0.5), decided(0.6, 0.7, 0.5)
    ('pass', 'undecided', 'fail')
    """
    return PASS if high <= bound else FAIL if low > bound else UNDECIDED


def c1(hearing: Hearing) -> Verdict:
    """Judge uniform noise at twelve thresholds, and below all scores: the largest mean."""
    bound = CHANCE + SLACK
    race = raced(hearing, MIXED, _columns(hearing), lambda noise: noise, bound)
    if not race.trials:
        return _nothing("C-1")
    extras = _repeats(hearing)
    most = top(race.means)
    sentence = f"noise scores up to {most:.2f} on average{_where(hearing, race.means)}"
    sentence += f"; {bound:g} is allowed"
    elsewhere = [f"{name} ({value:.2f})" for name, value in extras.items() if value > bound]
    if elsewhere and race.outcome == PASS:
        sentence += f"; it would fail with {' and with '.join(elsewhere)}"
    shown = _small_noise(hearing, lambda _: bound) if race.outcome == FAIL else None
    return Verdict("C-1", race.outcome, sentence, most, bound, race.trials, extras, shown)


def c1s(hearing: Hearing) -> Verdict:
    """Hold uniform noise against an alarm everywhere."""
    pairs = [(column, 0) for (column,) in _columns(hearing) if column]
    race = raced(hearing, MIXED, pairs, _ahead, SLACK)
    if not race.trials:
        return _nothing("C-1s")
    ones = hearing.noise(MIXED, hearing.effort.trials, [0])[:, 0]
    always = 0.0 if np.isnan(ones).all() else float(np.nanmean(ones))
    most = top(race.means)
    sentence = f"noise{_where(hearing, np.append(np.nan, race.means))} scores {compared(most)} an "
    sentence += f"alarm everywhere, which scores {always:.2f}; {SLACK:g} more is allowed"
    if always > CHANCE and race.outcome == PASS:
        sentence += " (which says little here: alarming always already scores that much)"
    shown = _small_noise(hearing, lambda one: one + SLACK) if race.outcome == FAIL else None
    extras = {"an alarm everywhere": always}
    return Verdict(
        "C-1s", race.outcome, sentence, most, SLACK, race.trials, extras, shown, told=True
    )


def c1q(hearing: Hearing) -> Verdict:
    """Count the runs of noise that exceed one half."""

    def shares(table: Floats, comparisons: int) -> Interval:
        return share_interval((table > CHANCE + 1e-9).sum(axis=0), len(table), comparisons)

    race = raced(hearing, MIXED, _columns(hearing), lambda noise: noise, _OFTEN, shares)
    if not race.trials:
        return _nothing("C-1q")
    most = top(race.means)
    sentence = f"{most:.1%} of noise runs exceed {CHANCE:g}{_where(hearing, race.means)}"
    sentence += f"; {_OFTEN:.0%} is allowed"
    shown = _small_noise(hearing, lambda _: CHANCE) if race.outcome == FAIL else None
    return Verdict("C-1q", race.outcome, sentence, most, _OFTEN, race.trials, {}, shown)


def c1r(hearing: Hearing) -> Verdict:
    """Hold detectors that are stationary but not white against an alarm everywhere."""
    first = 1 + len(hearing.levels)
    pairs = [(first + place, 0) for place in range(len(DETECTORS))]
    race = raced(hearing, MIXED, pairs, _ahead, SLACK)
    if not race.trials:
        return _nothing("C-1r")
    extras = dict(zip(DETECTORS, race.means.tolist(), strict=True))
    most = top(race.means)
    worst = DETECTORS[int(np.nanargmax(race.means))]
    sentence = f"detectors that do not see the labels ({worst}) score {compared(most)} an alarm "
    sentence += f"everywhere; {SLACK:g} more is allowed"
    shown = _small_noise(hearing, lambda one: one + SLACK) if race.outcome == FAIL else None
    return Verdict("C-1r", race.outcome, sentence, most, SLACK, race.trials, extras, shown)


def c1a(hearing: Hearing) -> Verdict:
    """Ask for a flat mean over thresholds, with events of one width."""
    return _flat(hearing, "C-1a", EQUAL)


def c1a_mixed(hearing: Hearing) -> Verdict:
    """Ask for a flat mean over thresholds, with events of many widths."""
    return _flat(hearing, "C-1a-mixed", SKEWED)


def _flat(hearing: Hearing, name: str, setting: Setting) -> Verdict:
    levels = range(1, FLAT + 1)
    pairs = [(one, other) for one in levels for other in levels if one != other]
    race = raced(hearing, setting, pairs, _lack, 0.0)
    if not race.trials:
        return _nothing(name)
    found = mean_interval(hearing.noise(setting, hearing.effort.trials, levels)[:, levels]).mean
    most, least = top(found), -top(-found)
    relative = (most - least) / most if most > _NOTHING else 0.0
    sentence = f"between thresholds {LEVELS[0]:g} and {LEVELS[FLAT - 1]:g} noise scores from "
    sentence += f"{least:.3f} to {most:.3f}, a range of {relative:.0%}; {_RANGE:.0%} is allowed"
    shown = _small_range(hearing) if race.outcome == FAIL else None
    extras = {f"{level:g}": float(x) for level, x in zip(LEVELS, found, strict=False)}
    return Verdict(name, race.outcome, sentence, relative, _RANGE, race.trials, extras, shown)


def _lack(high: Floats, low: Floats) -> Floats:
    """Give how much more one level scores than another, beyond what is allowed.

    The two share their labels and their noise, so their difference varies little.
    """
    return high - low - np.maximum(_RANGE * high, _NOTHING)


class Race(NamedTuple):
    """How a number of comparisons ended: the mean of each, when it was last looked at."""

    outcome: Outcome
    means: Floats
    trials: int


def raced(
    hearing: Hearing,
    setting: Setting,
    comparisons: Sequence[tuple[int, ...]],
    excess: Callable[..., Floats],
    bound: float,
    interval: Callable[[Floats, int], Interval] = mean_interval,
) -> Race:
    """Draw noise until no comparison can exceed a bound any more, or one surely does.

    A comparison is a formula of some columns of the noise. One that is surely below its bound
    leaves the race, and its columns are drawn no further.
    """
    means = np.full(len(comparisons), np.nan)
    left = list(range(len(comparisons)))
    there = 0
    for trials in hearing.effort.looks():
        columns = sorted({column for place in left for column in comparisons[place]})
        noise = hearing.noise(setting, trials, columns)
        if not len(noise):
            break
        parts = [excess(*(noise[:, column] for column in comparisons[place])) for place in left]
        table = np.stack(parts, axis=1)
        if np.isnan(table).all():  # nothing is defined
            break
        found = interval(table, len(comparisons))
        means[left] = found.mean
        there = len(noise)
        if (found.low > bound).any():
            return Race(FAIL, means, there)
        left = [place for place, high in zip(left, found.high, strict=True) if high > bound]
        if not left:
            return Race(PASS, means, there)
        if there < trials:
            break
    return Race(UNDECIDED, means, there)


def _columns(hearing: Hearing) -> list[tuple[int, ...]]:
    """Name the columns of noise: an alarm everywhere and every level; of scores, noise alone."""
    return [(column,) for column in range(hearing.kind == "scores", 1 + len(hearing.levels))]


def _repeats(hearing: Hearing) -> dict[str, float]:
    """Give the largest mean on other labels, from fewer trials."""
    found = {}
    columns = [column for (column,) in _columns(hearing)]
    for setting in REPEATS:
        noise = hearing.noise(setting, hearing.effort.trials // 4, columns)[:, columns]
        if len(noise) and not np.isnan(noise).all():
            found[setting.name] = top(mean_interval(noise).mean)
    return found


def _ahead(noise: Floats, ones: Floats) -> Floats:
    """Give what noise gains beside an alarm everywhere; an undefined one is nothing gained."""
    return noise - np.nan_to_num(ones)


def top(values: Array) -> float:
    """Give the largest value that is defined."""
    there = values[~np.isnan(values)]
    return float(there.max()) if there.size else float("nan")


def _where(hearing: Hearing, means: Floats) -> str:
    """Name the threshold of the largest mean."""
    if hearing.kind == "scores" or not top(means) > 0:
        return ""
    place = int(np.nanargmax(means))
    return f" (threshold {LEVELS[place - 1]:g})" if place else " (an alarm everywhere)"


def _nothing(name: str) -> Verdict:
    return Verdict(name, UNDECIDED, "it gave no value to decide by")


def _shift_mean(hearing: Hearing, labels: Flags, flags: Array) -> float:
    """Put the same alarms at every place in time, and take the mean of the metric's own values."""
    pairs = [Pair(labels, np.roll(flags, by)) for by in range(labels.size)]
    found = np.array(hearing.raw(pairs))
    return float(mean_interval(found[:, np.newaxis]).mean[0])


def _small_noise(hearing: Hearing, most: Callable[[float], float]) -> Counterexample | None:
    """Find a short series on which one pattern of alarms, wherever it stands, scores too much.

    The pattern is shifted through every place in time, so its mean is exact, and it knows nothing.
    """
    rng = hearing.rng("small noise")
    with suppress(TimeUp):
        for width in (3, 4, 6, 10, 20):
            labels = evenly(1, width, 3 * width)
            one = hearing.value(labels, np.ones(labels.size, bool))
            bound = most(0.0 if np.isnan(one) else one)
            for flags in _patterns(labels.size, width, rng, hearing.kind == "scores"):
                mean = _shift_mean(hearing, labels, flags)
                if hearing.turned(np.array(mean)) > bound:
                    note = f"put at every place in time it scores {mean:.4f} on average"
                    rows = {"flags" if hearing.kind == "flags" else "scores": flags}
                    return Counterexample(labels, rows, hearing.own(labels, rows), note)
    return None


def _patterns(n: int, width: int, rng: np.random.Generator, scores: bool) -> list[Array]:
    if scores:
        return [np.arange(n) % width + 0.0, *(rng.random(n).round(2) for _ in range(4))]
    combs = [np.arange(n) % step == 0 for step in (width, max(width // 2, 2), n)]
    return [*combs, *(rng.random(n) < rate for rate in (0.9, 0.5, 0.2))]


def _small_range(hearing: Hearing) -> Counterexample | None:
    """Find a short series on which few alarms and many, wherever they stand, score differently."""
    with suppress(TimeUp):
        for widths, apart in (((4,), 5), ((10,), 10), ((20,), 20), ((2, 2, 2, 12), 72)):
            labels = np.concatenate([evenly(1, width, 4 * width) for width in widths])
            many = np.ones(labels.size, bool)
            few = np.arange(labels.size) % apart == 0
            means = [_shift_mean(hearing, labels, flags) for flags in (few, many)]
            turned = hearing.turned(np.array(means)).tolist()
            if max(turned) - min(turned) > max(_RANGE * max(turned), _NOTHING):
                rows = {"few": few, "many": many}
                note = "values: means over every place in time"
                return Counterexample(labels, rows, dict(zip(rows, means, strict=True)), note)
    return None
