"""Where the series of a benchmark come from."""

import numpy as np
import pandas as pd
import pytest

import adjudge as aj
from adjudge.errors import FileError, InputError
from adjudge.ranking import sources
from adjudge.ranking.run import rank
from adjudge.ranking.sources import ReadOptions, in_words, units_of
from ranking.benchmark import benchmark, write


@pytest.fixture(scope="module")
def data():
    return benchmark(4)


def values(ranking):
    return {
        (row["series"], row["detector"].removeprefix("score_")): row["value"]
        for row in ranking.results
    }


@pytest.fixture(scope="module")
def expected(data):
    return values(rank(data, "auc_roc", chance=False))


def long_frame(data):
    return pd.concat(
        pd.DataFrame({"series": name, "label": labels, **scores})
        for name, (labels, scores) in data.items()
    )


def test_a_folder_is_its_files(data, expected, tmp_path):
    write(tmp_path, data)
    (tmp_path / "notes.md").write_text("not a series")
    assert expected == values(rank(tmp_path, "auc_roc", chance=False))
    assert expected == values(rank([str(tmp_path)], "auc_roc", chance=False))


def test_patterns_and_files_are_series_by_their_own_names(data, expected, tmp_path):
    write(tmp_path, data)
    short = {(name.rpartition("/")[2], detector): v for (name, detector), v in expected.items()}
    assert short == values(rank(f"{tmp_path}/*/*.csv", "auc_roc", chance=False))
    paths = sorted(tmp_path.rglob("*.csv"))
    assert short == values(rank(paths, "auc_roc", chance=False))


def test_a_long_table_is_parted_by_its_ids(data, expected, tmp_path):
    frame = long_frame(data)
    detectors = ["blind", "fair", "good"]
    assert expected == values(rank(frame, "auc_roc", chance=False))
    frame.to_csv(tmp_path / "long.csv", index=False)
    found = rank(tmp_path / "long.csv", "auc_roc", chance=False, series="series", scores=detectors)
    assert expected.keys() == values(found).keys()
    frame.to_parquet(tmp_path / "long.parquet")
    found = rank(
        tmp_path / "long.parquet", "auc_roc", chance=False, series="series", scores=detectors
    )
    assert expected == values(found)


def test_rows_of_a_series_need_not_be_adjacent(data, expected):
    frame = long_frame(data).reset_index(drop=True)
    mixed = pd.concat([frame[::2], frame[1::2]]).sort_index(kind="stable")
    order = np.argsort(np.arange(len(mixed)) % 7, kind="stable")
    assert {u.series for u in units_of(mixed.iloc[order], ReadOptions()).units} == set(data)
    assert expected == values(rank(mixed, "auc_roc", chance=False))


def test_points_that_are_not_judged_are_left_out(data):
    labels, scores = data["x/s00"]
    where = np.arange(300) >= 100
    found = values(rank({"a": (labels, scores, where)}, "auc_roc", chance=False))
    cut = values(
        rank(
            {"a": (labels[100:], {k: v[100:] for k, v in scores.items()})}, "auc_roc", chance=False
        )
    )
    assert found == cut
    frame = pd.DataFrame({"series": "a", "label": labels, "w": where, **scores})
    assert found == values(rank(frame, "auc_roc", chance=False, where="w"))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({}, "data must hold at least one series, got none"),
        (5, "data must be paths, a table or a mapping of series, got 5"),
        ({"a": 5}, r"data\['a'\] must be \(labels, .*\), got int"),
        ({"a": ([0, 1], [0, 1])}, r"data\['a'\] must name its detectors"),
        ("nothing*.csv", "must match at least one file"),
        (pd.DataFrame({"label": [0, 1], "d": [0, 1]}), "data must have a column 'series'"),
    ],
)
def test_what_is_no_benchmark_is_refused(wrong, said):
    with pytest.raises((InputError, FileError), match=said):
        rank(wrong)


