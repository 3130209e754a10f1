"""What one detector earned and paid where its value is the mean over several lines.

The lines (channels, annotators) share their time: one event is on several of them, and is found or
missed on all by one cause. So a unit of evidence is one of all lines as one, an event with its
normal time, and its row has what became of it on each line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from adjudge.noise.intervals.rates import PseudoRows, Side

if TYPE_CHECKING:
    from adjudge._typing import Floats
    from adjudge.data.case import Case
    from adjudge.metrics.metric import Metric
    from adjudge.noise.intervals.units import Units


class SideOfLines(Side):
    """The rows of each line by itself, summed by the units of all.

    Parameters
    ----------
    metric, case : Metric, Case
        A mean over several lines, and what is judged.
    best_at : float, optional
        The threshold that is best for all, if it is known already.
    """

    def __init__(self, metric: Metric, case: Case, best_at: float | None = None) -> None:
        self._sides = [Side.of(*line) for line in metric.placed_by_line(case, best_at)]
        same = {side.at for side in self._sides}
        self.at = same.pop() if len(same) == 1 else None
        self.metric, self.measure, self.alarms = metric, metric.measure, case
        events = np.array([len(line.events) for line in case.parts])
        self._each = (events / max(case.event_count, 1))[:, np.newaxis]

    @property
    def some(self) -> bool:
        """Whether there is any alarm on any line."""
        return any(side.some for side in self._sides)

    @property
    def value(self) -> float:
        """The value of the metric."""
        return float(self.metric.value(np.stack([side.ledger.sum() for side in self._sides])))

    def by(self, units: Units) -> Floats:
        """The rows of the units, (units, lines, 5)."""
        return np.stack([units.of_groups(side.ledger) for side in self._sides], axis=1)

    def pseudo_rows(self) -> PseudoRows:
        """Imagine what a unit is on each line: so much of an event as units have there."""
        kinds = zip(*(side.pseudo_rows() for side in self._sides), strict=True)
        return PseudoRows(*(self._each * np.stack(rows) for rows in kinds))
