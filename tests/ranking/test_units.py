"""Units: what intervals, tests of means and the places of detectors rest on."""

import math

import numpy as np
import pytest
from scipy import stats

import adjudge as aj
from adjudge.noise.p_values import holm
from adjudge.ranking.standings.first_place import elsewhere
from adjudge.ranking.standings.rank_sets import rank_sets
from adjudge.ranking.standings.unit_sums import UnitSums
from adjudge.ranking.statistics import STANDING, ranks
from sampling import one_in


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


def test_places_are_those_of_the_ranks_of_all_units():
    matrix = drawn(15, 4, seed=2)
    groups = np.array([f"g{s % 7}" if s < 12 else "g0" for s in range(15)])
    board = {line["detector"]: line for line in aj.rank_values(values(matrix, groups)).leaderboard}
    units = UnitSums.of(-ranks(matrix), groups)
    first, sets = elsewhere(units).first, rank_sets(units)
    for d in range(4):
        line = board[f"d{d}"]
        assert line["first_share"] == pytest.approx(first[d])
        assert (line["place_low"], line["place_high"]) == (sets.low[d], sets.high[d])
    assert sum(line["first_share"] for line in board.values()) == pytest.approx(1)


def test_the_best_rank_is_first_most_likely_also_where_lower_is_better():
    matrix = drawn(12, 5, seed=3)
    for metric, sign in (("own", 1), ("detection_delay", -1)):
        lines = aj.rank_values(values(10 + sign * matrix, metric=metric)).leaderboard
        shares = [line["first_share"] for line in lines]
        assert shares[0] == max(shares) > 0.3
        assert shares[-1] == min(shares)
        assert lines[0]["place_low"] == 1
    worse = aj.rank_values(values(10 + matrix, metric="detection_delay")).leaderboard
    assert worse[0]["detector"] == lines[-1]["detector"]  # the wrong double


def test_a_series_that_one_lacks_says_nothing_of_places():
    matrix = drawn(13, 3, seed=4)
    table = values(matrix)
    kept = [place for place in range(39) if place != 20]
    holes = {name: [column[place] for place in kept] for name, column in table.items()}
    whole = aj.rank_values(values(np.delete(matrix, 20 // 3, axis=0))).leaderboard
    found = aj.rank_values(holes).leaderboard
    for one, other in zip(whole, found, strict=True):
        assert one["first_share"] == pytest.approx(other["first_share"])
        assert one["place_high"] == other["place_high"]


def test_who_is_not_ranked_has_no_place():
    matrix = drawn(12, 3, seed=5)
    table = values(matrix)
    kept = [place for place in range(36) if place % 3 or place > 20]
    few = {name: [column[place] for place in kept] for name, column in table.items()}
    board = {line["detector"]: line for line in aj.rank_values(few).leaderboard}
    assert all(math.isnan(board["d0"][name]) for name in STANDING)
    assert not any(math.isnan(board["d1"][name]) for name in STANDING)


def test_the_winner_without_each_data_set():
    matrix = np.array([[0.9, 0.1], [0.9, 0.1], [0.9, 0.1], [0.2, 0.5], [0.2, 0.5], [0.3, 0.4]])
    ranking = aj.rank_values(values(matrix, list("xxxyzz")))
    found = {row["without"]: row["first"] for row in ranking.winners}
    assert found == {"x": ["d1"], "y": ["d0"], "z": ["d0"]}
    assert aj.rank_values(values(matrix)).winners == []
    assert list(ranking.to_frame("winners").columns) == ["metric", "without", "first"]


@pytest.mark.parametrize("units", one_in(6, [3, 2, 5, 10, 20, 50]))
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
