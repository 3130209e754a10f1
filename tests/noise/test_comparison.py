"""Comparing two detectors: difference, interval, p-value, and how it is told."""

import dataclasses
import math
import re

import numpy as np
import pytest

import adjudge as aj
from adjudge.errors import InputError
from adjudge.judging.comparison import Comparison, compare
from adjudge.noise.comparing.paired_events import PairedSums, detector_side, power

SLOT = 40


def refused(message):
    return pytest.raises(InputError, match=rf"\A{re.escape(message)}\Z")


def labels_of(events):
    labels = np.zeros((events, SLOT), int)
    labels[:, 20:30] = 1
    return labels.ravel()


def detector(events, found, false=(), at=23):
    """Flag one point of the events that are found, and one in front of those that are listed."""
    flags = np.zeros((events, SLOT), int)
    flags[list(found), at] = 1
    flags[list(false), 5] = 1
    return flags.ravel()


LABELS = labels_of(20)
GOOD = detector(20, range(18), [4])
FAIR = detector(20, range(6), [1, 9])
TOLD = Comparison("f1", 0.8, 0.5, 0.3, 0.1, 0.4, 0.01, 20, 9)


@pytest.mark.parametrize("spec", ["f1", "f1_ba", "precision_pa", "event_f1", "event_coverage"])
def test_a_detector_does_not_differ_from_itself(spec):
    found = compare(LABELS, GOOD, GOOD, spec)
    assert (0, 1) == (found.difference, found.p_value)
    assert found.low <= 0 <= found.high  # on other events it might have differed
    assert found.events_needed is None
    assert found.ahead is None
    assert not found.separated


@pytest.mark.parametrize("spec", ["f1_ba", "f1_pa", "event_f1", "mcc", "balanced_accuracy"])
def test_a_clearly_better_detector_is_told_from_luck(spec):
    found = compare(LABELS, GOOD, FAIR, spec)
    metric = aj.metric(spec)
    assert (metric(LABELS, GOOD), metric(LABELS, FAIR)) == pytest.approx((found.a, found.b))
    assert found.a - found.b == found.difference
    assert 0 < found.low < found.difference < found.high
    assert found.p_value < 0.05
    assert found.events_needed <= 25
    assert found.events == 20
    assert "a" == found.ahead
    assert found.separated


def test_the_metric_is_told_with_its_settings():
    assert 'f1_ba(width=11, islands="normal")' == compare(LABELS, GOOD, FAIR).metric


@pytest.mark.parametrize("spec", ["f1_ba", "event_f1", "precision", "event_coverage"])
def test_the_other_way_round_the_sign_flips_and_the_p_value_stays(spec):
    one, other = compare(LABELS, GOOD, FAIR, spec), compare(LABELS, FAIR, GOOD, spec)
    assert (one.a, one.b) == (other.b, other.a)
    assert -one.difference == other.difference
    assert (-one.high, -one.low) == pytest.approx((other.low, other.high), abs=0.06)
    assert one.p_value == pytest.approx(other.p_value, abs=0.02)
    assert (one.events_needed is None) == (other.events_needed is None)


def test_fewer_events_are_needed_for_a_larger_effect():
    needed = [
        compare(LABELS, GOOD, detector(20, range(count), [1, 9])).events_needed
        for count in (16, 12, 8, 4)
    ]
    assert sorted(needed, reverse=True) == needed
    assert needed[0] > 20 > needed[-1]


@pytest.mark.parametrize("fair", [12, 15])
def test_so_many_events_show_the_difference_four_times_out_of_five(fair):
    rng = np.random.default_rng(0)
    first, second = (aj.Case(LABELS, flags) for flags in (GOOD, detector(20, range(fair), [1, 9])))
    sides = detector_side(aj.f1_ba, first), detector_side(aj.f1_ba, second)
    needed = compare(LABELS, first.flags, second.flags, "f1_ba").events_needed
    found = power(PairedSums(aj.f1_ba.parts.measure, sides), needed, rng, tries=1000)
    assert found == pytest.approx(0.8, abs=0.07)


def test_no_number_of_events_is_named_with_which_the_test_cannot_reach_five_per_cent():
    for events in (2, 4, 5):
        found = compare(
            labels_of(events), detector(events, range(events)), detector(events, []), "event_recall"
        )
        assert not found.separated
        assert found.low <= 0
        assert found.events_needed == 6  # 2 / 2^6 is the first below 0.05
        assert found.needed_range[0] == 6


def test_few_swaps_are_all_made():
    for events in (1, 4, 5):
        found = compare(
            labels_of(events), detector(events, range(events)), detector(events, []), "event_recall"
        )
        assert found.exact
        assert found.p_value == 2 / 2**events


