"""Comparison: what is known of two detectors on the same labels, in numbers, words and a table."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any, Literal

from adjudge.data.durations import NANOSECONDS, in_words
from adjudge.errors import exact, visible
from adjudge.noise.assumptions import with_clause
from adjudge.noise.comparing.paired_units import Needed
from adjudge.noise.intervals.evidence import for_these
from adjudge.noise.null_models import words_of
from adjudge.noise.p_values import TIE
from adjudge.tables.glance import Dots, Glance, Mark, Tile
from adjudge.tables.result import TabledResult
from adjudge.tables.result_fields import EqualFields
from adjudge.tables.table import Layout, Table, TableColumn

LEVEL = 0.95
"""Of the interval; the p-value that separates two detectors is what is missing to 1."""


@dataclass(frozen=True, eq=False)
class Comparison(EqualFields, TabledResult):
    """Result of `compare`; ``print`` sums it up.

    Attributes
    ----------
    metric : str
        The metric, with every setting resolved.
    a, b, difference : float
        The values of both detectors, and ``a - b``.
    low, high, p_value : float
        The 95 % interval of the difference, and how often equally good detectors differ as much.
    events, events_needed : int
        How many events there are, and how many it takes to see such a difference (None: no number).

    Examples
    --------
    >>> import adjudge as aj
    >>> found = aj.compare([0, 1, 1, 0, 0, 1], [0, 1, 1, 0, 0, 1], [0, 1, 0, 0, 1, 0], "f1")
    >>> found.a, found.b, found.ahead, found.separated
    (1.0, 0.4, 'a', False)
    """

    metric: str
    """The metric, with every setting resolved."""
    a: float
    """The value of the first detector."""
    b: float
    """The value of the second."""
    difference: float
    """``a - b``."""
    low: float
    """Lower end of the 95 % interval of the difference."""
    high: float
    """Upper end; the interval excludes 0 exactly when the p-value is at most 0.05."""
    p_value: float
    """How often equally good detectors differ as much as this, on as many units of evidence."""
    events: int
    """How many events there are."""
    events_needed: int | None
    """How many such events it takes to see such a difference at the 5 % level four times out of
    five; None: no number would do, because there is no difference or no event."""
    at: tuple[float | None, float | None] = (None, None)
    """The thresholds of a and b; None where the scores were flags."""
    better: Literal["higher", "lower"] = "higher"
    """Whether the higher or the lower value is the better one."""
    events_needed_range: tuple[int, int | None] | None = None
    """From how few to how many events it may take, since the difference itself is uncertain;
    None at the end: the true difference may be nothing, and then no number would do."""
    exact: bool = True
    """Whether no draw plays a part in interval and p-value: of all but ``best(...)``, of which it
    is drawn how much it flatters."""
    names: tuple[str, str] = ("a", "b")
    """What the two detectors are called."""
    seconds_per_point: float = math.nan
    """How many seconds a point is, where the values are delays or distances in points."""

    notes: tuple[str, ...] = ()
    """Which of the two flags nothing or everything, and where its scores lie."""
    null: str = ""
    """The null model, by name, if one was asked for."""
    chance: tuple[float, float] = (math.nan, math.nan)
    """What it scores in the place of a and of b; the p-value does not depend on it."""
    evidence: str = ""
    """What interval and p-value rest on, or why there are none."""
    evidence_unit: str = ""
    """The unit of evidence: "dataset", "series", "event" or "episode"."""
    evidence_units: int = 0
    """How many units there are."""
    conditional_low: float = math.nan
    """Where the units are too few: the interval for these alone, by the events in them, low end."""
    conditional_high: float = math.nan
    """Its high end."""
    optimism: tuple[float, float] = (math.nan, math.nan)
    """By how much ``best(...)`` flatters a and b: interval and p-value are less the difference."""
    p_exchange: float = math.nan
    """How often the two differ as much when they are exchanged in some of the units, as if they
    were the same detector: the p-value is at least this. NaN where they are not exchanged."""
    assumes: str = ""
    """What makes the p-value true, in one clause."""
    events_needed_is_guess: bool = False
    """Whether the number of events is a guess, from few or unequal units."""

    @property
    def ahead(self) -> Literal["a", "b"] | None:
        """Which of the two is better; None when neither is."""
        if math.isnan(self.difference) or abs(self.difference) <= TIE:
            return None
        return "a" if (self.difference > 0) == (self.better == "higher") else "b"

    @property
    def separated(self) -> bool:
        """Whether luck makes such a difference in at most one case of twenty."""
        return self.p_value <= 1 - LEVEL + TIE

    def to_dict(self) -> dict[str, Any]:
        """The result as plain values, the sentences among them."""
        return {**asdict(self), "ahead": self.ahead, "sentences": _lines(self)[1:]}

    def columns(self) -> dict[str, list[Any]]:
        """A row per detector, as columns by name, with what holds for both beside."""
        both = ("difference", "low", "high", "p_value", "events", "events_needed", "evidence")
        return {
            "detector": list(self.names),
            "metric": [self.metric] * 2,
            "value": [self.a, self.b],
            "at": [math.nan if at is None else at for at in self.at],
            **{name: [math.nan if (x := vars(self)[name]) is None else x] * 2 for name in both},
            **({"chance": list(self.chance)} if self.null else {}),
        }

    def layout(self) -> Layout:
        """Lay both detectors out as a table, with what it amounts to below."""
        at = tuple("" if level is None else exact(level) for level in self.at)
        columns = (
            TableColumn("detector", self.names, is_text=True),
            TableColumn("value", tuple(shown_value(self, value) for value in (self.a, self.b))),
            *([TableColumn("chance", _shown_chance(self))] if self.null else []),
            *([TableColumn("flagged above", at)] if any(at) else []),
        )
        return Layout((Table(columns, self.metric),), (), tuple(_lines(self)[1:]))

    def glance(self) -> Glance:
        """Both values, and the difference beside none."""
        values = [shown_value(self, one) for one in (self.a, self.b, self.difference)]
        numbers = (*map(Tile, self.names, values), Tile("p", f"{self.p_value:.3g}"))
        name = f"{self.names[0]} - {self.names[1]}"
        mark = Mark(name, self.difference, values[2], self.low, self.high, 0.0)
        ends = [end for end in (self.difference, self.low, self.high) if math.isfinite(end)]
        far = max(map(abs, ends), default=0.0) or 1.0
        what = f"Difference{', 95 % interval' * (not math.isnan(self.low))}, and a tick at none"
        return Glance(numbers, Dots(what, (mark,), (-far, far)))

    def __str__(self) -> str:
        """Say it in plain words."""
        return "\n".join(_lines(self))


def _lines(found: Comparison) -> list[str]:
    """All that is said of a comparison, the values first."""
    chance = [chance_sentence(found)] if found.null else []
    return [*difference_sentences(found), *chance, *map(visible, found.notes)]


def chance_sentence(found: Comparison) -> str:
    """Say how far chance alone puts the two apart, beside the difference that they have."""
    (a, b), (by_a, by_b) = map(visible, found.names), _shown_chance(found)
    words = f"by chance ({words_of(found.null)}): {a} {by_a}, {b} {by_b}"
    apart = found.chance[0] - found.chance[1]
    if math.isnan(apart) or abs(apart) <= TIE:
        return words
    ahead = a if (apart > 0) == (found.better == "higher") else b
    return f"{words}: {ahead} is ahead by {shown_value(found, abs(apart))}"


def _shown_chance(found: Comparison) -> tuple[str, ...]:
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
        f"{name} {shown_value(found, 0.0 if math.isnan(x) else x)}" for name, x in names
    )
    left = found.difference - flattered
    sign = 1 if found.difference > 0 else -1
    return [
        f"thresholds were chosen on these same events, an optimism of {by}; corrected for it "
        f"the lead is {shown_value(found, sign * left)}, and interval and p refer to this lead"
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
        here = interval_words(found, found.conditional_low, found.conditional_high)
        beside = f"; {for_these(found.evidence_units)} {here}" if here else ""
        return f"{found.evidence or 'no interval'}{beside}"
    count = f"{found.events:,} event{'s' * (found.events != 1)}"
    rests = f" over {count}" if found.evidence in {"", count} else f" ({found.evidence})"
    chance = with_clause(f"p = {found.p_value:.2g}{rests}", found.assumes)
    words = f"{'' if found.separated else 'not '}significant: {chance}"
    if found.events_needed is None or found.separated:
        return words
    each = found.events / (found.evidence_units or found.events)
    unit = found.evidence_unit or "event"
    needed = Needed(
        found.events_needed, found.events_needed_range, found.events_needed_is_guess, each, unit
    )
    return f"{words}; about {needed} needed"
