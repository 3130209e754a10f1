"""A ranking's rows: failures among them, and a folder that does only what is missing."""

import csv
import json
import math
import threading
from collections import Counter
from pathlib import Path
from platform import python_version

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

import adjudge as aj
from adjudge.errors import InputError
from adjudge.io import text_files
from adjudge.metrics import reader
from adjudge.ranking import cells
from adjudge.ranking.finished import read_ranking
from adjudge.ranking.folder import AskedRows
from adjudge.ranking.run import rank
from adjudge.stores import folder as stores
from adjudge.stores import shards
from adjudge.stores.files import checksum
from adjudge.stores.folder import RANKING, FolderStore
from ranking.benchmark import benchmark, series, write

METRICS = ["best(f1)", "best(f1_ba)", "auc_roc"]
QUICK = {"chance": False}


@pytest.fixture(scope="module")
def data():
    return benchmark()


@pytest.fixture
def judged(monkeypatch):
    """Note which detector is judged by which metrics, each time that it is."""
    calls = []
    true = cells._judged  # noqa: SLF001 - counted, not changed

    def noting(asked, *given):
        calls.append(sorted(one.spec for one in asked))
        return true(asked, *given)

    monkeypatch.setattr(cells, "_judged", noting)
    return calls


def tables(out):
    return {name: (out / name).read_bytes() for name in ("results.csv", "ranking.csv")}


def read(path):
    with path.open(newline="") as stream:
        return list(csv.DictReader(stream))


# --- failures ----------------------------------------------------------------------------------


def test_a_metric_that_fails_is_a_row_and_the_others_go_on(data, tmp_path):
    found = rank(data, ["f1", "auc_roc"], out=tmp_path, **QUICK)
    rows = [row for row in found.results if row["requested"] == "f1"]
    assert all("one value per threshold" in row["error"] for row in rows)
    assert all(row["value"] is None for row in rows)
    by = {(row["metric"], row["detector"]): row for row in found.leaderboard}
    assert by["f1", "good"]["failed"] == 6
    assert math.isnan(by["f1", "good"]["mean"])
    assert by["auc_roc", "good"]["series"] == 6
    assert len(read(tmp_path / "results.csv")) == 36


def test_failures_are_tried_again_only_on_request(data, tmp_path, judged):
    one = dict(list(data.items())[:1])
    rank(one, ["f1", "auc_roc"], out=tmp_path, **QUICK)
    judged.clear()
    rank(one, ["f1", "auc_roc"], out=tmp_path, **QUICK)
    assert judged == []
    rank(one, ["f1", "auc_roc"], out=tmp_path, retry=True, **QUICK)
    assert judged == [["f1"]] * 3


def test_a_file_that_cannot_be_read_is_a_row_without_its_path(tmp_path):
    folder = write(tmp_path / "data", benchmark(3))
    (folder / "x" / "s00.csv").write_text("label,score\n0,nan,\n")
    found = rank(folder, "auc_roc", out=tmp_path / "out", **QUICK)
    assert list(found.failed) == ["x/s00"]
    assert str(tmp_path) not in (tmp_path / "out" / "results.csv").read_text()
    (row,) = [row for row in read(tmp_path / "out" / "results.csv") if row["error"]]
    assert (row["series"], row["detector"]) == ("x/s00", "")
    write(tmp_path / "data", benchmark(3))
    assert rank(folder, "auc_roc", out=tmp_path / "out", **QUICK).failed == {}


def test_bad_scores_fail_alone(data):
    labels, scores = data["x/s00"]
    bad = np.append(scores["good"][1:], np.nan)
    found = rank({"a": (labels, {**scores, "bad": bad})}, "auc_roc", **QUICK)
    rows = {row["detector"]: row for row in found.leaderboard}
    assert (rows["bad"]["failed"], rows["good"]["failed"]) == (1, 0)
    assert found.results[0]["error"].startswith("scores must be numbers, got nan")


# --- the folder --------------------------------------------------------------------------------


