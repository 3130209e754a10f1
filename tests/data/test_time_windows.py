"""Windows of time against their definition, on clocks that are even and on clocks that are not."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from adjudge.data.case import Case
from adjudge.data.windows import at_least_apart, earliest, max_within, past_first, past_latest


@st.composite
def timed(draw):
    """Two series with steps of two to four minutes, values, and a reach in minutes."""
    steps = [draw(st.lists(st.integers(2, 4), min_size=1, max_size=8)) for _ in range(2)]
    minutes = np.concatenate([np.cumsum(part) for part in steps])
    n = minutes.size
    labels = draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))
    series = np.repeat([0, 1], [len(part) for part in steps])
    times = np.datetime64("2026-01-01T00:00", "m") + minutes
    case = Case(labels, labels, series=series, time=times)
    values = np.array(draw(st.lists(st.integers(0, 9), min_size=n, max_size=n)))
    return case.events, minutes, series, values, draw(st.integers(0, 9))


def pairs(minutes, series):
    """For each point the points of its series, and how much later they are."""
    for place in range(minutes.size):
        own = np.flatnonzero(series == series[place])
        yield own, minutes[own] - minutes[place]


@given(timed())
def test_windows_are_what_lies_in_that_time(case):
    events, minutes, series, values, reach = case
    text, points = f"{reach}min", np.arange(minutes.size)
    first, stop, early = (
        look(points, text, events) for look in (earliest, past_latest, past_first)
    )
    highest = max_within(values, text, events)
    for place, (own, later) in enumerate(pairs(minutes, series)):
        assert first[place] == own[later >= -reach].min()
        assert stop[place] == own[later <= reach].max() + 1
        near = own[(later >= 0) & (later < reach)]
        assert early[place] == (near.max() + 1 if near.size else place)
        assert highest[place] == values[own[np.abs(later) <= reach]].max()


@given(timed())
def test_numbers_are_points(case):
    events, _, series, values, reach = case
    points = np.arange(series.size)
    highest = max_within(values, reach, events)
    first, stop, early = (
        look(points, reach, events) for look in (earliest, past_latest, past_first)
    )
    for place in points:
        own = np.flatnonzero(series == series[place])
        assert first[place] == own[own >= place - reach].min()
        assert stop[place] == own[own <= place + reach].max() + 1
        assert early[place] == min(place + reach, own.max() + 1)
        assert highest[place] == values[own[np.abs(own - place) <= reach]].max()


def test_gaps_are_from_the_first_point_after_to_the_next_start():
    events = Case([0] * 4, [0] * 4, time=np.array([0, 10, 11, 12], "M8[m]")).events
    stops, starts = np.array([0, 1]), np.array([1, 3])
    assert at_least_apart(stops, starts, 2, events).tolist() == [False, True]
    assert at_least_apart(stops, starts, "10min", events).tolist() == [True, False]


def test_a_reach_of_a_century_does_not_wrap_around():
    events = Case([0, 0], [0, 1], time=np.array(["2150-01-01", "2261-01-01"], "M8[D]")).events
    assert max_within(np.array([1, 2]), "40000d", events).tolist() == [1, 2]
    assert max_within(np.array([1, 2]), "53000d", events).tolist() == [2, 2]
