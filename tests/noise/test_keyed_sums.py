"""Keyed sums: whole numbers that add up in any order, and the combinations that they stand for."""

import math

import numpy as np
import pytest

from adjudge.noise.keyed_sums import (
    COMBINATIONS,
    KeyedSums,
    digits_of,
    drawn_places,
    whole_steps,
)


def some_series(rng, count, *, clocks=None, holes=0.1):
    """Names of clocks, and steps of series on them."""
    found = []
    for k in range(count):
        elsewhere = rng.random(199)
        elsewhere[rng.random(199) < holes] = np.nan
        name = f"s{k}" if clocks is None else f"c{k % clocks}"
        found.append((name, whole_steps(rng.random(), elsewhere, 40)))
    return found


def added(series, *, shared=False, combinations=COMBINATIONS):
    found = KeyedSums(combinations)
    for name, steps in series:
        found.add(name, steps, shared=shared)
    return found


def slowly(series, combinations=COMBINATIONS):
    """The p-value and the least one, a combination at a time, in Python's own whole numbers."""
    hole = np.iinfo(np.int64).min
    clocks = {}
    for name, steps in series:
        clocks.setdefault(name, []).append(steps.tolist())
    values = {
        name: [sum(column) for column in zip(*own, strict=True) if hole not in column]
        for name, own in clocks.items()
    }
    places = {name: drawn_places(name, len(own), combinations) for name, own in values.items()}
    reached = sum(
        sum(own[int(places[name][b])] for name, own in values.items()) >= -len(series)
        for b in range(combinations)
    )
    least = math.prod(sum(one >= max(own) - 1 for one in own) / len(own) for own in values.values())
    return (1 + reached) / (1 + combinations), max(1 / (1 + combinations), least)


@pytest.mark.parametrize("clocks", [None, 4])
def test_the_sums_are_those_of_one_combination_after_the_other(clocks):
    series = some_series(np.random.default_rng(0), 12, clocks=clocks)
    found = added(series, shared=clocks is not None, combinations=200)
    p, least = slowly(series, 200)
    assert found.p(12) == p
    assert found.least == pytest.approx(least)


@pytest.mark.parametrize("clocks", [None, 1, 2, 9])
def test_any_order_and_any_parts_give_the_same_bits(clocks):
    rng = np.random.default_rng(1)
    series = some_series(rng, 30, clocks=clocks)
    shared = clocks is not None
    whole = added(series, shared=shared)
    for _ in range(20):
        order = [series[k] for k in rng.permutation(30).tolist()]
        cuts = np.sort(rng.integers(0, 31, 3)).tolist()
        parts = [
            added(order[a:b], shared=shared) for a, b in zip([0, *cuts], [*cuts, 30], strict=True)
        ]
        while len(parts) > 1:
            one = parts.pop(int(rng.integers(len(parts))))
            parts[int(rng.integers(len(parts)))].merge(one)
        assert (parts[0].p(30), parts[0].least) == (whole.p(30), whole.least)
        if not shared:
            np.testing.assert_array_equal(parts[0].drawn, whole.drawn)
            assert parts[0].log_least == whole.log_least


def test_a_sum_in_floats_is_not_the_same_in_any_order():
    """The law above notices what it is there for: steps that are not whole numbers."""
    rng = np.random.default_rng(1)
    values = rng.random((300, 50)) - 0.5
    sums = {values[rng.permutation(300)].sum(axis=0).tobytes() for _ in range(5)}
    assert len(sums) > 1


def test_few_combinations_are_counted_wherever_they_were_added():
    steps = whole_steps(0.5, np.linspace(0, 1, 39), 40)
    one, other = KeyedSums(), KeyedSums()
    one.add("a", steps)
    other.add("b", steps)
    one.merge(other)
    every = np.add.outer(steps, steps)
    assert one.p(2) == np.mean(every >= -2)
    assert one.drawn is None


def test_a_clock_of_one_series_is_the_same_whether_it_may_be_shared_or_not():
    series = some_series(np.random.default_rng(2), 5)
    assert added(series).p(5) == added(series, shared=True).p(5)
    assert added(series).least == pytest.approx(added(series, shared=True).least)


def test_values_without_bounds_are_whole_numbers_too():
    assert digits_of((-math.inf, math.inf)) == digits_of((0, 100)) == 20
    steps = whole_steps(-math.inf, np.array([math.inf, 3.0]), 20)
    assert steps.tolist() == [1 << 42, (1 << 41) + (3 << 20), 0]
    total = np.full(1, steps[0])
    assert int(total[0]) * (1 << 20) < 2**63  # a million series


@pytest.mark.parametrize("clocks", [None, 8])
def test_home_among_its_places_gives_small_p_values_as_often_as_it_should(clocks):
    """By rank of home drawn at random: 16 series, each with a clock, or on 8 of them."""
    rng, runs, small = np.random.default_rng(3), 300, 0
    for run in range(runs):
        found, home = KeyedSums(999), rng.integers(200, size=16 if clocks is None else clocks)
        for k in range(16):
            own = k if clocks is None else k % clocks
            values = np.roll(rng.random(200) ** 4, -int(home[own]) - 1)
            found.add(
                f"{run} {own}", whole_steps(values[-1], values[:-1], 40), shared=clocks is not None
            )
        small += found.p(16) <= 0.05
    assert abs(small / runs - 0.05) <= 2.6 * (0.05 * 0.95 / runs) ** 0.5
