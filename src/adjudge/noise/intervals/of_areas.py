"""Intervals of areas, and how much ``best(...)`` flatters: pieces of time drawn again.

An event is one piece, a normal stretch between events another. What each piece has above each
of some thresholds is counted once; a draw gives every piece a random weight and adds the counts
up. So a draw costs a product of two small matrices, however long the series is.

As in `adjudge.noise.intervals.over_events` half a missed event is imagined, one like normal time,
and a tenth of a clear one, which lies above all normal time: without it too many intervals of three
dim events ended below the truth. The spread of few events is itself uncertain, so the ends
are moved out as Student's t asks, with as many degrees of freedom as there are events.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from adjudge.count.points import Points
from adjudge.data.case import Case
from adjudge.data.clock import Clock
from adjudge.data.events import Events
from adjudge.measure.curves import ap, auc_pr, auc_roc
from adjudge.measure.rates import FBeta
from adjudge.noise.intervals.over_events import UNDEFINED, Interval, percentiles
from adjudge.noise.intervals.stretch_counts import CasePieces, weighed
from adjudge.noise.shifting.offsets import generator

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from adjudge._typing import Floats, Positions
    from adjudge.metrics.metric import Metric
    from adjudge.noise.intervals.stretch_counts import StretchCounts

_DRAWS = 400
_REREAD = 20_000_000  # points that are gone through for what must be read anew in each draw
_FEWEST = 40
_MISSED, _CLEAR = 0.5, 0.1  # how much of such events is imagined


def area_interval(
    metric: Metric,
    case: Case,
    value: float,
    level: float = 0.95,
    seed: int | np.random.Generator = 0,
    pieces: CasePieces | None = None,
) -> Interval:
    """An interval for an area, had other events and other normal time occurred.

    Parameters
    ----------
    metric : Metric
        A metric over all thresholds.
    case : Case
        Labels and scores.
    value : float
        Its value on the case.
    level : float
        Share of the draws inside.
    seed : int or Generator
        The same seed gives the same interval.
    pieces : CasePieces, optional
        The pieces of the case, if they are counted already.

    Returns
    -------
    Interval
        ``low`` and ``high``, which hold the value. NaN where the value is undefined, with fewer
        than two events, and of long series for metrics that must be read anew in each draw.

    Examples
    --------
    >>> import adjudge as aj
    >>> rng = np.random.default_rng(0)
    >>> labels = np.repeat([0, 1, 0, 1, 0, 1, 0, 1, 0], 50)
    >>> scores = rng.normal(size=450) + labels
    >>> low, high = area_interval(aj.auc_roc, aj.Case(labels, scores), 0.75)
    >>> 0.5 < low < 0.75 < high < 1
    True
    """
    if np.isnan(value) or len(case.events) < 2 or not case.events.normal.any():
        return UNDEFINED
    rng, n = generator(seed), len(case.events)
    measure, adjust, count = metric.parts
    if isinstance(count, Points) and measure in AREAS:
        further = further_out(level, n)
        made = (pieces or CasePieces(case)).of(adjust)
        drawn = AREAS[measure](*_drawn_curves(made, _DRAWS, rng))
        values = drawn[1:] - drawn[0] + value  # what lies between the levels counts the same
    else:
        further = further_out(level, n - 1, (n - 1) / n)  # drawn with replacement, none imagined
        values = _read_anew(metric, case, rng)
    if len(values) < _FEWEST:
        return UNDEFINED
    low, high = percentiles(values, level)
    ends = metric.row.range
    low, high = (value + further * (end - value) for end in (min(low, value), max(high, value)))
    return Interval(max(low, ends[0]), min(high, ends[1]))


def further_out(level: float, degrees: int, share_drawn: float = 1.0) -> float:
    """Say how much further out Student's t lies than draws whose spread is taken for known.

    Parameters
    ----------
    level : float
        Share of the draws inside.
    degrees : int
        Degrees of freedom.
    share_drawn : float
        The draws' variance as a share of the one that so few events leave open.

    Examples
    --------
    >>> print(f"{further_out(0.95, 5):.2f} {further_out(0.95, 100):.2f}")
    1.31 1.01
    """
    from scipy.special import ndtri, stdtrit  # noqa: PLC0415 - only who needs it pays for it

    tail = (1 + min(level, 1 - 1e-9)) / 2
    return float(stdtrit(degrees, tail) / ndtri(tail)) / math.sqrt(share_drawn)


def optimism(
    metric: Metric,
    case: Case,
    seed: int | np.random.Generator = 0,
    pieces: CasePieces | None = None,
) -> float:
    """Say by how much ``best(...)`` flatters: how much better it does on the events it chose by.

    In each draw the best threshold is chosen anew; there it scores so much more than on the real
    events. NaN for metrics that choose no threshold, and where the masses are not those of points.
    """
    measure, adjust, count = metric.parts
    if not metric.oracle or not isinstance(measure, FBeta) or not isinstance(count, Points):
        return np.nan
    if len(case.events) < 2 or not case.events.normal.any():
        return np.nan
    found, false = _redrawn_curves((pieces or CasePieces(case)).of(adjust), _DRAWS, generator(seed))
    squared = measure.beta**2
    truth = float(case.events.widths.sum())
    f = (1 + squared) * found / (squared * truth + found + false)
    best = np.argmax(f[1:], axis=1)
    gained = np.take_along_axis(f[1:], best[:, np.newaxis], axis=1)[:, 0] - f[0, best]
    return max(float(gained.mean()), 0.0)


def _drawn_curves(
    pieces: StretchCounts, draws: int, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Found and false points at each level: first as they are, then draw by draw."""
    found, false = pieces.events.sum(axis=0), pieces.stretches.sum(axis=0)
    truth, normal = found[-1], false[-1]
    count = len(pieces.events)
    like_normal = truth / count * false / normal
    clear = np.full_like(found, truth / count)
    rows = np.vstack([pieces.events, like_normal, clear])
    shapes = np.append(np.ones(count), [_MISSED, _CLEAR])
    drawn = weighed(rng.standard_gamma(shapes, (draws, count + 2)), rows)
    drawn *= truth / drawn[:, -1:]
    quiet = weighed(rng.standard_exponential((draws, len(pieces.stretches))), pieces.stretches)
    quiet *= normal / quiet[:, -1:]
    return np.vstack([found, drawn]), np.vstack([false, quiet])


