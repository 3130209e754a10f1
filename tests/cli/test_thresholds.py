"""Thresholds on the command line: per detector, learnt, tuned."""

import json
import re

import numpy as np
import pytest
from click.testing import CliRunner

import adjudge as aj
from adjudge.cli import main

LABELS = np.tile(np.repeat([0, 1, 0], [10, 5, 10]), 4)
SCORES = np.random.default_rng(0).random((2, 100)).round(3)
FIRST = (np.arange(100) < 50).astype(int)


@pytest.fixture
def path(tmp_path):
    rows = zip(LABELS, *SCORES, FIRST, strict=True)
    text = "label,score_a,score_b,fit\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)
    (tmp_path / "a.csv").write_text(text)
    return tmp_path / "a.csv"


def run(*args):
    return CliRunner().invoke(main, [*map(str, args), "--no-chance"])


def rows(*args):
    result = run(*args, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)["rows"]


def test_one_threshold_per_detector(path):
    asked = ("evaluate", path, "--metric", "f1", "--at", "score_a=0.5", "--at", "score_b=top(7)")
    first, second = rows(*asked)
    assert first["value"] == aj.f1(LABELS, SCORES[0], at=0.5)
    assert second["value"] == aj.f1(LABELS, SCORES[1], at=aj.top(7))
    assert (first["rule"], second["rule"]) == ("", "top(7)")


@pytest.mark.parametrize("how", [("--train", "fit"), ("--train-length", "50")])
def test_a_rule_is_learnt_on_a_part(path, how):
    first, _ = rows("evaluate", path, "--metric", "f1", "--at", "sigma(1)", *how)
    assert first["value"] == aj.f1(LABELS, SCORES[0], at=aj.sigma(1, on=FIRST))
    assert first["rule"] == 'sigma(1, on="0:50")'


def test_a_threshold_is_tuned_on_a_column(path):
    first, _ = rows("evaluate", path, "--metric", "f1", "--tune-on", "fit", "--tune-by", "f1")
    expected = aj.evaluate(LABELS, SCORES[0], "f1", aj.tuned("f1", on=FIRST), chance=False)
    assert (first["value"], first["at"]) == (expected["f1"], expected.rows[0].at)
    assert (
        "below the best by"
        in run("evaluate", path, "--metric", "f1", "--tune-on", "fit", "--score", "score_a").stdout
    )


def test_explain_takes_them_too(path):
    asked = ("explain", path, "--score", "score_a", "--metric", "f1", "--at", "mad(1)")
    result = CliRunner().invoke(main, [*map(str, asked), "--train-length", "50", "--json"])
    assert json.loads(result.stdout)["value"] == aj.f1(
        LABELS, SCORES[0], at=aj.mad(1, on=slice(0, 50))
    )


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (("--at", "0.5", "--best"), "with --at"),
        (("--at", "0.5", "--at", "0.6"), "--at must be given once, or once per detector as NAME=X"),
        (("--at", "score_a=0.5"), "--at must name every detector, got none for 'score_b'"),
        (
            ("--train", "fit"),
            "--train needs a rule.*such as --at 'quantile.0.99.', got none",
        ),
        (("--train", "fit", "--at", "0.5"), "--train needs a rule.* got 0.5"),
        (
            ("--tune-on", "fit", "--at", "0.5"),
            "with --tune-on",
        ),
    ],
)
def test_what_contradicts_itself_is_refused(path, asked, words):
    result = run("evaluate", path, *asked)
    assert result.exit_code == 2
    assert re.search(words, result.stderr)
