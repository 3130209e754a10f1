"""Changes: positions instead of intervals, as truth and as alarms.

A change is the first point of a new regime: a position without length. Change points, drifts and
the moments that a warning must precede are such lists, and so are the alarms that report them.

Conventions
-----------
- Positions are 0-based, ascending, and lie in ``[0, n)``. The end ``n`` is no change.
- Two changes side by side stay two. Alarms may stand twice at one position and are then two
  alarms; a change of the truth stands once.
- Nothing is sorted or joined silently: ``merge=True`` does it.
"""

from __future__ import annotations

from dataclasses import InitVar, dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Self, get_args

import numpy as np

from adjudge.checks import boolean, is_whole, suggest_keywords, whole, word
from adjudge.data.clock import Clock, same_zone
from adjudge.data.columns import binary, column, ids, restore
from adjudge.data.event_checks import (
    check_clock,
    checked_bounds,
    checked_names,
    judged_points,
    positions,
    series_bounds,
)
from adjudge.data.events import Events, Moments, PositionList
from adjudge.data.interval_reading import check_increasing, merged, on_grid, pairs_of
from adjudge.data.intervals import bincount, repeat
from adjudge.data.windows import earliest, past_latest
from adjudge.errors import InputError, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from adjudge._typing import Array, Column, Positions

Reading = Literal["ones", "starts", "states"]
READINGS: tuple[Reading, ...] = get_args(Reading)


