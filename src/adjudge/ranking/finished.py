"""Finished rankings: the tables that a folder holds, written, read back, and put together."""

from __future__ import annotations

import csv
import io
import math
from collections import defaultdict
from contextlib import closing
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjudge.checks import file_path, suggest_keywords
from adjudge.errors import InputError, shown
from adjudge.noise.chance_line import CHANCE_REVISION
from adjudge.noise.pooled_p import Pooled
from adjudge.ranking.boards.against import check_scale
from adjudge.ranking.collected import COLUMNS, RESOURCES, Collected, collect, number
from adjudge.ranking.comparable import MIN_COVERAGE
from adjudge.ranking.folder import csv_lines, csv_of_cells, read_rows, write_parquet
from adjudge.ranking.leaderboard import Computed
from adjudge.ranking.panels import MOVES
from adjudge.ranking.result import Ranking
from adjudge.stores.folder import RANKING, FolderStore, read_manifest, written_versions

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping, Sequence

    Row = dict[str, Any]


def is_ranking(path: str | os.PathLike[str]) -> bool:
    """Tell whether a path is a folder that a ranking has finished."""
    needed = (RANKING.manifest, "ranking.csv", "results.csv")
    folder = file_path(path, "path")
    return all((folder / name).is_file() for name in needed)


def is_unfinished(path: str | os.PathLike[str]) -> bool:
    """Tell whether a path is a folder that a ranking has begun, and not finished."""
    return (Path(path) / RANKING.manifest).is_file() and not is_ranking(path)


@suggest_keywords("read_ranking")
def read_ranking(path: str | os.PathLike[str]) -> Ranking:
    """Read a finished ranking from its folder.

    Parameters
    ----------
    path : path
        A folder that `rank` or `rank_values` wrote.

    Returns
    -------
    Ranking
        As it was when it was written.

    Raises
    ------
    InputError
        If the folder holds no finished ranking, one whose tables were changed, or one whose chance
        lines were made by other rules.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from adjudge.ranking.values import rank_values
    >>> values = {"series": ["a", "b"], "detector": ["lof", "lof"], "value": [0.5, 1.0]}
    >>> with TemporaryDirectory() as folder:
    ...     _ = rank_values(values, out=folder)
    ...     read_ranking(folder).leaderboard[0]["mean"]
    0.75
    """
    folder = Path(path)
    there = is_ranking(folder)
    manifest = read_manifest(folder / RANKING.manifest, RANKING.name) if there else None
    if manifest is None or "better" not in manifest:
        raise InputError(
            f"path must be the folder of a finished ranking, got {str(path)!r}; "
            "adjudge rank DATA --out DIR writes one"
        )
    _check_revision(folder, manifest)
    rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in _rows(folder, "results.csv", manifest):
        rows[row["series"]].append(row)
    spans = {spec: _span(ends) for spec, ends in manifest.get("spans", {}).items()}
    on_clocks: dict[str, int] = manifest.get("on_clocks", {})
    if on_clocks:
        _take_moves(rows, _rows(folder, _MOVES, manifest))
    found = collect(sorted(rows), manifest["better"], spans, rows.__getitem__, on_clocks)
    silent = [name for name in manifest["detectors"] if name not in found.runs()]
    found.note(0, [(name, 0) for name in silent])
    boards = {
        (row["detector"], row["metric"]): row for row in _rows(folder, "ranking.csv", manifest)
    }
    pooled = {
        (run, metric): boards[detector, metric]
        for detector, runs in found.runs().items()
        for run in runs
        for metric in found.metrics
        if (detector, metric) in boards
    }
    chance = {
        key: Pooled(
            number(row["p_value"]),
            number(row["least_p"]),
            row["better_on"],
            row.get("better_on_low", 0),
            row["tested"],
            clocks=row["clocks"],
        )
        for key, row in boards.items()
        if row.get("tested")
    }
    return Ranking(
        found, rows.__getitem__, Computed(pooled, chance, _carried(boards)),
        min_coverage=manifest.get("min_coverage", MIN_COVERAGE),
        unit=manifest.get("unit", "auto"), path=path, about=about(manifest),
    )  # fmt: skip


