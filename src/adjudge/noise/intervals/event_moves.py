"""By how much a value moves with each event: what a mean over series knows of episodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from adjudge.noise.intervals.areas import AREAS, MOST, CasePieces, areas, is_sum
from adjudge.noise.intervals.rates import Side, measured
from adjudge.noise.intervals.spread import influence
from adjudge.noise.intervals.units import units_of

if TYPE_CHECKING:
    from adjudge._typing import Floats
    from adjudge.data.case import Case
    from adjudge.metrics.metric import Metric


def event_moves(metric: Metric, case: Case, at: float | None = None) -> Floats | None:
    """How the value of a series moves with the weight of each event and its normal time.

    Parameters
    ----------
    metric, case : Metric, Case
        What is judged: at a threshold, or an area.
    at : float, optional
        The threshold of ``best(...)``, if it is known.

    Returns
    -------
    array or None
        One number per event, which sum to about 0: more of all changes no ratio. None of values
        that are no sums over events.

    Examples
    --------
    >>> import adjudge as aj
    >>> case = aj.Case([0, 1, 0, 1, 0, 1, 0], [0, 1, 0, 0, 0, 1, 0])
    >>> event_moves(aj.event_recall, case).round(3)  # of two found and one missed
    array([ 0.111, -0.222,  0.111])
    """
    units = units_of(case.truth, "event")
    if metric.has_rows(case):
        side = Side.of(metric, case, at if metric.oracle else None)
        rows, measure = side.by(units), side.measure
        moved = influence(lambda sums: measured(measure, sums), rows.sum(axis=0), rows)
    elif is_sum(metric) and units.count <= MOST:
        area, rows = AREAS[metric.parts.measure], CasePieces(case).by(metric.parts.adjust, units)
        whole = rows.sum(axis=0)
        moved = influence(
            lambda sums: areas(area, sums[..., np.newaxis, :, :])[..., 0], whole, rows
        )
    else:
        return None
    return moved[units.of_event]
