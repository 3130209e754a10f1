"""Chance levels: both nulls, what is exact, and what is simulated."""

import math

import numpy as np
import pytest

import adjudge as aj
from adjudge.theory import f1_ba as theorem_2
from adjudge.theory import f1_pa as theorem_1
from sampling import one_in


def many_events(n=20_000, width=100, share=0.2):
    period = int(width / share)
    labels = np.zeros(n, int)
    for start in range((period - width) // 2, n, period):
        labels[start : start + width] = 1
    return labels


@pytest.mark.parametrize(
    ("nu", "pa", "ba"),
    one_in(3, [
        (0.5, 0.5000, 0.3333), (0.9, 0.8333, 0.3334), (0.95, 0.9061, 0.3343),
        (0.98, 0.8908, 0.3312), (0.99, 0.7574, 0.3125), (0.995, 0.5575, 0.2732),
        (0.999, 0.1732, 0.1311),
    ]),
)  # fmt: skip
def test_the_table_of_chance_levels_with_exact_borders(nu, pa, ba):
    """Figure 3's setting, 40 events: theorem 1, and balanced adjustment with its borders."""
    labels = many_events()
    assert aj.chance(labels, "f1_pa", rate=1 - nu).expected == pytest.approx(pa, abs=6e-5)
    found = aj.chance(labels, "f1_ba(width=100)", rate=1 - nu).expected
    assert found == pytest.approx(ba, abs=2e-3)
    assert theorem_1(0.2, 100, nu) == pytest.approx(pa, abs=6e-5)
    assert abs(theorem_2(0.2, 100, nu) - found) < 0.01


@pytest.mark.parametrize(
    ("nu", "share"), one_in(3, [(0.995, 0.285), (0.99, 0.212), (0.999, 0.094)])
)
def test_with_one_event_noise_exceeds_one_half_every_fourth_time(nu, share):
    """Erratum E15: "almost surely below one half" is a statement about expectations."""
    rng, times = np.random.default_rng(5), 20_000
    labels = np.zeros(500, bool)
    labels[200:300] = True
    many = aj.Events.from_labels(np.tile(labels, times), series=np.repeat(np.arange(times), 500))
    adjusted = aj.f1_ba(width=100).parts.adjust(rng.random(500 * times) > nu, many)
    found = (adjusted & many.labels).reshape(times, 500).sum(axis=1)
    value = 2 * found / (100 + adjusted.reshape(times, 500).sum(axis=1))
    assert np.mean(value > 0.5) == pytest.approx(share, abs=0.015)


def test_white_noise_slanders_a_detector_whose_alarms_come_in_runs():
    rng = np.random.default_rng(3)
    labels, flags = np.zeros((2, 10_000), int)
    for start in range(400, 10_000, 800):
        labels[start : start + 100] = 1
        if rng.random() < 0.7:
            flags[start + 10 : start + 60] = 1
    white = aj.chance(labels, "f1_pa", rate=flags.mean())
    shifted = aj.chance(labels, "f1_pa", like=flags)
    assert white.expected > 0.75
    assert shifted.expected < 0.35
    assert (white.null[:11], shifted.null) == ("white noise", "the same alarms, shifted")


def test_moments_are_exact_for_balanced_f_and_by_delta_on_long_series():
    exact = aj.chance(many_events(4000), "f1_ba", rate=0.01)
    assert (exact.method, exact.draws, exact.standard_error) == ("exact", 0, 0)
    delta = aj.chance(many_events(20_000), "f1_ba", rate=0.01)
    assert delta.method == "delta method"
    assert delta.mean == pytest.approx(delta.expected, rel=0.05)


@pytest.mark.parametrize("spec", ["f1", "f1_kpa", 'f1_ba(islands="all")', "event_f1", "mcc"])
def test_the_rest_is_simulated_and_says_how_well(spec):
    labels = many_events(4000)
    found = aj.chance(labels, spec, rate=0.02, draws=200)
    assert (found.method, found.draws) == ("simulated", 200)
    assert found.standard_error == pytest.approx(found.sd / 200**0.5)
    assert math.isnan(found.expected) == (spec == "event_f1")
    if spec != "event_f1":
        assert found.mean == pytest.approx(found.expected, abs=5 * found.standard_error + 0.03)
    assert found.level == (found.mean if spec == "event_f1" else found.expected)


@pytest.mark.parametrize("spec", ["f1_pa", "f1_ba(width=3)", "f1_kpa(k=0.01)", "f1_pa(beta=2)"])
def test_where_one_hit_marks_an_event_moments_equal_a_sum_over_all_flags(spec):
    labels, metric, rate = [0, 1, 1, 0, 0, 0, 1, 0, 0], aj.metric(spec), 0.3
    every = np.arange(1 << 9)[:, np.newaxis] >> np.arange(9) & 1
    values = np.array([metric(labels, flags) for flags in every])
    chances = np.prod(np.where(every, rate, 1 - rate), axis=1)
    mean = chances @ values
    found = aj.chance(labels, metric, rate=rate)
    assert found.method == "exact"
    assert found.mean == pytest.approx(mean, abs=1e-9)
    assert found.sd == pytest.approx(np.sqrt(chances @ values**2 - mean**2), abs=1e-7)


@pytest.mark.parametrize("border", ["clip", "shift"])
def test_matched_widths_have_an_expectation_and_simulated_moments(border):
    labels = np.concatenate([many_events(2000), many_events(2000, width=40, share=0.1)])
    matched = aj.f1_ba(width="matched", border=border)
    found = aj.chance(labels, matched, rate=0.02, draws=100)
    assert found.method == "simulated"
    assert found.expected == pytest.approx(found.mean, abs=0.05)


def test_informedness_expects_nothing_of_noise():
    labels = np.concatenate([many_events(2000), many_events(2000, width=40, share=0.1)])
    balance = aj.chance(labels, "informedness_ba", rate=0.02, draws=20).expected
    assert balance == pytest.approx(0, abs=1e-12)


def test_areas_and_oracles_are_scored_on_noise_or_on_shifted_scores():
    labels, rng = many_events(4000), np.random.default_rng(0)
    scores = rng.random(4000)
    assert aj.chance(labels, "auc_roc", rate=0.5, draws=30).mean == pytest.approx(0.5, abs=0.02)
    assert aj.chance(labels, "auc_roc", like=scores, draws=30).mean == pytest.approx(0.5, abs=0.03)
    best = aj.chance(labels, "best(f1_pa)", like=scores, draws=30)
    assert best.mean > 0.85
    assert math.isnan(best.expected)


def test_scores_take_a_threshold():
    labels, scores = many_events(4000), np.random.default_rng(0).random(4000)
    flags = (scores > 0.99).astype(int)
    expected = aj.chance(labels, like=flags)
    assert expected == aj.chance(labels, like=scores, at=0.99)
    assert expected == aj.chance(labels, "f1_ba(at=0.99)", like=scores)


def test_series_and_unjudged_points_are_respected():
    labels = many_events(4000)
    series, where = np.repeat([0, 1], 2000), np.ones(4000, bool)
    where[:100] = False
    both = aj.chance(labels, "f1_pa", rate=0.01, series=series, where=where)
    assert both.expected != aj.chance(labels, "f1_pa", rate=0.01).expected
    assert aj.chance(aj.Events.from_labels(labels), "f1", rate=0.1).expected > 0


def test_seeds_reproduce_and_differ():
    labels, flags = many_events(4000), (np.random.default_rng(0).random(4000) < 0.005).astype(int)
    one, again, other = (
        aj.chance(labels, like=flags, draws=50, seed=seed).mean for seed in (1, 1, 2)
    )
    assert one == again != other


def test_all_shifts_need_no_seed():
    labels, flags = many_events(800), (np.random.default_rng(0).random(800) < 0.01).astype(int)
    found = aj.chance(labels, like=flags, seed=1)
    assert found == aj.chance(labels, like=flags, seed=2)
    assert found.method == "exact"
    values = [aj.f1_ba(labels, np.roll(flags, by)) for by in range(800)]
    assert (found.mean, found.sd) == pytest.approx((np.mean(values), np.std(values)))


def test_without_events_there_is_no_chance_level_for_recall():
    found = aj.chance([0, 0, 0, 0], "recall", rate=0.5, draws=5)
    assert math.isnan(found.mean)
    assert math.isnan(found.standard_error)
    assert aj.chance([0, 0, 0, 0], "f1_ba", rate=0.5, draws=1).method == "simulated"


@pytest.mark.parametrize(
    ("nulls", "got"), [({}, "neither"), ({"like": [0, 1], "rate": 0.5}, "both")]
)
def test_one_null_is_needed(nulls, got):
    with pytest.raises(ValueError, match="chance needs") as caught:
        aj.chance([0, 1], "f1", **nulls)
    assert str(caught.value).endswith(f"got {got}")


def test_a_rate_is_a_probability():
    with pytest.raises(ValueError, match=r"rate must be a share in \[0, 1\], got 1.5"):
        aj.chance([0, 1], "f1", rate=1.5)


@pytest.mark.parametrize("draws", [0, -3, 2.5, True, "9"])
@pytest.mark.parametrize("null", [{"rate": 0.1}, {"like": [0, 1, 0, 0]}])
def test_draws_must_be_a_whole_number_from_one_on(draws, null):
    with pytest.raises(aj.InputError, match="draws must be a whole number, at least 1, got"):
        aj.chance([0, 0, 1, 1], "f1", draws=draws, **null)
