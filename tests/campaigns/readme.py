"""Run the blocks of the README with whatever is installed: python readme.py [--verbs].

Python blocks and console blocks run as they are, in the folder of the README. With --verbs the
examples of docs/cli.md run too, in a folder with the files they name; the study is a small one.
"""

import argparse
import csv
import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from pyarrow import csv as arrow_csv
from pyarrow import parquet

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGE = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
EXAMPLES = PAGE.partition("## Every command by example\n")[2].partition("\n## ")[0]
SHORTER = {"study": ["--experiments", "300"]}  # 15,000 take minutes
MAY_END_WITH = {"explain-diff": (0, 1), "judge": (0, 3)}  # no convention; do not ship


def python_blocks():
    """Run the Python blocks one after the other, as doctests; say how many examples failed."""
    text = "\n".join(re.findall(r"```python\n(.*?)```", README, re.DOTALL))
    test = doctest.DocTestParser().get_doctest(text, {}, "README.md", "README.md", 0)
    os.chdir(ROOT)
    return doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test).failed


def commands(pattern, page):
    """The commands of a page, without the comments behind them."""
    lines = re.findall(pattern, page, re.MULTILINE)
    return [shlex.split(line, comments=True)[1:] for line in lines]


def run(command, folder):
    """Run a command; say whether it failed, and show what it said if so."""
    verb = command[0]
    whole = [sys.executable, "-m", "adjudge", *command, *SHORTER.get(verb, [])]
    done = subprocess.run(
        whole, cwd=folder, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
        env=os.environ | {"ADJUDGE_WITNESS": str(folder / "witness")},
    )  # fmt: skip
    fine = done.returncode in MAY_END_WITH.get(verb, (0,)) and "Traceback" not in done.stderr
    if not fine:
        print(f"adjudge {shlex.join(command)}: exit {done.returncode}", done.stderr, sep="\n")
    return not fine


def write_files(folder):
    """Write the files that the list of verbs names."""
    with (ROOT / "examples" / "pump.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    late = ["0"] * 12 + [row["score"] for row in rows]
    for row, behind in zip(rows, late, strict=False):
        row.update(mine=row["score"], theirs=behind, score_b=behind, value=row["score"])
    (folder / "folder").mkdir()
    write_csv(folder / "scores.csv", ["timestamp", "label", "score", "mine", "theirs"], rows)
    for name in "ab":
        write_csv(folder / "folder" / f"{name}.csv", ["label", "value", "score", "score_b"], rows)
    shutil.copytree(ROOT / "examples" / "board", folder / "board")
    for name, recall in (("labels", 1), ("base", 0.4), ("candidate", 0.9)):  # 40 events each
        found = [7 * n % 10 < 10 * recall for n in range(40)]
        flags = [int(found[row // 25] and row % 25 > 19) for row in range(1000)]
        column = "label" if name == "labels" else "score"
        write_csv(folder / f"{name}.csv", [column], [{column: flag} for flag in flags])
    call = [sys.executable, "-m", "adjudge", "evaluate", "scores.csv", "--at", "0.7", "--json"]
    (folder / "judged.json").write_bytes(subprocess.check_output(call, cwd=folder))
    parquet.write_table(arrow_csv.read_csv(folder / "scores.csv"), folder / "scores.parquet")


def write_csv(path, names, rows):
    """Write some columns of some rows."""
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, names, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)


def main():
    """Run what is asked for; the exit code is 1 if anything failed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--verbs", action="store_true", help="also run the list of verbs")
    verbs = parser.parse_args().verbs
    failed = python_blocks()
    shown = commands(r"^\$ adjudge .*", README)
    failed += sum(run(command[1:], ROOT) for command in shown)
    if verbs:
        with tempfile.TemporaryDirectory() as folder:
            write_files(Path(folder))
            every = commands(r"^adjudge .*", EXAMPLES)
            failed += sum(run(command, Path(folder)) for command in every)
    print(f"README: {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
