"""The time of each point, for the axis of a page: instants, or numbers as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.data.clock import Clock
from adjudge.errors import InputError
from adjudge.reporting.page.packing import packed_numbers

if TYPE_CHECKING:
    from adjudge._typing import Column


def is_numeric(time: Column) -> bool:
    """Tell times that are plain numbers, of no known unit."""
    return time is not None and not isinstance(time, Clock) and np.asarray(time).dtype.kind in "iuf"


def packed_time(time: Column, points: int) -> dict[str, Any] | None:
    """Pack one time per point: dates as seconds since 1970, numbers as numbers.

    >>> packed_time(["2026-01-31 23:59", "2026-02-01 00:00"], 2)["date"]
    True
    >>> packed_time([0.0, 0.5], 2)["date"]
    False
    """
    if time is None:
        return None
    clock = time if isinstance(time, Clock) else None if is_numeric(time) else Clock.read(time)
    values = np.asarray(time) if clock is None else clock.instants / 1e9
    zone = None if clock is None else clock.zone
    if clock is not None and zone is not None and zone[0] in "+-":  # not every browser knows these
        values, zone = values + _ahead(clock), None
    if values.shape != (points,):
        raise InputError(
            f"time must be one time per point, got shape {values.shape} for {points} points"
        )
    steps = np.diff(values)
    regular = steps.size > 0 and bool(np.all(steps == steps[0]))
    return {
        "date": clock is not None,
        "zone": zone,
        "first": float(values[0]),
        "step": float(steps[0]) if regular else None,
        "values": None if regular else packed_numbers(np.asarray(values, np.float64)),
    }


def _ahead(clock: Clock) -> float:
    """The seconds that a zone such as +01:00 is ahead of UTC."""
    offset = clock.tzinfo.utcoffset(None)
    return 0.0 if offset is None else offset.total_seconds()
