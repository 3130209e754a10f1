"""Write what bench/referee.py measured into referee.md: ``python docs/make_referee.py FILE.json``.

The file is what ``python bench/referee.py --json FILE.json`` writes. The tables stand between the
lines <!-- tables --> and <!-- end -->.
"""

import json
import math
import re
import sys
from pathlib import Path

PAGE = Path(__file__).with_name("referee.md")

TITLES = {
    "intervals": "Intervals, one series",
    "metrics": "Intervals of other metrics",
    "intervals over series": "Intervals, several series",
    "areas": "Intervals of areas",
    "best": "Intervals of `best(...)`",
    "means": "Means over series",
    "pairs": "Differences of means, equally good detectors",
    "equals": "Two equally good detectors, one series",
    "equals over series": "Two equally good detectors, several series",
    "power": "Detectors that do differ",
    "blind": "Blind detectors, one at a time",
    "skill": "Detectors with some skill",
    "ring": "Scores with a trend",
    "nearby": "Compared with places nearby alone",
    "families": "Several detectors in one call",
    "seeds": "The same data, another seed",
    "rhythm": "Events and alarms that share a rhythm",
    "pooled": "Several series with one event each",
}


def cell(line):
    """Write a value; in bold if it is outside its bound, with the share of refusals if any."""
    if line["value"] is None or math.isnan(line["value"]):
        return "refused"
    text = f"{line['value']:.3f}".replace("0.", ".", 1)
    text = f"**{text}**" if line["verdict"] else text
    return f"{text} ({line['unanswered']:.2f})" if line["unanswered"] else text


def table(lines):
    """Write a row for each scene, metric and quantity, a column for each size."""
    sizes = list(dict.fromkeys(line["size"] for line in lines))
    rows = {}
    for line in lines:
        key = line["scene"], f"`{line['metric']}`", line["quantity"], line["bound"]
        rows.setdefault(key, {})[line["size"]] = cell(line)
    head = ("scene", "metric", "share", "bound", *sizes)
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * 4}{'---:|' * len(sizes)}"
    for key, found in rows.items():
        yield f"| {' | '.join([*key, *(found.get(size, '') for size in sizes)])} |"


def tables(found):
    """Write all tables, after what they were made with."""
    lines = found["lines"]
    kept = sum(bool(line["bound"]) and not line["verdict"] for line in lines)
    bounds = sum(bool(line["bound"]) for line in lines)
    error = math.sqrt(0.05 * 0.95 / found["runs"])
    yield (
        f"{found['runs']:,} runs a cell, fewer where a run is dear; seed {found['seed']}; adjudge "
        f"{found['version']}. The standard error of a share of .05 or .95 is "
        f"{error:.3f}. {kept} of {bounds} bounds are kept."
    )
    for name in dict.fromkeys(line["table"] for line in lines):
        yield f"\n## {TITLES[name]}\n"
        yield from table([line for line in lines if line["table"] == name])


def text(found):
    """Give the page with its tables."""
    made = "<!-- tables -->\n\n" + "\n".join(tables(found)) + "\n\n<!-- end -->"
    page = PAGE.read_text(encoding="utf-8")
    return re.sub("<!-- tables -->.*<!-- end -->", lambda _: made, page, flags=re.DOTALL)


if __name__ == "__main__":
    FOUND = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    PAGE.write_text(text(FOUND), encoding="utf-8")
