"""Folder: rows by key and the tables made of them, which survive whatever happens; or just memory.

::

    DIR/manifest.json     versions, settings and checksums; it makes the folder ours
    DIR/shards/*.jsonl    rows as they come, one line each with its own checksum
    DIR/results.csv       the tables, when all rows are there
    DIR/.adjudge.lock     held while a run works here

Rankings and studies are kept in such folders, each with names of its own (`FolderKind`). Without
our manifest, anything in the folder that bears a name we would write is somebody else's, and the
folder is refused before a byte is written. With it, those names are ours; nothing else is touched.
Whoever reads the folder as data leaves out just these files.

One run at a time works in a folder. The lock belongs to the open file, so it ends with the process,
however that ends: there are no stale locks. The file itself stays, since removing it would let two
runs hold two of them.

The manifest is JSON: what kind of work the folder holds, the versions it was done with, its
settings, and the SHA-256 of every finished file. The last entry is the SHA-256 of all the others,
so a manifest that was changed or damaged is noticed.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from fnmatch import fnmatchcase
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from importlib.util import find_spec
from platform import python_version
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, NoReturn, Protocol

from adjudge._version import __version__
from adjudge.checks import file_path
from adjudge.errors import FileError, InputError, visible
from adjudge.stores.files import (
    checksum,
    is_there,
    remove_unfinished,
    whole_file,
    write_texts,
    writing,
)
from adjudge.stores.locks import take_lock
from adjudge.stores.shards import Shards

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

LOCK = ".adjudge.lock"


class FolderLock:
    """The right to write into a folder, until it is closed.

    Raises
    ------
    InputError
        If another run has it.
    """

    def __init__(self, folder: Path) -> None:
        path = folder / LOCK
        is_there(path)
        follow_no_link = getattr(os, "O_NOFOLLOW", 0)
        self._handle = os.open(path, os.O_RDWR | os.O_CREAT | follow_no_link, 0o666)
        try:
            take_lock(self._handle)
        except (BlockingIOError, PermissionError):
            os.lseek(self._handle, 1, os.SEEK_SET)
            holder = os.read(self._handle, 20).decode("ascii", "replace").strip()
            self.close()
            raise InputError(
                f"out must not be in use by another run, got {str(folder)!r}, used by process "
                f"{holder or 'unknown'}; wait for it, or choose another"
            ) from None
        os.ftruncate(self._handle, 0)
        os.write(self._handle, f" {os.getpid()}\n".encode())

    def close(self) -> None:
        """Let it go."""
        os.close(self._handle)


_SEAL = "sha256"


def versions() -> dict[str, str]:
    """The versions that the last digit of a value may depend on."""
    return {"adjudge": __version__, "numpy": _version("numpy"), "scipy": _version("scipy")}


_version = cache(version)  # read from files


def read_manifest(path: Path, kind: str) -> dict[str, Any] | None:
    """Read a manifest; None if there is none.

    Raises
    ------
    InputError
        If the file is no manifest of that kind, or not as it was written.
    """
    if not is_there(path):
        return None
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict) or said.get("adjudge") != kind or _broken(said):
        raise InputError(
            f"{path.name} must be as a {kind} wrote it, got another or a changed file at "
            f"{str(path)!r}; choose another folder, or empty this one"
        )
    return said


def write_manifest(path: Path, kind: str, entries: dict[str, Any]) -> dict[str, Any]:
    """Write a manifest, unless it says so already."""
    said = {"adjudge": kind, **entries}
    said = json.loads(json.dumps({**said, _SEAL: _seal(said)}))
    if not is_there(path) or said != read_manifest(path, kind):
        write_texts(path, [json.dumps(said, indent=1) + "\n"])
    return said  # type: ignore[no-any-return]


def written_versions() -> dict[str, str]:
    """The same with Python's, as a manifest has them."""
    return {**versions(), "python": python_version()}


def changed_versions(found: dict[str, str], names: tuple[str, ...]) -> str:
    """Say which packages have other versions now; "" if none has."""
    now = versions()
    return ", ".join(
        f"{name} {now[name]} after {found.get(name)}"
        for name in names
        if now[name] != found.get(name)
    )


