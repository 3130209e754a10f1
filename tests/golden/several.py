"""What packages for channels, causes, annotators, control systems and EEG return, beside ours.

`several.json` holds small cases and the values that the packages returned; `compared` judges each
case here and gives rows of call, ours, theirs, and why they differ, where they do.
"""

import json
import math
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np

import adjudge as aj
from adjudge.adjust.adjustments import raw
from adjudge.compat import change_points
from adjudge.data.channels import ChannelReading, truth_table
from adjudge.judging.channels.agreement import cohen_kappa, krippendorff_alpha
from adjudge.judging.inputs.annotated import voted

CASES = json.loads(Path(__file__).with_name("several.json").read_text("utf-8"))
UNDEFINED = "undefined (0/0) is NaN here; there it is 0, or 1"
TIES = "channels with equal scores share the credit here; there the order of columns decides"
NO_SCORES = "a channel without scores is refused here; there its events count 0, or are left out"
GRACE = "the delay of an alarm after its attack, in a time of grace, is not counted here"
GAP = "a flagged sample lasts until the next one here; there since the one before it"
TRAPEZOIDS = "1000 trapezoids instead of the integral: up to 0.0024 off"
RECOVERY = "a time of recovery is not known here"
TOUCHING = "pieces of one event that touch are one here, and two there"
NEAREST = (
    "where an alarm of a zone is nearest to no moment of the event, recall asks the wrong alarm"
)
JOINED = "as one column of labels, events that overlap are one"
ABSENT = "an answer that is no candidate is an event without a cause: left out here, 0 there"
SECONDS = "it tests overlap on whole seconds: an alarm that touches costs less than one"
EMPTY = "alerts in a series without events are false here, and are not counted there"
NOT_HERE = "not offered here"
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
    "tcpdbench": "TCPDBench, git 1709f40",
    "yasa": "yasa 0.8.1",
    "nedc_eeg_eval": "NEDC 6.0.0",
    "kaggle": "Kaggle's event detection AP",
    "activitynet": "ActivityNet's mAP",
}


def filled(n, intervals):
    inside = np.zeros(int(n), int)
    for start, stop in intervals:
        inside[int(start) : int(stop)] = 1
    return inside


def number(value):
    return math.nan if value in ("NaN", "None", None) else float(value)


def compared(cases=CASES):
    """Rows of case, call, ours, theirs, and a reason where they may differ.

    Ours is None, and the reason `NOT_HERE`, of what is not offered.
    """
    every = (channels, diagnosis, root_causes, annotators, control, eeg, gaussian, scored_alerts)
    ways = {way.__name__: way for way in every}
    for case in cases:
        told = set()
        for key, ours, reason in ways[case["group"]](case):
            told.add(key)
            theirs = case["results"][key]
            for name, mine, other in pairs(key, ours, theirs):
                yield f"{case['group']} {case['id']}", name, mine, number(other), reason
        for key in case["results"].keys() - told:
            yield f"{case['group']} {case['id']}", key, None, math.nan, NOT_HERE


def pairs(key, ours, theirs):
    """Take lists and dicts apart."""
    if isinstance(theirs, (list, tuple)):
        for place, (mine, other) in enumerate(zip(ours, theirs, strict=True)):
            yield from pairs(f"{key}#{place}", mine, other)
    elif isinstance(theirs, dict):
        for name, other in theirs.items():
            yield from pairs(f"{key}#{name}", ours[name], other)
    else:
        yield key, ours, theirs


