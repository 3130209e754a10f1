"""What one detector earned and paid on several lines that share their time: channels, annotators.

One event is on several lines, and is found or missed on all of them by one cause. So a unit of
evidence is one of all lines as one: an event with its normal time, and what became of it on each
line. Its row has the masses of every line, of which the value is the mean or that of the sums.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from adjudge.count.tally import Tally
from adjudge.measure.lines import OverLines
from adjudge.noise.intervals.of_rates import Imagined, Side

if TYPE_CHECKING:
    from adjudge._typing import Floats
    from adjudge.data.case import Case
    from adjudge.metrics.metric import Metric
    from adjudge.noise.intervals.evidence import Units


class SideOfLines(Side):
    """The rows of each line by itself, summed by the units of all.

    Parameters
    ----------
    metric, case : Metric, Case
        A sum or a mean over several lines, and what is judged.
    best_at : float, optional
        The threshold that is best for all, if it is known already.
    """

    def __init__(self, metric: Metric, case: Case, best_at: float | None = None) -> None:
        self.metric, self.at = metric, best_at
        if metric.oracle and not metric.each and best_at is None:
            self.at = metric.reading(case).at
        self.sides = [Side.of(one.placed(self.at), line) for one, line in metric.by_line(case)]
        self.measure = OverLines(metric.parts.measure, metric.across == "micro")
        events = np.array([len(line.events) for line in case.parts])
        self._each = (events / max(case.event_count, 1))[:, np.newaxis]

    @property
    def some(self) -> bool:
        """Whether there is any alarm on any line."""
        return any(side.some for side in self.sides)

    @property
    def value(self) -> float:
        """The value of the metric."""
        sums = np.stack([side.ledger.sum() for side in self.sides])
        return float(self.measure(Tally(*sums.T)))

    def by(self, units: Units) -> Floats:
        """The rows of the units, (units, lines, 5)."""
        return np.stack([units.of_groups(side.ledger) for side in self.sides], axis=1)

    def imagined(self) -> Imagined:
        """Imagine what a unit is on each line: so much of an event as units have there."""
        kinds = zip(*(side.imagined() for side in self.sides), strict=True)
        return Imagined(*(self._each * np.stack(rows) for rows in kinds))
