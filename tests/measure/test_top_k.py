"""What stands at the top of the scores: by hand, undefined cases, twins."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import adjudge as aj
from adjudge.errors import InputError
from adjudge.metrics.rows.score_order import ROWS
from measure import naive_ranking
from small import cases
from values import close

GOLDEN = Path(__file__).parent.parent / "golden"
CASES, SCORES = (
    json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    for name in ("cases", "scores")
)
METRICS = {row.name: row.metric for row in ROWS}


def labels_of(case):
    labels = np.zeros(CASES[case]["n"], np.int8)
    for start, stop in CASES[case]["events"]:
        labels[start:stop] = 1
    return labels


# --- at k points -------------------------------------------------------------------------------


@given(case=cases())
def test_precision_at_k_is_precision_at_the_rule_top_k(case):
    labels, scores, series, where = case
    k = int(aj.Events.from_labels(labels, where=where).widths.sum())
    if not k:
        assert math.isnan(aj.metric("precision_at_k")(labels, scores, series=series, where=where))
        return
    for at_k, plain in (("precision_at_k", aj.precision), ("f1_at_k", aj.f1)):
        expected = plain(labels, scores, series=series, where=where, at=aj.top(k))
        assert expected == aj.metric(at_k)(labels, scores, series=series, where=where)


def test_points_that_tie_with_the_kth_are_looked_at_too():
    labels, scores = [0, 1, 1, 0, 0], [5, 9, 5, 5, 0]
    assert aj.metric("precision_at_k")(labels, scores) == 0.5
    assert close(2 / 3, aj.metric("f1_at_k")(labels, scores))
    assert close(2 * 5 / (4 * 2 + 4), aj.metric("f1_at_k(beta=2)")(labels, scores))


def test_a_constant_score_has_its_chance_level():
    assert aj.metric("precision_at_k")([0, 1, 0, 0], [3, 3, 3, 3]) == 0.25


def test_without_ties_f_is_precision():
    rng = np.random.default_rng(2)
    labels, scores = rng.random(200) < 0.2, rng.random(200)
    assert close(aj.metric("precision_at_k")(labels, scores), aj.metric("f1_at_k")(labels, scores))


# --- at k runs ---------------------------------------------------------------------------------


def test_runs_are_counted_as_the_threshold_falls_until_there_are_as_many_as_events():
    labels, scores = [0, 1, 1, 0, 0, 1, 0, 0], [0, 9, 8, 0, 7, 3, 0, 5]
    assert aj.metric("event_precision_at_k")(labels, scores) == 0.5  # at 7: one run at an event
    assert aj.metric("event_f1_at_k")(labels, scores) == 0.5


def test_runs_that_break_one_event_are_all_right():
    labels, scores = [1, 1, 1, 0, 1], [9, 0, 9, 0, 1]
    assert aj.metric("event_precision_at_k")(labels, scores) == 1
    assert close(2 / 3, aj.metric("event_f1_at_k")(labels, scores))


def test_too_few_runs_at_every_threshold_are_undefined():
    labels = [1, 0, 1, 0, 1]
    for spec in ("event_precision_at_k", "event_f1_at_k"):
        assert math.isnan(aj.metric(spec)(labels, [1, 1, 1, 1, 1]))
        assert not math.isnan(aj.metric(spec)(labels, [1, 0, 1, 0, 1]))


# --- ucr ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("at", "tolerance", "expected"),
    [(8, 0, 1), (7, 0, 0), (13, 0, 1), (14, 0, 0), (5, 5, 1), (4, 5, 0), (16, 5, 1), (17, 5, 0)],
)
def test_the_event_is_widened_by_its_length_or_by_the_tolerance(at, tolerance, expected):
    labels, scores = np.zeros(30), np.zeros(30)
    labels[10:12], scores[at] = 1, 1
    assert expected == aj.metric(f"ucr(tolerance={tolerance})")(labels, scores)


def test_several_series_give_the_share_that_are_hit_and_do_not_reach_across():
    labels = [0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0]
    scores = [0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 9]
    assert aj.metric("ucr")(labels, scores, series=[0] * 6 + [1] * 6) == 0.5
    near = [0, 0, 9, 0, 8, 0]  # the highest score of the first series lies in the second's reach
    assert aj.metric("ucr")([1, 0, 0, 0, 1, 0], near, series=[0, 0, 0, 1, 1, 1]) == 0.5


@pytest.mark.parametrize("labels", [[0, 0, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0], [1, 0, 1, 0, 0, 0],
                                    [1, 0, 1, 0, 0, 1]])  # fmt: skip
def test_a_series_without_exactly_one_event_is_undefined(labels):
    scores, series = [1, 2, 3, 4, 5, 6], [0, 0, 0, 1, 1, 1]
    assert math.isnan(aj.metric("ucr")(labels, scores, series=series))
    assert not math.isnan(aj.metric("ucr")([1, 1, 0, 0, 1, 0], scores, series=series))


def test_a_series_of_which_no_point_is_judged_plays_no_part():
    labels, scores, series = [0, 1, 0, 0, 0, 0, 1], [0, 5, 0, 1, 2, 9, 3], [0, 0, 0, 1, 1, 2, 2]
    assert math.isnan(aj.metric("ucr")(labels, scores, series=series))
    assert aj.metric("ucr")(labels, scores, series=series, where=[1, 1, 1, 0, 0, 1, 1]) == 1
    assert aj.metric("ucr")(labels, scores, series=series, where=[1, 0, 1, 0, 0, 1, 1]) != 1


def test_of_several_highest_points_the_share_at_the_event_counts():
    labels = [0, 0, 0, 0, 1, 0, 0, 0]
    assert close(3 / 8, aj.metric("ucr")(labels, np.zeros(8)))
    assert aj.metric("ucr")(labels, [9, 0, 0, 0, 9, 0, 0, 0]) == 0.5


def test_points_that_are_not_judged_are_never_the_highest():
    labels, scores = [0, 0, 0, 0, 1], [9, 0, 0, 0, 1]
    assert aj.metric("ucr")(labels, scores) == 0
    assert aj.metric("ucr")(labels, scores, where=[0, 1, 1, 1, 1]) == 1
    lowest = np.full(5, -np.inf)
    assert aj.metric("ucr")(labels, lowest, where=[0, 0, 0, 1, 1]) == 1


@pytest.mark.parametrize(
    ("spec", "settings", "message"),
    [
        ("ucr", {"tolerance": -1}, "tolerance must be a whole number, at least 0, got -1"),
        ("f1_at_k", {"beta": 0}, "beta must be a positive number"),
        ("event_f1_at_k", {"beta": -2}, "beta must be a positive number"),
    ],
)
def test_settings_are_checked(spec, settings, message):
    with pytest.raises(InputError, match=message):
        aj.metric(spec)(**settings)


# --- all rows ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(METRICS))
def test_without_events_every_row_is_undefined(name):
    assert math.isnan(METRICS[name]([0, 0, 0, 0], [1, 2, 3, 4]))


TWINS = {
    spec: twin for spec, twin in naive_ranking.WHOLES.items() if spec.partition("(")[0] in METRICS
}


@given(case=cases(), spec=st.sampled_from(sorted(TWINS)))
def test_every_row_equals_its_twin(spec, case):
    labels, scores, series, where = case
    expected = TWINS[spec](labels, scores, series, where)
    actual = aj.metric(spec)(labels, scores, series=series, where=where)
    assert close(expected, actual, naive_ranking.TOLERANCES.get(spec, 1e-12))


def test_the_twin_of_runs_rejects_the_first_threshold_left_out():
    labels, scores = labels_of("h10"), np.array(SCORES["h10"]) / 1e6
    theirs = 0.5  # TimeEval, which never tries the highest score
    expected = naive_ranking.WHOLES["event_precision_at_k"](labels, scores, None, None)
    assert not close(theirs, expected)
    assert close(expected, aj.metric("event_precision_at_k")(labels, scores))


def test_confidence_and_consistency_by_hand():
    labels, scores = [0, 0, 1, 1, 0], [0, 2, 4, 3, 1]  # a quarter each; normal runs [0, 2) and [4]
    event = (7 / 8 - 0.5) * math.exp(-1 / 64)
    first, second = (1 / 4 - 0.5) * math.exp(-1 / 16), (1 / 4 - 0.5)
    quiet = (1 / 4 - 0.5) * math.exp(-1 / 24)
    expected = (event - (first + second) / 2 + event - quiet) / 2
    assert close(expected, aj.cce(labels, scores))


@pytest.mark.parametrize("scores", [[3, 3, 3], [0, math.inf, 1], [-math.inf, 1, 0]])
def test_scores_without_a_scale_have_no_confidence(scores):
    assert math.isnan(aj.cce([0, 1, 0], scores))


def test_half_way_is_no_confidence_at_all():
    assert close(0, aj.cce([0, 0, 0, 1, 1, 1], [0, 1, 2, 0, 1, 2]))