@suggest_keywords("Changes")
@dataclass(frozen=True, eq=False)
class Changes(PositionList):
    """Positions on ``n`` points: changes of the truth, or the alarms that report them.

    Parameters
    ----------
    positions : array of int
        The first point of each new regime, ascending; of alarms, where each was raised.
    n : int
        Number of points, in all series together.
    ends : array of int, optional
        Of gradual changes: the last point of each. Default: changes are sudden.
    bounds, judged, names, clock : optional
        As of `adjudge.Events`.
    annotators : dict of arrays, optional
        The positions that each of several annotators named; see `from_annotators`.
    merge : bool
        Sort the positions, and join equal ones.

    Examples
    --------
    >>> Changes([100, 300], n=1000)
    Changes(100 300 of 1000 points)
    >>> Changes([100, 300, 1000], n=1000)
    Traceback (most recent call last):
    adjudge.errors.InputError: positions must lie in [0, 1000), got 1000 at index 2; the end is no \
change: drop it
    """

    positions: Column
    n: int
    ends: Column = field(default=None, kw_only=True)
    bounds: Column = field(default=None, kw_only=True)
    judged: Array | None = field(default=None, kw_only=True)
    names: Array | None = field(default=None, kw_only=True)
    clock: Clock | None = field(default=None, kw_only=True)
    annotators: Mapping[str, Positions] | None = field(default=None, kw_only=True)
    merge: InitVar[bool] = field(default=False, kw_only=True)

    def __post_init__(self, merge: bool) -> None:
        """Check the positions once, so that nobody has to do it again."""
        if not is_whole(self.n) or self.n < 1:
            raise InputError(f"n must be a whole number of points, at least 1, got {shown(self.n)}")
        n = whole(self.n, "n", 1)
        at, ends = self.positions, self.ends
        at = _inside(at, n, "positions")
        ends = at if ends is None else _inside(ends, n, "ends")
        if boolean(merge, "merge"):
            at, ends = _merged(at, ends)
        _check(at, ends)
        bounds = checked_bounds(self.bounds, n)
        judged = None if self.judged is None else judged_points(self.judged, n, "judged")
        held = {
            "positions": at,
            "ends": ends,
            "bounds": bounds,
            "judged": judged,
            "names": checked_names(self.names, len(bounds) - 1),
        }
        restore(self, held)
        if self.clock is not None:
            check_clock(self.clock, n, bounds)

    __setstate__ = restore

    @classmethod
    def from_labels(
        cls,
        labels: Column,
        reading: Reading = "ones",
        *,
        series: Column = None,
        where: Column = None,
    ) -> Self:
        """Read a column with one value per point.

        Parameters
        ----------
        labels : column
            0/1, or the name of the regime of each point.
        reading : {"ones", "starts", "states"}
            "ones": each 1 is a change, neighbours are two. "starts": the first point of each run of
            ones. "states": the points whose value differs from that of the point before.
        series, where : column, optional
            The series of each point, and which points are judged.

        Examples
        --------
        >>> Changes.from_labels([0, 1, 1, 0])
        Changes(1 2 of 4 points)
        >>> Changes.from_labels([0, 1, 1, 0], "starts")
        Changes(1 of 4 points)
        >>> Changes.from_labels(["day", "day", "night", "day"], "states")
        Changes(2 3 of 4 points)
        """
        if word(reading, "reading", READINGS) == "starts":
            events = Events.from_labels(labels, series=series, where=where)
            at, n, bounds, names = events.starts, events.n, events.bounds, events.names
            return cls(at, n, bounds=bounds, names=names, judged=events.judged)
        if reading == "ones":
            marked = binary(column(labels, "labels"), "labels")
        else:
            states = ids(labels, "labels")
            marked = np.append(False, states[1:] != states[:-1])
        bounds, names = series_bounds(series, marked.size)
        if reading == "states":
            marked[bounds[:-1]] = False
        judged = None if where is None else judged_points(where, marked.size, "where")
        marked = marked if judged is None else marked & judged
        return cls(np.flatnonzero(marked), marked.size, bounds=bounds, names=names, judged=judged)

    @classmethod
    def from_intervals(
        cls, intervals: Iterable[tuple[int, int]], n: int, *, merge: bool = False
    ) -> Self:
        """Read gradual changes: pairs of the first and the last point of each.

        Parameters
        ----------
        intervals : iterable of pairs
            (start, end), both belonging to the change; equal for a sudden one.
        n : int
            Number of points.
        merge : bool
            Sort them, and join those that begin together.

        Examples
        --------
        >>> Changes.from_intervals([(200, 260), (600, 600)], n=1000)
        Changes(200 to 260 600 of 1000 points)
        """
        begin, end = pairs_of(intervals)
        starts, ends = (np.asarray(side, object) for side in (begin, end))
        return cls(starts, n, ends=ends, merge=merge)

    @classmethod
    def from_times(
        cls,
        times: Iterable[Any],
        *,
        index: Column = None,
        span: tuple[Any, Any] | None = None,
        every: object = "1min",
        unit: str | None = None,
        merge: bool = False,
    ) -> Self:
        """Read moments: each belongs to the step that holds it.

        Parameters
        ----------
        times : iterable of times
            When each change or alarm was.
        index : column of times, optional
            When each point was; a step lasts until the next one.
        span, every : pair of times, duration
            Instead of an index: where a grid begins and ends, and its step.
        unit, merge : str, bool
            The unit of times that are numbers since 1970; whether to sort and join them.

        Examples
        --------
        >>> day = ("2026-01-01", "2026-01-02")
        >>> Changes.from_times(["2026-01-01 03:20"], span=day, every="1h")
        Changes(3 of 24 points)
        """
        if (index is None) == (span is None):
            got = "neither" if index is None else "both"
            raise InputError(f"from_times needs index=, or span= and every=, got {got}")
        if span is None:
            clock = Clock.read(index, "index", unit)
            check_increasing(clock, np.array([0, clock.instants.size]), "index")
        else:
            *_, clock = on_grid([], span, every, unit, merge=False)
        listed = list(times)
        given = Clock.read(listed, "times", unit) if listed else Clock(np.empty(0, np.int64))
        if listed:
            same_zone([("index", clock), ("times", given)])
        at = np.searchsorted(clock.instants, given.instants, side="right") - 1
        steps = np.diff(clock.instants)
        last = clock.instants[-1] + (steps[-1] if steps.size else 0)
        outside = (at < 0) | (given.instants > last)
        if span is not None:
            outside |= given.instants == last
        if outside.any():
            i = int(np.argmax(outside))
            raise InputError(
                f"times must lie between {clock.text(0)} and the step after "
                f"{clock.text(clock.instants.size - 1)}, got {given.text(i)} at index {i}"
            )
        return cls(at, clock.instants.size, clock=clock, merge=merge)

    @classmethod
    def from_annotators(cls, annotators: Mapping[Any, Column], n: int | None = None) -> Self:
        """Put the lists of several annotators together.

        Precision asks whether anyone named a change; recall is the mean over the annotators.

        Parameters
        ----------
        annotators : mapping
            The positions (or `Changes`) by the annotator's name.
        n : int, optional
            Number of points; `Changes` know it.

        Examples
        --------
        >>> Changes.from_annotators({"ann": [10, 20], "bob": [11, 20]}, n=45)
        Changes(10 11 20 of 45 points, by 2 annotators)
        """
        if not annotators:
            raise InputError("annotators must hold at least one list of positions, got none")
        lists = {
            str(name): one if isinstance(one, Changes) else cls(one, n)  # type: ignore[arg-type]
            for name, one in annotators.items()
        }
        first = next(iter(lists.values()))
        for name, one in lists.items():
            if one.n != first.n:
                raise InputError(
                    f"annotators must judge the same points, got {first.n} and {one.n} ({name})"
                )
            one.events  # noqa: B018 - which refuses what cannot be truth
        union = np.unique(np.concatenate([one.positions for one in lists.values()]))
        kept = {"bounds": first.bounds, "judged": first.judged, "names": first.names}
        by = {name: one.positions for name, one in lists.items()}
        return cls(union, first.n, clock=first.clock, annotators=by, **kept)

    @classmethod
    def from_breakpoints(cls, breakpoints: Iterable[int]) -> Self:
        """Read what ruptures returns: where each regime ends, the last one with the series.

        Parameters
        ----------
        breakpoints : iterable of int
            Ascending; the last one is the number of points.

        Examples
        --------
        >>> Changes.from_breakpoints([100, 300, 1000])
        Changes(100 300 of 1000 points)
        """
        ends = list(breakpoints)
        if not ends:
            raise InputError("breakpoints must end with the number of points, got none")
        return cls(ends[:-1], ends[-1])

    @classmethod
    def from_detector(cls, detector: Any, values: Iterable[Any]) -> Self:
        """Run a drift detector of river over values, and keep where it raised an alarm.

        Parameters
        ----------
        detector : object
            With ``update(value)`` and then ``drift_detected``, as in ``river.drift``.
        values : iterable
            What it watches, one value per point.

        Examples
        --------
        >>> class Jumps:
        ...     last = 0
        ...     def update(self, value):
        ...         self.drift_detected, self.last = abs(value - self.last) > 3, value
        >>> Changes.from_detector(Jumps(), [0, 1, 0, 9, 8, 9, 2])
        Changes(3 6 of 7 points)
        """
        alarms, n = [], 0
        for place, value in enumerate(values):
            detector.update(value)
            alarms += [place] if detector.drift_detected else []
            n = place + 1
        return cls(alarms, n)

    @classmethod
    def from_counts(cls, counts: Column) -> Self:
        """Read how many stand at each point.

        Parameters
        ----------
        counts : column
            A whole number per point.

        Examples
        --------
        >>> Changes.from_counts([0, 2, 0, 1])
        Changes(1 1 3 of 4 points)
        """
        given = column(counts, "counts")
        return cls(repeat(np.arange(given.size), given), given.size)

    @property
    def events(self) -> Events:
        """The changes as truth: events of one point each, which know that they are changes."""
        twice = np.flatnonzero(np.diff(self.positions) == 0)
        if twice.size:
            i = int(twice[0]) + 1
            raise InputError(
                f"positions must name each change of the truth once, got {self.positions[i]} again "
                f"at index {i}; merge=True joins equal ones"
            )
        by = None if self.annotators is None else tuple(self.annotators.values())
        return Events(
            self.positions, self.positions + 1, self.n, bounds=self.bounds, judged=self.judged,
            names=self.names, clock=self.clock, changes=Moments(self.positions, self.ends, by),
        )  # fmt: skip

    @property
    def counts(self) -> Positions:
        """How many stand at each point."""
        return bincount(self.positions, minlength=self.n)

    def windows(self, *, before: int | str = 0, after: int | str = 0) -> Events:
        """The points around the changes as `Events`, for metrics of points and runs.

        Parameters
        ----------
        before, after : int or duration
            How far a window reaches. Windows that overlap or touch become one event.

        Examples
        --------
        >>> Changes([100, 104, 300], n=1000).windows(before=2, after=5)
        Events([98, 110) [298, 306) of 1000 points)
        """
        none = np.zeros(0, np.int64)
        events = Events(none, none, self.n, bounds=self.bounds, clock=self.clock)
        begin, end = earliest(self.positions, before, events), past_latest(self.ends, after, events)
        first = events.series_bounds[:-1]
        home = np.searchsorted(first, begin, side="right")
        joined = [merged(begin[home == one], end[home == one]) for one in np.unique(home)]
        starts, stops = zip(*joined, strict=True) if joined else ([begin], [end])
        found = Events(
            np.concatenate(starts), np.concatenate(stops), self.n,
            bounds=self.bounds, names=self.names, clock=self.clock,
        )  # fmt: skip
        return found if self.judged is None else found.within(where=self.judged)

    def __len__(self) -> int:
        """Count the positions."""
        return len(self.positions)

    def __repr__(self) -> str:
        """Show the first positions."""
        pairs = zip(self.positions[:6].tolist(), self.ends[:6].tolist(), strict=True)
        text = " ".join(f"{a}" if a == b else f"{a} to {b}" for a, b in pairs)
        more = f" and {len(self) - 6} more" if len(self) > 6 else ""
        series = f" in {len(self.bounds) - 1} series" if len(self.bounds) > 2 else ""
        by = f", by {len(self.annotators)} annotators" if self.annotators else ""
        return f"Changes({text or 'none'}{more} of {self.n} points{series}{by})"


