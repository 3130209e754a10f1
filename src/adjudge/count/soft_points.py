"""Count points with soft labels: an alarm beside an event is right in part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from adjudge.count.contract import SweptCounting
from adjudge.count.ledger import AlarmRows, Ledger, first_touched, flagged_runs, truth_rows
from adjudge.count.soft_labels import WIDEST, near, slopes
from adjudge.count.tally import Mass, Masses
from adjudge.data.intervals import reduce_over
from adjudge.data.time_settings import time_length

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags, Floats
    from adjudge.adjust import Adjustment
    from adjudge.data.events import Events


@dataclass(frozen=True)
class SoftPoints(SweptCounting):
    """Weigh every flagged point 1, and credit it with the mean soft label of the windows 0 ... L.

    The truth side counts anomalous points, as pointwise scores do.

    Parameters
    ----------
    window : int or duration
        The widest buffer L, in points or in time, half of it on either side of an event.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 1, 1, 0])
    >>> tally = SoftPoints(2).masses(np.array([0, 1, 1, 0, 0]) > 0, events).at(False)
    >>> round(tally.right, 4), tally.flagged  # 1, and sqrt(1/2) in one window of three
    (1.2357, 2.0)
    """

    window: int = time_length(100, 0, "exact", *WIDEST)

    def masses(self, adjusted: Array, events: Events) -> Masses:
        """Count points above any threshold."""
        soft, normal = self._labels(events), events.normal
        found = Mass(adjusted[events.labels])
        right = Mass(adjusted[soft > 0], weights=soft[soft > 0])
        false = Mass(adjusted[normal], weights=1 - soft[normal])
        return Masses(found, found.values.size, right, false, (found, false), false.values.size)

    def ledger(self, flags: Flags, events: Events, adjust: Adjustment) -> Ledger:
        """Account for every event and every run."""
        flags = adjust(flags, events)
        starts, stops = flagged_runs(flags, events)
        credit = reduce_over(np.add, self._labels(events), starts, stops)
        event = first_touched(starts, stops, events)
        alarms = AlarmRows.of_runs(starts, stops, event, stops - starts, credit)
        truth = truth_rows(flags, events, events.widths, events.sum(flags))
        return Ledger(truth, alarms, int(np.count_nonzero(events.normal)))

    def _labels(self, events: Events) -> Floats:
        """Each point's mean soft label: of one slope, then of full ones."""
        found, windows = near(events, self.window // 2), range(self.window + 1)
        total, so_far = np.zeros(found.points.size), np.zeros(found.farthest + 1)
        alone = np.ones(found.points.size, bool)
        for step in slopes(found, windows):
            total[step.met] = so_far[found.place[step.met]] + len(windows[step.windows[0] :])
            alone[step.met] = False
            so_far += step.table.sum(axis=1)
        total[alone] = so_far[found.place[alone]]
        labels = events.labels.astype(np.float64)
        labels[found.points] = total / len(windows)
        return labels