def test_a_finished_ranking_is_only_read(data, tmp_path, judged):
    rank(data, METRICS, out=tmp_path, **QUICK)
    before, shards = tables(tmp_path), list((tmp_path / "shards").iterdir())
    judged.clear()
    rank(data, METRICS, out=tmp_path, **QUICK)
    assert judged == []
    assert before == tables(tmp_path)
    assert shards == list((tmp_path / "shards").iterdir())


def test_a_new_metric_is_computed_alone_and_an_old_one_comes_back(data, tmp_path, judged):
    rank(data, ["auc_roc"], out=tmp_path, **QUICK)
    judged.clear()
    both = rank(data, ["auc_roc", "ap"], out=tmp_path, **QUICK)
    assert judged == [["ap"]] * 18
    judged.clear()
    assert rank(data, ["auc_roc"], out=tmp_path, **QUICK).metrics == ["auc_roc"]
    assert len(read(tmp_path / "results.csv")) == 18
    again = rank(data, ["auc_roc", "ap"], out=tmp_path, **QUICK)
    assert judged == []
    assert both.results == again.results


def test_a_changed_series_is_noticed_and_alone_made_again(tmp_path, judged):
    folder = write(tmp_path / "data", benchmark(3))
    rank(folder, "auc_roc", out=tmp_path / "out", **QUICK)
    judged.clear()
    text = (folder / "x" / "s00.csv").read_text()
    (folder / "x" / "s00.csv").write_text(text.replace("0.1", "0.2", 1))
    rank(folder, "auc_roc", out=tmp_path / "out", **QUICK)
    assert len(judged) == 1
    rank(folder, "auc_roc", out=tmp_path / "new", **QUICK)
    assert tables(tmp_path / "new") == tables(tmp_path / "out")


@pytest.mark.parametrize(
    "changed",
    ["label,score_a,score_b\n" + "0,9,1\n1,1,9\n" * 5, "label,score_b\n" + "0,1\n1,9\n" * 5],
)
def test_a_series_that_changes_before_it_is_pooled_is_no_part_of_a_ranking(
    tmp_path, changed, monkeypatch
):
    (tmp_path / "data").mkdir()
    for name in "ab":
        text = "label,score_a,score_b\n" + "0,1,1\n1,9,9\n" * 5
        (tmp_path / "data" / f"{name}.csv").write_text(text)

    def changing(done, total, *_):
        if done == total:
            (tmp_path / "data" / "a.csv").write_text(changed)

    said = "data must stay as it is while a ranking runs, got another 'a' for the pooled value of"
    monkeypatch.setattr("adjudge.ranking.together.MOST_SCORES", 0)  # too many to be held
    how = {"out": tmp_path / "out", "progress": changing, "pooled": True}
    with pytest.raises(InputError, match=said):
        rank(tmp_path / "data", "auc_roc", **how, **QUICK)
    monkeypatch.undo()
    again = rank(tmp_path / "data", "auc_roc", out=tmp_path / "out", **QUICK)
    assert again.results == rank(tmp_path / "data", "auc_roc", **QUICK).results


def test_a_metric_of_another_revision_is_made_again(data, tmp_path, judged, monkeypatch):
    rank(data, ["auc_roc", "ap"], out=tmp_path, **QUICK)
    judged.clear()
    row = aj.catalogue["ap"]
    monkeypatch.setitem(row.__dict__, "revision", row.revision + 1)
    rank(data, ["auc_roc", "ap"], out=tmp_path, **QUICK)
    assert judged == [["ap"]] * 18


def own_row(measure, name="own", **more):
    words = {"reference": "Nobody.", "undefined": "never", "forgives": "everything"}
    return aj.Row(name, "a title", "a definition", measure, count=None, **words, **more)


@pytest.fixture
def register():
    """Register a metric as a new process would, whatever an earlier one has registered."""
    before = dict(aj.catalogue)

    def register(row):
        reader._CATALOGUE.__dict__["_rows"] = dict(before)  # noqa: SLF001 - there is no way back
        return aj.register(row)

    yield register
    reader._CATALOGUE.__dict__["_rows"] = before  # noqa: SLF001 - the same