def test_two_series_of_one_name_are_refused(data, tmp_path):
    write(tmp_path / "one", data)
    with pytest.raises(InputError, match="name per series, got 'x/s00' twice"):
        rank([tmp_path / "one", tmp_path / "one"])


def test_the_two_files_of_one_name_are_named(tmp_path):
    frame = pd.DataFrame({"label": [0, 1, 0], "score": [0.1, 0.9, 0.2]})
    frame.to_csv(tmp_path / "a.csv", index=False)
    frame.to_parquet(tmp_path / "a.parquet")
    with pytest.raises(InputError, match=r"'a' twice: .*a\.csv and .*a\.parquet; move one away"):
        rank(tmp_path)


def test_an_empty_folder_is_refused(tmp_path):
    with pytest.raises(InputError, match="at least one series"):
        rank(tmp_path)


def test_a_published_benchmark_is_recognised(tmp_path):
    (tmp_path / "labels").mkdir()
    windows = '{"real/a.csv": [["2020-01-01 00:20:00", "2020-01-01 00:25:00"]]}'
    (tmp_path / "labels" / "combined_windows.json").write_text(windows)
    for detector in ("one", "two"):
        folder = tmp_path / "results" / detector / "real"
        folder.mkdir(parents=True)
        rows = [f"2020-01-01 00:{minute:02}:00,{minute % 7 / 7}" for minute in range(40)]
        text = "timestamp,anomaly_score\n" + "\n".join(rows) + "\n"
        (folder / f"{detector}_a.csv").write_text(text)
    found = rank(tmp_path, "auc_roc", chance=False)
    assert (found.series, found.detectors) == (["real/a"], ["one", "two"])
    assert found.leaderboard[0]["series"] == 1


def test_a_table_with_a_column_of_detectors_is_recognised(data, expected, tmp_path):
    parts = [
        pd.DataFrame({"series": name, "detector": detector, "label": labels, "score": column})
        for name, (labels, scores) in data.items()
        for detector, column in scores.items()
    ]
    pd.concat(parts).to_parquet(tmp_path / "long.parquet")
    assert expected == values(rank(tmp_path / "long.parquet", "auc_roc", chance=False))


def test_a_mask_of_words_in_a_frame_is_refused_not_taken_for_true():
    frame = pd.DataFrame({"series": ["a"] * 4, "label": [0, 1, 0, 0], "d": [0.1, 0.9, 0.2, 0.8]})
    found = rank(frame.assign(use=["True"] * 3 + ["False"]), "auc_roc", where="use", chance=False)
    assert "where must be" in found.failed["a"]
    held = rank(frame.assign(use=[1, 1, 1, 0]), "auc_roc", where="use", scores=["d"], chance=False)
    assert held.leaderboard[0]["mean"] == 1


def test_a_linked_folder_is_read_like_any_other_and_a_circle_of_links_once(data, tmp_path):
    write(tmp_path / "elsewhere", data)
    (tmp_path / "all").mkdir()
    (tmp_path / "all" / "linked").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere" / "round").symlink_to(tmp_path / "elsewhere")
    found = units_of(tmp_path / "all", ReadOptions()).units
    assert [unit.series for unit in found] == [f"linked/{name}" for name in sorted(data)]


def test_series_beside_what_a_ranking_or_a_study_wrote_are_series(data, expected, tmp_path):
    write(tmp_path / "x", {name: held for name, held in data.items() if name.startswith("x")})
    folder = tmp_path / "x"
    rank(folder, "auc_roc", chance=False, out=folder / "x")  # which writes among the series
    (folder / "x" / "shards" / "mine.csv").write_bytes((folder / "x" / "s00.csv").read_bytes())
    aj.study(10, metrics=["f1"], out=folder / "studied")
    (folder / "ranks.csv").write_bytes((folder / "x" / "s00.csv").read_bytes())
    found = rank(folder, "auc_roc", chance=False)
    assert found.series == ["ranks", "x/s00", "x/s02", "x/shards/mine"]
    assert {key: value for key, value in expected.items() if key[0].startswith("x/")} == {
        key: value for key, value in values(found).items() if key[0] in data
    }
    assert found.failed == {}
    ours = {path.removeprefix(f"{folder}/"): why for path, why in found.left_out.items()}
    assert ours == {
        **dict.fromkeys(
            ("x/.adjudge.lock", "x/manifest.json", "x/ranking.csv", "x/ranking.json",
             "x/results.csv", "x/results.parquet", "x/shards/000001.jsonl"),
            "written by a ranking",
        ),
        **dict.fromkeys(
            ("studied/.adjudge.lock", "studied/study.json", "studied/experiments.csv",
             "studied/experiments.parquet"),
            "written by a study",
        ),
    }  # fmt: skip


