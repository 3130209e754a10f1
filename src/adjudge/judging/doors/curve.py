"""`adjudge.curve`: a metric at every threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudge.checks import suggest_keywords
from adjudge.data.case import Case
from adjudge.metrics.reader import metric as read_metric

if TYPE_CHECKING:
    from adjudge._typing import Column
    from adjudge.measure.curves import Curve
    from adjudge.metrics.metric import Metric


@suggest_keywords("curve")
def curve(
    labels: Column,
    scores: Column,
    metric: str | Metric = "f1_ba",
    *,
    series: Column = None,
    where: Column = None,
    time: Column = None,
) -> Curve:
    """Precision, recall and F at every threshold.

    Parameters
    ----------
    labels, scores : column
        The truth (or `adjudge.Events`), and one number per point.
    metric : spec or Metric
        A metric that has one value per threshold.
    series, where, time : column, optional
        See `adjudge.Case`.

    Returns
    -------
    Curve
        Thresholds from the highest down, with precision, recall, F and the metric's values.

    Raises
    ------
    InputError
        If the metric has no curve, or columns do not fit together.

    Examples
    --------
    >>> found = curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], "f1")
    >>> found.thresholds
    array([0.8 , 0.4 , 0.35, 0.1 , -inf])
    >>> found.best()  # flags what scores above 0.1
    Best(threshold=0.1, value=0.8)
    """
    return read_metric(metric).curve(Case(labels, scores, series=series, where=where, time=time))
