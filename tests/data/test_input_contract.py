"""The input contract through the front door: one value for all that is accepted, or a refusal."""

import math
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import adjudge as aj
from contract import (
    FLAGS,
    INF,
    LABELS,
    LEAVE_OUT,
    NAN,
    SCORES,
    SWAPPED,
    WAYS_ON,
    WHERE,
    OnlyArray,
    same,
    with_scores,
)
from messages import refused

LOWEST = -sys.float_info.max

# What is refused

CONTINUOUS = [score / 7 for score in SCORES]


@pytest.mark.parametrize(
    ("labels", "flags", "message"),
    [
        ([0, 1], [0, 1, 1], "labels and scores must be equally long, got 2 and 3 points"),
        ([], [], "scores must hold at least one point, got none (shape (0,))"),
        ([], [1], "labels must hold at least one point, got none (shape (0,))"),
        (
            [0, 1],
            np.zeros((2, 3)),
            "scores must be one-dimensional, got shape (2, 3); for several detectors give a dict "
            f"or a data frame; else{WAYS_ON[1:]}",
        ),
        (np.array(1), [1], "labels must be one-dimensional, got shape ()"),
        ([1], np.array(1), "scores must be one-dimensional, got shape ()"),
        (
            [0, NAN, 1, NAN],
            FLAGS[:4],
            "labels must be 0 or 1, got nan at index 1 (2 of 4 points)" + WHERE,
        ),
        (
            [0, 1, 1],
            [0, NAN, 2],
            "scores must be numbers, got nan at index 1 (1 of 3 points)" + LEAVE_OUT,
        ),
        ([0, None, 1], [0, 1, 1], "labels must be numbers, got None at index 1"),
        ([0, 1, 1], [0, 1, None], "scores must be numbers, got None at index 2"),
        (["0", "1"], [0, 1], "labels must be numbers, got '0' (dtype <U1)"),
        ("01", [0, 1], "labels must be a column of numbers, got '01'"),
        (
            np.ma.array([0, 1], mask=[0, 1]),
            [0, 1],
            "labels must be 0 or 1, got nan at index 1 (1 of 2 points)" + WHERE,
        ),
        ([1, 2, 1], [0.1, 0.2, 0.3], "labels must be 0 or 1, got 2 at index 1 (1 of 3 points)"),
        ([-1, 1, 1, 0], [0.5] * 4, "labels must be 0 or 1, got -1 at index 0 (1 of 4 points)"),
        ([0, 1, 0.7], [0.1, 0.2, 0.3], "labels must be 0 or 1, got 0.7 at index 2 (1 of 3 points)"),
        (
            [0.2, 0.9, 1],
            [0, 1, 1],
            "labels must be 0 or 1, got 0.2 at index 0 (2 of 3 points)" + SWAPPED,
        ),
        ([0, 1, 1], None, "scores must be given: write f1(labels, scores)"),
        (None, [0, 1, 1], "labels must be given: write f1(labels, scores)"),
    ],
)
def test_a_pair_that_cannot_be_judged_is_refused(labels, flags, message):
    with refused(message):
        aj.f1(labels, flags)


@pytest.mark.parametrize("hold", [list, np.array, OnlyArray, pd.Series, pl.Series, pa.array])
def test_nan_is_refused_alike_in_every_container(hold):
    with refused("scores must be numbers, got nan at index 1 (1 of 3 points)" + LEAVE_OUT):
        aj.auc_roc([0, 1, 1], hold([0.5, NAN, 1.0]))


def test_a_detector_of_another_length_is_refused():
    with refused("labels and scores must be equally long, got 14 and 13 points"):
        aj.evaluate(LABELS, {"a": FLAGS, "b": FLAGS[1:]}, "f1")


@pytest.mark.parametrize("metric", [aj.f1, aj.f1_ba(width=5), aj.event_recall, aj.mcc], ids=str)
def test_continuous_scores_where_flags_are_needed_are_refused_with_the_two_ways_out(metric):
    message = (
        f"{metric} has one value per threshold, and scores are not 0/1 flags; "
        f"say at=<threshold> (--at X), or best({metric}) for the best one (--best), "
        "chosen by the labels"
    )
    with refused(message):
        metric(LABELS, CONTINUOUS)
    with refused(message):
        aj.evaluate(LABELS, CONTINUOUS, metric)
    with refused(message):
        aj.explain(LABELS, CONTINUOUS, metric)


def test_whole_scores_that_a_float_would_round_are_refused():
    with refused(
        "scores must be numbers that float64 can hold exactly, got 9007199254740993 at index 1; "
        "pass their ranks instead"
    ):
        aj.auc_roc([0, 1], np.array([2**53, 2**53 + 1]))


# Thresholds


def flagged(scores, at):
    """The points that are flagged, as the receipt shows them."""
    return aj.explain([1, *[0] * (len(scores) - 1)], scores, "f1", at=at).flags.tolist()


