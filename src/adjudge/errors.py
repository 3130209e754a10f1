"""What can go wrong, as a small tree.

::

    AdjudgeError
    ├── InputError      (ValueError)            data or a setting that cannot be judged as it is
    │   ├── FileError                           a file that cannot be read as it is
    │   └── NotBinary                           a column that holds more than zeros and ones
    ├── UnknownName     (KeyError, ValueError)  a metric, column or detector that is not there
    └── MissingExtra    (ImportError)           an optional package that is not installed

A message names the argument, the value, the place and the fix, in the form
``<name> must be <rule>, got <value> [at <place>] [(<how many>)][; <hint>]``. It is one line,
whatever the names in it: characters that a terminal would obey are written out, and of more than
`LONGEST` characters those in the middle are left out.

Text from outside: names of detectors, series, columns and files, made harmless to look at.

A name may hold anything, also sequences that a terminal obeys: colours, a new window title, links,
a backspace over what stands before. Whatever is shown to people goes through `visible`; data that
is written for programs keeps its names as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from unicodedata import category

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LONGEST = 1000
"""No message has more characters, whatever was passed."""
_LONGEST_VALUE = 120
_ELSEWHERE = {"threshold": "at"}
"""What other programs call an argument: theirs, ours."""
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Controls, formatting (also text that runs backwards), halves of a pair, separators of lines."""


def visible(text: object) -> str:
    r"""Write out every character that is obeyed rather than seen; the rest stays as it is.

    >>> print(visible("mine\x1b[31m\nand\u202ecitsalp"))
    mine\x1b[31m\nand\u202ecitsalp
    """
    plain = str(text)
    if plain.isascii() and plain.isprintable():
        return plain
    return "".join(map(_seen, plain))


def first_few(names: Sequence[str], most: int) -> str:
    """The first names, and how many more there are.

    >>> first_few(["a", "b", "c", "d", "e"], 3)
    'a, b, c and 2 more'
    """
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more:,} more" if more > 0 else "")


def shown(value: object) -> str:
    """A value as an error message shows it: short, and never an error itself.

    >>> shown(np.float64(2.9)), shown(10**5000)
    ('2.9', 'a value of type int')
    >>> print(shown("a" * 1000)[55:75])
    aaaaaaaaaa...aaaaaaa
    """
    try:
        return _cut(repr(value.item() if isinstance(value, np.generic) else value))
    except Exception:  # noqa: BLE001 - of somebody's object, or of a number of thousands of digits
        return f"a value of type {type(value).__name__}"


def as_text(value: object) -> str:
    """The text of a value: its str, or the name of its type where that fails.

    >>> as_text("mine"), as_text(ValueError("bad"))
    ('mine', 'bad')
    """
    try:
        return str(value)
    except Exception:  # noqa: BLE001 - of somebody's object
        return f"a value of type {type(value).__name__}"


def exact(number: float) -> str:
    """A number in as few digits as read back as the same number.

    >>> exact(0.1 + 0.2), exact(3), exact(np.float64(0.5)), exact(-np.inf)
    ('0.30000000000000004', '3', '0.5', '-inf')
    """
    return repr(float(number)).removesuffix(".0")


def one_line(text: str) -> str:
    """A message that fits on a screen, and is one line, whatever stands in it.

    >>> print(one_line(f"at must be a threshold, got {'9' * 10**6}; write 0.5")[-14:])
    999; write 0.5
    """
    return _cut(visible(_cut(text, 2 * LONGEST)), LONGEST)


def _cut(text: str, most: int = _LONGEST_VALUE) -> str:
    half = most // 2
    return text if len(text) <= most else f"{text[: half + 5]}...{text[-(half - 8) :]}"


def _seen(character: str) -> str:
    if category(character) not in _UNSEEN:
        return character
    return character.encode("unicode_escape").decode("ascii")


class AdjudgeError(Exception):
    """Base class of all errors that adjudge raises."""

    def __str__(self) -> str:
        """The message on one line."""
        return one_line(super().__str__())


class InputError(AdjudgeError, ValueError):
    """Invalid data or an invalid setting."""


class FileError(InputError):
    """A file that cannot be read."""


class NotBinary(InputError):  # noqa: N818 - reads as what it is
    """A column that must be of zeros and ones, and is not."""


class UnknownName(AdjudgeError, KeyError, ValueError):  # noqa: N818 - reads as what it is
    """An unknown name; the message suggests the nearest ones."""

    def __init__(
        self,
        kind: str,
        name: object,
        known: Iterable[str],
        hint: str = "",
        meant: tuple[str, ...] = (),
    ) -> None:
        super().__init__(kind, name, sorted(known), hint, meant)  # what it takes to be made again

    def __str__(self) -> str:
        """The message itself: KeyError would show its quotes."""
        kind, name, names, hint, meant = self.args
        near = dict.fromkeys((*meant, *nearest(as_text(name), names)))
        offer = f", did you mean {' or '.join(repr(n) for n in near)}?" if near else ""
        return one_line(f"unknown {kind} {shown(name)}{offer}{'; ' if hint else ''}{hint}")


class MissingExtra(AdjudgeError, ImportError):  # noqa: N818 - reads as what it is
    """A missing optional package; the message has the install command."""

    def __init__(self, what: str, package: str) -> None:
        command = f"'{package}'" if "[" in package else package
        self.message = f"{what} needs {package}: pip install {command}"
        super().__init__(what, package)

    def __str__(self) -> str:
        """The message."""
        return one_line(self.message)


def nearest(name: str, names: Iterable[str]) -> list[str]:
    """The names that look most like one, whatever its capitals and dashes."""
    from difflib import get_close_matches  # noqa: PLC0415 - only a message needs it

    known = {_plain(one): one for one in sorted(names, reverse=True)}
    elsewhere = {other: ours for other, ours in _ELSEWHERE.items() if ours in known}
    alike = elsewhere | known
    close = get_close_matches(_plain(name), alike, n=3, cutoff=0.6)
    return list(dict.fromkeys(alike[match] for match in close))


def _plain(name: str) -> str:
    """A name in small letters, dashes read as underscores: vus-pr is vus_pr."""
    return name.lower().replace("-", "_")
