"""Result columns: each is declared once, and every list of them follows."""

import ast
import json
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

import adjudge
from adjudge.judging.result_columns import COLUMNS, CSV, RANKED, Finding

SOURCE = Path(adjudge.__file__).parent
DOCS = SOURCE.parents[1] / "docs"
NAMES = {item.name for item in fields(Finding)}
ONE_MORE = """
from __future__ import annotations

import json, runpy, sys
from dataclasses import dataclass

from click.testing import CliRunner

from adjudge.noise import chance_columns
from adjudge.tables.result_fields import Shown, column


@dataclass(frozen=True, kw_only=True, eq=False)
class OneMore(chance_columns.ChanceLine):
    luck: int = column(
        7, "How lucky it was.", csv=99, ranking=17, files="mean", shown=Shown("luck", 14, 0)
    )


chance_columns.ChanceLine = OneMore

import adjudge as aj
from adjudge.cli import main

files, made, page = sys.argv[1:3], *sys.argv[3:]
run = lambda *call: CliRunner().invoke(main, call, catch_exceptions=False).stdout
rows = aj.rank(files, metrics=["f1"], chance=True, shifts=9, out=made).results
print(json.dumps({
    "schema": aj.judging.result_columns.schema("judgement"),
    "row": json.loads(run("evaluate", files[0], "--json"))["rows"][0],
    "csv": run("evaluate", files[0], "--csv").splitlines()[:2],
    "text": run("evaluate", *files, "--metric", "f1").splitlines(),
    "ranked": [row["luck"] for row in rows],
    "docs": runpy.run_path(page)["page"](),
}))
"""


def test_a_column_that_is_added_is_found_everywhere(tmp_path):
    """Added to the class before anything else is imported, as an edit of its module would."""
    for name in "ab":
        labels = "".join(f"{int(i in range(4, 8))},{int(i in range(5, 9))}\n" for i in range(30))
        (tmp_path / f"{name}.csv").write_text(f"label,score\n{labels}")
    call = [
        tmp_path / "a.csv",
        tmp_path / "b.csv",
        tmp_path / "made",
        DOCS.parent / "tools" / "make_columns.py",
    ]
    done = subprocess.run(
        [sys.executable, "-c", ONE_MORE, *map(str, call)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    kinds = found["schema"]["properties"]["rows"]["items"]
    assert kinds["properties"]["luck"] == {"type": "integer", "description": "How lucky it was."}
    assert "luck" in kinds["required"]
    assert found["row"]["luck"] == 7
    head, line = (row.split(",") for row in found["csv"])
    assert (head[-1], line[-1]) == ("luck", "7")
    title, *_ = (line for line in found["text"] if "by chance" in line)
    assert title.split()[-1] == "luck"
    mean, *_ = (line for line in found["text"] if line.startswith("mean"))
    assert mean.split()[-1] == "7.0000"
    assert found["ranked"] == [7, 7]
    assert (tmp_path / "made" / "results.csv").read_text().splitlines()[1].endswith(",7,")
    assert "| `luck` | `int` | How lucky it was. | CSV, ranking, text: luck |" in found["docs"]


def test_every_field_is_a_column_but_four():
    assert NAMES - COLUMNS.keys() == {"resolved_metric", "at_text", "tests", "places"}


def test_no_two_columns_take_one_place():
    for places in (
        [COLUMNS[name].csv for name in CSV],
        [one.ranking for one in RANKED.values()],
        sorted(one.shown.place for one in COLUMNS.values() if one.shown),
    ):
        assert places == list(range(1, len(places) + 1))


def test_words_are_sentences_that_a_table_can_hold():
    for name, one in COLUMNS.items():
        assert one.words.endswith("."), name
        assert "|" not in one.words, name
        assert "\n" not in one.words, name


ELSEWHERE = {  # names that other tables share, and rows that are filled in, not listed
    "judging/comparing/comparison.py": (2, "columns of a comparison"),
    "judging/comparing/several.py": (1, "columns of each two of several"),
    "judging/receipt.py": (1, "what a receipt says of its metric"),
    "judging/result_columns.py": (6, "the JSON of receipts, comparisons and rankings"),
    "judging/result_tables.py": (1, "how single cells are written, not which there are"),
    "ranking/boards/against.py": (1, "columns of a comparison of leaderboards"),
    "ranking/boards/board.py": (1, "columns of a leaderboard of which low values are good"),
    "ranking/boards/verification.py": (2, "columns of the values of a submission"),
    "ranking/finished.py": (1, "settings in which leaderboards may differ"),
    "ranking/power.py": (1, "the JSON of a benchmark's power"),
    "ranking/leaderboard.py": (1, "columns of a leaderboard"),
    "ranking/statistics.py": (1, "columns of pairs"),
    "ranking/result.py": (2, "columns of other tables of a ranking, and of its drawing"),
    "ranking/parts/finish.py": (1, "what a part knows a row by"),
    "ranking/parts/gathered.py": (1, "what a part knows a row by"),
    "ranking/parts/schema.py": (2, "columns of parts"),
    "ranking/values.py": (1, "rows of stored values"),
    "ranking/cells.py": (2, "rows that failed, and rows without the chance line"),
    "ranking/keys.py": (2, "rows that failed"),
    "ranking/task.py": (1, "settings"),
    "reporting/page/board_pages.py": (1, "columns of the values of all submissions"),
    "reporting/page/ranking_page.py": (3, "columns of a leaderboard, a data set and a pair"),
    "judging/channels/annotators.py": (1, "a detector beside chance and humans"),
    "reporting/page/report_page.py": (1, "a window of time"),
    "reporting/page/detector_payload.py": (2, "what a page knows of a detector and of an alert"),
    "ranking/regret.py": (1, "the JSON of a regret"),
    "sealing/contract.py": (1, "settings of a contract"),
    "sealing/doors.py": (1, "settings of a contract"),
    "judging/judgement.py": (1, "raw counts"),
    "judging/doors/evaluate.py": (2, "settings of the chance line"),
    "judging/doors/over_time.py": (1, "what is handed on"),
}


def lists(path):
    """Count the literals of a module that hold three or more names of columns."""
    count = 0
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Set(elts=items):
                pass
            case ast.Dict(keys=items):
                pass
            case _:
                continue
        names = {item.value for item in items if isinstance(item, ast.Constant)}
        count += len(names & NAMES) >= 3
    return count


@pytest.mark.long
def test_no_other_module_keeps_a_list_of_columns():
    counts = {path.relative_to(SOURCE).as_posix(): lists(path) for path in SOURCE.rglob("*.py")}
    found = {path: count for path, count in counts.items() if count}
    assert found == {path: count for path, (count, _) in ELSEWHERE.items()}
