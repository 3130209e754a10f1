"""The verb compare: two detectors by their names, in every format."""

import csv
import io
import json

import numpy as np
import pytest
from click.testing import CliRunner

import adjudge as aj
from adjudge.cli import main

LABELS = np.tile(np.repeat([0, 1, 0], [30, 10, 40]), 8)
GOOD = np.roll(LABELS, 1) * 0.8 + 0.1
WEAK = GOOD * (np.arange(640) < 400)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "both.csv"
    lines = [f"{x},{a},{b},0" for x, a, b in zip(LABELS, GOOD, WEAK, strict=True)]
    path.write_text("\n".join(["label,mine,theirs,third", *lines]) + "\n")
    return path


def run(*args):
    return CliRunner().invoke(main, ["compare", *map(str, args)])


TWO = ("--score", "mine", "--score", "theirs", "--at", "0.5")


def test_the_detectors_have_their_names(file):
    told = run(file, *TWO, "--metric", "event_f1").stdout
    found = aj.compare(LABELS, GOOD, WEAK, "event_f1", at=0.5, names=("mine", "theirs"))
    assert told == f"{found}\n"
    assert told.startswith(f"event_f1: mine {found.a:.4f}, theirs {found.b:.4f}\nmine is ahead by ")
    assert "a 1.0" in str(aj.compare(LABELS, GOOD, WEAK, "event_f1", at=0.5))


def test_every_format_has_the_same_numbers(file):
    found = aj.compare(LABELS, GOOD, WEAK, at=0.5, names=("mine", "theirs"))
    told = json.loads(run(file, *TWO, "--json").stdout)
    assert told["names"] == ["mine", "theirs"]
    assert (told["difference"], told["p_value"]) == (found.difference, found.p_value)
    assert told["sentences"] == str(found).splitlines()[1:]
    rows = list(csv.DictReader(io.StringIO(run(file, *TWO, "--csv").stdout)))
    assert [float(row["value"]) for row in rows] == [found.a, found.b]
    assert f"| mine | {found.a:.4f} | 0.5 |" in run(file, *TWO, "--md").stdout
    assert rf"theirs & {found.b:.4f} & 0.5 \\" in run(file, *TWO, "--latex").stdout
    assert "is ahead by" in found._repr_html_()
    frame = found.to_frame()
    assert list(frame["detector"]) == ["mine", "theirs"]
    assert list(frame["value"]) == [found.a, found.b]


def test_best_and_thresholds_of_their_own(file):
    best = json.loads(run(file, *TWO[:4], "--best", "--json").stdout)
    assert best["metric"].startswith("best(f1_ba(")
    apart = ("--at", "mine=0.5", "--at", "theirs=0.2")
    assert json.loads(run(file, *TWO[:4], *apart, "--json").stdout)["at"] == [0.5, 0.2]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--score", "mine"), "got mine; name them with"),
        (TWO[:4], "f1_ba needs 0/1 flags or at=<threshold>"),
        ((*TWO[:4], "--metric", "f1_kpa_area"), "sum over events and alarms"),
        ((*TWO[:4], "--tune-on", "third"), "on must hold at least one point, got none of 640"),
    ],
)
def test_what_cannot_be_compared_says_what_to_do(file, options, said):
    result = run(file, *options)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stderr.count("\n") == 2  # how the file was read, and the message


def test_thresholds_are_tuned_on_a_part_and_the_rest_is_compared(tmp_path):
    path, fit = tmp_path / "parts.csv", np.arange(640) < 240
    rows = zip(LABELS, GOOD, WEAK, fit.astype(int), strict=True)
    path.write_text(
        "label,mine,theirs,fit\n" + "".join(f"{a},{b},{c},{d}\n" for a, b, c, d in rows)
    )
    told = json.loads(run(path, *TWO[:4], "--tune-on", "fit", "--json").stdout)
    found = aj.compare(LABELS, GOOD, WEAK, at=aj.tuned(on=fit), names=("mine", "theirs"))
    assert (told["at"], told["p_value"]) == (list(found.at), found.p_value)
    assert told["sentences"][-1] == "thresholds were tuned on 0:240; only the rest is compared"


def test_each_two_of_three_are_compared(file):
    metric = ("--at", "0.5", "--metric", "event_recall")
    three = {"theirs": WEAK, "mine": GOOD, "third": 0 * GOOD}
    options = [part for name in three for part in ("--score", name)]
    found = aj.compare_all(LABELS, three, "event_recall", at=0.5)
    told = run(file, *options, *metric).stdout
    assert told == f"{found}\n"
    assert "mine is significantly ahead of third\n" in told
    given = json.loads(run(file, *options, *metric, "--json").stdout)
    assert [pair["p_adjusted"] for pair in given["pairs"]] == list(found.p_adjusted)
    rows = list(csv.DictReader(io.StringIO(run(file, *options, *metric, "--csv").stdout)))
    assert [(row["one"], row["other"]) for row in rows] == [pair.names for pair in found.pairs]
    assert "| mine | theirs |" in run(file, *options, *metric, "--md").stdout
    last = ("--score", "third", "--score", "mine", "--score", "theirs")
    gates = [run(file, *order, *metric, "--fail-if-worse") for order in (options, last)]
    assert [gate.exit_code for gate in gates] == [0, 3]
    assert "the gate is not passed: third is behind mine\n" in gates[1].stderr


def test_a_gate_fails_only_when_the_first_is_really_behind(file):
    def gate(first, second):
        chosen = ("--score", first, "--score", second, "--at", "0.5", "--metric", "event_recall")
        return run(file, *chosen, "--fail-if-worse")

    assert 0 == gate("mine", "third").exit_code
    assert 0 == gate("theirs", "mine").exit_code  # behind, but luck may explain it
    failed = gate("third", "mine")
    assert 3 == failed.exit_code
    assert "adjudge: the gate is not passed: third is behind mine\n" in failed.stderr


def test_an_undefined_difference_does_not_pass_the_gate(tmp_path):
    path = tmp_path / "quiet.csv"
    path.write_text("label,score_a,score_b\n0,0,0\n1,0,1\n0,0,0\n")
    passed = run(path, "--metric", "precision")
    failed = run(path, "--metric", "precision", "--fail-if-worse")
    assert (passed.exit_code, failed.exit_code) == (0, 3)
    assert (
        "adjudge: the gate is not passed: the difference of score_a and score_b is undefined\n"
        in failed.stderr
    )
