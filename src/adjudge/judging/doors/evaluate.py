"""Evaluate: one or several detectors, judged by several metrics on the same labels."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from adjudge.checks import boolean, number, suggest_keywords
from adjudge.errors import InputError, shown
from adjudge.judging.doors.compare import compare_all
from adjudge.judging.doors.versions import Versions
from adjudge.judging.inputs.contract import JudgedColumns
from adjudge.judging.inputs.door import read, takes_input
from adjudge.judging.judge.judge import Judged, Request, adjusted_rows, judge_all
from adjudge.judging.judge.parts import over_runs, series_rows
from adjudge.judging.judge.which_metrics import read_metrics
from adjudge.judging.judgement import Judgement
from adjudge.metrics.metric import with_rule_reordered
from adjudge.noise.ask import Ask
from adjudge.noise.null_models import read_null
from adjudge.tables.progress import reporter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from adjudge._typing import Column
    from adjudge.data.events import Events
    from adjudge.judging.comparing.several import Comparisons
    from adjudge.judging.inputs.contract import Input
    from adjudge.judging.result_columns import Finding
    from adjudge.metrics.metric import Metric
    from adjudge.noise.null_models import Null


@suggest_keywords("evaluate", passes_on=JudgedColumns)
@takes_input()
def evaluate(
    labels: Column,
    scores: Column = None,
    metrics: str | Metric | Iterable[str | Metric] | None = None,
    at: Any = None,
    *,
    per_series: bool = False,
    zero_division: float = np.nan,
    oracle: bool = True,
    chance: bool | None = None,
    null: str | Null = "shifted",
    period: Any = None,
    shifts: int | None = None,
    white_noise: bool = False,
    label_slack: int = 0,
    unit: str = "auto",
    seed: int = 0,
    progress: Callable[[float, int], None] | bool | None = None,
    **columns: Unpack[JudgedColumns],
) -> Judgement:
    """Judge one or several detectors: metrics with chance level, p-value and interval.

    Parameters
    ----------
    labels : column, Events or Incidents; or an input
        The truth. An input (`adjudge.Points`, `adjudge.OnCall`, `adjudge.Channels`,
        `adjudge.Annotated`) replaces labels and scores.
    scores : column, dict of columns, data frame, or Alerts
        One detector, or several by name; a list of columns under a name holds its runs, reported
        by mean and spread. With `adjudge.Incidents` each detector is `adjudge.Alerts`.
    metrics : spec, Metric, or several of them
        "all", also among others, means every metric that ``adjudge list`` shows. Default: the four
        F1 scores (at the threshold, or with the best one, written as ``best(...)`` when
        scores are real and no threshold is given), event precision and recall where there is a
        threshold, and the areas.
    at : number, rule, or a dict of them
        The threshold for every metric that needs one and sets none itself; a dict has one per
        detector. A rule is a declared one such as ``quantile(0.99)`` or ``top(100)`` (with ``on=``
        to learn on a part), any function of a `adjudge.Case` that returns a number without using
        the labels, or ``tuned``, which judges only the rest. Of alerts with a score only those
        above it are raised; a rule treats each of them as a point, and a policy such as
        ``policy(after="10min")`` works on alerts without a score too.
    per_series : bool
        Also judge each series separately, and report the mean over series (``details``).
    zero_division : float
        What to return where a value is undefined (0/0). Default: NaN.
    oracle : bool
        Whether to use ``best(...)`` for metrics that need a threshold, where `metrics` is not
        given or "all", scores are real and there is no threshold. False omits these metrics.
    chance : bool, optional
        Also report the score of the same alarms shifted in time. False is faster. Default:
        yes, but not for "all" metrics.
    null : name or null model
        How chance is simulated. Default: "shifted", the same alarms shifted in time. All names
        are in `adjudge.noise.null_models.NULLS`; or an object that implements `Null` there.
    period : int or duration, optional
        The period of ``null="seasonal"``, which shifts alarms by whole periods: points, or a
        duration such as "1d" where times are known.
    shifts : int, optional
        How many shifts. Default: all of them where that is cheap (for flags, mostly up to a few
        thousand points), else 999 of flags, at least 199 of ``best(...)`` and areas of the
        common families, and 19 to 199 of the others.
    white_noise : bool
        Also report the score of white noise of the same rate.
    label_slack : int
        Also report the spread of each value when event borders move by up to this many points.
    unit : {"auto", "dataset", "series", "event"}
        The unit of evidence for intervals. Default: data sets if they are known, else series if
        there are several, else events with their normal time.
    seed : int
        For shifts and noise, and for the optimism of ``best(...)``; intervals need none.
    progress : callable or True, optional
        True: a bar, on a terminal or in a notebook. A function is
        called with (done, total) after each metric of each detector, and with fractions while
        its shifts are judged one by one.
    **columns
        Arguments of the input: for points all that `adjudge.Points` takes
        (``series``, ``where``, ``time``, ``positive``, ``missing``, ``sort``, ``group``,
        ``kind``); for incidents all that `adjudge.OnCall` takes (``span``, ``watched``,
        ``outages``, ``early``, ``every``); ``channels`` and ``subsystem`` (`adjudge.Channels`);
        ``annotators`` and ``votes`` (`adjudge.Annotated`). ``clock``: "auto", "shared" or "own",
        by which series and services are shifted together.

    Returns
    -------
    Judgement
        One row per detector and metric; ``found["f1_ba"]`` is a float, ``print`` shows all.

    Raises
    ------
    InputError
        If labels, scores and settings do not fit together; the message says what to do.

    Examples
    --------
    >>> detectors = {"late": [0, 0, 0, 1, 0, 0], "wide": [0, 1, 1, 1, 1, 0]}
    >>> evaluate([0, 0, 1, 1, 0, 0], detectors, ["f1", "f1_pa", "f1_ba"], chance=False)
    metric    late    wide
    ----------------------
    f1      0.6667  0.6667
    f1_pa   1.0000  0.6667
    f1_ba   1.0000  0.5000
    ----------------------
    f1_ba: width 3, islands on normal points
    """
    requested, every_metric = read_metrics(metrics)
    for flag, value in {"oracle": oracle, "per_series": per_series}.items():
        boolean(value, flag)
    told = reporter(progress, "metrics")
    model, filled = read_null(null, period), number(zero_division, "zero_division")
    data = read(labels, scores, columns)
    ask = Ask(
        model, shifts, seed, len(data.detectors), unit,
        chance=not every_metric if chance is None else chance, white_noise=white_noise,
        label_slack=label_slack, zero_division=filled,
    )  # fmt: skip
    if not ask.chance:
        _refuse_unused({**columns, "null": null, "shifts": shifts, "unit": unit})
    request = Request(requested, every_metric, oracle, ask, at, per_series, told)
    return judged(data, request)


_OF_CHANCE = {"shifts": None, "null": "shifted", "unit": "auto", "group": None, "clock": "auto"}
"""Settings of the chance line, and what they are unless they are given."""


def _refuse_unused(given: Mapping[str, Any]) -> None:
    """Refuse settings of a chance line that is not requested."""
    why = 'without the chance line, which chance=False and "all" metrics leave out'
    for name, usual in _OF_CHANCE.items():
        value = given.get(name, usual)
        if value is not usual and not (isinstance(value, str) and value == usual):
            raise InputError(f"{name} must be {usual!r} {why}, got {shown(value)}; say chance=True")


def each_judged(data: Input, request: Request) -> list[Judged]:
    """Judge each detector by some metrics, whatever the kind of data.

    Parameters
    ----------
    data, request : Input, Request
        The detectors, and what is to be known of them.
    """
    data.check(request)
    detectors = data.placed(request.at)
    common = _turn_together([case.events for one in detectors for case in one.on_points])
    steps, found = ProgressSteps(request.progress, len(detectors)), []
    for ready in detectors:
        kind = request.kind(ready)
        asked = request.requested + (data.every_metric(ready, kind) if request.every else [])
        asked = asked or data.default_metrics(kind)
        asked = list({str(one): with_rule_reordered(one, ready.order) for one in asked}.values())
        ask = replace(request.ask, groups=data.groups(ready), common=common)
        steps.begin(len(asked))
        told = ready.told([data.over(one) for one in asked], ask, steps.part)
        named = (own.called(one, data) for one, own in zip(asked, told, strict=True))
        own = [steps.over(row) for row in judge_all(named, ask)]
        found.append(Judged(ready, asked, own))
    return found


def _turn_together(each: Sequence[Events]) -> bool:
    """Whether detectors can be moved to the same places: all are judged on the same points."""
    return len(each) > 1 and all(one.turns_like(each[0]) for one in each[1:])


def judged(data: Input, request: Request) -> Judgement:
    """Judge detectors, and put what was said of all of them together.

    Parameters
    ----------
    data, request : Input, Request
        The detectors, and what is to be known of them.
    """
    each = each_judged(data, request)
    events = [event for ready, metrics, _ in each for event in ready.events(metrics, data.kinds)]
    details = [
        row
        for ready, metrics, _ in each
        if request.per_series
        for row in series_rows(ready.case, metrics, ready.at, request.ask.zero_division)
    ]
    merged, by_run = over_runs([row for one in each for row in one.rows], data.runs)
    rows = adjusted_rows(merged) if request.ask.chance else merged
    cases = tuple(case for one in each for case in one.ready.on_points)
    found = Judgement(
        tuple(rows), tuple(events), cases, (*details, *by_run),
        compare=partial(_compared, data, request), versions=Versions(data, request),
    )  # fmt: skip
    return data.summed_up(found, each, request.ask)


def _compared(data: Input, request: Request, metric: str) -> Comparisons:
    """Compare all detectors by a metric, at the thresholds at which they were judged."""
    ask = request.ask
    return compare_all(data, metric=metric, at=request.at, unit=ask.unit, seed=ask.seed)


_FIRST_NULL = 2 / 3  # of the shifts; the nearby ones are half as many


class ProgressSteps:
    """Counts what is done, and calls the function that shows it."""

    def __init__(self, progress: Callable[[float, int], None], detectors: int) -> None:
        self._progress, self._left, self._done = progress, detectors, 0
        self._total, self._part = 0, 0.0

    def begin(self, metrics: int) -> None:
        """Begin with a detector; those that are left will be judged by as many metrics."""
        self._total = self._done + self._left * metrics
        self._left -= 1

    def part(self, share: float) -> None:
        """Take the share of the shifts that are made; a second null model begins anew."""
        self._part = max(self._part, share * _FIRST_NULL)
        self._show(self._done + self._part)

    def over(self, row: Finding) -> Finding:
        """Take that a metric is done, and pass its row on."""
        self._done, self._part = self._done + 1, 0.0
        self._show(self._done)
        return row

    def _show(self, done: float) -> None:
        self._progress(done, self._total)
