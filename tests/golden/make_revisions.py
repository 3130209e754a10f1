"""Write revisions.json: what each metric of the catalogue gives on the golden cases, as a hash.

    python tests/golden/make_revisions.py

A value that changes must raise the metric's ``revision``, because stored results are kept by it.
Run this after raising it, or after adding a metric.
"""

import json
import math
from hashlib import sha256
from pathlib import Path

import numpy as np

import adjudge as aj

HERE = Path(__file__).parent
CASES = ("h01", "h17", "h24", "h30", "h41", "h49", "h55", "h62", "r28")
DIGITS = 9


def golden(name):
    return json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))


def given():
    """Labels, flags and scores of a few cases of every shape."""
    cases, scores = golden("cases"), golden("scores")
    for name in CASES:
        row = cases[name]
        labels = np.zeros(row["n"], int)
        for start, stop in row["events"]:
            labels[start:stop] = 1
        own = np.array(scores[name]) / 1e6
        yield labels, (own >= row["threshold"]).astype(int), own


def value_hash(row, inputs):
    """Hash the values of a metric at its default settings."""
    digest = sha256()
    for labels, flags, scores in inputs:
        value = row.metric(labels, flags if row.needs == "flags" else scores)
        digest.update(("nan" if math.isnan(value) else f"{value:.{DIGITS}g}").encode() + b" ")
    return digest.hexdigest()[:16]


def revisions():
    """Name -> [revision, hash] of the catalogue as it is."""
    inputs = list(given())
    return {name: [row.revision, value_hash(row, inputs)] for name, row in aj.catalogue.items()}


if __name__ == "__main__":
    found = revisions()
    lines = (f"{json.dumps(name)}: {json.dumps(said)}" for name, said in sorted(found.items()))
    (HERE / "revisions.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
