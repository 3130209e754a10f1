"""Rows of positions: change points and drifts, the regimes between them, delays of reports."""

from __future__ import annotations

from functools import partial
from math import inf
from typing import Any

from adjudge.adjust.peaks import Peaks
from adjudge.count.changes import MatchedChanges
from adjudge.count.early_warnings import ChangeDelays, FalseReports
from adjudge.count.regimes import CoveredRegimes
from adjudge.measure.rates import mean_found, time_between
from adjudge.measure.whole.partitions import regime_ari, regime_nmi, regime_rand
from adjudge.metrics.metric import Row
from adjudge.metrics.rows.three_rates import LAWS, three_rates

_GROUP = "changes"
_BURG = (
    "G. J. J. van den Burg, C. K. I. Williams (2020). An Evaluation of Change Point Detection "
    "Algorithms. arXiv:2003.06222."
)
_POSITIONS = """Truth and alarms are `Changes`; of labels and flags the starts of events and of
flagged runs are taken. Scores need a threshold, and distance= says how far apart alarms must be.
"""

_of_changes = partial(Row, adjust=Peaks, group=_GROUP, positions=True)
_CHANGES = three_rates(
    "change",
    "of changes",
    {
        "precision": "share of the alarms that are paired with a change at most `margin` away, one "
        "to one, as many pairs as there can be",
        "recall": "share of the changes that are paired with an alarm",
    },
    LAWS - {"monotone", "reversal"},
    {
        "f1": "being off by up to `margin`, early or late alike",
        "precision": "missed changes; being off by up to `margin`",
        "recall": "every false alarm; being off by up to `margin`: an alarm every 2 margin + 1 "
        "points finds every change",
    },
    adjust=Peaks,
    count=MatchedChanges,
    group=_GROUP,
    reference=_BURG,
    positions=True,
    always_shown=("margin",),
    notes=f"""{_POSITIONS}before= and after= replace the margin on one side. trivial=true adds the
start of the series to both sides, as TCPDBench does: a silent detector then scores 2/(K + 2) with K
changes. Several annotators: precision against the changes that any of them named, recall as the
mean over those who named one.
No package below pairs as many as it could. Crosswalk:
  TCPDBench f_measure(margin)            change_f1(trivial=true); it takes the nearest first
  ruptures precision_recall(margin=m)    change_precision(margin=m - 1), change_recall(margin=m - 1)
  skchange changepoint_f1_score          change_f1(margin=tolerance); each alarm asks its nearest
                                         change alone
  tsseg F1Score(margin)                  change_f1(margin); it takes the nearest first
  sktime WindowedF1Score(margin)         change_f1(margin); one alarm may serve several changes""",
)

_LUCK = (
    "silence: with few changes one regime over everything covers them well, and so do random "
    "changes; read it with what chance scores"
)
_REGIMES = three_rates(
    "regime",
    "of regimes",
    {
        "precision": "mean over the reported regimes, by length, of the best overlap with a true "
        "one (points in common over points of both)",
        "recall": "mean over the true regimes, by length, of the best overlap with a reported one",
    },
    frozenset({"perfect"}),
    {
        "f1": _LUCK,
        "precision": f"missed changes between regimes of like length; {_LUCK}",
        "recall": f"false alarms that cut off little; {_LUCK}",
    },
    adjust=Peaks,
    count=CoveredRegimes,
    group=_GROUP,
    undefined="never (without changes there is one regime)",
    reference=f"P. Arbelaez et al. (2011). Contour Detection and Hierarchical Image Segmentation. "
    f"IEEE TPAMI 33(5). {_BURG}",
    positions=True,
    notes=f"""{_POSITIONS}Regimes are the stretches between changes; one at the first point of a
series parts nothing. Without changes on both sides it is 1. Several annotators: the mean.
Crosswalk:
  TCPDBench covering                       regime_recall
  tsseg Covering                           regime_recall
  tsseg BidirectionalCovering              regime_f1""",
)

_TRAP = """Adjusted is meant for shuffled points, and regimes are contiguous: random changes get up
to .46 (10 changes and 10 random alarms on 1,000 points), not 0. Read the chance line.
"""


def _index(
    name: str, title: str, definition: str, crosswalk: str, trap: str = "", **own: Any
) -> Row:
    """A row that compares both ways to part the time."""
    return _of_changes(
        name,
        title,
        definition,
        count=None,
        claims=frozenset({"perfect"}),
        notes=f"""{_POSITIONS}Regimes are the stretches between changes. Over several series only
pairs of points of one series count. Several annotators: the mean.
{trap}Crosswalk:
{crosswalk}""",
        **own,
    )


