"""Read Parquet files with Arrow, only the columns that are needed.

Numbers keep their type (integers, floats, booleans); decimals become the nearest float64. Series
ids are text or whole numbers, also where they are stored as categories. Missing values are an
error: no score can be given to a row without one. Arrow is an optional package and is imported
only when a Parquet file is read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from adjudge.errors import FileError, MissingExtra
from adjudge.io.refusal import broken

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from adjudge.io.column_choice import Choose, Columns

MAX_CELLS = 2**31

_TEXT = frozenset({"string", "large_string", "string_view"})


def read_parquet(
    stream: BinaryIO, file: str, choose: Choose
) -> tuple[Columns, dict[str, NDArray[Any]]]:
    """Read the chosen columns of a Parquet file.

    Parameters
    ----------
    stream
        The file, seekable.
    file
        What messages call it.
    choose
        Picks the columns from their names.

    Returns
    -------
    tuple
        The columns chosen, and their values by name.

    Raises
    ------
    FileError
        If the file is damaged or too large, or a needed column has missing values or another type.
    MissingExtra
        If pyarrow is not installed.
    """
    try:
        import pyarrow as pa  # noqa: PLC0415 - optional, and slow to import
        import pyarrow.parquet as pq  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtra("reading Parquet", "pyarrow", "parquet") from error
    with broken(f"{file}: broken Parquet file"):
        parquet = pq.ParquetFile(stream)
        types = {field.name: field.type for field in parquet.schema_arrow}
        names, rows = parquet.schema_arrow.names, parquet.metadata.num_rows
    columns = choose(names)
    _check_size(rows, len(columns.needed), file)
    arrays = {}
    for name in columns.needed:
        what = f"{file}: column {name!r}"
        plain = _plain_type(types[name], pa)
        _check_type(types[name], plain, what, pa, text=name == columns.series)
        arrays[name] = _values(parquet, name, plain, what)
    return columns, arrays


def _check_size(rows: int, columns: int, file: str) -> None:
    """Refuse a file that declares more values than could be meant."""
    if rows * columns > MAX_CELLS:
        raise FileError(
            f"{file}: there must be at most {MAX_CELLS:,} cells in the needed columns, got "
            f"{rows:,} rows of {columns:,}"
        )


def _plain_type(kind: Any, pa: Any) -> Any:
    """Give the type that the values have once categories are resolved."""
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _check_type(kind: Any, plain: Any, what: str, pa: Any, *, text: bool) -> None:
    """Refuse a column whose values can be neither numbers nor, where wanted, ids."""
    is_a = pa.types
    if text and not (is_a.is_integer(plain) or str(plain) in _TEXT):
        raise FileError(f"{what} must be text or whole numbers, got type {kind}")
    numeric = is_a.is_boolean(kind) or is_a.is_integer(kind) or is_a.is_floating(kind)
    if not (text or numeric or is_a.is_decimal(kind)):
        raise FileError(f"{what} must be numbers or booleans, got type {kind}")


def _values(parquet: Any, name: str, plain: Any, what: str) -> NDArray[Any]:
    """Read one column and give its values."""
    with broken(f"{what}: broken Parquet data"):
        column = parquet.read(columns=[name]).column(name).cast(plain)
        missing = np.flatnonzero(column.is_null().to_numpy())
    if missing.size:
        raise FileError(
            f"{what} must have no missing values, got null at row {missing[0]} "
            f"({missing.size:,} in all, rows counted from 0)"
        )
    with broken(f"{what}: broken Parquet data"):
        if str(plain).startswith("decimal"):
            # Arrow's own cast may miss the nearest float; Python's does not.
            exact = (float(value) for chunk in column.chunks for value in chunk.to_pylist())
            return np.fromiter(exact, np.float64, len(column))
        values: NDArray[Any] = column.to_numpy()
        return values
