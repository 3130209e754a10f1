"""Calibrate: hold the verdict and the interval against data whose truth is known by how it is made.

A verdict is right where blind detectors are seldom called better than chance, and an interval where
it mostly holds the truth. Both are promised for data of many kinds; whether they hold on the
caller's own is measured here, on blind versions of the caller's own scores and on draws of the
caller's own events.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

import numpy as np

from adjudge.checks import SEEDS, is_whole, suggest_keywords, whole
from adjudge.data.durations import duration
from adjudge.data.time_settings import even_step
from adjudge.errors import InputError
from adjudge.judging.doors.evaluate import evaluate
from adjudge.judging.inputs.contract import GroupedColumns, Input
from adjudge.judging.inputs.door import chosen, read, takes_input
from adjudge.judging.inputs.on_call import OnCall
from adjudge.judging.inputs.points import Points
from adjudge.judging.judge.verdict import is_better_than_chance
from adjudge.judging.judge.which_metrics import with_oracle
from adjudge.lab.calibration.blind_versions import BlindPlaces, blind_moves, kinds_for, moved
from adjudge.lab.calibration.drawn_events import UnitPieces, judged_alone, pieces_of
from adjudge.lab.calibration.result import Calibration, CalibrationRow, Count
from adjudge.metrics.reader import metric as read_metric
from adjudge.noise.intervals.neighbours import FOUND_TOGETHER, QUIET_ALIKE
from adjudge.noise.intervals.units import group_numbers
from adjudge.noise.null_models import NULLS, Null, read_null
from adjudge.stores.engines import done_by
from adjudge.tables.progress import reporter

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from adjudge._typing import Array, Column, Positions
    from adjudge.data.case import Case
    from adjudge.data.events import Events
    from adjudge.metrics.metric import Metric

VERSIONS = 200
"""Blind versions, and draws of events: enough for a standard error of 1.5 %."""
_LEAST = 20
_BLIND, _DRAWN = 0, 1

Task = tuple[int, int]
"""What is done, and its number."""


class Asked(NamedTuple):
    """What the caller wants to know of the data."""

    metric: Metric | None
    at: Any
    null: str | Null
    shifts: int | None
    unit: str
    period: int | str | None
    draws: int | None
    seed: int

    def chosen(self, *, known: bool) -> Metric:
        """The metric; for who names none at the best threshold, where none is known."""
        if self.metric is not None:
            return self.metric
        return read_metric("f1_ba") if known else with_oracle(read_metric("f1_ba"))


@dataclass(frozen=True)
class DrawnPoints:
    """Detectors on judged points alone, of which events are drawn again with their time."""

    events: Events
    scores: Mapping[str, Array]
    unit: str
    groups: Positions | None
    """The number of the data set of each point, if they are known."""

    @cached_property
    def _pieces(self) -> UnitPieces:
        return pieces_of(self.events, self.unit, self.groups)

    def held(self, question: CalibrationQuestion, rng: np.random.Generator) -> list[float]:
        """Whether intervals on drawn events hold the value on the data; NaN where there is none."""
        drawn = self._pieces.draw(rng)
        scores = {name: column[drawn.points] for name, column in self.scores.items()}
        kind = self._pieces.kind
        group = drawn.unit if kind == "dataset" else None
        found = evaluate(
            drawn.events, scores, question.metric, dict(question.at),
            unit=kind, group=group, shifts=1, seed=question.asked.seed,
        )  # fmt: skip
        return [
            math.nan
            if math.isnan(row.low) or math.isnan(row.high)
            else float(row.low <= self.true_value(question, row.detector, row.at) <= row.high)
            for row in found.rows
        ]

    def alike(self, question: CalibrationQuestion, detector: str) -> str:
        """What neighbouring events have in common, which events that are drawn do not have."""
        found = evaluate(
            self.events, self.scores[detector], question.metric, question.at[detector],
            unit=self._pieces.kind, group=self.groups, shifts=1, seed=question.asked.seed,
        )  # fmt: skip
        said = found.rows[0].evidence
        return next((words for words in (FOUND_TOGETHER, QUIET_ALIKE) if words in said), "")

    def true_value(self, question: CalibrationQuestion, detector: str, at: float | None) -> float:
        """What very many such draws would show; of an oracle, at the threshold it has chosen."""
        metric = question.metric
        metric = replace(metric, oracle=False, at=at) if metric.oracle else metric
        given = None if question.metric.oracle else question.at[detector]
        found = evaluate(self.events, self.scores[detector], metric, given, chance=False)
        return found.rows[0].value


@dataclass(frozen=True)
class CalibrationQuestion:
    """What is calibrated: the verdict that these detectors get by this metric."""

    data: Any
    """The detectors as `evaluate` takes them."""
    cases: Sequence[Any]
    """Their alarms beside the truth, as they are raised."""
    at: Mapping[str, float | None]
    metric: Metric
    asked: Asked
    period: int
    """After how long it is the same hour again; 0: not known."""
    drawn: DrawnPoints | None = None
    """What intervals are tested on; None: nothing is drawn."""

    @cached_property
    def how(self) -> dict[str, Any]:
        """What else `evaluate` is to know."""
        null = _null(self.asked.null, self.period)
        return {"null": null, "shifts": self.asked.shifts, "seed": self.asked.seed}

    def answer(self, task: Task) -> list[float]:
        """Do one task; a number for each detector."""
        what, number = task
        rng = np.random.default_rng([self.asked.seed, what, number])
        if what == _BLIND or self.drawn is None:
            return self._called_better(number, rng)
        return self.drawn.held(self, rng)

    @cached_property
    def kinds(self) -> list[str]:
        """The kinds of which there are blind versions here; they take turns."""
        return kinds_for(self.places, np.random.default_rng(self.asked.seed)) or ["shifted"]

    @cached_property
    def places(self) -> BlindPlaces:
        """Where alarms may be moved to, and how far they must be."""
        perfect = self.cases[0].supposed("found")
        longest = max(case.longest_alarm for case in self.cases)
        return BlindPlaces(perfect, perfect.longest_alarm + longest, self.period)

    def _called_better(self, number: int, rng: np.random.Generator) -> list[float]:
        """Whether each detector is called better when all are moved alike; NaN: none was blind."""
        moves = blind_moves(self.kinds[number % len(self.kinds)], self.places, rng)
        if moves is None:
            return [math.nan] * len(self.cases)
        turned = self.data.of_cases([moved(case, moves) for case in self.data.cases])
        found = evaluate(turned, self.metric, at=dict(self.at), **self.how)
        return [float(is_better_than_chance(found.of(case.name))) for case in self.cases]


@suggest_keywords("calibrate", passes_on=GroupedColumns)
@takes_input()
def calibrate(
    labels: Column,
    scores: Column = None,
    metric: str | Metric | None = None,
    at: Any = None,
    *,
    null: str | Null = "shifted",
    shifts: int | None = None,
    unit: str = "auto",
    period: int | str | None = None,
    versions: int = VERSIONS,
    draws: int | None = None,
    seed: int = 0,
    jobs: int = 1,
    progress: Callable[[int, int], None] | bool | None = None,
    **columns: Unpack[GroupedColumns],
) -> Calibration:
    """Estimate how often the verdict and interval of `adjudge.evaluate` are right on your data.

    Parameters
    ----------
    labels : column or Events; or an input
        The truth. An input (`adjudge.Points` or `adjudge.OnCall`) replaces labels and scores.
    scores : column, dict of columns, or data frame
        One detector, or several by name, which are then judged in one call each time.
    metric : spec or Metric, optional
        The metric of the verdict. Default: ``f1_ba``; at its best threshold, where scores
        are real and no threshold is given.
    at : number, rule, or a dict of them
        The threshold, as for `adjudge.evaluate`. A rule is applied once, to the data themselves.
    null, shifts : name or null model, int
        The null model and the number of shifts of the verdict to be calibrated. The period of
        ``null="seasonal"`` is `period`.
    unit : str
        The unit of evidence of the interval, which is resampled.
    period : int or duration, optional
        The length of a cycle, in points or as a duration. Default: a day, where the time is known
        and has even steps.
    versions : int
        How many blind versions of the scores are judged, at least 20.
    draws : int, optional
        How often events are resampled, at least 20. Default: 200; incidents and alerts are not
        resampled, unless ``every=`` puts them on a grid.
    seed : int
        For versions, draws and verdicts.
    jobs : int
        Processes. More than one needs the usual ``if __name__ == "__main__":`` around the script.
    progress : callable or True, optional
        True: a bar, on a terminal or in a notebook. A function is
        called with (done, total) after each version and each draw.
    **columns
        Arguments of the input, as in `adjudge.evaluate`. With
        ``missing="skip"`` only points that all detectors have scored are judged.

    Returns
    -------
    Calibration
        One row per detector: how many of its blind versions are called better than chance, by kind
        of version; how many intervals on resampled events cover the value; both with standard
        errors.

    Raises
    ------
    InputError
        If labels, scores and settings do not fit together, or there are no events.

    Notes
    -----
    A blind version is the detector's own alarms, shifted so that they are independent of the
    events: in time (several series each separately, and all by one offset), in blocks, by a little,
    by whole periods where these are known, and to another series where there are four or more
    (`adjudge.lab.calibration.blind_versions` says what each keeps). Shifts that leave the alarms on
    the events are not blind and are excluded.

    For the interval the events are resampled, each with its normal time (several series or data
    sets as a whole); the value on the data is the true value.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> labels = np.tile(np.repeat([0, 1, 0], [60, 10, 30]), 12)
    >>> flags = rng.random(labels.size) < np.where(labels, 0.2, 0.01)
    >>> found = calibrate(labels, flags, versions=20, draws=20)
    >>> found["detector"].better.of, found["detector"].held.of
    (20, 20)
    """
    versions = whole(versions, "versions", _LEAST)
    draws = None if draws is None else whole(draws, "draws", _LEAST)
    seed, jobs = whole(seed, "seed", 0, SEEDS), whole(jobs, "jobs", 1)
    report = reporter(progress, "versions")
    given = read(labels, scores, columns)
    wanted = None if metric is None else read_metric(metric)
    asked = Asked(wanted, at, null, shifts, unit, period, draws, seed)
    question = chosen(_QUESTIONS, given, "calibrate")(given, asked)
    count = 0 if question.drawn is None else VERSIONS if draws is None else draws
    tasks = [(_BLIND, k) for k in range(versions)] + [(_DRAWN, k) for k in range(count)]
    found = done_by(jobs, question.answer, tasks, report)
    blind = np.array([found[_BLIND, k] for k in range(versions)])
    held = np.array([found[_DRAWN, k] for k in range(count)]).reshape(count, blind.shape[1])
    return _summed_up(question, blind, held)


def question_of(data: Points, asked: Asked) -> CalibrationQuestion:
    """Put the detectors together, on the points on which all are judged."""
    ready = data.placed(asked.at)
    given = events = ready[0].case.events
    group = data.group
    groups = None if group is None else group_numbers(group, events, ready[0].order)
    for one in ready[1:]:
        if one.case.events.judged is not None:
            events = events.within(where=one.case.events.judged)
    alone, points = judged_alone(events)
    if not len(alone):
        raise InputError("labels must hold at least one event to calibrate on, got none")
    at = {one.case.name: one.at for one in ready}
    cases = [one.case if one.case.events is events else one.case.with_truth(events)
             for one in ready]  # fmt: skip
    known = all(one.case.is_flags or one.at is not None for one in ready)
    period = _points_of(asked.period, given)
    drawn = DrawnPoints(
        alone,
        {case.name: case.given[points] for case in cases},
        asked.unit,
        None if groups is None else groups[points],
    )
    metric = asked.chosen(known=known).on(given).resolved(given)
    raised = [_raised(case, at[case.name]) for case in cases]
    return CalibrationQuestion(data.of_cases(cases), raised, at, metric, asked, period, drawn)


def _raised(case: Case, at: float | None) -> Case:
    """The alarms of a detector; without a threshold, as many points as events have."""
    if case.is_flags:
        return case
    at = float(np.quantile(case.judged_scores, 1 - case.truth_share)) if at is None else at
    return case.with_scores(case.flagged(at))


def question_of_alerts(data: OnCall, asked: Asked) -> CalibrationQuestion:
    """Put the detectors together; on a grid, where one is given, as points."""
    if data.every is not None:
        return question_of(data.only_points(asked.at), asked._replace(at=None))
    for name, value, usual in (("draws", asked.draws, None), ("unit", asked.unit, "auto")):
        if value != usual:
            data.refuse(name, value, ": events are drawn again on a grid alone; say every=")
    raised = data.raised(asked.at)
    kept = [one.as_given if one.policy else case
            for case, one in zip(data.cases, raised, strict=True)]  # fmt: skip
    data, cases = data.of_cases(kept), [one.as_given for one in raised]  # a policy acts once
    if not cases[0].event_count:
        raise InputError("incidents must hold at least one that was watched, got none")
    known = all(case.at is not None or case.alerts.score is None for case in cases)
    metric, period = asked.chosen(known=known), _time_of(asked.period, data)
    at = {case.name: case.at for case in cases}
    return CalibrationQuestion(data, cases, at, metric, asked, period)


_QUESTIONS: dict[type[Input], Callable[[Any, Asked], CalibrationQuestion]] = {
    Points: question_of,
    OnCall: question_of_alerts,
}


def _time_of(period: int | str | None, data: OnCall) -> int:
    """A period in the unit of instants; a day, where they are times and none is given."""
    if data.incidents.is_in_points:
        return 0 if period is None else whole(period, "period", 2)
    return duration("1d" if period is None else period, "period")


def _null(null: str | Null, period: int) -> Null:
    """The null model of a verdict; one by whole periods has that of the versions."""
    takes_period = isinstance(null, str) and null in NULLS and NULLS[null].takes_period
    return read_null(null, period or None) if takes_period else read_null(null)


def _points_of(period: int | str | None, events: Events) -> int:
    """A period in points; 0 where none is given, and no clock says how long a day is."""
    if is_whole(period):
        return whole(period, "period", 2)
    step = None if events.clock is None else even_step(events)
    if step is None:
        if period is None:
            return 0
        raise InputError(
            "period must be a number of points where no time of even steps is known, got "
            f"{period!r}"
        )
    points = duration("1d" if period is None else period, "period") // step
    return points if points >= 2 else 0


def _summed_up(question: CalibrationQuestion, blind: Array, held: Array) -> Calibration:
    """Count what came out."""
    kinds, drawn = np.arange(len(blind)) % len(question.kinds), question.drawn
    spec = (
        evaluate(question.data, question.metric, at=dict(question.at), chance=False).rows[0].metric
    )
    rows = []
    for place, case in enumerate(question.cases):
        better, own = blind[:, place], _count(held[:, place])
        by_kind = {kind: _count(better[kinds == k]) for k, kind in enumerate(question.kinds)}
        alike = "" if drawn is None else drawn.alike(question, case.name)
        refused = len(held) - own.of
        rows.append(CalibrationRow(case.name, spec, _count(better), by_kind, own, refused, alike))
    return Calibration(tuple(rows), _count(blind.max(axis=1)), question.asked.seed)


def _count(outcomes: Array) -> Count:
    """Count those that came out so, of those that came out at all."""
    defined = outcomes[~np.isnan(outcomes)]
    return Count(int(defined.sum()), defined.size)
