"""Write what bench/referee.py measured into docs/evidence: ``python tools/make.py referee FILE ...``.

A file is what ``python bench/referee.py --json FILE`` writes; the runs of several files, each with
a seed of its own or with cells of its own, are taken together. Every table of referee.md is a file of
docs/evidence/referee; the two tables that chance_checked.md repeats are in its own folder. Without a
file the tables stay, and bounds that `bench/late_bounds.py` declares are marked and listed anew.
"""

import csv
import json
import math
import re
import runpy
import sys
from collections import Counter
from fnmatch import fnmatchcase
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"
PAGE, EVIDENCE = DOCS / "referee.md", DOCS / "evidence"
COMMAND = "python bench/referee.py"
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


def place(table):
    """Give the file of a table of the referee."""
    return EVIDENCE / "referee" / f"{table.replace(' ', '_')}.csv"


def write(path, rows, command=COMMAND):
    """Write a table below the command that made it."""
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(f"# {command}\n")
        csv.writer(file, lineterminator="\n").writerows(rows)


def read(path):
    """Read the rows of a table; the first has the titles."""
    with path.open(encoding="utf-8", newline="") as file:
        next(file)
        return list(csv.reader(file))


def table(lines):
    """Give the titles, and a row for each scene, metric and quantity, a column for each size."""
    sizes = list(dict.fromkeys(line["size"] for line in lines))
    rows = {}
    for line in lines:
        key = line["scene"], f"`{line['metric']}`", line["quantity"], line["bound"]
        rows.setdefault(key, {})[line["size"]] = cell(line)
    yield ["scene", "metric", "share", "bound", *sizes]
    for key, found in rows.items():
        yield [*key, *(found.get(size, "") for size in sizes)]


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
    """Give all tables by their files."""
    lines = pooled(files)
    names = dict.fromkeys(line["table"] for line in lines)
    found = {
        place(name): [*table([one for one in lines if one["table"] == name])] for name in names
    }
    return found | {
        EVIDENCE / "chance_checked" / f"{unit}.csv": [*short(lines, unit)] for unit in SHORT
    }


def summary(files):
    """Say what the tables were made with, and how many bounds are kept."""
    lines = pooled(files)
    kept = sum(bool(line["bound"]) and not line["verdict"] for line in lines)
    bounds = sum(bool(line["bound"]) for line in lines)
    runs = Counter(round(line["runs"] / (1 - line["unanswered"])) for line in lines if line["runs"])
    usual = [(count, value) for value, count in runs.items() if count >= len(lines) / 10]
    said = ", ".join(f"{value:,} in {count} values" for count, value in sorted(usual, reverse=True))
    most = max(value for _, value in usual)
    seeds = ", ".join(sorted({str(found["seed"]) for found in files}, key=int))
    return (
        f"Runs: {said}, fewer where one takes long; seeds {seeds}; adjudge {files[-1]['version']}. With "
        f"{most:,} runs the standard error of a share of .05 or .95 is "
        f"{math.sqrt(0.05 * 0.95 / most):.3f}. {kept} of {bounds} bounds are kept."
    )


def short(lines, unit):
    """Give what chance_checked.md repeats, of one unit."""
    rows, sizes, wanted = {}, set(), SHORT[unit]
    for line in lines:
        key = line["table"], line["scene"], line["quantity"]
        if key in wanted and line["size"].endswith(unit):
            size = int(line["size"].split()[0])
            sizes.add(size)
            rows.setdefault((wanted.index(key), line["metric"], *key), {})[size] = cell(line)
    columns = sorted(sizes)
    yield ["scene", "metric", "", *(f"{size} {unit}" for size in columns)]
    several = {key: found for key, found in rows.items() if len(found) > 1}
    for (_, spec, _, scene, quantity), found in sorted(several.items()):
        yield [scene, f"`{spec}`", quantity, *(found.get(size, "") for size in columns)]


LATE = runpy.run_path(str(PAGE.parent.parent / "bench" / "late_bounds.py"))["LATE"]
MARK = " †"


def late(table, scene, quantity):
    """Say by which line of the declaration a bound was set after a look; None: before a run."""
    for key in LATE:
        if key[0] == table and fnmatchcase(scene, key[1]) and quantity == key[2]:
            return key
    return None


def marked():
    """Mark the bounds that were set after a look, in all tables; give how many were not and were, and list them."""
    seen, bounds, found = {}, 0, {}
    for name in TITLES:
        titles, *rows = read(place(name))
        for row in rows:
            scene, _, quantity, bound, *values = row
            row[3] = bound.removesuffix(MARK)
            if row[3]:
                held = sum(bool(value) and "refused" not in value for value in values)
                bounds, key = bounds + held, late(name, scene, quantity)
                if key is not None:
                    seen.setdefault(key, []).append((row[3], held))
                    row[3] += MARK
        found[place(name)] = [titles, *rows]
    after = sum(held for rows in seen.values() for _, held in rows)
    listed = [["table", "scene", "share", "bound", "why it was set so"]]
    for key, why in LATE.items():
        if key in seen:
            name, scene, quantity = key
            several = ", ".join(dict.fromkeys(bound for bound, _ in seen[key]))
            listed.append([TITLES[name], scene.replace("*", "(all)"), quantity, several, why])
    return bounds - after, after, found, listed


def text(before, after, said):
    """Give the page with how many bounds were set when, and with what its tables were made with."""
    page = PAGE.read_text(encoding="utf-8")
    counted = (
        f"{before} of the bounds were set before a run: these can fail. {after} were set after a look "
        f"at results, and are marked with{MARK}:"
    )
    page = re.sub(r"^\d+ of the bounds were set before.*$", counted, page, flags=re.MULTILINE)
    return re.sub(r"^Runs: .* bounds are kept\.$", said, page, flags=re.MULTILINE) if said else page


def main(files):
    """Write all tables of some files, then mark them; the page says how many there are."""
    for path, rows in tables(files).items() if files else ():
        write(path, rows)
    before, after, found, listed = marked()
    for path, rows in found.items():
        write(path, rows)
    write(place("late"), listed, "python tools/make.py referee")
    PAGE.write_text(text(before, after, summary(files) if files else ""), encoding="utf-8")


if __name__ == "__main__":
    main([json.loads(Path(name).read_text(encoding="utf-8")) for name in sys.argv[1:]])