AFFILIATION = {"precision": "precision", "recall": "recall", "F_0.50": "f1(beta=0.5)"}


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
            yield from _averages(key, labels, flags, names)
        elif "hannelAware" in key or "channel_aware" in key:
            yield from _aware(key, case, known, labels, flags)
        elif part.startswith("AFF_"):
            kind = key.partition("Category=")[2].partition("]")[0]
            metric = aj.metric(f"incident_affiliation_{AFFILIATION[part[4:]]}")
            metric = metric(kind=kind) if kind else metric
            ours = metric(chosen(known, "", labels), flags, channels=names)
            theirs = number(case["results"][key])
            yield key, ours, _why_zones(part[4:], kind, case, flags.max(axis=1), theirs)
        elif part.startswith("EW_") or part == "alarming_precision":
            yield key, _by_id(key, part, known, labels, flags, names), _why(part, known, rows)
        elif part == "Total":
            truth = chosen(known, key, labels)
            yield key, aj.channel_adtqc(truth, flags, channels=names), None
        elif part in {"Nb_Before", "Nb_After", "AfterRate"}:
            yield key, _early_and_late(part, chosen(known, key, labels), flags, names), UNDEFINED
        elif part.startswith("event_wise"):
            yield from _event_wise(key, part, case, known, flags)


def _why_zones(part, kind, case, flags, theirs):
    """What is known to differ; the fault of ESA-ADB's recall must give its number."""
    rows = [row for row in case["truth"] if row["channel"] in case["channels"]]
    if len(rows) < len(case["truth"]):
        return NO_SCORES
    ends = [{(row["event"], row[side]) for row in rows} for side in ("start", "stop")]
    if ends[0] & ends[1]:
        return TOUCHING
    same = abs(_zones_by_id(kind, rows, flags)[part] - theirs) <= 1e-6
    return NEAREST if part != "precision" and same else None


def _zones_by_id(kind, rows, flags):
    """Affiliation as ESA-ADB has it: means over ids, each over the zones of its rows."""
    joined = []
    for start, stop in sorted((row["start"], row["stop"]) for row in rows):
        if joined and start < joined[-1][1]:
            joined[-1][1] = max(stop, joined[-1][1])
        else:
            joined.append([start, stop])
    events = aj.Events.from_intervals(joined, len(flags))
    ledger = aj.affiliation_f1.parts.counting.entries(flags > 0, events, raw)
    precision = np.full(len(joined), 0.5)
    precision[ledger.alarms.event] = ledger.alarms.credit
    found = {}
    for (start, stop), *values in zip(joined, precision, _first_come(joined, flags), strict=True):
        here = [row for row in rows if row["start"] < stop and row["stop"] > start]
        if all(kind in ("", row["kind"]) for row in here):
            for row in here:
                found.setdefault(row["event"], []).append(values)
    p, r = np.mean([np.mean(own, axis=0) for own in found.values()] or [[math.nan] * 2], axis=0)
    return {"precision": p, "recall": r, "F_0.50": 1.25 * p * r / (0.25 * p + r) if r else math.nan}


