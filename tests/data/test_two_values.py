"""Codings: -1 and 1 are refused with both readings, and so are two other values for flags."""

import numpy as np
import pandas as pd
import pytest

import adjudge as aj
from messages import refused

LABELS = [0, 0, 1, 1, 0, 0]
SIGNS = [1, 1, -1, -1, 1, 1]
READINGS = (
    "got -1 and 1; write {0} == -1 if -1 marks the anomalies (as in scikit-learn), {0} == 1 if 1 "
    "does{1}; in cross-validation take adjudge.integrations.sklearn.scorer, not make_scorer"
)
CODED_SCORES = "scores must be 0/1 flags, or numbers that rank the points, "


@pytest.mark.parametrize("hold", [list, np.array, np.float32, np.int8, pd.Series])
def test_labels_of_minus_one_and_one_are_refused_with_both_readings(hold):
    with refused("labels must be 0 or 1, " + READINGS.format("labels", " (--positive -1 or 1)")):
        aj.f1(hold(SIGNS), [0, 0, 1, 1, 0, 0])
    with refused("labels must be 0 or 1, " + READINGS.format("labels", " (--positive -1 or 1)")):
        aj.Events.from_labels(hold(SIGNS))


@pytest.mark.parametrize(
    "spec", ["f1", "f1(at=0)", "best(f1)", "best(etapr_f1)", "auc_roc", "vus_pr"]
)
def test_scores_of_minus_one_and_one_are_refused_in_every_metric(spec):
    message = CODED_SCORES + READINGS.format("scores", "")
    for scores in (SIGNS, np.array(SIGNS, float), np.array(SIGNS, np.int8)):
        with refused(message):
            aj.metric(spec)(LABELS, scores)
    with refused(message):
        aj.evaluate(LABELS, {"forest": SIGNS}, spec)


def test_both_readings_give_what_they_say():
    signs = np.array(SIGNS)
    assert aj.f1(LABELS, signs == -1) == 1
    assert aj.f1(signs == -1, signs == -1) == 1
    assert aj.f1(LABELS, signs == 1) == 0


def test_only_judged_points_make_a_coding():
    where = [1, 1, 1, 1, 1, 0]
    assert aj.auc_roc(LABELS, [1, 1, -1, -1, 0.5, 1]) < 0.5
    with refused(CODED_SCORES + READINGS.format("scores", "")):
        aj.auc_roc(LABELS, [1, 1, -1, -1, 1, 0.5], where=where)
    assert aj.auc_roc(LABELS, [0.5, 0.5, 1, 1, 0.5, -1], where=where) == 1


def test_a_long_column_is_looked_at_to_its_end():
    labels = np.tile(LABELS, 50)
    scores = np.tile(SIGNS, 50).astype(float)
    scores[-1] = 0.5
    assert aj.best(aj.f1)(labels, scores) < 1


@pytest.mark.parametrize(
    ("scores", "low", "high"),
    [([1, 1, 2, 2, 1, 1], 1, 2), ([0, 0, 255, 0, 0, 0], 0, 255), ([0.1, 0.9] * 3, 0.1, 0.9)],
)
def test_two_other_values_where_flags_are_meant_are_refused(scores, low, high):
    message = (
        f"f1 needs 0/1 flags or at=<threshold>, got scores of two values, {low:g} and {high:g}; "
        f"write scores == {high:g} if the higher one is the alarm, scores == {low:g} if the lower "
        "one is"
    )
    for call in (aj.f1, lambda *columns: aj.evaluate(*columns, "f1")):
        with refused(message):
            call(LABELS, scores)
    assert 0 <= aj.best(aj.f1)(LABELS, scores) <= 1
    assert aj.f1(LABELS, scores, at=low) == aj.f1(LABELS, np.array(scores) == high)


@pytest.mark.parametrize("scores", [[3, 3, 3, 3, 3, 3], [1, 2, 3, 1, 2, 3]])
def test_one_value_or_three_are_no_coding(scores):
    with pytest.raises(aj.InputError, match="scores are not 0/1 flags; give at=<threshold>"):
        aj.f1(LABELS, scores)
