"""Which points lie in which interval, against the obvious loop."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.data.interval_reading import merged, positions
from adjudge.errors import InputError

MARKS = st.lists(st.integers(0, 20), min_size=1, max_size=8, unique=True).map(sorted)
PAIRS = st.lists(st.tuples(st.integers(0, 20), st.integers(1, 5)), max_size=6)


@given(MARKS, PAIRS, st.sampled_from(["both", "left"]))
def test_points_inside_are_found(index, pairs, closed):
    starts = np.array([a for a, _ in pairs], int)
    stops = np.array([a + width for a, width in pairs], int)
    found = zip(*positions(np.array(index), starts, stops, closed), strict=True)
    for (a, width), (first, stop) in zip(pairs, found, strict=True):
        end = a + width
        inside = [i for i, t in enumerate(index) if a <= t < end or (closed == "both" and t == end)]
        assert list(range(first, stop)) == inside


@given(PAIRS)
def test_merged_intervals_cover_the_same_points_and_never_touch(pairs):
    starts = np.array([a for a, _ in pairs], int)
    stops = np.array([a + width for a, width in pairs], int)
    covered = {t for a, width in pairs for t in range(a, a + width)}
    one, other = merged(starts, stops)
    assert covered == {t for a, b in zip(one, other, strict=True) for t in range(a, b)}
    assert np.all(one[1:] > other[:-1])


@pytest.mark.parametrize(
    ("closed", "words"),
    [
        ("both", "intervals must have start <= end, got 5 to 4 at index 0"),
        ("left", "intervals must have start < end, got 5 to 4 at index 0"),
        ("right", "closed must be one of 'both', 'left', got 'right'"),
    ],
)
def test_intervals_the_wrong_way_round_are_refused(closed, words):
    with pytest.raises(InputError, match=words):
        positions(np.arange(9), np.array([5]), np.array([4]), closed)
