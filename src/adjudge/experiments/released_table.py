"""The table that the paper's authors published, beside a replay of it.

Their file is not part of this library; whoever has it can hold it against a study of the design
"released". `COLUMNS` says which of our columns is which of theirs.
"""

from __future__ import annotations

import csv
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.errors import FileError

if TYPE_CHECKING:
    import os

    from adjudge._typing import Floats
    from adjudge.experiments.table import Study

COLUMNS = {
    "anomaly_count": "events",
    "anomaly_fraction": "anomaly_fraction",
    "signal_separation": "separation",
    "true_positives": "true_runs",
    "false_positives": "false_runs",
    "event_recall": "recall",
    "anomaly_coverage": "coverage",
    "fscore": "f1",
    "pa": "f1_pa",
    "kpa": "f1_kpa",
    "fpa": "f1_ba_authors",
}
"""Their columns, and ours."""

_ROUNDING = 1e-9
_SEPARATION = 1e-6
"""Their separation is integrated numerically, ours is not."""


class Difference(NamedTuple):
    """How one column of a published table differs from a replay of it."""

    column: str
    rows: int
    """Rows in which the two differ."""
    first: int
    """Number of the first of them; -1 if there is none."""
    largest: float
    """Largest difference in any row."""


def compare_with_file(table: Study, path: str | os.PathLike[str]) -> list[Difference]:
    """Differences between a study and the published table, one per column.

    Parameters
    ----------
    table : Study
        Of the design "released". Its rows are compared with the first of the file.
    path : path
        The authors' CSV file.

    Returns
    -------
    list of Difference
        In the order of `COLUMNS`. Two values are equal when they differ by at most 1e-9
        (signal_separation: 1e-6).

    Raises
    ------
    FileError
        If the file is not that table, or has fewer rows than the study.
    """
    published = _read(Path(path), len(table))
    return [
        _difference(name, published[name], table.column(ours)) for name, ours in COLUMNS.items()
    ]


def in_words(differences: list[Difference], rows: int) -> str:
    """Summary in a line, then one line per column that differs.

    >>> print(in_words([Difference("pa", 0, -1, 0.0), Difference("kpa", 3, 5, 0.25)], 15000))
    15,000 rows, 1 of 2 columns equal
    kpa differs in 3 rows, first in row 5, by up to 0.25
    """
    equal = sum(one.rows == 0 for one in differences)
    lines = [f"{rows:,} rows, {equal} of {len(differences)} columns equal"]
    lines += [
        f"{one.column} differs in {one.rows:,} row{'s' * (one.rows != 1)}, first in row "
        f"{one.first:,}, by up to {one.largest:.2g}"
        for one in differences
        if one.rows
    ]
    return "\n".join(lines)


def _read(path: Path, rows: int) -> dict[str, Floats]:
    """First rows of the file, by column."""
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            reader = csv.DictReader(stream)
            missing = [name for name in COLUMNS if name not in (reader.fieldnames or ())]
            first = [] if missing else islice(reader, rows)
            found = [[float(row[name]) for name in COLUMNS] for row in first]
    except (OSError, ValueError, TypeError) as error:
        raise FileError(
            f"against must be the published table as CSV, got {str(path)!r}: {error}"
        ) from None
    if missing:
        raise FileError(
            f"against must be the published table, got no column {missing[0]!r} in {str(path)!r}"
        )
    if len(found) < rows:
        raise FileError(
            f"against must have a row for each of the {rows:,} experiments, got {len(found):,} "
            f"rows in {str(path)!r}; ask for fewer experiments"
        )
    return dict(zip(COLUMNS, np.array(found).T, strict=True))


def _difference(name: str, published: Floats, ours: Floats) -> Difference:
    # they write 0 for the coverage of nothing
    apart = np.abs(np.nan_to_num(ours.astype(np.float64)) - np.nan_to_num(published))
    wrong = np.flatnonzero(apart > (_SEPARATION if name == "signal_separation" else _ROUNDING))
    first = int(wrong[0]) if wrong.size else -1
    return Difference(name, wrong.size, first, float(apart.max()))