def _first_come(events, flags):
    """Recall where parts of an event ask alarms in their order, also those nearest to nothing."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], flags, [0])))).reshape(-1, 2)
    middles = [(one[1] + other[0]) / 2 for one, other in pairwise(events)]
    zones = list(pairwise([0, *middles, len(flags)]))
    for (start, stop), (first, last) in zip(events, zones, strict=True):
        alarms = [(max(a, first), min(b, last)) for a, b in edges if a < last and b > first]
        cuts = [-math.inf, *((a[1] + b[0]) / 2 for a, b in pairwise(alarms)), math.inf]
        parts = [
            (max(start, a), min(stop, b)) for a, b in pairwise(cuts) if a <= stop and b >= start
        ]
        total = 0.0
        for (begin, end), (a, b) in zip(alarms, parts, strict=False):
            z = np.linspace(a, b, round(8 * (b - a)) + 1)  # bends lie at quarters of points
            far = np.maximum(np.maximum(begin - z, z - end), 0)
            nearer = np.minimum(far, z - first) + np.minimum(far, last - z)
            total += np.trapezoid(1 - nearer / (last - first), z) if b > a else 0.0
        yield total / (stop - start)


def _averages(key, labels, flags, names):
    how = key.partition("[")[2][:-1].replace("average=", "").replace(" ", "_")
    if how == "per_channel":
        own = zip(labels.T, flags.T, strict=True)
        yield key, [aj.f1(column, alarms) for column, alarms in own], UNDEFINED
    elif how in {"macro", "micro", "any_channel"}:
        yield key, aj.metric(f"{how}(f1)")(labels, flags, channels=names), None
    elif how == "weighted":
        own = [aj.f1(column, alarms) for column, alarms in zip(labels.T, flags.T, strict=True)]
        weights = labels.sum(axis=0)
        yield key, float(np.nan_to_num(own) @ weights / weights.sum()), UNDEFINED
    else:
        own = [aj.f1(point, alarms) for point, alarms in zip(labels, flags, strict=True)]
        yield key, float(np.nanmean(own)), None


def _early_and_late(part, truth, flags, names):
    """How many alarms of found events begin before them, and how many with them or after."""
    judged = aj.evaluate(truth, flags, "channel_adtqc", channels=names, chance=False)
    delays = np.array([e["delay"] for e in judged.channels.events if e["delay"] is not None])
    early, late = int((delays < 0).sum()), int((delays >= 0).sum())
    rate = late / len(delays) if len(delays) else math.nan
    return {"Nb_Before": early, "Nb_After": late, "AfterRate": rate}[part]


def _aware(key, case, known, labels, flags):
    part = key.partition("].")[2]
    stem, _, kind = part.partition("_")
    if part == "total_events":
        yield key, len({r["event"] for r in known}), None
    elif kind in {"precision", "recall"} or kind.startswith(("F", "fbeta")):
        beta = key.partition("beta=")[2][:3]
        name = f"{stem}_{kind}" if kind[0] in "pr" else f"{stem}_f1(beta={beta})"
        truth = chosen(known, key, labels)
        groups = case["subsystems"]
        ours = aj.metric(name)(truth, flags, channels=case["channels"], subsystem=groups)
        yield key, ours, NO_SCORES if len(known) < len(case["truth"]) else None


def _by_id(key, part, known, labels, flags, names):
    """Event-wise scores of events with ids, those of other kinds shielded."""
    kind = key.partition("Category=")[2].partition("]")[0]
    spec = {
        "EW_precision": "incident_precision", "EW_recall": "incident_recall",
        "EW_F_0.50": "incident_f1(beta=0.5)", "alarming_precision": "alarming_precision",
    }[part]  # fmt: skip
    metric = aj.metric(spec)(kind=kind) if kind else aj.metric(spec)
    return metric(chosen(known, "", labels), flags, channels=names)


def _why(part, known, rows):
    if len(known) < len(rows):
        return NO_SCORES
    touching = {(r["event"], r["stop"]) for r in known} & {(r["event"], r["start"]) for r in known}
    return TOUCHING if part == "alarming_precision" and touching else UNDEFINED


def _event_wise(key, part, case, known, flags):
    """telemeval: an event lasts from its first point to its last, and is left out by its kind."""
    left = key.partition("exclude=")[2].partition("]")[0]
    spans = {}
    for r in known:
        if r["kind"] != left or not left:
            first, last = spans.get(r["event"], (r["start"], r["stop"]))
            spans[r["event"]] = min(first, r["start"]), max(last, r["stop"])
    flags, one = flags.max(axis=1), filled(case["n"], spans.values())
    reason = NO_SCORES if len(known) < len(case["truth"]) else UNDEFINED
    if part.endswith("recall") and spans:
        truth = aj.Incidents(*zip(*spans.values(), strict=True), id=list(spans))
        yield key, aj.incident_recall(truth, flags[:, None], channels=["any"]), reason
    elif part.endswith("fbeta"):
        apart = sum(stop - start for start, stop in spans.values()) == one.sum()
        yield key, aj.event_f1(one, flags, beta=0.5), reason if apart else JOINED
    else:
        name = "event_recall" if part.endswith("recall") else "event_precision"
        yield key, aj.metric(name)(one, flags), reason


def chosen(rows, key, labels):
    """The events as incidents, of one kind where a call chooses one."""
    kind = key.partition("Category=")[2].partition("]")[0]
    own = [row for row in rows if kind in ("", row["kind"])]
    if not own:
        return np.zeros_like(labels)
    return aj.Incidents(
        [r["start"] for r in own], [r["stop"] for r in own], id=[r["event"] for r in own],
        channel=[r["channel"] for r in own], kind=[r["kind"] for r in own],
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
        if kind == "retrieval":
            ranks = [
                rank_of(aj.cause_recall_at_k(k=len(c["ranking"]) or 1), c) for c in case["cases"]
            ]
            yield key, float(np.mean(ranks)), None
            continue
        recall = (
            f"cause_{'recall' if kind.endswith(('AC', 'AC_service')) else 'average'}_at_k(k={k})"
        )
        metric = aj.metric(recall)
        if kind.endswith("service"):
            yield key, _of_service(case, kind, int(k)), None
        elif kind in {"AC", "Avg"}:
            yield key, float(np.mean([rank_of(metric, one) for one in case["cases"]])), None
        elif None not in [one.get("candidates") for one in case["cases"]]:
            chance = _chance(metric, case)
            if kind == "lift":
                chance = float(np.mean([rank_of(metric, one) for one in case["cases"]])) - chance
            yield key, chance, ABSENT
        else:
            yield key, math.nan, None


def _chance(metric, case):
    measure = metric.parts.measure
    sizes = [one["candidates"] for one in case["cases"]]
    return float(np.mean([measure.by_chance(np.arange(n)[None] == 0) for n in sizes]))


def _of_service(case, kind, k):
    """Every channel of the answer's entity is a cause; any of them will do."""

    def at(one, depth):
        return rank_of(aj.cause_in_top(k=depth), one, by=lambda name: name.split("_")[0])

    depths = [k] if kind.startswith("AC") else range(1, k + 1)
    return float(np.mean([at(one, depth) for one in case["cases"] for depth in depths]))


