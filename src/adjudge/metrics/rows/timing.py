"""Rows about time: delays, distances, false alarms per time, and the Numenta benchmark."""

from __future__ import annotations

from functools import partial
from math import inf

from adjudge.count.costs import Costs
from adjudge.count.delays import Delays, EarlyWindows, FalseRuns, Resets, TimingCurve, WatchedRuns
from adjudge.count.distances import Distances, Farthest
from adjudge.count.nab import NabWindows
from adjudge.measure.distances import ChamferDistance, HausdorffDistance, temporal_distance
from adjudge.measure.nab_score import NabScore
from adjudge.measure.rates import FalseAlarmRate, FalseAlarms, cost_per_time, mean_found, recall
from adjudge.metrics.metric import Row
from adjudge.metrics.rows.three_rates import NEITHER, NO_EVENT

_of_time = partial(Row, group="timing")
_cost_of_time = partial(_of_time, better="lower", range=(0, inf))

_NONE_FOUND = "no event is found"
_SIDES = """side="truth" and side="alarms" ask one way only (NaN where that side has no point)."""

_DELAYS = (
    _cost_of_time(
        "detection_delay",
        "detection delay",
        "mean number of points from the start of an event to its first flag, over found events",
        mean_found,
        count=Delays,
        reference="Common practice, for instance in salesforce/Merlion (mean time to detect).",
        undefined=_NONE_FOUND,
        forgives="missed events and every false alarm (an alarm over everything has delay 0): "
        "read it with event recall and precision",
        notes="""An alarm that lasts into the event from before has delay 0. Over several series,
the found events of all of them weigh the same.
Crosswalk:
  tadmetric evaluate(...).latency    detection_delay; None, where it is undefined
  tsadmetrics mttd                   another thing: it takes the next flag anywhere, and missed
                                     events count as 0""",
        claims=frozenset({"nothing", "quiet", "doubling"}),
    ),
    _of_time(
        "early_detection",
        "early detection score",
        "mean over events of 1 - (i - b) / (e - b) for the first flag i in a window b to e around "
        "the event's start; 0 without one",
        recall,
        count=EarlyWindows,
        reference="T. S. Buda, H. Assem, L. Xu (2017). ADE: An Ensemble Approach for Early Anomaly "
        "Detection. IFIP/IEEE IM. As read by tsadmetrics.",
        undefined=NO_EVENT,
        forgives="every false alarm, coverage, and alarms that only happen to come before: a flag "
        "at every point scores 1",
        notes="""Windows have share * n / m points for m events in a series of n points, and slide
where they would leave the series; each series has its own. An alarm at the very start of an event
earns about 1/2.
Crosswalk:
  tsadmetrics eds    early_detection""",
        claims=frozenset({"nothing"}),
        always_shown=("share",),
    ),
    _of_time(
        "adtqc",
        "timing quality of detections",
        "mean over found events of a curve in the start of the first alarm that overlaps: 1 at the "
        "event's start, falling to 0 at its end and one length before it, or at the start of the "
        "event before if that is nearer",
        recall,
        count=TimingCurve,
        reference="K. Kotowski et al. (2024). European Space Agency Benchmark for Anomaly "
        "Detection in Satellite Telemetry. arXiv:2406.17826.",
        undefined=_NONE_FOUND,
        forgives="missed events, coverage and every false alarm: read it with event recall",
        notes="""Crosswalk:
  ESA-ADB ADTQC "Total"    adtqc, of one channel (of several: channel_adtqc); there the length of
                           an event is the time from its first to its last sample, here it is its
                           number of points""",
        claims=frozenset({"perfect", "nothing", "quiet", "doubling"}),
    ),
    _cost_of_time(
        "false_alarm_rate",
        "false alarms per time",
        "flagged runs that touch no event, per `per` normal points",
        FalseAlarmRate,
        count=FalseRuns,
        reference="Common practice in operation: false alarms per hour.",
        undefined="no normal point",
        forgives="missed events, and length: a false alarm counts once however long it lasts, and "
        "an alarm over everything touches an event, so it is no false one",
        notes="""per=1 is the rate per normal point, between 0 and 1; with as many as an hour has it
is false alarms per hour of normal operation. Runs and normal points are summed over all series.""",
        claims=frozenset({"nothing", "reversal"}),
        always_shown=("per",),
    ),
    _cost_of_time(
        "false_alarms",
        "false alarms per watched time",
        "flagged runs that touch no event, per `per` judged points",
        FalseAlarms,
        count=WatchedRuns,
        reference="Common practice of on-call teams: false pages per week.",
        undefined="never",
        forgives="missed events, and length: a false alarm counts once however long it lasts, and "
        "an alarm over everything touches an event, so it is no false one",
        notes="""false_alarms(per="1w") is what one person on call gets in a week in which somebody
watches; false_alarm_rate divides by the time without events. Of incidents and alerts of several
services it is per week of the team: the time in which at least one of them was watched.""",
        claims=frozenset({"nothing", "reversal"}),
        always_shown=("per",),
    ),
    _of_time(
        "reset_time",
        "reset time",
        "mean number of points from the end of an event to that of the last alarm that overlaps "
        "it, over found events",
        mean_found,
        count=Resets,
        range=(-inf, inf),
        better="lower",
        reference="Common practice of on-call teams: how long a page goes on after the incident.",
        undefined=_NONE_FOUND,
        forgives="missed events and every false alarm: read it with event recall and precision",
        notes="""Negative: alarms end before their events do. Of incidents and alerts, those that
are still open have none.""",
        claims=frozenset({"nothing", "quiet", "doubling"}),
    ),
)

