"""Count delays: when the first alarm of an event came, and how often an alarm came for nothing."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal, get_args

import numpy as np

from adjudge.adjust.adjustments import raw
from adjudge.checks import positive, share, word
from adjudge.count.contract import Counting, SweptCounting
from adjudge.count.first_alarms import first_alarms
from adjudge.count.ledger import Entries, flagged_runs, truth_rows
from adjudge.count.runs import Runs
from adjudge.count.tally import Masses, Tally, of_truth
from adjudge.count.time_count import TimeEntries
from adjudge.data.intervals import bincount, repeat
from adjudge.data.windows import late_seconds, seconds
from adjudge.settings import setting

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags, Floats, Positions
    from adjudge.adjust.contract import Adjustment
    from adjudge.count.tally import StreamSums
    from adjudge.count.time_count import TimeCount
    from adjudge.data.events import Events

Average = Literal["mean", "median"]


@dataclass(frozen=True)
class Delays(Counting):
    """Weigh every event that was found 1, and charge it with the points until its first flag.

    An alarm that lasts into the event from before has no delay. Missed events are left out; alarms
    outside events play no part.

    Parameters
    ----------
    average : "mean" or "median"
        Whether all found events weigh the same, or only the one in the middle (the two in the
        middle of an even number, half each).

    Examples
    --------
    >>> from adjudge.adjust.adjustments import raw
    >>> from adjudge.data.events import Events
    >>> events, flags = Events.from_labels([0, 1, 1, 1, 0, 1]), np.array([1, 0, 0, 1, 0, 1]) > 0
    >>> Delays().entries(flags, events, raw).tally
    Tally(found=2.0, truth=2, right=0, flagged=0, normal=nan)
    """

    average: Average = setting("mean", word, get_args(Average))

    @property
    def resamples(self) -> bool:
        """Whether sums over rows drawn again mean the same: those of a median do not."""
        return self.average == "mean"

    def flag_rows(self, flags: Flags, events: Events) -> Entries:
        """Rows for the events that were found."""
        none = np.zeros(len(events), np.int64)
        rows = truth_rows(flags, events, none, none)
        weight, late = rows.found.astype(np.int64), self._late(rows.delay, events)
        if self.average == "median" and rows.found.any():
            order, last = np.argsort(late), int(weight.sum()) - 1  # NaN, missed, comes last
            weight[:] = 0
            weight[order[[last // 2, (last + 1) // 2]]] = 1
        credit = np.where(weight > 0, late, 0.0)
        return Entries(replace(rows, weight=weight, credit=credit))

    def in_time(self, count: TimeCount) -> TimeEntries:
        """Weigh every incident 1 whose delay is known, or only those in the middle."""
        late, none = count.late / count.case.second, count.silence
        weight = (~np.isnan(late)).astype(np.float64)
        if self.average == "median" and late.size:
            order, last = np.argsort(late, axis=1), weight.sum(axis=1).astype(np.int64) - 1
            some, weight = (last >= 0)[:, np.newaxis], np.zeros_like(weight)
            middle = np.take_along_axis(
                order, np.stack([last // 2, (last + 1) // 2], axis=1), axis=1
            )
            np.put_along_axis(weight, middle, some.astype(np.float64), axis=1)
        return TimeEntries(np.where(weight > 0, late, 0.0), weight, none, none)

    def of_stream(self, passed: StreamSums, adjust: Adjustment) -> Tally | None:
        """Sum the delays of the events that have passed; a median needs them all."""
        if adjust != raw or self.average == "median":
            return None
        return Tally(float(passed.late), passed.hit, 0, 0)

    def in_seconds(self) -> Counting:
        """The same, of the time until the first flag."""
        return _DelaysInSeconds(self.average)

    def _late(self, delay: Floats, events: Events) -> Floats:  # noqa: ARG002 - of time it matters
        return delay


class _DelaysInSeconds(Delays):
    """Delays in seconds."""

    def _late(self, delay: Floats, events: Events) -> Floats:
        return late_seconds(delay, events)


class EarliestFlags(SweptCounting):
    """A way to credit each event with what the earliest flag among its points earns."""

    @abstractmethod
    def _points(self, events: Events) -> tuple[Positions, Positions, Floats]:
        """The points that count, the event of each, and what it earns if it is the earliest."""

    def masses(self, adjusted: Array, events: Events) -> Masses:
        """Count what events earn above any threshold."""
        points, event, earns = self._points(events)
        found = first_alarms(adjusted[points], event, earns)
        return of_truth(found, len(events), adjusted, events)

    def flag_rows(self, flags: Flags, events: Events) -> Entries:
        """Rows for every event."""
        points, event, earns = self._points(events)
        hit, credit = flags[points], np.zeros(len(events))
        credit[event[hit][::-1]] = earns[hit][::-1]  # the earliest is written last
        return Entries(truth_rows(flags, events, np.ones(len(events), np.int64), credit))


@dataclass(frozen=True)
class EarlyWindows(EarliestFlags):
    r"""Credit each event with how early the first alarm comes in a window around its start.

    .. math:: 1 - \frac{i - b}{e - b}

    for the first flag i in the window of points b to e, and 0 without one. The window has
    :math:`\max(1, \text{share} \cdot n / m)` points, rounded, for m events in a series of n
    points, half of them before the event's start; it slides where it would leave the series. So 1
    is an alarm half a window ahead of the event, and one at its very start earns about 1/2. A
    window of a single point earns 1 by a flag there.

    Parameters
    ----------
    share : float
        Share of the series that all windows have together.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 0, 1, 1, 1, 0, 0])
    >>> flags = np.array([0, 0, 1, 1, 0, 0, 0, 0]) > 0
    >>> EarlyWindows(share=0.625).masses(flags, events).at(False)  # the window is points 1 to 5
    Tally(found=0.75, truth=1, right=0, flagged=0, normal=nan)
    """

    share: float = setting(0.1, share)

    def _points(self, events: Events) -> tuple[Positions, Positions, Floats]:
        """List the judged points of all windows, the window of each, and what it earns."""
        bounds = events.whole_series
        home = np.searchsorted(bounds, events.starts, side="right") - 1
        count = bincount(home, minlength=1)[home]
        size = np.round(self.share * (np.diff(bounds)[home] / count)).astype(np.int64)
        size = np.maximum(size, 1)
        begin = np.maximum(events.starts - size // 2, bounds[home])
        begin = np.minimum(begin, bounds[home + 1] - size)
        window = repeat(np.arange(len(events)), size)
        place = np.arange(window.size) - repeat(np.cumsum(size) - size, size)
        points = place + begin[window]
        earns = 1 - place / np.maximum(size - 1, 1)[window]
        kept = slice(None) if events.judged is None else events.judged[points]
        return points[kept], window[kept], earns[kept]


@dataclass(frozen=True)
class PromptHits(EarliestFlags):
    r"""Credit each event with how soon after its start its first point is flagged.

    .. math:: 1 - \frac{i - a}{z - a}

    for the first flagged point i of an event from the point a to the point z, and 0 without
    one. So a hit on the last point earns nothing; an event of one point earns 1 by a flag there.
    Where the time of the points is known, these are times.

    References
    ----------
    .. [1] R. Taormina et al. (2018). The Battle of the Attack Detection Algorithms. Journal of
       Water Resources Planning and Management 144(8).

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 1, 1, 1, 1, 1, 0])
    >>> PromptHits().masses(np.array([0, 0, 1, 1, 0, 0, 1]) > 0, events).at(False)
    Tally(found=0.75, truth=1, right=0, flagged=0, normal=nan)
    """

    def _points(self, events: Events) -> tuple[Positions, Positions, Floats]:
        """Every point of an event."""
        owner = events.spread(np.arange(len(events)))
        return np.flatnonzero(events.labels), owner, _promptness(events)


def _promptness(events: Events) -> Floats:
    """What each event point earns if it is the first that is flagged."""
    when = np.arange(events.n) if events.clock is None else seconds(events)
    since = when[events.labels] - events.spread(when[events.starts])
    length = events.spread(when[events.stops - 1] - when[events.starts])
    return 1 - since / np.where(length > 0, length, 1)


@dataclass(frozen=True)
class TimingCurve(Counting):
    r"""Credit each event that was found with the quality of the moment at which its alarm began.

    The alarm is the first flagged run that overlaps the event, and x is its start less that of the
    event, so x < 0 is early. With the event's length b and a = b, or the distance from the
    start of the event before it if that is less:

    .. math::
        0 \text{ for } x \le -a \text{ or } x \ge b, \qquad
        \Big(\frac{x + a}{a}\Big)^e \text{ for } -a < x \le 0, \qquad
        \frac{1}{1 + \big(\frac{x}{b - x}\big)^e} \text{ for } 0 < x < b

    1: alarms begin with their events. Missed events are left out of the mean.

    Parameters
    ----------
    exponent : float
        How fast the credit falls with the distance.

    Examples
    --------
    >>> from adjudge.adjust.adjustments import raw
    >>> from adjudge.data.events import Events
    >>> events, flags = Events.from_labels([0, 1, 1, 1, 1]), np.array([0, 0, 0, 1, 0]) > 0
    >>> TimingCurve().entries(flags, events, raw).tally
    Tally(found=0.5, truth=1, right=0, flagged=0, normal=nan)
    """

    exponent: float = setting(math.e, positive)

    def flag_rows(self, flags: Flags, events: Events) -> Entries:
        """Rows for the events that were found."""
        starts, stops = flagged_runs(flags, events)
        found = events.sum(flags) > 0
        late = np.zeros(len(events))
        run = np.searchsorted(stops, events.starts[found], side="right")
        late[found] = starts[run] - events.starts[found]
        credit = np.where(found, self._quality(late, events), 0.0)
        return Entries(truth_rows(flags, events, found.astype(np.int64), credit))

    def _quality(self, late: Floats, events: Events) -> Floats:
        length = events.widths
        room = length.copy()
        home = np.searchsorted(events.series_bounds, events.starts, side="right")
        since = np.where(home[1:] == home[:-1], np.diff(events.starts), length[1:])
        room[1:] = np.minimum(length[1:], since)
        return timing_credit(late, length, room, self.exponent)


def timing_credit(late: Floats, length: Array, room: Array, exponent: float) -> Floats:
    """The credit of alarms that begin so late, or so early where that is negative.

    >>> timing_credit(np.array([-2.0, 0.0, 2.0]), np.full(3, 4), np.full(3, 4), 1.0)
    array([0.5, 1. , 0.5])
    """
    before = np.clip((late + room) / np.maximum(room, 1), 0, 1) ** exponent
    early = np.where((room == 0) & (late == 0), 1.0, before)
    with np.errstate(over="ignore"):  # beyond the largest number the credit is 0
        after = (np.maximum(late, 0) / (length - np.maximum(late, 0))) ** exponent
    return np.where(late <= 0, early, 1 / (1 + after))


@dataclass(frozen=True)
class FalseRuns(SweptCounting):
    """Count flagged runs as `Runs` does, beside the normal points on which they could have begun.

    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 1, 1, 0, 0])
    >>> FalseRuns().masses(np.array([1, 0, 0, 1, 1, 0]) > 0, events).at(False)
    Tally(found=1, truth=1, right=1, flagged=2, normal=4)
    """

    everywhere: ClassVar[bool] = False
    """Whether a run could have begun at every judged point, those of events too."""

    def masses(self, adjusted: Array, events: Events) -> Masses:
        """Count runs above any threshold."""
        return replace(Runs().masses(adjusted, events), normal=self._room(events))

    def of_stream(self, passed: StreamSums, adjust: Adjustment) -> Tally | None:
        """Count the runs that have passed."""
        tally = Runs().of_stream(passed, adjust)
        room = passed.normal + self.everywhere * passed.points
        return None if tally is None else tally._replace(normal=room)

    def in_time(self, count: TimeCount) -> TimeEntries:
        """Count alerts beside the time of services without incidents, or that anybody watched."""
        case = count.case
        room = case.watched.team.length if self.everywhere else case.count.quiet
        return Runs().in_time(count)._replace(normal=room, everywhere=self.everywhere)

    meets = Runs.meets

    def flag_rows(self, flags: Flags, events: Events) -> Entries:
        """Rows for every run."""
        entries, room = Runs().flag_rows(flags, events), self._room(events)
        return replace(entries, normal=room, everywhere=self.everywhere)

    def _room(self, events: Events) -> int:
        return events.judged_count if self.everywhere else int(np.count_nonzero(events.normal))


@dataclass(frozen=True)
class WatchedRuns(FalseRuns):
    """Count flagged runs as `Runs` does, beside all points that were judged.

    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 1, 1, 0, 0])
    >>> WatchedRuns().masses(np.array([1, 0, 0, 1, 1, 0]) > 0, events).at(False)
    Tally(found=1, truth=1, right=1, flagged=2, normal=6)
    """

    everywhere: ClassVar[bool] = True


@dataclass(frozen=True)
class Resets(Counting):
    """Weigh every event that was found 1, and charge it with how long its last alarm outlasts it.

    The last alarm is the last flagged run that overlaps the event; one that ends before the event
    does has a negative time. Missed events are left out.

    >>> from adjudge.adjust.adjustments import raw
    >>> from adjudge.data.events import Events
    >>> events, flags = Events.from_labels([0, 1, 1, 0, 0, 1]), np.array([0, 0, 1, 1, 1, 0]) > 0
    >>> Resets().entries(flags, events, raw).tally
    Tally(found=2.0, truth=1, right=0, flagged=0, normal=nan)
    """

    def flag_rows(self, flags: Flags, events: Events) -> Entries:
        """Give rows for the events that were found."""
        starts, stops = flagged_runs(flags, events)
        found = events.sum(flags) > 0
        last = np.searchsorted(starts, events.stops[found], side="left") - 1
        credit = np.zeros(len(events))
        credit[found] = self._after(stops[last], events.stops[found], events)
        return Entries(truth_rows(flags, events, found.astype(np.int64), credit))

    def in_time(self, count: TimeCount) -> TimeEntries:
        """Weigh every incident 1 whose reset time is known."""
        after, none = count.reset / count.case.second, count.silence
        return TimeEntries(np.nan_to_num(after), ~np.isnan(after), none, none)

    def in_seconds(self) -> Counting:
        """The same in time."""
        return _ResetsInSeconds()

    def _after(self, stops: Positions, ends: Positions, events: Events) -> Array:  # noqa: ARG002
        return stops - ends


class _ResetsInSeconds(Resets):
    """From the last point of the event to the last one of its alarm, in seconds."""

    def _after(self, stops: Positions, ends: Positions, events: Events) -> Array:
        when = seconds(events)
        return np.asarray(when[stops - 1] - when[ends - 1])