def test_interval_and_p_value_say_the_same_about_nothing():
    rng = np.random.default_rng(0)
    labels = labels_of(5)
    told = []
    for _ in range(12):
        pair = [detector(5, np.flatnonzero(rng.random(5) < chance)) for chance in (0.9, 0.2)]
        found = compare(labels, *pair, "event_f1", draws=200, seed=rng)
        if not math.isnan(found.difference):
            told.append((found.p_value <= 0.05, found.low > 0 or found.high < 0))
    labels = labels_of(20)
    for _ in range(8):
        pair = [detector(20, np.flatnonzero(rng.random(20) < chance)) for chance in (0.8, 0.4)]
        found = compare(labels, *pair, "event_f1", draws=200, seed=rng)
        told.append((found.p_value <= 0.05, found.low > 0 or found.high < 0))
    assert all(small == excluded for small, excluded in told)
    assert {True, False} == {small for small, _ in told}


def test_detectors_that_are_equally_good_are_seldom_told_apart():
    rng = np.random.default_rng(0)
    runs, p_values = 60, []
    for _ in range(runs):
        pair = (
            detector(20, np.flatnonzero(rng.random(20) < 0.6), np.flatnonzero(rng.random(20) < 0.2))
            for _ in range(2)
        )
        p_values.append(compare(LABELS, *pair, draws=99, seed=rng).p_value)
    assert np.mean(np.array(p_values) <= 0.05) < 0.05 + 4 * math.sqrt(0.05 * 0.95 / runs)


def test_false_runs_of_one_stretch_are_one_unit_and_stretches_end_with_their_series():
    labels, a, b = np.zeros((3, 40), int)
    labels[18:20] = a[18:20] = b[18:20] = 1
    b[[2, 5, 8, 13]] = 1  # all in the stretch before the event
    swapped = compare(labels, a, b, "event_precision")
    assert 1 == swapped.p_value  # one stretch differs: it is on this side or on that
    series = np.repeat(np.arange(10), 4)
    apart = compare(labels, a, b, "event_precision", series=series)
    assert 2 / 16 == pytest.approx(apart.p_value, abs=0.05)


def test_an_alarm_that_leads_into_an_event_stands_with_it():
    labels, a, b = np.zeros((3, 40), int)
    labels[20:24] = 1
    a[18:22] = 1
    found = compare(labels, a, b, "event_f1")
    assert (1, 0) == (found.a, found.b)
    assert 1 == found.p_value


def test_points_that_are_not_judged_play_no_part():
    where = np.tile(np.arange(SLOT) >= 10, 20)
    plain = compare(LABELS, detector(20, range(18)), detector(20, range(6)))
    judged = compare(LABELS, GOOD, FAIR, where=where)
    assert (plain.a, plain.b, plain.p_value) == (judged.a, judged.b, judged.p_value)
    assert (plain.low, plain.high) == pytest.approx((judged.low, judged.high), abs=0.01)


def test_one_threshold_serves_both_or_each_has_its_own():
    a, b = GOOD * 3.0, FAIR * 0.3
    found = compare(LABELS, a, b, at=(2, 0.2))
    assert (2, 0.2) == found.at
    assert dataclasses.replace(found, at=(None, None)) == compare(LABELS, GOOD, FAIR)
    assert (0.2, 0.2) == compare(LABELS, a, b, at=0.2).at
    assert (0, 0) == compare(LABELS, a, b, at="quantile(0.9)").at


def test_an_oracle_takes_each_detector_at_its_own_best_threshold():
    rng = np.random.default_rng(1)
    noise = rng.random(LABELS.size)
    found = compare(LABELS, GOOD + noise / 2, FAIR + 2 * noise, "best(f1_ba)")
    metric = aj.best(aj.f1_ba)
    assert metric(LABELS, GOOD + noise / 2) == pytest.approx(found.a)
    assert metric(LABELS, FAIR + 2 * noise) == pytest.approx(found.b)
    assert found.metric.startswith("best(f1_ba(width=11")
    assert None not in found.at


def test_the_same_seed_gives_the_same_result_and_nothing_else_is_touched():
    good, fair = GOOD.copy(), FAIR.copy()
    state = np.random.get_state()[1].tolist()  # noqa: NPY002 - the very thing to look at
    first = compare(LABELS, good, fair, seed=4)
    assert first == compare(LABELS, good, fair, seed=4)
    assert first == compare(LABELS, good, fair, seed=np.random.default_rng(4))
    assert first != compare(LABELS, good, fair, seed=5)
    assert state == np.random.get_state()[1].tolist()  # noqa: NPY002
    assert GOOD.tolist() == good.tolist()
    assert FAIR.tolist() == fair.tolist()


