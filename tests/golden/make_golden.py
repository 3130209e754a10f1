"""Rewrite the golden files of this folder from a folder of collected vectors.

STOP: this is not part of the test run, and nobody needs it to develop or to release the library.
Run it ONLY when you maintain the golden data AND the collected vectors themselves have changed (a
new case, a newer version of a package), then read the difference line by line before you keep it.
NEVER run it to make a failing test pass: the numbers were returned by other people's programs, so
a test that fails means that the library has changed.

usage: python tests/golden/make_golden.py FOLDER

FOLDER holds hand.json, random.json and large.json: cases with labels, scores, predictions and the
values that public implementations return for them. Peers' values are copied under the spec that
means the same in this library, and set aside where its policy for undefined values decides. Only
the right values of the known disagreements are computed here, by exact fractions. The same FOLDER
always gives the same bytes.
"""

import json
import sys
import textwrap
from fractions import Fraction
from pathlib import Path

HERE = Path(__file__).parent
MICRO = 1_000_000
TOLERANCE = {"auc_roc": 1e-9, "auc_pr": 1e-9, "ap": 1e-9}
NOTICEABLE = 1e-3


def specs():
    """Peer key -> the spec that means the same here."""
    table = {
        "ref:SimpleFScore[]": "f1",
        "ref:SimpleFScore[beta=0.5]": "f1(beta=0.5)",
        "ref:SimpleFScore[beta=2.0]": "f1(beta=2)",
        "ref:PointAdjustedFScore[]": "f1_pa",
        "ref:PointAdjustedFScore[beta=2.0]": "f1_pa(beta=2)",
        "ref:AsymmetricallyAdjustedFScore[adjust_width=3,beta=2.0]": (
            'f1_ba(width=7, islands="all", beta=2)'
        ),
        "tsadmetrics:pwf[beta=1.0]": "f1",
        "tsadmetrics:pwf[beta=2.0]": "f1(beta=2)",
        "tsadmetrics:paf[beta=1.0]": "f1_pa",
        "tsadmetrics:pw_auc_roc[]": "auc_roc",
        "tsadmetrics:pw_auc_pr[]": "ap",
        "tsad_eval:Pointwise_metrics[].score": "f1",
        "tsad_eval:PointAdjust[].score": "f1_pa",
        "tsad_eval:AUC_ROC[].score": "auc_roc",
        "tsad_eval:AUC_PR_pw[].score": "ap",
        "tsad_eval:Best_threshold_pw[].score": "best(f1)",
        "sklearn:f1_score[]": "f1",
        "sklearn:fbeta_score[beta=0.5]": "f1(beta=0.5)",
        "sklearn:fbeta_score[beta=2.0]": "f1(beta=2)",
        "sklearn:precision_score[]": "precision",
        "sklearn:recall_score[]": "recall",
        "sklearn:matthews_corrcoef[]": "mcc",
        "sklearn:balanced_accuracy_score[]": "balanced_accuracy",
        "sklearn:roc_auc_score": "auc_roc",
        "sklearn:average_precision_score": "ap",
        "sklearn:pr_auc_trapezoid": "auc_pr",
        "sklearn:best_f1.f1": "best(f1)",
    }
    for k in (0.05, 0.2, 0.4, 1.0):
        table[f"ref:CoverageAdjustedFScore[coverage={k}]"] = f"f1_kpa(k={k})"
        table[f"tsad_eval:PointAdjustKPercent[k={k}].score"] = f"f1_kpa(k={k})"
    for k in (0.05, 0.2, 0.4, 0.5, 1.0):
        table[f"tsadmetrics:pakf[k={k},beta=1.0]"] = f"f1_kpa(k={k})"
    for half in (1, 2, 3, 5, 12):
        key = f"ref:AsymmetricallyAdjustedFScore[adjust_width={half}]"
        table[key] = f'f1_ba(width={2 * half + 1}, islands="all")'
    for half in (1, 2, 5):
        key = f"ref:SymmetricallyAdjustedFScore[adjust_width={half}]"
        table[key] = f"f1_dilated(width={2 * half + 1})"
    for w in (1, 2, 3, 4, 6, 10):
        half = (w + 1) // 2
        key = f"tsadmetrics:bpaf[beta=1.0,w={w}]"
        table[key] = f'f1_ba(width={2 * half + 1}, islands="spill")'
    return table


