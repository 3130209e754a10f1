"""Calibrate: hold the verdict and the interval against data whose truth is known by how it is made.

A verdict is right where blind detectors are seldom called better than chance, and an interval where
it mostly holds the truth. Both are promised for data of many kinds; whether they hold on the
caller's own is measured here, on blind versions of the caller's own scores and on draws of the
caller's own events.
"""

from __future__ import annotations

import math
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from adjudge.checks import SEEDS, front_door, function, is_whole, whole
from adjudge.data.clock import duration
from adjudge.data.intervals import runs
from adjudge.data.time_settings import even_step
from adjudge.errors import InputError
from adjudge.judging.doors.evaluate import evaluate
from adjudge.judging.inputs.contract import GroupedColumns
from adjudge.judging.inputs.door import chosen, read, takes_input
from adjudge.judging.inputs.on_call import OnCall
from adjudge.judging.inputs.points import Points
from adjudge.judging.preparation import with_oracle
from adjudge.judging.result_words import is_better_than_chance
from adjudge.lab.calibration.blind_versions import Places, blind_order, kinds_for
from adjudge.lab.calibration.drawn_events import judged_alone, pieces_of
from adjudge.lab.calibration.result import Calibration, CalibrationRow, Count
from adjudge.metrics.reader import metric as read_metric
from adjudge.noise.intervals.evidence import FOUND_TOGETHER, QUIET_ALIKE, group_numbers
from adjudge.noise.null_models import NULLS, read_null
from adjudge.stores.engines import Lost, local

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from adjudge._typing import Array, Column, Positions
    from adjudge.data.events import Events
    from adjudge.judging.inputs.contract import Input
    from adjudge.judging.preparation import Prepared
    from adjudge.lab.calibration.drawn_events import Pieces
    from adjudge.metrics.metric import Metric
    from adjudge.noise.null_models import Null

VERSIONS = 200
"""Blind versions, and draws of events: enough for a standard error of 1.5 %."""
_LEAST = 20
_BLIND, _DRAWN = 0, 1

Task = tuple[int, int]
"""What is done, and its number."""


