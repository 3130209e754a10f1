"""Experiments: figures 4, 5 and 6 of the paper, F1s against what a detector is like.

A point is the mean of one F1 over the experiments of a bin, its band two standard errors to either
side. Which experiments a panel shows, how they are parted and how wide bins are is the table
`PLANS`: where the paper's caption and its plot differ, both are drawn.

Plans of figures 4, 5 and 6: which experiments a panel shows, and how they are parted.
"""

from __future__ import annotations

import warnings
from math import inf
from textwrap import fill
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from adjudge.data.intervals import bincount
from adjudge.errors import InputError, UnknownName
from adjudge.reporting.figures.drawing import (
    BLUE,
    SKY,
    caption,
    is_narrow,
    legend_below,
    save,
    sheet,
    small,
    tidy,
)
from adjudge.tables.look import SCORES, on_white

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from adjudge._typing import Array, Flags, Floats, Positions


class Range(NamedTuple):
    """Numbers between two ends; brackets say which end belongs to it."""

    low: float
    high: float
    ends: str = "[)"

    def holds(self, values: Array) -> Flags:
        """Tell which values lie inside; NaN never does."""
        above = values >= self.low if self.ends[0] == "[" else values > self.low
        below = values <= self.high if self.ends[1] == "]" else values < self.high
        return np.asarray(above & below)

    def __str__(self) -> str:
        """Write the range in per cent."""
        if self.low == -inf:
            return f"{'≤' if self.ends[1] == ']' else '<'} {self.high * 100:g} %"
        if self.high == inf:
            return f"{'≥' if self.ends[0] == '[' else '>'} {self.low * 100:g} %"
        return f"{self.low * 100:g} to {self.high * 100:g} %"


class Panels(NamedTuple):
    """A row of panels: one for each part of a column, for experiments within a range of another."""

    title: str
    parted_by: str
    parts: tuple[Range, ...]
    kept_by: str
    within: Range
    published: int = 0
    """Bins per unit of the authors' plot, which leaves out none and has no bands; 0: ours."""


class FigurePlan(NamedTuple):
    """A figure: what stands on its axis, in how many bins per unit, and its rows of panels."""

    name: str
    axis: str
    bins_per_unit: int
    shown: Range
    panels: tuple[Panels, ...]
    bound: float | None = None
    """The highest precision in it, where the harmonic mean with recall is drawn."""
    note: str = ""
    """What the caption must add."""


_MIDDLE = Range(0.25, 0.75, "()")
_QUARTERS = (Range(-inf, 0.25), Range(0.25, 0.75), Range(0.75, inf))
_COVERAGE = (Range(-inf, 0.2), Range(0.2, 0.3, "[]"), Range(0.3, inf, "()"))
PLANS = {
    plan.name: plan
    for plan in (
        FigurePlan(
            "separation", "separation", 20, Range(-inf, 0.5),
            (
                Panels("plotted, in their bins", "precision", _QUARTERS, "recall", _MIDDLE, 100),
                Panels("plotted, in our bins", "precision", _QUARTERS, "recall", _MIDDLE),
                Panels("as the caption says", "recall", _QUARTERS, "precision", _MIDDLE),
            ),
            note=" Experiments with a separation of 0.5 or more are not shown, as in their plot.",
        ),
        FigurePlan(
            "precision", "precision", 10, Range(0, 1, "[]"),
            (
                Panels("plotted, in their bins", "coverage", _COVERAGE, "recall", _MIDDLE, 10),
                Panels("plotted, in our bins", "coverage", _COVERAGE, "recall", _MIDDLE),
            ),
        ),
        FigurePlan(
            "recall", "recall", 10, Range(0, 1, "[]"),
            (
                Panels("plotted, in their bins", "coverage", _COVERAGE, "precision", _MIDDLE, 10),
                Panels("plotted, in our bins", "coverage", _COVERAGE, "precision", _MIDDLE),
            ),
            bound=0.75,
        ),
    )
}  # fmt: skip


LEAST_ROWS = 20  # a bin of fewer experiments is not drawn
_EMPTY = f"no bin has {LEAST_ROWS} experiments"


class ExperimentTable(Protocol):
    """Columns by name: a `Study`, a mapping to arrays, a data frame."""

    def __getitem__(self, name: str, /) -> Any:
        """One number per experiment."""
        ...


