"""Table: what a study found, one row per experiment.

The table is CSV text, wherever it lies: a header, then one line per experiment with every digit a
float needs, and ``nan`` where a value is undefined. Numbers read back are the very same.
"""

from __future__ import annotations

import csv
from functools import cached_property
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from adjudge.errors import UnknownName
from adjudge.lab.study.measurements import COUNTS
from adjudge.tables.formats import frame_of

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator

    from adjudge._typing import Array

_BATCH = 5000
"""Rows that are read, or written as Parquet, at a time."""


class Study:
    """The experiments of a study as a table, read lazily.

    Attributes
    ----------
    design, seed : str, int
        What was drawn.
    columns : tuple of str
        Names of the columns.
    path : Path or None
        Where the table lies, if it was written to a folder.

    Examples
    --------
    >>> from adjudge.lab.study.runner import study
    >>> table = study(3, seed=1)
    >>> table
    Study(3 experiments, design 'authors', seed 1, 22 columns)
    >>> table.column("runs").shape, len(table)
    ((3,), 3)
    """

    def __init__(
        self,
        design: str,
        seed: int,
        columns: tuple[str, ...],
        length: int,
        source: Path | list[str],
    ) -> None:
        self.design, self.seed, self.columns = design, seed, columns
        self.path = source if isinstance(source, Path) else None
        self._source, self._length = source, length

    def column(self, name: str) -> Array:
        """One column: int64 for counts, float64 for all else."""
        if name not in self.columns:
            raise UnknownName("column", name, self.columns)
        return self._arrays[name]

    __getitem__ = column

    def lines(self) -> Iterator[str]:
        """The rows one by one, as they are written."""
        if isinstance(self._source, list):
            for body in self._source:
                yield from body.splitlines(keepends=True)
            return
        with self._source.open(encoding="utf-8", newline="") as stream:
            next(stream)
            yield from stream

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write the table as CSV."""
        with Path(path).open("w", encoding="utf-8", newline="") as stream:
            stream.write(header(self.columns))
            stream.writelines(self.lines())

    def to_frame(self, backend: str = "pandas") -> Any:
        """The table as a data frame of pandas, polars or pyarrow."""
        return frame_of(self._arrays, backend)

    def __len__(self) -> int:
        """Count the experiments."""
        return self._length

    def __repr__(self) -> str:
        """Say what was studied, and where the table lies."""
        lies = "" if self.path is None else f", in {str(self.path)!r}"
        count = f"{self._length:,} experiment{'s' * (self._length != 1)}"
        what = f"design {self.design!r}, seed {self.seed}"
        return f"Study({count}, {what}, {len(self.columns)} columns{lies})"

    @cached_property
    def _arrays(self) -> dict[str, Array]:
        return arrays(self.lines(), self.columns)


def header(columns: tuple[str, ...]) -> str:
    """Write the first line; a spec with commas in it is quoted.

    >>> print(header(("f1", "f1_ba(width=5, margin=1)")), end="")
    f1,"f1_ba(width=5, margin=1)"
    """
    line = StringIO()
    csv.writer(line, lineterminator="\n").writerow(columns)
    return line.getvalue()


def arrays(lines: Iterable[str], columns: tuple[str, ...]) -> dict[str, Array]:
    """Read lines into one array per column.

    >>> arrays(["0,1.5", "1,nan"], ("experiment", "f1"))
    {'experiment': array([0, 1]), 'f1': array([1.5, nan])}
    """
    stream, batches = iter(lines), [np.empty((0, len(columns)))]
    while batch := list(islice(stream, _BATCH)):
        batches.append(np.array([[float(cell) for cell in line.split(",")] for line in batch]))
    numbers = np.concatenate(batches)
    return {
        name: numbers[:, place].astype(np.int64) if name in COUNTS else numbers[:, place].copy()
        for place, name in enumerate(columns)
    }


def write_parquet(table: Study, target: BinaryIO) -> None:
    """Write the table as Parquet, a batch of rows at a time."""
    import pyarrow as pa  # noqa: PLC0415 - only where it is there
    import pyarrow.parquet as pq  # noqa: PLC0415 - the same

    kinds = [(name, pa.int64() if name in COUNTS else pa.float64()) for name in table.columns]
    with pq.ParquetWriter(target, pa.schema(kinds)) as writer:
        lines = table.lines()
        while batch := list(islice(lines, _BATCH)):
            writer.write_table(pa.table(arrays(batch, table.columns)))
