"""Intervals of areas and the optimism of best(...): what is drawn, and how often it holds."""

import math

import numpy as np
import pytest

import adjudge as aj
from adjudge.noise.intervals.of_areas import area_interval, optimism, redrawn


def scored(events, rng, gain=1.5):
    """Give events that differ in how clear they are."""
    labels, scores = np.zeros((events, 40), int), rng.normal(size=(events, 40))
    labels[:, 20:30] = 1
    scores[:, 20:30] += gain + rng.normal(size=(events, 1))
    return aj.Case(labels.ravel(), scores.ravel())


@pytest.mark.parametrize("spec", ["auc_roc", "ap", "auc_pr", "auc_roc_pa", "ap_ba(width=11)"])
def test_the_interval_holds_the_value_and_narrows_with_the_events(spec):
    metric, widths = aj.metric(spec), []
    for events in (4, 30, 200):
        case = scored(events, np.random.default_rng(1))
        value = metric.reading(case).value
        low, high = area_interval(metric, case, value)
        assert 0 <= low < value < high <= 1
        widths.append(high - low)
    assert sorted(widths, reverse=True) == widths


@pytest.mark.parametrize("spec", ["auc_roc", "ap"])
def test_it_holds_the_area_of_the_population_about_as_often_as_it_says(spec):
    metric, rng = aj.metric(spec), np.random.default_rng(0)
    truth = metric.reading(scored(2000, np.random.default_rng(9))).value
    held = 0
    for _ in range(40):
        case = scored(20, rng)
        low, high = area_interval(metric, case, metric.reading(case).value, seed=rng)
        held += low <= truth <= high
    assert held >= 33


def test_a_perfect_ranking_of_few_events_leaves_something_open():
    case = aj.Case(np.tile([0, 0, 1, 0], 5), np.tile([0.1, 0.2, 0.9, 0.3], 5))
    low, high = area_interval(aj.auc_roc, case, 1.0)
    assert 0.7 < low < 0.98
    assert high == 1


def test_what_is_no_sum_over_points_is_read_anew():
    case = scored(4, np.random.default_rng(0))
    value = aj.vus_roc.reading(case).value
    low, high = area_interval(aj.vus_roc, case, value)
    assert 0.4 < low < value < high <= 1
    where = np.arange(case.events.n) % 40 > 3
    judged = aj.Case(case.events.labels, case.scores, where=where)
    low, high = area_interval(aj.vus_roc, judged, aj.vus_roc.reading(judged).value)
    assert low < high


def test_draws_of_nothing_but_unjudged_time_are_left_out():
    case = scored(2, np.random.default_rng(0))
    labels, scores = np.append(case.events.labels, [0] * 40), np.append(case.scores, [0.0] * 40)
    series = np.arange(120) >= 80
    judged = aj.Case(labels, scores, series=series, where=~series)
    drawn = list(redrawn(judged.events, 400, np.random.default_rng(0)))
    assert 300 < len(drawn) < 400  # one in 27 draws the third piece three times
    assert all(events.judged.any() for events, _ in drawn)


def test_where_nothing_can_be_said_both_ends_are_undefined():
    rng = np.random.default_rng(0)
    for case, value in (
        (scored(1, rng), 0.8),  # a single event has no spread
        (scored(5, rng), math.nan),
        (aj.Case([1, 1], [0.1, 0.2]), 0.5),
    ):
        assert np.isnan(area_interval(aj.auc_roc, case, value)).all()
    long = aj.Case(np.tile([0] * 90 + [1] * 10, 1000), rng.random(100_000))
    assert np.isnan(area_interval(aj.vus_roc, long, 0.5)).all()


def test_more_events_flatter_less():
    metric = aj.best(aj.f1_ba(width=11))
    few, many = (
        np.mean([optimism(metric, scored(n, np.random.default_rng(k))) for k in range(6)])
        for n in (5, 60)
    )
    assert 0 < many < few < 0.3


def test_only_a_chosen_threshold_flatters():
    case = scored(5, np.random.default_rng(0))
    for metric in (aj.f1(at=1), aj.auc_roc, aj.best(aj.mcc), aj.best(aj.event_f1)):
        assert math.isnan(optimism(metric, case))
    assert math.isnan(optimism(aj.best(aj.f1), scored(1, np.random.default_rng(0))))


def test_many_events_are_taken_together():
    case = scored(2100, np.random.default_rng(0))
    low, high = area_interval(aj.auc_roc, case, aj.auc_roc.reading(case).value)
    assert 0 < high - low < 0.05