CURVES: dict[str, dict[str, Any]] = {
    "f1_pa": {"label": SCORES["f1_pa"], "color": on_white("pa"), "ls": "-", "marker": "o"},
    "f1_ba_authors": {
        "label": "BA as the authors ran it (width 25)",
        "color": SKY, "ls": "-.", "marker": "D", "mfc": "white",
    },
    "f1_ba": {"label": "BA (default width)", "color": on_white("ba"), "ls": "-", "marker": "s"},
    "f1_kpa": {
        "label": f"{SCORES['f1_kpa']} (K = 20 %)",
        "color": on_white("kpa"), "ls": "--", "marker": "^",
    },
    "f1": {"label": "F1, pointwise", "color": on_white("f1"), "ls": ":", "marker": "v"},
}  # fmt: skip
COLUMNS = ("separation", "precision", "recall", "coverage",
           "f1", "f1_pa", "f1_kpa", "f1_ba", "f1_ba_authors")  # fmt: skip
_BOUNDS: dict[str, dict[str, Any]] = {
    "bound": {"label": "harmonic mean of precision {bound:g} and the recall", "ls": (0, (1, 1))},
    "bound as printed": {"label": "{bound:g}, the bound as printed", "ls": (0, (5, 3))},
}
_WORDS = {"precision": "event precision", "recall": "event recall", "coverage": "coverage",
          "separation": "separation of scores"}  # fmt: skip
_CAPTION = (
    "Mean over the experiments of a bin. Their bins: the authors' narrow ones, however few "
    "experiments they hold. Ours: at least {least} experiments, and a band of ± 2 standard errors."
)
_PUBLISHED = ("f1_pa", "f1_ba_authors", "f1_kpa", "f1")
_FEW = 0.05
_WHY_FEW = "few experiments: detections of 10 to 24\npoints seldom cover 30 % of an event"


class _Row(NamedTuple):
    """One plotted number."""

    panels: str
    part: str
    series: str
    x: float
    experiments: int | str
    value: float
    standard_error: float | str


class Bins(NamedTuple):
    """Means by bin: where its middle is, of how many values, and how sure the mean is."""

    middle: Floats
    size: Positions
    mean: Floats
    standard_error: Floats


