"""Blind versions: each keeps and breaks what it says, and none still lies on the events."""

import numpy as np
import pytest

from adjudge.lab.calibration import blind_versions
from adjudge.lab.calibration.blind_versions import KINDS, Places, blind_order, kinds_for
from lab.calibration import naive_versions as naive

SIZES = (1, 2, 3, 7, 40, 97, 400)


def places(sizes, reach=5, labels=None, period=0):
    bounds = np.concatenate([[0], np.cumsum(sizes)])
    labels = np.arange(bounds[-1]) == 0 if labels is None else np.asarray(labels, bool)
    return Places(bounds, reach, labels, period)


def orders(kind, where, count=40):
    rng = np.random.default_rng(3)
    return [KINDS[kind].order(where, rng) for _ in range(count)]


@pytest.mark.parametrize("kind", ["shifted", "reversed", "blocks", "nearby", "whole periods"])
def test_scores_stay_in_their_series_and_none_is_lost(kind):
    where = places(SIZES, period=4)
    for order in orders(kind, where):
        for first, stop in zip(where.bounds[:-1], where.bounds[1:], strict=True):
            own = order[first:stop]
            assert own.min() >= first
            assert own.max() < stop
            if kind != "whole periods" or (stop - first) % 4 == 0:
                assert sorted(own) == list(range(first, stop))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("reach", [0, 3, 30])
def test_a_shift_is_one_by_more_than_the_reach(size, reach):
    home = min(reach, size // 4)
    seen = set()
    for order in orders("shifted", places([size], reach)):
        (by,) = {by % size for by in range(size + 1) if naive.shift(size, by) == order.tolist()}
        assert home <= by <= size - home or (home == 0 and by == 0)
        seen.add(by)
    assert len(seen) > min(size // 4, 10) - 1


def test_a_version_nearby_moves_either_way_by_up_to_a_tenth():
    moves = set()
    for order in orders("nearby", places([400], 5), 200):
        (by,) = [by for by in range(-40, 41) if naive.shift(400, by) == order.tolist()]
        moves.add(by)
    assert {abs(by) for by in moves} <= set(range(5, 41))
    assert min(moves) < -30
    assert max(moves) > 30


@pytest.mark.parametrize("size", SIZES)
def test_a_reversed_version_reads_backwards_from_somewhere(size):
    every = [naive.backwards(size, first) for first in range(size)]
    assert all(order.tolist() in every for order in orders("reversed", places([size])))


@pytest.mark.parametrize("size", [12, 13, 50])
def test_whole_periods_keep_the_hour(size):
    for order in orders("whole periods", places([size], period=4)):
        every = [naive.by_periods(size, 4, k) for k in range(1, size // 4)]
        assert order.tolist() in every
        assert all(moved % 4 == t % 4 for t, moved in enumerate(order))
    alone = orders("whole periods", places([7], period=4))
    assert all(order.tolist() == list(range(7)) for order in alone)  # there is no other day


def test_blocks_keep_neighbours_but_at_their_borders():
    for order in orders("blocks", places([400], 9)):
        apart = np.flatnonzero(np.diff(order) % 400 != 1).size
        assert apart <= 20
        assert apart >= 1 or (np.diff(order) % 400 == 1).all()


def test_other_series_keep_the_place_in_the_series():
    where = places([6, 4, 9, 5, 1])
    for order in orders("other series", where):
        given = []
        for first, stop in zip(where.bounds[:-1], where.bounds[1:], strict=True):
            source = int(np.searchsorted(where.bounds, order[first], side="right")) - 1
            begin, size = where.bounds[source], where.sizes[source]
            assert order[first:stop].tolist() == [begin + t % size for t in range(stop - first)]
            assert begin != first
            given.append(source)
        assert sorted(given) == list(range(5))


def test_an_order_is_blind_where_few_anomalous_points_move_onto_anomalous_ones():
    rng = np.random.default_rng(8)
    for _ in range(200):
        labels = rng.random(60) < rng.uniform(0.05, 0.6)
        labels[0] = True
        order = rng.permutation(60)
        share = labels.mean()
        onto = naive.moved_onto(labels.tolist(), order.tolist())
        blind = (onto - share) / (1 - share) < 0.5 if share < 1 else False
        assert places([60], labels=labels).is_blind(order) == blind
    assert not places([60], labels=labels).is_blind(np.arange(60))


REGULAR = np.tile(np.repeat([0, 1, 0], [12, 4, 4]), 10)


def test_a_shift_by_the_period_of_the_events_is_not_blind():
    where = places([200], 8, REGULAR)
    rng = np.random.default_rng(0)
    assert not where.is_blind(np.roll(np.arange(200), 20))
    for kind in kinds_for(where, rng):
        for _ in range(30):
            assert naive.moved_onto(REGULAR.tolist(), blind_order(kind, where, rng).tolist()) < 0.65


def test_kinds_are_those_of_which_there_are_blind_versions():
    rng = np.random.default_rng(0)
    usual = ["shifted", "reversed", "blocks", "nearby"]
    irregular = np.isin(np.arange(200) // 5, [3, 11, 17, 30])
    assert kinds_for(places([200], 8, irregular), rng) == usual
    assert kinds_for(places([200], 8, irregular, period=20), rng) == [*usual, "whole periods"]
    assert kinds_for(places([200], 8, irregular, period=60), rng) == usual
    assert kinds_for(places([50] * 4, 8, irregular), rng) == [*usual, "other series"]
    assert kinds_for(places([100] * 2, 8, irregular), rng) == usual
    assert "whole periods" not in kinds_for(places([200], 8, REGULAR, period=20), rng)
    assert "other series" not in kinds_for(places([20] * 10, 3, REGULAR), rng)


def test_a_kind_that_moves_nothing_is_never_blind(monkeypatch):
    still = KINDS["shifted"]._replace(order=lambda where, _: np.arange(where.bounds[-1]))
    monkeypatch.setitem(blind_versions.KINDS, "shifted", still)
    rng = np.random.default_rng(0)
    assert blind_order("shifted", places([200], 8, REGULAR), rng) is None
    assert "shifted" not in kinds_for(places([200], 8, REGULAR), rng)