def test_a_registered_metric_that_was_edited_is_made_again(data, tmp_path, judged, register):
    def means(measure):
        register(own_row(measure))
        found = rank(data, ["own(at=0.9)", "auc_roc"], out=tmp_path, **QUICK)
        return {row["mean"] for row in found.leaderboard if row["metric"] == "own(at=0.9)"}

    assert means(lambda flags, events: 0.25) == {0.25}  # noqa: ARG005
    judged.clear()
    assert means(lambda flags, events: 0.25) == {0.25}  # noqa: ARG005
    assert judged == []
    assert means(lambda flags, events: 0.75) == {0.75}  # noqa: ARG005
    assert judged == [["own(at=0.9)"]] * 18


def test_a_threshold_rule_that_was_edited_is_made_again(data, tmp_path, judged):
    def chosen(rule):
        rule.__name__ = "mine"
        found = rank(data, ["f1", "auc_roc"], at=rule, out=tmp_path, **QUICK)
        return {row["at"] for row in found.results if row["metric"] == "f1(at=mine)"}

    assert chosen(lambda _: 0.25) == {0.25}
    judged.clear()
    assert chosen(lambda _: 0.25) == {0.25}
    assert judged == []
    assert chosen(lambda _: 0.75) == {0.75}
    assert judged == [["f1(at=mine)"]] * 18


def test_a_metric_whose_code_cannot_be_told_is_judged_anew_and_says_so(data, tmp_path, judged):
    lock = threading.Lock()
    metric = own_row(lambda flags, events: float(lock.locked())).metric(at=0.9)  # noqa: ARG005
    for _ in range(2):
        with pytest.warns(UserWarning, match=r"own\(at=0\.9\) is recomputed .*_thread\.lock"):
            rank(data, [metric, "auc_roc"], out=tmp_path, **QUICK)
    assert judged == [["auc_roc", "own(at=0.9)"]] * 18 + [["own(at=0.9)"]] * 18
    rank(data, metric, **QUICK)  # nothing is kept, so there is nothing to say


def test_a_change_of_what_is_best_makes_best_again_and_nothing_else(
    data, tmp_path, judged, monkeypatch
):
    rank(data, ["auc_roc", "best(f1)"], out=tmp_path, **QUICK)
    judged.clear()
    monkeypatch.setattr("adjudge.metrics.metric._ORACLE_REVISION", 99)
    rank(data, ["auc_roc", "best(f1)"], out=tmp_path, **QUICK)
    assert judged == [["best(f1)"]] * 18


def test_other_settings_of_the_chance_line_are_other_rows(data, tmp_path, judged):
    one = dict(list(data.items())[:1])
    rank(one, "auc_roc", out=tmp_path, shifts=9)
    rank(one, "auc_roc", out=tmp_path, shifts=9, seed=1)
    rank(one, "auc_roc", out=tmp_path, **QUICK)
    rank(one, "auc_roc", out=tmp_path, shifts=9)
    assert len(judged) == 9


def test_a_run_that_was_stopped_goes_on_and_ends_the_same(data, tmp_path, judged):
    def stopping(done, *_):
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rank(data, METRICS, out=tmp_path / "torn", progress=stopping, **QUICK)
    assert len(judged) == 9
    told = []
    rank(data, METRICS, out=tmp_path / "torn", progress=lambda *now: told.append(now), **QUICK)
    assert len(judged) == 18
    assert told[0] == (0, 6, 0, 0, 0)
    assert told[-1] == (6, 6, 9 * len(METRICS), 0, pytest.approx(1))
    rank(data, METRICS, out=tmp_path / "whole", **QUICK)
    assert tables(tmp_path / "whole") == tables(tmp_path / "torn")


def test_a_long_series_is_more_of_the_work(tmp_path):
    data = {"a": series(1), "b": series(2, 900)}
    folder = write(tmp_path, {"c": series(3), "d": series(4, 900)})
    for given, where in ((data, "memory"), ([folder / "c.csv", folder / "d.csv"], "files")):
        told = []
        rank(given, "auc_roc", progress=lambda *now, to=told: to.append(now[-1]), **QUICK)
        assert told[0] == 0, where
        assert 0.2 < told[1] < 0.3
        assert told[2] == pytest.approx(1)


