"""Benchmarks in the form in which they are published, written small by the tests."""

import json
import runpy
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import adjudge as aj
from adjudge.cli.ranking import rank
from adjudge.errors import FileError, InputError
from adjudge.io.layouts import LAYOUTS, find_layout, layout, series_of

RNG = np.random.default_rng(0)
SCORES = RNG.random(40)
EXTEND = Path(__file__).parents[2] / "docs" / "extend.md"


@pytest.fixture
def write(tmp_path):
    def written(name, text):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(text, np.ndarray):
            np.save(path, text)
        else:
            path.write_text(text)
        return path

    return written


def numbers(values):
    return "".join(f"{value!r}\n" for value in np.asarray(values).tolist())


def only(path, scores=None, **options):
    (series,) = series_of(path, scores, **options)
    return series, series.load()


TSB = "001_NAB_id_1_Facility_tr_10_1st_20"


def tsb_ad(write, missing=None):
    rows = [f"{i},{i % 3},{int(20 <= i < 25)}" for i in range(40)]
    if missing is not None:
        rows[missing] = f"{missing},,0"
    write(f"data/{TSB}.csv", "\n".join(["value-0,value-1,Label", *rows]) + "\n")
    return write(f"scores/IForest/{TSB}.npy", SCORES).parents[1]


def test_tsb_ad(write, tmp_path):
    scores = tsb_ad(write)
    assert find_layout(tmp_path / "data", scores).name == "TSB-AD"
    series, table = only(tmp_path / "data", scores)
    assert (series.name, series.group) == (TSB, "NAB")
    assert np.flatnonzero(table.labels).tolist() == [20, 21, 22, 23, 24]
    assert np.array_equal(table.scores["IForest"], SCORES)
    assert (table.where, table.train.sum()) == (None, 10)
    assert table.summary == "1 detector, first 10 rows judged too, 40 rows"
    test = only(tmp_path / "data", scores, judged="test")[1]
    assert np.array_equal(test.where, np.arange(40) >= 10)
    one = find_layout(tmp_path / "data" / f"{TSB}.csv", scores)
    assert [series.name for series in one.series] == [TSB]
    assert find_layout(tmp_path / "data" / f"{TSB}.csv") is None


def test_tsb_ad_drops_the_rows_that_its_loader_drops(write, tmp_path):
    scores = tsb_ad(write, missing=7)
    write(f"scores/LOF/{TSB}.npy", SCORES[:39])
    _, table = only(tmp_path / "data", scores)
    assert len(table.labels) == 39
    assert np.array_equal(table.scores["IForest"], np.delete(SCORES, 7))
    assert np.array_equal(table.scores["LOF"], SCORES[:39])
    assert "1 rows with missing values dropped" in table.summary
    write(f"scores/LOF/{TSB}.npy", SCORES[:38])
    with pytest.raises(
        FileError, match=r"scores of LOF must be as long as the labels \(40\), got 38"
    ):
        only(tmp_path / "data", scores)


def test_a_series_without_scores_is_named(write, tmp_path):
    tsb_ad(write)
    with pytest.raises(
        FileError, match="no detector has scores for this series; name their folder"
    ):
        only(tmp_path / "data")
    with pytest.raises(FileError, match="the scores must be a folder"):
        only(tmp_path / "data", tmp_path / "nothing")


UCR = "003_UCR_Anomaly_DISTORTEDsel_12_21_25"


@pytest.mark.parametrize("text", [numbers(SCORES), " ".join(map(repr, SCORES.tolist()))])
def test_ucr(write, tmp_path, text):
    write(f"data/{UCR}.txt", text)
    write(f"scores/a/{UCR}.npy", SCORES.reshape(40, 1))
    write(f"scores/b/{UCR}.csv", "score\n" + numbers(SCORES[12:]))
    series, table = only(tmp_path / "data", tmp_path / "scores")
    assert (series.name, find_layout(tmp_path / "data").name) == (UCR, "UCR")
    assert np.flatnonzero(table.labels).tolist() == [20, 21, 22, 23, 24]  # 21 to 25, from 1
    assert np.array_equal(table.where, np.arange(40) >= 12)
    assert np.array_equal(table.scores["b"][12:], SCORES[12:])
    value = aj.best(aj.f1_ba)(table.labels, table.scores["b"], where=table.where)
    assert value == aj.best(aj.f1_ba)(table.labels, SCORES, where=table.where)
    with pytest.raises(FileError, match=r"scores of b must be as long as the labels"):
        only(tmp_path / "data", tmp_path / "scores", judged="all")


