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
from adjudge.data.truth import Columns, sorted_by_time, time_of, time_order
from adjudge.errors import InputError
from adjudge.metrics.reader import metric as read_metric
from adjudge.metrics.sorted_rules import reordered, with_rule_reordered
from adjudge.noise.area_intervals import further_out
from adjudge.noise.area_pair import area_pair
from adjudge.noise.comparison_result import LEVEL, Comparison
from adjudge.noise.events_needed import Needed, events_needed
from adjudge.noise.intervals import UNDEFINED, Interval, percentiles
from adjudge.noise.offsets import generator
from adjudge.noise.p_values import TIE
from adjudge.noise.paired import Pair, Swaps, detector_side

if TYPE_CHECKING:
    from adjudge._typing import Column, Floats
    from adjudge.data.events import Events
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
        A metric at a threshold; ``best(...)``: each detector then has its own best threshold,
        and what follows is conditional on it; or an area, which looks at all thresholds.
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
        When the columns do not fit together, or the metric is a median or a maximum over rows,
        which cannot be drawn again.

    Notes
    -----
    The units are pieces of time: each event with all that was flagged on its account, and each
    normal stretch between events, with the false runs that start in it. The p-value is that of a
    paired swap: every unit's masses of a and b change sides with probability 1/2, and

    .. math:: p = \frac{\#\{k : |d_k| \ge |d|\}}{K}

    over all swaps of the units that differ, while these are at most twelve, else over draws and the
    pair as it is; swaps on which the difference is undefined are left out. The interval draws the
    units' weights, with an event imagined that is split over found by both, by one, by the other
    and by none (see `adjudge.noise.intervals`). Areas swap and draw the points that each piece has
    above common thresholds, on the scale of ranks, since scores have none in common; metrics such
    as ``vus_roc`` are read anew on 199 swaps and 100 draws. Where interval and swaps would disagree
    about 0 the more cautious one is believed: the interval then reaches 0, or the p-value is that
    of the interval.

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
    whole_curve = read.row.needs == "scores"
    if not whole_curve and not read.resamples:
        raise InputError(f"{read} is no sum over events and alarms, so compare cannot redraw them")
    draws, rng = whole(draws, "draws", 1, DRAWS), generator(seed)
    at_a, at_b = _thresholds(at)
    check_indexes(labels=labels, a=a, b=b, series=series, where=where, time=time)
    if sort:
        columns = sorted_by_time(Columns(labels, [a, b], series, where, time))
        order = time_order(time, series)
        at_a, at_b = reordered(at_a, order), reordered(at_b, order)
        read = with_rule_reordered(read, order)
        labels, (a, b), series, where, time = columns
    how = {"series": series, "where": where, "time": time_of(time, a, series)}
    cases = first, _ = _cases(labels, a, b, missing, how)
    timed = read.on(first.events)
    if whole_curve:
        found = _areas(timed, cases, draws, rng)
    else:
        found = _at_thresholds((timed.placed(at_a), timed.placed(at_b)), cases, draws, rng)
    spec, step = read.resolved_spec(first.events), _step(read, first.events)
    return replace(found, metric=spec, seconds_per_point=step, names=names)


def _at_thresholds(
    metrics: tuple[Metric, Metric],
    cases: tuple[Case, Case],
    draws: int,
    rng: np.random.Generator,
) -> Comparison:
    """Compare the sums over rows, each detector at its own threshold."""
    sides = detector_side(metrics[0], cases[0]), detector_side(metrics[1], cases[1])
    pair, count = Pair(metrics[0].parts.measure, sides), len(cases[0].events)
    a, b = pair.values.tolist()
    swaps = pair.swapped(draws, rng)
    drawn = pair.drawn(draws, rng) if count else np.zeros(0)
    needed = events_needed(a - b, swaps.values, drawn, count, rng, pair)
    ends, p = _agreed(a - b, _two_sided(a - b, swaps), drawn)
    found = _found(metrics[0], cases[0].events, (a, b), ends, p)
    at = sides[0].at, sides[1].at
    return _with_needed(replace(found, at=at, exact=swaps.exact), needed)


def _areas(
    metric: Metric, cases: tuple[Case, Case], draws: int, rng: np.random.Generator
) -> Comparison:
    """Compare values over all thresholds: pieces are swapped and drawn again on a common scale."""
    events = cases[0].events
    a, b = (metric.reading(case).value for case in cases)
    if math.isnan(a - b):
        return _found(metric, events, (a, b), UNDEFINED, math.nan)
    pair = area_pair(metric, cases)
    swaps = pair.swapped(draws, rng)
    drawn, count = np.zeros(0), len(events)
    if count > 1:  # weights from Gamma(1) show (N - 1) / (N + 1) of the variance
        further = further_out(LEVEL, count, (count - 1) / (count + 1))
        drawn = a - b + further * (pair.drawn(draws, rng) - pair.own)
    needed = events_needed(a - b, swaps.values, drawn, len(events), rng)
    ends, p = _agreed(a - b, _two_sided(pair.own, swaps), drawn)
    found = _found(metric, events, (a, b), ends, p)
    return _with_needed(replace(found, exact=swaps.exact), needed)


def _found(
    metric: Metric, events: Events, values: tuple[float, float], ends: Interval, p: float
) -> Comparison:
    a, b = values
    return Comparison(
        metric=metric.resolved_spec(events),
        a=a,
        b=b,
        difference=a - b,
        low=ends.low,
        high=ends.high,
        p_value=p,
        events=len(events),
        events_needed=None,
        better=metric.row.better,
    )


def _step(metric: Metric, events: Events) -> float:
    """How many seconds a point is, for delays and distances on an even clock."""
    counting, step = metric.parts.counting, even_step(events)
    if counting is None or counting.in_seconds() is None or step is None:
        return math.nan
    return step / NANOSECONDS["s"]


def _with_needed(found: Comparison, needed: Needed) -> Comparison:
    return replace(found, events_needed=needed.events, needed_range=needed.span)


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
