"""The area under range precision against range recall, as TimeEval and aeon draw the curve.

It is no sentence of three verbs: the curve is sorted by recall, which may fall as more is flagged,
and begins at a point that no counting of ranges gives, recall 1 at the share of anomalous
points. (`ts_auc_pr` needs neither: its recall never falls.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from adjudge.adjust import raw
from adjudge.checks import setting, whole
from adjudge.count.ranges import RangePair
from adjudge.measure.curves import trapezoid
from adjudge.measure.rates import precision, recall

if TYPE_CHECKING:
    from adjudge._typing import Array, Positions
    from adjudge.data.events import Events

_DECIMALS = 12  # recalls that differ by less are equal: rounding must not order the curve


@dataclass(frozen=True)
class RangeArea(RangePair):
    """Area under range precision against range recall, by trapezoids.

    The curve has one point per threshold at which neither nothing nor everything is flagged. It
    is sorted by recall, and by precision among equals, and runs from recall 0 and precision 1 to
    recall 1 and the share of anomalous points.

    Parameters
    ----------
    p_alpha, r_alpha, cardinality, p_bias, r_bias
        See `adjudge.count.ranges.RangePair`.
    thresholds : int, optional
        About how many thresholds to take, evenly by rank and always the highest (at most twice
        as many). Default: every distinct score, exactly.

    References
    ----------
    .. [1] S. Schmidl et al. (2022). Anomaly Detection in Time Series: A Comprehensive Evaluation.
       PVLDB 15(9). doi:10.14778/3538598.3538602.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 1, 1])
    >>> RangeArea()(np.array([0.1, 0.4, 0.3, 0.8]), events)  # (0, 1) (1/2, 1) (1/2, 1/2) (1, 2/3)
    0.7916666666666666
    >>> RangeArea()(np.array([0.1, 0.2, 0.6, 0.8]), events)
    1.0
    """

    thresholds: int | None = setting(None, whole, 1, none=True)

    def __call__(self, scores: Array, events: Events) -> float:
        """Draw the curve, and measure the area."""
        if not len(events):
            return np.nan
        _, tally = self.counts(scores, events, raw).sweep
        chosen = self._sample(len(tally.found) - 2)
        along, heights = recall(tally)[chosen], precision(tally)[chosen]
        order = np.lexsort((heights, -np.round(along, _DECIMALS)))
        anomalous = int(np.count_nonzero(events.labels))
        everything = anomalous / (anomalous + int(np.count_nonzero(events.normal)))
        along = np.concatenate([[1.0], along[order], [0.0]])
        heights = np.concatenate([[everything], heights[order], [1.0]])
        return trapezoid(heights, -along)  # recall falls

    def _sample(self, count: int) -> Positions:
        """Choose places of the curve, from the lowest threshold up, without either end."""
        rising = np.arange(count, 0, -1)
        if self.thresholds is None or count <= self.thresholds:
            return rising
        chosen = rising[:: count // max(self.thresholds - 1, 1)]
        return np.append(chosen, 1) if chosen[-1] != 1 else chosen
