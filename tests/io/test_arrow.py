"""Parquet files: what is read, and what is refused with which words."""

import sys
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from adjudge.errors import FileError, MissingExtra, UnknownName
from adjudge.io.formats import arrow_files
from adjudge.io.labels_and_scores import read


@pytest.fixture
def save(tmp_path):
    def write(columns, **options):
        table = columns if isinstance(columns, pa.Table) else pa.table(columns)
        pq.write_table(table, tmp_path / "a.parquet", **options)
        return tmp_path / "a.parquet"

    return write


def test_the_columns_are_read_with_their_types(save):
    columns = {
        "score_b": pa.array([1, 2], pa.int16()),
        "label": [True, False],
        "score": pa.array([0.5, np.nan], pa.float32()),
        "score_a.b": pa.array([Decimal("0.1"), Decimal("2.5")]),
        "score_h": np.array([1, 2], np.float16),
        "note": [None, "x"],
    }
    table = read(save(columns))
    assert ("a.parquet", [True, False]) == (table.name, table.labels.tolist())
    assert ["score_b", "score", "score_a.b", "score_h"] == list(table.scores)
    kinds = [np.int16, np.float32, np.float64, np.float16]
    assert kinds == [s.dtype for s in table.scores.values()]
    assert [0.1, 2.5] == table.scores["score_a.b"].tolist()
    np.testing.assert_array_equal([0.5, np.nan], table.scores["score"])


def test_decimals_become_the_nearest_float(save):
    texts = ["0.1234567890123456789012345678", "9007199254740993.5", "-1.00000000000000011102"]
    column = pa.array([Decimal(text) for text in texts], pa.decimal256(60, 30))
    table = read(save({"label": [0, 1, 0], "score": column}))
    assert [float(text) for text in texts] == table.scores["score"].tolist()


@pytest.mark.parametrize(
    ("ids", "expected"),
    [
        (["a", "b", "a"], ["a", "b", "a"]),
        (pa.array(["a", "b", "a"], pa.large_string()), ["a", "b", "a"]),
        (pa.array(["a", "b", "a"]).dictionary_encode(), ["a", "b", "a"]),
        (pa.array([7, 7, 8], pa.uint8()), [7, 7, 8]),
    ],
    ids=["text", "long text", "categories", "numbers"],
)
def test_series_ids_are_text_or_whole_numbers(save, ids, expected):
    columns = {"y": [0, 1, 1], "s": [1.0, 2.0, 3.0], "id": ids, "keep": [1, 0, 1]}
    path = save(columns, row_group_size=2)
    table = read(path, label="y", scores=["s"], series="id", where="keep")
    assert expected == table.series.tolist()
    assert [True, False, True] == table.where.tolist()


def test_what_pandas_and_polars_write_is_read(tmp_path):
    columns = {"label": [0, 1], "score": [0.25, 0.5], "id": ["a", "b"]}
    pandas = pd.DataFrame(columns, index=[5, 6]).astype({"id": "category"})
    pandas.to_parquet(tmp_path / "pandas.parquet")
    pl.DataFrame(columns).write_parquet(tmp_path / "polars.parquet")
    for path in tmp_path.iterdir():
        table = read(path, series="id")
        assert [0.25, 0.5] == table.scores["score"].tolist()
        assert ["a", "b"] == table.series.tolist()


def test_only_needed_columns_are_read(save, monkeypatch):
    asked = []
    whole = pq.ParquetFile.read

    def spy(self, columns):
        asked.extend(columns)
        return whole(self, columns=columns)

    monkeypatch.setattr(pq.ParquetFile, "read", spy)
    read(save({"label": [0, 1], "score": [1.0, 2.0], "text": ["a", None]}))
    assert ["label", "score"] == asked


BAD_COLUMNS = {
    "text": (["a", "b"], "column 'score' must be numbers or booleans, got type string"),
    "categories": (pa.array(["a", "b"]).dictionary_encode(), "got type dictionary"),
    "dates": (pa.array([1, 2], pa.timestamp("s")), "got type timestamp"),
    "lists": ([[1.0], [2.0]], "must be numbers or booleans, got type list"),
    "records": ([{"x": 1.0}, {"x": 2.0}], "must be numbers or booleans, got type struct"),
    "nothing but nulls": (pa.nulls(2), "must be numbers or booleans, got type null"),
    "a null": (
        [1.0, None],
        r"column 'score' must have no missing values, got null at row 1 \(1 in",
    ),
    "a null decimal": ([None, Decimal(1)], "got null at row 0"),
}


@pytest.mark.parametrize("case", BAD_COLUMNS)
def test_a_column_that_is_no_score_is_refused(save, case):
    column, words = BAD_COLUMNS[case]
    with pytest.raises(FileError, match=words):
        read(save({"label": [0, 1], "score": column}))


@pytest.mark.parametrize(
    ("ids", "words"),
    [
        ([0.5, 1.5], "column 'id' must be text or whole numbers, got type double"),
        (["a", None], "column 'id' must have no missing values, got null at row 1"),
        (pa.array(["a", None]).dictionary_encode(), "got null at row 1"),
    ],
    ids=["numbers", "a null", "a null category"],
)
def test_a_column_that_is_no_id_is_refused(save, ids, words):
    with pytest.raises(FileError, match=words):
        read(save({"label": [0, 1], "score": [0.5, 1.5], "id": ids}), series="id")


def test_columns_are_chosen_by_the_same_rules(save):
    with pytest.raises(
        UnknownName, match=r"unknown column 'nope'; .*a.parquet has the columns 'y'"
    ):
        read(save({"y": [0], "score": [1.0]}), label="nope")
    twice = pa.table([[0], [1.0], [2.0]], names=["label", "score", "score"])
    with pytest.raises(FileError, match=r"column 'score' must .*, got 2"):
        read(save(twice))


def test_no_rows_are_refused(save):
    empty = pa.table({"label": pa.array([], pa.int8()), "score": pa.array([], pa.float64())})
    with pytest.raises(FileError, match="there must be at least one row, got none"):
        read(save(empty))


def test_too_many_cells_are_refused(save, monkeypatch):
    monkeypatch.setattr(arrow_files, "MAX_CELLS", 5)
    with pytest.raises(FileError, match="at most 5 cells in the needed columns, got 3 rows of 2"):
        read(save({"label": [0, 1, 0], "score": [0, 1, 0], "x": [1, 2, 3]}))


@pytest.mark.parametrize("cut", [4, 20, -1])
def test_a_broken_file_is_refused_in_one_line(save, cut):
    path = save({"label": [0, 1], "score": [0.5, 1.5]})
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(FileError, match=r"a.parquet: broken Parquet file: ") as caught:
        read(path)
    assert 1 == len(str(caught.value).splitlines())


def test_broken_data_is_refused_in_one_line(save):
    path = save({"label": [0, 1], "score": [0.5, 1.5]}, use_dictionary=False, compression="none")
    data = path.read_bytes()
    path.write_bytes(data[:4] + b"\xff" * 20 + data[24:])
    with pytest.raises(FileError, match=r"a.parquet: column 'label': broken data: "):
        read(path)


def test_without_pyarrow_the_command_to_install_it_is_given(save, monkeypatch):
    path = save({"label": [0, 1], "score": [0.5, 1.5]})
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"reading Parquet needs pyarrow: pip install pyarrow"):
        read(path)
