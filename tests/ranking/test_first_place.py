"""First place: how likely each detector is first on another benchmark with as many units."""

import math

import numpy as np
import pytest
from scipy import stats

from adjudge.ranking.standings.first_place import elsewhere
from adjudge.ranking.standings.unit_sums import UnitSums
from adjudge.ranking.statistics import standings

SETS = np.repeat([*"abcdef"], [1, 5, 2, 3, 1, 2])


def drawn(shape, seed=0, spread=0.4):
    rng = np.random.default_rng(seed)
    return rng.standard_normal(shape) + spread * rng.standard_normal(shape[1])


def slow_errors(values, groups):
    """The centred means, the standard error of one, and its degrees of freedom, cell by cell."""
    names = sorted(set(groups))
    rows = [[v - sum(row) / len(row) for v in row] for row in values.tolist()]
    count, detectors = len(rows), len(rows[0])
    means = [sum(row[d] for row in rows) / count for d in range(detectors)]
    shares = [sum(g == name for g in groups) / count for name in names]
    total = 0.0
    for d in range(detectors):
        for name, share in zip(names, shares, strict=True):
            moved = sum(row[d] - means[d] for row, g in zip(rows, groups, strict=True) if g == name)
            total += (moved / count) ** 2 / (1 - share)
    units = 1 / sum(share**2 for share in shares)
    second, first = sorted(means)[-2:]
    variance = total / (detectors - 1) + ((first - second) / units) ** 2 / 2
    return np.array(means), math.sqrt(variance), (detectors - 1) * (units - 1)


def slow_elsewhere(values, groups=None):
    """The model as its formulas have it, integrated on a fine and wide grid, scale by scale."""
    given = range(len(values)) if groups is None else groups
    means, se, df = slow_errors(values, list(given))
    means = means - np.median(means)
    grid = np.linspace(-50 * se, 50 * se, 1001)
    error = stats.t.pdf((grid[:, np.newaxis] - grid) / se, df)
    weights, first, tau = [], [], []
    for scale in np.linspace(0, 3 * means.std(ddof=1), 31):
        true = stats.t.pdf(grid / scale, 2) if scale else (np.abs(grid) < 1e-9 * se).astype(float)
        joint = [true / true.sum() * stats.t.pdf((x - grid) / se, df) for x in means]
        weights.append(math.prod(one.sum() for one in joint))
        laws = [error @ one for one in joint]
        laws = [one / one.sum() for one in laws]
        below = [np.cumsum(one) - one / 2 for one in laws]
        others = [math.prod(below[:d] + below[d + 1 :]) for d in range(len(means))]
        shares = np.array([(one * rest).sum() for one, rest in zip(laws, others, strict=True)])
        first.append(shares / shares.sum())
        tau.append(np.mean([
            np.sign(means[j] - means[k]) * (2 * (laws[j] * below[k]).sum() - 1)
            for j in range(len(means)) for k in range(j)
        ]))  # fmt: skip
    return np.average(first, axis=0, weights=weights), np.average(tau, weights=weights)


LARGE = [
    pytest.param(shape, marks=pytest.mark.long) for shape in [(6, 2), (3, 4), (12, 5), (40, 9)]
]


@pytest.mark.parametrize("shape", [(3, 2), *LARGE])
def test_the_model_is_that_of_the_slow_twin(shape):
    values = drawn(shape, seed=sum(shape))
    first, tau = slow_elsewhere(values)
    found = elsewhere(UnitSums.of(values, None))
    assert found.first == pytest.approx(first, abs=0.004)
    assert found.tau == pytest.approx(tau, abs=0.008)


def test_the_units_may_be_data_sets_of_any_size():
    values = drawn((len(SETS), 4), seed=1)
    first, tau = slow_elsewhere(values, SETS)
    found = elsewhere(UnitSums.of(values, SETS))
    assert found.first == pytest.approx(first, abs=0.004)
    assert found.tau == pytest.approx(tau, abs=0.008)
    assert abs(elsewhere(UnitSums.of(values, None)).first - first).max() > 0.02  # the wrong double


def test_drawing_from_the_model_says_the_same():
    values, rng, draws = drawn((10, 3), seed=2), np.random.default_rng(3), 400_000
    means, se, df = slow_errors(values, list(range(10)))
    scale = rng.choice(np.linspace(0, 3 * means.std(ddof=1), 31), (draws, 1))
    true = np.median(means) + scale * rng.standard_t(2, (draws, 3))
    weights = stats.t.pdf((means - true) / se, df).prod(axis=1)
    first = (true + se * rng.standard_t(df, (draws, 3))).argmax(axis=1)
    expected = np.bincount(first, weights) / weights.sum()
    assert elsewhere(UnitSums.of(values, None)).first == pytest.approx(expected, abs=0.01)


