"""Detectors by name, and the runs of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjudge.data.columns import frame_columns
from adjudge.errors import InputError

if TYPE_CHECKING:
    from adjudge._typing import Column


def detectors_of(scores: Column, single: str = "detector") -> list[tuple[str, Column]]:
    """The detectors by name: one column, a mapping or a data frame; each run by itself."""
    columns = frame_columns(scores)
    if columns is None:
        return [(single, scores)]
    if not columns:
        raise InputError("scores must hold at least one detector, got none")
    return [one for name, column in columns.items() for one in _runs(name, column)]


def runs_of(scores: Column) -> dict[str, tuple[str, int]]:
    """For each run of a detector, the detector and the number of the run."""
    columns = frame_columns(scores) or {}
    return {
        run: (name, number)
        for name, column in columns.items()
        for number, (run, _) in enumerate(_runs(name, column), 1)
        if run != name
    }


def _runs(name: str, column: Column) -> list[tuple[str, Column]]:
    """Tell several runs, a list of columns, from one column."""
    listed = isinstance(column, (list, tuple)) and len(column) > 0
    if not listed or not all(_is_column(run) for run in column):
        return [(name, column)]
    return [(f"{name} run {number}", run) for number, run in enumerate(column, 1)]


def _is_column(run: Any) -> bool:
    try:
        return not isinstance(run, str) and len(run) > 1
    except Exception:  # noqa: BLE001 - a number, or whatever somebody's object does
        return False
