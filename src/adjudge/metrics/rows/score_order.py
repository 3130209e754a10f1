"""Rows that look at the order of the scores alone, or at how far apart they lie.

Rows that look at the top of the scores: as many false alarms as one can bear, and no more.
"""

from __future__ import annotations

from functools import partial

from adjudge.count.delays import FalseRuns
from adjudge.measure.curves import Froc, PartialRoc, RecallAt
from adjudge.measure.whole.cce import cce
from adjudge.measure.whole.separation import hellinger, separation
from adjudge.measure.whole.top_k import EventFAtK, FAtK, Ucr, event_precision_at_k, precision_at_k
from adjudge.metrics.metric import Row
from adjudge.metrics.rows.three_rates import NO_EVENT

_BANDOS = (
    "A. I. Bandos et al. (2009). Area under the Free-Response ROC Curve (FROC) and a Related "
    "Summary Index. Biometrics 65(1)"
)
_WALK = """The threshold is walked down from the top, and the walk ends before the first one that
breaks the budget. "The best recall at any threshold within the budget" would be another metric,
which flagging everything wins: false runs grow together as the threshold falls, and one run over
all time touches every event; so the threshold that flags everything is left out as well. (The walk
is this library's rule; the idea is that of FROC.)
A false alarm is a flagged run that touches no event. Series share the threshold, and their false
alarms and normal points are summed."""
_UNDEFINED = "no event, or no normal point"

_within_budget = partial(
    Row,
    count=FalseRuns,
    needs="scores",
    group="ranking",
    undefined=_UNDEFINED,
    claims=frozenset({"perfect", "reversal"}),
)

_BUDGETS = (
    _within_budget(
        "recall_at",
        "recall within a budget of false alarms",
        "share of the events found, as the threshold falls, before there are more than `rate` "
        "false alarms per `per` normal points",
        RecallAt,
        reference=_BANDOS + " (the idea).",
        forgives="low coverage and length: an event is found by one point, and a false alarm "
        "counts once however long it lasts; and everything below the budget's threshold",
        notes=_WALK,
        always_shown=("rate", "per"),
    ),
    _within_budget(
        "froc",
        "free-response ROC score",
        "mean of recall_at over the budgets `rates` of false alarms per `per` normal points",
        Froc,
        reference=_BANDOS + "; A. A. A. Setio et al. (2017). LUNA16. arXiv:1612.08012 (the rates).",
        forgives="low coverage and length: an event is found by one point, and a false alarm "
        "counts once however long it lasts; and everything below the largest budget's threshold",
        notes=_WALK + "\nLUNA16 counts false alarms per scan; here `per` says per how many points.",
        always_shown=("rates", "per"),
    ),
    Row(
        "partial_auc_roc",
        "ROC area at low false positive rates",
        "area under the ROC curve up to the false positive rate `max_fpr`, scaled so that 0.5 is "
        "no relation and 1 is perfect",
        PartialRoc,
        needs="scores",
        group="areas",
        reference="D. K. McClish (1989). Analyzing a Portion of the ROC Curve. Medical Decision "
        "Making 9(3).",
        undefined=_UNDEFINED,
        forgives="the order of all points below the threshold at which `max_fpr` is reached; an "
        "event half covered is half missed",
        notes="""max_fpr=1 is auc_roc. Crosswalk:
  scikit-learn roc_auc_score(max_fpr=f)    partial_auc_roc(max_fpr=f)""",
        claims=frozenset({"perfect", "monotone", "reversal"}),
        always_shown=("max_fpr",),
    ),
)


_TOO_FEW_RUNS = "no event, or no threshold flags at least as many runs as there are events"
_CRASWELL = "N. Craswell (2009). Precision at n. Encyclopedia of Database Systems. Springer."
_WENIG = (
    "P. Wenig, S. Schmidl, T. Papenbrock (2022). TimeEval: A Benchmarking Toolkit for Time Series "
    "Anomaly Detection Algorithms. PVLDB 15(12)."
)
_ONE_THRESHOLD = "Series: one threshold for all of them, and their points are counted together."
_RUNS = """Crosswalk:
  aeon f_score_at_k_ranges     event_f1_at_k; raises there when no threshold flags enough runs
  TimeEval PrecisionAtK        event_precision_at_k, but it never tries the highest score as a
                               threshold, so it differs where that one already flags enough runs
  TimeEval FScoreAtK           event_f1_at_k, with the same difference
Points instead of runs: precision_at_k and f1_at_k.
"""

_of_ranking = partial(Row, count=None, needs="scores", group="ranking")

