"""The null "the same alarms, shifted": every place in time is as likely as any other."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from adjudge.noise.chance_level import chance_of_shifts, expected_of_shifts

if TYPE_CHECKING:
    from adjudge.metrics.metric import Metric
    from adjudge.noise.p_values import NullValues
    from adjudge.noise.shifts import CaseShifts


class ShiftedNull:
    """The detector's own alarms at any other place: fair while alarms and events keep no time.

    >>> ShiftedNull().name
    'the same alarms, shifted'
    """

    name = "the same alarms, shifted"

    def values(
        self, metric: Metric, shifting: CaseShifts, shifts: int | None, seed: int
    ) -> NullValues:
        """What the alarms score at other places."""
        return shifting.values(metric, shifts, seed)

    def level(self, metric: Metric, shifting: CaseShifts, null: NullValues) -> float:
        """The chance level: from expected counts where they are known, else the mean."""
        expected = expected_of_shifts(metric, shifting.case)
        if not math.isnan(expected):
            return expected
        return chance_of_shifts(metric, shifting.case, null).mean
