"""What packages for channels, causes, annotators, control systems and EEG return, beside ours.

`several.json` holds small cases and the values that the packages returned; `compared` judges each
case here and gives rows of call, ours, theirs, and why they differ, where they do.
"""

import json
import math
from itertools import combinations
from pathlib import Path

import numpy as np

import adjudge as aj
from adjudge.data.channels import ChannelReading, truth_table
from adjudge.judging.channels.of_annotators import cohen_kappa, krippendorff_alpha, voted

CASES = json.loads(Path(__file__).with_name("several.json").read_text("utf-8"))
UNDEFINED = "undefined (0/0) is NaN here; there it is 0, or 1"
TIES = "channels with equal scores share the credit here; there the order of columns decides"
NO_SCORES = "a channel without scores is refused here; there its events count 0, or are left out"
GRACE = "a time of grace after an attack is not a setting here"
IDS = "labels of points know no ids: two events of one id are two; aj.Incidents joins them"
GAP = "a flagged sample lasts until the next one here; there since the one before it"
AT_THE_END = "it cannot judge a one-point event at the very end"
TRAPEZOIDS = "1000 trapezoids instead of the integral: up to 0.0024 off"
RECOVERY = "a time of recovery is not known here"
PIECES = "events that overlap, or have pieces, are one where labels are of points"
SHIELD = (
    "alarms in events of other kinds are neither right nor wrong there; here there is no choice"
)
ABSENT = "an answer that is no candidate is an event without a cause: left out here, 0 there"
PACKAGES = {
    "esa_adb": "ESA-ADB, git 489cb61",
    "telemeval": "telemeval 0.3.4",
    "sklearn": "scikit-learn 1.5.2",
    "tranad": "TranAD, git 7ffb98d",
    "mlnext": "mlnext-framework 0.7.0",
    "mvts_ano_eval": "mvts-ano-eval, git ad93985",
    "rcaeval": "RCAEval 1.8.1",
    "statsmodels": "statsmodels 0.15.0",
    "krippendorff": "krippendorff 0.9.0",
    "ipal_evaluate": "ipal_evaluate 1.3.2",
    "nedc_bench": "nedc-bench 1.0.0",
    "timescoring": "timescoring 0.0.7",
    "datadog": "Datadog agent, git 0080283",
}


def filled(n, intervals):
    inside = np.zeros(int(n), int)
    for start, stop in intervals:
        inside[int(start) : int(stop)] = 1
    return inside


def number(value):
    return math.nan if value in ("NaN", "None", None) else float(value)


def compared():
    """Rows of case, call, ours, theirs, and a reason where they may differ."""
    every = (channels, diagnosis, root_causes, annotators, control, eeg, gaussian)
    ways = {way.__name__: way for way in every}
    for case in CASES:
        for key, ours, reason in ways[case["group"]](case):
            yield f"{case['group']} {case['id']}", key, ours, number(case["results"][key]), reason


def channels(case):
    names, rows, n = case["channels"], case["truth"], case["n"]
    flags = np.stack([filled(n, case["alarms"].get(name, [])) for name in names], axis=1)
    known = [row for row in rows if row["channel"] in names]
    labels = np.stack(
        [filled(n, [(r["start"], r["stop"]) for r in known if r["channel"] == c]) for c in names], 1
    )
    for key in case["results"]:
        part = key.partition("].")[2]
        if "f1_score" in key:
            how = key.partition("[")[2][:-1].replace("average=", "").replace(" ", "_")
            yield key, aj.metric(f"{how}(f1)")(labels, flags, channels=names), None
        elif "hannelAware" in key or "channel_aware" in key:
            stem, _, kind = part.partition("_")
            if kind in {"precision", "recall"} or kind.startswith(("F", "fbeta")):
                beta = key.partition("beta=")[2][:3]
                name = f"{stem}_{kind}" if kind[0] in "pr" else f"{stem}_f1(beta={beta})"
                truth = chosen(known, key, labels)
                ours = aj.metric(name)(truth, flags, channels=names, subsystem=case["subsystems"])
                yield key, ours, NO_SCORES if len(known) < len(rows) else None
        elif part.startswith("EW_"):
            kind = part.removeprefix("EW_")
            name = f"eventwise_{kind}" if kind[0] in "pr" else "eventwise_f1(beta=0.5)"
            reason = SHIELD if "Category" in key else PIECES
            yield key, aj.metric(name)(labels, flags, channels=names), reason


