"""Rewrite atlas_ranking.json from a folder of collected vectors; read make_golden.py first.

usage: python tests/golden/make_atlas_ranking.py FOLDER

The format is that of peers.json, with one part more: "differences" holds, per peer key, the values
that are not ours on purpose, and why. Inputs of the cases stand in cases.json and scores.json.
"""

import json
import sys
from pathlib import Path

from make_golden import answer, layout

HERE = Path(__file__).parent
SPECS = {
    "tsadmetrics:pak[]": "precision_at_k",
    "tsad_eval:PatK_pw[].score": "precision_at_k",
    "aeon:f_score_at_k_points[]": "f1_at_k",
    "aeon:f_score_at_k_ranges[]": "event_f1_at_k",
    "timeeval:PrecisionAtK[]": "event_precision_at_k",
    "timeeval:FScoreAtK[]": "event_f1_at_k",
    "sklearn:accuracy_score[]": "accuracy",
    "tsadmetrics:dicec[]": "dice",
    "tsadmetrics:adc[]": "adc",
    "tsadmetrics:add[]": "add",
    **{
        f"tsadmetrics:{name}[k={k}]": f"{name}(tolerance={k})"
        for name in ("tdir", "dair", "wdd")
        for k in (2, 5)
    },
}
UNTRIED = "The highest score is never tried as a threshold, though it flags enough runs."
CONSTANT = "A constant score is called 0, whatever share of it is right."
CUT = "The window of a point nearer to the start than k is cut to nothing."
DIFFERENCES = {
    "timeeval:PrecisionAtK[]": dict.fromkeys(("h10", "h11", "h13", "h30", "h31"), UNTRIED),
    "timeeval:FScoreAtK[]": dict.fromkeys(("h10", "h11", "h13", "h30", "h31"), UNTRIED),
    "aeon:f_score_at_k_points[]": dict.fromkeys(("h55", "h56"), CONSTANT),
    "tsadmetrics:tdir[k=2]": {"h11": CUT},
    "tsadmetrics:tdir[k=5]": {"h10": CUT, "h11": CUT},
}
ON_SCORES = {"precision_at_k", "f1_at_k", "event_precision_at_k", "event_f1_at_k"}


def runs(inside):
    return sum(now and not before for before, now in zip([False, *inside], inside, strict=False))


def undefined(spec, case):
    """Why the value is undefined here, if it is."""
    name = spec.partition("(")[0]
    scores, events = case["scores"], case["labels"]
    if name in ON_SCORES and not events:
        return "there are no events"
    if name.startswith("event_") and name in ON_SCORES:
        most = max(runs([s >= level for s in scores]) for level in set(scores))
        return "no threshold flags so many runs" if most < len(events) else None
    if name in {"adc", "tdir"} and not events:
        return "there are no events"
    if name == "dice" and not events and not case["pred"]:
        return "there are neither events nor flags"
    hit = any(a < stop and start < b for start, stop in events for a, b in case["pred"])
    if name == "add" and not hit:
        return "no event is hit"
    return "there are no flags" if name == "dair" and not case["pred"] else None


def peer(cases, key, spec):
    values, policy, different = {}, {}, {}
    for case in cases:
        theirs, why = answer(case, key), undefined(spec, case)
        on_purpose = DIFFERENCES.get(key, {}).get(case["id"])
        if theirs is None:
            continue
        if why is not None:
            policy[case["id"]] = {"theirs": theirs, "ours": None, "reason": why}
        elif on_purpose is not None:
            different[case["id"]] = {"theirs": theirs, "why": on_purpose}
        else:
            values[case["id"]] = theirs
    kind = "scores" if spec in ON_SCORES else "flags"
    return {
        "spec": spec, "input": kind, "tolerance": 1e-9,
        "values": values, "policy": policy, "differences": different,
    }  # fmt: skip


def main(folder):
    cases = [
        case
        for group in ("hand", "random", "large")
        for case in json.loads((folder / f"{group}.json").read_text(encoding="utf-8"))["cases"]
    ]
    text = layout({key: peer(cases, key, spec) for key, spec in SPECS.items()}, 3)
    (HERE / "atlas_ranking.json").write_text(text + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python tests/golden/make_atlas_ranking.py FOLDER")
    main(Path(sys.argv[1]))
