"""Read a finished ranking back from its folder, without the data it was made from."""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjudge.errors import InputError
from adjudge.ranking.collected import collect
from adjudge.ranking.result import Ranking
from adjudge.ranking.tables import read_rows
from adjudge.stores.manifest import read_manifest

if TYPE_CHECKING:
    import os

_MANIFEST = "manifest.json"


def is_ranking(path: str | os.PathLike[str]) -> bool:
    """Tell whether a path is a folder that a ranking has finished."""
    return all((Path(path) / name).is_file() for name in (_MANIFEST, "ranking.csv", "results.csv"))


def read_ranking(path: str | os.PathLike[str]) -> Ranking:
    """The ranking that a folder holds.

    Raises
    ------
    InputError
        If the folder holds no finished ranking, or one whose tables were changed.
    """
    folder = Path(path)
    manifest = read_manifest(folder / _MANIFEST, "ranking") if is_ranking(folder) else None
    if manifest is None:
        raise InputError(
            f"path must be the folder of a finished ranking, got {str(path)!r}; "
            "adjudge rank DATA --out DIR writes one"
        )
    results = _rows(folder, "results.csv", manifest)
    rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in results:
        rows[row["series"]].append(row)
    found = collect(sorted(rows), manifest["metrics"], rows.__getitem__)
    boards = {
        (row["detector"], row["metric"]): row for row in _rows(folder, "ranking.csv", manifest)
    }
    pooled = {
        (run, metric): boards[detector, metric]
        for detector, runs in found.runs().items()
        for run in runs
        for metric in manifest["metrics"]
        if (detector, metric) in boards
    }
    return Ranking(found, rows.__getitem__, pooled, seed=manifest["seed"], path=path)


def _rows(folder: Path, name: str, manifest: dict[str, Any]) -> list[dict[str, Any]]:
    text = (folder / name).read_bytes()
    if sha256(text).hexdigest() != manifest["files"].get(name):
        raise InputError(
            f"{name} must be as the ranking wrote it, got a file that was changed in "
            f"{str(folder)!r}; run adjudge rank again"
        )
    return read_rows(csv.DictReader(io.StringIO(text.decode("utf-8"), newline="")))
