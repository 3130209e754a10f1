"""Rows of metrics on instants, each value beside what the same alerts score at other times."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from adjudge.count.delays import Delays, Resets
from adjudge.errors import InputError
from adjudge.judging.judge.judge import Told
from adjudge.measure.whole.event_ap import AlertAp, IntervalAp
from adjudge.metrics.on_alerts import raised, resolved
from adjudge.noise.null_models import NearbyNull, ShiftedNull

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from adjudge.data.case import Case
    from adjudge.judging.judge.prepared import Prepared
    from adjudge.judging.on_call.case import OnCallCase
    from adjudge.metrics.metric import Metric
    from adjudge.metrics.on_alerts import AtThreshold
    from adjudge.noise.ask import Ask
    from adjudge.noise.null_models import Null
    from adjudge.noise.shifting.circle_pieces import AlertTurns


class ReadyAlerts(NamedTuple):
    """The alerts of one detector at its threshold; it answers as `Prepared` does."""

    case: OnCallCase
    cases: Sequence[OnCallCase]
    """Those of all detectors, which are judged alike: by a metric all on alerts, or on a grid."""
    drawn: tuple[Prepared, ...] = ()
    """The same on a grid, if there is one."""
    order: None = None
    """Alerts are not sorted."""
    known: bool = True
    """Alerts are alarms."""

    @property
    def on_points(self) -> tuple[Case, ...]:
        """The same on the grid."""
        return tuple(one.as_one for one in self.drawn)

    def told(
        self, metrics: list[Metric], ask: Ask, part: Callable[[float], None] | None = None
    ) -> Iterator[Told]:
        """All values; of metrics that judge points those on the grid."""
        if ask.chance:
            check_null(ask.null)
        of_points = [one for one in metrics if self.drawn and needs_points(one, self.cases)]
        on_grid = (told for one in self.drawn for told in one.told(of_points, ask, part))
        for metric in metrics:
            yield next(on_grid) if metric in of_points else told_of_alerts(metric, self.case)

    def events(self, *_: Any) -> list[dict[str, Any]]:
        """A row per incident: when it was, and how it was found."""
        return self.case.events


def unit_of(metric: Metric, case: OnCallCase) -> str:
    """What a value counts: seconds (or points) of a delay; "" for what has no unit."""
    timed = isinstance(metric.parts.counting, (Delays, Resets))
    return ("points" if case.incidents.is_in_points else "seconds") * timed


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
            f"every alert must have a score for {scored[0]}, got none for {bare[0]!r}; give "
            "them one: aj.Alerts(start, end, score=...), or a column score in the file"
        )


def told_of_alerts(metric: Metric, case: OnCallCase) -> Told:
    """The value of one detector by one metric, which needs no points."""
    above = raised(metric, case)
    found, value = above.case, above.value
    unit = unit_of(above.resolved, found)
    timed = unit == "seconds"
    fields = dict(  # noqa: C408 - columns by name
        detector=found.name,
        metric=above.spec,
        resolved_metric=above.metric,
        at=None if above.chosen_by == "none" else found.at,
        chosen_by=above.chosen_by,
        rule=found.policy or (found.rule if above.chosen_by == "rule" else ""),
        requested=str(metric),
        flagged=found.count.tally.flagged,
        unit=unit,
        seconds=value if timed else math.nan,
        seconds_per_point=1.0 if timed else math.nan,
    )
    return Told(*turning_of(above), value, fields)


def turning_of(above: AtThreshold) -> tuple[Metric, AlertTurns]:
    """The metric, and the alerts that turn: for ``best(...)`` all, of which it chooses anew."""
    if above.chosen_by == "oracle":
        return replace(above.resolved, oracle=True), above.case.whole.turns
    return above.resolved, above.case.turns


def check_null(null: Null) -> None:
    """Refuse null models that move points."""
    if not isinstance(null, (ShiftedNull, NearbyNull)):
        raise InputError(
            "null must be 'shifted' or 'nearby' for incidents and alerts, got "
            f"{getattr(null, 'name', null)!r}; other null models move points: put both on a "
            "grid with aj.Events.from_times(..., every='1min')"
        )
