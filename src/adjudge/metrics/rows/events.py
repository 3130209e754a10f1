"""Rows that count events and runs.

Rows that ask whether an event was hit, and differ in what a false alarm costs.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from adjudge.adjust.adjustments import Delayed
from adjudge.adjust.balanced import Balanced
from adjudge.count.runs import Coverage, Runs
from adjudge.count.segments import Composite, Eventwise, FalsePoints, Segments
from adjudge.count.weighted_events import EventWeighted, LengthWeighted
from adjudge.measure.curves import ap, auc_pr, auc_roc
from adjudge.measure.rates import FBeta, precision, recall
from adjudge.metrics.metric import Row
from adjudge.metrics.rows.three_rates import (
    CONSTANT,
    LAWS,
    NEITHER,
    NO_ALARM,
    NO_EVENT,
    three_rates,
)

_by_events = partial(
    Row, group="events", reference="D. Bhattacharya et al. (2024). arXiv:2409.13053, experiments."
)

_EVENTS = (
    Row(
        "event_f1",
        "F-score of events and runs",
        "harmonic mean of event precision and event recall",
        FBeta,
        count=Runs,
        group="events",
        reference="K. Hundman et al. (2018). Detecting Spacecraft Anomalies Using LSTMs and "
        "Nonparametric Dynamic Thresholding. KDD. arXiv:1802.04431 (the idea; runs counted here "
        "as in the balanced adjustment paper's experiments).",
        undefined=NEITHER,
        forgives="length: one alarm over everything finds every event in a single, right run",
        claims=LAWS - {"monotone"},
    ),
    _by_events(
        "event_precision",
        "precision of runs",
        "share of the flagged runs that touch an event",
        precision,
        count=Runs,
        undefined=NO_ALARM,
        forgives="missed events; and length: a run that touches an event is right, however "
        "far it goes, so one alarm over everything scores 1",
        claims=LAWS - {"monotone"},
    ),
    _by_events(
        "event_recall",
        "recall of events",
        "share of the events that are touched",
        recall,
        count=Runs,
        undefined=NO_EVENT,
        forgives="every false alarm (an alarm over everything scores 1), and all coverage beyond "
        "one point",
        claims=LAWS,
    ),
    _by_events(
        "event_coverage",
        "coverage of found events",
        "mean share of points flagged, over the events that are touched",
        recall,
        count=Coverage,
        undefined="no event is touched",
        forgives="missed events and every false alarm (an alarm over everything scores 1): read it "
        "with event recall",
        claims=LAWS - {"monotone"},
    ),
    Row(
        "event_f1_ba",
        "F-score of events, balanced",
        "2d / (N + d + C/w) for d hit events of N, and C normal points marked by islands of w = "
        "`width` points: a missed event and an isolated false alarm cost the same",
        FBeta,
        adjust=Balanced,
        count=EventWeighted,
        group="events",
        reference="After D. Bhattacharya et al. (2024). arXiv:2409.13053: balanced adjustment with "
        "every event weighing the same.",
        undefined=NEITHER,
        forgives="low coverage and length: one point of an event is enough, and no event "
        "weighs more than another",
        claims=LAWS,
        always_shown=("width", "islands"),
    ),
)


_HIT = "share of the events that are hit"
_HIT_FORGIVES = "every false alarm; and low coverage: one point hits an event"

_SEGMENT = three_rates(
    "segment",
    "of segments",
    {"precision": "hit events, as a share of hit events and runs that touch none", "recall": _HIT},
    LAWS - {"monotone"},
    of_recall=LAWS,
    count=Segments,
    group="events",
    reference="K. Hundman et al. (2018). Detecting Spacecraft Anomalies Using LSTMs and "
    "Nonparametric Dynamic Thresholding. KDD. arXiv:1802.04431.",
    forgives={
        "f1": "length: one alarm over everything hits every event and is no false run; "
        "several alarms on one event cost nothing",
        "precision": "missed events; and length: one alarm over everything is no "
        "false run; several alarms on one event cost nothing",
        "recall": _HIT_FORGIVES,
    },
    notes="""Crosswalk:
  TSAD_eval Segmentwise_metrics, tsadmetrics swf    segment_f1
  event_f1 counts every run that touches an event; here an event counts once however many do.""",
)

_COMPOSITE = three_rates(
    "composite",
    "of events and points",
    {"precision": "share of the flagged points that are anomalous", "recall": _HIT},
    LAWS,
    count=Composite,
    group="events",
    reference="A. Garg et al. (2021). An Evaluation of Anomaly Detection and Diagnosis in "
    "Multivariate Time Series. IEEE TNNLS. arXiv:2109.11428.",
    forgives={
        "f1": "coverage on the side of recall (one point hits an event); a false alarm costs one "
        "point, so more hits on long events buy false alarms back",
        "precision": "missed events and missed points; a false alarm costs one point, so "
        "more hits on long events buy false alarms back",
        "recall": _HIT_FORGIVES,
    },
    notes="""Crosswalk:
  TSAD_eval Composite_f, tsadmetrics cf             composite_f1
  TSB-AD Event-based-F1                             best(composite_f1) up to its grid; it loses the
                                                    last point of an event at the series' end""",
)

