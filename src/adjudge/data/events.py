"""Events: where the truth lies.

An event is a maximal run of anomalous points, written as a half-open interval ``[start, stop)``.
Positions are 0-based and count through all series; they never move. A point that is not judged is
neither truth nor alarm: a stretch of such points inside an event parts it in two. Events may touch
but never overlap, and never cross from one series to the next.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self, cast

import numpy as np

from adjudge.data.alignment import check_indexes
from adjudge.data.codings import refuse_signs
from adjudge.data.columns import binary, column
from adjudge.data.event_checks import (
    among_points,
    check_clock,
    check_crossings,
    check_intervals,
    check_judged,
    checked_bounds,
    checked_names,
    checked_severity,
    judged_points,
    positions,
    series_bounds,
)
from adjudge.data.interval_reading import on_grid, on_index
from adjudge.data.intervals import fill, reduce_over, runs
from adjudge.data.read_only import locked, restore

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from adjudge._typing import Array, Column, Flags, Positions
    from adjudge.data.clock import Clock
    from adjudge.data.spans import Closed


@dataclass(frozen=True, eq=False)
class Events:
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

    def __post_init__(self) -> None:
        """Check the intervals once, so that nobody has to do it again."""
        starts, stops = positions(self.starts, "starts"), positions(self.stops, "stops")
        check_intervals(starts, stops, self.n)
        bounds = checked_bounds(self.bounds, self.n)
        check_crossings(starts, stops, bounds)
        held: dict[str, Array | None] = {
            "starts": starts,
            "stops": stops,
            "bounds": bounds,
            "severity": checked_severity(self.severity, len(starts)),
            "judged": None if self.judged is None else judged_points(self.judged, self.n, "judged"),
            "names": checked_names(self.names, len(bounds) - 1),
        }
        for name, array in held.items():
            object.__setattr__(self, name, array if array is None else locked(array))
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

        >>> Events.from_labels([1, 1, 1, 1], series=["a", "a", "b", "b"])
        Events([0, 2) [2, 4) of 4 points in 2 series)
        """
        check_indexes(labels=labels, series=series, where=where)
        given = column(labels, "labels")
        refuse_signs(given, "labels", "0 or 1")
        truth = binary(given, "labels")
        n = len(truth)
        bounds, names = series_bounds(series, n)
        judged = None if where is None else judged_points(where, n, "where")
        truth = truth if judged is None else truth & judged
        starts, stops = runs(truth, bounds[:-1])
        return cls._unchecked(
            starts=starts, stops=stops, n=n, bounds=bounds, judged=judged, names=names, labels=truth
        )

    @classmethod
    def _unchecked(cls, **held: Any) -> Self:
        """Hold arrays that are right by how they were made, and that nobody else holds."""
        events = cls.__new__(cls)
        restore(events, {"severity": None, "clock": None, **held})
        return events

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
            return cls(starts, stops, clock.instants.size, severity, clock=clock)
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
        bounds, names = self.series_bounds, self.names
        if series is not None:
            bounds, names = series_bounds(series, self.n)
        check_crossings(self.starts, self.stops, bounds)
        if where is None:
            return replace(self, bounds=bounds, names=names)
        now = judged_points(where, self.n, "where")
        judged = now if self.judged is None else now & self.judged
        starts, stops = runs(self.labels & judged, np.union1d(bounds[:-1], self.starts))
        severity = self.severity
        if severity is not None:
            severity = severity[np.searchsorted(self.starts, starts, side="right") - 1]
        return Events(starts, stops, self.n, severity, bounds, judged, names, self.clock)

    @property
    def widths(self) -> Positions:
        """Number of points of each event."""
        return self.stops - self.starts

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

    @property
    def series_bounds(self) -> Positions:
        """Where each series begins, closed by ``n``."""
        assert self.bounds is not None  # noqa: S101 - set in __post_init__
        return self.bounds

    @property
    def series_count(self) -> int:
        """Number of series."""
        return len(self.series_bounds) - 1

    def max(self, scores: Array) -> Array:
        """The highest score of each event."""
        return reduce_over(np.maximum, scores, self.starts, self.stops)

    def sum(self, values: Flags) -> Positions:
        """Count the True values of each event."""
        return reduce_over(np.add, values.view(np.int8), self.starts, self.stops, dtype=np.int64)

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
        return np.repeat(values, self.widths)

    def __len__(self) -> int:
        """Count the events."""
        return len(self.starts)

    def __iter__(self) -> Iterator[slice]:
        """Each event as a slice."""
        return (slice(int(a), int(b)) for a, b in zip(self.starts, self.stops, strict=True))

    def __repr__(self) -> str:
        """Show the first intervals."""
        shown = " ".join(f"[{s.start}, {s.stop})" for s, _ in zip(self, range(6), strict=False))
        more = f" and {len(self) - 6} more" if len(self) > 6 else ""
        series = f" in {self.series_count} series" if self.series_count > 1 else ""
        return f"Events({shown or 'none'}{more} of {self.n} points{series})"
