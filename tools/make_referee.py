"""Write what bench/referee.py measured into referee.md: ``python tools/make.py referee FILE ...``.

A file is what ``python bench/referee.py --json FILE`` writes; the runs of several files, each with
a seed of its own or with cells of its own, are taken together. The tables stand between the lines
<!-- tables --> and <!-- end -->; chance_checked.md repeats some of them. Without a file the tables
stay, and bounds that `bench/late_bounds.py` declares are marked and listed anew.
"""

import json
import math
import re
import runpy
import sys
from collections import Counter
from fnmatch import fnmatchcase
from pathlib import Path

PAGE, CHECKED = (
    Path(__file__).parents[1] / "docs" / name for name in ("referee.md", "chance_checked.md")
)
HELD, APART = "interval holds the truth", "separated"
SHORT = {  # what chance_checked.md repeats: the unit of its columns, and rows (table, scene, quantity)
    "events": (
        ("intervals", "equal lengths", HELD),
        ("intervals", "equal lengths, most found", HELD),
        ("intervals", "lognormal lengths", HELD),
        ("intervals", "lognormal lengths, long ones found", HELD),
        ("intervals", "5 or 150 points", HELD),
        ("intervals", "5 or 150 points, of such lengths", HELD),
        ("intervals", "bursts of false alarms", HELD),
        ("intervals", "groups of 1 to 5 fare alike", HELD),
        ("intervals", "one stretch in fifteen very long", HELD),
        ("intervals", "one stretch in fifteen very long, one was seen", HELD),
        ("areas", "normal noise", HELD),
        ("areas", "noise differs by stretch", HELD),
        ("areas", "long events clearer", HELD),
        ("areas", "one stretch in ten raised", HELD),
        ("best", "normal noise", HELD),
        ("best", "normal noise", "optimism, said less true"),
        ("equals", "same style", APART),
        ("equals", "misses, or false alarms", APART),
        ("equals", "flags, or scores", APART),
        ("equals", "flags, or scores", "the first is ahead by"),
        ("equals", "flags, or scores", "the same, less optimism"),
        ("equals", "normal noise", APART),
    ),
    "series": (
        ("intervals over series", "effects", HELD),
        ("intervals over series", "no effects", HELD),
        ("equals over series", "effects", APART),
        ("equals over series", "effects", "difference held"),
        ("means", "beta(2, 2)", HELD),
        ("means", "a third is 0", HELD),
        ("means", "data sets of 5, much alike", HELD),
        ("pairs", "beta(2, 2)", APART),
    ),
}

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


def pooled(files):
    """Take the runs of several files together, cell by cell."""
    cells = {}
    for found in files:
        for line in found["lines"]:
            key = tuple(line[name] for name in ("table", "scene", "size", "metric", "quantity"))
            cells.setdefault(key, []).append(line)
    tables_in_order = {name: place for place, name in enumerate(TITLES)}
    lines = [joined(lines) for lines in cells.values()]
    return sorted(lines, key=lambda line: tables_in_order[line["table"]])


def joined(lines):
    """Join what several files say of a cell: means weigh by their runs."""
    answered = [line for line in lines if line["runs"]]
    if len(lines) == 1 or not answered:
        return lines[-1]
    runs = sum(line["runs"] for line in answered)
    made = sum(line["runs"] / (1 - line["unanswered"]) for line in answered)
    value = sum(line["runs"] * line["value"] for line in answered) / runs
    error = math.sqrt(sum((line["runs"] * line["error"]) ** 2 for line in answered)) / runs
    found = {**lines[-1], "value": value, "error": error, "runs": runs}
    found["unanswered"] = 1 - runs / made if made - runs > 0.5 else 0.0
    found["verdict"] = "FAIL" if is_outside(value, error, found["bound"]) else ""
    return found


def is_outside(value, error, bound):
    """Say whether a value lies outside its bound by more than two standard errors."""
    for side, end in re.findall(r"(>=|<=) (\S+)", bound):
        room = 0 if float(end) in {0, 1} else 2 * error  # those are promises without exception
        if value < float(end) - room if side == ">=" else value > float(end) + room:
            return True
    return False


def tables(files):
    """Write all tables, after what they were made with."""
    lines = pooled(files)
    kept = sum(bool(line["bound"]) and not line["verdict"] for line in lines)
    bounds = sum(bool(line["bound"]) for line in lines)
    runs = Counter(round(line["runs"] / (1 - line["unanswered"])) for line in lines if line["runs"])
    usual = [(count, value) for value, count in runs.items() if count >= len(lines) / 10]
    said = ", ".join(f"{value:,} in {count} values" for count, value in sorted(usual, reverse=True))
    most = max(value for _, value in usual)
    seeds = ", ".join(sorted({str(found["seed"]) for found in files}, key=int))
    yield (
        f"Runs: {said}, fewer where one takes long; seeds {seeds}; adjudge {files[-1]['version']}. With "
        f"{most:,} runs the standard error of a share of .05 or .95 is "
        f"{math.sqrt(0.05 * 0.95 / most):.3f}. {kept} of {bounds} bounds are kept."
    )
    for name in dict.fromkeys(line["table"] for line in lines):
        yield f"\n## {TITLES[name]}\n"
        yield from table([line for line in lines if line["table"] == name])


