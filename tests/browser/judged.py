"""What CPython and Python in WebAssembly must agree on; both run this file."""

import json
import sys
from pathlib import Path

import numpy as np

import adjudge as aj

METRICS = ("auc_roc", "ap", "vus_pr", "f1", "f1_pa", "f1_ba", "event_f1", "affiliation_f1")
"""A few of every kind on the pump: each has a chance line and an interval."""


def judged(cases, pump):
    """Every metric on every case, and on the pump what `evaluate` and `compare` find."""
    found = {}
    for place, (labels, flags, scores) in enumerate(cases):
        for row in aj.catalogue.values():
            given = flags if row.metric.at_one_threshold else scores
            found[f"{row.name} {place}"] = float(row.metric(np.array(labels), np.array(given)))
    labels, scores = (np.array(column) for column in pump)
    later = np.roll(scores, 3)
    found |= numbers("evaluate", aj.evaluate(labels, scores, METRICS, at=0.7).to_dict())
    found |= numbers("compare", aj.compare(labels, scores, later, "f1_ba", at=0.7).to_dict())
    return found


def numbers(name, value):
    """Every number in what a result is made of, by where it is."""
    if isinstance(value, dict):
        pairs = value.items()
    elif isinstance(value, (list, tuple)):
        pairs = enumerate(value)
    else:
        return {name: float(value)} if isinstance(value, (int, float)) else {}
    return {
        key: one for own, below in pairs for key, one in numbers(f"{name} {own}", below).items()
    }


if __name__ == "__main__":
    with Path(sys.argv[1]).open(encoding="utf-8") as given:
        sys.stdout.write(json.dumps(judged(**json.load(given))) + "\n")
