"""The UCR anomaly archive: ``NNN_UCR_Anomaly_<name>_<train>_<start>_<end>.txt``.

A file has one value per line. Its name holds the one anomaly, counted from 1 and with both ends
included, and where the training part ends; only what comes after it is judged, as is the custom
there. Scores lie in ``<scores>/<detector>/<same stem>.npy``, for the whole series or for the test
part alone.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.errors import FileError
from adjudge.io.layouts.contract import (
    BenchmarkLayout,
    each_named,
    layout,
    named_files,
    plain_numbers,
    score_columns,
    table,
)

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from adjudge.io.labels_and_scores import LabelledScores

JUDGED = "test"
_NAME = re.compile(r"\d+_UCR_Anomaly_(?P<name>.+)_(?P<train>\d+)_(?P<start>\d+)_(?P<end>\d+)$")


@layout(
    "UCR",
    "`NNN_UCR_Anomaly_<name>_<train>_<start>_<end>.txt`; both ends included, counted from 1",
    "`<scores>/<detector>/<same stem>.npy`",
)
def find(path: Path, scores: Path | None, judged: str | None) -> BenchmarkLayout | None:
    """Recognise a folder of the archive's files, or one of them."""
    load = partial(_load, judged=judged or JUDGED)
    named = named_files(path, ".txt", _NAME, scores)
    return each_named(
        named, load, _signals, "anomaly and train length from the file names, ends included"
    )


def _load(
    file: Path, match: re.Match[str], detectors: dict[str, Path], judged: str
) -> LabelledScores:
    n = len(plain_numbers(file))
    train, start, end = (int(match[name]) for name in ("train", "start", "end"))
    if not 1 <= start <= end <= n:
        raise FileError(f"{file}: the anomaly must lie in 1 to {n:,}, got {start:,} to {end:,}")
    labels = np.zeros(n, np.int8)
    labels[start - 1 : end] = 1
    columns, broken = score_columns(detectors)
    for name, column in columns.items():
        if len(column) == n - train and judged == "test":
            columns[name] = np.concatenate([np.full(train, -np.inf), column])  # not judged
    return table(file.name, labels, columns, train=train, judged=judged, broken=broken)


def _signals(file: Path) -> dict[str, NDArray[Any]]:
    return {"value": plain_numbers(file)}
