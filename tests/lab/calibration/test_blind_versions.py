"""Blind versions: each keeps and breaks what it says, and none still lies on the events."""

from itertools import pairwise

import numpy as np
import pytest

import adjudge as aj
from adjudge.count.alert_case import AlertCase
from adjudge.data.watched import WatchedTime
from adjudge.lab.calibration import blind_versions
from adjudge.lab.calibration.blind_versions import (
    KINDS,
    BlindPlaces,
    Shift,
    blind_moves,
    kinds_for,
    moved,
)
from lab.calibration import naive_versions as naive

SIZES = (1, 2, 3, 7, 40, 97, 400)


def places(sizes, reach=5, labels=None, period=0):
    ids = np.repeat(np.arange(len(sizes)), sizes)
    labels = np.arange(ids.size) == 0 if labels is None else np.asarray(labels, bool)
    return BlindPlaces(aj.Case(labels, labels, series=ids), reach, period)


def order_of(where, moves):
    """For each point, the point whose score it gets."""
    numbered = where.perfect.with_scores(np.arange(where.perfect.events.n) + 0.0)
    return moved(numbered, moves).given.astype(int)


def orders(kind, where, count=40):
    rng = np.random.default_rng(3)
    return [order_of(where, KINDS[kind].moves(where, rng)) for _ in range(count)]


@pytest.mark.parametrize("kind", ["shifted", "blocks", "nearby", "whole periods"])
def test_scores_stay_in_their_series_and_none_is_lost(kind):
    where = places(SIZES, period=4)
    bounds = where.perfect.events.series_bounds
    for order in orders(kind, where):
        for first, stop in pairwise(bounds):
            assert sorted(order[first:stop]) == list(range(first, stop))


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


@pytest.mark.parametrize("size", [12, 13, 50])
def test_whole_periods_keep_the_hour_and_what_is_left_stays(size):
    for order in orders("whole periods", places([size], period=4)):
        every = [naive.by_periods(size, 4, k) for k in range(1, size // 4)]
        assert order.tolist() in every
        assert all(moved % 4 == t % 4 for t, moved in enumerate(order))
    for alone in (3, 7):
        stays = orders("whole periods", places([alone], period=4))
        assert all(order.tolist() == list(range(alone)) for order in stays)  # no other day


def test_blocks_keep_neighbours_but_at_their_borders():
    for order in orders("blocks", places([400], 9)):
        apart = np.flatnonzero(np.diff(order) % 400 != 1).size
        assert 1 < apart <= 2 * 20


def test_other_series_keep_the_place_where_all_are_alike():
    where = places([6] * 5)
    for order in orders("other series", where):
        others = {int(order[6 * k] // 6) for k in range(5)}
        assert others == set(range(5))
        for k in range(5):
            own = order[6 * k : 6 * k + 6]
            assert own.tolist() == list(range(own[0], own[0] + 6))
            assert own[0] % 6 == 0
            assert own[0] != 6 * k
    assert sorted(orders("other series", places([6, 4, 9, 5, 1]), 1)[0]) == list(range(25))


def test_moves_are_blind_where_few_anomalous_points_move_onto_anomalous_ones():
    rng = np.random.default_rng(8)
    for _ in range(200):
        labels = rng.random(60) < rng.uniform(0.05, 0.6)
        labels[0] = True
        where, by = places([60], labels=labels), int(rng.integers(60))
        share = labels.mean()
        onto = naive.moved_onto(labels.tolist(), naive.shift(60, by))
        blind = (onto - share) / (1 - share) < 0.5 if share < 1 else False
        assert where.is_blind([Shift(by)]) == blind
    assert not places([60], labels=labels).is_blind([Shift(0)])


REGULAR = np.tile(np.repeat([0, 1, 0], [12, 4, 4]), 10)


def test_a_shift_by_the_period_of_the_events_is_not_blind():
    where = places([200], 8, REGULAR)
    rng = np.random.default_rng(0)
    assert not where.is_blind([Shift(20)])
    for kind in kinds_for(where, rng):
        for _ in range(30):
            order = order_of(where, blind_moves(kind, where, rng))
            assert naive.moved_onto(REGULAR.tolist(), order.tolist()) < 0.65


def test_kinds_are_those_of_which_there_are_blind_versions():
    rng = np.random.default_rng(0)
    usual = ["shifted", "blocks", "nearby"]
    irregular = np.isin(np.arange(200) // 5, [3, 11, 17, 30])
    assert kinds_for(places([200], 8, irregular), rng) == usual
    assert kinds_for(places([200], 8, irregular, period=20), rng) == [*usual, "whole periods"]
    assert kinds_for(places([200], 8, irregular, period=60), rng) == usual
    together = ["shifted", "shifted together", *usual[1:]]
    assert kinds_for(places([50] * 4, 8, irregular), rng) == [*together, "other series"]
    assert kinds_for(places([100] * 2, 8, irregular), rng) == together
    assert "whole periods" not in kinds_for(places([200], 8, REGULAR, period=20), rng)
    assert "other series" not in kinds_for(places([20] * 10, 3, REGULAR), rng)


def test_a_kind_that_moves_nothing_is_never_blind(monkeypatch):
    still = KINDS["shifted"]._replace(moves=lambda *_: [Shift(0)])
    monkeypatch.setitem(blind_versions.KINDS, "shifted", still)
    rng = np.random.default_rng(0)
    assert blind_moves("shifted", places([200], 8, REGULAR), rng) is None
    assert "shifted" not in kinds_for(places([200], 8, REGULAR), rng)


def alerts(services=("",)):
    rows = {"service": [name for name in services for _ in range(3)]}
    times = [100, 350, 620] * len(services), [130, 400, 650] * len(services)
    watched = WatchedTime.over((0, 1000), services)
    return AlertCase("x", aj.Incidents(*times, **rows), aj.Alerts([5], [9], service=[services[0]]),
                     watched)  # fmt: skip


def test_incidents_and_alerts_are_moved_by_the_same_rules():
    rng = np.random.default_rng(0)
    where = BlindPlaces(alerts().supposed("found"), 60, period=200)
    assert where.perfect.truth_share == 0.11
    assert where.perfect.truth_covered == 1
    assert where.perfect.longest_alarm == 50
    assert kinds_for(where, rng) == ["shifted", "blocks", "nearby", "whole periods"]
    assert not where.is_blind([Shift(0)])
    assert not where.is_blind([Shift(10)])
    assert where.is_blind([Shift(60)])
    for kind in kinds_for(where, rng):
        for _ in range(20):
            there = moved(where.perfect, blind_moves(kind, where, rng))
            assert sum(len(one.row) for one in there.turning) == 3
            assert there.truth_covered < 0.56


def test_services_are_no_other_series():
    where = BlindPlaces(alerts("abcd").supposed("found"), 60)
    assert "other series" not in kinds_for(where, np.random.default_rng(0))