def _inside(given: Any, n: int, name: str) -> Positions:
    """Whole numbers in [0, n); a closing n is refused with its fix."""
    kept = np.asarray(given, object) if isinstance(given, (list, tuple)) else given
    none = hasattr(kept, "__len__") and not len(kept)
    at = positions(np.zeros(0, np.int64) if none else kept, name)
    wrong = (at < 0) | (at >= n)
    if wrong.any():
        i = int(np.argmax(wrong))
        hint = "; the end is no change: drop it" if at[i] == n else ""
        raise InputError(f"{name} must lie in [0, {n}), got {at[i]} at index {i}{hint}")
    return at


def _merged(at: Positions, ends: Positions) -> tuple[Positions, Positions]:
    """Sort, and keep of those that begin together the one that ends last."""
    order = np.lexsort((ends, at))
    at, ends = at[order], ends[order]
    last = np.append(at[1:] != at[:-1], True)[: at.size]
    return at[last], ends[last]


def _check(at: Positions, ends: Positions) -> None:
    """Refuse positions out of order, and changes that end before they begin."""
    if ends.shape != at.shape:
        raise InputError(f"ends must be one per position, got {ends.size} for {at.size}")
    for wrong, rule in (
        (np.append(False, at[1:] < at[:-1])[: at.size], "ascending"),
        (ends < at, "no later than their ends"),
    ):
        if wrong.any():
            i = int(np.argmax(wrong))
            hint = "; merge=True sorts them" if rule == "ascending" else ""
            raise InputError(f"positions must be {rule}, got {at[i]} at index {i}{hint}")
