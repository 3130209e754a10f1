"""Rows of PATE: soft credit near the events.

Rows with buffers: areas and rates with labels that fall off softly around the events.
"""

from __future__ import annotations

from functools import partial

from adjudge.count.soft_points import SoftPoints
from adjudge.measure.rates import precision
from adjudge.measure.whole.pate import Pate, PateF, PatePrecision, PateRecall
from adjudge.measure.whole.vus import RangePr, RangeRoc, VolumeF, VolumePr, VolumeRecall, VolumeRoc
from adjudge.metrics.metric import Row
from adjudge.metrics.rows.three_rates import CONSTANT, LAWS, NEITHER, NO_ALARM, NO_EVENT

_VUS = (
    "J. Paparrizos et al. (2022). Volume Under the Surface: A New Accuracy Evaluation Measure for "
    "Time-Series Anomaly Detection. PVLDB 15(11). doi:10.14778/3551793.3551830. Journal version: "
    "P. Boniol et al. (2025). arXiv:2502.13318."
)
_BUFFERED_BESIDE = (
    "alarms up to half a window from an event, most of all the near ones, and missed points of "
    "an event whose neighbours are flagged instead"
)
_SURFACE = (
    ", with the soft label sqrt(1 - d/l) at distance d <= l // 2 from the events, recall times "
    "the share of zones touched (a zone is an event with its buffer; zones that overlap are one)"
)
_BUFFERED_SERIES = """
Series: buffers end at the ends of a series; masses are summed over all series before any ratio is
taken (and all points ranked together), so alarms in a series without events cost as elsewhere."""

_BUFFERED_GRID = """
thresholds=250 are the scores at evenly spaced ranks, ties and all, as every library has them: with
250 points or fewer that is every score. With more, one score in 250 is the second threshold, and
what happens above it is lost: at 1e5 to 1e6 points with normal scores that events lift by 1 to 3,
vus_pr is 1 to 19 % low where 1 to 5 % of the points are anomalous, and up to half where 0.2 % are.
range_auc_pr is up to 41 % low or 60 % high there; ROC areas move by less than 0.1 %.
thresholds=None takes every distinct score: exact, for 1 to 6 times the time (25 times where events
with their buffers are most of the points). Results of evaluate give both values where they differ
by more than 1 %.
Windows 0 and 1 have no buffer; a wider window raises most values, so compare equal windows only.
Constant scores are not a coin flip here: points next to an event count as found."""

_VOLUMES = (
    """Crosswalk: three formulas go by this name, and a perfect detector tells them apart.
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
data, which is no property of the labels."""
    + _BUFFERED_GRID
    + _BUFFERED_SERIES
)
_RANGES = (
    """Crosswalk: no slice of VUS, although by the same authors: the older formula, which counts
half of all soft labels as truth and sums the PR area by trapezoids: perfect scores get less than 1.
  variant="original"
    vus 0.0.6        get_metrics(score, labels, metric="range_auc", slidingWindow=window)
  variant="aeon" (the slope after an event is one point shorter)
    aeon 1.6         range_roc_auc_score, range_pr_auc_score(buffer_size=window); the default there
                     is the median length of the events, and constant scores are given 0
    TimeEval 1.5     RangeRocAUC, RangePrAUC(buffer_size=window, compatibility_mode=True)"""
    + _BUFFERED_GRID
    + _BUFFERED_SERIES
)
_OTHER_AREA = "\nNot the same as auc_pr_range, the area of range-based precision and recall."
_RATES = (
    """Crosswalk: TSB-AD 1.5 get_metrics_pred (metric_VUS_pred) means the same and returns more: it
lets the soft labels pile up from window to window, where each should start from the labels (event
[15, 22), alarm [21, 26), window 20: F 0.581 instead of 0.544). Windows 0 and 1 are equal.
The share of zones touched, which lowers the recall of vus_pr, has no part in these rates.
vus_f1 is the mean of the F-scores of the windows, no harmonic mean of the other two."""
    + _BUFFERED_SERIES
)

_buffered_area = partial(
    Row,
    count=None,
    needs="scores",
    group="areas",
    reference=_VUS,
    always_shown=("window", "thresholds", "variant"),
    every_threshold=True,
)

_buffered_rate = partial(
    Row,
    group="buffers",
    reference=_VUS,
    notes=_RATES,
    claims=LAWS - {"monotone"},
    always_shown=("window",),
)

