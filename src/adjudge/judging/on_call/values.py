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
from adjudge.count.costs import Costs, money_of_things
from adjudge.count.delays import Delays, FalseRuns, Resets, WatchedRuns
from adjudge.count.lengths import default_width_in_time, middle_width_in_time, summed
from adjudge.count.points import Points
from adjudge.count.runs import Runs, RunsPerEvent
from adjudge.count.tally import Tally
from adjudge.data.clock import NANOSECONDS, duration, spelt
from adjudge.data.incidents import Alerts
from adjudge.errors import InputError, shown
from adjudge.judging.on_call.piece_rows import (
    ThingSide,
    length_rows,
    mean_rows,
    money_rows,
    thing_rows,
)
from adjudge.judging.on_call.thresholds import AveragePrecision, best_level, best_shifts
from adjudge.judging.result_columns import Finding
from adjudge.measure.rates import FalseAlarmRate, FalseAlarms
from adjudge.measure.whole.event_ap import AlertAp, IntervalAp
from adjudge.metrics.reader import catalogue
from adjudge.noise.chance_columns import ChanceLine
from adjudge.noise.chance_line import needed_events
from adjudge.noise.intervals.evidence import NONE, Evidence, ends, evidence
from adjudge.noise.intervals.of_rates import found_evidence, of_found_alone, rate_spread
from adjudge.noise.null_models import NearbyNull, ShiftedNull
from adjudge.noise.p_values import HeldAgainst
from adjudge.noise.shifting.in_time import TENTHS, CountedShifts, ScoredShifts, TimeShifts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from adjudge.judging.on_call.case import OnCallCase
    from adjudge.judging.on_call.piece_rows import PieceRows
    from adjudge.metrics.metric import ChosenBy, Metric
    from adjudge.noise.chance_line import LineOptions
    from adjudge.noise.intervals.evidence import Spread, Units
    from adjudge.noise.shifting.in_time import Turns

_MILLI = NANOSECONDS["ms"]
_NEAR = "30min"  # the largest tolerance for starts, unless another is given


class ThingsForm(NamedTuple):
    """A metric on instants: what it counts, and the measure of that."""

    tally: Tally
    measure: Callable[[Tally], Any]
    """Of a tally that does not know how much time was watched: that is the same for all."""
    metric: Metric
    """With every setting resolved."""
    pieces: PieceRows
    shifts: TimeShifts | None = None
    """How chance moves what it counts; None where it does not."""
    unit: str = ""
    cost: float = 1.0
    """What a false alarm is imagined to cost where there was none."""
    of_rows: Callable[[Tally], Any] | None = None
    """The measure of units, each of which has its own time; None: time plays no part."""
    read_anew: AveragePrecision | None = None
    """What reads a value that is no measure of sums."""

    @property
    def side(self) -> ThingSide:
        """What the alerts earned and paid."""
        some = bool(self.tally.flagged or self.tally.found)
        measure = self.of_rows or self.measure
        return ThingSide(measure, self.pieces, self.value, self.cost, some=some)

    @property
    def value(self) -> float:
        """The value."""
        return float(np.ravel(np.asarray(self.measure(self.tally), np.float64))[0])


def on_instants(metric: Metric, case: OnCallCase) -> ThingsForm | None:
    """The metric on instants; None where it needs points."""
    measure, adjust, counting = metric.parts
    if isinstance(measure, (AlertAp, IntervalAp)):
        return None if case.alerts.score is None else _scored(metric, measure, case.whole)
    if not metric.needs_threshold:
        return None
    if isinstance(adjust, Balanced):
        return _lengths(metric, case) if type(counting) is Points else None
    form = _FORMS.get(type(counting)) if adjust == raw else None
    return None if form is None else form(metric, case)


