"""Units: what intervals, tests of means and the places of detectors rest on."""

import math

import numpy as np
import pytest
from scipy import stats

import adjudge as aj
from adjudge.noise.p_values import holm
from adjudge.ranking.statistics import ranks


def values(matrix, groups=None, metric="own"):
    """A table of values: a row per series, a column per detector."""
    names = [f"s{place:03}" for place in range(len(matrix))]
    rows = [(names[s], f"d{d}", v) for s, row in enumerate(matrix) for d, v in enumerate(row)]
    series, detectors, numbers = zip(*rows, strict=True)
    found = {"series": series, "detector": detectors, "value": numbers}
    found["metric"] = [metric] * len(rows)
    if groups is not None:
        of = dict(zip(names, groups, strict=True))
        found["group"] = [of[name] for name in series]
    return found


def drawn(series=20, detectors=3, seed=0):
    return np.random.default_rng(seed).random((series, detectors)) + np.arange(detectors) / 9


def test_without_data_sets_a_pair_is_a_paired_t_test():
    matrix = drawn()
    for row in aj.rank_values(values(matrix)).comparisons:
        one, other = (matrix[:, int(row[name][1:])] for name in ("one", "other"))
        expected = stats.ttest_rel(one, other)
        ends = expected.confidence_interval()
        assert row["difference"] == pytest.approx(np.mean(one - other))
        assert row["p_value"] == pytest.approx(expected.pvalue)
        assert (row["low"], row["high"]) == pytest.approx((ends.low, ends.high))
        assert (row["unit"], row["units"], row["series"]) == ("series", 20, 20)


def test_data_sets_of_one_size_are_compared_by_their_means():
    matrix = drawn()
    groups = np.repeat([f"g{g}" for g in range(5)], 4)
    for row in aj.rank_values(values(matrix, groups)).comparisons:
        apart = matrix[:, int(row["one"][1:])] - matrix[:, int(row["other"][1:])]
        means = apart.reshape(5, 4).mean(axis=1)
        assert row["p_value"] == pytest.approx(stats.ttest_1samp(means, 0).pvalue, rel=1e-4)
        assert (row["unit"], row["units"], row["series"]) == ("dataset", 5, 20)


def test_series_of_a_data_set_that_are_alike_are_one_piece_of_evidence():
    few = drawn(6)
    many = np.repeat(few, 50, axis=0)
    groups = np.repeat([f"g{g}" for g in range(6)], 50)
    alone, together = aj.rank_values(values(few)), aj.rank_values(values(many, groups))
    for one, other in zip(alone.comparisons, together.comparisons, strict=True):
        assert one["p_value"] == pytest.approx(other["p_value"])
        assert one["p_flips"] == other["p_flips"]
    taken_for_300 = aj.rank_values(values(many, groups), unit="series")
    assert taken_for_300.comparisons[0]["p_value"] < alone.comparisons[0]["p_value"] / 10
    for one, other in zip(alone.leaderboard, together.leaderboard, strict=True):
        assert (one["low"], one["high"]) == pytest.approx((other["low"], other["high"]))
        assert other["evidence"] == "the evidence is 6 data sets, not 300 series"


def test_holm_is_over_the_pairs():
    rows = aj.rank_values(values(drawn())).comparisons
    for name, after in (("p_value", "p_adjusted"), ("p_wilcoxon", "p_wilcoxon_adjusted")):
        expected = holm(np.array([row[name] for row in rows]))
        assert [row[after] for row in rows] == expected.tolist()


def test_a_submission_has_a_family_of_its_own():
    ranking = aj.rank_values(values(drawn(detectors=6)))
    rows = ranking.submission("d2")
    assert [row["other"] for row in rows] == ["d0", "d1", "d3", "d4", "d5"]
    assert [row["p_adjusted"] for row in rows] == holm(
        np.array([r["p_value"] for r in rows])
    ).tolist()
    every = {(r["one"], r["other"]): r for r in ranking.comparisons}
    assert all(row["p_adjusted"] <= every[min("d2", o), max("d2", o)]["p_adjusted"]
               for row in rows for o in [row["other"]])  # fmt: skip
    with pytest.raises(aj.UnknownName, match="unknown detector 'lof'"):
        ranking.submission("lof")
    with pytest.raises(aj.UnknownName, match="unknown metric 'f1'"):
        ranking.submission("d2", "f1")


def test_differences_keep_the_sign_of_the_metric():
    rows = aj.rank_values(values([[1, 2], [2, 4], [1, 3]], metric="detection_delay")).comparisons
    assert rows[0]["difference"] == pytest.approx(-5 / 3)
    assert (rows[0]["ahead"], rows[0]["behind"]) == (3, 0)


