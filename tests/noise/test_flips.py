"""Flips and exchanges: every word by hand, the code, agreement about 0, what they are to see."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import adjudge as aj
from adjudge.noise.comparing import flips
from adjudge.noise.comparing.flips import (
    by_flips,
    flipped,
    p_of_exchange,
    signed_sums,
    summed_blocks,
)
from adjudge.noise.intervals.rates import weights
from adjudge.noise.intervals.spread import Moves


def naive_words(units):
    return np.array(list(product([1, -1], repeat=units)))


def naive_p(added):
    sums = [sum(sign * x for sign, x in zip(word, added, strict=True))
            for word in naive_words(len(added))]  # fmt: skip
    return np.mean([abs(one) >= abs(sum(added)) - 1e-9 for one in sums])


def naive_keeps(added, shares, x):
    """How often flips of what units have beyond a difference x are as large: as a p-value of it."""
    return naive_p(np.asarray(added) - x * np.asarray(shares))


@pytest.mark.parametrize("seed", range(6))
def test_p_and_interval_are_those_of_all_words(seed):
    rng = np.random.default_rng(seed)
    units = int(rng.integers(5, 10))
    added, shares = rng.normal(0.3, 1, units), rng.dirichlet(np.ones(units))
    p, (low, high), _ = flipped(added, shares)
    assert p == naive_p(added)
    for x in np.linspace(low - 1, high + 1, 41):
        inside = low - 1e-9 <= x <= high + 1e-9
        assert (naive_keeps(added, shares, x) > 0.05) == inside


def test_two_imagined_units_are_two_more_that_may_go_either_way():
    rng = np.random.default_rng(1)
    added, shares = rng.normal(0.4, 1, 7), np.full(7, 1 / 7)
    _, (low, high), _ = flipped(added, shares, 0.2)
    words = naive_words(9)
    sums, kept = words @ np.append(added, [0.2, 0.2]), words[:, :7] @ shares
    for x in np.linspace(low - 1, high + 1, 41):
        share = np.mean(np.abs(added.sum() - x) <= np.abs(sums - x * kept) + 1e-9)
        assert (share > 0.05) == (low - 1e-9 <= x <= high + 1e-9)


def test_sums_are_those_of_the_code_and_its_words_are_a_group():
    """Closed under products, so that a p-value by it is exact."""
    rng = np.random.default_rng(0)
    values = rng.normal(size=(20, 3))
    signs = np.stack([signed_sums(row) for row in np.eye(20)], axis=1)
    np.testing.assert_allclose(signed_sums(values), signs @ values)
    assert signs.shape == (4096, 20)
    assert (signs[0] == 1).all()
    words = {tuple(word) for word in signs}
    some = rng.integers(4096, size=(200, 2))
    assert all(tuple(signs[a] * signs[b]) in words for a, b in some)


@pytest.mark.parametrize("bits", sorted(flips.PRIMITIVE))
def test_no_two_units_have_one_column_and_none_has_an_empty_one(bits):
    columns = flips.code_columns(bits)
    assert sorted(columns) == list(range(1, 1 << bits))
    assert columns[:bits].tolist() == [1 << bit for bit in range(bits)]


def test_more_units_than_columns_are_still_flipped():
    added = np.full(5000, 1 / 5000)
    p, (low, high), _ = flipped(added, added)
    assert p == 1 / 4096
    assert (low, high) == pytest.approx((1, 1))


def agree(found, seen):
    """Whether interval and p-value say the same about 0, and the interval holds what was seen."""
    p, (low, high), _ = found
    return (p <= 0.05) == (low > 0 or high < 0) and low - 1e-9 <= seen <= high + 1e-9


COARSE = st.integers(-4, 4).map(lambda x: x / 4)
UNITS = st.integers(8, 16)


@st.composite
def moves(draw):
    units = draw(UNITS)
    own = draw(arrays(float, units, elements=COARSE))
    stakes = draw(arrays(float, units, elements=st.integers(0, 5).map(float)))
    shares = stakes / stakes.sum() if stakes.sum() else np.full(units, 1 / units)
    p = draw(st.sampled_from([np.nan, 0.01, 0.05, 0.051, 0.6]))
    pseudo_rows = draw(arrays(float, 3, elements=COARSE))
    return Moves(own, shares, pseudo_rows, p), draw(COARSE), draw(st.sampled_from([1.0, 1.6]))


@given(moves())
def test_interval_and_p_value_agree_about_nothing(found):
    one, seen, alike = found
    assert agree(by_flips(one, seen, alike), seen)


@pytest.mark.parametrize("wrong", ["ends of what is imagined", "no ties", "no exchange"])
def test_the_law_rejects_wrong_doubles(wrong, monkeypatch):
    one, seen = Moves(np.zeros(8), np.full(8, 1 / 8), np.array([1.0]), np.nan), 0.5
    if wrong == "ends of what is imagined":
        found = by_flips(one, seen, 1.0)
        wider = flipped(one.shares * seen, one.shares, 0.7)
        assert not agree(found._replace(interval=wider.interval), seen)
    elif wrong == "no ties":
        added = np.array([1.0, 1, 1, 1, 1, 1, -1, 1]) / 8
        assert agree(flipped(added, one.shares), added.sum())
        monkeypatch.setattr(flips, "_SAME", -1e-9)
        assert not agree(flipped(added, one.shares), added.sum())
    else:
        found = by_flips(one, seen, 1.0)
        assert agree(by_flips(one._replace(p_exchange=0.5), seen, 1.0), seen)
        assert not agree(found._replace(p_value=0.5), seen)


def test_both_orders_are_mirror_images():
    rng = np.random.default_rng(3)
    one = Moves(rng.normal(size=14), np.full(14, 1 / 14), np.array([0.1, -0.02]), np.nan)
    found, other = by_flips(one, 0.4, 1.0), by_flips(one._replace(own=-one.own), -0.4, 1.0)
    assert found.p_value == other.p_value
    assert found.interval == pytest.approx(tuple(-end for end in other.interval[::-1]))


def test_where_all_units_are_alike_what_is_imagined_keeps_the_interval_open():
    alike = Moves(np.zeros(10), np.full(10, 0.1), np.array([0.025, -0.025]), np.nan)
    low, high = by_flips(alike, 0.0, 1.0).interval
    assert low < -0.02
    assert high > 0.02
    low, high = by_flips(alike._replace(pseudo_rows=np.zeros(0)), 0.0, 1.0).interval
    assert (low, high) == (0, 0)


@pytest.mark.parametrize(
    ("alike", "sizes"), [(1.4, [1] * 20), (1.5, [2] * 10), (1.8, [3] * 5 + [5])]
)
def test_neighbours_that_fare_alike_change_together(alike, sizes):
    assert summed_blocks(np.ones(20), alike).tolist() == sizes
    assert summed_blocks(np.ones((20, 2)), 9).shape == (6, 2)


def recall(sums):
    return np.divide(sums[..., 0, 0], sums[..., 0, 1]) - sums[..., 1, 0] / sums[..., 1, 1]


def test_an_exchange_is_made_in_every_way():
    rng = np.random.default_rng(5)
    rows = rng.integers(1, 9, (8, 2, 2)).astype(float)
    own = recall(rows.sum(axis=0))
    reached = []
    for word in naive_words(8):
        both = np.where(word[:, np.newaxis, np.newaxis] > 0, rows, rows[:, ::-1])
        reached.append(abs(recall(both.sum(axis=0))) >= abs(own) - 1e-9)
    assert p_of_exchange(recall, rows, 1.0, 0.0, flips.BITS) == np.mean(reached)
    easier = p_of_exchange(recall, rows, 1.0, own / 2, flips.BITS)
    assert easier > np.mean(reached)


def test_an_exchange_without_a_value_may_differ_as_much():
    rows = np.array([[[1.0, 1.0], [0.0, 0.0]], [[0.0, 0.0], [1.0, 2.0]]])
    with np.errstate(invalid="ignore", divide="ignore"):
        assert p_of_exchange(recall, rows, 1.0, 0.0, flips.BITS) == 1


def test_weights_are_what_divides_a_value():
    rng = np.random.default_rng(2)
    rows = rng.integers(1, 9, (9, 2, 5)).astype(float)
    rows[..., 3] += rows[..., 2]

    def precision(sums):
        return sums[..., 0, 2] / sums[..., 0, 3] - sums[..., 1, 2] / sums[..., 1, 3]

    def false_rate(sums):
        rate = (sums[..., 3] - sums[..., 2]) / sums[..., 4]
        return rate[..., 0] - rate[..., 1]

    by_flagged = (rows[..., 3] / rows[..., 3].sum(axis=0)).mean(axis=1)
    np.testing.assert_allclose(weights(precision, rows), by_flagged)
    by_time = (rows[..., 4] / rows[..., 4].sum(axis=0)).mean(axis=1)
    np.testing.assert_allclose(weights(false_rate, rows), by_time)
    nothing = weights(lambda sums: 0 * sums[..., 0, 0], rows)
    np.testing.assert_allclose(nothing, np.full(9, 1 / 9))


SLOT = 40


def storm(events):
    """All events found by both; one long false alarm of the second."""
    labels = np.tile(np.repeat([0, 1, 0], [20, 10, 10]), events)
    stormy = labels.copy()
    stormy[SLOT * 3 + 2 : SLOT * 3 + 17] = 1
    return labels, labels, stormy


def test_one_storm_of_false_alarms_tells_nobody_apart():
    """What all units add is a little less by it; flips alone would take that for agreement."""
    found = aj.compare(*storm(12), "f1")
    assert found.p_value == found.p_exchange == 1
    assert found.low <= 0 < found.difference < found.high
    assert "1 of 12 events" in found.notes[0]
    labels, stormy = storm(12)[0], storm(12)[2]
    assert not aj.compare(labels, labels, stormy, "event_recall").notes
    assert not aj.compare(labels, stormy, stormy, "f1").notes


def test_below_eight_units_nothing_is_flipped():
    few, enough = (aj.compare(*storm(events), "f1") for events in (7, 8))
    assert np.isnan(few.p_exchange)
    assert not few.notes
    assert enough.p_exchange == 1


def test_twelve_events_are_told_apart_more_often_than_by_an_imagined_one():
    labels = np.tile(np.repeat([0, 1, 0], [20, 10, 10]), 12)
    found = labels.reshape(12, SLOT) * (np.arange(12) % 3 == 0)[:, np.newaxis]
    pair = aj.compare(labels, labels, found.ravel(), "event_recall")
    assert pair.p_value == pytest.approx(2 / 2**8)  # eight events that one alone finds
    assert pair.low > 0.3
