"""Run the blocks of the README with whatever is installed: python readme.py [--verbs].

Python blocks and console blocks run as they are, in the folder of the README. With --verbs the list
of verbs runs too, in a folder that holds the files it names; the study there is a small one.
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
SHORTER = {"study": ["--experiments", "300"]}  # 15,000 take minutes
MAY_END_WITH = {"explain-diff": (0, 1)}  # 1: no convention gives the number that it looks for


def python_blocks():
    """Run the Python blocks one after the other, as doctests; say how many examples failed."""
    text = "\n".join(re.findall(r"```python\n(.*?)```", README, re.DOTALL))
    test = doctest.DocTestParser().get_doctest(text, {}, "README.md", "README.md", 0)
    os.chdir(ROOT)
    return doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test).failed


def commands(pattern):
    """The commands of the README, without what stands behind them."""
    lines = re.findall(pattern, README, re.MULTILINE)
    return [shlex.split(line, comments=True)[1:] for line in lines]


def run(command, folder):
    """Run a command; say whether it failed, and show what it said if so."""
    verb = command[0]
    whole = [sys.executable, "-m", "adjudge", *command, *SHORTER.get(verb, [])]
    done = subprocess.run(
        whole, cwd=folder, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )
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
    shown = commands(r"^\$ adjudge .*")
    failed += sum(run(command[1:], ROOT) for command in shown)
    if verbs:
        with tempfile.TemporaryDirectory() as folder:
            write_files(Path(folder))
            failed += sum(run(command, Path(folder)) for command in commands(r"^adjudge .*"))
    print(f"README: {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
