"""Targets: what a simulated result is to reach, and whether it can.

A target for precision, recall or coverage is met by placing detections that outlast the moving
average and stay apart under it. How wide and how far apart they must be follows from the
noise of the scores; targets that leave no room for that are refused before anything is drawn.
"""

from __future__ import annotations

import math
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge._text import shown
from adjudge.errors import InputError
from adjudge.simulation.scenario_fields import span

if TYPE_CHECKING:
    from adjudge.simulation.scenario_fields import Number, ScenarioFields

REPLACED = {
    "precision": ("false_alarms",),
    "recall": ("hits",),
    "coverage": ("hit_widths", "least_coverage"),
    "separation": ("regular", "detected"),
}

_SPREAD = {"uniform": 1 / math.sqrt(12), "normal": 1 / 4, "beta": 1 / math.sqrt(20)}
_CLEAR = 4.0  # standard deviations below the threshold: too few points are marked to matter
_LASTING = 3.0  # standard deviations above the threshold: such a detection leaves a mark
_QUIET = 4.5  # standard deviations below it: among 20,000 points hardly one is marked


def noise(scenario: ScenarioFields) -> float:
    """The standard deviation of the moving average of scores whose range has span one.

    >>> from adjudge.simulation.scenario import Scenario
    >>> round(noise(Scenario(smoothing=1)), 4), round(noise(Scenario(smoothing=15)), 4)
    (0.2887, 0.0745)
    """
    points = scenario.smoothing
    lags = np.arange(1, points)
    alike = 2 * float(np.sum((points - lags) * scenario.correlation**lags))
    return _SPREAD[scenario.family] * math.sqrt(points + alike) / points


def lasting_width(scenario: ScenarioFields) -> int:
    """The points that a detection needs to outlast the moving average.

    Over a detection of ``k`` points the average rises to ``k / smoothing`` of the way from regular
    to detected scores. That must lie three standard deviations above the threshold; the
    whole window always suffices. Where separation is a target the ranges are not known
    yet, and the whole window is taken.

    >>> from adjudge.simulation.scenario import Scenario
    >>> lasting_width(Scenario()), lasting_width(Scenario(smoothing=1))
    (11, 1)
    """
    if scenario.separation is not None:
        return scenario.smoothing
    low, high = span(scenario.regular)
    floor, top = span(scenario.detected)
    rise = (floor + top - low - high) / 2
    above = _mark(scenario) + _LASTING * noise(scenario) * max(high - low, top - floor)
    needed: int = math.ceil(scenario.smoothing * (above - (low + high) / 2) / rise)
    return min(needed, scenario.smoothing)


def most_overlap(scenario: ScenarioFields) -> float:
    """The largest ``d`` for which regular points are hardly ever marked.

    Regular scores come from ``(0, 0.25 + d)``, detected ones from ``(0.75 - d, 1)``; the two
    overlap from ``d = 0.25`` on, and are the same but for 0.25 at ``d = 0.5``.

    >>> from adjudge.simulation.scenario import Scenario
    >>> round(most_overlap(Scenario(separation=0.5)), 3)
    0.5
    >>> round(most_overlap(Scenario(separation=0.5, recall=0.5)), 3)
    0.349
    """
    if not scenario.places_marks:
        return 0.5
    swing = _QUIET * noise(scenario)
    if scenario.family != "normal":  # no average leaves the range
        swing = min(swing, 0.5)
    mark = _mark(scenario)
    return min(max(min(mark, 1 - mark) / (0.5 + swing) - 0.25, 0.0), 0.5)


