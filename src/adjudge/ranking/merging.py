"""Merging: the finished rankings of several people as one."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any

from adjudge.errors import InputError, shown
from adjudge.ranking.collected import Collected
from adjudge.ranking.finished import finish, open_folder, read_ranking
from adjudge.ranking.result import Ranking

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    Row = dict[str, Any]

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
        same data.
    """
    if len(folders) < 2:
        raise InputError(f"folders must be two rankings or more, got {len(folders)}")
    found = [read_ranking(path) for path in folders]
    better: dict[str, str] = {}
    spans: dict[str, tuple[float, float]] = {}
    for one in found:
        better |= one.better
        spans |= one.spans
    rows = _merged(found)
    names = sorted({series for series, _, _ in rows})
    by_series: dict[str, list[Row]] = {name: [] for name in names}
    for row in rows.values():
        by_series[row["series"]].append(row)
    merged = Collected(names, better, spans=spans)
    for place, name in enumerate(names):
        merged.add(place, by_series[name])
        merged.groups[place] = by_series[name][0]["group"]
    first = found[0]
    ranking = Ranking(
        merged, by_series.__getitem__, min_coverage=first.min_coverage, unit=first.unit,
        path=out,
    )  # fmt: skip
    if out is not None:
        with closing(open_folder(out)) as folder:
            finish(folder, ranking, {"merged": len(folders), "seed": 0})
    return ranking


def _merged(found: list[Ranking]) -> dict[tuple[str, str, str], Row]:
    """Every row once, by series, detector and metric."""
    rows: dict[tuple[str, str, str], Row] = {}
    resolved: dict[tuple[str, str], Row] = {}
    for ranking in found:
        for row in ranking.each_result():
            key = row["series"], row["detector"], row["asked"]
            known = rows.setdefault(key, row)
            if any(known[name] != row[name] for name in _SAME):
                raise InputError(
                    f"rankings must agree on what both have, got {shown(row['value'])} and "
                    f"{shown(known['value'])} for {shown(row['detector'])} on "
                    f"{shown(row['series'])} by {row['asked']}"
                )
            if row["error"]:
                continue
            same = resolved.setdefault((row["series"], row["asked"]), row)
            if same["metric"] != row["metric"] or same["group"] != row["group"]:
                raise InputError(
                    f"rankings must be of the same series, got {row['metric']} and "
                    f"{same['metric']} for {row['asked']} on {shown(row['series'])}: the labels "
                    "differ"
                )
    return rows