def test_a_lock_alone_makes_nothing_ours(data, tmp_path):
    write(tmp_path, data)
    (tmp_path / "x" / ".adjudge.lock").touch()
    (tmp_path / "x" / "manifest.json").write_text("{}")  # of somebody else
    found = rank(tmp_path, "auc_roc", chance=False)
    assert found.series == sorted(data)
    assert set(found.left_out.values()) == {"no suffix of a table"}


def test_what_is_left_out_is_said_with_the_reason(data, tmp_path):
    write(tmp_path, data)
    for number in range(5):
        (tmp_path / f"notes{number}.md").write_text("not a series")
    (tmp_path / "to nowhere").symlink_to(tmp_path / "gone")
    (tmp_path / "round").symlink_to(tmp_path)
    told = []
    found = rank(tmp_path, "auc_roc", chance=False, listed=told.append)
    assert told == [f"4 series found; left out: {in_words(found.left_out)}"]
    with pytest.raises(InputError, match="listed must be a function, got 5"):
        rank(tmp_path, "auc_roc", chance=False, listed=5)
    reasons = {path.removeprefix(f"{tmp_path}/"): why for path, why in found.left_out.items()}
    assert reasons == {
        **{f"notes{number}.md": "no suffix of a table" for number in range(5)},
        "to nowhere": "neither a file nor a folder",
        "round": "a link to a folder above it",
    }
    words = in_words(reasons)
    assert "notes0.md, notes1.md, notes2.md and 2 more (no suffix of a table)" in words
    assert rank(data, "auc_roc", chance=False).left_out == {}


def test_a_pattern_leaves_out_what_a_ranking_wrote(data, tmp_path):
    write(tmp_path, data)
    rank(tmp_path, "auc_roc", chance=False, out=tmp_path / "ranked")
    found = rank(f"{tmp_path}/**/*.csv", "auc_roc", chance=False)
    assert found.series == ["s00", "s01", "s02", "s03"]
    assert set(found.left_out.values()) == {"written by a ranking"}


def test_a_folder_with_nothing_but_what_we_wrote_says_so(data, tmp_path):
    rank(data, "auc_roc", chance=False, out=tmp_path / "ranked")
    with pytest.raises(InputError, match=r"got none in .*left out: .*\(written by a ranking\)"):
        rank(tmp_path)


def test_tables_beside_those_that_are_series_by_their_names_are_told(tmp_path):
    name = "001_NAB_id_1_Facility_tr_2_1st_3"
    text = "v,Label\n" + "".join(f"{row},{int(row == 3)}\n" for row in range(5))
    (tmp_path / f"{name}.csv").write_text(text)
    (tmp_path / "other.csv").write_text(text)
    (tmp_path / "scores" / "one").mkdir(parents=True)
    np.save(tmp_path / "scores" / "one" / f"{name}.npy", np.arange(5.0))
    found = rank(tmp_path, "auc_roc", chance=False, score_folder=tmp_path / "scores")
    assert found.series == [f"NAB/{name}"]
    assert found.left_out == {str(tmp_path / "other.csv"): "no name of a TSB-AD series"}
    one = rank(tmp_path / f"{name}.csv", "auc_roc", chance=False, score_folder=tmp_path / "scores")
    assert one.left_out == {}


