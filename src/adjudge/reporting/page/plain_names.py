"""Names from outside, made fit to be shown: what would turn or hide text is spelt out."""

from __future__ import annotations

import unicodedata

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
_LONGEST = 160


def plain_name(name: object) -> str:
    r"""Spell out control characters and direction marks, and cut what is very long.

    >>> plain_name("score\u202e_gnp")
    'score\\u202e_gnp'
    >>> len(plain_name("x" * 5000))
    160
    """
    text = "".join(_spelt(char) for char in str(name)[: _LONGEST + 1])
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _spelt(char: str) -> str:
    if unicodedata.category(char) not in _HIDDEN:
        return char
    return char.encode("unicode_escape", "backslashreplace").decode("ascii")
