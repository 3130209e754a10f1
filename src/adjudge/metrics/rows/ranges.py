"""Rows that count ranges: range-based precision and recall, TaPR, eTaPR, and their areas."""

from __future__ import annotations

from dataclasses import replace

from adjudge.count.ranges import CorrectedRanges, RangePair, Ranges
from adjudge.count.tapr import Portions, PrunedPortions
from adjudge.measure.curves import auc_pr
from adjudge.measure.whole.areas import RangeArea
from adjudge.metrics.metric import Row
from adjudge.metrics.rows.three_rates import (
    CONSTANT,
    LAWS,
    NO_EVENT,
    three_rates,
)

_TATBUL = (
    "N. Tatbul et al. (2018). Precision and Recall for Time Series. NeurIPS. arXiv:1803.03639."
)
_WAGNER = (
    "D. Wagner et al. (2023). TimeSeAD: Benchmarking Deep Multivariate Time-Series Anomaly "
    "Detection. TMLR."
)

_RANGES = three_rates(
    "range",
    ", ranges",
    {
        "precision": "mean over the flagged runs of alpha for touching an event and 1 - alpha for "
        "the share of the run inside events, weighted by position (`bias`) and by how many events "
        "it touches (`cardinality`)",
        "recall": "mean over the events of alpha for being touched and 1 - alpha for the share "
        "covered, weighted by position (`bias`) and by how many runs share it (`cardinality`)",
    },
    LAWS - {"monotone"},
    {
        "f1": "length: a short event, and a short false run, weigh as much as long ones; with "
        'cardinality="one" fragments, which cost nothing; with alpha above 0 also coverage',
        "precision": "missed events; and length: a short false run weighs as much as a "
        'long one; with cardinality="one" a run over several events costs nothing for that; with '
        "alpha above 0 also runs that are too wide",
        "recall": "every false alarm; and length: a short event weighs as much as a long one; with "
        'cardinality="one" fragments, which cost nothing; with alpha above 0 also coverage',
    },
    of_recall=LAWS,
    count=Ranges,
    group="ranges",
    reference=_TATBUL,
    notes="""Every event and every flagged run weighs 1, over all series together.
Crosswalk, with the defaults that make published numbers differ:
  prts ts_precision, ts_recall          range_precision, range_recall, the same parameters
  prts ts_fscore                        range_f1 (alpha 0, cardinality "one")
  TimeEval RangeFScore, aeon            range_f1(r_alpha=0.5, cardinality="reciprocal"); aeon is
                                        wrong for beta other than 1, and for constant flags
  tsadmetrics rbf                       range_f1(p_alpha=0.5, r_alpha=0.5)
  TSAD_eval Range_PR                    range_f1(p_alpha=0.2, r_alpha=0.2)
  TSB-AD, range-based                   range_f1(r_alpha=0.2, cardinality="reciprocal"), flat only
  TimeSeAD, unweighted                  range_f1(cardinality="corrected")""",
    always_shown=("alpha", "cardinality"),
)

_TS = three_rates(
    "ts",
    ", ranges, corrected",
    {
        "precision": "share of the flagged points that are anomalous, where the points of a run "
        "that touches c events count ((L-1)/L)^(c-1) for L points in the run",
        "recall": "mean over the events of the share covered, times ((L-1)/L)^(c-1) for c runs in "
        "L points",
    },
    LAWS - {"monotone"},
    {
        "f1": "the length of events: a short one weighs as much as a long one",
        "precision": "missed events and missed points; a false alarm costs one point",
        "recall": "every false alarm; and the length of events: a short one weighs as much as a "
        "long one",
    },
    of_recall=LAWS,
    count=CorrectedRanges,
    group="ranges",
    reference=_WAGNER,
    notes="""\
The corrected cardinality makes recall grow with every flagged anomalous point, so its curve
has an area. Runs weigh their length, over all series together.
Crosswalk:
  TimeSeAD ts_auprc                     ts_auc_pr, but for the runs after the last event, of which
                                        TimeSeAD charges only the first
  TimeSeAD best_ts_f1_score             best(ts_f1), with the same exception
  sktime TimeSeriesAUPRC                none: it also weighs recall by length""",
)

