"""Intervals of areas and the optimism of best(...): what is counted, and how often it holds."""

import math

import numpy as np
import pytest

import adjudge as aj
from adjudge.noise.intervals.areas import AREAS as FORMULAS
from adjudge.noise.intervals.areas import (
    CasePieces,
    area_evidence,
    areas,
    chosen_levels,
    every_normal,
    optimism,
)
from adjudge.noise.intervals.jackknife import left_out, read_spread
from adjudge.noise.intervals.units import units_of
from noise.naive_evidence import naive_optimism, units_of_points


def area_interval(metric, case, value, unit="auto"):
    return area_evidence(metric, case, value, units_of(case.events, unit))[:2]


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


@pytest.mark.parametrize("kind", ["event", "series"])
def test_the_counts_of_the_units_are_those_of_a_walk(kind):
    rng = np.random.default_rng(0)
    labels = rng.random(60) < 0.3
    case = aj.Case(labels, rng.integers(0, 6, 60), series=np.arange(60) // 20)
    units = units_of(case.events, kind)
    rows = CasePieces(case).by(aj.auc_roc.parts.adjust, units)
    slow = units_of_points(case.events, kind)
    names = list(dict.fromkeys(slow))
    for place, level in enumerate(range(5, -1, -1)):  # from the highest level down
        for side, points in enumerate((labels, ~labels)):
            counts = [
                sum(slow[k] == name and case.scores[k] >= level for k in np.flatnonzero(points))
                for name in names
            ]
            assert sorted(rows[:, side, place]) == sorted(counts)
    for spec in ("auc_roc", "ap", "auc_pr"):
        metric = aj.metric(spec)
        whole = areas(FORMULAS[metric.parts.measure], rows.sum(axis=0))
        assert whole == pytest.approx(metric.reading(case).value)


@pytest.mark.parametrize("spec", ["auc_roc", "ap"])
def test_it_holds_the_area_of_the_population_about_as_often_as_it_says(spec):
    metric, rng = aj.metric(spec), np.random.default_rng(0)
    truth = metric.reading(scored(2000, np.random.default_rng(9))).value
    held = 0
    for _ in range(60):
        case = scored(20, rng)
        low, high = area_interval(metric, case, metric.reading(case).value)
        held += low <= truth <= high
    assert held >= 52


def test_a_perfect_ranking_of_few_events_leaves_something_open():
    case = aj.Case(np.tile([0, 0, 1, 0], 5), np.tile([0.1, 0.2, 0.9, 0.3], 5))
    low, high = area_interval(aj.auc_roc, case, 1.0)
    assert 0.6 < low < 0.98
    assert high == 1


def test_what_is_no_sum_over_points_is_read_anew_without_each_unit():
    case = scored(6, np.random.default_rng(0))
    value = aj.vus_roc.reading(case).value
    low, high = area_interval(aj.vus_roc, case, value)
    assert 0.3 < low < value < high <= 1
    where = np.arange(case.events.n) % 40 > 3
    judged = aj.Case(case.events.labels, case.scores, where=where)
    low, high = area_interval(aj.vus_roc, judged, aj.vus_roc.reading(judged).value)
    assert low < high
    clear = aj.Case(case.events, case.events.labels.astype(float))
    low, high = area_interval(aj.separation, clear, aj.separation.reading(clear).value)
    assert low < high  # every unit says the same, and something is left open


def test_leaving_units_out_is_the_jackknife():
    """Of the mean of 1, 2, 3 and 6 without anything imagined it is the usual standard error."""
    values = np.array([1.0, 2.0, 3.0, 6.0])
    left = (12 - values) / 3
    found = left_out(3.0, left, np.ones(4), (-np.inf, np.inf))
    assert found.se == pytest.approx(values.std(ddof=1) / 2)
    assert found.df == pytest.approx(3)
    bounded = left_out(3.0, left, np.ones(4), (0.0, 10.0))
    assert bounded.value == pytest.approx((12 + 0.1 * 10) / 4.2)
    assert bounded.se > found.se * 4 / 4.2
    in_time = left_out(3.0, np.repeat(left, 3), np.ones(12), (0.0, 10.0), np.zeros(12, int))
    assert in_time.alike > 1


def test_where_reading_takes_long_neighbours_are_left_out_together():
    labels = np.tile([0] * 180 + [1] * 20, 150)
    events = aj.Events.from_labels(labels)
    read = []
    found = read_spread(lambda one: read.append(one) or 0.5, 0.5, units_of(events), (0.0, 1.0))
    assert len(read) == 66  # of two million points, 30,000 each
    assert found.df == pytest.approx(63, abs=1)  # two or three neighbours at a time
    assert all(one.judged.sum() < events.n for one in read)


def test_many_units_are_left_out_a_hundred_at_most():
    case = scored(120, np.random.default_rng(0))
    read = []
    read_spread(lambda one: read.append(one) or 0.5, 0.5, units_of(case.events), (0.0, 1.0))
    assert len(read) == 100


def test_a_single_unit_cannot_be_left_out():
    case = scored(1, np.random.default_rng(0))
    found = area_evidence(aj.vus_roc, case, 0.5, units_of(case.events))
    assert found.words == "too few to say: 1 event"


def test_without_events_in_a_unit_all_units_are_alike():
    events = aj.Events([], [], 30, bounds=[0, 10, 20, 30])
    found = read_spread(lambda _: 0.5, 0.5, units_of(events), (0.0, 1.0))
    assert found.equal == pytest.approx(3)


def test_where_nothing_can_be_said_both_ends_are_undefined():
    rng = np.random.default_rng(0)
    for case, value in (
        (scored(1, rng), 0.8),  # a single event has no spread
        (scored(2, rng), 0.8),
        (scored(5, rng), math.nan),
        (aj.Case([1, 1], [0.1, 0.2]), 0.5),
        (aj.Case([0, 0], [0.1, 0.2]), 0.5),
    ):
        assert np.isnan(area_interval(aj.auc_roc, case, value)).all()
    long = aj.Case(np.tile([0] * 90 + [1] * 10, 3000), rng.random(300_000))
    assert np.isnan(area_interval(aj.vus_roc, long, 0.5)).all()


def test_more_events_flatter_less():
    metric = aj.best(aj.f1_ba(width=11))
    few, many = (
        np.mean([optimism(metric, scored(n, np.random.default_rng(k))) for k in range(6)])
        for n in (5, 60)
    )
    assert 0 < many < few < 0.3


@pytest.mark.parametrize("spec", ["f1", "f1(beta=2)", "f1_pa", "f1_kpa(k=0.4)", "f1_ba(width=5)"])
def test_thresholds_at_which_no_event_gains_flatter_no_other_way(spec):
    metric, rng = aj.best(aj.metric(spec)), np.random.default_rng(3)
    for ties in (1, 3):
        case = scored(6, rng)
        case = aj.Case(case.events, np.round(case.scores, ties))
        pieces = CasePieces(case)
        slow = naive_optimism(metric, case, pieces.cut.drawn(400, 0))
        assert optimism(metric, case, 0, pieces) == pytest.approx(slow, rel=1e-12)


def test_pieces_are_counted_once_for_each_adjustment():
    pieces = CasePieces(scored(5, np.random.default_rng(0)))
    assert pieces.of(aj.f1.parts.adjust) is pieces.of(aj.auc_roc.parts.adjust)


def test_only_a_chosen_threshold_flatters():
    case = scored(5, np.random.default_rng(0))
    for metric in (aj.f1(at=1), aj.auc_roc, aj.best(aj.mcc), aj.best(aj.event_f1)):
        assert math.isnan(optimism(metric, case))
    assert math.isnan(optimism(aj.best(aj.f1), scored(1, np.random.default_rng(0))))


def test_many_events_are_taken_together():
    case = scored(2100, np.random.default_rng(0))
    units = units_of(case.events)
    low, high, *_ = found = area_evidence(aj.auc_roc, case, aj.auc_roc.reading(case).value, units)
    assert 0 < high - low < 0.05
    assert found.words == "2,100 events"
    rows = CasePieces(case).by(aj.auc_roc.parts.adjust, units)
    assert len(rows) == 2000
    assert rows[:, :, -1].sum() == case.events.n
    assert optimism(aj.best(aj.f1), case, draws=20) < 0.02


@pytest.mark.parametrize("spec", ["auc_roc", "ap", "vus_pr(window=4, thresholds=10)"])
def test_scores_that_are_all_equal_have_no_interval_and_say_why(spec):
    labels = np.tile(np.repeat([0, 1], [30, 10]), 5)
    for scores in (np.zeros(200), np.ones(200), np.full(200, 0.3)):
        (row,) = aj.evaluate(labels, scores, spec, shifts=1).rows
        assert math.isnan(row.low)
        assert math.isnan(row.high)
        assert row.evidence == "all scores are equal: no interval"
        assert (row.evidence_unit, row.evidence_units) == ("event", 5)
    once = np.zeros(200)
    once[35] = 1
    (row,) = aj.evaluate(labels, once, spec, shifts=1).rows
    assert row.low < row.value < row.high


@pytest.mark.parametrize("spec", ["auc_roc", "ap"])
def test_series_without_events_say_nothing_of_how_clear_events_are(spec):
    rng = np.random.default_rng(0)
    labels = np.zeros((3, 5, 60), int)
    labels[:, :, 40:50] = 1
    scores = rng.normal(size=(3, 5, 60)) + labels * rng.normal(1.5, 1, (3, 1, 1))
    quiet = rng.normal(size=(9, 5, 60))
    found = []
    for more in (0, 9):
        case = aj.Case(
            np.concatenate([labels, np.zeros((more, 5, 60), int)]).ravel(),
            np.concatenate([scores, quiet[:more]]).ravel(),
            series=np.repeat(np.arange(3 + more), 300),
        )
        value = aj.metric(spec).reading(case).value
        found.append(area_evidence(aj.metric(spec), case, value, units_of(case.events)))
    few, many = found
    assert many.units == 12
    assert many.df == pytest.approx(few.df, rel=0.02)
    assert "effectively 3" in many.words


@pytest.mark.parametrize(
    "spec", ["ap", 'ap_ba(width="matched")', 'ap_ba(width="matched", margin=1)', "ap_ba(width=4)"]
)
def test_the_pieces_add_up_to_what_is_judged(spec):
    """At every level, in each layer of an adjustment: an interval is one of the value beside it."""
    rng, labels = np.random.default_rng(2), np.repeat(np.arange(41) % 2, [9, 2, 7, 5, 30] * 8 + [9])
    case, metric = aj.Case(labels, rng.normal(size=labels.size) + labels), aj.metric(spec)
    adjust, pieces = metric.parts.adjust, CasePieces(case)
    sums = pieces.by(adjust, units_of(case.events)).sum(axis=0)
    sides = pieces.adjusted(adjust, case.scores)
    levels = chosen_levels(sides.inside, every_normal(sides))[::-1]
    masses = metric.parts.counting.counts(case.scores, case.events, adjust)
    for k, level in enumerate(levels):
        tally = masses.at(np.nextafter(level, -np.inf))
        assert sums[:, k] == pytest.approx([tally.found, tally.flagged - tally.found])


def test_the_interval_of_matched_widths_is_not_that_of_one_of_them():
    rng, labels = (
        np.random.default_rng(3),
        np.repeat(np.arange(41) % 2, [9, 2, 90, 50, 30] * 8 + [9]),
    )
    scores = rng.normal(size=labels.size) + 1.5 * labels
    metrics = ['ap_ba(width="matched")', "ap_ba(width=50)"]
    matched, heaviest = aj.evaluate(labels, scores, metrics, shifts=9).rows
    assert (matched.low, matched.high) != (heaviest.low, heaviest.high)
    assert matched.low < matched.value < matched.high
