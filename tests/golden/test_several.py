"""Every recorded value for channels, annotators, control and EEG: equal, or explained."""

import math
from collections import Counter

import pytest

from golden.several import NOT_HERE, TRAPEZOIDS, UNDEFINED, compared


def same(ours, theirs, tolerance=1e-8):
    return abs(ours - theirs) <= tolerance or (math.isnan(ours) and math.isnan(theirs))


@pytest.mark.long
def test_every_value_is_equal_or_explained():
    told, equal, absent = Counter(), 0, 0
    for case, call, ours, theirs, reason in compared():
        if reason == NOT_HERE:
            absent += 1
            continue
        if same(ours, theirs, 1e-6 if ".AFF_" in call else 1e-8):
            equal += 1
            continue
        assert reason is not None, (case, call, ours, theirs)
        if reason == UNDEFINED:
            assert math.isnan(ours) or math.isnan(theirs), (case, call, ours, theirs)
        if reason == TRAPEZOIDS:
            assert same(ours, theirs, 0.0025), (case, call, ours, theirs)
        told[reason] += 1
    assert (equal, sum(told.values()), absent) == (4517, 189, 138)  # as docs/conformance.md says
