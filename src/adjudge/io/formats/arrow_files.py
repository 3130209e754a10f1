"""Read Parquet, Feather and Arrow files, only the columns that are needed.

Numbers keep their type (integers, floats, booleans); decimals become the nearest float64. Series
ids are text or whole numbers, also where they are stored as categories; times keep their type and
zone. Missing values are an error unless scores may be missing. Arrow is an optional package and is
imported only when such a file is read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from adjudge.errors import FileError, MissingExtra
from adjudge.io.column_choice import WORD_HINT, FileFormat, gap_hint
from adjudge.io.text_files import broken, unless_only_seen

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from adjudge.io.column_choice import Cells, Choose, ChosenColumns, Kind, ReadValues

MAX_CELLS = 2**31

_TEXT = frozenset({"string", "large_string", "string_view"})
_ARROW_MAGIC = b"ARROW1"


def read_parquet(stream: BinaryIO, file: str, choose: Choose, style: Cells) -> ReadValues:
    """Read the chosen columns of a Parquet file."""
    arrow_of("reading Parquet")
    import pyarrow.parquet as pq  # noqa: PLC0415 - optional, and slow to import

    with broken(f"{file}: broken Parquet file"):
        parquet = pq.ParquetFile(stream)
        schema, rows = parquet.schema_arrow, parquet.metadata.num_rows
        names = schema.names  # which need not be text
    columns = choose(names)
    _check_size(rows, len(columns.seen), file)
    style.refuse_more(rows, file)

    def column(name: str) -> Any:
        return parquet.read(columns=[name]).column(name)

    return columns, column_arrays(schema, column, columns, file, style)


def read_feather(stream: BinaryIO, file: str, choose: Choose, style: Cells) -> ReadValues:
    """Read the chosen columns of a Feather or Arrow file, or of a saved Arrow stream."""
    pa = arrow_of("reading Feather and Arrow files")
    magic = stream.read(len(_ARROW_MAGIC))
    opened = pa.ipc.open_file if magic == _ARROW_MAGIC else pa.ipc.open_stream
    with broken(f"{file}: broken Arrow file"):
        stream.seek(0)
        schema = opened(stream).schema
        names = schema.names  # which need not be text
    columns = choose(names)
    with broken(f"{file}: broken Arrow file"):
        stream.seek(0)
        fields = sorted(schema.names.index(name) for name in columns.seen)
        table = opened(stream, options=pa.ipc.IpcReadOptions(included_fields=fields)).read_all()
        table.validate(full=True)  # offsets out of bounds would be read as they are
    _check_size(table.num_rows, len(columns.seen), file)
    return columns, column_arrays(schema, table.column, columns, file, style)


def arrow_of(what: str) -> Any:
    """Arrow, for who needs it to do something."""
    try:
        import pyarrow as pa  # noqa: PLC0415 - optional, and slow to import
        import pyarrow.compute  # noqa: PLC0415
        import pyarrow.ipc  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtra(what, "pyarrow") from error
    return pa


def column_arrays(
    schema: Any, column: Callable[[str], Any], columns: ChosenColumns, file: str, style: Cells
) -> dict[str, NDArray[Any]]:
    """Read the needed columns, one at a time."""
    pa = arrow_of("reading a column")
    arrays = {}
    for name in columns.seen:
        what, kind = f"{file}: column {name!r}", columns.kind(name)
        stored = schema.field(name).type
        plain = stored.value_type if pa.types.is_dictionary(stored) else stored
        with unless_only_seen(kind):
            _check_type(stored, plain, what, kind, pa)
            with broken(f"{what}: broken data"):
                values = column(name).cast(plain)
            gaps = columns.may_lack(name, gaps=style.gaps)
            arrays[name] = _values(values, plain, what, kind, gaps=gaps)
    return arrays


def _check_size(rows: int, columns: int, file: str) -> None:
    """Refuse a file that declares more values than could be meant."""
    if rows * columns > MAX_CELLS:
        raise FileError(
            f"{file}: there must be at most {MAX_CELLS:,} cells in the needed columns, got "
            f"{rows:,} rows of {columns:,}"
        )


def _check_type(stored: Any, plain: Any, what: str, kind: Kind, pa: Any) -> None:
    """Refuse a column whose values cannot be what its role asks for."""
    is_a = pa.types
    text = str(plain) in _TEXT
    numeric = is_a.is_boolean(stored) or is_a.is_integer(stored) or is_a.is_floating(stored)
    if kind == "id" and not (is_a.is_integer(plain) or text):
        raise FileError(f"{what} must be text or whole numbers, got type {stored}")
    if kind in {"time", "seen"} and not (
        text or numeric or is_a.is_timestamp(plain) or is_a.is_date(plain)
    ):
        raise FileError(f"{what} must be times, text or numbers, got type {stored}")
    if kind in {"number", "truth"} and not (numeric or is_a.is_decimal(stored)):
        hint = WORD_HINT * (kind == "truth" and text)
        raise FileError(f"{what} must be numbers or booleans, got type {stored}{hint}")


def _values(column: Any, plain: Any, what: str, kind: Kind, *, gaps: bool) -> Any:
    """The values of one column."""
    with broken(f"{what}: broken data"):
        missing = np.flatnonzero(column.is_null().to_numpy())
    if missing.size and not gaps:
        hint = gap_hint(kind)
        raise FileError(
            f"{what} must have no missing values, got null at row {missing[0]} "
            f"({missing.size:,} in all, rows counted from 0){hint}"
        )
    with broken(f"{what}: broken data"):
        if kind in {"time", "seen"} and str(plain).startswith("timestamp") and plain.tz is not None:
            return column  # an array of NumPy would lose the zone
        if str(plain).startswith("decimal"):
            # Arrow's own cast may miss the nearest float; Python's does not.
            exact = (_float(value) for chunk in column.chunks for value in chunk.to_pylist())
            return np.fromiter(exact, np.float64, len(column))
        if kind == "id" and str(plain) in {"string", "large_string"} and not missing.size:
            return _each_once(column)
        return column.to_numpy()


def _each_once(column: Any) -> NDArray[Any]:
    """Ids as objects, each of which is there once however many rows have it."""
    pa = arrow_of("reading a column")
    whole = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    coded = whole.dictionary_encode()
    names = np.array([*coded.dictionary.to_pylist(), None], object)
    return np.asarray(names[coded.indices.to_numpy()])


def _float(value: Any) -> float:
    return np.nan if value is None else float(value)


_FEATHER = FileFormat(read_feather)
FORMATS = {".parquet": FileFormat(read_parquet), ".feather": _FEATHER, ".arrow": _FEATHER}
