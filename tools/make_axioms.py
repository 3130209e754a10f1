"""What docs/axioms.md shows on the site: the axioms with a counterexample each, and the matrix; its pictures.

`body` is called when the site is built. Run this for the pictures, after ``tools/make.py claims``, which makes the matrix and the sentences about ten metrics.
"""

import json
import math
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from PIL import Image

import adjudge as aj
from adjudge.lab.audit.audits import audit
from adjudge.lab.audit.axiom import NOISE, REWARD
from adjudge.lab.audit.axiom import ORDER as ORDERED
from adjudge.lab.audit.axiom_list import AXIOMS
from adjudge.lab.audit.result import LETTERS
from adjudge.lab.figures.axioms import axiom_figure
from adjudge.metrics.audit_results import ORDER, VERDICTS

PAGE = Path(__file__).parents[1] / "docs" / "axioms.md"
SENTENCES = Path(__file__).parents[1] / "docs" / "axiom_sentences.json"
REASONS = Path(__file__).parents[1] / "docs" / "axiom_reasons.json"
KNOWN = {
    *("f1", "precision", "recall", "mcc", "auc_roc", "auc_pr", "ap", "f1_pa", "f1_kpa", "f1_ba"),
    *("ap_ba", "event_f1", "composite_f1", "range_f1", "affiliation_f1", "delay_f1", "etapr_f1"),
    *("nab", "vus_roc", "vus_pr", "pate"),
}
"""What many papers report, for the picture at the top."""
QUESTION = {
    NOISE: "What a detector that does not see the labels may score.",
    ORDERED: "Whether the number moves the right way, and is always there.",
    REWARD: "What the metric pays for. A metric that breaks one of these may still be the right one for you.",
}
PROBLEMS = """## Problems

A function of your own is called in a process of its own, the worker (where the platform can fork one; on Windows it is called in the
same process and must at least return). What it does wrong is a finding of its own, in `Audit.problems`: *raises*,
*returns nan* (where something is found and something spared), *returns no number*, *out of range*, *prints*, *changes its
input*, *hangs*, *ends the process* (by `sys.exit`, a crash, a signal), *not deterministic*.

The worker has a time limit for each call and, on Linux, a memory limit: 1 GiB beyond what the audit has; a function that wants more *raises* `MemoryError`.
Two workers that hang or end are the last: the function is given up, and what is left has no value. When the audit is over the worker is killed, with the
processes that the function started, except those that left its process group (daemons).

This guards against accidents, not against malice, and it watches nothing else: the function runs with your rights. That it writes or removes files, starts processes, sends
signals (also to the audit) or uses the network is neither noticed nor prevented.
"""
TEN = """## Ten metrics, outcome by outcome

Every outcome of ten well-known metrics: what the audit found, in its own words, and why it is so.
"""
WHY = {
    "f1": "Points are counted one by one. Noise gains nothing, but an event of 600 points weighs thirty of 20, a false alarm of one point costs next to nothing, and a hit is worth no more early than late.",
    "f1_pa": "One alarm anywhere in an event counts for all of it, and a false one for its own points only: so scattered noise finds the events and pays little. Whatever asks about noise or about the price of an alarm fails for this one reason.",
    "f1_kpa": "A share of the event must be hit, which noise manages where its alarms are dense: it then scores more than an alarm everywhere (L1), and at Q about 0.3 more than one half (C-1). Few or clustered alarms gain nothing (C-1q, C-1r). The rest is as for `f1_pa`.",
    "f1_ba": "A false alarm stands for as many points as an event, so noise finds no more events than it pays for. Points still weigh, so long events do (L2); a single point decides about an event or an island, so it jumps (L3, L12); how much of an event is covered does not matter (L8-strict).",
    "event_f1": "Runs are counted, so one alarm over everything is a perfect detection of all events (L1, C-1), and a gap in a run makes two runs of one, which can help (C-2).",
    "composite_f1": "Events decide about recall and points about precision: noise finds the events, but pays for its points. A single false point costs next to nothing (C-3, L6).",
    "range_f1": "Each event and each run has a share of its own: coverage counts, and a false run costs the same whatever its length. Splitting a run changes its precision, which can help (C-2).",
    "affiliation_f1": "Distances are compared with those of random places, so noise has a chance level of its own, well above zero: an alarm everywhere scores 0.67. A false alarm near an event earns recall, so more of them can help (C-2).",
    "auc_roc": "Ranks of points alone: noise scores one half, always. Quiet time makes false alarms cheaper (L7, L11), and time plays no part.",
    "vus_pr": "Buffers around events make it continuous and forgiving at the borders. Their soft labels raise the share that counts as anomalous, so noise scores more than half where anomalies are dense.",
}
NO_VALUE = "it gave no value to decide by"
NONE = {
    "ucr": "It judges series of one event, and these have several.",
    "time_between_false_alarms": "Detectors without a false alarm have values without end, which cannot be compared.",
    "lead_time": "Alarms lie on the events here and none comes before its event in time.",
    "hellinger": "Flagged points share one score here, and a single value has no density.",
    "intersection_precision": "Two points of an event are too few to find it, and valid runs on events that are not found count neither way: 0/0.",
    "delay_precision": "Hits that come too late count as if they were not there, so nothing is flagged: 0/0.",
}
"""Why a metric has no value in an experiment."""
UNDECIDED = """## What is left undecided

Every `?` of the matrix below. Some metrics have no value in the experiment of an axiom, and no number of trials changes that:
"""
CLOSE = """Others lie so close to their bound that the trials which are named do not tell on which side. (What one pass over a metric leaves open gets another one
with more trials; the bounds of each pass hold with a chance of error of 1 %.)
"""
MATRIX = """## The matrix

`+` pass, `x` fail, `?` undecided, `-` not applicable, at default settings and without a limit of time. The tests hold this table and
the audit together in both directions. The same as [a picture](axioms_all.png).
"""


