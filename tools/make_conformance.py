"""What docs/conformance.md shows on the site, from the numbers of tests/golden."""

import json
import sys
from pathlib import Path

import adjudge as aj

GOLDEN = Path(__file__).parents[1] / "tests" / "golden"

HEAD = """## What was compared

Of the {rows} rows of the catalogue {known} were compared with public packages: {packages} packages, {calls} calls (a function with one choice of parameters and one output), on {cases}
cases: {hand} shaped by hand, with events at either end, one-point events, ties, constant scores, nothing to find and nothing flagged; {random} random ones of 200 to 2,000 points; {large}
of 5,000 to 20,000. Of {total:,} values

- **{equal:,} are equal**, to 1e-9 of the larger of 1 and the value (1e-5 where the package adds an epsilon, 1e-6 where it rounds a constant);
- {policy:,} are **settled by policy**;
- {different:,} **differ on purpose**, each for a reason that is given below.

| prefix | package | calls | values equal |
|---|---|---:|---:|
"""
FAMILY = """
## {title}

| public call | spec here | calls | equal | policy | different |
|---|---|---:|---:|---:|---:|
"""
DIFFERENCES = """
## Where the values differ, and why

One case per reason, the smallest; all of them are in `differences.json` and `disagreements.json` of `tests/golden`. The cases are in `cases.json` there.

| public call | spec here | values | for example | theirs | ours | why |
|---|---|---:|---|---:|---:|---|
"""
LEFT_OUT = """
## What was left out, and why

| calls | why | public calls |
|---:|---|---|
"""
ALONE = """
## Rows that none of these packages has

None of them returns these, or not on their own, so they are checked against a slow second implementation, written from the papers' definitions, only:

{names}.
"""


def golden(name):
    """Read one file of golden numbers."""
    return json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))


def crosswalk():
    """Give the table of which spec means what, which is next to the numbers."""
    sys.path.insert(0, str(GOLDEN))
    try:
        import crosswalk as module  # noqa: PLC0415 - it is no part of any package
    finally:
        sys.path.remove(str(GOLDEN))
    return module


def comparisons():
    """Give one dict per call: family, call, spec, key, and how many values are what."""
    table = crosswalk()
    templates = {row.pattern: row.spec for row in table.TABLE}
    disagreements = {}
    for group in [*golden("differences"), *golden("disagreements")]:
        counted = disagreements.setdefault(group["key"], {})
        counted[group["spec"]] = counted.get(group["spec"], 0) + len(group["cases"])
    for key, peer in golden("peers").items():
        count = {"equal": len(peer["values"]), "policy": len(peer["policy"]), "different": 0}
        yield {"family": "points", "call": key, "spec": peer["spec"], "key": key, **count}
    for peer in golden("atlas")["peers"]:
        for key, count in peer["keys"].items():
            pattern = table.found(key).pattern
            different = disagreements.get(key, {}).get(peer["spec"], 0)
            counts = {**count, "different": different}
            call = {"family": peer["family"], "call": pattern, "spec": templates[pattern]}
            yield {**call, "key": key, **counts}


def code(text):
    """Quote a call or a spec."""
    return f"`{text}`"


def line(*cells):
    """Write one line of a table."""
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |\n"


def family_tables(compared):
    """Write one table per family, one line per function."""
    parts = []
    for family in dict.fromkeys(row["family"] for row in compared):
        title = {"points": "points, their adjustments and their areas"}.get(family, family)
        parts.append(FAMILY.format(title=title[0].upper() + title[1:]))
        rows = [row for row in compared if row["family"] == family]
        for call, spec in dict.fromkeys((row["call"], row["spec"]) for row in rows):
            same = [row for row in rows if (row["call"], row["spec"]) == (call, spec)]
            counts = [len(same), *(sum(row[what] for row in same) for what in COUNTS)]
            parts.append(line(code(call), code(spec), *counts))
    return "".join(parts)


COUNTS = ("equal", "policy", "different")


