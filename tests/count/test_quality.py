"""The quality around events: whose a far alarm is, by hand and against the slow twin."""

import numpy as np
import pytest

import adjudge as aj
from adjudge.count import detection_quality
from adjudge.count.detection_quality import Quality, zones
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


@pytest.mark.parametrize("version", ["2026-05", "2026-03"])
def test_all_levels_at_once_are_each_level_by_itself(version):
    """Also where the line between two far zones parts a point, and in several series."""
    rng, counting = np.random.default_rng(5), Quality(1, version)
    for trial in range(300):
        widths = rng.choice([1, 3, 9, 11], int(rng.integers(1, 14)))
        labels = np.repeat(np.arange(widths.size) % 2, widths)
        scores = np.where(rng.random(labels.size) < 0.15, rng.integers(1, 5, labels.size), labels)
        events = aj.Events.from_labels(labels, series=np.arange(labels.size) // (9 + trial))
        around, levels = zones(events, 1), np.unique(scores)
        each = [counting.of_events(scores >= level, events, around).sum() for level in levels]
        sums = counting.sums_of_levels(scores, events, around, levels)
        assert sums == pytest.approx(each, rel=1e-12)


def test_events_are_looked_at_some_at_a_time(monkeypatch):
    rng = np.random.default_rng(6)
    labels, scores = np.arange(300) % 40 < 5, rng.random(300)
    metric = aj.dqe(near=4, thresholds=None)
    whole = metric(labels, scores)
    monkeypatch.setattr(detection_quality, "_CELLS", 0)
    assert metric(labels, scores) == pytest.approx(whole, rel=1e-12)
