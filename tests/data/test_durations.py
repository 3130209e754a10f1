"""Durations read back what they print."""

from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.data.durations import duration, in_words, spelt
from adjudge.data.time_settings import is_duration
from adjudge.errors import InputError


@given(st.integers(0, 2**62))
def test_a_duration_reads_back(nanoseconds):
    assert duration(spelt(nanoseconds), "tolerance") == nanoseconds


@pytest.mark.parametrize(
    ("value", "nanoseconds"),
    [
        ("10min", 600 * 10**9),
        (" 1 h 30 min ", 5400 * 10**9),
        ("0.5s", 5 * 10**8),
        ("2d", 172_800 * 10**9),
        (timedelta(minutes=10), 600 * 10**9),
        (np.timedelta64(3, "ms"), 3 * 10**6),
    ],
)
def test_durations_of_every_kind(value, nanoseconds):
    assert is_duration(value)
    assert duration(value, "tolerance") == nanoseconds


@pytest.mark.parametrize(
    "value",
    [
        "",
        "10",
        "min",
        "-1s",
        "10minutes",
        "1e3s",
        5,
        timedelta(-1),
        np.timedelta64("NaT", "ns"),
        "9" * 30 + "d",
    ],
)
def test_what_is_no_duration_is_refused(value):
    with pytest.raises(InputError, match=r"tolerance must be a duration such as '10min', .* got "):
        duration(value, "tolerance")


@pytest.mark.parametrize(
    ("nanoseconds", "words"),
    [
        (0, "0 s"),
        (59.9999e9, "1 min"),
        (3599.9e9, "1 h"),
        (86_399e9, "1 d"),
        (90e9, "1 min 30 s"),
        (-90e9, "-1 min 30 s"),
        (12.345e6, "12.35 ms"),
        (3e3, "3 us"),
        (7, "7 ns"),
        (np.nan, "undefined"),
    ],
)
def test_words_are_short(nanoseconds, words):
    assert in_words(nanoseconds) == words
