"""When something was, by the clock or in points, and how much time nobody watched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.data.durations import in_words

if TYPE_CHECKING:
    from adjudge.data.events import Events


def gap_words(events: Events) -> str:
    """Say how much time between points nobody watched; "" where there is no gap.

    >>> from adjudge.data.events import Events
    >>> from adjudge.data.clock import Clock
    >>> days = ["2026-01-01", "2026-01-02", "2026-01-03", "2026-02-01", "2026-02-02"]
    >>> print(gap_words(Events.from_labels([0, 0, 1, 1, 0]).timed(Clock.read(days))))
    1 gap in time (29 d) is not watched; 1 event spans it and counts as two
    """
    gaps, clock = events.gaps, events.clock
    if gaps is None or clock is None:
        return ""
    time = in_words(int((clock.instants[gaps] - clock.instants[gaps - 1]).sum()))
    touching = events.starts[1:] == events.stops[:-1]
    parted = int(np.count_nonzero(touching & np.isin(events.starts[1:], gaps)))
    one = len(gaps) == 1
    said = f"{'1 gap' if one else f'{len(gaps):,} gaps'} in time ({time}) {'is' if one else 'are'}"
    said += " not watched"
    if not parted:
        return said
    goes = "1 event spans" if parted == 1 else f"{parted:,} events span"
    behind = "it" if one else "one"
    return f"{said}; {goes} {behind} and count{'s' * (parted == 1)} as two"


def span(first: str, last: str) -> str:
    """From when to when, the day said once.

    >>> span("2026-03-01 10:00", "2026-03-01 11:30")
    '2026-03-01 10:00 to 11:30'
    """
    if first == last:
        return first
    day = first.partition(" ")[0]
    return f"{first} to {last.removeprefix(f'{day} ')}"


def place_of(row: dict[str, Any]) -> str:
    """When an event was: by the clock, or in points.

    >>> place_of({"start": 3, "stop": 7})
    '[3, 7)'
    """
    if "from" in row:
        return span(row["from"], row["to"])
    return f"[{row['start']}, {row['stop']})"
