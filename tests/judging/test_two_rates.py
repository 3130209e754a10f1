"""The newest blocks beside those before: two rates, each with its own dispersion."""

import math

import numpy as np
import pytest
from scipy.stats import t as student

import adjudge as aj
from adjudge.judging.over_time.two_rates import Rate, TwoRates

NEW = 7


def days(rng, weeks=4, events=2.0, recall=0.7, false=0.02, newest=1.0):
    """Sums of each day; in the newest week so many times the events."""
    n = 7 * (weeks + 1)
    rate = np.where(np.arange(n) >= n - 7, events * newest, events)
    truth = rng.poisson(rate)
    found = rng.binomial(truth, recall)
    normal = np.maximum(24 - 2 * truth, 4)
    wrong = rng.binomial(normal, false)
    return np.stack([found, truth, found, found + wrong, normal], 1).astype(float)


def compared(metric, sums, watched=None):
    watched = sums[:, 4] if watched is None else watched
    rates = TwoRates.of(metric.value, sums, watched, NEW)
    return rates.compared(lower=metric.row.better == "lower")


def naive_variance(number, stake):
    """The dispersion of single blocks around the level of their side, by loops."""
    n, sides = len(number), (range(len(number) - NEW), range(len(number) - NEW, len(number)))
    own, per = [0.0] * n, 0.0
    for side in sides:
        held = sum(stake[k] for k in side)
        level, per = sum(number[k] for k in side) / held, per + 1 / held
        for k in side:
            own[k] = number[k] - stake[k] * level
    there = [k for k in range(n) if stake[k] > 0]
    share = (sum(number) + 0.5) / (sum(stake) + 1)
    phi = sum(own[k] ** 2 / stake[k] for k in there) / (len(there) - 2)
    return max(phi, share * (1 - share)) * per, len(there) - 2


ALONE = np.tile([1.0, -1.0], 7)
"""Days that are no more like their neighbours than chance has it."""


@pytest.mark.parametrize("seed", range(5))
def test_a_variance_is_that_of_loops(seed):
    rng = np.random.default_rng(seed)
    stake = rng.integers(8, 20, 14).astype(float)
    rate = Rate(stake * 0.5 + ALONE * rng.random(14), stake, NEW)
    assert rate.variance() == pytest.approx(naive_variance(rate.number, rate.stake))


def test_what_hardly_varies_has_the_variance_of_a_binomial():
    rate = Rate(np.full(14, 5.0), np.full(14, 10.0), NEW)
    assert rate.variance()[0] == pytest.approx(0.25 * 2 / 70)


def test_a_rhythm_is_no_chance():
    day = np.arange(35) % 7
    noisy = np.where(day >= 5, 8.0, 1.0) + 0.1 * np.tile([1.0, -1.0], 18)[:35]
    mixed = np.random.default_rng(0).permutation(noisy)
    known, unknown = (Rate(one, np.full(35, 20.0), NEW).variance() for one in (noisy, mixed))
    assert known[0] < unknown[0] / 2
    assert known[1] == 35 - 8


def test_days_that_resemble_their_neighbours_say_less():
    stake, levels = np.full(35, 20.0), np.repeat([2.0, 2.0, 8.0, 8.0, 5.0], 7)
    alone = np.random.default_rng(1).permutation(levels)
    lone, row = (Rate(one, stake, NEW).variance() for one in (alone, levels))
    assert row[0] > 3 * lone[0]
    assert row[1] == 1.5 * 3  # by sums over a week, of four weeks


def test_a_share_of_events_is_compared_by_welch():
    sums = days(np.random.default_rng(5))
    sums[-NEW:, [0, 2]] //= 2
    sums[:, 3] = sums[:, 2] + 1
    hits = Rate(sums[:, 0], sums[:, 1], NEW)
    variance, df = hits.variance()
    now, before = hits.levels
    found = compared(aj.event_recall, sums)
    assert found.now == pytest.approx(now)
    assert found.before == pytest.approx(before)
    assert found.p_value == pytest.approx(student.cdf((now - before) / math.sqrt(variance), df))