_PARTITIONS = (
    _index(
        "regime_rand",
        "Rand index of regimes",
        "share of the pairs of points that truth and report both join or both part",
        """  ruptures randindex, 1 - hamming    regime_rand
  skchange rand_index                regime_rand
  sktime RandIndex                   another thing: it compares the k-th true with the k-th
                                     reported regime alone""",
        measure=regime_rand,
        reference="W. M. Rand (1971). Objective Criteria for the Evaluation of Clustering Methods. "
        "JASA 66(336).",
        undefined="fewer than two points",
        forgives="random changes, the more of them the better: pairs far apart are parted anyway",
    ),
    _index(
        "regime_ari",
        "adjusted Rand index of regimes",
        "Rand index of the regimes, 0 for shuffled points and 1 for the same regimes",
        """  skchange adjusted_rand_index    regime_ari
  tsseg AdjustedRandIndex         regime_ari""",
        _TRAP,
        measure=regime_ari,
        range=(-1, 1),
        reference="L. Hubert, P. Arabie (1985). Comparing Partitions. Journal of Classification 2.",
        undefined="fewer than two points",
        forgives="random changes: contiguous regimes agree far better than shuffled points",
    ),
    _index(
        "regime_nmi",
        "normalised mutual information of regimes",
        "mutual information of true and reported regime of a point, over the arithmetic mean of "
        "their entropies",
        """  tsseg NormalizedMutualInformation    regime_nmi
  A. Strehl, J. Ghosh (2002)           another thing: they divide by the geometric mean""",
        measure=regime_nmi,
        reference="T. O. Kvalseth (1987). Entropy and Correlation: Some Comments. IEEE "
        "Transactions on Systems, Man, and Cybernetics 17(3).",
        undefined="never (1 where neither side has a change)",
        forgives="random changes, and too many of them",
    ),
)

_DRIFTS = (
    _of_changes(
        "change_delay",
        "delay of reported changes",
        "mean number of points from a change to its first alarm in [change - before, change + "
        "after], over the changes that have one",
        mean_found,
        count=ChangeDelays,
        range=(-inf, inf),
        better="lower",
        reference="A. Bifet (2017). Classifier Concept Drift Detection and the Illusion of "
        "Progress. ICAISC.",
        undefined="no change is found",
        forgives="missed changes and every false alarm: an alarm at every point has delay 0; read "
        "it with change_recall and what chance scores",
        always_shown=("after", "before"),
        notes=f"""{_POSITIONS}Of gradual changes the window ends `after` behind their end.
relative=true divides by `after`. missed="after" charges changes without an alarm with `after`.
Crosswalk:
  CapyMOA EvaluateDriftDetector mdt      change_delay(after=max_delay, before=max_early_detection)
  CapyMOA EvaluateDriftDetector ndt      change_delay(after=max_delay, relative=true)
  river detection_delay                  change_delay(after=delta_max, before=delta_pre)
  sktime MeanDetectionOffset             -lead_time(max_lead=-min_offset, min_lead=-max_offset)""",
        claims=frozenset({"nothing", "quiet", "doubling"}),
    ),
    _of_changes(
        "time_between_false_alarms",
        "time between false alarms",
        "judged points outside all windows [change - before, change + after], per alarm in none",
        time_between,
        count=FalseReports,
        range=(0, inf),
        reference="A. Bifet (2017). Classifier Concept Drift Detection and the Illusion of "
        "Progress. ICAISC.",
        undefined="no point outside all windows, and no false alarm",
        forgives="missed changes; silence scores without end, and an alarm over everything is one "
        "alarm",
        inverse_of_rate=True,
        always_shown=("after", "before"),
        notes=f"""{_POSITIONS}Infinite without a false alarm. It is the usual estimate of the time
until a false alarm (ARL0), and the inverse of false_warning_rate. Its chance is the harmonic mean
over places, which is the inverse of the mean rate: the points of the series per alarm.
Crosswalk:
  river mean_time_between_false_alarms    another thing: the mean gap between false alarms, NaN
                                          below two""",
        claims=frozenset(),
    ),
)

ROWS = (*_CHANGES, *_REGIMES, *_PARTITIONS, *_DRIFTS)
