"""Benchmark layouts: folders and files in the form in which they are published.

`find_layout` says what a path is, `series_of` gives its series one by one. What was recognised is
in ``Layout.said``, for the caller to announce; pickles are never read.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from adjudge.errors import InputError
from adjudge.io.layouts.contract import Layout, StoredSeries
from adjudge.io.layouts.interval_table import find as interval_table
from adjudge.io.layouts.long_table import find as long_table
from adjudge.io.layouts.nab import find as nab
from adjudge.io.layouts.nasa import find as nasa
from adjudge.io.layouts.smd import find as smd
from adjudge.io.layouts.timeeval import find as timeeval
from adjudge.io.layouts.tsb_ad import find as tsb_ad
from adjudge.io.layouts.ucr import find as ucr

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Layout", "StoredSeries", "find_layout", "series_of"]

_LAYOUTS = (nab, nasa, smd, timeeval, tsb_ad, ucr, interval_table, long_table)


def find_layout(
    path: str | os.PathLike[str],
    scores: str | os.PathLike[str] | None = None,
    *,
    judged: str | None = None,
) -> Layout | None:
    """Recognise a benchmark by its names and columns; None if it is none that is known.

    Parameters
    ----------
    path
        A folder or a file: TSB-AD, TimeEval, NAB, UCR, Telemanom, SMD, one long table, or a table
        of intervals.
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
    found = (find(where, folder, judged) for find in _LAYOUTS)
    return next((layout for layout in found if layout is not None), None)


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
    layout = find_layout(path, scores, judged=judged)
    if layout is None:
        raise InputError(
            f"path must be a benchmark (TSB-AD, TimeEval, NAB, UCR, Telemanom, SMD), a long table "
            f"or a table of intervals, got {os.fspath(path)!r}"
        )
    yield from layout.series