_MOVES = "moves.csv"
"""What has, of rows on shared clocks, how values move with events."""
_OF_MOVES = ("series", "detector", "requested", MOVES)


def _take_moves(rows: Mapping[str, list[Row]], moves: list[Row]) -> None:
    known = {(one["series"], one["detector"], one["requested"]): one[MOVES] for one in moves}
    for series, own in rows.items():
        for row in own:
            row[MOVES] = known.get((series, row["detector"], row["requested"]), "")


def reading_of(path: str | os.PathLike[str]) -> dict[str, Any]:
    """What was said of columns and cells when the data of a folder was ranked."""
    manifest = read_manifest(Path(path) / RANKING.manifest, RANKING.name) or {}
    said: dict[str, Any] = manifest.get("reading", {})
    return {name: tuple(one) if isinstance(one, list) else one for name, one in said.items()}


def _carried(boards: dict[tuple[str, str], dict[str, Any]]) -> dict[str, dict[str, float]]:
    """What detectors took, as the leaderboard has it."""
    found: dict[str, dict[str, float]] = {}
    for (detector, _), row in boards.items():
        own = {name: row[name] for name in RESOURCES if row.get(name) is not None}
        found |= {detector: own} if own else {}
    return found


def _check_revision(folder: Path, manifest: dict[str, Any]) -> None:
    """Refuse chance lines that were made by other rules: intervals and p-values have changed."""
    stored = manifest.get("chance_revision", "an older one")
    if manifest.get("chance") and stored != CHANCE_REVISION:
        raise InputError(
            f"path must hold chance lines of revision {CHANCE_REVISION}, got {stored} in "
            f"{str(folder)!r}; rank again: adjudge rank DATA --out DIR"
        )


_ABOUT = ("chance", "null", "shifts", "seed", "missing", "min_coverage", "unit", "thresholds")


_DIGITS = 12
"""Of the hash of all labels and scores: enough to tell data apart."""


def about(manifest: dict[str, Any]) -> dict[str, Any]:
    """Versions and settings, without what the tables say themselves."""
    found = dict(manifest["versions"])
    found |= {name: manifest[name] for name in _ABOUT if name in manifest}
    return found | ({"data": manifest["data"][:_DIGITS]} if "data" in manifest else {})


def _span(ends: list[float | None]) -> tuple[float, float]:
    low, high = ends
    return -math.inf if low is None else low, math.inf if high is None else high


def _rows(folder: Path, name: str, manifest: dict[str, Any]) -> list[dict[str, Any]]:
    text = (folder / name).read_bytes()
    if sha256(text).hexdigest() != manifest["files"].get(name):
        raise InputError(
            f"{name} must be unchanged, got another content in {str(folder)!r}; run adjudge "
            "rank again"
        )
    return read_rows(csv.DictReader(io.StringIO(text.decode("utf-8"), newline="")))


def open_folder(path: str | os.PathLike[str]) -> FolderStore:
    """The folder of a ranking, to write into until it is closed."""
    return FolderStore(path, kind=RANKING, settings={}, strict=())


def finish(folder: FolderStore, ranking: Ranking, settings: dict[str, Any]) -> None:
    """Write the tables of a ranking, and what was asked for."""
    said = {
        "metrics": ranking.metrics, "better": dict(ranking.better),
        "min_coverage": ranking.min_coverage, "series": len(ranking.series),
        "detectors": ranking.detectors, "unit": ranking.unit, **settings,
        "spans": {
            spec: [end if math.isfinite(end) else None for end in ends]
            for spec, ends in ranking.spans.items()
        },
    }  # fmt: skip
    board = ranking.leaderboard
    tables = {
        "results.csv": csv_of_cells(COLUMNS, ranking.each_cells()),
        "ranking.csv": csv_lines(tuple(board[0]) if board else (), board),
        "ranking.json": [ranking.to_json() + "\n"],
    }
    if ranking.on_clocks:
        said["on_clocks"] = ranking.on_clocks
        tables[_MOVES] = csv_lines(_OF_MOVES, ranking.each_moved())
    folder.finish(tables, write_parquet, said)