def test_a_ucr_name_that_does_not_fit_its_file_is_refused(write, tmp_path):
    write(f"data/{UCR}.txt", numbers(SCORES[:22]))
    write(f"scores/a/{UCR}.npy", SCORES)
    with pytest.raises(FileError, match="the anomaly must lie in 1 to 22, got 21 to 25"):
        only(tmp_path / "data", tmp_path / "scores")
    write(f"data/{UCR}.txt", "1\nx\n")
    with pytest.raises(FileError, match="line 2: not a number: 'x'"):
        only(tmp_path / "data", tmp_path / "scores")


TIMES = pd.date_range("2014-04-01", periods=40, freq="5min")


def nab(write, label=0):
    windows = {
        "realKnownCause/taxi.csv": [["2014-04-01 01:40:00.000000", "2014-04-01 02:00:00.000000"]],
        "artificialNoAnomaly/flat.csv": [],
    }
    file = write("NAB/labels/combined_windows.json", json.dumps(windows))
    head = "timestamp,value,anomaly_score,label,S(t)_reward_low_FP_rate\n"
    rows = [f"{t},1.0,{s!r},{label},0.0\n" for t, s in zip(TIMES, SCORES.tolist(), strict=True)]
    for detector in ("null", "htmjava"):
        for key in windows:
            folder, name = key.split("/")
            write(f"NAB/results/{detector}/{folder}/{detector}_{name}", head + "".join(rows))
    return file.parents[1]


def test_nab(write):
    root = nab(write)
    taxi, flat = series_of(root)
    assert (taxi.name, taxi.group, flat.group) == ("taxi", "realKnownCause", "artificialNoAnomaly")
    table = taxi.load()
    assert list(table.scores) == ["htmjava", "null"]
    assert np.flatnonzero(table.labels).tolist() == [20, 21, 22, 23, 24]  # both ends included
    assert np.flatnonzero(~table.where).tolist() == [0, 1, 2, 3, 4, 5]  # 15 % of 40 rows
    assert table.summary == "2 detectors, first 6 rows not judged, 40 rows"
    assert flat.load().labels.sum() == 0
    by_file = series_of(root / "labels" / "combined_windows.json", root / "results", judged="all")
    assert next(by_file).load().where is None


def test_nab_files_that_do_not_fit_are_refused(write):
    root = nab(write)
    other = "timestamp,anomaly_score\n2014-04-01,1\n"
    (root / "results" / "null" / "artificialNoAnomaly" / "null_flat.csv").unlink()
    assert list(list(series_of(root))[1].load().scores) == ["htmjava"]
    write("NAB/results/null/realKnownCause/null_taxi.csv", other)
    with pytest.raises(FileError, match="the timestamps must be those of the other detectors"):
        next(series_of(root)).load()
    with pytest.raises(FileError, match=r"taxi.csv: no detector has results"):
        next(series_of(root, root / "nowhere")).load()


@pytest.mark.parametrize("text", ["{", "[]", '{"a": 1}', '{"a": [1]}', '{"a": [[1]]}'])
def test_windows_that_are_none_are_refused(write, text):
    with pytest.raises(FileError, match=r"must be {file: \[\[first, last\], ...\]}, got"):
        find_layout(write("combined_windows.json", text))