def test_false_alarms_are_compared_by_their_roots():
    sums = days(np.random.default_rng(6))
    sums[-NEW:, 3] += 1
    rate = Rate(sums[:, 3] - sums[:, 2], sums[:, 4], NEW)
    variance, df = rate.variance()
    (now, before), level = rate.roots, rate.overall
    z = 2 * math.sqrt(level) * (now - before) / math.sqrt(variance)
    metric = aj.metric("false_alarms(per=100)")
    assert compared(metric, sums).p_value == pytest.approx(student.sf(z, df))
    assert compared(aj.f1, sums).p_value > compared(metric, sums).p_value


def test_f1_is_compared_at_one_rate_of_events():
    sums = np.tile([7.0, 10.0, 7.0, 10.0, 80.0], (35, 1))
    sums[-NEW:] = [2.1, 3.0, 2.1, 5.1, 80.0]  # as many found of ten, as many false a day
    found = compared(aj.f1, sums)
    assert found.now == pytest.approx(found.before)
    assert found.p_value == pytest.approx(0.5)
    plain = [aj.f1.value(side.sum(axis=0)) for side in (sums[-NEW:], sums[:-NEW])]
    assert plain[0] < plain[1] - 0.1


def share(metric, worlds, test, **scene):
    every = (days(np.random.default_rng([11, run]), **scene) for run in range(worlds))
    return sum(test(metric, sums) <= 0.05 for sums in every) / worlds


def p_at_one_rate(metric, sums):
    return compared(metric, sums).p_value


def p_of_plain_values(metric, sums):
    """The wrong double: both sides at their own rates of events."""
    rng, total = np.random.default_rng(0), sums.sum(axis=0)
    order = rng.permuted(np.tile(np.arange(len(sums)), (199, 1)), axis=1)[:, :NEW]
    drawn = np.concatenate([sums[None, -NEW:].sum(axis=1), sums[order].sum(axis=1)])
    apart = metric.value(drawn) - metric.value(total - drawn)
    return float(np.mean(apart <= apart[0] + 1e-12))


@pytest.mark.parametrize("metric", [aj.f1, aj.precision], ids=str)
def test_fewer_events_do_not_make_a_detector_worse(metric):
    worlds, rarer = 200, {"events": 2.0, "newest": 1 / 3}
    assert share(metric, worlds, p_at_one_rate, **rarer) <= 0.09
    assert share(metric, worlds, p_of_plain_values, **rarer) > 0.2


@pytest.mark.parametrize("name", ["event_recall", "false_alarms(per=100)", "f1", "precision"])
def test_a_stable_detector_is_seldom_called_worse(name):
    assert share(aj.metric(name), 200, p_at_one_rate) <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / 200)


def test_runs_are_counted_in_watched_time():
    sums, hours = days(np.random.default_rng(8)), np.full(35, 24.0)
    sums[:, 4] = np.nan  # a metric of runs knows no normal time
    assert 0 < compared(aj.event_f1, sums, hours).p_value < 1


def test_a_side_without_events_says_nothing_of_them():
    sums = days(np.random.default_rng(9))
    sums[-NEW:, :2], sums[-NEW:, 3] = 0, sums[-NEW:, 3] - sums[-NEW:, 2]
    sums[-NEW:, 2] = 0
    assert math.isnan(compared(aj.f1, sums).p_value)
    assert compared(aj.metric("false_alarms(per=100)"), sums).p_value > 0


def test_nothing_found_on_either_side_is_no_change():
    sums = days(np.random.default_rng(9), recall=0.0)
    found = compared(aj.event_recall, sums)
    assert (found.now, found.before) == (0, 0)
    assert found.p_value == pytest.approx(0.5)


def test_a_value_that_no_rate_moves_does_not_change():
    rates = TwoRates.of(lambda sums: np.zeros(len(sums)), days(np.random.default_rng(9)),
                        np.ones(35), NEW)  # fmt: skip
    assert rates.compared(lower=True) == (0, 0, 1)
