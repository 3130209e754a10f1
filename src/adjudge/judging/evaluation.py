"""Evaluate: one or several detectors, judged by several metrics on the same labels.

The pair (labels, scores) is checked once per detector, however many metrics follow, and every
result says how its threshold was chosen.

What stands beside a value: the chance line, and what else was asked for.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from functools import lru_cache
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.checks import front_door
from adjudge.count.contract import LastCount
from adjudge.data.case import Case
from adjudge.errors import InputError
from adjudge.judging.breakdowns import PartRow, event_list, gap_words, over_runs, series_rows
from adjudge.judging.judgement import Judgement
from adjudge.judging.preparation import (
    Prepared,
    ThresholdKind,
    all_metrics,
    default_metrics,
    default_of_changes,
)
from adjudge.judging.result_columns import Finding, filled
from adjudge.measure.thresholds import Policy, Rule, threshold_text
from adjudge.metrics.metric import best_of, in_time, with_rule_reordered
from adjudge.metrics.reader import metric as read_metric
from adjudge.metrics.spec import parse
from adjudge.noise.chance_line import adjusted, chance_line
from adjudge.noise.intervals.evidence import group_numbers
from adjudge.noise.intervals.label_doubt import label_spread, without_one
from adjudge.noise.null_models import chance as chance_of
from adjudge.noise.shifting.shifted_case import CaseShifts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from adjudge._typing import Column
    from adjudge.judging.inputs.contract import Input
    from adjudge.judging.inputs.on_call import OnCall
    from adjudge.judging.inputs.points import Points
    from adjudge.measure.curves import Curve
    from adjudge.metrics.metric import Metric
    from adjudge.noise.ask import Ask
    from adjudge.noise.chance_line import Turning


class Told(NamedTuple):
    """A value, and what is known of it before it is compared with chance."""

    metric: Metric
    """With its settings resolved and its threshold: what is judged at other times too."""
    turning: Turning
    value: float
    fields: dict[str, Any]
    """All else that a row says."""


def judge(told: Told, ask: Ask) -> Finding:
    """A row of results, the same for every kind of data: the only place where one is made."""
    metric, turning, value, fields = told
    value = ask.zero_division if math.isnan(value) else value
    of_labels = turning.of_labels(metric, chance=ask.chance)
    beside: dict[str, Any] = {"value": value, "overshoot": of_labels.overshoot}
    if ask.chance:
        known = fields["at"], of_labels.all_alarms
        beside |= vars(chance_line(metric, turning, value, ask, *known))
    if ask.white_noise and metric.at_one_threshold:
        beside["white_noise"] = _white_noise(metric, turning, ask.seed)
    if ask.label_slack != 0:
        spread = label_spread(metric, turning.case, ask.label_slack, ask.seed)
        beside["slack_low"], beside["slack_high"] = spread
        without = without_one(metric, turning.case)
        beside["without_low"], beside["without_high"], beside["carried_by"] = without
    return Finding(**fields, **beside)


def judge_all(tolds: Iterable[Told], ask: Ask) -> Iterator[Finding]:
    """The rows of one detector: all values are known before chance is asked."""
    return (judge(told, ask) for told in list(tolds))


@lru_cache(maxsize=1024)
def _without_best(spec: str) -> str:
    """What is judged, whoever chooses the threshold."""
    call = parse(spec)
    return str(call.values[0] if call.name == "best" else call)


def adjusted_rows(rows: list[Finding]) -> list[Finding]:
    """Adjust the p-values of each metric for the number of detectors.

    Flags and scores are one family: of flags a metric is judged as it is, of scores at the best
    threshold.
    """
    places: dict[tuple[str, int], list[int]] = {}
    seen: Counter[tuple[str, str]] = Counter()
    for place, row in enumerate(rows):
        spec = _without_best(row.asked)
        seen[row.detector, spec] += 1
        places.setdefault((spec, seen[row.detector, spec]), []).append(place)
    found = list(rows)
    for same in places.values():
        for place, row in zip(same, adjusted([rows[place] for place in same]), strict=True):
            found[place] = row
    return found


def _white_noise(metric: Metric, shifting: Turning, seed: int) -> float:
    """What white noise of the detector's rate scores."""
    events = shifting.case.events
    flags, *_ = metric.flags(shifting.case)
    judged = events.n if events.judged is None else events.judged.sum()
    rate = float(np.count_nonzero(flags) / judged)
    return chance_of(events, metric.with_settings(at=None), rate=rate, seed=seed).level


