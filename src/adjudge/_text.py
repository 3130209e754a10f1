r"""Text from outside: names of detectors, series, columns and files, made harmless to look at.

A name may hold anything, also sequences that a terminal obeys: colours, a new window title, links,
a backspace over what stands before. Whatever is shown to people goes through `visible`; data that
is written for programs keeps its names as they are.
"""

from __future__ import annotations

from unicodedata import category

import numpy as np

_LONGEST = 120
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Controls, formatting (also text that runs backwards), halves of a pair, separators of lines."""


def visible(text: object) -> str:
    r"""Write out every character that is obeyed rather than seen; the rest stays as it is.

    >>> print(visible("mine\x1b[31m\nand\u202ecitsalp"))
    mine\x1b[31m\nand\u202ecitsalp
    """
    said = str(text)
    if said.isascii() and said.isprintable():
        return said
    return "".join(map(_seen, said))


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


def said(value: object) -> str:
    """The text of a value: its str, or the name of its type where that fails.

    >>> said("mine"), said(ValueError("bad"))
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


def _cut(text: str) -> str:
    half = _LONGEST // 2
    return text if len(text) <= _LONGEST else f"{text[: half + 5]}...{text[-(half - 8) :]}"


def _seen(character: str) -> str:
    if category(character) not in _UNSEEN:
        return character
    return character.encode("unicode_escape").decode("ascii")
