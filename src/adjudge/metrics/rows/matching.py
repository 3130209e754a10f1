"""Rows that match runs with events: by overlap, or with a tolerance on both sides."""

from __future__ import annotations

from math import inf

from adjudge.count.intersections import Intersections
from adjudge.count.matched_runs import MatchedRuns, NearRuns
from adjudge.count.runs import RunsPerEvent
from adjudge.count.tolerant import StretchedEvents
from adjudge.measure.rates import FBeta, mean_found, precision, recall
from adjudge.measure.whole.alarm import alarm
from adjudge.measure.whole.areas import Psds
from adjudge.metrics.metric import Row
from adjudge.metrics.rows.three_rates import LAWS, NEITHER, NO_ALARM, NO_EVENT, three_rates

_OVERLAP = three_rates(
    "overlap",
    "of runs that overlap enough",
    {
        "precision": "share of the flagged runs that match an event: their points in common are a "
        "share `tau` or more of all their points, and no run before matched it",
        "recall": "share of the events that are matched by a run",
    },
    LAWS - {"monotone"},
    count=MatchedRuns,
    group="events",
    reference="C. Lea et al. (2017). Temporal Convolutional Networks for Action Segmentation and "
    "Detection. CVPR. arXiv:1611.05267.",
    forgives={
        "f1": "inexact borders, up to the share tau; how long a false alarm lasts",
        "precision": "missed events; inexact borders, up to the share tau; how long a "
        "false alarm lasts",
        "recall": "every false alarm that does not join or widen a run on an event; inexact "
        "borders, up to the share tau",
    },
    always_shown=("tau",),
    notes="""Known as F1@k or segmental F1: F1@10, F1@25 and F1@50 are tau=.1, .25 and .5, best
reported side by side. Each run looks at the event with the largest overlap alone, and never at the
second best. A one-point event needs an exact hit when tau is above 1/2. Counts are pooled over
series. Crosswalk:
  yabufarha/ms-tcn f_score, overlap=k    overlap_f1(tau=k)""",
)

_SZCORE = (
    "J. Dan et al. (2024). SzCORE: Seizure Community Open-Source Research Evaluation framework for "
    "the validation of electroencephalography-based automated seizure detection algorithms. "
    "Epilepsia. arXiv:2402.13005."
)
_FOUND = "share of the events with a flag in their stretch [start - before, stop + after)"
_LENGTH = "length: one alarm over everything hits every event and is no false run"
_TOLERANT = (
    ("event_f1_tolerant", FBeta, "F-score of events, with tolerance",
     "harmonic mean of event_precision_tolerant and event_recall_tolerant", NEITHER,
     _LENGTH + "; several alarms on one event, and being early by `before` or late by `after`"),
    ("event_precision_tolerant", precision, "precision of events, with tolerance",
     "found events, as a share of found events and of runs near none of them", NO_ALARM,
     "missed events; and " + _LENGTH),
    ("event_recall_tolerant", recall, "recall of events, with tolerance", _FOUND, NO_EVENT,
     "every false alarm; and low coverage: one point near an event finds it"),
)  # fmt: skip
_TOLERANT_ROWS = tuple(
    Row(
        name,
        title,
        definition,
        measure,
        count=StretchedEvents,
        group="events",
        reference=_SZCORE,
        undefined=undefined,
        forgives=forgives,
        claims=LAWS if measure is recall else LAWS - {"monotone"},
        always_shown=("before", "after"),
        notes="""overlap=s   more than the share s of the stretch must be flagged
merge=d     events less than d points apart are one, and runs as well
split=d     what is longer than d points is cut into pieces of d, events and runs alike
With the default settings it is segment_f1. Where stretches overlap, one alarm finds both events.
Crosswalk (d = points per second):
  timescoring EventScoring    event_f1_tolerant(before=30d, after=60d, merge=90d, split=300d)
  ipal_evaluate, alarm_gracetime=g
    Detected-Scenarios-Percent  event_recall_tolerant(after=g), where each attack is one event
    FPA                         the false runs of event_precision_tolerant(after=g)""",
    )
    for name, measure, title, definition, undefined, forgives in _TOLERANT
)

_PER_EVENT = Row(
    "alarms_per_event",
    "alarms per found event",
    "mean number of flagged runs inside an event, over the events that are touched",
    mean_found,
    count=RunsPerEvent,
    range=(1, inf),
    better="lower",
    group="events",
    reference="NoBOOM benchmark (2026), as average alarms per fault; ESA-ADB, K. Kotowski et al. "
    "(2024). arXiv:2406.17826, as its inverse.",
    undefined="no event is touched",
    forgives="missed events and every false alarm (an alarm over everything scores 1): read it "
    "with event recall and precision",
    notes="""1: each event that is found raises one alarm. Crosswalk:
  NoBOOM aaf                      alarms_per_event, but 0 where it is undefined
  ESA-ADB alarming_precision      1 / alarms_per_event, where every event is one interval""",
    claims=LAWS - {"monotone"},
)

