"""Rows in the order of time: a column that is known as time shows whether they are."""

import json

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import adjudge as aj
from adjudge.cli import main
from adjudge.errors import AdjudgeError, FileError, InputError
from adjudge.io.labels_and_scores import read
from adjudge.io.layouts import find_layout

N = 200
LABELS = np.tile(np.repeat([0, 1, 0], [15, 10, 15]), 5)
FLAGS = LABELS.copy()
ORDER = np.random.default_rng(5).permutation(N)
TIMES = pd.date_range("2026-01-01", periods=N, freq="7min")
FRAME = pd.DataFrame({"timestamp": TIMES, "label": LABELS, "score": FLAGS})
MIXED = FRAME.iloc[ORDER]
FALL = pd.date_range("2026-10-24 22:00", periods=N, freq="10min", tz="UTC")
"""Through the night in which clocks are put back."""

WRITERS = {
    "csv": lambda frame, path: frame.to_csv(path, index=False),
    "jsonl": lambda frame, path: frame.astype({"timestamp": str}).to_json(
        path, orient="records", lines=True
    ),
    "parquet": lambda frame, path: frame.to_parquet(path, index=False),
    "feather": lambda frame, path: frame.reset_index(drop=True).to_feather(path),
    "npz": lambda frame, path: np.savez(
        path, labels=frame.label, scores=frame.score, timestamp=frame.timestamp.to_numpy()
    ),
    "npy": lambda frame, path: np.save(path, frame.to_records(index=False)),
}


def run(*args):
    return CliRunner().invoke(main, [str(arg) for arg in args])


def values(*args):
    result = run(*args, "--json", "--no-chance")
    assert result.exit_code == 0, result.output
    return {row["metric"]: row["value"] for row in json.loads(result.stdout)["rows"]}


def in_berlin(times):
    """What a clock on the wall says."""
    return times.tz_convert("Europe/Berlin").tz_localize(None)


@pytest.mark.parametrize("suffix", WRITERS)
def test_rows_that_go_back_are_refused_and_sorted_on_request(suffix, tmp_path):
    path = tmp_path / f"mixed.{suffix}"
    WRITERS[suffix](MIXED, path)
    row = int(np.argmax(np.diff(ORDER) < 0)) + 1
    told = run("evaluate", path, "--metric", "f1_ba")
    assert told.exit_code == 2, told.output
    assert "column 'timestamp' must increase from row to row, got 2026-01-0" in told.stderr
    assert f"at row {row} (" in told.stderr
    assert "--sort (sort=True) sorts the rows by it" in told.stderr
    assert set(values("evaluate", path, "--metric", "f1_ba", "--sort").values()) == {1.0}
    WRITERS[suffix](FRAME, path)
    assert set(values("evaluate", path, "--metric", "f1_ba").values()) == {1.0}


def test_every_column_goes_with_its_row(tmp_path):
    extra = FRAME.assign(use=np.arange(N) % 3 > 0, learn=np.arange(N) < 50, mine=np.arange(N))
    path = tmp_path / "a.csv"
    extra.iloc[ORDER].to_csv(path, index=False)
    roles = {"scores": ["mine"], "where": "use", "train": "learn", "tune_on": "score"}
    found = read(path, **roles, sort=True)
    for name, column in (("labels", "label"), ("where", "use"), ("train", "learn"),
                         ("tune_on", "score")):  # fmt: skip
        np.testing.assert_array_equal(vars(found)[name], extra[column])
    np.testing.assert_array_equal(found.scores["mine"], extra["mine"])
    assert found.summary.endswith("200 rows, sorted by timestamp")


