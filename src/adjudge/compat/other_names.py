"""Metrics of other packages that few use: other names of ours, or formulas for comparison alone.

``adjudge list`` leaves them out, ``adjudge list --all`` shows them, and their specs are read like
any other.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from adjudge.count.contract import SweptCounting
from adjudge.count.ledger import Entries, flagged_runs, hits_and_false_alarms, truth_rows
from adjudge.count.tally import Mass, Masses, every_score, of_truth
from adjudge.count.tolerant import Tolerant
from adjudge.data.intervals import reduce_over
from adjudge.data.time_settings import time_length
from adjudge.data.windows import max_within
from adjudge.measure.rates import FBeta, accuracy, precision, rand_index, recall
from adjudge.metrics.metric import Row
from adjudge.metrics.rows.three_rates import LAWS, NEITHER, NO_ALARM, NO_EVENT
from adjudge.settings import Settings

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags, Floats, Positions
    from adjudge.adjust.contract import Adjustment
    from adjudge.data.events import Events


@dataclass(frozen=True)
class Shares(SweptCounting):
    """Weigh every event 1, and credit it with its covered share; a missed one has none.

    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([1, 1, 1, 1, 0, 1])
    >>> Shares().masses(np.array([1, 0, 0, 0, 1, 0]) > 0, events).at(False)
    Tally(found=0.25, truth=2, right=0, flagged=0, normal=nan)
    """

    def masses(self, adjusted: Array, events: Events) -> Masses:
        """Count shares above any threshold."""
        shares = Mass(adjusted[events.labels], weights=events.spread(1 / events.widths))
        return of_truth(shares, len(events), adjusted, events)

    def flag_rows(self, flags: Flags, events: Events) -> Entries:
        """Rows for the events."""
        share = events.sum(flags) / events.widths
        return Entries(truth_rows(flags, events, np.ones(len(events)), share))


@dataclass(frozen=True)
class HitOffsets(SweptCounting):
    """Weigh every hit 1, and credit it with its distance from the event's middle.

    The distance is a share of the event's width; the middle of an even width is the earlier
    of the two points there. Missed points and false alarms do not count.

    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([1, 1, 1, 1, 0])
    >>> HitOffsets().masses(np.array([1, 0, 0, 1, 1]) > 0, events).at(False)  # 1/4 and 2/4
    Tally(found=0.75, truth=2, right=0, flagged=0, normal=nan)
    """

    def masses(self, adjusted: Array, events: Events) -> Masses:
        """Count offsets above any threshold."""
        hits = adjusted[events.labels]
        offsets = Mass(hits, weights=_offsets(events))
        return of_truth(offsets, Mass(hits.copy()), adjusted, events)

    def flag_rows(self, flags: Flags, events: Events) -> Entries:
        """Rows for the hits of each event."""
        far = np.zeros(events.n)
        far[events.labels] = _offsets(events)
        credit = reduce_over(np.add, far * flags, events.starts, events.stops)
        return Entries(truth_rows(flags, events, events.sum(flags), credit))


@dataclass(frozen=True)
class NearOrFalse(SweptCounting):
    """Set the anomalous points near an alarm against the flagged normal points.

    An anomalous point is found when a flagged point lies within ``tolerance``. Each one so found
    counts as right, and as flagged; a flagged normal point as flagged alone, however near.

    Parameters
    ----------
    tolerance : int or duration
        How many points, or how much time, apart is near.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 1, 1, 1, 0])
    >>> NearOrFalse(1).masses(np.array([0, 1, 0, 0, 0, 0]) > 0, events).at(False)
    Tally(found=1, truth=3, right=1, flagged=2, normal=3)
    """

    tolerance: int | str = time_length(5, 0, "down", uneven=True)

    def masses(self, adjusted: Array, events: Events) -> Masses:
        """Count points above any threshold."""
        near = max_within(adjusted, self.tolerance, events)
        found, false = Mass(near[events.labels]), Mass(adjusted[events.normal])
        truth, normal = found.values.size, false.values.size
        return Masses(found, truth, None, false, (every_score(adjusted, events),), normal)

    def entries(self, flags: Flags, events: Events, adjust: Adjustment) -> Entries:
        """Rows for each event, and for each run of false alarms."""
        flags = adjust(flags, events)
        truth = Tolerant(self.tolerance).entries(flags, events, adjust).truth
        earned = np.flatnonzero(truth.credit > 0)
        starts, stops = flagged_runs(flags & events.normal, events)
        right = truth.credit[earned]
        false = starts, stops, stops - starts
        alarms = hits_and_false_alarms(events, (earned, right, right), false)
        return Entries(truth, alarms, int(np.count_nonzero(events.normal)))


def _offsets(events: Events) -> Floats:
    """The distance of each event point from the middle, as a share of the event's width."""
    middle = events.spread((events.starts + events.stops - 1) // 2)
    return np.asarray(np.abs(np.flatnonzero(events.labels) - middle) / events.spread(events.widths))


@dataclass(frozen=True)
class WeightedDifference(Settings):
    r"""Hits, weighed by their place in the event, less false alarms, weighed by their distance.

    .. math:: \sum_{\text{hits } x} e^{-(x - m)^2 / (2 (w/2)^2)}
        - \sum_{\text{false } x} \min(1, d(x) / \tau)

    with the middle m and the width w of the event, the distance d to the nearest anomalous point of
    the series, and :math:`\tau` the tolerance. Unbounded, and a sum: it grows with the length
    of the data. 0: nothing is flagged.

    Parameters
    ----------
    tolerance : int or duration
        From how many points, or how much time, on a false alarm costs a whole one; 0 and 1
        are the same.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 1, 1, 1, 0, 0])
    >>> WeightedDifference(2)(np.array([0, 0, 0, 1, 0, 1, 1]) > 0, events)  # 1 - 1/2 - 1
    -0.5
    """

    tolerance: int = time_length(5, 0, "exact")

    def __call__(self, flags: Flags, events: Events) -> float:
        """Judge flags."""
        middle = events.spread(events.starts + events.stops - 1) / 2
        place = (np.flatnonzero(events.labels) - middle) / events.spread(events.widths / 2)
        hits = np.exp(-(place**2) / 2)[flags[events.labels]]
        false = _distances(np.flatnonzero(flags & events.normal), events)
        return float(hits.sum() - np.minimum(false / max(self.tolerance, 1), 1).sum())


def _distances(points: Positions, events: Events) -> Floats:
    """The distance from each point to the nearest event of its series; infinite without."""
    bounds = events.whole_series
    home = np.searchsorted(bounds, points, side="right") - 1
    place = np.searchsorted(events.starts, points)
    ends = np.append(-1, events.stops - 1)[place]
    begins = np.append(events.starts, events.n)[place]
    left = np.where(ends >= bounds[home], points - ends, np.inf)
    right = np.where(begins < bounds[home + 1], begins - points, np.inf)
    return np.minimum(left, right)


_TSADMETRICS = "The package tsadmetrics 1.0.16, whose values it gives."
_KNOWN = "Series: points of all series are counted together, and nothing reaches across."

_of_tsadmetrics = partial(Row, reference=_TSADMETRICS, listed=False)

ROWS = (
    Row(
        "accuracy",
        "accuracy",
        "share of the points that are called right",
        accuracy,
        group="points",
        reference="Share of agreement; it has no single source.",
        undefined="never",
        forgives="missed events, the rarer they are: silence scores the share of normal points",
        notes="Crosswalk: scikit-learn accuracy_score. See balanced_accuracy and mcc.",
        claims=LAWS - {"nothing", "quiet", "doubling"},
        listed=False,
    ),
    Row(
        "dice",
        "Dice coefficient",
        "twice the flagged anomalous points over flagged and anomalous points: another name of f1",
        FBeta(),
        group="points",
        reference="L. R. Dice (1945). Measures of the Amount of Ecologic Association Between "
        "Species. Ecology 26(3).",
        undefined=NEITHER,
        forgives="what is short: it is f1",
        notes="Crosswalk: tsadmetrics DiceCoefficient, which gives 1 where nothing is to be found.",
        claims=LAWS,
        listed=False,
    ),
    _of_tsadmetrics(
        "adc",
        "average share of each event detected",
        "mean over all events of the share of their points that are flagged",
        recall,
        count=Shares,
        group="events",
        undefined=NO_EVENT,
        forgives="every false alarm; long events weigh no more than short ones",
        notes="Crosswalk: tsadmetrics AverageDetectionCount. event_coverage leaves missed events "
        "out. " + _KNOWN,
        claims=LAWS,
    ),
    _of_tsadmetrics(
        "tdir",
        "detected in range",
        "share of the anomalous points with a flagged point within `tolerance`: another name of "
        "tolerant_recall",
        recall,
        count=Tolerant,
        group="timing",
        undefined=NO_EVENT,
        forgives="every false alarm, and gaps up to twice the tolerance",
        notes="Crosswalk: tsadmetrics TotalDetectedInRange, k is tolerance; it sees no alarm near "
        "points closer than k to the start. " + _KNOWN,
        claims=LAWS - {"monotone"},
        always_shown=("tolerance",),
    ),
    _of_tsadmetrics(
        "dair",
        "detection accuracy in range",
        "A / (A + F) for A anomalous points with a flagged point within `tolerance`, and F flagged "
        "normal points",
        precision,
        count=NearOrFalse,
        group="timing",
        undefined=NO_ALARM,
        forgives="missed events, and part of a false alarm near an event, which finds its points",
        notes="Crosswalk: tsadmetrics DetectionAccuracyInRange, k is tolerance. " + _KNOWN,
        claims=LAWS - {"monotone"},
        always_shown=("tolerance",),
    ),
    _of_tsadmetrics(
        "wdd",
        "weighted detection difference",
        "hits, each weighed by a Gaussian around the middle of its event, less false alarms, each "
        "weighed by its distance to the nearest event, up to 1 at `tolerance`",
        WeightedDifference,
        count=None,
        range=(-inf, inf),
        group="timing",
        undefined="never",
        forgives="missed events: they cost nothing. A sum, so it grows with the data",
        notes="Crosswalk: tsadmetrics WeightedDetectionDifference, k is tolerance. " + _KNOWN,
        claims=frozenset({"nothing", "monotone", "reversal", "quiet"}),
        always_shown=("tolerance",),
    ),
    _of_tsadmetrics(
        "add",
        "absolute detection distance",
        "mean distance of the hits from the middle of their event, as a share of its width",
        recall,
        count=HitOffsets,
        better="lower",
        group="timing",
        undefined="no event is hit",
        forgives="missed events and every false alarm; a detector of whole events has about 1/4, "
        "and random alarms or an alarm over everything the same",
        notes="Crosswalk: tsadmetrics AbsoluteDetectionDistance, which gives 0, the best value, "
        "where no event is hit. " + _KNOWN,
        claims=frozenset({"nothing", "quiet", "doubling"}),
    ),
    Row(
        "rand_index",
        "Rand index",
        "share of the pairs of points that labels and flags either both join or both part",
        rand_index,
        group="points",
        reference="W. M. Rand (1971). Objective Criteria for the Evaluation of Clustering Methods. "
        "JASA 66(336).",
        undefined="fewer than two points",
        forgives="being the wrong way round; missed events, the rarer they are",
        notes="Points are parted in anomalous and normal ones; segments are not clusters of their "
        "own.",
        claims=LAWS - {"nothing", "monotone", "quiet", "doubling"},
        listed=False,
    ),
)
