"""Comparison: two detectors on the same labels, and whether luck can tell them apart.

Time is cut into pieces, each event one and each normal stretch between events one, so that both
detectors face the same piece with the same difficulty: an event that is easy for one is
mostly easy for the other. Drawing and swapping whole pieces keeps that pairing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from adjudge.checks import whole
from adjudge.data.alignment import check_indexes
from adjudge.data.case import Case
from adjudge.errors import InputError
from adjudge.metrics.reader import metric as read_metric
from adjudge.noise.intervals import blocks, measured, percentiles, resampled, row_masses
from adjudge.noise.offsets import generator
from adjudge.noise.shifts import TIE

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge._typing import Column, Floats, Positions
    from adjudge.data.events import Events
    from adjudge.metrics.metric import Metric

_LEVEL = 0.95
_TWO_SIDED = 1.96  # standard errors that hold 95 % of a normal distribution


@dataclass(frozen=True)
class Comparison:
    """What `compare` found.

    ``print`` it for the same in words.
    """

    metric: str
    """The metric, with every setting resolved."""
    a: float
    """The value of the first detector."""
    b: float
    """The value of the second."""
    difference: float
    """``a - b``."""
    low: float
    """Lower end of the 95 % interval of the difference."""
    high: float
    """Upper end."""
    p_value: float
    """How often luck, swapping a and b piece by piece, makes a difference as large as this."""
    events: int
    """How many events there are."""
    events_needed: int | None
    """How many it would take to tell this difference from luck at the 5 % level; None: no number
    would do, because there is no difference or no event."""
    at: tuple[float | None, float | None] = (None, None)
    """The thresholds of a and b; None where the scores were flags."""
    better: Literal["higher", "lower"] = "higher"
    """Whether the higher or the lower value is the better one."""

    @property
    def ahead(self) -> Literal["a", "b"] | None:
        """Which of the two is better; None when neither is."""
        if math.isnan(self.difference) or abs(self.difference) <= TIE:
            return None
        return "a" if (self.difference > 0) == (self.better == "higher") else "b"

    @property
    def separated(self) -> bool:
        """Whether luck makes such a difference in at most one case of twenty."""
        return self.p_value <= 1 - _LEVEL + TIE

    def __str__(self) -> str:
        """Say it in plain words."""
        return "\n".join(_lines(self))


def compare(
    labels: Column,
    a: Column,
    b: Column,
    metric: str | Metric = "f1_ba",
    *,
    at: Any = None,
    series: Column = None,
    where: Column = None,
    draws: int = 1000,
    seed: int | np.random.Generator = 0,
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
    series, where : column, optional
        See `adjudge.Case`.
    draws : int
        How many draws, for the interval and for the p-value each.
    seed : int or Generator
        The same seed gives the same result.

    Returns
    -------
    Comparison
        Both values, their difference with a 95 % interval, the p-value, and how many events
        it would take. ``print`` says it in words.

    Notes
    -----
    The units are pieces of time: each event with all that was flagged on its account, and each
    normal stretch between events, with the false runs that start in it. The interval is
    that of a paired bootstrap over the units. The p-value is that of a paired swap: in each
    draw every unit's masses of a and b change sides with probability 1/2, and

    .. math:: p = \frac{1 + \#\{k : |d_k| \ge |d|\}}{1 + K}

    where a draw on which the difference is undefined counts as reaching ``d``. With the
    standard deviation ``se`` of the swapped differences, the number of events needed is
    ``events * (1.96 * se / d)^2``, rounded up: a difference stays what it is while ``se`` falls
    with the root of the number of events.

    Examples
    --------
    >>> labels, a, b = np.zeros((3, 400), int)
    >>> labels[10::20] = a[10::20] = 1
    >>> b[10:250:20] = 1
    >>> result = compare(labels, a, b, "event_f1")
    >>> result.a, result.b, result.events
    (1.0, 0.75, 20)
    >>> print(result)
    event_f1: a 1.0000, b 0.7500
    a is ahead by 0.2500, 95 % interval 0.1020 to 0.4615
    that is separated from luck: p = 0.012 over 20 events; about 10 would do
    """
    read = read_metric(metric)
    if read.row.needs == "scores":
        raise InputError(
            f"{read} judges every threshold at once; "
            "compare takes a metric at a threshold or best(...)"
        )
    if not read.resamples:
        raise InputError(f"{read} is no sum over events and alarms, so compare cannot redraw them")
    draws, rng = whole(draws, "draws", 1), generator(seed)
    at_a, at_b = _thresholds(at)
    check_indexes(labels=labels, a=a, b=b, series=series, where=where)
    first = _case(labels, a, "a", series=series, where=where)
    second = _case(first.events, b, "b")
    sides = _side(read.placed(at_a), first), _side(read.placed(at_b), second)
    return _compared(read, first.events, sides, draws, rng)


class _Side(NamedTuple):
    masses: Floats
    at: float | None