_FIRST_NULL = 2 / 3  # of the shifts; the nearby ones are half as many
_WORTH_A_WORD = 0.005  # other readings of balanced adjustment are named when they differ by more


def judged_points(data: Points, request: Request) -> Judgement:
    """Judge detectors on points by some metrics."""
    steps = Steps(request.progress, len(data.detectors))
    rows: list[Finding] = []
    listed: list[dict[str, Any]] = []
    details: list[PartRow] = []
    judged_cases: list[Case] = []
    for ready in data.placed(request.at):
        known = ready.case.is_flags or ready.at is not None
        changes = ready.case.events.changes is not None
        metrics_of = request.metrics(known=known, changes=changes)
        chosen = [with_rule_reordered(m, ready.order) for m in metrics_of]
        ask = _grouped(request.ask, data.group, ready)
        rows += _findings(chosen, ready, ask, steps)
        listed += event_list(ready.case, ready.at, chosen, data.kinds)
        if request.per_series:
            details += series_rows(ready.case, chosen, ready.at, request.ask.zero_division)
        judged_cases.append(ready.case)
    merged, by_run = over_runs(rows, data.runs)
    rows = adjusted_rows(merged) if request.ask.chance else merged
    return Judgement(tuple(rows), tuple(listed), tuple(judged_cases), (*details, *by_run))


def _grouped(ask: Ask, group: Column, ready: Prepared) -> Ask:
    """The same with the data sets of a detector's points, if they are known."""
    if group is None:
        return ask
    return replace(ask, groups=group_numbers(group, ready.case.events, ready.order))


def refuse_for_points(data: Input, request: Request) -> None:
    """Refuse what is said of points alone.

    Parameters
    ----------
    data, request : Input, Request
        What has no meaning for the data is refused.
    """
    data.refuse_all(
        per_series=request.per_series,
        white_noise=request.ask.white_noise,
        label_slack=request.ask.label_slack or None,
    )


def judged_alerts(data: OnCall, request: Request) -> Judgement:
    """Judge alerts by some metrics; those that need points on a grid, if there is one."""
    from adjudge.judging.on_call.values import (  # noqa: PLC0415 - for incidents alone
        check_null,
        default_things_metrics,
        needs_points,
        refuse_without_scores,
        told_of_alerts,
    )

    refuse_for_points(data, request)
    if not request.oracle:
        data.refuse("oracle", request.oracle)
    cases = data.raised(request.at)
    wanted = request.requested or ([] if request.every else default_things_metrics(cases[0]))
    metrics = wanted + (all_metrics("known") if request.every else [])
    metrics = list({str(metric): metric for metric in metrics}.values())
    of_points = [metric for metric in metrics if needs_points(metric, cases)]
    unknown = [str(metric) for metric in of_points if metric in wanted]
    if data.every is None:
        refuse_without_scores(wanted, cases)
    if unknown and data.every is None:
        raise InputError(
            f"every must be given for {', '.join(unknown)}, which judges points: the step of a "
            "grid of time, as in every='1min' (--every 1min)"
        )
    ask = request.ask
    if ask.chance:
        check_null(ask.null)
    steps, rows = Steps(request.progress, len(cases), more=len(of_points) * len(cases)), {}
    for case in cases:
        steps.begin(len(metrics) - len(of_points))
        for metric in metrics:
            if metric not in of_points:
                row = judge(told_of_alerts(metric, case), ask)
                rows[case.name, str(metric)] = steps.over(row)
    drawn: tuple[Case, ...] = ()
    if data.every is not None:
        points, level = data.points(request.at)
        drawn = points.cases
        if of_points:
            again = request._replace(
                requested=of_points, every=False, at=level, progress=steps.follow
            )
            rows |= {(row.detector, row.asked): row for row in judged_points(points, again).rows}
    order = [(case.name, str(metric)) for case in cases for metric in metrics]
    found = [rows[key] for key in order if key in rows]
    found = adjusted_rows(found) if ask.chance else found
    events = [event for case in cases for event in case.events]
    return Judgement(tuple(found), tuple(events), drawn, (), tuple(cases))


