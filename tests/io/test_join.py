"""Labels in one file, scores in others: joined by row, by time or by a key."""

import numpy as np
import pandas as pd
import pytest

from adjudge.errors import FileError, InputError, UnknownName
from adjudge.io.labels_and_scores import read

TIMES = pd.date_range("2026-01-01", periods=5, freq="h")
LABELS = "label\n0\n1\n1\n0\n0\n"


@pytest.fixture
def write(tmp_path):
    def written(name, text):
        (tmp_path / name).write_text(text)
        return tmp_path / name

    return written


def timed(name, values, times=TIMES):
    return f"timestamp,{name}\n" + "".join(f"{t},{v}\n" for t, v in zip(times, values, strict=True))


def test_files_are_joined_row_by_row(write):
    first = write("labels.csv", LABELS)
    mine, theirs = write("mine.csv", "score\n1\n2\n3\n4\n5\n"), write("b.csv", "x\n5\n4\n3\n2\n1\n")
    table = read(first, also=[mine, theirs], scores=["score", "x"])
    assert list(table.scores) == ["mine", "x"]
    assert table.scores["x"].tolist() == [5, 4, 3, 2, 1]
    assert table.summary == "label column label, 2 detectors (mine, x), joined row by row, 5 rows"


def test_files_of_unequal_length_need_a_key(write):
    first, other = write("labels.csv", LABELS), write("mine.csv", "score\n1\n")
    with pytest.raises(
        FileError, match=r"must be equally long, got 1 rows for 5 of .*; --on names"
    ):
        read(first, also=[other])


@pytest.mark.parametrize(
    "form", [str, "{:%Y-%m-%dT%H:%M}".format, "{:%Y-%m-%d %H:%M:%S.%f}".format]
)
def test_files_are_joined_by_time_whatever_its_form_and_order(write, form):
    first = write("labels.csv", timed("label", [0, 1, 1, 0, 0]))
    order = [3, 0, 4, 2, 1]
    other = write("mine.csv", timed("score", order, [form(TIMES[i]) for i in order]))
    table = read(first, also=[other], on="timestamp")
    assert table.scores["mine"].tolist() == [0, 1, 2, 3, 4]


def test_a_csv_is_joined_to_a_parquet_of_real_times(write, tmp_path):
    first = write("labels.csv", timed("label", [0, 1, 1, 0, 0]))
    pd.DataFrame({"timestamp": TIMES[::-1], "score_x": range(5)}).to_parquet(tmp_path / "s.parquet")
    table = read(first, also=[tmp_path / "s.parquet"], on="timestamp")
    assert table.scores["score_x"].tolist() == [4, 3, 2, 1, 0]


def test_keys_may_be_numbers_text_or_several_columns(write):
    first = write("labels.csv", "label,id,n\n0,a,1\n1,a,2\n0,b,1\n")
    other = write("s.csv", "score,id,n\n7,b,1.0\n8,a,2.0\n9,a,1.0\n")
    table = read(first, also=[other], on=["id", "n"], series="id")
    assert table.scores["s"].tolist() == [9, 8, 7]
    assert table.series.tolist() == ["a", "a", "b"]


def test_rows_without_a_partner_are_counted_and_refused_or_left_out(write):
    first = write("labels.csv", timed("label", [0, 1, 1, 0, 0]))
    other = write("mine.csv", timed("score", [1, 2, 3], TIMES[2:]) + "2030-01-01,9\n")
    words = "got 2 of 5 rows of .*labels.csv and 1 of 4 rows of .*mine.csv without one; --inner"
    with pytest.raises(FileError, match=words):
        read(first, also=[other], on="timestamp")
    table = read(first, also=[other], on="timestamp", inner=True)
    assert (table.labels.tolist(), table.scores["mine"].tolist()) == ([1, 0, 0], [1, 2, 3])
    assert "joined on timestamp, 2 rows without a partner left out, 3 rows" in table.summary


def test_nothing_in_common_is_refused(write):
    first = write("labels.csv", timed("label", [0, 1, 1, 0, 0]))
    other = write("mine.csv", "timestamp,score\n2030-01-01,9\n")
    with pytest.raises(FileError, match="no row has a partner"):
        read(first, also=[other], on="timestamp", inner=True)


