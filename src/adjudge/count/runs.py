"""Count events and runs: an event is found or missed, a flagged run touches an event or not.

A run begins where a flagged point follows one that is not, so the number of runs above a threshold
is a sum of +1 for each point that rises above it and -1 for the neighbour that does not: again a
step function of the threshold, exact from one sort.

Count covered shares: how much of the events that were found was flagged; and runs that begin soon
after another.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from adjudge.adjust.adjustments import raw
from adjudge.count.contract import Counting, SweptCounting
from adjudge.count.ledger import (
    AlarmRows,
    Entries,
    first_touched,
    flagged_runs,
    truth_rows,
)
from adjudge.count.tally import Mass, Masses, Tally, every_score, of_truth
from adjudge.count.time_count import TimeEntries
from adjudge.data.intervals import bincount, reduce_over, runs
from adjudge.data.time_settings import time_length
from adjudge.data.windows import lowest

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags, Positions
    from adjudge.adjust.contract import Adjustment
    from adjudge.count.alerts_on_lines import AlertsOnLines
    from adjudge.count.tally import StreamSums
    from adjudge.count.time_count import TimeCount
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
        return of_truth(shares, Mass(events.max(adjusted)), adjusted, events)

    def flag_rows(self, flags: Flags, events: Events) -> Entries:
        """Rows for the events that were touched."""
        share = events.sum(flags) / events.widths
        weight = events.max(flags).astype(np.int64)
        return Entries(truth_rows(flags, events, weight, share))


@dataclass(frozen=True)
class Runs(SweptCounting):
    """Weigh every event 1 on the truth side, and every flagged run 1 on the alarm side.

    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 1, 1, 0, 1])
    >>> Runs().masses(np.array([1, 0, 0, 1, 1, 0]) > 0, events).at(False)
    Tally(found=1, truth=2, right=1, flagged=2, normal=nan)
    """

    def masses(self, adjusted: Array, events: Events) -> Masses:
        """Count events and runs above any threshold."""
        right, false = runs_by_touch(adjusted, events)
        levels = (every_score(adjusted, events),)
        return Masses(Mass(events.max(adjusted)), len(events), right, false, levels)

    def tally(self, flags: Flags, events: Events, adjust: Adjustment) -> Tally:
        """Count the events and the runs of one threshold, without a sort."""
        flags = adjust(flags, events)
        starts, stops = flagged_runs(flags, events)
        right = int(np.count_nonzero(first_touched(starts, stops, events) >= 0))
        return Tally(int(np.count_nonzero(events.max(flags))), len(events), right, len(starts))

    def of_stream(self, passed: StreamSums, adjust: Adjustment) -> Tally | None:
        """Count the events and runs that have passed, as they were flagged."""
        if adjust != raw:  # which may join runs
            return None
        return Tally(passed.found, passed.truth, passed.right, passed.right + passed.wrong)

    def in_time(self, count: TimeCount) -> TimeEntries:
        """Weigh every incident, and every alert, 1."""
        found, right = count.found, count.right
        return TimeEntries(found, np.ones_like(found[:1]), right, np.ones_like(right[:1]))

    def meets(self, case: AlertsOnLines, adjust: Adjustment) -> tuple[int, ...]:  # noqa: ARG002
        """Where an alert comes to an incident, or early enough."""
        return 0, case.early

    def flag_rows(self, flags: Flags, events: Events) -> Entries:
        """Rows for events and runs."""
        starts, stops = flagged_runs(flags, events)
        event = first_touched(starts, stops, events)
        hit = events.max(flags).astype(np.int64)
        weight = np.ones(len(starts), np.int64)
        alarms = AlarmRows.of_runs(starts, stops, event, weight, (event >= 0).astype(np.int64))
        return Entries(truth_rows(flags, events, np.ones(len(events), np.int64), hit), alarms)


@dataclass(frozen=True)
class RunsPerEvent(SweptCounting):
    """Weigh every event that was found 1, and charge it with the flagged runs inside it.

    Missed events are left out; alarms outside events play no part.

    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 1, 1, 1, 0, 1])
    >>> RunsPerEvent().masses(np.array([1, 1, 0, 1, 0, 0]) > 0, events).at(False)
    Tally(found=2, truth=1, right=0, flagged=0, normal=nan)
    """

    def masses(self, adjusted: Array, events: Events) -> Masses:
        """Count runs inside events, and the events that have some, above any threshold."""
        inside = np.where(events.labels, adjusted, lowest(adjusted))
        up, down = _rises(inside, np.union1d(events.series_bounds[:-1], events.starts))
        return of_truth(Mass(up, minus=down), Mass(events.max(adjusted)), adjusted, events)

    def of_stream(self, passed: StreamSums, adjust: Adjustment) -> Tally | None:
        """Count the runs inside events that have passed."""
        return Tally(passed.inside, passed.hit, 0, 0) if adjust == raw else None

    def in_time(self, count: TimeCount) -> TimeEntries:
        """Charge every incident that was found with its alerts."""
        none = count.silence
        return TimeEntries(count.many, count.found, none, none)

    def flag_rows(self, flags: Flags, events: Events) -> Entries:
        """Rows for the events that were found."""
        firsts = np.union1d(events.series_bounds[:-1], events.starts)
        starts, _ = runs(flags & events.labels, firsts)
        owner = np.searchsorted(events.starts, starts, side="right") - 1
        count = bincount(owner, minlength=len(events))
        return Entries(truth_rows(flags, events, np.minimum(count, 1), count))


@dataclass(frozen=True)
class Flaps(Counting):
    """Weigh every flagged run 1, and charge it with 1 if it begins soon after another has ended.

    Parameters
    ----------
    within : int or duration
        At most so many points lie between the two.

    Examples
    --------
    >>> from adjudge.adjust.adjustments import raw
    >>> from adjudge.data.events import Events
    >>> events, flags = Events.from_labels([0, 1, 1, 0, 0, 0]), np.array([1, 0, 1, 0, 0, 1]) > 0
    >>> Flaps(within=1).entries(flags, events, raw).tally
    Tally(found=0, truth=0, right=2, flagged=3, normal=nan)
    """

    tells_false: ClassVar[bool] = False

    within: int = time_length(5, 1, "down")

    def flag_rows(self, flags: Flags, events: Events) -> Entries:
        """Rows for every run."""
        starts, stops = flagged_runs(flags, events)
        home = np.searchsorted(events.series_bounds, starts, side="right")
        calm = np.ones(len(starts), np.int64)
        calm[1:][(starts[1:] - stops[:-1] <= self.within) & (home[1:] == home[:-1])] = 0
        event = first_touched(starts, stops, events)
        alarms = AlarmRows.of_runs(starts, stops, event, np.ones_like(calm), calm)
        none = np.zeros(len(events), np.int64)
        return Entries(truth_rows(flags, events, none, none), alarms)


def runs_by_touch(scores: Array, events: Events) -> tuple[Mass, Mass]:
    """Count the runs that touch an event, and those that do not.

    Event points alone and normal points alone have their own runs. Where a normal stretch is
    flagged from one event to the next it joins two runs of event points into one. The first and
    the last run of a normal stretch are no false ones while they hang together with a flagged
    event point next door; a joining stretch must not be taken off twice.
    """
    firsts = events.series_bounds[:-1]
    starts, stops = runs(~events.labels, firsts)
    after_event = ~np.isin(starts, events.series_bounds)
    before_event = ~np.isin(stops, events.series_bounds)
    left = np.minimum(scores[starts[after_event] - 1], scores[starts[after_event]])
    right = np.minimum(scores[stops[before_event] - 1], scores[stops[before_event]])
    starts, stops = (edge[after_event & before_event] for edge in (starts, stops))
    joined = reduce_over(np.minimum, scores, starts - 1, stops + 1)
    up, down = _rises(np.where(events.labels, scores, lowest(scores)), firsts)
    touching = Mass(up, minus=np.concatenate([down, joined]))
    up, down = _rises(np.where(events.labels, lowest(scores), scores), firsts)
    return touching, Mass(np.append(up, joined), minus=np.concatenate([down, left, right]))


def _rises(scores: Array, firsts: Positions) -> tuple[Array, Array]:
    """Find the points that exceed the one before: a run starts there, between the two scores."""
    previous = np.empty_like(scores)
    previous[1:] = scores[:-1]
    previous[firsts] = lowest(scores)
    rises = scores > previous
    return scores[rises], previous[rises]
