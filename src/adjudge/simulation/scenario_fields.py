"""The fields of a scenario: what each may be on its own, and how it is kept."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, TypeAlias

import numpy as np

from adjudge._text import shown
from adjudge.checks import share, whole, word
from adjudge.errors import InputError

Whole: TypeAlias = int | tuple[int, int]
"""A whole number, or the lowest and the highest."""

Number: TypeAlias = float | tuple[float, float]
"""A number, or the lowest and the highest."""

FAMILIES = ("uniform", "normal", "beta")
KINDS = ("latent", "random", "lagging", "early", "flickering", "one-hit", "all-alarm")

_WHOLE = {
    "events": 0,
    "widths": 1,
    "gaps": 1,
    "hits": 0,
    "hit_widths": 1,
    "false_alarms": 0,
    "false_widths": 1,
}
_NUMBER = ("severity", "regular", "detected")
MOST_POINTS = 10**9
_QUANTILE = '; None (in TOML "quantile"): a quantile'
TARGETS = ("precision", "recall", "coverage", "separation")


def span(value: Any) -> tuple[Any, Any]:
    """The two ends of a range; a plain number is both.

    >>> span(3), span((2, 4))
    ((3, 3), (2, 4))
    """
    return value if isinstance(value, tuple) else (value, value)


@dataclass(frozen=True, repr=False)
class ScenarioFields:
    """The fields alone, each checked; `adjudge.Scenario` says what they mean."""

    events: Whole = (10, 23)
    widths: Whole = (50, 99)
    gaps: Whole = (200, 999)
    severity: Number | None = None
    hits: Whole | None = None
    hit_widths: Whole = (10, 24)
    guard: int = 1
    least_coverage: float = 0.3
    tries: int = 5
    false_alarms: Whole = (0, 19)
    false_widths: Whole = (2, 4)
    regular: Number = (0.0, 0.5)
    detected: Number = (0.5, 1.0)
    family: str = "uniform"
    correlation: float = 0.0
    smoothing: int = 15
    threshold: float | None = 0.5
    detector: str = "latent"
    lag: int = 20
    precision: float | None = None
    recall: float | None = None
    coverage: float | None = None
    separation: float | None = None

    def __post_init__(self) -> None:
        """Check every field, and keep it as plain Python."""
        for name, value in _checked(self).items():
            object.__setattr__(self, name, value)

    @property
    def targets(self) -> dict[str, float]:
        """The targets that are asked for.

        >>> from adjudge.simulation.scenario import Scenario
        >>> Scenario(recall=0.5, coverage=0.8).targets
        {'recall': 0.5, 'coverage': 0.8}
        """
        return {name: getattr(self, name) for name in TARGETS if getattr(self, name) is not None}

    @property
    def places_marks(self) -> bool:
        """Whether a target says which runs are to be marked (separation alone does not)."""
        return any(name != "separation" for name in self.targets)


def _checked(scenario: ScenarioFields) -> dict[str, Any]:
    """The fields as plain Python values, each right on its own."""
    given = {field.name: getattr(scenario, field.name) for field in fields(scenario)}
    checked = {
        "least_coverage": share(given["least_coverage"], "least_coverage", zero=True),
        "tries": _count(given["tries"], "tries", 1),
        "lag": _count(given["lag"], "lag", 0),
        "guard": _count(given["guard"], "guard", 1),
        "family": word(given["family"], "family", FAMILIES),
        "detector": word(given["detector"], "detector", KINDS),
        "correlation": _correlation(given["correlation"]),
        "smoothing": _odd(given["smoothing"]),
    }
    for name, least in _WHOLE.items():
        if name != "hits" or given[name] is not None:
            checked[name] = _whole_range(given[name], name, least)
    for name in _NUMBER:
        if name != "severity" or given[name] is not None:
            checked[name] = _range(given[name], name, _number)
    if given["threshold"] is not None:
        checked["threshold"] = _number(given["threshold"], "threshold", _QUANTILE)
    for name in TARGETS:
        if given[name] is not None:
            checked[name] = float(share(given[name], name, zero=name != "coverage"))
    return checked


def _whole_range(value: object, name: str, least: int) -> tuple[int, int]:
    low, high = _range(value, name, lambda end, name: _count(end, name, least))
    return low, high


def _range(value: Any, name: str, check: Any) -> Any:
    """Check both ends and their order; a number alone is both ends."""
    if not isinstance(value, (tuple, list)):
        return (check(value, name),) * 2
    if len(value) != 2:
        raise InputError(f"{name} must be a number or a pair (low, high), got {shown(value)}")
    low, high = (check(end, name) for end in value)
    if low > high:
        raise InputError(
            f"{name} must be a range from low to high, got {shown(value)}; swap the two"
        )
    return low, high


def _number(value: Any, name: str, hint: str = "") -> float:
    plain = value.item() if isinstance(value, np.generic) else value
    number = isinstance(plain, (int, float)) and not isinstance(plain, bool)
    if number and abs(plain) < 1e100:  # NaN is not
        return float(plain)
    raise InputError(f"{name} must be a finite number below 1e100, got {shown(plain)}{hint}")


def _correlation(value: object) -> float:
    number = _number(value, "correlation")
    if 0 <= number < 1:
        return number
    raise InputError(f"correlation must be at least 0 and below 1, got {shown(number)}")


def _count(value: object, name: str, least: int) -> int:
    count = whole(value, name, least)
    if count <= MOST_POINTS:
        return count
    raise InputError(f"{name} must be at most {MOST_POINTS:,}, got {count:,}")


def _odd(value: object) -> int:
    points = _count(value, "smoothing", 1)
    if points % 2:
        return points
    raise InputError(
        f"smoothing must be odd, so that the average is centred, got {points}; "
        f"take {points - 1} or {points + 1}"
    )
