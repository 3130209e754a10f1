"""What stands beside a value: the chance line, and what else was asked for."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.checks import DRAWS, boolean, whole
from adjudge.noise.chance_level import chance as chance_of
from adjudge.noise.chance_line import LineOptions, adjusted, always, chance_line
from adjudge.noise.label_slack import label_spread, without_one
from adjudge.noise.overshoot import overshoot

if TYPE_CHECKING:
    from adjudge.judging.result_row import Finding
    from adjudge.metrics.metric import Metric
    from adjudge.noise.offsets import Offsets
    from adjudge.noise.shifts import CaseShifts


@dataclass(frozen=True)
class Options:
    """What stands beside each value, checked before anything is judged."""

    chance: bool
    line: LineOptions
    white_noise: bool
    label_slack: int
    known: dict[tuple[int, str], OfLabels] = field(default_factory=dict)
    """What the labels alone decide, for each metric: the detectors of a call share it."""
    offsets: dict[tuple[Any, ...], Offsets] = field(default_factory=dict)
    """The shifts that were chosen: the detectors of a call share them too."""

    def __post_init__(self) -> None:
        """Check the options."""
        boolean(self.chance, "chance")
        boolean(self.white_noise, "white_noise")
        whole(self.label_slack, "label_slack", 0)
        if self.line.shifts is not None:
            whole(self.line.shifts, "shifts", 1, DRAWS)


class OfLabels(NamedTuple):
    """What the labels alone decide."""

    overshoot: float
    all_alarms: float


def _of_labels(metric: Metric, shifting: CaseShifts, options: Options) -> OfLabels:
    """Compute it once for all detectors on the same labels."""
    events = shifting.case.events
    plain = metric.with_settings(at=None) if metric.at is not None else metric
    key = id(events), str(plain)
    if key not in options.known:
        adjust = plain.parts.adjust
        wide = adjust.resolved(events).island_width is not None
        most = overshoot(adjust, events) if wide else math.nan
        alarms = always(plain, shifting) if options.chance else math.nan
        options.known[key] = OfLabels(most, alarms)
    return options.known[key]


def beside_value(
    metric: Metric, shifting: CaseShifts, finding: Finding, options: Options
) -> dict[str, Any]:
    """The fields that stand beside one value."""
    case, of_labels = shifting.case, _of_labels(metric, shifting, options)
    beside: dict[str, Any] = {"overshoot": of_labels.overshoot}
    if options.chance:
        known = finding.at, of_labels.all_alarms
        beside |= vars(chance_line(metric, shifting, finding.value, options.line, *known))
    if options.white_noise and metric.at_one_threshold:
        beside["white_noise"] = _white_noise(metric, shifting, options.line.seed)
    if options.label_slack != 0:
        spread = label_spread(metric, case, options.label_slack, options.line.seed)
        beside["slack_low"], beside["slack_high"] = spread
        without = without_one(metric, case)
        beside["without_low"], beside["without_high"], beside["carried_by"] = without
    return beside


def adjusted_rows(rows: list[Finding]) -> list[Finding]:
    """Adjust the p-values of each metric for the number of detectors."""
    places: dict[str, list[int]] = {}
    for place, row in enumerate(rows):
        places.setdefault(row.asked, []).append(place)
    found = list(rows)
    for same in places.values():
        for place, row in zip(same, adjusted([rows[place] for place in same]), strict=True):
            found[place] = row
    return found


def _white_noise(metric: Metric, shifting: CaseShifts, seed: int) -> float:
    """What white noise of the detector's rate scores."""
    events = shifting.case.events
    flags, *_ = metric.flags(shifting.case)
    judged = events.n if events.judged is None else events.judged.sum()
    rate = float(np.count_nonzero(flags) / judged)
    return chance_of(events, metric.with_settings(at=None), rate=rate, seed=seed).level