_TAPR = three_rates(
    "tapr",
    ", time-series aware",
    {
        "precision": "mean over the flagged runs of alpha for being right (a share `theta` in "
        "events and their tails) and 1 - alpha for that share",
        "recall": "mean over the events of alpha for being detected (a share `theta` covered) and "
        "1 - alpha for that share; flags in the `delta` points after the event help",
    },
    LAWS - {"monotone"},
    {
        "f1": "missing coverage beyond theta, in part; with delta above 0 alarms that come or end "
        "late",
        "precision": "missed events; and points beyond the event in runs of which theta is right, "
        "in part; with delta above 0 alarms that come or end late",
        "recall": "every false alarm, and missing coverage beyond theta, in part; with delta "
        "above 0 flags that come late",
    },
    of_recall=LAWS,
    count=Portions,
    group="ranges",
    reference="W.-S. Hwang et al. (2019). Time-Series Aware Precision and Recall for Anomaly "
    "Detection: Considering Variety of Detection Result and Addressing Ambiguous Labeling. CIKM. "
    "doi:10.1145/3357384.3358118.",
    notes="""\
The tail after an event has delta + 1 points, or as many as there are before the next event;
their worth falls on the logistic curve from 0.9975 to 0.0025. A tail of a single point, before
the next event or the end, is worth 0: no curve runs through one point. Series are pooled; no tail
leaves its own.
Crosswalk:
  TSAD_eval TaF, tsadmetrics taf        tapr_f1, the same parameters; where an event begins exactly
                                        delta points after the last one ends they count its first
                                        point twice, and a share may exceed 1
  the authors' package, its defaults    tapr_f1(alpha=0.8, theta=0.5, delta=600)""",
    always_shown=("alpha", "theta", "delta"),
)

_ETAPR = three_rates(
    "etapr",
    ", enhanced time-series aware",
    {
        "precision": "mean over the flagged runs, weighted by the root of their length, of a half "
        "for being right (a share `theta_p` in events) and a half for that share, after weak "
        "overlaps are taken out",
        "recall": "mean over the events of a half for being detected (a share `theta_r` covered) "
        "and a half for that share, after weak overlaps are taken out",
    },
    LAWS - {"monotone"},
    {
        "f1": "half the missing coverage beyond theta_r; not runs that are too "
        "wide: one of which less than theta_p is right finds nothing",
        "precision": "missed events that no run touches; and half the points beyond the event in "
        "runs of which theta_p is right",
        "recall": "false alarms that touch no event, and half the missing coverage beyond theta_r",
    },
    count=PrunedPortions,
    group="ranges",
    reference='W.-S. Hwang et al. (2022). "Do You Know Existing Accuracy Metrics Overrate '
    'Time-Series Anomaly Detections?". SAC. doi:10.1145/3477314.3507024.',
    notes="""\
Overlaps are taken out until every event with one left has theta_r of it covered, and every
run with one left has theta_p of it in events; the order does not matter. Series are pooled.
Crosswalk:
  faster-eTaPR, TSAD_eval eTaF          etapr_f1, the same parameters
  tsadmetrics etaf                      etapr_f1; its default is theta_r=0.5""",
    always_shown=("theta_p", "theta_r"),
)


_RANGE_F1 = replace(_RANGES[0], count=RangePair, always_shown=("p_alpha", "r_alpha", "cardinality"))
"""Of which each side may have a rule of its own."""

_NO_STEPS = CONSTANT.format(instead="ap")
_AREAS = (
    Row(
        "ts_auc_pr",
        "PR area, ranges, corrected",
        "area under ts_precision against ts_recall over all thresholds, by trapezoids",
        auc_pr,
        count=CorrectedRanges,
        needs="scores",
        group="areas",
        reference=_WAGNER,
        undefined=NO_EVENT,
        forgives=f"{_NO_STEPS}; else {_TS[0].forgives}",
        notes=_TS[0].notes,
        claims=frozenset({"perfect", "reversal"}),
    ),
    Row(
        "auc_pr_range",
        "PR area, ranges",
        "area under range_precision against range_recall, sorted by recall, by trapezoids, from "
        "recall 0 and precision 1 to recall 1 and the share of anomalous points",
        RangeArea,
        count=None,
        needs="scores",
        group="areas",
        reference="S. Schmidl et al. (2022). Anomaly Detection in Time Series: A Comprehensive "
        "Evaluation. PVLDB 15(9). doi:10.14778/3538598.3538602; after " + _TATBUL,
        undefined=NO_EVENT,
        forgives=f"{_NO_STEPS}; else {_RANGE_F1.forgives}",
        notes="""Every distinct score is a threshold unless `thresholds` says how many.
Not the same as range_auc_pr, the PR area with soft labels around the events.
Crosswalk:
  TimeEval RangePrecisionRangeRecallAUC auc_pr_range(r_alpha=0.5, cardinality="reciprocal",
                                        thresholds=50)
  aeon rp_rr_auc_score                  the same""",
        claims=frozenset({"perfect", "reversal"}),
        always_shown=("p_alpha", "r_alpha", "cardinality", "thresholds"),
    ),
)

ROWS = (_RANGE_F1, *_RANGES[1:], *_TS, *_TAPR, *_ETAPR, *_AREAS)
