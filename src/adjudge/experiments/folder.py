"""Folder: a study on disk, which may be killed at any moment and goes on where it was.

::

    DIR/study.json            what is studied and with which versions; the table's rows and the
                              checksum of each file, once it stands
    DIR/parts/000012.part     the rows of one finished chunk
    DIR/parts/000012.state    where its draws begin, if they depend on those before
    DIR/experiments.csv       the table, when all rows are there
    DIR/experiments.parquet   the same, where pyarrow is installed
    DIR/.adjudge.lock         held while a study runs here

A folder is ours when it has our ``study.json``; without it, anything that bears one of these names
is somebody else's, and the folder is refused. In a folder of ours these names are ours too: a
file that is not as we wrote it is made again. Nothing else in the folder is touched.

A part begins with a checksum over its rows and over what is studied: one that is torn, or comes
from another study, is noticed and made again. Parts go only when the table stands and
``study.json`` says so.
"""

from __future__ import annotations

import re
from contextlib import suppress
from hashlib import sha256
from importlib.util import find_spec
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple

from adjudge.errors import InputError
from adjudge.experiments.measurements import columns_of
from adjudge.experiments.table import Study, header, write_parquet
from adjudge.stores.files import is_there, whole_file, write_texts, writing
from adjudge.stores.manifest import versions
from adjudge.stores.own_folder import OwnFolder

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator
    from pathlib import Path

CHUNK = 100
"""Rows in a part."""

_PART = re.compile(r"\d{6,}\.(part|state)")


class Chunk(NamedTuple):
    """Experiments whose rows are kept together."""

    number: int
    first: int
    size: int


class Question(NamedTuple):
    """What is studied: all that a row depends on, but its number and the versions."""

    seed: int
    design: str
    metrics: tuple[str, ...]
    guard: int = 1

    def table(self, experiments: int, source: Path | list[str]) -> Study:
        """Rows as a table."""
        return Study(self.design, self.seed, columns_of(self.metrics), experiments, source)

    @property
    def plain(self) -> dict[str, Any]:
        """The question as JSON would give it back."""
        return {**self._asdict(), "metrics": list(self.metrics)}


class Folder:
    """Where a study is kept; until it is closed, no other run may write there.

    Raises
    ------
    InputError
        If the folder cannot be written, is in use, or holds another study or other versions' rows.
    """

    def __init__(self, path: str | os.PathLike[str], question: Question) -> None:
        self.question = question
        self._own = OwnFolder(
            path, kind="study", manifest="study.json", parts="parts", settings=self._settings(),
            tables=("experiments.csv", "experiments.parquet"), strict=tuple(versions()),
        )  # fmt: skip
        self.path, self._parts = self._own.path, self._own.parts
        self._csv, self._parquet = self._own.tables
        said, asked = self._own.said, question.plain
        other = next((name for name in asked if said.get(name) != asked[name]), None)
        if other:
            self.close()
            self._own.refuse(f"one with {other} {said.get(other)!r} instead of {asked[other]!r}")

    def close(self) -> None:
        """Let others write into the folder."""
        self._own.close()

    def finished(self, experiments: int) -> Study | None:
        """The table, if it stands with so many rows.

        Of a table with fewer or more rows, those that are still of use become parts again.
        """
        with writing(self.path):
            rows = self._own.said.get("experiments")
            if rows is None or not self._own.is_intact(self._csv):
                return None
            if rows != experiments:
                self._lay_out(rows)
                return None
            return self._finish(experiments)

    def rows(self, chunk: Chunk) -> str | None:
        """The rows of a chunk, if they are there, whole and of this study."""
        lines = (self._read(chunk, self._part(chunk)) or "").splitlines(keepends=True)
        return "".join(lines[: chunk.size]) if len(lines) >= chunk.size else None

    def keep(self, chunk: Chunk, rows: str) -> None:
        """Keep the rows of a chunk."""
        self._write(chunk, self._part(chunk), rows)

    def checkpoint(self, chunk: Chunk) -> str | None:
        """Where the draws of a chunk begin, if it was kept."""
        return self._read(chunk, self._part(chunk).with_suffix(".state"))

    def keep_checkpoint(self, chunk: Chunk, text: str) -> None:
        """Keep where the draws of a chunk begin."""
        self._write(chunk, self._part(chunk).with_suffix(".state"), text)

    def _read(self, chunk: Chunk, part: Path) -> str | None:
        """The text of a part, if it is there, whole and of this study."""
        try:
            if not is_there(part):
                return None
            head, _, text = part.read_bytes().decode().partition("\n")
        except (OSError, UnicodeDecodeError):  # it cannot be read, or is not even text
            return None
        return text if head == self._signature(chunk, text) else None

    def _write(self, chunk: Chunk, part: Path, text: str) -> None:
        with writing(self.path):
            self._parts.mkdir(exist_ok=True)
            write_texts(part, [self._signature(chunk, text), "\n", text])

    def assemble(self, experiments: int) -> Study:
        """Put the parts together, one after the other, to the table."""
        with writing(self.path):
            self._parquet.unlink(missing_ok=True)
            bodies = map(self._sure, chunks(experiments))
            write_texts(self._csv, chain([header(columns_of(self.question.metrics))], bodies))
            return self._finish(experiments)

    def _settings(self) -> dict[str, Any]:
        return {**self.question.plain, "chunk": CHUNK}

    def _finish(self, experiments: int) -> Study:
        """Write what is still missing beside the table, then let the parts go."""
        table = self.question.table(experiments, self._csv)
        if not self._own.is_intact(self._parquet):
            self._parquet.unlink(missing_ok=True)
            if find_spec("pyarrow"):
                with whole_file(self._parquet) as stream:
                    write_parquet(table, stream)
        self._own.finish({**self._settings(), "experiments": experiments})
        self._remove_parts()
        return table

    def _remove_parts(self) -> None:
        if not self._parts.exists():
            return
        for path in self._parts.iterdir():
            if _PART.fullmatch(path.name):
                path.unlink()
        with suppress(OSError):  # somebody keeps something there
            self._parts.rmdir()

    def _lay_out(self, experiments: int) -> None:
        with self._csv.open(encoding="utf-8", newline="") as stream:
            next(stream)
            for chunk in chunks(experiments):
                self.keep(chunk, "".join(islice(stream, chunk.size)))

    def _part(self, chunk: Chunk) -> Path:
        return self._parts / f"{chunk.number:06}.part"

    def _signature(self, chunk: Chunk, rows: str) -> str:
        studied = f"{self.question.plain} {self._own.said['versions']} {chunk.first}"
        return sha256(f"{studied}\n{rows}".encode()).hexdigest()

    def _sure(self, chunk: Chunk) -> str:
        rows = self.rows(chunk)
        if rows is None:
            raise InputError(
                f"out must be left alone while a study runs, got a part that has changed at "
                f"{str(self._part(chunk))!r}; run it again"
            )
        return rows


def chunks(experiments: int) -> Iterator[Chunk]:
    """Part experiments into chunks.

    >>> [chunk.size for chunk in chunks(250)]
    [100, 100, 50]
    """
    for number, first in enumerate(range(0, experiments, CHUNK)):
        yield Chunk(number, first, min(CHUNK, experiments - first))