def late(labels, flags):
    """Reward late hits."""
    hits = np.flatnonzero(labels * flags)
    return float((hits / len(labels)).mean()) if hits.size else 0.0


def spiteful(labels, flags):
    """Punish a near miss more than a far one."""
    apart = np.subtract.outer(np.flatnonzero(flags > labels), np.flatnonzero(labels))
    return float(1 - 1 / np.abs(apart).min()) if apart.size else 1.0


def brittle(labels, flags):
    """Divide by the false alarms."""
    false = int((flags > labels).sum())
    return min(1.0, (labels * flags).sum() / false) if false else math.nan


EXAMPLES = {
    "C-1": "f1_pa",
    "C-1q": "f1_pa",
    "C-1r": "f1_pa",
    "C-1a": "f1",
    "C-1a-mixed": "f1_ba",
    "C-2": "event_f1",
    "C-2-population": "event_f1",
    "C-3": "f1",
    "L1": "event_f1",
    "L2": "f1",
    "L3": "f1_pa",
    "L4": late,
    "L4-strict": "f1",
    "L5": spiteful,
    "L5-strict": "f1",
    "L6": "f1",
    "L7": "mcc",
    "L8": 'f1_ba(islands="all")',
    "L8-strict": "f1_ba",
    "L9": brittle,
    "L10": "f1_ba(width=2)",
    "L11": "mcc",
    "L12": "f1_ba",
    "L13": "alert_ap",
}


def index():
    """List what the columns of the picture ask, each linked to its section."""
    lines = ["What the columns ask:", "", "| | |", "|:---|:---|"]
    for axiom in AXIOMS.values():
        anchor = (
            f"{axiom.name}: {axiom.title}".lower()
            .replace(":", "")
            .replace(",", "")
            .replace(" ", "-")
        )
        lines.append(f"| [{axiom.name}](#{anchor}) | {axiom.sentence} |")
    return "\n".join(lines)


