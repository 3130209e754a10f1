"""Claim: one run at a time in a folder.

The lock belongs to the open file, so it ends with the process, however that ends: there are no
stale locks. The file itself stays, since removing it would let two runs hold two of them.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from adjudge._text import visible
from adjudge.errors import FileError, InputError
from adjudge.stores.files import is_there

if TYPE_CHECKING:
    from pathlib import Path

LOCK = ".adjudge.lock"

try:
    from fcntl import LOCK_EX, LOCK_NB, flock

    def _take(handle: int) -> None:
        flock(handle, LOCK_EX | LOCK_NB)

except ImportError:  # pragma: no cover - Windows
    import msvcrt

    def _take(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]


class Claim:
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
            _take(self._handle)
        except (BlockingIOError, PermissionError):
            os.lseek(self._handle, 1, os.SEEK_SET)
            holder = os.read(self._handle, 20).decode("ascii", "replace").strip()
            self.close()
            raise InputError(
                f"out must be a folder that no other run is writing, got {str(folder)!r}, in use "
                f"by process {holder or 'unknown'}; wait until it has ended, or choose another"
            ) from None
        os.ftruncate(self._handle, 0)
        os.write(self._handle, f" {os.getpid()}\n".encode())

    def close(self) -> None:
        """Let it go."""
        os.close(self._handle)


def files_below(folder: Path, above: tuple[Path, ...] = ()) -> list[str]:
    """The files of a folder and those below, linked ones too; none that a run has written."""
    place = folder.resolve()
    if place in above or (folder / LOCK).exists():  # a link to where it lies; a folder of ours
        return []
    try:
        entries = list(folder.iterdir())
    except OSError as error:  # to leave it out would be to leave series out
        raise FileError(f"{visible(folder)}: cannot be read: {error.strerror}") from None
    found = []
    for entry in entries:
        if entry.is_dir():
            found += files_below(entry, (*above, place))
        elif entry.is_file():
            found.append(str(entry))
    return found