@pytest.mark.parametrize(
    ("window", "words"),
    [
        (["2014-04-01 01:40:00+05:00", "2014-04-01 02:00:00+05:00"], "must all have a"),
        (
            ["2015-04-01 01:40:00", "2015-04-01 02:00:00"],
            "got 2015-04-01 01:40:00 to 2015-04-01 02:00:00",
        ),
        (["2014-04-01 01:41:00", "2014-04-01 01:42:00"], "a window must"),
    ],
)
def test_windows_that_mark_nothing_are_refused(write, window, words):
    root = nab(write)
    write("NAB/labels/combined_windows.json", json.dumps({"realKnownCause/taxi.csv": [window]}))
    with pytest.raises(FileError, match=f"realKnownCause/taxi.csv: .*{words}"):
        next(series_of(root)).load()


def test_a_list_of_records_is_no_windows(write, tmp_path):
    path = write("scores.json", ' \n[{"label": 0, "score": 1}, {"label": 1, "score": 2}]')
    assert find_layout(path) is None
    path = write("scores.json", '{"label": [0, 1]}')
    with pytest.raises(FileError, match="a list of objects, one per row"):
        find_layout(path)


def test_whole_numbers_in_a_plain_text_are_not_rounded(write, tmp_path):
    write("test_label/m-1.txt", "0\n1\n")
    write("scores/a/m-1.txt", "1\n9007199254740993\n")
    with pytest.raises(FileError, match="line 2: no float64 is exactly 9007199254740993; write"):
        next(series_of(tmp_path, tmp_path / "scores")).load()


def test_telemanom(write, tmp_path):
    head = "chan_id,spacecraft,anomaly_sequences,class,num_values\n"
    rows = (
        'P-1,SMAP,"[[20, 24], [2, 3]]","[contextual, point]",40\n'
        'P-2,SMAP,"[[5, 8]]",[point],40\nP-2,SMAP,"[[7, 9]]",[point],40\n'
    )
    write("labeled_anomalies.csv", head + rows)
    for channel in ("P-1", "P-2"):
        write(f"scores/lstm/{channel}.npy", SCORES)
    first, second = series_of(tmp_path, tmp_path / "scores")
    assert (first.name, first.group) == ("P-1", "SMAP")
    assert np.flatnonzero(first.load().labels).tolist() == [2, 3, 20, 21, 22, 23, 24]
    assert np.flatnonzero(second.load().labels).tolist() == [5, 6, 7, 8, 9]
    write("labeled_anomalies.csv", head + 'P-1,SMAP,"[[20, 40]]",[point],40\n')
    with pytest.raises(FileError, match="P-1: a sequence must lie in 0 to 39, got 20, 40"):
        next(series_of(tmp_path, tmp_path / "scores")).load()
    write("labeled_anomalies.csv", head + "P-1,SMAP,__import__('os'),[point],40\n")
    with pytest.raises(FileError, match=r"anomaly_sequences must be \[\[first, last\], ...\], got"):
        find_layout(tmp_path)


def test_smd(write, tmp_path):
    labels = (np.arange(40) % 20 >= 15).astype(int)
    write("test_label/machine-1-2.txt", numbers(labels))
    write("scores/omni/machine-1-2.txt", numbers(SCORES))
    series, table = only(tmp_path, tmp_path / "scores")
    assert (series.name, series.group) == ("machine-1-2", "machine-1")
    assert np.array_equal(table.labels, labels)
    assert aj.best(aj.f1)(table.labels, table.scores["omni"]) == aj.best(aj.f1)(labels, SCORES)


def timeeval(write):
    head = "collection_name,dataset_name,train_path,test_path,dataset_type,datetime_index\n"
    write("data/datasets.csv", head + "custom,one,,custom/one.test.csv,real,True\n")
    rows = "".join(f"{t},{i},{int(i == 20)}\n" for i, t in enumerate(TIMES))
    write("data/custom/one.test.csv", "timestamp,value-0,is_anomaly\n" + rows)
    return write("results/2026_01_01/lof/abc/custom/one/1/raw_anomaly_scores.ts", numbers(SCORES))


