"""Rows for comparison with other libraries alone; ``adjudge list`` leaves them out."""

from __future__ import annotations

from math import inf

from adjudge.count.rarely_used import NearOrFalse, Offsets, Shares
from adjudge.count.tolerant import Tolerant
from adjudge.measure.rates import FBeta, accuracy, precision, rand_index, recall
from adjudge.measure.whole.weighted_difference import WeightedDifference
from adjudge.metrics.metric import Row
from adjudge.metrics.rows.three_rates import LAWS, NEITHER, NO_ALARM, NO_EVENT

_TSADMETRICS = "The package tsadmetrics 1.0.16, whose values it gives."
_KNOWN = "Series: points of all series are counted together, and nothing reaches across."

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
    Row(
        "adc",
        "average share of each event detected",
        "mean over all events of the share of their points that are flagged",
        recall,
        count=Shares,
        group="events",
        reference=_TSADMETRICS,
        undefined=NO_EVENT,
        forgives="every false alarm; long events weigh no more than short ones",
        notes="Crosswalk: tsadmetrics AverageDetectionCount. event_coverage leaves missed events "
        "out. " + _KNOWN,
        claims=LAWS,
        listed=False,
    ),
    Row(
        "tdir",
        "detected in range",
        "share of the anomalous points with a flagged point within `tolerance`: another name of "
        "tolerant_recall",
        recall,
        count=Tolerant,
        group="timing",
        reference=_TSADMETRICS,
        undefined=NO_EVENT,
        forgives="every false alarm, and gaps up to twice the tolerance",
        notes="Crosswalk: tsadmetrics TotalDetectedInRange, k is tolerance; it sees no alarm near "
        "points closer than k to the start. " + _KNOWN,
        claims=LAWS - {"monotone"},
        always_shown=("tolerance",),
        listed=False,
    ),
    Row(
        "dair",
        "detection accuracy in range",
        "A / (A + F) for A anomalous points with a flagged point within `tolerance`, and F flagged "
        "normal points",
        precision,
        count=NearOrFalse,
        group="timing",
        reference=_TSADMETRICS,
        undefined=NO_ALARM,
        forgives="missed events, and part of a false alarm near an event, which finds its points",
        notes="Crosswalk: tsadmetrics DetectionAccuracyInRange, k is tolerance. " + _KNOWN,
        claims=LAWS - {"monotone"},
        always_shown=("tolerance",),
        listed=False,
    ),
    Row(
        "wdd",
        "weighted detection difference",
        "hits, each weighed by a Gaussian around the middle of its event, less false alarms, each "
        "weighed by its distance to the nearest event, up to 1 at `tolerance`",
        WeightedDifference,
        count=None,
        range=(-inf, inf),
        group="timing",
        reference=_TSADMETRICS,
        undefined="never",
        forgives="missed events: they cost nothing. A sum, so it grows with the data",
        notes="Crosswalk: tsadmetrics WeightedDetectionDifference, k is tolerance. " + _KNOWN,
        claims=frozenset({"nothing", "monotone", "reversal", "quiet"}),
        always_shown=("tolerance",),
        listed=False,
    ),
    Row(
        "add",
        "absolute detection distance",
        "mean distance of the hits from the middle of their event, as a share of its width",
        recall,
        count=Offsets,
        better="lower",
        group="timing",
        reference=_TSADMETRICS,
        undefined="no event is hit",
        forgives="missed events and every false alarm; a detector of whole events has about 1/4, "
        "and random alarms or an alarm over everything the same",
        notes="Crosswalk: tsadmetrics AbsoluteDetectionDistance, which gives 0, the best value, "
        "where no event is hit. " + _KNOWN,
        claims=frozenset({"nothing", "quiet", "doubling"}),
        listed=False,
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
