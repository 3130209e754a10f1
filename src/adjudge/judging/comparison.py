"""Comparison: what is known of two detectors on the same labels, or of each two of several."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any, Literal

from adjudge.errors import exact, visible
from adjudge.judging.comparison_words import (
    by_rank,
    chance_sentence,
    difference_sentences,
    lines,
    listed,
    optimism_sentence,
    pair_cells,
    shown_chance,
    shown_value,
)
from adjudge.noise.p_values import TIE
from adjudge.tables.result import TabledResult
from adjudge.tables.result_fields import EqualFields
from adjudge.tables.table import Layout, Table, TableColumn

LEVEL = 0.95
"""Of the interval; the p-value that separates two detectors is what is missing to 1."""


@dataclass(frozen=True, eq=False)
class Comparison(EqualFields, TabledResult):
    """What `compare` found; ``print`` says it in words.

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
    needed_range: tuple[int, int | None] | None = None
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
    """The unit of evidence: "dataset", "series" or "event"."""
    evidence_units: int = 0
    """How many units there are."""
    low_here: float = math.nan
    """Where the units are too few: the interval for these alone, by the events in them, low end."""
    high_here: float = math.nan
    """Its high end."""
    optimism: tuple[float, float] = (math.nan, math.nan)
    """By how much ``best(...)`` flatters a and b: interval and p-value are less the difference."""
    needed_is_guess: bool = False
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
        return {**asdict(self), "ahead": self.ahead, "said": lines(self)[1:]}

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
            *([TableColumn("chance", shown_chance(self))] if self.null else []),
            *([TableColumn("flagged above", at)] if any(at) else []),
        )
        return Layout((Table(columns, self.metric),), (), tuple(lines(self)[1:]))

    def __str__(self) -> str:
        """Say it in plain words."""
        return "\n".join(lines(self))


@dataclass(frozen=True, eq=False)
class Comparisons(EqualFields, TabledResult):
    """What `compare_all` found: each two detectors, with p-values adjusted for their number.

    Attributes
    ----------
    pairs : tuple of Comparison
        Each two detectors, in the order in which these were given.
    p_adjusted : tuple of float
        Their p-values after Holm: at most 0.05 tells two detectors apart, however many pairs
        there are.

    Examples
    --------
    >>> import adjudge as aj
    >>> scores = {"x": [0, 1, 1, 0, 0, 1], "y": [0, 1, 0, 0, 1, 0], "z": [0, 0, 0, 0, 1, 1]}
    >>> found = aj.compare_all([0, 1, 1, 0, 0, 1], scores, "f1")
    >>> [f"{pair.names} {pair.difference:.1f}" for pair in found.pairs]
    ["('x', 'y') 0.6", "('x', 'z') 0.6", "('y', 'z') 0.0"]
    """

    pairs: tuple[Comparison, ...]
    """Each two detectors, in the order in which these were given."""
    p_adjusted: tuple[float, ...]
    """The p-value of each pair after Holm."""

    @property
    def metric(self) -> str:
        """The metric, with every setting resolved."""
        return self.pairs[0].metric

    @property
    def separated(self) -> tuple[bool, ...]:
        """Which pairs differ by more than luck explains, after the adjustment."""
        return tuple(p <= 1 - LEVEL + TIE for p in self.p_adjusted)

    def to_dict(self) -> dict[str, Any]:
        """The result as plain values, the sentences among them."""
        both = zip(self.pairs, self.p_adjusted, strict=True)
        pairs = [{**pair.to_dict(), "p_adjusted": p} for pair, p in both]
        return {"metric": self.metric, "pairs": pairs, "said": self._sentences()}

    def columns(self) -> dict[str, list[Any]]:
        """A row per pair, as columns by name."""
        own = ("a", "b", "difference", "low", "high", "p_value")
        return {
            "one": [pair.names[0] for pair in self.pairs],
            "other": [pair.names[1] for pair in self.pairs],
            "metric": [pair.metric for pair in self.pairs],
            **{name: [vars(pair)[name] for pair in self.pairs] for name in own},
            "p_adjusted": list(self.p_adjusted),
            **{name: [vars(pair)[name] for pair in self.pairs] for name in ("events", "evidence")},
        }

    def layout(self) -> Layout:
        """Lay the pairs out as a table, the one that is ahead first, with what they amount to."""
        head = ("ahead", "behind", "values", "by", "95 % interval", "p", "p adjusted")
        both = zip(self.pairs, self.p_adjusted, strict=True)
        cells = zip(*(pair_cells(pair, p) for pair, p in both), strict=True)
        columns = tuple(
            TableColumn(title, own, is_text=title in {"ahead", "behind"}, rank=(title == "values"))
            for title, own in zip(head, cells, strict=True)
        )
        return Layout((Table(columns, self.metric),), self._notes(), tuple(self._sentences()))

    def _notes(self) -> tuple[str, ...]:
        """What explains the table: each note of a pair once."""
        told = [f"p adjusted: for {len(self.pairs)} pairs, after Holm; intervals are not adjusted"]
        if any(optimism_sentence(pair) for pair in self.pairs):
            told.append("thresholds were chosen on these same events: interval and p are about the "
                        "lead without what that flatters")  # fmt: skip
        told += [chance_sentence(pair) for pair in self.pairs if pair.null]
        told += [visible(note) for pair in self.pairs for note in pair.notes]
        return tuple(dict.fromkeys(told))

    def _sentences(self) -> list[str]:
        """Who is ahead of whom by more than luck explains, and of how many pairs nobody knows."""
        ahead: dict[str, list[str]] = {}
        for pair, clear in zip(self.pairs, self.separated, strict=True):
            if clear:
                first, second = map(visible, by_rank(pair))
                ahead.setdefault(first, []).append(second)
        said = [f"{name} is ahead of {listed(others)}, which luck hardly explains"
                for name, others in ahead.items()]  # fmt: skip
        untold = [pair for pair in self.pairs if math.isnan(pair.p_value)]
        rest = len(self.pairs) - sum(self.separated) - len(untold)
        if rest:
            pairs = "pair" if ahead and rest == 1 else f"{rest} pair{'s' * (rest != 1)}"
            said.append(f"luck may explain the difference of {'the other ' * bool(ahead)}{pairs}")
        if untold:
            why = difference_sentences(untold[0])[-1]
            said.append(f"{len(untold)} of {len(self.pairs)} pairs have no p-value: {why}")
        return said
