"""Ways of counting that few use: shares of events, hits by their place, points near an alarm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from adjudge.count.contract import SweptCounting
from adjudge.count.ledger import Ledger, flagged_runs, hits_and_false_alarms, no_alarms, truth_rows
from adjudge.count.tally import Mass, Masses, every_score
from adjudge.count.tolerant import Tolerant
from adjudge.data.intervals import reduce_over
from adjudge.data.time_settings import time_length
from adjudge.data.windows import max_within

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags, Floats
    from adjudge.adjust.adjustments import Adjustment
    from adjudge.data.events import Events


@dataclass(frozen=True)
class Shares(SweptCounting):
    """Weigh every event 1, and credit it with its covered share; a missed one has none.

    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([1, 1, 1, 1, 0, 1])
    >>> Shares().masses(np.array([1, 0, 0, 0, 1, 0]) > 0, events).at(False)
    Tally(found=0.25, truth=2, right=0, flagged=0, normal=nan)
    """

    def masses(self, adjusted: Array, events: Events) -> Masses:
        """Count shares above any threshold."""
        shares = Mass(adjusted[events.labels], weights=events.spread(1 / events.widths))
        return _truth_only(shares, len(events), adjusted, events)

    def ledger(self, flags: Flags, events: Events, adjust: Adjustment) -> Ledger:
        """Account for the events."""
        flags = adjust(flags, events)
        share = events.sum(flags) / events.widths
        return Ledger(truth_rows(flags, events, np.ones(len(events)), share), no_alarms())


@dataclass(frozen=True)
class Offsets(SweptCounting):
    """Weigh every hit 1, and credit it with its distance from the event's middle.

    The distance is a share of the event's width; the middle of an even width is the earlier
    of the two points there. Missed points and false alarms do not count.

    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([1, 1, 1, 1, 0])
    >>> Offsets().masses(np.array([1, 0, 0, 1, 1]) > 0, events).at(False)  # 1/4 and 2/4
    Tally(found=0.75, truth=2, right=0, flagged=0, normal=nan)
    """

    def masses(self, adjusted: Array, events: Events) -> Masses:
        """Count offsets above any threshold."""
        hits = adjusted[events.labels]
        offsets = Mass(hits, weights=_offsets(events))
        return _truth_only(offsets, Mass(hits.copy()), adjusted, events)

    def ledger(self, flags: Flags, events: Events, adjust: Adjustment) -> Ledger:
        """Account for the hits of each event."""
        flags = adjust(flags, events)
        far = np.zeros(events.n)
        far[events.labels] = _offsets(events)
        credit = reduce_over(np.add, far * flags, events.starts, events.stops)
        return Ledger(truth_rows(flags, events, events.sum(flags), credit), no_alarms())


@dataclass(frozen=True)
class NearOrFalse(SweptCounting):
    """Set the anomalous points near an alarm against the flagged normal points.

    An anomalous point is found when a flagged point lies within ``tolerance``. Each one so found
    counts as right, and as flagged; a flagged normal point as flagged alone, however near.

    Parameters
    ----------
    tolerance : int or duration
        How many points, or how much time, apart is near.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 1, 1, 1, 0])
    >>> NearOrFalse(1).masses(np.array([0, 1, 0, 0, 0, 0]) > 0, events).at(False)
    Tally(found=1, truth=3, right=1, flagged=2, normal=3)
    """

    tolerance: int | str = time_length(5, 0, "down", uneven=True)

    def masses(self, adjusted: Array, events: Events) -> Masses:
        """Count points above any threshold."""
        near = max_within(adjusted, self.tolerance, events)
        found, false = Mass(near[events.labels]), Mass(adjusted[events.normal])
        truth, normal = found.values.size, false.values.size
        return Masses(found, truth, None, false, (every_score(adjusted, events),), normal)

    def ledger(self, flags: Flags, events: Events, adjust: Adjustment) -> Ledger:
        """Account for each event, and for each run of false alarms."""
        flags = adjust(flags, events)
        truth = Tolerant(self.tolerance).ledger(flags, events, adjust).truth
        earned = np.flatnonzero(truth.credit > 0)
        starts, stops = flagged_runs(flags & events.normal, events)
        right = truth.credit[earned]
        false = starts, stops, stops - starts
        alarms = hits_and_false_alarms(events, (earned, right, right), false)
        return Ledger(truth, alarms, int(np.count_nonzero(events.normal)))


def _truth_only(found: Mass, truth: Mass | float, adjusted: Array, events: Events) -> Masses:
    """Leave the alarm side empty."""
    none = Mass(np.zeros(0))
    return Masses(found, truth, none, none, (every_score(adjusted, events),))


def _offsets(events: Events) -> Floats:
    """The distance of each event point from the middle, as a share of the event's width."""
    middle = events.spread((events.starts + events.stops - 1) // 2)
    far: Floats = np.abs(np.flatnonzero(events.labels) - middle) / events.spread(events.widths)
    return far