def test_a_key_that_repeats_is_refused_with_the_way_out(write):
    first = write("labels.csv", "label,n\n0,1\n1,2\n0,1\n")
    other = write("s.csv", "score,n\n7,1\n8,2\n")
    words = r"got '1' in rows 0 and 2"
    with pytest.raises(FileError, match=words):
        read(first, also=[other], on="n")


def test_times_with_and_without_a_zone_are_not_compared(write):
    first = write("labels.csv", timed("label", [0, 1, 1, 0, 0]))
    other = write("s.csv", timed("score", range(5), [f"{t}Z" for t in TIMES]))
    with pytest.raises(InputError, match=r"times must all have a"):
        read(first, also=[other], on="timestamp")


def test_a_detector_that_comes_twice_is_refused(write):
    first = write("labels.csv", "label,s\n0,1\n1,2\n")
    other = write("s.csv", "score\n7\n8\n")
    with pytest.raises(FileError, match="already; rename one"):
        read(first, also=[other], scores=["s", "score"])


def test_a_score_column_that_no_file_has_is_refused(write):
    first, other = write("labels.csv", LABELS), write("s.csv", "score\n1\n2\n3\n4\n5\n")
    with pytest.raises(UnknownName, match=r"unknown column 'x'; .*s.csv has the columns 'score'"):
        read(first, also=[other], scores=["x"])
    with pytest.raises(UnknownName, match="unknown score column 'x'; no file has it"):
        read(first, also=[other], scores=["x", "score"])


def test_a_zoned_time_of_arrow_is_taken_along(tmp_path, write):
    times = pd.date_range("2026-01-01", periods=3, tz="UTC")
    pd.DataFrame({"label": [0, 1, 0], "t": times}).to_parquet(tmp_path / "a.parquet")
    pd.DataFrame({"score": [1, 2], "t": times[:2]}).to_parquet(tmp_path / "b.parquet")
    table = read(
        tmp_path / "a.parquet", also=[tmp_path / "b.parquet"], on="t", time="t", inner=True
    )
    assert len(table.time) == 2
    assert np.array_equal(table.scores["b"], [1, 2])


def test_keys_are_compared_to_the_last_digit(write):
    first = 1_700_000_000_123_456_789
    for kind in (str, lambda number: f" {number}"):
        rows = "".join(f"{kind(first + 100 * place)},{place % 2}\n" for place in range(4))
        labels = write("labels.csv", f"t,label\n{rows}")
        mine = write("mine.csv", f"t,score\n{rows}")
        assert read(labels, also=[mine], on="t").scores["mine"].tolist() == [0, 1, 0, 1]
    off = "".join(f"{first + 100 * place + 20},{place}\n" for place in range(4))
    with pytest.raises(FileError, match="got 4 of 4 rows"):
        read(labels, also=[write("off.csv", f"t,score\n{off}")], on="t")


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_times_of_arrow_are_compared_in_any_unit(tmp_path, unit):
    times = pd.date_range("2026-01-01", periods=4, freq="1s")
    labels, mine = tmp_path / "labels.parquet", tmp_path / "mine.parquet"
    pd.DataFrame({"t": times.astype(f"M8[{unit}]"), "label": [0, 1, 0, 0]}).to_parquet(labels)
    pd.DataFrame({"t": times.astype("M8[ns]")[::-1], "score": [4, 3, 2, 1]}).to_parquet(mine)
    assert read(labels, also=[mine], on="t").scores["mine"].tolist() == [1, 2, 3, 4]


def test_whole_numbers_beyond_64_bits_and_without_a_sign_are_keys(tmp_path, write):
    labels = write("labels.csv", f"t,label\n{2**64},0\n{2**64 + 1},1\n")
    mine = write("mine.csv", f"t,score\n{2**64 + 1},5\n{2**64},4\n")
    assert read(labels, also=[mine], on="t").scores["mine"].tolist() == [4, 5]
    large = tmp_path / "large.parquet"
    frame = pd.DataFrame({"t": np.array([2**64 - 1, 2**64 - 2], np.uint64), "label": [0, 1]})
    frame.to_parquet(large)
    mine = write("mine.csv", f"t,score\n{2**64 - 1},4\n{2**64 - 2},5\n")
    assert read(large, also=[mine], on="t").scores["mine"].tolist() == [4, 5]
