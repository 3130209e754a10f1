"""What stands beside a value: the chance line, and what else was asked for."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.checks import DRAWS, boolean, whole
from adjudge.noise.chance_level import chance as chance_of
from adjudge.noise.chance_line import LineOptions, adjusted, chance_line
from adjudge.noise.label_slack import label_spread, without_one
from adjudge.noise.overshoot import overshoot

if TYPE_CHECKING:
    from adjudge.judging.result_row import Finding
    from adjudge.metrics.metric import Metric
    from adjudge.noise.shifts import CaseShifts


@dataclass(frozen=True)
class Options:
    """What stands beside each value, checked before anything is judged."""

    chance: bool
    line: LineOptions
    white_noise: bool
    label_slack: int

    def __post_init__(self) -> None:
        """Check the options."""
        boolean(self.chance, "chance")
        boolean(self.white_noise, "white_noise")
        whole(self.label_slack, "label_slack", 0)
        if self.line.shifts is not None:
            whole(self.line.shifts, "shifts", 1, DRAWS)


def beside_value(
    metric: Metric, shifting: CaseShifts, finding: Finding, options: Options
) -> dict[str, Any]:
    """The fields that stand beside one value."""
    case = shifting.case
    beside: dict[str, Any] = {}
    if finding.width is not None:
        beside["overshoot"] = overshoot(metric.parts.adjust, case.events)
    if options.chance:
        line = chance_line(metric, shifting, finding.value, options.line, finding.at)
        beside |= asdict(line)
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
