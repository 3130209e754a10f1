"""A comparison in words: who is ahead, by how much, and whether luck explains it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from adjudge.data.clock import NANOSECONDS, in_words
from adjudge.errors import visible
from adjudge.noise.comparing.paired_units import Needed
from adjudge.noise.intervals.evidence import for_these
from adjudge.noise.null_models import words_of
from adjudge.noise.p_values import TIE

if TYPE_CHECKING:
    from adjudge.judging.comparison import Comparison


def by_rank(pair: Comparison) -> tuple[str, str]:
    """The two names, the one that is ahead first."""
    a, b = pair.names
    return (b, a) if pair.ahead == "b" else (a, b)


def pair_cells(pair: Comparison, adjusted: float) -> tuple[str, ...]:
    """The row of a pair in a table of several."""
    values = (pair.b, pair.a) if pair.ahead == "b" else (pair.a, pair.b)
    p, after = ("" if math.isnan(one) else f"{one:.2g}" for one in (pair.p_value, adjusted))
    return (
        *map(visible, by_rank(pair)),
        ", ".join(shown_value(pair, value) for value in values),
        shown_value(pair, abs(pair.difference)),
        interval_words(pair, pair.low, pair.high),
        p,
        after,
    )


def listed(names: list[str]) -> str:
    """Several names in a sentence, or how many they are."""
    return " and of ".join(names) if len(names) < 3 else f"{len(names)} others ({', '.join(names)})"


def lines(found: Comparison) -> list[str]:
    """All that is said of a comparison, the values first."""
    chance = [chance_sentence(found)] if found.null else []
    return [*difference_sentences(found), *chance, *map(visible, found.notes)]


def chance_sentence(found: Comparison) -> str:
    """Say how far chance alone puts the two apart, beside the difference that they have."""
    (a, b), (by_a, by_b) = map(visible, found.names), shown_chance(found)
    words = f"by chance ({words_of(found.null)}): {a} {by_a}, {b} {by_b}"
    apart = found.chance[0] - found.chance[1]
    if math.isnan(apart) or abs(apart) <= TIE:
        return words
    ahead = a if (apart > 0) == (found.better == "higher") else b
    return f"{words}, which puts {ahead} ahead by {shown_value(found, abs(apart))}"


def shown_chance(found: Comparison) -> tuple[str, ...]:
    """What the null model scores in the place of each."""
    return tuple(shown_value(found, level) for level in found.chance)


def difference_sentences(found: Comparison) -> list[str]:
    """Both values, who is ahead, and whether luck explains it."""
    a, b = map(visible, found.names)
    values = shown_value(found, found.a), shown_value(found, found.b)
    told = [f"{found.metric}: {a} {values[0]}, {b} {values[1]}"]
    if math.isnan(found.difference):
        return [*told, "neither is ahead: the difference is undefined"]
    if found.ahead is None:
        return [*told, "neither is ahead"]
    by, ahead = shown_value(found, abs(found.difference)), a if found.ahead == "a" else b
    interval = interval_words(found, found.low, found.high)
    told.append(f"{ahead} is ahead by {by}{interval and f', 95 % interval {interval}'}")
    return [*told, *optimism_sentence(found), _verdict(found)]


def interval_words(found: Comparison, low: float, high: float) -> str:
    """An interval of the difference, as seen from the one that is ahead; "" if there is none."""
    if math.isnan(low):
        return ""
    ends = (low, high) if found.difference > 0 else (-high, -low)
    return " to ".join(shown_value(found, end) for end in ends)


def optimism_sentence(found: Comparison) -> list[str]:
    """Say how much of the lead the choice of the thresholds explains."""
    a, b = (0.0 if math.isnan(x) else x for x in found.optimism)
    flattered = a - b
    if abs(flattered) <= TIE:
        return []
    names = zip(map(visible, found.names), found.optimism, strict=True)
    by = " and ".join(
        f"{name} by {shown_value(found, 0.0 if math.isnan(x) else x)}" for name, x in names
    )
    left = found.difference - flattered
    sign = 1 if found.difference > 0 else -1
    return [
        f"thresholds were chosen on these same events, which flatters {by}; without that the lead "
        f"is {shown_value(found, sign * left)}, and interval and p are about this lead"
    ]


def shown_value(found: Comparison, value: float) -> str:
    """A value of the metric, in time where it is one."""
    if math.isnan(value):
        return "undefined"
    if math.isnan(found.seconds_per_point):
        return f"{value:z.4f}"  # z: no minus before a zero
    return in_words(value * found.seconds_per_point * NANOSECONDS["s"])


def _verdict(found: Comparison) -> str:
    if math.isnan(found.p_value):
        here = interval_words(found, found.low_here, found.high_here)
        beside = f"; {for_these(found.evidence_units)} {here}" if here else ""
        return f"{found.evidence or 'nothing can be said of it'}{beside}"
    count = f"{found.events:,} event{'s' * (found.events != 1)}"
    rests = f" over {count}" if found.evidence in {"", count} else f" ({found.evidence})"
    chance = f"p = {found.p_value:.2g}{rests}"
    words = f"luck {'hardly explains' if found.separated else 'may explain'} that: {chance}"
    if found.events_needed is None or found.separated:
        return words
    each = found.events / (found.evidence_units or found.events)
    unit = found.evidence_unit or "event"
    needed = Needed(found.events_needed, found.needed_range, found.needed_is_guess, each, unit)
    return f"{words}; it would take about {needed}"
