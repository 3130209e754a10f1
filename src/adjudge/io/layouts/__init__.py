"""Benchmark layouts: folders and files in the form in which they are published.

`find_layout` says what a path is, `series_of` gives its series one by one. What was recognised is
in ``summary``, for the caller to announce; pickles are never read.
"""

from __future__ import annotations

import os
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from adjudge.errors import InputError
from adjudge.io.layouts.contract import LAYOUTS, BenchmarkLayout, StoredSeries, layout

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["LAYOUTS", "Layout", "StoredSeries", "find_layout", "layout", "series_of"]

for _module in iter_modules(__path__):  # each declares a layout
    import_module(f"{__name__}.{_module.name}")


def find_layout(
    path: str | os.PathLike[str],
    scores: str | os.PathLike[str] | None = None,
    *,
    judged: str | None = None,
) -> BenchmarkLayout | None:
    """Recognise a benchmark by its names and columns; None if it is none that is known.

    Parameters
    ----------
    path
        A folder or a file in a layout that is known: one of `LAYOUTS`.
    scores
        The folder of scores, ``<detector>/<series>.npy`` or as the benchmark writes them.
    judged
        "all" rows, or only the "test" part, where the layout knows of a training part. Default: as
        the benchmark itself does.

    Returns
    -------
    Layout or None
        What was recognised, with its series in order; nothing is loaded yet.
    """
    if judged not in {None, "all", "test"}:
        raise InputError(f"judged must be 'all' or 'test', got {judged!r}")
    where, folder = Path(path), None if scores is None else Path(scores)
    for name, known in sorted(LAYOUTS.items(), key=lambda one: one[1].last):
        found = known.find(where, folder, judged)
        if found is not None:
            return replace(found, name=name)
    return None


def series_of(
    path: str | os.PathLike[str],
    scores: str | os.PathLike[str] | None = None,
    *,
    judged: str | None = None,
) -> Iterator[StoredSeries]:
    """The series of a benchmark, each with a way to read it.

    Parameters
    ----------
    path, scores, judged
        See `find_layout`.

    Yields
    ------
    StoredSeries
        ``name``, ``group``, and ``load()``, which gives a `adjudge.io.labels_and_scores.Table`.

    Raises
    ------
    InputError
        If the path is no layout that is known.
    """
    found = find_layout(path, scores, judged=judged)
    if found is None:
        raise InputError(
            f"path must be a benchmark in a layout that is known ({LAYOUTS.listed}), "
            f"got {os.fspath(path)!r}"
        )
    yield from found.series
