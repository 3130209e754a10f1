"""A judgement as a picture: every value with its interval, beside what chance would score.

The same over time: a place for each window.
"""

from __future__ import annotations

import math
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.errors import InputError, UnknownName, visible
from adjudge.judging.glances import fits_axis
from adjudge.judging.words.short_names import short_names
from adjudge.reporting.figures.drawing import (
    BLACK,
    axes_for,
    broken,
    is_narrow,
    legend_above,
    small,
    tidy,
)
from adjudge.tables.look import DETECTORS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge.judging.judgement import Judgement
    from adjudge.judging.over_time.calendar import WindowRow
    from adjudge.judging.over_time.windows import OverTime
    from adjudge.judging.result_columns import Finding

_LINE = 0.3  # inches per value


def plot_judgement(
    judgement: Judgement, *, ax: Any = None, width: str | float | None = None
) -> Any:
    """Draw a judgement; see `adjudge.Judgement.plot`."""
    drawn = [row for row in judgement.rows if fits_axis(row)]
    if not drawn:
        raise InputError("a plot needs a metric with values from 0 to 1 or -1 to 1, got none")
    metrics = list(dict.fromkeys(row.requested for row in drawn))
    detectors = list(dict.fromkeys(row.detector for row in drawn))
    lines = len(metrics) * (len(detectors) + 0.6)
    with axes_for(ax, (7.5, 1.6 + _LINE * lines), width) as axes:
        tidy(axes)
        axes.grid(visible=False, axis="y")
        for row in drawn:
            which = detectors.index(row.detector)
            step = 0.8 / len(detectors)
            place = metrics.index(row.requested) + step * (which - (len(detectors) - 1) / 2)
            _draw_row(axes, row, place, step, DETECTORS[which % len(DETECTORS)])
        for border in range(1, len(metrics)):
            axes.axhline(border - 0.5, color="0.9", linewidth=0.6)
        names = short_names(judgement.rows)
        axes.set_yticks(range(len(metrics)), [names[asked] for asked in metrics])
        axes.tick_params(axis="y", length=0)
        axes.set_ylim(len(metrics) - 0.5, -0.5)
        axes.set_xlim(-0.02 + min(0, *(_least(row) for row in drawn)), 1.02)
        left_out = dict.fromkeys(names[row.requested] for row in judgement.rows if row not in drawn)
        note = f"\nnot on this axis: {', '.join(left_out)}" if left_out else ""
        axes.set_xlabel(f"value{broken(note, axes, 9)}")
        _legend(axes, detectors, drawn)
    return axes


def _least(row: Finding) -> float:
    shown = [one for one in (row.value, row.low, row.chance) if not math.isnan(one)]
    return min(shown, default=0.0)


def _draw_row(axes: Any, row: Finding, place: float, step: float, look: Sequence[str]) -> None:
    color, marker = look
    if math.isnan(row.value):
        axes.text(0.0, place, " undefined", color=color, va="center", fontsize=small())
        return
    if not math.isnan(row.low):
        axes.plot([row.low, row.high], [place, place], color=color, linewidth=1.6, zorder=2,
                  solid_capstyle="butt")  # fmt: skip
    axes.plot([row.value], [place], marker, color=color, markersize=6.5, zorder=4)
    if not math.isnan(row.chance):
        ends = [place - 0.42 * step, place + 0.42 * step]
        axes.plot([row.chance] * 2, ends, color=BLACK, linewidth=1.8, zorder=3)


def _legend(axes: Any, detectors: list[str], drawn: list[Finding]) -> None:
    from matplotlib.lines import Line2D  # noqa: PLC0415 - optional, and slow to import

    handles = [
        Line2D([], [], color=color, marker=marker, linewidth=0, label=visible(name))
        for name, (color, marker) in zip(detectors, cycle(DETECTORS), strict=False)
    ]
    if not all(math.isnan(row.low) for row in drawn):
        handles.append(Line2D([], [], color="0.4", linewidth=1.6, label="95 % interval"))
    if not all(math.isnan(row.chance) for row in drawn):
        handles.append(Line2D([], [], color=BLACK, marker="|", markersize=9, markeredgewidth=1.8,
                              linewidth=0, label="by chance"))  # fmt: skip
    legend_above(axes, handles)


def plot_over_time(
    found: OverTime, metric: str | None, *, ax: Any = None, width: str | float | None = None
) -> Any:
    """Draw one metric of all detectors; see `adjudge.over_time`."""
    metrics = list(dict.fromkeys(row.metric for row in found.rows))
    if not metrics:
        raise InputError("a plot needs a window that was judged, got none")
    metric = metrics[0] if metric is None else metric
    if metric not in metrics:
        raise UnknownName("metric", metric, metrics)
    rows = [row for row in found.rows if row.metric == metric]
    with axes_for(ax, (8, 3.6), width) as axes:
        tidy(axes)
        detectors = list(dict.fromkeys(row.detector for row in rows))
        side = "end" if found.grows else "start"
        starts = list(dict.fromkeys(getattr(row, side) for row in rows))
        places = {start: place for place, start in enumerate(starts)}
        for which, detector in enumerate(detectors):
            aside = 0.16 * (which - (len(detectors) - 1) / 2)
            own = [row for row in rows if row.detector == detector]
            _draw_windows(axes, own, [places[getattr(row, side)] + aside for row in own], which)
        most = 6 if is_narrow(axes.figure.get_figwidth()) else 12
        step = max(1, math.ceil(len(starts) / most))
        axes.set_xticks(range(0, len(starts), step), starts[::step], rotation=30, ha="right")
        axes.set_xlabel("up to" if found.grows else "window from")
        axes.set_ylabel(broken(metric, axes, 9, 0.4))
        _windows_legend(axes, detectors, rows)
    return axes


def _draw_windows(axes: Any, rows: list[WindowRow], places: list[float], which: int) -> None:
    color, marker = DETECTORS[which % len(DETECTORS)]
    axes.plot(places, [row.value for row in rows], color=color, linewidth=1.2, zorder=2)
    for row, place in zip(rows, places, strict=True):
        inside = color if row.complete else "white"
        axes.plot([place], [row.value], marker, color=color, markerfacecolor=inside, zorder=4)
        axes.plot([place] * 2, [row.low, row.high], color=color, linewidth=1.4, zorder=3)
        ends = np.array([place - 0.14, place + 0.14])
        axes.plot(ends, [row.chance] * 2, color=BLACK, linewidth=1.6, zorder=3)


def _windows_legend(axes: Any, detectors: list[str], rows: list[WindowRow]) -> None:
    from matplotlib.lines import Line2D  # noqa: PLC0415 - optional, and slow to import

    handles = [
        Line2D([], [], color=color, marker=marker, label=visible(name))
        for name, (color, marker) in zip(detectors, cycle(DETECTORS), strict=False)
    ]
    if not all(math.isnan(row.low) for row in rows):
        handles.append(Line2D([], [], color="0.4", linewidth=1.4, label="95 % interval"))
    if not all(math.isnan(row.chance) for row in rows):
        handles.append(Line2D([], [], color=BLACK, linewidth=1.6, label="by chance"))
    if not all(row.complete for row in rows):
        handles.append(Line2D([], [], color="0.4", marker="o", markerfacecolor="white",
                              linewidth=0, label="part of a window"))  # fmt: skip
    legend_above(axes, handles)
