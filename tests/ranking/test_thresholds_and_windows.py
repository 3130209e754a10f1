"""What differs by detector or series: thresholds, training parts, windows; what detectors took."""

import json

import numpy as np
import pandas as pd
import pytest

import adjudge as aj
from adjudge.errors import FileError, InputError
from adjudge.ranking.finished import merge_rankings, read_ranking
from adjudge.ranking.run import rank

N = 120


def drawn(place):
    rng = np.random.default_rng(place)
    labels = np.zeros(N, int)
    labels[30 + place : 42 + place] = labels[80:90] = 1
    return labels, {name: rng.random(N) + labels * k / 2 for k, name in enumerate(("lof", "mine"))}


@pytest.fixture(scope="module")
def data():
    return {f"s{place}": drawn(place) for place in range(4)}


def rows(found):
    return {(r["series"], r["detector"]): r for r in found.results}


@pytest.mark.parametrize("chance", [False, True])
def test_each_detector_has_its_threshold(data, chance):
    found = rank(data, "f1_ba", at={"mine": 0.9, None: "quantile(0.9)"}, chance=chance)
    for (series, detector), row in rows(found).items():
        labels, scores = data[series]
        at = 0.9 if detector == "mine" else "quantile(0.9)"
        expected = aj.evaluate(labels, scores[detector], "f1_ba", at=at, chance=False).rows[0]
        assert (row["value"], row["at"], row["chosen_by"], row["requested"]) == (
            expected.value, expected.at, expected.chosen_by, "f1_ba",
        )  # fmt: skip
    assert "thresholds: mine 0.9, others quantile(0.9)" in found.board().notes
    assert found.leaderboard[0]["pooled"] is None


def test_what_chance_scores_is_at_that_threshold(data):
    """One threshold for all gives the same verdicts whether it is in the metric or beside it."""
    inside, beside = rank(data, "f1_ba(at=0.9)"), rank(data, "f1_ba", at={None: 0.9})
    for one, other in zip(inside.leaderboard, beside.leaderboard, strict=True):
        for name in ("detector", "mean", "p_value", "better_on", "low", "high"):
            np.testing.assert_equal(one[name], other[name], name)


def test_seeds_and_prefixes_have_the_threshold_of_their_detector(data):
    named = {
        name: (labels, {"score_a#1": scores["lof"], "score_a#2": scores["mine"]})
        for name, (labels, scores) in data.items()
    }
    found = rank(named, "f1", at={"a": 0.75}, chance=False)
    assert {row["at"] for row in found.results} == {0.75}


def test_a_detector_without_a_threshold_fails(data):
    found = rank(data, "f1", at={"mine": 0.9}, chance=False)
    said = {row["error"] for row in found.results if row["detector"] == "lof"}
    assert said == {"at must name every detector, got none for 'lof'"}


@pytest.mark.parametrize("chance", [False, True])
def test_a_threshold_is_tuned_on_a_part_and_judges_the_rest(data, chance):
    at = aj.tuned("f1_ba", on="0:60")
    found = rank(data, ["f1_ba", "ap"], at=at, chance=chance)
    for (series, detector), row in rows(found).items():
        labels, scores = data[series]
        expected = aj.evaluate(
            labels, scores[detector], row["requested"], at=at, chance=False
        ).rows[0]
        assert row["value"] == expected.value
    assert {line["pooled"] for line in found.leaderboard} == {None}
    assert 'thresholds: tuned(f1_ba, on="0:60")' in found.board().notes


def test_rules_learn_on_the_training_part(data):
    lengths = {name: 20 + place for place, name in enumerate(data)}
    for train in (25, lengths):
        found = rank(data, "f1", at={"mine": 0.5, None: "quantile(0.9)"}, train=train, chance=False)
        for (series, detector), row in rows(found).items():
            n = train if isinstance(train, int) else train[series]
            scores = data[series][1][detector]
            learnt = aj.quantile(0.9, on=f"0:{n}")(aj.Case(data[series][0], scores))
            assert row["at"] == (0.5 if detector == "mine" else learnt)
    missing = rank(data, "f1", at="quantile(0.9)", train={"s0": 20}, chance=False)
    assert {r["error"] for r in missing.results if r["series"] == "s1"} == {
        "train must name every series, got none for 's1'"
    }


def long(data):
    parts = [
        pd.DataFrame({
            "series": name, "label": labels, **{f"score_{d}": s for d, s in scores.items()},
            "fit": np.arange(N) < 50, "w": 5 + place,
        })
        for place, (name, (labels, scores)) in enumerate(data.items())
    ]  # fmt: skip
    return pd.concat(parts, ignore_index=True)


