"""SMD, the server machine data set: ``test_label/machine-x-y.txt``, a 0 or 1 per line.

Scores lie in ``<scores>/<detector>/machine-x-y.npy``. A group is the first number of the machine.
The files of ``interpretation_label`` are ambiguous and not read.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from adjudge.io.layouts.contract import (
    BenchmarkLayout,
    StoredSeries,
    layout,
    plain_numbers,
    score_columns,
    score_files,
    table,
)

if TYPE_CHECKING:
    from pathlib import Path

    from adjudge.io.labels_and_scores import LabelledScores

_FOLDER = "test_label"


@layout(
    "SMD",
    "`test_label/machine-1-1.txt`",
    "`<scores>/<detector>/machine-1-1.npy`",
)
def find(path: Path, scores: Path | None, _judged: str | None) -> BenchmarkLayout | None:
    """Recognise the folder of labels, or the one above it."""
    folder = path if path.name == _FOLDER else path / _FOLDER
    files = sorted(folder.glob("*.txt"))
    if not files:
        return None
    stored = score_files(scores)
    series = tuple(
        StoredSeries(
            file.stem, file.stem.rpartition("-")[0], partial(_load, file, stored.get(file.stem, {}))
        )
        for file in files
    )
    return BenchmarkLayout(f"labels of {folder}", series)


def _load(file: Path, detectors: dict[str, Path]) -> LabelledScores:
    columns, broken = score_columns(detectors)
    return table(file.stem, plain_numbers(file), columns, broken=broken)
