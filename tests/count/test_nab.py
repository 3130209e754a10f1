"""The Numenta benchmark's score, worked out by hand with its sigmoid."""

import math

import numpy as np
import pytest
from hypothesis import given

import adjudge as aj
from adjudge.count.nab import PROFILES, NabWindows
from adjudge.measure.nab_score import NabScore
from adjudge.metrics.reader import metric
from small import cases
from values import filled

RAW = "nab(normalise=False)"


def sigmoid(x):
    return 2 / (1 + math.exp(5 * x)) - 1


def value(spec, labels, flags, **options):
    return metric(spec)(labels, flags, **options)


@pytest.mark.parametrize("first", range(20, 30))
def test_a_window_earns_by_its_first_flag_alone(first):
    labels = filled(60, (20, 30))
    reward = sigmoid(-(29 - first + 1) / 10) / sigmoid(-1)
    for flags in (filled(60, (first, first + 1)), filled(60, (first, 30))):
        assert pytest.approx(reward) == value(RAW, labels, flags)
        assert pytest.approx(100 * (reward + 1) / 2) == value("nab", labels, flags)


@pytest.mark.parametrize("behind", [1, 2, 9, 18, 27, 28, 30])
def test_a_false_point_behind_a_window_costs_by_its_distance(behind):
    labels, flags = filled(70, (20, 30)), filled(70, (29 + behind, 30 + behind))
    x = behind / 9
    cost = -0.11 if x > 3 else 0.11 * sigmoid(x)
    assert pytest.approx(-1 + cost) == value(RAW, labels, flags)


def test_a_false_point_before_the_first_window_costs_all_that_it_can():
    labels = filled(60, (20, 30))
    assert pytest.approx(-1 - 0.22) == value(RAW, labels, filled(60, (0, 1), (19, 20)))


def test_every_false_point_costs_and_not_every_run():
    labels = filled(60, (40, 50))
    receipt = aj.explain(labels, filled(60, (0, 10), (45, 52)), "nab")
    assert [1.1, 0.11 * -(sigmoid(1 / 9) + sigmoid(2 / 9))] == pytest.approx(receipt.alarms.cost)
    assert [[0, 50], [10, 52]] == [receipt.alarms.start.tolist(), receipt.alarms.stop.tolist()]


def test_no_flags_score_0_and_windows_found_at_once_100():
    labels = filled(60, (20, 30), (40, 41))
    assert 0 == value("nab", labels, filled(60))
    assert -2 == value(RAW, labels, filled(60))
    for profile in PROFILES:
        assert pytest.approx(100) == value(f'nab(profile="{profile}")', labels, labels)
        assert pytest.approx(2) == value(
            f'nab(profile="{profile}", normalise=False)', labels, labels
        )


def test_profiles_weigh_false_points_and_missed_windows():
    labels, flags = filled(60, (20, 30), (40, 45)), filled(60, (0, 1), (20, 21))
    found, false, missed = 1, 0.11, 1
    for profile, raw, span in (
        ("standard", found - false - missed, 2),
        ("low_fp", found - 2 * false - missed, 2),
        ("low_fn", found - false - 2 * missed, 3),
    ):
        spec = f'nab(profile="{profile}"'
        assert pytest.approx(raw) == value(f"{spec}, normalise=False)", labels, flags)
        silence = -2 * (span - 1)
        assert pytest.approx(100 * (raw - silence) / (2 * span)) == value(f"{spec})", labels, flags)


def test_behind_a_window_of_one_point_costs_rise_as_behind_one_of_two():
    flags = filled(30, (11, 15))
    one, two = (value(RAW, filled(30, (a, 11)), flags) for a in (10, 9))
    assert pytest.approx(one) == two
    assert pytest.approx(-1 + 0.11 * (sigmoid(1) + sigmoid(2) + sigmoid(3) - 1)) == one
    assert pytest.approx(1) == value(RAW, filled(30, (10, 11)), filled(30, (10, 11)))


def test_the_score_is_undefined_without_events_but_the_costs_are_not():
    flags = filled(30, (3, 5))
    assert math.isnan(value("nab", filled(30), flags))
    assert math.isnan(value("nab", filled(30), filled(30)))
    assert pytest.approx(-0.22) == value(RAW, filled(30), flags)
    assert 0 == value(RAW, filled(30), filled(30))


