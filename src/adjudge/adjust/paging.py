"""Alarm policies: which alerts page somebody, and when.

This is the second stage of a policy, `Paging`. It acts on alerts at one threshold: it drops short
ones, joins those that are close, stays silent for a while after a page, and groups what comes
together. A lower threshold may then page less: an early page for nothing silences the one that
matters. No column of scores has that, so it is computed again at every threshold.

The same steps act on runs of points (`PointAlarms`) and on alerts that have a start and an end
(`adjudge.adjust.alert_times`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, TypeVar, get_args

import numpy as np

from adjudge.checks import word
from adjudge.data.intervals import covered, runs
from adjudge.data.time_settings import is_duration, time_length
from adjudge.errors import InputError
from adjudge.settings import Settings, setting

if TYPE_CHECKING:
    from typing import Self

    from adjudge._typing import Flags, Positions
    from adjudge.adjust.policies import Track

GroupBy = Literal["series", "all"]


class PagerAlarms(Protocol):
    """Alerts of one threshold, whatever they are made of; each series in the order of time."""

    @property
    def series(self) -> Positions:
        """The series of each, within which one silences another."""

    @property
    def group(self) -> Positions:
        """The group of each, in which they are told together."""

    def extent(self, length: int | str, name: str) -> tuple[int, Positions, Positions]:
        """A length as a number, with when each begins and ends in the same unit."""

    def chosen(self, kept: Flags) -> Self:
        """Some of them."""

    def joined(self, gap: int | str) -> Self:
        """Those of one series with at most so much between them as one."""

    def begun(self, when: Positions, wait: int | str) -> Self:
        """Those that go on at these moments, in the unit of ``wait``, from then on."""


A = TypeVar("A", bound=PagerAlarms)


@dataclass(frozen=True, kw_only=True)
class Paging(Settings):
    """What becomes of alerts at one threshold: which of them page somebody, and when.

    They are done in this order.

    Parameters
    ----------
    shortest : int or duration, optional
        Alerts that are shorter are dropped. Only hindsight can: whoever is paged at the start does
        not know the end. ``after`` is what a pager can do.
    merge : int or duration, optional
        Alerts with at most so much between them are one. In hindsight too; see ``keep``.
    cooldown : int or duration, optional
        No page of a series so soon after its last page began: the whole alert is dropped.
    wait, interval : int or duration, optional
        Alerts are told in groups, as by Alertmanager: the first of a group after ``wait``, what
        comes later at every further ``interval`` until all are over. An alert begins when it is
        told; one that is over before is not told at all.
    group_by : "series" or "all"
        Whether each series is a group, or all of them are one.

    Examples
    --------
    >>> from adjudge.adjust.policies import Track
    >>> alerts = np.array([1, 0, 1, 1, 0, 0, 1]) > 0
    >>> Paging(cooldown=4).pages(alerts, Track.of(np.array([0, 7]), None)).astype(int)
    array([1, 0, 0, 0, 0, 0, 1])
    """

    cooldown: int | str | None = time_length(None, 0, "up", uneven=True)
    wait: int | str | None = time_length(None, 0, "up", uneven=True)
    interval: int | str | None = time_length(None, 1, "up", uneven=True)
    group_by: GroupBy = setting("series", word, get_args(GroupBy))
    merge: int | str | None = time_length(None, 0, "down", uneven=True)
    shortest: int | str | None = time_length(None, 0, "up", uneven=True)

    def __post_init__(self) -> None:
        """Check each setting, and those that belong together."""
        super().__post_init__()
        if (self.wait is None) != (self.interval is None):
            raise InputError(
                f"wait and interval must be given together, got wait={self.wait!r} and "
                f"interval={self.interval!r}; Alertmanager's defaults are wait='30s', "
                "interval='5min'"
            )
        if self.wait is not None and is_duration(self.wait) != is_duration(self.interval):
            raise InputError(
                "wait and interval must both be durations, or both points, got "
                f"wait={self.wait!r} and interval={self.interval!r}"
            )
        if self.group_by != "series" and self.wait is None:
            raise InputError(
                f"group_by needs wait and interval, got group_by={self.group_by!r} alone"
            )

    @property
    def pages_otherwise(self) -> bool:
        """Whether a page is anything else than an alert."""
        lengths = self.cooldown, self.wait, self.merge, self.shortest
        return any(length is not None for length in lengths)

    @property
    def in_hindsight(self) -> tuple[str, ...]:
        """The settings that nobody could have kept to while it happened."""
        return tuple(name for name in ("merge", "shortest") if getattr(self, name) is not None)

    def pages(self, flags: Flags, track: Track) -> Flags:
        """Flag the points of the pages."""
        if not self.pages_otherwise or not flags.any():
            return flags
        pages = self.paged(PointAlarms(*runs(flags, track.bounds[:-1]), track))
        return covered(pages.starts, pages.stops, flags.size)

    def paged(self, alarms: A) -> A:
        """The pages that alerts become.

        Parameters
        ----------
        alarms : Alarms
            Runs of points, or alerts with a start and an end.
        """
        if self.shortest is not None:
            least, begin, end = alarms.extent(self.shortest, "shortest")
            alarms = alarms.chosen(end - begin >= least)
        if self.merge is not None:
            alarms = alarms.joined(self.merge)
        if self.cooldown is not None:
            least, begin, _ = alarms.extent(self.cooldown, "cooldown")
            alarms = alarms.chosen(_cooled(begin, alarms.series, least))
        return alarms if self.wait is None else self._told(alarms, self.wait)

    def _told(self, alarms: A, wait: int | str) -> A:
        """The alerts from when they are told on."""
        assert self.interval is not None  # noqa: S101 - it comes with wait
        first, begin, end = alarms.extent(wait, "wait")
        interval, *_ = alarms.extent(self.interval, "interval")
        group = alarms.group if self.group_by == "series" else np.zeros_like(alarms.group)
        when = begin.copy()
        for one in np.unique(group).tolist():
            own = np.flatnonzero(group == one)
            own = own[np.argsort(begin[own], kind="stable")]
            when[own] = _notified(begin[own].tolist(), end[own].tolist(), first, interval)
        return alarms.begun(when, wait)


class PointAlarms(NamedTuple):
    """Runs of points, series by series."""

    starts: Positions
    stops: Positions
    track: Track

    @property
    def series(self) -> Positions:
        """The series of each."""
        return np.searchsorted(self.track.series, self.starts, side="right")

    @property
    def group(self) -> Positions:
        """The group of each: its series."""
        return self.series

    def extent(self, length: int | str, name: str) -> tuple[int, Positions, Positions]:
        """A length as a number, with when each begins and ends in the same unit."""
        found, begin, end = self.track.extent(length, name)
        return found, begin[self.starts], end[self.stops - 1]

    def chosen(self, kept: Flags) -> PointAlarms:
        """Some of them."""
        return self._replace(starts=self.starts[kept], stops=self.stops[kept])

    def joined(self, gap: int | str) -> PointAlarms:
        """Those of one stretch with at most so much between them as one."""
        if not self.starts.size:
            return self
        most, begin, end = self.extent(gap, "merge")
        home = np.searchsorted(self.track.bounds, self.starts, side="right")
        apart = (home[1:] != home[:-1]) | (begin[1:] - end[:-1] > most)
        starts, stops = self.starts[np.append(True, apart)], self.stops[np.append(apart, True)]
        return self._replace(starts=starts, stops=stops)

    def begun(self, when: Positions, wait: int | str) -> PointAlarms:
        """Each from its first point on that is not before a moment; those that have one."""
        _, begin, _ = self.track.extent(wait, "wait")
        pairs = zip(self.starts.tolist(), self.stops.tolist(), when.tolist(), strict=True)
        starts = [a + int(np.searchsorted(begin[a:b], at, side="left")) for a, b, at in pairs]
        found = self._replace(starts=np.array(starts, np.int64))
        return found.chosen(found.starts < found.stops)


def _cooled(begins: Positions, home: Positions, least: int) -> Flags:
    """Which alerts begin at least so long after the last one of their series that is kept."""
    kept = np.zeros(begins.size, bool)
    last: dict[int, int] = {}
    for place, (begin, series) in enumerate(zip(begins.tolist(), home.tolist(), strict=True)):
        if series not in last or begin - last[series] >= least:
            kept[place], last[series] = True, begin
    return kept


def _notified(begins: list[int], ends: list[int], wait: int, interval: int) -> list[int]:
    """When each alert of a group is told, in the order in which they begin.

    >>> _notified([0, 2, 5, 20], [13, 30, 30, 22], 4, 7)
    [4, 4, 11, 25]
    """
    told: list[int] = []
    first = over = 0
    for begin, end in zip(begins, ends, strict=True):
        if not told or begin > _tick(first, interval, over):
            first, over = begin + wait, end
        over = max(over, end)
        told.append(_tick(first, interval, begin))
    return told


def _tick(first: int, interval: int, instant: int) -> int:
    """The first notification that is not before an instant."""
    return first + max(0, -(-(instant - first) // interval)) * interval
