"""Adjustments: from scores to scores, by what a hit or a false alarm is taken to mean."""

from adjudge.adjust.balanced import Balanced, Border, Marks
from adjudge.adjust.contract import Adjustment, Islands, Marking
from adjudge.adjust.simple import (
    Covered,
    Delayed,
    Dilated,
    PointAdjusted,
    Raw,
    point_adjusted,
    raw,
)

__all__ = [
    "Adjustment",
    "Balanced",
    "Border",
    "Covered",
    "Delayed",
    "Dilated",
    "Islands",
    "Marking",
    "Marks",
    "PointAdjusted",
    "Raw",
    "point_adjusted",
    "raw",
]
