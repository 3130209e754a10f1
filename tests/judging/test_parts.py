"""Single series beside the pooled value, and several runs of one detector."""

import math

import numpy as np
import pytest

import adjudge as aj

RNG = np.random.default_rng(8)
LABELS = np.tile(np.repeat([0, 1, 0], [20, 5, 15]), 4)
SERIES = np.repeat(["a", "b", "c", "d"], 40)
SCORES = RNG.random(160) + 0.3 * LABELS
RUNS = [RNG.random(160) + 0.3 * LABELS for _ in range(3)]


def test_each_series_stands_beside_the_pooled_value():
    labels = np.where(SERIES == "d", 0, LABELS)  # one without an event
    specs = ["f1_ba", "recall"]
    judged = aj.evaluate(labels, SCORES, specs, 0.9, series=SERIES, per_series=True, chance=False)
    assert judged["f1_ba"] == aj.f1_ba(labels, SCORES, at=0.9, series=SERIES)
    for spec in specs:
        rows = [row for row in judged.details if row.requested == spec]
        *own, mean = rows
        values = [aj.metric(spec)(labels[SERIES == s], SCORES[SERIES == s], at=0.9) for s in "abcd"]
        assert [row.series for row in own] == ["a", "b", "c", "d"]
        np.testing.assert_array_equal([row.value for row in own], values)
        defined = [value for value in values if not math.isnan(value)]
        assert (mean.series, mean.value) == ("mean over series", np.mean(defined))
        assert mean.averaged == len(defined)
    assert judged.to_dict()["details"][0]["series"] == "a"


def test_series_keep_what_is_not_judged():
    where = (np.arange(160) % 7 > 0) & (SERIES != "c")
    judged = aj.evaluate(
        LABELS, SCORES, "f1", 0.9, series=SERIES, where=where, per_series=True, chance=False
    )
    own = {row.series: row.value for row in judged.details}
    assert list(own) == ["a", "b", "d", "mean over series"]
    part = SERIES == "b"
    assert own["b"] == aj.f1(LABELS[part], SCORES[part], at=0.9, where=where[part])


def test_a_series_without_any_defined_value_has_no_mean():
    judged = aj.evaluate([0, 0], [0, 0], "recall", series=[1, 2], per_series=True, chance=False)
    assert math.isnan(judged.details[-1].value)


def test_what_stands_for_undefined_does_so_in_each_series_and_in_the_mean():
    how = {"series": list("aabb"), "per_series": True, "chance": False, "zero_division": 0}
    judged = aj.evaluate([0, 1, 0, 0], [0, 1, 0, 0], "recall", **how)
    assert [row.value for row in judged.details] == [1, 0, 0.5]
    assert judged.details[-1].averaged == 2


def test_runs_of_a_detector_give_mean_and_spread():
    judged = aj.evaluate(LABELS, {"omni": RUNS, "mine": SCORES}, ["f1", "auc_roc"], 0.9, shifts=19)
    values = [aj.f1(LABELS, run, at=0.9) for run in RUNS]
    assert judged.detectors == ["omni", "mine"]
    row = judged.of("omni")[0]
    assert (row.value, row.runs) == (np.mean(values), 3)
    assert row.spread == np.std(values, ddof=1)
    assert math.isnan(row.p_value)
    assert judged.of("mine")[0].runs == 0
    assert [detail.value for detail in judged.details if detail.requested == "f1"] == values
    assert [detail.run for detail in judged.details[:2]] == [1, 1]


def test_runs_share_the_threshold_of_their_detector():
    judged = aj.evaluate(
        LABELS, {"omni": RUNS[:1], "mine": SCORES}, "f1", {"omni": 0.9, "mine": 0.5}, chance=False
    )
    assert judged["omni", "f1"] == aj.f1(LABELS, RUNS[0], at=0.9)
    assert math.isnan(judged.of("omni")[0].spread)
    with pytest.raises(aj.InputError, match="at must name every detector, got none for 'omni'"):
        aj.evaluate(LABELS, {"omni": RUNS}, "f1", {}, chance=False)