def test_timeeval(write, tmp_path):
    raw = timeeval(write)
    raw.with_name("anomaly_scores.ts").write_text(numbers(SCORES / 2))
    series, table = only(tmp_path / "data", tmp_path / "results" / "2026_01_01")
    assert (series.name, series.group, list(table.scores)) == ("one", "custom", ["lof"])
    assert np.array_equal(table.scores["lof"], SCORES)
    raw.write_text(numbers(SCORES[:30]))  # scores of windows
    _, table = only(tmp_path / "data", tmp_path / "results")
    assert np.array_equal(table.scores["lof"], SCORES / 2)
    assert "1 of them scaled to [0, 1]" in table.summary
    with pytest.raises(FileError, match="TimeEval's results are needed too"):
        find_layout(tmp_path / "data")


def test_timeevals_results_may_be_those_of_one_algorithm(write, tmp_path, monkeypatch):
    timeeval(write)
    monkeypatch.chdir(tmp_path / "results" / "2026_01_01" / "lof")
    _, table = only(tmp_path / "data", ".")
    assert np.array_equal(table.scores["lof"], SCORES)


@pytest.mark.parametrize("shallow", ["lof/abc", "lof/abc/custom/one/1"])
def test_timeevals_results_must_have_their_folders_above_them(
    write, tmp_path, shallow, monkeypatch
):
    timeeval(write)
    monkeypatch.chdir(tmp_path / "results" / "2026_01_01")
    said = (
        f"^{shallow}: must hold TimeEval's results in <algorithm>/.*, got .*raw_anomaly_scores.ts$"
    )
    with pytest.raises(FileError, match=said):
        find_layout(tmp_path / "data", shallow)


def test_timeeval_runs_of_one_algorithm_have_names_of_their_own(write, tmp_path):
    timeeval(write)
    for path in ("abd/custom/one/1", "abc/custom/one/2"):
        write(f"results/2026_01_01/lof/{path}/anomaly_scores.ts", numbers(SCORES))
    _, table = only(tmp_path / "data", tmp_path / "results")
    assert list(table.scores) == ["lof/abc/1", "lof/abc/2", "lof/abd/1"]


def long_text(time=True):
    rows = [
        (detector, name, TIMES[i], int(i == 20), SCORES[i] * scale)
        for detector, scale in (("a", 1), ("b", 2))
        for name in ("s1", "s2")
        for i in (range(40) if detector == "a" else reversed(range(40)))
    ]
    frame = pd.DataFrame(rows, columns=["detector", "series", "timestamp", "label", "score"])
    return frame if time else frame.drop(columns="timestamp")


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_long_table(tmp_path, suffix):
    path = tmp_path / f"long.{suffix}"
    frame = long_text()
    frame.to_csv(path, index=False) if suffix == "csv" else frame.to_parquet(path)
    layout = find_layout(path)
    assert (layout.name, [s.name for s in layout.series]) == ("long table", ["s1", "s2"])
    table = layout.series[0].load()
    assert np.array_equal(table.scores["a"], SCORES)
    assert np.array_equal(table.scores["b"], SCORES * 2)
    assert np.flatnonzero(table.labels).tolist() == [20]


def test_a_long_table_whose_detectors_differ_is_refused(tmp_path):
    path = tmp_path / "long.csv"
    frame = long_text()
    without_times = frame.drop(columns="timestamp")
    without_times[frame.index != 130].to_csv(path, index=False)
    with pytest.raises(FileError, match="series 's2': b must have a score for each of the 40"):
        find_layout(path).series[1].load()
    partly = find_layout(path).series[1].load(partly=True)
    assert (list(partly.scores), list(partly.broken)) == (["a"], ["b"])
    long_text(time=False).iloc[:-40].to_csv(path, index=False)
    assert list(find_layout(path).series[1].load().scores) == ["a"]
    with pytest.raises(FileError, match="series 's1': b must have the same labels as the others"):
        find_layout(path).series[0].load()
    frame["timestamp"] = "soon"
    frame.to_csv(path, index=False)
    with pytest.raises(FileError, match="timestamp must be times such as"):
        find_layout(path).series[0].load()
    frame["timestamp"] = np.tile(np.arange(40), 4)
    frame.assign(score_x=1).to_csv(path, index=False)
    with pytest.raises(FileError, match="there must be one score column"):
        find_layout(path).series[0].load()


