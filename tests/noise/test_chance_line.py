"""The chance line in results: what stands beside every value, and the words for it."""

import math
from dataclasses import replace

import numpy as np
import pytest

import adjudge as aj
from adjudge.errors import InputError, NotBinary
from adjudge.judging.judge.verdict import main_row
from adjudge.judging.result_columns import Finding
from adjudge.judging.words.citation import citation, citations
from adjudge.judging.words.verdict import p_words, verdict
from adjudge.noise.chance_columns import ChanceLine
from adjudge.noise.chance_line import adjusted
from adjudge.noise.p_values import NullTest, NullValues, holm, p_value
from adjudge.noise.shifting.shifted_case import CaseShifts

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
    assert row.always_on == aj.f1_ba(LABELS, np.ones(3000))
    assert row.width == 41
    assert 1 <= row.overshoot < 1.01


def test_an_oracle_is_held_against_oracles_on_shifted_scores():
    scores = DECENT + np.random.default_rng(0).random(3000)
    fixed, best = aj.evaluate(LABELS, scores, ["f1_ba(at=1)", "best(f1_ba)"], shifts=30).rows
    assert best.chance > fixed.chance
    assert best.chosen_by == "oracle"


def test_an_area_has_a_chance_and_an_interval():
    (row,) = aj.evaluate(LABELS, DECENT, "auc_roc", shifts=30).rows
    assert row.chance == pytest.approx(0.5, abs=0.05)
    assert row.always_on == 0.5
    assert 0.5 < row.low < row.value < row.high < 1


def test_the_corrected_value_has_an_interval_of_its_own():
    (row,) = aj.evaluate(LABELS, DECENT, "f1_ba").rows
    ends = [(end - row.chance) / (1 - row.chance) for end in (row.low, row.high)]
    assert (row.corrected_low, row.corrected_high) == pytest.approx(tuple(ends))
    uneven = DECENT.copy()
    uneven[STARTS[0] + 2] = 1  # delays that are all the same have no interval
    (late,) = aj.evaluate(LABELS, uneven, "detection_delay").rows  # of which less is better
    assert late.corrected_low <= late.corrected <= late.corrected_high


def test_an_oracle_says_how_much_it_flatters():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=3000) + DECENT
    best, fixed, area = aj.evaluate(LABELS, scores, ["best(f1_ba)", "f1_ba(at=1)", "ap"]).rows
    assert 0 < best.optimism < 0.2
    assert math.isnan(fixed.optimism)
    assert math.isnan(area.optimism)


def test_chance_can_be_left_out():
    (row,) = aj.evaluate(LABELS, DECENT, "f1_ba", chance=False).rows
    assert math.isnan(row.chance)
    assert row.shifts == 0


def test_white_noise_and_label_slack_come_on_request():
    rows = aj.evaluate(
        LABELS, DECENT, ["f1_ba", "auc_roc"], chance=False, white_noise=True, label_slack=3
    ).rows
    assert rows[0].white_noise == aj.chance(LABELS, "f1_ba", rate=DECENT.mean()).expected
    assert rows[0].label_shift_low < rows[0].value <= rows[0].label_shift_high
    assert rows[0].leave_one_out_low < rows[0].value < rows[0].leave_one_out_high
    assert rows[0].most_influential_event in STARTS[:7]
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
    assert main_row(judged.rows).requested == "f1_ba"
    said = judged.verdicts["detector"]
    assert said.startswith('detector is better than chance: f1_ba(width=41, islands="normal")')
    assert "the same alarms" in said
    area = verdict(aj.evaluate(LABELS, DECENT + 0.5, "auc_roc").rows)
    assert "the same scores shifted in time score 0.50 (p" in area
    oracle = verdict(aj.evaluate(LABELS, DECENT + 0.5).rows)
    assert "shifted in time, each at its best threshold, score" in oracle
    silent = verdict(aj.evaluate(LABELS, DECENT, chance=False).rows)
    assert silent == "detector: nothing to compare with chance."