def short(files):
    """Write the tables of chance_checked.md."""
    lines = pooled(files)
    for unit, wanted in SHORT.items():
        rows, sizes = {}, set()
        for line in lines:
            place = line["table"], line["scene"], line["quantity"]
            if place in wanted and line["size"].endswith(unit):
                size = int(line["size"].split()[0])
                sizes.add(size)
                rows.setdefault((wanted.index(place), line["metric"], *place), {})[size] = cell(
                    line
                )
        columns = sorted(sizes)
        yield f"| scene | metric | | {' | '.join(f'{size} {unit}' for size in columns)} |"
        yield f"|{'---|' * 3}{'---:|' * len(columns)}"
        several = {key: found for key, found in rows.items() if len(found) > 1}
        for (_, spec, _, scene, quantity), found in sorted(several.items()):
            values = " | ".join(found.get(size, "") for size in columns)
            yield f"| {scene} | `{spec}` | {quantity} | {values} |"
        yield ""


def text(files):
    """Give the page with its tables."""
    made = "<!-- tables -->\n\n" + "\n".join(tables(files)) + "\n\n<!-- end -->"
    page = PAGE.read_text(encoding="utf-8")
    return marked(re.sub("<!-- tables -->.*<!-- end -->", lambda _: made, page, flags=re.DOTALL))


LATE = runpy.run_path(str(PAGE.parent.parent / "bench" / "late_bounds.py"))["LATE"]
MARK = " †"


def late(table, scene, quantity):
    """Say by which line of the declaration a bound was set after a look; None: before a run."""
    for key in LATE:
        if key[0] == table and fnmatchcase(scene, key[1]) and quantity == key[2]:
            return key
    return None


def marked(page):
    """Mark in the tables of a page the bounds that were set after a look, and list them apart."""
    names = {title: name for name, title in TITLES.items()}
    lines, table, seen, bounds = [], None, {}, 0
    for line in page.split("\n"):
        table = names.get(line.removeprefix("## ")) if line.startswith("## ") else table
        cells = line.split(" | ")
        if table and line.startswith("| ") and re.match("[<>]=", cells[3]):
            scene, quantity, bound = cells[0].removeprefix("| "), cells[2], cells[3]
            held = sum(bool(cell.strip(" |")) and "refused" not in cell for cell in cells[4:])
            bounds, key = bounds + held, late(table, scene, quantity)
            cells[3] = bound.removesuffix(MARK)
            if key is not None:
                seen.setdefault(key, []).append((cells[3], held))
                cells[3] += MARK
        lines.append(" | ".join(cells))
    after = sum(held for rows in seen.values() for _, held in rows)
    listed = [
        f"{bounds - after} of the bounds were set before a run: these can fail. {after} were set after a look at results, and are marked with{MARK}:",
        "", "| table | scene | share | bound | why it was set so |", "|---|---|---|---|---|",
        *(f"| {TITLES[name]} | {scene.replace('*', '(all)')} | {quantity} | {', '.join(dict.fromkeys(bound for bound, _ in seen[name, scene, quantity]))} | {why} |"
          for (name, scene, quantity), why in LATE.items() if (name, scene, quantity) in seen),
    ]  # fmt: skip
    made = "<!-- late -->\n\n" + "\n".join(listed) + "\n\n<!-- tables -->"
    return re.sub(
        "<!-- late -->.*<!-- tables -->", lambda _: made, "\n".join(lines), flags=re.DOTALL
    )


def checked(files):
    """Give the page on how chance was checked, with its tables."""
    made = "<!-- referee -->\n\n" + "\n".join(short(files)) + "\n<!-- end -->"
    page = CHECKED.read_text(encoding="utf-8")
    return re.sub("<!-- referee -->.*?<!-- end -->", lambda _: made, page, flags=re.DOTALL)


if __name__ == "__main__":
    FILES = [json.loads(Path(name).read_text(encoding="utf-8")) for name in sys.argv[1:]]
    PAGE.write_text(text(FILES) if FILES else marked(PAGE.read_text("utf-8")), encoding="utf-8")
    if FILES:
        CHECKED.write_text(checked(FILES), encoding="utf-8")