_COLLAR = three_rates(
    "collar",
    "of runs whose ends are near",
    {
        "precision": "share of the flagged runs that are matched with an event: their starts (and "
        "their ends, if `ends`) are at most `collar` points apart",
        "recall": "share of the events that are matched with a run",
    },
    LAWS - {"monotone", "reversal"},
    count=NearRuns,
    group="events",
    reference="A. Mesaros, T. Heittola, T. Virtanen (2016). Metrics for Polyphonic Sound Event "
    "Detection. Applied Sciences 6(6).",
    forgives={
        "f1": "inexact borders, up to the collar; how long a false alarm lasts",
        "precision": "missed events; inexact borders, up to the collar",
        "recall": "every false alarm that does not move an end; inexact borders, up to the collar",
    },
    always_shown=("collar", "ends"),
    notes="""Ends may be `slack` of the event's length apart where that is more than the collar.
Crosswalk (200 ms there):
  sed_eval EventBasedMetrics, t_collar=c, percentage_of_length=s    collar_f1(collar=c, slack=s)""",
)

_BILEN = (
    "Ç. Bilen et al. (2020). A Framework for the Robust Evaluation of Sound Event Detection. "
    "ICASSP. arXiv:1910.08440."
)
_INTERSECTION = three_rates(
    "intersection",
    "of runs and events that cover each other",
    {
        "precision": "found events, as a share of found events and of runs of which less than "
        "`dtc` is anomalous",
        "recall": "share of the events of which `gtc` or more lies in runs that are `dtc` or more "
        "anomalous",
    },
    LAWS - {"monotone"},
    count=Intersections,
    undefined={"precision": "no found event, and no run of which less than `dtc` is anomalous"},
    group="events",
    reference=_BILEN,
    forgives={
        "f1": "missed points up to 1 - gtc of an event, and runs too wide by up to 1 - dtc; how "
        "many runs there are on an event",
        "precision": "missed events; runs that are too wide by up to 1 - dtc",
        "recall": "every false alarm that does not join a run on an event; missed points up to "
        "1 - gtc of an event",
    },
    always_shown=("dtc", "gtc"),
    notes="""Where a share dtc or more of all points is anomalous, an alarm over everything is valid
and finds every event. Crosswalk:
  psds_eval, dtc_threshold, gtc_threshold    dtc, gtc; cross-triggers need several classes""",
)

_WHOLE = (
    Row(
        "psds",
        "events found per false alarm, over thresholds",
        "area under the share of events found (as intersection_f1 counts them) against false "
        "alarms per `per` points, up to `max_rate`, in steps",
        Psds,
        count=None,
        needs="scores",
        group="areas",
        reference=_BILEN,
        undefined=NO_EVENT,
        forgives="missed points up to 1 - gtc of an event, and runs too wide by up to 1 - dtc; "
        "with dtc below the share of anomalous points a constant score, which is one valid run; "
        "and random alarms: at the lowest thresholds long runs fall on events by chance, and false "
        "runs are few again (recall_at stops before)",
        notes="""For one class. The package psds_eval takes the largest rate seen where none is
given, and tries the thresholds that it is given.""",
        revision=2,
        claims=frozenset({"perfect", "reversal"}),
        always_shown=("dtc", "gtc", "per", "max_rate"),
    ),
    Row(
        "alarm",
        "events found, promptly and in one piece, less false alarms",
        "events found, less half of the false runs and up to 1 for false points, plus how early "
        "and in how few pieces they were found, less 3/4 for alarms from before and 1/4 for those "
        "that go on",
        alarm,
        count=None,
        range=(-inf, inf),
        group="events",
        reference="Wagner et al. (2025). arXiv:2510.17562, as read in the code of the NoBOOM "
        "benchmark; whether it is the paper's was not verified.",
        undefined="never",
        forgives="how many points of a false alarm are wrong, and coverage after the first points "
        "of an event",
        notes="""The best value is m + mean(1 - 2^-(length + 1)) for m events: compare shares of
it. An alarm that begins just before an event (3/4) costs more than a false one (1/2).""",
        claims=frozenset({"nothing", "quiet"}),
    ),
)

ROWS = (*_OVERLAP, *_COLLAR, *_INTERSECTION, *_TOLERANT_ROWS, _PER_EVENT, *_WHOLE)
