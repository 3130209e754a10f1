"""Island widths: the default is the mean event width that an anomalous point sees."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.events import Events
from adjudge.widths import default_width


def events_of(widths):
    starts = np.cumsum([0, *widths[:-1]])
    return Events(starts, starts + np.array(widths), n=sum(widths) + 1)


@pytest.mark.parametrize(
    ("widths", "expected"),
    [
        ([1], 1),
        ([7], 7),
        ([5, 5, 5], 5),
        ([1, 2], 2),  # 5 / 3
        ([1, 3], 3),  # 10 / 4
        ([10, 30], 25),  # 1000 / 40, and not a point more
        ([1, 1, 1, 1, 1, 1, 1, 1, 1, 100], 92),  # 10009 / 109
    ],
)
def test_the_default_width_is_the_mean_width_around_an_anomalous_point(widths, expected):
    assert expected == default_width(events_of(widths))


def test_without_events_the_default_width_is_one():
    assert default_width(Events.from_labels([0, 0, 0])) == 1


def test_the_default_width_depends_on_the_judged_labels_only():
    assert default_width(Events.from_labels([1, 1, 1, 1, 0], where=[1, 1, 0, 0, 1])) == 2


def test_events_in_different_series_are_different_events():
    assert default_width(Events.from_labels([1, 1, 1, 1], series=[1, 1, 2, 2])) == 2


def test_the_squares_of_wide_events_do_not_overflow():
    wide = 2**40
    assert wide == default_width(Events.from_intervals([(0, wide), (wide, 2 * wide)], n=2 * wide))


@settings(derandomize=True, deadline=None)
@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=20))
def test_the_default_width_is_exact_and_lies_between_the_widths(widths):
    found = default_width(events_of(widths))
    assert math.ceil(Fraction(sum(w * w for w in widths), sum(widths))) == found
    assert min(widths) <= found <= max(widths)