def test_names_and_numbers_come_back_exactly(tmp_path):
    labels, scores = series(1)
    name = 'a\x1b[31m,\n"b"'
    found = rank({name: (labels, {"=cmd": scores["good"]})}, "auc_roc", out=tmp_path, **QUICK)
    (row,) = read(tmp_path / "results.csv")
    assert (row["series"], row["detector"]) == (name, "'=cmd")
    assert float(row["value"]) == found.results[0]["value"]
    assert "\x1b" not in repr(found) + found.to_markdown()


@pytest.mark.parametrize("name", ["=a", "'=a", "''=a", "'a", "-1", "'", "'@'", "\t", "a=b"])
def test_a_quote_before_a_formula_is_taken_away_again(name, tmp_path):
    labels, scores = series(1)
    rank({name: (labels, {name: scores["good"]})}, "auc_roc", out=tmp_path, **QUICK)
    (cell,) = {row["detector"] for row in read(tmp_path / "results.csv")}
    assert not cell.startswith(("=", "+", "-", "@", "\t"))
    (row,) = read_ranking(tmp_path).results
    assert (row["series"], row["detector"]) == (name, name)
    (row,) = pq.read_table(tmp_path / "results.parquet").to_pylist()
    assert (row["series"], row["detector"]) == (name, name)


def test_an_infinite_threshold_is_a_number(tmp_path):
    data = {"a": ([0, 1, 1, 1], {"d": [0.5, 0.5, 0.5, 0.5]})}
    (row,) = rank(data, "best(f1)", out=tmp_path, **QUICK).results
    assert row["at"] == -math.inf
    assert read(tmp_path / "results.csv")[0]["at"] == "-inf"


def test_a_value_of_minus_infinity_is_a_number_and_no_formula(tmp_path):
    endless = own_row(lambda flags, events: -math.inf, range=(-math.inf, 0))  # noqa: ARG005
    rank({"a": series(1)}, endless.metric(at=0.9), out=tmp_path, **QUICK)
    assert {row["value"] for row in read(tmp_path / "results.csv")} == {"-inf"}
    assert {row["value"] for row in read_ranking(tmp_path).results} == {-math.inf}
    values = pq.read_table(tmp_path / "results.parquet").column("value").to_pylist()
    assert set(values) == {-math.inf}


def test_the_parquet_file_says_the_same(data, tmp_path):
    pytest.importorskip("pyarrow")
    rank(data, METRICS, out=tmp_path, shifts=9)
    text = read(tmp_path / "results.csv")
    frame = pd.read_parquet(tmp_path / "results.parquet")
    assert list(text[0]) == list(frame.columns)
    assert [float(row["value"]) for row in text] == frame["value"].tolist()
    assert [row["series"] for row in text] == frame["series"].tolist()
    assert frame["shifts"].tolist() == [9] * 54


def test_without_pyarrow_there_is_no_parquet_file(data, tmp_path, monkeypatch):
    monkeypatch.setattr("adjudge.stores.folder.find_spec", {}.get)
    rank(data, "auc_roc", out=tmp_path, **QUICK)
    assert not (tmp_path / "results.parquet").exists()


def test_the_manifest_says_what_was_done(data, tmp_path):
    rank(data, METRICS, out=tmp_path, seed=3, **QUICK)
    said = json.loads((tmp_path / "manifest.json").read_text())
    assert (said["metrics"], said["seed"], said["series"]) == (METRICS, 3, 6)
    tables = {"results.csv", "results.parquet", "ranking.csv", "ranking.json"}
    assert set(said["files"]) == tables


def test_a_folder_of_others_is_refused(data, tmp_path):
    (tmp_path / "results.csv").write_text("mine")
    with pytest.raises(InputError, match=r"got one with 'results\.csv' of unknown origin"):
        rank(data, "auc_roc", out=tmp_path, **QUICK)
    assert "mine" == (tmp_path / "results.csv").read_text()


