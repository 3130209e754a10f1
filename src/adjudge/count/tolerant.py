"""Count points with a tolerance: near is right, and near is found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from adjudge.count.contract import SweptCounting
from adjudge.count.ledger import AlarmRows, Ledger, first_touched, flagged_runs, truth_rows
from adjudge.count.tally import Mass, Masses
from adjudge.data.intervals import reduce_over
from adjudge.data.time_settings import time_length
from adjudge.data.time_windows import max_within

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags, Positions
    from adjudge.adjust import Adjustment
    from adjudge.data.events import Events


@dataclass(frozen=True)
class Tolerant(SweptCounting):
    r"""Weigh every point 1; it is right, or found, when the other side is within ``tolerance``.

    .. math:: P = \frac{|\{p : \exists y, |p - y| \le \tau\}|}{|\{p\}|}, \qquad
        R = \frac{|\{y : \exists p, |p - y| \le \tau\}|}{|\{y\}|}

    over flagged points p and anomalous points y. With tolerance 0 it is pointwise.

    Parameters
    ----------
    tolerance : int or duration
        How many points, or how much time, apart still counts.

    References
    ----------
    .. [1] E. Scharwächter and E. Müller (2020). Statistical Evaluation of Anomaly Detectors for
       Sequences. arXiv:2008.05788.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 1, 1, 1, 0])
    >>> Tolerant(1).masses(np.array([1, 1, 0, 0, 0, 0]) > 0, events).at(False)
    Tally(found=1, truth=3, right=1, flagged=2, normal=3)
    """

    tolerance: int | str = time_length(5, 0, "down", uneven=True)

    def masses(self, adjusted: Array, events: Events) -> Masses:
        """Count points above any threshold."""
        near = self._near(events.labels, events)
        judged = events.labels | events.normal
        found = Mass(self._near(adjusted, events)[events.labels])
        right, false = Mass(adjusted[judged & near]), Mass(adjusted[judged & ~near])
        truth, normal = found.values.size, int(np.count_nonzero(events.normal))
        return Masses(found, truth, right, false, (right, false), normal)

    def ledger(self, flags: Flags, events: Events, adjust: Adjustment) -> Ledger:
        """Account for every event and every run."""
        flags = adjust(flags, events)
        credit = events.sum(self._near(flags, events))
        starts, stops = flagged_runs(flags, events)
        near = self._near(events.labels, events).view(np.int8)
        right = reduce_over(np.add, near, starts, stops, dtype=np.int64)
        event = self._event_of(starts, stops, events)
        alarms = AlarmRows.of_runs(starts, stops, event, stops - starts, right)
        normal = int(np.count_nonzero(events.normal))
        return Ledger(truth_rows(flags, events, events.widths, credit), alarms, normal)

    def _event_of(self, starts: Positions, stops: Positions, events: Events) -> Positions:
        """The first event that a run touches, else the first within reach, else -1."""
        numbers = np.zeros(events.n, np.int64)
        numbers[events.labels] = events.spread(np.arange(len(events), 0, -1))  # the first is most
        reached = len(events) - reduce_over(np.maximum, self._near(numbers, events), starts, stops)
        touched = first_touched(starts, stops, events)
        return np.where(touched >= 0, touched, np.where(reached < len(events), reached, -1))

    def _near(self, values: Array, events: Events) -> Array:
        return max_within(values, self.tolerance, events)