@pytest.mark.parametrize(
    "verb", ["explain", "compare", "report", "explain-diff", "rank", "evaluate"]
)
def test_every_verb_refuses_and_sorts(verb, tmp_path):
    path = tmp_path / "mixed.csv"
    MIXED.assign(score_b=0).to_csv(path, index=False)
    more = {
        "explain": ["--score", "score"],
        "compare": ["--score", "score", "--score", "score_b"],
        "report": ["--out", tmp_path / "a.html"],
        "explain-diff": ["--score", "score", "--theirs", "1.0"],
        "rank": ["--metric", "f1_ba", "--out", tmp_path / "ranked", "--no-chance"],
        "evaluate": ["--metric", "f1_ba", "--no-chance"],
    }[verb]
    told = run(verb, path, *more)
    assert told.exit_code == 2, told.output
    assert "must increase from row to row" in told.stderr
    told = run(verb, path, *more, "--sort", *["--retry"] * (verb == "rank"))
    assert told.exit_code == 0, told.output


def test_each_series_has_its_own_time(tmp_path):
    path = tmp_path / "two.csv"
    both = pd.concat([FRAME.assign(id="a"), FRAME.assign(id="b")])
    both.to_csv(path, index=False)
    assert "--series names the column of several series" in run("evaluate", path).stderr
    asked = ("evaluate", path, "--metric", "f1_ba", "--series", "id")
    assert set(values(*asked).values()) == {1.0}
    both.sample(frac=1, random_state=0).to_csv(path, index=False)
    told = run(*asked)
    assert (told.exit_code, "--series" in told.stderr) == (2, False)
    assert set(values(*asked, "--sort").values()) == {1.0}
    told = run(*asked[:-2], "--sort")  # two series must not become one
    assert told.exit_code == 2
    assert "got 2026-01-01" in told.stderr


def test_numbers_show_the_order_without_a_unit(tmp_path):
    path = tmp_path / "a.csv"
    for times in (np.arange(N), np.arange(N) * 0.5, 2**60 + np.arange(N)):
        MIXED.assign(timestamp=times[ORDER]).to_csv(path, index=False)
        assert run("evaluate", path).exit_code == 2
        asked = ("evaluate", path, "--metric", "f1_ba", "--sort")
        assert set(values(*asked).values()) == {1.0}


def test_rows_that_repeat_a_time_are_in_order_and_said(tmp_path):
    path = tmp_path / "days.csv"
    FRAME.assign(timestamp=TIMES.strftime("%Y-%m-%d")).to_csv(path, index=False)
    said = run("evaluate", path, "--metric", "f1", "--no-chance").stderr
    assert "time column timestamp unused, 200 rows, 199 rows repeat the time before them" in said
    asked = ("evaluate", path, "--metric", "f1_ba", "--sort")
    assert set(values(*asked).values()) == {1.0}  # nothing to move


@pytest.mark.parametrize("column", [["soon", "", "later"], ["31.12.2025", "01.01.2025", "x"]])
def test_a_column_that_is_no_time_says_nothing_unless_it_is_to_sort_by(column, tmp_path):
    path = tmp_path / "a.csv"
    pd.DataFrame({"date": column, "label": [0, 1, 0], "score": [0, 1, 0]}).to_csv(path, index=False)
    assert run("evaluate", path, "--metric", "f1", "--no-chance").exit_code == 0
    told = run("evaluate", path, "--metric", "f1", "--sort")
    assert told.exit_code == 2
    assert "date must be times such as" in told.stderr


def test_a_known_time_that_cannot_be_read_is_passed_over(tmp_path):
    frame = pd.DataFrame({"label": [0, 1], "score": [0, 1], "time": [[1], [0]]})
    frame.to_parquet(tmp_path / "lists.parquet")
    assert read(tmp_path / "lists.parquet").recorded == ()
    np.savez(tmp_path / "a.npz", labels=[0, 1], scores=[0, 1], time=np.array([None, 1], object))
    np.savez(tmp_path / "b.npz", labels=[0, 1], scores=[0, 1], time=np.zeros(7))
    np.savez(tmp_path / "c.npz", labels=[0, 1], scores=[0, 1], time=np.zeros((2, 2)))
    for name in "abc":
        assert "time" not in read(tmp_path / f"{name}.npz").summary
    (tmp_path / "a.jsonl").write_text(
        '{"label": 1, "score": 1, "time": 2}\n{"label": 0, "score": 1}'
    )
    assert read(tmp_path / "a.jsonl").labels.tolist() == [1, 0]
    (tmp_path / "two.csv").write_text("time,time,label,score\n2,1,0,1\n1,2,0,1\n")
    assert read(tmp_path / "two.csv").labels.tolist() == [0, 0]
    (tmp_path / "nan.csv").write_text("time,label,score\n2,0,1\nnan,0,1\n1,1,1\n")
    assert read(tmp_path / "nan.csv").labels.tolist() == [0, 0, 1]


