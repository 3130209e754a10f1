"""Which metrics to judge by, where nobody named them: by how a threshold is to be had."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudge.checks import items
from adjudge.errors import InputError
from adjudge.metrics.oracle import best_of
from adjudge.metrics.reader import catalogue
from adjudge.metrics.reader import metric as read_metric

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from adjudge.judging.judge.judge import ThresholdKind
    from adjudge.metrics.metric import Metric, Row


_F_SCORES = ("f1", "f1_pa", "f1_kpa", "f1_ba")
_EVENT_RATES = ("event_precision", "event_recall")
_AREAS = ("auc_roc", "ap")  # no auc_pr: by trapezoids a constant score beats many a detector


def read_metrics(
    metrics: str | Metric | Iterable[str | Metric] | None,
) -> tuple[list[Metric], bool]:
    """Read what is asked for, and whether that is everything."""
    if metrics is None:
        return [], False
    one = isinstance(metrics, str) or callable(metrics)
    given = [metrics] if one else items(metrics, "metrics", "specs")
    if not given:
        raise InputError("metrics must name at least one metric, got none")
    every = [isinstance(spec, str) and spec == "all" for spec in given]
    read = [read_metric(spec) for spec, whole in zip(given, every, strict=True) if not whole]
    rows: dict[str, Row] = {}
    for metric in read:
        if rows.setdefault(metric.name, metric.row) is not metric.row:
            raise InputError(f"metrics must have distinct names, got two called {metric.name!r}")
    return read, any(every)


def default_metrics(threshold: ThresholdKind) -> list[Metric]:
    """Choose metrics for who asks for none: by how the threshold is to be had."""
    scores = [catalogue[name].metric for name in _F_SCORES]
    areas = [catalogue[name].metric for name in _AREAS]
    match threshold:
        case "known":
            return scores + [catalogue[name].metric for name in _EVENT_RATES] + areas
        case "oracle":
            return [best_of(metric) for metric in scores] + areas
    return areas


_CHANGES = (
    "change_f1", "change_precision", "change_recall", "change_delay", "time_between_false_alarms",
)  # fmt: skip


def default_of_changes(threshold: ThresholdKind) -> list[Metric]:
    """The same for truth that is a list of positions, which other metrics refuse."""
    metrics = [catalogue[name].metric for name in _CHANGES]
    if threshold == "none":
        raise InputError(
            "at must be given for labels that are changes and scores that are not 0/1: "
            "at=<threshold> (--at X), or oracle=True for the best in hindsight (--best)"
        )
    return [best_of(metric) for metric in metrics] if threshold == "oracle" else metrics


def all_metrics(threshold: ThresholdKind) -> list[Metric]:
    """Choose every metric that is listed: by how the threshold is to be had."""
    metrics = [row.metric for row in catalogue.values() if row.listed]
    if threshold == "oracle":
        return [best_of(m) if m.at_one_threshold else m for m in metrics]
    return [m for m in metrics if threshold == "known" or not m.at_one_threshold]


def with_oracle(spec: str | Metric) -> Metric:
    """A metric whose threshold an oracle chooses, where it has none of its own.

    >>> with_oracle("f1"), with_oracle("ap"), with_oracle("f1(at=0.5)")
    (best(f1), ap, f1(at=0.5))
    """
    metric = read_metric(spec)
    return best_of(metric) if metric.needs_threshold else metric


def metrics_by_oracle(specs: Sequence[str]) -> list[Metric]:
    """The metrics of some specs ("all" among them, or none at all), each at its best threshold."""
    named = [with_oracle(spec) for spec in specs if spec != "all"]
    if "all" in specs:
        return named + all_metrics("oracle")
    return named or default_metrics("oracle")
