"""Evidence on the site: tables that are data in the repository, and text that follows from the source.

`evidence PAGE/NAME` stands for the table of `docs/evidence/PAGE/NAME.csv`, whose first line names the
command that made it; `made NAME` for what the function `body` of `tools/make_NAME.py` gives.
"""

import csv
import re
import sys
from importlib import import_module
from pathlib import Path

PLACE = re.compile(r"^```\{(evidence|made)\} (\S+)\n```$", re.MULTILINE)
NUMBER = re.compile(r"[*<= ]*[-+]?[\d,]*\.?\d*( %)?[*]*( \([.\d]+\))?|none|refused")


def read(path):
    """Give the command that made a table, and its rows; the first has the titles."""
    with path.open(encoding="utf-8", newline="") as file:
        command = file.readline().removeprefix("# ").strip()
        return command, list(csv.reader(file))


def table(path):
    """Write a table as Markdown, columns of numbers to the right, with the command below it."""
    command, (titles, *rows) = read(path)
    columns = zip(*rows, strict=True)
    rule = ["---:" if all(map(NUMBER.fullmatch, cells)) else ":---" for cells in columns]
    lines = [f"| {' | '.join(cells)} |" for cells in (titles, rule, *rows)]
    source = f"{{download}}`{path.name} <evidence/{path.parent.name}/{path.name}>`"
    return "\n".join([*lines, "", f"Made by `{command}`: {source}."])


def body(name):
    """Give what a tool makes of the source."""
    return import_module(f"make_{name}").body()


def fill(app, _, content):
    """Put every table and text where its page names it."""

    def found(place):
        kind, name = place.groups()
        if kind == "made":
            return body(name)
        return table(Path(app.srcdir) / "evidence" / f"{name}.csv")

    content[0] = PLACE.sub(found, content[0])


def setup(app):
    """Come before the page is parsed."""
    sys.path[:0] = [str(Path(app.srcdir).parent / folder) for folder in ("tools", "tests")]
    app.connect("source-read", fill, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
