"""The area under range precision against range recall, as TimeEval and aeon draw the curve.

It is no sentence of three verbs: the curve is sorted by recall, which may fall as more is flagged,
and begins at a point that no counting of ranges gives, recall 1 at the share of anomalous
points. (`ts_auc_pr` needs neither: its recall never falls.)

The area of the coverage-adjusted F-score over every share K at once.

PSDS: found events against false alarms per time, over the thresholds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from adjudge.adjust.adjustments import raw
from adjudge.checks import positive, share, whole
from adjudge.count.intersections import Intersections
from adjudge.count.ranges import RangePair
from adjudge.count.tally import Tally
from adjudge.data.intervals import reduceat
from adjudge.data.time_settings import time_length
from adjudge.measure.curves import trapezoid
from adjudge.measure.rates import FBeta, at_most_one, precision, recall
from adjudge.settings import Settings, setting

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags, Floats, Positions
    from adjudge.data.events import Events


@dataclass(frozen=True)
class CoverageArea(Settings):
    r"""Mean of the K%-adjusted F-score over K from 0 to 1, exactly.

    .. math:: \int_0^1 F(K)\, dK

    As K rises the events drop out one by one, each at its own covered share; between two shares
    nothing changes, so the integral is a sum over the events. It lies between the pointwise score
    (reached at K = 1 unless an event is covered wholly) and the point-adjusted one (K near 0).

    Parameters
    ----------
    beta : float
        How much more recall weighs than precision.

    References
    ----------
    .. [1] S. Kim et al. (2022). Towards a Rigorous Evaluation of Time-Series Anomaly Detection.
       AAAI. arXiv:2109.05257 (which takes the mean over a grid of K).

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([1, 1, 1, 1, 0])
    >>> area = CoverageArea()(np.array([True, False, False, False, False]), events)
    >>> area == 0.25 * 1 + 0.75 * 0.4  # F is 1 up to K = 1/4, and 2/5 from there on
    True
    """

    beta: float = setting(1, positive)

    def __call__(self, flags: Flags, events: Events) -> float:
        """Integrate over K."""
        hits = events.sum(flags)
        shares = hits / events.widths
        order = np.argsort(shares)
        lost = np.where(hits > 0, events.widths - hits, 0)[order]
        found = events.widths[hits > 0].sum() - np.append(0, np.cumsum(lost))
        false = np.count_nonzero(flags & events.normal)
        tally = Tally(found, events.widths.sum(), found, found + false)
        steps = np.diff(np.concatenate([[0.0], shares[order], [1.0]]))
        return float(at_most_one((steps * FBeta(self.beta)(tally))[steps > 0].sum()))


@dataclass(frozen=True)
class Psds(Settings):
    """Area under the share of events found against false alarms per time, up to a largest rate.

    At every threshold events are found and runs are false alarms as `intersection_f1` counts them;
    the curve is the best share found with at most so many false alarms, in steps. 1: every event
    is found without a false alarm. NaN: no event.

    Parameters
    ----------
    dtc : float
        The share of a run that must be anomalous (detection tolerance criterion).
    gtc : float
        The share of an event that must be covered (ground truth intersection criterion).
    per : float or duration
        In how many points, or how much time, false alarms are counted.
    max_rate : float
        The largest rate of false alarms that counts.

    References
    ----------
    .. [1] Ç. Bilen et al. (2020). A Framework for the Robust Evaluation of Sound Event Detection.
       ICASSP. arXiv:1910.08440.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 1, 1, 0, 0, 0, 0, 0])
    >>> Psds(per=8, max_rate=2)(np.array([0, 3, 3, 0, 0, 5, 0, 0.0]), events)
    0.5
    """

    dtc: float = setting(0.5, share)
    gtc: float = setting(0.5, share)
    per: float = time_length(1000, 0, "rate")
    max_rate: float = setting(10, positive)

    def __call__(self, scores: Array, events: Events) -> float:
        """Judge scores."""
        if not len(events):
            return math.nan
        _, tally = Intersections(self.dtc, self.gtc).masses(scores, events).sweep
        points = events.n if events.judged is None else np.count_nonzero(events.judged)
        rates = np.append(0.0, (tally.flagged - tally.right) * self.per / points)
        order = np.argsort(rates, kind="stable")
        reached = np.maximum.accumulate(np.append(0.0, tally.found / len(events))[order])
        edges = np.minimum(np.append(rates[order], self.max_rate), self.max_rate)
        area = (np.diff(edges) * reached).sum() / self.max_rate  # summed as `trapezoid` does
        return float(at_most_one(area))


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
        along, heights = _by_recall(along, heights)
        anomalous = int(np.count_nonzero(events.labels))
        everything = anomalous / (anomalous + int(np.count_nonzero(events.normal)))
        along = np.concatenate([[1.0], along, [0.0]])
        heights = np.concatenate([[everything], heights, [1.0]])
        return trapezoid(heights, -along)  # recall falls

    def _sample(self, count: int) -> Positions:
        """Choose places of the curve, from the lowest threshold up, without either end."""
        rising = np.arange(count, 0, -1)
        if self.thresholds is None or count <= self.thresholds:
            return rising
        chosen = rising[:: count // max(self.thresholds - 1, 1)]
        return np.append(chosen, 1) if chosen[-1] != 1 else chosen


def _by_recall(along: Floats, heights: Floats) -> tuple[Floats, Floats]:
    """Order a curve by falling recall; among equals the lowest comes first, the highest last.

    Those between them stand on a line that falls straight down, and change no area.
    """
    fallen = -np.round(along, _DECIMALS)
    order = np.argsort(fallen, kind="stable")
    along, heights, fallen = along.take(order), heights.take(order), fallen.take(order)
    first = np.flatnonzero(np.append(True, fallen[1:] != fallen[:-1])[: fallen.size])
    if first.size:
        ends = reduceat(np.minimum, heights, first), reduceat(np.maximum, heights, first)
        heights[first], heights[np.append(first[1:], heights.size) - 1] = ends
    return along, heights
