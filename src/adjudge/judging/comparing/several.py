"""Comparisons: each two of several detectors, with p-values adjusted for their number."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from adjudge.errors import visible
from adjudge.judging.comparing.comparison import (
    LEVEL,
    Comparison,
    chance_sentence,
    difference_sentences,
    interval_words,
    optimism_sentence,
    shown_value,
)
from adjudge.noise.p_values import TIE
from adjudge.tables.result import TabledResult
from adjudge.tables.result_fields import EqualFields
from adjudge.tables.table import Layout, Table, TableColumn


@dataclass(frozen=True, eq=False)
class Comparisons(EqualFields, TabledResult):
    """Result of `compare_all`: every pair of detectors, with p-values adjusted for their number.

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
        return {"metric": self.metric, "pairs": pairs, "sentences": self._sentences()}

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
        cells = zip(*(_pair_cells(pair, p) for pair, p in both), strict=True)
        columns = tuple(
            TableColumn(title, own, is_text=title in {"ahead", "behind"}, rank=(title == "values"))
            for title, own in zip(head, cells, strict=True)
        )
        return Layout((Table(columns, self.metric),), self._notes(), tuple(self._sentences()))

    def _notes(self) -> tuple[str, ...]:
        """What explains the table: each note of a pair once."""
        told = [f"p adjusted: for {len(self.pairs)} pairs (Holm); intervals are not adjusted"]
        told += [f"p is valid {pair.assumes}" for pair in self.pairs if pair.assumes]
        if any(optimism_sentence(pair) for pair in self.pairs):
            told.append("thresholds were chosen on these same events: interval and p refer to "
                        "the lead corrected for that optimism")  # fmt: skip
        told += [chance_sentence(pair) for pair in self.pairs if pair.null]
        told += [visible(note) for pair in self.pairs for note in pair.notes]
        return tuple(dict.fromkeys(told))

    def _sentences(self) -> list[str]:
        """Who is ahead of whom by more than luck explains, and of how many pairs nobody knows."""
        ahead: dict[str, list[str]] = {}
        for pair, clear in zip(self.pairs, self.separated, strict=True):
            if clear:
                first, second = map(visible, _by_rank(pair))
                ahead.setdefault(first, []).append(second)
        said = [f"{name} is significantly ahead of {_listed(others)}"
                for name, others in ahead.items()]  # fmt: skip
        untold = [pair for pair in self.pairs if math.isnan(pair.p_value)]
        rest = len(self.pairs) - sum(self.separated) - len(untold)
        if rest:
            pairs = "pair" if ahead and rest == 1 else f"{rest} pair{'s' * (rest != 1)}"
            said.append(f"not significant: {'the other ' * bool(ahead)}{pairs}")
        if untold:
            why = difference_sentences(untold[0])[-1]
            said.append(f"{len(untold)} of {len(self.pairs)} pairs have no p-value: {why}")
        return said


def _by_rank(pair: Comparison) -> tuple[str, str]:
    """The two names, the one that is ahead first."""
    a, b = pair.names
    return (b, a) if pair.ahead == "b" else (a, b)


def _pair_cells(pair: Comparison, adjusted: float) -> tuple[str, ...]:
    """The row of a pair in a table of several."""
    values = (pair.b, pair.a) if pair.ahead == "b" else (pair.a, pair.b)
    p, after = ("" if math.isnan(one) else f"{one:.2g}" for one in (pair.p_value, adjusted))
    return (
        *map(visible, _by_rank(pair)),
        ", ".join(shown_value(pair, value) for value in values),
        shown_value(pair, abs(pair.difference)),
        interval_words(pair, pair.low, pair.high),
        p,
        after,
    )


def _listed(names: list[str]) -> str:
    """Several names in a sentence, or how many they are."""
    return " and of ".join(names) if len(names) < 3 else f"{len(names)} others ({', '.join(names)})"
