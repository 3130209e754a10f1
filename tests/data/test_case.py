"""Case: one detector's scores beside the truth, checked once."""

import pickle

import numpy as np
import pytest

from adjudge.data.case import Case
from adjudge.data.events import Events
from contract import LEAVE_OUT, WHERE
from messages import refused

LABELS = [0, 0, 1, 1]
SCORES = [0.1, 0.4, 0.35, 0.8]


@pytest.mark.parametrize(
    ("labels", "scores", "expected"),
    [
        (LABELS, SCORES, "Case(4 points, 1 event, scores from 0.1 to 0.8)"),
        (LABELS, np.array([1, -5, 3, 2]), "Case(4 points, 1 event, scores from -5 to 3)"),
        ([1, 0, 1, 0], [0, 1, 0, 0], "Case(4 points, 2 events, flags)"),
        ([0, 0], [0.5, 0.5], "Case(2 points, 0 events, scores from 0.5 to 0.5)"),
    ],
)
def test_a_case_says_what_it_holds(labels, scores, expected):
    assert expected == repr(Case(labels, scores))


@pytest.mark.parametrize("scores", [SCORES, np.array([1, 4, 3, 8])], ids=["floats", "ints"])
def test_a_case_says_what_it_holds_on_judged_points(scores):
    case = Case(LABELS, scores, where=[1, 0, 1, 0])
    assert f"Case(4 points, 1 event, scores from {scores[0]} to {scores[2]})" == repr(case)


def test_a_detector_has_a_name():
    assert (Case(LABELS, SCORES).name, Case(LABELS, SCORES, name="lof").name) == ("detector", "lof")


def test_labels_and_alarms_may_be_events():
    labels = Events.from_intervals([(2, 4)], n=4)
    case = Case(labels, Events.from_intervals([(1, 3)], n=4))
    assert case.events is labels
    assert (case.is_flags, case.flags.tolist()) == (True, [False, True, True, False])


def test_events_may_be_judged_in_part():
    case = Case(Events.from_intervals([(2, 4)], n=4), SCORES, where=[1, 1, 1, 0])
    assert (case.events.starts.item(), case.events.stops.item()) == (2, 3)
    assert case.scores.tolist() == [0.1, 0.4, 0.35, -np.inf]


@pytest.mark.parametrize("labels", [[0, 1, 0], Events.from_intervals([(1, 2)], n=3)])
def test_labels_and_scores_must_be_equally_long(labels):
    with refused("labels and scores must be equally long, got 3 and 4 points"):
        Case(labels, SCORES)


def test_alarms_must_be_as_long_as_the_labels():
    with refused("labels and scores must be equally long, got 4 and 9 points"):
        Case(LABELS, Events.from_intervals([(1, 2)], n=9))


def test_scores_with_nan_are_refused_with_their_index():
    with refused("scores must be numbers, got nan at index 1 (2 of 4 points)" + LEAVE_OUT):
        Case(LABELS, [0.1, np.nan, np.nan, 0.2])


def test_nan_on_a_judged_point_is_refused_with_the_index_among_all_points():
    with refused("scores must be numbers, got nan at index 2 (1 of 4 points)" + LEAVE_OUT):
        Case(LABELS, [0.1, np.nan, np.nan, 0.2], where=[1, 0, 1, 1])


@pytest.mark.parametrize("dtype", ["e", "f", "d", ">f", "g"])
def test_points_that_are_not_judged_hold_the_lowest_score_in_the_same_precision(dtype):
    case = Case(LABELS, np.array([0.5, np.nan, 0.25, 1], dtype), where=[1, 0, 1, 1])
    assert case.given.tolist() == [0.5, -np.inf, 0.25, 1]
    assert case.given.dtype.itemsize == np.dtype(dtype).itemsize


@pytest.mark.parametrize(
    ("labels", "rest"),
    [
        ([0.1, 0.4, 1, 0], "0.1 at index 0 (2 of 4 points)"),
        ([0, np.nan, 3, 1], f"nan at index 1 (1 of 4 points){WHERE}"),
        ([3, 1, 0, 5], "3 at index 0 (2 of 4 points)"),
    ],
)
def test_swapped_arguments_are_suspected_where_the_scores_could_be_labels(labels, rest):
    with refused(f"labels must be 0 or 1, got {rest}; are labels and scores swapped?"):
        Case(labels, [0, 1, 1, 0])


@pytest.mark.parametrize("scores", [SCORES, [0, 1, 2, 0], [0, np.nan, 1, 0]])
def test_swapped_arguments_are_not_suspected_where_the_scores_could_be_no_labels(scores):
    with refused("labels must be 0 or 1, got 2 at index 1 (2 of 4 points)"):
        Case([1, 2, 1, 2], scores)


def test_other_trouble_with_labels_gets_no_hint():
    with refused("where must judge at least one point, got none of 4"):
        Case(LABELS, [0, 1, 1, 0], where=[0, 0, 0, 0])


