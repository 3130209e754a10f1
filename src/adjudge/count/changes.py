"""Count changes: as many pairs of a change and an alarm near it as there can be, one to one.

All windows reach equally far, so their ends ascend with the changes, and walking through both
lists at once finds a largest matching: an alarm before the window of the first change that is left
fits no later one either, a change whose window the first alarm has passed fits no later alarm, and
where both fit, pairing them takes nothing away from the others.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.checks import boolean
from adjudge.count.contract import Counting
from adjudge.count.ledger import AlarmRows, Entries, TruthRows, alarm_positions
from adjudge.data.time_settings import time_length
from adjudge.data.windows import earliest, past_latest
from adjudge.settings import setting

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags, Floats, Positions
    from adjudge.adjust.contract import Adjustment
    from adjudge.data.events import Events


class ChangeWindows(NamedTuple):
    """Half-open stretches of points, one per change, in the order of the changes."""

    begin: Positions
    end: Positions


class PositionCounting(Counting):
    """A way of counting alarms that are positions: where each was raised, and nothing else."""

    def alarms(self, flags: Flags, events: Events, adjust: Adjustment) -> Positions:
        """Where the alarms are that count: all of them, for most."""
        return alarm_positions(adjust(flags, events), events)

    def entries(self, flags: Flags, events: Events, adjust: Adjustment) -> Entries:
        """The rows of the alarms."""
        return self.rows(self.alarms(flags, events, adjust), events)

    @abstractmethod
    def rows(self, alarms: Positions, events: Events, /) -> Entries:
        """The rows of alarms at these positions, ascending."""

    def windows(self, changes: Positions, events: Events) -> ChangeWindows | None:  # noqa: ARG002 - most have
        """The points in which an alarm counts for each change; None: no such rule."""
        return None


def matched(windows: ChangeWindows, alarms: Positions) -> Positions:
    """The alarm that each window is paired with, or -1; as many pairs as there can be.

    >>> window = ChangeWindows(np.array([0, 4]), np.array([11, 15]))
    >>> matched(window, np.array([3, 9, 20]))
    array([0, 1])
    """
    pairs = np.full(windows.begin.size, -1)
    begin, end, at = windows.begin.tolist(), windows.end.tolist(), alarms.tolist()
    change = alarm = 0
    while change < len(begin) and alarm < len(at):
        if at[alarm] < begin[change]:
            alarm += 1
        elif at[alarm] >= end[change]:
            change += 1
        else:
            pairs[change] = alarm
            change, alarm = change + 1, alarm + 1
    return pairs


def lists_of(events: Events) -> list[Positions]:
    """The positions of the truth, one list per annotator; without annotators there is one."""
    if events.changes is None or events.changes.annotators is None:
        return [events.starts]
    named = events.changes.annotators
    return [one[np.isin(one, events.starts)] for one in named]


@dataclass(frozen=True)
class MatchedChanges(PositionCounting):
    r"""Weigh every change and every alarm 1; pairs at most ``margin`` apart are right, one to one.

    .. math:: |a - t| \le \text{margin}

    Of several annotators a change is right that any of them named, and recall is the mean over
    them; those who named none are left out.

    Parameters
    ----------
    margin : int or duration
        How far an alarm may lie from its change.
    before, after : int or duration, optional
        The same on one side alone. Default: the margin.
    trivial : bool
        Whether the start of each series counts as a change that everyone reports.

    References
    ----------
    .. [1] G. J. J. van den Burg and C. K. I. Williams (2020). An Evaluation of Change Point
       Detection Algorithms. arXiv:2003.06222.

    Examples
    --------
    >>> from adjudge.adjust.adjustments import raw
    >>> from adjudge.data.changes import Changes
    >>> alarms = Changes([9, 12], 30).counts
    >>> MatchedChanges(2).entries(alarms, Changes([10, 14], 30).events, raw).tally
    Tally(found=2, truth=2, right=2, flagged=2, normal=nan)
    """

    margin: int | str = time_length(5, 0, "down", uneven=True)
    before: int | str | None = time_length(None, 0, "down", uneven=True)
    after: int | str | None = time_length(None, 0, "down", uneven=True)
    trivial: bool = setting(False, boolean)

    @property
    def resamples(self) -> bool:
        """Whether rows may be drawn again: the starts of series that are given away may not."""
        return not self.trivial

    def windows(self, changes: Positions, events: Events) -> ChangeWindows:
        """The points near each change of its series."""
        before = self.margin if self.before is None else self.before
        after = self.margin if self.after is None else self.after
        return ChangeWindows(earliest(changes, before, events), past_latest(changes, after, events))

    def rows(self, alarms: Positions, events: Events) -> Entries:
        """Give a row for every change and every alarm."""
        free = events.series_bounds[:-1] if self.trivial else np.zeros(0, np.int64)
        alarms = np.union1d(alarms, free) if self.trivial else alarms
        truth = np.union1d(events.starts, free)
        lists = [np.union1d(one, free) for one in lists_of(events)]
        pairs = matched(self.windows(truth, events), alarms)
        right = np.zeros(alarms.size, np.int64)
        right[pairs[pairs >= 0]] = 1
        owner = np.full(alarms.size, -1)
        owner[pairs[pairs >= 0]] = np.flatnonzero(pairs >= 0)
        rows = AlarmRows.of_runs(alarms, alarms + 1, owner, np.ones_like(right), right)
        shares = np.ones(truth.size, np.int64), (pairs >= 0).astype(np.int64)
        if len(lists) > 1:
            shares = self._shares(lists, truth, alarms, events)
        stop = events.stops if truth.size == len(events) else truth + 1
        return Entries(change_rows(truth, stop, lateness(truth, alarms, pairs), *shares), rows)

    def _shares(
        self, lists: list[Positions], truth: Positions, alarms: Positions, events: Events
    ) -> tuple[Array, Array]:
        """What each change weighs and earns: of each annotator all changes together weigh 1."""
        weight, credit = np.zeros(truth.size), np.zeros(truth.size)
        for own in (one for one in lists if one.size):
            place = np.searchsorted(truth, own)
            found = matched(self.windows(own, events), alarms) >= 0
            weight[place] += 1 / own.size
            credit[place[found]] += 1 / own.size
        return weight, credit


def lateness(truth: Positions, alarms: Positions, pairs: Positions) -> Floats:
    """How many points after its change the alarm of each pair came; NaN without one."""
    late: Floats = np.full(truth.size, np.nan)
    hit = pairs >= 0
    late[hit] = alarms[pairs[hit]] - truth[hit]
    return late


def change_rows(
    start: Positions, stop: Positions, late: Floats, weight: Array, credit: Array
) -> TruthRows:
    """Rows that say of each change whether it earned anything, and how late its alarm came."""
    return TruthRows(start, stop, credit > 0, np.full(start.size, np.nan), late, weight, credit)
