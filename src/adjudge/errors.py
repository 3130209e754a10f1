"""What can go wrong, as a small tree.

::

    AdjudgeError
    ├── InputError      (ValueError)            data or a setting that cannot be judged as it is
    │   └── FileError                           a file that cannot be read as it is
    ├── UnknownName     (KeyError, ValueError)  a metric, column or detector that is not there
    └── MissingExtra    (ImportError)           an optional package that is not installed

A message names the argument, the value, the place and the fix, in the form
``<name> must be <rule>, got <value> [at <place>] [(<how many>)][; <hint>]``. It is one line,
whatever the names in it: characters that a terminal would obey are written out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudge._text import said, shown, visible

if TYPE_CHECKING:
    from collections.abc import Iterable


class AdjudgeError(Exception):
    """Anything that adjudge itself refuses."""

    def __str__(self) -> str:
        """The message on one line."""
        return visible(super().__str__())


class InputError(AdjudgeError, ValueError):
    """Data or a setting that cannot be judged as it is."""


class FileError(InputError):
    """A file that cannot be read as it is."""


class UnknownName(AdjudgeError, KeyError, ValueError):  # noqa: N818 - reads as what it is
    """A name that is not there; the message offers the nearest ones."""

    def __init__(self, kind: str, name: object, known: Iterable[str], hint: str = "") -> None:
        super().__init__(kind, name, sorted(known), hint)  # what it takes to be made again

    def __str__(self) -> str:
        """The message itself: KeyError would show its quotes."""
        kind, name, names, hint = self.args
        near = _nearest(said(name), names)
        offer = f", did you mean {' or '.join(repr(n) for n in near)}?" if near else ""
        return visible(f"unknown {kind} {shown(name)}{offer}{'; ' if hint else ''}{hint}")


class MissingExtra(AdjudgeError, ImportError):  # noqa: N818 - reads as what it is
    """An optional package that is not installed; the message gives the command.

    ``extra`` is the extra of adjudge that brings it; "" where the package is the user's own choice.
    """

    def __init__(self, what: str, package: str, extra: str = "") -> None:
        command = f"'adjudge[{extra}]'" if extra else package
        self.message = f"{what} needs {package}: pip install {command}"
        super().__init__(what, package, extra)

    def __str__(self) -> str:
        """The message."""
        return visible(self.message)


def _nearest(name: str, names: list[str]) -> list[str]:
    """The names that look most like one, whatever its capitals and dashes."""
    from difflib import get_close_matches  # noqa: PLC0415 - only a message needs it

    alike = {_plain(known): known for known in reversed(names)}
    return [alike[match] for match in get_close_matches(_plain(name), alike, n=3, cutoff=0.6)]


def _plain(name: str) -> str:
    """A name in small letters, dashes read as underscores: vus-pr is vus_pr."""
    return name.lower().replace("-", "_")
