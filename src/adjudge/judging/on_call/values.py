"""Values of metrics on instants, each beside what the same alerts would have scored at other times.

Counts are of the things as given, masses are lengths of time. Only metrics of points need a grid.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.adjust.adjustments import raw
from adjudge.adjust.balanced import Balanced, is_length
from adjudge.count.delays import Delays, FalseRuns, Resets, WatchedRuns
from adjudge.count.lengths import default_width_in_time, middle_width_in_time, summed
from adjudge.count.points import Points
from adjudge.count.runs import Runs, RunsPerEvent
from adjudge.count.scored_alerts import ScoredAlerts
from adjudge.count.tally import Tally
from adjudge.data.clock import NANOSECONDS, duration, spelt
from adjudge.errors import InputError, shown
from adjudge.judging.on_call.piece_rows import ThingSide, length_rows, mean_rows, thing_rows
from adjudge.judging.result_columns import Finding
from adjudge.measure.rates import FalseAlarmRate, FalseAlarms
from adjudge.measure.whole.event_ap import AlertAp, IntervalAp
from adjudge.metrics.reader import catalogue
from adjudge.noise.chance_columns import ChanceLine
from adjudge.noise.intervals.evidence import NONE, Evidence, ends, evidence
from adjudge.noise.intervals.of_rates import rate_spread
from adjudge.noise.null_models import NearbyNull, ShiftedNull
from adjudge.noise.p_values import HeldAgainst
from adjudge.noise.shifting.in_time import TimeShifts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from adjudge.judging.on_call.case import OnCallCase
    from adjudge.judging.on_call.piece_rows import PieceRows
    from adjudge.metrics.metric import Metric
    from adjudge.noise.chance_line import LineOptions
    from adjudge.noise.intervals.evidence import Spread, Units

_MILLI = NANOSECONDS["ms"]
_NEAR = "30min"  # the largest tolerance for starts, unless another is given


class ThingsForm(NamedTuple):
    """A metric on instants: what it counts, and the measure of that."""

    tally: Tally
    measure: Callable[[Tally], Any]
    metric: Metric
    """With every setting resolved."""
    pieces: PieceRows
    shifts: TimeShifts | None = None
    """How chance moves what it counts; None where it does not."""
    unit: str = ""
    cost: float = 1.0
    """What a false alarm is imagined to cost where there was none."""

    @property
    def side(self) -> ThingSide:
        """What the alerts earned and paid."""
        some = bool(self.tally.flagged or self.tally.found)
        return ThingSide(self.measure, self.pieces, self.value, self.cost, some=some)

    @property
    def value(self) -> float:
        """The value."""
        return float(np.ravel(np.asarray(self.measure(self.tally), np.float64))[0])


def on_instants(metric: Metric, case: OnCallCase) -> ThingsForm | None:
    """The metric on instants; None where it needs points."""
    measure, adjust, counting = metric.parts
    if isinstance(measure, (AlertAp, IntervalAp)):
        return None if case.alerts.score is None else _scored(metric, measure, case)
    if not metric.at_one_threshold or metric.at is not None:
        return None
    if isinstance(adjust, Balanced):
        return _lengths(metric, case) if type(counting) is Points else None
    form = _FORMS.get(type(counting)) if adjust is raw else None
    return None if form is None else form(metric, case)


def _scored(metric: Metric, measure: AlertAp | IntervalAp, case: OnCallCase) -> ThingsForm:
    """Average precision of alerts, which is no sum over incidents and alerts."""
    found = case.scored
    if isinstance(measure, AlertAp):
        timed = not case.incidents.in_points
        if timed and "tolerance" not in dict(metric.settings):
            metric = metric.with_settings(tolerance=_NEAR)
        tolerance = _in_units(dict(metric.parts.settings)["tolerance"], "tolerance", case)
        value = measure.of(found, tolerance)
    else:
        events, alerts = case.in_watched_time(found.events), case.in_watched_time(found.alerts)
        value = measure.of(ScoredAlerts.of(events, alerts, found.score))
    return ThingsForm(case.count.tally, lambda _: value, metric, thing_rows(case))


def _rates(metric: Metric, case: OnCallCase) -> ThingsForm:
    """Shares of incidents found and of alerts right."""
    measure = metric.parts.measure
    return ThingsForm(case.count.tally, measure, metric, thing_rows(case), _things(case))


def _things(case: OnCallCase) -> TimeShifts:
    if None not in case.shifts:
        early = case.early
        count: Callable[..., Tally] = lambda line, alerts: line.things(alerts, early)  # noqa: E731
        case.shifts[None] = TimeShifts(case.lines, count, (0, early))
    return case.shifts[None]


def _false_alarms(metric: Metric, case: OnCallCase) -> ThingsForm | None:
    """False alerts per so much watched time of the team, or time without incidents of services."""
    measure, timed = metric.parts.measure, not case.incidents.in_points
    assert isinstance(measure, (FalseAlarms, FalseAlarmRate))  # noqa: S101 - of these countings
    if timed and not isinstance(measure.per, str):
        return None
    per = duration(measure.per, "per") if isinstance(measure.per, str) else measure.per
    in_units = replace(measure, per=float(per))
    team = isinstance(measure, FalseAlarms)
    length = case.watched.team.length if team else case.count.quiet

    def of(tally: Tally) -> Any:
        return in_units(tally._replace(normal=length))

    return ThingsForm(case.count.tally, of, metric, thing_rows(case), _things(case))


def _means(metric: Metric, case: OnCallCase) -> ThingsForm:
    """The mean of a number of each incident that has it: a delay, a reset time, its alerts."""
    counting, rows = metric.parts.counting, case.count.incidents
    if isinstance(counting, RunsPerEvent):
        values, unit = np.where(rows.found, rows.alerts, np.nan), ""
    else:
        times = rows.reset if isinstance(counting, Resets) else rows.delay
        values, unit = times / case.second, "points" if case.incidents.in_points else "seconds"
    known = values[~np.isnan(values)]
    if known.size and getattr(counting, "average", "mean") == "median":
        known = np.array([np.median(known)])
    tally = Tally(float(known.sum()), known.size, 0, 0, math.nan)
    return ThingsForm(tally, metric.parts.measure, metric, mean_rows(case, values), unit=unit)


_FORMS: dict[type, Callable[[Metric, OnCallCase], ThingsForm | None]] = {
    Runs: _rates,
    FalseRuns: _false_alarms,
    WatchedRuns: _false_alarms,
    Delays: _means,
    Resets: _means,
    RunsPerEvent: _means,
}
"""How the countings of events are made on instants."""


def _lengths(metric: Metric, case: OnCallCase) -> ThingsForm | None:
    """Balanced adjustment in lengths of time."""
    adjust = metric.parts.adjust
    if not isinstance(adjust, Balanced) or adjust != Balanced(adjust.width):
        return None
    if adjust.width in {"iid", "matched"}:
        return None
    width = _width(adjust.width, case)
    resolved = metric.with_settings(width=width if case.incidents.in_points else spelt(width))
    tally = summed([line.lengths(line.alerts, width) for line in case.lines])
    if width not in case.shifts:
        count: Callable[..., Tally] = lambda line, alerts: line.lengths(alerts, width)  # noqa: E731
        case.shifts[width] = TimeShifts(case.lines, count, (0, width // 2, width))
    one = Tally(*(mass[0] if len(np.ravel(mass)) else 0 for mass in map(np.atleast_1d, tally)))
    pieces, shifts = length_rows(case, width), case.shifts[width]
    return ThingsForm(one, metric.parts.measure, resolved, pieces, shifts, cost=float(width))


def _width(width: Any, case: OnCallCase) -> int:
    """How long an island is, in nanoseconds or points."""
    points = case.incidents.in_points
    if width is None or width == "median":
        choose = default_width_in_time if width is None else middle_width_in_time
        found = choose(case.lines)
        return max(1, found) if points else max(1, round(found / _MILLI)) * _MILLI
    return _in_units(width, "width", case)


def _in_units(length: Any, name: str, case: OnCallCase) -> int:
    """A length in nanoseconds, or in points where incidents are."""
    points = case.incidents.in_points
    if is_length(length) == points:
        kinds = ("a duration such as '30min'", "a number of points")
        raise InputError(
            f"{name} must be {kinds[points]}, as the incidents are in "
            f"{'points' if points else 'time'}, got {shown(length)}"
        )
    return duration(length, name) if is_length(length) else int(length)


def evidence_of(form: ThingsForm, unit: str) -> Evidence:
    """The 95 % interval of a value, had other incidents occurred, and what it rests on."""
    side, value = form.side, form.value
    some = len(form.pieces.incidents) and side.flags.any()
    if not form.metric.resamples or math.isnan(value) or not some:
        return NONE
    imagined = side.imagined()

    def spread_of(units: Units) -> Spread:
        return rate_spread(side.measure, side.by(units), imagined, units)

    span = form.metric.row.range
    return evidence(form.pieces.units(unit), spread_of, lambda s: ends(s, value, span, 0.95))


def needs_points(metric: Metric, cases: Sequence[OnCallCase]) -> bool:
    """Whether a metric cannot be told from things, and needs a grid of points."""
    return any(on_instants(metric, case) is None for case in cases)


def refuse_without_scores(metrics: Sequence[Metric], cases: Sequence[OnCallCase]) -> None:
    """Refuse a metric of scored alerts where alerts have no score."""
    bare = [case.name for case in cases if case.alerts.score is None]
    scored = [m for m in metrics if isinstance(m.parts.measure, (AlertAp, IntervalAp))]
    if bare and scored:
        raise InputError(
            f"alerts must have a score each for {scored[0].name}, got none of {bare[0]!r}; give "
            "them one: aj.Alerts(start, end, score=...), or a column score in the file"
        )


def finding(
    metric: Metric, case: OnCallCase, zero_division: float, line: LineOptions | None
) -> Finding:
    """A row for one metric of one detector, which needs no points."""
    form = on_instants(metric, case)
    assert form is not None  # noqa: S101 - its caller has looked
    value = form.value
    timed = form.unit == "seconds"
    row = Finding(
        detector=case.name,
        metric=form.metric.spec(metric.row.always_shown),
        judged_by=form.metric,
        value=zero_division if math.isnan(value) else value,
        at=case.at if metric.at_one_threshold else None,
        chosen_by="given" if metric.at_one_threshold else "none",
        asked=str(metric),
        flagged=case.count.tally.flagged,
        unit=form.unit,
        seconds=value if timed else math.nan,
        seconds_per_point=1.0 if timed else math.nan,
    )
    return row if line is None else replace(row, **vars(beside_things(form, case, line)))


def beside_things(form: ThingsForm, case: OnCallCase, options: LineOptions) -> ChanceLine:
    """What chance makes of a value."""
    if not isinstance(options.null, ShiftedNull):
        raise InputError(
            "null must be 'shifted' for incidents and alerts, got "
            f"{getattr(options.null, 'name', options.null)!r}; every= lays them on a grid"
        )
    found = evidence_of(form, options.unit)
    line = ChanceLine(
        low=found.low, high=found.high, low_here=found.low_here, high_here=found.high_here,
        evidence=found.words, evidence_unit=found.unit, evidence_units=found.units,
        evidence_equal=found.equal, event_count=int(case.count.tally.truth),
    )  # fmt: skip
    if form.shifts is None or not case.lines or not case.count.tally.flagged:
        return line
    lower = form.metric.row.better == "lower"
    how: dict[str, Any] = {"shifts": options.shifts, "seed": options.seed}
    turns = form.shifts.turns(form.measure, lower=lower, **how)
    nearby = form.shifts.nearby(form.measure, lower=lower, **how)
    chance = float(np.ravel(form.measure(turns.expected))[0])
    top = form.metric.row.range[0 if lower else 1]
    corrected = sorted(_corrected(end, chance, top) for end in (found.low, found.high))
    p = turns.p_value
    held = HeldAgainst(p, turns.p_below, turns.shifts, turns.exact, p, p)
    tests = {ShiftedNull.name: held, NearbyNull.name: HeldAgainst(nearby, low=nearby, high=nearby)}
    return replace(
        line, chance=chance, null=ShiftedNull.name, corrected_low=corrected[0],
        corrected=_corrected(form.value, chance, top), corrected_high=corrected[1], p_value=p,
        p_adjusted=max(p, nearby), p_nearby=nearby, p_joint=max(p, nearby), tests=tests,
        p_below=turns.p_below, shifts=turns.shifts, exact=turns.exact,
    )  # fmt: skip


def _corrected(value: float, chance: float, top: float) -> float:
    return (value - chance) / (top - chance) if chance != top else math.nan


def default_things_metrics(case: OnCallCase) -> list[Metric]:
    """Metrics for who asks for none: of events, balanced, delays and false alarms."""
    names = ("event_recall", "event_precision", "event_f1", "f1_ba")
    delay = catalogue["detection_delay"].metric.with_settings(average="median")
    per = 1 if case.incidents.in_points else "1w"
    false = catalogue["false_alarms"].metric.with_settings(per=per)
    return [*(catalogue[name].metric for name in names), delay, false]
