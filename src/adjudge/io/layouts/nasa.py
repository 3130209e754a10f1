"""Telemanom (SMAP and MSL): ``labeled_anomalies.csv``, one row per channel.

Its columns are ``chan_id, spacecraft, anomaly_sequences, class, num_values``; a sequence is
``[first, last]`` with both ends included. Channel P-2 has two rows, and some sequences are unsorted
or overlap: all sequences of a channel are put together. Scores lie in
``<scores>/<detector>/<chan_id>.npy``.
"""

from __future__ import annotations

import ast
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from adjudge.errors import FileError
from adjudge.io.layouts.contract import (
    BenchmarkLayout,
    StoredSeries,
    layout,
    part,
    score_columns,
    score_files,
    table,
)

if TYPE_CHECKING:
    from pathlib import Path

    from adjudge.io.labels_and_scores import LabelledScores

_FILE = "labeled_anomalies.csv"


@layout(
    "Telemanom",
    "SMAP and MSL: `labeled_anomalies.csv`, both ends included, overlaps joined",
    "`<scores>/<detector>/<channel>.npy`",
)
def find(path: Path, scores: Path | None, _judged: str | None) -> BenchmarkLayout | None:
    """Recognise the table of anomalies, or the folder that has it."""
    file = path if path.name == _FILE else path / _FILE
    if not file.is_file():
        return None
    keys = ("chan_id", "spacecraft", "anomaly_sequences", "num_values")
    rows = part(file, label=None, keys=keys).arrays
    stored = score_files(scores)
    channels: dict[str, list[int]] = {}
    for row, channel in enumerate(rows["chan_id"].tolist()):
        channels.setdefault(channel, []).append(row)
    series = []
    for channel, lines in channels.items():
        sequences = [pair for i in lines for pair in _pairs(rows["anomaly_sequences"][i], file)]
        group, n = rows["spacecraft"][lines[0]], rows["num_values"][lines[0]]
        load = partial(_load, channel, sequences, int(n), stored.get(channel, {}))
        series.append(StoredSeries(channel, group, load))
    summary = f"sequences of {file}, both ends included, overlaps put together"
    return BenchmarkLayout(summary, tuple(series))


def _pairs(text: str, file: Path) -> list[tuple[int, int]]:
    """Read ``[[first, last], ...]``; nothing is evaluated."""
    try:
        pairs = [(int(first), int(last)) for first, last in ast.literal_eval(text)]
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        raise FileError(
            f"{file}: anomaly_sequences must be [[first, last], ...], got {text[:60]!r}"
        ) from None
    return pairs


def _load(
    channel: str, sequences: list[tuple[int, int]], n: int, detectors: dict[str, Path]
) -> LabelledScores:
    labels = np.zeros(n, np.int8)
    for first, last in sequences:
        if not 0 <= first <= last < n:
            raise FileError(
                f"{channel}: a sequence must lie in 0 to {n - 1:,}, got {first}, {last}"
            )
        labels[first : last + 1] = 1
    columns, broken = score_columns(detectors)
    return table(channel, labels, columns, broken=broken)
