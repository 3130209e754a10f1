"""What docs/speed.md shows on the site: bench/today.json, the last results of bench/today.py that were kept."""

import json
from pathlib import Path

RESULTS = Path(__file__).parents[1] / "bench" / "today.json"


def body():
    """Give a table for each section: what is compared, what was found, and its limit."""
    found = json.loads(RESULTS.read_text(encoding="utf-8"))
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
