"""The paper's experiments: rows that can be made again, and a folder that can be left alone."""

import csv
import json
import math
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import adjudge as aj
from adjudge.errors import InputError, UnknownName
from adjudge.lab.simulation.simulator import simulate
from adjudge.lab.study import runner
from adjudge.lab.study.designs import authors, controlled, false_alarms_of, generator
from adjudge.lab.study.measurements import COUNTS, columns_of, measure, simulate_experiment
from adjudge.lab.study.runner import study
from adjudge.lab.study.table import arrays
from adjudge.stores.engines import Engine, Lost
from adjudge.stores.files import checksum
from adjudge.stores.folder import STUDY, FolderStore
from lab.study import naive_study

sys.path.insert(0, str(Path(__file__).parents[3] / "bench"))
from study_curves import apart, compared

SEED = 11
COLUMNS = (
    "experiment,points,events,anomaly_fraction,hits,false_alarms,overlap,separation,hellinger,"
    "precision,recall,coverage,events_found,runs,true_runs,false_runs,"
    "f1,f1_pa,f1_kpa,f1_ba,f1_ba_printed,f1_ba_authors"
)


@pytest.fixture(scope="module")
def table():
    return study(200, seed=SEED)


@pytest.fixture
def small(monkeypatch):
    """Chunks of three rows, and a count of the rows that are made."""
    made = []

    def counted(index, seed, metrics):
        made.append(index)
        numbers = dict.fromkeys(COUNTS, index) | {"coverage": math.nan}
        return [numbers.get(name, seed + 0.1 * index) for name in columns_of(metrics)]

    monkeypatch.setattr(runner, "CHUNK", 3)
    monkeypatch.setattr(runner, "simulate_experiment", lambda *given: given[1])
    monkeypatch.setattr(runner, "measure", counted)
    return made


def measured(design, seed, index, metrics):
    return measure(index, simulate_experiment(design, seed, index, 1), metrics)


def rows_of(path):
    return (path / "experiments.csv").read_text().splitlines()[1:]


# --- rows --------------------------------------------------------------------------------------


def test_the_columns_stand_in_their_order(table, tmp_path):
    table.to_csv(tmp_path / "table.csv")
    first, *rows = (tmp_path / "table.csv").read_text().splitlines()
    assert COLUMNS == first
    assert 200 == len(rows) == len(table)


def test_a_row_is_what_one_finds_by_hand():
    expected = naive_study.experiment(SEED, 0)
    np.testing.assert_allclose(measured("authors", SEED, 0, ()), expected, rtol=0, atol=1e-9)


@pytest.mark.long
def test_rows_are_what_one_finds_by_hand():
    for index in range(1, 12):
        expected = naive_study.experiment(SEED, index)
        actual = measured("authors", SEED, index, ())
        np.testing.assert_allclose(actual, expected, rtol=0, atol=1e-9)


def test_a_row_depends_on_the_seed_and_its_number_alone(table):
    for index in (0, 57, 199):
        kept = [table.column(name)[index] for name in table.columns]
        np.testing.assert_array_equal(measured("authors", SEED, index, ()), kept)
    assert measured("authors", SEED, 5, ())[1:] != measured("authors", SEED + 1, 5, ())[1:]


def test_experiments_of_large_seeds_are_not_those_of_small_ones():
    drawn = {
        generator(seed, index).integers(2**60)
        for seed in (5, 5 + 7 * 2**32, 7, 2**64 + 5)
        for index in (0, 7)
    }
    assert 8 == len(drawn)
    plain = [np.random.default_rng(key).integers(2**60) for key in ([5, 7], [5 + 7 * 2**32, 0])]
    assert plain[0] == plain[1]  # what a mere list would have done


def test_scores_keep_their_order_in_every_row(table):
    f1, pa, kpa, ba = (table.column(name) for name in ("f1", "f1_pa", "f1_kpa", "f1_ba"))
    assert (pa >= kpa).all()
    assert (kpa >= f1).all()
    assert (pa >= ba).all()
    assert not (pa == ba).all()


