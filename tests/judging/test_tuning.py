"""Thresholds per detector, learnt on a part, or tuned on one part and judged on the rest."""

import math

import numpy as np
import pytest

import adjudge as aj
from adjudge.errors import InputError, UnknownName

RNG = np.random.default_rng(4)
LABELS = np.tile(np.repeat([0, 1, 0], [20, 5, 15]), 5)
SCORES = RNG.random(200) + 0.5 * LABELS
OTHER = RNG.random(200) * 3
FIRST = np.arange(200) < 80


def test_each_detector_has_its_own_threshold():
    both = {"mine": SCORES, "other": OTHER}
    judged = aj.evaluate(LABELS, both, "f1", {"mine": 1.0, "other": "quantile(0.9)"}, chance=False)
    mine, other = judged.rows
    assert mine.value == aj.f1(LABELS, SCORES, at=1.0)
    assert other.value == aj.f1(LABELS, OTHER, at=aj.quantile(0.9))
    assert (mine.chosen_by, mine.rule) == ("given", "")
    assert (other.chosen_by, other.rule) == ("rule", "quantile(0.9)")


ORDER = np.random.default_rng(5).permutation(200)
TIMES = np.datetime64("2026-01-01", "m") + np.arange(200)
SHUFFLED = {"time": TIMES[ORDER], "sort": True, "chance": False}


@pytest.mark.parametrize("rule", [aj.quantile, aj.sigma, aj.tuned], ids=lambda rule: rule.__name__)
def test_a_mask_goes_with_its_points_where_these_are_sorted(rule):
    first = "f1" if rule is aj.tuned else 0.9
    plain = aj.evaluate(LABELS, SCORES, "f1", rule(first, on=FIRST), chance=False).rows[0]
    moved = rule(first, on=FIRST[ORDER])
    found = aj.evaluate(LABELS[ORDER], SCORES[ORDER], "f1", moved, **SHUFFLED).rows[0]
    assert (found.at, found.value, found.rule) == (plain.at, plain.value, plain.rule)


def test_a_mask_of_a_metric_goes_with_its_points_too():
    shuffled, own = (LABELS[ORDER], SCORES[ORDER]), aj.f1(at=aj.top(9, on=FIRST[ORDER]))
    at = aj.evaluate(LABELS, SCORES, aj.f1(at=aj.top(9, on=FIRST)), chance=False).rows[0].at
    assert aj.evaluate(*shuffled, own, **SHUFFLED).rows[0].at == at
    when = {"time": TIMES[ORDER], "sort": True}
    assert aj.explain(*shuffled, own, **when).at == at
    assert aj.compare(*shuffled, SCORES[ORDER], own, **when).at == (at, at)
    rule = aj.top(9, on=FIRST[ORDER])
    assert aj.compare(*shuffled, SCORES[ORDER], "f1", at=rule, **when).at == (at, at)


def test_a_stretch_counts_the_sorted_points():
    plain = aj.evaluate(LABELS, SCORES, "f1", 'top(9, on="0:80")', chance=False).rows[0]
    found = aj.evaluate(LABELS[ORDER], SCORES[ORDER], "f1", 'top(9, on="0:80")', **SHUFFLED)
    assert found.rows[0].at == plain.at
    assert aj.evaluate(LABELS[ORDER], SCORES[ORDER], "f1", 0.9, **SHUFFLED).rows[0].at == 0.9


def test_a_threshold_for_another_detector_or_for_none_is_refused():
    with pytest.raises(UnknownName, match="unknown detector 'mein', did you mean 'mine'"):
        aj.evaluate(LABELS, {"mine": SCORES}, "f1", {"mein": 1})
    with pytest.raises(InputError, match="at must name every detector, got none for 'mine'"):
        aj.evaluate(LABELS, {"mine": SCORES}, "f1", {})


def test_a_rule_of_a_part_is_named_in_the_result():
    judged = aj.evaluate(LABELS, SCORES, "f1", aj.sigma(2, on=FIRST), chance=False)
    (row,) = judged.rows
    assert row.at == SCORES[:80].mean() + 2 * SCORES[:80].std()
    assert row.rule == 'sigma(2, on="0:80")'
    own = aj.evaluate(LABELS, SCORES, 'f1(at=top(9, on="0:80"))', 0.3, chance=False).rows[0]
    assert (own.chosen_by, own.rule) == ("rule", 'top(9, on="0:80")')


def test_a_tuned_threshold_is_best_on_its_part_and_judged_on_the_rest():
    at = aj.tuned("f1_ba", on=FIRST)
    (row, area) = aj.evaluate(LABELS, SCORES, ["f1", "auc_roc"], at, chance=False).rows
    tuned_on = aj.curve(LABELS[:80], SCORES[:80], "f1_ba").best()
    assert row.at == tuned_on.threshold
    assert row.value == aj.f1(LABELS[80:], SCORES[80:], at=row.at)
    assert row.oracle_gap == aj.best(aj.f1)(LABELS[80:], SCORES[80:]) - row.value
    assert (row.chosen_by, row.rule) == ("rule", 'tuned(f1_ba, on="0:80")')
    assert math.isnan(area.oracle_gap)
    assert area.value == aj.auc_roc(LABELS[80:], SCORES[80:])


def test_what_is_judged_does_not_depend_on_the_scores_or_labels_of_the_part_but_by_the_threshold():
    at = aj.tuned("f1", on="0:80")
    changed = np.where(FIRST, LABELS, SCORES)  # perfect there: a threshold of 0
    judged = aj.evaluate(LABELS, changed, "f1", at, chance=False)
    assert judged["f1"] == aj.f1(LABELS[80:], SCORES[80:], at=judged.rows[0].at)


def test_tuned_text_reads_back():
    text = 'tuned(f1_ba(width=5), on="0:80")'
    assert str(aj.tuned("f1_ba(width=5)", on="0:80")) == text
    one = aj.evaluate(LABELS, SCORES, "f1", text, chance=False)
    assert (
        one["f1"] == aj.evaluate(LABELS, SCORES, "f1", aj.tuned("f1_ba(width=5)", on=FIRST))["f1"]
    )
    with pytest.raises(InputError, match="at must be written tuned"):
        aj.evaluate(LABELS, SCORES, "f1", "tuned(f1)")


def test_explain_takes_the_same_thresholds():
    receipt = aj.explain(LABELS, SCORES, "f1", at=aj.tuned("f1", on=FIRST))
    assert receipt.value == aj.f1(LABELS[80:], SCORES[80:], at=receipt.at)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: aj.tuned("auc_roc", on=FIRST), "judges every threshold at once"),
        (lambda: aj.tuned("f1(at=0.5)", on=FIRST), "chooses the threshold itself, got at=0.5"),
        (lambda: aj.tuned("best(f1)", on=FIRST), "chooses the threshold itself, got best"),
        (
            lambda: aj.evaluate(LABELS, SCORES, "f1", aj.tuned("f1", on="0:10")),
            "on must hold at least one event to tune on, got none in 0:10",
        ),
    ],
)
def test_what_cannot_be_tuned_is_refused(make, words):
    with pytest.raises(InputError, match=words):
        make()


@pytest.mark.parametrize("at", [aj.tuned("f1", on="0:80"), 'tuned(f1, on="0:80")'], ids=str)
def test_a_metric_by_itself_leads_from_a_tuned_threshold_to_evaluate(at):
    hint = "write evaluate\\(labels, scores, metrics, at=tuned\\(...\\)\\)"
    for call in (aj.f1, aj.best(aj.f1)):
        with pytest.raises(aj.InputError, match=hint):
            call(LABELS, SCORES, at=at)
