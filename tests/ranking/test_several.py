"""Two leaderboards: what moved, and why; and several put together."""

import json

import numpy as np
import pytest
from scipy import stats

import adjudge as aj
from adjudge.noise.intervals.means import mean_difference
from adjudge.noise.p_values import holm
from adjudge.ranking.finished import merge_rankings
from ranking.benchmark import benchmark


def stored(matrix, names="abc", series=None, metric="own", **options):
    series = series or [f"s{s}" for s in range(len(matrix))]
    rows = [(s, d, v) for s, row in zip(series, matrix, strict=True)
            for d, v in zip(names, row, strict=True)]  # fmt: skip
    columns = dict(zip(("series", "detector", "value"), zip(*rows, strict=True), strict=True))
    return aj.rank_values({**columns, "metric": [metric] * len(rows)}, **options)


@pytest.fixture(scope="module")
def matrix():
    return np.random.default_rng(0).random((12, 3)) / 2 + [0.3, 0.2, 0.1]


def test_nothing_moved(matrix):
    change = stored(matrix).against(stored(matrix))
    assert {row["changed"] for row in change.rows} == {0}
    assert {row["p_value"] for row in change.rows} == {1.0}
    verdicts = change.layout().verdicts
    assert verdicts == ("no significant change on the common series",)


def test_a_detector_that_moved_is_told_from_noise(matrix):
    other = matrix.copy()
    other[:, 1] += np.random.default_rng(1).normal(0.2, 0.02, 12)
    other[0, 2] += 0.01
    change = stored(other).against(stored(matrix))
    rows = {row["detector"]: row for row in change.rows}
    for place, name in enumerate("abc"):
        apart = other[:, place] - matrix[:, place]
        assert rows[name]["difference"] == pytest.approx(apart.mean())
        if apart.any():
            assert rows[name]["p_value"] == pytest.approx(stats.ttest_1samp(apart, 0).pvalue)
    p_values = np.array([row["p_value"] for row in change.rows])
    assert [row["p_adjusted"] for row in change.rows] == holm(p_values).tolist()
    assert [rows[name]["changed"] for name in "abc"] == [0, 12, 1]
    moved, values = change.layout().verdicts
    assert moved.startswith("b changed by +0.2")
    assert values == "values: other ones on up to 12 of 12 common series"
    assert (rows["b"]["place_before"], rows["b"]["place"]) == (2, 1)
    assert "1, was 2" in str(change.layout().tables[0].rows)


def test_other_series_are_counted_and_not_mistaken_for_a_change(matrix):
    names = [f"s{s}" for s in range(12)]
    now, before = stored(matrix[2:], series=names[2:]), stored(matrix[:9], series=names[:9])
    change = now.against(before)
    assert {(row["series"], row["added"], row["removed"]) for row in change.rows} == {(7, 3, 2)}
    assert {row["difference"] for row in change.rows} == {0.0}
    assert "series: up to 3 added" in change.layout().verdicts
    assert "series: up to 2 removed" in change.layout().verdicts


def test_a_new_detector_is_a_submission_with_tests_of_its_own(matrix):
    better = np.column_stack([matrix, matrix[:, 0] + 0.2 + matrix[:, 2] / 50])
    now = stored(better, "abcd")
    change = now.against(stored(matrix))
    assert change.submissions == now.submission("d")
    assert change.layout().verdicts[-1] == (
        "d is new: better than a, b, c of 3 others (Holm over these 3)"
    )
    gone = stored(matrix).against(now)
    assert gone.submissions == []
    assert [row["place"] for row in gone.rows] == [1, 2, 3, None]
    assert gone.layout().tables[0].rows[-1][1] == "gone"
    weak = stored(np.column_stack([matrix, matrix[:, 0] - 0.4 - matrix[:, 2] / 50]), "abcd")
    assert "worse than a" in weak.against(stored(matrix)).layout().verdicts[-1]
    even = stored(np.column_stack([matrix[:, :1], matrix[::-1, 0]]), "ad")
    said = even.against(stored(matrix)).layout().verdicts[-1]
    assert said == "d is new: statistically tied with a"


@pytest.mark.parametrize("better", ["higher", "lower"])
def test_better_is_said_of_the_mean_and_not_of_the_number_of_series(better):
    """The p-value is that of the means: who is ahead on few series, but by far, is better."""
    apart = np.array([0.1] * 5 + [-0.01, -0.012, -0.011, -0.009, -0.01, -0.008])
    old = np.linspace(0.3, 0.5, 11)[:, np.newaxis]
    sign = 1 if better == "higher" else -1
    now = stored(np.column_stack([old, old[:, 0] + sign * apart]), "ad", better=better)
    change = now.against(stored(old, "a", better=better))
    (row,) = change.submissions
    assert row["p_adjusted"] <= 0.05
    assert (row["ahead"], row["behind"]) == (5, 6)
    assert change.layout().verdicts[-1] == "d is new: better than a"


