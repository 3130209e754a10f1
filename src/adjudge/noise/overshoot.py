"""Overshoot: how far above an alarm everywhere white noise can get, borders counted.

In the limit of many events far apart an island width of ``sum(s^2) / sum(s)`` keeps noise at the
score of an alarm everywhere. At the borders of events and series an island finds fewer normal
points, so noise marks a little less than it should, and scores a little more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from adjudge._typing import Floats, Positions
    from adjudge.adjust import Adjustment
    from adjudge.data.events import Events

_RATES = np.geomspace(1e-7, 0.999, 400)


def overshoot(adjust: Adjustment, events: Events) -> float:
    r"""The factor by which white noise can exceed an alarm everywhere, at its best threshold.

    .. math:: \sup_p \frac{2 E[TP]}{A + E[TP] + E[FP]} \Big/ \frac{2Q}{1 + Q}, \qquad
        E = \sum_t 1 - (1 - p)^{k(t)}

    with k(t) the number of points any of which marks point t, just as it is on these labels.

    1: noise never scores more than an alarm everywhere. NaN: no event, no normal point, or a rule
    that is not of this kind.

    >>> from adjudge.adjust import Balanced
    >>> from adjudge.data.events import Events
    >>> events = Events.from_intervals([(30 * i + 20, 30 * i + 30) for i in range(30)], n=920)
    >>> print(f"{overshoot(Balanced(11), events):.3f}")
    1.002
    """
    reach = adjust.reach(events)
    truth, normal = (int(np.count_nonzero(side)) for side in (events.labels, events.normal))
    if reach is None or not truth or not normal:
        return np.nan
    inside, outside = (_counted(reach[side]) for side in (events.labels, events.normal))

    def factor(rates: Floats) -> Floats:
        found, false = _marked(inside, rates), _marked(outside, rates)
        return 2 * found / (truth + found + false) / (2 * truth / (truth + truth + normal))

    top = int(np.argmax(factor(_RATES)))
    ends = _RATES[max(top - 1, 0)], _RATES[min(top + 1, _RATES.size - 1)]
    return max(1.0, float(factor(np.linspace(*ends, 200)).max()))


def _counted(reach: Positions) -> tuple[Floats, Positions]:
    points, counts = np.unique(reach, return_counts=True)
    return points.astype(np.float64), counts


def _marked(side: tuple[Floats, Positions], rates: Floats) -> Floats:
    """Sum the chances of being marked over the points of one side, rate by rate."""
    points, counts = side
    quiet = np.log1p(-rates)[:, np.newaxis] * points
    return np.asarray(-np.expm1(quiet) @ counts)
