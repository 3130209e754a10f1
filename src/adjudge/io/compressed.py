"""Open a text that is packed by gzip, bzip2, xz or Zstandard, and unpack it as it is read.

Nothing is unpacked ahead, and a text may be at most 200 times as long as its file (64 MiB are
harmless at any ratio): a small file can never ask for much memory. Zstandard is unpacked by
pyarrow, an optional package.
"""

from __future__ import annotations

import io
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from adjudge.errors import FileError, MissingExtra
from adjudge.io.refusal import broken

if TYPE_CHECKING:
    from collections.abc import Callable

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
        self.left = max(SMALL, MAX_RATIO * packed)
        self.file = file

    def readable(self) -> bool:
        return True

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


def _gzip(stream: BinaryIO) -> Any:
    import gzip  # noqa: PLC0415 - only who has such a file pays for it

    return gzip.GzipFile(fileobj=stream)


def _bz2(stream: BinaryIO) -> Any:
    import bz2  # noqa: PLC0415

    return bz2.BZ2File(stream)


def _xz(stream: BinaryIO) -> Any:
    import lzma  # noqa: PLC0415

    return lzma.LZMAFile(stream)


def _zstandard(stream: BinaryIO) -> Any:
    try:
        import pyarrow as pa  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtra("reading .zst", "pyarrow", "parquet") from error
    return pa.CompressedInputStream(stream, "zstd")


_OPENERS: dict[str, Callable[[BinaryIO], Any]] = {
    ".gz": _gzip,
    ".bz2": _bz2,
    ".xz": _xz,
    ".zst": _zstandard,
}
PACKINGS = tuple(_OPENERS)