def check_versions(found: dict[str, str], strict: tuple[str, ...]) -> None:
    """Refuse to go on with other versions: old and new values would stand in one table.

    Raises
    ------
    InputError
        With the versions that are needed.
    """
    got = changed_versions(found, strict)
    if got:
        raise InputError(
            f"out must be resumed with the versions it was started with, got {got}; choose "
            "another folder, or restore these versions"
        )


def _broken(said: dict[str, Any]) -> bool:
    return said.get(_SEAL) != _seal(said)


def _seal(said: dict[str, Any]) -> str:
    rest = {key: value for key, value in said.items() if key != _SEAL}
    return sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()


_NUMBER = "[0-9]" * 6 + "*"


class FolderKind(NamedTuple):
    """A kind of folder, and the names that we write there."""

    name: str
    manifest: str
    parts: str
    """Folder of the rows."""
    part_files: tuple[str, ...]
    """Patterns of the names in it, also of those that earlier versions gave."""
    tables: tuple[str, ...]
    """Files that are written once, at the end: the first as CSV, the second the same as Parquet."""
    figures: tuple[str, ...] = ()
    """Patterns of what may be drawn beside them."""

    def wrote(self, name: str) -> bool:
        """Tell whether a file of the folder, called from there, bears a name that we write."""
        parts = (f"{self.parts}/{pattern}" for pattern in self.part_files)
        ours = (LOCK, self.manifest, *self.tables, *self.figures, *parts)
        return any(fnmatchcase(name, pattern) for pattern in ours)


STUDY = FolderKind(
    "study", "study.json", "parts", (f"{_NUMBER}.jsonl", f"{_NUMBER}.part", f"{_NUMBER}.state"),
    ("experiments.csv", "experiments.parquet"),
)  # fmt: skip
RANKING = FolderKind(
    "ranking", "manifest.json", "shards", (f"{_NUMBER}.jsonl",),
    ("results.csv", "results.parquet", "ranking.csv", "ranking.json", "moves.csv"), ("ranks.*",),
)  # fmt: skip


def written_by(file: Path) -> str:
    """Say what wrote a file, a study or a ranking; "" if neither did."""
    for folder, name in ((file.parent, file.name), (file.parent.parent, _last_two(file))):
        for kind in (STUDY, RANKING):
            if kind.wrote(name) and _is_of(folder, kind):
                return f"written by a {kind.name}"
    return ""


def _last_two(file: Path) -> str:
    return f"{file.parent.name}/{file.name}"


def _is_of(folder: Path, kind: FolderKind) -> bool:
    try:
        return read_manifest(folder / kind.manifest, kind.name) is not None
    except (InputError, OSError):  # it has that name, and is something else
        return False


def files_below(folder: Path) -> Iterator[tuple[Path, str]]:
    """Every file of a folder and those below, linked ones too, and why it is no data, or ""."""
    waiting: list[tuple[Path, tuple[Path, ...]]] = [(folder, ())]
    while waiting:
        entry, above = waiting.pop()
        if not entry.is_dir():
            yield entry, written_by(entry) if entry.is_file() else "neither a file nor a folder"
            continue
        place = entry.resolve()
        if place in above:
            yield entry, "a link to a folder above it"
            continue
        try:
            below = sorted(entry.iterdir(), reverse=True)
        except OSError as error:  # to leave it out would be to leave series out
            raise FileError(f"{visible(entry)}: cannot be read: {error.strerror}") from None
        waiting += [(one, (*above, place)) for one in below]


class Store(Protocol):
    """Where rows are kept, each list of them under a key."""

    def rows(self, key: str) -> list[dict[str, Any]]:
        """All rows that were kept under a key, in their order."""

    def keep(self, key: str, rows: list[dict[str, Any]]) -> None:
        """Keep more rows under a key."""

    def close(self) -> None:
        """Let others write here."""


class Memory:
    """Rows that are not written anywhere."""

    def __init__(self) -> None:
        self._rows: dict[str, list[dict[str, Any]]] = {}

    def rows(self, key: str) -> list[dict[str, Any]]:
        """All rows that were kept under a key."""
        return self._rows.get(key, [])

    def keep(self, key: str, rows: list[dict[str, Any]]) -> None:
        """Keep more rows under a key."""
        self._rows[key] = [*self.rows(key), *rows]

    def close(self) -> None:
        """Nobody else can write here."""


