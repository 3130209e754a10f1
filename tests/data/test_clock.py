"""Times of every library and form give the same instants; what is none is refused with words."""

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from adjudge.data.clock import Clock, same_zone
from adjudge.errors import InputError

STAMPS = pd.date_range("2026-03-01 23:30", periods=4, freq="20min")
EXPECTED = STAMPS.to_numpy().astype("M8[ns]").astype(np.int64)

PLAIN = {
    "index": STAMPS,
    "series": pd.Series(STAMPS),
    "polars": pl.Series(STAMPS.to_pydatetime().tolist()),
    "arrow": pa.array(STAMPS),
    "chunked": pa.chunked_array([pa.array(STAMPS)]),
    "numpy": STAMPS.to_numpy(),
    "datetimes": STAMPS.to_pydatetime().tolist(),
    "text": [str(stamp) for stamp in STAMPS],
    "text with T": pd.Series([stamp.isoformat() for stamp in STAMPS]),
    "compact": [f"{stamp:%Y%m%dT%H%M%S}" for stamp in STAMPS],
    "datetime64 in a list": list(STAMPS.to_numpy()),
    "array of text": np.array([str(stamp) for stamp in STAMPS]),
}


@pytest.mark.parametrize("form", PLAIN)
def test_every_form_gives_the_same_instants(form):
    clock = Clock.read(PLAIN[form])
    assert clock.instants.tolist() == EXPECTED.tolist()
    assert clock.zone is None
    assert clock.text(3) == "2026-03-02 00:30"


ZONED = STAMPS.tz_localize("Europe/Berlin")


@pytest.mark.parametrize(
    ("values", "zone"),
    [
        (ZONED, "Europe/Berlin"),
        (pl.from_pandas(pd.Series(ZONED)), "Europe/Berlin"),
        (pa.array(ZONED), "Europe/Berlin"),
        (ZONED.to_pydatetime().tolist(), "Europe/Berlin"),
        ([stamp.isoformat() for stamp in ZONED], "+01:00"),
        ([f"{stamp:%Y%m%dT%H%M%S%z}" for stamp in ZONED], "+0100"),
        ([str(stamp.tz_convert("UTC").tz_localize(None)) + "Z" for stamp in ZONED], "UTC"),
        ([f"{stamp:%Y-%m-%d %H:%M} UTC" for stamp in ZONED.tz_convert("UTC")], "UTC"),
        (ZONED.tz_convert(dt.UTC).to_pydatetime().tolist(), "UTC"),
    ],
)
def test_zones_are_kept_and_instants_are_in_utc(values, zone):
    clock = Clock.read(values)
    expected = ZONED.tz_convert("UTC").tz_localize(None).to_numpy().astype("M8[ns]")
    assert clock.instants.tolist() == expected.astype(np.int64).tolist()
    assert clock.zone == zone
    moment = ZONED[0] if zone != "UTC" else ZONED[0].tz_convert("UTC")
    assert clock.text(0) == str(moment).replace(":00+", "+")


def test_offsets_that_differ_are_instants_all_the_same():
    clock = Clock.read(["2026-01-01 00:00+01:00", "2026-01-01 00:00+02:00"])
    assert (clock.instants[0] - clock.instants[1], clock.zone) == (3600 * 10**9, "UTC")


def test_numbers_need_a_unit():
    for values in ([1_400_000_000, 1_400_000_060], ["1400000000", "1400000060"]):
        clock = Clock.read(values, unit="s")
        assert clock.text(1) == "2014-05-13 16:54:20"
    assert Clock.read(np.array([1.4e9, 1.4e9 + 0.125]), unit="s").text(1).endswith(":20.125")
    assert Clock.read(np.array([1], np.uint8), unit="d").text(0) == "1970-01-02"
    with pytest.raises(InputError, match="time must be numbers, got 'x' at index 1"):
        Clock.read(["1", "x", "3"], unit="s")
    with pytest.raises(InputError, match=r"got the number 7; give unit='s' \(or 'ms'"):
        Clock.read([7])
    with pytest.raises(InputError, match=r"unit must be one of s, ms, us, .*, got 'weeks'"):
        Clock.read([7], unit="weeks")


def test_numbers_lose_no_digit_that_they_have():
    first = 1_700_000_000_123_456_789
    texts = [str(first + 1_000_000 * place) for place in range(4)]
    assert Clock.read(texts, unit="ns").instants.tolist() == [int(text) for text in texts]
    tenths = [f"17000000{place:02}.{place % 10}" for place in range(30)]
    expected = [int(text.replace(".", "")) * 10**8 for text in tenths]
    for values in (tenths, np.array(tenths, float)):
        assert Clock.read(values, unit="s").instants.tolist() == expected
    milli = np.array(expected, float) / 1e6  # in milliseconds, with a digit behind the point
    assert Clock.read(milli + 0.1, unit="ms").instants.tolist() == [e + 100_000 for e in expected]
    assert Clock.read(np.array([0.0, 1e-9]), unit="s").instants.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (
            ["2026-01-01", "soon"],
            "must be times such as 2026-01-31 23:59:00, got 'soon' at index 1",
        ),
        (
            ["2026-01-01 00:00", "2026-01-01 00:00Z"],
            "got 2026-01-01 00:00:00 without one at index 0 and 2026-01-01 .* with one at index 1",
        ),
        (["9999-01-01"], "must be from 1678 to 2261, got 9999-01-01T00:00:00 at index 0"),
        ([None], "must be one time per point, got None at index 0"),
        ("2026-01-01", "must be one time per point, got '2026-01-01'"),
        (np.array(["NaT"], "M8[s]"), "must have no missing times, got NaT at index 0"),
        ([pd.NaT], "must be one time per point, got NaT at index 0"),
        (np.zeros((2, 2)), r"must be one time per point, got shape \(2, 2\)"),
        ([True], "must be one time per point, got True at index 0"),
    ],
)
def test_what_is_no_time_is_refused(values, words):
    with pytest.raises(InputError, match=f"^time .*{words}"):
        Clock.read(values)


def test_anything_with_an_array_is_read_and_text_is_not_a_number():
    class Held:
        def __len__(self):
            return 4

        def __array__(self, *_, **__):
            return STAMPS.to_numpy()

    assert Clock.read(Held()).instants.tolist() == EXPECTED.tolist()
    with pytest.raises(InputError, match="got 'soon' at index 0"):
        Clock.read(["soon"], unit="s")


def test_numbers_too_far_away_are_refused():
    with pytest.raises(InputError, match=r"must be from 1824 to 2116, got 1e\+300 at index 0"):
        Clock.read([1e300], unit="s")


def test_days_seconds_and_fractions_are_said_as_finely_as_needed():
    assert Clock.read(["2026-01-01", "2026-01-02"]).text(1) == "2026-01-02"
    assert Clock.read([dt.date(2026, 1, 1)]).text(0) == "2026-01-01"
    assert Clock.read(["2026-01-01 00:00:01"]).text(0) == "2026-01-01 00:00:01"
    assert Clock.read(["2026-01-01 00:00:01.5Z"]).text(0) == "2026-01-01 00:00:01.5+00:00"
    assert Clock.read(np.empty(0, "M8[s]")).instants.size == 0


def test_times_with_and_without_zone_do_not_mix():
    plain, zoned = Clock.read(["2026-01-01"]), Clock.read(["2026-01-01 00:00Z"])
    same_zone([("a", plain), ("b", plain)])
    with pytest.raises(InputError, match="or none, got: a has none, b has UTC"):
        same_zone([("a", plain), ("b", zoned)])