def rank_of(metric, one, by=str):
    """A ranking as scores: what is not ranked comes last."""
    names = [*one["ranking"], *(f"other {i}" for i in range(9))]
    names += [one["answer"]] * (one["answer"] not in names)
    scores = -np.arange(len(names), dtype=float)[None]
    return metric([[int(by(name) == by(one["answer"])) for name in names]], scores, channels=names)


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
        elif key == "statsmodels:fleiss_kappa[fleiss]":
            alpha, size = krippendorff_alpha(voters), votes.size
            yield key, 1 - (1 - alpha) / (1 - 1 / size), UNDEFINED
        elif key == "statsmodels:fleiss_kappa[randolph]":
            alike = [aj.accuracy(one, other) for one, other in combinations(votes.T, 2)]
            yield key, 2 * float(np.mean(alike)) - 1, None
        elif key.startswith("tcpdbench"):
            yield key, _tcpdbench(key, case), None
        elif key.startswith("yasa"):
            yield key, [_yasa(key, own, flags) for own in votes.T], UNDEFINED
        elif flags is not None and key.startswith("sklearn"):
            yield from _voted(key, voters, votes, flags)


def _voted(key, voters, votes, flags):
    how = key.partition("[")[2][:-1]
    each = range(votes.shape[1])
    if how in {"any annotator", "all annotators", "majority"}:
        yield key, aj.f1(voted(voters, how.split()[0]), flags), UNDEFINED
    elif how in {"pooled", "mean over annotators"}:
        over = aj.macro if how.startswith("mean") else aj.micro
        tiled = np.tile(flags[:, None], votes.shape[1])
        yield key, over(aj.f1)(votes, tiled, channels=list(voters.names)), UNDEFINED
    elif how == "per annotator":
        yield key, [aj.f1(own, flags) for own in votes.T], UNDEFINED
    elif how == "human, pairs":
        table = [[aj.f1(votes[:, b], votes[:, a]) for b in each if b != a] for a in each]
        yield key, table, UNDEFINED
    elif how.startswith("human"):
        rest = [[b for b in each if b != a] for a in each]
        rules = [voted(_some(voters, own), "majority") for own in rest]
        yield key, [aj.f1(rules[a], votes[:, a]) for a in each], UNDEFINED
    else:
        table = [[cohen_kappa(_some(voters, [a, b])) for b in each if b > a] for a in each[:-1]]
        yield key, table, UNDEFINED


