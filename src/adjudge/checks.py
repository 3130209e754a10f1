"""Settings: numbers that users choose, checked once and kept as plain Python values."""

from __future__ import annotations

from typing import Any

import numpy as np

from adjudge.errors import InputError


def whole(value: object, name: str, least: int) -> int:
    """Check a whole number; 5.0 is none, nor is True.

    >>> whole(np.int8(5), "width", 1)
    5
    >>> whole(2.9, "width", 1)
    Traceback (most recent call last):
    adjudge.errors.InputError: width must be a whole number, at least 1, got 2.9
    """
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool) and value >= least:
        return int(value)
    raise InputError(f"{name} must be a whole number, at least {least}, got {_shown(value)}")


def whole_or_word(value: object, name: str, least: int, words: tuple[str, ...]) -> int | str:
    """Check a whole number, or one of a few words for one.

    >>> whole_or_word("iid", "width", 1, ("iid", "matched"))
    'iid'
    """
    if isinstance(value, str) and value in words:
        return value
    try:
        return whole(value, name, least)
    except InputError:
        listed = " or ".join(map(repr, words))
        rule = f"a whole number, at least {least}, or {listed}"
        raise InputError(f"{name} must be {rule}, got {_shown(value)}") from None


def share(value: object, name: str, *, zero: bool = False) -> float:
    """Check a share of a whole: in (0, 1], or in [0, 1] where zero has a meaning.

    >>> share(0.2, "k")
    0.2
    """
    if _is_number(value) and (0 < value <= 1 or (zero and value == 0)):  # type: ignore[operator]
        return value if isinstance(value, int) else float(value)  # type: ignore[arg-type]
    raise InputError(f"{name} must be a share in {'[' if zero else '('}0, 1], got {_shown(value)}")


def positive(value: object, name: str) -> float:
    """Check a positive weight, within reason: its square must stay a number.

    >>> positive(2, "beta")
    2
    """
    if _is_number(value) and 1e-6 <= _plain(value) <= 1e6:  # in float16, 1e6 is infinite
        return value if isinstance(value, int) else float(value)  # type: ignore[arg-type]
    raise InputError(f"{name} must be a positive number between 1e-6 and 1e6, got {_shown(value)}")


def boolean(value: object, name: str) -> bool:
    """Check a yes or no; 1 and 0 are neither.

    >>> boolean(np.True_, "strict")
    True
    """
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    raise InputError(f"{name} must be True or False, got {_shown(value)}")


def word(value: object, name: str, choices: tuple[str, ...]) -> str:
    """Check one of a few words.

    >>> word("all", "islands", ("normal", "all"))
    'all'
    """
    if isinstance(value, str) and value in choices:
        return value
    listed = ", ".join(map(repr, choices))
    raise InputError(f"{name} must be one of {listed}, got {_shown(value)}")


def _is_number(value: object) -> bool:
    number = isinstance(value, (int, float, np.integer, np.floating))
    return number and not isinstance(value, bool)


def _shown(value: object) -> str:
    return repr(_plain(value))


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