def reasons():
    """Give (why, groups of values) for every reason to differ."""
    groups = {}
    for group in golden("differences"):
        groups.setdefault(group["why"], []).append(group)
    for group in golden("disagreements"):
        groups.setdefault(group["reason"], []).append(group)
    return groups


def number(value):
    """Write a value for a table: NaN for undefined, and the name of an exception as it is."""
    if value is None:
        return "NaN"
    return value if isinstance(value, str) else f"{value:.4g}"


def difference_table():
    """Write one line per reason."""
    cases = golden("cases")
    parts = [DIFFERENCES]
    for why, groups in reasons().items():
        pairs = [(group, name) for group in groups for name in group["cases"]]
        group, name = min(pairs, key=lambda pair: (cases[pair[1]]["n"], pair[1]))
        row = group["cases"][name]
        others = len(groups) - 1
        call = code(group["key"]) + (f" and {others} more" if others else "")
        example = f"{name}: {cases[name]['note']}"
        theirs, ours = number(row["theirs"]), number(row["ours"])
        parts.append(line(call, code(group["spec"]), len(pairs), example, theirs, ours, why))
    return "".join(parts)


def left_out_table():
    """Write one line per reason to leave calls out."""
    parts = [LEFT_OUT]
    for why, patterns in golden("atlas")["left_out"].items():
        calls = ", ".join(code(pattern) for pattern in patterns)
        parts.append(line(sum(patterns.values()), why, calls))
    return "".join(parts)


def alone(compared):
    """Give the rows of the catalogue that no package was compared with."""
    names = {row["spec"].removeprefix("best(").partition("(")[0].rstrip(")") for row in compared}
    return [name for name in aj.catalogue if name not in names]


def package_table(compared):
    """Write one line per package."""
    lines = []
    for prefix, package in golden("atlas")["packages"].items():
        rows = [row for row in compared if row["key"].startswith(f"{prefix}:")]
        lines.append(
            line(code(prefix), package, len(rows), f"{sum(row['equal'] for row in rows):,}")
        )
    return "".join(lines)


