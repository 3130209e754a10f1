"""The ALARM score: every pattern of flags around two events, against the slow twin."""

from itertools import product

import pytest

import adjudge as aj
from count import naive_matching


@pytest.mark.parametrize("series", [None, [0] * 4 + [1] * 4])
def test_every_pattern_of_flags_equals_the_slow_twin(series):
    labels = [0, 1, 1, 1, 0, 0, 1, 0]
    for flags in product([0, 1], repeat=8):
        expected = naive_matching.alarm(labels, list(flags), series, None)
        assert expected == pytest.approx(aj.alarm(labels, flags, series=series)), flags
