"""The best threshold, chosen by an oracle that looks at the labels."""

from __future__ import annotations

from dataclasses import replace

from adjudge.checks import suggest_keywords, whole
from adjudge.count.tally import GRID
from adjudge.errors import InputError, shown
from adjudge.metrics.across_channels import as_spec
from adjudge.metrics.metric import Metric


@suggest_keywords("best")
def best_of(metric: Metric, thresholds: int | None = GRID) -> Metric:
    """The metric at its best threshold, chosen in hindsight from the labels.

    An oracle looks at the labels, so its value is an upper bound on what the detector could do with
    the right threshold, not what it does. Without events the best choice is silence: NaN for every
    metric that is undefined there, as F-scores are.

    Parameters
    ----------
    metric : Metric
        A metric that has one value per threshold.
    thresholds : int or None
        How many thresholds to try (None: every distinct score), of a metric that must be counted
        anew at each. The spec says so. Most metrics are exact at every threshold from one
        sort; then it does not matter.

    Returns
    -------
    Metric
        The metric at its best threshold, written ``best(...)``.

    Raises
    ------
    InputError
        If the metric judges every threshold anyway, or has a threshold already.

    Examples
    --------
    >>> import adjudge as aj
    >>> aj.best(aj.f1)([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.8
    """
    if not isinstance(metric, Metric):
        raise InputError(f"best(...) takes a metric, got {shown(metric)}{as_spec('best', metric)}")
    if metric.row.needs == "scores":
        raise InputError(f"{metric} judges every threshold at once; drop best(...)")
    if metric.each:
        raise InputError(f"{metric} chooses a threshold for each channel already")
    if thresholds is not None:
        thresholds = whole(thresholds, "thresholds", 1)
    return replace(metric, oracle=True, thresholds=None if metric.sweeps else thresholds)
