"""Boards that others extend: what is refused, what is accepted, what the pages say."""

import inspect
import json
import shutil
import sys
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from click.testing import CliRunner

import adjudge as aj
from adjudge.cli import main
from adjudge.ranking.boards import verification
from adjudge.ranking.boards.submissions import SCHEMAS, departures, read_board
from adjudge.ranking.boards.submissions import _below as below
from adjudge.ranking.boards.verification import prepare
from adjudge.reporting.page.board_pages import build_board
from adjudge.stores import engines
from ranking.tampering import (
    NAME,
    SERIES,
    TAMPERED,
    N,
    edit,
    labels_of,
    make_board,
    rehash,
    scores_of,
    submit,
)


@pytest.fixture(autouse=True)
def here(monkeypatch):
    """Verify in this process, where it is seen which lines are run."""
    monkeypatch.setattr(engines, "can_fork", lambda: False)


EXAMPLE = Path(__file__).parents[2] / "examples" / "board"


@pytest.fixture(scope="module")
def clean(tmp_path_factory):
    board = make_board(tmp_path_factory.mktemp("board") / "clean")
    submit(board, "honest", seed=0)
    submit(board)
    return board


@pytest.fixture
def board(clean, tmp_path):
    return Path(shutil.copytree(clean, tmp_path / "board", symlinks=True))


def refusal(board, how):
    """Tamper with a submission; why it is refused, of whatever name it then has."""
    tamper, _ = TAMPERED[how]
    tamper(board / "submissions" / NAME)
    others = [name for name in sorted(p.name for p in (board / "submissions").iterdir())
              if name != "honest"]  # fmt: skip
    (row,) = aj.verify(board, others).rows
    return row


def test_all_ways_to_tamper_are_refused_and_honest_ones_pass(clean, tmp_path):
    assert len(TAMPERED) >= 60
    for number, (how, (_, reason)) in enumerate(TAMPERED.items()):
        copy = Path(shutil.copytree(clean, tmp_path / f"{number}", symlinks=True))
        row = refusal(copy, how)
        assert row.reasons, how
        assert reason in row.says, (how, row.says)
        assert row.says.isprintable(), how
    board = make_board(tmp_path / "honest")
    names = (
        "LOF iforest-2.1 a my_detector v2.0+gpu 9lives run-ab run-cd run-ef run-gh run-jk run-mn"
    )
    names = [*names.split(), "run-pq", "run-st", "x" * 64]
    for seed, name in enumerate(names):
        submit(board, name, seed, about={"code": "https://example.org/x", "title": "Ä <b>"})
    forms = {"as-text": as_text, "in-parquet": in_parquet, "some-series": some_series,
             "scores-alone": scores_alone, "with-readme": with_readme}  # fmt: skip
    for name, change in forms.items():
        change(board, submit(board, name, 50))
    found = aj.verify(board)
    assert len(found.rows) == 20
    assert [row.says for row in found.refused] == []


def as_text(board, folder):
    for place, name in enumerate(SERIES):
        (folder / "scores" / f"{name}.npy").unlink()
        text = "\n".join(map(repr, scores_of(50, place).tolist()))
        (folder / "scores" / f"{name}.csv").write_text(f"score\n{text}\n")
    prepare(board, folder.name)


def in_parquet(board, folder):
    pandas = pytest.importorskip("pandas")
    pandas.read_csv(folder / "values.csv").to_parquet(folder / "values.parquet")
    (folder / "values.csv").unlink()
    rehash(folder)


def some_series(board, folder):
    (folder / "scores" / "y" / "d.npy").unlink()
    prepare(board, folder.name)


def scores_alone(board, folder):
    (folder / "values.csv").unlink()
    rehash(folder)


def with_readme(board, folder):
    (folder / "README.md").write_text("hello")


@pytest.mark.parametrize("form", [as_text, in_parquet, some_series, scores_alone, with_readme])
def test_honest_forms_are_accepted(board, form):
    form(board, board / "submissions" / NAME)
    (row,) = aj.verify(board, [NAME]).rows
    assert row.says.startswith("accepted: ")
    assert row.recomputed == (3 if form is some_series else 4)


def test_a_sample_differs_by_submission_and_seed(board):
    found = aj.verify(board, sample=2)
    assert [row.recomputed for row in found.rows] == [2, 2]
    assert "2 of 4 series" in str(found)
    TAMPERED["a thousandth more"][0](board / "submissions" / NAME)
    caught = [not aj.verify(board, [NAME], sample=1, seed=s).rows[0].is_accepted for s in range(12)]
    assert set(caught) == {True, False}  # which is why all are judged by default


