"""The metrics as type checkers and editors see them; written by tools/make.py stub."""

from collections.abc import Sequence
from typing import Any, Literal, Self, overload

from adjudge._typing import Boolean, Column, Duration, Number, Whole
from adjudge.measure.thresholds.contract import AnyRule
from adjudge.metrics.metric import Metric

__all__ = [
    "f1", "precision", "recall", "auc_roc", "auc_pr", "ap", "f1_pa", "precision_pa", "recall_pa",
    "auc_roc_pa", "auc_pr_pa", "ap_pa", "f1_kpa", "precision_kpa", "recall_kpa", "auc_roc_kpa",
    "auc_pr_kpa", "ap_kpa", "f1_ba", "precision_ba", "recall_ba", "auc_roc_ba", "auc_pr_ba",
    "ap_ba", "informedness_ba", "f1_dilated", "mcc", "balanced_accuracy", "event_f1",
    "event_precision", "event_recall", "event_coverage", "event_f1_ba", "segment_f1",
    "segment_precision", "segment_recall", "composite_f1", "composite_precision",
    "composite_recall", "revised_f1", "revised_precision", "revised_recall", "eventwise_f1",
    "eventwise_precision", "eventwise_recall", "event_weighted_f1", "event_weighted_precision",
    "event_weighted_recall", "event_weighted_auc_roc", "event_weighted_auc_pr",
    "event_weighted_ap", "overlap_f1", "overlap_precision", "overlap_recall", "collar_f1",
    "collar_precision", "collar_recall", "intersection_f1", "intersection_precision",
    "intersection_recall", "event_f1_tolerant", "event_precision_tolerant",
    "event_recall_tolerant", "alarms_per_event", "psds", "alarm", "range_f1", "range_precision",
    "range_recall", "ts_f1", "ts_precision", "ts_recall", "tapr_f1", "tapr_precision",
    "tapr_recall", "etapr_f1", "etapr_precision", "etapr_recall", "ts_auc_pr", "auc_pr_range",
    "affiliation_f1", "affiliation_precision", "affiliation_recall", "affiliation_f1_corrected",
    "affiliation_precision_corrected", "delay_f1", "delay_precision", "delay_recall", "latency_f1",
    "latency_precision", "latency_recall", "tolerant_f1", "tolerant_precision", "tolerant_recall",
    "softed_f1", "softed_precision", "softed_recall", "f1_kpa_area", "detection_delay",
    "early_detection", "adtqc", "false_alarm_rate", "false_alarms", "reset_time",
    "temporal_distance", "chamfer_distance", "hausdorff_distance", "nab", "costs", "oipr_f1",
    "oipr_precision", "oipr_recall", "sdqe", "dqe", "change_f1", "change_precision",
    "change_recall", "regime_f1", "regime_precision", "regime_recall", "regime_rand", "regime_ari",
    "regime_nmi", "change_delay", "time_between_false_alarms", "warning_f1", "warning_precision",
    "warning_recall", "lead_time", "false_warning_rate", "time_in_warning", "warning_auc",
    "early_utility", "vus_roc", "vus_pr", "range_auc_roc", "range_auc_pr", "vus_f1",
    "vus_precision", "vus_recall", "pate", "pate_f1", "pate_precision", "pate_recall", "recall_at",
    "froc", "partial_auc_roc", "precision_at_k", "f1_at_k", "event_precision_at_k",
    "event_f1_at_k", "ucr", "separation", "hellinger", "cce", "alert_ap", "interval_ap",
    "channel_f1", "channel_precision", "channel_recall", "subsystem_f1", "subsystem_precision",
    "subsystem_recall", "incident_f1", "incident_precision", "incident_recall",
    "incident_affiliation_f1", "incident_affiliation_precision", "incident_affiliation_recall",
    "alarming_precision", "channel_adtqc", "cause_hit_rate", "cause_ndcg", "cause_in_top",
    "cause_recall_at_k", "cause_average_at_k", "specificity", "false_positive_rate",
    "negative_predictive_value", "informedness", "markedness", "kappa", "jaccard", "time_in_alarm",
    "false_time", "batadal_ttd", "batadal", "flapping", "taes_f1", "taes_precision", "taes_recall",
    "gaussian_f1", "gaussian_precision", "gaussian_recall", "accuracy", "dice", "adc", "tdir",
    "dair", "wdd", "add", "rand_index",
]

class _LikeF1(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, beta: Number = 1,
        at: Number | str | AnyRule | None = None, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, beta: Number = 1, at: Number | str | AnyRule | None = None,
    ) -> Self: ...

f1: _LikeF1
"""F-score: harmonic mean of precision and recall.

beta: How much more recall weighs than precision. 1 is F1.

From 0 to 1, higher is better. NaN: no event and no alarm."""

class _LikePrecision(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, at: Number | str | AnyRule | None = None,
        series: Column = None, where: Column = None, time: Column = None, channels: Any = None,
        subsystem: Any = None, zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, at: Number | str | AnyRule | None = None,
    ) -> Self: ...

precision: _LikePrecision
"""precision: share of the flagged points that are anomalous.

From 0 to 1, higher is better. NaN: no alarm."""

recall: _LikePrecision
"""recall: share of the anomalous points that are flagged.

From 0 to 1, higher is better. NaN: no event."""

class _LikeAucRoc(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /,
    ) -> Self: ...

auc_roc: _LikeAucRoc
"""ROC area: chance that an anomalous point outranks a normal one (a tie counts half).

From 0 to 1, higher is better. NaN: no event, or no normal point."""

auc_pr: _LikeAucRoc
"""PR area: area under precision against recall over all thresholds, by trapezoids.

From 0 to 1, higher is better. NaN: no event."""

ap: _LikeAucRoc
"""average precision: area under precision against recall over all thresholds, by steps.

From 0 to 1, higher is better. NaN: no event."""

f1_pa: _LikeF1
"""F-score, point-adjusted: harmonic mean of precision and recall after point adjustment (one hit
inside an event counts as the whole event).

beta: How much more recall weighs than precision. 1 is F1.

From 0 to 1, higher is better. NaN: no event and no alarm."""

precision_pa: _LikePrecision
"""precision, point-adjusted: share of the flagged points that are anomalous after point adjustment
(one hit inside an event counts as the whole event).

From 0 to 1, higher is better. NaN: no alarm."""

recall_pa: _LikePrecision
"""recall, point-adjusted: share of the anomalous points that are flagged after point adjustment (one
hit inside an event counts as the whole event).

From 0 to 1, higher is better. NaN: no event."""

auc_roc_pa: _LikeAucRoc
"""ROC area, point-adjusted: chance that an anomalous point outranks a normal one (a tie counts half)
after point adjustment (one hit inside an event counts as the whole event).

From 0 to 1, higher is better. NaN: no event, or no normal point."""

auc_pr_pa: _LikeAucRoc
"""PR area, point-adjusted: area under precision against recall over all thresholds, by trapezoids
after point adjustment (one hit inside an event counts as the whole event).

From 0 to 1, higher is better. NaN: no event."""

ap_pa: _LikeAucRoc
"""average precision, point-adjusted: area under precision against recall over all thresholds, by steps
after point adjustment (one hit inside an event counts as the whole event).

From 0 to 1, higher is better. NaN: no event."""

