"""The interval of a value: by its rows, as an area of sums, or by leaving out each unit in turn."""

from __future__ import annotations

from dataclasses import replace
from functools import singledispatch
from typing import TYPE_CHECKING, Any

from adjudge.checks import share
from adjudge.count.alert_case import AlertCase
from adjudge.noise.intervals.areas import area_evidence
from adjudge.noise.intervals.episodes import Clocked
from adjudge.noise.intervals.evidence import NONE, Evidence
from adjudge.noise.intervals.jackknife import read_evidence
from adjudge.noise.intervals.rates import Side, side_evidence
from adjudge.noise.intervals.units import units_of

if TYPE_CHECKING:
    from adjudge._typing import Positions
    from adjudge.metrics.metric import Metric
    from adjudge.noise.intervals.areas import CasePieces
    from adjudge.noise.intervals.units import Units


def interval(
    metric: Metric,
    case: Any,
    unit: str = "auto",
    *,
    value: float | None = None,
    groups: Positions | None = None,
    units: Units | None = None,
    best_at: float | None = None,
    pieces: CasePieces | None = None,
    level: float = 0.95,
) -> Evidence:
    """An interval for the value that the detector would get on many more such units.

    Parameters
    ----------
    metric : Metric
        For ``best(...)`` it is the oracle's threshold on this case: the interval is about the value
        at that threshold, and says nothing about how lucky it was.
    case : Case or AlertCase
        What is judged.
    unit, groups : str, array of int
        The unit of evidence, and the number of the data set of each point: see `units_of`.
    value, units, best_at, pieces : optional
        The value, the units, the oracle's threshold and the pieces of the case, as far as they are
        known already.
    level : float
        How often the interval is to hold the truth.

    Returns
    -------
    Evidence
        The ends, which hold the value, and what they rest on. Nothing without events or without an
        alarm, where the value is undefined, and of medians and maxima.

    Raises
    ------
    InputError
        When ``level`` is no share.

    Notes
    -----
    A run that touches several events is split among them.

    Examples
    --------
    >>> import numpy as np
    >>> import adjudge as aj
    >>> labels = np.tile([0, 0, 0, 1, 0], 20)
    >>> flags = labels * np.tile(np.repeat([1, 0, 1, 0], [15, 5, 20, 10]), 2)
    >>> aj.event_recall(labels, flags)  # 14 of 20 events, and nothing false
    0.7
    >>> found = interval(aj.event_recall, aj.Case(labels, flags))
    >>> print(f"{found.low:.2f} to {found.high:.2f}; {found.words}")
    0.46 to 0.88; 20 events
    """
    level = share(level, "level")
    if not case.event_count:
        return NONE
    if metric.has_rows(case):
        side = Side.of(metric, case, best_at if metric.oracle else None)
        units = side.units(unit, groups) if units is None else units
        return side_evidence(side, units, metric.row.range, level)
    if metric.row.needs != "scores" and not metric.row.channels:
        return NONE
    if metric.oracle and best_at is not None:
        metric = replace(metric, oracle=False, at=best_at)
    value = metric.reading(case).value if value is None else value
    units = units_in(case, unit, groups) if units is None else units
    if metric.row.channels:
        return read_evidence(metric, case, value, units, level)
    return area_evidence(metric, case, value, units, pieces, level)


@singledispatch
def units_in(case: Any, unit: str, groups: Positions | None = None) -> Units:
    """The units of evidence of what is judged.

    Parameters
    ----------
    case, unit, groups : Case or AlertCase, str, array of int
        As of `interval`.
    """
    return units_of(case.truth, unit, groups)


@units_in.register(AlertCase)
def _in_alerts(case: AlertCase, unit: str, groups: Positions | None = None) -> Units:
    """Of alerts their rows say where incidents are."""
    clocked = Clocked.of(case.rows, case.time, case.clocks)
    return units_of(case.truth, unit, groups, clocked)
