"""Count intersections: a run is valid when enough of it is anomalous, an event found when covered.

Neither the number of pieces nor their borders matter, only how much of each lies in the other.

All thresholds are exact from a few sorts: a run is a run over a stretch of thresholds
(`adjudge.count.range_credit`). The events that lie wholly in a valid run are found; of others, a
run covers a part of two at most, those at its ends. So there are no more parts to follow than
runs, and what is covered of an event changes only where one of its parts comes or goes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from adjudge.checks import share
from adjudge.count.contract import SweptCounting
from adjudge.count.ledger import Entries, flagged_runs, hits_and_false_alarms, truth_rows
from adjudge.count.range_credit import (
    CoveredShare,
    NestedRuns,
    credit_changes,
    falling,
    nested_runs,
    of_flags,
)
from adjudge.count.tally import Mass, Masses, every_score
from adjudge.data.intervals import bincount, overlaps
from adjudge.settings import setting

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags, Floats, Positions
    from adjudge.data.events import Events


@dataclass(frozen=True)
class Intersections(SweptCounting):
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
    >>> from adjudge.adjust.adjustments import raw
    >>> from adjudge.data.events import Events
    >>> events, flags = Events.from_labels([0, 1, 1, 0, 0, 0]), np.array([1, 1, 0, 0, 0, 1]) > 0
    >>> Intersections().entries(flags, events, raw).tally
    Tally(found=1, truth=1, right=1, flagged=2, normal=nan)
    """

    dtc: float = setting(0.5, share)
    gtc: float = setting(0.5, share)

    def masses(self, adjusted: Array, events: Events) -> Masses:
        """Count events that are found, and runs that are not valid, above any threshold."""
        if adjusted.dtype == bool:
            return of_flags(self.flag_rows(adjusted, events).tally)
        nested = nested_runs(adjusted, events.series_bounds)
        valid = self._valid(nested.starts, nested.stops, events)
        found = self._found(nested.chosen(valid), events)
        levels = (every_score(adjusted, events),)
        return Masses(found, len(events), None, nested.mass(1 - valid.astype(np.int64)), levels)

    def flag_rows(self, flags: Flags, events: Events) -> Entries:
        """Rows for every event, and for every run that is not valid."""
        starts, stops = flagged_runs(flags, events)
        valid = self._valid(starts, stops, events)
        _, event, length = overlaps(starts[valid], stops[valid], events.starts, events.stops)
        covered = bincount(event, weights=length, minlength=len(events))
        found = covered / events.widths >= self.gtc
        hit, one = found.astype(np.int64), np.ones(np.count_nonzero(found), np.int64)
        false = starts[~valid], stops[~valid], np.ones(np.count_nonzero(~valid), np.int64)
        alarms = hits_and_false_alarms(events, (np.flatnonzero(found), one, one), false)
        return Entries(truth_rows(flags, events, np.ones_like(hit), hit, hit > 0), alarms)

    def _valid(self, starts: Positions, stops: Positions, events: Events) -> Flags:
        """Say of which runs enough is anomalous."""
        return np.asarray(CoveredShare(events.labels, "flat").share(starts, stops) >= self.dtc)

    def _found(self, valid: NestedRuns, events: Events) -> Mass:
        """Count the events within one valid run, and those that several cover well enough."""
        first = np.searchsorted(events.starts, valid.starts, side="left")
        after = np.searchsorted(events.stops, valid.stops, side="right")
        scores, owner, change = _parts(valid, events, first - 1, after)
        covered = np.cumsum(change)
        before = (covered - change)[np.searchsorted(owner, owner, side="left")]
        enough = (covered - before) / events.widths[owner] >= self.gtc
        changes = credit_changes(owner, enough.astype(np.int64))
        values, weights = valid.steps(np.maximum(after - first, 0))
        return Mass(np.append(values, scores), weights=np.append(weights, changes))


def _parts(
    runs: NestedRuns, events: Events, cut: Positions, following: Positions
) -> tuple[Floats, Positions, Positions]:
    """Scores at which parts of events are covered or no longer, of which, and by how many points.

    A run may begin within the event that it cuts, and end within the one that follows those that
    are whole. They come by event, the highest score first.
    """
    padded_stops = np.append(events.stops, 0)  # of the event -1, which is none
    left = np.flatnonzero(padded_stops[cut] > runs.starts)
    padded_starts = np.append(events.starts, events.n)
    begin = padded_starts[following]
    right = np.flatnonzero((begin >= runs.starts) & (begin < runs.stops))
    run, event = np.append(left, right), np.append(cut[left], following[right])
    length = np.append(
        np.minimum(runs.stops, padded_stops[cut])[left] - runs.starts[left],
        runs.stops[right] - begin[right],
    )
    gone = np.flatnonzero(runs.until[run] > -np.inf)
    scores = np.append(runs.above[run], runs.until[run][gone])
    event, change = np.append(event, event[gone]), np.append(length, -length[gone])
    order = falling(scores, event)
    return scores[order], event[order], change[order]
