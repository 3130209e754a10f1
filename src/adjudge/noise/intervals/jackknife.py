"""Intervals of values that are no sums over units: each unit is left out in turn.

The value is read anew without the points of a unit; how far it moves is the influence of the unit,
times what is left of the stakes (the jackknife [1]_). As of means a tenth of a unit is imagined at
either end of the range: where all units agree something is still left open.

Of channels that are counted event by event the value is a mean over events: it is known without
those that begin in a unit, however long the series.

References
----------
.. [1] B. Efron and C. Stein (1981). The jackknife estimate of variance. The Annals of Statistics
   9(3).
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import singledispatch
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from adjudge.count.alert_case import AlertCase
from adjudge.count.channels import Alarming
from adjudge.count.ledger import FALSE
from adjudge.data.channels import ChannelCase
from adjudge.data.intervals import bincount
from adjudge.noise.intervals.evidence import NONE, Evidence, evidence
from adjudge.noise.intervals.neighbours import cluster_note, variance_inflation
from adjudge.noise.intervals.spread import of_shares
from adjudge.noise.intervals.student import ends
from adjudge.noise.renamed_channels import counts_channels

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from adjudge._typing import Floats, Positions
    from adjudge.data.case import Case
    from adjudge.data.events import Events
    from adjudge.measure.whole.event_ap import AlertAp, IntervalAp
    from adjudge.metrics.metric import Metric
    from adjudge.noise.intervals.spread import Spread
    from adjudge.noise.intervals.units import Units

TENTH = 0.1
"""How much of a unit is imagined at either end of the range."""
READINGS = 100
"""How many units are left out, at most: neighbours of more go together."""
_POINTS = 2_000_000  # that all readings together go through
_ENOUGH = 10  # readings with which a long series is still worth it


def read_evidence(
    metric: Metric, case: Any, value: float, units: Units, level: float = 0.95
) -> Evidence:
    """An interval for a value that must be read anew without each unit.

    Nothing on long series, where that takes long.
    """
    span = metric.row.range
    known = spread_without([(metric, case)], value, units, span)
    if known is None:
        return NONE

    def spread_of(some: Units) -> Spread:
        again = known if some is units else spread_without([(metric, case)], value, some, span)
        return cast("Spread", again)

    return evidence(units, spread_of, lambda s: ends(s, value, span, level))


def spread_without(
    sides: Sequence[tuple[Metric, Any]], value: float, units: Units, span: tuple[float, float]
) -> Spread | None:
    """Spread of a value, or of the difference of two, by what becomes of it without each unit.

    Parameters
    ----------
    sides : pairs of metric and case
        One detector, or two.
    value, units, span : float, Units, pair of float
        The value, the units, and the lowest and the highest value that there can be.
    """
    each = [without_each(case, metric, units) for metric, case in sides]
    known = [one for one in each if one is not None]
    if len(known) < len(each):
        return None
    first, *other = known
    values = first.values - other[0].values if other else first.values
    return left_out(value, values, first.stakes, span, units.series_of_unit(len(values)))


class Without(NamedTuple):
    """The values without each unit, and what each had at stake."""

    values: Floats
    stakes: Floats


@singledispatch
def without_each(case: Any, metric: Metric, units: Units) -> Without | None:
    """The value without each unit, neighbours of many together; None: that takes too long.

    Parameters
    ----------
    case, metric, units : Case or AlertCase, Metric, Units
        What is judged, by what, and what is left out.
    """
    return _recomputed(case, metric, units)


def _recomputed(case: Case, metric: Metric, units: Units) -> Without | None:
    count = min(units.count, affordable(units))
    if not count:
        return None
    owner = owners(units, count)
    left = [
        metric.reading(case.within((owner >= 0) & (owner != unit))).value if count > 1 else math.nan
        for unit in range(count)
    ]
    return Without(np.array(left), stakes_of(owner, units, count))


@without_each.register(ChannelCase)
def _of_channels(case: ChannelCase, metric: Metric, units: Units) -> Without | None:
    """Several channels: a mean over events is known without those that begin in a unit."""
    if not counts_channels(metric, case):
        return _recomputed(case, metric, units)
    count = min(units.count, READINGS)
    owner = owners(units, count)
    stakes = stakes_of(owner, units, count)
    if count == 1:
        return Without(np.array([np.nan]), stakes)
    return Without(_of_events(metric, case, owner, count), stakes)


@without_each.register(AlertCase)
def _of_alerts(case: AlertCase, metric: Metric, units: Units) -> Without:
    """Alerts that have a score: an alert goes with its incident, or with the next one."""
    measure, outcome = cast("AlertAp | IntervalAp", metric.parts.measure), case.outcome
    unit, total = units.of_rows(case.rows)
    count = min(total, READINGS)
    few = np.arange(total, dtype=np.int64) * count // total
    incidents = few[unit[: case.event_count]]
    alerts = np.empty(len(outcome.table_row), np.int64)
    own = outcome.event[0] >= 0
    alerts[own] = incidents[outcome.event[0][own]]
    alerts[~own] = few[unit[case.rows.event == FALSE]]
    left = [measure.on_alerts(outcome, (incidents != k, alerts != k)) for k in range(count)]
    stakes = bincount(incidents, minlength=count).astype(np.float64)
    return Without(np.array(left), stakes)


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
    owner = owners(units, count)
    judged = owner >= 0
    left = [
        read(units.events.within(where=judged & (owner != unit))) if count > 1 else math.nan
        for unit in range(count)
    ]
    stakes = stakes_of(owner, units, count)
    return left_out(value, np.array(left), stakes, span, units.series_of_unit(count))


def left_out(
    value: float,
    left: Floats,
    stakes: Floats,
    span: tuple[float, float],
    series_of_unit: Positions | None = None,
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
    alike = 1.0 if series_of_unit is None else variance_inflation(own, shares[:-1], series_of_unit)
    variance = alike * float((own**2 / (1 - np.minimum(shares[:-1], 0.99))).sum())
    pseudo_rows = 0.0
    if bounded:
        weight = TENTH * typical / (total + beside)
        value = value * (1 - 2 * weight) + weight * sum(span)
        pseudo_rows = sum(TENTH * ((end - value) * weight / TENTH) ** 2 for end in span)
    together = "" if series_of_unit is None else cluster_note(own, shares[:-1], series_of_unit)
    found = of_shares(value, math.sqrt(variance + pseudo_rows), shares, alike)
    return found._replace(together=together, pseudo_rows=pseudo_rows)


def affordable(units: Units) -> int:
    """How many readings may be made; 0: too few to be worth it.

    Episodes that are neighbours, and what a line adds to them, go together where that takes long.
    """
    allowed = min(READINGS, _POINTS // units.events.n)
    enough = allowed >= min(_ENOUGH, units.count) or units.blocks is not None
    return allowed if enough else 0


def owners(units: Units, count: int) -> Positions:
    """The unit of each point, neighbours of more than so many together; -1: not judged."""
    owner = np.full(units.events.n, -1)
    inside, normal = units.points(count)
    owner[units.events.labels], owner[units.events.normal] = inside, normal
    return owner


def stakes_of(owner: Positions, units: Units, count: int) -> Floats:
    """What is at stake grows with the anomalous points of a unit."""
    widths = bincount(owner[units.events.labels], minlength=count).astype(np.float64)
    return widths if widths.any() else np.ones(count)


# --- several channels ----------------------------------------------------------------------------


def optimism_over_lines(metric: Metric, case: ChannelCase, units: Units) -> float:
    """By how much thresholds that were chosen on these very events flatter ``best(...)``.

    Every unit is flagged by the threshold that is best without it; the value of these flags is the
    one that was not chosen by looking.

    Parameters
    ----------
    metric, case : Metric, ChannelCase
        ``best(...)`` around a metric of several channels, and what is judged.
    units : Units
        The units; where reading takes long, neighbours are left out together.
    """
    count = min(units.count, max(affordable(units), 1))
    owner, flags = owners(units, count), np.zeros((len(case.parts), units.events.n), bool)
    scores = case.scores.reshape(flags.shape)
    for one in range(count):
        others = case.within((owner >= 0) & (owner != one)) if count > 1 else case
        levels = _chosen(metric, others)
        own = owner == one
        flags[:, own] = scores[:, own] > levels[:, np.newaxis]
    plain = replace(metric, oracle=False, each=False, thresholds=None)
    return metric.reading(case).value - plain.reading(case.with_scores(flags.reshape(-1))).value


def _chosen(metric: Metric, case: ChannelCase) -> Floats:
    """The best threshold of each channel, be it the same for all or not."""
    if metric.each:
        found = [metric.per_channel.reading(part).at for part in case.parts]
    else:
        found = [metric.reading(case).at] * len(case.parts)
    return np.array(found, np.float64)


def _of_events(metric: Metric, case: ChannelCase, owner: Positions, count: int) -> Floats:
    """The mean over events without those that begin in each unit."""
    measure = cast("Any", metric.parts.measure)
    seen = measure.seen(case.channels)
    found = seen.alarming(metric.flags(case)[0])
    start = np.full(len(seen.truth), case.channels.joined.n - 1)
    np.minimum.at(start, seen.truth.event, seen.truth.start)
    unit = owner[start]
    return np.array(
        [
            float(measure.value(Alarming(*(table[unit != one] for table in found)), case.channels))
            for one in range(count)
        ]
    )
