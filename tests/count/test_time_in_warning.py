"""Time in warning, and recall over it: by hand, on uneven clocks, and of blind alarms."""

import numpy as np
import pytest

import adjudge as aj
from adjudge.data.windows import seconds

N = 60
TRUTH = aj.Changes([20, 45], N)


def test_windows_that_overlap_are_counted_once():
    near, far = aj.Changes([10, 13], N), aj.Changes([10, 40], N)
    assert aj.time_in_warning(TRUTH, near, max_lead=5) == 9 / N
    assert aj.time_in_warning(TRUTH, far, max_lead=5) == 12 / N
    assert aj.time_in_warning(TRUTH, far, max_lead=5, min_lead=3) == 6 / N


def test_a_window_ends_with_its_series():
    series = np.repeat(["a", "b"], 30)
    late = aj.Changes([28], N)
    assert aj.time_in_warning(TRUTH, late, max_lead=5, series=series) == 2 / N
    assert aj.time_in_warning(TRUTH, late, max_lead=5) == 6 / N


def test_only_watched_time_is_in_warning():
    where = np.arange(N) >= 12
    assert aj.time_in_warning(TRUTH, aj.Changes([15], N), max_lead=5, where=where) == 6 / 48


def test_a_cooldown_takes_time_away():
    twice = aj.Changes([10, 13], N)
    assert aj.time_in_warning(TRUTH, twice, max_lead=5, cooldown=4) == 6 / N


@pytest.mark.parametrize("seed", range(20))
def test_leads_in_time_weigh_points_by_how_long_they_stand(seed):
    rng = np.random.default_rng(seed)
    minutes = np.cumsum(rng.integers(1, 30, N))
    time = np.datetime64("2026-01-01T00:00") + minutes.astype("timedelta64[m]")
    alarms = aj.Changes(np.sort(rng.choice(N, 4, replace=False)), N)
    found = aj.time_in_warning(TRUTH, alarms, max_lead="45min", min_lead="10min", time=time)
    stands = np.append(np.diff(minutes), minutes[-1] - minutes[-2])
    warned = [any(10 <= at - minutes[a] <= 45 for a in alarms.positions) for at in minutes]
    assert found == pytest.approx(stands[warned].sum() / stands.sum())
    assert seconds(aj.Case(TRUTH, alarms, time=time).events)[1] == 60 * (minutes[1] - minutes[0])


def test_a_receipt_adds_up_to_the_union():
    rng = np.random.default_rng(5)
    flags = (rng.random(N) < 0.3).astype(int)
    found = aj.explain(TRUTH, aj.Changes(np.flatnonzero(flags), N), "time_in_warning(max_lead=3)")
    covered = np.convolve(flags, np.ones(4))[:N] > 0
    assert found.tally.flagged == covered.sum()
    assert found.tally.normal == N


def test_recall_over_time_takes_the_best_threshold_with_no_more_time():
    labels, scores = np.zeros(20, int), np.zeros(20)
    labels[[6, 15]] = 1
    scores[[5, 14, 10]] = 3, 2, 2.5  # in time, in time, false
    # time: 0, 2, 4, 6 of 20; recall 0, .5, .5, 1; a run over all is one alarm, 2 of 20 points
    expected = (0.25 * 2 + 0.5 * 2 + 0.75 * 2 + 14) / 20
    assert aj.warning_auc(labels, scores, max_lead=1) == pytest.approx(expected)


def test_perfect_scores_have_hardly_less_than_1_and_random_ones_what_chance_says():
    rng = np.random.default_rng(2)
    labels = np.zeros(2000, int)
    labels[rng.choice(np.arange(100, 2000), 8, replace=False)] = 1
    blind, perfect = rng.normal(size=2000), np.zeros(2000)
    perfect[np.flatnonzero(labels) - 1] = 1
    found = aj.evaluate(labels, {"good": perfect, "blind": blind}, "warning_auc(max_lead=1)",
                        shifts=39)  # fmt: skip
    good, noise = found.rows
    assert good.value > 0.99
    assert abs(noise.value - noise.chance) < 0.2
    assert noise.p_value > 0.05
    assert np.isnan(noise.blind_level)


def test_undefined_without_events_and_without_watched_time():
    scores = np.arange(6.0)
    assert np.isnan(aj.warning_auc(np.zeros(6, int), scores))
    assert aj.time_in_warning(aj.Changes([], 6), aj.Changes([], 6)) == 0