@pytest.mark.parametrize(
    ("scores", "at", "expected"),
    [
        pytest.param([1, 2, 2, 3], 2, [0, 0, 0, 1], id="ties"),
        pytest.param([5, 5, 5], 5, [0, 0, 0], id="constant, at it"),
        pytest.param([5, 5, 5], 4, [1, 1, 1], id="constant, below it"),
        pytest.param([0.0, 5e-324, 1e-310], 0, [0, 1, 1], id="denormal above zero"),
        pytest.param([0.0, 5e-324, 1e-310], 5e-324, [0, 0, 1], id="denormal above denormal"),
        pytest.param([-0.0, 0.0], 0.0, [0, 0], id="minus zero is not above zero"),
        pytest.param([-0.0, 0.0], -0.0, [0, 0], id="zero is not above minus zero"),
        pytest.param([1.0, math.nextafter(1, 2)], 1.0, [0, 1], id="one ulp above"),
        pytest.param([math.nextafter(1, 0), 1.0], math.nextafter(1, 0), [0, 1], id="one ulp below"),
        pytest.param([-INF, 0, 1, INF], -INF, [1, 1, 1, 1], id="minus infinity flags everything"),
        pytest.param([-INF, 0, 1], -1.7976931348623157e308, [0, 1, 1], id="-inf is the lowest"),
        pytest.param(np.float32([-INF, 0, 1]), -1e300, [0, 1, 1], id="-inf is lower still"),
        pytest.param(np.float32([-INF, 0, 1]), -INF, [1, 1, 1], id="everything, in float32"),
        pytest.param([-INF, 0, 1, INF], 1, [0, 0, 0, 1], id="infinity is above every number"),
        pytest.param([-INF, 0, 1, INF], INF, [0, 0, 0, 0], id="nothing is above infinity"),
        pytest.param([-INF, 0, 1, INF], aj.top(4), [1, 1, 1, 1], id="everything, by rank"),
        pytest.param([-INF, 0, 1, INF], aj.top(3), [0, 1, 1, 1], id="all but the lowest, by rank"),
        pytest.param(np.float32([0.1, 0.2]), 0.1, [0, 1], id="float32 is compared as float32"),
        pytest.param(np.float16([0.1, 0.2]), 0.1, [0, 1], id="float16 is compared as float16"),
        pytest.param(np.float32([0.1, 0.2]), np.float32(0.1), [0, 1], id="float32 with float32"),
        pytest.param([0.1, 0.2], float(np.float32(0.1)), [0, 1], id="float64 is finer"),
        pytest.param([1, 2, 3], 1.5, [0, 1, 1], id="whole scores, broken threshold"),
        pytest.param([False, True], 0.5, [0, 1], id="flags with a threshold"),
    ],
)
def test_a_point_is_flagged_when_its_score_is_above_the_threshold(scores, at, expected):
    assert list(map(bool, expected)) == flagged(scores, at)


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([1, 2, 2, 3], [3, 2, 1, -INF]),
        ([5, 5, 5, 5], [5, -INF]),
        ([-INF, 0, 1, INF], [INF, 1, 0, LOWEST, -INF]),
        ([-0.0, 0.0, 1, -1], [1, 0, -1, -INF]),
        ([1.0, math.nextafter(1, 2), 1.0, 1.0], [math.nextafter(1, 2), 1, -INF]),
        ([0.0, 5e-324, 0.0, 0.0], [5e-324, 0, -INF]),
    ],
)
def test_thresholds_are_the_scores_themselves(scores, expected):
    assert expected == aj.curve([0, 1, 1, 0], scores, "f1").thresholds.tolist()


def test_infinities_have_their_place_in_the_order():
    labels, scores = [0, 0, 1, 1], [-INF, 5, 0, INF]
    assert aj.auc_roc(labels, scores) == 3 / 4
    assert tuple(aj.curve(labels, scores, "f1").best()) == (LOWEST, 4 / 5)


@pytest.mark.parametrize("hold", [tuple, np.array, OnlyArray, pd.Series, pl.Series, pa.array])
def test_infinities_are_read_from_every_container(hold):
    scores = [{7: INF, 0: -INF}.get(score, score / 2) for score in SCORES]
    assert with_scores(LABELS, scores) == with_scores(LABELS, hold(scores))


def test_a_detector_that_says_minus_infinity_everywhere_is_like_any_constant():
    labels, scores = [0, 1], [-INF, -INF]
    assert tuple(aj.curve(labels, scores, "f1").best()) == (-INF, 2 / 3)
    assert [m(labels, scores) for m in (aj.auc_roc, aj.auc_pr, aj.ap)] == [0.5, 0.75, 0.5]


increasing = st.lists(
    st.floats(allow_nan=False, exclude_min=True, min_value=-INF),
    min_size=8,
    max_size=8,
    unique=True,
).map(sorted)