def test_a_folder_that_cannot_be_read_is_no_empty_one(tmp_path, monkeypatch):
    def refuse(_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.iterdir", refuse)
    with pytest.raises(FileError, match="cannot be read: Permission denied"):
        units_of(tmp_path, ReadOptions())


def test_a_joined_file_that_changes_is_read_again(tmp_path):
    labels = np.tile([0, 0, 1, 0], 20)
    place = np.arange(80)
    long = pd.DataFrame({"t": place, "name": np.repeat(["a", "b"], 40), "label": labels})
    long.to_csv(tmp_path / "long.csv", index=False)

    def mean(scores):
        pd.DataFrame({"t": place, "score": scores}).to_csv(tmp_path / "scores.csv", index=False)
        how = {"series": "name", "score_folder": tmp_path / "scores.csv", "on": ("t",)}
        found = rank(tmp_path / "long.csv", "auc_roc", chance=False, **how)
        return found.leaderboard[0]["mean"]

    assert (mean(labels), mean(0.5 - labels)) == (1, 0)


def test_columns_in_another_order_are_refused_in_memory_too():
    labels, scores = pd.Series([0, 0, 1, 1]), pd.Series([0.1, 0.2, 0.8, 0.9])
    backwards = scores[::-1]
    with pytest.raises(InputError, match=r"data\['a'\]\[0\] and data\['a'\]\[1\]\['x'\] must have"):
        rank({"a": (labels, {"x": backwards})}, "auc_roc", chance=False)
    with pytest.raises(InputError, match="and where must have the same index"):
        rank({"a": (labels, {"x": scores}, labels[::-1] >= 0)}, "auc_roc", chance=False)


def test_the_label_of_an_anomaly_can_be_said_of_frames_and_of_what_is_in_memory():
    labels, scores = np.array([1, 1, 0, 0]), np.array([0.1, 0.2, 0.8, 0.9])
    frame = pd.DataFrame({"series": "a", "label": labels, "x": scores})
    for given in (frame, {"a": (labels, {"x": scores})}):
        assert rank(given, "auc_roc", chance=False).leaderboard[0]["mean"] == 0
        assert rank(given, "auc_roc", chance=False, positive=0).leaderboard[0]["mean"] == 1


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        ({"label": "truth"}, "series in memory"),
        ({"where": "used"}, "series in memory"),
        ({"score_folder": "scores"}, "series in memory"),
        ({"sep": ";"}, "series in memory"),
        ({"judged": "test"}, "a data frame"),
        ({"on": ("key",)}, "a data frame"),
        ({"judged": "test"}, "files of points"),
        ({"decimal": ","}, "files without text"),
    ],
)
def test_what_a_source_would_ignore_is_refused(data, tmp_path, given, kind):
    write(tmp_path, data)
    pd.DataFrame({"label": [0, 1], "score": [0.0, 1.0]}).to_parquet(tmp_path / "one.parquet")
    sources = {
        "series in memory": data, "a data frame": long_frame(data), "files of points": tmp_path,
        "files without text": tmp_path / "one.parquet",
    }  # fmt: skip
    (name,) = given
    with pytest.raises(InputError, match=rf"\A{name} has no effect on {kind}; leave it out\Z"):
        rank(sources[kind], "auc_roc", chance=False, **given)


def test_a_benchmark_says_itself_where_its_columns_are(tmp_path):
    (tmp_path / "001_X_id_1_Y_tr_20_1st_27.csv").write_text("Data,Label\n1,0\n2,1\n")
    with pytest.raises(InputError, match="label has no effect on a benchmark; leave it out"):
        units_of(tmp_path, ReadOptions(label="Label"))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"jobs": 2, "scheduler": "local:2"}, "jobs must be 1 with scheduler=, .* got 2"),
        ({"shifts": 9, "chance": False}, "shifts must be None with chance=False, got 9"),
    ],
)
def test_settings_that_exclude_each_other_are_refused(data, given, message):
    with pytest.raises(InputError, match=message):
        rank(data, "auc_roc", **given)


# --- how often files are read --------------------------------------------------------------------


