"""Thresholds beyond all scores: nothing or everything is flagged, and that is what is said."""

import json
import math

import numpy as np
import pytest
from click.testing import CliRunner

import adjudge as aj
from adjudge.cli import main
from adjudge.measure.thresholds.text import extreme_text, flag_count

LABELS = np.tile(np.repeat([0, 1, 0], [10, 5, 10]), 4)
SCORES = np.random.default_rng(2).random(100).round(3)
LOW, HIGH = SCORES.min(), SCORES.max()
NOTHING = f"no score is above 70; they go from {LOW:g} to {HIGH:g}"
EVERYTHING = f"every score is above -70; they go from {LOW:g} to {HIGH:g}"
AT_A_THRESHOLD = ("f1", "f1_pa", "f1_ba", "event_recall", "mcc", "false_alarm_rate")


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "a.csv"
    rows = zip(LABELS, SCORES, SCORES[::-1], strict=True)
    path.write_text("label,mine,theirs\n" + "".join(f"{a},{b},{c}\n" for a, b, c in rows))
    return path


def run(*args):
    result = CliRunner().invoke(main, [str(arg) for arg in args])
    assert result.exit_code == 0, result.output
    return " ".join(result.stdout.split())


def test_a_detector_that_never_fires_has_no_interval_and_says_so():
    found = aj.evaluate(LABELS, {"mine": SCORES}, AT_A_THRESHOLD, at=70)
    for row in found.rows:
        assert math.isnan(row.low), row.metric
        assert math.isnan(row.high), row.metric
        assert (row.flagged, row.score_low, row.score_high) == (0, LOW, HIGH)
    said = " ".join(str(found).split())
    assert said.count(f"mine: {NOTHING}") == 1
    assert "mine never raises an alarm" in said
    assert "not distinguishable" not in said
    assert not found.failures({}, {}, better_than_chance=False)


def test_a_threshold_at_the_highest_score_flags_nothing_and_just_below_it_something():
    for at, flagged in ((HIGH, 0), (np.nextafter(HIGH, 0), np.count_nonzero(SCORES == HIGH))):
        (row,) = aj.evaluate(LABELS, SCORES, "f1", at=at).rows
        assert row.flagged == flagged
        assert math.isnan(row.low) == (flagged == 0)
        assert bool(row.extreme) == (flagged == 0)


def test_a_rule_that_flags_nothing_is_told_too():
    said = str(aj.evaluate(LABELS, SCORES, "f1", at="quantile(1)", chance=False))
    assert f"no score is above {HIGH:g}; they go from" in " ".join(said.split())


def test_a_threshold_below_all_scores_flags_everything():
    found = aj.evaluate(LABELS, {"mine": SCORES}, ["f1", "f1_ba"], at=-70)
    assert {row.flagged for row in found.rows} == {100}
    assert not any(math.isnan(row.low) for row in found.rows)  # there are alarms
    said = " ".join(str(found).split())
    assert f"mine: {EVERYTHING}" in said
    assert "mine flags every point, as an always-on alarm does: f1_ba(" in said
    (row,) = aj.evaluate(LABELS, SCORES, "f1", at=LOW).rows
    assert not row.extreme  # the lowest score itself is not above it


@pytest.mark.parametrize(
    ("flags", "words"),
    [(0, "mine never raises an alarm"), (1, "mine flags every point, as an always-on alarm does")],
)
def test_flags_that_are_all_alike_are_no_detector(flags, words):
    found = aj.evaluate(LABELS, {"mine": np.full(100, flags)}, "f1_ba")
    assert words in str(found)
    assert "not distinguishable" not in str(found)
    assert math.isnan(found.rows[0].low) == (flags == 0)