def test_what_cannot_be_told_from_chance_says_how_many_events_it_would_take():
    said = verdict(aj.evaluate(LABELS, COIN, "f1_ba").rows)
    assert "is not distinguishable from chance" in said
    assert "events are needed" in said


def test_inverted_scores_are_below_chance():
    scores = -(LABELS + np.random.default_rng(0).random(3000))
    said = verdict(aj.evaluate(LABELS, scores, "auc_roc").rows)
    assert "is below chance" in said
    assert said.endswith("Are the scores inverted?")


def test_scores_that_rise_where_events_come_early_are_not_called_below_chance():
    rng = np.random.default_rng(1)
    labels = np.zeros(1000, int)
    for start in range(20, 400, 40):
        labels[start : start + 10] = 1
    scores = rng.normal(size=1000) + 2 * np.arange(1000) / 1000
    (row,) = aj.evaluate(labels, scores, "auc_roc").rows
    everywhere = [aj.auc_roc(labels, np.roll(scores, by)) <= row.value for by in range(1000)]
    assert np.mean(everywhere) <= 0.05 < row.p_worse
    assert "is not distinguishable from chance" in verdict([row])


def test_one_of_many_detectors_is_below_chance_by_luck():
    scores = -(LABELS + 5 * np.random.default_rng(0).random(3000))
    (row,) = aj.evaluate(LABELS, scores, "auc_roc").rows
    assert row.p_worse <= 0.05
    row = replace(row, p_worse=0.02)
    assert "is below chance" in verdict([row], 2)
    said = verdict([row], 3)
    assert "is not distinguishable from chance" in said
    assert said.endswith(
        " 98 % of its time-shifted copies score better: the scores may be inverted, or this is "
        "the unluckiest of 3 detectors."
    )


@pytest.mark.long
def test_of_twenty_blind_detectors_hardly_any_is_called_below_chance():
    called = 0
    for seed in range(10):
        rng = np.random.default_rng(seed)
        blind = {f"d{k}": rng.random(3000) < 0.03 for k in range(20)}
        found = aj.evaluate(LABELS, blind, "f1_ba")
        called += any("is below chance" in said for said in found.verdicts.values())
    assert called <= 2  # .66 of such calls before they were adjusted


def test_without_events_only_false_alarms_can_be_judged():
    said = verdict(aj.evaluate(LABELS * 0, DECENT).rows)
    assert said == "detector: there are no events, so only false alarms can be judged."


def test_a_perfect_detector_with_too_few_shifts_is_not_called_indistinguishable():
    said = verdict(aj.evaluate(LABELS, LABELS, "f1_ba", shifts=9).rows)
    assert "(9, at least 19 are needed)" in said
    assert "distinguishable" not in said


def late_alarms(seed):
    """Events late in the series, and blind alarms that come ever more often."""
    rng = np.random.default_rng(seed)
    labels = np.zeros(6000, int)
    starts = np.sort((6000 * np.sqrt(rng.random(12))).astype(int)) // 25 * 25
    for start in starts:
        labels[start : start + 12] = 1
    return labels, (rng.random(6000) < 0.06 * (np.arange(6000) / 6000) ** 3).astype(int)


def test_alarms_that_drift_with_the_events_are_told_so():
    (row,) = aj.evaluate(*late_alarms(1), "f1_ba").rows
    assert row.p_value <= 0.05 < row.p_nearby
    assert row.nearby_testable
    said = verdict([row])
    assert "is not distinguishable from chance" in said
    assert "part of the" in said


@pytest.mark.long
def test_who_drifts_with_the_events_is_not_called_better_than_chance():
    said = []
    for seed in range(40):
        (row,) = aj.evaluate(*late_alarms(seed), "f1_ba").rows
        said.append((row.p_value <= 0.05, verdict([row])))
    drifted = [words for small, words in said if small]
    assert len(drifted) >= 8  # among all shifts they look good
    assert np.mean(["better than chance" in words for _, words in said]) <= 0.15
    assert any("part of the" in words for words in drifted)


