"""Case: one detector's scores beside the truth, checked once.

This is the one place where a pair (labels, scores) is checked; whatever comes after trusts
it, however many metrics follow.

Conventions
-----------
- Higher scores are more anomalous; a point is flagged when ``score > threshold``, strictly.
- Scores that are all 0 or 1 are flags: the detector's own decision.
- A threshold is rounded to the scores' own precision before it is compared with them.
- Points that are not judged carry ``-inf``, which no threshold lies below: they are never flagged.
- A judged score of ``-inf`` is read as the lowest finite float: below every other score, and above
  the threshold ``-inf`` like every judged one. So a curve always ends with everything flagged.
- A case never changes: it holds read-only copies, so threads may share it, and whatever becomes of
  the caller's arrays afterwards changes no value.

Truth: the labels of a call as `Events`, in whatever coding and with whatever clock they come.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from adjudge.checks import suggest_keywords, word
from adjudge.data.clock import Clock
from adjudge.data.columns import (
    as_bools,
    check_indexes,
    coded,
    column,
    floats,
    ids,
    is_binary,
    locked,
    refuse_nan,
    refuse_signs,
    restore,
)
from adjudge.data.event_checks import by_series, gaps_in
from adjudge.data.events import Events, PositionList
from adjudge.data.interval_reading import (
    HOUR_TWICE,
    check_increasing,
    shows_an_hour_twice,
    steps_within,
)
from adjudge.data.intervals import covered, repeat, runs
from adjudge.data.point_time import PointTime
from adjudge.data.shared_clock import turning_together
from adjudge.errors import InputError, NotBinary, shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Self

    from adjudge._typing import Array, Column, Flags, Floats, Positions

_AT_ONCE = 1_000_000  # points of copies that are judged at once
_TURNED = 400_000  # points of all turns, as far as these are not too few or more than it takes


def truth(
    labels: Column,
    scores: Array,
    *,
    series: Column = None,
    where: Column = None,
    positive: object = None,
    time: Column = None,
    called: str = "scores",
) -> Events:
    """Read labels once; scores only help to spot arguments that were swapped."""
    if isinstance(labels, np.ndarray):
        pass  # which is by far the most
    elif isinstance(labels, Mapping):
        labels = _of_annotators(labels)
    if isinstance(labels, PositionList):
        labels = labels.events
    if isinstance(labels, Events):
        if positive is not None:
            raise InputError(
                f"positive must be left out when labels are not a column, got {shown(positive)}"
            )
        events = labels.within(series=series, where=where)
    elif positive is not None:
        events = Events.from_labels(coded(labels, positive), series=series, where=where)
    else:
        events = _from_labels(labels, scores, series, where, called)
    if time is None:
        return events
    return events.timed(time if isinstance(time, Clock) else Clock.read(time))


def _of_annotators(labels: Mapping[Any, Any]) -> Any:
    """The changes that several annotators named, as one list; any other mapping as it is."""
    lists = [one for one in labels.values() if isinstance(one, PositionList)]
    return type(lists[0]).from_annotators(labels) if lists else labels


def time_of(time: Column, scores: Column, labels: Column = None, series: Column = None) -> Column:
    """Take the time that was given, or that a pandas column carries as its index.

    An index that says a time twice, but never goes back, is left unused: its points are in order,
    and nobody said that it is the time.
    """
    if time is not None or type(scores) is np.ndarray is type(labels):
        return time
    for values in (scores, labels):
        index = None if isinstance(values, np.ndarray) else getattr(values, "index", None)
        if type(index).__name__ == "DatetimeIndex":
            break
    else:
        return None
    clock = Clock.read(index)
    steps, hour_twice = _steps(clock, series)
    merely_repeats = not np.any(steps < 0) and np.any(steps == 0) and not hour_twice
    return None if merely_repeats else clock


def _steps(clock: Clock, series: Column) -> tuple[Array, bool]:
    """The steps within each series, and whether the clock shows an hour twice."""
    order, bounds = by_series(series, clock.instants.size)
    own = Clock(clock.instants[order], clock.zone)
    steps = steps_within(own.instants, bounds)
    return steps, shows_an_hour_twice(own, steps)


class GivenColumns(NamedTuple):
    """Labels and what stands beside them, one per point."""

    labels: Column
    scores: list[Column]
    series: Column
    where: Column
    time: Column


def sorted_by_time(columns: GivenColumns) -> GivenColumns:
    """Put the points in the order of time, series by series."""
    labels, scores, series, where, time = columns
    if time is None or isinstance(labels, (Events, PositionList)):
        raise InputError("sort=True needs time= and one label per point")
    order = time_order(time, series)
    clock = time if isinstance(time, Clock) else Clock.read(time)
    return GivenColumns(
        ids(labels, "labels")[order],
        [column(one, "scores")[order] for one in scores],
        None if series is None else ids(series, "series")[order],
        None if where is None else column(where, "where")[order],
        Clock(clock.instants[order], clock.zone),
    )


def time_order(time: Column, series: Column = None) -> Positions:
    """The order in which the times increase, series by series as they first appear."""
    clock = time if isinstance(time, Clock) else Clock.read(time)
    if _steps(clock, series)[1]:
        raise InputError(f"time must be sorted by a clock that shows no hour twice: {HOUR_TWICE}")
    order, bounds = by_series(series, clock.instants.size)
    groups = repeat(np.arange(len(bounds) - 1), np.diff(bounds))
    return order[np.lexsort((clock.instants[order], groups))]


def _from_labels(
    labels: Column, scores: Array, series: Column, where: Column, called: str
) -> Events:
    try:
        return Events.from_labels(labels, series=series, where=where)
    except NotBinary as error:
        if not scores.size or not is_binary(scores):
            raise
        given = column(labels, "labels")
        if np.unique(given[given == given]).size <= 2:  # noqa: PLR0124 - another coding, or gaps
            raise
        raise InputError(f"{error}; are labels and {called} swapped?") from None


_BY_INDEX = "sort_index() sorts a column by it, to_numpy() is judged by position"


@suggest_keywords("Case")
@dataclass(frozen=True, eq=False, repr=False, init=False)
class Case:
    """Labels and scores, checked and aligned.

    Parameters
    ----------
    labels : column, Events or Changes
        The truth: 0/1 or bools per point, `Events`, or `Changes` (positions without length).
    scores : column, Events or Changes
        What the detector says: any numbers, or 0/1 flags, or alarms as `Events` or `Changes`.
    series : column, optional
        One id per point, equal ids adjacent: events, islands and runs stay within a series.
    where : column of bool, optional
        Which points are judged.
    time : column of times, optional
        When each point was, strictly increasing in each series; delays are then said in time, and
        settings may be durations. A DatetimeIndex of scores or labels is taken as time.
    positive : optional
        The label that means an anomaly, where labels are not 0 and 1: "anomaly", -1.
    missing : {"refuse", "skip"}
        Whether points without a score (NaN) are refused or left out of the judging.
    name : str
        What to call the detector.

    Examples
    --------
    >>> case = Case([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> case
    Case(4 points, 1 event, scores from 0.1 to 0.8)
    >>> case.flagged(0.35)
    array([False,  True, False,  True])
    """

    events: Events
    given: Array
    """The scores as they came, ``-inf`` where not judged if they are floats; 0/1 as bools."""
    unmasked: Array
    """The scores as they came, also where not judged: what a threshold may be learnt on."""
    name: str
    is_flags: bool
    """Whether the scores are a decision already: nothing but 0 and 1 on judged points, or
    positions."""
    is_positions: bool
    """Whether the alarms are `Changes`; ``given`` then says how many stand at each point."""
    channels: ClassVar[Any] = None
    """What is known of channels; None: nobody has named any."""

    def __init__(
        self,
        labels: Column,
        scores: Column,
        *,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        positive: object = None,
        missing: str = "refuse",
        name: str = "detector",
    ) -> None:
        how = {"time": time, "positive": positive, "missing": missing}
        self._check(labels, scores, series, where, name, **how)

    @classmethod
    def of_argument(
        cls, called: str, labels: Column, scores: Column, name: str, **columns: Column
    ) -> Case:
        """A case of an argument of the caller's: errors call the scores by its name.

        Parameters
        ----------
        called, name : str
            What the caller calls the argument, and the detector.
        labels, scores, **columns : column
            As of any case.
        """
        case = Case.__new__(cls)
        how = {"series": None, "where": None, **columns}
        case._check(labels, scores, name=name, called=called, **how)  # noqa: SLF001 - its own
        return case

    def _check(
        self, labels: Column, scores: Column, series: Column, where: Column, name: str, **how: Any
    ) -> None:
        """Hold what was given, in arrays of its own, once it is known to fit together."""
        if not isinstance(labels, (Events, PositionList)):  # which have their own clock, or none
            how["time"] = time_of(how.get("time"), scores, labels, series)
        events, given, raw, is_flags = _read(labels, scores, series, where, **how)
        raw = None if raw is None else raw.copy()
        self._hold(events, given.copy(), name, raw, is_flags=is_flags)

    @classmethod
    def for_one_call(
        cls,
        labels: Column,
        scores: Column,
        *,
        series: Column = None,
        where: Column = None,
        time: Column = None,
    ) -> Case:
        """A case that may look at the caller's array of scores: for who drops it when they return.

        All else is as of any case; it spares one copy of the scores.

        Parameters
        ----------
        labels, scores, series, where, time : column
            As of any case.
        """
        events, given, raw, is_flags = _read(labels, scores, series, where, time=time)
        carried = time_of(None, scores, labels, series) if time is None else None
        if carried is not None:
            check_increasing(carried, events.whole_series, "the index", _BY_INDEX)
            if gaps_in(carried.instants, events.whole_series).size:
                events = events.timed(carried)
        raw = None if raw is None else raw.view()
        return cls.held(events, given.view(), "detector", raw, is_flags=is_flags)

    @classmethod
    def held(
        cls, events: Events, given: Array, name: str, raw: Array | None = None, *, is_flags: bool
    ) -> Self:
        """A case of what was checked before, in arrays that it takes over.

        Parameters
        ----------
        events : Events
            The truth.
        given : array
            A score or flag per point.
        name : str
            The detector's name.
        raw : array, optional
            The scores before points that are not judged were masked. Default: `given`.
        is_flags : bool
            Whether `given` holds flags.
        """
        case = cls.__new__(cls)
        case._hold(events, given, name, raw, is_flags=is_flags)  # noqa: SLF001 - its own
        return case

    def _hold(
        self, events: Events, given: Array, name: str, raw: Array | None = None, *, is_flags: bool
    ) -> None:
        held = self.__dict__  # frozen for all others
        held.update(events=events, given=locked(given), name=name, is_flags=is_flags)
        held["is_positions"] = is_flags and given.dtype.kind == "i"  # flags that count are no 0/1
        held["unmasked"] = given if raw is None else locked(raw)

    __setstate__ = restore

    def reordered(self, given: Array) -> Case:
        """A case of the same scores in another order, in a new array that it takes over.

        It is a plain `Case`, whatever this one is, and nothing is checked again.
        """
        return Case.held(self.events, given, self.name, is_flags=self.is_flags)

    def with_scores(self, given: Array) -> Case:
        """A case of other scores beside the same truth, in a new array that it takes over.

        Bools are flags, all else is scores; points that are not judged may have some.
        """
        return Case.held(self.events, given.view(), self.name, is_flags=given.dtype.kind == "b")

    def on_clocks(self, events: Events) -> Case:
        """The same beside the same truth, whose series have other clocks."""
        raw = self.unmasked.view()
        return Case.held(events, self.given.view(), self.name, raw, is_flags=self.is_flags)

    def supposed(self, kind: str) -> Case:
        """The case of other flags: on all events, none, or one false run.

        Parameters
        ----------
        kind : {"found", "missed", "false"}
            What there is of events alone; a false run is as long as flagged ones are in common,
            amid the longest normal stretch.
        """
        flags, events = np.zeros(self.events.n, bool), self.events
        if kind == "found":
            flags |= events.labels
        starts, stops = runs(events.normal, events.series_bounds[:-1])
        if kind == "false" and starts.size:
            longest = int(np.argmax(stops - starts))
            room = int(stops[longest] - starts[longest])
            length = min(room, self.common_length)
            first = int(starts[longest]) + (room - length) // 2
            flags[first : first + length] = True
        return self.with_scores(flags)

    @property
    def common_length(self) -> int:
        """How long flagged runs are in common; of none 1."""
        begin, end = runs(self.given > 0, self.events.series_bounds[:-1])
        return max(1, round(float((end - begin).mean()))) if begin.size else 1

    def within(self, where: Flags) -> Case:
        """The same with fewer points judged."""
        return Case(self.events.within(where=where), self.given, name=self.name)

    def common(self, other: Case) -> tuple[Case, Case]:
        """Both on the points that are judged of both."""
        events = self.events
        if other.events.judged is not None and other.events is not events:
            events = events.within(where=other.events.judged)
        one, two = (
            case
            if case.events is events or case.is_positions
            else Case(events, case.unmasked, name=case.name)
            for case in (self, other)
        )
        return one, two

    def with_truth(self, events: Events) -> Case:
        """A case of the same scores, flags or positions beside another truth."""
        return self.of_same_kind(events, self.given)

    def with_alarms(self, alarms: Array) -> Case:
        """A case of flags, or of how many alarms stand at each point, beside the same truth."""
        return self.reordered(alarms) if self.is_positions else self.with_scores(alarms)

    def of_same_kind(self, events: Events, given: Array) -> Case:
        """A case of alarms of the same kind beside a truth of as many points.

        Parameters
        ----------
        events, given : Events, array
            The truth; scores, flags, or how many alarms stand at each point.
        """
        if not self.is_positions:
            return Case(events, given, name=self.name)
        return Case.held(events, given.view(), self.name, is_flags=True)

    def by_series(self) -> Iterator[tuple[str, Case]]:
        """Each series by itself, by its name; one without a judged point has nothing to say.

        >>> [(name, len(part.events)) for name, part in
        ...  Case([0, 1, 1, 0], [0, 1, 0, 0], series=["a", "a", "b", "b"]).by_series()]
        [('a', 1), ('b', 1)]
        """
        events, bounds = self.events, self.events.whole_series.tolist()
        names = range(events.series_count) if events.names is None else events.names.tolist()
        for name, first, stop in zip(names, bounds[:-1], bounds[1:], strict=True):
            if events.judged is None or events.judged[first:stop].any():
                part = self.of_same_kind(events.part(first, stop), self.unmasked[first:stop])
                yield str(name), part

    def refuse_threshold(self, at: Any) -> None:
        """Refuse a threshold where alarms are positions."""
        if self.is_positions and at is not None:
            raise InputError(f"at must be left out when scores are positions, got {at}")

    @property
    def parts(self) -> tuple[Case, ...]:
        """The lines that share their time, each by itself: of several channels these."""
        return (self,)

    @property
    def joined(self) -> Case:
        """All lines that share their time as one."""
        return self

    @property
    def truth(self) -> Events:
        """What there is to find: of several channels, the events of all as one."""
        return self.events

    @property
    def event_count(self) -> int:
        """How many events there are to find."""
        return len(self.truth)

    def edges(self, cuts: Positions) -> Positions:
        """Where blocks of all lines begin, closed by their end, from cuts of the truth."""
        return cuts

    def blocks(self, cuts: Sequence[Positions]) -> Positions:
        """Where blocks begin, closed by their end, from cuts of each line.

        Parameters
        ----------
        cuts : sequence of array of int
            For each line, how many of its judged points lie before each cut; ascending, none 0.

        Examples
        --------
        >>> Case([0, 1, 0, 1, 0], [1, 0, 0, 1, 0], where=[1, 1, 0, 1, 1]).blocks([np.array([3])])
        array([0, 4, 5])
        """
        judged = self.events.judged
        places = np.arange(self.events.n) if judged is None else np.flatnonzero(judged)
        ends = np.cumsum(self.events.judged_between())
        firsts = ends - self.events.judged_between()
        inner = [places[first + one] for first, one in zip(firsts, cuts, strict=True)]
        return np.sort(np.concatenate([self.events.series_bounds, *inner]))

    def together(self, edges: Positions | None = None, moving: Flags | None = None) -> Positions:
        """The number of the offset by which each line, or block, turns.

        Lines of one clock turn by one offset, their blocks by one for each tenth of the clock; a
        series with a clock of its own turns apart.

        Parameters
        ----------
        edges : array of int, optional
            Where blocks begin; see `turned`.
        moving : array of bool, optional
            Which block of each line turns, if no other does.
        """
        return turning_together(self.events, self.time, edges, moving)

    def spans(self, edges: Positions | None = None) -> tuple[Positions, Positions]:
        """From when to when each line, or block, is on its clock.

        Parameters
        ----------
        edges : array of int, optional
            Where blocks begin; see `turned`.
        """
        return self.time.spans(self.events.series_bounds if edges is None else edges)

    tells_optimism: ClassVar[bool] = True
    """Whether it is known by how much the best threshold flatters."""

    def rows_by(self, metric: Any) -> Any:
        """The rows of its alarms by a metric."""
        return metric.rows_of_points(self)

    @property
    def always(self) -> Case:
        """The same truth under an alarm everywhere."""
        return self.with_scores(np.ones(self.events.n, bool))

    @property
    def lengths(self) -> Positions:
        """How many judged points each line has."""
        return self.events.judged_between()

    @property
    def around(self) -> Positions:
        """The edges of one block of all lines, one after the other."""
        return self.events.series_bounds[[0, -1]]

    @property
    def truth_share(self) -> float:
        """The share of the judged points that are anomalous."""
        return float(self.events.widths.sum() / self.lengths.sum())

    @property
    def truth_covered(self) -> float:
        """The share of the anomalous points that are flagged."""
        return float(self.flags[self.events.labels].mean())

    @property
    def longest_alarm(self) -> int:
        """The points of the longest run of flags."""
        starts, stops = runs(self.flags, self.events.series_bounds[:-1])
        return int((stops - starts).max(initial=0))

    def turned(self, offsets: int | Array, edges: Positions | None = None) -> Case:
        """The same alarms elsewhere: the judged points of each line are a circle, which turns.

        The point at place ``j`` of the ``m`` judged points of its line takes the score from place
        ``(j - offset) mod m``. The truth, and points that are not judged, stay where they are. The
        slow twin of every quick way to judge shifts (`adjudge.noise.shifting`).

        Parameters
        ----------
        offsets : int or array of int
            How far: one number for all lines, or one for each.
        edges : array of int, optional
            Where blocks begin that turn by themselves instead, each by its own offset; every border
            between lines is among them, and the number of points closes them.

        Returns
        -------
        Case
            The same truth, with the scores turned. Nothing is checked again.

        Raises
        ------
        InputError
            When the offsets are neither a whole number nor one for each line or block.

        Examples
        --------
        >>> Case([0, 0, 1, 1], [0.1, 0.2, 0.3, 0.4]).turned(1).scores
        array([0.4, 0.1, 0.2, 0.3])
        >>> two = Case([0, 1, 0, 1, 0], [1, 2, 3, 4, 5], series=list("aabbb"))
        >>> two.turned([1, 2]).scores
        array([2., 1., 4., 5., 3.])
        """
        sizes = self.events.judged_between(edges)
        scores, parts, stop = self.judged_scores, [], 0
        for size, offset in zip(sizes.tolist(), _offsets(offsets, sizes).tolist(), strict=True):
            start, stop = stop, stop + size
            parts += [scores[stop - offset : stop], scores[start : stop - offset]]
        given = np.concatenate(parts)
        if self.events.judged is not None:
            given, moved = self.given.copy(), given
            given[self.events.judged] = moved
        return self.reordered(given)

    @property
    def clocks(self) -> Positions:
        """The number of the clock of each series: those with one number live through the same time.

        ``time.moments(line, place)`` says when the places of a series are on its clock.

        >>> Case([0, 1, 1, 0], [0, 1, 0, 0], series=["a", "a", "b", "b"]).clocks
        array([0, 1])
        """
        return self.events.series_clocks

    @property
    def clock(self) -> Clock | None:
        """When each point was; None: nobody knows."""
        return self.events.clock

    @cached_property
    def time(self) -> PointTime:
        """The lines of the points."""
        return PointTime(self.events)

    @property
    def begun(self) -> tuple[Positions, Positions]:
        """The line of each event, and where on it the event begins."""
        return self.time.placed(self.events.starts)

    def above(self, level: float | None) -> Case:
        """The flags above a threshold; itself where it has flags."""
        return self if level is None else self.with_scores(self.flagged(level))

    def cut(self, start: int, end: int, *, whole: bool) -> Case:
        """The same from one moment to another.

        Parameters
        ----------
        start, end : int
            Moments, between which there are judged points.
        whole : bool
            Whether events that begin in between are kept up to their end, and the others left out;
            else nothing is known of what comes later.
        """
        cuts = self.time.among_all(self.time.cuts(np.array([start, end])))
        kept = covered(cuts[:, 1], cuts[:, 2], self.events.n)
        kept = self.events.filled(kept[self.events.starts], kept) if whole else kept
        return Case(self.events.chosen(kept), self.unmasked[kept], name=self.name)

    @property
    def usual_turns(self) -> int:
        """How many turns are made of it where nobody says it."""
        return min(999, max(99, _TURNED // self.events.n))

    def room(self, edges: Positions) -> Positions:
        """To how many places each block can be turned."""
        return self.events.judged_between(edges)

    def turned_each(self, offsets: Positions, edges: Positions) -> Iterator[tuple[Case, int]]:
        """What `turned` gives for each row of offsets, of flags; many at once, as copies.

        Copies are series of their own, one behind the other, so that they are judged at once.

        Parameters
        ----------
        offsets, edges : array of int
            A row of offsets for each turn, with one for each block; where the blocks begin, closed
            by the number of points.
        """
        n, judged = self.events.n, self.events.judged
        own = np.arange(n) if judged is None else np.flatnonzero(judged)
        before, at_once = np.searchsorted(own, edges), max(1, _AT_ONCE // n)
        for first in range(0, len(offsets), at_once):
            some = offsets[first : first + at_once]
            flags = np.zeros((len(some), n), bool)
            for k, (low, high) in enumerate(pairwise(before.tolist())):
                place = np.arange(high - low) - some[:, k, np.newaxis]  # from behind, below 0
                flags[:, own[low:high]] = self.given[own[low:high]][place]
            yield Case(self.events.repeated(len(some)), flags.ravel()), len(some)

    @cached_property
    def scores(self) -> Floats:
        """The scores as float64: finite at the lower end, but ``-inf`` where not judged."""
        judged = self.events.judged
        if judged is None:
            return locked(_above_minus_infinity(floats(self.given, "scores")))
        known = floats(np.where(judged, self.given, 0), "scores")
        return locked(np.where(judged, _above_minus_infinity(known), -np.inf))

    @property
    def own_scores(self) -> Array:
        """The same in their own precision, as far as they are float32 and hold no infinity."""
        narrow = self.given.dtype == np.float32 and bool(np.isfinite(self.judged_scores.min()))
        return self.given if narrow else self.scores

    @property
    def judged_scores(self) -> Array:
        """The scores of the judged points alone, as they came."""
        return self.given if self.events.judged is None else self.given[self.events.judged]

    @cached_property
    def score_range(self) -> tuple[float, float]:
        """The lowest and the highest score of the judged points."""
        return float(self.judged_scores.min()), float(self.judged_scores.max())

    def flagged(self, threshold: float) -> Flags:
        """Flag the judged points whose score lies above the threshold."""
        if self.given.dtype == np.float64 and math.isfinite(threshold):
            return np.asarray(self.given > threshold)
        if self.given.dtype.kind == "f":
            with np.errstate(over="ignore"):
                rounded = self.given.dtype.type(threshold)
            if np.isfinite(rounded):
                return np.asarray(self.given > rounded)
        return np.asarray(self.scores > threshold)

    @property
    def flags(self) -> Flags:
        """The detector's own decision; only for scores that are flags."""
        flags = self.given if self.given.dtype.kind == "b" else self.given > 0
        return flags if self.events.judged is None else flags & self.events.judged

    def flags_at(self, level: float | None) -> Flags | None:
        """What is flagged at a threshold; None where there is none, and of positions.

        >>> Case([0, 1], [0.1, 0.7]).flags_at(0.5), Case([0, 1], [0.1, 0.7]).flags_at(None)
        (array([False,  True]), None)
        """
        if self.is_positions or (level is None and not self.is_flags):
            return None
        return self.flags if level is None else self.flagged(level)

    @property
    def has_alarms(self) -> bool:
        """Whether there is any alarm; of flags and of positions."""
        return bool((self.judged_scores > 0).any())

    @property
    def is_constant(self) -> bool:
        """Whether all judged points have the same score, so that nothing shows how scores spread.

        >>> Case([0, 1, 0], [1, 1, 7], where=[1, 1, 0]).is_constant
        True
        """
        scores = self.judged_scores
        return bool((scores == scores[0]).all())

    @property
    def alarms(self) -> Array:
        """The flags; of positions how many stand at each point."""
        return self.marks if self.is_positions else self.flags

    @property
    def marks(self) -> Array:
        """How many alarms stand at each point; only for positions."""
        return self.given if self.events.judged is None else self.given * self.events.judged

    def __repr__(self) -> str:
        """Say what it holds, not how."""
        count, what = len(self.events), self.events.noun
        low, high = self.score_range
        kind = "flags" if self.is_flags else f"scores from {low:g} to {high:g}"
        if self.is_positions:
            alarms = int(self.marks.sum())
            kind = f"{alarms} alarm{'s' * (alarms != 1)}"
        return f"Case({self.events.n} points, {count} {what}{'s' * (count != 1)}, {kind})"


def _read(
    labels: Column,
    scores: Column,
    series: Column,
    where: Column,
    *,
    time: Column = None,
    positive: object = None,
    missing: Any = "refuse",
    called: str = "scores",
) -> tuple[Events, Array, Array | None, bool]:
    """Check labels and scores together; the scores may still be the caller's own array.

    Beside the scores stand those that cover points which are not judged, if there are such points.
    """
    if not (type(labels) is np.ndarray is type(scores) and series is where is time is None):
        beside = {"series": series, "where": where, "time": time}
        check_indexes(**{"labels": labels, called: scores, **beside})
    given = score_column(scores, called)
    how = {"series": series, "where": where, "time": time, "positive": positive}
    events = truth(labels, given, called=called, **how)
    if given.size != events.n:
        raise InputError(
            f"labels and {called} must be equally long, got {events.n} and {given.size} points"
        )
    if isinstance(scores, PositionList):
        if missing != "refuse":
            raise InputError(
                f"missing must be left out when scores are positions, got {shown(missing)}"
            )
        return events, given, None, True
    if missing != "refuse" and word(missing, "missing", ("refuse", "skip")) == "skip":
        events = _without_missing(events, given, called)
    raw = None if events.judged is None else given
    if events.judged is not None and given.dtype.kind == "f":
        given = np.where(events.judged, given, given.dtype.type(-np.inf))
    refuse_nan(given, called, "numbers", role="scores")
    judged = given if events.judged is None else given[events.judged]
    is_flags = is_binary(judged)
    if not is_flags:
        refuse_signs(judged, called, "0/1 flags, or numbers that rank the points")
    if is_flags and given.dtype.kind in "iu":
        given = as_bools(given) if events.judged is None else given.astype(bool)
    return events, given, raw, is_flags


def score_column(scores: Column, called: str = "scores") -> Array:
    """One number per point: of events their labels, of changes how many stand there."""
    if type(scores) is np.ndarray:
        return column(scores, called)
    if isinstance(scores, Events):
        return scores.labels
    return scores.counts if isinstance(scores, PositionList) else column(scores, called)


def _offsets(given: int | Array, sizes: Positions) -> Positions:
    """Read how far each circle turns, as a number of points below its size."""
    array = np.asarray(given)
    if array.dtype.kind not in "iu" or array.shape not in ((), sizes.shape):
        raise InputError(
            f"offsets must be a whole number, or one for each of {sizes.size} lines, got "
            f"{shown(given)}"
        )
    return array.astype(np.int64) % np.maximum(sizes, 1)


def _above_minus_infinity(scores: Floats) -> Floats:
    """Read ``-inf`` as the lowest finite float, which must then be free."""
    if scores.min() > -np.inf:
        return scores
    lowest = np.finfo(np.float64).min
    if np.any(scores == lowest):
        raise InputError(
            f"scores must not hold both -inf and {lowest:.17g}, which -inf is read as, got both; "
            "pass their ranks instead"
        )
    return np.maximum(scores, lowest)


def _without_missing(events: Events, scores: Array, called: str) -> Events:
    """Judge only the points that have a score."""
    if scores.dtype.kind != "f" or not np.isnan(scores.min()):
        return events
    there = ~np.isnan(scores)
    if not there.any():
        raise InputError(f"{called} must be numbers, got nan at all {scores.size} points")
    return events.within(where=there)