def test_forty_equal_detectors_have_no_clear_winner():
    said, drawn_again = [], []
    for seed in range(30):
        values = drawn((15, 40), seed, spread=0)
        winner = int(values.mean(axis=0).argmax())
        said.append(elsewhere(UnitSums.of(values, None)).first[winner])
        picks = np.random.default_rng(seed).integers(15, size=(100, 15))
        drawn_again.append((values[picks].mean(axis=1).argmax(axis=1) == winner).mean())
    assert np.mean(said) < 0.1
    assert np.mean(drawn_again) > 0.25  # the wrong double: it repeats the luck of the winner


def test_where_means_are_drawn_it_is_as_often_as_said():
    said, true = [], []
    for seed in range(300):
        rng = np.random.default_rng([seed, 1])
        means = 0.4 * rng.standard_normal(8)
        here = means + rng.standard_normal((12, 8))
        there = (means + rng.standard_normal((50, 12, 8))).mean(axis=1)
        winner = int(here.mean(axis=0).argmax())
        said.append(elsewhere(UnitSums.of(here, None)).first[winner])
        true.append((there.argmax(axis=1) == winner).mean())
    assert np.mean(said) == pytest.approx(np.mean(true), abs=0.06)


def test_only_differences_count_and_names_do_not():
    values = drawn((9, 5), seed=4)
    own = elsewhere(UnitSums.of(values, None))
    assert own.first.sum() == pytest.approx(1)
    assert own.first.argmax() == values.mean(axis=0).argmax()
    moved = 1000 * values + 10 * np.arange(9)[:, np.newaxis]
    assert elsewhere(UnitSums.of(moved, None)).first == pytest.approx(own.first, abs=1e-3)
    order = [3, 0, 4, 1, 2]
    found = elsewhere(UnitSums.of(values[:, order], None))
    assert found.first == pytest.approx(own.first[order])
    assert found.tau == pytest.approx(own.tau)


def test_equal_detectors_share_first_place():
    values = drawn((9, 3), seed=5)
    copied = elsewhere(UnitSums.of(values[:, [0, 1, 2, 2]], None)).first
    assert copied[2] == pytest.approx(copied[3])
    same = elsewhere(UnitSums.of(np.tile(values[:, :1], 4), None))
    assert same.first == pytest.approx(np.full(4, 0.25))
    assert same.tau == 0


def test_a_clear_leader_is_first():
    noise = drawn((12, 6), seed=6, spread=0)
    for lead, bad in ((8, 0), (8, 1e9)):  # somebody hopeless blurs nothing
        values = noise + np.array([0, lead, 0, 0, 0, -bad])
        assert elsewhere(UnitSums.of(values, None)).first[1] > 0.97


@pytest.mark.parametrize(("units", "low", "high"), [(3, 0.7, 0.9), (6, 0.98, 0.999), (12, 1, 1)])
def test_a_few_units_that_agree_prove_little(units, low, high):
    always = np.arange(units)[:, np.newaxis] + np.array([0, 0.3])
    assert low <= round(elsewhere(UnitSums.of(always, None)).first[1], 4) <= high


def test_many_detectors_far_apart_keep_their_order():
    values = 1e-3 * drawn((20, 25), seed=7, spread=0) + np.linspace(0, 1, 25)
    found = elsewhere(UnitSums.of(values, None))
    assert found.first[-1] > 0.99
    assert found.tau > 0.99


@pytest.mark.parametrize(
    ("shape", "groups"), [((2, 4), None), ((9, 1), None), ((9, 4), [*"aaaaaabcd"])]
)
def test_nothing_is_said_of_too_little(shape, groups):
    own = None if groups is None else np.array(groups)
    found = standings(UnitSums.of(drawn(shape), own))
    for column in (found.first, found.low, found.high):
        assert len(column) == shape[1]
        assert all(map(math.isnan, column))
    assert math.isnan(found.tau)


def test_three_units_say_who_is_first_and_six_who_may_be():
    three, six = (standings(UnitSums.of(drawn((units, 4)), None)) for units in (3, 6))
    assert not np.isnan([three.first, six.first, six.low, six.high]).any()
    assert np.isnan([three.low, three.high]).all()
