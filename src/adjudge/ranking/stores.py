"""Stores of a ranking: a folder that survives everything, or just memory.

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

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol

from adjudge.errors import InputError
from adjudge.stores.files import whole_file, write_texts, writing
from adjudge.stores.own_folder import OwnFolder
from adjudge.stores.shards import Shards

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable
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
        self._own = OwnFolder(
            path, kind="ranking", manifest="manifest.json", parts="shards", settings={},
            tables=("results.csv", "results.parquet", "ranking.csv"), strict=_STRICT,
        )  # fmt: skip
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
