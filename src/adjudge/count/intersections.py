"""Count intersections: a run is valid when enough of it is anomalous, an event found when covered.

Neither the number of pieces nor their borders matter, only how much of each lies in the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from adjudge.checks import setting, share
from adjudge.count.contract import Counting
from adjudge.count.ledger import Ledger, flagged_runs, hits_and_false_alarms, truth_rows
from adjudge.data.intervals import overlaps

if TYPE_CHECKING:
    from adjudge._typing import Flags
    from adjudge.adjust import Adjustment
    from adjudge.data.events import Events


@dataclass(frozen=True)
class Intersections(Counting):
    """Weigh every event 1, found or not, and every run 1 of which too little is anomalous.

    A run is valid when a share ``dtc`` or more of its points is anomalous; an event is found when a
    share ``gtc`` or more of its points lies in valid runs. Runs that are not valid are false
    alarms. A valid run on an event that is not found is neither right nor wrong.

    Parameters
    ----------
    dtc : float
        The share of a run that must be anomalous (detection tolerance criterion).
    gtc : float
        The share of an event that must be covered (ground truth intersection criterion).

    References
    ----------
    .. [1] Ç. Bilen et al. (2020). A Framework for the Robust Evaluation of Sound Event Detection.
       ICASSP. arXiv:1910.08440.

    Examples
    --------
    >>> from adjudge.adjust import raw
    >>> from adjudge.data.events import Events
    >>> events, flags = Events.from_labels([0, 1, 1, 0, 0, 0]), np.array([1, 1, 0, 0, 0, 1]) > 0
    >>> Intersections().ledger(flags, events, raw).tally
    Tally(found=1, truth=1, right=1, flagged=2, normal=nan)
    """

    dtc: float = setting(0.5, share)
    gtc: float = setting(0.5, share)

    def ledger(self, flags: Flags, events: Events, adjust: Adjustment) -> Ledger:
        """Account for every event, and for every run that is not valid."""
        flags = adjust(flags, events)
        starts, stops = flagged_runs(flags, events)
        run, event, length = overlaps(starts, stops, events.starts, events.stops)
        inside = np.bincount(run, weights=length, minlength=len(starts))
        valid = inside / (stops - starts) >= self.dtc
        kept = valid[run]
        covered = np.bincount(event[kept], weights=length[kept], minlength=len(events))
        found = covered / events.widths >= self.gtc
        hit, one = found.astype(np.int64), np.ones(np.count_nonzero(found), np.int64)
        false = starts[~valid], stops[~valid], np.ones(np.count_nonzero(~valid), np.int64)
        alarms = hits_and_false_alarms(events, (np.flatnonzero(found), one, one), false)
        return Ledger(truth_rows(flags, events, np.ones_like(hit), hit), alarms)
