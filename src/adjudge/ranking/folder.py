"""Tables of a ranking as files: the same work gives the same bytes.

Numbers have every digit they need. In results an undefined value is an empty cell; in the
leaderboard it is ``nan``, and an empty cell is a number that was not computed.

Text that a spreadsheet would run as a formula gets a quote in front, and so does text that has
quotes in front of one: taking one quote away gives back every name. Parquet, which no spreadsheet
runs, has them exactly.

Rows are found by their keys, so a folder may serve several runs, one after the other: with more
metrics, more series, other settings. What a run does not ask for stays in the shards, and out of
its tables.
"""

from __future__ import annotations

import csv
import io
import json
import re
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO

from adjudge.errors import InputError
from adjudge.judging.result_columns import RANKED
from adjudge.ranking.panels import MOVES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from adjudge.stores.folder import Store


class AskedRows:
    """The rows in a store that this run asks for, among those of other runs."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def known(self, series: str, *, retry: bool) -> frozenset[str]:
        """The keys of the rows that are there; of those that failed, unless to retry."""
        found = _by_key(self._store.rows(series))
        return frozenset(key for key, row in found.items() if not (retry and row.get("error")))

    def add(
        self, series: str, keys: Iterable[str], new: Iterable[dict[str, Any]]
    ) -> list[dict[str, Any]]:
        """Keep rows, and the keys of all that this run asks for; give all of these."""
        rows, asked = self._store.rows(series), {"keys": list(keys)}
        more = [*new, *[asked] * (_last_keys(rows) != asked["keys"])]
        self._store.keep(series, more)
        return _asked(series, [*rows, *more])

    def differing(self, series: str, made: Iterable[dict[str, Any]]) -> list[bool]:
        """Of the rows that were made once more, and are here too: whether they are others."""
        found = _by_key(self._store.rows(series))
        pairs = ((found.get(row["key"]), {"series": series, **row}) for row in made)
        both = [
            (old, new) for old, new in pairs if old and not (old.get("error") or new.get("error"))
        ]
        return [json.loads(json.dumps(new)) != old for old, new in both]

    def of(self, series: str) -> list[dict[str, Any]]:
        """The rows of a series that this run asks for."""
        return _asked(series, self._store.rows(series))


def _asked(series: str, found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    by_key, keys = _by_key(found), _last_keys(found)
    if keys is None or not by_key.keys() >= set(keys):
        raise InputError(
            f"out must not change while a ranking runs, got changed rows of {series!r}; run it "
            "again"
        )
    return [by_key[key] for key in keys]


def _by_key(rows: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The last row of each key: a failure that was tried again is forgotten."""
    return {row["key"]: row for row in rows if "key" in row}


def _last_keys(rows: list[dict[str, Any]]) -> list[str] | None:
    return next((row["keys"] for row in reversed(rows) if "keys" in row), None)


_FORMULA = re.compile("'*[=+@\t\r-]")


def _of_kind(*kinds: str) -> frozenset[str]:
    return frozenset(name for name, one in RANKED.items() if one.kind in kinds)


_TEXT = _of_kind("str", "ChosenBy") | {
    "group", "series", "error", "unit", "evidence", "verdict", MOVES
}  # fmt: skip
_WHOLE = _of_kind("int", "int | None") | {"better_on", "better_on_low", "tested", "clocks"}
_YES_OR_NO = _of_kind("bool") | {"baseline", "beats_baselines"}
_BATCH = 1000


def csv_lines(columns: tuple[str, ...], rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Write a table, a batch of lines at a time."""
    return csv_of_cells(columns, (map(row.__getitem__, columns) for row in rows))


def csv_of_cells(columns: tuple[str, ...], rows: Iterable[Iterable[object]]) -> Iterator[str]:
    """The same of rows that have no names, but all columns."""
    yield _lines([columns])
    texts, waiting = [place for place, name in enumerate(columns) if name in _TEXT], iter(rows)
    while batch := list(islice(waiting, _BATCH)):
        yield _lines([_cells(row, texts) for row in batch])


def read_rows(lines: Iterable[dict[str, str]]) -> list[dict[str, Any]]:
    """Read the rows of such a table back: an empty cell is None.

    >>> read_rows([{"series": "''=b", "detector": "'=a", "value": "0.5", "p_value": ""}])
    [{'series': "'=b", 'detector': '=a', 'value': 0.5, 'p_value': None}]
    """
    return [{name: _read(name, cell) for name, cell in line.items()} for line in lines]


def _read(name: str, cell: str) -> Any:
    if name not in _TEXT:
        return _value(name, cell)
    text = cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell
    return text or None if name == "error" else text


def write_parquet(source: Path, target: BinaryIO) -> None:
    """Write the results as Parquet, a batch of rows at a time."""
    import pyarrow as pa  # noqa: PLC0415 - only where it is there
    import pyarrow.csv as pc  # noqa: PLC0415 - the same
    import pyarrow.parquet as pq  # noqa: PLC0415 - the same

    with source.open(encoding="utf-8", newline="") as stream:
        names = next(csv.reader(stream))
    schema = pa.schema([(name, _kind(name, pa)) for name in names])
    convert = pc.ConvertOptions(
        column_types=schema, null_values=[""], true_values=["True"], false_values=["False"]
    )
    parse = pc.ParseOptions(newlines_in_values=True)
    with pq.ParquetWriter(target, schema) as writer:
        for batch in pc.open_csv(source, parse_options=parse, convert_options=convert):
            writer.write_batch(_exact(batch))


def _exact(batch: Any) -> Any:
    """Take away the quotes that only a spreadsheet needs."""
    import pyarrow as pa  # noqa: PLC0415 - only where it is there
    import pyarrow.compute as pc  # noqa: PLC0415 - the same

    columns = [
        pc.replace_substring_regex(column, "^'('*[=+@\\t\\r-])", "\\1") if name in _TEXT else column
        for name, column in zip(batch.schema.names, batch.columns, strict=True)
    ]
    return pa.record_batch(columns, schema=batch.schema)


def _lines(rows: Sequence[Iterable[object]]) -> str:
    """Write lines with the usual ends first, so that a lone carriage return in a name is quoted."""
    text = _csv(rows)
    if text.count("\r\n") == len(rows):
        return text.replace("\r\n", "\n")
    return "".join(_csv([row]).removesuffix("\r\n") + "\n" for row in rows)


def _csv(rows: Sequence[Iterable[object]]) -> str:
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue()


def _cells(values: Iterable[object], texts: Sequence[int]) -> list[object]:
    """The cells of a row; minus infinity is no formula, so columns of numbers stay as they are."""
    cells = list(values)
    for place in texts:
        text = cells[place]
        if type(text) is str:
            cells[place] = _harmless(text)
    return cells


@lru_cache(maxsize=4096)
def _harmless(text: str) -> str:
    return f"'{text}" if _FORMULA.match(text) else text


def _kind(name: str, pa: Any) -> Any:
    if name in _TEXT:
        return pa.string()
    if name in _YES_OR_NO:
        return pa.bool_()
    return pa.int64() if name in _WHOLE else pa.float64()


def _value(name: str, cell: str) -> Any:
    if cell == "":
        return None
    if name in _YES_OR_NO:
        return cell == "True"
    return int(cell) if name in _WHOLE else float(cell)
