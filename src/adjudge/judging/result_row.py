"""Findings: single results, and how they are laid out and put into words."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from adjudge._text import visible
from adjudge.metrics.reader import metric as read_metric
from adjudge.metrics.spec import metric_name
from adjudge.noise.chance_line import ChanceLine

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge.metrics.parts import ChosenBy

_CLEAR = 0.05  # p-values up to here are called better than chance


@dataclass(frozen=True)
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
    """The spread of the value under doubtful labels; on request."""


_LINE = tuple(item.name for item in fields(ChanceLine))
_OWN = tuple(item.name for item in fields(Finding) if item.name not in _LINE)
_BEFORE = _OWN.index("width") + 1
COLUMNS = (*_OWN[:_BEFORE], *_LINE, *_OWN[_BEFORE:])
"""The fields of a row in the order in which tables show them."""


def by_metric(rows: Sequence[Finding], digits: int = 4) -> list[list[str]]:
    """Lay the values out: a row per metric, a column per detector."""
    detectors = list(dict.fromkeys(row.detector for row in rows))
    cells: dict[str, dict[str, str]] = {}
    for row in rows:
        cells.setdefault(row.metric, {})[row.detector] = number(row.value, digits)
    return [[name, *(row.get(d, "") for d in detectors)] for name, row in cells.items()]


def number(value: float, digits: int = 4) -> str:
    """Print a value; what is undefined says so."""
    return "undefined" if math.isnan(value) else f"{value:.{digits}f}"


def reading_notes(rows: Sequence[Finding]) -> list[str]:
    """Say where another reading of balanced adjustment gives another value."""
    return [
        f"{visible(row.detector)}: {row.metric} is {row.value:.4f}; "
        + ", ".join(f'islands="{name}" gives {value:.4f}' for name, value in row.readings.items())
        for row in rows
        if row.readings
    ]


def main_row(rows: Sequence[Finding]) -> Finding | None:
    """Choose the row that the verdict is about: balanced F1 if it is there, else the first."""
    tested = [row for row in rows if not math.isnan(row.p_value)]
    balanced = [row for row in tested if metric_name(row.metric) == "f1_ba"]
    return next(iter(balanced or tested), None)


def verdict(rows: Sequence[Finding]) -> str:
    """Say in one sentence what the rows of one detector amount to.

    >>> row = Finding("mine", "f1_ba(width=9)", 0.61, None, "given", "f1_ba",
    ...               chance=0.19, low=0.4, high=0.8, p_value=0.005, shifts=199)
    >>> verdict([row])
    'mine is better than chance: f1_ba(width=9) 0.61 (95 % interval 0.40 to 0.80) where its own \
alarms, shifted, score 0.19 (p = 0.005).'
    """
    row = main_row(rows)
    if row is None:
        return f"{visible(rows[0].detector)}: nothing that can be held against chance."
    better = row.p_value <= _CLEAR
    word = "better than chance" if better else "not distinguishable from chance"
    interval = "" if math.isnan(row.low) else f" (95 % interval {row.low:.2f} to {row.high:.2f})"
    again = ", each with its own best threshold" if row.chosen_by == "oracle" else ""
    return (
        f"{visible(row.detector)} is {word}: {row.metric} {row.value:.2f}{interval} where its own "
        f"alarms, shifted{again}, score {row.chance:.2f} (p = {row.p_value:.3g})."
    )


def citation(row: Finding, version: str) -> str:
    """Give the line to cite a value by: all that someone else needs to compute the same.

    >>> citation(Finding("mine", "f1_ba(width=101)", 0.6, None, "given"), "0.1")
    'to cite: F1_BA, w=101, islands on normal points, margin 0, adjudge 0.1'
    """
    metric = read_metric(row.metric)
    details = metric.parts.adjust.citation
    said = row.metric
    if details:
        said = f"{metric.name.upper()}, {details}"
        said = f"best {said}, threshold by oracle" if metric.oracle else said
    return f"to cite: {said}, adjudge {version}"


def json_ready(value: Any) -> Any:
    """Turn NaN into None and infinities into text, which JSON can hold."""
    if isinstance(value, dict):
        return {key: json_ready(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [json_ready(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    return value
