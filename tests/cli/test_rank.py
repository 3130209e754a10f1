"""`adjudge rank`: a leaderboard from a folder, and what goes wrong."""

import csv
import json

import pandas as pd
import pytest
from click.testing import CliRunner

from adjudge.cli import main
from ranking.benchmark import benchmark, write


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write(tmp_path_factory.mktemp("data"), benchmark(4))


def run(*arguments):
    return CliRunner().invoke(main, ["rank", *map(str, arguments)])


def test_a_folder_becomes_a_leaderboard(folder, tmp_path):
    result = run(folder, "--out", tmp_path, "--no-chance", "--metric", "auc_roc")
    assert result.exit_code == 0, result.output
    assert "3 detectors on 4 series" in result.stdout
    lines = result.stdout.splitlines()
    assert [line.split()[0] for line in lines[3:6]] == ["good", "fair", "blind"]
    assert "(Nemenyi, 0.05)" in result.stdout
    assert f"{tmp_path}/ranking.csv\n" == result.stdout.splitlines(keepends=True)[-1]
    with (tmp_path / "ranking.csv").open(newline="") as stream:
        assert next(csv.DictReader(stream))["detector"] == "score_good"
    assert result.stderr == "adjudge: 4 series found\n"


def test_chance_metrics_thresholds_and_figures_are_options(folder, tmp_path):
    pytest.importorskip("matplotlib")
    result = run(folder, "--out", tmp_path, "--metric", "f1_ba", "--metric", "f1", "--at", "0.9",
                 "--figure")  # fmt: skip
    assert result.exit_code == 0, result.output
    assert "p against chance" in result.stdout
    assert "of 4" in result.stdout
    assert {"ranks.png", "ranks.svg", "ranks.csv"} <= {path.name for path in tmp_path.iterdir()}


def test_failures_are_told_and_the_exit_code_says_partly(folder, tmp_path):
    (tmp_path / "bad.csv").write_text("label,score\n0,x\n")
    result = run(folder, tmp_path / "bad.csv", "--out", tmp_path / "out", "--no-chance")
    assert result.exit_code == 1
    assert "adjudge: bad" in result.stderr
    assert "adjudge: 1 result failed; " in result.stderr
    assert "--retry tries again" in result.stderr


def test_a_reason_that_is_the_same_for_many_is_told_once(folder, tmp_path):
    result = run(folder, "--out", tmp_path / "a", "--no-chance", "--metric", "f1")
    assert result.exit_code == 2  # there is no value at all
    _, why, count = result.stderr.splitlines()
    assert why.startswith("adjudge: blind on x/s00 and 11 others: f1 has one value per threshold")
    assert "(--at X)" in why  # which there is
    assert "--best" not in why
    assert count.startswith("adjudge: 12 results failed")
    result = run(folder, "--out", tmp_path / "b", "--no-chance", "--group", "nope")
    _, why, count = result.stderr.splitlines()
    assert why.startswith("adjudge: x/s00 and 3 others: unknown column 'nope'; it has the columns")
    assert count.startswith("adjudge: 4 results failed")


@pytest.mark.parametrize(("rows", "code"), [("0,x,1", 2), ("0,,\n1,,2", 2), ("0,1,\n1,2,3", 1)])
def test_nothing_but_failures_is_a_failure(rows, code, tmp_path):
    """A file that cannot be read; scores of which each has a gap; one detector without a gap."""
    (tmp_path / "bad.csv").write_text(f"label,score_a,score_b\n{rows}\n")
    how = "--out", tmp_path / "out", "--no-chance", "--metric", "ap"
    result = run(tmp_path / "bad.csv", *how)
    assert result.exit_code == code, result.output
    assert ("that all ranked detectors" in result.stdout) == (code == 1)


def test_wrong_use_ends_in_one_line(folder, tmp_path):
    for data in ([tmp_path / "none"], [folder, tmp_path / "none"], [tmp_path / "none.csv"]):
        result = run(*data, "--out", tmp_path / "out")
        assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
        assert f"{data[-1]}: must be a file or a folder, got nothing" in result.stderr
        assert not (tmp_path / "out").exists()
    result = run(folder, "--out", folder / "x" / "s00.csv")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "out must be a" in result.stderr