@pytest.fixture
def readings(monkeypatch):
    """The files that are read, each time that one is."""
    found = []
    true = sources.read
    monkeypatch.setattr(
        sources, "read", lambda path, **how: found.append(path) or true(path, **how)
    )
    return found


def many_detectors(folder, detectors=30):
    folder.mkdir()
    rng = np.random.default_rng(3)
    for name in "abcde":
        labels = np.repeat([0, 1, 0], [20, 5, 15])
        frame = {"label": labels} | {f"score_{i}": rng.random(40) for i in range(detectors)}
        pd.DataFrame(frame).to_csv(folder / f"{name}.csv", index=False)
    return folder


@pytest.mark.parametrize("metrics", [None, "auc_roc"])
def test_every_file_is_read_once(metrics, tmp_path, readings):
    folder = many_detectors(tmp_path / "data")
    found = rank(folder, metrics, chance=False)
    assert [str(folder / f"{name}.csv") for name in "abcde"] == sorted(readings)
    assert all(row["pooled"] is not None for row in found.leaderboard)


def test_a_first_file_that_cannot_be_read_fails_alone(tmp_path, readings):
    folder = many_detectors(tmp_path / "data", 2)
    (folder / "a.csv").write_text("nothing\n")
    assert ["a"] == list(rank(folder, chance=False).failed)


@pytest.mark.parametrize(("most", "times"), [(1200, 1), (1199, 3), (400, 4), (0, 7)])
def test_what_is_too_much_is_read_again_for_as_many_detectors_as_are_little(
    most, times, tmp_path, readings, monkeypatch
):
    """Of six detectors on five series of 40 points: 1,200 scores."""
    folder = many_detectors(tmp_path / "data", 6)
    expected = rank(folder, ["auc_roc", "best(f1)"], chance=False).leaderboard
    readings.clear()
    monkeypatch.setattr("adjudge.ranking.together.MOST_SCORES", most)
    found = rank(folder, ["auc_roc", "best(f1)"], chance=False, pooled=True)
    assert 5 * times == len(readings)
    assert expected == found.leaderboard


def test_the_series_of_a_long_table_are_judged_one_after_the_other(tmp_path, readings):
    for name, series in (("x", "ac"), ("y", "bd")):
        frame = {"series": np.repeat(list(series), 8), "label": [0, 1] * 8, "score": range(16)}
        pd.DataFrame(frame).to_csv(tmp_path / f"{name}.csv", index=False)
    rank([tmp_path / "x.csv", tmp_path / "y.csv"], "auc_roc", series="series", chance=False)
    assert len(readings) <= 4  # to list them, and to judge them


@pytest.mark.parametrize(
    "form",
    [lambda d: list(d.items()), lambda d: d.items(), lambda d: (pair for pair in d.items())],
    ids=["list", "items", "generator"],
)  # fmt: skip
def test_pairs_of_a_name_and_a_series_are_a_mapping(data, form):
    expected, found = (rank(some, "auc_roc", chance=False) for some in (data, form(data)))
    assert list(map(repr, found.leaderboard)) == list(map(repr, expected.leaderboard))
    with pytest.raises(InputError, match="name per series, got 'x/s00' twice"):
        rank([*data.items(), next(iter(data.items()))], "auc_roc", chance=False)


def test_a_folder_of_tables_that_name_their_series(tmp_path):
    rows = "series,label,score\na,0,0.1\na,1,0.9\nb,1,0.2\nb,0,0.3\n"
    (tmp_path / "one.csv").write_text(rows)
    (tmp_path / "two.csv").write_text(rows.replace("a,", "c,").replace("b,", "d,"))
    found = rank(tmp_path, "auc_roc", series="series", chance=False)
    assert sorted(row["value"] for row in found.results) == [0, 0, 1, 1]


def test_what_cannot_be_weighed_weighs_as_much_as_any_other(tmp_path):
    nothing = sources.Unit("a", dict, str(tmp_path / "gone.csv"))
    assert (nothing.weight, sources.Unit("a", dict).weight) == (1.0, 1.0)
