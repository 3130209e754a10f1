"""Threshold rules after the points were sorted: what they learn on goes with its points."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from adjudge.measure.thresholds import Rule
from adjudge.metrics.threshold_reader import threshold

if TYPE_CHECKING:
    from adjudge._typing import Positions
    from adjudge.metrics.metric import Metric


def reordered(at: Any, order: Positions) -> Any:
    """A threshold after all points were put in another order.

    >>> import numpy as np
    >>> from adjudge.measure.thresholds import Top
    >>> reordered(Top(1, on=[1, 0, 0, 1]), np.array([0, 3, 1, 2]))
    Top(k=1, on=Part('0:2'))
    """
    rule = None if at is None else threshold(at)
    if isinstance(rule, Rule) and rule.on is not None:
        return replace(rule, on=rule.on.reordered(order))
    return at


def with_rule_reordered(metric: Metric, order: Positions | None) -> Metric:
    """The same of the threshold that a metric has of its own; None: the points stay in order."""
    if metric.at is None or order is None:
        return metric
    return metric.with_settings(at=reordered(metric.at, order))
