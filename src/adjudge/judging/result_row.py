"""Result rows: single results, and how their values are written."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from adjudge._text import exact
from adjudge.data.durations import NANOSECONDS, in_words
from adjudge.noise.chance_line import ChanceLine

if TYPE_CHECKING:
    from adjudge.metrics.metric import Metric
    from adjudge.metrics.parts import ChosenBy

SCHEMA = 1
"""The number of the shape that results have as JSON (`adjudge.judging.schema`)."""


@dataclass(frozen=True, eq=False)
class Finding(ChanceLine):
    """One metric of one detector: the value, and beside it the fields of the chance line."""

    detector: str
    metric: str
    """The metric, with every setting resolved."""
    value: float
    at: float | None
    """The threshold; None for flags, and for areas over all thresholds."""
    chosen_by: ChosenBy
    """Who chose the threshold: given, rule, oracle (it looked at the labels), or none."""
    rule: str = ""
    """The rule that chose the threshold, and the part it learnt on."""
    oracle_gap: float = math.nan
    """How far a tuned threshold stays behind the best one of the judged part."""
    skipped: int = 0
    """How many points were left out because they have no score."""
    asked: str = field(default="", repr=False)
    """The metric as it was asked for."""
    readings: dict[str, float] = field(default_factory=dict)
    """Values under the other readings of balanced adjustment, where they differ by over 0.005."""
    width: int | None = None
    """The island width, where there are islands."""
    overshoot: float = math.nan
    """How far above the all-alarm score white noise can get with that width (1: not at all)."""
    white_noise: float = math.nan
    """What white noise of the same rate scores; on request."""
    slack_low: float = math.nan
    slack_high: float = math.nan
    """The spread of the value when the events' borders move, together or each on its own; on
    request."""
    without_low: float = math.nan
    without_high: float = math.nan
    """The spread of the value when any one event is left out; on request."""
    judged_by: Metric | None = field(default=None, repr=False, compare=False)
    """The metric itself, resolved; it is no column of a table."""
    at_text: str = field(default="", repr=False, compare=False)
    """The threshold in so few digits that it still flags the same points; no column either."""
    carried_by: int | None = None
    """Where the event starts without which the value falls most; on request."""
    runs: int = 0
    """How many runs of the detector the value is the mean of; 0 where there was one."""
    spread: float = math.nan
    """The standard deviation of the value over the runs (dividing by their number less one)."""
    unit: str = ""
    """What the value and those beside it count: "points" for delays and distances."""
    seconds: float = math.nan
    """The value in seconds, if it has that unit and the time is known."""
    seconds_per_point: float = math.nan
    """How many seconds a point is, if it has that unit and the steps of time are even."""


_HIDDEN = ("judged_by", "at_text")
_LINE = tuple(item.name for item in fields(ChanceLine))
_OWN = tuple(item.name for item in fields(Finding) if item.name not in (*_LINE, *_HIDDEN))
_BEFORE = _OWN.index("width") + 1
COLUMNS = (*_OWN[:_BEFORE], *_LINE, *_OWN[_BEFORE:])
"""The fields of a row in the order in which tables show them."""


def number(value: float, digits: int = 4) -> str:
    """Print a value; what is undefined says so."""
    return "undefined" if math.isnan(value) else f"{value:.{digits}f}"


def value_text(row: Finding, digits: int = 4) -> str:
    """Print the value of a row, in time where that is known: 41 min."""
    if math.isnan(row.seconds):
        return number(row.value, digits)
    said = in_words(row.seconds * NANOSECONDS["s"])
    uneven = math.isnan(row.seconds_per_point)  # what stands beside it is then in points alone
    return f"{said} ({row.value:.{digits}f} points)" if uneven else said


def at_text(row: Finding) -> str:
    """Print the threshold of a row, so that who types it gets the same value; "" without one."""
    return "" if row.at is None else row.at_text or exact(row.at)


def beside_text(row: Finding, value: float, digits: int = 4) -> str:
    """Print what stands beside the value of a row, in the same unit; "" if it is not there."""
    if math.isnan(value):
        return ""
    if math.isnan(row.seconds):
        return f"{value:.{digits}f}"
    if math.isnan(row.seconds_per_point):  # uneven steps: so many points are no length of time
        return f"{value:.{digits}f} points"
    return in_words(value * row.seconds_per_point * NANOSECONDS["s"])


def json_ready(value: Any) -> Any:
    """Turn NaN into None and infinities into text, which JSON can hold."""
    if isinstance(value, dict):
        return {key: json_ready(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [json_ready(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    return value
