"""Parts: judged anywhere, put together in any order, they are the ranking of all at once."""

import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import adjudge as aj
from adjudge.errors import InputError, MissingExtra
from ranking.benchmark import benchmark

TABLES = ("results.csv", "ranking.csv", "ranking.json")
METRICS = ["best(f1_ba)", "ap"]
HOW = {"shifts": 20}


def odd():
    """Seeds, nobody's column, a hole, no events, infinite scores, a detector that is missing."""
    data = {name: (labels, dict(scores)) for name, (labels, scores) in benchmark(9).items()}
    names = list(data)
    for labels, scores in data.values():
        scores["lof#1"], scores["lof#2"] = scores["fair"] + labels, scores["fair"]
        scores["nobody"] = np.full(len(labels), np.nan)
    data[names[2]][1]["good"][5] = np.nan
    data[names[3]] = np.zeros(300, int), data[names[3]][1]
    del data[names[4]][1]["blind"]
    del data[names[5]][1]["lof#2"]
    data[names[6]] = np.full(300, 7), data[names[6]][1]
    data[names[7]][1]["good"][:3] = np.inf, -np.inf, np.inf
    return data


def tables(folder):
    return {name: (Path(folder) / name).read_bytes() for name in TABLES}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    out = tmp_path_factory.mktemp("whole")
    aj.rank(odd(), METRICS, pooled=False, clock="own", out=out, **HOW)
    return tables(out)


@pytest.fixture(scope="module")
def task():
    return aj.rank_task(METRICS, **HOW)


def each(task, rng):
    """A part for each series, with one detector apart, in a random order, some of them twice."""
    parts = []
    for name, (labels, scores) in odd().items():
        apart = {"good": scores.pop("good")}
        parts += [aj.rank_part({name: (labels, some)}, task) for some in (scores, apart)]
    order = rng.permutation(len(parts)).tolist()
    return [parts[k] for k in [*order, *order[:4]]]


@pytest.fixture(scope="module")
def parts(task):
    return each(task, np.random.default_rng(0))


def test_parts_of_each_series_are_the_ranking_of_all(whole, task, parts, tmp_path):
    aj.rank_finish(parts, task, out=tmp_path)
    assert tables(tmp_path) == whole


@pytest.mark.parametrize("few", [0, 2])
def test_parts_that_add_up_are_the_ranking_of_all(whole, task, few, tmp_path, monkeypatch):
    """No place is left in their cells; a part that comes twice, and single cells, do no harm."""
    monkeypatch.setattr("adjudge.ranking.parts.part._FEW", few)
    data, rows = odd(), tmp_path / "rows"
    names = list(data)
    parts = [{name: data[name] for name in own} for own in (names[:5], names[5:])]
    written = [aj.rank_part(one, task, out=rows) for one in (*parts, parts[0])]
    assert written[0] == written[2]
    whole_part = pq.read_table(written[0])
    assert whole_part["places"].null_count == len(whole_part)
    monkeypatch.setattr("adjudge.ranking.parts.part._FEW", 100)
    again = aj.rank_part({names[0]: data[names[0]]}, task)
    aj.rank_finish([rows, again, whole_part], task, out=tmp_path / "out")
    assert tables(tmp_path / "out") == whole


def test_two_processes_make_the_same_parts(whole, task, tmp_path):
    code = (
        "import sys; sys.path[:0] = sys.argv[3:]\n"
        "import adjudge as aj\n"
        "from ranking.test_parts import HOW, METRICS, odd\n"
        "k, task, data = int(sys.argv[1]), aj.rank_task(METRICS, **HOW), odd()\n"
        "for name in list(data)[k::2]:\n"
        "    aj.rank_part({name: data[name]}, task, out=sys.argv[2])\n"
    )
    tests = str(Path(__file__).parents[1])
    for k in "01":
        subprocess.run([sys.executable, "-c", code, k, tmp_path / "parts", tests], check=True)
    aj.rank_finish(str(tmp_path / "parts"), task, series=odd(), out=tmp_path / "out")
    assert tables(tmp_path / "out") == whole


def test_any_tree_of_merges_gives_one_table(task, parts, monkeypatch):
    monkeypatch.setattr("adjudge.ranking.parts.part._FEW", 1)
    data = odd()
    summed = aj.rank_part({name: data[name] for name in list(data)[:3]}, task)
    rng, found = np.random.default_rng(1), set()
    for _ in range(10):
        left = [*parts, summed]
        while len(left) > 1:
            taken = rng.choice(len(left), min(len(left), int(rng.integers(2, 4))), replace=False)
            merged = aj.merge_parts(*(left[k] for k in taken.tolist()))
            left = [one for k, one in enumerate(left) if k not in taken] + [merged]
        sink = pa.BufferOutputStream()
        pq.write_table(left[0], sink)
        found.add(sink.getvalue().to_pybytes())
    assert len(found) == 1
    assert aj.merge_parts(left[0], left[0]).equals(left[0])


