"""Rewrite atlas_buffers.json from a folder of collected vectors; read make_golden.py first.

usage: python tests/golden/make_atlas_buffers.py FOLDER

Inputs of the cases stand in cases.json and scores.json. Several packages return the same numbers,
so there is one entry per spec: the keys that mean it, and their values once. Keys that should
agree and do not are refused. Where we differ on purpose, the peer's values stand under
"differences" with the reason.
"""

import json
import sys
from pathlib import Path

from make_golden import answer, layout

HERE = Path(__file__).parent
SAME = 1e-9
LEFT_OUT = {
    "timeeval:*[compatibility_mode=False]": "Straight slopes: a third formula, which is not here.",
    "*[buffer_size=None]": "The window is the median length of the events; here it is a number.",
}
PILED_UP = (
    "The soft labels of one window are the labels that the next one starts from, so they pile up; "
    "each window should start from the labels."
)
CONSTANT = "Constant scores are given 0 without looking; here they are scores like any other."


def specs():
    """Spec -> the peers' keys that mean it."""
    table = {}
    for window in (0, 1, 2, 4, 10, 20, 100):
        for curve in ("ROC", "PR"):
            low, title = curve.lower(), curve.title()
            vus = f"vus:get_metrics[metric=vus,slidingWindow={window}"
            table[f"vus_{low}(window={window})"] = [
                f"{vus}].VUS_{curve}",
                f"{vus},version=opt_mem].VUS_{curve}",
                f"vus:get_metrics[metric=all,slidingWindow={window}].VUS_{curve}",
                f"tsb_ad:generate_curve[slidingWindow={window}].VUS-{curve}",
                f"tsb_ad:get_metrics[slidingWindow={window}].VUS-{curve}",
                f"tsadmetrics:vus_{low}[window={window}]",
                f"tsad_eval:VUS_{curve}[max_window={window}].score",
            ]
            for count in (50, 2000):
                key = f"{vus},thre={count}].VUS_{curve}"
                table[f"vus_{low}(window={window}, thresholds={count})"] = [key]
            table[f"range_auc_{low}(window={window})"] = [
                f"vus:get_metrics[metric=range_auc,slidingWindow={window}].R_AUC_{curve}",
                f"vus:get_metrics[metric=all,slidingWindow={window}].R_AUC_{curve}",
            ]
            table[f'vus_{low}(window={window}, variant="aeon")'] = [
                f"aeon:range_{low}_vus_score[max_buffer_size={window}]",
                f"timeeval:Range{title}VUS[max_buffer_size={window},compatibility_mode=True]",
            ]
            table[f'range_auc_{low}(window={window}, variant="aeon")'] = [
                f"aeon:range_{low}_auc_score[buffer_size={window}]",
                f"timeeval:Range{title}AUC[buffer_size={window},compatibility_mode=True]",
            ]
    return table


def constant(case):
    return len(set(case["scores"])) == 1


def peer(cases, spec, keys):
    """The values that all keys agree on, and what they did where there is nothing to judge."""
    values, policy, used = {}, {}, set()
    for case in cases:
        for key in keys:
            theirs = answer(case, key)
            used |= set() if theirs is None else {key}
            if theirs is None or ("aeon" in spec and case["labels"] and constant(case)):
                continue
            if not case["labels"]:
                row = {"theirs": theirs, "ours": None, "reason": "there are no events"}
                policy.setdefault(case["id"], row)
            elif abs(values.setdefault(case["id"], theirs) - theirs) > SAME:
                raise ValueError(f"{keys[0]} and {key} do not agree on {case['id']}")
    return {"keys": sorted(used), "values": values, "policy": policy}


def differences(cases, table):
    """Values that are not ours, on purpose."""
    rows = []
    for window in (4, 20):
        for name, ours in (("Precision", "precision"), ("Recall", "recall"), ("F", "f1")):
            key = f"tsb_ad:metric_VUS_pred[windowSize={window}].VUS-{name}"
            theirs = {c["id"]: answer(c, key) for c in cases if c["labels"] and c["pred"]}
            spec = f"vus_{ours}(window={window})"
            kept = {name: value for name, value in theirs.items() if value is not None}
            rows.append({"key": key, "spec": spec, "why": PILED_UP, "theirs": kept})
    for spec, keys in table.items():
        for key in keys if "aeon" in spec else []:
            theirs = {c["id"]: answer(c, key) for c in cases if c["labels"] and constant(c)}
            kept = {name: value for name, value in theirs.items() if value is not None}
            if kept:
                rows.append({"key": key, "spec": spec, "why": CONSTANT, "theirs": kept})
    return rows


def main(folder):
    cases = [
        case
        for group in ("hand", "random", "large")
        for case in json.loads((folder / f"{group}.json").read_text(encoding="utf-8"))["cases"]
    ]
    table = specs()
    peers = {spec: peer(cases, spec, keys) for spec, keys in table.items()}
    golden = {
        "tolerance": SAME,
        "left_out": LEFT_OUT,
        "peers": {spec: row for spec, row in peers.items() if row["values"]},
        "differences": differences(cases, table),
    }
    text = layout(golden, 3)
    (HERE / "atlas_buffers.json").write_text(text + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python tests/golden/make_atlas_buffers.py FOLDER")
    main(Path(sys.argv[1]))