def test_events_too_wide_for_nearby_places_are_named_as_the_reason():
    labels = np.zeros(1000, int)
    labels[100:150] = labels[610:660] = labels[850:900] = 1
    one_point_each = np.zeros(1000, int)
    one_point_each[[125, 635, 875]] = 1
    (row,) = aj.evaluate(labels, one_point_each, "f1_ba").rows
    assert not row.nearby_testable
    assert row.p_value <= 0.05 < row.p_nearby
    assert "leave too few" in verdict([row])


def test_null_takes_a_name_or_a_model():
    rows = {null: aj.evaluate(LABELS, DECENT, "f1_ba", null=null).rows[0] for null in NULLS}
    assert [row.null for row in rows.values()] == list(NULLS.values())
    assert rows["nearby"].p_value == rows["shifted"].p_nearby == rows["nearby"].p_nearby
    assert rows["white"].chance == aj.chance(LABELS, "f1_ba", rate=DECENT.mean()).expected
    assert rows["white"].p_joint == rows["shifted"].p_joint == rows["nearby"].p_joint
    with pytest.raises(
        InputError, match=r"null must be one of 'shifted', 'nearby', 'white'.*, or a"
    ):
        aj.evaluate(LABELS, DECENT, "f1_ba", null="black")


NULLS = {
    "shifted": "the same alarms, shifted",
    "nearby": "the same alarms, shifted nearby",
    "white": "white noise of the same rate",
}


class Constant:
    """A null model of one's own, in one class."""

    name = "always a half"

    def values(self, metric, shifting, shifts, seed):  # noqa: ARG002 - it asks nobody
        return NullValues(np.full(99, 0.5), exact=False)

    def level(self, metric, shifting, null):  # noqa: ARG002
        return 0.5


def test_a_null_model_of_one_s_own_is_one_class():
    (row,) = aj.evaluate(LABELS, DECENT, "f1_ba", null=Constant()).rows
    assert (row.chance, row.null, row.p_value, row.shifts) == (0.5, "always a half", 0.01, 99)
    assert "always a half score 0.50 (p <= 0.01" in verdict([row])


def test_white_noise_scores_areas_by_uniform_scores():
    row, best = aj.evaluate(
        LABELS, DECENT + 0.5, ["auc_roc", "best(f1)"], null="white", shifts=50
    ).rows
    assert row.chance == pytest.approx(0.5, abs=0.02)
    assert 0.1 < best.chance < 0.35


def test_several_detectors_are_adjusted_for_their_number_within_each_metric():
    detectors = {"a": DECENT, "b": COIN, "c": np.roll(COIN, 9)}
    judged = aj.evaluate(LABELS, detectors, ["f1_ba", "f1"], shifts=199)
    for spec in ("f1_ba", "f1"):
        rows = [row for row in judged.rows if row.requested == spec]
        expected = holm(np.array([row.p_joint for row in rows])).tolist()
        assert [row.p_adjusted for row in rows] == expected
    assert f"{judged.rows[0].p_adjusted:.3g} adjusted for the number" in judged.verdicts["a"]
    (alone,) = aj.evaluate(LABELS, DECENT, "f1_ba").rows
    assert alone.p_adjusted == alone.p_joint


def test_holm_by_hand():
    assert holm(np.array([0.01, 0.04, 0.03, 0.005])) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm(np.array([0.6, 0.7])).tolist() == [1, 1]
    nan = holm(np.array([math.nan, 0.02]))
    assert math.isnan(nan[0])
    assert nan[1] == 0.02
    assert adjusted([]) == []
    alone = ChanceLine(tests={"shifts": NullTest(0.3, low=0.3, high=0.3)})
    assert [line.p_adjusted for line in adjusted([alone, ChanceLine()])] == [
        0.3,
        pytest.approx(math.nan, nan_ok=True),
    ]


