"""Comparison: two detectors on the same labels, and whether luck can tell them apart.

Time is cut into pieces, each event one and each normal stretch between events one, so that both
detectors face the same piece with the same difficulty: an event that is easy for one is
mostly easy for the other. Drawing and swapping whole pieces keeps that pairing.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge._text import shown
from adjudge.checks import DRAWS, whole
from adjudge.data.alignment import check_indexes
from adjudge.data.case import Case
from adjudge.data.durations import NANOSECONDS
from adjudge.data.time_settings import even_step
from adjudge.data.truth import Columns, sorted_by_time, time_of
from adjudge.errors import InputError
from adjudge.metrics.reader import metric as read_metric
from adjudge.noise.comparison_result import LEVEL, Comparison
from adjudge.noise.events_needed import events_needed
from adjudge.noise.intervals import UNDEFINED, Interval, percentiles
from adjudge.noise.offsets import generator
from adjudge.noise.p_values import TIE
from adjudge.noise.paired import Pair, Side, Swaps, detector_side

if TYPE_CHECKING:
    from adjudge._typing import Column, Floats
    from adjudge.metrics.metric import Metric


def compare(
    labels: Column,
    a: Column,
    b: Column,
    metric: str | Metric = "f1_ba",
    *,
    at: Any = None,
    series: Column = None,
    where: Column = None,
    time: Column = None,
    missing: str = "refuse",
    sort: bool = False,
    draws: int = 1000,
    seed: int | np.random.Generator = 0,
    names: tuple[str, str] = ("a", "b"),
) -> Comparison:
    r"""Compare two detectors on the same labels.

    Parameters
    ----------
    labels : column or Events
        The truth.
    a, b : column or Events
        What the two detectors say: scores or flags.
    metric : spec or Metric
        A metric at a threshold, or ``best(...)``: each detector then has its own best threshold,
        and what follows is conditional on it.
    at : number, rule, or pair of them
        One threshold for both, or a tuple ``(at_a, at_b)``.
    series, where, time, missing
        See `adjudge.Case`. With ``missing="skip"`` only points that both have scored are judged.
    sort : bool
        Sort the points by time first.
    draws : int
        How many draws, for the interval and, where there are too many swaps to make them all, for
        the p-value.
    seed : int or Generator
        The same seed gives the same result.
    names : pair of str
        What the two detectors are called in the result's sentences.

    Returns
    -------
    Comparison
        Both values, their difference with a 95 % interval, the p-value, and how many events
        it would take. ``print`` says it in words.

    Raises
    ------
    InputError
        When the columns do not fit together, or the metric has no rows to swap.

    Notes
    -----
    The units are pieces of time: each event with all that was flagged on its account, and each
    normal stretch between events, with the false runs that start in it. The p-value is that of a
    paired swap: every unit's masses of a and b change sides with probability 1/2, and

    .. math:: p = \frac{\#\{k : |d_k| \ge |d|\}}{K}

    over all swaps of the units that differ, while these are at most twelve, else over draws and the
    pair as it is; swaps on which the difference is undefined are left out. The interval draws the
    units' weights, with an event imagined that is split over found by both, by one, by the other
    and by none (see `adjudge.noise.intervals`). Where interval and swaps would disagree about 0
    the more cautious one is believed: the interval then reaches 0, or the p-value is that of
    the interval.

    Examples
    --------
    >>> labels, a, b = np.zeros((3, 400), int)
    >>> labels[10::20] = a[10::20] = 1
    >>> b[10:190:20] = 1
    >>> result = compare(labels, a, b, "event_f1")
    >>> print(f"{result.a:.2f} {result.b:.2f} {result.p_value:.4f} {result.exact}")
    1.00 0.62 0.0010 True
    """
    read = read_metric(metric)
    if read.row.needs == "scores":
        raise InputError(
            f"{read} judges every threshold at once; "
            "compare takes a metric at a threshold or best(...)"
        )
    if not read.resamples:
        raise InputError(f"{read} is no sum over events and alarms, so compare cannot redraw them")
    draws, rng = whole(draws, "draws", 1, DRAWS), generator(seed)
    at_a, at_b = _thresholds(at)
    check_indexes(labels=labels, a=a, b=b, series=series, where=where)
    if sort:
        columns = sorted_by_time(Columns(labels, [a, b], series, where, time))
        labels, (a, b), series, where, time = columns
    how = {"series": series, "where": where, "time": time_of(time, a, series)}
    first, second = _cases(labels, a, b, missing, how)
    timed = read.on(first.events)
    sides = detector_side(timed.placed(at_a), first), detector_side(timed.placed(at_b), second)
    return replace(_compared(read, first, sides, draws, rng), names=names)


def _compared(
    metric: Metric, case: Case, sides: tuple[Side, Side], draws: int, rng: np.random.Generator
) -> Comparison:
    pair = Pair(metric.on(case.events).parts.measure, sides)
    a, b = pair.values.tolist()
    swaps = pair.swapped(draws, rng)
    drawn = pair.drawn(draws, rng) if len(case.events) else np.zeros(0)
    ends, p = _agreed(a - b, _two_sided(a - b, swaps), drawn)
    needed = events_needed(pair, a - b, swaps.values, drawn, rng)
    return Comparison(
        metric=metric.resolved_spec(case.events),
        a=a,
        b=b,
        difference=a - b,
        low=ends.low,
        high=ends.high,
        p_value=p,
        events=len(case.events),
        events_needed=needed.events,
        at=(sides[0].at, sides[1].at),
        better=metric.row.better,
        needed_range=needed.span,
        exact=swaps.exact,
        seconds_per_point=_step(metric, case),
    )


def _step(metric: Metric, case: Case) -> float:
    """How many seconds a point is, for delays and distances on an even clock."""
    counting, step = metric.parts.counting, even_step(case.events)
    if counting is None or counting.in_seconds() is None or step is None:
        return math.nan
    return step / NANOSECONDS["s"]


def _thresholds(at: Any) -> tuple[Any, Any]:
    if not isinstance(at, tuple):
        return at, at
    if len(at) != 2:
        raise InputError(f"at must be one threshold or a pair (at_a, at_b), got {shown(at)}")
    return at


def _cases(
    labels: Column, a: Column, b: Column, missing: str, how: dict[str, Column]
) -> tuple[Case, Case]:
    """Check both detectors on the points that are judged of both."""
    first = _case(labels, a, "a", missing=missing, **how)
    second = _case(first.events, b, "b", missing=missing)
    same = second.events is first.events
    return first if same else _case(second.events, a, "a"), second


def _case(labels: Column, scores: Column, name: str, **columns: Column) -> Case:
    """Check the scores of one detector, and call them by its name if they are refused."""
    try:
        return Case(labels, scores, name=name, **columns)
    except InputError as error:
        raise InputError(str(error).replace("scores", name, 1)) from None


def _two_sided(difference: float, swaps: Swaps) -> float:
    if math.isnan(difference):
        return math.nan
    luck = swaps.values[~np.isnan(swaps.values)]
    own = 0 if swaps.exact else 1  # all swaps hold the pair as it is
    reached = own + int(np.count_nonzero(np.abs(luck) >= abs(difference) - TIE))
    return reached / (own + luck.size)


def _agreed(difference: float, p: float, drawn: Floats) -> tuple[Interval, float]:
    """Let interval and p-value say the same about 0: what the more cautious of them says."""
    drawn = drawn[~np.isnan(drawn)]
    if math.isnan(difference) or not drawn.size:
        return UNDEFINED, p
    low, high = percentiles(drawn, LEVEL)
    low, high = min(low, difference), max(high, difference)
    beyond = min(np.mean(drawn <= 0), np.mean(drawn >= 0))
    p = max(p, min(2 * float(beyond), 1.0))
    if p > 1 - LEVEL + TIE:
        return Interval(min(low, 0.0), max(high, 0.0)), p
    nearest = np.nextafter(0, difference)
    return Interval(max(low, nearest), high) if difference > 0 else Interval(
        low, min(high, nearest)
    ), p
