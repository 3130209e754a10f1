"""Settings: numbers that users choose, checked once and kept as plain Python values."""

from __future__ import annotations

from dataclasses import field, fields
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Callable


class Settings:
    """Checks the fields of a frozen dataclass that are declared by `setting`.

    >>> from dataclasses import dataclass
    >>> from adjudge.checks import whole
    >>> @dataclass(frozen=True)
    ... class Window(Settings):
    ...     width: int = setting(5, whole, 1)
    >>> Window(3)
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
