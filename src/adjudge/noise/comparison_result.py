"""The result of a comparison of two detectors, in numbers, words and tables."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any, Literal

from adjudge._equality import EqualFields
from adjudge._text import exact, visible
from adjudge.data.durations import NANOSECONDS, in_words
from adjudge.noise.events_needed import Needed
from adjudge.noise.p_values import TIE
from adjudge.tables import Column, Layout, Table, frame_of, html_of

LEVEL = 0.95
"""Of the interval; the p-value that separates two detectors is what is missing to 1."""


@dataclass(frozen=True, eq=False)
class Comparison(EqualFields):
    """What `compare` found; ``print`` says it in words.

    Attributes
    ----------
    metric : str
        The metric, with every setting resolved.
    a, b, difference : float
        The values of both detectors, and ``a - b``.
    low, high, p_value : float
        The 95 % interval of the difference, and how often luck alone makes one as large.
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
    """How often luck, swapping a and b piece by piece, makes a difference as large as this."""
    events: int
    """How many events there are."""
    events_needed: int | None
    """How many such events it takes to see such a difference at the 5 % level four times out of
    five; None: no number would do, because there is no difference or no event."""
    at: tuple[float | None, float | None] = (None, None)
    """The thresholds of a and b; None where the scores were flags."""
    better: Literal["higher", "lower"] = "higher"
    """Whether the higher or the lower value is the better one."""
    needed_range: tuple[int, int | None] | None = None
    """From how few to how many events it may take, since the difference itself is uncertain;
    None at the end: the true difference may be nothing, and then no number would do."""
    exact: bool = False
    """Whether all swaps were made, so that chance plays no part in the p-value."""
    names: tuple[str, str] = ("a", "b")
    """What the two detectors are called."""
    seconds_per_point: float = math.nan
    """How many seconds a point is, where the values are delays or distances in points."""

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
        return {**asdict(self), "ahead": self.ahead, "said": _lines(self)[1:]}

    def to_frame(self, backend: str = "pandas") -> Any:
        """A row per detector as a data frame, with what holds for both beside."""
        return frame_of(self.columns(), backend)

    def columns(self) -> dict[str, list[Any]]:
        """A row per detector, as columns by name."""
        both = ("difference", "low", "high", "p_value", "events", "events_needed")
        return {
            "detector": list(self.names),
            "metric": [self.metric] * 2,
            "value": [self.a, self.b],
            "at": [math.nan if at is None else at for at in self.at],
            **{name: [math.nan if (x := vars(self)[name]) is None else x] * 2 for name in both},
        }

    def layout(self) -> Layout:
        """Lay both detectors out as a table, with what it amounts to below."""
        at = tuple("" if level is None else exact(level) for level in self.at)
        columns = (
            Column("detector", self.names, is_text=True),
            Column("value", tuple(_shown(self, value) for value in (self.a, self.b))),
            *([Column("flagged above", at)] if any(at) else []),
        )
        return Layout((Table(columns, self.metric),), (), tuple(_lines(self)[1:]))

    def __str__(self) -> str:
        """Say it in plain words."""
        return "\n".join(_lines(self))

    def _repr_html_(self) -> str:
        """Show the same in a notebook."""
        return html_of(self.layout())


def _lines(found: Comparison) -> list[str]:
    a, b = map(visible, found.names)
    lines = [f"{found.metric}: {a} {_shown(found, found.a)}, {b} {_shown(found, found.b)}"]
    if math.isnan(found.difference):
        return [*lines, "neither is ahead: the difference is undefined"]
    if found.ahead is None:
        return [*lines, "neither is ahead"]
    ends = (found.low, found.high) if found.difference > 0 else (-found.high, -found.low)
    by, low, high = (_shown(found, value) for value in (abs(found.difference), *ends))
    ahead = a if found.ahead == "a" else b
    lines.append(f"{ahead} is ahead by {by}, 95 % interval {low} to {high}")
    return [*lines, _verdict(found)]


def _shown(found: Comparison, value: float) -> str:
    if math.isnan(value):
        return "undefined"
    if math.isnan(found.seconds_per_point):
        return f"{value:z.4f}"  # z: no minus before a zero
    return in_words(value * found.seconds_per_point * NANOSECONDS["s"])


def _verdict(found: Comparison) -> str:
    count = f"{found.events} event{'s' * (found.events != 1)}"
    chance = f"p = {found.p_value:.2g} over {count}"
    words = f"luck {'hardly explains' if found.separated else 'may explain'} that: {chance}"
    if found.events_needed is None or found.separated:
        return words
    return f"{words}; it would take about {Needed(found.events_needed, found.needed_range)}"
