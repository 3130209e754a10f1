"""Island widths: the default is the mean event width that an anomalous point sees."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.adjust.balanced import default_width, island_width, matched_widths, safe_width
from adjudge.data.events import Events
from adjudge.errors import InputError


def events_of(widths):
    starts = np.cumsum([0, *widths[:-1]])
    return Events(starts, starts + np.array(widths), n=sum(widths) + 1)


@pytest.mark.parametrize(
    ("widths", "expected"),
    [
        ([1], 1),
        ([7], 7),
        ([5, 5, 5], 5),
        ([2], 3),  # odd, and so symmetric
        ([1, 2], 3),  # 5 / 3
        ([1, 3], 3),  # 10 / 4
        ([10, 30], 25),  # 1000 / 40, and not a point more
        ([1, 1, 1, 1, 1, 1, 1, 1, 1, 100], 93),  # 10009 / 109 is above 91
    ],
)
def test_the_default_width_is_the_mean_width_around_an_anomalous_point(widths, expected):
    assert expected == default_width(events_of(widths))


def test_without_events_the_default_width_is_one():
    assert default_width(Events.from_labels([0, 0, 0])) == 1


def test_the_default_width_depends_on_the_judged_labels_only():
    assert default_width(Events.from_labels([1, 1, 1, 1, 0], where=[1, 1, 0, 0, 1])) == 3


def test_events_in_different_series_are_different_events():
    assert default_width(Events.from_labels([1, 1, 1, 1], series=[1, 1, 2, 2])) == 3


def test_the_squares_of_wide_events_do_not_overflow():
    wide = 2**40
    events = Events.from_intervals([(0, wide), (wide, 2 * wide)], n=2 * wide)
    assert wide + 1 == default_width(events)


@settings(derandomize=True, deadline=None)
@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=20))
def test_the_default_width_is_exact_and_lies_between_the_widths(widths):
    found = default_width(events_of(widths))
    ratio = Fraction(sum(w * w for w in widths), sum(widths))
    assert found % 2 == 1
    assert found - 2 < ratio <= found
    assert min(widths) <= found <= max(widths) + 1


def placed(widths, rate):
    """Events of these widths, side by side, among so much normal time."""
    starts = np.cumsum([0, *widths[:-1]])
    return Events(starts, starts + np.array(widths), n=round(sum(widths) / rate))


def brute_force(widths, rate, width):
    """The largest factor on a fine grid of thresholds, and the smallest safe width there."""
    s = np.array(widths, float)[:, np.newaxis]
    x = s / s.sum()
    rarity = np.exp(np.linspace(np.log(1e-4 / s.max()), np.log(600 / s.min()), 30_001))
    found, marked = (x * -np.expm1(-s * rarity)).sum(0), -np.expm1(-width * rarity)
    factor = (1 + rate) * found / (rate + rate * found + (1 - rate) * marked)
    missed = np.log((x * np.exp(-(s - s.min()) * rarity)).sum(0) / (1 - rate))
    return max(1.0, factor.max()), max(s.min(), (s.min() - missed / rarity).max())


TABLE = [  # widths, w*, and (width, factor) for the least, median, mean and squared mean width
    ([10, 30, 60, 200, 15], 105.8, [(10, 2.92), (30, 1.91), (63, 1.32), (142.3, 1.0)]),
    ([5] * 20 + [500], 323.2, [(5, 4.25), (5, 4.25), (28.6, 2.99), (417.5, 1.0)]),
    ([50, 60, 70, 80], 61.8, [(50, 1.09), (65, 1.0), (65, 1.0), (66.9, 1.0)]),
]


@pytest.mark.parametrize(("widths", "safe", "factors"), TABLE)
def test_the_table_of_mixed_widths_at_a_tenth_of_anomalous_points(widths, safe, factors):
    events = placed(widths, 0.1)
    assert math.ceil(safe) == safe_width(events)
    for width, factor in factors:
        exact, least = brute_force(widths, 0.1, width)
        assert factor == round(exact, 2)
        assert safe == round(least, 1)


@settings(derandomize=True, deadline=None, max_examples=60)
@given(
    st.lists(st.integers(1, 300), min_size=1, max_size=8),
    st.sampled_from([0.001, 0.05, 0.3, 0.7, 0.95]),
)
def test_the_safe_width_equals_a_fine_grid(widths, rate):
    events = placed(widths, rate)
    rate = sum(widths) / events.n
    if rate == 1:
        assert safe_width(events) == 1
        return
    _, least = brute_force(widths, rate, 1)
    assert 0 <= safe_width(events) - least < 1 + 1e-6
    assert min(widths) <= safe_width(events) <= default_width(events)


@pytest.mark.parametrize("width", [1, 2, 7, 20])
@pytest.mark.parametrize("rate", [0.001, 0.05, 0.3])
def test_with_equal_widths_that_width_is_safe_and_one_less_is_not(width, rate):
    events = placed([width] * 30, rate)
    assert width == safe_width(events)
    rate = 30 * width / events.n
    assert brute_force([width] * 30, rate, width)[0] == pytest.approx(1)
    assert width == 1 or brute_force([width] * 30, rate, width - 1)[0] > 1


def test_noise_gains_nothing_at_the_safe_and_at_the_default_width():
    rng = np.random.default_rng(0)
    for _ in range(20):
        widths = rng.integers(1, 500, 9).tolist()
        events = placed(widths, rng.uniform(0.01, 0.9))
        for width in (safe_width(events), default_width(events)):
            assert brute_force(widths, sum(widths) / events.n, width)[0] == pytest.approx(1)


@pytest.mark.parametrize("labels", [[0, 0, 0], [1, 1, 1]])
def test_without_events_or_without_normal_points_the_safe_width_is_one(labels):
    events = Events.from_labels(labels)
    assert safe_width(events) == 1


def test_points_that_are_not_judged_do_not_count_as_normal_time():
    labels, where = [1, 1, 0, 1, 1, 1, 1, 0, 0, 0], [1] * 8 + [0, 0]
    judged = Events.from_labels(labels, where=where)
    assert safe_width(Events.from_labels(labels[:8])) == safe_width(judged)
    assert safe_width(judged) != safe_width(Events.from_labels(labels))


def test_matched_widths_keep_every_anomalous_point():
    rng = np.random.default_rng(1)
    for most in (3, 17, 400):
        widths = rng.integers(1, most, 1000)
        found = matched_widths(placed(widths.tolist(), 0.1))
        assert sum(widths) == sum(mass for mass, _ in found)
        assert len(found) == min(16, len({width for _, width in found}))
        assert [width for _, width in found] == sorted(width for _, width in found)
        mean = sum(mass * width for mass, width in found) / sum(widths)
        assert mean == pytest.approx(sum(widths**2) / sum(widths), abs=0.5)


def test_grouped_widths_lie_within_a_sixteenth_of_the_range_of_ratios():
    widths = list(range(1, 1001))
    found = [width for _, width in matched_widths(placed(widths, 0.1))]
    step = 1000 ** (1 / 16)
    assert all(min(abs(math.log(w / f)) for f in found) <= math.log(step) + 0.5 / w for w in widths)


def test_a_mixture_of_widths_is_no_single_width():
    message = "width must be a"
    with pytest.raises(InputError, match=message):
        island_width("matched", events_of([3]))
