r"""The lines of a text, read one at a time and never past a cap.

The text is UTF-8 with or without a byte-order mark, and lines end in ``\n`` or ``\r\n``. A record
may run over several lines; none may be longer than 1 MiB.

Turn whatever a broken file makes a library raise into one line about that file.

NumPy, ``zipfile`` and Arrow raise a dozen kinds of exception on damaged bytes, many of them
undocumented. A caller only needs to know which file is broken and why, so each call into such a
library stands inside :func:`broken`, and nothing else does: a fault of adjudge itself must not be
blamed on the file.

Open a file, and take the hash of its bytes on the way, where somebody wants to know it: what was
judged is then what was hashed, and no file is read twice.

Open a text that is packed by gzip, bzip2, xz or Zstandard, and unpack it as it is read.

Nothing is unpacked ahead, and a text may be at most 200 times as long as its file (64 MiB are
harmless at any ratio): a small file can never ask for much memory. Zstandard is unpacked by
pyarrow, an optional package.
"""

from __future__ import annotations

import io
import os
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from hashlib import file_digest, sha256
from importlib import import_module
from pathlib import Path, PurePath
from textwrap import shorten
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from adjudge.errors import FileError, MissingExtra

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from adjudge.io.column_choice import Kind


@contextmanager
def broken(what: str) -> Iterator[None]:
    r"""Raise any exception of the block as ``FileError("<what>: <reason>")`` on one line.

    Examples
    --------
    >>> with broken("a.npz: broken zip archive"):
    ...     raise ValueError("two\nlines")
    Traceback (most recent call last):
    adjudge.errors.FileError: a.npz: broken zip archive: two lines
    """
    try:
        yield
    except Exception as error:
        reason = shorten(str(error), 160, placeholder=" ...")
        raise FileError(f"{what}: {reason or type(error).__name__}") from error


@contextmanager
def unless_only_seen(kind: Kind) -> Iterator[None]:
    """Leave out a column that nobody asked for, where it cannot be read."""
    try:
        yield
    except FileError:
        if kind != "seen":
            raise


_HASHES: ContextVar[dict[str, str] | None] = ContextVar("hashes", default=None)
_AT_ONCE = 2**26
"""Bytes of a file up to which it is read at once to be hashed; one that is longer is gone through
before it is read."""


@contextmanager
def hashing() -> Iterator[dict[str, str]]:
    """Take the SHA-256 of every file that is opened within, by its path from the root."""
    found: dict[str, str] = {}
    before = _HASHES.set(found)
    try:
        yield found
    finally:
        _HASHES.reset(before)


@contextmanager
def opened(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open the bytes of a file."""
    found, name = _HASHES.get(), str(Path(path).absolute())
    with Path(path).open("rb") as stream:
        if found is None or name in found:
            yield stream
        elif os.fstat(stream.fileno()).st_size > _AT_ONCE:
            found[name] = file_digest(stream, "sha256").hexdigest()
            stream.seek(0)
            yield stream
        else:
            data = stream.read()
            found[name] = sha256(data).hexdigest()
            yield io.BytesIO(data)


MAX_RATIO = 200
SMALL = 2**26  # what unpacks to no more than this is harmless at any ratio
_BUFFER = 2**17


def without_packing(path: str) -> str:
    """The name that a packed file has once it is unpacked.

    >>> without_packing("scores.csv.gz"), without_packing("scores.csv")
    ('scores.csv', 'scores.csv')
    """
    return str(PurePath(path).with_suffix("")) if _packing(path) in _OPENERS else path


def unpacked(stream: BinaryIO, path: str, file: str) -> BinaryIO:
    """The bytes of a stream, unpacked if the suffix of its path says that it is packed."""
    if _packing(path) not in _OPENERS:
        return stream
    size = stream.seek(0, 2)
    stream.seek(0)
    source = _OPENERS[_packing(path)](stream)
    return cast("BinaryIO", io.BufferedReader(_Unpacked(source, size, file), _BUFFER))


class _Unpacked(io.RawIOBase):
    """The unpacked bytes, as far as they are in proportion to the packed ones."""

    def __init__(self, source: Any, packed: int, file: str) -> None:
        self.source = source
        self.left = self.most = max(SMALL, MAX_RATIO * packed)
        self.file = file

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return bool(self.source.seekable())

    def seek(self, offset: int, whence: int = 0) -> int:
        """Begin again; nothing else is asked for."""
        self.left = self.most
        return int(self.source.seek(offset, whence))

    def tell(self) -> int:
        return int(self.source.tell())

    def readinto(self, buffer: Any) -> int:
        with broken(f"{self.file}: cannot be unpacked"):
            count: int = self.source.readinto(buffer)
        self.left -= count
        if self.left < 0:
            raise FileError(
                f"{self.file}: a text must unpack to at most {MAX_RATIO} times its packed size; "
                "unpack it first"
            )
        return count


def _packing(path: str) -> str:
    return PurePath(path).suffix.lower()


def _opened_by(module: str, stream: BinaryIO) -> Any:
    """Open a stream by a module of Python, which only who has such a file pays for."""
    return import_module(module).open(stream)


def _zstandard(stream: BinaryIO) -> Any:
    try:
        import pyarrow as pa  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtra("reading .zst", "pyarrow") from error
    return pa.CompressedInputStream(stream, "zstd")


_OPENERS: dict[str, Callable[[BinaryIO], Any]] = {
    ".gz": partial(_opened_by, "gzip"),
    ".bz2": partial(_opened_by, "bz2"),
    ".xz": partial(_opened_by, "lzma"),
    ".zst": _zstandard,
}
PACKINGS = tuple(_OPENERS)


MAX_RECORD = 2**20
UNCLOSED = "a quote opened here is never closed"

_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


class Lines:
    """The physical lines of a stream, decoded, and where the record under way stands.

    ``first`` is the line on which that record began and ``taken`` its bytes so far; who reads the
    records says when one has ended.
    """

    def __init__(self, stream: BinaryIO, file: str) -> None:
        self.stream = stream
        self.file = file
        self.number = 0
        self.first = 1
        self.taken = 0

    def __iter__(self) -> Iterator[str]:
        """One line after another, never reading past the cap."""
        while raw := self.stream.readline(MAX_RECORD + 1 - self.taken):
            self.number += 1
            self.taken += len(raw)
            if self.taken > MAX_RECORD:
                raise FileError(self.too_long())
            if b"\0" in raw:
                raise FileError(self.not_text(raw, "a NUL byte"))
            try:
                yield raw.decode("utf-8-sig" if self.number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                problem = f"byte {error.start + 1} of the line is not UTF-8"
                raise FileError(self.not_text(raw, problem)) from error

    def ended(self) -> None:
        """Note that the record under way is complete."""
        self.first, self.taken = self.number + 1, 0

    def too_long(self) -> str:
        """Say that the record under way passes the cap, and why that may be."""
        if self.number > self.first:
            return f"{self.file}: line {self.first}: {UNCLOSED}"
        return f"{self.file}: line {self.first}: a line must be at most {MAX_RECORD:,} bytes"

    def not_text(self, raw: bytes, problem: str) -> str:
        """Say why a line is no text; UTF-16 shows as its mark, or as every other byte NUL."""
        alternating = b"\0" in raw and not (any(raw[::2]) and any(raw[1::2]))
        if self.number == 1 and (alternating or raw.startswith(_UTF16_MARKS)):
            return f"{self.file}: looks like UTF-16 or UTF-32; save it as UTF-8"
        return f"{self.file}: line {self.number}: {problem}; if this is a text, save it as UTF-8"
