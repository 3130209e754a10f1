"""Rows that judge an event by the alarms around it: hit, near, or far (DQE).

Rows that weigh time by the interest that an operator takes in it (OIPR).
"""

from __future__ import annotations

from adjudge.count.detection_quality import Quality
from adjudge.count.operator_interest import Interest
from adjudge.measure.rates import recall
from adjudge.measure.whole.dqe import Dqe
from adjudge.metrics.metric import Row
from adjudge.metrics.rows.three_rates import LAWS, NO_EVENT, three_rates

_NEAR = "alarms that come late by up to `linger` points, in part"

_INTEREST = three_rates(
    "oipr",
    "of interest",
    {
        "precision": "share of the interest in the alarms that the labels draw too; interest wears "
        "off while flags keep coming, and fades for `linger` points after the last",
        "recall": "share of the interest in the labels that the alarms draw too",
    },
    LAWS - {"monotone", "reversal"},
    count=Interest,
    group="timing",
    reference="Y. Jing et al. (2025). OIPR: Evaluation for Time-series Anomaly Detection Inspired "
    "by Operator Interest. arXiv:2503.01260.",
    forgives={
        "f1": f"gaps of up to `linger` points, and {_NEAR}; length, in part: the longer an event "
        "or an alarm lasts, the less its points count; with a long `linger` false alarms between "
        "two events, which merge with them",
        "precision": f"missed events; gaps of up to `linger` points, and {_NEAR}",
        "recall": f"every false alarm but one just before an event, which takes its interest away; "
        f"and {_NEAR}",
    },
    always_shown=("linger", "tire", "floor"),
    notes="""linger=0, floor=1 is pointwise. Crosswalk:
  weatherjyh/OIPR, l_obs, l_dis, b    linger=l_obs, tire=l_dis, floor=b
  the same, "auto"                    the defaults here: l_obs is the mean length of the events
                                      rounded up, l_dis half of it, b is 0.5
  its class defaults, its README      linger=2, tire=0, floor=1;  linger=20, tire=5, floor=0.5
There precision and recall are 0 where they are undefined. An alarm shortly before an event starts
the episode early, so that the event itself earns little more than the floor.
Series: interest fades within `linger` points after the end of each, and reaches into no other.""",
)


_REFERENCE = (
    "Y. Li et al. (2026). DQE. arXiv:2603.06131; defined by the authors' code, Yueweilirepo/DQE "
    "(the paper's text was not at hand)."
)
_FORGIVES = (
    "low coverage: an event is hit by one point; a wide `near` on a short series forgives "
    "every false alarm, because no time is far then: an alarm over everything scores close to 1; "
    "alarms in a series without events"
)
_NOTES = """version="2026-05"   Yueweilirepo/DQE, commit 16a74c4
version="2026-03"   commit da822d6, the day before the paper appeared; but where that code fuses two
                    runs over the middle between two events, they stay two here
Later commits (another term for false alarms) and those up to February 2026 (DQE_F1) are other
metrics. The benchmark there takes near = half the period of the series. Where alarms touch a far
zone and none is near, the near part falls from 1 to 0 at once: exact detection and one far false
point scores about .8. Series: each has its own zones, and the events of all weigh the same."""

ROWS = (
    *_INTEREST,
    Row(
        "sdqe",
        "quality of detection at one threshold",
        "mean over events of sqrt((hit + near) / 2 * quiet): whether the event is hit, how near "
        "and how short the alarms within `near` points of it are, and how little is flagged beyond",
        recall,
        count=Quality,
        group="timing",
        reference=_REFERENCE,
        undefined=NO_EVENT,
        forgives=_FORGIVES,
        notes=_NOTES,
        claims=frozenset({"perfect", "nothing"}),
        always_shown=("near", "version"),
    ),
    Row(
        "dqe",
        "quality of detection over thresholds",
        "mean of sdqe over `thresholds` thresholds, evenly spaced between the lowest and the "
        "highest score",
        Dqe,
        count=None,
        needs="scores",
        group="areas",
        reference=_REFERENCE,
        undefined="no event, or scores that are not all finite",
        forgives=_FORGIVES,
        notes=_NOTES
        + """
Only here a point is flagged when its scaled score is t or more, for t = 1, 0.99, ..., 0.01. The
spacing of the scores matters: squares of scores score differently. thresholds=None is the exact
integral over t, and takes as long as that many distinct scores take.""",
        claims=frozenset({"perfect"}),
        always_shown=("near", "version", "thresholds"),
    ),
)
