"""Rows of PATE: soft credit near the events."""

from __future__ import annotations

from adjudge.measure.whole.pate import Pate, PateF, PatePrecision, PateRecall
from adjudge.metrics.row import Row
from adjudge.metrics.rows.phrases import CONSTANT, NEITHER, NO_ALARM, NO_EVENT

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

ROWS = (
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
thresholds=None takes every distinct score: exact, and only the order of the scores matters.
Thresholds at which recall falls below an earlier one are left out, as there."""
        + _SERIES,
        claims=frozenset({"perfect"}),
        always_shown=_SHOWN,
    ),
    Row(
        "pate_f1",
        "proximity-aware F-score",
        "harmonic mean of proximity-aware precision and recall: " + _GRID,
        PateF,
        count=None,
        group="buffers",
        reference=_REFERENCE,
        undefined=NEITHER,
        forgives=_NEAR,
        notes="""Crosswalk:
  PATE 0.1.1, binary_scores=True      early=e_buffer, delay=d_buffer, splits=num_splits_MaxBuffer
  tsadmetrics PateFScore              early, delay (default there: 5)
The mean of F is not the F of pate_precision and pate_recall, which are means themselves."""
        + _SERIES,
        claims=_CLAIMS,
        always_shown=_SHOWN,
    ),
    Row(
        "pate_precision",
        "proximity-aware precision",
        "share of the flagged points that is credited, in part near an event: " + _GRID,
        PatePrecision,
        count=None,
        group="buffers",
        reference=_REFERENCE,
        undefined=NO_ALARM,
        forgives=f"missed events; and {_BESIDE}",
        notes=_SERIES.strip(),
        claims=_CLAIMS,
        always_shown=_SHOWN,
    ),
    Row(
        "pate_recall",
        "proximity-aware recall",
        "credited flagging as a share of itself and of the weight of the missed event points: "
        + _GRID,
        PateRecall,
        count=None,
        group="buffers",
        reference=_REFERENCE,
        undefined=NO_EVENT,
        forgives=_NEAR + "; and every false alarm",
        notes=_SERIES.strip(),
        claims=_CLAIMS,
        always_shown=_SHOWN,
    ),
)