def test_two_rankings_in_one_folder_are_refused(data, tmp_path):
    def starting_another(*_):
        with pytest.raises(InputError, match="in use by another run"):
            rank(data, "auc_roc", out=tmp_path, **QUICK)

    rank(data, "auc_roc", out=tmp_path, progress=starting_another, **QUICK)


def test_shards_that_cannot_be_opened_give_the_folder_up(data, tmp_path):
    rank(data, "auc_roc", out=tmp_path, **QUICK)
    (tmp_path / "shards" / "000009.jsonl").symlink_to(tmp_path / "x")
    with pytest.raises(InputError, match="a link"):
        rank(data, "auc_roc", out=tmp_path, **QUICK)
    (tmp_path / "shards" / "000009.jsonl").unlink()
    rank(data, "auc_roc", out=tmp_path, **QUICK)


def test_rows_that_vanish_under_the_run_are_no_silent_loss(data, tmp_path):
    rank(data, "auc_roc", out=tmp_path, **QUICK)
    folder = FolderStore(tmp_path, kind=RANKING, settings={}, strict=())
    (tmp_path / "shards" / "000001.jsonl").write_bytes(b"")
    with pytest.raises(InputError, match=r"rows of 'x/s00'"):
        AskedRows(folder).of("x/s00")
    folder.close()


# --- what the manifest says of the data, and other versions ------------------------------------


def manifest(out):
    return json.loads((out / "manifest.json").read_text())


def test_the_manifest_names_every_input_by_its_checksum(tmp_path):
    data = write(tmp_path / "data", benchmark(3))
    rank(data, "auc_roc", out=tmp_path / "out", **QUICK)
    said = manifest(tmp_path / "out")
    names = {path.relative_to(data).as_posix(): checksum(path) for path in data.glob("*/*.csv")}
    assert names == said["inputs"]
    assert python_version() == said["versions"]["python"]
    rank(data / "x" / "s00.csv", "auc_roc", out=tmp_path / "one", **QUICK)
    assert ["s00.csv"] == list(manifest(tmp_path / "one")["inputs"])
    rank(benchmark(3), "auc_roc", out=tmp_path / "memory", **QUICK)
    assert {} == manifest(tmp_path / "memory")["inputs"]


def test_the_inputs_of_a_benchmark_are_the_tables_of_its_folders(tmp_path):
    data = tmp_path / "ucr"
    (data / "scores" / "mine").mkdir(parents=True)
    name = "001_UCR_Anomaly_made_20_60_65"
    np.savetxt(data / f"{name}.txt", np.arange(100.0))
    np.save(data / "scores" / "mine" / f"{name}.npy", np.arange(100.0))
    (data / "README").write_text("words")
    found = rank(data, "auc_roc", out=tmp_path / "out", score_folder=data / "scores", **QUICK)
    assert not found.failed
    assert [f"{name}.txt", f"scores/mine/{name}.npy"] == list(manifest(tmp_path / "out")["inputs"])


def at_step(step, act):
    """A call of progress that acts when so many series are done."""
    return lambda done, *_: act() if done == step else None


def test_an_input_that_is_gone_is_not_in_the_manifest(tmp_path):
    data = write(tmp_path / "data", benchmark(3))
    removing = at_step(0, (data / "y" / "s01.csv").unlink)
    rank(data, "auc_roc", out=tmp_path / "out", progress=removing, **QUICK)
    assert ["x/s00.csv", "x/s02.csv"] == list(manifest(tmp_path / "out")["inputs"])


def test_the_hash_of_an_input_is_that_of_what_was_judged(tmp_path):
    data = write(tmp_path / "data", benchmark(3))
    before = checksum(data / "x" / "s00.csv")
    changing = at_step(3, lambda: (data / "x" / "s00.csv").write_text("label,score\n"))
    rank(data, "auc_roc", out=tmp_path / "out", progress=changing, **QUICK)
    assert before == manifest(tmp_path / "out")["inputs"]["x/s00.csv"]


