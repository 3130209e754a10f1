"""Tables of a ranking as files: the same work gives the same bytes.

Numbers have every digit they need. In results an undefined value is an empty cell; in the
leaderboard it is ``nan``, and an empty cell is a number that was not computed.

Text that a spreadsheet would run as a formula gets a quote in front, and so does text that has
quotes in front of one: taking one quote away gives back every name. Parquet, which no spreadsheet
runs, has them exactly.

Stores of a ranking: a folder that survives everything, or just memory.

::

    DIR/manifest.json     versions, settings and checksums; it makes the folder ours
    DIR/shards/*.jsonl    rows as they come, one line each with its own checksum
    DIR/results.csv       every row, sorted, when all are there; results.parquet the same
    DIR/ranking.csv       the leaderboard
    DIR/.adjudge.lock     held while a run works here

Rows are found by their keys, so a folder may serve several runs, one after the other: with more
metrics, more series, other settings. What a run does not ask for stays in the shards, and out of
its tables.
"""

from __future__ import annotations

import csv
import io
import re
from functools import lru_cache
from importlib.util import find_spec
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

from adjudge.errors import InputError
from adjudge.judging.result_columns import RANKED
from adjudge.stores.files import whole_file, write_texts, writing
from adjudge.stores.folder import RANKING, OwnFolder
from adjudge.stores.shards import Shards

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from adjudge.ranking.work import Done

_STRICT = ("numpy", "scipy")
"""The library itself is not among them: a metric that changed has another revision."""


class Store(Protocol):
    """Where rows are kept."""

    def known(self, series: str, *, retry: bool) -> frozenset[str]:
        """The keys of the rows that need not be made."""

    def add(self, done: Done) -> list[dict[str, Any]]:
        """Keep rows; give all rows of the series that this run asks for."""

    def rows(self, series: str) -> list[dict[str, Any]]:
        """The rows of a series."""

    def close(self) -> None:
        """End."""


class Memory:
    """Rows of a ranking that is not written anywhere."""

    def __init__(self) -> None:
        self._rows: dict[str, list[dict[str, Any]]] = {}

    def known(self, series: str, *, retry: bool) -> frozenset[str]:
        """Nothing is, at first."""
        del series, retry
        return frozenset()

    def add(self, done: Done) -> list[dict[str, Any]]:
        """Keep rows."""
        self._rows[done.series] = list(done.rows)
        return self._rows[done.series]

    def rows(self, series: str) -> list[dict[str, Any]]:
        """The rows of a series."""
        return self._rows.get(series, [])

    def close(self) -> None:
        """Nobody else can write here."""


class RankingFolder:
    """Rows of a ranking on disk; until it is closed, no other run may write there."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._own = OwnFolder(path, kind=RANKING, settings={}, strict=_STRICT)
        try:
            with writing(self._own.path):
                self._shards = Shards(self._own.parts)
        except BaseException:
            self._own.close()
            raise

    def known(self, series: str, *, retry: bool) -> frozenset[str]:
        """The keys of the rows that are there; of those that failed, unless to retry."""
        found = _by_key(self._shards.rows(series))
        return frozenset(key for key, row in found.items() if not (retry and row.get("error")))

    def add(self, done: Done) -> list[dict[str, Any]]:
        """Keep rows, and which of all rows this run asks for."""
        with writing(self._own.path):
            rows = self._shards.rows(done.series)
            keys = {"keys": list(done.keys)}
            now = [] if _last_keys(rows) == keys["keys"] else [keys]
            self._shards.append(done.series, [*done.rows, *now])
        return self._asked(done.series, [*rows, *done.rows, *now])

    def rows(self, series: str) -> list[dict[str, Any]]:
        """The rows of a series that this run asks for."""
        return self._asked(series, self._shards.rows(series))

    def _asked(self, series: str, found: list[dict[str, Any]]) -> list[dict[str, Any]]:
        by_key = _by_key(found)
        keys = _last_keys(found)
        if keys is None or not by_key.keys() >= set(keys):
            raise InputError(
                f"out must be left alone while a ranking runs, got rows of {series!r} that have "
                f"changed in {str(self._own.parts)!r}; run it again"
            )
        return [by_key[key] for key in keys]

    def finish(
        self,
        results: Iterable[str],
        ranking: Iterable[str],
        parquet: Callable[[Path, Any], None],
        settings: dict[str, Any],
    ) -> None:
        """Write the tables, each as a whole, and then the manifest."""
        with writing(self._own.path):
            self._shards.sync()
            csv, copy, leaderboard = self._own.tables
            write_texts(csv, results)
            copy.unlink(missing_ok=True)
            if find_spec("pyarrow"):
                with whole_file(copy) as stream:
                    parquet(csv, stream)
            write_texts(leaderboard, ranking)
            self._own.finish(settings)

    def close(self) -> None:
        """Let others write into the folder."""
        self._shards.close()
        self._own.close()


def _by_key(rows: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The last row of each key: a failure that was tried again is forgotten."""
    return {row["key"]: row for row in rows if "key" in row}


def _last_keys(rows: list[dict[str, Any]]) -> list[str] | None:
    return next((row["keys"] for row in reversed(rows) if "keys" in row), None)


_FORMULA = re.compile("'*[=+@\t\r-]")


def _of_kind(*kinds: str) -> frozenset[str]:
    return frozenset(name for name, one in RANKED.items() if one.kind in kinds)


_TEXT = _of_kind("str", "ChosenBy") | {"group", "series", "error"}
_WHOLE, _YES_OR_NO = _of_kind("int", "int | None"), _of_kind("bool")
_BATCH = 1000


def csv_lines(columns: tuple[str, ...], rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Write a table, a batch of lines at a time."""
    yield _lines([columns])
    waiting = iter(rows)
    while batch := list(islice(waiting, _BATCH)):
        yield _lines([list(map(_cell, map(row.__getitem__, columns))) for row in batch])


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


def _cell(value: object) -> object:
    if isinstance(value, str):
        return _harmless(value)
    return "" if value is None else value


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
