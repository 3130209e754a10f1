"""Rows of early warning: alarms before an event, how long before, how often for nothing."""

from __future__ import annotations

from functools import partial
from math import inf

from adjudge.adjust.peaks import Peaks
from adjudge.count.early_utility import EarlyFlags
from adjudge.count.early_warnings import EarlyWarnings, LeadTimes, OutsideWarnings, TimeInWarning
from adjudge.measure.curves import recall_over_time
from adjudge.measure.rates import FalseAlarmRate, mean_found, net_gain, time_share
from adjudge.metrics.metric import Row
from adjudge.metrics.rows.three_rates import LAWS, NO_EVENT, three_rates

_GROUP = "changes"
_PRACTICE = (
    "T. Maiwald et al. (2004). Comparison of Three Nonlinear Seizure Prediction Methods by Means "
    "of the Seizure Prediction Characteristic. Physica D 194."
)
_IN_WARNING = (
    "D. E. Snyder et al. (2008). The Statistics of a Practical Seizure Warning System. Journal of "
    "Neural Engineering 5(4); the curve: arXiv:2105.12818."
)
_POSITIONS = """Truth and alarms are `Changes`; of labels and flags the starts of events and of
flagged runs are taken, so an event is warned of by its onset. Scores need a threshold.
"""
_WINDOW = """An alarm at a is in time for an event at t when t - max_lead <= a <= t - min_lead; a
negative min_lead lets it be late. Of gradual changes t is the end on the late side.
cooldown=c      an alarm less than c after the last kept one is dropped before anything is counted
late="ignored"  alarms after t - min_lead and until t are not false, and that time is not counted
"""
_EARLIEST = """An alarm at a is in time for an event at t when t - max_lead <= a <= t - min_lead; a
negative min_lead lets it be late. cooldown=c drops alarms less than c after the last kept one.
"""

_of_warnings = partial(Row, adjust=Peaks, group=_GROUP, positions=True)
_WARNINGS = three_rates(
    "warning",
    "of early warnings",
    {
        "precision": "share of the alarms that are in time for an event",
        "recall": "share of the events with an alarm in time: at least min_lead and at most "
        "max_lead before",
    },
    LAWS - {"monotone", "reversal"},
    {
        "f1": "how early an alarm is within the window, and further alarms in it",
        "precision": "missed events; further alarms in a window",
        "recall": "every false alarm: one alarm per window length finds every event",
    },
    adjust=Peaks,
    count=EarlyWarnings,
    group=_GROUP,
    reference=_PRACTICE,
    positions=True,
    always_shown=("max_lead", "min_lead"),
    notes=f"""{_POSITIONS}{_WINDOW}extra="false"   only the first alarm of a window is right
Windows that overlap share an alarm. An event too near the start of its series for any alarm to be
in time counts as missed. Seizure prediction: min_lead is the horizon (SPH), max_lead is horizon and
occurrence period together (SPH + SOP).
Crosswalk:
  sktime EventTPR                        warning_recall(max_lead=-min_offset, min_lead=-max_offset)
  CapyMOA EvaluateDriftDetector, episode_recall    warning_recall(max_lead=max_early_detection,
                                         min_lead=-max_delay); nearer windows hide each other there
  river episode_recall, 1 - missed_detection_rate  warning_recall(max_lead=delta_pre,
                                         min_lead=-delta_max); as CapyMOA""",
)

_OTHERS = (
    _of_warnings(
        "lead_time",
        "lead time",
        "mean number of points from the earliest alarm in time to its event, over the events that "
        "have one",
        mean_found,
        count=LeadTimes,
        range=(-inf, inf),
        reference=_PRACTICE,
        undefined="no event has an alarm in time",
        forgives="missed events and every false alarm; the earliest alarm is often one by chance, "
        "so random alarms look early where windows are wide: read it with what chance scores",
        always_shown=("max_lead", "min_lead"),
        notes=f"""{_POSITIONS}{_EARLIEST}Positive is early.
Crosswalk:
  sktime MeanDetectionOffset    -lead_time(max_lead=-min_offset, min_lead=-max_offset)""",
        claims=frozenset({"nothing", "quiet", "doubling"}),
    ),
    _of_warnings(
        "false_warning_rate",
        "false warnings per time",
        "alarms in time for no event, per `per` judged points outside all windows",
        FalseAlarmRate,
        count=OutsideWarnings,
        better="lower",
        range=(0, inf),
        reference=_PRACTICE,
        undefined="no point outside all windows, and no false alarm",
        forgives="missed events; and length: an alarm over everything is one alarm",
        always_shown=("max_lead", "min_lead", "per"),
        notes=f"""{_POSITIONS}{_WINDOW}Crosswalk:
  sktime FalseAlarmRate          another thing: it divides by all time, inside windows too
  CapyMOA far, river false_alarm_rate    a different rate: per N of all points""",
        claims=frozenset({"nothing"}),
    ),
    _of_warnings(
        "time_in_warning",
        "time in warning",
        "share of the judged points in the union of all warning windows: from min_lead to max_lead "
        "after each alarm",
        time_share,
        count=TimeInWarning,
        better="lower",
        reference=_IN_WARNING,
        undefined="no judged point",
        forgives="everything but the time: missed events, and which alarms are false; a few random "
        "alarms have hardly any, an alarm over everything is one alarm, and silence has 0: read it "
        "with warning_recall",
        always_shown=("max_lead", "min_lead"),
        notes=f"""{_POSITIONS}{_EARLIEST}An alarm at a warns of the points from a + min_lead to
a + max_lead: those at which it would find an event. Leads in time weigh points by their duration.
Blind alarms find about that share of the events: read it with recall.""",
        claims=frozenset({"nothing"}),
    ),
    _of_warnings(
        "warning_auc",
        "recall over time in warning",
        "area under warning_recall against time_in_warning over all thresholds: at each share of "
        "time the best recall with no more of it, joined by straight lines from (0, 0) to (1, 1)",
        recall_over_time,
        count=TimeInWarning,
        needs="scores",
        reference=_IN_WARNING,
        undefined=NO_EVENT,
        forgives="thresholds that are worse than others: each share of time has the best recall, "
        "so random scores get somewhat more than 0.5, as its chance level shows",
        always_shown=("max_lead", "min_lead"),
        notes=f"""{_POSITIONS}{_EARLIEST}A run of points above the threshold is one alarm, at its
start; distance=d takes the peaks that are d points apart or more instead.""",
    ),
    Row(
        "early_utility",
        "utility of early flags",
        "what flags gain over silence, summed over all points, as a share of what the best flags "
        "gain",
        net_gain,
        count=EarlyFlags,
        range=(-inf, 1),
        group=_GROUP,
        reference="M. A. Reyna et al. (2020). Early Prediction of Sepsis From Clinical Data: The "
        "PhysioNet/Computing in Cardiology Challenge 2019. Critical Care Medicine 48(2).",
        undefined=NO_EVENT,
        forgives="flags that stay on after the event; and an alarm everywhere, where most series "
        "have an event: always flagging a series of 40 points with one event scores .96",
        notes="""1 best, 0 silence, below 0 worse than silence. Labels begin `best` points before
the onset, as the data of the challenge do. A point belongs to the first event of its series whose
window it does not lie behind.
Crosswalk:
  PhysioNet 2019 normalized_utility    early_utility with series= one id per patient""",
        claims=frozenset({"nothing", "quiet"}),
        always_shown=("early", "best", "late"),
    ),
)

ROWS = (*_WARNINGS, *_OTHERS)