ADJUSTED = {
    "ref:PointAdjustedFScore[].adjust": "point_adjusted",
    "ref:CoverageAdjustedFScore[coverage=0.2].adjust": "Covered(k=0.2)",
    "ref:AsymmetricallyAdjustedFScore[adjust_width=1].adjust": 'Balanced(width=3, islands="all")',
    "ref:AsymmetricallyAdjustedFScore[adjust_width=3].adjust": 'Balanced(width=7, islands="all")',
}


def family(spec):
    return spec.partition("(")[0]


def points(intervals):
    return sum(stop - start for start, stop in intervals)


def settled_by_policy(spec, case):
    """(our value, reason) where events and flags alone decide it; None where they do not."""
    n, events, flags = case["n"], points(case["labels"]), points(case["pred"])
    name = family(spec)
    undefined = {
        "precision": (not flags, "nothing is flagged"),
        "recall": (not events, "there are no events"),
        "mcc": (0 in (events, n - events, flags, n - flags), "a margin of the table is empty"),
        "balanced_accuracy": (events in (0, n), "there is only one class"),
        "auc_roc": (events in (0, n), "there is only one class"),
        "auc_pr": (not events, "there are no events"),
        "ap": (not events, "there are no events"),
        "best": (not events, "there are no events"),
    }
    if name in undefined:
        holds, reason = undefined[name]
        return (None, reason) if holds else None
    if not name.startswith("f1"):
        return None
    if not events and not flags:
        return None, "there are neither events nor flags"
    if not events:
        return 0.0, "there are flags but no events"
    if not flags:
        return 0.0, "there are events but no flags"
    return None


def answer(case, key):
    """What the peer gave: a number, "NaN", the name of an exception, or None if it was not run."""
    given = case["results"].get(key)
    if given is not None:
        return given if isinstance(given, str) else float(given)
    for asked in (key, key.rpartition(".")[0]):
        if asked in case["errors"]:
            return case["errors"][asked].partition(":")[0]
    return None


def peer(cases, key, spec):
    values, policy = {}, {}
    for case in cases:
        theirs = answer(case, key)
        apply_policy = settled_by_policy(spec, case)
        if isinstance(theirs, float) and (apply_policy is None or apply_policy[0] == theirs):
            values[case["id"]] = theirs
        elif theirs is not None and apply_policy is not None:
            ours, reason = apply_policy
            policy[case["id"]] = {"theirs": theirs, "ours": ours, "reason": reason}
    return {
        "spec": spec,
        "input": "scores" if family(spec) in {*TOLERANCE, "best"} else "flags",
        "tolerance": TOLERANCE.get(family(spec), 1e-12),
        "values": values,
        "policy": policy,
    }


def event_maximum_steps(case):
    """Cumulated (event points, normal points) per distinct score, each event at its maximum."""
    scores = list(case["scores"])
    event = [False] * case["n"]
    for start, stop in case["labels"]:
        scores[start:stop] = [max(scores[start:stop])] * (stop - start)
        event[start:stop] = [True] * (stop - start)
    gained = {}
    for score, inside in zip(scores, event, strict=True):
        found, wrong = gained.get(score, (0, 0))
        gained[score] = (found + inside, wrong + (not inside))
    steps, found, wrong = [], 0, 0
    for score in sorted(gained, reverse=True):
        found, wrong = found + gained[score][0], wrong + gained[score][1]
        steps.append((found, wrong))
    return steps


def roc_area(steps):
    area, before = Fraction(0), (0, 0)
    for found, wrong in steps:
        area += Fraction((wrong - before[1]) * (found + before[0]), 2)
        before = (found, wrong)
    return float(area / (before[0] * before[1]))


def pr_areas(steps):
    """(by trapezoid from recall 0 and precision 1, by steps), as exact fractions."""
    trapezoid, stairs, found_before, before = Fraction(0), Fraction(0), 0, Fraction(1)
    for found, wrong in steps:
        precision = Fraction(found, found + wrong)
        trapezoid += (found - found_before) * (precision + before) / 2
        stairs += (found - found_before) * precision
        found_before, before = found, precision
    return float(trapezoid / found_before), float(stairs / found_before)