@pytest.mark.parametrize(("better", "said"), [("higher", "better"), ("lower", "worse")])
def test_what_moved_did_so_for_the_better_or_the_worse(matrix, better, said):
    other = matrix + np.random.default_rng(1).normal(0.2, 0.02, matrix.shape)
    change = stored(other, better=better).against(stored(matrix, better=better))
    assert all(f" for the {said} (" in one for one in change.layout().verdicts[:3])
    assert change.layout().tables[0].rows[0][5] == "< 0.0001"


def test_who_is_not_ranked_has_no_place(matrix):
    rows = [(f"s{s}", d, matrix[s, k]) for s in range(12) for k, d in enumerate("abc")]
    few = [row for row in rows if row[1] != "a" or row[0] in {"s0", "s1", "s2"}]
    now, before = (
        aj.rank_values(dict(zip(("series", "detector", "value"), zip(*some, strict=True),
                                strict=True)))
        for some in (few, rows)
    )  # fmt: skip
    places = {row[0]: row[1] for row in now.against(before).layout().tables[0].rows}
    assert places == {"b": "1, was 2", "c": "2, was 3", "a": "not ranked, was 1"}
    back = {row[0]: row[1] for row in before.against(now).layout().tables[0].rows}
    assert back["a"] == "1, was not ranked"
    alone = now.against(stored(matrix[:, 1:], "bc", metric="value"))
    assert {row["detector"]: row["place"] for row in alone.rows} == {"b": 1, "c": 2, "a": None}
    assert [row[1] for row in alone.layout().tables[0].rows] == ["1", "2", "not ranked, new"]


def test_series_without_a_data_set_are_units_of_their_own(matrix):
    """As on the leaderboard: they are not one data set that has no name."""
    names = ["x/a", "x/b", *(f"s{s}" for s in range(10))]
    other = matrix + np.random.default_rng(2).normal(0.02, 0.1, matrix.shape)
    change = stored(other, series=names).against(stored(matrix, series=names))
    groups = ["x", "x", *names[2:]]
    for row in change.rows:
        apart = (other - matrix)[:, "abc".index(row["detector"])]
        assert row["p_value"] == pytest.approx(mean_difference(apart, groups).p_value)
    plain = stored(other, series=names, unit="series").against(stored(matrix, series=names))
    apart = (other - matrix)[:, "abc".index(plain.rows[0]["detector"])]
    assert plain.rows[0]["p_value"] == pytest.approx(stats.ttest_1samp(apart, 0).pvalue)


def test_values_that_are_infinite_do_not_move(matrix):
    now, before = matrix.copy(), matrix.copy()
    now[0, 0] = now[1, 1] = before[1, 1] = np.inf
    rows = {row["detector"]: row for row in stored(now).against(stored(before)).rows}
    assert [rows[name]["series"] for name in "abc"] == [11, 11, 12]
    assert {row["difference"] for row in rows.values()} == {0.0}


def test_nothing_in_common_is_said(matrix):
    other = stored(matrix, series=[f"t{s}" for s in range(12)])
    said = other.against(stored(matrix)).layout().verdicts
    assert said[0] == "no detector has a series in both: nothing to compare"
    assert "series: up to 12 added" in said
    assert "series: up to 12 removed" in said
    strangers = stored(matrix, "xyz").against(stored(matrix)).layout().verdicts
    assert strangers[0] == "no detector is in both: nothing to compare"


def test_other_scales_and_directions_are_not_compared(matrix, tmp_path):
    """Of one that is in percent every detector would have moved."""
    share, percent = (stored(k * matrix, metric="f1", out=tmp_path / f"{k}") for k in (1, 100))
    rule = "values of f1 must have one scale, got 0 to 1 and 0 to 100; .* percent"
    with pytest.raises(aj.InputError, match=rule):
        share.against(percent)
    with pytest.raises(aj.InputError, match=rule):
        merge_rankings([tmp_path / "1", tmp_path / "100"])
    stored(matrix, better="lower", out=tmp_path / "low")
    stored(matrix, "xyz", out=tmp_path / "high")
    rule = "one direction, got higher and"
    with pytest.raises(aj.InputError, match=rule):
        merge_rankings([tmp_path / "high", tmp_path / "low"])
    with pytest.raises(aj.InputError, match=rule):
        aj.read_ranking(tmp_path / "high").against(aj.read_ranking(tmp_path / "low"))


def test_versions_and_settings_that_differ_are_named(matrix, tmp_path):
    for name, coverage in (("a", 0.9), ("b", 0.5)):
        stored(matrix, out=tmp_path / name, min_coverage=coverage)
    now, before = (aj.read_ranking(tmp_path / name) for name in ("a", "b"))
    change = now.against(before)
    assert change.settings == {"min_coverage": (0.5, 0.9)}
    assert "min_coverage: 0.5 before, 0.9 now" in change.layout().verdicts
    json.dumps(change.to_dict())


def test_without_a_common_metric_there_is_nothing_to_compare(matrix):
    with pytest.raises(aj.InputError, match="got own and ap"):
        stored(matrix).against(stored(matrix, metric="ap"))
    with pytest.raises(aj.InputError, match="must share a metric"):
        stored(matrix).against(stored(matrix), "ap")


