"""Parquet sets: read by row group, wherever they lie and however they are sorted, they are one."""

import sys

import fsspec
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import adjudge as aj
from adjudge.errors import FileError, InputError, MissingExtra, UnknownName
from adjudge.io import parquet_sets
from adjudge.ranking import run, sources
from adjudge.stores.engines import HERE, Lost
from ranking.benchmark import benchmark

HOW = {"series": "id", "chance": False}
METRICS = ["best(f1)", "ap"]


def long_table(data=None):
    """All series as one table, in the order of series and time."""
    frames = [
        pd.DataFrame({
            "id": name.partition("/")[2], "time": np.arange(len(labels)), "label": labels,
            "dataset": name.partition("/")[0],
            **{f"score_{detector}": column for detector, column in scores.items()},
        })
        for name, (labels, scores) in (data or benchmark(8, 120)).items()
    ]  # fmt: skip
    return pd.concat(frames, ignore_index=True)


def lines(ranking):
    """What a ranking says, wherever its data came from."""
    return [list(map(repr, row.values())) for row in (*ranking.leaderboard, *ranking.results)]


@pytest.fixture(scope="module")
def expected():
    return lines(aj.rank(long_table(), METRICS, group="dataset", **HOW))


def in_one_file(table, folder):
    pq.write_table(pa.Table.from_pandas(table), folder / "all.parquet", row_group_size=250)
    return folder / "all.parquet"


def in_three_files(table, folder):
    """Each series lies in each file, whose rows are in a random order."""
    for day, name in enumerate("cab"):
        part = table[table["time"] % 3 == day].sample(frac=1, random_state=day)
        part.to_parquet(folder / f"{name}.parquet")
    return folder


def in_hive_folders(table, folder):
    for name, part in table.groupby("dataset"):
        below = folder / f"dataset={name}"
        below.mkdir()
        part.drop(columns="dataset").to_parquet(below / "part-0.parquet")
    return folder


SETS = [in_one_file, in_three_files, in_hive_folders]


@pytest.mark.parametrize("memory", [1, 20_000, 16 << 20])
@pytest.mark.parametrize("make", SETS)
def test_however_rows_lie_the_ranking_is_the_same(make, memory, expected, tmp_path, monkeypatch):
    place = make(long_table(), tmp_path)
    monkeypatch.setattr(parquet_sets, "_REFUSED", 100)
    group = {} if make is in_hive_folders else {"group": "dataset"}
    monkeypatch.setattr(sources, "MEMORY", memory)
    assert lines(aj.rank(place, METRICS, **group, **HOW)) == expected
    task = aj.rank_task(METRICS, chance=False)
    chunks = aj.rank_chunks(place, memory=memory, series="id", **group)
    assert sorted(name for one in chunks for name in one.series) == [f"s{k:02}" for k in range(8)]
    assert len(chunks) == (8 if memory == 1 else len(chunks))
    parts = [aj.rank_part(one, task) for one in reversed(chunks)]
    finished = aj.rank_finish(parts, task)
    plain = aj.rank(place, METRICS, pooled=False, **group, **HOW)
    assert lines(finished) == lines(plain)


def test_few_rows_are_decoded_at_a_time(expected, tmp_path, monkeypatch):
    monkeypatch.setattr(parquet_sets, "_AT_ONCE", 50)
    monkeypatch.setattr(sources, "MEMORY", 20_000)
    place = in_one_file(long_table(), tmp_path)
    assert lines(aj.rank(place, METRICS, group="dataset", **HOW)) == expected


def test_addresses_are_read_like_paths(expected, tmp_path):
    in_three_files(long_table(), tmp_path)
    memory = fsspec.filesystem("memory")
    for file in tmp_path.iterdir():
        memory.pipe(f"/adjudge-set/{file.name}", file.read_bytes())
    for address in ("memory://adjudge-set", f"file://{tmp_path}", f"file://{tmp_path}/a.parquet"):
        whole = not address.endswith(".parquet")
        found = aj.rank(address, METRICS, group="dataset", **HOW)
        assert (lines(found) == expected) is whole
    with pytest.raises(FileError, match="there must be a Parquet file, got none"):
        aj.rank("memory://adjudge-nothing", METRICS, **HOW)
    with pytest.raises(FileError, match="no such address can be read"):
        aj.rank("nosuch://bucket/set", METRICS, **HOW)
    with pytest.raises(InputError, match="series must name the column of ids"):
        aj.rank("memory://adjudge-set", METRICS, chance=False)


def test_an_address_without_fsspec_is_told_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    with pytest.raises(MissingExtra, match="an address needs fsspec: pip install fsspec"):
        aj.rank("memory://adjudge-set", METRICS, **HOW)


def test_an_address_that_cannot_be_listed_is_said(monkeypatch):
    def fails(*_):
        raise OSError("no access")

    monkeypatch.setattr(type(fsspec.filesystem("memory")), "isfile", fails)
    with pytest.raises(FileError, match="cannot be listed: no access"):
        aj.rank("memory://adjudge-set", METRICS, **HOW)