_AT_K = (
    _of_ranking(
        "precision_at_k",
        "precision at k points",
        "share of the k highest points that are anomalous, where k points are: precision at top(k)",
        precision_at_k,
        reference=_CRASWELL,
        undefined=NO_EVENT,
        forgives="the order within the k highest points, and within all the others",
        notes="""Points that tie with the k-th are looked at too. Another k: precision(at=top(k)).
Crosswalk:
  tsadmetrics PrecisionAtK     the same
  TSAD_eval PatK_pw            the same
  TimeEval PrecisionAtK        counts runs: event_precision_at_k
"""
        + _ONE_THRESHOLD,
        claims=frozenset({"perfect", "reversal"}),
    ),
    _of_ranking(
        "f1_at_k",
        "F-score at k points",
        "F-score of the k highest points, where k points are anomalous: f1 at top(k)",
        FAtK,
        reference=_CRASWELL,
        undefined=NO_EVENT,
        forgives="the order within the k highest points, and within all the others",
        notes="""Without ties it is precision_at_k. Another k: f1(at=top(k)). Crosswalk:
  aeon f_score_at_k_points     the same, but it calls a constant score 0
"""
        + _ONE_THRESHOLD,
        claims=frozenset({"perfect", "reversal"}),
    ),
    _of_ranking(
        "event_precision_at_k",
        "precision at k runs",
        "share of the flagged runs that touch an event, at the highest threshold that flags at "
        "least as many runs as there are events",
        event_precision_at_k,
        reference=_WENIG,
        undefined=_TOO_FEW_RUNS,
        forgives="length of alarms, and runs that break one event in pieces: each is right",
        notes=_RUNS + _ONE_THRESHOLD,
        claims=frozenset({"perfect", "reversal", "quiet"}),
    ),
    _of_ranking(
        "event_f1_at_k",
        "F-score at k runs",
        "F-score of events and runs, at the highest threshold that flags at least as many runs as "
        "there are events",
        EventFAtK,
        reference=_WENIG,
        undefined=_TOO_FEW_RUNS,
        forgives="length of alarms, and coverage of events beyond one point",
        notes=_RUNS + _ONE_THRESHOLD,
        claims=frozenset({"perfect", "reversal", "quiet"}),
    ),
)

_WHOLE = (
    _of_ranking(
        "ucr",
        "highest score at the event",
        "share of the series whose highest score lies in their one event, widened on both sides by "
        "its length or by `tolerance` points, whichever is more",
        Ucr,
        reference="R. Wu and E. J. Keogh (2021). Current Time Series Anomaly Detection Benchmarks "
        "are Flawed and are Creating the Illusion of Progress. IEEE TKDE. arXiv:2009.13807.",
        undefined="a judged series has no event, or more than one",
        forgives="all scores but the highest, and being off by the length of the event or by the "
        "tolerance",
        notes="""Meant for many series: give them with series=, each with one event.
Where several points share the highest score, the share of them at the event counts: a constant
score earns what a blind guess would, and not by chance all or nothing. Crosswalk:
  UCR archive                  tolerance=100
  dtaianomaly UCR score        tolerance=100; of several highest points only the first counts there
  EasyTSAD EventDetect         asks for a point inside the event; no tolerance does that here""",
        claims=frozenset({"reversal"}),
        always_shown=("tolerance",),
    ),
    _of_ranking(
        "separation",
        "separation index",
        "distance between the score densities of normal and anomalous points in their overlap",
        separation,
        reference="D. Bhattacharya et al. (2024). Towards Unbiased Evaluation of Time-series "
        "Anomaly Detector. arXiv:2409.13053, experiments.",
        undefined="no event, no normal point, constant or infinite scores, or a single score of "
        "either kind in the overlap",
        forgives="when and where: only the values of the scores count, and not their order in time",
        notes="""No true distance: about 0.63 at a sliver of overlap, 1 without any. See hellinger.
Crosswalk:
  authors' code, separation_metric(metric="hellinger")    the same to 1e-6
It depends on the scale of the scores, not on their order alone. Several series are pooled.""",
        claims=frozenset({"perfect", "reversal", "quiet"}),
    ),
    _of_ranking(
        "hellinger",
        "Hellinger distance of scores",
        "Hellinger distance between the score densities of normal and anomalous points",
        hellinger,
        reference="E. Hellinger (1909). Journal für die reine und angewandte Mathematik 136.",
        undefined="no event, no normal point, infinite scores, or all scores of either kind alike",
        forgives="when and where, and the direction: anomalous points may score lower throughout",
        notes="It depends on the scale of the scores, not on their order alone. Several series are "
        "pooled.",
        claims=frozenset({"reversal"}),
    ),
    _of_ranking(
        "cce",
        "confidence and consistency of scores",
        "how far the scores of events lie above one half, and those of normal runs below, each "
        "times exp(-variance); the mean over segments and the same over all points, added",
        cce,
        range=(-1, 1),
        reference="Confidence-Consistency Evaluation for time series anomaly detection (2025). "
        "arXiv:2509.01098.",
        undefined="no event, no normal point, or scores that are all the same or not all finite",
        forgives="missed events and false alarms whose scores are not far off one half",
        notes="""The variance is that of a Beta distribution fitted by moments. Versions of the
authors' code differ in it and in how the two parts combine; none that is released could be run.
It depends on the scale of the scores, not on their order alone.""",
        claims=frozenset({"perfect", "reversal"}),
    ),
)

ROWS = (*_BUDGETS, *_AT_K, *_WHOLE)