def test_a_long_table_may_lack_rows_of_a_detector(tmp_path):
    path = tmp_path / "long.csv"
    frame = long_text()
    frame[~frame.index.isin([85, 130])].to_csv(path, index=False)
    whole = [found.load() for found in find_layout(path).series]
    frame.to_csv(path, index=False)
    expected = [found.load() for found in find_layout(path).series]
    for table, other in zip(whole, expected, strict=True):
        assert np.array_equal(table.labels, other.labels)
        assert np.isnan(table.scores["b"]).sum() == 1
        assert np.array_equal(table.scores["a"], other.scores["a"])
        there = ~np.isnan(table.scores["b"])
        assert np.array_equal(table.scores["b"][there], other.scores["b"][there])


def test_a_table_of_intervals(write, tmp_path):
    write("intervals.csv", "series,start,end\ns1,2014-04-01 01:40,2014-04-01 02:00\n")
    rows = "".join(f"{t},{s!r}\n" for t, s in zip(TIMES, SCORES.tolist(), strict=True))
    for name in ("mine/s1", "mine/s2", "theirs/s1"):
        write(f"scores/{name}.csv", "timestamp,score\n" + rows)
    first, second = series_of(tmp_path / "intervals.csv", tmp_path / "scores")
    assert np.flatnonzero(first.load().labels).tolist() == [20, 21, 22, 23, 24]
    assert second.load().labels.sum() == 0
    write("intervals.csv", "series,start,stop\ns1,2014-04-01 01:40,2014-04-01 02:00\n")
    first, _ = series_of(tmp_path / "intervals.csv", tmp_path / "scores")
    assert np.flatnonzero(first.load().labels).tolist() == [20, 21, 22, 23]


@pytest.mark.parametrize("end", ["end", "stop"])
def test_an_interval_that_holds_no_point_is_refused_and_not_forgotten(write, tmp_path, end):
    times = "2014-04-01 01:40:10,2014-04-01 01:40:20"
    path = write("intervals.csv", f"series,start,{end}\ns1,{times}\n")
    write("scores/a/s1.csv", "time,score\n2014-04-01 01:40,1\n2014-04-01 01:41,1\n")
    (one,) = series_of(path, tmp_path / "scores")
    with pytest.raises(FileError, match="a point of the scores, got 2014"):
        one.load()


def test_a_table_of_intervals_that_does_not_fit_is_refused(write, tmp_path):
    path = write("intervals.csv", "series,start,end\ns1,2014-04-01,2014-04-02\n")
    with pytest.raises(FileError, match="a table of intervals needs scores: name their folder"):
        find_layout(path)
    write("scores/a/s0.csv", "timestamp,score\n2014-04-01,1\n")
    with pytest.raises(FileError, match="series 's1' has intervals but no scores"):
        find_layout(path, tmp_path / "scores")
    for text, words in (
        ("score\n1\n", "there must be one score column and a time column"),
        ("time,score\nsoon,1\n", "time must be times such as"),
        (
            "time,score\n2014-04-02,1\n2014-04-01,1\n",
            "column 'time' must increase from row to row, got 2014-04-01 after 2014-04-02 at row 1",
        ),
    ):
        write("scores/a/s1.csv", text)
        layout = find_layout(path, tmp_path / "scores")
        with pytest.raises(FileError, match=words):
            layout.series[1].load()
    write("scores/a/s1.csv", "time,score\n2014-04-02,1\n")
    write("scores/b/s1.csv", "time,score\n2014-04-03,1\n")
    with pytest.raises(FileError, match="the times must be those of the other detectors"):
        find_layout(path, tmp_path / "scores").series[1].load()


