"""Numbers of other packages of change points and drifts, in their own readings."""

import math

import pytest

import adjudge as aj
from adjudge.compat import change_points as theirs
from adjudge.errors import InputError


@pytest.mark.parametrize(
    ("truth", "reports", "margin", "expected"),
    [
        ([10, 14, 30], [9, 12, 30], 5, (1 / 2, 1 / 2)),  # the first change uses both up
        ([10, 20, 30], [10, 30], 1, (1, 1 / 2)),
        ([10, 20, 30], [15, 30], 5, (0, 0)),  # the margin itself is too far
        ([10, 30], [30], 5, (0, 0)),
    ],
)
def test_ruptures(truth, reports, margin, expected):
    assert theirs.precision_recall(truth, reports, margin) == expected


def test_ruptures_lists_end_with_the_number_of_points():
    with pytest.raises(InputError, match="my_bkps must end with the number of points"):
        theirs.precision_recall([10, 30], [])
    with pytest.raises(ZeroDivisionError):
        theirs.precision_recall([30], [10, 30])
    assert theirs.randindex([5, 10], [6, 10]) == 0.8


def test_tcpdbench_gives_the_first_point_away():
    assert theirs.f_measure({"a": [50]}, [])[0] == pytest.approx(2 / 3)
    f, precision, recall = theirs.f_measure({"a": [10], "b": [50]}, [10, 70])
    assert (precision, recall) == (2 / 3, 3 / 4)
    assert f == pytest.approx(2 * precision * recall / (precision + recall))
    one = aj.change_f1(aj.Changes([50], 100), aj.Changes([52, 80], 100), trivial=True)
    assert theirs.f_measure({"a": [50]}, [52, 80])[0] == pytest.approx(one)


def test_the_nearest_first_loses_a_pair():
    assert theirs.f_measure({"a": [10, 14]}, [5, 11], margin=5)[2] == 2 / 3
    truth, reports = aj.Changes([10, 14], 30), aj.Changes([5, 11], 30)
    assert aj.change_recall(truth, reports, trivial=True) == 1


def test_covering_is_a_mean_over_annotators():
    assert theirs.covering({"a": [5], "b": []}, [5], 10) == 3 / 4


@pytest.mark.parametrize(
    ("truth", "reports", "margin", "expected"),
    [
        ([5, 6], [6], 2, 4 / 3),
        ([5], [5], 0, 0),  # a perfect report
        ([5], [3], 2, 0),  # the window is open on its left
        ([5], [7], 2, 1),
        ([], [], 0, 1),
        ([], [5], 0, 0),
        ([5], [], 0, 0),
    ],
)
def test_windowed_f1_of_sktime(truth, reports, margin, expected):
    assert theirs.windowed_f1(truth, reports, margin) == pytest.approx(expected)


def test_offsets_of_sktime_are_leads_turned():
    truth, reports = [50, 90], [42, 45, 70]
    assert theirs.event_tpr(truth, reports, -10, -2) == 1 / 2
    assert theirs.mean_detection_offset(truth, reports, -10, -2) == -8
    assert theirs.mean_detection_offset(truth, reports, -10, 3) == -8
    assert theirs.false_alarm_rate(truth, reports, -10, -2, n=101) == 1 / 100


def test_capymoa_counts_alarms_as_recall():
    found = theirs.drift_performance([50, 100, 150], [51, 52, 53, 54, 109], 200, 10)
    assert (found["tp"], found["fp"], found["fn"]) == (5, 0, 1)
    assert found["recall"] == pytest.approx(5 / 6)
    assert found["f1"] == pytest.approx(10 / 11)
    assert found["episode_recall"] == pytest.approx(2 / 3)
    assert found["mdt"] == 5
    assert found["far"] == 0


def test_capymoa_cuts_early_windows_and_does_not_see_an_alarm_at_the_start():
    found = theirs.drift_performance([(5, 8), 20], [0, 17, 30], 100, 10, 5)
    assert (found["tp"], found["n_alarms"], found["fn"]) == (2, 2, 0)
    silent = theirs.drift_performance([50], [0], 100, 10)
    assert (silent["precision"], silent["f1"]) == (0, 0)
    assert math.isnan(silent["mdt"])
    with pytest.raises(InputError, match="true_drifts must hold at least one drift"):
        theirs.drift_performance([], [5], 100, 10)


def test_river_has_another_f1_under_the_same_name():
    found = theirs.drift_report([51, 52, 53, 54, 109], [50, 100, 150], 200, 10)
    assert found["recall"] == pytest.approx(5 / 6)
    assert found["f1"] == pytest.approx(0.8)
    assert math.isnan(found["mean_time_between_false_alarms"])


def test_river_leaves_the_best_detectors_without_a_value():
    exact = theirs.drift_report([50, 10, 80], [50], 100, 10)
    assert exact["mean_time_ratio"] == math.inf
    late = theirs.drift_report([10, 55, 80], [50], 100, 10)
    assert late["mean_time_between_false_alarms"] == 70
    assert late["mean_time_ratio"] == 14
    nothing = theirs.drift_report([], [], 100, 10)
    assert math.isnan(nothing["f1"])
    assert math.isnan(nothing["mean_time_ratio"])
    assert theirs.drift_report([5], [50], 100, 10)["f1"] == 0
