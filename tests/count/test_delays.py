"""Delays, distances and false alarms per time: by hand, and at the edges."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import adjudge as aj
from adjudge.count.delays import Delays, EarlyWindows, TimingCurve
from adjudge.count.distances import Farthest
from adjudge.count.first_alarms import first_alarms
from adjudge.measure.distances import ChamferDistance, HausdorffDistance
from adjudge.measure.rates import FalseAlarmRate
from adjudge.metrics.reader import metric
from values import filled

NAN = math.nan
NAMES = (
    "detection_delay", 'detection_delay(average="median")', "early_detection", "adtqc",
    "false_alarm_rate", "temporal_distance", "chamfer_distance", "hausdorff_distance",
)  # fmt: skip


def value(spec, labels, flags, **options):
    return metric(spec)(labels, flags, **options)


def same(expected, actual):
    np.testing.assert_allclose(actual, expected, rtol=1e-12, atol=1e-12)


# --- every degenerate case has one answer ------------------------------------------------------


@pytest.mark.parametrize(
    ("labels", "flags", "expected"),
    [
        pytest.param(
            filled(6, (1, 3)), filled(6), [NAN, NAN, 0, NAN, 0, 12, 12, 6], id="no alarms"
        ),
        pytest.param(
            filled(6), filled(6, (1, 3)), [NAN, NAN, NAN, NAN, 1 / 6, 12, 12, 6], id="no events"
        ),
        pytest.param(filled(6), filled(6), [NAN, NAN, NAN, NAN, 0, 0, NAN, NAN], id="neither"),
        pytest.param(
            np.ones(6, int), np.ones(6, int), [0, 0, 1, 1, NAN, 0, 0, 0], id="all and everything"
        ),
        pytest.param(filled(6, (0, 1)), filled(6, (0, 1)), [0, 0, 1, 1, 0, 0, 0, 0], id="start"),
        pytest.param(filled(6, (5, 6)), filled(6, (5, 6)), [0, 0, 1, 1, 0, 0, 0, 0], id="end"),
        pytest.param(
            filled(6, (5, 6)), filled(6, (0, 1)), [NAN, NAN, 0, NAN, 1 / 5, 10, 10, 5], id="apart"
        ),
    ],
)
def test_every_degenerate_case_has_one_answer(labels, flags, expected):
    same(expected, [value(name, labels, flags) for name in NAMES])


# --- delays ------------------------------------------------------------------------------------


def test_the_delay_is_the_mean_over_found_events():
    labels = filled(40, (2, 8), (12, 18), (20, 30), (32, 34))
    flags = filled(40, (1, 3), (15, 16), (29, 30))  # after 0, 3 and 9; the last is missed
    assert 4 == value("detection_delay", labels, flags)
    assert 3 == value('detection_delay(average="median")', labels, flags)


def test_the_median_of_an_even_number_is_the_mean_of_the_two_in_the_middle():
    labels = filled(40, (0, 9), (10, 19), (20, 29), (30, 39))
    flags = filled(40, (8, 9), (10, 11), (22, 23), (33, 34))  # after 8, 0, 2 and 3
    receipt = aj.explain(labels, flags, 'detection_delay(average="median")')
    assert 2.5 == receipt.value
    assert [0, 0, 1, 1] == receipt.truth.weight.tolist()


def test_a_hit_in_a_later_event_is_no_late_detection_of_this_one():
    def next_flag_anywhere(labels, flags):
        starts = np.flatnonzero(np.diff(labels, prepend=0) == 1)
        return np.mean([np.argmax(flags[start:]) for start in starts])

    labels, flags = filled(200, (10, 20), (180, 190)), filled(200, (182, 183))
    assert 2 == value("detection_delay", labels, flags)
    assert 87 == next_flag_anywhere(labels, flags)


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4), st.floats(0, 1)), max_size=20),
    st.integers(-1, 4),
)
def test_the_first_alarm_above_a_threshold_earns(points, threshold):
    points.sort(key=lambda point: point[0])
    stretch, scores, earns = (np.array([p[i] for p in points]) for i in range(3))
    expected = 0.0
    for which in range(4):
        above = [e for s, score, e in points if s == which and score > threshold]
        expected += above[0] if above else 0
    mass = first_alarms(scores.astype(float), stretch.astype(int), earns.astype(float))
    assert pytest.approx(expected, abs=1e-12) == mass.above(threshold)


# --- early detection and the timing curve ------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "expected"), [(49, 0), (50, 1), (54, 0.6), (55, 0.5), (60, 0), (61, 0)]
)
def test_early_alarms_earn_more_within_the_window(first, expected):
    # 220 points, 2 events, share 0.1: windows of 11 points, five of them before the start
    labels, flags = filled(220, (55, 80), (150, 180)), filled(220, (first, first + 1), (75, 80))
    credit = aj.explain(labels, flags, "early_detection").truth.credit
    assert [expected, 0] == pytest.approx(credit.tolist())


def test_windows_slide_back_into_their_series():
    labels = np.append(filled(20, (0, 2)), filled(20, (19, 20)))
    series = [0] * 20 + [1] * 20
    spec = "early_detection(share=0.25)"  # windows [0, 5) and [35, 40)
    for first, expected in ((0, [1, 0]), (4, [0, 0]), (3, [0.25, 0]), (35, [0, 1]), (39, [0, 0])):
        flags = filled(40, (first, first + 1))
        receipt = aj.explain(labels, flags, spec, series=series)
        assert expected == receipt.truth.credit.tolist()


def test_points_that_are_not_judged_are_no_early_alarm():
    labels, flags = filled(20, (10, 12)), filled(20, (8, 9), (10, 11))
    spec = "early_detection(share=0.25)"  # points 8 to 12
    assert 1 == value(spec, labels, flags)
    assert 0.5 == value(spec, labels, flags, where=1 - filled(20, (8, 9)))


def test_an_alarm_at_every_point_is_the_earliest_there_is():
    labels = filled(100, (40, 60))
    assert 1 == value("early_detection", labels, np.ones(100, int))


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        (10, 0.0),
        (11, 0.1**math.e),
        (15, 0.5**math.e),
        (20, 1.0),
        (25, 0.5),
        (28, 1 / (1 + 4**math.e)),
    ],
)
def test_the_timing_curve_of_an_event_of_ten_points(start, expected):
    labels, flags = filled(40, (20, 30)), filled(40, (start, 30))
    assert pytest.approx(expected, abs=1e-15) == value("adtqc", labels, flags)


def test_the_timing_curve_is_steeper_after_an_event_that_began_shortly_before():
    flags = filled(40, (18, 20), (21, 30))
    assert pytest.approx(1 / (1 + (1 / 9) ** math.e)) == value("adtqc", filled(40, (20, 30)), flags)
    labels, flags = filled(40, (16, 18), (20, 30)), filled(40, (18, 30))
    credit = aj.explain(labels, flags, "adtqc").truth.credit
    assert [0, 0.5**math.e] == pytest.approx(credit.tolist())  # 2 early, with room for 4
    apart = [0] * 18 + [1] * 22
    credit = aj.explain(labels, flags, "adtqc", series=apart).truth.credit
    assert [0, 0.8**math.e] == pytest.approx(credit.tolist())  # with room for 10


def test_missed_events_are_left_out_of_the_timing_curve():
    labels = filled(40, (5, 10), (20, 30))
    assert 1 == value("adtqc", labels, filled(40, (20, 21)))


# --- false alarms per time ---------------------------------------------------------------------


def test_false_runs_are_counted_per_normal_point():
    labels, flags = filled(50, (10, 20)), filled(50, (0, 2), (8, 12), (30, 39))
    assert 2 / 40 == value("false_alarm_rate", labels, flags)
    assert 2 / 40 * 24 == value("false_alarm_rate(per=24)", labels, flags)
    receipt = aj.explain(labels, flags, "false_alarm_rate")
    assert [1, 0, 1] == receipt.alarms.cost.tolist()


def test_only_judged_normal_points_count():
    labels, flags = filled(50, (10, 20)), filled(50, (0, 2), (30, 39))
    where = 1 - filled(50, (25, 45))
    assert 1 / 20 == value("false_alarm_rate", labels, flags, where=where)


# --- distances ---------------------------------------------------------------------------------


def test_distances_by_hand():
    labels, flags = filled(20, (5, 8)), filled(20, (7, 10), (15, 16))
    # missed points 5 and 6 lie 2 and 1 from the flag at 7; flags at 8, 9 and 15 lie 1, 2, 8 from 7
    assert 3 + 11 == value("temporal_distance", labels, flags)
    assert 3 / 3 + 11 / 4 == value("chamfer_distance", labels, flags)
    assert 8 == value("hausdorff_distance", labels, flags)
    assert 1 == value('chamfer_distance(side="truth")', labels, flags)
    assert 11 / 4 == value('chamfer_distance(side="alarms")', labels, flags)
    assert 2 == value('hausdorff_distance(side="truth")', labels, flags)
    assert 8 == value('hausdorff_distance(side="alarms")', labels, flags)


def test_the_receipt_says_what_each_event_and_each_run_cost():
    labels, flags = filled(20, (5, 8)), filled(20, (7, 10), (15, 16))
    receipt = aj.explain(labels, flags, "temporal_distance")
    assert [3] == (receipt.truth.weight - receipt.truth.credit).tolist()
    assert [3, 8] == receipt.alarms.cost.tolist()
    assert [0, -1] == receipt.alarms.event.tolist()


@pytest.mark.parametrize("side", ["truth", "alarms"])
def test_one_way_is_undefined_where_that_side_has_no_point(side):
    some, none = filled(9, (2, 4)), filled(9)
    labels, flags = (none, some) if side == "truth" else (some, none)
    for name in ("chamfer_distance", "hausdorff_distance"):
        assert math.isnan(value(f'{name}(side="{side}")', labels, flags))
        other = {"truth": "alarms", "alarms": "truth"}[side]
        assert 9 == value(f'{name}(side="{other}")', labels, flags)


def test_distances_do_not_cross_series():
    labels, flags = filled(12, (5, 6)), filled(12, (6, 7))
    assert 2 == value("temporal_distance", labels, flags)
    assert 6 + 6 == value("temporal_distance", labels, flags, series=[0] * 6 + [1] * 6)
    assert 6 == value("hausdorff_distance", labels, flags, series=[0] * 6 + [1] * 6)


def test_points_that_are_not_judged_do_not_shorten_the_way():
    labels, flags = filled(12, (2, 3)), filled(12, (9, 10))
    assert 14 == value("temporal_distance", labels, flags, where=1 - filled(12, (4, 8)))


def test_the_farthest_point_and_the_median_are_no_sums_over_rows_drawn_again():
    assert not Farthest().resamples
    assert not Delays("median").resamples
    assert Delays("mean").resamples


# --- settings ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Delays("mode"), "average must be one of 'mean', 'median', got 'mode'"),
        (lambda: EarlyWindows(0), r"share must be a share in \(0, 1\], got 0"),
        (lambda: TimingCurve(-1), "exponent must be a positive number"),
        (lambda: FalseAlarmRate(0), "per must be a positive number"),
        (lambda: ChamferDistance("left"), "side must be one of 'both', 'truth', 'alarms', got"),
        (lambda: HausdorffDistance("left"), "side must be one of 'both', 'truth', 'alarms', got"),
    ],
)
def test_wrong_settings_are_refused(make, message):
    with pytest.raises(aj.InputError, match=message):
        make()


# --- the best threshold ------------------------------------------------------------------------


def test_the_best_threshold_of_a_distance_is_the_one_with_the_least():
    labels, scores = filled(10, (4, 6)), [0, 0, 0, 1, 5, 5, 1, 0, 0, 2]
    assert 0 == aj.best(metric("temporal_distance"))(labels, scores)
    curve = aj.curve(labels, scores, "temporal_distance")
    assert (2, 0) == tuple(curve.best())
    assert [20, 0, 4, 6, 20] == curve.values.tolist()


def test_early_detection_is_known_at_every_threshold():
    assert metric("early_detection").sweeps
    assert not metric("detection_delay").sweeps