def test_whatever_holds_rows_is_a_part(task, parts, whole, tmp_path):
    merged = aj.merge_parts(parts)
    pandas, polars = merged.to_pandas(), pl.from_arrow(merged)
    for number, held in enumerate((merged, pandas, polars, merged.to_pylist())):
        aj.rank_finish(held, task, out=tmp_path / str(number))
        assert tables(tmp_path / str(number)) == whole
    assert aj.rank_finish([pandas.iloc[:9], merged.to_pylist()], task).metrics == [
        *task_specs(task)
    ]


def task_specs(task):
    return map(str, task.metrics)


@pytest.mark.parametrize(
    "metrics", [["f1_ba(at=quantile(0.9))", "detection_delay(at=quantile(0.9))"]]
)
def test_lower_and_unbounded_values_are_the_same_too(metrics, tmp_path):
    data, task = benchmark(4), aj.rank_task(metrics, **HOW)
    aj.rank(data, metrics, pooled=False, clock="own", out=tmp_path / "rank", **HOW)
    parts = [aj.rank_part({name: one}, task) for name, one in data.items()]
    aj.rank_finish(parts[::-1], task, out=tmp_path / "parts")
    assert tables(tmp_path / "parts") == tables(tmp_path / "rank")


@pytest.mark.parametrize("few", [100, 0])
def test_parts_know_who_shares_a_clock(few, tmp_path, monkeypatch):
    monkeypatch.setattr("adjudge.ranking.parts.part._FEW", few)
    data = benchmark(6)
    names = [name for name in data if name.startswith("x")]
    some = {name: data[name] for name in names}
    aj.rank(some, METRICS, pooled=False, clock="shared", out=tmp_path / "rank", **HOW)
    clocks = dict.fromkeys(names, "one machine") | {"somebody else": "another"}
    task = aj.rank_task(METRICS, clocks=clocks, **HOW)
    parts = [aj.rank_part({name: one}, task) for name, one in some.items()]
    shared = aj.rank_finish(parts[::-1], task, out=tmp_path / "parts")
    assert tables(tmp_path / "parts") == tables(tmp_path / "rank")
    assert {line["clocks"] for line in shared.leaderboard} == {1}
    alone = aj.rank_task(METRICS, clocks={name: name for name in names}, **HOW)
    apart = aj.rank_finish([aj.rank_part(some, alone)], alone)
    assert {line["clocks"] for line in apart.leaderboard} == {3}


def test_without_chance_there_are_values_alone(tmp_path):
    data, task = benchmark(4), aj.rank_task(METRICS, chance=False)
    aj.rank(data, METRICS, chance=False, pooled=False, out=tmp_path / "rank")
    aj.rank_finish(aj.rank_part(data, task), task, out=tmp_path / "parts")
    assert tables(tmp_path / "parts") == tables(tmp_path / "rank")


def one(task, name="a", labels=None, **how):
    own = series(labels) if labels is not None else series([0, 0, 1, 1, 0, 0, 0, 0])
    return aj.rank_part({name: (own, {how.pop("detector", "lof"): np.arange(len(own)) % 3})}, task)


def series(labels):
    return np.array(labels)


