"""The verb audit: sentences for one metric, a matrix for several, files, exit codes."""

import csv
import json
import re

import click
import pytest
from click.testing import CliRunner

import adjudge as aj
from adjudge.cli.group import Group
from adjudge.lab.verbs.auditing import audit

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
    assert lines[1].startswith("L6 (cost per alarm) fail: ")
    assert lines[2] == "    in one run: 0.9950, scattered: 0.9950"
    assert lines[3].strip().startswith("truth")
    assert lines[-2].startswith("L8 (coverage) pass: ")
    assert lines[-1] == "    full: 1.0000, half: 1.0000"
    assert done.stderr == ""


def test_extras_are_printed_only_where_the_sentence_leaves_them_out():
    lines = run("f1", "--axiom", "C-1", "--axiom", "C-3", *QUICK).stdout.splitlines()
    assert lines[1].startswith("C-1 (robust) pass: noise scores up to ")
    assert re.fullmatch(
        r"    Q about 0.3: 0\.\d{4}, Q about 0.2: 0\.\d{4}, Q about 0.09: 0\.\d{4}, "
        r"1 event: 0\.\d{4}",
        lines[2],
    )
    assert ["0.0005", "0.0195"] == re.findall(r"\d\.\d{4}", lines[3])[-2:]
    assert lines[4].strip().startswith("truth")


def test_a_function_can_be_told_its_kind_its_bounds_and_its_direction(tmp_path, monkeypatch):
    (tmp_path / "costmetrics.py").write_text(
        "def wrong(labels, given):\n    return float((labels != given).mean()) - 1\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend("")
    cost = ("costmetrics:wrong", "--axiom", "C-3", "--better", "lower", "--bounds", "-1", "0")
    done = run(*cost)
    assert (
        "C-3 (one mistake costs) fail: perfect flags score 1; one false alarm costs 0.0001"
        in done.stdout
    )
    assert "(turned so that higher is better, scaled so that 1 is the best)" in done.stdout
    assert re.search(r"    perfect  .*  -1\.0000\n    then .*  -0\.9963\n", done.stdout)
    assert json.loads(run(*cost, "--kind", "scores", "--json").stdout)["kind"] == "scores"


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
    assert names == {"axioms.csv", "axioms.md", "axioms.pdf", "axioms.png", "axioms.svg"}
    rows = list(csv.reader((tmp_path / "new" / "axioms.csv").read_text().splitlines()))
    assert rows == [
        ["metric", "C-1a", "L6"],
        ["f1", "fail", "fail"],
        ["f1_ba", "pass", "pass"],
        ["auc_roc", "not applicable", "fail"],
    ]
    assert r"| f1\_ba | + | + |" in (tmp_path / "new" / "axioms.md").read_text()
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
    assert "problem: prints: it wrote to standard output or error" in done.stdout
    done = run("mymetrics:mine", "f1", "--axiom", "L8")
    assert "problem of mymetrics:mine: prints: it wrote to standard" in done.stdout


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ((), "METRIC, or"),
        (("f1", "--all"), "--all or METRIC"),
        (("f1", "--axiom", "C-9"), "unknown axiom 'C-9'"),
        (("f1_bq",), "unknown metric 'f1_bq'"),
        (("nosuch:metric",), "No module named 'nosuch'"),
        (("math:nosuch",), "module 'math' has no attribute 'nosuch'"),
        (("math:pi",), "metric must be a spec, a metric or a function, got 3.14"),
        (
            ("math:hypot", "--bounds", "1", "0"),
            "bounds must be (low, high) with low < high, got (1.0",
        ),
        (("math:hypot", "f1", "--kind", "flags"), "--kind is for module:function alone"),
        (("--all", "--bounds", "0", "1"), "--bounds is for module:function alone"),
        (("f1", "--better", "lower"), "--better is for module:function alone"),
        (("f1", "--effort", "lazy"), "'lazy' is not one of"),
        (("f1", "--jobs", "0"), "--jobs must be a whole number, at least 1, got 0"),
        (("f1", "--seed", "-1"), "seed must be a whole number, at least 0, got -1"),
        (("f1", "--out", "/dev/null/x"), "--out must be a"),
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


def test_the_help_says_how_sure_an_audit_is():
    assert "error probability of 1 %." in " ".join(run("--help").stdout.split())
