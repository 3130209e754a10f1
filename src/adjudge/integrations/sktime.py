"""sktime: a metric for detectors that give points or segments."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from adjudge.data.changes import Changes
from adjudge.data.events import Events
from adjudge.errors import InputError, MissingExtra
from adjudge.metrics.reader import metric as read_metric

try:
    import pandas as pd
    from sktime.performance_metrics.detection._base import BaseDetectionMetric
except ImportError as error:
    raise MissingExtra("adjudge.integrations.sktime", "sktime") from error


class AdjudgeMetric(BaseDetectionMetric):
    """Any metric of flags in the catalogue, for sktime's points and segments.

    Parameters
    ----------
    metric : str
        A spec such as "f1_ba" or "event_f1". The length of the series is that of ``X``.

    Examples
    --------
    >>> metric = AdjudgeMetric("f1_ba")  # doctest: +SKIP
    >>> metric(y_true, y_pred, X)  # doctest: +SKIP
    """

    _tags: ClassVar[dict[str, Any]] = {
        "scitype:y": "segments",
        "requires_X": True,
        "requires_y_true": True,
        "lower_is_better": False,
        "authors": "adjudge",
        "maintainers": "adjudge",
        "python_dependencies": "adjudge",
    }

    def __init__(self, metric: str = "f1_ba") -> None:
        self.metric = metric
        super().__init__()
        if read_metric(metric).row.better == "lower":
            self.set_tags(lower_is_better=True)

    def _evaluate(self, y_true: Any, y_pred: Any, X: Any) -> float:  # noqa: N803 - its name there
        metric = read_metric(self.metric)
        if metric.row.needs == "scores":
            raise InputError(
                f"metric must be a metric of flags, got {metric}: sktime gives segments"
            )
        read = _changes if metric.row.positions else _events
        return float(metric(read(y_true, len(X)), read(y_pred, len(X))))

    def _coerce_to_detection_type(self, y: Any, X: Any, allow_none: bool = False) -> Any:  # noqa: ARG002, N803
        """Leave points as they are: sktime would take them for places where segments change."""
        return y

    @classmethod
    def get_test_params(cls, parameter_set: str = "default") -> list[dict[str, str]]:  # noqa: ARG003
        """Parameters that sktime's own checks try."""
        return [{}, {"metric": "event_f1"}]


def _events(y: Any, n: int) -> Events:
    """Read points, or segments, by their positions; which ends belong to a segment it says."""
    if "ilocs" not in y and not isinstance(y.index, pd.IntervalIndex):
        raise InputError("y must have a column ilocs with the places of points or segments")
    places = y.get("ilocs", y.index)
    if isinstance(places.dtype, pd.IntervalDtype):
        segments = pd.arrays.IntervalArray(places)
        starts = np.asarray(segments.left, np.int64) + (segments.closed in {"right", "neither"})
        stops = np.asarray(segments.right, np.int64) + (segments.closed in {"right", "both"})
        return Events(starts, stops, n)
    points = np.asarray(places, np.int64)
    if points.size and not 0 <= points.min() <= points.max() < n:
        wrong = points[(points < 0) | (points >= n)][0]
        raise InputError(f"ilocs must be from 0 to {n - 1}, got {wrong}")
    flags = np.zeros(n, bool)
    flags[points] = True
    return Events.from_labels(flags)


def _changes(y: Any, n: int) -> Changes:
    """Read points as they are, neighbours and repeated ones too; of segments their starts."""
    if "ilocs" in y and not isinstance(y["ilocs"].dtype, pd.IntervalDtype):
        return Changes(np.asarray(y["ilocs"], np.int64), n)
    return Changes(_events(y, n).starts, n)
