"""Rewrite atlas_timing.json from a folder of collected vectors; read make_golden.py first.

usage: python tests/golden/make_atlas_timing.py FOLDER

Labels and flags of the cases stand in cases.json. Where our policy for undefined values decides,
what the peer did is set aside with the reason. Where we differ on purpose, our value is
that of another peer, which is named.
"""

import json
import sys
from pathlib import Path

from make_golden import answer, layout

HERE = Path(__file__).parent
LATENCY = "tadmetric:evaluate[mode=point-adjusted].latency"
WIDENED = "tsadmetrics:nab_score[]"
SPECS = {
    "tsad_eval:Temporal_Distance[].score": "temporal_distance",
    "tsadmetrics:td[distance=0]": "temporal_distance",
    "tsad_eval:NAB_score[].score": "nab",
    WIDENED: "nab",
    LATENCY: "detection_delay",
}
MTTD = "tsadmetrics:mttd[]"
WHY = (
    "It takes the next flag anywhere after the start of an event, even behind its end, and missed "
    "events count as found at once."
)


def settled_by_policy(spec, case):
    """(our value, reason) where it is not a matter of the peer's number; None where it is."""
    if spec == "nab" and not case["labels"]:
        return None, "there are no events"
    if spec == "nab" and answer(case, "tsad_eval:NAB_score[].score") == "NaN":
        return answer(case, WIDENED), "there is a window of one point; ours is the other peer's"
    if spec == "detection_delay" and answer(case, LATENCY) == "None":
        return None, "no event is found"
    return None


def peer(cases, key, spec):
    values, policy = {}, {}
    for case in cases:
        theirs, settled = answer(case, key), settled_by_policy(spec, case)
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
    pairs = {case["id"]: (answer(case, MTTD), answer(case, LATENCY)) for case in cases}
    delays = {
        name: {"theirs": theirs, "ours": ours}
        for name, (theirs, ours) in pairs.items()
        if isinstance(ours, float) and isinstance(theirs, float) and abs(theirs - ours) > 1e-3
    }
    how = f"the value of {LATENCY}"
    golden = {
        "tolerance": 1e-9,
        "peers": {key: peer(cases, key, spec) for key, spec in SPECS.items()},
        "differences": [
            {"key": MTTD, "spec": "detection_delay", "why": WHY, "how": how, "cases": delays}
        ],
    }
    text = layout(golden, 4)
    (HERE / "atlas_timing.json").write_text(text + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python tests/golden/make_atlas_timing.py FOLDER")
    main(Path(sys.argv[1]))
