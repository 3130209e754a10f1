"""The verb audit: sentences for one metric, a matrix for several, files, exit codes."""

import csv
import json

import click
import pytest
from click.testing import CliRunner

import adjudge as aj
from adjudge.cli.auditing import audit
from adjudge.cli.group import Group

QUICK = ("--effort", "quick")


@click.group(cls=Group)
def main():
    """Stand in for the whole program."""


main.add_command(audit)


def run(*args):
    return CliRunner().invoke(main, ["audit", *map(str, args)])


def test_one_metric_is_told_in_sentences_with_counterexamples():
    done = run("f1_pa", "--axiom", "L6", "--axiom", "L8")
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert lines[0] == "Audit of f1_pa (normal, seed 0): 1 fail, 1 pass"
    assert lines[1].startswith("L6 fail: ")
    assert lines[2].strip().startswith("truth")
    assert lines[-1].startswith("L8 pass: ")
    assert done.stderr == ""


def test_several_metrics_are_a_matrix():
    done = run("f1", "f1_ba", "--axiom", "L6", "--axiom", "L8")
    assert "+ pass, x fail, ? undecided, - not applicable" in done.stdout
    rows = [line.replace("│", " ").split() for line in done.stdout.splitlines() if "f1" in line]
    assert rows == [["f1", "x", "+"], ["f1_ba", "+", "+"]]


def test_the_matrix_is_written_in_every_format(tmp_path):
    done = run("f1", "f1_ba", "auc_roc", "--axiom", "C-1a", "--axiom", "L6", "--out",
               tmp_path / "new", *QUICK)  # fmt: skip
    assert done.exit_code == 0, done.output
    names = {path.name for path in (tmp_path / "new").iterdir()}
    assert names == {"axioms.csv", "axioms.md", "axioms.png", "axioms.svg"}
    rows = list(csv.reader((tmp_path / "new" / "axioms.csv").read_text().splitlines()))
    assert rows == [
        ["metric", "C-1a", "L6"],
        ["f1", "fail", "fail"],
        ["f1_ba", "pass", "pass"],
        ["auc_roc", "not applicable", "fail"],
    ]
    assert "| f1\\_ba | + | + |" in (tmp_path / "new" / "axioms.md").read_text().replace("_", "\\_")
    assert "axioms.png" in done.stderr


def test_json_is_one_audit_or_a_list_of_them():
    one = json.loads(run("f1", "--axiom", "L6", "--json").stdout)
    assert one["verdicts"] == {"L6": "fail"}
    several = json.loads(run("f1", "f1_ba", "--axiom", "L6", "--json").stdout)
    assert [audit["metric"] for audit in several] == ["f1", "f1_ba"]


def test_all_is_the_whole_catalogue():
    done = run("--all", "--axiom", "L6", "--json", "--jobs", 2)
    assert [one["metric"] for one in json.loads(done.stdout)] == list(aj.catalogue)


def test_a_metric_of_one_s_own_is_found_in_the_current_directory(tmp_path, monkeypatch):
    (tmp_path / "mymetrics.py").write_text(
        "def mine(labels, flags):\n    print('psst')\n    return float((labels * flags).mean())\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend("")
    done = run("mymetrics:mine", "--axiom", "L8")
    assert done.exit_code == 0, done.output
    assert "Audit of mine (normal, seed 0): 1 pass" in done.stdout
    assert "fault: prints: it printed" in done.stdout
    done = run("mymetrics:mine", "f1", "--axiom", "L8")
    assert "fault of mymetrics:mine: prints: it printed" in done.stdout


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ((), "say which METRIC, or --all"),
        (("f1", "--all"), "--all and METRIC exclude each other"),
        (("f1", "--axiom", "C-9"), "unknown axiom 'C-9'"),
        (("f1_bq",), "unknown metric 'f1_bq'"),
        (("nosuch:metric",), "No module named 'nosuch'"),
        (("math:nosuch",), "module 'math' has no attribute 'nosuch'"),
        (("math:pi",), "metric must be a spec, a metric or a function, got 3.14"),
        (("f1", "--effort", "lazy"), "'lazy' is not one of"),
        (("f1", "--jobs", "0"), "--jobs must be a whole number, at least 1, got 0"),
        (("f1", "--seed", "-1"), "seed must be a whole number, at least 0, got -1"),
        (("f1", "--out", "/dev/null/x"), "--out must be a folder that can be written"),
    ],
)
def test_wrong_use_ends_with_exit_code_two(args, said):
    done = run(*args)
    assert done.exit_code == 2
    assert said in done.stderr


def test_a_module_that_cannot_be_imported_is_told(tmp_path, monkeypatch):
    (tmp_path / "brokenmetrics.py").write_text("1 / 0\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    done = run("brokenmetrics:mine")
    assert done.exit_code == 2
    assert "ZeroDivisionError" in done.stderr


def test_the_help_ends_with_an_example():
    assert "adjudge audit f1_pa" in run("--help").stdout
