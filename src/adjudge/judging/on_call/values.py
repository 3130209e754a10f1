"""Rows of metrics on instants, each value beside what the same alerts score at other times."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from adjudge.count.delays import Delays, Resets
from adjudge.errors import InputError
from adjudge.judging.result_columns import Finding
from adjudge.measure.whole.event_ap import AlertAp, IntervalAp
from adjudge.metrics.on_alerts import raised, resolved
from adjudge.metrics.reader import catalogue
from adjudge.noise.chance_line import chance_line
from adjudge.noise.null_models import NearbyNull, ShiftedNull

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge.judging.on_call.case import OnCallCase
    from adjudge.metrics.metric import Metric
    from adjudge.metrics.on_alerts import Raised
    from adjudge.noise.chance_columns import ChanceLine
    from adjudge.noise.chance_line import LineOptions


def unit_of(metric: Metric, case: OnCallCase) -> str:
    """What a value counts: seconds (or points) of a delay; "" for what has no unit."""
    timed = isinstance(metric.parts.counting, (Delays, Resets))
    return ("points" if case.incidents.in_points else "seconds") * timed


def needs_points(metric: Metric, cases: Sequence[OnCallCase]) -> bool:
    """Whether a metric cannot be told from things, and needs a grid of points."""
    plain = replace(metric, oracle=False, at=None)
    bare = metric.oracle and any(case.alerts.score is None for case in cases)
    return bare or any(resolved(plain, case) is None for case in cases)


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
    case, value = above.case, above.value
    assert above.metric is not None  # noqa: S101 - its caller has looked
    unit = unit_of(above.metric, case)
    timed = unit == "seconds"
    row = Finding(
        detector=case.name,
        metric=above.spec,
        judged_by=above.metric,
        value=zero_division if math.isnan(value) else value,
        at=None if above.chosen_by == "none" else case.at,
        chosen_by=above.chosen_by,
        rule=case.rule if above.chosen_by == "rule" else "",
        asked=str(metric),
        flagged=case.count.tally.flagged,
        unit=unit,
        seconds=value if timed else math.nan,
        seconds_per_point=1.0 if timed else math.nan,
    )
    return row if line is None else replace(row, **vars(beside_things(above, line)))


def beside_things(above: Raised, options: LineOptions) -> ChanceLine:
    """What chance makes of a value."""
    if not isinstance(options.null, (ShiftedNull, NearbyNull)):
        raise InputError(
            "null must be 'shifted' or 'nearby' for incidents and alerts, got "
            f"{getattr(options.null, 'name', options.null)!r}; others move points: lay both on a "
            "grid, aj.Events.from_times(..., every='1min'), to ask for it"
        )
    oracle, metric = above.chosen_by == "oracle", above.metric
    assert metric is not None  # noqa: S101 - its caller has looked
    case = above.case.whole if oracle else above.case  # its threshold is chosen again elsewhere
    return chance_line(replace(metric, oracle=oracle), case.turns, above.value, options)


def default_things_metrics(case: OnCallCase) -> list[Metric]:
    """Metrics for who asks for none: of events, balanced, delays and false alarms."""
    names = ("event_recall", "event_precision", "event_f1", "f1_ba")
    delay = catalogue["detection_delay"].metric.with_settings(average="median")
    per = 1 if case.incidents.in_points else "1w"
    false = catalogue["false_alarms"].metric.with_settings(per=per)
    return [*(catalogue[name].metric for name in names), delay, false]