def test_events_may_be_given_as_events():
    events = aj.Events.from_labels(LABELS)
    assert compare(LABELS, GOOD, FAIR) == compare(events, GOOD, FAIR)


def test_without_events_no_number_of_them_is_asked_for():
    found = compare([0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0], "f1")
    assert 0 == found.events
    assert math.isnan(found.difference)
    assert math.isnan(found.p_value)
    assert found.events_needed is None
    assert found.ahead is None
    assert str(found) == (
        "f1: a 0.0000, b undefined\nneither is ahead: the difference is undefined"
    )


def test_an_undefined_swap_is_left_out():
    labels, a, b = np.zeros((3, 40), int)
    labels[5:8] = labels[30:33] = a[5] = b[20] = 1
    found = compare(labels, a, b, "precision")
    assert 1 == found.difference
    assert 1 == found.p_value  # whatever is not undefined is one against zero


def test_it_is_told_in_plain_words():
    assert str(TOLD) == (
        "f1: a 0.8000, b 0.5000\n"
        "a is ahead by 0.3000, 95 % interval 0.1000 to 0.4000\n"
        "luck hardly explains that: p = 0.01 over 20 events"
    )


def test_a_difference_that_luck_can_make_is_told_as_such():
    found = Comparison("f1", 0.5, 0.8, -0.3, -0.7, 0.1, 0.25, 1, 40)
    assert str(found) == (
        "f1: a 0.5000, b 0.8000\n"
        "b is ahead by 0.3000, 95 % interval -0.1000 to 0.7000\n"
        "luck may explain that: p = 0.25 over 1 event; it would take about 40 events"
    )


def test_the_number_of_events_is_told_with_its_range():
    found = Comparison("f1", 0.8, 0.5, 0.3, -0.1, 0.7, 0.25, 9, 40)
    for span, said in (
        ((15, None), "(15 or more; the true difference may be nothing)"),
        ((15, 90), "(15 to 90)"),
    ):
        told = str(dataclasses.replace(found, needed_range=span))
        assert told.endswith(f"it would take about 40 events {said}")


def test_where_lower_is_better_the_lower_one_is_ahead():
    assert "b" == dataclasses.replace(TOLD, better="lower").ahead
    assert "a" == dataclasses.replace(TOLD, better="lower", difference=-0.3).ahead


def test_without_a_number_of_events_none_is_told():
    told = str(dataclasses.replace(TOLD, events=0, events_needed=None))
    assert told.endswith("hardly explains that: p = 0.01 over 0 events")


def test_neither_is_ahead_of_its_equal():
    assert str(compare(LABELS, GOOD, GOOD, "f1_pa")) == (
        "f1_pa: a 0.9449, b 0.9449\nneither is ahead"
    ).replace("0.9449", f"{aj.f1_pa(LABELS, GOOD):.4f}")


@pytest.mark.parametrize("spec", ["hausdorff_distance", "f1_kpa_area"])
def test_what_is_no_sum_over_events_is_refused(spec):
    with refused(f"{spec} is no sum over events and alarms, so compare cannot redraw them"):
        compare(LABELS, GOOD, FAIR, spec)


def test_what_is_refused_is_called_by_its_own_name():
    way = "; leave them out with where=scores.notna() or missing='skip'"
    with refused(f"a must be numbers, got nan at index 1 (1 of 2 points){way}"):
        compare([0, 1], [0, np.nan], [0, 1])
    with refused(f"b must be numbers, got nan at index 0 (1 of 2 points){way}"):
        compare([0, 1], [0, 1], [np.nan, 1])
    with refused("labels and b must be equally long, got 2 and 3 points"):
        compare([0, 1], [0, 1], [0, 1, 0])
    with refused("labels must be 0 or 1, got 2 at index 1 (1 of 2 points)"):
        compare([0, 2], [0.5, 1], [0, 1])


def test_settings_are_checked():
    with refused("at must be one threshold or a pair (at_a, at_b), got (1, 2, 3)"):
        compare(LABELS, GOOD, FAIR, at=(1, 2, 3))
    with refused("draws must be a whole number, at least 1, got 0"):
        compare(LABELS, GOOD, FAIR, draws=0)
    with refused("seed must be a whole number, at least 0, got 0.5"):
        compare(LABELS, GOOD, FAIR, seed=0.5)
    with refused(
        "f1_ba needs 0/1 flags or at=<threshold>, got scores of two values, 0 and 0.5; write "
        "scores == 0.5 if the higher one is the alarm, scores == 0 if the lower one is"
    ):
        compare(LABELS, GOOD / 2, FAIR)


def test_an_end_of_the_interval_that_rounds_to_zero_has_no_sign():
    told = dataclasses.replace(TOLD, low=-0.00001)
    assert "95 % interval 0.0000 to 0.4000" in str(told)
