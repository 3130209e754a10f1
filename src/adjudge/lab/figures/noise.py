"""Noise: figure 3 of the paper, drawn again with theory and simulation side by side."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge import theory
from adjudge.checks import DRAWS, SEEDS, whole
from adjudge.count.points import PointCount
from adjudge.data.events import Events
from adjudge.metrics.reader import metric
from adjudge.reporting.figures.drawing import (
    BLACK,
    caption,
    is_narrow,
    save,
    sheet,
    tidy,
)
from adjudge.tables.look import DETECTORS, on_white

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from adjudge._typing import Floats

_WIDTH = 100  # points of an event, and of an island
_EVENTS = 40
_MAIN_SHARE = 0.2
_SHARES = (0.05, 0.1, 0.2, 0.3)
_TICKS = (0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999)
_DRAWN = (0.2, *_TICKS[1:])
_LINE = 1 - np.logspace(0, -3.3, 160)  # even on the axis of the figure
_ADJUSTED = {"pa": "f1_pa", "ba": f"f1_ba(width={_WIDTH})"}
_THEORY: dict[str, Callable[[Floats, float], Floats]] = {
    "precision_pa": lambda quiet, q: theory.precision_pa(q, _WIDTH, quiet),
    "precision_ba": lambda quiet, q: theory.precision_ba(q, _WIDTH, quiet),
    "recall_pa": lambda quiet, _: theory.recall_pa(_WIDTH, quiet),
    "recall_ba": lambda quiet, _: theory.recall_pa(_WIDTH, quiet),
    "f1_pa": lambda quiet, q: theory.f1_pa(q, _WIDTH, quiet),
    "f1_ba": lambda quiet, q: theory.f1_ba(q, _WIDTH, quiet),
}

_PA, _BA = on_white("pa"), on_white("ba")
_STYLES: dict[str, dict[str, Any]] = {
    "recall_pa": {"color": BLACK, "ls": ":", "marker": "v", "label": "recall, PA and BA"},
    "f1_pa": {"color": _PA, "ls": "-", "marker": "o", "label": "F1, PA"},
    "precision_pa": {"color": _PA, "ls": "-.", "marker": "^", "label": "precision, PA"},
    "f1_ba": {"color": _BA, "ls": "-", "marker": "s", "label": "F1, BA"},
    "precision_ba": {"color": _BA, "ls": "-.", "marker": "D", "label": "precision, BA"},
}  # in the order of the legend; the recall of both is one line
_OF_SHARE = dict(zip(_SHARES, DETECTORS, strict=False))
_BELOW = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.16), "frameon": False}
_CAPTION = (
    "Lines: theorems 1 and 2, s = w = {width}. Points: {draws} draws of U[0, 1] noise on series of "
    "{events} events, ratios of mean masses, ± 2 standard errors. These series have borders, "
    "where islands find fewer normal points: near a threshold of 0.99 the points of BA lie "
    "slightly above the lines."
)


class _NoiseRow(NamedTuple):
    """One plotted number."""

    panel: str
    series: str
    q: float
    kind: str
    gamma: float
    value: float
    standard_error: float | str = ""


def noise_figure(
    out: Path, *, draws: int = 200, seed: int = 0, width: str | float | None = None
) -> list[Path]:
    """Draw figure 3 of the paper: PA and BA of uniform noise at every threshold.

    Panel (a): precision, recall and F1, with a share q = 0.2 of anomalous points. Panel (b): F1 for
    four shares, and the plateau 2q / (1 + q). Lines are theorems 1 and 2; points are this
    library's metrics on drawn noise: mean masses over the draws first, then the measure.

    Parameters
    ----------
    out : Path
        The directory for ``noise.png``, ``.svg``, ``.pdf`` and ``.csv`` (all plotted numbers).
    draws : int
        Series drawn for every share; at least 2.
    seed : int
        Of the draws.
    width : str or float, optional
        Of paper: ``"ieee1"``, ``"ieee2"``, ``"neurips"``, or centimetres.

    Returns
    -------
    list of Path
        The four files.

    Raises
    ------
    MissingExtra
        If matplotlib is not installed.
    """
    with sheet(10.5, 5.4, width, narrow=6.2) as figure:
        draws = whole(draws, "draws", 2, DRAWS)
        rows = _noise_rows(draws, np.random.default_rng(whole(seed, "seed", 0, SEEDS)))
        _draw(figure, rows, draws)
        return save(figure, out, "noise", _NoiseRow._fields, rows)


def _noise_rows(draws: int, rng: np.random.Generator) -> list[_NoiseRow]:
    rows = []
    for q in _SHARES:
        rows += [_NoiseRow("b", "plateau", q, "theory", gamma, theory.chance_limit(q))
                 for gamma in (_LINE[0].item(), _LINE[-1].item())]  # fmt: skip
        for adjusted, masses in _drawn_masses(q, draws, rng).items():
            for series in ("f1", "precision", "recall"):
                shown = list(_theory(f"{series}_{adjusted}", q))
                shown += _simulated(f"{series}_{adjusted}", q, masses)
                panels = "a" * (q == _MAIN_SHARE) + "b" * (series == "f1")
                rows += [row._replace(panel=panel) for panel in panels for row in shown]
    return sorted(rows, key=lambda row: row.panel)


def _theory(series: str, q: float) -> Iterator[_NoiseRow]:
    values = _THEORY[series](_LINE, q).tolist()
    for gamma, value in zip(_LINE.tolist(), values, strict=True):
        yield _NoiseRow("", series, q, "theory", gamma, value)


def _simulated(series: str, q: float, masses: Floats) -> Iterator[_NoiseRow]:
    """Take the ratio of mean masses, and its standard error by linearisation."""
    for gamma, (right, false) in zip(_DRAWN, masses, strict=True):
        truth = np.full(right.size, _EVENTS * _WIDTH)
        part, of = {
            "precision": (right, right + false),
            "recall": (right, truth),
            "f1": (2 * right, truth + right + false),
        }[series.partition("_")[0]]
        value = part.mean() / of.mean()
        spread = np.std(part - value * of, ddof=1) / of.mean()
        error = spread / math.sqrt(right.size)
        yield _NoiseRow("", series, q, "monte carlo", gamma, value.item(), error.item())


def _drawn_masses(q: float, draws: int, rng: np.random.Generator) -> dict[str, Floats]:
    """Count true and false positives by gamma and draw; both adjustments see the same scores."""
    events = _evenly_spaced(q)
    adjustments = {name: metric(spec).parts.adjust for name, spec in _ADJUSTED.items()}
    found = {adjusted: np.empty((len(_DRAWN), 2, draws)) for adjusted in _ADJUSTED}
    for draw in range(draws):
        scores = rng.random(events.n)
        for adjusted, adjust in adjustments.items():
            masses = PointCount().masses(adjust(scores, events), events)
            found[adjusted][:, 0, draw] = [masses.found.above(gamma) for gamma in _DRAWN]
            found[adjusted][:, 1, draw] = [masses.false.above(gamma) for gamma in _DRAWN]
    return found


def _evenly_spaced(q: float) -> Events:
    points = round(_EVENTS * _WIDTH / q)
    centres = (np.arange(_EVENTS) + 0.5) * points / _EVENTS
    starts = centres.astype(np.int64) - _WIDTH // 2
    return Events(starts, starts + _WIDTH, points)


def _draw(figure: Any, rows: list[_NoiseRow], draws: int) -> None:
    narrow = is_narrow(figure.get_figwidth())
    left, right = figure.subplots(*((2, 1) if narrow else (1, 2)), sharey=True)
    ticks = _TICKS if figure.get_figwidth() > 8 else _TICKS[::2]
    _panel_a(left, [row for row in rows if row.panel == "a"])
    _panel_b(right, [row for row in rows if row.panel == "b"])
    for axes in (left, right):
        axes.set_xlabel(r"threshold $\gamma$ (scale: $-\log(1 - \gamma)$)")
        axes.set_xticks([_place(gamma) for gamma in ticks], [f"{gamma:g}" for gamma in ticks])
        axes.set_xlim(-0.05, 3.35)
        axes.set_ylim(-0.02, 1.05)
        tidy(axes)
        axes.set_ylabel("value")
    text = _CAPTION.format(width=_WIDTH, draws=draws, events=_EVENTS)
    figure.supxlabel(caption(figure, text), ha="center")


def _panel_a(axes: Any, rows: list[_NoiseRow]) -> None:
    for series, style in _STYLES.items():
        _plot(axes, [row for row in rows if row.series == series], **style)
    axes.set_title(f"(a) noise, q = {_MAIN_SHARE:g}", loc="left")
    axes.legend(**_BELOW, ncols=2 if is_narrow(axes.figure.get_figwidth()) else 3)


def _panel_b(axes: Any, rows: list[_NoiseRow]) -> None:
    lines = {"f1_pa": "-", "f1_ba": "-."}
    for q, (color, marker) in _OF_SHARE.items():
        here = [row for row in rows if row.q == q]
        for series, ls in lines.items():
            chosen = [row for row in here if row.series == series]
            filled = color if series == "f1_pa" else "white"
            _plot(axes, chosen, color=color, ls=ls, marker=marker, mfc=filled)
        level = [(_place(row.gamma), row.value) for row in here if row.series == "plateau"]
        axes.plot(*zip(*level, strict=True), color=color, ls=(0, (4, 3)), lw=0.6)
    axes.set_title("(b) F1 of noise for four shares q", loc="left")
    _legend_b(axes, lines)


def _legend_b(axes: Any, lines: dict[str, str]) -> None:
    for q, (color, marker) in _OF_SHARE.items():
        axes.plot([], [], color=color, marker=marker, ms=4.5, lw=0, label=f"q = {q:g}")
    for series, ls in lines.items():
        filled = "0.3" if series == "f1_pa" else "white"
        name = _STYLES[series]["label"]
        axes.plot([], [], color="0.3", ls=ls, marker="o", ms=4.5, mfc=filled, label=name)
    axes.plot([], [], color="0.3", ls=(0, (4, 3)), lw=0.6, label="2q / (1 + q)")
    axes.legend(**_BELOW, ncols=3 if is_narrow(axes.figure.get_figwidth()) else 4)


def _plot(axes: Any, rows: list[_NoiseRow], **style: Any) -> None:
    """Draw theory as a line and simulation as points with bars of two standard errors."""
    line = [(_place(row.gamma), row.value) for row in rows if row.kind == "theory"]
    points = [row for row in rows if row.kind == "monte carlo"]
    label, marker = style.pop("label", None), style.pop("marker")
    face = style.pop("mfc", style["color"])
    axes.plot(*zip(*line, strict=True), lw=1.3, **style)
    axes.errorbar(
        [_place(row.gamma) for row in points],
        [row.value for row in points],
        yerr=[2 * float(row.standard_error) for row in points],
        color=style["color"], ls="none", marker=marker, ms=4.5, mfc=face, capsize=2, lw=0.9,
    )  # fmt: skip
    if label:
        axes.plot([], [], marker=marker, ms=4.5, lw=1.3, label=label, **style)


def _place(gamma: float) -> float:
    return 0.0 - math.log10(1 - gamma)
