"""C-1 and its variants: what noise may score."""
# ruff: noqa: ARG005 - all metrics have the same two parameters

import numpy as np
import pytest

import adjudge as aj
from adjudge.lab.audit.audits import audit
from adjudge.lab.audit.axiom_list import AXIOMS
from lab.audit.subjects import always, run_of


def test_c1_says_what_its_rule_allows():
    found = audit("f1_pa", "C-1", effort="quick")["C-1"]
    assert found.sentence.startswith("noise scores up to 0.8")
    assert found.sentence.endswith(f"; {found.bound:g} is allowed")
    assert found.bound == 0.52


def test_kpa_fails_where_anomalies_are_dense_and_is_said_to():
    found = audit("f1_kpa(k=0.2)", ["C-1"], effort="quick")["C-1"]
    assert found.outcome == "fail"
    assert found.sentence.startswith("noise scores up to 0.6")
    assert "Q about 0.3)" in found.sentence
    assert set(found.extras) == {"Q about 0.3", "1 event"}
    assert found.extras["Q about 0.3"] > 0.52


def test_noise_that_passes_is_reported_at_every_share_of_anomalies():
    found = audit("f1", ["C-1"], effort="quick")["C-1"]
    assert found.outcome == "pass"
    assert list(found.extras) == ["Q about 0.3", "Q about 0.2", "Q about 0.09", "1 event"]
    shares = [found.extras[name] for name in list(found.extras)[:3]]
    for share, value in zip((0.28, 0.2, 0.09), shares, strict=True):
        assert abs(value - 2 * share / (1 + share)) < 0.03


@pytest.mark.parametrize("metric", ["auc_roc", "balanced_accuracy"])
def test_a_chance_level_of_exactly_one_half_passes(metric):
    found = audit(metric, ["C-1", "C-1q", "L1"], effort="quick")
    assert set(found.verdicts.values()) == {"pass"}
    assert "noise runs comes half way from its chance level" in found["C-1q"].sentence


def test_luck_is_held_against_the_metric_s_own_chance_level():
    """A metric that is 1 in every third draw is lucky too often, one that is steady is not."""

    lucky = run_of(lambda labels, flags: 1.0 if flags.sum() % 3 == 0 else 0.6)
    assert AXIOMS["C-1q"].decide(lucky).outcome == "fail"
    assert AXIOMS["C-1q"].decide(run_of(always(0.6))).outcome == "pass"
    full = run_of(lambda labels, flags: 1 - 1e-4 * (labels.size % 3 > 0))  # half of next to nothing
    assert AXIOMS["C-1q"].decide(full).outcome == "pass"


def test_an_alarm_everywhere_must_score_little_and_noise_no_more():
    high = audit("event_f1", ["L1"], effort="quick")["L1"]
    assert (high.outcome, high.bound) == ("fail", 0.52)
    assert high.sentence.startswith("an alarm everywhere scores 1.00 (0.52 is allowed); noise (")
    assert high.counterexample.rows["flags"].all()
    noise = audit("f1_pa", ["L1"], effort="quick")["L1"]
    assert (noise.outcome, noise.bound) == ("fail", 0.02)
    assert 0.5 < noise.extras["noise beyond it"] == noise.statistic
    assert not noise.counterexample.rows["flags"].all()
    own = audit("event_f1_ba", ["L1"], effort="quick")["L1"]
    assert own.outcome == "pass"  # though it exceeds 2Q / (1 + Q), which is F1's value


def test_rows_about_thresholds_do_not_apply_to_areas():
    assert audit("ap", ["C-1a", "C-1a-mixed"]).verdicts == {
        "C-1a": "not applicable",
        "C-1a-mixed": "not applicable",
    }


def test_a_problem_that_shows_on_long_series_only_has_no_small_counterexample():
    long = audit(lambda labels, flags: float(len(labels) > 200), ["C-1"], effort="quick")["C-1"]
    assert (long.outcome, long.counterexample) == ("fail", None)
    uneven = audit(
        lambda labels, flags: float(len(labels) > 200 and flags.mean() > 0.5),
        ["C-1a"],
        effort="quick",
    )["C-1a"]
    assert (uneven.outcome, uneven.counterexample) == ("fail", None)


def test_noise_scores_that_win_are_shown_as_digits():
    shown = audit("auc_roc_pa", ["C-1"], effort="quick")["C-1"].counterexample
    assert set(str(shown).splitlines()[1].split()[1]) <= set("0123456789")


def test_noise_that_scores_too_much_is_shown_as_one_pattern_at_every_place():
    shown = audit("f1_pa", ["C-1"], effort="quick")["C-1"].counterexample
    (flags,) = shown.rows.values()
    values = [aj.f1_pa(shown.labels, np.roll(flags, by)) for by in range(flags.size)]
    assert np.mean(values) > 0.52
    assert f"{np.mean(values):.4f} on average" in shown.note


def test_an_alarm_everywhere_that_is_undefined_gains_nothing():
    assert audit("mcc", ["L1"], effort="quick")["L1"].sentence.startswith(
        "an alarm everywhere is undefined"
    )


def test_a_constant_score_is_an_alarm_everywhere():
    found = audit("auc_pr", ["L1"], effort="quick")["L1"]
    assert (found.outcome, found.bound) == ("fail", 0.52)
    assert list(found.counterexample.rows) == ["scores"]


def test_scores_are_given_as_scores_not_as_flags():
    """Ties of bare flags would change the average precision when quiet time is appended."""
    assert audit("ap", ["L7", "L11"]).verdicts == {"L7": "pass", "L11": "pass"}
    run = run_of(always(0.5), "scores")
    labels, flags = np.array([0, 1, 1, 0, 0], bool), np.array([0, 1, 0, 1, 0], bool)
    scores = run.detection(labels, flags)
    assert scores[flags].min() > scores[~flags].max()
    assert np.unique(scores[~flags]).size == np.count_nonzero(~flags)
    assert np.unique(scores[flags]).size == 1
    moved = run.detection(labels, np.array([0, 0, 1, 1, 0], bool))
    assert sorted(scores) == sorted(moved)  # a hit elsewhere: the same scores
    longer = run.detection(np.append(labels, [0, 0]) > 0, np.append(flags, [0, 0]) > 0, quiet=2)
    np.testing.assert_array_equal(scores, longer[:-2])
    assert longer[-2:].max() < scores.min()
    assert run_of(always(0.5)).detection(labels, flags) is flags


def test_where_noise_scores_next_to_nothing_its_range_is_told_as_a_number():
    found = AXIOMS["C-1a"].decide(run_of(always(0.05)))
    assert (found.outcome, found.bound) == ("pass", 0.01)
    assert found.sentence.endswith("from 0.050 to 0.050, a range of 0.000; 0.01 is allowed")
