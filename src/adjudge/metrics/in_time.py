"""A delay or a distance in seconds, where the clock is known."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from adjudge.data.durations import NANOSECONDS
from adjudge.data.time_settings import even_step

if TYPE_CHECKING:
    from adjudge.data.case import Case
    from adjudge.metrics.metric import Metric, Reading


class InTime(NamedTuple):
    """The unit of a value, and the same in time."""

    unit: str = ""
    """"points" for delays and distances; "" for what has no unit."""
    seconds: float = math.nan
    """The value in seconds; NaN where there is no clock, or no unit."""
    seconds_per_point: float = math.nan
    """The step of the clock, where it is even."""


def in_time(metric: Metric, case: Case, reading: Reading) -> InTime:
    """Say a delay or a distance in time.

    On an even clock it is so many steps. On an uneven one it is counted again, on the timestamps.

    Parameters
    ----------
    metric : Metric
        The metric.
    case : Case
        What was judged.
    reading : Reading
        What the metric said.

    Returns
    -------
    InTime
    """
    measure, adjust, counting = metric.parts
    timed = None if counting is None or metric.row.needs == "scores" else counting.in_seconds()
    if timed is None:
        return InTime()
    if case.events.clock is None:
        return InTime("points")
    step = even_step(case.events)
    if step is None and metric.across == "macro" and len(case.parts) > 1:
        return InTime("points")  # of each channel another mean of times
    if step is not None:
        each = step / NANOSECONDS["s"]
        return InTime("points", reading.value * each, each)
    at = reading.at if metric.oracle else None
    flags = metric.flags(case)[0] if at is None else case.scores > at
    return InTime("points", float(measure(timed.tally(flags, case.events, adjust))))
