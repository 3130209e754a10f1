"""Rank sets: between which places each detector lies, all of them at once."""

import math
import tracemalloc
from itertools import combinations, product

import numpy as np
import pytest

from adjudge.ranking.standings import rank_sets as module
from adjudge.ranking.standings.rank_sets import _largest, _signs, rank_sets
from adjudge.ranking.standings.unit_sums import UnitSums

SETS = np.repeat([*"abcdefg"], [1, 5, 2, 3, 1, 2, 9])


def drawn(shape, seed=0, spread=0.0):
    rng = np.random.default_rng(seed)
    return rng.standard_normal(shape) + spread * np.arange(shape[1])


def sets_of(values, groups=None):
    found = rank_sets(UnitSums.of(values, groups))
    return list(zip(found.low.tolist(), found.high.tolist(), strict=True))


def slow_pair(errors, shares):
    """The sum of the errors of a pair, and its variance with the share that units have in it."""
    total = sum(errors)
    left = [z - p * total for z, p in zip(errors, shares, strict=True)]
    return total, sum(e**2 / (1 - p) for e, p in zip(left, shares, strict=True))


def slow_t(pairs, units):
    """The t of each pair, its variance mixed with the median one."""
    median = float(np.median([variance for _, variance in pairs]))
    return [
        abs(apart) / math.sqrt((units * variance + 5 * median) / (units + 5))
        for apart, variance in pairs
    ]


def slow_sets(values, groups):
    """Pair by pair, and through all ways to flip signs."""
    names, count, detectors = sorted(set(groups)), len(values), values.shape[1]
    shares = [groups.count(name) / count for name in names]
    pairs, flipped = [], []
    for one, other in combinations(range(detectors), 2):
        apart = values[:, one] - values[:, other]
        mean = apart.mean()
        sums = [sum(d - mean for d, g in zip(apart, groups, strict=True) if g == n) for n in names]
        variance = sum((s / count) ** 2 / (1 - p) for s, p in zip(sums, shares, strict=True))
        pairs.append((mean, variance))
        flipped.append([s / count / math.sqrt(1 - p) for s, p in zip(sums, shares, strict=True)])
    largest = []
    for signs in product([1, -1], repeat=len(names)):
        errors = [[w * z for w, z in zip(signs, own, strict=True)] for own in flipped]
        largest.append(max(slow_t([slow_pair(own, shares) for own in errors], len(names))))
    limit = sorted(largest)[math.ceil(0.95 * len(largest)) - 1]
    low, high = [1] * detectors, [detectors] * detectors
    order = zip(combinations(range(detectors), 2), pairs, slow_t(pairs, len(names)), strict=True)
    for (one, other), (apart, _), t in order:
        if t > limit:
            best, worst = (one, other) if apart > 0 else (other, one)
            low[worst] += 1
            high[best] -= 1
    return list(zip(low, high, strict=True))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("units", [6, 7, 9])
def test_all_ways_to_flip_signs_say_the_same(units, seed):
    values = drawn((units, 4), seed, spread=0.9)
    found = sets_of(values)
    assert found == slow_sets(values, list(range(units)))


def test_the_twins_are_about_clear_differences():
    found = [sets_of(drawn((units, 4), seed, 0.9)) for units in (6, 7, 9) for seed in range(4)]
    assert len({place for sets in found for place in sets}) > 5  # not all of them 1 to 4


@pytest.mark.parametrize("seed", range(4))
def test_data_sets_of_any_size_are_units(seed):
    values = drawn((len(SETS), 4), seed, spread=1.2)
    assert sets_of(values, SETS) == slow_sets(values, SETS.tolist())


def test_a_data_set_is_one_unit_however_many_series_it_has():
    few = drawn((8, 4), 1, spread=0.7)
    many, groups = np.repeat(few, 30, axis=0), np.repeat(np.arange(8), 30)
    assert sets_of(many, groups) == sets_of(few)
    assert sets_of(many) != sets_of(few)  # the wrong double: 240 units


def test_a_few_flips_of_many_units_say_nearly_what_all_do(monkeypatch):
    values = drawn((12, 6), 2)
    units = UnitSums.of(values, None)
    pairs = np.triu_indices(6, 1)
    limits = []
    for most in (512, 1 << 12):
        monkeypatch.setattr(module, "_FLIPS", most)
        _signs.cache_clear()
        limits.append(_largest(units.errors, units.shares[:, np.newaxis], *pairs))
    _signs.cache_clear()
    assert limits[0] == pytest.approx(limits[1], rel=0.1)


