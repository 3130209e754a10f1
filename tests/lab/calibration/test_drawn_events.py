"""Drawn events: pieces cover everything, and labels and scores stay together."""

import numpy as np
import pytest

import adjudge as aj
from adjudge.lab.calibration.drawn_events import judged_alone, pieces_of
from lab.calibration import naive_versions as naive

EVENTS = aj.Events([0, 9, 20, 31], [3, 10, 26, 33], 40)


def test_a_piece_is_an_event_with_half_of_the_normal_time_around_it():
    found = pieces_of(EVENTS)
    pairs = list(zip(found.starts.tolist(), found.stops.tolist(), strict=True))
    assert pairs == naive.pieces(EVENTS.starts.tolist(), EVENTS.stops.tolist(), 40)
    for start, stop in pairs:
        assert np.count_nonzero((EVENTS.starts >= start) & (EVENTS.stops <= stop)) == 1


@pytest.mark.parametrize("seed", range(20))
def test_labels_and_scores_are_drawn_together(seed):
    for bounds in (None, [0, 9, 20, 40]):
        events = aj.Events(EVENTS.starts, EVENTS.stops, 40, bounds=bounds)
        pieces = pieces_of(events)
        drawn = pieces.draw(np.random.default_rng(seed))
        assert drawn.events.n == drawn.points.size
        assert (drawn.events.labels == events.labels[drawn.points]).all()
        widths = dict(zip(events.starts.tolist(), events.widths.tolist(), strict=True))
        firsts = drawn.points[drawn.events.starts].tolist()
        assert [widths[first] for first in firsts] == drawn.events.widths.tolist()
        if bounds is None:
            assert len(drawn.events) == 4
            assert len(drawn.events.series_bounds) == 2
        else:
            sizes = np.diff(drawn.events.series_bounds)
            assert set(sizes.tolist()) <= {9, 11, 20}
            assert len(sizes) == 3


@pytest.mark.parametrize("seed", range(10))
def test_groups_are_drawn_whole_and_no_event_is_cut(seed):
    groups = np.arange(40) // 10  # the event [20, 26) begins one, [9, 10) ends another
    events = aj.Events([5, 18, 31], [12, 26, 33], 40)
    pieces = pieces_of(events, groups=groups)
    assert pieces.kind == "dataset"
    assert pieces.starts.tolist() == [0, 12, 26, 30]
    drawn = pieces.draw(np.random.default_rng(seed))
    assert (drawn.events.labels == events.labels[drawn.points]).all()
    assert set(drawn.events.widths.tolist()) <= {7, 8, 2}
    for unit in range(4):
        own = drawn.points[drawn.unit == unit]
        assert (own[0], own[-1] + 1) in {(0, 12), (12, 26), (26, 30), (30, 40)}


def test_data_sets_of_several_series_are_drawn_with_all_of_them():
    events = aj.Events([1, 5, 9, 13], [2, 6, 10, 14], 16, bounds=[0, 4, 8, 12, 16])
    pieces = pieces_of(events, groups=np.repeat([0, 1, 0, 1], 4))
    assert pieces.unit.tolist() == [0, 1, 0, 1]
    drawn = pieces.draw(np.random.default_rng(0))
    assert drawn.events.series_count == 4
    assert [sorted(set(drawn.points[drawn.unit == unit] // 4)) for unit in (0, 1)] in (
        [[0, 2], [0, 2]], [[1, 3], [1, 3]], [[0, 2], [1, 3]], [[1, 3], [0, 2]],
    )  # fmt: skip


def test_events_of_several_series_are_drawn_one_by_one_where_that_is_asked():
    events = aj.Events([1, 5, 9], [2, 6, 10], 16, bounds=[0, 8, 12, 16])
    pieces = pieces_of(events, "event")
    assert pieces.starts.tolist() == [0, 3, 8, 12]
    assert pieces.stops.tolist() == [3, 8, 12, 16]  # the last series has no event


def test_every_piece_is_drawn_and_with_replacement():
    rng, pieces = np.random.default_rng(1), pieces_of(EVENTS)
    firsts = [frozenset(d.points[d.events.starts].tolist()) for d in map(pieces.draw, [rng] * 50)]
    assert frozenset.union(*firsts) == {0, 9, 20, 31}
    assert min(map(len, firsts)) < 4


def test_points_that_are_not_judged_go():
    judged = np.ones(40, bool)
    judged[[10, 11, 12, 38, 39]] = False
    judged[22:24] = False
    events = EVENTS.within(where=judged)
    alone, points = judged_alone(events)
    assert points.tolist() == np.flatnonzero(judged).tolist()
    assert (alone.labels == events.labels[judged]).all()
    assert alone.n == 33
    assert len(alone) == 5  # one event is parted by what is not judged, and stays so


def test_a_series_of_which_nothing_is_judged_goes():
    events = aj.Events([1], [2], 6, bounds=[0, 2, 4, 6], judged=[1, 1, 0, 0, 1, 0])
    alone, points = judged_alone(events)
    assert alone.series_bounds.tolist() == [0, 2, 3]
    assert points.tolist() == [0, 1, 4]
    assert judged_alone(EVENTS)[0] is EVENTS