@settings(derandomize=True, deadline=None, max_examples=20)
@given(increasing)
def test_a_strictly_increasing_map_of_the_scores_changes_nothing(table):
    def values(scores):
        return [value for name, value in with_scores(LABELS, scores).items() if name != "at"]

    assert values(SCORES) == values([table[score] for score in SCORES])


# Every edge has a defined value

FAMILIES = ["{}", "{}_pa", "{}_kpa", "{}_ba", "event_{}"]


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("n", [1, 6])
@pytest.mark.parametrize(
    ("truth", "alarm", "expected"),
    [(0, 0, (NAN, NAN, NAN)), (1, 0, (0, NAN, 0)), (0, 1, (0, 0, NAN)), (1, 1, (1, 1, 1))],
    ids=["neither", "all anomalous, no alarm", "all normal, all alarms", "all of both"],
)
def test_without_events_or_alarms_values_follow_one_policy(family, n, truth, alarm, expected):
    metrics = [aj.metric(family.format(name)) for name in ("f1", "precision", "recall")]
    labels, flags = [truth] * n, [alarm] * n
    same(expected, [metric(labels, flags) for metric in metrics])
    replaced = [0.25 if math.isnan(value) else value for value in expected]
    same(replaced, [metric(labels, flags, zero_division=0.25) for metric in metrics])
    judged = aj.evaluate(labels, flags, metrics, zero_division=0.25)
    same(replaced, [row.value for row in judged.rows])


@pytest.mark.parametrize(
    ("labels", "scores", "expected"),
    [
        ([0, 0, 0], [1, 2, 3], {"auc_roc": NAN, "auc_pr": NAN, "ap": NAN}),
        ([1, 1, 1], [1, 2, 3], {"auc_roc": NAN, "auc_pr": 1, "ap": 1}),
        ([0, 1], [5, 5], {"auc_roc": 0.5, "auc_pr": 0.75, "ap": 0.5}),
        ([0, 0], [0, 0], {"mcc": NAN, "balanced_accuracy": NAN, "event_coverage": NAN}),
        ([1, 1], [1, 1], {"mcc": NAN, "balanced_accuracy": NAN, "event_coverage": 1}),
        ([1, 0], [0, 0], {"mcc": NAN, "balanced_accuracy": 0.5, "event_coverage": NAN}),
        ([1, 0], [1, 1], {"mcc": NAN, "balanced_accuracy": 0.5, "event_coverage": 1}),
    ],
)
def test_an_area_or_margin_without_one_of_its_sides_is_undefined(labels, scores, expected):
    same(list(expected.values()), [aj.metric(name)(labels, scores) for name in expected])


TOUCHING = aj.Events.from_intervals([(1, 3), (3, 5)], n=6)


@pytest.mark.parametrize(
    ("labels", "flags", "expected"),
    [
        pytest.param([1, 1, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0],
            {"f1": 2 / 3, "f1_pa": 1, "f1_ba(width=3)": 1, "event_f1": 1}, id="event at the start"),
        pytest.param([0, 0, 0, 0, 1, 1], [1, 0, 0, 0, 0, 1],
            {"f1": 1 / 2, "f1_pa": 4 / 5, "f1_ba(width=3)": 2 / 3, "event_f1": 2 / 3},
            id="event at the end, island clipped by the start"),
        pytest.param([0, 1, 1, 1, 1, 0], [0, 1, 0, 0, 0, 0],
            {"f1_pa": 1, "f1_kpa(k=0.5)": 2 / 5, "event_recall": 1}, id="one event"),
        pytest.param(TOUCHING, [0, 1, 0, 0, 0, 0],
            {"f1_pa": 2 / 3, "f1_kpa(k=0.5)": 2 / 3, "event_recall": 1 / 2}, id="adjacent events"),
        pytest.param([0, 1, 1, 1, 1, 1, 1, 0], [1, 0, 0, 1, 0, 0, 0, 0],
            {"f1": 1 / 4, "f1_pa": 12 / 13, "f1_ba": 12 / 13}, id="event longer than half"),
        pytest.param([0, 0, 0, 1, 0, 0], [1, 0, 0, 1, 0, 0],
            {"f1_ba(width=100)": 2 / 7, "f1_dilated(width=100)": 2 / 7}, id="wider than all"),
        pytest.param([0, 0, 1, 0], [1, 1, 1, 1],
            {"f1": 2 / 5, "f1_ba(width=3)": 2 / 5, "event_f1": 1}, id="all alarms"),
        pytest.param([1], [1], {"f1_ba(width=9)": 1, "f1_dilated(width=9)": 1}, id="one point"),
    ],
)  # fmt: skip
def test_every_edge_has_a_defined_value(labels, flags, expected):
    assert expected == {spec: aj.metric(spec)(labels, flags) for spec in expected}
