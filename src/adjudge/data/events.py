"""Events: where the truth lies.

An event is a maximal run of anomalous points, written as a half-open interval ``[start, stop)``.
Positions are 0-based and count through all series; they never move. A point that is not judged is
neither truth nor alarm: a stretch of such points inside an event parts it in two. Events may touch
but never overlap, and never cross from one series to the next. Nor do they cross a gap in the time
of the points, in which nobody watched.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar, cast
from weakref import WeakKeyDictionary

import numpy as np

from adjudge.checks import suggest_keywords
from adjudge.data.columns import binary, check_indexes, column, locked, refuse_signs, restore
from adjudge.data.event_checks import (
    among_points,
    check_clock,
    check_crossings,
    check_intervals,
    check_judged,
    checked_bounds,
    checked_clocks,
    checked_names,
    checked_severity,
    gaps_in,
    judged_points,
    positions,
    series_bounds,
)
from adjudge.data.interval_reading import on_grid, on_index
from adjudge.data.intervals import fill, reduce_over, reduceat, repeat, runs
from adjudge.tables.notebook import NotebookCell

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping

    from adjudge._typing import Array, Column, Flags, Positions
    from adjudge.data.clock import Clock
    from adjudge.data.interval_reading import Closed
    from adjudge.tables.glance import Glance
    from adjudge.tables.table import Layout

_Made = TypeVar("_Made")
_MANY = 20_000  # points from which on those of events are worth picking out
_MADE: WeakKeyDictionary[Events, dict[Hashable, Any]] = WeakKeyDictionary()


class Moments(NamedTuple):
    """What is known of events that are changes: see `adjudge.Changes`."""

    positions: Positions
    ends: Positions
    """The last point of each change; its position, unless it is gradual."""
    annotators: tuple[Positions, ...] | None = None
    """The positions that each annotator named; None: nobody was asked in particular."""

    def part(self, first: int, stop: int) -> Moments:
        """The changes from one point until another, counted from the first of these."""
        own = (self.positions >= first) & (self.positions < stop)
        by = self.annotators
        if by is not None:
            by = tuple(at[(at >= first) & (at < stop)] - first for at in by)
        return Moments(self.positions[own] - first, self.ends[own] - first, by)


@suggest_keywords("Events")
@dataclass(frozen=True, eq=False)
class Events(NotebookCell):
    """Disjoint half-open intervals on ``n`` points.

    Parameters
    ----------
    starts, stops : array of int
        First point of each event, and the first point after it; ascending.
    n : int
        Number of points, in all series together.
    severity : array, optional
        One number per event: the third part of the paper's segment (start, width, severity).
    bounds : array of int, optional
        Where each series begins, closed by ``n``. Default: one series.
    judged : array of bool, optional
        Which points are judged. Default: all.
    names : array, optional
        One id per series.
    clock : Clock, optional
        When each point was; strictly increasing in each series.
    changes : Moments, optional
        What is known of the events as changes, where the truth is a list of positions.
    gaps : array of int, optional
        The first points behind gaps in time, see `timed`; nothing reaches across them either.
    fixed_series : bool
        Whether the series are the very ones that are asked about, as the services of a team, and no
        sample of others: intervals then rest on events.
    clocks : array of int, optional
        The number of the clock of each series; those with one number live through the same time.
        Default: each series has its own.
    clock_note : str
        Why they do, where nobody said it, as a sentence.

    Examples
    --------
    >>> Events.from_labels([0, 1, 1, 0, 0, 1])
    Events([1, 3) [5, 6) of 6 points)
    """

    starts: Positions
    stops: Positions
    n: int
    severity: Array | None = None
    bounds: Positions | None = None
    judged: Flags | None = None
    names: Array | None = None
    clock: Clock | None = None
    changes: Moments | None = None
    gaps: Positions | None = None
    fixed_series: bool = False
    clocks: Positions | None = None
    clock_note: str = ""

    def __post_init__(self) -> None:
        """Check the intervals once, so that nobody has to do it again."""
        starts, stops = positions(self.starts, "starts"), positions(self.stops, "stops")
        check_intervals(starts, stops, self.n)
        bounds = checked_bounds(self.bounds, self.n)
        gaps = None if self.gaps is None or not len(self.gaps) else positions(self.gaps, "gaps")
        if gaps is not None:
            bounds = np.union1d(bounds, gaps)
        check_crossings(starts, stops, bounds)
        whole = len(bounds) - 1 - (0 if gaps is None else gaps.size)
        held = {
            "starts": starts,
            "stops": stops,
            "bounds": bounds,
            "severity": checked_severity(self.severity, len(starts)),
            "judged": None if self.judged is None else judged_points(self.judged, self.n, "judged"),
            "names": checked_names(self.names, whole),
            "gaps": gaps,
            "clocks": None if self.clocks is None else checked_clocks(self.clocks, whole),
        }
        restore(self, held)
        if self.clock is not None:
            check_clock(self.clock, self.n, bounds)
        if self.judged is not None:
            check_judged(self.labels, self.judged)

    __setstate__ = restore

    @classmethod
    def from_labels(cls, labels: Column, *, series: Column = None, where: Column = None) -> Self:
        """Read the runs of ones in 0/1 labels.

        Parameters
        ----------
        labels, series, where : column
            The labels, the series of each point, and which points are judged.

        Examples
        --------
        >>> Events.from_labels([1, 1, 1, 1], series=["a", "a", "b", "b"])
        Events([0, 2) [2, 4) of 4 points in 2 series)
        """
        if type(labels) is not np.ndarray or series is not None or where is not None:
            check_indexes(labels=labels, series=series, where=where)
        given = column(labels, "labels")
        n = len(given)
        judged = None if where is None else judged_points(where, n, "where")
        if judged is not None and given.dtype.kind == "f":
            given = np.where(judged | ~np.isnan(given), given, 0)  # what is not judged needs none
        refuse_signs(given, "labels", "0 or 1")
        truth = binary(given, "labels")
        bounds, names = series_bounds(series, n)
        truth = truth if judged is None else truth & judged
        events = cls.__new__(cls)  # right by how it is made: its runs are found when asked for
        events.__dict__.update(
            n=n, bounds=locked(bounds), judged=judged, names=names, labels=locked(truth),
            severity=None, clock=None, changes=None, gaps=None,
        )  # fmt: skip
        if judged is not None or names is not None:
            restore(events, {"judged": judged, "names": names})
        return events

    if not TYPE_CHECKING:  # pragma: no branch - for which all fields are there

        def __getattr__(self, name: str) -> Any:
            """Find the runs of labels when their starts or stops are first asked for."""
            if name not in {"starts", "stops"}:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            held = self.__dict__
            starts, stops = runs(held["labels"], held["bounds"][:-1])
            held["starts"], held["stops"] = locked(starts), locked(stops)
            return held[name]

    @classmethod
    def from_intervals(
        cls,
        intervals: Iterable[tuple[Any, Any]],
        n: int | None = None,
        *,
        index: Column = None,
        closed: Closed | None = None,
        unit: str | None = None,
        merge: bool = False,
        severity: Column = None,
    ) -> Self:
        """Read pairs ``(start, stop)``: positions among ``n`` points, or times against an index.

        Parameters
        ----------
        intervals : iterable of pairs
            Ascending and apart; ``merge=True`` sorts and joins them.
        n, index : int, column of times
            How many points there are; or when each of them was.
        closed : {"both", "left"}, optional
            Whether a point at the stop belongs to the event. With an index it must be said.
        unit : str, optional
            The unit of times that are numbers since 1970: "s", "ms", ...
        merge, severity : bool, column
            Whether to sort and join the intervals; a number for each of them.

        Examples
        --------
        >>> Events.from_intervals([(18, 32), (50, 60)], n=80)
        Events([18, 32) [50, 60) of 80 points)
        >>> days = ["2026-01-01", "2026-01-02", "2026-01-03", "2026-01-04"]
        >>> Events.from_intervals([("2026-01-02", "2026-01-03")], index=days, closed="both")
        Events([1, 3) of 4 points)
        """
        if index is not None:
            starts, stops, clock = on_index(intervals, index, closed, unit, merge=merge)
            return cls(starts, stops, clock.instants.size, severity).timed(clock)
        points = cast("int", n)  # None is refused where numbers are checked
        starts, stops = among_points(intervals, points, closed, merge=merge)
        return cls(starts, stops, points, severity)

    @classmethod
    def from_times(
        cls,
        moments: Iterable[Any],
        *,
        span: tuple[Any, Any],
        every: object = "1min",
        unit: str | None = None,
        merge: bool = False,
    ) -> Self:
        """Read incidents or alerts, each marking every step of a grid that it touches.

        Parameters
        ----------
        moments : iterable of times, or of pairs
            When each was, or from when to when.
        span, every : pair of times, duration
            Where the grid begins and ends, and its step.
        unit, merge : str, bool
            As in `from_intervals`.

        Examples
        --------
        >>> day = ("2026-01-01", "2026-01-02")
        >>> Events.from_times([("2026-01-01 03:00", "2026-01-01 05:30")], span=day, every="1h")
        Events([3, 6) of 24 points)
        """
        starts, stops, clock = on_grid(moments, span, every, unit, merge=merge)
        return cls(starts, stops, clock.instants.size, clock=clock)

    def within(self, *, series: Column = None, where: Column = None) -> Events:
        """Place the same events in several series, or judge only some of the points.

        Parameters
        ----------
        series, where : column
            The series of each point, and which points are judged.
        """
        if series is None and where is None:
            return self
        check_indexes(series=series, where=where)
        bounds, names, clocks = self.whole_series, self.names, self.clocks
        if series is not None:
            (bounds, names), clocks = series_bounds(series, self.n), None
        check_crossings(self.starts, self.stops, bounds)
        if where is None:
            plain = replace(self, bounds=bounds, names=names, gaps=None, clocks=clocks)
            return plain.timed(self.clock)
        now = judged_points(where, self.n, "where")
        judged = now if self.judged is None else now & self.judged
        starts, stops = runs(self.labels & judged, np.union1d(bounds[:-1], self.starts))
        severity = self.severity
        if severity is not None:
            severity = severity[np.searchsorted(self.starts, starts, side="right") - 1]
        given = severity, bounds, judged, names, None, self.changes, None, self.fixed_series, clocks
        note = "" if clocks is None else self.clock_note
        return Events(starts, stops, self.n, *given, note).timed(self.clock)

    def timed(self, clock: Clock | None) -> Self:
        """Say when each point was; what lies more than two steps apart is parted by a gap.

        Nobody watched in a gap: no alarm and no island reaches across it, it counts in no rate, and
        an event with points on both sides is two. Changes, which have no length, know no gaps.

        Parameters
        ----------
        clock : Clock or None
            The times; None leaves the events as they are.

        Examples
        --------
        >>> from adjudge.data.clock import Clock
        >>> days = ["2026-01-01", "2026-01-02", "2026-01-03", "2026-02-01", "2026-02-02"]
        >>> Events.from_labels([0, 0, 1, 1, 0]).timed(Clock.read(days))
        Events([2, 3) [3, 4) of 5 points)
        """
        if clock is None:
            return self
        bounds = self.whole_series
        check_clock(clock, self.n, bounds)
        gaps = gaps_in(clock.instants, bounds) if self.changes is None else np.zeros(0, np.int64)
        if not gaps.size:
            return replace(self, bounds=bounds, gaps=None, clock=clock)
        starts, stops = runs(self.labels, np.union1d(np.append(bounds[:-1], gaps), self.starts))
        severity = self.severity
        if severity is not None:
            severity = severity[np.searchsorted(self.starts, starts, side="right") - 1]
        return replace(
            self, starts=starts, stops=stops, severity=severity, bounds=bounds, gaps=gaps,
            clock=clock,
        )  # fmt: skip

    def chosen(self, kept: Flags) -> Events:
        """The events on some of the points, of which at least one is judged; of each its part.

        >>> Events([1, 5], [3, 8], 9).chosen(np.arange(9) % 9 > 1)
        Events([0, 1) [3, 6) of 7 points)
        """
        before = np.append(0, np.cumsum(kept))
        starts, stops, bounds = before[self.starts], before[self.stops], before[self.whole_series]
        own, there = stops > starts, np.diff(bounds) > 0
        gaps = np.zeros(0, np.int64) if self.gaps is None else before[self.gaps]
        clock = self.clock
        return Events(
            starts[own], stops[own], int(before[-1]),
            bounds=np.append(bounds[:-1][there], before[-1]),
            severity=None if self.severity is None else self.severity[own],
            judged=None if self.judged is None else self.judged[kept],
            names=None if self.names is None else self.names[there],
            clock=None if clock is None else replace(clock, instants=clock.instants[kept]),
            gaps=np.setdiff1d(gaps, bounds), fixed_series=self.fixed_series,
            clocks=None if self.clocks is None else self.clocks[there], clock_note=self.clock_note,
        )  # fmt: skip

    def part(self, first: int, stop: int) -> Events:
        """The events from one point until another, as one series.

        Parameters
        ----------
        first, stop : int
            The first point, and the first one after the last.

        Examples
        --------
        >>> Events([1, 5], [3, 8], 9).part(4, 9)
        Events([1, 4) of 5 points)
        """
        inside = (self.starts >= first) & (self.stops <= stop)
        return Events(
            self.starts[inside] - first, self.stops[inside] - first, stop - first,
            judged=None if self.judged is None else self.judged[first:stop],
            changes=None if self.changes is None else self.changes.part(first, stop),
        ).timed(None if self.clock is None else self.clock.part(first, stop))  # fmt: skip

    def repeated(self, copies: int) -> Events:
        """So many copies, one behind the other, as series of their own.

        >>> Events([1], [3], 4).repeated(2)
        Events([1, 3) [5, 7) of 8 points in 2 series)
        """
        behind = self.n * np.arange(copies, dtype=np.int64)[:, np.newaxis]
        clock, gaps = self.clock, np.zeros(0, np.int64) if self.gaps is None else self.gaps
        return Events(
            (behind + self.starts).ravel(), (behind + self.stops).ravel(), self.n * copies,
            bounds=np.append((behind + self.whole_series[:-1]).ravel(), self.n * copies),
            severity=None if self.severity is None else np.tile(self.severity, copies),
            judged=None if self.judged is None else np.tile(self.judged, copies),
            clock=None if clock is None
            else replace(clock, instants=np.tile(clock.instants, copies)),
            gaps=(behind + gaps).ravel(), fixed_series=self.fixed_series,
        )  # fmt: skip

    @property
    def noun(self) -> str:
        """What one of them is called, here and in the names of metrics: "event" or "change"."""
        return "event" if self.changes is None else "change"

    def turns_like(self, other: Events) -> bool:
        """Whether they are the same, on the same judged points.

        >>> one = Events.from_labels([0, 1, 1, 0])
        >>> one.turns_like(Events([1], [3], 4)), one.turns_like(one.within(where=[1, 1, 1, 0]))
        (True, False)
        """
        if self is other:
            return True
        own = [
            (one.n, one.starts, one.stops, one.series_bounds, one.judged) for one in (self, other)
        ]
        pairs = zip(*own, strict=True)
        return all((a is None) == (b is None) and np.array_equal(a, b) for a, b in pairs)

    def once(self, key: Hashable, make: Callable[[], _Made]) -> _Made:
        """Make what the labels alone decide once for all detectors on them.

        Parameters
        ----------
        key : hashable
            What it is known by.
        make : callable
            Makes it, without arguments, the first time.
        """
        known = _MADE.setdefault(self, {})
        if key not in known:
            known[key] = make()
        made: _Made = known[key]
        return made

    @cached_property
    def widths(self) -> Positions:
        """Number of points of each event."""
        return locked(self.stops - self.starts)

    @cached_property
    def labels(self) -> Flags:
        """The truth as one bool per point."""
        steps = np.zeros(self.n + 1, np.int8)
        steps[self.starts] += 1
        steps[self.stops] -= 1
        return locked(np.cumsum(steps[:-1], dtype=np.int8).view(bool))

    @cached_property
    def normal(self) -> Flags:
        """The judged points that belong to no event."""
        return locked(~self.labels if self.judged is None else self.judged & ~self.labels)

    @cached_property
    def quiet(self) -> tuple[Positions, Positions]:
        """The stretches of normal time; where there is none, the events."""
        starts, stops = runs(self.normal, self.series_bounds[:-1])
        return (starts, stops) if starts.size else (self.starts, self.stops)

    @property
    def judged_flags(self) -> Flags:
        """Which points are judged, a bool for each."""
        return np.ones(self.n, bool) if self.judged is None else self.judged

    @property
    def judged_count(self) -> int:
        """How many points are judged."""
        return self.n if self.judged is None else int(np.count_nonzero(self.judged))

    @property
    def pieces(self) -> tuple[Positions, Positions]:
        """The stretches of judged time, events by themselves.

        >>> Events([1, 3], [3, 4], 6).pieces
        (array([0, 1, 3, 4]), array([1, 3, 4, 6]))
        """
        firsts = np.unique(np.concatenate([self.series_bounds, self.starts, self.stops]))
        return runs(self.judged_flags, firsts[:-1])

    @property
    def series_bounds(self) -> Positions:
        """Where each series, and each part of one behind a gap, begins; closed by ``n``.

        Nothing reaches across these: no event, no alarm, no window.
        """
        assert self.bounds is not None  # noqa: S101 - set in __post_init__
        return self.bounds

    @cached_property
    def whole_series(self) -> Positions:
        """Where each series begins, closed by ``n``, with no regard to gaps."""
        bounds = self.series_bounds
        return bounds if self.gaps is None else np.setdiff1d(bounds, self.gaps)

    @property
    def series_count(self) -> int:
        """Number of series."""
        return len(self.whole_series) - 1

    @property
    def series_clocks(self) -> Positions:
        """The number of the clock of each series."""
        return np.arange(self.series_count) if self.clocks is None else self.clocks

    def judged_between(self, edges: Positions | None = None) -> Positions:
        """How many judged points lie from each edge to the next; without edges, on each line.

        >>> Events([0], [1], 6, judged=[1, 1, 0, 1, 1, 1]).judged_between(np.array([0, 3, 6]))
        array([2, 3])
        """
        edges = self.series_bounds if edges is None else edges
        if self.judged is None:
            return np.diff(edges)
        return reduceat(np.add, self.judged, edges[:-1], dtype=np.int64)

    def max(self, scores: Array) -> Array:
        """The highest score of each event."""
        return reduce_over(np.maximum, scores, self.starts, self.stops)

    def sum(self, values: Flags) -> Positions:
        """Count the True values of each event."""
        if self.n < _MANY or not len(self):
            whole = values.view(np.int8)
            return reduce_over(np.add, whole, self.starts, self.stops, dtype=np.int64)
        own = values[self.labels].view(np.int8)  # NumPy makes a large number of each value
        return reduceat(np.add, own, np.cumsum(self.widths) - self.widths, dtype=np.int64)

    def filled(self, values: Array, scores: Array) -> Array:
        """The scores with one value per event in the place of those of its points.

        Parameters
        ----------
        values, scores : array
            One value per event, and one score per point.
        """
        return fill(values, scores, self.starts, self.stops, self.labels)

    def spread(self, values: Array) -> Array:
        """Repeat one value per event over the points of the events."""
        return repeat(values, self.widths)

    def __len__(self) -> int:
        """Count the events."""
        return len(self.starts)

    def __iter__(self) -> Iterator[slice]:
        """Each event as a slice."""
        return (slice(int(a), int(b)) for a, b in zip(self.starts, self.stops, strict=True))

    def layout(self) -> Layout:
        """Lay the first events out as a table."""
        from adjudge.data.events_cell import layout_of_events  # noqa: PLC0415 - for notebooks

        return layout_of_events(self)

    def glance(self) -> Glance:
        """How many they are, and where."""
        from adjudge.data.events_cell import glance_of_events  # noqa: PLC0415 - for notebooks

        return glance_of_events(self)

    def __repr__(self) -> str:
        """Show the first intervals."""
        shown = " ".join(f"[{s.start}, {s.stop})" for s, _ in zip(self, range(6), strict=False))
        more = f" and {len(self) - 6} more" if len(self) > 6 else ""
        series = f" in {self.series_count} series" if self.series_count > 1 else ""
        return f"Events({shown or 'none'}{more} of {self.n} points{series})"


class PositionList(ABC):
    """Positions as a case takes them: `adjudge.Changes`, which stands in a module below."""

    n: int
    """Number of points."""

    @property
    @abstractmethod
    def events(self) -> Events:
        """The positions as truth: events of one point each, which know that they are changes."""

    @property
    @abstractmethod
    def counts(self) -> Positions:
        """How many stand at each point."""

    @classmethod
    @abstractmethod
    def from_annotators(cls, annotators: Mapping[Any, Any], n: int | None = None) -> Self:
        """Put the lists of several annotators together."""