class Request(NamedTuple):
    """What is to be known of every detector."""

    requested: list[Metric]
    """Empty: the usual ones."""
    every: bool
    oracle: bool
    """Whether the best threshold is taken where there is none and nobody named a metric."""
    ask: Ask
    at: Any = None
    """What chooses thresholds, as it was given."""
    per_series: bool = False
    progress: Callable[[float, int], None] | None = None

    def kind(self, *, known: bool) -> ThresholdKind:
        """How the threshold is to be had."""
        return "known" if known else "oracle" if self.oracle else "none"

    def metrics(self, *, known: bool, changes: bool) -> list[Metric]:
        """The metrics for a detector whose threshold is known, or not; each once.

        Where the truth is changes, only metrics of positions are chosen for who names none.
        """
        kind = self.kind(known=known)
        every = all_metrics(kind) if self.every else []
        chosen = self.requested + [m for m in every if m.row.positions or not changes]
        default = default_of_changes if changes else default_metrics
        return list({str(metric): metric for metric in chosen or default(kind)}.values())


class Steps:
    """Counts what is done, and calls the function that shows it."""

    def __init__(
        self, progress: Callable[[float, int], None] | None, detectors: int, more: int = 0
    ) -> None:
        self._progress, self._left, self._done, self._more = progress, detectors, 0, more
        self._total, self._part = 0, 0.0

    def begin(self, metrics: int) -> None:
        """Begin with a detector; those that are left will be judged by as many metrics."""
        self._total = self._done + self._left * metrics + self._more
        self._left -= 1

    def part(self, share: float) -> None:
        """Take the share of the shifts that are made; a second null model begins anew."""
        self._part = max(self._part, share * _FIRST_NULL)
        self._show(self._done + self._part)

    def end(self) -> None:
        """Take that the metric is done."""
        self._done, self._part = self._done + 1, 0.0
        self._show(self._done)

    def follow(self, done: float, _: int) -> None:
        """Show how many are done of those that are judged elsewhere, after all others."""
        self._show(self._done + done)

    def over(self, row: Finding) -> Finding:
        """Take that a metric is done, and pass its row on."""
        self.end()
        return row

    def _show(self, done: float) -> None:
        if self._progress is not None:
            self._progress(done, self._total)


def _findings(metrics: list[Metric], ready: Prepared, ask: Ask, steps: Steps) -> Iterator[Finding]:
    """A row for each metric of one detector, with what stands beside its value."""
    steps.begin(len(metrics))
    for row in judge_all(_valued(metrics, ready, ask, steps), ask):
        yield steps.over(row)


def _valued(metrics: list[Metric], ready: Prepared, ask: Ask, steps: Steps) -> Iterator[Told]:
    """All values, and what labels alone decide: what they need is let go before chance is asked."""
    shifting = CaseShifts(ready.case, steps.part, shared=ask.shared)
    counts = LastCount()
    for metric, following in zip_longest(metrics, metrics[1:]):
        own, judged, shifts = metric, ready, shifting
        if isinstance(metric.at, Policy):  # which makes other scores
            own, case = metric.settled(ready.case)
            judged = ready._replace(case=case, policy=str(metric.at))
            shifts = CaseShifts(case, steps.part, shared=ask.shared)
        told = told_of(own, judged, shifts, counts)
        if following is None or metric.parts[1:] != following.parts[1:]:
            counts = LastCount()  # let go of what nobody will ask for
        if own is not metric:
            told = told._replace(fields=told.fields | _with_own_policy(metric, case))
        shifts.of_labels(told.metric, chance=ask.chance)
        yield told


