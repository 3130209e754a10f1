"""Ranks, tests and intervals, held against scipy and against published numbers."""

import math

import numpy as np
import pytest
from scipy import stats

from adjudge.noise.p_values import holm
from adjudge.ranking.statistics import (
    critical_difference,
    friedman,
    kendall,
    mean_ranks,
    wilcoxon,
    wilcoxon_of_each,
)

# Demsar (2006), table 6: AUC of C4.5 and three variants on 14 data sets.
DEMSAR = np.array([
    [0.763, 0.768, 0.771, 0.798], [0.599, 0.591, 0.590, 0.569], [0.954, 0.971, 0.968, 0.967],
    [0.628, 0.661, 0.654, 0.657], [0.882, 0.888, 0.886, 0.898], [0.936, 0.931, 0.916, 0.931],
    [0.661, 0.668, 0.609, 0.685], [0.583, 0.583, 0.563, 0.625], [0.775, 0.838, 0.866, 0.875],
    [1.000, 1.000, 1.000, 1.000], [0.940, 0.962, 0.965, 0.962], [0.619, 0.666, 0.614, 0.669],
    [0.972, 0.981, 0.9751, 0.975], [0.957, 0.978, 0.946, 0.970],
])  # fmt: skip


def test_mean_ranks_are_those_of_the_published_example():
    assert pytest.approx([3.143, 2.000, 2.893, 1.964], abs=5e-4) == mean_ranks(DEMSAR).tolist()


def test_friedman_is_scipys_and_that_of_the_published_example_but_for_ties():
    found = friedman(DEMSAR)
    expected = stats.friedmanchisquare(*DEMSAR.T)
    assert (expected.statistic, expected.pvalue) == found
    ranks = mean_ranks(DEMSAR)  # the paper's 9.28 has no correction for ties
    plain = 12 * 14 / (4 * 5) * (np.sum(ranks**2) - 4 * 25 / 4)
    assert pytest.approx(9.28, abs=5e-3) == plain
    assert found.statistic > plain


@pytest.mark.parametrize("wrong", [DEMSAR[:, :2], DEMSAR[:1], np.ones((5, 4))])
def test_friedman_is_undefined_where_there_is_nothing_to_compare(wrong):
    assert all(map(math.isnan, friedman(wrong)))


@pytest.mark.parametrize(
    ("detectors", "quantile"),
    [(2, 1.960), (3, 2.343), (4, 2.569), (5, 2.728), (6, 2.850), (7, 2.949), (8, 3.031),
     (9, 3.102), (10, 3.164)],
)  # fmt: skip
def test_critical_differences_have_the_published_quantiles(detectors, quantile):
    series = 30
    expected = quantile * math.sqrt(detectors * (detectors + 1) / (6 * series))
    assert pytest.approx(expected, rel=4e-4) == critical_difference(detectors, series)


def test_the_published_example_has_its_critical_difference():
    assert pytest.approx(1.25, abs=5e-3) == critical_difference(4, 14)
    tenth = critical_difference(4, 14, alpha=0.10)
    assert pytest.approx(2.291 * math.sqrt(4 * 5 / (6 * 14)), rel=4e-4) == tenth
    assert math.isnan(critical_difference(1, 14))
    assert math.isnan(critical_difference(3, 0))


def test_wilcoxon_is_scipys():
    values = np.random.default_rng(0).random((12, 2)) + np.array([0, 0.3])
    assert stats.wilcoxon(values[:, 0], values[:, 1]).pvalue == wilcoxon(values)


def test_equal_detectors_do_not_differ_and_without_series_nothing_is_known():
    assert wilcoxon(np.ones((4, 2))) == 1.0
    assert wilcoxon(np.full((4, 2), -np.inf)) == 1.0
    assert math.isnan(wilcoxon(np.ones((0, 2))))


def test_a_value_that_is_undefined_is_the_largest_step_down():
    values = np.array([[0.9, 0.2], [0.5, -np.inf], [0.1, 0.3], [-np.inf, -np.inf], [0.4, 0.1]])
    finite = np.where(np.isinf(values), -10.0, values)
    assert wilcoxon(values) == stats.wilcoxon(finite[:, 0], finite[:, 1]).pvalue
    assert wilcoxon(values) != stats.wilcoxon(*values[[0, 2, 4]].T).pvalue


