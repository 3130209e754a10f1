"""Draw what the metrics of a group forgive: ten ways to detect two events, and the values beside them."""

from html import escape

import numpy as np

import adjudge as aj

N = 60
EVENTS = ((10, 20), (36, 46))
ROW, TOP, LEFT, STRIP, GAP = 30, 46, 196, 300, 24
INK, TRUTH, HIT, FALSE = "#222", "#bdbdbd", "#1f77b4", "#d9730d"

EXACT = EVENTS
WAYS = {  # what is flagged, as intervals
    "exactly the events": EXACT,
    "the second half of each": ((15, 20), (41, 46)),
    "one point of each": ((14, 15), (40, 41)),
    "every other point": tuple((i, i + 1) for a, b in EVENTS for i in range(a, b, 2)),
    "one event only": EXACT[:1],
    "5 points too late": ((15, 25), (41, 51)),
    "2 points too wide": ((8, 22), (34, 48)),
    "and one false point": (*EXACT, (27, 28)),
    "and a false run of 10": ((10, 20), (23, 33), (36, 46)),
    "everything": ((0, N),),
}


def points(intervals):
    """Give 0/1 for each point."""
    flags = np.zeros(N, int)
    for start, stop in intervals:
        flags[start:stop] = 1
    return flags


def rectangle(start, stop, y, height, colour):
    """Draw an interval of time."""
    scale = STRIP / N
    x, width = LEFT + start * scale, (stop - start) * scale
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height}" fill="{colour}"/>'


def text(x, y, words, anchor="start", weight="normal"):
    """Write words."""
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" font-weight="{weight}">{escape(words)}</text>'


def runs(flags):
    """Give the runs of ones."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], flags, [0]])))
    return edges.reshape(-1, 2)


def detection(flags, y):
    """Draw one way to detect: hits and false alarms below the truth."""
    truth = points(EVENTS)
    bars = [rectangle(start, stop, y - 20, 6, TRUTH) for start, stop in EVENTS]
    for kind, colour in ((flags & truth, HIT), (flags & ~truth & 1, FALSE)):
        bars += [rectangle(start, stop, y - 12, 12, colour) for start, stop in runs(kind)]
    return bars


def written(value):
    """Write a value with two decimals, or say that it is undefined."""
    return "undefined" if np.isnan(value) else f"{value:.2f}"


def picture(specs):
    """Draw every way to detect, with the values of some metrics beside it."""
    metrics = [aj.metric(spec) for spec in specs]
    columns = [max(90, 8 * len(spec) + 12) for spec in specs]
    at = [LEFT + STRIP + GAP + sum(columns[:i]) + columns[i] / 2 for i in range(len(specs))]
    width, height = LEFT + STRIP + GAP + sum(columns), TOP + ROW * len(WAYS) + 4
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        f' font-family="system-ui, sans-serif" font-size="13" fill="{INK}">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        text(8, 20, "what is flagged", weight="bold"),
        text(LEFT, 20, "grey: events, blue: hits, orange: false alarms"),
        *(text(x, 20, spec, "middle", "bold") for x, spec in zip(at, specs, strict=True)),
    ]
    for i, (name, intervals) in enumerate(WAYS.items()):
        y, flags = TOP + ROW * i + 18, points(intervals)
        values = [metric(points(EVENTS), flags) for metric in metrics]
        parts += [text(8, y - 2, name), *detection(flags, y)]
        parts += [text(x, y - 2, written(v), "middle") for x, v in zip(at, values, strict=True)]
    return "\n".join([*parts, "</svg>", ""])
