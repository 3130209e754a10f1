"""A folder of ours: known by its manifest, written by one run at a time, safe for its neighbours.

Without our manifest, anything in the folder that bears a name we would write is somebody else's,
and the folder is refused before a byte is written. With it, those names are ours; nothing else is
touched.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from adjudge.checks import file_path
from adjudge.errors import InputError
from adjudge.stores.claim import Claim
from adjudge.stores.files import checksum, is_there, remove_unfinished, writing
from adjudge.stores.manifest import check_versions, read_manifest, versions, write_manifest

if TYPE_CHECKING:
    import os
    from pathlib import Path


class OwnFolder:
    """A claimed folder and its manifest.

    Parameters
    ----------
    path : path
        The folder; it is made if there is none.
    kind : str
        What it holds: "study" or "ranking".
    manifest : str
        Name of the manifest.
    tables : names
        Files that are written once, at the end.
    parts : str
        Folder of unfinished work.
    settings : dict
        What the manifest of a new folder says.
    strict : tuple of str
        Packages whose versions must not change.

    Raises
    ------
    InputError
        If the folder cannot be written, is in use, is not ours, or was begun with other versions.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        kind: str,
        manifest: str,
        tables: tuple[str, ...],
        parts: str,
        settings: dict[str, Any],
        strict: tuple[str, ...],
    ) -> None:
        self.path, self._kind = file_path(path, "out"), kind
        self.tables = tuple(self.path / name for name in tables)
        self.parts, self._note = self.path / parts, self.path / manifest
        with writing(self.path):
            self.path.mkdir(parents=True, exist_ok=True)
            self._refuse_strangers()  # before anything is written
            self._claim = Claim(self.path)
            try:
                self._open(settings, strict)
            except BaseException:
                self.close()
                raise

    def close(self) -> None:
        """Let others write into the folder."""
        self._claim.close()

    def is_intact(self, path: Path) -> bool:
        """Tell whether a table is there as the manifest has it."""
        return is_there(path) and checksum(path) == self.said.get("files", {}).get(path.name)

    def finish(self, settings: dict[str, Any]) -> None:
        """Write down that the tables stand, each with its checksum."""
        files = {path.name: checksum(path) for path in self.tables if is_there(path)}
        self._write({**settings, "files": files})

    def refuse(self, found: str) -> NoReturn:
        """Refuse the folder for what it holds."""
        raise InputError(
            f"out must be a new folder or that of the same {self._kind}, got {found} "
            f"at {str(self.path)!r}; choose another folder"
        )

    def _open(self, settings: dict[str, Any], strict: tuple[str, ...]) -> None:
        self._refuse_strangers()  # again: now nobody else can write here
        said = read_manifest(self._note, self._kind)
        if said is None:
            self._write(settings)
        else:
            self.said = said
            check_versions(said["versions"], strict)
        for folder in (self.path, *[self.parts] * self.parts.exists()):
            remove_unfinished(folder)

    def _write(self, entries: dict[str, Any]) -> None:
        said = {"versions": versions(), **entries}
        self.said = write_manifest(self._note, self._kind, said)

    def _refuse_strangers(self) -> None:
        """Refuse names of ours that we did not give, and links in their place."""
        if self.parts.is_symlink():
            self.refuse(f"one with a link called {self.parts.name!r}")
        there = [path for path in self.tables if is_there(path)]
        if read_manifest(self._note, self._kind) is not None:
            return
        there += [self.parts] * self.parts.exists()
        if there:
            self.refuse(f"one with {there[0].name!r} of unknown origin")