PLAIN = aj.rank_task("ap", chance=False)
FIRST = [0, 0, 1, 1, 0, 0, 0, 0]
REFUSED = {
    "another task": (lambda: one(aj.rank_task("auc_roc", chance=False), "b"), "of (one|this) task"),
    "other scores": (
        lambda: aj.rank_part({"a": (FIRST, {"lof": [1.0] * 8})}, PLAIN), "on what they judged"
    ),
    "other labels": (lambda: one(PLAIN, labels=[1, *FIRST[1:]], detector="b"), "labels, mask and"),
    "half of a series": (lambda: one(PLAIN, labels=FIRST[:4], detector="b"), "mask and length"),
    "another group": (
        lambda: aj.rank_part(
            {"label": FIRST, "series": ["a"] * 8, "group": ["g"] * 8, "knn": [0.5] * 8}, PLAIN,
            series="series", group="group",
        ), "data set of a series",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_what_does_not_belong_together_is_refused(what):
    other, said = REFUSED[what]
    both = [one(PLAIN), table_of_frame(other)]
    for refuse in (lambda: aj.merge_parts(*both), lambda: aj.rank_finish(both, PLAIN)):
        with pytest.raises(InputError, match=said) as error:
            refuse()
        assert "\n" not in str(error.value)


def table_of_frame(make):
    try:
        return make()
    except InputError:  # a mapping is series in memory; a frame is a long table
        frame = pd.DataFrame({"label": FIRST, "series": "a", "group": "g", "knn": 0.5})
        return aj.rank_part(frame, PLAIN, series="series", group="group")


def test_parts_of_other_versions_are_refused(monkeypatch):
    part = one(PLAIN)
    monkeypatch.setattr("adjudge.ranking.task.versions", lambda: {"adjudge": "0.0.1"})
    with pytest.raises(InputError, match="must be of this task"):
        aj.rank_finish(part, PLAIN)


def test_a_cell_in_two_sums_is_refused(task, monkeypatch):
    monkeypatch.setattr("adjudge.ranking.parts.part._FEW", 0)
    data = benchmark(3)
    names = list(data)
    both = [aj.rank_part({n: data[n] for n in own}, task) for own in (names[:2], names[1:])]
    with pytest.raises(InputError, match="agree on the sums: a cell may be in one of them"):
        aj.merge_parts(both)
    with pytest.raises(InputError, match="parts must be whole, got"):
        aj.rank_finish(both, task)
    with pytest.raises(
        InputError, match="parts must be whole, got 11 of 12 cells and 24 of 24 sums"
    ):
        aj.rank_finish(both[0].slice(1), task)
    with pytest.raises(
        InputError, match="parts must be whole, got 12 of 12 cells and 23 of 24 sums"
    ):
        aj.rank_finish(both[0].slice(0, len(both[0]) - 1), task)


def test_sums_may_come_apart_from_their_cells(task, monkeypatch):
    monkeypatch.setattr("adjudge.ranking.parts.part._FEW", 0)
    whole = aj.rank_part(benchmark(3), task)
    assert task.schema.equals(whole.schema)
    is_sum = whole["model"].is_valid()
    apart = [whole.filter(is_sum), whole.filter(whole["model"].is_null())]
    assert aj.rank_finish(apart, task).to_json() == aj.rank_finish(whole, task).to_json()


def test_who_shares_a_clock_with_nobody_here_has_it_alone(task):
    elsewhere = aj.rank_task(METRICS, clocks={"p": 1, "q": 1}, **HOW)
    parts = [aj.rank_part(benchmark(3), one) for one in (task, elsewhere)]
    boards = [
        aj.rank_finish(p, t).leaderboard for p, t in zip(parts, (task, elsewhere), strict=True)
    ]
    assert list(map(repr, boards[0])) == list(map(repr, boards[1]))


def test_where_no_series_has_a_value_nobody_is_tested(task):
    data = {"a": (np.zeros(60, int), {"lof": np.arange(60.0)})}
    found = aj.rank_finish(aj.rank_part(data, task), task)
    whole = aj.rank(data, METRICS, pooled=False, **HOW)
    assert found.to_json() == whole.to_json()
    assert {line["tested"] for line in found.leaderboard} == {0}


def test_a_series_that_was_lost_is_noticed_where_names_are_given():
    with pytest.raises(InputError, match=r"must have every series, got none of c \(1 in all\)"):
        aj.rank_finish(one(PLAIN), PLAIN, series=["a", "c"])


def test_results_of_very_many_cells_stay_in_the_parts(monkeypatch, tmp_path):
    monkeypatch.setattr("adjudge.ranking.parts.finish._LISTED", 1)
    parts = [one(PLAIN), one(PLAIN, "b")]
    found = aj.rank_finish(parts, PLAIN)
    assert found.leaderboard[0]["series"] == 2
    with pytest.raises(InputError, match="results must be read from the parts above 1 rows, got 2"):
        _ = found.results
    with pytest.raises(InputError, match="out must be left out above 1 rows, got 2"):
        aj.rank_finish(parts, PLAIN, out=tmp_path)


def test_a_series_that_failed_is_a_row(tmp_path):
    data = {"a": ([7, 7, 7], {"lof": [1.0, 2, 3]})}
    found = aj.rank_finish(aj.rank_part({**data, "b": (FIRST, {"lof": FIRST})}, PLAIN), PLAIN)
    assert list(found.failed) == ["a"]
    nobody = aj.rank_part({"a": (FIRST, {"lof": [math.nan] * 8})}, PLAIN)
    silent = aj.rank_finish([nobody, one(PLAIN, "b", detector="knn")], PLAIN)
    assert silent.detectors == ["knn", "lof"]
    assert [row["detector"] for row in silent.results] == ["knn"]


WRONG = {
    "no part": (aj.merge_parts, "at least one part, got none"),
    "a number": (lambda: aj.merge_parts(3), "must be what aj.rank_part gives, .* got 3"),
    "other columns": (lambda: aj.merge_parts({"a": [1]}), "every column of .* called 'task'"),
    "no file": (lambda: aj.merge_parts("nothing.parquet"), "must be Parquet files of parts"),
    "no task": (lambda: aj.rank_part({}, "f1"), "task must be what aj.rank_task gives, got 'f1'"),
    "no task either": (lambda: aj.rank_finish([], "f1"), "task must be what aj.rank_task gives"),
    "a setting": (
        lambda: aj.rank_part({}, PLAIN, missing="skip"), "missing is no setting of a part"
    ),
    "clocks": (lambda: aj.rank_task("f1", clocks=["a"]), "clocks must be a mapping of series"),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_what_is_no_part_is_refused(what):
    call, said = WRONG[what]
    with pytest.raises(InputError, match=said):
        call()


def test_who_has_no_arrow_is_told_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(
        MissingExtra, match="a part of a ranking needs pyarrow: pip install pyarrow"
    ):
        aj.rank_part({"a": (FIRST, {"lof": FIRST})}, PLAIN)