def _with_own_policy(metric: Metric, case: Case) -> dict[str, Any]:
    """What a row says of a metric that has its own policy: how it was asked for."""
    resolved = metric.resolved(case.events)
    said = {"metric": resolved.spec(metric.row.always_shown), "asked": str(metric)}
    inside = metric.at.at if isinstance(metric.at, Policy) else None
    by_rule = {"chosen_by": "rule"} if isinstance(inside, Rule) else {}
    return {**said, **by_rule, "judged_by": resolved.on(case.events)}


def findings_of_one(metrics: list[Metric], ready: Prepared, ask: Ask) -> list[Finding]:
    """Judge one detector as `evaluate` does, alone; those of a series share their options."""
    return list(_findings(metrics, ready, ask, Steps(None, 1)))


@front_door("curve")
def curve(
    labels: Column,
    scores: Column,
    metric: str | Metric = "f1_ba",
    *,
    series: Column = None,
    where: Column = None,
    time: Column = None,
) -> Curve:
    """Precision, recall and F at every threshold.

    Parameters
    ----------
    labels, scores : column
        The truth (or `adjudge.Events`), and one number per point.
    metric : spec or Metric
        A metric that has one value per threshold.
    series, where, time : column, optional
        See `adjudge.Case`.

    Returns
    -------
    Curve
        Thresholds from the highest down, with precision, recall, F and the metric's values.

    Raises
    ------
    InputError
        If the metric has no curve, or columns do not fit together.

    Examples
    --------
    >>> found = curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], "f1")
    >>> found.thresholds
    array([0.8 , 0.4 , 0.35, 0.1 , -inf])
    >>> found.best()  # flags what scores above 0.1
    Best(threshold=0.1, value=0.8)
    """
    return read_metric(metric).curve(Case(labels, scores, series=series, where=where, time=time))


def told_of(
    requested: Metric, ready: Prepared, turning: CaseShifts, counts: LastCount | None = None
) -> Told:
    """Judge by one metric: the value, its threshold, and what is known of both."""
    case, metric, counts = ready.case, requested.placed(ready.at), counts or LastCount()
    reading = metric.reading(case, counts)
    value, threshold, chosen_by = reading
    by_rule = bool(ready.rule) and metric is not requested
    chosen_by = "rule" if by_rule else chosen_by
    gap = best_of(requested).reading(case).value - value if ready.is_tuned and by_rule else math.nan
    resolved = requested.resolved(case.events)
    fields = dict(
        detector=case.name,
        metric=resolved.spec(requested.row.always_shown),
        judged_by=resolved.on(case.events),
        at=threshold,
        at_text=threshold_text(threshold, case, chosen_by),
        chosen_by=chosen_by,
        rule=ready.policy
        or (ready.rule if by_rule else str(metric.at) * isinstance(metric.at, Rule)),
        oracle_gap=gap,
        skipped=ready.skipped,
        gaps=gap_words(case.events),
        asked=str(requested),
        readings=_other_readings(metric, case, value, counts),
        width=resolved.parts.adjust.island_width,
        **filled(metric, case, reading),
        **in_time(metric, case, reading)._asdict(),
    )
    return Told(metric.on(case.events), turning, value, fields)


def _other_readings(
    metric: Metric, case: Case, value: float, counts: LastCount
) -> dict[str, float]:
    others = {
        name: metric.with_settings(**settings).reading(case, counts).value
        for name, settings in metric.parts.adjust.other_readings.items()
    }
    return {name: other for name, other in others.items() if abs(other - value) > _WORTH_A_WORD}