def test_no_sample_is_enough_where_no_values_were_sent(board):
    scores_alone(board, board / "submissions" / NAME)
    (row,) = aj.verify(board, [NAME], sample=1).rows
    assert row.recomputed == 4


def test_values_alone_are_stated_where_a_board_takes_them(tmp_path):
    board = make_board(tmp_path / "board", stated=True)
    folder = submit(board)
    shutil.rmtree(folder / "scores")
    rehash(folder)
    (row,) = aj.verify(board).rows
    assert row.says == "accepted as stated, without scores: 4 series"
    prepare(board, NAME)
    assert aj.verify(board).rows[0].is_accepted


def test_a_board_without_labels(tmp_path):
    board = tmp_path / "board"
    (board / "submissions" / "lof").mkdir(parents=True)
    (board / "submissions" / "README.md").write_text("hello")
    rules = {"schema": 1, "title": "Values", "metrics": ["Their-Metric"], "series": "series.csv"}
    (board / "board.json").write_text(json.dumps(rules))
    (board / "series.csv").write_text("series,group\na,x\nb,y\n")
    values = board / "submissions" / "lof" / "values.csv"
    values.write_text("series,detector,value\na,lof,7\nb,lof,\n")
    prepare(board, "lof")
    (row,) = aj.verify(board).rows
    assert row.says == "refused: meta.json: authors must not be empty"
    edit(values.parent, lambda meta: meta.update(authors=["me"]))
    prepare(board, "lof")
    (row,) = aj.verify(board).rows
    assert row.is_accepted, row.says
    assert row.values["a", "Their-Metric"] == 7
    scores = board / "submissions" / "lof" / "scores"
    scores.mkdir()
    np.save(scores / "a.npy", np.zeros(3))
    rehash(board / "submissions" / "lof")
    assert "this board has no labels" in aj.verify(board).rows[0].says


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"title": 3}, "title must be of type string, got 3"),
        ({"data": "../labels"}, "data must be a path inside the board"),
        ({"data": "nothing"}, "data must be a folder with a file per series"),
        ({"series": "/etc/passwd"}, "series must be a path inside the board"),
        ({"series": "board.json"}, "CSV table with the columns series and group"),
        ({"series": "few.csv"}, "series must name every series, got none for 'x/b'"),
        ({"metrics": ["f99"]}, "f99"),
        ({"colour": "red"}, "colour is not known"),
    ],
)
def test_a_board_that_cannot_be_read(tmp_path, rules, message):
    board = make_board(tmp_path / "board", **rules)
    (board / "few.csv").write_text("series,group\nx/a,x\n")
    with pytest.raises(aj.AdjudgeError, match=message):
        aj.verify(board)


def test_what_is_no_board(tmp_path, board):
    with pytest.raises(aj.InputError, match=r"board must be a folder with board\.json"):
        aj.verify(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "board.json").write_text(
        json.dumps({"schema": 1, "title": "x", "metrics": ["f1"]})
    )
    with pytest.raises(aj.InputError, match="data must be the folder of the labels, or series"):
        aj.verify(tmp_path / "empty")
    with pytest.raises(aj.UnknownName, match="nobody"):
        aj.verify(board, ["nobody"])
    assert aj.verify(make_board(tmp_path / "new")).rows == []


def test_an_undefined_value_is_the_same_as_itself(tmp_path):
    board = make_board(tmp_path / "board")
    (board / "labels" / "x" / "a.csv").write_text("label\n" + "0\n" * N)
    submit(board)
    (row,) = aj.verify(board).rows
    assert row.is_accepted, row.says
    assert np.isnan(row.values["x/a", "auc_roc"])


def test_labels_that_cannot_be_read_are_a_reason(board):
    file = board / "labels" / "x" / "a.csv"
    file.write_text("label\n")
    edit(board / "submissions" / NAME, lambda m: m.update(data=read_board(board).data))
    (row,) = aj.verify(board, [NAME]).rows
    assert not row.is_accepted


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("../x", "a name must have letters"),
        ("nobody", "name must be a folder of submissions/"),
        ("empty", "scores/ or a table of values must be there"),
        ("other", "must be of the board's series, got 'z'"),
        ("short", "as long as the labels"),
    ],
)
def test_what_cannot_be_prepared(board, name, message):
    for one in ("empty", "other", "short"):
        (board / "submissions" / one / "scores" / "x").mkdir(parents=True)
    np.save(board / "submissions" / "other" / "scores" / "z.npy", np.zeros(3))
    np.save(board / "submissions" / "short" / "scores" / "x" / "a.npy", np.zeros(3))
    (board / "submissions" / "short" / "meta.json").write_text("[]")
    with pytest.raises(aj.InputError, match=message):
        prepare(board, name)