def naive_holm(p_values):
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted, most = [0.0] * len(p_values), 0.0
    for step, i in enumerate(order):
        most = max(most, min(1.0, p_values[i] * (len(p_values) - step)))
        adjusted[i] = most
    return adjusted


def test_holm_is_what_one_finds_by_hand():
    rng = np.random.default_rng(1)
    for size in (1, 2, 5, 30):
        p_values = rng.random(size) ** 3
        np.testing.assert_allclose(naive_holm(p_values.tolist()), holm(p_values), rtol=1e-12)
    # Holm's own example of a table: 0.01, 0.04, 0.03, 0.005 become 0.03, 0.06, 0.06, 0.02
    published = holm(np.array([0.01, 0.04, 0.03, 0.005]))
    np.testing.assert_allclose([0.03, 0.06, 0.06, 0.02], published, rtol=1e-12)


def test_holm_rarely_calls_noise_clear():
    rng = np.random.default_rng(2)
    wrong = np.mean([(holm(rng.random(20)) <= 0.05).any() for _ in range(2000)])
    assert wrong < 0.05 + 4 * math.sqrt(0.05 * 0.95 / 2000)


def test_undefined_values_take_part_in_friedmans_test_as_the_worst():
    values = DEMSAR.copy()
    values[:5, 1] = -np.inf
    assert friedman(values) == friedman(np.where(np.isinf(values), 0.0, values))
    assert friedman(values).statistic != friedman(DEMSAR).statistic


def test_without_series_there_are_no_ranks():
    assert np.isnan(mean_ranks(np.ones((0, 3)))).all()


def test_kendall_is_scipys():
    one, other = np.array([0.1, 0.4, 0.3, np.nan]), np.array([0.2, 0.5, 0.1, 0.9])
    assert stats.kendalltau(one[:3], other[:3]).statistic == kendall(one, other)
    assert math.isnan(kendall(one[2:], other[2:]))


@pytest.mark.parametrize("digits", [pytest.param(1, marks=pytest.mark.long), 12])
def test_wilcoxon_is_scipys_to_the_last_digit(digits):
    rng = np.random.default_rng(digits)
    for many in (1, 6, 13, 14, 30, 50, 51, 80, 333):
        for lost in (0.0, 0.4):
            apart = rng.normal(0.1, 1, many).round(digits) * (rng.random(many) >= lost)
            found = wilcoxon(np.column_stack([apart, np.zeros(many)]))
            assert found == (stats.wilcoxon(apart).pvalue if apart.any() else 1.0)


@pytest.mark.parametrize(
    "many", [1, 6, 14, 51, *(pytest.param(many, marks=pytest.mark.long) for many in (13, 50, 200))]
)
def test_wilcoxon_of_many_columns_is_that_of_each(many):
    rng = np.random.default_rng(many)
    apart = np.column_stack(
        [
            rng.normal(0.1, 1, many).round(digits) * (rng.random(many) >= lost)
            for digits in (0, 1, 12)
            for lost in (0.0, 0.3, 1.0)
            for _ in range(4)
        ]
    )
    found = wilcoxon_of_each(apart)
    each = [stats.wilcoxon(one).pvalue if one.any() else 1.0 for one in apart.T]
    left = np.isnan(found)
    assert found[~left].tolist() == np.array(each)[~left].tolist()
    assert not left.any() if many > 13 else left.any() == (many > 1)  # scipy tries all signs


def test_wilcoxon_of_few_series_with_equal_differences_is_scipys_to_the_last_digit():
    rng = np.random.default_rng(3)
    for many in (1, 2, 3, 5, 8, 9):
        for _ in range(4):
            apart = rng.integers(-3, 5, many) / 2
            if apart.any():
                found = wilcoxon(np.column_stack([apart, np.zeros(many)]))
                assert found == stats.wilcoxon(apart).pvalue
