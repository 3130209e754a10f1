"""Rewrite atlas.json and differences.json from a folder of collected vectors.

STOP: this is not part of the test run, and nobody needs it to develop or to release the library.
Run it ONLY when you maintain the golden data AND the collected vectors, or the table of which spec
means what (crosswalk.py), have changed, then read the difference line by line before you keep it.
NEVER run it to make a failing test pass: the numbers were returned by other people's programs, so
a test that fails means that the library has changed.

usage: python tests/golden/make_atlas.py FOLDER

FOLDER holds hand.json, random.json and large.json, as for make_golden.py, whose files are read
here: run that first. Every key of every case must be accounted for: equal, settled by our policy
for undefined values, different for a reason, or left out for a reason; else it refuses. This
library is never asked: where a value differs on purpose, ours is that of another public program
or of the slow twins beside this folder. The same FOLDER always gives the same bytes.
"""

import json
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from crosswalk import LEFT_OUT, PACKAGES, RATIOS, TABLE, found, left_out  # noqa: E402
from make_golden import ADJUSTED, answer, layout, specs  # noqa: E402
from reasons import difference, read  # noqa: E402

SAME, DECIMALS = 2e-12, 12


def given(case, key):
    """What the peer gave, or the ratio of its counts."""
    for ratio in RATIOS.values():
        if key.endswith(ratio):
            parts = [
                answer(case, key.removesuffix(ratio) + part) for part in ratio[4:-1].split("+")
            ]
            if not all(isinstance(part, float) for part in parts):
                return parts[0]
            return parts[0] / sum(parts) if sum(parts) else "NaN"
    return answer(case, key)


# --- our policy for undefined values ------------------------------------------------------------


def runs(inside):
    return sum(now and not before for before, now in zip([False, *inside], inside, strict=False))


def too_few_runs(case):
    levels = set(case["scores"])
    most = max(runs([s >= level for s in case["scores"]]) for level in levels)
    return most < len(case["labels"])


def touched(case):
    return any(a < stop and start < b for start, stop in case["labels"] for a, b in case["pred"])


def apply_policy(row, case):
    """(our value, reason) where events and flags alone decide it; None where they do not."""
    name, given = read(row.spec)
    flags = bool(case["pred"])
    if "at" in given:
        flags = any(score > given["at"] for score in case["scores"])
    elif row.input == "scores":
        return settled_for_scores(name, case)
    if name in {"accuracy", "wdd", "temporal_distance"}:
        return None
    if name in {"detection_delay", "add"}:
        return None if touched(case) else (None, "no event is found")
    if name in {"adc", "tdir", "nab", "early_detection"}:
        return None if case["labels"] else (None, "there are no events")
    return settled_for_rates(name, bool(case["labels"]), flags)


def settled_for_rates(name, events, flags):
    if not events and not flags:
        return None, "there are neither events nor flags"
    if not events:
        return (None if "recall" in name else 0.0), "there are flags but no events"
    if not flags:
        undefined = "precision" in name or name == "dair"
        return (None if undefined else 0.0), "there are events but no flags"
    return None


def settled_for_scores(name, case):
    if not case["labels"]:
        return None, "there are no events"
    if name in {"event_precision_at_k", "event_f1_at_k"} and too_few_runs(case):
        return None, "no threshold flags so many runs"
    return None


# --- the files ----------------------------------------------------------------------------------


def sorted_out(cases, key, row, elsewhere):
    """Part the answers of a peer: equal to ours, settled by policy, different for a reason."""
    values, policy, other = {}, {}, {}
    for case in cases:
        theirs = given(case, key)
        if theirs is None or case["id"] in elsewhere:
            continue
        policed = apply_policy(row, case)
        if key.endswith(RATIOS["precision"]) and theirs == "NaN":
            policed = None, "no alarm is left"
        if policed is not None and policed[0] != theirs:
            policy.setdefault((policed[1], policed[0]), []).append(case["id"])
            continue
        because = None if policed else difference(key, row, case)
        if because and not close(because[1], theirs, row.tolerance):
            other.setdefault(because[0], {})[case["id"]] = {"theirs": theirs, "ours": because[1]}
        elif isinstance(theirs, float):
            values[case["id"]] = round(theirs, DECIMALS)
        else:
            raise ValueError(f"{key} gives {theirs} on {case['id']}, and nothing says why")
    return values, policy, other


