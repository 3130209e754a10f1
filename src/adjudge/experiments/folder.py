"""Folder: a study on disk, which may be killed at any moment and goes on where it was.

::

    DIR/study.json            what is studied; and the table's rows and checksum, once it stands
    DIR/parts/000012.part     the rows of one finished chunk
    DIR/experiments.csv       the table, when all rows are there
    DIR/experiments.parquet   the same, where pyarrow is installed

A file is written under another name, forced to disk and then renamed, so it is there as a whole or
not at all. A part begins with a checksum over its rows and over what is studied: one that is
torn, or comes from another study, is noticed and made again. Parts go only when the table stands
and ``study.json`` says so. A folder serves one run at a time.
"""

from __future__ import annotations

import json
import os
import shutil
from hashlib import sha256
from importlib.util import find_spec
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from adjudge.errors import InputError
from adjudge.experiments.measurements import columns_of
from adjudge.experiments.table import Study, header, write_parquet

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

CHUNK = 100
"""Rows in a part."""


class Chunk(NamedTuple):
    """Experiments whose rows are kept together."""

    number: int
    first: int
    size: int


class Question(NamedTuple):
    """What is studied: all that a row depends on, but its number."""

    seed: int
    design: str
    metrics: tuple[str, ...]
    version: str
    """Of the library."""

    def table(self, experiments: int, source: Path | list[str]) -> Study:
        """Give rows as a table."""
        return Study(self.design, self.seed, columns_of(self.metrics), experiments, source)

    @property
    def plain(self) -> dict[str, Any]:
        """The question as JSON would give it back."""
        return {**self._asdict(), "metrics": list(self.metrics)}


class Folder:
    """Where a study is kept.

    Raises
    ------
    InputError
        If the folder cannot be written, or holds another study.
    """

    def __init__(self, path: str | os.PathLike[str], question: Question) -> None:
        self.path, self.question = Path(path), question
        self._csv, self._parquet = (
            self.path / f"experiments.{kind}" for kind in ("csv", "parquet")
        )
        self._parts, self._note = self.path / "parts", self.path / "study.json"
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self._open()
        except OSError as error:
            raise InputError(
                f"out must be a folder that can be written, got {str(path)!r}: {error}"
            ) from None

    def finished(self, experiments: int) -> Study | None:
        """Give the table, if it stands with so many rows.

        Of a table with fewer or more rows, those that are still of use become parts again.
        """
        note = _said(self._note)
        if not self._csv.exists() or _checksum(self._csv) != note.get("checksum"):
            return None
        if note["experiments"] != experiments:
            self._lay_out(note["experiments"])
            return None
        return self._finish(experiments, note["checksum"])

    def rows(self, chunk: Chunk) -> str | None:
        """Give the rows of a chunk, if they are there, whole and of this study."""
        try:
            head, _, rows = self._part(chunk).read_text(encoding="utf-8").partition("\n")
        except (OSError, ValueError):  # there is none, or not even text
            return None
        lines = rows.splitlines(keepends=True)
        good = head == self._signature(chunk, rows) and len(lines) >= chunk.size
        return "".join(lines[: chunk.size]) if good else None

    def keep(self, chunk: Chunk, rows: str) -> None:
        """Keep the rows of a chunk."""
        self._parts.mkdir(exist_ok=True)
        _replace(self._part(chunk), [self._signature(chunk, rows), "\n", rows])

    def assemble(self, experiments: int) -> Study:
        """Put the parts together, one after the other, to the table."""
        self._parquet.unlink(missing_ok=True)
        bodies = map(self._sure, chunks(experiments))
        _replace(self._csv, chain([header(columns_of(self.question.metrics))], bodies))
        return self._finish(experiments, _checksum(self._csv))

    def _open(self) -> None:
        if self._note.exists():
            kept, asked = _said(self._note), self.question.plain
            other = next((name for name in asked if kept.get(name) != asked[name]), None)
            if other:
                self._refuse(f"one with {other} {kept.get(other)!r} instead of {asked[other]!r}")
        elif self._csv.exists():
            self._refuse("one with an experiments.csv of unknown origin")
        else:
            self._write_note({})

    def _write_note(self, more: dict[str, Any]) -> None:
        note = {**self.question.plain, "chunk": CHUNK, **more}
        if not self._note.exists() or note != _said(self._note):
            _replace(self._note, [json.dumps(note, indent=1) + "\n"])

    def _refuse(self, found: str) -> None:
        raise InputError(
            f"out must be a new folder or that of the same study, got {found} "
            f"at {str(self.path)!r}; choose another folder"
        )

    def _finish(self, experiments: int, checksum: str) -> Study:
        """Write what is still missing beside the table, then let the parts go."""
        table = self.question.table(experiments, self._csv)
        if find_spec("pyarrow") and not self._parquet.exists():
            unfinished = self._parquet.with_name("experiments.tmp")
            write_parquet(table, unfinished)
            unfinished.replace(self._parquet)
        self._write_note({"experiments": experiments, "checksum": checksum})
        shutil.rmtree(self._parts, ignore_errors=True)
        return table

    def _lay_out(self, experiments: int) -> None:
        with self._csv.open(encoding="utf-8", newline="") as stream:
            next(stream)
            for chunk in chunks(experiments):
                self.keep(chunk, "".join(islice(stream, chunk.size)))

    def _part(self, chunk: Chunk) -> Path:
        return self._parts / f"{chunk.number:06}.part"

    def _signature(self, chunk: Chunk, rows: str) -> str:
        return sha256(f"{self.question.plain} {chunk.first}\n{rows}".encode()).hexdigest()

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


def _said(note: Path) -> dict[str, Any]:
    """Read a note; whatever is none says nothing."""
    try:
        said = json.loads(note.read_text(encoding="utf-8"))
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}


def _checksum(path: Path) -> str:
    digest = sha256()
    with path.open("rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def _replace(target: Path, texts: Iterable[str]) -> None:
    """Write a file as a whole or not at all."""
    unfinished = target.with_name(f"{target.name}.tmp")
    with unfinished.open("w", encoding="utf-8", newline="") as stream:
        stream.writelines(texts)
        stream.flush()
        os.fsync(stream.fileno())
    unfinished.replace(target)
