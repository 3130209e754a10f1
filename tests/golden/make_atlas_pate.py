"""Rewrite atlas_pate.json from a folder of collected vectors; read make_golden.py first.

usage: python tests/golden/make_atlas_pate.py FOLDER

The format is that of peers.json. Inputs of the cases stand in cases.json and scores.json. What is
not compared stands under "left_out", with the reason.
"""

import json
import sys
from pathlib import Path

from make_golden import answer, layout

HERE = Path(__file__).parent
SIZES = ((0, 0), (100, 100), (20, 20), (3, 10), (5, 5))
LEFT_OUT = {
    "pate:PATE[e=20,d=20,include_zero=False]": "Leaves buffers of size 0 out of the grid; there is "
    "no such setting here.",
    "pate:PATE[e=5,d=5,Big_Data=False]": "Every threshold at which an event point is, or is about "
    "to be, flagged; here it is a number of percentiles of these, or every score.",
}


def specs():
    """Peer key -> the spec that means the same here."""
    table = {}
    for e, d in SIZES:
        table[f"pate:PATE[e={e},d={d}]"] = f"pate(early={e}, delay={d})"
        table[f"pate:PATE_F1[e={e},d={d}]"] = f"pate_f1(early={e}, delay={d})"
    for e, d in ((20, 20), (3, 10), (5, 5)):
        table[f"tsadmetrics:pate[early={e},delay={d}]"] = f"pate(early={e}, delay={d})"
        table[f"tsadmetrics:pate_f1[early={e},delay={d}]"] = f"pate_f1(early={e}, delay={d})"
    table["pate:PATE[e=5,d=5,exact]"] = "pate(early=5, delay=5, thresholds=None)"
    for name, ours in (("PATE", "pate"), ("PATE_F1", "pate_f1")):
        table[f"pate:{name}[e=20,d=20,splits=2]"] = f"{ours}(early=20, delay=20, splits=2)"
    return table


def undefined(spec, case):
    """Why the value is undefined here, if it is."""
    if case["labels"]:
        return None
    if not spec.startswith("pate_f1"):
        return "there are no events"
    return None if case["pred"] else "there are neither events nor flags"


def peer(cases, key, spec):
    values, policy = {}, {}
    for case in cases:
        theirs, why = answer(case, key), undefined(spec, case)
        if theirs is not None and why is not None:
            policy[case["id"]] = {"theirs": theirs, "ours": None, "reason": why}
        elif theirs is not None:
            values[case["id"]] = theirs
    kind = "flags" if spec.startswith("pate_f1") else "scores"
    return {"spec": spec, "input": kind, "tolerance": 1e-9, "values": values, "policy": policy}


def main(folder):
    cases = [
        case
        for group in ("hand", "random", "large")
        for case in json.loads((folder / f"{group}.json").read_text(encoding="utf-8"))["cases"]
    ]
    golden = {
        "peers": {key: peer(cases, key, spec) for key, spec in specs().items()},
        "left_out": LEFT_OUT,
    }
    text = layout(golden, 4)
    (HERE / "atlas_pate.json").write_text(text + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python tests/golden/make_atlas_pate.py FOLDER")
    main(Path(sys.argv[1]))