def test_rows_are_those_of_the_catalogue(table):
    plan = authors(SEED, 4)
    case = simulate(*plan)
    expected = {
        "f1": aj.f1(case.events, case.marks),
        "f1_pa": aj.f1_pa(case.events, case.marks),
        "f1_kpa": aj.f1_kpa(case.events, case.marks, k=0.2),
        "f1_ba": aj.f1_ba(case.events, case.marks),
        "f1_ba_printed": aj.f1_ba(case.events, case.marks, reading="printed"),
        "f1_ba_authors": aj.f1_ba(case.events, case.marks, width=25, islands="all"),
        "precision": aj.event_precision(case.events, case.marks),
        "recall": aj.event_recall(case.events, case.marks),
        "coverage": aj.event_coverage(case.events, case.marks),
        "points": case.events.n,
        "hits": plan.scenario.hits[0],
    }
    assert pytest.approx(expected) == {name: table.column(name)[4] for name in expected}


def test_the_authors_design_draws_what_they_drew(table):
    events, hits, false = (table.column(name) for name in ("events", "hits", "false_alarms"))
    assert (10, 23) == (events.min(), events.max())
    assert (hits < events).all()
    assert (0, 19) == (false.min(), false.max())
    overlap = table.column("overlap")
    assert 0 <= overlap.min() < 0.02
    assert 0.48 < overlap.max() < 0.5


def test_further_metrics_are_columns_by_their_spec():
    table = study(3, seed=SEED, metrics=["auc_roc", "f1_ba(width = 5, margin = 1)", "f1"])
    assert ("auc_roc", "f1_ba(width=5, margin=1)") == table.columns[22:]
    case = simulate(*authors(SEED, 2))
    assert aj.auc_roc(case.events, case.scores) == table["auc_roc"][2]
    wide = aj.f1_ba(case.events, case.marks, width=5, margin=1)
    assert wide == table["f1_ba(width=5, margin=1)"][2]


def test_a_metric_with_its_own_threshold_reads_the_scores():
    table = study(2, seed=SEED, metrics=("best(f1)", "f1(at=0.6)"))
    case = simulate(*authors(SEED, 1))
    assert aj.best(aj.f1)(case.events, case.scores) == table["best(f1)"][1]
    assert aj.f1(case.events, case.scores, at=0.6) == table["f1(at=0.6)"][1]


def test_a_metric_whose_name_means_something_else_here_is_refused():
    with pytest.raises(InputError, match=r"metrics must differ from the columns .* 'precision'"):
        study(1, metrics="precision")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"experiments": 0}, "experiments must be a whole number, at least 1, got 0"),
        ({"seed": -1}, "seed must be a whole number, at least 0, got -1"),
        (
            {"design": "mine"},
            "design must be one of 'authors', 'controlled', 'released', got 'mine'",
        ),
        ({"jobs": 0}, "jobs must be a whole number, at least 1, got 0"),
        ({"metrics": "f1_bb"}, "unknown metric 'f1_bb'"),
    ],
)
def test_wrong_settings_are_refused(wrong, said):
    with pytest.raises((InputError, UnknownName), match=said):
        study(**{"experiments": 1, **wrong})


def test_the_controlled_design_does_what_it_asks_for():
    plans = [controlled(SEED, index) for index in range(40)]
    cases = [simulate(*plan).achieved for plan in plans]
    asked = np.array([false_alarms_of(plan.scenario) for plan in plans])
    found = np.array([case["false_runs"] for case in cases])
    assert np.corrcoef(asked, found)[0, 1] > 0.99
    assert (asked == found).mean() > 0.8
    assert asked.max() > 20
    for name, slack in (("precision", 0.02), ("recall", 0.05), ("coverage", 0.1)):
        target = [getattr(plan.scenario, name) for plan in plans]
        if name == "recall":
            target = [plan.scenario.hits[0] / plan.scenario.events[0] for plan in plans]
        assert np.abs(np.subtract(target, [case[name] for case in cases])).mean() < slack
    assert repr(controlled(SEED, 3)[0]) == repr(controlled(SEED, 3)[0])
    assert repr(controlled(SEED, 3)[0]) != repr(controlled(SEED, 4)[0])


