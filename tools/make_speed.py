"""Write what bench/today.py measured into speed.md: ``python tools/make.py speed``.

The tables stand between the lines <!-- tables --> and <!-- end -->, and are those of
bench/today.json, the last results that were kept.
"""

import json
import re
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "speed.md"
RESULTS = Path(__file__).parents[1] / "bench" / "today.json"


def tables(found):
    """A table for each section: what is compared, what was found, and its limit."""
    said = ", ".join(f"{name} {number}" for name, number in found["versions"].items())
    lines = [f"Measured on {found['when']}, medians of {found['rounds']} rounds: {said}.", ""]
    for section in dict.fromkeys(row["section"] for row in found["rows"]):
        lines += [
            f"## {section[:1].upper()}{section[1:]}",
            "",
            "| what | found | limit | |",
            "|---|---|---|---|",
        ]
        for row in found["rows"]:
            if row["section"] == section:
                verdict = "" if row["limit"] is None else "kept" if row["kept"] else "**not kept**"
                value = f"{row['found']:.3g}"
                lines.append(f"| {row['what']} | {value} | {row['limit'] or ''} | {verdict} |")
        lines.append("")
    return "\n".join(lines)


def page(text, found):
    """The page with its tables."""
    made = f"<!-- tables -->\n{tables(found)}\n<!-- end -->"
    return re.sub(r"<!-- tables -->.*<!-- end -->", lambda _: made, text, flags=re.DOTALL)


def main():
    """Write the page."""
    found = json.loads(RESULTS.read_text(encoding="utf-8"))
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8"), found), encoding="utf-8")


if __name__ == "__main__":
    main()