@pytest.mark.parametrize(
    ("expected", "scores", "where"),
    [
        (True, [0, 1, 1, 0], None),
        (True, [False, True, True, True], None),
        (True, [0.0, 1.0, 1.0, -0.0], None),
        (True, [0, 7, 1, 0], [1, 0, 1, 1]),
        (True, [0, np.nan, 1.0, 0], [1, 0, 1, 1]),
        (False, [0, 1, 2, 0], None),
        (False, SCORES, None),
        (False, [0, 7, 1, 0.5], [1, 0, 1, 1]),
    ],
)
def test_flags_are_zeros_and_ones_on_judged_points(expected, scores, where):
    assert expected is Case(LABELS, scores, where=where).is_flags


@pytest.mark.parametrize("dtype", ["?", "b", "Q", "e", "d"])
def test_flags_are_given_back_as_bools_and_never_raised_where_not_judged(dtype):
    flags = np.array([0, 1, 1, 0], dtype)
    assert Case(LABELS, flags).flags.tolist() == [False, True, True, False]
    where = [1, 0, 1, 1]
    assert Case(LABELS, flags, where=where).flags.tolist() == [False, False, True, False]


@pytest.mark.parametrize("dtype", ["?", "b", "Q", "e", "d"])
def test_scores_are_float64_and_lowest_where_not_judged(dtype):
    scores = Case(LABELS, np.array([0, 1, 1, 0], dtype), where=[1, 0, 1, 1]).scores
    assert (scores.dtype, scores.tolist()) == (np.float64, [0, -np.inf, 1, 0])


@pytest.mark.parametrize("dtype", ["b", "Q", "e", "f", "d", ">d"])
def test_flagged_is_what_lies_strictly_above_the_threshold(dtype):
    case = Case(LABELS, np.array([1, 2, 3, 2], dtype))
    assert case.flagged(2).tolist() == [False, False, True, False]
    assert case.flagged(1.5).tolist() == [False, True, True, True]


@pytest.mark.parametrize("scores", [[5, 9, 5, 5], [5.0, 9.0, 5.0, 5.0], [True] * 4])
def test_no_threshold_flags_a_point_that_is_not_judged(scores):
    case = Case(LABELS, scores, where=[1, 0, 1, 1])
    assert case.flagged(-np.inf).tolist() == [True, False, True, True]


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_a_threshold_is_rounded_to_the_precision_of_the_scores(dtype):
    case = Case(LABELS, np.array([0.1, 0.2, 0.1, 0.3], dtype))
    assert case.flagged(0.1).tolist() == [False, True, False, True]


def test_a_threshold_beyond_the_range_of_the_scores_flags_all_or_nothing():
    case = Case(LABELS, np.array([1, 60000, 3, 4], np.float16))
    assert case.flagged(1e6).tolist() == [False] * 4
    assert case.flagged(-1e6).tolist() == [True] * 4


def test_whole_scores_that_float64_would_round_are_refused_once_they_are_needed():
    case = Case(LABELS, [0, 1, 2, 2**53 + 1])
    with refused(
        "scores must be numbers that float64 can hold exactly, got 9007199254740993 at index 3; "
        "pass their ranks instead"
    ):
        case.flagged(1)


def test_whole_scores_that_float64_would_round_play_no_part_where_not_judged():
    case = Case(LABELS, [0, 1, 2, 2**53 + 1], where=[1, 1, 1, 0])
    assert case.flagged(1).tolist() == [False, False, True, False]


def test_what_minus_infinity_is_read_as_must_be_free():
    lowest = np.finfo(float).min
    case = Case(LABELS, [0.5, -np.inf, 0.25, -np.inf], where=[1, 1, 1, 0])
    assert case.scores.tolist() == [0.5, lowest, 0.25, -np.inf]
    assert Case(LABELS, [lowest, 0, 1, 1]).scores[0] == lowest
    with refused(
        "scores must not hold both -inf and -1.7976931348623157e+308, which -inf is read as, "
        "got both; pass their ranks instead"
    ):
        _ = Case(LABELS, [lowest, 0, -np.inf, 1]).scores


def test_a_case_for_one_call_is_like_any_other_and_leaves_the_caller_s_array_alone():
    labels, scores = np.array([0, 1, 1, 0]), np.array([0.1, 0.9, 0.2, 0.3])
    case = Case.for_one_call(labels, scores)
    assert repr(case) == repr(Case(labels, scores))
    assert case.scores.tolist() == scores.tolist()
    with pytest.raises(ValueError, match="read-only"):
        case.given[0] = 1.0
    scores[0] = labels[0] = 1  # both may still be written to


def test_where_no_score_is_missing_none_is_skipped():
    assert Case(LABELS, SCORES, missing="skip").events.judged is None
    assert Case(LABELS, [0, 1, 1, 0], missing="skip").events.judged is None
    assert Case(LABELS, [0.5, np.nan, 1, 2], missing="skip").events.judged.tolist() == [1, 0, 1, 1]


def test_a_case_that_was_sent_somewhere_is_as_read_only_as_before():
    for scores, where in ((SCORES, None), ([0, 1, 1, 0], [1, 1, 0, 1])):
        case = pickle.loads(pickle.dumps(Case(LABELS, scores, where=where)))  # noqa: S301
        arrays = [case.given, case.unmasked, case.scores]
        arrays += [case.events.starts, case.events.stops, case.events.labels, case.events.normal]
        arrays += [case.events.judged] if where else []
        assert not [array for array in arrays if array.flags.writeable]
        assert repr(case) == repr(Case(LABELS, scores, where=where))
