"""Write docs/crosswalk.md, and metrics/names_elsewhere.json, from tests/golden: run it after every change there, or of the catalogue."""

import json
import re
import sys
from pathlib import Path

import adjudge as aj

HOME = Path(__file__).parents[1] / "docs"
NAMES = Path(aj.__file__).parent / "metrics" / "names_elsewhere.json"
sys.path.insert(0, str(Path(__file__).parent))
from make_conformance import code, comparisons, golden, line  # noqa: E402 - it is next to this file

PAGE = HOME / "crosswalk.md"
HEAD = """# Crosswalk: their name, our name

You have a number from another package, or want the number that it would print. Find its function here; write the spec beside it in
`adjudge evaluate --metric`, `aj.metric(...)` or `aj.evaluate`. Every line was checked on up to 67 cases, value by value
([conformance](conformance.md) has the counts and says where and why values differ).

A call is written `function[parameters].output`; a name in braces stands for any value, and stands on both sides. An output such as `tp/(tp+fp)` is
a ratio of counts that the package returns. *Oracle* and `best(...)` mean that the best threshold was chosen by looking at the labels.

`adjudge explain-diff scores.csv --theirs 0.8312` goes the other way: it tries these conventions on your data and says which of them give
that number.

"""
CHANGES = """## Change points, drifts and early warnings

Positions instead of intervals. Where *the same numbers* are named, `from adjudge.compat.change_points import ...` gives them, defects included
([conformance](conformance.md#change-points-drifts-and-early-warnings) has the counts).

| elsewhere | here | the same numbers |
|:---|:---|:---|
| ruptures `precision_recall(margin=m)` | `change_precision(margin=m - 1)`, `change_recall(margin=m - 1)` | `precision_recall` |
| ruptures `randindex`, 1 - `hamming` | `regime_rand` | `randindex` |
| ruptures `hausdorff`, `meantime` | `hausdorff_distance`, `chamfer_distance(side="alarms")`, on 0/1 columns | |
| ruptures result (list of ends) | `aj.Changes.from_breakpoints(result)` | |
| TCPDBench `f_measure` | `change_f1(trivial=true)`, better `change_f1` | `f_measure` |
| TCPDBench `covering` | `regime_recall` | `covering` |
| skchange `changepoint_f1_score`, `_precision`, `_recall` | `change_f1(margin=tolerance)` and its two | |
| skchange `rand_index`, `adjusted_rand_index` | `regime_rand`, `regime_ari` | |
| tsseg `F1Score`, `Covering`, `BidirectionalCovering` | `change_f1`, `regime_recall`, `regime_f1` | |
| tsseg `AdjustedRandIndex`, `NormalizedMutualInformation` | `regime_ari`, `regime_nmi` | |
| aeon `count_error`, `prediction_ratio` | the counts of `aj.explain(...).counts` | |
| CapyMOA `EvaluateDriftDetector` `episode_recall`, `precision` | `warning_recall(max_lead=max_early_detection, min_lead=-max_delay)` and `warning_precision` | `drift_performance` |
| CapyMOA `mdt`, `ndt`; river `detection_delay` | `change_delay(after=max_delay)`, with `relative=true` | `drift_performance`, `drift_report` |
| CapyMOA `far`, river `false_alarm_rate` | `false_warning_rate(per=1000)`, which divides by the time outside windows | `drift_performance`, `drift_report` |
| river `missed_detection_rate` | 1 - `warning_recall(...)` | `drift_report` |
| river `mean_time_between_false_alarms` | `time_between_false_alarms`, another definition | `drift_report` |
| sktime `WindowedF1Score(margin)` | `change_f1(margin=margin)` | `windowed_f1` |
| sktime `EventTPR` | `warning_recall(max_lead=-min_offset, min_lead=-max_offset)` | `event_tpr` |
| sktime `MeanDetectionOffset` | -`lead_time(max_lead=-min_offset, min_lead=-max_offset)` | `mean_detection_offset` |
| sktime `FalseAlarmRate` | `false_warning_rate(...)`, which divides by the time outside windows | `false_alarm_rate` |
| sktime `RandIndex` | another thing; `regime_rand` | |
| sktime, asked for: alarms in a window before the event | `warning_recall(max_lead=M, min_lead=m)` | |
| sktime, asked for: lead time | `lead_time(max_lead=M)` | |
| sktime, asked for: false alarms per active hour | `false_warning_rate(per="1h")` with `where=` | |
| sktime, asked for: cooldown | `cooldown=` of `warning_f1` and its kin | |
| sktime, asked for: delay of which misses cost the most | `change_delay(missed="after")` | |
| PhysioNet 2019 `normalized_utility` | `early_utility`, `series=` one id per patient | |
| seizure prediction, horizon SPH and period SOP | `warning_recall(max_lead=SPH + SOP, min_lead=SPH)` | |
| seizure forecasting: time in warning, and the area under sensitivity against it | `time_in_warning(...)`, `warning_auc(...)` with the same leads | |

"""
FOOT = """## Others

Not run beside these, but the same by their definitions:

| elsewhere | here |
|:---|:---|
{others}| `AFF_precision`, `AFF_recall`, `AFF_F_0.50` (ESA-ADB) | `incident_affiliation_precision`, `incident_affiliation_recall`, `incident_affiliation_f1(beta=0.5)`; of events without ids `affiliation_*` |
| a pasted `adjust_predicts`, `adjustment`, `bf_search` | `from adjudge.compat import ...`: the same names and numbers, defects included |

Generated by `tools/make.py crosswalk`.
"""
OTHERS = (
    (
        "papers",
        {"PA%K": "f1_kpa(k=K/100)", "K%-PA": "f1_kpa(k=K/100)", "pak": "f1_kpa(k=K/100)"},
        "",
    ),
    (
        "ESA-ADB",
        {
            "EW_precision": "eventwise_precision",
            "EW_recall": "eventwise_recall",
            "EW_F_0.50": "eventwise_f1(beta=0.5)",
        },
        "; false time there is in seconds, and an event may have several intervals",
    ),
    ("ESA-ADB", {"alarming_precision": "alarms_per_event"}, ", of which it is the reciprocal"),
    ("ESA-ADB", {"ADTQC": "adtqc"}, ""),
    ("the paper's code, `k`", {"SoftED": "softed_f1(reach=k)"}, ""),
    (
        "harbinger, `sw_size`",
        {"har_eval_soft": 'softed_f1(reach=sw_size, match="one_to_one")'},
        '; `match="nearest"` in its older versions',
    ),
)
"""Where, {name there: spec here}, and what else there is to say."""


