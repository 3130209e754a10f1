"""The parts of a metric, what a reading of it holds, and what it needs to know of its row."""

from __future__ import annotations

from dataclasses import is_dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from adjudge.adjust import Adjustment
    from adjudge.count.contract import Counting

ChosenBy = Literal["given", "rule", "oracle", "none"]


class Reading(NamedTuple):
    """A value, the threshold it was taken at, and who chose that."""

    value: float
    at: float | None
    chosen_by: ChosenBy


class Parts(NamedTuple):
    """The three verbs of a metric, with their settings.

    Without a counting the measure is the whole metric, ``(scores or flags, events) -> float``.
    """

    measure: Callable[..., Any]
    adjust: Adjustment
    counting: Counting | None

    @property
    def settings(self) -> dict[str, Any]:
        """All settings of the parts, defaults included, as plain values."""
        parts = (part for part in (self.adjust, self.counting, self.measure) if is_dataclass(part))
        return {name: value for part in parts for name, value in vars(part).items()}


class Recipe(Protocol):
    """What a metric asks of its row of the catalogue (`adjudge.metrics.row.Row`)."""

    @property
    def needs(self) -> Literal["flags", "scores"]:
        """Whether it has a value for each threshold, or judges the scores as a whole."""

    @property
    def better(self) -> Literal["higher", "lower"]:
        """Which values are better."""

    @property
    def range(self) -> tuple[float, float]:
        """The lowest and the highest value that there can be."""

    @property
    def always_shown(self) -> tuple[str, ...]:
        """Settings that a result prints even at their defaults."""

    @property
    def revision(self) -> int:
        """Raised whenever the value of the same scores changes."""

    @property
    def parameters(self) -> Mapping[str, Any]:
        """Name and default of each setting."""

    def parts(self, settings: Mapping[str, Any]) -> Parts:
        """The three verbs with these settings, checked."""
