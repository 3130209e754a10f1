"""The critical-difference diagram: mean ranks on a line, bars over those that do not differ.

Of more than 15 detectors a map of all pairs is drawn instead, which no bar could show: by how much
the detector of a row is ahead of that of a column, where their means differ after Holm.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.errors import InputError, visible
from adjudge.ranking.collected import printed
from adjudge.reporting.figures.drawing import (
    BLACK,
    BLUE,
    LETTER,
    axes_for,
    bare,
    broken,
    inches,
    save,
    sheet,
    size_of,
    small,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from adjudge._typing import Floats
    from adjudge.ranking.result import Ranking

_LINE = 0.24  # inches per name
MOST_ON_A_LINE = 15
"""Detectors up to which mean ranks are drawn on a line."""
_CELL = 0.21  # inches per pair
_CLEAR = 0.05
_AXIS = 64  # points that the line of ranks has at least


def rank_diagram(
    ranking: Ranking, metric: str, *, ax: Any = None, width: str | float | None = None
) -> Any:
    """Draw the mean ranks of all detectors by one metric; give the axes.

    Detectors under one bar are tied by Nemenyi's test at 0.05. Beyond 15 detectors: a map of all
    pairs.
    """
    with axes_for(ax, _size(ranking, metric, width), width) as axes:
        _drawing(ranking, metric)(axes, ranking, metric)
    return axes


def rank_figure(
    out: Path, ranking: Ranking, metric: str, width: str | float | None = None
) -> list[Path]:
    """Write the diagram as PNG, SVG and PDF, with the mean ranks as CSV."""
    with sheet(*_size(ranking, metric, width), width) as figure:
        _drawing(ranking, metric)(figure.subplots(), ranking, metric)
        rows = list(_ranks(ranking, metric).items())
        return save(figure, out, "ranks", ["detector", "mean rank"], rows)


def _drawing(ranking: Ranking, metric: str) -> Callable[[Any, Ranking, str], None]:
    return _draw if len(_ranks(ranking, metric)) <= MOST_ON_A_LINE else _draw_map


def _draw_map(axes: Any, ranking: Ranking, metric: str) -> None:
    """Colour each pair by the difference of its means, if that is clear; the best first."""
    names = list(_ranks(ranking, metric))
    apart = _differences(ranking, metric, names)
    most = float(np.nanmax(np.abs(apart), initial=1e-9))
    axes.imshow(apart, cmap="RdBu", vmin=-most, vmax=most, interpolation="nearest")
    shown = [visible(name) for name in printed(names).values()]
    axes.set_xticks(range(len(names)), shown, rotation=90, fontsize=small())
    axes.set_yticks(range(len(names)), shown, fontsize=small())
    axes.tick_params(length=0)
    clear = int(np.count_nonzero(~np.isnan(apart))) // 2
    pairs = len(names) * (len(names) - 1) // 2
    text = (
        f"{metric}: {clear} of {pairs} pairs differ (p at most 0.05 after Holm); "
        f"blue: the row is ahead of the column, by up to {most:.3g}"
    )
    axes.set_title(broken(text, axes, 8.5), fontsize=small(), loc="left")


def _differences(ranking: Ranking, metric: str, names: list[str]) -> Floats:
    """By how much rows are ahead of columns; NaN where that is not clear."""
    sign = 1 if ranking.better[metric] == "higher" else -1
    places = {name: place for place, name in enumerate(names)}
    apart = np.full((len(names), len(names)), np.nan)
    for row in ranking.comparisons:
        if row["metric"] == metric and row["ranked"] and row["p_adjusted"] <= _CLEAR:
            one, other = places[row["one"]], places[row["other"]]
            apart[one, other] = sign * row["difference"]
            apart[other, one] = -sign * row["difference"]
    return apart


def _ranks(ranking: Ranking, metric: str) -> dict[str, float]:
    rows = (row for row in ranking.mean_ranks if row["metric"] == metric)
    ranks = {row["detector"]: row["mean_rank"] for row in rows}
    return {name: rank for name, rank in ranks.items() if not math.isnan(rank)}


def _difference(ranking: Ranking, metric: str) -> float:
    rows = {row["metric"]: row["critical_difference"] for row in ranking.critical_difference}
    return float(rows[metric])


def _cliques(ranks: list[float], difference: float) -> list[tuple[float, float]]:
    """Find the longest stretches of ranks that lie within the critical difference."""
    found: list[tuple[float, float]] = []
    for start, low in enumerate(ranks):
        high = max((r for r in ranks[start:] if r - low <= difference), default=low)
        if high > low and (not found or high > found[-1][1]):
            found.append((low, high))
    return found


def _size(ranking: Ranking, metric: str, width: str | float | None) -> tuple[float, float]:
    """Inches that give every name a line of its own; type on paper takes three quarters of it."""
    ranks = _ranks(ranking, metric)
    if len(ranks) > MOST_ON_A_LINE:
        most = 2.2 + _CELL * len(ranks)
        if width is None:
            return most, most + 0.2
        if (wide := inches(width)) < 0.5 * most:
            raise InputError(
                f"width must be at least {2.54 * 0.5 * most:.1f} centimetres for "
                f"{len(ranks)} detectors, got {width!r}"
            )
        return most, min(most, wide / 0.75)
    cliques = _cliques(list(ranks.values()), _difference(ranking, metric))
    return 7.2, 1.1 + _LINE * ((len(ranks) + 1) // 2 + 1) + 0.11 * len(cliques)


def _draw(axes: Any, ranking: Ranking, metric: str) -> None:
    """Lay out: the axis above, bars below it, names on both sides, the best at the upper left."""
    bare(axes)
    ranks, cd = _ranks(ranking, metric), _difference(ranking, metric)
    cliques = _cliques(list(ranks.values()), cd)
    low, high = _ends(list(ranks.values()))
    span = high - low
    names = _labels(axes, ranks)
    room = axes.figure.get_figwidth() * 72
    side = (6 + max(map(len, names.values()))) * LETTER * size_of(small()) + 12
    aside = span * side / max(room - 2 * side, _AXIS)
    axes.set_xlim(low - aside, high + aside)
    axes.plot([low, high], [0, 0], color=BLACK, linewidth=1)
    step = max(1, round(span / 10))
    for tick in [*range(low, high, step), high]:
        axes.plot([tick, tick], [0, 0.25], color=BLACK, linewidth=0.8)
        axes.text(tick, 0.35, str(tick), ha="center", va="bottom", fontsize=small())
    for place, (left, right) in enumerate(cliques):
        down = -0.35 - 0.45 * place
        pad = 0.004 * span
        axes.plot([left - pad, right + pad], [down, down], color=BLUE, linewidth=3.2,
                  solid_capstyle="butt")  # fmt: skip
    first = -0.6 - 0.45 * len(cliques)
    for place, (name, rank) in enumerate(ranks.items()):
        _name(axes, names[name], rank, first, place, len(ranks), (low, high))
    lowest = first - (len(ranks) + 1) // 2
    known = not math.isnan(cd)
    if known:
        axes.plot([low, min(high, low + cd)], [1.75, 1.75], color=BLACK, linewidth=1.2)
    difference = f"{cd:.2f}" if known else "undefined"
    difference += " (longer than the axis)" if cd > span else ""
    text = f"critical difference {difference}; mean rank by {metric}, lower is better"
    lines = broken(text, axes, size_of(small()))
    axes.text(low - aside, 1.9, lines, ha="left", va="bottom", fontsize=small())
    axes.set_ylim(lowest, 2.6 + 0.8 * lines.count("\n"))


def _labels(axes: Any, ranks: dict[str, float]) -> dict[str, str]:
    """Names and ranks as they are written, cut in the middle where the axis would have no room."""
    half = (axes.figure.get_figwidth() * 72 - _AXIS) / 2
    most = max(8, int((half - 12) / (LETTER * size_of(small()))) - 6)
    return {
        name: shown
        if len(shown := visible(name)) <= most
        else f"{shown[: most // 2]}…{shown[-(most - most // 2 - 1) :]}"
        for name in ranks
    }


def _ends(ranks: list[float]) -> tuple[int, int]:
    """Whole ranks around all: an axis from 1 to the number of detectors would be mostly empty."""
    low = math.floor(min(ranks, default=1))
    return low, max(low + 1, math.ceil(max(ranks, default=low)))


def _name(
    axes: Any, name: str, rank: float, first: float, place: int, count: int,
    ends: tuple[float, float],
) -> None:  # fmt: skip
    """Lead a line from a rank to its name."""
    half = (count + 1) // 2
    left = place < half
    down = first - (place if left else count - 1 - place)
    edge = ends[0] - 0.03 * (ends[1] - ends[0]) if left else ends[1] + 0.03 * (ends[1] - ends[0])
    axes.plot([rank, rank, edge], [0, down, down], color="0.45", linewidth=0.8)
    text = f"{name}  {rank:.2f}" if left else f"{rank:.2f}  {name}"
    side = "right" if left else "left"
    axes.text(edge, down, f" {text} ", ha=side, va="center", fontsize=small())