def test_one_or_two_data_sets_say_nothing_of_others():
    matrix = drawn(8)
    two = aj.rank_values(values(matrix, ["x"] * 4 + ["y"] * 4)).leaderboard[0]
    assert two["evidence"] == "too few to say: 2 data sets"
    assert (two["unit"], two["units"]) == ("dataset", 2)
    assert math.isnan(two["low"])
    alone = aj.rank_values(values(matrix)).leaderboard[0]
    assert (two["conditional_low"], two["conditional_high"]) == pytest.approx(
        (alone["low"], alone["high"])
    )
    assert math.isnan(alone["conditional_low"])
    pair = aj.rank_values(values(matrix, ["x"] * 4 + ["y"] * 4)).comparisons[0]
    assert math.isnan(pair["p_value"])
    lonely = aj.rank_values(values(matrix[:2])).leaderboard[0]
    assert math.isnan(lonely["low"])
    assert lonely["evidence"] == "too few to say: 2 series"


def test_data_sets_must_be_known_to_be_units():
    with pytest.raises(aj.InputError, match="unit='dataset' needs the data set of each series"):
        aj.rank_values(values(drawn()), unit="dataset").comparisons  # noqa: B018 - made when asked
    with pytest.raises(aj.InputError, match="unit must be"):
        aj.rank_values(values(drawn()), unit="event")


def test_an_infinite_value_leaves_no_interval():
    line = aj.rank_values(values([[1.0], [math.inf], [2.0], [3.0]])).leaderboard[0]
    assert math.isnan(line["low"])
    assert line["evidence"] == "a value is infinite"


def naive_places(matrix, groups, seed):
    """Draw units one by one, and rank the detectors by their mean ranks."""
    names = sorted(set(groups))
    rng = np.random.default_rng([seed, len(names)])
    own, firsts, orders = ranks(matrix), [], []
    for _ in range(2000):
        drawn = [names[unit] for unit in rng.integers(len(names), size=len(names))]
        rows = [own[s] for g in drawn for s in range(len(matrix)) if groups[s] == g]
        means = np.mean(rows, axis=0)
        best = np.isclose(means, means.min(), atol=1e-9)
        firsts.append(best / best.sum())
        orders.append(stats.rankdata(np.round(means, 9)))
    return np.mean(firsts, axis=0), np.sort(orders, axis=0)[[49, 1949]]


def test_places_are_those_of_plain_draws():
    matrix = drawn(15, 4, seed=2)
    groups = [f"g{s % 6}" if s < 12 else "g0" for s in range(15)]
    board = {line["detector"]: line for line in aj.rank_values(values(matrix, groups)).leaderboard}
    first, ends = naive_places(matrix, groups, 0)
    for d in range(4):
        line = board[f"d{d}"]
        assert line["first_share"] == pytest.approx(first[d])
        assert (line["place_low"], line["place_high"]) == tuple(ends[:, d])
    assert sum(line["first_share"] for line in board.values()) == pytest.approx(1)


def test_the_winner_without_each_data_set():
    matrix = np.array([[0.9, 0.1], [0.9, 0.1], [0.9, 0.1], [0.2, 0.5], [0.2, 0.5], [0.3, 0.4]])
    ranking = aj.rank_values(values(matrix, list("xxxyzz")))
    found = {row["without"]: row["first"] for row in ranking.winners}
    assert found == {"x": ["d1"], "y": ["d0"], "z": ["d0"]}
    assert aj.rank_values(values(matrix)).winners == []
    assert list(ranking.to_frame("winners").columns) == ["metric", "without", "first"]


@pytest.mark.parametrize(
    "units", [2, 3, *(pytest.param(n, marks=pytest.mark.long) for n in (5, 10, 20, 50))]
)
@pytest.mark.parametrize("kind", ["plain", "skewed", "in data sets"])
def test_intervals_hold_the_mean_as_often_as_they_say(units, kind):
    """Also of skewed values, and of series of which those of a data set are alike (0.8)."""
    rng, held, runs = np.random.default_rng(units), 0, 200
    shape = (0.5, 2.0) if kind == "skewed" else (2.0, 2.0)
    true = shape[0] / sum(shape)
    for _ in range(runs):
        if kind == "in data sets":
            of_set = rng.beta(2, 2, size=(units, 1))
            own = np.where(rng.random((units, 5)) < 0.8, of_set, rng.beta(2, 2, size=(units, 5)))
            given = values(own.reshape(-1, 1), np.repeat(np.arange(units), 5))
        else:
            given = values(rng.beta(*shape, size=(units, 1)))
        line = aj.rank_values(given).leaderboard[0]
        held += math.isnan(line["low"]) or line["low"] <= true <= line["high"]
    assert held / runs >= (1 if units == 2 else 0.91)  # of two there is no interval
