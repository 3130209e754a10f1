"""Rows of neighbouring fields: diagnostic tests, control systems, EEG, on-call practice.

``adjudge list`` leaves them out, ``adjudge list --all`` shows them.
"""

from __future__ import annotations

from functools import partial
from math import inf

from adjudge.count.delays import PromptHits
from adjudge.count.onsets import GaussianOnsets
from adjudge.count.points import FalseTime
from adjudge.count.runs import Flaps
from adjudge.count.taes import TimeAligned
from adjudge.measure.rates import (
    cost,
    cost_share,
    false_positive_rate,
    informedness,
    jaccard,
    kappa,
    markedness,
    negative_predictive_value,
    recall,
    specificity,
    time_in_alarm,
)
from adjudge.measure.whole.batadal import Batadal
from adjudge.metrics.metric import Row
from adjudge.metrics.rows.three_rates import LAWS, NEITHER, NO_ALARM, NO_EVENT, three_rates

_of_time = partial(Row, group="timing", listed=False)

_ONE_CLASS = "no event, or no normal point"
_LITTLE = "false alarms, when there is much normal time"
_DIAGNOSTIC = "D. G. Altman, J. M. Bland (1994). Diagnostic tests. BMJ 308 and 309."
_POWERS = (
    "D. M. W. Powers (2011). Evaluation: From Precision, Recall and F-Measure to ROC, "
    "Informedness, Markedness and Correlation. arXiv:2010.16061."
)
_BATTLE = (
    "R. Taormina et al. (2018). The Battle of the Attack Detection Algorithms. Journal of Water "
    "Resources Planning and Management 144(8)."
)

_of_points = partial(Row, group="points", listed=False)

_POINTS = (
    _of_points(
        "specificity",
        "specificity",
        "share of the normal points that are left alone",
        specificity,
        reference=_DIAGNOSTIC,
        undefined="no normal point",
        forgives=f"every missed event, so a few random alarms beat honest ones; and {_LITTLE}: "
        "silence scores 1",
        notes="""Crosswalk:
  scikit-learn recall_score(pos_label=0)    specificity
  ipal_evaluate Inverse-Recall              specificity""",
        claims=frozenset({"perfect", "monotone", "reversal"}),
    ),
    _of_points(
        "false_positive_rate",
        "false-positive rate",
        "share of the normal points that are flagged",
        false_positive_rate,
        better="lower",
        reference=_DIAGNOSTIC,
        undefined="no normal point",
        forgives=f"every missed event, so a few random alarms beat honest ones; and {_LITTLE}: "
        "silence scores 0",
        notes="""Crosswalk:
  ipal_evaluate Fallout    false_positive_rate; 1 there, where it is undefined here""",
        claims=frozenset({"nothing", "reversal"}),
    ),
    _of_points(
        "negative_predictive_value",
        "negative predictive value",
        "share of the points left alone that are normal",
        negative_predictive_value,
        reference=_DIAGNOSTIC,
        undefined="everything is flagged",
        forgives="missed events, the rarer they are, and every false alarm but the last: it looks "
        "only at what is left alone",
        notes="""Crosswalk:
  ipal_evaluate Inverse-Precision    negative_predictive_value""",
        claims=frozenset({"perfect", "reversal", "monotone"}),
    ),
    _of_points(
        "informedness",
        "informedness",
        "recall less the false-positive rate",
        informedness,
        range=(-1, 1),
        reference="W. J. Youden (1950). Index for rating diagnostic tests. Cancer 3(1).",
        undefined=_ONE_CLASS,
        forgives=f"{_LITTLE}; silence and an alarm over everything score 0",
        notes="""Twice balanced_accuracy, less 1: it orders detectors in the same way.
Crosswalk:
  ipal_evaluate Informedness    informedness""",
        claims=LAWS - {"quiet", "doubling"},
    ),
    _of_points(
        "markedness",
        "markedness",
        "precision plus the share of the points left alone that are normal, less 1",
        markedness,
        range=(-1, 1),
        reference=_POWERS,
        undefined="nothing is flagged, or everything",
        forgives="missed events, the rarer they are",
        notes="""mcc is the geometric mean of informedness and markedness.
Crosswalk:
  ipal_evaluate Markedness    markedness""",
        claims=frozenset({"perfect", "nothing", "reversal", "monotone"}),
    ),
    _of_points(
        "kappa",
        "Cohen's kappa",
        "agreement of labels and flags beyond what their rates alone would give, over points",
        kappa,
        range=(-1, 1),
        reference="J. Cohen (1960). A Coefficient of Agreement for Nominal Scales. Educational "
        "and Psychological Measurement 20(1).",
        undefined="labels and flags are one and the same value everywhere",
        forgives="what is short, as f1 does; it nears f1 as normal time grows",
        notes="""Crosswalk:
  scikit-learn cohen_kappa_score    kappa
  nedc-bench IRAScorer              kappa, of points that are its epochs""",
        claims=LAWS - {"quiet", "doubling"},
    ),
    _of_points(
        "jaccard",
        "Jaccard index",
        "points both anomalous and flagged over points that are either",
        jaccard,
        reference="P. Jaccard (1912). The Distribution of the Flora in the Alpine Zone. New "
        "Phytologist 11(2).",
        undefined=NEITHER,
        forgives="what is short, as f1 does: it is f1 / (2 - f1)",
        notes="""Crosswalk:
  scikit-learn jaccard_score     jaccard
  ipal_evaluate Jaccard-Index    jaccard; 0 there, where it is undefined here""",
        claims=LAWS,
    ),
    _of_points(
        "time_in_alarm",
        "time in alarm",
        "share of all points that are flagged, right or wrong",
        time_in_alarm,
        better="lower",
        reference="Common practice in process industries: time in alarm, after EEMUA 191.",
        undefined="never",
        forgives="every missed event: silence scores 0, and a few random alarms beat honest ones. "
        "Read it with event_recall",
        claims=frozenset({"nothing", "reversal"}),
    ),
    _of_points(
        "false_time",
        "false time",
        "number of flagged normal points; in seconds, where the time of points is known",
        cost,
        count=FalseTime,
        better="lower",
        range=(0, inf),
        reference="Q. Lin et al. (2018). TABOR: A Graphical Model-based Approach for Anomaly "
        "Detection in Industrial Control Systems. ASIACCS.",
        undefined="never",
        forgives="every missed event: silence scores 0, and a few random alarms beat honest ones. "
        "A sum, so it grows with the data",
        notes="""Crosswalk:
  ipal_evaluate Penalty-Score    false_time; there a flagged sample lasts since the one before it,
                                 here until the next one""",
        claims=frozenset({"nothing", "reversal", "quiet"}),
    ),
)

