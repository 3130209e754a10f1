"""Write the tables of threshold rules and of benchmark layouts into data.md, from what declares them.

A table stands between the lines <!-- rules --> and <!-- end -->.
"""

import re
from inspect import getdoc
from pathlib import Path

from adjudge.io.layouts import LAYOUTS
from adjudge.measure.thresholds import RULES

PAGE = Path(__file__).with_name("data.md")


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


TABLES = {"rules": rules, "layouts": layouts}


def text():
    """Give the page with every table as it should be."""
    page = PAGE.read_text(encoding="utf-8")
    for name, table in TABLES.items():
        start, end = f"<!-- {name} -->\n", "<!-- end -->"
        made = start + "\n" + "\n".join(table()) + "\n\n" + end
        page = re.sub(f"{start}.*?{end}", lambda _, made=made: made, page, flags=re.DOTALL)
    return page


if __name__ == "__main__":
    PAGE.write_text(text(), encoding="utf-8")