SEVERAL = """
## Channels, causes, annotators, control systems, EEG, scored alerts

Eighteen packages were run on 142 small cases (`tests/golden/several.json`): overlapping events, pieces, several kinds, silent channels, ties of scores, gaps in votes, annotators who agree on
everything or on nothing, one-point events at the ends, uneven clocks, half seconds, scored alerts of several series and kinds. They returned 4,844 numbers. **4,517 are equal** to 1e-8 (affiliation 1e-6), 189 differ
for a reason that is given, 138 are of scores that are not offered. `tests/golden/test_several.py` holds each.

| package | spec here | values | equal | differ | why |
|:---|:---|---:|---:|---:|:---|
| ESA-ADB 489cb61, channels and subsystems | `channel_*`, `subsystem_*` | 522 | 510 | 12 | a channel without predictions is refused here; its events count 0 there |
| ESA-ADB, event-wise, alarming precision; one kind | `incident_*(kind=)`, `alarming_precision(kind=)` | 220 | 209 | 11 | 6: pieces of an event that touch are two there; 3: undefined here, 0 there; 2: a channel without predictions |
| ESA-ADB, ADTQC; its early and late alarms | `channel_adtqc`; the sign of `delay` in `judgement.channels.events` | 120 | 120 | 0 | |
| ESA-ADB, affiliation; one kind | `incident_affiliation_*(kind=)` | 165 | 120 | 45 | 26: pieces of an event that touch are two there; 16: its recall asks the wrong alarm (below); 3: a channel without predictions |
| telemeval 0.3.4, channels; events | `channel_*`; `incident_recall`, `event_precision` | 346 | 341 | 5 | 4: F of events that overlap, which a column of labels joins; 1: undefined here. An event lasts there from its first piece to its last, and is left out by its kind without a shield |
| scikit-learn 1.5.2: averages over channels, annotators and pairs of them, kappa, Jaccard, specificity | `any_channel`, `micro`, `macro`, `kappa` ...; `weighted`: the mean of `f1` by channel, weighed by labelled points; `samples`: the mean of `f1` over points, each with the channels as its points | 614 | 614 | 0 | |
| TranAD 7ffb98d, mlnext 0.7.0, mvts-ano-eval ad93985 | `cause_hit_rate`, `cause_ndcg`, `cause_in_top` | 126 | 119 | 7 | channels with equal scores share the credit here; there the order of the columns decides |
| RCAEval 1.8.1, with its chance; of services | `cause_recall_at_k`, `cause_average_at_k`; `cause_in_top` | 288 | 273 | 15 | an answer that is no candidate: an event without a cause is left out here, and its chance is 0 there |
| krippendorff 0.9.0, statsmodels 0.15.0 | agreement of annotators; Randolph's kappa is twice the mean `accuracy` over pairs of annotators, less 1 | 41 | 41 | 0 | |
| TCPDBench 1709f40, several annotators | `adjudge.compat.change_points` | 98 | 98 | 0 | |
| yasa 0.8.1 | `change_*(margin=)`, `overlap_*(tau=0.2)` | 378 | 363 | 15 | undefined here, 0 there. Its starts match many to many, and its overlaps as many pairs as possible: crowded alarms may differ |
| ipal_evaluate 1.3.2 | points, `batadal*`, `false_time`, `incident_recall`, counts; with a time of grace g `event_*_tolerant(after=g)` | 685 | 674 | 11 | 6: undefined here, 0 or a number there; 2: the delay of an alarm after its attack, in a time of grace; 3: a flagged sample lasts until the next one here, there since the one before |
| nedc-bench 1.0.0: TAES, OVERLAP, epochs, kappa | `taes_*`, `segment_*`, points | 399 | 398 | 1 | undefined here, 0 there |
| NEDC 6.0.0, TAES | `taes_*` | 63 | 59 | 4 | it tests overlap on whole seconds (below) |
| timescoring 0.0.7, events and samples | `event_*_tolerant`, points | 294 | 294 | 0 | |
| Datadog agent 0080283 | `gaussian_*(variant="datadog")` | 90 | 38 | 52 | 36: 1000 trapezoids instead of the integral, up to 0.0024 off; 12: a time of recovery; 4: undefined here |
| Kaggle's event detection AP | `alert_ap`, mean over kinds | 176 | 165 | 11 | alerts in a series without events are false here; there they are not counted |
| ActivityNet's mAP | `interval_ap`, mean over kinds | 81 | 81 | 0 | |

Not offered (138 values): five counts of alerts that Datadog's score leaves out, by what it knows of a scenario and its recovery (75); NEDC's alignment of label sequences, which ignores time: all alarms in the wrong
places can be perfect (63).

ESA-ADB's recall of affiliation has a fault. Moments of an event are meant to be compared with the nearest alarm, but where an alarm of the zone is nearest to no moment of it, that alarm is asked in place of the right one. An event at points 89 to 97 of 98 with alarms at 73 to 76 and 90 to 91 has a recall of
.932 by the definition, and .538 there. The fault, written out in the test, gives the 16 numbers.

Two more files were run and are not kept here. Of ESA-ADB's own 12 tests all 12 values of channels, the 24 event-wise ones whose events can be told from the file and both of ADTQC (to 0.01: its intervals are closed) are equal. Of the water plant in ipal_evaluate's own
tests (450,000 points, 37 attacks) 80 of 84 numbers are equal, among them the recall of each attack, eTaPR, affiliation and BATADAL's scores; so is the list of the 27 attacks that are found. Two attacks that follow each other without a gap are one in a column of labels; as `aj.Events.from_intervals` they
stay two, and then the mean delay is equal (82.1) and NAB's three scores differ by 4 in a million.

NEDC 6.0.0 itself tests overlap on whole seconds: an alarm that touches an event, or ends in the second in which it begins, costs less than one there, and may even give a negative hit. The
rewrite and `taes_*` use the overlap itself. Its epochs are points (`f1`); an epoch is labelled by its middle. ESA-ADB's affiliation loses its digits on dates of today: it squares nanoseconds since 1970.
"""


