"""Rows that count zones: how near alarms and events lie to each other, event by event."""

from __future__ import annotations

from functools import partial
from math import inf

from adjudge.count.affiliation import CorrectedZones, Zones
from adjudge.measure.rates import FBeta, SignedFBeta, precision, recall
from adjudge.metrics.metric import Row
from adjudge.metrics.rows.three_rates import NEITHER, NO_ALARM, NO_EVENT

_REFERENCE = (
    "A. Huet, J. M. Navarro, D. Rossi (2022). Local Evaluation of Time Series Anomaly Detection "
    "Algorithms. KDD. arXiv:2206.13167."
)
_ZONES = """A zone is the time that lies nearer to one event than to any other of its series; the
zones of all series weigh the same. Alarms in a series without events are one more zone, which earns
0.
Crosswalk:
  affiliation-metrics-py, pr_from_events(..., Trange=(0, n))   affiliation_precision, _recall
  tsadmetrics aff_f, beta                                      affiliation_f1(beta=...)
  TSAD_eval Affiliation, TSB-AD Affiliation-F of flags         affiliation_f1
Without alarms those give 0 or NaN as they please; here precision is NaN, recall and F are 0."""
_CORRECTED = """Crosswalk:
  CCE NAff ("signed")                   chance="half": P' = (P - 1/2) / (1 - 1/2)
  tsadmetrics naff_f, alpha=0.5         chance="half" where P' >= 0; below it, its denominator
                                        takes P' with its sign and may vanish
  CCE UAff                              as chance="zones", but its level is the mean of three random
                                        draws, which no seed fixes
The level of a zone is (1 + p^2) / 2 for an event that takes the share p of it: exact, so nothing
is drawn. There is no lower bound: where an event nearly fills its zone, chance is near 1, and an
alarm next to the event far below it. Recall is unchanged: near 1 for frequent alarms, even blind
ones."""

_of_zones = partial(
    Row,
    count=Zones,
    group="affiliation",
    reference=_REFERENCE,
    notes=_ZONES,
    claims=frozenset({"perfect", "nothing", "reversal"}),
)

_corrected = partial(
    Row,
    count=CorrectedZones,
    group="affiliation",
    range=(-inf, 1),
    reference=f"After {_REFERENCE}",
    notes=_CORRECTED,
    claims=frozenset({"perfect", "nothing", "reversal"}),
    always_shown=("chance",),
)

ROWS = (
    _of_zones(
        "affiliation_f1",
        "affiliation F-score",
        "harmonic mean of affiliation precision and affiliation recall",
        FBeta,
        undefined=NEITHER,
        forgives="distance: alarms anywhere near an event earn, and random ones score 0.5 and "
        "more; read it with affiliation_f1_corrected",
    ),
    _of_zones(
        "affiliation_precision",
        "affiliation precision",
        "mean over zones with alarms of the chance that a place in the zone lies further from the "
        "event than a place of the alarms",
        precision,
        undefined=NO_ALARM,
        forgives="missed events without alarms in their zone; and distance, false alarms "
        "far from all events included: a random one earns 0.5 or more on average",
    ),
    _of_zones(
        "affiliation_recall",
        "affiliation recall",
        "mean over events of the chance that a place in the zone lies further from a moment of the "
        "event than the nearest alarm; 0 for a zone without alarms",
        recall,
        undefined=NO_EVENT,
        forgives="every false alarm, and misses: an alarm nearby earns most of the credit",
    ),
    _corrected(
        "affiliation_f1_corrected",
        "affiliation F-score, corrected for chance",
        "harmonic mean of affiliation recall and chance-corrected affiliation precision, negative "
        "where that is",
        SignedFBeta,
        undefined="no event and no alarm, or alarms without a place for a wrong one",
        forgives="distance, as far as it beats chance; the recall of frequent alarms",
    ),
    _corrected(
        "affiliation_precision_corrected",
        "affiliation precision, corrected for chance",
        "(P - c) / (1 - c) for affiliation precision P and the mean c, over zones with alarms, of "
        "what an alarm earns that falls anywhere in its zone: (1 + p^2) / 2 if the event takes the "
        "share p of it",
        precision,
        undefined="no alarm, or no place for a wrong one",
        forgives="distance, as far as it beats chance; missed events without alarms in their zone",
    ),
)
