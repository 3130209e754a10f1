"""Streams of points: each is counted once its label is known, and then let go."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, fields, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.adjust.policies import FiringStream
from adjudge.checks import whole, word
from adjudge.count.streams import Piece, StreamCounter
from adjudge.count.tally import StreamSums
from adjudge.data.case import Case
from adjudge.data.clock import Clock
from adjudge.data.columns import binary, column
from adjudge.data.durations import duration, in_words
from adjudge.data.events import Events
from adjudge.data.incidents import OPEN, TimedRows
from adjudge.data.time_settings import in_points
from adjudge.errors import InputError, shown
from adjudge.judging.over_time.told import ToldStretches
from adjudge.measure.thresholds.contract import Rule
from adjudge.measure.thresholds.policy import Policy
from adjudge.metrics.metric import Metric  # noqa: TC001 - for the fields of what is planned
from adjudge.metrics.reader import catalogue

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from adjudge._typing import Array, Flags, Floats, Positions

_AT_ONCE = 4096  # points that are counted together: one by one each would cost as much as these
_DEFAULT = ("f1", "f1_pa", "f1_kpa", "event_precision", "event_recall")
_AFTERWARDS = "use adjudge.evaluate afterwards, or adjudge.over_time in windows"


class Plan(NamedTuple):
    """A metric, and the threshold or policy by which a stream flags; None: scores are flags."""

    metric: Metric
    at: float | Policy | None

    @property
    def key(self) -> tuple[Any, ...]:
        """What metrics have in common that are made of the same sums."""
        return self.at, self.metric.parts.adjust, self.metric.parts.counting


def planned(metric: Metric, at: Any, step: int | None) -> Plan:
    """Settle how a stream judges a metric, or refuse it and say why."""
    timed = in_points(dict(metric.settings), metric.row.lengths, _two_points(1))
    if timed and step is None:
        raise InputError(
            f"every must be given for {metric}, which has a duration: the step of the clock, as in "
            "every='1min'"
        )
    there = metric.on(_two_points(step))
    refuse = _refusal(there)
    if refuse:
        raise InputError(f"{metric} cannot be judged in a stream: {refuse}")
    here = there if metric.at is not None or at is None else there.with_settings(at=at)
    if isinstance(here.at, Policy):
        return Plan(here, _policy(here.at, step))
    if here.at is not None and not isinstance(here.at, float):
        raise InputError(
            f"at must be a number, or a policy with one, in a stream, got {here.at}, which "
            "looks at all scores; learn the threshold on past data"
        )
    return Plan(here, here.at)


def _policy(policy: Policy, step: int | None) -> Policy:
    """A policy with its lengths in points, where a stream can follow it."""
    if isinstance(policy.at, Rule) or policy.missing == "hold" or policy.pages_otherwise:
        raise InputError(
            "at must be a policy with a number and only after, keep, k, of, clear and drop in "
            f"a stream, got {policy}; cooldowns, groups and rules look further"
        )
    lengths: dict[str, Any] = {}
    for name in ("after", "keep"):
        value = getattr(policy, name)
        if isinstance(value, str):
            if step is None:
                raise InputError(
                    f"every must be given for {policy}, which has a duration: the step of the "
                    "clock, as in every='1min'"
                )
            lengths[name] = -(-duration(value, name) // step)
    return replace(policy, **lengths)


def _refusal(metric: Metric) -> str:
    """Why a metric needs all points at once; "" where it does not."""
    counting, adjust, some = metric.parts.counting, metric.parts.adjust, _two_points(None)
    if metric.row.needs == "scores":
        return f"it judges all thresholds, so it needs all scores; {_AFTERWARDS}"
    if metric.oracle:
        return f"the best threshold is known only at the end; give at=, or {_AFTERWARDS}"
    if metric.row.positions:
        return f"it judges positions, which may be matched long after they occur; {_AFTERWARDS}"
    if adjust.resolved(some) is not adjust or _by_labels(metric):
        return (
            f"its island width depends on all events; give the width, as in {metric.name}(width=11)"
        )
    if counting is not None and counting.of_stream(StreamSums(), adjust) is None:
        counting = None
    if counting is None or adjust.marking(some) is None:
        return f"the credit of an alarm may depend on points far from it; {_AFTERWARDS}"
    return ""


def _by_labels(metric: Metric) -> bool:
    """Whether its settings name a width that the labels decide."""
    width = dict(metric.parts.settings).get("width", 1)
    return width is None or width in {"iid", "median", "matched"}


def _two_points(step: int | None) -> Events:
    """Events of none on two points, with a clock that ticks so: what durations are read by."""
    none = np.zeros(0, np.int64)
    clock = None if step is None else Clock(np.array([0, step]))
    return Events(none, none, 2, clock=clock)


@dataclass
class _Chunk:
    """Points that wait to be counted."""

    place: Positions
    """When each was, or which point of its series."""
    labels: Flags
    judged: Flags
    border: Flags
    """Whether something ends before the point: nothing reaches across."""
    flags: Array
    """A line per threshold."""

    def __getitem__(self, part: slice) -> _Chunk:
        return _Chunk(*(getattr(self, f.name)[..., part] for f in fields(self)))

    def __len__(self) -> int:
        return len(self.place)


def _together(chunks: Collection[_Chunk]) -> _Chunk:
    if len(chunks) == 1:
        return next(iter(chunks))
    columns = ([getattr(one, f.name) for one in chunks] for f in fields(_Chunk))
    return _Chunk(*(np.concatenate(parts, axis=-1) for parts in columns))


class _StreamSeries:
    """The points of one series: those that wait, and the sums of those that are counted."""

    def __init__(self, plans: Sequence[Plan], levels: Sequence[float | Policy | None]) -> None:
        self.policies = {
            at: FiringStream(at, 0.0 if at.at is None else float(at.at))
            for at in levels
            if isinstance(at, Policy)
        }
        self._counted = {
            plan.key: (levels.index(plan.at), StreamCounter(plan.metric.parts.adjust, counting))
            for plan in plans
            if (counting := plan.metric.parts.counting) is not None
        }
        self._waiting: deque[_Chunk] = deque()
        self._marks = ToldStretches()
        self.last: int | None = None
        self.size = self.apply_policy = self._fresh = 0
        self._begin = -OPEN
        """The first place that is not counted yet."""

    @property
    def waiting(self) -> int:
        """How many points are not counted yet."""
        return self.size - self.apply_policy

    def take(self, chunk: _Chunk) -> None:
        """Let points wait."""
        self.last = int(chunk.place[-1])
        self.size += len(chunk)
        self._fresh += len(chunk)
        self._waiting.append(chunk)

    def mark(self, start: int, end: int, *, label: bool) -> bool:
        """Label a stretch of time; whether a part of it was counted already."""
        return self._marks.tell(start, end, label, self._begin)

    def settle(self, until: int = OPEN, *, now: bool = True) -> None:
        """Count the points up to a place, now or once enough have come."""
        if self._fresh >= _AT_ONCE:
            self._pack()
        elif not now:
            return
        ready = []
        while self._waiting and self._waiting[0].place[0] <= until:
            first = self._waiting.popleft()
            stop = int(np.searchsorted(first.place, until, "right"))
            ready.append(first[:stop])
            if stop < len(first):
                self._waiting.appendleft(first[stop:])
        if ready:
            self._count(_together(ready))

    def _pack(self) -> None:
        """Put the points that came one by one together: alone each would take much memory."""
        small: deque[_Chunk] = deque()
        while self._waiting and len(self._waiting[-1]) < _AT_ONCE:
            small.appendleft(self._waiting.pop())
        if small:
            self._waiting.append(_together(small))
        self._fresh = 0

    def _count(self, ready: _Chunk) -> None:
        last = int(ready.place[-1])
        for mark in self._marks.all:
            if mark.start <= last:
                first, stop = np.searchsorted(ready.place, (mark.start, mark.end))
                ready.labels[first:stop] = mark.what
        self._begin, self.apply_policy = last + 1, self.apply_policy + len(ready)
        self._marks.forget(self._begin)
        for part in map(ready.__getitem__, _between(ready.border)):
            for line, passing in self._counted.values():
                if part.border[0]:
                    passing.end()
                passing.take(Piece(part.labels, part.flags[line], part.judged))

    def passed(self, key: tuple[Any, ...]) -> StreamSums:
        """The sums so far of one way of counting."""
        return self._counted[key][1].so_far()


class PointSettings(NamedTuple):
    """What a stream of points is told beforehand; see `adjudge.Stream`."""

    at: Any
    lateness: Any
    every: Any
    gap: Any
    unit: str | None
    missing: str | None


class StreamOfPoints:
    """Points that are counted as they come."""

    def __init__(self, metrics: list[Metric], given: PointSettings) -> None:
        specs = metrics or [catalogue[name].metric for name in _DEFAULT]
        step = None if given.every is None else duration(given.every, "every")
        word(given.missing or "refuse", "missing", ("refuse", "skip"))
        self.plans = {str(metric): planned(metric, given.at, step) for metric in specs}
        self._levels = list(dict.fromkeys(plan.at for plan in self.plans.values()))
        self._given, self._step = given, step
        self._gap = None if given.gap is None else duration(given.gap, "gap")
        self._series: dict[Any, _StreamSeries] = {}
        self._timed: bool | None = None
        self._lateness: int | None = None
        self.too_late = 0

    def update(
        self, labels: Any, scores: Any, time: Any, series: Any, where: Any, outages: Any
    ) -> None:
        """Take points, one or several, or refuse them and change nothing."""
        if isinstance(scores, TimedRows):
            raise InputError(
                "since must be given with incidents and alerts: the start of the watched time"
            )
        if outages is not None:
            raise InputError("outages must be left out with points; where=False says the same")
        if _is_one(scores):
            labels, time, where = (None if x is None else [x] for x in (labels, time, where))
            scores = [scores]
        if len(scores) == 0:
            return
        own, timed = self._own(series), time is not None
        lateness = self._length_of_wait(timed=timed)
        place, clock = self._places(own, len(scores), time)
        border = self._borders(own, place, clock)
        truth, flags, judged = self._read(own, labels, scores, where, border)
        self._timed, self._lateness, self._series[series] = timed, lateness, own
        own.take(_Chunk(place, truth, judged, border, flags))
        own.settle(self._until(own), now=False)

    def _own(self, series: Any) -> _StreamSeries:
        """The series of a name, kept or new."""
        try:
            known = self._series.get(series)
            named = bool(series == series)  # noqa: PLR0124 - NaN is no name
        except (TypeError, ValueError):
            known, named = None, False
        if not named:
            raise InputError(
                f"series must be one name, such as text or a number, got {shown(series)}; update "
                "each series by itself"
            )
        return known or _StreamSeries(list(self.plans.values()), self._levels)

    def _read(
        self, own: _StreamSeries, labels: Any, scores: Any, where: Any, border: Flags
    ) -> tuple[Flags, Array, Flags]:
        count = len(border)
        if labels is None:
            if self._given.lateness is None:
                raise InputError(
                    "label must be 0 or 1, got None; for labels that arrive later, set "
                    "lateness= and call mark"
                )
            labels = np.zeros(count, bool)
        judged = np.ones(count, bool) if where is None else binary(where, "where")
        if len(judged) != count:
            raise InputError(f"where must be one bool per point, got {len(judged)} for {count}")
        if self._given.missing == "skip":
            judged = judged & ~np.isnan(np.asarray(column(scores, "scores"), np.float64))
        truth, flags = np.zeros(count, bool), np.zeros((len(self._levels), count), bool)
        seen = scores
        if judged.any():
            case = Case(labels, scores, where=None if judged.all() else judged)
            truth[:], seen = case.events.labels, case.unmasked
            for line, at in enumerate(self._levels):
                if not isinstance(at, Policy):
                    flags[line] = _flagged(case, at)
        if own.policies:  # which see what nobody judges; last, as they remember what they saw
            numbers = np.asarray(column(seen, "scores"), np.float64)
            for at, stream in own.policies.items():
                flags[self._levels.index(at)] = _fired(stream, at, numbers, border)
        return truth, flags & judged, judged

    def _places(self, own: _StreamSeries, count: int, time: Any) -> tuple[Positions, Clock]:
        """When each point was, or which point of its series it is."""
        if time is None:
            place = np.arange(own.size, own.size + count)
            return place, Clock(place)
        clock = Clock.read(time, unit=self._given.unit)
        place = clock.instants
        if len(place) != count:
            raise InputError(f"time must be one per point, got {len(place)} for {count} points")
        before = place[:-1] if own.last is None else np.append(own.last, place[:-1])
        after = place[len(place) - len(before) :]
        wrong = np.flatnonzero(after <= before)
        if wrong.size:
            now, then = (clock.instant_text(int(side[wrong[0]])) for side in (after, before))
            raise InputError(f"time must increase in a series, got {now} after {then}")
        return place, clock

    def _length_of_wait(self, *, timed: bool) -> int | None:
        """How long points wait; lengths of time are refused where points have none, and back."""
        if timed == self._timed:
            return self._lateness
        if self._timed is not None:
            raise InputError(f"time must be given {'always' if self._timed else 'never'}")
        for name in ("every", "gap"):
            if getattr(self._given, name) is not None and not timed:
                raise InputError(f"{name} must be left out where points have no time")
        late = self._given.lateness
        if late is None:
            return None
        return duration(late, "lateness") if timed else whole(late, "lateness", 0)

    def _borders(self, own: _StreamSeries, place: Positions, clock: Clock) -> Flags:
        """Where a gap lies before a point; steps that are neither a step nor a gap are refused."""
        before = np.append(place[0] if own.last is None else own.last, place[:-1])
        steps = place - before
        far = np.zeros(len(place), bool) if self._gap is None else steps > self._gap
        if self._step is not None:
            odd = (steps != self._step) & ~far
            odd[0] &= own.last is not None
            if odd.any():
                got = in_words(int(steps[odd][0]))
                raise InputError(
                    f"time must come in steps of {in_words(self._step)}, as in every=, got a "
                    f"step of {got} before {clock.instant_text(int(place[odd][0]))}; use gap= "
                    "for time without data"
                )
        return far

    def _until(self, own: _StreamSeries) -> int:
        """Up to which place points are old enough to be counted."""
        return OPEN if self._lateness is None or own.last is None else own.last - self._lateness

    def mark(self, start: Any, end: Any, label: Any, series: Any) -> None:
        """Label a stretch of time afterwards, or refuse it and change nothing."""
        if self._given.lateness is None:
            raise InputError(
                "lateness must be given for labels that arrive later: how long points wait for them"
            )
        timed, own = self._timed, self._own(series)
        if timed is None:
            timed = not isinstance(start, (int, np.integer)) or self._given.unit is not None
        lateness = self._length_of_wait(timed=timed)
        first = self._place(start, "start", timed=timed)
        last = OPEN if end is None else self._place(end, "end", timed=timed)
        if not first < last:
            raise InputError(f"end must be after start, got {shown(start)} to {shown(end)}")
        value = bool(binary([label], "label")[0])
        self._timed, self._lateness, self._series[series] = timed, lateness, own
        own.settle(self._until(own))  # what is old enough is counted as it is
        self.too_late += own.mark(first, last, label=value)

    def _place(self, moment: Any, name: str, *, timed: bool) -> int:
        if not timed:
            return whole(moment, name, 0)
        return int(Clock.read([moment], name, self._given.unit).instants[0])

    def settle(self) -> None:
        """Count all that waits."""
        for own in self._series.values():
            own.settle()

    def values(self) -> dict[str, float]:
        """The value of each metric."""
        for own in self._series.values():
            own.settle(self._until(own))
        sums: dict[Any, StreamSums] = {}
        for plan in self.plans.values():
            if plan.key not in sums:
                parts = (own.passed(plan.key) for own in self._series.values())
                sums[plan.key] = sum(parts, start=StreamSums())
        return {name: _value(plan, sums[plan.key]) for name, plan in self.plans.items()}

    def counts(self) -> dict[str, Any]:
        """How many points were counted, and how many wait."""
        self.values()
        every = self._series.values()
        return {
            "points": sum(own.apply_policy for own in every),
            "waiting": sum(own.waiting for own in every),
            "too_late": self.too_late,
        }


def _is_one(score: Any) -> bool:
    """Whether it is the score of one point, and no column."""
    return score.ndim == 0 if hasattr(score, "ndim") else not hasattr(score, "__len__")


def _flagged(case: Case, at: float | None) -> Flags:
    if at is not None:
        return case.flagged(at)
    if not case.is_flags:
        raise InputError(
            f"scores must be 0/1 flags without a threshold, got {shown(case.score_range[1])}; "
            "give at=<threshold>"
        )
    return case.flags


def _fired(stream: FiringStream, policy: Policy, scores: Floats, border: Flags) -> Flags:
    """Where a policy fires; it begins anew behind a border."""
    scores = np.where(np.isnan(scores), -np.inf if policy.missing == "off" else np.inf, scores)
    parts = []
    for part in _between(border):
        if border[part.start]:
            stream.begin()
        parts.append(stream.take(scores[part]))
    return np.concatenate(parts)


def _between(border: Flags) -> list[slice]:
    """The stretches of points between borders; a border is the first point of one."""
    starts = sorted({0, *np.flatnonzero(border).tolist()})
    return [slice(*ends) for ends in pairwise([*starts, len(border)])]


def _value(plan: Plan, passed: StreamSums) -> float:
    measure, adjust, counting = plan.metric.parts
    assert counting is not None  # noqa: S101 - what has none is refused
    return float(measure(counting.of_stream(passed, adjust)))
