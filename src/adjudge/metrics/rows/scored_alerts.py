"""Rows that judge alerts which have a score each: average precision of events."""

from __future__ import annotations

from functools import partial

from adjudge.measure.whole.event_ap import AlertAp, IntervalAp
from adjudge.metrics.metric import Row
from adjudge.metrics.rows.three_rates import NO_EVENT

_DUPLICATES = (
    "random alarms and copies of alerts: what is less sure than the last alert that takes an event "
    "costs nothing"
)
_INPUT = """Made for alerts that have a score each: aj.evaluate(aj.Incidents(...), aj.Alerts(...,
score=...), span=...). In scores of points every stretch of one score above the lowest is an alert.
An alert takes only incidents of its own service; precision is over all services together.
Alerts that start in unwatched time are left out, and so are wholly unwatched incidents.
"""
_EXPLOIT = """Alerts scored below the last one that takes an event cost nothing, and each
{level} is matched separately. So adding copies of the alerts, shifted a little and with lower
scores, can only help: two alerts that start 100 points off have {before}, with copies 90 points
before and after {after}. Read it with event_precision, which counts false copies.
"""

_of_alerts = partial(Row, count=None, needs="scores", group="ranking", undefined=NO_EVENT)

ROWS = (
    _of_alerts(
        "alert_ap",
        "average precision of alerts by their starts",
        "mean over tolerances of the average precision of alerts, the surest first; an alert is "
        "right if it starts less than the tolerance from the start of an event that no surer one "
        "has taken",
        AlertAp,
        reference="Child Mind Institute (2023). Detect Sleep States. Kaggle competition: event "
        "detection average precision.",
        forgives=_DUPLICATES,
        notes=_INPUT
        + """Of incidents in time the largest tolerance is 30 minutes unless another is given.
"""
        + _EXPLOIT.format(level="tolerance", before="0.60", after="0.73")
        + """Crosswalk:
  Kaggle event detection AP    the same for one kind of event; alerts in a series without events
                               are not counted there, and kinds are averaged""",
        claims=frozenset({"perfect", "quiet", "doubling"}),
        always_shown=("tolerance",),
    ),
    _of_alerts(
        "interval_ap",
        "average precision of alerts by what they cover",
        "mean over degrees of likeness of the interpolated average precision of alerts, highest "
        "score first; an alert is right if its intersection over union with an event not taken by "
        "a higher-scored one is at least that degree",
        IntervalAp,
        reference="F. Caba Heilbron et al. (2015). ActivityNet: A Large-Scale Video Benchmark for "
        "Human Activity Understanding. CVPR.",
        forgives=_DUPLICATES,
        notes=_INPUT
        + """Lengths are those of watched time. Alerts that are moments have none, and take nothing.
"""
        + _EXPLOIT.format(level="degree of likeness", before="0", after="0.23")
        + """Crosswalk:
  ActivityNet ANETdetection    the same for one kind of event, but for the order of equal scores,
                               which is arbitrary there; kinds are averaged there""",
        claims=frozenset({"perfect", "quiet", "doubling", "reversal"}),
    ),
)