def separation_figure(
    out: Path, table: ExperimentTable, *, width: str | float | None = None
) -> list[Path]:
    """Draw figure 4 of the paper: F1s against the separation of regular and anomalous scores.

    The caption speaks of parts by event recall at a middle precision, the authors' plot shows
    parts by event precision at a middle recall. Here is their plot with their bins, the same with
    bins that hold enough experiments, and what the caption says, one above the other.

    Parameters
    ----------
    out : Path
        The directory for ``separation.png``, ``.svg``, ``.pdf`` and ``.csv`` (all plotted numbers).
    table : Study, mapping or frame
        One number per experiment under each of the names in `COLUMNS`.
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
    return _drawn(PLANS["separation"], out, table, width)


def precision_figure(
    out: Path, table: ExperimentTable, *, width: str | float | None = None
) -> list[Path]:
    """Draw figure 5 of the paper: F1s against event precision, parted by coverage.

    Recall lies within 25 to 75 %. Parameters, files and errors are those of `separation_figure`.
    """
    return _drawn(PLANS["precision"], out, table, width)


def recall_figure(
    out: Path, table: ExperimentTable, *, width: str | float | None = None
) -> list[Path]:
    """Draw figure 6 of the paper: F1s against event recall, parted by coverage.

    Precision lies within 25 to 75 %. The paper says that no F1 should so exceed 0.75; but a
    harmonic mean of precision 0.75 and recall r is 2 · 0.75 r / (0.75 + r), 0.857 for
    r = 1. Both are drawn. Parameters, files and errors are those of `separation_figure`.
    """
    return _drawn(PLANS["recall"], out, table, width)


_SPANS = {"precision": (0.0, 1.0), "recall": (0.0, 1.0), "coverage": (0.0, 1.0),
          "separation": (0.0, 0.6)}  # fmt: skip


def marginals_figure(
    out: Path, table: ExperimentTable, *, width: str | float | None = None
) -> list[Path]:
    """Draw how experiments spread over precision, recall, coverage and separation.

    The dashed line is what an even spread would be. Parameters, files and errors are those of
    `separation_figure`.
    """
    rows: list[tuple[Any, ...]] = []
    with sheet(10.5, 3.2, width, narrow=3.4) as figure:
        columns = _columns(table)
        shape = (2, 2) if is_narrow(figure.get_figwidth()) else (1, 4)
        grid = figure.subplots(*shape, sharey=True, squeeze=False)
        for axes, (name, span) in zip(grid.flat, _SPANS.items(), strict=True):
            edges = np.linspace(*span, 21)
            counts, _ = np.histogram(columns[name], edges)
            shares = counts / columns[name].size
            axes.bar(edges[:-1], shares, np.diff(edges), align="edge", color=BLUE, alpha=0.7)
            axes.axhline(1 / 20, color="0.3", ls="--", lw=1)
            axes.set_xlabel(_WORDS[name])
            tidy(axes)
            rows += zip([name] * 20, edges, counts.tolist(), shares.tolist(), strict=False)
        for axes in grid[:, 0]:
            axes.set_ylabel("share of experiments")
        return save(figure, out, "marginals", ("column", "from", "experiments", "share"), rows)


def binned(x: Floats, y: Floats, bins_per_unit: int) -> Bins:
    """Average ``y`` over bins of ``x``: multiples of ``1 / bins_per_unit``, each x to the nearest.

    Halfway between two it is the even multiple, as in the authors' scripts. Rows in which either is
    NaN are left out. The standard error of a single value is NaN.

    >>> binned(np.array([0.0, 0.2, 0.24, 0.9]), np.array([5.0, 1.0, 3.0, 7.0]), 10).mean
    array([5., 2., 7.])
    """
    known = ~(np.isnan(x) | np.isnan(y))
    y = y[known]
    places, group = np.unique(np.rint(x[known] * bins_per_unit), return_inverse=True)
    count = bincount(group, minlength=len(places))
    mean = bincount(group, y, len(places)) / count
    squares = bincount(group, (y - mean[group]) ** 2, len(places))
    freedom = np.where(count > 1, count - 1, np.nan)
    return Bins(places / bins_per_unit, count, mean, np.sqrt(squares / freedom / count))


def _drawn(
    plan: FigurePlan, out: Path, table: ExperimentTable, width: str | float | None
) -> list[Path]:
    rows = len(plan.panels)
    with sheet(10.5, 1.2 + 3.3 * rows, width, narrow=1.3 + 2.1 * rows) as figure:
        columns = _columns(table)
        drawn: list[_Row] = []
        lines = figure.subfigures(len(plan.panels), 1, squeeze=False).flat
        for line, panels in zip(lines, plan.panels, strict=True):
            drawn += _draw_line(line, plan, panels, columns)
        _legend(figure, lines[-1].axes[0], plan)
        _warn_of_empty(plan, drawn)
        return save(figure, out, plan.name, _Row._fields, drawn)


def _draw_line(
    line: Any, plan: FigurePlan, panels: Panels, columns: dict[str, Floats]
) -> Iterator[_Row]:
    """Draw a row of panels, and give what is in it."""
    kept = f"{_WORDS[panels.kept_by]} {panels.within}, parted by {_WORDS[panels.parted_by]}"
    heading = f"{panels.title}: {kept}" if panels.title else kept
    heading = heading[0].upper() + heading[1:]
    narrow = is_narrow(line.figure.get_figwidth())
    if narrow:
        heading = fill(heading, int(line.figure.get_figwidth() * 15))
    line.suptitle(heading, x=0.01, ha="left", fontweight="bold")
    grid = line.subplots(1, len(panels.parts), sharex=True, sharey=True)
    for axes, part in zip(grid, panels.parts, strict=True):
        shown = _shown(plan, panels, part, columns)
        rows = list(_rows(plan, panels, part, shown))
        _draw(axes, plan, panels, rows)
        count = _count(shown["f1"].size, rows)
        _label(axes, plan, f"{panels.parted_by} {part}", count, narrow=narrow)
        if not _means(rows):
            _say(axes, "no experiment" if panels.published else _EMPTY, narrow=narrow)
        elif part == _COVERAGE[-1] and shown["f1"].size < _FEW * columns["f1"].size:
            _say(axes, _WHY_FEW, narrow=narrow)
        yield from rows
    grid[0].set_ylabel("F1")


def _say(axes: Any, text: str, *, narrow: bool) -> None:
    text = fill(text.replace("\n", " "), 16) if narrow else text
    how = {"color": "0.4", "fontsize": small(), "transform": axes.transAxes}
    axes.text(0.03, 0.97, text, va="top", **how)


def _means(rows: list[_Row]) -> list[_Row]:
    return [row for row in rows if row.series in CURVES]


def _warn_of_empty(plan: FigurePlan, rows: list[_Row]) -> None:
    """Say which panels show nothing: a short study has too few experiments for them."""
    filled = {(row.panels, row.part) for row in _means(rows)}
    ours = [one for one in plan.panels if not one.published]
    parts = [(one.title, f"{one.parted_by} {part}") for one in ours for part in one.parts]
    empty = [part for title, part in parts if (title, part) not in filled]
    if empty:
        warnings.warn(
            f"{plan.name}: {len(empty)} of {len(parts)} panels are empty ({', '.join(empty)}): no "
            f"bin has {LEAST_ROWS} experiments; all 15,000 that were released fill every panel",
            stacklevel=3,
        )


def _columns(table: ExperimentTable) -> dict[str, Floats]:
    columns = {name: _column(table, name) for name in COLUMNS}
    first = columns[COLUMNS[0]].shape
    for name, values in columns.items():
        if values.shape != first or values.ndim != 1:
            raise InputError(
                f"columns must be 1-d and equally long, got shape {values.shape} for {name!r} "
                f"and {first} for {COLUMNS[0]!r}"
            )
    return columns


def _column(table: ExperimentTable, name: str) -> Floats:
    try:
        return np.asarray(table[name], float)
    except KeyError:
        hint = f"adjudge study --out DIR writes the table, which has {', '.join(COLUMNS)}"
        raise UnknownName("column", name, (), hint) from None


def _shown(
    plan: FigurePlan, panels: Panels, part: Range, columns: dict[str, Floats]
) -> dict[str, Floats]:
    """Take the experiments of a panel."""
    chosen = part.holds(columns[panels.parted_by]) & panels.within.holds(columns[panels.kept_by])
    chosen &= plan.shown.holds(columns[plan.axis])
    return {name: values[chosen] for name, values in columns.items()}


def _rows(
    plan: FigurePlan, panels: Panels, part: Range, shown: dict[str, Floats]
) -> Iterator[_Row]:
    where = panels.title, f"{panels.parted_by} {part}"
    least = 1 if panels.published else LEAST_ROWS
    for series in _PUBLISHED if panels.published else CURVES:
        found = binned(shown[plan.axis], shown[series], panels.published or plan.bins_per_unit)
        for x, count, value, error in zip(*(field.tolist() for field in found), strict=True):
            if count >= least and plan.shown.holds(np.array(x)):
                yield _Row(*where, series, x, count, value, error)
    if plan.bound is not None and not panels.published:
        for x in np.linspace(0, 1, 101).tolist():
            yield _Row(*where, "bound", x, "", 2 * plan.bound * x / (plan.bound + x), "")
            yield _Row(*where, "bound as printed", x, "", plan.bound, "")


def _draw(axes: Any, plan: FigurePlan, panels: Panels, rows: list[_Row]) -> None:
    for series, style in CURVES.items():
        if panels.published:
            points = [(row.x, row.value) for row in rows if row.series == series]
            axes.plot(*np.reshape(points, (-1, 2)).T, color=style["color"], ls=style["ls"], lw=1.1)
            continue
        x, y, band = _with_gaps([row for row in rows if row.series == series], plan)
        axes.fill_between(x, y - band, y + band, color=style["color"], alpha=0.18, lw=0)
        axes.errorbar(x, y, band, ls="none", elinewidth=0.9, ecolor=style["color"])
        axes.plot(x, y, lw=1.4, ms=4.5, **style)
    for series, style in _BOUNDS.items() if plan.bound and not panels.published else ():
        line = [(row.x, row.value) for row in rows if row.series == series]
        label = style["label"].format(bound=plan.bound)
        axes.plot(
            *zip(*line, strict=True), color="0.45", lw=1.1, ls=style["ls"], label=label, zorder=1.5
        )


def _with_gaps(rows: list[_Row], plan: FigurePlan) -> tuple[Floats, Floats, Floats]:
    """Place, mean and two standard errors of every bin, NaN where it is left out.

    So no line is drawn over bins of which nothing is known.
    """
    x = np.arange(plan.bins_per_unit + 1) / plan.bins_per_unit
    y, band = np.full((2, x.size), np.nan)
    for row in rows:
        place = round(row.x * plan.bins_per_unit)
        y[place], band[place] = row.value, 2 * float(row.standard_error)
    return x, y, band


def _label(axes: Any, plan: FigurePlan, title: str, count: str, *, narrow: bool) -> None:
    tidy(axes)
    if narrow:
        axes.set_title(f"{fill(title, 17)}\n{fill(count, 17)}", fontsize=small(), loc="left")
    else:
        axes.set_title(title, loc="left")
        axes.set_title(count, fontsize=small(), loc="right", color="0.25")
    axes.set_xlabel(_WORDS[plan.axis].replace("separation of", "separation\nof"))
    least, most = max(plan.shown.low, 0), plan.shown.high
    axes.set_xlim(least - 0.03 * (most - least), most + 0.03 * (most - least))
    axes.set_ylim(-0.02, 1.05)


def _count(size: int, rows: list[_Row]) -> str:
    """Say how many experiments a panel stands for, and how many of them are in no bin shown."""
    left_out = size - sum(int(row.experiments) for row in rows if row.series == "f1")
    return f"n = {size:,}" + f" ({left_out:,} left out)" * bool(left_out)


def _legend(figure: Any, axes: Any, plan: FigurePlan) -> None:
    title = caption(figure, _CAPTION.format(least=LEAST_ROWS) + plan.note)
    legend = legend_below(figure, *axes.get_legend_handles_labels(), title=title)
    legend.get_title().set_color("0.25")