def _some(voters, which):
    names = tuple(voters.names[i] for i in which)
    return replace(voters, names=names, events=tuple(voters.events[i] for i in which), truth=None)


def _tcpdbench(key, case):
    """Starts are change points; of the covering every border is one."""
    margin = int(key.partition("margin=")[2].partition("]")[0] or 0)
    if "covering" in key:
        borders = {
            name: sorted({x for pair in own for x in pair if 0 < x < case["n"]})
            for name, own in case["annotators"].items()
        }
        alarms = sorted({x for pair in case["alarms"] for x in pair if 0 < x < case["n"]})
        return change_points.covering(borders, alarms, case["n"])
    starts = {name: [s for s, _ in own] for name, own in case["annotators"].items()}
    alarms = [s for s, _ in case["alarms"]]
    found = change_points.f_measure(starts, alarms, margin)
    return dict(zip("FPR", found, strict=True))[key[-1]]


def _yasa(key, labels, flags):
    if "intersection" in key:
        stem, settings = "overlap", {"tau": 0.2}
    else:
        margin = int(key.partition("max_distance=")[2].partition("]")[0])
        stem, settings = "change", {"margin": margin}
    return {
        name: aj.metric(f"{stem}_{name}")(labels, flags, **settings)
        for name in ("precision", "recall", "f1")
    }


CONTROL = {
    "Accuracy": "accuracy", "Precision": "precision", "Recall": "recall", "F1": "f1",
    "F0.5": "f1(beta=0.5)", "F2": "f1(beta=2)", "F0.1": "f1(beta=0.1)", "F10": "f1(beta=10)",
    "Fallout": "false_positive_rate", "MCC": "mcc",
    "Informedness": "informedness", "Markedness": "markedness", "Jaccard-Index": "jaccard",
    "Inverse-Precision": "negative_predictive_value", "Inverse-Recall": "specificity",
    "Penalty-Score": "false_time", "BATADAL": "batadal", "BATADAL-TTD": "batadal_ttd",
    "BATADAL-CLF": "balanced_accuracy", "Average-Time-to-Detection": "detection_delay",
    "cohen_kappa_score[]": "kappa",
    "jaccard_score[]": "jaccard", "recall_score[pos_label=0]": "specificity",
}  # fmt: skip


COUNTS = {
    "tp": "tp",
    "fp": "fp",
    "fn": "fn",
    "tn": "tn",
    "TPA": "alarms_right",
    "FPA": "alarms_false",
}


def control(case):
    labels = filled(case["n"], [(e["start"], e["stop"]) for e in case["events"]])
    flags, how = filled(case["n"], case["alarms"]), {}
    if case["times"] != "1..n":
        how["time"] = np.datetime64("2026-01-01", "s") + np.array(case["times"])
    judged = aj.evaluate(labels, flags, "f1", chance=False, **how)
    for key in case["results"]:
        name = key.partition("].")[2] or key.partition(":")[2]
        grace = key.partition("gracetime=")[2].partition("]")[0]
        reason = _why_control(name, grace)
        if grace and name in WITH_GRACE:
            yield key, _with_grace(name, case, labels, flags, int(grace)), None
        elif name in CONTROL:
            yield key, aj.metric(CONTROL[name])(labels, flags, **how), reason
        elif name in COUNTS:
            yield key, judged.counts[0][COUNTS[name]], None
        elif name in {"Missrate", "Jaccard-Distance"}:
            own = aj.recall if name == "Missrate" else aj.jaccard
            yield key, 1 - own(labels, flags), reason
        elif name == "Detection-Delay":
            found = sum(event["found"] for event in judged.events)
            delay = aj.detection_delay(labels, flags, **how)
            yield key, delay * found if found else 0, reason
        elif case["events"]:
            yield from _by_attack(key, name, case, flags)


