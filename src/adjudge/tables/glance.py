"""What a notebook shows above the tables: a few numbers, and one small drawing of them.

Drawings are SVG without a script and without a style sheet, since notebooks remove both. Text has
the colour of the notebook, and marks have colours that are seen on white and on black.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from adjudge.errors import visible
from adjudge.tables.look import COLOURS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adjudge._typing import Floats

MOST = 12
"""Rows of a drawing; who wants all has the tables, figures and pages."""
_LEFT, _WIDE, _RIGHT, _LINE = 190, 360, 90, 22  # names, drawing, numbers, and the height of a row
_LETTERS = 27  # of a name
_COLUMNS = 720  # of a lane: two for each unit of its width
_STEPS, _FAINT = 4, 0.4  # grades of ink of a column, and how much the faintest is above


class Tile(NamedTuple):
    """A number that matters, below what it is."""

    title: str
    value: str
    note: str = ""


class Chart(Protocol):
    """What can be drawn as SVG, and said for those who do not see it."""

    def svg(self) -> str:
        """Draw it."""


class Glance(NamedTuple):
    """What is seen first: numbers, and a drawing."""

    tiles: tuple[Tile, ...] = ()
    drawing: Chart | None = None
    lead: tuple[str, ...] = ()
    """Sentences above, where the layout has none."""

    def html(self) -> str:
        """The sentences, the numbers side by side, and the drawing below."""
        lead = "".join(f"<p>{html_text(sentence)}</p>" for sentence in self.lead)
        tiles = "".join(map(_tile, self.tiles))
        row = "display:flex;flex-wrap:wrap;gap:8px;margin:8px 0"
        tiles = f'<div style="{row}">{tiles}</div>' if tiles else ""
        return lead + tiles + ("" if self.drawing is None else self.drawing.svg())


def _tile(tile: Tile) -> str:
    box = "border:1px solid #7d8793;border-radius:6px;padding:6px 12px"
    title, value, note = map(html_text, tile)
    note = f"<br><small>{note}</small>" if note else ""
    return f'<div style="{box}"><small>{title}</small><br><b>{value}</b>{note}</div>'


class Mark(NamedTuple):
    """A value on an axis; NaN is not drawn."""

    name: str
    value: float
    text: str
    low: float = math.nan
    high: float = math.nan
    chance: float = math.nan


@dataclass(frozen=True)
class Dots:
    """Values on one axis, each with its interval and a tick where chance is."""

    title: str
    marks: tuple[Mark, ...]
    ends: tuple[float, float] | None = (0.0, 1.0)
    """Of the axis; None: as far as there is something to draw."""

    def svg(self) -> str:
        """Draw a row for each value, and the axis below."""
        marks = self.marks[:MOST]
        low, high = self.ends or _reach(marks)
        rows = [_dot(place, mark, low, high) for place, mark in enumerate(marks)]
        bottom = len(marks) * _LINE + 4
        ticks = "".join(
            _text(_x(at, low, high), bottom + 14, f"{at:.3g}", "middle")
            for at in (low, (low + high) / 2, high)
        )
        axis = _line(_LEFT, _LEFT + _WIDE, bottom, bottom, "stroke-opacity", 0.4)
        said = "; ".join(f"{mark.name} {mark.text}" for mark in marks)
        return _svg(_counted(self.title, len(self.marks)), said, bottom + 20, *rows, axis, ticks)


def _reach(marks: tuple[Mark, ...]) -> tuple[float, float]:
    """From 0, or from below it, to the farthest end of what is drawn."""
    ends = [end for mark in marks for end in mark[1:] if isinstance(end, float)]
    known = [0.0, *(end for end in ends if math.isfinite(end))]
    return min(known), max(known) if max(known) > min(known) else min(known) + 1


def _x(at: float, low: float, high: float) -> float:
    return _LEFT + _WIDE * (min(max(at, low), high) - low) / (high - low)


def _dot(place: int, mark: Mark, low: float, high: float) -> str:
    y = place * _LINE + _LINE / 2
    drawn = [_text(_LEFT - 10, y + 4, _cut(mark.name), "end")]
    drawn.append(_text(_LEFT + _WIDE + 10, y + 4, mark.text, "start"))
    if not math.isnan(mark.low):
        ends = (_x(mark.low, low, high), _x(mark.high, low, high))
        drawn.append(_line(*ends, y, y, "stroke-width", 3, _ink("ba")))
    if not math.isnan(mark.value):
        x = _x(mark.value, low, high)
        drawn.append(f'<circle cx="{x:.1f}" cy="{y:g}" r="5" {_ink("ba", "fill")}/>')
    if not math.isnan(mark.chance):
        x = _x(mark.chance, low, high)
        drawn.append(_line(x, x, y - 8, y + 8, "stroke-width", 2))
    return "".join(drawn)


class Lane(NamedTuple):
    """Stretches of time in one colour."""

    name: str
    starts: Any
    stops: Any
    part: str
    """The colour, by its part in a picture: see `adjudge.tables.look.COLOURS`."""
    text: str = ""


@dataclass(frozen=True)
class Lanes:
    """Stretches over time, a lane for each kind of them."""

    title: str
    lanes: tuple[Lane, ...]
    n: int
    """How many points there are."""
    ends: tuple[str, str]
    """What the first and the last point are called."""

    def svg(self) -> str:
        """Draw every lane over the same time."""
        lanes = self.lanes[:MOST]
        bottom = len(lanes) * _LINE + 4
        rows = [part for place, lane in enumerate(lanes) for part in _lane(place, lane, self.n)]
        axis = _line(_LEFT, _LEFT + _WIDE, bottom, bottom, "stroke-opacity", 0.4)
        first = _text(_LEFT, bottom + 14, self.ends[0], "start")
        last = _text(_LEFT + _WIDE, bottom + 14, self.ends[1], "end")
        said = "; ".join(f"{lane.name}: {lane.text or len(lane.starts)}" for lane in lanes)
        title = _counted(self.title, len(self.lanes))
        return _svg(title, said, bottom + 20, *rows, axis, first, last)


def _lane(place: int, lane: Lane, n: int) -> Iterator[str]:
    y = place * _LINE + 4
    yield _text(_LEFT - 10, y + 11, _cut(lane.name), "end")
    yield _text(_LEFT + _WIDE + 10, y + 11, lane.text, "start")
    share = shares(np.asarray(lane.starts), np.asarray(lane.stops), n)
    grade = np.ceil(_STEPS * share.round(9)).astype(np.int64)
    for ink in range(1, _STEPS + 1):
        edges = np.diff((grade == ink).astype(np.int64), prepend=0, append=0)
        ends = (edges == 1).nonzero()[0], (edges == -1).nonzero()[0]
        boxes = "".join(_box(a, b, y) for a, b in zip(*(own.tolist() for own in ends), strict=True))
        if boxes:
            above = _FAINT + (1 - _FAINT) * ink / _STEPS
            yield f'<path d="{boxes}" {_ink(lane.part, "fill")} fill-opacity="{above:g}"/>'


def _box(first: int, stop: int, y: float) -> str:
    """Some columns of a lane as a part of a path."""
    wide = (stop - first) * _WIDE / _COLUMNS
    return f"M{_LEFT + first * _WIDE / _COLUMNS:g} {y:g}h{wide:g}v14h{-wide:g}z"


def shares(starts: Floats, stops: Floats, n: int, columns: int = _COLUMNS) -> Floats:
    """The share of each column of a lane that disjoint stretches cover: its ink.

    >>> shares(np.array([0, 6]), np.array([4, 7]), 8, columns=2).tolist()
    [1.0, 0.25]
    """
    if not len(starts):
        return np.zeros(columns)
    knots = np.stack([starts, stops], 1).ravel()
    covered = np.stack([np.zeros(len(starts)), stops - starts], 1).ravel().cumsum()
    edges = np.linspace(0, n, columns + 1)
    found: Floats = np.diff(np.interp(edges, knots, covered)) * columns / n
    return found


def _counted(title: str, rows: int) -> str:
    return title if rows <= MOST else f"{title}; the first {MOST} of {rows:,}"


def _svg(title: str, said: str, high: float, *parts: str) -> str:
    wide = _LEFT + _WIDE + _RIGHT
    head = f'<svg role="img" viewBox="0 0 {wide} {high:g}" width="{wide}" height="{high:g}"'
    style = 'style="max-width:100%;height:auto" font-family="sans-serif" font-size="12"'
    label = f'aria-label="{html_text(f"{title}: {said}")}"'
    caption = f"<small>{html_text(title)}</small>"
    return f"<div>{caption}<br>{head} {style} {label}>{''.join(parts)}</svg></div>"


def _text(x: float, y: float, text: str, anchor: str) -> str:
    own = f'x="{x:.1f}" y="{y:g}" text-anchor="{anchor}" fill="currentColor"'
    return f"<text {own}>{html_text(text)}</text>" if text else ""


def _line(
    x: float, x2: float, y: float, y2: float, setting: str, value: float, ink: str = ""
) -> str:
    ink = ink or 'stroke="currentColor"'
    ends = f'x1="{x:.1f}" x2="{x2:.1f}" y1="{y:g}" y2="{y2:g}"'
    return f'<line {ends} {ink} {setting}="{value:g}"/>'


def _ink(part: str, how: str = "stroke") -> str:
    """A colour: where style is kept, another one on black."""
    white, black = COLOURS[part]
    return f'{how}="{white}" style="{how}:light-dark({white},{black})"'


def _cut(name: str) -> str:
    return name if len(name) <= _LETTERS else f"{name[: _LETTERS - 1]}…"


def html_text(text: str) -> str:
    """Whatever stands in a cell as text, and no markup."""
    return escape(visible(text))
