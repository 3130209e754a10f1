"""Write docs/metrics.md and docs/metrics/ from the catalogue: run it after every change of a row.

The top of each page, down to the mark, is written by hand; what follows is generated, and so are the
pictures of what a group forgives.
"""

import math
import re
import sys
from pathlib import Path

import adjudge as aj
from adjudge.metrics.audit_results import TITLES
from adjudge.metrics.help_pages import setting_docs
from adjudge.metrics.reader import claims_in_order

sys.path.insert(0, str(Path(__file__).parent))
from forgiveness import picture
from formulas import FORMULAS, SETTINGS, both, example

HOME = Path(__file__).parent
MARK = "<!-- generated from here on by docs/make_metrics.py -->\n"
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


def slug(group):
    """Give the name of a group's page."""
    return group.replace("-", "_")


def sentence(words):
    """Begin with a capital letter, end with a full stop."""
    return f"{words[0].upper()}{words[1:]}."


def settings(row, said):
    """List the settings of a row; what a setting means is said once on a page."""
    described = {}
    for part in row.metric.parts:
        described |= setting_docs(part)
    lines, news = [], False
    for name, default in row.parameters.items():
        kind, text = described[name]
        new = text and said.get(name) != text
        said[name], news = text, news or new
        meaning = f" ({kind}): {' '.join(text.split())}" if new else ""
        lines.append(f"`{name}={default!r}`{meaning}")
    if news:
        return ["- settings:", *(f"  - {line}" for line in lines)]
    return [f"- settings, as above: {', '.join(lines)}" if lines else "- settings: none"]


def linked(claim):
    """A claim; an axiom leads to its page, on which it has a heading."""
    if claim not in TITLES:
        return claim
    heading = f"{claim}: {TITLES[claim]}".lower()
    anchor = re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")
    return f"[{claim}](../axioms.md#{anchor})"


def formula(row, said):
    """Write the formula of a row and its value, if the slow function beside it gives it too."""
    tex, words, _ = FORMULAS[row.name]
    slow, ours = both(row)
    if not math.isclose(slow, ours, rel_tol=1e-9, abs_tol=1e-12):
        raise SystemExit(f"the formula of {row.name} gives {slow}, the metric {ours}")
    how = ", ".join(f"{name}={value!r}" for name, value in SETTINGS.get(row.name, {}).items())
    settings = f" with `{how}`" if how else ""
    words, said[words] = ("the letters are as above" if words in said else words), True
    value = f"In the example{settings} it is {ours:.4g}."
    return [f"$$ {printed(tex)} $$", "", f"where {words}. {value}", ""]


def printed(tex):
    """Counts of points are words of two letters, not products."""
    return re.sub(r"(?<![A-Za-z])(TP|FP|FN|TN)(?![A-Za-z])", r"\\text{\1}", tex)


def example_part(rows):
    """Write the labels, flags and scores of which formulas give the value."""
    shown = {}
    for row in rows:
        labels, given, _, columns = example(row)
        names = [f" on {name}" for name in columns["channels"]] if columns else [""]
        for kind, table in (
            ("events", labels),
            ("flags" if row.needs == "flags" else "scores", given),
        ):
            if (columns or kind != "events" or row.name != "ucr") and kind not in shown:
                shown[kind] = list(
                    zip(names, zip(*table, strict=True) if columns else [table], strict=True)
                )
    marks = {"events": "#", "flags": "|"}
    lines = [
        f"{kind + name:16}" + "".join(marks[kind] if one else "." for one in column)
        if kind in marks
        else f"{kind + name:16}" + "".join(map(str, column))
        for kind, columns in shown.items()
        for name, column in columns
    ]
    more = " A score is one digit." * ("scores" in shown)
    alone = " `ucr` is of the first event alone." * any(row.name == "ucr" for row in rows)
    return [
        f"Each formula comes with its value in this example of 40 points, at default settings unless said otherwise.{more}{alone}\n",
        "```text",
        *lines,
        "```\n",
    ]


def section(row, before, said):
    """Describe one row; notes that the row before has too are not repeated."""
    lines = [
        f"### `{row.name}`: {row.title}",
        "",
        sentence(row.definition),
        "",
        *formula(row, said),
        f"- forgives: {row.forgives}",
        f"- undefined (NaN): {row.undefined}",
        f"- range: {row.range[0]} to {row.range[1]}, {row.better} is better",
        *settings(row, said),
        f"- keeps: {', '.join(map(linked, claims_in_order(row.claims)))}",
        f"- reference: {row.reference}",
    ]
    if row.notes and before and row.notes == before.notes:
        lines += ["", f"Notes and names elsewhere: as for `{before.name}`."]
    elif row.notes and "\n" not in row.notes:
        lines += ["", row.notes]
    elif row.notes:
        lines += ["", "```text", row.notes, "```"]
    return "\n".join([*lines, ""])


def group_part(group, rows):
    """Write the generated part of a group's page."""
    parts = [
        "## What it forgives\n",
        f"![ten ways to detect two events, with the values of {', '.join(PICTURES[group])}](forgives_{slug(group)}.svg)\n",
        "## The metrics one by one\n",
        *example_part(rows),
    ]
    before, said = None, {}
    for row in rows:
        parts.append(section(row, before, said))
        before = before if before and row.notes == before.notes else row
    return "\n".join(parts)


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
        "- `best(...)` around one of the metrics below counts anew at each threshold, and tries 250 of the distinct scores, evenly spaced by rank. "
        "The result says so; `best(..., thresholds=None)` tries all.",
        "",
        f":::{{dropdown}} The {len(counted)} metrics that are counted anew at each threshold",
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
        parts += [f"| `{row.name}` | {row.title} |" for row in rows]
        parts.append("")
    names = [f"metrics/{slug(group)}" for group in groups]
    return "\n".join([*parts, "```{toctree}", ":hidden:", "", *names, "```", ""])


def pages():
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


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text)
