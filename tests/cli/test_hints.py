"""What people type wrongly gets one line that says what to type instead."""

import numpy as np
import pytest
from click.testing import CliRunner

import adjudge as aj
from adjudge.cli import main

LABELS = np.repeat([0, 1, 0], 10)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "scores.csv"
    lines = [f"{label},{label + 0.5}" for label in LABELS]
    path.write_text("\n".join(["label,score", *lines]) + "\n")
    return path


def run(*args):
    return CliRunner().invoke(main, [str(arg) for arg in args])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--at", "0,9"), "got '0,9'; did you mean 0.9?"),
        (("--at=-1,5e3",), "got '-1,5e3'; did you mean -1.5e3?"),
        (("--at", "1_0"), "got '1_0'"),
        (("--metric", "f1,f1_pa"), "(--metric f1 --metric f1_pa)"),
        (("--metric", "F1, vus-pr"), "(--metric f1 --metric vus_pr)"),
        (("--metric", "vus-pr"), "did you mean 'vus_pr'?"),
        (("--metric", "F1_PA"), "did you mean 'f1_pa'"),
        (("--metric", "F1-PA(x"), "got 'F1-PA(x'"),
        (("--metric", "f1_ba(Width=3)"), "unknown setting 'Width', did you mean 'width'?"),
    ],
)
def test_a_slip_gets_a_hint(file, options, said):
    result = run("evaluate", file, *options)
    assert result.exit_code == 2
    assert said in result.stderr.splitlines()[-1]


def test_the_hint_counts_what_the_list_shows():
    refused = run("show", "nothing").stderr
    counts = [int(word) for word in refused.replace(",", " ").split() if word.isdigit()]
    for options, count in zip(((), ("--all",)), counts, strict=True):
        shown = [line for line in run("list", *options).stdout.splitlines() if line[:2] == "  "]
        assert count == len(shown)


@pytest.mark.parametrize("verb", ["evaluate", "explain"])
def test_a_threshold_without_effect_is_told(file, verb):
    told = run(verb, file, "--at", "0.7", "--metric", "best(f1)").stderr
    assert "adjudge: --at has no effect on best(f1), which chooses its own threshold\n" in told
    told = run(verb, file, "--at", "0.7", "--metric", "f1(at=0.6)").stderr
    assert "adjudge: --at has no effect on f1(at=0.6), which has its own threshold\n" in told
    assert "no effect" not in run(verb, file, "--at", "0.7", "--metric", "f1").stderr


def test_the_library_gives_the_same_hints():
    with pytest.raises(aj.UnknownName, match="did you mean 'f1_ba'"):
        aj.metric("F1_BA")
    with pytest.raises(aj.InputError, match=r"did you mean 0\.9"):
        aj.f1(LABELS, LABELS, at="0,9")


def test_an_unknown_kind_of_result_is_told_with_those_that_there_are():
    said = run("schema", "nope").stderr
    assert "there are judgement, evaluate, explain, compare" in said


def test_a_function_of_ones_own_is_a_metric(file, tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text(
        "def hits(labels, flags):\n    return float((labels * flags).sum() / labels.sum())\n"
    )
    monkeypatch.chdir(tmp_path)
    done = run("evaluate", file, "--at", "0.7", "--metric", "mine:hits", "--metric", "f1", "--csv")
    assert done.exit_code == 0
    assert ",hits,1" in done.stdout
    wrong = run("evaluate", file, "--at", "0.7", "--metric", "mine:misses")
    assert "module 'mine' has no attribute 'misses'" in wrong.stderr
