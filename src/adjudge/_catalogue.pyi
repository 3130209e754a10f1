"""The metrics as type checkers and editors see them; written by docs/make_stub.py."""

from collections.abc import Sequence
from typing import Any, Literal, Self, overload

from adjudge._typing import Boolean, Column, Duration, Number, Whole
from adjudge.measure.thresholds import AnyRule
from adjudge.metrics.metric import Metric

__all__ = [
    "f1",
    "precision",
    "recall",
    "auc_roc",
    "auc_pr",
    "ap",
    "f1_pa",
    "precision_pa",
    "recall_pa",
    "auc_roc_pa",
    "auc_pr_pa",
    "ap_pa",
    "f1_kpa",
    "precision_kpa",
    "recall_kpa",
    "auc_roc_kpa",
    "auc_pr_kpa",
    "ap_kpa",
    "f1_ba",
    "precision_ba",
    "recall_ba",
    "auc_roc_ba",
    "auc_pr_ba",
    "ap_ba",
    "informedness_ba",
    "f1_dilated",
    "mcc",
    "balanced_accuracy",
    "event_f1",
    "event_precision",
    "event_recall",
    "event_coverage",
    "event_f1_ba",
    "segment_f1",
    "segment_precision",
    "segment_recall",
    "composite_f1",
    "composite_precision",
    "composite_recall",
    "revised_f1",
    "revised_precision",
    "revised_recall",
    "eventwise_f1",
    "eventwise_precision",
    "eventwise_recall",
    "event_weighted_f1",
    "event_weighted_precision",
    "event_weighted_recall",
    "event_weighted_auc_roc",
    "event_weighted_auc_pr",
    "event_weighted_ap",
    "overlap_f1",
    "overlap_precision",
    "overlap_recall",
    "collar_f1",
    "collar_precision",
    "collar_recall",
    "intersection_f1",
    "intersection_precision",
    "intersection_recall",
    "event_f1_tolerant",
    "event_precision_tolerant",
    "event_recall_tolerant",
    "alarms_per_event",
    "psds",
    "alarm",
    "range_f1",
    "range_precision",
    "range_recall",
    "ts_f1",
    "ts_precision",
    "ts_recall",
    "tapr_f1",
    "tapr_precision",
    "tapr_recall",
    "etapr_f1",
    "etapr_precision",
    "etapr_recall",
    "ts_auc_pr",
    "auc_pr_range",
    "affiliation_f1",
    "affiliation_precision",
    "affiliation_recall",
    "affiliation_f1_corrected",
    "affiliation_precision_corrected",
    "delay_f1",
    "delay_precision",
    "delay_recall",
    "latency_f1",
    "latency_precision",
    "latency_recall",
    "tolerant_f1",
    "tolerant_precision",
    "tolerant_recall",
    "softed_f1",
    "softed_precision",
    "softed_recall",
    "f1_kpa_area",
    "detection_delay",
    "early_detection",
    "adtqc",
    "false_alarm_rate",
    "false_alarms",
    "reset_time",
    "temporal_distance",
    "chamfer_distance",
    "hausdorff_distance",
    "nab",
    "costs",
    "oipr_f1",
    "oipr_precision",
    "oipr_recall",
    "sdqe",
    "dqe",
    "change_f1",
    "change_precision",
    "change_recall",
    "regime_f1",
    "regime_precision",
    "regime_recall",
    "regime_rand",
    "regime_ari",
    "regime_nmi",
    "change_delay",
    "time_between_false_alarms",
    "warning_f1",
    "warning_precision",
    "warning_recall",
    "lead_time",
    "false_warning_rate",
    "early_utility",
    "vus_roc",
    "vus_pr",
    "range_auc_roc",
    "range_auc_pr",
    "vus_f1",
    "vus_precision",
    "vus_recall",
    "pate",
    "pate_f1",
    "pate_precision",
    "pate_recall",
    "recall_at",
    "froc",
    "partial_auc_roc",
    "precision_at_k",
    "f1_at_k",
    "event_precision_at_k",
    "event_f1_at_k",
    "ucr",
    "separation",
    "hellinger",
    "cce",
    "alert_ap",
    "interval_ap",
    "channel_f1",
    "channel_precision",
    "channel_recall",
    "subsystem_f1",
    "subsystem_precision",
    "subsystem_recall",
    "incident_f1",
    "incident_precision",
    "incident_recall",
    "incident_affiliation_f1",
    "incident_affiliation_precision",
    "incident_affiliation_recall",
    "alarming_precision",
    "channel_adtqc",
    "cause_hit_rate",
    "cause_ndcg",
    "cause_in_top",
    "cause_recall_at_k",
    "cause_average_at_k",
    "specificity",
    "false_positive_rate",
    "negative_predictive_value",
    "informedness",
    "markedness",
    "kappa",
    "jaccard",
    "time_in_alarm",
    "false_time",
    "batadal_ttd",
    "batadal",
    "flapping",
    "taes_f1",
    "taes_precision",
    "taes_recall",
    "gaussian_f1",
    "gaussian_precision",
    "gaussian_recall",
    "accuracy",
    "dice",
    "adc",
    "tdir",
    "dair",
    "wdd",
    "add",
    "rand_index",
]

