"""TimeEval: an index ``datasets.csv``, and a tree of results.

A file of data has ``timestamp`` first and ``is_anomaly`` last. Results lie in
``<algorithm>/<hyper-parameter id>/<collection>/<dataset>/<repetition>/``: ``raw_anomaly_scores.ts``
as the algorithm gave them, ``anomaly_scores.ts`` scaled to [0, 1]. The raw scores are read where
they are as long as the labels; where they are scores of windows, the scaled ones are. A detector is
called by its algorithm, and by the hyper-parameters and the repetition where there are several.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from adjudge.errors import FileError
from adjudge.io.labels_and_scores import LabelledScores, recorded
from adjudge.io.layouts.contract import (
    BenchmarkLayout,
    StoredSeries,
    each_column,
    layout,
    part,
    plain_numbers,
    table,
)

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray


_INDEX = "datasets.csv"
_RAW, _SCALED = "raw_anomaly_scores.ts", "anomaly_scores.ts"


@layout(
    "TimeEval",
    "`datasets.csv`, files with `is_anomaly`",
    "its tree of results; raw scores where there is one per point",
)
def find(path: Path, scores: Path | None, _judged: str | None) -> BenchmarkLayout | None:
    """Recognise the index of data sets, or the folder that has it."""
    file = path if path.name == _INDEX else path / _INDEX
    if not file.is_file():
        return None
    if scores is None:
        raise FileError(f"{file}: TimeEval's results are needed too: name their folder")
    keys = ("collection_name", "dataset_name", "test_path")
    rows = part(file, label=None, keys=keys).arrays
    runs = _runs(scores)
    series = tuple(
        StoredSeries(name, group, partial(_load, file.parent / data, name, runs.get((group, name))))
        for group, name, data in zip(*(rows[key].tolist() for key in keys), strict=True)
    )
    return BenchmarkLayout(f"data sets of {file}, raw scores where they fit", series)


def _runs(scores: Path) -> dict[tuple[str, str], dict[str, Path]]:
    """Find the runs: by collection and data set, then by the detector's name."""
    files = [file for name in (_RAW, _SCALED) for file in scores.rglob(name)]
    folders = sorted({_checked(file, scores).parent for file in files})
    parts = [folder.parts[-5:] for folder in folders]
    parameters: dict[str, set[str]] = {}
    for algorithm, parameter, *_ in parts:
        parameters.setdefault(algorithm, set()).add(parameter)
    several = {run for *_, run in parts} != {"1"}
    found: dict[tuple[str, str], dict[str, Path]] = {}
    for folder, (algorithm, parameter, collection, dataset, run) in zip(
        folders, parts, strict=True
    ):
        name = f"{algorithm}/{parameter}" if len(parameters[algorithm]) > 1 else algorithm
        name = f"{name}/{run}" if several else name
        found.setdefault((collection, dataset), {})[name] = folder
    return found


def _checked(file: Path, scores: Path) -> Path:
    """The whole path of a file of results; the folder that was named may be an algorithm's own."""
    inside = file.relative_to(scores)
    if len(inside.parts) < 5:
        tree = "<algorithm>/<hyper-parameter id>/<collection>/<dataset>/<repetition>/"
        raise FileError(f"{scores}: must hold TimeEval's results in {tree}, got {inside}")
    return file.absolute()


def _load(file: Path, name: str, runs: dict[str, Path] | None) -> LabelledScores:
    rows = part(file, label="is_anomaly")
    labels = rows.arrays["is_anomaly"]
    scaled: list[Path] = []
    columns, broken = each_column(
        {
            detector: partial(_scores, folder, len(labels), scaled)
            for detector, folder in (runs or {}).items()
        }
    )
    also = [f"{len(scaled)} of them scaled to [0, 1]"] if scaled else []
    return table(name, labels, columns, also=also, broken=broken, recorded=recorded(rows))


def _scores(folder: Path, n: int, scaled: list[Path]) -> NDArray[Any]:
    """Read the raw scores if there is one per point, else the scaled ones, and note it."""
    if (folder / _RAW).is_file():
        raw = plain_numbers(folder / _RAW)
        if len(raw) == n or not (folder / _SCALED).is_file():
            return raw
    found = plain_numbers(folder / _SCALED)
    scaled.append(folder)
    return found
