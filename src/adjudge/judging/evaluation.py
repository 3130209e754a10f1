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

from adjudge.checks import boolean, front_door, function, number
from adjudge.count.contract import LastCount
from adjudge.data.case import Case
from adjudge.data.channels import ChannelReading
from adjudge.data.incidents import Alerts, Incidents, texts
from adjudge.errors import InputError, shown
from adjudge.judging.breakdowns import PartRow, event_list, gap_words, over_runs, series_rows
from adjudge.judging.judgement import Judgement
from adjudge.judging.preparation import (
    Prepared,
    ReadingOptions,
    ThresholdKind,
    all_metrics,
    default_metrics,
    default_of_changes,
    detectors_of,
    prepared,
    read_metrics,
    runs_of,
)
from adjudge.judging.result_columns import Finding, filled
from adjudge.measure.thresholds import Policy, Rule, threshold_text
from adjudge.metrics.metric import best_of, in_time, with_rule_reordered
from adjudge.metrics.reader import metric as read_metric
from adjudge.metrics.spec import parse
from adjudge.noise.ask import Ask
from adjudge.noise.chance_line import adjusted, chance_line
from adjudge.noise.intervals.evidence import group_numbers
from adjudge.noise.intervals.label_doubt import label_spread, without_one
from adjudge.noise.null_models import chance as chance_of
from adjudge.noise.null_models import read_null
from adjudge.noise.shifting.shifted_case import CaseShifts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from adjudge._typing import Array, Column
    from adjudge.judging.on_call.case import OnCallCase
    from adjudge.measure.curves import Curve
    from adjudge.metrics.metric import Metric
    from adjudge.noise.chance_line import Turning
    from adjudge.noise.null_models import Null


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


