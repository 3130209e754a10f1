"""Rewrite atlas_affiliation.json from a folder of collected vectors; read make_golden.py first.

usage: python tests/golden/make_atlas_affiliation.py FOLDER

Labels and flags of the cases stand in cases.json. Where our policy for undefined values decides,
what the peer did is set aside with the reason. Where we differ on purpose, our value is computed
here from the precision and recall that the authors' own code returns.
"""

import json
import sys
from pathlib import Path

from make_golden import answer, layout

HERE = Path(__file__).parent
PRECISION, RECALL = (f"affiliation:pr_from_events.{side}" for side in ("precision", "recall"))
SPECS = {
    PRECISION: "affiliation_precision",
    RECALL: "affiliation_recall",
    "tsad_eval:Affiliation[].p": "affiliation_precision",
    "tsad_eval:Affiliation[].r": "affiliation_recall",
    "tsad_eval:Affiliation[].score": "affiliation_f1",
    "tsb_ad:Affiliation-F[pred]": "affiliation_f1",
    "tsadmetrics:aff_f[beta=1.0]": "affiliation_f1",
    "tsadmetrics:naff_f[alpha=0.0,beta=1.0]": "affiliation_f1",
    "tsadmetrics:naff_f[alpha=0.5,beta=1.0]": 'affiliation_f1_corrected(chance="half")',
}
SIGNED = "tsadmetrics:naff_f[alpha=0.5,beta=1.0]"
WHY = (
    "The harmonic mean divides by P' + R with the sign of P', which may vanish or turn; here it "
    "divides by |P'| + R."
)
HOW = "-2|P'|R / (|P'| + R) with P' = 2P - 1, and P and R of affiliation:pr_from_events"


def settled_by_policy(spec, case):
    """(our value, reason) where events and flags alone decide it; None where they do not."""
    events, flags = case["labels"], case["pred"]
    if not events and not flags:
        return None, "there are neither events nor flags"
    if not events:
        return (None if "recall" in spec else 0.0), "there are flags but no events"
    if not flags:
        return (None if "precision" in spec else 0.0), "there are events but no flags"
    return None


def below_chance(case):
    """The signed score where precision is below one half; None elsewhere."""
    p, r = answer(case, PRECISION), answer(case, RECALL)
    if not isinstance(p, float) or p >= 0.5:
        return None
    size = 1 - 2 * p
    return -2 * size * r / (size + r)


def peer(cases, key, spec):
    values, policy = {}, {}
    for case in cases:
        theirs, settled = answer(case, key), settled_by_policy(spec, case)
        if key == SIGNED and below_chance(case) is not None:
            continue
        if isinstance(theirs, float) and (settled is None or settled[0] == theirs):
            values[case["id"]] = theirs
        elif theirs is not None and settled is not None:
            ours, reason = settled
            policy[case["id"]] = {"theirs": theirs, "ours": ours, "reason": reason}
    return {"spec": spec, "values": values, "policy": policy}


def main(folder):
    cases = [
        case
        for group in ("hand", "random", "large")
        for case in json.loads((folder / f"{group}.json").read_text(encoding="utf-8"))["cases"]
    ]
    signed = {
        case["id"]: {"theirs": answer(case, SIGNED), "ours": below_chance(case)}
        for case in cases
        if case["labels"] and case["pred"] and below_chance(case) is not None
    }
    golden = {
        "tolerance": 1e-9,
        "peers": {key: peer(cases, key, spec) for key, spec in SPECS.items()},
        "differences": [
            {"key": SIGNED, "spec": SPECS[SIGNED], "why": WHY, "how": HOW, "cases": signed}
        ],
    }
    text = layout(golden, 4)
    (HERE / "atlas_affiliation.json").write_text(text + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python tests/golden/make_atlas_affiliation.py FOLDER")
    main(Path(sys.argv[1]))
