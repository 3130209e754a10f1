"""Rows that count events and runs."""

from __future__ import annotations

from adjudge.adjust import Balanced
from adjudge.count import Coverage, EventWeighted, Runs
from adjudge.measure.rates import FBeta, precision, recall
from adjudge.metrics.row import Row
from adjudge.metrics.rows.phrases import LAWS, NEITHER, NO_ALARM, NO_EVENT

ROWS = (
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
    Row(
        "event_precision",
        "precision of runs",
        "share of the flagged runs that touch an event",
        precision,
        count=Runs,
        group="events",
        reference="D. Bhattacharya et al. (2024). arXiv:2409.13053, experiments.",
        undefined=NO_ALARM,
        forgives="missed events; and length: a run that touches an event is right, however "
        "far it goes, so one alarm over everything scores 1",
        claims=LAWS - {"monotone"},
    ),
    Row(
        "event_recall",
        "recall of events",
        "share of the events that are touched",
        recall,
        count=Runs,
        group="events",
        reference="D. Bhattacharya et al. (2024). arXiv:2409.13053, experiments.",
        undefined=NO_EVENT,
        forgives="every false alarm (an alarm over everything scores 1), and all coverage beyond "
        "one point",
        claims=LAWS,
    ),
    Row(
        "event_coverage",
        "coverage of found events",
        "mean share of points flagged, over the events that are touched",
        recall,
        count=Coverage,
        group="events",
        reference="D. Bhattacharya et al. (2024). arXiv:2409.13053, experiments.",
        undefined="no event is touched",
        forgives="missed events and every false alarm (an alarm over everything scores 1): read it "
        "beside event recall",
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
