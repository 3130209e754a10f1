"""Join files of scores to a file of labels: row by row, or by key columns such as the time.

Keys are compared as numbers where both files have numbers, as instants where both have times, and
as text otherwise. A key must be there once in each file. Rows without a partner are refused, with
their number, unless only the common rows are wanted.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.data.clock import Clock, same_zone
from adjudge.errors import FileError, InputError

_WHOLE = re.compile(r"\s*[+-]?\d{1,30}\s*")

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from adjudge.io.one_file import Part


def matched(first: Part, others: Sequence[Part], *, inner: bool) -> tuple[list[Part], str]:
    """The parts with their rows matched, and how that was done."""
    if not first.columns.keys:
        for other in others:
            if other.rows != first.rows:
                raise FileError(
                    f"{other.file}: files joined row by row must be equally long, got "
                    f"{other.rows:,} rows for {first.rows:,} of {first.file}; --on names the "
                    "column to join by"
                )
        return [first, *others], "joined row by row"
    places = [_places(first, other, inner=inner) for other in others]
    keep = np.flatnonzero(np.all([place >= 0 for place in places], axis=0))
    if not keep.size:
        raise FileError(f"{others[0].file}: no row has a partner in {first.file}")
    parts = [first.taken(keep)]
    parts += [other.taken(place[keep]) for other, place in zip(others, places, strict=True)]
    dropped = first.rows - len(keep)
    without = f", {dropped:,} rows without a partner left out" if dropped else ""
    return parts, f"joined on {' and '.join(first.columns.keys)}{without}"


def _places(first: Part, other: Part, *, inner: bool) -> NDArray[np.int64]:
    """Give, for each row of the first part, the row of the other with the same key; -1: none."""
    codes = np.zeros(first.rows + other.rows, np.int64)
    for key in first.columns.keys:
        both = np.concatenate(_comparable(first, other, key))
        _, place = np.unique(both, return_inverse=True)
        codes = np.unique(codes * (len(both) + 1) + place, return_inverse=True)[1]
    ours, theirs = codes[: first.rows], codes[first.rows :]
    for part, keys in ((first, ours), (other, theirs)):
        _refuse_repeats(part, keys)
    rows = np.full(int(codes.max()) + 1, -1)
    rows[theirs] = np.arange(other.rows)
    found = rows[ours]
    lonely = int(np.count_nonzero(found < 0)), other.rows - int(np.count_nonzero(found >= 0))
    if any(lonely) and not inner:
        raise FileError(
            f"{other.file}: every row must have a partner on {' and '.join(first.columns.keys)}, "
            f"got {lonely[0]:,} of {first.rows:,} rows of {first.file} and {lonely[1]:,} of "
            f"{other.rows:,} rows of {other.file} without one; --inner leaves them out"
        )
    return found


def _refuse_repeats(part: Part, keys: NDArray[np.int64]) -> None:
    order = np.argsort(keys, kind="stable")
    again = np.flatnonzero(keys[order][1:] == keys[order][:-1])
    if again.size:
        one, other = sorted(order[again[0] : again[0] + 2].tolist())
        shown = ", ".join(str(part.arrays[key][other]) for key in part.columns.keys)
        raise FileError(
            f"{part.file}: a key must be there once, got {shown!r} in rows {one} and {other} "
            f"(counted from 0, {again.size:,} repeats in all); name a further column with --on, or "
            "join row by row without --on"
        )


def _comparable(first: Part, other: Part, key: str) -> tuple[Any, Any]:
    """A key of both parts as numbers, as instants or as text."""
    ours, theirs = first.arrays[key], other.arrays[key]
    with suppress(ValueError, TypeError):
        return numbers(ours), numbers(theirs)
    clocks = []
    with suppress(InputError):
        clocks = [(part.file, Clock.read(part.arrays[key], key)) for part in (first, other)]
    if clocks:
        same_zone(clocks)
        return clocks[0][1].instants, clocks[1][1].instants
    return _texts(ours), _texts(theirs)


def numbers(values: Any) -> NDArray[Any]:
    """Numbers, or text that is numbers, as they are: whole ones of any length lose no digit.

    >>> numbers(np.array(["1700000000123456789", "12"], object))
    array([1700000000123456789,                  12])
    >>> numbers(np.array(["0.5", "12"], object))
    array([ 0.5, 12. ])
    """
    array = np.asarray(values)
    if array.dtype.kind == "M":
        raise TypeError("times are no numbers")
    if array.dtype.kind in "iu":
        return array.astype(object if array.dtype == np.uint64 else np.int64)
    listed = array.tolist()
    if all(isinstance(v, int) or (isinstance(v, str) and _WHOLE.fullmatch(v)) for v in listed):
        whole = np.array([int(v) for v in listed])
        return whole if whole.dtype == np.int64 else whole.astype(object)
    return np.asarray(array, np.float64)


def _texts(values: Any) -> NDArray[Any]:
    return np.array([str(value).strip() for value in np.asarray(values).tolist()])
