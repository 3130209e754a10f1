"""Strip: figure 1 of the paper, the adjustments side by side on two events and three runs.

What stays a flag and what an adjustment adds is taken from the library's own adjustments, and every
F1 is an exact fraction of the points drawn.
"""

from __future__ import annotations

from fractions import Fraction
from textwrap import fill
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.count.points import PointCount
from adjudge.data.events import Events
from adjudge.data.intervals import runs
from adjudge.metrics.reader import metric
from adjudge.reporting.figures.drawing import (
    BLUE,
    ORANGE,
    bare,
    is_narrow,
    legend_below,
    save,
    sheet,
)
from adjudge.tables.look import SCORES, on_white

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from adjudge._typing import Flags

_POINTS = 80
_EVENTS = ((18, 32), (50, 60))
_RUNS = ((21, 25), (40, 44), (54, 58))
_LANES = {
    "pointwise": "f1",
    f"point-adjusted ({SCORES['f1_pa']})": "f1_pa",
    f"{SCORES['f1_kpa']}, K = 40 %": "f1_kpa(k=0.4)",
    f"balanced ({SCORES['f1_ba']}), islands of 5": "f1_ba(width=5)",
}
_LOOKS: dict[str, tuple[str, float, str]] = {
    "event": (on_white("event"), 0.62, "event"),
    "flag": (on_white("score"), 0.62, "flag of the detector"),
    "kept": (BLUE, 0.62, "flag, left as it is"),
    "added": (ORANGE, 0.31, "added by the adjustment (half as high)"),
}  # colour, height and name of a marked point: in print the height tells kept from added
_F1_AT, _WITHOUT_AT = 91, 108  # where the columns of numbers stand, in points of the series


class _LaneRow(NamedTuple):
    """A run of marked points, or a value, of one lane."""

    lane: str
    kind: str
    start: int | str = ""
    stop: int | str = ""
    fraction: str = ""
    value: float | str = ""


def strip_figure(out: Path, *, width: str | float | None = None) -> list[Path]:
    """Draw figure 1 of the paper: which points count after each adjustment, and the F1 of it.

    One lane for the truth, one for the flags, and one for each of four adjustments with its F1, and
    with the F1 that the same detector would have had without its false run: every metric charges
    for it, point by point; balanced adjustment charges by the island.

    Parameters
    ----------
    out : Path
        The directory for ``strip.png``, ``.svg``, ``.pdf`` and ``strip.csv`` (all plotted numbers).
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
    with sheet(10.5, 3.8, width, narrow=2.5) as figure:
        rows = list(_rows())
        _draw(figure, rows)
        return save(figure, out, "strip", _LaneRow._fields, rows)


def _rows() -> Iterator[_LaneRow]:
    events = Events.from_intervals(_EVENTS, n=_POINTS)
    flags = Events.from_intervals(_RUNS, n=_POINTS).labels
    true_runs = [run for run in _RUNS if events.labels[slice(*run)].any()]
    without = Events.from_intervals(true_runs, n=_POINTS).labels
    yield from _marked("truth", "event", events.labels)
    yield from _marked("flags", "flag", flags)
    for lane, spec in _LANES.items():
        adjusted = metric(spec).parts.adjust(flags, events)
        yield from _marked(lane, "kept", adjusted & flags)
        yield from _marked(lane, "added", adjusted & ~flags)
        for kind, judged in (("f1", flags), ("f1 without the false run", without)):
            f1 = _exact_f1(spec, judged, events)
            yield _LaneRow(lane, kind, fraction=str(f1), value=float(f1))


def _marked(lane: str, kind: str, mask: Flags) -> Iterator[_LaneRow]:
    for start, stop in np.transpose(runs(mask, np.array([0]))).tolist():
        yield _LaneRow(lane, kind, start, stop)


def _exact_f1(spec: str, flags: Flags, events: Events) -> Fraction:
    adjusted = metric(spec).parts.adjust(flags, events)
    _, truth, right, flagged, _ = PointCount().masses(adjusted, events).at(False)
    return Fraction(int(2 * right), int(truth + flagged))


def _draw(figure: Any, rows: list[_LaneRow]) -> None:
    axes = figure.subplots()
    bare(axes)
    narrow = is_narrow(figure.get_figwidth())
    lanes = list(dict.fromkeys(row.lane for row in rows))
    for start, stop in _EVENTS:
        axes.axvspan(start, stop, ymax=0.93, color="0.93", lw=0)
    for place, lane in enumerate(reversed(lanes)):
        axes.plot([0, _POINTS], [place, place], color="0.6", lw=0.8)
        for row in (row for row in rows if row.lane == lane):
            _draw_row(axes, row, place, narrow=narrow)
    names = [fill(lane, 17) if narrow else lane for lane in lanes[::-1]]
    axes.set_yticks([place + 0.28 for place in range(len(lanes))], names)
    axes.tick_params(axis="y", length=0)
    axes.set_xticks(range(0, _POINTS + 1, 20 if narrow else 10))
    axes.tick_params(axis="x", color="0.6")
    axes.set_xlabel("point", x=_POINTS / 2 / (_WITHOUT_AT + 8))
    axes.set_xlim(-1, _WITHOUT_AT + 9)
    axes.set_ylim(-0.12, len(lanes) - 0.25)
    top = len(lanes) - 1.9
    axes.text(_F1_AT, top, "F1", ha="center", va="bottom", fontweight="bold")
    without = "without\nfalse run" if narrow else "F1 without\nthe false run"
    axes.text(_WITHOUT_AT, top, without, ha="center", va="bottom", color="0.3")
    looks = [(axes.bar([0], [0], color=color), name) for color, _, name in _LOOKS.values()]
    legend_below(figure, *zip(*looks, strict=True))


def _draw_row(axes: Any, row: _LaneRow, place: int, *, narrow: bool) -> None:
    if row.kind in _LOOKS:
        color, height, _ = _LOOKS[row.kind]
        points = np.arange(row.start, row.stop) + 0.5
        axes.bar(points, height, width=0.82, bottom=place, color=color)
        return
    text = f"{row.fraction} = {row.value:.3f}" if "/" in row.fraction else row.fraction
    bold = row.kind == "f1"
    axes.text(
        _F1_AT if bold else _WITHOUT_AT, place + 0.28, text.split("= ")[-1] if narrow else text,
        ha="center", va="center", fontweight="bold" if bold else "normal",
        color="black" if bold else "0.3",
    )  # fmt: skip
