"""sktime itself: its own checks of an estimator, points, segments, and a real detector."""

import numpy as np
import pytest

import adjudge as aj
from integrations.made_data import data

pytest.importorskip("sktime")

import pandas as pd
from sktime.detection.naive import ThresholdDetector
from sktime.utils.estimator_checks import check_estimator

from adjudge.integrations.sktime import AdjudgeMetric

VALUES, LABELS = data()
X = pd.DataFrame({"x": VALUES})
EVENTS = aj.Events.from_labels(LABELS)


def segments(starts, stops):
    index = pd.IntervalIndex.from_arrays(starts, stops, closed="left")
    return pd.DataFrame({"ilocs": index, "labels": 1})


TRUTH = segments(EVENTS.starts, EVENTS.stops)


def test_sktime_finds_nothing_wrong_with_it():
    results = check_estimator(AdjudgeMetric, raise_exceptions=False, verbose=False)
    assert len(results) > 10
    assert {name: said for name, said in results.items() if said != "PASSED"} == {}


@pytest.mark.parametrize("spec", ["f1_ba", "f1", "event_f1", "f1_ba(width=5)"])
def test_segments_are_half_open(spec):
    late = segments(EVENTS.starts + 20, EVENTS.stops + 20)
    flags = np.zeros(len(X), int)
    for start, stop in zip(EVENTS.starts + 20, EVENTS.stops + 20, strict=True):
        flags[start:stop] = 1
    assert AdjudgeMetric(spec)(TRUTH, late, X) == aj.metric(spec)(LABELS, flags)
    assert AdjudgeMetric(spec)(TRUTH, TRUTH, X) == 1


@pytest.mark.parametrize(
    ("closed", "inside"), [("left", 4), ("both", 5), ("right", 5), ("neither", 4)]
)
def test_the_ends_of_segments_are_those_that_they_say(closed, inside):
    first = 2 if closed in {"left", "both"} else 3
    ends = pd.IntervalIndex.from_tuples([(2, inside)], closed=closed)
    stop = inside + (closed in {"right", "both"})
    points = pd.DataFrame({"ilocs": np.arange(first, stop)})
    assert AdjudgeMetric("f1")(points, pd.DataFrame({"ilocs": ends}), X) == 1


def test_what_could_be_misread_is_refused():
    with pytest.raises(aj.InputError, match="y must have a column ilocs"):
        AdjudgeMetric("f1")(TRUTH, pd.Series([3, 4]), X)
    for wrong in (-1, len(X)):
        points = pd.DataFrame({"ilocs": [3, wrong]})
        with pytest.raises(aj.InputError, match=f"ilocs must be from 0 to .*, got {wrong}"):
            AdjudgeMetric("f1")(TRUTH, points, X)


def test_points_are_flags():
    hits = np.flatnonzero(LABELS)[::3]
    flags = np.isin(np.arange(len(X)), hits).astype(int)
    points = pd.DataFrame({"ilocs": hits})
    assert AdjudgeMetric("f1")(TRUTH, points, X) == aj.f1(LABELS, flags)


def test_a_real_detector():
    found = ThresholdDetector(upper=2.5, lower=-10).fit(X).predict(X)
    flags = (VALUES > 2.5).astype(int)
    value = AdjudgeMetric("f1_ba")(TRUTH, found, X)
    assert value == pytest.approx(aj.f1_ba(LABELS, flags), abs=0.02)


def test_less_is_better_where_the_row_says_so():
    assert AdjudgeMetric("detection_delay").get_tag("lower_is_better")
    assert not AdjudgeMetric("f1_ba").get_tag("lower_is_better")


def test_metrics_of_scores_are_refused():
    with pytest.raises(aj.InputError, match="of flags, got ap: sktime gives"):
        AdjudgeMetric("ap")(TRUTH, TRUTH, X)


def test_metrics_of_positions_keep_neighbours_and_repeated_points():
    X = pd.DataFrame({"x": np.zeros(30)})  # noqa: N806 - its name there
    truth, reports = (pd.DataFrame({"ilocs": at}) for at in ([5, 6, 20], [5, 6, 6]))
    metric = AdjudgeMetric("change_f1(margin=0)")
    assert metric(truth, reports, X) == pytest.approx(2 / 3)
    segments = pd.DataFrame({"ilocs": pd.IntervalIndex.from_tuples([(5, 9)], closed="left")})
    assert AdjudgeMetric("change_recall(margin=0)")(segments, reports, X) == 1