class FolderStore:
    """Rows on disk, and the tables made of them; until it is closed, no other run may write there.

    Parameters
    ----------
    path : path
        The folder; it is made if there is none.
    kind : Kind
        What it holds: `STUDY` or `RANKING`.
    settings : dict
        What the folder must have been begun with; the manifest of a new one says it.
    strict : tuple of str
        Packages whose versions must not change.

    Raises
    ------
    InputError
        If the folder cannot be written, is in use, is not ours, or was begun with other versions
        or settings.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        kind: FolderKind,
        settings: dict[str, Any],
        strict: tuple[str, ...],
    ) -> None:
        self.path, self._kind = file_path(path, "out"), kind
        self.tables = tuple(self.path / name for name in kind.tables)
        self.parts, self._note = self.path / kind.parts, self.path / kind.manifest
        with writing(self.path):
            self.path.mkdir(parents=True, exist_ok=True)
            self._refuse_strangers()  # before anything is written
            self._lock = FolderLock(self.path)
            try:
                self._open(settings, strict)
                self._shards = Shards(self.parts)
            except BaseException:
                self._lock.close()
                raise

    def rows(self, key: str) -> list[dict[str, Any]]:
        """All rows that were kept under a key; what was damaged meanwhile is not among them."""
        with writing(self.path):
            return self._shards.rows(key)

    def keep(self, key: str, rows: list[dict[str, Any]]) -> None:
        """Keep more rows under a key."""
        with writing(self.path):
            self._shards.append(key, rows)

    def is_intact(self, path: Path) -> bool:
        """Tell whether a table is there as the manifest has it."""
        with writing(self.path):
            return is_there(path) and checksum(path) == self.said.get("files", {}).get(path.name)

    def finish(
        self,
        tables: Mapping[str, Iterable[str]],
        write_parquet: Callable[[Path, BinaryIO], None],
        settings: dict[str, Any],
    ) -> None:
        """Write the tables that are given, each as a whole, and then the manifest.

        Without any, the table that stands is kept, and a copy of it that is missing or damaged is
        written again.
        """
        text, copy, *_ = self.tables
        with writing(self.path):
            self._shards.sync()
            if tables or not self.is_intact(copy):
                copy.unlink(missing_ok=True)
            for name, texts in tables.items():
                write_texts(self.path / name, texts)
            if not copy.exists() and find_spec("pyarrow"):
                with whole_file(copy) as stream:
                    write_parquet(text, stream)
            files = {path.name: checksum(path) for path in self.tables if is_there(path)}
            self._write({**settings, "files": files})

    def forget_rows(self) -> None:
        """Remove all rows; what others keep among them stays."""
        self._shards.close()
        if not self.parts.exists():
            return
        with writing(self.path):
            for path in self.parts.iterdir():
                if self._kind.wrote(f"{self.parts.name}/{path.name}"):
                    path.unlink()
        with suppress(OSError):  # somebody keeps something there
            self.parts.rmdir()
        self._shards = Shards(self.parts)

    def close(self) -> None:
        """Let others write into the folder."""
        self._shards.close()
        self._lock.close()

    def _open(self, settings: dict[str, Any], strict: tuple[str, ...]) -> None:
        self._refuse_strangers()  # again: now nobody else can write here
        said = read_manifest(self._note, self._kind.name)
        if said is None:
            self._write(settings)
        else:
            self.said = said
            check_versions(said["versions"], strict)
        for name, asked in settings.items():
            if self.said.get(name) != asked:
                self._refuse(f"one with {name} {self.said.get(name)!r} instead of {asked!r}")
        for folder in (self.path, *[self.parts] * self.parts.exists()):
            remove_unfinished(folder)

    def _write(self, entries: dict[str, Any]) -> None:
        said = {"versions": written_versions(), **entries}
        self.said = write_manifest(self._note, self._kind.name, said)

    def _refuse_strangers(self) -> None:
        """Refuse names of ours that we did not give, and links in their place."""
        if self.parts.is_symlink():
            self._refuse(f"one with a link called {self.parts.name!r}")
        there = [path for path in self.tables if is_there(path)]
        if read_manifest(self._note, self._kind.name) is not None:
            return
        there += [self.parts] * self.parts.exists()
        if there:
            self._refuse(f"one with {there[0].name!r} of unknown origin")

    def _refuse(self, found: str) -> NoReturn:
        raise InputError(
            f"out must be a new folder or that of the same {self._kind.name}, got {found} "
            f"at {str(self.path)!r}; choose another folder"
        )
