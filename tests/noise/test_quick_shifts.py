"""The quick ways to judge shifts are equal to judging each shift anew, and all are enumerated."""

import numpy as np
import pytest

import adjudge as aj
from adjudge.noise.circles import Circles, circle_lengths
from adjudge.noise.flag_shifts import FlagShifts
from adjudge.noise.offsets import choose_offsets, every_offset
from adjudge.noise.p_values import p_value
from adjudge.noise.score_shifts import ScoreShifts
from adjudge.noise.shifts import CaseShifts, OneByOne, shift_values
from noise import naive_shifts

FLAGS = [
    *("f1", "precision", "recall", "mcc", "accuracy", "f1_pa", "precision_pa", "f1_kpa"),
    *("f1_kpa(k=0.5, strict=True)", "delay_f1", "delay_f1(k=2)", "delay_f1(k=None)"),
    *("f1_ba", "f1_ba(width=1)", "f1_ba(width=2)", "f1_ba(width=3)", "f1_ba(width=6)"),
    *("f1_ba(width=50)", 'f1_ba(width="iid")', "event_f1_ba", "event_f1_ba(width=4)"),
    *("event_f1", "event_precision", "event_recall", "event_coverage"),
    *("composite_f1", "segment_f1", "segment_precision", "revised_f1"),
]
SCORES = [
    *("best(f1)", "best(f1(beta=2))", "best(f1_pa)", "best(f1_kpa)"),
    *("best(f1_kpa(k=0.5, strict=True))", "best(f1_ba)", "best(f1_ba(width=1))"),
    *("best(f1_ba(width=2))", "best(f1_ba(width=6))", "best(f1_ba(width=50))"),
    *("best(delay_f1(k=2))", "auc_roc", "ap", "auc_pr"),
    *(f"{area}_{family}" for area in ("auc_roc", "ap", "auc_pr") for family in ("pa", "kpa", "ba")),
    *("auc_roc_kpa(k=0.5, strict=True)", "ap_ba(width=6)", "auc_pr_ba(width=1)"),
]
OTHERS = [
    *('f1_ba(islands="all")', 'f1_ba(border="shift")', "f1_kpa(tolerance=1)", "range_f1"),
    *("affiliation_f1", "detection_delay", "nab", 'f1(at="quantile(0.5)")', "separation"),
]


@pytest.mark.parametrize("spec", FLAGS)
def test_shifted_flags_equal_the_slow_twin(spec):
    rng, metric = np.random.default_rng(0), aj.metric(spec)
    for _ in range(60):
        case = naive_shifts.random_case(rng, flags=True)
        way, _ = CaseShifts(case).way(metric)
        assert isinstance(way, FlagShifts)
        lengths = np.maximum(circle_lengths(case.events), 1)
        by = np.stack([rng.integers(lengths) for _ in range(6)])
        expected = naive_shifts.values(metric, case, by)
        np.testing.assert_allclose(way.values(by), expected, atol=1e-12, rtol=0)


@pytest.mark.parametrize("spec", SCORES)
def test_shifted_scores_equal_the_slow_twin(spec):
    rng, metric = np.random.default_rng(0), aj.metric(spec)
    quick = 0
    for _ in range(60):
        case = naive_shifts.random_case(rng, flags=False)
        way, _ = CaseShifts(case).way(metric)
        quick += isinstance(way, ScoreShifts)
        lengths = np.maximum(circle_lengths(case.events), 1)
        by = np.stack([rng.integers(lengths) for _ in range(6)])
        expected = naive_shifts.values(metric, case, by)
        np.testing.assert_allclose(way.values(by), expected, atol=1e-12, rtol=0)
    assert quick > 30


@pytest.mark.parametrize("spec", [*FLAGS, *SCORES, *OTHERS])
def test_p_values_of_small_cases_equal_brute_force_over_all_shifts(spec):
    rng, metric = np.random.default_rng(1), aj.metric(spec)
    for _ in range(8):
        case = naive_shifts.random_case(rng, flags=spec in FLAGS or spec in OTHERS[:7], points=14)
        null = shift_values(metric, case)
        assert null.exact
        assert null.size == len(naive_shifts.every_offset(case))
        found = p_value(metric.reading(case).value, null.values, metric.row.better)
        np.testing.assert_allclose(found, naive_shifts.p_value(metric, case), atol=1e-12)


@pytest.mark.parametrize("spec", ["best(f1_kpa)", "auc_pr_kpa", "best(f1_pa)", "ap_ba(width=9)"])
def test_wide_events_and_many_scores_equal_the_slow_twin(spec):
    rng = np.random.default_rng(0)
    labels = np.zeros(70_000, int)
    labels[10_000:50_000] = labels[60_000:60_700] = 1
    case, metric = aj.Case(labels, rng.permutation(70_000)), aj.metric(spec)
    by = rng.integers(70_000, size=(2, 1))
    found = CaseShifts(case).way(metric)[0].values(by)
    np.testing.assert_allclose(found, naive_shifts.values(metric, case, by), atol=1e-12, rtol=0)


