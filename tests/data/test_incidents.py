"""Tables of incidents and alerts: every form of input, and what is refused, with its row."""

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import adjudge as aj
from adjudge.data.incidents import OPEN, TimedRows, services_of
from adjudge.data.watched import Stretches, WatchedTime, ends_of, read_span, read_stretches
from adjudge.data.written_times import read_times
from adjudge.errors import InputError

STARTS = ["2026-03-14 02:10", "2026-03-20 08:00"]
ENDS = ["2026-03-14 03:00", None]
EXPECTED = pd.to_datetime(STARTS).to_numpy().astype("M8[ns]").astype(np.int64).tolist()


@pytest.mark.parametrize(
    "starts",
    [
        STARTS,
        pd.Series(pd.to_datetime(STARTS)),
        pd.to_datetime(STARTS),
        pd.to_datetime(STARTS).to_numpy(),
        pl.Series(pd.to_datetime(STARTS).to_pydatetime().tolist()),
        pa.array(pd.to_datetime(STARTS)),
        pd.to_datetime(STARTS).to_pydatetime().tolist(),
        np.array(STARTS),
    ],
)
def test_times_of_every_library(starts):
    found = aj.Incidents(starts, ENDS)
    assert found.start.tolist() == EXPECTED
    assert found.open.tolist() == [False, True]
    assert found.end[1] == OPEN


def test_a_table_has_its_columns_taken_by_their_usual_names():
    frame = pd.DataFrame(
        {"ID": [7, 8], "start": STARTS, "end": ENDS, "service": ["api", None], "rule": ["x", "y"],
         "confidence": [0.5, 0.25]}
    )  # fmt: skip
    for table in (frame, pl.from_pandas(frame), frame.to_dict("list")):
        found = aj.Incidents(table)
        assert found.id.tolist() == ["7", "8"]
        assert found.service.tolist() == ["api", ""]
        assert found.kind.tolist() == ["x", "y"]
        assert found.score.tolist() == [0.5, 0.25]
    assert aj.Incidents(frame, kind=["p", "q"]).kind.tolist() == ["p", "q"]
    assert repr(found) == "Incidents(2 from 2026-03-14 02:10 to 2026-03-20 08:00, 1 open)"
    assert repr(aj.Alerts([])) == "Alerts(none)"
    assert repr(aj.Alerts([3, 9])) == "Alerts(2 from point 3 to point 9)"


def test_points_epochs_and_moments():
    assert aj.Alerts([5, 9], [6, None]).is_in_points
    found = aj.Alerts([1_700_000_000, 1_700_000_060], unit="s")
    assert not found.is_in_points
    assert found.start.tolist() == [1_700_000_000 * 10**9, 1_700_000_060 * 10**9]
    assert found.stops(0).tolist() == (found.start + 1).tolist()
    assert found.instant_text(found.start[0]) == "2023-11-14 22:13:20"


def test_some_rows_and_no_services():
    found = aj.Alerts([1, 2, 3], service=["a", "b", "a"], score=[0.1, 0.2, 0.3])
    part = found.chosen(found.service == "a")
    assert (part.start.tolist(), part.score.tolist()) == ([1, 3], [0.1, 0.3])
    assert part.without_services().place.tolist() == ["", ""]
    assert services_of(found, None, TimedRows([1], [2], service=["*"])) == ["a", "b"]
    assert aj.Alerts([4, 4, 4]).equal_rows == 2


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (
            lambda: aj.Incidents([5], [3]),
            "must end after they start, got point 5 to point 3 in row",
        ),
        (
            lambda: aj.Incidents(STARTS, STARTS),
            "have a length, got 2026-03-14 02:10 alone in row 1",
        ),
        (
            lambda: aj.Incidents([1, 1], [2, 2], id=["a"] * 2),
            "got id 'a' with the same times in rows",
        ),
        (lambda: aj.Incidents([1, 2], [3]), "end must be one per start, got 1 for 2 incidents"),
        (lambda: aj.Incidents(pd.DataFrame({"when": [1]})), "must have a column start or times"),
        (
            lambda: aj.Incidents({"start": [1]}, [2]),
            "start is a whole table",
        ),
        (lambda: aj.Alerts("2026-01-01"), "start must be a column of times, got '2026-01-01'"),
        (lambda: aj.Alerts([1], ["2026-01-01"]), "must be whole numbers"),
        (lambda: aj.Alerts([2**62]), "start must be positions among points"),
        (lambda: aj.Alerts([1, 2], service=["a"]), "service must be one per row, got 1 for 2 rows"),
        (lambda: aj.Alerts([1, 2], score=[0.5]), "score must be one number per row, got 1 for 2"),
        (lambda: aj.Alerts([1], score=[np.nan]), "score must be a number, got nan at index 0"),
        (lambda: aj.Alerts(STARTS, ambiguous="last"), "ambiguous must be"),
        (
            lambda: aj.Incidents(["2026-03-16T09:10:00+01:00"], ["2026-03-16T10:05:00"]),
            "got start with one and end without, in row 1",
        ),
        (
            lambda: aj.Incidents(["2026-03-16T09:10:00"], ["2026-03-16T10:05:00Z"]),
            "got end with one and start without, in row 1",
        ),
        (lambda: aj.Incidents(["2026-03-17"], ["n/a"]), "end must be times such as"),
    ],
)
def test_what_cannot_be_is_refused_with_its_row(build, words):
    with pytest.raises(InputError) as refused:
        build()
    assert words in str(refused.value)