def _redrawn_curves(
    pieces: StretchCounts, draws: int, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """The same with as many pieces drawn with replacement, and nothing imagined."""
    curves = []
    for rows in pieces:
        chosen = weighed(times_drawn(len(rows), draws, rng), rows)
        total = rows.sum(axis=0)
        curves.append(np.vstack([total, chosen * (total[-1] / chosen[:, -1:])]))
    return curves[0], curves[1]


def times_drawn(count: int, draws: int, rng: np.random.Generator) -> Floats:
    """Draw as many things as there are with replacement, and say how often each was drawn.

    >>> times_drawn(3, 2, np.random.default_rng(0)).sum(axis=1)
    array([3., 3.])
    """
    chosen = rng.integers(count, size=(draws, count)) + np.arange(draws)[:, np.newaxis] * count
    times = np.bincount(chosen.ravel(), minlength=draws * count)
    return times.reshape(draws, count).astype(np.float64)


def _roc(found: Floats, false: Floats) -> Floats:
    hits, alarms = (np.pad(side / side[:, -1:], ((0, 0), (1, 0))) for side in (found, false))
    return np.asarray((np.diff(alarms, axis=1) * (hits[:, 1:] + hits[:, :-1])).sum(axis=1) / 2)


def _steps(found: Floats, false: Floats) -> Floats:
    steps = np.diff(found / found[:, -1:], axis=1, prepend=0)
    return np.asarray((steps * _precision(found, false)).sum(axis=1))


def _trapezoids(found: Floats, false: Floats) -> Floats:
    steps = np.diff(found / found[:, -1:], axis=1, prepend=0)
    heights = np.pad(_precision(found, false), ((0, 0), (1, 0)), constant_values=1)
    return np.asarray((steps * (heights[:, 1:] + heights[:, :-1])).sum(axis=1) / 2)


def _precision(found: Floats, false: Floats) -> Floats:
    flagged = found + false
    return np.divide(found, flagged, out=np.ones_like(flagged), where=flagged > 0)


AREAS: dict[object, Callable[[Floats, Floats], Floats]] = {
    auc_roc: _roc, ap: _steps, auc_pr: _trapezoids
}  # fmt: skip


def _read_anew(metric: Metric, case: Case, rng: np.random.Generator) -> Floats:
    """Read the metric on pieces that are drawn again; not on long series, where it takes long."""
    draws = min(_DRAWS // 4, _REREAD // (10 * case.events.n))
    return np.array(
        [
            metric.reading(Case(events, case.given[points])).value
            for events, points in redrawn(case.events, draws, rng)
        ]
    )


def redrawn(
    events: Events, draws: int, rng: np.random.Generator
) -> Iterator[tuple[Events, Positions]]:
    """Draw events with half of the normal time on either side: the truth, and which points."""
    cuts = middle_cuts(events)
    judged = np.ones(events.n, bool) if events.judged is None else events.judged
    for _ in range(draws):
        chosen = rng.integers(len(cuts) - 1, size=len(cuts) - 1)
        lengths = np.diff(cuts)[chosen]
        points = np.repeat(cuts[chosen] - np.cumsum(lengths) + lengths, lengths)
        points += np.arange(points.size)
        series = np.repeat(np.arange(chosen.size), lengths)
        where = None if events.judged is None else judged[points]
        if where is None or where.any():
            drawn = Events.from_labels(events.labels[points], series=series, where=where)
            if events.clock is not None:
                drawn = replace(drawn, clock=Clock(events.clock.instants[points]))
            yield drawn, points


def middle_cuts(events: Events) -> Positions:
    """Cut time amid the normal stretches between events, and between series.

    >>> middle_cuts(Events.from_labels([0, 1, 0, 0, 1, 0]))
    array([0, 3, 6])
    """
    middle = (events.stops[:-1] + events.starts[1:]) // 2
    return np.unique(np.concatenate([events.series_bounds, middle]))
