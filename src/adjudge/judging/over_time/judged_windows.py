"""Judge windows: each is a part of one ledger of all time.

An event, with all that was flagged for it, is of the window in which it begins, a false alarm of
that in which it begins, and normal time is divided; so windows add up to the whole. Chance is the
same alarms, turned within each window by itself and read in the same way.

What is no sum over events and alarms, as an area, a median or a value at the best threshold, is
judged on a cut of the data: the time of the window, and the events that begin in it up to their
end. So is what other null models score. Windows that grow are cut where they end, since nobody
knew then what came later.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.count.ledger import FLAGGED, FOUND
from adjudge.errors import InputError
from adjudge.judging.judge.judge import findings_of_one
from adjudge.judging.over_time.calendar import (
    Blocks,
    Window,
    WindowRow,
    WindowSettings,
    moment_text,
)
from adjudge.judging.over_time.newest_window import Change, cannot_say, newest, refuse_growing
from adjudge.measure.rates import mean_found
from adjudge.measure.thresholds.contract import Rule
from adjudge.measure.thresholds.policy import Policy
from adjudge.metrics.spec import threshold
from adjudge.noise.intervals.evidence import NONE
from adjudge.noise.intervals.rates import Side, measured, side_evidence
from adjudge.noise.intervals.units import units_of
from adjudge.noise.null_models import ShiftedNull
from adjudge.noise.p_values import NullTest, NullValues
from adjudge.noise.shifting.offsets import generator

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge._typing import Floats
    from adjudge.judging.inputs.contract import Input
    from adjudge.judging.judgement import Judgement
    from adjudge.judging.result_columns import Finding
    from adjudge.metrics.metric import Metric
    from adjudge.noise.ask import Ask
    from adjudge.noise.intervals.evidence import Evidence


class Cell(NamedTuple):
    """What a metric says in a window."""

    value: float
    chance: float
    low: float
    high: float
    p_value: float
    at: float | None
    resolved: str


class JudgedOverTime:
    """One metric on one detector, with all that the whole settled.

    Parameters
    ----------
    row, data : Finding, Input
        What was found over all time, and in what.
    whole, ask : Judgement, Ask
        The cases that were judged, and what stands beside a value.
    """

    def __init__(self, row: Finding, data: Input, whole: Judgement, ask: Ask) -> None:
        assert row.resolved_metric is not None  # noqa: S101 - whatever was just judged has it
        self.row, self.metric, self._ask = row, row.resolved_metric, ask
        cases, self._data = data.cases_of(whole, self.metric), data
        self.case = next(case for case in cases if case.name == row.detector)
        self._is_bare = self.metric.at_one_threshold and self.metric.at is None

    @property
    def adds_up(self) -> bool:
        """Whether it is a sum over events and alarms."""
        return self.metric.at_one_threshold and self.metric.resamples

    @property
    def turns(self) -> bool:
        """Whether chance is the same alarms at other places: what others score is read of a cut."""
        return isinstance(self._ask.null, ShiftedNull)

    @property
    def _raised(self) -> Any:
        """What is above the threshold of the whole."""
        return self.case.above(self.row.at) if self._is_bare else self.case

    @cached_property
    def _side(self) -> Side:
        """The rows of all time."""
        metric, alarms, _ = self.metric.decided(self._raised)
        return Side(metric, metric.rows(alarms), alarms)

    def sums(self, blocks: Blocks) -> Floats:
        """What lies in blocks of time: found, truth, right, flagged and normal."""
        return blocks.sums(self._side.ledger, self.case.time)

    def cells(self, blocks: Blocks) -> list[Cell]:
        """What the rows in blocks of time say."""
        values = measured(self.metric.parts.measure, self.sums(blocks))
        values = np.where(np.isnan(values), self._ask.zero_division, values)
        luck, ends = [(np.nan, np.nan)] * len(values), [NONE] * len(values)
        if self._ask.chance:
            ends = self._intervals(blocks)
            luck = self._luck(blocks) if self.turns else luck
        spec = self._spec
        return [
            Cell(value, chance, own.low, own.high, p, self.row.at, spec)
            for value, (chance, p), own in zip(values.tolist(), luck, ends, strict=True)
        ]

    @property
    def _spec(self) -> str:
        """The metric with its threshold and every setting."""
        metric = self.metric.with_settings(at=self.row.at) if self._is_bare else self.metric
        return metric.spec(metric.row.always_shown)

    def _luck(self, blocks: Blocks) -> list[tuple[float, float]]:
        """What the same alarms score in each block by chance, and how often as much."""
        metric, alarms, time = self._side.metric, self._side.alarms, self.case.time
        cuts = time.cuts(blocks.edges)
        edges = time.parted(cuts)
        room = np.maximum(alarms.room(edges), 1)
        turns = alarms.usual_turns if self._ask.shifts is None else self._ask.shifts
        by = generator(self._ask.seed).integers(0, room, (1 + turns, room.size))
        by[0] = 0  # the alarms as they are: value and chance pass through one function
        parts = [
            metric.rows(turned).blocks(cuts, copies).reshape(copies, -1, 5)
            for turned, copies in alarms.turned_each(by, edges)
        ]
        sums = np.concatenate(parts)[:, 1:-1]
        values, mean = (
            measured(metric.parts.measure, one) for one in (sums, sums[1:].mean(axis=0))
        )
        found = []
        for (home, *null), level in zip(values.T, mean, strict=True):
            known = NullValues(np.array(null), exact=False)
            is_rate = metric.parts.measure is not mean_found
            chance = float(level) if is_rate else metric.row.mean(known.values)
            found.append((chance, NullTest.of(float(home), known, metric.row.better).p))
        return found

    def _intervals(self, blocks: Blocks) -> list[Evidence]:
        """The interval of each block, by the rows in it."""
        side, span = self._side, self.metric.row.range
        rows, block = side.ledger.divided(self.case.time.cuts(blocks.edges)[:, 1:-1])
        kind = units_of(side.alarms.truth, self._ask.unit).kind
        unit = "event" if kind == "episode" else kind
        parts = [rows.chosen(block == 1 + k) for k in range(blocks.count)]
        sides = [Side(side.metric, part, side.alarms) for part in parts]
        return [
            side_evidence(one, one.units(unit), span)
            if len(part.rows()) and part.sum()[[FOUND, FLAGGED]].any()
            else NONE
            for one, part in zip(sides, parts, strict=True)
        ]

    def on_cut(self, window: Window) -> Cell:
        """What is said of the time of a window, with its events up to their end."""
        found = self._cell(self.metric, self._raised.cut(*window[:2], whole=True), None)
        return found._replace(at=self.row.at) if self._is_bare else found

    def so_far(self, window: Window, asked: Metric, at: Any) -> Cell:
        """What was to be said when a window that grows ended."""
        return self._cell(asked, self.case.cut(*window[:2], whole=False), at)

    def _cell(self, metric: Metric, case: Any, at: Any) -> Cell:
        (row,) = findings_of_one([metric], self._data.again(metric, case, at), self._ask)
        return Cell(row.value, row.chance, row.low, row.high, row.p_value, row.at, row.metric)


class JudgedWindows:
    """All windows of what was judged as a whole.

    Parameters
    ----------
    data, whole, asked : Input, Judgement, list of Metric
        The detectors, what was found of them over all time, and by which metrics.
    how, ask : WindowSettings, Ask
        How windows are made, and what stands beside a value.
    """

    def __init__(
        self,
        data: Input,
        whole: Judgement,
        asked: Sequence[Metric],
        how: WindowSettings,
        ask: Ask,
    ) -> None:
        self._whole, self._how, self._ask = whole, how, ask
        self._asked = {str(metric): metric for metric in asked}
        self._judged = [JudgedOverTime(row, data, whole, ask) for row in whole.rows]
        first = data.cases_of(whole)[0]
        self._clock, (self._begin, last) = first.clock, first.time.span
        zone = None if self._clock is None else self._clock.tzinfo
        self.windows = how.windows(self._begin, last, zone)

    @cached_property
    def sums(self) -> dict[tuple[str, str], Floats]:
        """What each window adds to the sums of the metrics that are sums."""
        found = {}
        for one in self._judged:
            if one.adds_up and not self._how.growing:
                own = found[one.row.detector, one.row.requested] = np.zeros((len(self.windows), 5))
                for phase, blocks in self._phases:
                    own[phase] = one.sums(blocks)
        return found

    @property
    def on_call(self) -> tuple[Any, ...]:
        """What an on-call team asks, window by window; of several detectors one each, by name."""
        found = []
        for start, end, _ in self.windows:
            answers = {
                case.name: case.cut(start, end, whole=False).answer
                if self._how.growing
                else case.between(start, end)
                for case in self._whole.alert_cases
            }
            found.append(next(iter(answers.values()), None) if len(answers) <= 1 else answers)
        return tuple(found)

    @cached_property
    def _phases(self) -> list[tuple[slice, Blocks]]:
        """The windows that follow one another; those that slide overlap others."""
        many = sum(window.start < self.windows[0].end for window in self.windows)
        phases = [slice(first, None, many) for first in range(many)]
        edges = [[*(w.start for w in self.windows[p]), self.windows[p][-1].end] for p in phases]
        return [(p, Blocks(np.array(own))) for p, own in zip(phases, edges, strict=True)]

    def rows(self) -> list[WindowRow]:
        """The rows of all windows, detectors and metrics."""
        found = [self._rows_of(one) for one in self._judged]
        return [row for rows in zip(*found, strict=True) for row in rows if row is not None]

    def _rows_of(self, one: JudgedOverTime) -> list[WindowRow | None]:
        """The row of a metric in each window; None where nothing was judged."""
        time = one.case.time
        starts, ends = (np.array([window[k] for window in self.windows]) for k in (0, 1))
        there = time.team.before(ends) > time.team.before(starts)
        begun = np.sort(time.moments(*one.case.begun))
        events = np.searchsorted(begun, ends) - np.searchsorted(begun, starts)
        points = time.points(starts, ends)
        cells = self._cells(one, np.flatnonzero(there).tolist())
        return [
            WindowRow(
                one.row.detector, one.row.requested, *self._ends(window), window.complete,
                int(events[k]), points[k], **cells[k]._asdict(),
            )
            if k in cells
            else None
            for k, window in enumerate(self.windows)
        ]  # fmt: skip

    def _ends(self, window: Window) -> tuple[str, str]:
        if self._clock is None:
            return str(window.start), str(window.end)
        return moment_text(window.start, self._clock), moment_text(window.end, self._clock)

    def _cells(self, one: JudgedOverTime, there: list[int]) -> dict[int, Cell]:
        """What a metric says in some windows."""
        if not there:
            return {}
        if self._how.growing:
            asked, at = self._asked[one.row.requested], self._so_far(one.row.detector)
            return {k: one.so_far(self.windows[k], asked, at) for k in there}
        if not one.adds_up:
            return {k: one.on_cut(self.windows[k]) for k in there}
        every: dict[int, Cell] = {}
        for phase, blocks in self._phases:
            every |= zip(range(len(self.windows))[phase], one.cells(blocks), strict=True)
        found = {k: every[k] for k in there}
        if self._ask.chance and not one.turns:
            for k, cell in found.items():
                by_chance = one.on_cut(self.windows[k])
                found[k] = cell._replace(chance=by_chance.chance, p_value=by_chance.p_value)
        return found

    def _so_far(self, detector: str) -> Any:
        """The threshold of a growing window; a policy has made its alerts of the scores already."""
        at = self._how.at
        at = at[detector] if isinstance(at, Mapping) else at
        at = None if at is None else threshold(at)
        if not isinstance(at, Policy):
            return at
        if isinstance(at.at, Rule) or at.in_hindsight:
            raise InputError(
                f"at must not look ahead in growing windows, got {at}; give a number, without "
                "merge and shortest"
            )
        return next(row.at for row in self._whole.of(detector))

    def change(self, detector: str, asked: str, than: Any) -> Change:
        """Compare the newest window with the time before it."""
        refuse_growing(self._how)
        key = detector, asked
        one = next(one for one in self._judged if (one.row.detector, one.row.requested) == key)
        blocks = newest(self.windows, than, self._begin, timed=self._clock is not None)
        if not one.adds_up:
            return cannot_say(*key, "it is not a sum over events and alarms")
        edges = blocks.blocks.edges
        watched = np.diff(one.case.time.team.before(edges)).astype(np.float64)
        return blocks.change(*key, one.metric, one.sums(blocks.blocks), watched)