def _by_attack(key, name, case, flags):
    if name == "Scenario-Recall":
        yield key, _scenarios(case, flags), None
    elif name == "Detected-Scenarios-Percent":
        yield key, aj.incident_recall(_with_ids(case), flags[:, None], channels=["all"]), UNDEFINED
    elif name == "Detected-Scenarios":
        by_id = aj.evaluate(
            _with_ids(case), flags[:, None], "incident_recall", channels=["all"], chance=False
        ).channels.events
        yield key, [float(event["id"]) for event in by_id if event["found"]], None


def _why_control(name, grace):
    late = grace and name in {"Detection-Delay", "Average-Time-to-Detection"}
    return GRACE if late else GAP if name == "Penalty-Score" else UNDEFINED


WITH_GRACE = {"Detected-Scenarios", "Detected-Scenarios-Percent", "TPA", "FPA"}


def _with_grace(name, case, labels, flags, grace):
    """Alarms in a time of grace after an attack are for it; as far as attacks have ids of one."""
    spec = f"event_recall_tolerant(after={grace})"
    judged = aj.evaluate(labels, flags, spec, chance=False)
    false = masses(f"event_precision_tolerant(after={grace})", labels, flags)["false"]
    found = [
        e["event"] for e, own in zip(case["events"], judged.events, strict=True) if own["found"]
    ]
    alarms = int((np.diff(flags, prepend=0) == 1).sum())
    return {
        "Detected-Scenarios": [float(name) for name in found],
        "Detected-Scenarios-Percent": judged[spec], "TPA": alarms - false, "FPA": false,
    }[name]  # fmt: skip


def _with_ids(case):
    events = case["events"]
    return aj.Incidents(
        [e["start"] for e in events], [e["stop"] for e in events], id=[e["event"] for e in events]
    )


def _scenarios(case, flags):
    """The share of the points of each id that is flagged: recall of one id at a time."""
    own = {}
    for event in case["events"]:
        own.setdefault(event["event"], []).append((event["start"], event["stop"]))
    return {name: aj.recall(filled(case["n"], spans), flags) for name, spans in own.items()}


def sampled(case, side, epoch):
    """Labels at the middles of epochs; where two intervals meet, a middle is of the first."""
    middles = (np.arange(int(case["duration"] / epoch)) + 0.5) * epoch
    inside = np.zeros(len(middles), int)
    for start, stop in case[side]:
        inside[(middles > start) & (middles <= stop)] = 1
    return inside


def masses(spec, labels, flags):
    """What was right, missed and false, of the two sides of a metric's tally."""
    counting, adjust = aj.metric(spec).parts.counting, aj.metric(spec).parts.adjust
    found, truth, right, flagged, _ = counting.tally(
        flags > 0, aj.Events.from_labels(labels), adjust
    )
    return {"hit": found, "miss": truth - found, "false": flagged - right, "truth": truth}