def section(axiom):
    """Describe one axiom, with a metric that breaks it."""
    metric = EXAMPLES[axiom.name]
    found = audit(metric, [axiom.name])[axiom.name]
    kept = sum(signs[ORDER.index(axiom.name)] == "+" for signs in VERDICTS.values())
    if isinstance(metric, str):
        who = f"`{metric}`"
    else:
        who = f"A metric made for this page (`{metric.__doc__}`)"
    lines = [
        f"### {axiom.name}: {axiom.title}",
        "",
        f"*{axiom.sentence}*",
        "",
        f"- experiment: {axiom.experiment}",
        f"- rule: {axiom.rule}",
        f"- a counterexample: {axiom.broken}",
        f"- source: {axiom.source}",
        f"- kept by {kept} of {len(VERDICTS)} metrics",
        "",
        f"{who} breaks it: {found.sentence}.",
        "",
        "```",
        str(found.counterexample),
        "```",
    ]
    return "\n".join(lines)


def ten():
    """Lay out what was found of well-known metrics, axiom by axiom."""
    found, reasons = (json.loads(p.read_text(encoding="utf-8")) for p in (SENTENCES, REASONS))
    for name, why in WHY.items():
        yield f"### `{name}`\n\n{why}\n\n| axiom | outcome | what was found | why |\n|:---|:---|:---|:---|"
        for axiom in AXIOMS:
            outcome, sentence = found[name][axiom]
            yield f"| {axiom} | {outcome} | {sentence} | {reasons[name][axiom]} |"
        yield ""


def undecided():
    """List every question mark of the matrix, with what was found: nothing, or a value too close."""
    found = json.loads(SENTENCES.read_text(encoding="utf-8"))
    without, close = [], []
    for name in ordered():
        open_axioms = [a for a, sign in zip(ORDER, VERDICTS[name], strict=True) if sign == "?"]
        said = {axiom: found[name][axiom][1] for axiom in open_axioms}
        none = [axiom for axiom in said if said[axiom] == NO_VALUE]
        without += [f"- `{name}`: {', '.join(none)}. {NONE[name]}"] if none else []
        close += [f"- `{name}`, {a}: {said[a]}" for a in said if a not in none]
    return "\n".join([UNDECIDED, *without, "", CLOSE, *close]) + "\n"


def ordered():
    """Give the names of the catalogue, family by family."""
    groups = list(dict.fromkeys(row.group for row in aj.catalogue.values()))
    return sorted(VERDICTS, key=lambda name: groups.index(aj.catalogue[name].group))


def matrix():
    """Lay the claims out."""
    head = f"| metric | {' | '.join(ORDER)} |"
    rule = "|:---|" + ":---:|" * len(ORDER)
    rows = [f"| `{name}` | {' | '.join(VERDICTS[name])} |" for name in ordered()]
    return "\n".join([head, rule, *rows])


def sections():
    """Describe every axiom under its question."""
    for question, said in QUESTION.items():
        yield f"## {question[0].upper()}{question[1:]}\n\n{said}\n"
        for axiom in AXIOMS.values():
            if axiom.question == question:
                yield section(axiom) + "\n"


def body():
    """Write what is below the head of the page."""
    parts = [index(), "", *sections(), PROBLEMS, TEN, *ten(), undecided(), MATRIX, matrix()]
    return "\n".join(parts) + "\n"


def draw(names, target):
    """Draw the matrix of some metrics, in few colours, since pages load it."""
    words = {letter: outcome for outcome, letter in LETTERS.items()}
    outcomes = {
        name: dict(zip(ORDER, (words[sign] for sign in VERDICTS[name]), strict=True))
        for name in names
    }
    with TemporaryDirectory() as folder:
        picture, *_ = axiom_figure(Path(folder), outcomes)
        Image.open(picture).convert("RGB").quantize(32).save(target, optimize=True)


if __name__ == "__main__":
    draw([name for name in ordered() if name in KNOWN], PAGE.with_name("axioms.png"))
    draw(ordered(), PAGE.with_name("axioms_all.png"))