@dataclass(frozen=True)
class Question:
    """What is calibrated: the verdict that these detectors get by this metric."""

    events: Events
    """Of judged points alone."""
    scores: Mapping[str, Array]
    at: Mapping[str, float | None]
    metric: Metric
    how: Mapping[str, Any]
    """What else `evaluate` is to know: null model, shifts, seed."""
    period: int
    """After how many points it is the same hour again; 0: not known."""
    unit: str
    groups: Positions | None
    """The number of the data set of each point, if they are known."""

    @property
    def seed(self) -> int:
        """What everything is drawn from."""
        return int(self.how["seed"])

    def answer(self, task: Task) -> list[float]:
        """Do one task; a number for each detector."""
        what, number = task
        rng = np.random.default_rng([self.seed, what, number])
        return self._called_better(number, rng) if what == _BLIND else self._held(rng)

    @cached_property
    def kinds(self) -> list[str]:
        """The kinds of which there are blind versions here; they take turns."""
        return kinds_for(self.places, np.random.default_rng(self.seed))

    @cached_property
    def places(self) -> Places:
        """The points, and how far a score must move: the longest event and the longest alarm."""
        bounds = self.events.series_bounds
        longest = 0
        for name, scores in self.scores.items():
            starts, stops = runs(self._flags(scores, self.at[name]), bounds[:-1])
            longest = max(longest, int((stops - starts).max(initial=0)))
        longest += int(self.events.widths.max())
        return Places(bounds, longest, self.events.labels, self.period)

    def _flags(self, scores: Array, at: float | None) -> Array:
        """The alarms of a detector; without a threshold, as many points as events have."""
        if at is None:
            at = 0 if scores.dtype == bool else np.quantile(scores, self.events.normal.mean())
        return scores > at

    def _called_better(self, number: int, rng: np.random.Generator) -> list[float]:
        """Whether each detector is called better when all are moved alike; NaN: none was blind."""
        order = blind_order(self.kinds[number % len(self.kinds)], self.places, rng)
        if order is None:
            return [math.nan] * len(self.scores)
        moved = {name: scores[order] for name, scores in self.scores.items()}
        found = evaluate(self.events, moved, self.metric, dict(self.at), **self.how)
        return [float(is_better_than_chance(found.of(name))) for name in self.scores]

    @cached_property
    def _pieces(self) -> Pieces:
        return pieces_of(self.events, self.unit, self.groups)

    def _held(self, rng: np.random.Generator) -> list[float]:
        """Whether intervals on drawn events hold the value on the data; NaN where there is none."""
        drawn = self._pieces.draw(rng)
        scores = {name: column[drawn.points] for name, column in self.scores.items()}
        kind = self._pieces.kind
        group = drawn.unit if kind == "dataset" else None
        found = evaluate(
            drawn.events, scores, self.metric, dict(self.at),
            unit=kind, group=group, shifts=1, seed=self.seed,
        )  # fmt: skip
        return [
            math.nan
            if math.isnan(row.low) or math.isnan(row.high)
            else float(row.low <= self.true_value(row.detector, row.at) <= row.high)
            for row in found.rows
        ]

    def alike(self, detector: str) -> str:
        """What neighbouring events have in common, which events that are drawn do not have."""
        kind, groups = self._pieces.kind, self.groups
        found = evaluate(
            self.events, self.scores[detector], self.metric, self.at[detector],
            unit=kind, group=groups, shifts=1, seed=self.seed,
        )  # fmt: skip
        said = found.rows[0].evidence
        return next((words for words in (FOUND_TOGETHER, QUIET_ALIKE) if words in said), "")

    def true_value(self, detector: str, at: float | None) -> float:
        """What very many such draws would show; of an oracle, at the threshold it has chosen."""
        metric = replace(self.metric, oracle=False, at=at) if self.metric.oracle else self.metric
        given = None if self.metric.oracle else self.at[detector]
        found = evaluate(self.events, self.scores[detector], metric, given, chance=False)
        return found.rows[0].value


_POINTS: dict[type[Input], Callable[[Any, Any], tuple[Points, Any]]] = {
    Points: Points.points,
    OnCall: OnCall.points,
}