_CONTROL = (
    _of_time(
        "batadal_ttd",
        "promptness of first hits",
        "mean over events of 1 - (i - a) / (z - a) for the first flagged point i of an event from "
        "point a to point z; 0 without one",
        recall,
        count=PromptHits,
        reference=_BATTLE,
        undefined=NO_EVENT,
        forgives="every false alarm, and coverage after the first hit; but a hit on the last point "
        "is worth as little as none",
        notes="""Crosswalk:
  ipal_evaluate BATADAL-TTD    batadal_ttd; it cannot judge a one-point event at the very end""",
        claims=frozenset({"perfect", "nothing", "monotone", "quiet", "doubling"}),
    ),
    _of_time(
        "batadal",
        "BATADAL score",
        "`gamma` times batadal_ttd plus 1 - `gamma` times balanced_accuracy",
        Batadal,
        count=None,
        reference=_BATTLE,
        undefined=_ONE_CLASS,
        forgives="false alarms, when there is much normal time: an alarm over everything scores "
        ".75, as much as many an honest detector, and random alarms do nearly as well",
        notes="""Crosswalk:
  ipal_evaluate BATADAL        batadal
  ipal_evaluate BATADAL-CLF    balanced_accuracy""",
        claims=frozenset({"perfect", "monotone"}),
        always_shown=("gamma",),
    ),
    _of_time(
        "flapping",
        "flapping",
        "share of the flagged runs that begin at most `within` points after another has ended",
        cost_share,
        count=Flaps,
        better="lower",
        reference="Common practice of on-call teams: an alert that fires again and again.",
        undefined=NO_ALARM,
        forgives="every missed event and every isolated false alarm: it measures only how "
        "calm the alarms are. A random flag rarely repeats, and an alarm over everything never "
        "does",
        claims=frozenset({"nothing", "reversal", "quiet", "doubling"}),
        always_shown=("within",),
    ),
)

_TAES = three_rates(
    "taes",
    "of events and alarms by their overlap",
    {
        "precision": "what alarms cover of events, over that and what they cover outside, both in "
        "lengths of the event; outside counts 1 at most, and an alarm of no event 1",
        "recall": "mean over events of the share that its alarms cover; an event under the alarm "
        "of another one is missed",
    },
    LAWS - {"monotone", "reversal"},
    count=TimeAligned,
    group="events",
    reference="V. Shah et al. (2021). Objective Evaluation Metrics for Automatic Classification "
    "of EEG Events. arXiv:1712.10107.",
    forgives={
        "f1": "the length of a false alarm: it costs as much as one event at most",
        "precision": "missed events; and the length of a false alarm, which costs as much as one "
        "event at most, so an alarm over everything is half right",
        "recall": "every false alarm, unless it covers two events",
    },
    notes="""Crosswalk:
  nedc-bench TAESScorer             taes_f1, taes_precision, taes_recall (sensitivity)
  NEDC v6.0.0 TAES                  the same, but it tests overlap on whole seconds, so an alarm
                                    that only touches an event costs less than one
  NEDC OVERLAP                      segment_f1, segment_precision, segment_recall
  NEDC epoch                        f1, precision, recall on points that are the epochs
  SzCORE, timescoring events        event_f1_tolerant""",
    listed=False,
)

_GAUSSIAN = three_rates(
    "gaussian",
    "of onsets, the sooner the better",
    {
        "precision": "what alarms are worth, over that and one for each false alarm",
        "recall": "mean over events of erfc(d / (`sigma` sqrt 2)), for the earliest alarm d points "
        "after its start that no event has taken",
    },
    LAWS - {"monotone", "reversal", "doubling"},
    count=GaussianOnsets,
    undefined={"precision": "no alarm is worth anything, and none is false"},
    group="timing",
    reference="Datadog agent, anomaly detection scorer (scoring v2), as read in its code.",
    forgives={
        "f1": "coverage: only the first point of an alarm counts",
        "precision": "missed events; and alarms inside of an event that come after its first",
        "recall": "every false alarm, and coverage: only the first point of an alarm counts",
    },
    always_shown=("sigma",),
    notes="""An alarm before the start of its event is not for it. An event that is missed takes the
alarm of the next one, and gets nothing for it.
variant="datadog" calls only alarms false that come before the first event of a series.
Crosswalk:
  Datadog ComputeGaussianF1    gaussian_f1(variant="datadog"); it adds up 1000 trapezoids instead
                               of taking the integral, which is up to 0.0024 off, gives 1 for no
                               event and no alarm, and knows a time of recovery""",
    listed=False,
)

ROWS = (*_POINTS, *_CONTROL, *_TAES, *_GAUSSIAN)