@front_door("evaluate")
def evaluate(
    labels: Column,
    scores: Column,
    metrics: str | Metric | Iterable[str | Metric] | None = None,
    at: Any = None,
    *,
    series: Column = None,
    where: Column = None,
    time: Column = None,
    positive: object = None,
    missing: str = "refuse",
    sort: bool = False,
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
    group: Column = None,
    kind: Column = None,
    seed: int = 0,
    span: Any = None,
    watched: Any = None,
    outages: Any = None,
    early: Any = None,
    every: Any = None,
    channels: Any = None,
    subsystem: Any = None,
    annotators: Any = None,
    votes: str = "each",
    progress: Callable[[float, int], None] | None = None,
) -> Judgement:
    """Judge one or several detectors, each value beside what chance would have scored.

    Parameters
    ----------
    labels : column, Events or Incidents
        The truth.
    scores : column, dict of columns, data frame, or Alerts
        One detector, or several by name; a list of columns under a name are its runs, of which
        mean and spread are given. With `adjudge.Incidents` each detector is `adjudge.Alerts`.
    metrics : spec, Metric, or several of them
        "all", also among others, is every metric that ``adjudge list`` shows. Default: the four
        F1 scores (at the threshold, or with the best one, written as ``best(...)`` when
        scores are real and no threshold is given), event precision and recall where there is a
        threshold, and the areas.
    at : number, rule, or a dict of them
        The threshold for every metric that needs one and has none of its own; a dict has one per
        detector. A rule is a declared one such as ``quantile(0.99)`` or ``top(100)`` (with ``on=``
        to learn on a part), any function that takes a `adjudge.Case` and gives a number without a
        look at the labels, or ``tuned``, which judges the rest alone. Of alerts that have a
        score only those above it are raised; a rule takes each of them as a point.
    series, where, time, positive, missing
        See `adjudge.Case`. A DatetimeIndex of the scores is taken as the time. What was left out as
        missing is counted in the rows (``skipped``).
    sort : bool
        Sort the points by time first; a mask that a threshold is learnt on goes with its points.
    per_series : bool
        Also judge each series by itself, and give the mean over series (``details``).
    zero_division : float
        What to give where a value is undefined (0/0). Default: NaN.
    oracle : bool
        Whether ``best(...)`` stands for the metrics that need a threshold, where `metrics` is not
        given or "all", scores are real and there is no threshold. False leaves these metrics out.
    chance : bool, optional
        Also give what the same alarms score at other places in time. False is quicker. Default:
        yes, but not for "all" metrics.
    null : name or null model
        What chance is. Default: "shifted", the same alarms at any other place. The names of all
        are in `adjudge.noise.null_models.NULLS`; or an object that keeps the contract `Null` there.
    period : int or duration, optional
        The period of ``null="seasonal"``, by whole ones of which alarms are shifted: points, or a
        duration such as "1d" where times are known.
    shifts : int, optional
        How many shifts. Default: all of them where that is little work (of flags mostly up to some
        thousand points), else 999 of flags, at least 199 of ``best(...)`` and areas of the
        common families, and 19 to 199 of the others.
    white_noise : bool
        Also give what white noise of the same rate scores.
    label_slack : int
        Also give the spread of each value when the events' borders move by up to so many points.
    unit : {"auto", "dataset", "series", "event"}
        What the intervals rest on. Default: data sets if they are known, else series if there are
        several, else events with their normal time.
    group : column, optional
        The data set of each point, or of each series; or the day, or whatever else holds what is
        not independent.
    kind : column, optional
        What kind of event each point belongs to, for `Judgement.by`; normal points need none.
    seed : int
        For shifts and noise, and for how much ``best(...)`` flatters; intervals need none.
    span : pair of times
        With incidents: from when to when is judged. Open incidents and alerts last until its end.
    watched, outages : table or pairs of times, optional
        With incidents: the time in which somebody watched, or did not; a column ``service`` says
        where, "*" is everywhere. Incidents and alerts are things: an alert is counted where it
        starts, in watched time, and is right if it overlaps an incident of its service.
    early : duration, optional
        With incidents: how long before an incident an alert may start and still find it.
    every : duration, optional
        With incidents: the step of a grid, for metrics that judge points. All others need none.
    channels : names, or True
        The channels, of which labels and scores have a column each (True: their columns' names).
        Labels may be one column for all, or incidents that name their channel; several detectors
        are a dict of tables. A metric of one channel is taken inside ``any_channel(...)``; write
        ``micro(...)`` or ``macro(...)`` for others. A threshold is for all, a rule learns on each
        channel, a dict has one for each. All channels are shifted together.
    subsystem : dict, optional
        Groups of channels, for ``subsystem_*``.
    annotators : names, or True
        Who labelled, where labels have a column for each annotator; a gap (NaN) was not judged.
    votes : {"each", "pooled", "majority", "any", "all"}
        With annotators: the mean over each of them; one count over all; or one label by vote.
    progress : callable, optional
        Called with (done, total) after each metric of each detector, and with parts of one while
        its shifts are judged one by one.

    Returns
    -------
    Judgement
        A row per detector and metric; ``found["f1_ba"]`` is a float, ``print`` shows them all.

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
    for flag, value in {"oracle": oracle, "per_series": per_series, "sort": sort}.items():
        boolean(value, flag)
    function(progress, "progress")
    ask = Ask(
        read_null(null, period), shifts, seed, len(detectors_of(scores)), unit,
        chance=not every_metric if chance is None else chance, white_noise=white_noise,
        label_slack=label_slack, zero_division=number(zero_division, "zero_division"),
    )  # fmt: skip
    if not ask.chance:
        _refuse_unused(null, shifts, unit, group)
    request = Request(requested, every_metric, oracle, ask, group)
    if channels is not None or annotators is not None:
        _refuse_for_channels(
            sort=sort or None, group=group, per_series=per_series or None, span=span, every=every,
            watched=watched, outages=outages, early=early, label_slack=label_slack or None,
            white_noise=white_noise or None, metrics="all" if every_metric else None,
            kind=kind,
        )  # fmt: skip
        table = _Table(labels, scores, at, ChannelReading(series, where, time, positive, missing))
        return _judged_table(table, request, (channels, subsystem), (annotators, votes))
    _refuse_without_channels(subsystem, votes)
    watching = {"span": span, "watched": watched, "outages": outages, "early": early}
    if isinstance(labels, Incidents):
        _refuse_for_things(
            where=where, time=time, positive=positive, per_series=per_series or None,
            white_noise=white_noise or None, label_slack=label_slack or None, group=group,
            kind=kind,
        )  # fmt: skip
        cases = _on_call_cases(labels, scores, {**watching, "series": series, "at": at})
        return _judged_things(cases, request, every)
    _refuse_without_incidents(labels, {**watching, "every": every})
    steps = _Steps(progress, len(detectors_of(scores)))
    rows: list[Finding] = []
    listed: list[dict[str, Any]] = []
    judged_cases: list[Case] = []
    details: list[PartRow] = []
    given = ReadingOptions(series, where, time, positive, missing, sort, group)
    for ready in prepared(labels, scores, at, given):
        known = ready.case.is_flags or ready.at is not None
        changes = ready.case.events.changes is not None
        metrics_of = request.metrics(known=known, changes=changes)
        chosen = [with_rule_reordered(m, ready.order) for m in metrics_of]
        rows += _findings(chosen, ready, request, steps)
        listed += event_list(ready.case, ready.at, chosen, _kinds(kind, ready))
        if per_series:
            details += series_rows(ready.case, chosen, ready.at, request.ask.zero_division)
        judged_cases.append(ready.case)
    merged, by_run = over_runs(rows, runs_of(scores))
    rows = adjusted_rows(merged) if ask.chance else merged
    return Judgement(tuple(rows), tuple(listed), tuple(judged_cases), (*details, *by_run))


def _kinds(kind: Column, ready: Prepared) -> Array | None:
    """The kind of each point, in the order in which points are judged."""
    given = texts(kind, "kind", ready.case.events.n)
    return given if given is None or ready.order is None else given[ready.order]


class _Table(NamedTuple):
    """Labels and scores with a column per channel, or labels with one per annotator."""

    labels: Column
    scores: Column
    at: Any
    how: ChannelReading


def _judged_table(
    table: _Table, request: Request, channels: tuple[Any, Any], annotators: tuple[Any, str]
) -> Judgement:
    """Judge several channels, or one channel by several annotators."""
    from adjudge.judging.channels.of_annotators import (  # noqa: PLC0415 - they stand on this
        judged_annotators,
    )
    from adjudge.judging.channels.of_channels import judged_channels  # noqa: PLC0415

    labels, scores, at, how = table
    if annotators[0] is None:
        return judged_channels(labels, scores, channels, at, how, request)
    if channels[0] is not None:
        raise InputError("channels and annotators must not both be given: judge one channel a call")
    return judged_annotators(labels, scores, annotators, at, how, request)


def _refuse_for_channels(**given: Any) -> None:
    """Refuse what is about one channel, or about incidents as things."""
    for name, value in given.items():
        if value is not None:
            raise InputError(
                f"{name} must be left out with channels= and annotators=, got {shown(value)}"
            )


def _refuse_without_channels(subsystem: Any, votes: str) -> None:
    if subsystem is not None:
        raise InputError("subsystem must come with channels=, got it alone")
    if votes != "each":
        raise InputError(f"votes must come with annotators=, got {shown(votes)} alone")


def _refuse_for_things(**given: Any) -> None:
    """Refuse what is about points where labels are incidents."""
    for name, value in given.items():
        if value is not None:
            raise InputError(
                f"{name} must be left out with incidents and alerts, got {shown(value)}; they are "
                "things with times of their own, and span= and watched= say what is judged"
            )


def _refuse_without_incidents(labels: Column, given: dict[str, Any]) -> None:
    """Refuse what is about incidents where labels are points, and alerts as labels."""
    if isinstance(labels, Alerts):
        raise InputError("labels must be Incidents, got Alerts; are labels and scores swapped?")
    for name, value in given.items():
        if value is not None:
            raise InputError(
                f"{name} must be left out with labels of points, got {shown(value)}; it goes with "
                "aj.Incidents and aj.Alerts"
            )


def _on_call_cases(labels: Incidents, scores: Column, given: dict[str, Any]) -> list[OnCallCase]:
    from adjudge.judging.on_call.reading import Watching, cases_of  # noqa: PLC0415 - for incidents alone

    single = isinstance(scores, Alerts)
    detectors = [("alerts", scores)] if single else detectors_of(scores)
    return cases_of(labels, detectors, Watching(**given))


def _judged_things(cases: list[OnCallCase], request: Request, every: Any) -> Judgement:
    """Judge alerts as things; those metrics that need points on a grid, if there is one."""
    from adjudge.judging.on_call.reading import on_grid  # noqa: PLC0415 - for incidents alone
    from adjudge.judging.on_call.values import (  # noqa: PLC0415
        check_null,
        default_things_metrics,
        needs_points,
        refuse_without_scores,
        told_of_alerts,
    )

    wanted = request.requested or ([] if request.every else default_things_metrics(cases[0]))
    metrics = wanted + (all_metrics("known") if request.every else [])
    metrics = list({str(metric): metric for metric in metrics}.values())
    of_points = [metric for metric in metrics if needs_points(metric, cases)]
    unknown = [str(metric) for metric in of_points if metric in wanted]
    if every is None:
        refuse_without_scores(wanted, cases)
    if unknown and every is None:
        raise InputError(
            f"every must be given for {', '.join(unknown)}, which judges points: the step of a "
            "grid of time, as in every='1min' (--every 1min)"
        )
    ask = request.ask
    if ask.chance:
        check_null(ask.null)
    rows = {
        (case.name, str(metric)): judge(told_of_alerts(metric, case), ask)
        for case in cases
        for metric in metrics
        if metric not in of_points
    }
    drawn: tuple[Case, ...] = ()
    if every is not None:
        how: dict[str, Any] = {"zero_division": ask.zero_division, "chance": ask.chance}
        gridded = evaluate(*on_grid(cases, every), of_points or "event_recall", **how)
        rows |= {(row.detector, row.asked): row for row in gridded.rows if of_points}
        drawn = gridded.cases
    order = [(case.name, str(metric)) for case in cases for metric in metrics]
    found = [rows[key] for key in order if key in rows]
    found = adjusted_rows(found) if ask.chance else found
    events = [event for case in cases for event in case.events]
    return Judgement(tuple(found), tuple(events), drawn, (), tuple(cases))


def _refuse_unused(null: str | Null, shifts: int | None, unit: str, group: Column) -> None:
    """Refuse settings of a chance line that is not requested."""
    why = 'without the chance line, which chance=False and "all" metrics leave out'
    if shifts is not None:
        raise InputError(f"shifts must be None {why}, got {shifts}; say chance=True")
    if null != "shifted":
        raise InputError(f"null must be 'shifted' {why}, got {null!r}; say chance=True")
    if unit != "auto":
        raise InputError(f"unit must be 'auto' {why}, got {unit!r}; say chance=True")
    if group is not None:
        raise InputError(f"group must be None {why}; say chance=True")


class Request(NamedTuple):
    """What is to be known of every detector."""

    requested: list[Metric]
    every: bool
    oracle: bool
    """Whether the best threshold is taken where there is none and nobody named a metric."""
    ask: Ask
    group: Column = None

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


class _Steps:
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

    def _show(self, done: float) -> None:
        if self._progress is not None:
            self._progress(done, self._total)


def _findings(
    metrics: list[Metric], ready: Prepared, request: Request, steps: _Steps
) -> Iterator[Finding]:
    """A row for each metric of one detector, with what stands beside its value."""
    ask, group = request.ask, request.group
    if group is not None:  # the data sets of this detector's points
        numbers = group_numbers(group, ready.case.events, ready.order)
        ask = replace(ask, groups=numbers)
    steps.begin(len(metrics))
    for row in judge_all(_valued(metrics, ready, request, steps), ask):
        yield row
        steps.end()


def _valued(
    metrics: list[Metric], ready: Prepared, request: Request, steps: _Steps
) -> Iterator[Told]:
    """All values, and what labels alone decide: what they need is let go before chance is asked."""
    shifting = CaseShifts(ready.case, steps.part, shared=request.ask.shared)
    counts = LastCount()
    for metric, following in zip_longest(metrics, metrics[1:]):
        own, judged, shifts = metric, ready, shifting
        if isinstance(metric.at, Policy):  # which makes other scores
            own, case = metric.settled(ready.case)
            judged = ready._replace(case=case, policy=str(metric.at))
            shifts = CaseShifts(case, steps.part, shared=request.ask.shared)
        told = told_of(own, judged, shifts, counts)
        if following is None or metric.parts[1:] != following.parts[1:]:
            counts = LastCount()  # let go of what nobody will ask for
        if own is not metric:
            told = told._replace(fields=told.fields | _with_own_policy(metric, case))
        shifts.of_labels(told.metric, chance=request.ask.chance)
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
    request = Request(metrics, every=False, oracle=True, ask=ask)
    return list(_findings(metrics, ready, request, _Steps(None, 1)))


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
