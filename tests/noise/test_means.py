"""Means over series with data sets as units: by hand, against a loop, and how often they hold."""

import math
import re

import numpy as np
import pytest
from scipy.stats import ttest_1samp

from adjudge.errors import InputError
from adjudge.noise.intervals.of_means import mean_difference, mean_of
from noise.naive_evidence import ends as naive_ends
from noise.naive_evidence import spread as naive_spread


def test_the_mean_of_three_series_by_hand():
    """0.2, 0.4 and 0.6, with 0.04 of a series imagined at 0 and at 1."""
    rows = np.array([[0.2, 1], [0.4, 1], [0.6, 1]])
    imagined = [(0.04, np.array([0.0, 1.0])), (0.04, np.array([1.0, 1.0]))]
    center, se, df = naive_spread(lambda sums: sums[0] / sums[1], rows, imagined, [1, 1, 1, 0.08])
    assert center == pytest.approx(1.24 / 3.08)
    assert df == pytest.approx(3.08**2 / 3.0064 - 1)
    found = mean_of([0.2, 0.4, 0.6])
    assert (found.low, found.high) == pytest.approx(naive_ends(center, se, df), abs=1e-5)
    assert (found.mean, found.unit, found.units) == (pytest.approx(0.4), "series", 3)
    assert str(found) == "0.4000 (0.0360 to 0.8575; 3 series)"


def test_data_sets_are_the_units_where_they_are_known():
    values, groups = [0.2, 0.3, 0.8, 0.9, 0.5, 0.6, 0.1], list("aabbccc")
    rows = np.array([[0.5, 2], [1.7, 2], [1.2, 3]])
    typical = 17 / 7
    imagined = [(0.04, typical * np.array([0.0, 1.0])), (0.04, typical * np.array([1.0, 1.0]))]
    slow = naive_spread(lambda sums: sums[0] / sums[1], rows, imagined, [2, 2, 3, 0.08 * typical])
    found = mean_of(values, groups)
    assert (found.low, found.high) == pytest.approx(naive_ends(*slow), abs=1e-5)
    assert found.words == "the evidence is 3 data sets, not 7 series"
    assert found.high - found.low > np.diff(mean_of(values)[1:3]).item()


def test_undefined_values_are_left_out_with_their_data_sets():
    values, groups = np.array([0.2, math.nan, 0.4, 0.6]), list("abcc")
    assert mean_of(values).units == 3
    assert mean_of(values, groups).units == 2
    empty = mean_of([math.nan, math.nan])
    assert math.isnan(empty.mean)
    assert str(empty) == "nan"
    assert math.isnan(mean_of([]).low)


def test_it_is_refused_below_three_units_with_the_interval_for_these():
    two = mean_of([0.2, 0.3, 0.8, 0.9], list("aabb"))
    assert math.isnan(two.low)
    assert re.fullmatch(
        r"0\.5500 \(too few to say: 2 data sets; for these two 0\.\d{4} to 0\.\d{4}\)", str(two)
    )
    assert str(mean_of([0.2, 0.3])) == "0.2500 (too few to say: 2 series)"
    assert str(mean_of([0.2, 0.3], list("ab"))) == "0.2500 (too few to say: 2 data sets)"
    most = mean_of([0.5] * 8 + [0.1, 0.2], list("aaaaaaaabc"))
    assert most.words == "one data set holds 80 % of the weight: no interval"
    one = mean_of([0.2, 0.3, 0.8], list("aaa"))
    assert str(one).startswith("0.4333 (too few to say: 1 data set; for this one 0.")


