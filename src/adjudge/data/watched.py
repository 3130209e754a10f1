"""Watched time: the span that is judged, less the outages, for each service.

Half an hour without data is half an hour in which neither a false alarm nor a miss can happen, so
all rates divide by watched time.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.data.incidents import TimedRows
from adjudge.data.interval_reading import merged, pairs_of
from adjudge.data.intervals import repeat
from adjudge.errors import InputError, shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adjudge._typing import Flags, Positions

EVERY = "*"
"""The service that stands for all of them."""


class Stretches(NamedTuple):
    """Stretches of time, ascending and apart, each half-open."""

    starts: Positions
    ends: Positions

    @classmethod
    def of(cls, starts: Positions, ends: Positions) -> Stretches:
        """Sort stretches, and join those that overlap or touch.

        >>> Stretches.of(np.array([5, 0, 2]), np.array([9, 3, 4]))
        Stretches(starts=array([0, 5]), ends=array([4, 9]))
        """
        long = ends > starts
        return cls(*merged(starts[long], ends[long]))

    @property
    def length(self) -> int:
        """How long they are together."""
        return int((self.ends - self.starts).sum())

    @property
    def joints(self) -> Positions:
        """Where one stretch ends and the next begins, counted in the time of the stretches.

        >>> Stretches(np.array([0, 10]), np.array([4, 16])).joints
        array([ 0,  4, 10])
        """
        return np.append(0, np.cumsum(self.ends - self.starts))

    def holds(self, instants: Positions) -> Flags:
        """Whether each instant lies in one of them."""
        place = np.searchsorted(self.starts, instants, side="right")
        return np.append(self.ends, 0)[place - 1] > np.where(place > 0, instants, np.inf)

    def before(self, instants: Positions) -> Positions:
        """How much of them lies before each instant.

        >>> Stretches(np.array([0, 10]), np.array([4, 16])).before(np.array([2, 7, 12, 99]))
        array([ 2,  4,  6, 10])
        """
        place = np.searchsorted(self.starts, instants, side="right")
        over = (
            np.minimum(np.append(0, self.ends)[place], instants) - np.append(0, self.starts)[place]
        )
        return self.joints[np.maximum(place - 1, 0)] + np.where(place > 0, over, 0)

    def instants(self, before: Positions) -> Positions:
        """The instants in them that have so much of them before: `before`, the other way round.

        >>> Stretches(np.array([0, 10]), np.array([4, 16])).instants(np.array([2, 4, 9]))
        array([ 2, 10, 15])
        """
        joints = self.joints
        place = np.minimum(np.searchsorted(joints, before, side="right") - 1, len(self.starts) - 1)
        return np.asarray(self.starts[place] + before - joints[place])

    def without(self, other: Stretches) -> Stretches:
        """What is left of them outside of others.

        >>> Stretches(np.array([0]), np.array([9])).without(Stretches(np.array([2]), np.array([4])))
        Stretches(starts=array([0, 4]), ends=array([2, 9]))
        """
        return self.within(Stretches(np.append(-_FAR, other.ends), np.append(other.starts, _FAR)))

    def within(self, other: Stretches) -> Stretches:
        """What of them lies in others."""
        edges = np.concatenate([self.starts, self.ends, other.starts, other.ends])
        steps = repeat([1, -1, 1, -1], [len(self.starts)] * 2 + [len(other.starts)] * 2)
        order = np.argsort(edges, kind="stable")
        depth = np.cumsum(steps[order])
        both = np.flatnonzero(depth[:-1] == 2)
        return Stretches.of(edges[order][both], edges[order][both + 1])


_FAR = 2**62


@dataclass(frozen=True, eq=False)
class WatchedTime:
    """The time in which somebody watched, for each service.

    Attributes
    ----------
    span : pair of int
        From when to when is judged.
    parts : dict
        The watched stretches of each service.
    """

    span: tuple[int, int]
    parts: Mapping[str, Stretches] = field(repr=False)

    @classmethod
    def over(
        cls,
        span: tuple[int, int],
        services: Sequence[str],
        watched: TimedRows | None = None,
        outages: TimedRows | None = None,
    ) -> WatchedTime:
        """Take the span, or the watched part of it, less the outages, for each service."""
        first, last = span
        whole = Stretches(np.array([first]), np.array([last]))
        parts = {}
        for service in services:
            seen = whole if watched is None else whole.within(_of(watched, service, last))
            parts[service] = seen if outages is None else seen.without(_of(outages, service, last))
        return cls(span, parts)

    @property
    def team(self) -> Stretches:
        """The time in which at least one service was watched."""
        starts = np.concatenate([part.starts for part in self.parts.values()])
        ends = np.concatenate([part.ends for part in self.parts.values()])
        return Stretches.of(starts, ends)

    @property
    def lines(self) -> list[Stretches]:
        """The time of each service of which anything was watched."""
        return [part for part in self.parts.values() if part.length]

    def cuts(self, moments: Positions) -> Positions:
        """Where moments part each line, between its beginning and its end: a row per line."""
        rows = [np.concatenate([[0], part.before(moments), [part.length]]) for part in self.lines]
        return np.array(rows, np.int64).reshape(-1, len(moments) + 2)

    def points(self, starts: Positions, ends: Positions) -> list[None]:  # noqa: ARG002
        """How many judged points lie in between: there are none."""
        return [None] * len(starts)

    def between(self, start: int, end: int) -> WatchedTime:
        """What of it lies between two moments, as if nothing came after."""
        first, last = self.span
        whole = Stretches(np.array([start]), np.array([end]))
        parts = {service: part.within(whole) for service, part in self.parts.items()}
        return WatchedTime((max(first, start), min(last, end)), parts)

    def parted(self, cuts: Positions) -> Positions:
        """Blocks of lines as those that turn: the same."""
        return cuts

    def moments(self, line: Positions, place: Positions) -> Positions:
        """When places of lines are."""
        found = np.zeros(len(line), np.int64)
        for number, part in enumerate(self.lines):
            found[line == number] = part.instants(place[line == number])
        return found

    @property
    def length(self) -> int:
        """The watched time of all services together: two services in one hour are two hours."""
        return sum(part.length for part in self.parts.values())


def _of(rows: TimedRows, service: str, last: int) -> Stretches:
    """The stretches of one service: its own rows and those of every service."""
    mine = (rows.place == service) | (rows.place == EVERY)
    if rows.service is None:
        mine = np.ones(len(rows), bool)
    return Stretches.of(rows.start[mine], rows.until(last)[mine])


def read_span(span: Any, **how: Any) -> TimedRows:
    """The ends of the span."""
    if isinstance(span, TimedRows):
        return span
    if not isinstance(span, (tuple, list)) or len(span) != 2:
        raise InputError(f"span must be a pair (start, end), got {shown(span)}")
    return TimedRows(list(span), **how)


def ends_of(span: TimedRows, like: TimedRows) -> tuple[int, int]:
    """The ends of the span, as instants or points as those of a table."""
    check_alike("span", span, like)
    first, last = span.start.tolist()
    if not first < last:
        ends = f"{span.instant_text(first)} to {span.instant_text(last)}"
        raise InputError(f"span must be a pair (start, end) with start < end, got {ends}")
    return first, last


def read_stretches(values: Any, like: TimedRows, name: str, **how: Any) -> TimedRows | None:
    """A table of watched time or of outages: rows, a frame, or pairs (start, end)."""
    if values is None or isinstance(values, TimedRows):
        found = values
    elif isinstance(values, (list, tuple)):
        found = TimedRows(*pairs_of(values), **how)
    else:
        found = TimedRows(values, **how)
    if found is not None:
        check_alike(name, found, like)
    return found


def check_alike(name: str, rows: TimedRows, like: TimedRows) -> None:
    """Refuse points beside instants, and times with a zone beside times without."""
    if not len(rows) or not len(like):
        return
    if rows.is_in_points != like.is_in_points:
        kinds = ["points" if one.is_in_points else "times" for one in (rows, like)]
        unit = "; numbers since 1970 need their unit: unit= (--time-unit ms)"
        raise InputError(f"{name} must be {kinds[1]} as the incidents are, got {kinds[0]}{unit}")
    if any(one.counted for one in (rows, like)):
        return
    clocks = [one.clock for one in (rows, like) if one.clock is not None]
    if len(clocks) == 2 and (clocks[0].zone is None) != (clocks[1].zone is None):
        have = [f"a zone ({c.zone})" if c.zone else "none" for c in clocks]
        raise InputError(
            f"{name} must match the incidents' time zones, got {have[0]} for {have[1]}; write "
            "the offsets, or give tz= (--tz Europe/Berlin)"
        )
