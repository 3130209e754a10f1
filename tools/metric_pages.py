"""A page for each metric: the build of the site makes them, and nothing of them is in the repository."""

import math
import re
from functools import cache

from forgiveness import picture
from formulas import FORMULAS, SETTINGS, both, example
from make_conformance import crosswalk
from make_crosswalk import calls

import adjudge as aj
from adjudge.metrics.audit_results import TITLES
from adjudge.metrics.claims import claims_in_order
from adjudge.metrics.help_pages import setting_docs

WHEN = {  # of each group: use it when, do not use it when
    "points": (
        "every point counts the same, and you want the share of anomalous time that was flagged",
        "events differ much in length: one long event outweighs many short ones",
    ),
    "areas": (
        "you compare detectors before a threshold is chosen",
        "you will run one threshold: an area also counts thresholds that nobody would use",
    ),
    "point-adjusted": (
        "you reproduce a paper that reports it",
        "you compare detectors: random alarms score high",
    ),
    "coverage-adjusted": (
        "an event counts only if a share of its points is flagged, or a paper reports it",
        "the share is small: then it is close to point adjustment, by which random alarms score high",
    ),
    "balanced": (
        "one alarm in an event is enough, and a false alarm should cost about as much as an event earns",
        "alarms begin before the label or last longer than it: give `margin=`, or take `tolerant_f1`",
    ),
    "events": (
        "people act on events and alarms rather than on points",
        "alarms may be long: most of this group count one alarm over everything as a find of every event",
    ),
    "ranges": (
        "a partly covered event should earn a part, by how much and where",
        "readers cannot be given the settings: values with different settings do not compare",
    ),
    "affiliation": (
        "an alarm near an event should count, by its distance",
        "a value is read without chance beside it: random alarms score far above 0",
    ),
    "timing": (
        "it matters how early or how late an alarm comes",
        "one number has to say everything: report `event_recall` and the false alarms beside it",
    ),
    "changes": (
        "the truth is positions (change points, drifts), or an alarm is a warning before an event",
        "the truth is intervals in which something is wrong",
    ),
    "buffers": (
        "labels are inexact at their borders, and credit should fall off beside an event",
        "labels are exact, or nothing tells how wide the buffer should be",
    ),
    "channels": (
        "labels and scores have a column for each sensor, and it matters which one alarms",
        "there is one channel",
    ),
    "ranking": (
        "somebody looks at the k most suspicious points or events, or false alarms have a budget",
        "the threshold is fixed, so that the number of alarms is not yours to choose",
    ),
}
DRAGGED = ("f1", "f1_pa", "f1_kpa", "f1_ba")
"""The metrics of the playground."""


def sentence(words):
    """Begin with a capital letter, end with a full stop."""
    return f"{words[0].upper()}{words[1:]}."


def linked(claim):
    """A claim; an axiom leads to its page, on which it has a heading."""
    if claim not in TITLES:
        return claim
    heading = f"{claim}: {TITLES[claim]}".lower()
    anchor = re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")
    return f"[{claim}](../axioms.md#{anchor})"


def printed(tex):
    """Counts of points are words of two letters, not products."""
    return re.sub(r"(?<![A-Za-z])(TP|FP|FN|TN)(?![A-Za-z])", r"\\text{\1}", tex)


def as_spec(name, settings):
    """Write a metric with settings as results print it."""
    given = ", ".join(f"{key}={value!r}" for key, value in settings.items())
    return f"{name}({given})" if given else name


def formula(row):
    """Write the formula of a row, if the slow function beside it gives the value of the metric."""
    tex, words, _ = FORMULAS[row.name]
    slow, ours = both(row)
    if not math.isclose(slow, ours, rel_tol=1e-9, abs_tol=1e-12):
        raise SystemExit(f"the formula of {row.name} gives {slow}, the metric {ours}")
    return f"$$ {printed(tex)} $$\n\nwhere {words}.\n"


def digits(name, table):
    """Write a column of digits, or columns, as a line of Python."""
    if not isinstance(table[0], (list, tuple)):
        return f'>>> {name} = [int(x) for x in "{"".join(map(str, table))}"]'
    texts = (f'"{"".join(map(str, column))}"' for column in zip(*table, strict=True))
    joined = ",\n...     ".join(texts)
    return f">>> {name} = [[*map(int, point)] for point in zip(\n...     {joined})]"


def code(row):
    """Write a call that runs: the example of the formula."""
    labels, given, settings, columns = example(row)
    kind = "flags" if row.needs == "flags" else "scores"
    asked = "".join(f", {key}={value!r}" for key, value in (settings | columns).items())
    lines = [
        "```python",
        ">>> import adjudge as aj",
        digits("labels", labels),
        digits(kind, given),
        f">>> round(float(aj.{row.name}(labels, {kind}{asked})), 4)",
        f"{round(float(both(row)[1]), 4)!r}",
        "",
        "```\n",
    ]
    return "\n".join(lines)


