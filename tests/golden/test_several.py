"""Every recorded value for channels, annotators, control and EEG: equal, or explained."""

import math
from collections import Counter

import pytest

from golden.several import TRAPEZOIDS, UNDEFINED, compared


def same(ours, theirs, tolerance=1e-8):
    return abs(ours - theirs) <= tolerance or (math.isnan(ours) and math.isnan(theirs))


@pytest.mark.long
def test_every_value_is_equal_or_explained():
    told, equal = Counter(), 0
    for case, call, ours, theirs, reason in compared():
        if same(ours, theirs):
            equal += 1
            continue
        assert reason is not None, (case, call, ours, theirs)
        if reason == UNDEFINED:
            assert math.isnan(ours) or math.isnan(theirs), (case, call, ours, theirs)
        if reason == TRAPEZOIDS:
            assert same(ours, theirs, 0.0025), (case, call, ours, theirs)
        told[reason] += 1
    assert (equal, sum(told.values())) == (1843, 104)  # as docs/conformance.md says
