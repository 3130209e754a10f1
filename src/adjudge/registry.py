"""Registries: things of one kind by their names, to which others may add theirs."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import redirect_stdout, suppress
from functools import cache
from importlib.machinery import PathFinder
from os import scandir
from os.path import isfile
from pathlib import Path
from threading import get_ident
from typing import TYPE_CHECKING, Any, Generic, cast

from adjudge._interrupts import Interrupts
from adjudge.checks import T
from adjudge.errors import InputError, UnknownName, as_text, shown, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from importlib.metadata import EntryPoint


class Registry(Mapping[str, T], Generic[T]):
    """Things of one kind by name: the library's own, added ones, and those of installed packages.

    A package publishes its things as entry points of the group; they are read when a name is asked
    for that is not there, or when all are listed.

    >>> sizes = Registry("size", "example.sizes")
    >>> sizes.add("small", 1)
    >>> sizes["small"], list(sizes)
    (1, ['small'])
    >>> sizes["smal"]
    Traceback (most recent call last):
    adjudge.errors.UnknownName: unknown size 'smal', did you mean 'small'?; there are small

    Parameters
    ----------
    kind : str
        What one of them is called in messages.
    group : str
        The group of entry points; the name of an entry point is the name of the thing.
    check : callable, optional
        ``(name, thing)``, which refuses a thing that is none of the kind.
    text : callable, optional
        ``(name, thing) -> str``: how one is written in lists. Default: its name.
    """

    def __init__(
        self,
        kind: str,
        group: str,
        *,
        check: Callable[[str, Any], object] = lambda name, thing: None,  # noqa: ARG005
        text: Callable[[str, T], str] = lambda name, _: name,
    ) -> None:
        self.kind, self.group = kind, group
        self._check, self._text = check, text
        self._things: dict[str, T] = {}
        self._complete = False

    def add(self, name: str, thing: T) -> T:
        """Take in one more, and give it back; the same one may be added again."""
        self._things |= self._checked(name, thing)
        return thing

    @property
    def known(self) -> Mapping[str, T]:
        """Those that are there already, without a look at what packages publish."""
        return self._things

    @property
    def listed(self) -> str:
        """All of them, as messages and help write them."""
        return ", ".join(self._text(name, thing) for name, thing in self.items())

    def __getitem__(self, name: str) -> T:
        """One of them; UnknownName, with the list of all, if it is not there."""
        found = self._things if name in self._things else self._all()
        if name not in found:
            raise UnknownName(self.kind, name, found, f"there are {self.listed}")
        return found[name]

    def __iter__(self) -> Iterator[str]:
        """The names of all, the library's own first."""
        return iter(self._all())

    def __len__(self) -> int:
        """How many there are."""
        return len(self._all())

    def _all(self) -> dict[str, T]:
        if not self._complete:
            self._complete = True  # first: a package that is being read may look something up
            self._things |= dict(published(self.group, lambda *one: self._checked(*one).items()))
        return self._things

    def _checked(self, name: str, thing: Any) -> dict[str, T]:
        if not (isinstance(name, str) and name.isprintable() and name.strip()):
            raise InputError(f"name of a {self.kind} must be a word, got {shown(name)}")
        if self._things.get(name, thing) is not thing:
            raise InputError(f"name of a {self.kind} must be new, got {name!r}")
        self._check(name, thing)
        return {name: thing}


def published(group: str, read: Callable[[str, Any], Iterable[T]]) -> Iterator[T]:
    """What installed packages publish in a group of entry points, as ``read(name, it)`` gives it.

    A package that is no good is named in a warning, and left out.
    """
    if not may_publish(group):
        return
    from importlib.metadata import entry_points  # noqa: PLC0415 - who lists nothing pays nothing

    for entry in entry_points(group=group):
        found, trouble = _read_quietly(entry, read)
        if trouble:
            package = entry.dist.name if entry.dist else entry.value
            words = f"{package} publishes {entry.name} for adjudge, which is left out: {trouble}"
            warnings.warn(visible(words), stacklevel=2)
        yield from found


def may_publish(group: str) -> bool:
    """Whether an installed package may publish something in a group, by a look into the folders.

    To import `importlib.metadata` takes longer than to judge a small file. It is asked all the same
    where it is there already, and where packages come from elsewhere than from folders.
    """
    unusual = any(hasattr(one, "find_distributions") for one in sys.meta_path if one != PathFinder)
    if "importlib.metadata" in sys.modules or unusual:
        return True
    return _is_named(group, tuple(sys.path))


@cache
def _is_named(group: str, folders: tuple[str, ...]) -> bool:
    """Whether some folders name a group, or one of them is no folder."""
    if any(map(isfile, folders)):
        return True
    return any(f"[{group}]".encode() in text for text in _entry_points(folders))


@cache
def _entry_points(folders: tuple[str, ...]) -> list[bytes]:
    """What the packages in some folders publish."""
    found = []
    for folder in folders:
        with suppress(OSError), scandir(folder or ".") as packages:
            for package in packages:
                if package.name.endswith((".dist-info", ".egg-info")):
                    with suppress(OSError):
                        found.append(Path(package.path, "entry_points.txt").read_bytes())
    return found


def _read_quietly(
    entry: EntryPoint, read: Callable[[str, Any], Iterable[T]]
) -> tuple[list[T], str]:
    """What an entry point gives, and what is wrong with it; its trouble must not be ours."""
    printed, found = _Printed(sys.stdout), list[T]()
    with Interrupts(wait=False) as interrupts, redirect_stdout(cast("Any", printed)):
        try:
            found.extend(read(entry.name, entry.load()))
        except BaseException as error:
            if interrupts.came:  # somebody has pressed Ctrl-C meanwhile
                raise
            return found, _described(error)
    if printed.text:
        return [], f"it prints {shown(printed.text)} when it is imported"
    return found, ""


def _described(error: BaseException) -> str:
    """What was raised, in its own words where it has any and is an error at all."""
    words, kind = as_text(error), type(error).__name__
    if isinstance(error, Exception) and words:
        return words
    return f"it raises {kind}({words}) when it is imported"


class _Printed:
    """Stands for stdout: keeps what this thread prints, and passes on what others do."""

    def __init__(self, stdout: Any) -> None:
        self.text = ""
        self._stdout, self._thread = stdout, get_ident()

    def write(self, text: str) -> int:
        if get_ident() != self._thread:
            return int(self._stdout.write(text))
        self.text += text
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stdout, name)
