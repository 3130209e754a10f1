"""Write the tables that follow from declarations: rules, layouts and exports into data.md, rules into api.md, options into cli.md.

A table stands between the lines <!-- rules --> and <!-- end -->.
"""

import re
from inspect import getdoc
from pathlib import Path

from adjudge.cli import main
from adjudge.cli.declaration import DATA, options_of
from adjudge.io.exports import EXPORTS
from adjudge.io.layouts import LAYOUTS
from adjudge.measure.thresholds.contract import RULES

HOME = Path(__file__).parents[1] / "docs"


def rules():
    """Write a row per threshold rule: how it is called, and the first sentence about it."""
    calls = zip(RULES.listed.split("), "), RULES.values(), strict=True)
    rows = [
        f"| `{call.rstrip(')')})` | {(getdoc(make) or '').splitlines()[0]} |"
        for call, make in calls
    ]
    return ["| rule | threshold |", "|---|---|", *rows]


def layouts():
    """Write a row per layout of a benchmark, in the order in which they are asked."""
    known = sorted(LAYOUTS.items(), key=lambda one: one[1].last)
    rows = [f"| {name} | {layout.looks} | {layout.scores} |" for name, layout in known]
    return ["| layout | what is recognised | scores |", "|---|---|---|", *rows]


def exports():
    """Write a row per export of another program."""
    rows = [f"| {name} | {known.looks} |" for name, known in EXPORTS.items()]
    return ["| export | what is recognised |", "|---|---|", *rows]


def rule_names():
    """Write the rules as the Python reference lists its names."""
    names = [f"   {name}" for name in RULES]
    return ["```{eval-rst}", ".. autosummary::", "   :toctree: api", "", *names, "```"]


def options(*verbs):
    """Write a row per option that has a meaning for some data alone, a column per kind of data."""
    commands = [main.commands[verb] for verb in verbs]
    kinds = [kind for kind in DATA if any(kind in one.kinds for one in commands)]
    of = {}
    for command in commands:
        for one in options_of(command):
            known = [kind for kind in command.kinds if not one.of or kind in one.of]
            flag = "/".join(
                sorted([*one.opts, *one.secondary_opts], key=lambda name: name[2:4] == "no")
            )
            of.setdefault(flag, [set(), set()])[0].update(known)
            of[flag][1].update(set(command.kinds) - set(known))
    rows = [
        f"| `{flag}` | " + " | ".join("x" * (kind in known) for kind in kinds) + " |"
        for flag, (known, others) in of.items()
        if others - known
    ]
    return [
        "| option | " + " | ".join(map(str, map(DATA.get, kinds))) + " |",
        "|---|" + ":---:|" * len(kinds),
        *rows,
    ]


TABLES = {
    "cli.md": {
        "options": lambda: options(
            "evaluate", "explain", "compare", "decide", "report", "calibrate"
        ),
        "options of rank": lambda: options("rank"),
    },
    "data.md": {"rules": rules, "layouts": layouts, "exports": exports},
    "api.md": {"rule names": rule_names},
}


def text(page):
    """Give a page with every table as it should be."""
    made = (HOME / page).read_text(encoding="utf-8")
    for name, table in TABLES[page].items():
        start, end = f"<!-- {name} -->\n", "<!-- end -->"
        lines = start + "\n" + "\n".join(table()) + "\n\n" + end
        made = re.sub(f"{start}.*?{end}", lambda _, lines=lines: lines, made, flags=re.DOTALL)
    return made


def made():
    """Give the text of each page by its path."""
    return {HOME / page: text(page) for page in TABLES}
