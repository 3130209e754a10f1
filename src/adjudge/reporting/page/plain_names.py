"""Names from outside, made fit for a page: what is obeyed is spelt out, what is long is cut."""

from __future__ import annotations

from adjudge._text import visible

_LONGEST = 160


def plain_name(name: object) -> str:
    r"""Spell out control characters and direction marks, and cut what is very long.

    >>> plain_name("score\u202e_gnp")
    'score\\u202e_gnp'
    >>> len(plain_name("x" * 5000))
    160
    """
    text = visible(str(name)[: _LONGEST + 1])
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
