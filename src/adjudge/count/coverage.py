"""Count covered shares: how much of the events that were found was flagged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from adjudge.count.contract import SweptCounting
from adjudge.count.ledger import Ledger, no_alarms, truth_rows
from adjudge.count.tally import Mass, Masses, every_score

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags
    from adjudge.adjust import Adjustment
    from adjudge.data.events import Events


@dataclass(frozen=True)
class Coverage(SweptCounting):
    """Weigh every event that was touched 1, and credit it with its covered share.

    The truth mass depends on the threshold: missed events are left out of the mean.

    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([1, 1, 1, 1, 0, 1])
    >>> Coverage().masses(np.array([1, 0, 0, 0, 1, 0]) > 0, events).at(False)
    Tally(found=0.25, truth=1, right=0, flagged=0, normal=nan)
    """

    def masses(self, adjusted: Array, events: Events) -> Masses:
        """Count shares above any threshold."""
        shares = Mass(adjusted[events.labels], weights=events.spread(1 / events.widths))
        none, levels = Mass(np.zeros(0)), (every_score(adjusted, events),)
        return Masses(shares, Mass(events.max(adjusted)), none, none, levels)

    def ledger(self, flags: Flags, events: Events, adjust: Adjustment) -> Ledger:
        """Account for the events that were touched."""
        flags = adjust(flags, events)
        share = events.sum(flags) / events.widths
        weight = events.max(flags).astype(np.int64)
        return Ledger(truth_rows(flags, events, weight, share), no_alarms())
