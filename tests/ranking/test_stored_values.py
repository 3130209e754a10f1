"""Tables of values are read with their names, and what is no such table is refused."""

import numpy as np
import pandas as pd
import pytest

from adjudge.errors import FileError
from adjudge.ranking.values import read_values

FRAME = pd.DataFrame({
    "series": ["a", "1"], "detector": ["x", "y"], "metric": ["f1", "f1"], "value": [0.5, np.nan],
    "group": ["g", "h"], "seconds": [1, 2],
})  # fmt: skip


@pytest.mark.parametrize("suffix", ["csv", "parquet", "csv.gz"])
@pytest.mark.parametrize("without", [[], ["metric"], ["group"], ["metric", "group"]])
def test_values_are_read(tmp_path, suffix, without):
    path, frame = tmp_path / f"values.{suffix}", FRAME.drop(columns=without)
    frame.to_parquet(path) if suffix == "parquet" else frame.to_csv(path, index=False)
    found = read_values(path)
    assert set(found) == {*frame.columns} - {"seconds"}
    np.testing.assert_array_equal(found["value"], frame["value"])
    assert [str(name) for name in found["series"]] == ["a", "1"]


def test_marks_of_text_are_options(tmp_path):
    (tmp_path / "v.csv").write_text("series;detector;value\na;x;0,5\n")
    assert read_values(tmp_path / "v.csv", sep=";", decimal=",")["value"].tolist() == [0.5]


def test_what_is_no_such_table_is_refused(tmp_path):
    path = tmp_path / "v.csv"
    FRAME.drop(columns="detector").to_csv(path, index=False)
    with pytest.raises(FileError, match=r"must have the columns series, detector and value.*melt"):
        read_values(path)
    FRAME.assign(value="high").to_csv(path, index=False)
    with pytest.raises(FileError, match="line 2, column 'value': not a number: 'high'"):
        read_values(path)