# --- probation ---------------------------------------------------------------------------------


def test_flags_in_the_probation_neither_earn_nor_cost():
    labels = filled(100, (10, 20), (50, 60))
    spec = "nab(probation=0.15, normalise=False)"
    assert -2 == value(spec, labels, filled(100, (0, 15)))
    half = sigmoid(-5 / 10) / sigmoid(-1)  # the first flag that counts is at 15
    assert pytest.approx(half - 1) == value(spec, labels, filled(100, (0, 20)))


def test_a_window_within_the_probation_counts_for_nothing():
    labels = filled(100, (2, 10), (50, 60))
    assert -1 == value("nab(probation=0.15, normalise=False)", labels, filled(100))
    assert 100 == pytest.approx(value("nab(probation=0.15)", labels, filled(100, (50, 51))))
    receipt = aj.explain(labels, labels, "nab(probation=0.15)")
    assert [0, 2] == receipt.truth.weight.tolist()


def test_the_probation_of_a_long_series_is_that_of_5000_points():
    labels = filled(20_000, (19_000, 19_010))
    spec = "nab(probation=0.15, normalise=False)"
    assert -1 == value(spec, labels, filled(20_000, (0, 750)))
    assert pytest.approx(-1.11) == value(spec, labels, filled(20_000, (750, 751)))


def test_the_probation_is_a_whole_number_of_points_rounded_down():
    labels = filled(19, (15, 18))  # 0.15 * 19 = 2.85
    spec = "nab(probation=0.15, normalise=False)"
    assert -1 == value(spec, labels, filled(19, (0, 2)))
    assert pytest.approx(-1.11) == value(spec, labels, filled(19, (2, 3)))


def test_all_probation_leaves_nothing_to_judge():
    labels = filled(19, (15, 18))
    assert math.isnan(value("nab(probation=1)", labels, labels))


# --- several series ----------------------------------------------------------------------------


@given(case=cases(flags=True, where=False))
def test_the_raw_score_of_a_corpus_is_the_sum_over_its_series(case):
    labels, flags, series, _ = case
    series = np.zeros(len(labels)) if series is None else np.array(series)
    spec = 'nab(probation=0.15, normalise=False, profile="low_fp")'
    parts = [
        value(spec, np.array(labels)[series == name], np.array(flags)[series == name])
        for name in np.unique(series)
    ]
    assert pytest.approx(sum(parts)) == value(spec, labels, flags, series=series)


def test_a_corpus_is_scaled_as_a_whole_so_a_series_without_windows_costs_too():
    labels, flags = filled(40, (10, 20)), filled(40, (10, 11), (25, 27))
    series = [0] * 20 + [1] * 20
    assert pytest.approx(100 * (2 - 0.22) / 2) == value("nab", labels, flags, series=series)


# --- thresholds --------------------------------------------------------------------------------


@given(case=cases())
def test_the_best_threshold_is_the_best_of_all(case):
    labels, scores, series, where = case
    best = aj.best(metric(RAW))(labels, scores, series=series, where=where)
    tried = [
        metric(RAW)(labels, scores, series=series, where=where, at=level)
        for level in [-math.inf, *set(scores)]
    ]
    assert pytest.approx(max(tried)) == best


def test_a_flag_is_a_score_above_the_threshold_so_one_at_it_is_flagged_just_below():
    labels, scores = filled(20, (10, 15)), filled(20, (10, 11)) * 0.5
    assert 0 == value("nab", labels, scores, at=0.5)
    assert pytest.approx(100) == value("nab", labels, scores, at=math.nextafter(0.5, 0))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: NabWindows("low"), "profile must be one of 'standard', 'low_fp', 'low_fn', got"),
        (lambda: NabScore("low"), "profile must be one of 'standard', 'low_fp', 'low_fn', got"),
        (lambda: NabWindows(probation=1.5), r"probation must be a share in \[0, 1\], got 1.5"),
        (lambda: NabScore(normalise=1), "normalise must be True or False, got 1"),
    ],
)
def test_wrong_settings_are_refused(make, message):
    with pytest.raises(aj.InputError, match=message):
        make()