def chosen(rows, key, labels):
    """The events as incidents, of one kind where a call chooses one."""
    kind = key.partition("Category=")[2].partition("]")[0]
    own = [row for row in rows if kind in ("", row["kind"])]
    if not own:
        return np.zeros_like(labels)
    return aj.Incidents(
        [r["start"] for r in own], [r["stop"] for r in own], id=[r["event"] for r in own],
        channel=[r["channel"] for r in own],
    )  # fmt: skip


def diagnosis(case):
    scores, labels = np.array(case["scores"], float), np.array(case["labels"])
    names = [f"c{i}" for i in range(scores.shape[1])]
    tied = any(len(set(row)) < len(row) for row in case["scores"])
    for key in case["results"]:
        p = 150 if "150" in key else 100
        name = f'cause_{"ndcg" if "ndcg" in key else "hit_rate"}(p={p}, per="points"'
        name += ', rounding="even")' if key.startswith("tranad") else ")"
        name = 'cause_in_top(k=3, per="points")' if key.endswith("rc_top3") else name
        reason = TIES if tied and "ndcg" not in key else None
        yield key, aj.metric(name)(labels, scores, channels=names), reason


def root_causes(case):
    for key in case["results"]:
        kind, _, k = key.partition("].")[2].partition("@")
        name = f"cause_{'recall' if kind.endswith('AC') else 'average'}_at_k(k={k})"
        metric = aj.metric(name)
        if kind.startswith("chance"):
            sizes = [one.get("candidates") for one in case["cases"]]
            if None in sizes:
                yield key, math.nan, None
                continue
            measure = metric.parts.measure
            levels = [measure.by_chance(np.arange(n)[None] == 0) for n in sizes]
            yield key, float(np.mean(levels)), ABSENT
            continue
        yield key, float(np.mean([rank_of(metric, one) for one in case["cases"]])), None


def rank_of(metric, one):
    """A ranking as scores: what is not ranked comes last."""
    names = [*one["ranking"], *(f"other {i}" for i in range(9))]
    names += [one["answer"]] * (one["answer"] not in names)
    scores = -np.arange(len(names), dtype=float)[None]
    return metric([[int(name == one["answer"]) for name in names]], scores, channels=names)


KAPPA = "sklearn:cohen_kappa_score[pairs]"


def annotators(case):
    if "label_columns" in case:
        table = [[math.nan if v is None else v for v in c] for c in case["label_columns"]]
        votes, flags = np.array(table, float).T, None
    else:
        votes = np.stack([filled(case["n"], own) for own in case["annotators"].values()], axis=1)
        flags = filled(case["n"], case["alarms"])
    names = tuple(f"a{i}" for i in range(votes.shape[1]))
    voters = truth_table(votes, names, len(votes), ChannelReading())
    for key in case["results"]:
        if key == "krippendorff:alpha[nominal]":
            yield key, krippendorff_alpha(voters), None
        elif key.startswith("statsmodels"):
            alpha, size = krippendorff_alpha(voters), votes.size
            yield key, 1 - (1 - alpha) / (1 - 1 / size), UNDEFINED
        elif flags is not None and "[" in key and not isinstance(case["results"][key], list):
            yield from _voted(key, voters, votes, flags)
    if flags is not None:
        pairs = [p for row in case["results"].get(KAPPA, []) for p in row]
        own = [cohen_kappa(truth_table(votes[:, list(p)], ("a", "b"), len(votes), ChannelReading()))
               for p in combinations(range(len(names)), 2)]  # fmt: skip
        case["results"] |= {f"sklearn:cohen_kappa_score[pair {i}]": p for i, p in enumerate(pairs)}
        for i, value in enumerate(own[: len(pairs)]):
            yield f"sklearn:cohen_kappa_score[pair {i}]", value, UNDEFINED


