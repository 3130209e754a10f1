"""Schema of a part: one flat table of Arrow, which any engine can hold, move and store.

There are rows of three kinds. A *cell* is a detector on a series by a metric. A row without a
metric says that a detector has no score there, one without detector that the series failed. A
*sum* has no series: it holds, for a detector, a metric and a null model, what the cells of a part
add up to (`adjudge.noise.keyed_sums`); these cells name the part. In small parts cells keep their
places instead, which take less.

Numbers are signed, since Spark has no others, and text is never categories, which engines shuffle
badly.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.data.columns import frame_columns
from adjudge.errors import InputError, MissingExtra, shown
from adjudge.judging.result_columns import RANKED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adjudge._typing import Floats
    from adjudge.noise.p_values import PlacesOfSeries

    Table = Any
    """A table of pyarrow, which is imported late: it is optional."""

KINDS = {"str": "string", "ChosenBy": "string", "bool": "bool", "int": "int64",
         "int | None": "int64"}  # fmt: skip
CELL = {
    name: KINDS.get(one.kind, "float64")
    for name, one in RANKED.items()
    if name not in {"p_adjusted", "requested", "detector"}
}
"""What the results have of a cell, and its kind."""
COLUMNS = {
    "task": "string", "part": "string", "series": "string", "group": "string", "truth": "int64",
    "print": "int64", "key": "int64", "detector": "string", "requested": "string",
    "error": "string",
    **CELL, "alone": "float64", "evidence": "float64", "places": "binary", "moves": "string",
    "model": "int64", "clock": "string", "shared": "bool", "cells": "int64", "rows": "int64",
    "sums": "binary",
}  # fmt: skip
_AT_ONCE = 200_000
"""Rows of a file that are held at a time."""


def arrow() -> Any:
    """The package that holds parts.

    Raises
    ------
    MissingExtra
        If it is not installed.
    """
    try:
        import pyarrow as pa  # noqa: PLC0415 - optional, and slow to import
        import pyarrow.compute  # noqa: PLC0415
        import pyarrow.parquet  # noqa: PLC0415
    except ImportError:
        raise MissingExtra("a part of a ranking", "pyarrow") from None
    return pa


def schema() -> Any:
    """The columns of a part, as Arrow knows them."""
    pa = arrow()
    kinds = {"bool": "bool_"}
    return pa.schema([
        (name, getattr(pa, kinds.get(kind, kind))()) for name, kind in COLUMNS.items()
    ])  # fmt: skip


def table_of(rows: Iterable[Mapping[str, Any]]) -> Table:
    """Rows as a part; what a row does not say is null."""
    listed = list(rows)
    columns = {name: [row.get(name) for row in listed] for name in COLUMNS}
    return arrow().table(columns, schema=schema())


class PartRows:
    """Tables, files and folders of parts, each of which may be gone through several times.

    Parameters
    ----------
    parts : tables, data frames, lists of rows, or paths
        Whatever holds rows of parts.
    """

    def __init__(self, parts: Iterable[Any]) -> None:
        self._held: list[Table] = []
        self._files: list[Path] = []
        for one in parts:
            self._take(one)
        if not self._held and not self._files:
            raise InputError("parts must be at least one part, got none")

    def batches(self, names: Iterable[str] | None = None) -> Iterator[Table]:
        """Go through the rows, some at a time; just some of the columns."""
        pa = arrow()
        columns = list(COLUMNS if names is None else names)
        for held in self._held:
            yield held.select(columns)
        for file in self._files:
            with pa.parquet.ParquetFile(file) as parquet:
                _check_columns(parquet.schema_arrow.names, str(file))
                for batch in parquet.iter_batches(_AT_ONCE, columns=columns):
                    yield pa.table(batch)

    def _take(self, one: Any) -> None:
        if isinstance(one, (str, Path)):
            path = Path(one)
            found = sorted(path.glob("**/*.parquet")) if path.is_dir() else [path]
            if not found or not path.exists():
                raise InputError(f"parts must be Parquet files of parts, got none at {str(one)!r}")
            self._files += found
        elif isinstance(one, (list, tuple)) and all(isinstance(row, Mapping) for row in one):
            self._held.append(table_of(one))
        else:
            self._held.append(_of_frame(one))


def listed(parts: tuple[Any, ...]) -> Iterable[Any]:
    """Parts, whether they were given one by one or in a list."""
    if len(parts) == 1 and isinstance(parts[0], (list, tuple)):
        inner = parts[0]
        if not all(isinstance(row, Mapping) for row in inner):
            return inner
    return parts


def _of_frame(one: Any) -> Table:
    pa, columns = arrow(), frame_columns(one)
    if columns is None:
        raise InputError(
            f"parts must be what aj.rank_part gives, or paths of it as Parquet, got {shown(one)}"
        )
    _check_columns(columns, "a part")
    arrays = [_array(columns[name], name) for name in COLUMNS]
    return pa.table(dict(zip(COLUMNS, arrays, strict=True)), schema=schema())


def _array(column: Any, name: str) -> Any:
    """A column as Arrow's: a frame may have NaN for null, and floats for whole numbers."""
    pa = arrow()
    if isinstance(column, (pa.Array, pa.ChunkedArray)):
        return column.cast(schema().field(name).type)
    plain = column.to_arrow() if hasattr(column, "to_arrow") else None
    if plain is None:
        plain = pa.array(np.asarray(column, object), from_pandas=True)
    return plain.cast(schema().field(name).type)


def _check_columns(names: Iterable[str], where: str) -> None:
    there = set(names)
    for name in COLUMNS:
        if name not in there:
            raise InputError(
                f"parts must have every column of aj.rank_part, got none called {name!r} in {where}"
            )


def packed(places: PlacesOfSeries) -> bytes:
    """The places of a cell: how many there are by each null model, and their values in 32 bits."""
    sizes = np.array([len(places.home), *map(len, places.elsewhere)], "<u2")
    values = [np.append(home, e) for home, e in zip(places.home, places.elsewhere, strict=True)]
    return sizes.tobytes() + np.concatenate(values).astype("<f4").tobytes()


def unpacked(data: bytes) -> tuple[Floats, list[Floats]]:
    """Home and elsewhere, as they were packed.

    >>> from adjudge.noise.p_values import PlacesOfSeries
    >>> unpacked(packed(PlacesOfSeries(np.array([0.5, 1.0]), [np.array([0.25]), np.zeros(2)])))
    (array([0.5, 1. ]), [array([0.25]), array([0., 0.])])
    """
    models = int(np.frombuffer(data, "<u2", 1)[0])
    sizes = np.frombuffer(data, "<u2", models, 2).astype(np.int64) + 1
    values = np.frombuffer(data, "<f4", offset=2 + 2 * models).astype(np.float64)
    each = np.split(values, np.cumsum(sizes)[:-1])
    return np.array([one[0] for one in each]), [one[1:] for one in each]