def test_the_folder_of_the_series_is_not_written_to(folder, tmp_path):
    before = sorted(folder.rglob("*"))
    result = run(folder, "--out", f"{folder}/../{folder.name}", "--metric", "ap", "--no-chance")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "out must be another folder than data, got" in result.stderr
    assert before == sorted(folder.rglob("*"))


def test_a_ranking_inside_the_folder_of_the_series_is_no_series(tmp_path):
    write(tmp_path, benchmark(2))
    for _ in range(2):  # the second run goes on with the first one's folder
        result = run(tmp_path, "--out", tmp_path / "ranked", "--metric", "ap", "--no-chance")
        assert (result.exit_code, result.stderr.count("\n")) == (0, 1)
        assert result.stderr.startswith("adjudge: 2 series found")
        assert "3 detectors on 2 series" in result.stdout
    ours = f"left out: {tmp_path}/ranked/.adjudge.lock, {tmp_path}/ranked/manifest.json, "
    assert ours in result.stderr
    assert result.stderr.endswith(" and 4 more (written by a ranking)\n")


def test_pooled_values_that_are_undefined_are_told_from_those_not_computed(tmp_path):
    (tmp_path / "a.csv").write_text("label,score\n" + "0,0.1\n0,0.9\n" * 3)
    for option in ("--pooled", "--no-pooled"):
        out = tmp_path / option
        result = run(tmp_path / "a.csv", "--out", out, "--metric", "ap", "--no-chance", option)
        assert result.exit_code == 0, result.output
        (line,) = [line for line in result.stdout.splitlines() if line.startswith("score ")]
        assert line.count("undefined") == 1 + (option == "--pooled")
        assert ("pooled" in result.stdout.splitlines()[1]) == (option == "--pooled")


def test_an_interrupt_says_what_is_kept(folder, tmp_path, monkeypatch):
    def interrupted(data, metrics, *, progress, **_):
        progress(3, 4, 9, 0.5)
        raise KeyboardInterrupt

    monkeypatch.setattr("adjudge.ranking.run.rank", interrupted)
    result = run(folder, "--out", tmp_path)
    assert result.exit_code == 130
    assert f"adjudge: 3 of 4 series are kept in {tmp_path}" in result.stderr