def test_open_ends_are_written_in_many_ways():
    ends = ["", "NaT", "null", "0001-01-01T00:00:00Z", None, pd.NaT, float("nan")]
    found = aj.Incidents(["2026-03-16T10:05:00Z"] * 7, ends)
    assert found.open.all()
    assert found.until(0).tolist() == found.start.tolist()


def test_offsets_are_instants_mixed_or_not():
    mixed = aj.Incidents(["2026-03-29T01:30:00+01:00"], ["2026-03-29T03:20:00+02:00"])
    assert int(mixed.end[0] - mixed.start[0]) == 50 * 60 * 10**9
    column = aj.Alerts(["2026-03-28T12:00:00+01:00", "2026-03-29T12:00:00+02:00"])
    assert column.instant_text(column.start[0]) == "2026-03-28 11:00+00:00"
    berlin = aj.Alerts(["2026-03-28T12:00:00+01:00"], tz="Europe/Berlin")
    assert berlin.instant_text(berlin.start[0]) == "2026-03-28 12:00+01:00"


def test_local_times_of_the_hour_that_comes_twice():
    def length(which):
        found = aj.Incidents(
            ["25.10.2026 02:10"], ["25.10.2026 02:40"], tz="Europe/Berlin", ambiguous=which
        )
        return int(found.end[0] - found.start[0]) // (60 * 10**9)

    assert [length(which) for which in ("first", "second", "widest")] == [30, 30, 90]
    with pytest.raises(InputError, match=r"got 2026-10-25 02:10 in row 1, which"):
        length(None)
    with pytest.raises(InputError, match="got 2026-03-29 02:30 in row 1, which the clock skipped"):
        aj.Alerts(["2026-03-29 02:30"], tz="Europe/Berlin")
    with pytest.raises(InputError, match="tz must be the name of a time zone"):
        aj.Alerts(["2026-03-29 02:30"], tz="Mars/Olympus")


@pytest.mark.parametrize(
    "text",
    [
        "14.03.2026 09:30", "2026/03/14 09:30", "2026.03.14 09:30:00", "14/03/2026 09:30",
        "03/14/2026 09:30 AM", "14-03-2026 09:30", "14 Mar 2026, 09:30", "Mar 14, 2026 9:30 AM",
        "14 March 2026 09:30", "2026-03-14T09:30",
    ],
)  # fmt: skip
def test_dates_of_many_countries(text):
    assert (
        read_times([text], "start")
        .instant_text(read_times([text], "start").instants[0])
        .startswith("2026-03-14 09:30")
    )


def test_day_and_month_that_cannot_be_told_apart_are_refused():
    with pytest.raises(
        InputError, match=r"got '03/04/2026 10:00', which may be 3 April or 4 March"
    ):
        aj.Alerts(["03/04/2026 10:00"])
    told = aj.Alerts(["03/04/2026 10:00"], time_format="%m/%d/%Y %H:%M")
    assert told.instant_text(told.start[0]) == "2026-03-04 10:00"
    assert read_times(["03/03/2026"], "start").text(0) == "2026-03-03"  # either way the same day


def test_stretches():
    long = Stretches(np.array([0, 10]), np.array([5, 20]))
    assert long.holds(np.array([-1, 0, 4, 5, 10, 20])).tolist() == [
        False, True, True, False, True, False,
    ]  # fmt: skip
    assert long.without(Stretches(np.array([3]), np.array([12]))).starts.tolist() == [0, 12]
    assert long.length == 15


def test_watched_time_of_services():
    dark = TimedRows([5, 8], [10, 9], service=["a", "*"])
    eyes = TimedRows([0], [18])
    watched = WatchedTime.over((0, 20), ["a", "b"], eyes, dark)
    assert {name: part.length for name, part in watched.parts.items()} == {"a": 13, "b": 17}
    assert (watched.team.length, watched.length) == (17, 30)


def test_spans_and_outages_must_fit():
    like = aj.Incidents(STARTS, ENDS)
    assert ends_of(read_span(("2026-03-01", "2026-04-01")), like)[0] < like.start[0]
    pairs = read_stretches([("2026-03-01", "2026-03-02")], like, "outages")
    assert len(pairs) == 1
    assert read_stretches(None, like, "outages") is None
    assert read_stretches(pairs, like, "outages") is pairs
    frame = pd.DataFrame({"start": [dt.date(2026, 3, 1)], "end": [dt.date(2026, 3, 2)]})
    assert len(read_stretches(frame, like, "watched")) == 1
    for wrong, words in (
        (("2026-03-01T00:00Z", "2026-04-01T00:00Z"), "the incidents"),
        ((0, 10), "span must be times as the incidents are, got points"),
        ("2026", r"span must be a pair \(start, end\), got '2026'"),
        (("2026-03-02", "2026-03-01"), "start < end, got 2026-03-02 to 2026-03-01"),
    ):
        with pytest.raises(InputError, match=words):
            ends_of(read_span(wrong), like)
