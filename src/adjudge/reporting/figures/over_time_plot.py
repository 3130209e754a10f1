"""Values over time as a picture: each window with its interval, beside what chance would score."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.errors import InputError, UnknownName, visible
from adjudge.reporting.figures.drawing import BLACK, BLUE, GREEN, ORANGE, RED, SMALL, axes_for, tidy

if TYPE_CHECKING:
    from adjudge.judging.over_time.windows import OverTime, WindowRow

_LOOKS = ((BLUE, "o"), (ORANGE, "s"), (GREEN, "D"), (RED, "^"))


def plot_over_time(found: OverTime, metric: str | None, *, ax: Any = None) -> Any:
    """Draw one metric of all detectors; see `adjudge.over_time`."""
    metrics = list(dict.fromkeys(row.metric for row in found.rows))
    if not metrics:
        raise InputError("a plot needs a window that was judged, got none")
    metric = metrics[0] if metric is None else metric
    if metric not in metrics:
        raise UnknownName("metric", metric, metrics)
    rows = [row for row in found.rows if row.metric == metric]
    axes = axes_for(ax, (8, 3.6))
    tidy(axes)
    detectors = list(dict.fromkeys(row.detector for row in rows))
    grows = len({(row.detector, row.start) for row in rows}) < len(rows)
    side = "end" if grows else "start"
    starts = list(dict.fromkeys(getattr(row, side) for row in rows))
    for which, detector in enumerate(detectors):
        aside = 0.16 * (which - (len(detectors) - 1) / 2)
        own = [row for row in rows if row.detector == detector]
        _draw(axes, own, [starts.index(getattr(row, side)) + aside for row in own], which)
    step = max(1, math.ceil(len(starts) / 12))
    axes.set_xticks(range(0, len(starts), step), starts[::step], rotation=30, ha="right")
    axes.set_xlabel("up to" if grows else "window from")
    axes.set_ylabel(metric)
    _legend(axes, detectors, rows)
    return axes


def _draw(axes: Any, rows: list[WindowRow], places: list[float], which: int) -> None:
    color, marker = _LOOKS[which % len(_LOOKS)]
    axes.plot(places, [row.value for row in rows], color=color, linewidth=1.2, zorder=2)
    for row, place in zip(rows, places, strict=True):
        inside = color if row.complete else "white"
        axes.plot([place], [row.value], marker, color=color, markerfacecolor=inside, zorder=4)
        axes.plot([place] * 2, [row.low, row.high], color=color, linewidth=1.4, zorder=3)
        ends = np.array([place - 0.14, place + 0.14])
        axes.plot(ends, [row.chance] * 2, color=BLACK, linewidth=1.6, zorder=3)


def _legend(axes: Any, detectors: list[str], rows: list[WindowRow]) -> None:
    from matplotlib.lines import Line2D  # noqa: PLC0415 - optional, and slow to import

    handles = [
        Line2D([], [], color=color, marker=marker, label=visible(name))
        for name, (color, marker) in zip(detectors, _LOOKS * len(detectors), strict=False)
    ]
    if not all(math.isnan(row.low) for row in rows):
        handles.append(Line2D([], [], color="0.4", linewidth=1.4, label="95 % interval"))
    if not all(math.isnan(row.chance) for row in rows):
        handles.append(Line2D([], [], color=BLACK, linewidth=1.6, label="by chance"))
    if not all(row.complete for row in rows):
        handles.append(Line2D([], [], color="0.4", marker="o", markerfacecolor="white",
                              linewidth=0, label="part of a window"))  # fmt: skip
    axes.legend(handles=handles, loc="lower left", bbox_to_anchor=(-0.01, 1), frameon=False,
                ncols=min(5, len(handles)), fontsize=SMALL)  # fmt: skip