def test_the_schemas_are_json_schemas_and_say_what_the_check_says(board):
    meta = json.loads((board / "submissions" / NAME / "meta.json").read_text())
    for changed in (
        {}, {"schema": 2}, {"name": "../x"}, {"authors": [3]}, {"files": {"a": "b"}},
        {"settings": {}}, {"colour": 1}, {"code": "http://x"}, {"title": True},
    ):  # fmt: skip
        found = {**meta, **changed}
        judge = jsonschema.Draft202012Validator(SCHEMAS["submission"])
        assert judge.is_valid(found) is (not list(departures(found, SCHEMAS["submission"])))
    assert list(departures([], {"type": "array", "minItems": 1, "items": {}})) == [
        "the file must not be empty"
    ]
    assert list(departures({"a": 1}, {"type": "object"})) == []


def test_the_example_keeps_its_own_rules():
    found = aj.verify(EXAMPLE)
    assert [row.says for row in found.refused] == []
    assert len(found.rows) == 2
    for name, own in SCHEMAS.items():
        written = json.loads((EXAMPLE / "schema" / f"{name}.json").read_text())
        assert {key: written[key] for key in own} == own
    workflow = (EXAMPLE / ".github" / "workflows" / "verify.yml").read_text()
    assert "adjudge verify ." in workflow


def test_pages_say_who_what_and_since_when(board, tmp_path):
    site = tmp_path / "site"
    edit(board / "submissions" / NAME, lambda m: m.update(authors=["<script>alert(1)</script>"]))
    first = build_board(board, site)
    assert first.changes == {}
    names = {page.name for page in first.pages}
    assert {"index.html", "all.html", "metric-auc_roc.html", "metric-auc_roc--x.html"} <= names
    assert len(names) == 2 + 2 * (1 + 2)
    for page in first.pages:
        text = page.read_text("utf-8")
        assert "<script>alert" not in text
        if page.name != "all.html":
            assert "&lt;script&gt;alert(1)" in text
            assert "4 of 4" in text
    submit(board, "third", 7, about={"code": "https://example.org/third"})
    (board / "submissions" / "honest" / "values.csv").unlink()
    again = build_board(board, site)
    assert [row.name for row in again.verification.refused] == ["honest"]
    index = (site / "index.html").read_text("utf-8")
    assert "third is new" in index
    assert "honest: meta.json: files must name what is there" in index
    assert 'href="https://example.org/third"' in index
    state = json.loads((site / "build.json").read_text())
    assert state["refused"] == 1
    assert {row["detector"] for row in state["changes"]["auc_roc"]["rows"]} == {
        "honest", NAME, "third",
    }  # fmt: skip
    assert "(0.0000 to 0.0000)" not in index or "None now" not in index
    with pytest.raises(aj.InputError, match="before must be the folder of an earlier build"):
        build_board(board, tmp_path / "other", before=tmp_path / "nothing")
    with pytest.raises(aj.InputError, match="a submission that keeps the rules, got none"):
        build_board(make_board(tmp_path / "new"), tmp_path / "third")


def run(*arguments):
    return CliRunner().invoke(main, ["verify", *map(str, arguments)])


def test_the_command_line(board, tmp_path):
    good = run(board)
    assert good.exit_code == 0, good.output
    assert "2 of 2 submissions" in good.stdout
    TAMPERED["a thousandth more"][0](board / "submissions" / NAME)
    bad = run(board, NAME, "--json")
    assert bad.exit_code == 3
    found = json.loads(bad.stdout)
    assert (found["accepted"], found["refused"]) == (0, 1)
    assert "recomputed from its scores" in found["submissions"][0]["reasons"][0]
    assert run(board, NAME, "--prepare").exit_code == 0
    assert run(board, "--build", tmp_path / "site", "--md").exit_code == 0
    assert run(board, "--prepare").exit_code == 2
    assert run(board, NAME, "--build", tmp_path / "site").exit_code == 2


def test_a_flood_of_reasons_is_cut(board):
    TAMPERED["all perfect"][0](board / "submissions" / NAME)
    (row,) = aj.verify(board, [NAME]).rows
    assert row.reasons[-1].startswith("and ")
    assert len(row.reasons) == 5
    assert labels_of(0).sum() == 8


