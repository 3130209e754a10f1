"""Files: each is there as a whole or not at all, and none is written through a link.

A file is written under a new name that nobody else can have taken, forced to disk and then renamed.
What a killed run leaves behind is known by its name and removed by the next.
"""

from __future__ import annotations

import os
import re
import stat
from contextlib import contextmanager, suppress
from hashlib import sha256
from secrets import token_hex
from typing import TYPE_CHECKING, BinaryIO

from adjudge.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

_UNFINISHED = re.compile(r"\.adjudge-[0-9a-f]{16}\.tmp")
_BLOCK = 1 << 20


@contextmanager
def whole_file(target: Path) -> Iterator[BinaryIO]:
    """Open a new file that takes the target's place once the block has ended well."""
    unfinished = target.with_name(f".adjudge-{token_hex(8)}.tmp")
    try:
        with unfinished.open("xb") as stream:  # x: fails on whatever is there, also on a link
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        unfinished.replace(target)
    except BaseException:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
        raise
    _sync(target.parent)


def write_texts(target: Path, texts: Iterable[str]) -> None:
    """Write texts, one after the other, as a whole file."""
    with whole_file(target) as stream:
        for text in texts:
            stream.write(text.encode("utf-8", "backslashreplace"))  # a name may be no text


def checksum(path: Path) -> str:
    """The SHA-256 of a file."""
    digest = sha256()
    with path.open("rb") as stream:
        while block := stream.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def is_there(path: Path) -> bool:
    """Tell whether a file is there; refuse what is something else, such as a link.

    Raises
    ------
    InputError
        If there is something that is not a plain file.
    """
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return False
    if stat.S_ISREG(mode):
        return True
    found = "a link" if stat.S_ISLNK(mode) else "something else"
    raise InputError(f"{path.name} must be a plain file, got {found} at {str(path)!r}; remove it")


def remove_unfinished(folder: Path) -> None:
    """Remove what killed runs have left half-written."""
    for path in folder.iterdir():
        if _UNFINISHED.fullmatch(path.name):
            path.unlink()


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Turn a disk that is full, or a folder that is closed to us, into one line about `out`."""
    try:
        yield
    except OSError as error:
        raise InputError(
            f"out must be a writable folder, got {str(folder)!r}: {error.strerror or error}"
        ) from error


def _sync(folder: Path) -> None:
    """Force a rename to disk, where folders can be synchronised (not on Windows)."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
