"""Intervals: how far a value might have been from where it is, had other events occurred.

A value at a threshold is a measure of sums over the rows of its ledger. The bootstrap draws these
rows again, with replacement, and measures the new sums: the spread of the values is what the
number of events leaves open. Points play no part: those of one event are not independent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.checks import share, whole
from adjudge.count.tally import Tally
from adjudge.data.case import Case  # noqa: TC001 - for the examples
from adjudge.noise.offsets import generator

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from adjudge._typing import Array, Floats, Positions
    from adjudge.count.ledger import Ledger
    from adjudge.metrics.metric import Metric

_BLOCK = 1 << 20  # weights at a time: three arrays of 8 MB


def interval(
    metric: Metric,
    case: Case,
    level: float = 0.95,
    draws: int = 1000,
    seed: int | np.random.Generator = 0,
) -> tuple[float, float]:
    """Give the percentile interval of a value, by a bootstrap over events and false runs.

    An event with all that was flagged on its account is one unit, and so is every false run.
    As many units as there are get drawn with replacement, and their masses are measured.

    Parameters
    ----------
    metric : Metric
        A metric at a threshold. For ``best(...)`` it is the oracle's threshold on this case: the
        interval is conditional on it, and says nothing about how lucky that choice was.
    case : Case
        Labels and scores.
    level : float
        Share of the draws inside.
    draws : int
        How many draws.
    seed : int or Generator
        The same seed gives the same interval.

    Returns
    -------
    low, high : float
        NaN for areas, which have no ledger, without events, and where the value is undefined.

    Notes
    -----
    Draws on which the metric is undefined are left out. A run that touches several events stands
    with the first. How much normal time there is does not vary, and wrong flagging is capped
    by it.

    Examples
    --------
    >>> import adjudge as aj
    >>> labels, flags = np.zeros((2, 400), int)
    >>> labels[10::20] = 1
    >>> flags[10:280:20] = 1  # 14 of 20 events, and nothing false
    >>> aj.event_recall(labels, flags)
    0.7
    >>> interval(aj.event_recall, aj.Case(labels, flags))
    (0.5, 0.9)
    """
    level, draws = share(level, "level"), whole(draws, "draws", 1)
    rng = generator(seed)
    if not metric.resamples or not len(case.events):
        return np.nan, np.nan
    ledger, *_ = metric.ledger(case)
    measure = metric.parts.measure
    if np.isnan(measure(ledger.tally)):
        return np.nan, np.nan
    sums = resampled(_unit_masses(ledger), draws, rng)
    normal = np.full((draws, 1), ledger.normal)
    return percentiles(measured(measure, np.hstack([sums, normal])), level)


def row_masses(ledger: Ledger, truth: Positions, alarms: Positions, units: int) -> Floats:
    """Sum the rows of a ledger by unit: found, truth, right and flagged, one row per unit.

    Parameters
    ----------
    ledger : Ledger
        Truth rows and alarm rows.
    truth, alarms : array of int
        The unit of each truth row and of each alarm row.
    units : int
        How many units there are.
    """
    masses = (
        np.bincount(unit, weights, minlength=units)
        for rows, unit in ((ledger.truth, truth), (ledger.alarms, alarms))
        for weights in (rows.credit, rows.weight)
    )
    return np.stack(list(masses), axis=1)


def resampled(masses: Floats, draws: int, rng: np.random.Generator) -> Floats:
    """Draw as many units as there are, with replacement, and give their sums, draw by draw.

    >>> resampled(np.ones((5, 1)), 3, np.random.default_rng(0)).ravel()
    array([5., 5., 5.])
    """
    units = len(masses)
    return np.concatenate([_picked(size, units, rng) @ masses for size in blocks(draws, units)])


def blocks(draws: int, units: int) -> Iterator[int]:
    """Part the draws so that the weights of one block fit into little memory.

    >>> list(blocks(25, 100_000))
    [10, 10, 5]
    """
    size = max(1, _BLOCK // units)
    return (min(size, draws - start) for start in range(0, draws, size))


def measured(measure: Callable[[Tally], Any], sums: Floats) -> Floats:
    """Measure sums of found, truth, right, flagged and normal, which stand along the last axis.

    Wrong flagging is capped by the normal time that there is, where that can be said.
    """
    found, truth, right, flagged, normal = np.moveaxis(sums, -1, 0)
    tally = Tally(found, truth, right, np.fmin(flagged, right + normal), normal)
    return np.asarray(measure(tally), np.float64)


def percentiles(values: Floats, level: float) -> tuple[float, float]:
    """Give the ends of the middle share of the values; undefined values are left out.

    >>> percentiles(np.array([1.0, 2.0, 3.0, np.nan]), 1)
    (1.0, 3.0)
    """
    defined = values[~np.isnan(values)]
    if not defined.size:
        return np.nan, np.nan
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def _unit_masses(ledger: Ledger) -> Floats:
    """Let each event be a unit with its alarms, and each false run one of its own."""
    count = len(ledger.truth.start)
    unit = ledger.alarms.event.copy()
    false = np.flatnonzero(unit < 0)
    unit[false] = count + np.arange(false.size)
    return row_masses(ledger, np.arange(count), unit, count + false.size)


def _picked(draws: int, units: int, rng: np.random.Generator) -> Array:
    """Count how often each unit is picked, one row per draw."""
    picks = rng.integers(units, size=(draws, units))
    picks += units * np.arange(draws)[:, np.newaxis]
    return np.bincount(picks.ravel(), minlength=draws * units).reshape(draws, units)