def test_sorting_needs_a_time(tmp_path):
    path = tmp_path / "a.csv"
    FRAME[["label", "score"]].to_csv(path, index=False)
    told = run("evaluate", path, "--sort")
    assert told.exit_code == 2
    assert "a.csv: --sort needs a time; name its column with --time" in told.stderr


def test_joined_rows_are_in_order_too(tmp_path):
    labels, scores = tmp_path / "labels.csv", tmp_path / "scores.csv"
    MIXED[["timestamp", "label"]].to_csv(labels, index=False)
    FRAME[["timestamp", "score"]].to_csv(scores, index=False)
    asked = ("evaluate", labels, "--with", scores, "--metric", "f1_ba")
    told = run(*asked, "--on", "timestamp")
    assert (told.exit_code, "labels.csv: column 'timestamp' must" in told.stderr) == (2, True)
    assert set(values(*asked, "--on", "timestamp", "--sort").values()) == {1.0}
    told = run(*asked, "--sort")  # by row: the scores are of other times
    assert (told.exit_code, "scores.csv: column 'timestamp' must" in told.stderr) == (2, True)
    FRAME[["label"]].to_csv(labels, index=False)
    MIXED[["timestamp", "score"]].to_csv(scores, index=False)
    told = run(*asked)
    assert (told.exit_code, "scores.csv: column 'timestamp' must" in told.stderr) == (2, True)


# --- clocks that are put back -------------------------------------------------------------------


@pytest.mark.parametrize("freq", ["1min", "10min", "30min", "1h"])
def test_an_hour_that_a_clock_shows_twice_has_words_of_its_own(freq, tmp_path):
    wall = in_berlin(pd.date_range("2026-10-24 22:00", periods=N, freq=freq, tz="UTC"))
    path = tmp_path / "wall.csv"
    FRAME.assign(timestamp=wall).to_csv(path, index=False)
    for more in ([], ["--sort"], ["--time", "timestamp"], ["--time", "timestamp", "--sort"]):
        told = run("evaluate", path, *more)
        assert told.exit_code == 2, more
        assert "this hour" in told.stderr
        assert "--sort" not in told.stderr
    with pytest.raises(InputError, match="this hour"):
        aj.evaluate(LABELS, pd.Series(FLAGS, index=wall), "f1")
    with pytest.raises(InputError, match="this hour"):
        aj.f1_ba(LABELS, pd.Series(FLAGS, index=wall))


def test_uneven_sampling_through_that_hour_is_known_too(tmp_path):
    rng = np.random.default_rng(0)
    seconds = np.cumsum(rng.exponential(60, N * 10))
    wall = in_berlin(FALL[0] + pd.to_timedelta(seconds, "s"))
    frame = pd.DataFrame({"time": wall, "label": 0, "score": rng.random(N * 10)})
    frame.to_csv(tmp_path / "a.csv", index=False)
    assert "this hour" in run("evaluate", tmp_path / "a.csv").stderr


def test_offsets_tell_the_two_hours_apart(tmp_path):
    path = tmp_path / "utc.csv"
    FRAME.assign(timestamp=FALL.strftime("%Y-%m-%dT%H:%M:%SZ")).to_csv(path, index=False)
    assert run("evaluate", path, "--metric", "f1", "--no-chance").exit_code == 0
    FRAME.assign(timestamp=in_berlin(FALL)[::-1]).to_csv(path, index=False)
    assert "--sort (sort=True)" in run("evaluate", path).stderr  # by day, or twice a day