def test_the_flips_of_many_units_are_drawn_as_all_at_once():
    for units in (11, 13, 40):
        found = np.unpackbits(_signs(units), axis=1, count=units)
        at_once = np.random.default_rng(units).integers(2, size=(512, units))
        assert (found == at_once).all()


def test_the_limit_is_that_of_all_signs_at_once():
    """The slow twin holds every sign as a number."""
    units = UnitSums.of(drawn((700, 4), 8, spread=0.02), None)
    shares, errors = units.shares[:, np.newaxis], units.errors
    signs = 1.0 - 2.0 * np.random.default_rng(700).integers(2, size=(512, 700))
    one, other = np.triu_indices(4, 1)
    apart = (signs @ errors)[:, one] - (signs @ errors)[:, other]
    largest = []
    for flips, own in zip(signs, apart, strict=True):
        left = (flips[:, np.newaxis] * (errors[:, one] - errors[:, other]) - shares * own) ** 2
        variances = (left / (1 - shares)).sum(axis=0)
        pairs = list(zip(own.tolist(), variances.tolist(), strict=True))
        largest.append(max(slow_t(pairs, 700)))
    limit = sorted(largest)[math.ceil(0.95 * 512) - 1]
    assert _largest(errors, shares, one, other) == pytest.approx(limit, rel=1e-12)


def test_many_units_take_little_memory():
    """All signs of 20,000 units as numbers are 82 MB."""
    units = UnitSums.of(drawn((20_000, 3), 9), None)
    _signs.cache_clear()
    tracemalloc.start()
    try:
        rank_sets(units)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    _signs.cache_clear()
    assert peak < 20e6


def test_in_blocks_as_at_once(monkeypatch):
    values = drawn((10, 5), 3, spread=0.5)
    found = sets_of(values)
    monkeypatch.setattr(module, "_AT_ONCE", 64)
    assert sets_of(values) == found


def test_places_turn_round_with_the_values_and_go_with_the_detectors():
    values = drawn((9, 5), 4, spread=1.2)
    found = sets_of(values)
    assert found != [(1, 5)] * 5
    assert sets_of(-values) == [(6 - high, 6 - low) for low, high in found]
    order = [2, 4, 0, 1, 3]
    assert sets_of(values[:, order]) == [found[place] for place in order]
    assert sets_of(1000 * values + np.arange(9)[:, np.newaxis]) == found


@pytest.mark.parametrize(
    ("units", "detectors"),
    [(6, 3), (8, 12), pytest.param(15, 40, marks=pytest.mark.long), (20, 2)],
)
def test_equal_detectors_all_may_be_the_best(units, detectors):
    rng, runs = np.random.default_rng([units, detectors]), 200
    held = [
        sets_of(rng.standard_normal((units, detectors))) == [(1, detectors)] * detectors
        for _ in range(runs)
    ]
    assert np.mean(held) > 0.91


def test_one_may_be_the_best_where_one_is_clearly_ahead():
    values = drawn((12, 6), 5)
    values[:, 2] += 4
    found = sets_of(values)
    assert found[2] == (1, 1)
    assert min(low for place, (low, _) in enumerate(found) if place != 2) == 2


def test_what_never_differs_and_what_always_does():
    base = drawn((6, 1), 6)
    assert sets_of(np.tile(base, 3)) == [(1, 3)] * 3
    assert sets_of(base + np.array([0.1, 0.3, 0.2])) == [(3, 3), (1, 1), (2, 2)]
    copies = np.append(np.tile(base, 4), drawn((6, 1), 7), axis=1)
    assert sets_of(copies) == [(1, 5)] * 5
    rounded = np.stack([np.full(6, 0.1) + 0.2, np.full(6, 0.3)], axis=1)
    assert sets_of(rounded) == [(1, 2)] * 2  # .1 + .2 is .30000000000000004


def test_below_six_units_nothing_is_sure():
    always = np.arange(5.0)[:, np.newaxis] + [0, 9]
    assert rank_sets(UnitSums.of(always, None)) is None