def ranking_of(
    found: Collected,
    rows_of: Callable[[str], Iterable[dict[str, Any]]],
    computed: Computed,
    settings: Mapping[str, Any],
    **how: Any,
) -> Ranking:
    """A ranking that says by which versions and settings it was made."""
    said = {name: how[name] for name in ("min_coverage", "unit")}
    told = about({"versions": written_versions(), **settings, **said})
    return Ranking(found, rows_of, computed, about=told, **how)


def write(ranking: Ranking, settings: dict[str, Any]) -> Ranking:
    """Write a ranking into its folder, where it has one."""
    if ranking.path is not None:
        with closing(open_folder(ranking.path)) as folder:
            finish(folder, ranking, settings)
    return ranking


_SAME = ("value", "error")
"""What two rankings must say alike of what both have."""


def merge_rankings(
    folders: Sequence[str | os.PathLike[str]], out: str | os.PathLike[str] | None = None
) -> Ranking:
    """Put finished rankings together: the series, detectors and metrics that any of them has.

    Parameters
    ----------
    folders : list of path
        Folders of finished rankings.
    out : path, optional
        A folder for the tables of all.

    Returns
    -------
    Ranking
        Without pooled values: they need the scores of all series at once.

    Raises
    ------
    InputError
        If two of them disagree about a value, or about a metric: then they were not made from the
        same data; or if the folder for all is one of them.
    """
    if len(folders) < 2:
        raise InputError(f"folders must be at least two rankings, got {len(folders)}")
    if out is not None and Path(out).resolve() in {Path(path).resolve() for path in folders}:
        raise InputError(f"out must be a new folder, got one of those to merge,  {str(out)!r}")
    found = [read_ranking(path) for path in folders]
    for one, other in combinations(found, 2):
        for metric in (spec for spec in one.metrics if spec in other.metrics):
            check_scale(metric, one, other)
    better: dict[str, str] = {}
    spans: dict[str, tuple[float, float]] = {}
    for one in found:
        better |= one.better
        spans |= one.spans
    rows = _merged(found)
    names = sorted({series for series, _, _ in rows})
    by_series: dict[str, list[Row]] = {name: [] for name in names}
    for row in rows.values():  # of other series, so other p-values when they are adjusted for these
        by_series[row["series"]].append({**row, "p_adjusted": None})
    merged = Collected(names, better, spans=spans)
    for place, name in enumerate(names):
        merged.add(place, by_series[name])
        merged.groups[place] = by_series[name][0]["group"]
    first = found[0]
    for one in reversed(found):
        merged.on_clocks.update(one.on_clocks)
    carried: dict[str, dict[str, float]] = {}
    for one in reversed(found):
        carried |= _carried({(row["detector"], row["metric"]): row for row in one.leaderboard})
    ranking = ranking_of(
        merged, by_series.__getitem__, Computed({}, {}, carried), {},
        min_coverage=first.min_coverage, unit=first.unit, path=out,
    )  # fmt: skip
    return write(ranking, {"merged": len(folders)})


def _merged(found: list[Ranking]) -> dict[tuple[str, str, str], Row]:
    """Every row once, by series, detector and metric."""
    rows: dict[tuple[str, str, str], Row] = {}
    resolved: dict[tuple[str, str], Row] = {}
    for ranking in found:
        for row in ranking.each_result():
            key = row["series"], row["detector"], row["requested"]
            known = rows.setdefault(key, row)
            if any(known[name] != row[name] for name in _SAME):
                raise InputError(
                    f"rankings must agree where they overlap, got {_told(row)} and "
                    f"{_told(known)} for {shown(row['detector'])} on {shown(row['series'])} by "
                    f"{row['requested']}"
                )
            if row["error"]:
                continue
            same = resolved.setdefault((row["series"], row["requested"]), row)
            if same["group"] != row["group"]:
                raise InputError(
                    "rankings must agree on the data set of a series, got "
                    f"{shown(row['group'])} and {shown(same['group'])} for {shown(row['series'])}"
                )
            if same["metric"] != row["metric"]:
                raise InputError(
                    f"rankings must be of the same series, got {row['metric']} and "
                    f"{same['metric']} for {row['requested']} on {shown(row['series'])}: the "
                    "labels differ"
                )
    return rows


def _told(row: Row) -> str:
    return f"a failure ({row['error']})" if row["error"] else shown(row["value"])
