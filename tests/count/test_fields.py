"""Scores of neighbouring fields: by hand, undefined cases, and what their software returns."""

import math

import numpy as np
import pytest

import adjudge as aj
from values import close

DAY = np.datetime64("2020-01-01", "s")


def filled(n, *intervals):
    inside = np.zeros(n, int)
    for start, stop in intervals:
        inside[start:stop] = 1
    return inside


@pytest.mark.parametrize(
    ("truth", "alarms", "hit", "false"),
    [  # NEDC's own cases: a second is a point
        ([(100, 160)], [(100, 160)], 1, 0),
        ([(100, 160)], [(110, 140)], 0.5, 0),
        ([(100, 110)], [(50, 200)], 1, 1),
        ([(100, 160)], [(130, 190)], 0.5, 0.5),
        ([(100, 200)], [(110, 130), (140, 150), (160, 170)], 0.4, 0),
        ([(100, 150), (200, 250)], [(90, 260)], 1, 1),
        ([(100, 200)], [(90, 120), (180, 220)], 0.4, 0.3),
        ([(100, 160)], [(80, 100), (120, 130)], 1 / 6, 1),
        ([(10, 20), (30, 40)], [(5, 35), (38, 40)], 1, 2),  # the second alarm comes too late
    ],
)
def test_time_aligned_scoring_by_hand(truth, alarms, hit, false):
    labels, flags = filled(600, *truth), filled(600, *alarms)
    assert close(hit / len(truth), aj.metric("taes_recall")(labels, flags))
    assert close(hit / (hit + false), aj.metric("taes_precision")(labels, flags))


@pytest.mark.parametrize(
    ("truth", "alarms", "prompt", "value"),
    [  # what ipal_evaluate returns for 50 points
        ([(10, 20)], [(10, 11)], 1, 0.775),
        ([(10, 20)], [(19, 20)], 0, 0.275),
        ([(10, 20)], [(0, 50)], 1, 0.75),
        ([(10, 20)], [], 0, 0.25),
        ([(10, 11)], [(10, 11)], 1, 1),
        ([(40, 50)], [(45, 50)], 4 / 9, 0.5972222222222222),
    ],
)
def test_batadal_by_hand(truth, alarms, prompt, value):
    labels, flags = filled(50, *truth), filled(50, *alarms)
    assert close(prompt, aj.metric("batadal_ttd")(labels, flags))
    assert close(value, aj.metric("batadal")(labels, flags))


def test_promptness_and_false_time_go_by_the_clock():
    when = DAY + np.array([1, 2, 4, 8, 9, 10, 20, 21, 30, 31, 40, 41])
    labels, flags = filled(12, (4, 8)), filled(12, (1, 2), (5, 7), (10, 11))
    assert close(1 - 1 / 12, aj.metric("batadal_ttd")(labels, flags, time=when))
    row = aj.evaluate(labels, flags, "false_time", time=when, chance=False).rows[0]
    assert (row.value, row.seconds) == (2, (4 - 2) + (41 - 40))
    last = aj.evaluate(labels, filled(12, (11, 12)), "false_time", time=when, chance=False).rows[0]
    assert last.seconds == 41 - 40  # as long as the one before


def test_an_alarm_one_sigma_late_earns_the_area_that_two_half_gaussians_share():
    labels = filled(5000, (1000, 1100))
    for late, worth in ((0, 1), (30, 0.3173105), (90, 0.0026998)):
        flags = filled(5000, (1000 + late, 1001 + late))
        assert aj.metric("gaussian_recall")(labels, flags) == pytest.approx(worth, abs=1e-7)


def test_sigma_need_not_be_a_whole_number_of_steps():
    labels, flags = [0, 1, 1, 0, 0, 0, 0], [0, 0, 0, 0, 1, 0, 0]
    minutes = np.datetime64("2026-01-01") + np.arange(7) * np.timedelta64(60, "s")
    worth = math.erfc(3 / (1.5 * math.sqrt(2)))
    assert aj.gaussian_recall(labels, flags, sigma=1.5) == pytest.approx(worth)
    assert aj.gaussian_recall(labels, flags, sigma="90s", time=minutes) == pytest.approx(worth)


def test_which_alarms_are_false_to_the_gaussian_score():
    labels = filled(9000, (1000, 1100), (5000, 5100))
    flags = filled(9000, (500, 501), (1000, 1001), (1050, 1051), (3000, 3001), (5000, 5001))
    assert close(2 / 4, aj.metric("gaussian_precision")(labels, flags))
    assert close(2 / 3, aj.metric('gaussian_precision(variant="datadog")')(labels, flags))


def test_flapping_by_hand():
    flags = filled(30, (2, 4), (5, 6), (8, 9), (20, 22))
    for within, share in ((1, 1 / 4), (2, 2 / 4), (10, 2 / 4), (11, 3 / 4)):
        assert close(share, aj.metric(f"flapping(within={within})")(filled(30), flags))
    series = np.repeat(["a", "b"], [5, 25])
    assert close(1 / 4, aj.metric("flapping(within=2)")(filled(30), flags, series=series))


def test_what_is_undefined():
    none, every, some = filled(6), filled(6, (0, 6)), filled(6, (1, 3))
    for spec, labels, flags in (
        ("specificity", every, some),
        ("false_positive_rate", every, some),
        ("negative_predictive_value", some, every),
        ("markedness", some, none),
        ("markedness", some, every),
        ("informedness", none, some),
        ("kappa", none, none),
        ("kappa", every, every),
        ("jaccard", none, none),
        ("batadal", none, some),
        ("batadal", every, some),
        ("flapping", some, none),
        ("taes_precision", some, none),
        ("taes_recall", none, some),
        ("gaussian_recall", none, some),
    ):
        assert math.isnan(aj.metric(spec)(labels, flags)), spec
    assert aj.metric("kappa")(none, every) == 0


def test_a_receipt_says_what_sticks_out():
    receipt = aj.explain(filled(20, (5, 10)), filled(20, (8, 12), (15, 16)), "taes_f1")
    assert receipt.entries.alarms.cost.tolist() == pytest.approx([2 / 5, 1])
    assert receipt.entries.truth.credit.tolist() == pytest.approx([2 / 5])
