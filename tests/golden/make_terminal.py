"""Write what every verb prints, in a terminal of 80 columns: tests/golden/terminal/*.txt.

Run it after a change of words or layout, and read the difference before it is committed:
``python tests/golden/make_terminal.py``. The numbers in these files may be older than the code's;
the test compares everything but them.
"""

import os
import sys
import tempfile
from pathlib import Path
from shutil import copytree

import numpy as np
from click.testing import CliRunner

from adjudge.cli import main

FOLDER = Path(__file__).parent / "terminal"
WIDTH = 80
QUICK = {
    "evaluate_best": "evaluate one.csv --best",
    "evaluate_two": "evaluate two.csv --at 1.5",
    "evaluate_files": "evaluate one.csv two.csv --best --shifts 39",
    "evaluate_series": "evaluate two.csv --score score_mine --series machine --per-series --at 1.5",
    "evaluate_verbose": "evaluate two.csv --at quantile(0.95) --verbose --metric f1_ba",
    "evaluate_lower": "evaluate two.csv --at 1.5 --metric detection_delay --metric f1(beta=2)"
    " --metric f1(beta=0.5)",
    "evaluate_incidents": "evaluate --truth incidents.csv --alerts alerts.csv --span 2026-03-01 "
    "2026-03-08 --every 1h",
    "evaluate_over_time": "evaluate two.csv --at 1.5 --metric f1_ba --over-time 200 --shifts 19 "
    "--fail-if-worse-than 400",
    "evaluate_quiet": "evaluate quiet.csv",
    "explain": "explain one.csv --at 1.5",
    "explain_times": "explain one.csv --at 1.5 --time when --metric detection_delay",
    "compare": "compare two.csv --at 1.5",
    "decide": "decide one.csv --time when --blocks 1d --cost miss=100 --cost false=5 --candidate 2"
    " --candidate 2.5",
    "list": "list",
    "show": "show f1_ba",
    "simulate": "simulate --out cases --cases 2 --force",
}
SLOW = {
    "demo": "demo",
    "audit_one": "audit f1_pa --effort quick --axiom C-3",
    "audit_two": "audit f1 f1_pa --effort quick --axiom C-2 --axiom C-3",
    "study": "study --experiments 20 --jobs 1 --out study",
    "calibrate": "calibrate one.csv --at 1.5 --versions 20 --draws 20",
    "inspect": "inspect two.csv --series machine --signal score_theirs --time when --shifts 19",
    "rank": "rank two.csv again.csv --no-chance --out ranked",
    "verify": "verify board",
    "explain_diff": "explain-diff one.csv --theirs 0.7190",
}
BY_THE_CATALOGUE = ("list", "show")
"""What prints the words of the catalogue, which are its own."""
ONE_LINE = {
    "report": "report one.csv --no-chance --out report.html",
    "playground": "playground --out play.html",
    "figure": "figure strip --out figures",
    "schema": "schema explain",
    "seal": "seal labels.csv base.csv --at 0.5 -o pump.seal.toml",
    "judge": "judge pump.seal.toml --show",
    "serve": "serve --skill",
}
"""What does not depend on the width: paths and JSON; and what can be done once alone."""


def write_files():
    """Write the data of the commands into the current folder."""
    copytree(Path(__file__).parents[2] / "examples" / "board", "board")
    rng = np.random.default_rng(7)
    labels = np.tile(np.repeat([0, 1, 0], [50, 12, 38]), 10)
    mine = (rng.normal(size=1000) + 2 * labels).round(3)
    theirs = (rng.normal(size=1000) + labels).round(3)
    when = np.datetime64("2026-03-01T00:00") + np.arange(1000) * np.timedelta64(10, "m")
    machine = np.repeat(["left", "right"], 500)
    columns = {"label": labels, "when": when, "machine": machine}
    _write("one.csv", {**columns, "score": mine})
    _write("two.csv", {**columns, "score_mine": mine, "score_theirs": theirs})
    _write("again.csv", {**columns, "score_mine": mine[::-1], "score_theirs": theirs})
    _write("quiet.csv", {"label": 0 * labels[:50], "score": 0 * labels[:50]})
    starts = np.datetime64("2026-03-01T04:00") + np.arange(6) * np.timedelta64(26, "h")
    _write("incidents.csv", {"start": starts, "end": starts + np.timedelta64(3, "h")})
    _write("alerts.csv", {"time": starts[::2] + np.timedelta64(1, "h")})


def _write(name, columns):
    rows = zip(*columns.values(), strict=True)
    lines = [",".join(columns), *(",".join(map(str, row)) for row in rows)]
    Path(name).write_text("\n".join(lines) + "\n")


def printed(command, width=None):
    """Give what a command prints to stdout in a terminal of that width, in the current folder."""
    os.environ.pop("COLUMNS", None)
    env = {} if width is None else {"COLUMNS": str(width)}
    words = [word for part in command.split("'") for word in part.split()]
    result = CliRunner(env=env).invoke(main, words)
    if result.exit_code != 0:
        raise RuntimeError(f"{command}: {result.output}")
    return result.stdout


def make():
    """Write every file anew."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        write_files()
        for name, command in (QUICK | SLOW).items():
            if name in BY_THE_CATALOGUE:
                continue
            (FOLDER / f"{name}.txt").write_text(printed(command, WIDTH))
            sys.stderr.write(f"{name}\n")


if __name__ == "__main__":
    make()