@pytest.mark.parametrize(
    "times",
    [
        ["02:00", "02:30", "03:30", "03:00", "04:00"],  # a row came late
        ["12:50", "12:00", "12:10", "12:20", "12:30"],  # not at night
        ["03:00", "02:00", "02:10", "02:20", "02:30"],  # a whole hour
        ["02:10", "02:00", "02:05", "02:10", "02:15"],  # ten minutes
        ["02:50", "02:00", "02:10", "02:00", "02:10"],  # twice in a night
        ["02:00"] * 5,
    ],
)
def test_other_steps_back_are_not_that_hour(times, tmp_path):
    days = [f"2026-10-25 {time}" for time in times]
    frame = pd.DataFrame({"time": days, "label": [0, 0, 1, 0, 0], "score": [0, 0, 1, 0, 0]})
    frame.to_csv(tmp_path / "a.csv", index=False)
    for more in ([], ["--time", "time"]):
        assert "twice" not in run("evaluate", tmp_path / "a.csv", *more).stderr


# --- benchmarks ---------------------------------------------------------------------------------


def nab(folder, times, flags=FLAGS):
    stem = folder / "results" / "mine" / "group"
    stem.mkdir(parents=True)
    frame = pd.DataFrame({"timestamp": times, "anomaly_score": flags})
    frame.to_csv(stem / "mine_series.csv", index=False)
    (folder / "labels").mkdir()
    (folder / "labels" / "combined_windows.json").write_text('{"group/series.csv": []}')


def test_rows_of_a_benchmark_are_in_order(tmp_path):
    nab(tmp_path / "nab", TIMES[ORDER], FLAGS[ORDER])
    (series,) = find_layout(tmp_path / "nab").series
    with pytest.raises(FileError, match=r"group/series.csv: column 'timestamp' must increase"):
        series.load()
    found = series.load(sort=True)
    assert found.scores["mine"].tolist() == FLAGS.tolist()
    assert found.time.tolist() == TIMES.astype(str).tolist()
    assert found.train.tolist() == (np.arange(N) < 30).tolist()


def test_a_published_series_with_an_hour_twice_is_taken_as_it_is(tmp_path):
    nab(tmp_path / "nab", in_berlin(FALL))
    (series,) = find_layout(tmp_path / "nab").series
    assert series.load().scores["mine"].tolist() == FLAGS.tolist()


def test_data_of_timeeval_and_scores_with_times_are_in_order(tmp_path):
    data = pd.DataFrame({"timestamp": TIMES, "value": 0.0, "is_anomaly": LABELS})
    data.iloc[ORDER].to_csv(tmp_path / "data.csv", index=False)
    head = "collection_name,dataset_name,test_path\n"
    (tmp_path / "datasets.csv").write_text(f"{head}c,d,data.csv\n")
    run_folder = tmp_path / "scores" / "lof" / "id" / "c" / "d" / "1"
    run_folder.mkdir(parents=True)
    np.savetxt(run_folder / "raw_anomaly_scores.ts", FLAGS[ORDER])
    (series,) = find_layout(tmp_path, tmp_path / "scores").series
    with pytest.raises(FileError, match=r"data.csv: column 'timestamp' must increase"):
        series.load()
    assert series.load(sort=True).scores["lof"].tolist() == FLAGS.tolist()


def test_files_of_scores_are_in_order(tmp_path):
    (tmp_path / "test_label").mkdir()
    np.savetxt(tmp_path / "test_label" / "m-1.txt", LABELS, fmt="%d")
    scores = tmp_path / "scores" / "mine"
    scores.mkdir(parents=True)
    MIXED[["timestamp", "score"]].to_csv(scores / "m-1.csv", index=False)
    (series,) = find_layout(tmp_path, tmp_path / "scores").series
    with pytest.raises(FileError, match=r"must increase"):
        series.load()


def test_a_table_of_intervals_is_placed_whatever_the_order(tmp_path):
    events = aj.Events.from_labels(LABELS)
    ends = [(TIMES[run.start], TIMES[run.stop - 1]) for run in events]
    table = pd.DataFrame(ends, columns=["start", "end"]).assign(series="s")
    table.to_csv(tmp_path / "intervals.csv", index=False)
    folder = tmp_path / "scores" / "mine"
    folder.mkdir(parents=True)
    MIXED[["timestamp", "score"]].to_csv(folder / "s.csv", index=False)
    (series,) = find_layout(tmp_path / "intervals.csv", tmp_path / "scores").series
    with pytest.raises(FileError, match="must increase"):
        series.load()
    found = series.load(sort=True)
    assert found.labels.tolist() == LABELS.tolist() == found.scores["mine"].tolist()


