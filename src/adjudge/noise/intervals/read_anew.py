"""Intervals of values that are no sums over units: each unit is left out in turn.

The value is read anew without the points of a unit; how far it moves is the influence of the unit,
times what is left of the stakes (the jackknife [1]_). As of means a tenth of a unit is imagined at
either end of the range: where all units agree something is still left open.

References
----------
.. [1] B. Efron and C. Stein (1981). The jackknife estimate of variance. The Annals of Statistics
   9(3).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from adjudge.data.case import Case
from adjudge.noise.intervals.evidence import NONE, Evidence, ends, evidence, of_shares, swollen

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge._typing import Array, Floats, Positions
    from adjudge.data.events import Events
    from adjudge.metrics.metric import Metric
    from adjudge.noise.intervals.evidence import Spread, Units

TENTH = 0.1
"""How much of a unit is imagined at either end of the range."""
_READINGS = 100
_POINTS = 2_000_000  # that all readings together go through
_ENOUGH = 10  # readings with which a long series is still worth it


def read_evidence(metric: Metric, case: Case, value: float, units: Units, level: float) -> Evidence:
    """An interval for a value that must be read anew without each unit.

    Nothing on long series, where that takes long.
    """
    if affordable(units) == 0:
        return NONE
    span = metric.row.range

    def spread_of(units: Units) -> Spread:
        return read_spread(lambda events: _read(metric, case.given, events), value, units, span)

    return evidence(units, spread_of, lambda s: ends(s, value, span, level))


def _read(metric: Metric, given: Array, events: Events) -> float:
    return metric.reading(Case(events, given)).value


def read_spread(
    read: Callable[[Events], float], value: float, units: Units, span: tuple[float, float]
) -> Spread:
    """Spread of a value by what becomes of it without each unit.

    Parameters
    ----------
    read : callable
        Events, some of whose points are not judged, to the value.
    value : float
        On all of them.
    units : Units
        The units; where reading takes long, neighbours are left out together.
    span : pair of float
        The lowest and the highest value that there can be.
    """
    most = max(affordable(units), 1)
    count = min(units.count, most)
    inside, normal = units.points(count)
    owner = np.full(units.events.n, -1)
    owner[units.events.labels], owner[units.events.normal] = inside, normal
    judged = owner >= 0
    left = [
        read(units.events.within(where=judged & (owner != unit))) if count > 1 else math.nan
        for unit in range(count)
    ]
    stakes = _stakes(owner, units, count)
    return left_out(value, np.array(left), stakes, span, units.homes(count))


def left_out(
    value: float,
    left: Floats,
    stakes: Floats,
    span: tuple[float, float],
    homes: Positions | None = None,
) -> Spread:
    """Spread of a value, given what it is without each unit.

    With K equal units of which nothing is imagined, the jackknife of their mean is the usual
    standard error.

    >>> found = left_out(3.0, np.array([11 / 3, 10 / 3, 3.0, 2.0]), np.ones(4), (-np.inf, np.inf))
    >>> print(f"{found.se:.4f} {found.df:.0f}")
    1.0801 3
    """
    bounded = math.isfinite(span[1] - span[0])
    typical = float((stakes**2).sum() / stakes.sum())
    total = float(stakes.sum())
    beside = 2 * TENTH * typical if bounded else 0.0
    shares = np.append(stakes, beside) / (total + beside)
    own = np.nan_to_num(value - left) * (1 - shares[:-1])
    alike = 1.0 if homes is None else swollen(own, shares[:-1], homes)
    variance = alike * float((own**2 / (1 - np.minimum(shares[:-1], 0.99))).sum())
    if bounded:
        weight = TENTH * typical / (total + beside)
        value = value * (1 - 2 * weight) + weight * sum(span)
        variance += sum(TENTH * ((end - value) * weight / TENTH) ** 2 for end in span)
    return of_shares(value, math.sqrt(variance), shares, alike)


def affordable(units: Units) -> int:
    """How many readings may be made; 0: too few to be worth it."""
    allowed = min(_READINGS, _POINTS // units.events.n)
    return allowed if allowed >= min(_ENOUGH, units.count) else 0


def _stakes(owner: Positions, units: Units, count: int) -> Floats:
    """What is at stake grows with the anomalous points of a unit."""
    widths = np.bincount(owner[units.events.labels], minlength=count).astype(np.float64)
    return widths if widths.any() else np.ones(count)
