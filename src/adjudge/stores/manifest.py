"""Manifest: the file that makes a folder ours, and says what its other files must be.

It is JSON: what kind of work the folder holds, the versions it was done with, its settings, and the
SHA-256 of every finished file. The last entry is the SHA-256 of all the others, so a manifest that
was changed or damaged is noticed.
"""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from adjudge._version import __version__
from adjudge.errors import InputError
from adjudge.stores.files import is_there, write_texts

if TYPE_CHECKING:
    from pathlib import Path

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
            f"{path.name} must be as a {kind} wrote it, got a file that is another or was changed "
            f"at {str(path)!r}; choose another folder, or remove what is in this one"
        )
    return said


def write_manifest(path: Path, kind: str, entries: dict[str, Any]) -> dict[str, Any]:
    """Write a manifest, unless it says so already."""
    said = {"adjudge": kind, **entries}
    said = json.loads(json.dumps({**said, _SEAL: _seal(said)}))
    if not is_there(path) or said != read_manifest(path, kind):
        write_texts(path, [json.dumps(said, indent=1) + "\n"])
    return said  # type: ignore[no-any-return]


def check_versions(found: dict[str, str], strict: tuple[str, ...]) -> None:
    """Refuse to go on with other versions: old and new values would stand in one table.

    Raises
    ------
    InputError
        With the versions that are needed.
    """
    now = versions()
    other = [name for name in strict if now[name] != found.get(name)]
    if not other:
        return
    got = ", ".join(f"{name} {now[name]} after {found.get(name)}" for name in other)
    needed = " ".join(f"{name}=={found.get(name)}" for name in other)
    raise InputError(
        f"out must be continued with the versions it was begun with, got {got}; "
        f"choose another folder, or pip install {needed}"
    )


def _broken(said: dict[str, Any]) -> bool:
    return said.get(_SEAL) != _seal(said)


def _seal(said: dict[str, Any]) -> str:
    rest = {key: value for key, value in said.items() if key != _SEAL}
    return sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()