def test_what_is_no_layout_is_said(write, tmp_path):
    path = write("a.csv", "label,score\n1,2\n")
    assert find_layout(path) is None
    assert find_layout(tmp_path) is None
    with pytest.raises(InputError, match="path must be a benchmark"):
        next(series_of(path))
    with pytest.raises(InputError, match="judged must be 'all' or 'test', got 'some'"):
        find_layout(path, judged="some")


def test_scores_of_one_series_are_found_once(write, tmp_path):
    write("test_label/m-1.txt", "0\n1\n")
    write("scores/a/x/m-1.npy", SCORES)
    write("scores/a/y/m-1.npy", SCORES)
    with pytest.raises(FileError, match="has scores of that series already"):
        find_layout(tmp_path, tmp_path / "scores")


def test_a_score_file_without_scores_is_refused(write, tmp_path):
    write("test_label/m-1.txt", "0\n1\n")
    write("scores/a/m-1.csv", "value,time\n1,2\n1,2\n")
    with pytest.raises(FileError, match="no column to read among 'value', 'time'"):
        only(tmp_path, tmp_path / "scores")


def test_a_score_file_with_two_score_columns_is_refused(write, tmp_path):
    write("test_label/m-1.txt", "0\n1\n")
    write("scores/a/m-1.csv", "score,score_b\n1,2\n1,2\n")
    with pytest.raises(FileError, match="there must be one score column, got score, score_b"):
        only(tmp_path, tmp_path / "scores")


@pytest.fixture
def ours(monkeypatch):
    """A layout from outside, as docs/extend.md declares it, forgotten after the test."""
    monkeypatch.setattr(LAYOUTS, "_things", dict(LAYOUTS))
    (block,) = [b for b in EXTEND.read_text().split("```python\n") if "@layout(" in b]
    exec(block.partition("```")[0], {})  # noqa: S102 - the page's own words


@pytest.mark.usefixtures("ours")
def test_a_layout_from_outside_is_found_by_rank_and_named_in_messages_and_docs(tmp_path):
    (tmp_path / "data").mkdir()
    for name in ("s1", "s2"):
        (tmp_path / "data" / f"{name}.truth").write_text("0\n1\n1\n0\n")
        for detector in ("a", "b"):
            (tmp_path / "scores" / detector).mkdir(parents=True, exist_ok=True)
            np.save(tmp_path / "scores" / detector / f"{name}.npy", np.array([0, 2, 1, 0.5]))
    found = aj.rank(tmp_path / "data", "auc_roc", score_folder=tmp_path / "scores", chance=False)
    assert {("s1", "a"), ("s1", "b"), ("s2", "a"), ("s2", "b")} == {
        (row["series"], row["detector"]) for row in found.results
    }
    found = find_layout(tmp_path / "data", tmp_path / "scores")
    assert ("ours", "labels of *.truth") == (found.name, found.summary)
    with pytest.raises(InputError, match=r"a layout that is known \(.*UCR.*, ours\), got"):
        next(series_of(tmp_path))
    row = "| ours | `<series>.truth`, a 0 or 1 per line | `<scores>/<detector>/<series>.npy` |"
    assert row in runpy.run_path(str(EXTEND.parents[1] / "tools" / "make_tables.py"))["layouts"]()


def test_what_is_no_layout_is_not_taken_in():
    with pytest.raises(InputError, match=r"^layout ours must be declared by @layout, got 3$"):
        LAYOUTS.add("ours", 3)
    with pytest.raises(InputError, match=r"^name of a layout must be new, got 'UCR'$"):
        layout("UCR", "", "")(print)


def test_help_names_every_benchmark():
    names = ", ".join(name for name, known in LAYOUTS.items() if not known.last)
    shown = CliRunner().invoke(rank, ["--help-all"]).output
    assert f"({names})" in " ".join(shown.split())


def test_tables_are_asked_last():
    assert ["table of intervals", "long table"] == [n for n, known in LAYOUTS.items() if known.last]


def test_a_table_with_starts_alone_is_no_table_of_intervals(tmp_path):
    path = tmp_path / "starts.csv"
    path.write_text("series,start\na,3\n")
    assert find_layout(path, None) is None
