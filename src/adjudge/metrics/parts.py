"""What a metric is made of: its parts, what a reading holds, what its row says, its help."""

from __future__ import annotations

from dataclasses import is_dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from adjudge._outputs import output

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from inspect import Signature

    from adjudge.adjust import Adjustment
    from adjudge.count.contract import Counting
    from adjudge.data.time_settings import Length

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
    def title(self) -> str:
        """What it is called, in words."""

    @property
    def definition(self) -> str:
        """The formula, in words."""

    @property
    def undefined(self) -> str:
        """When there is no value."""

    @property
    def forgives(self) -> str:
        """Which mistakes cost nothing, or little."""

    @property
    def reference(self) -> str:
        """Where it was published."""

    @property
    def notes(self) -> str:
        """What else a user should know; may be empty."""

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

    @property
    def lengths(self) -> Mapping[str, Length]:
        """The settings that are lengths of time, and how they become points."""

    def parts(self, settings: Mapping[str, Any]) -> Parts:
        """The three verbs with these settings, checked."""


class OwnHelp:
    """The docstring of a class of which each metric has a page of its own, made when asked for."""

    def __init__(self, of_the_class: str | None) -> None:
        self.of_the_class = of_the_class

    def __get__(self, metric: Any, owner: object = None) -> str | None:
        """The page of a metric, or the docstring of the class."""
        return self.of_the_class if metric is None else output("help_page")(metric)


class OwnSignature:
    """The signature of a call, by which editors and libraries learn the settings of a metric."""

    def __get__(self, metric: Any, owner: object = None) -> Signature | None:
        """The signature of a metric; None for the class, which Python works out by itself."""
        return None if metric is None else output("call_signature")(metric)
