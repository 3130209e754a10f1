"""Rows that are of use: a file with more is refused in every format, before all of it is read."""

import gzip
import io
import json
from contextlib import nullcontext
from itertools import product

import numpy as np
import pandas as pd
import pytest

from adjudge.errors import FileError
from adjudge.io.column_choice import COLUMNS, Cells, RequestedColumns
from adjudge.io.formats import csv_text, read_part
from adjudge.io.layouts.contract import score_column

WANTED = RequestedColumns("", COLUMNS, labelled=False)


def written(path, rows):
    """A table with so many rows, in the format of the suffix."""
    frame = pd.DataFrame({"score": np.arange(rows) / 2, "other": np.arange(rows)})
    match path.suffix:
        case ".csv" | ".txt":
            frame.to_csv(path, index=False)
        case ".tsv":
            frame.to_csv(path, index=False, sep="\t")
        case ".gz":
            path.write_bytes(gzip.compress(frame.to_csv(index=False).encode()))
        case ".jsonl":
            path.write_text("\n".join(map(json.dumps, frame.to_dict("records"))))
        case ".json":
            path.write_text(json.dumps(frame.to_dict("records")))
        case ".parquet":
            frame.to_parquet(path)
        case ".feather":
            frame.to_feather(path)
        case ".npz":
            np.savez(path, score=frame["score"])
        case ".npy":
            np.save(path, frame.to_records(index=False))
    return path


FORMS = ("csv", "tsv", "txt", "csv.gz", "jsonl", "json", "parquet", "feather", "npz", "npy")


MANY = [pytest.param(ending, 150_000, marks=pytest.mark.long) for ending in FORMS[1:]]


@pytest.mark.parametrize(  # the longest text is read by pyarrow
    ("ending", "rows"), [*product(FORMS, (1, 7)), (FORMS[0], 150_000), *MANY]
)
def test_as_many_rows_as_are_of_use_are_read_and_one_more_is_refused(tmp_path, ending, rows):
    path = written(tmp_path / f"a.{ending}", rows)
    assert read_part(str(path), WANTED, Cells(rows=rows)).rows == rows
    with pytest.raises(FileError, match=f"there must be at most {rows - 1:,} rows, got "):
        read_part(str(path), WANTED, Cells(rows=rows - 1))


def test_of_a_text_no_more_is_read_than_is_of_use(tmp_path, monkeypatch):
    path = written(tmp_path / "a.csv", 500_000)
    seen = []
    monkeypatch.setattr(csv_text, "values", lambda cells, *_, **__: seen.extend(cells))
    with pytest.raises(FileError, match="at most 10 rows, got more"):
        read_part(str(path), WANTED, Cells(rows=10))
    assert seen == []


def test_blank_lines_after_the_rows_are_let_go_as_far_as_there_are_few(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("score\n1\n2\n" + "\n" * 900)
    assert read_part(str(path), WANTED, Cells(rows=2)).rows == 2
    path.write_text("score\n1\n2\n" + "\n" * 2000)
    with pytest.raises(FileError, match="at most 2 rows, got more"):
        read_part(str(path), WANTED, Cells(rows=2))


def test_a_text_of_numbers_alone_is_left_at_the_first_too_many(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("1\n2\n3\n4\n")
    assert score_column(path, 4).tolist() == [1, 2, 3, 4]
    with pytest.raises(FileError, match="at most 2 rows, got more"):
        score_column(path, 2)


@pytest.mark.parametrize(("rows", "passed"), [(2, False), (3, True), (4, True), (None, True)])
def test_the_quick_reader_is_given_no_more_lines_than_rows(rows, passed):
    """One more, so that a last line may end or not; then the careful reader says it."""
    watched = csv_text._Watched(io.BytesIO(b"1\n" * 4), rows)  # noqa: SLF001 - what pyarrow reads
    with nullcontext() if passed else pytest.raises(csv_text._DoubtError):  # noqa: SLF001
        assert watched.read() == b"1\n" * 4