_REVISED = three_rates(
    "revised",
    "of events and false points",
    {"precision": "hit events, as a share of hit events and false points", "recall": _HIT},
    LAWS,
    count=FalsePoints,
    group="events",
    reference="A. Bhatnagar et al. (2021). Merlion: A Machine Learning Library for Time Series. "
    "arXiv:2109.09265.",
    forgives={
        "f1": "low coverage: sparse random alarms beat honest ones, whose false points are "
        "more; nothing else: a false alarm of 10 points outweighs 9 hit events",
        "precision": "missed events; and low coverage: sparse random alarms beat "
        "honest ones, whose false points are more; nothing else: a false alarm of 10 points "
        "outweighs 9 hit events",
        "recall": _HIT_FORGIVES,
    },
    notes="Merlion calls it RevisedPointAdjusted.",
)

_EVENTWISE = three_rates(
    "eventwise",
    "of segments, less false time",
    {
        "precision": "hit events, as a share of hit events and runs that touch none, times the "
        "share of normal points left alone",
        "recall": _HIT,
    },
    LAWS - {"monotone", "quiet", "doubling"},
    of_recall=LAWS,
    count=Eventwise,
    group="events",
    reference="M. E. A. Sehili and Z. Zhang (2023). Multivariate Time Series Anomaly Detection: "
    "Fancy Algorithms and Flawed Evaluation Methodology. arXiv:2308.13068.",
    forgives={
        "f1": "low coverage; alarms that are too wide, where there is much normal time",
        "precision": "missed events; and low coverage; alarms that are too wide, where there is "
        "much normal time",
        "recall": _HIT_FORGIVES,
    },
    notes="dtaianomaly has it as EventWisePrecision, EventWiseRecall and EventWiseFBeta.",
)  # fmt: skip

_SI = (
    "H. Si et al. (2024). TimeSeriesBench: An Industrial-Grade Benchmark for Time Series Anomaly "
    "Detection Models. ISSRE. arXiv:2402.10802."
)
_ONCE_HIT = (
    "low coverage (with k: of an event hit within its first k points), so much that random "
    "alarms may beat honest ones on long events"
)
_ITEMS: dict[str, Any] = {
    "adjust": Delayed,
    "count": LengthWeighted,
    "reference": _SI,
    "defaults": {"k": None},
    "always_shown": ("weight",),
}

_WEIGHTED = three_rates(
    "event_weighted",
    "of events by weight",
    {
        "precision": "weight of the hit events, as a share of that weight and of false points",
        "recall": "share of the events' weight that is hit",
    },
    LAWS,
    group="events",
    forgives={
        "f1": f"{_ONCE_HIT}; a false alarm costs one point",
        "precision": f"missed events; and {_ONCE_HIT}; a false alarm costs one point",
        "recall": f"every false alarm; and {_ONCE_HIT}",
    },
    notes="""weight="one"     every event weighs 1 (EasyTSAD: squeeze)
weight="log"     floor(log3(length + 3))
weight="sqrt"    floor(sqrt(length))
weight="length"  its points: then it is point adjustment
k                an event is hit only within its first k points""",
    **_ITEMS,
)

_AREA_OF = {
    "auc_roc": (
        auc_roc, "ROC area",
        "chance that a hit event outranks a normal point, events drawn by weight",
        "no event, or no normal point", LAWS - {"nothing", "quiet", "doubling"},
    ),
    "auc_pr": (
        auc_pr, "PR area", "area under precision against recall of weighted events, by trapezoids",
        NO_EVENT, LAWS - {"nothing", "quiet", "doubling", "monotone"},
    ),
    "ap": (
        ap, "average precision",
        "area under precision against recall of weighted events, by steps",
        NO_EVENT, LAWS - {"nothing", "quiet", "doubling", "monotone"},
    ),
}  # fmt: skip
_AREAS = tuple(
    Row(
        f"event_weighted_{name}",
        f"{title} of events by weight",
        definition,
        measure,
        needs="scores",
        group="areas",
        undefined=undefined,
        forgives=f"{CONSTANT}; else {_ONCE_HIT}".format(instead="event_weighted_ap")
        if name == "auc_pr"
        else _ONCE_HIT,
        claims=claims,
        **_ITEMS,
    )
    for name, (measure, title, definition, undefined, claims) in _AREA_OF.items()
)

ROWS = (*_EVENTS, *_SEGMENT, *_COMPOSITE, *_REVISED, *_EVENTWISE, *_WEIGHTED, *_AREAS)