def _compared(
    metric: Metric,
    events: Events,
    sides: tuple[_Side, _Side],
    draws: int,
    rng: np.random.Generator,
) -> Comparison:
    pair = np.hstack([side.masses for side in sides])
    measure = metric.parts.measure
    a, b = _values(measure, pair.sum(axis=0)).tolist()
    low, high = percentiles(_difference(_values(measure, resampled(pair, draws, rng))), _LEVEL)
    luck = _difference(_values(measure, _swapped(pair, draws, rng)))
    return Comparison(
        metric=metric.resolved_spec(events),
        a=a,
        b=b,
        difference=a - b,
        low=low,
        high=high,
        p_value=_two_sided(a - b, luck),
        events=len(events),
        events_needed=_needed(a - b, luck, len(events)),
        at=(sides[0].at, sides[1].at),
        better=metric.row.better,
    )


def _thresholds(at: Any) -> tuple[Any, Any]:
    if not isinstance(at, tuple):
        return at, at
    if len(at) != 2:
        raise InputError(f"at must be one threshold or a pair (at_a, at_b), got {at!r}")
    return at


def _case(labels: Column, scores: Column, name: str, **columns: Column) -> Case:
    """Check the scores of one detector, and call them by its name if they are refused."""
    try:
        return Case(labels, scores, name=name, **columns)
    except InputError as error:
        raise InputError(str(error).replace("scores", name, 1)) from None


def _side(metric: Metric, case: Case) -> _Side:
    """Sum what one detector earned and paid in each piece of time."""
    ledger, _, at = metric.ledger(case)
    events = case.events
    edges = _edges(events)
    own = _place(edges, events.starts)
    alarms = ledger.alarms
    place = _place(edges, alarms.start)
    by_event = alarms.event >= 0
    place[by_event] = own[alarms.event[by_event]]
    masses = row_masses(ledger, own, place, len(edges))
    normal = np.add.reduceat(events.normal, edges, dtype=np.float64)
    normal *= ledger.normal / max(normal.sum(), 1)  # in the counting's own unit; NaN stays NaN
    return _Side(np.column_stack([masses, normal]), at)


def _edges(events: Events) -> Positions:
    """Find where each piece of time begins: an event, or a normal stretch of one series."""
    edges = np.concatenate([events.series_bounds, events.starts, events.stops])
    return np.unique(edges)[:-1]  # the last one is the end


def _place(edges: Positions, positions: Positions) -> Positions:
    return np.searchsorted(edges, positions, side="right") - 1


def _values(measure: Callable[[Any], Any], pair: Floats) -> Floats:
    """Measure both detectors: their masses stand side by side along the last axis."""
    return measured(measure, pair.reshape(*pair.shape[:-1], 2, -1))


def _difference(values: Floats) -> Floats:
    return values[:, 0] - values[:, 1]


def _swapped(pair: Floats, draws: int, rng: np.random.Generator) -> Floats:
    """Swap the masses of a and b in about half of the units, and sum, draw by draw."""
    a, b = np.hsplit(pair, 2)
    gain, units = b - a, len(pair)
    sizes = blocks(draws, units)
    moved = np.concatenate([rng.integers(2, size=(size, units)) @ gain for size in sizes])
    return np.hstack([a.sum(axis=0) + moved, b.sum(axis=0) - moved])


def _two_sided(difference: float, luck: Floats) -> float:
    if math.isnan(difference):
        return math.nan
    short = int(np.count_nonzero(np.abs(luck) < abs(difference) - TIE))
    return (1 + luck.size - short) / (1 + luck.size)


def _needed(difference: float, luck: Floats, events: int) -> int | None:
    defined = luck[~np.isnan(luck)]
    if not events or not defined.size or math.isnan(difference) or abs(difference) <= TIE:
        return None
    spread = math.sqrt(np.mean(defined**2))  # around zero, where luck is on average
    return math.ceil(events * (_TWO_SIDED * spread / difference) ** 2)


def _lines(found: Comparison) -> list[str]:
    shown = ("undefined" if math.isnan(value) else f"{value:.4f}" for value in (found.a, found.b))
    lines = ["{}: a {}, b {}".format(found.metric, *shown)]
    if math.isnan(found.difference):
        return [*lines, "neither is ahead: the difference is undefined"]
    if found.ahead is None:
        return [*lines, "neither is ahead"]
    ends = f"{found.low:.4f} to {found.high:.4f}"
    if found.difference < 0:
        ends = f"{-found.high:.4f} to {-found.low:.4f}"
    lines.append(f"{found.ahead} is ahead by {abs(found.difference):.4f}, 95 % interval {ends}")
    return [*lines, f"that is {_verdict(found)}"]


def _verdict(found: Comparison) -> str:
    count = f"{found.events} event{'s' * (found.events != 1)}"
    chance = f"p = {found.p_value:.2g} over {count}"
    if found.events_needed is None:
        needed = ""
    elif found.separated:
        needed = f"; about {found.events_needed} would do"
    else:
        needed = f"; it would take about {found.events_needed}"
    return f"{'' if found.separated else 'not '}separated from luck: {chance}{needed}"
