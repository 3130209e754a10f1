"""Evidence: the interval that the units of a value carry, or why they carry none.

Nothing is drawn, so no seed plays a part, and an interval of a difference leaves 0 out exactly when
its p-value is small.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from adjudge.noise.intervals.neighbours import ALIKE
from adjudge.noise.intervals.student import UNDEFINED, Interval
from adjudge.noise.intervals.units import FEWEST, in_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge.noise.intervals.spread import Spread
    from adjudge.noise.intervals.units import Units

MOST_OF_ALL = 0.6  # a unit with more of what is at stake leaves nothing to hold it against
_UNEVEN = 0.6  # worth a word: units that count like so few


class Counted(Protocol):
    """Units that can be counted and named."""

    @property
    def count(self) -> int:
        """How many there are."""
        ...

    def named(self, count: int | None = None) -> str:
        """So many of them in words."""
        ...


def refusal(found: Spread, units: Counted) -> str:
    """Why there is no interval; "" where there is one."""
    if units.count < FEWEST:
        return f"too few to say: {units.named()}"
    if found.units_with_value is not None and found.units_with_value < FEWEST:
        return f"too few to say: {found.units_with_value} of {units.named()} with a value"
    if found.largest > MOST_OF_ALL:
        one = units.named(1).removeprefix("1 ")
        return f"one {one} carries {100 * found.largest:.0f} % of the weight: no interval"
    return ""


class Evidence(NamedTuple):
    """An interval, and what it rests on."""

    low: float = math.nan
    high: float = math.nan
    conditional_low: float = math.nan
    """For the units that there are, by what they are made of, where they carry no interval."""
    conditional_high: float = math.nan
    se: float = math.nan
    df: float = math.nan
    unit: str = ""
    units: int = 0
    equal: float = math.nan
    alike: float = math.nan
    words: str = ""

    def lowered(self, by: float, least: float) -> Evidence:
        """The low ends lower by so much, if that is known."""
        if math.isnan(by):
            return self
        low, here = (max(end - by, least) for end in (self.low, self.conditional_low))
        return self._replace(low=low, conditional_low=here)


NONE = Evidence()


def evidence(
    units: Units,
    spread_of: Callable[[Units], Spread],
    ends_of: Callable[[Spread], Interval],
    unknown: Callable[[Spread, Units], str] = lambda _found, _units: "",
) -> Evidence:
    """The interval that the units carry, or why they carry none and what those inside them say.

    Parameters
    ----------
    units : Units
        The units.
    spread_of, ends_of : callable
        The spread by units, and the ends of an interval by a spread.
    unknown : callable, optional
        Why a spread is not known, though there are units enough; "" where it is.
    """
    found = spread_both_ways(units, spread_of)

    def why_not(found: Spread, units: Units) -> str:
        whys = (refusal(*way) or unknown(*way) for way in found.ways(units))
        return next(filter(None, whys), "")

    why = why_not(found, units)
    low, high = UNDEFINED if why else ends_of(found)
    here, inner = UNDEFINED, units.nested_units
    if units.count < FEWEST and inner is not None:
        inside = spread_both_ways(inner, spread_of)
        here = UNDEFINED if why_not(inside, inner) else ends_of(inside)
    words = why or _words(units, found)
    _, rests = found.ways(units)[found.rests_on_episodes and not why]
    return Evidence(
        low, high, *here, found.se, found.df, rests.kind, rests.count, found.equal, found.alike,
        words,
    )  # fmt: skip


def spread_both_ways(units: Units, spread_of: Callable[[Units], Spread]) -> Spread:
    """The spread by units, and by the episodes of the clocks that they share, if they do."""
    found = spread_of(units)
    if units.both_ways is None:
        return found
    return found.across(*map(spread_of, units.both_ways))


def for_these(count: int) -> str:
    """Name the interval of what is inside so few units.

    >>> for_these(1), for_these(2)
    ('for this one', 'for these two')
    """
    return "for this one" if count == 1 else "for these two"


def _words(units: Units, found: Spread) -> str:
    """What an interval rests on; of events in several series, that it is about these series."""
    series = units.events.series_count
    is_fixed = units.kind in {"event", "episode"} and series > 1
    return _weight(units, found) + f", for these {series:,} series" * is_fixed


def _weight(units: Units, found: Spread) -> str:
    """How many units there are, and how many equal ones they count like."""
    text, few, count = units.named(), max(round(found.equal), 1), units.count
    events = len(units.events)
    if found.units_with_value is not None and found.units_with_value < count:
        text, count = f"{found.units_with_value} of {text} with a value", found.units_with_value
    uneven = found.equal * found.alike < _UNEVEN * count
    alike = found.together if found.alike > ALIKE else ""
    for by_episodes, episodes in found.ways(units)[1:]:
        few = min(few, max(round(by_episodes.equal), 1))
        text = f"{text} {episodes.on_clocks} saw {in_words(episodes.count, 'episode')}"
        uneven = few < _UNEVEN * min(count, episodes.count)
        return f"{text}, and both count" + f", effectively {few}: a few dominate" * uneven
    if units.kind not in {"event", "episode"}:
        text = f"the evidence is {text}, not {events:,} event{'s' * (events != 1)}"
        return f"{text}, effectively {few}: a few dominate" if uneven else text
    if not uneven and alike:
        return f"{text}, effectively {few}: neighbours are {alike}"
    if not uneven:
        return text
    widths = units.events.widths.astype(np.float64)
    even = widths.sum() ** 2 > _UNEVEN * events * (widths**2).sum()
    most = "a few dominate" if even else "long ones dominate"
    also = f", and neighbours are {alike}" if alike else ""
    return f"{text}, effectively {few}: {most}{also}"
