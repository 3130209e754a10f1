"""Settings: numbers that users choose, checked once and kept as plain Python values.

Registries: things of one kind by their names, to which others may add theirs.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import redirect_stdout, suppress
from dataclasses import field, fields
from functools import cache, wraps
from importlib.machinery import PathFinder
from inspect import Parameter, signature
from os import PathLike, fspath, scandir
from os.path import isfile
from pathlib import Path
from threading import get_ident
from typing import TYPE_CHECKING, Any, Generic, TypeGuard, TypeVar, cast

import numpy as np

from adjudge._interrupts import Interrupts
from adjudge.errors import InputError, UnknownName, as_text, nearest, shown, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from importlib.metadata import EntryPoint

T = TypeVar("T")
_BY_NAME = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
MOST = 10**12
"""More points or thresholds than anyone has: sums of them still fit into 64 bits."""
DRAWS = 10**6
"""More draws than any digit that is shown can tell."""
DIGITS = 17
"""As many digits as tell every float from its neighbours."""
SEEDS = 2**128
"""As large as the seeds that NumPy makes by itself."""


def front_door(name: str, *, passes_on: type | None = None) -> Callable[[T], T]:
    """Let what users call by a name say which argument was meant by one that it does not take.

    From Python 3.13 on plain functions say so themselves; not by the name that users know, and not
    where they pass arguments on.

    >>> @front_door("steps")
    ... def count_steps(width=1): ...
    >>> count_steps(widht=3)
    Traceback (most recent call last):
    TypeError: steps() got an unexpected keyword argument 'widht'. Did you mean 'width'?

    Parameters
    ----------
    name : str
        What users call it.
    passes_on : TypedDict, optional
        The arguments that it takes without naming them, and hands on.

    Returns
    -------
    callable
        To decorate a function or a class with.
    """

    def checked(door: Any) -> Any:
        call = vars(door)["__init__"] if isinstance(door, type) else door
        taken = signature(call).parameters.values()
        handed = () if passes_on is None else passes_on.__annotations__
        known = {one.name for one in taken if one.kind in _BY_NAME} - {"self"} | {*handed}

        @wraps(call)
        def checking(*values: Any, **given: Any) -> Any:
            if given.keys() <= known:
                return call(*values, **given)
            key = next(key for key in given if key not in known)
            near = nearest(key, known)
            meant = f". Did you mean {near[0]!r}?" if near else ""
            raise TypeError(f"{name}() got an unexpected keyword argument {shown(key)}{meant}")

        if not isinstance(door, type):
            return checking
        door.__init__ = checking  # type: ignore[misc]
        return door

    return checked


class Settings:
    """Checks the fields of a frozen dataclass that are declared by `setting`.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Window(Settings):
    ...     width: int = setting(5, whole, 1)
    >>> Window(np.int8(3))
    Window(width=3)
    >>> Window(0)
    Traceback (most recent call last):
    adjudge.errors.InputError: width must be a whole number, at least 1, got 0
    """

    def __post_init__(self) -> None:
        """Replace each value by what its check makes of it."""
        for item in fields(cast("Any", self)):  # every subclass is a dataclass
            if "check" in item.metadata:
                value = item.metadata["check"](self.__dict__[item.name], item.name)
                object.__setattr__(self, item.name, value)


def setting(
    default: Any, check: Callable[..., Any], *rule: Any, none: bool = False, **more: Any
) -> Any:
    """A field of `Settings`, with the check that its value must pass.

    Parameters
    ----------
    default : value
        What it is when it is not given. With None as the default, None is always allowed.
    check : callable
        One of the functions below: ``(value, name, *rule, **more) -> plain value``.
    *rule, **more
        What else the check takes.
    none : bool
        Whether None is allowed beside what the check allows.

    Returns
    -------
    dataclasses.Field
    """
    free = none or default is None
    return field(default=default, metadata=checked_by(check, *rule, none=free, **more))


def checked_by(
    check: Callable[..., Any], *rule: Any, none: bool = False, **more: Any
) -> dict[str, Callable[[Any, str], Any]]:
    """What the metadata of a field of `Settings` say of its check: see `setting`."""

    def checked(value: object, name: str) -> Any:
        return None if value is None and none else check(value, name, *rule, **more)

    return {"check": checked}


def is_whole(value: object) -> TypeGuard[int]:
    """Tell a whole number of Python or NumPy; True is none, nor is a time difference.

    >>> is_whole(np.uint8(3)), is_whole(np.timedelta64(3, "s")), is_whole(3.0)
    (True, False, False)
    """
    number = isinstance(value, (int, np.integer))  # of which NumPy's time differences are a kind
    return number and not isinstance(value, (bool, np.timedelta64))


def whole(value: object, name: str, least: int, most: int = MOST, why: str = "") -> int:
    """Check a whole number; 5.0 is none, nor is True.

    ``most`` is the largest that makes sense, and ``why`` says so in a few words.

    >>> whole(np.int8(5), "width", 1)
    5
    >>> whole(2.9, "width", 1)
    Traceback (most recent call last):
    adjudge.errors.InputError: width must be a whole number, at least 1, got 2.9
    """
    if is_whole(value) and value >= least:
        if value <= most:
            return int(value)
        because = f" ({why})" if why else ""
        raise InputError(f"{name} must be at most {most:,}{because}, got {shown(value)}")
    raise InputError(f"{name} must be a whole number, at least {least}, got {shown(value)}")


def share(value: object, name: str, *, zero: bool = False) -> float:
    """Check a share of a whole: in (0, 1], or in [0, 1] where zero has a meaning.

    >>> share(0.2, "k")
    0.2
    >>> share(20, "k")
    Traceback (most recent call last):
    adjudge.errors.InputError: k must be a share in (0, 1], got 20; 20 % is 0.2
    """
    if _is_number(value) and (0 < value <= 1 or (zero and value == 0)):  # type: ignore[operator]
        return value if isinstance(value, int) else float(value)  # type: ignore[arg-type]
    rule = f"a share in {'[' if zero else '('}0, 1]"
    raise InputError(f"{name} must be {rule}, got {shown(value)}{_per_cent(value)}")


def _per_cent(value: object) -> str:
    """What a number is as a share, if it was meant as per cent: one just above 1 hardly was."""
    if not _is_number(value) or not 2 <= value <= 100:  # type: ignore[operator]
        return ""
    return f"; {value:g} % is {value / 100:g}"  # type: ignore[operator]


def positive(value: object, name: str) -> float:
    """Check a positive weight, within reason: its square must stay a number.

    >>> positive(2, "beta")
    2
    """
    if _is_number(value) and 1e-6 <= _plain(value) <= 1e6:  # in float16, 1e6 is infinite
        return value if isinstance(value, int) else float(value)  # type: ignore[arg-type]
    raise InputError(f"{name} must be a positive number between 1e-6 and 1e6, got {shown(value)}")


def amount(value: object, name: str) -> float:
    """Check a positive number of points or the like, which may be large.

    >>> amount(86_400_000, "per")
    86400000
    """
    if _is_number(value) and 1e-6 <= _plain(value) <= 1e15:
        return value if isinstance(value, int) else float(value)  # type: ignore[arg-type]
    raise InputError(f"{name} must be a positive number between 1e-6 and 1e15, got {shown(value)}")


def not_negative(value: object, name: str) -> float:
    """Check a number that may be zero, within reason.

    >>> not_negative(0, "rate")
    0
    """
    if _is_number(value) and 0 <= _plain(value) <= 1e6:
        return value if isinstance(value, int) else float(value)  # type: ignore[arg-type]
    raise InputError(f"{name} must be a number from 0 to 1e6, got {shown(value)}")


def numbers(value: object, name: str) -> tuple[float, ...]:
    """Check several numbers that may be zero.

    >>> numbers((1, 2), "rates")
    (1, 2)
    """
    if isinstance(value, (tuple, list)) and value:
        return tuple(not_negative(one, name) for one in value)
    raise InputError(f"{name} must be a tuple of numbers such as (1, 2, 4), got {shown(value)}")


def number(value: object, name: str) -> float:
    """Check a number of any size, NaN and infinities among them; text is none, nor is True.

    >>> number(np.float32(0.5), "zero_division")
    0.5
    >>> number("7", "zero_division")
    Traceback (most recent call last):
    adjudge.errors.InputError: zero_division must be a number, got '7'
    """
    with suppress(OverflowError):  # of whole numbers beyond every float
        if _is_number(value):
            return float(value)  # type: ignore[arg-type]
    raise InputError(f"{name} must be a number, got {shown(value)}")


def boolean(value: object, name: str) -> bool:
    """Check a yes or no; 1 and 0 are neither.

    >>> boolean(np.True_, "strict")
    True
    """
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    raise InputError(f"{name} must be True or False, got {shown(value)}")


def items(value: Any, name: str, what: str) -> list[Any]:
    """Check several things in a list, a tuple or whatever else can be gone through.

    >>> items(("f1", "f1_pa"), "metrics", "metrics")
    ['f1', 'f1_pa']
    """
    try:
        return list(value)
    except Exception:  # noqa: BLE001 - whatever somebody's object does
        raise InputError(f"{name} must be a list of {what}, got {shown(value)}") from None


_LONGEST_NAME = 255  # bytes


def file_path(value: Any, name: str) -> Path:
    """Check the name of a file or a folder.

    >>> file_path("out", "path").name
    'out'
    """
    from pathlib import Path  # noqa: PLC0415 - only who writes needs it

    text = fspath(value) if isinstance(value, (str, PathLike)) else None
    if isinstance(text, str) and "\0" not in text:  # which no system takes, nor longer names
        sizes = [len(part.encode("utf-8", "surrogatepass")) for part in Path(text).parts]
        if max(sizes, default=0) <= _LONGEST_NAME:
            return Path(text)
    raise InputError(f"{name} must be the name of a file or a folder, got {shown(value)}")


def function(value: Any, name: str) -> Any:
    """Check what is to be called, or None.

    >>> function(None, "progress")
    """
    if value is None or callable(value):
        return value
    raise InputError(f"{name} must be a function, got {shown(value)}")


def word(value: object, name: str, choices: tuple[str, ...]) -> str:
    """Check one of a few words.

    >>> word("all", "islands", ("normal", "all"))
    'all'
    """
    if isinstance(value, str) and value in choices:
        return value
    listed = ", ".join(map(repr, choices))
    raise InputError(f"{name} must be one of {listed}, got {shown(value)}")


def text(value: object, name: str) -> str:
    """Check a name that may be anything.

    >>> text("Rare Event", "kind")
    'Rare Event'
    """
    if isinstance(value, str) and value:
        return str(value)
    raise InputError(f"{name} must be a text, got {shown(value)}")


def _is_number(value: object) -> bool:
    return isinstance(value, (float, np.floating)) or is_whole(value)


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


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

    def add(self, name: str, thing: T) -> None:
        """Take in one more; the same one may be added again."""
        self._things |= self._checked(name, thing)

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