def test_the_controlled_design_spreads_all_four_evenly():
    """No fifth of a range holds less than half, or more than twice, of what an even spread has."""
    table = study(150, design="controlled", seed=1)
    for name, low, high in (
        ("precision", 0.1, 1), ("recall", 0, 1), ("coverage", 0.13, 0.97),
        ("separation", 0.1, 0.52),
    ):  # fmt: skip
        counts, _ = np.histogram(table[name], np.linspace(low, high, 6))
        shares = counts / 150
        assert shares.min() > 0.1, (name, shares)
        assert shares.max() < 0.4, (name, shares)
    assert np.isnan(table["overlap"]).all()


# --- the table ---------------------------------------------------------------------------------


def test_a_table_says_what_it_is(table):
    assert "Study(200 experiments, design 'authors', seed 11, 22 columns)" == repr(table)
    assert "Study(1 experiment, design 'authors', seed 0, 22 columns)" == repr(study(1))


def test_an_unknown_column_is_refused_with_an_offer(table):
    with pytest.raises(UnknownName, match="unknown column 'f1_ap', did you mean 'f1_pa'"):
        table.column("f1_ap")


def test_counts_are_whole_and_the_rest_floats(table):
    kinds = {name: table.column(name).dtype.kind for name in table.columns}
    whole = {name for name, kind in kinds.items() if kind == "i"}
    counts = "experiment points events hits false_alarms events_found runs true_runs false_runs"
    assert set(counts.split()) == whole


def test_a_table_becomes_a_frame(table):
    frame = table.to_frame()
    assert (200, 22) == frame.shape
    assert table["f1_ba"].tolist() == list(frame["f1_ba"].to_numpy())


def test_a_frame_needs_its_library(table, monkeypatch):
    def missing(*_, **__):
        raise ImportError

    monkeypatch.setattr("narwhals.stable.v2.from_dict", missing)
    with pytest.raises(aj.MissingExtra, match="a data frame needs polars"):
        table.to_frame("polars")