def test_values_are_ranked_printed_and_compared(tmp_path):
    text = "series,detector,metric,value\n" + "".join(
        f"s{s},{name},auc_roc,{0.5 + place / 9 + s / 90}\n"
        for s in range(6) for place, name in enumerate(("low", "mid", "top"))
    )  # fmt: skip
    (tmp_path / "v.csv").write_text(text)
    result = run(tmp_path / "v.csv", "--values")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert [line.split()[0] for line in lines[3:6]] == ["top", "mid", "low"]
    assert not any(f"{word} chance" in result.stdout for word in ("by", "than", "against"))
    turned = run(tmp_path / "v.csv", "--values", "--better", "lower").stdout
    assert [line.split()[0] for line in turned.splitlines()[3:6]] == ["low", "mid", "top"]
    assert "lower is better" in turned
    found = json.loads(run(tmp_path / "v.csv", "--values", "--json").stdout)
    assert found["leaderboard"][0]["detector"] == "top"
    assert found["notes"]
    for shape, mark in (("--md", "| top | **1.00** |"), ("--latex", r"top & \textbf{1.00}")):
        assert mark in run(tmp_path / "v.csv", "--values", shape).stdout
    page = tmp_path / "page.html"
    result = run(tmp_path / "v.csv", "--values", "--html", page, "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert "top" in page.read_text()
    again = run(tmp_path / "out", "--order-by", "detector")
    assert [line.split()[0] for line in again.stdout.splitlines()[3:6]] == ["low", "mid", "top"]
    same = run(tmp_path / "out", "--against", tmp_path / "out")
    assert "no significant change" in same.stdout
    assert json.loads(run(tmp_path / "out", "--against", tmp_path / "out", "--json").stdout)["rows"]
    merged = run("--merge", tmp_path / "out", tmp_path / "out", "--out", tmp_path / "both")
    assert merged.exit_code == 0, merged.output


def test_groups_come_from_a_column(folder, tmp_path):
    for place, path in enumerate(sorted(folder.rglob("*.csv"))):
        pd.read_csv(path).assign(set=f"set {place}").to_csv(tmp_path / path.name, index=False)
    result = run(tmp_path, "--out", tmp_path / "out", "--metric", "auc_roc", "--no-chance",
                 "--group", "set", "--json")  # fmt: skip
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert sorted(found["groups_of_series"]) == [f"set {place}" for place in range(4)]
    assert found["leaderboard"][0]["unit"] == "dataset"
    by_series = run(tmp_path, "--out", tmp_path / "out", "--metric", "auc_roc", "--no-chance",
                    "--group", "set", "--json", "--unit", "series")  # fmt: skip
    assert json.loads(by_series.stdout)["leaderboard"][0]["unit"] == "series"


def test_a_series_has_one_data_set(folder, tmp_path):
    path = min(folder.rglob("*.csv"))
    frame = pd.read_csv(path)
    frame.assign(set=range(len(frame))).to_csv(tmp_path / "a.csv", index=False)
    result = run(tmp_path / "a.csv", "--out", tmp_path / "out", "--no-chance", "--group", "set")
    assert result.exit_code == 2
    assert "group must be one data set per series, got 0, 1, 10" in result.stderr


def test_what_a_ranking_needs_is_said(folder, tmp_path):
    (tmp_path / "v.csv").write_text("series,detector,value\ns,a,1\n")
    assert run(tmp_path / "v.csv", "--values", "--out", tmp_path / "begun").exit_code == 0
    (tmp_path / "begun" / "ranking.csv").unlink()
    for arguments, words in (
        ([folder], "--out DIR is needed"),
        ([tmp_path / "begun"], "the command that"),
        (
            [folder, "--out", tmp_path / "out", "--order-by", "runtime"],
            "--order-by runtime needs --resources FILE, a table with the columns detector and",
        ),
        ([tmp_path / "v.csv", tmp_path / "v.csv", "--values"], "--values takes one table"),
        ([tmp_path / "v.csv", "--values", "--figure"], "--figure has no effect without --out"),
        ([tmp_path / "v.csv", "--values", "--order-by", "size"], "unknown column 'size'"),
        (
            [tmp_path / "v.csv", "--values", "--metric", "f1"],
            "--metric is for series with scores, not for a table",
        ),
        (["--merge", tmp_path], "folders must be"),
    ):
        result = run(*arguments)
        assert result.exit_code == 2, arguments
        assert words in result.stderr


def test_what_is_compared_must_be_rankings(tmp_path):
    data = write(tmp_path / "data", benchmark(2))
    wrong = run(data, "--against", tmp_path / "nowhere")
    assert wrong.exit_code == 2
    assert "--against must be a finished ranking" in wrong.stderr
    run(data, "--out", tmp_path / "old", "--no-chance", "--metric", "ap")
    wrong = run(data, "--against", tmp_path / "old")
    assert wrong.exit_code == 2
    assert "--against compares finished rankings: DATA must be a folder" in wrong.stderr
    right = run(data, "--out", tmp_path / "new", "--no-chance", "--metric", "ap",
                "--against", tmp_path / "old")  # fmt: skip
    assert "no significant change" in right.stdout
    assert "before," not in right.stdout  # nothing else has changed either


def test_thresholds_by_detector_and_what_they_took(tmp_path):
    data = write(tmp_path / "data", benchmark(3))
    (tmp_path / "took.csv").write_text("detector,runtime\ngood,2.5\n")
    how = data, "--out", tmp_path / "out", "--no-chance", "--metric", "f1"
    found = run(*how, "--at", "good=0.5", "--at", "quantile(q=0.9)",
                "--resources", tmp_path / "took.csv")  # fmt: skip
    assert found.exit_code == 0, found.output
    assert "thresholds: good 0.5, others quantile(0.9)" in found.stdout
    assert "2.5" in found.stdout
    learnt = run(*how, "--at", "top(3)", "--train-length", "30")
    assert "thresholds: top(3); learned on the training part" in learnt.stdout
    twice = run(data, "--out", tmp_path / "out", "--at", "0.5", "--at", "0.6")
    assert (
        "--at must be given once, or once per detector as NAME=X, got '0.6' again" in twice.stderr
    )