_BUFFERED = (
    _buffered_area(
        "vus_roc",
        "volume under the ROC surface",
        "mean over the windows l = 0 ... `window` of the area under the ROC curve" + _SURFACE,
        VolumeRoc,
        undefined="no event, or no normal point",
        forgives=_BUFFERED_BESIDE,
        notes=_VOLUMES,
        claims=frozenset({"perfect", "reversal"}),
    ),
    _buffered_area(
        "vus_pr",
        "volume under the PR surface",
        "mean over the windows l = 0 ... `window` of the area under the precision-recall curve"
        + _SURFACE,
        VolumePr,
        undefined=NO_EVENT,
        forgives=_BUFFERED_BESIDE,
        notes=_VOLUMES,
        claims=frozenset({"perfect", "reversal"}),
    ),
    _buffered_area(
        "range_auc_roc",
        "ROC area with soft labels",
        "area under the ROC curve at the window l = `window`" + _SURFACE,
        RangeRoc,
        undefined="no event, or no normal point",
        forgives=_BUFFERED_BESIDE,
        notes=_RANGES,
        claims=frozenset({"reversal"}),
    ),
    _buffered_area(
        "range_auc_pr",
        "PR area with soft labels",
        "area under the precision-recall curve at the window l = `window`" + _SURFACE,
        RangePr,
        undefined=NO_EVENT,
        forgives=CONSTANT.format(instead="vus_pr") + "; else " + _BUFFERED_BESIDE,
        notes=_RANGES + _OTHER_AREA,
        claims=frozenset({"reversal"}),
    ),
    _buffered_rate(
        "vus_f1",
        "F-score with soft labels",
        "mean over the windows l = 0 ... `window` of the F-score of flags, with the soft label "
        "sqrt(1 - d/l) at distance d <= l // 2 from the events",
        VolumeF,
        count=None,
        undefined=NEITHER,
        forgives=_BUFFERED_BESIDE,
    ),
    _buffered_rate(
        "vus_precision",
        "precision with soft labels",
        "mean soft label of the flagged points: the mean over the windows l = 0 ... `window` of "
        "sqrt(1 - d/l) at distance d <= l // 2 from an event, and 1 inside",
        precision,
        count=SoftPoints,
        undefined=NO_ALARM,
        forgives="missed events, and alarms near an event, the more the nearer",
    ),
    _buffered_rate(
        "vus_recall",
        "recall with soft labels",
        "mean over the windows l = 0 ... `window` of TP / (P + S/2), at most 1, for P anomalous "
        "points and flags that hold TP soft labels, S of them outside the events",
        VolumeRecall,
        count=None,
        undefined=NO_EVENT,
        forgives="every false alarm, and missed points whose neighbourhood is flagged instead",
    ),
)


_REFERENCE = (
    "R. Ghorbani, M. J. T. Reinders, D. M. J. Tax (2024). PATE: Proximity-Aware Time series "
    "anomaly Evaluation. KDD. arXiv:2405.12096."
)
_BESIDE = "alarms up to `delay` points late, and up to `early` points early if the event is hit too"
_NEAR = _BESIDE + "; silence late in an event whose first alarm was long"
_GRID = (
    "the mean over every pair of buffer sizes in `splits` even steps from 0 to `early` and to "
    "`delay` (the defaults: 0 and 100 each)"
)
_SERIES = """
Series: buffers end at the ends of a series; masses are summed over all series before any ratio is
taken, so an alarm in a series without events costs as much as elsewhere."""

_CLAIMS = frozenset({"perfect", "nothing"})  # buffers of 100 points reach beyond the quiet ends
_SHOWN = ("early", "delay")

_pate_rate = partial(
    Row, count=None, group="buffers", reference=_REFERENCE, claims=_CLAIMS, always_shown=_SHOWN
)

ROWS = (
    *_BUFFERED,
    Row(
        "pate",
        "proximity-aware PR area",
        "area under precision against recall, with credit falling evenly from an event to the end "
        "of a buffer around it: " + _GRID,
        Pate,
        count=None,
        needs="scores",
        group="areas",
        reference=_REFERENCE,
        undefined=NO_EVENT,
        forgives=CONSTANT.format(instead="ap_ba") + "; else " + _NEAR,
        notes="""Crosswalk:
  PATE 0.1.1, e_buffer=e, d_buffer=d, num_splits_MaxBuffer=s    early=e, delay=d, splits=s
  the same, Big_Data=False, drop_intermediate=False             thresholds=None as well
  tsadmetrics Pate, early=e, delay=d                            early=e, delay=d (default there: 5)
thresholds=250 are percentiles of the scores at which an event point is, or is about to be, flagged;
they may fall between two scores, so an increasing map of the scores can move the value a little.
thresholds=None takes every distinct score: exact, for 1 to 3 times the time, and only the order of
the scores matters. Results of evaluate give both values where they differ by more than 1 %.
Thresholds at which recall falls below an earlier one are left out, as there."""
        + _SERIES,
        claims=frozenset({"perfect"}),
        always_shown=(*_SHOWN, "thresholds"),
        every_threshold=True,
    ),
    _pate_rate(
        "pate_f1",
        "proximity-aware F-score",
        "harmonic mean of proximity-aware precision and recall: " + _GRID,
        PateF,
        undefined=NEITHER,
        forgives=_NEAR,
        notes="""Crosswalk:
  PATE 0.1.1, binary_scores=True      early=e_buffer, delay=d_buffer, splits=num_splits_MaxBuffer
  tsadmetrics PateFScore              early, delay (default there: 5)
The mean of F is not the F of pate_precision and pate_recall, which are means themselves."""
        + _SERIES,
    ),
    _pate_rate(
        "pate_precision",
        "proximity-aware precision",
        "share of the flagged points that is credited, in part near an event: " + _GRID,
        PatePrecision,
        undefined=NO_ALARM,
        forgives=f"missed events; and {_BESIDE}",
        notes=_SERIES.strip(),
    ),
    _pate_rate(
        "pate_recall",
        "proximity-aware recall",
        "credited flagging as a share of itself and of the weight of the missed event points: "
        + _GRID,
        PateRecall,
        undefined=NO_EVENT,
        forgives=_NEAR + "; and every false alarm",
        notes=_SERIES.strip(),
    ),
)
