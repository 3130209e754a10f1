"""Comparing areas of two detectors: the same values, symmetry, and what luck does to them."""

import math

import numpy as np
import pytest

import adjudge as aj
from adjudge.noise.comparing.paired_units import Own, area_difference, on_one_scale
from adjudge.noise.intervals.units import units_of

AREAS = ["auc_roc", "ap", "auc_pr", "auc_roc_pa", "ap_kpa", "ap_ba(width=5)"]
READ = ["vus_roc(window=5)", "separation"]


def scored(events, gain, seed):
    """Events of 10 points in slots of 40, clearer by the gain."""
    rng = np.random.default_rng(seed)
    labels, scores = np.zeros((events, 40), int), rng.normal(size=(events, 40))
    labels[:, 20:30] = 1
    scores[:, 20:30] += gain + rng.normal(size=(events, 1))
    return labels.ravel(), scores.ravel()


LABELS, GOOD = scored(12, 4, 0)
FAIR = scored(12, 0.3, 1)[1]


@pytest.mark.parametrize("spec", [*AREAS, *READ])
def test_the_values_are_those_of_the_metric_and_the_better_one_is_ahead(spec):
    found, metric = aj.compare(LABELS, GOOD, FAIR, spec), aj.metric(spec)
    assert (metric(LABELS, GOOD), metric(LABELS, FAIR)) == (found.a, found.b)
    assert found.low <= found.difference <= found.high
    assert found.ahead == "a"
    assert (found.low > 0) == found.separated
    assert found.events_needed >= 3


@pytest.mark.parametrize("spec", ["auc_roc", "ap", "vus_roc(window=5)"])
def test_a_detector_does_not_differ_from_its_own_scores_on_another_scale(spec):
    found = aj.compare(LABELS, GOOD, np.exp(GOOD), spec)
    assert (found.difference, found.p_value) == (pytest.approx(0, abs=1e-12), 1)
    assert found.events_needed is None


@pytest.mark.parametrize("spec", ["auc_roc", "ap_ba(width=5)", "vus_roc(window=5)"])
def test_both_orders_agree(spec):
    labels, a = scored(4, 3, 2)
    b = scored(4, 1, 3)[1]
    one, other = aj.compare(labels, a, b, spec), aj.compare(labels, b, a, spec)
    assert one.exact
    assert one.difference == -other.difference
    assert one.p_value == pytest.approx(other.p_value)
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low))


def test_the_levels_that_are_counted_give_the_difference_of_the_metric():
    cases = aj.Case(LABELS, GOOD), aj.Case(LABELS, FAIR)
    own = aj.auc_roc(LABELS, GOOD) - aj.auc_roc(LABELS, FAIR)
    found = area_difference(aj.auc_roc, cases, units_of(cases[0].events), Own(own, 1.0))
    assert found.spread.value == pytest.approx(own, abs=0.06)  # with an event imagined
    assert 0 < found.tested.p_value < 0.002
    assert found.evidence.words == "12 events"


def test_an_undefined_area_is_compared_with_nothing():
    found = aj.compare([0, 0, 0], [1, 2, 3], [3, 2, 1], "auc_roc")
    assert math.isnan(found.p_value)
    assert math.isnan(found.low)
    assert "undefined" in str(found)


def test_one_event_leaves_the_interval_open():
    found = aj.compare([0, 0, 1, 1, 0, 0], [1, 2, 9, 8, 3, 4], [9, 2, 1, 7, 3, 4], "ap")
    assert math.isnan(found.low)
    assert math.isnan(found.p_value)
    assert str(found).endswith("too few to say: 1 event")


def test_points_that_are_not_judged_have_no_rank():
    case = aj.Case([0, 1, 0, 0], [3.0, 9.0, 50.0, 1.0], where=[1, 1, 0, 1])
    np.testing.assert_allclose(on_one_scale(case), [-2 / 3, -1 / 3, -np.inf, -1])


def test_equally_good_detectors_are_seldom_told_apart():
    small = 0
    for seed in range(60):
        labels, a = scored(8, 1, 2 * seed)
        small += aj.compare(labels, a, scored(8, 1, 2 * seed + 1)[1], "ap").separated
    assert small <= 7  # of 60 at 5 %: more than 7 in 1 of 100 such tests


def test_equals_on_series_of_which_few_have_events_are_seldom_told_apart():
    apart = []
    for seed in range(80):
        rng = np.random.default_rng(seed)
        labels = np.zeros((12, 10, 60), int)
        labels[:2, :, 40:50] = 1
        flags = np.zeros((2, 12, 10, 60), int)
        for side in flags:
            skill = 1 / (1 + np.exp(-rng.normal(0.6, 1.5, (2, 1))))
            side[:2, :, 43] = rng.random((2, 10)) < skill
            side[:, :, 20] = rng.random((12, 10)) < 0.2
        series = np.repeat(np.arange(12), 600)
        one, two = (side.ravel() for side in flags)
        apart.append(aj.compare(labels.ravel(), one, two, "auc_roc", series=series).separated)
    assert np.mean(apart) <= 0.1  # .26 of 120 when series without events counted
