"""In time, from the first hit on, or near enough: worked by hand."""

import math

import numpy as np
import pytest

import adjudge as aj
import naive
from adjudge.count.ledger import as_dicts
from count.naive_tolerance import batched
from values import close

LABELS = [0, 1, 1, 1, 1, 0, 0, 1, 1, 0]
FLAGS = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0]


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("delay_f1(k=1)", 4 / 9),  # only the second event is hit at once: 2 right, 1 wrong of 6
        ("delay_f1(k=2)", 4 / 9),
        ("delay_f1(k=3)", 12 / 13),
        ("delay_recall(k=2)", 2 / 6),
        ("delay_precision(k=2)", 2 / 3),
        ("latency_recall", 4 / 6),  # two points of each event after its first hit
        ("latency_precision", 4 / 5),
        ("latency_f1", 8 / 11),
        ("latency_recall(window=2)", 4 / 5),  # of the five batches only [0, 2) is missed
        ("tolerant_recall(tolerance=1)", 5 / 6),
        ("tolerant_precision(tolerance=1)", 1),
        ("tolerant_f1(tolerance=0)", 4 / 9),
        ("f1_kpa(k=0.25, tolerance=1)", 10 / 12),
        ("f1_kpa(k=0.5, tolerance=1)", 6 / 10),
    ],
)
def test_a_case_worked_by_hand(spec, expected):
    assert expected == pytest.approx(aj.metric(spec)(LABELS, FLAGS), abs=1e-15)


def test_a_late_hit_is_erased():
    assert 0 == aj.delay_f1([1, 1, 1, 0], [0, 1, 1, 0], k=1)
    assert 1 == aj.delay_f1([1, 1, 1, 0], [0, 1, 1, 0], k=2)


def test_batches_are_cut_where_two_events_share_one():
    labels, flags = np.zeros((2, 30), int)
    labels[[10, 12, 14, 16]] = flags[[10, 14]] = 1
    case = aj.Case(labels, flags)
    tally = aj.latency_f1(window=5).entries(case)[0].tally
    assert (2, 2, 2, 2, 5) == tally  # [10, 12) and [12, 14), then on from 17


def test_the_area_over_k_is_the_mean_of_all_k():
    rng = np.random.default_rng(0)
    labels = np.repeat(rng.random(60) < 0.3, rng.integers(1, 20, 60)).astype(int)
    flags = (rng.random(labels.size) < 0.1 + 0.4 * labels).astype(int)
    fine = [aj.f1_kpa(labels, flags, k=k) for k in (np.arange(4000) + 0.5) / 4000]
    assert np.mean(fine) == pytest.approx(aj.f1_kpa_area(labels, flags), abs=1e-3)
    assert aj.f1(labels, flags) < aj.f1_kpa_area(labels, flags) < aj.f1_pa(labels, flags)


def test_the_area_over_k_is_one_only_for_the_whole_truth():
    assert 1 == aj.f1_kpa_area([0, 1, 1, 0], [0, 1, 1, 0])
    assert 0.5 * 1 + 0.5 * 2 / 3 == aj.f1_kpa_area([0, 1, 1, 0], [0, 1, 0, 0])


@pytest.mark.parametrize("stem", ["delay", "latency", "tolerant"])
def test_undefined_is_nan_and_only_undefined_is(stem):
    f1, precision, recall = (aj.metric(f"{stem}_{m}") for m in ("f1", "precision", "recall"))
    some, none = [0, 1, 1, 0], [0, 0, 0, 0]
    assert 0 == f1(some, none) == f1(none, some) == recall(some, none) == precision(none, some)
    assert all(math.isnan(value) for value in (precision(some, none), recall(none, some)))
    assert all(math.isnan(metric(none, none)) for metric in (f1, precision, recall))


def test_the_area_over_k_of_nothing_is_undefined():
    assert math.isnan(aj.f1_kpa_area([0, 0], [0, 0]))
    assert 0 == aj.f1_kpa_area([0, 0], [0, 1]) == aj.f1_kpa_area([0, 1], [0, 0])


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("delay_f1(k=0)", "k must be a whole number, at least 1, got 0"),
        ("latency_f1(window=0)", "window must be a whole number, at least 1, got 0"),
        ("tolerant_f1(tolerance=-1)", "tolerance must be a whole number, at least 0, got -1"),
        ("f1_kpa(tolerance=0.5)", "tolerance must be a whole number, at least 0, got 0.5"),
        ("f1_kpa_area(beta=0)", "beta must be a positive number"),
    ],
)
def test_wrong_settings_are_refused(spec, message):
    with pytest.raises(aj.InputError, match=message):
        aj.metric(spec)


def test_the_receipt_of_a_tolerance_counts_what_is_near():
    receipt = aj.explain(LABELS, FLAGS, "tolerant_f1(tolerance=1)")
    assert [3, 2] == receipt.truth.credit.tolist()
    assert [(3, 1, 1, 0), (6, 2, 2, 1)] == [
        (row["start"], row["weight"], row["credit"], row["event"])
        for row in as_dicts(receipt.alarms)
    ]
    far = aj.explain(LABELS, [0] * 5 + [1] + [0] * 3 + [1], "tolerant_f1(tolerance=0)")
    assert [-1, -1] == far.alarms.event.tolist()


def test_a_near_run_belongs_to_the_event_it_touches_or_to_the_first_within_reach():
    labels = [1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0]
    told = {
        (1, 2): 0,  # two events within reach: the first
        (2, 4): 1,  # within reach of the first, and touches the second
        (5, 6): 1,
        (9, 10): 2,
        (10, 12): -1,
    }
    for (start, stop), event in told.items():
        flags = [int(start <= at < stop) for at in range(12)]
        receipt = aj.explain(labels, flags, "tolerant_f1(tolerance=2)")
        assert [event] == receipt.alarms.event.tolist()
    elsewhere = aj.explain(
        [0, 1, 0, 0], [0, 0, 1, 0], "tolerant_f1(tolerance=2)", series=[0, 0, 1, 1]
    )
    assert [-1] == elsewhere.alarms.event.tolist()


@pytest.mark.parametrize("window", [5, 8])
def test_batches_are_cut_at_every_short_gap_whatever_the_length_of_the_events(window):
    rng = np.random.default_rng(window)
    for _ in range(60):
        labels = np.repeat(np.arange(24) % 2, rng.choice([1, 2, 3, 9], 24)).tolist()
        flags = (rng.random(len(labels)) < 0.2).tolist()
        expected = naive.fbeta(batched(labels, flags, window=window))
        assert close(expected, aj.latency_f1(labels, flags, window=window))


def test_points_too_far_apart_are_left_without_a_partner():
    labels, flags = [0, 0, 0, 1, 0, 0, 0, 0, 0, 0], [0, 0, 0, 1, 0, 0, 0, 0, 0, 1]
    assert aj.softed_f1(labels, flags, reach=3, match="one_to_one") == 2 / 3


@pytest.mark.parametrize("window", [1, 2])
def test_an_alarm_does_not_carry_into_the_next_event_where_two_touch(window):
    events = aj.Events([2, 4], [4, 6], 8)
    for flags, found in (([0, 0, 1, 0, 0, 0, 0, 0], 0.5), ([0, 0, 1, 0, 1, 0, 0, 0], 1)):
        metric = aj.latency_recall(window=window)
        assert metric(events, flags) == metric(events, np.array(flags) + 1, at=1) == found
        assert aj.explain(events, flags, metric).value == found
    assert aj.latency_recall(aj.Events([2], [6], 8), [0, 0, 1, 0, 0, 0, 0, 0], window=window) == 1
