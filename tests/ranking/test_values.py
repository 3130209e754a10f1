"""Stored values: the leaderboard of values is that of the scores they were made from."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pytest

import adjudge as aj
from ranking.benchmark import benchmark

FIELDS = (
    "mean",
    "low",
    "high",
    "median",
    "mean_rank",
    "series",
    "compared_on",
    "coverage",
    "macro",
)


@pytest.fixture(scope="module")
def ranked():
    data = benchmark()
    del data["x/s00"][1]["fair"]
    return aj.rank(data, ["best(f1_ba)", "auc_roc", "detection_delay(at=0.99)"], chance=False)


@pytest.fixture(scope="module")
def frame(ranked):
    rows = [
        {"series": row["series"], "detector": row["detector"], "metric": row["requested"],
         "value": row["value"], "group": row["group"]}
        for row in ranked.results
    ]  # fmt: skip
    return pd.DataFrame(rows)


@pytest.mark.parametrize(
    "given",
    [lambda f: f, lambda f: f.sample(frac=1, random_state=1), lambda f: f.drop(columns="group"),
     pl.from_pandas, lambda f: f.to_dict("list")],
    ids=["pandas", "in any order", "groups from names", "polars", "mapping"],
)  # fmt: skip
def test_values_give_the_leaderboard_of_the_scores(ranked, frame, given):
    found = aj.rank_values(given(frame))
    lines = {(line["metric"], line["detector"]): line for line in found.leaderboard}
    assert len(lines) == len(ranked.leaderboard)
    for line in ranked.leaderboard:
        other = lines[line["metric"], line["detector"]]
        assert [repr(line[f]) for f in FIELDS] == [repr(other[f]) for f in FIELDS]
    for table in ("comparisons", "critical_difference"):
        one, other = (sorted(map(repr, getattr(r, table))) for r in (ranked, found))
        assert one == other


def test_what_needs_scores_is_not_there(frame):
    line = aj.rank_values(frame).leaderboard[0]
    assert (line["pooled"], line["transferred"], line["tested"]) == (None, None, 0)


def test_one_metric_needs_no_name_and_lower_may_be_better():
    values = {"series": ["s", "s", "t", "t"], "detector": ["a", "b", "a", "b"]}
    values["value"] = [1, 2, 3, 4]
    assert aj.rank_values(values).leaderboard[0]["detector"] == "b"
    low = aj.rank_values(values, better="lower")
    assert (low.leaderboard[0]["detector"], low.metrics) == ("a", ["value"])
    delays = aj.rank_values({**values, "metric": ["Detection Delay"] * 4})
    assert delays.better == {"Detection Delay": "lower"}


def test_an_empty_value_is_undefined_and_a_row_that_is_not_there_is_missing():
    values = {"series": ["s", "s", "t", "t", "u"], "detector": ["a", "b", "a", "b", "a"]}
    values["value"] = [1.0, None, "2", "", np.nan]
    lines = {line["detector"]: line for line in aj.rank_values(values).leaderboard}
    assert [lines["b"][word] for word in ("series", "undefined", "missing")] == [0, 2, 1]
    assert [lines["a"][word] for word in ("series", "undefined", "missing")] == [2, 1, 0]


def test_seeds_are_one_detector():
    values = {"series": ["s", "s", "t"], "detector": ["a#1", "a#2", "a#1"], "value": [1, 3, 5]}
    (line,) = aj.rank_values(values).leaderboard
    assert (line["mean"], line["seeds"], line["series"]) == (3.5, 2, 2)


def test_a_folder_of_values_is_read_back(frame, tmp_path):
    found = aj.rank_values(frame, out=tmp_path / "out", min_coverage=0.5)
    again = aj.read_ranking(tmp_path / "out")
    assert list(map(repr, again.leaderboard)) == list(map(repr, found.leaderboard))
    assert again.min_coverage == 0.5
    assert list(map(repr, again.groups)) == list(map(repr, found.groups))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda f: f.drop(columns="detector"), "data must have a column 'detector', got series"),
        (lambda f: f.assign(value="high"), "value must be a number, got 'high' at row 0"),
        (lambda f: f.assign(value=[[1]] * len(f)), "value must be a number, got"),
        (lambda f: pd.concat([f, f]), "got two of 'blind' on 'x/s00' by 'auc_roc' at rows"),
        (lambda f: f.assign(group=range(len(f))), "group must be the same for all rows of a"),
        (lambda f: f[:0], "data must hold at least one value, got none"),
        (lambda _: {"series": ["a"], "detector": ["b"], "value": [1, 2]},
         "columns of one length, got 1 of series, 1 of detector, 2 of value$"),
        (lambda f: f.assign(detector=[None, *f.detector[1:]]),
         "at row 0$"),
        (lambda f: f.assign(series=[*f.series[:3], math.nan, *f.series[4:]]),
         "at row 3$"),
        (lambda f: f.assign(metric=[*f.metric[:3], "", *f.metric[4:]]),
         "at row 3$"),
        (lambda f: f.assign(value=[1.2] * 2 + [0.5] * (len(f) - 2)),
         r"value must lie between 0 and 1, as auc_roc does, got 1\.2 at row 0; if this is"),
        (lambda f: f.assign(value=math.inf), "between 0 and 100, as auc_roc does, got inf at row"),
        (lambda _: [1, 2], "data must be a data frame or a mapping of columns, got"),
    ],
)  # fmt: skip
def test_wrong_tables_are_refused(frame, change, words):
    with pytest.raises(aj.InputError, match=words):
        aj.rank_values(change(frame))
    with pytest.raises(aj.InputError, match="better must be"):
        aj.rank_values(frame, better="up")
    assert math.isnan(aj.rank_values(frame, min_coverage=1.0).leaderboard[-1]["mean_rank"])


def test_values_in_percent_have_the_intervals_of_shares():
    rng = np.random.default_rng(0)
    names = [(f"s{k}", detector) for k in range(12) for detector in "ab"]
    given = {"series": [s for s, _ in names], "detector": [d for _, d in names],
             "metric": ["F1"] * 24, "value": rng.random(24)}  # fmt: skip
    shares, percent = aj.rank_values(given), aj.rank_values(given | {"value": 100 * given["value"]})
    for one, other in zip(shares.leaderboard, percent.leaderboard, strict=True):
        for name in ("mean", "low", "high"):
            assert other[name] == pytest.approx(100 * one[name])
    rounded = aj.rank_values(given | {"value": [*given["value"][1:], 1 + 1e-9]})
    assert rounded.spans == {"F1": (0, 1 + 1e-9)}


def test_a_series_without_a_data_set_is_a_unit_of_its_own(frame):
    """Whatever says that it has none; all such series are not one data set called nan."""
    names = {name: "x" if k < 2 else "" for k, name in enumerate(sorted(set(frame.series)))}
    plain = frame.assign(group=frame.series.map(names))
    missing = plain.assign(group=plain.group.replace("", None))
    numbers = plain.assign(group=plain.group.map({"x": 1.0, "": math.nan}))
    boards = [aj.rank_values(one).leaderboard for one in (plain, missing, numbers)]
    assert boards[0][0]["units"] == len(names) - 1
    assert list(map(repr, boards[1])) == list(map(repr, boards[0]))
    assert [row["units"] for row in boards[2]] == [row["units"] for row in boards[0]]


def test_a_path_is_read(frame, tmp_path):
    frame.to_csv(tmp_path / "v.csv", index=False)
    for path in (tmp_path / "v.csv", str(tmp_path / "v.csv")):
        found = aj.rank_values(path).leaderboard
        assert list(map(repr, found)) == list(map(repr, aj.rank_values(frame).leaderboard))


def test_infinite_values_of_both_signs_have_no_mean():
    """And say so without a word of NumPy: warnings are errors here."""
    given = {"series": [*"aabbcc"], "detector": [*"xy"] * 3, "group": [*"uuuuvv"],
             "value": [math.inf, 1, -math.inf, 2, 3, 4]}  # fmt: skip
    found = aj.rank_values({**given, "runtime": [1.0] * 6})
    lines = {line["detector"]: line for line in found.leaderboard}
    assert math.isnan(lines["x"]["mean"])
    assert lines["x"]["evidence"] == "a value is infinite"
    assert lines["y"]["mean"] == pytest.approx(7 / 3)
    assert "undefined" in found.to_markdown()


def test_changes_are_ranked_by_their_values():
    rng = np.random.default_rng(0)
    series = {f"s{k}": sorted(rng.choice(200, 4, replace=False).tolist()) for k in range(6)}
    near, far = ({name: [(p + by) % 200 for p in at] for name, at in series.items()}
                 for by in (1, 60))  # fmt: skip
    rows = [
        (name, detector, aj.change_f1(aj.Changes(at, 200), aj.Changes(sorted(found[name]), 200)))
        for name, at in series.items()
        for detector, found in (("near", near), ("far", far))
    ]
    table = dict(zip(("series", "detector", "value"), zip(*rows, strict=True), strict=True))
    board = aj.rank_values({name: list(column) for name, column in table.items()}).leaderboard
    assert board[0]["detector"] == "near"
    data = {"s0": (aj.Changes(series["s0"], 200), {"near": aj.Changes(series["s0"], 200)})}
    with pytest.raises(aj.InputError, match=r"rank the values by adjudge\.rank_values"):
        aj.rank(data, "change_f1")
