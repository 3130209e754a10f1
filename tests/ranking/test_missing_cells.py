"""Missing cells: who is ranked, on which series, and that a partial submission harms nobody."""

import math
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from adjudge.noise.p_values import holm
from adjudge.ranking.collected import Collected
from adjudge.ranking.comparable import Comparable
from adjudge.ranking.result import Ranking
from adjudge.ranking.statistics import compare_pairs, wins

MISS = "undefined"


def collected(columns, metric="auc_roc", better="higher"):
    """Values as they are collected: detector -> a value per series, None where it has none."""
    series = [f"s{place:03}" for place in range(len(next(iter(columns.values()))))]
    rows = {
        name: [row(detector, metric, column[place]) for detector, column in columns.items()
               if column[place] is not None]
        for place, name in enumerate(series)
    }  # fmt: skip
    found = Collected(series, {metric: better})
    for place, name in enumerate(series):
        found.add(place, rows[name])
    return found


def ranking(columns, metric="auc_roc", better="higher", **options):
    """A ranking of such values."""
    return Ranking(collected(columns, metric, better), list, **options)


def row(detector, metric, value):
    value = None if value == MISS else float(value)
    return {"detector": detector, "requested": metric, "metric": metric, "value": value}


def full(detectors=5, series=40, seed=0):
    rng = np.random.default_rng(seed)
    return {f"d{d}": (rng.random(series) + 0.1 * d).tolist() for d in range(detectors)}


def with_holes(columns, name, kept):
    return {**columns, name: [v if i in kept else None for i, v in enumerate(columns[name])]}


def lines(found, *fields):
    return {line["detector"]: tuple(line[field] for field in fields) for line in found.leaderboard}


def test_a_partial_submission_changes_nothing_of_anybody_else():
    columns = full()
    partial = {**columns, "lof": [2.0] * 4 + [None] * 36}
    before, after = ranking(columns), ranking(partial)
    fields = ("mean", "median", "mean_rank", "series", "compared_on")
    others = lines(after, *fields)
    lof = others.pop("lof")
    assert others == lines(before, *fields)
    assert lof[0] == 2.0
    assert math.isnan(lof[2])
    assert lof[3:] == (4, 0)
    assert after.leaderboard[-1]["detector"] == "lof"  # below the line, though its mean is best
    assert after.critical_difference == before.critical_difference
    kept = [r for r in after.comparisons if "lof" not in (r["one"], r["other"])]
    assert kept == before.comparisons
    assert all(r["ranked"] for r in kept)


def test_ranks_of_complete_series_alone_would_have_changed():
    """The rule that this one replaces: only series that all detectors have."""
    columns = full()
    partial = {**columns, "lof": [2.0] * 4 + [None] * 36}
    assert ranking(partial, min_coverage=0.0).critical_difference[0]["series"] == 4
    assert ranking(partial).critical_difference[0]["series"] == 40


def test_pairs_are_compared_on_the_series_that_both_have():
    columns = with_holes(full(3, 20), "d0", range(12))
    found = Comparable.of(collected(columns), "auc_roc")
    rows = {(r["one"], r["other"]): r for r in compare_pairs(found)}
    for one, other in combinations(columns, 2):
        both = [
            (a, b) for a, b in zip(columns[one], columns[other], strict=True)
            if a is not None and b is not None
        ]  # fmt: skip
        expected = stats.wilcoxon(*np.array(both).T).pvalue
        assert rows[one, other]["p_wilcoxon"] == expected
        assert (rows[one, other]["series"], rows[one, other]["of"]) == (len(both), 20)
    own = [rows["d0", "d1"]["p_wilcoxon"], rows["d0", "d2"]["p_wilcoxon"]]
    assert [rows["d0", "d1"]["p_wilcoxon_adjusted"], rows["d0", "d2"]["p_wilcoxon_adjusted"]] == (
        holm(np.array(own)).tolist()
    )
    assert rows["d1", "d2"]["p_wilcoxon_adjusted"] == rows["d1", "d2"]["p_wilcoxon"]


def test_wins_leave_out_series_that_one_of_them_lacks():
    columns = {"a": [1, 2, None, 4], "b": [0, 3, 5, None]}
    assert wins(Comparable.of(collected(columns), "auc_roc")) == [[0, 1], [1, 0]]


@pytest.mark.parametrize(("have", "ranked"), [(18, True), (17, False)])
def test_nine_tenths_of_the_series_are_enough(have, ranked):
    found = ranking(with_holes(full(3, 20), "d1", range(have)))
    line = next(line for line in found.leaderboard if line["detector"] == "d1")
    assert math.isnan(line["mean_rank"]) is not ranked
    assert line["compared_on"] == (18 if ranked else 0)
    assert line["coverage"] == have / 20
    assert {row["compared_on"] for row in found.leaderboard} == ({18} if ranked else {0, 20})


def test_series_that_nobody_has_a_value_on_are_held_against_nobody():
    columns = {name: [*values, *[MISS] * 30] for name, values in full(3, 20).items()}
    assert set(lines(ranking(columns), "coverage").values()) == {(1.0,)}


def test_a_delay_that_is_undefined_is_a_miss_and_the_worst_rank():
    quick, slow = [1.0] * 5 + [MISS] * 15, [9.0] * 20
    found = ranking({"quick": quick, "slow": slow}, "detection_delay", "lower")
    assert [line["detector"] for line in found.leaderboard] == ["slow", "quick"]
    means = lines(found, "mean", "mean_rank", "undefined", "compared_on")
    assert means == {"quick": (1.0, 1.75, 15, 20), "slow": (9.0, 1.25, 0, 20)}
    assert found.win_matrix[0]["slow"] == 5


def test_nobody_is_ranked_where_all_have_too_little():
    found = ranking({"a": [1, 2, None, None], "b": [None, None, 3, 4]})
    assert found.mean_ranks == []
    assert [line["detector"] for line in found.leaderboard] == ["b", "a"]
    (pair,) = found.comparisons
    assert (pair["series"], pair["of"]) == (0, 4)
    assert math.isnan(pair["p_wilcoxon"])