def test_a_long_table_is_sorted_but_for_an_hour_twice(tmp_path):
    path = tmp_path / "long.csv"
    long = FRAME.assign(series="s", detector="mine")
    for times in (TIMES, np.arange(N), TIMES.floor("D")):
        moved = np.arange(N) if len(set(times)) < N else ORDER
        long.assign(timestamp=times).iloc[moved].to_csv(path, index=False)
        (series,) = find_layout(path).series
        assert series.load().labels.tolist() == LABELS.tolist()
    long.assign(timestamp=in_berlin(FALL)).to_csv(path, index=False)
    with pytest.raises(FileError, match="this hour"):
        find_layout(path).series[0].load()


# --- columns in memory --------------------------------------------------------------------------


def indexed(values):
    return pd.Series(np.asarray(values)[ORDER], index=TIMES[ORDER])


CALLS = {
    "evaluate": lambda labels, flags, **how: aj.evaluate(
        labels, flags, "f1_ba", chance=False, **how
    )["f1_ba"],
    "frame": lambda labels, flags, **how: aj.evaluate(
        labels, flags.to_frame("mine"), "f1_ba", chance=False, **how
    )["f1_ba"],
    "explain": lambda labels, flags, **how: aj.explain(labels, flags, "f1_ba", **how).value,
    "compare": lambda labels, flags, **how: (
        aj.compare(labels, flags, flags, "f1_ba", draws=9, **how).a
    ),
}


@pytest.mark.parametrize("call", CALLS)
def test_an_index_of_times_that_goes_back_is_refused_or_sorted_by(call):
    labels, flags = indexed(LABELS), indexed(FLAGS)
    with pytest.raises(InputError, match=r"must be strictly increasing, got .*sort=True"):
        CALLS[call](labels, flags)
    assert CALLS[call](labels, flags, sort=True) == 1
    if call != "frame":
        with pytest.raises(InputError, match="must be strictly increasing"):
            CALLS[call](labels, flags.to_numpy())


def test_a_metric_called_by_itself_refuses_it_too():
    with pytest.raises(
        InputError, match=r"the index must be .*sort_index\(\) sorts a column by it"
    ):
        aj.f1_ba(indexed(LABELS), indexed(FLAGS))
    assert aj.f1_ba(indexed(LABELS).sort_index(), indexed(FLAGS).sort_index()) == 1


def test_an_index_of_times_that_increases_in_each_series_is_the_time():
    times = TIMES[:100].append(TIMES[:100])
    series = np.repeat(["a", "b"], 100)
    flags = pd.Series(FLAGS, index=times)
    found = aj.evaluate(LABELS, flags, "f1", chance=False, series=series)
    assert found.events[0]["from"] == "2026-01-01 01:45"
    assert aj.f1_ba(LABELS, flags, series=series) == 1
    with pytest.raises(InputError, match="strictly increasing"):
        aj.f1_ba(LABELS, flags)
    with pytest.raises(InputError, match="series must be one id per point"):
        aj.evaluate(LABELS, flags, "f1", series=["a"])


@pytest.mark.parametrize("form", ["mapping", "index", "column"])
def test_rankings_of_what_is_in_memory_are_in_order(form):
    long = MIXED.assign(series="s").rename(columns={"score": "mine"})
    data = {
        "mapping": {"s": (indexed(LABELS), {"mine": indexed(FLAGS)})},
        "index": long.set_index("timestamp"),
        "column": long,
    }[form]
    with pytest.raises(AdjudgeError, match="must increase from row to row"):
        aj.rank(data, "f1_ba", chance=False)
    found = aj.rank(data, "f1_ba", chance=False, sort=True)
    assert [(row["detector"], row["mean"]) for row in found.leaderboard] == [("mine", 1.0)]
