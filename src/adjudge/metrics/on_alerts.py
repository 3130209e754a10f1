"""Metrics on alerts with times of their own: which settings they have there, threshold, and value.

Counts are of incidents and alerts as given, masses are lengths of time. `resolved` says which
metrics judge points, and need a grid.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.adjust.balanced import Balanced, is_length
from adjudge.count.delays import FalseRuns, WatchedRuns
from adjudge.count.lengths import width_in_time
from adjudge.count.runs import Runs
from adjudge.count.tally import Mass, Masses, grid
from adjudge.data.durations import NANOSECONDS, spelt
from adjudge.errors import InputError, shown
from adjudge.measure.curves import best, best_value
from adjudge.measure.rates import FalseAlarmRate, FalseAlarms
from adjudge.measure.thresholds.contract import Rule
from adjudge.measure.thresholds.policy import Policy
from adjudge.measure.whole.event_ap import AlertAp, IntervalAp
from adjudge.metrics.spec import threshold

if TYPE_CHECKING:
    from typing import TypeVar

    from adjudge.count.alert_case import AlertCase
    from adjudge.count.time_count import TimeCount
    from adjudge.metrics.metric import ChosenBy, Metric

    Alarms = TypeVar("Alarms", bound=AlertCase)

_MILLI = NANOSECONDS["ms"]
_NEAR = "30min"  # the largest tolerance for starts, unless another is given
_COUNTED = (Runs, FalseRuns, WatchedRuns)
"""Countings of incidents and alerts, which are known at every threshold at once."""


def resolved(metric: Metric, case: AlertCase) -> Metric | None:
    """The metric with its settings in the unit of the instants; None where it needs points."""
    measure, adjust, counting = metric.parts
    timed = not case.incidents.is_in_points
    if isinstance(measure, (AlertAp, IntervalAp)):
        if case.alerts.score is None or isinstance(measure, IntervalAp):
            return None if case.alerts.score is None else metric
        if timed and "tolerance" not in dict(metric.settings):
            metric = metric.with_settings(tolerance=_NEAR)
        _check_unit(dict(metric.parts.settings)["tolerance"], "tolerance", timed=timed)
        return metric
    if not metric.needs_threshold or counting is None or not counting.knows_time(adjust):
        return None
    if isinstance(measure, (FalseAlarms, FalseAlarmRate)) and timed:
        return metric if isinstance(measure.per, str) else None
    if not isinstance(adjust, Balanced):
        return metric
    width: Any = adjust.width
    if width is None or width == "median":
        found = width_in_time(case.lines, median=width is not None)
        width = spelt(max(1, round(found / _MILLI)) * _MILLI) if timed else max(1, found)
    _check_unit(width, "width", timed=timed)
    return metric.with_settings(width=width)


def _check_unit(length: Any, name: str, *, timed: bool) -> None:
    """Refuse a number of points where incidents have times, and a duration where they have none."""
    if is_length(length) != timed:
        kinds = ("a duration such as '30min'", "a number of points")
        raise InputError(
            f"{name} must be {kinds[not timed]}, since incidents are in "
            f"{'time' if timed else 'points'}, got {shown(length)}"
        )


def above(case: Alarms, at: Any) -> Alarms:
    """The case in which only those alerts are raised whose score is above a threshold.

    A policy acts on these, or without a threshold on all alerts.
    """
    found = threshold(at)
    if isinstance(found, Policy):
        kept = case if found.at is None else above(case, found.at)
        pages = found.on_alerts(kept.alerts, kept.watched.span[1])
        acts = found.fires_otherwise or found.pages_otherwise
        return kept.paged(pages, str(found)) if acts else kept
    if case.alerts.score is None:
        raise InputError(
            f"at must be left out for alerts without scores, got {shown(at)}; give scores as "
            "aj.Alerts(start, end, score=...), or a column score in the file; a policy that "
            'acts on alerts, such as policy(after="10min"),needs none'
        )
    if not isinstance(found, Rule):
        return case.raised(found)
    if found.on is not None:
        raise InputError(f"on must be left out with incidents and alerts, got {found}")
    scores = np.asarray(case.alerts.score, np.float64)  # as if each alert were a point
    return case.raised(float(found.threshold(scores)) if len(scores) else math.inf, str(found))


class AtThreshold(NamedTuple):
    """A metric at one threshold, and the alerts that are above it."""

    metric: Metric | None
    """With every setting resolved; None where it needs points."""
    case: Any
    chosen_by: ChosenBy
    requested: Metric

    @property
    def resolved(self) -> Metric:
        """The metric, where it needs no points; refused where it does."""
        if self.metric is None:
            raise InputError(
                f"{self.requested} judges points, and incidents and alerts have none: use "
                "event_f1, f1_ba or another metric of alerts, or --every STEP for a grid"
            )
        return self.metric

    @property
    def value(self) -> float:
        """The value."""
        return math.nan if self.metric is None else value_of(self.metric, self.case.outcome)

    @property
    def spec(self) -> str:
        """The metric as it was asked for, with every setting resolved."""
        found, asked = self.resolved, self.requested
        if asked.oracle:
            found = replace(found, oracle=True)
        elif asked.at is not None:
            found = found.with_settings(at=asked.at)
        return found.spec(asked.row.always_shown)


def raised(asked: Metric, case: AlertCase) -> AtThreshold:
    """Raise the alerts above the threshold that a metric has, or that is best for it."""
    metric = asked
    policy = case.policy or (str(asked.at) if isinstance(asked.at, Policy) else "")
    if policy and (asked.oracle or not asked.at_one_threshold):
        raise InputError(
            f"{asked} judges every threshold, but a policy acts on the alerts at one, got "
            f"{policy}; use event_f1 or another metric at one threshold, or drop the policy"
        )
    if asked.oracle:
        metric, case = replace(asked, oracle=False), case.whole
        plain = None if case.alerts.score is None else resolved(metric, case)
        if plain is None:
            return AtThreshold(None, case, "oracle", asked)
        return AtThreshold(
            plain, case.raised(best_level(plain, case, asked.thresholds)), "oracle", asked
        )
    if asked.at is not None and asked.at_one_threshold:
        metric, case = asked.with_settings(at=None), above(case.whole, asked.at)
    chosen: ChosenBy = "rule" if case.rule else "given"
    if not metric.at_one_threshold:  # which judges all of them
        chosen, case = "none", case.whole
    return AtThreshold(resolved(metric, case), case, chosen, asked)


def value_of(metric: Metric, count: TimeCount) -> float:
    """The value of a metric with every setting resolved."""
    if isinstance(metric.parts.measure, (AlertAp, IntervalAp)):
        return metric.parts.measure.on_alerts(count)
    return float(metric.value(metric.sums(count))[0])


def knows_every_level(metric: Metric) -> bool:
    """Whether the counts at every threshold are known at once."""
    return type(metric.parts.counting) in _COUNTED


def best_at_all_levels(metric: Metric, count: TimeCount) -> tuple[float, float]:
    """The highest threshold at which a metric is best, and its value there."""
    highest_score, right = count.highest_score[0], count.right[0]
    found, every = Mass(highest_score[count.found[0]]), Mass(count.score)
    normal = float(metric.sums(count)[0, 4])
    masses = Masses(found, len(highest_score), Mass(count.score[right]), Mass(count.score[~right]),
                    (every,), normal)  # fmt: skip
    at = best(metric.parts.measure, masses, lower=metric.row.better == "lower")
    return at.threshold, at.value


def best_level(metric: Metric, case: AlertCase, thresholds: int | None) -> float:
    """The highest threshold at which a metric is best, of a case with every alert raised."""
    if knows_every_level(metric):
        return best_at_all_levels(metric, case.outcome)[0]
    tried = grid(np.asarray(case.alerts.score, np.float64), thresholds)
    values = np.array([value_of(metric, case.raised(one).outcome) for one in tried.tolist()])
    lower, to_find = metric.row.better == "lower", len(case.places.row) > 0
    return best_value(tried, values, lower=lower, to_find=to_find).threshold