def test_undefined_values_are_written_nan_and_floats_to_the_last_digit(table, tmp_path):
    table.to_csv(tmp_path / "table.csv")
    with (tmp_path / "table.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    nothing_found = int(np.argmax(table["events_found"] == 0))
    assert ("0", "nan") == (rows[nothing_found]["recall"][:1], rows[nothing_found]["coverage"])
    assert math.isnan(table["coverage"][nothing_found])
    for name in table.columns:
        assert [repr(value) for value in table[name].tolist()] == [row[name] for row in rows]


def test_the_parquet_file_says_the_same(tmp_path):
    pq = pytest.importorskip("pyarrow.parquet")
    table = study(5, seed=SEED, out=tmp_path, metrics="f1_ba(width=5, margin=1)")
    read = pq.read_table(tmp_path / "experiments.parquet")
    assert list(table.columns) == read.column_names
    for name in table.columns:
        np.testing.assert_array_equal(table.column(name), read[name].to_numpy())


def test_without_pyarrow_the_csv_stands_alone(tmp_path, small, monkeypatch):
    monkeypatch.setattr("adjudge.stores.folder.find_spec", {}.get)
    study(4, out=tmp_path)
    names = {".adjudge.lock", "experiments.csv", "study.json"}
    assert names == {path.name for path in tmp_path.iterdir()}
    monkeypatch.undo()
    assert 4 == len(study(4, out=tmp_path))
    assert (tmp_path / "experiments.parquet").exists()


def test_large_tables_are_read_in_batches(monkeypatch):
    monkeypatch.setattr("adjudge.lab.study.table._BATCH", 2)
    read = arrays(iter(["0,1.5\n", "1,nan\n", "2,0.25\n"]), ("experiment", "f1"))
    assert [0, 1, 2] == read["experiment"].tolist()
    assert "[1.5, nan, 0.25]" == str(read["f1"].tolist())


# --- jobs and folders --------------------------------------------------------------------------


def test_processes_change_nothing(table, tmp_path):
    told = []
    study(200, seed=SEED, jobs=2, out=tmp_path, progress=lambda *now: told.append(now))
    table.to_csv(tmp_path / "one.txt")
    assert (tmp_path / "one.txt").read_bytes() == (tmp_path / "experiments.csv").read_bytes()
    assert [(0, 200), (100, 200), (200, 200)] == told
    tables = {"experiments.csv", "experiments.parquet"}
    names = tables | {".adjudge.lock", "study.json", "one.txt"}
    assert names == {path.name for path in tmp_path.iterdir()}


def test_a_finished_study_is_only_read(tmp_path, small):
    study(7, out=tmp_path)
    told = []
    before = (tmp_path / "experiments.csv").stat().st_mtime_ns
    table = study(7, out=tmp_path, progress=lambda *now: told.append(now))
    assert list(range(7)) == small
    assert [(7, 7)] == told
    assert before == (tmp_path / "experiments.csv").stat().st_mtime_ns
    assert tmp_path / "experiments.csv" == table.path
    assert repr(str(table.path)) in repr(table)


def test_a_study_grows_and_shrinks_without_making_rows_twice(tmp_path, small):
    study(7, out=tmp_path)
    grown = study(12, out=tmp_path)
    assert [*range(7), *range(6, 12)] == small  # the last chunk was not full
    assert 12 == len(grown) == len(rows_of(tmp_path))
    small.clear()
    assert 5 == len(study(5, out=tmp_path))
    assert [] == small
    assert [f"{i}," for i in range(5)] == [row[:2] for row in rows_of(tmp_path)]


def test_a_study_that_was_stopped_goes_on(tmp_path, small, monkeypatch):
    def stopping(done, total):
        if done >= 6:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        study(10, out=tmp_path, progress=stopping)
    assert list(range(6)) == small
    assert not (tmp_path / "experiments.csv").exists()
    study(10, out=tmp_path)
    assert list(range(10)) == small
    study(10, out=tmp_path / "whole")
    assert rows_of(tmp_path / "whole") == rows_of(tmp_path)


@pytest.mark.parametrize("moment", ["finish", "_write", "forget_rows"])
def test_a_study_that_dies_while_finishing_is_finished_later(tmp_path, small, monkeypatch, moment):
    study(7, out=tmp_path / "whole")
    true = getattr(FolderStore, moment)

    def dying(self, *args):
        if small:  # and not when the folder is begun
            raise SystemExit
        true(self, *args)

    small.clear()
    monkeypatch.setattr(FolderStore, moment, dying)
    with pytest.raises(SystemExit):
        study(7, out=tmp_path / "torn")
    monkeypatch.setattr(FolderStore, moment, true)
    small.clear()
    study(7, out=tmp_path / "torn")
    assert [] == small
    assert rows_of(tmp_path / "whole") == rows_of(tmp_path / "torn")


def test_torn_and_foreign_parts_are_made_again(tmp_path, small, monkeypatch):
    study(12, seed=1, out=tmp_path / "whole")
    with monkeypatch.context() as patched:
        patched.setattr(FolderStore, "finish", lambda *_: None)
        patched.setattr(FolderStore, "forget_rows", lambda *_: None)
        for seed in (1, 2):
            study(12, seed=seed, out=tmp_path / str(seed))
    own, foreign = (tmp_path / str(seed) / "parts" / "000001.jsonl" for seed in (1, 2))
    lines = own.read_bytes().splitlines(keepends=True)
    lines[0] = lines[0].replace(b"1.1", b"1.2")
    lines[1] = lines[1][:-9] + b"\n"
    lines[2] = foreign.read_bytes().splitlines(keepends=True)[2]
    own.write_bytes(b"".join(lines))
    small.clear()
    told = []
    study(12, seed=1, out=tmp_path / "1", progress=lambda *now: told.append(now))
    assert list(range(9)) == small
    assert (3, 12) == told[0]
    assert rows_of(tmp_path / "whole") == rows_of(tmp_path / "1")


def test_rows_that_change_under_the_run_are_no_silent_loss(tmp_path, small):
    question = runner.Question(0, "authors", ())
    kept = FolderStore(tmp_path, kind=STUDY, settings=question.plain, strict=())
    chunks = runner.Chunks(kept, question)
    chunks.keep(runner.Chunk(0, 3), "a\nb\nc\n")
    assert "a\nb\n" == chunks.rows(runner.Chunk(0, 2))
    with pytest.raises(InputError, match=r"out must be left alone .* from experiment 3 on"):
        list(chunks.all_rows(6))
    kept.close()


def test_a_table_that_was_changed_is_made_again(tmp_path, small):
    study(4, out=tmp_path)
    expected = rows_of(tmp_path)
    (tmp_path / "experiments.csv").write_text("nothing\n")
    study(4, out=tmp_path)
    assert expected == rows_of(tmp_path)
    (tmp_path / "experiments.csv").unlink()
    study(4, out=tmp_path)
    assert expected == rows_of(tmp_path)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"seed": 5}, "one with seed 0 instead of 5"),
        ({"design": "controlled"}, "one with design 'authors' instead of 'controlled'"),
        ({"metrics": ["auc_roc"]}, r"one with metrics \[\] instead of \['auc_roc'\]"),
    ],
)
def test_the_folder_of_another_study_is_refused(tmp_path, small, asked, said):
    study(4, out=tmp_path)
    with pytest.raises(InputError, match=f"out must be a new folder .* got {said}"):
        study(4, out=tmp_path, **asked)