def test_a_mean_of_delays_is_open_to_the_long_side():
    """The logarithm of the mean by hand, which is 6, and 4.303 standard errors of it."""
    delays = [2.0, 2.0, 14.0]
    found = mean_of(delays, span=(0.0, math.inf))
    se = np.std(delays, ddof=1) / math.sqrt(3)
    assert found.high == pytest.approx(6 * math.exp(4.302653 * se / 6), rel=1e-3)
    assert found.low == 0.0
    skewed = np.array([8.0, 8.0, 8.0, 9.0, 30.0])
    d, t = skewed - skewed.mean(), 2.776445
    a = (d**3).mean() / (d**2).mean() ** 1.5 / math.sqrt(5)
    far = np.linspace(t, 20 * t, 400_000)  # Hall's polynomial, turned round by looking
    low = -far - a / 3 * -(far**2) - a**2 / 27 * far**3 + a / 6
    by_hand = far[np.argmin(np.abs(low + t))]
    found = mean_of(skewed, span=(0.0, math.inf))
    se = np.std(skewed, ddof=1) / math.sqrt(5)
    assert found.high == pytest.approx(skewed.mean() + by_hand * se, rel=1e-3)
    even = mean_of([4.0, 5.0, 6.0], span=(0.0, math.inf))
    assert even.high == pytest.approx(5 * math.exp(4.302653 / math.sqrt(3) / 5), rel=1e-3)
    nothing = mean_of([0.0, 0.0, 0.0], span=(0.0, math.inf))
    assert (nothing.low, nothing.high) == (0.0, 0.0)


def test_one_data_set_per_value():
    with pytest.raises(
        InputError, match=r"\Agroups must be one data set per value, got 2 for 3 values\Z"
    ):
        mean_of([0.1, 0.2, 0.3], ["a", "b"])


def test_without_data_sets_a_mean_difference_is_the_paired_t_test():
    gains = np.array([0.1, -0.05, 0.3, 0.2, 0.12, 0.02, -0.1, 0.15])
    found, known = mean_difference(gains), ttest_1samp(gains, 0)
    ends = known.confidence_interval()
    assert found.p_value == pytest.approx(known.pvalue, rel=1e-4)
    assert (found.low, found.high) == pytest.approx((ends.low, ends.high), rel=1e-3)


def test_flips_of_sign_are_all_tried():
    gains = [0.1, 0.2, 0.3, 0.25, 0.15, 0.2]
    assert mean_difference(gains).p_flips == 2 / 64
    assert math.isnan(mean_difference(gains[:5]).p_flips)
    assert math.isnan(mean_difference([0.1] * 17).p_flips)
    mixed = [0.1, -0.2, 0.3, -0.25, 0.15, 0.2]
    slow = np.mean(
        [
            abs(np.dot(1 - 2 * np.array(list(f"{k:06b}"), int), mixed)) >= sum(mixed) - 1e-12
            for k in range(64)
        ]
    )
    assert mean_difference(mixed).p_flips == slow


def test_differences_that_never_vary():
    assert mean_difference([0.0] * 5).p_value == 1
    assert mean_difference([0.25] * 5).p_value == 0
    assert math.isnan(mean_difference([0.1, 0.2]).p_value)


def test_interval_and_p_value_say_the_same_about_nothing():
    rng, told = np.random.default_rng(0), []
    for _ in range(100):
        groups = rng.integers(4, size=12)
        found = mean_difference(rng.normal(0.1, 0.2, 12), groups)
        if not math.isnan(found.p_value):
            told.append((found.p_value <= 0.05, found.low > 0 or found.high < 0))
    assert all(small == excluded for small, excluded in told)
    assert {True, False} == {small for small, _ in told}


@pytest.mark.parametrize("count", [3, 5, 10, 20])
def test_means_of_skewed_values_hold_the_truth_about_as_often_as_they_say(count):
    rng, held = np.random.default_rng(count), 0
    for _ in range(300):
        found = mean_of(rng.beta(0.3, 2.7, count))
        held += found.low <= 0.1 <= found.high
    assert held >= 276


def test_means_over_data_sets_that_differ_hold_the_truth_about_as_often_as_they_say():
    rng, held, of_series = np.random.default_rng(0), 0, 0
    for _ in range(200):
        groups = np.repeat(np.arange(8), 5)
        values = np.clip(rng.normal(0.5, 0.2, 8)[groups] + rng.normal(0, 0.1, 40), 0, 1)
        found, alone = mean_of(values, groups), mean_of(values)
        held += found.low <= 0.5 <= found.high
        of_series += alone.low <= 0.5 <= alone.high
    assert held >= 182
    assert of_series < 150  # as if series of one data set were independent