def room(scenario: ScenarioFields, stretches: Any) -> Any:
    """Count the false detections that fit into stretches of normal points.

    Each keeps ``smoothing`` points away from the stretch's ends and from the next.

    >>> from adjudge.simulation.scenario import Scenario
    >>> room(Scenario(), np.array([40, 41, 67]))
    array([0, 1, 2])
    """
    widest = max(span(scenario.false_widths)[1], lasting_width(scenario))
    apart = scenario.smoothing
    return np.maximum((stretches - apart) // (widest + apart), 0)


def _mark(scenario: ScenarioFields) -> float:
    return 0.5 if scenario.threshold is None else scenario.threshold


def check_targets(scenario: ScenarioFields) -> None:
    """Refuse targets that contradict another field, or each other."""
    targets = scenario.targets
    if not targets:
        return
    _check_replaced(scenario)
    named = " and ".join(targets)
    if scenario.detector != "latent":
        raise InputError(
            f"detector must be 'latent' where {named} is a target, got {shown(scenario.detector)}"
        )
    if span(scenario.events)[0] < 1:
        raise InputError(f"events must be at least 1 where {named} is a target, got 0")
    if scenario.places_marks:
        _check_threshold(scenario)
        _check_nothing_found(scenario)
        _check_widths(scenario)
        _check_room(scenario)


def _check_replaced(scenario: ScenarioFields) -> None:
    defaults = {field.name: field.default for field in fields(scenario)}
    for target in scenario.targets:
        for name in REPLACED[target]:
            value = getattr(scenario, name)
            if value != defaults[name]:
                raise InputError(
                    f"{name} must be left out where {target} is a target, got {shown(value)}; "
                    "drop one of the two"
                )


def _check_threshold(scenario: ScenarioFields) -> None:
    if scenario.threshold is None:
        raise InputError(
            "threshold must be a number where precision, recall or coverage is a target, got None: "
            "a quantile marks as many points as are anomalous"
        )
    regular, detected = (sum(span(field)) / 2 for field in (scenario.regular, scenario.detected))
    if not regular < scenario.threshold < detected:
        raise InputError(
            "threshold must lie between the middles of regular and detected where precision, "
            f"recall or coverage is a target, got {shown(scenario.threshold)} for {regular!r} and "
            f"{detected!r}"
        )
    if scenario.separation is None:
        _check_noise(scenario, scenario.threshold)


def _check_noise(scenario: ScenarioFields, threshold: float) -> None:
    """Refuse regular scores that the noise lifts over the threshold, detected ones it drowns."""
    _, highest = _swing(scenario, scenario.regular, _CLEAR)
    lowest, _ = _swing(scenario, scenario.detected, _LASTING)
    seen = ""
    if lowest < threshold:
        seen = f"detected points fall to {lowest:.3g}"
    if highest > threshold:
        seen = f"regular points reach {highest:.3g}"
    if seen:
        raise InputError(
            "threshold must keep clear of the noise of regular and detected scores where "
            f"precision, recall or coverage is a target, got {shown(threshold)}: {seen}; "
            "raise smoothing or narrow the ranges"
        )


def _swing(scenario: ScenarioFields, scores: Number, deviations: float) -> tuple[float, float]:
    """How far the moving average of such scores swings to either side."""
    low, high = span(scores)
    middle, swing = (low + high) / 2, deviations * noise(scenario) * (high - low)
    if scenario.family == "normal":
        return middle - swing, middle + swing
    return max(middle - swing, low), min(middle + swing, high)  # no average leaves the range


def _check_nothing_found(scenario: ScenarioFields) -> None:
    """Refuse no found event (recall 0, or no true run: precision 0) beside what needs one."""
    asks = {
        "precision": (scenario.precision or 0) > 0,
        "recall": (scenario.recall or 0) > 0,
        "coverage": scenario.coverage is not None,
        "hits": scenario.hits is not None and span(scenario.hits)[1] > 0,
    }
    named = " and ".join(name for name, asked in asks.items() if asked)
    for name in ("recall", "precision"):
        if getattr(scenario, name) == 0 and named:
            raise InputError(
                f"{name} must be above 0 where {named} asks for events found, got 0; "
                "drop one of the two"
            )


def _check_widths(scenario: ScenarioFields) -> None:
    """Refuse detections that the moving average would wipe out or melt into one."""
    least, (narrowest, widest) = lasting_width(scenario), span(scenario.widths)
    fix = f"lower smoothing, {scenario.smoothing}, or the noise of the scores"
    if narrowest < least:
        raise InputError(
            f"widths must be at least {least} points where precision, recall or coverage is a "
            f"target, got {narrowest}: shorter detections are smoothed away; {fix}"
        )
    middle = (narrowest + widest) / 2
    if scenario.coverage is not None and scenario.coverage * middle < least:
        raise InputError(
            f"coverage must leave at least {least} points of an event of mean width, got "
            f"{scenario.coverage!r} of {middle:g}: fewer are smoothed away; {fix}, or raise widths"
        )
    if span(scenario.gaps)[0] < scenario.smoothing:
        raise InputError(
            f"gaps must be at least the smoothing, {scenario.smoothing}, where precision, recall "
            f"or coverage is a target, got {span(scenario.gaps)[0]}: marks would melt into one"
        )


def _check_room(scenario: ScenarioFields) -> None:
    """Refuse a precision that the roomiest series has too few normal points for."""
    if not scenario.precision:
        return
    fewest, most = span(scenario.events)
    events = np.arange(fewest, most + 1)
    found = np.maximum(1, np.rint((scenario.recall or 0) * events))
    if scenario.hits is not None:
        found = np.maximum(1, span(scenario.hits)[0])
    false = (events + 1) * room(scenario, span(scenario.gaps)[1])
    lowest = float(np.min(found / (found + false)))
    if scenario.precision < lowest:
        raise InputError(
            f"precision must be at least {lowest:.2g}, got {shown(scenario.precision)}: no more "
            f"false detections fit into gaps of {span(scenario.gaps)[1]} points; raise gaps"
        )