class _LikeF1(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

f1: _LikeF1
"""F-score.

Harmonic mean of precision and recall.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
beta : float, default: 1
    How much more recall weighs than precision. 1 is F1.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event and no alarm. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
What is short: beside long events, a short one that is missed and a false alarm
of a few points cost little; but not coverage: an event half covered is half
missed.

References
----------
C. J. van Rijsbergen (1979). Information Retrieval.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.f1(labels, flags)
0.5714285714285714
"""

class _LikePrecision(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

precision: _LikePrecision
"""Precision.

Share of the flagged points that are anomalous.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no alarm. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Missed events and missed points; a false alarm costs one point.

References
----------
C. J. van Rijsbergen (1979). Information Retrieval.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.precision(labels, flags)
0.6666666666666666
"""

recall: _LikePrecision
"""Recall.

Share of the anomalous points that are flagged.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Every false alarm; an event half covered is half missed.

References
----------
C. J. van Rijsbergen (1979). Information Retrieval.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.recall(labels, flags)
0.5
"""

class _LikeAucRoc(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
    ) -> Self: ...

auc_roc: _LikeAucRoc
"""ROC area.

Chance that an anomalous point outranks a normal one (a tie counts half).

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    One number per point, higher is more anomalous.
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event, or no normal point. Called
    with settings alone it gives a new metric that has them.

What it forgives
----------------
What is short: beside long events, a short one that is missed and a false alarm
of a few points cost little; but not coverage: an event half covered is half
missed.

References
----------
C. J. van Rijsbergen (1979). Information Retrieval.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> scores = [0.1, 0.6, 0.2, 0.3, 0.9, 0.8, 0.4, 0.1, 0.2, 0.3]
>>> aj.auc_roc(labels, scores)
0.8958333333333334
"""

auc_pr: _LikeAucRoc
"""PR area.

Area under precision against recall over all thresholds, by trapezoids.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    One number per point, higher is more anomalous.
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
A constant score: trapezoids from precision 1 give it (1 + Q)/2 where a share Q
of the points is anomalous, more than many a good detector gets; ask for `ap`
instead; else what is short: beside long events, a short one that is missed and
a false alarm of a few points cost little; but not coverage: an event half
covered is half missed.

References
----------
C. J. van Rijsbergen (1979). Information Retrieval.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> scores = [0.1, 0.6, 0.2, 0.3, 0.9, 0.8, 0.4, 0.1, 0.2, 0.3]
>>> aj.auc_pr(labels, scores)
0.8541666666666665
"""

ap: _LikeAucRoc
"""Average precision.

Area under precision against recall over all thresholds, by steps.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    One number per point, higher is more anomalous.
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
What is short: beside long events, a short one that is missed and a false alarm
of a few points cost little; but not coverage: an event half covered is half
missed.

References
----------
C. J. van Rijsbergen (1979). Information Retrieval.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> scores = [0.1, 0.6, 0.2, 0.3, 0.9, 0.8, 0.4, 0.1, 0.2, 0.3]
>>> aj.ap(labels, scores)
0.8541666666666666
"""

f1_pa: _LikeF1
"""F-score, point-adjusted.

Harmonic mean of precision and recall after point adjustment (one hit inside an
event counts as the whole event).

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
beta : float, default: 1
    How much more recall weighs than precision. 1 is F1.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event and no alarm. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
Low coverage; so much that random alarms score close to 1 on long events.

References
----------
H. Xu et al. (2018). Unsupervised Anomaly Detection via Variational Auto-Encoder
for Seasonal KPIs in Web Applications. WWW. arXiv:1802.03903.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.f1_pa(labels, flags)
0.8888888888888888
"""

precision_pa: _LikePrecision
"""Precision, point-adjusted.

Share of the flagged points that are anomalous after point adjustment (one hit
inside an event counts as the whole event).

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no alarm. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Missed events; and low coverage: one hit on a long event outweighs many false
alarms, which cost one point each, so random alarms score close to 1.

References
----------
H. Xu et al. (2018). Unsupervised Anomaly Detection via Variational Auto-Encoder
for Seasonal KPIs in Web Applications. WWW. arXiv:1802.03903.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.precision_pa(labels, flags)
0.8
"""

recall_pa: _LikePrecision
"""Recall, point-adjusted.

Share of the anomalous points that are flagged after point adjustment (one hit
inside an event counts as the whole event).

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Every false alarm; and low coverage: random alarms score close to 1 on long
events.

References
----------
H. Xu et al. (2018). Unsupervised Anomaly Detection via Variational Auto-Encoder
for Seasonal KPIs in Web Applications. WWW. arXiv:1802.03903.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.recall_pa(labels, flags)
1.0
"""

auc_roc_pa: _LikeAucRoc
"""ROC area, point-adjusted.

Chance that an anomalous point outranks a normal one (a tie counts half) after
point adjustment (one hit inside an event counts as the whole event).

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    One number per point, higher is more anomalous.
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event, or no normal point. Called
    with settings alone it gives a new metric that has them.

What it forgives
----------------
Low coverage; so much that random alarms score close to 1 on long events.

References
----------
H. Xu et al. (2018). Unsupervised Anomaly Detection via Variational Auto-Encoder
for Seasonal KPIs in Web Applications. WWW. arXiv:1802.03903.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> scores = [0.1, 0.6, 0.2, 0.3, 0.9, 0.8, 0.4, 0.1, 0.2, 0.3]
>>> aj.auc_roc_pa(labels, scores)
1.0
"""

auc_pr_pa: _LikeAucRoc
"""PR area, point-adjusted.

Area under precision against recall over all thresholds, by trapezoids after
point adjustment (one hit inside an event counts as the whole event).

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    One number per point, higher is more anomalous.
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
A constant score: trapezoids from precision 1 give it (1 + Q)/2 where a share Q
of the points is anomalous, more than many a good detector gets; ask for `ap_pa`
instead; else low coverage; so much that random alarms score close to 1 on long
events.

References
----------
H. Xu et al. (2018). Unsupervised Anomaly Detection via Variational Auto-Encoder
for Seasonal KPIs in Web Applications. WWW. arXiv:1802.03903.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> scores = [0.1, 0.6, 0.2, 0.3, 0.9, 0.8, 0.4, 0.1, 0.2, 0.3]
>>> aj.auc_pr_pa(labels, scores)
1.0
"""

ap_pa: _LikeAucRoc
"""Average precision, point-adjusted.

Area under precision against recall over all thresholds, by steps after point
adjustment (one hit inside an event counts as the whole event).

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    One number per point, higher is more anomalous.
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Low coverage; so much that random alarms score close to 1 on long events.

References
----------
H. Xu et al. (2018). Unsupervised Anomaly Detection via Variational Auto-Encoder
for Seasonal KPIs in Web Applications. WWW. arXiv:1802.03903.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> scores = [0.1, 0.6, 0.2, 0.3, 0.9, 0.8, 0.4, 0.1, 0.2, 0.3]
>>> aj.ap_pa(labels, scores)
1.0
"""

class _LikeF1Kpa(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        k: Number = 0.2,
        strict: Boolean = False,
        tolerance: Whole | None | Duration = None,
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        k: Number = 0.2,
        strict: Boolean = False,
        tolerance: Whole | None | Duration = None,
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

f1_kpa: _LikeF1Kpa
"""F-score, coverage-adjusted.

Harmonic mean of precision and recall after K%-adjustment (an event of which a
share k or more is hit counts as a whole).

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
k : float, default: 0.2
    Share of the event that must be hit, in (0, 1]. Close to 0 is point adjustment; 1 asks for
    the whole event and so adjusts nothing.
strict : bool, default: False
    Ask for more than k instead of at least k.
tolerance : int or duration, default: None
    Mark only the event's points within so many points, or so much time, of a hit, instead of
    all of them.
beta : float, default: 1
    How much more recall weighs than precision. 1 is F1.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event and no alarm. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
Missing coverage beyond the share k; a false alarm still costs one point.

Notes
-----
strict=True      asks for more than the share k
tolerance=l      marks only the event's points within l of a hit once the share is reached (l=0: the
                 hits alone)
Crosswalk:
  tsadmetrics pakf, k                f1_kpa(k=k)
  tsadmetrics paklf, k, l            f1_kpa(k=k, tolerance=l)
  TSAD_eval PointAdjustKPercent, k   f1_kpa(k=k)

References
----------
S. Kim et al. (2022). Towards a Rigorous Evaluation of Time-Series Anomaly
Detection. AAAI. arXiv:2109.05257.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.f1_kpa(labels, flags)
0.8888888888888888
"""

class _LikePrecisionKpa(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        k: Number = 0.2,
        strict: Boolean = False,
        tolerance: Whole | None | Duration = None,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        k: Number = 0.2,
        strict: Boolean = False,
        tolerance: Whole | None | Duration = None,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

precision_kpa: _LikePrecisionKpa
"""Precision, coverage-adjusted.

Share of the flagged points that are anomalous after K%-adjustment (an event of
which a share k or more is hit counts as a whole).

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
k : float, default: 0.2
    Share of the event that must be hit, in (0, 1]. Close to 0 is point adjustment; 1 asks for
    the whole event and so adjusts nothing.
strict : bool, default: False
    Ask for more than k instead of at least k.
tolerance : int or duration, default: None
    Mark only the event's points within so many points, or so much time, of a hit, instead of
    all of them.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no alarm. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Missed events and missed points; and missing coverage beyond the share k, which
counts as right; a false alarm costs one point.

Notes
-----
strict=True      asks for more than the share k
tolerance=l      marks only the event's points within l of a hit once the share is reached (l=0: the
                 hits alone)
Crosswalk:
  tsadmetrics pakf, k                f1_kpa(k=k)
  tsadmetrics paklf, k, l            f1_kpa(k=k, tolerance=l)
  TSAD_eval PointAdjustKPercent, k   f1_kpa(k=k)

References
----------
S. Kim et al. (2022). Towards a Rigorous Evaluation of Time-Series Anomaly
Detection. AAAI. arXiv:2109.05257.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.precision_kpa(labels, flags)
0.8
"""

recall_kpa: _LikePrecisionKpa
"""Recall, coverage-adjusted.

Share of the anomalous points that are flagged after K%-adjustment (an event of
which a share k or more is hit counts as a whole).

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
k : float, default: 0.2
    Share of the event that must be hit, in (0, 1]. Close to 0 is point adjustment; 1 asks for
    the whole event and so adjusts nothing.
strict : bool, default: False
    Ask for more than k instead of at least k.
tolerance : int or duration, default: None
    Mark only the event's points within so many points, or so much time, of a hit, instead of
    all of them.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Every false alarm; and missing coverage beyond the share k.

Notes
-----
strict=True      asks for more than the share k
tolerance=l      marks only the event's points within l of a hit once the share is reached (l=0: the
                 hits alone)
Crosswalk:
  tsadmetrics pakf, k                f1_kpa(k=k)
  tsadmetrics paklf, k, l            f1_kpa(k=k, tolerance=l)
  TSAD_eval PointAdjustKPercent, k   f1_kpa(k=k)

References
----------
S. Kim et al. (2022). Towards a Rigorous Evaluation of Time-Series Anomaly
Detection. AAAI. arXiv:2109.05257.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.recall_kpa(labels, flags)
1.0
"""

class _LikeAucRocKpa(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        k: Number = 0.2,
        strict: Boolean = False,
        tolerance: Whole | None | Duration = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        k: Number = 0.2,
        strict: Boolean = False,
        tolerance: Whole | None | Duration = None,
    ) -> Self: ...

auc_roc_kpa: _LikeAucRocKpa
"""ROC area, coverage-adjusted.

Chance that an anomalous point outranks a normal one (a tie counts half) after
K%-adjustment (an event of which a share k or more is hit counts as a whole).

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    One number per point, higher is more anomalous.
k : float, default: 0.2
    Share of the event that must be hit, in (0, 1]. Close to 0 is point adjustment; 1 asks for
    the whole event and so adjusts nothing.
strict : bool, default: False
    Ask for more than k instead of at least k.
tolerance : int or duration, default: None
    Mark only the event's points within so many points, or so much time, of a hit, instead of
    all of them.
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event, or no normal point. Called
    with settings alone it gives a new metric that has them.

What it forgives
----------------
Missing coverage beyond the share k; a false alarm still costs one point.

Notes
-----
strict=True      asks for more than the share k
tolerance=l      marks only the event's points within l of a hit once the share is reached (l=0: the
                 hits alone)
Crosswalk:
  tsadmetrics pakf, k                f1_kpa(k=k)
  tsadmetrics paklf, k, l            f1_kpa(k=k, tolerance=l)
  TSAD_eval PointAdjustKPercent, k   f1_kpa(k=k)

References
----------
S. Kim et al. (2022). Towards a Rigorous Evaluation of Time-Series Anomaly
Detection. AAAI. arXiv:2109.05257.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> scores = [0.1, 0.6, 0.2, 0.3, 0.9, 0.8, 0.4, 0.1, 0.2, 0.3]
>>> aj.auc_roc_kpa(labels, scores)
1.0
"""

auc_pr_kpa: _LikeAucRocKpa
"""PR area, coverage-adjusted.

Area under precision against recall over all thresholds, by trapezoids after
K%-adjustment (an event of which a share k or more is hit counts as a whole).

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    One number per point, higher is more anomalous.
k : float, default: 0.2
    Share of the event that must be hit, in (0, 1]. Close to 0 is point adjustment; 1 asks for
    the whole event and so adjusts nothing.
strict : bool, default: False
    Ask for more than k instead of at least k.
tolerance : int or duration, default: None
    Mark only the event's points within so many points, or so much time, of a hit, instead of
    all of them.
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
A constant score: trapezoids from precision 1 give it (1 + Q)/2 where a share Q
of the points is anomalous, more than many a good detector gets; ask for
`ap_kpa` instead; else missing coverage beyond the share k; a false alarm still
costs one point.

Notes
-----
strict=True      asks for more than the share k
tolerance=l      marks only the event's points within l of a hit once the share is reached (l=0: the
                 hits alone)
Crosswalk:
  tsadmetrics pakf, k                f1_kpa(k=k)
  tsadmetrics paklf, k, l            f1_kpa(k=k, tolerance=l)
  TSAD_eval PointAdjustKPercent, k   f1_kpa(k=k)

References
----------
S. Kim et al. (2022). Towards a Rigorous Evaluation of Time-Series Anomaly
Detection. AAAI. arXiv:2109.05257.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> scores = [0.1, 0.6, 0.2, 0.3, 0.9, 0.8, 0.4, 0.1, 0.2, 0.3]
>>> aj.auc_pr_kpa(labels, scores)
1.0
"""

ap_kpa: _LikeAucRocKpa
"""Average precision, coverage-adjusted.

Area under precision against recall over all thresholds, by steps after
K%-adjustment (an event of which a share k or more is hit counts as a whole).

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    One number per point, higher is more anomalous.
k : float, default: 0.2
    Share of the event that must be hit, in (0, 1]. Close to 0 is point adjustment; 1 asks for
    the whole event and so adjusts nothing.
strict : bool, default: False
    Ask for more than k instead of at least k.
tolerance : int or duration, default: None
    Mark only the event's points within so many points, or so much time, of a hit, instead of
    all of them.
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Missing coverage beyond the share k; a false alarm still costs one point.

Notes
-----
strict=True      asks for more than the share k
tolerance=l      marks only the event's points within l of a hit once the share is reached (l=0: the
                 hits alone)
Crosswalk:
  tsadmetrics pakf, k                f1_kpa(k=k)
  tsadmetrics paklf, k, l            f1_kpa(k=k, tolerance=l)
  TSAD_eval PointAdjustKPercent, k   f1_kpa(k=k)

References
----------
S. Kim et al. (2022). Towards a Rigorous Evaluation of Time-Series Anomaly
Detection. AAAI. arXiv:2109.05257.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> scores = [0.1, 0.6, 0.2, 0.3, 0.9, 0.8, 0.4, 0.1, 0.2, 0.3]
>>> aj.ap_kpa(labels, scores)
1.0
"""

class _LikeF1Ba(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        width: Whole | None | Duration = None,
        islands: Literal["normal", "spill", "all"] | None = "normal",
        margin: Whole = 0,
        border: Literal["clip", "shift"] = "clip",
        reading: Literal["corrected", "printed", "authors"] | None = None,
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        width: Whole | None | Duration = None,
        islands: Literal["normal", "spill", "all"] | None = "normal",
        margin: Whole = 0,
        border: Literal["clip", "shift"] = "clip",
        reading: Literal["corrected", "printed", "authors"] | None = None,
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

f1_ba: _LikeF1Ba
"""F-score, balanced.

Harmonic mean of precision and recall after balanced adjustment (a hit counts as
its whole event, a false alarm as an island of `width` points).

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
width : int, duration, "iid", "matched" or "median", default: None
    Points of an island, or how long it is ("30min"). 1 is point adjustment; the larger, the
    more a false alarm costs. Default: the smallest odd number from sum(s^2) / sum(s) on, over
    the event widths s (default_width). "iid": the smallest at which white noise scores no
    more than an alarm everywhere (safe_width). "matched": false alarms cost the mean over
    the anomalous points of what they cost with islands as wide as that point's event, so that
    with
    border="shift" a detector that knows nothing has, on average, a recall equal to its
    false-positive rate. "median": the smallest odd number from the median of the event
    widths on, which one long event does not move.
islands : "normal", "spill" or "all", default: 'normal'
    What an island of exactly width points may mark, for those who mix readings.
    "normal": normal points only, so that recall is that of point adjustment. "spill":
    any point: an alarm beside a missed event earns part of it. "all": any point, and true
    flags raise islands too. Not with a reading, which says it.
margin : int, default: 0
    A false positive at most this far from an event counts as itself and raises no
    island. 0 is the paper; 1 forgives alarms that are one point too wide.
border : "clip" or "shift", default: 'clip'
    What becomes of a window that meets an event or an end. "clip": it loses points.
    "shift": it slides to stay within its run of normal, judged points, so that each normal
    point sees min(width, run) of them; only with islands="normal".
reading : "corrected", "printed" or "authors", default: None
    Which of the three metrics of this name. "corrected", the default: islands of exactly
    width points, on normal points. "printed": the paper's formula with w_N = width,
    u - w//2 - 1 ... u + w//2, on any point: w_N + 2 points, w_N + 1 where w_N is odd.
    "authors": their code with h = width // 2, u - h ... u + h around every flag,
    true ones too: 2h + 1 points.
beta : float, default: 1
    How much more recall weighs than precision. 1 is F1.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event and no alarm. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
Low coverage (one point per event is enough); but not alarms that are too wide:
one point beyond an event raises an island, which margin=1 forgives.

Notes
-----
Three readings of the paper go by the name of balanced adjustment:
  reading="corrected"  islands of width w on normal points only (default: the theorems hold for it)
  reading="printed"    w_N = width, as the formula has it: u - w//2 - 1 ... u + w//2, on any point
  reading="authors"    their code, h = width // 2: u - h ... u + h around every flag, true ones too
Points of an island: w; w_N + 2, or w_N + 1 where w_N is odd, so always an even number; 2h + 1, so
always an odd one. An odd w is h = (w - 1) / 2; an even w is w_N = w - 2, one point to the left.
islands="normal", "spill" or "all" sets alone what islands of exactly w points mark.
Crosswalk:
  authors' code, adjust_width=h     width=2h+1, reading="authors"
  the paper's experiments           width=25, reading="authors"
  tsadmetrics bpaf, w               width=2*ceil(w/2)+1, islands="spill"
Default width: the smallest odd number at least sum(s^2) / sum(s) over the event widths s.
  width="iid"       smallest width at which white noise scores no more than an alarm everywhere
  width="matched"   false alarms cost the mean over all event widths, by anomalous points
  border="shift"    windows slide at events and ends instead of losing points there

References
----------
D. Bhattacharya et al. (2024). Towards Unbiased Evaluation of Time-series
Anomaly Detector. arXiv:2409.13053.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.f1_ba(labels, flags)
0.7272727272727273
"""

class _LikePrecisionBa(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        width: Whole | None | Duration = None,
        islands: Literal["normal", "spill", "all"] | None = "normal",
        margin: Whole = 0,
        border: Literal["clip", "shift"] = "clip",
        reading: Literal["corrected", "printed", "authors"] | None = None,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        width: Whole | None | Duration = None,
        islands: Literal["normal", "spill", "all"] | None = "normal",
        margin: Whole = 0,
        border: Literal["clip", "shift"] = "clip",
        reading: Literal["corrected", "printed", "authors"] | None = None,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

precision_ba: _LikePrecisionBa
"""Precision, balanced.

Share of the flagged points that are anomalous after balanced adjustment (a hit
counts as its whole event, a false alarm as an island of `width` points).

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
width : int, duration, "iid", "matched" or "median", default: None
    Points of an island, or how long it is ("30min"). 1 is point adjustment; the larger, the
    more a false alarm costs. Default: the smallest odd number from sum(s^2) / sum(s) on, over
    the event widths s (default_width). "iid": the smallest at which white noise scores no
    more than an alarm everywhere (safe_width). "matched": false alarms cost the mean over
    the anomalous points of what they cost with islands as wide as that point's event, so that
    with
    border="shift" a detector that knows nothing has, on average, a recall equal to its
    false-positive rate. "median": the smallest odd number from the median of the event
    widths on, which one long event does not move.
islands : "normal", "spill" or "all", default: 'normal'
    What an island of exactly width points may mark, for those who mix readings.
    "normal": normal points only, so that recall is that of point adjustment. "spill":
    any point: an alarm beside a missed event earns part of it. "all": any point, and true
    flags raise islands too. Not with a reading, which says it.
margin : int, default: 0
    A false positive at most this far from an event counts as itself and raises no
    island. 0 is the paper; 1 forgives alarms that are one point too wide.
border : "clip" or "shift", default: 'clip'
    What becomes of a window that meets an event or an end. "clip": it loses points.
    "shift": it slides to stay within its run of normal, judged points, so that each normal
    point sees min(width, run) of them; only with islands="normal".
reading : "corrected", "printed" or "authors", default: None
    Which of the three metrics of this name. "corrected", the default: islands of exactly
    width points, on normal points. "printed": the paper's formula with w_N = width,
    u - w//2 - 1 ... u + w//2, on any point: w_N + 2 points, w_N + 1 where w_N is odd.
    "authors": their code with h = width // 2, u - h ... u + h around every flag,
    true ones too: 2h + 1 points.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no alarm. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Missed events; and low coverage (one point per event is enough); but not alarms
that are too wide: one point beyond an event raises an island, which margin=1
forgives.

Notes
-----
Three readings of the paper go by the name of balanced adjustment:
  reading="corrected"  islands of width w on normal points only (default: the theorems hold for it)
  reading="printed"    w_N = width, as the formula has it: u - w//2 - 1 ... u + w//2, on any point
  reading="authors"    their code, h = width // 2: u - h ... u + h around every flag, true ones too
Points of an island: w; w_N + 2, or w_N + 1 where w_N is odd, so always an even number; 2h + 1, so
always an odd one. An odd w is h = (w - 1) / 2; an even w is w_N = w - 2, one point to the left.
islands="normal", "spill" or "all" sets alone what islands of exactly w points mark.
Crosswalk:
  authors' code, adjust_width=h     width=2h+1, reading="authors"
  the paper's experiments           width=25, reading="authors"
  tsadmetrics bpaf, w               width=2*ceil(w/2)+1, islands="spill"
Default width: the smallest odd number at least sum(s^2) / sum(s) over the event widths s.
  width="iid"       smallest width at which white noise scores no more than an alarm everywhere
  width="matched"   false alarms cost the mean over all event widths, by anomalous points
  border="shift"    windows slide at events and ends instead of losing points there

References
----------
D. Bhattacharya et al. (2024). Towards Unbiased Evaluation of Time-series
Anomaly Detector. arXiv:2409.13053.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.precision_ba(labels, flags)
0.5714285714285714
"""

recall_ba: _LikePrecisionBa
"""Recall, balanced.

Share of the anomalous points that are flagged after balanced adjustment (a hit
counts as its whole event, a false alarm as an island of `width` points).

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
width : int, duration, "iid", "matched" or "median", default: None
    Points of an island, or how long it is ("30min"). 1 is point adjustment; the larger, the
    more a false alarm costs. Default: the smallest odd number from sum(s^2) / sum(s) on, over
    the event widths s (default_width). "iid": the smallest at which white noise scores no
    more than an alarm everywhere (safe_width). "matched": false alarms cost the mean over
    the anomalous points of what they cost with islands as wide as that point's event, so that
    with
    border="shift" a detector that knows nothing has, on average, a recall equal to its
    false-positive rate. "median": the smallest odd number from the median of the event
    widths on, which one long event does not move.
islands : "normal", "spill" or "all", default: 'normal'
    What an island of exactly width points may mark, for those who mix readings.
    "normal": normal points only, so that recall is that of point adjustment. "spill":
    any point: an alarm beside a missed event earns part of it. "all": any point, and true
    flags raise islands too. Not with a reading, which says it.
margin : int, default: 0
    A false positive at most this far from an event counts as itself and raises no
    island. 0 is the paper; 1 forgives alarms that are one point too wide.
border : "clip" or "shift", default: 'clip'
    What becomes of a window that meets an event or an end. "clip": it loses points.
    "shift": it slides to stay within its run of normal, judged points, so that each normal
    point sees min(width, run) of them; only with islands="normal".
reading : "corrected", "printed" or "authors", default: None
    Which of the three metrics of this name. "corrected", the default: islands of exactly
    width points, on normal points. "printed": the paper's formula with w_N = width,
    u - w//2 - 1 ... u + w//2, on any point: w_N + 2 points, w_N + 1 where w_N is odd.
    "authors": their code with h = width // 2, u - h ... u + h around every flag,
    true ones too: 2h + 1 points.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Every false alarm; and low coverage (one point per event is enough).

Notes
-----
Three readings of the paper go by the name of balanced adjustment:
  reading="corrected"  islands of width w on normal points only (default: the theorems hold for it)
  reading="printed"    w_N = width, as the formula has it: u - w//2 - 1 ... u + w//2, on any point
  reading="authors"    their code, h = width // 2: u - h ... u + h around every flag, true ones too
Points of an island: w; w_N + 2, or w_N + 1 where w_N is odd, so always an even number; 2h + 1, so
always an odd one. An odd w is h = (w - 1) / 2; an even w is w_N = w - 2, one point to the left.
islands="normal", "spill" or "all" sets alone what islands of exactly w points mark.
Crosswalk:
  authors' code, adjust_width=h     width=2h+1, reading="authors"
  the paper's experiments           width=25, reading="authors"
  tsadmetrics bpaf, w               width=2*ceil(w/2)+1, islands="spill"
Default width: the smallest odd number at least sum(s^2) / sum(s) over the event widths s.
  width="iid"       smallest width at which white noise scores no more than an alarm everywhere
  width="matched"   false alarms cost the mean over all event widths, by anomalous points
  border="shift"    windows slide at events and ends instead of losing points there

References
----------
D. Bhattacharya et al. (2024). Towards Unbiased Evaluation of Time-series
Anomaly Detector. arXiv:2409.13053.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.recall_ba(labels, flags)
1.0
"""

class _LikeAucRocBa(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        width: Whole | None | Duration = None,
        islands: Literal["normal", "spill", "all"] | None = "normal",
        margin: Whole = 0,
        border: Literal["clip", "shift"] = "clip",
        reading: Literal["corrected", "printed", "authors"] | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        width: Whole | None | Duration = None,
        islands: Literal["normal", "spill", "all"] | None = "normal",
        margin: Whole = 0,
        border: Literal["clip", "shift"] = "clip",
        reading: Literal["corrected", "printed", "authors"] | None = None,
    ) -> Self: ...

auc_roc_ba: _LikeAucRocBa
"""ROC area, balanced.

Chance that an anomalous point outranks a normal one (a tie counts half) after
balanced adjustment (a hit counts as its whole event, a false alarm as an island
of `width` points).

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    One number per point, higher is more anomalous.
width : int, duration, "iid", "matched" or "median", default: None
    Points of an island, or how long it is ("30min"). 1 is point adjustment; the larger, the
    more a false alarm costs. Default: the smallest odd number from sum(s^2) / sum(s) on, over
    the event widths s (default_width). "iid": the smallest at which white noise scores no
    more than an alarm everywhere (safe_width). "matched": false alarms cost the mean over
    the anomalous points of what they cost with islands as wide as that point's event, so that
    with
    border="shift" a detector that knows nothing has, on average, a recall equal to its
    false-positive rate. "median": the smallest odd number from the median of the event
    widths on, which one long event does not move.
islands : "normal", "spill" or "all", default: 'normal'
    What an island of exactly width points may mark, for those who mix readings.
    "normal": normal points only, so that recall is that of point adjustment. "spill":
    any point: an alarm beside a missed event earns part of it. "all": any point, and true
    flags raise islands too. Not with a reading, which says it.
margin : int, default: 0
    A false positive at most this far from an event counts as itself and raises no
    island. 0 is the paper; 1 forgives alarms that are one point too wide.
border : "clip" or "shift", default: 'clip'
    What becomes of a window that meets an event or an end. "clip": it loses points.
    "shift": it slides to stay within its run of normal, judged points, so that each normal
    point sees min(width, run) of them; only with islands="normal".
reading : "corrected", "printed" or "authors", default: None
    Which of the three metrics of this name. "corrected", the default: islands of exactly
    width points, on normal points. "printed": the paper's formula with w_N = width,
    u - w//2 - 1 ... u + w//2, on any point: w_N + 2 points, w_N + 1 where w_N is odd.
    "authors": their code with h = width // 2, u - h ... u + h around every flag,
    true ones too: 2h + 1 points.
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event, or no normal point. Called
    with settings alone it gives a new metric that has them.

What it forgives
----------------
Low coverage (one point per event is enough); but not alarms that are too wide:
one point beyond an event raises an island, which margin=1 forgives.

Notes
-----
Three readings of the paper go by the name of balanced adjustment:
  reading="corrected"  islands of width w on normal points only (default: the theorems hold for it)
  reading="printed"    w_N = width, as the formula has it: u - w//2 - 1 ... u + w//2, on any point
  reading="authors"    their code, h = width // 2: u - h ... u + h around every flag, true ones too
Points of an island: w; w_N + 2, or w_N + 1 where w_N is odd, so always an even number; 2h + 1, so
always an odd one. An odd w is h = (w - 1) / 2; an even w is w_N = w - 2, one point to the left.
islands="normal", "spill" or "all" sets alone what islands of exactly w points mark.
Crosswalk:
  authors' code, adjust_width=h     width=2h+1, reading="authors"
  the paper's experiments           width=25, reading="authors"
  tsadmetrics bpaf, w               width=2*ceil(w/2)+1, islands="spill"
Default width: the smallest odd number at least sum(s^2) / sum(s) over the event widths s.
  width="iid"       smallest width at which white noise scores no more than an alarm everywhere
  width="matched"   false alarms cost the mean over all event widths, by anomalous points
  border="shift"    windows slide at events and ends instead of losing points there

References
----------
D. Bhattacharya et al. (2024). Towards Unbiased Evaluation of Time-series
Anomaly Detector. arXiv:2409.13053.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> scores = [0.1, 0.6, 0.2, 0.3, 0.9, 0.8, 0.4, 0.1, 0.2, 0.3]
>>> aj.auc_roc_ba(labels, scores)
1.0
"""

auc_pr_ba: _LikeAucRocBa
"""PR area, balanced.

Area under precision against recall over all thresholds, by trapezoids after
balanced adjustment (a hit counts as its whole event, a false alarm as an island
of `width` points).

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    One number per point, higher is more anomalous.
width : int, duration, "iid", "matched" or "median", default: None
    Points of an island, or how long it is ("30min"). 1 is point adjustment; the larger, the
    more a false alarm costs. Default: the smallest odd number from sum(s^2) / sum(s) on, over
    the event widths s (default_width). "iid": the smallest at which white noise scores no
    more than an alarm everywhere (safe_width). "matched": false alarms cost the mean over
    the anomalous points of what they cost with islands as wide as that point's event, so that
    with
    border="shift" a detector that knows nothing has, on average, a recall equal to its
    false-positive rate. "median": the smallest odd number from the median of the event
    widths on, which one long event does not move.
islands : "normal", "spill" or "all", default: 'normal'
    What an island of exactly width points may mark, for those who mix readings.
    "normal": normal points only, so that recall is that of point adjustment. "spill":
    any point: an alarm beside a missed event earns part of it. "all": any point, and true
    flags raise islands too. Not with a reading, which says it.
margin : int, default: 0
    A false positive at most this far from an event counts as itself and raises no
    island. 0 is the paper; 1 forgives alarms that are one point too wide.
border : "clip" or "shift", default: 'clip'
    What becomes of a window that meets an event or an end. "clip": it loses points.
    "shift": it slides to stay within its run of normal, judged points, so that each normal
    point sees min(width, run) of them; only with islands="normal".
reading : "corrected", "printed" or "authors", default: None
    Which of the three metrics of this name. "corrected", the default: islands of exactly
    width points, on normal points. "printed": the paper's formula with w_N = width,
    u - w//2 - 1 ... u + w//2, on any point: w_N + 2 points, w_N + 1 where w_N is odd.
    "authors": their code with h = width // 2, u - h ... u + h around every flag,
    true ones too: 2h + 1 points.
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
A constant score: trapezoids from precision 1 give it (1 + Q)/2 where a share Q
of the points is anomalous, more than many a good detector gets; ask for `ap_ba`
instead; else low coverage (one point per event is enough); but not alarms that
are too wide: one point beyond an event raises an island, which margin=1
forgives.

Notes
-----
Three readings of the paper go by the name of balanced adjustment:
  reading="corrected"  islands of width w on normal points only (default: the theorems hold for it)
  reading="printed"    w_N = width, as the formula has it: u - w//2 - 1 ... u + w//2, on any point
  reading="authors"    their code, h = width // 2: u - h ... u + h around every flag, true ones too
Points of an island: w; w_N + 2, or w_N + 1 where w_N is odd, so always an even number; 2h + 1, so
always an odd one. An odd w is h = (w - 1) / 2; an even w is w_N = w - 2, one point to the left.
islands="normal", "spill" or "all" sets alone what islands of exactly w points mark.
Crosswalk:
  authors' code, adjust_width=h     width=2h+1, reading="authors"
  the paper's experiments           width=25, reading="authors"
  tsadmetrics bpaf, w               width=2*ceil(w/2)+1, islands="spill"
Default width: the smallest odd number at least sum(s^2) / sum(s) over the event widths s.
  width="iid"       smallest width at which white noise scores no more than an alarm everywhere
  width="matched"   false alarms cost the mean over all event widths, by anomalous points
  border="shift"    windows slide at events and ends instead of losing points there

References
----------
D. Bhattacharya et al. (2024). Towards Unbiased Evaluation of Time-series
Anomaly Detector. arXiv:2409.13053.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> scores = [0.1, 0.6, 0.2, 0.3, 0.9, 0.8, 0.4, 0.1, 0.2, 0.3]
>>> aj.auc_pr_ba(labels, scores)
1.0
"""

ap_ba: _LikeAucRocBa
"""Average precision, balanced.

Area under precision against recall over all thresholds, by steps after balanced
adjustment (a hit counts as its whole event, a false alarm as an island of
`width` points).

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    One number per point, higher is more anomalous.
width : int, duration, "iid", "matched" or "median", default: None
    Points of an island, or how long it is ("30min"). 1 is point adjustment; the larger, the
    more a false alarm costs. Default: the smallest odd number from sum(s^2) / sum(s) on, over
    the event widths s (default_width). "iid": the smallest at which white noise scores no
    more than an alarm everywhere (safe_width). "matched": false alarms cost the mean over
    the anomalous points of what they cost with islands as wide as that point's event, so that
    with
    border="shift" a detector that knows nothing has, on average, a recall equal to its
    false-positive rate. "median": the smallest odd number from the median of the event
    widths on, which one long event does not move.
islands : "normal", "spill" or "all", default: 'normal'
    What an island of exactly width points may mark, for those who mix readings.
    "normal": normal points only, so that recall is that of point adjustment. "spill":
    any point: an alarm beside a missed event earns part of it. "all": any point, and true
    flags raise islands too. Not with a reading, which says it.
margin : int, default: 0
    A false positive at most this far from an event counts as itself and raises no
    island. 0 is the paper; 1 forgives alarms that are one point too wide.
border : "clip" or "shift", default: 'clip'
    What becomes of a window that meets an event or an end. "clip": it loses points.
    "shift": it slides to stay within its run of normal, judged points, so that each normal
    point sees min(width, run) of them; only with islands="normal".
reading : "corrected", "printed" or "authors", default: None
    Which of the three metrics of this name. "corrected", the default: islands of exactly
    width points, on normal points. "printed": the paper's formula with w_N = width,
    u - w//2 - 1 ... u + w//2, on any point: w_N + 2 points, w_N + 1 where w_N is odd.
    "authors": their code with h = width // 2, u - h ... u + h around every flag,
    true ones too: 2h + 1 points.
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Low coverage (one point per event is enough); but not alarms that are too wide:
one point beyond an event raises an island, which margin=1 forgives.

Notes
-----
Three readings of the paper go by the name of balanced adjustment:
  reading="corrected"  islands of width w on normal points only (default: the theorems hold for it)
  reading="printed"    w_N = width, as the formula has it: u - w//2 - 1 ... u + w//2, on any point
  reading="authors"    their code, h = width // 2: u - h ... u + h around every flag, true ones too
Points of an island: w; w_N + 2, or w_N + 1 where w_N is odd, so always an even number; 2h + 1, so
always an odd one. An odd w is h = (w - 1) / 2; an even w is w_N = w - 2, one point to the left.
islands="normal", "spill" or "all" sets alone what islands of exactly w points mark.
Crosswalk:
  authors' code, adjust_width=h     width=2h+1, reading="authors"
  the paper's experiments           width=25, reading="authors"
  tsadmetrics bpaf, w               width=2*ceil(w/2)+1, islands="spill"
Default width: the smallest odd number at least sum(s^2) / sum(s) over the event widths s.
  width="iid"       smallest width at which white noise scores no more than an alarm everywhere
  width="matched"   false alarms cost the mean over all event widths, by anomalous points
  border="shift"    windows slide at events and ends instead of losing points there

References
----------
D. Bhattacharya et al. (2024). Towards Unbiased Evaluation of Time-series
Anomaly Detector. arXiv:2409.13053.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> scores = [0.1, 0.6, 0.2, 0.3, 0.9, 0.8, 0.4, 0.1, 0.2, 0.3]
>>> aj.ap_ba(labels, scores)
1.0
"""

class _LikeInformednessBa(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        width: Whole | None | Duration = "matched",
        islands: Literal["normal", "spill", "all"] | None = "normal",
        margin: Whole = 0,
        border: Literal["clip", "shift"] = "shift",
        reading: Literal["corrected", "printed", "authors"] | None = None,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        width: Whole | None | Duration = "matched",
        islands: Literal["normal", "spill", "all"] | None = "normal",
        margin: Whole = 0,
        border: Literal["clip", "shift"] = "shift",
        reading: Literal["corrected", "printed", "authors"] | None = None,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

informedness_ba: _LikeInformednessBa
"""Informedness, balanced.

Recall less the false-positive rate after balanced adjustment with islands as
wide as the events: 0 on average for any stationary detector that does not see
the labels.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
width : int, duration, "iid", "matched" or "median", default: 'matched'
    Points of an island, or how long it is ("30min"). 1 is point adjustment; the larger, the
    more a false alarm costs. Default: the smallest odd number from sum(s^2) / sum(s) on, over
    the event widths s (default_width). "iid": the smallest at which white noise scores no
    more than an alarm everywhere (safe_width). "matched": false alarms cost the mean over
    the anomalous points of what they cost with islands as wide as that point's event, so that
    with
    border="shift" a detector that knows nothing has, on average, a recall equal to its
    false-positive rate. "median": the smallest odd number from the median of the event
    widths on, which one long event does not move.
islands : "normal", "spill" or "all", default: 'normal'
    What an island of exactly width points may mark, for those who mix readings.
    "normal": normal points only, so that recall is that of point adjustment. "spill":
    any point: an alarm beside a missed event earns part of it. "all": any point, and true
    flags raise islands too. Not with a reading, which says it.
margin : int, default: 0
    A false positive at most this far from an event counts as itself and raises no
    island. 0 is the paper; 1 forgives alarms that are one point too wide.
border : "clip" or "shift", default: 'shift'
    What becomes of a window that meets an event or an end. "clip": it loses points.
    "shift": it slides to stay within its run of normal, judged points, so that each normal
    point sees min(width, run) of them; only with islands="normal".
reading : "corrected", "printed" or "authors", default: None
    Which of the three metrics of this name. "corrected", the default: islands of exactly
    width points, on normal points. "printed": the paper's formula with w_N = width,
    u - w//2 - 1 ... u + w//2, on any point: w_N + 2 points, w_N + 1 where w_N is odd.
    "authors": their code with h = width // 2, u - h ... u + h around every flag,
    true ones too: 2h + 1 points.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From -1 to 1, higher is better. NaN: no event, or no normal point. Called
    with settings alone it gives a new metric that has them.

What it forgives
----------------
Low coverage (one point per event is enough); false alarms, when there is much
normal time.

References
----------
W. J. Youden (1950). Index for rating diagnostic tests. Cancer 3(1); after D.
Bhattacharya et al. (2024). arXiv:2409.13053.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.informedness_ba(labels, flags)
0.5
"""

class _LikeF1Dilated(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        width: Whole = 5,
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        width: Whole = 5,
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

f1_dilated: _LikeF1Dilated
"""F-score of dilated flags.

Pointwise F-score after every flag, true or false, is widened to `width` points.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
width : int, default: 5
    Points of a widened flag. 1 is the pointwise score.
beta : float, default: 1
    How much more recall weighs than precision. 1 is F1.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event and no alarm. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
Near misses within the width; a perfect detector scores below 1.

References
----------
Code beside D. Bhattacharya et al. (2024). arXiv:2409.13053 (symmetric score;
adjust_width=h is width=2h+1).

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.f1_dilated(labels, flags)
0.6666666666666666
"""

mcc: _LikePrecision
"""Matthews' correlation.

Correlation of labels and flags over points.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From -1 to 1, higher is better. NaN: no event, no normal point, no alarm, or
    nothing but alarms. Called with settings alone it gives a new metric that
    has them.

What it forgives
----------------
What is short, as f1 does; and its value depends on how much normal time there
is.

References
----------
B. W. Matthews (1975). Biochimica et Biophysica Acta 405(2).

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.mcc(labels, flags)
0.3563483225498992
"""

balanced_accuracy: _LikePrecision
"""Balanced accuracy.

Mean of recall and of the share of normal points left alone.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event, or no normal point. Called
    with settings alone it gives a new metric that has them.

What it forgives
----------------
False alarms, when there is much normal time: a coin flip scores 0.5.

References
----------
K. H. Brodersen et al. (2010). The Balanced Accuracy and Its Posterior
Distribution. ICPR.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.balanced_accuracy(labels, flags)
0.6666666666666666
"""

event_f1: _LikeF1
"""F-score of events and runs.

Harmonic mean of event precision and event recall.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
beta : float, default: 1
    How much more recall weighs than precision. 1 is F1.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event and no alarm. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
Length: one alarm over everything finds every event in a single, right run.

References
----------
K. Hundman et al. (2018). Detecting Spacecraft Anomalies Using LSTMs and
Nonparametric Dynamic Thresholding. KDD. arXiv:1802.04431 (the idea; runs
counted here as in the balanced adjustment paper's experiments).

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.event_f1(labels, flags)
0.6666666666666666
"""

event_precision: _LikePrecision
"""Precision of runs.

Share of the flagged runs that touch an event.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no alarm. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Missed events; and length: a run that touches an event is right, however far it
goes, so one alarm over everything scores 1.

References
----------
D. Bhattacharya et al. (2024). arXiv:2409.13053, experiments.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.event_precision(labels, flags)
0.5
"""

event_recall: _LikePrecision
"""Recall of events.

Share of the events that are touched.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Every false alarm (an alarm over everything scores 1), and all coverage beyond
one point.

References
----------
D. Bhattacharya et al. (2024). arXiv:2409.13053, experiments.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.event_recall(labels, flags)
1.0
"""

event_coverage: _LikePrecision
"""Coverage of found events.

Mean share of points flagged, over the events that are touched.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event is touched. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
Missed events and every false alarm (an alarm over everything scores 1): read it
beside event recall.

References
----------
D. Bhattacharya et al. (2024). arXiv:2409.13053, experiments.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.event_coverage(labels, flags)
0.5
"""

event_f1_ba: _LikeF1Ba
"""F-score of events, balanced.

2d / (N + d + C/w) for d hit events of N, and C normal points marked by islands
of w = `width` points: a missed event and an isolated false alarm cost the same.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
width : int or "iid", default: None
    Points of an island: the same as that of the adjustment, and the same default.
islands : "normal", "spill" or "all", default: 'normal'
    What an island of exactly width points may mark, for those who mix readings.
    "normal": normal points only, so that recall is that of point adjustment. "spill":
    any point: an alarm beside a missed event earns part of it. "all": any point, and true
    flags raise islands too. Not with a reading, which says it.
margin : int, default: 0
    A false positive at most this far from an event counts as itself and raises no
    island. 0 is the paper; 1 forgives alarms that are one point too wide.
border : "clip" or "shift", default: 'clip'
    What becomes of a window that meets an event or an end. "clip": it loses points.
    "shift": it slides to stay within its run of normal, judged points, so that each normal
    point sees min(width, run) of them; only with islands="normal".
reading : "corrected", "printed" or "authors", default: None
    Which of the three metrics of this name. "corrected", the default: islands of exactly
    width points, on normal points. "printed": the paper's formula with w_N = width,
    u - w//2 - 1 ... u + w//2, on any point: w_N + 2 points, w_N + 1 where w_N is odd.
    "authors": their code with h = width // 2, u - h ... u + h around every flag,
    true ones too: 2h + 1 points.
beta : float, default: 1
    How much more recall weighs than precision. 1 is F1.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event and no alarm. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
Low coverage and length: one point of an event is enough, and no event weighs
more than another.

References
----------
After D. Bhattacharya et al. (2024). arXiv:2409.13053: balanced adjustment with
every event weighing the same.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.event_f1_ba(labels, flags)
0.7692307692307692
"""

segment_f1: _LikeF1
"""F-score of segments.

Harmonic mean of segment_precision and segment_recall.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
beta : float, default: 1
    How much more recall weighs than precision. 1 is F1.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event and no alarm. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
Length: one alarm over everything hits every event and is no false run; several
alarms on one event cost nothing.

Notes
-----
Crosswalk:
  TSAD_eval Segmentwise_metrics, tsadmetrics swf    segment_f1
  event_f1 counts every run that touches an event; here an event counts once however many do.

References
----------
K. Hundman et al. (2018). Detecting Spacecraft Anomalies Using LSTMs and
Nonparametric Dynamic Thresholding. KDD. arXiv:1802.04431.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.segment_f1(labels, flags)
0.6666666666666666
"""

segment_precision: _LikePrecision
"""Precision of segments.

Hit events, as a share of hit events and runs that touch none.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no alarm. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Missed events; and length: one alarm over everything is no false run; several
alarms on one event cost nothing.

Notes
-----
Crosswalk:
  TSAD_eval Segmentwise_metrics, tsadmetrics swf    segment_f1
  event_f1 counts every run that touches an event; here an event counts once however many do.

References
----------
K. Hundman et al. (2018). Detecting Spacecraft Anomalies Using LSTMs and
Nonparametric Dynamic Thresholding. KDD. arXiv:1802.04431.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.segment_precision(labels, flags)
0.5
"""

segment_recall: _LikePrecision
"""Recall of segments.

Share of the events that are hit.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Every false alarm; and low coverage: one point hits an event.

Notes
-----
Crosswalk:
  TSAD_eval Segmentwise_metrics, tsadmetrics swf    segment_f1
  event_f1 counts every run that touches an event; here an event counts once however many do.

References
----------
K. Hundman et al. (2018). Detecting Spacecraft Anomalies Using LSTMs and
Nonparametric Dynamic Thresholding. KDD. arXiv:1802.04431.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.segment_recall(labels, flags)
1.0
"""

composite_f1: _LikeF1
"""F-score of events and points.

Harmonic mean of composite_precision and composite_recall.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
beta : float, default: 1
    How much more recall weighs than precision. 1 is F1.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event and no alarm. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
Coverage on the side of recall (one point hits an event); a false alarm costs
one point, so more hits on long events buy false alarms back.

Notes
-----
Crosswalk:
  TSAD_eval Composite_f, tsadmetrics cf             composite_f1
  TSB-AD Event-based-F1                             best(composite_f1) up to its grid; it loses the
                                                    last point of an event at the series' end

References
----------
A. Garg et al. (2021). An Evaluation of Anomaly Detection and Diagnosis in
Multivariate Time Series. IEEE TNNLS. arXiv:2109.11428.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.composite_f1(labels, flags)
0.8
"""

composite_precision: _LikePrecision
"""Precision of events and points.

Share of the flagged points that are anomalous.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no alarm. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Missed events and missed points; a false alarm costs one point, so more hits on
long events buy false alarms back.

Notes
-----
Crosswalk:
  TSAD_eval Composite_f, tsadmetrics cf             composite_f1
  TSB-AD Event-based-F1                             best(composite_f1) up to its grid; it loses the
                                                    last point of an event at the series' end

References
----------
A. Garg et al. (2021). An Evaluation of Anomaly Detection and Diagnosis in
Multivariate Time Series. IEEE TNNLS. arXiv:2109.11428.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.composite_precision(labels, flags)
0.6666666666666666
"""

composite_recall: _LikePrecision
"""Recall of events and points.

Share of the events that are hit.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Every false alarm; and low coverage: one point hits an event.

Notes
-----
Crosswalk:
  TSAD_eval Composite_f, tsadmetrics cf             composite_f1
  TSB-AD Event-based-F1                             best(composite_f1) up to its grid; it loses the
                                                    last point of an event at the series' end

References
----------
A. Garg et al. (2021). An Evaluation of Anomaly Detection and Diagnosis in
Multivariate Time Series. IEEE TNNLS. arXiv:2109.11428.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.composite_recall(labels, flags)
1.0
"""

revised_f1: _LikeF1
"""F-score of events and false points.

Harmonic mean of revised_precision and revised_recall.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
beta : float, default: 1
    How much more recall weighs than precision. 1 is F1.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event and no alarm. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
Low coverage: sparse random alarms beat honest ones, whose false points are
more; nothing else: a false alarm of 10 points outweighs 9 hit events.

Notes
-----
Merlion calls it RevisedPointAdjusted.

References
----------
A. Bhatnagar et al. (2021). Merlion: A Machine Learning Library for Time Series.
arXiv:2109.09265.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.revised_f1(labels, flags)
0.6666666666666666
"""

revised_precision: _LikePrecision
"""Precision of events and false points.

Hit events, as a share of hit events and false points.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no alarm. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Missed events; and low coverage: sparse random alarms beat honest ones, whose
false points are more; nothing else: a false alarm of 10 points outweighs 9 hit
events.

Notes
-----
Merlion calls it RevisedPointAdjusted.

References
----------
A. Bhatnagar et al. (2021). Merlion: A Machine Learning Library for Time Series.
arXiv:2109.09265.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.revised_precision(labels, flags)
0.5
"""

revised_recall: _LikePrecision
"""Recall of events and false points.

Share of the events that are hit.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Every false alarm; and low coverage: one point hits an event.

Notes
-----
Merlion calls it RevisedPointAdjusted.

References
----------
A. Bhatnagar et al. (2021). Merlion: A Machine Learning Library for Time Series.
arXiv:2109.09265.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.revised_recall(labels, flags)
1.0
"""

eventwise_f1: _LikeF1
"""F-score of segments, less false time.

Harmonic mean of eventwise_precision and eventwise_recall.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
beta : float, default: 1
    How much more recall weighs than precision. 1 is F1.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event and no alarm. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
Low coverage; alarms that are too wide, where there is much normal time.

Notes
-----
dtaianomaly has it as EventWisePrecision, EventWiseRecall and EventWiseFBeta.

References
----------
M. E. A. Sehili and Z. Zhang (2023). Multivariate Time Series Anomaly Detection:
Fancy Algorithms and Flawed Evaluation Methodology. arXiv:2308.13068.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.eventwise_f1(labels, flags)
0.5882352941176471
"""

eventwise_precision: _LikePrecision
"""Precision of segments, less false time.

Hit events, as a share of hit events and runs that touch none, times the share
of normal points left alone.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no alarm. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Missed events; and low coverage; alarms that are too wide, where there is much
normal time.

Notes
-----
dtaianomaly has it as EventWisePrecision, EventWiseRecall and EventWiseFBeta.

References
----------
M. E. A. Sehili and Z. Zhang (2023). Multivariate Time Series Anomaly Detection:
Fancy Algorithms and Flawed Evaluation Methodology. arXiv:2308.13068.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.eventwise_precision(labels, flags)
0.4166666666666667
"""

eventwise_recall: _LikePrecision
"""Recall of segments, less false time.

Share of the events that are hit.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Every false alarm; and low coverage: one point hits an event.

Notes
-----
dtaianomaly has it as EventWisePrecision, EventWiseRecall and EventWiseFBeta.

References
----------
M. E. A. Sehili and Z. Zhang (2023). Multivariate Time Series Anomaly Detection:
Fancy Algorithms and Flawed Evaluation Methodology. arXiv:2308.13068.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.eventwise_recall(labels, flags)
1.0
"""

class _LikeEventWeightedF1(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        k: Whole | None | Duration = None,
        weight: Literal["one", "log", "sqrt", "length"] = "one",
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        k: Whole | None | Duration = None,
        weight: Literal["one", "log", "sqrt", "length"] = "one",
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

event_weighted_f1: _LikeEventWeightedF1
"""F-score of events by weight.

Harmonic mean of event_weighted_precision and event_weighted_recall.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
k : int, duration or None, default: None
    How many points, or how much time, there is to raise the alarm in. None: all, which is
    point adjustment.
weight : "one", "log", "sqrt" or "length", default: 'one'
    How much an event weighs: the less its length matters, the more a short event does.
beta : float, default: 1
    How much more recall weighs than precision. 1 is F1.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event and no alarm. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
Low coverage (with k: of an event hit within its first k points), so much that
random alarms may beat honest ones on long events; a false alarm costs one
point.

Notes
-----
weight="one"     every event weighs 1 (EasyTSAD: squeeze)
weight="log"     floor(log3(length + 3))
weight="sqrt"    floor(sqrt(length))
weight="length"  its points: then it is point adjustment
k                an event is hit only within its first k points

References
----------
H. Si et al. (2024). TimeSeriesBench: An Industrial-Grade Benchmark for Time
Series Anomaly Detection Models. ISSRE. arXiv:2402.10802.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.event_weighted_f1(labels, flags)
0.6666666666666666
"""

class _LikeEventWeightedPrecision(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        k: Whole | None | Duration = None,
        weight: Literal["one", "log", "sqrt", "length"] = "one",
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        k: Whole | None | Duration = None,
        weight: Literal["one", "log", "sqrt", "length"] = "one",
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

event_weighted_precision: _LikeEventWeightedPrecision
"""Precision of events by weight.

Weight of the hit events, as a share of that weight and of false points.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
k : int, duration or None, default: None
    How many points, or how much time, there is to raise the alarm in. None: all, which is
    point adjustment.
weight : "one", "log", "sqrt" or "length", default: 'one'
    How much an event weighs: the less its length matters, the more a short event does.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no alarm. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Missed events; and low coverage (with k: of an event hit within its first k
points), so much that random alarms may beat honest ones on long events; a false
alarm costs one point.

Notes
-----
weight="one"     every event weighs 1 (EasyTSAD: squeeze)
weight="log"     floor(log3(length + 3))
weight="sqrt"    floor(sqrt(length))
weight="length"  its points: then it is point adjustment
k                an event is hit only within its first k points

References
----------
H. Si et al. (2024). TimeSeriesBench: An Industrial-Grade Benchmark for Time
Series Anomaly Detection Models. ISSRE. arXiv:2402.10802.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.event_weighted_precision(labels, flags)
0.5
"""

event_weighted_recall: _LikeEventWeightedPrecision
"""Recall of events by weight.

Share of the events' weight that is hit.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
k : int, duration or None, default: None
    How many points, or how much time, there is to raise the alarm in. None: all, which is
    point adjustment.
weight : "one", "log", "sqrt" or "length", default: 'one'
    How much an event weighs: the less its length matters, the more a short event does.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Every false alarm; and low coverage (with k: of an event hit within its first k
points), so much that random alarms may beat honest ones on long events.

Notes
-----
weight="one"     every event weighs 1 (EasyTSAD: squeeze)
weight="log"     floor(log3(length + 3))
weight="sqrt"    floor(sqrt(length))
weight="length"  its points: then it is point adjustment
k                an event is hit only within its first k points

References
----------
H. Si et al. (2024). TimeSeriesBench: An Industrial-Grade Benchmark for Time
Series Anomaly Detection Models. ISSRE. arXiv:2402.10802.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.event_weighted_recall(labels, flags)
1.0
"""

class _LikeEventWeightedAucRoc(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        k: Whole | None | Duration = None,
        weight: Literal["one", "log", "sqrt", "length"] = "one",
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        k: Whole | None | Duration = None,
        weight: Literal["one", "log", "sqrt", "length"] = "one",
    ) -> Self: ...

event_weighted_auc_roc: _LikeEventWeightedAucRoc
"""ROC area of events by weight.

Chance that a hit event outranks a normal point, events drawn by weight.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    One number per point, higher is more anomalous.
k : int, duration or None, default: None
    How many points, or how much time, there is to raise the alarm in. None: all, which is
    point adjustment.
weight : "one", "log", "sqrt" or "length", default: 'one'
    How much an event weighs: the less its length matters, the more a short event does.
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event, or no normal point. Called
    with settings alone it gives a new metric that has them.

What it forgives
----------------
Low coverage (with k: of an event hit within its first k points), so much that
random alarms may beat honest ones on long events.

References
----------
H. Si et al. (2024). TimeSeriesBench: An Industrial-Grade Benchmark for Time
Series Anomaly Detection Models. ISSRE. arXiv:2402.10802.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> scores = [0.1, 0.6, 0.2, 0.3, 0.9, 0.8, 0.4, 0.1, 0.2, 0.3]
>>> aj.event_weighted_auc_roc(labels, scores)
1.0
"""

event_weighted_auc_pr: _LikeEventWeightedAucRoc
"""PR area of events by weight.

Area under precision against recall of weighted events, by trapezoids.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    One number per point, higher is more anomalous.
k : int, duration or None, default: None
    How many points, or how much time, there is to raise the alarm in. None: all, which is
    point adjustment.
weight : "one", "log", "sqrt" or "length", default: 'one'
    How much an event weighs: the less its length matters, the more a short event does.
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
A constant score: trapezoids from precision 1 give it (1 + Q)/2 where a share Q
of the points is anomalous, more than many a good detector gets; ask for
`event_weighted_ap` instead; else low coverage (with k: of an event hit within
its first k points), so much that random alarms may beat honest ones on long
events.

References
----------
H. Si et al. (2024). TimeSeriesBench: An Industrial-Grade Benchmark for Time
Series Anomaly Detection Models. ISSRE. arXiv:2402.10802.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> scores = [0.1, 0.6, 0.2, 0.3, 0.9, 0.8, 0.4, 0.1, 0.2, 0.3]
>>> aj.event_weighted_auc_pr(labels, scores)
1.0
"""

event_weighted_ap: _LikeEventWeightedAucRoc
"""Average precision of events by weight.

Area under precision against recall of weighted events, by steps.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    One number per point, higher is more anomalous.
k : int, duration or None, default: None
    How many points, or how much time, there is to raise the alarm in. None: all, which is
    point adjustment.
weight : "one", "log", "sqrt" or "length", default: 'one'
    How much an event weighs: the less its length matters, the more a short event does.
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Low coverage (with k: of an event hit within its first k points), so much that
random alarms may beat honest ones on long events.

References
----------
H. Si et al. (2024). TimeSeriesBench: An Industrial-Grade Benchmark for Time
Series Anomaly Detection Models. ISSRE. arXiv:2402.10802.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> scores = [0.1, 0.6, 0.2, 0.3, 0.9, 0.8, 0.4, 0.1, 0.2, 0.3]
>>> aj.event_weighted_ap(labels, scores)
1.0
"""

class _LikeOverlapF1(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        tau: Number = 0.5,
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        tau: Number = 0.5,
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

overlap_f1: _LikeOverlapF1
"""F-score of runs that overlap enough.

Harmonic mean of overlap_precision and overlap_recall.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
tau : float, default: 0.5
    The share of the points of run and event together that both must have in common.
beta : float, default: 1
    How much more recall weighs than precision. 1 is F1.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event and no alarm. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
Inexact borders, up to the share tau; how long a false alarm lasts.

Notes
-----
Known as F1@k or segmental F1: F1@10, F1@25 and F1@50 are tau=.1, .25 and .5, best
reported side by side. Each run looks at the event with the largest overlap alone, and never at the
second best. A one-point event needs an exact hit when tau is above 1/2. Counts are pooled over
series. Crosswalk:
  yabufarha/ms-tcn f_score, overlap=k    overlap_f1(tau=k)

References
----------
C. Lea et al. (2017). Temporal Convolutional Networks for Action Segmentation
and Detection. CVPR. arXiv:1611.05267.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.overlap_f1(labels, flags)
0.6666666666666666
"""

class _LikeOverlapPrecision(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        tau: Number = 0.5,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        tau: Number = 0.5,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

overlap_precision: _LikeOverlapPrecision
"""Precision of runs that overlap enough.

Share of the flagged runs that match an event: their points in common are a
share `tau` or more of all their points, and no run before matched it.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
tau : float, default: 0.5
    The share of the points of run and event together that both must have in common.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no alarm. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Missed events; inexact borders, up to the share tau; how long a false alarm
lasts.

Notes
-----
Known as F1@k or segmental F1: F1@10, F1@25 and F1@50 are tau=.1, .25 and .5, best
reported side by side. Each run looks at the event with the largest overlap alone, and never at the
second best. A one-point event needs an exact hit when tau is above 1/2. Counts are pooled over
series. Crosswalk:
  yabufarha/ms-tcn f_score, overlap=k    overlap_f1(tau=k)

References
----------
C. Lea et al. (2017). Temporal Convolutional Networks for Action Segmentation
and Detection. CVPR. arXiv:1611.05267.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.overlap_precision(labels, flags)
0.5
"""

overlap_recall: _LikeOverlapPrecision
"""Recall of runs that overlap enough.

Share of the events that are matched by a run.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
tau : float, default: 0.5
    The share of the points of run and event together that both must have in common.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Every false alarm that does not join or widen a run on an event; inexact
borders, up to the share tau.

Notes
-----
Known as F1@k or segmental F1: F1@10, F1@25 and F1@50 are tau=.1, .25 and .5, best
reported side by side. Each run looks at the event with the largest overlap alone, and never at the
second best. A one-point event needs an exact hit when tau is above 1/2. Counts are pooled over
series. Crosswalk:
  yabufarha/ms-tcn f_score, overlap=k    overlap_f1(tau=k)

References
----------
C. Lea et al. (2017). Temporal Convolutional Networks for Action Segmentation
and Detection. CVPR. arXiv:1611.05267.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.overlap_recall(labels, flags)
1.0
"""

class _LikeCollarF1(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        collar: Whole | Duration = 5,
        ends: Boolean = True,
        slack: Number = 0.5,
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        collar: Whole | Duration = 5,
        ends: Boolean = True,
        slack: Number = 0.5,
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

collar_f1: _LikeCollarF1
"""F-score of runs whose ends are near.

Harmonic mean of collar_precision and collar_recall.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
collar : int or duration, default: 5
    How far apart starts (and ends) may be, in points or in time.
ends : bool, default: True
    Whether ends count too.
slack : float, default: 0.5
    How far apart ends may be, as a share of the event's length.
beta : float, default: 1
    How much more recall weighs than precision. 1 is F1.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event and no alarm. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
Inexact borders, up to the collar; how long a false alarm lasts.

Notes
-----
Ends may be `slack` of the event's length apart where that is more than the collar.
Crosswalk (200 ms there):
  sed_eval EventBasedMetrics, t_collar=c, percentage_of_length=s    collar_f1(collar=c, slack=s)

References
----------
A. Mesaros, T. Heittola, T. Virtanen (2016). Metrics for Polyphonic Sound Event
Detection. Applied Sciences 6(6).

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.collar_f1(labels, flags)
0.6666666666666666
"""

class _LikeCollarPrecision(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        collar: Whole | Duration = 5,
        ends: Boolean = True,
        slack: Number = 0.5,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        collar: Whole | Duration = 5,
        ends: Boolean = True,
        slack: Number = 0.5,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

collar_precision: _LikeCollarPrecision
"""Precision of runs whose ends are near.

Share of the flagged runs that are matched with an event: their starts (and
their ends, if `ends`) are at most `collar` points apart.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
collar : int or duration, default: 5
    How far apart starts (and ends) may be, in points or in time.
ends : bool, default: True
    Whether ends count too.
slack : float, default: 0.5
    How far apart ends may be, as a share of the event's length.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no alarm. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Missed events; inexact borders, up to the collar.

Notes
-----
Ends may be `slack` of the event's length apart where that is more than the collar.
Crosswalk (200 ms there):
  sed_eval EventBasedMetrics, t_collar=c, percentage_of_length=s    collar_f1(collar=c, slack=s)

References
----------
A. Mesaros, T. Heittola, T. Virtanen (2016). Metrics for Polyphonic Sound Event
Detection. Applied Sciences 6(6).

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.collar_precision(labels, flags)
0.5
"""

collar_recall: _LikeCollarPrecision
"""Recall of runs whose ends are near.

Share of the events that are matched with a run.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
collar : int or duration, default: 5
    How far apart starts (and ends) may be, in points or in time.
ends : bool, default: True
    Whether ends count too.
slack : float, default: 0.5
    How far apart ends may be, as a share of the event's length.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Every false alarm that does not move an end; inexact borders, up to the collar.

Notes
-----
Ends may be `slack` of the event's length apart where that is more than the collar.
Crosswalk (200 ms there):
  sed_eval EventBasedMetrics, t_collar=c, percentage_of_length=s    collar_f1(collar=c, slack=s)

References
----------
A. Mesaros, T. Heittola, T. Virtanen (2016). Metrics for Polyphonic Sound Event
Detection. Applied Sciences 6(6).

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.collar_recall(labels, flags)
1.0
"""

class _LikeIntersectionF1(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        dtc: Number = 0.5,
        gtc: Number = 0.5,
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        dtc: Number = 0.5,
        gtc: Number = 0.5,
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

intersection_f1: _LikeIntersectionF1
"""F-score of runs and events that cover each other.

Harmonic mean of intersection_precision and intersection_recall.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
dtc : float, default: 0.5
    The share of a run that must be anomalous (detection tolerance criterion).
gtc : float, default: 0.5
    The share of an event that must be covered (ground truth intersection criterion).
beta : float, default: 1
    How much more recall weighs than precision. 1 is F1.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event and no alarm. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
Missed points up to 1 - gtc of an event, and runs too wide by up to 1 - dtc; how
many runs there are on an event.

Notes
-----
Where a share dtc or more of all points is anomalous, an alarm over everything is valid
and finds every event. Crosswalk:
  psds_eval, dtc_threshold, gtc_threshold    dtc, gtc; cross-triggers need several classes

References
----------
Ç. Bilen et al. (2020). A Framework for the Robust Evaluation of Sound Event
Detection. ICASSP. arXiv:1910.08440.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.intersection_f1(labels, flags)
0.6666666666666666
"""

class _LikeIntersectionPrecision(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        dtc: Number = 0.5,
        gtc: Number = 0.5,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        dtc: Number = 0.5,
        gtc: Number = 0.5,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

intersection_precision: _LikeIntersectionPrecision
"""Precision of runs and events that cover each other.

Found events, as a share of found events and of runs of which less than `dtc` is
anomalous.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
dtc : float, default: 0.5
    The share of a run that must be anomalous (detection tolerance criterion).
gtc : float, default: 0.5
    The share of an event that must be covered (ground truth intersection criterion).
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no alarm. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Missed events; runs that are too wide by up to 1 - dtc.

Notes
-----
Where a share dtc or more of all points is anomalous, an alarm over everything is valid
and finds every event. Crosswalk:
  psds_eval, dtc_threshold, gtc_threshold    dtc, gtc; cross-triggers need several classes

References
----------
Ç. Bilen et al. (2020). A Framework for the Robust Evaluation of Sound Event
Detection. ICASSP. arXiv:1910.08440.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.intersection_precision(labels, flags)
0.5
"""

intersection_recall: _LikeIntersectionPrecision
"""Recall of runs and events that cover each other.

Share of the events of which `gtc` or more lies in runs that are `dtc` or more
anomalous.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
dtc : float, default: 0.5
    The share of a run that must be anomalous (detection tolerance criterion).
gtc : float, default: 0.5
    The share of an event that must be covered (ground truth intersection criterion).
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Every false alarm that does not join a run on an event; missed points up to 1 -
gtc of an event.

Notes
-----
Where a share dtc or more of all points is anomalous, an alarm over everything is valid
and finds every event. Crosswalk:
  psds_eval, dtc_threshold, gtc_threshold    dtc, gtc; cross-triggers need several classes

References
----------
Ç. Bilen et al. (2020). A Framework for the Robust Evaluation of Sound Event
Detection. ICASSP. arXiv:1910.08440.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.intersection_recall(labels, flags)
1.0
"""

class _LikeEventF1Tolerant(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        before: Whole | Duration = 0,
        after: Whole | Duration = 0,
        overlap: Number = 0,
        merge: Whole | Duration = 0,
        split: Whole | None | Duration = None,
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        before: Whole | Duration = 0,
        after: Whole | Duration = 0,
        overlap: Number = 0,
        merge: Whole | Duration = 0,
        split: Whole | None | Duration = None,
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

event_f1_tolerant: _LikeEventF1Tolerant
"""F-score of events, with tolerance.

Harmonic mean of event_precision_tolerant and event_recall_tolerant.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
before : int or duration, default: 0
    How many points, or how much time, early or late an alarm may come.
after : int or duration, default: 0
    How many points, or how much time, early or late an alarm may come.
overlap : float, default: 0
    What share of the stretch must be exceeded.
merge : int or duration, default: 0
    Closer than this, two events (or runs) are one.
split : int, duration or None, default: None
    Longer than this, an event (or run) is several. None: never.
beta : float, default: 1
    How much more recall weighs than precision. 1 is F1.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event and no alarm. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
Length: one alarm over everything hits every event and is no false run; several
alarms on one event, and being early by `before` or late by `after`.

Notes
-----
overlap=s   more than the share s of the stretch must be flagged
merge=d     events less than d points apart are one, and runs as well
split=d     what is longer than d points is cut into pieces of d, events and runs alike
With the default settings it is segment_f1. Where stretches overlap, one alarm finds both events.
Crosswalk (d = points per second):
  timescoring EventScoring    event_f1_tolerant(before=30d, after=60d, merge=90d, split=300d)
  ipal_evaluate, alarm_gracetime=g
    Detected-Scenarios-Percent  event_recall_tolerant(after=g), where each attack is one event
    FPA                         the false runs of event_precision_tolerant(after=g)

References
----------
J. Dan et al. (2024). SzCORE: Seizure Community Open-Source Research Evaluation
framework for the validation of electroencephalography-based automated seizure
detection algorithms. Epilepsia. arXiv:2402.13005.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.event_f1_tolerant(labels, flags)
0.6666666666666666
"""

class _LikeEventPrecisionTolerant(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        before: Whole | Duration = 0,
        after: Whole | Duration = 0,
        overlap: Number = 0,
        merge: Whole | Duration = 0,
        split: Whole | None | Duration = None,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        before: Whole | Duration = 0,
        after: Whole | Duration = 0,
        overlap: Number = 0,
        merge: Whole | Duration = 0,
        split: Whole | None | Duration = None,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

event_precision_tolerant: _LikeEventPrecisionTolerant
"""Precision of events, with tolerance.

Found events, as a share of found events and of runs near none of them.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
before : int or duration, default: 0
    How many points, or how much time, early or late an alarm may come.
after : int or duration, default: 0
    How many points, or how much time, early or late an alarm may come.
overlap : float, default: 0
    What share of the stretch must be exceeded.
merge : int or duration, default: 0
    Closer than this, two events (or runs) are one.
split : int, duration or None, default: None
    Longer than this, an event (or run) is several. None: never.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no alarm. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Missed events; and length: one alarm over everything hits every event and is no
false run.

Notes
-----
overlap=s   more than the share s of the stretch must be flagged
merge=d     events less than d points apart are one, and runs as well
split=d     what is longer than d points is cut into pieces of d, events and runs alike
With the default settings it is segment_f1. Where stretches overlap, one alarm finds both events.
Crosswalk (d = points per second):
  timescoring EventScoring    event_f1_tolerant(before=30d, after=60d, merge=90d, split=300d)
  ipal_evaluate, alarm_gracetime=g
    Detected-Scenarios-Percent  event_recall_tolerant(after=g), where each attack is one event
    FPA                         the false runs of event_precision_tolerant(after=g)

References
----------
J. Dan et al. (2024). SzCORE: Seizure Community Open-Source Research Evaluation
framework for the validation of electroencephalography-based automated seizure
detection algorithms. Epilepsia. arXiv:2402.13005.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.event_precision_tolerant(labels, flags)
0.5
"""

event_recall_tolerant: _LikeEventPrecisionTolerant
"""Recall of events, with tolerance.

Share of the events with a flag in their stretch [start - before, stop + after).

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
before : int or duration, default: 0
    How many points, or how much time, early or late an alarm may come.
after : int or duration, default: 0
    How many points, or how much time, early or late an alarm may come.
overlap : float, default: 0
    What share of the stretch must be exceeded.
merge : int or duration, default: 0
    Closer than this, two events (or runs) are one.
split : int, duration or None, default: None
    Longer than this, an event (or run) is several. None: never.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Every false alarm; and low coverage: one point near an event finds it.

Notes
-----
overlap=s   more than the share s of the stretch must be flagged
merge=d     events less than d points apart are one, and runs as well
split=d     what is longer than d points is cut into pieces of d, events and runs alike
With the default settings it is segment_f1. Where stretches overlap, one alarm finds both events.
Crosswalk (d = points per second):
  timescoring EventScoring    event_f1_tolerant(before=30d, after=60d, merge=90d, split=300d)
  ipal_evaluate, alarm_gracetime=g
    Detected-Scenarios-Percent  event_recall_tolerant(after=g), where each attack is one event
    FPA                         the false runs of event_precision_tolerant(after=g)

References
----------
J. Dan et al. (2024). SzCORE: Seizure Community Open-Source Research Evaluation
framework for the validation of electroencephalography-based automated seizure
detection algorithms. Epilepsia. arXiv:2402.13005.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.event_recall_tolerant(labels, flags)
1.0
"""

alarms_per_event: _LikePrecision
"""Alarms per found event.

Mean number of flagged runs inside an event, over the events that are touched.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 1 to inf, lower is better. NaN: no event is touched. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
Missed events and every false alarm (an alarm over everything scores 1): read it
beside event recall and precision.

Notes
-----
1: each event that is found raises one alarm. Crosswalk:
  NoBOOM aaf                      alarms_per_event, but 0 where it is undefined
  ESA-ADB alarming_precision      1 / alarms_per_event, where every event is one interval

References
----------
NoBOOM benchmark (2026), as average alarms per fault; ESA-ADB, K. Kotowski et
al. (2024). arXiv:2406.17826, as its inverse.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.alarms_per_event(labels, flags)
1.0
"""

class _LikePsds(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        dtc: Number = 0.5,
        gtc: Number = 0.5,
        per: Number | Duration = 1000,
        max_rate: Number = 10,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        dtc: Number = 0.5,
        gtc: Number = 0.5,
        per: Number | Duration = 1000,
        max_rate: Number = 10,
    ) -> Self: ...

psds: _LikePsds
"""Events found per false alarm, over thresholds.

Area under the share of events found (as intersection_f1 counts them) against
false alarms per `per` points, up to `max_rate`, in steps.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    One number per point, higher is more anomalous.
dtc : float, default: 0.5
    The share of a run that must be anomalous (detection tolerance criterion).
gtc : float, default: 0.5
    The share of an event that must be covered (ground truth intersection criterion).
per : float or duration, default: 1000
    In how many points, or how much time, false alarms are counted.
max_rate : float, default: 10
    The largest rate of false alarms that counts.
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Missed points up to 1 - gtc of an event, and runs too wide by up to 1 - dtc;
with dtc below the share of anomalous points a constant score, which is one
valid run; and random alarms: at the lowest thresholds long runs fall on events
by chance, and false runs are few again (recall_at stops before).

Notes
-----
For one class. The package psds_eval takes the largest rate seen where none is
given, and tries the thresholds that it is given.

References
----------
Ç. Bilen et al. (2020). A Framework for the Robust Evaluation of Sound Event
Detection. ICASSP. arXiv:1910.08440.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> scores = [0.1, 0.6, 0.2, 0.3, 0.9, 0.8, 0.4, 0.1, 0.2, 0.3]
>>> aj.psds(labels, scores)
1.0
"""

alarm: _LikePrecision
"""Events found, promptly and in one piece, less false alarms.

Events found, less half of the false runs and up to 1 for false points, plus how
early and in how few pieces they were found, less 3/4 for alarms from before and
1/4 for those that go on.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From -inf to inf, higher is better. NaN: never. Called with settings alone
    it gives a new metric that has them.

What it forgives
----------------
How many points of a false alarm are wrong, and coverage after the first points
of an event.

Notes
-----
The best value is m + mean(1 - 2^-(length + 1)) for m events: compare shares of
it. An alarm that begins just before an event (3/4) costs more than a false one (1/2).

References
----------
Wagner et al. (2025). arXiv:2510.17562, as read in the code of the NoBOOM
benchmark; whether it is the paper's was not verified.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.alarm(labels, flags)
1.1875
"""

class _LikeRangeF1(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        p_alpha: Number = 0,
        r_alpha: Number = 0,
        cardinality: Literal["one", "reciprocal", "corrected"] = "one",
        p_bias: Literal["flat", "front", "middle", "back"] = "flat",
        r_bias: Literal["flat", "front", "middle", "back"] = "flat",
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        p_alpha: Number = 0,
        r_alpha: Number = 0,
        cardinality: Literal["one", "reciprocal", "corrected"] = "one",
        p_bias: Literal["flat", "front", "middle", "back"] = "flat",
        r_bias: Literal["flat", "front", "middle", "back"] = "flat",
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

range_f1: _LikeRangeF1
"""F-score, ranges.

Harmonic mean of range_precision and range_recall.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
p_alpha : float, default: 0
    What being touched at all earns a flagged run, and an event.
r_alpha : float, default: 0
    What being touched at all earns a flagged run, and an event.
cardinality : "one", "reciprocal" or "corrected", default: 'one'
    What is left when several ranges share the work.
p_bias : "flat", "front", "middle" or "back", default: 'flat'
    Which positions of a flagged run, and of an event, weigh more.
r_bias : "flat", "front", "middle" or "back", default: 'flat'
    Which positions of a flagged run, and of an event, weigh more.
beta : float, default: 1
    How much more recall weighs than precision. 1 is F1.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event and no alarm. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
Length: a short event, and a short false run, weigh as much as long ones; with
cardinality="one" fragments, which cost nothing; with alpha above 0 also
coverage.

Notes
-----
Every event and every flagged run weighs 1, over all series together.
Crosswalk, with the defaults that make published numbers differ:
  prts ts_precision, ts_recall          range_precision, range_recall, the same parameters
  prts ts_fscore                        range_f1 (alpha 0, cardinality "one")
  TimeEval RangeFScore, aeon            range_f1(r_alpha=0.5, cardinality="reciprocal"); aeon is
                                        wrong for beta other than 1, and for constant flags
  tsadmetrics rbf                       range_f1(p_alpha=0.5, r_alpha=0.5)
  TSAD_eval Range_PR                    range_f1(p_alpha=0.2, r_alpha=0.2)
  TSB-AD, range-based                   range_f1(r_alpha=0.2, cardinality="reciprocal"), flat only
  TimeSeAD, unweighted                  range_f1(cardinality="corrected")

References
----------
N. Tatbul et al. (2018). Precision and Recall for Time Series. NeurIPS.
arXiv:1803.03639.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.range_f1(labels, flags)
0.5
"""

class _LikeRangePrecision(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        alpha: Number = 0,
        cardinality: Literal["one", "reciprocal", "corrected"] = "one",
        bias: Literal["flat", "front", "middle", "back"] = "flat",
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        alpha: Number = 0,
        cardinality: Literal["one", "reciprocal", "corrected"] = "one",
        bias: Literal["flat", "front", "middle", "back"] = "flat",
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

range_precision: _LikeRangePrecision
"""Precision, ranges.

Mean over the flagged runs of alpha for touching an event and 1 - alpha for the
share of the run inside events, weighted by position (`bias`) and by how many
events it touches (`cardinality`).

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
alpha : float, default: 0
    What being touched at all earns, from 0 (nothing: only overlap counts) to 1 (everything:
    recall is then the share of events touched).
cardinality : "one", "reciprocal" or "corrected", default: 'one'
    What is left when c ranges share the work in one of L points: gamma is 1, 1 / c,
    or ((L - 1) / L)^(c - 1), with which one more flagged point never lowers recall.
bias : "flat", "front", "middle" or "back", default: 'flat'
    Which positions of a range weigh more: delta(i, L) for i = 1 ... L is 1 (flat),
    L - i + 1 (front), i (back), or the smaller of these two (middle).
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no alarm. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Missed events; and length: a short false run weighs as much as a long one; with
cardinality="one" a run over several events costs nothing for that; with alpha
above 0 also runs that are too wide.

Notes
-----
Every event and every flagged run weighs 1, over all series together.
Crosswalk, with the defaults that make published numbers differ:
  prts ts_precision, ts_recall          range_precision, range_recall, the same parameters
  prts ts_fscore                        range_f1 (alpha 0, cardinality "one")
  TimeEval RangeFScore, aeon            range_f1(r_alpha=0.5, cardinality="reciprocal"); aeon is
                                        wrong for beta other than 1, and for constant flags
  tsadmetrics rbf                       range_f1(p_alpha=0.5, r_alpha=0.5)
  TSAD_eval Range_PR                    range_f1(p_alpha=0.2, r_alpha=0.2)
  TSB-AD, range-based                   range_f1(r_alpha=0.2, cardinality="reciprocal"), flat only
  TimeSeAD, unweighted                  range_f1(cardinality="corrected")

References
----------
N. Tatbul et al. (2018). Precision and Recall for Time Series. NeurIPS.
arXiv:1803.03639.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.range_precision(labels, flags)
0.5
"""

range_recall: _LikeRangePrecision
"""Recall, ranges.

Mean over the events of alpha for being touched and 1 - alpha for the share
covered, weighted by position (`bias`) and by how many runs share it
(`cardinality`).

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
alpha : float, default: 0
    What being touched at all earns, from 0 (nothing: only overlap counts) to 1 (everything:
    recall is then the share of events touched).
cardinality : "one", "reciprocal" or "corrected", default: 'one'
    What is left when c ranges share the work in one of L points: gamma is 1, 1 / c,
    or ((L - 1) / L)^(c - 1), with which one more flagged point never lowers recall.
bias : "flat", "front", "middle" or "back", default: 'flat'
    Which positions of a range weigh more: delta(i, L) for i = 1 ... L is 1 (flat),
    L - i + 1 (front), i (back), or the smaller of these two (middle).
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Every false alarm; and length: a short event weighs as much as a long one; with
cardinality="one" fragments, which cost nothing; with alpha above 0 also
coverage.

Notes
-----
Every event and every flagged run weighs 1, over all series together.
Crosswalk, with the defaults that make published numbers differ:
  prts ts_precision, ts_recall          range_precision, range_recall, the same parameters
  prts ts_fscore                        range_f1 (alpha 0, cardinality "one")
  TimeEval RangeFScore, aeon            range_f1(r_alpha=0.5, cardinality="reciprocal"); aeon is
                                        wrong for beta other than 1, and for constant flags
  tsadmetrics rbf                       range_f1(p_alpha=0.5, r_alpha=0.5)
  TSAD_eval Range_PR                    range_f1(p_alpha=0.2, r_alpha=0.2)
  TSB-AD, range-based                   range_f1(r_alpha=0.2, cardinality="reciprocal"), flat only
  TimeSeAD, unweighted                  range_f1(cardinality="corrected")

References
----------
N. Tatbul et al. (2018). Precision and Recall for Time Series. NeurIPS.
arXiv:1803.03639.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.range_recall(labels, flags)
0.5
"""

ts_f1: _LikeF1
"""F-score, ranges, corrected.

Harmonic mean of ts_precision and ts_recall.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
beta : float, default: 1
    How much more recall weighs than precision. 1 is F1.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event and no alarm. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
The length of events: a short one weighs as much as a long one.

Notes
-----
The corrected cardinality makes recall grow with every flagged anomalous point, so its curve
has an area. Runs weigh their length, over all series together.
Crosswalk:
  TimeSeAD ts_auprc                     ts_auc_pr, but for the runs after the last event, of which
                                        TimeSeAD charges only the first
  TimeSeAD best_ts_f1_score             best(ts_f1), with the same exception
  sktime TimeSeriesAUPRC                none: it also weighs recall by length

References
----------
D. Wagner et al. (2023). TimeSeAD: Benchmarking Deep Multivariate Time-Series
Anomaly Detection. TMLR.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.ts_f1(labels, flags)
0.5714285714285714
"""

ts_precision: _LikePrecision
"""Precision, ranges, corrected.

Share of the flagged points that are anomalous, where the points of a run that
touches c events count ((L-1)/L)^(c-1) for L points in the run.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no alarm. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Missed events and missed points; a false alarm costs one point.

Notes
-----
The corrected cardinality makes recall grow with every flagged anomalous point, so its curve
has an area. Runs weigh their length, over all series together.
Crosswalk:
  TimeSeAD ts_auprc                     ts_auc_pr, but for the runs after the last event, of which
                                        TimeSeAD charges only the first
  TimeSeAD best_ts_f1_score             best(ts_f1), with the same exception
  sktime TimeSeriesAUPRC                none: it also weighs recall by length

References
----------
D. Wagner et al. (2023). TimeSeAD: Benchmarking Deep Multivariate Time-Series
Anomaly Detection. TMLR.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.ts_precision(labels, flags)
0.6666666666666666
"""

ts_recall: _LikePrecision
"""Recall, ranges, corrected.

Mean over the events of the share covered, times ((L-1)/L)^(c-1) for c runs in L
points.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Every false alarm; and the length of events: a short one weighs as much as a
long one.

Notes
-----
The corrected cardinality makes recall grow with every flagged anomalous point, so its curve
has an area. Runs weigh their length, over all series together.
Crosswalk:
  TimeSeAD ts_auprc                     ts_auc_pr, but for the runs after the last event, of which
                                        TimeSeAD charges only the first
  TimeSeAD best_ts_f1_score             best(ts_f1), with the same exception
  sktime TimeSeriesAUPRC                none: it also weighs recall by length

References
----------
D. Wagner et al. (2023). TimeSeAD: Benchmarking Deep Multivariate Time-Series
Anomaly Detection. TMLR.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.ts_recall(labels, flags)
0.5
"""

class _LikeTaprF1(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        alpha: Number = 0.5,
        theta: Number = 0.5,
        delta: Whole | Duration = 0,
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        alpha: Number = 0.5,
        theta: Number = 0.5,
        delta: Whole | Duration = 0,
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

tapr_f1: _LikeTaprF1
"""F-score, time-series aware.

Harmonic mean of tapr_precision and tapr_recall.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
alpha : float, default: 0.5
    How much detection weighs against the portion, from 0 (portion only) to 1.
theta : float, default: 0.5
    Portion from which an event is detected and a run is right, in (0, 1].
delta : int or duration, default: 0
    Points, or time, by which an alarm may hang over. 0: no tail.
beta : float, default: 1
    How much more recall weighs than precision. 1 is F1.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event and no alarm. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
Missing coverage beyond theta, in part; with delta above 0 alarms that come or
end late.

Notes
-----
The tail after an event has delta + 1 points, or as many as there are before the next event;
their worth falls on the logistic curve from 0.9975 to 0.0025. Series are pooled; no tail leaves
its own.
Crosswalk:
  TSAD_eval TaF, tsadmetrics taf        tapr_f1, the same parameters; where an event begins exactly
                                        delta points after the last one ends they count its first
                                        point twice, and a share may exceed 1
  the authors' package, its defaults    tapr_f1(alpha=0.8, theta=0.5, delta=600)

References
----------
W.-S. Hwang et al. (2019). Time-Series Aware Precision and Recall for Anomaly
Detection: Considering Variety of Detection Result and Addressing Ambiguous
Labeling. CIKM. doi:10.1145/3357384.3358118.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.tapr_f1(labels, flags)
0.6
"""

class _LikeTaprPrecision(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        alpha: Number = 0.5,
        theta: Number = 0.5,
        delta: Whole | Duration = 0,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        alpha: Number = 0.5,
        theta: Number = 0.5,
        delta: Whole | Duration = 0,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

tapr_precision: _LikeTaprPrecision
"""Precision, time-series aware.

Mean over the flagged runs of alpha for being right (a share `theta` in events
and their tails) and 1 - alpha for that share.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
alpha : float, default: 0.5
    How much detection weighs against the portion, from 0 (portion only) to 1.
theta : float, default: 0.5
    Portion from which an event is detected and a run is right, in (0, 1].
delta : int or duration, default: 0
    Points, or time, by which an alarm may hang over. 0: no tail.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no alarm. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Missed events; and points beyond the event in runs of which theta is right, in
part; with delta above 0 alarms that come or end late.

Notes
-----
The tail after an event has delta + 1 points, or as many as there are before the next event;
their worth falls on the logistic curve from 0.9975 to 0.0025. Series are pooled; no tail leaves
its own.
Crosswalk:
  TSAD_eval TaF, tsadmetrics taf        tapr_f1, the same parameters; where an event begins exactly
                                        delta points after the last one ends they count its first
                                        point twice, and a share may exceed 1
  the authors' package, its defaults    tapr_f1(alpha=0.8, theta=0.5, delta=600)

References
----------
W.-S. Hwang et al. (2019). Time-Series Aware Precision and Recall for Anomaly
Detection: Considering Variety of Detection Result and Addressing Ambiguous
Labeling. CIKM. doi:10.1145/3357384.3358118.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.tapr_precision(labels, flags)
0.5
"""

tapr_recall: _LikeTaprPrecision
"""Recall, time-series aware.

Mean over the events of alpha for being detected (a share `theta` covered) and 1
- alpha for that share; flags in the `delta` points after the event help.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
alpha : float, default: 0.5
    How much detection weighs against the portion, from 0 (portion only) to 1.
theta : float, default: 0.5
    Portion from which an event is detected and a run is right, in (0, 1].
delta : int or duration, default: 0
    Points, or time, by which an alarm may hang over. 0: no tail.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Every false alarm, and missing coverage beyond theta, in part; with delta above
0 flags that come late.

Notes
-----
The tail after an event has delta + 1 points, or as many as there are before the next event;
their worth falls on the logistic curve from 0.9975 to 0.0025. Series are pooled; no tail leaves
its own.
Crosswalk:
  TSAD_eval TaF, tsadmetrics taf        tapr_f1, the same parameters; where an event begins exactly
                                        delta points after the last one ends they count its first
                                        point twice, and a share may exceed 1
  the authors' package, its defaults    tapr_f1(alpha=0.8, theta=0.5, delta=600)

References
----------
W.-S. Hwang et al. (2019). Time-Series Aware Precision and Recall for Anomaly
Detection: Considering Variety of Detection Result and Addressing Ambiguous
Labeling. CIKM. doi:10.1145/3357384.3358118.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.tapr_recall(labels, flags)
0.75
"""

class _LikeEtaprF1(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        theta_p: Number = 0.5,
        theta_r: Number = 0.1,
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        theta_p: Number = 0.5,
        theta_r: Number = 0.1,
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

etapr_f1: _LikeEtaprF1
"""F-score, enhanced time-series aware.

Harmonic mean of etapr_precision and etapr_recall.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
theta_p : float, default: 0.5
    Share of a run that must be right, in (0, 1].
theta_r : float, default: 0.1
    Share of an event that must be found, in (0, 1].
beta : float, default: 1
    How much more recall weighs than precision. 1 is F1.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event and no alarm. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
Half the missing coverage beyond theta_r; not runs that are too wide: one of
which less than theta_p is right finds nothing.

Notes
-----
Overlaps are taken out until every event with one left has theta_r of it covered, and every
run with one left has theta_p of it in events; the order does not matter. Series are pooled.
Crosswalk:
  faster-eTaPR, TSAD_eval eTaF          etapr_f1, the same parameters
  tsadmetrics etaf                      etapr_f1; its default is theta_r=0.5

References
----------
W.-S. Hwang et al. (2022). "Do You Know Existing Accuracy Metrics Overrate Time-
Series Anomaly Detections?". SAC. doi:10.1145/3477314.3507024.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.etapr_f1(labels, flags)
0.6577995042391493
"""

class _LikeEtaprPrecision(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        theta_p: Number = 0.5,
        theta_r: Number = 0.1,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        theta_p: Number = 0.5,
        theta_r: Number = 0.1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

etapr_precision: _LikeEtaprPrecision
"""Precision, enhanced time-series aware.

Mean over the flagged runs, weighted by the root of their length, of a half for
being right (a share `theta_p` in events) and a half for that share, after weak
overlaps are taken out.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
theta_p : float, default: 0.5
    Share of a run that must be right, in (0, 1].
theta_r : float, default: 0.1
    Share of an event that must be found, in (0, 1].
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no alarm. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Missed events that no run touches; and half the points beyond the event in runs
of which theta_p is right.

Notes
-----
Overlaps are taken out until every event with one left has theta_r of it covered, and every
run with one left has theta_p of it in events; the order does not matter. Series are pooled.
Crosswalk:
  faster-eTaPR, TSAD_eval eTaF          etapr_f1, the same parameters
  tsadmetrics etaf                      etapr_f1; its default is theta_r=0.5

References
----------
W.-S. Hwang et al. (2022). "Do You Know Existing Accuracy Metrics Overrate Time-
Series Anomaly Detections?". SAC. doi:10.1145/3477314.3507024.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.etapr_precision(labels, flags)
0.5857864376269051
"""

etapr_recall: _LikeEtaprPrecision
"""Recall, enhanced time-series aware.

Mean over the events of a half for being detected (a share `theta_r` covered)
and a half for that share, after weak overlaps are taken out.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
theta_p : float, default: 0.5
    Share of a run that must be right, in (0, 1].
theta_r : float, default: 0.1
    Share of an event that must be found, in (0, 1].
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
False alarms that touch no event, and half the missing coverage beyond theta_r.

Notes
-----
Overlaps are taken out until every event with one left has theta_r of it covered, and every
run with one left has theta_p of it in events; the order does not matter. Series are pooled.
Crosswalk:
  faster-eTaPR, TSAD_eval eTaF          etapr_f1, the same parameters
  tsadmetrics etaf                      etapr_f1; its default is theta_r=0.5

References
----------
W.-S. Hwang et al. (2022). "Do You Know Existing Accuracy Metrics Overrate Time-
Series Anomaly Detections?". SAC. doi:10.1145/3477314.3507024.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.etapr_recall(labels, flags)
0.75
"""

ts_auc_pr: _LikeAucRoc
"""PR area, ranges, corrected.

Area under ts_precision against ts_recall over all thresholds, by trapezoids.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    One number per point, higher is more anomalous.
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
A constant score: trapezoids from precision 1 give it (1 + Q)/2 where a share Q
of the points is anomalous, more than many a good detector gets; ask for `ap`
instead; else the length of events: a short one weighs as much as a long one.

Notes
-----
The corrected cardinality makes recall grow with every flagged anomalous point, so its curve
has an area. Runs weigh their length, over all series together.
Crosswalk:
  TimeSeAD ts_auprc                     ts_auc_pr, but for the runs after the last event, of which
                                        TimeSeAD charges only the first
  TimeSeAD best_ts_f1_score             best(ts_f1), with the same exception
  sktime TimeSeriesAUPRC                none: it also weighs recall by length

References
----------
D. Wagner et al. (2023). TimeSeAD: Benchmarking Deep Multivariate Time-Series
Anomaly Detection. TMLR.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> scores = [0.1, 0.6, 0.2, 0.3, 0.9, 0.8, 0.4, 0.1, 0.2, 0.3]
>>> aj.ts_auc_pr(labels, scores)
0.8541666666666665
"""

class _LikeAucPrRange(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        p_alpha: Number = 0,
        r_alpha: Number = 0,
        cardinality: Literal["one", "reciprocal", "corrected"] = "one",
        p_bias: Literal["flat", "front", "middle", "back"] = "flat",
        r_bias: Literal["flat", "front", "middle", "back"] = "flat",
        thresholds: Whole | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        p_alpha: Number = 0,
        r_alpha: Number = 0,
        cardinality: Literal["one", "reciprocal", "corrected"] = "one",
        p_bias: Literal["flat", "front", "middle", "back"] = "flat",
        r_bias: Literal["flat", "front", "middle", "back"] = "flat",
        thresholds: Whole | None = None,
    ) -> Self: ...

auc_pr_range: _LikeAucPrRange
"""PR area, ranges.

Area under range_precision against range_recall, sorted by recall, by
trapezoids, from recall 0 and precision 1 to recall 1 and the share of anomalous
points.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    One number per point, higher is more anomalous.
p_alpha : float, default: 0
    What being touched at all earns a flagged run, and an event.
r_alpha : float, default: 0
    What being touched at all earns a flagged run, and an event.
cardinality : "one", "reciprocal" or "corrected", default: 'one'
    What is left when several ranges share the work.
p_bias : "flat", "front", "middle" or "back", default: 'flat'
    Which positions of a flagged run, and of an event, weigh more.
r_bias : "flat", "front", "middle" or "back", default: 'flat'
    Which positions of a flagged run, and of an event, weigh more.
thresholds : int, default: None
    About how many thresholds to take, evenly by rank and always the highest (at most twice
    as many). Default: every distinct score, exactly.
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
A constant score: trapezoids from precision 1 give it (1 + Q)/2 where a share Q
of the points is anomalous, more than many a good detector gets; ask for `ap`
instead; else length: a short event, and a short false run, weigh as much as
long ones; with cardinality="one" fragments, which cost nothing; with alpha
above 0 also coverage.

Notes
-----
Every distinct score is a threshold unless `thresholds` says how many.
Not the same as range_auc_pr, the PR area with soft labels beside the events.
Crosswalk:
  TimeEval RangePrecisionRangeRecallAUC auc_pr_range(r_alpha=0.5, cardinality="reciprocal",
                                        thresholds=50)
  aeon rp_rr_auc_score                  the same

References
----------
S. Schmidl et al. (2022). Anomaly Detection in Time Series: A Comprehensive
Evaluation. PVLDB 15(9). doi:10.14778/3538598.3538602; after N. Tatbul et al.
(2018). Precision and Recall for Time Series. NeurIPS. arXiv:1803.03639.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> scores = [0.1, 0.6, 0.2, 0.3, 0.9, 0.8, 0.4, 0.1, 0.2, 0.3]
>>> aj.auc_pr_range(labels, scores)
0.7291666666666666
"""

affiliation_f1: _LikeF1
"""Affiliation F-score.

Harmonic mean of affiliation precision and affiliation recall.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
beta : float, default: 1
    How much more recall weighs than precision. 1 is F1.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event and no alarm. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
Distance: alarms anywhere near an event earn, and random ones score 0.5 and
more; read affiliation_f1_corrected beside it.

Notes
-----
A zone is the time that lies nearer to one event than to any other of its series; the
zones of all series weigh the same. Alarms in a series without events are one more zone, which earns
0.
Crosswalk:
  affiliation-metrics-py, pr_from_events(..., Trange=(0, n))   affiliation_precision, _recall
  tsadmetrics aff_f, beta                                      affiliation_f1(beta=...)
  TSAD_eval Affiliation, TSB-AD Affiliation-F of flags         affiliation_f1
Without alarms those give 0 or NaN as they please; here precision is NaN, recall and F are 0.

References
----------
A. Huet, J. M. Navarro, D. Rossi (2022). Local Evaluation of Time Series Anomaly
Detection Algorithms. KDD. arXiv:2206.13167.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.affiliation_f1(labels, flags)
0.8485436893203884
"""

affiliation_precision: _LikePrecision
"""Affiliation precision.

Mean over zones with alarms of the chance that a place in the zone lies further
from the event than a place of the alarms.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no alarm. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Missed events without alarms in their zone; and distance, false alarms far from
all events included: a random one earns 0.5 or more on average.

Notes
-----
A zone is the time that lies nearer to one event than to any other of its series; the
zones of all series weigh the same. Alarms in a series without events are one more zone, which earns
0.
Crosswalk:
  affiliation-metrics-py, pr_from_events(..., Trange=(0, n))   affiliation_precision, _recall
  tsadmetrics aff_f, beta                                      affiliation_f1(beta=...)
  TSAD_eval Affiliation, TSB-AD Affiliation-F of flags         affiliation_f1
Without alarms those give 0 or NaN as they please; here precision is NaN, recall and F are 0.

References
----------
A. Huet, J. M. Navarro, D. Rossi (2022). Local Evaluation of Time Series Anomaly
Detection Algorithms. KDD. arXiv:2206.13167.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.affiliation_precision(labels, flags)
0.7666666666666666
"""

affiliation_recall: _LikePrecision
"""Affiliation recall.

Mean over events of the chance that a place in the zone lies further from a
moment of the event than the nearest alarm; 0 for a zone without alarms.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Every false alarm, and misses: an alarm nearby earns most of the credit.

Notes
-----
A zone is the time that lies nearer to one event than to any other of its series; the
zones of all series weigh the same. Alarms in a series without events are one more zone, which earns
0.
Crosswalk:
  affiliation-metrics-py, pr_from_events(..., Trange=(0, n))   affiliation_precision, _recall
  tsadmetrics aff_f, beta                                      affiliation_f1(beta=...)
  TSAD_eval Affiliation, TSB-AD Affiliation-F of flags         affiliation_f1
Without alarms those give 0 or NaN as they please; here precision is NaN, recall and F are 0.

References
----------
A. Huet, J. M. Navarro, D. Rossi (2022). Local Evaluation of Time Series Anomaly
Detection Algorithms. KDD. arXiv:2206.13167.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.affiliation_recall(labels, flags)
0.95
"""

class _LikeAffiliationF1Corrected(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        chance: Literal["zones", "half"] = "zones",
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        chance: Literal["zones", "half"] = "zones",
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

affiliation_f1_corrected: _LikeAffiliationF1Corrected
"""Affiliation F-score, corrected for chance.

Harmonic mean of affiliation recall and chance-corrected affiliation precision,
negative where that is.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
chance : "zones" or "half", default: 'zones'
    What an alarm earns by chance: as above, or one half everywhere.
beta : float, default: 1
    How much more recall weighs than precision.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From -inf to 1, higher is better. NaN: no event and no alarm, or no place
    for a wrong one. Called with settings alone it gives a new metric that has
    them.

What it forgives
----------------
Distance, as far as it beats chance; the recall of frequent alarms.

Notes
-----
Crosswalk:
  CCE NAff ("signed")                   chance="half": P' = (P - 1/2) / (1 - 1/2)
  tsadmetrics naff_f, alpha=0.5         chance="half" where P' >= 0; below it, its denominator
                                        takes P' with its sign and may vanish
  CCE UAff                              as chance="zones", but its level is the mean of three random
                                        draws, which no seed fixes
The level of a zone is (1 + p^2) / 2 for an event that takes the share p of it: exact, so nothing
is drawn. There is no lower end: where an event nearly fills its zone, chance is near 1, and an
alarm beside the event far below it. Recall is as before: near 1 for frequent alarms, whatever they
know.

References
----------
After A. Huet, J. M. Navarro, D. Rossi (2022). Local Evaluation of Time Series
Anomaly Detection Algorithms. KDD. arXiv:2206.13167.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.affiliation_f1_corrected(labels, flags)
0.6055776892430278
"""

class _LikeAffiliationPrecisionCorrected(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        chance: Literal["zones", "half"] = "zones",
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        chance: Literal["zones", "half"] = "zones",
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

affiliation_precision_corrected: _LikeAffiliationPrecisionCorrected
"""Affiliation precision, corrected for chance.

(P - c) / (1 - c) for affiliation precision P and the mean c, over zones with
alarms, of what an alarm earns that falls anywhere in its zone: (1 + p^2) / 2 if
the event takes the share p of it.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
chance : "zones" or "half", default: 'zones'
    What an alarm earns by chance: as above, or one half everywhere.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From -inf to 1, higher is better. NaN: no alarm, or no place for a wrong
    one. Called with settings alone it gives a new metric that has them.

What it forgives
----------------
Distance, as far as it beats chance; missed events without alarms in their zone.

Notes
-----
Crosswalk:
  CCE NAff ("signed")                   chance="half": P' = (P - 1/2) / (1 - 1/2)
  tsadmetrics naff_f, alpha=0.5         chance="half" where P' >= 0; below it, its denominator
                                        takes P' with its sign and may vanish
  CCE UAff                              as chance="zones", but its level is the mean of three random
                                        draws, which no seed fixes
The level of a zone is (1 + p^2) / 2 for an event that takes the share p of it: exact, so nothing
is drawn. There is no lower end: where an event nearly fills its zone, chance is near 1, and an
alarm beside the event far below it. Recall is as before: near 1 for frequent alarms, whatever they
know.

References
----------
After A. Huet, J. M. Navarro, D. Rossi (2022). Local Evaluation of Time Series
Anomaly Detection Algorithms. KDD. arXiv:2206.13167.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.affiliation_precision_corrected(labels, flags)
0.44444444444444436
"""

class _LikeDelayF1(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        k: Whole | None | Duration = 7,
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        k: Whole | None | Duration = 7,
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

delay_f1: _LikeDelayF1
"""F-score of points, hit in time.

Harmonic mean of delay_precision and delay_recall.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
k : int, duration or None, default: 7
    How many points, or how much time, there is to raise the alarm in. None: all, which is
    point adjustment.
beta : float, default: 1
    How much more recall weighs than precision. 1 is F1.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event and no alarm. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
Low coverage of an event hit in time; a late hit is worth nothing, and a false
alarm costs one point.

Notes
-----
k counts points: k=1 asks for the first one. The default k=7 is the paper's for
minutely series; that of tsadmetrics is 1, and that of TSAD_eval is 2 (k=3 here). Crosswalk:
  tsadmetrics dtpaf, k                        delay_f1(k=k)
  TSAD_eval DelayThresholdedPointAdjust, k    delay_f1(k=k + 1): it counts points after the first
  k=None                                      point adjustment

References
----------
H. Ren et al. (2019). Time-Series Anomaly Detection Service at Microsoft. KDD.
arXiv:1906.03821.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.delay_f1(labels, flags)
0.8888888888888888
"""

class _LikeDelayPrecision(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        k: Whole | None | Duration = 7,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        k: Whole | None | Duration = 7,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

delay_precision: _LikeDelayPrecision
"""Precision of points, hit in time.

Share of the flagged points that are anomalous, after an event that is hit
within its first `k` points counts as a whole and any other as missed.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
k : int, duration or None, default: 7
    How many points, or how much time, there is to raise the alarm in. None: all, which is
    point adjustment.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no alarm. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Missed events, and late hits, which count as no alarm; and low coverage of an
event hit in time; a false alarm costs one point.

Notes
-----
k counts points: k=1 asks for the first one. The default k=7 is the paper's for
minutely series; that of tsadmetrics is 1, and that of TSAD_eval is 2 (k=3 here). Crosswalk:
  tsadmetrics dtpaf, k                        delay_f1(k=k)
  TSAD_eval DelayThresholdedPointAdjust, k    delay_f1(k=k + 1): it counts points after the first
  k=None                                      point adjustment

References
----------
H. Ren et al. (2019). Time-Series Anomaly Detection Service at Microsoft. KDD.
arXiv:1906.03821.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.delay_precision(labels, flags)
0.8
"""

delay_recall: _LikeDelayPrecision
"""Recall of points, hit in time.

Share of the anomalous points in events that are hit within their first `k`
points.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
k : int, duration or None, default: 7
    How many points, or how much time, there is to raise the alarm in. None: all, which is
    point adjustment.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Every false alarm; and low coverage of an event hit in time; a late hit is worth
nothing.

Notes
-----
k counts points: k=1 asks for the first one. The default k=7 is the paper's for
minutely series; that of tsadmetrics is 1, and that of TSAD_eval is 2 (k=3 here). Crosswalk:
  tsadmetrics dtpaf, k                        delay_f1(k=k)
  TSAD_eval DelayThresholdedPointAdjust, k    delay_f1(k=k + 1): it counts points after the first
  k=None                                      point adjustment

References
----------
H. Ren et al. (2019). Time-Series Anomaly Detection Service at Microsoft. KDD.
arXiv:1906.03821.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.delay_recall(labels, flags)
1.0
"""

class _LikeLatencyF1(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        window: Whole | Duration = 1,
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        window: Whole | Duration = 1,
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

latency_f1: _LikeLatencyF1
"""F-score of batches, from the first hit on.

Harmonic mean of latency_precision and latency_recall.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
window : int or duration, default: 1
    Points of a batch, or its time. False alarms within one batch cost once.
beta : float, default: 1
    How much more recall weighs than precision. 1 is F1.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event and no alarm. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
Gaps after the first hit, and false alarms beyond the first of a batch, so much
that random alarms come close to honest ones on long events.

Notes
-----
Crosswalk:
  tsadmetrics lsaf, ni            latency_f1(window=ni)
  TSAD_eval LatencySparsityAware  latency_f1(window=tw); both add 1e-5 to denominators

References
----------
A. Abdulaal, Z. Liu, T. Lancewicki (2021). Practical Approach to Asynchronous
Multivariate Time Series Anomaly Detection and Localization. KDD.
10.1145/3447548.3467174.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.latency_f1(labels, flags)
0.75
"""

class _LikeLatencyPrecision(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        window: Whole | Duration = 1,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        window: Whole | Duration = 1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

latency_precision: _LikeLatencyPrecision
"""Precision of batches, from the first hit on.

Share of the flagged batches that hold an anomalous point.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
window : int or duration, default: 1
    Points of a batch, or its time. False alarms within one batch cost once.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no alarm. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Missed events; and gaps after the first hit, which count as right, and false
alarms beyond the first of a batch, so much that random alarms may beat honest
ones on long events.

Notes
-----
Crosswalk:
  tsadmetrics lsaf, ni            latency_f1(window=ni)
  TSAD_eval LatencySparsityAware  latency_f1(window=tw); both add 1e-5 to denominators

References
----------
A. Abdulaal, Z. Liu, T. Lancewicki (2021). Practical Approach to Asynchronous
Multivariate Time Series Anomaly Detection and Localization. KDD.
10.1145/3447548.3467174.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.latency_precision(labels, flags)
0.75
"""

latency_recall: _LikeLatencyPrecision
"""Recall of batches, from the first hit on.

Share of the anomalous batches that come with or after the first alarm in their
event.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
window : int or duration, default: 1
    Points of a batch, or its time. False alarms within one batch cost once.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Every false alarm; and gaps after the first hit.

Notes
-----
Crosswalk:
  tsadmetrics lsaf, ni            latency_f1(window=ni)
  TSAD_eval LatencySparsityAware  latency_f1(window=tw); both add 1e-5 to denominators

References
----------
A. Abdulaal, Z. Liu, T. Lancewicki (2021). Practical Approach to Asynchronous
Multivariate Time Series Anomaly Detection and Localization. KDD.
10.1145/3447548.3467174.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.latency_recall(labels, flags)
0.75
"""

class _LikeTolerantF1(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        tolerance: Whole | Duration = 5,
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        tolerance: Whole | Duration = 5,
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

tolerant_f1: _LikeTolerantF1
"""F-score of points, near enough.

Harmonic mean of tolerant_precision and tolerant_recall.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
tolerance : int or duration, default: 5
    How many points, or how much time, apart still counts.
beta : float, default: 1
    How much more recall weighs than precision. 1 is F1.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event and no alarm. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
Being early or late by up to the tolerance, and every gap of up to twice as
much.

Notes
-----
Crosswalk:
  tsadmetrics ttf, t              tolerant_f1(tolerance=t)
  TSAD_eval Time_Tolerant, d      tolerant_f1(tolerance=d)

References
----------
E. Scharwächter and E. Müller (2020). Statistical Evaluation of Anomaly
Detectors for Sequences. arXiv:2008.05788.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.tolerant_f1(labels, flags)
1.0
"""

class _LikeTolerantPrecision(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        tolerance: Whole | Duration = 5,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        tolerance: Whole | Duration = 5,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

tolerant_precision: _LikeTolerantPrecision
"""Precision of points, near enough.

Share of the flagged points with an anomalous point within `tolerance`.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
tolerance : int or duration, default: 5
    How many points, or how much time, apart still counts.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no alarm. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Missed events; and being early or late by up to the tolerance.

Notes
-----
Crosswalk:
  tsadmetrics ttf, t              tolerant_f1(tolerance=t)
  TSAD_eval Time_Tolerant, d      tolerant_f1(tolerance=d)

References
----------
E. Scharwächter and E. Müller (2020). Statistical Evaluation of Anomaly
Detectors for Sequences. arXiv:2008.05788.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.tolerant_precision(labels, flags)
1.0
"""

tolerant_recall: _LikeTolerantPrecision
"""Recall of points, near enough.

Share of the anomalous points with a flagged point within `tolerance`.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
tolerance : int or duration, default: 5
    How many points, or how much time, apart still counts.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Every false alarm; and being early or late by up to the tolerance, and every gap
of up to twice as much.

Notes
-----
Crosswalk:
  tsadmetrics ttf, t              tolerant_f1(tolerance=t)
  TSAD_eval Time_Tolerant, d      tolerant_f1(tolerance=d)

References
----------
E. Scharwächter and E. Müller (2020). Statistical Evaluation of Anomaly
Detectors for Sequences. arXiv:2008.05788.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.tolerant_recall(labels, flags)
1.0
"""

class _LikeSoftedF1(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        reach: Whole | Duration = 15,
        match: Literal["nearest", "one_to_one"] = "nearest",
        starts: Boolean = False,
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        reach: Whole | Duration = 15,
        match: Literal["nearest", "one_to_one"] = "nearest",
        starts: Boolean = False,
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

softed_f1: _LikeSoftedF1
"""F-score of points, the nearer the better.

Harmonic mean of softed_precision and softed_recall.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
reach : int or duration, default: 15
    The distance k, in points or in time, from which on a match is worth nothing.
match : "nearest" or "one_to_one", default: 'nearest'
    Who is matched with whom.
starts : bool, default: False
    Whether events and runs are judged by their first points alone.
beta : float, default: 1
    How much more recall weighs than precision. 1 is F1.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event and no alarm. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
Being early or late, the less the further, up to the reach.

Notes
-----
Made for events of one point: of longer ones every point is an event of its own
(starts=True judges by first points alone). A match at the distance reach is worth nothing. Two
versions, which differ where alarms crowd: anomalous at 10 and 12, flagged at 9 and 10, reach=5:
.5 by "nearest", .7 by "one_to_one". "nearest" may change when time is read backwards. Crosswalk:
  cefet-rj-dal/softed, k                    softed_f1(reach=k)
  harbinger har_eval_soft, sw_size, before  softed_f1(reach=sw_size)
  harbinger har_eval_soft, sw_size, now     softed_f1(reach=sw_size, match="one_to_one")

References
----------
R. Salles et al. (2023). SoftED: Metrics for Soft Evaluation of Time Series
Event Detection. arXiv:2304.00439.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.softed_f1(labels, flags)
0.819047619047619
"""

class _LikeSoftedPrecision(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        reach: Whole | Duration = 15,
        match: Literal["nearest", "one_to_one"] = "nearest",
        starts: Boolean = False,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        reach: Whole | Duration = 15,
        match: Literal["nearest", "one_to_one"] = "nearest",
        starts: Boolean = False,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

softed_precision: _LikeSoftedPrecision
"""Precision of points, the nearer the better.

Mean worth of the flagged points: 1 - distance / `reach` for the match with an
anomalous point, else 0.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
reach : int or duration, default: 15
    The distance k, in points or in time, from which on a match is worth nothing.
match : "nearest" or "one_to_one", default: 'nearest'
    Who is matched with whom.
starts : bool, default: False
    Whether events and runs are judged by their first points alone.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no alarm. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Missed events; and being early or late, the less the further.

Notes
-----
Made for events of one point: of longer ones every point is an event of its own
(starts=True judges by first points alone). A match at the distance reach is worth nothing. Two
versions, which differ where alarms crowd: anomalous at 10 and 12, flagged at 9 and 10, reach=5:
.5 by "nearest", .7 by "one_to_one". "nearest" may change when time is read backwards. Crosswalk:
  cefet-rj-dal/softed, k                    softed_f1(reach=k)
  harbinger har_eval_soft, sw_size, before  softed_f1(reach=sw_size)
  harbinger har_eval_soft, sw_size, now     softed_f1(reach=sw_size, match="one_to_one")

References
----------
R. Salles et al. (2023). SoftED: Metrics for Soft Evaluation of Time Series
Event Detection. arXiv:2304.00439.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.softed_precision(labels, flags)
0.9555555555555556
"""

softed_recall: _LikeSoftedPrecision
"""Recall of points, the nearer the better.

The worth of all matches, as a share of the anomalous points.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
reach : int or duration, default: 15
    The distance k, in points or in time, from which on a match is worth nothing.
match : "nearest" or "one_to_one", default: 'nearest'
    Who is matched with whom.
starts : bool, default: False
    Whether events and runs are judged by their first points alone.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Every false alarm; and being early or late, the less the further.

Notes
-----
Made for events of one point: of longer ones every point is an event of its own
(starts=True judges by first points alone). A match at the distance reach is worth nothing. Two
versions, which differ where alarms crowd: anomalous at 10 and 12, flagged at 9 and 10, reach=5:
.5 by "nearest", .7 by "one_to_one". "nearest" may change when time is read backwards. Crosswalk:
  cefet-rj-dal/softed, k                    softed_f1(reach=k)
  harbinger har_eval_soft, sw_size, before  softed_f1(reach=sw_size)
  harbinger har_eval_soft, sw_size, now     softed_f1(reach=sw_size, match="one_to_one")

References
----------
R. Salles et al. (2023). SoftED: Metrics for Soft Evaluation of Time Series
Event Detection. arXiv:2304.00439.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.softed_recall(labels, flags)
0.7166666666666667
"""

f1_kpa_area: _LikeF1
"""F-score, coverage-adjusted, over every K.

Mean of the coverage-adjusted F-score over all shares k from 0 to 1, exactly.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
beta : float, default: 1
    How much more recall weighs than precision.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event and no alarm. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
Coverage, in part: an event covered by a share c counts as a whole at that share
of all k; a false alarm costs one point.

Notes
-----
Others take the mean over 100 values of K, and choose the threshold anew for each.

References
----------
S. Kim et al. (2022). Towards a Rigorous Evaluation of Time-Series Anomaly
Detection. AAAI. arXiv:2109.05257.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.f1_kpa_area(labels, flags)
0.7301587301587301
"""

class _LikeDetectionDelay(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        average: Literal["mean", "median"] = "mean",
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        average: Literal["mean", "median"] = "mean",
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

detection_delay: _LikeDetectionDelay
"""Detection delay.

Mean number of points from the start of an event to its first flag, over found
events.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
average : "mean" or "median", default: 'mean'
    Whether all found events weigh the same, or only the one in the middle (the two in the
    middle of an even number, half each).
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to inf, lower is better. NaN: no event is found. Called with settings
    alone it gives a new metric that has them.

What it forgives
----------------
Missed events and every false alarm (an alarm over everything has delay 0): read
it beside event recall and precision.

Notes
-----
An alarm that lasts into the event from before has delay 0. Over several series,
the found events of all of them weigh the same.
Crosswalk:
  tadmetric evaluate(...).latency    detection_delay; None, where it is undefined
  tsadmetrics mttd                   another thing: it takes the next flag anywhere, and missed
                                     events count as 0

References
----------
Common practice, for instance in salesforce/Merlion (mean time to detect).

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.detection_delay(labels, flags)
1.0
"""

class _LikeEarlyDetection(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        share: Number = 0.1,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        share: Number = 0.1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

early_detection: _LikeEarlyDetection
"""Early detection score.

Mean over events of 1 - (i - b) / (e - b) for the first flag i in a window b to
e around the event's start; 0 without one.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
share : float, default: 0.1
    Share of the series that all windows have together.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Every false alarm, coverage, and alarms that only happen to come before: a flag
at every point scores 1.

Notes
-----
Windows have share * n / m points for m events in a series of n points, and slide
where they would leave the series; each series has its own. An alarm at the very start of an event
earns about 1/2.
Crosswalk:
  tsadmetrics eds    early_detection

References
----------
The ADE paper (2017), IEEE Xplore 7987370, as read by tsadmetrics.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.early_detection(labels, flags)
0.0
"""

class _LikeAdtqc(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        exponent: Number = 2.718281828459045,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        exponent: Number = 2.718281828459045,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

adtqc: _LikeAdtqc
"""Timing quality of detections.

Mean over found events of a curve in the start of the first alarm that overlaps:
1 at the event's start, falling to 0 one length before and at its end.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
exponent : float, default: 2.718281828459045
    How fast the credit falls with the distance.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event is found. Called with settings
    alone it gives a new metric that has them.

What it forgives
----------------
Missed events, coverage and every false alarm: read it beside event recall.

Notes
-----
Crosswalk:
  ESA-ADB ADTQC "Total"    adtqc, of one channel (of several: channel_adtqc); there the length of
                           an event is the time from its first to its last sample, here it is its
                           number of points

References
----------
K. Kotowski et al. (2024). European Space Agency Benchmark for Anomaly Detection
in Satellite Telemetry. arXiv:2406.17826.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.adtqc(labels, flags)
0.9519530848671022
"""

class _LikeFalseAlarmRate(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        per: Number | Duration = 1,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        per: Number | Duration = 1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

false_alarm_rate: _LikeFalseAlarmRate
"""False alarms per time.

Flagged runs that touch no event, per `per` normal points.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
per : float or duration, default: 1
    How many points the rate is for, or how much time: "1h", "1d".
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to inf, lower is better. NaN: no normal point. Called with settings
    alone it gives a new metric that has them.

What it forgives
----------------
Missed events, and length: a false alarm counts once however long it lasts, and
an alarm over everything touches an event, so it is no false one.

Notes
-----
per=1 is the rate per normal point, between 0 and 1; with as many as an hour has it
is false alarms per hour of normal operation. Runs and normal points are summed over all series.

References
----------
Common practice in operation: false alarms per hour.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.false_alarm_rate(labels, flags)
0.16666666666666666
"""

false_alarms: _LikeFalseAlarmRate
"""False alarms per watched time.

Flagged runs that touch no event, per `per` judged points.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
per : float or duration, default: 1
    How many points the rate is for, or how much time: "1w", "1d".
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to inf, lower is better. NaN: never. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Missed events, and length: a false alarm counts once however long it lasts, and
an alarm over everything touches an event, so it is no false one.

Notes
-----
false_alarms(per="1w") is what one person on call gets in a week in which somebody
watches; false_alarm_rate divides by the time without events. Of incidents and alerts of several
services it is per week of the team: the time in which at least one of them was watched.

References
----------
Common practice of on-call teams: false pages per week.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.false_alarms(labels, flags)
0.1
"""

reset_time: _LikePrecision
"""Reset time.

Mean number of points from the end of an event to that of the last alarm that
overlaps it, over found events.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From -inf to inf, lower is better. NaN: no event is found. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
Missed events and every false alarm: read it beside event recall and precision.

Notes
-----
Negative: alarms end before their events do. Of incidents and alerts, those that
are still open have none.

References
----------
Common practice of on-call teams: how long a page goes on after the incident.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.reset_time(labels, flags)
-1.0
"""

temporal_distance: _LikePrecision
"""Temporal distance.

Sum of the distances of all anomalous points to the nearest flag, and of all
flagged points to the nearest event.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to inf, lower is better. NaN: never (0 with no event and no alarm:
    there is nothing to sum). Called with settings alone it gives a new metric
    that has them.

What it forgives
----------------
False alarms, where events are far apart: random alarms, spread over all time,
are near every event and beat an honest detector that misses one; it has no
scale, and grows with every event and every alarm.

Notes
-----
A point of a series in which the other side has nothing lies as far off as the
series is long. Sums run over all series.
Crosswalk:
  TSAD_eval Temporal_Distance, tsadmetrics td, distance=0    temporal_distance
  tsadmetrics td, distance=1     squares each of the two sums before adding them: not offered

References
----------
S. Sørbø, M. Ruocco (2023). Navigating the Metric Maze: A Taxonomy of Evaluation
Metrics for Anomaly Detection in Time Series. arXiv:2303.01272.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.temporal_distance(labels, flags)
4.0
"""

class _LikeChamferDistance(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        side: Literal["both", "truth", "alarms"] = "both",
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        side: Literal["both", "truth", "alarms"] = "both",
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

chamfer_distance: _LikeChamferDistance
"""Chamfer distance.

Mean distance of anomalous points to the nearest flag, plus mean distance of
flagged points to the nearest event.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
side : "both", "truth" or "alarms", default: 'both'
    Both means, or one of them alone; NaN where that side has no point.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to inf, lower is better. NaN: no event and no alarm. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
A few far false alarms among many near ones; and random alarms or an alarm over
everything, which beat an honest detector that misses an event far from its
alarms.

Notes
-----
side="truth" and side="alarms" ask one way only (NaN where that side has no point).
Where one side has no point at all, the other's mean (the length of the series) counts twice.
Crosswalk:
  sktime DirectedChamfer(normalize=True)    chamfer_distance(side="alarms")

References
----------
H. G. Barrow et al. (1977). Parametric Correspondence and Chamfer Matching: Two
New Techniques for Image Matching. IJCAI.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.chamfer_distance(labels, flags)
1.1666666666666665
"""

hausdorff_distance: _LikeChamferDistance
"""Hausdorff distance.

Distance of the anomalous or flagged point that lies farthest from the other
side.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
side : "both", "truth" or "alarms", default: 'both'
    Points of both sides, or of one of them alone; NaN where that side has no point.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to inf, lower is better. NaN: no event and no alarm. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
All but the worst point: one far false alarm is as bad as a thousand; and random
alarms or an alarm over everything, which beat an honest detector that misses an
event far from its alarms.

Notes
-----
side="truth" and side="alarms" ask one way only (NaN where that side has no point).
It is the length of the series where one side has no point in it.
Crosswalk:
  sktime DirectedHausdorff    hausdorff_distance(side="alarms"), by its name

References
----------
F. Hausdorff (1914). Grundzüge der Mengenlehre.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.hausdorff_distance(labels, flags)
2.0
"""

class _LikeNab(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        profile: Literal["standard", "low_fp", "low_fn"] = "standard",
        probation: Number = 0,
        normalise: Boolean = True,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        profile: Literal["standard", "low_fp", "low_fn"] = "standard",
        probation: Number = 0,
        normalise: Boolean = True,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

nab: _LikeNab
"""Numenta benchmark score.

Rewards of windows by the first alarm in them, less costs of missed windows and
of false points, scaled so that silence is 0 and perfection 100.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
profile : "standard", "low_fp" or "low_fn", default: 'standard'
    What alarms earn and cost.
probation : float, default: 0
    Share of each series, at its start, in which flags neither earn nor cost (the
    benchmark: 0.15), but of no more than 5,000 points of it. A window that lies in it wholly
    counts for nothing.
normalise : bool, default: True
    Whether to scale; False gives S itself.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From -inf to 100, higher is better. NaN: no event, when normalised;
    otherwise never. Called with settings alone it gives a new metric that has
    them.

What it forgives
----------------
Coverage, and false alarms just behind a window.

Notes
-----
Profiles (window found at once, false point, missed window):
  standard 1, -0.11, -1    low_fp 1, -0.22, -1    low_fn 1, -0.11, -2
Events are the benchmark's windows: whoever wants slack before and after an event labels it so.
Every flagged point outside counts; in a window only the first does. Behind a window of one point
costs rise as behind one of two (the benchmark's code divides by zero there).
Crosswalk:
  NAB per series, raw            nab(probation=0.15, normalise=False); NAB flags score >= threshold
  NAB corpus score               nab(probation=0.15) with series=: sums over all series, then scaled
  TSAD_eval NAB_score            nab; NaN there for windows of one point
  tsadmetrics nab_score          nab

References
----------
A. Lavin, S. Ahmad (2015). Evaluating Real-time Anomaly Detection Algorithms -
the Numenta Anomaly Benchmark. ICMLA. arXiv:1510.03336.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.nab(labels, flags)
92.84945439000303
"""

class _LikeCosts(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        miss: Number | str = 10,
        false: Number = 1,
        night: Number = 0,
        delay: Number | str = 0,
        hours: str = "22:00-07:00",
        zone: str | None = None,
        per: str | None = None,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        miss: Number | str = 10,
        false: Number = 1,
        night: Number = 0,
        delay: Number | str = 0,
        hours: str = "22:00-07:00",
        zone: str | None = None,
        per: str | None = None,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

costs: _LikeCosts
"""Costs of misses, false pages and delays.

Price of every missed event, of every flagged run that touches none, and of the
time until an event's first flag, per watched time.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
miss : price, or mapping of prices, default: 10
    What a missed event costs; by severity where adjudge.Incidents have one.
false : price, default: 1
    What a false page costs.
night : price, default: 0
    What a false page costs more if it begins at night.
delay : price per time, or per point, default: 0
    What it costs that the first alarm comes after the event's start, such as "2/min".
hours : str, default: '22:00-07:00'
    When it is night.
zone : str, default: None
    Where the people are, such as "Europe/Berlin". Default: the zone of the times.
per : duration, default: None
    The watched time that costs are told for. Default: a week where times are known, else all.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to inf, lower is better. NaN: no judged point, where times are known.
    Called with settings alone it gives a new metric that has them.

What it forgives
----------------
Length: a false page costs once however long it lasts, and an alarm over
everything touches an event, so it costs nothing; second pages for a found
event.

Notes
-----
Told for a week of watched time (per="1w") where times are known, else for all of
it. Every price is in the caller's own unit; miss=10, false=1 says that ten pages for nothing are
worth one more incident. Beside it stand detectors that need no data: paging nobody, at every point,
and every so many hours.

References
----------
A. J. Vickers, E. B. Elkin (2006). Decision Curve Analysis. Medical Decision
Making 26(6). For pages: common practice of on-call teams.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.costs(labels, flags)
1.0
"""

class _LikeOiprF1(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        linger: Whole | Duration = "auto",
        tire: Whole | Duration = "auto",
        floor: Number = 0.5,
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        linger: Whole | Duration = "auto",
        tire: Whole | Duration = "auto",
        floor: Number = 0.5,
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

oipr_f1: _LikeOiprF1
"""F-score of interest.

Harmonic mean of oipr_precision and oipr_recall.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
linger : int, duration or "auto", default: 'auto'
    For how many points, or how long, interest fades after the last flag (l_obs of the paper).
    "auto": the mean length of the events, rounded up.
tire : int, duration or "auto", default: 'auto'
    In how many points of an episode interest falls to the floor (l_dis of the paper). "auto":
    half the mean length of the events, rounded up.
floor : float, default: 0.5
    What interest is left in an alarm that goes on and on (b of the paper).
beta : float, default: 1
    How much more recall weighs than precision. 1 is F1.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event and no alarm. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
Gaps of up to `linger` points, and alarms that come late by up to `linger`
points, in part; length, in part: the longer an event or an alarm lasts, the
less its points count; with a long `linger` false alarms between two events,
which merge with them.

Notes
-----
linger=0, floor=1 is pointwise. Crosswalk:
  weatherjyh/OIPR, l_obs, l_dis, b    linger=l_obs, tire=l_dis, floor=b
  the same, "auto"                    the defaults here: l_obs is the mean length of the events
                                      rounded up, l_dis half of it, b is 0.5
  its class defaults, its README      linger=2, tire=0, floor=1;  linger=20, tire=5, floor=0.5
There precision and recall are 0 where they are undefined. An alarm shortly before an event starts
the episode early, so that the event itself earns little more than the floor.
Series: interest fades within `linger` points after the end of each, and reaches into no other.

References
----------
Y. Jing et al. (2025). OIPR: Evaluation for Time-series Anomaly Detection
Inspired by Operator Interest. arXiv:2503.01260.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.oipr_f1(labels, flags)
0.556932352655257
"""

class _LikeOiprPrecision(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        linger: Whole | Duration = "auto",
        tire: Whole | Duration = "auto",
        floor: Number = 0.5,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        linger: Whole | Duration = "auto",
        tire: Whole | Duration = "auto",
        floor: Number = 0.5,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

oipr_precision: _LikeOiprPrecision
"""Precision of interest.

Share of the interest in the alarms that the labels draw too; interest wears off
while flags keep coming, and fades for `linger` points after the last.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
linger : int, duration or "auto", default: 'auto'
    For how many points, or how long, interest fades after the last flag (l_obs of the paper).
    "auto": the mean length of the events, rounded up.
tire : int, duration or "auto", default: 'auto'
    In how many points of an episode interest falls to the floor (l_dis of the paper). "auto":
    half the mean length of the events, rounded up.
floor : float, default: 0.5
    What interest is left in an alarm that goes on and on (b of the paper).
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no alarm. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Missed events; gaps of up to `linger` points, and alarms that come late by up to
`linger` points, in part.

Notes
-----
linger=0, floor=1 is pointwise. Crosswalk:
  weatherjyh/OIPR, l_obs, l_dis, b    linger=l_obs, tire=l_dis, floor=b
  the same, "auto"                    the defaults here: l_obs is the mean length of the events
                                      rounded up, l_dis half of it, b is 0.5
  its class defaults, its README      linger=2, tire=0, floor=1;  linger=20, tire=5, floor=0.5
There precision and recall are 0 where they are undefined. An alarm shortly before an event starts
the episode early, so that the event itself earns little more than the floor.
Series: interest fades within `linger` points after the end of each, and reaches into no other.

References
----------
Y. Jing et al. (2025). OIPR: Evaluation for Time-series Anomaly Detection
Inspired by Operator Interest. arXiv:2503.01260.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.oipr_precision(labels, flags)
0.5421002189221862
"""

oipr_recall: _LikeOiprPrecision
"""Recall of interest.

Share of the interest in the labels that the alarms draw too.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
linger : int, duration or "auto", default: 'auto'
    For how many points, or how long, interest fades after the last flag (l_obs of the paper).
    "auto": the mean length of the events, rounded up.
tire : int, duration or "auto", default: 'auto'
    In how many points of an episode interest falls to the floor (l_dis of the paper). "auto":
    half the mean length of the events, rounded up.
floor : float, default: 0.5
    What interest is left in an alarm that goes on and on (b of the paper).
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Every false alarm but one just before an event, which takes its interest away;
and alarms that come late by up to `linger` points, in part.

Notes
-----
linger=0, floor=1 is pointwise. Crosswalk:
  weatherjyh/OIPR, l_obs, l_dis, b    linger=l_obs, tire=l_dis, floor=b
  the same, "auto"                    the defaults here: l_obs is the mean length of the events
                                      rounded up, l_dis half of it, b is 0.5
  its class defaults, its README      linger=2, tire=0, floor=1;  linger=20, tire=5, floor=0.5
There precision and recall are 0 where they are undefined. An alarm shortly before an event starts
the episode early, so that the event itself earns little more than the floor.
Series: interest fades within `linger` points after the end of each, and reaches into no other.

References
----------
Y. Jing et al. (2025). OIPR: Evaluation for Time-series Anomaly Detection
Inspired by Operator Interest. arXiv:2503.01260.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.oipr_recall(labels, flags)
0.5725989468734405
"""

class _LikeSdqe(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        near: Whole | Duration = 125,
        version: Literal["2026-05", "2026-03"] = "2026-05",
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        near: Whole | Duration = 125,
        version: Literal["2026-05", "2026-03"] = "2026-05",
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

sdqe: _LikeSdqe
"""Quality of detection at one threshold.

Mean over events of sqrt((hit + near) / 2 * quiet): whether the event is hit,
how near and how short the alarms within `near` points of it are, and how little
is flagged beyond.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
near : int or duration, default: 125
    How many points, or how much time, beside an event are near: W.
version : "2026-05" or "2026-03", default: '2026-05'
    The authors' code of May 2026, or that of March (probably the paper's): there near alarms
    are also credited by the mean distance of their middles from the event, an alarm in the near
    zones of two events counts for both, and a far alarm over the middle between two events
    belongs wholly to the one on whose side more of it lies.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Low coverage: an event is hit by one point; a wide `near` on a short series
forgives every false alarm, because no time is far then: an alarm over
everything scores close to 1; alarms in a series without events.

Notes
-----
version="2026-05"   Yueweilirepo/DQE, commit 16a74c4
version="2026-03"   commit da822d6, the day before the paper appeared; but where that code fuses two
                    runs over the middle between two events, they stay two here
Later commits (another term for false alarms) and those up to February 2026 (DQE_F1) are other
metrics. The benchmark there takes near = half the period of the series. Where alarms touch a far
zone and none is near, the near part falls from 1 to 0 at once: exact detection and one far false
point scores about .8. Series: each has its own zones, and the events of all weigh the same.

References
----------
Y. Li et al. (2026). DQE. arXiv:2603.06131; defined by the authors' code,
Yueweilirepo/DQE (the paper's text was not at hand).

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.sdqe(labels, flags)
0.9970035105254144
"""

class _LikeDqe(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        near: Whole | Duration = 125,
        version: Literal["2026-05", "2026-03"] = "2026-05",
        thresholds: Whole | None = 100,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        near: Whole | Duration = 125,
        version: Literal["2026-05", "2026-03"] = "2026-05",
        thresholds: Whole | None = 100,
    ) -> Self: ...

dqe: _LikeDqe
"""Quality of detection over thresholds.

Mean of sdqe over `thresholds` thresholds, evenly spaced between the lowest and
the highest score.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    One number per point, higher is more anomalous.
near : int, default: 125
    How many points beside an event are near.
version : "2026-05" or "2026-03", default: '2026-05'
    The authors' code of May 2026, or that of March (probably the paper's).
thresholds : int or None, default: 100
    How many thresholds. None: the exact integral over t from 0 to 1, for which every distinct
    score is one.
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event, or scores that are not all
    finite. Called with settings alone it gives a new metric that has them.

What it forgives
----------------
Low coverage: an event is hit by one point; a wide `near` on a short series
forgives every false alarm, because no time is far then: an alarm over
everything scores close to 1; alarms in a series without events.

Notes
-----
version="2026-05"   Yueweilirepo/DQE, commit 16a74c4
version="2026-03"   commit da822d6, the day before the paper appeared; but where that code fuses two
                    runs over the middle between two events, they stay two here
Later commits (another term for false alarms) and those up to February 2026 (DQE_F1) are other
metrics. The benchmark there takes near = half the period of the series. Where alarms touch a far
zone and none is near, the near part falls from 1 to 0 at once: exact detection and one far false
point scores about .8. Series: each has its own zones, and the events of all weigh the same.
Only here a point is flagged when its scaled score is t or more, for t = 1, 0.99, ..., 0.01. The
spacing of the scores matters: squares of scores score differently. thresholds=None is the exact
integral over t, and takes as long as that many distinct scores take.

References
----------
Y. Li et al. (2026). DQE. arXiv:2603.06131; defined by the authors' code,
Yueweilirepo/DQE (the paper's text was not at hand).

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> scores = [0.1, 0.6, 0.2, 0.3, 0.9, 0.8, 0.4, 0.1, 0.2, 0.3]
>>> aj.dqe(labels, scores)
0.9978913792075916
"""

class _LikeChangeF1(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        distance: Whole | None | Duration = None,
        margin: Whole | Duration = 5,
        before: Whole | None | Duration = None,
        after: Whole | None | Duration = None,
        trivial: Boolean = False,
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        distance: Whole | None | Duration = None,
        margin: Whole | Duration = 5,
        before: Whole | None | Duration = None,
        after: Whole | None | Duration = None,
        trivial: Boolean = False,
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

change_f1: _LikeChangeF1
"""F-score of changes.

Harmonic mean of change_precision and change_recall.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
distance : int or duration, default: None
    The least distance between two alarms. None: every run of flagged points is one alarm.
margin : int or duration, default: 5
    How far an alarm may lie from its change.
before : int or duration, default: None
    The same on one side alone. Default: the margin.
after : int or duration, default: None
    The same on one side alone. Default: the margin.
trivial : bool, default: False
    Whether the start of each series counts as a change that everyone reports.
beta : float, default: 1
    How much more recall weighs than precision. 1 is F1.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event and no alarm. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
Being off by up to `margin`, early or late alike.

Notes
-----
Truth and alarms are `Changes`; of labels and flags the starts of events and of
flagged runs are taken. Scores need a threshold, and distance= says how far apart alarms must be.
before= and after= replace the margin on one side. trivial=true adds the
start of the series to both sides, as TCPDBench does: a silent detector then scores 2/(K + 2) with K
changes. Several annotators: precision against the changes that any of them named, recall as the
mean over those who named one.
No package below pairs as many as it could. Crosswalk:
  TCPDBench f_measure(margin)            change_f1(trivial=true); it takes the nearest first
  ruptures precision_recall(margin=m)    change_precision(margin=m - 1), change_recall(margin=m - 1)
  skchange changepoint_f1_score          change_f1(margin=tolerance); each alarm asks its nearest
                                         change alone
  tsseg F1Score(margin)                  change_f1(margin); it takes the nearest first
  sktime WindowedF1Score(margin)         change_f1(margin); one alarm may serve several changes

References
----------
G. J. J. van den Burg, C. K. I. Williams (2020). An Evaluation of Change Point
Detection Algorithms. arXiv:2003.06222.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.change_f1(labels, flags)
0.6666666666666666
"""

class _LikeChangePrecision(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        distance: Whole | None | Duration = None,
        margin: Whole | Duration = 5,
        before: Whole | None | Duration = None,
        after: Whole | None | Duration = None,
        trivial: Boolean = False,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        distance: Whole | None | Duration = None,
        margin: Whole | Duration = 5,
        before: Whole | None | Duration = None,
        after: Whole | None | Duration = None,
        trivial: Boolean = False,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

change_precision: _LikeChangePrecision
"""Precision of changes.

Share of the alarms that are paired with a change at most `margin` away, one to
one, as many pairs as there can be.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
distance : int or duration, default: None
    The least distance between two alarms. None: every run of flagged points is one alarm.
margin : int or duration, default: 5
    How far an alarm may lie from its change.
before : int or duration, default: None
    The same on one side alone. Default: the margin.
after : int or duration, default: None
    The same on one side alone. Default: the margin.
trivial : bool, default: False
    Whether the start of each series counts as a change that everyone reports.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no alarm. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Missed changes; being off by up to `margin`.

Notes
-----
Truth and alarms are `Changes`; of labels and flags the starts of events and of
flagged runs are taken. Scores need a threshold, and distance= says how far apart alarms must be.
before= and after= replace the margin on one side. trivial=true adds the
start of the series to both sides, as TCPDBench does: a silent detector then scores 2/(K + 2) with K
changes. Several annotators: precision against the changes that any of them named, recall as the
mean over those who named one.
No package below pairs as many as it could. Crosswalk:
  TCPDBench f_measure(margin)            change_f1(trivial=true); it takes the nearest first
  ruptures precision_recall(margin=m)    change_precision(margin=m - 1), change_recall(margin=m - 1)
  skchange changepoint_f1_score          change_f1(margin=tolerance); each alarm asks its nearest
                                         change alone
  tsseg F1Score(margin)                  change_f1(margin); it takes the nearest first
  sktime WindowedF1Score(margin)         change_f1(margin); one alarm may serve several changes

References
----------
G. J. J. van den Burg, C. K. I. Williams (2020). An Evaluation of Change Point
Detection Algorithms. arXiv:2003.06222.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.change_precision(labels, flags)
0.5
"""

change_recall: _LikeChangePrecision
"""Recall of changes.

Share of the changes that are paired with an alarm.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
distance : int or duration, default: None
    The least distance between two alarms. None: every run of flagged points is one alarm.
margin : int or duration, default: 5
    How far an alarm may lie from its change.
before : int or duration, default: None
    The same on one side alone. Default: the margin.
after : int or duration, default: None
    The same on one side alone. Default: the margin.
trivial : bool, default: False
    Whether the start of each series counts as a change that everyone reports.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Every false alarm; being off by up to `margin`: an alarm every 2 margin + 1
points finds every change.

Notes
-----
Truth and alarms are `Changes`; of labels and flags the starts of events and of
flagged runs are taken. Scores need a threshold, and distance= says how far apart alarms must be.
before= and after= replace the margin on one side. trivial=true adds the
start of the series to both sides, as TCPDBench does: a silent detector then scores 2/(K + 2) with K
changes. Several annotators: precision against the changes that any of them named, recall as the
mean over those who named one.
No package below pairs as many as it could. Crosswalk:
  TCPDBench f_measure(margin)            change_f1(trivial=true); it takes the nearest first
  ruptures precision_recall(margin=m)    change_precision(margin=m - 1), change_recall(margin=m - 1)
  skchange changepoint_f1_score          change_f1(margin=tolerance); each alarm asks its nearest
                                         change alone
  tsseg F1Score(margin)                  change_f1(margin); it takes the nearest first
  sktime WindowedF1Score(margin)         change_f1(margin); one alarm may serve several changes

References
----------
G. J. J. van den Burg, C. K. I. Williams (2020). An Evaluation of Change Point
Detection Algorithms. arXiv:2003.06222.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.change_recall(labels, flags)
1.0
"""

class _LikeRegimeF1(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        distance: Whole | None | Duration = None,
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        distance: Whole | None | Duration = None,
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

regime_f1: _LikeRegimeF1
"""F-score of regimes.

Harmonic mean of regime_precision and regime_recall.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
distance : int or duration, default: None
    The least distance between two alarms. None: every run of flagged points is one alarm.
beta : float, default: 1
    How much more recall weighs than precision. 1 is F1.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event and no alarm. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
Silence: with few changes one regime over everything covers them well, and so do
random changes; read it beside what chance scores.

Notes
-----
Truth and alarms are `Changes`; of labels and flags the starts of events and of
flagged runs are taken. Scores need a threshold, and distance= says how far apart alarms must be.
Regimes are the stretches between changes; one at the first point of a
series parts nothing. Without changes on both sides it is 1. Several annotators: the mean.
Crosswalk:
  TCPDBench covering                       regime_recall
  tsseg Covering                           regime_recall
  tsseg BidirectionalCovering              regime_f1

References
----------
P. Arbelaez et al. (2010). Contour Detection and Hierarchical Image
Segmentation. IEEE TPAMI 33(5). G. J. J. van den Burg, C. K. I. Williams (2020).
An Evaluation of Change Point Detection Algorithms. arXiv:2003.06222.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.regime_f1(labels, flags)
0.722861842105263
"""

class _LikeRegimePrecision(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        distance: Whole | None | Duration = None,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        distance: Whole | None | Duration = None,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

regime_precision: _LikeRegimePrecision
"""Precision of regimes.

Mean over the reported regimes, by length, of the best overlap with a true one
(points in common over points of both).

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
distance : int or duration, default: None
    The least distance between two alarms. None: every run of flagged points is one alarm.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no alarm. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Missed changes between regimes of like length; silence: with few changes one
regime over everything covers them well, and so do random changes; read it
beside what chance scores.

Notes
-----
Truth and alarms are `Changes`; of labels and flags the starts of events and of
flagged runs are taken. Scores need a threshold, and distance= says how far apart alarms must be.
Regimes are the stretches between changes; one at the first point of a
series parts nothing. Without changes on both sides it is 1. Several annotators: the mean.
Crosswalk:
  TCPDBench covering                       regime_recall
  tsseg Covering                           regime_recall
  tsseg BidirectionalCovering              regime_f1

References
----------
P. Arbelaez et al. (2010). Contour Detection and Hierarchical Image
Segmentation. IEEE TPAMI 33(5). G. J. J. van den Burg, C. K. I. Williams (2020).
An Evaluation of Change Point Detection Algorithms. arXiv:2003.06222.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.regime_precision(labels, flags)
0.6976190476190476
"""

regime_recall: _LikeRegimePrecision
"""Recall of regimes.

Mean over the true regimes, by length, of the best overlap with a reported one.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
distance : int or duration, default: None
    The least distance between two alarms. None: every run of flagged points is one alarm.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
False alarms that cut off little; silence: with few changes one regime over
everything covers them well, and so do random changes; read it beside what
chance scores.

Notes
-----
Truth and alarms are `Changes`; of labels and flags the starts of events and of
flagged runs are taken. Scores need a threshold, and distance= says how far apart alarms must be.
Regimes are the stretches between changes; one at the first point of a
series parts nothing. Without changes on both sides it is 1. Several annotators: the mean.
Crosswalk:
  TCPDBench covering                       regime_recall
  tsseg Covering                           regime_recall
  tsseg BidirectionalCovering              regime_f1

References
----------
P. Arbelaez et al. (2010). Contour Detection and Hierarchical Image
Segmentation. IEEE TPAMI 33(5). G. J. J. van den Burg, C. K. I. Williams (2020).
An Evaluation of Change Point Detection Algorithms. arXiv:2003.06222.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.regime_recall(labels, flags)
0.75
"""

regime_rand: _LikeRegimePrecision
"""Rand index of regimes.

Share of the pairs of points that truth and report both join or both part.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
distance : int or duration, default: None
    The least distance between two alarms. None: every run of flagged points is one alarm.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: less than two points. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
Random changes, the more of them the better: pairs far apart are parted anyway.

Notes
-----
Truth and alarms are `Changes`; of labels and flags the starts of events and of
flagged runs are taken. Scores need a threshold, and distance= says how far apart alarms must be.
Regimes are the stretches between changes. Over several series only
pairs of points of one series count. Several annotators: the mean.
Crosswalk:
  ruptures randindex, 1 - hamming    regime_rand
  skchange rand_index                regime_rand
  sktime RandIndex                   another thing: it compares the k-th true with the k-th
                                     reported regime alone

References
----------
W. M. Rand (1971). Objective Criteria for the Evaluation of Clustering Methods.
JASA 66(336).

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.regime_rand(labels, flags)
0.7777777777777778
"""

regime_ari: _LikeRegimePrecision
"""Adjusted Rand index of regimes.

Rand index of the regimes, 0 for shuffled points and 1 for the same regimes.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
distance : int or duration, default: None
    The least distance between two alarms. None: every run of flagged points is one alarm.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From -1 to 1, higher is better. NaN: less than two points. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
Random changes: contiguous regimes agree far better than shuffled points.

Notes
-----
Truth and alarms are `Changes`; of labels and flags the starts of events and of
flagged runs are taken. Scores need a threshold, and distance= says how far apart alarms must be.
Regimes are the stretches between changes. Over several series only
pairs of points of one series count. Several annotators: the mean.
Adjusted is meant for shuffled points, and regimes are contiguous: random changes get up
to .46 (10 changes and 10 random alarms on 1,000 points), not 0. Read the chance line.
Crosswalk:
  skchange adjusted_rand_index    regime_ari
  tsseg AdjustedRandIndex         regime_ari

References
----------
L. Hubert, P. Arabie (1985). Comparing Partitions. Journal of Classification 2.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.regime_ari(labels, flags)
0.5614035087719298
"""

regime_nmi: _LikeRegimePrecision
"""Normalised mutual information of regimes.

Mutual information of true and reported regime of a point, over the mean
entropy.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
distance : int or duration, default: None
    The least distance between two alarms. None: every run of flagged points is one alarm.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: never (1 where neither side has a
    change). Called with settings alone it gives a new metric that has them.

What it forgives
----------------
Random changes, and too many of them.

Notes
-----
Truth and alarms are `Changes`; of labels and flags the starts of events and of
flagged runs are taken. Scores need a threshold, and distance= says how far apart alarms must be.
Regimes are the stretches between changes. Over several series only
pairs of points of one series count. Several annotators: the mean.
Crosswalk:
  tsseg NormalizedMutualInformation    regime_nmi

References
----------
A. Strehl, J. Ghosh (2002). Cluster Ensembles. JMLR 3.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.regime_nmi(labels, flags)
0.5566108974314653
"""

class _LikeChangeDelay(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        distance: Whole | None | Duration = None,
        after: Whole | Duration = 50,
        before: Whole | Duration = 0,
        relative: Boolean = False,
        average: Literal["mean", "median"] = "mean",
        missed: Literal["left out", "after"] = "left out",
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        distance: Whole | None | Duration = None,
        after: Whole | Duration = 50,
        before: Whole | Duration = 0,
        relative: Boolean = False,
        average: Literal["mean", "median"] = "mean",
        missed: Literal["left out", "after"] = "left out",
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

change_delay: _LikeChangeDelay
"""Delay of reported changes.

Mean number of points from a change to its first alarm in [change - before,
change + after], over the changes that have one.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
distance : int or duration, default: None
    The least distance between two alarms. None: every run of flagged points is one alarm.
after : int or duration, default: 50
    An alarm counts from before ahead of a change until after behind it (behind its end,
    where it is gradual).
before : int or duration, default: 0
    An alarm counts from before ahead of a change until after behind it (behind its end,
    where it is gradual).
relative : bool, default: False
    Whether delays are divided by after.
average : "mean" or "median", default: 'mean'
    Whether all found changes weigh the same, or only the one in the middle.
missed : "left out" or "after", default: 'left out'
    Whether changes that were missed are left out, or charged with after.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From -inf to inf, lower is better. NaN: no change is found. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
Missed changes and every false alarm: an alarm at every point has delay 0; read
it beside change_recall and what chance scores.

Notes
-----
Truth and alarms are `Changes`; of labels and flags the starts of events and of
flagged runs are taken. Scores need a threshold, and distance= says how far apart alarms must be.
Of gradual changes the window ends `after` behind their end.
relative=true divides by `after`. missed="after" charges changes without an alarm with `after`.
Crosswalk:
  CapyMOA EvaluateDriftDetector mdt      change_delay(after=max_delay, before=max_early_detection)
  CapyMOA EvaluateDriftDetector ndt      change_delay(after=max_delay, relative=true)
  river detection_delay                  change_delay(after=delta_max, before=delta_pre)
  sktime MeanDetectionOffset             -lead_time(max_lead=-min_offset, min_lead=-max_offset)

References
----------
A. Bifet (2017). Classifier Concept Drift Detection and the Illusion of
Progress. ICAISC.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.change_delay(labels, flags)
1.0
"""

class _LikeTimeBetweenFalseAlarms(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        distance: Whole | None | Duration = None,
        after: Whole | Duration = 50,
        before: Whole | Duration = 0,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        distance: Whole | None | Duration = None,
        after: Whole | Duration = 50,
        before: Whole | Duration = 0,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

time_between_false_alarms: _LikeTimeBetweenFalseAlarms
"""Time between false alarms.

Judged points outside all windows [change - before, change + after], per alarm
in none.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
distance : int or duration, default: None
    The least distance between two alarms. None: every run of flagged points is one alarm.
after : int or duration, default: 50
    No alarm is false from before ahead of a change until after behind it (behind its
    end, where it is gradual).
before : int or duration, default: 0
    No alarm is false from before ahead of a change until after behind it (behind its
    end, where it is gradual).
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to inf, higher is better. NaN: no point outside all windows, and no
    false alarm. Called with settings alone it gives a new metric that has them.

What it forgives
----------------
Missed changes; silence scores without end, and an alarm over everything is one
alarm.

Notes
-----
Truth and alarms are `Changes`; of labels and flags the starts of events and of
flagged runs are taken. Scores need a threshold, and distance= says how far apart alarms must be.
Infinite without a false alarm. It is the usual estimate of the time
until a false alarm (ARL0), and the inverse of false_warning_rate. Its chance is the harmonic mean
over places, which is the inverse of the mean rate: the points of the series per alarm.
Crosswalk:
  river mean_time_between_false_alarms    another thing: the mean gap between false alarms, NaN
                                          below two

References
----------
A. Bifet (2017). Classifier Concept Drift Detection and the Illusion of
Progress. ICAISC.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.time_between_false_alarms(labels, flags)
3.0
"""

class _LikeWarningF1(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        distance: Whole | None | Duration = None,
        max_lead: Whole | Duration = 10,
        min_lead: Whole | Duration = 0,
        cooldown: Whole | Duration = 0,
        late: Literal["false", "ignored"] = "false",
        extra: Literal["right", "false"] = "right",
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        distance: Whole | None | Duration = None,
        max_lead: Whole | Duration = 10,
        min_lead: Whole | Duration = 0,
        cooldown: Whole | Duration = 0,
        late: Literal["false", "ignored"] = "false",
        extra: Literal["right", "false"] = "right",
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

warning_f1: _LikeWarningF1
"""F-score of early warnings.

Harmonic mean of warning_precision and warning_recall.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
distance : int or duration, default: None
    The least distance between two alarms. None: every run of flagged points is one alarm.
max_lead : int or duration, default: 10
    An alarm at a is in time for an event at t when t - max_lead <= a <= t - min_lead. A
    negative min_lead lets alarms be late.
min_lead : int or duration, default: 0
    An alarm at a is in time for an event at t when t - max_lead <= a <= t - min_lead. A
    negative min_lead lets alarms be late.
cooldown : int or duration, default: 0
    An alarm less than this after the last one that was kept is dropped first.
late : "false" or "ignored", default: 'false'
    What becomes of alarms after t - min_lead and until t that are in time for no event.
extra : "right" or "false", default: 'right'
    What further alarms in a window are after its first.
beta : float, default: 1
    How much more recall weighs than precision. 1 is F1.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event and no alarm. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
How early an alarm is within the window, and further alarms in it.

Notes
-----
Truth and alarms are `Changes`; of labels and flags the starts of events and of
flagged runs are taken, so an event is warned of by its onset. Scores need a threshold.
An alarm at a is in time for an event at t when t - max_lead <= a <= t - min_lead; a
negative min_lead lets it be late. Of gradual changes t is the end on the late side.
cooldown=c      an alarm less than c after the last kept one is dropped before anything is counted
late="ignored"  alarms after t - min_lead and until t are not false, and that time is not counted
extra="false"   only the first alarm of a window is right
Windows that overlap share an alarm. An event too near the start of its series for any alarm to be
in time counts as missed. Seizure prediction: min_lead is the horizon (SPH), max_lead is horizon and
occurrence period together (SPH + SOP).
Crosswalk:
  sktime EventTPR                        warning_recall(max_lead=-min_offset, min_lead=-max_offset)
  CapyMOA EvaluateDriftDetector, episode_recall    warning_recall(max_lead=max_early_detection,
                                         min_lead=-max_delay); nearer windows hide each other there
  river episode_recall, 1 - missed_detection_rate  warning_recall(max_lead=delta_pre,
                                         min_lead=-delta_max); as CapyMOA

References
----------
T. Maiwald et al. (2004). Comparison of Three Nonlinear Seizure Prediction
Methods by Means of the Seizure Prediction Characteristic. Physica D 194.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.warning_f1(labels, flags)
0.6666666666666666
"""

class _LikeWarningPrecision(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        distance: Whole | None | Duration = None,
        max_lead: Whole | Duration = 10,
        min_lead: Whole | Duration = 0,
        cooldown: Whole | Duration = 0,
        late: Literal["false", "ignored"] = "false",
        extra: Literal["right", "false"] = "right",
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        distance: Whole | None | Duration = None,
        max_lead: Whole | Duration = 10,
        min_lead: Whole | Duration = 0,
        cooldown: Whole | Duration = 0,
        late: Literal["false", "ignored"] = "false",
        extra: Literal["right", "false"] = "right",
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

warning_precision: _LikeWarningPrecision
"""Precision of early warnings.

Share of the alarms that are in time for an event.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
distance : int or duration, default: None
    The least distance between two alarms. None: every run of flagged points is one alarm.
max_lead : int or duration, default: 10
    An alarm at a is in time for an event at t when t - max_lead <= a <= t - min_lead. A
    negative min_lead lets alarms be late.
min_lead : int or duration, default: 0
    An alarm at a is in time for an event at t when t - max_lead <= a <= t - min_lead. A
    negative min_lead lets alarms be late.
cooldown : int or duration, default: 0
    An alarm less than this after the last one that was kept is dropped first.
late : "false" or "ignored", default: 'false'
    What becomes of alarms after t - min_lead and until t that are in time for no event.
extra : "right" or "false", default: 'right'
    What further alarms in a window are after its first.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no alarm. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Missed events; further alarms in a window.

Notes
-----
Truth and alarms are `Changes`; of labels and flags the starts of events and of
flagged runs are taken, so an event is warned of by its onset. Scores need a threshold.
An alarm at a is in time for an event at t when t - max_lead <= a <= t - min_lead; a
negative min_lead lets it be late. Of gradual changes t is the end on the late side.
cooldown=c      an alarm less than c after the last kept one is dropped before anything is counted
late="ignored"  alarms after t - min_lead and until t are not false, and that time is not counted
extra="false"   only the first alarm of a window is right
Windows that overlap share an alarm. An event too near the start of its series for any alarm to be
in time counts as missed. Seizure prediction: min_lead is the horizon (SPH), max_lead is horizon and
occurrence period together (SPH + SOP).
Crosswalk:
  sktime EventTPR                        warning_recall(max_lead=-min_offset, min_lead=-max_offset)
  CapyMOA EvaluateDriftDetector, episode_recall    warning_recall(max_lead=max_early_detection,
                                         min_lead=-max_delay); nearer windows hide each other there
  river episode_recall, 1 - missed_detection_rate  warning_recall(max_lead=delta_pre,
                                         min_lead=-delta_max); as CapyMOA

References
----------
T. Maiwald et al. (2004). Comparison of Three Nonlinear Seizure Prediction
Methods by Means of the Seizure Prediction Characteristic. Physica D 194.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.warning_precision(labels, flags)
0.5
"""

warning_recall: _LikeWarningPrecision
"""Recall of early warnings.

Share of the events with an alarm in time: at least min_lead and at most
max_lead before.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
distance : int or duration, default: None
    The least distance between two alarms. None: every run of flagged points is one alarm.
max_lead : int or duration, default: 10
    An alarm at a is in time for an event at t when t - max_lead <= a <= t - min_lead. A
    negative min_lead lets alarms be late.
min_lead : int or duration, default: 0
    An alarm at a is in time for an event at t when t - max_lead <= a <= t - min_lead. A
    negative min_lead lets alarms be late.
cooldown : int or duration, default: 0
    An alarm less than this after the last one that was kept is dropped first.
late : "false" or "ignored", default: 'false'
    What becomes of alarms after t - min_lead and until t that are in time for no event.
extra : "right" or "false", default: 'right'
    What further alarms in a window are after its first.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Every false alarm: one alarm per window length finds every event.

Notes
-----
Truth and alarms are `Changes`; of labels and flags the starts of events and of
flagged runs are taken, so an event is warned of by its onset. Scores need a threshold.
An alarm at a is in time for an event at t when t - max_lead <= a <= t - min_lead; a
negative min_lead lets it be late. Of gradual changes t is the end on the late side.
cooldown=c      an alarm less than c after the last kept one is dropped before anything is counted
late="ignored"  alarms after t - min_lead and until t are not false, and that time is not counted
extra="false"   only the first alarm of a window is right
Windows that overlap share an alarm. An event too near the start of its series for any alarm to be
in time counts as missed. Seizure prediction: min_lead is the horizon (SPH), max_lead is horizon and
occurrence period together (SPH + SOP).
Crosswalk:
  sktime EventTPR                        warning_recall(max_lead=-min_offset, min_lead=-max_offset)
  CapyMOA EvaluateDriftDetector, episode_recall    warning_recall(max_lead=max_early_detection,
                                         min_lead=-max_delay); nearer windows hide each other there
  river episode_recall, 1 - missed_detection_rate  warning_recall(max_lead=delta_pre,
                                         min_lead=-delta_max); as CapyMOA

References
----------
T. Maiwald et al. (2004). Comparison of Three Nonlinear Seizure Prediction
Methods by Means of the Seizure Prediction Characteristic. Physica D 194.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.warning_recall(labels, flags)
1.0
"""

class _LikeLeadTime(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        distance: Whole | None | Duration = None,
        max_lead: Whole | Duration = 10,
        min_lead: Whole | Duration = 0,
        cooldown: Whole | Duration = 0,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        distance: Whole | None | Duration = None,
        max_lead: Whole | Duration = 10,
        min_lead: Whole | Duration = 0,
        cooldown: Whole | Duration = 0,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

lead_time: _LikeLeadTime
"""Lead time.

Mean number of points from the earliest alarm in time to its event, over the
events that have one.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
distance : int or duration, default: None
    The least distance between two alarms. None: every run of flagged points is one alarm.
max_lead : int or duration, default: 10
    An alarm at a is in time for an event at t when t - max_lead <= a <= t - min_lead. A
    negative min_lead lets alarms be late.
min_lead : int or duration, default: 0
    An alarm at a is in time for an event at t when t - max_lead <= a <= t - min_lead. A
    negative min_lead lets alarms be late.
cooldown : int or duration, default: 0
    An alarm less than this after the last one that was kept is dropped first.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From -inf to inf, higher is better. NaN: no event has an alarm in time.
    Called with settings alone it gives a new metric that has them.

What it forgives
----------------
Missed events and every false alarm; the earliest alarm is often one by chance,
so random alarms look early where windows are wide: read it beside what chance
scores.

Notes
-----
Truth and alarms are `Changes`; of labels and flags the starts of events and of
flagged runs are taken, so an event is warned of by its onset. Scores need a threshold.
An alarm at a is in time for an event at t when t - max_lead <= a <= t - min_lead; a
negative min_lead lets it be late. cooldown=c drops alarms less than c after the last kept one.
Positive is early.
Crosswalk:
  sktime MeanDetectionOffset    -lead_time(max_lead=-min_offset, min_lead=-max_offset)

References
----------
T. Maiwald et al. (2004). Comparison of Three Nonlinear Seizure Prediction
Methods by Means of the Seizure Prediction Characteristic. Physica D 194.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.lead_time(labels, flags)
2.0
"""

class _LikeFalseWarningRate(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        distance: Whole | None | Duration = None,
        max_lead: Whole | Duration = 10,
        min_lead: Whole | Duration = 0,
        cooldown: Whole | Duration = 0,
        late: Literal["false", "ignored"] = "false",
        per: Number | Duration = 1,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        distance: Whole | None | Duration = None,
        max_lead: Whole | Duration = 10,
        min_lead: Whole | Duration = 0,
        cooldown: Whole | Duration = 0,
        late: Literal["false", "ignored"] = "false",
        per: Number | Duration = 1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

false_warning_rate: _LikeFalseWarningRate
"""False warnings per time.

Alarms in time for no event, per `per` judged points outside all windows.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
distance : int or duration, default: None
    The least distance between two alarms. None: every run of flagged points is one alarm.
max_lead : int or duration, default: 10
    An alarm at a is in time for an event at t when t - max_lead <= a <= t - min_lead. A
    negative min_lead lets alarms be late.
min_lead : int or duration, default: 0
    An alarm at a is in time for an event at t when t - max_lead <= a <= t - min_lead. A
    negative min_lead lets alarms be late.
cooldown : int or duration, default: 0
    An alarm less than this after the last one that was kept is dropped first.
late : "false" or "ignored", default: 'false'
    What becomes of alarms after t - min_lead and until t that are in time for no event.
per : float or duration, default: 1
    How many points the rate is for, or how much time: "1h", "1d".
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to inf, lower is better. NaN: no point outside all windows, and no
    false alarm. Called with settings alone it gives a new metric that has them.

What it forgives
----------------
Missed events; and length: an alarm over everything is one alarm.

Notes
-----
Truth and alarms are `Changes`; of labels and flags the starts of events and of
flagged runs are taken, so an event is warned of by its onset. Scores need a threshold.
An alarm at a is in time for an event at t when t - max_lead <= a <= t - min_lead; a
negative min_lead lets it be late. Of gradual changes t is the end on the late side.
cooldown=c      an alarm less than c after the last kept one is dropped before anything is counted
late="ignored"  alarms after t - min_lead and until t are not false, and that time is not counted
Crosswalk:
  sktime FalseAlarmRate          another thing: it divides by all time, inside windows too
  CapyMOA far, river false_alarm_rate    another thing: per so many of all points

References
----------
T. Maiwald et al. (2004). Comparison of Three Nonlinear Seizure Prediction
Methods by Means of the Seizure Prediction Characteristic. Physica D 194.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.false_warning_rate(labels, flags)
0.16666666666666666
"""

class _LikeEarlyUtility(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        early: Whole | Duration = 12,
        best: Whole | Duration = 6,
        late: Whole | Duration = 3,
        miss: Number = -2.0,
        false: Number = -0.05,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        early: Whole | Duration = 12,
        best: Whole | Duration = 6,
        late: Whole | Duration = 3,
        miss: Number = -2.0,
        false: Number = -0.05,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

early_utility: _LikeEarlyUtility
"""Utility of early flags.

What flags gain over silence, summed over all points, as a share of what the
best flags gain.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
early : int or duration, default: 12
    How long before the onset flags begin to gain, where they gain most, and how long after it
    they still do. Labels begin best before the onset.
best : int or duration, default: 6
    How long before the onset flags begin to gain, where they gain most, and how long after it
    they still do. Labels begin best before the onset.
late : int or duration, default: 3
    How long before the onset flags begin to gain, where they gain most, and how long after it
    they still do. Labels begin best before the onset.
miss : float, default: -2.0
    What silence is worth at the end of the window, and a flag far from any event.
false : float, default: -0.05
    What silence is worth at the end of the window, and a flag far from any event.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From -inf to 1, higher is better. NaN: no event. Called with settings alone
    it gives a new metric that has them.

What it forgives
----------------
Flags that stay on after the event; and an alarm everywhere, where most series
have an event: always flagging a series of 40 points with one event scores .96.

Notes
-----
1 best, 0 silence, below 0 worse than silence. Labels begin `best` points before
the onset, as the data of the challenge do. A point belongs to the first event of its series whose
window it does not lie behind.
Crosswalk:
  PhysioNet 2019 normalized_utility    early_utility with series= one id per patient

References
----------
M. A. Reyna et al. (2020). Early Prediction of Sepsis From Clinical Data: The
PhysioNet/Computing in Cardiology Challenge 2019. Critical Care Medicine 48(2).

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.early_utility(labels, flags)
0.2647058823529412
"""

class _LikeVusRoc(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        window: Whole | Duration = 100,
        thresholds: Whole | None = 250,
        variant: Literal["original", "aeon"] = "original",
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        window: Whole | Duration = 100,
        thresholds: Whole | None = 250,
        variant: Literal["original", "aeon"] = "original",
    ) -> Self: ...

vus_roc: _LikeVusRoc
"""Volume under the ROC surface.

Mean over the windows l = 0 ... `window` of the area under the ROC curve, with
the soft label sqrt(1 - d/l) at distance d <= l // 2 beside the events, recall
times the share of zones touched (a zone is an event with its buffer; zones that
overlap are one).

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    One number per point, higher is more anomalous.
window : int or duration, default: 100
    The widest buffer, in points or in time, half of it on either side of an event.
thresholds : int or None, default: 250
    How many of the sorted scores, evenly spaced by rank, serve as thresholds. None: every
    score, which is exact.
variant : "original" or "aeon", default: 'original'
    The formula of the authors and of TSB-AD, or that of aeon and TimeEval, by which a perfect
    detector gets less than 1.
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event, or no normal point. Called
    with settings alone it gives a new metric that has them.

What it forgives
----------------
Alarms up to half a window beside an event, most of all the near ones, and
missed points of an event whose neighbours are flagged instead.

Notes
-----
Crosswalk: three formulas go by this name, and a perfect detector tells them apart.
  equal to variant="original" (perfect scores get 1)
    vus 0.0.6        get_metrics(score, labels, metric="vus", slidingWindow=window, thre=250)
    TSB-AD 1.5       get_metrics(score, labels, slidingWindow=window), generate_curve
    tsadmetrics      VusRoc(window=...), VusPr(window=...)
    TSAD_eval        VUS_ROC(max_window=...), VUS_PR(max_window=...)
  equal to variant="aeon" (perfect scores get less: 0.96 with one event of 2 points, window 4)
    aeon 1.6         range_roc_vus_score, range_pr_vus_score(max_buffer_size=window); the default
                     there is 500, and constant scores are given 0
    TimeEval 1.5     RangeRocVUS, RangePrVUS(max_buffer_size=window, compatibility_mode=True)
  neither: TimeEval, dtaianomaly without compatibility_mode (straight slopes)
The truth is the event points and half of the soft labels: of those that are flagged ("original"),
or of all ("aeon", where the slope after an event is also one point shorter and the PR area is
summed by trapezoids). Default windows: 100 in vus and TSB-AD, whose scripts pass the period of the
data, which is no property of the labels.
thresholds=250 are the scores at evenly spaced ranks, ties and all, as every library has them: with
250 points or fewer that is every score. With more, one score in 250 is the second threshold, and
what happens above it is lost: at 1e5 to 1e6 points with normal scores that events lift by 1 to 3,
vus_pr is 1 to 19 % low where 1 to 5 % of the points are anomalous, and up to half where 0.2 % are.
range_auc_pr is up to 41 % low or 60 % high there; ROC areas move by less than 0.1 %.
thresholds=None takes every distinct score: exact, for 1 to 6 times the time (25 times where events
with their buffers are most of the points). Results of evaluate give both values where they differ
by more than 1 %.
Windows 0 and 1 have no buffer; a wider window raises most values, so compare equal windows only.
Constant scores are no coin flip here: points beside an event count as found.
Series: buffers end at the ends of a series; masses are summed over all series before any ratio is
taken (and all points ranked together), so alarms in a series without events cost as elsewhere.

References
----------
J. Paparrizos et al. (2022). Volume Under the Surface: A New Accuracy Evaluation
Measure for Time-Series Anomaly Detection. PVLDB 15(11).
doi:10.14778/3551793.3551830. Journal version: P. Boniol et al. (2025).
arXiv:2502.13318.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> scores = [0.1, 0.6, 0.2, 0.3, 0.9, 0.8, 0.4, 0.1, 0.2, 0.3]
>>> aj.vus_roc(labels, scores)
0.9924006100130803
"""

vus_pr: _LikeVusRoc
"""Volume under the PR surface.

Mean over the windows l = 0 ... `window` of the area under the precision-recall
curve, with the soft label sqrt(1 - d/l) at distance d <= l // 2 beside the
events, recall times the share of zones touched (a zone is an event with its
buffer; zones that overlap are one).

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    One number per point, higher is more anomalous.
window : int or duration, default: 100
    The widest buffer, in points or in time, half of it on either side of an event.
thresholds : int or None, default: 250
    How many of the sorted scores, evenly spaced by rank, serve as thresholds. None: every
    score, which is exact.
variant : "original" or "aeon", default: 'original'
    The formula of the authors and of TSB-AD, or that of aeon and TimeEval, by which a perfect
    detector gets less than 1.
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Alarms up to half a window beside an event, most of all the near ones, and
missed points of an event whose neighbours are flagged instead.

Notes
-----
Crosswalk: three formulas go by this name, and a perfect detector tells them apart.
  equal to variant="original" (perfect scores get 1)
    vus 0.0.6        get_metrics(score, labels, metric="vus", slidingWindow=window, thre=250)
    TSB-AD 1.5       get_metrics(score, labels, slidingWindow=window), generate_curve
    tsadmetrics      VusRoc(window=...), VusPr(window=...)
    TSAD_eval        VUS_ROC(max_window=...), VUS_PR(max_window=...)
  equal to variant="aeon" (perfect scores get less: 0.96 with one event of 2 points, window 4)
    aeon 1.6         range_roc_vus_score, range_pr_vus_score(max_buffer_size=window); the default
                     there is 500, and constant scores are given 0
    TimeEval 1.5     RangeRocVUS, RangePrVUS(max_buffer_size=window, compatibility_mode=True)
  neither: TimeEval, dtaianomaly without compatibility_mode (straight slopes)
The truth is the event points and half of the soft labels: of those that are flagged ("original"),
or of all ("aeon", where the slope after an event is also one point shorter and the PR area is
summed by trapezoids). Default windows: 100 in vus and TSB-AD, whose scripts pass the period of the
data, which is no property of the labels.
thresholds=250 are the scores at evenly spaced ranks, ties and all, as every library has them: with
250 points or fewer that is every score. With more, one score in 250 is the second threshold, and
what happens above it is lost: at 1e5 to 1e6 points with normal scores that events lift by 1 to 3,
vus_pr is 1 to 19 % low where 1 to 5 % of the points are anomalous, and up to half where 0.2 % are.
range_auc_pr is up to 41 % low or 60 % high there; ROC areas move by less than 0.1 %.
thresholds=None takes every distinct score: exact, for 1 to 6 times the time (25 times where events
with their buffers are most of the points). Results of evaluate give both values where they differ
by more than 1 %.
Windows 0 and 1 have no buffer; a wider window raises most values, so compare equal windows only.
Constant scores are no coin flip here: points beside an event count as found.
Series: buffers end at the ends of a series; masses are summed over all series before any ratio is
taken (and all points ranked together), so alarms in a series without events cost as elsewhere.

References
----------
J. Paparrizos et al. (2022). Volume Under the Surface: A New Accuracy Evaluation
Measure for Time-Series Anomaly Detection. PVLDB 15(11).
doi:10.14778/3551793.3551830. Journal version: P. Boniol et al. (2025).
arXiv:2502.13318.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> scores = [0.1, 0.6, 0.2, 0.3, 0.9, 0.8, 0.4, 0.1, 0.2, 0.3]
>>> aj.vus_pr(labels, scores)
0.9884071828041802
"""

range_auc_roc: _LikeVusRoc
"""ROC area with soft labels.

Area under the ROC curve at the window l = `window`, with the soft label sqrt(1
- d/l) at distance d <= l // 2 beside the events, recall times the share of
zones touched (a zone is an event with its buffer; zones that overlap are one).

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    One number per point, higher is more anomalous.
window : int or duration, default: 100
    The widest buffer, in points or in time, half of it on either side of an event.
thresholds : int or None, default: 250
    How many of the sorted scores, evenly spaced by rank, serve as thresholds. None: every
    score, which is exact.
variant : "original" or "aeon", default: 'original'
    The formula of the authors and of TSB-AD, or that of aeon and TimeEval, by which a perfect
    detector gets less than 1.
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event, or no normal point. Called
    with settings alone it gives a new metric that has them.

What it forgives
----------------
Alarms up to half a window beside an event, most of all the near ones, and
missed points of an event whose neighbours are flagged instead.

Notes
-----
Crosswalk: no slice of VUS, although by the same authors: the older formula, which counts
half of all soft labels as truth and sums the PR area by trapezoids: perfect scores get less than 1.
  variant="original"
    vus 0.0.6        get_metrics(score, labels, metric="range_auc", slidingWindow=window)
  variant="aeon" (the slope after an event is one point shorter)
    aeon 1.6         range_roc_auc_score, range_pr_auc_score(buffer_size=window); the default there
                     is the median length of the events, and constant scores are given 0
    TimeEval 1.5     RangeRocAUC, RangePrAUC(buffer_size=window, compatibility_mode=True)
thresholds=250 are the scores at evenly spaced ranks, ties and all, as every library has them: with
250 points or fewer that is every score. With more, one score in 250 is the second threshold, and
what happens above it is lost: at 1e5 to 1e6 points with normal scores that events lift by 1 to 3,
vus_pr is 1 to 19 % low where 1 to 5 % of the points are anomalous, and up to half where 0.2 % are.
range_auc_pr is up to 41 % low or 60 % high there; ROC areas move by less than 0.1 %.
thresholds=None takes every distinct score: exact, for 1 to 6 times the time (25 times where events
with their buffers are most of the points). Results of evaluate give both values where they differ
by more than 1 %.
Windows 0 and 1 have no buffer; a wider window raises most values, so compare equal windows only.
Constant scores are no coin flip here: points beside an event count as found.
Series: buffers end at the ends of a series; masses are summed over all series before any ratio is
taken (and all points ranked together), so alarms in a series without events cost as elsewhere.

References
----------
J. Paparrizos et al. (2022). Volume Under the Surface: A New Accuracy Evaluation
Measure for Time-Series Anomaly Detection. PVLDB 15(11).
doi:10.14778/3551793.3551830. Journal version: P. Boniol et al. (2025).
arXiv:2502.13318.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> scores = [0.1, 0.6, 0.2, 0.3, 0.9, 0.8, 0.4, 0.1, 0.2, 0.3]
>>> aj.range_auc_roc(labels, scores)
0.9960933941180419
"""

range_auc_pr: _LikeVusRoc
"""PR area with soft labels.

Area under the precision-recall curve at the window l = `window`, with the soft
label sqrt(1 - d/l) at distance d <= l // 2 beside the events, recall times the
share of zones touched (a zone is an event with its buffer; zones that overlap
are one).

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    One number per point, higher is more anomalous.
window : int or duration, default: 100
    The widest buffer, in points or in time, half of it on either side of an event.
thresholds : int or None, default: 250
    How many of the sorted scores, evenly spaced by rank, serve as thresholds. None: every
    score, which is exact.
variant : "original" or "aeon", default: 'original'
    The formula of the authors and of TSB-AD, or that of aeon and TimeEval, by which a perfect
    detector gets less than 1.
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
A constant score: trapezoids from precision 1 give it (1 + Q)/2 where a share Q
of the points is anomalous, more than many a good detector gets; ask for
`vus_pr` instead; else alarms up to half a window beside an event, most of all
the near ones, and missed points of an event whose neighbours are flagged
instead.

Notes
-----
Crosswalk: no slice of VUS, although by the same authors: the older formula, which counts
half of all soft labels as truth and sums the PR area by trapezoids: perfect scores get less than 1.
  variant="original"
    vus 0.0.6        get_metrics(score, labels, metric="range_auc", slidingWindow=window)
  variant="aeon" (the slope after an event is one point shorter)
    aeon 1.6         range_roc_auc_score, range_pr_auc_score(buffer_size=window); the default there
                     is the median length of the events, and constant scores are given 0
    TimeEval 1.5     RangeRocAUC, RangePrAUC(buffer_size=window, compatibility_mode=True)
thresholds=250 are the scores at evenly spaced ranks, ties and all, as every library has them: with
250 points or fewer that is every score. With more, one score in 250 is the second threshold, and
what happens above it is lost: at 1e5 to 1e6 points with normal scores that events lift by 1 to 3,
vus_pr is 1 to 19 % low where 1 to 5 % of the points are anomalous, and up to half where 0.2 % are.
range_auc_pr is up to 41 % low or 60 % high there; ROC areas move by less than 0.1 %.
thresholds=None takes every distinct score: exact, for 1 to 6 times the time (25 times where events
with their buffers are most of the points). Results of evaluate give both values where they differ
by more than 1 %.
Windows 0 and 1 have no buffer; a wider window raises most values, so compare equal windows only.
Constant scores are no coin flip here: points beside an event count as found.
Series: buffers end at the ends of a series; masses are summed over all series before any ratio is
taken (and all points ranked together), so alarms in a series without events cost as elsewhere.
Not the same as auc_pr_range, the area of range-based precision and recall.

References
----------
J. Paparrizos et al. (2022). Volume Under the Surface: A New Accuracy Evaluation
Measure for Time-Series Anomaly Detection. PVLDB 15(11).
doi:10.14778/3551793.3551830. Journal version: P. Boniol et al. (2025).
arXiv:2502.13318.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> scores = [0.1, 0.6, 0.2, 0.3, 0.9, 0.8, 0.4, 0.1, 0.2, 0.3]
>>> aj.range_auc_pr(labels, scores)
0.9977282214239696
"""

class _LikeVusF1(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        window: Whole | Duration = 100,
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        window: Whole | Duration = 100,
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

vus_f1: _LikeVusF1
"""F-score with soft labels.

Mean over the windows l = 0 ... `window` of the F-score of flags, with the soft
label sqrt(1 - d/l) at distance d <= l // 2 beside the events.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
window : int or duration, default: 100
    The widest buffer, in points or in time, half of it on either side of an event.
beta : float, default: 1
    How much more recall weighs than precision.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event and no alarm. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
Alarms up to half a window beside an event, most of all the near ones, and
missed points of an event whose neighbours are flagged instead.

Notes
-----
Crosswalk: TSB-AD 1.5 get_metrics_pred (metric_VUS_pred) means the same and returns more: it
lets the soft labels pile up from window to window, where each should start from the labels (event
[15, 22), alarm [21, 26), window 20: F 0.581 instead of 0.544). Windows 0 and 1 are equal.
The share of zones touched, which lowers the recall of vus_pr, has no part in these rates.
vus_f1 is the mean of the F-scores of the windows, no harmonic mean of the other two.
Series: buffers end at the ends of a series; masses are summed over all series before any ratio is
taken (and all points ranked together), so alarms in a series without events cost as elsewhere.

References
----------
J. Paparrizos et al. (2022). Volume Under the Surface: A New Accuracy Evaluation
Measure for Time-Series Anomaly Detection. PVLDB 15(11).
doi:10.14778/3551793.3551830. Journal version: P. Boniol et al. (2025).
arXiv:2502.13318.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.vus_f1(labels, flags)
0.783470838494682
"""

class _LikeVusPrecision(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        window: Whole | Duration = 100,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        window: Whole | Duration = 100,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

vus_precision: _LikeVusPrecision
"""Precision with soft labels.

Mean soft label of the flagged points: the mean over the windows l = 0 ...
`window` of sqrt(1 - d/l) at distance d <= l // 2 beside an event, and 1 inside.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
window : int or duration, default: 100
    The widest buffer L, in points or in time, half of it on either side of an event.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no alarm. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Missed events, and alarms beside an event, the more the nearer.

Notes
-----
Crosswalk: TSB-AD 1.5 get_metrics_pred (metric_VUS_pred) means the same and returns more: it
lets the soft labels pile up from window to window, where each should start from the labels (event
[15, 22), alarm [21, 26), window 20: F 0.581 instead of 0.544). Windows 0 and 1 are equal.
The share of zones touched, which lowers the recall of vus_pr, has no part in these rates.
vus_f1 is the mean of the F-scores of the windows, no harmonic mean of the other two.
Series: buffers end at the ends of a series; masses are summed over all series before any ratio is
taken (and all points ranked together), so alarms in a series without events cost as elsewhere.

References
----------
J. Paparrizos et al. (2022). Volume Under the Surface: A New Accuracy Evaluation
Measure for Time-Series Anomaly Detection. PVLDB 15(11).
doi:10.14778/3551793.3551830. Journal version: P. Boniol et al. (2025).
arXiv:2502.13318.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.vus_precision(labels, flags)
0.9751890092172811
"""

vus_recall: _LikeVusPrecision
"""Recall with soft labels.

Mean over the windows l = 0 ... `window` of TP / (P + S/2), at most 1, for P
anomalous points and flags that hold TP soft labels, S of them beside the
events.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
window : int or duration, default: 100
    The widest buffer, in points or in time, half of it on either side of an event.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Every false alarm, and missed points whose neighbourhood is flagged instead.

Notes
-----
Crosswalk: TSB-AD 1.5 get_metrics_pred (metric_VUS_pred) means the same and returns more: it
lets the soft labels pile up from window to window, where each should start from the labels (event
[15, 22), alarm [21, 26), window 20: F 0.581 instead of 0.544). Windows 0 and 1 are equal.
The share of zones touched, which lowers the recall of vus_pr, has no part in these rates.
vus_f1 is the mean of the F-scores of the windows, no harmonic mean of the other two.
Series: buffers end at the ends of a series; masses are summed over all series before any ratio is
taken (and all points ranked together), so alarms in a series without events cost as elsewhere.

References
----------
J. Paparrizos et al. (2022). Volume Under the Surface: A New Accuracy Evaluation
Measure for Time-Series Anomaly Detection. PVLDB 15(11).
doi:10.14778/3551793.3551830. Journal version: P. Boniol et al. (2025).
arXiv:2502.13318.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.vus_recall(labels, flags)
0.6548517460435592
"""

class _LikePate(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        early: Whole | Duration = 100,
        delay: Whole | Duration = 100,
        splits: Whole = 1,
        thresholds: Whole | None = 250,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        early: Whole | Duration = 100,
        delay: Whole | Duration = 100,
        splits: Whole = 1,
        thresholds: Whole | None = 250,
    ) -> Self: ...

pate: _LikePate
"""Proximity-aware PR area.

Area under precision against recall, with credit falling evenly from an event to
the end of a buffer around it: the mean over every pair of buffer sizes in
`splits` even steps from 0 to `early` and to `delay` (the defaults: 0 and 100
each).

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    One number per point, higher is more anomalous.
early : int or duration, default: 100
    Largest size of the buffer before and behind an event, in points or in time.
delay : int or duration, default: 100
    Largest size of the buffer before and behind an event, in points or in time.
splits : int, default: 1
    Steps from 0 to the largest size.
thresholds : int or None, default: 250
    How many thresholds to take, as percentiles of the scores at which an event point is, or is
    just about to be, flagged; a point is flagged at or above the threshold. None: every
    distinct score. Percentiles lie between scores, so with a number here the value is not
    wholly free of the scale of the scores; None is.
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
A constant score: trapezoids from precision 1 give it (1 + Q)/2 where a share Q
of the points is anomalous, more than many a good detector gets; ask for `ap_ba`
instead; else alarms up to `delay` points late, and up to `early` points early
if the event is hit too; silence late in an event whose first alarm was long.

Notes
-----
Crosswalk:
  PATE 0.1.1, e_buffer=e, d_buffer=d, num_splits_MaxBuffer=s    early=e, delay=d, splits=s
  the same, Big_Data=False, drop_intermediate=False             thresholds=None as well
  tsadmetrics Pate, early=e, delay=d                            early=e, delay=d (default there: 5)
thresholds=250 are percentiles of the scores at which an event point is, or is about to be, flagged;
they may fall between two scores, so an increasing map of the scores can move the value a little.
thresholds=None takes every distinct score: exact, for 1 to 3 times the time, and only the order of
the scores matters. Results of evaluate give both values where they differ by more than 1 %.
Thresholds at which recall falls below an earlier one are left out, as there.
Series: buffers end at the ends of a series; masses are summed over all series before any ratio is
taken, so an alarm in a series without events costs as much as elsewhere.

References
----------
R. Ghorbani, M. J. T. Reinders, D. M. J. Tax (2024). PATE: Proximity-Aware Time
series anomaly Evaluation. KDD. arXiv:2405.12096.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> scores = [0.1, 0.6, 0.2, 0.3, 0.9, 0.8, 0.4, 0.1, 0.2, 0.3]
>>> aj.pate(labels, scores)
0.9125047612645918
"""

class _LikePateF1(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        early: Whole | Duration = 100,
        delay: Whole | Duration = 100,
        splits: Whole = 1,
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        early: Whole | Duration = 100,
        delay: Whole | Duration = 100,
        splits: Whole = 1,
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

pate_f1: _LikePateF1
"""Proximity-aware F-score.

Harmonic mean of proximity-aware precision and recall: the mean over every pair
of buffer sizes in `splits` even steps from 0 to `early` and to `delay` (the
defaults: 0 and 100 each).

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
early : int or duration, default: 100
    Largest size of the buffer before and behind an event, in points or in time.
delay : int or duration, default: 100
    Largest size of the buffer before and behind an event, in points or in time.
splits : int, default: 1
    Steps from 0 to the largest size.
beta : float, default: 1
    How much more recall weighs than precision.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event and no alarm. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
Alarms up to `delay` points late, and up to `early` points early if the event is
hit too; silence late in an event whose first alarm was long.

Notes
-----
Crosswalk:
  PATE 0.1.1, binary_scores=True      early=e_buffer, delay=d_buffer, splits=num_splits_MaxBuffer
  tsadmetrics PateFScore              early, delay (default there: 5)
The mean of F is not the F of pate_precision and pate_recall, which are means themselves.
Series: buffers end at the ends of a series; masses are summed over all series before any ratio is
taken, so an alarm in a series without events costs as much as elsewhere.

References
----------
R. Ghorbani, M. J. T. Reinders, D. M. J. Tax (2024). PATE: Proximity-Aware Time
series anomaly Evaluation. KDD. arXiv:2405.12096.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.pate_f1(labels, flags)
0.6904761904761905
"""

class _LikePatePrecision(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        early: Whole | Duration = 100,
        delay: Whole | Duration = 100,
        splits: Whole = 1,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        early: Whole | Duration = 100,
        delay: Whole | Duration = 100,
        splits: Whole = 1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

pate_precision: _LikePatePrecision
"""Proximity-aware precision.

Share of the flagged points that is credited, in part near an event: the mean
over every pair of buffer sizes in `splits` even steps from 0 to `early` and to
`delay` (the defaults: 0 and 100 each).

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
early : int or duration, default: 100
    Largest size of the buffer before and behind an event, in points or in time.
delay : int or duration, default: 100
    Largest size of the buffer before and behind an event, in points or in time.
splits : int, default: 1
    Steps from 0 to the largest size.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no alarm. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Missed events; and alarms up to `delay` points late, and up to `early` points
early if the event is hit too.

Notes
-----
Series: buffers end at the ends of a series; masses are summed over all series before any ratio is
taken, so an alarm in a series without events costs as much as elsewhere.

References
----------
R. Ghorbani, M. J. T. Reinders, D. M. J. Tax (2024). PATE: Proximity-Aware Time
series anomaly Evaluation. KDD. arXiv:2405.12096.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.pate_precision(labels, flags)
0.7037037037037037
"""

pate_recall: _LikePatePrecision
"""Proximity-aware recall.

Credited flagging as a share of itself and of the weight of the missed event
points: the mean over every pair of buffer sizes in `splits` even steps from 0
to `early` and to `delay` (the defaults: 0 and 100 each).

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
early : int or duration, default: 100
    Largest size of the buffer before and behind an event, in points or in time.
delay : int or duration, default: 100
    Largest size of the buffer before and behind an event, in points or in time.
splits : int, default: 1
    Steps from 0 to the largest size.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Alarms up to `delay` points late, and up to `early` points early if the event is
hit too; silence late in an event whose first alarm was long; and every false
alarm.

Notes
-----
Series: buffers end at the ends of a series; masses are summed over all series before any ratio is
taken, so an alarm in a series without events costs as much as elsewhere.

References
----------
R. Ghorbani, M. J. T. Reinders, D. M. J. Tax (2024). PATE: Proximity-Aware Time
series anomaly Evaluation. KDD. arXiv:2405.12096.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.pate_recall(labels, flags)
0.6781609195402298
"""

class _LikeRecallAt(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        rate: Number = 1,
        per: Number | Duration = 1000,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        rate: Number = 1,
        per: Number | Duration = 1000,
    ) -> Self: ...

recall_at: _LikeRecallAt
"""Recall within a budget of false alarms.

Share of the events found, as the threshold falls, before there are more than
`rate` false alarms per `per` normal points.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    One number per point, higher is more anomalous.
rate : float, default: 1
    How many false alarms one can bear.
per : float or duration, default: 1000
    In how many normal points, or in how much normal time.
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event, or no normal point. Called
    with settings alone it gives a new metric that has them.

What it forgives
----------------
Low coverage and length: an event is found by one point, and a false alarm
counts once however long it lasts; and everything below the budget's threshold.

Notes
-----
The threshold is walked down from the top, and the walk ends before the first one that
breaks the budget. "The best recall at any threshold within the budget" would be another metric,
which flagging everything wins: false runs grow together as the threshold falls, and one run over
all time touches every event; so the threshold that flags everything is left out as well. (The walk
is this library's rule; the idea is that of FROC.)
A false alarm is a flagged run that touches no event. Series share the threshold, and their false
alarms and normal points are summed.

References
----------
A. I. Bandos et al. (2009). Area under the Free-Response ROC Curve (FROC) and a
Related Summary Index. Biometrics 65(1) (the idea).

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> scores = [0.1, 0.6, 0.2, 0.3, 0.9, 0.8, 0.4, 0.1, 0.2, 0.3]
>>> aj.recall_at(labels, scores)
1.0
"""

class _LikeFroc(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        rates: Sequence[Number] = (0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0),
        per: Number | Duration = 1000,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        rates: Sequence[Number] = (0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0),
        per: Number | Duration = 1000,
    ) -> Self: ...

froc: _LikeFroc
"""Free-response ROC score.

Mean of recall_at over the budgets `rates` of false alarms per `per` normal
points.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    One number per point, higher is more anomalous.
rates : tuple of float, default: (0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
    The budgets. Default: those of LUNA16, from an eighth to eight.
per : float or duration, default: 1000
    In how many normal points, or in how much normal time.
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event, or no normal point. Called
    with settings alone it gives a new metric that has them.

What it forgives
----------------
Low coverage and length: an event is found by one point, and a false alarm
counts once however long it lasts; and everything below the largest budget's
threshold.

Notes
-----
The threshold is walked down from the top, and the walk ends before the first one that
breaks the budget. "The best recall at any threshold within the budget" would be another metric,
which flagging everything wins: false runs grow together as the threshold falls, and one run over
all time touches every event; so the threshold that flags everything is left out as well. (The walk
is this library's rule; the idea is that of FROC.)
A false alarm is a flagged run that touches no event. Series share the threshold, and their false
alarms and normal points are summed.
LUNA16 counts false alarms per scan; here `per` says per how many points.

References
----------
A. I. Bandos et al. (2009). Area under the Free-Response ROC Curve (FROC) and a
Related Summary Index. Biometrics 65(1); A. A. A. Setio et al. (2017). LUNA16.
arXiv:1612.08012 (the rates).

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> scores = [0.1, 0.6, 0.2, 0.3, 0.9, 0.8, 0.4, 0.1, 0.2, 0.3]
>>> aj.froc(labels, scores)
1.0
"""

class _LikePartialAucRoc(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        max_fpr: Number = 0.1,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        max_fpr: Number = 0.1,
    ) -> Self: ...

partial_auc_roc: _LikePartialAucRoc
"""ROC area at low false positive rates.

Area under the ROC curve up to the false positive rate `max_fpr`, scaled so that
0.5 is no relation and 1 is perfect.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    One number per point, higher is more anomalous.
max_fpr : float, default: 0.1
    The false positive rate f up to which the curve counts.
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event, or no normal point. Called
    with settings alone it gives a new metric that has them.

What it forgives
----------------
The order of all points below the threshold at which `max_fpr` is reached; an
event half covered is half missed.

Notes
-----
max_fpr=1 is auc_roc. Crosswalk:
  scikit-learn roc_auc_score(max_fpr=f)    partial_auc_roc(max_fpr=f)

References
----------
D. K. McClish (1989). Analyzing a Portion of the ROC Curve. Medical Decision
Making 9(3).

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> scores = [0.1, 0.6, 0.2, 0.3, 0.9, 0.8, 0.4, 0.1, 0.2, 0.3]
>>> aj.partial_auc_roc(labels, scores)
0.7368421052631579
"""

precision_at_k: _LikeAucRoc
"""Precision at k points.

Share of the k highest points that are anomalous, where k points are: precision
at top(k).

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    One number per point, higher is more anomalous.
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
The order within the k highest points, and within all the others.

Notes
-----
Points that tie with the k-th are looked at too. Another k: precision(at=top(k)).
Crosswalk:
  tsadmetrics PrecisionAtK     the same
  TSAD_eval PatK_pw            the same
  TimeEval PrecisionAtK        counts runs: event_precision_at_k
Series: one threshold for all of them, and their points are counted together.

References
----------
N. Craswell (2009). Precision at n. Encyclopedia of Database Systems. Springer.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> scores = [0.1, 0.6, 0.2, 0.3, 0.9, 0.8, 0.4, 0.1, 0.2, 0.3]
>>> aj.precision_at_k(labels, scores)
0.75
"""

class _LikeF1AtK(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        beta: Number = 1,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        beta: Number = 1,
    ) -> Self: ...

f1_at_k: _LikeF1AtK
"""F-score at k points.

F-score of the k highest points, where k points are anomalous: f1 at top(k).

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    One number per point, higher is more anomalous.
beta : float, default: 1
    How much more recall weighs than precision.
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
The order within the k highest points, and within all the others.

Notes
-----
Without ties it is precision_at_k. Another k: f1(at=top(k)). Crosswalk:
  aeon f_score_at_k_points     the same, but it calls a constant score 0
Series: one threshold for all of them, and their points are counted together.

References
----------
N. Craswell (2009). Precision at n. Encyclopedia of Database Systems. Springer.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> scores = [0.1, 0.6, 0.2, 0.3, 0.9, 0.8, 0.4, 0.1, 0.2, 0.3]
>>> aj.f1_at_k(labels, scores)
0.75
"""

event_precision_at_k: _LikeAucRoc
"""Precision at k runs.

Share of the flagged runs that touch an event, at the highest threshold that
flags at least as many runs as there are events.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    One number per point, higher is more anomalous.
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event, or no threshold flags as many
    runs as there are events. Called with settings alone it gives a new metric
    that has them.

What it forgives
----------------
Length of alarms, and runs that break one event in pieces: each is right.

Notes
-----
Crosswalk:
  aeon f_score_at_k_ranges     event_f1_at_k; raises there when no threshold flags enough runs
  TimeEval PrecisionAtK        event_precision_at_k, but it never tries the highest score as a
                               threshold, so it differs where that one already flags enough runs
  TimeEval FScoreAtK           event_f1_at_k, with the same difference
Points instead of runs: precision_at_k and f1_at_k.
Series: one threshold for all of them, and their points are counted together.

References
----------
P. Wenig, S. Schmidl, T. Papenbrock (2022). TimeEval: A Benchmarking Toolkit for
Time Series Anomaly Detection Algorithms. PVLDB 15(12).

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> scores = [0.1, 0.6, 0.2, 0.3, 0.9, 0.8, 0.4, 0.1, 0.2, 0.3]
>>> aj.event_precision_at_k(labels, scores)
1.0
"""

event_f1_at_k: _LikeF1AtK
"""F-score at k runs.

F-score of events and runs, at the highest threshold that flags at least as many
runs as there are events.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    One number per point, higher is more anomalous.
beta : float, default: 1
    How much more recall weighs than precision.
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event, or no threshold flags as many
    runs as there are events. Called with settings alone it gives a new metric
    that has them.

What it forgives
----------------
Length of alarms, and coverage of events beyond one point.

Notes
-----
Crosswalk:
  aeon f_score_at_k_ranges     event_f1_at_k; raises there when no threshold flags enough runs
  TimeEval PrecisionAtK        event_precision_at_k, but it never tries the highest score as a
                               threshold, so it differs where that one already flags enough runs
  TimeEval FScoreAtK           event_f1_at_k, with the same difference
Points instead of runs: precision_at_k and f1_at_k.
Series: one threshold for all of them, and their points are counted together.

References
----------
P. Wenig, S. Schmidl, T. Papenbrock (2022). TimeEval: A Benchmarking Toolkit for
Time Series Anomaly Detection Algorithms. PVLDB 15(12).

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> scores = [0.1, 0.6, 0.2, 0.3, 0.9, 0.8, 0.4, 0.1, 0.2, 0.3]
>>> aj.event_f1_at_k(labels, scores)
1.0
"""

class _LikeUcr(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        tolerance: Whole | Duration = 0,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        tolerance: Whole | Duration = 0,
    ) -> Self: ...

ucr: _LikeUcr
"""Highest score at the event.

Share of the series whose highest score lies in their one event, widened on both
sides by its length or by `tolerance` points, whichever is more.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    One number per point, higher is more anomalous.
tolerance : int or duration, default: 0
    How far from the event still counts, in points or in time, even if the event is
    shorter. The UCR archive is scored with 100.
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: a judged series has no event, or more
    than one. Called with settings alone it gives a new metric that has them.

What it forgives
----------------
All scores but the highest, and being off by the length of the event or by the
tolerance.

Notes
-----
Meant for many series: give them with series=, each with one event.
Where several points share the highest score, the share of them at the event counts: a constant
score earns what a blind guess would, and not by chance all or nothing. Crosswalk:
  UCR archive                  tolerance=100
  dtaianomaly UCR score        tolerance=100; of several highest points only the first counts there
  EasyTSAD EventDetect         asks for a point inside the event; no tolerance does that here

References
----------
R. Wu and E. J. Keogh (2021). Current Time Series Anomaly Detection Benchmarks
are Flawed and are Creating the Illusion of Progress. IEEE TKDE.
arXiv:2009.13807.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> scores = [0.1, 0.6, 0.2, 0.3, 0.9, 0.8, 0.4, 0.1, 0.2, 0.3]
>>> aj.ucr(labels, scores)
1.0
"""

separation: _LikeAucRoc
"""Separation index.

Distance between the score densities of normal and anomalous points in their
overlap.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    One number per point, higher is more anomalous.
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event, no normal point, constant or
    infinite scores, or a single score of either kind in the overlap. Called
    with settings alone it gives a new metric that has them.

What it forgives
----------------
When and where: only the values of the scores count, and not their order in
time.

Notes
-----
No true distance: about 0.63 at a sliver of overlap, 1 without any. See hellinger.
Crosswalk:
  authors' code, separation_metric(metric="hellinger")    the same to 1e-6
It depends on the scale of the scores, not on their order alone. Several series are pooled.

References
----------
D. Bhattacharya et al. (2024). Towards Unbiased Evaluation of Time-series
Anomaly Detector. arXiv:2409.13053, experiments.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> scores = [0.1, 0.6, 0.2, 0.3, 0.9, 0.8, 0.4, 0.1, 0.2, 0.3]
>>> aj.separation(labels, scores)
1.0
"""

hellinger: _LikeAucRoc
"""Hellinger distance of scores.

Hellinger distance between the score densities of normal and anomalous points.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    One number per point, higher is more anomalous.
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event, no normal point, infinite
    scores, or all scores of either kind alike. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
When and where, and the direction: anomalous points may score lower throughout.

Notes
-----
It depends on the scale of the scores, not on their order alone. Several series are pooled.

References
----------
E. Hellinger (1909). Journal für die reine und angewandte Mathematik 136.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> scores = [0.1, 0.6, 0.2, 0.3, 0.9, 0.8, 0.4, 0.1, 0.2, 0.3]
>>> aj.hellinger(labels, scores)
0.44152990610676063
"""

cce: _LikeAucRoc
"""Confidence and consistency of scores.

How far the scores of events lie above one half, and those of normal runs below,
each times exp(-variance); the mean over segments and the same over all points,
added.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    One number per point, higher is more anomalous.
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From -1 to 1, higher is better. NaN: no event, no normal point, or scores
    that are all the same or not all finite. Called with settings alone it gives
    a new metric that has them.

What it forgives
----------------
Missed events and false alarms whose scores are not far off one half.

Notes
-----
The variance is that of a Beta distribution fitted by moments. Versions of the
authors' code differ in it and in how the two parts combine; none that is released could be run.
It depends on the scale of the scores, not on their order alone.

References
----------
Confidence-Consistency Evaluation for time series anomaly detection (2025).
arXiv:2509.01098.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> scores = [0.1, 0.6, 0.2, 0.3, 0.9, 0.8, 0.4, 0.1, 0.2, 0.3]
>>> aj.cce(labels, scores)
0.4131005409342153
"""

class _LikeAlertAp(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        tolerance: Whole | Duration = 360,
        parts: Sequence[Number] = (12, 36, 60, 90, 120, 150, 180, 240, 300, 360),
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        tolerance: Whole | Duration = 360,
        parts: Sequence[Number] = (12, 36, 60, 90, 120, 150, 180, 240, 300, 360),
    ) -> Self: ...

alert_ap: _LikeAlertAp
"""Average precision of alerts by their starts.

Mean over tolerances of the average precision of alerts, the surest first; an
alert is right if it starts less than the tolerance from the start of an event
that no surer one has taken.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    One number per point, higher is more anomalous.
tolerance : int or duration, default: 360
    The largest tolerance.
parts : tuple of float, default: (12, 36, 60, 90, 120, 150, 180, 240, 300, 360)
    The tolerances, as parts of the largest: the last of (1, 2, 4) is the whole, the first a
    quarter of it.
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Random alarms and copies of alerts: what is less sure than the last alert that
takes an event costs nothing.

Notes
-----
Made for alerts that have a score each: aj.evaluate(aj.Incidents(...), aj.Alerts(...,
score=...), span=...). In scores of points every stretch of one score above the lowest is an alert.
An alert takes incidents of its own service alone, and the precision is of all services together.
Alerts that start in unwatched time are left out, and incidents of which nothing was watched.
Of incidents in time the largest tolerance is 30 minutes unless another is given.
What is less sure than the last alert that takes an event costs nothing, and each
tolerance is matched anew. So who adds copies of the alerts, moved a little and less sure than all of
them, can only gain: two alerts that start 100 points off have 0.60, with copies 90 points
before and after 0.73. Look at event_precision beside it, which counts false copies.
Crosswalk:
  Kaggle event detection AP    the same for one kind of event; alerts in a series without events
                               are not counted there, and kinds are averaged

References
----------
Child Mind Institute (2023). Detect Sleep States. Kaggle competition: event
detection average precision.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> scores = [0.1, 0.6, 0.2, 0.3, 0.9, 0.8, 0.4, 0.1, 0.2, 0.3]
>>> aj.alert_ap(labels, scores)
1.0
"""

class _LikeIntervalAp(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        iou: Sequence[Number] = (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95),
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        iou: Sequence[Number] = (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95),
    ) -> Self: ...

interval_ap: _LikeIntervalAp
"""Average precision of alerts by what they cover.

Mean over degrees of likeness of the interpolated average precision of alerts,
the surest first; an alert is right if its intersection over union with an event
that no surer one has taken is at least so much.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    One number per point, higher is more anomalous.
iou : tuple of float, default: (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)
    The least intersections over unions, each above 0 and at most 1.
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Random alarms and copies of alerts: what is less sure than the last alert that
takes an event costs nothing.

Notes
-----
Made for alerts that have a score each: aj.evaluate(aj.Incidents(...), aj.Alerts(...,
score=...), span=...). In scores of points every stretch of one score above the lowest is an alert.
An alert takes incidents of its own service alone, and the precision is of all services together.
Alerts that start in unwatched time are left out, and incidents of which nothing was watched.
Lengths are those of watched time. Alerts that are moments have none, and take nothing.
What is less sure than the last alert that takes an event costs nothing, and each
degree of likeness is matched anew. So who adds copies of the alerts, moved a little and less sure than all of
them, can only gain: two alerts that start 100 points off have 0, with copies 90 points
before and after 0.23. Look at event_precision beside it, which counts false copies.
Crosswalk:
  ActivityNet ANETdetection    the same for one kind of event, but for the order of equal scores,
                               which is arbitrary there; kinds are averaged there

References
----------
F. Caba Heilbron et al. (2015). ActivityNet: A Large-Scale Video Benchmark for
Human Activity Understanding. CVPR.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> scores = [0.1, 0.6, 0.2, 0.3, 0.9, 0.8, 0.4, 0.1, 0.2, 0.3]
>>> aj.interval_ap(labels, scores)
0.0
"""

class _LikeChannelF1(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        average: Literal["events", "pooled"] = "events",
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        average: Literal["events", "pooled"] = "events",
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

channel_f1: _LikeChannelF1
"""F-score of channels of events.

Mean over events of the F-score of channels that alarm during it.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
average : "events" or "pooled", default: 'events'
    The mean over events, or the F-score of all channels of all events.
beta : float, default: 1
    How much more recall weighs than precision; ESA's benchmark takes 0.5.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Every false alarm outside of events: they cost nothing, so read it beside
any_channel(event_precision); an alarm over everything has recall 1.

Notes
-----
Give labels and scores with a column per channel, and channels=[...]; or incidents with
ids, which may overlap and have pieces. A channel alarms during an event where any of its points is
flagged while the event is on any channel. An alarm on a channel that the event is not on is excused
where another event is on that channel at the time. A silent event has precision and F 0. A channel
without a score during an event is left out of it, and an event without any on its channels too.
Two chances: null="shifted" asks whether it knows when (all channels turn together), "renamed"
whether it knows which channel (the same alarms under permuted names). Of one channel it is
event_recall.
Crosswalk:
  ESA-ADB ChannelAwareFScore(beta=0.5)    channel_f1(beta=0.5), channel_precision, channel_recall; an
                                          event all of whose channels lack scores counts 0 there
  telemeval score_channel_aware           the same; such an event is left out there too

References
----------
K. Kotowski et al. (2024). European Space Agency Benchmark for Anomaly Detection
in Satellite Telemetry. arXiv:2406.17826.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.channel_f1(labels, flags)
1.0
"""

class _LikeChannelPrecision(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        average: Literal["events", "pooled"] = "events",
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        average: Literal["events", "pooled"] = "events",
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

channel_precision: _LikeChannelPrecision
"""Precision of channels of events.

Mean over events of the share of channels that alarm during it which it is on.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
average : "events" or "pooled", default: 'events'
    The mean over events, or one share of all channels of all events.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Every false alarm outside of events: they cost nothing, so read it beside
any_channel(event_precision); an alarm over everything has recall 1.

Notes
-----
Give labels and scores with a column per channel, and channels=[...]; or incidents with
ids, which may overlap and have pieces. A channel alarms during an event where any of its points is
flagged while the event is on any channel. An alarm on a channel that the event is not on is excused
where another event is on that channel at the time. A silent event has precision and F 0. A channel
without a score during an event is left out of it, and an event without any on its channels too.
Two chances: null="shifted" asks whether it knows when (all channels turn together), "renamed"
whether it knows which channel (the same alarms under permuted names). Of one channel it is
event_recall.
Crosswalk:
  ESA-ADB ChannelAwareFScore(beta=0.5)    channel_f1(beta=0.5), channel_precision, channel_recall; an
                                          event all of whose channels lack scores counts 0 there
  telemeval score_channel_aware           the same; such an event is left out there too

References
----------
K. Kotowski et al. (2024). European Space Agency Benchmark for Anomaly Detection
in Satellite Telemetry. arXiv:2406.17826.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.channel_precision(labels, flags)
1.0
"""

channel_recall: _LikeChannelPrecision
"""Recall of channels of events.

Mean over events of the share of its channels that alarm during it.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
average : "events" or "pooled", default: 'events'
    The mean over events, or one share of all channels of all events.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Every false alarm outside of events: they cost nothing, so read it beside
any_channel(event_precision); an alarm over everything has recall 1.

Notes
-----
Give labels and scores with a column per channel, and channels=[...]; or incidents with
ids, which may overlap and have pieces. A channel alarms during an event where any of its points is
flagged while the event is on any channel. An alarm on a channel that the event is not on is excused
where another event is on that channel at the time. A silent event has precision and F 0. A channel
without a score during an event is left out of it, and an event without any on its channels too.
Two chances: null="shifted" asks whether it knows when (all channels turn together), "renamed"
whether it knows which channel (the same alarms under permuted names). Of one channel it is
event_recall.
Crosswalk:
  ESA-ADB ChannelAwareFScore(beta=0.5)    channel_f1(beta=0.5), channel_precision, channel_recall; an
                                          event all of whose channels lack scores counts 0 there
  telemeval score_channel_aware           the same; such an event is left out there too

References
----------
K. Kotowski et al. (2024). European Space Agency Benchmark for Anomaly Detection
in Satellite Telemetry. arXiv:2406.17826.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.channel_recall(labels, flags)
1.0
"""

subsystem_f1: _LikeChannelF1
"""F-score of subsystems of events.

Mean over events of the F-score of subsystems that alarm during it.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
average : "events" or "pooled", default: 'events'
    The mean over events, or one value of all groups of all events.
beta : float, default: 1
    How much more recall weighs than precision; ESA's benchmark takes 0.5.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Every false alarm outside of events: they cost nothing, so read it beside
any_channel(event_precision); an alarm over everything has recall 1.

Notes
-----
Give labels and scores with a column per channel, and channels=[...]; or incidents with
ids, which may overlap and have pieces. A channel alarms during an event where any of its points is
flagged while the event is on any channel. An alarm on a channel that the event is not on is excused
where another event is on that channel at the time. A silent event has precision and F 0. A channel
without a score during an event is left out of it, and an event without any on its channels too.
Two chances: null="shifted" asks whether it knows when (all channels turn together), "renamed"
whether it knows which channel (the same alarms under permuted names). Of one channel it is
event_recall.
Crosswalk:
  ESA-ADB ChannelAwareFScore(beta=0.5)    subsystem_f1(beta=0.5), subsystem_precision, subsystem_recall; an
                                          event all of whose channels lack scores counts 0 there
  telemeval score_channel_aware           the same; such an event is left out there too

References
----------
K. Kotowski et al. (2024). European Space Agency Benchmark for Anomaly Detection
in Satellite Telemetry. arXiv:2406.17826.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.subsystem_f1(labels, flags)
1.0
"""

subsystem_precision: _LikeChannelPrecision
"""Precision of subsystems of events.

Mean over events of the share of subsystems that alarm during it which it is on.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
average : "events" or "pooled", default: 'events'
    The mean over events, or one value of all groups of all events.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Every false alarm outside of events: they cost nothing, so read it beside
any_channel(event_precision); an alarm over everything has recall 1.

Notes
-----
Give labels and scores with a column per channel, and channels=[...]; or incidents with
ids, which may overlap and have pieces. A channel alarms during an event where any of its points is
flagged while the event is on any channel. An alarm on a channel that the event is not on is excused
where another event is on that channel at the time. A silent event has precision and F 0. A channel
without a score during an event is left out of it, and an event without any on its channels too.
Two chances: null="shifted" asks whether it knows when (all channels turn together), "renamed"
whether it knows which channel (the same alarms under permuted names). Of one channel it is
event_recall.
Crosswalk:
  ESA-ADB ChannelAwareFScore(beta=0.5)    subsystem_f1(beta=0.5), subsystem_precision, subsystem_recall; an
                                          event all of whose channels lack scores counts 0 there
  telemeval score_channel_aware           the same; such an event is left out there too

References
----------
K. Kotowski et al. (2024). European Space Agency Benchmark for Anomaly Detection
in Satellite Telemetry. arXiv:2406.17826.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.subsystem_precision(labels, flags)
1.0
"""

subsystem_recall: _LikeChannelPrecision
"""Recall of subsystems of events.

Mean over events of the share of its subsystems that alarm during it.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
average : "events" or "pooled", default: 'events'
    The mean over events, or one value of all groups of all events.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Every false alarm outside of events: they cost nothing, so read it beside
any_channel(event_precision); an alarm over everything has recall 1.

Notes
-----
Give labels and scores with a column per channel, and channels=[...]; or incidents with
ids, which may overlap and have pieces. A channel alarms during an event where any of its points is
flagged while the event is on any channel. An alarm on a channel that the event is not on is excused
where another event is on that channel at the time. A silent event has precision and F 0. A channel
without a score during an event is left out of it, and an event without any on its channels too.
Two chances: null="shifted" asks whether it knows when (all channels turn together), "renamed"
whether it knows which channel (the same alarms under permuted names). Of one channel it is
event_recall.
Crosswalk:
  ESA-ADB ChannelAwareFScore(beta=0.5)    subsystem_f1(beta=0.5), subsystem_precision, subsystem_recall; an
                                          event all of whose channels lack scores counts 0 there
  telemeval score_channel_aware           the same; such an event is left out there too

References
----------
K. Kotowski et al. (2024). European Space Agency Benchmark for Anomaly Detection
in Satellite Telemetry. arXiv:2406.17826.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.subsystem_recall(labels, flags)
1.0
"""

class _LikeIncidentF1(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        kind: str | None = None,
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        kind: str | None = None,
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

incident_f1: _LikeIncidentF1
"""F-score of events by id, less false time.

Harmonic mean of incident_precision and incident_recall.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
kind : str, default: None
    Events of this kind alone. Alarms in events of other kinds are neither right nor false.
beta : float, default: 1
    How much more recall weighs than precision; ESA's benchmark takes 0.5.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event and no false alarm. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
Low coverage; alarms that are too wide, where there is much normal time; which
channel alarms.

Notes
-----
Give the truth as incidents with ids, aj.Incidents(start, end, id=..., channel=...,
kind=...), and channels=[...]. Events may overlap and have several pieces, which would be one in a
column of labels. All channels are one: flagged where any is. kind= asks for events of one kind, and
shields the others: an alarm in them is neither right nor false. Without ids it is eventwise_f1.
Crosswalk:
  ESA-ADB ESAScores EW_F_0.50    incident_f1(beta=0.5)

References
----------
K. Kotowski et al. (2024). European Space Agency Benchmark for Anomaly Detection
in Satellite Telemetry. arXiv:2406.17826.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.incident_f1(labels, flags)
0.5882352941176471
"""

class _LikeIncidentPrecision(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        kind: str | None = None,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        kind: str | None = None,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

incident_precision: _LikeIncidentPrecision
"""Precision of events by id, less false time.

Found events, as a share of these and of alarms that touch no event of any kind,
times the share of normal points left alone.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
kind : str, default: None
    Events of this kind alone. Alarms in events of other kinds are neither right nor false.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no found event and no false alarm.
    Called with settings alone it gives a new metric that has them.

What it forgives
----------------
Missed events, low coverage, and which channel alarms.

Notes
-----
Give the truth as incidents with ids, aj.Incidents(start, end, id=..., channel=...,
kind=...), and channels=[...]. Events may overlap and have several pieces, which would be one in a
column of labels. All channels are one: flagged where any is. kind= asks for events of one kind, and
shields the others: an alarm in them is neither right nor false. Without ids it is eventwise_precision.
Crosswalk:
  ESA-ADB ESAScores EW_precision    incident_precision

References
----------
K. Kotowski et al. (2024). European Space Agency Benchmark for Anomaly Detection
in Satellite Telemetry. arXiv:2406.17826.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.incident_precision(labels, flags)
0.4166666666666667
"""

incident_recall: _LikeIncidentPrecision
"""Recall of events by id.

Share of the events during which any channel alarms.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
kind : str, default: None
    Events of this kind alone. Alarms in events of other kinds are neither right nor false.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Every false alarm, low coverage, and which channel alarms.

Notes
-----
Give the truth as incidents with ids, aj.Incidents(start, end, id=..., channel=...,
kind=...), and channels=[...]. Events may overlap and have several pieces, which would be one in a
column of labels. All channels are one: flagged where any is. kind= asks for events of one kind, and
shields the others: an alarm in them is neither right nor false. Without ids it is event_recall.
Crosswalk:
  ESA-ADB ESAScores EW_recall    incident_recall

References
----------
K. Kotowski et al. (2024). European Space Agency Benchmark for Anomaly Detection
in Satellite Telemetry. arXiv:2406.17826.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.incident_recall(labels, flags)
1.0
"""

incident_affiliation_f1: _LikeIncidentF1
"""Affiliation F-score of events by id.

Harmonic mean of incident_affiliation_precision and incident_affiliation_recall.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
kind : str, default: None
    Events of this kind alone. Zones with events of other kinds are left out.
beta : float, default: 1
    How much more recall weighs than precision; ESA's benchmark takes 0.5.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Distance: alarms anywhere near an event earn, random ones about a half.

Notes
-----
Give the truth as incidents with ids, aj.Incidents(start, end, id=..., channel=...,
kind=...), and channels=[...]. Events may overlap and have several pieces, which would be one in a
column of labels. All channels are one: flagged where any is. kind= asks for events of one kind, and
shields the others: an alarm in them is neither right nor false. Without ids it is
affiliation_f1, but that a zone without alarms has precision 1/2.
Crosswalk:
  ESA-ADB ESAScores AFF_F_0.50    incident_affiliation_f1(beta=0.5); pieces of an event that touch
  are two there, and recall asks the wrong alarm where one of a zone is nearest to no moment

References
----------
K. Kotowski et al. (2024). European Space Agency Benchmark for Anomaly Detection
in Satellite Telemetry. arXiv:2406.17826.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.incident_affiliation_f1(labels, flags)
0.8485436893203884
"""

incident_affiliation_precision: _LikeIncidentPrecision
"""Affiliation precision of events by id.

Mean over events of the affiliation precision of the zones that they lie in.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
kind : str, default: None
    Events of this kind alone. Zones with events of other kinds are left out.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Distance: alarms anywhere near an event earn, random ones about a half; missed
events.

Notes
-----
Give the truth as incidents with ids, aj.Incidents(start, end, id=..., channel=...,
kind=...), and channels=[...]. Events may overlap and have several pieces, which would be one in a
column of labels. All channels are one: flagged where any is. kind= asks for events of one kind, and
shields the others: an alarm in them is neither right nor false. Without ids it is
affiliation_precision, but that a zone without alarms has precision 1/2.
Crosswalk:
  ESA-ADB ESAScores AFF_precision    incident_affiliation_precision; pieces of an event that touch
  are two there, and recall asks the wrong alarm where one of a zone is nearest to no moment

References
----------
K. Kotowski et al. (2024). European Space Agency Benchmark for Anomaly Detection
in Satellite Telemetry. arXiv:2406.17826.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.incident_affiliation_precision(labels, flags)
0.7666666666666666
"""

incident_affiliation_recall: _LikeIncidentPrecision
"""Affiliation recall of events by id.

Mean over events of the affiliation recall of the zones that they lie in.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
kind : str, default: None
    Events of this kind alone. Zones with events of other kinds are left out.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Distance: alarms anywhere near an event earn, random ones about a half; every
false alarm.

Notes
-----
Give the truth as incidents with ids, aj.Incidents(start, end, id=..., channel=...,
kind=...), and channels=[...]. Events may overlap and have several pieces, which would be one in a
column of labels. All channels are one: flagged where any is. kind= asks for events of one kind, and
shields the others: an alarm in them is neither right nor false. Without ids it is
affiliation_recall, but that a zone without alarms has precision 1/2.
Crosswalk:
  ESA-ADB ESAScores AFF_recall    incident_affiliation_recall; pieces of an event that touch
  are two there, and recall asks the wrong alarm where one of a zone is nearest to no moment

References
----------
K. Kotowski et al. (2024). European Space Agency Benchmark for Anomaly Detection
in Satellite Telemetry. arXiv:2406.17826.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.incident_affiliation_recall(labels, flags)
0.95
"""

alarming_precision: _LikeIncidentPrecision
"""Alarms that repeat no other.

Found events, as a share of these and of alarms in a piece of an event after its
first.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
kind : str, default: None
    Events of this kind alone.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event is found. Called with settings
    alone it gives a new metric that has them.

What it forgives
----------------
Missed events and every alarm outside of events: read it beside incident_f1.

Notes
-----
Give the truth as incidents with ids, aj.Incidents(start, end, id=..., channel=...,
kind=...), and channels=[...]. Events may overlap and have several pieces, which would be one in a
column of labels. All channels are one: flagged where any is. kind= asks for events of one kind, and
shields the others: an alarm in them is neither right nor false. Without ids it is 1 / alarms_per_event.
Crosswalk:
  ESA-ADB ESAScores alarming_precision    alarming_precision; without a found event 0 there;
                                          pieces that touch are two there, and one here

References
----------
K. Kotowski et al. (2024). European Space Agency Benchmark for Anomaly Detection
in Satellite Telemetry. arXiv:2406.17826.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.alarming_precision(labels, flags)
1.0
"""

channel_adtqc: _LikeAdtqc
"""Timing quality on the channels of events.

Mean over found events of a curve in the start of the first alarm on a channel
of its own: 1 at the event's start, falling to 0 one length before and at its
end.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
exponent : float, default: 2.718281828459045
    How fast the credit falls with the distance.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event is found. Called with settings
    alone it gives a new metric that has them.

What it forgives
----------------
Missed events, coverage and every false alarm: read it beside channel_f1.

Notes
-----
Alarms on other channels do not count, nor those that do not overlap the event's
own points on that channel. Of one channel it is adtqc.
Crosswalk:
  ESA-ADB ADTQC "Total"    channel_adtqc; its counts of early and late alarms are the signs of
                           `delay` in the events of the judgement's channels

References
----------
K. Kotowski et al. (2024). European Space Agency Benchmark for Anomaly Detection
in Satellite Telemetry. arXiv:2406.17826.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.channel_adtqc(labels, flags)
0.9519530848671022
"""

class _LikeCauseHitRate(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        per: Literal["events", "points"] = "events",
        p: Number = 100,
        rounding: Literal["floor", "even"] = "floor",
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        per: Literal["events", "points"] = "events",
        p: Number = 100,
        rounding: Literal["floor", "even"] = "floor",
    ) -> Self: ...

cause_hit_rate: _LikeCauseHitRate
"""Causes among the first channels.

Share of the causes among the first k channels, k being `p` percent of their
number.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    One number per point, higher is more anomalous.
per : "events" or "points", default: 'events'
    Whether a row is an event, with the mean score of its points, or a point of an event.
p : float, default: 100
    The percentage P: 100 asks for as many channels as there are causes.
rounding : "floor" or "even", default: 'floor'
    Whether k is cut, or rounded with halves to the even number as Python does.
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Missed events and every false alarm: only the order of channels within events
counts.

Notes
-----
The causes of an event are the channels that it is on; channels stand in the order of
their mean score over the event (per="points": of each point by itself, so long events weigh more).
Channels with equal scores share what they would earn. It judges the order of channels alone:
whether events are found, and when, is not asked. The chance of null="renamed" is known exactly.
Crosswalk:
  mlnext hit_rate_at_p, p                  cause_hit_rate(p=p), of rows; ties: first channel first
  mvts-ano-eval hitrate_100, hitrate_150   cause_hit_rate(p=100), cause_hit_rate(p=150)
  TranAD hit_att                           cause_hit_rate(p=p, rounding="even", per="points"); ties:
                                           last channel first

References
----------
Y. Su et al. (2019). Robust Anomaly Detection for Multivariate Time Series
through Stochastic Recurrent Neural Network. KDD (HitRate@P%).

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> scores = [0.1, 0.6, 0.2, 0.3, 0.9, 0.8, 0.4, 0.1, 0.2, 0.3]
>>> aj.cause_hit_rate(labels, scores)
1.0
"""

cause_ndcg: _LikeCauseHitRate
"""Discounted gain of the causes.

Normalised discounted cumulative gain of the causes among the first k channels,
k being `p` percent of their number.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    One number per point, higher is more anomalous.
per : "events" or "points", default: 'events'
    Whether a row is an event, with the mean score of its points, or a point of an event.
p : float, default: 100
    The percentage P: 100 asks for as many channels as there are causes.
rounding : "floor" or "even", default: 'floor'
    Whether k is cut, or rounded with halves to the even number as Python does.
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Missed events and every false alarm: only the order of channels within events
counts.

Notes
-----
The causes of an event are the channels that it is on; channels stand in the order of
their mean score over the event (per="points": of each point by itself, so long events weigh more).
Channels with equal scores share what they would earn. It judges the order of channels alone:
whether events are found, and when, is not asked. The chance of null="renamed" is known exactly.
Crosswalk:
  TranAD ndcg    cause_ndcg(p=p, rounding="even", per="points")

References
----------
S. Tuli et al. (2022). TranAD: Deep Transformer Networks for Anomaly Detection
in Multivariate Time Series Data. VLDB (NDCG@P%).

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> scores = [0.1, 0.6, 0.2, 0.3, 0.9, 0.8, 0.4, 0.1, 0.2, 0.3]
>>> aj.cause_ndcg(labels, scores)
1.0
"""

class _LikeCauseInTop(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        per: Literal["events", "points"] = "events",
        k: Whole = 3,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        per: Literal["events", "points"] = "events",
        k: Whole = 3,
    ) -> Self: ...

cause_in_top: _LikeCauseInTop
"""Any cause among the first channels.

Share of the events with any cause among the first `k` channels.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    One number per point, higher is more anomalous.
per : "events" or "points", default: 'events'
    Whether a row is an event, with the mean score of its points, or a point of an event.
k : int, default: 3
    How many channels are looked at.
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Missed events and every false alarm: only the order of channels within events
counts.

Notes
-----
The causes of an event are the channels that it is on; channels stand in the order of
their mean score over the event (per="points": of each point by itself, so long events weigh more).
Channels with equal scores share what they would earn. It judges the order of channels alone:
whether events are found, and when, is not asked. The chance of null="renamed" is known exactly.
Crosswalk:
  mvts-ano-eval rc_top3    cause_in_top(k=3)

References
----------
A. Garg et al. (2021). An Evaluation of Anomaly Detection and Diagnosis in
Multivariate Time Series. IEEE TNNLS. arXiv:2109.11428 (RC-top-k).

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> scores = [0.1, 0.6, 0.2, 0.3, 0.9, 0.8, 0.4, 0.1, 0.2, 0.3]
>>> aj.cause_in_top(labels, scores)
1.0
"""

class _LikeCauseRecallAtK(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        per: Literal["events", "points"] = "events",
        k: Whole = 5,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        per: Literal["events", "points"] = "events",
        k: Whole = 5,
    ) -> Self: ...

cause_recall_at_k: _LikeCauseRecallAtK
"""Recall of causes.

Share of the causes among the first `k` channels.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    One number per point, higher is more anomalous.
per : "events" or "points", default: 'events'
    Whether a row is an event, with the mean score of its points, or a point of an event.
k : int, default: 5
    How many channels are looked at.
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Missed events and every false alarm: only the order of channels within events
counts.

Notes
-----
The causes of an event are the channels that it is on; channels stand in the order of
their mean score over the event (per="points": of each point by itself, so long events weigh more).
Channels with equal scores share what they would earn. It judges the order of channels alone:
whether events are found, and when, is not asked. The chance of null="renamed" is known exactly.
Crosswalk:
  RCAEval AC@k    cause_recall_at_k(k=k), where each event has one cause

References
----------
L. Pham et al. (2024). RCAEval: A Benchmark for Root Cause Analysis of
Microservice Systems. arXiv:2412.17015 (AC@k).

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> scores = [0.1, 0.6, 0.2, 0.3, 0.9, 0.8, 0.4, 0.1, 0.2, 0.3]
>>> aj.cause_recall_at_k(labels, scores)
1.0
"""

cause_average_at_k: _LikeCauseRecallAtK
"""Mean recall of causes.

Mean of cause_recall_at_k over 1, 2, ... `k`.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    One number per point, higher is more anomalous.
per : "events" or "points", default: 'events'
    Whether a row is an event, with the mean score of its points, or a point of an event.
k : int, default: 5
    How many channels are looked at, at most.
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Missed events and every false alarm: only the order of channels within events
counts.

Notes
-----
The causes of an event are the channels that it is on; channels stand in the order of
their mean score over the event (per="points": of each point by itself, so long events weigh more).
Channels with equal scores share what they would earn. It judges the order of channels alone:
whether events are found, and when, is not asked. The chance of null="renamed" is known exactly.
Crosswalk:
  RCAEval Avg@k    cause_average_at_k(k=k), where each event has one cause

References
----------
L. Pham et al. (2024). RCAEval: A Benchmark for Root Cause Analysis of
Microservice Systems. arXiv:2412.17015 (Avg@k).

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> scores = [0.1, 0.6, 0.2, 0.3, 0.9, 0.8, 0.4, 0.1, 0.2, 0.3]
>>> aj.cause_average_at_k(labels, scores)
1.0
"""

specificity: _LikePrecision
"""Specificity.

Share of the normal points that are left alone.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no normal point. Called with settings
    alone it gives a new metric that has them.

What it forgives
----------------
Every missed event, so a few random alarms beat honest ones; and false alarms,
when there is much normal time: silence scores 1.

Notes
-----
Crosswalk:
  scikit-learn recall_score(pos_label=0)    specificity
  ipal_evaluate Inverse-Recall              specificity

References
----------
D. G. Altman, J. M. Bland (1994). Diagnostic tests. BMJ 308 and 309.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.specificity(labels, flags)
0.8333333333333334
"""

false_positive_rate: _LikePrecision
"""False-positive rate.

Share of the normal points that are flagged.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, lower is better. NaN: no normal point. Called with settings
    alone it gives a new metric that has them.

What it forgives
----------------
Every missed event, so a few random alarms beat honest ones; and false alarms,
when there is much normal time: silence scores 0.

Notes
-----
Crosswalk:
  ipal_evaluate Fallout    false_positive_rate; 1 there, where it is undefined here

References
----------
D. G. Altman, J. M. Bland (1994). Diagnostic tests. BMJ 308 and 309.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.false_positive_rate(labels, flags)
0.16666666666666666
"""

negative_predictive_value: _LikePrecision
"""Negative predictive value.

Share of the points left alone that are normal.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: everything is flagged. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
Missed events, the rarer they are, and every false alarm but the last: it looks
only at what is left alone.

Notes
-----
Crosswalk:
  ipal_evaluate Inverse-Precision    negative_predictive_value

References
----------
D. G. Altman, J. M. Bland (1994). Diagnostic tests. BMJ 308 and 309.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.negative_predictive_value(labels, flags)
0.7142857142857143
"""

informedness: _LikePrecision
"""Informedness.

Recall less the false-positive rate.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From -1 to 1, higher is better. NaN: no event, or no normal point. Called
    with settings alone it gives a new metric that has them.

What it forgives
----------------
False alarms, when there is much normal time; silence and an alarm over
everything score 0.

Notes
-----
Twice balanced_accuracy, less 1: it orders detectors in the same way.
Crosswalk:
  ipal_evaluate Informedness    informedness

References
----------
W. J. Youden (1950). Index for rating diagnostic tests. Cancer 3(1).

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.informedness(labels, flags)
0.33333333333333337
"""

markedness: _LikePrecision
"""Markedness.

Precision plus the share of the points left alone that are normal, less 1.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From -1 to 1, higher is better. NaN: nothing is flagged, or everything.
    Called with settings alone it gives a new metric that has them.

What it forgives
----------------
Missed events, the rarer they are.

Notes
-----
mcc is the geometric mean of informedness and markedness.
Crosswalk:
  ipal_evaluate Markedness    markedness

References
----------
D. M. W. Powers (2011). Evaluation: From Precision, Recall and F-Measure to ROC,
Informedness, Markedness and Correlation. arXiv:2010.16061.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.markedness(labels, flags)
0.38095238095238093
"""

kappa: _LikePrecision
"""Cohen's kappa.

Agreement of labels and flags beyond what their rates alone would give, over
points.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From -1 to 1, higher is better. NaN: labels and flags are one and the same
    value everywhere. Called with settings alone it gives a new metric that has
    them.

What it forgives
----------------
What is short, as f1 does; it nears f1 as normal time grows.

Notes
-----
Crosswalk:
  scikit-learn cohen_kappa_score    kappa
  nedc-bench IRAScorer              kappa, of points that are its epochs

References
----------
J. Cohen (1960). A Coefficient of Agreement for Nominal Scales. Educational and
Psychological Measurement 20(1).

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.kappa(labels, flags)
0.34782608695652173
"""

jaccard: _LikePrecision
"""Jaccard index.

Points both anomalous and flagged over points that are either.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event and no alarm. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
What is short, as f1 does: it is f1 / (2 - f1).

Notes
-----
Crosswalk:
  scikit-learn jaccard_score     jaccard
  ipal_evaluate Jaccard-Index    jaccard; 0 there, where it is undefined here

References
----------
P. Jaccard (1912). The Distribution of the Flora in the Alpine Zone. New
Phytologist 11(2).

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.jaccard(labels, flags)
0.4
"""

time_in_alarm: _LikePrecision
"""Time in alarm.

Share of all points that are flagged, right or wrong.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, lower is better. NaN: never. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Every missed event: silence scores 0, and a few random alarms beat honest ones.
Read it beside event_recall.

References
----------
Common practice in process industries: time in alarm, after EEMUA 191.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.time_in_alarm(labels, flags)
0.3
"""

false_time: _LikePrecision
"""False time.

Number of flagged normal points; in seconds, where the time of points is known.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to inf, lower is better. NaN: never. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Every missed event: silence scores 0, and a few random alarms beat honest ones.
A sum, so it grows with the data.

Notes
-----
Crosswalk:
  ipal_evaluate Penalty-Score    false_time; there a flagged sample lasts since the one before it,
                                 here until the next one

References
----------
Q. Lin et al. (2018). TABOR: A Graphical Model-based Approach for Anomaly
Detection in Industrial Control Systems. ASIACCS.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.false_time(labels, flags)
1.0
"""

batadal_ttd: _LikePrecision
"""Promptness of first hits.

Mean over events of 1 - (i - a) / (z - a) for the first flagged point i of an
event from point a to point z; 0 without one.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Every false alarm, and coverage after the first hit; but a hit on the last point
is worth as little as none.

Notes
-----
Crosswalk:
  ipal_evaluate BATADAL-TTD    batadal_ttd; it cannot judge a one-point event at the very end

References
----------
R. Taormina et al. (2018). The Battle of the Attack Detection Algorithms.
Journal of Water Resources Planning and Management 144(8).

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.batadal_ttd(labels, flags)
0.6666666666666667
"""

class _LikeBatadal(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        gamma: Number = 0.5,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        gamma: Number = 0.5,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

batadal: _LikeBatadal
"""BATADAL score.

`gamma` times batadal_ttd plus 1 - `gamma` times balanced_accuracy.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
gamma : float, default: 0.5
    What promptness weighs.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event, or no normal point. Called
    with settings alone it gives a new metric that has them.

What it forgives
----------------
False alarms, when there is much normal time: an alarm over everything scores
.75, as much as many an honest detector, and random alarms do nearly as well.

Notes
-----
Crosswalk:
  ipal_evaluate BATADAL        batadal
  ipal_evaluate BATADAL-CLF    balanced_accuracy

References
----------
R. Taormina et al. (2018). The Battle of the Attack Detection Algorithms.
Journal of Water Resources Planning and Management 144(8).

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.batadal(labels, flags)
0.6666666666666667
"""

class _LikeFlapping(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        within: Whole | Duration = 5,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        within: Whole | Duration = 5,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

flapping: _LikeFlapping
"""Flapping.

Share of the flagged runs that begin at most `within` points after another has
ended.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
within : int or duration, default: 5
    At most so many points lie between the two.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, lower is better. NaN: no alarm. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Every missed event and every false alarm that stands alone: it asks only how
calm the alarms are. A flag at random alarms seldom, and an alarm over
everything never, begins again.

References
----------
Common practice of on-call teams: an alert that fires again and again.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.flapping(labels, flags)
0.5
"""

taes_f1: _LikeF1
"""F-score of events and alarms by their overlap.

Harmonic mean of taes_precision and taes_recall.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
beta : float, default: 1
    How much more recall weighs than precision. 1 is F1.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event and no alarm. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
The length of a false alarm: it costs as much as one event at most.

Notes
-----
Crosswalk:
  nedc-bench TAESScorer             taes_f1, taes_precision, taes_recall (sensitivity)
  NEDC v6.0.0 TAES                  the same, but it tests overlap on whole seconds, so an alarm
                                    that only touches an event costs less than one
  NEDC OVERLAP                      segment_f1, segment_precision, segment_recall
  NEDC epoch                        f1, precision, recall on points that are the epochs
  SzCORE, timescoring events        event_f1_tolerant

References
----------
V. Shah et al. (2021). Objective Evaluation Metrics for Automatic Classification
of EEG Events. arXiv:1712.10107.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.taes_f1(labels, flags)
0.4
"""

taes_precision: _LikePrecision
"""Precision of events and alarms by their overlap.

What alarms cover of events, over that and what they cover beside, both in
lengths of the event; beside counts 1 at most, and an alarm of no event 1.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no alarm. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Missed events; and the length of a false alarm, which costs as much as one event
at most, so an alarm over everything is half right.

Notes
-----
Crosswalk:
  nedc-bench TAESScorer             taes_f1, taes_precision, taes_recall (sensitivity)
  NEDC v6.0.0 TAES                  the same, but it tests overlap on whole seconds, so an alarm
                                    that only touches an event costs less than one
  NEDC OVERLAP                      segment_f1, segment_precision, segment_recall
  NEDC epoch                        f1, precision, recall on points that are the epochs
  SzCORE, timescoring events        event_f1_tolerant

References
----------
V. Shah et al. (2021). Objective Evaluation Metrics for Automatic Classification
of EEG Events. arXiv:1712.10107.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.taes_precision(labels, flags)
0.3333333333333333
"""

taes_recall: _LikePrecision
"""Recall of events and alarms by their overlap.

Mean over events of the share that its alarms cover; an event under the alarm of
another one is missed.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Every false alarm, unless it covers two events.

Notes
-----
Crosswalk:
  nedc-bench TAESScorer             taes_f1, taes_precision, taes_recall (sensitivity)
  NEDC v6.0.0 TAES                  the same, but it tests overlap on whole seconds, so an alarm
                                    that only touches an event costs less than one
  NEDC OVERLAP                      segment_f1, segment_precision, segment_recall
  NEDC epoch                        f1, precision, recall on points that are the epochs
  SzCORE, timescoring events        event_f1_tolerant

References
----------
V. Shah et al. (2021). Objective Evaluation Metrics for Automatic Classification
of EEG Events. arXiv:1712.10107.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.taes_recall(labels, flags)
0.5
"""

class _LikeGaussianF1(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        sigma: Number | Duration = 30,
        variant: Literal["all", "datadog"] = "all",
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        sigma: Number | Duration = 30,
        variant: Literal["all", "datadog"] = "all",
        beta: Number = 1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

gaussian_f1: _LikeGaussianF1
"""F-score of onsets, the sooner the better.

Harmonic mean of gaussian_precision and gaussian_recall.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
sigma : float or duration, default: 30
    How late an alarm may be: one sigma late earns .32.
variant : "all" or "datadog", default: 'all'
    Which alarms that no event has taken are false: all that touch no event, or only those
    before the first event of the series.
beta : float, default: 1
    How much more recall weighs than precision. 1 is F1.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event and no alarm. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
Coverage: only the first point of an alarm counts.

Notes
-----
An alarm before the start of its event is not for it. An event that is missed takes the
alarm of the next one, and gets nothing for it.
variant="datadog" calls only alarms false that come before the first event of a series.
Crosswalk:
  Datadog ComputeGaussianF1    gaussian_f1(variant="datadog"); it adds up 1000 trapezoids instead
                               of taking the integral, which is up to 0.0024 off, gives 1 for no
                               event and no alarm, and knows a time of recovery

References
----------
Datadog agent, anomaly detection scorer (scoring v2), as read in its code.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.gaussian_f1(labels, flags)
0.6547426518764963
"""

class _LikeGaussianPrecision(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        sigma: Number | Duration = 30,
        variant: Literal["all", "datadog"] = "all",
        at: Number | str | AnyRule | None = None,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        channels: Any = None,
        subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self,
        /,
        *,
        sigma: Number | Duration = 30,
        variant: Literal["all", "datadog"] = "all",
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

gaussian_precision: _LikeGaussianPrecision
"""Precision of onsets, the sooner the better.

What alarms are worth, over that and one for each false alarm.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
sigma : float or duration, default: 30
    How late an alarm may be: one sigma late earns .32.
variant : "all" or "datadog", default: 'all'
    Which alarms that no event has taken are false: all that touch no event, or only those
    before the first event of the series.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no alarm. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Missed events; and alarms inside of an event that come after its first.

Notes
-----
An alarm before the start of its event is not for it. An event that is missed takes the
alarm of the next one, and gets nothing for it.
variant="datadog" calls only alarms false that come before the first event of a series.
Crosswalk:
  Datadog ComputeGaussianF1    gaussian_f1(variant="datadog"); it adds up 1000 trapezoids instead
                               of taking the integral, which is up to 0.0024 off, gives 1 for no
                               event and no alarm, and knows a time of recovery

References
----------
Datadog agent, anomaly detection scorer (scoring v2), as read in its code.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.gaussian_precision(labels, flags)
0.49326261542804806
"""

gaussian_recall: _LikeGaussianPrecision
"""Recall of onsets, the sooner the better.

Mean over events of erfc(d / (`sigma` sqrt 2)), for the earliest alarm d points
after its start that no event has taken.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
sigma : float or duration, default: 30
    How late an alarm may be: one sigma late earns .32.
variant : "all" or "datadog", default: 'all'
    Which alarms that no event has taken are false: all that touch no event, or only those
    before the first event of the series.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Every false alarm, and coverage: only the first point of an alarm counts.

Notes
-----
An alarm before the start of its event is not for it. An event that is missed takes the
alarm of the next one, and gets nothing for it.
variant="datadog" calls only alarms false that come before the first event of a series.
Crosswalk:
  Datadog ComputeGaussianF1    gaussian_f1(variant="datadog"); it adds up 1000 trapezoids instead
                               of taking the integral, which is up to 0.0024 off, gives 1 for no
                               event and no alarm, and knows a time of recovery

References
----------
Datadog agent, anomaly detection scorer (scoring v2), as read in its code.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.gaussian_recall(labels, flags)
0.9734087723658158
"""

accuracy: _LikePrecision
"""Accuracy.

Share of the points that are called right.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: never. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Missed events, the rarer they are: silence scores the share of normal points.

Notes
-----
Crosswalk: scikit-learn accuracy_score. See balanced_accuracy and mcc.

References
----------
Share of agreement; it has no single source.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.accuracy(labels, flags)
0.7
"""

dice: _LikePrecision
"""Dice coefficient.

Twice the flagged anomalous points over flagged and anomalous points: another
name of f1.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event and no alarm. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
What is short: it is f1.

Notes
-----
Crosswalk: tsadmetrics DiceCoefficient, which gives 1 where nothing is to be found.

References
----------
L. R. Dice (1945). Measures of the Amount of Ecologic Association Between
Species. Ecology 26(3).

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.dice(labels, flags)
0.5714285714285714
"""

adc: _LikePrecision
"""Average share of each event detected.

Mean over all events of the share of their points that are flagged.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Every false alarm; long events weigh no more than short ones.

Notes
-----
Crosswalk: tsadmetrics AverageDetectionCount. event_coverage leaves missed events out. Series: points of all series are counted together, and nothing reaches across.

References
----------
The package tsadmetrics 1.0.16, whose values it gives.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.adc(labels, flags)
0.5
"""

tdir: _LikeTolerantPrecision
"""Detected in range.

Share of the anomalous points with a flagged point within `tolerance`: another
name of tolerant_recall.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
tolerance : int or duration, default: 5
    How many points, or how much time, apart still counts.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no event. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Every false alarm, and gaps up to twice the tolerance.

Notes
-----
Crosswalk: tsadmetrics TotalDetectedInRange, k is tolerance; it sees no alarm near points closer than k to the start. Series: points of all series are counted together, and nothing reaches across.

References
----------
The package tsadmetrics 1.0.16, whose values it gives.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.tdir(labels, flags)
1.0
"""

dair: _LikeTolerantPrecision
"""Detection accuracy in range.

A / (A + F) for A anomalous points with a flagged point within `tolerance`, and
F flagged normal points.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
tolerance : int or duration, default: 5
    How many points, or how much time, apart is near.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: no alarm. Called with settings alone it
    gives a new metric that has them.

What it forgives
----------------
Missed events, and part of a false alarm near an event, which finds its points.

Notes
-----
Crosswalk: tsadmetrics DetectionAccuracyInRange, k is tolerance. Series: points of all series are counted together, and nothing reaches across.

References
----------
The package tsadmetrics 1.0.16, whose values it gives.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.dair(labels, flags)
0.8
"""

wdd: _LikeTolerantPrecision
"""Weighted detection difference.

Hits, each weighed by a Gaussian around the middle of its event, less false
alarms, each weighed by its distance to the nearest event, up to 1 at
`tolerance`.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
tolerance : int or duration, default: 5
    From how many points, or how much time, on a false alarm costs a whole one; 0 and 1
    are the same.
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From -inf to inf, higher is better. NaN: never. Called with settings alone
    it gives a new metric that has them.

What it forgives
----------------
Missed events: they cost nothing. A sum, so it grows with the data.

Notes
-----
Crosswalk: tsadmetrics WeightedDetectionDifference, k is tolerance. Series: points of all series are counted together, and nothing reaches across.

References
----------
The package tsadmetrics 1.0.16, whose values it gives.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.wdd(labels, flags)
1.5384664689526883
"""

add: _LikePrecision
"""Absolute detection distance.

Mean distance of the hits from the middle of their event, as a share of its
width.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, lower is better. NaN: no event is hit. Called with settings
    alone it gives a new metric that has them.

What it forgives
----------------
Missed events and every false alarm; a detector of whole events has about 1/4,
and random alarms or an alarm over everything the same.

Notes
-----
Crosswalk: tsadmetrics AbsoluteDetectionDistance, which gives 0, the best value, where no event is hit. Series: points of all series are counted together, and nothing reaches across.

References
----------
The package tsadmetrics 1.0.16, whose values it gives.

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.add(labels, flags)
0.125
"""

rand_index: _LikePrecision
"""Rand index.

Share of the pairs of points that labels and flags either both join or both
part.

Parameters
----------
labels : column or Events
    Which points are anomalous: 1, the others 0.
scores : column
    Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside
    best().
at : float or rule, default: None
    Points with a score above it are flagged: a number, or a rule such as quantile(0.99).
series : column, default: None
    Which series a point is of; equal ids stand side by side.
where : column of bool, default: None
    Which points are judged. None: all.
time : column of times, default: None
    When each point was; settings may then be durations.
channels : names, default: None
    The channels, where labels and scores have a column each.
subsystem : dict, default: None
    Groups of channels, for subsystem_*.
zero_division : float, default: nan
    What to give where the value is undefined (0/0).

Returns
-------
float
    From 0 to 1, higher is better. NaN: fewer than two points. Called with
    settings alone it gives a new metric that has them.

What it forgives
----------------
Being the wrong way round; missed events, the rarer they are.

Notes
-----
Points are parted in anomalous and normal ones; segments are not clusters of their own.

References
----------
W. M. Rand (1971). Objective Criteria for the Evaluation of Clustering Methods.
JASA 66(336).

Examples
--------
>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
>>> aj.rand_index(labels, flags)
0.5333333333333333
"""
