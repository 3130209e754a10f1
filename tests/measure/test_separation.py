"""How far apart normal and anomalous scores lie: the paper's index, and a true distance."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

import adjudge as aj
from adjudge import Events
from adjudge.measure.whole.separation import _Density, hellinger, separation
from measure import naive_separation as naive
from small import cases

GOLDEN = Path(__file__).parent.parent / "golden"
CASES = json.loads((GOLDEN / "cases.json").read_text(encoding="utf-8"))
SCORES = json.loads((GOLDEN / "scores.json").read_text(encoding="utf-8"))

both = pytest.mark.parametrize("distance", [separation, hellinger], ids=lambda f: f.__name__)


def golden_case(name):
    events = Events.from_intervals(CASES[name]["events"], CASES[name]["n"])
    return np.array(SCORES[name]) / 1e6, events


def same(expected, actual, tolerance=1e-9):
    return (math.isnan(expected) and math.isnan(actual)) or abs(expected - actual) <= tolerance


def half(scores):
    """The first half normal, the second half anomalous."""
    scores = np.array(scores, float)
    return scores, Events.from_labels(np.arange(len(scores)) >= len(scores) / 2)


@both
@given(case=cases(least=2))
def test_the_cells_give_the_direct_sum(distance, case):
    labels, scores, ids, kept = case
    events = Events.from_labels(labels, series=ids, where=kept)
    expected = getattr(naive, distance.__name__)(labels, scores, kept)
    assert same(expected, distance(np.array(scores, float), events))


@both
@pytest.mark.parametrize("name", ["h10", "h60", "r10", "r20", "r33"])
def test_the_cells_give_the_direct_sum_on_real_numbers(distance, name):
    scores, events = golden_case(name)
    expected = getattr(naive, distance.__name__)(events.labels, scores)
    assert same(expected, distance(scores, events))


@both
def test_outliers_and_slivers_are_no_trouble(distance):
    rng = np.random.default_rng(1)
    for scores in (
        np.concatenate([rng.random(40), [1e9], rng.random(40), [-1e9]]),
        np.concatenate([rng.random(40), [1 + 1e-9], rng.random(40) + 1]),
        np.exp(rng.normal(0, 9, 80)),
    ):
        scored, events = half(scores)
        expected = getattr(naive, distance.__name__)(events.labels, scored)
        assert same(expected, distance(scored, events))


def test_too_few_moments_would_be_noticed(monkeypatch):
    scores, events = golden_case("r20")
    right = hellinger(scores, events)
    monkeypatch.setattr("adjudge.measure.whole.separation._MOMENTS", 5)
    assert not same(right, hellinger(scores, events))


@both
@pytest.mark.parametrize("factor", [3.0, 2.0**1000, 2.0**-1000, 2.0**-1060])
def test_the_unit_of_the_scores_does_not_matter(distance, factor):
    scores, events = half([0.5, 1.25, 2.5, 1, 3, 1.5, 2.25, 4])
    assert pytest.approx(distance(scores, events), abs=1e-12) == distance(scores * factor, events)


@both
def test_no_events_or_no_normal_points_leave_nothing_to_compare(distance):
    scores = np.array([0.1, 0.2, 0.3])
    for labels in ([0, 0, 0], [1, 1, 1]):
        assert math.isnan(distance(scores, Events.from_labels(labels)))


@both
@pytest.mark.parametrize("scores", [[0, 0, 0, 0], [1, 1, 1, 1], [-2, -2, -2, -2]])
def test_constant_scores_are_undefined(distance, scores):
    assert math.isnan(distance(*half(scores)))


@both
@pytest.mark.parametrize("wrong", [np.inf, -np.inf])
def test_infinite_scores_are_undefined(distance, wrong):
    assert math.isnan(distance(*half([0.1, 0.4, 0.3, wrong])))


@pytest.mark.parametrize("name", ["separation", "hellinger"])
@pytest.mark.parametrize("scale", [1.0, 1e307])
def test_infinite_scores_are_undefined_for_who_calls_the_metric_too(name, scale):
    """A case reads -inf as the lowest finite number, which is no score to estimate from."""
    labels, scores = [0] * 5 + [1] * 5, scale * np.array([1, 4, 3, 6, 2, 2, 5, 8, 7, 9])
    assert math.isfinite(aj.metric(name)(labels, scores))
    scores[4] = -np.inf
    assert math.isnan(aj.metric(name)(labels, scores))


def test_a_kind_without_spread_has_no_density():
    assert math.isnan(hellinger(*half([0, 0, 1, 1])))
    assert math.isnan(
        separation(*half([1, 2, 3, 1.5, 4, 5]))
    )  # one normal score inside the overlap
    assert math.isnan(separation(*half([1, 2, 4, 3, 1.5, 1.5, 1.5, 1.5])))


def test_the_index_is_one_without_an_overlap_even_of_flags():
    assert 1 == separation(*half([0, 0, 1, 1]))
    assert 1 == separation(*half([0, 0.5, 0.5, 1]))


def test_the_index_is_no_distance():
    """A sliver of overlap leaves it well below one, and losing that makes it jump."""
    rng = np.random.default_rng(0)
    normal, anomalous = rng.uniform(0, 1, 4000), rng.uniform(0.997, 2, 4000)
    assert 0.55 < separation(*half(np.concatenate([normal, anomalous]))) < 0.7
    assert 1 == separation(*half(np.concatenate([normal, anomalous + 0.01])))


def test_the_distance_runs_from_nought_to_one():
    rng = np.random.default_rng(3)
    cloud = rng.normal(0, 1, 300)
    assert 0 == hellinger(*half(np.concatenate([cloud, cloud])))
    apart = [hellinger(*half(np.concatenate([cloud, cloud + far]))) for far in (0.5, 1, 2, 4, 40)]
    assert sorted(apart) == apart
    assert pytest.approx(1, abs=1e-9) == apart[-1]
    assert apart[-1] <= 1


def test_masses_of_a_density_sum_to_one():
    values = np.random.default_rng(5).exponential(size=500)
    edges = np.linspace(-30, 60, 40)
    assert pytest.approx(1, abs=1e-14) == _Density(values).masses(edges).sum()


@both
def test_points_that_are_not_judged_play_no_part(distance):
    scores = np.array([1, 2, 3, 4, 2.5, 3.5, 5, 6.0])
    labels = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    where = np.array([1, 1, 1, 0, 1, 1, 1, 0])
    kept = distance(scores[where > 0], Events.from_labels(labels[where > 0]))
    assert kept == distance(scores, Events.from_labels(labels, where=where))