def close(ours, theirs, tolerance):
    numbers = isinstance(ours, float) and isinstance(theirs, float)
    return numbers and abs(ours - theirs) <= tolerance * max(1, abs(theirs))


def join(peers, row, key, values, policy):
    """Put a peer beside one that means the same and says the same, or on its own."""
    counts = {"equal": len(values), "policy": sum(map(len, policy.values()))}
    asked = {"family": row.family, "spec": row.spec, "input": row.input, "tolerance": row.tolerance}
    for peer in peers:
        shared = values.keys() & peer["values"].keys()
        agrees = all(abs(values[case] - peer["values"][case]) <= SAME for case in shared)
        if agrees and shared and all(peer[field] == asked[field] for field in asked):
            break
    else:
        peer = asked | {"keys": {}, "values": {}, "policy": {}}
        peers.append(peer)
    peer["keys"][key] = counts
    peer["values"] = values | peer["values"]
    for (reason, ours), names in policy.items():
        entry = peer["policy"].setdefault(reason, {"ours": ours, "cases": []})
        entry["cases"] = sorted({*entry["cases"], *names})


def asked_keys(cases):
    """Every key with an answer, ratios of counts, and what raised on every case."""
    answered = {key for case in cases for key in case["results"]}
    raised = {key for case in cases for key in case["errors"]}
    wholes = {key.rpartition(".")[0] for key in answered}
    counted = [key for key in answered if key.startswith("tsad_eval:") and key.endswith(".tp")]
    ratios = {key.removesuffix("tp") + ratio for key in counted for ratio in RATIOS.values()}
    return sorted(answered | ratios | (raised - wholes))


def omitted(keys):
    """Reason -> pattern -> how many keys it leaves out; refuse a pattern that leaves none out."""
    reasons = [left_out(key) for key in keys if left_out(key)]
    table = {
        why: {pattern: reasons.count((why, pattern)) for pattern in patterns}
        for why, patterns in LEFT_OUT.items()
    }
    if not all(count for group in table.values() for count in group.values()):
        raise ValueError(f"a pattern leaves nothing out: {table}")
    return table


def main(folder):
    cases = [
        case
        for group in ("hand", "random", "large")
        for case in json.loads((folder / f"{group}.json").read_text(encoding="utf-8"))["cases"]
    ]
    groups = json.loads((HERE / "disagreements.json").read_text(encoding="utf-8"))
    disagreements = {(group["key"], group["spec"]): group["cases"] for group in groups}
    keys = asked_keys(cases)
    in_peers = specs().keys() | ADJUSTED.keys()
    unknown = [k for k in keys if k not in in_peers and not found(k) and not left_out(k)]
    if unknown:
        raise ValueError(f"nothing is said about {unknown}")
    peers, differences = [], []
    for row, key in in_order(keys, in_peers):
        elsewhere = disagreements.get((key, row.spec), {})
        values, policy, other = sorted_out(cases, key, row, elsewhere)
        join(peers, row, key, values, policy)
        differences += [
            {"family": row.family, "key": key, "spec": row.spec, "input": row.input, "why": why,
             "tolerance": row.tolerance, "cases": pairs}
            for why, pairs in other.items()
        ]  # fmt: skip
    atlas = {"packages": PACKAGES, "peers": peers, "left_out": omitted(set(keys) - in_peers)}
    for name, golden, depth in (("atlas", atlas, 3), ("differences", differences, 2)):
        text = layout(golden, depth)
        (HERE / f"{name}.json").write_text(text + "\n", encoding="utf-8", newline="\n")


def in_order(keys, but):
    """(row, key) in the order of the crosswalk."""
    order = {row.pattern: place for place, row in enumerate(TABLE)}
    pairs = [(found(key), key) for key in keys if key not in but and found(key)]
    return sorted(pairs, key=lambda pair: (order[pair[0].pattern], pair[0].spec, pair[1]))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python tests/golden/make_atlas.py FOLDER")
    main(Path(sys.argv[1]))