def test_scores_that_a_metric_cannot_judge_are_told_with_their_series(tmp_path):
    board = make_board(tmp_path / "board", metrics=["f1"])
    with pytest.raises(aj.InputError, match=r"^x/a: f1 has one value per threshold.* at="):
        submit(board)


def test_a_submission_that_takes_too_much_is_refused_and_the_others_are_not(board, monkeypatch):
    monkeypatch.undo()  # in processes of their own
    TAMPERED["a thousandth more"][0](board / "submissions" / NAME)
    rules = json.loads((board / "board.json").read_text())
    checked = verification._checked  # noqa: SLF001 - that is what takes too much

    def check(rules, name, **how):
        return checked(rules, name, **how) if name == "honest" else bytearray(10**10)

    assert [row.is_accepted for row in aj.verify(board).rows] == [True, False]
    monkeypatch.setattr(verification, "_checked", check)
    (board / "board.json").write_text(json.dumps({**rules, "gigabytes": 1.5}))
    honest, other = aj.verify(board).rows
    assert honest.is_accepted
    assert other.says == "refused: cannot be verified: MemoryError: "
    (board / "board.json").write_text(json.dumps({**rules, "seconds": 1e-9}))
    said = "refused: cannot be verified: it took more than 1e-09 s"
    assert aj.verify(board, ["honest"]).rows[0].says == said


@pytest.mark.parametrize("name", ["seconds", "gigabytes"])
def test_the_limits_of_a_board_are_more_than_nothing(tmp_path, name):
    board = make_board(tmp_path / "board", **{name: 0})
    with pytest.raises(aj.InputError, match=f"{name} must be more than 0, got 0"):
        aj.verify(board)


def test_folders_are_walked_however_deep_and_links_are_not(board):
    place = board / "submissions" / NAME / "scores" / "x"
    for _ in range(300):
        place = place / "deep"
        place.mkdir()
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + 120)
    try:
        (row,) = aj.verify(board, [NAME]).rows
    finally:
        sys.setrecursionlimit(before)
    assert row.is_accepted, row.says


def test_a_folder_that_cannot_be_read_is_a_reason(board, monkeypatch):
    def unreadable(path):
        if path.name == "scores":
            raise OSError(13, "Permission denied")
        return [path / "scores"]

    monkeypatch.setattr(Path, "iterdir", unreadable)
    with pytest.raises(aj.InputError, match=r"^scores: cannot be read: Permission denied"):
        below(board / "submissions" / NAME)


ALIKE = ["honest", " HONEST", "h0nest", "h\u043enest", "\uff48onest"]


@pytest.mark.parametrize("title", ALIKE)
def test_a_title_that_passes_for_another_is_refused(board, title):
    edit(board / "submissions" / NAME, lambda found: found.update(title=title))
    (row,) = aj.verify(board, [NAME]).rows
    assert row.says.startswith("refused: meta.json: title must not look like the name of another")
    edit(board / "submissions" / NAME, lambda found: found.update(title=NAME))
    assert aj.verify(board, [NAME]).rows[0].is_accepted


@pytest.mark.parametrize("pair", [("autom", "autorn"), ("wave", "vvave"), ("sedan", "seclan")])
def test_names_that_look_alike_are_refused(tmp_path, pair):
    board = make_board(tmp_path / "board")
    for seed, name in enumerate(pair):
        submit(board, name, seed)
    assert all("must not look like" in row.says for row in aj.verify(board).rows)


@pytest.mark.parametrize("hidden", ["\xad", "\u3164", "\ufe0f", "\U000e0041", "\u200d", "\ue000"])
def test_letters_that_nobody_sees_are_refused(board, hidden):
    edit(board / "submissions" / NAME, lambda found: found.update(title=f"LOF{hidden}"))
    (row,) = aj.verify(board, [NAME]).rows
    assert f"got {hidden!a} at letter 4" in row.says


def test_no_more_values_are_read_than_a_board_can_have(board):
    file = board / "submissions" / NAME / "values.csv"
    file.write_text(file.read_text() * 3)
    rehash(file.parent)
    (row,) = aj.verify(board, [NAME]).rows
    assert row.says == "refused: values.csv: there must be at most 16 rows, got more"


def test_a_reason_is_not_longer_than_one_reads(board):
    edit(board / "submissions" / NAME, lambda found: found.update({"a" * 10_000: 1}))
    (row,) = aj.verify(board, [NAME]).rows
    assert len(row.says) < 700
