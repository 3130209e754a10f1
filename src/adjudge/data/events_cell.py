"""What a notebook shows of events: how many, how long, and where."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from adjudge.tables.glance import Glance, Lane, Lanes, Tile
from adjudge.tables.look import percent
from adjudge.tables.table import Layout, Table

if TYPE_CHECKING:
    from adjudge.data.events import Events

_MOST = 10  # rows of the table


def layout_of_events(events: Events) -> Layout:
    """Lay out the first events, with their times where these are known."""
    clock = events.clock
    rows = [
        [k + 1, at.start, at.stop, at.stop - at.start]
        + ([] if clock is None else [clock.text(at.start), clock.text(at.stop - 1)])
        for k, at in zip(range(_MOST), events, strict=False)
    ]
    head = ["event", "start", "stop", "points", *(["from", "to"] if clock is not None else [])]
    more = len(events) - len(rows)
    notes = (f"and {more:,} more events",) if more else ()
    return Layout((Table.of(head, rows),) if rows else (), notes)


def glance_of_events(events: Events) -> Glance:
    """Draw a lane for each series, from its first point on."""
    bounds, names = events.whole_series, events.names
    tiles = (
        Tile("events", f"{len(events):,}"),
        Tile("points", f"{events.n:,}"),
        Tile("in events", percent(float(events.widths.sum()) / events.n, 2)),
        *([Tile("series", f"{events.series_count:,}")] if events.series_count > 1 else []),
    )
    if events.series_count == 1:
        lanes = [Lane("events", events.starts, events.stops, "event", f"{len(events):,}")]
        return Glance(tiles, Lanes("Events over time", tuple(lanes), events.n, ends_of(events)))
    own = np.searchsorted(bounds, events.starts, "right") - 1
    lanes = []
    for k, first in enumerate(bounds[:-1]):
        mine = own == k
        name = str(k) if names is None else str(names[k])
        ends = events.starts[mine] - first, events.stops[mine] - first
        lanes.append(Lane(name, *ends, "event", f"{int(mine.sum()):,}"))
    longest = int(np.diff(bounds).max())
    ends_in_points = "0", f"{longest - 1:,} points"
    return Glance(tiles, Lanes("Events of each series", tuple(lanes), longest, ends_in_points))


def ends_of(events: Events) -> tuple[str, str]:
    """What the first and the last point are called: their times, where these are known."""
    if events.clock is None:
        return "0", f"{events.n - 1:,}"
    return events.clock.text(0), events.clock.text(events.n - 1)
