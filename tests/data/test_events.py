"""Events: from labels and intervals, in several series, judged in part."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.data.events import Events
from adjudge.data.intervals import reduce_over, runs
from adjudge.errors import InputError
from contract import WHERE
from messages import refused

TWO = "aaabbb"


def intervals(events):
    return list(zip(events.starts.tolist(), events.stops.tolist(), strict=True))


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ([0], []),
        ([1], [(0, 1)]),
        ([0, 0, 0], []),
        ([1, 1, 1], [(0, 3)]),
        ([1, 0, 1], [(0, 1), (2, 3)]),
        ([0, 1, 1, 0, 1, 0], [(1, 3), (4, 5)]),
    ],
)
def test_events_are_the_runs_of_ones(labels, expected):
    assert expected == intervals(Events.from_labels(labels))


@settings(derandomize=True, deadline=None)
@given(st.lists(st.booleans(), min_size=1, max_size=40))
def test_labels_become_intervals_and_labels_again(labels):
    events = Events.from_labels(labels)
    again = Events.from_intervals(intervals(events), n=len(labels))
    assert (labels, labels) == (events.labels.tolist(), again.labels.tolist())


def test_an_event_ends_with_its_series():
    events = Events.from_labels([0, 1, 1, 1, 1, 0], series=list(TWO))
    assert intervals(events) == [(1, 3), (3, 5)]
    assert events.series_bounds.tolist() == [0, 3, 6]
    assert events.names.tolist() == ["a", "b"]


def test_points_that_are_not_judged_part_an_event():
    events = Events.from_labels([1, 1, 1, 0, 0, 1], where=[1, 0, 1, 1, 0, 1])
    assert intervals(events) == [(0, 1), (2, 3), (5, 6)]
    assert events.labels.tolist() == [True, False, True, False, False, True]
    assert events.normal.tolist() == [False, False, False, True, False, False]


def test_without_where_every_point_is_judged():
    events = Events.from_labels([1, 0, 0])
    assert events.judged is None
    assert events.normal.tolist() == [False, True, True]


def test_intervals_may_touch_and_stay_two_events():
    events = Events.from_intervals([(1, 3), (3, 4)], n=5)
    assert (len(events), events.widths.tolist()) == (2, [2, 1])
    assert events.labels.tolist() == [False, True, True, True, False]


@pytest.mark.parametrize(
    "pairs",
    [[(1, 3), (4, 5)], [[1, 3], [4, 5]], np.array([(1, 3), (4, 5)]), iter([(1, 3), (4, 5)])],
    ids=["tuples", "lists", "array", "iterator"],
)
def test_intervals_may_come_in_any_iterable(pairs):
    assert intervals(Events.from_intervals(pairs, n=np.int32(6))) == [(1, 3), (4, 5)]


def test_there_may_be_no_event():
    events = Events.from_intervals([], n=3)
    assert (len(events), list(events), repr(events)) == (0, [], "Events(none of 3 points)")


def test_events_are_iterated_as_slices():
    events = Events.from_labels([0, 1, 1, 0, 1])
    assert [slice(1, 3), slice(4, 5)] == list(events)


@pytest.mark.parametrize(
    ("labels", "series", "expected"),
    [
        ([1, 0] * 6, None, "[0, 1) [2, 3) [4, 5) [6, 7) [8, 9) [10, 11) of 12 points"),
        ([1, 0] * 7, None, "[0, 1) [2, 3) [4, 5) [6, 7) [8, 9) [10, 11) and 1 more of 14 points"),
        ([1, 0, 0, 1], [1, 1, 2, 2], "[0, 1) [3, 4) of 4 points in 2 series"),
    ],
)
def test_events_show_the_first_six(labels, series, expected):
    assert f"Events({expected})" == repr(Events.from_labels(labels, series=series))


def test_events_reduce_and_spread_values():
    events = Events.from_labels([0, 1, 1, 0, 1, 1])
    scores = np.array([9.0, 1.0, 2.0, 9.0, 4.0, 3.0])
    assert events.max(scores).tolist() == [2.0, 4.0]
    assert events.sum(scores > 1.5).tolist() == [1, 2]
    assert events.spread(np.array([7, 8])).tolist() == [7, 7, 8, 8]


def test_hits_are_counted_beyond_one_byte():
    events = Events.from_labels(np.ones(1000))
    assert events.sum(np.ones(1000, bool)).tolist() == [1000]


@pytest.mark.parametrize("last", [0, 1])
def test_hits_of_long_series_are_counted_alike(last):
    rng = np.random.default_rng(last)
    labels = np.append(rng.random(30_000) < 0.3, [False, last])
    series, where = np.arange(labels.size) // 9_000, rng.random(labels.size) < 0.9
    events, flags = Events.from_labels(labels, series=series, where=where), rng.random(30_002) < 0.4
    spans = zip(events.starts.tolist(), events.stops.tolist(), strict=True)
    assert events.sum(flags).tolist() == [int(flags[start:stop].sum()) for start, stop in spans]
    assert Events.from_labels(0 * labels).sum(flags).size == 0


@pytest.mark.parametrize("stop", [3, 4])
def test_an_interval_may_be_reduced_up_to_the_end(stop):
    values = np.array([5, 2, 3, 1])
    found = reduce_over(np.minimum, values, np.array([0, 2]), np.array([2, stop]))
    assert [2, min(values[2:stop])] == found.tolist()


def test_no_interval_reduces_to_nothing():
    none = np.zeros(0, np.int64)
    assert reduce_over(np.maximum, np.ones(2), none, none).dtype == np.float64
    assert reduce_over(np.add, np.ones(2, np.int8), none, none, dtype=np.int64).dtype == np.int64


@pytest.mark.parametrize(("firsts", "expected"), [([0], ([0], [4])), ([0, 2], ([0, 2], [2, 4]))])
def test_runs_do_not_cross_the_given_positions(firsts, expected):
    starts, stops = runs(np.ones(4, bool), np.array(firsts))
    assert expected == (starts.tolist(), stops.tolist())


def test_within_nothing_is_the_same_events():
    events = Events.from_labels([0, 1])
    assert events.within() is events


def test_events_are_placed_in_series_with_their_severity():
    events = Events.from_intervals([(1, 3), (3, 5)], n=6, severity=[0.5, 2])
    placed = events.within(series=list(TWO))
    assert (placed.series_bounds.tolist(), placed.severity.tolist()) == ([0, 3, 6], [0.5, 2])


def test_parts_of_an_event_keep_its_severity():
    events = Events.from_intervals([(0, 3), (3, 5)], n=6, severity=[5, 7])
    judged = events.within(where=[1, 0, 1, 1, 1, 1])
    assert intervals(judged) == [(0, 1), (2, 3), (3, 5)]
    assert judged.severity.tolist() == [5, 5, 7]


def test_events_without_severity_are_judged_in_part():
    judged = Events.from_intervals([(0, 3)], n=4).within(where=[0, 1, 1, 1])
    assert (judged.severity, intervals(judged)) == (None, [(1, 3)])


def test_events_in_series_may_be_judged_in_part_later():
    events = Events.from_labels([1] * 6, series=list(TWO)).within(where=[1, 1, 1, 1, 1, 0])
    assert events.series_bounds.tolist() == [0, 3, 6]
    assert intervals(events) == [(0, 3), (3, 5)]


def test_events_judged_in_part_may_be_placed_in_series_later():
    where = [True, True, True, True, True, False]
    events = Events.from_labels([0, 1, 1, 0, 1, 1], where=where).within(series=list(TWO))
    assert where == events.judged.tolist()
    assert intervals(events) == [(1, 3), (4, 5)]


def test_events_do_not_change_with_the_labels_they_were_read_from():
    labels = np.array([False, True, False])
    events = Events.from_labels(labels)
    labels[0] = True
    assert events.labels.tolist() == [False, True, False]


@pytest.mark.parametrize("severity", [[], np.zeros(0)])
def test_no_events_have_no_severity(severity):
    assert len(Events.from_intervals([], n=2, severity=severity).severity) == 0


@pytest.mark.parametrize(("severity", "count"), [([1.0], 1), ([1, 2, 3], 3)])
def test_severity_must_be_one_number_per_event(severity, count):
    with refused(f"severity must be one number per event, got {count} for 2 events"):
        Events.from_intervals([(0, 1), (2, 3)], n=4, severity=severity)


def test_severity_must_be_numbers():
    with refused("severity must be numbers, got 'high' (dtype <U4)"):
        Events.from_intervals([(0, 1)], n=4, severity=["high"])


@pytest.mark.parametrize("pair", [(5,), (1, 2, 3), ()])
def test_intervals_must_be_pairs(pair):
    with refused(f"intervals must be pairs (start, stop), got {pair!r} at index 1"):
        Events.from_intervals([(0, 1), pair], n=9)


def test_a_number_is_no_interval():
    with refused("intervals must be pairs (start, stop), got 18 at index 0"):
        Events.from_intervals((18, 32), n=80)


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        ((1.0, 2), "starts must be whole numbers, got 1.0 at index 1"),
        ((True, 2), "starts must be whole numbers, got True at index 1"),
        (("1", 2), "starts must be whole numbers, got '1' at index 1"),
        ((1, 2.5), "stops must be whole numbers, got 2.5 at index 1"),
        ((1, None), "stops must be whole numbers, got None at index 1"),
    ],
)
def test_intervals_must_be_whole_numbers(pair, message):
    with refused(message):
        Events.from_intervals([(0, 1), pair], n=9)


@pytest.mark.parametrize("n", [0, -1, 2.0, True, None, "4"])
def test_n_must_be_a_whole_number_of_points(n):
    with refused(f"n must be a whole number of points, at least 1, got {n!r}"):
        Events.from_intervals([], n=n)


@pytest.mark.parametrize(
    ("starts", "stops", "message"),
    [
        ([1], [2, 3], "starts and stops must be equally long, got shapes (1,) and (2,)"),
        ([[1]], [[2]], "starts must be a column of whole numbers, got [[1]]"),
        (1, 2, "starts must be a column of whole numbers, got 1"),
    ],
)
def test_starts_and_stops_must_be_equally_long_columns(starts, stops, message):
    with refused(message):
        Events(starts, stops, n=9)


@pytest.mark.parametrize(
    ("pairs", "rule", "wrong"),
    [
        ([(-1, 2)], "inside [0, 6)", "[-1, 2) at index 0"),
        ([(0, 2), (4, 7)], "inside [0, 6)", "[4, 7) at index 1"),
        ([(2, 2)], "half-open with start < stop", "[2, 2) at index 0"),
        ([(3, 1)], "half-open with start < stop", "[3, 1) at index 0"),
        ([(0, 3), (2, 4)], "ascending and without overlap", "[2, 4) at index 1"),
        ([(4, 5), (0, 1)], "ascending and without overlap", "[0, 1) at index 1"),
    ],
)
def test_intervals_must_be_in_order_and_in_range(pairs, rule, wrong):
    with refused(f"events must be {rule}, got {wrong}"):
        Events.from_intervals(pairs, n=6)


@pytest.mark.parametrize("n", [2**62 + 1, 10**31])
def test_a_series_beyond_all_integers_is_refused(n):
    with pytest.raises(InputError, match=r"\An must be at most 4,611,686,018,427,387,904, got "):
        Events([0], [n], n)


@pytest.mark.parametrize("pair", [(0, 2**63), (0, 10**30), (-(10**30), 3), (2**64, 2**65)])
def test_an_interval_beyond_all_integers_is_outside(pair):
    with pytest.raises(InputError, match=r"\Aevents must be inside \[0, 6\), got .* at index 0\Z"):
        Events.from_intervals([pair], n=6)


def test_an_event_must_not_cross_from_one_series_to_the_next():
    with refused("events must lie within one series, got [2, 5) across the boundary at 3"):
        Events.from_intervals([(0, 1), (2, 5)], n=6).within(series=list(TWO))


@pytest.mark.parametrize(
    ("series", "shape"), [(["a", "b"], "(2,)"), (np.zeros((3, 1)), "(3, 1)"), (np.array(5), "()")]
)
def test_series_must_be_one_id_per_point(series, shape):
    with refused(f"series must be one id per point, got shape {shape} for 3 points"):
        Events.from_labels([0, 1, 0], series=series)


@pytest.mark.parametrize("series", ["abc", b"abc", 5, {"a", "b", "c"}, {"a": 1, "b": 2, "c": 3}])
def test_what_holds_no_column_of_ids_is_refused(series):
    with refused(f"series must be one id per point, got {series!r}"):
        Events.from_labels([0, 1, 0], series=series)


@pytest.mark.parametrize("series", [[[1], [2], [3]], [[1], [2, 3], [4]]], ids=["even", "ragged"])
def test_a_list_is_no_id(series):
    with refused("series must be one id per point, got [1] at index 0"):
        Events.from_labels([0, 1, 0], series=series)


def test_equal_ids_must_be_side_by_side():
    with refused(
        "series must have equal ids side by side, got 'a' again at index 3 after index 0; "
        "sort the points by series first"
    ):
        Events.from_labels([0, 1, 0, 1], series=["a", "a", "b", "a"])


@pytest.mark.parametrize(
    ("ids", "shown"),
    [
        ([1.0, np.nan, np.nan], "nan"),
        ([1, None, None], "None"),
        (["a", None, None], "None"),
        (["a", float("nan"), "b"], "nan"),
        (np.array(["a", np.nan, "b"], object), "nan"),
        (np.array(["2020", "NaT", "2021"], "M8[Y]"), "NaT"),
        (pd.Series(pd.to_datetime(["2020", None, "2021"])), "NaT"),
        (pd.Series(["a", None, "b"], dtype=object), "None"),
        (pd.Series(["a", None, "b"], dtype="string"), "<NA>"),
        (pl.Series(["a", None, "b"]), "None"),
        (pa.chunked_array([["a", None], ["b"]]), "None"),
    ],
)
def test_a_missing_id_is_refused(ids, shown):
    with refused(f"series must be one id per point, got {shown} at index 1"):
        Events.from_labels([0, 1, 0], series=ids)


@pytest.mark.parametrize("count", [2, 4])
def test_where_must_be_one_bool_per_point(count):
    with refused(f"where must be one bool per point, got {count} for 3 points"):
        Events.from_labels([0, 1, 0], where=[1] * count)


def test_where_must_be_bools():
    with refused("where must be 0 or 1, got 2 at index 2 (1 of 3 points)"):
        Events.from_labels([0, 1, 0], where=[0, 1, 2])


def test_where_must_judge_something():
    with refused("where must judge at least one point, got none of 3"):
        Events.from_labels([0, 1, 0], where=[False] * 3)


@pytest.mark.parametrize(
    ("bounds", "message"),
    [
        (
            [0, 99],
            "bounds must say where each series begins, from 0, closed by n = 6, got [ 0, 99]",
        ),
        ([1, 6], "bounds must say where each series begins, from 0, closed by n = 6, got [1, 6]"),
        ([0], "bounds must say where each series begins, from 0, closed by n = 6, got [0]"),
        ([], "bounds must say where each series begins, from 0, closed by n = 6, got []"),
        (
            [[0, 6]],
            "bounds must be a column of whole numbers, got [[0, 6]]",
        ),
        ([0, 3, 3, 6], "bounds must be ascending, got 3 at index 2"),
        ([0, 4, 2, 6], "bounds must be ascending, got 2 at index 2"),
        ([0, 2.5, 6], "bounds must be whole numbers, got 0.0 at index 0"),
        ([0, 2, 6], "events must lie within one series, got [1, 3) across the boundary at 2"),
    ],
)
def test_bounds_must_be_where_series_begin(bounds, message):
    with refused(message):
        Events([1], [3], 6, bounds=bounds)


@pytest.mark.parametrize(
    ("judged", "message"),
    [
        ([True] * 3, "judged must be one bool per point, got 3 for 6 points"),
        ([False] * 6, "judged must judge at least one point, got none of 6"),
        ([0, 1, 1, 0, 2, 0], "judged must be 0 or 1, got 2 at index 4 (1 of 6 points)"),
        (
            [True, True, False, True, True, True],
            "events must lie on judged points, got one at index 2; within(where=...) leaves such "
            "points out",
        ),
    ],
)
def test_judged_must_be_one_bool_per_point(judged, message):
    with refused(message):
        Events([1], [3], 6, judged=judged)


def test_names_must_be_one_per_series():
    with refused("names must be one id per series, got 1 for 2 series"):
        Events([1], [3], 6, bounds=[0, 3, 6], names=["a"])
    assert Events([1], [3], 6, bounds=[0, 3, 6], names=["a", "b"]).names.tolist() == ["a", "b"]


def test_bounds_and_judged_may_be_lists():
    events = Events([1], [3], 6, bounds=[0, 3, 6], judged=[1, 1, 1, 1, 0, 0])
    assert (events.series_count, events.normal.tolist()) == (
        2,
        [True, *[False] * 2, True, *[False] * 2],
    )


def test_positions_that_cannot_become_an_array_are_refused_in_one_line():
    class Broken:
        def __array__(self, *_, **__):
            raise RuntimeError

    with pytest.raises(InputError, match="starts must be a column of whole numbers, got"):
        Events(Broken(), [3], 5)


def test_points_that_are_not_judged_need_no_label():
    events = Events.from_labels([0, 1, np.nan, 1], where=[1, 1, 0, 1])
    assert events.labels.tolist() == [False, True, False, True]
    with refused("labels must be 0 or 1, got nan at index 2 (1 of 4 points)" + WHERE):
        Events.from_labels([0, 1, np.nan, 1], where=[1, 0, 1, 1])
