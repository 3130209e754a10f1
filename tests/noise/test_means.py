"""Means over series with data sets as units: by hand, against a loop, and how often they hold."""

import math
import re

import numpy as np
import pytest
from scipy.special import expit, logit
from scipy.stats import t, ttest_1samp

from adjudge.errors import InputError
from adjudge.noise.intervals.means import mean_difference, mean_differences, mean_of
from noise.naive_evidence import spread as naive_spread


def by_loop(values, groups):
    """Mean, standard error and degrees of freedom, as for any other measure of units."""
    names = sorted(set(groups))
    rows = np.array([[sum(v for v, g in zip(values, groups, strict=True) if g == name),
                      groups.count(name)] for name in names], float)  # fmt: skip
    return naive_spread(lambda sums: sums[0] / sums[1], rows, [], [*rows[:, 1], 0])


def test_the_mean_of_three_series_by_hand():
    """0.2, 0.3 and 0.7: the step from 0 away is longer, since the mean lies nearer to 0."""
    mean, se = 0.4, math.sqrt(0.07 / 3)
    step = t.ppf(0.975, 2) * se / (mean * (1 - mean))
    found = mean_of([0.2, 0.3, 0.7])
    assert found.low == pytest.approx(expit(logit(mean) - step), rel=1e-6)
    longer = step * (1 + (se / mean) ** 2)
    assert found.high == pytest.approx(expit(logit(mean) + longer), rel=1e-6)
    assert (found.mean, found.unit, found.units) == (pytest.approx(0.4), "series", 3)
    assert str(found) == "0.4000 (0.0413 to 0.9389; 3 series)"


def test_the_interval_is_the_same_from_the_other_bound_and_on_another_scale():
    values = np.array([0.2, 0.3, 0.7, 0.15])
    found, other = mean_of(values), mean_of(1 - values)
    assert (other.low, other.high) == pytest.approx((1 - found.high, 1 - found.low))
    wide = mean_of(100 * values - 20, span=(-20.0, 80.0))
    assert (wide.low, wide.high) == pytest.approx((100 * found.low - 20, 100 * found.high - 20))


def test_data_sets_are_the_units_where_they_are_known():
    values, groups = [0.2, 0.3, 0.8, 0.9, 0.5, 0.6, 0.1], list("aabbccc")
    mean, se, df = by_loop(values, groups)
    step = t.ppf(0.975, df) * se / (mean * (1 - mean))
    found = mean_of(values, groups)
    assert found.df == pytest.approx(df)
    assert found.low == pytest.approx(expit(logit(mean) - step), abs=1e-5)
    longer = step * (1 + (se / mean) ** 2)
    assert found.high == pytest.approx(expit(logit(mean) + longer), abs=1e-5)
    assert found.words == "the evidence is 3 data sets, not 7 series"
    assert found.high - found.low > np.diff(mean_of(values)[1:3]).item()


def test_all_columns_at_once_are_each_by_itself():
    rng = np.random.default_rng(0)
    table, groups = rng.normal(size=(14, 6)), rng.integers(5, size=14)
    table[rng.random(table.shape) < 0.3] = math.nan
    table[:, 4] = math.nan
    table[3:, 5] = math.nan
    for given in (groups, None):
        together = mean_differences(table, given)
        alone = [mean_difference(one, given) for one in table.T]
        assert str(together) == str(alone)
    for one, found in zip(table.T, mean_differences(table, groups), strict=True):
        known = ~np.isnan(one)
        if known.any():
            mean, se, df = by_loop(one[known].tolist(), groups[known].tolist())
            assert (found.mean, found.df) == pytest.approx((mean, max(df, 1)))
        if not math.isnan(found.low):
            assert found.high - mean == pytest.approx(t.ppf(0.975, found.df) * se, rel=1e-4)


def test_values_that_do_not_tell_how_far_they_spread_have_no_interval_unless_they_are_many():
    assert mean_of([0.5] * 19).words == "too few to say: 19 series with one value"
    assert mean_of([1.0, 0.0, 1.0]).words == "too few to say: 3 series with no value but 0 and 1"
    assert not math.isnan(mean_of([1.0, 0.0, 0.5]).low)
    perfect = mean_of([1.0] * 20)
    assert perfect.low == pytest.approx(0.025 ** (1 / 20))  # the chance to meet nothing else
    assert perfect.high == 1.0
    same, rest = mean_of([0.25] * 20), 1 - 0.025 ** (1 / 20)
    assert (same.low, same.high) == pytest.approx((0.25 * (1 - rest), 0.25 + rest * 0.75))
    found = mean_of([1.0] * 5 + [0.0] * 15)
    step = t.ppf(0.975, 19) * math.sqrt(0.1875 / 19) / 0.1875
    ends = expit(logit(0.25) - step), expit(logit(0.25) + step)
    assert (found.low, found.high) == pytest.approx(ends, rel=1e-6)
    delays = mean_of([4.0] * 30, span=(0.0, math.inf))
    assert delays.words == "too few to say: 30 series with one value"


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
    assert most.words == "one data set carries 80 % of the weight: no interval"
    one = mean_of([0.2, 0.3, 0.8], list("aaa"))
    assert str(one).startswith("0.4333 (too few to say: 1 data set; for this one 0.")


