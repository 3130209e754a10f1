"""Rewrite separation.json from a folder of collected vectors; read make_golden.py first.

usage: python tests/golden/make_separation.py FOLDER

Labels and scores of the cases stand in cases.json and scores.json. Where our policy for undefined
values decides, the peer's number is set aside with the reason.
"""

import json
import sys
from pathlib import Path

HERE = Path(__file__).parent
KEY = "ref:separation_metric[hellinger]"


def reason(case):
    """Why the index is undefined here, if it is."""
    if not case["labels"]:
        return "there are no events"
    if len(set(case["scores"])) == 1:
        return "all scores are the same"
    return None


def main(folder):
    cases = [
        case
        for group in ("hand", "random", "large")
        for case in json.loads((folder / f"{group}.json").read_text(encoding="utf-8"))["cases"]
    ]
    answers = {case["id"]: (float(case["results"][KEY]), reason(case)) for case in cases}
    golden = {
        "key": KEY,
        "tolerance": 1e-6,  # the peer takes 0.707107 for the square root of a half
        "values": {name: theirs for name, (theirs, why) in answers.items() if why is None},
        "policy": {
            name: {"theirs": theirs, "ours": None, "reason": why}
            for name, (theirs, why) in answers.items()
            if why is not None
        },
    }
    text = json.dumps(golden, indent=1, sort_keys=True)
    (HERE / "separation.json").write_text(text + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python tests/golden/make_separation.py FOLDER")
    main(Path(sys.argv[1]))