def test_each_row_group_is_read_once_where_rows_are_sorted(tmp_path):
    place = in_one_file(long_table(), tmp_path)
    found = parquet_sets.parquet_set([str(place)], "id", _requested())
    assert (len(found.chunks), found.reread, found.said("id")) == (1, 1.0, "")
    chunks = aj.rank_chunks(place, series="id", memory=1)
    assert [one.chunk.places for one in chunks][:3] == [((0, 0),), ((0, 0),), ((0, 0), (0, 1))]


def _requested():
    return sources.ReadOptions(series="id").requested


def test_who_reads_rows_often_is_told_before(tmp_path, monkeypatch):
    place = in_three_files(long_table(), tmp_path)
    told = []
    monkeypatch.setattr(sources, "MEMORY", 1)
    aj.rank(place, METRICS, listed=told.append, **HOW)
    assert "each row is read 8 times, since row groups have rows of many series" in told[0]
    assert "duckdb -c" in told[0]
    monkeypatch.setattr(parquet_sets, "_REFUSED", 7.0)
    with pytest.raises(InputError, match=r"must be sorted by series, or memory be more: .*duckdb"):
        aj.rank(place, METRICS, **HOW)


def test_a_series_in_several_files_needs_a_time(tmp_path):
    table = long_table().drop(columns="time")
    table.iloc[:200].to_parquet(tmp_path / "a.parquet")
    table.iloc[200:].to_parquet(tmp_path / "b.parquet")
    found = aj.rank(tmp_path, METRICS, **HOW)
    assert "several files must have a column known as time" in next(iter(found.failed.values()))


def test_a_series_in_two_folders_is_of_no_data_set(tmp_path):
    table = long_table()
    table["dataset"] = np.where(table["time"] < 50, "x", "y")
    found = aj.rank(in_hive_folders(table, tmp_path), METRICS, **HOW)
    assert set(found.failed.values()) == {"group must be one data set per series, got x, y"}


def test_ids_may_be_numbers_categories_or_folders(tmp_path):
    table = long_table()
    numbers = table.assign(id=table["id"].str[1:].astype(int))
    kinds = {"numbers": numbers, "words": table.assign(id=table["id"].astype("category"))}
    for kind, own in kinds.items():
        own.to_parquet(tmp_path / f"{kind}.parquet")
        assert aj.rank(tmp_path / f"{kind}.parquet", "ap", **HOW).series[3] in {"3", "s03"}
    for name, own in table.groupby("id"):
        below = tmp_path / "hive" / f"id={name}"
        below.mkdir(parents=True)
        own.drop(columns="id").to_parquet(below / "0.parquet")
    assert len(aj.rank(tmp_path / "hive", "ap", **HOW).series) == 8


def test_what_cannot_be_read_is_refused_in_one_line(tmp_path):
    table = long_table()
    table.to_parquet(tmp_path / "all.parquet")
    with pytest.raises(UnknownName, match="nobody"):
        aj.rank(tmp_path / "all.parquet", "ap", series="nobody", chance=False)
    table.assign(id=table["id"].where(table["time"] > 3)).to_parquet(tmp_path / "holes.parquet")
    with pytest.raises(FileError, match="column 'id' must have no missing values, got 32"):
        aj.rank(tmp_path / "holes.parquet", "ap", **HOW)
    table.iloc[:0].to_parquet(tmp_path / "empty.parquet")
    with pytest.raises(FileError, match="at least one row, got none"):
        aj.rank(tmp_path / "empty.parquet", "ap", **HOW)
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 or not")
    with pytest.raises(FileError, match="broken Parquet file"):
        aj.rank(tmp_path / "broken.parquet", "ap", **HOW)
    with pytest.raises(InputError, match="data must be Parquet files of one long table"):
        aj.rank_chunks(benchmark(2))


def test_a_file_that_changes_meanwhile_is_noticed(tmp_path):
    place = in_one_file(long_table(), tmp_path)
    (chunk,) = aj.rank_chunks(place, series="id")
    in_one_file(long_table().iloc[::-1], tmp_path)
    found = aj.rank_finish(aj.rank_part(chunk, task := aj.rank_task("ap", chance=False)), task)
    assert "must stay as it is while it is read" in found.failed["s00"]


def test_a_chunk_that_no_worker_survives_is_judged_series_by_series(tmp_path, monkeypatch):
    place = in_one_file(long_table(), tmp_path)
    true = type(HERE).do

    def do(self, function, pieces):
        for piece, found in true(self, function, pieces):
            many = isinstance(piece, tuple) and len(piece) > 1
            last = getattr(piece, "unit", None)
            dies = many or (last is not None and last.series == "s05")
            yield piece, Lost(3) if dies else found

    monkeypatch.setattr(run.Engine, "do", do)
    found = aj.rank(place, "ap", pooled=False, **HOW)
    assert list(found.failed) == ["s05"]
    assert "died 3 times" in found.failed["s05"]
    assert len(found.results) == 7 * 3 + 1


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("how", [{"jobs": 2}, {"scheduler": "local:2"}], ids=["loky", "Dask"])
def test_workers_read_chunks_themselves(how, expected, tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "MEMORY", 20_000)
    place = in_three_files(long_table(), tmp_path)
    assert lines(aj.rank(place, METRICS, group="dataset", **HOW, **how)) == expected