_distance = partial(
    Row, range=(0, inf), better="lower", group="timing", claims=frozenset({"reversal"})
)

_DISTANCES = (
    _distance(
        "temporal_distance",
        "temporal distance",
        "sum of the distances of all anomalous points to the nearest flag, and of all flagged "
        "points to the nearest event",
        temporal_distance,
        count=Distances,
        reference="S. Sørbø, M. Ruocco (2023). Navigating the Metric Maze: A Taxonomy of "
        "Evaluation Metrics for Anomaly Detection in Time Series. arXiv:2303.01272.",
        undefined="never (0 with no event and no alarm: there is nothing to sum)",
        forgives="false alarms, where events are far apart: random alarms, spread over all time, "
        "are near every event and beat an honest detector that misses one; it has no scale, and "
        "grows with every event and every alarm",
        notes="""A point of a series in which the other side has nothing lies as far off as the
series is long. Sums run over all series.
Crosswalk:
  TSAD_eval Temporal_Distance, tsadmetrics td, distance=0    temporal_distance
  tsadmetrics td, distance=1     squares each of the two sums before adding them: not offered""",
    ),
    _distance(
        "chamfer_distance",
        "Chamfer distance",
        "mean distance of anomalous points to the nearest flag, plus mean distance of flagged "
        "points to the nearest event",
        ChamferDistance,
        count=Distances,
        reference="H. G. Barrow et al. (1977). Parametric Correspondence and Chamfer Matching: Two "
        "New Techniques for Image Matching. IJCAI.",
        undefined=NEITHER,
        forgives="a few far false alarms among many near ones; and random alarms or an alarm over "
        "everything, which beat an honest detector that misses an event far from its alarms",
        notes=f"""{_SIDES}
Where one side has no point at all, the other's mean (the length of the series) counts twice.
Crosswalk:
  sktime DirectedChamfer(normalize=True)    chamfer_distance(side="alarms")""",
        always_shown=("side",),
    ),
    _distance(
        "hausdorff_distance",
        "Hausdorff distance",
        "distance of the anomalous or flagged point that lies farthest from the other side",
        HausdorffDistance,
        count=Farthest,
        reference="F. Hausdorff (1914). Grundzüge der Mengenlehre.",
        undefined=NEITHER,
        forgives="all but the worst point: one far false alarm is as bad as a thousand; and random "
        "alarms or an alarm over everything, which beat an honest detector that misses an event "
        "far from its alarms",
        notes=f"""{_SIDES}
It is the length of the series where one side has no point in it.
Crosswalk:
  sktime DirectedHausdorff    hausdorff_distance(side="alarms"), by its name""",
        always_shown=("side",),
    ),
)

_NAB = (
    _of_time(
        "nab",
        "Numenta benchmark score",
        "rewards of windows by the first alarm in them, less costs of missed windows and of false "
        "points, scaled so that silence is 0 and perfection 100",
        NabScore,
        count=NabWindows,
        range=(-inf, 100),
        reference="A. Lavin, S. Ahmad (2015). Evaluating Real-time Anomaly Detection Algorithms - "
        "the Numenta Anomaly Benchmark. ICMLA. arXiv:1510.03336.",
        undefined="no event, when normalised; otherwise never",
        forgives="coverage, and false alarms just behind a window",
        notes="""Profiles (window found at once, false point, missed window):
  standard 1, -0.11, -1    low_fp 1, -0.22, -1    low_fn 1, -0.11, -2
Events are the benchmark's windows: whoever wants slack before and after an event labels it so.
Every flagged point outside counts; in a window only the first does. Behind a window of one point
costs rise as behind one of two (the benchmark's code divides by zero there).
Crosswalk:
  NAB per series, raw            nab(probation=0.15, normalise=False); NAB flags score >= threshold
  NAB corpus score               nab(probation=0.15) with series=: sums over all series, then scaled
  TSAD_eval NAB_score            nab; NaN there for windows of one point
  tsadmetrics nab_score          nab""",
        claims=frozenset({"nothing", "monotone", "quiet", "doubling"}),
        always_shown=("profile", "probation"),
    ),
)

_COSTS = (
    _cost_of_time(
        "costs",
        "costs of misses, false pages and delays",
        "price of every missed event, of every flagged run that touches none, and of the time "
        "until an event's first flag, per watched time",
        cost_per_time,
        count=Costs,
        reference="A. J. Vickers, E. B. Elkin (2006). Decision Curve Analysis. Medical Decision "
        "Making 26(6). For pages: common practice of on-call teams.",
        undefined="no judged point, where times are known",
        forgives="length: a false page costs once however long it lasts, and an alarm over "
        "everything touches an event, so it costs nothing; second pages for a found event",
        notes="""Per week of watched time (per="1w") where times are known, else in total. Prices
are in your own unit; miss=10, false=1 says that ten false pages are worth one more incident.
Compare it with detectors that need no data: paging nobody, at every point, and every N hours.""",
        claims=frozenset({"quiet", "reversal"}),
        always_shown=("miss", "false"),
    ),
)

ROWS = (*_DELAYS, *_DISTANCES, *_NAB, *_COSTS)
