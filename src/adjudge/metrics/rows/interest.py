"""Rows that weigh time by the interest that an operator takes in it (OIPR)."""

from __future__ import annotations

from adjudge.count.interest import Interest
from adjudge.metrics.rows.phrases import LAWS
from adjudge.metrics.rows.three_rates import three_rates

_NEAR = "alarms that come late by up to `linger` points, in part"
_CLAIMS = LAWS - {"monotone", "reversal"}

ROWS = three_rates(
    "oipr",
    "of interest",
    {
        "precision": "share of the interest in the alarms that the labels draw too; interest wears "
        "off while flags keep coming, and fades for `linger` points after the last",
        "recall": "share of the interest in the labels that the alarms draw too",
    },
    dict.fromkeys(("f1", "precision", "recall"), _CLAIMS),
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
