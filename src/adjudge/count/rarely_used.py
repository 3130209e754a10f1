"""Ways of counting that few use: shares of events, hits by their place, points near an alarm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from adjudge.checks import whole
from adjudge.count.ledger import AlarmRows, Ledger, flagged_runs, no_alarms, truth_rows
from adjudge.count.tally import Mass, Masses
from adjudge.count.tolerant import Tolerant
from adjudge.data.intervals import reduce_over
from adjudge.data.windows import moving_max

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags, Floats, Positions
    from adjudge.adjust import Adjustment
    from adjudge.data.events import Events


@dataclass(frozen=True)
class Shares:
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
class Offsets:
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
class NearOrFalse:
    """Set the anomalous points near an alarm against the flagged normal points.

    An anomalous point is found when a flagged point lies within ``tolerance``. Each one so found
    counts as right, and as flagged; a flagged normal point as flagged alone, however near.

    Parameters
    ----------
    tolerance : int
        How many points apart is near.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 1, 1, 1, 0])
    >>> NearOrFalse(1).masses(np.array([0, 1, 0, 0, 0, 0]) > 0, events).at(False)
    Tally(found=1, truth=3, right=1, flagged=2, normal=3)
    """

    tolerance: int = 5

    def __post_init__(self) -> None:
        """Check the tolerance."""
        object.__setattr__(self, "tolerance", whole(self.tolerance, "tolerance", 0))

    def masses(self, adjusted: Array, events: Events) -> Masses:
        """Count points above any threshold."""
        near = moving_max(adjusted, self.tolerance, self.tolerance, events.series_bounds)
        found, false = Mass(near[events.labels]), Mass(adjusted[events.normal])
        judged = adjusted if events.judged is None else adjusted[events.judged]
        truth, normal = found.values.size, false.values.size
        return Masses(found, truth, found, false, (Mass(judged.copy()),), normal)

    def ledger(self, flags: Flags, events: Events, adjust: Adjustment) -> Ledger:
        """Account for each event, and for each run of false alarms."""
        flags = adjust(flags, events)
        truth = Tolerant(self.tolerance).ledger(flags, events, adjust).truth
        earned = np.flatnonzero(truth.credit > 0)
        starts, stops = flagged_runs(flags & events.normal, events)
        begin, end = np.append(truth.start[earned], starts), np.append(truth.stop[earned], stops)
        event = np.append(earned, np.full(len(starts), -1))
        weight = np.append(truth.credit[earned], stops - starts)
        credit = np.append(truth.credit[earned], np.zeros_like(starts))
        order = np.argsort(begin, kind="stable")
        columns = (c[order] for c in (begin, end, event, begin, end, weight, credit))
        return Ledger(truth, AlarmRows(*columns), int(np.count_nonzero(events.normal)))


@dataclass(frozen=True)
class WeightedDifference:
    r"""Hits, weighed by their place in the event, less false alarms, weighed by their distance.

    .. math:: \sum_{\text{hits } x} e^{-(x - m)^2 / (2 (w/2)^2)}
        - \sum_{\text{false } x} \min(1, d(x) / \tau)

    with the middle m and the width w of the event, the distance d to the nearest anomalous point of
    the series, and :math:`\tau` the tolerance. Unbounded, and a sum: it grows with the length
    of the data. 0: nothing is flagged.

    Parameters
    ----------
    tolerance : int
        From how many points on a false alarm costs a whole one; 0 and 1 are the same.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 1, 1, 1, 0, 0])
    >>> WeightedDifference(2)(np.array([0, 0, 0, 1, 0, 1, 1]) > 0, events)  # 1 - 1/2 - 1
    -0.5
    """

    tolerance: int = 5

    def __post_init__(self) -> None:
        """Check the tolerance."""
        object.__setattr__(self, "tolerance", whole(self.tolerance, "tolerance", 0))

    def __call__(self, flags: Flags, events: Events) -> float:
        """Judge flags."""
        middle = events.spread(events.starts + events.stops - 1) / 2
        place = (np.flatnonzero(events.labels) - middle) / events.spread(events.widths / 2)
        hits = np.exp(-(place**2) / 2)[flags[events.labels]]
        false = _distances(np.flatnonzero(flags & events.normal), events)
        return float(hits.sum() - np.minimum(false / max(self.tolerance, 1), 1).sum())


def _truth_only(found: Mass, truth: Mass | float, adjusted: Array, events: Events) -> Masses:
    """Leave the alarm side empty."""
    judged = adjusted if events.judged is None else adjusted[events.judged]
    none = Mass(np.zeros(0))
    return Masses(found, truth, none, none, (Mass(judged.copy()),))


def _offsets(events: Events) -> Floats:
    """Give each event point its distance from the middle, as a share of the event's width."""
    middle = events.spread((events.starts + events.stops - 1) // 2)
    far: Floats = np.abs(np.flatnonzero(events.labels) - middle) / events.spread(events.widths)
    return far


def _distances(points: Positions, events: Events) -> Floats:
    """Give the distance from each point to the nearest event of its series; infinite without."""
    bounds = events.series_bounds
    home = np.searchsorted(bounds, points, side="right") - 1
    place = np.searchsorted(events.starts, points)
    ends = np.append(-1, events.stops - 1)[place]
    begins = np.append(events.starts, events.n)[place]
    left = np.where(ends >= bounds[home], points - ends, np.inf)
    right = np.where(begins < bounds[home + 1], begins - points, np.inf)
    return np.minimum(left, right)