def test_a_folder_that_cannot_be_is_refused(tmp_path, small):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"out must be .*, got .*file"):
        study(4, out=tmp_path / "file")


def test_the_note_says_what_was_studied(tmp_path, small):
    study(4, seed=9, out=tmp_path, metrics="auc_roc")
    note = json.loads((tmp_path / "study.json").read_text())
    assert (9, "authors", ["auc_roc"]) == (note["seed"], note["design"], note["metrics"])
    assert aj.__version__ == note["versions"]["adjudge"]
    assert (3, 4) == (note["chunk"], note["experiments"])
    sums = {path.name: checksum(path) for path in tmp_path.glob("experiments.*")}
    assert sums == note["files"]


# --- workers -----------------------------------------------------------------------------------


def test_a_chunk_that_no_worker_survives_is_told_with_what_to_do(monkeypatch, tmp_path):
    """As in a script that starts the study anew in every worker."""
    monkeypatch.setattr(Engine, "do", lambda _, __, pieces: ((one, Lost(3)) for one in pieces))
    said = r"workers must live until the work is done, got .* died 3 times; .* `if __name__"
    with pytest.raises(InputError, match=said):
        study(400, jobs=2, out=tmp_path)


# --- the paper ---------------------------------------------------------------------------------


def test_a_small_sample_already_lies_near_the_papers_curves(table):
    for figure in ("precision", "separation"):
        pairs = compared(table, figure, least=12)
        assert pairs
        mean, _ = apart(pairs)
        assert mean.max() < 0.1


def test_the_comparison_notices_another_score(table):
    lower = {name: table[name] - 0.15 * (name == "f1_pa") for name in table.columns}
    mean, _ = apart(compared(SimpleNamespace(column=lower.__getitem__), "separation", least=12))
    assert mean.max() > 0.1