CHANGES = """
## Change points, drifts and early warnings

Nine packages were run on 130 cases of positions: empty sides, exact margins, ties, repeated and neighbouring positions, 0, n - 1, n, unsorted lists, floods, gradual drifts, several
annotators, uneven clocks. Through `adjudge.compat.change_points`, and through the metrics that the [crosswalk](crosswalk.md#change-points-drifts-and-early-warnings) names:

| package | values | equal | differ | why |
|:---|---:|---:|---:|:---|
| ruptures 1.1.10 | 789 | 789 | 0 | one empty side raises there, and is 0 or n here; a closing n is refused here |
| TCPDBench 1709f40 | 669 | 669 | 0 | |
| CapyMOA 0.15.1 | 3,666 | 3,666 | 0 | |
| river, proposed evaluation 08ef02c | 3,900 | 3,900 | 0 | |
| sktime 1.2.0, F1, EventTPR, offset, false alarm rate | 1,224 | 1,223 | 1 | a change that is named twice counts twice there |
| sktime 1.2.0, directed distances | 236 | 212 | 24 | 9: its search for the nearest change only walks forward and stops at a tie, so an unsorted list or a change named twice hides the nearest; 11: a repeated report counts twice there, and once in 0/1 columns; 4: an empty side |
| skchange 0.18.0, margins | 801 | 660 | 141 | 108: each report asks its nearest change alone, and is lost where that is taken; 33: an empty side, 1 without reports or without changes |
| skchange 0.18.0, Rand and distance | 267 | 256 | 11 | 4: unsorted lists are compared as they are; 2: a series of one point; 5: distances of an empty side, inf, or 0 where both are |
| tsseg 0.3.0, margins | 1,068 | 911 | 157 | 67: a change or a report at 0 is struck; 44: an empty side (0, or 1 where both are), also once 0 is struck; 26: a repeated report is not paired; 20: the nearest report is taken first, which loses pairs |
| tsseg 0.3.0, covering, ARI, NMI, distance | 623 | 617 | 6 | 1: a series of one point; 5: distances of an empty side, inf |
| aeon 1.6.0, distance | 81 | 76 | 5 | an empty side: inf, or 0 where both are |
| PhysioNet 2019 467c49b, utility | 18 | 16 | 2 | no event in any series: -inf there, undefined here |
| PhysioNet 2019 467c49b, accuracy and F | 36 | 35 | 1 | neither events nor flags: F 1 there, undefined here |

Every value that differs was looked at: the rule that is named, written out, gives the package's number (of unsorted lists and of a series of one point, the input says it). A list whose changes are named twice is joined first.
Three of them were also run next to each other on new random lists (`tests/integrations/test_changes.py`): ruptures 1.1.10 (600 values), CapyMOA's evaluator 0.15.1 (2,600 values) and detectors of river 0.26.1, without a difference.
Positions that are no point of the series, n among them, are refused here and judged there. Not offered: sktime `RandIndex`, tsseg's weighted and Gaussian variants, aeon's counts.
"""


def body():
    """Write what is below the head of the page."""
    compared = list(comparisons())
    unknown = alone(compared)
    totals = {what: sum(row[what] for row in compared) for what in COUNTS}
    cases = golden("cases")
    kinds = {kind: sum(name.startswith(letter) for name in cases) for letter, kind in KINDS.items()}
    head = HEAD.format(
        rows=len(aj.catalogue),
        known=len(aj.catalogue) - len(unknown),
        packages=len(golden("atlas")["packages"]),
        calls=len(compared),
        cases=len(cases),
        total=sum(totals.values()),
        **totals,
        **kinds,
    )
    tables = family_tables(compared) + difference_table() + left_out_table()
    return (
        head
        + package_table(compared)
        + tables
        + ALONE.format(names=", ".join(map(code, unknown)))
        + CHANGES
        + SEVERAL
    )


KINDS = {"h": "hand", "r": "random", "l": "large"}
