"""Write what every metric gives on the golden cases, and what stands beside it, as hashes.

And what ``best(...)`` gives around it, on fewer cases, one of them without events.

    python tools/make.py revisions

revisions.json has a hash per metric, chance_lines.json one per null model and kind of metric. A
value that changes must raise the metric's ``revision``, a chance line that changes
`CHANCE_REVISION`, because stored results are kept by them. Run this after raising it, or after
adding a metric.
"""

import json
import math
from dataclasses import fields
from hashlib import sha256
from itertools import product
from pathlib import Path

import numpy as np

import adjudge as aj
from adjudge.noise.chance_line import CHANCE_REVISION, ChanceLine
from adjudge.noise.null_models import NULLS

HERE = Path(__file__).parent
CASES = ("h01", "h17", "h24", "h30", "h41", "h49", "h55", "h62", "r28")
DIGITS = 9


def golden(name):
    return json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))


def given(names=CASES):
    """Labels, flags and scores of a few cases of every shape."""
    cases, scores = golden("cases"), golden("scores")
    for name in names:
        row = cases[name]
        labels = np.zeros(row["n"], int)
        for start, stop in row["events"]:
            labels[start:stop] = 1
        own = np.array(scores[name]) / 1e6
        yield labels, (own >= row["threshold"]).astype(int), own


def value_hash(metric, inputs):
    """Hash the values of a metric: of flags, or of scores if it judges those or is an oracle."""
    digest = sha256()
    for labels, flags, scores in inputs:
        value = metric(labels, flags if metric.at_one_threshold else scores)
        digest.update(("nan" if math.isnan(value) else f"{value:.{DIGITS}g}").encode() + b" ")
    return digest.hexdigest()[:16]


def revisions():
    """Name -> [revision, hash] of the catalogue as it is."""
    inputs = list(given())
    labels, flags, scores = inputs[0]
    few = [*inputs[:2], (np.zeros_like(labels), flags, scores)]
    metrics = [row.metric for row in aj.catalogue.values()]
    found = {metric.name: [metric.revision, value_hash(metric, inputs)] for metric in metrics}
    oracles = [aj.best(metric) for metric in metrics if metric.at_one_threshold]
    return found | {str(best): [best.revision, value_hash(best, few)] for best in oracles}


QUICK, SLOW = ("h17", "r28"), ("h17",)
KINDS = {
    "points at a threshold": (QUICK, "f1", "f1_ba"),
    "events at a threshold": (QUICK, "event_f1"),
    "less is better": (SLOW, "detection_delay", "false_alarm_rate"),
    "the best threshold": (QUICK, "best(f1_ba)"),
    "areas": (QUICK, "auc_roc", "ap"),
    "areas that are read anew": (SLOW, "vus_pr"),
    "no rows to draw again": (SLOW, "hausdorff_distance"),
}
"""Cases and metrics, by the way in which intervals and p-values are found."""
WAYS = {"every shift": {}, "19 shifts": {"shifts": 19, "seed": 3}}
LINE_DIGITS = 6


def chance_lines():
    """The revision of chance lines, and a hash for each null model, kind of metric and way."""
    found = {"revision": CHANCE_REVISION}
    of_points = [null for null in NULLS if null != "renamed"]  # which is of several channels
    for null, kind, way in product(of_points, KINDS, WAYS):
        if KINDS[kind][0] == QUICK or way != "every shift":
            period = {"period": 3} if NULLS[null].takes_period else {}
            found[f"{null}, {kind}, {way}"] = line_hash(kind, null=null, **period, **WAYS[way])
    return found


def line_hash(kind, **how):
    """Hash the chance lines of a kind of metric."""
    cases, *specs = KINDS[kind]
    digest = sha256()
    for spec, (labels, flags, scores) in product(specs, given(cases)):
        own = flags if aj.metric(spec).at_one_threshold else scores
        if how["null"] == "aligned":  # events go to the other half
            how["series"] = np.arange(labels.size) // (labels.size // 2 + 1)
        (row,) = aj.evaluate(labels, own, spec, **how).rows
        said = (
            _said(getattr(row, item.name)) for item in fields(ChanceLine) if item.name != "assumes"
        )  # words, which no stored row holds
        digest.update(" ".join(said).encode() + b"\n")
    return digest.hexdigest()[:16]


def _said(value):
    return f"{value:.{LINE_DIGITS}g}" if isinstance(value, float) else str(value)


def written(found):
    lines = (f"{json.dumps(key)}: {json.dumps(said)}" for key, said in found.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def made():
    """The text of both files by their paths."""
    return {
        HERE / "revisions.json": written(dict(sorted(revisions().items()))),
        HERE / "chance_lines.json": written(chance_lines()),
    }
