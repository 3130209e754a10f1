"""Hit events against false alarms, worked by hand."""

import math

import numpy as np
import pytest

import adjudge as aj

#         0  1  2  3  4  5  6  7  8  9 10 11
LABELS = [0, 0, 1, 1, 1, 0, 0, 0, 1, 0, 0, 0]
FLAGS = [1, 0, 0, 1, 0, 1, 1, 0, 0, 0, 0, 1]  # one event hit; runs [0], [3], [5, 6], [11]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("segment_precision", 1 / 4),  # one hit event, three false runs
        ("segment_recall", 1 / 2),
        ("segment_f1", 1 / 3),
        ("composite_precision", 1 / 5),  # five flagged points, one of them right
        ("composite_recall", 1 / 2),
        ("composite_f1", 2 / 7),
        ("revised_precision", 1 / 5),  # one hit event, four false points
        ("revised_f1", 2 / 7),
        ("eventwise_precision", 1 / 4 * (1 - 4 / 8)),  # four of eight normal points are flagged
        ("eventwise_f1", 1 / 5),
        ("event_weighted_f1", 2 / 7),
        ("event_weighted_recall", 1 / 2),
    ],
)
def test_a_case_worked_by_hand(name, expected):
    assert expected == pytest.approx(aj.metric(name)(LABELS, FLAGS), abs=1e-15)


def test_one_alarm_over_everything_is_right_for_segments_and_worthless_eventwise():
    always = np.ones(12)
    assert 1 == aj.segment_f1(LABELS, always)
    assert 0 == aj.eventwise_f1(LABELS, always)
    assert 4 / 12 == aj.composite_precision(LABELS, always)


def test_two_alarms_on_one_event_count_once_for_segments_and_twice_for_runs():
    flags = [0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0]
    assert 1 / 2 == aj.segment_precision(LABELS, flags)
    assert 2 / 3 == aj.event_precision(LABELS, flags)


@pytest.mark.parametrize(
    ("weight", "expected"), [("one", 1 / 2), ("log", 1 / 2), ("sqrt", 1 / 2), ("length", 3 / 4)]
)
def test_the_weight_of_an_event_by_its_length(weight, expected):
    assert expected == aj.event_weighted_recall(LABELS, FLAGS, weight=weight)


@pytest.mark.parametrize(
    ("length", "log", "sqrt"), [(1, 1, 1), (5, 1, 2), (6, 2, 2), (24, 3, 4), (25, 3, 5), (78, 4, 8)]
)
def test_weights_are_whole_and_exact_at_powers(length, log, sqrt):
    labels = np.append(np.ones(length), [0, 1])  # beside an event of weight 1 that is missed
    flags = np.append(np.ones(length), [0, 0])
    for weight, expected in (("log", log), ("sqrt", sqrt), ("length", length)):
        assert expected / (expected + 1) == aj.event_weighted_recall(labels, flags, weight=weight)


def test_length_as_weight_is_point_adjustment():
    assert aj.f1_pa(LABELS, FLAGS) == aj.event_weighted_f1(LABELS, FLAGS, weight="length")


def test_an_unknown_weight_is_refused():
    with pytest.raises(aj.InputError, match="weight must be one of 'one', 'log', 'sqrt', 'length'"):
        aj.event_weighted_f1(weight="linear")


@pytest.mark.parametrize("stem", ["segment", "composite", "revised", "eventwise", "event_weighted"])
def test_undefined_is_nan_and_only_undefined_is(stem):
    f1, precision, recall = (aj.metric(f"{stem}_{m}") for m in ("f1", "precision", "recall"))
    some, none = [0, 1, 1, 0], [0, 0, 0, 0]
    assert 0 == f1(some, none) == f1(none, some) == recall(some, none) == precision(none, some)
    assert all(math.isnan(value) for value in (precision(some, none), recall(none, some)))
    assert all(math.isnan(metric(none, none)) for metric in (f1, precision, recall))
    every = [1, 1, 1, 1]
    assert 1 == f1(every, every) == precision(every, every) == recall(every, every)


def test_more_false_time_can_only_be_undone_by_merging_runs():
    scores = [0.9, 0.1, 0.8, 0, 0, 0, 0, 0, 0.9, 0.2, 0, 0]
    labels = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0]
    found = aj.best(aj.segment_f1).reading(aj.Case(labels, scores))
    every = [aj.segment_f1(labels, scores, at=level) for level in (0.9, 0.8, 0.2, 0.1, 0, -np.inf)]
    assert max(every) == found.value == 1  # everything flagged is one run, and it is right
    assert -np.inf == found.at


@pytest.mark.parametrize(
    ("name", "weights", "earned"),
    [
        ("segment_f1", [1, 1, 1, 1], [0, 1, 0, 0]),
        ("revised_f1", [1, 1, 2, 1], [0, 1, 0, 0]),
        ("composite_f1", [1, 1, 2, 1], [0, 1, 0, 0]),
        ("eventwise_f1", [1, 1, 1, 1], [0, 0.5, 0, 0]),
        ('event_weighted_f1(weight="length")', [1, 3, 2, 1], [0, 3, 0, 0]),
    ],
)
def test_the_receipt_names_every_alarm(name, weights, earned):
    receipt = aj.explain(LABELS, FLAGS, name)
    assert [0, 2, 5, 11] == receipt.alarms.start.tolist()
    assert weights == receipt.alarms.weight.tolist()
    assert earned == receipt.alarms.credit.tolist()
    assert [True, False] == receipt.truth.found.tolist()
    assert receipt.value == pytest.approx(aj.metric(name)(LABELS, FLAGS), abs=1e-15)


def test_the_oracle_of_an_eventwise_score_weighs_runs_and_time():
    scores = [0, 0, 3, 0, 0, 0, 1, 1, 2, 0, 0, 0]
    values = [aj.eventwise_f1(LABELS, scores, at=level) for level in (3, 2, 1, 0, -np.inf)]
    found = aj.best(aj.eventwise_f1).reading(aj.Case(LABELS, scores))
    assert max(values) == pytest.approx(found.value, abs=1e-15)
    assert 1 == found.at
