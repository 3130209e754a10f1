"""Checks of arguments: values, and keywords that a function does not take."""

from __future__ import annotations

from contextlib import suppress
from functools import wraps
from inspect import Parameter, signature
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, TypeGuard, TypeVar

import numpy as np

from adjudge.errors import InputError, nearest, shown

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

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


def suggest_keywords(name: str, *, passes_on: type | None = None) -> Callable[[T], T]:
    """Let what users call by a name say which argument was meant by one that it does not take.

    From Python 3.13 on plain functions say so themselves; not by the name that users know, and not
    where they pass arguments on.

    >>> @suggest_keywords("steps")
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
    """Check what is to be called; None is what calls nothing.

    >>> function(None, "progress")(1, 2)
    """
    if value is None:
        return _nothing
    if callable(value):
        return value
    raise InputError(f"{name} must be a function, got {shown(value)}")


def _nothing(*_: Any) -> None:
    """Do nothing."""


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
