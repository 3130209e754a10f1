"""On call: incidents and alerts in watched time, and the same on a grid of points."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from adjudge.checks import is_whole, suggest_keywords, word
from adjudge.data.clock import Clock
from adjudge.data.durations import duration
from adjudge.data.events import Events
from adjudge.data.incidents import Alerts, Incidents, services_of
from adjudge.data.interval_reading import MAX_STEPS
from adjudge.data.intervals import covered, repeat
from adjudge.data.shared_clock import RULES
from adjudge.data.watched import WatchedTime, check_alike, ends_of, read_span, read_stretches
from adjudge.errors import InputError, shown
from adjudge.judging.inputs.contract import Input
from adjudge.judging.inputs.detectors import detectors_of
from adjudge.judging.inputs.points import Points
from adjudge.judging.judge.which_metrics import all_metrics
from adjudge.judging.on_call.case import OnCallCase
from adjudge.judging.on_call.results import OnCallResults
from adjudge.judging.on_call.values import (
    ReadyAlerts,
    check_null,
    needs_points,
    refuse_without_scores,
    turning_of,
    unit_of,
)
from adjudge.metrics.on_alerts import above, raised
from adjudge.metrics.reader import catalogue

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge._typing import Flags, Positions
    from adjudge.data.incidents import TimedRows
    from adjudge.judging.comparing.facing import Facing
    from adjudge.judging.judge.judge import Judged, Request, ThresholdKind
    from adjudge.judging.judgement import Judgement
    from adjudge.judging.receipt import Account
    from adjudge.metrics.metric import Metric
    from adjudge.noise.ask import Ask


@suggest_keywords("OnCall")
@dataclass(frozen=True, eq=False, repr=False)
class OnCall(Input):
    """Incidents and alerts in watched time.

    Incidents and alerts have times of their own: an alert is counted where it starts, in watched
    time, and is right if it overlaps an incident of its service.

    Parameters
    ----------
    incidents : Incidents
        The truth.
    alerts : Alerts, or dict of Alerts
        One detector, or several by name.
    span : pair of times
        From when to when is judged. Open incidents and alerts last until its end.
    watched, outages : table or pairs of times, optional
        The time in which somebody watched, or did not; a column ``service`` says where, "*" is
        everywhere.
    early : duration, optional
        How long before an incident an alert may start and still find it.
    services : bool, optional
        Whether an alert belongs to incidents of its own service alone. Default: where all tables
        have services.
    every : duration, optional
        The step of a grid, for metrics that judge points. All others need none.
    clock : {"auto", "shared", "own"}
        Whether all services live through the same time, so that their alerts are shifted together.
        Default: they do, as they have one span.

    Examples
    --------
    >>> import adjudge as aj
    >>> incidents, alerts = aj.Incidents([10, 50], [20, 60]), aj.Alerts([12, 70], [14, 75])
    >>> day = aj.OnCall(incidents, alerts, span=(0, 90))
    >>> aj.evaluate(day, "event_f1", chance=False)["event_f1"]
    0.5
    >>> print(aj.explain(day, "event_f1").value)
    0.5
    """

    incidents: Incidents
    alerts: Alerts | Mapping[str, Alerts]
    _: KW_ONLY
    span: Any = None
    watched: Any = None
    outages: Any = None
    early: Any = None
    services: Any = None
    every: Any = None
    clock: str = "auto"

    noun: ClassVar[str] = "incidents and alerts"
    made: ClassVar[str] = "aj.OnCall(incidents, alerts, ...)"
    renamed: ClassVar[Mapping[str, str]] = {"series": "services"}
    instead: ClassVar[Mapping[str, str]] = {"where": "use watched= or outages="}

    def __post_init__(self) -> None:
        """Read all tables, so that what does not fit together is refused here."""
        Incidents.check(self.incidents, "incidents")
        self.cases  # noqa: B018 - read once, and kept

    @cached_property
    def _alerts(self) -> dict[str, Alerts]:
        tables = dict(detectors_of(self.alerts, "alerts"))
        for name, table in tables.items():
            called = f" of {name!r}" * (len(tables) > 1)
            Alerts.check(table, f"scores{called}", " where labels are Incidents")
            check_alike(f"alerts{called}", table, self.incidents)
        return tables

    @property
    def detectors(self) -> list[str]:
        """What the detectors are called."""
        return list(self._alerts)

    @cached_property
    def cases(self) -> tuple[OnCallCase, ...]:
        """The incidents beside all alerts of each detector, in watched time."""
        shared = word(self.clock, "clock", RULES) != "own"
        given = list(self._alerts.values())
        filled = next((table for table in (self.incidents, *given) if len(table)), None)
        zone = filled.clock.zone if filled is not None and filled.clock is not None else None
        span = self._span(zone)
        like = span if filled is None else filled
        incidents, tables = self.incidents.timed_as(like), [one.timed_as(like) for one in given]
        stretches = [
            read_stretches(values, like, name, **_zoned(zone))
            for name, values in (("watched", self.watched), ("outages", self.outages))
        ]
        early = 0 if self.early is None else _early(self.early, points=like.is_in_points)
        if not self._by_service(tables):
            incidents, tables = incidents.without_services(), [t.without_services() for t in tables]
            services = [""]
        else:
            services = services_of(incidents, *tables, *stretches) or [""]
        watched = WatchedTime.over(ends_of(span, like), services, *stretches)
        return tuple(
            OnCallCase(name, incidents, alerts, watched, early, shared=shared)
            for name, alerts in zip(self._alerts, tables, strict=True)
        )

    def _span(self, zone: str | None) -> TimedRows:
        if self.span is None:
            raise InputError(
                "span must be given with incidents: the pair (start, end) of the watched "
                "time, from which quiet time is counted"
            )
        return read_span(self.span, **_zoned(zone))

    def _by_service(self, tables: Sequence[Alerts]) -> bool:
        """Whether alerts belong to their own service alone: by default where all have one."""
        every = all(t.service is not None or not len(t) for t in (self.incidents, *tables))
        if self.services is None:
            return every
        if self.services is False:
            return False
        if self.services is not True and not (
            isinstance(self.services, str) and self.services == "service"
        ):
            raise InputError(
                "services must be True (each service separately, the default where all tables "
                f"have the column) or False (all as one), got {shown(self.services)}"
            )
        if not every:
            raise InputError("services must be False where a table has no column service, got True")
        return True

    def raised(self, at: Any) -> list[OnCallCase]:
        """The detectors, with those alerts alone whose score is above a threshold.

        Parameters
        ----------
        at : number, rule, policy, or a dict of them
            One threshold for all detectors, or one for each by name; None: all alerts are raised.
        """
        levels = at if isinstance(at, Mapping) else dict.fromkeys(self.detectors, at)
        if levels.keys() != set(self.detectors):
            raise InputError(
                f"at must have a threshold for each of {', '.join(self.detectors)}, got {shown(at)}"
            )
        return [
            case if levels[case.name] is None else above(case, levels[case.name])
            for case in self.cases
        ]

    def check(self, request: Request) -> None:
        """Refuse what has no meaning for alerts, and metrics of points where there is no grid.

        Parameters
        ----------
        request : Request
            What is to be known of every detector.
        """
        super().check(request)
        if not request.oracle:
            self.refuse("oracle", request.oracle)
        if self.every is not None:
            return
        refuse_without_scores(request.requested, self.cases)
        of_points = [str(one) for one in request.requested if needs_points(one, self.cases)]
        if of_points:
            raise InputError(
                f"every must be given for {', '.join(of_points)}, which judges points: the "
                "step of a time grid, as in every='1min' (--every 1min)"
            )

    def placed(self, at: Any) -> list[ReadyAlerts]:
        """The detectors, each at its threshold, and on a grid if there is one.

        Parameters
        ----------
        at : number, rule, or a dict of them
            One threshold for all detectors, or one for each by name.
        """
        raised = self.raised(at)
        if self.every is None:
            return [ReadyAlerts(case, self.cases) for case in raised]
        drawn = self._drawn(raised).placed(None)
        return [
            ReadyAlerts(case, self.cases, (one,)) for case, one in zip(raised, drawn, strict=True)
        ]

    def default_metrics(self, kind: ThresholdKind) -> list[Metric]:  # noqa: ARG002 - alerts need none
        """Metrics of events, balanced, delays and false alarms."""
        names = ("event_recall", "event_precision", "event_f1", "f1_ba", "detection_delay")
        return [*(catalogue[name].metric for name in names), self._false_alarms]

    def usual_over_time(self, at: Any) -> list[Metric]:  # noqa: ARG002 - alerts need none
        """Recall and precision of events, and false alarms."""
        names = ("event_recall", "event_precision")
        return [*(catalogue[name].metric for name in names), self._false_alarms]

    @property
    def _false_alarms(self) -> Metric:
        per = 1 if self.incidents.is_in_points else "1w"
        return catalogue["false_alarms"].metric.with_settings(per=per)

    def every_metric(self, ready: ReadyAlerts, kind: ThresholdKind) -> list[Metric]:
        """Every metric that is listed; without a grid those that need no points.

        Parameters
        ----------
        ready, kind : ReadyAlerts, ThresholdKind
            A detector, and how its threshold is to be had.
        """
        listed, gridded = all_metrics(kind), self.every is not None
        known = [one for one in listed if gridded or not needs_points(one, self.cases)]
        return [one for one in known if one.at_one_threshold or not ready.case.policy]

    def check_windows(self) -> None:
        """Incidents have times, and so windows."""

    def summed_up(self, found: Judgement, each: list[Judged], ask: Ask) -> Judgement:  # noqa: ARG002 - alerts are all there is
        """Put the incidents and the alerts of each detector beside the rows.

        Parameters
        ----------
        found, each, ask : Judgement, list of Judged, Ask
            The rows of all detectors, what was said of each, and what was to be known of them.
        """
        return replace(found, alerts=OnCallResults(tuple(one.ready.case for one in each)))

    def cases_of(self, found: Judgement, metric: Metric | None = None) -> Sequence[Any]:
        """The alerts of each detector beside the incidents, or both on the grid.

        Parameters
        ----------
        found, metric : Judgement, Metric
            What was found, and the metric; None: one of alerts.
        """
        gridded = metric is not None and needs_points(metric, self.cases)
        return found.cases if gridded else found.alert_cases

    def again(self, metric: Metric, case: Any, at: Any) -> Any:
        """A part of the alerts or of the grid, placed as the whole was.

        Parameters
        ----------
        metric, case, at : Metric, case, threshold
            By what it is judged, and what chooses the threshold.
        """
        if needs_points(metric, self.cases):
            return super().again(metric, case, at)
        return ReadyAlerts(case if at is None else above(case.whole, at), self.cases)

    def facing(self, metric: Metric, at: tuple[Any, Any], ask: Ask) -> Facing:
        """Two lists of alerts, incident by incident and quiet stretch by quiet stretch.

        Parameters
        ----------
        metric, at, ask : Metric, pair of thresholds, Ask
            What `adjudge.compare` was asked.
        """
        from adjudge.judging.comparing.facing import Facing  # noqa: PLC0415 - to compare
        from adjudge.noise.comparing.rivals import Rival  # noqa: PLC0415 - the same

        levels = dict(zip(self.detectors, at, strict=False))  # the only one faces itself
        self.refuse_all(draws=ask.draws)
        if self.every is not None and needs_points(metric, self.cases):
            return self.only_points(levels).facing(metric, (None, None), ask)
        if ask.null is not None:
            check_null(ask.null)
        cases = self.raised(levels)
        refuse_without_scores([metric], cases)
        sides = [raised(metric, case) for case in cases]
        a, b = (Rival.of(*turning_of(side), side.value) for side in (sides[0], sides[-1]))
        notes = tuple(f"{case.name}: {case.sentence}" for case in cases)
        seconds = 1.0 if unit_of(sides[0].resolved, cases[0]) == "seconds" else math.nan
        return Facing((a, b), sides[0].spec, notes, seconds)

    def explained(self, metric: Metric, at: Any) -> Account:
        """How alerts match the incidents.

        Parameters
        ----------
        metric, at : Metric, threshold
            What `adjudge.explain` was asked.
        """
        from adjudge.judging.on_call.receipt import explain_alerts  # noqa: PLC0415 - to explain

        if self.every is not None and needs_points(metric, self.cases):
            return self.only_points(at).explained(metric, None)
        (case,) = self.raised(at)
        if metric.row.needs == "scores":
            raise InputError(
                f"{metric} judges every threshold at once, so no single alert is right or "
                "false: use event_f1 with at="
            )
        return explain_alerts(raised(metric, case))

    def of_cases(self, cases: Sequence[OnCallCase]) -> OnCall:
        """The same detectors with other alerts."""
        return self.with_read(cases=tuple(cases))

    def only_points(self, at: Any) -> Points:
        """The same as flags on a grid, where nothing else is judged.

        Nothing knows there what an early alert is.
        """
        if self.early is not None:
            self.refuse("early", self.early, "; metrics that judge points on a grid take none")
        return self._drawn(self.raised(at))

    def _drawn(self, raised: Sequence[OnCallCase]) -> Points:
        """Detectors on the grid, services on one clock or not."""
        rule = "own" if self.clock == "own" else "shared"
        return Points(*on_grid(raised, self.every), clock=rule)

    def only(self, *names: str) -> OnCall:
        """The same with some of the detectors."""
        return replace(self, alerts={name: self._alerts[name] for name in names})


def _zoned(zone: str | None) -> dict[str, Any]:
    """How naive times beside times of a named zone are read."""
    return {"tz": zone} if zone is not None and zone[0] not in "+-" else {}


def _early(early: Any, *, points: bool) -> int:
    if points and isinstance(early, int) and not isinstance(early, bool) and early >= 0:
        return early
    return duration(early, "early")


def on_grid(cases: Sequence[OnCallCase], every: Any) -> tuple[Events, dict[str, Flags]]:
    """The incidents and the alerts of each detector on a grid, the services one after another.

    A thing marks every step that it touches. Steps of which nothing is watched are not judged.
    """
    first = cases[0]
    begin, end = first.watched.span
    step = every if first.incidents.is_in_points and is_whole(every) else duration(every, "every")
    count = -(-(end - begin) // step) if step else 0
    services = list(first.watched.parts)
    if not 0 < count * len(services) <= MAX_STEPS:
        raise InputError(
            f"every must give 1 to {MAX_STEPS:,} steps in all services, got {shown(every)}"
        )
    ticks = _Ticks(begin, step, count, services)
    watched = np.concatenate([ticks.marked(*part) for part in first.watched.parts.values()])
    if not watched.any():
        raise InputError(
            f"every must be left out when watched and outages leave no time, got {shown(every)}"
        )
    labels = ticks.of(first.incidents, first.watched.span) & watched
    series = repeat(np.array(services, object), count)
    truth = Events.from_labels(labels, series=series, where=watched)
    truth = replace(truth, fixed_series=True)
    if first.incidents.clock is not None:
        clock = Clock(np.tile(begin + step * np.arange(count, dtype=np.int64), len(services)),
                      first.incidents.clock.zone)  # fmt: skip
        truth = replace(truth, clock=clock)
    return truth, {case.name: ticks.of(case.alerts, case.watched.span) for case in cases}


class _Ticks(NamedTuple):
    """A grid of equal steps, once for each service."""

    begin: int
    step: int
    steps: int
    services: list[str]

    def marked(self, starts: Positions, ends: Positions) -> Flags:
        """Which steps of one service intervals touch; a moment touches one."""
        low = np.clip((starts - self.begin) // self.step, 0, self.steps)
        high = np.clip(-((self.begin - ends) // self.step), low, self.steps)
        high = np.minimum(np.maximum(high, low + 1), self.steps)
        return covered(low, high, self.steps)

    def of(self, rows: TimedRows, span: tuple[int, int]) -> Flags:
        """Which steps the rows touch, service after service."""
        first, last = span
        ends = np.minimum(rows.until(last), last)
        inside = (rows.start < last) & (np.maximum(rows.until(last), rows.start + 1) > first)
        parts = []
        for service in self.services:
            mine = inside & (rows.place == service)
            parts.append(self.marked(np.maximum(rows.start[mine], first), ends[mine]))
        return np.concatenate(parts)
