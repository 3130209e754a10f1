"""Adjustments: from scores to scores, by what a hit or a false alarm is taken to mean."""

from adjudge.adjust.balanced import Balanced, Border, Reading, layered
from adjudge.adjust.simple import (
    Adjustment,
    Covered,
    Delayed,
    Dilated,
    Islands,
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
    "Reading",
    "layered",
    "point_adjusted",
    "raw",
]