def test_a_p_value_at_its_floor_says_so():
    row = Finding("mine", "f1", 1.0, None, "given", p_value=0.005, shifts=199)
    assert p_words(row) == "p <= 0.005"
    assert p_words(replace(row, exact=True, shifts=200)) == "p = 0.005"
    assert p_words(replace(row, p_value=0.01)) == "p = 0.01"


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("f1_ba(width=101)", "f1_ba(width=101), corrected reading"),
        (
            'best(f1_ba(width=5, islands="all", margin=2))',
            'best(f1_ba(width=5, islands="all", margin=2)), authors reading, '
            "threshold best in hindsight",
        ),
        ("f1_kpa(k=0.2)", "f1_kpa(k=0.2)"),
    ],
)
def test_the_line_to_cite_names_all_that_matters(spec, said):
    row = Finding("mine", spec, 0.5, None, "given")
    assert citation(row, "0.1") == f"to cite: {said}, adjudge 0.1"


def test_the_line_to_cite_has_the_threshold():
    row = Finding("mine", "f1", 0.5, 0.7, "given")
    assert citation(row, "0.1") == "to cite: f1, threshold 0.7, adjudge 0.1"
    ruled = replace(row, chosen_by="rule", rule="quantile(0.99)")
    assert citation(ruled, "0.1") == "to cite: f1, threshold by quantile(0.99), adjudge 0.1"
    inside = replace(row, metric="f1(at=0.7)")
    assert citation(inside, "0.1") == "to cite: f1(at=0.7), adjudge 0.1"


def test_detectors_are_cited_together_where_one_line_holds_for_all():
    row = Finding("mine", "f1", 0.5, 0.7, "given")
    assert citations([row, replace(row, detector="other")], "0.1") == [citation(row, "0.1")]
    assert citations([row, replace(row, detector="other", at=0.5)], "0.1") == [
        "to cite mine: f1, threshold 0.7, adjudge 0.1",
        "to cite other: f1, threshold 0.5, adjudge 0.1",
    ]


@pytest.mark.parametrize("specs", [["event_f1_ba", "f1_ba"], ["f1", "best(f1_ba(width=3))"]])
def test_the_verdict_is_about_balanced_f1_and_not_about_a_name_that_holds_it(specs):
    judged = aj.evaluate([0, 0, 0, 1, 1, 0, 0, 0], [0, 0, 0, 1, 0, 1, 0, 0], specs, shifts=9)
    assert main_row(judged.rows).requested == specs[1]
    assert f": {judged.rows[1].metric} " in judged.verdicts["detector"]


def late_part(rng, points=2000):
    """Give events and blind alarms that both lie in the last fifth of a series, or nearly all."""
    labels = np.zeros(points, int)
    labels[rng.integers(1600, points - 3, size=(15, 1)) + np.arange(3)] = 1
    return aj.Case(labels, rng.random(points) < np.where(np.arange(points) < 1600, 0.01, 0.12))


@pytest.mark.long
def test_tenths_that_turn_by_themselves_hold_against_drift_and_moves_of_all_do_not():
    rng, metric, tenths, together = np.random.default_rng(0), aj.f1_ba, [], []
    for _ in range(150):
        case = late_part(rng)
        value, shifting = metric.reading(case).value, CaseShifts(case)
        tenths.append(p_value(value, shifting.nearby.values(metric, 99, rng).values))
        everywhere = shifting.values(metric).values  # at 1, 2 ... 1999 points
        together.append(p_value(value, np.append(everywhere[:200], everywhere[-200:])))
    right, wrong = (np.mean(np.array(found) <= 0.05) for found in (tenths, together))
    assert right < 0.08
    assert wrong > 0.12  # all alarms moved at once: the wrong double


@pytest.mark.parametrize("without", [{"chance": False}, {"metrics": "all"}])
@pytest.mark.parametrize(
    ("given", "message"),
    [({"shifts": 9}, "shifts must be None without"), ({"null": "white"}, "null must be 'shifted'")],
)
def test_settings_of_a_line_that_nobody_asked_for_are_refused(without, given, message):
    with pytest.raises(InputError, match=f"{message}.*; say chance=True"):
        aj.evaluate([0, 0, 1, 1, 0], [0, 0, 1, 0, 0], **without, **given)


def test_labels_of_another_coding_are_told_where_there_are_no_scores():
    with pytest.raises(NotBinary, match="labels must be 0 or 1, got 2 at index 2"):
        aj.chance([0, 1, 2, 3], "f1", rate=0.1)
