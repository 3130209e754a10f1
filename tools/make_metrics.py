"""Write docs/metrics.md and docs/metrics/ from the catalogue: run it after every change of a row.

The top of each page, down to the mark, is written by hand; what follows is generated, and so are the
pictures of what a group forgives.
"""

import sys
from pathlib import Path

import adjudge as aj

sys.path.insert(0, str(Path(__file__).parent))
from forgiveness import picture
from metric_pages import sentence

HOME = Path(__file__).parents[1] / "docs"
MARK = "<!-- generated from here on by tools/make.py metrics -->\n"
PICTURES = {  # what is drawn of each group
    "points": ["f1", "mcc", "balanced_accuracy", "accuracy"],
    "areas": ["auc_roc", "ap", "ap_ba", "vus_pr(window=8)"],
    "point-adjusted": ["f1_pa", "precision_pa", "recall_pa"],
    "coverage-adjusted": ["f1_kpa(k=0.2)", "f1_kpa(k=0.5)", "f1_kpa_area"],
    "balanced": ["f1_ba", "f1_ba(margin=2)", "precision_ba", "recall_ba"],
    "events": ["event_f1", "segment_f1", "composite_f1", "overlap_f1"],
    "ranges": ["range_f1", "ts_f1", "tapr_f1", "etapr_f1"],
    "affiliation": ["affiliation_f1", "affiliation_precision", "affiliation_recall"],
    "timing": ["delay_f1(k=3)", "latency_f1", "tolerant_f1", "nab"],
    "changes": ["change_f1(margin=2)", "regime_f1", "regime_ari", "warning_f1(max_lead=4)"],
    "buffers": ["vus_f1(window=8)", "pate_f1(early=4, delay=4)"],
    "channels": ["channel_f1", "channel_precision", "channel_recall"],
    "ranking": ["precision_at_k", "event_f1_at_k", "froc(per=60)"],
}

BELOW = {  # how the list of pages shows the groups
    "balanced": ["point-adjusted", "coverage-adjusted"],
    "points": ["areas", "ranking"],
    "events": ["ranges", "affiliation"],
    "timing": ["buffers", "changes"],
    "channels": [],
}


def hidden_tree(names):
    """List pages below a page; the site shows them at its left."""
    return ["```{toctree}", ":hidden:", "", *names, "```", ""] if names else []


def slug(group):
    """Give the name of a group's page."""
    return group.replace("-", "_")


def linked(row, folder=""):
    """Lead to the page of a metric, which is on the site only."""
    return f"{{doc}}`{row.name} <{folder}{row.name}>`"


def group_part(group, rows):
    """Write the generated part of a group's page."""
    parts = [
        "## What it forgives\n",
        f"![ten ways to detect two events, with the values of {', '.join(PICTURES[group])}](forgives_{slug(group)}.svg)\n",
        "## The metrics one by one\n",
        "Each has a page on the site; `adjudge show NAME` prints the same in a terminal.\n",
        "| name | what it is | forgives |",
        "|:---|:---|:---|",
        *(f"| {linked(row)} | {sentence(row.definition)} | {row.forgives} |" for row in rows),
        "",
    ]
    return "\n".join([*parts, *hidden_tree([slug(name) for name in BELOW.get(group, ())])])


def thresholds_part(rows):
    """Write which metrics do not take every threshold, as the catalogue has them."""
    areas = [row.name for row in rows if row.every_threshold]
    counted = [row.name for row in rows if row.needs == "flags" and not row.metric.sweeps]
    listed = [", ".join(f"`{name}`" for name in names) for names in (areas, counted)]
    return [
        "## Which thresholds are tried",
        "",
        "Areas and `best(...)` take every distinct score as a threshold, from one sort, and are exact. These are not, unless you ask:",
        "",
        f"- {listed[0]} take 250 thresholds, as published. `thresholds=None` takes every one and is exact, for 1 to 6 times the time where events are rare; "
        "`evaluate` gives that value too where it differs by more than 1 %.",
        f"- `dqe` takes {aj.catalogue['dqe'].parameters['thresholds']} thresholds, evenly spaced between the lowest and the highest score, as published. "
        "`thresholds=None` is the exact integral.",
        "- `best(...)` around one of the metrics below recounts at each threshold, and tries 250 of the distinct scores, evenly spaced by rank. "
        "The result says so; `best(..., thresholds=None)` tries all.",
        "",
        f":::{{dropdown}} The {len(counted)} metrics that are recounted at each threshold",
        listed[1],
        ":::",
        "",
    ]


def overview_part(groups):
    """Write the table of all metrics, group by group."""
    every = [row for rows in groups.values() for row in rows]
    parts = [*thresholds_part(every), "## All metrics\n"]
    for group, rows in groups.items():
        parts += [
            f"### [{sentence(group)[:-1]}](metrics/{slug(group)}.md)\n",
            "| name | what it is |",
            "|:---|:---|",
        ]
        parts += [f"| {linked(row, 'metrics/')} | {row.title} |" for row in rows]
        parts.append("")
    top = [f"metrics/{slug(group)}" for group in BELOW]
    return "\n".join([*parts, *hidden_tree([*top, "crosswalk"])])


def made():
    """Give the text of every page and picture by its path."""
    groups = {}
    for row in aj.catalogue.values():
        groups.setdefault(row.group, []).append(row)
    made = {HOME / "metrics.md": overview_part(groups)}
    for group, rows in groups.items():
        made[HOME / "metrics" / f"{slug(group)}.md"] = group_part(group, rows)
    whole = {
        path: path.read_text().partition(MARK)[0] + MARK + "\n" + text
        for path, text in made.items()
    }
    for group in groups:
        whole[HOME / "metrics" / f"forgives_{slug(group)}.svg"] = picture(PICTURES[group])
    return whole
