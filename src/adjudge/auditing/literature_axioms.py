"""L1 to L12: what the field's other papers ask of a metric."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from adjudge.auditing.axiom import FAIL, PASS, UNDECIDED, Counterexample, Verdict
from adjudge.auditing.drawn_cases import MIXED, bounds, evenly, small
from adjudge.auditing.noise_axioms import CHANCE, SLACK
from adjudge.auditing.order_axioms import EXACT
from adjudge.auditing.pair_axioms import mixed_widths
from adjudge.auditing.questions import BROKEN, Pair, TimeUp
from adjudge.auditing.shrinking import shrunk, smallest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from adjudge._typing import Array, Flags
    from adjudge.auditing.questions import Hearing

_JUMP = 0.1
_SAME = 1e-12
_CHUNK = 200
_DRIFT = 0.01
_PRICES = ((2, 2, 8), (4, 5, 10), (20, 50, 450))
"""Events, width and gap of L11; the verdict is taken on the last."""


def l1(hearing: Hearing) -> Verdict:
    """Judge an alarm everywhere."""
    rng = hearing.rng("L1")
    drawn = [MIXED.labels(rng) for _ in range(10)]
    found = hearing.values((labels, np.ones(labels.size, bool)) for labels in drawn)
    if np.isnan(found).all():
        if _untotal(hearing.witness.faults):
            return Verdict("L1", UNDECIDED, "it gave no value to decide by")
        return Verdict("L1", PASS, "an alarm everywhere is undefined, so it gains nothing")
    most = [_allowed(labels, hearing.kind) for labels in drawn]
    over = found - np.array(most)
    worst = int(np.nanargmax(over))
    kept = bool(over[worst] <= _SAME)
    sentence = f"an alarm everywhere scores {found[worst]:.2f}; {most[worst]:.2f} is allowed"
    shown = None
    if not kept:
        size = smallest((1, 2, 4, 10), lambda s: _trivial(hearing, evenly(1, s, 9 * s)), 0)
        labels = evenly(1, size, 9 * size) if size else drawn[worst]
        rows = {"flags": np.ones(labels.size, bool)}
        shown = Counterexample(labels, rows, hearing.own(labels, rows))
    verdict = PASS if kept else FAIL
    return Verdict("L1", verdict, sentence, float(found[worst]), most[worst], 10, {}, shown)


def _allowed(labels: Flags, kind: str) -> float:
    share = float(labels.mean())
    return CHANCE if kind == "scores" else min(CHANCE, 2 * share / (1 + share) + SLACK)


def _trivial(hearing: Hearing, labels: Flags) -> bool:
    return hearing.value(labels, np.ones(labels.size, bool)) > _allowed(labels, hearing.kind)


def l3(hearing: Hearing) -> Verdict:
    """Slide an alarm over an event, point by point: the largest change of one step."""
    jump, place = _slide(hearing, 20, 50)
    if math.isnan(jump):
        return Verdict("L3", UNDECIDED, "it gave no value to decide by")
    kept = jump <= _JUMP
    sentence = "an alarm that slides over an event by one point changes the value by up to "
    sentence += f"{jump:.2f}; {_JUMP:g} is allowed"
    shown = None
    if not kept:
        size = smallest((1, 2, 3, 5, 10), lambda s: _slide(hearing, 2 * s, 5 * s)[0] > _JUMP, 10)
        _, place = _slide(hearing, 2 * size, 5 * size)
        labels, rows = _sliding(2 * size, 5 * size)
        pair = {"before": rows[place], "after": rows[place + 1]}
        shown = Counterexample(labels, pair, hearing.own(labels, pair))
    return Verdict("L3", PASS if kept else FAIL, sentence, jump, _JUMP, hearing.asked, {}, shown)


def _sliding(alarm: int, width: int) -> tuple[Flags, list[Flags]]:
    """Move an alarm from before an event to behind it."""
    labels = evenly(1, width, 6 * width)
    (start,), (stop,) = bounds(labels)
    first = int(start) - alarm - 2
    places = range(first, int(stop) + 3)
    point = np.arange(labels.size)
    return labels, [(point >= at) & (point < at + alarm) for at in places]


def _slide(hearing: Hearing, alarm: int, width: int) -> tuple[float, int]:
    labels, rows = _sliding(alarm, width)
    steps = np.abs(np.diff(hearing.values((labels, row) for row in rows)))
    if np.isnan(steps).all():
        return math.nan, 0
    return float(np.nanmax(steps)), int(np.nanargmax(steps))


def l9(hearing: Hearing) -> Verdict:
    """Put random valid inputs: a value within its range, or undefined, but never an error."""
    rng = hearing.rng("L9")
    done = 0
    faults = hearing.witness.faults
    try:
        while done < hearing.effort.fuzz and not _untotal(faults):
            hearing.raw([_fuzzed(rng, hearing.kind) for _ in range(_CHUNK)])
            done += _CHUNK
    except TimeUp:
        if not _untotal(faults):
            return Verdict("L9", UNDECIDED, f"out of time after {done} inputs", trials=done)
    low, high = hearing.witness.range
    names = _untotal(faults)
    if not names:
        sentence = f"{done} inputs gave a value from {low:g} to {high:g}, or were undefined"
        return Verdict("L9", PASS, sentence, 0.0, 0.0, done)
    fault = faults[names[0]]
    pair = fault.pair if names[0] == "hangs" else _shrunk_fault(hearing, fault.pair)
    name = "flags" if hearing.kind == "flags" else "scores"
    shown = Counterexample(pair.labels > 0, {name: pair.given})
    return Verdict("L9", FAIL, fault.sentence, float(len(names)), 0.0, done, {}, shown)


def _untotal(faults: Iterable[str]) -> list[str]:
    return [name for name in faults if name in BROKEN | {"returns nan", "out of range"}]


def _fuzzed(rng: np.random.Generator, kind: str) -> Pair:
    labels, flags = small(rng)
    if kind == "flags":
        return Pair(labels, flags)
    tops = rng.choice([1, 2, 5, 1000])
    return Pair(labels, rng.integers(0, tops + 1, labels.size) * rng.choice([1.0, 0.1, 1e6, -1.0]))


def _shrunk_fault(hearing: Hearing, pair: Pair) -> Pair:
    """Make the input smaller, as long as the answer is wrong."""
    low, high = hearing.witness.range

    def shows(table: Array) -> bool:
        candidate = Pair(table[0] > 0, table[1])
        (answer,) = hearing.raw([candidate])
        if math.isnan(answer):
            return hearing.must_be_defined(candidate)
        return not low - EXACT <= answer <= high + EXACT

    given = pair.given
    table = shrunk(np.array([pair.labels > 0, given], given.dtype), shows)
    return Pair(table[0] > 0, table[1])


def l10(hearing: Hearing) -> Verdict:
    """Read time backwards, and write the same values in another way."""
    maps = _maps(hearing.kind)
    early = _early(hearing)
    if early:
        del maps["read backwards"]
    rng = hearing.rng("L10")
    done, total, defined = 0, max(hearing.effort.fuzz // 10, 60), False
    while done < total:
        pairs = [_fuzzed(rng, hearing.kind) for _ in range(20)]
        done += len(pairs)
        plain = hearing.values(pairs)
        defined |= not np.isnan(plain).all()
        for name, other in maps.items():
            changed = hearing.values(other(*pair) for pair in pairs)
            apart = ~(np.isclose(plain, changed, 0, _SAME) | (np.isnan(plain) & np.isnan(changed)))
            if apart.any():
                return _unlike(hearing, name, other, pairs[int(np.argmax(apart))])
    if not defined:
        return Verdict("L10", UNDECIDED, "it gave no value to decide by")
    sentence = f"{done} cases score the same {', '.join(maps)}"
    sentence += " (early hits score more, so time has a direction)" if early else ""
    return Verdict("L10", PASS, sentence, 0.0, _SAME, done)


def _maps(kind: str) -> dict[str, Callable[[Array, Array], tuple[Array, Array]]]:
    """Give changes that must not matter."""
    maps: dict[str, Callable[[Array, Array], tuple[Array, Array]]] = {
        "read backwards": lambda labels, given: (labels[::-1].copy(), given[::-1].copy()),
        "asked again": lambda labels, given: (labels, given),
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


def _early(hearing: Hearing) -> bool:
    """Whether early hits score more than late ones."""
    labels, early, late = mixed_widths()
    return hearing.value(labels, early) > hearing.value(labels, late) + EXACT


def _unlike(
    hearing: Hearing, name: str, other: Callable[[Array, Array], tuple[Array, Array]], pair: Pair
) -> Verdict:
    def difference(labels: Array, given: Array) -> float:
        first, second = hearing.values([(labels, given), other(labels, given)])
        same = math.isclose(first, second, abs_tol=_SAME) or (
            math.isnan(first) and math.isnan(second)
        )
        return 0.0 if same else abs(first - second)

    table = np.array([pair.labels, pair.given], pair.given.dtype)
    if name != "asked again":
        table = shrunk(table, lambda t: difference(t[0] > 0, t[1]) != 0)
    labels, given = table[0] > 0, table[1]
    changed = other(labels, given)[1]
    values = hearing.raw([Pair(labels, given), Pair(*other(labels, given))])
    rows = {"flags" if hearing.kind == "flags" else "scores": given}
    if name == "read backwards":
        rows["backwards"] = changed
    shown = Counterexample(
        labels, rows, dict(zip(rows, values, strict=False)), f"{name}: {values[1]:.4f}"
    )
    first, second = hearing.turned(np.array(values)).tolist()
    apart = abs(second - first)
    return Verdict(
        "L10", FAIL, f"the same case scores otherwise {name}", apart, _SAME, 0, {}, shown
    )


def l11(hearing: Hearing) -> Verdict:
    """Double the quiet time: the cost of a single false alarm stays."""
    once, twice = _alarm_costs(hearing, *_PRICES[-1])
    if math.isnan(once + twice):
        return Verdict("L11", UNDECIDED, "it gave no value to decide by")
    change = _change(once, twice)
    sentence = f"one false alarm costs {once:.5f}, and {twice:.5f} in twice the time: a change of "
    sentence += f"{change:.0%}; {_DRIFT:.0%} is allowed"
    extras = {"cost": once, "cost in twice the time": twice}
    if change <= _DRIFT:
        return Verdict("L11", PASS, sentence, change, _DRIFT, 4, extras, told=True)
    last = len(_PRICES) - 1
    sizes = range(last)
    size = smallest(sizes, lambda s: _change(*_alarm_costs(hearing, *_PRICES[s])) > _DRIFT, last)
    (longer, _), (_, louder) = _priced(*_PRICES[size])[2:]
    rows = {"flags": louder}
    shown = Counterexample(longer, rows, hearing.own(longer, rows))
    return Verdict("L11", FAIL, sentence, change, _DRIFT, 4, extras, shown, told=True)


def _priced(events: int, width: int, gap: int) -> list[tuple[Flags, Flags]]:
    """Lay out perfect flags and the same with a false alarm; then both with as much quiet time."""
    labels = evenly(events, width, gap)
    alarm = labels.copy()
    alarm[labels.size // 2] = True  # the middle of a gap
    quiet = np.zeros(labels.size, bool)
    longer, louder = np.append(labels, quiet), np.append(alarm, quiet)
    return [(labels, labels), (labels, alarm), (longer, longer), (longer, louder)]


def _alarm_costs(hearing: Hearing, events: int, width: int, gap: int) -> tuple[float, float]:
    found = hearing.values(_priced(events, width, gap)).tolist()
    return found[0] - found[1], found[2] - found[3]


def _change(once: float, twice: float) -> float:
    most = max(abs(once), abs(twice))
    return abs(once - twice) / most if most > _SAME else 0.0
