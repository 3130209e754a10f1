"""Label doubt: the value under borders that are not quite right."""

import numpy as np
import pytest

import adjudge as aj
from adjudge.noise.intervals.label_sensitivity import label_sensitivity, leave_one_out


def spread(spec, labels, flags, slack, **options):
    return label_sensitivity(aj.metric(spec), aj.Case(labels, flags, **options), slack)


def test_no_doubt_is_no_spread():
    labels, flags = [0, 1, 1, 0, 0, 1], [0, 1, 0, 0, 1, 0]
    value = aj.f1(labels, flags)
    assert (value, value) == spread("f1", labels, flags, 0)


def test_every_variant_of_the_borders_is_tried():
    labels, flags = np.zeros((2, 60), int)
    labels[20:30] = flags[20:30] = 1
    tried = []
    for d in range(4):
        for left, right in ((-d, -d), (d, d), (-d, d), (d, -d)):
            moved = np.zeros(60, int)
            moved[20 + left : 30 + right] = 1
            tried.append(aj.f1_ba(moved, flags))
    assert (min(tried), max(tried)) == spread("f1_ba", labels, flags, 3)


def test_a_balanced_score_feels_borders_that_point_adjustment_forgives():
    labels, flags = np.zeros((2, 400), int)
    labels[100:150] = flags[100:150] = labels[300:340] = flags[300:340] = 1
    assert spread("f1_pa", labels, flags, 2).low > 0.95
    assert spread("f1_ba", labels, flags, 2).low < 0.75


def test_events_stay_in_their_series_and_never_vanish():
    labels, flags = [1, 0, 0, 0, 0, 1], [1, 0, 0, 0, 0, 1]
    low, high = spread("recall", labels, flags, 5, series=[0, 0, 0, 1, 1, 1])
    assert 0 <= low <= high == 1


def test_events_that_grow_into_each_other_become_one():
    labels, flags = [0, 1, 0, 1, 0, 0], [0, 1, 0, 0, 0, 0]
    assert spread("event_recall", labels, flags, 1) == (0, 1)


def test_unjudged_points_stay_unjudged():
    labels, flags, where = [0, 1, 1, 0, 0, 0], [0, 1, 1, 0, 0, 0], [1, 1, 1, 0, 0, 0]
    assert spread("precision", labels, flags, 1, where=where).high == 1


def test_without_events_there_is_nothing_to_doubt():
    assert spread("f1", [0, 0], [0, 1], 3) == (0, 0)
    assert np.isnan(spread("recall", [0, 0], [0, 1], 3)).all()


def test_a_single_event_cannot_be_left_out():
    case = aj.Case([0, 1, 0], [0, 1, 0])
    low, high, most_influential_event = leave_one_out(aj.f1, case)
    assert np.isnan([low, high]).all()
    assert most_influential_event is None


def test_a_value_that_is_undefined_without_any_event_is_carried_by_none():
    low, high, most_influential_event = leave_one_out(
        aj.event_coverage, aj.Case([1, 0, 1], [0, 1, 0])
    )
    assert np.isnan([low, high]).all()
    assert most_influential_event is None


def test_slack_is_a_whole_number():
    with pytest.raises(ValueError, match=r"slack must be a whole number, at least 0, got 1\.5"):
        spread("f1", [0, 1], [0, 1], 1.5)
