"""Tables of a ranking as files: the same work gives the same bytes.

Numbers have every digit they need; what is undefined is an empty cell. Text that a spreadsheet
would run as a formula gets a quote in front.
"""

from __future__ import annotations

import csv
import io
import math
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_TEXT = frozenset({"group", "series", "detector", "asked", "metric", "chosen_by", "error"})
_WHOLE = frozenset({"width", "shifts"})
_BATCH = 20_000


def csv_lines(columns: tuple[str, ...], rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Write a table line by line."""
    yield _line(columns)
    for row in rows:
        yield _line([_cell(row[name]) for name in columns])


def read_rows(lines: Iterable[dict[str, str]]) -> list[dict[str, Any]]:
    """Read the rows of such a table back: an empty cell is None.

    >>> read_rows([{"detector": "'=a", "value": "0.5", "p_value": ""}])
    [{'detector': '=a', 'value': 0.5, 'p_value': None}]
    """
    return [{name: _read(name, cell) for name, cell in line.items()} for line in lines]


def _read(name: str, cell: str) -> Any:
    if name == "error":
        return cell or None
    if name in _TEXT:
        return cell[1:] if cell.startswith("'") and cell[1:].startswith(_FORMULA) else cell
    return _value(name, cell)


def write_parquet(source: Path, target: BinaryIO) -> None:
    """Write the results as Parquet, a batch of rows at a time."""
    import pyarrow as pa  # noqa: PLC0415 - only where it is there
    import pyarrow.parquet as pq  # noqa: PLC0415 - the same

    with source.open(encoding="utf-8", newline="") as stream:
        lines = csv.reader(stream)
        names = next(lines)
        schema = pa.schema([(name, _kind(name, pa)) for name in names])
        with pq.ParquetWriter(target, schema) as writer:
            while batch := list(islice(lines, _BATCH)):
                columns = zip(*batch, strict=True)
                arrays = {
                    name: [_value(name, cell) for cell in column]
                    for name, column in zip(names, columns, strict=True)
                }
                writer.write_table(pa.table(arrays, schema=schema))


def _line(cells: Iterable[object]) -> str:
    line = io.StringIO()
    csv.writer(line).writerow(cells)
    return line.getvalue().removesuffix("\r\n") + "\n"


def _cell(value: object) -> object:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, str):
        return "'" * value.startswith(_FORMULA) + value
    return value


def _kind(name: str, pa: Any) -> Any:
    if name in _TEXT:
        return pa.string()
    if name == "exact":
        return pa.bool_()
    return pa.int64() if name in _WHOLE else pa.float64()


def _value(name: str, cell: str) -> Any:
    if name in _TEXT:
        return cell
    if cell == "":
        return None
    if name == "exact":
        return cell == "True"
    return int(cell) if name in _WHOLE else float(cell)
