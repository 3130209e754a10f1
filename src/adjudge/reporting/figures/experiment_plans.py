"""Plans of figures 4, 5 and 6: which experiments a panel shows, and how they are parted."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags


class Range(NamedTuple):
    """Numbers between two ends; brackets say which end belongs to it."""

    low: float
    high: float
    ends: str = "[)"

    def holds(self, values: Array) -> Flags:
        """Tell which values lie inside; NaN never does."""
        above = values >= self.low if self.ends[0] == "[" else values > self.low
        below = values <= self.high if self.ends[1] == "]" else values < self.high
        inside: Flags = above & below
        return inside

    def __str__(self) -> str:
        """Write the range in per cent."""
        if self.low == -inf:
            return f"{'≤' if self.ends[1] == ']' else '<'} {self.high * 100:g} %"
        if self.high == inf:
            return f"{'≥' if self.ends[0] == '[' else '>'} {self.low * 100:g} %"
        return f"{self.low * 100:g} to {self.high * 100:g} %"


class Panels(NamedTuple):
    """A row of panels: one for each part of a column, for experiments within a range of another."""

    title: str
    parted_by: str
    parts: tuple[Range, ...]
    kept_by: str
    within: Range


class Plan(NamedTuple):
    """A figure: what stands on its axis, in how many bins per unit, and its rows of panels."""

    name: str
    axis: str
    bins_per_unit: int
    shown: Range
    panels: tuple[Panels, ...]
    bound: float | None = None
    """The highest precision in it, where the harmonic mean with recall is drawn."""
    note: str = ""
    """What the caption must add."""


_MIDDLE = Range(0.25, 0.75, "()")
_QUARTERS = (Range(-inf, 0.25), Range(0.25, 0.75), Range(0.75, inf))
_COVERAGE = (Range(-inf, 0.2), Range(0.2, 0.3, "[]"), Range(0.3, inf, "()"))
PLANS = {
    plan.name: plan
    for plan in (
        Plan(
            "separation", "separation", 20, Range(-inf, 0.5),
            (
                Panels("as the caption says", "recall", _QUARTERS, "precision", _MIDDLE),
                Panels("as the authors plotted it", "precision", _QUARTERS, "recall", _MIDDLE),
            ),
            note="\nExperiments with a separation of 0.5 or more are not shown, as in their plot.",
        ),
        Plan(
            "precision", "precision", 10, Range(0, 1, "[]"),
            (Panels("", "coverage", _COVERAGE, "recall", _MIDDLE),),
        ),
        Plan(
            "recall", "recall", 10, Range(0, 1, "[]"),
            (Panels("", "coverage", _COVERAGE, "precision", _MIDDLE),),
            bound=0.75,
        ),
    )
}  # fmt: skip
