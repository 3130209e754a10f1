r"""Count lengths of time: balanced adjustment without a grid.

The watched time of a service is joined to one line, on which incidents and alerts lie. Truth is the
length of the incidents, found that of those that an alert overlaps. Whatever an alert covers
outside of incidents is widened by half of the island's width on both sides, within its stretch of
watched time; what of that lies outside of incidents is false:

.. math:: F = \frac{2\,\text{found}}{2\,\text{found} + \text{false} + (\text{truth} - \text{found})}

A false moment costs the width, a false alert of length L costs L and the width. It is the
limit of `adjudge.adjust.balanced.Balanced` on ever finer grids.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.count.tally import Tally
from adjudge.data.incidents import Alerts, Incidents  # noqa: TC001 - for the examples
from adjudge.data.interval_reading import merged
from adjudge.data.intervals import bincount, first_and_count, overlaps
from adjudge.data.watched import Stretches, WatchedTime

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge._typing import Array, Flags, Positions


class AlertPieces(NamedTuple):
    """Alerts on a line, in pieces: where each begins, how long it is, and whose it is."""

    starts: Positions
    lengths: Positions
    alert: Positions
    """The number of the alert that it is a piece of."""
    cut_before: Flags
    cut_behind: Flags
    """Whether watched time cut the alert there, at home."""

    @property
    def stops(self) -> Positions:
        """Where each ends."""
        return self.starts + self.lengths

    @property
    def cuts(self) -> Positions:
        """Where watched time would have cut them, had it turned with them: islands end there."""
        return np.append(self.starts[self.cut_before], self.stops[self.cut_behind])

    @property
    def total(self) -> int:
        """How many alerts there are."""
        return int(self.alert.max(initial=-1)) + 1

    @classmethod
    def whole(cls, starts: Positions, lengths: Positions) -> AlertPieces:
        """Alerts in one piece each."""
        uncut = np.zeros(len(starts), bool)
        return cls(starts, lengths, np.arange(len(starts)), uncut, uncut)

    def reaching(self, length: int, many: int, line: int) -> AlertPieces:
        """The same alerts, none shorter than that, up to the end of their copy of the line.

        Parameters
        ----------
        length, many, line : int
            How far each reaches; how many alerts there are, whose first pieces come first (what
            goes on at the beginning reaches as far from there as they left); the line's length.
        """
        left = np.append(np.full(many, length), length - self.lengths[self.alert[many:]])
        room = line - self.starts % line
        return self._replace(lengths=np.maximum(self.lengths, np.minimum(left, room)))


@dataclass(frozen=True, eq=False)
class WatchedLine:
    """The watched time of one service, joined to a line, with its incidents and alerts.

    >>> incidents, alerts = Incidents([10, 50], [20, 60]), Alerts([12, 30], [14, 33])
    >>> (line,) = watched_lines(incidents, alerts, WatchedTime.over((0, 100), [""]))
    >>> line.lengths(line.alerts, 10)  # 3 points and 5 on both sides are false
    Tally(found=array([10]), truth=array([20]), right=array([10]), flagged=array([23]), \
normal=array([80]))
    """

    joints: Positions
    """Where a stretch of watched time ends and the next begins; from 0 to the length."""
    starts: Positions
    ends: Positions
    """The watched parts of the pieces of the incidents."""
    owner: Positions
    """The number of the incident of each piece, counted from 0."""
    alerts: AlertPieces
    """Every alert that covers watched time, or is a moment in it."""
    rows: Positions
    """The number of each of these among all alerts of the service."""
    copies: int = 1
    """How many copies of a line stand one behind the other, to be counted at once."""

    def repeated(self, copies: int) -> WatchedLine:
        """So many copies of the incidents, one behind the other."""
        behind = self.length * np.arange(copies, dtype=np.int64)[:, np.newaxis]
        number = self.incidents * np.arange(copies, dtype=np.int64)[:, np.newaxis]
        joints = np.append((behind + self.joints[:-1]).ravel(), self.length * copies)
        starts, ends = (behind + self.starts).ravel(), (behind + self.ends).ravel()
        owner = (number + self.owner).ravel()
        return replace(self, joints=joints, starts=starts, ends=ends, owner=owner, copies=copies)

    @property
    def length(self) -> int:
        """How long it was watched."""
        return int(self.joints[-1]) // self.copies

    @property
    def incidents(self) -> int:
        """How many incidents are judged."""
        return (int(self.owner.max(initial=-1)) + 1) // self.copies

    @cached_property
    def truth(self) -> Stretches:
        """The time of incidents, those that touch joined; cut where copies meet."""
        seams = self.length * np.arange(1, self.copies, dtype=np.int64)
        joined = Stretches.of(self.starts, self.ends)
        edges = np.unique(np.concatenate([*joined, seams]))
        inside = joined.holds(edges)
        return Stretches(edges[inside], edges[1:][inside[:-1]])

    @cached_property
    def quiet(self) -> Stretches:
        """The time without incidents, cut where watched stretches meet."""
        edges = np.unique(np.concatenate([self.joints, *self.truth]))
        begin, end = edges[:-1], edges[1:]
        normal = ~self.truth.holds(begin)
        return Stretches(begin[normal], end[normal])

    def lengths(self, alerts: AlertPieces, width: int) -> Tally:
        """Found, true, right and flagged time, with islands of so much time around false alarms."""
        size = self.truth.ends - self.truth.starts
        found = self._by_copy(size * self.hit(alerts))
        truth, quiet = self._by_copy(size), self.quiet.length // self.copies
        return Tally(found, truth, found, found + self._false(alerts, width), self._same(quiet))

    def hit(self, alerts: AlertPieces) -> Flags:
        """Which stretches of incidents an alert meets."""
        return _met(*self.truth, merged(alerts.starts, alerts.stops))

    def _by_copy(self, values: Array) -> Any:
        return values.reshape(self.copies, -1).sum(axis=1)

    def _same(self, value: int) -> Any:
        return np.full(self.copies, value)

    def _false(self, alerts: AlertPieces, width: int) -> Positions:
        islands = merged(*self._islands(*self._wrong(alerts), alerts.cuts, width))
        _, part, cost = overlaps(*islands, *self.quiet)
        start = self.quiet.starts[part]
        return bincount(start // self.length, cost, self.copies).astype(np.int64)

    def false_stretches(self, alerts: AlertPieces, width: int) -> tuple[Positions, ...]:
        """Where false alarms begin and end, and the time without incidents each is charged with.

        What lies in the islands of two is charged to the nearer one.
        """
        low, high = self._wrong(alerts)
        begin, end = self._islands(low, high, alerts.cuts, width)
        meet = np.clip((high[:-1] + low[1:] + 1) // 2, begin[1:], end[:-1])
        both = end[:-1] > begin[1:]
        begin[1:][both] = end[:-1][both] = meet[both]
        return low, high, self.quiet.before(end) - self.quiet.before(begin)

    def _wrong(self, alerts: AlertPieces) -> tuple[Positions, Positions]:
        """What of the alerts lies in time without incidents."""
        begin, end = merged(alerts.starts, alerts.stops)
        moment = begin == end
        at = begin[moment]
        at = at[self.quiet.holds(at)]
        alert, part, _ = overlaps(begin[~moment], end[~moment], *self.quiet)
        low = np.append(np.maximum(begin[~moment][alert], self.quiet.starts[part]), at)
        high = np.append(np.minimum(end[~moment][alert], self.quiet.ends[part]), at)
        order = np.argsort(low, kind="stable")
        return low[order], high[order]

    def _islands(
        self, low: Positions, high: Positions, cuts: Positions, width: int
    ) -> tuple[Positions, Positions]:
        """The stretches around false alarms, which end where watched time does, or cut an alert."""
        joints = np.unique(np.concatenate([self.joints, cuts]))
        first = joints[np.searchsorted(joints, low, side="right") - 1]
        last = joints[np.searchsorted(joints, np.maximum(high, low + 1))]
        begin = np.maximum(low - width // 2, first)
        return begin, np.minimum(high + (width - width // 2), last)


def _met(starts: Positions, ends: Positions, joined: tuple[Positions, Positions]) -> Flags:
    """Which intervals meet an alert, of alerts that are joined where they touch."""
    begin, end = joined
    return first_and_count(starts, ends, begin, np.maximum(end, begin + 1))[1] > 0


def watched_lines(incidents: Incidents, alerts: Alerts, watched: WatchedTime) -> list[WatchedLine]:
    """Join the watched time of each service to a line."""
    return [
        _line(incidents.chosen(incidents.place == service), alerts.chosen(alerts.place == service),
              part, watched.span[1])
        for service, part in watched.parts.items()
        if part.length
    ]  # fmt: skip


def _line(incidents: Incidents, alerts: Alerts, part: Stretches, last: int) -> WatchedLine:
    starts, ends = part.before(incidents.start), part.before(incidents.until(last))
    seen = np.flatnonzero(ends > starts)
    _, owner = np.unique(incidents.numbers[seen], return_inverse=True)
    begin, until = part.before(alerts.start), part.before(alerts.until(last))
    there = (until > begin) | (part.holds(alerts.start) & (alerts.start == alerts.end))
    placed = AlertPieces.whole(begin[there], (until - begin)[there])
    return WatchedLine(part.joints, starts[seen], ends[seen], owner, placed, np.flatnonzero(there))


def width_in_time(lines: Sequence[WatchedLine], *, median: bool = False) -> int:
    r"""The mean length of the incident that an instant of incident lies in, or the median length.

    .. math:: w = \frac{\sum_e s_e^2}{\sum_e s_e}

    over the watched lengths of the incidents, rounded to a nanosecond; 0 without incidents.

    >>> watched = WatchedTime.over((0, 100), [""])
    >>> width_in_time(watched_lines(Incidents([0, 50], [10, 80]), Alerts([]), watched))
    25
    """
    sizes = [size for line in lines for size in (line.truth.ends - line.truth.starts).tolist()]
    if not sizes:
        return 0
    return (
        round(float(np.median(sizes))) if median else round(sum(s * s for s in sizes) / sum(sizes))
    )