def disagreements(cases):
    """Peers' values that are known to be wrong, or to measure something else, with ours beside."""
    with_events = [case for case in cases if case["labels"]]
    steps = {case["id"]: event_maximum_steps(case) for case in with_events}
    point_adjusted = {case["id"]: answer(case, "ref:PointAdjustedFScore[]") for case in with_events}
    roc = {name: roc_area(curve) for name, curve in steps.items()}
    trapezoid = {name: pr_areas(curve)[0] for name, curve in steps.items()}
    stairs = {name: pr_areas(curve)[1] for name, curve in steps.items()}
    event_maximum = "computed by exact fractions: each event's points at the event's maximum, then "
    groups = [
        {
            "key": "tsadmetrics:pa_auc_roc[]",
            "spec": "auc_roc_pa",
            "input": "scores",
            "reason": "It seems that the curve is sorted by false positive rate without keeping "
            "the order of equals, so the area depends on the sorting routine.",
            "how": event_maximum + "the ordinary area under the ROC curve",
            "right": roc,
        },
        {
            "key": "tsadmetrics:pa_auc_pr[]",
            "spec": "auc_pr_pa",
            "input": "scores",
            "reason": "It seems that the curve is sorted by recall without keeping the order of "
            "equals, so the area depends on the sorting routine.",
            "how": event_maximum + "trapezoids from recall 0 and precision 1",
            "right": trapezoid,
        },
        {
            "key": "tsadmetrics:pa_auc_pr[]",
            "spec": "ap_pa",
            "input": "scores",
            "reason": "It sums trapezoids, whereas the package's pw_auc_pr is average precision: "
            "the two must not be compared.",
            "how": event_maximum + "average precision",
            "right": stairs,
        },
        {
            "key": "tsb_ad:PA-F1[pred]",
            "spec": "f1_pa",
            "input": "flags",
            "reason": "The point at index 0 is never filled.",
            "how": "the value of ref:PointAdjustedFScore[]",
            "right": point_adjusted,
        },
        {
            "key": "tsadmetrics:bpaf[beta=1.0,w=1]",
            "spec": 'f1_ba(width=1, islands="spill")',
            "input": "flags",
            "reason": "w=1 is the same as w=2: an island of three points, where width 1 is point "
            "adjustment.",
            "how": "the value of ref:PointAdjustedFScore[]",
            "right": point_adjusted,
        },
    ]
    for group in groups:
        right = group.pop("right")
        theirs = {case["id"]: answer(case, group["key"]) for case in with_events}
        group["cases"] = {
            name: {"theirs": value, "ours": right[name]}
            for name, value in theirs.items()
            if abs(value - right[name]) > NOTICEABLE
        }
    return groups


def micro(case):
    """Scores as whole millionths, refused unless dividing gives back the very same floats."""
    whole = [round(score * MICRO) for score in case["scores"]]
    if [number / MICRO for number in whole] != case["scores"]:
        raise ValueError(f"the scores of {case['id']} have more than six decimals")
    return whole


def layout(value, depth, indent=""):
    """JSON with sorted keys, one entry per line down to depth and compact below it."""
    if depth == 0 or not isinstance(value, dict | list) or not value:
        return json.dumps(value, sort_keys=True)
    deeper = indent + " "
    if isinstance(value, list):
        rows = [deeper + layout(entry, depth - 1, deeper) for entry in value]
        return "[\n" + ",\n".join(rows) + f"\n{indent}]"
    rows = [
        f"{deeper}{json.dumps(name)}: {layout(value[name], depth - 1, deeper)}"
        for name in sorted(value)
    ]
    return "{\n" + ",\n".join(rows) + f"\n{indent}}}"


def layout_scores(scores):
    """JSON with the numbers wrapped at 100 columns."""
    rows = [
        f'"{name}": [\n' + textwrap.fill(", ".join(map(str, scores[name])), 100) + "\n]"
        for name in sorted(scores)
    ]
    return "{\n" + ",\n".join(rows) + "\n}"


def main(folder):
    cases = [
        case
        for group in ("hand", "random", "large")
        for case in json.loads((folder / f"{group}.json").read_text(encoding="utf-8"))["cases"]
    ]
    inputs = {
        case["id"]: {
            "note": case["note"],
            "n": case["n"],
            "events": case["labels"],
            "flags": case["pred"],
            "threshold": case["threshold"],
        }
        for case in cases
    }
    adjusted = {
        key: {
            "adjustment": adjustment,
            "flags": {c["id"]: c["results"][key] for c in cases if key in c["results"]},
        }
        for key, adjustment in ADJUSTED.items()
    }
    texts = {
        "cases.json": layout(inputs, 2),
        "scores.json": layout_scores({case["id"]: micro(case) for case in cases}),
        "peers.json": layout({k: peer(cases, k, spec) for k, spec in specs().items()}, 3),
        "adjusted.json": layout(adjusted, 3),
        "disagreements.json": layout(disagreements(cases), 3),
    }
    for name, text in texts.items():
        (HERE / name).write_text(text + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python tests/golden/make_golden.py FOLDER")
    main(Path(sys.argv[1]))