def _scored(metric: Metric, measure: AlertAp | IntervalAp, case: OnCallCase) -> ThingsForm:
    """Average precision of alerts, which is no sum over incidents and alerts."""
    tolerance = 0
    if isinstance(measure, AlertAp):
        timed = not case.incidents.in_points
        if timed and "tolerance" not in dict(metric.settings):
            metric = metric.with_settings(tolerance=_NEAR)
        tolerance = _in_units(dict(metric.parts.settings)["tolerance"], "tolerance", case)
    read = AveragePrecision(case, measure, tolerance)
    tally = Tally(read.value, 1, 0, 0)
    return ThingsForm(tally, _found, metric, thing_rows(case), read.shifts, read_anew=read)


def _found(tally: Tally) -> Any:
    """The value of what is read anew, which stands as what was found."""
    return tally.found


class Raised(NamedTuple):
    """A metric at one threshold, and the alerts that are above it."""

    metric: Metric
    case: OnCallCase
    chosen_by: ChosenBy

    @property
    def form(self) -> ThingsForm | None:
        """The metric on instants; None where it needs points."""
        return on_instants(self.metric, self.case)

    def spec(self, form: ThingsForm, asked: Metric) -> str:
        """The metric as it was asked for, with every setting resolved."""
        found = form.metric
        if asked.oracle:
            found = replace(found, oracle=True)
        elif asked.at is not None:
            found = found.with_settings(at=asked.at)
        return found.spec(asked.row.always_shown)


def raised(metric: Metric, case: OnCallCase) -> Raised:
    """Raise the alerts above the threshold that a metric has, or that is best for it."""
    if metric.oracle:
        plain, whole = replace(metric, oracle=False), case.whole
        form = None if whole.alerts.score is None else on_instants(plain, whole)
        if form is None:
            return Raised(plain, case, "oracle")
        counted = form.measure if type(plain.parts.counting) in _COUNTED else None
        level = best_level(metric, whole, counted, lambda one: _value(plain, one))
        return Raised(plain, whole.above(level), "oracle")
    if metric.at is not None and metric.at_one_threshold:
        metric, case = metric.with_settings(at=None), case.whole.above(metric.at)
    chosen: ChosenBy = "rule" if case.rule else "given"
    return Raised(metric, case, chosen if metric.at_one_threshold else "none")


def _value(metric: Metric, case: OnCallCase) -> float:
    form = on_instants(metric, case)
    return math.nan if form is None else form.value


_COUNTED = (Runs, FalseRuns, WatchedRuns)
"""Countings of incidents and alerts, which are known at every threshold at once."""


def _rates(metric: Metric, case: OnCallCase) -> ThingsForm:
    """Shares of incidents found and of alerts right."""
    measure = metric.parts.measure
    return ThingsForm(case.count.tally, measure, metric, thing_rows(case), _things(case))


def _things(case: OnCallCase) -> TimeShifts:
    if None not in case.shifts:
        early = case.early
        count: Callable[..., Tally] = lambda line, alerts: line.things(alerts, early)  # noqa: E731
        case.shifts[None] = CountedShifts(case.lines, count, (0, early))
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

    pieces = thing_rows(case)._replace(normal=float(length))
    return ThingsForm(case.count.tally, of, metric, pieces, _things(case), of_rows=in_units)


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


def _money(metric: Metric, case: OnCallCase) -> ThingsForm:
    """What incidents and alerts cost; chance moves them where all prices are the same."""
    costs = metric.parts.counting
    assert isinstance(costs, Costs)  # noqa: S101 - of this counting
    paid = money_of_things(costs, case.count, case.incidents, case.alerts.start)
    saved, worth, pages = (float(column.sum()) for column in paid[:3])
    tally = Tally(saved, worth, 0.0, pages, paid.watched)
    pieces = money_rows(case, paid)
    plain = not isinstance(costs.miss, str) and not costs.night and not costs.tells_delay
    if not plain:
        return ThingsForm(tally, metric.parts.measure, metric, pieces, cost=float(costs.false))

    def of(counts: Tally) -> Any:
        found, truth = counts.found * costs.miss, counts.truth * costs.miss
        right, flagged = counts.right * costs.false, counts.flagged * costs.false
        return metric.parts.measure(Tally(found, truth, right, flagged, paid.watched))

    return ThingsForm(
        case.count.tally, of, metric, pieces, _things(case), cost=float(costs.false),
        of_rows=metric.parts.measure,
    )  # fmt: skip


