"""Which series share a clock, and that whatever becomes of events keeps it."""

from itertools import combinations

import numpy as np
import pytest

from adjudge.data.case import Case
from adjudge.data.channels import ChannelReading, channel_cases
from adjudge.data.events import Events
from adjudge.data.shared_clock import clocked, overlapping
from adjudge.errors import InputError

HOUR = np.timedelta64(1, "h")
DAY = np.datetime64("2026-01-05T00", "s") + np.arange(24) * HOUR


def by_pairs(begin, end):
    """Join whoever overlaps by half, pair by pair, until nothing changes."""
    clock = list(range(len(begin)))
    for _ in begin:
        for a, b in combinations(range(len(begin)), 2):
            both = min(end[a], end[b]) - max(begin[a], begin[b])
            if 2 * both >= min(end[a] - begin[a], end[b] - begin[b]):
                one, other = sorted((clock[a], clock[b]))
                clock = [one if number == other else number for number in clock]
    return clock


@pytest.mark.parametrize("seed", range(40))
def test_clocks_are_connected_parts_of_overlaps(seed):
    rng = np.random.default_rng(seed)
    begin = rng.integers(0, 60, 7)
    end = begin + rng.integers(1, 20, 7)
    found, slow = overlapping(begin, end), np.array(by_pairs(begin.tolist(), end.tolist()))
    assert np.array_equal(found, np.unique(slow, return_inverse=True)[1])


def three_days():
    labels = np.zeros(72, int)
    labels[[3, 4, 40, 60]] = 1
    times = np.concatenate([DAY, DAY + 6 * HOUR, DAY + 90 * HOUR])
    return Case(labels, labels, series=np.repeat(list("abc"), 24), time=times).events


def test_series_whose_times_overlap_share_a_clock():
    assert clocked(three_days(), "auto").series_clocks.tolist() == [0, 0, 1]
    assert clocked(three_days(), "shared").series_clocks.tolist() == [0, 0, 0]
    assert clocked(three_days(), "own").series_clocks.tolist() == [0, 1, 2]
    shared = clocked(three_days(), "shared")
    assert clocked(shared, "own").clocks is None
    assert clocked(Events([1], [2], 6, bounds=[0, 3, 6]), "auto").clocks is None


def test_places_of_series_on_one_clock_have_moments():
    case = Case(clocked(three_days(), "auto"), np.zeros(72))
    moments = case.time.moments(np.array([0, 1]), np.array([6, 0]))
    assert case.clocks.tolist() == [0, 0, 1]
    assert moments[0] == moments[1]


def test_events_keep_their_clocks():
    events = clocked(three_days(), "auto")
    kept = np.arange(72) >= 24  # without the first series
    assert events.within(where=np.arange(72) % 5 > 0).clocks.tolist() == [0, 0, 1]
    assert events.chosen(kept).clocks.tolist() == [0, 1]
    assert events.timed(events.clock).clocks.tolist() == [0, 0, 1]
    assert events.within(series=np.repeat(np.arange(6), 12)).clocks is None
    assert events.part(0, 24).clocks is None


def test_clocks_are_one_per_series():
    with pytest.raises(InputError, match="one number per series, got 1 for 2"):
        Events([1], [2], 6, bounds=[0, 3, 6], clocks=[0])


def test_channels_share_the_clock_of_their_series():
    table = np.zeros((6, 2), int)
    (case,) = channel_cases(table, table, ["x", "y"], None, ChannelReading(series=list("aaabbb")))
    assert case.clocks.tolist() == [0, 1, 0, 1]
