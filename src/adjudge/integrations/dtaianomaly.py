"""dtaianomaly: metrics of flags and of scores for its workflow."""

from __future__ import annotations

from typing import Any

from adjudge.errors import MissingExtra
from adjudge.metrics.reader import metric as read_metric

try:
    from dtaianomaly.evaluation import BinaryMetric, ProbaMetric
except ImportError as error:
    raise MissingExtra("adjudge.integrations.dtaianomaly", "dtaianomaly") from error


class AdjudgeBinary(BinaryMetric):
    """Any metric of flags; dtaianomaly's thresholds make the flags.

    Parameters
    ----------
    metric : str
        A spec such as "f1_ba(width=41)".
    """

    def __init__(self, metric: str = "f1_ba") -> None:
        self.metric = str(read_metric(metric))

    def _compute(self, y_true: Any, y_pred: Any, **_: Any) -> float:
        return float(read_metric(self.metric)(y_true, y_pred))


class AdjudgeProba(ProbaMetric):
    """Any metric of scores, or an oracle's best of flags.

    Parameters
    ----------
    metric : str
        A spec such as "ap" or "best(f1_ba)", which is exact over all thresholds from one sort.
    """

    def __init__(self, metric: str = "best(f1_ba)") -> None:
        self.metric = str(read_metric(metric))

    def _compute(self, y_true: Any, y_pred: Any, **_: Any) -> float:
        return float(read_metric(self.metric)(y_true, y_pred))
