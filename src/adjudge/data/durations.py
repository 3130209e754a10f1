"""Durations: ``"10min"`` as a number of nanoseconds, and back in words."""

from __future__ import annotations

import re
from datetime import timedelta
from itertools import pairwise
from typing import Final

import numpy as np

from adjudge.errors import InputError, shown

NANOSECONDS: Final = {
    "ns": 1,
    "us": 10**3,
    "ms": 10**6,
    "s": 10**9,
    "min": 60 * 10**9,
    "h": 3600 * 10**9,
    "d": 86400 * 10**9,
    "w": 7 * 86400 * 10**9,
}
_PART = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(ns|us|ms|s|min|h|d|w)\s*")
FARTHEST = 2**62


def duration(value: object, name: str, words: tuple[str, ...] = ()) -> int:
    """Read a duration as nanoseconds.

    Text is a number and a unit, or several of them; `datetime.timedelta` and NumPy's are taken too.
    ``words`` are those that the caller also understands; they are named where it is refused.

    >>> duration("10min", "tolerance"), duration("1h30min", "tolerance")
    (600000000000, 5400000000000)
    >>> duration("10 minutes", "tolerance")
    Traceback (most recent call last):
    adjudge.errors.InputError: tolerance must be a duration such as '10min', '1h30min' or '0.5s' \
(units ns, us, ms, s, min, h, d, w), got '10 minutes'
    """
    if isinstance(value, str):
        parts = _PART.findall(value)
        if parts and _PART.sub("", value) == "":
            total = sum(float(number) * NANOSECONDS[unit] for number, unit in parts)
            if total <= FARTHEST:  # before it is rounded: what is beyond every float cannot be
                return sum(round(float(number) * NANOSECONDS[unit]) for number, unit in parts)
    elif isinstance(value, timedelta) and value >= timedelta(0):
        return value // timedelta(microseconds=1) * 1000
    elif isinstance(value, np.timedelta64) and value >= np.timedelta64(0, "ns"):  # NaT is not
        return int(value.astype("m8[ns]").astype(np.int64))
    raise InputError(
        f"{name} must be a duration such as '10min', '1h30min' or '0.5s' "
        f"(units {', '.join(NANOSECONDS)}){''.join(f' or {word!r}' for word in words)}, "
        f"got {shown(value)}{_unit_hint(value, words)}"
    )


def _unit_hint(value: object, words: tuple[str, ...]) -> str:
    """What to write where a number in quotes has no unit, or m, which may be two of them."""
    given = re.fullmatch(r"\s*(\d+)\s*(m?)\s*", value) if isinstance(value, str) else None
    if given is None:
        return ""
    number, minutes = given.groups()
    if minutes:
        month = f" or '{number}mo'" * ("1mo" in words)
        return f"; did you mean '{number}min'{month}?"
    points = f", or {number} without quotes for points" if words else ""
    return f"; give its unit, as in '{number}min'{points}"


def signed_duration(value: object, name: str) -> int:
    """Read a duration that may lie behind as nanoseconds: a minus stands before the whole of it.

    >>> signed_duration("-1h30min", "min_lead"), signed_duration("10s", "min_lead")
    (-5400000000000, 10000000000)
    """
    if isinstance(value, str):
        size = duration(value.removeprefix("-"), name)
        return -size if value.startswith("-") else size
    if isinstance(value, timedelta) and value < timedelta(0):
        return -duration(-value, name)
    return duration(value, name)


def spelt(nanoseconds: int) -> str:
    """Write a duration so that it reads back as the same: the form that specs have.

    >>> spelt(5_400_000_000_000), spelt(600_000_000_000), spelt(0)
    ('1h30min', '10min', '0s')
    """
    if nanoseconds < 0:
        return f"-{spelt(-nanoseconds)}"
    parts = []
    for unit, size in reversed(NANOSECONDS.items()):
        number, nanoseconds = divmod(nanoseconds, size)
        if number:
            parts.append(f"{number}{unit}")
    return "".join(parts) or "0s"


def in_words(nanoseconds: float) -> str:
    """Write a duration for a reader: two units at most, rounded.

    >>> in_words(41 * 60e9), in_words(5_400_000_000_000), in_words(93_784e9), in_words(1.5e9)
    ('41 min', '1 h 30 min', '1 d 2 h', '1.5 s')
    """
    if np.isnan(nanoseconds):
        return "undefined"
    sign, left = ("-" if nanoseconds < 0 else ""), abs(nanoseconds)
    units = list(reversed(NANOSECONDS.items()))
    for (large, size), (small, part) in pairwise(units):
        if large in {"d", "h", "min"} and round(left / part) * part >= size:
            whole, rest = divmod(round(left / part), size // part)
            return f"{sign}{whole} {large}" + (f" {rest} {small}" if rest else "")
        if large in {"s", "ms", "us"} and left >= size:
            return f"{sign}{left / size:.4g} {large}"
    return f"{sign}{left:.4g} {'ns' if left else 's'}"
