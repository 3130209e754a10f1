"""What is asked of a ranking: its arguments, each checked once, as metrics and thresholds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from adjudge.checks import DRAWS, boolean, whole
from adjudge.data.case import Case
from adjudge.data.time_settings import is_duration
from adjudge.errors import AdjudgeError, InputError, shown
from adjudge.judging.judge.tuning import Tuned, read_threshold, tuned
from adjudge.judging.judge.which_metrics import default_metrics, read_metrics
from adjudge.measure.thresholds.contract import Rule
from adjudge.ranking.task import Task, Thresholds, takes_window

if TYPE_CHECKING:
    from adjudge.metrics.metric import Metric
    from adjudge.ranking.sources import Unit


def check_chance(chance: object, null: object, shifts: object) -> None:
    """Refuse what has no effect without the chance line."""
    if shifts is not None:
        whole(shifts, "shifts", 1, DRAWS)
        if chance is False:
            raise InputError(f"shifts must be None with chance=False, got {shifts!r}")
    if null != "shifted" and chance is False:
        raise InputError(f"null must be 'shifted' with chance=False, got {shown(null)}")


def check_baselines(baselines: object, signal: object, *, sort: bool) -> None:
    """Refuse what has no effect without rows of reference, or would be out of step with them."""
    boolean(baselines, "baselines")
    if signal is not None and not isinstance(signal, str):
        raise InputError(f"signal must be the name of a column, got {shown(signal)}")
    if signal is not None and not baselines:
        raise InputError(f"signal has no effect without baselines=True, got {shown(signal)}")
    if baselines and sort:
        raise InputError("sort has no effect on baselines, which need rows in time order")


def check_units_of_scores(
    asked: tuple[Metric, ...], thresholds: Thresholds | None, *, baselines: bool
) -> None:
    """Refuse one number as the threshold of scores that have units of their own."""
    named = {} if thresholds is None else thresholds.named
    numbers = [one.at for one in asked if isinstance(one.at, float | int)]
    numbers += [one for one in [named.get(None)] if isinstance(one, float | int)]
    if baselines and numbers:
        raise InputError(
            "at must be a rule with baselines, whose scores have other units, got "
            f"{numbers[0]}; use at='quantile(0.99)', or a metric inside best(...)"
        )


def thresholds_of(at: Any, train: Any, tune_on: str | None, tune_by: Any) -> Thresholds | None:
    """Read thresholds that differ by detector or series; None: one rule, or number, for all."""
    if tune_on is not None:
        if at is not None or train is not None:
            raise InputError("tune_on chooses the threshold: leave out at and train")
        return Thresholds({}, tune_by=str(tuned(tune_by or "f1_ba", on="0:1").metric))
    if tune_by is not None:
        raise InputError(f"tune_by must come with tune_on=, got {shown(tune_by)} alone")
    if isinstance(at, Mapping):
        named = {name if name is None else str(name): read_threshold(at[name]) for name in at}
    else:
        named = {None: read_threshold(at)}
    if train is not None and not any(isinstance(one, Rule) for one in named.values()):
        got = ", ".join(map(str, named.values())) if at is not None else "none"
        raise InputError(f"train needs a rule that learns, such as at='quantile(0.99)', got {got}")
    if train is None:
        special = isinstance(at, Mapping) or isinstance(named[None], Tuned)
        return Thresholds(named) if special else None
    if isinstance(train, Mapping):
        lengths = {str(name): whole(train[name], "train", 1) for name in train}
        return Thresholds(named, lengths)
    return Thresholds(named, train=True if isinstance(train, str) else whole(train, "train", 1))


def _in_points(metric: Metric) -> Metric:
    """Refuse durations: what is ranked is points, for the series of a benchmark have no clock."""
    for name, kind in metric.row.lengths.items():
        value = dict(metric.settings).get(name)
        if is_duration(value) and value not in kind.words:
            raise InputError(f"{name} must be a number of points in a ranking, got {value!r}")
    return metric


def asked_metrics(
    metrics: Any, at: Any, thresholds: Thresholds | None, units: list[Unit]
) -> tuple[Metric, ...]:
    """Read the metrics, each with its threshold; one and the same set for every detector."""
    at = at if thresholds is None else None  # else each detector has its own
    if metrics is None:
        known = at is not None or thresholds is not None or _are_flags(units)
        chosen = default_metrics("known" if known else "oracle")
    else:
        given, every = read_metrics(metrics)
        if every:
            raise InputError("metrics must be listed by name in a ranking, got 'all'")
        chosen = [_in_points(one) for one in given]
    return tuple(
        {str(one): one for one in (metric.with_default_threshold(at) for metric in chosen)}.values()
    )


def _are_flags(units: list[Unit]) -> bool:
    """Tell whether the first series holds nothing but 0/1 flags; what was read of it is kept."""
    first = units[0]
    try:
        table = first.read()
        units[0] = first.holding(table)
        cases = [Case(table.labels, column, where=table.where) for column in table.scores.values()]
    except AdjudgeError:  # it will be told when its turn comes
        return False
    return all(case.is_flags for case in cases)


def poolable(task: Task, window: object) -> tuple[Metric, ...]:
    """The metrics that mean the same on all series at once: with one threshold and one window."""
    chosen = task.thresholds
    if chosen is not None and (
        chosen.tune_by or any(isinstance(one, Tuned) for one in chosen.named.values())
    ):
        return ()
    return tuple(
        metric
        for metric in task.metrics
        if not (chosen is not None and metric.needs_threshold)
        and not (window is not None and takes_window(metric))
    )