@pytest.mark.parametrize("form", ["frame", "csv", "files"])
def test_columns_say_where_to_learn_and_the_window(data, form, tmp_path):
    table = long(data)
    given, how = table, {"scores": ["score_lof", "score_mine"]}
    if form == "csv":
        given, how = tmp_path / "all.csv", {"series": "series"}
        table.to_csv(given, index=False)
    elif form == "files":
        given, how = tmp_path / "files", {}
        given.mkdir()
        for name, own in table.groupby("series"):
            own.drop(columns="series").to_csv(given / f"{name}.csv", index=False)
    found = rank(given, ["f1", "vus_pr"], at="quantile(0.9)", train="fit", window="w",
                 chance=False, **how)  # fmt: skip
    for row in found.results:
        labels, scores = data[row["series"]]
        column = scores[row["detector"].removeprefix("score_")]
        if row["requested"] == "f1":
            assert row["at"] == aj.quantile(0.9, on="0:50")(aj.Case(labels, column))
        else:
            window = 5 + int(row["series"][1:])
            assert row["value"] == aj.vus_pr(labels, column, window=window)
            assert f"window={window}" in row["metric"]
    tuned = rank(given, "f1", tune_on="fit", tune_by="f1", chance=False, **how)
    for row in tuned.results:
        labels, scores = data[row["series"]]
        column = scores[row["detector"].removeprefix("score_")]
        at = aj.tuned("f1", on="0:50")
        assert row["value"] == aj.evaluate(labels, column, "f1", at=at, chance=False)["f1"]
    words = "thresholds: best by f1 on the tuning points, which are not judged"
    assert words in tuned.board().notes


def test_a_window_is_what_a_function_makes_of_the_labels(data):
    specs = ["vus_pr", "vus_roc(window=3)", "ap"]
    found = rank(data, specs, window=lambda labels: labels.sum() // 4, chance=False)
    by_name = rank(data, specs, window=dict.fromkeys(data, 5), chance=False)
    assert found.results == by_name.results
    resolved = {row["requested"]: row["metric"] for row in found.results}
    assert "window=5" in resolved["vus_pr"]
    assert "window=3" in resolved["vus_roc(window=3)"]
    pooled = {line["metric"]: line["pooled"] for line in found.leaderboard}
    assert pooled["vus_pr"] is None
    assert pooled["vus_roc(window=3)"] is not None


def test_the_window_is_part_of_what_a_row_depends_on(data, tmp_path):
    first = rank(data, "vus_pr", window=dict.fromkeys(data, 5), chance=False, out=tmp_path)
    other = rank(data, "vus_pr", window=dict.fromkeys(data, 9), chance=False, out=tmp_path)
    assert first.leaderboard[0]["mean"] != other.leaderboard[0]["mean"]


@pytest.mark.parametrize(
    ("window", "message"),
    [
        ({"s0": 5}, "window must name every series, got none for 's"),
        (lambda _: 0, "window must be a whole number"),
    ],
)
def test_a_window_that_is_none_fails_the_series(data, window, message):
    found = rank(data, "vus_pr", window=window, chance=False)
    assert all(message in why for name, why in found.failed.items() if name != "s0")
    assert "s1" in found.failed


@pytest.mark.parametrize(("cells", "message"), [
    (["5", "6"], "window must be one per series, got 5, 6"),
    (["wide", "wide"], "window must be a whole number"),
    (["5.5", "5.5"], "window must be a whole number"),
])  # fmt: skip
def test_a_column_of_windows_that_is_none_fails_the_series(cells, message, tmp_path):
    frame = pd.DataFrame({"label": [0, 1] * 10, "score": range(20), "w": cells * 10})
    frame.to_csv(tmp_path / "a.csv", index=False)
    found = rank(tmp_path, "vus_pr", window="w", chance=False)
    assert message in found.failed["a"]


def test_a_whole_number_may_be_written_with_a_point(tmp_path):
    frame = pd.DataFrame({"label": [0, 1] * 10, "score": range(20), "w": ["4.0"] * 20})
    frame.to_csv(tmp_path / "a.csv", index=False)
    (row,) = rank(tmp_path, "vus_pr", window="w", chance=False).results
    assert "window=4" in row["metric"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"train": 5}, "train needs a rule"),
        ({"at": 0.5, "train": 5}, "train needs a rule .*got 0.5"),
        ({"at": 0.5, "tune_on": "fit"}, "tune_on chooses the threshold: leave out at and train"),
        ({"tune_on": "fit"}, "tune_on has no effect on series in memory"),
        ({"at": "top(3)", "train": 0}, "train must be a whole number"),
    ],
)
def test_what_cannot_be_is_refused(data, given, message):
    with pytest.raises(InputError, match=message):
        rank(data, "f1", chance=False, **given)


