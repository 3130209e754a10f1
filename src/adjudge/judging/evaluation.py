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
from adjudge.judging.breakdowns import gap_words, over_runs, series_rows
from adjudge.judging.judgement import Judgement
from adjudge.judging.result_columns import Finding, filled
from adjudge.measure.thresholds import Rule, threshold_text
from adjudge.metrics.metric import best_of, in_time, with_rule_reordered
from adjudge.metrics.reader import metric as read_metric
from adjudge.metrics.spec import parse
from adjudge.noise.chance_line import adjusted, chance_line
from adjudge.noise.intervals.label_sensitivity import label_sensitivity, leave_one_out
from adjudge.noise.null_models import chance as chance_of
from adjudge.noise.shifting.shifted_case import CaseShifts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from adjudge._typing import Column
    from adjudge.judging.inputs.contract import Input
    from adjudge.judging.preparation import Prepared, ThresholdKind
    from adjudge.measure.curves import Curve
    from adjudge.metrics.metric import Metric
    from adjudge.noise.ask import Ask
    from adjudge.noise.shifting.turning import Turning


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
        spread = label_sensitivity(metric, turning.case, ask.label_slack, ask.seed)
        beside["label_shift_low"], beside["label_shift_high"] = spread
        without = leave_one_out(metric, turning.case)
        beside["leave_one_out_low"], beside["leave_one_out_high"] = without[:2]
        beside["most_influential_event"] = without.most_influential_event
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


class Judged(NamedTuple):
    """What was said of one detector."""

    ready: Any
    """As its input has placed it."""
    metrics: list[Metric]
    """As they were asked for."""
    rows: list[Finding]


def each_judged(data: Input, request: Request) -> list[Judged]:
    """Judge each detector by some metrics, whatever the kind of data.

    Parameters
    ----------
    data, request : Input, Request
        The detectors, and what is to be known of them.
    """
    data.check(request)
    detectors = data.placed(request.at)
    steps, found = Steps(request.progress, len(detectors)), []
    for ready in detectors:
        kind = request.kind(ready)
        asked = request.requested + (data.every_metric(ready, kind) if request.every else [])
        asked = asked or data.default_metrics(kind)
        asked = list({str(one): with_rule_reordered(one, ready.order) for one in asked}.values())
        ask = replace(request.ask, groups=data.groups(ready))
        steps.begin(len(asked))
        rows = judge_all(ready.told([data.over(one) for one in asked], ask, steps.part), ask)
        own = [
            replace(steps.over(row), asked=str(one), metric=data.called(one) or row.metric)
            for one, row in zip(asked, rows, strict=True)
        ]
        found.append(Judged(ready, asked, own))
    return found


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
    found = Judgement(tuple(rows), tuple(events), cases, (*details, *by_run))
    return data.summed_up(found, each, request.ask)


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

    def kind(self, ready: Any) -> ThresholdKind:
        """How the threshold of a detector is to be had."""
        return "known" if ready.known else "oracle" if self.oracle else "none"


class Steps:
    """Counts what is done, and calls the function that shows it."""

    def __init__(self, progress: Callable[[float, int], None] | None, detectors: int) -> None:
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

    def end(self) -> None:
        """Take that the metric is done."""
        self._done, self._part = self._done + 1, 0.0
        self._show(self._done)

    def over(self, row: Finding) -> Finding:
        """Take that a metric is done, and pass its row on."""
        self.end()
        return row

    def _show(self, done: float) -> None:
        if self._progress is not None:
            self._progress(done, self._total)


def told_of_points(
    metrics: list[Metric], ready: Prepared, ask: Ask, part: Callable[[float], None] | None = None
) -> Iterator[Told]:
    """All values, and what labels alone decide: what they need is let go before chance is asked.

    Parameters
    ----------
    metrics, ready, ask : list of Metric, Prepared, Ask
        By what one detector is judged, and what is to be known of it.
    part : callable, optional
        Called with the share of the shifts that are made.
    """
    turnings: dict[int, CaseShifts] = {}  # metrics that judge the same share what they turn
    counts = LastCount()
    for metric, following in zip_longest(metrics, metrics[1:]):
        own, judged = ready.seen(metric)
        if id(judged.case) not in turnings:
            turnings[id(judged.case)] = CaseShifts(judged.case, part, shared=ask.shared)
        shifts = turnings[id(judged.case)]
        told = told_of(own, judged, shifts, counts)
        if following is None or metric.parts[1:] != following.parts[1:]:
            counts = LastCount()  # let go of what nobody will ask for
        if own is not metric:
            told = told._replace(fields=told.fields | _as_asked(metric, judged.case))
        shifts.of_labels(told.metric, chance=ask.chance)
        yield told


def _as_asked(metric: Metric, case: Case) -> dict[str, Any]:
    """What a row says of a metric that judges something else in the end: how it was asked for."""
    resolved = metric.of_one.resolved(case.events)
    resolved = replace(resolved, across=metric.across, each=metric.each)
    said = {"metric": resolved.spec(metric.row.always_shown), "asked": str(metric)}
    by = resolved.on(case.events)
    if metric.across:  # whatever was asked for, channels were judged as one
        by = replace(by, across="any_channel", each=by.oracle)
    chosen = {"chosen_by": "rule", "rule": str(metric.at)} if metric.by_rule else {}
    return {**said, **chosen, "judged_by": by}


def findings_of_one(metrics: list[Metric], ready: Any, ask: Ask) -> list[Finding]:
    """Judge one detector as `evaluate` does, alone; those of a series share their options."""
    return list(judge_all(ready.told(metrics, ask), ask))


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
    by_rule = bool(ready.rule) and requested.needs_threshold
    by_rule &= metric is not requested or ready.raised is not None
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