def extremes(row):
    """Say the range, and what the ends of detection score in the example."""
    labels, _, settings, columns = example(row)
    wide = isinstance(labels[0], (list, tuple))
    alike = [[[x] * len(labels[0]) if wide else x for _ in labels] for x in (1, 0)]
    ways = (
        ("exactly the events", labels),
        ("everything flagged" if row.needs == "flags" else "one score everywhere", alike[0]),
        ("nothing flagged", alike[1]),
    )[: 3 if row.needs == "flags" else 2]
    values = ((way, row.metric(labels, given, **settings, **columns)) for way, given in ways)
    shown = ", ".join(f"{way} {'NaN' if math.isnan(x) else f'{x:.4g}'}" for way, x in values)
    return (
        f"- range: {row.range[0]} to {row.range[1]}, {row.better} is better\n"
        f"- in the example above: {shown}\n"
        f"- undefined (NaN): {row.undefined}\n"
    )


def settings(row):
    """List the settings of a row, and what each means."""
    described = {}
    for part in row.metric.parts:
        described |= setting_docs(part)
    lines = []
    for name, default in row.parameters.items():
        kind, text = described[name]
        lines.append(f"- `{name}={default!r}` ({kind}): {' '.join(text.split())}".rstrip(": "))
    return "\n".join([*(lines or ["It has none."]), ""])


@cache
def calls_elsewhere():
    """Give (package, call, spec) of the crosswalk, read once."""
    names = crosswalk().PACKAGES
    parts = ((call.partition(":"), spec) for call, spec in calls())
    return [(names[package], call, spec) for (package, _, call), spec in parts]


def elsewhere(row):
    """List the calls of other packages that give the same, and the notes of the row."""
    ours = re.compile(rf"(best\()?{row.name}(\(.*)?\)?")
    found = [one for one in calls_elsewhere() if ours.fullmatch(one[2])]
    lines = [f"| {package} | `{call}` | `{spec}` |" for package, call, spec in found]
    if lines:
        lines = ["| package | there | here |", "|:---|:---|:---|", *lines, ""]
    if "\n" in row.notes:
        lines += ["```text", row.notes, "```\n"]
    elif row.notes:
        lines += [row.notes, ""]
    return "\n".join(lines) or "We know of no other package that has it.\n"


def cite(row):
    """Say what to write next to a value, and whose metric it is."""
    labels, given, own, columns = example(row)
    spec = as_spec(row.name, own)
    shown = aj.evaluate(labels, given, spec, chance=False, **columns).rows[0].metric
    return f"Next to a value write the metric as results print it: here `{shown}`, adjudge {aj.__version__}.\n\n{row.reference}\n"


def drawing(row):
    """Draw ten ways to detect two events, with the value of each."""
    spec = as_spec(row.name, SETTINGS.get(row.name, {}))
    head = f'<svg role="img" aria-label="ten ways to detect two events, with the values of {row.name}" '
    drawn = picture([spec]).replace("<svg ", head, 1)
    return f'```{{raw}} html\n<div class="formula picture" tabindex="0">{drawn}</div>\n```\n'


def strip(row):
    """Put the playground on the pages of its metrics."""
    frame = '<iframe class="playground" src="../playground.html" title="playground: drag events and alarms"></iframe>'
    return ["## Try it\n", f"```{{raw}} html\n{frame}\n```\n"] if row.name in DRAGGED else []


def page(row):
    """Write the page of a metric."""
    use, avoid = WHEN[row.group]
    home = f"[{sentence(row.group)[:-1]}]({row.group.replace('-', '_')}.md)"
    claims = ", ".join(map(linked, claims_in_order(row.claims)))
    parts = [
        "---\norphan: true\n---\n",
        f"# {row.name}\n",
        f"**{sentence(row.title)[:-1]}**, of the group {home}. {sentence(row.definition)}\n",
        drawing(row),
        "## Formula\n",
        formula(row),
        "## In Python\n",
        code(row),
        f"On the command line: `adjudge evaluate FILE --metric {row.name}`.\n",
        *strip(row),
        "## When to use it\n",
        f"- Use it when {use}.",
        f"- Do not use it when {avoid}.",
        f"- It forgives: {row.forgives}. Do not use it where that matters.\n",
        "## Range and extremes\n",
        extremes(row),
        "## Settings\n",
        settings(row),
        "## Names elsewhere\n",
        elsewhere(row),
        "## How to cite it\n",
        cite(row),
        "## Axioms\n",
        f"It keeps: {claims or 'none'}. [What they mean](../axioms.md).\n",
    ]
    return "\n".join(parts)