def test_a_mean_of_delays_is_open_to_the_long_side():
    """The logarithm of the mean by hand, which is 6, and 4.303 standard errors of it."""
    delays = [2.0, 2.0, 14.0]
    found = mean_of(delays, span=(0.0, math.inf))
    part = np.std(delays, ddof=1) / math.sqrt(3) / 6
    longer = t.ppf(0.975, 2) * part * (1 + part**2)
    assert found.high == pytest.approx(6 * math.exp(longer), rel=1e-6)
    assert found.low == 0.0
    moved = mean_of(np.array(delays) + 100, span=(100.0, math.inf))
    assert moved.high == pytest.approx(100 + found.high)
    even = mean_of([4.0, 5.0, 6.0], span=(0.0, math.inf))
    part = 1 / math.sqrt(3) / 5
    assert even.high == pytest.approx(5 * math.exp(t.ppf(0.975, 2) * part * (1 + part**2)))


def test_a_mean_of_skewed_delays_has_the_end_of_their_skewness():
    skewed = np.array([8.0, 8.0, 8.0, 9.0, 30.0])
    d, far_off = skewed - skewed.mean(), t.ppf(0.975, 4)
    a = (d**3).mean() / (d**2).mean() ** 1.5 / math.sqrt(5) * 1.3 * math.sqrt(20) / 3
    far = np.linspace(far_off, 40 * far_off, 400_000)  # Hall's polynomial, turned round by looking
    low = -far - a / 3 * -(far**2) - a**2 / 27 * far**3 + a / 6
    by_hand = far[np.argmin(np.abs(low + far_off))]
    found = mean_of(skewed, span=(0.0, math.inf))
    se = np.std(skewed, ddof=1) / math.sqrt(5)
    assert found.high == pytest.approx(skewed.mean() + by_hand * se, rel=1e-3)


def test_an_even_mean_without_bounds_has_students_interval():
    values = [-1.0, 0.5, 2.0, 0.5]
    found, known = mean_of(values, span=(-math.inf, math.inf)), ttest_1samp(values, 0)
    ends = known.confidence_interval()
    assert (found.low, found.high) == pytest.approx((ends.low, ends.high), rel=1e-6)


def test_a_skewed_mean_without_bounds_is_open_to_its_long_side():
    skewed = np.array([8.0, 8.0, 8.0, 9.0, 30.0])
    free, ends = (-math.inf, math.inf), ttest_1samp(skewed, 0).confidence_interval()
    found, turned = mean_of(skewed, span=free), mean_of(-skewed, span=free)
    assert found.low == pytest.approx(ends.low, rel=1e-6)
    assert found.high == mean_of(skewed, span=(0.0, math.inf)).high > ends.high
    assert (turned.low, turned.high) == (-found.high, -found.low)


def test_an_upper_bound_alone_is_a_lower_one_turned_round():
    for values in ([2.0, 2.0, 14.0], [8.0, 8.0, 8.0, 9.0, 30.0], [4.0, 5.0, 6.0]):
        found = mean_of(values, span=(1.0, math.inf))
        turned = mean_of(-np.array(values), span=(-math.inf, -1.0))
        assert (turned.low, turned.high) == (-found.high, -found.low)
        assert turned.mean == -found.mean


def test_one_data_set_per_value():
    with pytest.raises(
        InputError, match=r"\Agroups must be one data set per value, got 2 for 3 values\Z"
    ):
        mean_of([0.1, 0.2, 0.3], ["a", "b"])


def test_without_data_sets_a_mean_difference_is_the_paired_t_test():
    gains = np.array([0.1, -0.05, 0.3, 0.2, 0.12, 0.02, -0.1, 0.15])
    found, known = mean_difference(gains), ttest_1samp(gains, 0)
    ends = known.confidence_interval()
    assert found.p_value == pytest.approx(known.pvalue, rel=1e-6)
    assert (found.low, found.high) == pytest.approx((ends.low, ends.high), rel=1e-6)


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


def test_differences_that_never_vary_say_no_more_than_their_sign():
    nothing, same = mean_difference([0.0] * 5), mean_difference([0.25] * 5)
    assert nothing.p_value == 1
    assert str(nothing) == "0.0000 (5 series that do not differ: no interval)"
    assert same.p_value == 2 / 2**5
    assert str(same) == "0.2500 (5 series that differ by the same: no interval)"
    assert mean_difference([0.1] * 7).p_value == mean_difference([0.1] * 7).p_flips == 2 / 2**7
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
