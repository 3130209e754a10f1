"""NAB: windows in ``combined_windows.json``, ``<detector>_<file>.csv`` in its folder of results.

The windows are ``{file: [[first, last], ...]}``, both ends included. A file of results has the
columns ``timestamp`` and ``anomaly_score``; its own label column is not read, since in one
published file it differs from the windows. What was measured lies in ``data/<file>``. NAB ignores a
probation of 15 % of the rows, at most 750; so does this layout unless all rows are asked for.
"""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.data.clock import Clock, same_zone
from adjudge.data.interval_reading import positions
from adjudge.errors import FileError, InputError
from adjudge.io.labels_and_scores import LabelledScores, Recorded
from adjudge.io.layouts.contract import (
    BenchmarkLayout,
    StoredSeries,
    each_column,
    layout,
    part,
    table,
)
from adjudge.io.text_files import opened

if TYPE_CHECKING:
    from numpy.typing import NDArray


JUDGED = "test"
_WINDOWS = ("labels/combined_windows.json", "combined_windows.json")


@layout(
    "NAB",
    "`combined_windows.json`, both ends included",
    "`<results>/<detector>/<group>/<detector>_<file>.csv`; probation not judged",
)
def find(path: Path, scores: Path | None, judged: str | None) -> BenchmarkLayout | None:
    """Recognise the folder of NAB, or its file of windows."""
    candidates = [path] if path.suffix == ".json" else [path / name for name in _WINDOWS]
    file = next((found for found in candidates if found.is_file()), None)
    if file is None or (file.name != _WINDOWS[1] and _begins_a_list(file)):
        return None
    windows = _read_windows(file)
    root = file.parent.parent if file.parent.name == "labels" else file.parent
    results = root / "results" if scores is None else scores
    detectors = sorted(folder for folder in results.glob("*") if folder.is_dir())
    series = tuple(
        StoredSeries(
            PurePosixPath(key).stem,
            str(PurePosixPath(key).parent),
            partial(_load, root, key, detectors, windows[key], judged or JUDGED),
            partial(_signals, root / "data" / key),
        )
        for key in windows
    )
    return BenchmarkLayout(f"windows of {file}, both ends included", series)


def _begins_a_list(file: Path) -> bool:
    """Tell a list, such as one of records, from windows by file."""
    with file.open("rb") as stream:
        return stream.read(64).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")


def _read_windows(file: Path) -> dict[str, list[tuple[str, str]]]:
    wrong = f"{file}: must be {{file: [[first, last], ...]}}"
    try:
        with opened(file) as stream:
            windows = json.loads(stream.read().decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise FileError(
            f"{wrong}, got broken JSON: {error}; records are a list, [{{...}}, ...]"
        ) from error
    if not isinstance(windows, dict):
        raise FileError(f"{wrong}, got {type(windows).__name__}")
    for key, pairs in windows.items():
        is_list = isinstance(pairs, list)
        if not is_list or not all(isinstance(p, list) and len(p) == 2 for p in pairs):
            raise FileError(
                f"{wrong}, got {str(pairs)[:60]} for {key!r}; labels and scores are read from a "
                "list of objects, one per row"
            )
    return windows


def _load(
    root: Path, key: str, detectors: list[Path], windows: list[tuple[str, str]], judged: str
) -> LabelledScores:
    group, stem = PurePosixPath(key).parent, PurePosixPath(key).stem
    times: list[NDArray[Any]] = []
    files = {folder.name: folder / group / f"{folder.name}_{stem}.csv" for folder in detectors}
    columns, broken = each_column(
        {name: partial(_scores, file, times) for name, file in files.items() if file.is_file()}
    )
    readings = root / "data" / key
    if not columns and not broken and readings.is_file():
        times.append(part(readings, label=None, time="timestamp").arrays["timestamp"])
    elif not columns:
        where = f"<detector>/{group}/<detector>_{stem}.csv"
        raise FileError(next(iter(broken.values()), f"{key}: no detector has results, {where}"))
    try:
        labels = _labels(times[0], windows)
    except InputError as error:
        raise FileError(f"{key}: {error}") from error
    train = int(min(0.15 * len(labels), 0.15 * 5000))
    known = Recorded(key, "timestamp", times[0])
    recorded = () if known.shows_an_hour_twice() else (known,)  # one is published so, in order
    return table(
        stem, labels, columns, train=train, judged=judged, broken=broken, time=times[0],
        recorded=recorded,
    )  # fmt: skip


def _signals(readings: Path) -> dict[str, NDArray[Any]]:
    """What the sensor measured, where the folder of data is there."""
    if not readings.is_file():
        return {}
    return {"value": part(readings, label=None, scores=("value",)).arrays["value"]}


def _scores(file: Path, times: list[NDArray[Any]]) -> NDArray[Any]:
    """Read the scores of a detector, whose times are those of the first one."""
    found = part(file, label=None, scores=("anomaly_score",), time="timestamp")
    times.append(found.arrays["timestamp"])
    if not np.array_equal(times[0], times[-1]):
        raise FileError(f"{file}: the timestamps must be those of the other detectors")
    return np.asarray(found.arrays["anomaly_score"])


def _labels(times: NDArray[Any], windows: list[tuple[str, str]]) -> NDArray[np.int8]:
    """Mark the rows from the first to the last timestamp of each window."""
    labels = np.zeros(len(times), np.int8)
    if not windows:
        return labels
    clock = Clock.read(times, "timestamp")
    ends = [Clock.read([pair[side] for pair in windows], "windows") for side in (0, 1)]
    same_zone([("timestamp", clock), *(("windows", end) for end in ends)])
    order = np.argsort(clock.instants, kind="stable")
    first, last = (end.instants for end in ends)
    places = positions(clock.instants[order], first, last, "both")
    for window, start, stop in zip(windows, *places, strict=True):
        if start >= stop:
            shown = [clock.text(int(order[end])) for end in (0, -1)]
            raise InputError(
                f"a window must cover a row of the results, which are from {shown[0]} to "
                f"{shown[1]}, got {window[0]} to {window[1]}"
            )
        labels[order[start:stop]] = 1
    return labels
