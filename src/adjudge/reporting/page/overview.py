"""The overview of a very long series: counts at some thresholds, and columns to draw.

The page then moves the threshold among 4,096 exact ones instead of all, and draws the lowest and
highest score of each column, so that no alarm and no event disappears.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.count import Points
from adjudge.metrics.oracle import best_of
from adjudge.reporting.page.packing import packed_numbers, packed_places
from adjudge.reporting.threshold_grid import threshold_grid

if TYPE_CHECKING:
    from collections.abc import Mapping

    from adjudge._typing import Array, Flags, Floats, Positions
    from adjudge.data.case import Case
    from adjudge.data.events import Events
    from adjudge.metrics.metric import Metric

_POINTS = 200_000  # of one series
_VALUES = 500_000  # points times detectors of a page
_THRESHOLDS = 4096
_COLUMNS = 4096


def needs_overview(events: Events, detectors: int) -> bool:
    """Tell whether a page with every score would be too large to send."""
    longest = int(np.diff(events.series_bounds).max())
    return longest > _POINTS or events.n * detectors > _VALUES


def overview(case: Case, metrics: Mapping[str, Metric], at: float) -> dict[str, Any]:
    """The counts of the four scores at each threshold, and what to draw."""
    best = [best_of(metric).reading(case).at for metric in metrics.values()]
    levels = threshold_grid(case, _THRESHOLDS, (at, *(one for one in best if one is not None)))
    counts, adjusted = {}, case.scores
    for name, metric in metrics.items():
        ((_, adjust),) = metric.parts.adjust.layers(case.events)
        adjusted = adjust(case.scores, case.events)
        masses = Points().masses(adjusted, case.events)
        counts[name] = {
            "found": packed_places(masses.found.sweep(levels)),
            "wrong": packed_places(masses.false.sweep(levels)),
        }
    starts = _column_starts(case.events)
    return {
        "levels": packed_numbers(levels),
        "counts": counts,
        "starts": packed_places(starts),
        "columns": _columns(case, adjusted, starts),
        "event_highs": packed_numbers(case.events.max(case.scores)),
    }


def _column_starts(events: Events) -> Positions:
    """Part each series into columns, in proportion to its length."""
    bounds = events.series_bounds
    parts = []
    for start, stop in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        share = max(64, _COLUMNS * (stop - start) // events.n)
        parts.append(np.unique(np.linspace(start, stop, min(share, stop - start) + 1).astype(int)))
    return np.concatenate([part[:-1] for part in parts])


def _columns(case: Case, balanced: Array, starts: Positions) -> dict[str, Any]:
    """Find the extremes of each column: of all scores, of event points, of normal points."""
    events, scores = case.events, case.scores
    found = {
        "low": np.minimum.reduceat(scores, starts),
        "high": np.maximum.reduceat(scores, starts),
        "hits": _highest(scores, events.labels, starts),
        "falls": _highest(scores, events.normal, starts),
        "counted": _highest(balanced, events.labels, starts),
        "islands": _highest(balanced, events.normal, starts),
    }
    return {name: packed_numbers(values) for name, values in found.items()}


def _highest(values: Array, chosen: Flags, starts: Positions) -> Floats:
    highest: Floats = np.maximum.reduceat(np.where(chosen, values, -np.inf), starts)
    return highest
