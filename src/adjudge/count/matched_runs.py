"""Count matched runs: a run is right when it overlaps one event well enough, and each event once.

Overlap is the share of the points of both that they have in common (intersection over union).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from adjudge.checks import setting, share
from adjudge.count.contract import Counting
from adjudge.count.ledger import AlarmRows, Ledger, flagged_runs, truth_rows
from adjudge.data.intervals import overlaps

if TYPE_CHECKING:
    from adjudge._typing import Flags, Positions
    from adjudge.adjust import Adjustment
    from adjudge.data.events import Events


@dataclass(frozen=True)
class MatchedRuns(Counting):
    r"""Weigh every event and every run 1; a run is right if it is the first to match its event.

    .. math:: \mathrm{IoU}(h, g) = \frac{|h \cap g|}{|h \cup g|} \ge \tau

    Runs are taken in the order of time. Each looks at the event with which it has the largest
    overlap alone, the first among equals, and matches it if the overlap is at least tau and no run
    before has matched it.

    Parameters
    ----------
    tau : float
        The share of the points of run and event together that both must have in common.

    References
    ----------
    .. [1] C. Lea et al. (2017). Temporal Convolutional Networks for Action Segmentation and
       Detection. CVPR. arXiv:1611.05267.

    Examples
    --------
    >>> from adjudge.adjust import raw
    >>> from adjudge.data.events import Events
    >>> events, flags = Events.from_labels([0, 1, 1, 1, 0, 0]), np.array([0, 0, 1, 1, 1, 0]) > 0
    >>> MatchedRuns(tau=0.5).ledger(flags, events, raw).tally  # 2 points of 4
    Tally(found=1, truth=1, right=1, flagged=1, normal=nan)
    """

    tau: float = setting(0.5, share)

    def ledger(self, flags: Flags, events: Events, adjust: Adjustment) -> Ledger:
        """Account for every event and every run."""
        flags = adjust(flags, events)
        starts, stops = flagged_runs(flags, events)
        right, event = self._matches(starts, stops, events)
        found = np.zeros(len(events), np.int64)
        found[event[right]] = 1
        weight = np.ones(len(starts), np.int64)
        alarms = AlarmRows(starts, stops, event, starts, stops, weight, right.astype(np.int64))
        return Ledger(truth_rows(flags, events, np.ones_like(found), found), alarms)

    def _matches(
        self, starts: Positions, stops: Positions, events: Events
    ) -> tuple[Flags, Positions]:
        """Say which runs match an event, and which event each overlaps most (-1: none)."""
        run, other, length = overlaps(starts, stops, events.starts, events.stops)
        both = (stops - starts)[run] + events.widths[other] - length
        order = np.lexsort((other, -length / both, run))  # the largest first, then the earliest
        best = order[np.append(True, run[order][1:] != run[order][:-1])[: order.size]]
        event = np.full(len(starts), -1)
        event[run[best]] = other[best]
        enough = best[length[best] / both[best] >= self.tau]
        right = np.zeros(len(starts), bool)
        _, first = np.unique(other[enough], return_index=True)  # in the order of time
        right[run[enough[first]]] = True
        return right, event
