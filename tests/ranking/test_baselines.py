"""Detectors of one line: what each scores, and that they know nothing of the labels."""

import numpy as np
import pytest

from adjudge.ranking.baselines import (
    ONE_LINERS,
    finite,
    noise,
    one_liners,
    period_of,
    periodic_alarms,
)
from ranking import naive_baselines as naive


def series(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(20, 260))
    values = np.sin(2 * np.pi * np.arange(n) / rng.integers(9, 40)) + 0.2 * rng.normal(size=n)
    if seed % 3 == 1:
        values = np.round(values)  # ties, constant runs
    if seed % 3 == 2:
        values[n // 3 : n // 3 + 9] = 5.0
    return values


@pytest.mark.parametrize("seed", range(9))
def test_each_line_is_its_slow_twin(seed):
    values = series(seed)
    found, slow = one_liners(values), naive.one_liners(values, naive.period_of(values))
    assert list(found) == list(slow)
    for name, scored in found.items():
        np.testing.assert_allclose(scored.scores, slow[name], atol=1e-7, err_msg=name)


def test_a_wrong_twin_is_noticed():
    values = series(0)
    slow = naive.one_liners(values[::-1], naive.period_of(values))
    with pytest.raises(AssertionError):
        np.testing.assert_allclose(one_liners(values)["jump"].scores, slow["jump"])


def test_the_period_is_that_of_the_definition():
    assert [period_of(series(seed)) for seed in range(30)] == [
        naive.period_of(series(seed)) for seed in range(30)
    ]


@pytest.mark.parametrize(
    "values", [np.ones(100), np.arange(12) % 3, np.arange(400.0), np.full(50, np.nan)]
)
def test_no_period(values):
    assert period_of(values) == 0
    assert "unlike one period ago" not in one_liners(values)


def test_noise_and_a_series_that_drifts_down_have_no_period():
    rng = np.random.default_rng(5)
    assert period_of(rng.normal(size=2000)) == 0
    assert period_of(np.r_[np.zeros(30), np.ones(30)]) == 0


def test_a_period_that_is_given_is_taken():
    values = series(3)
    scores = one_liners(values, period=7)["unlike one period ago"].scores
    np.testing.assert_array_equal(scores[7:], np.abs(values[7:] - values[:-7]))
    assert not scores[:7].any()
    assert "unlike one period ago" not in one_liners(values, period=0)


def test_a_spread_of_equal_values_is_zero_however_far_a_value_before_them_was():
    values = np.full(400, 0.1)
    values[40] = 1e9
    spread = one_liners(values)["spread"].scores
    assert (spread[60:] == 0).all()
    assert spread[40] > 0


def test_missing_values_count_as_the_median():
    values = series(0)
    holes = values.copy()
    holes[[3, 9]] = np.nan, np.inf
    filled = np.where(np.isfinite(holes), holes, np.median(np.delete(values, [3, 9])))
    for name, scored in one_liners(holes).items():
        np.testing.assert_array_equal(scored.scores, one_liners(filled)[name].scores)
    assert finite([np.nan]).tolist() == [0.0]


def test_reach_is_half_a_window():
    found = one_liners(np.sin(np.arange(2000) / 5))
    reach = {name: scored.reach for name, scored in found.items()}
    assert (reach["spread"], reach["level"], reach["jump"], reach["high value"]) == (10, 50, 1, 0)
    assert set(reach) == set(ONE_LINERS)


def test_noise_is_drawn_from_its_seed_and_alarms_come_at_even_steps():
    assert noise(50, 3).tolist() == noise(50, 3).tolist() != noise(50, 4).tolist()
    assert np.flatnonzero(periodic_alarms(450)).tolist() == [50, 150, 250, 350]