class _LikeF1Kpa(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, k: Number = 0.2, strict: Boolean = False,
        tolerance: Whole | None | Duration = None, beta: Number = 1,
        at: Number | str | AnyRule | None = None, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, k: Number = 0.2, strict: Boolean = False,
        tolerance: Whole | None | Duration = None, beta: Number = 1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

f1_kpa: _LikeF1Kpa
"""F-score, coverage-adjusted: harmonic mean of precision and recall after K%-adjustment (an event of
which a share k or more is hit counts as a whole).

k: Share of the event that must be hit, in (0, 1].

strict: Ask for more than k instead of at least k.

tolerance: Mark only the event's points within so many points, or so much time, of a hit, instead of
all of them.

beta: How much more recall weighs than precision. 1 is F1.

From 0 to 1, higher is better. NaN: no event and no alarm."""

class _LikePrecisionKpa(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, k: Number = 0.2, strict: Boolean = False,
        tolerance: Whole | None | Duration = None, at: Number | str | AnyRule | None = None,
        series: Column = None, where: Column = None, time: Column = None, channels: Any = None,
        subsystem: Any = None, zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, k: Number = 0.2, strict: Boolean = False,
        tolerance: Whole | None | Duration = None, at: Number | str | AnyRule | None = None,
    ) -> Self: ...

precision_kpa: _LikePrecisionKpa
"""precision, coverage-adjusted: share of the flagged points that are anomalous after K%-adjustment (an
event of which a share k or more is hit counts as a whole).

k: Share of the event that must be hit, in (0, 1].

strict: Ask for more than k instead of at least k.

tolerance: Mark only the event's points within so many points, or so much time, of a hit, instead of
all of them.

From 0 to 1, higher is better. NaN: no alarm."""

recall_kpa: _LikePrecisionKpa
"""recall, coverage-adjusted: share of the anomalous points that are flagged after K%-adjustment (an
event of which a share k or more is hit counts as a whole).

k: Share of the event that must be hit, in (0, 1].

strict: Ask for more than k instead of at least k.

tolerance: Mark only the event's points within so many points, or so much time, of a hit, instead of
all of them.

From 0 to 1, higher is better. NaN: no event."""

class _LikeAucRocKpa(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, k: Number = 0.2, strict: Boolean = False,
        tolerance: Whole | None | Duration = None, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, k: Number = 0.2, strict: Boolean = False,
        tolerance: Whole | None | Duration = None,
    ) -> Self: ...

auc_roc_kpa: _LikeAucRocKpa
"""ROC area, coverage-adjusted: chance that an anomalous point outranks a normal one (a tie counts
half) after K%-adjustment (an event of which a share k or more is hit counts as a whole).

k: Share of the event that must be hit, in (0, 1].

strict: Ask for more than k instead of at least k.

tolerance: Mark only the event's points within so many points, or so much time, of a hit, instead of
all of them.

From 0 to 1, higher is better. NaN: no event, or no normal point."""

auc_pr_kpa: _LikeAucRocKpa
"""PR area, coverage-adjusted: area under precision against recall over all thresholds, by trapezoids
after K%-adjustment (an event of which a share k or more is hit counts as a whole).

k: Share of the event that must be hit, in (0, 1].

strict: Ask for more than k instead of at least k.

tolerance: Mark only the event's points within so many points, or so much time, of a hit, instead of
all of them.

From 0 to 1, higher is better. NaN: no event."""

ap_kpa: _LikeAucRocKpa
"""average precision, coverage-adjusted: area under precision against recall over all thresholds, by
steps after K%-adjustment (an event of which a share k or more is hit counts as a whole).

k: Share of the event that must be hit, in (0, 1].

strict: Ask for more than k instead of at least k.

tolerance: Mark only the event's points within so many points, or so much time, of a hit, instead of
all of them.

From 0 to 1, higher is better. NaN: no event."""

class _LikeF1Ba(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, width: Whole | None | Duration = None,
        islands: Literal["normal", "spill", "all"] | None = "normal", margin: Whole = 0,
        border: Literal["clip", "shift"] = "clip",
        reading: Literal["corrected", "printed", "authors"] | None = None, beta: Number = 1,
        at: Number | str | AnyRule | None = None, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, width: Whole | None | Duration = None,
        islands: Literal["normal", "spill", "all"] | None = "normal", margin: Whole = 0,
        border: Literal["clip", "shift"] = "clip",
        reading: Literal["corrected", "printed", "authors"] | None = None, beta: Number = 1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

f1_ba: _LikeF1Ba
"""F-score, balanced: harmonic mean of precision and recall after balanced adjustment (a hit counts as
its whole event, a false alarm as an island of `width` points).

width: Points of an island, or how long it is (\"30min\"). 1 is point adjustment; the larger, the more
a false alarm costs.

islands: What an island of exactly width points may mark, for those who mix readings.

margin: A false positive at most this far from an event counts as itself and raises no island. 0 is
the paper; 1 forgives alarms that are one point too wide.

border: What becomes of a window that meets an event or an end.

reading: Which of the three metrics of this name.

beta: How much more recall weighs than precision. 1 is F1.

From 0 to 1, higher is better. NaN: no event and no alarm."""

class _LikePrecisionBa(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, width: Whole | None | Duration = None,
        islands: Literal["normal", "spill", "all"] | None = "normal", margin: Whole = 0,
        border: Literal["clip", "shift"] = "clip",
        reading: Literal["corrected", "printed", "authors"] | None = None,
        at: Number | str | AnyRule | None = None, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, width: Whole | None | Duration = None,
        islands: Literal["normal", "spill", "all"] | None = "normal", margin: Whole = 0,
        border: Literal["clip", "shift"] = "clip",
        reading: Literal["corrected", "printed", "authors"] | None = None,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

precision_ba: _LikePrecisionBa
"""precision, balanced: share of the flagged points that are anomalous after balanced adjustment (a hit
counts as its whole event, a false alarm as an island of `width` points).

width: Points of an island, or how long it is (\"30min\"). 1 is point adjustment; the larger, the more
a false alarm costs.

islands: What an island of exactly width points may mark, for those who mix readings.

margin: A false positive at most this far from an event counts as itself and raises no island. 0 is
the paper; 1 forgives alarms that are one point too wide.

border: What becomes of a window that meets an event or an end.

reading: Which of the three metrics of this name.

From 0 to 1, higher is better. NaN: no alarm."""

recall_ba: _LikePrecisionBa
"""recall, balanced: share of the anomalous points that are flagged after balanced adjustment (a hit
counts as its whole event, a false alarm as an island of `width` points).

width: Points of an island, or how long it is (\"30min\"). 1 is point adjustment; the larger, the more
a false alarm costs.

islands: What an island of exactly width points may mark, for those who mix readings.

margin: A false positive at most this far from an event counts as itself and raises no island. 0 is
the paper; 1 forgives alarms that are one point too wide.

border: What becomes of a window that meets an event or an end.

reading: Which of the three metrics of this name.

From 0 to 1, higher is better. NaN: no event."""

class _LikeAucRocBa(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, width: Whole | None | Duration = None,
        islands: Literal["normal", "spill", "all"] | None = "normal", margin: Whole = 0,
        border: Literal["clip", "shift"] = "clip",
        reading: Literal["corrected", "printed", "authors"] | None = None, series: Column = None,
        where: Column = None, time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, width: Whole | None | Duration = None,
        islands: Literal["normal", "spill", "all"] | None = "normal", margin: Whole = 0,
        border: Literal["clip", "shift"] = "clip",
        reading: Literal["corrected", "printed", "authors"] | None = None,
    ) -> Self: ...

auc_roc_ba: _LikeAucRocBa
"""ROC area, balanced: chance that an anomalous point outranks a normal one (a tie counts half) after
balanced adjustment (a hit counts as its whole event, a false alarm as an island of `width` points).

width: Points of an island, or how long it is (\"30min\"). 1 is point adjustment; the larger, the more
a false alarm costs.

islands: What an island of exactly width points may mark, for those who mix readings.

margin: A false positive at most this far from an event counts as itself and raises no island. 0 is
the paper; 1 forgives alarms that are one point too wide.

border: What becomes of a window that meets an event or an end.

reading: Which of the three metrics of this name.

From 0 to 1, higher is better. NaN: no event, or no normal point."""

auc_pr_ba: _LikeAucRocBa
"""PR area, balanced: area under precision against recall over all thresholds, by trapezoids after
balanced adjustment (a hit counts as its whole event, a false alarm as an island of `width` points).

width: Points of an island, or how long it is (\"30min\"). 1 is point adjustment; the larger, the more
a false alarm costs.

islands: What an island of exactly width points may mark, for those who mix readings.

margin: A false positive at most this far from an event counts as itself and raises no island. 0 is
the paper; 1 forgives alarms that are one point too wide.

border: What becomes of a window that meets an event or an end.

reading: Which of the three metrics of this name.

From 0 to 1, higher is better. NaN: no event."""

ap_ba: _LikeAucRocBa
"""average precision, balanced: area under precision against recall over all thresholds, by steps after
balanced adjustment (a hit counts as its whole event, a false alarm as an island of `width` points).

width: Points of an island, or how long it is (\"30min\"). 1 is point adjustment; the larger, the more
a false alarm costs.

islands: What an island of exactly width points may mark, for those who mix readings.

margin: A false positive at most this far from an event counts as itself and raises no island. 0 is
the paper; 1 forgives alarms that are one point too wide.

border: What becomes of a window that meets an event or an end.

reading: Which of the three metrics of this name.

From 0 to 1, higher is better. NaN: no event."""

class _LikeInformednessBa(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, width: Whole | None | Duration = "matched",
        islands: Literal["normal", "spill", "all"] | None = "normal", margin: Whole = 0,
        border: Literal["clip", "shift"] = "shift",
        reading: Literal["corrected", "printed", "authors"] | None = None,
        at: Number | str | AnyRule | None = None, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, width: Whole | None | Duration = "matched",
        islands: Literal["normal", "spill", "all"] | None = "normal", margin: Whole = 0,
        border: Literal["clip", "shift"] = "shift",
        reading: Literal["corrected", "printed", "authors"] | None = None,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

informedness_ba: _LikeInformednessBa
"""informedness, balanced: recall less the false-positive rate after balanced adjustment with islands
as wide as the events: 0 on average for any stationary detector that does not see the labels.

width: Points of an island, or how long it is (\"30min\"). 1 is point adjustment; the larger, the more
a false alarm costs.

islands: What an island of exactly width points may mark, for those who mix readings.

margin: A false positive at most this far from an event counts as itself and raises no island. 0 is
the paper; 1 forgives alarms that are one point too wide.

border: What becomes of a window that meets an event or an end.

reading: Which of the three metrics of this name.

From -1 to 1, higher is better. NaN: no event, or no normal point."""

class _LikeF1Dilated(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, width: Whole = 5, beta: Number = 1,
        at: Number | str | AnyRule | None = None, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, width: Whole = 5, beta: Number = 1, at: Number | str | AnyRule | None = None,
    ) -> Self: ...

f1_dilated: _LikeF1Dilated
"""F-score of dilated flags: pointwise F-score after every flag, true or false, is widened to `width`
points.

width: Points of a widened flag. 1 is the pointwise score.

beta: How much more recall weighs than precision. 1 is F1.

From 0 to 1, higher is better. NaN: no event and no alarm."""

mcc: _LikePrecision
"""Matthews' correlation: correlation of labels and flags over points.

From -1 to 1, higher is better. NaN: no event, no normal point, no alarm, or nothing but alarms."""

balanced_accuracy: _LikePrecision
"""balanced accuracy: mean of recall and of the share of normal points left alone.

From 0 to 1, higher is better. NaN: no event, or no normal point."""

event_f1: _LikeF1
"""F-score of events and runs: harmonic mean of event precision and event recall.

beta: How much more recall weighs than precision. 1 is F1.

From 0 to 1, higher is better. NaN: no event and no alarm."""

event_precision: _LikePrecision
"""precision of runs: share of the flagged runs that touch an event.

From 0 to 1, higher is better. NaN: no alarm."""

event_recall: _LikePrecision
"""recall of events: share of the events that are touched.

From 0 to 1, higher is better. NaN: no event."""

event_coverage: _LikePrecision
"""coverage of found events: mean share of points flagged, over the events that are touched.

From 0 to 1, higher is better. NaN: no event is touched."""

event_f1_ba: _LikeF1Ba
"""F-score of events, balanced: 2d / (N + d + C/w) for d hit events of N, and C normal points marked by
islands of w = `width` points: a missed event and an isolated false alarm cost the same.

width: Points of an island: the same as that of the adjustment, and the same default.

islands: What an island of exactly width points may mark, for those who mix readings.

margin: A false positive at most this far from an event counts as itself and raises no island. 0 is
the paper; 1 forgives alarms that are one point too wide.

border: What becomes of a window that meets an event or an end.

reading: Which of the three metrics of this name.

beta: How much more recall weighs than precision. 1 is F1.

From 0 to 1, higher is better. NaN: no event and no alarm."""

segment_f1: _LikeF1
"""F-score of segments: harmonic mean of segment_precision and segment_recall.

beta: How much more recall weighs than precision. 1 is F1.

From 0 to 1, higher is better. NaN: no event and no alarm."""

segment_precision: _LikePrecision
"""precision of segments: hit events, as a share of hit events and runs that touch none.

From 0 to 1, higher is better. NaN: no alarm."""

segment_recall: _LikePrecision
"""recall of segments: share of the events that are hit.

From 0 to 1, higher is better. NaN: no event."""

composite_f1: _LikeF1
"""F-score of events and points: harmonic mean of composite_precision and composite_recall.

beta: How much more recall weighs than precision. 1 is F1.

From 0 to 1, higher is better. NaN: no event and no alarm."""

composite_precision: _LikePrecision
"""precision of events and points: share of the flagged points that are anomalous.

From 0 to 1, higher is better. NaN: no alarm."""

composite_recall: _LikePrecision
"""recall of events and points: share of the events that are hit.

From 0 to 1, higher is better. NaN: no event."""

revised_f1: _LikeF1
"""F-score of events and false points: harmonic mean of revised_precision and revised_recall.

beta: How much more recall weighs than precision. 1 is F1.

From 0 to 1, higher is better. NaN: no event and no alarm."""

revised_precision: _LikePrecision
"""precision of events and false points: hit events, as a share of hit events and false points.

From 0 to 1, higher is better. NaN: no alarm."""

revised_recall: _LikePrecision
"""recall of events and false points: share of the events that are hit.

From 0 to 1, higher is better. NaN: no event."""

eventwise_f1: _LikeF1
"""F-score of segments, less false time: harmonic mean of eventwise_precision and eventwise_recall.

beta: How much more recall weighs than precision. 1 is F1.

From 0 to 1, higher is better. NaN: no event and no alarm."""

eventwise_precision: _LikePrecision
"""precision of segments, less false time: hit events, as a share of hit events and runs that touch
none, times the share of normal points left alone.

From 0 to 1, higher is better. NaN: no alarm."""

eventwise_recall: _LikePrecision
"""recall of segments, less false time: share of the events that are hit.

From 0 to 1, higher is better. NaN: no event."""

class _LikeEventWeightedF1(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, k: Whole | None | Duration = None,
        weight: Literal["one", "log", "sqrt", "length"] = "one", beta: Number = 1,
        at: Number | str | AnyRule | None = None, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, k: Whole | None | Duration = None,
        weight: Literal["one", "log", "sqrt", "length"] = "one", beta: Number = 1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

event_weighted_f1: _LikeEventWeightedF1
"""F-score of events by weight: harmonic mean of event_weighted_precision and event_weighted_recall.

k: How many points, or how much time, there is to raise the alarm in.

weight: How much an event weighs: the less its length matters, the more a short event does.

beta: How much more recall weighs than precision. 1 is F1.

From 0 to 1, higher is better. NaN: no event and no alarm."""

class _LikeEventWeightedPrecision(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, k: Whole | None | Duration = None,
        weight: Literal["one", "log", "sqrt", "length"] = "one",
        at: Number | str | AnyRule | None = None, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, k: Whole | None | Duration = None,
        weight: Literal["one", "log", "sqrt", "length"] = "one",
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

event_weighted_precision: _LikeEventWeightedPrecision
"""precision of events by weight: weight of the hit events, as a share of that weight and of false
points.

k: How many points, or how much time, there is to raise the alarm in.

weight: How much an event weighs: the less its length matters, the more a short event does.

From 0 to 1, higher is better. NaN: no alarm."""

event_weighted_recall: _LikeEventWeightedPrecision
"""recall of events by weight: share of the events' weight that is hit.

k: How many points, or how much time, there is to raise the alarm in.

weight: How much an event weighs: the less its length matters, the more a short event does.

From 0 to 1, higher is better. NaN: no event."""

class _LikeEventWeightedAucRoc(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, k: Whole | None | Duration = None,
        weight: Literal["one", "log", "sqrt", "length"] = "one", series: Column = None,
        where: Column = None, time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, k: Whole | None | Duration = None,
        weight: Literal["one", "log", "sqrt", "length"] = "one",
    ) -> Self: ...

event_weighted_auc_roc: _LikeEventWeightedAucRoc
"""ROC area of events by weight: chance that a hit event outranks a normal point, events drawn by
weight.

k: How many points, or how much time, there is to raise the alarm in.

weight: How much an event weighs: the less its length matters, the more a short event does.

From 0 to 1, higher is better. NaN: no event, or no normal point."""

event_weighted_auc_pr: _LikeEventWeightedAucRoc
"""PR area of events by weight: area under precision against recall of weighted events, by trapezoids.

k: How many points, or how much time, there is to raise the alarm in.

weight: How much an event weighs: the less its length matters, the more a short event does.

From 0 to 1, higher is better. NaN: no event."""

event_weighted_ap: _LikeEventWeightedAucRoc
"""average precision of events by weight: area under precision against recall of weighted events, by
steps.

k: How many points, or how much time, there is to raise the alarm in.

weight: How much an event weighs: the less its length matters, the more a short event does.

From 0 to 1, higher is better. NaN: no event."""

class _LikeOverlapF1(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, tau: Number = 0.5, beta: Number = 1,
        at: Number | str | AnyRule | None = None, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, tau: Number = 0.5, beta: Number = 1, at: Number | str | AnyRule | None = None,
    ) -> Self: ...

overlap_f1: _LikeOverlapF1
"""F-score of runs that overlap enough: harmonic mean of overlap_precision and overlap_recall.

tau: The share of the points of run and event together that both must have in common.

beta: How much more recall weighs than precision. 1 is F1.

From 0 to 1, higher is better. NaN: no event and no alarm."""

class _LikeOverlapPrecision(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, tau: Number = 0.5,
        at: Number | str | AnyRule | None = None, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, tau: Number = 0.5, at: Number | str | AnyRule | None = None,
    ) -> Self: ...

overlap_precision: _LikeOverlapPrecision
"""precision of runs that overlap enough: share of the flagged runs that match an event: their points
in common are a share `tau` or more of all their points, and no run before matched it.

tau: The share of the points of run and event together that both must have in common.

From 0 to 1, higher is better. NaN: no alarm."""

overlap_recall: _LikeOverlapPrecision
"""recall of runs that overlap enough: share of the events that are matched by a run.

tau: The share of the points of run and event together that both must have in common.

From 0 to 1, higher is better. NaN: no event."""

class _LikeCollarF1(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, collar: Whole | Duration = 5,
        ends: Boolean = True, slack: Number = 0.5, beta: Number = 1,
        at: Number | str | AnyRule | None = None, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, collar: Whole | Duration = 5, ends: Boolean = True, slack: Number = 0.5,
        beta: Number = 1, at: Number | str | AnyRule | None = None,
    ) -> Self: ...

collar_f1: _LikeCollarF1
"""F-score of runs whose ends are near: harmonic mean of collar_precision and collar_recall.

collar: How far apart starts (and ends) may be, in points or in time.

ends: Whether ends count too.

slack: How far apart ends may be, as a share of the event's length.

beta: How much more recall weighs than precision. 1 is F1.

From 0 to 1, higher is better. NaN: no event and no alarm."""

class _LikeCollarPrecision(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, collar: Whole | Duration = 5,
        ends: Boolean = True, slack: Number = 0.5, at: Number | str | AnyRule | None = None,
        series: Column = None, where: Column = None, time: Column = None, channels: Any = None,
        subsystem: Any = None, zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, collar: Whole | Duration = 5, ends: Boolean = True, slack: Number = 0.5,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

collar_precision: _LikeCollarPrecision
"""precision of runs whose ends are near: share of the flagged runs that are matched with an event:
their starts (and their ends, if `ends`) are at most `collar` points apart.

collar: How far apart starts (and ends) may be, in points or in time.

ends: Whether ends count too.

slack: How far apart ends may be, as a share of the event's length.

From 0 to 1, higher is better. NaN: no alarm."""

collar_recall: _LikeCollarPrecision
"""recall of runs whose ends are near: share of the events that are matched with a run.

collar: How far apart starts (and ends) may be, in points or in time.

ends: Whether ends count too.

slack: How far apart ends may be, as a share of the event's length.

From 0 to 1, higher is better. NaN: no event."""

class _LikeIntersectionF1(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, dtc: Number = 0.5, gtc: Number = 0.5,
        beta: Number = 1, at: Number | str | AnyRule | None = None, series: Column = None,
        where: Column = None, time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, dtc: Number = 0.5, gtc: Number = 0.5, beta: Number = 1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

intersection_f1: _LikeIntersectionF1
"""F-score of runs and events that cover each other: harmonic mean of intersection_precision and
intersection_recall.

dtc: The share of a run that must be anomalous (detection tolerance criterion).

gtc: The share of an event that must be covered (ground truth intersection criterion).

beta: How much more recall weighs than precision. 1 is F1.

From 0 to 1, higher is better. NaN: no event and no alarm."""

class _LikeIntersectionPrecision(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, dtc: Number = 0.5, gtc: Number = 0.5,
        at: Number | str | AnyRule | None = None, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, dtc: Number = 0.5, gtc: Number = 0.5, at: Number | str | AnyRule | None = None,
    ) -> Self: ...

intersection_precision: _LikeIntersectionPrecision
"""precision of runs and events that cover each other: found events, as a share of found events and of
runs of which less than `dtc` is anomalous.

dtc: The share of a run that must be anomalous (detection tolerance criterion).

gtc: The share of an event that must be covered (ground truth intersection criterion).

From 0 to 1, higher is better. NaN: no found event, and no run of which less than `dtc` is
anomalous."""

intersection_recall: _LikeIntersectionPrecision
"""recall of runs and events that cover each other: share of the events of which `gtc` or more lies in
runs that are `dtc` or more anomalous.

dtc: The share of a run that must be anomalous (detection tolerance criterion).

gtc: The share of an event that must be covered (ground truth intersection criterion).

From 0 to 1, higher is better. NaN: no event."""

class _LikeEventF1Tolerant(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, before: Whole | Duration = 0,
        after: Whole | Duration = 0, overlap: Number = 0, merge: Whole | Duration = 0,
        split: Whole | None | Duration = None, beta: Number = 1,
        at: Number | str | AnyRule | None = None, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, before: Whole | Duration = 0, after: Whole | Duration = 0, overlap: Number = 0,
        merge: Whole | Duration = 0, split: Whole | None | Duration = None, beta: Number = 1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

event_f1_tolerant: _LikeEventF1Tolerant
"""F-score of events, with tolerance: harmonic mean of event_precision_tolerant and
event_recall_tolerant.

before: How many points, or how much time, early or late an alarm may come.

after: How many points, or how much time, early or late an alarm may come.

overlap: What share of the stretch must be exceeded.

merge: Closer than this, two events (or runs) are one.

split: Longer than this, an event (or run) is several.

beta: How much more recall weighs than precision. 1 is F1.

From 0 to 1, higher is better. NaN: no event and no alarm."""

class _LikeEventPrecisionTolerant(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, before: Whole | Duration = 0,
        after: Whole | Duration = 0, overlap: Number = 0, merge: Whole | Duration = 0,
        split: Whole | None | Duration = None, at: Number | str | AnyRule | None = None,
        series: Column = None, where: Column = None, time: Column = None, channels: Any = None,
        subsystem: Any = None, zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, before: Whole | Duration = 0, after: Whole | Duration = 0, overlap: Number = 0,
        merge: Whole | Duration = 0, split: Whole | None | Duration = None,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

event_precision_tolerant: _LikeEventPrecisionTolerant
"""precision of events, with tolerance: found events, as a share of found events and of runs near none
of them.

before: How many points, or how much time, early or late an alarm may come.

after: How many points, or how much time, early or late an alarm may come.

overlap: What share of the stretch must be exceeded.

merge: Closer than this, two events (or runs) are one.

split: Longer than this, an event (or run) is several.

From 0 to 1, higher is better. NaN: no alarm."""

event_recall_tolerant: _LikeEventPrecisionTolerant
"""recall of events, with tolerance: share of the events with a flag in their stretch [start - before,
stop + after).

before: How many points, or how much time, early or late an alarm may come.

after: How many points, or how much time, early or late an alarm may come.

overlap: What share of the stretch must be exceeded.

merge: Closer than this, two events (or runs) are one.

split: Longer than this, an event (or run) is several.

From 0 to 1, higher is better. NaN: no event."""

alarms_per_event: _LikePrecision
"""alarms per found event: mean number of flagged runs inside an event, over the events that are
touched.

From 1 to inf, lower is better. NaN: no event is touched."""

class _LikePsds(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, dtc: Number = 0.5, gtc: Number = 0.5,
        per: Number | Duration = 1000, max_rate: Number = 10, series: Column = None,
        where: Column = None, time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, dtc: Number = 0.5, gtc: Number = 0.5, per: Number | Duration = 1000,
        max_rate: Number = 10,
    ) -> Self: ...

psds: _LikePsds
"""events found per false alarm, over thresholds: area under the share of events found (as
intersection_f1 counts them) against false alarms per `per` points, up to `max_rate`, in steps.

dtc: The share of a run that must be anomalous (detection tolerance criterion).

gtc: The share of an event that must be covered (ground truth intersection criterion).

per: In how many points, or how much time, false alarms are counted.

max_rate: The largest rate of false alarms that counts.

From 0 to 1, higher is better. NaN: no event."""

alarm: _LikePrecision
"""events found, promptly and in one piece, less false alarms: events found, less half of the false
runs and up to 1 for false points, plus how early and in how few pieces they were found, less 3/4
for alarms from before and 1/4 for those that go on.

From -inf to inf, higher is better. NaN: never."""

class _LikeRangeF1(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, p_alpha: Number = 0, r_alpha: Number = 0,
        cardinality: Literal["one", "reciprocal", "corrected"] = "one",
        p_bias: Literal["flat", "front", "middle", "back"] = "flat",
        r_bias: Literal["flat", "front", "middle", "back"] = "flat", beta: Number = 1,
        at: Number | str | AnyRule | None = None, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, p_alpha: Number = 0, r_alpha: Number = 0,
        cardinality: Literal["one", "reciprocal", "corrected"] = "one",
        p_bias: Literal["flat", "front", "middle", "back"] = "flat",
        r_bias: Literal["flat", "front", "middle", "back"] = "flat", beta: Number = 1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

range_f1: _LikeRangeF1
"""F-score, ranges: harmonic mean of range_precision and range_recall.

p_alpha: What being touched at all earns a flagged run, and an event.

r_alpha: What being touched at all earns a flagged run, and an event.

cardinality: What is left when several ranges share the work.

p_bias: Which positions of a flagged run, and of an event, weigh more.

r_bias: Which positions of a flagged run, and of an event, weigh more.

beta: How much more recall weighs than precision. 1 is F1.

From 0 to 1, higher is better. NaN: no event and no alarm."""

class _LikeRangePrecision(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, alpha: Number = 0,
        cardinality: Literal["one", "reciprocal", "corrected"] = "one",
        bias: Literal["flat", "front", "middle", "back"] = "flat",
        at: Number | str | AnyRule | None = None, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, alpha: Number = 0,
        cardinality: Literal["one", "reciprocal", "corrected"] = "one",
        bias: Literal["flat", "front", "middle", "back"] = "flat",
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

range_precision: _LikeRangePrecision
"""precision, ranges: mean over the flagged runs of alpha for touching an event and 1 - alpha for the
share of the run inside events, weighted by position (`bias`) and by how many events it touches
(`cardinality`).

alpha: What being touched at all earns, from 0 (nothing: only overlap counts) to 1 (everything:
recall is then the share of events touched).

cardinality: What is left when c ranges share the work in one of L points: gamma is 1, 1 / c, or ((L
- 1) / L)^(c - 1), with which one more flagged point never lowers recall.

bias: Which positions of a range weigh more: delta(i, L) for i = 1 ...

From 0 to 1, higher is better. NaN: no alarm."""

range_recall: _LikeRangePrecision
"""recall, ranges: mean over the events of alpha for being touched and 1 - alpha for the share covered,
weighted by position (`bias`) and by how many runs share it (`cardinality`).

alpha: What being touched at all earns, from 0 (nothing: only overlap counts) to 1 (everything:
recall is then the share of events touched).

cardinality: What is left when c ranges share the work in one of L points: gamma is 1, 1 / c, or ((L
- 1) / L)^(c - 1), with which one more flagged point never lowers recall.

bias: Which positions of a range weigh more: delta(i, L) for i = 1 ...

From 0 to 1, higher is better. NaN: no event."""

ts_f1: _LikeF1
"""F-score, ranges, corrected: harmonic mean of ts_precision and ts_recall.

beta: How much more recall weighs than precision. 1 is F1.

From 0 to 1, higher is better. NaN: no event and no alarm."""

ts_precision: _LikePrecision
"""precision, ranges, corrected: share of the flagged points that are anomalous, where the points of a
run that touches c events count ((L-1)/L)^(c-1) for L points in the run.

From 0 to 1, higher is better. NaN: no alarm."""

ts_recall: _LikePrecision
"""recall, ranges, corrected: mean over the events of the share covered, times ((L-1)/L)^(c-1) for c
runs in L points.

From 0 to 1, higher is better. NaN: no event."""

class _LikeTaprF1(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, alpha: Number = 0.5, theta: Number = 0.5,
        delta: Whole | Duration = 0, beta: Number = 1, at: Number | str | AnyRule | None = None,
        series: Column = None, where: Column = None, time: Column = None, channels: Any = None,
        subsystem: Any = None, zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, alpha: Number = 0.5, theta: Number = 0.5, delta: Whole | Duration = 0,
        beta: Number = 1, at: Number | str | AnyRule | None = None,
    ) -> Self: ...

tapr_f1: _LikeTaprF1
"""F-score, time-series aware: harmonic mean of tapr_precision and tapr_recall.

alpha: How much detection weighs against the portion, from 0 (portion only) to 1.

theta: Portion from which an event is detected and a run is right, in (0, 1].

delta: Points, or time, by which an alarm may hang over. 0: no tail.

beta: How much more recall weighs than precision. 1 is F1.

From 0 to 1, higher is better. NaN: no event and no alarm."""

class _LikeTaprPrecision(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, alpha: Number = 0.5, theta: Number = 0.5,
        delta: Whole | Duration = 0, at: Number | str | AnyRule | None = None,
        series: Column = None, where: Column = None, time: Column = None, channels: Any = None,
        subsystem: Any = None, zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, alpha: Number = 0.5, theta: Number = 0.5, delta: Whole | Duration = 0,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

tapr_precision: _LikeTaprPrecision
"""precision, time-series aware: mean over the flagged runs of alpha for being right (a share `theta`
in events and their tails) and 1 - alpha for that share.

alpha: How much detection weighs against the portion, from 0 (portion only) to 1.

theta: Portion from which an event is detected and a run is right, in (0, 1].

delta: Points, or time, by which an alarm may hang over. 0: no tail.

From 0 to 1, higher is better. NaN: no alarm."""

tapr_recall: _LikeTaprPrecision
"""recall, time-series aware: mean over the events of alpha for being detected (a share `theta`
covered) and 1 - alpha for that share; flags in the `delta` points after the event help.

alpha: How much detection weighs against the portion, from 0 (portion only) to 1.

theta: Portion from which an event is detected and a run is right, in (0, 1].

delta: Points, or time, by which an alarm may hang over. 0: no tail.

From 0 to 1, higher is better. NaN: no event."""

class _LikeEtaprF1(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, theta_p: Number = 0.5, theta_r: Number = 0.1,
        beta: Number = 1, at: Number | str | AnyRule | None = None, series: Column = None,
        where: Column = None, time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, theta_p: Number = 0.5, theta_r: Number = 0.1, beta: Number = 1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

etapr_f1: _LikeEtaprF1
"""F-score, enhanced time-series aware: harmonic mean of etapr_precision and etapr_recall.

theta_p: Share of a run that must be right, in (0, 1].

theta_r: Share of an event that must be found, in (0, 1].

beta: How much more recall weighs than precision. 1 is F1.

From 0 to 1, higher is better. NaN: no event and no alarm."""

class _LikeEtaprPrecision(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, theta_p: Number = 0.5, theta_r: Number = 0.1,
        at: Number | str | AnyRule | None = None, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, theta_p: Number = 0.5, theta_r: Number = 0.1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

etapr_precision: _LikeEtaprPrecision
"""precision, enhanced time-series aware: mean over the flagged runs, weighted by the root of their
length, of a half for being right (a share `theta_p` in events) and a half for that share, after
weak overlaps are taken out.

theta_p: Share of a run that must be right, in (0, 1].

theta_r: Share of an event that must be found, in (0, 1].

From 0 to 1, higher is better. NaN: no alarm."""

etapr_recall: _LikeEtaprPrecision
"""recall, enhanced time-series aware: mean over the events of a half for being detected (a share
`theta_r` covered) and a half for that share, after weak overlaps are taken out.

theta_p: Share of a run that must be right, in (0, 1].

theta_r: Share of an event that must be found, in (0, 1].

From 0 to 1, higher is better. NaN: no event."""

ts_auc_pr: _LikeAucRoc
"""PR area, ranges, corrected: area under ts_precision against ts_recall over all thresholds, by
trapezoids.

From 0 to 1, higher is better. NaN: no event."""

class _LikeAucPrRange(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, p_alpha: Number = 0, r_alpha: Number = 0,
        cardinality: Literal["one", "reciprocal", "corrected"] = "one",
        p_bias: Literal["flat", "front", "middle", "back"] = "flat",
        r_bias: Literal["flat", "front", "middle", "back"] = "flat",
        thresholds: Whole | None = None, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, p_alpha: Number = 0, r_alpha: Number = 0,
        cardinality: Literal["one", "reciprocal", "corrected"] = "one",
        p_bias: Literal["flat", "front", "middle", "back"] = "flat",
        r_bias: Literal["flat", "front", "middle", "back"] = "flat",
        thresholds: Whole | None = None,
    ) -> Self: ...

auc_pr_range: _LikeAucPrRange
"""PR area, ranges: area under range_precision against range_recall, sorted by recall, by trapezoids,
from recall 0 and precision 1 to recall 1 and the share of anomalous points.

p_alpha: What being touched at all earns a flagged run, and an event.

r_alpha: What being touched at all earns a flagged run, and an event.

cardinality: What is left when several ranges share the work.

p_bias: Which positions of a flagged run, and of an event, weigh more.

r_bias: Which positions of a flagged run, and of an event, weigh more.

thresholds: About how many thresholds to take, evenly by rank and always the highest (at most twice
as many).

From 0 to 1, higher is better. NaN: no event."""

affiliation_f1: _LikeF1
"""affiliation F-score: harmonic mean of affiliation precision and affiliation recall.

beta: How much more recall weighs than precision. 1 is F1.

From 0 to 1, higher is better. NaN: no event and no alarm."""

affiliation_precision: _LikePrecision
"""affiliation precision: mean over zones with alarms of the chance that a place in the zone lies
further from the event than a place of the alarms.

From 0 to 1, higher is better. NaN: no alarm."""

affiliation_recall: _LikePrecision
"""affiliation recall: mean over events of the chance that a place in the zone lies further from a
moment of the event than the nearest alarm; 0 for a zone without alarms.

From 0 to 1, higher is better. NaN: no event."""

class _LikeAffiliationF1Corrected(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, chance: Literal["zones", "half"] = "zones",
        beta: Number = 1, at: Number | str | AnyRule | None = None, series: Column = None,
        where: Column = None, time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, chance: Literal["zones", "half"] = "zones", beta: Number = 1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

affiliation_f1_corrected: _LikeAffiliationF1Corrected
"""affiliation F-score, corrected for chance: harmonic mean of affiliation recall and chance-corrected
affiliation precision, negative where that is.

chance: What an alarm earns by chance: as above, or one half everywhere.

beta: How much more recall weighs than precision.

From -inf to 1, higher is better. NaN: no event and no alarm, or alarms without a place for a wrong
one."""

class _LikeAffiliationPrecisionCorrected(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, chance: Literal["zones", "half"] = "zones",
        at: Number | str | AnyRule | None = None, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, chance: Literal["zones", "half"] = "zones",
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

affiliation_precision_corrected: _LikeAffiliationPrecisionCorrected
"""affiliation precision, corrected for chance: (P - c) / (1 - c) for affiliation precision P and the
mean c, over zones with alarms, of what an alarm earns that falls anywhere in its zone: (1 + p^2) /
2 if the event takes the share p of it.

chance: What an alarm earns by chance: as above, or one half everywhere.

From -inf to 1, higher is better. NaN: no alarm, or no place for a wrong one."""

class _LikeDelayF1(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, k: Whole | None | Duration = 7,
        beta: Number = 1, at: Number | str | AnyRule | None = None, series: Column = None,
        where: Column = None, time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, k: Whole | None | Duration = 7, beta: Number = 1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

delay_f1: _LikeDelayF1
"""F-score of points, hit in time: harmonic mean of delay_precision and delay_recall.

k: How many points, or how much time, there is to raise the alarm in.

beta: How much more recall weighs than precision. 1 is F1.

From 0 to 1, higher is better. NaN: no event and no alarm."""

class _LikeDelayPrecision(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, k: Whole | None | Duration = 7,
        at: Number | str | AnyRule | None = None, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, k: Whole | None | Duration = 7, at: Number | str | AnyRule | None = None,
    ) -> Self: ...

delay_precision: _LikeDelayPrecision
"""precision of points, hit in time: share of the flagged points that are anomalous, after an event
that is hit within its first `k` points counts as a whole and any other as missed.

k: How many points, or how much time, there is to raise the alarm in.

From 0 to 1, higher is better. NaN: no alarm."""

delay_recall: _LikeDelayPrecision
"""recall of points, hit in time: share of the anomalous points in events that are hit within their
first `k` points.

k: How many points, or how much time, there is to raise the alarm in.

From 0 to 1, higher is better. NaN: no event."""

class _LikeLatencyF1(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, window: Whole | Duration = 1, beta: Number = 1,
        at: Number | str | AnyRule | None = None, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, window: Whole | Duration = 1, beta: Number = 1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

latency_f1: _LikeLatencyF1
"""F-score of batches, from the first hit on: harmonic mean of latency_precision and latency_recall.

window: Points of a batch, or its time.

beta: How much more recall weighs than precision. 1 is F1.

From 0 to 1, higher is better. NaN: no event and no alarm."""

class _LikeLatencyPrecision(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, window: Whole | Duration = 1,
        at: Number | str | AnyRule | None = None, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, window: Whole | Duration = 1, at: Number | str | AnyRule | None = None,
    ) -> Self: ...

latency_precision: _LikeLatencyPrecision
"""precision of batches, from the first hit on: share of the flagged batches that hold an anomalous
point.

window: Points of a batch, or its time.

From 0 to 1, higher is better. NaN: no alarm."""

latency_recall: _LikeLatencyPrecision
"""recall of batches, from the first hit on: share of the anomalous batches that come with or after the
first alarm in their event.

window: Points of a batch, or its time.

From 0 to 1, higher is better. NaN: no event."""

class _LikeTolerantF1(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, tolerance: Whole | Duration = 5,
        beta: Number = 1, at: Number | str | AnyRule | None = None, series: Column = None,
        where: Column = None, time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, tolerance: Whole | Duration = 5, beta: Number = 1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

tolerant_f1: _LikeTolerantF1
"""F-score of points, near enough: harmonic mean of tolerant_precision and tolerant_recall.

tolerance: How many points, or how much time, apart still counts.

beta: How much more recall weighs than precision. 1 is F1.

From 0 to 1, higher is better. NaN: no event and no alarm."""

class _LikeTolerantPrecision(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, tolerance: Whole | Duration = 5,
        at: Number | str | AnyRule | None = None, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, tolerance: Whole | Duration = 5, at: Number | str | AnyRule | None = None,
    ) -> Self: ...

tolerant_precision: _LikeTolerantPrecision
"""precision of points, near enough: share of the flagged points with an anomalous point within
`tolerance`.

tolerance: How many points, or how much time, apart still counts.

From 0 to 1, higher is better. NaN: no alarm."""

tolerant_recall: _LikeTolerantPrecision
"""recall of points, near enough: share of the anomalous points with a flagged point within
`tolerance`.

tolerance: How many points, or how much time, apart still counts.

From 0 to 1, higher is better. NaN: no event."""

class _LikeSoftedF1(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, reach: Whole | Duration = 15,
        match: Literal["nearest", "one_to_one"] = "nearest", starts: Boolean = False,
        beta: Number = 1, at: Number | str | AnyRule | None = None, series: Column = None,
        where: Column = None, time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, reach: Whole | Duration = 15,
        match: Literal["nearest", "one_to_one"] = "nearest", starts: Boolean = False,
        beta: Number = 1, at: Number | str | AnyRule | None = None,
    ) -> Self: ...

softed_f1: _LikeSoftedF1
"""F-score of points, the nearer the better: harmonic mean of softed_precision and softed_recall.

reach: The distance k, in points or in time, from which on a match is worth nothing.

match: Who is matched with whom.

starts: Whether events and runs are judged by their first points alone.

beta: How much more recall weighs than precision. 1 is F1.

From 0 to 1, higher is better. NaN: no event and no alarm."""

class _LikeSoftedPrecision(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, reach: Whole | Duration = 15,
        match: Literal["nearest", "one_to_one"] = "nearest", starts: Boolean = False,
        at: Number | str | AnyRule | None = None, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, reach: Whole | Duration = 15,
        match: Literal["nearest", "one_to_one"] = "nearest", starts: Boolean = False,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

softed_precision: _LikeSoftedPrecision
"""precision of points, the nearer the better: mean worth of the flagged points: 1 - distance / `reach`
for the match with an anomalous point, else 0.

reach: The distance k, in points or in time, from which on a match is worth nothing.

match: Who is matched with whom.

starts: Whether events and runs are judged by their first points alone.

From 0 to 1, higher is better. NaN: no alarm."""

softed_recall: _LikeSoftedPrecision
"""recall of points, the nearer the better: the worth of all matches, as a share of the anomalous
points.

reach: The distance k, in points or in time, from which on a match is worth nothing.

match: Who is matched with whom.

starts: Whether events and runs are judged by their first points alone.

From 0 to 1, higher is better. NaN: no event."""

f1_kpa_area: _LikeF1
"""F-score, coverage-adjusted, over every K: mean of the coverage-adjusted F-score over all shares k
from 0 to 1, exactly.

beta: How much more recall weighs than precision.

From 0 to 1, higher is better. NaN: no event and no alarm."""

class _LikeDetectionDelay(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, average: Literal["mean", "median"] = "mean",
        at: Number | str | AnyRule | None = None, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, average: Literal["mean", "median"] = "mean",
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

detection_delay: _LikeDetectionDelay
"""detection delay: mean number of points from the start of an event to its first flag, over found
events.

average: Whether all found events weigh the same, or only the one in the middle (the two in the
middle of an even number, half each).

From 0 to inf, lower is better. NaN: no event is found."""

class _LikeEarlyDetection(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, share: Number = 0.1,
        at: Number | str | AnyRule | None = None, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, share: Number = 0.1, at: Number | str | AnyRule | None = None,
    ) -> Self: ...

early_detection: _LikeEarlyDetection
"""early detection score: mean over events of 1 - (i - b) / (e - b) for the first flag i in a window b
to e around the event's start; 0 without one.

share: Share of the series that all windows have together.

From 0 to 1, higher is better. NaN: no event."""

class _LikeAdtqc(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, exponent: Number = 2.718281828459045,
        at: Number | str | AnyRule | None = None, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, exponent: Number = 2.718281828459045, at: Number | str | AnyRule | None = None,
    ) -> Self: ...

adtqc: _LikeAdtqc
"""timing quality of detections: mean over found events of a curve in the start of the first alarm that
overlaps: 1 at the event's start, falling to 0 at its end and one length before it, or at the start
of the event before if that is nearer.

exponent: How fast the credit falls with the distance.

From 0 to 1, higher is better. NaN: no event is found."""

class _LikeFalseAlarmRate(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, per: Number | Duration = 1,
        at: Number | str | AnyRule | None = None, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, per: Number | Duration = 1, at: Number | str | AnyRule | None = None,
    ) -> Self: ...

false_alarm_rate: _LikeFalseAlarmRate
"""false alarms per time: flagged runs that touch no event, per `per` normal points.

per: How many points the rate is for, or how much time: \"1h\", \"1d\".

From 0 to inf, lower is better. NaN: no normal point."""

false_alarms: _LikeFalseAlarmRate
"""false alarms per watched time: flagged runs that touch no event, per `per` judged points.

per: How many points the rate is for, or how much time: \"1w\", \"1d\".

From 0 to inf, lower is better. NaN: never."""

reset_time: _LikePrecision
"""reset time: mean number of points from the end of an event to that of the last alarm that overlaps
it, over found events.

From -inf to inf, lower is better. NaN: no event is found."""

temporal_distance: _LikePrecision
"""temporal distance: sum of the distances of all anomalous points to the nearest flag, and of all
flagged points to the nearest event.

From 0 to inf, lower is better. NaN: never (0 with no event and no alarm: there is nothing to sum)."""

class _LikeChamferDistance(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *,
        side: Literal["both", "truth", "alarms"] = "both",
        at: Number | str | AnyRule | None = None, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, side: Literal["both", "truth", "alarms"] = "both",
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

chamfer_distance: _LikeChamferDistance
"""Chamfer distance: mean distance of anomalous points to the nearest flag, plus mean distance of
flagged points to the nearest event.

side: Both means, or one of them alone; NaN where that side has no point.

From 0 to inf, lower is better. NaN: no event and no alarm."""

hausdorff_distance: _LikeChamferDistance
"""Hausdorff distance: distance of the anomalous or flagged point that lies farthest from the other
side.

side: Points of both sides, or of one of them alone; NaN where that side has no point.

From 0 to inf, lower is better. NaN: no event and no alarm."""

class _LikeNab(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *,
        profile: Literal["standard", "low_fp", "low_fn"] = "standard", probation: Number = 0,
        normalise: Boolean = True, at: Number | str | AnyRule | None = None, series: Column = None,
        where: Column = None, time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, profile: Literal["standard", "low_fp", "low_fn"] = "standard",
        probation: Number = 0, normalise: Boolean = True, at: Number | str | AnyRule | None = None,
    ) -> Self: ...

nab: _LikeNab
"""Numenta benchmark score: rewards of windows by the first alarm in them, less costs of missed windows
and of false points, scaled so that silence is 0 and perfection 100.

profile: What alarms earn and cost.

probation: Share of each series, at its start, in which flags neither earn nor cost (the benchmark:
0.15), but of no more than 5,000 points of it.

normalise: Whether to scale; False gives S itself.

From -inf to 100, higher is better. NaN: no event, when normalised; otherwise never."""

class _LikeCosts(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, miss: Number | str = 10, false: Number = 1,
        night: Number = 0, delay: Number | str = 0, hours: str = "22:00-07:00",
        zone: str | None = None, per: str | None = None, at: Number | str | AnyRule | None = None,
        series: Column = None, where: Column = None, time: Column = None, channels: Any = None,
        subsystem: Any = None, zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, miss: Number | str = 10, false: Number = 1, night: Number = 0,
        delay: Number | str = 0, hours: str = "22:00-07:00", zone: str | None = None,
        per: str | None = None, at: Number | str | AnyRule | None = None,
    ) -> Self: ...

costs: _LikeCosts
"""costs of misses, false pages and delays: price of every missed event, of every flagged run that
touches none, and of the time until an event's first flag, per watched time.

miss: What a missed event costs; by severity where adjudge.Incidents have one.

false: What a false page costs.

night: What a false page costs more if it begins at night.

delay: What it costs that the first alarm comes after the event's start, such as \"2/min\".

hours: When it is night.

zone: Where the people are, such as \"Europe/Berlin\".

per: The watched time that costs are told for.

From 0 to inf, lower is better. NaN: no judged point, where times are known."""

class _LikeOiprF1(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, linger: Whole | Duration = "auto",
        tire: Whole | Duration = "auto", floor: Number = 0.5, beta: Number = 1,
        at: Number | str | AnyRule | None = None, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, linger: Whole | Duration = "auto", tire: Whole | Duration = "auto",
        floor: Number = 0.5, beta: Number = 1, at: Number | str | AnyRule | None = None,
    ) -> Self: ...

oipr_f1: _LikeOiprF1
"""F-score of interest: harmonic mean of oipr_precision and oipr_recall.

linger: For how many points, or how long, interest fades after the last flag (l_obs of the paper).

tire: In how many points of an episode interest falls to the floor (l_dis of the paper).

floor: What interest is left in an alarm that goes on and on (b of the paper).

beta: How much more recall weighs than precision. 1 is F1.

From 0 to 1, higher is better. NaN: no event and no alarm."""

class _LikeOiprPrecision(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, linger: Whole | Duration = "auto",
        tire: Whole | Duration = "auto", floor: Number = 0.5,
        at: Number | str | AnyRule | None = None, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, linger: Whole | Duration = "auto", tire: Whole | Duration = "auto",
        floor: Number = 0.5, at: Number | str | AnyRule | None = None,
    ) -> Self: ...

oipr_precision: _LikeOiprPrecision
"""precision of interest: share of the interest in the alarms that the labels draw too; interest wears
off while flags keep coming, and fades for `linger` points after the last.

linger: For how many points, or how long, interest fades after the last flag (l_obs of the paper).

tire: In how many points of an episode interest falls to the floor (l_dis of the paper).

floor: What interest is left in an alarm that goes on and on (b of the paper).

From 0 to 1, higher is better. NaN: no alarm."""

oipr_recall: _LikeOiprPrecision
"""recall of interest: share of the interest in the labels that the alarms draw too.

linger: For how many points, or how long, interest fades after the last flag (l_obs of the paper).

tire: In how many points of an episode interest falls to the floor (l_dis of the paper).

floor: What interest is left in an alarm that goes on and on (b of the paper).

From 0 to 1, higher is better. NaN: no event."""

class _LikeSdqe(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, near: Whole | Duration = 125,
        version: Literal["2026-05", "2026-03"] = "2026-05",
        at: Number | str | AnyRule | None = None, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, near: Whole | Duration = 125,
        version: Literal["2026-05", "2026-03"] = "2026-05",
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

sdqe: _LikeSdqe
"""quality of detection at one threshold: mean over events of sqrt((hit + near) / 2 * quiet): whether
the event is hit, how near and how short the alarms within `near` points of it are, and how little
is flagged beyond.

near: How many points, or how much time, beside an event are near: W.

version: The authors' code of May 2026, or that of March (probably the paper's): there near alarms
are also credited by the mean distance of their middles from the event, an alarm in the near zones
of two events counts for both, and a far alarm over the middle between two events belongs wholly to
the one on whose side more of it lies.

From 0 to 1, higher is better. NaN: no event."""

class _LikeDqe(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, near: Whole | Duration = 125,
        version: Literal["2026-05", "2026-03"] = "2026-05", thresholds: Whole | None = 100,
        series: Column = None, where: Column = None, time: Column = None, channels: Any = None,
        subsystem: Any = None, zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, near: Whole | Duration = 125,
        version: Literal["2026-05", "2026-03"] = "2026-05", thresholds: Whole | None = 100,
    ) -> Self: ...

dqe: _LikeDqe
"""quality of detection over thresholds: mean of sdqe over `thresholds` thresholds, evenly spaced
between the lowest and the highest score.

near: How many points beside an event are near.

version: The authors' code of May 2026, or that of March (probably the paper's).

thresholds: How many thresholds.

From 0 to 1, higher is better. NaN: no event, or scores that are not all finite."""

class _LikeChangeF1(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, distance: Whole | None | Duration = None,
        margin: Whole | Duration = 5, before: Whole | None | Duration = None,
        after: Whole | None | Duration = None, trivial: Boolean = False, beta: Number = 1,
        at: Number | str | AnyRule | None = None, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, distance: Whole | None | Duration = None, margin: Whole | Duration = 5,
        before: Whole | None | Duration = None, after: Whole | None | Duration = None,
        trivial: Boolean = False, beta: Number = 1, at: Number | str | AnyRule | None = None,
    ) -> Self: ...

change_f1: _LikeChangeF1
"""F-score of changes: harmonic mean of change_precision and change_recall.

distance: The least distance between two alarms.

margin: How far an alarm may lie from its change.

before: The same on one side alone.

after: The same on one side alone.

trivial: Whether the start of each series counts as a change that everyone reports.

beta: How much more recall weighs than precision. 1 is F1.

From 0 to 1, higher is better. NaN: no event and no alarm."""

class _LikeChangePrecision(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, distance: Whole | None | Duration = None,
        margin: Whole | Duration = 5, before: Whole | None | Duration = None,
        after: Whole | None | Duration = None, trivial: Boolean = False,
        at: Number | str | AnyRule | None = None, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, distance: Whole | None | Duration = None, margin: Whole | Duration = 5,
        before: Whole | None | Duration = None, after: Whole | None | Duration = None,
        trivial: Boolean = False, at: Number | str | AnyRule | None = None,
    ) -> Self: ...

change_precision: _LikeChangePrecision
"""precision of changes: share of the alarms that are paired with a change at most `margin` away, one
to one, as many pairs as there can be.

distance: The least distance between two alarms.

margin: How far an alarm may lie from its change.

before: The same on one side alone.

after: The same on one side alone.

trivial: Whether the start of each series counts as a change that everyone reports.

From 0 to 1, higher is better. NaN: no alarm."""

change_recall: _LikeChangePrecision
"""recall of changes: share of the changes that are paired with an alarm.

distance: The least distance between two alarms.

margin: How far an alarm may lie from its change.

before: The same on one side alone.

after: The same on one side alone.

trivial: Whether the start of each series counts as a change that everyone reports.

From 0 to 1, higher is better. NaN: no event."""

class _LikeRegimeF1(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, distance: Whole | None | Duration = None,
        beta: Number = 1, at: Number | str | AnyRule | None = None, series: Column = None,
        where: Column = None, time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, distance: Whole | None | Duration = None, beta: Number = 1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

regime_f1: _LikeRegimeF1
"""F-score of regimes: harmonic mean of regime_precision and regime_recall.

distance: The least distance between two alarms.

beta: How much more recall weighs than precision. 1 is F1.

From 0 to 1, higher is better. NaN: never (without changes there is one regime)."""

class _LikeRegimePrecision(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, distance: Whole | None | Duration = None,
        at: Number | str | AnyRule | None = None, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, distance: Whole | None | Duration = None,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

regime_precision: _LikeRegimePrecision
"""precision of regimes: mean over the reported regimes, by length, of the best overlap with a true one
(points in common over points of both).

distance: The least distance between two alarms.

From 0 to 1, higher is better. NaN: never (without changes there is one regime)."""

regime_recall: _LikeRegimePrecision
"""recall of regimes: mean over the true regimes, by length, of the best overlap with a reported one.

distance: The least distance between two alarms.

From 0 to 1, higher is better. NaN: never (without changes there is one regime)."""

regime_rand: _LikeRegimePrecision
"""Rand index of regimes: share of the pairs of points that truth and report both join or both part.

distance: The least distance between two alarms.

From 0 to 1, higher is better. NaN: fewer than two points."""

regime_ari: _LikeRegimePrecision
"""adjusted Rand index of regimes: Rand index of the regimes, 0 for shuffled points and 1 for the same
regimes.

distance: The least distance between two alarms.

From -1 to 1, higher is better. NaN: fewer than two points."""

regime_nmi: _LikeRegimePrecision
"""normalised mutual information of regimes: mutual information of true and reported regime of a point,
over the arithmetic mean of their entropies.

distance: The least distance between two alarms.

From 0 to 1, higher is better. NaN: never (1 where neither side has a change)."""

class _LikeChangeDelay(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, distance: Whole | None | Duration = None,
        after: Whole | Duration = 50, before: Whole | Duration = 0, relative: Boolean = False,
        average: Literal["mean", "median"] = "mean",
        missed: Literal["left out", "after"] = "left out",
        at: Number | str | AnyRule | None = None, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, distance: Whole | None | Duration = None, after: Whole | Duration = 50,
        before: Whole | Duration = 0, relative: Boolean = False,
        average: Literal["mean", "median"] = "mean",
        missed: Literal["left out", "after"] = "left out",
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

change_delay: _LikeChangeDelay
"""delay of reported changes: mean number of points from a change to its first alarm in [change -
before, change + after], over the changes that have one.

distance: The least distance between two alarms.

after: An alarm counts from before ahead of a change until after behind it (behind its end, where it
is gradual).

before: An alarm counts from before ahead of a change until after behind it (behind its end, where
it is gradual).

relative: Whether delays are divided by after.

average: Whether all found changes weigh the same, or only the one in the middle.

missed: Whether changes that were missed are left out, or charged with after.

From -inf to inf, lower is better. NaN: no change is found."""

class _LikeTimeBetweenFalseAlarms(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, distance: Whole | None | Duration = None,
        after: Whole | Duration = 50, before: Whole | Duration = 0,
        at: Number | str | AnyRule | None = None, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, distance: Whole | None | Duration = None, after: Whole | Duration = 50,
        before: Whole | Duration = 0, at: Number | str | AnyRule | None = None,
    ) -> Self: ...

time_between_false_alarms: _LikeTimeBetweenFalseAlarms
"""time between false alarms: judged points outside all windows [change - before, change + after], per
alarm in none.

distance: The least distance between two alarms.

after: No alarm is false from before ahead of a change until after behind it (behind its end, where
it is gradual).

before: No alarm is false from before ahead of a change until after behind it (behind its end, where
it is gradual).

From 0 to inf, higher is better. NaN: no point outside all windows, and no false alarm."""

class _LikeWarningF1(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, distance: Whole | None | Duration = None,
        max_lead: Whole | Duration = 10, min_lead: Whole | Duration = 0,
        cooldown: Whole | Duration = 0, late: Literal["false", "ignored"] = "false",
        extra: Literal["right", "false"] = "right", beta: Number = 1,
        at: Number | str | AnyRule | None = None, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, distance: Whole | None | Duration = None, max_lead: Whole | Duration = 10,
        min_lead: Whole | Duration = 0, cooldown: Whole | Duration = 0,
        late: Literal["false", "ignored"] = "false", extra: Literal["right", "false"] = "right",
        beta: Number = 1, at: Number | str | AnyRule | None = None,
    ) -> Self: ...

warning_f1: _LikeWarningF1
"""F-score of early warnings: harmonic mean of warning_precision and warning_recall.

distance: The least distance between two alarms.

max_lead: An alarm at a is in time for an event at t when t - max_lead <= a <= t - min_lead.

min_lead: An alarm at a is in time for an event at t when t - max_lead <= a <= t - min_lead.

cooldown: An alarm less than this after the last one that was kept is dropped first.

late: What becomes of alarms after t - min_lead and until t that are in time for no event.

extra: What further alarms in a window are after its first.

beta: How much more recall weighs than precision. 1 is F1.

From 0 to 1, higher is better. NaN: no event and no alarm."""

class _LikeWarningPrecision(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, distance: Whole | None | Duration = None,
        max_lead: Whole | Duration = 10, min_lead: Whole | Duration = 0,
        cooldown: Whole | Duration = 0, late: Literal["false", "ignored"] = "false",
        extra: Literal["right", "false"] = "right", at: Number | str | AnyRule | None = None,
        series: Column = None, where: Column = None, time: Column = None, channels: Any = None,
        subsystem: Any = None, zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, distance: Whole | None | Duration = None, max_lead: Whole | Duration = 10,
        min_lead: Whole | Duration = 0, cooldown: Whole | Duration = 0,
        late: Literal["false", "ignored"] = "false", extra: Literal["right", "false"] = "right",
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

warning_precision: _LikeWarningPrecision
"""precision of early warnings: share of the alarms that are in time for an event.

distance: The least distance between two alarms.

max_lead: An alarm at a is in time for an event at t when t - max_lead <= a <= t - min_lead.

min_lead: An alarm at a is in time for an event at t when t - max_lead <= a <= t - min_lead.

cooldown: An alarm less than this after the last one that was kept is dropped first.

late: What becomes of alarms after t - min_lead and until t that are in time for no event.

extra: What further alarms in a window are after its first.

From 0 to 1, higher is better. NaN: no alarm."""

warning_recall: _LikeWarningPrecision
"""recall of early warnings: share of the events with an alarm in time: at least min_lead and at most
max_lead before.

distance: The least distance between two alarms.

max_lead: An alarm at a is in time for an event at t when t - max_lead <= a <= t - min_lead.

min_lead: An alarm at a is in time for an event at t when t - max_lead <= a <= t - min_lead.

cooldown: An alarm less than this after the last one that was kept is dropped first.

late: What becomes of alarms after t - min_lead and until t that are in time for no event.

extra: What further alarms in a window are after its first.

From 0 to 1, higher is better. NaN: no event."""

class _LikeLeadTime(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, distance: Whole | None | Duration = None,
        max_lead: Whole | Duration = 10, min_lead: Whole | Duration = 0,
        cooldown: Whole | Duration = 0, at: Number | str | AnyRule | None = None,
        series: Column = None, where: Column = None, time: Column = None, channels: Any = None,
        subsystem: Any = None, zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, distance: Whole | None | Duration = None, max_lead: Whole | Duration = 10,
        min_lead: Whole | Duration = 0, cooldown: Whole | Duration = 0,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

lead_time: _LikeLeadTime
"""lead time: mean number of points from the earliest alarm in time to its event, over the events that
have one.

distance: The least distance between two alarms.

max_lead: An alarm at a is in time for an event at t when t - max_lead <= a <= t - min_lead.

min_lead: An alarm at a is in time for an event at t when t - max_lead <= a <= t - min_lead.

cooldown: An alarm less than this after the last one that was kept is dropped first.

From -inf to inf, higher is better. NaN: no event has an alarm in time."""

class _LikeFalseWarningRate(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, distance: Whole | None | Duration = None,
        max_lead: Whole | Duration = 10, min_lead: Whole | Duration = 0,
        cooldown: Whole | Duration = 0, late: Literal["false", "ignored"] = "false",
        per: Number | Duration = 1, at: Number | str | AnyRule | None = None,
        series: Column = None, where: Column = None, time: Column = None, channels: Any = None,
        subsystem: Any = None, zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, distance: Whole | None | Duration = None, max_lead: Whole | Duration = 10,
        min_lead: Whole | Duration = 0, cooldown: Whole | Duration = 0,
        late: Literal["false", "ignored"] = "false", per: Number | Duration = 1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

false_warning_rate: _LikeFalseWarningRate
"""false warnings per time: alarms in time for no event, per `per` judged points outside all windows.

distance: The least distance between two alarms.

max_lead: An alarm at a is in time for an event at t when t - max_lead <= a <= t - min_lead.

min_lead: An alarm at a is in time for an event at t when t - max_lead <= a <= t - min_lead.

cooldown: An alarm less than this after the last one that was kept is dropped first.

late: What becomes of alarms after t - min_lead and until t that are in time for no event.

per: How many points the rate is for, or how much time: \"1h\", \"1d\".

From 0 to inf, lower is better. NaN: no point outside all windows, and no false alarm."""

time_in_warning: _LikeLeadTime
"""time in warning: share of the judged points in the union of all warning windows: from min_lead to
max_lead after each alarm.

distance: The least distance between two alarms.

max_lead: An alarm at a is in time for an event at t when t - max_lead <= a <= t - min_lead.

min_lead: An alarm at a is in time for an event at t when t - max_lead <= a <= t - min_lead.

cooldown: An alarm less than this after the last one that was kept is dropped first.

From 0 to 1, lower is better. NaN: no judged point."""

class _LikeWarningAuc(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, distance: Whole | None | Duration = None,
        max_lead: Whole | Duration = 10, min_lead: Whole | Duration = 0,
        cooldown: Whole | Duration = 0, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, distance: Whole | None | Duration = None, max_lead: Whole | Duration = 10,
        min_lead: Whole | Duration = 0, cooldown: Whole | Duration = 0,
    ) -> Self: ...

warning_auc: _LikeWarningAuc
"""recall over time in warning: area under warning_recall against time_in_warning over all thresholds:
at each share of time the best recall with no more of it, joined by straight lines from (0, 0) to
(1, 1).

distance: The least distance between two alarms.

max_lead: An alarm at a is in time for an event at t when t - max_lead <= a <= t - min_lead.

min_lead: An alarm at a is in time for an event at t when t - max_lead <= a <= t - min_lead.

cooldown: An alarm less than this after the last one that was kept is dropped first.

From 0 to 1, higher is better. NaN: no event."""

class _LikeEarlyUtility(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, early: Whole | Duration = 12,
        best: Whole | Duration = 6, late: Whole | Duration = 3, miss: Number = -2.0,
        false: Number = -0.05, at: Number | str | AnyRule | None = None, series: Column = None,
        where: Column = None, time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, early: Whole | Duration = 12, best: Whole | Duration = 6,
        late: Whole | Duration = 3, miss: Number = -2.0, false: Number = -0.05,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

early_utility: _LikeEarlyUtility
"""utility of early flags: what flags gain over silence, summed over all points, as a share of what the
best flags gain.

early: How long before the onset flags begin to gain, where they gain most, and how long after it
they still do.

best: How long before the onset flags begin to gain, where they gain most, and how long after it
they still do.

late: How long before the onset flags begin to gain, where they gain most, and how long after it
they still do.

miss: What silence is worth at the end of the window, and a flag far from any event.

false: What silence is worth at the end of the window, and a flag far from any event.

From -inf to 1, higher is better. NaN: no event."""

class _LikeVusRoc(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, window: Whole | Duration = 100,
        thresholds: Whole | None = 250, variant: Literal["original", "aeon"] = "original",
        series: Column = None, where: Column = None, time: Column = None, channels: Any = None,
        subsystem: Any = None, zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, window: Whole | Duration = 100, thresholds: Whole | None = 250,
        variant: Literal["original", "aeon"] = "original",
    ) -> Self: ...

vus_roc: _LikeVusRoc
"""volume under the ROC surface: mean over the windows l = 0 ... `window` of the area under the ROC
curve, with the soft label sqrt(1 - d/l) at distance d <= l // 2 from the events, recall times the
share of zones touched (a zone is an event with its buffer; zones that overlap are one).

window: The widest buffer, in points or in time, half of it on either side of an event.

thresholds: How many of the sorted scores, evenly spaced by rank, serve as thresholds.

variant: The formula of the authors and of TSB-AD, or that of aeon and TimeEval, by which a perfect
detector gets less than 1.

From 0 to 1, higher is better. NaN: no event, or no normal point."""

vus_pr: _LikeVusRoc
"""volume under the PR surface: mean over the windows l = 0 ... `window` of the area under the
precision-recall curve, with the soft label sqrt(1 - d/l) at distance d <= l // 2 from the events,
recall times the share of zones touched (a zone is an event with its buffer; zones that overlap are
one).

window: The widest buffer, in points or in time, half of it on either side of an event.

thresholds: How many of the sorted scores, evenly spaced by rank, serve as thresholds.

variant: The formula of the authors and of TSB-AD, or that of aeon and TimeEval, by which a perfect
detector gets less than 1.

From 0 to 1, higher is better. NaN: no event."""

range_auc_roc: _LikeVusRoc
"""ROC area with soft labels: area under the ROC curve at the window l = `window`, with the soft label
sqrt(1 - d/l) at distance d <= l // 2 from the events, recall times the share of zones touched (a
zone is an event with its buffer; zones that overlap are one).

window: The widest buffer, in points or in time, half of it on either side of an event.

thresholds: How many of the sorted scores, evenly spaced by rank, serve as thresholds.

variant: The formula of the authors and of TSB-AD, or that of aeon and TimeEval, by which a perfect
detector gets less than 1.

From 0 to 1, higher is better. NaN: no event, or no normal point."""

range_auc_pr: _LikeVusRoc
"""PR area with soft labels: area under the precision-recall curve at the window l = `window`, with the
soft label sqrt(1 - d/l) at distance d <= l // 2 from the events, recall times the share of zones
touched (a zone is an event with its buffer; zones that overlap are one).

window: The widest buffer, in points or in time, half of it on either side of an event.

thresholds: How many of the sorted scores, evenly spaced by rank, serve as thresholds.

variant: The formula of the authors and of TSB-AD, or that of aeon and TimeEval, by which a perfect
detector gets less than 1.

From 0 to 1, higher is better. NaN: no event."""

class _LikeVusF1(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, window: Whole | Duration = 100,
        beta: Number = 1, at: Number | str | AnyRule | None = None, series: Column = None,
        where: Column = None, time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, window: Whole | Duration = 100, beta: Number = 1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

vus_f1: _LikeVusF1
"""F-score with soft labels: mean over the windows l = 0 ... `window` of the F-score of flags, with the
soft label sqrt(1 - d/l) at distance d <= l // 2 from the events.

window: The widest buffer, in points or in time, half of it on either side of an event.

beta: How much more recall weighs than precision.

From 0 to 1, higher is better. NaN: no event and no alarm."""

class _LikeVusPrecision(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, window: Whole | Duration = 100,
        at: Number | str | AnyRule | None = None, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, window: Whole | Duration = 100, at: Number | str | AnyRule | None = None,
    ) -> Self: ...

vus_precision: _LikeVusPrecision
"""precision with soft labels: mean soft label of the flagged points: the mean over the windows l = 0
... `window` of sqrt(1 - d/l) at distance d <= l // 2 from an event, and 1 inside.

window: The widest buffer L, in points or in time, half of it on either side of an event.

From 0 to 1, higher is better. NaN: no alarm."""

vus_recall: _LikeVusPrecision
"""recall with soft labels: mean over the windows l = 0 ... `window` of TP / (P + S/2), at most 1, for
P anomalous points and flags that hold TP soft labels, S of them outside the events.

window: The widest buffer, in points or in time, half of it on either side of an event.

From 0 to 1, higher is better. NaN: no event."""

class _LikePate(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, early: Whole | Duration = 100,
        delay: Whole | Duration = 100, splits: Whole = 1, thresholds: Whole | None = 250,
        series: Column = None, where: Column = None, time: Column = None, channels: Any = None,
        subsystem: Any = None, zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, early: Whole | Duration = 100, delay: Whole | Duration = 100,
        splits: Whole = 1, thresholds: Whole | None = 250,
    ) -> Self: ...

pate: _LikePate
"""proximity-aware PR area: area under precision against recall, with credit falling evenly from an
event to the end of a buffer around it: the mean over every pair of buffer sizes in `splits` even
steps from 0 to `early` and to `delay` (the defaults: 0 and 100 each).

early: Largest size of the buffer before and behind an event, in points or in time.

delay: Largest size of the buffer before and behind an event, in points or in time.

splits: Steps from 0 to the largest size.

thresholds: How many thresholds to take, as percentiles of the scores at which an event point is, or
is just about to be, flagged; a point is flagged at or above the threshold.

From 0 to 1, higher is better. NaN: no event."""

class _LikePateF1(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, early: Whole | Duration = 100,
        delay: Whole | Duration = 100, splits: Whole = 1, beta: Number = 1,
        at: Number | str | AnyRule | None = None, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, early: Whole | Duration = 100, delay: Whole | Duration = 100,
        splits: Whole = 1, beta: Number = 1, at: Number | str | AnyRule | None = None,
    ) -> Self: ...

pate_f1: _LikePateF1
"""proximity-aware F-score: harmonic mean of proximity-aware precision and recall: the mean over every
pair of buffer sizes in `splits` even steps from 0 to `early` and to `delay` (the defaults: 0 and
100 each).

early: Largest size of the buffer before and behind an event, in points or in time.

delay: Largest size of the buffer before and behind an event, in points or in time.

splits: Steps from 0 to the largest size.

beta: How much more recall weighs than precision.

From 0 to 1, higher is better. NaN: no event and no alarm."""

class _LikePatePrecision(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, early: Whole | Duration = 100,
        delay: Whole | Duration = 100, splits: Whole = 1, at: Number | str | AnyRule | None = None,
        series: Column = None, where: Column = None, time: Column = None, channels: Any = None,
        subsystem: Any = None, zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, early: Whole | Duration = 100, delay: Whole | Duration = 100,
        splits: Whole = 1, at: Number | str | AnyRule | None = None,
    ) -> Self: ...

pate_precision: _LikePatePrecision
"""proximity-aware precision: share of the flagged points that is credited, in part near an event: the
mean over every pair of buffer sizes in `splits` even steps from 0 to `early` and to `delay` (the
defaults: 0 and 100 each).

early: Largest size of the buffer before and behind an event, in points or in time.

delay: Largest size of the buffer before and behind an event, in points or in time.

splits: Steps from 0 to the largest size.

From 0 to 1, higher is better. NaN: no alarm."""

pate_recall: _LikePatePrecision
"""proximity-aware recall: credited flagging as a share of itself and of the weight of the missed event
points: the mean over every pair of buffer sizes in `splits` even steps from 0 to `early` and to
`delay` (the defaults: 0 and 100 each).

early: Largest size of the buffer before and behind an event, in points or in time.

delay: Largest size of the buffer before and behind an event, in points or in time.

splits: Steps from 0 to the largest size.

From 0 to 1, higher is better. NaN: no event."""

class _LikeRecallAt(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, rate: Number = 1,
        per: Number | Duration = 1000, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, rate: Number = 1, per: Number | Duration = 1000,
    ) -> Self: ...

recall_at: _LikeRecallAt
"""recall within a budget of false alarms: share of the events found, as the threshold falls, before
there are more than `rate` false alarms per `per` normal points.

rate: How many false alarms one can bear.

per: In how many normal points, or in how much normal time.

From 0 to 1, higher is better. NaN: no event, or no normal point."""

class _LikeFroc(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *,
        rates: Sequence[Number] = (0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0),
        per: Number | Duration = 1000, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, rates: Sequence[Number] = (0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0),
        per: Number | Duration = 1000,
    ) -> Self: ...

froc: _LikeFroc
"""free-response ROC score: mean of recall_at over the budgets `rates` of false alarms per `per` normal
points.

rates: The budgets.

per: In how many normal points, or in how much normal time.

From 0 to 1, higher is better. NaN: no event, or no normal point."""

class _LikePartialAucRoc(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, max_fpr: Number = 0.1, series: Column = None,
        where: Column = None, time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, max_fpr: Number = 0.1,
    ) -> Self: ...

partial_auc_roc: _LikePartialAucRoc
"""ROC area at low false positive rates: area under the ROC curve up to the false positive rate
`max_fpr`, scaled so that 0.5 is no relation and 1 is perfect.

max_fpr: The false positive rate f up to which the curve counts.

From 0 to 1, higher is better. NaN: no event, or no normal point."""

precision_at_k: _LikeAucRoc
"""precision at k points: share of the k highest points that are anomalous, where k points are:
precision at top(k).

From 0 to 1, higher is better. NaN: no event."""

class _LikeF1AtK(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, beta: Number = 1, series: Column = None,
        where: Column = None, time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, beta: Number = 1,
    ) -> Self: ...

f1_at_k: _LikeF1AtK
"""F-score at k points: F-score of the k highest points, where k points are anomalous: f1 at top(k).

beta: How much more recall weighs than precision.

From 0 to 1, higher is better. NaN: no event."""

event_precision_at_k: _LikeAucRoc
"""precision at k runs: share of the flagged runs that touch an event, at the highest threshold that
flags at least as many runs as there are events.

From 0 to 1, higher is better. NaN: no event, or no threshold flags at least as many runs as there
are events."""

event_f1_at_k: _LikeF1AtK
"""F-score at k runs: F-score of events and runs, at the highest threshold that flags at least as many
runs as there are events.

beta: How much more recall weighs than precision.

From 0 to 1, higher is better. NaN: no event, or no threshold flags at least as many runs as there
are events."""

class _LikeUcr(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, tolerance: Whole | Duration = 0,
        series: Column = None, where: Column = None, time: Column = None, channels: Any = None,
        subsystem: Any = None, zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, tolerance: Whole | Duration = 0,
    ) -> Self: ...

ucr: _LikeUcr
"""highest score at the event: share of the series whose highest score lies in their one event, widened
on both sides by its length or by `tolerance` points, whichever is more.

tolerance: How far from the event still counts, in points or in time, even if the event is shorter.

From 0 to 1, higher is better. NaN: a judged series has no event, or more than one."""

separation: _LikeAucRoc
"""separation index: distance between the score densities of normal and anomalous points in their
overlap.

From 0 to 1, higher is better. NaN: no event, no normal point, constant or infinite scores, or a
single score of either kind in the overlap."""

hellinger: _LikeAucRoc
"""Hellinger distance of scores: Hellinger distance between the score densities of normal and anomalous
points.

From 0 to 1, higher is better. NaN: no event, no normal point, infinite scores, or all scores of
either kind alike."""

cce: _LikeAucRoc
"""confidence and consistency of scores: how far the scores of events lie above one half, and those of
normal runs below, each times exp(-variance); the mean over segments and the same over all points,
added.

From -1 to 1, higher is better. NaN: no event, no normal point, or scores that are all the same or
not all finite."""

class _LikeAlertAp(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, tolerance: Whole | Duration = 360,
        parts: Sequence[Number] = (12, 36, 60, 90, 120, 150, 180, 240, 300, 360),
        series: Column = None, where: Column = None, time: Column = None, channels: Any = None,
        subsystem: Any = None, zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, tolerance: Whole | Duration = 360,
        parts: Sequence[Number] = (12, 36, 60, 90, 120, 150, 180, 240, 300, 360),
    ) -> Self: ...

alert_ap: _LikeAlertAp
"""average precision of alerts by their starts: mean over tolerances of the average precision of
alerts, the surest first; an alert is right if it starts less than the tolerance from the start of
an event that no surer one has taken.

tolerance: The largest tolerance.

parts: The tolerances, as parts of the largest: the last of (1, 2, 4) is the whole, the first a
quarter of it.

From 0 to 1, higher is better. NaN: no event."""

class _LikeIntervalAp(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *,
        iou: Sequence[Number] = (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95),
        series: Column = None, where: Column = None, time: Column = None, channels: Any = None,
        subsystem: Any = None, zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *,
        iou: Sequence[Number] = (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95),
    ) -> Self: ...

interval_ap: _LikeIntervalAp
"""average precision of alerts by what they cover: mean over degrees of likeness of the interpolated
average precision of alerts, highest score first; an alert is right if its intersection over union
with an event not taken by a higher-scored one is at least that degree.

iou: The least intersections over unions, each above 0 and at most 1.

From 0 to 1, higher is better. NaN: no event."""

class _LikeChannelF1(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *,
        average: Literal["events", "pooled"] = "events", beta: Number = 1,
        at: Number | str | AnyRule | None = None, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, average: Literal["events", "pooled"] = "events", beta: Number = 1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

channel_f1: _LikeChannelF1
"""F-score of channels of events: mean over events of the F-score of channels that alarm during it.

average: The mean over events, or the F-score of all channels of all events.

beta: How much more recall weighs than precision; ESA's benchmark takes 0.5.

From 0 to 1, higher is better. NaN: no event."""

class _LikeChannelPrecision(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *,
        average: Literal["events", "pooled"] = "events", at: Number | str | AnyRule | None = None,
        series: Column = None, where: Column = None, time: Column = None, channels: Any = None,
        subsystem: Any = None, zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, average: Literal["events", "pooled"] = "events",
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

channel_precision: _LikeChannelPrecision
"""precision of channels of events: mean over events of the share of channels that alarm during it
which it is on.

average: The mean over events, or one share of all channels of all events.

From 0 to 1, higher is better. NaN: no event."""

channel_recall: _LikeChannelPrecision
"""recall of channels of events: mean over events of the share of its channels that alarm during it.

average: The mean over events, or one share of all channels of all events.

From 0 to 1, higher is better. NaN: no event."""

subsystem_f1: _LikeChannelF1
"""F-score of subsystems of events: mean over events of the F-score of subsystems that alarm during it.

average: The mean over events, or one value of all groups of all events.

beta: How much more recall weighs than precision; ESA's benchmark takes 0.5.

From 0 to 1, higher is better. NaN: no event."""

subsystem_precision: _LikeChannelPrecision
"""precision of subsystems of events: mean over events of the share of subsystems that alarm during it
which it is on.

average: The mean over events, or one value of all groups of all events.

From 0 to 1, higher is better. NaN: no event."""

subsystem_recall: _LikeChannelPrecision
"""recall of subsystems of events: mean over events of the share of its subsystems that alarm during
it.

average: The mean over events, or one value of all groups of all events.

From 0 to 1, higher is better. NaN: no event."""

class _LikeIncidentF1(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, kind: str | None = None, beta: Number = 1,
        at: Number | str | AnyRule | None = None, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, kind: str | None = None, beta: Number = 1,
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

incident_f1: _LikeIncidentF1
"""F-score of events by id, less false time: harmonic mean of incident_precision and incident_recall.

kind: Events of this kind alone.

beta: How much more recall weighs than precision; ESA's benchmark takes 0.5.

From 0 to 1, higher is better. NaN: no event and no false alarm."""

class _LikeIncidentPrecision(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, kind: str | None = None,
        at: Number | str | AnyRule | None = None, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, kind: str | None = None, at: Number | str | AnyRule | None = None,
    ) -> Self: ...

incident_precision: _LikeIncidentPrecision
"""precision of events by id, less false time: found events, as a share of these and of alarms that
touch no event of any kind, times the share of normal points left alone.

kind: Events of this kind alone.

From 0 to 1, higher is better. NaN: no found event and no false alarm."""

incident_recall: _LikeIncidentPrecision
"""recall of events by id: share of the events during which any channel alarms.

kind: Events of this kind alone.

From 0 to 1, higher is better. NaN: no event."""

incident_affiliation_f1: _LikeIncidentF1
"""affiliation F-score of events by id: harmonic mean of incident_affiliation_precision and
incident_affiliation_recall.

kind: Events of this kind alone.

beta: How much more recall weighs than precision; ESA's benchmark takes 0.5.

From 0 to 1, higher is better. NaN: no event."""

incident_affiliation_precision: _LikeIncidentPrecision
"""affiliation precision of events by id: mean over events of the affiliation precision of the zones
that they lie in.

kind: Events of this kind alone.

From 0 to 1, higher is better. NaN: no event."""

incident_affiliation_recall: _LikeIncidentPrecision
"""affiliation recall of events by id: mean over events of the affiliation recall of the zones that
they lie in.

kind: Events of this kind alone.

From 0 to 1, higher is better. NaN: no event."""

alarming_precision: _LikeIncidentPrecision
"""alarms that repeat no other: found events, as a share of these and of alarms in a piece of an event
after its first.

kind: Events of this kind alone.

From 0 to 1, higher is better. NaN: no event is found."""

channel_adtqc: _LikeAdtqc
"""timing quality on the channels of events: mean over found events of a curve in the start of the
first alarm on a channel of its own: 1 at the event's start, falling to 0 one length before and at
its end.

exponent: How fast the credit falls with the distance.

From 0 to 1, higher is better. NaN: no event is found."""

class _LikeCauseHitRate(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, per: Literal["events", "points"] = "events",
        p: Number = 100, rounding: Literal["floor", "even"] = "floor", series: Column = None,
        where: Column = None, time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, per: Literal["events", "points"] = "events", p: Number = 100,
        rounding: Literal["floor", "even"] = "floor",
    ) -> Self: ...

cause_hit_rate: _LikeCauseHitRate
"""causes among the first channels: share of the causes among the first k channels, k being `p` percent
of their number.

per: Whether a row is an event, with the mean score of its points, or a point of an event.

p: The percentage P: 100 asks for as many channels as there are causes.

rounding: Whether k is cut, or rounded with halves to the even number as Python does.

From 0 to 1, higher is better. NaN: no event."""

cause_ndcg: _LikeCauseHitRate
"""discounted gain of the causes: normalised discounted cumulative gain of the causes among the first k
channels, k being `p` percent of their number.

per: Whether a row is an event, with the mean score of its points, or a point of an event.

p: The percentage P: 100 asks for as many channels as there are causes.

rounding: Whether k is cut, or rounded with halves to the even number as Python does.

From 0 to 1, higher is better. NaN: no event."""

class _LikeCauseInTop(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, per: Literal["events", "points"] = "events",
        k: Whole = 3, series: Column = None, where: Column = None, time: Column = None,
        channels: Any = None, subsystem: Any = None, zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, per: Literal["events", "points"] = "events", k: Whole = 3,
    ) -> Self: ...

cause_in_top: _LikeCauseInTop
"""any cause among the first channels: share of the events with any cause among the first `k` channels.

per: Whether a row is an event, with the mean score of its points, or a point of an event.

k: How many channels are looked at.

From 0 to 1, higher is better. NaN: no event."""

class _LikeCauseRecallAtK(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, per: Literal["events", "points"] = "events",
        k: Whole = 5, series: Column = None, where: Column = None, time: Column = None,
        channels: Any = None, subsystem: Any = None, zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, per: Literal["events", "points"] = "events", k: Whole = 5,
    ) -> Self: ...

cause_recall_at_k: _LikeCauseRecallAtK
"""recall of causes: share of the causes among the first `k` channels.

per: Whether a row is an event, with the mean score of its points, or a point of an event.

k: How many channels are looked at.

From 0 to 1, higher is better. NaN: no event."""

cause_average_at_k: _LikeCauseRecallAtK
"""mean recall of causes: mean of cause_recall_at_k over 1, 2, ... `k`.

per: Whether a row is an event, with the mean score of its points, or a point of an event.

k: How many channels are looked at, at most.

From 0 to 1, higher is better. NaN: no event."""

specificity: _LikePrecision
"""specificity: share of the normal points that are left alone.

From 0 to 1, higher is better. NaN: no normal point."""

false_positive_rate: _LikePrecision
"""false-positive rate: share of the normal points that are flagged.

From 0 to 1, lower is better. NaN: no normal point."""

negative_predictive_value: _LikePrecision
"""negative predictive value: share of the points left alone that are normal.

From 0 to 1, higher is better. NaN: everything is flagged."""

informedness: _LikePrecision
"""informedness: recall less the false-positive rate.

From -1 to 1, higher is better. NaN: no event, or no normal point."""

markedness: _LikePrecision
"""markedness: precision plus the share of the points left alone that are normal, less 1.

From -1 to 1, higher is better. NaN: nothing is flagged, or everything."""

kappa: _LikePrecision
"""Cohen's kappa: agreement of labels and flags beyond what their rates alone would give, over points.

From -1 to 1, higher is better. NaN: labels and flags are one and the same value everywhere."""

jaccard: _LikePrecision
"""Jaccard index: points both anomalous and flagged over points that are either.

From 0 to 1, higher is better. NaN: no event and no alarm."""

time_in_alarm: _LikePrecision
"""time in alarm: share of all points that are flagged, right or wrong.

From 0 to 1, lower is better. NaN: never."""

false_time: _LikePrecision
"""false time: number of flagged normal points; in seconds, where the time of points is known.

From 0 to inf, lower is better. NaN: never."""

batadal_ttd: _LikePrecision
"""promptness of first hits: mean over events of 1 - (i - a) / (z - a) for the first flagged point i of
an event from point a to point z; 0 without one.

From 0 to 1, higher is better. NaN: no event."""

class _LikeBatadal(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, gamma: Number = 0.5,
        at: Number | str | AnyRule | None = None, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, gamma: Number = 0.5, at: Number | str | AnyRule | None = None,
    ) -> Self: ...

batadal: _LikeBatadal
"""BATADAL score: `gamma` times batadal_ttd plus 1 - `gamma` times balanced_accuracy.

gamma: What promptness weighs.

From 0 to 1, higher is better. NaN: no event, or no normal point."""

class _LikeFlapping(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, within: Whole | Duration = 5,
        at: Number | str | AnyRule | None = None, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, within: Whole | Duration = 5, at: Number | str | AnyRule | None = None,
    ) -> Self: ...

flapping: _LikeFlapping
"""flapping: share of the flagged runs that begin at most `within` points after another has ended.

within: At most so many points lie between the two.

From 0 to 1, lower is better. NaN: no alarm."""

taes_f1: _LikeF1
"""F-score of events and alarms by their overlap: harmonic mean of taes_precision and taes_recall.

beta: How much more recall weighs than precision. 1 is F1.

From 0 to 1, higher is better. NaN: no event and no alarm."""

taes_precision: _LikePrecision
"""precision of events and alarms by their overlap: what alarms cover of events, over that and what
they cover outside, both in lengths of the event; outside counts 1 at most, and an alarm of no event
1.

From 0 to 1, higher is better. NaN: no alarm."""

taes_recall: _LikePrecision
"""recall of events and alarms by their overlap: mean over events of the share that its alarms cover;
an event under the alarm of another one is missed.

From 0 to 1, higher is better. NaN: no event."""

class _LikeGaussianF1(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, sigma: Number | Duration = 30,
        variant: Literal["all", "datadog"] = "all", beta: Number = 1,
        at: Number | str | AnyRule | None = None, series: Column = None, where: Column = None,
        time: Column = None, channels: Any = None, subsystem: Any = None,
        zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, sigma: Number | Duration = 30, variant: Literal["all", "datadog"] = "all",
        beta: Number = 1, at: Number | str | AnyRule | None = None,
    ) -> Self: ...

gaussian_f1: _LikeGaussianF1
"""F-score of onsets, the sooner the better: harmonic mean of gaussian_precision and gaussian_recall.

sigma: How late an alarm may be: one sigma late earns .32.

variant: Which alarms that no event has taken are false: all that touch no event, or only those
before the first event of the series.

beta: How much more recall weighs than precision. 1 is F1.

From 0 to 1, higher is better. NaN: no event and no alarm."""

class _LikeGaussianPrecision(Metric):
    @overload  # type: ignore[override]
    def __call__(
        self, /, labels: Column, scores: Column, *, sigma: Number | Duration = 30,
        variant: Literal["all", "datadog"] = "all", at: Number | str | AnyRule | None = None,
        series: Column = None, where: Column = None, time: Column = None, channels: Any = None,
        subsystem: Any = None, zero_division: Number = ...,
    ) -> float: ...
    @overload
    def __call__(
        self, /, *, sigma: Number | Duration = 30, variant: Literal["all", "datadog"] = "all",
        at: Number | str | AnyRule | None = None,
    ) -> Self: ...

gaussian_precision: _LikeGaussianPrecision
"""precision of onsets, the sooner the better: what alarms are worth, over that and one for each false
alarm.

sigma: How late an alarm may be: one sigma late earns .32.

variant: Which alarms that no event has taken are false: all that touch no event, or only those
before the first event of the series.

From 0 to 1, higher is better. NaN: no alarm is worth anything, and none is false."""

gaussian_recall: _LikeGaussianPrecision
"""recall of onsets, the sooner the better: mean over events of erfc(d / (`sigma` sqrt 2)), for the
earliest alarm d points after its start that no event has taken.

sigma: How late an alarm may be: one sigma late earns .32.

variant: Which alarms that no event has taken are false: all that touch no event, or only those
before the first event of the series.

From 0 to 1, higher is better. NaN: no event."""

accuracy: _LikePrecision
"""accuracy: share of the points that are called right.

From 0 to 1, higher is better. NaN: never."""

dice: _LikePrecision
"""Dice coefficient: twice the flagged anomalous points over flagged and anomalous points: another name
of f1.

From 0 to 1, higher is better. NaN: no event and no alarm."""

adc: _LikePrecision
"""average share of each event detected: mean over all events of the share of their points that are
flagged.

From 0 to 1, higher is better. NaN: no event."""

tdir: _LikeTolerantPrecision
"""detected in range: share of the anomalous points with a flagged point within `tolerance`: another
name of tolerant_recall.

tolerance: How many points, or how much time, apart still counts.

From 0 to 1, higher is better. NaN: no event."""

dair: _LikeTolerantPrecision
"""detection accuracy in range: A / (A + F) for A anomalous points with a flagged point within
`tolerance`, and F flagged normal points.

tolerance: How many points, or how much time, apart is near.

From 0 to 1, higher is better. NaN: no alarm."""

wdd: _LikeTolerantPrecision
"""weighted detection difference: hits, each weighed by a Gaussian around the middle of its event, less
false alarms, each weighed by its distance to the nearest event, up to 1 at `tolerance`.

tolerance: From how many points, or how much time, on a false alarm costs a whole one; 0 and 1 are
the same.

From -inf to inf, higher is better. NaN: never."""

add: _LikePrecision
"""absolute detection distance: mean distance of the hits from the middle of their event, as a share of
its width.

From 0 to 1, lower is better. NaN: no event is hit."""

rand_index: _LikePrecision
"""Rand index: share of the pairs of points that labels and flags either both join or both part.

From 0 to 1, higher is better. NaN: fewer than two points."""