@front_door("calibrate", passes_on=GroupedColumns)
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
    draws: int = VERSIONS,
    seed: int = 0,
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
    **columns: Unpack[GroupedColumns],
) -> Calibration:
    """Say how often the verdict and the interval of `adjudge.evaluate` are right on data like this.

    Parameters
    ----------
    labels : column or Events; or an input
        The truth. An input (`adjudge.Points`, or `adjudge.OnCall` with ``every=``) stands in the
        place of labels and scores.
    scores : column, dict of columns, or data frame
        One detector, or several by name, which are then judged in one call each time.
    metric : spec or Metric, optional
        What the verdict is about. Default: ``f1_ba``; at its best threshold, where scores
        are real and no threshold is given.
    at : number, rule, or a dict of them
        The threshold, as for `adjudge.evaluate`. A rule is applied once, to the data themselves.
    null, shifts : name or null model, int
        What chance is, and how many shifts: as for the verdict that is to be calibrated. The period
        of ``null="seasonal"`` is that of `period`.
    unit : str
        What the interval rests on, which is then what is drawn again.
    period : int or duration, optional
        After how many points, or how long, it is the same hour again. Default: a day, where the
        time is known and has even steps.
    versions : int
        How many blind versions of the scores are judged, at least 20.
    draws : int
        How many times events are drawn, at least 20.
    seed : int
        For versions, draws and verdicts.
    jobs : int
        Processes. More than one needs the usual ``if __name__ == "__main__":`` around the script.
    progress : callable, optional
        Called with (done, total) after each version and each draw.
    **columns
        What the input owns that labels and scores mean, as in `adjudge.evaluate`. With
        ``missing="skip"`` only points that all detectors have scored are judged.

    Returns
    -------
    Calibration
        A row per detector: how many of its blind versions are called better than chance, by kind of
        version; how many intervals on drawn events hold the value; both with standard errors.

    Raises
    ------
    InputError
        If labels, scores and settings do not fit together, or there are no events.

    Notes
    -----
    A blind version is the detector's own scores, moved so that they know nothing of the events:
    elsewhere in time, backwards, in blocks, by little, by whole periods where these are known, and
    given to another series where there are four or more
    (`adjudge.lab.calibration.blind_versions` says what each keeps). What still lies on the events
    after the move is not blind and left out.

    For the interval the events themselves are drawn again, each with its normal time (of several
    series or data sets, whole ones), where the value on the data is the truth.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> labels = np.tile(np.repeat([0, 1, 0], [60, 10, 30]), 12)
    >>> flags = rng.random(labels.size) < np.where(labels, 0.2, 0.01)
    >>> found = calibrate(labels, flags, versions=20, draws=20)
    >>> found["detector"].better.of, found["detector"].held.of
    (20, 20)
    """
    versions, draws = whole(versions, "versions", _LEAST), whole(draws, "draws", _LEAST)
    seed, jobs = whole(seed, "seed", 0, SEEDS), whole(jobs, "jobs", 1)
    report = function(progress, "progress")
    given = read(labels, scores, columns)
    data, at = chosen(_POINTS, given, "calibrate")(given, at)
    ready = data.placed(at)
    points = _points_of(period, ready[0].case.events)
    how = {"null": _null(null, points), "shifts": shifts, "seed": seed}
    question = question_of(ready, metric, how, period=points, unit=unit, group=data.group)
    tasks = [(_BLIND, k) for k in range(versions)] + [(_DRAWN, k) for k in range(draws)]
    found: dict[Task, list[float]] = {}
    with local(jobs) as engine, closing(engine.do(question.answer, tasks)) as answers:
        for task, answer in answers:
            if isinstance(answer, Lost):
                raise InputError(f"workers must live until the work is done, got: {answer}")
            found[task] = answer
            if report is not None:
                report(len(found), len(tasks))
    blind = np.array([found[_BLIND, k] for k in range(versions)])
    held = np.array([found[_DRAWN, k] for k in range(draws)])
    return _summed_up(question, blind, held)


def question_of(
    ready: list[Prepared],
    metric: str | Metric | None,
    how: Mapping[str, Any],
    *,
    period: int = 0,
    unit: str = "auto",
    group: Column = None,
) -> Question:
    """Put the detectors together, on the points on which all are judged."""
    given = events = ready[0].case.events
    groups = None if group is None else group_numbers(group, events, ready[0].order)
    for one in ready[1:]:
        if one.case.events.judged is not None:
            events = events.within(where=one.case.events.judged)
    events, points = judged_alone(events)
    if not len(events):
        raise InputError("labels must hold at least one event to calibrate on, got none")
    known = all(one.case.is_flags or one.at is not None for one in ready)
    chosen = read_metric("f1_ba" if metric is None else metric)
    chosen = with_oracle(chosen) if metric is None and not known else chosen
    return Question(
        events,
        {one.case.name: one.case.given[points] for one in ready},
        {one.case.name: one.at for one in ready},
        chosen.on(given).resolved(given),
        how,
        period,
        unit,
        None if groups is None else groups[points],
    )


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


def _summed_up(question: Question, blind: Array, held: Array) -> Calibration:
    """Count what came out."""
    kinds = np.arange(len(blind)) % len(question.kinds)
    rows = []
    for place, name in enumerate(question.scores):
        better, own = blind[:, place], _count(held[:, place])
        by_kind = {kind: _count(better[kinds == k]) for k, kind in enumerate(question.kinds)}
        spec = question.metric.spec(question.metric.row.always_shown)
        refused, alike = len(held) - own.of, question.alike(name)
        rows.append(CalibrationRow(name, spec, _count(better), by_kind, own, refused, alike))
    return Calibration(tuple(rows), _count(blind.max(axis=1)), question.seed)


def _count(outcomes: Array) -> Count:
    """Count those that came out so, of those that came out at all."""
    defined = outcomes[~np.isnan(outcomes)]
    return Count(int(defined.sum()), defined.size)
