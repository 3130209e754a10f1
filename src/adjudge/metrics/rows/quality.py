"""Rows that judge an event by the alarms around it: hit, near, or far (DQE)."""

from __future__ import annotations

from adjudge.count.quality import Quality
from adjudge.measure.rates import recall
from adjudge.measure.whole.dqe import Dqe
from adjudge.metrics.row import Row
from adjudge.metrics.rows.phrases import NO_EVENT

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
