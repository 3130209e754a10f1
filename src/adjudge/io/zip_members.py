"""Judge a zip archive of arrays by its directory, before anything is unpacked.

NumPy writes an ``.npz`` as a zip of ``.npy`` members, stored or deflated, with plain names. What
differs from that is refused, and so is what would unpack to far more than the file holds.
"""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING, BinaryIO

from adjudge.errors import FileError

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_MEMBERS = 1000
MAX_DIRECTORY = 2**20  # a kilobyte per member
MAX_UNPACKED = 8 * 2**30
MAX_RATIO = 200
SMALL = 2**20  # what unpacks to no more than this is harmless at any ratio


def check_directory(stream: BinaryIO, size: int, file: str) -> None:
    """Refuse a directory too long for the members allowed, before all of it is listed.

    Its length stands in the record that ends the file, or in a longer one right before that; a
    file without such a record is left for ``zipfile`` to refuse.
    """
    stream.seek(max(0, size - 2**16 - 98))
    tail = stream.read()
    end = tail.rfind(b"PK\5\6")
    length = int.from_bytes(tail[end + 12 : end + 16], "little") if end >= 0 else 0
    if end >= 76 and tail[end - 20 : end - 16] == b"PK\6\7":
        length = int.from_bytes(tail[end - 36 : end - 28], "little")
    if length > MAX_DIRECTORY:
        raise FileError(
            f"{file}: an archive must have at most {MAX_MEMBERS:,} members, got a directory of "
            f"{length:,} bytes"
        )


def members(archive: zipfile.ZipFile, size: int, file: str) -> dict[str, zipfile.ZipInfo]:
    """List the arrays of an archive by name, if its directory can be trusted."""
    infos = archive.infolist()
    if len(infos) > MAX_MEMBERS:
        raise FileError(
            f"{file}: an archive must have at most {MAX_MEMBERS:,} members, got {len(infos):,}"
        )
    for info in infos:
        if fault := _member_fault(info):
            raise FileError(f"{file}: member {info.orig_filename[:80]!r} {fault}")
    # Members that share bytes declare more than the file holds: the trick of the worst bombs.
    if sum(info.compress_size for info in infos) > size:
        raise FileError(f"{file}: the members must fit in the file's {size:,} bytes")
    if (total := sum(info.file_size for info in infos)) > MAX_UNPACKED:
        raise FileError(
            f"{file}: an archive must unpack to at most {MAX_UNPACKED:,} bytes, got {total:,}"
        )
    named = {info.orig_filename.removesuffix(".npy"): info for info in infos}
    if len(named) < len(infos):
        raise FileError(f"{file}: the names of an archive's members must differ")
    return named


def _member_fault(info: zipfile.ZipInfo) -> str:
    """Say why a member cannot be one that NumPy wrote; '' if it can."""
    name = info.orig_filename
    if "\\" in name or name.startswith("/") or ".." in name.split("/"):
        return "must have a plain name, without '..', backslash or leading '/'"
    if not name.endswith(".npy"):
        return "must be a .npy array"
    if info.flag_bits & 1:
        return "must not be encrypted"
    # The other methods unpack without a limit on how much one step may give.
    if info.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
        return "must be stored or deflated"
    return ""


def check_ratio(infos: Iterable[zipfile.ZipInfo], file: str) -> None:
    """Refuse a bomb, judging all that will be unpacked together.

    Honest labels are nearly constant and pack a thousand to one, but they come with scores that
    hardly pack at all: only the whole tells.
    """
    packed, unpacked = 0, 0
    for info in infos:
        packed += info.compress_size
        unpacked += info.file_size
    if unpacked > max(SMALL, MAX_RATIO * packed):
        raise FileError(
            f"{file}: arrays must unpack to at most {MAX_RATIO} times their packed size, got "
            f"{unpacked:,} bytes from {packed:,}; save them with np.savez"
        )
