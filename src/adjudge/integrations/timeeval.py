"""TimeEval: a metric among its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjudge.errors import MissingExtra
from adjudge.metrics.reader import metric as read_metric

try:
    from timeeval.metrics import Metric as TimeEvalMetric
except ImportError as error:
    raise MissingExtra("adjudge.integrations.timeeval", "TimeEval") from error

if TYPE_CHECKING:
    from adjudge.metrics.metric import Metric


class AdjudgeMetric(TimeEvalMetric):
    """Any metric of the catalogue, for ``TimeEval(..., metrics=[AdjudgeMetric("best(f1_ba)")])``.

    Parameters
    ----------
    metric : spec or Metric
        Its column in the results is called ``adjudge:`` and the spec.
    """

    def __init__(self, metric: str | Metric) -> None:
        self._metric = read_metric(metric)

    @property
    def name(self) -> str:
        """Name of the column."""
        return f"adjudge:{self._metric}"

    def score(self, y_true: Any, y_score: Any) -> float:
        """Judge the scores of one series."""
        return float(self._metric(y_true, y_score))

    def supports_continuous_scorings(self) -> bool:
        """Whether it takes scores; else TimeEval gives it flags."""
        metric = self._metric
        return metric.oracle or metric.row.needs == "scores" or metric.at is not None
