"""Count early warnings: an alarm is in time when it lies in a window before (or around) an event.

Windows of several events may overlap: an alarm in both is in time for both, and several alarms
in one window are all in time, unless only the first is to count.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from adjudge.checks import boolean, word
from adjudge.count.changes import ChangeWindows, PositionCounting, change_rows
from adjudge.count.ledger import AlarmRows, Entries, alarm_positions
from adjudge.data.durations import NANOSECONDS, signed_duration
from adjudge.data.intervals import covered
from adjudge.data.time_settings import point_seconds, time_length
from adjudge.data.windows import earliest, late_seconds, past_latest
from adjudge.errors import InputError
from adjudge.settings import setting

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags, Floats, Positions
    from adjudge.adjust.contract import Adjustment
    from adjudge.count.contract import Counting
    from adjudge.data.events import Events

Late = Literal["false", "ignored"]
Extra = Literal["right", "false"]
Average = Literal["mean", "median"]
Missed = Literal["left out", "after"]


def hits(windows: ChangeWindows, alarms: Positions) -> tuple[Positions, Positions]:
    """The first alarm of each window and the first one behind it, by their numbers."""
    first = np.searchsorted(alarms, windows.begin, side="left")
    return first, np.maximum(np.searchsorted(alarms, windows.end, side="left"), first)


def outside_of(windows: ChangeWindows, events: Events) -> Flags:
    """The judged points that lie in no window."""
    free = ~covered(windows.begin, windows.end, events.n)
    return free if events.judged is None else free & events.judged


def last_points(changes: Positions, events: Events) -> Positions:
    """The last point of each change: its own position, unless it is gradual."""
    if events.changes is None:
        return changes
    place = np.searchsorted(events.changes.positions, changes)
    return events.changes.ends[place]


def kept_after(alarms: Positions, cooldown: int | str, events: Events) -> Positions:
    """Drop the alarms that come too soon after the last one that was kept, series by series.

    >>> from adjudge.data.events import Events
    >>> kept_after(np.array([0, 3, 5, 9]), 5, Events.from_labels([0] * 10))
    array([0, 5])
    """
    if cooldown == 0 or not alarms.size:
        return alarms
    home = np.searchsorted(events.series_bounds, alarms, side="right")
    kept = [0]
    free = _free_again(alarms, home, cooldown, events).tolist()
    while free[kept[-1]] < alarms.size:
        kept.append(free[kept[-1]])
    return alarms[kept]


def _free_again(
    alarms: Positions, home: Positions, cooldown: int | str, events: Events
) -> Positions:
    """The number of the first alarm that may follow each one: far enough, or of another series."""
    if isinstance(cooldown, str):
        assert events.clock is not None  # noqa: S101 - a duration has met its clock before
        when = events.clock.instants[alarms]
        apart = signed_duration(cooldown, "cooldown")
    else:
        when, apart = alarms, cooldown
    nxt = np.searchsorted(home, home, side="right")
    for series in np.unique(home).tolist():
        own = np.flatnonzero(home == series)
        nxt[own] = own[0] + np.searchsorted(when[own], when[own] + apart, side="left")
    return np.maximum(nxt, np.arange(alarms.size) + 1)


@dataclass(frozen=True)
class WarningWindows(PositionCounting):
    """The settings that all countings of early warnings share."""

    max_lead: int | str = time_length(10, 0, "down", uneven=True, signed=True)
    min_lead: int | str = time_length(0, 0, "up", uneven=True, signed=True)
    cooldown: int | str = time_length(0, 0, "up", uneven=True)

    def __post_init__(self) -> None:
        """Check the settings, and that the window does not end before it begins."""
        super().__post_init__()
        leads = [self.max_lead, self.min_lead]
        if isinstance(leads[0], str) and isinstance(leads[1], str):
            leads = [signed_duration(lead, "lead") for lead in leads]
        if type(leads[0]) is type(leads[1]) and leads[1] > leads[0]:  # type: ignore[operator]
            raise InputError(
                f"min_lead must be at most max_lead, got {self.min_lead!r} and {self.max_lead!r}"
            )

    def windows(self, changes: Positions, events: Events) -> ChangeWindows:
        """The points at which a warning of each event is in time."""
        begin = earliest(changes, self.max_lead, events)
        end = past_latest(last_points(changes, events), opposite(self.min_lead), events)
        return ChangeWindows(begin, np.maximum(begin, end))

    def no_room(self, events: Events) -> frozenset[int]:
        """The events too near the start of their series for a warning to be in time."""
        begin, end = self.windows(events.starts, events)
        return frozenset(events.starts[end <= begin].tolist())

    def alarms(self, flags: Flags, events: Events, adjust: Adjustment) -> Positions:
        """The alarms that are left after the cooldown."""
        return kept_after(alarm_positions(adjust(flags, events), events), self.cooldown, events)


def opposite(lead: int | str) -> int | str:
    """A lead as a delay, and the reverse.

    >>> opposite(3), opposite("10s"), opposite("-10s")
    (-3, '-10s', '10s')
    """
    if not isinstance(lead, str):
        return -lead
    return lead.removeprefix("-") if lead.startswith("-") else f"-{lead}"


@dataclass(frozen=True)
class OutsideWarnings(WarningWindows):
    """Count alarms in windows and those in none, and the time outside all windows.

    Parameters
    ----------
    max_lead, min_lead : int or duration
        An alarm at a is in time for an event at t when t - max_lead <= a <= t - min_lead. A
        negative min_lead lets alarms be late.
    cooldown : int or duration
        An alarm less than this after the last one that was kept is dropped first.
    late : "false" or "ignored"
        What becomes of alarms after t - min_lead and until t that are in time for no event.

    Examples
    --------
    >>> from adjudge.adjust.adjustments import raw
    >>> from adjudge.data.changes import Changes
    >>> alarms = Changes([40, 60], 100).counts
    >>> OutsideWarnings().entries(alarms, Changes([50], 100).events, raw).tally
    Tally(found=1, truth=1, right=1, flagged=2, normal=89)
    """

    late: Late = setting("false", word, get_args(Late))

    def rows(self, alarms: Positions, events: Events) -> Entries:
        """Give a row for every event and every alarm."""
        windows = self.windows(events.starts, events)
        first, stop = hits(windows, alarms)
        found = (stop > first).astype(np.int64)
        owner = first_owner(first, stop, alarms.size)
        right = self._right(owner >= 0, first[found > 0]).astype(np.int64)
        weight, outside = np.ones_like(right), outside_of(windows, events)
        if self.late == "ignored":
            zone = self.late_zone(windows, events)
            near = first_owner(*hits(zone, alarms), alarms.size)
            weight[(owner < 0) & (near >= 0)] = 0
            owner = np.where(owner < 0, near, owner)
            outside &= outside_of(zone, events)
        late = lead_of(events.starts, alarms, first, found)
        rows = AlarmRows.of_runs(alarms, alarms + 1, owner, weight, right)
        truth = change_rows(events.starts, events.stops, late, np.ones_like(found), found)
        return Entries(truth, rows, self._time(outside, events))

    def late_zone(self, windows: ChangeWindows, events: Events) -> ChangeWindows:
        """The points behind each window until its event."""
        end = past_latest(events.starts, 0, events)
        return ChangeWindows(windows.end, np.maximum(end, windows.end))

    def _right(self, inside: Flags, first: Positions) -> Flags:  # noqa: ARG002 - of no meaning here
        """The alarms that count as right: all that are in time."""
        return inside

    def _time(self, outside: Flags, events: Events) -> float:  # noqa: ARG002 - of seconds it is
        return int(np.count_nonzero(outside))


@dataclass(frozen=True)
class EarlyWarnings(OutsideWarnings):
    """Weigh every event and every alarm 1; both are right when the alarm is in time.

    Parameters
    ----------
    max_lead, min_lead : int or duration
        An alarm at a is in time for an event at t when t - max_lead <= a <= t - min_lead. A
        negative min_lead lets alarms be late.
    cooldown : int or duration
        An alarm less than this after the last one that was kept is dropped first.
    late : "false" or "ignored"
        What becomes of alarms after t - min_lead and until t that are in time for no event.
    extra : "right" or "false"
        What further alarms in a window are after its first.

    Examples
    --------
    >>> from adjudge.adjust.adjustments import raw
    >>> from adjudge.data.changes import Changes
    >>> alarms = Changes([42, 45, 60], 100).counts
    >>> EarlyWarnings(extra="false").entries(alarms, Changes([50], 100).events, raw).tally
    Tally(found=1, truth=1, right=1, flagged=3, normal=89)
    """

    extra: Extra = setting("right", word, get_args(Extra))

    def _right(self, inside: Flags, first: Positions) -> Flags:
        if self.extra == "right":
            return inside
        chosen = np.zeros(inside.size, bool)
        chosen[first] = True
        return chosen


@dataclass(frozen=True)
class TimeInWarning(WarningWindows):
    """Weigh every event 1, and every alarm by the watched time that it alone puts in warning.

    An alarm at a warns of the points from a + min_lead to a + max_lead, at which an event would be
    found by it. Where the windows of alarms overlap, the time belongs to the first of them; so the
    alarms add up to the union of all windows. Leads in time weigh points by how long they stand.

    Parameters
    ----------
    max_lead, min_lead : int or duration
        An alarm at a is in time for an event at t when t - max_lead <= a <= t - min_lead. A
        negative min_lead lets alarms be late.
    cooldown : int or duration
        An alarm less than this after the last one that was kept is dropped first.

    Examples
    --------
    >>> from adjudge.adjust.adjustments import raw
    >>> from adjudge.data.changes import Changes
    >>> alarms = Changes([42, 45, 80], 100).counts
    >>> TimeInWarning().entries(alarms, Changes([50], 100).events, raw).tally
    Tally(found=1, truth=1, right=14, flagged=25, normal=100)
    """

    def rows(self, alarms: Positions, events: Events) -> Entries:
        """Give a row for every event and every alarm."""
        first, stop = hits(self.windows(events.starts, events), alarms)
        found, owner = (stop > first).astype(np.int64), first_owner(first, stop, alarms.size)
        time = self._time_before(events)
        begin = earliest(alarms, opposite(self.min_lead), events)
        end = past_latest(alarms, self.max_lead, events)
        begin = np.maximum(begin, np.append(0, np.maximum.accumulate(end)[:-1])[: alarms.size])
        own = time[np.maximum(end, begin)] - time[begin]
        rows = AlarmRows.of_runs(alarms, alarms + 1, owner, own, np.where(owner >= 0, own, 0))
        late = lead_of(events.starts, alarms, first, found)
        truth = change_rows(events.starts, events.stops, late, np.ones_like(found), found)
        return Entries(truth, rows, time[-1].item())

    def _time_before(self, events: Events) -> Array:
        """How much time was watched before each point, and in all: in points, or in seconds."""
        each = (
            point_seconds(events) if isinstance(self.max_lead, str) else np.ones(events.n, np.int64)
        )
        each = each if events.judged is None else each * events.judged
        return np.append(0, np.cumsum(each))


@dataclass(frozen=True)
class LeadTimes(WarningWindows):
    """Weigh every event that was warned of 1, and credit it with the lead of its earliest alarm.

    Parameters
    ----------
    max_lead, min_lead : int or duration
        An alarm at a is in time for an event at t when t - max_lead <= a <= t - min_lead. A
        negative min_lead lets alarms be late.
    cooldown : int or duration
        An alarm less than this after the last one that was kept is dropped first.

    Examples
    --------
    >>> from adjudge.adjust.adjustments import raw
    >>> from adjudge.data.changes import Changes
    >>> alarms = Changes([42, 45], 100).counts
    >>> LeadTimes().entries(alarms, Changes([50, 90], 100).events, raw).tally
    Tally(found=8.0, truth=1, right=0, flagged=0, normal=nan)
    """

    def rows(self, alarms: Positions, events: Events) -> Entries:
        """Give rows for the events that were warned of."""
        first, stop = hits(self.windows(events.starts, events), alarms)
        found = (stop > first).astype(np.int64)
        late = lead_of(events.starts, alarms, first, found)
        lead = -np.nan_to_num(self._amount(late, events))
        rows = change_rows(events.starts, events.stops, late, found, lead)
        return Entries(replace(rows, found=found > 0))

    def _amount(self, late: Floats, events: Events) -> Floats:  # noqa: ARG002 - of time it matters
        return late

    def in_seconds(self) -> Counting:
        """The same, in seconds of the clock."""
        return _LeadsInSeconds(**vars(self))


class _LeadsInSeconds(LeadTimes):
    """Leads in seconds."""

    def _amount(self, late: Floats, events: Events) -> Floats:
        return late_seconds(late, events)


def lead_of(starts: Positions, alarms: Positions, first: Positions, found: Array) -> Floats:
    """How many points after the event its first alarm in time came; NaN where there is none."""
    late = np.full(starts.size, np.nan)
    hit = found > 0
    late[hit] = alarms[first[hit]] - starts[hit]
    return late


def first_owner(first: Positions, stop: Positions, count: int) -> Positions:
    """The first event in whose window each of so many alarms lies; -1: in none."""
    owner = np.full(count, -1)
    for event in np.flatnonzero(stop > first)[::-1].tolist():
        owner[first[event] : stop[event]] = event
    return owner


@dataclass(frozen=True)
class DriftWindows(PositionCounting):
    """The settings that all countings of drifts share: the window around each."""

    after: int | str = time_length(50, 0, "down", uneven=True, signed=True)
    before: int | str = time_length(0, 0, "down", uneven=True, signed=True)

    def windows(self, changes: Positions, events: Events) -> ChangeWindows:
        """The points at which a report of each drift counts: until so long after its end."""
        begin = earliest(changes, self.before, events)
        end = past_latest(last_points(changes, events), self.after, events)
        return ChangeWindows(begin, np.maximum(begin, end))


@dataclass(frozen=True)
class ChangeDelays(DriftWindows):
    """Weigh every change that was found 1, and charge it with the points until its first alarm.

    Parameters
    ----------
    after, before : int or duration
        An alarm counts from ``before`` ahead of a change until ``after`` behind it (behind its end,
        where it is gradual).
    relative : bool
        Whether delays are divided by ``after``.
    average : "mean" or "median"
        Whether all found changes weigh the same, or only the one in the middle.
    missed : "left out" or "after"
        Whether changes that were missed are left out, or charged with ``after``.

    Examples
    --------
    >>> from adjudge.adjust.adjustments import raw
    >>> from adjudge.data.changes import Changes
    >>> alarms = Changes([53, 57], 200).counts
    >>> ChangeDelays().entries(alarms, Changes([50, 120], 200).events, raw).tally
    Tally(found=3.0, truth=1, right=0, flagged=0, normal=nan)
    """

    relative: bool = setting(False, boolean)
    average: Average = setting("mean", word, get_args(Average))
    missed: Missed = setting("left out", word, get_args(Missed))

    def __post_init__(self) -> None:
        """Check the settings, and that there is something to divide by."""
        super().__post_init__()
        if self.relative and self.after in {0, "0s"}:
            raise InputError("relative must be False when after is 0: delays are divided by it")

    @property
    def resamples(self) -> bool:
        """Whether sums over rows drawn again mean the same: those of a median do not."""
        return self.average == "mean"

    def rows(self, alarms: Positions, events: Events) -> Entries:
        """Give rows for the changes that were found, and if asked for those that were not."""
        first, stop = hits(self.windows(events.starts, events), alarms)
        found = stop > first
        late = lead_of(events.starts, alarms, first, found)
        amount = self._charged(late, events)
        weight = (~np.isnan(amount)).astype(np.int64)
        if self.average == "median" and weight.any():
            order, last = np.argsort(amount), int(weight.sum()) - 1  # NaN, left out, comes last
            weight[:] = 0
            weight[order[[last // 2, (last + 1) // 2]]] = 1
        credit = np.where(weight > 0, amount, 0.0)
        rows = change_rows(events.starts, events.stops, late, weight, credit)
        return Entries(replace(rows, found=found))

    def _charged(self, late: Floats, events: Events) -> Floats:
        """What each change is charged with; NaN: it is left out."""
        if self.missed == "after":
            reach = past_latest(events.starts, self.after, events) - 1 - events.starts
            reach = reach if isinstance(self.after, str) else np.full(late.size, self.after)
            late = np.where(np.isnan(late), reach, late)
        if not self.relative:
            return late
        if isinstance(self.after, str):
            return late_seconds(late, events) / (
                signed_duration(self.after, "after") / NANOSECONDS["s"]
            )
        return late / self.after

    def in_seconds(self) -> Counting | None:
        """The same, in seconds of the clock; a share of ``after`` has no unit."""
        return None if self.relative else _ChangeDelaysInSeconds(**vars(self))


class _ChangeDelaysInSeconds(ChangeDelays):
    """Delays in seconds."""

    def _charged(self, late: Floats, events: Events) -> Floats:
        return late_seconds(super()._charged(late, events), events)


@dataclass(frozen=True)
class FalseReports(DriftWindows):
    """Count the alarms in no window, and the time outside all windows.

    Parameters
    ----------
    after, before : int or duration
        No alarm is false from ``before`` ahead of a change until ``after`` behind it (behind its
        end, where it is gradual).

    Examples
    --------
    >>> from adjudge.adjust.adjustments import raw
    >>> from adjudge.data.changes import Changes
    >>> alarms = Changes([53, 150], 200).counts
    >>> FalseReports().entries(alarms, Changes([50], 200).events, raw).tally
    Tally(found=1, truth=1, right=1, flagged=2, normal=149)
    """

    @property
    def resamples(self) -> bool:
        """Whether rows may be drawn again: without a false alarm the time between has no end."""
        return False

    def rows(self, alarms: Positions, events: Events) -> Entries:
        """Give a row for every change and every alarm."""
        windows = self.windows(events.starts, events)
        first, stop = hits(windows, alarms)
        found, owner = (stop > first).astype(np.int64), first_owner(first, stop, alarms.size)
        right = (owner >= 0).astype(np.int64)
        late = lead_of(events.starts, alarms, first, found)
        rows = AlarmRows.of_runs(alarms, alarms + 1, owner, np.ones_like(right), right)
        truth = change_rows(events.starts, events.stops, late, np.ones_like(found), found)
        return Entries(truth, rows, self._time(outside_of(windows, events), events))

    def _time(self, outside: Flags, events: Events) -> float:  # noqa: ARG002 - of seconds it is
        return int(np.count_nonzero(outside))

    def in_seconds(self) -> Counting:
        """The same, with the time outside all windows in seconds of the clock."""
        return _FalseReportsInSeconds(**vars(self))


class _FalseReportsInSeconds(FalseReports):
    """The time outside all windows in seconds."""

    def _time(self, outside: Flags, events: Events) -> float:
        return float(point_seconds(events)[outside].sum())
