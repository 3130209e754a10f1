"""Expected masses under a null model, exact on the given labels.

For every adjustment but K%-PA a point is marked as soon as one of k(t) neighbouring points is
flagged: its own for the pointwise score, its event's for point adjustment, the normal points of
its window for balanced adjustment. So the expected masses are sums of u(k(t)), with u(k) the
chance that k neighbouring points hold an alarm: no simulation, borders and any mix of widths
included.

Under white noise this is exact whatever the points are. Under shifts u(k) is that of
*neighbouring* points, and a window that straddles a short event has a hole: its k normal points are
counted as if they lay side by side, which makes the false positives a little too few there.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from adjudge.count import Points
from adjudge.count.tally import Tally

if TYPE_CHECKING:
    from adjudge._typing import Floats, Positions
    from adjudge.adjust import Adjustment
    from adjudge.count.contract import Counting
    from adjudge.data.events import Events
    from adjudge.noise.nulls import Null


def expected_masses(
    adjust: Adjustment, count: Counting, events: Events, null: Null
) -> Tally | None:
    """The expected masses, or None where they are not known in closed form.

    >>> from adjudge.adjust import point_adjusted
    >>> from adjudge.data.events import Events
    >>> from adjudge.noise.nulls import White
    >>> events = Events.from_intervals([(10, 12)], n=100)
    >>> expected_masses(point_adjusted, Points(), events, White(0.5)).found  # 2 * (1 - 1/4)
    1.5
    """
    if not isinstance(count, Points):
        return None
    chances = _marked(adjust, events, null)
    if chances is None:
        return None
    found = float(chances[events.labels].sum())
    false = float(chances[events.normal].sum())
    truth, normal = (int(np.count_nonzero(side)) for side in (events.labels, events.normal))
    return Tally(found, truth, found, found + false, normal)


def _marked(adjust: Adjustment, events: Events, null: Null) -> Floats | None:
    """The chance that each point is flagged after the adjustment."""
    layers = adjust.layers(events)
    chances = np.zeros(events.n)
    for weight, layer in layers:
        reach = layer.reach(events)
        if reach is None:
            marking = adjust.marking(events)
            keeps = marking is not None and marking.keeps
            return _covered(marking.needed, events, null) if marking and keeps else None
        for series, (start, stop) in enumerate(pairwise(events.series_bounds)):
            chances[start:stop] += weight * _looked_up(null, reach[start:stop], series)
    return chances / sum(weight for weight, _ in layers)


def _looked_up(null: Null, reach: Positions, series: int) -> Floats:
    """Ask once for every reach that occurs, not once for every point."""
    most = int(reach.max(initial=0))
    return null.holds(np.arange(most + 1), series)[reach]


def _covered(needed: Positions, events: Events, null: Null) -> Floats:
    r"""The chances under K%-PA: an event counts whole from m hits on, else point by point.

    .. math:: E[TP_e] = s \Pr(B \ge m) + \sum_{j < m} j \Pr(B = j)
    """
    chances = np.empty(events.n)
    bounds = events.series_bounds
    for series, (start, stop) in enumerate(pairwise(bounds)):
        chances[start:stop] = null.holds(np.array(1), series)
    home = np.searchsorted(bounds, events.starts, side="right") - 1
    keys, which = np.unique(np.stack([home, events.widths]), axis=1, return_inverse=True)
    per_point = np.empty(keys.shape[1])
    for index, (series, width) in enumerate(keys.T.tolist()):
        hits = null.hits(width, series)
        m = int(needed[np.argmax(which.ravel() == index)])
        credit = np.where(np.arange(width + 1) >= m, width, np.arange(width + 1))
        per_point[index] = credit @ hits / width
    chances[events.labels] = events.spread(per_point[which.ravel()])
    return chances
