"""TSB-AD: ``<index>_<Dataset>_id_<id>_<Domain>_tr_<train>_1st_<first>.csv``, last column ``Label``.

Scores lie in ``<scores>/<detector>/<same stem>.npy``. Its own loader drops every row in which a
value is missing, so scores may be shorter than the file: then the same rows are dropped here. The
first ``tr`` rows were for training; TSB-AD judges them too, and so does this layout unless only the
test part is asked for.
"""

from __future__ import annotations

import csv
import re
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.io.labels_and_scores import LabelledScores, recorded
from adjudge.io.layouts.contract import (
    BenchmarkLayout,
    each_named,
    layout,
    named_files,
    part,
    score_columns,
    table,
)

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray


JUDGED = "all"
_NAME = re.compile(r"\d+_(?P<group>.+)_id_\d+_.*_tr_(?P<train>\d+)_1st_\d+$")


@layout(
    "TSB-AD",
    "`001_NAB_id_1_Facility_tr_1007_1st_2014.csv`, column `Label`",
    "`<scores>/<detector>/<same stem>.npy`",
)
def find(path: Path, scores: Path | None, judged: str | None) -> BenchmarkLayout | None:
    """Recognise a folder of TSB-AD's files, or one of them."""
    load = partial(_load, judged=judged or JUDGED)
    named = named_files(path, ".csv", _NAME, scores)
    return each_named(named, load, _signals, "train length from the file names")


def _load(
    file: Path, match: re.Match[str], detectors: dict[str, Path], judged: str
) -> LabelledScores:
    train = int(match["train"])
    rows = part(file, label="Label")
    labels = rows.arrays["Label"]
    columns, broken = score_columns(detectors)
    lengths = {len(column) for column in columns.values()} - {len(labels)}
    also = []
    if lengths:
        whole = _whole_rows(file)
        if lengths == {np.count_nonzero(whole)}:
            columns = {
                name: column[whole] if len(column) == len(labels) else column
                for name, column in columns.items()
            }
            rows = rows.taken(np.flatnonzero(whole))
            labels = rows.arrays["Label"]
            also = [f"{np.count_nonzero(~whole):,} rows with missing values dropped"]
    return table(
        file.name, labels, columns, train=train, judged=judged, also=also, broken=broken,
        recorded=recorded(rows),
    )  # fmt: skip


def _signals(file: Path) -> dict[str, NDArray[Any]]:
    rows = part(file, label="Label", scores=("*",))
    return {name: rows.arrays[name] for name in rows.columns.scores}


def _whole_rows(file: Path) -> NDArray[np.bool_]:
    """Tell the rows in which no value is missing."""
    with file.open(newline="", encoding="utf-8-sig") as stream:
        rows = csv.reader(stream)
        next(rows)
        missing = {"", "nan", "na", "null", "none"}
        return np.array([not any(c.strip().lower() in missing for c in row) for row in rows if row])
