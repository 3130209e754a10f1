"""Rows that ask when: within the first points, from the first hit on, or near enough."""

from __future__ import annotations

from adjudge.adjust.adjustments import Delayed
from adjudge.count.batches import Batches
from adjudge.count.soft_matches import SoftMatches
from adjudge.count.tolerant import Tolerant
from adjudge.measure.whole.areas import CoverageArea
from adjudge.metrics.metric import Row
from adjudge.metrics.rows.three_rates import LAWS, NEITHER, three_rates

_DELAY = three_rates(
    "delay",
    "of points, hit in time",
    {
        "precision": "share of the flagged points that are anomalous, after an event that is hit "
        "within its first `k` points counts as a whole and any other as missed",
        "recall": "share of the anomalous points in events that are hit within their first `k` "
        "points",
    },
    LAWS - {"reversal"},
    adjust=Delayed,
    group="timing",
    reference="H. Ren et al. (2019). Time-Series Anomaly Detection Service at Microsoft. KDD. "
    "arXiv:1906.03821.",
    forgives={
        "f1": "low coverage of an event hit in time; a late hit is worth nothing, and a false "
        "alarm costs one point",
        "precision": "missed events, and late hits, which count as no alarm; and low "
        "coverage of an event hit in time; a false alarm costs one point",
        "recall": "every false alarm; and low coverage of an event hit in time; a late hit is "
        "worth nothing",
    },
    always_shown=("k",),
    notes="""k counts points: k=1 asks for the first one. The default k=7 is the paper's for
minutely series; that of tsadmetrics is 1, and that of TSAD_eval is 2 (k=3 here). Crosswalk:
  tsadmetrics dtpaf, k                        delay_f1(k=k)
  TSAD_eval DelayThresholdedPointAdjust, k    delay_f1(k=k + 1): it counts points after the first
  k=None                                      point adjustment""",
)

_LATENCY = three_rates(
    "latency",
    "of batches, from the first hit on",
    {
        "precision": "share of the flagged batches that hold an anomalous point",
        "recall": "share of the anomalous batches that come with or after the first alarm in "
        "their event",
    },
    LAWS - {"reversal"},
    count=Batches,
    group="timing",
    reference="A. Abdulaal, Z. Liu, T. Lancewicki (2021). Practical Approach to Asynchronous "
    "Multivariate Time Series Anomaly Detection and Localization. KDD. 10.1145/3447548.3467174.",
    forgives={
        "f1": "gaps after the first hit, and false alarms beyond the first of a batch, so much "
        "that random alarms come close to honest ones on long events",
        "precision": "missed events; and gaps after the first hit, which count as right, "
        "and false alarms beyond the first of a batch, so much that random alarms may beat honest "
        "ones on long events",
        "recall": "every false alarm; and gaps after the first hit",
    },
    always_shown=("window",),
    notes="""With a window of 3 points or more some points are in no batch, as in the authors' code:
where an event ends and another one begins within a batch, this batch and the next are cut to 2
points, and the walk goes on a whole window further: up to window - 2 points there are left out,
flags and anomalous points alike.
Crosswalk:
  tsadmetrics lsaf, ni            latency_f1(window=ni)
  TSAD_eval LatencySparsityAware  latency_f1(window=tw); both add 1e-5 to denominators""",
)

_TOLERANT = three_rates(
    "tolerant",
    "of points, near enough",
    {
        "precision": "share of the flagged points with an anomalous point within `tolerance`",
        "recall": "share of the anomalous points with a flagged point within `tolerance`",
    },
    LAWS - {"monotone"},
    count=Tolerant,
    group="timing",
    reference="E. Scharwächter and E. Müller (2020). Statistical Evaluation of Anomaly Detectors "
    "for Sequences. arXiv:2008.05788.",
    forgives={
        "f1": "being early or late by up to the tolerance, and every gap of up to twice as much",
        "precision": "missed events; and being early or late by up to the tolerance",
        "recall": "every false alarm; and being early or late by up to the tolerance, and every "
        "gap of up to twice as much",
    },
    always_shown=("tolerance",),
    notes="""Crosswalk:
  tsadmetrics ttf, t              tolerant_f1(tolerance=t)
  TSAD_eval Time_Tolerant, d      tolerant_f1(tolerance=d)""",
)

_SOFTED = three_rates(
    "softed",
    "of points, the nearer the better",
    {
        "precision": "mean worth of the flagged points: 1 - distance / `reach` for the match with "
        "an anomalous point, else 0",
        "recall": "the worth of all matches, as a share of the anomalous points",
    },
    LAWS - {"monotone", "reversal"},
    count=SoftMatches,
    group="timing",
    reference="R. Salles et al. (2023). SoftED: Metrics for Soft Evaluation of Time Series Event "
    "Detection. arXiv:2304.00439.",
    forgives={
        "f1": "being early or late, the less the further, up to the reach",
        "precision": "missed events; and being early or late, the less the further",
        "recall": "every false alarm; and being early or late, the less the further",
    },
    always_shown=("reach", "match"),
    notes="""Made for events of one point: of longer ones every point is an event of its own
(starts=True judges by first points alone). A match at the distance reach is worth nothing. Two
versions, which differ where alarms crowd: anomalous at 10 and 12, flagged at 9 and 10, reach=5:
.5 by "nearest", .7 by "one_to_one". "nearest" may change when time is read backwards. Crosswalk:
  cefet-rj-dal/softed, k                    softed_f1(reach=k)
  harbinger har_eval_soft, sw_size, before  softed_f1(reach=sw_size)
  harbinger har_eval_soft, sw_size, now     softed_f1(reach=sw_size, match="one_to_one")""",
)

_COVERAGE_AREA = Row(
    "f1_kpa_area",
    "F-score, coverage-adjusted, over every K",
    "mean of the coverage-adjusted F-score over all shares k from 0 to 1, exactly",
    CoverageArea,
    count=None,
    group="coverage-adjusted",
    reference="S. Kim et al. (2022). Towards a Rigorous Evaluation of Time-Series Anomaly "
    "Detection. AAAI. arXiv:2109.05257.",
    undefined=NEITHER,
    forgives="coverage, in part: an event covered by a share c counts as a whole at that share of "
    "all k; a false alarm costs one point",
    claims=LAWS,
    notes="Others take the mean over 100 values of K, and choose the threshold anew for each.",
)

ROWS = (*_DELAY, *_LATENCY, *_TOLERANT, *_SOFTED, _COVERAGE_AREA)