def calls():
    """Give (call, spec), each once."""
    return list(dict.fromkeys((row["call"], row["spec"]) for row in comparisons()))


PARTS = {"p", "r", "tp/(tp+fp)", "tp/(tp+fn)", "f1", "precision", "recall"}
"""Outputs that name a part of what the function computes, or of what its mode says."""


def name_of(call):
    """What people call the metric of a call: its output, or its function; "" if neither says it."""
    function, output = re.fullmatch(r"\w+:([^.\[]+)(?:\[.*?\])?(?:\.(.+))?", call).groups()
    if output in PARTS:
        return ""
    return function if output in {None, "score"} else output


CHANGE_POINTS = {
    "covering": "regime_recall", "randindex": "regime_rand", "rand_index": "regime_rand",
    "adjusted_rand_index": "regime_ari", "hausdorff": "hausdorff_distance",
    "meantime": "chamfer_distance", "f_measure": "change_f1", "changepoint_f1_score": "change_f1",
}  # fmt: skip
"""Names of the table of change points, which is written by hand."""


def names():
    """Write the table that says by which names other packages and papers call a metric."""
    found = {}
    others = [pair for _, pairs, _ in OTHERS for pair in pairs.items()]
    for name, spec in [
        *others,
        *CHANGE_POINTS.items(),
        *((name_of(call), spec) for call, spec in calls()),
    ]:
        metric = re.match(r"(?:best\()?(\w+)", spec)[1]
        if name and name != metric:
            found.setdefault(metric, {})[name] = None
    listed = {metric: found[metric] for metric in aj.catalogue if metric in found}
    lines = (f"{json.dumps(metric)}: {json.dumps(list(names))}" for metric, names in listed.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def others():
    """Write the lines of what was not run."""
    return "".join(
        line(
            f"{', '.join(map(code, pairs))} ({where})",
            ", ".join(map(code, dict.fromkeys(pairs.values()))) + more,
        )
        for where, pairs, more in OTHERS
    )


def page():
    """Write one table per package."""
    parts = [HEAD]
    for prefix, package in sorted(
        golden("atlas")["packages"].items(), key=lambda item: item[1].lower()
    ):
        rows = sorted(
            (call.partition(":")[2], spec)
            for call, spec in calls()
            if call.startswith(f"{prefix}:")
        )
        name = package[0].upper() + package[1:] if prefix == "ref" else package
        parts += [f"## {name}\n\n", line("there", "here"), line(":---", ":---")]
        parts += [line(code(call), code(spec)) for call, spec in rows]
        parts.append("\n")
    return "".join([*parts, CHANGES, FOOT.format(others=others())])


def made():
    """Give the text of the page and of the names by their paths."""
    return {PAGE: page(), NAMES: names()}