def test_a_series_without_a_training_part_fails(tmp_path):
    """UCR's names say where the training part ends; those of SMD do not."""
    (tmp_path / "test_label").mkdir()
    np.savetxt(tmp_path / "test_label" / "machine-1-1.txt", [0, 0, 1, 0], fmt="%d")
    (tmp_path / "scores" / "a").mkdir(parents=True)
    np.save(tmp_path / "scores" / "a" / "machine-1-1.npy", np.arange(4.0))
    found = rank(tmp_path, "f1", at="top(1)", train="yes", score_folder=tmp_path / "scores",
                 chance=False)  # fmt: skip
    assert "train must be known of every series" in found.results[0]["error"]


def test_what_detectors_took_is_carried_along(data, tmp_path):
    took = {"detector": ["lof", "lof", "mine"], "series": ["s0", "s1", "s0"],
            "runtime": [1.0, 3.0, 0.5], "memory": [10.0, np.nan, np.nan]}  # fmt: skip
    found = rank(data, "ap", resources=took, chance=False, out=tmp_path / "out")
    lines = {line["detector"]: line for line in found.leaderboard}
    assert (lines["lof"]["runtime"], lines["lof"]["memory"]) == (2.0, 10.0)
    assert (lines["mine"]["runtime"], lines["mine"]["memory"]) == (0.5, None)
    assert read_ranking(tmp_path / "out").leaderboard == found.leaderboard
    stored = json.loads((tmp_path / "out" / "ranking.json").read_text())
    assert {row["detector"]: row["runtime"] for row in stored["leaderboard"]} == {
        "lof": 2.0, "mine": 0.5,
    }  # fmt: skip
    titles = [column.title for column in found.board(order_by="runtime").tables[0].columns]
    assert {"runtime", "memory"} <= set(titles)
    first = found.board(order_by="runtime").tables[0].columns[0].cells
    assert first == ("mine", "lof")
    pd.DataFrame(took).to_csv(tmp_path / "took.csv", index=False)
    again = rank(data, "ap", resources=tmp_path / "took.csv", chance=False)
    assert again.leaderboard == found.leaderboard
    other = rank(data, "auc_roc", chance=False, out=tmp_path / "other")
    merged = merge_rankings([tmp_path / "other", tmp_path / "out"])
    assert {line["runtime"] for line in merged.leaderboard} == {2.0, 0.5}
    assert {line["runtime"] for line in other.leaderboard} == {None}


def test_whoever_took_something_and_is_not_ranked_is_named(data):
    names = ["mine", "lof", "thier", *(f"n{i}" for i in range(12))]
    took = {"detector": names, "runtime": np.arange(15.0)}
    found = rank(data, "ap", resources=took, chance=False)
    assert found.unknown_resources == names[2:]
    said = [note for note in found.board().notes if note.startswith("resources")]
    assert said == [
        f"resources of unknown detectors, not used: thier, {', '.join(names[3:14])} and 1 more"
    ]
    fine = rank(data, "ap", resources={"detector": ["lof"], "memory": [1.0]}, chance=False)
    assert not any("resources" in note for note in fine.board().notes)


def test_an_order_needs_values(data):
    found = rank(data, "ap", resources={"detector": ["lof"], "memory": [1.0]}, chance=False,
                 pooled=False)  # fmt: skip
    assert found.board(order_by="memory").tables[0].columns[0].cells[0] == "lof"
    for column, fix in (("runtime", "resources= (--resources FILE)"), ("pooled", "pooled=True")):
        with pytest.raises(InputError, match="must be a column") as refused:
            found.board(order_by=column)
        assert f"got '{column}'" in str(refused.value)
        assert fix in str(refused.value)
    with pytest.raises(InputError, match="got 'gap'"):
        found.board(order_by="gap")


def test_stored_values_carry_it_too(tmp_path):
    table = pd.DataFrame({
        "series": ["a", "b"] * 2, "detector": ["x", "x", "y#1", "y#2"], "value": [0.1] * 4,
        "runtime": [1.0, 2.0, 3.0, 5.0],
    })  # fmt: skip
    table.to_csv(tmp_path / "v.csv", index=False)
    from adjudge.ranking.values import read_values  # noqa: PLC0415 - the file's reader

    for given in (table, read_values(tmp_path / "v.csv")):
        lines = aj.rank_values(given).leaderboard
        assert {line["detector"]: line["runtime"] for line in lines} == {"x": 1.5, "y": 4.0}


@pytest.mark.parametrize("wrong", [{"detector": ["a"]}, {"runtime": [1.0]}, 5])
def test_resources_need_their_columns(data, wrong):
    with pytest.raises(InputError, match="resources must have a column 'detector', and 'runtime'"):
        rank(data, "ap", resources=wrong, chance=False)


def test_a_file_of_resources_needs_its_columns(data, tmp_path):
    for head in ("name,seconds", "detector,seconds", "name,runtime"):
        (tmp_path / "took.csv").write_text(f"{head}\nlof,1\n")
        with pytest.raises(FileError, match=r"took.csv: resources must have a column 'detector'"):
            rank(data, "ap", resources=tmp_path / "took.csv", chance=False)
