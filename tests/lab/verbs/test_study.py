"""`adjudge study`: a table, a summary, and what goes wrong."""

import click
import pytest
from click.testing import CliRunner

from adjudge.cli.group import Group
from adjudge.lab.study.runner import study as run
from adjudge.lab.verbs.studying import study


@pytest.fixture
def program():
    group = Group(name="adjudge")
    group.add_command(study)
    return group


def invoked(program, *arguments):
    return CliRunner().invoke(program, ["study", *map(str, arguments)])


def test_a_study_prints_means_and_where_the_table_is(program, tmp_path):
    result = invoked(
        program, "--experiments", 4, "--seed", 2, "--jobs", 1, "--out", tmp_path,
        "--metric", "auc_roc", "--metric", "f1_ba(width=5, margin=1)",
    )  # fmt: skip
    assert 0 == result.exit_code
    assert "4 experiments, design authors, seed 2" in result.stdout
    table = run(4, seed=2, metrics=["auc_roc", "f1_ba(width=5, margin=1)"])
    for name in table.columns[16:]:
        line = next(line for line in result.stdout.splitlines() if line.startswith(f"{name} "))
        assert f" {table[name].mean():.4f} " in line
    assert f"{tmp_path / 'experiments.csv'}\n" == result.stdout.splitlines(keepends=True)[-1]
    table.to_csv(tmp_path / "same.txt")
    assert (tmp_path / "same.txt").read_bytes() == (tmp_path / "experiments.csv").read_bytes()
    assert "" == result.stderr


def test_a_score_that_is_never_defined_has_no_mean(program, tmp_path):
    result = invoked(
        program, "--experiments", 1, "--seed", seed_without_hits(), "--jobs", 1,
        "--out", tmp_path, "--metric", "event_coverage",
    )  # fmt: skip
    line = next(line for line in result.stdout.splitlines() if "event_coverage" in line)
    assert ["nan", "nan", "0"] == line.split()[1:]


def seed_without_hits():
    return next(seed for seed in range(500) if run(1, seed=seed)["events_found"][0] == 0)


def test_the_folder_of_another_study_is_refused_in_one_line(program, tmp_path):
    invoked(program, "--experiments", 2, "--jobs", 1, "--out", tmp_path)
    result = invoked(program, "--experiments", 2, "--jobs", 1, "--out", tmp_path, "--seed", 1)
    assert 2 == result.exit_code
    assert "adjudge: out must be a new folder or that of the same study" in result.stderr
    assert 1 == len(result.stderr.splitlines())


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--design", "mine", "'mine' is not one of 'authors', 'controlled'"),
        ("--experiments", "0", "experiments must be a whole number, at least 1, got 0"),
        ("--jobs", "0", "jobs must be a whole number, at least 1, got 0"),
        ("--metric", "f1_bb", "unknown metric 'f1_bb'"),
    ],
)
def test_wrong_use_exits_with_two(program, tmp_path, option, value, said):
    result = invoked(program, "--out", tmp_path, option, value)
    assert 2 == result.exit_code
    assert said in " ".join(result.stderr.split())


def test_an_interrupt_says_what_is_kept(program, tmp_path, monkeypatch):
    def interrupted(experiments, *, progress, **_):
        progress(300, experiments)
        raise KeyboardInterrupt

    monkeypatch.setattr("adjudge.lab.study.runner.study", interrupted)
    result = invoked(program, "--out", tmp_path, "--jobs", 1)
    assert 130 == result.exit_code
    kept = f"adjudge: 300 of 15,000 experiments are kept in {tmp_path}"
    assert kept in result.stderr


def test_the_claims_come_with_verdict_and_numbers(program, tmp_path):
    result = invoked(program, "--experiments", 60, "--jobs", 1, "--out", tmp_path, "--claims")
    assert 0 == result.exit_code
    first = result.stdout.partition("\n1. ")[2].partition("\n2. ")[0]
    assert "HOLDS WHEN CORRECTED" in first
    assert "0.056" in first
    assert "other readings: printed: does not hold; authors: does not hold" in result.stdout


def test_help_shows_the_options():
    result = CliRunner().invoke(study, ["--help"])
    for option in ("--experiments", "--seed", "--design", "--jobs", "--metric", "--out"):
        assert option in result.stdout
    assert isinstance(study, click.Command)
