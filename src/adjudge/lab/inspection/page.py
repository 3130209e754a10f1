"""The page of an inspection: what each check says, and every suspect drawn with its signal.

One offline file without any script, in the frame of the other pages. Names come from outside, so
the template escapes all text, and the content security policy lets the page load nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.lab.inspection.result import LEVELS
from adjudge.reporting.figures.drawing import extremes
from adjudge.reporting.page.assembly import page, write_page

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from adjudge.lab.inspection.result import Inspection, Suspect
    from adjudge.lab.inspection.series import InspectedSeries

WIDTH, HEIGHT = 720, 130
_AROUND = 6
"""How many lengths of the suspect are drawn to either side."""
_LEAST = 150
_DRAWN = 60
"""Suspects that are drawn; the others are listed."""
_WORDS = {
    "flaw": "significant, or beyond a fixed limit",
    "look": "needs a human look",
    "fine": "no problem found",
    "cannot say": "the data cannot answer this",
}
_SERIES = (
    "series", "judged", "events", "share", "longest", "density", "suspected_missing", "unseen",
    "one_liner", "one_liner_value", "one_liner_chance", "holes", "longest_constant",
    "patterns_repeat",
)  # fmt: skip


class Drawing(NamedTuple):
    """The signal around a suspect: a line, boxes behind it, and what its axes say."""

    line: str
    boxes: list[tuple[str, float, float]]
    """Class, left edge and width."""
    heights: tuple[str, str]
    places: tuple[str, str]
    unit: str


def write_inspection(found: Inspection, path: str | os.PathLike[str]) -> Path:
    """Write the page."""
    by_name = {one.name: one for one in found.data}
    rows = sorted(found.rows, key=lambda row: LEVELS.index(row.level))
    points, events = (
        sum(len(one) for one in many)
        for many in ([one.labels for one in found.data], [one.lengths for one in found.data])
    )
    return write_page(
        path,
        page(
            "inspection",
            style="ranking",
            title=f"Inspection of {len(found.series):,} series",
            facts=f"{points:,} points, {events:,} labelled events",
            lead=found.verdict,
            left_out=found.left_out,
            tiles=[(level, len(found.of(level)), _WORDS[level]) for level in LEVELS],
            checks=[row for row in rows if row.series is None],
            of_series=[row for row in rows if row.series is not None],
            suspects=[(one, drawing(one, by_name[one.series])) for one in found.suspects[:_DRAWN]],
            more=len(found.suspects[_DRAWN:]),
            table=_table(found.series),
            size=(WIDTH, HEIGHT),
        ),
    )


def _table(series: Iterable[Mapping[str, Any]]) -> tuple[list[str], list[list[str]]]:
    listed = list(series)
    names = [name for name in _SERIES if any(name in one for one in listed)]
    return [name.replace("_", " ") for name in names], [
        [_cell(one.get(name, "")) for name in names] for one in listed
    ]


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.3f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def drawing(suspect: Suspect, series: InspectedSeries, columns: int = WIDTH) -> Drawing:
    """The signal around a suspect, with the labelled events and the suspect itself as boxes.

    Of each of so many columns of the drawing the lowest and the highest value are drawn.
    """
    around = max(_LEAST, _AROUND * (suspect.stop - suspect.start))
    start, stop = max(0, suspect.start - around), min(series.n, suspect.stop + around)
    part = (np.zeros(series.n) if series.signal is None else series.signal)[start:stop]
    places = extremes(part, columns)
    low, high = float(part.min()), float(part.max())
    scale = WIDTH / max(len(part) - 1, 1)
    y = HEIGHT - 8 - (part[places] - low) / ((high - low) or 1.0) * (HEIGHT - 16)
    points = zip((places * scale).tolist(), y.tolist(), strict=True)
    line = " ".join(f"{a:.1f},{b:.1f}" for a, b in points)
    events = zip(*(one.tolist() for one in series.intervals), strict=True)
    spans = [("unjudged", 0, series.first), *(("event", a, b) for a, b in events)]
    spans.append(("suspect", suspect.start, suspect.stop))
    boxes = [
        (kind, *_box((first - start - 0.5) * scale, (last - start - 0.5) * scale))
        for kind, first, last in spans
        if last > start and first < stop
    ]
    ends = (start, stop - 1)
    times = series.time(ends[0]), series.time(ends[1])
    known = [time for time in times if time is not None]
    texts = known if len(known) > 1 else [f"{end:,}" for end in ends]
    heights = ("", "") if series.signal is None else (f"{low:.4g}", f"{high:.4g}")
    return Drawing(line, boxes, heights, (texts[0], texts[1]), "time" if known else "point")


def _box(left: float, right: float) -> tuple[float, float]:
    """Left edge and width, cut off at the edges of the drawing, and never too thin to be seen."""
    left, right = max(left, 0.0), min(right, WIDTH)
    return round(left, 1), round(max(right - left, 1.5), 1)