_FORMS: dict[type, Callable[[Metric, OnCallCase], ThingsForm | None]] = {
    Runs: _rates,
    FalseRuns: _false_alarms,
    WatchedRuns: _false_alarms,
    Costs: _money,
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
        case.shifts[width] = CountedShifts(case.lines, count, (0, width // 2, width))
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
    value = form.value
    if form.read_anew is not None:
        return _read_evidence(form, form.read_anew, unit)
    side = form.side
    some = len(form.pieces.incidents) and side.flags.any()
    if not form.metric.resamples or math.isnan(value) or not some:
        return NONE
    imagined = side.imagined()

    def spread_of(units: Units) -> Spread:
        return rate_spread(side.measure, side.by(units), imagined, units)

    span, units = form.metric.row.range, form.pieces.units(unit)
    if of_found_alone(side.measure, imagined):
        return found_evidence(side, units, spread_of, span)
    return evidence(units, spread_of, lambda s: ends(s, value, span, 0.95))


def _read_evidence(form: ThingsForm, read: AveragePrecision, unit: str) -> Evidence:
    """The same of a value that is no measure of sums."""
    span, value = form.metric.row.range, form.value
    if math.isnan(value) or not len(form.pieces.incidents) or not len(read.case.alerts):
        return NONE
    return evidence(
        form.pieces.units(unit),
        lambda units: read.spread_of(units, span),
        lambda s: ends(s, value, span, 0.95),
    )


def needs_points(metric: Metric, cases: Sequence[OnCallCase]) -> bool:
    """Whether a metric cannot be told from things, and needs a grid of points."""
    plain = replace(metric, oracle=False, at=None)
    bare = metric.oracle and any(case.alerts.score is None for case in cases)
    return bare or any(on_instants(plain, case) is None for case in cases)


def refuse_without_scores(metrics: Sequence[Metric], cases: Sequence[OnCallCase]) -> None:
    """Refuse a metric of scored alerts where alerts have no score."""
    bare = [case.name for case in cases if case.alerts.score is None]
    scored = [m for m in metrics if m.oracle or isinstance(m.parts.measure, (AlertAp, IntervalAp))]
    if bare and scored:
        raise InputError(
            f"alerts must have a score each for {scored[0]}, got none of {bare[0]!r}; give "
            "them one: aj.Alerts(start, end, score=...), or a column score in the file"
        )


def finding(
    metric: Metric, case: OnCallCase, zero_division: float, line: LineOptions | None
) -> Finding:
    """A row for one metric of one detector, which needs no points."""
    above = raised(metric, case)
    form, case = above.form, above.case
    assert form is not None  # noqa: S101 - its caller has looked
    value = form.value
    timed = form.unit == "seconds"
    row = Finding(
        detector=case.name,
        metric=above.spec(form, metric),
        judged_by=form.metric,
        value=zero_division if math.isnan(value) else value,
        at=None if above.chosen_by == "none" else case.at,
        chosen_by=above.chosen_by,
        rule=case.rule if above.chosen_by == "rule" else "",
        asked=str(metric),
        flagged=case.count.tally.flagged,
        unit=form.unit,
        seconds=value if timed else math.nan,
        seconds_per_point=1.0 if timed else math.nan,
    )
    return row if line is None else replace(row, **vars(beside_things(form, above, line)))


def beside_things(form: ThingsForm, above: Raised, options: LineOptions) -> ChanceLine:
    """What chance makes of a value."""
    if not isinstance(options.null, (ShiftedNull, NearbyNull)):
        raise InputError(
            "null must be 'shifted' or 'nearby' for incidents and alerts, got "
            f"{getattr(options.null, 'name', options.null)!r}; others move points: lay both on a "
            "grid, aj.Events.from_times(..., every='1min'), to ask for it"
        )
    case, oracle = above.case, above.chosen_by == "oracle"
    if oracle:  # the threshold is chosen again at other times
        form = form._replace(shifts=_best_shifts(form, case.whole))
    found = NONE if oracle else evidence_of(form, options.unit)
    line = ChanceLine(
        all_alarms=_always(form, case),
        low=found.low, high=found.high, low_here=found.low_here, high_here=found.high_here,
        evidence=found.words, evidence_unit=found.unit, evidence_units=found.units,
        evidence_equal=found.equal, event_count=int(case.count.tally.truth),
    )  # fmt: skip
    if form.shifts is None or not case.lines or not case.count.tally.flagged:
        return line
    measure = _found if isinstance(form.shifts, ScoredShifts) else form.measure
    how: dict[str, Any] = {"shifts": options.shifts, "seed": options.seed}
    lower = form.metric.row.better == "lower"
    everywhere = form.shifts.turns(measure, lower=lower, **how)
    close = form.shifts.turns(measure, lower=lower, blocks=TENTHS, **how)
    turns = everywhere if isinstance(options.null, ShiftedNull) else close
    chance = float(np.ravel(measure(turns.expected))[0])
    top = form.metric.row.range[0 if lower else 1]
    corrected = sorted(_corrected(end, chance, top) for end in (found.low, found.high))
    tests = {ShiftedNull.name: _held(everywhere), NearbyNull.name: _held(close)}
    both = max(everywhere.p_value, close.p_value)
    ahead = (form.value - chance) * (-1 if lower else 1)
    values = form.shifts.values(measure, **how)
    needed = needed_events(line.event_count, ahead, values, found.se)
    return replace(
        line, chance=chance, null=options.null.name, corrected_low=corrected[0],
        corrected=_corrected(form.value, chance, top), corrected_high=corrected[1],
        p_value=turns.p_value, p_adjusted=both, p_nearby=close.p_value, p_joint=both, tests=tests,
        p_below=turns.p_below, shifts=turns.shifts, exact=turns.exact,
        needed_low=needed[0], events_needed=needed[1], needed_high=needed[2],
    )  # fmt: skip


def _held(turns: Turns) -> HeldAgainst:
    p = turns.p_value
    return HeldAgainst(p, turns.p_below, turns.shifts, turns.exact, p, p)


def _best_shifts(form: ThingsForm, case: OnCallCase) -> TimeShifts | None:
    """The alerts at other times, for a threshold that is chosen there; None: it is read anew."""
    if type(form.metric.parts.counting) not in _COUNTED:
        return None
    return best_shifts(case, form.measure, lower=form.metric.row.better == "lower")


def _always(form: ThingsForm, case: OnCallCase) -> float:
    """What one alert for each service scores that lasts as long as anybody watched."""
    parts = {name: part for name, part in case.watched.parts.items() if part.length}
    if not parts:
        return math.nan
    begin = [int(part.starts[0]) for part in parts.values()]
    end = [int(part.ends[-1]) for part in parts.values()]
    alerts = Alerts(
        begin,
        end,
        unit=None if case.incidents.in_points else "ns",
        service=None if case.incidents.service is None else list(parts),
        score=None if case.alerts.score is None else [1.0] * len(parts),
    )
    on = replace(case, alerts=alerts, at=None, given=None)
    return _value(form.metric, on)


def _corrected(value: float, chance: float, top: float) -> float:
    return (value - chance) / (top - chance) if chance != top else math.nan


def default_things_metrics(case: OnCallCase) -> list[Metric]:
    """Metrics for who asks for none: of events, balanced, delays and false alarms."""
    names = ("event_recall", "event_precision", "event_f1", "f1_ba", "detection_delay")
    per = 1 if case.incidents.in_points else "1w"
    false = catalogue["false_alarms"].metric.with_settings(per=per)
    return [*(catalogue[name].metric for name in names), false]
