"""C-1 and its variants: what noise may score."""
# ruff: noqa: ARG005 - all metrics have the same two parameters

import numpy as np

import adjudge as aj
from adjudge.auditing.audits import audit


def test_c1_says_what_its_rule_allows():
    found = audit("f1_pa", "C-1", effort="quick")["C-1"]
    assert found.sentence.startswith("noise scores up to 0.7")
    assert found.sentence.endswith(f"; {found.bound:g} is allowed")
    assert found.bound == 0.52


def test_kpa_fails_where_anomalies_are_dense():
    found = audit("f1_kpa(k=0.2)", ["C-1"], effort="quick")["C-1"]
    assert found.outcome == "pass"
    assert "it would fail with Q about 0.3" in found.sentence
    assert set(found.extras) == {"1 event", "40 events", "Q about 0.3"}


def test_a_chance_level_of_exactly_one_half_passes():
    assert audit("auc_roc", ["C-1", "C-1s"], effort="quick").verdicts == {
        "C-1": "pass",
        "C-1s": "pass",
    }


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
    assert audit("mcc", ["L1"])["L1"].sentence == (
        "an alarm everywhere is undefined, so it gains nothing"
    )


def test_a_value_below_the_chance_level_of_scores_is_told_of_a_constant():
    found = audit("auc_pr", ["L1"])["L1"]
    assert found.outcome == "fail"
    assert found.bound == 0.5
