"""Time: a column or an index of it, irregular or zoned, seen in events and receipts."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import adjudge as aj
from adjudge.errors import InputError

LABELS = [0, 0, 1, 1, 1, 0, 0, 0]
FLAGS = [0, 0, 0, 0, 1, 0, 1, 0]
MINUTES = [0, 5, 10, 31, 51, 60, 70, 71]
TIMES = pd.Timestamp("2026-03-01 10:00") + pd.to_timedelta(MINUTES, "min")


def judged(**options):
    return aj.evaluate(LABELS, FLAGS, ["f1", "f1_ba"], chance=False, **options)


def test_delays_and_events_are_said_in_time():
    (event,) = judged(time=TIMES).events
    assert (event["from"], event["to"]) == ("2026-03-01 10:10", "2026-03-01 10:51")
    assert (event["delay"], event["delay_time"], event["delay_seconds"]) == (2, "41 min", 2460)
    assert judged(time=TIMES).to_flat_dict() == judged().to_flat_dict()
    (missed,) = aj.evaluate(LABELS, [0] * 8, "f1", chance=False, time=TIMES).events
    assert missed["delay_time"] is None


def test_a_datetime_index_is_taken_as_the_time():
    scores = pd.Series(FLAGS, index=TIMES.tz_localize("Europe/Berlin"))
    (event,) = aj.evaluate(LABELS, scores, "f1", chance=False).events
    assert event["from"] == "2026-03-01 10:10+01:00"


def test_an_index_that_is_merely_there_and_does_not_increase_is_left_unused():
    scores = pd.Series(FLAGS, index=TIMES[[0, 0, *range(2, 8)]])
    (event,) = aj.evaluate(LABELS, scores, "f1", chance=False).events
    assert "from" not in event


def test_the_receipt_shows_times():
    receipt = aj.explain(LABELS, FLAGS, "f1_ba(width=3)", time=TIMES)
    assert receipt.layout().tables[0].rows == [
        ["event 2026-03-01 10:10 to 10:51", "found after 41 min, 33 % covered",
         "earns 3 of 3"],
        ["alarm 2026-03-01 11:10", "false, charged over 2026-03-01 11:00 to 11:11",
         "costs 3"],
    ]  # fmt: skip
    rows = aj.explain(LABELS, FLAGS, "f1_ba(width=3)", time=TIMES).to_dict()
    assert rows["alarms"][1]["from"] == "2026-03-01 11:10"


@pytest.mark.parametrize(
    ("times", "words"),
    [
        (
            TIMES[[0, 1, 1, 3, 4, 5, 6, 7]],
            "got 2026-03-01 10:05 again at index 2 .1 such steps.; so",
        ),
        (
            TIMES[::-1],
            "got 2026-03-01 11:10 after 2026-03-01 11:11 at index 1 .7 such steps.; sort",
        ),
        (TIMES[:5], "time must be one time per point, got 5 for 8"),
    ],
)
def test_times_that_do_not_increase_are_refused_where_time_is_used(times, words):
    with pytest.raises(InputError, match=words):
        judged(time=times)


def test_points_are_sorted_on_request():
    order = np.random.default_rng(0).permutation(8)
    for series in (None, ["a"] * 8):
        found = aj.evaluate(
            np.array(LABELS)[order],
            {"x": np.array(FLAGS)[order]},
            ["f1", "f1_ba"],
            chance=False,
            time=TIMES[order],
            where=np.ones(8),
            series=series,
            sort=True,
        )
        assert [row.value for row in found.rows] == [row.value for row in judged().rows]
        assert found.events[0]["delay_time"] == "41 min"
    with pytest.raises(InputError, match="sort=True needs time="):
        judged(sort=True)


def test_series_have_their_own_time():
    times = TIMES[[0, 1, 2, 3, 0, 1, 2, 3]]
    found = judged(time=times, series=list("aaaabbbb"))
    assert len(found.events) == 2
    with pytest.raises(InputError, match="time must be strictly increasing"):
        judged(time=times)


INDEX = pd.date_range("2026-01-01", periods=10, freq="h")


@pytest.mark.parametrize(
    ("intervals", "options"),
    [
        ([(INDEX[2], INDEX[4])], {"closed": "both"}),
        ([("2026-01-01 02:00", "2026-01-01 05:00")], {"closed": "left"}),
        ([("2026-01-01 01:30", "2026-01-01 04:10")], {"closed": "left"}),
        ([(INDEX[3], INDEX[5]), (INDEX[2], INDEX[4])], {"closed": "left", "merge": True}),
    ],
)
def test_intervals_of_time_are_placed_on_an_index(intervals, options):
    events = aj.Events.from_intervals(intervals, index=INDEX, **options)
    assert (events.starts.tolist(), events.stops.tolist(), events.n) == ([2], [5], 10)
    assert events.clock.text(2) == "2026-01-01 02:00"


def test_epoch_numbers_need_a_unit():
    seconds = np.arange(10) * 3600
    events = aj.Events.from_intervals([(7200, 18_000)], index=seconds, closed="left", unit="s")
    assert (events.starts.tolist(), events.stops.tolist()) == ([2], [5])
    with pytest.raises(InputError, match="index must be timestamps, got the number 0"):
        aj.Events.from_intervals([(7200, 18_000)], index=seconds, closed="left")


def test_positions_may_be_closed_or_merged():
    assert aj.Events.from_intervals([(2, 4)], 10, closed="both").stops.tolist() == [5]
    events = aj.Events.from_intervals([(5, 7), (2, 6)], 10, merge=True)
    assert (events.starts.tolist(), events.stops.tolist()) == ([2], [7])
    with pytest.raises(InputError, match="inside"):
        aj.Events.from_intervals([(5, 70), (2, 6)], 10, merge=True)


@pytest.mark.parametrize(
    ("intervals", "options", "words"),
    [
        ([(INDEX[2], INDEX[4])], {}, "closed must be given: 'both' if"),
        (
            [(INDEX[4], INDEX[2])],
            {"closed": "both"},
            "must have start <= end, got 2026-01-01 04:00",
        ),
        (
            [(INDEX[3], INDEX[5]), (INDEX[2], INDEX[4])],
            {"closed": "left"},
            "ascending and without overlap, got 2026-01-01 02:00 .* at index 1; merge=True sorts",
        ),
        (
            [("2026-01-01 02:10", "2026-01-01 02:20")],
            {"closed": "both"},
            "a point of the index, got 2026-01-01 02:10 to 2026-01-01 02:20",
        ),
        ([("2026-01-01 02:00Z", "2026-01-01 03:00Z")], {"closed": "both"}, "zone, or none"),
        ([INDEX[2]], {"closed": "both"}, "intervals must be pairs"),
    ],
)
def test_intervals_that_cannot_be_placed_are_refused(intervals, options, words):
    with pytest.raises(InputError, match=words):
        aj.Events.from_intervals(intervals, index=INDEX, **options)


DAY = ("2026-01-01", "2026-01-02")


def test_incidents_and_alerts_on_a_grid():
    truth = aj.Events.from_times([("2026-01-01 03:00", "2026-01-01 05:30")], span=DAY, every="1h")
    alerts = aj.Events.from_times(["2026-01-01 04:10", "2026-01-01 20:00"], span=DAY, every="1h")
    assert (truth.starts.tolist(), truth.stops.tolist(), truth.n) == ([3], [6], 24)
    assert alerts.starts.tolist() == [4, 20]
    found = aj.evaluate(truth, alerts, ["event_recall", "event_precision", "f1_ba"], chance=False)
    assert (found["event_recall"], found["event_precision"]) == (1, 0.5)
    plain = aj.evaluate(truth.labels, alerts.labels, "f1_ba", chance=False)
    assert found["f1_ba"] == plain["f1_ba"]
    assert found.events[0]["delay_time"] == "1 h"


@pytest.mark.parametrize(
    ("moments", "options", "words"),
    [
        (
            ["2026-01-03"],
            {},
            "must lie in the span from 2026-01-01 to 2026-01-02 .* got 2026-01-03",
        ),
        (["2026-01-02"], {}, "must lie in the span"),
        ([("2026-01-01 05:00", "2026-01-01 04:00")], {}, "with start <= end, got"),
        (["2026-01-01 05:00", "2026-01-01 04:00"], {}, "merge=True sorts and joins them"),
        ([], {"span": DAY[::-1]}, "span must be .start, end. with start < end"),
        ([], {"every": "1ms"}, "every must give at most 20,000,000 steps, got 86,400,000 of 1 ms"),
        ([], {"every": 5}, "every must be a duration such as '10min'"),
    ],
)
def test_moments_that_cannot_be_placed_are_refused(moments, options, words):
    with pytest.raises(InputError, match=words):
        aj.Events.from_times(moments, **{"span": DAY, "every": "1h"} | options)


def test_no_incident_is_a_quiet_span():
    events = aj.Events.from_times([], span=DAY, every="1h", merge=True)
    assert (len(events), events.n) == (0, 24)


FORMS = ("f1", "f1_ba", "event_f1", "detection_delay", "temporal_distance", "false_alarm_rate")


@settings(max_examples=30)
@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=2, max_size=20))
def test_every_form_of_time_gives_the_bits_of_plain_arrays(points):
    labels, flags = np.array(points, int).T
    times = pd.date_range("2026-01-01", periods=len(labels), freq="5min")
    edge = times[-1] + pd.Timedelta("5min")
    ends = times.append(pd.DatetimeIndex([edge]))
    span = (times[0], edge)

    def marked(column):
        return [(times[run.start], ends[run.stop]) for run in aj.Events.from_labels(column)]

    truth, alarms = marked(labels), marked(flags)
    placed = aj.Events.from_intervals(truth, index=times, closed="left")
    on_grid = (aj.Events.from_times(side, span=span, every="5min") for side in (truth, alarms))
    order = np.random.default_rng(0).permutation(len(labels))
    plain = aj.evaluate(labels, flags, FORMS, chance=False).to_flat_dict()
    for given_labels, given_flags, how in (
        (labels, flags, {"time": times}),
        (labels, pd.Series(flags, index=times.tz_localize("UTC")), {}),
        (placed, flags, {}),
        (*on_grid, {}),
        (labels[order], flags[order], {"time": times[order], "sort": True}),
    ):
        found = aj.evaluate(given_labels, given_flags, FORMS, chance=False, **how)
        np.testing.assert_equal(found.to_flat_dict(), plain)
