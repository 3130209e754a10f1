"""The receipt of a score as a picture: scores over time, what was found, what each alarm cost.

Above: the scores with the threshold, flags within events in blue, false ones in the colour of their
cost. Below, two lanes: events, filled as far as they earned their weight, and alarms with the
islands that they are charged with.

Case: the receipts of a user's own detectors, one below the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.count.ledger import as_dicts
from adjudge.data.intervals import runs
from adjudge.errors import visible
from adjudge.reporting.figures.drawing import (
    BLUE,
    GREEN,
    TimeAxis,
    axes_for,
    drawable,
    extremes,
    highest,
    legend_above,
    save,
    sheet,
    shown_intervals,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from adjudge._typing import Array, Floats, Positions
    from adjudge.judging.receipt import Receipt

_EVENT = (0, 0, 0, 0.11)  # lies over the scores, which may be dense
_LINE, _DENSE = "0.35", "0.6"
_LANES = 0.30  # share of the height that the two lanes take
_SERIES = 100  # borders of more series would hide what is drawn
_THIN = 0.9  # points: how wide an interval is drawn at least


class _Heights(NamedTuple):
    """What stands where, from below: alarms, events, scores."""

    alarms: float
    events: float
    lane: float
    """How high a lane is."""
    low: float
    high: float
    """The range of the scores."""


def plot_receipt(
    receipt: Receipt, *, ax: Any = None, name: str = "", width: str | float | None = None
) -> Any:
    """Draw a receipt; see `adjudge.Receipt.plot`."""
    scores = _scores(receipt)
    with axes_for(ax, (10, 2.6 if scores is None else 4), width) as axes:
        time = TimeAxis.of(receipt.labels.size, receipt.clock)
        heights = _heights(scores, receipt.at)
        colours = _Costs.of(receipt)
        _draw_events(axes, time, receipt, heights)
        if scores is not None:
            _draw_scores(axes, time, receipt, scores, colours)
        _draw_alarms(axes, time, receipt, heights, colours)
        _draw_borders(axes, time, receipt, heights)
        time.label(axes)
        _finish(axes, receipt, heights, colours, name, has_scores=scores is not None)
    return axes


def _scores(receipt: Receipt) -> Floats | None:
    """The scores to draw; None: there are flags alone."""
    if receipt.case.is_flags:
        return None
    return drawable(np.asarray(receipt.case.given, np.float64))


def _heights(scores: Floats | None, at: float | None) -> _Heights:
    if scores is None:
        return _Heights(0.1, 1.2, 0.8, 2.1, 2.1)
    shown = [scores.min(), scores.max()]
    if at is not None and np.isfinite(at):
        shown.append(at)
    low, high = float(min(shown)), float(max(shown))
    span = (high - low) or 1.0
    lane = span * _LANES / (1 - _LANES) / 2
    return _Heights(low - 2 * lane, low - lane, 0.7 * lane, low, low + span)


class _Costs(NamedTuple):
    """What each alarm cost, as a colour: the darker, the dearer."""

    most: float
    palette: Any

    @classmethod
    def of(cls, receipt: Receipt) -> _Costs:
        from matplotlib import colormaps  # noqa: PLC0415 - optional, and slow to import
        from matplotlib.colors import ListedColormap  # noqa: PLC0415 - optional

        cost = receipt.alarms.cost
        # orange to brown: its grey darkens evenly
        palette = ListedColormap(colormaps["YlOrBr"](np.linspace(0.45, 1, 128)))
        return cls(float(cost.max()) if cost.size else 0.0, palette)

    def __call__(self, cost: Array) -> Any:
        return self.palette(cost / (self.most or 1.0))


def _draw_events(axes: Any, time: TimeAxis, receipt: Receipt, heights: _Heights) -> None:
    truth = receipt.truth
    if not truth.start.size:
        return
    missing = 1 - _share_earned(receipt)  # the missed ones last: they lie on top
    which = shown_intervals(truth.start, truth.stop, missing, receipt.labels.size)
    starts, stops = time.edges[truth.start[which]], time.edges[truth.stop[which]]
    _boxes(axes, starts, stops, heights.low, heights.high - heights.low, color=_EVENT,
           edgecolor="none", zorder=2.5)  # fmt: skip
    lane, earned = heights.lane, 1 - missing[which]
    _boxes(axes, starts, stops, heights.events, lane, color="white", edgecolor="0.2", zorder=3)
    full = earned > 0
    _boxes(axes, starts[full], stops[full], heights.events, (lane * earned)[full], color=GREEN)


def _draw_borders(axes: Any, time: TimeAxis, receipt: Receipt, heights: _Heights) -> None:
    """Strike out the points that are not judged, and part the series."""
    foot, top, judged = heights.alarms, heights.high, receipt.case.events.judged
    borders = receipt.case.events.series_bounds[1:-1]
    if borders.size <= _SERIES:
        axes.vlines(time.edges[borders], foot, top, color="0.5", linewidth=0.8, linestyle=":")
    if judged is None:
        return
    for start, stop in np.transpose(runs(~judged, np.array([0]))).tolist():
        axes.fill_between(time.edges[[start, stop]], foot, top, facecolor="white", hatch="////",
                          edgecolor="0.75", linewidth=0, alpha=0.7, zorder=6)  # fmt: skip


def _share_earned(receipt: Receipt) -> Floats:
    truth = receipt.truth
    if receipt.better == "lower":
        return truth.found.astype(np.float64)
    weight = np.where(truth.weight > 0, truth.weight, 1)
    return np.clip(truth.credit / weight, 0, 1)


def _draw_scores(
    axes: Any, time: TimeAxis, receipt: Receipt, scores: Floats, colours: _Costs
) -> None:
    shown = extremes(scores)
    colour = _LINE if shown.size == scores.size else _DENSE
    axes.plot(time.places[shown], scores[shown], color=colour, linewidth=0.8, zorder=2)
    foot = scores.min() if receipt.at is None else max(receipt.at, scores.min())
    for flagged, kind in ((receipt.flags & receipt.labels, "o"), (_false(receipt), "x")):
        places = np.flatnonzero(flagged)
        tops = highest(places, scores[places], scores.size)
        colour = BLUE if kind == "o" else colours(_cost_at(tops, receipt))
        axes.vlines(time.places[tops], foot, scores[tops], color=colour, linewidth=1.3, zorder=4)
        thin = 0.8 if kind == "x" else 0
        axes.scatter(time.places[tops], scores[tops], s=8, color=colour, zorder=5, marker=kind,
                     linewidths=thin)  # fmt: skip
    if receipt.at is not None and np.isfinite(receipt.at):
        axes.axhline(receipt.at, color="black", linestyle=(0, (5, 3)), linewidth=0.9, zorder=3)


def _false(receipt: Receipt) -> Array:
    return receipt.flags & ~receipt.labels


def _cost_at(places: Positions, receipt: Receipt) -> Array:
    """What the alarm cost that each flagged point belongs to."""
    alarms = receipt.alarms
    wrong = np.flatnonzero(alarms.cost > 0)
    wrong = wrong[np.argsort(alarms.start[wrong], kind="stable")]
    if not wrong.size:
        return np.zeros(places.size)
    last = np.searchsorted(alarms.start[wrong], places, side="right") - 1
    row = wrong[np.maximum(last, 0)]
    inside = (last >= 0) & (places < alarms.stop[row])
    return np.where(inside, alarms.cost[row], 0)


def _draw_alarms(
    axes: Any, time: TimeAxis, receipt: Receipt, heights: _Heights, colours: _Costs
) -> None:
    alarms, n = receipt.alarms, receipt.labels.size
    wrong = np.flatnonzero(alarms.cost > 0)
    which = wrong[shown_intervals(alarms.start[wrong], alarms.stop[wrong], alarms.cost[wrong], n)]
    colour = colours(alarms.cost[which])
    foot, lane = heights.alarms, heights.lane
    spans = ((alarms.island_start, alarms.island_stop, 0.3), (alarms.start, alarms.stop, 0.6))
    for starts, stops, share in spans:
        edges = time.edges[starts[which]], time.edges[stops[which]]
        _boxes(axes, *edges, foot, share * lane, color=colour)
    starts, stops = runs(receipt.flags & receipt.labels, np.array([0]))
    right = shown_intervals(starts, stops, stops - starts, n)
    edges = time.edges[starts[right]], time.edges[stops[right]]
    _boxes(axes, *edges, foot, lane, color=BLUE, zorder=4)


def _boxes(
    axes: Any, starts: Floats, stops: Floats, foot: float, height: Any, *, color: Any,
    edgecolor: Any = "face", zorder: float = 3,
) -> None:  # fmt: skip
    """Draw boxes that are never too thin to be seen."""
    from matplotlib.collections import PolyCollection  # noqa: PLC0415 - optional

    tops = np.broadcast_to(foot + np.asarray(height, np.float64), starts.shape)
    feet = np.full(starts.shape, foot)
    corners = [(starts, feet), (stops, feet), (stops, tops), (starts, tops)]
    shapes: Any = np.stack([np.stack(corner, axis=-1) for corner in corners], axis=1)
    axes.add_collection(
        PolyCollection(
            shapes, facecolors=color, edgecolors=edgecolor, linewidths=_THIN, zorder=zorder
        ),
        autolim=False,
    )


def _finish(
    axes: Any, receipt: Receipt, heights: _Heights, colours: _Costs, name: str, *, has_scores: bool
) -> None:
    from matplotlib.ticker import MaxNLocator  # noqa: PLC0415 - optional

    lane = heights.lane
    axes.set_ylim(heights.alarms - 0.25 * lane, heights.high + 0.08 * (heights.high - heights.low))
    values = MaxNLocator(5).tick_values(heights.low, heights.high) if has_scores else []
    ticks = [tick for tick in values if heights.low <= tick <= heights.high]
    lanes = [heights.alarms + lane / 2, heights.events + lane / 2]
    axes.set_yticks([*lanes, *ticks], ["alarms", "events", *(f"{tick:g}" for tick in ticks)])
    if has_scores:
        axes.set_ylabel("score")
    axes.spines[["top", "right"]].set_visible(False)
    above = "" if receipt.at is None else f", flagged above {receipt.at_text}"
    title = f"{name}{receipt.metric} = {receipt.value:.4g}{above}"
    legend_above(axes, _handles(receipt, colours, has_scores=has_scores), title)


def _handles(receipt: Receipt, colours: _Costs, *, has_scores: bool) -> list[Any]:
    from matplotlib.lines import Line2D  # noqa: PLC0415 - optional
    from matplotlib.patches import Patch  # noqa: PLC0415 - optional

    missed = bool(np.any(_share_earned(receipt) == 0))
    alarms = receipt.alarms
    islands = bool(np.any(alarms.island_stop - alarms.island_start > alarms.stop - alarms.start))
    verb = "adds" if receipt.charges else "costs"
    false = f"false alarm: the darkest {verb} {colours.most:,.4g}"
    false += ", lower: its island" * islands
    brown = colours.palette(0.75)
    handles = [
        (has_scores, Line2D([], [], color=_LINE, linewidth=0.8, label="score")),
        (has_scores and receipt.at is not None,
         Line2D([], [], color="black", linestyle=(0, (5, 3)), linewidth=0.9, label="threshold")),
        (True, Patch(color=GREEN, label="event, as far as it earned")),
        (missed, Patch(facecolor="white", edgecolor="0.2", label="missed")),
        (True, Line2D([], [], color=BLUE, marker="o", markersize=3, label="true alarm")),
        (colours.most > 0, Line2D([], [], color=brown, marker="x", markersize=4, label=false)),
    ]  # fmt: skip
    return [handle for wanted, handle in handles if wanted]


_HEAD = ("detector", "kind", "start", "stop", "found", "island_start", "island_stop",
         "weight", "credit", "cost")  # fmt: skip


def case_figure(
    out: Path, receipts: Mapping[str, Receipt], width: str | float | None = None
) -> list[Path]:
    """Draw what detectors scored, and how they came by it.

    Parameters
    ----------
    out : Path
        The directory for ``case.png``, ``.svg``, ``.pdf`` and ``.csv`` (events and alarms).
    receipts : mapping of str to Receipt
        One per detector.
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
    with sheet(10, 4 * len(receipts), width, narrow=2.6 * len(receipts)) as figure:
        grid = figure.subplots(len(receipts), 1, squeeze=False)[:, 0]
        for axes, (name, receipt) in zip(grid, receipts.items(), strict=True):
            plot_receipt(receipt, ax=axes, name=f"{visible(name)}: ")
        rows = [row for name, receipt in receipts.items() for row in _rows(name, receipt)]
        return save(figure, out, "case", _HEAD, rows)


def _rows(name: str, receipt: Receipt) -> Iterator[list[object]]:
    for row in as_dicts(receipt.truth):
        cost = row["weight"] - row["credit"]
        shown = {**row, "detector": name, "kind": "event", "cost": cost}
        yield [shown.get(key, "") for key in _HEAD]
    for row in receipt.alarms.with_cost:
        shown = {**row, "detector": name, "kind": "alarm", "found": row["event"] >= 0}
        yield [shown[key] for key in _HEAD]