@pytest.mark.parametrize("most", [1 << 20, 10])
def test_every_file_is_read_once(tmp_path, monkeypatch, most):
    data = write(tmp_path / "data", benchmark(3))
    monkeypatch.setattr(text_files, "_AT_ONCE", most)
    opened, was = Counter(), Path.open

    def counting(path, *args, **options):
        opened[path] += path.suffix == ".csv" and data in path.parents
        return was(path, *args, **options)

    monkeypatch.setattr(Path, "open", counting)
    rank(data, out=tmp_path / "out", **QUICK)
    files = list(data.glob("*/*.csv"))
    assert dict.fromkeys(files, 1) == +opened
    said = manifest(tmp_path / "out")["inputs"]
    assert said == {file.relative_to(data).as_posix(): checksum(file) for file in files}


def test_the_version_of_the_data_follows_labels_and_scores_alone(tmp_path):
    def version(data, metric="auc_roc"):
        rank(data, metric, out=tmp_path / "out", **QUICK)
        return manifest(tmp_path / "out")["data"]

    data = benchmark(2)
    same = {version(data), version(data, "ap"), version(dict(reversed(data.items())))}
    assert 1 == len(same)
    labels, scores = data["x/s00"]
    assert version({**data, "x/s00": (labels, {**scores, "good": scores["good"] + 1})}) not in same
    assert version({**data, "x/s00": (1 - np.asarray(labels), scores)}) not in same
    assert version({name.replace("x", "z"): held for name, held in data.items()}) not in same


@pytest.fixture
def other_numpy(monkeypatch):
    """As if NumPy had been upgraded since."""
    true = stores.versions()
    for module in (stores, cells):
        monkeypatch.setattr(module, "versions", lambda: {**true, "numpy": "99.0"})
    monkeypatch.setattr("adjudge.ranking.run.versions", stores.versions)
    return true["numpy"]


def test_a_sample_is_made_again_after_an_upgrade_and_the_rest_is_kept(
    data, tmp_path, judged, request
):
    rank(data, METRICS, out=tmp_path, **QUICK)
    before = tables(tmp_path)
    old = request.getfixturevalue("other_numpy")
    judged.clear()
    said = rf"numpy 99\.0 after {old}; 27 rows recomputed are the same, so the others are kept"
    with pytest.warns(UserWarning, match=said):
        rank(data, METRICS, out=tmp_path, **QUICK)
    assert 9 == len(judged)  # three detectors on three series
    assert before == tables(tmp_path)
    rank(data, METRICS, out=tmp_path, **QUICK)  # the manifest knows it now
    assert 9 == len(judged)


def test_all_is_made_anew_where_an_upgrade_changes_a_value(data, tmp_path, judged, request):
    rank(data, "auc_roc", out=tmp_path, **QUICK)
    before = tables(tmp_path)
    request.getfixturevalue("other_numpy")
    for path in (tmp_path / "shards").iterdir():
        rows = [shards.decode(line) for line in path.read_bytes().splitlines(keepends=True)]
        rows[0]["value"] += 1e-16  # the last digit
        path.write_bytes(b"".join(map(shards.encode, rows)))
    judged.clear()
    with pytest.warns(UserWarning, match="some of 9 rows recomputed differ, so all are"):
        rank(data, "auc_roc", out=tmp_path, **QUICK)
    assert 9 + 18 == len(judged)
    assert before == tables(tmp_path)


def test_an_upgrade_is_no_news_where_nothing_is_known(data, tmp_path, request):
    rank(data, "auc_roc", out=tmp_path, **QUICK)
    request.getfixturevalue("other_numpy")
    other = {f"new {name}": held for name, held in data.items()}
    rank(other, "auc_roc", out=tmp_path, **QUICK)


def test_rows_that_failed_say_nothing_about_an_upgrade(data, tmp_path, request):
    rank(data, "f1", out=tmp_path, **QUICK)  # scores without a threshold
    request.getfixturevalue("other_numpy")
    rank(data, "f1", out=tmp_path, **QUICK)