def test_what_takes_too_much_memory_is_not_kept_for_the_next_metric(monkeypatch):
    case = aj.Case([0, 0, 1, 1, 0] * 4, np.arange(20.0))
    kept = shift_values(aj.ap, case).values
    monkeypatch.setattr("adjudge.noise.score_shifts._KEPT", 0)
    np.testing.assert_array_equal(kept, shift_values(aj.ap, case).values)


def test_events_that_touch_are_two():
    events = aj.Events([3, 5], [5, 9], 20)
    rng = np.random.default_rng(0)
    for spec in ("event_f1", "f1_ba(width=5)", "f1_pa"):
        case, metric = aj.Case(events, rng.random(20) < 0.3), aj.metric(spec)
        way, _ = CaseShifts(case).way(metric)
        by = naive_shifts.every_offset(case)
        np.testing.assert_allclose(way.values(by), naive_shifts.values(metric, case, by))


@pytest.mark.parametrize("spec", ["f1", "auc_roc"])
def test_a_correlation_equals_sums_over_each_shift(spec):
    rng = np.random.default_rng(0)
    labels = np.repeat(rng.random(211) < 0.2, 3)
    case = aj.Case(labels, rng.random(633) < 0.2, where=rng.random(633) < 0.9)
    null = shift_values(aj.metric(spec), case)
    assert null.exact
    assert len(case.events) * null.size > 16 * case.events.n  # so it was a correlation
    by = naive_shifts.every_offset(case)[1:]
    expected = naive_shifts.values(aj.metric(spec), case, by)
    np.testing.assert_allclose(null.values, expected, atol=1e-12, rtol=0)


def test_what_has_no_quick_way_is_judged_one_by_one():
    case = aj.Case([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    for spec in ("best(event_f1)", "best(mcc)", "partial_auc_roc", "vus_roc"):
        assert isinstance(CaseShifts(case).way(aj.metric(spec))[0], OneByOne)


@pytest.mark.parametrize("spec", ["auc_roc", "ap", "best(f1_ba)"])
def test_the_lowest_score_of_all_is_a_score_like_any_other(spec):
    case = aj.Case([0, 0, 1, 1, 0], [0.1, 0.4, -np.inf, 0.8, -np.inf])
    by = naive_shifts.every_offset(case)
    way, _ = CaseShifts(case).way(aj.metric(spec))
    expected = naive_shifts.values(aj.metric(spec), case, by)
    np.testing.assert_allclose(way.values(by), expected, atol=1e-12)


def test_the_common_tables_of_a_case_are_made_once():
    shifting = CaseShifts(aj.Case([0, 0, 1, 1], [0, 1, 1, 0]))
    ways = [shifting.way(aj.metric(spec))[0] for spec in ("f1_pa", "f1_ba", "f1_pa(at=0.5)")]
    assert ways[0].flagged is ways[1].flagged is not ways[2].flagged
    areas = [shifting.way(metric)[0] for metric in (aj.ap, aj.auc_roc)]
    assert areas[0].scored is areas[1].scored


def test_many_points_are_drawn_and_few_are_enumerated():
    labels = np.zeros(30_000, int)
    labels[(np.arange(100) * 293)[:, np.newaxis] + np.arange(10)] = 1
    flags = np.roll(labels, 5)
    drawn = shift_values(aj.f1_ba, aj.Case(labels, flags))
    assert (drawn.size, drawn.exact) == (999, False)
    few = shift_values(aj.f1_ba, aj.Case(labels[:3000], flags[:3000]))
    assert (few.size, few.exact) == (3000, True)
    best = shift_values(aj.best(aj.f1_ba), aj.Case(labels, flags + np.linspace(0, 0.5, 30_000)))
    assert best.size >= 199


def test_offsets_of_several_series_are_all_combinations():
    lengths = np.array([2, 0, 3])
    by, exact = choose_offsets(lengths, 6, 4, np.random.default_rng(0))
    assert exact
    assert {(0, 0, 1), (0, 0, 2), (1, 0, 0), (1, 0, 1), (1, 0, 2)} == set(map(tuple, by.tolist()))
    by, exact = choose_offsets(lengths, 5, 4, np.random.default_rng(0))
    assert (by.shape, exact) == ((4, 3), False)


def test_nearby_offsets_lie_within_a_tenth_either_way():
    choices, total = every_offset(np.array([100, 5, 30]), 0.1)
    assert choices.tolist() == [21, 1, 7]
    assert total == 147
    by, exact = choose_offsets(np.array([100]), 1000, 9, np.random.default_rng(0), 0.1)
    assert exact
    assert sorted((by[:, 0] + 50) % 100 - 50) == [*range(-10, 0), *range(1, 11)]
    by, _ = choose_offsets(np.array([100]), 1, 500, np.random.default_rng(0), 0.1)
    assert set((by[:, 0] + 50) % 100 - 50) == set(range(-10, 11))


def test_a_circle_is_laid_out_twice_without_what_is_not_judged():
    events = aj.Events.from_labels([0, 1, 0, 1, 0], series=list("aabbb"), where=[1, 1, 1, 0, 1])
    circles = Circles(events)
    assert circles.twice(np.arange(5)).tolist() == [0, 1, 0, 1, 2, 4, 2, 4]
    assert circles.begins(np.array([1, 4]), np.array([[0, 0], [1, 1], [0, 1]])).tolist() == [
        [1, 5],
        [0, 4],
        [1, 4],
    ]
