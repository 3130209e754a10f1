"""Checks of the readings and the times: what is missing, constant or there twice."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.data.intervals import runs
from adjudge.lab.inspection.agreement import standard_ranks
from adjudge.lab.inspection.result import CheckResult, Remark, counted, found
from adjudge.ranking.baselines import period_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge._typing import Floats
    from adjudge.lab.inspection.series import InspectedSeries

    Benchmark = Sequence[InspectedSeries]

WINDOW = 64
"""So many equal readings in a row, which are not a constant, are a copy."""
TWINS = 0.9
"""The rank correlation of the steps of two series from which they are twins."""
BEYOND_RHYTHM = 0.5
"""So much must be left of it without what each did one period before: a shared day is no twin."""
STILL = 0.1
"""A series that is constant for this share of its points is reported."""
_APART = 16
"""Windows of one series are looked for at every so many points of the other."""
_HOLE = 1.5
_FEWEST = 50
_ALIKE = 0.01


class ReadingFacts(NamedTuple):
    """What the readings of a series are, over all its sensors."""

    missing_readings: int
    longest_constant: int


class TimeFacts(NamedTuple):
    """What the clock of a series does."""

    holes: int
    """Steps longer than one and a half of the usual."""
    repeated: int
    backwards: int


def reading_facts(series: InspectedSeries) -> ReadingFacts:
    """Count what is missing, and find the longest stretch of equal readings of all sensors."""
    missing, still = np.zeros(series.n, bool), np.ones(max(series.n - 1, 0), bool)
    for readings in series.values.values():
        missing |= ~np.isfinite(readings)
        still &= np.diff(readings) == 0
    starts, stops = runs(still, np.zeros(1, np.int64)) if still.size else (still, still)
    longest = 1 + int((stops - starts).max(initial=0)) if still.any() else 1
    return ReadingFacts(int(missing.sum()), longest)


def time_facts(series: InspectedSeries) -> TimeFacts | None:
    """Count holes and steps that do not go forward; None where no time is known."""
    if series.clock is None or series.n < 2:
        return None
    steps = np.diff(series.clock.instants)
    usual = float(np.median(steps))
    return TimeFacts(
        int(np.count_nonzero(steps > _HOLE * usual)),
        int(np.count_nonzero(steps == 0)),
        int(np.count_nonzero(steps < 0)),
    )


def check_readings(benchmark: Benchmark) -> CheckResult:
    """Whether readings are missing, or stand still for long."""
    facts = {one.name: reading_facts(one) for one in benchmark if one.values}
    lengths = {one.name: one.n for one in benchmark}
    gaps = sum(own.missing_readings for own in facts.values())
    lacking = sum(own.missing_readings > 0 for own in facts.values())
    still = [
        name for name, own in facts.items() if own.longest_constant >= max(STILL * lengths[name], 2)
    ]
    rows = [
        Remark(
            "readings", "look",
            f"{facts[name].longest_constant:,} of {lengths[name]:,} readings in a row are equal.",
            name, facts[name].longest_constant / lengths[name], limit=STILL,
        )
        for name in still
    ]  # fmt: skip
    if not gaps and not still:
        says = "No reading is missing, and no series is constant for a tenth of its time."
        return found(Remark("readings", "fine", says, value=0.0, limit=STILL))
    parts = [f"{gaps:,} readings are missing, in {lacking:,} series"] * bool(gaps)
    stand = counted(len(still), "series is", "series are")
    parts += [f"{stand} constant for a tenth of the time or more"] * bool(still)
    says = f"{'; '.join(parts)}."
    return found(Remark("readings", "look", says, value=float(len(still)), limit=STILL), *rows)


def check_times(benchmark: Benchmark) -> CheckResult:
    """Whether times have holes, come twice, or go back."""
    own = [one for one in map(time_facts, benchmark) if one is not None]
    if not own:
        return found(Remark("times", "cannot say", "Every series has a single time."))
    sums = [(sum(one), sum(count > 0 for count in one)) for one in zip(*own, strict=True)]
    words = (("hole", "holes"), ("repeated time", "repeated times"), ("step back", "steps back"))
    parts = [
        f"{counted(count, *name)} in {where:,} series"
        for (count, where), name in zip(sums, words, strict=True)
        if count
    ]
    if not parts:
        says = "Times go forward in even steps."
        return found(Remark("times", "fine", says, value=0.0))
    total = float(sum(count for count, _ in sums))
    return found(Remark("times", "look", f"{', '.join(parts)}.", value=total))


def twins(benchmark: Benchmark) -> dict[tuple[str, str], float]:
    """Pairs of series, about equally long, whose steps have a rank correlation of 0.9 or more.

    Where both only follow the same rhythm, such as the hours of a day, they are none.
    """
    signals = {one.name: one.signal for one in benchmark if one.signal is not None}
    steps = {name: np.diff(signal) for name, signal in signals.items()}
    moving = {name: own for name, own in steps.items() if len(own) >= _FEWEST and np.ptp(own) > 0}
    ranks = {name: standard_ranks(own) for name, own in moving.items()}
    pairs = {}
    for one, other in combinations(moving, 2):
        k, most = sorted((len(moving[one]), len(moving[other])))
        if most - k <= _ALIKE * k:
            both = (
                (ranks[one], ranks[other]) if k == most
                else (standard_ranks(moving[one][:k]), standard_ranks(moving[other][:k]))
            )  # fmt: skip
            correlation = float(np.mean(both[0] * both[1]))
            if abs(correlation) >= TWINS and not _share_a_rhythm(signals[one], signals[other]):
                pairs[one, other] = correlation
    return pairs


def _share_a_rhythm(one: Floats, other: Floats) -> bool:
    """Whether two series are alike only as far as each repeats what it did a period before."""
    period, k = period_of(one), min(len(one), len(other))
    if not 0 < period <= k // 2:
        return False
    left = [own[period:k] - own[: k - period] for own in (one, other)]
    ranks = [standard_ranks(np.diff(own)) for own in left]
    return bool(ranks[0].any() and abs(np.mean(ranks[0] * ranks[1])) < BEYOND_RHYTHM)


def shared_windows(benchmark: Benchmark) -> dict[tuple[str, str], int]:
    """How many windows of 64 readings two series have in common, to the last digit.

    A series beside itself: windows of its training part that its judged part has too. Windows in
    which fewer than a quarter of the readings differ are left out.
    """
    seen: dict[int, set[int]] = {}
    for place, one in enumerate(benchmark):
        for window in _windows(one, every=_APART, stop=one.n):
            seen.setdefault(window, set()).add(place)
    pairs: dict[tuple[str, str], int] = {}
    for place, one in enumerate(benchmark):
        learnt = set(_windows(one, every=_APART, stop=one.first))
        for start, window in enumerate(_windows(one, every=1, stop=one.n, varied=False)):
            others = seen.get(window, set()) - {place}
            for other in others:
                names = benchmark[min(place, other)].name, benchmark[max(place, other)].name
                pairs[names] = pairs.get(names, 0) + 1
            if start >= one.first and window in learnt:
                pairs[one.name, one.name] = pairs.get((one.name, one.name), 0) + 1
    return pairs


def _windows(series: InspectedSeries, *, every: int, stop: int, varied: bool = True) -> list[int]:
    """Numbers that tell windows before a point apart; by default of those that vary."""
    if series.signal is None or stop < WINDOW:
        return []
    readings: Floats = series.signal[:stop]
    windows = np.lib.stride_tricks.sliding_window_view(readings, WINDOW)[::every]
    return [
        hash(one.tobytes()) for one in windows if not varied or len(np.unique(one)) > WINDOW // 4
    ]


def _can_be_compared(series: InspectedSeries) -> bool:
    """Whether a series has readings by which a copy of it could be told."""
    own = series.signal
    return own is not None and len(own) > _FEWEST and bool(np.ptp(own) > 0)


def check_copies(benchmark: Benchmark) -> CheckResult:
    """Whether the same readings stand in two series, or in training and in what is judged."""
    alike, shared = twins(benchmark), shared_windows(benchmark)
    between = {pair: count for pair, count in shared.items() if pair[0] != pair[1]}
    within = [one for one, other in shared if one == other]
    pairs = list(dict.fromkeys([*between, *alike]))
    rows = [
        Remark(
            "copies", "look",
            f"{shared[name, name]:,} windows of {WINDOW} readings are in the training part and in "
            "the judged part too; a signal without noise repeats itself like this.",
            name, float(shared[name, name]),
        )
        for name in within
    ]  # fmt: skip
    if not pairs:
        if len(benchmark) == 1 and not benchmark[0].first:
            says = "There is one series alone, without a training part: nothing to compare."
            return found(Remark("copies", "cannot say", says))
        compared = [one for one in benchmark if _can_be_compared(one)]
        if len(compared) < 2 and not any(one.first for one in compared):
            says = (
                f"Fewer than two series have more than {_FEWEST} readings that change: nothing to "
                "compare."
            )
            return found(Remark("copies", "cannot say", says))
        says = f"No two of {len(compared):,} series have the same readings, or move together."
        if others := len(benchmark) - len(compared):
            has = counted(others, "other has", "others have")
            says += f" {has} too few readings, or none that change."
        head = Remark("copies", "look" if within else "fine", says, value=0.0, limit=TWINS)
        return found(head, *rows)
    first = pairs[0]
    because = (
        f"which have {between[first]:,} windows of {WINDOW} readings in common"
        if first in between
        else f"whose steps have a rank correlation of {alike[first]:.2f}"
    )  # fmt: skip
    many = f"{len(pairs):,} pairs of series are copies or nearly, such as" if len(pairs) > 1 else ""
    says = f"{many or 'Copies, or nearly:'} {first[0]} and {first[1]}, {because}."
    head = Remark("copies", "flaw", says, value=float(len(pairs)), limit=TWINS)
    return found(head, *rows)
