"""The critical-difference diagram: mean ranks on a line, bars over those that do not differ.

Of more than 15 detectors a map of all pairs is drawn instead, which no bar could show: by how much
the detector of a row is ahead of that of a column, where their means differ after Holm.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.errors import visible
from adjudge.ranking.collected import printed
from adjudge.reporting.figures.drawing import BLACK, BLUE, SMALL, axes_for, bare, save, sheet

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


def rank_diagram(ranking: Ranking, metric: str, *, ax: Any = None) -> Any:
    """Draw the mean ranks of all detectors by one metric; give the axes.

    Detectors under one bar are not told apart by Nemenyi's test at 0.05. Beyond 15 detectors: a map
    of all pairs.
    """
    axes = axes_for(ax, _size(ranking, metric))
    _drawing(ranking, metric)(axes, ranking, metric)
    return axes


def rank_figure(out: Path, ranking: Ranking, metric: str) -> list[Path]:
    """Write the diagram as PNG, SVG and PDF, with the mean ranks as CSV."""
    with sheet(*_size(ranking, metric)) as figure:
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
    axes.set_xticks(range(len(names)), shown, rotation=90, fontsize=SMALL)
    axes.set_yticks(range(len(names)), shown, fontsize=SMALL)
    axes.tick_params(length=0)
    clear = int(np.count_nonzero(~np.isnan(apart))) // 2
    pairs = len(names) * (len(names) - 1) // 2
    axes.set_title(
        f"{metric}: {clear} of {pairs} pairs differ (p at most 0.05 after Holm);\n"
        f"blue: the row is ahead of the column, by up to {most:.3g}",
        fontsize=SMALL, loc="left",
    )  # fmt: skip


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


def _size(ranking: Ranking, metric: str) -> tuple[float, float]:
    """Inches that give every name a line of its own."""
    ranks = _ranks(ranking, metric)
    if len(ranks) > MOST_ON_A_LINE:
        return 2.2 + _CELL * len(ranks), 2.4 + _CELL * len(ranks)
    cliques = _cliques(list(ranks.values()), _difference(ranking, metric))
    return 7.2, 1.1 + _LINE * ((len(ranks) + 1) // 2 + 1) + 0.11 * len(cliques)


def _draw(axes: Any, ranking: Ranking, metric: str) -> None:
    """Lay out: the axis above, bars below it, names on both sides, the best at the upper left."""
    bare(axes)
    ranks, cd = _ranks(ranking, metric), _difference(ranking, metric)
    cliques = _cliques(list(ranks.values()), cd)
    low, high = _ends(list(ranks.values()))
    span = high - low
    axes.set_xlim(low - 0.42 * span, high + 0.42 * span)
    axes.plot([low, high], [0, 0], color=BLACK, linewidth=1)
    step = max(1, round(span / 10))
    for tick in [*range(low, high, step), high]:
        axes.plot([tick, tick], [0, 0.25], color=BLACK, linewidth=0.8)
        axes.text(tick, 0.35, str(tick), ha="center", va="bottom", fontsize=SMALL)
    for place, (left, right) in enumerate(cliques):
        down = -0.35 - 0.45 * place
        pad = 0.004 * span
        axes.plot([left - pad, right + pad], [down, down], color=BLUE, linewidth=3.2,
                  solid_capstyle="butt")  # fmt: skip
    first = -0.6 - 0.45 * len(cliques)
    for place, (name, rank) in enumerate(ranks.items()):
        _name(axes, name, rank, first, place, len(ranks), (low, high))
    lowest = first - (len(ranks) + 1) // 2
    axes.set_ylim(lowest, 2.6)
    known = not math.isnan(cd)
    if known:
        axes.plot([low, min(high, low + cd)], [1.75, 1.75], color=BLACK, linewidth=1.2)
    difference = f"{cd:.2f}" if known else "undefined"
    difference += " (longer than the axis)" if cd > span else ""
    text = f"critical difference {difference}, {metric}; lower is better"
    axes.text(low, 1.9, text, ha="left", va="bottom", fontsize=SMALL)


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
    text = f"{visible(name)}  {rank:.2f}" if left else f"{rank:.2f}  {visible(name)}"
    axes.text(edge, down, f" {text} ", ha="right" if left else "left", va="center", fontsize=SMALL)