def test_only_judged_points_count():
    scores = SCORES.copy()
    scores[:10] = 99
    where = np.arange(100) >= 10
    found = aj.evaluate(LABELS, scores, "f1", at=70, where=where, chance=False)
    low, high = scores[10:].min(), scores[10:].max()
    assert f"no score is above 70; they go from {low:g} to {high:g}" in str(found)
    assert "no score" not in str(aj.evaluate(LABELS, scores, "f1", at=70, chance=False))


def test_areas_and_oracles_have_no_such_threshold():
    for row in aj.evaluate(LABELS, SCORES, ["auc_roc", "best(f1)"]).rows:
        assert not row.extreme
        assert not math.isnan(row.low)


def test_runs_and_files_are_told_apart(file, tmp_path):
    found = aj.evaluate(LABELS, {"mine": [SCORES, SCORES[::-1]]}, "f1", at=70)
    assert [row.flagged for row in found.rows] == [None]
    other = tmp_path / "b.csv"
    other.write_text(file.read_text())
    said = run("evaluate", file, other, "--score", "mine", "--at", "70", "--no-chance")
    assert f"a.csv: mine: {NOTHING}" in said
    assert f"b.csv: mine: {NOTHING}" in said


def test_of_many_detectors_those_that_never_fire_are_listed():
    many = {f"d{place}": np.roll(SCORES, place) for place in range(5)}
    many["silent"] = SCORES / 100
    said = " ".join(str(aj.evaluate(LABELS, many, "f1_ba", at=0.5)).split())
    assert "never raises an alarm: 1 of 6 detectors (silent)" in said
    assert "not better than chance: 5 of 6 detectors (d0, d1, d2, d3, d4)" in said


def test_a_metric_without_a_value_says_that_there_is_no_alarm():
    found = aj.evaluate(LABELS, {"mine": SCORES}, "event_precision", at=70)
    assert found.verdicts["mine"].startswith("mine never raises an alarm")


def test_explain_and_compare_say_it(file):
    assert NOTHING in run("explain", file, "--score", "mine", "--at", "70")
    assert EVERYTHING in run("explain", file, "--score", "mine", "--at", "-70")
    both = aj.compare(LABELS, SCORES, SCORES[::-1], at=70, names=("mine", "theirs"))
    assert both.notes == (f"mine: {NOTHING}", f"theirs: {NOTHING}")
    assert math.isnan(both.low)
    assert math.isnan(both.high)
    said = str(both)
    assert said.endswith(f"neither is ahead\nmine: {NOTHING}\ntheirs: {NOTHING}")
    one = aj.compare(LABELS, SCORES, SCORES[::-1], at=(0.5, 70))
    assert one.notes == (f"b: {NOTHING}",)
    assert not math.isnan(one.low)  # the alarms of the other carry the difference
    told = run("compare", file, "--score", "mine", "--score", "theirs", "--at", "70", "--json")
    assert f"mine: {NOTHING}" in json.loads(told)["sentences"]
    assert aj.compare(LABELS, SCORES, SCORES[::-1], "auc_roc").notes == ()


def test_the_command_line_says_it_in_json_and_text(file):
    asked = ("evaluate", file, "--score", "mine", "--at", "70")
    said = run(*asked)
    assert f"mine: {NOTHING}" in said
    assert "0.000 to 0.5" not in said
    for row in json.loads(run(*asked, "--metric", "f1_ba", "--json"))["rows"]:
        assert (row["flagged"], row["low"], row["high"]) == (0, None, None)
        assert (row["score_low"], row["score_high"]) == (LOW, HIGH)


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int64])
def test_what_is_told_is_what_is_flagged(kind):
    scores = (SCORES * 10).astype(kind)
    for at in (-1, 0, 0.1, 3.3, float(scores.max()), 11):
        case = aj.Case(LABELS, scores)
        flags = scores > kind(at) if kind is np.float32 else scores > at
        assert flag_count(case, at) == np.count_nonzero(flags)
        said = extreme_text(at, flag_count(case, at), *case.score_range)
        assert said.startswith("no score") == (not flags.any())
        assert said.startswith("every score") == bool(flags.all())
