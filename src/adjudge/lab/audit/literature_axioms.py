"""L1 to L12: what the field's other papers ask of a metric."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from adjudge.lab.audit.axiom import EXACT
from adjudge.lab.audit.confidence import OutOfTime
from adjudge.lab.audit.counterexample import Counterexample, shrink, smallest_size
from adjudge.lab.audit.drawn_cases import (
    even_labels,
    event_bounds,
    mixed_widths,
    scattered_case,
    small_case,
)
from adjudge.lab.audit.result import FAIL, PASS, UNDECIDED, Result
from adjudge.lab.audit.subject_calls import WITHOUT_VALUE, Pair
from adjudge.tables.look import percent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from adjudge._typing import Array, Flags
    from adjudge.lab.audit.run import Run

_JUMP = 0.1
_SAME = 1e-12
_CHUNK = 200
_DRIFT = 0.01
_PRICES = ((2, 2, 8), (4, 5, 10), (20, 50, 450))
"""Events, width and gap of L11; the outcome is taken on the last."""


def l3(run: Run) -> Result:
    """Slide an alarm over an event, point by point: the largest change of one step."""
    jump, place = _largest_jump(run, 20, 50)
    if math.isnan(jump):
        return Result("L3", UNDECIDED, "it gave no value to decide by")
    kept = jump <= _JUMP
    sentence = "an alarm that slides over an event by one point changes the value by up to "
    sentence += f"{jump:.2f}; {_JUMP:g} is allowed"
    shown = None
    if not kept:
        size = smallest_size(
            (1, 2, 3, 5, 10), lambda s: _largest_jump(run, 2 * s, 5 * s)[0] > _JUMP, 10
        )
        _, place = _largest_jump(run, 2 * size, 5 * size)
        labels, alarms = _sliding_alarms(2 * size, 5 * size)
        rows = [run.detection(labels, flags) for flags in alarms[place : place + 2]]
        pair = dict(zip(("before", "after"), rows, strict=True))
        shown = run.example(labels, pair)
    return Result("L3", PASS if kept else FAIL, sentence, jump, _JUMP, run.calls, {}, shown)


def _sliding_alarms(alarm: int, width: int) -> tuple[Flags, list[Flags]]:
    """Move an alarm from before an event to behind it."""
    labels = even_labels(1, width, 6 * width)
    (start,), (stop,) = event_bounds(labels)
    first = int(start) - alarm - 2
    places = range(first, int(stop) + 3)
    point = np.arange(labels.size)
    return labels, [(point >= at) & (point < at + alarm) for at in places]


def _largest_jump(run: Run, alarm: int, width: int) -> tuple[float, int]:
    labels, rows = _sliding_alarms(alarm, width)
    steps = np.abs(np.diff(run.values((labels, run.detection(labels, row)) for row in rows)))
    if np.isnan(steps).all():
        return math.nan, 0
    return float(np.nanmax(steps)), int(np.nanargmax(steps))


def l9(run: Run) -> Result:
    """Put random valid inputs: a value within its range, or undefined, but never an error."""
    rng = run.rng("L9")
    done = 0
    problems = run.subject.problems
    try:
        while done < run.effort.fuzz and not _problems_of_values(problems):
            run.own_values([_random_input(rng, run.kind) for _ in range(_CHUNK)])
            done += _CHUNK
    except OutOfTime:
        if not _problems_of_values(problems):
            return Result("L9", UNDECIDED, f"out of time after {done} inputs", trials=done)
    low, high = run.subject.range
    names = _problems_of_values(problems)
    if not names:
        sentence = f"{done} inputs gave a value from {low:g} to {high:g}, or were undefined"
        return Result("L9", PASS, sentence, 0.0, 0.0, done)
    problem = problems[names[0]]
    pair = problem.pair if names[0] == "hangs" else _shrink_input(run, problem.pair)
    shown = Counterexample(pair.labels > 0, {run.kind: pair.given})
    return Result("L9", FAIL, problem.sentence, float(len(names)), 0.0, done, {}, shown)


def _problems_of_values(problems: Iterable[str]) -> list[str]:
    return [name for name in problems if name in WITHOUT_VALUE | {"returns nan", "out of range"}]


def _random_input(rng: np.random.Generator, kind: str, *, scattered: bool = False) -> Pair:
    labels, flags = scattered_case(rng) if scattered else small_case(rng)
    if kind == "flags":
        return Pair(labels, flags)
    tops = rng.choice([1, 2, 5, 1000])
    return Pair(labels, rng.integers(0, tops + 1, labels.size) * rng.choice([1.0, 0.1, 1e6, -1.0]))


def _shrink_input(run: Run, pair: Pair) -> Pair:
    """Make the input smaller, as long as the value is wrong."""
    low, high = run.subject.range

    def shows(table: Array) -> bool:
        candidate = Pair(table[0] > 0, table[1])
        (value,) = run.own_values([candidate])
        if math.isnan(value):
            return run.must_be_defined(candidate)
        return not low - EXACT <= value <= high + EXACT

    given = pair.given
    table = shrink(np.array([pair.labels > 0, given], given.dtype), shows)
    return Pair(table[0] > 0, table[1])


def l10(run: Run) -> Result:
    """Read time backwards, and write the same values in another way."""
    maps = _maps(run.kind)
    early = _early(run)
    if early:
        del maps["read backwards"]
    rng = run.rng("L10")
    done, total, defined = 0, max(run.effort.fuzz // 10, 60), False
    while done < total:
        pairs = [_random_input(rng, run.kind, scattered=place % 2 > 0) for place in range(20)]
        done += len(pairs)
        plain = run.values(pairs)
        defined |= not np.isnan(plain).all()
        for name, other in maps.items():
            changed = run.values(other(*pair) for pair in pairs)
            apart = ~(np.isclose(plain, changed, 0, _SAME) | (np.isnan(plain) & np.isnan(changed)))
            if apart.any():
                return _asymmetry(run, name, other, pairs[int(np.argmax(apart))])
    if not defined:
        return Result("L10", UNDECIDED, "it gave no value to decide by")
    sentence = f"{done} cases score the same {', '.join(maps)}"
    sentence += " (early hits score more, so time has a direction)" if early else ""
    return Result("L10", PASS, sentence, 0.0, _SAME, done)


def _maps(kind: str) -> dict[str, Callable[[Array, Array], tuple[Array, Array]]]:
    """All changes that must not matter."""
    maps: dict[str, Callable[[Array, Array], tuple[Array, Array]]] = {
        "read backwards": lambda labels, given: (labels[::-1].copy(), given[::-1].copy()),
        "given again": lambda labels, given: (labels, given),
    }
    if kind == "flags":
        maps["as int8"] = lambda labels, given: (labels.astype(np.int8), given.astype(np.int8))
        maps["as floats"] = lambda labels, given: (labels.astype(float), given.astype(float))
    else:
        maps["with labels as floats"] = lambda labels, given: (labels.astype(float), given)
        maps["with scores doubled"] = lambda labels, given: (labels, 2 * given + 3)
        maps["with scores ranked"] = lambda labels, given: (labels, _ranks(given))
    return maps


def _ranks(scores: Array) -> Array:
    return np.unique(scores, return_inverse=True)[1].reshape(-1) ** 2.0


def _early(run: Run) -> bool:
    """Whether early hits score more than late ones."""
    labels, early, late = mixed_widths()
    first, last = run.values((labels, run.detection(labels, flags)) for flags in (early, late))
    return bool(first > last + EXACT)


def _asymmetry(
    run: Run, name: str, other: Callable[[Array, Array], tuple[Array, Array]], pair: Pair
) -> Result:
    def difference(labels: Array, given: Array) -> float:
        first, second = run.values([(labels, given), other(labels, given)])
        same = math.isclose(first, second, abs_tol=_SAME) or (
            math.isnan(first) and math.isnan(second)
        )
        return 0.0 if same else abs(first - second)

    table = np.array([pair.labels, pair.given], pair.given.dtype)
    if name != "given again":
        table = shrink(table, lambda t: difference(t[0] > 0, t[1]) != 0)
    labels, given = table[0] > 0, table[1]
    changed = other(labels, given)[1]
    values = run.own_values([Pair(labels, given), Pair(*other(labels, given))])
    rows: dict[str, Array] = {run.kind: given}
    if name == "read backwards":
        rows["backwards"] = changed
    shown = Counterexample(
        labels, rows, dict(zip(rows, values, strict=False)), f"{name}: {values[1]:.4f}"
    )
    first, second = run.rescale(np.array(values)).tolist()
    apart = abs(second - first)
    return Result("L10", FAIL, f"the same case scores otherwise {name}", apart, _SAME, 0, {}, shown)


def l11(run: Run) -> Result:
    """Double the quiet time: the cost of a single false alarm stays."""
    once, twice = _alarm_costs(run, *_PRICES[-1])
    if math.isnan(once + twice):
        return Result("L11", UNDECIDED, "it gave no value to decide by")
    change = _change(once, twice)
    sentence = f"one false alarm costs {once:.5f}, and {twice:.5f} in twice the time: a change of "
    sentence += f"{percent(change)}; {percent(_DRIFT)} is allowed"
    extras = {"cost": once, "cost in twice the time": twice}
    if change <= _DRIFT:
        return Result("L11", PASS, sentence, change, _DRIFT, 4, extras, sentence_has_extras=True)
    last = len(_PRICES) - 1
    sizes = range(last)
    size = smallest_size(sizes, lambda s: _change(*_alarm_costs(run, *_PRICES[s])) > _DRIFT, last)
    (longer, _), (_, louder) = _alarm_layouts(*_PRICES[size])[2:]
    shown = run.example(longer, {run.kind: run.detection(longer, louder, longer.size // 2)})
    return Result("L11", FAIL, sentence, change, _DRIFT, 4, extras, shown, sentence_has_extras=True)


def _alarm_layouts(events: int, width: int, gap: int) -> list[tuple[Flags, Flags]]:
    """Lay out perfect flags and the same with a false alarm; then both with as much quiet time."""
    labels = even_labels(events, width, gap)
    alarm = labels.copy()
    alarm[labels.size // 2] = True  # the middle of a gap
    quiet = np.zeros(labels.size, bool)
    longer, louder = np.append(labels, quiet), np.append(alarm, quiet)
    return [(labels, labels), (labels, alarm), (longer, longer), (longer, louder)]


def _alarm_costs(run: Run, events: int, width: int, gap: int) -> tuple[float, float]:
    quiet = (0, 0, *2 * [events * (width + gap)])
    layouts = zip(_alarm_layouts(events, width, gap), quiet, strict=True)
    found = run.values(
        (labels, run.detection(labels, flags, q)) for (labels, flags), q in layouts
    ).tolist()
    return found[0] - found[1], found[2] - found[3]


def _change(once: float, twice: float) -> float:
    most = max(abs(once), abs(twice))
    return abs(once - twice) / most if most > _SAME else 0.0
