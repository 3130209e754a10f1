"""The chance line in results: what stands beside every value, and the words for it."""

import math

import numpy as np
import pytest

import adjudge as aj
from adjudge.judging.result_row import Finding, citation, main_row, verdict

STARTS = (130, 390, 640, 1090, 1260, 1700, 1850, 2290, 2520, 2800)  # not periodic: shifts would fit
LABELS, DECENT = np.zeros((2, 3000), int)
for first in STARTS:
    LABELS[first : first + 40] = 1
for first in STARTS[:7]:
    DECENT[first + 5 : first + 20] = 1
DECENT[[50, 51, 900]] = 1
COIN = (np.random.default_rng(2).random(3000) < 0.03).astype(int)


def test_a_decent_detector_is_above_chance_and_a_coin_flip_is_not():
    judged = aj.evaluate(LABELS, {"decent": DECENT, "coin": COIN}, "f1_ba")
    (decent,), (coin,) = judged.of("decent"), judged.of("coin")
    assert decent.p_value <= 0.03  # a few of 3,000 shifts hardly move the alarms
    assert decent.chance < 0.4 < decent.value
    assert decent.low <= decent.value <= decent.high
    assert coin.p_value > 0.05
    assert coin.corrected == pytest.approx((coin.value - coin.chance) / (1 - coin.chance))


def test_the_row_says_what_it_was_held_against():
    (row,) = aj.evaluate(LABELS, DECENT, "f1_ba", shifts=50).rows
    assert (row.null, row.shifts, row.exact) == ("the same alarms, shifted", 50, False)
    assert row.chance == aj.chance(LABELS, "f1_ba", like=DECENT).expected
    assert row.all_alarms == aj.f1_ba(LABELS, np.ones(3000))
    assert (row.width, row.overshoot) == (41, 1.0)


def test_an_oracle_is_held_against_oracles_on_shifted_scores():
    scores = DECENT + np.random.default_rng(0).random(3000)
    fixed, best = aj.evaluate(LABELS, scores, ["f1_ba(at=1)", "best(f1_ba)"], shifts=30).rows
    assert best.chance > fixed.chance
    assert best.chosen_by == "oracle"


def test_an_area_has_a_chance_but_no_interval():
    (row,) = aj.evaluate(LABELS, DECENT, "auc_roc", shifts=30).rows
    assert row.chance == pytest.approx(0.5, abs=0.05)
    assert row.all_alarms == 0.5
    assert math.isnan(row.low)


def test_chance_can_be_left_out():
    (row,) = aj.evaluate(LABELS, DECENT, "f1_ba", chance=False).rows
    assert math.isnan(row.chance)
    assert row.shifts == 0


def test_white_noise_and_label_slack_come_on_request():
    rows = aj.evaluate(
        LABELS, DECENT, ["f1_ba", "auc_roc"], chance=False, white_noise=True, label_slack=3
    ).rows
    assert rows[0].white_noise == aj.chance(LABELS, "f1_ba", rate=DECENT.mean()).expected
    assert rows[0].slack_low < rows[0].value <= rows[0].slack_high
    assert math.isnan(rows[1].white_noise)
    where = np.arange(3000) < 1500
    (row,) = aj.evaluate(LABELS, DECENT, "f1", chance=False, white_noise=True, where=where).rows
    rate = DECENT[:1500].mean()
    assert row.white_noise == aj.chance(LABELS, "f1", rate=rate, where=where).expected


def test_a_threshold_given_to_all_is_used_for_chance_too():
    scores = DECENT * 0.5 + 0.25
    (row,) = aj.evaluate(LABELS, scores, "f1_ba", at=0.5).rows
    (same,) = aj.evaluate(LABELS, DECENT, "f1_ba").rows
    assert (row.chance, row.p_value, row.low) == (same.chance, same.p_value, same.low)


def test_the_verdict_says_it_in_plain_words():
    judged = aj.evaluate(LABELS, DECENT)
    assert main_row(judged.rows).asked == "f1_ba"
    said = judged.verdicts["detector"]
    assert said.startswith('detector is better than chance: f1_ba(width=41, islands="normal")')
    assert "where its own alarms, shifted, score" in said
    coin = verdict(aj.evaluate(LABELS, COIN, "f1_ba").rows)
    assert "not distinguishable from chance" in coin
    oracle = verdict(aj.evaluate(LABELS, DECENT + 0.5, shifts=20).rows)
    assert "shifted, each with its own best threshold, score" in oracle
    area = verdict(aj.evaluate(LABELS, DECENT, "ap", shifts=20).rows)
    assert "interval" not in area
    silent = verdict(aj.evaluate(LABELS, DECENT, chance=False).rows)
    assert silent == "detector: nothing that can be held against chance."


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("f1_ba(width=101)", "F1_BA, w=101, islands on normal points, margin 0"),
        (
            'best(f1_ba(width=5, islands="all", margin=2))',
            "best F1_BA, w=5, islands around every flag, margin 2, threshold by oracle",
        ),
        ("f1_kpa(k=0.2)", "f1_kpa(k=0.2)"),
    ],
)
def test_the_line_to_cite_names_all_that_matters(spec, said):
    row = Finding("mine", spec, 0.5, None, "given")
    assert citation(row, "0.1") == f"to cite: {said}, adjudge 0.1"


@pytest.mark.parametrize("specs", [["event_f1_ba", "f1_ba"], ["f1", "best(f1_ba(width=3))"]])
def test_the_verdict_is_about_balanced_f1_and_not_about_a_name_that_holds_it(specs):
    judged = aj.evaluate([0, 0, 0, 1, 1, 0, 0, 0], [0, 0, 0, 1, 0, 1, 0, 0], specs, shifts=9)
    assert main_row(judged.rows).asked == specs[1]
    assert f": {judged.rows[1].metric} " in judged.verdicts["detector"]
