"""The quality around events: whose a far alarm is, by hand and against the slow twin."""

import numpy as np
import pytest

import adjudge as aj
from count.naive_quality import qualities
from values import filled

LABELS = filled(40, (4, 6), (27, 30))
"""Two events with unlike surroundings: the middle between their near zones is 16.5."""


@pytest.mark.parametrize("version", ["2026-05", "2026-03"])
def test_a_far_alarm_belongs_to_the_event_on_the_side_of_its_longer_part(version):
    """In the first version a whole run, in the second each part; the earlier event has ties."""
    metric = aj.sdqe(near=2, version=version)
    for start in range(8, 25):
        for stop in range(start + 1, 26):
            flags = filled(40, (4, 6), (start, stop), (27, 30))
            slow = qualities(LABELS.tolist(), flags.tolist(), near=2, old=version == "2026-03")
            assert metric(LABELS, flags) == pytest.approx(sum(slow) / 2, abs=1e-12)
            truth = aj.explain(LABELS, flags, metric).truth
            assert truth.credit.tolist() == pytest.approx(slow, abs=1e-12)


@pytest.mark.parametrize("scale", [1e-308, 1e-310, 5e-324, 3.0, 1.7e308])
@pytest.mark.parametrize("thresholds", [None, 100])
def test_scores_of_any_size_are_brought_to_the_same_scale(scale, thresholds):
    labels, scores = [0, 0, 1, 1, 0, 0], np.array([0, 0, 0, 1, 1, 0])
    metric = aj.dqe(near=2, thresholds=thresholds)
    assert metric(labels, scores * scale) == metric(labels, scores) > 0.9
    assert metric(labels, np.where(scores, scale, -scale)) == metric(labels, scores)
    assert metric(labels, np.full(6, scale)) == 0
