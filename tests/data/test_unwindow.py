"""Scores of windows as scores of points, against the obvious loop."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.data.unwindow import unwindow
from adjudge.errors import InputError

REDUCE = {"mean": np.mean, "max": np.max, "min": np.min, "last": lambda values: values[-1]}


def naive(scores, window, stride, n, reduce):
    points = [
        [s for i, s in enumerate(scores) if i * stride <= point < i * stride + window]
        for point in range(n)
    ]
    return [REDUCE[reduce](values) if values else np.nan for values in points]


@pytest.mark.parametrize("reduce", REDUCE)
@given(
    scores=st.lists(st.integers(-8, 8), min_size=1, max_size=12),
    window=st.integers(1, 6),
    stride=st.integers(1, 6),
    more=st.integers(0, 5),
)
def test_each_point_gets_what_its_windows_say(reduce, scores, window, stride, more):
    n = (len(scores) - 1) * stride + window + more
    found = unwindow(scores, window, stride, n=n, reduce=reduce)
    np.testing.assert_allclose(found, naive(scores, window, stride, n, reduce), rtol=1e-15)


@pytest.mark.parametrize(
    ("scores", "options", "words"),
    [
        ([1, 2], {"window": 0}, "window must be a whole number, at least 1, got 0"),
        ([1, 2], {"window": 2, "stride": 0}, "stride must be a whole number"),
        ([1, 2], {"window": 2, "n": 2}, "n must be at least 3, where the last of 2 windows ends"),
        ([1, np.nan], {"window": 2}, "scores must be numbers, got nan at index 1"),
        ([1, 2], {"window": 2, "reduce": "median"}, "reduce must be one of 'mean', 'max'"),
    ],
)
def test_what_cannot_be_is_refused(scores, options, words):
    with pytest.raises(InputError, match=words):
        unwindow(scores, **options)
