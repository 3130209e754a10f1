"""The page of an inspection: what each check says, and every suspect drawn with its signal.

One offline file without any script: tables, and drawings as SVG. Names come from outside, so all
text is escaped, and the content security policy lets the page load nothing.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import numpy as np

from adjudge._version import __version__
from adjudge.errors import visible
from adjudge.reporting.figures.drawing import BLACK, ORANGE, SKY, extremes
from adjudge.reporting.page.assembly import write_page

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping
    from pathlib import Path
    from typing import Any

    from adjudge.lab.inspection.result import Finding, Inspection, Suspect
    from adjudge.lab.inspection.series import InspectedSeries

WIDTH, HEIGHT = 720, 130
_AROUND = 6
"""How many lengths of the suspect are drawn to either side."""
_LEAST = 150
_DRAWN = 60
"""Suspects that are drawn; the others are listed."""
_STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#111;
background:#fff}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;
padding:.25rem .6rem .25rem 0;border-bottom:1px solid #ddd}td.n{text-align:right}
.wide{overflow-x:auto;font-size:.85rem}.level{white-space:nowrap;font-weight:600}
.flaw{color:#a33a00}.look{color:#0060a0}figure{margin:1rem 0}figcaption{font-size:.9rem}
svg{width:100%;height:auto;border:1px solid #ddd}
"""
_SERIES = (
    "series", "judged", "events", "share", "longest", "density", "suspected_missing", "unseen",
    "one_liner", "one_liner_value", "one_liner_chance", "holes", "longest_constant",
    "patterns_repeat",
)  # fmt: skip


def write_inspection(found: Inspection, path: str | os.PathLike[str]) -> Path:
    """Write the page."""
    return write_page(path, inspection_page(found))


def inspection_page(found: Inspection) -> str:
    """The page as text."""
    by_name = {one.name: one for one in found.data}
    drawn, left = found.suspects[:_DRAWN], len(found.suspects[_DRAWN:])
    pictures = "".join(_figure(one, by_name[one.series]) for one in drawn)
    more = f"<p>{left:,} more are in the JSON.</p>" if left else ""
    title = f"Inspection of {len(found.series):,} series"
    return "\n".join([
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width,initial-scale=1">',
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">",
        f"<title>{title}</title><style>{_STYLE}</style></head><body>",
        f"<h1>{title}</h1><p><strong>{_text(found.verdict)}</strong></p>",
        "<h2>Checks</h2>", _checks(row for row in found.rows if row.series is None),
        *(["<h2>To look at</h2>", _legend(), pictures, more] if found.suspects else []),
        *_of_series(found), "<h2>Series</h2>", _table(found.series),
        f"<p>{_text(found.left_out)}</p><p><small>adjudge {__version__}</small></p></body></html>",
    ])  # fmt: skip


def _text(value: object) -> str:
    return escape(visible(str(value)))


def _checks(rows: Iterable[Finding]) -> str:
    lines = "".join(
        f"<tr><th scope='row'>{_text(row.check)}</th>"
        f"<td class='level {row.level.replace(' ', '-')}'>{row.level}</td>"
        f"<td>{_text(row.says)}</td></tr>"
        for row in rows
    )
    return f"<table><tr><th>check</th><th>level</th><th>what it says</th></tr>{lines}</table>"


def _of_series(found: Inspection) -> list[str]:
    """What checks say of single series."""
    own = [row for row in found.rows if row.series is not None]
    lines = "".join(
        f"<tr><th scope='row'>{_text(row.series)}</th>"
        f"<td class='level {row.level}'>{_text(row.check)}: {row.level}</td>"
        f"<td>{_text(row.says)}</td></tr>"
        for row in own
    )
    return ["<h2>Single series</h2>", f"<table>{lines}</table>"] if own else []


def _table(series: Iterable[Mapping[str, Any]]) -> str:
    listed = list(series)
    names = [name for name in _SERIES if any(name in one for one in listed)]
    head = "".join(f"<th>{name.replace('_', ' ')}</th>" for name in names)
    rows = "".join(
        "<tr>" + "".join(f"<td>{_cell(one.get(name, ''))}</td>" for name in names) + "</tr>"
        for one in listed
    )
    return f"<div class='wide'><table><tr>{head}</tr>{rows}</table></div>"


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.3f}" if isinstance(value, float) else _text(value)


def _legend() -> str:
    return (
        "<p>Black: the signal. Blue: labelled events. Orange frame: the stretch to look at. "
        "Grey: not judged.</p>"
    )


def _figure(suspect: Suspect, series: InspectedSeries) -> str:
    when = f", {suspect.time}" if suspect.time else ""
    place = f"points {suspect.start:,} to {suspect.stop - 1:,}{when}"
    caption = f"<strong>{_text(suspect.series)}</strong>, {_text(place)}. "
    caption += f"{_text(suspect.kind)}, {suspect.level}: {_text(suspect.evidence)}."
    return f"<figure>{drawing(suspect, series)}<figcaption>{caption}</figcaption></figure>"


def drawing(suspect: Suspect, series: InspectedSeries, columns: int = WIDTH) -> str:
    """The signal around a suspect as SVG: events behind it in blue, the suspect in orange.

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
    bands = [(0, series.first, 'fill="#888888" fill-opacity="0.25"')]
    bands += [(a, b, f'fill="{SKY}" fill-opacity="0.35"') for a, b in events]
    frame = f'fill="{ORANGE}" fill-opacity="0.15" stroke="{ORANGE}" stroke-width="2"'
    bands.append((suspect.start, suspect.stop, frame))
    drawn = "".join(
        _band((first - start - 0.5) * scale, (last - start - 0.5) * scale, look)
        for first, last, look in bands
        if last > start and first < stop
    )
    label = escape(f"signal of {visible(series.name)} around point {suspect.start:,}")
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}" '
        f'xmlns="http://www.w3.org/2000/svg">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>{drawn}'
        f'<polyline points="{line}" fill="none" stroke="{BLACK}" stroke-width="1"/></svg>'
    )


def _band(left: float, right: float, look: str) -> str:
    """A rectangle over the whole height, cut off at the edges of the drawing."""
    left, right = max(left, 0.0), min(right, WIDTH)
    width = max(right - left, 1.5)
    return f'<rect x="{left:.1f}" y="1" width="{width:.1f}" height="{HEIGHT - 2}" {look}/>'