def eeg(case):
    fine = [sampled(case, side, 0.25) for side in ("truth", "alarms")]
    seconds = [sampled(case, side, 1.0) for side in ("truth", "alarms")]
    whole = [filled(case["duration"], case[side]) for side in ("truth", "alarms")]
    tolerant = "(before=120, after=240, merge=360, split=1200)"
    days = case["duration"] / 86400
    for key in case["results"]:
        name, _, part = key.partition(":")[2].rpartition("].")
        if name.startswith("TAES") and part in {"sensitivity", "precision", "f1"}:
            spec = {"sensitivity": "recall"}.get(part, part)
            yield key, aj.metric(f"taes_{spec}")(*fine), UNDEFINED
        elif name.startswith(("TAES", "NedcTAES", "Overlap")):
            spec = "segment_f1" if name.startswith("Overlap") else "taes_f1"
            side = {"tp": "hit", "hits": "hit", "fn": "miss", "misses": "miss"}.get(part, part)
            side = "false" if side in {"fp", "false_alarms"} else side
            reason = SECONDS if name.startswith("Nedc") else None
            yield key, masses(spec, *fine)[side], reason
        elif name.startswith("EventScoring"):
            yield from _of_events(
                key, part, masses(f"event_f1_tolerant{tolerant}", *fine), fine, days
            )
        elif name.startswith(("Epoch", "IRA", "SampleScoring")):
            own = fine if "0.25" in key else whole if name.startswith("S") else seconds
            yield key, _of_points(part, own, days), UNDEFINED


def _of_events(key, part, found, fine, days):
    tolerant = "(before=120, after=240, merge=360, split=1200)"
    specs = {"sensitivity": "event_recall", "precision": "event_precision", "f1": "event_f1"}
    if part in specs:
        yield key, aj.metric(f"{specs[part]}_tolerant{tolerant}")(*fine), UNDEFINED
    else:
        counts = {"tp": found["hit"], "refTrue": found["truth"], "fp": found["false"]}
        yield key, counts[part] if part in counts else found["false"] / days, None


def _of_points(part, own, days):
    counts = aj.evaluate(*own, "f1", chance=False).counts[0]
    specs = {"kappa": "kappa", "sensitivity": "recall", "precision": "precision", "f1": "f1"}
    if part in specs:
        return aj.metric(specs[part])(*own)
    counts |= {"refTrue": counts["tp"] + counts["fn"], "fpRate": counts["fp"] / days}
    return counts[part]


def gaussian(case):
    labels, flags = (filled(10_000, [(t, t + 1) for t in case[s]]) for s in ("onsets", "alerts"))
    sides = {"tp": "hit", "fn": "miss", "fp": "false"}
    for key in case["results"]:
        part = key.partition("].")[2]
        spec = f'gaussian_{{}}(sigma={case["sigma"]:g}, variant="datadog")'
        if part in {"f1", "precision", "recall"}:
            ours = aj.metric(spec.format(part))(labels, flags)
        elif part in sides:
            ours = masses(spec.format("f1"), labels, flags)[sides[part]]
        else:
            continue
        reason = UNDEFINED if math.isnan(ours) else RECOVERY if case["recovery"] else TRAPEZOIDS
        yield key, ours, reason


def scored_alerts(case):
    events, alerts = case["events"], case["alerts"]
    kinds = sorted({e["kind"] for e in events})
    bare = {a["series"] for a in alerts} > {e["series"] for e in events}
    for key in case["results"]:
        name = key.partition("].")[2]
        kind, _, at = name.partition("@")
        if key.startswith("kaggle"):
            spec = "alert_ap" if not at else f"alert_ap(tolerance={at}, parts=(1,))"
        else:
            spec = f"interval_ap(iou=({at},))" if at else "interval_ap"
        own = [kind] if kind in kinds else kinds
        values = [_ap(spec, events, alerts, one) for one in own]
        yield key, float(np.mean(values)), EMPTY if bare and key.startswith("kaggle") else None


def _ap(spec, events, alerts, kind):
    """One kind of events beside the alerts of that kind; kinds are averaged."""
    truth, raised = ([row for row in rows if row["kind"] == kind] for rows in (events, alerts))
    if not raised:
        return 0.0
    incidents = aj.Incidents(
        [r["start"] for r in truth],
        [r["stop"] for r in truth],
        service=[r["series"] for r in truth],
    )
    things = aj.Alerts(
        [r["start"] for r in raised], [r["stop"] for r in raised],
        score=[r["score"] for r in raised], service=[r["series"] for r in raised],
    )  # fmt: skip
    return aj.evaluate(incidents, things, spec, span=(0, 10**6), chance=False)[spec]