def test_few_series_have_no_interval(matrix):
    rows = stored(matrix[:2] + 0.1).against(stored(matrix[:2])).layout().tables[0].rows
    assert rows[0][4] == "+0.1000"


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Two people: other detectors on the same series, and one more series."""
    root, data = tmp_path_factory.mktemp("merge"), benchmark()
    mine = {name: (labels, {"good": s["good"]}) for name, (labels, s) in data.items()}
    theirs = {name: (labels, {k: s[k] for k in ("fair", "blind")})
              for name, (labels, s) in list(data.items())[:5]}  # fmt: skip
    for name, some in (("mine", mine), ("theirs", theirs), ("all", data)):
        aj.rank(some, ["best(f1_ba)", "auc_roc"], out=root / name, chance=False, pooled=False)
    return root, data


def test_two_folders_are_one_ranking(folders, tmp_path):
    root, data = folders
    del data
    merged = merge_rankings([root / "mine", root / "theirs"], tmp_path / "out")
    rows = {(r["series"], r["detector"], r["requested"]): r["value"] for r in merged.results}
    every = aj.read_ranking(root / "all").results
    expected = {(r["series"], r["detector"], r["requested"]): r["value"] for r in every}
    assert len(rows) == 2 * (6 + 10)
    assert all(expected[key] == value for key, value in rows.items())
    again = aj.read_ranking(tmp_path / "out")
    assert list(map(repr, again.leaderboard)) == list(map(repr, merged.leaderboard))
    assert merged.groups[0]["group"] == "x"


def test_what_does_not_fit_together_is_refused(folders, tmp_path):
    root, data = folders
    other = {name: (labels, {"good": s["fair"]}) for name, (labels, s) in data.items()}
    aj.rank(other, "auc_roc", out=tmp_path / "other", chance=False)
    with pytest.raises(aj.InputError, match="must agree where they overlap, got"):
        merge_rankings([root / "mine", tmp_path / "other"])
    moved = {name: (np.roll(np.repeat([1, 0], [9, 291]), 50), {"new": s["fair"]})
             for name, (_, s) in data.items()}  # fmt: skip
    aj.rank(moved, "best(f1_ba)", out=tmp_path / "moved", chance=False)
    with pytest.raises(aj.InputError, match="must be of the same series, got best"):
        merge_rankings([root / "mine", tmp_path / "moved"])
    with pytest.raises(aj.InputError, match="must be at least two rankings, got 1"):
        merge_rankings([root / "mine"])


def test_a_merge_does_not_write_over_what_it_reads(folders):
    root, _ = folders
    before = (root / "mine" / "manifest.json").read_bytes()
    with pytest.raises(aj.InputError, match=r"out must be a"):
        merge_rankings([root / "mine", root / "theirs"], root / "theirs" / ".." / "mine")
    assert (root / "mine" / "manifest.json").read_bytes() == before


def test_other_data_sets_and_failures_are_named(matrix, tmp_path):
    columns = {"series": [*"abcd"], "detector": ["x"] * 4, "value": [0.1, 0.2, 0.3, 0.4]}
    aj.rank_values({**columns, "group": [*"uuvv"]}, out=tmp_path / "one")
    aj.rank_values({**columns, "detector": ["y"] * 4, "group": [*"uvvv"]}, out=tmp_path / "other")
    with pytest.raises(aj.InputError, match="of a series, got 'v' and 'u' for 'b'"):
        merge_rankings([tmp_path / "one", tmp_path / "other"])
    labels, scores = benchmark(1)["x/s00"]
    for name, last in (("good", 0.5), ("bad", np.nan)):
        column = np.append(scores["good"][1:], last)
        aj.rank({"s": (labels, {"d": column})}, "auc_roc", out=tmp_path / name, chance=False)
    with pytest.raises(
        aj.InputError, match=r"got a failure \(scores must be .* and 0\.\d+ for 'd'"
    ):
        merge_rankings([tmp_path / "good", tmp_path / "bad"])


def test_a_merged_ranking_says_with_what_it_was_made(matrix, tmp_path):
    for name, names in (("one", "abc"), ("other", "xyz")):
        stored(matrix, names, out=tmp_path / name)
    merged = merge_rankings([tmp_path / "one", tmp_path / "other"])
    assert merged.against(aj.read_ranking(tmp_path / "one")).settings == {}


def test_failed_cells_are_merged_too(tmp_path):
    labels, scores = benchmark(1)["x/s00"]
    bad = np.append(scores["good"][1:], np.nan)
    for name, column in (("a", bad), ("b", scores["fair"])):
        aj.rank({"x/s00": (labels, {name: column})}, "auc_roc", out=tmp_path / name, chance=False)
    found = merge_rankings([tmp_path / "a", tmp_path / "b"])
    assert {r["detector"]: r["failed"] for r in found.leaderboard} == {"a": 1, "b": 0}