def _voted(key, voters, votes, flags):
    how = key.partition("[")[2][:-1]
    if how in {"any annotator", "all annotators", "majority"}:
        rule = how.split()[0]
        yield key, aj.f1(voted(voters, rule), flags), UNDEFINED
    elif how in {"pooled", "mean over annotators"}:
        over = aj.macro if how.startswith("mean") else aj.micro
        tiled = np.tile(flags[:, None], votes.shape[1])
        yield key, over(aj.f1)(votes, tiled, channels=list(voters.names)), UNDEFINED


CONTROL = {
    "Accuracy": "accuracy", "Precision": "precision", "Recall": "recall", "F1": "f1",
    "F0.5": "f1(beta=0.5)", "F2": "f1(beta=2)", "Fallout": "false_positive_rate", "MCC": "mcc",
    "Informedness": "informedness", "Markedness": "markedness", "Jaccard-Index": "jaccard",
    "Inverse-Precision": "negative_predictive_value", "Inverse-Recall": "specificity",
    "Penalty-Score": "false_time", "BATADAL": "batadal", "BATADAL-TTD": "batadal_ttd",
    "BATADAL-CLF": "balanced_accuracy", "Average-Time-to-Detection": "detection_delay",
    "Detected-Scenarios-Percent": "event_recall", "cohen_kappa_score[]": "kappa",
    "jaccard_score[]": "jaccard", "recall_score[pos_label=0]": "specificity",
}  # fmt: skip


def control(case):
    labels = filled(case["n"], [(e["start"], e["stop"]) for e in case["events"]])
    flags, how = filled(case["n"], case["alarms"]), {}
    if case["times"] != "1..n":
        how["time"] = np.datetime64("2026-01-01", "s") + np.array(case["times"])
    for key in case["results"]:
        name = key.partition("].")[2] or key.partition(":")[2]
        if name in CONTROL:
            reason = GAP if name == "Penalty-Score" else UNDEFINED
            reason = GRACE if "grace" in case["note"] else reason
            reason = IDS if "one id" in case["note"] else reason
            yield key, aj.metric(CONTROL[name])(labels, flags, **how), reason


def eeg(case):
    step = 4 if any(x % 1 for pair in case["truth"] + case["alarms"] for x in pair) else 1
    labels, flags = (
        filled(case["duration"] * step, [(a * step, b * step) for a, b in case[side]])
        for side in ("truth", "alarms")
    )
    seconds = f"before={30 * step}, after={60 * step}, merge={90 * step}, split={300 * step}"
    names = {
        "TAESScorer[].sensitivity": "taes_recall", "TAESScorer[].precision": "taes_precision",
        "TAESScorer[].f1": "taes_f1",
        "EventScoring[fs=4].sensitivity": f"event_recall_tolerant({seconds})",
        "EventScoring[fs=4].precision": f"event_precision_tolerant({seconds})",
        "EventScoring[fs=4].f1": f"event_f1_tolerant({seconds})",
        "IRAScorer[epoch_duration=1.0].kappa": "kappa" if step == 1 else "",
    }  # fmt: skip
    for key in case["results"]:
        spec = names.get(key.partition(":")[2])
        if spec:
            yield key, aj.metric(spec)(labels, flags), UNDEFINED


def gaussian(case):
    labels, flags = (filled(10_000, [(t, t + 1) for t in case[s]]) for s in ("onsets", "alerts"))
    for key in case["results"]:
        part = key.partition("].")[2]
        if part in {"f1", "precision", "recall"}:
            spec = f'gaussian_{part}(sigma={case["sigma"]:g}, variant="datadog")'
            ours = aj.metric(spec)(labels, flags)
            reason = UNDEFINED if math.isnan(ours) else RECOVERY if case["recovery"] else TRAPEZOIDS
            yield key, ours, reason
